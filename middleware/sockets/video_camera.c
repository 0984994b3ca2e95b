/* SPDX-License-Identifier: BSD-3-Clause */
/* The codec of video cameras for sockets. */
#include "picture.h"

/*
 * A picture as a line of JSON: timestamp, height, width, image in base64, intrinsic_matrix. In
 * colour as the camera has it, or as one byte of grey for each pixel. While no picture is taken
 * nothing is sent.
 */
typedef struct {
  OrreryDatastream parent_instance;
  OrreryBuffer **image;
  const OrreryMat3 *matrix;
  OrreryBuffer *grey; /* scratch */
} OrreryVideoCameraPublisher;
ORRERY_DEFINE_CLASS (OrreryVideoCameraPublisher, orrery_video_camera_publisher, OrreryDatastream,
                     orrery_datastream)

#define PUBLISHER(instance) ((OrreryVideoCameraPublisher *) (gpointer) (instance))

static void
publisher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryVideoCameraPublisher *self = PUBLISHER (part);
  OrreryRecord *record = orrery_setup_get_record (setup);

  self->image = orrery_record_find (record, "image", ORRERY_FIELD_BUFFER);
  self->matrix = orrery_record_find (record, "intrinsic_matrix", ORRERY_FIELD_MAT3);
  if (self->image == NULL || self->matrix == NULL)
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "only records with an image and an intrinsic_matrix can be published as pictures");
}

static void
begin (OrreryVideoCameraPublisher *self, OrreryRecord *record, OrreryWriter *writer)
{
  picture_begin (writer, record);
  picture_add_int (writer, "height", (gint64) orrery_buffer_get_length (*self->image, 0));
  picture_add_int (writer, "width", (gint64) orrery_buffer_get_length (*self->image, 1));
}

static void
end (OrreryVideoCameraPublisher *self, OrreryWriter *writer)
{
  picture_add_matrix (writer, "intrinsic_matrix", self->matrix);
  picture_end (writer);
}

static void
encode_color (OrreryDatastream *stream, OrreryRecord *record, OrreryWriter *writer, GError **error)
{
  OrreryVideoCameraPublisher *self = PUBLISHER (stream);

  if (*self->image == NULL)
    return;
  begin (self, record, writer);
  picture_add_buffer (writer, "image", *self->image);
  end (self, writer);
}

static void
orrery_video_camera_publisher_finalize (GObject *object)
{
  g_clear_pointer (&PUBLISHER (object)->grey, orrery_buffer_unref);
  G_OBJECT_CLASS (orrery_video_camera_publisher_parent_class)->finalize (object);
}

static void
orrery_video_camera_publisher_class_init (OrreryVideoCameraPublisherClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_video_camera_publisher_finalize;
  ORRERY_PART_CLASS (klass)->setup = publisher_setup;
  ORRERY_DATASTREAM_CLASS (klass)->encode = encode_color;
}

/* --- grey --- */

typedef OrreryVideoCameraPublisher OrreryVideo8uPublisher;
ORRERY_DEFINE_CLASS (OrreryVideo8uPublisher, orrery_video8u_publisher, OrreryVideoCameraPublisher,
                     orrery_video_camera_publisher)

/* Luma of ITU-R BT.709. */
static void
make_grey (const guint8 *rgba, gsize n, guint8 *out)
{
  for (gsize i = 0; i < n; i++, rgba += 4)
    out[i] = (guint8) (0.2126 * rgba[0] + 0.7152 * rgba[1] + 0.0722 * rgba[2]);
}

static gboolean
is_rgba (OrreryBuffer *image)
{
  return orrery_buffer_get_n_dimensions (image) == 3 && orrery_buffer_get_length (image, 2) == 4;
}

static void
encode_grey (OrreryDatastream *stream, OrreryRecord *record, OrreryWriter *writer, GError **error)
{
  OrreryVideoCameraPublisher *self = PUBLISHER (stream);
  gsize n;

  if (*self->image == NULL)
    return;
  if (orrery_buffer_get_element (*self->image) != ORRERY_ELEMENT_UINT8) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "an image of distances has no colours to convert to grey: remove "
                      "retrieve_depth from the camera, or another publisher");
    return;
  }
  if (!is_rgba (*self->image)) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG,
                      "grey is made of an image of height x width x 4 bytes, red, green, blue and "
                      "alpha: this one has another shape");
    return;
  }
  n = orrery_buffer_get_size (*self->image) / 4;
  if (self->grey == NULL || orrery_buffer_get_size (self->grey) != n) {
    g_clear_pointer (&self->grey, orrery_buffer_unref);
    self->grey = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 1, &n);
  }
  if (self->grey == NULL)
    return;
  make_grey (orrery_buffer_get_data (*self->image), n, orrery_buffer_get_data (self->grey));
  begin (self, record, writer);
  picture_add_buffer (writer, "image", self->grey);
  end (self, writer);
}

static void
orrery_video8u_publisher_class_init (OrreryVideo8uPublisherClass *klass)
{
  ORRERY_DATASTREAM_CLASS (klass)->encode = encode_grey;
}

ORRERY_PLUGIN ("Pictures as lines of JSON", "BSD-3-Clause",
               ORRERY_CLASS (VideoCameraPublisher, OrreryVideoCameraPublisher,
                             orrery_video_camera_publisher, .direction = "OUT",
                             .aliases = ORRERY_ALIASES (
                                 { "socket", "orrery.sensors.video_camera.VideoCamera" })),
               ORRERY_CLASS (Video8uPublisher, OrreryVideo8uPublisher, orrery_video8u_publisher,
                             .direction = "OUT"))
