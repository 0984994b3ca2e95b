/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of services that others offer: their requests, their answers, their ends. */
#include "remote.h"

#include "variant.h"

#include <string.h>

/* Calls that wait for an answer. */
#define MAX_WAITING 256
#define MAX_NAME 200
#define MAX_REQUEST (1024 * 1024)
#define MAX_TIMEOUT 1e6 /* s */
/* What is said of a failure. */
#define MAX_WORDS 1000

/* What comes back. It is an input of the run: the kind, the start of the call and its number among
 * those that began at that time, each eight bytes with the lowest first, and then the answer, or a
 * text. */
typedef enum {
  ANSWER = 'a',
  FAILURE = 'f',
  LATE = 'l', /* a server had the request, and the time is over */
  SENT = 's', /* not an input */
} Kind;

#define INPUT_HEADER 17

typedef struct {
  guint64 key; /* of the transport; never twice */
  OrreryTime start;
  guint64 number; /* of those with this start */
  OrreryTime deadline;
  double timeout;
  OrreryCall *call;
  char *name;
  const OrreryMessageService *type;
  gsize max_answer;
  gboolean sent;
} Remote;

typedef struct {
  Kind kind;
  guint64 key;
  GBytes *bytes; /* (nullable) */
} Event;

struct _RemoteCalls {
  RemoteOptions options;
  RemoteSendFunc send; /* NULL: not connected */
  RemoteDropFunc drop;
  gpointer data;
  OrreryWriter *writer;
  GPtrArray *waiting; /* (element-type Remote), in the order of their starts */
  guint64 n_keys;
  OrreryTime last_start;
  guint64 n_started; /* at that time */
  GMutex lock;
  GArray *events; /* guarded by lock; (element-type Event) */
};

static void
clear_event (gpointer data)
{
  g_clear_pointer (&((Event *) data)->bytes, g_bytes_unref);
}

static void
remote_free (gpointer data)
{
  Remote *remote = data;

  g_object_unref (remote->call);
  g_free (remote->name);
  g_free (remote);
}

static GArray *
new_events (void)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (Event));

  g_array_set_clear_func (events, clear_event);
  return events;
}

RemoteCalls *
remote_calls_new (const RemoteOptions *options)
{
  RemoteCalls *calls = g_new0 (RemoteCalls, 1);

  calls->options = *options;
  calls->writer = orrery_writer_new ();
  calls->waiting = g_ptr_array_new_with_free_func (remote_free);
  calls->events = new_events ();
  calls->last_start = -1;
  g_mutex_init (&calls->lock);
  return calls;
}

void
remote_calls_free (RemoteCalls *calls)
{
  g_ptr_array_unref (calls->waiting);
  g_array_unref (calls->events);
  orrery_writer_unref (calls->writer);
  g_mutex_clear (&calls->lock);
  g_free (calls);
}

void
remote_calls_connect (RemoteCalls *calls, RemoteSendFunc send, RemoteDropFunc drop, gpointer data)
{
  calls->send = send;
  calls->drop = drop;
  calls->data = data;
}

/* --- any thread --- */

static void
put (RemoteCalls *calls, Kind kind, guint64 key, GBytes *bytes)
{
  Event event = { kind, key, bytes };

  g_mutex_lock (&calls->lock);
  g_array_append_val (calls->events, event);
  g_mutex_unlock (&calls->lock);
}

void
remote_calls_put_sent (RemoteCalls *calls, guint64 key)
{
  put (calls, SENT, key, NULL);
}

void
remote_calls_put_answer (RemoteCalls *calls, guint64 key, GBytes *answer)
{
  put (calls, ANSWER, key, g_bytes_ref (answer));
}

void
remote_calls_put_failure (RemoteCalls *calls, guint64 key, const char *why)
{
  put (calls, FAILURE, key, g_bytes_new (why, strnlen (why, MAX_WORDS)));
}

/* --- a request --- */

static gboolean
check_name (const char *name, GError **error)
{
  gsize length = strlen (name);
  gboolean begins = TRUE, fits = length > 0 && length <= MAX_NAME;

  for (const char *c = *name == '/' ? name + 1 : name; fits && (*c != '\0' || begins); c++) {
    if (begins)
      fits = g_ascii_isalpha (*c) || *c == '_';
    else
      fits = g_ascii_isalnum (*c) || *c == '_' || *c == '/';
    begins = *c == '/';
  }
  return fits || orrery_set_error (error, ORRERY_ERROR_INVALID,
                                   "'%.60s' is no name of a service: letters, digits and _, with / "
                                   "between parts, at most %d of them",
                                   name, MAX_NAME);
}

static const OrreryMessageField *
find_field (const OrreryMessageType *type, const char *name, GError **error)
{
  guint n;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < n; i++) {
    if (g_str_equal (fields[i].name, name))
      return &fields[i];
    g_ptr_array_add (names, (gpointer) fields[i].name);
  }
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  orrery_set_error (error, ORRERY_ERROR_INVALID, "%s has no field '%.60s'%s",
                    orrery_message_type_get_name (type), name, nearest);
  return NULL;
}

static gboolean check_fields (const OrreryMessageType *type, GVariant *value, GError **error);

static gboolean
check_elements (const OrreryMessageField *field, GVariant *list, GError **error)
{
  if (!g_variant_is_container (list))
    return TRUE;
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) element = message_variant_unbox (child);

    if (!check_fields (field->type, element, error))
      return FALSE;
  }
  return TRUE;
}

/* That every key is a field: what assigns the values passes over others. Values that are no
 * dictionaries are left to it. */
static gboolean
check_fields (const OrreryMessageType *type, GVariant *value, GError **error)
{
  GVariantIter iter;
  GVariant *entry;
  gboolean fits = TRUE;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE ("a{s*}")))
    return TRUE;
  g_variant_iter_init (&iter, value);
  while (fits && (entry = g_variant_iter_next_value (&iter)) != NULL) {
    g_autoptr (GVariant) key = g_variant_get_child_value (entry, 0);
    g_autoptr (GVariant) boxed = g_variant_get_child_value (entry, 1);
    g_autoptr (GVariant) inner = message_variant_unbox (boxed);
    const OrreryMessageField *field = find_field (type, g_variant_get_string (key, NULL), error);

    fits = field != NULL;
    if (fits && field->kind == ORRERY_MESSAGE_NESTED)
      fits = field->shape == ORRERY_MESSAGE_SINGLE ? check_fields (field->type, inner, error)
                                                   : check_elements (field, inner, error);
    g_variant_unref (entry);
  }
  return fits;
}

static gboolean
is_null (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE) && g_variant_n_children (value) == 0;
}

/* Returns: (transfer full) (nullable) */
static GBytes *
encode (RemoteCalls *calls, const OrreryMessageService *type, GVariant *given, GError **error)
{
  g_autoptr (GVariant) value = message_variant_unbox (given);
  gpointer message = orrery_message_new (type->request);
  gboolean fits = is_null (value) || (check_fields (type->request, value, error) &&
                                      message_from_variant (type->request, message, value, error));
  gsize length;

  orrery_writer_clear (calls->writer);
  fits = fits && orrery_message_write (type->request, message, calls->options.encoding,
                                       calls->writer, error);
  orrery_message_free (type->request, message);
  orrery_writer_get_data (calls->writer, &length);
  if (fits && length > MAX_REQUEST)
    fits =
        orrery_set_error (error, ORRERY_ERROR_INVALID,
                          "the request has %" G_GSIZE_FORMAT " bytes, and at most %d may be sent",
                          length, MAX_REQUEST);
  return fits ? orrery_writer_dup_bytes (calls->writer) : NULL;
}

static Remote *
add_remote (RemoteCalls *calls, OrreryCall *call, const OrreryMessageService *type)
{
  Remote *remote = g_new0 (Remote, 1);

  remote->key = ++calls->n_keys;
  remote->start = orrery_request_manager_get_time (calls->options.manager);
  calls->n_started = remote->start == calls->last_start ? calls->n_started + 1 : 0;
  calls->last_start = remote->start;
  remote->number = calls->n_started;
  remote->timeout = orrery_call_get_double (call, 3);
  remote->deadline = remote->start + orrery_time_from_seconds (remote->timeout);
  remote->call = g_object_ref (call);
  remote->name = g_strdup (orrery_call_get_text (call, 0));
  remote->type = type;
  g_ptr_array_add (calls->waiting, remote);
  return remote;
}

void
remote_calls_start (RemoteCalls *calls, OrreryCall *call, gsize max_answer, GError **error)
{
  const char *name = orrery_call_get_text (call, 0);
  double timeout = orrery_call_get_double (call, 3);
  const OrreryMessageService *type;
  g_autoptr (GBytes) request = NULL;
  Remote *remote;

  if (!check_name (name, error))
    return;
  if (!(timeout > 0 && timeout <= MAX_TIMEOUT)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "%s: a timeout is above 0 and at most 1e6 seconds, not %g", name, timeout);
    return;
  }
  if (calls->waiting->len >= MAX_WAITING) {
    orrery_set_error (error, ORRERY_ERROR_STATE,
                      "%s: %d calls wait for an answer, which is as many as there may be", name,
                      MAX_WAITING);
    return;
  }
  type = orrery_message_catalogue_find_service (calls->options.messages,
                                                orrery_call_get_text (call, 1),
                                                calls->options.dialect, error);
  if (type != NULL)
    request = encode (calls, type, orrery_call_get_argument (call, 2), error);
  if (request == NULL) {
    g_prefix_error (error, "%s: ", name);
    return;
  }
  remote = add_remote (calls, call, type);
  remote->max_answer = max_answer;
  if (calls->send != NULL)
    calls->send (calls->data, remote->key, name, type, max_answer, request);
}

/* --- its end --- */

/* Takes a call out. Returns: (transfer full) */
static Remote *
take_out (RemoteCalls *calls, guint index)
{
  Remote *remote = g_ptr_array_steal_index (calls->waiting, index);

  if (calls->drop != NULL)
    calls->drop (calls->data, remote->key);
  return remote;
}

static void
fail (Remote *remote, OrreryError code, const char *why)
{
  orrery_call_fail (remote->call,
                    g_error_new (ORRERY_ERROR, (int) code, "%s: %s", remote->name, why));
  remote_free (remote);
}

void
remote_calls_cancel (RemoteCalls *calls, OrreryCall *call)
{
  for (guint i = 0; i < calls->waiting->len; i++)
    if (((Remote *) calls->waiting->pdata[i])->call == call) {
      remote_free (take_out (calls, i));
      return;
    }
}

void
remote_calls_end (RemoteCalls *calls, const char *why)
{
  while (calls->waiting->len > 0)
    fail (take_out (calls, 0), ORRERY_ERROR_PREEMPTED, why);
}

static void
answer (RemoteCalls *calls, Remote *remote, const guint8 *bytes, gsize length)
{
  const OrreryMessageType *type = remote->type->response;
  gpointer message = orrery_message_new (type);
  g_autoptr (GError) error = NULL;

  if (orrery_message_read (type, message, calls->options.encoding, bytes, length, &error)) {
    orrery_call_return (remote->call, message_to_variant (type, message));
    remote_free (remote);
  } else {
    g_prefix_error (&error, "what was answered is no %s: ", orrery_message_type_get_name (type));
    fail (remote, ORRERY_ERROR_INVALID, error->message);
  }
  orrery_message_free (type, message);
}

static void
fail_late (RemoteCalls *calls, Remote *remote, gboolean sent)
{
  g_autofree char *why = g_strdup_printf (sent ? "the service has not answered within %g s"
                                               : "no service of that name was found within %g s",
                                          remote->timeout);

  fail (remote, ORRERY_ERROR_IO, why);
}

/* --- in a tick --- */

static guint64
get_number (const guint8 *from)
{
  guint64 number;

  memcpy (&number, from, sizeof number);
  return GUINT64_FROM_LE (number);
}

/* An input; it may come from a file that anybody has made. Returns: whether it has ended a call */
static gboolean
apply (RemoteCalls *calls, const guint8 *bytes, gsize size)
{
  g_autofree char *words = NULL;
  guint i = 0;

  if (size < INPUT_HEADER)
    return FALSE;
  for (; i < calls->waiting->len; i++) {
    const Remote *remote = calls->waiting->pdata[i];

    if ((guint64) remote->start == get_number (bytes + 1) &&
        remote->number == get_number (bytes + 9))
      break;
  }
  if (i == calls->waiting->len)
    return FALSE;
  if (bytes[0] == ANSWER) {
    answer (calls, take_out (calls, i), bytes + INPUT_HEADER, size - INPUT_HEADER);
  } else if (bytes[0] == LATE) {
    fail_late (calls, take_out (calls, i), TRUE);
  } else if (bytes[0] == FAILURE) {
    words = g_utf8_make_valid ((const char *) bytes + INPUT_HEADER,
                               (gssize) MIN (size - INPUT_HEADER, MAX_WORDS));
    fail (take_out (calls, i), ORRERY_ERROR_IO, words);
  } else {
    return FALSE;
  }
  return TRUE;
}

/* Returns: whether a call has ended */
static gboolean
take (RemoteCalls *calls, OrreryTick *tick, const Remote *remote, Kind kind, GBytes *more)
{
  g_autoptr (GByteArray) input = g_byte_array_new ();
  const guint64 numbers[] = { GUINT64_TO_LE ((guint64) remote->start),
                              GUINT64_TO_LE (remote->number) };
  guint8 first = (guint8) kind;
  const guint8 *taken;
  gsize size;

  g_byte_array_append (input, &first, 1);
  g_byte_array_append (input, (const guint8 *) numbers, sizeof numbers);
  if (more != NULL)
    g_byte_array_append (input, g_bytes_get_data (more, NULL), (guint) g_bytes_get_size (more));
  taken = orrery_part_take_input (ORRERY_PART (calls->options.manager), tick, input->data,
                                  input->len, &size);
  return taken != NULL && apply (calls, taken, size);
}

static void
take_event (RemoteCalls *calls, OrreryTick *tick, Remote *remote, const Event *event)
{
  gsize size = event->bytes != NULL ? g_bytes_get_size (event->bytes) : 0;
  g_autofree char *words = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (event->kind == SENT) {
    remote->sent = TRUE;
    return;
  }
  if (size <= remote->max_answer) {
    take (calls, tick, remote, event->kind, event->bytes);
    return;
  }
  words = g_strdup_printf ("the answer has %" G_GSIZE_FORMAT " bytes, and at most %" G_GSIZE_FORMAT
                           " are taken",
                           size, remote->max_answer);
  bytes = g_bytes_new (words, strlen (words));
  take (calls, tick, remote, FAILURE, bytes);
}

static int
compare_events (gconstpointer a, gconstpointer b)
{
  const Event *one = a, *other = b;

  return one->key < other->key ? -1 : one->key > other->key;
}

static void
take_events (RemoteCalls *calls, OrreryTick *tick)
{
  GArray *events = NULL;

  g_mutex_lock (&calls->lock);
  if (calls->events->len > 0) {
    events = calls->events;
    calls->events = new_events ();
  }
  g_mutex_unlock (&calls->lock);
  /* Others may be there by now: they are for the next tick. */
  if (events == NULL)
    return;
  /* In the order of the calls, whichever was answered first; it is stable. */
  g_array_sort (events, compare_events);
  for (guint i = 0; i < events->len; i++) {
    const Event *event = &g_array_index (events, Event, i);

    for (guint j = 0; j < calls->waiting->len; j++)
      if (((Remote *) calls->waiting->pdata[j])->key == event->key) {
        take_event (calls, tick, calls->waiting->pdata[j], event);
        break;
      }
  }
  g_array_unref (events);
}

/* Those whose time is over, and those of a run before this one. What is done about the end of one
 * may end others. */
static void
expire (RemoteCalls *calls, OrreryTick *tick)
{
  OrreryTime now = orrery_tick_get_time (tick);

  for (guint i = 0; i < calls->waiting->len;) {
    Remote *remote = calls->waiting->pdata[i];

    if (remote->start > now) {
      fail (take_out (calls, i), ORRERY_ERROR_PREEMPTED, "the run began anew");
    } else if (remote->deadline <= now) {
      /* In a replay, what was taken has said so already. */
      if (!remote->sent)
        fail_late (calls, take_out (calls, i), FALSE);
      else if (!take (calls, tick, remote, LATE, NULL))
        fail_late (calls, take_out (calls, i), TRUE);
    } else {
      i++;
      continue;
    }
    i = 0;
  }
}

void
remote_calls_tick (RemoteCalls *calls, OrreryTick *tick)
{
  const guint8 *taken;
  gsize size;

  take_events (calls, tick);
  /* Only a replay gives anything here. */
  while ((taken = orrery_part_take_input (ORRERY_PART (calls->options.manager), tick, NULL, 0,
                                          &size)) != NULL)
    apply (calls, taken, size);
  if (calls->waiting->len > 0)
    expire (calls, tick);
}
