/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.scripts.motion.Motion: keeps its object moving and turning at constant rates, whatever
 * physics does with it. What Blender's game engine calls an always sensor with a motion actuator.
 */
#include <orrery.h>

enum { VX, VY, VZ, WX, WY, WZ, N_RATES };

G_DECLARE_FINAL_TYPE (OrreryMotionScript, orrery_motion_script, ORRERY, MOTION_SCRIPT, OrreryScript)
struct _OrreryMotionScript {
  OrreryScript parent_instance;
  double rates[N_RATES]; /* m/s, then rad/s */
  gboolean local_v;
  gboolean local_w;
};
G_DEFINE_FINAL_TYPE (OrreryMotionScript, orrery_motion_script, ORRERY_TYPE_SCRIPT)

enum { PROP_RATE = 1, PROP_LOCAL_V = PROP_RATE + N_RATES, PROP_LOCAL_W, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

/* Where the object is against its parent, a root against the world. */
static void
get_pose (OrrerySnapshot *snapshot, OrreryObject *object, OrreryTransform *pose)
{
  OrreryObject *parent = orrery_object_get_parent (object);
  const OrreryTransform *own =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));

  if (parent == NULL)
    *pose = *own;
  else
    orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                         orrery_object_get_index (parent)),
                               own, pose);
}

/* In the parent's axes. */
static void
add_rate (const double *rate, gboolean local, const OrreryQuat *own, double dt, OrreryVec3 *out)
{
  *out = (OrreryVec3){ rate[0] * dt, rate[1] * dt, rate[2] * dt };
  if (local)
    orrery_quat_rotate (own, out, out);
}

static void
orrery_motion_script_actuation (OrreryScript *script, OrreryTick *tick, GError **error)
{
  OrreryMotionScript *self = ORRERY_MOTION_SCRIPT (script);
  OrreryObject *object = orrery_script_get_object (script);
  double dt = orrery_tick_get_dt (tick);
  OrreryVec3 way, turn;
  OrreryTransform pose;
  OrreryQuat turned;

  if (object == NULL)
    return;
  get_pose (orrery_tick_get_snapshot (tick), object, &pose);
  add_rate (self->rates + VX, self->local_v, &pose.rotation, dt, &way);
  add_rate (self->rates + WX, self->local_w, &pose.rotation, dt, &turn);
  orrery_quat_from_rotation_vector (&turn, &turned);
  pose.position =
      (OrreryVec3){ pose.position.x + way.x, pose.position.y + way.y, pose.position.z + way.z };
  orrery_quat_multiply (&turned, &pose.rotation, &pose.rotation);
  orrery_quat_normalise (&pose.rotation);
  orrery_commands_move (orrery_tick_get_commands (tick), object, &pose);
}

/* --- properties --- */

static void
orrery_motion_script_set_property (GObject *object, guint id, const GValue *value,
                                   GParamSpec *pspec)
{
  OrreryMotionScript *self = ORRERY_MOTION_SCRIPT (object);

  if (id >= PROP_RATE && id < PROP_LOCAL_V)
    self->rates[id - PROP_RATE] = g_value_get_double (value);
  else if (id == PROP_LOCAL_V)
    self->local_v = g_value_get_boolean (value);
  else if (id == PROP_LOCAL_W)
    self->local_w = g_value_get_boolean (value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_motion_script_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryMotionScript *self = ORRERY_MOTION_SCRIPT (object);

  if (id >= PROP_RATE && id < PROP_LOCAL_V)
    g_value_set_double (value, self->rates[id - PROP_RATE]);
  else if (id == PROP_LOCAL_V)
    g_value_set_boolean (value, self->local_v);
  else if (id == PROP_LOCAL_W)
    g_value_set_boolean (value, self->local_w);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
orrery_motion_script_class_init (OrreryMotionScriptClass *klass)
{
  static const struct {
    const char *name;
    const char *words;
  } rates[N_RATES] = {
    { "vx", "Speed along x, m/s" },       { "vy", "Speed along y, m/s" },
    { "vz", "Speed along z, m/s" },       { "wx", "Turn rate about x, rad/s" },
    { "wy", "Turn rate about y, rad/s" }, { "wz", "Turn rate about z, rad/s" },
  };
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = orrery_motion_script_set_property;
  object_class->get_property = orrery_motion_script_get_property;
  ORRERY_SCRIPT_CLASS (klass)->actuation = orrery_motion_script_actuation;
  for (guint i = 0; i < N_RATES; i++)
    properties[PROP_RATE + i] =
        g_param_spec_double (rates[i].name, rates[i].name, rates[i].words, -1e9, 1e9, 0, flags);
  properties[PROP_LOCAL_V] =
      g_param_spec_boolean ("local-v", "local_v",
                            "Whether it moves along its own axes, not those of its parent", TRUE,
                            flags);
  properties[PROP_LOCAL_W] =
      g_param_spec_boolean ("local-w", "local_w",
                            "Whether it turns about its own axes, not those of its parent", TRUE,
                            flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_motion_script_init (OrreryMotionScript *self)
{
  self->local_v = TRUE;
  self->local_w = TRUE;
}

ORRERY_PLUGIN ("Keeps an object moving at constant rates", "BSD-3-Clause",
               ORRERY_CLASS (Motion, OrreryMotionScript, orrery_motion_script))
