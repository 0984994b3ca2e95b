/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of quantities that may change while a scene runs, and the values that have changed. */
#include "world/orrery-quantity-private.h"

#include "base/orrery-random.h"

#include <math.h>
#include <string.h>

#define MASS_LEAST 1e-9
#define MASS_MOST 1e9
#define FRICTION_MOST 1e6
#define GRAVITY_MOST 1e4
#define WIND_MOST 1e4
#define ENERGY_MOST 1e6
#define SCALE_LEAST 1e-3
#define SCALE_MOST 1e3

/* By their kinds. */
static const OrreryQuantity quantities[] = {
  { ORRERY_QUANTITY_MASS, "mass", ORRERY_QUANTITY_SCALAR, "kg", MASS_LEAST, MASS_MOST, FALSE,
    "Mass of a body that moves; its inertia changes by the same factor" },
  { ORRERY_QUANTITY_FRICTION, "friction", ORRERY_QUANTITY_SCALAR, "1", 0, FRICTION_MOST, FALSE,
    "Friction of the surface of a body; two bodies combine by product" },
  { ORRERY_QUANTITY_RESTITUTION, "restitution", ORRERY_QUANTITY_SCALAR, "1", 0, 1, FALSE,
    "How much a body bounces; two bodies combine by product" },
  { ORRERY_QUANTITY_GRAVITY, "gravity", ORRERY_QUANTITY_VEC3, "m/s2", -GRAVITY_MOST, GRAVITY_MOST,
    TRUE, "Acceleration of all bodies that gravity acts on, along the axes of the world" },
  { ORRERY_QUANTITY_WIND, "wind", ORRERY_QUANTITY_VEC3, "m/s", -WIND_MOST, WIND_MOST, TRUE,
    "Velocity of the air, relative to which the damping of bodies acts" },
  { ORRERY_QUANTITY_ENERGY, "energy", ORRERY_QUANTITY_SCALAR, "1", 0, ENERGY_MOST, FALSE,
    "How bright a lamp is" },
  { ORRERY_QUANTITY_LIGHT_COLOR, "light_color", ORRERY_QUANTITY_VEC3, "1", 0, 1, FALSE,
    "Red, green and blue of the light of a lamp" },
  { ORRERY_QUANTITY_COLOR, "color", ORRERY_QUANTITY_VEC3, "1", 0, 1, FALSE,
    "Red, green and blue of all visible shapes of an object" },
  { ORRERY_QUANTITY_MATERIAL, "material", ORRERY_QUANTITY_NAME, "1", 0, ORRERY_MAX_MATERIALS, FALSE,
    "Material of the scene that all visible shapes of an object have; '': each has its own" },
  { ORRERY_QUANTITY_SCALE, "scale", ORRERY_QUANTITY_VEC3, "1", SCALE_LEAST, SCALE_MOST, FALSE,
    "Size of the shapes of an object along its axes, as a multiple of that in the scene" },
};

const OrreryQuantity *
orrery_quantity_get (guint place)
{
  return place < G_N_ELEMENTS (quantities) ? &quantities[place] : NULL;
}

const OrreryQuantity *
orrery_quantity_find (const char *name)
{
  g_return_val_if_fail (name != NULL, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (quantities); i++)
    if (g_str_equal (quantities[i].name, name))
      return &quantities[i];
  return NULL;
}

gboolean
orrery_quantity_accepts (const OrreryQuantity *quantity, const OrreryVec3 *value)
{
  const double numbers[] = { value->x, value->y, value->z };

  g_return_val_if_fail (quantity != NULL, FALSE);

  /* NaN is not within the range either. */
  for (guint i = 0; i < orrery_quantity_get_n_numbers (quantity); i++)
    if (!(numbers[i] >= quantity->least && numbers[i] <= quantity->most))
      return FALSE;
  return quantity->shape != ORRERY_QUANTITY_NAME || value->x == floor (value->x);
}

guint
orrery_quantity_get_n_numbers (const OrreryQuantity *quantity)
{
  return quantity->shape == ORRERY_QUANTITY_VEC3 ? 3 : 1;
}

gboolean
orrery_quantity_is_look (const OrreryQuantity *quantity)
{
  return quantity->kind == ORRERY_QUANTITY_ENERGY ||
         quantity->kind == ORRERY_QUANTITY_LIGHT_COLOR || quantity->kind == ORRERY_QUANTITY_COLOR ||
         quantity->kind == ORRERY_QUANTITY_MATERIAL;
}

gboolean
orrery_world_has_value (OrreryWorld *world, const OrreryQuantity *quantity, const OrreryVec3 *value)
{
  return orrery_quantity_accepts (quantity, value) &&
         (quantity->shape != ORRERY_QUANTITY_NAME ||
          value->x <= orrery_world_get_n_materials (world));
}

gboolean
orrery_quantity_is_seen (const OrreryQuantity *quantity)
{
  return orrery_quantity_is_look (quantity) || quantity->kind == ORRERY_QUANTITY_SCALE;
}

gboolean
orrery_quantity_is_of (const OrreryQuantity *quantity, OrreryObject *object)
{
  if (orrery_quantity_is_seen (quantity))
    return orrery_object_has_look (object, quantity->kind);
  return object->body.type != ORRERY_BODY_NONE;
}

/* Whether the object has it and can take the value; @object: NULL: of the world */
static gboolean
can_take (const OrreryQuantity *quantity, OrreryObject *object, const OrreryVec3 *value)
{
  if (!orrery_quantity_accepts (quantity, value))
    return FALSE;
  return quantity->kind != ORRERY_QUANTITY_SCALE ||
         (orrery_quantity_is_of (quantity, object) &&
          orrery_object_check_scale (object, value, NULL));
}

/* --- commands --- */

gboolean
orrery_commands_set_quantity (OrreryCommands *commands, OrreryQuantityKind which,
                              OrreryObject *object, const OrreryVec3 *value)
{
  const OrreryQuantity *quantity = orrery_quantity_get (which);
  OrreryCommand command = { .kind = ORRERY_COMMAND_QUANTITY, .angular.x = which };

  g_return_val_if_fail (quantity != NULL, FALSE);
  g_return_val_if_fail (quantity->of_world || object != NULL, FALSE);

  if (!quantity->of_world)
    command.object = object->index;
  if (!can_take (quantity, object, value)) {
    orrery_commands_note_refused (commands, 1, command.object);
    return FALSE;
  }
  command.linear.x = value->x;
  if (quantity->shape == ORRERY_QUANTITY_VEC3)
    command.linear = *value;
  g_array_append_val (commands->staged, command);
  return TRUE;
}

OrreryCommand *
orrery_commands_find_quantity (OrreryCommands *commands, const OrreryQuantity *quantity,
                               OrreryObject *object)
{
  guint index = object != NULL ? object->index : 0;

  for (guint i = commands->staged->len; i-- > 0;) {
    OrreryCommand *command = &g_array_index (commands->staged, OrreryCommand, i);

    if (command->kind == ORRERY_COMMAND_QUANTITY && command->object == index &&
        orrery_command_get_quantity (command) == quantity->kind)
      return command;
  }
  return NULL;
}

OrreryQuantityKind
orrery_command_get_quantity (const OrreryCommand *command)
{
  return (OrreryQuantityKind) command->angular.x;
}

gboolean
orrery_quantity_command_is_valid (const OrreryCommand *command, guint n_objects)
{
  double which = command->angular.x;
  const OrreryQuantity *quantity =
      which >= 0 && which < G_N_ELEMENTS (quantities) ? &quantities[(guint) which] : NULL;

  return quantity != NULL && which == quantity->kind &&
         (quantity->of_world ? command->object == 0 : command->object < n_objects) &&
         orrery_quantity_accepts (quantity, &command->linear);
}

/* --- values --- */

/* The members that a quantity is kept in, which is not seen. @body: of the object that has it */
static double *
find_place (OrreryWorld *world, const OrreryQuantity *quantity, OrreryBody *body)
{
  switch (quantity->kind) {
  case ORRERY_QUANTITY_MASS:
    return &body->mass;
  case ORRERY_QUANTITY_FRICTION:
    return &body->friction;
  case ORRERY_QUANTITY_RESTITUTION:
    return &body->restitution;
  case ORRERY_QUANTITY_GRAVITY:
    return &orrery_world_get_changing (world)->gravity.x;
  case ORRERY_QUANTITY_WIND:
    return &orrery_world_get_changing (world)->wind.x;
  case ORRERY_QUANTITY_ENERGY:
  case ORRERY_QUANTITY_LIGHT_COLOR:
  case ORRERY_QUANTITY_COLOR:
  case ORRERY_QUANTITY_MATERIAL:
  case ORRERY_QUANTITY_SCALE:
    break;
  }
  g_assert_not_reached ();
}

static void
put_into (OrreryWorld *world, const OrreryChangedQuantity *change, OrreryBody *body,
          const OrreryVec3 *value)
{
  const OrreryQuantity *quantity = &quantities[change->which];

  memcpy (find_place (world, quantity, body), value,
          orrery_quantity_get_n_numbers (quantity) * sizeof (double));
}

/* NULL: it is of the world. */
static OrreryObject *
find_object (OrreryWorld *world, const OrreryChangedQuantity *change)
{
  return quantities[change->which].of_world
             ? NULL
             : orrery_world_get_objects (world)->pdata[change->object];
}

static void
put (OrreryWorld *world, const OrreryChangedQuantity *change, const OrreryVec3 *value)
{
  OrreryObject *object = find_object (world, change);

  if (orrery_quantity_is_seen (&quantities[change->which]))
    orrery_world_set_look (world, object, change->which, value);
  else
    put_into (world, change, object != NULL ? &object->body : NULL, value);
}

static void
put_back (OrreryWorld *world, const OrreryChangedQuantity *change)
{
  if (orrery_quantity_is_seen (&quantities[change->which]))
    orrery_world_set_look (world, find_object (world, change), change->which, NULL);
  else
    put (world, change, &change->start);
}

gboolean
orrery_world_get_quantity (OrreryWorld *world, OrreryQuantityKind which, OrreryObject *object,
                           OrreryVec3 *value)
{
  const OrreryQuantity *quantity = orrery_quantity_get (which);

  g_return_val_if_fail (ORRERY_IS_WORLD (world), FALSE);
  g_return_val_if_fail (quantity != NULL, FALSE);

  *value = (OrreryVec3){ 0 };
  if (!quantity->of_world && (object == NULL || !orrery_quantity_is_of (quantity, object)))
    return FALSE;
  if (orrery_quantity_is_seen (quantity)) {
    orrery_object_read_look (object, which, value);
    return TRUE;
  }
  memcpy (&value->x, find_place (world, quantity, quantity->of_world ? NULL : &object->body),
          orrery_quantity_get_n_numbers (quantity) * sizeof (double));
  return TRUE;
}

const OrreryVec3 *
orrery_world_get_wind (OrreryWorld *world)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);
  return &orrery_world_get_changing (world)->wind;
}

/* --- changes, in the order of quantities and objects --- */

static OrreryChangedQuantity *
get_change (GArray *changes, guint i)
{
  return &g_array_index (changes, OrreryChangedQuantity, i);
}

/* Where a change is, or would be. */
static guint
find_change (GArray *changes, guint which, guint object)
{
  guint low = 0, high = changes->len;

  while (low < high) {
    guint middle = (low + high) / 2;
    const OrreryChangedQuantity *at = get_change (changes, middle);

    if (at->which < which || (at->which == which && at->object < object))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static gboolean
is_change (GArray *changes, guint i, guint which, guint object)
{
  return i < changes->len && get_change (changes, i)->which == which &&
         get_change (changes, i)->object == object;
}

void
orrery_world_change_quantity (OrreryWorld *world, OrreryQuantityKind which, guint object,
                              const OrreryVec3 *value)
{
  const OrreryQuantity *quantity = &quantities[which];
  OrreryObject *owner = quantity->of_world ? NULL : orrery_world_get_objects (world)->pdata[object];
  GArray *changes = orrery_world_get_changing (world)->quantities;
  guint i = find_change (changes, which, object);
  OrreryChangedQuantity change = { .which = which, .object = object, .now.x = value->x };

  if (quantity->shape == ORRERY_QUANTITY_VEC3)
    change.now = *value;
  /* A command may come from a file. */
  if (!orrery_world_has_value (world, quantity, &change.now) ||
      !can_take (quantity, owner, &change.now) ||
      !orrery_world_get_quantity (world, which, owner, &change.start))
    return;
  if (is_change (changes, i, which, object))
    get_change (changes, i)->now = change.now;
  else
    g_array_insert_val (changes, i, change);
  put (world, get_change (changes, i), &change.now);
  /* A world that has all its values back is that of the scene again. Shapes of several colours that
   * have become one colour have not: the start is that of the first one. */
  if (which != ORRERY_QUANTITY_COLOR &&
      memcmp (&change.now, &get_change (changes, i)->start, sizeof change.now) == 0) {
    put_back (world, get_change (changes, i));
    g_array_remove_index (changes, i);
  }
}

void
orrery_world_take_quantities_back (OrreryWorld *world)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;

  for (guint i = 0; i < changes->len; i++)
    put_back (world, get_change (changes, i));
  g_array_set_size (changes, 0);
  g_array_set_size (orrery_world_get_changing (world)->pending, 0);
}

void
orrery_world_take_quantities_of_back (OrreryWorld *world, guint object)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;

  for (guint which = 0; which < G_N_ELEMENTS (quantities); which++) {
    guint i = find_change (changes, which, object);

    if (quantities[which].of_world || !is_change (changes, i, which, object))
      continue;
    put_back (world, get_change (changes, i));
    g_array_remove_index (changes, i);
  }
}

void
orrery_world_get_first_body (OrreryWorld *world, OrreryObject *object, OrreryBody *body)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;

  *body = object->body;
  for (guint i = 0; i < changes->len; i++) {
    const OrreryChangedQuantity *change = get_change (changes, i);

    if (change->object == object->index && !quantities[change->which].of_world &&
        !orrery_quantity_is_seen (&quantities[change->which]))
      put_into (world, change, body, &change->start);
  }
}

guint64
orrery_world_hash_quantities (OrreryWorld *world, guint64 hash)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;

  for (guint i = 0; i < changes->len; i++) {
    const OrreryChangedQuantity *change = get_change (changes, i);

    hash = orrery_hash_word (hash, change->which);
    hash = orrery_hash_word (hash, change->object);
    hash = orrery_hash_bytes (hash, &change->now, sizeof change->now);
  }
  return hash;
}

void
orrery_world_tell_quantities (OrreryWorld *world, OrreryCommands *commands)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;

  for (guint i = 0; i < changes->len; i++) {
    const OrreryChangedQuantity *change = get_change (changes, i);

    if (!orrery_quantity_is_look (&quantities[change->which]))
      orrery_commands_set_quantity (commands, (OrreryQuantityKind) change->which,
                                    find_object (world, change), &change->now);
  }
}

/* --- a state --- */

GVariant *
orrery_world_save_quantities (OrreryWorld *world)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE (ORRERY_QUANTITIES_TYPE));

  for (guint i = 0; i < changes->len; i++) {
    const OrreryChangedQuantity *change = get_change (changes, i);

    g_variant_builder_add (&list, "(uu(ddd))", change->which, change->object, change->now.x,
                           change->now.y, change->now.z);
  }
  return g_variant_builder_end (&list);
}

static gboolean
read_change (OrreryWorld *world, GVariant *list, gsize i, OrreryChangedQuantity *change)
{
  GPtrArray *objects = orrery_world_get_objects (world);
  const OrreryQuantity *quantity;

  g_variant_get_child (list, i, "(uu(ddd))", &change->which, &change->object, &change->now.x,
                       &change->now.y, &change->now.z);
  quantity = orrery_quantity_get (change->which);
  if (quantity == NULL || !orrery_world_has_value (world, quantity, &change->now))
    return FALSE;
  if (quantity->of_world)
    return change->object == 0;
  return change->object < objects->len &&
         orrery_quantity_is_of (quantity, objects->pdata[change->object]) &&
         can_take (quantity, objects->pdata[change->object], &change->now);
}

gboolean
orrery_world_read_quantities (OrreryWorld *world, GVariant *list, GArray *changes)
{
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    OrreryChangedQuantity change = { 0 };

    if (!read_change (world, list, i, &change))
      return FALSE;
    g_array_append_val (changes, change);
  }
  return TRUE;
}

void
orrery_world_await_quantities (OrreryWorld *world, GArray *changes)
{
  orrery_world_take_quantities_back (world);
  if (changes->len > 0)
    g_array_append_vals (orrery_world_get_changing (world)->pending, changes->data, changes->len);
}

void
orrery_world_settle_quantities (OrreryWorld *world)
{
  GArray *pending = orrery_world_get_changing (world)->pending;

  for (guint i = 0; i < pending->len; i++) {
    const OrreryChangedQuantity *change = get_change (pending, i);

    orrery_world_change_quantity (world, change->which, change->object, &change->now);
  }
  g_array_set_size (pending, 0);
}
