/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves a simulation between two ticks as bytes, and restores it from them. */
#include "simulation/orrery-simulation-private.h"
#include "simulation/orrery-spawn-private.h"

#include "base/orrery-hash-private.h"
#include "base/orrery-random.h"
#include "base/orrery-version.h"
#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"
#include "world/orrery-world-private.h"

#include <string.h>

/* Converts a whole simulation to bytes and back. The bytes are a header and a variant. They
 * contain a description of the scene that was saved, so that differences from another scene can be
 * named. They come from files, so everything in them is checked. */

typedef struct {
  char magic[12];
  guint32 format;
  guint64 size; /* size of what follows */
  guint64 hash;
} Head;

#define MAGIC "Orrery state"
/* The number of the format, increased whenever the saved data or their encoding change. */
#define FORMAT 10u
/* Name, the part's own state, options, the call that it works on. */
#define PART_TYPE "(smva{sv}m(sav))"
#define STATE_TYPE                                                                                 \
  "(" ORRERY_SAVED_SCENE_TYPE "btv" ORRERY_RUNNER_TYPE "a" PART_TYPE                               \
  "m" ORRERY_SPAWN_TYPE ORRERY_EXTENSIONS_TYPE ")"
/* A thousand robots take some megabytes. */
#define MAX_SIZE ((gsize) 1 << 31)

G_STATIC_ASSERT (sizeof (Head) == 32);

enum { SCENE, BEGUN, EPISODE, WORLD, RUN, PARTS = ORRERY_STATE_PARTS, SPAWNED, ADDED };

/* --- parts --- */

typedef gboolean (*PartFunc) (OrreryPart *part, const char *name, gpointer data, GError **error);

static gboolean
visit (GPtrArray *parts, PartFunc func, gpointer data, GError **error)
{
  for (guint i = 0; i < parts->len; i++)
    if (!func (parts->pdata[i], orrery_part_get_name (parts->pdata[i]), data, error))
      return FALSE;
  return TRUE;
}

/* All parts that have a state of their own. */
static gboolean
visit_parts (OrrerySimulation *self, PartFunc func, gpointer data, GError **error)
{
  OrreryPhysics *physics = self->instance->assembly.physics;
  GPtrArray *slots = orrery_scripts_get_slots (orrery_runner_get_scripts (self->instance->runner));

  if (!visit (self->instance->assembly.components, func, data, error) ||
      !visit (self->instance->assembly.parts, func, data, error))
    return FALSE;
  for (guint i = 0; i < slots->len; i++) {
    OrreryScriptSlot *slot = slots->pdata[i];

    if (slot->alive && slot->script != NULL &&
        !func (ORRERY_PART (slot->script), slot->name, data, error))
      return FALSE;
  }
  return physics == NULL || func (ORRERY_PART (physics), "/physics", data, error);
}

static GVariant *
save_options (OrreryPart *part)
{
  g_auto (GStrv) names = orrery_part_get_option_names (part);
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  for (char **name = names; *name != NULL; name++) {
    g_autoptr (GVariant) value = orrery_part_get_option (part, *name);

    if (value != NULL)
      g_variant_builder_add (&map, "{sv}", *name, value);
  }
  return g_variant_builder_end (&map);
}

static GVariant *
save_busy (OrreryPart *part)
{
  OrreryCall *busy = orrery_part_get_busy (part);

  return g_variant_new_maybe (G_VARIANT_TYPE ("(sav)"),
                              busy != NULL
                                  ? g_variant_new ("(s@av)", orrery_call_get_service (busy),
                                                   orrery_call_get_given (busy))
                                  : NULL);
}

static gboolean
save_part (OrreryPart *part, const char *name, gpointer list, GError **error)
{
  OrreryRemote *remote = orrery_remote_find (part);
  g_autoptr (GVariant) state = NULL;

  if (remote == NULL)
    state = orrery_part_save_state (part);
  else if (!orrery_remote_save (remote, &state, error)) {
    g_prefix_error (error, "%s: ", name);
    return FALSE;
  }
  g_variant_builder_add (list, "(s@mv@a{sv}@m(sav))", name,
                         g_variant_new_maybe (G_VARIANT_TYPE_VARIANT,
                                              state != NULL ? g_variant_new_variant (state) : NULL),
                         save_options (part), save_busy (part));
  return TRUE;
}

static gboolean
restore_options (OrreryPart *part, GArray *options, GError **error)
{
  return orrery_part_take_options (part, (const OrreryOptionValue *) (gpointer) options->data,
                                   options->len, error);
}

/* The last command of a joint's motor. */
static void
tell_motor (OrreryCommands *commands, const OrreryJointDrive *drive)
{
  switch (drive->mode) {
  case ORRERY_DRIVE_POSITION:
    if (drive->object->joint->kind == ORRERY_JOINT_BALL)
      orrery_commands_set_joint_rotation (commands, drive->object, &drive->rotation, drive->speed);
    else
      orrery_commands_set_joint_position (commands, drive->object, drive->target.x, drive->speed);
    break;
  case ORRERY_DRIVE_VELOCITY:
    orrery_commands_set_joint_velocity (commands, drive->object, drive->target.x);
    break;
  case ORRERY_DRIVE_EFFORT:
    orrery_commands_set_joint_effort (commands, drive->object, drive->target.x);
    break;
  case ORRERY_DRIVE_NONE:
    break;
  }
}

/* For engines without a restore function: moving bodies get back their velocities, and quantities
 * that differ from the scene are told. */
static void
restart_physics (OrrerySimulation *self, OrreryPart *part, GError **error)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->instance->world);
  g_autoptr (OrreryCommands) commands = orrery_commands_new ();
  GArray *drives = orrery_world_get_drives (self->instance->world);

  for (guint i = 0; i < orrery_world_get_n_objects (self->instance->world); i++)
    if (snapshot->driven[i])
      orrery_commands_set_velocity (commands, orrery_world_get_object (self->instance->world, i),
                                    &snapshot->linear[i], &snapshot->angular[i]);
  for (guint i = 0; i < drives->len; i++)
    if (g_array_index (drives, OrreryJointDrive, i).taken)
      tell_motor (commands, &g_array_index (drives, OrreryJointDrive, i));
  orrery_world_tell_quantities (self->instance->world, commands);
  ORRERY_PHYSICS_GET_CLASS (part)->apply (ORRERY_PHYSICS (part), commands, error);
}

static void
restore_state (OrrerySimulation *self, OrreryPart *part, GVariant *state, GError **error)
{
  OrreryRemote *remote = orrery_remote_find (part);

  if (remote != NULL) {
    orrery_remote_restore (remote, state, error);
    orrery_remote_keep_time (remote);
    return;
  }
  if (ORRERY_IS_PHYSICS (part) && (state == NULL || ORRERY_PART_GET_CLASS (part)->restore == NULL))
    restart_physics (self, part, error);
  else
    orrery_part_restore_state (part, state, error);
}

/* A worker begins again with the options of its setup: they are restored here first, too, so that
 * changes are sent to it. */
static void
restore_there_and_here (OrrerySimulation *self, OrreryPart *part, const OrrerySavedPart *saved,
                        GError **error)
{
  GError *local = NULL;

  if (orrery_remote_find (part) == NULL) {
    if (restore_options (part, saved->options, error))
      restore_state (self, part, saved->state, error);
    return;
  }
  if (ORRERY_IS_COMPONENT (part))
    orrery_part_restore_options (part);
  restore_state (self, part, saved->state, &local);
  if (local != NULL)
    g_propagate_error (error, local);
  else
    restore_options (part, saved->options, error);
}

/* The caller no longer waits for the call; the part continues it, and answers it. */
static void
restore_busy (OrreryPart *part, GVariant *busy)
{
  g_autoptr (GVariant) given = NULL;
  g_autoptr (OrreryCall) call = NULL;
  const char *service;

  g_variant_get (busy, "(&s@av)", &service, &given);
  call = orrery_call_new (service, given);
  orrery_call_resume (call, part);
}

typedef struct {
  OrrerySimulation *self;
  GArray *saved;            /* (element-type OrrerySavedPart) */
  guint next;               /* of those, most likely */
  GHashTable *by_name;      /* (element-type utf8 OrrerySavedPart); NULL: nobody asked yet */
  const char *const *fresh; /* (nullable) */
} Restoring;

static const OrrerySavedPart *
get_saved (const Restoring *restoring, guint i)
{
  return &g_array_index (restoring->saved, OrrerySavedPart, i);
}

/* They were saved in the order in which parts are visited, unless scripts came or went. */
static const OrrerySavedPart *
find_saved (Restoring *restoring, const char *name)
{
  guint n = restoring->saved->len;

  if (restoring->next < n && g_str_equal (get_saved (restoring, restoring->next)->name, name))
    return get_saved (restoring, restoring->next++);
  if (restoring->by_name == NULL) {
    restoring->by_name = g_hash_table_new (orrery_text_hash, g_str_equal);
    for (guint i = 0; i < n; i++)
      g_hash_table_insert (restoring->by_name, (gpointer) get_saved (restoring, i)->name,
                           (gpointer) get_saved (restoring, i));
  }
  return g_hash_table_lookup (restoring->by_name, name);
}

/* Scripts go on, also those of a robot that does not. */
static gboolean
begins_afresh (const Restoring *restoring, OrreryPart *part, const char *name)
{
  return orrery_saved_scene_is_fresh (name, restoring->fresh) && !ORRERY_IS_SCRIPT (part);
}

/* Before any state is restored: a part may continue calls of others. */
static gboolean
restore_call (OrreryPart *part, const char *name, gpointer data, GError **error)
{
  Restoring *restoring = data;
  const OrrerySavedPart *saved = find_saved (restoring, name);

  if (saved != NULL && saved->busy != NULL && orrery_remote_find (part) == NULL &&
      !begins_afresh (restoring, part, name))
    restore_busy (part, saved->busy);
  return TRUE;
}

static gboolean
restore_part (OrreryPart *part, const char *name, gpointer data, GError **error)
{
  Restoring *restoring = data;
  const OrrerySavedPart *saved = find_saved (restoring, name);
  GError *local = NULL;

  if (begins_afresh (restoring, part, name))
    return orrery_simulation_put_part_back (restoring->self->instance, part, error);
  orrery_part_restart_random (part);
  /* Parts outside of the scene, such as a stream that was opened later, are left unchanged. */
  if (saved == NULL)
    return TRUE;
  restore_there_and_here (restoring->self, part, saved, &local);
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "%s: ", name);
  g_propagate_error (error, local);
  return FALSE;
}

static gboolean
restore_parts (OrrerySimulation *self, GArray *saved, const char *const *fresh, GError **error)
{
  Restoring restoring = { .self = self, .saved = saved, .fresh = fresh };
  gboolean fine = visit_parts (self, restore_call, &restoring, error);

  restoring.next = 0;
  fine = fine && visit_parts (self, restore_part, &restoring, error);
  g_clear_pointer (&restoring.by_name, g_hash_table_unref);
  return fine;
}

/* --- the bytes --- */

static GBytes *
pack (GVariant *state)
{
  gsize size = g_variant_get_size (state);
  guint8 *bytes = g_malloc (sizeof (Head) + size);
  Head head = { .format = FORMAT, .size = size };

  memcpy (head.magic, MAGIC, sizeof head.magic);
  g_variant_store (state, bytes + sizeof head);
  head.hash = orrery_hash_bytes (0, bytes + sizeof head, size);
  memcpy (bytes, &head, sizeof head);
  return g_bytes_new_take (bytes, sizeof head + size);
}

static GVariant *
unpack (GBytes *bytes, GError **error)
{
  g_autoptr (GBytes) body = NULL;
  g_autoptr (GVariant) state = NULL;
  const char *data;
  gsize size;
  Head head;

  data = g_bytes_get_data (bytes, &size);
  if (size >= sizeof head)
    memcpy (&head, data, sizeof head);
  if (size < sizeof head || memcmp (head.magic, MAGIC, sizeof head.magic) != 0) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "not a state of a simulation");
    return NULL;
  }
  if (head.format != FORMAT) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "the state has format %u, and Orrery " ORRERY_VERSION
                      " reads only format %u: save it again with this version",
                      head.format, FORMAT);
    return NULL;
  }
  size -= sizeof head;
  if (size <= MAX_SIZE && head.size == size &&
      head.hash == orrery_hash_bytes (0, data + sizeof head, size)) {
    body = g_bytes_new_from_bytes (bytes, sizeof head, size);
    state =
        g_variant_ref_sink (g_variant_new_from_bytes (G_VARIANT_TYPE (STATE_TYPE), body, FALSE));
  }
  if (state != NULL && g_variant_is_normal_form (state))
    return g_steal_pointer (&state);
  orrery_set_error (error, ORRERY_ERROR_INVALID, "the state of a simulation is cut off or damaged");
  return NULL;
}

/* --- between two ticks --- */

static gboolean
is_between (OrrerySimulation *self, const char *what, GError **error)
{
  if (orrery_run_get_place (self->run) != ORRERY_PLACE_TURN)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "a simulation is %s between two ticks, not within one", what);
}

static GVariant *
take_state (OrrerySimulation *self, GError **error)
{
  OrreryInstance *instance = self->instance;
  GVariantBuilder parts;

  g_variant_builder_init (&parts, G_VARIANT_TYPE ("a" PART_TYPE));
  if (!visit_parts (self, save_part, &parts, error)) {
    g_variant_builder_clear (&parts);
    return NULL;
  }
  GVariant *all[] = {
    [SCENE] = orrery_saved_scene_describe (self),
    [BEGUN] = g_variant_new_boolean (!orrery_run_is_stopped (self->run)),
    [EPISODE] = g_variant_new_uint64 (instance->episode),
    [WORLD] = g_variant_new_variant (orrery_world_save (instance->world)),
    [RUN] = orrery_runner_save (instance->runner),
    [PARTS] = g_variant_builder_end (&parts),
    [SPAWNED] =
        g_variant_new_maybe (G_VARIANT_TYPE (ORRERY_SPAWN_TYPE),
                             instance->spawn != NULL ? orrery_spawn_save (instance->spawn) : NULL),
    [ADDED] = orrery_instance_save_extensions (instance),
  };

  return g_variant_new_tuple (all, G_N_ELEMENTS (all));
}

/* Resets the simulation to its start, and starts it if the saved one was running. Observers see it
 * when all of the state is there. */
static gboolean
prepare (OrrerySimulation *self, gboolean begun, GError **error)
{
  OrreryRunRequest request = { begun ? ORRERY_RUN_REQUEST_START : ORRERY_RUN_REQUEST_STOP };

  orrery_simulation_end_calls (self);
  return begun != orrery_run_is_stopped (self->run) ||
         orrery_simulation_change (self, &request, error);
}

static gboolean
put_state (OrrerySimulation *self, GVariant *state, const OrreryKnownState *proven,
           const char *const *fresh, GError **error)
{
  g_autoptr (GVariant) begun = g_variant_get_child_value (state, BEGUN);
  g_autoptr (GVariant) episode = g_variant_get_child_value (state, EPISODE);
  g_autoptr (GVariant) boxed = g_variant_get_child_value (state, WORLD);
  g_autoptr (GVariant) world = g_variant_get_variant (boxed);
  g_autoptr (GVariant) run = g_variant_get_child_value (state, RUN);
  g_autoptr (GVariant) parts = g_variant_get_child_value (state, PARTS);
  g_autoptr (GArray) saved =
      proven != NULL ? g_array_ref (proven->parts) : orrery_saved_parts_read (parts);
  g_autoptr (GVariant) maybe = g_variant_get_child_value (state, SPAWNED);
  g_autoptr (GVariant) spawned = g_variant_get_maybe (maybe);
  guint64 values = proven != NULL ? proven->values : G_MAXUINT64;
  OrreryInstance *instance = self->instance;

  if (!prepare (self, g_variant_get_boolean (begun), error))
    return FALSE;
  orrery_runner_rewind (instance->runner);
  orrery_spawn_empty (instance->spawn);
  instance->episode = g_variant_get_uint64 (episode);
  /* Engines build their model from current poses, and read everything else from parts. */
  if (!orrery_world_restore (instance->world, world,
                             values == orrery_world_count_set_values (instance->world), error) ||
      !orrery_runner_restore (instance->runner, run, fresh, error) ||
      !orrery_spawn_restore (instance->spawn, spawned, error) ||
      !orrery_assembly_build_physics (&instance->assembly, error))
    return FALSE;
  orrery_world_settle_quantities (instance->world);
  if (!restore_parts (self, saved, fresh, error))
    return FALSE;
  orrery_runner_restart_pace (instance->runner);
  return TRUE;
}

GBytes *
orrery_simulation_take_state (OrrerySimulation *self, GError **error)
{
  g_autoptr (GVariant) state = NULL;
  GVariant *taken = take_state (self, error);
  GBytes *bytes;

  if (taken == NULL)
    return NULL;
  state = g_variant_ref_sink (taken);
  bytes = pack (state);
  orrery_instance_know (self->instance, bytes, state, orrery_saved_scene_fold (self), FALSE);
  return bytes;
}

/* Checks all but what only the parts know, and adds to the scene what was added to that of the
 * state. */
static GVariant *
read_state (OrrerySimulation *self, GBytes *bytes, const char *const *fresh, GError **error)
{
  g_autoptr (GVariant) state = unpack (bytes, error);
  g_autoptr (GVariant) scene = NULL, added = NULL;

  if (state == NULL)
    return NULL;
  added = g_variant_get_child_value (state, ADDED);
  scene = g_variant_get_child_value (state, SCENE);
  if (!orrery_instance_restore_extensions (self->instance, added, scene, error) ||
      !orrery_saved_scene_check (self, scene, fresh, error))
    return NULL;
  return g_steal_pointer (&state);
}

/* Of a state that was restored before: the present one is not kept. */
static gboolean
put_proven (OrrerySimulation *self, GBytes *bytes, GVariant *state, const OrreryKnownState *proven,
            GError **error)
{
  if (put_state (self, state, proven, NULL, error))
    return TRUE;
  orrery_instance_forget (self->instance, bytes);
  g_warning ("the state could not be restored completely: reset the simulation");
  return FALSE;
}

gboolean
orrery_simulation_put_state (OrrerySimulation *self, GBytes *bytes, const char *const *fresh,
                             GError **error)
{
  guint64 folded = orrery_saved_scene_fold (self);
  const OrreryKnownState *proven = NULL;
  g_autoptr (GVariant) state =
      fresh == NULL ? orrery_instance_find_known (self->instance, bytes, folded, &proven) : NULL;
  g_autoptr (GVariant) kept = NULL;
  GVariant *now;

  if (proven != NULL)
    return put_proven (self, bytes, state, proven, error);
  if (state == NULL)
    state = read_state (self, bytes, fresh, error);
  if (state == NULL)
    return FALSE;
  /* If a part of the state proves invalid, the present state is restored. */
  now = take_state (self, NULL);
  kept = now != NULL ? g_variant_ref_sink (now) : NULL;
  if (put_state (self, state, NULL, fresh, error)) {
    /* By now the scene has all that the state has. */
    if (fresh == NULL)
      orrery_instance_know (self->instance, bytes, state, orrery_saved_scene_fold (self), TRUE);
    return TRUE;
  }
  if (kept != NULL && !put_state (self, kept, NULL, NULL, NULL))
    g_warning ("the previous state could not be restored completely: reset the simulation");
  return FALSE;
}

/* --- interface --- */

GBytes *
orrery_simulation_save (OrrerySimulation *simulation, GError **error)
{
  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);

  return is_between (simulation, "saved", error) &&
                 orrery_simulation_check (simulation, ORRERY_RUN_REQUEST_SAVE, error) != NULL
             ? orrery_simulation_take_state (simulation, error)
             : NULL;
}

gboolean
orrery_simulation_restore (OrrerySimulation *simulation, GBytes *state, GError **error)
{
  return orrery_simulation_restore_others (simulation, state, NULL, error);
}

static gboolean
check_fresh (OrrerySimulation *self, const char *const *fresh, GError **error)
{
  for (const char *const *each = fresh; each != NULL && *each != NULL; each++)
    if (g_hash_table_lookup (self->instance->assembly.by_name, *each) == NULL)
      return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no component is named '%.200s'",
                               *each);
  return TRUE;
}

gboolean
orrery_simulation_restore_others (OrrerySimulation *simulation, GBytes *state,
                                  const char *const *fresh, GError **error)
{
  gboolean restored;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (state != NULL, FALSE);

  if (!is_between (simulation, "restored", error) ||
      orrery_simulation_check (simulation, ORRERY_RUN_REQUEST_RESTORE, error) == NULL ||
      !check_fresh (simulation, fresh, error))
    return FALSE;
  {
    g_auto (OrreryGuard) guard = orrery_run_guard (simulation->run, ORRERY_PLACE_TURN);

    restored = orrery_simulation_put_state (simulation, state, fresh, error);
    orrery_simulation_settle_observers (simulation);
  }
  if (orrery_run_get_place (simulation->run) == ORRERY_PLACE_OUTSIDE)
    orrery_simulation_settle (simulation);
  return restored;
}
