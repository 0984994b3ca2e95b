/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* A table of the report, and what its columns are called here. */
typedef struct {
  const char *key;
  const char *const *columns;
} Table;

static const char *const component_columns[] = { "name", "steps", "seconds", "budget", NULL };
static const char *const disabled_columns[] = { "name", "why", NULL };
static const char *const script_columns[] = { "name", "ticks", "seconds", "budget", NULL };
static const char *const fault_columns[] = { "name", "refused", "displaced", "failed", NULL };
static const char *const phase_columns[] = { "name", "seconds", NULL };
static const char *const source_columns[] = { "name", "source", NULL };

static const Table tables[] = {
  { "components", component_columns }, { "disabled", disabled_columns },
  { "faults", fault_columns },         { "phases", phase_columns },
  { "scripts", script_columns },       { "sources", source_columns },
};

static const Table *
find_table (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (tables); i++)
    if (g_str_equal (tables[i].key, key))
      return &tables[i];
  return NULL;
}

static void add_value (JsonBuilder *builder, GVariant *value, const Table *table);

/* JSON knows no infinity; whole numbers above 2^63 - 1, which its readers cut, become texts. */
static void
add_plain (JsonBuilder *builder, GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE) &&
      !isfinite (g_variant_get_double (value))) {
    json_builder_add_null_value (builder);
  } else if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64) &&
             g_variant_get_uint64 (value) > G_MAXINT64) {
    g_autofree char *text = orrery_variant_print (value);

    json_builder_add_string_value (builder, text);
  } else {
    json_builder_add_value (builder, json_gvariant_serialize (value));
  }
}

static void
add_row (JsonBuilder *builder, GVariant *row, const Table *table)
{
  json_builder_begin_object (builder);
  for (gsize i = 0; i < g_variant_n_children (row) && table->columns[i] != NULL; i++) {
    g_autoptr (GVariant) value = g_variant_get_child_value (row, i);

    json_builder_set_member_name (builder, table->columns[i]);
    add_value (builder, value, NULL);
  }
  json_builder_end_object (builder);
}

static void
add_list (JsonBuilder *builder, GVariant *list, const Table *table)
{
  json_builder_begin_array (builder);
  for (gsize i = 0; i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);

    add_value (builder, item, table);
  }
  json_builder_end_array (builder);
}

static void
add_dictionary (JsonBuilder *builder, GVariant *dictionary)
{
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  json_builder_begin_object (builder);
  g_variant_iter_init (&iter, dictionary);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value)) {
    json_builder_set_member_name (builder, key);
    add_value (builder, value, NULL);
  }
  json_builder_end_object (builder);
}

static void
add_value (JsonBuilder *builder, GVariant *value, const Table *table)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE) && table != NULL)
    add_row (builder, value, table);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    add_dictionary (builder, value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY) ||
           g_variant_is_of_type (value, G_VARIANT_TYPE_TUPLE))
    add_list (builder, value, table);
  else
    add_plain (builder, value);
}

static void
add_report (JsonBuilder *builder, OrrerySimulation *simulation)
{
  g_autoptr (GVariant) report = orrery_simulation_get_report (simulation);
  GVariantIter iter;
  const char *key = NULL;
  GVariant *value = NULL;

  g_variant_iter_init (&iter, report);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value)) {
    g_autofree char *name = g_strdelimit (g_strdup (key), "-", '_');

    json_builder_set_member_name (builder, name);
    add_value (builder, value, find_table (key));
  }
}

gboolean
cli_result_write (const char *path, const char *scene, OrrerySimulation *simulation, int status,
                  const char *message, GError **error)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  gsize length = 0;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "orrery");
  json_builder_add_string_value (builder, ORRERY_VERSION);
  json_builder_set_member_name (builder, "scene");
  json_builder_add_string_value (builder, scene);
  json_builder_set_member_name (builder, "exit");
  json_builder_add_int_value (builder, status);
  if (message != NULL) {
    json_builder_set_member_name (builder, "error");
    json_builder_add_string_value (builder, message);
  }
  if (simulation != NULL)
    add_report (builder, simulation);
  json_builder_end_object (builder);

  root = json_builder_get_root (builder);
  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  text = json_generator_to_data (generator, &length);
  /* Whole or not at all: who finds the file counts the run as done. */
  return g_file_set_contents_full (path, text, (gssize) length, G_FILE_SET_CONTENTS_CONSISTENT,
                                   0666, error);
}
