/* SPDX-License-Identifier: BSD-3-Clause */
/* The renderer role on top of MuJoCo's renderer. */
#include "frame.h"
#include "gl.h"
#include "guard.h"

#include <string.h>

/* A context and what is drawn in it. */
typedef struct {
  Frame frame;
  gboolean has_context;
  guint width; /* of the context's buffer */
  guint height;
  int samples;
} Canvas;

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
  mjModel *empty;     /* what a context is made of besides meshes and textures */
  Canvas canvases[2]; /* for colours, with samples; for depths and objects, without */
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
  ORRERY_PROPERTY_INT (OrreryMuJoCoRenderer, samples, "samples", 0, 16, 4,
                       "Samples of each pixel of a colour, against jagged edges",
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
  mjr_freeContext (&((Canvas *) data)->frame.context);
}

static void
close_context (Canvas *canvas)
{
  if (!canvas->has_context)
    return;
  canvas->has_context = FALSE;
  guard_run (free_context, canvas, NULL);
  frame_clear (&canvas->frame);
}

/* The buffer that is drawn into is that of the context which was made last. */
static void
use_context (gpointer data)
{
  mjr_setBuffer (mjFB_OFFSCREEN, &((Canvas *) data)->frame.context);
}

typedef struct {
  OrreryMuJoCoRenderer *self;
  Canvas *canvas;
  OrrerySnapshot *snapshot;
  const OrreryView *view;
  const OrreryPicture *picture;
} Job;

static void
make_context (gpointer data)
{
  const Job *job = data;
  Canvas *canvas = job->canvas;
  g_autofree mjModel *model = g_memdup2 (job->self->empty, sizeof *model);

  frame_fill_model (&canvas->frame, model);
  model->vis.global.offwidth = (int) canvas->width;
  model->vis.global.offheight = (int) canvas->height;
  model->vis.quality.offsamples = canvas->samples;
  mjr_defaultContext (&canvas->frame.context);
  mjr_makeContext (model, &canvas->frame.context, mjFONTSCALE_50);
  mjr_setBuffer (mjFB_OFFSCREEN, &canvas->frame.context);
}

static gboolean
init_frame (OrreryMuJoCoRenderer *self, Frame *frame, GError **error)
{
  FrameCalls calls = { 0 };

  *(gpointer *) &calls.read_pixels = gl_context_find (self->gl, "glReadPixels");
  *(gpointer *) &calls.bind_framebuffer = gl_context_find (self->gl, "glBindFramebuffer");
  *(gpointer *) &calls.blit_framebuffer = gl_context_find (self->gl, "glBlitFramebuffer");
  *(gpointer *) &calls.enable = gl_context_find (self->gl, "glEnable");
  *(gpointer *) &calls.disable = gl_context_find (self->gl, "glDisable");
  *(gpointer *) &calls.polygon_offset = gl_context_find (self->gl, "glPolygonOffset");
  return frame_init (frame, self->world, &calls, error);
}

static gboolean
open_context (Job *job, GError **error)
{
  OrreryMuJoCoRenderer *self = job->self;
  Canvas *canvas = job->canvas;
  const OrreryView *view = job->view;

  if (canvas->has_context && view->width <= canvas->width && view->height <= canvas->height &&
      frame_has_all (&canvas->frame)) {
    guard_run (use_context, canvas, NULL);
    return TRUE;
  }
  close_context (canvas);
  canvas->width = MAX (canvas->width, view->width);
  canvas->height = MAX (canvas->height, view->height);
  canvas->has_context =
      init_frame (self, &canvas->frame, error) && guard_run (make_context, job, error);
  if (canvas->has_context && canvas->frame.context.currentBuffer == mjFB_OFFSCREEN)
    return TRUE;
  if (canvas->has_context)
    orrery_set_error (error, ORRERY_ERROR_IO, "OpenGL gives no buffer of %u x %u pixels",
                      canvas->width, canvas->height);
  close_context (canvas);
  frame_clear (&canvas->frame);
  return FALSE;
}

/* --- drawing --- */

static void
draw_color (gpointer data)
{
  Job *job = data;

  frame_draw_color (&job->canvas->frame, job->snapshot, job->view, job->picture->color);
}

static void
draw_data (gpointer data)
{
  Job *job = data;

  frame_draw_data (&job->canvas->frame, job->snapshot, job->view, job->picture);
}

static void
orrery_mujoco_renderer_render (OrreryRenderer *renderer, OrrerySnapshot *snapshot,
                               const OrreryView *view, const OrreryPicture *picture, GError **error)
{
  OrreryMuJoCoRenderer *self = (OrreryMuJoCoRenderer *) renderer;
  Job job = { self, &self->canvases[0], snapshot, view, picture };
  gboolean fine = TRUE;

  if (!gl_context_enter (self->gl, error))
    return;
  self->canvases[0].samples = self->samples;
  if (picture->color != NULL)
    fine = open_context (&job, error) && guard_run (draw_color, &job, error);
  /* Of several samples of a depth one would be kept, which is not that of the middle. */
  job.canvas = &self->canvases[self->samples > 0];
  if (fine && (picture->depth != NULL || picture->objects != NULL) && open_context (&job, error))
    guard_run (draw_data, &job, error);
  gl_context_leave (self->gl);
}

static void
orrery_mujoco_renderer_finalize (GObject *object)
{
  OrreryMuJoCoRenderer *self = (OrreryMuJoCoRenderer *) object;

  if (self->gl != NULL && gl_context_enter (self->gl, NULL)) {
    for (guint i = 0; i < G_N_ELEMENTS (self->canvases); i++)
      close_context (&self->canvases[i]);
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
