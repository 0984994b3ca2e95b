/* SPDX-License-Identifier: BSD-3-Clause */
/* In a worker: sends its log and output to the host, and enforces its limits. */
#define _GNU_SOURCE
#include "worker/orrery-worker-log-private.h"

#include "base/orrery-monotonic-private.h"
#include "process/orrery-fault-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Largest size of a domain, a name or a class in a packet, in bytes. */
#define MAX_NAME 300
/* A process that dies this close to its limit is said to have died of it. */
#define NEAR(used, limit) ((used) + (limit) / 10 >= (limit))

static struct {
  int socket;
  int printed;
  GMutex lock;
  double credit; /* lines */
  OrreryTime last;
  OrreryTime window; /* start of the second that is counted */
  guint n_lines;     /* lines in that second */
  guint n_dropped;
  guint64 memory;
  gboolean muted;
} worker_log = { .socket = -1 };

/* The fields of a line. */
typedef struct {
  guint32 level;
  const char *domain;
  const char *part;
  const char *klass;
  gboolean asked;
} Line;

static void
send_kind (OrreryWorkerLogKind kind, int flags)
{
  OrreryWorkerLogPacket packet = { .kind = kind };
  gssize sent = send (worker_log.socket, &packet, ORRERY_WORKER_LOG_HEAD, flags | MSG_NOSIGNAL);

  (void) sent;
}

/* Returns: how many bytes fitted */
static guint32
add_text (OrreryWorkerLogPacket *packet, gsize *length, const char *text, gsize size)
{
  size = MIN (size, sizeof packet->text - *length);
  memcpy (packet->text + *length, text, size);
  *length += size;
  return (guint32) size;
}

static gboolean
send_line (const Line *line, const char *text, gsize size)
{
  OrreryWorkerLogPacket packet;
  gsize n = 0;

  packet.kind = ORRERY_WORKER_LOG_LINE;
  packet.level = line->level;
  packet.asked = line->asked;
  packet.n_domain = add_text (&packet, &n, line->domain, MIN (strlen (line->domain), MAX_NAME));
  packet.n_part = add_text (&packet, &n, line->part, MIN (strlen (line->part), MAX_NAME));
  packet.n_class = add_text (&packet, &n, line->klass, MIN (strlen (line->klass), MAX_NAME));
  add_text (&packet, &n, text, size);
  return send (worker_log.socket, &packet, ORRERY_WORKER_LOG_HEAD + n,
               MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* --- the rate --- */

static void
count_line (OrreryTime now)
{
  if (now - worker_log.window >= ORRERY_SECOND) {
    worker_log.window = now;
    worker_log.n_lines = 0;
  }
  /* The host would kill it; the worker ends itself instead of waiting for that. */
  if (++worker_log.n_lines != ORRERY_WORKER_LOG_FLOOD_LINES)
    return;
  send_kind (ORRERY_WORKER_LOG_FLOOD, 0);
  kill (getpid (), SIGKILL);
}

static gboolean
has_credit (OrreryTime now)
{
  worker_log.credit += orrery_time_to_seconds (now - worker_log.last) * ORRERY_WORKER_LOG_RATE;
  worker_log.credit = MIN (worker_log.credit, ORRERY_WORKER_LOG_BURST);
  worker_log.last = now;
  if (worker_log.credit < 1)
    return FALSE;
  worker_log.credit -= 1;
  return TRUE;
}

static void
log_dropped (void)
{
  static const Line line = { G_LOG_LEVEL_WARNING, "orrery", "", "", FALSE };
  char text[80];
  int n = snprintf (text, sizeof text, "%u lines more than the rate were dropped",
                    worker_log.n_dropped);

  if (worker_log.n_dropped > 0 && send_line (&line, text, (gsize) n))
    worker_log.n_dropped = 0;
}

static void
log_line (const Line *line, const char *text, gsize length)
{
  OrreryTime now = orrery_monotonic_now ();

  g_mutex_lock (&worker_log.lock);
  count_line (now);
  if (has_credit (now)) {
    log_dropped ();
    worker_log.n_dropped += send_line (line, text, length) ? 0 : 1;
  } else {
    worker_log.n_dropped++;
  }
  g_mutex_unlock (&worker_log.lock);
}

/* --- the log --- */

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  Line line = { level & G_LOG_LEVEL_MASK, "", "", "", FALSE };
  const char *text = NULL;

  if (worker_log.muted && !(level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR)))
    return G_LOG_WRITER_HANDLED;
  for (gsize i = 0; i < n_fields; i++) {
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      text = fields[i].value;
    else if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0)
      line.domain = fields[i].value;
    else if (strcmp (fields[i].key, "ORRERY_PART") == 0)
      line.part = fields[i].value;
    else if (strcmp (fields[i].key, "ORRERY_CLASS") == 0)
      line.klass = fields[i].value;
    else if (strcmp (fields[i].key, "ORRERY_ASKED") == 0)
      line.asked = TRUE;
  }
  if (text != NULL && (line.asked || !(level & G_LOG_LEVEL_DEBUG) ||
                       !g_log_writer_default_would_drop (level, line.domain)))
    log_line (&line, text, strlen (text));
  return G_LOG_WRITER_HANDLED;
}

/* --- output --- */

static gpointer
read_printed (gpointer data)
{
  static const Line from_stdout = { G_LOG_LEVEL_MESSAGE, "stdout", "", "", FALSE };
  FILE *stream = fdopen (worker_log.printed, "r");
  char line[ORRERY_WORKER_LOG_MAX - 128];

  while (stream != NULL && fgets (line, sizeof line, stream) != NULL) {
    line[strcspn (line, "\n")] = '\0';
    log_line (&from_stdout, line, strlen (line));
  }
  return NULL;
}

/* --- limits --- */

/* Size of data and stack in bytes; uses only calls that are safe in a signal handler. */
static guint64
measure_memory (void)
{
  char text[256];
  int fd = open ("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  gssize n = fd >= 0 ? read (fd, text, sizeof text - 1) : -1;
  const char *at = text;
  guint64 pages = 0;

  if (fd >= 0)
    close (fd);
  if (n <= 0)
    return 0;
  text[n] = '\0';
  for (guint field = 0; field < 5 && at != NULL; field++) {
    at = strchr (at, ' ');
    at = at != NULL ? at + 1 : NULL;
  }
  for (; at != NULL && *at >= '0' && *at <= '9'; at++)
    pages = 10 * pages + (guint64) (*at - '0');
  return pages * (guint64) sysconf (_SC_PAGESIZE);
}

/* Sent, because what the process has printed last may not be read any more. */
static void
on_fault (const OrreryFault *fault, const char *text)
{
  const char *name = fault->name != NULL ? fault->name : "";
  const Line line = { G_LOG_LEVEL_WARNING, "orrery", name,
                      fault->classpath != NULL ? fault->classpath : "", FALSE };

  send_line (&line, text, strlen (text));
  if (worker_log.memory > 0 && NEAR (measure_memory (), worker_log.memory))
    send_kind (ORRERY_WORKER_LOG_MEMORY, MSG_DONTWAIT);
}

void
orrery_worker_log_mute (gboolean muted)
{
  worker_log.muted = muted;
}

void
orrery_worker_log_limit_memory (guint64 memory)
{
  struct rlimit limit = { memory, memory };

  if (memory == 0)
    return;
  worker_log.memory = memory;
#ifdef __SANITIZE_ADDRESS__
  /* A sanitizer uses many times the memory of the program. */
  limit = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
#endif
  /* Private mappings only: shared memory and files do not count. */
  setrlimit (RLIMIT_DATA, &limit);
}

void
orrery_worker_log_start (int socket, int printed)
{
  g_autoptr (GThread) thread = NULL;

  worker_log.socket = socket;
  worker_log.printed = printed;
  worker_log.credit = ORRERY_WORKER_LOG_BURST;
  worker_log.last = worker_log.window = orrery_monotonic_now ();
  fcntl (socket, F_SETFD, FD_CLOEXEC);
  fcntl (printed, F_SETFD, FD_CLOEXEC);
  /* Also in place of those of a sanitizer: the host tells by which signal a worker ended. */
  orrery_fault_catch_all (on_fault, TRUE);
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  g_log_set_writer_func (write_log, NULL, NULL);
  thread = g_thread_try_new ("orrery-output", read_printed, NULL, NULL);
}
