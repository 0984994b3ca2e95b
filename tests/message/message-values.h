/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <math.h>
#include <string.h>

#include "message-fixture.h"
#include "message/orrery-message-encoding.h"

/* A message of a type whose definition a test gives, and random values for any type. */
typedef struct {
  Definitions *definitions;
  OrreryMessageCatalogue *catalogue;
  const OrreryMessageType *type;
  gpointer message;
} Fixture;

static inline Fixture *
fixture_new (const char *text, OrreryMessageDialect dialect)
{
  Fixture *f = g_new0 (Fixture, 1);
  g_autoptr (GError) error = NULL;

  f->definitions = definitions_new ();
  definitions_add (f->definitions, "acme/msg/A.msg", text);
  f->catalogue = definitions_open (f->definitions, NULL);
  f->type = orrery_message_catalogue_find (f->catalogue, "acme/A", dialect, &error);
  g_assert_no_error (error);
  f->message = orrery_message_new (f->type);
  return f;
}

static inline void
fixture_free (Fixture *f)
{
  orrery_message_free (f->type, f->message);
  orrery_message_catalogue_unref (f->catalogue);
  definitions_free (f->definitions);
  g_free (f);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Fixture, fixture_free)

static inline gpointer
fixture_place (Fixture *f, const char *path)
{
  gsize offset = 0;

  g_assert_nonnull (orrery_message_type_find (f->type, path, &offset, NULL));
  return (char *) f->message + offset;
}

static inline gboolean
fixture_read (Fixture *f, OrreryMessageEncoding encoding, gconstpointer data, gsize length,
              GError **error)
{
  /* Of its own, so that a byte too far is seen. */
  g_autofree guint8 *bytes = g_memdup2 (data, length);

  return orrery_message_read (f->type, f->message, encoding, bytes, length, error);
}

static inline void values_fill (const OrreryMessageType *type, char *message, GRand *chance);

static inline void
values_fill_text (OrreryMessageText *text, gsize bound, GRand *chance)
{
  static const char *const texts[] = { "",    "a",          "é",         "\"\\/\n\t\x01\x7f",
                                       "∀ x", "\U0001f600", "base_link", "[1, {" };

  orrery_message_text_set (text, texts[g_rand_int_range (chance, 0, G_N_ELEMENTS (texts))], -1);
  if (bound > 0 && text->length > bound)
    text->length = 0;
}

static inline void
values_fill_element (const OrreryMessageField *field, gpointer place, GRand *chance)
{
  static const double numbers[] = { 0, -0.0, 0.1, -1.5, 1e300, 5e-324, 1e16, 123456789 };
  guint64 bits = (guint64) g_rand_int (chance) << 32 | g_rand_int (chance);

  switch (field->kind) {
  case ORRERY_MESSAGE_BOOL:
    *(guint8 *) place = bits & 1;
    break;
  case ORRERY_MESSAGE_TEXT:
  case ORRERY_MESSAGE_WTEXT:
    values_fill_text (place, field->text_bound, chance);
    break;
  case ORRERY_MESSAGE_NESTED:
    values_fill (field->type, place, chance);
    break;
  case ORRERY_MESSAGE_FLOAT64:
    *(double *) place = numbers[bits % G_N_ELEMENTS (numbers)];
    break;
  case ORRERY_MESSAGE_FLOAT32:
    do {
      guint32 half = g_rand_int (chance);

      memcpy (place, &half, sizeof half);
    } while (!isfinite (*(float *) place));
    break;
  case ORRERY_MESSAGE_INT64:
  case ORRERY_MESSAGE_UINT64:
    memcpy (place, &bits, 8);
    break;
  case ORRERY_MESSAGE_INT32:
  case ORRERY_MESSAGE_UINT32:
    memcpy (place, &bits, 4);
    break;
  case ORRERY_MESSAGE_INT16:
  case ORRERY_MESSAGE_UINT16:
    memcpy (place, &bits, 2);
    break;
  default:
    memcpy (place, &bits, 1);
  }
}

static inline gsize
values_get_size (const OrreryMessageField *field)
{
  static const gsize sizes[] = { 1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8 };

  if (field->kind == ORRERY_MESSAGE_NESTED)
    return orrery_message_type_get_size (field->type);
  return field->kind < G_N_ELEMENTS (sizes) ? sizes[field->kind] : sizeof (OrreryMessageText);
}

static inline void
values_fill (const OrreryMessageType *type, char *message, GRand *chance)
{
  guint n_fields;
  const OrreryMessageField *fields = orrery_message_type_get_fields (type, &n_fields);

  for (guint i = 0; i < n_fields; i++) {
    char *place = message + fields[i].offset;
    gsize n = fields[i].shape == ORRERY_MESSAGE_FIXED_ARRAY ? fields[i].count : 1;

    if (fields[i].shape == ORRERY_MESSAGE_SEQUENCE) {
      OrreryMessageArray *array = (OrreryMessageArray *) (gpointer) place;

      n = (gsize) g_rand_int_range (chance, 0, 5);
      if (fields[i].count > 0)
        n = MIN (n, fields[i].count);
      orrery_message_array_resize (array, &fields[i], n);
      place = array->data;
    }
    for (gsize k = 0; k < n; k++)
      values_fill_element (&fields[i], place + k * values_get_size (&fields[i]), chance);
  }
}

/* Writes and reads random messages of every type that Orrery brings, over what was there before. */
static inline void
values_check_all (OrreryMessageEncoding encoding, OrreryMessageDialect dialect)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  g_auto (GStrv) names = orrery_message_catalogue_list (catalogue);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GRand) chance = g_rand_new_with_seed (5);
  guint n = 0;

  for (guint i = 0; names[i] != NULL; i++) {
    const OrreryMessageType *type =
        orrery_message_catalogue_find (catalogue, names[i], dialect, NULL);
    gpointer message, other;

    if (type == NULL)
      continue;
    message = orrery_message_new (type);
    other = orrery_message_new (type);
    for (guint k = 0; k < 8; k++) {
      g_autoptr (GError) error = NULL;
      const char *data;
      gsize length;

      values_fill (type, message, chance);
      orrery_writer_clear (writer);
      g_assert_true (orrery_message_write (type, message, encoding, writer, &error));
      data = orrery_writer_get_data (writer, &length);
      if (!orrery_message_read (type, other, encoding, (const guint8 *) data, length, &error))
        g_test_fail_printf ("%s: %s", names[i], error->message);
      else if (!orrery_message_equal (type, message, other))
        g_test_fail_printf ("%s: not what was written", names[i]);
    }
    orrery_message_free (type, message);
    orrery_message_free (type, other);
    n++;
  }
  g_assert_cmpuint (n, >, 100);
}
