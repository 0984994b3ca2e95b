/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensors and modifiers that show who runs them, when, and with whom. */
#include <orrery.h>

typedef struct {
  double x;
} ProbeData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ProbeData, x, "", "What it found"),
};

/* Each class of its own type, with one function. */
#define SENSOR(Name, name)                                                                         \
  G_DECLARE_FINAL_TYPE (Probe##Name, probe_##name, PROBE, NAME_##Name, OrrerySensor)               \
  struct _Probe##Name {                                                                            \
    OrrerySensor parent_instance;                                                                  \
    guint64 n;                                                                                     \
  };                                                                                               \
  G_DEFINE_FINAL_TYPE (Probe##Name, probe_##name, ORRERY_TYPE_SENSOR)                              \
  static void probe_##name##_sense (OrrerySensor *, OrreryTick *, OrreryRecord *, GError **);      \
  static void probe_##name##_class_init (Probe##Name##Class *klass)                                \
  {                                                                                                \
    ORRERY_SENSOR_CLASS (klass)->sense = probe_##name##_sense;                                     \
    ORRERY_CLASS_SET_DATA (klass, ProbeData, fields);                                              \
  }                                                                                                \
  static void probe_##name##_init (Probe##Name *self)                                              \
  {                                                                                                \
  }

/* --- Meeting: goes on once two of them are there at the same time; takes its time then, since who
 * is quick is not worth another thread --- */

SENSOR (Meeting, meeting)

static gint n_there;

static void
probe_meeting_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  gint64 begin = g_get_monotonic_time ();
  gint64 end = begin + 60 * G_USEC_PER_SEC;
  gint expected = 2 * (gint)++((ProbeMeeting *) sensor)->n;

  g_atomic_int_inc (&n_there);
  while (g_atomic_int_get (&n_there) < expected && g_get_monotonic_time () < end)
    g_thread_yield ();
  ((ProbeData *) orrery_record_data (record))->x = g_atomic_int_get (&n_there) >= expected;
  while (g_get_monotonic_time () < begin + 100)
    g_thread_yield ();
}

/* --- Racer: says that it is thread-safe and is not; it shows who came first --- */

G_DECLARE_FINAL_TYPE (ProbeRacer, probe_racer, PROBE, RACER, OrrerySensor)
struct _ProbeRacer {
  OrrerySensor parent_instance;
  gint64 rank; /* waits until so many came before it; -1: waits for nobody */
};
G_DEFINE_FINAL_TYPE (ProbeRacer, probe_racer, ORRERY_TYPE_SENSOR)

enum { PROP_RANK = 1 };

static gint n_racers;

static void
probe_racer_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  gint64 end = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  gint64 rank = ((ProbeRacer *) sensor)->rank;

  while (rank >= 0 && g_atomic_int_get (&n_racers) < rank && g_get_monotonic_time () < end)
    g_thread_yield ();
  ((ProbeData *) orrery_record_data (record))->x = g_atomic_int_add (&n_racers, 1);
}

static void
probe_racer_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ((ProbeRacer *) object)->rank = g_value_get_int64 (value);
}

static void
probe_racer_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int64 (value, ((ProbeRacer *) object)->rank);
}

static void
probe_racer_class_init (ProbeRacerClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_racer_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_racer_get_property;
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_RANK,
                                   g_param_spec_int64 ("rank", "rank", "Whom it waits for", -1,
                                                       G_MAXINT32, -1, G_PARAM_READWRITE));
  ORRERY_SENSOR_CLASS (klass)->sense = probe_racer_sense;
  ORRERY_CLASS_SET_DATA (klass, ProbeData, fields);
}

static void
probe_racer_init (ProbeRacer *self)
{
  self->rank = -1;
  g_atomic_int_set (&n_racers, 0);
}

/* --- Turn: which one it is of those that are not thread-safe --- */

SENSOR (Turn, turn)

static void
probe_turn_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  static guint64 number = G_MAXUINT64;
  static guint n;

  if (number != orrery_tick_get_number (tick))
    n = 0;
  number = orrery_tick_get_number (tick);
  ((ProbeData *) orrery_record_data (record))->x = n++;
}

/* --- Moody: fails, holds back, or senses; a long sum each time --- */

SENSOR (Moody, moody)

static void
probe_moody_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  ProbeMoody *self = (ProbeMoody *) sensor;
  double sum = 0;

  for (guint i = 1; i < 3000 * (1 + self->n % 7); i++)
    sum += 1.0 / (i * i + self->n);
  ((ProbeData *) orrery_record_data (record))->x = sum;
  self->n++;
  if (self->n % 11 == 3)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "in a mood at step %d", (int) self->n);
  else if (self->n % 5 == 2)
    orrery_record_hold (record);
}

/* --- modifiers: Add is thread-safe, Mark is not and counts --- */

G_DECLARE_FINAL_TYPE (ProbeAdd, probe_add, PROBE, ADD, OrreryModifier)
struct _ProbeAdd {
  OrreryModifier parent_instance;
  double *x;
};
G_DEFINE_FINAL_TYPE (ProbeAdd, probe_add, ORRERY_TYPE_MODIFIER)

static void
probe_add_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRecord *record = orrery_component_get_record (orrery_setup_get_component (setup));

  ((ProbeAdd *) part)->x = orrery_record_find_double (record, "x");
}

static void
probe_add_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  *((ProbeAdd *) modifier)->x += 0.125;
}

static void
probe_add_class_init (ProbeAddClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_add_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_add_modify;
}

static void
probe_add_init (ProbeAdd *self)
{
}

G_DECLARE_FINAL_TYPE (ProbeMark, probe_mark, PROBE, MARK, OrreryModifier)
struct _ProbeMark {
  OrreryModifier parent_instance;
  double *x;
};
G_DEFINE_FINAL_TYPE (ProbeMark, probe_mark, ORRERY_TYPE_MODIFIER)

static void
probe_mark_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRecord *record = orrery_component_get_record (orrery_setup_get_component (setup));

  ((ProbeMark *) part)->x = orrery_record_find_double (record, "x");
}

static void
probe_mark_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  static guint64 number = G_MAXUINT64;
  static guint n;

  if (number != orrery_tick_get_number (tick))
    n = 0;
  number = orrery_tick_get_number (tick);
  *((ProbeMark *) modifier)->x *= 2;
  *((ProbeMark *) modifier)->x += 1000 * n++;
}

static void
probe_mark_class_init (ProbeMarkClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_mark_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_mark_modify;
}

static void
probe_mark_init (ProbeMark *self)
{
}

ORRERY_PLUGIN ("Shows who senses on which thread", "BSD-3-Clause",
               ORRERY_CLASS (Meeting, ProbeMeeting, probe_meeting, .thread_safe = TRUE),
               ORRERY_CLASS (Racer, ProbeRacer, probe_racer, .thread_safe = TRUE),
               ORRERY_CLASS (Turn, ProbeTurn, probe_turn),
               ORRERY_CLASS (Moody, ProbeMoody, probe_moody, .thread_safe = TRUE),
               ORRERY_CLASS (Add, ProbeAdd, probe_add, .thread_safe = TRUE),
               ORRERY_CLASS (Mark, ProbeMark, probe_mark))
