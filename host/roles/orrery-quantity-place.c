/* SPDX-License-Identifier: BSD-3-Clause */
/* Which quantities an object has, which ones an engine can change, and what values they take. */
#include "roles/orrery-quantity-place-private.h"

#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "part/orrery-part-private.h"
#include "world/orrery-quantity-private.h"
#include "world/orrery-world-private.h"

/* --- what engines can change --- */

/* Whether shapes of an object are those of a body. */
static gboolean
is_felt (OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  gboolean any = FALSE;

  for (guint i = 0; i < shapes->len; i++)
    any |= orrery_shape_is_solid (shapes->pdata[i]);
  while (any && orrery_physics_is_part (object))
    object = orrery_object_get_parent (object);
  return any && orrery_object_get_body (object)->type != ORRERY_BODY_NONE;
}

gboolean
orrery_quantity_can_change (OrreryPhysics *physics, const OrreryQuantity *quantity,
                            OrreryObject *object, GError **error)
{
  OrreryPhysicsClass *klass = physics != NULL ? ORRERY_PHYSICS_GET_CLASS (physics) : NULL;

  /* What only cameras see is no engine's concern. */
  if (orrery_quantity_is_look (quantity))
    return TRUE;
  if (quantity->kind == ORRERY_QUANTITY_SCALE &&
      (physics == NULL || (object != NULL && !is_felt (object))))
    return TRUE;
  return klass != NULL && klass->changes != NULL &&
         klass->changes (physics, quantity, object, error);
}

/* `gravity, OBJECT.mass`; NULL: nothing at all. */
static char *
list_changes (OrreryPhysics *physics)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const OrreryQuantity *quantity;

  for (guint i = 0; (quantity = orrery_quantity_get (i)) != NULL; i++)
    if (!orrery_quantity_is_look (quantity) &&
        orrery_quantity_can_change (physics, quantity, NULL, NULL))
      g_ptr_array_add (names, (gpointer) quantity->name);
  g_ptr_array_add (names, NULL);
  return names->len > 1 ? g_strjoinv (", ", (char **) names->pdata) : NULL;
}

gboolean
orrery_quantity_place_check_engine (const OrreryQuantityPlace *place, OrreryPhysics *physics,
                                    GError **error)
{
  const OrreryQuantity *quantity = place->quantity;
  g_autoptr (GError) why = NULL;
  g_autofree char *others = NULL;

  if (orrery_quantity_can_change (physics, quantity, place->object, &why))
    return TRUE;
  if (physics == NULL)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "the scene has no physics, so there is no %s to change",
                             quantity->name);
  others = list_changes (physics);
  return orrery_set_error (error, ORRERY_ERROR_STATE, "%s cannot change %s%s%s; %s%s",
                           orrery_part_get_classpath (ORRERY_PART (physics)), quantity->name,
                           why != NULL ? ": " : "", why != NULL ? why->message : "",
                           others != NULL ? "it can change: " : "it can change nothing",
                           others != NULL ? others : "");
}

/* --- what has them --- */

static char *
list_nearest (const char *name, gboolean of_world)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  const OrreryQuantity *quantity;

  for (guint i = 0; (quantity = orrery_quantity_get (i)) != NULL; i++)
    if (quantity->of_world == of_world)
      g_ptr_array_add (names, (gpointer) quantity->name);
  g_ptr_array_add (names, NULL);
  return orrery_nearest_names (name, (const char *const *) names->pdata);
}

gboolean
orrery_quantity_refuse (const char *name, const OrreryQuantity *other, gboolean of_world,
                        GError **error)
{
  g_autofree char *nearest = list_nearest (name, of_world);

  if (other != NULL)
    return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                             of_world ? "'%s' is of an object: the path is OBJECT.%s"
                                      : "'%s' is of the world: the path is %s",
                             name, name);
  return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND,
                           of_world ? "the world has no quantity '%.60s'%s"
                                    : "an object has no quantity '%.60s' that may change%s",
                           name, nearest);
}

/* An object right below one, or that itself, which has the quantity; NULL: there is none. */
static OrreryObject *
find_near (OrreryObject *object, const OrreryQuantity *quantity)
{
  GPtrArray *children = orrery_object_get_children (object);

  if (orrery_quantity_is_of (quantity, object))
    return object;
  for (guint i = 0; i < children->len; i++)
    if (orrery_quantity_is_of (quantity, children->pdata[i]))
      return children->pdata[i];
  return NULL;
}

/* Who asks for the colour of an object may mean that of its lamp, and the other way round. */
static gboolean
check_look (const OrreryQuantityPlace *place, GError **error)
{
  gboolean is_color = place->quantity->kind == ORRERY_QUANTITY_COLOR;
  gboolean is_material = place->quantity->kind == ORRERY_QUANTITY_MATERIAL;
  const OrreryQuantity *other =
      orrery_quantity_get (is_color ? ORRERY_QUANTITY_LIGHT_COLOR : ORRERY_QUANTITY_COLOR);
  OrreryObject *near = find_near (place->object, place->quantity);
  const char *name = place->quantity->name;
  g_autofree char *hint = NULL;

  if (near == place->object)
    return TRUE;
  if (near == NULL && place->quantity->kind != ORRERY_QUANTITY_ENERGY && !is_material) {
    near = find_near (place->object, other);
    name = other->name;
  }
  if (near != NULL)
    hint = g_strdup_printf ("; there is %.60s.%s", orrery_object_get_name (near), name);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "'%.60s' has no %s, so no %s%s",
                           orrery_object_get_name (place->object),
                           is_color || is_material ? "visible shape of its own" : "lamp",
                           place->quantity->name, hint != NULL ? hint : "");
}

static gboolean
check_body (const OrreryQuantityPlace *place, GError **error)
{
  OrreryObject *object = place->object, *whole = object;
  const char *name = orrery_object_get_name (object);
  const char *quantity = place->quantity->name;
  OrreryBodyType type = orrery_object_get_body (object)->type;

  if (type == ORRERY_BODY_NONE)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "'%.60s' has no body, so no %s", name,
                             quantity);
  while (orrery_physics_is_part (whole))
    whole = orrery_object_get_parent (whole);
  if (whole != object && orrery_object_get_body (whole)->type != ORRERY_BODY_NONE)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' is a part of the body of '%.60s': change %.60s.%s", name,
                             orrery_object_get_name (whole), orrery_object_get_name (whole),
                             quantity);
  if (place->quantity->kind == ORRERY_QUANTITY_MASS && type != ORRERY_BODY_RIGID &&
      type != ORRERY_BODY_DYNAMIC)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' is not moved by forces, so it has no mass that counts", name);
  return TRUE;
}

/* Of some things the size is read once, at the start. */
static gboolean
check_shapes (const OrreryQuantityPlace *place, GError **error)
{
  OrreryObject *object = place->object;
  OrreryObject *near = find_near (object, place->quantity);
  const char *name = orrery_object_get_name (object);
  g_autofree char *hint = NULL;

  if (near != NULL && near != object)
    hint = g_strdup_printf ("; there is %.60s.scale", orrery_object_get_name (near));
  if (near != object)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' has no shape of its own, so no scale%s", name,
                             hint != NULL ? hint : "");
  if (orrery_object_get_wheel (object) != NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' is a wheel: its radius cannot change while the scene runs",
                             name);
  if (orrery_object_is_set (object, ORRERY_ZONE_TAG))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' is a zone: its box cannot change while the scene runs", name);
  return TRUE;
}

gboolean
orrery_quantity_place_check_value (const OrreryQuantityPlace *place, const OrreryVec3 *value,
                                   GError **error)
{
  return place->quantity->kind != ORRERY_QUANTITY_SCALE ||
         orrery_object_check_scale (place->object, value, error);
}

gboolean
orrery_quantity_place_check_object (const OrreryQuantityPlace *place, GError **error)
{
  if (place->quantity->kind == ORRERY_QUANTITY_SCALE)
    return check_shapes (place, error);
  return orrery_quantity_is_look (place->quantity) ? check_look (place, error)
                                                   : check_body (place, error);
}

/* --- values --- */

static gboolean
read_number (GVariant *value, double *out)
{
  g_autoptr (GVariant) item = g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)
                                  ? g_variant_get_variant (value)
                                  : g_variant_ref (value);
  g_autoptr (GVariant) number = NULL;

  if (g_variant_is_of_type (item, G_VARIANT_TYPE_BOOLEAN))
    return FALSE;
  number = orrery_variant_convert (item, G_VARIANT_TYPE_DOUBLE, NULL);
  if (number != NULL)
    *out = g_variant_get_double (number);
  return number != NULL;
}

static gboolean
read_numbers (const OrreryQuantity *quantity, GVariant *value, double *out)
{
  if (quantity->shape == ORRERY_QUANTITY_SCALAR)
    return read_number (value, &out[0]);
  if (!g_variant_is_container (value) || g_variant_n_children (value) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (value, i);

    if (!read_number (item, &out[i]))
      return FALSE;
  }
  return TRUE;
}

static const char *
describe_shape (const OrreryQuantity *quantity)
{
  if (quantity->shape == ORRERY_QUANTITY_SCALAR)
    return "one number";
  return orrery_quantity_is_look (quantity) ? "three numbers, [red, green, blue]"
                                            : "three numbers, [x, y, z]";
}

static gboolean
refuse_name (OrreryWorld *world, const OrreryQuantity *quantity, const char *name, GError **error)
{
  guint n = orrery_world_get_n_materials (world);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < n; i++)
    names[i] = orrery_material_get_name (orrery_world_get_material (world, i));
  nearest = orrery_nearest_names (name, names);
  return orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "the scene has no %s '%.60s'%s",
                           quantity->name, name,
                           n > 0 ? nearest : ": its key 'materials' has none");
}

static gboolean
read_name (OrreryWorld *world, const OrreryQuantity *quantity, GVariant *value, OrreryVec3 *out,
           GError **error)
{
  const char *name;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%s is a name of the key 'materials' of the scene, or ''",
                             quantity->name);
  name = g_variant_get_string (value, NULL);
  *out = (OrreryVec3){ orrery_world_find_material (world, name), 0, 0 };
  return out->x > 0 || *name == '\0' || refuse_name (world, quantity, name, error);
}

gboolean
orrery_quantity_read (OrreryWorld *world, const OrreryQuantity *quantity, GVariant *boxed,
                      OrreryVec3 *out, GError **error)
{
  g_autoptr (GVariant) value = g_variant_is_of_type (boxed, G_VARIANT_TYPE_VARIANT)
                                   ? g_variant_get_variant (boxed)
                                   : g_variant_ref (boxed);
  gboolean has_unit = !g_str_equal (quantity->unit, "1");
  double numbers[3] = { 0 };

  if (quantity->shape == ORRERY_QUANTITY_NAME)
    return read_name (world, quantity, value, out, error);
  if (!read_numbers (quantity, value, numbers))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s is %s%s%s", quantity->name,
                             describe_shape (quantity), has_unit ? ", in " : "",
                             has_unit ? quantity->unit : "");
  *out = (OrreryVec3){ numbers[0], numbers[1], numbers[2] };
  if (orrery_quantity_accepts (quantity, out))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           quantity->shape == ORRERY_QUANTITY_VEC3
                               ? "each number of %s is from %g to %g%s%s"
                               : "%s is from %g to %g%s%s",
                           quantity->name, quantity->least, quantity->most, has_unit ? " " : "",
                           has_unit ? quantity->unit : "");
}

GVariant *
orrery_quantity_box (OrreryWorld *world, const OrreryQuantity *quantity, const OrreryVec3 *value)
{
  if (quantity->shape == ORRERY_QUANTITY_NAME)
    return g_variant_new_string (orrery_world_get_material_name (world, (guint) value->x));
  if (quantity->shape == ORRERY_QUANTITY_SCALAR)
    return g_variant_new_double (value->x);
  return g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &value->x, 3, sizeof (double));
}
