/* SPDX-License-Identifier: BSD-3-Clause */
#include "run/orrery-worker-private.h"

#include "run/orrery-voice-private.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* What a worker says, as the host's log. */

/* At once, so that one that talks does not hold the tick. */
#define MAX_PACKETS 200
/* Of what a process printed and could not read back before it ended. */
#define LAST_WORDS 4096
#define LAST_LINES 8

/* The next piece of a packet. */
static char *
cut (const OrreryVoicePacket *packet, gsize *at, gsize size)
{
  g_autofree char *copy = g_strndup (packet->text + *at, size);

  *at += size;
  return g_utf8_make_valid (copy, -1);
}

static void
log_line (OrreryWorker *worker, GLogLevelFlags level, const char *domain, const char *text,
          gsize length)
{
  g_autofree char *copy = g_strndup (text, length);
  g_autofree char *line = g_utf8_make_valid (copy, -1);

  g_log_structured (domain, level, "MESSAGE", "worker %s: %s", worker->name, line);
}

/* One that a part has said there, after its levels. */
static void
log_part_line (OrreryWorker *worker, GLogLevelFlags level, const OrreryVoicePacket *packet,
               gsize n_text)
{
  gsize at = 0;
  g_autofree char *domain = cut (packet, &at, packet->n_domain);
  g_autofree char *part = cut (packet, &at, packet->n_part);
  g_autofree char *klass = cut (packet, &at, packet->n_class);
  g_autofree char *line = cut (packet, &at, n_text - at);

  if (packet->asked)
    g_log_structured (domain, level, "ORRERY_PART", part, "ORRERY_CLASS", klass, "ORRERY_ASKED",
                      "1", "MESSAGE", "worker %s: %s", worker->name, line);
  else
    g_log_structured (domain, level, "ORRERY_PART", part, "ORRERY_CLASS", klass, "MESSAGE",
                      "worker %s: %s", worker->name, line);
}

static void
take_packet (OrreryWorker *worker, const OrreryVoicePacket *packet, gsize size)
{
  GLogLevelFlags level = packet->level & G_LOG_LEVEL_MASK;
  g_autofree char *domain = NULL;
  gsize n_text = size - ORRERY_VOICE_HEAD;

  if (packet->kind == ORRERY_VOICE_FLOOD)
    worker->excess = "flooded its log";
  else if (packet->kind == ORRERY_VOICE_MEMORY)
    worker->excess = "ran out of the memory that it may have";
  if (packet->kind != ORRERY_VOICE_LINE ||
      (guint64) packet->n_domain + packet->n_part + packet->n_class > n_text)
    return;
  if (level == 0)
    level = G_LOG_LEVEL_MESSAGE;
  /* What ends a worker is no end of its host. */
  if (level & (G_LOG_LEVEL_ERROR | G_LOG_LEVEL_CRITICAL))
    level = G_LOG_LEVEL_WARNING;
  if (packet->n_part > 0) {
    log_part_line (worker, level, packet, n_text);
    return;
  }
  domain = g_strndup (packet->text, packet->n_domain);
  log_line (worker, level, domain, packet->text + packet->n_domain + packet->n_class,
            n_text - packet->n_domain - packet->n_class);
}

static void
hear_last_words (OrreryWorker *worker)
{
  char words[LAST_WORDS + 1];
  guint n_lines = 0;
  int waiting = 0;
  gssize n;

  /* The pipe is shared with the process, which waits in its reads: this must not. */
  if (ioctl (worker->process.words, FIONREAD, &waiting) != 0 || waiting == 0)
    return;
  n = read (worker->process.words, words, (gsize) MIN (waiting, LAST_WORDS));
  if (n <= 0)
    return;
  words[n] = '\0';
  for (char *line = words; line != NULL && *line != '\0' && n_lines < LAST_LINES; n_lines++) {
    char *end = strchr (line, '\n');

    log_line (worker, G_LOG_LEVEL_MESSAGE, "stdout", line,
              end != NULL ? (gsize) (end - line) : strlen (line));
    line = end != NULL ? end + 1 : NULL;
  }
}

void
orrery_worker_hear (OrreryWorker *worker)
{
  OrreryVoicePacket packet;

  if (worker->process.socket < 0)
    return;
  for (guint i = 0; i < MAX_PACKETS; i++) {
    gssize n = recv (worker->process.socket, &packet, sizeof packet, MSG_DONTWAIT);

    if (n < (gssize) ORRERY_VOICE_HEAD)
      break;
    take_packet (worker, &packet, (gsize) n);
  }
  if (worker->process.pid == 0)
    hear_last_words (worker);
}
