/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Light loops share one thread, sensors have processes of their own, and frames cross shared
 * memory. The same as hybrid_loop.py.
 *
 *   cc hybrid_loop.c $(pkg-config --cflags --libs orrery-1) -o hybrid_loop
 *   ./hybrid_loop [multiprocess|local [RATE]]      RATE: how fast the clock goes, 1
 */
#include <orrery.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME (320 * 200 * 3)

typedef struct {
  const char *name;
  OrreryTransport transport;
  double interval; /* s */
  gboolean (*emit) (OrreryEmitter *emitter, OrreryTime time, GError **error);
  void (*print) (OrreryReceiver *receiver);
} Sensor;

/* --- what the sensors do --- */

static gboolean
emit_temperature (OrreryEmitter *emitter, OrreryTime time, GError **error)
{
  GVariant *value = g_variant_new_double (20 + g_random_double_range (-2, 5));

  return orrery_emitter_emit_variant (emitter, value, time, error);
}

static gboolean
emit_cloudiness (OrreryEmitter *emitter, OrreryTime time, GError **error)
{
  const char *const kinds[] = { "Clear", "Partly Cloudy", "Cloudy", "Rain" };
  const char *kind = kinds[g_random_int_range (0, G_N_ELEMENTS (kinds))];

  return orrery_emitter_emit_variant (emitter, g_variant_new_string (kind), time, error);
}

/* Made where the controller looks at it: nothing is copied. */
static gboolean
emit_frame (OrreryEmitter *emitter, OrreryTime time, GError **error)
{
  guint8 *frame = orrery_emitter_begin (emitter, FRAME, NULL, error);

  if (frame == NULL)
    return FALSE;
  for (guint i = 0; i < FRAME; i++)
    frame[i] = (guint8) rand ();
  orrery_emitter_commit (emitter, time);
  return TRUE;
}

static void
print_variant (OrreryReceiver *receiver)
{
  g_autoptr (GVariant) value = orrery_receiver_dup_variant (receiver);
  g_autofree char *text = g_variant_print (value, FALSE);

  printf ("%s", text);
}

static void
print_frame (OrreryReceiver *receiver)
{
  const guint8 *frame = orrery_receiver_get_data (receiver, NULL);

  printf ("frame [%d %d %d]", frame[0], frame[1], frame[2]);
}

static const Sensor sensors[] = {
  { "temp_sensor", ORRERY_TRANSPORT_QUEUE, 5.0, emit_temperature, print_variant },
  { "cloudy_sensor", ORRERY_TRANSPORT_QUEUE, 10.0, emit_cloudiness, print_variant },
  { "camera", ORRERY_TRANSPORT_LATEST, 1.0, emit_frame, print_frame },
};

/* --- the loops --- */

static gpointer
begin_sense (OrreryLoop *loop, GError **error)
{
  return (gpointer) &sensors[g_variant_get_uint32 (orrery_loop_get_arguments (loop))];
}

static OrreryNext
sense (OrreryLoop *loop, gpointer data, GError **error)
{
  const Sensor *sensor = data;
  OrreryEmitter *emitter = orrery_loop_find_emitter (loop, sensor->name, error);

  if (emitter == NULL || !sensor->emit (emitter, orrery_loop_get_time (loop), error))
    return orrery_next_done ();
  return orrery_next_sleep_seconds (sensor->interval);
}

static OrreryNext
control (OrreryLoop *loop, gpointer data, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (sensors); i++) {
    OrreryReceiver *receiver = orrery_loop_find_receiver (loop, sensors[i].name, error);
    OrreryReading reading;

    if (receiver == NULL)
      return orrery_next_done ();
    reading = orrery_receiver_read (receiver);
    if (reading == ORRERY_READING_NONE)
      continue;
    printf ("[Controller] %s ", sensors[i].name);
    sensors[i].print (receiver);
    printf (reading == ORRERY_READING_FRESH ? " FRESH -> action required\n" : " STALE\n");
  }
  fflush (stdout);
  return orrery_next_sleep_seconds (5.0);
}

static const OrreryLoopFuncs loops[] = {
  { "sense", sense, begin_sense, NULL },
  { "control", control, NULL, NULL },
};

/* --- the hybrid --- */

static gboolean
print_message (OrreryHybrid *hybrid, const char *text, gpointer data)
{
  printf ("[World] %s\n", text);
  fflush (stdout);
  return TRUE;
}

static gboolean
add_loops (OrreryHybrid *hybrid, GError **error)
{
  OrreryChannel *channels[G_N_ELEMENTS (sensors)];
  OrreryLoop *loop;

  for (guint i = 0; i < G_N_ELEMENTS (sensors); i++) {
    /* A local hybrid has no shared memory. */
    OrreryTransport transport =
        orrery_hybrid_is_local (hybrid) ? ORRERY_TRANSPORT_QUEUE : sensors[i].transport;

    channels[i] = orrery_hybrid_add_channel (hybrid, sensors[i].name, transport, error);
    if (channels[i] == NULL)
      return FALSE;
    loop =
        orrery_hybrid_add_background (hybrid, sensors[i].name, &loops[0], g_variant_new_uint32 (i));
    orrery_loop_add_emitter (loop, channels[i]);
  }
  loop = orrery_hybrid_add_loop (hybrid, "controller", &loops[1], NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sensors); i++)
    orrery_loop_add_receiver (loop, channels[i]);
  return TRUE;
}

int
main (int argc, char **argv)
{
  const char *parallelism = argc > 1 ? argv[1] : "multiprocess";
  double rate = argc > 2 ? g_ascii_strtod (argv[2], NULL) : 1.0;
  g_autoptr (OrreryClock) clock = NULL;
  g_autoptr (OrreryHybrid) hybrid = NULL;
  g_autoptr (GError) error = NULL;
  int code, number;

  /* A background process is this program again. */
  if (orrery_loop_main (argc, argv, loops, G_N_ELEMENTS (loops), &code))
    return code;
  clock = ORRERY_CLOCK (orrery_wall_clock_new (rate));
  hybrid = orrery_hybrid_new (clock, parallelism, &error);
  if (hybrid != NULL)
    g_signal_connect (hybrid, "message", G_CALLBACK (print_message), NULL);
  if (hybrid == NULL || !add_loops (hybrid, &error) ||
      !orrery_hybrid_run_until_signal (hybrid, &number, &error)) {
    fprintf (stderr, "hybrid_loop: %s\n", error->message);
    return 1;
  }
  return 0;
}
