/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of properties, as settings and the key `randomisation` have them. */
#include "scene/orrery-property-path-private.h"

#include "base/orrery-error-private.h"
#include "part/orrery-part-private.h"
#include "record/orrery-field-private.h"
#include "world/orrery-quantity.h"

#include <string.h>

void
orrery_property_path_clear (OrreryPropertyPath *path)
{
  g_clear_pointer (&path->owner, g_free);
  g_clear_pointer (&path->property, g_free);
}

gboolean
orrery_property_path_is_of_simulation (const char *name)
{
  const OrreryQuantity *quantity = orrery_quantity_find (name);

  return g_str_equal (name, "seed") || (quantity != NULL && quantity->of_world);
}

/* @text: from the bracket on. -1: it is no index */
static int
parse_index (const char *text)
{
  gsize length = strlen (text);
  g_autofree char *digits = NULL;
  guint64 index;

  if (length < 3 || text[length - 1] != ']')
    return -1;
  digits = g_strndup (text + 1, length - 2);
  if (!g_ascii_string_to_unsigned (digits, 10, 0, ORRERY_MAX_PROPERTY_INDEX, &index, NULL))
    return -1;
  return (int) index;
}

gboolean
orrery_property_path_parse (OrreryPropertyPath *path, const char *text, GError **error)
{
  const char *dot = strrchr (text, '.');
  const char *name = dot != NULL ? dot + 1 : text;
  const char *bracket = strchr (name, '[');
  g_autofree char *property =
      bracket != NULL ? g_strndup (name, (gsize) (bracket - name)) : g_strdup (name);
  int index = bracket != NULL ? parse_index (bracket) : -1;

  *path = (OrreryPropertyPath){ .index = -1 };
  if (*property == '\0' || dot == text ||
      (dot == NULL && !orrery_property_path_is_of_simulation (property)))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.200s' is no path; there are PART.PROPERTY, PART.PROPERTY[0] for "
                             "a member of a list, seed, gravity, wind and simulation.KEY",
                             text);
  if (bracket != NULL && index < 0)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%.200s': an index is a whole number from 0 to %d, as in "
                             "PART.PROPERTY[0]",
                             text, ORRERY_MAX_PROPERTY_INDEX);
  path->owner =
      dot != NULL ? g_strndup (text, (gsize) (dot - text)) : g_strdup (ORRERY_SETTING_SIMULATION);
  path->property = g_steal_pointer (&property);
  path->index = index;
  return TRUE;
}

gboolean
orrery_property_path_overlaps (const OrreryPropertyPath *a, const OrreryPropertyPath *b)
{
  return g_str_equal (a->owner, b->owner) && g_str_equal (a->property, b->property) &&
         (a->index < 0 || b->index < 0 || a->index == b->index);
}

GVariant *
orrery_property_path_get (const OrreryPropertyPath *path, GVariant *value, GError **error)
{
  if (path->index < 0)
    return orrery_field_unbox (value);
  return orrery_variant_get_member (value, (guint) path->index, path->property, error);
}

GVariant *
orrery_property_path_put (const OrreryPropertyPath *path, GVariant *value, GVariant *part,
                          GError **error)
{
  if (path->index < 0)
    return g_variant_ref (part);
  return orrery_variant_put_member (value, (guint) path->index, part, path->property, error);
}
