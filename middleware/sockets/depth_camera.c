/* SPDX-License-Identifier: BSD-3-Clause */
/* The codec of depth cameras for sockets. */
#include "picture.h"

/*
 * What a camera sees of distances as a line of JSON: timestamp, height, width, points in base64,
 * three float32 each, intrinsic_matrix. A camera that gives a picture of distances sends that, as
 * image; several cameras together have no matrix, and no height but that of the cloud. While no
 * picture is taken nothing is sent.
 */
typedef struct {
  OrreryDatastream parent_instance;
  OrreryBuffer **points;
  OrreryBuffer **image;
  const OrreryMat3 *matrix;
  gint64 height; /* of the picture; 0: it has none */
  gint64 width;
} OrreryDepthCameraPublisher;
ORRERY_DEFINE_CLASS (OrreryDepthCameraPublisher, orrery_depth_camera_publisher, OrreryDatastream,
                     orrery_datastream)

static gint64
get_option (OrreryComponent *component, const char *name)
{
  g_autoptr (GVariant) value = orrery_part_get_option (ORRERY_PART (component), name);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)
             ? g_variant_get_int64 (value)
             : 0;
}

static void
orrery_depth_camera_publisher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryDepthCameraPublisher *self = (OrreryDepthCameraPublisher *) part;
  OrreryRecord *record = orrery_setup_get_record (setup);
  OrreryComponent *component = orrery_setup_get_component (setup);

  self->points = orrery_record_find (record, "points", ORRERY_FIELD_BUFFER);
  self->image = orrery_record_find (record, "image", ORRERY_FIELD_BUFFER);
  self->matrix = orrery_record_find (record, "intrinsic_matrix", ORRERY_FIELD_MAT3);
  self->height = get_option (component, "cam_height");
  self->width = get_option (component, "cam_width");
  if (self->points == NULL && self->image == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "only records with points or an image can be published as distances");
}

static void
orrery_depth_camera_publisher_encode (OrreryDatastream *stream, OrreryRecord *record,
                                      OrreryWriter *writer, GError **error)
{
  OrreryDepthCameraPublisher *self = (OrreryDepthCameraPublisher *) stream;
  OrreryBuffer *buffer = self->points != NULL ? *self->points : *self->image;

  if (buffer == NULL)
    return;
  picture_begin (writer, record);
  picture_add_int (writer, "height", self->height > 0 ? self->height : 1);
  picture_add_int (writer, "width",
                   self->width > 0 ? self->width : (gint64) orrery_buffer_get_length (buffer, 0));
  picture_add_buffer (writer, self->points != NULL ? "points" : "image", buffer);
  if (self->matrix != NULL)
    picture_add_matrix (writer, "intrinsic_matrix", self->matrix);
  picture_end (writer);
}

static void
orrery_depth_camera_publisher_class_init (OrreryDepthCameraPublisherClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_depth_camera_publisher_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = orrery_depth_camera_publisher_encode;
}

ORRERY_PLUGIN (
    "Distances as lines of JSON", "BSD-3-Clause",
    ORRERY_CLASS (DepthCameraPublisher, OrreryDepthCameraPublisher, orrery_depth_camera_publisher,
                  .direction = "OUT",
                  .aliases = ORRERY_ALIASES (
                      { "socket", "orrery.sensors.depth_camera.DepthCamera" },
                      { "socket", "orrery.sensors.depth_camera.DepthCameraRotationZ" },
                      { "socket", "orrery.sensors.depth_camera.DepthVideoCamera" },
                      { "socket",
                        "orrery.sensors.depth_camera_aggregator.DepthCameraAggregator" })))
