/* SPDX-License-Identifier: BSD-3-Clause */
/* Services of `simulation` that change quantities of the running world and attach objects to each
 * other, and the functions that call them. */
#include "simulation/orrery-change.h"

#include "part/orrery-part-private.h"
#include "roles/orrery-quantity-place-private.h"
#include "scene/orrery-settings-private.h"
#include "simulation/orrery-simulation-private.h"
#include "simulation/orrery-spawn-private.h"
#include "simulation/orrery-system-part-private.h"
#include "world/orrery-quantity-private.h"

#include <string.h>

/* --- paths --- */

/* Of an object that may be told something: it is in the world, or will be with the next tick. */
static OrreryObject *
find_object (OrreryInstance *instance, const char *name, GError **error)
{
  OrreryObject *object = orrery_world_find_object (instance->world, name);
  g_autofree const char **names = NULL;
  g_autofree char *nearest = NULL;

  if (object != NULL && orrery_object_get_instance_name (object) != NULL)
    return object;
  if (object != NULL) {
    orrery_set_error (error, ORRERY_ERROR_STATE,
                      "'%.60s' is not in the world; it has to be spawned first", name);
    return NULL;
  }
  if (orrery_spawn_is_gone (instance->spawn, name)) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "'%.60s' was removed", name);
    return NULL;
  }
  names = orrery_world_get_names (instance->world);
  nearest = orrery_nearest_names (name, names);
  orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "no object is named '%.60s'%s", name, nearest);
  return NULL;
}

/* @path: of what is of the world, or OBJECT.QUANTITY */
static gboolean
find_place (OrreryInstance *instance, const OrreryPropertyPath *path, OrreryQuantityPlace *place,
            GError **error)
{
  const char *name = path->property;

  *place = (OrreryQuantityPlace){ orrery_quantity_find (name), NULL };
  if (g_str_equal (path->owner, ORRERY_SETTING_SIMULATION))
    return (place->quantity != NULL && place->quantity->of_world) ||
           orrery_quantity_refuse (name, place->quantity, TRUE, error);
  place->object = find_object (instance, path->owner, error);
  if (place->object == NULL)
    return FALSE;
  if (place->quantity == NULL || place->quantity->of_world)
    return orrery_quantity_refuse (name, place->quantity, FALSE, error);
  return orrery_quantity_place_check_object (place, error);
}

/* FALSE: with nothing to be cleared */
static gboolean
read_path (OrreryInstance *instance, const char *text, OrreryPropertyPath *path,
           OrreryQuantityPlace *place, GError **error)
{
  /* A word alone is most likely a quantity of which the object is missing. */
  if (!orrery_property_path_parse (path, text, strchr (text, '[') != NULL ? error : NULL))
    return strchr (text, '[') == NULL &&
           orrery_quantity_refuse (text, orrery_quantity_find (text), TRUE, error);
  if (find_place (instance, path, place, error))
    return TRUE;
  orrery_property_path_clear (path);
  return FALSE;
}

/* Where a script of physics asks, those of the next tick. */
static OrreryCommands *
get_commands (OrreryInstance *instance)
{
  return orrery_tick_get_commands (orrery_runner_get_tick (instance->runner));
}

/* --- services of quantities --- */

/* What a quantity will be with the next step of physics: several calls may be of its members. */
static GVariant *
get_staged (OrreryInstance *instance, const OrreryQuantityPlace *place)
{
  const OrreryCommand *staged =
      orrery_commands_find_quantity (get_commands (instance), place->quantity, place->object);
  OrreryVec3 value;

  if (staged != NULL)
    value = staged->linear;
  else
    orrery_world_get_quantity (instance->world, place->quantity->kind, place->object, &value);
  return g_variant_ref_sink (orrery_quantity_box (instance->world, place->quantity, &value));
}

static gboolean
set_quantity (OrreryInstance *instance, const OrreryPropertyPath *path,
              const OrreryQuantityPlace *place, GVariant *given, GError **error)
{
  g_autoptr (GVariant) now = path->index >= 0 ? get_staged (instance, place) : NULL;
  g_autoptr (GVariant) whole = orrery_property_path_put (path, now, given, error);
  OrreryVec3 value;

  return whole != NULL &&
         orrery_quantity_read (instance->world, place->quantity, whole, &value, error) &&
         orrery_quantity_place_check_value (place, &value, error) &&
         orrery_quantity_place_check_engine (place, instance->assembly.physics, error) &&
         orrery_commands_set_quantity (get_commands (instance), place->quantity->kind,
                                       place->object, &value);
}

static void
set (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryInstance *instance = orrery_system_part_get_instance (part);
  OrreryPropertyPath path;
  OrreryQuantityPlace place;

  if (!read_path (instance, orrery_call_get_text (call, 0), &path, &place, error))
    return;
  set_quantity (instance, &path, &place, orrery_call_get_argument (call, 1), error);
  orrery_property_path_clear (&path);
}

static void
get (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryInstance *instance = orrery_system_part_get_instance (part);
  g_autoptr (GVariant) whole = NULL, value = NULL;
  OrreryPropertyPath path;
  OrreryQuantityPlace place;
  OrreryVec3 now;

  if (!read_path (instance, orrery_call_get_text (call, 0), &path, &place, error))
    return;
  orrery_world_get_quantity (instance->world, place.quantity->kind, place.object, &now);
  whole = g_variant_ref_sink (orrery_quantity_box (instance->world, place.quantity, &now));
  value = orrery_property_path_get (&path, whole, error);
  orrery_property_path_clear (&path);
  if (value != NULL)
    orrery_call_return (call, value);
}

/* Of numbers the least and the most, and what a name may be. */
static void
add_range (GVariantBuilder *row, OrreryWorld *world, const OrreryQuantity *quantity)
{
  GVariantBuilder names;

  if (quantity->shape != ORRERY_QUANTITY_NAME) {
    g_variant_builder_add (row, "{sv}", "least", g_variant_new_double (quantity->least));
    g_variant_builder_add (row, "{sv}", "most", g_variant_new_double (quantity->most));
    return;
  }
  g_variant_builder_init (&names, G_VARIANT_TYPE_STRING_ARRAY);
  for (guint i = 0; i < orrery_world_get_n_materials (world); i++)
    g_variant_builder_add (&names, "s",
                           orrery_material_get_name (orrery_world_get_material (world, i)));
  g_variant_builder_add (row, "{sv}", "names", g_variant_builder_end (&names));
}

static void
get_quantities (OrreryPart *part, OrreryCall *call, GError **error)
{
  static const char *const shapes[] = { [ORRERY_QUANTITY_SCALAR] = "scalar",
                                        [ORRERY_QUANTITY_VEC3] = "vec3",
                                        [ORRERY_QUANTITY_NAME] = "name" };
  OrreryInstance *instance = orrery_system_part_get_instance (part);
  OrreryPhysics *physics = instance->assembly.physics;
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("aa{sv}"));
  const OrreryQuantity *quantity;

  for (guint i = 0; (quantity = orrery_quantity_get (i)) != NULL; i++) {
    GVariantBuilder row = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

    g_variant_builder_add (&row, "{sv}", "name", g_variant_new_string (quantity->name));
    g_variant_builder_add (&row, "{sv}", "of",
                           g_variant_new_string (quantity->of_world ? "world" : "object"));
    g_variant_builder_add (&row, "{sv}", "shape", g_variant_new_string (shapes[quantity->shape]));
    g_variant_builder_add (&row, "{sv}", "unit", g_variant_new_string (quantity->unit));
    add_range (&row, instance->world, quantity);
    g_variant_builder_add (&row, "{sv}", "supported",
                           g_variant_new_boolean (
                               orrery_quantity_can_change (physics, quantity, NULL, NULL)));
    g_variant_builder_add (&row, "{sv}", "description",
                           g_variant_new_string (quantity->description));
    g_variant_builder_add (&list, "@a{sv}", g_variant_builder_end (&row));
  }
  orrery_call_return (call, g_variant_builder_end (&list));
}

/* --- services of attachments --- */

/* As what is staged will have it. */
static gint64
find_holder (OrreryInstance *instance, OrreryObject *object)
{
  guint n;
  const OrreryCommand *staged = orrery_commands_get (get_commands (instance), &n);

  for (guint i = n; i > 0; i--)
    if (staged[i - 1].kind == ORRERY_COMMAND_ATTACH && staged[i - 1].object == object->index)
      return orrery_command_get_holder (&staged[i - 1]);
  return orrery_world_get_holder (instance->world, object->index);
}

static gboolean
would_ring (OrreryInstance *instance, OrreryObject *object, OrreryObject *holder)
{
  guint n = orrery_world_get_n_objects (instance->world);

  /* Staged ones could close a ring that they break in turn, which takes no more steps than this. */
  for (guint steps = 0; holder != NULL && steps <= n; steps++) {
    gint64 next = -1;

    for (OrreryObject *at = holder; at != NULL && next < 0; at = at->parent) {
      if (at == object)
        return TRUE;
      next = find_holder (instance, at);
    }
    holder = next >= 0 ? orrery_world_get_object (instance->world, (guint) next) : NULL;
  }
  return holder != NULL;
}

static gboolean
check_attach (OrreryInstance *instance, OrreryObject *object, OrreryObject *holder, GError **error)
{
  const char *name = orrery_object_get_name (object);

  if (instance->assembly.physics == NULL)
    return orrery_set_error (error, ORRERY_ERROR_STATE,
                             "the scene has no physics, so nothing can be attached");
  if (object == holder)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "'%.60s' cannot be attached to itself",
                             name);
  if (object->parent != NULL || object->joint != NULL ||
      (object->body.type != ORRERY_BODY_RIGID && object->body.type != ORRERY_BODY_DYNAMIC))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' cannot be attached: only a root object with a body that "
                             "forces move can be",
                             name);
  if (would_ring (instance, object, holder))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.60s' cannot be attached to '%.60s', which moves with it", name,
                             orrery_object_get_name (holder));
  return TRUE;
}

static void
attach (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryInstance *instance = orrery_system_part_get_instance (part);
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (instance->world);
  OrreryObject *object = find_object (instance, orrery_call_get_text (call, 0), error);
  OrreryObject *holder =
      object != NULL ? find_object (instance, orrery_call_get_text (call, 1), error) : NULL;
  OrreryTransform pose;

  if (holder == NULL || !check_attach (instance, object, holder, error))
    return;
  orrery_transform_relative (orrery_snapshot_get_pose (snapshot, holder->index),
                             orrery_snapshot_get_pose (snapshot, object->index), &pose);
  if (!orrery_system_part_read_pose (call, 2, &pose))
    orrery_set_error (error, ORRERY_ERROR_INVALID, ORRERY_NO_POSE);
  else if (!orrery_commands_attach (get_commands (instance), object, holder, &pose))
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "'%.60s' cannot be held at a pose that is beyond 1e8 m",
                      orrery_object_get_name (object));
}

static void
detach (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryInstance *instance = orrery_system_part_get_instance (part);
  OrreryObject *object = find_object (instance, orrery_call_get_text (call, 0), error);

  if (object == NULL)
    return;
  if (find_holder (instance, object) < 0)
    orrery_set_error (error, ORRERY_ERROR_STATE, "'%.60s' is not attached to anything",
                      orrery_object_get_name (object));
  else
    orrery_commands_attach (get_commands (instance), object, NULL, NULL);
}

static const OrreryService services[] = {
  { "set", set, ORRERY_SERVICE_IMMEDIATE, "path:s value:v",
    "Changes a quantity of the running world, as `gravity`, `OBJECT.mass` or `OBJECT.color`, with "
    "the next step of physics: a number, three, or a name; or one of three, as `gravity[2]`" },
  { "get", get, ORRERY_SERVICE_IMMEDIATE, "path:s",
    "The value of a quantity now, or one number of it, as `gravity[2]`" },
  { "get_quantities", get_quantities, ORRERY_SERVICE_IMMEDIATE, "",
    "What may be changed: name, of what, shape, unit, least and most value or all names, and "
    "whether a change has an effect with the physics engine of the scene" },
  { "attach", attach, ORRERY_SERVICE_IMMEDIATE, "object:s to:s position:v=null orientation:v=null",
    "Has an object move with another one, at [x, y, z] in the frame of that, turned by [roll, "
    "pitch, yaw] or as the quaternion [x, y, z, w], or as it is now" },
  { "detach", detach, ORRERY_SERVICE_IMMEDIATE, "object:s",
    "Lets an object go that was attached, with the velocity that it has" },
};

ORRERY_DEFINE_SYSTEM_PART (OrreryChangeServices, orrery_change_services)

/* --- the same for the program: what it calls is repeated where the run is --- */

static gboolean
order (OrrerySimulation *simulation, const char *service, GVariant *arguments, GError **error)
{
  GError *local = NULL;
  g_autoptr (GVariant) none = orrery_system_part_ask (simulation, service, arguments, &local);

  if (local == NULL)
    return TRUE;
  g_propagate_error (error, local);
  return FALSE;
}

gboolean
orrery_simulation_set_quantity (OrrerySimulation *simulation, const char *path,
                                const double *numbers, gsize n_numbers, GError **error)
{
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (path != NULL, FALSE);
  g_return_val_if_fail (numbers != NULL || n_numbers == 0, FALSE);

  g_variant_builder_add (&arguments, "v", g_variant_new_string (path));
  g_variant_builder_add (&arguments, "v",
                         n_numbers == 1 ? g_variant_new_double (numbers[0])
                                        : g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, numbers,
                                                                     n_numbers, sizeof *numbers));
  return order (simulation, "set", g_variant_builder_end (&arguments), error);
}

double *
orrery_simulation_get_quantity (OrrerySimulation *simulation, const char *path, gsize *n_numbers,
                                GError **error)
{
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  g_autoptr (GVariant) value = NULL;
  const double *numbers;
  double number;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (path != NULL, NULL);
  g_return_val_if_fail (n_numbers != NULL, NULL);

  *n_numbers = 0;
  g_variant_builder_add (&arguments, "v", g_variant_new_string (path));
  value = orrery_system_part_ask (simulation, "get", g_variant_builder_end (&arguments), error);
  if (value == NULL)
    return NULL;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "'%.60s' is a name: orrery_simulation_get_material () gives it", path);
    return NULL;
  }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)) {
    number = g_variant_get_double (value);
    numbers = &number;
    *n_numbers = 1;
  } else {
    numbers = g_variant_get_fixed_array (value, n_numbers, sizeof *numbers);
  }
  return g_memdup2 (numbers, *n_numbers * sizeof *numbers);
}

gboolean
orrery_simulation_set_material (OrrerySimulation *simulation, const char *name,
                                const char *material, GError **error)
{
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  g_variant_builder_add (&arguments, "v",
                         g_variant_new_take_string (g_strconcat (name, ".material", NULL)));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (material != NULL ? material : ""));
  return order (simulation, "set", g_variant_builder_end (&arguments), error);
}

char *
orrery_simulation_get_material (OrrerySimulation *simulation, const char *name, GError **error)
{
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  g_autoptr (GVariant) value = NULL;

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), NULL);
  g_return_val_if_fail (name != NULL, NULL);

  g_variant_builder_add (&arguments, "v",
                         g_variant_new_take_string (g_strconcat (name, ".material", NULL)));
  value = orrery_system_part_ask (simulation, "get", g_variant_builder_end (&arguments), error);
  return value != NULL ? g_variant_dup_string (value, NULL) : NULL;
}

gboolean
orrery_simulation_attach_object (OrrerySimulation *simulation, const char *name, const char *holder,
                                 const OrreryTransform *pose, GError **error)
{
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);
  g_return_val_if_fail (holder != NULL, FALSE);

  g_variant_builder_add (&arguments, "v", g_variant_new_string (name));
  g_variant_builder_add (&arguments, "v", g_variant_new_string (holder));
  if (pose != NULL)
    orrery_system_part_add_pose (&arguments, pose);
  return order (simulation, "attach", g_variant_builder_end (&arguments), error);
}

gboolean
orrery_simulation_detach_object (OrrerySimulation *simulation, const char *name, GError **error)
{
  GVariantBuilder arguments = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  g_return_val_if_fail (ORRERY_IS_SIMULATION (simulation), FALSE);
  g_return_val_if_fail (name != NULL, FALSE);

  g_variant_builder_add (&arguments, "v", g_variant_new_string (name));
  return order (simulation, "detach", g_variant_builder_end (&arguments), error);
}
