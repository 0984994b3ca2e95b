/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

typedef struct {
  OrreryQuat orientation;
} TurnedData;

static const OrreryField fields[] = {
  ORRERY_FIELD (TurnedData, orientation, "", "No rotation"),
};

/* A sensor with a field that no component of ours has yet: a quaternion. */
G_DECLARE_FINAL_TYPE (TrialTurned, trial_turned, TRIAL, TURNED, OrrerySensor)
struct _TrialTurned {
  OrrerySensor parent_instance;
};
G_DEFINE_FINAL_TYPE (TrialTurned, trial_turned, ORRERY_TYPE_SENSOR)

static void
trial_turned_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  orrery_quat_identity (&((TurnedData *) orrery_record_data (record))->orientation);
}

static void
trial_turned_class_init (TrialTurnedClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = trial_turned_sense;
  ORRERY_CLASS_SET_DATA (klass, TurnedData, fields);
}

static void
trial_turned_init (TrialTurned *self)
{
}

ORRERY_PLUGIN ("A quaternion for tests", "BSD-3-Clause",
               ORRERY_CLASS (Turned, TrialTurned, trial_turned))
