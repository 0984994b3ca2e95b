/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the convex hull of a shape's points with MuJoCo's compiler. */
#include "hull.h"

#include "guard.h"

#include <mujoco/mujoco.h>
#include <string.h>

/* MuJoCo's compiler computes the hull of a mesh that has only points. */

#define FILE_NAME "hull.xml"

typedef struct {
  mjVFS *vfs;
  char words[256];
  mjModel *model;
} Load;

static void
load (gpointer data)
{
  Load *self = data;

  self->model = mj_loadXML (FILE_NAME, self->vfs, self->words, sizeof self->words);
}

static char *
write_xml (const OrreryVec3 *points, gsize n, gsize *length)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *data;

  orrery_writer_append_text (writer, "<mujoco><asset><mesh name=\"m\" vertex=\"");
  for (gsize i = 0; i < 3 * n; i++) {
    orrery_writer_append_double (writer, ((const double *) points)[i]);
    orrery_writer_append_char (writer, ' ');
  }
  orrery_writer_append_text (writer, "\"/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/>"
                                     "</worldbody></mujoco>");
  data = orrery_writer_get_data (writer, length);
  return g_strndup (data, *length);
}

static mjModel *
compile (const OrreryVec3 *points, gsize n)
{
  g_autofree mjVFS *vfs = g_new (mjVFS, 1);
  Load self = { .vfs = vfs };
  gsize length;
  g_autofree char *xml = write_xml (points, n, &length);

  mj_defaultVFS (vfs);
  if (mj_makeEmptyFileVFS (vfs, FILE_NAME, (int) length + 1) != 0)
    return NULL;
  memcpy (vfs->filedata[mj_findFileVFS (vfs, FILE_NAME)], xml, length + 1);
  if (!guard_run (load, &self, NULL))
    self.model = NULL;
  mj_deleteVFS (vfs);
  return self.model;
}

/* The compiler moves a mesh to its centre of mass and turns it to its axes of inertia. */
static OrreryVec3 *
get_points (const mjModel *model)
{
  OrreryVec3 *points = g_new (OrreryVec3, (gsize) model->nmeshvert);
  OrreryTransform pose = {
    { model->geom_pos[0], model->geom_pos[1], model->geom_pos[2] },
    { model->geom_quat[0], model->geom_quat[1], model->geom_quat[2], model->geom_quat[3] },
  };

  for (int i = 0; i < model->nmeshvert; i++) {
    const float *v = &model->mesh_vert[3 * i];

    points[i] = (OrreryVec3){ v[0], v[1], v[2] };
    orrery_transform_apply (&pose, &points[i], &points[i]);
  }
  return points;
}

static void
add_box (Mesh *mesh, const OrreryVec3 *points, gsize n)
{
  static const guint32 corners[36] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };
  OrreryVec3 low = points[0], high = points[0];
  OrreryVec3 box[8];

  for (gsize i = 1; i < n; i++) {
    orrery_vec3_widen (&low, &high, &points[i]);
  }
  for (guint i = 0; i < 8; i++)
    box[i] = (OrreryVec3){ (i & 1) != 0 ? high.x : low.x, (i & 2) != 0 ? high.y : low.y,
                           (i & 4) != 0 ? high.z : low.z };
  mesh_add_triangles (mesh, box, 8, corners, 12, NULL, G_MAXUINT, NULL);
}

void
hull_add_shape (Mesh *mesh, OrreryShape *shape)
{
  OrreryBuffer *buffer = orrery_shape_get_points (shape);
  const OrreryVec3 *points = orrery_buffer_get_data (buffer);
  gsize n = orrery_buffer_get_length (buffer, 0);
  mjModel *model = n >= 4 ? compile (points, n) : NULL;
  g_autofree OrreryVec3 *found = model != NULL ? get_points (model) : NULL;

  if (model != NULL)
    mesh_add_triangles (mesh, found, (guint) model->nmeshvert,
                        (const guint32 *) (gpointer) model->mesh_face, (guint) model->nmeshface,
                        NULL, G_MAXUINT, NULL);
  else if (n > 0)
    add_box (mesh, points, n);
  if (model != NULL)
    mj_deleteModel (model);
}
