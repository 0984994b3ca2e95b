/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "channel-trial.h"

#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;

gboolean
channel_trial_is_child (int argc, char **argv, const ChannelTrialMode *modes, int *code)
{
  if (argc != 4 || strcmp (argv[1], "--child") != 0)
    return FALSE;
  for (; modes->name != NULL; modes++)
    if (strcmp (modes->name, argv[2]) == 0) {
      *code = modes->run (CHANNEL_TRIAL_SOCKET, argv[3]);
      return TRUE;
    }
  *code = 99;
  return TRUE;
}

void
channel_trial_init (const char *name)
{
  program = name;
}

ChannelTrialChild
channel_trial_spawn (const char *mode, const char *argument)
{
  ChannelTrialChild child;
  int sockets[2];
  pid_t parent = getpid ();

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets));
  child.socket = sockets[0];
  child.pid = fork ();
  g_assert_cmpint (child.pid, >=, 0);
  if (child.pid > 0) {
    close (sockets[1]);
    return child;
  }
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (98);
  if (sockets[1] == CHANNEL_TRIAL_SOCKET)
    fcntl (CHANNEL_TRIAL_SOCKET, F_SETFD, 0);
  else
    dup2 (sockets[1], CHANNEL_TRIAL_SOCKET);
  execl (program, program, "--child", mode, argument, NULL);
  _exit (97);
}

int
channel_trial_end (ChannelTrialChild *child, int signal)
{
  int status = 0;

  if (signal != 0)
    kill (child->pid, signal);
  g_assert_cmpint (waitpid (child->pid, &status, 0), ==, child->pid);
  close (child->socket);
  return status;
}

void
channel_trial_say (int socket)
{
  g_assert_cmpint (send (socket, "!", 1, MSG_NOSIGNAL), ==, 1);
}

gboolean
channel_trial_hear (int socket)
{
  char word;

  return TEMP_FAILURE_RETRY (recv (socket, &word, 1, 0)) == 1;
}

OrreryChannel *
channel_trial_receive (int socket)
{
  g_autoptr (GError) error = NULL;
  OrreryChannel *channel = orrery_channel_receive (socket, &error);

  g_assert_no_error (error);
  return channel;
}

void
channel_trial_send (int socket, OrreryChannel *channel)
{
  g_autoptr (GError) error = NULL;

  orrery_channel_send (channel, socket, &error);
  g_assert_no_error (error);
}

OrreryEmitter *
channel_trial_emitter (OrreryChannel *channel)
{
  g_autoptr (GError) error = NULL;
  OrreryEmitter *emitter = orrery_emitter_new (channel, &error);

  g_assert_no_error (error);
  return emitter;
}

OrreryReceiver *
channel_trial_receiver (OrreryChannel *channel)
{
  g_autoptr (GError) error = NULL;
  OrreryReceiver *receiver = orrery_receiver_new (channel, &error);

  g_assert_no_error (error);
  return receiver;
}

void
channel_trial_emit_number (OrreryEmitter *emitter, guint64 number)
{
  g_autoptr (GError) error = NULL;

  orrery_emitter_emit (emitter, (const guint8 *) &number, sizeof number, (OrreryTime) number * 10,
                       &error);
  g_assert_no_error (error);
}

void
channel_trial_assert (OrreryReceiver *receiver, OrreryReading reading, guint64 number)
{
  guint64 value = 0;
  gsize size;
  gconstpointer data;

  g_assert_cmpint (orrery_receiver_read (receiver), ==, reading);
  data = orrery_receiver_get_data (receiver, &size);
  if (reading == ORRERY_READING_NONE) {
    g_assert_null (data);
    return;
  }
  g_assert_cmpuint (size, ==, sizeof value);
  memcpy (&value, data, sizeof value);
  g_assert_cmpuint (value, ==, number);
  g_assert_cmpint (orrery_receiver_get_time (receiver), ==, (OrreryTime) number * 10);
}

void
channel_trial_fill (guint64 *frame, gsize size, guint64 number)
{
  for (gsize i = 0; i < size / 8; i++)
    frame[i] = number ^ (i * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15));
}

guint64
channel_trial_check (const guint64 *frame, gsize size)
{
  guint64 number = frame[0];

  for (gsize i = 0; i < size / 8; i++)
    if (frame[i] != (number ^ (i * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15))))
      return 0;
  return number;
}

guint
channel_trial_count_fds (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}
