/* SPDX-License-Identifier: BSD-3-Clause */
/* examples.patrol.Patrol: a script that lets its robot walk around a square. */
#include <math.h>
#include <orrery.h>

typedef struct {
  OrreryScript parent_instance;
  OrreryRobot *robot;
  double side; /* m */
  gint64 laps;
  gint64 corners; /* that it has come to */
  double left;    /* s, of this side or of this turn */
  gboolean turns;
} ExamplePatrol;
ORRERY_DEFINE_CLASS (ExamplePatrol, example_patrol, OrreryScript, orrery_script)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_DOUBLE (ExamplePatrol, side, "side", 0.1, 1000, 3, "Length of a side, m"),
  ORRERY_PROPERTY_INT64 (ExamplePatrol, laps, "laps", 1, G_MAXINT64 / 4, 2,
                         "How many times around"),
};

#define SPEED 1.0         /* m/s */
#define TURN (G_PI / 2.0) /* rad/s: a second for a corner */

/* What has a name is looked up once. */
static void
example_patrol_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ExamplePatrol *self = (ExamplePatrol *) part;
  OrreryObject *object = orrery_setup_get_object (setup);
  OrreryComponent *component =
      object != NULL ? orrery_setup_find_component (setup, orrery_object_get_name (object)) : NULL;

  orrery_setup_publish (setup, "patrol");
  if (component == NULL || !ORRERY_IS_ROBOT (component))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "a patrol is a script of a robot");
  else
    self->robot = ORRERY_ROBOT (component);
}

static void
example_patrol_init_callback (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ((ExamplePatrol *) script)->left = ((ExamplePatrol *) script)->side / SPEED;
}

/* The plan, which goes on over many ticks: a step of it in each, before the actuation. */
static gboolean
example_patrol_thread (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ExamplePatrol *self = (ExamplePatrol *) script;
  double half = orrery_tick_get_dt (tick) / 2;

  if (self->left < half) {
    self->corners += self->turns;
    self->turns = !self->turns;
    self->left = self->turns ? 1.0 : self->side / SPEED;
  }
  self->left -= 2 * half;
  return self->corners < 4 * self->laps;
}

static void
example_patrol_actuation (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ExamplePatrol *self = (ExamplePatrol *) script;
  gboolean over = self->corners >= 4 * self->laps;
  OrreryVec3 linear = { over || self->turns ? 0 : SPEED, 0, 0 };
  OrreryVec3 angular = { 0, 0, !over && self->turns ? TURN : 0 };

  orrery_robot_apply_speed (self->robot, tick, ORRERY_CONTROL_VELOCITY, &linear, &angular,
                            orrery_tick_get_dt (tick));
}

static void
get_corners (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_int64 (((ExamplePatrol *) part)->corners));
}

static const OrreryService services[] = {
  { "corners", get_corners, ORRERY_SERVICE_IMMEDIATE, "", "How many corners are behind it" },
};

static void
example_patrol_class_init (ExamplePatrolClass *klass)
{
  OrreryScriptClass *script_class = ORRERY_SCRIPT_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = example_patrol_setup;
  ORRERY_CLASS_SET_SERVICES (klass, services);
  script_class->init = example_patrol_init_callback;
  script_class->thread = example_patrol_thread;
  script_class->actuation = example_patrol_actuation;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("A robot walks around a square", "BSD-3-Clause",
               ORRERY_CLASS (Patrol, ExamplePatrol, example_patrol))
