/* SPDX-License-Identifier: BSD-3-Clause */
/* Values in Python's notation: lists, tuples, dictionaries and what they hold. */
#include "text/orrery-literal-private.h"

#include <string.h>

static OrreryNode *
take_text (OrreryLiteral *literal)
{
  const char *start = literal->at;
  char *text = orrery_literal_take_text (literal);
  OrreryNode *node;

  if (text == NULL)
    return NULL;
  node = orrery_node_new (ORRERY_NODE_TEXT, literal->file, orrery_literal_locate (literal, start));
  orrery_node_set_text (node, text);
  return node;
}

static OrreryNode *
take_signed (OrreryLiteral *literal)
{
  const char *start = literal->at;
  gboolean negative = FALSE;

  while (orrery_literal_at (literal, '+') || orrery_literal_at (literal, '-')) {
    negative ^= *literal->at++ == '-';
    orrery_literal_skip_blanks (literal);
  }
  if (orrery_literal_is_number (literal))
    return orrery_literal_take_number (literal, start, negative);
  orrery_literal_fail (literal, start, "a sign before something that is not a number");
  return NULL;
}

static OrreryNode *
take_word (OrreryLiteral *literal)
{
  const char *start = literal->at;
  const char *behind;
  g_autofree char *name = orrery_literal_peek_name (literal, &behind);
  OrreryNode *node;

  if (name == NULL || !orrery_literal_is_constant (name)) {
    orrery_literal_fail_at_value (literal);
    return NULL;
  }
  literal->at = behind;
  node = orrery_node_new (*name == 'N' ? ORRERY_NODE_NULL : ORRERY_NODE_BOOL, literal->file,
                          orrery_literal_locate (literal, start));
  if (*name != 'N')
    orrery_node_set_bool (node, *name == 'T');
  return node;
}

static gboolean
open_bracket (OrreryLiteral *literal)
{
  if (literal->depth >= ORRERY_NODE_MAX_DEPTH)
    return orrery_literal_fail (literal, literal->at, "more than %d brackets within each other",
                                ORRERY_NODE_MAX_DEPTH);
  literal->depth++;
  literal->at++;
  return TRUE;
}

/* Behind an item. @open: the bracket. Returns: whether a comma or the closing bracket stands here
 */
static gboolean
check_item_end (OrreryLiteral *literal, const char *open, char closing)
{
  char expected[16];

  orrery_literal_skip_blanks (literal);
  if (orrery_literal_at (literal, ',') || orrery_literal_at (literal, closing))
    return TRUE;
  if (literal->at == literal->end)
    return orrery_literal_fail (literal, open, "%c that is not closed", *open);
  g_snprintf (expected, sizeof expected, "a comma or %c", closing);
  orrery_literal_fail_behind_value (literal, expected);
  return FALSE;
}

/* Before an item. Returns: whether the closing bracket stood here; sets the error at the end */
static gboolean
take_closing (OrreryLiteral *literal, const char *open, char closing, gboolean *failed)
{
  orrery_literal_skip_blanks (literal);
  *failed = literal->at == literal->end;
  if (*failed)
    orrery_literal_fail (literal, open, "%c that is not closed", *open);
  if (!orrery_literal_at (literal, closing))
    return FALSE;
  literal->at++;
  literal->depth--;
  return TRUE;
}

/* The items of a list or tuple up to its closing bracket; the first may have been read. */
static gboolean
take_items (OrreryLiteral *literal, OrreryNode *list, const char *open, char closing)
{
  gboolean failed;

  while (!take_closing (literal, open, closing, &failed)) {
    OrreryNode *item = failed ? NULL : orrery_literal_take_value (literal);

    if (item == NULL)
      return FALSE;
    orrery_node_append (list, item);
    if (!check_item_end (literal, open, closing))
      return FALSE;
    if (orrery_literal_at (literal, ','))
      literal->at++;
  }
  return TRUE;
}

static OrreryNode *
take_list (OrreryLiteral *literal)
{
  const char *open = literal->at;
  g_autoptr (OrreryNode) list =
      orrery_node_new (ORRERY_NODE_LIST, literal->file, orrery_literal_locate (literal, open));

  if (!open_bracket (literal) || !take_items (literal, list, open, ']'))
    return NULL;
  return g_steal_pointer (&list);
}

/* A tuple, or one value in parentheses. */
static OrreryNode *
take_parentheses (OrreryLiteral *literal)
{
  const char *open = literal->at;
  g_autoptr (OrreryNode) list =
      orrery_node_new (ORRERY_NODE_LIST, literal->file, orrery_literal_locate (literal, open));
  g_autoptr (OrreryNode) first = NULL;
  gboolean failed;

  if (!open_bracket (literal))
    return NULL;
  if (take_closing (literal, open, ')', &failed))
    return g_steal_pointer (&list);
  first = failed ? NULL : orrery_literal_take_value (literal);
  if (first == NULL || !check_item_end (literal, open, ')'))
    return NULL;
  if (orrery_literal_at (literal, ')')) {
    literal->at++;
    literal->depth--;
    return g_steal_pointer (&first);
  }
  literal->at++;
  orrery_node_append (list, g_steal_pointer (&first));
  return take_items (literal, list, open, ')') ? g_steal_pointer (&list) : NULL;
}

static gboolean
check_key (OrreryLiteral *literal, OrreryNode *dict, OrreryNode *key, const char *at)
{
  int index;

  if (orrery_node_get_kind (key) != ORRERY_NODE_TEXT)
    return orrery_literal_fail (literal, at, "%s as a key; keys are texts",
                                orrery_node_get_kind_name (key));
  index = orrery_node_index (dict, orrery_node_get_text (key));
  if (index < 0 && orrery_node_get_length (dict) >= ORRERY_NODE_MAX_KEYS)
    return orrery_literal_fail (literal, at, "a dictionary of more than %d keys",
                                ORRERY_NODE_MAX_KEYS);
  if (index < 0)
    return TRUE;
  return orrery_literal_fail (literal, at,
                              "the key '%s' a second time; first at line %u, column %u",
                              orrery_node_get_text (key),
                              orrery_node_get_key_line (dict, (guint) index),
                              orrery_node_get_key_column (dict, (guint) index));
}

/* `key: value`. @open: the bracket */
static gboolean
take_pair (OrreryLiteral *literal, OrreryNode *dict, const char *open)
{
  const char *at = literal->at;
  OrreryPlace place = *orrery_literal_locate (literal, at);
  g_autoptr (OrreryNode) key = orrery_literal_take_value (literal);
  OrreryNode *value;

  if (key == NULL)
    return FALSE;
  orrery_literal_skip_blanks (literal);
  if (orrery_literal_at (literal, ',') || orrery_literal_at (literal, '}'))
    return orrery_literal_fail (literal, open, "a set; write a list, or a value after each key");
  if (!orrery_literal_at (literal, ':')) {
    orrery_literal_fail_behind_value (literal, "a colon");
    return FALSE;
  }
  literal->at++;
  if (!check_key (literal, dict, key, at))
    return FALSE;
  orrery_literal_skip_blanks (literal);
  value = orrery_literal_take_value (literal);
  if (value == NULL)
    return FALSE;
  orrery_node_add (dict, g_strdup (orrery_node_get_text (key)), &place, value);
  return TRUE;
}

static OrreryNode *
take_dict (OrreryLiteral *literal)
{
  const char *open = literal->at;
  g_autoptr (OrreryNode) dict =
      orrery_node_new (ORRERY_NODE_DICT, literal->file, orrery_literal_locate (literal, open));
  gboolean failed;

  if (!open_bracket (literal))
    return NULL;
  while (!take_closing (literal, open, '}', &failed)) {
    if (failed || !take_pair (literal, dict, open) || !check_item_end (literal, open, '}'))
      return NULL;
    if (orrery_literal_at (literal, ','))
      literal->at++;
  }
  return g_steal_pointer (&dict);
}

OrreryNode *
orrery_literal_take_value (OrreryLiteral *literal)
{
  orrery_literal_skip_blanks (literal);
  if (orrery_literal_is_text (literal))
    return take_text (literal);
  if (orrery_literal_is_number (literal))
    return orrery_literal_take_number (literal, literal->at, FALSE);
  switch (literal->at < literal->end ? *literal->at : '\0') {
  case '[':
    return take_list (literal);
  case '(':
    return take_parentheses (literal);
  case '{':
    return take_dict (literal);
  case '+':
  case '-':
    return take_signed (literal);
  default:
    return take_word (literal);
  }
}
