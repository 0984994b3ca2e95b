/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages as ROS 1 serialises them, and as CDR. */
#include "message/orrery-message-encoding-private.h"

#include <string.h>

#include "base/orrery-error-private.h"
#include "base/orrery-message-private.h"

#if G_BYTE_ORDER != G_LITTLE_ENDIAN
#error "messages are written in the order of the machine, which has to be little endian"
#endif

/* What stands before a CDR stream: representation and options. */
#define CDR_HEAD 4
#define CDR_BIG_ENDIAN 0
#define CDR_LITTLE_ENDIAN 1
/* Bytes that may follow a CDR stream, to fill a word. */
#define CDR_PADDING 3

/* --- writing --- */

typedef struct {
  OrreryWriter *writer;
  gsize origin; /* what CDR counts its alignment from */
  gboolean cdr;
} Out;

static void write_fields (Out *out, const OrreryMessageType *type, const char *message);

static inline void
align_out (Out *out, gsize size)
{
  static const char zeros[8];
  gsize behind = out->cdr ? (out->writer->length - out->origin) & (size - 1) : 0;

  if (behind > 0)
    orrery_writer_put (out->writer, zeros, size - behind);
}

static inline void
write_numbers (Out *out, gconstpointer data, gsize size, gsize n)
{
  if (n == 0)
    return;
  align_out (out, size);
  orrery_writer_put (out->writer, data, n * size);
}

static inline void
write_length (Out *out, gsize length)
{
  guint32 value = (guint32) length;

  write_numbers (out, &value, sizeof value, 1);
}

static void
write_text (Out *out, const OrreryMessageText *text)
{
  write_length (out, text->length + (out->cdr ? 1 : 0));
  orrery_writer_put (out->writer, text->data, text->length);
  if (out->cdr)
    orrery_writer_put_char (out->writer, '\0');
}

static void
write_elements (Out *out, const OrreryMessageField *field, const char *data, gsize n)
{
  gsize size = orrery_message_get_element_size (field);

  if (field->kind < ORRERY_MESSAGE_TEXT) {
    write_numbers (out, data, size, n);
    return;
  }
  if (field->kind == ORRERY_MESSAGE_NESTED && field->type->unit > 0) {
    write_numbers (out, data, field->type->unit, n * size / field->type->unit);
    return;
  }
  for (gsize i = 0; i < n; i++) {
    if (field->kind == ORRERY_MESSAGE_NESTED)
      write_fields (out, field->type, data + i * size);
    else
      write_text (out, (const OrreryMessageText *) (gconstpointer) (data + i * size));
  }
}

static void
write_field (Out *out, const OrreryMessageField *field, const char *place)
{
  const OrreryMessageArray *array = (const OrreryMessageArray *) (gconstpointer) place;

  if (field->shape != ORRERY_MESSAGE_SEQUENCE) {
    write_elements (out, field, place, field->shape == ORRERY_MESSAGE_SINGLE ? 1 : field->count);
    return;
  }
  write_length (out, array->length);
  write_elements (out, field, array->data, array->length);
}

static void
write_fields (Out *out, const OrreryMessageType *type, const char *message)
{
  for (guint i = 0; i < type->n_fields; i = type->runs[i].end) {
    const OrreryMessageField *field = &type->fields[i];
    const OrreryMessageRun *run = &type->runs[i];

    if (run->unit > 0)
      write_numbers (out, message + field->offset, run->unit, run->n);
    else
      write_field (out, field, message + field->offset);
  }
  /* IDL has no empty structs. */
  if (type->n_fields == 0 && out->cdr)
    orrery_writer_append_char (out->writer, '\0');
}

void
orrery_message_write_binary (const OrreryMessageType *type, const char *message, gboolean cdr,
                             OrreryWriter *writer)
{
  static const char head[CDR_HEAD] = { 0, CDR_LITTLE_ENDIAN, 0, 0 };
  Out out = { writer, 0, cdr };

  if (cdr)
    orrery_writer_put (writer, head, sizeof head);
  out.origin = writer->length;
  write_fields (&out, type, message);
}

/* --- reading --- */

typedef struct {
  OrreryMessageInput *input;
  gsize at;
  gsize origin; /* what CDR counts its alignment from */
  gboolean cdr;
  gboolean swaps;   /* big endian */
  gsize empty_left; /* elements without bytes that may still come */
} In;

static gboolean read_fields (In *in, const OrreryMessageType *type, char *message, GError **error);

static gsize
get_left (const In *in)
{
  return in->input->length - in->at;
}

static gboolean
ends_early (In *in, gsize wanted, GError **error)
{
  return orrery_message_fail (in->input, in->at, error,
                              "%" G_GSIZE_FORMAT " bytes are wanted, %" G_GSIZE_FORMAT " are left",
                              wanted, get_left (in));
}

static gboolean
align_in (In *in, gsize size, GError **error)
{
  gsize behind = in->cdr ? (in->at - in->origin) & (size - 1) : 0;

  if (behind == 0)
    return TRUE;
  if (size - behind > get_left (in))
    return ends_early (in, size - behind, error);
  in->at += size - behind;
  return TRUE;
}

static void
swap_numbers (guint8 *data, gsize size, gsize n)
{
  for (gsize i = 0; i < n; i++, data += size)
    for (gsize j = 0; j < size / 2; j++) {
      guint8 byte = data[j];

      data[j] = data[size - 1 - j];
      data[size - 1 - j] = byte;
    }
}

static gboolean
read_numbers (In *in, gpointer out, gsize size, gsize n, GError **error)
{
  if (n == 0)
    return TRUE;
  if (!align_in (in, size, error))
    return FALSE;
  if (n > (get_left (in)) / size)
    return ends_early (in, n * size, error);
  memcpy (out, in->input->data + in->at, n * size);
  in->at += n * size;
  if (in->swaps && size > 1)
    swap_numbers (out, size, n);
  return TRUE;
}

static gboolean
read_text (In *in, const OrreryMessageField *field, OrreryMessageText *text, GError **error)
{
  const char *data;
  guint32 length;
  gsize n;

  if (!read_numbers (in, &length, sizeof length, 1, error))
    return FALSE;
  if (length > get_left (in))
    return ends_early (in, length, error);
  data = (const char *) in->input->data + in->at;
  /* Some writers of CDR leave the final zero of an empty text out. */
  if (in->cdr && length > 0 && data[length - 1] != '\0')
    return orrery_message_fail (in->input, in->at, error, "a text without its final zero");
  n = length - (in->cdr && length > 0 ? 1 : 0);
  if (!orrery_message_check_text (in->input, in->at, field, n, error))
    return FALSE;
  if (!g_utf8_validate_len (data, n, NULL))
    return orrery_message_fail (in->input, in->at, error,
                                "a text that is no UTF-8 or has a zero byte");
  orrery_message_text_set (text, data, (gssize) n);
  in->at += length;
  return TRUE;
}

static gboolean
check_bools (In *in, const guint8 *data, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++) {
    if (data[i] <= 1)
      continue;
    in->input->place->index =
        in->input->place->field->shape == ORRERY_MESSAGE_SINGLE ? ORRERY_MESSAGE_WHOLE : i;
    return orrery_message_fail (in->input, in->at - n + i, error, "%u is neither true nor false",
                                data[i]);
  }
  return TRUE;
}

static gboolean
read_elements (In *in, const OrreryMessageField *field, char *data, gsize n, GError **error)
{
  gsize size = orrery_message_get_element_size (field);

  if (field->kind == ORRERY_MESSAGE_BOOL)
    return read_numbers (in, data, size, n, error) &&
           check_bools (in, (const guint8 *) data, n, error);
  if (field->kind < ORRERY_MESSAGE_TEXT)
    return read_numbers (in, data, size, n, error);
  if (field->kind == ORRERY_MESSAGE_NESTED && field->type->unit > 0)
    return read_numbers (in, data, field->type->unit, n * size / field->type->unit, error);
  for (gsize i = 0; i < n; i++) {
    if (field->shape != ORRERY_MESSAGE_SINGLE)
      in->input->place->index = i;
    if (field->kind == ORRERY_MESSAGE_NESTED
            ? !read_fields (in, field->type, data + i * size, error)
            : !read_text (in, field, (OrreryMessageText *) (gpointer) (data + i * size), error))
      return FALSE;
  }
  return TRUE;
}

/* Whether the message can have so many elements of at least so many bytes each. Elements without
 * bytes would take memory for nothing, so a message has at most as many as it has bytes. */
static gboolean
take_elements (In *in, gsize n, gsize least, GError **error)
{
  if (least > 0 && n > get_left (in) / least)
    return ends_early (in, n * least, error);
  if (least > 0)
    return TRUE;
  if (n > in->empty_left)
    return orrery_message_fail (in->input, in->at, error,
                                "%" G_GSIZE_FORMAT
                                " elements without bytes, more than the message has bytes",
                                n);
  in->empty_left -= n;
  return TRUE;
}

static gboolean
read_sequence (In *in, const OrreryMessageField *field, OrreryMessageArray *array, GError **error)
{
  gsize least = orrery_message_get_least_bytes (field);
  guint32 n;

  if (!read_numbers (in, &n, sizeof n, 1, error) ||
      !take_elements (in, n, in->cdr ? MAX (least, 1) : least, error) ||
      !orrery_message_check_count (in->input, in->at, field, n, error))
    return FALSE;
  orrery_message_array_empty (array);
  orrery_message_array_prepare (array, field, n);
  return read_elements (in, field, array->data, n, error);
}

static gboolean
read_field (In *in, const OrreryMessageField *field, char *place, GError **error)
{
  if (field->shape == ORRERY_MESSAGE_SEQUENCE)
    return read_sequence (in, field, (OrreryMessageArray *) (gpointer) place, error);
  return read_elements (in, field, place, field->shape == ORRERY_MESSAGE_SINGLE ? 1 : field->count,
                        error);
}

static gboolean
read_fields (In *in, const OrreryMessageType *type, char *message, GError **error)
{
  OrreryMessagePlace here = { in->input->place, NULL, ORRERY_MESSAGE_WHOLE };
  guint8 none;
  guint i = 0;

  in->input->place = &here;
  while (i < type->n_fields) {
    const OrreryMessageField *field = &type->fields[i];
    const OrreryMessageRun *run = &type->runs[i];
    /* Field by field where the bytes end, so that an error names the right one. */
    gboolean is_run = run->unit > 0 && get_left (in) >= run->unit * (run->n + 1);

    here.field = field;
    here.index = ORRERY_MESSAGE_WHOLE;
    if (is_run ? !read_numbers (in, message + field->offset, run->unit, run->n, error)
               : !read_field (in, field, message + field->offset, error))
      return FALSE;
    i = is_run ? run->end : i + 1;
  }
  in->input->place = here.up;
  return type->n_fields > 0 || !in->cdr || read_numbers (in, &none, 1, 1, error);
}

static gboolean
read_head (In *in, GError **error)
{
  if (in->input->length < CDR_HEAD)
    return ends_early (in, CDR_HEAD, error);
  if (in->input->data[0] != 0 || in->input->data[1] > CDR_LITTLE_ENDIAN)
    return orrery_message_fail (in->input, 0, error,
                                "a representation 0x%02x%02x; plain CDR is 0x0000 or 0x0001",
                                in->input->data[0], in->input->data[1]);
  in->swaps = in->input->data[1] == CDR_BIG_ENDIAN;
  in->at = in->origin = CDR_HEAD;
  return TRUE;
}

static gboolean
check_end (In *in, GError **error)
{
  gsize left = get_left (in);

  if (left <= (in->cdr ? CDR_PADDING : 0))
    return TRUE;
  return orrery_message_fail (in->input, in->at, error,
                              "%" G_GSIZE_FORMAT " bytes behind the last field", left);
}

gboolean
orrery_message_read_binary (OrreryMessageInput *input, const OrreryMessageType *type, char *message,
                            gboolean cdr, gsize *used, GError **error)
{
  In in = { input, 0, 0, cdr, FALSE, input->length };

  if ((cdr && !read_head (&in, error)) || !read_fields (&in, type, message, error) ||
      (used == NULL && !check_end (&in, error)))
    return FALSE;
  if (used != NULL)
    *used = in.at;
  return TRUE;
}
