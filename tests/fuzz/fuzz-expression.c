/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include "base/orrery-error.h"
#include "record/orrery-expression.h"

#include <math.h>
#include <string.h>

typedef struct {
  OrreryBool flag;
  gint64 count;
  double x;
  OrreryStamp when;
  OrreryText words;
  OrreryVec3 place;
  OrreryEuler turn;
  OrreryQuat quat;
  OrreryArray list;
  OrreryBuffer *image;
} AllData;

static const OrreryField all_fields[] = {
  ORRERY_FIELD (AllData, flag, "", ""),  ORRERY_FIELD (AllData, count, "", ""),
  ORRERY_FIELD (AllData, x, "", ""),     ORRERY_FIELD (AllData, when, "", ""),
  ORRERY_FIELD (AllData, words, "", ""), ORRERY_FIELD (AllData, place, "", ""),
  ORRERY_FIELD (AllData, turn, "", ""),  ORRERY_FIELD (AllData, quat, "", ""),
  ORRERY_FIELD (AllData, list, "", ""),  ORRERY_FIELD (AllData, image, "", ""),
};

static OrreryRecord *
find (const char *name, gpointer record)
{
  return strcmp (name, "a") == 0 ? record : NULL;
}

/* Whatever the text: an expression that can be evaluated, or an error with a column. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (OrrerySchema) schema =
      orrery_schema_new (all_fields, G_N_ELEMENTS (all_fields), sizeof (AllData));
  g_autoptr (OrreryRecord) record = orrery_record_new (schema);
  AllData *fields = orrery_record_data (record);
  g_autofree char *text = g_strndup (size > 0 ? (const char *) data : "", size);
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryExpression) expression = orrery_expression_new (text, find, record, &error);

  if (expression == NULL) {
    g_assert_true (g_error_matches (error, ORRERY_ERROR, ORRERY_ERROR_INVALID));
    g_assert_true (g_str_has_prefix (error->message, "column "));
    return 0;
  }
  g_assert_no_error (error);
  fields->image = orrery_buffer_new (ORRERY_ELEMENT_INT16, 2, (const gsize[]){ 2, 3 });
  for (guint i = 0; i < 3; i++) {
    double value = orrery_expression_step (expression, i);
    double kept = orrery_expression_get_value (expression);

    g_assert_true (value == kept || (isnan (value) && isnan (kept)));
  }
  return 0;
}
