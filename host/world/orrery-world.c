/* SPDX-License-Identifier: BSD-3-Clause */
/* The world: the tree of objects, its snapshot, and the commands that it applies itself. */
#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "base/orrery-name-private.h"
#include "world/orrery-quantity-private.h"

#include <string.h>

/* More than any machine of today could simulate. */
#define WORLD_MAX_OBJECTS 1000000

struct _OrreryWorld {
  GObject parent_instance;

  GPtrArray *objects;  /* (element-type OrreryObject) */
  GHashTable *by_name; /* (element-type utf8 OrreryObject) */
  GHashTable *values;  /* (element-type utf8 GVariant) */
  GPtrArray *tagged;   /* (element-type OrreryObject) */
  OrreryChanging changing;
  GArray *loose;      /* (element-type guint): roots without a body */
  GArray *drives;     /* (element-type OrreryJointDrive) */
  GArray *changed;    /* (element-type OrreryValueChange): properties as they were at the start */
  gboolean presence;  /* objects were spawned or removed */
  guint room;         /* objects that all arrays have room for */
  gboolean extending; /* there may be no more than that */
  OrrerySnapshot *snapshot;
  OrreryCommands *commands;
};

G_DEFINE_FINAL_TYPE (OrreryWorld, orrery_world, G_TYPE_OBJECT)

static void
orrery_world_finalize (GObject *gobject)
{
  OrreryWorld *self = ORRERY_WORLD (gobject);

  /* Objects point to each other, and callers may hold references to some of them. */
  for (guint i = 0; i < self->objects->len; i++)
    orrery_object_leave (self->objects->pdata[i]);
  g_clear_pointer (&self->by_name, g_hash_table_unref);
  g_clear_pointer (&self->values, g_hash_table_unref);
  g_clear_pointer (&self->tagged, g_ptr_array_unref);
  g_clear_pointer (&self->objects, g_ptr_array_unref);
  g_clear_pointer (&self->loose, g_array_unref);
  g_clear_pointer (&self->drives, g_array_unref);
  g_clear_pointer (&self->changed, g_array_unref);
  g_clear_pointer (&self->changing.quantities, g_array_unref);
  g_clear_pointer (&self->changing.pending, g_array_unref);
  g_clear_pointer (&self->changing.holds, g_array_unref);
  g_clear_pointer (&self->changing.materials, g_ptr_array_unref);
  g_clear_pointer (&self->snapshot, orrery_snapshot_unref);
  g_clear_pointer (&self->commands, orrery_commands_unref);
  G_OBJECT_CLASS (orrery_world_parent_class)->finalize (gobject);
}

static void
orrery_world_class_init (OrreryWorldClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_world_finalize;
}

static void
orrery_world_init (OrreryWorld *self)
{
  self->objects = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_name = g_hash_table_new (orrery_text_hash, g_str_equal);
  self->values = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                        (GDestroyNotify) g_variant_unref);
  self->tagged = g_ptr_array_new ();
  self->changing.gravity = (OrreryVec3){ 0, 0, -9.81 };
  self->changing.quantities = g_array_new (FALSE, FALSE, sizeof (OrreryChangedQuantity));
  self->changing.pending = g_array_new (FALSE, FALSE, sizeof (OrreryChangedQuantity));
  self->changing.holds = orrery_holds_new ();
  self->changing.materials =
      g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_material_unref);
  self->loose = g_array_new (FALSE, FALSE, sizeof (guint));
  self->drives = g_array_new (FALSE, FALSE, sizeof (OrreryJointDrive));
  self->changed = orrery_changes_new ();
  self->snapshot = orrery_snapshot_new ();
  self->commands = orrery_commands_new ();
}

OrreryWorld *
orrery_world_new (void)
{
  return g_object_new (ORRERY_TYPE_WORLD, NULL);
}

static gboolean
check_name (OrreryWorld *world, const char *name, OrreryObject *parent, GError **error)
{
  g_autofree char *full = NULL;

  if (!orrery_name_check (ORRERY_NAME_OBJECT, name, error))
    return FALSE;
  if (parent != NULL && strchr (name, '.') != NULL)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "'%s' has a dot in its name; dots join the names of a tree", name);
  full = parent != NULL ? g_strconcat (parent->name, ".", name, NULL) : g_strdup (name);
  if (g_hash_table_contains (world->by_name, full))
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "two objects are named '%s'; give one another name", full);
  return TRUE;
}

gboolean
orrery_world_is_full (OrreryWorld *world)
{
  return world->objects->len >= (world->extending ? world->room : WORLD_MAX_OBJECTS);
}

static void
refuse_more (OrreryWorld *world, GError **error)
{
  if (world->extending)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "the scene has room for %u objects, and no more; give its environment a "
                      "larger 'room' for what is added while it runs",
                      world->room);
  else
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "more than %d objects in the scene",
                      WORLD_MAX_OBJECTS);
}

OrreryObject *
orrery_world_add_object (OrreryWorld *world, const char *name, OrreryObject *parent, GError **error)
{
  OrreryObject *object;

  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  if (!check_name (world, name, parent, error))
    return NULL;
  if (orrery_world_is_full (world)) {
    refuse_more (world, error);
    return NULL;
  }

  object = orrery_object_new (name, parent, world->objects->len);
  object->tagged = world->tagged;
  g_ptr_array_add (world->objects, object);
  g_hash_table_insert (world->by_name, object->name, object);
  orrery_snapshot_add_object (world->snapshot, object);
  return object;
}

OrreryObject *
orrery_world_find_object (OrreryWorld *world, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);
  g_return_val_if_fail (name != NULL, NULL);
  return g_hash_table_lookup (world->by_name, name);
}

guint
orrery_world_get_n_objects (OrreryWorld *world)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), 0);
  return world->objects->len;
}

OrreryObject *
orrery_world_get_object (OrreryWorld *world, guint index)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);
  g_return_val_if_fail (index < world->objects->len, NULL);
  return world->objects->pdata[index];
}

const char **
orrery_world_get_names (OrreryWorld *world)
{
  const char **names;

  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);

  names = g_new0 (const char *, world->objects->len + 1);
  for (guint i = 0; i < world->objects->len; i++)
    names[i] = ((OrreryObject *) world->objects->pdata[i])->name;
  return names;
}

ORRERY_DEFINE_GETTER (const OrreryVec3 *, orrery_world_get_gravity, OrreryWorld, ORRERY_IS_WORLD,
                      &self->changing.gravity)

void
orrery_world_set_gravity (OrreryWorld *world, const OrreryVec3 *gravity)
{
  g_return_if_fail (ORRERY_IS_WORLD (world));
  g_return_if_fail (orrery_vec3_is_finite (gravity));
  world->changing.gravity = *gravity;
}

GVariant *
orrery_world_get_value (OrreryWorld *world, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);
  return g_hash_table_lookup (world->values, name);
}

void
orrery_world_set_value (OrreryWorld *world, const char *name, GVariant *value)
{
  g_return_if_fail (ORRERY_IS_WORLD (world));
  g_return_if_fail (name != NULL);

  if (value == NULL)
    g_hash_table_remove (world->values, name);
  else
    g_hash_table_replace (world->values, g_strdup (name), g_variant_ref_sink (value));
}

ORRERY_DEFINE_GETTER (OrrerySnapshot *, orrery_world_get_snapshot, OrreryWorld, ORRERY_IS_WORLD,
                      self->snapshot)
ORRERY_DEFINE_GETTER (OrreryCommands *, orrery_world_get_commands, OrreryWorld, ORRERY_IS_WORLD,
                      self->commands)
ORRERY_DEFINE_GETTER (GPtrArray *, orrery_world_get_tagged, OrreryWorld, ORRERY_IS_STRUCT,
                      self->tagged)
ORRERY_DEFINE_GETTER (GHashTable *, orrery_world_get_by_name, OrreryWorld, ORRERY_IS_STRUCT,
                      self->by_name)
ORRERY_DEFINE_GETTER (GPtrArray *, orrery_world_get_objects, OrreryWorld, ORRERY_IS_STRUCT,
                      self->objects)
ORRERY_DEFINE_GETTER (OrreryChanging *, orrery_world_get_changing, OrreryWorld, ORRERY_IS_STRUCT,
                      &self->changing)

/* A root without a body keeps the velocity of the last command, in its own axes: it goes along an
 * arc, as one with a body does. */
static void
displace (OrrerySnapshot *snapshot, guint object, double dt)
{
  OrreryVec3 *v = &snapshot->linear[object];
  const OrreryVec3 *w = &snapshot->angular[object];

  if (v->x == 0 && v->y == 0 && v->z == 0 && w->x == 0 && w->y == 0 && w->z == 0)
    return;
  snapshot->moved[object] = TRUE;
  orrery_transform_advance (&snapshot->local[object], v, w, dt);
}

static void
take_changes_back (OrreryWorld *world)
{
  for (guint i = 0; i < world->changed->len; i++) {
    OrreryValueChange *change = &g_array_index (world->changed, OrreryValueChange, i);

    orrery_object_set_value (world->objects->pdata[change->object], change->name, change->value);
  }
  g_array_set_size (world->changed, 0);
}

void
orrery_world_take_changes_back (OrreryWorld *world, guint object)
{
  for (guint i = 0; i < world->changed->len; i++) {
    const OrreryValueChange *change = &g_array_index (world->changed, OrreryValueChange, i);

    if (change->object == object)
      orrery_object_set_value (world->objects->pdata[object], change->name, change->value);
  }
}

static gboolean
is_noted (OrreryWorld *world, guint object, const char *name)
{
  for (guint i = 0; i < world->changed->len; i++) {
    const OrreryValueChange *noted = &g_array_index (world->changed, OrreryValueChange, i);

    if (noted->object == object && g_str_equal (noted->name, name))
      return TRUE;
  }
  return FALSE;
}

void
orrery_world_change_value (OrreryWorld *world, guint index, const char *name, GVariant *value)
{
  OrreryObject *object = world->objects->pdata[index];
  GVariant *old = orrery_object_get_value (object, name);
  OrreryValueChange before = { .object = index };

  if (!is_noted (world, index, name)) {
    before.name = g_strdup (name);
    before.value = old != NULL ? g_variant_ref (old) : NULL;
    g_array_append_val (world->changed, before);
  }
  orrery_object_set_value (object, name, value);
}

static void
place_objects (OrreryWorld *world, guint first)
{
  for (guint i = first; i < world->objects->len; i++) {
    OrreryObject *object = world->objects->pdata[i];

    object->visible = object->starts_visible;
    object->parked = object->pooled;
    object->lit = object->lamp != NULL && object->lamp->on;
    if (object->parent == NULL && object->body.type == ORRERY_BODY_NONE && object->joint == NULL)
      g_array_append_val (world->loose, i);
  }
}

void
orrery_world_place (OrreryWorld *world)
{
  take_changes_back (world);
  orrery_world_take_quantities_back (world);
  g_array_set_size (world->changing.holds, 0);
  g_array_set_size (world->loose, 0);
  place_objects (world, 0);
  orrery_snapshot_place (world->snapshot, world, world->drives);
  orrery_commands_clear (world->commands);
}

/* --- objects that come later --- */

void
orrery_world_make_room (OrreryWorld *world, guint room)
{
  world->room = world->objects->len + room;
  orrery_snapshot_make_room (world->snapshot, room);
}

guint
orrery_world_begin_extension (OrreryWorld *world)
{
  world->extending = TRUE;
  return world->objects->len;
}

void
orrery_world_extend (OrreryWorld *world, guint first)
{
  world->extending = FALSE;
  place_objects (world, first);
  orrery_snapshot_place_more (world->snapshot, world, world->drives, first);
  /* Whoever keeps something of all shapes is to look at them again. */
  world->changing.shapes++;
  world->changing.looks++;
}

void
orrery_world_drop_objects (OrreryWorld *world, guint first)
{
  orrery_snapshot_drop_objects (world->snapshot, world->drives, first);
  while (world->loose->len > 0 &&
         g_array_index (world->loose, guint, world->loose->len - 1) >= first)
    g_array_set_size (world->loose, world->loose->len - 1);
  while (world->objects->len > first) {
    OrreryObject *object = world->objects->pdata[world->objects->len - 1];

    g_hash_table_remove (world->by_name, object->name);
    g_ptr_array_remove (world->tagged, object);
    orrery_object_leave (object);
    g_ptr_array_set_size (world->objects, (int) world->objects->len - 1);
  }
  world->changing.shapes++;
  world->changing.looks++;
  world->extending = FALSE;
}

void
orrery_world_take_joint (OrreryWorld *world, OrreryObject *object)
{
  guint slot;

  g_return_if_fail (ORRERY_IS_WORLD (world));
  g_return_if_fail (object->index < world->snapshot->n_objects);
  slot = world->snapshot->slots[object->index];
  g_return_if_fail (slot < world->drives->len);
  g_array_index (world->drives, OrreryJointDrive, slot).taken = TRUE;
}

ORRERY_DEFINE_GETTER (GArray *, orrery_world_get_drives, OrreryWorld, ORRERY_IS_STRUCT,
                      self->drives)

OrreryObject *
orrery_world_get_driven (OrreryWorld *world, guint *at)
{
  while (*at < world->drives->len) {
    const OrreryJointDrive *drive = &g_array_index (world->drives, OrreryJointDrive, (*at)++);

    if (drive->mode != ORRERY_DRIVE_NONE)
      return drive->object;
  }
  return NULL;
}

/* Applies a command that the world owns. Returns FALSE if the engine owns it. */
static gboolean
take_command (OrreryWorld *world, const OrreryCommand *command)
{
  OrrerySnapshot *snapshot = world->snapshot;
  OrreryObject *object;
  gboolean has_body;

  /* Those of the world are there without any object. */
  if (command->kind == ORRERY_COMMAND_QUANTITY) {
    OrreryQuantityKind which = orrery_command_get_quantity (command);

    orrery_world_change_quantity (world, which, command->object, &command->linear);
    return orrery_quantity_is_look (orrery_quantity_get (which));
  }
  object = world->objects->pdata[command->object];
  has_body = object->body.type != ORRERY_BODY_NONE;
  switch (command->kind) {
  case ORRERY_COMMAND_VISIBLE:
    object->visible = command->flag;
    return TRUE;
  case ORRERY_COMMAND_LAMP:
    object->lit = command->flag;
    return TRUE;
  case ORRERY_COMMAND_JOINT_POSITION:
  case ORRERY_COMMAND_JOINT_VELOCITY:
  case ORRERY_COMMAND_JOINT_EFFORT:
  case ORRERY_COMMAND_JOINT_ROTATION:
    return orrery_joints_take_command (world->drives, snapshot, command);
  case ORRERY_COMMAND_POSE:
    if (has_body)
      return FALSE;
    snapshot->local[command->object] = command->pose;
    orrery_snapshot_note_local (snapshot, command->object);
    if (!command->flag)
      snapshot->linear[command->object] = snapshot->angular[command->object] = (OrreryVec3){ 0 };
    return TRUE;
  case ORRERY_COMMAND_VELOCITY:
    if (!has_body && object->parent == NULL) {
      snapshot->linear[command->object] = command->linear;
      snapshot->angular[command->object] = command->angular;
    }
    return !has_body;
  case ORRERY_COMMAND_PRESENCE:
    return orrery_world_set_present (world, object, command);
  case ORRERY_COMMAND_ATTACH:
    return !orrery_world_hold (world, command->object, orrery_command_get_holder (command));
  default:
    return FALSE;
  }
}

static void
take_commands (OrreryWorld *world)
{
  GArray *staged = world->commands->staged;
  OrreryCommand *commands = (OrreryCommand *) (gpointer) staged->data;
  guint n = 0;

  for (guint i = 0; i < staged->len; i++)
    if (!take_command (world, &commands[i]) && n++ != i)
      commands[n - 1] = commands[i];
  g_array_set_size (staged, n);
}

void
orrery_world_note_presence (OrreryWorld *world)
{
  world->presence = TRUE;
}

gboolean
orrery_world_take_presence (OrreryWorld *world)
{
  gboolean presence = world->presence;

  world->presence = FALSE;
  return presence;
}

void
orrery_world_apply (OrreryWorld *world, double dt)
{
  OrrerySnapshot *snapshot = world->snapshot;
  const guint *loose = (const guint *) (gpointer) world->loose->data;

  orrery_snapshot_rest (snapshot);
  take_commands (world);
  for (guint i = 0; i < world->commands->changes->len; i++) {
    const OrreryValueChange *change =
        &g_array_index (world->commands->changes, OrreryValueChange, i);

    orrery_world_change_value (world, change->object, change->name, change->value);
  }

  for (guint i = 0; i < world->loose->len; i++)
    displace (snapshot, loose[i], dt);
  orrery_joints_advance (world->drives, snapshot, dt);
  /* Bodies that these objects carry are moved before the engine steps, not a tick later. */
  orrery_snapshot_carry (snapshot);
}
