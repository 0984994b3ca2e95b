/* SPDX-License-Identifier: BSD-3-Clause */
/* Tasks and a channel between them in a program without world, parts and simulation. */
#include "channel/orrery-channel.h"
#include "channel/orrery-emitter.h"
#include "channel/orrery-receiver.h"
#include "loop/orrery-clock.h"
#include "loop/orrery-scheduler.h"

#define N_VALUES 5

typedef struct {
  OrreryEmitter *emitter;
  OrreryReceiver *receiver;
  guint n_sent;
  guint sum;
} Trial;

static OrreryNext
send_value (OrreryTask *task, gpointer data, GError **error)
{
  Trial *trial = data;
  guint value = ++trial->n_sent;

  if (!orrery_emitter_emit (trial->emitter, (const guint8 *) &value, sizeof value, 0, error))
    return orrery_next_done ();
  return value < N_VALUES ? orrery_next_period (ORRERY_SECOND) : orrery_next_done ();
}

static OrreryNext
add_values (OrreryTask *task, gpointer data, GError **error)
{
  Trial *trial = data;

  while (orrery_receiver_read (trial->receiver) == ORRERY_READING_FRESH) {
    gsize size;
    const guint *value = orrery_receiver_get_data (trial->receiver, &size);

    g_assert_cmpuint (size, ==, sizeof *value);
    trial->sum += *value;
  }
  return trial->n_sent < N_VALUES ? orrery_next_period (ORRERY_SECOND) : orrery_next_done ();
}

static void
test_tasks_and_channel (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryChannel) channel = orrery_channel_new_local ("values", 0, &error);
  g_autoptr (OrreryEmitter) emitter = orrery_emitter_new (channel, &error);
  g_autoptr (OrreryReceiver) receiver = orrery_receiver_new (channel, &error);
  g_autoptr (OrreryManualClock) clock = orrery_manual_clock_new (0, TRUE);
  g_autoptr (OrreryScheduler) scheduler = orrery_scheduler_new (ORRERY_CLOCK (clock), NULL);
  Trial trial = { emitter, receiver };

  g_test_summary ("two tasks exchange values over a channel, linked without a simulation");
  g_assert_no_error (error);
  orrery_scheduler_add (scheduler, "send", send_value, &trial, NULL);
  orrery_scheduler_add (scheduler, "add", add_values, &trial, NULL);
  g_assert_true (orrery_scheduler_run (scheduler));
  g_assert_cmpuint (trial.n_sent, ==, N_VALUES);
  g_assert_cmpuint (trial.sum, ==, N_VALUES * (N_VALUES + 1) / 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/alone/tasks-and-channel", test_tasks_and_channel);
  return g_test_run ();
}
