/* SPDX-License-Identifier: BSD-3-Clause */
#include "channel-trial.h"

#include <math.h>
#include <string.h>

/* Records with fields of every type, and a user's own type, through each transport. */

typedef struct {
  OrreryBool flag;
  gint64 integer;
  double number;
  OrreryStamp stamp;
  OrreryText text;
  OrreryVec3 vec3;
  OrreryEuler euler;
  OrreryQuat quat;
  OrreryMat3 mat3;
  OrreryMat4 mat4;
  OrreryArray array;
  OrreryPoints points;
  OrreryBuffer *buffer;
  OrreryRecord *record;
  GVariant *variant;
} Every;

typedef struct {
  double depth;
  OrreryText label;
} Inner;

static const OrreryField inner_fields[] = {
  ORRERY_FIELD (Inner, depth, "m", "depth"),
  ORRERY_FIELD (Inner, label, "", "label"),
};

static const OrreryField every_fields[] = {
  ORRERY_FIELD (Every, flag, "", "flag"),       ORRERY_FIELD (Every, integer, "", "integer"),
  ORRERY_FIELD (Every, number, "", "number"),   ORRERY_FIELD (Every, stamp, "s", "stamp"),
  ORRERY_FIELD (Every, text, "", "text"),       ORRERY_FIELD (Every, vec3, "", "vec3"),
  ORRERY_FIELD (Every, euler, "", "euler"),     ORRERY_FIELD (Every, quat, "", "quat"),
  ORRERY_FIELD (Every, mat3, "", "mat3"),       ORRERY_FIELD (Every, mat4, "", "mat4"),
  ORRERY_FIELD (Every, array, "", "array"),     ORRERY_FIELD (Every, points, "", "points"),
  ORRERY_FIELD (Every, buffer, "", "buffer"),   ORRERY_FIELD (Every, record, "", "record"),
  ORRERY_FIELD (Every, variant, "", "variant"),
};

static OrreryRecord *
every_new (gboolean with_record)
{
  g_autoptr (OrrerySchema) inner =
      orrery_schema_new (inner_fields, G_N_ELEMENTS (inner_fields), sizeof (Inner));
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (every_fields, G_N_ELEMENTS (every_fields), sizeof (Every));
  OrreryRecord *record = orrery_record_new (schema);
  Every *every = orrery_record_data (record);

  if (with_record)
    every->record = orrery_record_new (inner);
  return record;
}

static void
fill (OrreryRecord *record, guint seed)
{
  Every *every = orrery_record_data (record);
  const double numbers[] = { seed, -0.0, 1e-300, INFINITY, 5, 6, 7, 8, 9 };
  const gsize shape[] = { 2, 3, seed % 4 };
  g_autofree char *text = g_strdup_printf ("Grüße %u", seed);

  orrery_record_set_timestamp (record, 1000 + seed);
  every->flag = seed % 2 == 1;
  every->integer = -(gint64) seed;
  every->number = seed / 7.0;
  every->stamp.ns = seed * 11;
  orrery_text_set (&every->text, text);
  memset (&every->vec3, (int) seed, sizeof every->vec3);
  memset (&every->euler, (int) seed + 1, sizeof every->euler);
  memset (&every->quat, (int) seed + 2, sizeof every->quat);
  memset (&every->mat3, (int) seed + 3, sizeof every->mat3);
  memset (&every->mat4, (int) seed + 4, sizeof every->mat4);
  orrery_array_set (&every->array, numbers, seed % 10);
  orrery_points_set (&every->points, numbers, seed % 4);
  g_clear_pointer (&every->buffer, orrery_buffer_unref);
  if (seed % 3 != 0) {
    every->buffer = orrery_buffer_new (ORRERY_ELEMENT_UINT16, 3, shape);
    memset (orrery_buffer_get_data (every->buffer), 0x5a, orrery_buffer_get_size (every->buffer));
  }
  g_clear_pointer (&every->variant, g_variant_unref);
  if (seed % 5 != 0)
    every->variant = g_variant_ref_sink (g_variant_new ("(sua{sd})", "x", seed, NULL));
  if (every->record != NULL) {
    Inner *inner = orrery_record_data (every->record);

    inner->depth = seed * 2.5;
    orrery_text_set (&inner->label, seed % 2 == 0 ? "" : "even deeper");
  }
}

static OrreryChannel *
channel_new (OrreryTransport transport)
{
  if (transport == ORRERY_TRANSPORT_LOCAL)
    return orrery_channel_new_local ("trial", 0, NULL);
  if (transport == ORRERY_TRANSPORT_QUEUE)
    return orrery_channel_new_queue ("trial", 0, NULL);
  return orrery_channel_new_latest ("trial", 0, FALSE, NULL);
}

static void
test_records (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryRecord) sent = every_new (TRUE);
  g_autoptr (OrreryRecord) received = every_new (TRUE);
  g_autoptr (GError) error = NULL;

  g_test_summary ("A record comes out as it went in, bit by bit, for fields of every type");
  for (guint seed = 1; seed < 40; seed++) {
    fill (sent, seed);
    g_assert_true (orrery_emitter_emit_record (emitter, sent, &error));
    g_assert_no_error (error);
    g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
    g_assert_cmpint (orrery_receiver_get_time (receiver), ==, 1000 + seed);
    g_assert_true (orrery_receiver_get_record (receiver, received, &error));
    g_assert_no_error (error);
    g_assert_cmpint (orrery_record_get_timestamp (received), ==, 1000 + seed);
    g_assert_cmpuint (orrery_record_hash (received, 0, 0), ==, orrery_record_hash (sent, 0, 0));
    /* The hash tells one from the next. */
    fill (sent, seed + 1);
    g_assert_cmpuint (orrery_record_hash (received, 0, 0), !=, orrery_record_hash (sent, 0, 0));
  }
}

/* A view that somebody took of a buffer keeps what it shows. */
static void
test_views (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LOCAL);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryRecord) sent = every_new (TRUE);
  g_autoptr (OrreryRecord) received = every_new (TRUE);
  g_autoptr (OrreryBuffer) view = NULL;

  fill (sent, 13);
  orrery_emitter_emit_record (emitter, sent, NULL);
  orrery_receiver_read (receiver);
  g_assert_true (orrery_receiver_get_record (receiver, received, NULL));
  view = orrery_record_get_buffer (received, "array");
  fill (sent, 23);
  orrery_emitter_emit_record (emitter, sent, NULL);
  orrery_receiver_read (receiver);
  g_assert_true (orrery_receiver_get_record (receiver, received, NULL));
  g_assert_cmpfloat (*(double *) orrery_buffer_get_data (view), ==, 13);
}

static void
assert_refused (OrreryReceiver *receiver, OrreryRecord *record, const char *words)
{
  g_autoptr (GError) error = NULL;
  guint64 before = orrery_record_hash (record, 0, 0);

  g_assert_false (orrery_receiver_get_record (receiver, record, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  if (error != NULL && words != NULL && strstr (error->message, words) == NULL)
    g_test_fail_printf ("'%s' is not in: %s", words, error->message);
  g_assert_cmpuint (orrery_record_hash (record, 0, 0), ==, before);
}

static void
test_other_records (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_QUEUE);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryRecord) record = every_new (TRUE);
  g_autoptr (OrreryRecord) without = every_new (FALSE);
  OrreryRecord *inner = ((Every *) orrery_record_data (record))->record;

  fill (record, 3);
  assert_refused (receiver, record, "trial: nothing was read yet");
  orrery_emitter_emit_record (emitter, record, NULL);
  orrery_receiver_read (receiver);
  assert_refused (receiver, inner, "its fields are others");
  assert_refused (receiver, without, "a field refers to one");
  orrery_emitter_emit (emitter, (const guint8 *) "no record", 9, 0, NULL);
  orrery_receiver_read (receiver);
  assert_refused (receiver, record, "no record");
}

/* Any byte of a record may come otherwise, and any number of them be missing. */
static void
test_spoilt_records (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LOCAL);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryRecord) sent = every_new (TRUE);
  g_autoptr (OrreryRecord) received = every_new (TRUE);
  g_autoptr (GBytes) bytes = NULL;
  const guint8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
  const guint8 *good;
  gsize size;

  fill (sent, 14);
  orrery_emitter_emit_record (emitter, sent, NULL);
  orrery_receiver_read (receiver);
  bytes = orrery_receiver_dup_bytes (receiver);
  good = g_bytes_get_data (bytes, &size);
  for (gsize n = 0; n < size; n++) {
    orrery_emitter_emit (emitter, good, n, 0, NULL);
    orrery_receiver_read (receiver);
    assert_refused (receiver, received, NULL);
  }
  for (gsize i = 0; i < size; i++)
    for (guint v = 0; v < G_N_ELEMENTS (values); v++) {
      g_autofree guint8 *spoilt = g_memdup2 (good, size);

      spoilt[i] = values[v];
      orrery_emitter_emit (emitter, spoilt, size, 0, NULL);
      orrery_receiver_read (receiver);
      orrery_receiver_get_record (receiver, received, NULL);
      orrery_record_hash (received, 0, 0);
    }
}

static void
test_endless (void)
{
  g_autoptr (OrreryChannel) channel = channel_new (ORRERY_TRANSPORT_LOCAL);
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryRecord) record = every_new (FALSE);
  g_autoptr (GError) error = NULL;
  Every *every = orrery_record_data (record);

  every->record = record;
  g_assert_false (orrery_emitter_emit_record (emitter, record, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  every->record = NULL;
}

/* --- a user's own type: a grid of numbers --- */

#define TRIAL_TYPE_GRID (trial_grid_get_type ())
G_DECLARE_FINAL_TYPE (TrialGrid, trial_grid, TRIAL, GRID, GObject)

struct _TrialGrid {
  GObject parent_instance;
  guint32 rows;
  guint32 columns;
  float *cells;
  gboolean broken;
};

static gsize
grid_get_size (OrreryValue *value)
{
  TrialGrid *grid = TRIAL_GRID (value);

  return grid->rows * grid->columns * sizeof *grid->cells;
}

static gboolean
grid_write (OrreryValue *value, gpointer data, gsize size, GError **error)
{
  TrialGrid *grid = TRIAL_GRID (value);

  if (grid->broken) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY, "the grid is being painted");
    return FALSE;
  }
  memcpy (data, grid->cells, size);
  return TRUE;
}

static gboolean
grid_read (OrreryValue *value, GVariant *parameters, gconstpointer data, gsize size, GError **error)
{
  TrialGrid *grid = TRIAL_GRID (value);
  guint32 rows, columns;

  if (parameters == NULL || !g_variant_is_of_type (parameters, G_VARIANT_TYPE ("(uu)"))) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "no grid");
    return FALSE;
  }
  g_variant_get (parameters, "(uu)", &rows, &columns);
  grid->rows = rows;
  grid->columns = columns;
  g_free (grid->cells);
  grid->cells = g_memdup2 (data, size);
  return TRUE;
}

static GVariant *
grid_get_parameters (OrreryValue *value)
{
  TrialGrid *grid = TRIAL_GRID (value);

  return g_variant_ref_sink (g_variant_new ("(uu)", grid->rows, grid->columns));
}

static void
grid_value_init (OrreryValueInterface *iface)
{
  iface->get_size = grid_get_size;
  iface->write = grid_write;
  iface->read = grid_read;
  iface->get_parameters = grid_get_parameters;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TrialGrid, trial_grid, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (ORRERY_TYPE_VALUE, grid_value_init))

static void
trial_grid_finalize (GObject *object)
{
  g_free (TRIAL_GRID (object)->cells);
  G_OBJECT_CLASS (trial_grid_parent_class)->finalize (object);
}

static void
trial_grid_class_init (TrialGridClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = trial_grid_finalize;
}

static void
trial_grid_init (TrialGrid *grid)
{
}

static void
test_user_type (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (TrialGrid) sent = g_object_new (TRIAL_TYPE_GRID, NULL);
  g_autoptr (TrialGrid) received = g_object_new (TRIAL_TYPE_GRID, NULL);
  g_autoptr (GError) error = NULL;

  g_test_summary ("A user's type crosses by its four functions");
  sent->rows = 3;
  sent->columns = 5;
  sent->cells = g_new0 (float, 15);
  sent->cells[14] = 2.5f;
  g_assert_true (orrery_emitter_emit_value (emitter, ORRERY_VALUE (sent), 9, &error));
  orrery_receiver_read (receiver);
  g_assert_true (orrery_receiver_get_value (receiver, ORRERY_VALUE (received), &error));
  g_assert_no_error (error);
  g_assert_cmpuint (received->rows, ==, 3);
  g_assert_cmpuint (received->columns, ==, 5);
  g_assert_cmpfloat (received->cells[14], ==, 2.5f);
  g_assert_cmpint (orrery_receiver_get_time (receiver), ==, 9);
  /* What it refuses to write is not emitted. */
  sent->broken = TRUE;
  g_assert_false (orrery_emitter_emit_value (emitter, ORRERY_VALUE (sent), 10, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_BUSY);
  g_clear_error (&error);
  g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_STALE);
  /* What it refuses to read is an error. */
  orrery_emitter_emit (emitter, (const guint8 *) "x", 1, 11, NULL);
  orrery_receiver_read (receiver);
  g_assert_false (orrery_receiver_get_value (receiver, ORRERY_VALUE (received), &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
}

static void
test_described (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  g_autoptr (OrreryRecord) sent = every_new (TRUE);
  g_autoptr (GError) error = NULL;

  g_test_summary ("A record that brings its fields along is made anew by who knows none of them");
  g_assert_null (orrery_receiver_create_record (receiver, &error));
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_clear_error (&error);
  for (guint seed = 1; seed < 20; seed++) {
    g_autoptr (OrreryRecord) received = NULL;

    fill (sent, seed);
    g_assert_true (orrery_emitter_emit_described (emitter, sent, &error));
    orrery_receiver_read (receiver);
    received = orrery_receiver_create_record (receiver, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (orrery_record_hash (received, 0, 0), ==, orrery_record_hash (sent, 0, 0));
    g_assert_cmpint (orrery_record_get_timestamp (received), ==, 1000 + seed);
  }
}

static void
test_variants (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  const char *texts[] = { "1", "''", "(1, 2.5, ['a', 'b'])", "{'k': <@mv nothing>}", "@ay []" };

  g_test_summary ("Any variant comes out as it went in; what is none is not taken for one");
  g_assert_null (orrery_receiver_dup_variant (receiver));
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GVariant) sent = g_variant_parse (NULL, texts[i], NULL, NULL, NULL);
    g_autoptr (GVariant) received = NULL;

    g_assert_true (orrery_emitter_emit_variant (emitter, sent, i, NULL));
    orrery_receiver_read (receiver);
    received = orrery_receiver_dup_variant (receiver);
    g_assert_true (g_variant_equal (received, sent));
  }
  orrery_emitter_emit (emitter, (const guint8 *) "1", 1, 0, NULL);
  orrery_receiver_read (receiver);
  g_assert_null (orrery_receiver_dup_variant (receiver));
}

/* Every size: the parameters lie behind the value, at words that are no wide ones. */
static void
test_parameters (gconstpointer data)
{
  g_autoptr (OrreryChannel) channel = channel_new ((OrreryTransport) GPOINTER_TO_INT (data));
  g_autoptr (OrreryEmitter) emitter = channel_trial_emitter (channel);
  g_autoptr (OrreryReceiver) receiver = channel_trial_receiver (channel);
  guint8 bytes[300];

  g_test_summary ("Values of each size keep their parameters apart, by pointer and by address");
  for (guint i = 0; i < sizeof bytes; i++)
    bytes[i] = (guint8) (i * 7 + 1);
  for (gsize size = 0; size < sizeof bytes; size++) {
    g_autofree char *words = g_strnfill (size % 90, 'p');
    g_autoptr (GVariant) parameters = g_variant_ref_sink (g_variant_new_string (words));
    g_autoptr (GVariant) received = NULL;
    gsize got;

    if (size % 2 == 0)
      g_assert_true (
          orrery_emitter_emit_with (emitter, bytes, size, parameters, (OrreryTime) size, NULL));
    else
      g_assert_true (orrery_emitter_emit_address (emitter, GPOINTER_TO_SIZE (bytes), size,
                                                  parameters, (OrreryTime) size, NULL));
    g_assert_cmpint (orrery_receiver_read (receiver), ==, ORRERY_READING_FRESH);
    received = orrery_receiver_get_parameters (receiver);
    g_assert_true (g_variant_equal (received, parameters));
    g_assert_cmpmem (orrery_receiver_get_data (receiver, &got), orrery_receiver_get_size (receiver),
                     bytes, size);
    g_assert_cmpuint (got, ==, size);
  }
}

#define FOR_EACH(name, function)                                                                   \
  g_test_add_data_func ("/channel-values/local/" name, GINT_TO_POINTER (ORRERY_TRANSPORT_LOCAL),   \
                        function);                                                                 \
  g_test_add_data_func ("/channel-values/queue/" name, GINT_TO_POINTER (ORRERY_TRANSPORT_QUEUE),   \
                        function);                                                                 \
  g_test_add_data_func ("/channel-values/latest/" name, GINT_TO_POINTER (ORRERY_TRANSPORT_LATEST), \
                        function)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  FOR_EACH ("records", test_records);
  g_test_add_func ("/channel-values/views", test_views);
  g_test_add_func ("/channel-values/other-records", test_other_records);
  g_test_add_func ("/channel-values/spoilt-records", test_spoilt_records);
  g_test_add_func ("/channel-values/endless", test_endless);
  FOR_EACH ("user-type", test_user_type);
  FOR_EACH ("described", test_described);
  FOR_EACH ("variants", test_variants);
  FOR_EACH ("parameters", test_parameters);
  return g_test_run ();
}
