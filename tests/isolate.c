/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a test in a network namespace of its own, where every port is free, with default signals. */
#define _GNU_SOURCE
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* A new namespace has a loopback interface that is down. */
static int
raise_loopback (void)
{
  struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
  int fd = socket (AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  int status = fd >= 0 ? ioctl (fd, SIOCSIFFLAGS, &request) : -1;

  if (fd >= 0)
    close (fd);
  return status;
}

/* A shell starts its background jobs with these signals ignored, and the tests would inherit that.
 */
static void
restore_signals (void)
{
  const int numbers[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE };

  for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++)
    signal (numbers[i], SIG_DFL);
}

/* isolate COMMAND...: where the user may make no namespace, the command runs in the present one.
 * isolate: exits with 0 if the user may. */
int
main (int argc, char **argv)
{
  if (unshare (CLONE_NEWNET) == 0) {
    if (raise_loopback () != 0) {
      perror ("isolate: the loopback interface stays down");
      return 99;
    }
  } else if (argc < 2) {
    return 1;
  }
  if (argc < 2)
    return 0;
  restore_signals ();
  execvp (argv[1], argv + 1);
  perror (argv[1]);
  return 127;
}
