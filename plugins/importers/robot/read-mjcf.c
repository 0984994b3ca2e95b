/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles one MJCF file by MuJoCo, in a process of its own, and writes what it says as JSON: a
 * list of objects, parents first, each with the number of its parent, pose, body, joint and shapes.
 */
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define MAX_MEMORY (2ul << 30)
#define MAX_CPU 50
/* m, half: what stands for a plane without end; and how thick it is. */
#define PLANE_HALF 500.0
#define PLANE_DEPTH 0.5
#define ROUND 16

static const mjModel *m;
static int n_objects;

/* MuJoCo's own would write a file and wait at the terminal. */
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

static void
set_limits (void)
{
  const struct rlimit cpu = { MAX_CPU, MAX_CPU }, none = { 0, 0 };

  setrlimit (RLIMIT_CPU, &cpu);
  setrlimit (RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__
  setrlimit (RLIMIT_AS, &(struct rlimit){ MAX_MEMORY, MAX_MEMORY });
#endif
}

/* --- JSON --- */

static void
put_text (const char *key, const char *text)
{
  printf ("\"%s\":\"", key);
  for (; *text != '\0'; text++)
    if (*text == '"' || *text == '\\')
      printf ("\\%c", *text);
    else if ((unsigned char) *text < ' ')
      putchar (' ');
    else
      putchar (*text);
  printf ("\",");
}

static void
put_numbers (const char *key, int n, const double *numbers)
{
  printf ("\"%s\":[", key);
  for (int i = 0; i < n; i++)
    printf ("%s%.17g", i > 0 ? "," : "", isfinite (numbers[i]) ? numbers[i] : 0.0);
  printf ("],");
}

static void
put_number (const char *key, double number)
{
  printf ("\"%s\":%.17g,", key, isfinite (number) ? number : 0.0);
}

/* --- shapes --- */

static void
begin_points (const char *kind)
{
  put_text ("kind", kind);
  printf ("\"points\":[");
}

static void
put_points (const float *v, int n)
{
  for (int i = 0; i < n; i++)
    printf ("%s[%.9g,%.9g,%.9g]", i > 0 ? "," : "", v[3 * i], v[3 * i + 1], v[3 * i + 2]);
  printf ("],");
}

static void
put_ellipsoid (const double *size)
{
  begin_points ("hull");
  for (int i = 0; i <= ROUND / 2; i++)
    for (int k = 0; k < ROUND; k++) {
      double up = mjPI * i / (ROUND / 2), round = 2 * mjPI * k / ROUND;

      printf ("%s[%.9g,%.9g,%.9g]", i + k > 0 ? "," : "", size[0] * sin (up) * cos (round),
              size[1] * sin (up) * sin (round), size[2] * cos (up));
    }
  printf ("],");
}

static void
put_mesh (int id, int solid)
{
  const int *faces = m->mesh_face + 3 * m->mesh_faceadr[id];

  begin_points (solid ? "hull" : "mesh");
  put_points (m->mesh_vert + 3 * m->mesh_vertadr[id], m->mesh_vertnum[id]);
  printf ("\"triangles\":[");
  for (int i = 0; i < m->mesh_facenum[id]; i++)
    printf ("%s[%d,%d,%d]", i > 0 ? "," : "", faces[3 * i], faces[3 * i + 1], faces[3 * i + 2]);
  printf ("],");
}

static void
put_field (int id)
{
  const double *size = m->hfield_size + 4 * id;
  const float *data = m->hfield_data + m->hfield_adr[id];
  int rows = m->hfield_nrow[id], columns = m->hfield_ncol[id];

  begin_points ("mesh");
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++)
      printf ("%s[%.9g,%.9g,%.9g]", r + c > 0 ? "," : "", size[0] * (2.0 * c / (columns - 1) - 1),
              size[1] * (2.0 * r / (rows - 1) - 1), size[2] * data[r * columns + c]);
  printf ("],\"triangles\":[");
  for (int r = 0; r + 1 < rows; r++)
    for (int c = 0; c + 1 < columns; c++) {
      int a = r * columns + c, b = a + columns;

      printf ("%s[%d,%d,%d],[%d,%d,%d]", r + c > 0 ? "," : "", a, a + 1, b + 1, a, b + 1, b);
    }
  printf ("],");
}

static void
put_plane (const double *pos, const double *quat, const double *size)
{
  double half[3] = { size[0] > 0 ? size[0] : PLANE_HALF, size[1] > 0 ? size[1] : PLANE_HALF,
                     PLANE_DEPTH };
  double down[3] = { 0, 0, -PLANE_DEPTH }, at[3];

  mju_rotVecQuat (down, down, quat);
  mju_add3 (at, pos, down);
  put_numbers ("at", 3, at);
  put_text ("kind", "box");
  put_numbers ("size", 3, half);
}

static void
put_geom (int i, int *first)
{
  const double *size = m->geom_size + 3 * i;
  int solid = m->geom_contype[i] != 0 || m->geom_conaffinity[i] != 0;
  int type = m->geom_type[i];
  const float *color =
      m->geom_matid[i] >= 0 ? m->mat_rgba + 4 * m->geom_matid[i] : m->geom_rgba + 4 * i;

  printf ("%s{", *first ? "" : ",");
  *first = 0;
  if (type == mjGEOM_PLANE) {
    put_plane (m->geom_pos + 3 * i, m->geom_quat + 4 * i, size);
  } else {
    put_numbers ("at", 3, m->geom_pos + 3 * i);
  }
  put_numbers ("turned", 4, m->geom_quat + 4 * i);
  put_numbers ("color", 4, (double[]){ color[0], color[1], color[2], color[3] });
  printf ("\"visible\":%s,", m->geom_group[i] <= 2 ? "true" : "false");
  if (type == mjGEOM_BOX) {
    put_text ("kind", "box");
    put_numbers ("size", 3, size);
  } else if (type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_CYLINDER) {
    put_text ("kind", type == mjGEOM_SPHERE    ? "sphere"
                      : type == mjGEOM_CAPSULE ? "capsule"
                                               : "cylinder");
    put_numbers ("size", 3, (double[]){ size[0], size[0], size[1] });
  } else if (type == mjGEOM_ELLIPSOID) {
    put_ellipsoid (size);
  } else if (type == mjGEOM_MESH) {
    put_mesh (m->geom_dataid[i], solid);
  } else if (type == mjGEOM_HFIELD) {
    put_field (m->geom_dataid[i]);
  }
  printf ("\"solid\":%s}", solid ? "true" : "false");
}

static void
put_geoms (int body)
{
  double friction = 0;
  int first = 1;

  printf ("\"shapes\":[");
  for (int i = 0; i < m->ngeom; i++) {
    if (m->geom_bodyid[i] != body)
      continue;
    put_geom (i, &first);
    if (m->geom_contype[i] != 0 || m->geom_conaffinity[i] != 0)
      friction = fmax (friction, m->geom_friction[3 * i]);
  }
  printf ("],");
  put_number ("friction", friction);
}

/* --- joints --- */

/* What drives a joint, where it is a motor of a kind that we have. */
static void
put_motor (int joint)
{
  for (int i = 0; i < m->nu; i++) {
    const double *gain = m->actuator_gainprm + mjNGAIN * i;
    const double *bias = m->actuator_biasprm + mjNBIAS * i;
    double gear = m->actuator_gear[6 * i];
    double most = m->actuator_forcelimited[i] ? fabs (m->actuator_forcerange[2 * i + 1] * gear) : 0;
    int affine = m->actuator_biastype[i] == mjBIAS_AFFINE;

    if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_trnid[2 * i] != joint ||
        m->actuator_gaintype[i] != mjGAIN_FIXED)
      continue;
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

/* One without a name is called as its object is. */
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

  /* Of several joints each but the last has an object of its own, without a mass. */
  for (int k = 0; k + 1 < n; k++) {
    begin_object (mj_id2name (m, mjOBJ_JOINT, first + k), "joint", first + k, parent);
    parent = n_objects - 1;
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
  if (n > 0 && !is_free)
    put_joint (first + n - 1);
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

/* Of several on one joint the first is its motor. Returns whether it is one. */
static int
put_actuator (int i, const int *numbers)
{
  const double *bias = m->actuator_biasprm + mjNBIAS * i;
  int affine = m->actuator_biastype[i] == mjBIAS_AFFINE;
  int joint = m->actuator_trnid[2 * i];
  const char *kind = affine && bias[1] != 0   ? "position"
                     : affine && bias[2] != 0 ? "velocity"
                                              : "effort";

  if (m->actuator_trntype[i] != mjTRN_JOINT || m->actuator_gaintype[i] != mjGAIN_FIXED ||
      m->jnt_type[joint] == mjJNT_FREE || m->jnt_type[joint] == mjJNT_BALL)
    return 0;
  for (int k = 0; k < i; k++)
    if (m->actuator_trntype[k] == mjTRN_JOINT && m->actuator_trnid[2 * k] == joint &&
        m->actuator_gaintype[k] == mjGAIN_FIXED)
      return 0;
  begin_component (mj_id2name (m, mjOBJ_ACTUATOR, i), kind, numbers[m->jnt_bodyid[joint]], kind);
  put_joint_name (joint);
  end_component ();
  return 1;
}

static int
put_joint_sensor (int i, const int *numbers)
{
  int type = m->sensor_type[i], joint = m->sensor_objid[i];

  if (type == mjSENS_ACTUATORPOS || type == mjSENS_ACTUATORVEL || type == mjSENS_ACTUATORFRC) {
    if (m->actuator_trntype[joint] != mjTRN_JOINT)
      return 0;
    joint = m->actuator_trnid[2 * joint];
  } else if (type != mjSENS_JOINTPOS && type != mjSENS_JOINTVEL) {
    return 0;
  }
  begin_component (mj_id2name (m, mjOBJ_SENSOR, i), "joint", numbers[m->jnt_bodyid[joint]],
                   "joint");
  put_joint_name (joint);
  end_component ();
  return 1;
}

/* What measures at a place of a body; NULL: nothing that is known. */
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
  /* What stands in the world measures nothing of a robot. */
  if (body <= 0)
    return 0;
  begin_component (mj_id2name (m, mjOBJ_SENSOR, i), kind, numbers[body], kind);
  put_numbers ("at", 3, at);
  put_numbers ("turned", 4, turned);
  put_number ("cutoff", m->sensor_cutoff[i]);
  end_component ();
  return 1;
}

static void
put_components (const int *numbers)
{
  int n_actuators = 0, n_sensors = 0;

  printf ("\"components\":[");
  for (int i = 0; i < m->nu; i++)
    n_actuators += put_actuator (i, numbers);
  for (int i = 0; i < m->nsensor; i++)
    n_sensors += put_joint_sensor (i, numbers) || put_place_sensor (i, numbers);
  printf ("],");
  put_number ("actuators_left", m->nu - n_actuators);
  put_number ("sensors_left", m->nsensor - n_sensors);
  put_number ("tendons_left", m->ntendon);
  put_number ("equalities_left", m->neq);
}

int
main (int argc, char **argv)
{
  char words[1000] = "";
  int *numbers;

  mju_user_error = end;
  mju_user_warning = pass_over;
  set_limits ();
  if (argc != 2)
    end ("usage: read-mjcf FILE");
  m = mj_loadXML (argv[1], NULL, words, sizeof words);
  if (m == NULL)
    end (words);
  numbers = calloc ((size_t) m->nbody, sizeof *numbers);
  if (numbers == NULL)
    end ("no memory");
  printf ("{");
  printf ("\"objects\":[");
  numbers[0] = -1;
  for (int i = 1; i < m->nbody; i++)
    numbers[i] = put_body (i, numbers[m->body_parentid[i]], m->body_parentid[i] == 0);
  /* What is of the world is no part of a robot: names that begin so are left out of one. */
  begin_object ("_world", "", 0, -1);
  put_numbers ("at", 3, (double[]){ 0, 0, 0 });
  put_numbers ("turned", 4, (double[]){ 1, 0, 0, 0 });
  put_geoms (0);
  printf ("\"type\":\"static\"}],");
  put_components (numbers);
  printf ("\"end\":0}\n");
  free (numbers);
  mj_deleteModel ((mjModel *) m);
  return fflush (stdout) == 0 ? 0 : 1;
}
