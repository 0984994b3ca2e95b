/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads JSON into a tree of nodes. */
#include "text/orrery-node.h"

#include "text/orrery-json-private.h"
#include "text/orrery-node-private.h"

G_STATIC_ASSERT (ORRERY_NODE_MAX_DEPTH <= ORRERY_JSON_MAX_DEPTH);

/* So many values are read between two looks at whether somebody still waits for them. */
#define LOOK_EVERY 4096

typedef struct {
  OrreryJson json;
  OrreryPlace place; /* of the present token */
  char *file;
  GError **error;
  GCancellable *cancellable; /* (nullable) */
  guint n_values;
} Parser;

static OrreryNode *parse_value (Parser *parser, OrreryJsonToken token);

static OrreryJsonToken
next (Parser *parser)
{
  OrreryJsonToken token = orrery_json_next (&parser->json);

  orrery_place_move (&parser->place, parser->json.start);
  return token;
}

/* Says what the scanner found wrong; where the text ends too early, which bracket is open. */
static void
fail (Parser *parser, const OrreryPlace *open, OrreryNodeKind kind)
{
  OrreryPlace place = parser->place;

  orrery_place_move (&place, parser->json.wrong);
  if (parser->json.truncated && parser->json.wrong == parser->json.end && open != NULL)
    g_propagate_error (parser->error,
                       orrery_place_error (&place, parser->file,
                                           "%s; %s begins at line %u, column %u", parser->json.what,
                                           kind == ORRERY_NODE_LIST ? "the list" : "the object",
                                           open->line, open->column));
  else
    g_propagate_error (parser->error,
                       orrery_place_error (&place, parser->file, "%s", parser->json.what));
}

static OrreryNode *
parse_list (Parser *parser)
{
  g_autoptr (OrreryNode) list = orrery_node_new (ORRERY_NODE_LIST, parser->file, &parser->place);
  OrreryPlace open = parser->place;

  for (;;) {
    OrreryJsonToken token = next (parser);
    OrreryNode *item;

    if (token == ORRERY_JSON_LIST_END)
      return g_steal_pointer (&list);
    if (token == ORRERY_JSON_ERROR) {
      fail (parser, &open, ORRERY_NODE_LIST);
      return NULL;
    }
    item = parse_value (parser, token);
    if (item == NULL)
      return NULL;
    orrery_node_append (list, item);
  }
}

static gboolean
check_new_key (Parser *parser, OrreryNode *dict, const char *key)
{
  int index = orrery_node_index (dict, key);

  if (index < 0 && orrery_node_get_length (dict) < ORRERY_NODE_MAX_KEYS)
    return TRUE;
  if (index < 0) {
    g_propagate_error (parser->error, orrery_place_error (&parser->place, parser->file,
                                                          "a dictionary of more than %d keys",
                                                          ORRERY_NODE_MAX_KEYS));
    return FALSE;
  }
  g_propagate_error (parser->error, orrery_place_error (
                                        &parser->place, parser->file,
                                        "the key \"%s\" a second time; first at line %u, column %u",
                                        key, orrery_node_get_key_line (dict, (guint) index),
                                        orrery_node_get_key_column (dict, (guint) index)));
  return FALSE;
}

/* One pair of an object, whose key was read. */
static gboolean
parse_pair (Parser *parser, OrreryNode *dict, const OrreryPlace *open)
{
  g_autofree char *key = orrery_json_dup_text (&parser->json);
  OrreryPlace place = parser->place;
  OrreryJsonToken token;
  OrreryNode *item;

  if (!check_new_key (parser, dict, key))
    return FALSE;
  token = next (parser);
  if (token == ORRERY_JSON_ERROR) {
    fail (parser, open, ORRERY_NODE_DICT);
    return FALSE;
  }
  item = parse_value (parser, token);
  if (item == NULL)
    return FALSE;
  orrery_node_add (dict, g_steal_pointer (&key), &place, item);
  return TRUE;
}

static OrreryNode *
parse_object (Parser *parser)
{
  g_autoptr (OrreryNode) dict = orrery_node_new (ORRERY_NODE_DICT, parser->file, &parser->place);
  OrreryPlace open = parser->place;

  for (;;) {
    OrreryJsonToken token = next (parser);

    if (token == ORRERY_JSON_OBJECT_END)
      return g_steal_pointer (&dict);
    if (token == ORRERY_JSON_ERROR) {
      fail (parser, &open, ORRERY_NODE_DICT);
      return NULL;
    }
    if (!parse_pair (parser, dict, &open))
      return NULL;
  }
}

static gboolean
is_cancelled (Parser *parser)
{
  return ++parser->n_values % LOOK_EVERY == 0 &&
         g_cancellable_set_error_if_cancelled (parser->cancellable, parser->error);
}

static OrreryNode *
parse_value (Parser *parser, OrreryJsonToken token)
{
  OrreryNode *node;

  if (G_UNLIKELY (is_cancelled (parser)))
    return NULL;
  if (token == ORRERY_JSON_LIST)
    return parse_list (parser);
  if (token == ORRERY_JSON_OBJECT)
    return parse_object (parser);

  node = orrery_node_new (token == ORRERY_JSON_TEXT     ? ORRERY_NODE_TEXT
                          : token == ORRERY_JSON_INT    ? ORRERY_NODE_INT
                          : token == ORRERY_JSON_DOUBLE ? ORRERY_NODE_DOUBLE
                          : token == ORRERY_JSON_BOOL   ? ORRERY_NODE_BOOL
                                                        : ORRERY_NODE_NULL,
                          parser->file, &parser->place);
  if (token == ORRERY_JSON_TEXT)
    orrery_node_set_text (node, orrery_json_dup_text (&parser->json));
  else if (token == ORRERY_JSON_INT)
    orrery_node_set_int (node, parser->json.integer);
  else if (token == ORRERY_JSON_DOUBLE)
    orrery_node_set_double (node, parser->json.number);
  else if (token == ORRERY_JSON_BOOL)
    orrery_node_set_bool (node, parser->json.boolean);
  return node;
}

/* The value and nothing behind it. */
static OrreryNode *
parse_document (Parser *parser)
{
  g_autoptr (OrreryNode) node = NULL;
  OrreryJsonToken token = next (parser);

  if (token != ORRERY_JSON_ERROR) {
    node = parse_value (parser, token);
    if (node == NULL)
      return NULL;
    token = next (parser);
  }
  if (token == ORRERY_JSON_ERROR) {
    fail (parser, NULL, ORRERY_NODE_NULL);
    return NULL;
  }
  return g_steal_pointer (&node);
}

OrreryNode *
orrery_node_parse_json (const char *text, gsize length, const char *file, GError **error)
{
  return orrery_node_parse_json_until (text, length, file, NULL, error);
}

OrreryNode *
orrery_node_parse_json_until (const char *text, gsize length, const char *file,
                              GCancellable *cancellable, GError **error)
{
  g_autoptr (GRefString) name = NULL;
  Parser parser = { .cancellable = cancellable };

  g_return_val_if_fail (text != NULL || length == 0, NULL);
  g_return_val_if_fail (file != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!orrery_node_check_text (&text, &length, file, error))
    return NULL;
  name = g_ref_string_new (file);
  parser.file = name;
  parser.error = error;
  orrery_json_init (&parser.json, text, length, ORRERY_NODE_MAX_DEPTH);
  orrery_place_init (&parser.place, text, length);
  return parse_document (&parser);
}
