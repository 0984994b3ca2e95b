/* SPDX-License-Identifier: BSD-3-Clause */
/* The names and poses of the objects that a camera can see. */
#include "camera.h"

#include <math.h>
#include <string.h>

typedef struct {
  GVariant *visible_objects;
} SemanticCameraData;

static const OrreryField fields[] = {
  ORRERY_FIELD (SemanticCameraData, visible_objects, "",
                "For each object that is seen: name, description, type, position, orientation"),
};

typedef struct {
  OrreryObject *object; /* borrowed */
  const char *label;
  const char *description;
  const char *type;
  OrreryVec3 low; /* of a box around its shapes, in its own frame */
  OrreryVec3 high;
} Candidate;

/*
 * A camera that knows what it sees: objects of a type, or with a property, whose box is at least
 * partly in the view, and which, or a part of which, is the first solid thing on the way to its
 * middle. The own robot is looked through. Nothing is drawn for it. Which objects it looks for is
 * found at the start, and of what is added to the scene later, then.
 */
typedef struct {
  OrrerySensor parent_instance;
  Camera camera;
  gboolean relative;
  gboolean no_occlusion;
  char *tag;
  OrreryRaycaster *rays;
  OrreryObject *robot; /* its own, which is looked through */
  OrreryWorld *world;
  GArray *candidates; /* (element-type Candidate) */
  guint n_objects;    /* of which those are candidates */
  guint64 shapes;     /* serial of the shapes that they were measured with */
} OrrerySemanticCamera;
ORRERY_DEFINE_CLASS_WITH_INIT (OrrerySemanticCamera, orrery_semantic_camera, OrrerySensor,
                               orrery_sensor)

static const CameraDefaults defaults = { .near = 0.1, .far = 100, .flip = TRUE };

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (
      OrrerySemanticCamera, relative, "relative", FALSE,
      "Whether poses are in the camera's optical axes, not the world's: x right, y "
      "down, z forward"),
  ORRERY_PROPERTY_BOOLEAN (OrrerySemanticCamera, no_occlusion, "noocclusion", FALSE,
                           "Whether objects are seen through others"),
  ORRERY_PROPERTY_STRING (OrrerySemanticCamera, tag, "tag", "Object",
                          "Objects of this Type are looked for, and those with a property of this "
                          "name that is true",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* --- what it looks for --- */

static void
grow (Candidate *candidate, const OrreryTransform *pose, const OrreryVec3 *point)
{
  OrreryVec3 p;

  orrery_transform_apply (pose, point, &p);
  orrery_vec3_widen (&candidate->low, &candidate->high, &p);
}

static void
add_shape (Candidate *candidate, OrreryShape *shape)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryVec3 s = *orrery_shape_get_size (shape);

  for (gsize i = 0; points != NULL && i < orrery_buffer_get_length (points, 0); i++)
    grow (candidate, orrery_shape_get_pose (shape),
          &((const OrreryVec3 *) orrery_buffer_get_data (points))[i]);
  if (points != NULL)
    return;
  if (orrery_shape_get_kind (shape) != ORRERY_SHAPE_BOX)
    s.y = s.x;
  if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_SPHERE)
    s.z = s.x;
  if (orrery_shape_get_kind (shape) == ORRERY_SHAPE_CAPSULE)
    s.z += s.x;
  for (guint i = 0; i < 8; i++)
    grow (candidate, orrery_shape_get_pose (shape),
          &(OrreryVec3){ (i & 1) != 0 ? s.x : -s.x, (i & 2) != 0 ? s.y : -s.y,
                         (i & 4) != 0 ? s.z : -s.z });
}

/* The box around its shapes, in its own frame. */
static void
measure (Candidate *candidate)
{
  GPtrArray *shapes = orrery_object_get_shapes (candidate->object);

  candidate->low = (OrreryVec3){ INFINITY, INFINITY, INFINITY };
  candidate->high = (OrreryVec3){ -INFINITY, -INFINITY, -INFINITY };
  for (guint i = 0; i < shapes->len; i++)
    add_shape (candidate, shapes->pdata[i]);
  /* Without a shape it is a point. */
  if (candidate->low.x > candidate->high.x)
    candidate->low = candidate->high = (OrreryVec3){ 0 };
}

/* Objects may be scaled while the scene runs. */
static void
measure_all (OrrerySemanticCamera *self)
{
  guint64 shapes = orrery_world_get_shapes_serial (self->world);

  if (self->shapes == shapes)
    return;
  self->shapes = shapes;
  for (guint i = 0; i < self->candidates->len; i++)
    measure (&g_array_index (self->candidates, Candidate, i));
}

static void
add_candidate (OrrerySemanticCamera *self, OrreryObject *object)
{
  const char *type = orrery_object_get_text (object, "Type", "");
  Candidate candidate = {
    .object = object,
    .label = orrery_object_get_text (object, "Label", orrery_object_get_name (object)),
    .description = orrery_object_get_text (object, "Description", ""),
    .type = type,
  };

  if (strcmp (type, self->tag) != 0 && !orrery_object_is_set (object, self->tag))
    return;
  measure (&candidate);
  g_array_append_val (self->candidates, candidate);
}

/* Among the objects that are new since the last look, too. */
static void
look_again (OrrerySemanticCamera *self)
{
  guint n = orrery_world_get_n_objects (self->world);

  for (guint i = self->n_objects; i < n; i++)
    add_candidate (self, orrery_world_get_object (self->world, i));
  self->n_objects = n;
}

static void
see_nothing (SemanticCameraData *data)
{
  g_clear_pointer (&data->visible_objects, g_variant_unref);
  data->visible_objects =
      g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE ("a{sv}"), NULL, 0));
}

static void
orrery_semantic_camera_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrrerySemanticCamera *self = (OrrerySemanticCamera *) part;
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (part));
  SemanticCameraData *data = orrery_record_data (orrery_setup_get_record (setup));

  see_nothing (data);
  self->camera.with_rays = TRUE;
  if (!camera_set_up (&self->camera, setup, error))
    return;
  self->rays = self->camera.rays;
  self->robot = robot != NULL ? orrery_component_get_object (robot) : NULL;
  g_set_object (&self->world, orrery_setup_get_world (setup));
  g_array_set_size (self->candidates, 0);
  self->shapes = orrery_world_get_shapes_serial (self->world);
  self->n_objects = 0;
  look_again (self);
}

/* --- what it sees --- */

/* Whether all corners of the box lie beyond one side of the view; the box is moved with the
 * object, not turned. */
static gboolean
is_outside (const OrreryView *view, const OrreryTransform *back, const OrreryVec3 *at,
            const Candidate *candidate)
{
  guint beyond[6] = { 0 };

  for (guint i = 0; i < 8; i++) {
    OrreryVec3 p = { at->x + ((i & 1) != 0 ? candidate->high.x : candidate->low.x),
                     at->y + ((i & 2) != 0 ? candidate->high.y : candidate->low.y),
                     at->z + ((i & 4) != 0 ? candidate->high.z : candidate->low.z) };

    orrery_transform_apply (back, &p, &p);
    beyond[0] += p.x < view->near ? 1 : 0;
    beyond[1] += p.x > view->far ? 1 : 0;
    beyond[2] += p.y * view->focal > view->center_x * p.x ? 1 : 0;
    beyond[3] += -p.y * view->focal > (view->width - view->center_x) * p.x ? 1 : 0;
    beyond[4] += p.z * view->focal > view->center_y * p.x ? 1 : 0;
    beyond[5] += -p.z * view->focal > (view->height - view->center_y) * p.x ? 1 : 0;
  }
  for (guint i = 0; i < 6; i++)
    if (beyond[i] == 8)
      return TRUE;
  return FALSE;
}

/* The object itself or one of its parts is met first. */
static gboolean
is_clear (OrrerySemanticCamera *self, OrreryTick *tick, const Candidate *candidate,
          const OrreryVec3 *at, GError **error)
{
  GError *local = NULL;
  gint64 met = orrery_raycaster_find_between (self->rays, orrery_tick_get_snapshot (tick),
                                              &self->camera.view.pose.position, at,
                                              ORRERY_SIGHT_OUTSIDE, self->robot, &local);
  OrreryObject *object;

  if (local != NULL)
    g_propagate_error (error, local);
  if (met < 0)
    return FALSE;
  object = orrery_world_get_object (self->world, (guint) met);
  return object == candidate->object || orrery_object_get_parent (object) == candidate->object;
}

static GVariant *
describe (OrrerySemanticCamera *self, const Candidate *candidate, const OrreryTransform *pose)
{
  OrreryTransform shown = *pose;
  GVariantBuilder entry;
  GVariantBuilder turn;

  if (self->relative) {
    OrreryTransform optical = self->camera.view.pose;

    orrery_quat_multiply (&self->camera.view.pose.rotation, &camera_optical_axes,
                          &optical.rotation);
    orrery_transform_relative (&optical, pose, &shown);
  }
  orrery_quat_choose_sign (&shown.rotation);
  g_variant_builder_init (&turn, G_VARIANT_TYPE ("a{sd}"));
  g_variant_builder_add (&turn, "{sd}", "x", shown.rotation.x);
  g_variant_builder_add (&turn, "{sd}", "y", shown.rotation.y);
  g_variant_builder_add (&turn, "{sd}", "z", shown.rotation.z);
  g_variant_builder_add (&turn, "{sd}", "w", shown.rotation.w);
  g_variant_builder_init (&entry, G_VARIANT_TYPE ("a{sv}"));
  g_variant_builder_add (&entry, "{sv}", "name", g_variant_new_string (candidate->label));
  g_variant_builder_add (&entry, "{sv}", "description",
                         g_variant_new_string (candidate->description));
  g_variant_builder_add (&entry, "{sv}", "type", g_variant_new_string (candidate->type));
  g_variant_builder_add (&entry, "{sv}", "position",
                         g_variant_new ("(ddd)", shown.position.x, shown.position.y,
                                        shown.position.z));
  g_variant_builder_add (&entry, "{sv}", "orientation", g_variant_builder_end (&turn));
  return g_variant_builder_end (&entry);
}

static void
orrery_semantic_camera_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                              GError **error)
{
  OrrerySemanticCamera *self = (OrrerySemanticCamera *) sensor;
  SemanticCameraData *out = orrery_record_data (record);
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  OrreryTransform back;
  GVariantBuilder list;
  GError *local = NULL;

  if (!camera_begin (&self->camera, sensor, record, error))
    return;
  if (!camera_is_wanted (&self->camera, sensor, record)) {
    if (g_variant_n_children (out->visible_objects) > 0)
      see_nothing (out);
    return;
  }
  orrery_transform_invert (&self->camera.view.pose, &back);
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  if (self->n_objects != orrery_world_get_n_objects (self->world))
    look_again (self);
  measure_all (self);
  for (guint i = 0; i < self->candidates->len && local == NULL; i++) {
    const Candidate *candidate = &g_array_index (self->candidates, Candidate, i);
    const OrreryTransform *pose =
        orrery_snapshot_get_pose (snapshot, orrery_object_get_index (candidate->object));

    if (orrery_object_is_visible (candidate->object) &&
        !is_outside (&self->camera.view, &back, &pose->position, candidate) &&
        (self->no_occlusion || is_clear (self, tick, candidate, &pose->position, &local)))
      g_variant_builder_add_value (&list, describe (self, candidate, pose));
  }
  g_clear_pointer (&out->visible_objects, g_variant_unref);
  out->visible_objects = g_variant_ref_sink (g_variant_builder_end (&list));
  camera_end (&self->camera, sensor);
  if (local != NULL)
    g_propagate_error (error, local);
}

static void
orrery_semantic_camera_class_init (OrrerySemanticCameraClass *klass)
{
  camera_class_init (ORRERY_PART_CLASS (klass), offsetof (OrrerySemanticCamera, camera), &defaults);
  ORRERY_PART_CLASS (klass)->setup = orrery_semantic_camera_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_semantic_camera_sense;
  ORRERY_CLASS_SET_DATA (klass, SemanticCameraData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrrerySemanticCamera, candidates, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrrerySemanticCamera, world, g_object_unref);
}

static void
orrery_semantic_camera_init (OrrerySemanticCamera *self)
{
  camera_init (&self->camera, ORRERY_PART (self));
  self->camera.can_use_rays = TRUE;
  self->candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
}

ORRERY_PLUGIN ("A camera that knows what it sees", "BSD-3-Clause",
               ORRERY_CLASS (SemanticCamera, OrrerySemanticCamera, orrery_semantic_camera,
                             .frequency = 20))
