/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "run/orrery-voice-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CRASH_STACK 65536
/* So near to its limit it is what the process died of. */
#define NEAR(used, limit) ((used) + (limit) / 10 >= (limit))

static struct {
  int socket;
  int words;
  GMutex lock;
  double credit; /* lines */
  OrreryTime last;
  OrreryTime window; /* begin of the second that is counted */
  guint n_lines;     /* in it */
  guint n_dropped;
  guint64 memory;
} voice = { .socket = -1 };

static OrreryTime
get_now (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (OrreryTime) now.tv_sec * ORRERY_SECOND + now.tv_nsec;
}

static void
send_kind (OrreryVoiceKind kind, int flags)
{
  OrreryVoicePacket packet;
  gssize sent;

  packet.kind = kind;
  packet.level = packet.n_domain = 0;
  sent = send (voice.socket, &packet, ORRERY_VOICE_HEAD, flags | MSG_NOSIGNAL);
  (void) sent;
}

static gboolean
send_line (guint32 level, const char *domain, const char *text, gsize length)
{
  OrreryVoicePacket packet;

  packet.kind = ORRERY_VOICE_LINE;
  packet.level = level;
  packet.n_domain = (guint32) MIN (strlen (domain), 100);
  memcpy (packet.text, domain, packet.n_domain);
  length = MIN (length, sizeof packet.text - packet.n_domain);
  memcpy (packet.text + packet.n_domain, text, length);
  return send (voice.socket, &packet, ORRERY_VOICE_HEAD + packet.n_domain + length,
               MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
}

/* --- the rate --- */

static void
count_line (OrreryTime now)
{
  if (now - voice.window >= ORRERY_SECOND) {
    voice.window = now;
    voice.n_lines = 0;
  }
  /* The host takes it down; it need not wait for that. */
  if (++voice.n_lines != ORRERY_VOICE_FLOOD_LINES)
    return;
  send_kind (ORRERY_VOICE_FLOOD, 0);
  kill (getpid (), SIGKILL);
}

static gboolean
has_credit (OrreryTime now)
{
  voice.credit += orrery_time_to_seconds (now - voice.last) * ORRERY_VOICE_RATE;
  voice.credit = MIN (voice.credit, ORRERY_VOICE_BURST);
  voice.last = now;
  if (voice.credit < 1)
    return FALSE;
  voice.credit -= 1;
  return TRUE;
}

static void
tell_dropped (void)
{
  char text[80];
  int n =
      snprintf (text, sizeof text, "%u lines more than can be told were dropped", voice.n_dropped);

  if (voice.n_dropped > 0 && send_line (G_LOG_LEVEL_WARNING, "orrery", text, (gsize) n))
    voice.n_dropped = 0;
}

static void
say (guint32 level, const char *domain, const char *text, gsize length)
{
  OrreryTime now = get_now ();

  g_mutex_lock (&voice.lock);
  count_line (now);
  if (has_credit (now)) {
    tell_dropped ();
    voice.n_dropped += send_line (level, domain, text, length) ? 0 : 1;
  } else {
    voice.n_dropped++;
  }
  g_mutex_unlock (&voice.lock);
}

/* --- the log --- */

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  const char *text = NULL;
  const char *domain = "";

  for (gsize i = 0; i < n_fields; i++) {
    if (strcmp (fields[i].key, "MESSAGE") == 0)
      text = fields[i].value;
    else if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0)
      domain = fields[i].value;
  }
  if (text != NULL &&
      !((level & G_LOG_LEVEL_DEBUG) && g_log_writer_default_would_drop (level, domain)))
    say (level & G_LOG_LEVEL_MASK, domain, text, strlen (text));
  return G_LOG_WRITER_HANDLED;
}

/* --- what is printed --- */

static gpointer
read_words (gpointer data)
{
  FILE *stream = fdopen (voice.words, "r");
  char line[ORRERY_VOICE_MAX - 128];

  while (stream != NULL && fgets (line, sizeof line, stream) != NULL) {
    line[strcspn (line, "\n")] = '\0';
    say (G_LOG_LEVEL_MESSAGE, "stdout", line, strlen (line));
  }
  return NULL;
}

/* --- limits --- */

/* Bytes of data and stack; by calls that a signal handler may make. */
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

static void
on_crash (int number)
{
  if (voice.memory > 0 && NEAR (measure_memory (), voice.memory))
    send_kind (ORRERY_VOICE_MEMORY, MSG_DONTWAIT);
  /* Its own end, with its own signal. */
  signal (number, SIG_DFL);
  raise (number);
}

static void
watch_crashes (void)
{
  static const int numbers[] = { SIGSEGV, SIGBUS, SIGABRT, SIGTRAP, SIGILL, SIGFPE };
  static char room[CRASH_STACK];
  stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
  struct sigaction action = { .sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER };

  sigaltstack (&stack, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    sigaction (numbers[i], &action, NULL);
}

void
orrery_voice_limit_memory (guint64 memory)
{
  struct rlimit limit = { memory, memory };

  if (memory == 0)
    return;
  voice.memory = memory;
#ifdef __SANITIZE_ADDRESS__
  /* It takes many times what its program does. */
  limit = (struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
#endif
  /* What is mapped for itself alone: shared memory and files do not count. */
  setrlimit (RLIMIT_DATA, &limit);
}

void
orrery_voice_start (int socket, int words)
{
  g_autoptr (GThread) thread = NULL;

  voice.socket = socket;
  voice.words = words;
  voice.credit = ORRERY_VOICE_BURST;
  voice.last = voice.window = get_now ();
  fcntl (socket, F_SETFD, FD_CLOEXEC);
  fcntl (words, F_SETFD, FD_CLOEXEC);
  watch_crashes ();
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  g_log_set_writer_func (write_log, NULL, NULL);
  thread = g_thread_try_new ("orrery-words", read_words, NULL, NULL);
}
