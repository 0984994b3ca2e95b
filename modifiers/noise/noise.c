/* SPDX-License-Identifier: BSD-3-Clause */
/* What the modifiers for noise share: selection of fields, options, state. */
#include "noise.h"

#include <math.h>
#include <string.h>

/* Of any record, and in part of any field: what sensors do wrong. */
ORRERY_DEFINE_ABSTRACT_TYPE (OrreryNoise, orrery_noise, ORRERY_TYPE_MODIFIER)

/* --- set-up --- */

/* Most sensors have nothing to say of their fields: then a step does not ask. */
static OrrerySensor *
find_sensor (OrreryComponent *component)
{
  OrrerySensorClass *klass =
      ORRERY_IS_SENSOR (component) ? ORRERY_SENSOR_GET_CLASS (component) : NULL;

  return klass != NULL && (klass->limit != NULL || klass->follow != NULL)
             ? ORRERY_SENSOR (component)
             : NULL;
}

gboolean
orrery_noise_setup (OrreryNoise *self, OrrerySetup *setup, GError **error)
{
  OrreryNoiseClass *klass = ORRERY_NOISE_GET_CLASS (self);
  guint n;

  self->record = orrery_setup_get_record (setup);
  self->sensor = find_sensor (orrery_setup_get_component (setup));
  selection_clear (&self->selection);
  g_clear_pointer (&self->before, g_free);
  g_clear_pointer (&self->table, g_free);
  if ((!klass->takes_record || *self->field != '\0') &&
      !selection_find (&self->selection, self->record, self->sensor, self->field, klass->kinds,
                       error))
    return FALSE;
  if (self->sensor != NULL)
    self->before = g_new0 (double, self->selection.n_values);
  n = (self->selection.n_values + self->selection.n_targets) * klass->n_each;
  g_free (self->state);
  self->n_state = n + klass->n_more;
  self->state = g_new0 (double, self->n_state);
  self->started = FALSE;
  return TRUE;
}

static void
orrery_noise_part_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  orrery_noise_setup (ORRERY_NOISE (part), setup, error);
}

double
orrery_noise_begin (OrreryNoise *self, OrreryTick *tick)
{
  gint64 number = (gint64) orrery_tick_get_number (tick);
  double dt = self->started ? (double) (number - self->tick) * orrery_tick_get_dt (tick) : 0;

  self->started = TRUE;
  self->tick = number;
  return dt;
}

double
orrery_noise_get_elapsed (OrreryTick *tick)
{
  return orrery_time_to_seconds (orrery_tick_get_time (tick) - orrery_tick_get_start (tick));
}

double *
orrery_noise_get_more (OrreryNoise *self)
{
  return self->state + self->n_state - ORRERY_NOISE_GET_CLASS (self)->n_more;
}

/* --- limits, and what hangs on a field --- */

void
orrery_noise_get_limits (OrreryNoise *self, const OrreryField *field, OrreryFieldLimits *limits)
{
  if (self->sensor != NULL)
    orrery_sensor_get_limits (self->sensor, field, limits);
  else
    *limits = (OrreryFieldLimits){ -INFINITY, INFINITY, NAN, FALSE };
}

const OrreryField *
orrery_noise_get_field (OrreryNoise *self, guint index)
{
  const Selection *selection = &self->selection;

  return index < selection->n_values ? selection->fields[index]
                                     : selection->targets[index - selection->n_values].field;
}

void
orrery_noise_follow (OrreryNoise *self, const OrreryField *field)
{
  if (self->sensor != NULL)
    orrery_sensor_follow_field (self->sensor, field);
}

/* What is farther than a sensor sees is not seen. A value that was not changed stays. */
static void
keep_limits (OrreryNoise *self, const OrreryFieldLimits *limits, const double *before,
             double *values, gsize n)
{
  OrreryNoiseClass *klass = ORRERY_NOISE_GET_CLASS (self);
  gboolean finds = klass->finds;

  for (gsize i = 0; i < n && !klass->marks; i++) {
    if (values[i] == before[i])
      continue;
    if (before[i] == limits->nothing && !finds)
      values[i] = before[i];
    else if (values[i] > limits->high)
      values[i] = isnan (limits->nothing) ? limits->high : limits->nothing;
    else if (values[i] < limits->low)
      values[i] = limits->low;
  }
}

void
orrery_noise_open (OrreryNoise *self)
{
  selection_open (&self->selection);
  for (guint i = 0; self->sensor != NULL && i < self->selection.n_values; i++)
    self->before[i] = *self->selection.values[i];
}

/* The values of a field lie one after the other. */
static void
close_values (OrreryNoise *self)
{
  const OrreryField **fields = self->selection.fields;

  for (guint i = 0; i < self->selection.n_values; i++) {
    OrreryFieldLimits limits;

    orrery_sensor_get_limits (self->sensor, fields[i], &limits);
    keep_limits (self, &limits, &self->before[i], self->selection.values[i], 1);
  }
  selection_close (&self->selection);
  for (guint i = 0; i < self->selection.n_values; i++)
    if (i + 1 == self->selection.n_values || fields[i + 1] != fields[i])
      orrery_sensor_follow_field (self->sensor, fields[i]);
}

void
orrery_noise_close (OrreryNoise *self)
{
  if (self->sensor != NULL)
    close_values (self);
  else
    selection_close (&self->selection);
}

/* --- many numbers --- */

typedef struct {
  OrreryNoise *self;
  OrreryRandom *random;
  NoiseChange change;
  guint index;
  OrreryFieldLimits limits;
} Change;

static void
change_view (Change *change, const View *view)
{
  OrreryNoise *self = change->self;
  gboolean limited = self->sensor != NULL && !view->is_cloud;
  Block block;

  for (gsize first = 0; first < view->n; first += VIEW_BLOCK) {
    view_take (view, &block, first, MIN (VIEW_BLOCK, view->n - first));
    change->change (self, change->random, change->index, block.values, block.n_values);
    if (limited)
      keep_limits (self, &change->limits, block.before, block.values, block.n_values);
    view_put (view, &block);
  }
}

/* Bytes have so few values that what becomes of each can be known beforehand. */
static void
change_bytes (Change *change, const View *view)
{
  OrreryNoise *self = change->self;

  if (self->table == NULL)
    self->table = g_new0 (Table, 1);
  table_prepare (self->table, ORRERY_NOISE_GET_CLASS (self)->weigh, self->options);
  table_apply (self->table, change->random, view);
}

static void
map_bytes (Change *change, const View *view)
{
  double values[TABLE_SIZE], before[TABLE_SIZE];

  for (guint i = 0; i < TABLE_SIZE; i++)
    values[i] = before[i] = i;
  change->change (change->self, change->random, change->index, values, TABLE_SIZE);
  keep_limits (change->self, &change->limits, before, values, TABLE_SIZE);
  table_map (values, view);
}

/* Draws how many items are passed over until the next one is hit, which is as likely as if each
 * were asked: rare hits of a large picture cost little. */
static void
change_items (Change *change, const View *view)
{
  OrreryNoise *self = change->self;
  NoisePick pick = ORRERY_NOISE_GET_CLASS (self)->pick;
  double most = view_get_most (view);
  double missed = log1p (-self->options[0]); /* -infinity if each is hit */
  double item = -1;

  while (missed < 0) {
    item += 1 + floor (log1p (-orrery_random_uniform (change->random)) / missed);
    if (!(item < (double) view->n))
      break;
    view_set (view, (gsize) item, pick (self, change->random, &change->limits, most));
  }
}

/* A double that stands alone, or lies in containers. */
static GVariant *
change_variant (Change *change, GVariant *value)
{
  GVariantBuilder builder;
  double number;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)) {
    double before = g_variant_get_double (value);

    number = before;
    change->change (change->self, change->random, change->index, &number, 1);
    keep_limits (change->self, &change->limits, &before, &number, 1);
    return g_variant_new_double (number);
  }
  if (!g_variant_is_container (value))
    return value;
  g_variant_builder_init (&builder, g_variant_get_type (value));
  for (gsize i = 0; i < g_variant_n_children (value); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

    g_variant_builder_add_value (&builder, change_variant (change, child));
  }
  return g_variant_builder_end (&builder);
}

static void
change_target (Change *change, Target *target)
{
  OrreryNoise *self = change->self;
  View view;

  orrery_noise_get_limits (self, target->field, &change->limits);
  if (target->variant != NULL && *target->variant != NULL) {
    g_autoptr (GVariant) old = *target->variant;

    *target->variant = g_variant_ref_sink (change_variant (change, old));
  } else if (view_open (&view, target)) {
    OrreryNoiseClass *klass = ORRERY_NOISE_GET_CLASS (self);

    if (klass->pick != NULL && target->field->type != ORRERY_FIELD_ARRAY)
      change_items (change, &view);
    else if (klass->weigh != NULL && view.element == ORRERY_ELEMENT_UINT8 && !view.is_cloud)
      change_bytes (change, &view);
    else if (klass->sure && view.element == ORRERY_ELEMENT_UINT8 && !view.is_cloud)
      map_bytes (change, &view);
    else
      change_view (change, &view);
  }
  orrery_noise_follow (self, target->field);
}

void
orrery_noise_change (OrreryNoise *self, OrreryTick *tick, NoiseChange change)
{
  Change each = { .self = self,
                  .random = orrery_part_get_random (ORRERY_PART (self), tick),
                  .change = change };
  Selection *selection = &self->selection;

  orrery_noise_open (self);
  for (guint i = 0; i < selection->n_values; i++)
    change (self, each.random, i, selection->values[i], 1);
  orrery_noise_close (self);
  for (guint i = 0; i < selection->n_targets; i++) {
    each.index = selection->n_values + i;
    change_target (&each, &selection->targets[i]);
  }
}

/* --- state --- */

static const OrreryField states[] = {
  ORRERY_STATE (OrreryNoise, started),
  ORRERY_STATE (OrreryNoise, tick),
};

static GVariant *
orrery_noise_save (OrreryPart *part)
{
  OrreryNoise *self = ORRERY_NOISE (part);

  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, self->state, self->n_state,
                                    sizeof (double));
}

static void
orrery_noise_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryNoise *self = ORRERY_NOISE (part);
  gsize n;
  gconstpointer values = g_variant_get_fixed_array (state, &n, sizeof (double));

  if (n != self->n_state)
    orrery_part_refuse_state (part, error);
  else if (n > 0)
    memcpy (self->state, values, n * sizeof (double));
}

/* --- the class --- */

void
orrery_noise_class_install (OrreryNoiseClass *klass, const OrreryProperty *properties,
                            guint n_properties)
{
  const OrreryProperty field[] = {
    ORRERY_PROPERTY_STRING (
        OrreryNoise, field, "field", "",
        klass->takes_record ? "Fields, with commas between; empty: the record as a whole"
                            : "Fields, with commas between, or axes of them (velocity.x); empty: "
                              "all numbers of the record",
        .flags = ORRERY_PROPERTY_AT_START),
  };

  ORRERY_CLASS_SET_PROPERTIES (klass, field);
  orrery_part_class_add_properties (ORRERY_PART_CLASS (klass), properties, n_properties, 0);
}

static void
orrery_noise_class_init (OrreryNoiseClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  part_class->setup = orrery_noise_part_setup;
  part_class->save = orrery_noise_save;
  part_class->restore = orrery_noise_restore;
  part_class->state_type = "ad";
  ORRERY_CLASS_SET_STATE (klass, OrreryNoise, states);
  ORRERY_CLASS_OWNS (klass, OrreryNoise, state, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryNoise, before, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryNoise, table, g_free);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryNoise, selection, selection_clear);
}

/* Every component has numbers, or a message to lose. */
#define ANY "orrery.core.component.Component"
#define NOISE_CLASS(Name, prefix)                                                                  \
  {                                                                                                \
    .name = #Name, .type_name = "Orrery" #Name, .get_type = prefix##_get_type,                     \
    .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE, .aliases = ORRERY_ALIASES ({ #Name, ANY })  \
  }

ORRERY_PLUGIN ("What goes wrong in sensors, for any field of any component", "BSD-3-Clause",
               NOISE_CLASS (Bias, orrery_bias), NOISE_CLASS (Delay, orrery_delay),
               NOISE_CLASS (DropOut, orrery_drop_out), NOISE_CLASS (Gaussian, orrery_gaussian),
               NOISE_CLASS (Jitter, orrery_jitter), NOISE_CLASS (Outliers, orrery_outliers),
               NOISE_CLASS (Quantisation, orrery_quantisation),
               NOISE_CLASS (RandomWalk, orrery_random_walk),
               NOISE_CLASS (RateLimit, orrery_rate_limit),
               NOISE_CLASS (SaltAndPepper, orrery_salt_and_pepper),
               NOISE_CLASS (ShotNoise, orrery_shot_noise),
               NOISE_CLASS (StuckValue, orrery_stuck_value),
               NOISE_CLASS (Vignette, orrery_vignette))
