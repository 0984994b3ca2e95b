/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads messages from JSON, in the form of rosbridge. */
#include "message/orrery-message-encoding-private.h"

#include <math.h>
#include <string.h>

#include "text/orrery-json-private.h"

/* A list and an object for each message inside another, and a list of numbers. */
#define MAX_DEPTH (2 * ORRERY_MESSAGE_MAX_DEPTH + 4)
/* Bytes of a key with its escapes; none is as long. */
#define MAX_KEY 256
/* Elements that a sequence first has room for. */
#define FIRST_ROOM 4

typedef struct {
  OrreryMessageInput *input;
  OrreryJson json;
} In;

/* The keys of an object that were there. */
typedef struct {
  guint64 bits[ORRERY_MESSAGE_MAX_FIELDS / 64];
} Seen;

static gboolean read_object (In *in, const OrreryMessageType *type, char *message, GError **error);

static gsize
get_at (const In *in)
{
  return (gsize) (in->json.start - (const char *) in->input->data);
}

static gboolean
fail_token (In *in, OrreryJsonToken token, const char *expected, GError **error)
{
  if (token == ORRERY_JSON_ERROR)
    return orrery_message_fail (in->input,
                                (gsize) (in->json.wrong - (const char *) in->input->data), error,
                                "%s", in->json.what);
  return orrery_message_fail (in->input, get_at (in), error, "%s where %s is expected",
                              orrery_json_token_get_name (token), expected);
}

/* --- numbers --- */

/* An integer that the scanner could not hold: from 2^63 on. */
static gboolean
read_large (In *in, gboolean *is_negative, guint64 *magnitude)
{
  const char *at = in->json.start;
  guint64 value = 0;

  *is_negative = *at == '-';
  for (at += *is_negative; at < in->json.at; at++)
    if (!g_ascii_isdigit (*at) || __builtin_mul_overflow (value, 10, &value) ||
        __builtin_add_overflow (value, (guint64) (*at - '0'), &value))
      return FALSE;
  *magnitude = value;
  return TRUE;
}

static gboolean
read_number (In *in, OrreryMessageKind kind, OrreryJsonToken token, gpointer element,
             GError **error)
{
  gboolean is_float = kind == ORRERY_MESSAGE_FLOAT32 || kind == ORRERY_MESSAGE_FLOAT64;
  guint64 magnitude;
  gboolean is_negative;

  if (token == ORRERY_JSON_NULL && is_float)
    return orrery_message_put_double (in->input, get_at (in), kind, NAN, element, error);
  if (token == ORRERY_JSON_INT && !is_float) {
    gint64 value = in->json.integer;

    return orrery_message_put_int (in->input, get_at (in), kind, value < 0,
                                   value < 0 ? 0 - (guint64) value : (guint64) value, element,
                                   error);
  }
  if (token != ORRERY_JSON_INT && token != ORRERY_JSON_DOUBLE)
    return fail_token (in, token, is_float ? "a number" : "an integer", error);
  if (!is_float && read_large (in, &is_negative, &magnitude))
    return orrery_message_put_int (in->input, get_at (in), kind, is_negative, magnitude, element,
                                   error);
  return orrery_message_put_double (in->input, get_at (in), kind, in->json.number, element, error);
}

/* --- texts --- */

static gboolean
read_text (In *in, const OrreryMessageField *field, OrreryMessageText *text, GError **error)
{
  if (in->json.length == 0) {
    text->length = 0;
    return TRUE;
  }
  orrery_message_text_reserve (text, in->json.length);
  if (in->json.escaped) {
    text->length = orrery_json_unescape (&in->json, text->data);
  } else {
    memcpy (text->data, in->json.text, in->json.length);
    text->length = in->json.length;
  }
  return orrery_message_check_text (in->input, get_at (in), field, text->length, error);
}

/* --- bytes --- */

/* The six bits of the letters of base64 from the blank on; -1: none. */
static const gint8 digit_values[96] = {
  -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 62, -1, -1, -1, 63, 52, 53, 54, 55, 56, 57, 58, 59,
  60, 61, -1, -1, -1, -1, -1, -1, -1, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
  15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, -1, -1, -1, -1, -1, -1, 26, 27, 28, 29, 30, 31, 32,
  33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, -1, -1, -1, -1, -1,
};

/* Returns: the six bits of a letter of base64, or -1 */
static inline int
read_digit (char c)
{
  guint i = (guint) (guchar) c - ' ';

  return i < G_N_ELEMENTS (digit_values) ? digit_values[i] : -1;
}

/* What @n letters, up to four, stand for. Returns: FALSE if they stand for nothing */
static gboolean
read_digits (const char *text, gsize n, guint8 *out)
{
  int bits = 0;

  for (gsize i = 0; i < 4; i++) {
    int digit = i < n ? read_digit (text[i]) : 0;

    if (digit < 0)
      return FALSE;
    bits = bits << 6 | digit;
  }
  for (gsize i = 0; i + 1 < n; i++)
    out[i] = (guint8) (bits >> (16 - 8 * i));
  /* The bits behind the last byte. */
  return n == 4 || (bits & (n == 3 ? 0xff : 0xffff)) == 0;
}

/* @n: bytes that the letters stand for */
static gboolean
read_base64 (In *in, const char *text, gsize n, guint8 *out, GError **error)
{
  gsize i = 0;

  for (; i + 3 <= n; i += 3, text += 4) {
    int bits = read_digit (text[0]) * (1 << 18) | read_digit (text[1]) * (1 << 12) |
               read_digit (text[2]) * (1 << 6) | read_digit (text[3]);

    if (bits < 0)
      break;
    out[i] = (guint8) (bits >> 16);
    out[i + 1] = (guint8) (bits >> 8);
    out[i + 2] = (guint8) bits;
  }
  for (; i < n; i += 3, text += 4)
    if (!read_digits (text, MIN (4, n - i + 1), out + i))
      return orrery_message_fail (in->input, get_at (in), error, "a text that is no base64");
  return TRUE;
}

static gboolean
count_base64 (In *in, const char *text, gsize length, gsize *n, GError **error)
{
  gsize padding = 0;

  while (padding < 2 && padding < length && text[length - 1 - padding] == '=')
    padding++;
  *n = length / 4 * 3 - padding;
  return length % 4 == 0 ||
         orrery_message_fail (in->input, get_at (in), error,
                              "a text of %" G_GSIZE_FORMAT " letters, no base64", length);
}

static gboolean
read_bytes (In *in, const OrreryMessageField *field, char *place, GError **error)
{
  g_autofree char *plain = in->json.escaped ? orrery_json_dup_text (&in->json) : NULL;
  const char *text = plain != NULL ? plain : in->json.text;
  gsize length = plain != NULL ? strlen (plain) : in->json.length;
  OrreryMessageArray *array = (OrreryMessageArray *) (gpointer) place;
  gsize n = 0;

  if (!count_base64 (in, text, length, &n, error) ||
      !orrery_message_check_count (in->input, get_at (in), field, n, error))
    return FALSE;
  if (field->shape == ORRERY_MESSAGE_SEQUENCE) {
    orrery_message_array_empty (array);
    orrery_message_array_prepare (array, field, n);
    return read_base64 (in, text, n, array->data, error);
  }
  if (n != field->count)
    return orrery_message_fail (in->input, get_at (in), error,
                                "%" G_GSIZE_FORMAT " bytes where %" G_GSIZE_FORMAT " are expected",
                                n, field->count);
  return read_base64 (in, text, n, (guint8 *) place, error);
}

/* --- values --- */

static gboolean
read_element (In *in, const OrreryMessageField *field, OrreryMessageKind kind,
              OrreryJsonToken token, char *place, GError **error)
{
  switch (kind) {
  case ORRERY_MESSAGE_NESTED:
    return token == ORRERY_JSON_OBJECT ? read_object (in, field->type, place, error)
                                       : fail_token (in, token, "an object", error);
  case ORRERY_MESSAGE_TEXT:
  case ORRERY_MESSAGE_WTEXT:
    return token == ORRERY_JSON_TEXT
               ? read_text (in, field, (OrreryMessageText *) (gpointer) place, error)
               : fail_token (in, token, "a text", error);
  case ORRERY_MESSAGE_BOOL:
    if (token != ORRERY_JSON_BOOL)
      return fail_token (in, token, "a bool", error);
    *place = (char) in->json.boolean;
    return TRUE;
  default:
    return read_number (in, kind, token, place, error);
  }
}

static gboolean
extend (In *in, const OrreryMessageField *field, OrreryMessageArray *array, GError **error)
{
  gsize n = array->length + 1;

  if (!orrery_message_check_count (in->input, get_at (in), field, n, error) ||
      !orrery_message_take_memory (in->input, get_at (in), field, 1, error))
    return FALSE;
  if (n > array->room)
    orrery_message_array_prepare (array, field, MAX (FIRST_ROOM, 2 * (n - 1)));
  array->length = n;
  return TRUE;
}

static gboolean
read_sequence (In *in, const OrreryMessageField *field, OrreryMessageArray *array, GError **error)
{
  gsize size = orrery_message_get_element_size (field);
  OrreryJsonToken token;

  orrery_message_array_empty (array);
  while ((token = orrery_json_next (&in->json)) != ORRERY_JSON_LIST_END) {
    char *place;

    in->input->place->index = array->length;
    if (!extend (in, field, array, error))
      return FALSE;
    place = (char *) array->data + (array->length - 1) * size;
    if (field->kind == ORRERY_MESSAGE_NESTED)
      orrery_message_clear (field->type, place);
    if (!read_element (in, field, field->kind, token, place, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_fixed (In *in, const OrreryMessageField *field, char *place, GError **error)
{
  gsize size = orrery_message_get_element_size (field);
  OrreryJsonToken token;

  for (gsize i = 0; i < field->count; i++) {
    token = orrery_json_next (&in->json);
    in->input->place->index = token == ORRERY_JSON_LIST_END ? ORRERY_MESSAGE_WHOLE : i;
    if (token == ORRERY_JSON_LIST_END)
      return orrery_message_fail (in->input, get_at (in), error,
                                  "a list of %" G_GSIZE_FORMAT " where one of %" G_GSIZE_FORMAT
                                  " is expected",
                                  i, field->count);
    if (!read_element (in, field, field->kind, token, place + i * size, error))
      return FALSE;
  }
  in->input->place->index = ORRERY_MESSAGE_WHOLE;
  token = orrery_json_next (&in->json);
  if (token == ORRERY_JSON_LIST_END)
    return TRUE;
  return token == ORRERY_JSON_ERROR
             ? fail_token (in, token, "", error)
             : orrery_message_fail (in->input, get_at (in), error,
                                    "a list of more than %" G_GSIZE_FORMAT, field->count);
}

static gboolean
read_value (In *in, const OrreryMessageField *field, OrreryMessageKind kind, char *place,
            GError **error)
{
  OrreryJsonToken token = orrery_json_next (&in->json);
  gboolean is_byte = kind == ORRERY_MESSAGE_UINT8 || kind == ORRERY_MESSAGE_INT8;

  if (field->shape == ORRERY_MESSAGE_SINGLE)
    return read_element (in, field, kind, token, place, error);
  if (token == ORRERY_JSON_TEXT && is_byte)
    return read_bytes (in, field, place, error);
  if (token != ORRERY_JSON_LIST)
    return fail_token (in, token, is_byte ? "a list or base64" : "a list", error);
  return field->shape == ORRERY_MESSAGE_SEQUENCE
             ? read_sequence (in, field, (OrreryMessageArray *) (gpointer) place, error)
             : read_fixed (in, field, place, error);
}

/* --- objects --- */

static guint
find_key (In *in, const OrreryMessageType *type, guint hint)
{
  char key[MAX_KEY];

  if (!in->json.escaped)
    return orrery_message_find_key (type, in->json.text, in->json.length, hint);
  if (in->json.length > sizeof key)
    return type->n_fields;
  return orrery_message_find_key (type, key, orrery_json_unescape (&in->json, key), hint);
}

/* @here: the place of the field that the key means, on top of where the object is */
static gboolean
read_pair (In *in, const OrreryMessageType *type, char *message, OrreryMessagePlace *here,
           guint *next, Seen *seen, GError **error)
{
  guint i = find_key (in, type, *next);
  guint64 bit = G_GUINT64_CONSTANT (1) << (i % 64);

  if (i == type->n_fields) {
    in->input->place = here->up;
    return orrery_message_fail_no_field (in->input, get_at (in), type, in->json.text,
                                         in->json.length, error);
  }
  here->field = &type->fields[i];
  here->index = ORRERY_MESSAGE_WHOLE;
  if ((seen->bits[i / 64] & bit) != 0)
    return orrery_message_fail (in->input, get_at (in), error, "a key that is there twice");
  seen->bits[i / 64] |= bit;
  *next = i + 1;
  return read_value (in, here->field, type->keys[i].kind, message + here->field->offset, error);
}

/* What stands behind the brace. */
static gboolean
read_object (In *in, const OrreryMessageType *type, char *message, GError **error)
{
  OrreryMessagePlace here = { in->input->place, NULL, ORRERY_MESSAGE_WHOLE };
  OrreryJsonToken token;
  Seen seen = { { 0 } };
  guint next = 0;

  while ((token = orrery_json_next (&in->json)) == ORRERY_JSON_KEY) {
    in->input->place = &here;
    if (!read_pair (in, type, message, &here, &next, &seen, error))
      return FALSE;
    in->input->place = here.up;
  }
  return token == ORRERY_JSON_OBJECT_END || fail_token (in, token, "a key", error);
}

gboolean
orrery_message_read_json (OrreryMessageInput *input, const OrreryMessageType *type, char *message,
                          gsize *used, GError **error)
{
  In in = { .input = input };
  OrreryJsonToken token;

  orrery_message_clear (type, message);
  orrery_json_init (&in.json, (const char *) input->data, input->length, MAX_DEPTH);
  token = orrery_json_next (&in.json);
  if (token != ORRERY_JSON_OBJECT)
    return fail_token (&in, token, "an object", error);
  if (!read_object (&in, type, message, error))
    return FALSE;
  if (used != NULL) {
    *used = (gsize) (in.json.at - (const char *) input->data);
    return TRUE;
  }
  token = orrery_json_next (&in.json);
  return token == ORRERY_JSON_END || fail_token (&in, token, "the end", error);
}
