/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows a run to browsers and to programs that speak Foxglove's protocol. */
#define G_LOG_DOMAIN "orrery.middleware.viewer"
#include "viewer/commands.h"
#include "viewer/page.h"

#include <orrery.h>
#include <string.h>
#include <sys/random.h>

#define N_PORTS 10
#define STOP_MS 300
/* Bytes of a message that comes in. */
#define MAX_MESSAGE (256 * 1024)
/* Bytes of the token that opens commands. */
#define N_TOKEN 16
/* Poses are sent at most so often, us: a run without pace makes thousands of ticks a second. */
#define POSE_US 12000

/*
 * A server on a port of this machine: a page that shows the scene as it moves, and a WebSocket with
 * Foxglove's protocol, a channel for each record. Without clients, a tick costs it one look.
 */
typedef struct {
  OrreryObserver parent_instance;

  char *address;
  int port;
  char *origins;
  char *allowed_users;
  char *token_file;
  char *title;
  gboolean stay;
  gboolean control;

  char *token; /* (nullable): opens commands */
  WebServer *server;
  Hub *hub;
  View *view;
  OrreryWorld *world; /* while it is open: the scene's */
  gboolean mailed;    /* records, which wait for a flush */
  gint64 last;        /* when poses were sent, us */
  OrreryTime now;     /* of the present tick, or of the next one */
  OrreryTime period;
} OrreryViewer;
ORRERY_DEFINE_CLASS (OrreryViewer, orrery_viewer, OrreryObserver, orrery_observer)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryViewer, address, "address", "127.0.0.1",
                          "IP address to listen on; '*' for all",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_INT (OrreryViewer, port, "port", 0, 65535, 8765,
                       "The port; if it is in use, the first free one of the nine behind it; 0 for "
                       "any",
                       .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryViewer, origins, "origins", "https://app.foxglove.dev",
                          "Pages of other machines that may connect, with commas between",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryViewer, allowed_users, "allow-users", NULL,
                          "Whose processes may connect, beside the user's own and root's: numbers "
                          "of users, or any",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryViewer, token_file, "token-file", NULL,
                          "Let in whoever sends what this file holds, from wherever",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryViewer, title, "title", NULL,
                          "What the page calls the scene; by default the name of its file",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryViewer, stay, "stay", FALSE,
                           "Keep the poses of each tick for clients that come when the run has "
                           "ended",
                           .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_BOOLEAN (OrreryViewer, control, "control", FALSE,
                           "Let clients that have the token command the run, where its request "
                           "manager orrery.middleware.viewer.Control is loaded",
                           .flags = ORRERY_PROPERTY_AT_START),
};

/* --- log --- */

/* An OrreryLogFunc. The token is for nobody but who reads the log of the program. */
static void
note_line (OrreryPart *part, OrreryLogLevel level, const char *text, gpointer viewer)
{
  OrreryViewer *self = viewer;

  if (self->token == NULL || strstr (text, self->token) == NULL)
    hub_log_add_line (hub_get_log (self->hub), level, orrery_part_get_name (part), text);
}

static void
orrery_viewer_fault (OrreryObserver *observer, const OrreryRunFault *fault)
{
  OrreryViewer *self = (OrreryViewer *) observer;

  hub_log_add_fault (hub_get_log (self->hub), fault);
}

/* --- opening --- */

/* Nobody can guess it, and it is never the same again. */
static gboolean
make_token (OrreryViewer *self, GError **error)
{
  guint8 bytes[N_TOKEN];
  GString *text;

  if (!self->control)
    return TRUE;
  if (getrandom (bytes, sizeof bytes, 0) != (gssize) sizeof bytes)
    return orrery_set_error (error, ORRERY_ERROR_IO, "the system gives no random numbers");
  text = g_string_new (NULL);
  for (guint i = 0; i < N_TOKEN; i++)
    g_string_append_printf (text, "%02x", bytes[i]);
  self->token = g_string_free (text, FALSE);
  return TRUE;
}

static gboolean
make_server (OrreryViewer *self, GError **error)
{
  g_autofree char *why = NULL;
  g_autoptr (LineAccess) access = line_access_new (self->allowed_users, self->token_file, &why);
  g_auto (GStrv) origins = self->origins != NULL ? g_strsplit (self->origins, ",", -1) : NULL;
  WebServerOptions options;

  if (!make_token (self, error))
    return FALSE;
  if (access == NULL || !line_access_covers (access, self->address, &why))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s", why);
  web_server_options_init (&options);
  options.address = self->address;
  options.port = (guint16) self->port;
  options.tries = N_PORTS;
  options.access = g_steal_pointer (&access);
  options.origins = (const char *const *) origins;
  options.key = self->token;
  options.max_message = MAX_MESSAGE;
  self->server = web_server_new (&options, error);
  return self->server != NULL;
}

/* What stands behind # is sent to nobody, and the page takes it out of the address. */
static char *
make_url (OrreryViewer *self)
{
  gboolean all = g_str_equal (self->address, "*");
  gboolean has_colon = strchr (self->address, ':') != NULL;

  return g_strdup_printf ("http://%s%s%s:%u/%s%s", has_colon ? "[" : "",
                          all ? "127.0.0.1" : self->address, has_colon ? "]" : "",
                          web_server_get_port (self->server), self->token != NULL ? "#token=" : "",
                          self->token != NULL ? self->token : "");
}

/* Of a run that takes commands the line has the token. So it is no line of this part, which streams
 * and recordings carry on, but one of the log of this process alone. */
static void
tell_key (OrreryViewer *self, const char *line)
{
  OrreryPart *part = ORRERY_PART (self);
  gboolean asked = orrery_part_get_log_level (part) != ORRERY_LOG_LEVEL_UNSET;
  const GLogField fields[] = {
    { "MESSAGE", line, -1 },
    { "PRIORITY", "5", -1 },
    { "GLIB_DOMAIN", G_LOG_DOMAIN, -1 },
    { "ORRERY_PART", orrery_part_get_name (part), -1 },
    { "ORRERY_CLASS", orrery_part_get_classpath (part), -1 },
    { "ORRERY_ASKED", "1", -1 },
  };

  if (orrery_part_is_logged (part, ORRERY_LOG_LEVEL_INFO))
    g_log_structured_array (G_LOG_LEVEL_MESSAGE, fields, G_N_ELEMENTS (fields) - !asked);
}

static void
tell_place (OrreryViewer *self)
{
  char *url = make_url (self);
  g_autofree char *line =
      g_strconcat ("viewer now at ", url,
                   g_str_equal (self->address, "*") ? " and at all addresses of this machine"
                                                    : NULL,
                   NULL);

  /* The program that adds the viewer may open it. It is no property, which services would tell. */
  g_object_set_data_full (G_OBJECT (self), "url", url, g_free);
  if (self->token != NULL)
    tell_key (self, line);
  else
    orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "%s", line);
  if (!hub_has_page (self->hub))
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                           "viewer: this build has no page, since esbuild was missing when it was "
                           "built; install the package esbuild and build it anew. Clients of "
                           "Foxglove's protocol are served");
}

static gboolean
start_server (OrreryViewer *self, GError **error)
{
  g_autofree char *page = orrery_get_prefix_path ("share/orrery-1/viewer");
  g_autoptr (GError) local = NULL;

  if (!make_server (self, &local)) {
    orrery_set_error (error, ORRERY_ERROR_IO, "%s", local->message);
    return FALSE;
  }
  self->hub = hub_new (self->server, self->view, page);
  if (!web_server_start (self->server, error))
    return FALSE;
  tell_place (self);
  return TRUE;
}

static gboolean
is_watched (OrreryViewer *self)
{
  return self->stay || web_server_get_n_clients (self->server) > 0;
}

static gboolean
make_view (OrreryViewer *self, const OrreryObserved *observed, GError **error)
{
  g_autoptr (Control) control = self->control ? control_find (observed->world) : NULL;

  if (self->control && control == NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "commands need the request manager orrery.middleware.viewer.Control, "
                             "which `orrery run --control` adds to the scene");
  if (control != NULL)
    control_set_components (control, observed->components, observed->n_components);
  view_unref (self->view);
  self->view = view_new (ORRERY_OBSERVER (self), observed, self->title);
  self->view->control = g_steal_pointer (&control);
  self->view->begin = view_find_time (observed);
  return TRUE;
}

/* A reset leaves the scene as it is, and its clients where they are. */
static gboolean
orrery_viewer_open (OrreryObserver *observer, const OrreryObserved *observed, GError **error)
{
  OrreryViewer *self = (OrreryViewer *) observer;
  gboolean is_same = self->view != NULL && view_is_of (self->view, observed);

  if (!is_same && !make_view (self, observed, error))
    return FALSE;
  if (self->server == NULL) {
    if (!start_server (self, error))
      return FALSE;
  } else if (!is_same) {
    hub_set_view (self->hub, self->view);
  }
  hub_log_set_time (hub_get_log (self->hub), view_find_time (observed), observed->n_ticks);
  orrery_part_watch_log (ORRERY_PART (self), note_line, self);
  view_open (self->view);
  self->period = orrery_time_from_seconds (1 / observed->frequency);
  self->now = view_find_time (observed) + self->period;
  if (self->view->playback != NULL)
    orrery_playback_watch (self->view->playback, hub_send_playback, self->hub);
  self->world = observed->world;
  hub_keep_looks (self->hub, self->view, self->world);
  if (is_watched (self)) {
    hub_keep_poses (self->hub, self->view, orrery_world_get_snapshot (observed->world),
                    view_find_time (observed), observed->n_ticks);
    hub_send_poses (self->hub);
    web_server_flush (self->server);
  }
  return TRUE;
}

static void
orrery_viewer_close (OrreryObserver *observer)
{
  OrreryViewer *self = (OrreryViewer *) observer;

  if (self->view->playback != NULL)
    orrery_playback_watch (self->view->playback, NULL, NULL);
  self->world = NULL;
  view_close (self->view);
}

/* --- in the tick --- */

static void
orrery_viewer_record (OrreryObserver *observer, OrreryComponent *component)
{
  OrreryViewer *self = (OrreryViewer *) observer;
  guint number = GPOINTER_TO_UINT (g_hash_table_lookup (self->view->by_component, component));
  OrreryRecord *record = orrery_component_get_record (component);
  OrreryTime time = orrery_record_get_timestamp (record);

  if (number == 0)
    return;
  /* Records of robots and actuators bear none. */
  hub_send_record (self->hub, self->view, number - 1, time != 0 ? time : self->now);
  self->mailed = TRUE;
}

static void
orrery_viewer_tick (OrreryObserver *observer, OrreryTick *tick)
{
  OrreryViewer *self = (OrreryViewer *) observer;
  gint64 now;

  hub_log_set_time (hub_get_log (self->hub), orrery_tick_get_time (tick),
                    orrery_tick_get_number (tick) + 1);
  self->now = orrery_tick_get_time (tick) + self->period;
  hub_keep_looks (self->hub, self->view, self->world);
  if (!is_watched (self))
    return;
  hub_keep_poses (self->hub, self->view, orrery_tick_get_snapshot (tick),
                  orrery_tick_get_time (tick), orrery_tick_get_number (tick) + 1);
  now = g_get_monotonic_time ();
  if (now - self->last >= POSE_US) {
    self->last = now;
    self->mailed = TRUE;
    hub_send_poses (self->hub);
  }
  if (self->mailed)
    web_server_flush (self->server);
  self->mailed = FALSE;
}

/* --- the class --- */

static void
orrery_viewer_finalize (GObject *object)
{
  OrreryViewer *self = (OrreryViewer *) object;

  orrery_part_unwatch_log (ORRERY_PART (self));
  if (self->server != NULL)
    web_server_stop (self->server, STOP_MS);
  g_clear_pointer (&self->server, web_server_free);
  g_clear_pointer (&self->hub, hub_end);
  g_clear_pointer (&self->view, view_unref);
  g_clear_pointer (&self->token, g_free);
  G_OBJECT_CLASS (orrery_viewer_parent_class)->finalize (object);
}

static void
orrery_viewer_class_init (OrreryViewerClass *klass)
{
  OrreryObserverClass *observer = ORRERY_OBSERVER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_viewer_finalize;
  observer->open = orrery_viewer_open;
  observer->record = orrery_viewer_record;
  observer->tick = orrery_viewer_tick;
  observer->close = orrery_viewer_close;
  observer->fault = orrery_viewer_fault;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("A page that shows the run, and a server of Foxglove's protocol", "BSD-3-Clause",
               ORRERY_CLASS (Viewer, OrreryViewer, orrery_viewer),
               ORRERY_CLASS (Control, OrreryViewerControl, orrery_viewer_control),
               ORRERY_CLASS (Page, OrreryViewerPage, orrery_viewer_page))
