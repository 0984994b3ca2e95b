/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the objects that are near. */
#include <orrery.h>

#include <math.h>

/* What MORSE gives to every robot. */
#define ROBOT_TAG "Robot_Tag"

typedef struct {
  GVariant *near_objects;
  GVariant *near_robots;
} ProximityData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ProximityData, near_objects, "m",
                "Distance from the robot to each tracked object in range, by its name"),
  ORRERY_FIELD (ProximityData, near_robots, "m", "The same again, under MORSE's older name"),
};

/*
 * Who is near: objects with the tracked property, whatever its value, no farther from the robot
 * than Range, origin to origin. A robot has the property Robot_Tag without saying so, as each has
 * in MORSE, unless another node moves it (External_Robot_Tag); the own robot is not counted.
 */
typedef struct {
  OrrerySensor parent_instance;
  double range;
  char *track;

  OrreryWorld *world;
  guint robot;        /* index of the own one */
  gboolean *is_robot; /* by object */
  guint n_objects;
} OrreryProximity;
ORRERY_DEFINE_CLASS (OrreryProximity, orrery_proximity, OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (OrreryProximity, range, "Range", 0, G_MAXDOUBLE, 100,
                          "How far it sees, m"),
  ORRERY_PROPERTY_STRING (OrreryProximity, track, "Track", ROBOT_TAG,
                          "Property that objects must have to be seen"),
};

/* --- services --- */

static void
set_range (OrreryPart *part, OrreryCall *call, GError **error)
{
  double range = orrery_call_get_double (call, 0);

  if (!(range >= 0 && isfinite (range))) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a range is 0 m or more, not %g", range);
    return;
  }
  ((OrreryProximity *) part)->range = range;
  orrery_call_return (call, NULL);
}

static void
set_tracked_tag (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_free (((OrreryProximity *) part)->track);
  ((OrreryProximity *) part)->track = g_strdup (orrery_call_get_text (call, 0));
  orrery_call_return (call, NULL);
}

static const OrreryService services[] = {
  { "set_range", set_range, ORRERY_SERVICE_IMMEDIATE, "range:d", "Sets how far it sees, m" },
  { "set_tracked_tag", set_tracked_tag, ORRERY_SERVICE_IMMEDIATE, "tag:s",
    "Sets the property that objects must have to be seen" },
};

/* --- who is near --- */

/* Of the objects that are new since the last look, too. */
static void
look_again (OrreryProximity *self)
{
  guint n = orrery_world_get_n_objects (self->world);

  self->is_robot = g_renew (gboolean, self->is_robot, n);
  for (guint i = self->n_objects; i < n; i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);

    self->is_robot[i] = orrery_object_get_parent (object) == NULL &&
                        orrery_object_is_robot (object) &&
                        !orrery_object_is_set (object, "External_Robot_Tag");
  }
  self->n_objects = n;
}

static void
set_map (GVariant **field, GVariant *map)
{
  g_clear_pointer (field, g_variant_unref);
  *field = g_variant_ref (map);
}

static void
show (ProximityData *out, GVariant *floating)
{
  g_autoptr (GVariant) map = g_variant_ref_sink (floating);

  set_map (&out->near_objects, map);
  set_map (&out->near_robots, map);
}

static gboolean
is_tracked (OrreryProximity *self, guint index)
{
  if (index == self->robot ||
      !orrery_object_is_present (orrery_world_get_object (self->world, index)))
    return FALSE;
  return (self->is_robot[index] && g_str_equal (self->track, ROBOT_TAG)) ||
         orrery_object_get_value (orrery_world_get_object (self->world, index), self->track) !=
             NULL;
}

static void
orrery_proximity_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                        GError **error)
{
  OrreryProximity *self = (OrreryProximity *) sensor;
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  const OrreryVec3 *here = &orrery_snapshot_get_pose (snapshot, self->robot)->position;
  guint n = orrery_world_get_n_objects (self->world);
  GVariantBuilder map;

  if (self->n_objects != n)
    look_again (self);
  g_variant_builder_init (&map, G_VARIANT_TYPE ("a{sd}"));
  for (guint i = 0; i < n; i++) {
    const OrreryVec3 *there = &orrery_snapshot_get_pose (snapshot, i)->position;
    double distance = orrery_vec3_distance (there, here);

    if (distance <= self->range && is_tracked (self, i))
      g_variant_builder_add (&map, "{sd}",
                             orrery_object_get_name (orrery_world_get_object (self->world, i)),
                             distance);
  }
  show (orrery_record_data (record), g_variant_builder_end (&map));
}

static void
orrery_proximity_limit (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  limits->low = 0;
}

static void
orrery_proximity_follow (OrrerySensor *sensor, OrreryRecord *record, const OrreryField *field)
{
  ProximityData *out = orrery_record_data (record);

  if (field->offset == offsetof (ProximityData, near_objects))
    set_map (&out->near_robots, out->near_objects);
  else
    set_map (&out->near_objects, out->near_robots);
}

/* --- set-up --- */

static void
orrery_proximity_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryProximity *self = (OrreryProximity *) part;
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));

  g_set_object (&self->world, orrery_setup_get_world (setup));
  self->robot = orrery_object_get_index (robot != NULL ? orrery_component_get_object (robot)
                                                       : orrery_setup_get_object (setup));
  self->n_objects = 0;
  look_again (self);
  show (orrery_record_data (orrery_setup_get_record (setup)),
        g_variant_new_array (G_VARIANT_TYPE ("{sd}"), NULL, 0));
}

static GVariant *
orrery_proximity_save (OrreryPart *part)
{
  return g_variant_new ("(ds)", ((OrreryProximity *) part)->range,
                        ((OrreryProximity *) part)->track);
}

static void
orrery_proximity_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryProximity *self = (OrreryProximity *) part;

  g_clear_pointer (&self->track, g_free);
  g_variant_get (state, "(ds)", &self->range, &self->track);
}

static void
orrery_proximity_class_init (OrreryProximityClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  part_class->setup = orrery_proximity_setup;
  part_class->save = orrery_proximity_save;
  part_class->restore = orrery_proximity_restore;
  part_class->state_type = "(ds)";
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_proximity_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_proximity_limit;
  ORRERY_SENSOR_CLASS (klass)->follow = orrery_proximity_follow;
  ORRERY_CLASS_SET_DATA (klass, ProximityData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryProximity, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryProximity, is_robot, g_free);
}

ORRERY_PLUGIN ("Who is near", "BSD-3-Clause",
               ORRERY_CLASS (Proximity, OrreryProximity, orrery_proximity, .frequency = 12))
