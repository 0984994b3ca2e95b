/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <math.h>

typedef struct {
  double ramp; /* steps so far */
  OrreryVec3 v;
  OrreryEuler turn;
  OrreryArray ranges;
  OrreryPoints cloud;
  OrreryText label;
  gint64 count;
  double far;
} MixedData;

static const OrreryField fields[] = {
  ORRERY_FIELD (MixedData, ramp, "", "Number of the step, from 0"),
  ORRERY_FIELD (MixedData, v, "m", "1, 2, 3"),
  ORRERY_FIELD (MixedData, turn, "rad", "0.1, 0.2, 0.3"),
  ORRERY_FIELD (MixedData, ranges, "m", "10, 11, 12, 13, infinity"),
  ORRERY_FIELD (MixedData, cloud, "m", "Two points"),
  ORRERY_FIELD (MixedData, label, "", "Number of the step"),
  ORRERY_FIELD (MixedData, count, "", "Number of the step"),
  ORRERY_FIELD (MixedData, far, "m", "Infinity"),
};

/* A sensor with a field of each kind that noise may be told to work on, or must not. */
G_DECLARE_FINAL_TYPE (TrialMixed, trial_mixed, TRIAL, MIXED, OrrerySensor)
struct _TrialMixed {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (TrialMixed, trial_mixed, ORRERY_TYPE_SENSOR)

static void
trial_mixed_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  static const double ranges[] = { 10, 11, 12, 13, INFINITY };
  static const double cloud[] = { 1, 2, 3, 4, 5, 6 };
  MixedData *out = orrery_record_data (record);
  guint64 n = orrery_tick_get_number (tick);
  char label[32];

  out->ramp = (double) n;
  out->v = (OrreryVec3){ 1, 2, 3 };
  out->turn = (OrreryEuler){ 0.1, 0.2, 0.3 };
  orrery_array_set (&out->ranges, ranges, G_N_ELEMENTS (ranges));
  orrery_points_set (&out->cloud, cloud, G_N_ELEMENTS (cloud) / 3);
  g_snprintf (label, sizeof label, "%" G_GUINT64_FORMAT, n);
  orrery_text_set (&out->label, label);
  out->count = (gint64) n;
  out->far = INFINITY;
}

static void
trial_mixed_class_init (TrialMixedClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = trial_mixed_sense;
  ORRERY_CLASS_SET_DATA (klass, MixedData, fields);
}

static void
trial_mixed_init (TrialMixed *self)
{
}

ORRERY_PLUGIN ("Fields of all kinds for tests", "BSD-3-Clause",
               ORRERY_CLASS (Mixed, TrialMixed, trial_mixed))
