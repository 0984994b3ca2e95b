/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the callbacks of all scripts, pass by pass, and begins, ends and restarts scripts. */
#include "tick/orrery-script-runner-private.h"

#include "base/orrery-monotonic-private.h"
#include "part/orrery-log.h"
#include "part/orrery-part-private.h"
#include "worker/orrery-worker-private.h"
#include "world/orrery-world-private.h"

typedef void (*CallFunc) (OrreryScript *script, OrreryTick *tick, GError **error);
typedef gboolean (*AskFunc) (OrreryScript *script, OrreryTick *tick, GError **error);

/* One call of a pass. */
typedef struct {
  union {
    CallFunc call;
    AskFunc ask;
  };
  OrreryScript *script;
  const OrreryCallee *callee;
  OrreryScriptSlot *slot;
  OrreryCallback callback;
} Entry;

typedef struct {
  guint a;
  guint b;
} Pair;

struct _OrreryScripts {
  GPtrArray *slots; /* (element-type OrreryScriptSlot), owned, in calling order */
  GArray *passes[ORRERY_N_CALLBACKS];
  gboolean changed; /* the lists of the passes must be rebuilt */
  guint n_requests;
  guint64 n_ticks; /* number of passes that were run */
  gboolean timed;  /* every call is timed, for the costs */
  GArray *pairs;   /* (element-type Pair): pairs in contact in this tick */
  GArray *before;  /* (element-type Pair): pairs in contact in the last tick */
  OrreryScriptMakeFunc make;
  OrreryScriptDropFunc drop;
  gpointer host;
  OrreryRunFaults *faults; /* borrowed (nullable) */
};

/* --- slots --- */

OrreryScriptSlot *
orrery_script_slot_new (const char *name, OrreryScriptType type, OrreryObject *object,
                        gpointer place, GDestroyNotify free_place)
{
  OrreryScriptSlot *slot = g_new0 (OrreryScriptSlot, 1);

  slot->name = g_strdup (name);
  slot->type = type;
  slot->object = object;
  slot->place = place;
  slot->free_place = free_place;
  return slot;
}

void
orrery_script_slot_set_script (OrreryScriptSlot *slot, OrreryScript *script)
{
  slot->script = script;
}

void
orrery_script_slot_free (OrreryScriptSlot *slot)
{
  if (slot->script != NULL)
    orrery_script_watch (slot->script, NULL);
  g_clear_object (&slot->script);
  if (slot->free_place != NULL)
    slot->free_place (slot->place);
  g_free (slot->name);
  g_free (slot->failure);
  g_free (slot);
}

OrreryScripts *
orrery_scripts_new (OrreryScriptMakeFunc make, OrreryScriptDropFunc drop, gpointer host)
{
  OrreryScripts *scripts = g_new0 (OrreryScripts, 1);

  scripts->slots = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_script_slot_free);
  for (guint i = 0; i < ORRERY_N_CALLBACKS; i++)
    scripts->passes[i] = g_array_new (FALSE, FALSE, sizeof (Entry));
  scripts->pairs = g_array_new (FALSE, FALSE, sizeof (Pair));
  scripts->before = g_array_new (FALSE, FALSE, sizeof (Pair));
  scripts->make = make;
  scripts->drop = drop;
  scripts->host = host;
  return scripts;
}

void
orrery_scripts_free (OrreryScripts *scripts)
{
  for (guint i = 0; i < ORRERY_N_CALLBACKS; i++)
    g_array_unref (scripts->passes[i]);
  g_array_unref (scripts->pairs);
  g_array_unref (scripts->before);
  g_ptr_array_unref (scripts->slots);
  g_free (scripts);
}

GPtrArray *
orrery_scripts_get_slots (OrreryScripts *scripts)
{
  return scripts->slots;
}

void
orrery_scripts_set_slots (OrreryScripts *scripts, GPtrArray *slots)
{
  g_ptr_array_set_free_func (scripts->slots, NULL);
  g_ptr_array_set_size (scripts->slots, 0);
  g_ptr_array_set_free_func (scripts->slots, (GDestroyNotify) orrery_script_slot_free);
  g_ptr_array_extend (scripts->slots, slots, NULL, NULL);
  scripts->changed = TRUE;
}

/* --- scripts of the program, which belong to two scenes while the second one is set up --- */

void
orrery_scripts_share (OrreryScripts *scripts, OrreryScripts *from)
{
  for (guint i = 0; i < from->slots->len; i++) {
    OrreryScriptSlot *slot = from->slots->pdata[i];

    if (ORRERY_SCRIPTS_OF_PROGRAM >> slot->type & 1)
      g_ptr_array_add (scripts->slots, slot);
  }
}

void
orrery_scripts_leave (OrreryScripts *scripts, OrreryScripts *others)
{
  g_autoptr (GPtrArray) rest = g_ptr_array_new ();

  for (guint i = 0; i < scripts->slots->len; i++)
    if (!g_ptr_array_find (others->slots, scripts->slots->pdata[i], NULL))
      g_ptr_array_add (rest, scripts->slots->pdata[i]);
  orrery_scripts_set_slots (scripts, rest);
}

/* --- passes --- */

static CallFunc
find_func (OrreryScriptSlot *slot, OrreryCallback callback)
{
  if (!orrery_callback_is_of_type (callback, slot->type))
    return NULL;
  if (orrery_remote_find (ORRERY_PART (slot->script)) != NULL)
    return (CallFunc) orrery_remote_get_callback (slot->script, callback);
  return (CallFunc) orrery_callback_get_func (callback, ORRERY_SCRIPT_GET_CLASS (slot->script));
}

static void
do_nothing (OrreryScript *script, OrreryTick *tick, GError **error)
{
}

static void
add_entry (OrreryScripts *scripts, OrreryScriptSlot *slot, OrreryCallback callback)
{
  Entry entry = { .call = find_func (slot, callback),
                  .script = slot->script,
                  .callee = orrery_part_get_callee (slot->script),
                  .slot = slot,
                  .callback = callback };
  OrreryCallback pass = callback;

  if (entry.call == NULL)
    return;
  if (callback == ORRERY_CALLBACK_THREAD) {
    if (orrery_remote_find (ORRERY_PART (slot->script)) == NULL)
      entry.call = orrery_script_run_thread;
    pass = ORRERY_CALLBACK_ACTUATION;
    if (orrery_script_is_thread_over (slot->script))
      return;
  }
  g_array_append_val (scripts->passes[pass], entry);
}

static void
make_passes (OrreryScripts *scripts)
{
  scripts->changed = FALSE;
  for (guint i = 0; i < ORRERY_N_CALLBACKS; i++)
    g_array_set_size (scripts->passes[i], 0);
  for (guint i = 0; i < scripts->slots->len; i++) {
    OrreryScriptSlot *slot = scripts->slots->pdata[i];

    if (!slot->alive)
      continue;
    add_entry (scripts, slot, ORRERY_CALLBACK_THREAD);
    for (guint k = 0; k < ORRERY_N_CALLBACKS; k++)
      if (k != ORRERY_CALLBACK_THREAD)
        add_entry (scripts, slot, k);
  }
}

static inline GArray *
get_pass (OrreryScripts *scripts, OrreryCallback callback)
{
  if (G_UNLIKELY (scripts->changed))
    make_passes (scripts);
  return scripts->passes[callback];
}

gboolean
orrery_scripts_has (OrreryScripts *scripts, OrreryCallback callback)
{
  return get_pass (scripts, callback)->len > 0;
}

/* --- failures --- */

static void
set_alive (OrreryScripts *scripts, OrreryScriptSlot *slot, gboolean alive)
{
  if (slot->alive && !alive)
    slot->n_ticks += scripts->n_ticks - slot->since;
  slot->since = scripts->n_ticks;
  slot->alive = alive;
  scripts->changed = TRUE;
}

guint64
orrery_script_slot_get_n_ticks (OrreryScripts *scripts, OrreryScriptSlot *slot)
{
  return slot->n_ticks + (slot->alive ? scripts->n_ticks - slot->since : 0);
}

void
orrery_scripts_watch_faults (OrreryScripts *scripts, OrreryRunFaults *faults)
{
  scripts->faults = faults;
}

static void
tell_fault (OrreryRunFaults *faults, const OrreryScriptSlot *slot)
{
  OrreryRunFault fault = { .kind = ORRERY_RUN_FAULT_SCRIPT,
                           .part = slot->name,
                           .where = slot->failed_in,
                           .count = slot->n_failures };

  if (slot->script != NULL)
    fault.classpath = orrery_part_get_classpath (ORRERY_PART (slot->script));
  fault.message = slot->failure + strlen (slot->failed_in) + strlen (": ");
  orrery_run_faults_tell (faults, fault);
}

void
orrery_scripts_tell_failed (OrreryScripts *scripts, OrreryRunFaults *faults)
{
  for (guint i = 0; i < scripts->slots->len; i++) {
    const OrreryScriptSlot *slot = scripts->slots->pdata[i];

    if (slot->failed)
      tell_fault (faults, slot);
  }
}

void
orrery_scripts_disable (OrreryScripts *scripts, OrreryScriptSlot *slot, const char *where,
                        GError *error)
{
  set_alive (scripts, slot, FALSE);
  slot->failed = TRUE;
  g_free (slot->failure);
  slot->failure = g_strdup_printf ("%s: %s", where, error->message);
  slot->failed_in = where;
  slot->n_failures++;
  if (slot->script != NULL)
    orrery_part_log_plain (slot->script, G_LOG_LEVEL_WARNING, "%s: %s; the script is disabled",
                           slot->name, slot->failure);
  else
    g_warning ("%s: %s; the script is disabled", slot->name, slot->failure);
  tell_fault (scripts->faults, slot);
  g_error_free (error);
}

/* Calls of it that are left in the current pass are skipped. */
static G_GNUC_NO_INLINE void
fail (OrreryScripts *scripts, GArray *pass, const Entry *failed, GError *error)
{
  OrreryScriptSlot *slot = failed->slot;
  Entry *entries = (Entry *) (gpointer) pass->data;

  orrery_script_take_request (slot->script);
  orrery_scripts_disable (scripts, slot, orrery_callback_get_name (failed->callback), error);
  for (guint i = 0; i < pass->len; i++)
    if (entries[i].slot == slot)
      entries[i].call = do_nothing;
}

/* --- beginning and end --- */

static void
run_once (OrreryScripts *scripts, OrreryScriptSlot *slot, OrreryCallback callback, OrreryTick *tick)
{
  CallFunc call = find_func (slot, callback);
  GError *error = NULL;

  if (call == NULL)
    return;
  ORRERY_PART_CALL (slot->script, orrery_callback_get_name (callback),
                    call (slot->script, tick, &error));
  if (error != NULL)
    orrery_scripts_disable (scripts, slot, orrery_callback_get_name (callback), error);
}

static void
begin (OrreryScripts *scripts, OrreryScriptSlot *slot, OrreryTick *tick)
{
  GError *error = NULL;

  if (slot->script == NULL) {
    slot->script = scripts->make (scripts->host, slot, &error);
    if (slot->script == NULL) {
      orrery_scripts_disable (scripts, slot, "setup", error);
      return;
    }
  }
  orrery_script_watch (slot->script, &scripts->n_requests);
  set_alive (scripts, slot, TRUE);
  run_once (scripts, slot, ORRERY_CALLBACK_INIT, tick);
}

static void
end (OrreryScripts *scripts, OrreryScriptSlot *slot, OrreryTick *tick)
{
  if (slot->alive)
    run_once (scripts, slot, ORRERY_CALLBACK_CLEANUP, tick);
  set_alive (scripts, slot, FALSE);
  if (slot->script == NULL)
    return;
  scripts->drop (scripts->host, slot);
  orrery_script_watch (slot->script, NULL);
  g_clear_object (&slot->script);
}

void
orrery_scripts_begin (OrreryScripts *scripts, guint types, OrreryTick *tick)
{
  for (guint i = 0; i < scripts->slots->len; i++) {
    OrreryScriptSlot *slot = scripts->slots->pdata[i];

    if ((types >> slot->type & 1) && !slot->alive && !slot->failed && !slot->retired)
      begin (scripts, slot, tick);
  }
}

void
orrery_scripts_end (OrreryScripts *scripts, guint types, OrreryTick *tick)
{
  for (guint i = 0; i < scripts->slots->len; i++) {
    OrreryScriptSlot *slot = scripts->slots->pdata[i];

    if ((types >> slot->type & 1) && (slot->alive || slot->failed))
      end (scripts, slot, tick);
  }
}

void
orrery_scripts_clear_failures (OrreryScripts *scripts, guint types)
{
  for (guint i = 0; i < scripts->slots->len; i++) {
    OrreryScriptSlot *slot = scripts->slots->pdata[i];

    if (!(types >> slot->type & 1))
      continue;
    slot->failed = slot->retired = FALSE;
    g_clear_pointer (&slot->failure, g_free);
  }
}

/* Applies the requests of the scripts after a pass. Requests that are made meanwhile apply after
 * the next pass. */
static G_GNUC_NO_INLINE void
apply_requests (OrreryScripts *scripts, OrreryTick *tick)
{
  scripts->n_requests = 0;
  scripts->changed = TRUE;
  for (guint i = 0; i < scripts->slots->len; i++) {
    OrreryScriptSlot *slot = scripts->slots->pdata[i];
    OrreryScriptRequest request =
        slot->alive ? orrery_script_take_request (slot->script) : ORRERY_SCRIPT_REQUEST_NONE;

    if (request == ORRERY_SCRIPT_REQUEST_NONE)
      continue;
    end (scripts, slot, tick);
    slot->retired = request == ORRERY_SCRIPT_REQUEST_CLEANUP;
    if (request == ORRERY_SCRIPT_REQUEST_RESTART && !slot->failed)
      begin (scripts, slot, tick);
  }
}

static inline void
finish_pass (OrreryScripts *scripts, OrreryTick *tick)
{
  if (G_UNLIKELY (scripts->n_requests > 0))
    apply_requests (scripts, tick);
}

/* --- calling --- */

gboolean
orrery_scripts_begin_tick (OrreryScripts *scripts, gboolean timed)
{
  scripts->n_ticks++;
  scripts->timed = timed && scripts->slots->len > 0;
  return scripts->slots->len > 0;
}

void
orrery_scripts_end_tick (OrreryScripts *scripts)
{
  scripts->timed = FALSE;
}

static void
call_timed (OrreryScripts *scripts, GArray *pass, OrreryTick *tick)
{
  gint64 before = orrery_monotonic_now ();

  for (guint i = 0; i < pass->len; i++) {
    const Entry *entry = &g_array_index (pass, Entry, i);
    GError *error = NULL;
    gint64 after;

    orrery_calling_set (entry->callee);
    entry->call (entry->script, tick, &error);
    if (G_UNLIKELY (error != NULL))
      fail (scripts, pass, entry, error);
    after = orrery_monotonic_now ();
    entry->slot->tick_ns += after - before;
    before = after;
  }
}

void
orrery_scripts_call (OrreryScripts *scripts, OrreryCallback callback, OrreryTick *tick)
{
  GArray *pass = get_pass (scripts, callback);
  const Entry *entry = (const Entry *) (gpointer) pass->data;
  const Entry *last = entry + pass->len;
  OrreryCalling before = orrery_calling_begin (NULL, orrery_callback_get_name (callback));
  GError *error = NULL;

  if (G_UNLIKELY (scripts->timed)) {
    call_timed (scripts, pass, tick);
  } else {
    for (; entry < last; entry++) {
      orrery_calling_set (entry->callee);
      entry->call (entry->script, tick, &error);
      if (G_UNLIKELY (error != NULL))
        fail (scripts, pass, entry, g_steal_pointer (&error));
    }
  }
  orrery_calling_end (before);
  finish_pass (scripts, tick);
}

/* Returns whether it answered. */
static gboolean
ask (OrreryScripts *scripts, GArray *pass, guint i, OrreryTick *tick)
{
  const Entry *entry = &g_array_index (pass, Entry, i);
  GError *error = NULL;
  gboolean answer;

  /* The script failed for an earlier pair of this pass. */
  if (entry->slot->failed)
    return FALSE;
  ORRERY_PART_CALL (entry->script, orrery_callback_get_name (entry->callback),
                    answer = entry->ask (entry->script, tick, &error));
  if (G_LIKELY (error == NULL))
    return answer;
  fail (scripts, pass, entry, error);
  return FALSE;
}

/* --- contacts: both lists are sorted, so one walk along them finds new pairs --- */

static void
take_pairs (OrreryScripts *scripts, OrrerySnapshot *snapshot)
{
  GArray *pairs = scripts->before;
  const OrreryContact *contacts;
  guint n;

  scripts->before = scripts->pairs;
  scripts->pairs = pairs;
  g_array_set_size (pairs, 0);
  contacts = orrery_snapshot_get_contacts (snapshot, &n);
  for (guint i = 0; i < n; i++) {
    Pair pair = { contacts[i].a, contacts[i].b };

    if (i == 0 || pair.a != contacts[i - 1].a || pair.b != contacts[i - 1].b)
      g_array_append_val (pairs, pair);
  }
}

static void
ask_for_pair (OrreryScripts *scripts, GArray *pass, const Pair *pair, OrreryTick *tick)
{
  tick->has_pair = TRUE;
  tick->pair[0] = pair->a;
  tick->pair[1] = pair->b;
  for (guint i = pass->len; i > 0; i--)
    if (ask (scripts, pass, i - 1, tick))
      break;
  tick->has_pair = FALSE;
}

void
orrery_scripts_call_contacts (OrreryScripts *scripts, OrreryTick *tick)
{
  GArray *pass = get_pass (scripts, ORRERY_CALLBACK_CONTACT);
  guint k = 0;

  if (pass->len == 0)
    return;
  take_pairs (scripts, tick->snapshot);
  for (guint i = 0; i < scripts->pairs->len; i++) {
    const Pair *pair = &g_array_index (scripts->pairs, Pair, i);
    const Pair *old = (const Pair *) (gpointer) scripts->before->data;

    while (k < scripts->before->len &&
           (old[k].a < pair->a || (old[k].a == pair->a && old[k].b < pair->b)))
      k++;
    if (k == scripts->before->len || old[k].a != pair->a || old[k].b != pair->b)
      ask_for_pair (scripts, pass, pair, tick);
  }
  finish_pass (scripts, tick);
}

void
orrery_scripts_forget_contacts (OrreryScripts *scripts)
{
  g_array_set_size (scripts->pairs, 0);
  g_array_set_size (scripts->before, 0);
}

GVariant *
orrery_scripts_save_contacts (OrreryScripts *scripts)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE ("(uu)"), scripts->pairs->data,
                                    scripts->pairs->len, sizeof (Pair));
}

void
orrery_scripts_restore_contacts (OrreryScripts *scripts, GVariant *pairs)
{
  const Pair *saved;
  gsize n;

  orrery_scripts_forget_contacts (scripts);
  saved = g_variant_get_fixed_array (pairs, &n, sizeof *saved);
  if (n > 0)
    g_array_append_vals (scripts->pairs, saved, (guint) n);
}

/* --- joints --- */

/* Whether a child script belongs to @object; other scripts belong to the whole scene. */
static gboolean
ask_children (OrreryScripts *scripts, GArray *pass, OrreryObject *object, OrreryTick *tick)
{
  for (guint i = 0; i < pass->len; i++) {
    const Entry *entry = &g_array_index (pass, Entry, i);

    if (entry->slot->type == ORRERY_SCRIPT_CHILD && entry->slot->object == object &&
        ask (scripts, pass, i, tick))
      return TRUE;
  }
  return FALSE;
}

static gboolean
ask_others (OrreryScripts *scripts, GArray *pass, OrreryTick *tick)
{
  for (guint i = 0; i < pass->len; i++)
    if (g_array_index (pass, Entry, i).slot->type != ORRERY_SCRIPT_CHILD &&
        ask (scripts, pass, i, tick))
      return TRUE;
  return FALSE;
}

gboolean
orrery_scripts_call_joint (OrreryScripts *scripts, OrreryObject *joint, OrreryTick *tick)
{
  GArray *pass = get_pass (scripts, ORRERY_CALLBACK_JOINT);
  gboolean answered = FALSE;

  if (pass->len == 0)
    return FALSE;
  tick->joint = joint;
  for (OrreryObject *object = joint; object != NULL && !answered;
       object = orrery_object_get_parent (object))
    answered = ask_children (scripts, pass, object, tick);
  answered = answered || ask_others (scripts, pass, tick);
  tick->joint = NULL;
  finish_pass (scripts, tick);
  return answered;
}
