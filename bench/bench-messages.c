/* SPDX-License-Identifier: BSD-3-Clause */
#include "message/orrery-message-catalogue.h"
#include "message/orrery-message-encoding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Messages as bytes and back, in all encodings, beside code that is written by hand for ROS 1 and
 * CDR: a copy of each field that is known to the compiler. */

#define REPETITIONS 15
/* Bytes of the messages that make a measurement. */
#define BYTES_AT_ONCE (4 * 1024 * 1024)
/* Odometry and a transform of each in every tick. */
#define ROBOTS 100
#define TICKS 60
#define RANGES 1081
#define POINTS_BYTES (16 * 20000)
#define IMAGE_BYTES (640 * 480 * 3)

typedef struct _Bench Bench;

typedef struct {
  const char *name;
  const char *type;
  void (*fill) (Bench *bench);
  void (*write) (OrreryWriter *writer, gconstpointer message, gboolean cdr); /* by hand */
} Case;

struct _Bench {
  const Case *what;
  const OrreryMessageType *type;
  gpointer message;
  gpointer read;
  OrreryWriter *writer;
  OrreryMessageEncoding encoding;
  const char *bytes;
  gsize length;
};

static volatile gsize sink;

/* --- by hand --- */

typedef struct {
  gint32 stamp[2];
  OrreryMessageText frame_id;
} Header;

typedef struct {
  Header header;
  OrreryMessageText child_frame_id;
  double numbers[43 + 42]; /* pose and twist with their covariances */
} Odometry;

typedef struct {
  Header header;
  float numbers[7];
  OrreryMessageArray ranges;
  OrreryMessageArray intensities;
} LaserScan;

typedef struct {
  OrreryMessageText name;
  guint32 offset;
  guint8 datatype;
  guint32 count;
} PointField;

typedef struct {
  Header header;
  guint32 size[2];
  OrreryMessageArray fields;
  guint8 is_bigendian;
  guint32 steps[2];
  OrreryMessageArray data;
  guint8 is_dense;
} PointCloud2;

typedef struct {
  Header header;
  guint32 size[2];
  OrreryMessageText encoding;
  guint8 is_bigendian;
  guint32 step;
  OrreryMessageArray data;
} Image;

/* A message of its own in the writer, so that CDR begins at 4. */
static inline void
put (OrreryWriter *writer, gboolean cdr, gconstpointer data, gsize size, gsize n)
{
  gsize length;

  orrery_writer_get_data (writer, &length);
  if (cdr && (length - 4) % size > 0)
    orrery_writer_append (writer, "\0\0\0\0\0\0\0", size - (length - 4) % size);
  orrery_writer_append (writer, data, size * n);
}

static inline void
put_text (OrreryWriter *writer, gboolean cdr, const OrreryMessageText *text)
{
  guint32 length = (guint32) (text->length + (cdr ? 1 : 0));

  put (writer, cdr, &length, 4, 1);
  orrery_writer_append (writer, text->data, text->length);
  if (cdr)
    orrery_writer_append_char (writer, '\0');
}

static inline void
put_array (OrreryWriter *writer, gboolean cdr, const OrreryMessageArray *array, gsize size)
{
  guint32 n = (guint32) array->length;

  put (writer, cdr, &n, 4, 1);
  if (n > 0)
    put (writer, cdr, array->data, size, n);
}

static inline void
put_header (OrreryWriter *writer, gboolean cdr, const Header *header)
{
  if (cdr)
    orrery_writer_append (writer, "\0\1\0\0", 4);
  put (writer, cdr, header->stamp, 4, 2);
  put_text (writer, cdr, &header->frame_id);
}

static void
write_odometry (OrreryWriter *writer, gconstpointer message, gboolean cdr)
{
  const Odometry *odometry = message;

  put_header (writer, cdr, &odometry->header);
  put_text (writer, cdr, &odometry->child_frame_id);
  put (writer, cdr, odometry->numbers, 8, G_N_ELEMENTS (odometry->numbers));
}

static void
write_laser_scan (OrreryWriter *writer, gconstpointer message, gboolean cdr)
{
  const LaserScan *scan = message;

  put_header (writer, cdr, &scan->header);
  put (writer, cdr, scan->numbers, 4, G_N_ELEMENTS (scan->numbers));
  put_array (writer, cdr, &scan->ranges, 4);
  put_array (writer, cdr, &scan->intensities, 4);
}

static void
write_point_cloud (OrreryWriter *writer, gconstpointer message, gboolean cdr)
{
  const PointCloud2 *cloud = message;
  const PointField *fields = cloud->fields.data;
  guint32 n = (guint32) cloud->fields.length;

  put_header (writer, cdr, &cloud->header);
  put (writer, cdr, cloud->size, 4, 2);
  put (writer, cdr, &n, 4, 1);
  for (guint i = 0; i < n; i++) {
    put_text (writer, cdr, &fields[i].name);
    put (writer, cdr, &fields[i].offset, 4, 1);
    put (writer, cdr, &fields[i].datatype, 1, 1);
    put (writer, cdr, &fields[i].count, 4, 1);
  }
  put (writer, cdr, &cloud->is_bigendian, 1, 1);
  put (writer, cdr, cloud->steps, 4, 2);
  put_array (writer, cdr, &cloud->data, 1);
  put (writer, cdr, &cloud->is_dense, 1, 1);
}

static void
write_image (OrreryWriter *writer, gconstpointer message, gboolean cdr)
{
  const Image *image = message;

  put_header (writer, cdr, &image->header);
  put (writer, cdr, image->size, 4, 2);
  put_text (writer, cdr, &image->encoding);
  put (writer, cdr, &image->is_bigendian, 1, 1);
  put (writer, cdr, &image->step, 4, 1);
  put_array (writer, cdr, &image->data, 1);
}

/* --- values --- */

static gpointer
resize (Bench *bench, OrreryMessageArray *array, const char *name, gsize n)
{
  orrery_message_array_resize (array, orrery_message_type_find (bench->type, name, NULL, NULL), n);
  return array->data;
}

static void
fill_odometry (Bench *bench)
{
  Odometry *odometry = bench->message;

  orrery_message_text_set (&odometry->child_frame_id, "base_link", -1);
  for (guint i = 0; i < G_N_ELEMENTS (odometry->numbers); i++)
    odometry->numbers[i] = i % 7 == 0 ? g_random_double_range (-10, 10) : 0;
}

static void
fill_laser_scan (Bench *bench)
{
  LaserScan *scan = bench->message;
  float *ranges = resize (bench, &scan->ranges, "ranges", RANGES);

  for (guint i = 0; i < RANGES; i++)
    ranges[i] = (float) g_random_double_range (0, 30);
}

static void
fill_bytes (guint8 *bytes, gsize n)
{
  for (gsize i = 0; i < n; i++)
    bytes[i] = (guint8) g_random_int ();
}

static void
fill_point_cloud (Bench *bench)
{
  PointCloud2 *cloud = bench->message;
  PointField *fields = resize (bench, &cloud->fields, "fields", 4);

  for (guint i = 0; i < 4; i++)
    orrery_message_text_set (&fields[i].name, "x", 1);
  fill_bytes (resize (bench, &cloud->data, "data", POINTS_BYTES), POINTS_BYTES);
}

static void
fill_image (Bench *bench)
{
  Image *image = bench->message;

  orrery_message_text_set (&image->encoding, "rgb8", -1);
  fill_bytes (resize (bench, &image->data, "data", IMAGE_BYTES), IMAGE_BYTES);
}

static void
fill_transforms (Bench *bench)
{
  Header *header = resize (bench, bench->message, "transforms", 1);

  orrery_message_text_set (&header->frame_id, "odom", -1);
}

static const Case cases[] = {
  { "odometry", "nav_msgs/Odometry", fill_odometry, write_odometry },
  { "laser_scan", "sensor_msgs/LaserScan", fill_laser_scan, write_laser_scan },
  { "point_cloud", "sensor_msgs/PointCloud2", fill_point_cloud, write_point_cloud },
  { "image", "sensor_msgs/Image", fill_image, write_image },
  { "transforms", "tf2_msgs/TFMessage", fill_transforms, NULL },
};

/* --- measurement --- */

static void
encode (Bench *bench)
{
  orrery_writer_clear (bench->writer);
  orrery_message_write (bench->type, bench->message, bench->encoding, bench->writer, NULL);
}

static void
encode_by_hand (Bench *bench)
{
  orrery_writer_clear (bench->writer);
  bench->what->write (bench->writer, bench->message,
                      bench->encoding == ORRERY_MESSAGE_ENCODING_CDR);
}

static void
decode (Bench *bench)
{
  sink += (gsize) orrery_message_read (bench->type, bench->read, bench->encoding,
                                       (const guint8 *) bench->bytes, bench->length, NULL);
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

static double
get_median (double *values)
{
  qsort (values, REPETITIONS, sizeof *values, compare);
  return values[REPETITIONS / 2];
}

/* Returns: ns per message */
static double
run_once (Bench *bench, void (*run) (Bench *bench))
{
  guint n = (guint) MAX (20, BYTES_AT_ONCE / bench->length);
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    run (bench);
  return (double) (g_get_monotonic_time () - start) * 1e3 / n;
}

static double
measure (Bench *bench, void (*run) (Bench *bench))
{
  double times[REPETITIONS];

  for (guint r = 0; r < REPETITIONS; r++)
    times[r] = run_once (bench, run);
  return get_median (times);
}

/* The same bytes by hand, or there is nothing to compare. */
static void
check_hand (Bench *bench)
{
  gsize length;

  encode_by_hand (bench);
  orrery_writer_get_data (bench->writer, &length);
  if (length != bench->length ||
      memcmp (orrery_writer_get_data (bench->writer, NULL), bench->bytes, length) != 0) {
    fprintf (stderr, "%s: the bytes by hand are others\n", bench->what->name);
    exit (1);
  }
}

/* Both in turns, so that what else the machine does meets both. */
static void
compare_with_hand (Bench *bench, const char *encoding)
{
  double by_hand[REPETITIONS], ratios[REPETITIONS];

  check_hand (bench);
  for (guint r = 0; r < REPETITIONS; r++) {
    double written = run_once (bench, encode);

    by_hand[r] = run_once (bench, encode_by_hand);
    ratios[r] = by_hand[r] / written;
  }
  printf ("%s_%s_by_hand %.0f ns\n", bench->what->name, encoding, get_median (by_hand));
  printf ("%s_%s_ratio %.2f x\n", bench->what->name, encoding, get_median (ratios));
}

/* Returns: ns of a message that is written */
static double
run_encoding (Bench *bench, const char *encoding)
{
  g_autofree char *bytes = NULL;
  double written;

  orrery_message_encoding_from_name (encoding, &bench->encoding);
  encode (bench);
  orrery_writer_get_data (bench->writer, &bench->length);
  bytes = g_memdup2 (orrery_writer_get_data (bench->writer, NULL), bench->length);
  bench->bytes = bytes;
  written = measure (bench, encode);
  printf ("%s_%s_encode %.0f ns\n", bench->what->name, encoding, written);
  printf ("%s_%s_decode %.0f ns\n", bench->what->name, encoding, measure (bench, decode));
  if (bench->what->write != NULL && (bench->encoding == ORRERY_MESSAGE_ENCODING_ROS1 ||
                                     bench->encoding == ORRERY_MESSAGE_ENCODING_CDR))
    compare_with_hand (bench, encoding);
  return written;
}

int
main (void)
{
  static const char *const encodings[] = { "ros1", "cdr", "json", "cbor" };
  g_autoptr (OrreryMessageCatalogue) catalogue = NULL;
  const char *folder = g_getenv ("ORRERY_MESSAGE_PATH");
  const char *const directories[] = { folder != NULL ? folder : "../data/messages", NULL };
  double fleet[G_N_ELEMENTS (encodings)] = { 0 };

  catalogue = orrery_message_catalogue_new (directories, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    Bench bench = { &cases[i] };

    bench.type =
        orrery_message_catalogue_find (catalogue, cases[i].type, ORRERY_MESSAGE_ROS2, &error);
    if (bench.type == NULL) {
      fprintf (stderr, "%s\n", error->message);
      return 1;
    }
    bench.message = orrery_message_new (bench.type);
    bench.read = orrery_message_new (bench.type);
    bench.writer = orrery_writer_new ();
    if (cases[i].write != NULL)
      orrery_message_text_set (&((Header *) bench.message)->frame_id, "odom", -1);
    cases[i].fill (&bench);
    for (guint k = 0; k < G_N_ELEMENTS (encodings); k++) {
      double written = run_encoding (&bench, encodings[k]);

      if (cases[i].fill == fill_odometry || cases[i].fill == fill_transforms)
        fleet[k] += written * ROBOTS * TICKS;
    }
    orrery_message_free (bench.type, bench.message);
    orrery_message_free (bench.type, bench.read);
    orrery_writer_unref (bench.writer);
  }
  for (guint k = 0; k < G_N_ELEMENTS (encodings); k++)
    printf ("fleet_%s_encode %.4f of_a_core\n", encodings[k], fleet[k] / 1e9);
  return 0;
}
