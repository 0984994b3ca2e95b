/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of properties: installs them on a class, and accesses the members that they describe. */
#include "part/orrery-property.h"

#include "base/orrery-error-private.h"
#include "base/orrery-hash-private.h"
#include "part/orrery-part-private.h"

#include <string.h>

/* What a class keeps of an entry. The property id in GObject is the index in this list, counted
 * from 1. */
typedef struct {
  GType type;
  gssize offset; /* from the instance */
  void (*changed) (OrreryPart *part);
  GParamSpec *pspec; /* owned by its class, which is never freed */
} Installed;

/* --- names --- */

/* ControlType and control_type become control-type. */
static char *
make_name (const OrreryProperty *property)
{
  GString *name = g_string_new (NULL);

  if (property->name != NULL)
    g_string_append (name, property->name);
  for (const char *c = property->nick; property->name == NULL && *c != '\0'; c++) {
    gboolean begins = g_ascii_isupper (*c) && c > property->nick && g_ascii_isalnum (c[-1]) &&
                      (!g_ascii_isupper (c[-1]) || g_ascii_islower (c[1]));

    if (begins)
      g_string_append_c (name, '-');
    g_string_append_c (name, *c == '_' ? '-' : g_ascii_tolower (*c));
  }
  return g_string_free (name, FALSE);
}

/* --- check --- */

static gboolean
is_choice (const OrreryProperty *property)
{
  GEnumClass *klass = NULL;
  gboolean found = FALSE;

  if (property->enum_type == NULL || !G_TYPE_IS_ENUM (property->enum_type ()))
    return FALSE;
  klass = g_type_class_ref (property->enum_type ());
  found = g_enum_get_value (klass, (int) property->fallback.integer) != NULL;
  g_type_class_unref (klass);
  return found;
}

static gboolean
is_between (const OrreryProperty *property, gint64 least, gint64 greatest)
{
  gint64 low = property->low.integer, high = property->high.integer;
  gint64 fallback = property->fallback.integer;

  return least <= low && low <= fallback && fallback <= high && high <= greatest;
}

/* NULL is none. */
static GVariant *
read_variant (const char *text)
{
  return text != NULL ? g_variant_parse (NULL, text, NULL, NULL, NULL) : NULL;
}

static gboolean
has_fallback (const OrreryProperty *property)
{
  g_autoptr (GVariant) variant = NULL;

  switch (property->type) {
  case G_TYPE_DOUBLE:
    return property->low.number <= property->fallback.number &&
           property->fallback.number <= property->high.number;
  case G_TYPE_BOOLEAN:
    return is_between (property, FALSE, TRUE);
  case G_TYPE_INT:
    return is_between (property, G_MININT, G_MAXINT);
  case G_TYPE_UINT:
    return is_between (property, 0, G_MAXUINT);
  case G_TYPE_INT64:
    return is_between (property, G_MININT64, G_MAXINT64);
  case G_TYPE_ENUM:
    return is_choice (property);
  case G_TYPE_VARIANT:
    variant = read_variant (property->fallback.text);
    return variant != NULL || property->fallback.text == NULL;
  default:
    return property->type == G_TYPE_STRING;
  }
}

static gboolean
is_type (GType type)
{
  return type == G_TYPE_DOUBLE || type == G_TYPE_BOOLEAN || type == G_TYPE_INT ||
         type == G_TYPE_UINT || type == G_TYPE_INT64 || type == G_TYPE_ENUM ||
         type == G_TYPE_STRING || type == G_TYPE_VARIANT;
}

/* NULL: none. */
static const char *
find_fault (const OrreryProperty *property, GHashTable *names)
{
  g_autofree char *name = make_name (property);

  if (!g_param_spec_is_valid_name (name))
    return "it has no name that GObject takes";
  if (!g_hash_table_add (names, g_steal_pointer (&name)))
    return "there are two of that name";
  if (property->words == NULL)
    return "no words";
  if (!is_type (property->type))
    return "no property has that type";
  if (property->from_text && property->type != G_TYPE_DOUBLE)
    return "only a double is taken from a text";
  if ((property->flags & ~(ORRERY_PROPERTY_AT_START | ORRERY_PROPERTY_UNUSED)) != 0)
    return "no property has such flags";
  if (!has_fallback (property))
    return "the default is none of its values";
  return NULL;
}

gboolean
orrery_properties_check (const OrreryProperty *properties, guint n_properties, GError **error)
{
  g_autoptr (GHashTable) names =
      g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);

  g_return_val_if_fail (properties != NULL || n_properties == 0, FALSE);

  for (guint i = 0; i < n_properties; i++) {
    const char *nick = properties[i].nick;
    const char *fault = nick != NULL ? find_fault (&properties[i], names) : "no name";

    if (fault == NULL)
      continue;
    return orrery_set_error (error, ORRERY_ERROR_PLUGIN, "property %u, '%s': %s", i,
                             nick != NULL ? nick : "", fault);
  }
  return TRUE;
}

/* --- to and from the struct --- */

/* A value that is none becomes one of the type of the default: a string whose default is a text is
 * never NULL. */
static char *
copy_text (const Installed *property, const GValue *value)
{
  const char *text = g_value_get_string (value);

  if (text == NULL && G_PARAM_SPEC_STRING (property->pspec)->default_value != NULL)
    text = "";
  return g_strdup (text);
}

/* The types whose members are copied as they are: name in GType, in C, in functions of GValue */
#define PLAIN(ROW)                                                                                 \
  ROW (DOUBLE, double, double)                                                                     \
  ROW (BOOLEAN, gboolean, boolean)                                                                 \
  ROW (INT, int, int)                                                                              \
  ROW (UINT, guint, uint)                                                                          \
  ROW (INT64, gint64, int64)                                                                       \
  ROW (ENUM, int, enum)

static void
write_member (OrreryPart *part, const Installed *property, const GValue *value)
{
#define WRITE(NAME, Type, name)                                                                    \
  case G_TYPE_##NAME:                                                                              \
    *(Type *) place = g_value_get_##name (value);                                                  \
    break;

  gpointer place = (char *) part + property->offset;

  switch (property->type) {
    PLAIN (WRITE)
  case G_TYPE_STRING:
    g_free (*(char **) place);
    *(char **) place = copy_text (property, value);
    break;
  case G_TYPE_VARIANT:
    g_clear_pointer ((GVariant **) place, g_variant_unref);
    *(GVariant **) place = g_value_dup_variant (value);
    break;
  default:
    g_assert_not_reached ();
  }
}

static void
read_member (OrreryPart *part, const Installed *property, GValue *value)
{
#define READ(NAME, Type, name)                                                                     \
  case G_TYPE_##NAME:                                                                              \
    g_value_set_##name (value, *(const Type *) place);                                             \
    break;

  gconstpointer place = (const char *) part + property->offset;

  switch (property->type) {
    PLAIN (READ)
  case G_TYPE_STRING:
    g_value_set_string (value, *(char *const *) place);
    break;
  case G_TYPE_VARIANT:
    g_value_set_variant (value, *(GVariant *const *) place);
    break;
  default:
    g_assert_not_reached ();
  }
}

/* --- GObject's side --- */

/* NULL: the class installed another property, which no table has. */
static const Installed *
find_installed (GObject *object, guint id, GParamSpec *pspec)
{
  GArray *list = ORRERY_PART_GET_CLASS (object)->properties;
  const Installed *property = NULL;

  /* A class without any table has none. */
  if (list != NULL && id <= list->len)
    property = &g_array_index (list, Installed, id - 1);
  return property != NULL && property->pspec == pspec ? property : NULL;
}

static gboolean
is_text (GVariant *value, const char *text)
{
  return g_variant_classify (value) == G_VARIANT_CLASS_STRING &&
         g_str_equal (g_variant_get_string (value, NULL), text != NULL ? text : "");
}

static gboolean
is_integer (GVariant *value, gint64 integer)
{
  return g_variant_classify (value) == G_VARIANT_CLASS_INT64 &&
         g_variant_get_int64 (value) == integer;
}

/* To the last bit. */
static gboolean
is_double (GVariant *value, double number)
{
  double other;

  if (g_variant_classify (value) != G_VARIANT_CLASS_DOUBLE)
    return FALSE;
  other = g_variant_get_double (value);
  return memcmp (&other, &number, sizeof number) == 0;
}

static gboolean
is_choice_of (GVariant *value, GParamSpec *pspec, int number)
{
  const GEnumValue *choice = g_enum_get_value (G_PARAM_SPEC_ENUM (pspec)->enum_class, number);

  return is_text (value, choice != NULL ? choice->value_nick : "");
}

/* Without a box around the member: a restore looks at all options of all parts. */
gboolean
orrery_property_compare (OrreryPart *part, GParamSpec *pspec, GVariant *value, gboolean *same)
{
  const Installed *property = find_installed (G_OBJECT (part), pspec->param_id, pspec);
  gconstpointer place;

  if (property == NULL)
    return FALSE;
  place = (const char *) part + property->offset;
  switch (property->type) {
  case G_TYPE_DOUBLE:
    *same = is_double (value, *(const double *) place);
    return TRUE;
  case G_TYPE_BOOLEAN:
    *same = g_variant_classify (value) == G_VARIANT_CLASS_BOOLEAN &&
            g_variant_get_boolean (value) == (*(const gboolean *) place != FALSE);
    return TRUE;
  case G_TYPE_INT:
    *same = is_integer (value, *(const int *) place);
    return TRUE;
  case G_TYPE_UINT:
    *same = is_integer (value, *(const guint *) place);
    return TRUE;
  case G_TYPE_INT64:
    *same = is_integer (value, *(const gint64 *) place);
    return TRUE;
  case G_TYPE_ENUM:
    *same = is_choice_of (value, pspec, *(const int *) place);
    return TRUE;
  case G_TYPE_STRING:
    *same = is_text (value, *(char *const *) place);
    return TRUE;
  default:
    return FALSE;
  }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  const Installed *property = find_installed (object, id, pspec);

  if (property == NULL) {
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  write_member (ORRERY_PART (object), property, value);
  if (property->changed != NULL)
    property->changed (ORRERY_PART (object));
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  const Installed *property = find_installed (object, id, pspec);

  if (property != NULL)
    read_member (ORRERY_PART (object), property, value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static GParamSpec *
make_pspec (const OrreryProperty *p, const char *name)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  g_autoptr (GVariant) variant = NULL;

  switch (p->type) {
  case G_TYPE_DOUBLE:
    return g_param_spec_double (name, p->nick, p->words, p->low.number, p->high.number,
                                p->fallback.number, flags);
  case G_TYPE_BOOLEAN:
    return g_param_spec_boolean (name, p->nick, p->words, p->fallback.integer != 0, flags);
  case G_TYPE_INT:
    return g_param_spec_int (name, p->nick, p->words, (int) p->low.integer, (int) p->high.integer,
                             (int) p->fallback.integer, flags);
  case G_TYPE_UINT:
    return g_param_spec_uint (name, p->nick, p->words, (guint) p->low.integer,
                              (guint) p->high.integer, (guint) p->fallback.integer, flags);
  case G_TYPE_INT64:
    return g_param_spec_int64 (name, p->nick, p->words, p->low.integer, p->high.integer,
                               p->fallback.integer, flags);
  case G_TYPE_ENUM:
    return g_param_spec_enum (name, p->nick, p->words, p->enum_type (), (int) p->fallback.integer,
                              flags);
  case G_TYPE_STRING:
    return g_param_spec_string (name, p->nick, p->words, p->fallback.text, flags);
  default:
    variant = read_variant (p->fallback.text);
    return g_param_spec_variant (name, p->nick, p->words, G_VARIANT_TYPE_ANY, variant, flags);
  }
}

static void
install (OrreryPartClass *klass, const OrreryProperty *property, gssize base)
{
  g_autofree char *name = make_name (property);
  Installed installed = { property->type, base + property->offset, property->changed, NULL };

  installed.pspec = make_pspec (property, g_intern_string (name));
  orrery_param_get_rule (installed.pspec)->from_text = property->from_text != 0;
  orrery_param_get_rule (installed.pspec)->flags = property->flags;
  if (property->type != G_TYPE_ENUM)
    orrery_param_get_rule (installed.pspec)->check = property->check;
  g_array_append_val (klass->properties, installed);
  g_object_class_install_property (G_OBJECT_CLASS (klass), klass->properties->len, installed.pspec);
}

/* GObject does not inherit these functions from the parent class. */
static gboolean
is_by_hand (GObjectClass *klass)
{
  return klass->set_property != NULL && klass->set_property != set_property;
}

void
orrery_part_class_own_list (OrreryPartClass *klass, GArray **list, guint element_size)
{
  gpointer parent = g_type_class_peek_parent (klass);
  gsize offset = (gsize) ((char *) list - (char *) klass);
  GArray *inherited = *list;

  if (inherited != NULL && inherited != G_STRUCT_MEMBER (GArray *, parent, offset))
    return;
  *list = g_array_new (FALSE, FALSE, element_size);
  if (inherited != NULL)
    g_array_append_vals (*list, inherited->data, inherited->len);
}

void
orrery_part_class_add_properties (OrreryPartClass *klass, const OrreryProperty *properties,
                                  guint n_properties, gssize base)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  g_autoptr (GError) error = NULL;

  g_return_if_fail (!is_by_hand (object_class));
  /* As g_return_if_fail(), but it says which property. */
  if (!orrery_properties_check (properties, n_properties, &error)) {
    g_return_if_fail_warning (G_LOG_DOMAIN, G_STRFUNC, error->message);
    return;
  }

  orrery_part_class_own_list (klass, &klass->properties, sizeof (Installed));
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  for (guint i = 0; i < n_properties; i++)
    install (klass, &properties[i], base);
}

void
orrery_part_apply_defaults (OrreryPart *part, OrreryPartClass *klass)
{
  for (guint i = 0; klass->properties != NULL && i < klass->properties->len; i++) {
    const Installed *property = &g_array_index (klass->properties, Installed, i);

    write_member (part, property, g_param_spec_get_default_value (property->pspec));
  }
}

void
orrery_part_clear_properties (OrreryPart *part)
{
  GArray *list = ORRERY_PART_GET_CLASS (part)->properties;

  for (guint i = 0; list != NULL && i < list->len; i++) {
    const Installed *property = &g_array_index (list, Installed, i);
    gpointer place = (char *) part + property->offset;

    if (property->type == G_TYPE_STRING)
      g_clear_pointer ((char **) place, g_free);
    else if (property->type == G_TYPE_VARIANT)
      g_clear_pointer ((GVariant **) place, g_variant_unref);
  }
}
