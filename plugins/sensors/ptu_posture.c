/* SPDX-License-Identifier: BSD-3-Clause */
/* The angles of a pan-tilt unit. */
#include <orrery.h>

#include <string.h>

typedef struct {
  double pan;
  double tilt;
} PostureData;

static const OrreryField fields[] = {
  ORRERY_FIELD (PostureData, pan, "rad", "How far the unit is turned to the left"),
  ORRERY_FIELD (PostureData, tilt, "rad", "How far the unit is turned down"),
};

/*
 * The two angles of the pan-tilt unit that carries the sensor: the nearest object above it with a
 * child PanBase, which has a child TiltBase.
 */
typedef struct {
  OrrerySensor parent_instance;
  guint unit, pan, tilt; /* indices of objects */
} OrreryPTUPosture;
ORRERY_DEFINE_CLASS (OrreryPTUPosture, orrery_ptu_posture, OrrerySensor, orrery_sensor)

/* PanBase, or PanBase with a number that a scene gave to the second of its name. */
static OrreryObject *
find_child (OrreryObject *object, const char *name)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    const char *own = orrery_object_get_basename (children->pdata[i]);
    const char *rest = g_str_has_prefix (own, name) ? own + strlen (name) : NULL;

    if (rest != NULL && (*rest == '\0' || *rest == '_'))
      return children->pdata[i];
  }
  return NULL;
}

static void
orrery_ptu_posture_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryPTUPosture *self = (OrreryPTUPosture *) part;
  OrreryObject *object = orrery_object_get_parent (orrery_setup_get_object (setup));

  for (; object != NULL; object = orrery_object_get_parent (object)) {
    OrreryObject *pan = find_child (object, "PanBase");
    OrreryObject *tilt = pan != NULL ? find_child (pan, "TiltBase") : NULL;

    if (tilt == NULL)
      continue;
    self->unit = orrery_object_get_index (object);
    self->pan = orrery_object_get_index (pan);
    self->tilt = orrery_object_get_index (tilt);
    return;
  }
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "%s: it is not on a pan-tilt unit: none of the objects above it has a child "
                    "PanBase with a child TiltBase",
                    orrery_part_get_name (part));
}

static void
orrery_ptu_posture_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
  OrreryPTUPosture *self = (OrreryPTUPosture *) sensor;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  const OrreryTransform *pan_pose = orrery_snapshot_get_pose (snapshot, self->pan);
  PostureData *out = orrery_record_data (record);
  OrreryTransform local;
  double roll, pitch, yaw;

  orrery_transform_relative (orrery_snapshot_get_pose (snapshot, self->unit), pan_pose, &local);
  orrery_quat_to_euler (&local.rotation, &roll, &pitch, &out->pan);
  orrery_transform_relative (pan_pose, orrery_snapshot_get_pose (snapshot, self->tilt), &local);
  orrery_quat_to_euler (&local.rotation, &roll, &out->tilt, &yaw);
}

static void
orrery_ptu_posture_class_init (OrreryPTUPostureClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_ptu_posture_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_ptu_posture_sense;
  ORRERY_CLASS_SET_DATA (klass, PostureData, fields);
}

ORRERY_PLUGIN ("Angles of a pan-tilt unit", "BSD-3-Clause",
               ORRERY_CLASS (PTUPosture, OrreryPTUPosture, orrery_ptu_posture, .thread_safe = TRUE))
