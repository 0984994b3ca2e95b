/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Many small cameras in one simulation beside the calls of MuJoCo's renderer alone for the same
 * views: mjr_render and mjr_readPixels for each, nothing else.
 */
#include "../plugins/renderers/mujoco/gl.h"
#include "scene.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

#define N_THINGS 60
#define N_CAMERAS 256
#define SIZE 64
#define TICKS 1
#define ROUNDS 5
/* rad, of all cameras */
#define PITCH 0.3
/* rad, of the picture: 32 mm behind a lens of 25 mm */
#define FOV (2 * atan (16.0 / 25))

static void
get_place (guint i, double *x, double *y)
{
  *x = 4 + 1.5 * (i / 10);
  *y = -6.75 + 1.5 * (i % 10);
}

/* They stand in a row and look about by a bit more than half a right angle. */
static double
get_yaw (guint i)
{
  return 0.8 * (2.0 * i / (N_CAMERAS - 1) - 1);
}

static double
get_left (guint i)
{
  return 0.01 * i - 1.28;
}

/* --- the host's --- */

static void
begin_scene (BenchScene *scene)
{
  static const char *const shapes[] = { "\"kind\": \"box\", \"size\": [1, 1, 1]",
                                        "\"kind\": \"sphere\", \"radius\": 0.5",
                                        "\"kind\": \"cylinder\", \"radius\": 0.5, \"height\": 1" };

  bench_scene_init (scene, "orrery.physics.kinematic.Kinematic");
  bench_scene_add_object (scene,
                          "{\"name\": \"floor\", \"shapes\": [{\"kind\": \"box\", \"size\": [80, "
                          "80, 0.2], \"position\": [0, 0, -0.1]}]}");
  for (guint i = 0; i < N_THINGS; i++) {
    double x, y;

    get_place (i, &x, &y);
    bench_scene_add_object (scene,
                            "{\"name\": \"thing%u\", \"position\": [%.3f, %.3f, 0.5], "
                            "\"shapes\": [{%s, \"color\": [1, 0.5, 0]}]}",
                            i, x, y, shapes[i % 3]);
  }
}

static OrrerySimulation *
make_simulation (const char *classpath)
{
  g_autoptr (GString) cameras = g_string_new (NULL);
  BenchScene scene;

  begin_scene (&scene);
  for (guint i = 0; i < N_CAMERAS; i++)
    g_string_append_printf (
        cameras,
        "%s{\"name\": \"c%u\", \"classpath\": \"orrery.sensors.%s\", \"frequency\": 60, "
        "\"position\": [0, %.9g, 3], \"rotation\": [0, %g, %.9g], \"properties\": "
        "{\"cam_width\": %d, \"cam_height\": %d, \"cam_focal\": 25}}",
        i > 0 ? ", " : "", i, classpath, get_left (i), PITCH, get_yaw (i), SIZE, SIZE);
  bench_scene_add_object (&scene,
                          "{\"name\": \"eyes\", \"classpath\": \"orrery.core.robot.Robot\", "
                          "\"objects\": [%s]}",
                          cameras->str);
  return bench_scene_load (&scene);
}

/* --- MuJoCo's alone --- */

typedef struct {
  GlContext *gl;
  mjModel *model;
  mjData *data;
  mjvScene scene;
  mjrContext context;
  guint8 *pixels;
} Alone;

static mjModel *
load_model (gboolean ids)
{
  static const char *const shapes[] = { "type='box' size='.5 .5 .5'", "type='sphere' size='.5'",
                                        "type='cylinder' size='.5 .5'" };
  g_autoptr (GString) xml = g_string_new (NULL);
  g_autofree mjVFS *vfs = g_new (mjVFS, 1);
  char words[256];
  mjModel *model;

  g_string_printf (xml,
                   "<mujoco><compiler angle='radian'/><visual><global offwidth='%d' "
                   "offheight='%d'/><quality offsamples='%d' shadowsize='0'/><map znear='0.1' "
                   "zfar='100'/></visual><statistic extent='1'/><asset><texture type='skybox' "
                   "builtin='gradient' rgb1='.4 .6 .8' rgb2='.8 .9 .9' width='64' "
                   "height='384'/></asset><worldbody><light directional='true' dir='.36 .28 "
                   "-.89' castshadow='false'/><geom type='box' size='40 40 .1' pos='0 0 -.1'/>",
                   SIZE, SIZE, ids ? 0 : 4);
  for (guint i = 0; i < N_CAMERAS; i++) {
    double yaw = get_yaw (i);

    g_string_append_printf (
        xml, "<camera pos='0 %.9g 3' xyaxes='%.9g %.9g 0 %.9g %.9g %.9g' fovy='%.9g'/>",
        get_left (i), sin (yaw), -cos (yaw), sin (PITCH) * cos (yaw), sin (PITCH) * sin (yaw),
        cos (PITCH), FOV * 180 / G_PI);
  }
  for (guint i = 0; i < N_THINGS; i++) {
    double x, y;

    get_place (i, &x, &y);
    g_string_append_printf (xml, "<geom %s pos='%.3f %.3f .5' rgba='1 .5 0 1'/>", shapes[i % 3], x,
                            y);
  }
  g_string_append (xml, "</worldbody></mujoco>");
  mj_defaultVFS (vfs);
  mj_makeEmptyFileVFS (vfs, "m.xml", (int) xml->len + 1);
  memcpy (vfs->filedata[mj_findFileVFS (vfs, "m.xml")], xml->str, xml->len + 1);
  model = mj_loadXML ("m.xml", vfs, words, sizeof words);
  mj_deleteVFS (vfs);
  if (model == NULL)
    g_error ("%s", words);
  return model;
}

static void
open_alone (Alone *self, gboolean ids)
{
  mjvOption option;
  mjvCamera camera;
  GError *error = NULL;

  self->gl = gl_context_new (GL_ANY, &error);
  if (self->gl == NULL || !gl_context_enter (self->gl, &error))
    g_error ("%s", error->message);
  self->model = load_model (ids);
  self->data = mj_makeData (self->model);
  mj_forward (self->model, self->data);
  mjv_defaultScene (&self->scene);
  mjv_makeScene (self->model, &self->scene, 1000);
  mjv_defaultOption (&option);
  mjv_defaultCamera (&camera);
  self->scene.flags[mjRND_SHADOW] = self->scene.flags[mjRND_REFLECTION] = 0;
  self->scene.flags[mjRND_HAZE] = 0;
  self->scene.flags[mjRND_SKYBOX] = !ids;
  self->scene.flags[mjRND_SEGMENT] = self->scene.flags[mjRND_IDCOLOR] = ids;
  mjv_updateScene (self->model, self->data, &option, NULL, &camera, mjCAT_ALL, &self->scene);
  mjr_defaultContext (&self->context);
  mjr_makeContext (self->model, &self->context, mjFONTSCALE_50);
  mjr_setBuffer (mjFB_OFFSCREEN, &self->context);
  self->pixels = g_malloc (3 * SIZE * SIZE);
}

static void
close_alone (Alone *self)
{
  gl_context_enter (self->gl, NULL);
  mjr_freeContext (&self->context);
  mjv_freeScene (&self->scene);
  mj_deleteData (self->data);
  mj_deleteModel (self->model);
  gl_context_leave (self->gl);
  gl_context_free (self->gl);
  g_free (self->pixels);
}

/* ns of all views */
static double
measure_alone (Alone *self)
{
  mjrRect rect = { 0, 0, SIZE, SIZE };
  mjvCamera camera;
  gint64 start;

  mjv_defaultCamera (&camera);
  camera.type = mjCAMERA_FIXED;
  gl_context_enter (self->gl, NULL);
  start = bench_now ();
  for (guint tick = 0; tick < TICKS; tick++)
    for (int i = 0; i < N_CAMERAS; i++) {
      camera.fixedcamid = i;
      mjv_updateCamera (self->model, self->data, &camera, &self->scene);
      mjr_render (rect, &self->scene, &self->context);
      mjr_readPixels (self->pixels, NULL, rect, &self->context);
    }
  start = bench_now () - start;
  gl_context_leave (self->gl);
  return (double) start / TICKS;
}

/* --- both --- */

/* Share of the pixels of the last camera in which both see the same. Ours has the ground of the
 * empty environment as well, in the plane of the floor: its ids are one more. */
static double
compare_last (OrrerySimulation *simulation, const Alone *alone)
{
  g_autofree char *name = g_strdup_printf ("eyes.c%d", N_CAMERAS - 1);
  OrreryComponent *camera = orrery_simulation_find_component (simulation, name);
  g_autoptr (OrreryBuffer) image =
      orrery_record_get_buffer (orrery_component_get_record (camera), "instances");
  const guint16 *ours = orrery_buffer_get_data (image);
  guint n = 0;

  for (guint i = 0; i < SIZE * SIZE; i++) {
    const guint8 *theirs = alone->pixels + 3 * ((SIZE - 1 - i / SIZE) * SIZE + i % SIZE);

    n += (ours[i] > 1 ? ours[i] - 1 : ours[i]) == (theirs[0] | theirs[1] << 8 | theirs[2] << 16)
             ? 1
             : 0;
  }
  return (double) n / (SIZE * SIZE);
}

static void
compare (const char *kind, const char *classpath, gboolean ids)
{
  OrrerySimulation *simulation = make_simulation (classpath);
  Alone alone = { 0 };
  double ours[ROUNDS], theirs[ROUNDS], ratios[ROUNDS];
  g_autofree char *name = g_strdup_printf ("pictures.%s.%dx%dx%d", kind, N_CAMERAS, SIZE, SIZE);
  g_autofree char *bare = g_strconcat (name, ".mujoco", NULL);
  g_autofree char *ratio = g_strconcat (name, ".times-mujoco", NULL);

  open_alone (&alone, ids);
  bench_ticks (simulation, 1);
  measure_alone (&alone);
  for (guint i = 0; i < ROUNDS; i++) {
    ours[i] = bench_ticks (simulation, TICKS);
    theirs[i] = measure_alone (&alone);
    ratios[i] = ours[i] / theirs[i];
  }
  bench_print (name, bench_least (ours, ROUNDS) * 1e-6, "ms/tick");
  bench_print (bare, bench_least (theirs, ROUNDS) * 1e-6, "ms/tick");
  bench_print (ratio, bench_median (ratios, ROUNDS), "times");
  if (ids && compare_last (simulation, &alone) < 0.98)
    g_error ("the views are not the same: %g", compare_last (simulation, &alone));
  close_alone (&alone);
  g_object_unref (simulation);
}

int
main (void)
{
  compare ("colours", "video_camera.VideoCamera", FALSE);
  compare ("ids", "segmentation_camera.SegmentationCamera", TRUE);
  return 0;
}
