/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the JSON of read-mjcf, and the shapes of a body in it. */
#include "read-mjcf.h"

#include <math.h>
#include <stdio.h>

/* m, half: what stands for a plane without end; and how thick it is. */
#define PLANE_HALF 500.0
#define PLANE_DEPTH 0.5
#define ROUND 16

/* --- JSON --- */

void
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

void
put_numbers (const char *key, int n, const double *numbers)
{
  printf ("\"%s\":[", key);
  for (int i = 0; i < n; i++)
    printf ("%s%.17g", i > 0 ? "," : "", isfinite (numbers[i]) ? numbers[i] : 0.0);
  printf ("],");
}

void
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
  if (m->geom_matid[i] >= 0)
    put_text ("material", m->names + m->name_matadr[m->geom_matid[i]]);
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

void
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
