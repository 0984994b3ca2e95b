/* SPDX-License-Identifier: BSD-3-Clause */
/* Wheels under a body: suspension, tyres and motors in each substep. */
#include "wheels.h"

#include <math.h>
#include <string.h>

/* Rounds over all wheels of a body in a substep; more change nothing that could be measured. Tyres
 * that work against each other (two that steer alike roll about two points) would leave the last
 * word to the last of them: in the later rounds each takes a smaller part of its step, and they
 * meet in the middle (Kaczmarz's method with relaxation: Censor, Eggermont and Gordon 1983). */
#define N_ROUNDS 16
#define N_WHOLE_ROUNDS 12
/* On ground that is steeper than this relative to its spring, a wheel bears no load. */
#define MIN_COSINE 0.1
/* Of a ray: the part of its speed across that a tyre takes away in a substep, and the part of what
 * it gives along that counts for its limit (Bullet, btRaycastVehicle). */
#define SCRUB 0.2
#define ALONG 0.5

typedef struct {
  OrreryObject *object;
  const OrreryWheel *settings;
  OrreryWheelDrive drive;
  double angle;  /* rad, turned so far */
  double speed;  /* rad/s */
  double length; /* m, of the suspension */

  /* Of the present substep. */
  gboolean grounded;
  OrreryVec3 normal;
  OrreryVec3 along; /* forwards and to the left, in the plane of the ground */
  OrreryVec3 across;
  OrreryVec3 arm;      /* m, from the body's centre to the contact */
  OrreryVec3 edges[2]; /* the same for both edges of the tyre */
  guint n_edges;
  OrreryVec3 side_arm; /* the same where forces across act */
  /* Of the body at the contact, 1/kg: normal, across, along at each edge. */
  double give[4];
  double soft; /* of the spring */
  double bias;
  double impulse[4]; /* N s: the same */
} Wheel;

typedef struct {
  OrreryObject *body;
  GArray *wheels; /* (element-type Wheel) */
} Car;

struct _WheelSet {
  GPtrArray *cars; /* (element-type Car), in the order of the objects */
  Wheel **by_object;
  Car **car_of;
  guint n_objects;
};

/* --- vectors --- */

static gboolean
normalise (OrreryVec3 *v)
{
  double length = orrery_vec3_length (v);

  if (length < 1e-9)
    return FALSE;
  *v = orrery_vec3_divide (v, length);
  return TRUE;
}

/* --- the set --- */

static void
car_free (gpointer data)
{
  Car *car = data;

  g_array_unref (car->wheels);
  g_free (car);
}

static void
add_wheel (WheelSet *set, OrreryObject *object)
{
  OrreryObject *body = orrery_object_get_parent (object);
  Car **car = &set->car_of[orrery_object_get_index (body)];
  const OrreryWheel *settings = orrery_object_get_wheel (object);
  double height = settings->mount.z - orrery_object_get_start (object)->position.z;
  Wheel wheel = { .object = object, .settings = settings, .length = fmax (height, 0) };

  if (*car == NULL) {
    *car = g_new0 (Car, 1);
    (*car)->body = body;
    (*car)->wheels = g_array_new (FALSE, FALSE, sizeof (Wheel));
    g_ptr_array_add (set->cars, *car);
  }
  g_array_append_val ((*car)->wheels, wheel);
}

static void
index_wheels (WheelSet *set)
{
  for (guint i = 0; i < set->cars->len; i++) {
    Car *car = set->cars->pdata[i];

    for (guint k = 0; k < car->wheels->len; k++) {
      Wheel *wheel = &g_array_index (car->wheels, Wheel, k);
      set->by_object[orrery_object_get_index (wheel->object)] = wheel;
    }
  }
}

WheelSet *
wheel_set_new (OrreryWorld *world)
{
  guint n = orrery_world_get_n_objects (world);
  WheelSet *set = g_new0 (WheelSet, 1);

  set->cars = g_ptr_array_new_with_free_func (car_free);
  set->by_object = g_new0 (Wheel *, n);
  set->car_of = g_new0 (Car *, n);
  set->n_objects = n;
  for (guint i = 0; i < n; i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_get_wheel (object) != NULL)
      add_wheel (set, object);
  }
  index_wheels (set);
  if (set->cars->len == 0)
    g_clear_pointer (&set, wheel_set_free);
  return set;
}

void
wheel_set_free (WheelSet *set)
{
  g_ptr_array_unref (set->cars);
  g_free (set->by_object);
  g_free (set->car_of);
  g_free (set);
}

void
wheel_set_take (WheelSet *set, const OrreryCommand *command)
{
  Wheel *wheel = command->object < set->n_objects ? set->by_object[command->object] : NULL;

  if (wheel != NULL)
    orrery_command_get_drive (command, &wheel->drive);
}

/* NULL: it has no wheels. */
static Car *
find_car (WheelSet *set, OrreryObject *body)
{
  guint index = orrery_object_get_index (body);

  /* What is added to a world that runs has none. */
  return index < set->n_objects ? set->car_of[index] : NULL;
}

/* --- one substep --- */

/* World axes: I^-1 v. */
static OrreryVec3
turn_by (const WheelBody *body, const OrreryVec3 *torque)
{
  const OrreryVec3 *i = &body->inertia;
  OrreryVec3 v;

  orrery_quat_rotate_back (&body->pose.rotation, torque, &v);
  v = (OrreryVec3){ i->x > 0 ? v.x / i->x : 0, i->y > 0 ? v.y / i->y : 0,
                    i->z > 0 ? v.z / i->z : 0 };
  orrery_quat_rotate (&body->pose.rotation, &v, &v);
  return v;
}

static double
give_of (const WheelBody *body, const OrreryVec3 *arm, const OrreryVec3 *direction)
{
  OrreryVec3 torque = orrery_vec3_cross (arm, direction);
  OrreryVec3 turn = turn_by (body, &torque);
  OrreryVec3 move = orrery_vec3_cross (&turn, arm);

  return 1 / body->mass + orrery_vec3_dot (&move, direction);
}

static double
speed_of (const WheelBody *body, const OrreryVec3 *arm, const OrreryVec3 *direction)
{
  OrreryVec3 v = orrery_vec3_cross (&body->angular, arm);

  return orrery_vec3_dot (&v, direction) + orrery_vec3_dot (&body->linear, direction);
}

static void
push (WheelBody *body, const OrreryVec3 *arm, const OrreryVec3 *direction, double impulse)
{
  OrreryVec3 torque = orrery_vec3_cross (arm, direction);
  OrreryVec3 turn = turn_by (body, &torque);

  orrery_vec3_accumulate (&body->linear, direction, impulse / body->mass);
  orrery_vec3_accumulate (&body->angular, &turn, impulse);
}

static void
get_frame (const Wheel *wheel, const WheelBody *body, OrreryVec3 *up, OrreryVec3 *axle)
{
  OrreryVec3 about = { 0, 0, wheel->drive.steer };
  OrreryQuat steer;

  orrery_quat_from_rotation_vector (&about, &steer);
  orrery_quat_rotate (&steer, &wheel->settings->axle, axle);
  orrery_quat_rotate (&body->pose.rotation, axle, axle);
  orrery_quat_rotate (&body->pose.rotation, &(OrreryVec3){ 0, 0, 1 }, up);
}

/* Where the tyre touches, and in which directions it can push; FALSE: it hangs in the air. */
static gboolean
touch (Wheel *wheel, const WheelBody *body, const WheelEngine *engine, gpointer data,
       OrreryObject *object)
{
  const OrreryWheel *s = wheel->settings;
  double reach = s->rest + s->radius;
  OrreryVec3 from, to, up, axle;
  double fraction;

  get_frame (wheel, body, &up, &axle);
  orrery_transform_apply (&body->pose, &s->mount, &from);
  to = from;
  orrery_vec3_accumulate (&to, &up, -reach);
  wheel->length = s->rest;
  if (!engine->cast (data, object, &from, &to, body->on_margins && !s->ray, &fraction,
                     &wheel->normal) ||
      orrery_vec3_dot (&wheel->normal, &up) < MIN_COSINE)
    return FALSE;

  /* A ground above the mount leaves no room for the wheel: the spring is no shorter than that. The
   * length of a ray has no limit. */
  wheel->length = fraction * reach - s->radius;
  if (!s->ray)
    wheel->length = fmax (wheel->length, 0);
  orrery_vec3_accumulate (&from, &up, -fraction * reach);
  wheel->arm = orrery_vec3_subtract (&from, &body->pose.position);
  wheel->side_arm = wheel->arm;
  orrery_vec3_accumulate (&wheel->side_arm, &up,
                          -(1 - s->roll) * orrery_vec3_dot (&wheel->arm, &up));
  wheel->along = orrery_vec3_cross (&axle, &wheel->normal);
  if (!normalise (&wheel->along))
    return FALSE;
  wheel->across = orrery_vec3_cross (&wheel->normal, &wheel->along);
  wheel->n_edges = s->width > 0 ? 2 : 1;
  for (guint i = 0; i < wheel->n_edges; i++) {
    wheel->edges[i] = wheel->arm;
    orrery_vec3_accumulate (&wheel->edges[i], &wheel->across, (i == 0 ? 0.5 : -0.5) * s->width);
  }
  return TRUE;
}

/* A spring and damper that no step makes unstable: Catto, Soft Constraints, GDC 2011. */
static void
prepare (Wheel *wheel, const WheelBody *body, double dt)
{
  const OrreryWheel *s = wheel->settings;
  double along_spring = speed_of (body, &wheel->arm, &wheel->normal);
  double damping = along_spring < 0 ? s->compression : s->relaxation;
  double stiff = damping + dt * s->stiffness;

  wheel->give[0] = give_of (body, &wheel->arm, &wheel->normal);
  wheel->give[1] = give_of (body, &wheel->side_arm, &wheel->across);
  for (guint i = 0; i < wheel->n_edges; i++)
    wheel->give[2 + i] = give_of (body, &wheel->edges[i], &wheel->along);
  wheel->soft = stiff > 0 ? 1 / (dt * stiff) : 0;
  wheel->bias = stiff > 0 ? s->stiffness * (wheel->length - s->rest) / stiff : 0;
  wheel->grounded = stiff > 0;
}

static void
bear (Wheel *wheel, WheelBody *body)
{
  double v = speed_of (body, &wheel->arm, &wheel->normal);
  double change =
      -(v + wheel->bias + wheel->soft * wheel->impulse[0]) / (wheel->give[0] + wheel->soft);
  double impulse = fmax (wheel->impulse[0] + change, 0);

  push (body, &wheel->arm, &wheel->normal, impulse - wheel->impulse[0]);
  wheel->impulse[0] = impulse;
}

/* What the motor, or engine and brake, would have along the ground at an edge of the tyre. */
static double
pull (const Wheel *wheel, guint edge, const WheelBody *body, double dt)
{
  const OrreryWheel *s = wheel->settings;
  const OrreryWheelDrive *drive = &wheel->drive;
  double slip = speed_of (body, &wheel->edges[edge], &wheel->along);
  double impulse = wheel->impulse[2 + edge], give = wheel->give[2 + edge];
  double part = dt / wheel->n_edges;
  double stop;

  if (drive->held) {
    double most = s->torque / s->radius * part;

    slip -= drive->speed * s->radius;
    return CLAMP (impulse - slip / give, -most, most);
  }
  stop = drive->brake * part;
  stop = CLAMP (impulse - drive->force * part - slip / give, -stop, stop);
  return drive->force * part + stop;
}

/* @share: of the step to what the tyre would have. Each edge bears its part of the load, and of the
 * force across; both edges stay in their circles of friction. */
static void
grip (Wheel *wheel, WheelBody *body, double share, double dt)
{
  double most = wheel->settings->friction * wheel->impulse[0] / wheel->n_edges;
  double wanted = wheel->impulse[1] -
                  share * speed_of (body, &wheel->side_arm, &wheel->across) / wheel->give[1];
  double across = 0;

  for (guint i = 0; i < wheel->n_edges; i++) {
    double *impulse = &wheel->impulse[2 + i];
    double along = *impulse + share * (pull (wheel, i, body, dt) - *impulse);
    double side = wanted / wheel->n_edges;
    double size = hypot (along, side);

    if (size > most) {
      along *= most / size;
      side *= most / size;
    }
    push (body, &wheel->edges[i], &wheel->along, along - *impulse);
    *impulse = along;
    across += side;
  }
  push (body, &wheel->side_arm, &wheel->across, across - wheel->impulse[1]);
  wheel->impulse[1] = across;
}

/* Along the ground, of a ray: an engine, or else a motor or the brake, of which each of @n wheels
 * has its part. */
static double
pull_ray (const Wheel *wheel, const WheelBody *body, guint n, double dt)
{
  const OrreryWheelDrive *drive = &wheel->drive;
  double slip = speed_of (body, &wheel->arm, &wheel->along);
  double most = drive->brake;

  if (drive->held) {
    slip -= drive->speed * wheel->settings->radius;
    most = wheel->settings->torque / wheel->settings->radius * dt;
  } else if (drive->force != 0) {
    return drive->force * dt;
  }
  return CLAMP (-slip / (n * give_of (body, &wheel->arm, &wheel->along)), -most, most);
}

/* All tyres from the same velocities: what others do is not seen. */
static void
skid (Car *car, WheelBody *body, guint n, double dt)
{
  Wheel *wheels = (Wheel *) (gpointer) car->wheels->data;

  for (guint i = 0; i < car->wheels->len; i++) {
    Wheel *wheel = &wheels[i];
    double most = wheel->settings->friction * wheel->impulse[0], size;

    if (!wheel->grounded)
      continue;
    wheel->impulse[1] = -SCRUB * speed_of (body, &wheel->arm, &wheel->across) /
                        give_of (body, &wheel->arm, &wheel->across);
    wheel->impulse[2] = pull_ray (wheel, body, n, dt);
    size = hypot (ALONG * wheel->impulse[2], wheel->impulse[1]);
    for (guint k = 1; k < 3 && size > most; k++)
      wheel->impulse[k] *= most / size;
  }
  for (guint i = 0; i < car->wheels->len; i++) {
    push (body, &wheels[i].arm, &wheels[i].along, wheels[i].impulse[2]);
    push (body, &wheels[i].side_arm, &wheels[i].across, wheels[i].impulse[1]);
  }
}

static void
spin (Wheel *wheel, const WheelBody *body, double dt)
{
  if (wheel->drive.held)
    wheel->speed = wheel->drive.speed;
  else if (wheel->grounded)
    wheel->speed = speed_of (body, &wheel->arm, &wheel->along) / wheel->settings->radius;
  wheel->angle = remainder (wheel->angle + wheel->speed * dt, 2 * G_PI);
}

/* All impulses of a substep. */
static void
solve (Car *car, WheelBody *body, double dt)
{
  Wheel *wheels = (Wheel *) (gpointer) car->wheels->data;
  gboolean ray = wheels[0].settings->ray;
  guint n = 0;

  for (guint round = 0; round < N_ROUNDS; round++) {
    double share = round < N_WHOLE_ROUNDS ? 1 : 1.0 / (round - N_WHOLE_ROUNDS + 2);

    for (guint i = 0; i < car->wheels->len; i++) {
      if (!wheels[i].grounded)
        continue;
      bear (&wheels[i], body);
      if (!ray)
        grip (&wheels[i], body, share, dt);
    }
  }
  for (guint i = 0; i < car->wheels->len; i++)
    n += wheels[i].grounded;
  if (ray)
    skid (car, body, n, dt);
}

static void
step_car (Car *car, const WheelEngine *engine, gpointer data, double dt)
{
  Wheel *wheels = (Wheel *) (gpointer) car->wheels->data;
  WheelBody body;
  OrreryVec3 turn;

  if (!engine->get (data, car->body, &body))
    return;
  /* The wheels work against what the substep is about to do; the engine itself does it later. */
  turn = turn_by (&body, &body.torque);
  orrery_vec3_accumulate (&body.linear, &body.force, dt / body.mass);
  orrery_vec3_accumulate (&body.angular, &turn, dt);

  for (guint i = 0; i < car->wheels->len; i++) {
    memset (wheels[i].impulse, 0, sizeof wheels[i].impulse);
    wheels[i].grounded = FALSE;
    if (touch (&wheels[i], &body, engine, data, car->body))
      prepare (&wheels[i], &body, dt);
  }
  solve (car, &body, dt);
  for (guint i = 0; i < car->wheels->len; i++)
    spin (&wheels[i], &body, dt);

  orrery_vec3_accumulate (&body.linear, &body.force, -dt / body.mass);
  orrery_vec3_accumulate (&body.angular, &turn, -dt);
  engine->set (data, car->body, &body.linear, &body.angular);
}

void
wheel_set_step (WheelSet *set, const WheelEngine *engine, gpointer data, double dt)
{
  for (guint i = 0; i < set->cars->len; i++)
    step_car (set->cars->pdata[i], engine, data, dt);
}

/* --- where they are --- */

static void
place (const Wheel *wheel, OrrerySnapshot *snapshot, guint body)
{
  const OrreryWheel *s = wheel->settings;
  OrreryVec3 steer_about = { 0, 0, wheel->drive.steer };
  OrreryVec3 roll_about = orrery_vec3_scale (&s->axle, wheel->angle);
  OrreryTransform pose = { { s->mount.x, s->mount.y, s->mount.z - wheel->length }, { 1, 0, 0, 0 } };
  OrreryQuat steer, roll;

  orrery_quat_from_rotation_vector (&steer_about, &steer);
  orrery_quat_from_rotation_vector (&roll_about, &roll);
  orrery_quat_multiply (&steer, &roll, &pose.rotation);
  orrery_quat_multiply (&pose.rotation, &orrery_object_get_start (wheel->object)->rotation,
                        &pose.rotation);
  orrery_quat_normalise (&pose.rotation);
  orrery_transform_multiply (orrery_snapshot_get_pose (snapshot, body), &pose, &pose);
  orrery_snapshot_set_body (snapshot, orrery_object_get_index (wheel->object), &pose,
                            orrery_snapshot_get_linear_velocity (snapshot, body),
                            orrery_snapshot_get_angular_velocity (snapshot, body));
}

void
wheel_set_read (WheelSet *set, OrrerySnapshot *snapshot)
{
  for (guint i = 0; i < set->cars->len; i++) {
    Car *car = set->cars->pdata[i];

    for (guint k = 0; k < car->wheels->len; k++)
      place (&g_array_index (car->wheels, Wheel, k), snapshot, orrery_object_get_index (car->body));
  }
}

/* --- without forces --- */

/*
 * A wheel rolls at v cos a + w (y.. cos a + x sin a): with its heading a, and its place (x, y) as
 * turning tells. The two unknowns of all driven wheels by normal equations; where they do not tell
 * of w, it is 0.
 */
static gboolean
fit (const Car *car, double *v, double *w)
{
  double a = 0, b = 0, c = 0, p = 0, q = 0, det;
  gboolean driven = FALSE;

  for (guint i = 0; i < car->wheels->len; i++) {
    const Wheel *wheel = &g_array_index (car->wheels, Wheel, i);
    const OrreryWheel *s = wheel->settings;
    double rolled = wheel->drive.speed * s->radius;
    double heading = wheel->drive.steer;
    double ahead = orrery_vec3_cross (&s->mount, &s->axle).z;
    double lever = sin (heading) * ahead - cos (heading) * s->arm;

    if (!wheel->drive.held)
      continue;
    driven = TRUE;
    a += cos (heading) * cos (heading);
    b += cos (heading) * lever;
    c += lever * lever;
    p += cos (heading) * rolled;
    q += lever * rolled;
  }
  det = a * c - b * b;
  *w = det > 1e-12 ? (a * q - b * p) / det : 0;
  *v = a > 1e-12 ? (p - b * *w) / a : 0;
  return driven;
}

/* m, how far the point that a car with steered wheels turns about lies ahead of its origin: level
 * with the driven wheels that are not steered; others turn about their origin. */
static double
find_pivot (const Car *car)
{
  gboolean steered = FALSE;
  double sum = 0;
  guint n = 0;

  for (guint i = 0; i < car->wheels->len; i++) {
    const Wheel *wheel = &g_array_index (car->wheels, Wheel, i);
    const OrreryWheel *s = wheel->settings;

    steered = steered || wheel->drive.steer != 0;
    if (!wheel->drive.held || wheel->drive.steer != 0)
      continue;
    sum += orrery_vec3_cross (&s->mount, &s->axle).z;
    n++;
  }
  return steered && n > 0 ? sum / n : 0;
}

/* Wheels that are steered and roll freely say where to: what goes at @v where the others are turns
 * so that they do not go across. FALSE: there are none. */
static gboolean
fit_steered (const Car *car, double v, double *w)
{
  double pivot = find_pivot (car);
  double a = 0, b = 0;

  for (guint i = 0; i < car->wheels->len; i++) {
    const Wheel *wheel = &g_array_index (car->wheels, Wheel, i);
    const OrreryWheel *s = wheel->settings;
    double heading = wheel->drive.steer;
    double ahead = orrery_vec3_cross (&s->mount, &s->axle).z - pivot;
    double left = s->mount.x * s->axle.x + s->mount.y * s->axle.y;
    double lever = sin (heading) * left + cos (heading) * ahead;

    if (wheel->drive.held || heading == 0)
      continue;
    a += lever * lever;
    b += lever * sin (heading) * v;
  }
  if (a < 1e-12)
    return FALSE;
  *w = b / a;
  return TRUE;
}

gboolean
wheel_set_get_twist (WheelSet *set, OrreryObject *body, OrreryVec3 *linear, OrreryVec3 *angular)
{
  Car *car = find_car (set, body);
  const OrreryVec3 *axle;
  double v, w, side;

  if (car == NULL || !fit (car, &v, &w))
    return FALSE;
  fit_steered (car, v, &w);
  side = -w * find_pivot (car);
  /* Forwards is across the axles. */
  axle = &g_array_index (car->wheels, Wheel, 0).settings->axle;
  *linear = (OrreryVec3){ axle->y * v + axle->x * side, -axle->x * v + axle->y * side, 0 };
  *angular = (OrreryVec3){ 0, 0, w };
  return TRUE;
}

void
wheel_set_roll (WheelSet *set, OrreryObject *body, double dt)
{
  Car *car = find_car (set, body);

  for (guint i = 0; car != NULL && i < car->wheels->len; i++) {
    Wheel *wheel = &g_array_index (car->wheels, Wheel, i);

    wheel->speed = wheel->drive.held ? wheel->drive.speed : 0;
    wheel->angle = remainder (wheel->angle + wheel->speed * dt, 2 * G_PI);
  }
}

/* --- a state --- */

#define WHEEL_NUMBERS 8

static void
list_wheels (WheelSet *set, GPtrArray *wheels)
{
  for (guint i = 0; set != NULL && i < set->cars->len; i++) {
    Car *car = set->cars->pdata[i];

    for (guint k = 0; k < car->wheels->len; k++)
      g_ptr_array_add (wheels, &g_array_index (car->wheels, Wheel, k));
  }
}

GVariant *
wheel_set_save (WheelSet *set)
{
  g_autoptr (GPtrArray) wheels = g_ptr_array_new ();
  g_autoptr (GArray) numbers = g_array_new (FALSE, FALSE, sizeof (double));

  list_wheels (set, wheels);
  for (guint i = 0; i < wheels->len; i++) {
    const Wheel *w = wheels->pdata[i];
    const double own[WHEEL_NUMBERS] = { w->drive.steer, w->drive.held,  w->drive.speed,
                                        w->drive.force, w->drive.brake, w->angle,
                                        w->speed,       w->length };

    g_array_append_vals (numbers, own, WHEEL_NUMBERS);
  }
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers->data, numbers->len,
                                    sizeof (double));
}

gboolean
wheel_set_restore (WheelSet *set, GVariant *state)
{
  g_autoptr (GPtrArray) wheels = g_ptr_array_new ();
  const double *numbers;
  gsize n;

  list_wheels (set, wheels);
  numbers = g_variant_get_fixed_array (state, &n, sizeof (double));
  if (n != (gsize) wheels->len * WHEEL_NUMBERS)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      return FALSE;
  for (guint i = 0; i < wheels->len; i++, numbers += WHEEL_NUMBERS) {
    Wheel *w = wheels->pdata[i];

    w->drive =
        (OrreryWheelDrive){ numbers[0], numbers[1] != 0, numbers[2], numbers[3], numbers[4] };
    w->angle = numbers[5];
    w->speed = numbers[6];
    w->length = numbers[7];
  }
  return TRUE;
}
