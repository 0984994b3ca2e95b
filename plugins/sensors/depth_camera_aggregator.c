/* SPDX-License-Identifier: BSD-3-Clause */
/* The points of several depth cameras as one cloud. */
#include "group.h"

#include <string.h>

typedef struct {
  OrreryBuffer *points;
  gint64 nb_points;
} AggregatorData;

static const OrreryField fields[] = {
  ORRERY_FIELD (AggregatorData, points, "m",
                "x to the right, y down, z forward of what the cameras see, for the master camera"),
  ORRERY_FIELD (AggregatorData, nb_points, "", "How many points there are"),
};

/*
 * The points of the depth cameras below it as one cloud, in the axes of one of them, the master:
 * the first, or the one that `master_camera` names. A cloud is there once every camera has one.
 */
typedef struct {
  OrrerySensor parent_instance;
  Group group;
  char *master_name;
  OrreryComponent *master;
  GPtrArray *clouds; /* (element-type OrreryBuffer*): where each camera has its points */
} OrreryDepthCameraAggregator;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryDepthCameraAggregator, orrery_depth_camera_aggregator,
                               OrrerySensor, orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryDepthCameraAggregator, master_name, "master_camera", "",
                          "The camera below it in whose axes the points are; empty: the first",
                          .flags = ORRERY_PROPERTY_AT_START),
};

/* By its full name, or by its own, which a preset knows. */
static OrreryComponent *
find_master (OrreryDepthCameraAggregator *self)
{
  if (*self->master_name == '\0')
    return self->group.cameras->pdata[0];
  for (guint i = 0; i < self->group.cameras->len; i++) {
    OrreryComponent *camera = self->group.cameras->pdata[i];
    OrreryObject *object = orrery_component_get_object (camera);

    if (strcmp (orrery_object_get_name (object), self->master_name) == 0 ||
        strcmp (orrery_object_get_basename (object), self->master_name) == 0)
      return camera;
  }
  return NULL;
}

static void
orrery_depth_camera_aggregator_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryDepthCameraAggregator *self = (OrreryDepthCameraAggregator *) part;

  group_set_up (&self->group, setup);
  g_ptr_array_set_size (self->clouds, 0);
  for (guint i = 0; i < self->group.cameras->len; i++) {
    OrreryComponent *camera = self->group.cameras->pdata[i];
    gpointer place =
        orrery_record_find (orrery_component_get_record (camera), "points", ORRERY_FIELD_BUFFER);

    if (place == NULL) {
      orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s below it gives no points",
                        orrery_part_get_name (ORRERY_PART (camera)));
      return;
    }
    g_ptr_array_add (self->clouds, place);
    orrery_setup_add_source (setup, camera);
  }
  self->master = self->group.cameras->len > 0 ? find_master (self) : NULL;
  if (self->master == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      self->group.cameras->len == 0
                          ? "it has no depth cameras below it"
                          : "'master_camera' is none of the cameras below it");
}

/* Optical axes are turned against those of a component: x right is its -y, y down its -z. */
static void
move_point (const OrreryTransform *pose, const float *from, float *to)
{
  OrreryVec3 p = { from[2], -from[0], -from[1] };

  orrery_transform_apply (pose, &p, &p);
  to[0] = (float) -p.y;
  to[1] = (float) -p.z;
  to[2] = (float) p.x;
}

static void
add_cloud (OrreryDepthCameraAggregator *self, guint index, float *out)
{
  OrreryBuffer *cloud = *(OrreryBuffer **) self->clouds->pdata[index];
  const float *points = orrery_buffer_get_data (cloud);
  gsize n = orrery_buffer_get_length (cloud, 0);
  OrreryTransform pose;

  orrery_transform_relative (orrery_component_get_pose (self->master),
                             orrery_component_get_pose (self->group.cameras->pdata[index]), &pose);
  for (gsize i = 0; i < n; i++) {
    gboolean nothing = points[3 * i] == 0 && points[3 * i + 1] == 0 && points[3 * i + 2] == 0;

    /* What a camera says of a pixel that sees nothing stays that. */
    if (nothing)
      memset (out + 3 * i, 0, 3 * sizeof *out);
    else
      move_point (&pose, points + 3 * i, out + 3 * i);
  }
}

static void
orrery_depth_camera_aggregator_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                                      GError **error)
{
  OrreryDepthCameraAggregator *self = (OrreryDepthCameraAggregator *) sensor;
  AggregatorData *out = orrery_record_data (record);
  gsize shape[2] = { 0, 3 };
  float *at;

  if (!orrery_component_is_wanted (ORRERY_COMPONENT (sensor))) {
    g_clear_pointer (&out->points, orrery_buffer_unref);
    out->nb_points = 0;
    orrery_record_hold (record);
    return;
  }
  for (guint i = 0; i < self->clouds->len; i++) {
    OrreryBuffer *cloud = *(OrreryBuffer **) self->clouds->pdata[i];

    if (cloud == NULL) {
      orrery_record_hold (record);
      return;
    }
    shape[0] += orrery_buffer_get_length (cloud, 0);
  }
  if (out->points == NULL || !orrery_buffer_is_writable (out->points) ||
      orrery_buffer_get_length (out->points, 0) != shape[0]) {
    g_clear_pointer (&out->points, orrery_buffer_unref);
    out->points = orrery_buffer_new (ORRERY_ELEMENT_FLOAT, 2, shape);
  }
  if (out->points == NULL) {
    orrery_set_error (error, ORRERY_ERROR_IO, "no memory for a cloud");
    return;
  }
  at = orrery_buffer_get_data (out->points);
  for (guint i = 0; i < self->clouds->len; i++) {
    add_cloud (self, i, at);
    at += 3 * orrery_buffer_get_length (*(OrreryBuffer **) self->clouds->pdata[i], 0);
  }
  out->nb_points = (gint64) shape[0];
}

static void
orrery_depth_camera_aggregator_class_init (OrreryDepthCameraAggregatorClass *klass)
{
  group_part_class_init (ORRERY_PART_CLASS (klass));
  ORRERY_PART_CLASS (klass)->setup = orrery_depth_camera_aggregator_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_depth_camera_aggregator_sense;
  ORRERY_CLASS_SET_DATA (klass, AggregatorData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS_IN_PLACE (klass, OrreryDepthCameraAggregator, group, group_clear);
  ORRERY_CLASS_OWNS (klass, OrreryDepthCameraAggregator, clouds, g_ptr_array_unref);
}

static void
orrery_depth_camera_aggregator_init (OrreryDepthCameraAggregator *self)
{
  group_init (&self->group, ORRERY_PART (self));
  self->clouds = g_ptr_array_new ();
}

ORRERY_PLUGIN ("The points of several depth cameras as one cloud", "BSD-3-Clause",
               ORRERY_CLASS (DepthCameraAggregator, OrreryDepthCameraAggregator,
                             orrery_depth_camera_aggregator))
