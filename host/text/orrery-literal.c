/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a Python file of assignments of literals without running it. */
#include "text/orrery-node.h"

#include <string.h>

#include "text/orrery-literal-private.h"

/* The right side of an assignment: a value, or a tuple without parentheses. */
static OrreryNode *
take_right_side (OrreryLiteral *literal)
{
  g_autoptr (OrreryNode) value = orrery_literal_take_value (literal);
  g_autoptr (OrreryNode) list = NULL;
  OrreryPlace place = literal->place;

  if (value == NULL)
    return NULL;
  orrery_literal_skip_blanks (literal);
  if (!orrery_literal_at (literal, ','))
    return g_steal_pointer (&value);

  place.line = orrery_node_get_line (value);
  place.column = orrery_node_get_column (value);
  list = orrery_node_new (ORRERY_NODE_LIST, literal->file, &place);
  orrery_node_append (list, g_steal_pointer (&value));
  while (orrery_literal_at (literal, ',')) {
    literal->at++;
    orrery_literal_skip_blanks (literal);
    if (orrery_literal_is_statement_end (literal))
      break;
    value = orrery_literal_take_value (literal);
    if (value == NULL)
      return NULL;
    orrery_node_append (list, g_steal_pointer (&value));
    orrery_literal_skip_blanks (literal);
  }
  return g_steal_pointer (&list);
}

static gboolean
at_assignment (const OrreryLiteral *literal)
{
  return orrery_literal_at (literal, '=') && !orrery_literal_at_pair (literal, "==");
}

/* A name at the start of a statement that is assigned nothing. */
static void
fail_at_target (OrreryLiteral *literal, const char *start, const char *name)
{
  gboolean is_keyword = orrery_literal_describe_keyword (name) != NULL;

  if (!is_keyword && (orrery_literal_at (literal, ',') || orrery_literal_at (literal, ':'))) {
    orrery_literal_fail (literal, literal->at, "%s behind the name %s; write %s = literal",
                         *literal->at == ',' ? "a comma" : "a colon", name, name);
    return;
  }
  if (!is_keyword && orrery_literal_fail_at_operator (literal))
    return;
  literal->at = start;
  orrery_literal_fail_at_name (literal);
}

/* `name =`, of which there may be several. Returns: the next name, or NULL where a value begins */
static char *
peek_target (OrreryLiteral *literal, const char **behind)
{
  OrreryLiteral ahead = *literal;
  g_autofree char *name =
      orrery_literal_is_text (literal) ? NULL : orrery_literal_peek_name (literal, behind);

  if (name == NULL || orrery_literal_is_constant (name) ||
      orrery_literal_describe_keyword (name) != NULL)
    return NULL;
  ahead.at = *behind;
  orrery_literal_skip_blanks (&ahead);
  if (!at_assignment (&ahead))
    return NULL;
  *behind = ahead.at + 1;
  return g_steal_pointer (&name);
}

static void
take_targets (OrreryLiteral *literal, GPtrArray *names, GArray *places)
{
  const char *behind;
  char *name;

  for (;;) {
    orrery_literal_skip_blanks (literal);
    name = peek_target (literal, &behind);
    if (name == NULL)
      return;
    g_ptr_array_add (names, name);
    g_array_append_val (places, *orrery_literal_locate (literal, literal->at));
    literal->at = behind;
  }
}

static gboolean
assign (OrreryLiteral *literal, OrreryNode *dict, GPtrArray *names, GArray *places,
        OrreryNode *value)
{
  for (guint i = 0; i < names->len; i++) {
    const OrreryPlace *place = &g_array_index (places, OrreryPlace, i);
    const char *name = g_ptr_array_index (names, i);
    int index = orrery_node_index (dict, name);

    if (index < 0 && orrery_node_get_length (dict) >= ORRERY_NODE_MAX_KEYS)
      return orrery_literal_fail (literal, place->at, "more than %d names", ORRERY_NODE_MAX_KEYS);
    if (index >= 0)
      return orrery_literal_fail (literal, place->at,
                                  "%s is assigned a second time; first at line %u", name,
                                  orrery_node_get_key_line (dict, (guint) index));
    orrery_node_add (dict, g_strdup (name), place, orrery_node_ref (value));
  }
  return TRUE;
}

static gboolean
take_assignment (OrreryLiteral *literal, OrreryNode *dict)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) places = g_array_new (FALSE, FALSE, sizeof (OrreryPlace));
  g_autoptr (OrreryNode) value = NULL;

  take_targets (literal, names, places);
  value = take_right_side (literal);
  return value != NULL && assign (literal, dict, names, places, value);
}

/* A statement that begins with a word. */
static gboolean
take_word_statement (OrreryLiteral *literal, OrreryNode *dict)
{
  const char *start = literal->at;
  const char *behind;
  g_autofree char *name = orrery_literal_peek_name (literal, &behind);
  g_autofree char *target = peek_target (literal, &behind);

  if (target != NULL)
    return take_assignment (literal, dict);
  literal->at = behind;
  if (strcmp (name, "pass") == 0)
    return TRUE;
  if (orrery_literal_is_constant (name))
    return orrery_literal_fail (literal, start, "%s where a name is expected", name);
  orrery_literal_skip_blanks (literal);
  fail_at_target (literal, start, name);
  return FALSE;
}

static gboolean
take_statement (OrreryLiteral *literal, OrreryNode *dict)
{
  if (orrery_literal_is_text (literal)) {
    g_autofree char *words = orrery_literal_take_text (literal);
    return words != NULL;
  }
  if (orrery_literal_is_name (literal))
    return take_word_statement (literal, dict);
  if (orrery_literal_at (literal, '@'))
    orrery_literal_fail (literal, literal->at, "a decorator" ORRERY_LITERAL_NOT_EXECUTED);
  else
    orrery_literal_fail_at_other (literal, "a name");
  return FALSE;
}

/* A line of statements up to its end. */
static gboolean
take_line (OrreryLiteral *literal, OrreryNode *dict)
{
  orrery_literal_skip_blanks (literal);
  for (;;) {
    if (!take_statement (literal, dict))
      return FALSE;
    orrery_literal_skip_blanks (literal);
    if (!orrery_literal_is_statement_end (literal)) {
      orrery_literal_fail_behind_value (literal, "the end of the line");
      return FALSE;
    }
    if (!orrery_literal_at (literal, ';'))
      return TRUE;
    literal->at++;
    orrery_literal_skip_blanks (literal);
    if (orrery_literal_is_statement_end (literal) && !orrery_literal_at (literal, ';'))
      return TRUE;
  }
}

static OrreryNode *
take_file (OrreryLiteral *literal)
{
  g_autoptr (OrreryNode) dict = orrery_node_new (ORRERY_NODE_DICT, literal->file,
                                                 orrery_literal_locate (literal, literal->at));

  while (literal->at < literal->end) {
    const char *start = literal->at;

    while (orrery_literal_is_blank (literal))
      literal->at++;
    if (!orrery_literal_is_statement_end (literal) && literal->at != start) {
      orrery_literal_fail (literal, literal->at, "an indented line; assignments begin at column 1");
      return NULL;
    }
    if ((!orrery_literal_is_statement_end (literal) || orrery_literal_at (literal, ';')) &&
        !take_line (literal, dict))
      return NULL;
    orrery_literal_skip_comment (literal);
    if (literal->at < literal->end)
      orrery_literal_skip_newline (literal);
  }
  return g_steal_pointer (&dict);
}

OrreryNode *
orrery_node_parse_python (const char *text, gsize length, const char *file, GError **error)
{
  g_autoptr (GRefString) name = NULL;
  OrreryLiteral literal = { .error = error };

  g_return_val_if_fail (text != NULL || length == 0, NULL);
  g_return_val_if_fail (file != NULL, NULL);
  g_return_val_if_fail (error == NULL || *error == NULL, NULL);

  if (!orrery_node_check_text (&text, &length, file, error))
    return NULL;
  name = g_ref_string_new (file);
  literal.file = name;
  literal.text = text;
  literal.at = text;
  literal.end = text + length;
  orrery_place_init (&literal.place, text, length);
  return take_file (&literal);
}
