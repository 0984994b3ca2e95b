/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls what clients of the viewer ask for, and tells them how it ended. */
#include "commands.h"

#include "hub-private.h"

/*
 * It has no port of its own: servers of viewers put what their clients ask into the queue of the
 * scene, and this takes it from there once in a tick, or while ticks wait. All of it, messages to
 * actuators and parameters too, becomes calls of services.
 */

G_DEFINE_TYPE (OrreryViewerControl, orrery_viewer_control, ORRERY_TYPE_REQUEST_MANAGER)

/* Bytes of what is wrong with a message. */
#define MAX_WORDS 400

/* A call that is not answered yet. */
typedef struct {
  OrreryViewerControl *manager;
  ControlRequest *request;
  OrreryCall *call; /* (nullable): while it is submitted */
  GList link;
} Command;

/* --- answers --- */

static void
note_hub (OrreryViewerControl *self, Hub *hub)
{
  if (!g_ptr_array_find (self->hubs, hub, NULL))
    g_ptr_array_add (self->hubs, hub_ref (hub));
}

void
commands_answer (OrreryViewerControl *self, Hub *hub, HubAnswer kind, guint64 client,
                 OrreryWriter *text)
{
  g_autoptr (GBytes) bytes = orrery_writer_dup_bytes (text);

  hub_answer (hub, kind, client, bytes);
  note_hub (self, hub);
}

void
commands_tell (OrreryViewerControl *self, Hub *hub, guint64 client, const char *id,
               const char *words)
{
  g_autofree char *some = g_strndup (words, MAX_WORDS);

  orrery_writer_clear (self->writer);
  orrery_writer_append_text (self->writer, "{\"op\":\"status\",\"level\":2,\"id\":");
  orrery_writer_append_json_text (self->writer, id);
  orrery_writer_append_text (self->writer, ",\"message\":");
  orrery_writer_append_json_text (self->writer, some);
  orrery_writer_append_char (self->writer, '}');
  commands_answer (self, hub, HUB_ANSWER_TEXT, client, self->writer);
}

static void
append_word (OrreryWriter *out, guint32 word)
{
  word = GUINT32_TO_LE (word);
  orrery_writer_append (out, &word, sizeof word);
}

static void
answer_call (OrreryViewerControl *self, const ControlRequest *request, GVariant *value)
{
  OrreryWriter *out = self->writer;

  orrery_writer_clear (out);
  orrery_writer_append_char (out, HUB_OP_ANSWER);
  append_word (out, request->service);
  append_word (out, request->call);
  append_word (out, 4);
  orrery_writer_append_text (out, "json{\"result\":");
  if (value != NULL)
    orrery_writer_append_json_variant (out, value);
  else
    orrery_writer_append_text (out, "null");
  orrery_writer_append_char (out, '}');
  commands_answer (self, request->hub, HUB_ANSWER_CALL, request->client, out);
}

static void
fail_call (OrreryViewerControl *self, const ControlRequest *request, const char *words)
{
  OrreryWriter *out = self->writer;

  orrery_writer_clear (out);
  orrery_writer_append_text (out, "{\"op\":\"serviceCallFailure\",\"serviceId\":");
  orrery_writer_append_int (out, request->service);
  orrery_writer_append_text (out, ",\"callId\":");
  orrery_writer_append_int (out, request->call);
  orrery_writer_append_text (out, ",\"message\":");
  orrery_writer_append_json_text (out, words);
  orrery_writer_append_char (out, '}');
  commands_answer (self, request->hub, HUB_ANSWER_FAILED, request->client, out);
}

static void
on_done (OrreryCall *call, gpointer data)
{
  Command *command = data;
  const ControlRequest *request = command->request;
  g_autoptr (GError) error = NULL;
  GVariant *value = orrery_call_get_result (call, &error);

  if (request->kind == CONTROL_CALL && error == NULL)
    answer_call (command->manager, request, value);
  else if (request->kind == CONTROL_CALL)
    fail_call (command->manager, request, error->message);
  else if (error != NULL)
    commands_tell (command->manager, request->hub, request->client, "publish", error->message);
}

/* --- requests --- */

static void
command_free (gpointer data)
{
  Command *command = data;
  OrreryViewerControl *self = command->manager;

  g_queue_unlink (&self->pending, &command->link);
  control_request_free (command->request);
  g_clear_object (&command->call);
  g_free (command);
  g_object_unref (self);
}

/* @request: taken */
static void
submit (OrreryViewerControl *self, ControlRequest *request, const char *part, const char *service,
        GVariant *arguments)
{
  Command *command = g_new0 (Command, 1);
  g_autoptr (OrreryCall) call = NULL;

  *command = (Command){ .manager = g_object_ref (self), .request = request };
  command->link.data = command;
  g_queue_push_tail_link (&self->pending, &command->link);
  call = orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (self), part, service, arguments,
                                        on_done, command, command_free);
  /* A call that was refused at once has freed it. */
  if (!orrery_call_is_done (call))
    g_set_object (&command->call, call);
}

static void
submit_write (OrreryViewerControl *self, ControlRequest *request)
{
  GVariant *boxed[] = { g_variant_new_variant (g_variant_new_string (request->owned)),
                        g_variant_new_variant (request->arguments) };

  submit (self, request, "simulation", "write",
          g_variant_new_array (G_VARIANT_TYPE_VARIANT, boxed, G_N_ELEMENTS (boxed)));
}

static gboolean
is_of (const Command *command, const ControlRequest *request)
{
  const ControlRequest *own = command->request;

  if (own->hub != request->hub || own->client != request->client)
    return FALSE;
  return request->kind == CONTROL_GONE || (own->kind == CONTROL_CALL && own->call == request->call);
}

/* Apart, since a cancelled call leaves the queue, and so may others.
 * @request: (nullable): of whom, and which one; NULL: all calls */
static void
cancel (OrreryViewerControl *self, const ControlRequest *request)
{
  g_autoptr (GPtrArray) calls = g_ptr_array_new_with_free_func (g_object_unref);

  for (GList *at = self->pending.head; at != NULL; at = at->next) {
    Command *command = at->data;

    if (command->call != NULL && (request == NULL || is_of (command, request)))
      g_ptr_array_add (calls, g_object_ref (command->call));
  }
  for (guint i = 0; i < calls->len; i++)
    orrery_call_cancel (calls->pdata[i]);
}

static void
do_request (OrreryViewerControl *self, ControlRequest *request)
{
  switch (request->kind) {
  case CONTROL_CALL:
    submit (self, request, request->part, request->name, request->arguments);
    break;
  case CONTROL_WRITE:
    submit_write (self, request);
    break;
  case CONTROL_GET:
  case CONTROL_SET:
    commands_ask_parameters (self, request);
    break;
  case CONTROL_FOLLOW:
    updates_follow (self, request);
    break;
  case CONTROL_UNFOLLOW:
    updates_unfollow (self, request);
    control_request_free (request);
    break;
  case CONTROL_GONE:
    updates_unfollow (self, request);
    cancel (self, request);
    control_request_free (request);
    break;
  case CONTROL_CANCEL:
    cancel (self, request);
    control_request_free (request);
    break;
  }
}

/* --- the manager --- */

static void
wake (gpointer self)
{
  orrery_request_manager_wake (self);
}

static void
orrery_viewer_control_start (OrreryRequestManager *manager, GError **error)
{
  OrreryViewerControl *self = (OrreryViewerControl *) manager;

  control_set_services (self->control, manager);
  control_set_wake (self->control, wake, self);
}

static void
orrery_viewer_control_intake (OrreryRequestManager *manager)
{
  OrreryViewerControl *self = (OrreryViewerControl *) manager;
  ControlRequest *request;

  while ((request = control_take (self->control)) != NULL)
    do_request (self, request);
}

static void
orrery_viewer_control_flush (OrreryRequestManager *manager)
{
  OrreryViewerControl *self = (OrreryViewerControl *) manager;

  updates_flush (self);
  for (guint i = 0; i < self->hubs->len; i++)
    hub_flush (self->hubs->pdata[i]);
  g_ptr_array_set_size (self->hubs, 0);
}

static void
orrery_viewer_control_close (OrreryRequestManager *manager)
{
  OrreryViewerControl *self = (OrreryViewerControl *) manager;
  ControlRequest *request;

  control_set_wake (self->control, NULL, NULL);
  /* So that every client is told how its calls end. */
  while ((request = control_take (self->control)) != NULL) {
    if (request->kind == CONTROL_CALL)
      fail_call (self, request, "the run has ended");
    control_request_free (request);
  }
  cancel (self, NULL);
  updates_unfollow (self, NULL);
  orrery_viewer_control_flush (manager);
}

/* --- the class --- */

static void
orrery_viewer_control_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryViewerControl *self = (OrreryViewerControl *) part;

  self->writer = orrery_writer_new ();
  self->hubs = g_ptr_array_new_with_free_func ((GDestroyNotify) hub_unref);
  self->control = control_new (orrery_setup_get_world (setup));
}

static void
orrery_viewer_control_init (OrreryViewerControl *self)
{
  updates_init (self);
}

static void
orrery_viewer_control_finalize (GObject *object)
{
  updates_clear ((OrreryViewerControl *) object);
  G_OBJECT_CLASS (orrery_viewer_control_parent_class)->finalize (object);
}

static void
orrery_viewer_control_class_init (OrreryViewerControlClass *klass)
{
  OrreryRequestManagerClass *manager = ORRERY_REQUEST_MANAGER_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = orrery_viewer_control_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_viewer_control_setup;
  manager->start = orrery_viewer_control_start;
  manager->intake = orrery_viewer_control_intake;
  manager->flush = orrery_viewer_control_flush;
  manager->close = orrery_viewer_control_close;
  ORRERY_CLASS_OWNS (klass, OrreryViewerControl, control, control_unref);
  ORRERY_CLASS_OWNS (klass, OrreryViewerControl, writer, orrery_writer_unref);
  ORRERY_CLASS_OWNS (klass, OrreryViewerControl, hubs, g_ptr_array_unref);
}
