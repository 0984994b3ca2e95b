/* SPDX-License-Identifier: BSD-3-Clause */
/* The ports, limits and directories that a run needs. */
#define _GNU_SOURCE
#include "doctor.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* --- ports --- */

/* Returns: 0, or why nobody can listen there: errno */
static int
try_port (guint16 port)
{
  g_autoptr (GInetAddress) loopback = g_inet_address_new_loopback (G_SOCKET_FAMILY_IPV4);
  g_autoptr (GSocketAddress) address = g_inet_socket_address_new (loopback, port);
  g_autoptr (GError) error = NULL;
  g_autoptr (GSocket) socket =
      g_socket_new (G_SOCKET_FAMILY_IPV4, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_TCP, &error);

  if (socket == NULL || !g_socket_bind (socket, address, TRUE, &error) ||
      !g_socket_listen (socket, &error))
    return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_ADDRESS_IN_USE)      ? EADDRINUSE
           : g_error_matches (error, G_IO_ERROR, G_IO_ERROR_PERMISSION_DENIED) ? EACCES
                                                                               : EIO;
  return 0;
}

void
doctor_check_ports (DoctorReport *report)
{
  static const struct {
    guint16 port;
    const char *use;
  } ports[] = {
    { 4000, "services" },
    { 60000, "the first stream on a socket" },
    { 8765, "the viewer" },
    { 9090, "rosbridge" },
  };

  doctor_report_begin (report, "ports");
  for (guint i = 0; i < G_N_ELEMENTS (ports); i++) {
    int problem = try_port (ports[i].port);

    if (problem == 0)
      doctor_report_add (report, DOCTOR_OK, NULL, "%u (%s) is free", ports[i].port, ports[i].use);
    else if (problem == EADDRINUSE)
      doctor_report_add (report, DOCTOR_NOTE,
                         "end the other program, or read in the log which port is taken instead",
                         "%u (%s) is taken, perhaps by another simulation", ports[i].port,
                         ports[i].use);
    else
      doctor_report_add (report, DOCTOR_WRONG, NULL, "%u (%s) cannot be listened on: %s",
                         ports[i].port, ports[i].use, g_strerror (problem));
  }
}

/* --- limits --- */

/* Below that many, a run with workers and clients may get none. */
#define FEW_FILES 1024
/* What Fast DDS takes for itself and a few large messages, bytes. */
#define SMALL_SHM (256 << 20)

static void
check_files (DoctorReport *report)
{
  struct rlimit limit = { 0 };

  getrlimit (RLIMIT_NOFILE, &limit);
  if (limit.rlim_cur < FEW_FILES)
    doctor_report_add (report, DOCTOR_NOTE, "ulimit -n 4096",
                       "open files: %" G_GUINT64_FORMAT ", few for workers and many clients",
                       (guint64) limit.rlim_cur);
  else
    doctor_report_add (report, DOCTOR_OK, NULL, "open files: %" G_GUINT64_FORMAT,
                       (guint64) limit.rlim_cur);
}

static void
check_shared_memory (DoctorReport *report)
{
  struct statvfs info;
  int fd = memfd_create ("orrery-doctor", MFD_CLOEXEC);

  if (fd < 0)
    doctor_report_add (report, DOCTOR_WRONG, NULL,
                       "memory that processes share cannot be made: %s; workers do not start",
                       g_strerror (errno));
  else
    close (fd);
  if (statvfs ("/dev/shm", &info) != 0 || access ("/dev/shm", W_OK) != 0)
    doctor_report_add (report, DOCTOR_NOTE, NULL,
                       "/dev/shm: %s; ROS 2 goes over the network of this machine instead",
                       g_strerror (errno));
  else if ((guint64) info.f_bavail * info.f_frsize < SMALL_SHM)
    doctor_report_add (report, DOCTOR_NOTE, "in a container: --shm-size=1g",
                       "/dev/shm has %" G_GUINT64_FORMAT " MiB left, little for pictures of ROS 2",
                       (guint64) info.f_bavail * info.f_frsize >> 20);
  else
    doctor_report_add (report, DOCTOR_OK, NULL, "/dev/shm: %" G_GUINT64_FORMAT " MiB left",
                       (guint64) info.f_bavail * info.f_frsize >> 20);
}

/* Returns: (nullable) (transfer full): a file of the control group of this process, version 2 */
static char *
read_group (const char *name)
{
  g_autofree char *groups = NULL;
  g_autofree char *path = NULL;
  char *text = NULL;
  char *own;

  if (!g_file_get_contents ("/proc/self/cgroup", &groups, NULL, NULL))
    return NULL;
  own = strstr (groups, "0::");
  if (own == NULL)
    return NULL;
  own[strcspn (own, "\n")] = '\0';
  path = g_build_filename ("/sys/fs/cgroup", own + strlen ("0::"), name, NULL);
  g_file_get_contents (path, &text, NULL, NULL);
  return text != NULL ? g_strchomp (text) : NULL;
}

static void
check_memory (DoctorReport *report)
{
  g_autofree char *limit = read_group ("memory.max");
  g_autofree char *info = NULL;
  const char *line = NULL;

  if (limit != NULL && g_ascii_isdigit (*limit))
    doctor_report_add (report, DOCTOR_NOTE, NULL,
                       "memory: the control group allows %" G_GUINT64_FORMAT " MiB",
                       g_ascii_strtoull (limit, NULL, 10) >> 20);
  if (g_file_get_contents ("/proc/meminfo", &info, NULL, NULL))
    line = strstr (info, "MemAvailable:");
  if (line != NULL)
    doctor_report_add (report, DOCTOR_OK, NULL, "memory: %" G_GUINT64_FORMAT " MiB available",
                       g_ascii_strtoull (line + strlen ("MemAvailable:"), NULL, 10) >> 10);
}

static void
check_processors (DoctorReport *report)
{
  g_autofree char *quota = read_group ("cpu.max");
  double period, time;
  char *end = NULL;

  doctor_report_add (report, DOCTOR_OK, NULL, "processors: %u", g_get_num_processors ());
  if (quota == NULL || !g_ascii_isdigit (*quota))
    return;
  time = g_ascii_strtod (quota, &end);
  period = g_ascii_strtod (end, NULL);
  if (period > 0)
    doctor_report_add (report, DOCTOR_NOTE, NULL,
                       "processors: the control group allows the time of %.2g", time / period);
}

void
doctor_check_limits (DoctorReport *report)
{
  doctor_report_begin (report, "limits");
  check_processors (report);
  check_memory (report);
  check_files (report);
  check_shared_memory (report);
}

/* --- directories --- */

/* Returns: (transfer full): the directory, or the nearest above it that there is */
static char *
find_existing (const char *directory)
{
  char *path = g_strdup (directory);

  while (!g_file_test (path, G_FILE_TEST_EXISTS) && strlen (path) > 1) {
    char *above = g_path_get_dirname (path);

    g_free (path);
    path = above;
  }
  return path;
}

/* @is_own: whether it has to belong to the user */
static void
check_directory (DoctorReport *report, const char *directory, const char *use, gboolean is_own)
{
  g_autofree char *existing = find_existing (directory);
  gboolean is_there = g_str_equal (existing, directory);
  GStatBuf info = { 0 };

  if (g_stat (existing, &info) != 0 || !S_ISDIR (info.st_mode))
    doctor_report_add (report, DOCTOR_WRONG, NULL, "%s (%s): %s is no directory", directory, use,
                       existing);
  else if (access (existing, W_OK | X_OK) != 0)
    doctor_report_add (report, DOCTOR_WRONG, NULL, "%s (%s): nothing can be written to %s",
                       directory, use, existing);
  else if (is_own && is_there && info.st_uid != geteuid ())
    doctor_report_add (report, DOCTOR_WRONG, NULL, "%s (%s) belongs to user %u, not to you",
                       directory, use, (guint) info.st_uid);
  else if (is_own && is_there && (info.st_mode & S_IWOTH) != 0) {
    g_autofree char *remedy = g_strdup_printf ("chmod o-w %s", directory);

    doctor_report_add (report, DOCTOR_WRONG, remedy, "%s (%s): everybody may write to it",
                       directory, use);
  } else
    doctor_report_add (report, DOCTOR_OK, NULL, "%s (%s)%s", directory, use,
                       is_there ? "" : ": not there, and can be made");
}

void
doctor_check_directories (DoctorReport *report)
{
  g_autofree char *plugins = g_build_filename (g_get_user_data_dir (), "orrery", "plugins", NULL);
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "orrery", NULL);
  g_autofree char *here = g_get_current_dir ();

  doctor_report_begin (report, "directories");
  /* The program forgets a home that is not absolute. */
  if (g_getenv ("HOME") == NULL)
    doctor_report_add (report, DOCTOR_NOTE, NULL,
                       "HOME is not set, or no absolute path; the system says that it is %s",
                       g_get_home_dir ());
  check_directory (report, plugins, "your plugins", TRUE);
  check_directory (report, cache, "meshes for viewers of ROS 2", TRUE);
  check_directory (report, g_get_tmp_dir (), "scenes that a script builds", FALSE);
  if (access (here, W_OK) != 0)
    doctor_report_add (report, DOCTOR_NOTE, NULL,
                       "%s (here): nothing can be written, as by the stream `text`", here);
}
