/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Frames of a camera of the host beside those of MuJoCo's renderer alone, of the same scene. Then
 * what a camera that runs free in a worker takes of the host's ticks, in which a lidar turns.
 */
#include "../plugins/renderers/mujoco/gl.h"
#include "scene.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>
#include <time.h>

#define N_THINGS 60
#define ROUNDS 5

typedef struct {
  guint width;
  guint height;
  guint frames;
} Setting;

static void
get_place (guint i, double *x, double *y, double *z)
{
  *x = 4 + 1.5 * (i / 10);
  *y = -6.75 + 1.5 * (i % 10);
  *z = 0.5;
}

/* --- the host's --- */

/* A floor and things on it. */
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
    double x, y, z;

    get_place (i, &x, &y, &z);
    bench_scene_add_object (scene,
                            "{\"name\": \"thing%u\", \"position\": [%.3f, %.3f, %.3f], "
                            "\"shapes\": [{%s, \"color\": [1, 0.5, 0]}]}",
                            i, x, y, z, shapes[i % 3]);
  }
}

static void
add_camera (BenchScene *scene, const Setting *setting, const char *placement)
{
  bench_scene_add_object (
      scene,
      "{\"name\": \"eye\", \"classpath\": \"orrery.core.robot.Robot\", \"objects\": [{\"name\": "
      "\"camera\", \"classpath\": \"orrery.sensors.video_camera.VideoCamera\", \"frequency\": 60, "
      "%s\"position\": [0, 0, 3], \"rotation\": [0, 0.3, 0], \"properties\": {\"cam_width\": %u, "
      "\"cam_height\": %u, \"cam_focal\": 25}}]}",
      placement, setting->width, setting->height);
}

static OrrerySimulation *
make_simulation (const Setting *setting)
{
  BenchScene scene;

  begin_scene (&scene);
  add_camera (&scene, setting, "");
  return bench_scene_load (&scene);
}

/* --- MuJoCo's alone --- */

typedef struct {
  GlContext *gl;
  mjModel *model;
  mjData *data;
  mjvScene scene;
  mjrContext context;
  mjvOption option;
  mjvCamera camera;
  guint8 *pixels;
} Alone;

static mjModel *
load_model (const Setting *setting)
{
  static const char *const shapes[] = { "type='box' size='.5 .5 .5'", "type='sphere' size='.5'",
                                        "type='cylinder' size='.5 .5'" };
  g_autoptr (GString) xml = g_string_new (NULL);
  g_autofree mjVFS *vfs = g_new (mjVFS, 1);
  double half = atan (setting->height / 2.0 / (setting->width * 25.0 / 32));
  char words[256];
  mjModel *model;

  g_string_printf (xml,
                   "<mujoco><visual><global offwidth='%u' offheight='%u'/><quality "
                   "offsamples='4' shadowsize='0'/><map znear='0.1' zfar='100'/></visual>"
                   "<statistic extent='1'/><asset><texture type='skybox' builtin='gradient' "
                   "rgb1='.4 .6 .8' rgb2='.8 .9 .9' width='64' "
                   "height='384'/></asset><worldbody><light directional='true' dir='.36 .28 "
                   "-.89' castshadow='false'/><geom type='box' size='40 40 .1' pos='0 0 -.1'/>"
                   "<camera name='eye' pos='0 0 3' xyaxes='0 -1 0 .2955 0 .9553' fovy='%.4f'/>",
                   setting->width, setting->height, 2 * half * 180 / G_PI);
  for (guint i = 0; i < N_THINGS; i++) {
    double x, y, z;

    get_place (i, &x, &y, &z);
    g_string_append_printf (xml, "<geom %s pos='%.3f %.3f %.3f' rgba='1 .5 0 1'/>", shapes[i % 3],
                            x, y, z);
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
open_alone (Alone *self, const Setting *setting)
{
  GError *error = NULL;

  self->gl = gl_context_new (GL_ANY, &error);
  if (self->gl == NULL || !gl_context_enter (self->gl, &error))
    g_error ("%s", error->message);
  self->model = load_model (setting);
  self->data = mj_makeData (self->model);
  mj_forward (self->model, self->data);
  mjv_defaultScene (&self->scene);
  mjv_makeScene (self->model, &self->scene, 1000);
  mjv_defaultOption (&self->option);
  mjv_defaultCamera (&self->camera);
  self->camera.type = mjCAMERA_FIXED;
  self->camera.fixedcamid = 0;
  self->scene.flags[mjRND_SHADOW] = self->scene.flags[mjRND_REFLECTION] = 0;
  self->scene.flags[mjRND_HAZE] = 0;
  mjr_defaultContext (&self->context);
  mjr_makeContext (self->model, &self->context, mjFONTSCALE_50);
  mjr_setBuffer (mjFB_OFFSCREEN, &self->context);
  self->pixels = g_malloc (3 * (gsize) setting->width * setting->height);
}

static void
close_alone (Alone *self)
{
  mjr_freeContext (&self->context);
  mjv_freeScene (&self->scene);
  mj_deleteData (self->data);
  mj_deleteModel (self->model);
  gl_context_leave (self->gl);
  gl_context_free (self->gl);
  g_free (self->pixels);
}

/* ns of a frame */
static double
measure_alone (Alone *self, const Setting *setting)
{
  mjrRect rect = { 0, 0, (int) setting->width, (int) setting->height };
  gint64 start;

  gl_context_enter (self->gl, NULL);
  start = bench_now ();
  for (guint i = 0; i < setting->frames; i++) {
    mjv_updateScene (self->model, self->data, &self->option, NULL, &self->camera, mjCAT_ALL,
                     &self->scene);
    mjr_render (rect, &self->scene, &self->context);
    mjr_readPixels (self->pixels, NULL, rect, &self->context);
  }
  start = bench_now () - start;
  gl_context_leave (self->gl);
  return (double) start / setting->frames;
}

static void
compare (const Setting *setting)
{
  OrrerySimulation *simulation = make_simulation (setting);
  Alone alone = { 0 };
  double ours[ROUNDS], theirs[ROUNDS], shares[ROUNDS];
  g_autofree char *name = g_strdup_printf ("cameras.%ux%u", setting->width, setting->height);
  g_autofree char *share = g_strconcat (name, ".of-mujoco", NULL);
  g_autofree char *bare = g_strconcat (name, ".mujoco", NULL);

  open_alone (&alone, setting);
  bench_ticks (simulation, 5);
  measure_alone (&alone, setting);
  for (guint i = 0; i < ROUNDS; i++) {
    ours[i] = bench_ticks (simulation, setting->frames);
    theirs[i] = measure_alone (&alone, setting);
    shares[i] = theirs[i] / ours[i];
  }
  bench_print (name, 1e9 / bench_least (ours, ROUNDS), "frames/s");
  bench_print (bare, 1e9 / bench_least (theirs, ROUNDS), "frames/s");
  bench_print (share, bench_median (shares, ROUNDS), "share");
  gl_context_enter (alone.gl, NULL);
  close_alone (&alone);
  g_object_unref (simulation);
}

/* --- free of the tick --- */

#define FREE_TICKS 150
#define FREE_ROUNDS 7
#define TICK (1e9 / 60) /* ns */

/* A lidar of 32 x 1800 rays at 60 Hz: a tick in which something happens. */
static OrrerySimulation *
make_free (const Setting *setting)
{
  BenchScene scene;

  begin_scene (&scene);
  bench_scene_add_object (
      &scene,
      "{\"name\": \"car\", \"classpath\": \"orrery.core.robot.Robot\", \"position\": [0, 0, "
      "1], \"objects\": [{\"name\": \"lidar\", \"classpath\": "
      "\"orrery.sensors.laserscanner.LaserScanner\", \"frequency\": 60, \"properties\": "
      "{\"laser_range\": 120, \"scan_window\": 359.8, \"resolution\": 0.2, \"layers\": 32}}]}");
  if (setting != NULL)
    add_camera (&scene, setting,
                "\"placement\": \"worker\", \"transport\": \"latest\", \"free_running\": true, ");
  return bench_scene_load (&scene);
}

/* ns of the processor that this process takes for a tick; the worker's are not its. */
static double
measure_ticks (OrrerySimulation *simulation)
{
  struct timespec before, after;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &before);
  bench_ticks (simulation, FREE_TICKS);
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &after);
  return ((after.tv_sec - before.tv_sec) * 1e9 + (after.tv_nsec - before.tv_nsec)) / FREE_TICKS;
}

static void
compare_free (const Setting *setting)
{
  OrrerySimulation *without = make_free (NULL), *with = make_free (setting);
  double bare[FREE_ROUNDS], ours[FREE_ROUNDS], losses[FREE_ROUNDS], shares[FREE_ROUNDS];
  g_autofree char *name =
      g_strdup_printf ("cameras.%ux%u.free-running", setting->width, setting->height);
  g_autofree char *loss = g_strconcat (name, ".of-60-Hz", NULL);
  g_autofree char *share = g_strconcat (name, ".of-tick", NULL);

  bench_ticks (without, 60);
  bench_ticks (with, 60);
  for (guint i = 0; i < FREE_ROUNDS; i++) {
    bare[i] = measure_ticks (without);
    ours[i] = measure_ticks (with);
    losses[i] = (ours[i] - bare[i]) / TICK;
    shares[i] = ours[i] / bare[i] - 1;
  }
  bench_print (name, (bench_least (ours, FREE_ROUNDS) - bench_least (bare, FREE_ROUNDS)) * 1e-3,
               "us/tick");
  bench_print (loss, bench_median (losses, FREE_ROUNDS), "share");
  bench_print (share, bench_median (shares, FREE_ROUNDS), "share");
  g_object_unref (with);
  g_object_unref (without);
}

int
main (void)
{
  static const Setting settings[] = { { 256, 256, 150 }, { 640, 480, 60 } };

  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    compare (&settings[i]);
  for (guint i = 0; i < G_N_ELEMENTS (settings); i++)
    compare_free (&settings[i]);
  return 0;
}
