/* SPDX-License-Identifier: BSD-3-Clause */
/* Passes the output and the log of a worker on to the log of the host. */
#include "worker/orrery-worker-internal.h"

#include "worker/orrery-worker-log-private.h"

#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The most that is passed on at once, so that much output does not delay the tick. */
#define MAX_PACKETS 200
/* Output that a process had not read back from its pipe before it ended. */
#define LAST_TEXT 4096
#define LAST_LINES 8

/* The next piece of a packet. */
static char *
cut (const OrreryWorkerLogPacket *packet, gsize *at, gsize size)
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

/* A line that a part has logged in the worker, where its levels applied. */
static void
log_part_line (OrreryWorker *worker, GLogLevelFlags level, const OrreryWorkerLogPacket *packet,
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
take_packet (OrreryWorker *worker, const OrreryWorkerLogPacket *packet, gsize size)
{
  GLogLevelFlags level = packet->level & G_LOG_LEVEL_MASK;
  g_autofree char *domain = NULL;
  gsize n_text = size - ORRERY_WORKER_LOG_HEAD;

  if (packet->kind == ORRERY_WORKER_LOG_FLOOD)
    orrery_child_set_excess (worker->child, "flooded its log");
  else if (packet->kind == ORRERY_WORKER_LOG_MEMORY)
    orrery_child_set_excess (worker->child, "ran out of the memory that it may have");
  if (packet->kind != ORRERY_WORKER_LOG_LINE ||
      (guint64) packet->n_domain + packet->n_part + packet->n_class > n_text)
    return;
  if (level == 0)
    level = G_LOG_LEVEL_MESSAGE;
  /* An error that is fatal for a worker is not fatal for its host. */
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
log_unread (OrreryWorker *worker)
{
  char text[LAST_TEXT + 1];
  guint n_lines = 0;
  int waiting = 0;
  gssize n;

  /* The worker, which shares the pipe, waits in its reads; the host must not. */
  if (ioctl (worker->child->output, FIONREAD, &waiting) != 0 || waiting == 0)
    return;
  n = read (worker->child->output, text, (gsize) MIN (waiting, LAST_TEXT));
  if (n <= 0)
    return;
  text[n] = '\0';
  for (char *line = text; line != NULL && *line != '\0' && n_lines < LAST_LINES; n_lines++) {
    char *end = strchr (line, '\n');

    log_line (worker, G_LOG_LEVEL_MESSAGE, "stdout", line,
              end != NULL ? (gsize) (end - line) : strlen (line));
    line = end != NULL ? end + 1 : NULL;
  }
}

void
orrery_worker_read_output (OrreryWorker *worker)
{
  OrreryWorkerLogPacket packet;

  if (worker->child == NULL || worker->child->launching)
    return;
  for (guint i = 0; i < MAX_PACKETS; i++) {
    gssize n = recv (worker->child->socket, &packet, sizeof packet, MSG_DONTWAIT);

    if (n < (gssize) ORRERY_WORKER_LOG_HEAD)
      break;
    take_packet (worker, &packet, (gsize) n);
  }
  if (worker->child->pid == 0)
    log_unread (worker);
}
