/* SPDX-License-Identifier: BSD-3-Clause */
/* Spawns objects of the scene's table `spawnables`, and removes them. */
#include "simulation/orrery-spawn-private.h"

#include "base/orrery-name-private.h"
#include "part/orrery-part-private.h"
#include "simulation/orrery-simulation-private.h"
#include "world/orrery-world-private.h"

#include <inttypes.h>
#include <string.h>

/* An object that waits, or is an instance. */
typedef struct {
  OrreryObject *object;
  guint64 number;       /* of the instance; 0: it is free */
  guint64 settled;      /* of the instance that its components are of; 0: they do not run */
  GPtrArray *parts;     /* (element-type OrreryPart): components, then what they use; borrowed */
  GPtrArray *pipelines; /* (element-type OrreryPipeline): borrowed */
} Slot;

typedef struct {
  const char *name;  /* of the scene */
  guint64 n_spawned; /* in this run: numbers are not given twice */
  GArray *slots;     /* (element-type Slot) */
} Pool;

struct _OrrerySpawn {
  OrreryInstance *instance; /* borrowed */
  GArray *pools;            /* (element-type Pool) */
};

static void
clear_slot (gpointer data)
{
  Slot *slot = data;

  g_clear_pointer (&slot->parts, g_ptr_array_unref);
  g_clear_pointer (&slot->pipelines, g_ptr_array_unref);
}

static void
clear_pool (gpointer data)
{
  g_array_unref (((Pool *) data)->slots);
}

static Pool *
get_pool (OrrerySpawn *spawn, guint i)
{
  return &g_array_index (spawn->pools, Pool, i);
}

static Slot *
get_slot (Pool *pool, guint i)
{
  return &g_array_index (pool->slots, Slot, i);
}

/* --- making --- */

/* Whether a part is of an object, of one below it, or used by such a part. */
static gboolean
belongs (OrreryPart *part, const char *root)
{
  const char *name = orrery_part_get_name (part);
  gsize length = strlen (root);

  return strncmp (name, root, length) == 0 &&
         (name[length] == '\0' || name[length] == '.' || name[length] == '/');
}

static void
collect (Slot *slot, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++)
    if (belongs (parts->pdata[i], orrery_object_get_name (slot->object)))
      g_ptr_array_add (slot->parts, parts->pdata[i]);
}

static void
add_slot (OrreryInstance *instance, Pool *pool, OrreryObject *object)
{
  OrreryAssembly *assembly = &instance->assembly;
  Slot slot = { .object = object, .parts = g_ptr_array_new (), .pipelines = g_ptr_array_new () };

  collect (&slot, assembly->components);
  collect (&slot, assembly->parts);
  for (guint i = 0; i < slot.parts->len; i++) {
    OrreryPipeline *pipeline = g_hash_table_lookup (assembly->pipelines, slot.parts->pdata[i]);

    if (pipeline != NULL)
      g_ptr_array_add (slot.pipelines, pipeline);
  }
  g_array_append_val (pool->slots, slot);
}

static gboolean
has (OrreryObject *object, gboolean (*is_one) (OrreryObject *object))
{
  GPtrArray *children = orrery_object_get_children (object);

  if (is_one (object))
    return TRUE;
  for (guint i = 0; i < children->len; i++)
    if (has (children->pdata[i], is_one))
      return TRUE;
  return FALSE;
}

static gboolean
is_body (OrreryObject *object)
{
  return orrery_object_get_body (object)->type != ORRERY_BODY_NONE;
}

/* Robots give themselves wheels when they are set up. */
static gboolean
is_wheel (OrreryObject *object)
{
  return orrery_object_get_wheel (object) != NULL;
}

static gboolean
ask_physics (OrreryPhysics *physics, OrreryObject *object, GError **error)
{
  OrreryPhysicsClass *klass = ORRERY_PHYSICS_GET_CLASS (physics);

  if (klass->parks != NULL)
    return klass->parks (physics, object, error);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "not supported: its model of the world cannot change while it runs; "
                           "that of orrery.physics.bullet.Bullet can");
}

gboolean
orrery_spawn_check (OrreryInstance *instance, const OrrerySpawnable *spawnable, GError **error)
{
  OrreryPhysics *physics = instance->assembly.physics;
  OrreryObject *object = spawnable->objects->pdata[0];
  GError *local = NULL;

  if (has (object, is_wheel))
    orrery_set_error (&local, ORRERY_ERROR_CONFIG,
                      "its wheels roll, and such robots cannot be spawned yet");
  else if (physics != NULL && has (object, is_body) && !ask_physics (physics, object, &local))
    g_prefix_error (&local, "%s: ", orrery_part_get_classpath (ORRERY_PART (physics)));
  if (local == NULL)
    return TRUE;
  g_prefix_error (&local, "'%s' cannot be spawned: ", spawnable->name);
  g_propagate_error (error, orrery_node_error (spawnable->place, ORRERY_ERROR_CONFIG, "%s",
                                               local->message));
  g_error_free (local);
  return FALSE;
}

static gboolean settle (gpointer data, GError **error);
static void empty_pool (OrrerySpawn *spawn, Pool *pool);

static OrrerySpawn *
create (OrreryInstance *instance)
{
  OrrerySpawn *spawn = g_new0 (OrrerySpawn, 1);

  spawn->instance = instance;
  spawn->pools = g_array_new (FALSE, FALSE, sizeof (Pool));
  g_array_set_clear_func (spawn->pools, clear_pool);
  orrery_runner_watch_presence (instance->runner, settle, spawn);
  return spawn;
}

static void
add_pool (OrrerySpawn *spawn, const OrrerySpawnable *spawnable)
{
  Pool pool = { .name = spawnable->name };

  pool.slots = g_array_new (FALSE, FALSE, sizeof (Slot));
  g_array_set_clear_func (pool.slots, clear_slot);
  for (guint k = 0; k < spawnable->objects->len; k++)
    add_slot (spawn->instance, &pool, spawnable->objects->pdata[k]);
  g_array_append_val (spawn->pools, pool);
}

OrrerySpawn *
orrery_spawn_new (OrreryInstance *instance, GError **error)
{
  GArray *spawnables = instance->scene->spawnables;
  OrrerySpawn *spawn;

  if (spawnables == NULL || spawnables->len == 0)
    return NULL;
  for (guint i = 0; i < spawnables->len; i++)
    if (!orrery_spawn_check (instance, &g_array_index (spawnables, OrrerySpawnable, i), error))
      return NULL;
  spawn = create (instance);
  for (guint i = 0; i < spawnables->len; i++)
    add_pool (spawn, &g_array_index (spawnables, OrrerySpawnable, i));
  orrery_spawn_empty (spawn);
  return spawn;
}

OrrerySpawn *
orrery_spawn_extend (OrrerySpawn *spawn, OrreryInstance *instance)
{
  GArray *spawnables = instance->scene->spawnables;

  if (spawn == NULL)
    spawn = create (instance);
  add_pool (spawn, &g_array_index (spawnables, OrrerySpawnable, spawnables->len - 1));
  empty_pool (spawn, get_pool (spawn, spawn->pools->len - 1));
  orrery_runner_link_steps (instance->runner);
  return spawn;
}

void
orrery_spawn_free (OrrerySpawn *spawn)
{
  g_array_unref (spawn->pools);
  g_free (spawn);
}

/* --- components --- */

/* As before the first tick: a reset of a record leaves its time. */
static void
forget_times (Slot *slot)
{
  for (guint i = 0; i < slot->pipelines->len; i++)
    orrery_record_set_timestamp (((OrreryPipeline *) slot->pipelines->pdata[i])->record, 0);
}

static void
set_active (Slot *slot, gboolean active)
{
  for (guint i = 0; i < slot->pipelines->len; i++) {
    OrreryPipeline *pipeline = slot->pipelines->pdata[i];

    pipeline->parked = !active;
    orrery_component_set_active (pipeline->component, active);
  }
}

/* Puts the components of an object back as they were at the start. */
static gboolean
renew (OrrerySpawn *spawn, Slot *slot, GError **error)
{
  for (guint i = 0; i < slot->parts->len; i++) {
    OrreryCall *busy = orrery_part_get_busy (slot->parts->pdata[i]);

    if (busy != NULL)
      orrery_call_cancel (busy);
    if (!orrery_simulation_put_part_back (spawn->instance, slot->parts->pdata[i], error))
      return FALSE;
  }
  for (guint i = 0; i < slot->pipelines->len; i++)
    orrery_pipeline_restart (slot->pipelines->pdata[i]);
  forget_times (slot);
  return TRUE;
}

/* An OrreryPresenceFunc. */
static gboolean
settle (gpointer data, GError **error)
{
  OrrerySpawn *spawn = data;

  for (guint i = 0; i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    for (guint k = 0; k < pool->slots->len; k++) {
      Slot *slot = get_slot (pool, k);
      guint64 number = orrery_object_is_present (slot->object) ? slot->number : 0;

      if (number == slot->settled)
        continue;
      if (!renew (spawn, slot, error))
        return FALSE;
      set_active (slot, number != 0);
      slot->settled = number;
    }
  }
  orrery_runner_link_steps (spawn->instance->runner);
  return TRUE;
}

/* --- spawning and removing --- */

static Pool *
find_pool (OrrerySpawn *spawn, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  for (guint i = 0; spawn != NULL && i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    if (g_str_equal (pool->name, name))
      return pool;
    g_ptr_array_add (names, (gpointer) pool->name);
  }
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                    spawn != NULL ? "the scene has no spawnable '%.60s'%s"
                                  : "the scene has no spawnables, so no '%.60s'%s",
                    name, nearest);
  return NULL;
}

static Slot *
find_free (Pool *pool, GError **error)
{
  for (guint i = 0; i < pool->slots->len; i++)
    if (get_slot (pool, i)->number == 0)
      return get_slot (pool, i);
  orrery_set_error (error, ORRERY_ERROR_BUSY,
                    "all %u of '%s' are spawned; remove one, or give it a larger count in the "
                    "scene",
                    pool->slots->len, pool->name);
  return NULL;
}

/* Where a script of physics asks, those of the next tick. */
static OrreryCommands *
get_commands (OrrerySpawn *spawn)
{
  return orrery_tick_get_commands (orrery_runner_get_tick (spawn->instance->runner));
}

/* A part of that name would not be found by its services any more. */
static gboolean
is_part (OrreryInstance *instance, const char *name)
{
  if (g_hash_table_contains (instance->assembly.by_name, name))
    return TRUE;
  for (guint i = 0; i < instance->system->len; i++)
    if (g_str_equal (orrery_part_get_name (instance->system->pdata[i]), name))
      return TRUE;
  return FALSE;
}

/* Dots are in the names that are given here, and in those of children. */
static gboolean
check_name (OrrerySpawn *spawn, const char *name, GError **error)
{
  g_autoptr (GError) local = NULL;

  if (!orrery_name_check (ORRERY_NAME_OBJECT, name, &local))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s", local->message);
  if (strpbrk (name, "./") != NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' cannot be the name of what is spawned: it has a dot or a "
                             "slash",
                             name);
  if (orrery_world_find_object (spawn->instance->world, name) == NULL &&
      !is_part (spawn->instance, name))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_STATE,
                           "there is something named '%.60s' already; choose another name", name);
}

/* A number whose name no object of the scene has. */
static char *
give_name (OrrerySpawn *spawn, Pool *pool, Slot *slot)
{
  char *name = NULL;

  do {
    g_free (name);
    slot->number = ++pool->n_spawned;
    name = g_strdup_printf ("%s.%" PRIu64, pool->name, slot->number);
  } while (!orrery_world_set_alias (spawn->instance->world, slot->object, name));
  return name;
}

/* One below a root of that name may be in the way, as `a.b` of the scene is of `a`. */
static char *
take_name (OrrerySpawn *spawn, Pool *pool, Slot *slot, const char *name, GError **error)
{
  if (!orrery_world_set_alias (spawn->instance->world, slot->object, name)) {
    orrery_set_error (error, ORRERY_ERROR_STATE,
                      "there is something named as what is below '%.60s' would be; choose another "
                      "name",
                      name);
    return NULL;
  }
  slot->number = ++pool->n_spawned;
  return g_strdup (name);
}

static void
leave_slot (OrrerySpawn *spawn, Slot *slot)
{
  orrery_world_set_alias (spawn->instance->world, slot->object, NULL);
  slot->number = 0;
}

const OrreryTransform *
orrery_spawn_get_start (OrrerySpawn *spawn, const char *name, GError **error)
{
  Pool *pool = find_pool (spawn, name, error);

  return pool != NULL ? orrery_object_get_start (get_slot (pool, 0)->object) : NULL;
}

/* Into the world, and then what varies of it. */
static gboolean
bring (OrrerySpawn *spawn, Pool *pool, Slot *slot, const OrreryTransform *pose, GError **error)
{
  OrreryInstance *instance = spawn->instance;
  OrreryCommands *drawn = instance->assembly.spawned != NULL ? orrery_commands_new () : NULL;
  gboolean fine = orrery_assembly_draw_spawned (&instance->assembly, instance->episode, pool->name,
                                                (guint) (slot - get_slot (pool, 0)), slot->number,
                                                drawn, error);

  if (pose == NULL)
    pose = orrery_object_get_start (slot->object);
  if (fine && !orrery_commands_set_present (get_commands (spawn), slot->object, TRUE, pose))
    fine = orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' cannot be spawned at a pose that is not finite, or beyond "
                             "1e8 m",
                             pool->name);
  if (fine && drawn != NULL && drawn->staged->len > 0)
    g_array_append_vals (get_commands (spawn)->staged, drawn->staged->data, drawn->staged->len);
  g_clear_pointer (&drawn, orrery_commands_unref);
  return fine;
}

char *
orrery_spawn_add (OrrerySpawn *spawn, const char *name, const char *called,
                  const OrreryTransform *pose, GError **error)
{
  Pool *pool = find_pool (spawn, name, error);
  guint64 n_before = pool != NULL ? pool->n_spawned : 0;
  char *given;
  Slot *slot;

  if (pool == NULL || (called != NULL && !check_name (spawn, called, error)) ||
      (slot = find_free (pool, error)) == NULL)
    return NULL;
  given =
      called != NULL ? take_name (spawn, pool, slot, called, error) : give_name (spawn, pool, slot);
  if (given == NULL || bring (spawn, pool, slot, pose, error))
    return given;
  leave_slot (spawn, slot);
  pool->n_spawned = n_before;
  g_free (given);
  return NULL;
}

static Slot *
find_instance (OrrerySpawn *spawn, const char *name)
{
  for (guint i = 0; i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    for (guint k = 0; k < pool->slots->len; k++) {
      Slot *slot = get_slot (pool, k);

      if (slot->number != 0 && g_str_equal (slot->object->alias, name))
        return slot;
    }
  }
  return NULL;
}

static gboolean
was_spawned (OrrerySpawn *spawn, const char *name)
{
  for (guint i = 0; i < spawn->pools->len; i++) {
    const Pool *pool = get_pool (spawn, i);
    gsize length = strlen (pool->name);
    guint64 number;

    if (strncmp (name, pool->name, length) == 0 && name[length] == '.' &&
        g_ascii_string_to_unsigned (name + length + 1, 10, 1, G_MAXUINT64, &number, NULL) &&
        number <= pool->n_spawned)
      return TRUE;
  }
  return FALSE;
}

gboolean
orrery_spawn_is_gone (OrrerySpawn *spawn, const char *name)
{
  return spawn != NULL && find_instance (spawn, name) == NULL && was_spawned (spawn, name);
}

static gboolean
refuse_removal (OrrerySpawn *spawn, const char *name, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *nearest = NULL;

  if (spawn != NULL && was_spawned (spawn, name))
    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "'%.60s' was removed already", name);
  for (guint i = 0; spawn != NULL && i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    for (guint k = 0; k < pool->slots->len; k++)
      if (get_slot (pool, k)->number != 0)
        g_ptr_array_add (names, (gpointer) get_slot (pool, k)->object->alias);
  }
  g_ptr_array_add (names, NULL);
  nearest = orrery_nearest_names (name, (const char *const *) names->pdata);
  return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                           "'%.60s' was not spawned, so it cannot be removed%s", name, nearest);
}

gboolean
orrery_spawn_remove (OrrerySpawn *spawn, const char *name, GError **error)
{
  Slot *slot = spawn != NULL ? find_instance (spawn, name) : NULL;

  if (slot == NULL)
    return refuse_removal (spawn, name, error);
  orrery_commands_set_present (get_commands (spawn), slot->object, FALSE,
                               orrery_object_get_start (slot->object));
  leave_slot (spawn, slot);
  return TRUE;
}

GVariant *
orrery_spawn_list (OrrerySpawn *spawn)
{
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE ("a{ss}"));
  for (guint i = 0; spawn != NULL && i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    for (guint k = 0; k < pool->slots->len; k++) {
      const Slot *slot = get_slot (pool, k);

      if (slot->number != 0)
        g_variant_builder_add (&map, "{ss}", slot->object->alias, slot->object->name);
    }
  }
  return g_variant_builder_end (&map);
}

GVariant *
orrery_spawn_list_kinds (OrrerySpawn *spawn)
{
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE ("a{sas}"));
  for (guint i = 0; spawn != NULL && i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    g_variant_builder_open (&map, G_VARIANT_TYPE ("{sas}"));
    g_variant_builder_add (&map, "s", pool->name);
    g_variant_builder_open (&map, G_VARIANT_TYPE ("as"));
    for (guint k = 0; k < pool->slots->len; k++)
      g_variant_builder_add (&map, "s", get_slot (pool, k)->object->name);
    g_variant_builder_close (&map);
    g_variant_builder_close (&map);
  }
  return g_variant_builder_end (&map);
}

/* --- a reset, and a state --- */

static void
empty_pool (OrrerySpawn *spawn, Pool *pool)
{
  pool->n_spawned = 0;
  for (guint k = 0; k < pool->slots->len; k++) {
    Slot *slot = get_slot (pool, k);

    leave_slot (spawn, slot);
    slot->settled = 0;
    set_active (slot, FALSE);
    forget_times (slot);
  }
}

void
orrery_spawn_empty (OrrerySpawn *spawn)
{
  for (guint i = 0; spawn != NULL && i < spawn->pools->len; i++)
    empty_pool (spawn, get_pool (spawn, i));
  if (spawn != NULL)
    orrery_runner_link_steps (spawn->instance->runner);
}

/* Returns: "": the one of its number; else the one that was asked for */
static const char *
get_own_name (Pool *pool, Slot *slot)
{
  g_autofree char *name = g_strdup_printf ("%s.%" PRIu64, pool->name, slot->number);

  return slot->number == 0 || g_str_equal (slot->object->alias, name) ? "" : slot->object->alias;
}

GVariant *
orrery_spawn_save (OrrerySpawn *spawn)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE (ORRERY_SPAWN_TYPE));
  for (guint i = 0; spawn != NULL && i < spawn->pools->len; i++) {
    Pool *pool = get_pool (spawn, i);

    g_variant_builder_open (&list, G_VARIANT_TYPE ("(ta(tts))"));
    g_variant_builder_add (&list, "t", pool->n_spawned);
    g_variant_builder_open (&list, G_VARIANT_TYPE ("a(tts)"));
    for (guint k = 0; k < pool->slots->len; k++) {
      Slot *slot = get_slot (pool, k);

      g_variant_builder_add (&list, "(tts)", slot->number, slot->settled,
                             get_own_name (pool, slot));
    }
    g_variant_builder_close (&list);
    g_variant_builder_close (&list);
  }
  return g_variant_builder_end (&list);
}

static gboolean
restore_slot (OrrerySpawn *spawn, Pool *pool, Slot *slot, GVariant *one)
{
  g_autofree char *name = NULL;
  const char *own;
  guint64 number, settled;

  g_variant_get (one, "(tt&s)", &number, &settled, &own);
  if (number > pool->n_spawned || settled > pool->n_spawned ||
      (*own != '\0' && !check_name (spawn, own, NULL)))
    return FALSE;
  slot->settled = settled;
  for (guint i = 0; i < slot->pipelines->len; i++)
    ((OrreryPipeline *) slot->pipelines->pdata[i])->parked = settled == 0;
  if (number == 0)
    return TRUE;
  slot->number = number;
  name = *own != '\0' ? g_strdup (own) : g_strdup_printf ("%s.%" PRIu64, pool->name, number);
  if (orrery_world_set_alias (spawn->instance->world, slot->object, name))
    return TRUE;
  slot->number = 0;
  return FALSE;
}

static gboolean
restore_pool (OrrerySpawn *spawn, Pool *pool, GVariant *one)
{
  g_autoptr (GVariant) slots = NULL;
  gboolean fits;

  g_variant_get (one, "(t@a(tts))", &pool->n_spawned, &slots);
  fits = g_variant_n_children (slots) == pool->slots->len;
  for (guint i = 0; fits && i < pool->slots->len; i++) {
    g_autoptr (GVariant) slot = g_variant_get_child_value (slots, i);

    fits = restore_slot (spawn, pool, get_slot (pool, i), slot);
  }
  return fits;
}

gboolean
orrery_spawn_restore (OrrerySpawn *spawn, GVariant *state, GError **error)
{
  gboolean fits;

  if (spawn == NULL)
    return TRUE;
  /* Between two ticks there is nothing to settle. */
  orrery_world_take_presence (spawn->instance->world);
  fits = state != NULL && g_variant_n_children (state) == spawn->pools->len;
  for (guint i = 0; fits && i < spawn->pools->len; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (state, i);

    fits = restore_pool (spawn, get_pool (spawn, i), one);
  }
  orrery_runner_link_steps (spawn->instance->runner);
  return fits || orrery_set_error (error, ORRERY_ERROR_INVALID,
                                   "what it says of spawned objects is not of this scene");
}
