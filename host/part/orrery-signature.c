/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the signature of a service into a list of arguments. */
#include "base/orrery-error-private.h"
#include "part/orrery-signature-private.h"

#include <string.h>

static void
argument_free (gpointer data)
{
  OrreryArgument *argument = data;

  g_free (argument->name);
  g_clear_pointer (&argument->type, g_variant_type_free);
  g_clear_pointer (&argument->fallback, g_variant_unref);
  g_free (argument);
}

static GVariant *
parse_fallback (const char *text, const GVariantType *type, GError **error)
{
  if (!g_variant_type_equal (type, G_VARIANT_TYPE_VARIANT))
    return g_variant_parse (type, text, NULL, NULL, error);
  if (!g_str_equal (text, "null"))
    return orrery_set_error_null (error, ORRERY_ERROR_INTERNAL, "the default of a value is null");
  return g_variant_ref_sink (
      g_variant_new_variant (g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL)));
}

static OrreryArgument *
parse_argument (const char *text, GError **error)
{
  OrreryArgument *argument = g_new0 (OrreryArgument, 1);
  g_auto (GStrv) sides = g_strsplit (text, "=", 2);
  const char *colon = strchr (sides[0], ':');

  if (colon == NULL || colon == text || strlen (colon) != 2 || !strchr ("bxdsv", colon[1])) {
    orrery_set_error (error, ORRERY_ERROR_INTERNAL,
                      "'%s' in a signature is not name:TYPE with a type of b x d s v", text);
    argument_free (argument);
    return NULL;
  }
  argument->name = g_strndup (sides[0], colon - sides[0]);
  argument->type = g_variant_type_new (colon + 1);
  if (sides[1] != NULL)
    argument->fallback = parse_fallback (sides[1], argument->type, error);
  if (sides[1] != NULL && argument->fallback == NULL)
    g_clear_pointer (&argument, argument_free);
  return argument;
}

GPtrArray *
orrery_signature_parse (const char *signature, GError **error)
{
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (argument_free);
  g_auto (GStrv) words = g_strsplit (signature, " ", -1);

  for (guint i = 0; words[i] != NULL; i++) {
    OrreryArgument *argument;

    if (*words[i] == '\0')
      continue;
    argument = parse_argument (words[i], error);
    if (argument == NULL)
      return NULL;
    g_ptr_array_add (arguments, argument);
  }
  return g_steal_pointer (&arguments);
}
