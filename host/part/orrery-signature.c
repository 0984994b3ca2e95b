/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses the signature of a service into a list of arguments. */
#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "part/orrery-signature-private.h"

#include <math.h>
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

/* A number that is not finite is refused as an argument, and as a default. */
static GVariant *
parse_fallback (const char *text, const GVariantType *type)
{
  g_autoptr (GVariant) value = NULL;

  if (!g_variant_type_equal (type, G_VARIANT_TYPE_VARIANT))
    value = g_variant_parse (type, text, NULL, NULL, NULL);
  else if (g_str_equal (text, "null"))
    value = g_variant_ref_sink (
        g_variant_new_variant (g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL)));
  if (value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) &&
      !isfinite (g_variant_get_double (value)))
    return NULL;
  return g_steal_pointer (&value);
}

static gboolean
refuse_fallback (const char *text, const GVariantType *type, GError **error)
{
  if (g_variant_type_equal (type, G_VARIANT_TYPE_VARIANT))
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "'%s' in a signature: the default of a v is null", text);
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "'%s' in a signature: the default is no value of its type, as true, 5, "
                           "0.5 and 'text' are",
                           text);
}

static OrreryArgument *
parse_argument (const char *text, GError **error)
{
  OrreryArgument *argument = g_new0 (OrreryArgument, 1);
  g_auto (GStrv) sides = g_strsplit (text, "=", 2);
  const char *colon = strchr (sides[0], ':');

  if (colon == NULL || colon == sides[0] || strlen (colon) != 2 || !strchr ("bxdsv", colon[1])) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "'%s' in a signature is not name:TYPE with a type of b x d s v", text);
    argument_free (argument);
    return NULL;
  }
  argument->name = g_strndup (sides[0], colon - sides[0]);
  argument->type = g_variant_type_new (colon + 1);
  if (sides[1] != NULL)
    argument->fallback = parse_fallback (sides[1], argument->type);
  if (sides[1] != NULL && argument->fallback == NULL &&
      !refuse_fallback (text, argument->type, error))
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

/* Signatures are those of classes, which are never freed: so is the table. */
GPtrArray *
orrery_signature_find (const char *signature, GError **error)
{
  static GMutex mutex;
  static GHashTable *known;
  GPtrArray *arguments;

  g_mutex_lock (&mutex);
  if (known == NULL)
    known = g_hash_table_new (orrery_text_hash, g_str_equal);
  arguments = g_hash_table_lookup (known, signature);
  if (arguments == NULL) {
    arguments = orrery_signature_parse (signature, error);
    if (arguments != NULL)
      g_hash_table_insert (known, g_strdup (signature), arguments);
  }
  if (arguments != NULL)
    g_ptr_array_ref (arguments);
  g_mutex_unlock (&mutex);
  return arguments;
}
