/* SPDX-License-Identifier: BSD-3-Clause */
/* What a SemanticCamera sees, as a list for Lisp. */
#include "expression.h"

static void
write_numbers (OrreryWriter *writer, GVariant *values, const char *const *names)
{
  for (guint i = 0; names[i] != NULL; i++) {
    double number = 0;

    if (g_variant_is_of_type (values, G_VARIANT_TYPE ("a{sd}")))
      g_variant_lookup (values, names[i], "d", &number);
    else if (g_variant_is_of_type (values, G_VARIANT_TYPE ("(ddd)")))
      g_variant_get_child (values, i, "d", &number);
    orrery_writer_append_char (writer, ' ');
    orrery_writer_append_double (writer, number);
  }
}

static void
write_object (OrreryWriter *writer, GVariant *object)
{
  static const char *const place[] = { "x", "y", "z", NULL };
  static const char *const turn[] = { "x", "y", "z", "w", NULL };
  g_autoptr (GVariant) position = g_variant_lookup_value (object, "position", NULL);
  g_autoptr (GVariant) orientation = g_variant_lookup_value (object, "orientation", NULL);
  const char *name = "-", *description = "";

  g_variant_lookup (object, "name", "&s", &name);
  g_variant_lookup (object, "description", "&s", &description);
  orrery_writer_append_char (writer, '(');
  orrery_writer_append_text (writer, name);
  orrery_writer_append_char (writer, ' ');
  orrery_writer_append_text (writer, *description != '\0' ? description : "-");
  if (position != NULL)
    write_numbers (writer, position, place);
  if (orientation != NULL)
    write_numbers (writer, orientation, turn);
  orrery_writer_append_char (writer, ')');
}

void
map_write_lisp (OrreryWriter *writer, GVariant *objects)
{
  gboolean fits = objects != NULL && g_variant_is_of_type (objects, G_VARIANT_TYPE ("aa{sv}"));
  gsize n = fits ? g_variant_n_children (objects) : 0;

  orrery_writer_append_char (writer, '(');
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) object = g_variant_get_child_value (objects, i);

    write_object (writer, object);
  }
  orrery_writer_append_char (writer, ')');
}
