/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads messages from CBOR (RFC 8949), with typed arrays (RFC 8746). */
#include "message/orrery-message-cbor-private.h"

#include <math.h>
#include <string.h>

/* Says that CBOR follows. */
#define TAG_CBOR 55799
/* Typed arrays: a number whose bits say of what. */
#define FIRST_ARRAY_TAG 64
#define LAST_ARRAY_TAG 87
#define ARRAY_FLOAT 16
#define ARRAY_SIGNED 8
#define ARRAY_LITTLE_ENDIAN 4
#define ARRAY_CLAMPED 68 /* uint8, little endian by its bits */
#define ARRAY_UNUSED 76
#define MAX_TAGS 4

typedef struct {
  OrreryMessageInput *input;
  gsize at;
} In;

/* The head of an item. */
typedef struct {
  gsize at;
  OrreryCborMajor major;
  guint info;    /* the lower bits of the first byte */
  guint64 value; /* a number, a count, the bits of a float */
  guint64 tag;   /* in front of it; 0: none */
} Item;

/* The keys of a map that were there. */
typedef struct {
  guint64 bits[ORRERY_MESSAGE_MAX_FIELDS / 64];
} Seen;

static gboolean read_map (In *in, const Item *item, const OrreryMessageType *type, char *message,
                          GError **error);

/* --- heads --- */

static gsize
get_left (const In *in)
{
  return in->input->length - in->at;
}

static gboolean
check_left (In *in, guint64 wanted, GError **error)
{
  return wanted <= get_left (in) ||
         orrery_message_fail (in->input, in->at, error,
                              "%" G_GUINT64_FORMAT " bytes are wanted, %" G_GSIZE_FORMAT
                              " are left",
                              wanted, get_left (in));
}

static guint64
load (const guint8 *data, guint n, gboolean is_little_endian)
{
  guint64 value = 0;

  for (guint i = 0; i < n; i++)
    value = value << 8 | data[is_little_endian ? n - 1 - i : i];
  return value;
}

static gboolean
is_indefinite (const Item *item)
{
  return item->info == ORRERY_CBOR_INDEFINITE;
}

static gboolean
is_break (const Item *item)
{
  return item->major == ORRERY_CBOR_SIMPLE && is_indefinite (item);
}

/* One head; a tag is one of its own. */
static gboolean
read_head (In *in, Item *item, GError **error)
{
  guint n;

  item->at = in->at;
  if (!check_left (in, 1, error))
    return FALSE;
  item->major = (OrreryCborMajor) (in->input->data[in->at] >> 5);
  item->info = in->input->data[in->at++] & 31;
  item->value = item->info;
  if (item->info < ORRERY_CBOR_ONE_BYTE)
    return TRUE;
  if (is_indefinite (item) && item->major >= ORRERY_CBOR_BYTES && item->major != ORRERY_CBOR_TAG)
    return TRUE;
  if (item->info > ORRERY_CBOR_EIGHT_BYTES)
    return orrery_message_fail (in->input, item->at, error, "0x%02x, which begins nothing in CBOR",
                                in->input->data[item->at]);
  n = 1u << (item->info - ORRERY_CBOR_ONE_BYTE);
  if (!check_left (in, n, error))
    return FALSE;
  item->value = load (in->input->data + in->at, n, FALSE);
  in->at += n;
  return TRUE;
}

/* An item's head, behind its tags. */
static gboolean
read_item (In *in, Item *item, GError **error)
{
  item->tag = 0;
  for (guint i = 0; i < MAX_TAGS; i++) {
    if (!read_head (in, item, error))
      return FALSE;
    if (item->major != ORRERY_CBOR_TAG)
      return TRUE;
    if (item->value != TAG_CBOR)
      item->tag = item->value;
  }
  return orrery_message_fail (in->input, in->at, error, "more than %d tags", MAX_TAGS);
}

static const char *
describe (const Item *item)
{
  static const char *const names[] = { "an integer", "an integer", "a byte string", "a text",
                                       "a list",     "a map",      "a tag" };

  if (item->major != ORRERY_CBOR_SIMPLE)
    return names[item->major];
  if (is_break (item))
    return "a break";
  if (item->info >= ORRERY_CBOR_TWO_BYTES)
    return "a number";
  return item->info == ORRERY_CBOR_FALSE || item->info == ORRERY_CBOR_TRUE ? "a bool"
         : item->info == ORRERY_CBOR_NULL                                  ? "null"
                                                                           : "a simple value";
}

static gboolean
fail_item (In *in, const Item *item, const char *expected, GError **error)
{
  if (item->tag > 0)
    return orrery_message_fail (in->input, item->at, error,
                                "%s with the tag %" G_GUINT64_FORMAT " where %s is expected",
                                describe (item), item->tag, expected);
  return orrery_message_fail (in->input, item->at, error, "%s where %s is expected",
                              describe (item), expected);
}

/* --- numbers --- */

static double
widen_half (guint16 bits)
{
  guint exponent = bits >> 10 & 31;
  double fraction = bits & 1023, value;

  if (exponent == 31)
    value = fraction == 0 ? INFINITY : NAN;
  else
    value = exponent == 0 ? ldexp (fraction, -24) : ldexp (fraction + 1024, (int) exponent - 25);
  return bits >> 15 ? -value : value;
}

/* @n: bytes that the number had */
static double
make_float (guint64 bits, guint n)
{
  guint32 half = (guint32) bits;
  double value;
  float single;

  if (n == 2)
    return widen_half ((guint16) bits);
  memcpy (&single, &half, sizeof single);
  memcpy (&value, &bits, sizeof value);
  return n == 4 ? single : value;
}

static gboolean
is_float (OrreryMessageKind kind)
{
  return kind == ORRERY_MESSAGE_FLOAT32 || kind == ORRERY_MESSAGE_FLOAT64;
}

static gboolean
read_number (In *in, const Item *item, OrreryMessageKind kind, gpointer element, GError **error)
{
  OrreryMessageInput *input = in->input;

  if (item->tag == 0 && item->major == ORRERY_CBOR_INT)
    return orrery_message_put_int (input, item->at, kind, FALSE, item->value, element, error);
  if (item->tag == 0 && item->major == ORRERY_CBOR_NEGATIVE)
    return item->value == G_MAXUINT64
               ? orrery_message_put_double (input, item->at, kind, -0x1p64, element, error)
               : orrery_message_put_int (input, item->at, kind, TRUE, item->value + 1, element,
                                         error);
  if (item->tag == 0 && item->major == ORRERY_CBOR_SIMPLE && !is_indefinite (item)) {
    if (item->info >= ORRERY_CBOR_TWO_BYTES)
      return orrery_message_put_double (input, item->at, kind,
                                        make_float (item->value,
                                                    1u << (item->info - ORRERY_CBOR_ONE_BYTE)),
                                        element, error);
    if (is_float (kind) && (item->info == ORRERY_CBOR_NULL || item->info == ORRERY_CBOR_UNDEFINED))
      return orrery_message_put_double (input, item->at, kind, NAN, element, error);
  }
  return fail_item (in, item, is_float (kind) ? "a number" : "an integer", error);
}

/* --- texts and bytes --- */

/* The next piece of a text or a byte string, or the break behind the last. */
static gboolean
read_piece (In *in, OrreryCborMajor major, Item *item, GError **error)
{
  if (!read_item (in, item, error))
    return FALSE;
  if (item->tag == 0 && is_break (item))
    return TRUE;
  if (item->tag > 0 || item->major != major || is_indefinite (item))
    return fail_item (in, item, "a piece or a break", error);
  return check_left (in, item->value, error);
}

/* The bytes of a text or a byte string, which may have pieces; they are not taken yet. */
static gboolean
measure (In *in, const Item *item, gsize *length, GError **error)
{
  In ahead = *in;
  Item piece;

  *length = item->value;
  if (!is_indefinite (item))
    return check_left (in, item->value, error);
  for (*length = 0; read_piece (&ahead, item->major, &piece, error); ahead.at += piece.value) {
    if (is_break (&piece))
      return TRUE;
    *length += piece.value;
  }
  return FALSE;
}

static char *
copy_piece (In *in, gsize length, char *out)
{
  if (length == 0)
    return out;
  memcpy (out, in->input->data + in->at, length);
  in->at += length;
  return out + length;
}

/* Takes what was measured. */
static void
copy (In *in, const Item *item, char *out)
{
  Item piece;

  if (!is_indefinite (item)) {
    copy_piece (in, item->value, out);
    return;
  }
  while (read_piece (in, item->major, &piece, NULL) && !is_break (&piece))
    out = copy_piece (in, piece.value, out);
}

static gboolean
read_text (In *in, const Item *item, const OrreryMessageField *field, OrreryMessageText *text,
           GError **error)
{
  gsize length;

  if (item->tag > 0 || item->major != ORRERY_CBOR_TEXT)
    return fail_item (in, item, "a text", error);
  if (!measure (in, item, &length, error) ||
      !orrery_message_check_text (in->input, item->at, field, length, error))
    return FALSE;
  orrery_message_text_reserve (text, length);
  copy (in, item, text->data);
  text->length = length;
  return length == 0 || g_utf8_validate_len (text->data, length, NULL) ||
         orrery_message_fail (in->input, item->at, error,
                              "a text that is no UTF-8 or has a zero byte");
}

/* --- arrays --- */

/* Where the elements of an array go. @n: how many. Returns: NULL with an error */
static char *
make_room (In *in, const Item *item, const OrreryMessageField *field, char *place, guint64 n,
           GError **error)
{
  OrreryMessageArray *array = (OrreryMessageArray *) (gpointer) place;

  if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY) {
    if (n == field->count)
      return place;
    orrery_message_fail (in->input, item->at, error,
                         "%" G_GUINT64_FORMAT " elements where %" G_GSIZE_FORMAT " are expected", n,
                         field->count);
    return NULL;
  }
  if (!orrery_message_check_count (in->input, item->at, field, n, error) ||
      !orrery_message_take_memory (in->input, item->at, field, n, error))
    return NULL;
  orrery_message_array_prepare (array, field, n);
  /* Of nothing there is no place; any will do. */
  return n > 0 ? array->data : place;
}

static gboolean
put_array_number (In *in, guint bits, const guint8 *data, guint size, OrreryMessageKind kind,
                  gpointer element, GError **error)
{
  guint64 value = load (data, size, (bits & ARRAY_LITTLE_ENDIAN) != 0);
  guint64 sign = G_GUINT64_CONSTANT (1) << (8 * size - 1);

  if ((bits & ARRAY_FLOAT) != 0)
    return orrery_message_put_double (in->input, in->at, kind, make_float (value, size), element,
                                      error);
  if ((bits & ARRAY_SIGNED) != 0 && (value & sign) != 0)
    return orrery_message_put_int (in->input, in->at, kind, TRUE, 2 * sign - value, element, error);
  return orrery_message_put_int (in->input, in->at, kind, FALSE, value, element, error);
}

/* Whether bytes of such a typed array are the elements as they lie in memory. */
static gboolean
is_same (guint bits, guint size, OrreryMessageKind kind)
{
  /* In the order of OrreryMessageKind, without the bit of the byte order. */
  static const guint8 kinds[] = { 255, 8, 0, 9, 1, 10, 2, 11, 3, 17, 18 };

  return (size == 1 || (bits & ARRAY_LITTLE_ENDIAN) != 0) &&
         (bits & ~(guint) ARRAY_LITTLE_ENDIAN) == kinds[kind];
}

static gboolean
read_typed (In *in, const Item *item, const OrreryMessageField *field, char *place, GError **error)
{
  guint bits = item->tag == ARRAY_CLAMPED ? 0 : (guint) item->tag - FIRST_ARRAY_TAG;
  guint size = (bits & ARRAY_FLOAT) != 0 ? 2u << (bits & 3) : 1u << (bits & 3);
  gsize step = orrery_message_get_element_size (field), n;

  if (item->major != ORRERY_CBOR_BYTES || is_indefinite (item) || size > 8 ||
      item->tag == ARRAY_UNUSED || item->value % size != 0)
    return fail_item (in, item, "an array of numbers", error);
  if (!check_left (in, item->value, error))
    return FALSE;
  n = item->value / size;
  place = make_room (in, item, field, place, n, error);
  if (place == NULL)
    return FALSE;
  if (n > 0 && is_same (bits, size, field->kind)) {
    memcpy (place, in->input->data + in->at, item->value);
    in->at += item->value;
    return TRUE;
  }
  for (gsize i = 0; i < n; i++, in->at += size) {
    in->input->place->index = i;
    if (!put_array_number (in, bits, in->input->data + in->at, size, field->kind, place + i * step,
                           error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_bytes (In *in, const Item *item, const OrreryMessageField *field, char *place, GError **error)
{
  gsize length;

  if (!measure (in, item, &length, error))
    return FALSE;
  place = make_room (in, item, field, place, length, error);
  if (place == NULL)
    return FALSE;
  copy (in, item, place);
  return TRUE;
}

/* --- values --- */

static gboolean
read_element (In *in, const Item *item, const OrreryMessageField *field, OrreryMessageKind kind,
              char *place, GError **error)
{
  if (kind == ORRERY_MESSAGE_NESTED)
    return read_map (in, item, field->type, place, error);
  if (kind >= ORRERY_MESSAGE_TEXT)
    return read_text (in, item, field, (OrreryMessageText *) (gpointer) place, error);
  if (kind != ORRERY_MESSAGE_BOOL)
    return read_number (in, item, kind, place, error);
  if (item->tag > 0 || item->major != ORRERY_CBOR_SIMPLE ||
      (item->info != ORRERY_CBOR_FALSE && item->info != ORRERY_CBOR_TRUE))
    return fail_item (in, item, "a bool", error);
  *place = item->info == ORRERY_CBOR_TRUE;
  return TRUE;
}

/* The place of one element more. Returns: NULL with an error */
static char *
extend (In *in, const Item *item, const OrreryMessageField *field, char *place, gsize i,
        GError **error)
{
  OrreryMessageArray *array = (OrreryMessageArray *) (gpointer) place;
  gsize size = orrery_message_get_element_size (field);

  if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY) {
    if (i < field->count)
      return place + i * size;
    orrery_message_fail (in->input, item->at, error, "a list of more than %" G_GSIZE_FORMAT,
                         field->count);
    return NULL;
  }
  if (!orrery_message_check_count (in->input, item->at, field, i + 1, error) ||
      !orrery_message_take_memory (in->input, item->at, field, 1, error))
    return NULL;
  if (i + 1 > array->room)
    orrery_message_array_prepare (array, field, MAX (4, 2 * i));
  array->length = i + 1;
  place = (char *) array->data + i * size;
  if (field->kind == ORRERY_MESSAGE_NESTED)
    orrery_message_clear (field->type, place);
  return place;
}

static gboolean
read_list (In *in, const Item *list, const OrreryMessageField *field, char *place, GError **error)
{
  gsize i = 0;

  if (!is_indefinite (list) && !check_left (in, list->value, error))
    return FALSE;
  for (; is_indefinite (list) || i < list->value; i++) {
    Item item;
    char *element;

    in->input->place->index = i;
    if (!read_item (in, &item, error))
      return FALSE;
    if (is_indefinite (list) && is_break (&item) && item.tag == 0)
      break;
    element = extend (in, &item, field, place, i, error);
    if (element == NULL || !read_element (in, &item, field, field->kind, element, error))
      return FALSE;
  }
  in->input->place->index = ORRERY_MESSAGE_WHOLE;
  if (field->shape == ORRERY_MESSAGE_SEQUENCE || i == field->count)
    return TRUE;
  return orrery_message_fail (in->input, list->at, error,
                              "a list of %" G_GSIZE_FORMAT " where one of %" G_GSIZE_FORMAT
                              " is expected",
                              i, field->count);
}

static gboolean
read_value (In *in, const OrreryMessageField *field, OrreryMessageKind kind, char *place,
            GError **error)
{
  gboolean is_number = kind < ORRERY_MESSAGE_TEXT && kind != ORRERY_MESSAGE_BOOL;
  Item item;

  if (!read_item (in, &item, error))
    return FALSE;
  if (field->shape == ORRERY_MESSAGE_SINGLE)
    return read_element (in, &item, field, kind, place, error);
  if (field->shape == ORRERY_MESSAGE_SEQUENCE)
    orrery_message_array_empty ((OrreryMessageArray *) (gpointer) place);
  if (is_number && item.tag >= FIRST_ARRAY_TAG && item.tag <= LAST_ARRAY_TAG)
    return read_typed (in, &item, field, place, error);
  if (item.tag == 0 && item.major == ORRERY_CBOR_LIST)
    return read_list (in, &item, field, place, error);
  if (item.tag == 0 && item.major == ORRERY_CBOR_BYTES &&
      (kind == ORRERY_MESSAGE_UINT8 || kind == ORRERY_MESSAGE_INT8))
    return read_bytes (in, &item, field, place, error);
  return fail_item (in, &item, "a list", error);
}

/* --- maps --- */

static gboolean
read_pair (In *in, const Item *key, const OrreryMessageType *type, char *message,
           OrreryMessagePlace *here, guint *next, Seen *seen, GError **error)
{
  const char *name = (const char *) in->input->data + in->at;
  guint64 bit;
  guint i;

  if (key->tag > 0 || key->major != ORRERY_CBOR_TEXT || is_indefinite (key))
    return fail_item (in, key, "a key", error);
  if (!check_left (in, key->value, error))
    return FALSE;
  in->at += key->value;
  i = orrery_message_find_key (type, name, key->value, *next);
  if (i == type->n_fields)
    return orrery_message_fail_no_field (in->input, key->at, type, name, key->value, error);
  here->field = &type->fields[i];
  here->index = ORRERY_MESSAGE_WHOLE;
  in->input->place = here;
  bit = G_GUINT64_CONSTANT (1) << (i % 64);
  if ((seen->bits[i / 64] & bit) != 0)
    return orrery_message_fail (in->input, key->at, error, "a key that is there twice");
  seen->bits[i / 64] |= bit;
  *next = i + 1;
  return read_value (in, here->field, type->keys[i].kind, message + here->field->offset, error);
}

static gboolean
read_map (In *in, const Item *item, const OrreryMessageType *type, char *message, GError **error)
{
  OrreryMessagePlace here = { in->input->place, NULL, ORRERY_MESSAGE_WHOLE };
  Seen seen = { { 0 } };
  guint next = 0;

  if (item->tag > 0 || item->major != ORRERY_CBOR_MAP)
    return fail_item (in, item, "a map", error);
  for (guint64 i = 0; is_indefinite (item) || i < item->value; i++) {
    Item key;

    if (!read_item (in, &key, error))
      return FALSE;
    if (is_indefinite (item) && is_break (&key) && key.tag == 0)
      break;
    if (!read_pair (in, &key, type, message, &here, &next, &seen, error))
      return FALSE;
    in->input->place = here.up;
  }
  return TRUE;
}

gboolean
orrery_message_read_cbor (OrreryMessageInput *input, const OrreryMessageType *type, char *message,
                          gsize *used, GError **error)
{
  In in = { input, 0 };
  Item item;

  orrery_message_clear (type, message);
  if (!read_item (&in, &item, error) || !read_map (&in, &item, type, message, error))
    return FALSE;
  if (used != NULL)
    *used = in.at;
  return used != NULL || in.at == input->length ||
         orrery_message_fail (input, in.at, error, "%" G_GSIZE_FORMAT " bytes behind the message",
                              get_left (&in));
}
