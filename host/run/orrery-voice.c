/* SPDX-License-Identifier: BSD-3-Clause */
#define _GNU_SOURCE
#include "run/orrery-voice-private.h"

#include "run/orrery-clock-private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define CRASH_STACK 65536
/* Bytes of a domain, a name or a class in a packet. */
#define MAX_NAME 300
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

/* What is told of a line. */
typedef struct {
  guint32 level;
  const char *domain;
  const char *part;
  const char *klass;
  gboolean asked;
} Line;

static void
send_kind (OrreryVoiceKind kind, int flags)
{
  OrreryVoicePacket packet = { .kind = kind };
  gssize sent = send (voice.socket, &packet, ORRERY_VOICE_HEAD, flags | MSG_NOSIGNAL);

  (void) sent;
}

/* Returns: how much of it has found room */
static guint32
add_text (OrreryVoicePacket *packet, gsize *length, const char *text, gsize size)
{
  size = MIN (size, sizeof packet->text - *length);
  memcpy (packet->text + *length, text, size);
  *length += size;
  return (guint32) size;
}

static gboolean
send_line (const Line *line, const char *text, gsize size)
{
  OrreryVoicePacket packet;
  gsize n = 0;

  packet.kind = ORRERY_VOICE_LINE;
  packet.level = line->level;
  packet.asked = line->asked;
  packet.n_domain = add_text (&packet, &n, line->domain, MIN (strlen (line->domain), MAX_NAME));
  packet.n_part = add_text (&packet, &n, line->part, MIN (strlen (line->part), MAX_NAME));
  packet.n_class = add_text (&packet, &n, line->klass, MIN (strlen (line->klass), MAX_NAME));
  add_text (&packet, &n, text, size);
  return send (voice.socket, &packet, ORRERY_VOICE_HEAD + n, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0;
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
  static const Line line = { G_LOG_LEVEL_WARNING, "orrery", "", "", FALSE };
  char text[80];
  int n =
      snprintf (text, sizeof text, "%u lines more than can be told were dropped", voice.n_dropped);

  if (voice.n_dropped > 0 && send_line (&line, text, (gsize) n))
    voice.n_dropped = 0;
}

static void
say (const Line *line, const char *text, gsize length)
{
  OrreryTime now = orrery_clock_read_monotonic ();

  g_mutex_lock (&voice.lock);
  count_line (now);
  if (has_credit (now)) {
    tell_dropped ();
    voice.n_dropped += send_line (line, text, length) ? 0 : 1;
  } else {
    voice.n_dropped++;
  }
  g_mutex_unlock (&voice.lock);
}

/* --- the log --- */

static GLogWriterOutput
write_log (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  Line line = { level & G_LOG_LEVEL_MASK, "", "", "", FALSE };
  const char *text = NULL;

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
    say (&line, text, strlen (text));
  return G_LOG_WRITER_HANDLED;
}

/* --- what is printed --- */

static gpointer
read_words (gpointer data)
{
  static const Line printed = { G_LOG_LEVEL_MESSAGE, "stdout", "", "", FALSE };
  FILE *stream = fdopen (voice.words, "r");
  char line[ORRERY_VOICE_MAX - 128];

  while (stream != NULL && fgets (line, sizeof line, stream) != NULL) {
    line[strcspn (line, "\n")] = '\0';
    say (&printed, line, strlen (line));
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
  voice.last = voice.window = orrery_clock_read_monotonic ();
  fcntl (socket, F_SETFD, FD_CLOEXEC);
  fcntl (words, F_SETFD, FD_CLOEXEC);
  watch_crashes ();
  setvbuf (stdout, NULL, _IOLBF, BUFSIZ);
  g_log_set_writer_func (write_log, NULL, NULL);
  thread = g_thread_try_new ("orrery-words", read_words, NULL, NULL);
}
