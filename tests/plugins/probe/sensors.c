/* SPDX-License-Identifier: BSD-3-Clause */
/* Sensors that show what the host does with them. */
#include <orrery.h>

#include <string.h>
#include <time.h>

/* --- Steps: counts its steps --- */

typedef struct {
  double x;
  gint64 tick;
} StepsData;

static const OrreryField steps_fields[] = {
  ORRERY_FIELD (StepsData, x, "", "Steps so far"),
  ORRERY_FIELD (StepsData, tick, "", "Number of the tick of this one"),
};

G_DECLARE_FINAL_TYPE (ProbeSteps, probe_steps, PROBE, STEPS, OrrerySensor)
struct _ProbeSteps {
  OrrerySensor parent_instance;
  gint64 n_steps;
};
G_DEFINE_FINAL_TYPE (ProbeSteps, probe_steps, ORRERY_TYPE_SENSOR)

static void
probe_steps_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  StepsData *out = orrery_record_data (record);

  out->x = (double) ++PROBE_STEPS (sensor)->n_steps;
  out->tick = (gint64) orrery_tick_get_number (tick);
}

static const OrreryField steps_state[] = { ORRERY_STATE (ProbeSteps, n_steps) };

static void
probe_steps_class_init (ProbeStepsClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = probe_steps_sense;
  ORRERY_CLASS_SET_STATE (klass, ProbeSteps, steps_state);
  ORRERY_CLASS_SET_DATA (klass, StepsData, steps_fields);
}

static void
probe_steps_init (ProbeSteps *self)
{
}

/* --- Burner: takes its time --- */

typedef struct {
  double burned;
} BurnerData;

static const OrreryField burner_fields[] = {
  ORRERY_FIELD (BurnerData, burned, "s", "Wall time that its steps took so far"),
};

G_DECLARE_FINAL_TYPE (ProbeBurner, probe_burner, PROBE, BURNER, OrrerySensor)
struct _ProbeBurner {
  OrrerySensor parent_instance;
  double milliseconds;
  gint64 from;
  gint64 every;
};
G_DEFINE_FINAL_TYPE (ProbeBurner, probe_burner, ORRERY_TYPE_SENSOR)

enum { PROP_MILLISECONDS = 1, PROP_FROM, PROP_EVERY, N_BURNER_PROPERTIES };
static GParamSpec *burner_properties[N_BURNER_PROPERTIES];

static double
read_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static void
probe_burner_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  ProbeBurner *self = PROBE_BURNER (sensor);
  BurnerData *out = orrery_record_data (record);
  double begin = read_clock ();
  double now = begin;
  gint64 number = (gint64) orrery_tick_get_number (tick);

  if (number < self->from || number % self->every != 0)
    return;
  while (now - begin < 1e-3 * self->milliseconds)
    now = read_clock ();
  out->burned += now - begin;
}

static void
probe_burner_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MILLISECONDS)
    PROBE_BURNER (object)->milliseconds = g_value_get_double (value);
  else if (id == PROP_FROM)
    PROBE_BURNER (object)->from = g_value_get_int64 (value);
  else
    PROBE_BURNER (object)->every = g_value_get_int64 (value);
}

static void
probe_burner_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MILLISECONDS)
    g_value_set_double (value, PROBE_BURNER (object)->milliseconds);
  else if (id == PROP_FROM)
    g_value_set_int64 (value, PROBE_BURNER (object)->from);
  else
    g_value_set_int64 (value, PROBE_BURNER (object)->every);
}

static void
probe_burner_class_init (ProbeBurnerClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_burner_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_burner_get_property;
  burner_properties[PROP_MILLISECONDS] =
      g_param_spec_double ("milliseconds", "milliseconds", "What a step takes, ms", 0, 1e4, 0,
                           G_PARAM_READWRITE);
  burner_properties[PROP_FROM] = g_param_spec_int64 ("from", "from", "The first tick that burns", 0,
                                                     G_MAXINT64, 0, G_PARAM_READWRITE);
  burner_properties[PROP_EVERY] =
      g_param_spec_int64 ("every", "every", "Only ticks burn whose number this divides", 1,
                          G_MAXINT64, 1, G_PARAM_READWRITE | G_PARAM_CONSTRUCT);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_BURNER_PROPERTIES,
                                     burner_properties);
  ORRERY_SENSOR_CLASS (klass)->sense = probe_burner_sense;
  ORRERY_CLASS_SET_DATA (klass, BurnerData, burner_fields);
}

static void
probe_burner_init (ProbeBurner *self)
{
}

/* --- Mirror: shows field x of another sensor; by the rule, or by stealth --- */

typedef struct {
  double x;
} MirrorData;

static const OrreryField mirror_fields[] = {
  ORRERY_FIELD (MirrorData, x, "", "x of the other"),
};

G_DECLARE_FINAL_TYPE (ProbeMirror, probe_mirror, PROBE, MIRROR, OrrerySensor)
struct _ProbeMirror {
  OrrerySensor parent_instance;
  char *target;
  gboolean declared;
  const double *x; /* borrowed from the other's record; NULL: it has none */
};
G_DEFINE_FINAL_TYPE (ProbeMirror, probe_mirror, ORRERY_TYPE_SENSOR)

enum { PROP_TARGET = 1, PROP_DECLARED, N_MIRROR_PROPERTIES };
static GParamSpec *mirror_properties[N_MIRROR_PROPERTIES];

static void
probe_mirror_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ProbeMirror *self = PROBE_MIRROR (part);
  OrreryComponent *other =
      self->target != NULL ? orrery_setup_find_component (setup, self->target) : NULL;

  if (other == NULL) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "no component '%s' to mirror",
                 self->target);
    return;
  }
  if (self->declared)
    orrery_setup_add_source (setup, other);
  self->x = orrery_record_find_double (orrery_component_get_record (other), "x");
}

static void
probe_mirror_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  const double *x = PROBE_MIRROR (sensor)->x;

  ((MirrorData *) orrery_record_data (record))->x = x != NULL ? *x : 0;
}

static void
probe_mirror_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ProbeMirror *self = PROBE_MIRROR (object);

  if (id == PROP_DECLARED) {
    self->declared = g_value_get_boolean (value);
    return;
  }
  g_free (self->target);
  self->target = g_value_dup_string (value);
}

static void
probe_mirror_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_DECLARED)
    g_value_set_boolean (value, PROBE_MIRROR (object)->declared);
  else
    g_value_set_string (value, PROBE_MIRROR (object)->target);
}

static void
probe_mirror_finalize (GObject *object)
{
  g_free (PROBE_MIRROR (object)->target);
  G_OBJECT_CLASS (probe_mirror_parent_class)->finalize (object);
}

static void
probe_mirror_class_init (ProbeMirrorClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_mirror_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_mirror_get_property;
  G_OBJECT_CLASS (klass)->finalize = probe_mirror_finalize;
  mirror_properties[PROP_TARGET] =
      g_param_spec_string ("target", "target", "Whom it shows", "", G_PARAM_READWRITE);
  mirror_properties[PROP_DECLARED] =
      g_param_spec_boolean ("declared", "declared", "Whether it says so", TRUE, G_PARAM_READWRITE);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_MIRROR_PROPERTIES,
                                     mirror_properties);
  ORRERY_PART_CLASS (klass)->setup = probe_mirror_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = probe_mirror_sense;
  ORRERY_CLASS_SET_DATA (klass, MirrorData, mirror_fields);
}

static void
probe_mirror_init (ProbeMirror *self)
{
  self->declared = TRUE;
}

/* --- Holder: has something to say every third tick; it fails in tick 10 --- */

static const OrreryField holder_fields[] = {
  ORRERY_FIELD (MirrorData, x, "", "Number of the tick"),
};

G_DECLARE_FINAL_TYPE (ProbeHolder, probe_holder, PROBE, HOLDER, OrrerySensor)
struct _ProbeHolder {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbeHolder, probe_holder, ORRERY_TYPE_SENSOR)

static void
probe_holder_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  guint64 number = orrery_tick_get_number (tick);

  if (number == 10 || number == 11)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "the lens is dirty");
  else if (number % 3 != 0)
    orrery_record_hold (record);
  else
    ((MirrorData *) orrery_record_data (record))->x = (double) number;
}

static void
probe_holder_class_init (ProbeHolderClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = probe_holder_sense;
  ORRERY_CLASS_SET_DATA (klass, MirrorData, holder_fields);
  orrery_component_class_set_morse_order (ORRERY_COMPONENT_CLASS (klass), ORRERY_MORSE_ORDER_TOUCH);
}

static void
probe_holder_init (ProbeHolder *self)
{
}

/* --- Taker: has an outside of its own --- */

typedef struct {
  OrreryText first, second;
} TakerData;

static const OrreryField taker_fields[] = {
  ORRERY_FIELD (TakerData, first, "", "What it took at first in its last step"),
  ORRERY_FIELD (TakerData, second, "", "What it took then"),
};

typedef struct {
  OrrerySensor parent_instance;
  char *first, *second;
  GVariant *weights;
} ProbeTaker;
ORRERY_DEFINE_CLASS (ProbeTaker, probe_taker, OrrerySensor, orrery_sensor)

static const OrreryProperty taker_properties[] = {
  ORRERY_PROPERTY_STRING (ProbeTaker, first, "first", "", "What comes from outside at first"),
  ORRERY_PROPERTY_STRING (ProbeTaker, second, "second", "", "What comes then"),
  ORRERY_PROPERTY_VARIANT (ProbeTaker, weights, "weights", "[<1.0>, <2.0>, <3.0>]", "A list"),
};

static void
take (ProbeTaker *self, OrreryTick *tick, const char *text, OrreryText *field)
{
  g_autofree char *copy = NULL;
  const guint8 *taken;
  gsize size = 99;

  taken = orrery_part_take_input (ORRERY_PART (self), tick, (const guint8 *) text, strlen (text),
                                  &size);
  g_assert_true ((taken == NULL) == (size == 0));
  copy = g_strndup ((const char *) taken, size);
  orrery_text_set (field, copy);
}

static void
probe_taker_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  ProbeTaker *self = (ProbeTaker *) sensor;
  TakerData *out = orrery_record_data (record);

  take (self, tick, self->first, &out->first);
  take (self, tick, self->second, &out->second);
}

static void
probe_taker_class_init (ProbeTakerClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = probe_taker_sense;
  ORRERY_CLASS_SET_PROPERTIES (klass, taker_properties);
  ORRERY_CLASS_SET_DATA (klass, TakerData, taker_fields);
}

ORRERY_PLUGIN ("Sensors that show what the host does", "BSD-3-Clause",
               ORRERY_CLASS (Steps, ProbeSteps, probe_steps),
               ORRERY_CLASS (Burner, ProbeBurner, probe_burner),
               ORRERY_CLASS (Mirror, ProbeMirror, probe_mirror, .thread_safe = TRUE),
               ORRERY_CLASS (Taker, ProbeTaker, probe_taker, .thread_safe = TRUE),
               ORRERY_CLASS (Holder, ProbeHolder, probe_holder))
