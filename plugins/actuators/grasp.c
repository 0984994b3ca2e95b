/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.actuators.grasp.Grasp: what orrery.actuators.gripper.Gripper is, without its geometry. It
 * takes hold of things with the property Graspable whose collision shapes meet a cone along its own
 * z axis.
 */
#include <orrery.h>

#include <math.h>

typedef struct {
  OrreryBool grab;
} GraspData;

static const OrreryField fields[] = {
  ORRERY_FIELD (GraspData, grab, "", "true takes hold, false lets go"),
};

typedef struct {
  OrreryActuator parent_instance;
  double angle;    /* degrees, of the whole cone */
  double distance; /* m */

  OrreryWorld *world;
  GPtrArray *things;  /* (element-type OrreryObject), in scene order */
  guint n_objects;    /* of the world, that were looked through for them */
  OrreryObject *held; /* borrowed; NULL: nothing */
} OrreryGrasp;
ORRERY_DEFINE_CLASS (OrreryGrasp, orrery_grasp, OrreryActuator, orrery_actuator)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (
      OrreryGrasp, angle, "Angle", 0, 360, 60,
      "Aperture of the cone in which it reaches, degrees; 179.9 counts at most"),
  ORRERY_PROPERTY_DOUBLE (OrreryGrasp, distance, "Distance", 0, 100, 0.5,
                          "Height of that cone, m: how far it reaches"),
};

/* --- things --- */

/* The world may have got more objects since the last time. */
static void
find_things (OrreryGrasp *self)
{
  for (; self->n_objects < orrery_world_get_n_objects (self->world); self->n_objects++) {
    OrreryObject *object = orrery_world_get_object (self->world, self->n_objects);

    if (orrery_object_get_value (object, "Graspable") != NULL &&
        orrery_object_get_parent (object) == NULL &&
        orrery_object_get_body (object)->type != ORRERY_BODY_NONE)
      g_ptr_array_add (self->things, object);
  }
}

/* Of those whose collision shapes meet the cone, the one whose origin is nearest. */
static OrreryObject *
find_nearest (OrreryGrasp *self)
{
  static const OrreryQuat x_to_z = { G_SQRT2 / 2, 0, -G_SQRT2 / 2, 0 };
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  OrreryCone cone = { .pose = *orrery_component_get_pose (ORRERY_COMPONENT (self)),
                      .height = self->distance };
  OrreryObject *nearest = NULL;
  double least = INFINITY;

  find_things (self);
  orrery_cone_set_angle (&cone, self->angle);
  orrery_quat_multiply (&cone.pose.rotation, &x_to_z, &cone.pose.rotation);
  for (guint i = 0; i < self->things->len; i++) {
    OrreryObject *thing = self->things->pdata[i];
    const OrreryTransform *pose =
        orrery_snapshot_get_pose (snapshot, orrery_object_get_index (thing));
    double distance = orrery_vec3_distance (&pose->position, &cone.pose.position);

    if (distance >= least || !orrery_object_is_present (thing) ||
        !orrery_object_is_set (thing, "Graspable") ||
        orrery_cone_get_distance (&cone, thing, pose) > 0)
      continue;
    nearest = thing;
    least = distance;
  }
  return nearest;
}

static void
take_hold (OrreryGrasp *self, OrreryCommands *commands)
{
  OrreryComponent *component = ORRERY_COMPONENT (self);
  OrreryObject *found = self->held == NULL ? find_nearest (self) : NULL;
  OrreryTransform pose;

  if (found == NULL)
    return;
  orrery_transform_relative (orrery_component_get_pose (component),
                             orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world),
                                                       orrery_object_get_index (found)),
                             &pose);
  if (orrery_commands_attach (commands, found, orrery_component_get_object (component), &pose))
    self->held = found;
}

static void
let_go (OrreryGrasp *self, OrreryCommands *commands)
{
  if (self->held != NULL)
    orrery_commands_attach (commands, self->held, NULL, NULL);
  self->held = NULL;
}

/* --- services --- */

static void
grab (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryGrasp *self = (OrreryGrasp *) part;

  take_hold (self, orrery_world_get_commands (self->world));
  ((GraspData *) orrery_component_get_data (self))->grab = self->held != NULL;
  if (self->held != NULL)
    orrery_call_return (call, g_variant_new_string (orrery_object_get_name (self->held)));
}

static void
release (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryGrasp *self = (OrreryGrasp *) part;
  gboolean held = self->held != NULL;

  let_go (self, orrery_world_get_commands (self->world));
  ((GraspData *) orrery_component_get_data (self))->grab = FALSE;
  orrery_call_return (call, g_variant_new_boolean (held));
}

static const OrreryService services[] = {
  { "grab", grab, ORRERY_SERVICE_IMMEDIATE, "",
    "Takes hold of the nearest thing in reach; its name, or that of what is held; else nothing" },
  { "release", release, ORRERY_SERVICE_IMMEDIATE, "",
    "Lets go; true, or false if nothing was held" },
};

/* --- the actuator --- */

static void
orrery_grasp_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryGrasp *self = (OrreryGrasp *) actuator;
  const GraspData *in = orrery_record_data (record);

  if (!orrery_component_was_commanded (ORRERY_COMPONENT (actuator)))
    return;
  if (in->grab)
    take_hold (self, orrery_tick_get_commands (tick));
  else
    let_go (self, orrery_tick_get_commands (tick));
}

static void
orrery_grasp_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryGrasp *self = (OrreryGrasp *) part;

  g_set_object (&self->world, orrery_setup_get_world (setup));
  self->held = NULL;
  g_clear_pointer (&self->things, g_ptr_array_unref);
  self->things = g_ptr_array_new ();
  self->n_objects = 0;
  find_things (self);
}

static GVariant *
orrery_grasp_save (OrreryPart *part)
{
  OrreryGrasp *self = (OrreryGrasp *) part;

  return g_variant_new_string (self->held != NULL ? orrery_object_get_name (self->held) : "");
}

static void
orrery_grasp_restore (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryGrasp *self = (OrreryGrasp *) part;
  const char *name = g_variant_get_string (state, NULL);

  self->held = *name != '\0' ? orrery_world_find_object (self->world, name) : NULL;
}

/* What it holds it keeps. */
static void
orrery_grasp_halt (OrreryActuator *actuator, OrreryRecord *record)
{
}

static void
orrery_grasp_class_init (OrreryGraspClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  part_class->setup = orrery_grasp_setup;
  part_class->save = orrery_grasp_save;
  part_class->restore = orrery_grasp_restore;
  part_class->state_type = "s";
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_grasp_act;
  ORRERY_ACTUATOR_CLASS (klass)->halt = orrery_grasp_halt;
  ORRERY_CLASS_SET_DATA (klass, GraspData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryGrasp, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryGrasp, things, g_ptr_array_unref);
}

ORRERY_PLUGIN ("Takes hold of things", "BSD-3-Clause",
               ORRERY_CLASS (Grasp, OrreryGrasp, orrery_grasp))
