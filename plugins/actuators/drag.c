/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <math.h>

/*
 * Slows its robot down as air or water do: against each of the robot's axes a force of
 * coefficient times the square of the speed along it. Has no record: nothing is sent to it.
 */
G_DECLARE_FINAL_TYPE (OrreryDrag, orrery_drag, ORRERY, DRAG, OrreryActuator)
struct _OrreryDrag {
  OrreryActuator parent_instance;
  double coefficients[3]; /* N s2/m2, along x, y, z */
};
G_DEFINE_FINAL_TYPE (OrreryDrag, orrery_drag, ORRERY_TYPE_ACTUATOR)

/* One more than the axis. */
enum { PROP_X = 1, PROP_Y, PROP_Z, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static void
orrery_drag_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id >= PROP_X && id < N_PROPERTIES)
    ORRERY_DRAG (object)->coefficients[id - PROP_X] = g_value_get_double (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_drag_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id >= PROP_X && id < N_PROPERTIES)
    g_value_set_double (value, ORRERY_DRAG (object)->coefficients[id - PROP_X]);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_drag_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (actuator));
  OrreryObject *object = orrery_component_get_object (robot);
  const OrreryQuat *rotation = &orrery_component_get_pose (robot)->rotation;
  const double *k = ORRERY_DRAG (actuator)->coefficients;
  OrreryVec3 v, force;

  orrery_quat_rotate_back (rotation,
                           orrery_snapshot_get_linear_velocity (orrery_tick_get_snapshot (tick),
                                                                orrery_object_get_index (object)),
                           &v);
  force =
      (OrreryVec3){ -k[0] * v.x * fabs (v.x), -k[1] * v.y * fabs (v.y), -k[2] * v.z * fabs (v.z) };
  orrery_quat_rotate (rotation, &force, &force);
  orrery_commands_add_force (orrery_tick_get_commands (tick), object, &force, &(OrreryVec3){ 0 });
}

static GParamSpec *
coefficient (const char *name, const char *nick, const char *blurb, double value)
{
  return g_param_spec_double (name, nick, blurb, 0, 1e6, value,
                              G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
}

static void
orrery_drag_class_init (OrreryDragClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_drag_set_property;
  object_class->get_property = orrery_drag_get_property;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_drag_act;

  properties[PROP_X] = coefficient ("drag-coeff-x", "DragCoeffX", "Drag along x, N at 1 m/s", 0.09);
  properties[PROP_Y] = coefficient ("drag-coeff-y", "DragCoeffY", "Drag along y, N at 1 m/s", 0.09);
  properties[PROP_Z] = coefficient ("drag-coeff-z", "DragCoeffZ", "Drag along z, N at 1 m/s", 0.5);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_drag_init (OrreryDrag *self)
{
  self->coefficients[0] = 0.09;
  self->coefficients[1] = 0.09;
  self->coefficients[2] = 0.5;
}

ORRERY_PLUGIN ("Drag that grows with the square of the speed", "BSD-3-Clause",
               ORRERY_CLASS (Drag, OrreryDrag, orrery_drag))
