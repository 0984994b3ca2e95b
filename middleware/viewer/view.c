/* SPDX-License-Identifier: BSD-3-Clause */
/* A scene as the server of the viewer knows it. */
#include "view.h"

#include "control.h"
#include "view-gltf.h"

#include <math.h>
#include <string.h>

/* mm, of the picture that a focal length is given for. */
#define LENS_WIDTH 32.0

/* Not from the snapshot: poses that nobody has read there are not computed in each tick. */
static void
find_start (ViewObject *objects, ViewObject *object, const OrreryTransform *start)
{
  if (object->parent >= 0)
    orrery_transform_multiply (&objects[object->parent].pose, start, &object->pose);
  else
    object->pose = *start;
}

static void
object_init (ViewObject *out, OrreryWorld *world, guint index)
{
  OrreryObject *object = orrery_world_get_object (world, index);
  OrreryObject *parent = orrery_object_get_parent (object);
  OrreryLamp *lamp = orrery_object_get_lamp (object);
  GPtrArray *shapes = orrery_object_get_scene_shapes (object);
  gboolean comes =
      g_strcmp0 (orrery_object_get_instance_name (object), orrery_object_get_name (object)) != 0;

  *out = (ViewObject){
    .name = g_strdup (orrery_object_get_name (object)),
    .basename = g_strdup (orrery_object_get_basename (object)),
    .parent = parent != NULL ? (int) orrery_object_get_index (parent) : -1,
    .is_visible = comes ? orrery_object_starts_visible (object) : orrery_object_is_visible (object),
    .shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_shape_unref),
    .is_lamp = lamp != NULL && (orrery_object_is_lit (object) || (comes && lamp->on)),
    .spawnable = comes ? object : NULL,
    .starts_absent = !orrery_object_is_present (object),
  };
  if (lamp != NULL)
    out->lamp = *lamp;
  for (guint i = 0; i < shapes->len; i++)
    if (orrery_shape_is_visible (shapes->pdata[i]))
      g_ptr_array_add (out->shapes, orrery_shape_ref (shapes->pdata[i]));
}

static const char *
find_role (OrreryComponent *component)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (component, ORRERY_TYPE_ROBOT)      ? "robot"
         : G_TYPE_CHECK_INSTANCE_TYPE (component, ORRERY_TYPE_ACTUATOR) ? "actuator"
                                                                        : "sensor";
}

static GPtrArray *
find_fixed (OrreryPart *part)
{
  g_auto (GStrv) names = orrery_part_get_option_names (part);
  GPtrArray *fixed = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; names[i] != NULL; i++)
    if (orrery_part_is_option_fixed (part, names[i]))
      g_ptr_array_add (fixed, g_strdup (names[i]));
  return fixed;
}

/* 0: it has no such property. */
static double
read_number (OrreryPart *part, const char *name)
{
  g_autoptr (GVariant) value = orrery_part_get_option (part, name);

  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (value);
  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)
             ? (double) g_variant_get_int64 (value)
             : 0;
}

/* A camera is what has the properties of one. They are read at the start only. */
static void
find_camera (ViewCamera *out, OrreryPart *part)
{
  double width = read_number (part, "cam_width"), height = read_number (part, "cam_height");
  double focal = read_number (part, "cam_focal"), fov = read_number (part, "cam_fov");
  double near = read_number (part, "cam_near"), far = read_number (part, "cam_far");

  if (width < 1 || height < 1 || near <= 0 || far <= near || (focal <= 0 && fov <= 0))
    return;
  *out = (ViewCamera){ .width = (guint) width, .height = (guint) height, .near = near, .far = far };
  out->fov = fov > 0 ? fov * G_PI / 180 : 2 * atan (LENS_WIDTH / 2 / focal);
}

static void
part_init (ViewPart *out, OrreryComponent *component)
{
  OrreryRecord *record = orrery_component_get_record (component);
  OrrerySchema *schema = record != NULL ? orrery_record_get_schema (record) : NULL;
  const char *name = orrery_part_get_name (ORRERY_PART (component));

  out->component = component;
  out->name = g_strdup (name);
  out->topic = g_strconcat ("/", name, NULL);
  g_strdelimit (out->topic, ".", '/');
  out->classpath = g_strdup (orrery_part_get_classpath (ORRERY_PART (component)));
  out->role = find_role (component);
  out->object = orrery_object_get_index (orrery_component_get_object (component));
  out->schema = schema != NULL ? orrery_schema_ref (schema) : NULL;
  find_camera (&out->camera, ORRERY_PART (component));
  out->fixed = find_fixed (ORRERY_PART (component));
}

/* Frames of Foxglove are known by their names, so these have other ones. */
static void
add_beside (View *view, OrreryWorld *world)
{
  ViewObject *first = view->objects + view->n_own;

  for (guint i = 0; i < view->n_objects - view->n_own; i++) {
    ViewObject *object = &first[i];
    g_autofree char *name = NULL;

    object_init (object, world, i);
    name = g_steal_pointer (&object->name);
    object->name = g_strconcat ("beside/", name, NULL);
    object->is_beside = TRUE;
    find_start (first, object, orrery_object_get_start (orrery_world_get_object (world, i)));
  }
  /* Numbers are those of the list. */
  for (guint i = view->n_own; i < view->n_objects; i++)
    if (view->objects[i].parent >= 0)
      view->objects[i].parent += (int) view->n_own;
}

static void
add_objects (View *view, OrreryWorld *world, OrreryWorld *beside)
{
  view->n_own = orrery_world_get_n_objects (world);
  view->n_objects = view->n_own + (beside != NULL ? orrery_world_get_n_objects (beside) : 0);
  view->objects = g_new0 (ViewObject, view->n_objects);
  for (guint i = 0; i < view->n_own; i++)
    object_init (&view->objects[i], world, i);
  for (guint i = 0; i < view->n_own; i++)
    find_start (view->objects, &view->objects[i],
                orrery_object_get_start (orrery_world_get_object (world, i)));
  if (beside != NULL)
    add_beside (view, beside);
  for (guint i = 0; i < view->n_objects; i++)
    view->has_spawnables |= view->objects[i].spawnable != NULL;
}

static void
clear_zone (gpointer data)
{
  ViewZone *zone = data;

  g_free (zone->name);
  g_free (zone->type);
}

/* Zones without an extent were told by whoever needs them. */
static void
add_zones (View *view, OrreryWorld *world)
{
  g_autoptr (GArray) zones = orrery_world_find_zones (world, NULL, NULL);

  view->zones = g_array_new (FALSE, FALSE, sizeof (ViewZone));
  g_array_set_clear_func (view->zones, clear_zone);
  for (guint i = 0; zones != NULL && i < zones->len; i++) {
    const OrreryZone *zone = &g_array_index (zones, OrreryZone, i);
    ViewZone copy = { .low = zone->low, .high = zone->high };

    copy.name = g_strdup (orrery_object_get_name (zone->object));
    copy.type = g_strdup (orrery_object_get_text (zone->object, "Type", ""));
    g_array_append_val (view->zones, copy);
  }
}

View *
view_new (OrreryObserver *observer, const OrreryObserved *observed, const char *title)
{
  View *view = g_new0 (View, 1);
  const char *beside = NULL;

  g_atomic_ref_count_init (&view->refs);
  g_mutex_init (&view->lock);
  view->observer = observer;
  view->title = title != NULL             ? g_strdup (title)
                : observed->scene != NULL ? g_path_get_basename (observed->scene)
                                          : g_strdup ("");
  view->session = g_uuid_string_random ();
  view->frequency = observed->frequency;
  if (observed->playback != NULL)
    view->playback = orrery_playback_ref (observed->playback);
  add_objects (view, observed->world,
               view->playback != NULL ? orrery_playback_get_beside (view->playback, &beside)
                                      : NULL);
  view_add_materials (view, observed->world,
                      view->playback != NULL ? orrery_playback_get_beside (view->playback, NULL)
                                             : NULL);
  view->beside = g_strdup (beside);
  add_zones (view, observed->world);
  view->n_parts = observed->n_components;
  view->parts = g_new0 (ViewPart, view->n_parts);
  view->by_component = g_hash_table_new (NULL, NULL);
  for (guint i = 0; i < view->n_parts; i++) {
    part_init (&view->parts[i], observed->components[i]);
    g_hash_table_insert (view->by_component, observed->components[i], GUINT_TO_POINTER (i + 1));
  }
  view->assets =
      g_hash_table_new_full (g_str_hash, g_str_equal, NULL, (GDestroyNotify) g_bytes_unref);
  view->by_shape = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  return view;
}

OrreryTime
view_find_time (const OrreryObserved *observed)
{
  return observed->start +
         orrery_time_from_seconds ((double) observed->n_ticks / observed->frequency);
}

View *
view_ref (View *view)
{
  g_atomic_ref_count_inc (&view->refs);
  return view;
}

void
view_unref (View *view)
{
  if (view == NULL || !g_atomic_ref_count_dec (&view->refs))
    return;
  for (guint i = 0; i < view->n_objects; i++) {
    g_free (view->objects[i].name);
    g_free (view->objects[i].basename);
    g_ptr_array_unref (view->objects[i].shapes);
  }
  for (guint i = 0; i < view->n_parts; i++) {
    g_free (view->parts[i].name);
    g_free (view->parts[i].topic);
    g_free (view->parts[i].classpath);
    g_clear_pointer (&view->parts[i].schema, orrery_schema_unref);
    g_ptr_array_unref (view->parts[i].fixed);
    for (guint kind = 0; kind < G_N_ELEMENTS (view->parts[i].late); kind++)
      g_clear_pointer (&view->parts[i].late[kind], g_bytes_unref);
  }
  g_free (view->objects);
  g_free (view->parts);
  g_array_unref (view->materials);
  g_array_unref (view->zones);
  g_hash_table_unref (view->by_component);
  /* Its keys are those of the other table. */
  g_hash_table_unref (view->assets);
  g_hash_table_unref (view->by_shape);
  g_clear_pointer (&view->scene, g_bytes_unref);
  g_clear_pointer (&view->update, g_bytes_unref);
  g_clear_pointer (&view->looks, g_array_unref);
  g_free (view->paints);
  g_mutex_clear (&view->lock);
  g_clear_pointer (&view->control, control_unref);
  g_clear_pointer (&view->playback, orrery_playback_unref);
  g_free (view->title);
  g_free (view->beside);
  g_free (view->session);
  g_free (view);
}

gboolean
view_is_of (View *view, const OrreryObserved *observed)
{
  if (view->n_parts != observed->n_components ||
      view->n_own != orrery_world_get_n_objects (observed->world))
    return FALSE;
  for (guint i = 0; i < view->n_parts; i++)
    if (view->parts[i].component != observed->components[i] ||
        !g_str_equal (view->parts[i].name,
                      orrery_part_get_name (ORRERY_PART (observed->components[i]))))
      return FALSE;
  return TRUE;
}

/* --- watching --- */

void
view_open (View *view)
{
  g_mutex_lock (&view->lock);
  view->open = TRUE;
  for (guint i = 0; i < view->n_parts; i++)
    if (atomic_load (&view->parts[i].n_text) + atomic_load (&view->parts[i].n_binary) > 0)
      orrery_observer_watch (view->observer, view->parts[i].component, TRUE);
  g_mutex_unlock (&view->lock);
}

void
view_close (View *view)
{
  g_mutex_lock (&view->lock);
  view->open = FALSE;
  g_mutex_unlock (&view->lock);
}

void
view_watch (View *view, guint part, gboolean watched)
{
  g_mutex_lock (&view->lock);
  if (view->open)
    orrery_observer_watch (view->observer, view->parts[part].component, watched);
  g_mutex_unlock (&view->lock);
}

/* --- assets --- */

const char *
view_get_shape_asset (View *view, OrreryShape *shape)
{
  char *sha256 = g_hash_table_lookup (view->by_shape, shape);
  g_autoptr (GBytes) bytes = NULL;

  if (sha256 != NULL)
    return *sha256 != '\0' ? sha256 : NULL;
  bytes = view_gltf_new (shape);
  sha256 = bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : g_strdup ("");
  g_hash_table_insert (view->by_shape, shape, sha256);
  if (*sha256 == '\0')
    return NULL;
  if (!g_hash_table_contains (view->assets, sha256))
    g_hash_table_insert (view->assets, sha256, g_steal_pointer (&bytes));
  return sha256;
}

GBytes *
view_find_asset (View *view, const char *sha256)
{
  view_get_scene (view);
  return g_hash_table_lookup (view->assets, sha256);
}
