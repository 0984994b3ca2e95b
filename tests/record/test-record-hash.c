/* SPDX-License-Identifier: BSD-3-Clause */
#include "record-fixture.h"

/* The smallest change that each type has. */
static void
nudge (double *number)
{
  *number = nextafter (*number, INFINITY);
}

static void
nudge_bytes (OrreryBuffer *buffer, gsize byte)
{
  ((guint8 *) orrery_buffer_get_data (buffer))[byte] ^= 1;
}

static gboolean
change_numbers (All *data, guint which)
{
  double *const numbers[] = { &data->x,           &data->position.x, &data->position.z,
                              &data->angles.roll, &data->angles.yaw, &data->rotation.w,
                              &data->rotation.z,  &data->mat3.m[8],  &data->mat4.m[15] };

  if (which < G_N_ELEMENTS (numbers))
    nudge (numbers[which]);
  else if (which == 9)
    data->flag = !data->flag;
  else if (which == 10)
    data->count++;
  else if (which == 11)
    data->time.ns++;
  else if (which == 12)
    data->x = 0.0;
  else if (which == 13)
    data->x = -0.0;
  else
    return FALSE;
  return TRUE;
}

static gboolean
change_arrays (All *data, guint which)
{
  if (which == 0)
    nudge_bytes (data->ranges.buffer, 0);
  else if (which == 1)
    nudge_bytes (data->points.buffer, 40);
  else if (which == 2)
    nudge_bytes (data->image, 11);
  else if (which == 3)
    orrery_array_set (&data->ranges, (double[]){ 1 }, 1);
  else if (which == 4)
    orrery_array_set (&data->ranges, (double[]){ 1, 0 }, 2);
  else if (which == 5)
    orrery_points_set (&data->points, NULL, 0);
  else if (which == 6)
    g_clear_pointer (&data->image, orrery_buffer_unref);
  else
    return FALSE;
  return TRUE;
}

static void
change_anything (All *data, const char *text)
{
  g_variant_unref (data->anything);
  data->anything = g_variant_ref_sink (g_variant_new_parsed (text));
}

static gboolean
change_rest (All *data, guint which)
{
  if (which == 0)
    nudge (&((Other *) orrery_record_data (data->other))->depth);
  else if (which == 1 || which == 2)
    orrery_record_set_timestamp (data->other, which);
  else if (which == 3)
    g_clear_pointer (&data->other, orrery_record_unref);
  else if (which == 4)
    change_anything (data, "{'a': <[1, 3]>}");
  else if (which == 5)
    change_anything (data, "{'a': <[uint32 1, 3]>}");
  else if (which == 6)
    g_clear_pointer (&data->anything, g_variant_unref);
  else if (which == 7)
    orrery_text_set (&data->text, "Transis");
  else if (which == 8)
    orrery_text_set (&data->text, "");
  else
    return FALSE;
  return TRUE;
}

static void
note_hash (GHashTable *seen, OrreryRecord *record)
{
  guint64 hash = hash_of (record);

  g_hash_table_add (seen, g_memdup2 (&hash, sizeof hash));
}

static void
test_hash_changes (void)
{
  static gboolean (*const changes[]) (All *, guint) = { change_numbers, change_arrays,
                                                        change_rest };
  g_autoptr (OrreryRecord) record = full_new ();
  g_autoptr (OrreryRecord) same = full_new ();
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  guint n_changes = 0;

  g_test_summary ("the smallest change of any field changes the hash, whichever it is");
  note_hash (seen, record);
  note_hash (seen, same);
  g_assert_cmpuint (g_hash_table_size (seen), ==, 1);
  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    for (guint which = 0; changes[i](orrery_record_data (record), which); which++) {
      note_hash (seen, record);
      n_changes++;
      g_assert_cmpuint (g_hash_table_size (seen), ==, 1 + n_changes);
    }
  g_assert_cmpuint (n_changes, ==, 14 + 7 + 9);
}

static void
test_hash_shape (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  All *data = orrery_record_data (record);

  g_test_summary ("the same bytes in another shape or as another type are another buffer");
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 2, (gsize[]){ 2, 8 });
  guint64 bytes = hash_of (record);
  orrery_buffer_unref (data->image);
  data->image = orrery_buffer_new (ORRERY_ELEMENT_UINT8, 2, (gsize[]){ 8, 2 });
  guint64 turned = hash_of (record);
  orrery_buffer_unref (data->image);
  data->image = orrery_buffer_new (ORRERY_ELEMENT_INT8, 2, (gsize[]){ 2, 8 });
  guint64 typed = hash_of (record);
  g_assert_true (bytes != turned && bytes != typed && turned != typed);
}

static void
test_hash_start (void)
{
  g_autoptr (OrreryRecord) record = empty_new ();
  All *data = orrery_record_data (record);

  g_test_summary ("times are hashed relative to the start, also at the ends of their range");
  orrery_record_set_timestamp (record, 5);
  data->time.ns = 3;
  guint64 hash = orrery_record_hash (record, 1, 0);
  orrery_record_set_timestamp (record, G_MAXINT64);
  data->time.ns = G_MAXINT64 - 2;
  g_assert_cmphex (orrery_record_hash (record, 1, G_MAXINT64 - 5), ==, hash);
  g_assert_cmphex (orrery_record_hash (record, 1, G_MAXINT64 - 4), !=, hash);
  g_assert_cmphex (orrery_record_hash (record, 2, G_MAXINT64 - 5), !=, hash);
  orrery_record_set_timestamp (record, G_MININT64);
  data->time.ns = G_MININT64;
  g_assert_cmphex (orrery_record_hash (record, 1, G_MAXINT64), !=, hash);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  g_test_add_func ("/record/hash-changes", test_hash_changes);
  g_test_add_func ("/record/hash-shape", test_hash_shape);
  g_test_add_func ("/record/hash-start", test_hash_start);
  return g_test_run ();
}
