/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads classes that are written in JSON. */
#include "base/orrery-file-private.h"
#include "registry/orrery-classpath-private.h"
#include "registry/orrery-describe-private.h"
#include "registry/orrery-json-class-private.h"
#include "text/orrery-key-rows-private.h"
#include "text/orrery-node-private.h"

#define MAX_CLASSES 1024

typedef struct {
  OrreryNode *schema; /* for editors */
  OrreryNode *summary;
  OrreryNode *licence;
  OrreryNode *classes;
} DocumentKeys;

static const OrreryKey document_rows[] = {
  NODE ("$schema", TEXT, DocumentKeys, schema, NULL),
  ROW ("orrery", VERSION, 0, NULL),
  NODE ("summary", TEXT, DocumentKeys, summary, NULL),
  NODE ("licence", TEXT, DocumentKeys, licence, NULL),
  NODE ("classes", MAP, DocumentKeys, classes, NULL, REQUIRED),
};

static const OrreryKeyTable document_keys = { .what = "a file of classes",
                                              .keys = document_rows,
                                              .n_keys = G_N_ELEMENTS (document_rows) };

/* The others are read with the scene. */
typedef struct {
  OrreryNode *base;
  OrreryNode *other;
  OrreryNode *aliases;
  double frequency;
  OrreryVec3 position;
  OrreryVec3 rotation;
} ClassKeys;

static const OrreryKey class_rows[] = {
  NODE ("base", CLASSPATH, ClassKeys, base, NULL, REQUIRED),
  NUMBER ("frequency", ClassKeys, frequency, 1e-6, 1e6, NAN, NULL),
  NODE ("level", TEXT, ClassKeys, other, NULL),
  NODE ("name", TEXT, ClassKeys, other, NULL),
  NODE ("properties", DICT, ClassKeys, other, NULL),
  VECTOR ("position", ClassKeys, position, 0, 0, 0, NULL),
  VECTOR ("rotation", ClassKeys, rotation, 0, 0, 0, NULL),
  NODE ("body", OBJECT, ClassKeys, other, NULL),
  NODE ("shapes", LIST, ClassKeys, other, NULL),
  NODE ("objects", LIST, ClassKeys, other, NULL),
  NODE ("joint", OBJECT, ClassKeys, other, NULL),
  NODE ("lamp", OBJECT, ClassKeys, other, NULL),
  NODE ("visual", OBJECT, ClassKeys, other, NULL),
  NODE ("aliases", LIST, ClassKeys, aliases, NULL),
};

static const OrreryKeyTable class_keys = { .what = "a class",
                                           .keys = class_rows,
                                           .n_keys = G_N_ELEMENTS (class_rows) };

typedef struct {
  OrreryNode *alias;
  OrreryNode *component;
  OrreryNode *level;
} AliasKeys;

static const OrreryKey alias_rows[] = {
  NODE ("alias", TEXT, AliasKeys, alias, NULL, REQUIRED),
  NODE ("component", CLASSPATH, AliasKeys, component, NULL, REQUIRED),
  NODE ("level", TEXT, AliasKeys, level, NULL),
};

static const OrreryKeyTable alias_keys = { .what = "an alias",
                                           .keys = alias_rows,
                                           .n_keys = G_N_ELEMENTS (alias_rows) };

static void
check_aliases (OrreryProblems *problems, OrreryNode *aliases)
{
  guint n = aliases != NULL ? orrery_node_get_length (aliases) : 0;
  AliasKeys keys;

  for (guint i = 0; i < n; i++) {
    OrreryNode *alias = orrery_node_get_item (aliases, i);

    if (orrery_keys_expect_dict (problems, alias, &alias_keys))
      orrery_keys_read (problems, alias, &alias_keys, &keys);
  }
}

static void
check_class (OrreryProblems *problems, OrreryNode *classes, guint index)
{
  const char *name = orrery_node_get_key (classes, index);
  OrreryNode *node = orrery_node_get_item (classes, index);
  g_autofree char *classpath = NULL;
  g_autoptr (GError) error = NULL;
  ClassKeys keys;

  if (!orrery_is_dotted_name (name, ORRERY_CLASSPATH_MAX_PARTS - 1)) {
    orrery_problems_take (problems, orrery_node_key_error (classes, index, ORRERY_ERROR_CONFIG,
                                                           "'%s' is no name of a class", name));
    return;
  }
  if (!orrery_keys_expect_dict (problems, node, &class_keys) ||
      !orrery_keys_read (problems, node, &class_keys, &keys))
    return;
  check_aliases (problems, keys.aliases);
  classpath = orrery_classpath_read (orrery_node_get_text (keys.base), &error);
  if (classpath == NULL)
    orrery_keys_refuse (problems, keys.base, "%s", error->message);
}

static void
check_document (OrreryProblems *problems, OrreryNode *document)
{
  DocumentKeys keys;
  guint n;

  if (!orrery_keys_expect_dict (problems, document, &document_keys) ||
      !orrery_keys_read (problems, document, &document_keys, &keys))
    return;
  n = orrery_node_get_length (keys.classes);
  if (n > MAX_CLASSES)
    orrery_keys_refuse (problems, keys.classes, "a file has at most %d classes", MAX_CLASSES);
  for (guint i = 0; i < n && n <= MAX_CLASSES; i++)
    check_class (problems, keys.classes, i);
}

OrreryNode *
orrery_json_classes_load (const char *file, GError **error)
{
  g_autoptr (OrreryNode) document = NULL;
  g_autofree char *text = NULL;
  OrreryProblems problems;
  gboolean is_right;
  gsize length;

  text = orrery_file_read (file, ORRERY_NODE_MAX_BYTES, &length, error);
  if (text == NULL)
    return NULL;
  document = orrery_node_parse_json_kept (text, length, file, NULL, error);
  if (document == NULL)
    return NULL;
  orrery_problems_init (&problems);
  check_document (&problems, document);
  is_right = orrery_problems_report (&problems, error);
  orrery_problems_clear (&problems);
  return is_right ? g_steal_pointer (&document) : NULL;
}

OrreryNode *
orrery_json_classes_get (OrreryNode *document)
{
  return orrery_node_find (document, "classes");
}

const char *
orrery_json_classes_get_text (OrreryNode *document, const char *key)
{
  OrreryNode *node = orrery_node_find (document, key);

  return node != NULL ? orrery_node_get_text (node) : NULL;
}

const char **
orrery_json_classes_get_names (OrreryNode *document)
{
  OrreryNode *classes = orrery_json_classes_get (document);
  guint n = orrery_node_get_length (classes);
  const char **names = g_new0 (const char *, n + 1);

  for (guint i = 0; i < n; i++)
    names[i] = orrery_node_get_key (classes, i);
  return names;
}

OrreryNode *
orrery_json_class_find_property (OrreryNode *node, const char *name)
{
  OrreryNode *properties = orrery_node_find (node, "properties");

  return properties != NULL && orrery_node_get_kind (properties) == ORRERY_NODE_DICT
             ? orrery_node_find (properties, name)
             : NULL;
}

static void
add_type (GPtrArray *types, OrreryNode *type)
{
  if (type != NULL && orrery_node_get_kind (type) == ORRERY_NODE_TEXT &&
      !g_ptr_array_find_with_equal_func (types, orrery_node_get_text (type), g_str_equal, NULL))
    g_ptr_array_add (types, (gpointer) orrery_node_get_text (type));
}

/* A mapping is checked when a scene uses it: here it may hold anything. */
void
orrery_json_class_add_messages (GVariantBuilder *dict, OrreryNode *messages, OrreryNode *type)
{
  g_autoptr (GPtrArray) types = g_ptr_array_new ();
  gboolean is_list = messages != NULL && orrery_node_get_kind (messages) == ORRERY_NODE_LIST;

  add_type (types, type);
  for (guint i = 0; is_list && i < orrery_node_get_length (messages); i++) {
    OrreryNode *message = orrery_node_get_item (messages, i);

    if (orrery_node_get_kind (message) == ORRERY_NODE_DICT)
      add_type (types, orrery_node_find (message, "type"));
  }
  if (types->len == 0)
    return;
  orrery_dict_open_list (dict, "messages", "as");
  for (guint i = 0; i < types->len; i++)
    g_variant_builder_add (dict, "s", types->pdata[i]);
  orrery_dict_close_list (dict);
}
