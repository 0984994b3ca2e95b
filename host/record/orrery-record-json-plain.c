/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes from a message what a copy of its bytes puts in place: numbers, vectors, matrices. */
#include "record/orrery-record-json-private.h"

#include <math.h>
#include <string.h>

#include "base/orrery-error.h"
#include "base/orrery-message-private.h"
#include "record/orrery-field-private.h"

#define MAX_SECONDS 9.2e9

/* --- scratch --- */

gsize
orrery_take_push (OrreryTake *take, gsize size)
{
  gsize offset = take->top;

  take->top += size;
  if (G_UNLIKELY (take->top > take->room)) {
    take->room = MAX (2 * take->top, 1024);
    take->scratch = orrery_reader_get_scratch (take->reader, take->room);
  }
  return offset;
}

gsize
orrery_take_push_aligned (OrreryTake *take, gsize size)
{
  take->top = (take->top + 15) & ~(gsize) 15;
  return orrery_take_push (take, size);
}

/* --- tokens --- */

gboolean
orrery_take_fail (OrreryTake *take, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  if (take->error != NULL)
    *take->error = g_error_new_valist (ORRERY_ERROR, ORRERY_ERROR_INVALID, format, args);
  va_end (args);
  return FALSE;
}

gboolean
orrery_take_fail_json (OrreryTake *take)
{
  return orrery_take_fail (take, "%s, at byte %" G_GSIZE_FORMAT, take->json.what,
                           (gsize) (take->json.wrong - take->message));
}

gboolean
orrery_take_fail_type (OrreryTake *take, OrreryJsonToken token, const char *expected)
{
  if (token == ORRERY_JSON_ERROR)
    return orrery_take_fail_json (take);
  return orrery_take_fail (take, "%s where %s is expected", orrery_json_token_get_name (token),
                           expected);
}

gboolean
orrery_take_token (OrreryTake *take, OrreryJsonToken token, const char *expected)
{
  OrreryJsonToken found = orrery_json_next (&take->json);

  return found == token || orrery_take_fail_type (take, found, expected);
}

/* --- numbers --- */

gboolean
orrery_take_check_number (OrreryTake *take, OrreryJsonToken token)
{
  if (G_LIKELY (token == ORRERY_JSON_INT))
    return TRUE;
  if (token != ORRERY_JSON_DOUBLE)
    return orrery_take_fail_type (take, token, "a number");
  return isfinite (take->json.number) || orrery_take_fail (take, "a number that is not finite");
}

static gboolean
take_number (OrreryTake *take, double *out)
{
  if (!orrery_take_check_number (take, orrery_json_next (&take->json)))
    return FALSE;
  *out = take->json.number;
  return TRUE;
}

gboolean
orrery_take_int (OrreryTake *take, OrreryJsonToken token, gint64 *out)
{
  double number;

  if (!orrery_take_check_number (take, token))
    return FALSE;
  number = take->json.number;
  if (token == ORRERY_JSON_INT)
    *out = take->json.integer;
  else if (number == floor (number) && number >= -0x1p63 && number < 0x1p63)
    *out = (gint64) number;
  else
    return orrery_take_fail (take, "a number that is no integer of 64 bits");
  return TRUE;
}

static gboolean
take_time (OrreryTake *take, OrreryTime *out)
{
  double seconds;

  if (!take_number (take, &seconds))
    return FALSE;
  if (fabs (seconds) > MAX_SECONDS)
    return orrery_take_fail (take, "a time beyond +-%g seconds", MAX_SECONDS);
  *out = orrery_time_from_seconds (seconds);
  return TRUE;
}

static gboolean
fail_short (OrreryTake *take, guint length, guint n)
{
  return orrery_take_fail (take, "a list of %u where one of %u is expected", length, n);
}

/* The end of a list of @n items. */
static gboolean
take_list_end (OrreryTake *take, guint n)
{
  OrreryJsonToken token = orrery_json_next (&take->json);

  if (token == ORRERY_JSON_LIST_END)
    return TRUE;
  if (token == ORRERY_JSON_ERROR)
    return orrery_take_fail_json (take);
  return orrery_take_fail (take, "a list of more than %u", n);
}

gboolean
orrery_take_items (OrreryTake *take, double *out, guint n)
{
  for (guint i = 0; i < n; i++) {
    OrreryJsonToken token = orrery_json_next (&take->json);

    if (token == ORRERY_JSON_LIST_END)
      return fail_short (take, i, n);
    if (!orrery_take_check_number (take, token))
      return FALSE;
    out[i] = take->json.number;
  }
  return take_list_end (take, n);
}

static gboolean
take_numbers (OrreryTake *take, double *out, guint n)
{
  return orrery_take_token (take, ORRERY_JSON_LIST, "a list") && orrery_take_items (take, out, n);
}

static gboolean
take_table (OrreryTake *take, double *out, guint rows, guint columns)
{
  if (!orrery_take_token (take, ORRERY_JSON_LIST, "a list of lists"))
    return FALSE;
  for (guint i = 0; i < rows; i++) {
    OrreryJsonToken token = orrery_json_next (&take->json);

    if (token == ORRERY_JSON_LIST_END)
      return fail_short (take, i, rows);
    if (token != ORRERY_JSON_LIST)
      return orrery_take_fail_type (take, token, "a list");
    if (!orrery_take_items (take, out + i * columns, columns))
      return FALSE;
  }
  return take_list_end (take, rows);
}

static int
find_member (const OrreryJson *json, const OrreryFieldClass *klass)
{
  for (guint i = 0; i < klass->n_members; i++) {
    const char *name = klass->members[i].name;

    if (strlen (name) == json->length && memcmp (name, json->text, json->length) == 0)
      return (int) i;
  }
  return -1;
}

/* An object of numbers, each under its name; what it has besides is ignored. */
static gboolean
take_members (OrreryTake *take, const OrreryFieldClass *klass, gpointer out)
{
  OrreryJsonToken token;
  guint found = 0;

  if (!orrery_take_token (take, ORRERY_JSON_OBJECT, "an object"))
    return FALSE;
  while ((token = orrery_json_next (&take->json)) == ORRERY_JSON_KEY) {
    int i = find_member (&take->json, klass);

    if (i < 0) {
      orrery_reader_note_unknown (take->reader, take->json.text, take->json.length);
      if (!orrery_json_skip (&take->json, orrery_json_next (&take->json)))
        return orrery_take_fail_json (take);
    } else if (!take_number (take, (double *) ((char *) out + klass->members[i].offset))) {
      g_prefix_error (take->error, "%s: ", klass->members[i].name);
      return FALSE;
    } else {
      found |= 1u << i;
    }
  }
  if (token == ORRERY_JSON_ERROR)
    return orrery_take_fail_json (take);
  for (guint i = 0; i < klass->n_members; i++)
    if ((found >> i & 1) == 0)
      return orrery_take_fail (take, "an object without %s", klass->members[i].name);
  return TRUE;
}

static gboolean
take_bool (OrreryTake *take, OrreryBool *out)
{
  if (!orrery_take_token (take, ORRERY_JSON_BOOL, "a bool"))
    return FALSE;
  *out = take->json.boolean;
  return TRUE;
}

gboolean
orrery_take_is_plain (OrreryFieldType type)
{
  return type <= ORRERY_FIELD_MAT4 && type != ORRERY_FIELD_TEXT;
}

gboolean
orrery_take_plain (OrreryTake *take, OrreryFieldType type, gpointer out)
{
  switch (type) {
  case ORRERY_FIELD_BOOL:
    return take_bool (take, out);
  case ORRERY_FIELD_INT64:
    return orrery_take_int (take, orrery_json_next (&take->json), out);
  case ORRERY_FIELD_DOUBLE:
    return take_number (take, out);
  case ORRERY_FIELD_TIME:
    return take_time (take, &((OrreryStamp *) out)->ns);
  case ORRERY_FIELD_VEC3:
    return take_numbers (take, out, 3);
  case ORRERY_FIELD_EULER:
  case ORRERY_FIELD_QUAT:
    return take_members (take, orrery_field_class_get (type), out);
  case ORRERY_FIELD_MAT3:
    return take_table (take, out, 3, 3);
  case ORRERY_FIELD_MAT4:
    return take_table (take, out, 4, 4);
  default:
    g_assert_not_reached ();
  }
}
