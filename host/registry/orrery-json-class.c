/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads classes that are written in JSON. */
#include "base/orrery-error.h"
#include "base/orrery-file-private.h"
#include "registry/orrery-classpath-private.h"
#include "registry/orrery-json-class-private.h"

#include <math.h>

#define MAX_CLASSES 1024
#define VERSION 1

typedef enum { WANT_TEXT, WANT_NUMBER, WANT_LIST, WANT_DICT } Want;

typedef struct {
  const char *key;
  Want want;
} Key;

static const Key document_keys[] = {
  { "orrery", WANT_NUMBER },
  { "summary", WANT_TEXT },
  { "licence", WANT_TEXT },
  { "classes", WANT_DICT },
};

/* The contents of body, shapes and objects are read with the scene. */
static const Key class_keys[] = {
  { "base", WANT_TEXT },     { "frequency", WANT_NUMBER }, { "level", WANT_TEXT },
  { "name", WANT_TEXT },     { "properties", WANT_DICT },  { "position", WANT_LIST },
  { "rotation", WANT_LIST }, { "body", WANT_DICT },        { "shapes", WANT_LIST },
  { "objects", WANT_LIST },  { "joint", WANT_DICT },       { "lamp", WANT_DICT },
  { "visual", WANT_DICT },
};

static const char *const want_names[] = {
  [WANT_TEXT] = "a text",
  [WANT_NUMBER] = "a number",
  [WANT_LIST] = "a list",
  [WANT_DICT] = "a dictionary",
};

static gboolean
is_wanted (OrreryNode *node, Want want)
{
  OrreryNodeKind kind = orrery_node_get_kind (node);

  switch (want) {
  case WANT_TEXT:
    return kind == ORRERY_NODE_TEXT;
  case WANT_NUMBER:
    return kind == ORRERY_NODE_INT || kind == ORRERY_NODE_DOUBLE;
  case WANT_LIST:
    return kind == ORRERY_NODE_LIST;
  case WANT_DICT:
    return kind == ORRERY_NODE_DICT;
  }
  return FALSE;
}

static const Key *
find_key (const Key *keys, guint n_keys, const char *name)
{
  for (guint i = 0; i < n_keys; i++)
    if (g_str_equal (keys[i].key, name))
      return &keys[i];
  return NULL;
}

static void
set_unknown_key (OrreryNode *node, guint index, const Key *keys, guint n_keys, GError **error)
{
  g_autofree const char **names = g_new0 (const char *, n_keys + 1);
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < n_keys; i++)
    names[i] = keys[i].key;
  nearest = orrery_nearest_names (orrery_node_get_key (node, index), names);
  g_propagate_error (error,
                     orrery_node_key_error (node, index, ORRERY_ERROR_CONFIG, "unknown key '%s'%s",
                                            orrery_node_get_key (node, index), nearest));
}

static gboolean
check_keys (OrreryNode *node, const Key *keys, guint n_keys, GError **error)
{
  for (guint i = 0; i < orrery_node_get_length (node); i++) {
    OrreryNode *value = orrery_node_get_item (node, i);
    const Key *key = find_key (keys, n_keys, orrery_node_get_key (node, i));

    if (key == NULL) {
      set_unknown_key (node, i, keys, n_keys, error);
      return FALSE;
    }
    if (!is_wanted (value, key->want)) {
      g_propagate_error (error, orrery_node_error (value, ORRERY_ERROR_CONFIG,
                                                   "'%s' is %s, %s is expected", key->key,
                                                   orrery_node_get_kind_name (value),
                                                   want_names[key->want]));
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_base (OrreryNode *node, const char *name, GError **error)
{
  OrreryNode *base = orrery_node_find (node, "base");
  g_autoptr (GError) local = NULL;
  g_autofree char *classpath = NULL;

  if (base == NULL) {
    g_propagate_error (error, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                 "class %s has no 'base', the classpath of the "
                                                 "class that it refines",
                                                 name));
    return FALSE;
  }
  classpath = orrery_classpath_read (orrery_node_get_text (base), &local);
  if (classpath == NULL)
    g_propagate_error (error, orrery_node_error (base, ORRERY_ERROR_CONFIG, "%s", local->message));
  return classpath != NULL;
}

static gboolean
check_frequency (OrreryNode *node, GError **error)
{
  OrreryNode *frequency = orrery_node_find (node, "frequency");
  double value = frequency != NULL ? orrery_node_get_double (frequency) : 1;

  if (isfinite (value) && value > 0)
    return TRUE;
  g_propagate_error (error, orrery_node_error (frequency, ORRERY_ERROR_CONFIG,
                                               "a frequency is a number above 0, Hz"));
  return FALSE;
}

static gboolean
check_vector (OrreryNode *node, const char *key, GError **error)
{
  OrreryNode *list = orrery_node_find (node, key);
  guint length = list != NULL ? orrery_node_get_length (list) : 3;

  if (length != 3) {
    g_propagate_error (error,
                       orrery_node_error (list, ORRERY_ERROR_CONFIG,
                                          "'%s' has %u numbers, 3 are expected", key, length));
    return FALSE;
  }
  for (guint i = 0; list != NULL && i < length; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);

    if (!is_wanted (item, WANT_NUMBER) || !isfinite (orrery_node_get_double (item))) {
      g_propagate_error (error, orrery_node_error (item, ORRERY_ERROR_CONFIG,
                                                   "'%s' is made of finite numbers", key));
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_class (OrreryNode *classes, guint index, GError **error)
{
  const char *name = orrery_node_get_key (classes, index);
  OrreryNode *node = orrery_node_get_item (classes, index);

  if (!orrery_is_dotted_name (name, ORRERY_CLASSPATH_MAX_PARTS - 1)) {
    g_propagate_error (error, orrery_node_key_error (classes, index, ORRERY_ERROR_CONFIG,
                                                     "'%s' is no name of a class", name));
    return FALSE;
  }
  if (!is_wanted (node, WANT_DICT)) {
    g_propagate_error (error, orrery_node_error (node, ORRERY_ERROR_CONFIG,
                                                 "class %s is %s, a dictionary is expected", name,
                                                 orrery_node_get_kind_name (node)));
    return FALSE;
  }
  return check_keys (node, class_keys, G_N_ELEMENTS (class_keys), error) &&
         check_base (node, name, error) && check_frequency (node, error) &&
         check_vector (node, "position", error) && check_vector (node, "rotation", error);
}

static gboolean
check_version (OrreryNode *document, GError **error)
{
  OrreryNode *version = orrery_node_find (document, "orrery");

  if (version == NULL || (orrery_node_get_kind (version) == ORRERY_NODE_INT &&
                          orrery_node_get_int (version) == VERSION))
    return TRUE;
  g_propagate_error (error, orrery_node_error (version, ORRERY_ERROR_CONFIG,
                                               "this host reads version %d", VERSION));
  return FALSE;
}

static gboolean
check_document (OrreryNode *document, GError **error)
{
  OrreryNode *classes;

  if (!is_wanted (document, WANT_DICT) || orrery_node_find (document, "classes") == NULL) {
    g_propagate_error (error, orrery_node_error (document, ORRERY_ERROR_CONFIG,
                                                 "a file of classes is a dictionary with the key "
                                                 "'classes'"));
    return FALSE;
  }
  if (!check_keys (document, document_keys, G_N_ELEMENTS (document_keys), error) ||
      !check_version (document, error))
    return FALSE;
  classes = orrery_json_classes_get (document);
  if (orrery_node_get_length (classes) > MAX_CLASSES) {
    g_propagate_error (error, orrery_node_error (classes, ORRERY_ERROR_CONFIG,
                                                 "a file has at most %d classes", MAX_CLASSES));
    return FALSE;
  }
  for (guint i = 0; i < orrery_node_get_length (classes); i++)
    if (!check_class (classes, i, error))
      return FALSE;
  return TRUE;
}

OrreryNode *
orrery_json_classes_load (const char *file, GError **error)
{
  g_autoptr (OrreryNode) document = NULL;
  g_autofree char *text = NULL;
  gsize length;

  text = orrery_file_read (file, ORRERY_NODE_MAX_BYTES, &length, error);
  if (text == NULL)
    return NULL;
  document = orrery_node_parse_json (text, length, file, error);
  if (document == NULL || !check_document (document, error))
    return NULL;
  return g_steal_pointer (&document);
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
