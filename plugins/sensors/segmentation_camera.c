/* SPDX-License-Identifier: BSD-3-Clause */
/* Cameras that say which object each pixel sees, and where in the picture each object is. */
#include "camera.h"

#include <string.h>

/* Ids of classes as Isaac Sim has them. */
#define CLASS_NOTHING 0
#define CLASS_UNLABELLED 1
/* Ids are 16 bits wide, as pictures of labels are elsewhere (mono16, 16-bit PNG). */
#define MAX_OBJECTS G_MAXUINT16

#define OBJECTS_WORDS                                                                              \
  "For each object that is seen: id, name, class, class_id, x_min, y_min, x_max, y_max, pixels"
#define MATRIX_WORDS "From optical axes to the picture: rows of focal length and middle"

typedef struct {
  OrreryBuffer *instances;
  OrreryBuffer *classes;
  GVariant *objects;
  OrreryMat3 intrinsic_matrix;
} SegmentationData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SegmentationData, instances, "", "Rows of ids of objects, uint16; 0: nothing"),
  ORRERY_FIELD (SegmentationData, classes, "", "Rows of ids of classes, uint16; 0: nothing"),
  ORRERY_FIELD (SegmentationData, objects, "", OBJECTS_WORDS),
  ORRERY_FIELD (SegmentationData, intrinsic_matrix, "px", MATRIX_WORDS),
};

typedef struct {
  GVariant *objects;
  OrreryMat3 intrinsic_matrix;
} BoxesData;

static const OrreryField box_fields[] = {
  ORRERY_FIELD (BoxesData, objects, "", OBJECTS_WORDS),
  ORRERY_FIELD (BoxesData, intrinsic_matrix, "px", MATRIX_WORDS),
};

/* What is told of an object: what stays the same, and where it is in the picture. */
typedef enum {
  ENTRY_ID,
  ENTRY_NAME,
  ENTRY_CLASS,
  ENTRY_CLASS_ID,
  ENTRY_N_FIXED,
  ENTRY_X_MIN = ENTRY_N_FIXED,
  ENTRY_Y_MIN,
  ENTRY_X_MAX,
  ENTRY_Y_MAX,
  ENTRY_PIXELS,
  ENTRY_N_ALL,
} Entry;

static const char *const entry_names[ENTRY_N_ALL] = { "id",       "name",  "class",
                                                      "class_id", "x_min", "y_min",
                                                      "x_max",    "y_max", "pixels" };

/* Where in a picture an object is; maxima lie beyond its last pixel. */
typedef struct {
  GVariant *fixed[ENTRY_N_FIXED]; /* made when it is first seen */
  guint16 class_id;
  guint16 x_min;
  guint16 y_min;
  guint16 x_max;
  guint16 y_max;
  guint32 n_pixels;
} Extent;

/*
 * A camera that knows which object each pixel sees: as pictures of ids, as boxes around what is
 * seen of each object. Nothing of light, textures or smoothing is in these pictures: each pixel is
 * of the one object that its middle sees, and a translucent surface counts as any other. The id of
 * an object is its place in the scene, from 1 on, parents before their children; that of a class
 * its place among the classes in the order of the objects, from 2 on. The class of an object is its
 * property Type, or that of the nearest object above it that has one; 1 is the class of objects
 * without one. Both are found at the start and stay the same; what is added to the scene later has
 * the ids behind those.
 */
typedef struct {
  OrrerySensor parent_instance;
  Camera camera;
  OrreryWorld *world;
  GPtrArray *names;  /* (element-type utf8): of classes, by id */
  GHashTable *known; /* (element-type utf8 guint): their ids; the names are those of @names */
  GVariant *keys[ENTRY_N_ALL];
  GArray *extents;    /* (element-type Extent): of all objects */
  OrreryBuffer *seen; /* scratch */
} OrrerySegmentationBase;
typedef struct {
  OrrerySensorClass parent_class;
} OrrerySegmentationBaseClass;

static GType orrery_segmentation_base_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrrerySegmentationBase, g_object_unref)
G_DEFINE_ABSTRACT_TYPE (OrrerySegmentationBase, orrery_segmentation_base, ORRERY_TYPE_SENSOR)

#define SEGMENTATION(instance) ((OrrerySegmentationBase *) (gpointer) (instance))

static const CameraDefaults defaults = { .near = 0.1, .far = 100, .flip = TRUE };

/* --- what there is --- */

static const char *
find_class (OrreryObject *object)
{
  for (; object != NULL; object = orrery_object_get_parent (object)) {
    const char *type = orrery_object_get_text (object, "Type", "");

    if (*type != '\0')
      return type;
  }
  return NULL;
}

static guint16
get_class_id (OrrerySegmentationBase *self, const char *type)
{
  gpointer id;

  if (type == NULL)
    return CLASS_UNLABELLED;
  id = g_hash_table_lookup (self->known, type);
  if (id == NULL) {
    char *name = g_strdup (type);

    id = GUINT_TO_POINTER (self->names->len);
    g_ptr_array_add (self->names, name);
    g_hash_table_insert (self->known, name, id);
  }
  return (guint16) GPOINTER_TO_UINT (id);
}

static void
look_again (OrrerySegmentationBase *self, guint n)
{
  guint first = self->extents->len;

  g_array_set_size (self->extents, n);
  for (guint i = first; i < n; i++)
    g_array_index (self->extents, Extent, i).class_id =
        get_class_id (self, find_class (orrery_world_get_object (self->world, i)));
}

/* Looks for objects that are new since the last look. */
static gboolean
know_all (OrrerySegmentationBase *self, GError **error)
{
  guint n = orrery_world_get_n_objects (self->world);

  if (self->extents->len != n)
    look_again (self, n);
  if (n > MAX_OBJECTS)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "the scene has %u objects, the picture has ids for %d", n,
                             MAX_OBJECTS);
  /* Each object may have a class of its own, and two ids are taken. */
  if (self->names->len > MAX_OBJECTS + 1)
    return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                             "the scene has %u classes, the picture has ids for %d",
                             self->names->len - 2, MAX_OBJECTS - 1);
  return TRUE;
}

static gboolean
list_classes (OrrerySegmentationBase *self, GError **error)
{
  g_hash_table_remove_all (self->known);
  g_ptr_array_set_size (self->names, 0);
  g_ptr_array_add (self->names, g_strdup ("nothing"));
  g_ptr_array_add (self->names, g_strdup ("unlabelled"));
  g_array_set_size (self->extents, 0);
  return know_all (self, error);
}

static void
see_nothing (GVariant **objects)
{
  g_clear_pointer (objects, g_variant_unref);
  *objects = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE ("a{sv}"), NULL, 0));
}

static void
orrery_segmentation_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySegmentationBase *self = SEGMENTATION (part);
  OrreryRecord *record = orrery_setup_get_record (setup);

  see_nothing (orrery_record_find (record, "objects", ORRERY_FIELD_VARIANT));
  g_set_object (&self->world, orrery_setup_get_world (setup));
  if (list_classes (self, error) && camera_set_up (&self->camera, setup, error))
    camera_get_intrinsics (&self->camera,
                           orrery_record_find (record, "intrinsic_matrix", ORRERY_FIELD_MAT3));
}

/* --- what is seen --- */

static GVariant *
make_entry (OrrerySegmentationBase *self, Entry entry, GVariant *value)
{
  return g_variant_new_dict_entry (self->keys[entry], g_variant_new_variant (value));
}

static GVariant *
make_number (OrrerySegmentationBase *self, Entry entry, gint64 value)
{
  return make_entry (self, entry, g_variant_new_int64 (value));
}

/* Returns: (array length=ENTRY_N_FIXED): what does not change */
static GVariant **
get_fixed (OrrerySegmentationBase *self, guint object)
{
  Extent *extent = &g_array_index (self->extents, Extent, object);
  const char *name = orrery_object_get_name (orrery_world_get_object (self->world, object));
  const char *class_name = self->names->pdata[extent->class_id];
  GVariant **fixed = extent->fixed;

  if (fixed[0] != NULL)
    return fixed;
  fixed[ENTRY_ID] = make_number (self, ENTRY_ID, (gint64) object + 1);
  fixed[ENTRY_NAME] = make_entry (self, ENTRY_NAME, g_variant_new_string (name));
  fixed[ENTRY_CLASS] = make_entry (self, ENTRY_CLASS, g_variant_new_string (class_name));
  fixed[ENTRY_CLASS_ID] = make_number (self, ENTRY_CLASS_ID, extent->class_id);
  for (guint i = 0; i < ENTRY_N_FIXED; i++)
    g_variant_ref_sink (fixed[i]);
  return fixed;
}

static GVariant *
describe (OrrerySegmentationBase *self, guint object)
{
  const Extent *extent = &g_array_index (self->extents, Extent, object);
  GVariant *entries[ENTRY_N_ALL];

  memcpy (entries, get_fixed (self, object), sizeof extent->fixed);
  entries[ENTRY_X_MIN] = make_number (self, ENTRY_X_MIN, extent->x_min);
  entries[ENTRY_Y_MIN] = make_number (self, ENTRY_Y_MIN, extent->y_min);
  entries[ENTRY_X_MAX] = make_number (self, ENTRY_X_MAX, extent->x_max);
  entries[ENTRY_Y_MAX] = make_number (self, ENTRY_Y_MAX, extent->y_max);
  entries[ENTRY_PIXELS] = make_number (self, ENTRY_PIXELS, extent->n_pixels);
  return g_variant_new_array (G_VARIANT_TYPE ("{sv}"), entries, ENTRY_N_ALL);
}

static void
widen (Extent *extent, guint x, guint y)
{
  if (extent->n_pixels++ == 0) {
    extent->x_min = (guint16) x;
    extent->y_min = (guint16) y;
    extent->x_max = (guint16) (x + 1);
  }
  extent->x_min = (guint16) MIN (extent->x_min, x);
  extent->x_max = (guint16) MAX (extent->x_max, x + 1);
  extent->y_max = (guint16) (y + 1);
}

static void
measure (OrrerySegmentationBase *self)
{
  const gint32 *seen = orrery_buffer_get_data (self->seen);
  Extent *extents = (Extent *) (gpointer) self->extents->data;

  for (guint i = 0; i < self->extents->len; i++)
    extents[i].n_pixels = 0;
  for (guint y = 0; y < (guint) self->camera.height; y++)
    for (guint x = 0; x < (guint) self->camera.width; x++, seen++)
      if (*seen >= 0)
        widen (&extents[*seen], x, y);
}

static void
list_objects (OrrerySegmentationBase *self, GVariant **objects)
{
  GVariantBuilder list;

  measure (self);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->extents->len; i++)
    if (g_array_index (self->extents, Extent, i).n_pixels > 0)
      g_variant_builder_add_value (&list, describe (self, i));
  g_clear_pointer (objects, g_variant_unref);
  *objects = g_variant_ref_sink (g_variant_builder_end (&list));
}

/* FALSE: there is no picture in this step. */
static gboolean
take (OrrerySegmentationBase *self, OrreryTick *tick, GVariant **objects, GError **error)
{
  const gsize shape[] = { (gsize) self->camera.height, (gsize) self->camera.width };
  OrreryPicture picture = { 0 };

  picture.objects = camera_get_buffer (&self->seen, ORRERY_ELEMENT_INT32, 2, shape, error);
  if (picture.objects == NULL || !know_all (self, error) ||
      !camera_render (&self->camera, tick, &picture, error))
    return FALSE;
  if (!self->camera.flip)
    camera_flip_rows (self->seen);
  list_objects (self, objects);
  return TRUE;
}

static void
forget (GVariant **objects)
{
  if (g_variant_n_children (*objects) > 0)
    see_nothing (objects);
}

/* --- the table of ids --- */

/* What a camera may ever see: objects with a shape. */
static void
get_labels (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySegmentationBase *self = SEGMENTATION (part);
  GVariantBuilder list;

  if (!know_all (self, error))
    return;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < self->extents->len; i++) {
    if (orrery_object_get_shapes (orrery_world_get_object (self->world, i))->len == 0)
      continue;
    g_variant_builder_add_value (&list, g_variant_new_array (G_VARIANT_TYPE ("{sv}"),
                                                             get_fixed (self, i), ENTRY_N_FIXED));
  }
  orrery_call_return (call, g_variant_builder_end (&list));
}

static const OrreryService services[] = {
  { "get_labels", get_labels, ORRERY_SERVICE_IMMEDIATE, "",
    "For each object with a shape: id, name, class, class_id, in the order of ids" },
};

/* --- what both classes share --- */

static void
clear_extent (gpointer data)
{
  Extent *extent = data;

  for (guint i = 0; i < ENTRY_N_FIXED; i++)
    g_clear_pointer (&extent->fixed[i], g_variant_unref);
}

static void
orrery_segmentation_base_finalize (GObject *object)
{
  OrrerySegmentationBase *self = SEGMENTATION (object);

  for (guint i = 0; i < ENTRY_N_ALL; i++)
    g_variant_unref (self->keys[i]);
  G_OBJECT_CLASS (orrery_segmentation_base_parent_class)->finalize (object);
}

static void
orrery_segmentation_base_class_init (OrrerySegmentationBaseClass *klass)
{
  OrreryPartClass *part_class = ORRERY_PART_CLASS (klass);

  camera_class_init (part_class, offsetof (OrrerySegmentationBase, camera), &defaults);
  camera_class_add_rays (part_class, offsetof (OrrerySegmentationBase, camera));
  G_OBJECT_CLASS (klass)->finalize = orrery_segmentation_base_finalize;
  part_class->setup = orrery_segmentation_base_setup;
  ORRERY_CLASS_OWNS (klass, OrrerySegmentationBase, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySegmentationBase, known, g_hash_table_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySegmentationBase, names, g_ptr_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySegmentationBase, extents, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySegmentationBase, seen, orrery_buffer_unref);
}

static void
orrery_segmentation_base_init (OrrerySegmentationBase *self)
{
  camera_init (&self->camera, ORRERY_PART (self));
  self->camera.can_use_rays = TRUE;
  self->names = g_ptr_array_new_with_free_func (g_free);
  self->known = g_hash_table_new (g_str_hash, g_str_equal);
  self->extents = g_array_new (FALSE, TRUE, sizeof (Extent));
  g_array_set_clear_func (self->extents, clear_extent);
  for (guint i = 0; i < ENTRY_N_ALL; i++)
    self->keys[i] = g_variant_ref_sink (g_variant_new_string (entry_names[i]));
}

/* --- SegmentationCamera: pictures of ids --- */

typedef OrrerySegmentationBase OrrerySegmentationCamera;
ORRERY_DEFINE_CLASS (OrrerySegmentationCamera, orrery_segmentation_camera, OrrerySegmentationBase,
                     orrery_segmentation_base)

static void
fill_ids (OrrerySegmentationBase *self, guint16 *instances, guint16 *classes)
{
  const gint32 *seen = orrery_buffer_get_data (self->seen);
  const Extent *extents = (const Extent *) (gconstpointer) self->extents->data;
  gsize n = (gsize) self->camera.width * (gsize) self->camera.height;

  for (gsize i = 0; i < n; i++) {
    instances[i] = (guint16) (seen[i] + 1);
    classes[i] = seen[i] >= 0 ? extents[seen[i]].class_id : CLASS_NOTHING;
  }
}

static void
orrery_segmentation_camera_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                  GError **error)
{
  OrrerySegmentationBase *self = SEGMENTATION (sensor);
  SegmentationData *out = orrery_record_data (record);
  const gsize shape[] = { (gsize) self->camera.height, (gsize) self->camera.width };

  if (!camera_begin (&self->camera, sensor, record, error))
    return;
  if (!camera_is_wanted (&self->camera, sensor, record)) {
    g_clear_pointer (&out->instances, orrery_buffer_unref);
    g_clear_pointer (&out->classes, orrery_buffer_unref);
    forget (&out->objects);
    return;
  }
  if (camera_get_buffer (&out->instances, ORRERY_ELEMENT_UINT16, 2, shape, error) == NULL ||
      camera_get_buffer (&out->classes, ORRERY_ELEMENT_UINT16, 2, shape, error) == NULL ||
      !take (self, tick, &out->objects, error))
    return;
  fill_ids (self, orrery_buffer_get_data (out->instances), orrery_buffer_get_data (out->classes));
  camera_end (&self->camera, sensor);
}

static void
orrery_segmentation_camera_limit (OrrerySensor *sensor, const OrreryField *field,
                                  OrreryFieldLimits *limits)
{
  if (field->offset == offsetof (SegmentationData, instances) ||
      field->offset == offsetof (SegmentationData, classes))
    *limits = (OrreryFieldLimits){ 0, G_MAXUINT16, CLASS_NOTHING, FALSE };
}

static void
orrery_segmentation_camera_class_init (OrrerySegmentationCameraClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_segmentation_camera_sense;
  ORRERY_SENSOR_CLASS (klass)->limit = orrery_segmentation_camera_limit;
  ORRERY_CLASS_SET_DATA (klass, SegmentationData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

/* --- BoundingBoxCamera: boxes alone --- */

typedef OrrerySegmentationBase OrreryBoundingBoxCamera;
ORRERY_DEFINE_CLASS (OrreryBoundingBoxCamera, orrery_bounding_box_camera, OrrerySegmentationBase,
                     orrery_segmentation_base)

static void
orrery_bounding_box_camera_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                  GError **error)
{
  OrrerySegmentationBase *self = SEGMENTATION (sensor);
  BoxesData *out = orrery_record_data (record);

  if (!camera_begin (&self->camera, sensor, record, error))
    return;
  if (!camera_is_wanted (&self->camera, sensor, record))
    forget (&out->objects);
  else if (take (self, tick, &out->objects, error))
    camera_end (&self->camera, sensor);
}

static void
orrery_bounding_box_camera_class_init (OrreryBoundingBoxCameraClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_bounding_box_camera_sense;
  ORRERY_CLASS_SET_DATA (klass, BoxesData, box_fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

ORRERY_PLUGIN ("Cameras that say which object each pixel sees", "BSD-3-Clause",
               ORRERY_CLASS (SegmentationCamera, OrrerySegmentationCamera,
                             orrery_segmentation_camera, .frequency = 20),
               ORRERY_CLASS (BoundingBoxCamera, OrreryBoundingBoxCamera, orrery_bounding_box_camera,
                             .frequency = 20))
