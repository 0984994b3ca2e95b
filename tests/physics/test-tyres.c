/* SPDX-License-Identifier: BSD-3-Clause */
/* Tyres of a car on rays, one substep at a time, against the formulas of Bullet's vehicle. */
#include "../../plugins/physics/wheels.h"

#include "world/orrery-world-private.h"

#include <math.h>

#define DT (1.0 / 120)
#define MASS 10.0
/* m, of the body's centre over the ground; kg m2, about its x axis and its y axis. */
#define HEIGHT 0.6
#define ROLL_INERTIA 2.0
#define PITCH_INERTIA 3.0
/* What one N s at the contact changes there, 1/kg. */
#define GIVE_ACROSS (1 / MASS + HEIGHT * HEIGHT / ROLL_INERTIA)
#define GIVE_ALONG (1 / MASS + HEIGHT * HEIGHT / PITCH_INERTIA)
#define INFLUENCE 0.05

#define assert_near(a, b, epsilon) g_assert_cmpfloat_with_epsilon (a, b, epsilon)

/* A car that drives along x, its wheels below its middle: springs turn it not. */
typedef struct {
  OrreryWorld *world;
  OrreryObject *wheels[2];
  WheelSet *set;
  OrreryWheel settings;
  OrreryCommands *commands;
  WheelBody body;
  gboolean on_margins; /* as the last ray asked */
} Car;

static gboolean
get_body (gpointer data, OrreryObject *object, WheelBody *out)
{
  *out = ((Car *) data)->body;
  return TRUE;
}

static void
set_body (gpointer data, OrreryObject *object, const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  Car *car = data;

  car->body.linear = *linear;
  car->body.angular = *angular;
}

/* A level ground at z = 0. */
static gboolean
cast (gpointer data, OrreryObject *object, const OrreryVec3 *from, const OrreryVec3 *to,
      gboolean margins, double *fraction, OrreryVec3 *normal)
{
  ((Car *) data)->on_margins = margins;
  *fraction = from->z / (from->z - to->z);
  *normal = (OrreryVec3){ 0, 0, 1 };
  return *fraction <= 1;
}

static const WheelEngine engine = { get_body, set_body, cast };

static void
set_up (Car *car, gconstpointer unused)
{
  OrreryObject *object;

  car->world = orrery_world_new ();
  object = orrery_world_add_object (car->world, "car", NULL, NULL);
  orrery_object_get_body (object)->type = ORRERY_BODY_RIGID;
  car->settings = (OrreryWheel){ .axle = { 0, 1, 0 },
                                 .radius = 0.4,
                                 .rest = 0.3,
                                 .stiffness = 1000,
                                 .relaxation = 10,
                                 .compression = 10,
                                 .friction = 200,
                                 .torque = 300,
                                 .roll = INFLUENCE,
                                 .ray = TRUE };
  for (guint i = 0; i < G_N_ELEMENTS (car->wheels); i++)
    car->wheels[i] = orrery_world_add_object (car->world, i == 0 ? "a" : "b", object, NULL);
  car->commands = orrery_world_get_commands (car->world);
  car->body = (WheelBody){ .pose = { { 0, 0, HEIGHT }, { 1, 0, 0, 0 } },
                           .mass = MASS,
                           .inertia = { ROLL_INERTIA, PITCH_INERTIA, 4 },
                           .on_margins = TRUE };
}

static void
tear_down (Car *car, gconstpointer unused)
{
  g_clear_pointer (&car->set, wheel_set_free);
  g_clear_object (&car->world);
}

/* A substep with @n wheels from a velocity. */
static void
roll (Car *car, guint n, const OrreryVec3 *linear, const OrreryWheelDrive *drive)
{
  const OrreryCommand *command;
  guint n_commands;

  g_clear_pointer (&car->set, wheel_set_free);
  for (guint i = 0; i < n; i++)
    g_assert_true (orrery_object_set_wheel (car->wheels[i], &car->settings, NULL));
  car->set = wheel_set_new (car->world);
  orrery_commands_clear (car->commands);
  for (guint i = 0; i < n; i++)
    orrery_commands_drive_wheel (car->commands, car->wheels[i], drive);
  command = orrery_commands_get (car->commands, &n_commands);
  for (guint i = 0; i < n_commands; i++)
    wheel_set_take (car->set, &command[i]);
  car->body.linear = *linear;
  car->body.angular = (OrreryVec3){ 0 };
  wheel_set_step (car->set, &engine, car, DT);
}

static void
test_across (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive none = { 0 };
  const double one = -0.2 / GIVE_ACROSS;

  g_test_summary ("across, a tyre takes a fifth of the speed, which leans the car by its roll "
                  "influence; a second one sees nothing of it");
  roll (car, 1, &(OrreryVec3){ 0, 1, 0 }, &none);
  assert_near (car->body.linear.y, 1 + one / MASS, 1e-12);
  assert_near (car->body.angular.x, INFLUENCE * HEIGHT * one / ROLL_INERTIA, 1e-12);
  assert_near (car->body.linear.x, 0, 1e-12);
  roll (car, 2, &(OrreryVec3){ 0, 1, 0 }, &none);
  assert_near (car->body.linear.y, 1 + 2 * one / MASS, 1e-12);
  assert_near (car->body.angular.x, 2 * INFLUENCE * HEIGHT * one / ROLL_INERTIA, 1e-12);
}

/* Two parallel wheels that steer alike: what goes along them stays, whatever they are. */
static void
test_parallel (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive steered = { .steer = 0.3 };
  OrreryVec3 way = { cos (0.3), sin (0.3), 0 };

  g_test_summary ("wheels that roll freely along their way take nothing");
  roll (car, 2, &way, &steered);
  assert_near (car->body.linear.x, way.x, 1e-12);
  assert_near (car->body.linear.y, way.y, 1e-12);
}

static void
test_engine (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive both = { .force = 30, .brake = 1000 };
  const OrreryWheelDrive brake = { .brake = 0.5 };
  const OrreryWheelDrive strong = { .brake = 1000 };

  g_test_summary ("an engine gives its force for a substep, and the brake waits for it; alone it "
                  "gives its impulse, or its part of what stops the car at the contact");
  roll (car, 2, &(OrreryVec3){ 1, 0, 0 }, &both);
  assert_near (car->body.linear.x, 1 + 2 * 30 * DT / MASS, 1e-12);
  roll (car, 2, &(OrreryVec3){ 1, 0, 0 }, &brake);
  assert_near (car->body.linear.x, 1 - 2 * 0.5 / MASS, 1e-12);
  roll (car, 2, &(OrreryVec3){ 1, 0, 0 }, &strong);
  assert_near (car->body.linear.x + car->body.angular.y * -HEIGHT, 0, 1e-12);
  assert_near (car->body.linear.x, 1 - 1 / GIVE_ALONG / MASS, 1e-12);
  /* It does not push back. */
  roll (car, 2, &(OrreryVec3){ 0.001, 0, 0 }, &brake);
  assert_near (car->body.linear.x + car->body.angular.y * -HEIGHT, 0, 1e-12);
  /* A ray has no width, whatever its wheel has: it acts in the middle of both edges. */
  car->settings.width = 0.4;
  roll (car, 2, &(OrreryVec3){ 1, 0, 0 }, &strong);
  assert_near (car->body.linear.x + car->body.angular.y * -HEIGHT, 0, 1e-12);
}

static void
test_limit (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive drive = { .force = 600 };
  const double along = 600 * DT, across = -0.2 / GIVE_ACROSS;
  double load, share;

  g_test_summary ("friction times load limits both, along by a half");
  car->settings.friction = 0.1;
  roll (car, 1, &(OrreryVec3){ 0, 1, 0 }, &drive);
  load = MASS * car->body.linear.z;
  g_assert_cmpfloat (load, >, 0);
  share = 0.1 * load / hypot (0.5 * along, across);
  g_assert_cmpfloat (share, <, 0.5);
  assert_near (car->body.linear.x, share * along / MASS, 1e-12);
  assert_near (car->body.linear.y, 1 + share * across / MASS, 1e-12);
}

static void
test_spring (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive none = { 0 };
  double high, low;

  g_test_summary (
      "the spring of a ray has no shortest length: deeper in the ground it pushes more");
  car->settings.stiffness = 10;
  car->settings.compression = car->settings.relaxation = 0;
  car->body.pose.position.z = 0.2;
  roll (car, 1, &(OrreryVec3){ 0, 0, 0 }, &none);
  high = car->body.linear.z;
  car->body.pose.position.z = 0.1;
  roll (car, 1, &(OrreryVec3){ 0, 0, 0 }, &none);
  low = car->body.linear.z;
  /* 0.3 m + 0.4 m less the height; a spring as soft as this moves little in a substep. */
  assert_near (high, 10 * 0.5 * DT / MASS, 1e-5);
  assert_near (low, 10 * 0.6 * DT / MASS, 1e-5);
}

static void
test_margins (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive none = { 0 };

  g_test_summary ("margins bear solid wheels of bodies that have some, and no rays");
  roll (car, 1, &(OrreryVec3){ 0 }, &none);
  g_assert_false (car->on_margins);
  car->settings.ray = FALSE;
  roll (car, 1, &(OrreryVec3){ 0 }, &none);
  g_assert_true (car->on_margins);
  car->body.on_margins = FALSE;
  roll (car, 1, &(OrreryVec3){ 0 }, &none);
  g_assert_false (car->on_margins);
}

/* What makes a ray of a wheel makes the difference: a solid one lets nothing go across. */
static void
test_solid (Car *car, gconstpointer unused)
{
  const OrreryWheelDrive none = { 0 };

  g_test_summary ("a solid wheel stops all that goes across");
  car->settings.ray = FALSE;
  roll (car, 1, &(OrreryVec3){ 0, 1, 0 }, &none);
  assert_near (car->body.linear.y + car->body.angular.x * INFLUENCE * HEIGHT, 0, 1e-9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add ("/tyres/across", Car, NULL, set_up, test_across, tear_down);
  g_test_add ("/tyres/parallel", Car, NULL, set_up, test_parallel, tear_down);
  g_test_add ("/tyres/engine", Car, NULL, set_up, test_engine, tear_down);
  g_test_add ("/tyres/limit", Car, NULL, set_up, test_limit, tear_down);
  g_test_add ("/tyres/spring", Car, NULL, set_up, test_spring, tear_down);
  g_test_add ("/tyres/margins", Car, NULL, set_up, test_margins, tear_down);
  g_test_add ("/tyres/solid", Car, NULL, set_up, test_solid, tear_down);
  return g_test_run ();
}
