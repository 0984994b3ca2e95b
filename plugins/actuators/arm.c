/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinematics of an arm that reaches for a point. */
#include "arm.h"

#include <math.h>
#include <string.h>

/* Of the solver: it ends when a step changes next to nothing. */
#define MIN_CHANGE 1e-12
#define MIN_ERROR 1e-24 /* m2 and rad2 */
#define NEAR_ENOUGH 1e-16
#define ROWS 6
/*
 * How much a turn that is left counts, m for each rad: its square is the weight of the rotation in
 * what an arm out of its target's reach makes least. MORSE's does not say; with a KUKA that must
 * keep its tool upright 1 m away from its shoulder, its tests want a pitch of 0.02 rad, which is
 * this.
 */
#define METRES_PER_RAD 1.53

/* --- the tree --- */

static gboolean
is_axis (const OrreryJoint *joint)
{
  return joint != NULL && (joint->kind == ORRERY_JOINT_HINGE || joint->kind == ORRERY_JOINT_SLIDE);
}

/* A list of three numbers among the properties of an object. */
static gboolean
read_vec3 (OrreryObject *object, const char *name, OrreryVec3 *out)
{
  GVariant *value = orrery_object_get_value (object, name);
  double *const to[] = { &out->x, &out->y, &out->z };

  if (value == NULL || !g_variant_is_container (value) || g_variant_n_children (value) != 3)
    return FALSE;
  for (gsize i = 0; i < 3; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) item = g_variant_is_of_type (child, G_VARIANT_TYPE_VARIANT)
                                    ? g_variant_get_variant (child)
                                    : g_variant_ref (child);

    if (g_variant_is_of_type (item, G_VARIANT_TYPE_DOUBLE))
      *to[i] = g_variant_get_double (item);
    else if (g_variant_is_of_type (item, G_VARIANT_TYPE_INT64))
      *to[i] = (double) g_variant_get_int64 (item);
    else
      return FALSE;
  }
  return orrery_vec3_is_finite (out);
}

/* Whether its joints are those of an actuator of its own. */
static gboolean
is_other (OrreryObject *object, OrrerySetup *setup)
{
  OrreryComponent *component = orrery_setup_find_component (setup, orrery_object_get_name (object));

  return component != NULL && ORRERY_IS_ACTUATOR (component);
}

/* @offset: from the object of the joint @parent to @object. */
static void
collect (Arm *arm, OrrerySetup *setup, OrreryObject *object, int parent,
         const OrreryTransform *offset)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *child = children->pdata[i];
    const OrreryJoint *joint = orrery_object_get_joint (child);
    OrreryTransform next;

    if (is_axis (joint)) {
      ArmJoint found = { .object = child, .joint = joint, .parent = parent, .offset = *offset };

      g_array_append_val (arm->joints, found);
      orrery_transform_identity (&next);
      collect (arm, setup, child, (int) arm->joints->len - 1, &next);
    } else if (!is_other (child, setup)) {
      orrery_transform_multiply (offset, orrery_object_get_start (child), &next);
      collect (arm, setup, child, parent, &next);
    }
  }
}

/* The end of a link is where the first joint on it is, or what its property `tip` says. */
static void
find_tip (Arm *arm, guint place)
{
  ArmJoint *joint = arm_get (arm, place);

  for (guint i = place + 1; i < arm->joints->len; i++) {
    const ArmJoint *next = arm_get (arm, i);
    OrreryTransform at;

    if (next->parent != (int) place)
      continue;
    orrery_transform_multiply (&next->offset, orrery_object_get_start (next->object), &at);
    joint->tip = at.position;
    break;
  }
  read_vec3 (joint->object, "tip", &joint->tip);
  joint->length = orrery_vec3_length (&joint->tip);
}

/* The frame of a link need not be that of the bone: its property `bone` says how that is turned. */
static void
find_bone (ArmJoint *joint)
{
  OrreryVec3 turn = { 0 };

  read_vec3 (joint->object, "bone", &turn);
  orrery_quat_from_euler (turn.x, turn.y, turn.z, &joint->bone);
}

Arm *
arm_new (OrreryObject *base, OrrerySetup *setup)
{
  Arm *arm = g_new0 (Arm, 1);
  OrreryTransform none;
  guint n;

  arm->base = base;
  arm->joints = g_array_new (FALSE, FALSE, sizeof (ArmJoint));
  orrery_transform_identity (&none);
  /* It looks for joints, and reads no records. */
  orrery_setup_read_none (setup);
  collect (arm, setup, base, -1, &none);
  n = arm->joints->len;
  for (guint i = 0; i < n; i++) {
    find_tip (arm, i);
    find_bone (arm_get (arm, i));
  }
  arm->chain = g_new0 (guint, n);
  arm->poses = g_new0 (OrreryTransform, n);
  arm->columns = g_new0 (double, ROWS *(gsize) n);
  arm->trial = g_new0 (double, n);
  arm->bent = g_new0 (double, n);
  return arm;
}

void
arm_free (Arm *arm)
{
  g_array_unref (arm->joints);
  g_free (arm->chain);
  g_free (arm->poses);
  g_free (arm->columns);
  g_free (arm->trial);
  g_free (arm->bent);
  g_free (arm);
}

ArmJoint *
arm_get (Arm *arm, guint joint)
{
  return &g_array_index (arm->joints, ArmJoint, joint);
}

int
arm_find (Arm *arm, const char *name)
{
  for (guint i = 0; i < arm->joints->len; i++)
    if (g_str_equal (orrery_object_get_basename (arm_get (arm, i)->object), name))
      return (int) i;
  return -1;
}

double
arm_clamp (Arm *arm, guint joint, double position)
{
  const OrreryJoint *j = arm_get (arm, joint)->joint;

  return j->limited ? CLAMP (position, j->lower, j->upper) : position;
}

/* --- forwards --- */

void
arm_forward (Arm *arm, const double *positions, OrreryTransform *poses)
{
  for (guint i = 0; i < arm->joints->len; i++) {
    const ArmJoint *joint = arm_get (arm, i);
    OrreryJointState state = { .position = positions[i], .rotation = { 1, 0, 0, 0 } };
    OrreryTransform local;

    orrery_joint_place (joint->joint, orrery_object_get_start (joint->object), &state, &local);
    orrery_transform_multiply (&joint->offset, &local, &local);
    if (joint->parent >= 0)
      orrery_transform_multiply (&poses[joint->parent], &local, &local);
    poses[i] = local;
  }
}

void
arm_get_tip (Arm *arm, guint joint, const OrreryTransform *poses, OrreryTransform *tip)
{
  orrery_quat_multiply (&poses[joint].rotation, &arm_get (arm, joint)->bone, &tip->rotation);
  orrery_transform_apply (&poses[joint], &arm_get (arm, joint)->tip, &tip->position);
}

/* --- backwards --- */

typedef struct {
  Arm *arm;
  guint joint;
  const OrreryTransform *goal;
  guint n_steps; /* of a descent, at most */
  guint *chain;  /* the joints that move the end, the last first */
  guint n;
  OrreryTransform *poses;
  double *columns; /* of the Jacobian: ROWS numbers for each joint of the chain */
} Problem;

/* @angular: rad, or rad for a step of a joint; m afterwards */
static void
put_pair (const OrreryVec3 *linear, const OrreryVec3 *angular, double out[ROWS])
{
  const OrreryVec3 turn = orrery_vec3_scale (angular, METRES_PER_RAD);
  const double numbers[ROWS] = { linear->x, linear->y, linear->z, turn.x, turn.y, turn.z };

  memcpy (out, numbers, sizeof numbers);
}

/* What is left, as a twist in the frame of the base; returns the square of its size. */
static double
measure (Problem *p, const double *positions, double *left)
{
  OrreryTransform tip;
  OrreryQuat back, way;
  OrreryVec3 turn, way_left;
  double sum = 0;

  arm_forward (p->arm, positions, p->poses);
  arm_get_tip (p->arm, p->joint, p->poses, &tip);
  orrery_quat_conjugate (&tip.rotation, &back);
  orrery_quat_multiply (&p->goal->rotation, &back, &way);
  if (way.w < 0)
    way = (OrreryQuat){ -way.w, -way.x, -way.y, -way.z };
  orrery_quat_to_rotation_vector (&way, &turn);
  way_left = orrery_vec3_subtract (&p->goal->position, &tip.position);
  put_pair (&way_left, &turn, left);
  for (guint i = 0; i < ROWS; i++)
    sum += left[i] * left[i];
  return sum;
}

/* How the end moves with a joint, at the poses of the last measure(). */
static void
fill_column (Problem *p, guint place, const OrreryVec3 *tip, double *c)
{
  const OrreryJoint *joint = arm_get (p->arm, place)->joint;
  const OrreryTransform *pose = &p->poses[place];
  OrreryVec3 axis, at, arm, way;

  orrery_quat_rotate (&pose->rotation, &joint->axis, &axis);
  if (joint->kind == ORRERY_JOINT_SLIDE) {
    put_pair (&axis, &(OrreryVec3){ 0 }, c);
    return;
  }
  orrery_transform_apply (pose, &joint->anchor, &at);
  arm = orrery_vec3_subtract (tip, &at);
  way = orrery_vec3_cross (&axis, &arm);
  put_pair (&way, &axis, c);
}

/* A joint at a limit that would go beyond is left out, or it would take the part of the others. */
static void
differentiate (Problem *p, const double *left, const double *positions)
{
  OrreryTransform tip;

  arm_get_tip (p->arm, p->joint, p->poses, &tip);
  for (guint k = 0; k < p->n; k++) {
    double *c = &p->columns[ROWS * k];
    guint joint = p->chain[k];
    double pull = 0;

    fill_column (p, joint, &tip.position, c);
    for (guint i = 0; i < ROWS; i++)
      pull += c[i] * left[i];
    if (arm_clamp (p->arm, joint, positions[joint] + copysign (1e-9, pull)) == positions[joint])
      memset (c, 0, ROWS * sizeof (double));
  }
}

/* Solves the symmetric positive definite m y = b in place (Cholesky). */
static void
solve (double m[ROWS][ROWS], double *b)
{
  for (guint j = 0; j < ROWS; j++) {
    for (guint k = 0; k < j; k++)
      m[j][j] -= m[j][k] * m[j][k];
    m[j][j] = sqrt (m[j][j]);
    for (guint i = j + 1; i < ROWS; i++) {
      for (guint k = 0; k < j; k++)
        m[i][j] -= m[i][k] * m[j][k];
      m[i][j] /= m[j][j];
    }
  }
  for (guint i = 0; i < ROWS; i++) {
    for (guint k = 0; k < i; k++)
      b[i] -= m[i][k] * b[k];
    b[i] /= m[i][i];
  }
  for (guint i = ROWS; i > 0; i--) {
    for (guint k = i; k < ROWS; k++)
      b[i - 1] -= m[k][i - 1] * b[k];
    b[i - 1] /= m[i - 1][i - 1];
  }
}

/* J^T (J J^T + damping)^-1 left, in the limits of the joints. */
static void
step (Problem *p, const double *left, double damping, double *positions)
{
  double m[ROWS][ROWS] = { 0 };
  double y[ROWS];

  for (guint k = 0; k < p->n; k++)
    for (guint i = 0; i < ROWS; i++)
      for (guint j = 0; j <= i; j++)
        m[i][j] += p->columns[ROWS * k + i] * p->columns[ROWS * k + j];
  for (guint i = 0; i < ROWS; i++)
    m[i][i] += damping;
  memcpy (y, left, sizeof y);
  solve (m, y);
  for (guint k = 0; k < p->n; k++) {
    guint joint = p->chain[k];
    double change = 0;

    for (guint i = 0; i < ROWS; i++)
      change += p->columns[ROWS * k + i] * y[i];
    positions[joint] = arm_clamp (p->arm, joint, positions[joint] + CLAMP (change, -1, 1));
  }
}

static double
descend (Problem *p, double *positions, double *trial, double *left)
{
  gsize size = p->arm->joints->len * sizeof (double);
  double damping = 1e-3;
  double error = measure (p, positions, left);

  for (guint i = 0; i < p->n_steps && error > MIN_ERROR && damping < 1e9; i++) {
    double next_left[ROWS], next;
    gboolean done;

    differentiate (p, left, positions);
    memcpy (trial, positions, size);
    step (p, left, damping, trial);
    next = measure (p, trial, next_left);
    if (next >= error) {
      measure (p, positions, left);
      damping *= 8;
      continue;
    }
    done = error - next < MIN_CHANGE * error;
    memcpy (positions, trial, size);
    memcpy (left, next_left, sizeof next_left);
    error = next;
    damping = fmax (damping / 4, 1e-12);
    if (done)
      break;
  }
  return error;
}

/*
 * A straight arm is singular: nothing pulls its end to its own middle. Where the first descent
 * falls short, others are tried from positions that are bent, the same ones in each run. Returns
 * the error of the better of the two.
 */
static double
bend_and_descend (Problem *p, guint bend, double *positions, double *left, double error)
{
  gsize size = p->arm->joints->len * sizeof (double);
  double *bent = p->arm->bent;
  double bent_left[ROWS], other;

  memcpy (bent, positions, size);
  for (guint i = 0; i < p->n; i++)
    bent[p->chain[i]] = arm_clamp (p->arm, p->chain[i],
                                   bent[p->chain[i]] + 0.3 * bend * sin (1 + 2.3 * i + 1.7 * bend));
  other = descend (p, bent, p->arm->trial, bent_left);
  if (other >= error * (1 - 1e-6))
    return error;
  memcpy (positions, bent, size);
  memcpy (left, bent_left, sizeof bent_left);
  return other;
}

gboolean
arm_reach (Arm *arm, guint joint, const OrreryTransform *goal, guint n_steps, guint bend,
           double *positions, double left[2])
{
  Problem p = { .arm = arm, .joint = joint, .goal = goal, .n_steps = n_steps };
  double twist[ROWS], error;

  p.chain = arm->chain;
  p.poses = arm->poses;
  p.columns = arm->columns;
  for (int i = (int) joint; i >= 0; i = arm_get (arm, (guint) i)->parent)
    p.chain[p.n++] = (guint) i;
  error = descend (&p, positions, arm->trial, twist);
  if (bend > 0 && error > NEAR_ENOUGH)
    error = bend_and_descend (&p, bend, positions, twist, error);
  for (guint k = 1; bend == 0 && k <= ARM_N_BENDS && error > NEAR_ENOUGH; k++)
    error = bend_and_descend (&p, k, positions, twist, error);
  left[0] = sqrt (twist[0] * twist[0] + twist[1] * twist[1] + twist[2] * twist[2]);
  left[1] = sqrt (twist[3] * twist[3] + twist[4] * twist[4] + twist[5] * twist[5]) / METRES_PER_RAD;
  return error <= NEAR_ENOUGH;
}
