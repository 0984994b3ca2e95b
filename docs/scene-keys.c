/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints scene.schema.json or, with the argument `page`, scene.md from the tables of keys. */
#include "base/orrery-message.h"
#include "scene/orrery-scene-keys-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What the types of keys refer to, and the entries of the five tables. */
static const char definitions[] =
    "    \"text\": { \"type\": \"string\", \"minLength\": 1, \"pattern\": \"^[^\\\\u0000]*$\" },\n"
    "    \"name\": { \"description\": \"A name without dots: full names are those of the tree, "
    "joined by dots\", \"type\": \"string\", \"pattern\": \"^[^.\\\\u0000]+$\" },\n"
    "    \"classpath\": { \"description\": \"Module and class; `morse.` in front is read as "
    "`orrery.`\", \"type\": \"string\", \"pattern\": \"^[^.\\\\u0000]+(\\\\.[^.\\\\u0000]+)+$\" "
    "},\n"
    "    \"placement\": { \"type\": \"string\", \"pattern\": \"^[A-Za-z_][A-Za-z0-9_-]*$\", "
    "\"default\": \"host\" },\n"
    "    \"vector\": { \"type\": \"array\", \"items\": { \"type\": \"number\" }, \"minItems\": 3, "
    "\"maxItems\": 3 },\n"
    "    \"color\": { \"description\": \"Red, green, blue\", \"type\": \"array\", \"items\": { "
    "\"type\": \"number\", \"minimum\": 0, \"maximum\": 1 }, \"minItems\": 3, \"maxItems\": 3 },\n"
    "    \"locks\": { \"type\": \"array\", \"items\": { \"type\": \"boolean\" }, \"minItems\": 3, "
    "\"maxItems\": 3, \"default\": [false, false, false] },\n"
    "    \"rows\": { \"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/vector\" } },\n"
    "    \"options\": { \"type\": \"object\" },\n"
    "    \"stream\": { \"description\": \"Manager, codec, direction, options; the direction may be "
    "absent: out for sensors, in for actuators\", \"oneOf\": [\n"
    "      { \"type\": \"array\", \"prefixItems\": [{ \"$ref\": \"#/$defs/classpath\" }, { "
    "\"$ref\": "
    "\"#/$defs/classpath\" }, { \"enum\": [\"IN\", \"OUT\"] }, { \"$ref\": \"#/$defs/options\" }], "
    "\"items\": false, \"minItems\": 4 },\n"
    "      { \"type\": \"array\", \"prefixItems\": [{ \"$ref\": \"#/$defs/classpath\" }, { "
    "\"$ref\": "
    "\"#/$defs/classpath\" }, { \"$ref\": \"#/$defs/options\" }], \"items\": false, \"minItems\": "
    "3 }"
    "\n    ] },\n"
    "    \"modifier\": { \"description\": \"Class, then IN, OUT or the name of one of its methods, "
    "then options; the second may be absent\", \"oneOf\": [\n"
    "      { \"type\": \"array\", \"prefixItems\": [{ \"$ref\": \"#/$defs/classpath\" }, { "
    "\"$ref\": "
    "\"#/$defs/text\" }, { \"$ref\": \"#/$defs/options\" }], \"items\": false, \"minItems\": 3 },\n"
    "      { \"type\": \"array\", \"prefixItems\": [{ \"$ref\": \"#/$defs/classpath\" }, { "
    "\"$ref\": "
    "\"#/$defs/options\" }], \"items\": false, \"minItems\": 2 }\n    ] },\n"
    "    \"overlay\": { \"description\": \"A classpath, several, or one with its options\", "
    "\"oneOf\": [\n"
    "      { \"$ref\": \"#/$defs/classpath\" },\n"
    "      { \"type\": \"array\", \"items\": { \"$ref\": \"#/$defs/classpath\" }, \"minItems\": 1 "
    "},\n"
    "      { \"type\": \"array\", \"prefixItems\": [{ \"$ref\": \"#/$defs/classpath\" }, { "
    "\"$ref\": "
    "\"#/$defs/options\" }], \"items\": false, \"minItems\": 2 }\n    ] }";

/* --- values --- */

static void
append_number (OrreryWriter *out, double value)
{
  if (value == floor (value) && fabs (value) < 1e15)
    orrery_writer_append_int (out, (gint64) value);
  else
    orrery_writer_append_double (out, value);
}

static void
append_numbers (OrreryWriter *out, const double *values, guint n)
{
  for (guint i = 0; i < n; i++) {
    orrery_writer_append_text (out, i == 0 ? "[" : ", ");
    append_number (out, values[i]);
  }
  orrery_writer_append_text (out, "]");
}

/* Whether there is a default; as JSON. */
static gboolean
append_default (OrreryWriter *out, const OrreryKey *key)
{
  double value = key->value[0];

  if (isnan (value))
    return FALSE;
  switch (key->type) {
  case ORRERY_KEY_NUMBER:
  case ORRERY_KEY_COUNT:
    append_number (out, value);
    return TRUE;
  case ORRERY_KEY_BOOL:
    orrery_writer_append_text (out, value == 1 ? "true" : "false");
    return TRUE;
  case ORRERY_KEY_WORD:
    orrery_writer_append_json_text (out, key->words[(int) (value - key->low)]);
    return TRUE;
  case ORRERY_KEY_VECTOR:
  case ORRERY_KEY_COLOR:
    append_numbers (out, key->value, 3);
    return TRUE;
  case ORRERY_KEY_PAIR:
    append_numbers (out, key->value, 2);
    return TRUE;
  default:
    return FALSE;
  }
}

/* --- the schema --- */

static void
append_range (OrreryWriter *out, const OrreryKey *key)
{
  if (isfinite (key->low)) {
    orrery_writer_append_text (out, ", \"minimum\": ");
    append_number (out, key->low);
  }
  if (isfinite (key->high)) {
    orrery_writer_append_text (out, ", \"maximum\": ");
    append_number (out, key->high);
  }
}

static void
append_words (OrreryWriter *out, const OrreryKey *key)
{
  orrery_writer_append_text (out, "\"enum\": [");
  for (guint i = 0; key->words[i] != NULL; i++) {
    orrery_writer_append_text (out, i > 0 ? ", " : "");
    orrery_writer_append_json_text (out, key->words[i]);
  }
  orrery_writer_append_text (out, "]");
}

static void
append_reference (OrreryWriter *out, const char *name)
{
  orrery_writer_append_text (out, "\"$ref\": \"#/$defs/");
  orrery_writer_append_text (out, name);
  orrery_writer_append_text (out, "\"");
}

static void
append_list (OrreryWriter *out, const OrreryKey *key)
{
  orrery_writer_append_text (out, "\"type\": \"array\", \"items\": { ");
  append_reference (out, key->table->name);
  orrery_writer_append_text (out, " }");
  if (key->high > 0) {
    orrery_writer_append_text (out, ", \"maxItems\": ");
    append_number (out, key->high);
  }
}

static void
append_type (OrreryWriter *out, const OrreryKey *key)
{
  static const char *const references[] = {
    [ORRERY_KEY_VECTOR] = "vector",       [ORRERY_KEY_COLOR] = "color",
    [ORRERY_KEY_LOCKS] = "locks",         [ORRERY_KEY_TEXT] = "text",
    [ORRERY_KEY_NAME] = "name",           [ORRERY_KEY_CLASSPATH] = "classpath",
    [ORRERY_KEY_PLACEMENT] = "placement", [ORRERY_KEY_ROWS] = "rows",
  };

  switch (key->type) {
  case ORRERY_KEY_NUMBER:
    orrery_writer_append_text (out, "\"type\": \"number\"");
    append_range (out, key);
    return;
  case ORRERY_KEY_COUNT:
    orrery_writer_append_text (out, "\"type\": \"integer\"");
    append_range (out, key);
    return;
  case ORRERY_KEY_SEED:
    orrery_writer_append_text (out, "\"type\": \"integer\", \"minimum\": 0");
    return;
  case ORRERY_KEY_BOOL:
    orrery_writer_append_text (out, "\"type\": \"boolean\"");
    return;
  case ORRERY_KEY_WORD:
    append_words (out, key);
    return;
  case ORRERY_KEY_PAIR:
    orrery_writer_append_text (out, "\"type\": \"array\", \"items\": { \"type\": \"number\"");
    append_range (out, key);
    orrery_writer_append_text (out, " }, \"minItems\": 2, \"maxItems\": 2");
    return;
  case ORRERY_KEY_DICT:
    orrery_writer_append_text (out, "\"type\": \"object\"");
    return;
  case ORRERY_KEY_OBJECT:
    append_reference (out, key->table->name);
    return;
  case ORRERY_KEY_LIST:
    append_list (out, key);
    return;
  case ORRERY_KEY_MAP:
    orrery_writer_append_text (out, "\"type\": \"object\", \"additionalProperties\": { ");
    append_reference (out, key->table->name);
    orrery_writer_append_text (out, " }");
    return;
  case ORRERY_KEY_VERSION:
    orrery_writer_append_text (out, "\"const\": 1");
    return;
  default:
    append_reference (out, references[key->type]);
  }
}

static void
append_key (OrreryWriter *out, const OrreryKey *key)
{
  g_autoptr (OrreryWriter) value = orrery_writer_new ();
  gsize length;

  orrery_writer_append_text (out, "        ");
  orrery_writer_append_json_text (out, key->name);
  orrery_writer_append_text (out, ": { ");
  if (key->doc != NULL) {
    orrery_writer_append_text (out, "\"description\": ");
    orrery_writer_append_json_text (out, key->doc);
    orrery_writer_append_text (out, ", ");
  }
  if (key->schema != NULL)
    orrery_writer_append_text (out, key->schema);
  else
    append_type (out, key);
  if (append_default (value, key)) {
    const char *data = orrery_writer_get_data (value, &length);

    orrery_writer_append_text (out, ", \"default\": ");
    orrery_writer_append (out, data, length);
  }
  orrery_writer_append_text (out, " }");
}

/* The members of the schema of a table. */
static void
append_table (OrreryWriter *out, const OrreryKeyTable *table)
{
  const char *comma = "";

  orrery_writer_append_text (out, "      \"description\": ");
  orrery_writer_append_json_text (out, table->doc);
  orrery_writer_append_text (out, ",\n      \"type\": \"object\",\n      \"properties\": {\n");
  for (guint i = 0; i < table->n_keys; i++) {
    append_key (out, &table->keys[i]);
    orrery_writer_append_text (out, i + 1 < table->n_keys ? ",\n" : "\n");
  }
  orrery_writer_append_text (out, "      },\n      \"required\": [");
  for (guint i = 0; i < table->n_keys; i++) {
    if (!(table->keys[i].flags & ORRERY_KEY_REQUIRED))
      continue;
    orrery_writer_append_text (out, comma);
    orrery_writer_append_json_text (out, table->keys[i].name);
    comma = ", ";
  }
  orrery_writer_append_text (out, "],\n      \"additionalProperties\": false");
}

static void
append_schema (OrreryWriter *out)
{
  orrery_writer_append_text (out, "{\n"
                                  "      \"$schema\": "
                                  "\"https://json-schema.org/draft/2020-12/schema\",\n"
                                  "      \"$id\": \"urn:orrery:scene:1\",\n"
                                  "      \"title\": \"Orrery scene, version 1\",\n");
  append_table (out, orrery_scene_tables[0]);
  orrery_writer_append_text (out, ",\n  \"$defs\": {\n");
  for (guint i = 1; i < orrery_n_scene_tables; i++) {
    orrery_writer_append_text (out, "    ");
    orrery_writer_append_json_text (out, orrery_scene_tables[i]->name);
    orrery_writer_append_text (out, ": {\n");
    append_table (out, orrery_scene_tables[i]);
    orrery_writer_append_text (out, "\n    },\n");
  }
  orrery_writer_append_text (out, definitions);
  orrery_writer_append_text (out, "\n  }\n}\n");
}

/* --- the page --- */

static char *
describe_numbers (const OrreryKey *key, const char *noun)
{
  if (isfinite (key->low) && isfinite (key->high))
    return g_strdup_printf ("%s, %.15g to %.15g", noun, key->low, key->high);
  return isfinite (key->low) ? g_strdup_printf ("%s, at least %g", noun, key->low)
                             : g_strdup (noun);
}

static char *
describe_words (const OrreryKey *key)
{
  g_autofree char *joined = g_strjoinv ("`, `", (char **) key->words);

  return g_strdup_printf ("`%s`", joined);
}

static char *
describe_type (const OrreryKey *key)
{
  static const char *const names[] = {
    [ORRERY_KEY_SEED] = "integer, at least 0", [ORRERY_KEY_BOOL] = "bool",
    [ORRERY_KEY_VECTOR] = "three numbers",     [ORRERY_KEY_COLOR] = "red, green, blue, 0 to 1",
    [ORRERY_KEY_LOCKS] = "three bools",        [ORRERY_KEY_TEXT] = "text",
    [ORRERY_KEY_NAME] = "text without dots",   [ORRERY_KEY_CLASSPATH] = "classpath",
    [ORRERY_KEY_PLACEMENT] = "text",           [ORRERY_KEY_ROWS] = "rows of three numbers",
    [ORRERY_KEY_DICT] = "dictionary",          [ORRERY_KEY_VERSION] = "1",
  };

  switch (key->type) {
  case ORRERY_KEY_NUMBER:
    return describe_numbers (key, "number");
  case ORRERY_KEY_COUNT:
    return describe_numbers (key, "integer");
  case ORRERY_KEY_PAIR:
    return describe_numbers (key, "two numbers");
  case ORRERY_KEY_WORD:
    return describe_words (key);
  case ORRERY_KEY_OBJECT:
    return g_strdup_printf ("[%s](#%s)", key->table->name, key->table->name);
  case ORRERY_KEY_LIST:
    return g_strdup_printf ("list of [%s](#%s)", key->table->name, key->table->name);
  case ORRERY_KEY_MAP:
    return g_strdup_printf ("dictionary of [%s](#%s)", key->table->name, key->table->name);
  default:
    return g_strdup (names[key->type]);
  }
}

static void
append_row (OrreryWriter *out, const OrreryKey *key)
{
  g_autofree char *type = describe_type (key);

  orrery_writer_append_text (out, "| `");
  orrery_writer_append_text (out, key->name);
  orrery_writer_append_text (out, "` | ");
  orrery_writer_append_text (out, type);
  orrery_writer_append_text (out, " | ");
  if (key->flags & ORRERY_KEY_REQUIRED)
    orrery_writer_append_text (out, "required");
  else
    append_default (out, key);
  orrery_writer_append_text (out, " | ");
  orrery_writer_append_text (out, key->doc != NULL ? key->doc : "");
  orrery_writer_append_text (out, " |\n");
}

static void
append_page (OrreryWriter *out)
{
  orrery_writer_append_text (out, "# Keys of a scene\n\n"
                                  "What `scene.json` may say, object by object; "
                                  "`scene.schema.json` says the same to programs.\n");
  for (guint i = 0; i < orrery_n_scene_tables; i++) {
    const OrreryKeyTable *table = orrery_scene_tables[i];

    orrery_writer_append_text (out, "\n## ");
    orrery_writer_append_text (out, table->name);
    orrery_writer_append_text (out, "\n\n");
    orrery_writer_append_text (out, table->doc);
    orrery_writer_append_text (out,
                               ".\n\n| key | value | default | meaning |\n|---|---|---|---|\n");
    for (guint j = 0; j < table->n_keys; j++)
      append_row (out, &table->keys[j]);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  const char *text;
  gsize length;

  if (argc > 1 && strcmp (argv[1], "page") == 0)
    append_page (out);
  else
    append_schema (out);
  text = orrery_writer_get_data (out, &length);
  return fwrite (text, 1, length, stdout) == length && fflush (stdout) == 0 ? 0 : 1;
}
