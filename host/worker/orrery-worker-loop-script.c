/* SPDX-License-Identifier: BSD-3-Clause */
/* In a worker: creates scripts, calls their callbacks, and destroys them when the host requests
 * it. */
#include "worker/orrery-worker-loop-private.h"

#include "part/orrery-part-private.h"
#include "record/orrery-flat-private.h"
#include "roles/orrery-callback-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-script-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

typedef void (*CallFunc) (OrreryScript *script, OrreryTick *tick, GError **error);
typedef gboolean (*AskFunc) (OrreryScript *script, OrreryTick *tick, GError **error);

OrreryScript *
orrery_worker_loop_get_script (OrreryWorkerLoop *loop, guint place)
{
  guint index = place - loop->components->len;

  return place >= loop->components->len && index < loop->scripts->len ? loop->scripts->pdata[index]
                                                                      : NULL;
}

/* --- records that it reads --- */

static gboolean
has_changed (OrreryWorkerLoop *loop, const OrreryWorkerInput *input)
{
  orrery_message_clear (loop->input);
  orrery_message_add_record (loop->input, orrery_component_get_record (input->component));
  /* A record may end in padding, which the size of a packed one does not include. */
  return orrery_component_is_active (input->component) != input->active ||
         loop->input->len != ((input->size + 7) & ~(gsize) 7) ||
         memcmp (loop->input->data, input->bytes, input->size) != 0;
}

guint64
orrery_worker_loop_add_inputs (OrreryWorkerLoop *loop)
{
  guint64 n = 0;

  for (guint i = 0; i < loop->inputs->len; i++) {
    const OrreryWorkerInput *input = &g_array_index (loop->inputs, OrreryWorkerInput, i);
    OrreryEntry entry = { .component = input->place };

    if (!has_changed (loop, input))
      continue;
    if (orrery_component_is_active (input->component))
      entry.flags |= ORRERY_ENTRY_ACTIVE;
    entry.n_record = orrery_flat_measure_shallow (orrery_component_get_record (input->component));
    orrery_message_add_bytes (loop->message, &entry, sizeof entry);
    orrery_message_add_record (loop->message, orrery_component_get_record (input->component));
    n++;
  }
  return n;
}

/* --- its life --- */

static void
put (OrreryWorkerLoop *loop, guint index, OrreryScript *script)
{
  OrreryScript *old = loop->scripts->pdata[index];

  loop->scripts->pdata[index] = script;
  if (old != NULL)
    g_object_unref (old);
}

gboolean
orrery_worker_loop_make (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryEntry *entry = orrery_worker_loop_take_entries (loop, work);
  guint index = entry != NULL ? entry->component - loop->components->len : 0;
  g_autoptr (GVariant) payload = NULL;
  g_autoptr (GVariant) options = NULL;
  g_autoptr (GVariant) made = NULL;
  OrreryAnswer head = { .flags = ORRERY_ANSWER_LAST };
  const char *name;

  if (entry != NULL && index < loop->scripts->len)
    payload = orrery_worker_loop_take_payload (work, ORRERY_MAKE_TYPE);
  if (payload == NULL)
    return orrery_worker_loop_fail (error);
  g_variant_get (payload, "(&s@a{sv})", &name, &options);
  put (loop, index, NULL);
  orrery_worker_pass ("setup");
  made = loop->make_script (loop->start_data, index, name, options);
  orrery_worker_pass ("set-up");
  head.component = entry->component;
  head.id = work->head.id;
  orrery_message_clear (loop->message);
  orrery_message_add (loop->message, sizeof head);
  head.n_payload = orrery_message_add_variant (loop->message, made);
  *(OrreryAnswer *) (gpointer) loop->message->data = head;
  return orrery_emitter_emit (loop->to, loop->message->data, loop->message->len, work->head.time,
                              error);
}

gboolean
orrery_worker_loop_drop (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryEntry *entry = orrery_worker_loop_take_entries (loop, work);

  if (entry == NULL || entry->component < loop->components->len)
    return orrery_worker_loop_fail (error);
  put (loop, entry->component - loop->components->len, NULL);
  return orrery_worker_loop_answer (loop, work, entry->component, ORRERY_ANSWER_LAST, FALSE, NULL,
                                    NULL, error);
}

/* --- callbacks --- */

static void
set_occasion (OrreryWorkerLoop *loop, const OrreryOccasion *occasion)
{
  OrreryTick *tick = loop->tick;
  gboolean has_joint = (occasion->flags & ORRERY_OCCASION_JOINT) &&
                       occasion->joint < orrery_world_get_n_objects (loop->world);

  tick->substep = occasion->substep;
  tick->after_substep = (occasion->flags & ORRERY_OCCASION_AFTER) != 0;
  tick->has_pair = (occasion->flags & ORRERY_OCCASION_PAIR) != 0;
  tick->pair[0] = occasion->pair[0];
  tick->pair[1] = occasion->pair[1];
  tick->joint = has_joint ? orrery_world_get_object (loop->world, occasion->joint) : NULL;
}

static gboolean
call_func (GCallback func, OrreryScript *script, OrreryCallback callback, OrreryTick *tick,
           GError **error)
{
  if (callback == ORRERY_CALLBACK_CONTACT || callback == ORRERY_CALLBACK_JOINT)
    return ((AskFunc) func) (script, tick, error);
  if (callback == ORRERY_CALLBACK_THREAD)
    orrery_script_run_thread (script, tick, error);
  else
    ((CallFunc) func) (script, tick, error);
  return FALSE;
}

static gboolean
call (OrreryScript *script, OrreryCallback callback, OrreryTick *tick, GError **error)
{
  GCallback func = orrery_callback_get_func (callback, ORRERY_SCRIPT_GET_CLASS (script));
  gboolean answer = FALSE;

  __atomic_store_n (&orrery_calling_tick, tick->number, __ATOMIC_RELAXED);
  if (func != NULL)
    ORRERY_PART_CALL (script, orrery_callback_get_name (callback),
                      answer = call_func (func, script, callback, tick, error));
  return answer;
}

static guint32
find_flags (OrreryScript *script, const OrreryOccasion *occasion, gboolean handled)
{
  OrreryCallback callback = occasion->callback;
  OrreryScriptRequest request = orrery_script_take_request (script);
  guint32 flags = ORRERY_ANSWER_LAST;

  if (handled)
    flags |= ORRERY_ANSWER_HANDLED;
  if (callback == ORRERY_CALLBACK_SENSING || callback == ORRERY_CALLBACK_ACTUATION ||
      callback == ORRERY_CALLBACK_THREAD)
    flags |= ORRERY_ANSWER_STEP;
  if (occasion->flags & ORRERY_OCCASION_ANEW)
    flags |= ORRERY_ANSWER_ANEW;
  if (callback == ORRERY_CALLBACK_THREAD && orrery_script_is_thread_over (script))
    flags |= ORRERY_ANSWER_THREAD_OVER;
  if (request == ORRERY_SCRIPT_REQUEST_CLEANUP)
    flags |= ORRERY_ANSWER_CLEANUP;
  else if (request == ORRERY_SCRIPT_REQUEST_RESTART)
    flags |= ORRERY_ANSWER_RESTART;
  return flags;
}

gboolean
orrery_worker_loop_call_back (OrreryWorkerLoop *loop, OrreryWork *work, GError **error)
{
  const OrreryOccasion none = { 0 };
  const OrreryEntry *entry = orrery_worker_loop_take_entries (loop, work);
  OrreryScript *script =
      entry != NULL ? orrery_worker_loop_get_script (loop, entry->component) : NULL;
  const OrreryOccasion *occasion =
      script != NULL ? orrery_cursor_take (&work->rest, sizeof *occasion) : NULL;
  GVariant *state = NULL;
  GError *failed = NULL;
  gboolean handled;

  if (occasion == NULL || occasion->callback >= ORRERY_N_CALLBACKS)
    return orrery_worker_loop_fail (error);
  set_occasion (loop, occasion);
  orrery_worker_pass ("step");
  handled = call (script, occasion->callback, loop->tick, &failed);
  orrery_worker_pass ("stepped");
  set_occasion (loop, &none);
  if ((entry->flags & ORRERY_ENTRY_SAVE) && failed == NULL)
    state = orrery_part_save_state (ORRERY_PART (script));
  if (!orrery_worker_loop_answer (loop, work, entry->component,
                                  find_flags (script, occasion, handled), FALSE, failed, state,
                                  error))
    return FALSE;
  orrery_worker_pass ("answered");
  return TRUE;
}
