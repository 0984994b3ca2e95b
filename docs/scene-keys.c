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

/* What a type of keys is in the schema, or what its definition there is called, and on the page. */
static const struct {
  const char *schema;
  const char *reference;
  const char *phrase;
} types[] = {
  [ORRERY_KEY_NUMBER] = { "\"type\": \"number\"", NULL, "number" },
  [ORRERY_KEY_COUNT] = { "\"type\": \"integer\"", NULL, "integer" },
  [ORRERY_KEY_SEED] = { "\"type\": \"integer\", \"minimum\": 0", NULL, "integer, at least 0" },
  [ORRERY_KEY_BOOL] = { "\"type\": \"boolean\"", NULL, "bool" },
  [ORRERY_KEY_WORD] = { "\"enum\": [", NULL, "" },
  [ORRERY_KEY_VECTOR] = { NULL, "vector", "three numbers" },
  [ORRERY_KEY_COLOR] = { NULL, "color", "red, green, blue, 0 to 1" },
  [ORRERY_KEY_PAIR] = { "\"type\": \"array\", \"items\": { \"type\": \"number\"", NULL,
                        "two numbers" },
  [ORRERY_KEY_LOCKS] = { NULL, "locks", "three bools" },
  [ORRERY_KEY_TEXT] = { NULL, "text", "text" },
  [ORRERY_KEY_NAME] = { NULL, "name", "text without dots" },
  [ORRERY_KEY_CLASSPATH] = { NULL, "classpath", "classpath" },
  [ORRERY_KEY_PLACEMENT] = { NULL, "placement", "text" },
  [ORRERY_KEY_ROWS] = { NULL, "rows", "rows of three numbers" },
  [ORRERY_KEY_DICT] = { "\"type\": \"object\"", NULL, "dictionary" },
  [ORRERY_KEY_OBJECT] = { "", NULL, "" },
  [ORRERY_KEY_LIST] = { "\"type\": \"array\", \"items\": { ", NULL, "list of " },
  [ORRERY_KEY_MAP] = { "\"type\": \"object\", \"additionalProperties\": { ", NULL,
                       "dictionary of " },
  [ORRERY_KEY_VERSION] = { "\"const\": 1", NULL, "1" },
};

/* --- values --- */

/* Appends texts up to a NULL. */
static void G_GNUC_NULL_TERMINATED
put (OrreryWriter *out, ...)
{
  va_list texts;
  const char *text;

  va_start (texts, out);
  while ((text = va_arg (texts, const char *)) != NULL)
    orrery_writer_append_text (out, text);
  va_end (texts);
}

static void
put_quoted (OrreryWriter *out, const char *before, const char *text)
{
  orrery_writer_append_text (out, before);
  orrery_writer_append_json_text (out, text);
}

static void
put_number (OrreryWriter *out, const char *before, double value)
{
  orrery_writer_append_text (out, before);
  if (value == floor (value) && fabs (value) < 1e15)
    orrery_writer_append_int (out, (gint64) value);
  else
    orrery_writer_append_double (out, value);
}

static gboolean
has_default (const OrreryKey *key)
{
  return !isnan (key->value[0]) && key->type <= ORRERY_KEY_PAIR && key->type != ORRERY_KEY_SEED;
}

/* As JSON, if there is one. */
static void
put_default (OrreryWriter *out, const char *before, const OrreryKey *key)
{
  guint n = key->type == ORRERY_KEY_PAIR ? 2 : 3;

  if (!has_default (key))
    return;
  if (key->type == ORRERY_KEY_NUMBER || key->type == ORRERY_KEY_COUNT) {
    put_number (out, before, key->value[0]);
  } else if (key->type == ORRERY_KEY_BOOL) {
    put (out, before, key->value[0] == 1 ? "true" : "false", NULL);
  } else if (key->type == ORRERY_KEY_WORD) {
    put_quoted (out, before, key->words[(int) (key->value[0] - key->low)]);
  } else {
    put (out, before, "[", NULL);
    for (guint i = 0; i < n; i++)
      put_number (out, i > 0 ? ", " : "", key->value[i]);
    put (out, "]", NULL);
  }
}

/* --- the schema --- */

static void
put_range (OrreryWriter *out, const OrreryKey *key)
{
  if (isfinite (key->low))
    put_number (out, ", \"minimum\": ", key->low);
  if (isfinite (key->high))
    put_number (out, ", \"maximum\": ", key->high);
}

static void
put_type (OrreryWriter *out, const OrreryKey *key)
{
  const char *reference = key->table != NULL ? key->table->name : types[key->type].reference;

  if (types[key->type].schema != NULL)
    put (out, types[key->type].schema, NULL);
  if (reference != NULL)
    put (out, "\"$ref\": \"#/$defs/", reference, "\"", NULL);
  switch (key->type) {
  case ORRERY_KEY_NUMBER:
  case ORRERY_KEY_COUNT:
    put_range (out, key);
    break;
  case ORRERY_KEY_WORD:
    for (guint i = 0; key->words[i] != NULL; i++)
      put_quoted (out, i > 0 ? ", " : "", key->words[i]);
    put (out, "]", NULL);
    break;
  case ORRERY_KEY_PAIR:
    put_range (out, key);
    put (out, " }, \"minItems\": 2, \"maxItems\": 2", NULL);
    break;
  case ORRERY_KEY_LIST:
    put (out, " }", NULL);
    if (key->high > 0)
      put_number (out, ", \"maxItems\": ", key->high);
    break;
  case ORRERY_KEY_MAP:
    put (out, " }", NULL);
    break;
  default:
    break;
  }
}

static void
put_key (OrreryWriter *out, const OrreryKey *key)
{
  put_quoted (out, "        ", key->name);
  put (out, ": { ", NULL);
  if (key->doc != NULL) {
    put_quoted (out, "\"description\": ", key->doc);
    put (out, ", ", NULL);
  }
  if (key->schema != NULL)
    put (out, key->schema, NULL);
  else
    put_type (out, key);
  put_default (out, ", \"default\": ", key);
  put (out, " }", NULL);
}

/* The members of the schema of a table. */
static void
put_table (OrreryWriter *out, const OrreryKeyTable *table)
{
  const char *comma = "";

  put_quoted (out, "      \"description\": ", table->doc);
  put (out, ",\n      \"type\": \"object\",\n      \"properties\": {\n", NULL);
  for (guint i = 0; i < table->n_keys; i++) {
    put_key (out, &table->keys[i]);
    put (out, i + 1 < table->n_keys ? ",\n" : "\n", NULL);
  }
  put (out, "      },\n      \"required\": [", NULL);
  for (guint i = 0; i < table->n_keys; i++) {
    if (!(table->keys[i].flags & ORRERY_KEY_REQUIRED))
      continue;
    put_quoted (out, comma, table->keys[i].name);
    comma = ", ";
  }
  put (out, "],\n      \"additionalProperties\": false", NULL);
}

static void
put_schema (OrreryWriter *out)
{
  put (out,
       "{\n"
       "      \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
       "      \"$id\": \"urn:orrery:scene:1\",\n"
       "      \"title\": \"Orrery scene, version 1\",\n",
       NULL);
  put_table (out, orrery_scene_tables[0]);
  put (out, ",\n  \"$defs\": {\n", NULL);
  for (guint i = 1; i < orrery_n_scene_tables; i++) {
    put_quoted (out, "    ", orrery_scene_tables[i]->name);
    put (out, ": {\n", NULL);
    put_table (out, orrery_scene_tables[i]);
    put (out, "\n    },\n", NULL);
  }
  put (out, definitions, "\n  }\n}\n", NULL);
}

/* --- the page --- */

static char *
describe_type (const OrreryKey *key)
{
  const char *phrase = types[key->type].phrase;
  gboolean has_range = key->type == ORRERY_KEY_NUMBER || key->type == ORRERY_KEY_COUNT ||
                       key->type == ORRERY_KEY_PAIR;

  if (key->type == ORRERY_KEY_WORD) {
    g_autofree char *joined = g_strjoinv ("`, `", (char **) key->words);

    return g_strdup_printf ("`%s`", joined);
  }
  if (key->table != NULL)
    return g_strdup_printf ("%s[%s](#%s)", phrase, key->table->name, key->table->name);
  if (!has_range || !isfinite (key->low))
    return g_strdup (phrase);
  return isfinite (key->high) ? g_strdup_printf ("%s, %.15g to %.15g", phrase, key->low, key->high)
                              : g_strdup_printf ("%s, at least %g", phrase, key->low);
}

static void
put_row (OrreryWriter *out, const OrreryKey *key)
{
  g_autofree char *type = describe_type (key);

  put (out, "| `", key->name, "` | ", type, " | ", NULL);
  if (key->flags & ORRERY_KEY_REQUIRED)
    put (out, "required", NULL);
  else
    put_default (out, "", key);
  put (out, " | ", key->doc != NULL ? key->doc : "", " |\n", NULL);
}

static void
put_page (OrreryWriter *out)
{
  put (out,
       "# Keys of a scene\n\nThe keys of `scene.json`, object by object; `scene.schema.json` "
       "describes the same for programs.\n",
       NULL);
  for (guint i = 0; i < orrery_n_scene_tables; i++) {
    const OrreryKeyTable *table = orrery_scene_tables[i];

    put (out, "\n## ", table->name, "\n\n", table->doc,
         ".\n\n| key | value | default | meaning |\n|---|---|---|---|\n", NULL);
    for (guint j = 0; j < table->n_keys; j++)
      put_row (out, &table->keys[j]);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (OrreryWriter) out = orrery_writer_new ();
  const char *text;
  gsize length;

  if (argc > 1 && strcmp (argv[1], "page") == 0)
    put_page (out);
  else
    put_schema (out);
  text = orrery_writer_get_data (out, &length);
  return fwrite (text, 1, length, stdout) == length && fflush (stdout) == 0 ? 0 : 1;
}
