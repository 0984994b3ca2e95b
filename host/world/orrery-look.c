/* SPDX-License-Identifier: BSD-3-Clause */
/* What lamps and shapes look like while a scene runs, where it is not what the scene says, and the
 * lists of what is seen.
 * Materials are shared and do not change; what takes the place of them or of their colours is kept
 * beside them. */
#include "world/orrery-quantity-private.h"

#include <string.h>

/* Of a shape without a material. */
static const OrreryVec3 plain = { 0.8, 0.8, 0.8 };

/* --- of an object --- */

/* NULL: it has none that is visible. */
static OrreryShape *
find_shape (OrreryObject *object)
{
  for (guint i = 0; i < object->shapes->len; i++)
    if (orrery_shape_is_visible (object->shapes->pdata[i]))
      return object->shapes->pdata[i];
  return NULL;
}

static void
read_color (OrreryObject *object, OrreryVec3 *color)
{
  OrreryMaterial *worn = orrery_object_get_material (object);
  OrreryMaterial *material =
      worn != NULL ? worn : orrery_shape_get_material (find_shape (object), 0);
  const double *rgba = material != NULL ? orrery_material_get_color (material) : NULL;

  *color = rgba != NULL ? (OrreryVec3){ rgba[0], rgba[1], rgba[2] } : plain;
}

gboolean
orrery_object_has_look (OrreryObject *object, OrreryQuantityKind which)
{
  if (which == ORRERY_QUANTITY_SCALE)
    return object->shapes->len > 0;
  return which == ORRERY_QUANTITY_COLOR || which == ORRERY_QUANTITY_MATERIAL
             ? find_shape (object) != NULL
             : object->lamp != NULL;
}

void
orrery_object_read_look (OrreryObject *object, OrreryQuantityKind which, OrreryVec3 *value)
{
  static const OrreryOwnLook none;
  const OrreryOwnLook *look = object->look != NULL ? object->look : &none;

  if (which == ORRERY_QUANTITY_SCALE)
    orrery_object_read_scale (object, value);
  else if (which == ORRERY_QUANTITY_ENERGY)
    value->x = look->has_energy ? look->energy : object->lamp->energy;
  else if (which == ORRERY_QUANTITY_LIGHT_COLOR)
    *value = look->has_light ? look->light : object->lamp->color;
  else if (which == ORRERY_QUANTITY_MATERIAL)
    value->x = look->material;
  else if (look->has_color)
    *value = look->color;
  else
    read_color (object, value);
}

OrreryMaterial *
orrery_object_get_material (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);
  return object->look != NULL ? object->look->material_at : NULL;
}

const OrreryVec3 *
orrery_object_get_paint (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);
  return object->look != NULL && object->look->has_color ? &object->look->color : NULL;
}

/* --- the materials of the world --- */

static GPtrArray *
get_materials (OrreryWorld *world)
{
  return orrery_world_get_changing (world)->materials;
}

void
orrery_world_put_material (OrreryWorld *world, OrreryMaterial *material)
{
  guint known = orrery_world_find_material (world, orrery_material_get_name (material));

  orrery_material_ref (material);
  if (known == 0) {
    g_ptr_array_add (get_materials (world), material);
    return;
  }
  orrery_material_unref (get_materials (world)->pdata[known - 1]);
  get_materials (world)->pdata[known - 1] = material;
}

guint
orrery_world_find_material (OrreryWorld *world, const char *name)
{
  GPtrArray *materials = get_materials (world);

  for (guint i = 0; i < materials->len; i++)
    if (g_strcmp0 (orrery_material_get_name (materials->pdata[i]), name) == 0)
      return i + 1;
  return 0;
}

void
orrery_world_start_material (OrreryWorld *world, OrreryObject *object, guint material)
{
  if (object->look == NULL)
    object->look = g_new0 (OrreryOwnLook, 1);
  if (object->look->first_material > 0)
    return;
  object->look->first_material = material;
  orrery_world_set_look (world, object, ORRERY_QUANTITY_MATERIAL, NULL);
}

const char *
orrery_world_get_material_name (OrreryWorld *world, guint material)
{
  return material > 0 ? orrery_material_get_name (get_materials (world)->pdata[material - 1]) : "";
}

guint
orrery_world_get_n_materials (OrreryWorld *world)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), 0);
  return get_materials (world)->len;
}

OrreryMaterial *
orrery_world_get_material (OrreryWorld *world, guint index)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);
  g_return_val_if_fail (index < get_materials (world)->len, NULL);
  return get_materials (world)->pdata[index];
}

/* --- of the world --- */

void
orrery_world_set_look (OrreryWorld *world, OrreryObject *object, OrreryQuantityKind which,
                       const OrreryVec3 *value)
{
  const OrreryVec3 *put = value != NULL ? value : &plain;
  OrreryOwnLook *look;

  orrery_world_get_changing (world)->looks++;
  if (which == ORRERY_QUANTITY_SCALE) {
    orrery_world_set_scale (world, object, value);
    return;
  }
  if (object->look == NULL)
    object->look = g_new0 (OrreryOwnLook, 1);
  look = object->look;
  if (which == ORRERY_QUANTITY_ENERGY) {
    look->has_energy = value != NULL;
    look->energy = put->x;
  } else if (which == ORRERY_QUANTITY_LIGHT_COLOR) {
    look->has_light = value != NULL;
    look->light = *put;
  } else if (which == ORRERY_QUANTITY_MATERIAL) {
    look->material = value != NULL ? (guint) value->x : look->first_material;
    look->material_at =
        look->material > 0 ? get_materials (world)->pdata[look->material - 1] : NULL;
  } else {
    look->has_color = value != NULL;
    look->color = *put;
  }
}

guint64
orrery_world_get_looks_serial (OrreryWorld *world)
{
  g_return_val_if_fail (ORRERY_IS_WORLD (world), 0);
  return orrery_world_get_changing (world)->looks;
}

static gboolean
is_seen (const OrreryChangedQuantity *change)
{
  return orrery_quantity_is_seen (orrery_quantity_get (change->which));
}

gboolean
orrery_world_has_looks (OrreryWorld *world)
{
  GArray *changes = orrery_world_get_changing (world)->quantities;

  for (guint i = changes->len; i > 0; i--)
    if (is_seen (&g_array_index (changes, OrreryChangedQuantity, i - 1)))
      return TRUE;
  return FALSE;
}

GArray *
orrery_world_list_changed_looks (OrreryWorld *world)
{
  GArray *looks = g_array_new (FALSE, TRUE, sizeof (OrreryLook));
  GArray *changes = orrery_world_get_changing (world)->quantities;

  for (guint i = 0; i < changes->len; i++) {
    const OrreryChangedQuantity *change = &g_array_index (changes, OrreryChangedQuantity, i);
    OrreryLook look = { (OrreryQuantityKind) change->which, change->object, change->now };

    if (is_seen (change))
      g_array_append_val (looks, look);
  }
  return looks;
}

static gint
compare_looks (gconstpointer a, gconstpointer b)
{
  const OrreryLook *x = a, *y = b;

  if (x->which != y->which)
    return x->which < y->which ? -1 : 1;
  return x->object < y->object ? -1 : x->object > y->object;
}

/* Whoever shows the shapes of the scene does not see on them what the object has at the start. */
GArray *
orrery_world_list_looks (OrreryWorld *world)
{
  GArray *looks;
  GPtrArray *objects;
  guint n;

  g_return_val_if_fail (ORRERY_IS_WORLD (world), NULL);

  looks = orrery_world_list_changed_looks (world);
  objects = orrery_world_get_objects (world);
  n = looks->len;
  for (guint i = 0; i < objects->len; i++) {
    OrreryObject *object = objects->pdata[i];
    OrreryLook look = { .which = ORRERY_QUANTITY_MATERIAL, .object = i };

    if (object->look == NULL || object->look->first_material == 0 ||
        object->look->material != object->look->first_material)
      continue;
    look.value.x = object->look->material;
    g_array_append_val (looks, look);
  }
  if (looks->len > n)
    g_array_sort (looks, compare_looks);
  return looks;
}

static gboolean
is_valid (OrreryWorld *world, const OrreryLook *look)
{
  const OrreryQuantity *quantity = orrery_quantity_get (look->which);
  GPtrArray *objects = orrery_world_get_objects (world);

  return quantity != NULL && orrery_quantity_is_seen (quantity) && look->object < objects->len &&
         orrery_quantity_is_of (quantity, objects->pdata[look->object]) &&
         orrery_world_has_value (world, quantity, &look->value) &&
         (look->which != ORRERY_QUANTITY_SCALE ||
          orrery_object_check_scale (objects->pdata[look->object], &look->value, NULL));
}

/* Shapes that stay as they are are not made anew. */
static gboolean
are_there (OrreryWorld *world, const OrreryLook *looks, guint n)
{
  g_autoptr (GArray) now = orrery_world_list_changed_looks (world);
  gboolean same = now->len == n;

  for (guint i = 0; same && i < n; i++) {
    const OrreryLook *look = &g_array_index (now, OrreryLook, i);

    same = look->which == looks[i].which && look->object == looks[i].object &&
           memcmp (&look->value, &looks[i].value, sizeof look->value) == 0;
  }
  return same;
}

gboolean
orrery_world_put_looks (OrreryWorld *world, const OrreryLook *looks, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!is_valid (world, &looks[i]))
      return FALSE;
  if (are_there (world, looks, n))
    return TRUE;
  if (orrery_world_has_looks (world))
    orrery_world_take_quantities_back (world);
  for (guint i = 0; i < n; i++)
    orrery_world_change_quantity (world, looks[i].which, looks[i].object, &looks[i].value);
  return TRUE;
}
