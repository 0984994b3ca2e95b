/* SPDX-License-Identifier: BSD-3-Clause */
/* The log of parts and their faults, as clients of the viewer are told of them. */
#include "hub-log.h"

#include <stdatomic.h>

/* Bytes of a text that are kept. */
#define MAX_BYTES 2048
/* Between two times that clients are told, us: a part may fail in each tick. */
#define WAIT_US 100000

const char hub_log_schema[] =
    "{\"type\":\"object\",\"title\":\"foxglove.Log\",\"properties\":{\"timestamp\":"
    "{\"type\":\"object\",\"title\":\"time\",\"properties\":{\"sec\":{\"type\":\"integer\"},"
    "\"nsec\":{\"type\":\"integer\"}}},\"level\":{\"type\":\"integer\",\"description\":"
    "\"1 debug, 2 information, 3 warning, 4 error, 5 fatal\"},\"message\":{\"type\":\"string\"},"
    "\"name\":{\"type\":\"string\"},\"file\":{\"type\":\"string\"},\"line\":{\"type\":\"integer\"},"
    "\"tick\":{\"type\":\"integer\"}}}";
const char hub_faults_schema[] =
    "{\"type\":\"object\",\"title\":\"orrery.Fault\",\"properties\":{\"timestamp\":"
    "{\"type\":\"object\",\"title\":\"time\",\"properties\":{\"sec\":{\"type\":\"integer\"},"
    "\"nsec\":{\"type\":\"integer\"}}},\"tick\":{\"type\":\"integer\"},\"kind\":"
    "{\"type\":\"string\",\"description\":\"step: of a component; message: to an actuator, "
    "refused; "
    "script: it is disabled; worker\"},\"part\":{\"type\":\"string\"},\"class\":"
    "{\"type\":\"string\"},\"where\":{\"type\":\"string\",\"description\":\"sense or act; the "
    "callback of a script; the name of a worker\"},\"message\":{\"type\":\"string\"},\"count\":"
    "{\"type\":\"integer\",\"description\":\"of faults of this kind and part, with this one\"}}}";

static const char *const fault_kinds[] = { "step", "message", "script", "worker" };

struct _HubLog {
  _Atomic OrreryTime time;
  _Atomic guint64 tick;

  GMutex lock;
  guint64 n;          /* [lock]: entries so far */
  GQueue lines;       /* [lock] (element-type HubLogEntry) */
  GHashTable *faults; /* [lock] (element-type utf8 HubLogEntry): by part, kind and place */
  GSource *source;    /* [lock] (nullable): calls who watches */
  gboolean is_due;    /* [lock]: the source will */
  gint64 last;        /* [lock]: when it did, us */
};

static void
entry_clear (gpointer data)
{
  HubLogEntry *entry = data;

  g_free (entry->part);
  g_free (entry->text);
  g_free (entry->classpath);
  g_free (entry->where);
}

static void
entry_unref (gpointer entry)
{
  g_atomic_rc_box_release_full (entry, entry_clear);
}

/* What comes from parts need not be UTF-8; a cut may split a character. */
static char *
keep_text (const char *text)
{
  g_autofree char *cut = g_strndup (text != NULL ? text : "", MAX_BYTES);

  return g_utf8_make_valid (cut, -1);
}

HubLog *
hub_log_new (void)
{
  HubLog *log = g_new0 (HubLog, 1);

  g_mutex_init (&log->lock);
  g_queue_init (&log->lines);
  log->faults = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, entry_unref);
  return log;
}

void
hub_log_free (HubLog *log)
{
  hub_log_unwatch (log);
  g_queue_clear_full (&log->lines, entry_unref);
  g_hash_table_unref (log->faults);
  g_mutex_clear (&log->lock);
  g_free (log);
}

/* --- coming in --- */

void
hub_log_set_time (HubLog *log, OrreryTime time, guint64 tick)
{
  atomic_store_explicit (&log->time, time, memory_order_relaxed);
  atomic_store_explicit (&log->tick, tick, memory_order_relaxed);
}

static HubLogEntry *
entry_new (HubLog *log, HubLogKind kind, const char *part, const char *text)
{
  HubLogEntry *entry = g_atomic_rc_box_new0 (HubLogEntry);

  entry->kind = kind;
  entry->time = atomic_load_explicit (&log->time, memory_order_relaxed);
  entry->tick = atomic_load_explicit (&log->tick, memory_order_relaxed);
  entry->part = keep_text (part);
  entry->text = keep_text (text);
  return entry;
}

/* The lock is held. */
static void
wake (HubLog *log)
{
  if (log->source == NULL || log->is_due)
    return;
  log->is_due = TRUE;
  g_source_set_ready_time (log->source, log->last + WAIT_US);
}

void
hub_log_add_line (HubLog *log, OrreryLogLevel level, const char *part, const char *text)
{
  HubLogEntry *entry = entry_new (log, HUB_LOG_LINE, part, text);

  entry->level = level;
  g_mutex_lock (&log->lock);
  entry->serial = ++log->n;
  if (log->lines.length == HUB_LOG_LENGTH)
    entry_unref (g_queue_pop_head (&log->lines));
  g_queue_push_tail (&log->lines, entry);
  wake (log);
  g_mutex_unlock (&log->lock);
}

/* Of more kinds than are kept clients learn nothing; the report of the run counts all. */
void
hub_log_add_fault (HubLog *log, const OrreryRunFault *fault)
{
  HubLogEntry *entry = entry_new (log, HUB_LOG_FAULT, fault->part, fault->message);
  g_autofree char *key = g_strdup_printf ("%d %s %s", (int) fault->kind, fault->part, fault->where);

  entry->tick = fault->tick;
  entry->fault = fault->kind;
  entry->classpath = keep_text (fault->classpath);
  entry->where = keep_text (fault->where);
  entry->count = fault->count;
  g_mutex_lock (&log->lock);
  if (g_hash_table_size (log->faults) < HUB_LOG_LENGTH ||
      g_hash_table_contains (log->faults, key)) {
    entry->serial = ++log->n;
    g_hash_table_replace (log->faults, g_steal_pointer (&key), entry);
    wake (log);
  } else {
    entry_unref (entry);
  }
  g_mutex_unlock (&log->lock);
}

void
hub_log_forget_faults (HubLog *log)
{
  g_mutex_lock (&log->lock);
  g_hash_table_remove_all (log->faults);
  g_mutex_unlock (&log->lock);
}

/* --- going out --- */

static int
compare (gconstpointer a, gconstpointer b)
{
  const HubLogEntry *first = *(HubLogEntry *const *) a, *second = *(HubLogEntry *const *) b;

  return first->serial < second->serial ? -1 : first->serial > second->serial;
}

GPtrArray *
hub_log_get (HubLog *log, HubLogKind kind, guint64 serial)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (entry_unref);
  HubLogEntry *entry;
  GHashTableIter iter;

  g_mutex_lock (&log->lock);
  g_hash_table_iter_init (&iter, log->faults);
  for (GList *l = kind == HUB_LOG_LINE ? log->lines.tail : NULL;
       l != NULL && (entry = l->data)->serial > serial; l = l->prev)
    g_ptr_array_add (found, g_atomic_rc_box_acquire (entry));
  while (kind == HUB_LOG_FAULT && g_hash_table_iter_next (&iter, NULL, (gpointer *) &entry))
    if (entry->serial > serial)
      g_ptr_array_add (found, g_atomic_rc_box_acquire (entry));
  g_mutex_unlock (&log->lock);
  g_ptr_array_sort (found, compare);
  return found;
}

static void
append_pair (OrreryWriter *out, const char *key, const char *value)
{
  orrery_writer_append_text (out, key);
  orrery_writer_append_json_text (out, value);
}

static void
append_number (OrreryWriter *out, const char *key, gint64 value)
{
  orrery_writer_append_text (out, key);
  orrery_writer_append_int (out, value);
}

/* As Foxglove numbers them. */
static int
to_level (OrreryLogLevel level)
{
  if (level >= ORRERY_LOG_LEVEL_CRITICAL)
    return 5;
  if (level >= ORRERY_LOG_LEVEL_ERROR)
    return 4;
  if (level >= ORRERY_LOG_LEVEL_WARNING)
    return 3;
  return level >= ORRERY_LOG_LEVEL_INFO ? 2 : 1;
}

void
hub_log_write (const HubLogEntry *entry, OrreryWriter *out)
{
  append_number (out, "{\"timestamp\":{\"sec\":", entry->time / ORRERY_SECOND);
  append_number (out, ",\"nsec\":", entry->time % ORRERY_SECOND);
  append_number (out, "},\"tick\":", (gint64) entry->tick);
  if (entry->kind == HUB_LOG_LINE) {
    append_number (out, ",\"level\":", to_level (entry->level));
    append_pair (out, ",\"name\":", entry->part);
    append_pair (out, ",\"file\":\"\",\"line\":0,\"message\":", entry->text);
  } else {
    append_pair (out, ",\"kind\":", fault_kinds[entry->fault]);
    append_pair (out, ",\"part\":", entry->part);
    append_pair (out, ",\"class\":", entry->classpath);
    append_pair (out, ",\"where\":", entry->where);
    append_pair (out, ",\"message\":", entry->text);
    append_number (out, ",\"count\":", (gint64) entry->count);
  }
  orrery_writer_append_char (out, '}');
}

/* --- telling --- */

static gboolean
source_dispatch (GSource *source, GSourceFunc func, gpointer data)
{
  return func (data);
}

static GSourceFuncs source_funcs = { .dispatch = source_dispatch };

typedef struct {
  HubLog *log;
  GSourceFunc func;
  gpointer data;
} Watch;

static gboolean
on_due (gpointer data)
{
  const Watch *watch = data;
  HubLog *log = watch->log;

  g_mutex_lock (&log->lock);
  log->is_due = FALSE;
  log->last = g_get_monotonic_time ();
  g_source_set_ready_time (log->source, -1);
  g_mutex_unlock (&log->lock);
  return watch->func (watch->data);
}

void
hub_log_watch (HubLog *log, GSourceFunc func, gpointer data)
{
  GSource *source = g_source_new (&source_funcs, sizeof (GSource));
  Watch *watch = g_new (Watch, 1);

  *watch = (Watch){ log, func, data };
  hub_log_unwatch (log);
  g_source_set_callback (source, on_due, watch, g_free);
  g_source_attach (source, g_main_context_get_thread_default ());
  g_mutex_lock (&log->lock);
  log->source = source;
  g_mutex_unlock (&log->lock);
}

void
hub_log_unwatch (HubLog *log)
{
  GSource *source;

  g_mutex_lock (&log->lock);
  source = g_steal_pointer (&log->source);
  log->is_due = FALSE;
  g_mutex_unlock (&log->lock);
  if (source == NULL)
    return;
  g_source_destroy (source);
  g_source_unref (source);
}
