/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include "base/orrery-error.h"
#include "base/orrery-message.h"
#include "record/orrery-buffer.h"
#include "record/orrery-record.h"

typedef struct {
  double x;
  OrreryText words;
} PartData;

static const OrreryField part_fields[] = {
  ORRERY_FIELD (PartData, x, "", ""),
  ORRERY_FIELD (PartData, words, "", ""),
};

typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  OrreryStamp when;
  OrreryText words;
  OrreryVec3 place;
  OrreryEuler turn;
  OrreryQuat quat;
  OrreryMat3 mat3;
  OrreryMat4 mat4;
  OrreryArray list;
  OrreryPoints points;
  OrreryBuffer *image;
  OrreryBuffer *cloud;
  OrreryRecord *part;
  GVariant *free;
} AllData;

static const OrreryField all_fields[] = {
  ORRERY_FIELD (AllData, flag, "", ""),  ORRERY_FIELD (AllData, count, "", ""),
  ORRERY_FIELD (AllData, x, "", ""),     ORRERY_FIELD (AllData, when, "", ""),
  ORRERY_FIELD (AllData, words, "", ""), ORRERY_FIELD (AllData, place, "", ""),
  ORRERY_FIELD (AllData, turn, "", ""),  ORRERY_FIELD (AllData, quat, "", ""),
  ORRERY_FIELD (AllData, mat3, "", ""),  ORRERY_FIELD (AllData, mat4, "", ""),
  ORRERY_FIELD (AllData, list, "", ""),  ORRERY_FIELD (AllData, points, "", ""),
  ORRERY_FIELD (AllData, image, "", ""), ORRERY_FIELD (AllData, cloud, "", ""),
  ORRERY_FIELD (AllData, part, "", ""),  ORRERY_FIELD (AllData, free, "", ""),
};

static OrreryRecord *
new_record (void)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (all_fields, G_N_ELEMENTS (all_fields), sizeof (AllData));
  g_autoptr (OrrerySchema) part_schema =
      orrery_schema_new (part_fields, G_N_ELEMENTS (part_fields), sizeof (PartData));
  OrreryRecord *record = orrery_record_new (schema);
  AllData *data = orrery_record_data (record);

  data->part = orrery_record_new (part_schema);
  data->cloud = orrery_buffer_new (ORRERY_ELEMENT_INT16, 1, (gsize[]){ 1 });
  return record;
}

static gboolean
read_text (OrreryRecord *record, const char *text, gsize length, GError **error)
{
  g_autoptr (OrreryReader) reader = orrery_reader_new ();

  orrery_reader_set_data (reader, text, length);
  return orrery_record_read_json (record, reader, error);
}

/* What was taken is written, read and written to the same text. */
static void
check_round_trip (OrreryRecord *record)
{
  g_autoptr (OrreryRecord) again = new_record ();
  g_autoptr (OrreryWriter) first = orrery_writer_new ();
  g_autoptr (OrreryWriter) second = orrery_writer_new ();
  g_autoptr (GError) error = NULL;
  gsize first_length, second_length;

  orrery_record_write_json (record, first);
  orrery_writer_get_data (first, &first_length);
  if (!read_text (again, orrery_writer_get_data (first, NULL), first_length, &error))
    g_error ("%s", error->message);
  orrery_record_write_json (again, second);
  orrery_writer_get_data (second, &second_length);
  g_assert_cmpmem (orrery_writer_get_data (first, NULL), first_length,
                   orrery_writer_get_data (second, NULL), second_length);
}

/* Whatever the message: it is taken whole, or refused with a reason and nothing has changed. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (OrreryRecord) record = new_record ();
  g_autoptr (GError) error = NULL;
  guint64 before = orrery_record_hash (record, 1, 0);

  if (read_text (record, (const char *) data, size, &error)) {
    g_assert_no_error (error);
    check_round_trip (record);
    return 0;
  }
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_cmpuint (orrery_record_hash (record, 1, 0), ==, before);
  return 0;
}
