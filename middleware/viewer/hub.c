/* SPDX-License-Identifier: BSD-3-Clause */
/* What the server of the viewer serves, and how what a tick makes reaches clients. */
#include "hub-private.h"

#include <string.h>

/* Records of one part that wait for the I/O thread; of more only the last one is kept. */
#define MAX_WAITING 8
/* WebSocket's code for a server that begins anew. */
#define SERVICE_RESTART 1012
/* How long after poses were sent newer ones are looked for, ms: of many ticks that follow each
 * other fast only some are sent, but the last one always is. */
#define AGAIN_MS 20
/* Clients of Foxglove are told of colours at most so often, us: the meshes that have them are told
 * with them. */
#define REPAINT_US 200000

static const char *const protocols[] = { "foxglove.sdk.v1", "foxglove.websocket.v1",
                                         "orrery.view.v1", NULL };

static const char no_page[] =
    "<!DOCTYPE html><title>Orrery</title><p>This build of Orrery has no page: esbuild was missing "
    "when it was built. Install the package esbuild and build it anew. Programs that speak "
    "Foxglove's protocol can connect here.";

/* --- requests --- */

static void
answer (WebRequest *request, const char *type, GBytes *bytes)
{
  request->status = 200;
  request->type = type;
  request->answer = g_bytes_ref (bytes);
}

static void
on_scene (gpointer data, WebRequest *request)
{
  Hub *hub = data;

  if (g_str_equal (request->path, "/scene.json"))
    answer (request, "application/json", view_get_scene (hub->view));
}

/* A page is not told why a WebSocket was refused. */
static void
on_access (gpointer data, WebRequest *request)
{
  Hub *hub = data;
  const char *key = request->query != NULL ? g_hash_table_lookup (request->query, "token") : NULL;
  gboolean opens = web_server_opens (hub->server, key);
  const char *text = opens ? "{\"opens\":true}" : "{\"opens\":false}";
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  if (g_str_equal (request->path, "/access.json"))
    answer (request, "application/json", bytes);
}

static void
on_asset (gpointer data, WebRequest *request)
{
  Hub *hub = data;
  const char *name = request->path + strlen ("/assets");
  GBytes *bytes = *name == '/' ? hub_find_asset (hub, name + 1) : NULL;

  if (bytes != NULL)
    answer (request, "model/gltf-binary", bytes);
}

static gboolean
add_file (WebServer *server, const char *directory, const char *name, const char *path,
          const char *type)
{
  g_autofree char *file = g_build_filename (directory, name, NULL);
  g_autoptr (GBytes) bytes = NULL;
  char *text;
  gsize length;

  if (!g_file_get_contents (file, &text, &length, NULL))
    return FALSE;
  bytes = g_bytes_new_take (text, length);
  web_server_add_asset (server, path, type, bytes);
  return TRUE;
}

static gboolean
add_page (WebServer *server, const char *directory)
{
  g_autoptr (GBytes) bytes = NULL;

  if (directory != NULL &&
      add_file (server, directory, "page.js", "/page.js", "text/javascript; charset=utf-8") &&
      add_file (server, directory, "page.css", "/page.css", "text/css; charset=utf-8") &&
      add_file (server, directory, "icon.svg", "/icon.svg", "image/svg+xml") &&
      add_file (server, directory, "index.html", "/", "text/html; charset=utf-8"))
    return TRUE;
  bytes = g_bytes_new_static (no_page, strlen (no_page));
  web_server_add_asset (server, "/", "text/html; charset=utf-8", bytes);
  return FALSE;
}

/* --- making --- */

Hub *
hub_new (WebServer *server, View *view, const char *page)
{
  Hub *hub = g_new0 (Hub, 1);

  g_atomic_ref_count_init (&hub->refs);
  hub->server = server;
  hub->view = view_ref (view);
  hub->time = view->begin;
  hub->writer = orrery_writer_new ();
  hub->log = hub_log_new ();
  hub->sessions = g_ptr_array_new ();
  hub->poses = g_byte_array_new ();
  hub->contacts = g_byte_array_new ();
  hub->kept = g_byte_array_new ();
  g_mutex_init (&hub->lock);
  hub->has_page = add_page (server, page);
  web_server_add_handler (server, "/scene.json", on_scene, hub);
  web_server_add_handler (server, "/access.json", on_access, hub);
  web_server_add_handler (server, "/assets", on_asset, hub);
  web_server_add_socket (server, "/", protocols, &hub_socket_funcs, hub);
  return hub;
}

void
hub_end (Hub *hub)
{
  if (hub == NULL)
    return;
  hub->server = NULL;
  hub_log_unwatch (hub->log);
  if (hub->again != NULL)
    g_source_destroy (hub->again);
  g_clear_pointer (&hub->again, g_source_unref);
  g_clear_pointer (&hub->view, view_unref);
  hub_unref (hub);
}

Hub *
hub_ref (Hub *hub)
{
  g_atomic_ref_count_inc (&hub->refs);
  return hub;
}

void
hub_unref (Hub *hub)
{
  if (!g_atomic_ref_count_dec (&hub->refs))
    return;
  g_ptr_array_unref (hub->sessions);
  g_byte_array_unref (hub->poses);
  g_byte_array_unref (hub->contacts);
  g_byte_array_unref (hub->kept);
  g_clear_pointer (&hub->kept_looks, g_array_unref);
  g_mutex_clear (&hub->lock);
  orrery_writer_unref (hub->writer);
  hub_log_free (hub->log);
  g_free (hub);
}

HubLog *
hub_get_log (Hub *hub)
{
  return hub->log;
}

gboolean
hub_has_page (Hub *hub)
{
  return hub->has_page;
}

/* --- another scene --- */

static void
take_view (const WebMail *mail)
{
  Hub *hub = mail->data;
  View *view;

  memcpy (&view, mail->text, sizeof view);
  g_byte_array_set_size (hub->poses, 0);
  g_byte_array_set_size (hub->contacts, 0);
  view_unref (hub->view);
  hub->view = view;
  hub->repaints = FALSE;
  hub->time = view->begin;
  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];

    web_client_close (session->client, SERVICE_RESTART, "another scene was loaded");
  }
}

void
hub_set_view (Hub *hub, View *view)
{
  view_ref (view);
  /* Another one may have its place in memory. */
  g_mutex_lock (&hub->lock);
  hub->looks_view = NULL;
  g_mutex_unlock (&hub->lock);
  hub_log_forget_faults (hub->log);
  web_server_mail (hub->server, take_view, hub, 0, (const char *) &view, sizeof view, TRUE);
  web_server_flush (hub->server);
}

/* --- poses --- */

/* Before the poses that were kept take the place of those that were sent. */
static gboolean
has_changed (Hub *hub)
{
  View *view = hub->view;

  for (guint i = 0; view->has_spawnables && i < view->n_objects; i++)
    if (view_has (view, i, hub->poses) != view_has (view, i, hub->kept))
      return TRUE;
  return FALSE;
}

static gboolean
take_kept (Hub *hub)
{
  guint n_poses = VIEW_POSE_HEAD + VIEW_POSE_SIZE * hub->view->n_objects;
  gboolean is_new;

  g_mutex_lock (&hub->lock);
  is_new = hub->serial != hub->shown && hub->kept_view == hub->view;
  hub->came_or_went = is_new && has_changed (hub);
  if (is_new) {
    g_byte_array_set_size (hub->poses, 0);
    g_byte_array_set_size (hub->contacts, 0);
    g_byte_array_append (hub->poses, hub->kept->data, n_poses);
    g_byte_array_append (hub->contacts, hub->kept->data + n_poses, hub->kept->len - n_poses);
    hub->time = hub->kept_time;
    hub->shown = hub->serial;
  }
  g_mutex_unlock (&hub->lock);
  return is_new;
}

static void
distribute_changing (Hub *hub)
{
  g_autoptr (GBytes) update = NULL;
  guint left = 0;

  hub->repaints = FALSE;
  hub->repainted = g_get_monotonic_time ();
  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];

    if (session->view != hub->view || !hub_session_subscribes (session, HUB_SCENE))
      continue;
    if (update == NULL)
      update = view_make_update (hub->view, hub->poses, TRUE, hub->time, &left);
    hub_session_send_changing (session, update, left);
  }
}

/* What clients share, made when the first of them wants it. */
static GBytes *
share (GBytes **shared, GByteArray *from)
{
  if (*shared == NULL)
    *shared = g_bytes_new (from->data, from->len);
  return *shared;
}

static GBytes *
share_frames (GBytes **shared, Hub *hub)
{
  g_autoptr (OrreryWriter) out = NULL;

  if (*shared == NULL) {
    out = orrery_writer_new ();
    view_write_transforms (hub->view, hub->poses->data, hub->poses->len, hub->time, out);
    *shared = orrery_writer_dup_bytes (out);
  }
  return *shared;
}

static void
distribute (Hub *hub)
{
  g_autoptr (GBytes) poses = NULL;
  g_autoptr (GBytes) contacts = NULL;
  g_autoptr (GBytes) frames = NULL;

  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];

    if (session->view != hub->view)
      continue;
    hub_session_report (session);
    if (!session->is_own)
      hub_session_send_time (session, hub->time);
    if (hub_session_subscribes (session, HUB_POSES))
      hub_session_send (session, HUB_POSES, hub->time, share (&poses, hub->poses));
    if (hub_session_subscribes (session, HUB_CONTACTS))
      hub_session_send (session, HUB_CONTACTS, hub->time, share (&contacts, hub->contacts));
    if (hub_session_subscribes (session, HUB_FRAMES))
      hub_session_send (session, HUB_FRAMES, hub->time, share_frames (&frames, hub));
  }
}

/* (transfer full) (nullable): NULL: there are no new ones */
static GArray *
take_kept_looks (Hub *hub)
{
  GArray *looks = NULL;

  g_mutex_lock (&hub->lock);
  if (hub->n_looks != hub->looks_shown && hub->looks_view == hub->view) {
    hub->looks_shown = hub->n_looks;
    looks = g_array_ref (hub->kept_looks);
  }
  g_mutex_unlock (&hub->lock);
  return looks;
}

void
hub_take_looks (Hub *hub)
{
  g_autoptr (GArray) looks = take_kept_looks (hub);

  if (looks != NULL && view_set_looks (hub->view, looks)) {
    g_clear_pointer (&hub->view->update, g_bytes_unref);
    hub->repaints = TRUE;
  }
  if (hub->repaints && g_get_monotonic_time () - hub->repainted >= REPAINT_US)
    distribute_changing (hub);
  for (guint i = 0; looks != NULL && i < hub->sessions->len; i++)
    hub_session_send_looks (hub->sessions->pdata[i]);
}

gboolean
hub_take_poses (Hub *hub)
{
  gboolean is_new = take_kept (hub);

  /* What has come is there before it is painted. */
  if (is_new)
    distribute (hub);
  if (is_new && hub->came_or_went)
    distribute_changing (hub);
  hub_take_looks (hub);
  return is_new;
}

static gboolean
look_again (gpointer data)
{
  Hub *hub = data;

  if (hub_take_poses (hub) || hub->repaints)
    return G_SOURCE_CONTINUE;
  g_clear_pointer (&hub->again, g_source_unref);
  return G_SOURCE_REMOVE;
}

static void
take_poses (const WebMail *mail)
{
  Hub *hub = mail->data;

  atomic_store (&hub->mailed, FALSE);
  hub_take_poses (hub);
  /* Anew for each of them: between two that are not sent at once the time must not run out. */
  if (hub->again != NULL)
    g_source_destroy (hub->again);
  g_clear_pointer (&hub->again, g_source_unref);
  hub->again = g_timeout_source_new (AGAIN_MS);
  g_source_set_callback (hub->again, look_again, hub, NULL);
  g_source_attach (hub->again, g_main_context_get_thread_default ());
}

void
hub_keep_poses (Hub *hub, View *view, OrrerySnapshot *snapshot, OrreryTime time, guint64 tick)
{
  g_mutex_lock (&hub->lock);
  view_write_poses (view, snapshot, time, tick, hub->kept);
  hub->kept_view = view;
  hub->kept_time = time;
  hub->serial++;
  g_mutex_unlock (&hub->lock);
}

void
hub_keep_looks (Hub *hub, View *view, OrreryWorld *world)
{
  guint64 serial = view_get_looks_serial (view, world);
  GArray *looks;

  if (hub->looks_view == view && hub->looks_serial == serial)
    return;
  looks = view_list_looks (view, world);
  hub->looks_serial = serial;
  g_mutex_lock (&hub->lock);
  g_clear_pointer (&hub->kept_looks, g_array_unref);
  hub->kept_looks = looks;
  hub->looks_view = view;
  hub->n_looks++;
  g_mutex_unlock (&hub->lock);
}

void
hub_send_poses (Hub *hub)
{
  if (!atomic_exchange (&hub->mailed, TRUE))
    web_server_mail (hub->server, take_poses, hub, 0, "", 0, TRUE);
}

/* --- log and faults --- */

static void
distribute_log (Hub *hub, HubLogKind kind, guint channel)
{
  g_autoptr (GPtrArray) entries = hub_log_get (hub->log, kind, hub->logged[kind]);
  g_autoptr (OrreryWriter) out = orrery_writer_new ();

  for (guint i = 0; i < entries->len; i++) {
    const HubLogEntry *entry = entries->pdata[i];
    g_autoptr (GBytes) bytes = NULL;

    orrery_writer_clear (out);
    hub_log_write (entry, out);
    bytes = orrery_writer_dup_bytes (out);
    for (guint k = 0; k < hub->sessions->len; k++)
      hub_session_send_queued (hub->sessions->pdata[k], channel, entry->time, bytes);
    hub->logged[kind] = entry->serial;
  }
}

void
hub_take_log (Hub *hub)
{
  distribute_log (hub, HUB_LOG_LINE, HUB_LINES);
  distribute_log (hub, HUB_LOG_FAULT, HUB_FAULTS);
}

/* --- records --- */

typedef struct {
  View *view;
  guint32 part;
  guint32 kind;
  OrreryTime time;
} RecordHead;

static void
distribute_record (Hub *hub, GBytes *message)
{
  gsize length;
  gconstpointer data = g_bytes_get_data (message, &length);
  g_autoptr (GBytes) bytes = NULL;
  RecordHead head;

  memcpy (&head, data, sizeof head);
  bytes = g_bytes_new_from_bytes (message, sizeof head, length - sizeof head);
  for (guint i = 0; i < hub->sessions->len; i++) {
    HubSession *session = hub->sessions->pdata[i];

    if (session->view == hub->view)
      hub_session_send (session, HUB_CHANNEL (head.part, head.kind), head.time, bytes);
  }
}

/* Behind the last of those that had room come those that had none. */
static void
take_record (const WebMail *mail)
{
  Hub *hub = mail->data;
  GBytes *late[HUB_KINDS] = { NULL };
  RecordHead head;
  ViewPart *part;

  memcpy (&head, mail->text, sizeof head);
  /* It is of a scene that was closed. */
  if (head.view != hub->view)
    return;
  part = &hub->view->parts[head.part];
  g_mutex_lock (&hub->lock);
  part->waiting--;
  for (guint kind = 0; part->waiting == 0 && kind < HUB_KINDS; kind++)
    late[kind] = g_steal_pointer (&part->late[kind]);
  g_mutex_unlock (&hub->lock);
  distribute_record (hub, mail->bytes);
  for (guint kind = 0; kind < HUB_KINDS; kind++)
    if (late[kind] != NULL) {
      distribute_record (hub, late[kind]);
      g_bytes_unref (late[kind]);
    }
}

/* Whether there is room for a record; else it waits in the place of an older one, so that the last
 * of many that follow each other fast always arrives. */
static gboolean
find_room (Hub *hub, ViewPart *part, guint kind, GBytes *bytes)
{
  gboolean has_room;

  g_mutex_lock (&hub->lock);
  has_room = part->waiting < MAX_WAITING;
  part->waiting += has_room;
  g_clear_pointer (&part->late[kind], g_bytes_unref);
  if (!has_room)
    part->late[kind] = g_bytes_ref (bytes);
  g_mutex_unlock (&hub->lock);
  return has_room;
}

static void
send_record (Hub *hub, View *view, guint index, guint kind, OrreryTime time)
{
  ViewPart *part = &view->parts[index];
  OrreryRecord *record = orrery_component_get_record (part->component);
  const RecordHead head = { view, index, kind, time };
  g_autoptr (GBytes) bytes = NULL;

  orrery_writer_clear (hub->writer);
  orrery_writer_append (hub->writer, &head, sizeof head);
  if (kind == HUB_TEXT)
    orrery_record_write_json (record, hub->writer);
  else
    view_write_record (record, hub->writer);
  bytes = orrery_writer_dup_message (hub->writer, 0);
  if (find_room (hub, part, kind, bytes))
    web_server_mail_bytes (hub->server, take_record, hub, 0, bytes, TRUE);
}

void
hub_send_record (Hub *hub, View *view, guint index, OrreryTime time)
{
  ViewPart *part = &view->parts[index];

  if (atomic_load (&part->n_text) > 0)
    send_record (hub, view, index, HUB_TEXT, time);
  if (atomic_load (&part->n_binary) > 0)
    send_record (hub, view, index, HUB_BINARY, time);
}
