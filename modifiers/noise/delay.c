/* SPDX-License-Identifier: BSD-3-Clause */
/* Delay: what a sensor measures is seen later. */
#include "noise.h"

#include <math.h>

#define LONGEST_DELAY 60.0
/* Hz; robots and what is faster than the simulation run every tick, and have no frequency to ask.
 */
#define HIGHEST_FREQUENCY 10000.0

/* What was measured, and when it may be seen. */
typedef struct {
  OrreryRecord *record;
  OrreryTime due; /* since the start of the run */
} Entry;

/*
 * Records that come later: each is passed on once, with its own timestamp, in the first tick in
 * which it is at least `delay` old, whether the sensor steps in that tick or not. With `jitter`
 * each takes up to so much longer, but none overtakes another. With `field` only these fields are
 * late: in each step of the sensor they show the newest that is old enough, and the first until
 * there is one.
 */
typedef struct {
  OrreryNoise parent_instance;
  Entry *ring;
  guint size;
  guint first, n; /* those that wait; with `field` also the one that is shown */
} OrreryDelay;
typedef OrreryNoiseClass OrreryDelayClass;
ORRERY_DEFINE_FINAL_TYPE (OrreryDelay, orrery_delay, orrery_noise_get_type ())

enum { DELAY_DELAY, DELAY_JITTER };

static const OrreryProperty delay_options[] = {
  NOISE_OPTION (DELAY_DELAY, "delay", 0, LONGEST_DELAY, 0, "How late it comes, s",
                .flags = ORRERY_PROPERTY_AT_START),
  NOISE_OPTION (DELAY_JITTER, "jitter", 0, LONGEST_DELAY, 0, "How much later at most, s",
                .flags = ORRERY_PROPERTY_AT_START),
};

static Entry *
get_entry (OrreryDelay *self, guint i)
{
  return &self->ring[(self->first + i) % self->size];
}

static void
drop_first (OrreryDelay *self)
{
  self->first = (self->first + 1) % self->size;
  self->n--;
}

static void
clear_ring (OrreryDelay *self)
{
  for (guint i = 0; i < self->size; i++)
    orrery_record_unref (self->ring[i].record);
  g_clear_pointer (&self->ring, g_free);
  self->size = self->first = self->n = 0;
}

/* What a field only refers to is not kept with the record: it would be that of now. */
static gboolean
check_own (OrreryRecord *record, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    if (field->type == ORRERY_FIELD_RECORD)
      return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                               "the field '%s' is the record of that sensor: delay that one",
                               field->name);
  }
  return TRUE;
}

static void
orrery_delay_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryDelay *self = (OrreryDelay *) part;
  OrreryNoise *noise = ORRERY_NOISE (part);
  double longest = noise->options[DELAY_DELAY] + noise->options[DELAY_JITTER];
  OrreryComponent *component = orrery_setup_get_component (setup);
  double frequency = orrery_component_get_frequency (component);

  /* An actuator's modifiers run when a message comes: the last one would never be seen. */
  if (!ORRERY_IS_SENSOR (component)) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s works with sensors only",
                      orrery_part_get_classpath (part));
    return;
  }
  if (!orrery_noise_setup (noise, setup, error) || !check_own (noise->record, error))
    return;
  clear_ring (self);
  self->size = (guint) ceil (longest * fmin (frequency, HIGHEST_FREQUENCY)) + 2;
  self->ring = g_new0 (Entry, self->size);
  for (guint i = 0; i < self->size; i++)
    self->ring[i].record = orrery_record_new (orrery_record_get_schema (noise->record));
}

static void
push (OrreryDelay *self, OrreryTick *tick, OrreryTime now)
{
  OrreryNoise *noise = ORRERY_NOISE (self);
  double delay = noise->options[DELAY_DELAY];
  Entry *entry;

  if (noise->options[DELAY_JITTER] > 0)
    delay += noise->options[DELAY_JITTER] *
             orrery_random_uniform (orrery_part_get_random (ORRERY_PART (self), tick));
  /* One more than fits: the oldest is lost. */
  if (self->n == self->size)
    drop_first (self);
  entry = get_entry (self, self->n++);
  orrery_record_copy (entry->record, noise->record);
  entry->due = now + orrery_time_from_seconds (delay);
  if (self->n > 1)
    entry->due = MAX (entry->due, get_entry (self, self->n - 2)->due);
}

/* The selected numbers of a record, at the places of another of the same schema. */
static void
copy_values (OrreryNoise *noise, OrreryRecord *from)
{
  char *to_data = orrery_record_data (noise->record);
  char *from_data = orrery_record_data (from);

  for (guint i = 0; i < noise->selection.n_values; i++) {
    double *value = noise->selection.values[i];

    *value = *(double *) (gpointer) (from_data + ((char *) value - to_data));
  }
}

/* Writes into the record what is due, if anything is. */
static gboolean
take_due (OrreryDelay *self, OrreryTime now)
{
  if (self->n == 0 || get_entry (self, 0)->due > now)
    return FALSE;
  orrery_record_copy (ORRERY_NOISE (self)->record, get_entry (self, 0)->record);
  drop_first (self);
  return TRUE;
}

static OrreryTime
get_now (OrreryTick *tick)
{
  return orrery_tick_get_time (tick) - orrery_tick_get_start (tick);
}

static gboolean
orrery_delay_release (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  if (ORRERY_NOISE (modifier)->selection.n_values > 0)
    return FALSE;
  return take_due ((OrreryDelay *) modifier, get_now (tick));
}

static void
orrery_delay_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryDelay *self = (OrreryDelay *) modifier;
  OrreryNoise *noise = ORRERY_NOISE (modifier);
  OrreryTime now = get_now (tick);

  push (self, tick, now);
  if (noise->selection.n_values == 0) {
    if (!take_due (self, now))
      orrery_record_hold (noise->record);
    return;
  }
  while (self->n > 1 && get_entry (self, 1)->due <= now)
    drop_first (self);
  copy_values (noise, get_entry (self, 0)->record);
}

/* --- state --- */

#define STATE "a(xay)"

static GVariant *
orrery_delay_save (OrreryPart *part)
{
  OrreryDelay *self = (OrreryDelay *) part;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE (STATE));
  for (guint i = 0; i < self->n; i++) {
    Entry *entry = get_entry (self, i);

    g_variant_builder_add (&builder, "(x@ay)", entry->due, orrery_record_save (entry->record));
  }
  return g_variant_builder_end (&builder);
}

static void
orrery_delay_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryDelay *self = (OrreryDelay *) part;
  gsize n = g_variant_n_children (state);

  if (n > self->size) {
    orrery_part_refuse_state (part, error);
    return;
  }
  self->first = self->n = 0;
  while (self->n < n) {
    g_autoptr (GVariant) record = NULL;
    Entry *entry = &self->ring[self->n];

    g_variant_get_child (state, self->n++, "(x@ay)", &entry->due, &record);
    if (!orrery_record_restore (entry->record, record, error))
      return;
  }
}

static void
orrery_delay_finalize (GObject *object)
{
  clear_ring ((OrreryDelay *) object);
  G_OBJECT_CLASS (orrery_delay_parent_class)->finalize (object);
}

static void
orrery_delay_class_init (OrreryDelayClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_delay_finalize;
  klass->takes_record = TRUE;
  part_class->setup = orrery_delay_setup;
  part_class->save = orrery_delay_save;
  part_class->restore = orrery_delay_restore;
  part_class->state_type = STATE;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_delay_modify;
  ORRERY_MODIFIER_CLASS (klass)->release = orrery_delay_release;
  orrery_noise_class_install (klass, delay_options, G_N_ELEMENTS (delay_options));
}
