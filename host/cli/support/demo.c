/* SPDX-License-Identifier: BSD-3-Clause */
/* The client of `orrery run --demo`, which drives a robot around. */
#include "cli.h"
#include "client.h"

#include <math.h>
#include <string.h>

/* A client as anybody could write one: it finds a waypoint and a pose by the services, drives a
 * square, and shows where the robot is. Where the scene waits for a clock, it is that clock. */

#define LOCALHOST "127.0.0.1"
/* A clock that is told of no tick sends its next one after this time at the latest. */
#define BEAT_US 20000

struct _CliDemo {
  GThread *thread;
  GCancellable *cancellable;
  CliClient *services;
  CliClient *pose;
  CliClient *clock;
  char *waypoint_name;
  char *pose_name;
  char *request;
  guint n_goals;
  gint64 shown_second;
};

static const struct {
  int x;
  int y;
} corners[] = { { 3, 0 }, { 3, 3 }, { 0, 3 }, { 0, 0 } };

static gboolean
list_has (OrreryNode *list, const char *text)
{
  for (guint i = 0; list != NULL && i < orrery_node_get_length (list); i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (orrery_node_get_kind (item) == ORRERY_NODE_TEXT &&
        strcmp (orrery_node_get_text (item), text) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
look_at_component (CliDemo *demo, const char *name, OrreryNode *component)
{
  OrreryNode *type = orrery_node_find (component, "type");

  if (demo->waypoint_name == NULL && list_has (orrery_node_find (component, "services"), "goto"))
    demo->waypoint_name = g_strdup (name);
  if (demo->pose_name == NULL && type != NULL &&
      strcmp (orrery_node_get_text (type), "Pose") == 0 &&
      orrery_node_find (component, "stream_interfaces") != NULL)
    demo->pose_name = g_strdup (name);
}

static void
look_around (CliDemo *demo, OrreryNode *details)
{
  OrreryNode *robots = orrery_node_find (details, "robots");

  for (guint i = 0; robots != NULL && i < orrery_node_get_length (robots); i++) {
    OrreryNode *components = orrery_node_find (orrery_node_get_item (robots, i), "components");

    for (guint k = 0; components != NULL && k < orrery_node_get_length (components); k++)
      look_at_component (demo, orrery_node_get_key (components, k),
                         orrery_node_get_item (components, k));
  }
}

static gboolean
meet (CliDemo *demo, GError **error)
{
  g_autofree char *reply = NULL;
  g_autoptr (OrreryNode) details = NULL;

  demo->services =
      cli_client_new (LOCALHOST, cli_log_get_services_port (), demo->cancellable, error);
  if (demo->services == NULL)
    return FALSE;
  reply = cli_client_call (demo->services, "simulation", "details", "[]", demo->cancellable, error);
  if (reply == NULL)
    return FALSE;
  details = orrery_node_parse_json (reply, strlen (reply), "details", error);
  if (details == NULL)
    return FALSE;
  look_around (demo, details);
  if (demo->pose_name != NULL)
    demo->pose = cli_client_open_stream (demo->services, LOCALHOST, demo->pose_name,
                                         demo->cancellable, error);
  /* Last, since from then on no tick runs without us. */
  if (demo->pose != NULL && cli_log_get_sync_port () != 0)
    demo->clock = cli_client_new (LOCALHOST, cli_log_get_sync_port (), demo->cancellable, error);
  return demo->pose != NULL && (demo->clock != NULL || cli_log_get_sync_port () == 0);
}

static void
drive (CliDemo *demo)
{
  guint corner = demo->n_goals % G_N_ELEMENTS (corners);
  g_autofree char *arguments =
      g_strdup_printf ("[%d, %d, 0, 0.5, 1.0]", corners[corner].x, corners[corner].y);

  g_free (demo->request);
  demo->request = cli_client_request (demo->services, demo->waypoint_name, "goto", arguments, NULL);
  demo->n_goals++;
}

/* Arrived, or told to go elsewhere by another client: on to the next corner. */
static void
read_answers (CliDemo *demo)
{
  g_autofree char *value = NULL;

  if (demo->waypoint_name == NULL)
    return;
  if (demo->request == NULL) {
    drive (demo);
    return;
  }
  if (!cli_client_wait (demo->services, 0, demo->cancellable))
    return;
  value = cli_client_answer (demo->services, demo->request, demo->cancellable, NULL);
  if (!g_cancellable_is_cancelled (demo->cancellable))
    drive (demo);
}

static double
number_of (OrreryNode *pose, const char *key)
{
  OrreryNode *node = orrery_node_find (pose, key);

  return node != NULL ? orrery_node_get_double (node) : NAN;
}

static void
show (CliDemo *demo, OrreryNode *pose)
{
  guint corner = (demo->n_goals + G_N_ELEMENTS (corners) - 1) % G_N_ELEMENTS (corners);
  gint64 second = (gint64) floor (number_of (pose, "timestamp"));
  g_autofree char *goal = demo->request != NULL
                              ? g_strdup_printf ("%s to (%d, %d)", demo->waypoint_name,
                                                 corners[corner].x, corners[corner].y)
                              : g_strdup ("");
  g_autofree char *line =
      g_strdup_printf ("time %.2f s  %s x %6.2f  y %6.2f  z %6.2f  yaw %5.2f  %s",
                       number_of (pose, "timestamp"), demo->pose_name, number_of (pose, "x"),
                       number_of (pose, "y"), number_of (pose, "z"), number_of (pose, "yaw"), goal);

  if (cli_is_terminal (stdout)) {
    cli_set_status_line (line);
  } else if (second != demo->shown_second) {
    g_autofree char *whole = g_strdup_printf ("%s\n", line);

    cli_write (stdout, whole);
  }
  demo->shown_second = second;
}

/* One message of the pose, or none in time; then the clock beats. */
static gboolean
follow (CliDemo *demo)
{
  if (cli_client_wait (demo->pose, BEAT_US, demo->cancellable)) {
    g_autofree char *line = cli_client_receive (demo->pose, demo->cancellable, NULL);
    g_autoptr (OrreryNode) pose =
        line != NULL ? orrery_node_parse_json (line, strlen (line), "pose", NULL) : NULL;

    if (line == NULL)
      return FALSE;
    if (pose != NULL && orrery_node_get_kind (pose) == ORRERY_NODE_DICT)
      show (demo, pose);
  }
  read_answers (demo);
  return demo->clock == NULL || cli_client_send (demo->clock, "sync", NULL);
}

static gpointer
play (gpointer user_data)
{
  CliDemo *demo = user_data;
  g_autoptr (GError) error = NULL;

  if (cli_log_get_services_port () == 0)
    g_warning ("the demo finds no robot to drive: no services are offered on a socket");
  else if (!meet (demo, &error) && error != NULL && !g_cancellable_is_cancelled (demo->cancellable))
    g_warning ("the demo ends: %s", error->message);
  else if (demo->pose == NULL && !g_cancellable_is_cancelled (demo->cancellable))
    g_message ("the demo finds no stream of a pose; it shows nothing");

  while (demo->pose != NULL && !g_cancellable_is_cancelled (demo->cancellable) && follow (demo))
    ;
  /* Without us the simulation is free again. */
  g_clear_pointer (&demo->clock, cli_client_free);
  return NULL;
}

CliDemo *
cli_demo_start (void)
{
  CliDemo *demo = g_new0 (CliDemo, 1);
  g_autoptr (GError) error = NULL;

  demo->shown_second = G_MININT64;
  demo->cancellable = g_cancellable_new ();
  demo->thread = g_thread_try_new ("demo", play, demo, &error);
  if (demo->thread == NULL)
    cli_fail (error);
  return demo;
}

void
cli_demo_stop (CliDemo *demo)
{
  if (demo == NULL)
    return;
  g_cancellable_cancel (demo->cancellable);
  if (demo->thread != NULL)
    g_thread_join (demo->thread);
  g_clear_pointer (&demo->clock, cli_client_free);
  g_clear_pointer (&demo->pose, cli_client_free);
  g_clear_pointer (&demo->services, cli_client_free);
  g_clear_object (&demo->cancellable);
  g_free (demo->waypoint_name);
  g_free (demo->pose_name);
  g_free (demo->request);
  g_free (demo);
}
