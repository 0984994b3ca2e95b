/* SPDX-License-Identifier: BSD-3-Clause */
/* The renderer role on top of MuJoCo's renderer. */
#include "frame.h"
#include "gl.h"
#include "guard.h"

#include <string.h>

/*
 * Draws with MuJoCo's renderer, without a display: over EGL, or OSMesa where that is missing.
 * Surfaces are seen from both sides. A world without lamps is lit from its cameras.
 */
typedef struct {
  OrreryRenderer parent_instance;

  int backend; /* GlKind */
  int samples;

  OrreryWorld *world;
  GlContext *gl;
  mjModel *empty; /* what a context is made of besides meshes and textures */
  Frame frame;
  gboolean has_context;
  guint width; /* of the context's buffer */
  guint height;
} OrreryMuJoCoRenderer;
ORRERY_DEFINE_CLASS (OrreryMuJoCoRenderer, orrery_mujoco_renderer, OrreryRenderer, orrery_renderer)

static GType
backend_get_type (void)
{
  static const GEnumValue values[] = { { GL_ANY, "GL_ANY", "any" },
                                       { GL_EGL, "GL_EGL", "egl" },
                                       { GL_OSMESA, "GL_OSMESA", "osmesa" },
                                       { 0, NULL, NULL } };
  static GType type;

  if (type == 0)
    type = g_enum_register_static ("OrreryMuJoCoBackend", values);
  return type;
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_ENUM (OrreryMuJoCoRenderer, backend, "backend", backend_get_type, GL_ANY,
                        "The library that makes the OpenGL context",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryMuJoCoRenderer, samples, "samples", 0, 16, 0,
                       "Samples of each pixel, against jagged edges",
                       .flags = ORRERY_PROPERTY_AT_START),
};

/* --- building --- */

static void
load_empty (gpointer data)
{
  static const char xml[] = "<mujoco/>";
  OrreryMuJoCoRenderer *self = data;
  g_autofree mjVFS *vfs = g_new (mjVFS, 1);
  char words[256];

  mj_defaultVFS (vfs);
  if (mj_makeEmptyFileVFS (vfs, "empty.xml", sizeof xml) == 0) {
    memcpy (vfs->filedata[mj_findFileVFS (vfs, "empty.xml")], xml, sizeof xml);
    self->empty = mj_loadXML ("empty.xml", vfs, words, sizeof words);
  }
  mj_deleteVFS (vfs);
}

static void
orrery_mujoco_renderer_build (OrreryRenderer *renderer, OrreryWorld *world, GError **error)
{
  OrreryMuJoCoRenderer *self = (OrreryMuJoCoRenderer *) renderer;

  self->world = g_object_ref (world);
  self->gl = gl_context_new (self->backend, error);
  if (self->gl == NULL || !guard_run (load_empty, self, error))
    return;
  if (self->empty == NULL)
    orrery_set_error (error, ORRERY_ERROR_INTERNAL, "MuJoCo makes no empty model");
}

/* --- the context, which is made with the first picture --- */

static void
free_context (gpointer data)
{
  OrreryMuJoCoRenderer *self = data;

  mjr_freeContext (&self->frame.context);
}

static void
close_context (OrreryMuJoCoRenderer *self)
{
  if (!self->has_context)
    return;
  self->has_context = FALSE;
  guard_run (free_context, self, NULL);
  frame_clear (&self->frame);
}

static void
make_context (gpointer data)
{
  OrreryMuJoCoRenderer *self = data;
  g_autofree mjModel *model = g_memdup2 (self->empty, sizeof *model);

  frame_fill_model (&self->frame, model);
  model->vis.global.offwidth = (int) self->width;
  model->vis.global.offheight = (int) self->height;
  model->vis.quality.offsamples = self->samples;
  mjr_defaultContext (&self->frame.context);
  mjr_makeContext (model, &self->frame.context, mjFONTSCALE_50);
  mjr_setBuffer (mjFB_OFFSCREEN, &self->frame.context);
}

static gboolean
open_context (OrreryMuJoCoRenderer *self, const OrreryView *view, GError **error)
{
  gpointer read_pixels = gl_context_find (self->gl, "glReadPixels");

  if (self->has_context && view->width <= self->width && view->height <= self->height)
    return TRUE;
  close_context (self);
  self->width = MAX (self->width, view->width);
  self->height = MAX (self->height, view->height);
  self->has_context = frame_init (&self->frame, self->world, read_pixels, error) &&
                      guard_run (make_context, self, error);
  if (self->has_context && self->frame.context.currentBuffer == mjFB_OFFSCREEN)
    return TRUE;
  if (self->has_context)
    orrery_set_error (error, ORRERY_ERROR_IO, "OpenGL gives no buffer of %u x %u pixels",
                      self->width, self->height);
  close_context (self);
  frame_clear (&self->frame);
  return FALSE;
}

/* --- drawing --- */

typedef struct {
  OrreryMuJoCoRenderer *self;
  OrrerySnapshot *snapshot;
  const OrreryView *view;
  const OrreryPicture *picture;
} Job;

static void
draw (gpointer data)
{
  Job *job = data;

  frame_draw (&job->self->frame, job->snapshot, job->view, job->picture);
}

static void
orrery_mujoco_renderer_render (OrreryRenderer *renderer, OrrerySnapshot *snapshot,
                               const OrreryView *view, const OrreryPicture *picture, GError **error)
{
  OrreryMuJoCoRenderer *self = (OrreryMuJoCoRenderer *) renderer;
  Job job = { self, snapshot, view, picture };

  if (!gl_context_enter (self->gl, error))
    return;
  if (open_context (self, view, error))
    guard_run (draw, &job, error);
  gl_context_leave (self->gl);
}

static void
orrery_mujoco_renderer_finalize (GObject *object)
{
  OrreryMuJoCoRenderer *self = (OrreryMuJoCoRenderer *) object;

  if (self->gl != NULL && self->has_context && gl_context_enter (self->gl, NULL)) {
    close_context (self);
    gl_context_leave (self->gl);
  }
  g_clear_pointer (&self->gl, gl_context_free);
  g_clear_pointer (&self->empty, mj_deleteModel);
  g_clear_object (&self->world);
  G_OBJECT_CLASS (orrery_mujoco_renderer_parent_class)->finalize (object);
}

static void
orrery_mujoco_renderer_class_init (OrreryMuJoCoRendererClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_mujoco_renderer_finalize;
  ORRERY_RENDERER_CLASS (klass)->build = orrery_mujoco_renderer_build;
  ORRERY_RENDERER_CLASS (klass)->render = orrery_mujoco_renderer_render;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("MuJoCo's renderer, without a display", "BSD-3-Clause",
               ORRERY_CLASS (MuJoCo, OrreryMuJoCoRenderer, orrery_mujoco_renderer))
