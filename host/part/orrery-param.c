/* SPDX-License-Identifier: BSD-3-Clause */
/* Sets and reads the options of a part, which are its GObject properties. */
#include "base/orrery-error-private.h"
#include "base/orrery-message.h"
#include "part/orrery-part-private.h"

#include <math.h>
#include <string.h>

/* Bytes. Longer values are errors of the scene, and would be kept for the whole run. */
#define LONGEST_TEXT ((gsize) 1 << 16)
#define LARGEST_VALUE ((gsize) 1 << 20)

/* Options are GObject properties: this is all the parsing, checking and describing there is. */

const char *
orrery_param_get_name (GParamSpec *pspec)
{
  const char *nick = g_param_spec_get_nick (pspec);

  return nick != NULL && *nick != '\0' ? nick : pspec->name;
}

const char *
orrery_param_get_type_name (GParamSpec *pspec)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (pspec);

  if (G_TYPE_IS_ENUM (type))
    return "string";
  switch (type) {
  case G_TYPE_BOOLEAN:
    return "bool";
  case G_TYPE_INT:
  case G_TYPE_UINT:
  case G_TYPE_INT64:
  case G_TYPE_UINT64:
    return "int";
  case G_TYPE_DOUBLE:
    return "float";
  case G_TYPE_STRING:
    return "string";
  default:
    return "any";
  }
}

static G_DEFINE_QUARK (orrery - param - rule, rule)

    OrreryParamRule *orrery_param_get_rule (GParamSpec *pspec)
{
  OrreryParamRule *rule = g_param_spec_get_qdata (pspec, rule_quark ());

  if (rule == NULL) {
    rule = g_new0 (OrreryParamRule, 1);
    g_param_spec_set_qdata_full (pspec, rule_quark (), rule, g_free);
  }
  return rule;
}

/* JSON's null and Python's None arrive in this form. */
static gboolean
is_none (GVariant *value)
{
  return g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE) && g_variant_n_children (value) == 0;
}

static char *
enum_choices (GParamSpec *pspec)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  GString *text = g_string_new ("one of");

  for (guint i = 0; i < klass->n_values; i++)
    g_string_append_printf (text, "%s %s", i > 0 ? "," : "", klass->values[i].value_nick);
  return g_string_free (text, FALSE);
}

static char *
double_range (GParamSpecDouble *pspec)
{
  char low[G_ASCII_DTOSTR_BUF_SIZE];
  char high[G_ASCII_DTOSTR_BUF_SIZE];

  g_ascii_formatd (low, sizeof low, "%.12g", pspec->minimum);
  g_ascii_formatd (high, sizeof high, "%.12g", pspec->maximum);
  if (pspec->minimum <= -G_MAXDOUBLE && pspec->maximum >= G_MAXDOUBLE)
    return g_strdup ("a finite number");
  if (pspec->maximum >= G_MAXDOUBLE)
    return g_strdup_printf ("at least %s", low);
  if (pspec->minimum <= -G_MAXDOUBLE)
    return g_strdup_printf ("at most %s", high);
  return g_strdup_printf ("%s to %s", low, high);
}

gboolean
orrery_param_get_bounds (GParamSpec *pspec, gint64 *least, gint64 *most)
{
#define BOUNDS(NAME, Type)                                                                         \
  if (G_IS_PARAM_SPEC_##NAME (pspec)) {                                                            \
    *least = ((Type *) pspec)->minimum;                                                            \
    *most = ((Type *) pspec)->maximum;                                                             \
    return TRUE;                                                                                   \
  }

  BOUNDS (INT, GParamSpecInt)
  BOUNDS (UINT, GParamSpecUInt)
  BOUNDS (INT64, GParamSpecInt64)
  return FALSE;
}

char *
orrery_param_get_range (GParamSpec *pspec)
{
  gint64 least, most;

  if (G_IS_PARAM_SPEC_ENUM (pspec))
    return enum_choices (pspec);
  if (G_IS_PARAM_SPEC_DOUBLE (pspec))
    return double_range (G_PARAM_SPEC_DOUBLE (pspec));
  if (!orrery_param_get_bounds (pspec, &least, &most))
    return NULL;
  return g_strdup_printf ("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT, least, most);
}

static GVariant *
read_value (GParamSpec *pspec, const GValue *value)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (pspec);
  GVariant *variant;

  if (G_TYPE_IS_ENUM (type)) {
    GEnumValue *choice =
        g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class, g_value_get_enum (value));

    return g_variant_new_string (choice != NULL ? choice->value_nick : "");
  }
  switch (type) {
  case G_TYPE_BOOLEAN:
    return g_variant_new_boolean (g_value_get_boolean (value));
  case G_TYPE_INT:
    return g_variant_new_int64 (g_value_get_int (value));
  case G_TYPE_UINT:
    return g_variant_new_int64 (g_value_get_uint (value));
  case G_TYPE_INT64:
    return g_variant_new_int64 (g_value_get_int64 (value));
  case G_TYPE_UINT64:
    return g_variant_new_uint64 (g_value_get_uint64 (value));
  case G_TYPE_DOUBLE:
    return g_variant_new_double (g_value_get_double (value));
  case G_TYPE_STRING:
    return g_variant_new_string (g_value_get_string (value) ? g_value_get_string (value) : "");
  case G_TYPE_VARIANT:
    variant = g_value_get_variant (value);
    return variant != NULL ? variant : g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL);
  default:
    return g_variant_new_maybe (G_VARIANT_TYPE_VARIANT, NULL);
  }
}

GVariant *
orrery_param_to_variant (GParamSpec *pspec, const GValue *value)
{
  return g_variant_ref_sink (read_value (pspec, value));
}

GVariant *
orrery_param_get (GObject *object, GParamSpec *pspec)
{
  g_auto (GValue) value = G_VALUE_INIT;

  g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (pspec));
  g_object_get_property (object, pspec->name, &value);
  return orrery_param_to_variant (pspec, &value);
}

gboolean
orrery_param_is (OrreryPart *part, GParamSpec *pspec, GVariant *value)
{
  g_autoptr (GVariant) now = NULL;
  gboolean same;

  if (orrery_property_compare (part, pspec, value, &same))
    return same;
  now = orrery_param_get (G_OBJECT (part), pspec);
  return g_variant_equal (now, value);
}

static gboolean
set_int (GParamSpec *pspec, GValue *to, GVariant *value, GError **error)
{
  g_autoptr (GVariant) number = orrery_variant_convert (value, G_VARIANT_TYPE_INT64, error);
  gint64 n;

  if (number == NULL)
    return FALSE;
  n = g_variant_get_int64 (number);
  if (G_VALUE_HOLDS_INT64 (to))
    g_value_set_int64 (to, n);
  else if (G_VALUE_HOLDS_INT (to) && n >= G_MININT && n <= G_MAXINT)
    g_value_set_int (to, n);
  else if (G_VALUE_HOLDS_UINT (to) && n >= 0 && n <= G_MAXUINT)
    g_value_set_uint (to, n);
  else {
    g_autofree char *range = orrery_param_get_range (pspec);

    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "%" G_GINT64_FORMAT " is out of range: %s", n, range);
  }
  return TRUE;
}

/* A text that is a finite decimal number. Returns: (transfer floating), or NULL */
static GVariant *
read_number (const char *text)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  char *end;
  double d = g_ascii_strtod (stripped, &end);

  if (*stripped == '\0' || stripped[strspn (stripped, "+-.0123456789eE")] != '\0')
    return NULL;
  return *end == '\0' && isfinite (d) ? g_variant_new_double (d) : NULL;
}

static GVariant *
convert_number (GParamSpec *pspec, GVariant *value, GError **error)
{
  GVariant *number = NULL;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING) ||
      !orrery_param_get_rule (pspec)->from_text)
    return orrery_variant_convert (value, G_VARIANT_TYPE_DOUBLE, error);
  number = read_number (g_variant_get_string (value, NULL));
  if (number == NULL)
    return orrery_set_error_null (error, ORRERY_ERROR_INVALID, "'%.60s' is not a number",
                                  g_variant_get_string (value, NULL));
  return g_variant_ref_sink (number);
}

static gboolean
set_double (GParamSpec *pspec, GValue *to, GVariant *value, GError **error)
{
  g_autoptr (GVariant) number = convert_number (pspec, value, error);
  double d;

  if (number == NULL)
    return FALSE;
  d = g_variant_get_double (number);
  if (isnan (d))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "NaN is not a number");
  g_value_set_double (to, d);
  return TRUE;
}

static gboolean
set_enum (GParamSpec *pspec, GValue *to, GVariant *value, GError **error)
{
  GEnumClass *klass = G_PARAM_SPEC_ENUM (pspec)->enum_class;
  g_autofree char *choices = enum_choices (pspec);
  const char *text;

  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "not a text: %s", choices);
  text = g_variant_get_string (value, NULL);
  for (guint i = 0; i < klass->n_values; i++) {
    if (g_str_equal (klass->values[i].value_nick, text)) {
      g_value_set_enum (to, klass->values[i].value);
      return TRUE;
    }
  }
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "'%.60s' is not %s", text, choices);
}

static gboolean
is_short (GVariant *value, gsize limit, GError **error)
{
  gsize size = g_variant_get_size (value);

  if (size <= limit)
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_INVALID,
                           "too long: %" G_GSIZE_FORMAT " bytes, and at most %" G_GSIZE_FORMAT
                           " are taken",
                           size, limit);
}

static gboolean
set_text (GValue *to, GVariant *value, GError **error)
{
  g_autoptr (GVariant) text = orrery_variant_convert (value, G_VARIANT_TYPE_STRING, error);

  if (text == NULL || !is_short (text, LONGEST_TEXT, error))
    return FALSE;
  g_value_set_string (to, g_variant_get_string (text, NULL));
  return TRUE;
}

static gboolean
set_bool (GValue *to, GVariant *value, GError **error)
{
  g_autoptr (GVariant) flag = orrery_variant_convert (value, G_VARIANT_TYPE_BOOLEAN, error);

  if (flag == NULL)
    return FALSE;
  g_value_set_boolean (to, g_variant_get_boolean (flag));
  return TRUE;
}

/* A property may be set to none only if its default is none; a table gives other defaults a
 * type. */
static gboolean
set_any (GParamSpec *pspec, GValue *to, GVariant *value, GError **error)
{
  if (!is_short (value, LARGEST_VALUE, error))
    return FALSE;
  if (orrery_param_get_rule (pspec)->check != NULL && is_none (value))
    value = NULL;
  if (value == NULL && G_PARAM_SPEC_VARIANT (pspec)->default_value != NULL)
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "null is no value");
  g_value_set_variant (to, value);
  return TRUE;
}

static gboolean
set_value (GParamSpec *pspec, GValue *to, GVariant *value, GError **error)
{
  GType type = G_PARAM_SPEC_VALUE_TYPE (pspec);

  if (G_TYPE_IS_ENUM (type))
    return set_enum (pspec, to, value, error);
  switch (type) {
  case G_TYPE_BOOLEAN:
    return set_bool (to, value, error);
  case G_TYPE_INT:
  case G_TYPE_UINT:
  case G_TYPE_INT64:
    return set_int (pspec, to, value, error);
  case G_TYPE_DOUBLE:
    return set_double (pspec, to, value, error);
  case G_TYPE_STRING:
    return set_text (to, value, error);
  case G_TYPE_VARIANT:
    return set_any (pspec, to, value, error);
  default:
    return orrery_set_error (error, ORRERY_ERROR_INTERNAL, "options cannot be of type %s",
                             g_type_name (type));
  }
}

/* GLib would clamp a value to its range; report an error to the user instead. */
static gboolean
is_in_range (GParamSpec *pspec, const GValue *given, GVariant *value, GError **error)
{
  g_auto (GValue) bent = G_VALUE_INIT;
  g_autofree char *range = NULL;
  g_autofree char *text = NULL;

  if (G_IS_PARAM_SPEC_STRING (pspec) || G_IS_PARAM_SPEC_VARIANT (pspec))
    return TRUE;
  g_value_init (&bent, G_VALUE_TYPE (given));
  g_value_copy (given, &bent);
  if (!g_param_value_validate (pspec, &bent))
    return TRUE;
  range = orrery_param_get_range (pspec);
  text = orrery_variant_show (value);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "%s is out of range: %s", text,
                           range != NULL ? range : "");
}

/* @same: the value equals the present one, which may be set at any time since nothing changes. */
static gboolean
is_in_time (GParamSpec *pspec, gboolean same, GError **error)
{
  OrreryPropertyFlags flags = orrery_param_get_rule (pspec)->flags;

  if (flags == 0 || same)
    return TRUE;
  g_set_error_literal (error, ORRERY_ERROR, ORRERY_ERROR_INVALID,
                       flags & ORRERY_PROPERTY_UNUSED
                           ? "it has no effect, and is accepted in scenes only"
                           : "it is read when the simulation starts, and cannot be changed later");
  return FALSE;
}

static gboolean
is_accepted (OrreryPart *part, GParamSpec *pspec, const GValue *given, GError **error)
{
  const OrreryParamRule *rule = orrery_param_get_rule (pspec);
  g_autoptr (GVariant) value = NULL;

  /* The class checks it where its part runs. */
  if (rule->check == NULL || ORRERY_PART_GET_CLASS (part)->stands_for != NULL)
    return TRUE;
  value = orrery_param_to_variant (pspec, given);
  return is_none (value) || rule->check (part, value, error);
}

gboolean
orrery_param_set (OrreryPart *part, GParamSpec *pspec, GVariant *any, gboolean started,
                  GError **error)
{
  g_autoptr (GVariant) value = orrery_variant_widen (any);
  g_auto (GValue) given = G_VALUE_INIT;
  g_auto (GValue) now = G_VALUE_INIT;
  gboolean same;

  g_value_init (&given, G_PARAM_SPEC_VALUE_TYPE (pspec));
  if (!set_value (pspec, &given, value, error) || !is_in_range (pspec, &given, value, error))
    return FALSE;
  if (started && orrery_param_get_rule (pspec)->flags != 0) {
    g_value_init (&now, G_PARAM_SPEC_VALUE_TYPE (pspec));
    g_object_get_property (G_OBJECT (part), pspec->name, &now);
    same = g_param_values_cmp (pspec, &given, &now) == 0;
    return is_in_time (pspec, same, error);
  }
  if (!is_accepted (part, pspec, &given, error))
    return FALSE;
  g_object_set_property (G_OBJECT (part), pspec->name, &given);
  return TRUE;
}
