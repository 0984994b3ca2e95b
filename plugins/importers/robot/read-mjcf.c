/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles one MJCF file by MuJoCo, in a process of its own, and writes what it says as JSON: a
 * list of objects, parents first, each with the number of its parent, pose, body, joint and shapes.
 */
#include "read-mjcf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the data of a weld has the pose of the second body in the first, behind an anchor. */
#define WELD_POSE 3

const mjModel *m;
static int n_objects;
static int *joint_objects; /* njnt: the numbers of what they move */

/* MuJoCo's own handler would write a file and wait at the terminal. */
static void
end (const char *words)
{
  fputs (words, stdout);
  fflush (stdout);
  _exit (1);
}

static void
pass_over (const char *words)
{
}

/* --- joints --- */

static const mjtNum *
get_equality (int e)
{
  return m->eq_data + mjNEQDATA * e;
}

/* The velocity of a joint for a velocity of 1 of the joint that an equality couples it to; 0:
 * none. */
static double
find_ratio (int joint, int leader)
{
  if (joint == leader)
    return 1;
  for (int e = 0; e < m->neq; e++) {
    double slope = get_equality (e)[1];

    if (m->eq_type[e] != mjEQ_JOINT || !m->eq_active[e])
      continue;
    if (m->eq_obj1id[e] == joint && m->eq_obj2id[e] == leader)
      return slope;
    if (m->eq_obj1id[e] == leader && m->eq_obj2id[e] == joint && slope != 0)
      return 1 / slope;
  }
  return 0;
}

/* A tendon over coupled joints acts as a gear on the leading joint. */
static int
find_leader (int tendon, double *gear)
{
  int first = m->tendon_adr[tendon], n = m->tendon_num[tendon];

  for (int k = 0; k < n; k++) {
    int leader = m->wrap_objid[first + k], fine = 1;
    double sum = 0;

    for (int i = first; i < first + n && fine; i++) {
      double ratio = m->wrap_type[i] == mjWRAP_JOINT ? find_ratio (m->wrap_objid[i], leader) : 0;

      fine = ratio != 0;
      sum += ratio * m->wrap_prm[i];
    }
    /* Of two coupled joints, the one that follows has no motor. */
    for (int e = 0; e < m->neq && fine; e++)
      fine = m->eq_type[e] != mjEQ_JOINT || m->eq_obj1id[e] != leader;
    if (!fine || sum == 0)
      continue;
    *gear *= sum;
    return leader;
  }
  return -1;
}

/* Returns the joint that an actuator drives, and its gear; -1: it is no motor of a single joint. */
static int
find_driven (int i, double *gear)
{
  int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];

  *gear = m->actuator_gear[6 * i];
  if (m->actuator_gaintype[i] != mjGAIN_FIXED)
    return -1;
  if (type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT)
    return m->jnt_type[id] == mjJNT_SLIDE || m->jnt_type[id] == mjJNT_HINGE ? id : -1;
  return type == mjTRN_TENDON ? find_leader (id, gear) : -1;
}

/* What drives a joint, where it is a motor of a kind that we have. */
static void
put_motor (int joint)
{
  for (int i = 0; i < m->nu; i++) {
    const double *gain = m->actuator_gainprm + mjNGAIN * i;
    const double *bias = m->actuator_biasprm + mjNBIAS * i;
    int affine = m->actuator_biastype[i] == mjBIAS_AFFINE;
    double gear, most;

    if (find_driven (i, &gear) != joint)
      continue;
    most = m->actuator_forcelimited[i] ? fabs (m->actuator_forcerange[2 * i + 1] * gear) : 0;
    if (!affine && most == 0 && m->actuator_ctrllimited[i])
      most = fabs (m->actuator_ctrlrange[2 * i + 1] * gain[0] * gear);
    put_number ("max_effort", most);
    if (affine && bias[1] != 0) {
      put_text ("motor", "position");
      put_numbers ("gains", 2,
                   (double[]){ fabs (bias[1]) * gear * gear, fabs (bias[2]) * gear * gear });
    } else if (affine && bias[2] != 0) {
      put_text ("motor", "velocity");
      put_numbers ("gains", 2, (double[]){ 0, fabs (bias[2]) * gear * gear });
    } else {
      put_text ("motor", "effort");
    }
    if (mj_id2name (m, mjOBJ_ACTUATOR, i) != NULL)
      put_text ("actuator", mj_id2name (m, mjOBJ_ACTUATOR, i));
    return;
  }
}

/* A component without a name is named after its object. */
static void
put_joint_name (int j)
{
  int body = m->jnt_bodyid[j];
  int is_last = j == m->body_jntadr[body] + m->body_jntnum[body] - 1;
  const char *name = mj_id2name (m, mjOBJ_JOINT, j);
  char made[64];

  if (name == NULL && is_last)
    name = mj_id2name (m, mjOBJ_BODY, body);
  if (name == NULL) {
    snprintf (made, sizeof made, "%s%d", is_last ? "body" : "joint", is_last ? body : j);
    name = made;
  }
  put_text ("joint", name);
}

static void
put_joint (int j)
{
  static const char *const kinds[] = { "free", "ball", "slide", "hinge" };
  const double *start = m->nkey > 0 ? m->key_qpos : m->qpos0;
  const char *name = mj_id2name (m, mjOBJ_JOINT, j);
  int q = m->jnt_qposadr[j], dof = m->jnt_dofadr[j];

  printf ("\"joint\":{");
  put_text ("kind", kinds[m->jnt_type[j]]);
  put_text ("name", name != NULL ? name : "");
  put_numbers ("axis", 3, m->jnt_axis + 3 * j);
  put_numbers ("anchor", 3, m->jnt_pos + 3 * j);
  if (m->jnt_limited[j])
    put_numbers ("limits", 2, m->jnt_range + 2 * j);
  if (m->jnt_type[j] != mjJNT_BALL) {
    put_number ("reference", m->qpos0[q]);
    put_number ("position", start[q]);
    put_number ("rest", m->qpos_spring[q]);
  }
  put_number ("stiffness", m->jnt_stiffness[j]);
  put_number ("damping", m->dof_damping[dof]);
  put_number ("armature", m->dof_armature[dof]);
  put_motor (j);
  put_number ("friction", m->dof_frictionloss[dof]);
  printf ("\"end\":0},");
}

/* --- bodies --- */

static void
begin_object (const char *name, const char *otherwise, int number, int parent)
{
  char made[64];

  if (name == NULL) {
    snprintf (made, sizeof made, "%s%d", otherwise, number);
    name = made;
  }
  printf ("%s{", n_objects++ > 0 ? ",\n" : "");
  put_text ("name", name);
  printf ("\"parent\":%d,", parent);
}

static void
put_mass (int body)
{
  put_number ("mass", m->body_mass[body]);
  put_numbers ("centre", 3, m->body_ipos + 3 * body);
  put_numbers ("inertia", 3, m->body_inertia + 3 * body);
  put_numbers ("inertia_turned", 4, m->body_iquat + 4 * body);
}

/* Returns the number of its object. */
static int
put_body (int i, int parent, int top)
{
  int n = m->body_jntnum[i], first = m->body_jntadr[i];
  int is_free = n > 0 && m->jnt_type[first] == mjJNT_FREE;
  const double *pos = m->body_pos + 3 * i, *quat = m->body_quat + 4 * i;
  static const double nowhere[7] = { 0, 0, 0, 1, 0, 0, 0 };

  /* If a body has several joints, each but the last gets an object of its own without mass. */
  for (int k = 0; k + 1 < n; k++) {
    begin_object (mj_id2name (m, mjOBJ_JOINT, first + k), "joint", first + k, parent);
    parent = n_objects - 1;
    joint_objects[first + k] = parent;
    put_numbers ("at", 3, k == 0 ? pos : nowhere);
    put_numbers ("turned", 4, k == 0 ? quat : nowhere + 3);
    put_joint (first + k);
    printf ("\"type\":\"hollow\"}");
  }
  begin_object (mj_id2name (m, mjOBJ_BODY, i), "body", i, parent);
  if (is_free && m->nkey > 0) {
    pos = m->key_qpos + m->jnt_qposadr[first];
    quat = pos + 3;
  }
  put_numbers ("at", 3, n > 1 ? nowhere : pos);
  put_numbers ("turned", 4, n > 1 ? nowhere + 3 : quat);
  if (n > 0) {
    joint_objects[first + n - 1] = n_objects - 1;
    if (!is_free)
      put_joint (first + n - 1);
  }
  put_mass (i);
  put_geoms (i);
  printf ("\"type\":\"%s\"}", is_free ? "free" : n > 0 ? "link" : top ? "static" : "fixed");
  return n_objects - 1;
}

/* --- components --- */

static int n_components;

/* @object: the number of what it hangs on. */
static void
begin_component (const char *name, const char *otherwise, int object, const char *kind)
{
  printf ("%s{", n_components++ > 0 ? ",\n" : "");
  put_text ("name", name != NULL ? name : otherwise);
  put_text ("kind", kind);
  printf ("\"object\":%d,", object);
}

static void
end_component (void)
{
  printf ("\"end\":0}");
}

/* Of several actuators on one joint, the first is its motor. Returns why this one is none, or
 * NULL. */
static const char *
put_actuator (int i, const int *numbers)
{
  const double *bias = m->actuator_biasprm + mjNBIAS * i;
  int affine = m->actuator_biastype[i] == mjBIAS_AFFINE;
  const char *kind = affine && bias[1] != 0   ? "position"
                     : affine && bias[2] != 0 ? "velocity"
                                              : "effort";
  double gear;
  int joint = find_driven (i, &gear);

  if (joint < 0)
    return m->actuator_trntype[i] == mjTRN_TENDON
               ? "its tendon is none of joints that an equality holds to one that leads them"
               : "it is no motor of a hinge or slide";
  for (int k = 0; k < i; k++)
    if (find_driven (k, &gear) == joint)
      return "its joint has another motor before it";
  begin_component (mj_id2name (m, mjOBJ_ACTUATOR, i), kind, numbers[m->jnt_bodyid[joint]], kind);
  put_joint_name (joint);
  end_component ();
  return NULL;
}

static int
put_joint_sensor (int i, const int *numbers)
{
  int type = m->sensor_type[i], joint = m->sensor_objid[i];

  if (type == mjSENS_ACTUATORPOS || type == mjSENS_ACTUATORVEL || type == mjSENS_ACTUATORFRC) {
    double gear;

    joint = find_driven (joint, &gear);
    if (joint < 0)
      return 0;
  } else if (type != mjSENS_JOINTPOS && type != mjSENS_JOINTVEL) {
    return 0;
  }
  begin_component (mj_id2name (m, mjOBJ_SENSOR, i), "joint", numbers[m->jnt_bodyid[joint]],
                   "joint");
  put_joint_name (joint);
  end_component ();
  return 1;
}

/* Returns the class of a sensor at a site of a body; NULL: none that is known. */
static const char *
find_kind (int i)
{
  switch (m->sensor_type[i]) {
  case mjSENS_ACCELEROMETER:
    return "acceleration";
  case mjSENS_GYRO:
  case mjSENS_VELOCIMETER:
    return "velocity";
  case mjSENS_RANGEFINDER:
    return "range";
  case mjSENS_TOUCH:
    return "touch";
  case mjSENS_FRAMEXAXIS:
  case mjSENS_FRAMEYAXIS:
  case mjSENS_FRAMEZAXIS:
  case mjSENS_FRAMEPOS:
  case mjSENS_FRAMEQUAT:
    return m->sensor_refid[i] < 0 ? "pose" : NULL;
  case mjSENS_FRAMELINVEL:
  case mjSENS_FRAMEANGVEL:
    return m->sensor_refid[i] < 0 ? "velocity" : NULL;
  default:
    return NULL;
  }
}

static int
put_place_sensor (int i, const int *numbers)
{
  static const double nowhere[7] = { 0, 0, 0, 1, 0, 0, 0 };
  const double *at = nowhere, *turned = nowhere + 3;
  const char *kind = find_kind (i);
  int id = m->sensor_objid[i], body = id;

  if (kind == NULL)
    return 0;
  if (m->sensor_objtype[i] == mjOBJ_SITE) {
    body = m->site_bodyid[id];
    at = m->site_pos + 3 * id;
    turned = m->site_quat + 4 * id;
  } else if (m->sensor_objtype[i] == mjOBJ_GEOM) {
    body = m->geom_bodyid[id];
    at = m->geom_pos + 3 * id;
    turned = m->geom_quat + 4 * id;
  } else if (m->sensor_objtype[i] == mjOBJ_BODY) {
    at = m->body_ipos + 3 * id;
    turned = m->body_iquat + 4 * id;
  } else if (m->sensor_objtype[i] != mjOBJ_XBODY) {
    return 0;
  }
  /* A sensor that is fixed in the world measures nothing of a robot. */
  if (body <= 0)
    return 0;
  begin_component (mj_id2name (m, mjOBJ_SENSOR, i), kind, numbers[body], kind);
  put_numbers ("at", 3, at);
  put_numbers ("turned", 4, turned);
  put_number ("cutoff", m->sensor_cutoff[i]);
  end_component ();
  return 1;
}

/* The time of the first body's robot. */
static int
put_clock (int i, const int *numbers)
{
  if (m->sensor_type[i] != mjSENS_CLOCK || m->nbody < 2)
    return 0;
  begin_component (mj_id2name (m, mjOBJ_SENSOR, i), "clock", numbers[1], "clock");
  end_component ();
  return 1;
}

/* It looks down its z axis, where ours look along x; its angle is that of the height. */
static void
put_camera (int i, const int *numbers, int world)
{
  static const double turn[4] = { 0.5, -0.5, 0.5, 0.5 };
  /* What MuJoCo has where the file says nothing. */
  int given = m->vis.global.offwidth != 640 || m->vis.global.offheight != 480;
  int width = given ? m->vis.global.offwidth : 256, height = given ? m->vis.global.offheight : 256;
  int body = m->cam_bodyid[i];
  double turned[4];

  mju_mulQuat (turned, m->cam_quat + 4 * i, turn);
  begin_component (mj_id2name (m, mjOBJ_CAMERA, i), "camera", body > 0 ? numbers[body] : world,
                   "camera");
  put_numbers ("at", 3, m->cam_pos + 3 * i);
  put_numbers ("turned", 4, turned);
  put_number ("width", width);
  put_number ("height", height);
  put_number ("fov", 2 * atan (tan (m->cam_fovy[i] * mjPI / 360) * width / height) * 180 / mjPI);
  end_component ();
}

/* --- what is left out --- */

static int n_left;

static void
put_left (const char *what, const char *name, int number, const char *why)
{
  char made[32];

  snprintf (made, sizeof made, "%d", number);
  printf ("%s{", n_left++ > 0 ? ",\n" : "");
  put_text ("what", what);
  put_text ("name", name != NULL ? name : "");
  put_text ("number", made);
  put_text ("why", why);
  end_component ();
}

/* Elements that cannot become components are listed later, so that their message does not end up
 * between components. */
static void
put_components (const int *numbers, int world, const char **actuators, int *sensors)
{
  printf ("\"components\":[");
  for (int i = 0; i < m->nu; i++)
    actuators[i] = put_actuator (i, numbers);
  for (int i = 0; i < m->nsensor; i++)
    sensors[i] =
        put_joint_sensor (i, numbers) || put_place_sensor (i, numbers) || put_clock (i, numbers);
  for (int i = 0; i < m->ncam; i++)
    if (m->cam_mode[i] == mjCAMLIGHT_FIXED)
      put_camera (i, numbers, world);
  printf ("],");
}

/* --- equalities --- */

static int n_constraints;

static void
begin_constraint (const char *kind, int object, int other)
{
  printf ("%s{", n_constraints++ > 0 ? ",\n" : "");
  put_text ("kind", kind);
  printf ("\"object\":%d,\"other\":%d,", object, other);
}

/* MuJoCo's polynomial relates displacements from the references; ours relates positions. */
static void
put_coupling (int e)
{
  int a = m->eq_obj1id[e], b = m->eq_obj2id[e];
  double from = m->qpos0[m->jnt_qposadr[b]], to = m->qpos0[m->jnt_qposadr[a]];
  double c[5];

  memcpy (c, get_equality (e), sizeof c);
  for (int i = 0; i < 4; i++)
    for (int k = 3; k >= i; k--)
      c[k] -= from * c[k + 1];
  c[0] += to;
  begin_constraint ("coupling", joint_objects[a], joint_objects[b]);
  put_numbers ("coefficients", 5, c);
  end_component ();
}

static const char *
put_equality (int e, const int *numbers)
{
  int a = m->eq_obj1id[e], b = m->eq_obj2id[e];
  const double *data = get_equality (e);

  if (!m->eq_active[e])
    return "it is not active";
  if (m->eq_type[e] == mjEQ_JOINT) {
    if (b < 0)
      return "a joint that is held is no joint: leave it out";
    for (int k = 0; k < e; k++)
      if (m->eq_type[k] == mjEQ_JOINT && m->eq_active[k] && m->eq_obj1id[k] == a)
        return "its joint is held to another one before";
    put_coupling (e);
    return NULL;
  }
  if (m->eq_type[e] != mjEQ_CONNECT && m->eq_type[e] != mjEQ_WELD)
    return "equalities of tendons are not read";
  if (a == 0)
    return "its first body is the world";
  begin_constraint (m->eq_type[e] == mjEQ_CONNECT ? "point" : "weld", numbers[a],
                    b > 0 ? numbers[b] : -1);
  if (m->eq_type[e] == mjEQ_CONNECT) {
    put_numbers ("anchor", 3, data);
  } else {
    double at[3];

    /* The anchor in the file is a point of the second body. */
    mju_rotVecQuat (at, data, data + WELD_POSE + 3);
    mju_sub3 (at, data + WELD_POSE, at);
    put_numbers ("at", 3, at);
    put_numbers ("turned", 4, data + WELD_POSE + 3);
  }
  end_component ();
  return NULL;
}

/* Bodies that do not touch each other; the world has an object of its own. */
static void
put_exclude (int i, const int *numbers, int world)
{
  int a = (m->exclude_signature[i] >> 16) - 1, b = (m->exclude_signature[i] & 0xffff) - 1;

  begin_constraint ("exclude", a > 0 ? numbers[a] : world, b > 0 ? numbers[b] : world);
  end_component ();
}

static void
put_constraints (const int *numbers, int world, const char **equalities)
{
  printf ("\"constraints\":[");
  for (int e = 0; e < m->neq; e++)
    equalities[e] = put_equality (e, numbers);
  for (int i = 0; i < m->nexclude; i++)
    put_exclude (i, numbers, world);
  printf ("],");
}

static int
is_driven_tendon (int tendon)
{
  for (int i = 0; i < m->nu; i++) {
    double gear;

    if (m->actuator_trntype[i] == mjTRN_TENDON && m->actuator_trnid[2 * i] == tendon &&
        find_driven (i, &gear) >= 0)
      return 1;
  }
  return 0;
}

static void
put_all_left (const char **actuators, const int *sensors, const char **equalities)
{
  printf ("\"left\":[");
  for (int i = 0; i < m->nu; i++)
    if (actuators[i] != NULL)
      put_left ("actuator", mj_id2name (m, mjOBJ_ACTUATOR, i), i, actuators[i]);
  for (int i = 0; i < m->nsensor; i++)
    if (!sensors[i])
      put_left ("sensor", mj_id2name (m, mjOBJ_SENSOR, i), i, "no component measures that");
  for (int i = 0; i < m->neq; i++)
    if (equalities[i] != NULL)
      put_left ("equality", mj_id2name (m, mjOBJ_EQUALITY, i), i, equalities[i]);
  for (int i = 0; i < m->ntendon; i++)
    if (!is_driven_tendon (i))
      put_left ("tendon", mj_id2name (m, mjOBJ_TENDON, i), i,
                "only those are read by which a motor drives joints that go together");
  for (int i = 0; i < m->ncam; i++)
    if (m->cam_mode[i] != mjCAMLIGHT_FIXED)
      put_left ("camera", mj_id2name (m, mjOBJ_CAMERA, i), i,
                "it follows by itself what it looks at");
  for (int i = 0; i < m->nskin; i++)
    put_left ("skin", mj_id2name (m, mjOBJ_SKIN, i), i, "skins are not read");
  printf ("],");
}

/* --- <option> --- */

static void
put_options (void)
{
  static const char *const integrators[] = { "Euler", "RK4", "implicit" };
  static const double none[3] = { 0, 0, 0 };

  printf ("\"options\":{");
  put_numbers ("gravity", 3, m->opt.disableflags & mjDSBL_GRAVITY ? none : m->opt.gravity);
  put_numbers ("wind", 3, m->opt.wind);
  put_number ("density", m->opt.density);
  put_number ("viscosity", m->opt.viscosity);
  put_number ("timestep", m->opt.timestep);
  put_text ("integrator", integrators[m->opt.integrator]);
  put_text ("cone", m->opt.cone == mjCONE_ELLIPTIC ? "elliptic" : "pyramidal");
  end_component ();
  printf (",");
}

static void *
allocate (int n, size_t size)
{
  void *memory = calloc (n > 0 ? (size_t) n : 1, size);

  if (memory == NULL)
    end ("no memory");
  return memory;
}

/* The shapes of the world are no part of a robot; objects whose names begin with an underscore are
 * left out of one. */
static void
put_world (void)
{
  begin_object ("_world", "", 0, -1);
  put_numbers ("at", 3, (double[]){ 0, 0, 0 });
  put_numbers ("turned", 4, (double[]){ 1, 0, 0, 0 });
  put_geoms (0);
  printf ("\"type\":\"static\"}],");
}

int
main (int argc, char **argv)
{
  char words[1000] = "";
  const char **actuators, **equalities;
  int *numbers, *sensors;

  mju_user_error = end;
  mju_user_warning = pass_over;
  if (argc != 2)
    end ("usage: read-mjcf FILE");
  m = mj_loadXML (argv[1], NULL, words, sizeof words);
  if (m == NULL)
    end (words);
  numbers = allocate (m->nbody, sizeof *numbers);
  joint_objects = allocate (m->njnt, sizeof *joint_objects);
  actuators = allocate (m->nu, sizeof *actuators);
  equalities = allocate (m->neq, sizeof *equalities);
  sensors = allocate (m->nsensor, sizeof *sensors);
  printf ("{");
  printf ("\"objects\":[");
  numbers[0] = -1;
  for (int i = 1; i < m->nbody; i++)
    numbers[i] = put_body (i, numbers[m->body_parentid[i]], m->body_parentid[i] == 0);
  put_world ();
  put_components (numbers, n_objects - 1, actuators, sensors);
  put_constraints (numbers, n_objects - 1, equalities);
  put_options ();
  put_all_left (actuators, sensors, equalities);
  printf ("\"end\":0}\n");
  free (numbers);
  free (joint_objects);
  free (actuators);
  free (equalities);
  free (sensors);
  mj_deleteModel ((mjModel *) m);
  return fflush (stdout) == 0 ? 0 : 1;
}
