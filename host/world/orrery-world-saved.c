/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a world as a variant, and back. */
#include "base/orrery-error-private.h"
#include "world/orrery-quantity-private.h"

#include <math.h>
#include <string.h>

/*
 * Saves everything that changes in a world while it runs as a variant, and restores it. A state may
 * come from a file, so it is checked completely before anything is restored.
 */

/* Local poses, world poses, linear and angular velocities; driven, visible, lit; properties;
 * contacts; staged commands; joints, and what their motors were told; changed quantities; what is
 * attached. */
#define COMMANDS_TYPE "a(uub(ddd)(ddd)(ddddddd))"
#define CHANGES_TYPE "a(usmv)"
/* Of objects that have any, in their order. */
#define VALUES_TYPE "a(ua{sv})"
#define STATE_PARTS                                                                                \
  "adadadadayayay" VALUES_TYPE "a(uu(ddd)(ddd)d)a(uub(ddd)(ddd)(ddddddd))ada(u(ddd)(dddd)"         \
  "d)" ORRERY_QUANTITIES_TYPE ORRERY_HOLDS_TYPE
#define STATE_TYPE "(" STATE_PARTS ")"
/* Of a world where physics measures more: that behind. */
#define MEASURED_TYPE "(" STATE_PARTS ORRERY_LOADS_TYPE ")"

enum {
  LOCAL,
  POSES,
  LINEAR,
  ANGULAR,
  DRIVEN,
  VISIBLE,
  LIT,
  VALUES,
  CONTACTS,
  COMMANDS,
  JOINTS,
  DRIVES,
  QUANTITIES,
  HOLDS,
  LOADS
};

#define VEC3(v) (v).x, (v).y, (v).z
#define PLACES(v) &(v).x, &(v).y, &(v).z
#define POSE(t) VEC3 ((t).position), (t).rotation.w, VEC3 ((t).rotation)
#define POSE_PLACES(t) PLACES ((t).position), &(t).rotation.w, PLACES ((t).rotation)

G_STATIC_ASSERT (sizeof (OrreryTransform) == 7 * sizeof (double));
G_STATIC_ASSERT (sizeof (OrreryVec3) == 3 * sizeof (double));
#define JOINT_NUMBERS 10
G_STATIC_ASSERT (sizeof (OrreryJointState) == JOINT_NUMBERS * sizeof (double));

/* What lists have for contacts and motors: the bytes of such structs, as variants place them. */
G_STATIC_ASSERT (sizeof (OrreryContact) == 2 * sizeof (guint) + 7 * sizeof (double));
typedef struct {
  guint32 mode;
  double target[3];
  double rotation[4];
  double speed;
} SavedDrive;
G_STATIC_ASSERT (sizeof (SavedDrive) == 9 * sizeof (double));

/* --- writing --- */

static GVariant *
box_doubles (gconstpointer numbers, gsize n)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers, n, sizeof (double));
}

static GVariant *
box_flags (OrreryWorld *world, gboolean (*get) (OrreryWorld *world, guint i))
{
  guint n = orrery_world_get_n_objects (world);
  g_autofree guint8 *flags = g_new (guint8, n);

  for (guint i = 0; i < n; i++)
    flags[i] = get (world, i) != FALSE;
  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, flags, n, 1);
}

static gboolean
get_driven (OrreryWorld *world, guint i)
{
  return orrery_world_get_snapshot (world)->driven[i];
}

static gboolean
get_lit (OrreryWorld *world, guint i)
{
  return orrery_world_get_object (world, i)->lit;
}

/* Of visibility: whether it is visible, and whether it is not in the world. */
enum { IS_VISIBLE = 1, IS_PARKED = 2 };

static GVariant *
box_looks (OrreryWorld *world)
{
  guint n = orrery_world_get_n_objects (world);
  g_autofree guint8 *looks = g_new (guint8, n);

  for (guint i = 0; i < n; i++) {
    const OrreryObject *object = orrery_world_get_object (world, i);

    looks[i] = (object->visible ? IS_VISIBLE : 0) | (object->parked ? IS_PARKED : 0);
  }
  return g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, looks, n, 1);
}

/* Returns: (nullable): NULL: it has none, as most objects */
static const char **
list_value_names (OrreryObject *object)
{
  return g_hash_table_size (object->values) > 0 ? orrery_object_get_value_names (object) : NULL;
}

static GVariant *
box_values (OrreryWorld *world)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE (VALUES_TYPE));
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);
    g_autofree const char **names = list_value_names (object);

    if (names == NULL)
      continue;
    g_variant_builder_open (&list, G_VARIANT_TYPE ("(ua{sv})"));
    g_variant_builder_add (&list, "u", i);
    g_variant_builder_open (&list, G_VARIANT_TYPE_VARDICT);
    for (const char **name = names; *name != NULL; name++)
      g_variant_builder_add (&list, "{sv}", *name, orrery_object_get_value (object, *name));
    g_variant_builder_close (&list);
    g_variant_builder_close (&list);
  }
  return g_variant_builder_end (&list);
}

static GVariant *
box_contacts (OrrerySnapshot *snapshot)
{
  return g_variant_new_fixed_array (G_VARIANT_TYPE ("(uu(ddd)(ddd)d)"), snapshot->contacts->data,
                                    snapshot->contacts->len, sizeof (OrreryContact));
}

GVariant *
orrery_commands_save (OrreryCommands *commands, guint first)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE (COMMANDS_TYPE));
  for (guint i = first; i < commands->staged->len; i++) {
    const OrreryCommand *c = &g_array_index (commands->staged, OrreryCommand, i);

    g_variant_builder_add (&list, "(uub(ddd)(ddd)(ddddddd))", (guint) c->kind, c->object, c->flag,
                           VEC3 (c->linear), VEC3 (c->angular), POSE (c->pose));
  }
  return g_variant_builder_end (&list);
}

static GVariant *
box_changes (GArray *changes, guint first)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE (CHANGES_TYPE));

  for (guint i = first; i < changes->len; i++) {
    const OrreryValueChange *change = &g_array_index (changes, OrreryValueChange, i);

    g_variant_builder_add (&list, "(usmv)", change->object, change->name, change->value);
  }
  return g_variant_builder_end (&list);
}

GVariant *
orrery_commands_save_all (OrreryCommands *commands, guint first, guint first_change)
{
  GVariant *staged = orrery_commands_save (commands, first);

  if (commands->changes->len <= first_change)
    return staged;
  return g_variant_new ("(@" COMMANDS_TYPE "@" CHANGES_TYPE ")", staged,
                        box_changes (commands->changes, first_change));
}

static GVariant *
box_drives (GArray *drives)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(u(ddd)(dddd)d)"));
  for (guint i = 0; i < drives->len; i++) {
    const OrreryJointDrive *d = &g_array_index (drives, OrreryJointDrive, i);

    g_variant_builder_add (&list, "(u(ddd)(dddd)d)", (guint) d->mode, VEC3 (d->target),
                           d->rotation.w, VEC3 (d->rotation), d->speed);
  }
  return g_variant_builder_end (&list);
}

static GVariant *
box_poses (OrrerySnapshot *snapshot)
{
  orrery_snapshot_complete (snapshot);
  return box_doubles (snapshot->poses, 7 * snapshot->n_objects);
}

GVariant *
orrery_world_save (OrreryWorld *world)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  gsize n = orrery_world_get_n_objects (world);
  GVariant *parts[] = {
    [LOCAL] = box_doubles (snapshot->local, 7 * n),
    [POSES] = box_poses (snapshot),
    [LINEAR] = box_doubles (snapshot->linear, 3 * n),
    [ANGULAR] = box_doubles (snapshot->angular, 3 * n),
    [DRIVEN] = box_flags (world, get_driven),
    [VISIBLE] = box_looks (world),
    [LIT] = box_flags (world, get_lit),
    [VALUES] = box_values (world),
    [CONTACTS] = box_contacts (snapshot),
    [COMMANDS] = orrery_commands_save (orrery_world_get_commands (world), 0),
    [JOINTS] = box_doubles (snapshot->joints, JOINT_NUMBERS * snapshot->n_joints),
    [DRIVES] = box_drives (orrery_world_get_drives (world)),
    [QUANTITIES] = orrery_world_save_quantities (world),
    [HOLDS] = orrery_world_save_holds (world),
    [LOADS] = NULL,
  };
  gboolean measured = snapshot->loads.frictions != NULL || snapshot->loads.joints != NULL;

  if (measured)
    parts[LOADS] = orrery_loads_save (&snapshot->loads);
  return g_variant_new_tuple (parts, measured ? LOADS + 1 : LOADS);
}

/* --- reading --- */

const double *
orrery_saved_get_doubles (GVariant *state, guint index, gsize wanted)
{
  static const double none;
  g_autoptr (GVariant) list = g_variant_get_child_value (state, index);
  const double *numbers;
  gsize n;

  numbers = g_variant_get_fixed_array (list, &n, sizeof (double));
  for (gsize i = 0; n == wanted && i < n; i++)
    if (!isfinite (numbers[i]))
      return NULL;
  if (n != wanted)
    return NULL;
  return n > 0 ? numbers : &none;
}

static gboolean
are_finite (const double *numbers, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!isfinite (numbers[i]))
      return FALSE;
  return TRUE;
}

static gboolean
is_contact (const OrreryContact *c, guint n_objects)
{
  return c->a < c->b && c->b < n_objects && are_finite (&c->point.x, 3) &&
         are_finite (&c->normal.x, 3) && isfinite (c->impulse);
}

static gboolean
read_command (GVariant *one, guint n_objects, OrreryCommand *c)
{
  guint kind;

  g_variant_get (one, "(uub(ddd)(ddd)(ddddddd))", &kind, &c->object, &c->flag, PLACES (c->linear),
                 PLACES (c->angular), POSE_PLACES (c->pose));
  c->kind = (OrreryCommandKind) kind;
  return orrery_command_is_valid (c, n_objects);
}

static gboolean
read_contacts (GVariant *list, guint n_objects, GArray *contacts)
{
  const OrreryContact *saved;
  gsize n;

  saved = g_variant_get_fixed_array (list, &n, sizeof *saved);
  for (gsize i = 0; i < n; i++)
    if (!is_contact (&saved[i], n_objects))
      return FALSE;
  if (n > 0)
    g_array_append_vals (contacts, saved, (guint) n);
  return TRUE;
}

static gboolean
read_commands (GVariant *list, guint n_objects, GArray *commands)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
    OrreryCommand command = { 0 };

    if (!read_command (one, n_objects, &command))
      return FALSE;
    g_array_append_val (commands, command);
  }
  return TRUE;
}

static gboolean
read_changes (GVariant *list, guint n_objects, GArray *changes)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    OrreryValueChange change = { 0 };

    g_variant_get_child (list, i, "(usmv)", &change.object, &change.name, &change.value);
    g_array_append_val (changes, change);
    if (change.object >= n_objects)
      return FALSE;
  }
  return TRUE;
}

OrreryCommands *
orrery_commands_read (GVariant *saved, guint n_objects, GError **error)
{
  g_autoptr (OrreryCommands) read = orrery_commands_new ();
  g_autoptr (GVariant) staged = NULL;
  g_autoptr (GVariant) changes = NULL;

  if (g_variant_is_of_type (saved, G_VARIANT_TYPE (COMMANDS_TYPE)))
    staged = g_variant_ref (saved);
  else if (g_variant_is_of_type (saved, G_VARIANT_TYPE ("(" COMMANDS_TYPE CHANGES_TYPE ")")))
    g_variant_get (saved, "(@" COMMANDS_TYPE "@" CHANGES_TYPE ")", &staged, &changes);
  if (staged == NULL || !read_commands (staged, n_objects, read->staged) ||
      (changes != NULL && !read_changes (changes, n_objects, read->changes))) {
    orrery_set_error (error, ORRERY_ERROR_INVALID, "a command names no object, or is not finite");
    return NULL;
  }
  return g_steal_pointer (&read);
}

/* There is one for each joint, in their order. The joints are changed only after all were
 * checked. */
static gboolean
read_drives (GVariant *list, GArray *drives, gboolean puts)
{
  const SavedDrive *saved;
  gsize n;

  saved = g_variant_get_fixed_array (list, &n, sizeof *saved);
  if (n != drives->len)
    return FALSE;
  for (guint i = 0; i < drives->len; i++) {
    const SavedDrive *from = &saved[i];
    OrreryJointDrive *d = &g_array_index (drives, OrreryJointDrive, i);

    if (from->mode > ORRERY_DRIVE_EFFORT || !are_finite (from->target, 3) ||
        !are_finite (from->rotation, 4) || !(from->speed >= 0 && isfinite (from->speed)))
      return FALSE;
    if (!puts)
      continue;
    d->mode = (OrreryDriveMode) from->mode;
    d->target = (OrreryVec3){ from->target[0], from->target[1], from->target[2] };
    d->rotation =
        (OrreryQuat){ from->rotation[0], from->rotation[1], from->rotation[2], from->rotation[3] };
    d->speed = from->speed;
  }
  return TRUE;
}

static guint
get_object_of (GVariant *one)
{
  g_autoptr (GVariant) object = g_variant_get_child_value (one, 0);

  return g_variant_get_uint32 (object);
}

/* Whether they are of objects in their order. */
static gboolean
check_values (GVariant *list, guint n_objects)
{
  gsize n = g_variant_n_children (list);
  gint64 last = -1;

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
    guint object = get_object_of (one);

    if (object <= last || object >= n_objects)
      return FALSE;
    last = object;
  }
  return TRUE;
}

/* All but those of the state. */
static void
drop_values (OrreryWorld *world, guint index, GVariant *values)
{
  g_autofree const char **names = list_value_names (orrery_world_get_object (world, index));

  for (const char **old = names; old != NULL && *old != NULL; old++) {
    g_autofree char *own = g_strdup (*old);
    g_autoptr (GVariant) kept = g_variant_lookup_value (values, own, NULL);

    if (kept == NULL)
      orrery_world_change_value (world, index, own, NULL);
  }
}

/* Whether the object had a value of that name. */
static gboolean
put_value (OrreryWorld *world, guint index, GVariant *entry)
{
  OrreryObject *object = orrery_world_get_object (world, index);
  g_autoptr (GVariant) key = g_variant_get_child_value (entry, 0);
  g_autoptr (GVariant) boxed = g_variant_get_child_value (entry, 1);
  g_autoptr (GVariant) value = g_variant_get_variant (boxed);
  const char *name = g_variant_get_string (key, NULL);
  GVariant *now = orrery_object_get_value (object, name);
  gboolean had = now != NULL;

  if (now == NULL || !g_variant_equal (now, value))
    orrery_world_change_value (world, index, name, value);
  return had;
}

/* Applies the values that differ, as changes that a reset undoes. */
static void
put_values_of (OrreryWorld *world, guint index, GVariant *values)
{
  guint n_before = g_hash_table_size (orrery_world_get_object (world, index)->values);
  gsize n = g_variant_n_children (values);
  guint n_had = 0;

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) entry = g_variant_get_child_value (values, i);

    n_had += put_value (world, index, entry) ? 1 : 0;
  }
  if (n_had != n_before)
    drop_values (world, index, values);
}

static void
drop_all_values (OrreryWorld *world, guint first, guint end)
{
  for (guint i = first; i < end; i++) {
    g_autofree const char **names = list_value_names (orrery_world_get_object (world, i));

    for (const char **old = names; old != NULL && *old != NULL; old++) {
      g_autofree char *own = g_strdup (*old);

      orrery_world_change_value (world, i, own, NULL);
    }
  }
}

static void
put_values (OrreryWorld *world, GVariant *list)
{
  guint n_objects = orrery_world_get_n_objects (world);
  gsize n = g_variant_n_children (list);
  guint next = 0;

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (list, i);
    g_autoptr (GVariant) values = g_variant_get_child_value (one, 1);
    guint object = get_object_of (one);

    drop_all_values (world, next, object);
    put_values_of (world, object, values);
    next = object + 1;
  }
  drop_all_values (world, next, n_objects);
}

static const guint8 *
get_flags (GVariant *list, gsize wanted)
{
  const guint8 *flags;
  gsize n;

  flags = g_variant_get_fixed_array (list, &n, 1);
  return n == wanted ? flags : NULL;
}

static void
put (OrreryWorld *world, GVariant *state, const guint8 *driven, const guint8 *visible,
     const guint8 *lit)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  gsize n = orrery_world_get_n_objects (world);

  if (n == 0)
    return;
  memcpy (snapshot->local, orrery_saved_get_doubles (state, LOCAL, 7 * n),
          n * sizeof *snapshot->local);
  memcpy (snapshot->poses, orrery_saved_get_doubles (state, POSES, 7 * n),
          n * sizeof *snapshot->poses);
  memcpy (snapshot->linear, orrery_saved_get_doubles (state, LINEAR, 3 * n),
          n * sizeof *snapshot->linear);
  memcpy (snapshot->angular, orrery_saved_get_doubles (state, ANGULAR, 3 * n),
          n * sizeof *snapshot->angular);
  for (guint i = 0; i < n; i++) {
    snapshot->driven[i] = driven[i] != 0;
    /* The state has all poses; none is computed from others. */
    orrery_snapshot_note_local (snapshot, i);
    snapshot->moved[i] = FALSE;
    /* Objects that are driven are not carried, and carried objects need their parents. */
    if (snapshot->driven[i])
      orrery_snapshot_keep (snapshot, i);
    orrery_world_get_object (world, i)->visible = (visible[i] & IS_VISIBLE) != 0;
    orrery_world_get_object (world, i)->parked = (visible[i] & IS_PARKED) != 0;
    orrery_world_get_object (world, i)->lit = lit[i] != 0;
  }
  orrery_snapshot_forget_lists (snapshot);
}

/* Whether only objects that may be spawned are not in the world, and those with all below them. */
static gboolean
check_looks (OrreryWorld *world, GVariant *list)
{
  guint n = orrery_world_get_n_objects (world);
  const guint8 *looks = get_flags (list, n);

  for (guint i = 0; i < n; i++) {
    const OrreryObject *object = orrery_world_get_object (world, i);
    gboolean parked = (looks[i] & IS_PARKED) != 0;

    if ((parked && !object->pooled) ||
        (object->pooled && object->parent != NULL &&
         parked != ((looks[object->parent->index] & IS_PARKED) != 0)))
      return FALSE;
  }
  return TRUE;
}

static gboolean
fail (GError **error, const char *words)
{
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "its world is invalid: %s", words);
}

guint64
orrery_world_count_set_values (OrreryWorld *world)
{
  guint64 n = 0;

  for (guint i = 0; i < orrery_world_get_n_objects (world); i++)
    n += orrery_world_get_object (world, i)->n_set;
  return n;
}

gboolean
orrery_world_restore (OrreryWorld *world, GVariant *state, gboolean has_values, GError **error)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  guint n = orrery_world_get_n_objects (world);
  gsize n_joints = snapshot->n_joints;
  const char *type = g_variant_get_type_string (state);
  g_autoptr (GVariant) driven = NULL, visible = NULL, lit = NULL, values = NULL, touching = NULL,
                       staged = NULL, motors = NULL, quantities = NULL, holds = NULL, loads = NULL;
  g_autoptr (GArray) contacts = g_array_new (FALSE, FALSE, sizeof (OrreryContact));
  g_autoptr (GArray) commands = g_array_new (FALSE, FALSE, sizeof (OrreryCommand));
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (OrreryChangedQuantity));

  if (g_str_equal (type, MEASURED_TYPE))
    loads = g_variant_get_child_value (state, LOADS);
  else if (!g_str_equal (type, STATE_TYPE))
    return fail (error, "it is of another type");
  if (n > 0 && (orrery_saved_get_doubles (state, LOCAL, 7 * n) == NULL ||
                orrery_saved_get_doubles (state, POSES, 7 * n) == NULL ||
                orrery_saved_get_doubles (state, LINEAR, 3 * n) == NULL ||
                orrery_saved_get_doubles (state, ANGULAR, 3 * n) == NULL))
    return fail (error, "poses and velocities are too few, too many or not finite");
  driven = g_variant_get_child_value (state, DRIVEN);
  visible = g_variant_get_child_value (state, VISIBLE);
  lit = g_variant_get_child_value (state, LIT);
  values = g_variant_get_child_value (state, VALUES);
  touching = g_variant_get_child_value (state, CONTACTS);
  staged = g_variant_get_child_value (state, COMMANDS);
  motors = g_variant_get_child_value (state, DRIVES);
  quantities = g_variant_get_child_value (state, QUANTITIES);
  holds = g_variant_get_child_value (state, HOLDS);
  if (g_variant_n_children (driven) != n || g_variant_n_children (visible) != n ||
      g_variant_n_children (lit) != n || !check_values (values, n))
    return fail (error, "it has another number of objects");
  if (!check_looks (world, visible))
    return fail (error, "an object is missing from it that is always there");
  if (!read_contacts (touching, n, contacts) || !read_commands (staged, n, commands))
    return fail (error, "a contact or a command names no object, or is not finite");
  if (!orrery_world_read_quantities (world, quantities, changed) ||
      !orrery_world_check_holds (world, holds))
    return fail (error, "a changed quantity or an attachment names no object, or is out of range");
  if (loads != NULL && !orrery_loads_check (&snapshot->loads, loads, contacts->len))
    return fail (error,
                 "its forces of contacts or wrenches are not those that this scene measures, "
                 "or not finite");
  if ((n_joints > 0 &&
       orrery_saved_get_doubles (state, JOINTS, JOINT_NUMBERS * n_joints) == NULL) ||
      !read_drives (motors, orrery_world_get_drives (world), FALSE))
    return fail (error, "its joints are not those of this scene, or not finite");

  read_drives (motors, orrery_world_get_drives (world), TRUE);
  if (n_joints > 0)
    memcpy (snapshot->joints, orrery_saved_get_doubles (state, JOINTS, JOINT_NUMBERS * n_joints),
            n_joints * sizeof *snapshot->joints);
  put (world, state, get_flags (driven, n), get_flags (visible, n), get_flags (lit, n));
  if (!has_values)
    put_values (world, values);
  orrery_snapshot_begin (snapshot);
  g_array_append_vals (snapshot->contacts, contacts->data, contacts->len);
  orrery_loads_restore (&snapshot->loads, loads, contacts->len);
  orrery_commands_clear (orrery_world_get_commands (world));
  g_array_append_vals (orrery_world_get_commands (world)->staged, commands->data, commands->len);
  orrery_world_await_quantities (world, changed);
  orrery_world_put_holds (world, holds);
  return TRUE;
}
