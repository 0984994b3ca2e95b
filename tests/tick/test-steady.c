/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In steady state the tick thread allocates nothing: a robot with sensors on sockets and in text
 * files, ten clients that read, one that commands.
 */
#include "../allocations.h"
#include "../middleware/line-client.h"
#include <orrery-test.h>

#include <stdlib.h>

#define N_READERS 10
/* Ten times real time: a steady flow that threads of a busy machine can follow. */
#define WARM_UP 300
#define WINDOW 300
#define MAX_WINDOWS 20

/* --- the scene --- */

#define SENSOR(name, module, class)                                                                \
  "{'name': '" name "', 'classpath': 'orrery.sensors." module "." class "'}"
#define WASTEFUL ", {'name': 'wasteful', 'classpath': 'tick.wasteful.Wasteful'}"
#define SOCKET(direction, codec)                                                                   \
  "['orrery.middleware.socket_datastream.SocketDatastreamManager', "                               \
  "'orrery.middleware.socket_datastream." codec "', '" direction "', {}]"
#define TEXT                                                                                       \
  "['orrery.middleware.text_datastream.TextDatastreamManager', "                                   \
  "'orrery.middleware.text_datastream.Publisher', 'OUT', {}]"

#define SCENE(more)                                                                                \
  "'environment': {'frequency': 60, 'physics': 'orrery.physics.kinematic.Kinematic', "             \
  "'time_scale': 10}, 'objects': ["                                                                \
  "{'name': 'robot', 'classpath': 'orrery.robots.atrv.ATRV', 'objects': ["                         \
  "{'name': 'motion', 'classpath': 'orrery.actuators.v_omega.MotionVW'}, " SENSOR (                \
      "pose", "pose",                                                                              \
      "Pose") ", " SENSOR ("odometry", "odometry",                                                 \
                           "Odometry") ", " SENSOR ("gyroscope", "gyroscope",                      \
                                                    "Gyroscope") ", " SENSOR ("velocity",          \
                                                                              "velocity",          \
                                                                              "Velocity") more     \
      "]}], "                                                                                      \
      "'component_modifier': {'robot.pose': "                                                      \
      "[['orrery.modifiers.pose_noise.PoseNoiseModifier', {}]]}, "                                 \
      "'component_datastream': {"                                                                  \
      "'robot.motion': [" SOCKET (                                                                 \
          "IN", "SocketReader") "], "                                                              \
                                "'robot.pose': [" SOCKET (                                         \
                                    "OUT",                                                         \
                                    "SocketPublisher") ", " TEXT "], "                             \
                                                       "'robot.odometry': [" SOCKET (              \
                                                           "OUT",                                  \
                                                           "SocketPublisher") "], "                \
                                                                              "'robot.gyroscope':" \
                                                                              " [" TEXT "], "      \
                                                                              "'robot.velocity': " \
                                                                              "[" SOCKET (         \
                                                                                  "OUT",           \
                                                                                  "SocketPublishe" \
                                                                                  "r") ", " TEXT   \
                                                                                       "]}"

static guint16
find_port (OrrerySimulation *simulation, const char *stream)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryCall) call = orrery_simulation_call (simulation, "simulation", "get_stream_port",
                                                        g_variant_new_parsed ("[<%s>]", stream));
  GVariant *result = orrery_call_get_result (call, &error);

  g_assert_no_error (error);
  return result != NULL ? (guint16) g_variant_get_int64 (result) : 0;
}

/* --- clients --- */

typedef struct {
  Client *client;
  guint n_lines; /* atomic */
  GThread *thread;
} Reader;

static gpointer
read_lines (gpointer data)
{
  Reader *reader = data;
  const char *line;

  while ((line = client_read (reader->client)) != NULL)
    g_atomic_int_inc (&reader->n_lines);
  return NULL;
}

static void
reader_start (Reader *reader, guint16 port)
{
  reader->client = client_connect (port);
  reader->thread = g_thread_new ("reader", read_lines, reader);
}

static guint
reader_end (Reader *reader)
{
  shutdown (reader->client->fd, SHUT_RDWR);
  g_thread_join (reader->thread);
  client_free (reader->client);
  return g_atomic_int_get (&reader->n_lines);
}

typedef struct {
  Client *client;
  gint stop; /* atomic */
  GThread *thread;
} Commander;

/* A command each millisecond: on most ticks there is one, on some there are several. */
static gpointer
send_commands (gpointer data)
{
  Commander *commander = data;
  char line[64];

  for (guint i = 0; !g_atomic_int_get (&commander->stop); i++) {
    int length = g_snprintf (line, sizeof line, "{\"v\": %u.5, \"w\": 0.%u}\n", 1 + i % 3, i % 10);

    client_write (commander->client, line, (gsize) length);
    g_usleep (1000);
  }
  return NULL;
}

static void
commander_start (Commander *commander, guint16 port)
{
  commander->client = client_connect (port);
  commander->thread = g_thread_new ("commander", send_commands, commander);
}

static void
commander_end (Commander *commander)
{
  g_atomic_int_set (&commander->stop, 1);
  g_thread_join (commander->thread);
  client_free (commander->client);
}

/* --- the test --- */

static guint
count_window (OrrerySimulation *simulation, guint n)
{
  g_autoptr (GError) error = NULL;

  n_allocations = 0;
  is_counting = TRUE;
  orrery_simulation_run (simulation, n, 0, &error);
  is_counting = FALSE;
  g_assert_no_error (error);
  return n_allocations;
}

/* The fewest of some windows: when a busy machine lets a thread wait, its queue may grow, once. */
static guint
count_least (OrrerySimulation *simulation, guint n_windows)
{
  guint least = G_MAXUINT;

  for (guint i = 0; i < n_windows && least > 0; i++) {
    guint n = count_window (simulation, WINDOW);

    g_test_message ("%u allocations in %u ticks", n, WINDOW);
    least = MIN (least, n);
  }
  return least;
}

static guint
count (const char *scene, guint n_windows)
{
  g_autoptr (OrrerySimulation) simulation = orrery_test_load (scene);
  Reader readers[N_READERS] = { 0 };
  Commander commander = { 0 };
  double x;
  guint least;

  g_assert_nonnull (simulation);
  for (guint i = 0; i < N_READERS; i++)
    reader_start (&readers[i], find_port (simulation, i % 2 ? "robot.pose" : "robot.odometry"));
  commander_start (&commander, find_port (simulation, "robot.motion"));
  count_window (simulation, WARM_UP);
  x = orrery_test_get (simulation, "robot.velocity", "timestamp");
  least = count_least (simulation, n_windows);
  g_assert_cmpfloat (orrery_test_get (simulation, "robot.velocity", "timestamp"), >=,
                     x + (WINDOW - 1) / 60.0);
  g_assert_cmpfloat (orrery_test_get (simulation, "robot.motion", "v"), >=, 1.5);
  commander_end (&commander);
  for (guint i = 0; i < N_READERS; i++)
    g_assert_cmpuint (reader_end (&readers[i]), >=, WINDOW);
  return least;
}

static void
test_steady (void)
{
  g_test_summary ("no allocation on the tick thread while clients read and command");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL)
    g_test_skip ("allocations cannot be counted in this build");
  else
    g_assert_cmpuint (count (SCENE (""), MAX_WINDOWS), ==, 0);
}

static void
test_wasteful (void)
{
  g_test_summary ("a sensor that allocates at every step is seen");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL)
    g_test_skip ("allocations cannot be counted in this build");
  else
    g_assert_cmpuint (count (SCENE (WASTEFUL), 2), >=, WINDOW);
}

/* Text streams without a name write where the program runs. */
static void
leave_no_files (const char *directory)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (directory, name, NULL);

    g_remove (path);
  }
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = NULL;
  int status;

  /* GLib's own pools would hide what is allocated from them; it asks once, at the start. */
  if (g_setenv ("G_SLICE", "always-malloc", FALSE) && g_getenv ("TRIAL_STEADY") == NULL) {
    g_setenv ("TRIAL_STEADY", "1", TRUE);
    execv ("/proc/self/exe", argv);
  }
  orrery_test_init (&argc, &argv);
  orrery_test_add_plugins ("tests/tick/plugins");
  directory = g_dir_make_tmp ("orrery-trial-XXXXXX", NULL);
  if (g_chdir (directory) != 0)
    return EXIT_FAILURE;

  g_test_add_func ("/steady/no-allocation", test_steady);
  g_test_add_func ("/steady/a-sensor-that-allocates", test_wasteful);
  status = g_test_run ();
  leave_no_files (directory);
  return status;
}
