/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of the kinds that Foxglove draws, of the records of sensors. */
#include "recorder-foxglove.h"

#include "recorder-pack.h"
#include "recorder-picture.h"

#include <math.h>
#include <string.h>

#define DEGREE (G_PI / 180)

#define NUMBER "{\"type\":\"number\"}"
#define INTEGER "{\"type\":\"integer\"}"
#define TEXT "{\"type\":\"string\"}"
#define NUMBERS "{\"type\":\"array\",\"items\":{\"type\":\"number\"}}"
#define BYTES "{\"type\":\"string\",\"contentEncoding\":\"base64\"}"
#define BEGIN(title)                                                                               \
  "{\"title\":\"" title "\",\"type\":\"object\",\"properties\":{\"timestamp\":{"                   \
  "\"type\":\"object\",\"title\":\"time\",\"properties\":{\"sec\":" INTEGER ",\"nsec\":" INTEGER   \
  "}},\"frame_id\":" TEXT ","
#define POSE                                                                                       \
  "\"pose\":{\"type\":\"object\",\"title\":\"foxglove.Pose\",\"properties\":{"                     \
  "\"position\":{\"type\":\"object\",\"title\":\"foxglove.Vector3\",\"properties\":{"              \
  "\"x\":" NUMBER ",\"y\":" NUMBER ",\"z\":" NUMBER "}},"                                          \
  "\"orientation\":{\"type\":\"object\",\"title\":\"foxglove.Quaternion\",\"properties\":{"        \
  "\"x\":" NUMBER ",\"y\":" NUMBER ",\"z\":" NUMBER ",\"w\":" NUMBER "}}}}"

typedef gboolean (*EncodeFunc) (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time);

typedef struct {
  const char *name; /* of the schema */
  const char *schema;
  EncodeFunc encode; /* FALSE: there is nothing to draw */
  const char *field; /* of which it is made; NULL: of several */
  const char *large; /* field of the message with much in it; NULL: none */
} Drawing;

struct _RecorderDrawn {
  RecorderDrawn *next; /* (nullable): what else is drawn of the same record */
  const Drawing *drawing;
  RecorderPack *pack; /* (nullable): in CDR; what is large is then left out of the text: */
  gconstpointer large;
  gsize n_large; /* elements */
  char *topic, *frame;
  const char *format;              /* (nullable): pictures that can be are compressed */
  const OrreryRecordingForm *form; /* borrowed: the digits of a scan */
  double start, step;              /* of a scan, rad */
  OrreryQuat turn;                 /* of what is drawn, in the frame */
  OrreryWriter *out;
  GByteArray *bytes;
  guint16 channel;
};

/* --- pieces --- */

static void
append_number (RecorderDrawn *drawn, const char *key, double value)
{
  orrery_writer_append_text (drawn->out, key);
  orrery_writer_append_json_double (drawn->out, value);
}

static void
begin (RecorderDrawn *drawn, const char *frame, OrreryTime time)
{
  orrery_writer_clear (drawn->out);
  orrery_writer_append_text (drawn->out, "{\"timestamp\":{\"sec\":");
  orrery_writer_append_int (drawn->out, time / ORRERY_SECOND);
  orrery_writer_append_text (drawn->out, drawn->pack != NULL ? ",\"nanosec\":" : ",\"nsec\":");
  orrery_writer_append_int (drawn->out, time % ORRERY_SECOND);
  orrery_writer_append_text (drawn->out, "},\"frame_id\":");
  orrery_writer_append_json_text (drawn->out, frame);
}

static void
append_pose (RecorderDrawn *drawn, const OrreryVec3 *at, const OrreryQuat *turn)
{
  append_number (drawn, ",\"pose\":{\"position\":{\"x\":", at->x);
  append_number (drawn, ",\"y\":", at->y);
  append_number (drawn, ",\"z\":", at->z);
  append_number (drawn, "},\"orientation\":{\"x\":", turn->x);
  append_number (drawn, ",\"y\":", turn->y);
  append_number (drawn, ",\"z\":", turn->z);
  append_number (drawn, ",\"w\":", turn->w);
  orrery_writer_append_text (drawn->out, "}}");
}

static void
append_bytes (RecorderDrawn *drawn, gconstpointer data, gsize size)
{
  g_autofree char *text = drawn->pack == NULL ? g_base64_encode (data, size) : NULL;

  if (drawn->pack != NULL) {
    drawn->large = data;
    drawn->n_large = size;
  } else {
    orrery_writer_append_text (drawn->out, ",\"data\":\"");
    orrery_writer_append_text (drawn->out, text);
    orrery_writer_append_text (drawn->out, "\"");
  }
  orrery_writer_append_char (drawn->out, '}');
}

/* --- a pose in the world --- */

static gboolean
encode_pose (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  const OrreryVec3 at = { orrery_record_get_double (record, "x"),
                          orrery_record_get_double (record, "y"),
                          orrery_record_get_double (record, "z") };
  OrreryQuat turn;

  orrery_quat_from_euler (orrery_record_get_double (record, "roll"),
                          orrery_record_get_double (record, "pitch"),
                          orrery_record_get_double (record, "yaw"), &turn);
  begin (drawn, "world", time);
  append_pose (drawn, &at, &turn);
  orrery_writer_append_char (drawn->out, '}');
  return TRUE;
}

/* --- a place on the Earth --- */

static gboolean
encode_fix (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  begin (drawn, drawn->frame, time);
  append_number (drawn, ",\"latitude\":", orrery_record_get_double (record, "latitude"));
  append_number (drawn, ",\"longitude\":", orrery_record_get_double (record, "longitude"));
  append_number (drawn, ",\"altitude\":", orrery_record_get_double (record, "altitude"));
  orrery_writer_append_text (drawn->out, ",\"position_covariance\":[0,0,0,0,0,0,0,0,0],"
                                         "\"position_covariance_type\":0}");
  return TRUE;
}

/* --- a scan --- */

static gboolean
encode_scan (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  const OrreryVec3 origin = { 0, 0, 0 };
  g_autoptr (OrreryBuffer) ranges = orrery_record_get_buffer (record, drawn->drawing->field);
  const double *values = ranges != NULL ? orrery_buffer_get_data (ranges) : NULL;
  gsize n = ranges != NULL ? orrery_buffer_get_length (ranges, 0) : 0;

  if (n == 0)
    return FALSE;
  begin (drawn, drawn->frame, time);
  append_pose (drawn, &origin, &drawn->turn);
  append_number (drawn, ",\"start_angle\":", drawn->start);
  append_number (drawn, ",\"end_angle\":", drawn->start + (double) (n - 1) * drawn->step);
  drawn->large = values;
  drawn->n_large = n;
  if (drawn->pack == NULL) {
    orrery_writer_append_text (drawn->out, ",\"ranges\":");
    orrery_recording_form_write_field (drawn->form, record, drawn->drawing->field, drawn->out);
    orrery_writer_append_text (drawn->out, ",\"intensities\":[]");
  }
  orrery_writer_append_char (drawn->out, '}');
  return TRUE;
}

/* --- a cloud of points --- */

static gboolean
append_coordinates (RecorderDrawn *drawn, OrreryBuffer *points)
{
  OrreryElement element = orrery_buffer_get_element (points);
  gsize n = orrery_buffer_get_size (points) / orrery_element_get_size (element);
  const void *data = orrery_buffer_get_data (points);
  float *to;

  if (element == ORRERY_ELEMENT_FLOAT) {
    append_bytes (drawn, data, orrery_buffer_get_size (points));
    return TRUE;
  }
  g_byte_array_set_size (drawn->bytes, (guint) (n * sizeof *to));
  to = (float *) (gpointer) drawn->bytes->data;
  for (gsize i = 0; i < n; i++)
    to[i] = (float) ((const double *) data)[i];
  append_bytes (drawn, to, n * sizeof *to);
  return TRUE;
}

/* Three numbers of a kind that can be drawn in each row. */
static gboolean
is_cloud (OrreryBuffer *points)
{
  guint n = orrery_buffer_get_n_dimensions (points);
  OrreryElement element = orrery_buffer_get_element (points);

  return n >= 2 && orrery_buffer_get_length (points, n - 1) == 3 &&
         (element == ORRERY_ELEMENT_FLOAT || element == ORRERY_ELEMENT_DOUBLE) &&
         orrery_buffer_get_size (points) / orrery_element_get_size (element) <=
             G_MAXUINT / sizeof (float);
}

static gboolean
encode_cloud (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  const OrreryVec3 origin = { 0, 0, 0 };
  g_autoptr (OrreryBuffer) points = orrery_record_get_buffer (record, drawn->drawing->field);

  if (points == NULL || !is_cloud (points))
    return FALSE;
  begin (drawn, drawn->frame, time);
  append_pose (drawn, &origin, &drawn->turn);
  /* 7: float32 */
  orrery_writer_append_text (drawn->out, ",\"point_stride\":12,\"fields\":["
                                         "{\"name\":\"x\",\"offset\":0,\"type\":7},"
                                         "{\"name\":\"y\",\"offset\":4,\"type\":7},"
                                         "{\"name\":\"z\",\"offset\":8,\"type\":7}]");
  return append_coordinates (drawn, points);
}

/* --- a picture --- */

/* Returns: (nullable): as Foxglove names it */
static const char *
find_encoding (OrreryBuffer *image)
{
  static const struct {
    OrreryElement element;
    gsize n_channels;
    const char *name;
  } encodings[] = {
    { ORRERY_ELEMENT_UINT8, 4, "rgba8" }, { ORRERY_ELEMENT_UINT8, 3, "rgb8" },
    { ORRERY_ELEMENT_UINT8, 1, "mono8" }, { ORRERY_ELEMENT_UINT16, 1, "mono16" },
    { ORRERY_ELEMENT_FLOAT, 1, "32FC1" },
  };
  guint n = orrery_buffer_get_n_dimensions (image);
  gsize n_channels = n == 3 ? orrery_buffer_get_length (image, 2) : 1;

  for (guint i = 0; (n == 2 || n == 3) && i < G_N_ELEMENTS (encodings); i++)
    if (encodings[i].element == orrery_buffer_get_element (image) &&
        encodings[i].n_channels == n_channels)
      return encodings[i].name;
  return NULL;
}

/* Bytes of a pixel; 0: it cannot be compressed. */
static gsize
count_channels (OrreryBuffer *image)
{
  const char *encoding = find_encoding (image);

  if (encoding == NULL || orrery_buffer_get_element (image) != ORRERY_ELEMENT_UINT8)
    return 0;
  return orrery_buffer_get_n_dimensions (image) == 3 ? orrery_buffer_get_length (image, 2) : 1;
}

static gboolean
encode_compressed (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  g_autoptr (OrreryBuffer) image = orrery_record_get_buffer (record, drawn->drawing->field);
  gsize n_channels = image != NULL ? count_channels (image) : 0;

  if (n_channels == 0 || orrery_buffer_get_size (image) == 0 ||
      !recorder_picture_write (orrery_buffer_get_data (image), orrery_buffer_get_length (image, 1),
                               orrery_buffer_get_length (image, 0), n_channels, drawn->format,
                               drawn->bytes))
    return FALSE;
  begin (drawn, drawn->frame, time);
  orrery_writer_append_text (drawn->out, ",\"format\":");
  orrery_writer_append_json_text (drawn->out, drawn->format);
  append_bytes (drawn, drawn->bytes->data, drawn->bytes->len);
  return TRUE;
}

static gboolean
encode_image (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  g_autoptr (OrreryBuffer) image = orrery_record_get_buffer (record, drawn->drawing->field);
  const char *encoding = image != NULL ? find_encoding (image) : NULL;
  gsize height;

  if (encoding == NULL || orrery_buffer_get_size (image) == 0 ||
      (drawn->format != NULL && count_channels (image) > 0))
    return FALSE;
  height = orrery_buffer_get_length (image, 0);
  begin (drawn, drawn->frame, time);
  orrery_writer_append_text (drawn->out, ",\"width\":");
  orrery_writer_append_int (drawn->out, (gint64) orrery_buffer_get_length (image, 1));
  orrery_writer_append_text (drawn->out, ",\"height\":");
  orrery_writer_append_int (drawn->out, (gint64) height);
  orrery_writer_append_text (drawn->out, ",\"encoding\":");
  orrery_writer_append_json_text (drawn->out, encoding);
  orrery_writer_append_text (drawn->out, ",\"step\":");
  orrery_writer_append_int (drawn->out, (gint64) (orrery_buffer_get_size (image) / height));
  append_bytes (drawn, orrery_buffer_get_data (image), orrery_buffer_get_size (image));
  return TRUE;
}

/* --- the lens of a camera --- */

static void
append_row (RecorderDrawn *drawn, const double *row, const char *end)
{
  for (guint i = 0; i < 3; i++) {
    orrery_writer_append_json_double (drawn->out, row[i]);
    orrery_writer_append_text (drawn->out, i < 2 ? "," : end);
  }
}

/* There is no distortion, and the picture is that of the camera itself. */
static gboolean
encode_calibration (RecorderDrawn *drawn, OrreryRecord *record, OrreryTime time)
{
  const OrreryMat3 *matrix = orrery_record_find (record, "intrinsic_matrix", ORRERY_FIELD_MAT3);
  g_autoptr (OrreryBuffer) image = orrery_record_get_buffer (record, drawn->drawing->field);

  if (matrix == NULL || image == NULL || orrery_buffer_get_size (image) == 0)
    return FALSE;
  begin (drawn, drawn->frame, time);
  orrery_writer_append_text (drawn->out, ",\"width\":");
  orrery_writer_append_int (drawn->out, (gint64) orrery_buffer_get_length (image, 1));
  orrery_writer_append_text (drawn->out, ",\"height\":");
  orrery_writer_append_int (drawn->out, (gint64) orrery_buffer_get_length (image, 0));
  orrery_writer_append_text (drawn->out,
                             ",\"distortion_model\":\"plumb_bob\",\"D\":[0,0,0,0,0],\"K\":[");
  for (guint i = 0; i < 3; i++)
    append_row (drawn, matrix->m + 3 * i, i < 2 ? "," : "]");
  orrery_writer_append_text (drawn->out, ",\"R\":[1,0,0,0,1,0,0,0,1],\"P\":[");
  for (guint i = 0; i < 3; i++)
    append_row (drawn, matrix->m + 3 * i, i < 2 ? ",0," : ",0]}");
  return TRUE;
}

/* --- which one --- */

static const char cloud_schema[] = BEGIN ("foxglove.PointCloud") POSE
    ",\"point_stride\":" INTEGER ",\"fields\":{\"type\":\"array\",\"items\":{\"type\":\"object\","
    "\"title\":\"foxglove.PackedElementField\",\"properties\":{\"name\":" TEXT
    ",\"offset\":" INTEGER ",\"type\":" INTEGER "}}},\"data\":" BYTES "}}";

static const Drawing pose = { "foxglove.PoseInFrame", BEGIN ("foxglove.PoseInFrame") POSE "}}",
                              encode_pose, NULL, NULL };
static const Drawing fix = {
  "foxglove.LocationFix",
  BEGIN ("foxglove.LocationFix") "\"latitude\":" NUMBER ",\"longitude\":" NUMBER
                                 ",\"altitude\":" NUMBER ",\"position_covariance\":" NUMBERS
                                 ",\"position_covariance_type\":" INTEGER "}}",
  encode_fix, NULL, NULL
};
static const Drawing scan = { "foxglove.LaserScan",
                              BEGIN ("foxglove.LaserScan") POSE
                              ",\"start_angle\":" NUMBER ",\"end_angle\":" NUMBER
                              ",\"ranges\":" NUMBERS ",\"intensities\":" NUMBERS "}}",
                              encode_scan, "range_list", "ranges" };
static const Drawing cloud = { "foxglove.PointCloud", cloud_schema, encode_cloud, "point_list",
                               "data" };
static const Drawing depth = { "foxglove.PointCloud", cloud_schema, encode_cloud, "points",
                               "data" };
static const Drawing picture = {
  "foxglove.RawImage",
  BEGIN ("foxglove.RawImage") "\"width\":" INTEGER ",\"height\":" INTEGER ",\"encoding\":" TEXT
                              ",\"step\":" INTEGER ",\"data\":" BYTES "}}",
  encode_image, "image", "data"
};
static const Drawing compressed = { "foxglove.CompressedImage",
                                    BEGIN ("foxglove.CompressedImage") "\"data\":" BYTES
                                                                       ",\"format\":" TEXT "}}",
                                    encode_compressed, "image", "data" };
static const Drawing calibration = {
  "foxglove.CameraCalibration",
  BEGIN ("foxglove.CameraCalibration") "\"width\":" INTEGER ",\"height\":" INTEGER
                                       ",\"distortion_model\":" TEXT ",\"D\":" NUMBERS
                                       ",\"K\":" NUMBERS ",\"R\":" NUMBERS ",\"P\":" NUMBERS "}}",
  encode_calibration, "image", NULL
};

static gboolean
has (OrreryRecord *record, OrreryFieldType type, const char *const *names)
{
  for (; *names != NULL; names++)
    if (orrery_record_find (record, *names, type) == NULL)
      return FALSE;
  return TRUE;
}

static gboolean
has_one (OrreryRecord *record, OrreryFieldType type, const char *name)
{
  const char *const names[] = { name, NULL };

  return has (record, type, names);
}

/* NAN: it has none of that name */
static double
get_property (OrreryComponent *component, const char *name)
{
  g_auto (GValue) value = G_VALUE_INIT, number = G_VALUE_INIT;
  GParamSpec *pspec = g_object_class_find_property (G_OBJECT_GET_CLASS (component), name);

  g_value_init (&number, G_TYPE_DOUBLE);
  if (pspec == NULL || (pspec->flags & G_PARAM_READABLE) == 0 ||
      !g_value_type_transformable (pspec->value_type, G_TYPE_DOUBLE))
    return NAN;
  g_value_init (&value, pspec->value_type);
  g_object_get_property (G_OBJECT (component), name, &value);
  return g_value_transform (&value, &number) ? g_value_get_double (&number) : NAN;
}

/* One fan of rays, whose angles its properties tell. */
static gboolean
read_fan (RecorderDrawn *drawn, OrreryComponent *component)
{
  double window = get_property (component, "scan_window");
  double angles[3];
  static const char *const names[] = { "arc_roll", "arc_pitch", "arc_yaw" };

  drawn->step = get_property (component, "resolution") * DEGREE;
  drawn->start = -window / 2 * DEGREE;
  for (guint i = 0; i < 3; i++) {
    double angle = get_property (component, names[i]);

    angles[i] = isnan (angle) ? 0 : angle * DEGREE;
  }
  orrery_quat_from_euler (angles[0], angles[1], angles[2], &drawn->turn);
  return isfinite (drawn->start) && isfinite (drawn->step) &&
         !(get_property (component, "layers") > 1);
}

static const Drawing *
find_drawing (RecorderDrawn *drawn, OrreryComponent *component, OrreryRecord *record)
{
  static const char *const poses[] = { "x", "y", "z", "yaw", "pitch", "roll", NULL };
  static const char *const places[] = { "latitude", "longitude", "altitude", NULL };
  /* From optical axes, z ahead and y down, to those of the camera, x ahead and z up */
  const OrreryQuat optical = { .x = -0.5, .y = 0.5, .z = -0.5, .w = 0.5 };

  if (has_one (record, ORRERY_FIELD_ARRAY, "range_list") && read_fan (drawn, component))
    return &scan;
  drawn->turn = (OrreryQuat){ .w = 1 };
  if (has_one (record, ORRERY_FIELD_POINTS, "point_list"))
    return &cloud;
  if (has_one (record, ORRERY_FIELD_BUFFER, "points")) {
    drawn->turn = optical;
    return &depth;
  }
  if (has_one (record, ORRERY_FIELD_BUFFER, "image"))
    return &picture;
  if (has (record, ORRERY_FIELD_DOUBLE, places))
    return &fix;
  /* With velocities it is odometry, from where the robot began. */
  if (has (record, ORRERY_FIELD_DOUBLE, poses) && !has_one (record, ORRERY_FIELD_DOUBLE, "vx"))
    return &pose;
  return NULL;
}

static RecorderDrawn *
drawn_new (OrreryComponent *component, const Drawing *drawing, const char *part,
           const RecorderDrawnKind *kind)
{
  RecorderDrawn *drawn = g_new0 (RecorderDrawn, 1);
  g_autofree char *path = NULL;

  drawn->drawing = drawing;
  drawn->frame = g_strdup (orrery_part_get_name (ORRERY_PART (component)));
  path = g_strdelimit (g_strdup (drawn->frame), ".", '/');
  drawn->topic = g_strconcat ("/orrery/foxglove/", path, part, NULL);
  drawn->out = orrery_writer_new ();
  drawn->bytes = g_byte_array_new ();
  drawn->format = kind->format;
  drawn->form = kind->form;
  if (kind->packed && drawing->large != NULL)
    drawn->pack = recorder_pack_new (drawing->name, NULL);
  return drawn;
}

gboolean
recorder_drawn_check (const RecorderDrawnKind *kind, GError **error)
{
  static const Drawing *const all[] = { &scan, &cloud, &picture, &compressed };

  for (guint i = 0; kind->packed && i < G_N_ELEMENTS (all); i++) {
    RecorderPack *pack = recorder_pack_new (all[i]->name, error);

    if (pack == NULL)
      return FALSE;
    recorder_pack_free (pack);
  }
  return kind->format == NULL || recorder_picture_check (kind->format, error);
}

/* Another one of the same record. */
static RecorderDrawn *
add_drawn (RecorderDrawn *drawn, OrreryComponent *component, const Drawing *drawing,
           const char *part, const RecorderDrawnKind *kind)
{
  RecorderDrawn *more = drawn_new (component, drawing, part, kind);

  more->next = drawn;
  return more;
}

RecorderDrawn *
recorder_drawn_new (OrreryComponent *component, const RecorderDrawnKind *kind)
{
  OrreryRecord *record = orrery_component_get_record (component);
  RecorderDrawn found = { 0 }, *drawn;
  const Drawing *drawing =
      ORRERY_IS_SENSOR (component) ? find_drawing (&found, component, record) : NULL;

  if (drawing == NULL)
    return NULL;
  drawn = drawn_new (component, drawing, "", kind);
  drawn->start = found.start;
  drawn->step = found.step;
  drawn->turn = found.turn;
  if (drawing == &picture && kind->format != NULL)
    drawn = add_drawn (drawn, component, &compressed, "/compressed", kind);
  if (drawing == &picture && has_one (record, ORRERY_FIELD_MAT3, "intrinsic_matrix"))
    drawn = add_drawn (drawn, component, &calibration, "/calibration", kind);
  return drawn;
}

void
recorder_drawn_free (RecorderDrawn *drawn)
{
  g_clear_pointer (&drawn->next, recorder_drawn_free);
  g_clear_pointer (&drawn->pack, recorder_pack_free);
  g_free (drawn->topic);
  g_free (drawn->frame);
  orrery_writer_unref (drawn->out);
  g_byte_array_unref (drawn->bytes);
  g_free (drawn);
}

gboolean
recorder_drawn_enter (RecorderDrawn *drawn, OrreryRecordingWriter *writer, GError **error)
{
  const RecorderPack *pack = drawn->pack;
  const char *schema = pack != NULL ? recorder_pack_get_schema (pack) : drawn->drawing->schema;
  guint16 id = orrery_recording_writer_add_schema (writer,
                                                   pack != NULL ? recorder_pack_get_name (pack)
                                                                : drawn->drawing->name,
                                                   pack != NULL ? "ros2msg" : "jsonschema", schema,
                                                   strlen (schema), error);

  if (id == 0)
    return FALSE;
  drawn->channel = orrery_recording_writer_add_channel (writer, id, drawn->topic,
                                                        pack != NULL ? "cdr" : "json", NULL, error);
  return drawn->channel != 0 &&
         (drawn->next == NULL || recorder_drawn_enter (drawn->next, writer, error));
}

gboolean
recorder_drawn_write (RecorderDrawn *drawn, RecorderSink *sink, OrreryRecord *record,
                      OrreryTime time, guint64 *n, GError **error)
{
  const char *data;
  gsize length;

  if (drawn->next != NULL && !recorder_drawn_write (drawn->next, sink, record, time, n, error))
    return FALSE;
  if (!drawn->drawing->encode (drawn, record, time))
    return TRUE;
  if (drawn->pack != NULL)
    data = recorder_pack_make (drawn->pack, drawn->out, drawn->drawing->large, drawn->large,
                               drawn->n_large, &length, error);
  else
    data = orrery_writer_get_data (drawn->out, &length);
  if (data == NULL || !recorder_sink_write (sink, &drawn->channel, time, data, length, error))
    return FALSE;
  *n += 1;
  return TRUE;
}
