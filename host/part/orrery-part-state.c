/* SPDX-License-Identifier: BSD-3-Clause */
/* Saves and restores the state of a part: the members in the tables of its class, and what its
 * `save` function returns. */
#include "base/orrery-error.h"
#include "part/orrery-part-private.h"
#include "record/orrery-flat-private.h"
#include "record/orrery-record-private.h"

/* The saved state of a class with tables: the bytes of each table, and what `save` returned. */
#define TYPE G_VARIANT_TYPE ("(aaymv)")

typedef struct {
  OrrerySchema *schema; /* lives as long as the class, which is never freed */
  gssize base;          /* from the instance to the struct that it describes */
} Table;

/* --- declaring --- */

void
orrery_part_class_add_state (OrreryPartClass *klass, const OrreryField *fields, guint n_fields,
                             gsize size, gssize base)
{
  Table table = { orrery_schema_new (fields, n_fields, size), base };

  /* The schema has reported which field is wrong. */
  if (table.schema == NULL)
    return;
  orrery_part_class_own_list (klass, &klass->states, sizeof (Table));
  g_array_append_val (klass->states, table);
}

gboolean
orrery_part_class_has_state (OrreryPartClass *klass)
{
  return klass->states != NULL || klass->save != NULL;
}

/* A table accesses the instance in the same way as a record accesses its struct. */
static OrreryRecord
view (OrreryPart *part, guint i)
{
  const Table *table = &g_array_index (ORRERY_PART_GET_CLASS (part)->states, Table, i);

  return (OrreryRecord){ .data = (char *) part + table->base, .schema = table->schema };
}

void
orrery_part_clear_state (OrreryPart *part)
{
  GArray *list = ORRERY_PART_GET_CLASS (part)->states;

  for (guint i = 0; list != NULL && i < list->len; i++) {
    const Table *table = &g_array_index (list, Table, i);

    orrery_schema_clear_struct (table->schema, (char *) part + table->base);
  }
}

/* --- saving and restoring --- */

/* Returns: (transfer none): floating, the bytes of each table */
static GVariant *
save_tables (OrreryPart *part)
{
  GArray *list = ORRERY_PART_GET_CLASS (part)->states;
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aay"));
  for (guint i = 0; i < list->len; i++) {
    OrreryRecord record = view (part, i);

    g_variant_builder_add_value (&builder, orrery_record_save (&record));
  }
  return g_variant_builder_end (&builder);
}

GVariant *
orrery_part_save_state (OrreryPart *part)
{
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (part);
  GVariant *rest = NULL;

  if (klass->save != NULL)
    ORRERY_PART_CALL (part, "save", rest = klass->save (part));
  if (rest != NULL)
    rest = g_variant_take_ref (rest);
  if (klass->states == NULL)
    return rest;

  g_autoptr (GVariant) held = rest;
  return g_variant_ref_sink (g_variant_new ("(@aaymv)", save_tables (part), rest));
}

/* Nothing is written before all was looked at. */
static gboolean
check_tables (OrreryPart *part, GVariant *tables)
{
  GArray *list = ORRERY_PART_GET_CLASS (part)->states;

  if (g_variant_n_children (tables) != list->len)
    return FALSE;
  for (guint i = 0; i < list->len; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (tables, i);
    OrreryRecord record = view (part, i);
    gsize size;
    gconstpointer bytes = g_variant_get_fixed_array (child, &size, 1);

    if (!orrery_flat_check (&record, bytes, size, NULL))
      return FALSE;
  }
  return TRUE;
}

static void
restore_tables (OrreryPart *part, GVariant *tables)
{
  for (guint i = 0; i < g_variant_n_children (tables); i++) {
    g_autoptr (GVariant) bytes = g_variant_get_child_value (tables, i);
    OrreryRecord record = view (part, i);

    orrery_record_restore (&record, bytes, NULL);
  }
}

/* Whether the type of the state is that of the class. */
static gboolean
is_own (OrreryPartClass *klass, GVariant *rest)
{
  if (klass->save == NULL || klass->state_type == NULL)
    return TRUE;
  return rest != NULL && g_variant_is_of_type (rest, G_VARIANT_TYPE (klass->state_type));
}

/* Of a class with tables; @tables and @rest: out */
static gboolean
take_apart (OrreryPart *part, GVariant *state, GVariant **tables, GVariant **rest)
{
  if (!g_variant_is_of_type (state, TYPE))
    return FALSE;
  g_variant_get (state, "(@aaymv)", tables, rest);
  return check_tables (part, *tables);
}

static void
restore_rest (OrreryPart *part, GVariant *rest, GError **error)
{
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (part);

  if (klass->restore != NULL)
    ORRERY_PART_CALL (part, "restore", klass->restore (part, rest, error));
}

void
orrery_part_restore_state (OrreryPart *part, GVariant *state, GError **error)
{
  OrreryPartClass *klass = ORRERY_PART_GET_CLASS (part);
  g_autoptr (GVariant) tables = NULL, rest = NULL, before = NULL;
  GError *refused = NULL;

  if (state == NULL || !orrery_part_class_has_state (klass))
    return;
  if (klass->states == NULL)
    rest = g_variant_ref (state);
  if ((klass->states != NULL && !take_apart (part, state, &tables, &rest)) ||
      !is_own (klass, rest)) {
    orrery_part_refuse_state (part, error);
    return;
  }
  /* `restore` may look at the tables, so they come first, and go back if it refuses the rest. */
  if (tables != NULL && klass->restore != NULL)
    before = g_variant_ref_sink (save_tables (part));
  if (tables != NULL)
    restore_tables (part, tables);
  restore_rest (part, rest, &refused);
  if (refused == NULL)
    return;
  if (before != NULL)
    restore_tables (part, before);
  g_propagate_error (error, refused);
}

void
orrery_part_refuse_state (OrreryPart *part, GError **error)
{
  orrery_set_error (error, ORRERY_ERROR_INVALID, "not a state of %s",
                    orrery_part_get_classpath (part));
}
