/* SPDX-License-Identifier: BSD-3-Clause */
/* By what ROS tells types apart: the md5 sum of ROS 1, the type hash of ROS 2, and the whole text.
 */
#include "message/orrery-message-type-private.h"

#include <string.h>

#define TEXT_SEPARATOR                                                                             \
  "\n================================================================================\n"

/* --- ROS 1: the sum of constants and fields, types inside by their own sums --- */

const char *
orrery_message_get_ros1_time (const OrreryMessageType *type)
{
  if (g_str_equal (type->name, "builtin_interfaces/msg/Time"))
    return "time";
  if (g_str_equal (type->name, "builtin_interfaces/msg/Duration"))
    return "duration";
  return NULL;
}

static void
append_md5_field (GString *text, const OrreryMessageField *field)
{
  const char *time = field->type != NULL ? orrery_message_get_ros1_time (field->type) : NULL;
  const char *brackets = strchr (field->spelling, '[');

  if (text->len > 0)
    g_string_append_c (text, '\n');
  if (time != NULL)
    g_string_append_printf (text, "%s%s %s", time, brackets != NULL ? brackets : "", field->name);
  else
    g_string_append_printf (text, "%s %s", field->type != NULL ? field->type->md5 : field->spelling,
                            field->name);
}

char *
orrery_message_write_md5_text (const OrreryMessageType *type)
{
  GString *text = g_string_new (NULL);
  const OrreryMessageConstant *constants;
  guint n;

  constants = orrery_message_type_get_constants (type, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s %s=%s", i > 0 ? "\n" : "", constants[i].spelling,
                            constants[i].name, constants[i].value);
  for (guint i = 0; i < type->n_fields; i++)
    append_md5_field (text, &type->fields[i]);
  return g_string_free (text, FALSE);
}

char *
orrery_message_reckon_md5 (const OrreryMessageType *type)
{
  g_autofree char *text = orrery_message_write_md5_text (type);

  return g_compute_checksum_for_string (G_CHECKSUM_MD5, text, -1);
}

/* --- ROS 2: the hash of a description of the type, and of those inside, as JSON (REP 2011) --- */

/* Numbers of type_description_interfaces/msg/FieldType, in the order of OrreryMessageKind. */
static const guint8 type_ids[] = { 15, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 17, 18, 1 };

#define BYTE_ID 16
#define BOUNDED_TEXT 4 /* what is added to the number of a text with a bound */
#define ARRAY 48
#define BOUNDED_SEQUENCE 96
#define SEQUENCE 144

static guint
find_type_id (const OrreryMessageField *field)
{
  guint id = type_ids[field->kind];

  if (strncmp (field->spelling, "byte", 4) == 0 && field->kind == ORRERY_MESSAGE_UINT8)
    id = BYTE_ID;
  if (field->text_bound > 0)
    id += BOUNDED_TEXT;
  if (field->shape == ORRERY_MESSAGE_FIXED_ARRAY)
    id += ARRAY;
  else if (field->shape == ORRERY_MESSAGE_SEQUENCE)
    id += field->count > 0 ? BOUNDED_SEQUENCE : SEQUENCE;
  return id;
}

static void
append_field (GString *text, const char *name, guint id, gsize capacity, gsize text_capacity,
              const char *nested)
{
  g_string_append_printf (text,
                          "{\"name\": \"%s\", \"type\": {\"type_id\": %u, \"capacity\": "
                          "%" G_GSIZE_FORMAT ", \"string_capacity\": %" G_GSIZE_FORMAT
                          ", \"nested_type_name\": \"%s\"}}",
                          name, id, capacity, text_capacity, nested);
}

static void
append_description (GString *text, const OrreryMessageType *type)
{
  g_string_append_printf (text, "{\"type_name\": \"%s\", \"fields\": [", type->name);
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageField *field = &type->fields[i];

    g_string_append (text, i > 0 ? ", " : "");
    append_field (text, field->name, find_type_id (field),
                  field->shape == ORRERY_MESSAGE_SINGLE ? 0 : field->count, field->text_bound,
                  field->type != NULL ? field->type->name : "");
  }
  /* IDL has no empty structs, so ROS 2 gives them a field. */
  if (type->n_fields == 0)
    append_field (text, "structure_needs_at_least_one_member", type_ids[ORRERY_MESSAGE_UINT8], 0, 0,
                  "");
  g_string_append (text, "]}");
}

/* Each type inside once. */
static void
list_inside (const OrreryMessageType *type, GPtrArray *types)
{
  for (guint i = 0; i < type->n_fields; i++) {
    const OrreryMessageType *inside = type->fields[i].type;

    if (inside == NULL || g_ptr_array_find (types, inside, NULL))
      continue;
    g_ptr_array_add (types, (gpointer) inside);
    list_inside (inside, types);
  }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  const OrreryMessageType *const *first = a, *const *second = b;

  return strcmp ((*first)->name, (*second)->name);
}

char *
orrery_message_reckon_hash (const OrreryMessageType *type)
{
  g_autoptr (GString) text = g_string_new ("{\"type_description\": ");
  g_autoptr (GPtrArray) inside = g_ptr_array_new ();
  g_autofree char *sum = NULL;

  append_description (text, type);
  g_string_append (text, ", \"referenced_type_descriptions\": [");
  list_inside (type, inside);
  g_ptr_array_sort (inside, compare_names);
  for (guint i = 0; i < inside->len; i++) {
    g_string_append (text, i > 0 ? ", " : "");
    append_description (text, inside->pdata[i]);
  }
  g_string_append (text, "]}");
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text->str, -1);
  return g_strconcat ("RIHS01_", sum, NULL);
}

/* --- the text --- */

static void
append_type (GString *text, const OrreryMessageType *type, const OrreryMessageField *field)
{
  const char *time = field->type != NULL ? orrery_message_get_ros1_time (field->type) : NULL;
  const char *brackets = strchr (field->spelling, '[');
  g_auto (GStrv) parts = NULL;

  if (type->dialect == ORRERY_MESSAGE_ROS1 && time != NULL) {
    g_string_append_printf (text, "%s%s", time, brackets != NULL ? brackets : "");
  } else if (field->type == NULL) {
    g_string_append (text, field->spelling);
  } else {
    parts = g_strsplit (field->type->name, "/", 3);
    g_string_append_printf (text, "%s/%s%s", parts[0], parts[2], brackets != NULL ? brackets : "");
  }
}

static void
append_own_text (GString *text, const OrreryMessageType *type)
{
  const OrreryMessageConstant *constants;
  guint n;

  constants = orrery_message_type_get_constants (type, &n);
  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s %s=%s\n", constants[i].spelling, constants[i].name,
                            constants[i].value);
  for (guint i = 0; i < type->n_fields; i++) {
    append_type (text, type, &type->fields[i]);
    g_string_append_printf (text, " %s\n", type->fields[i].name);
  }
}

char *
orrery_message_write_definition (const OrreryMessageType *type)
{
  g_autoptr (GPtrArray) inside = g_ptr_array_new ();
  GString *text = g_string_new (NULL);

  append_own_text (text, type);
  list_inside (type, inside);
  for (guint i = 0; i < inside->len; i++) {
    const OrreryMessageType *other = inside->pdata[i];
    g_auto (GStrv) parts = g_strsplit (other->name, "/", 3);

    if (type->dialect == ORRERY_MESSAGE_ROS1 && orrery_message_get_ros1_time (other) != NULL)
      continue;
    g_string_truncate (text, text->len > 0 ? text->len - 1 : 0);
    g_string_append_printf (text, TEXT_SEPARATOR "MSG: %s/%s\n", parts[0], parts[2]);
    append_own_text (text, other);
  }
  return g_string_free (text, FALSE);
}
