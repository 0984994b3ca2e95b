/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/orrery-message.h"
#include "record/orrery-record.h"

#include "../allocations.h"

#include <stdlib.h>
#include <string.h>

/* A steady stream of messages allocates nothing: neither writing nor reading. */

typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  OrreryText words;
  OrreryEuler turn;
  OrreryMat3 matrix;
  OrreryArray list;
  OrreryPoints points;
  OrreryBuffer *image;
  GVariant *free;
} Data;

static const OrreryField fields[] = {
  ORRERY_FIELD (Data, flag, "", ""),  ORRERY_FIELD (Data, count, "", ""),
  ORRERY_FIELD (Data, x, "", ""),     ORRERY_FIELD (Data, words, "", ""),
  ORRERY_FIELD (Data, turn, "", ""),  ORRERY_FIELD (Data, matrix, "", ""),
  ORRERY_FIELD (Data, list, "", ""),  ORRERY_FIELD (Data, points, "", ""),
  ORRERY_FIELD (Data, image, "", ""), ORRERY_FIELD (Data, free, "", ""),
};

static const char steady[] =
    "{\"flag\": true, \"count\": 5, \"x\": 0.1, \"words\": \"a\\u00e9\", "
    "\"turn\": {\"yaw\": 1, \"pitch\": 2, \"roll\": 3}, "
    "\"matrix\": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], \"list\": [1, 2, 3], "
    "\"points\": [[1, 2, 3]], \"image\": \"AQID\", \"other\": {\"deep\": [1]}}";
static const char control[] = "{\"free\": [1]}";

/* Reads and writes one message @rounds times. Returns: allocations after the first rounds */
static guint
count (const char *message, guint rounds)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (fields, G_N_ELEMENTS (fields), sizeof (Data));
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);
  g_autoptr (OrreryReader) reader = orrery_reader_new ();
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  gsize length = strlen (message);
  guint before = 0;

  for (guint i = 0; i < rounds + 3; i++) {
    if (i == 3)
      before = n_allocations;
    orrery_reader_set_data (reader, message, length);
    g_assert_true (orrery_record_read_json (record, reader, NULL));
    orrery_writer_clear (writer);
    orrery_record_write_json (record, writer);
  }
  return n_allocations - before;
}

static void
test_steady (void)
{
  g_test_summary ("no allocation in the steady state; a free-form field, which allocates, is seen");
  if (!CAN_COUNT || g_getenv ("LD_PRELOAD") != NULL) {
    g_test_skip ("allocations cannot be counted in this build");
    return;
  }
  g_assert_cmpuint (count (steady, 1000), ==, 0);
  g_assert_cmpuint (count (control, 10), >=, 10);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions ();
  is_counting = TRUE;

  g_test_add_func ("/record-steady/no-allocation", test_steady);
  return g_test_run ();
}
