/* SPDX-License-Identifier: BSD-3-Clause */
/* Parses expressions of mappings. */
#include "expression.h"

#include <string.h>

#define MAX_LENGTH 1024
#define MAX_DEPTH 16
#define MAX_NAMES 16
#define CACHE_LINE 64

typedef struct {
  const char *text;
  const char *at;
  MapResolve resolve;
  gpointer data;
  guint depth;
} Parser;

/* --- nodes --- */

MapNode *
map_node_new (MapKind kind, MapEval eval)
{
  MapNode *node = g_aligned_alloc0 (1, sizeof *node, CACHE_LINE);

  node->kind = kind;
  node->eval = eval;
  return node;
}

void
map_node_free (MapNode *node)
{
  if (node == NULL)
    return;
  for (guint i = 0; i < node->n_arguments; i++)
    map_node_free (node->arguments[i]);
  if (node->scratch != NULL)
    node->free_scratch (node->scratch);
  g_free (node->text);
  g_aligned_free (node);
}

const char *
map_kind_get_name (MapKind kind)
{
  static const char *const names[N_MAP_KINDS] = {
    "a number",          "a time", "a vector",        "Euler angles", "a quaternion",
    "a list of numbers", "a text", "a list of texts", "a buffer",     "a free-form value",
    "a record",
  };

  return names[kind];
}

static gboolean
eval_number (const MapNode *node, MapValue *value, GError **error)
{
  value->number = node->number;
  return TRUE;
}

MapNode *
map_number_new (double number)
{
  MapNode *node = map_node_new (MAP_NUMBER, eval_number);

  node->number = number;
  return node;
}

static gboolean
eval_text (const MapNode *node, MapValue *value, GError **error)
{
  value->text.data = node->text;
  value->text.length = (gsize) node->number;
  return TRUE;
}

MapNode *
map_text_new (const char *text)
{
  MapNode *node = map_node_new (MAP_TEXT, eval_text);

  node->text = g_strdup (text);
  node->number = (double) strlen (text);
  return node;
}

/* --- operators --- */

#define OPERATOR(name, operation)                                                                  \
  static gboolean name (const MapNode *node, MapValue *value, GError **error)                      \
  {                                                                                                \
    MapValue b;                                                                                    \
                                                                                                   \
    if (!map_node_eval (node->arguments[0], value, error) ||                                       \
        !map_node_eval (node->arguments[1], &b, error))                                            \
      return FALSE;                                                                                \
    value->number = value->number operation b.number;                                              \
    return TRUE;                                                                                   \
  }

OPERATOR (eval_sum, +)
OPERATOR (eval_difference, -)
OPERATOR (eval_product, *)
OPERATOR (eval_quotient, /)

static gboolean
eval_later (const MapNode *node, MapValue *value, GError **error)
{
  MapValue b;

  if (!map_node_eval (node->arguments[0], value, error) ||
      !map_node_eval (node->arguments[1], &b, error))
    return FALSE;
  value->time += orrery_time_from_seconds (b.number) * (node->number < 0 ? -1 : 1);
  return TRUE;
}

/* --- parsing --- */

static gboolean
fail (const Parser *parser, GError **error, const char *what)
{
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "'%s', at character %d: %s", parser->text,
                           (int) (parser->at - parser->text) + 1, what);
}

static void
skip_spaces (Parser *parser)
{
  while (*parser->at == ' ')
    parser->at++;
}

static gboolean
take (Parser *parser, char c)
{
  skip_spaces (parser);
  if (*parser->at != c)
    return FALSE;
  parser->at++;
  return TRUE;
}

static gboolean
is_name_char (char c)
{
  return g_ascii_isalnum (c) || c == '_';
}

static char *
parse_name (Parser *parser)
{
  const char *start = parser->at;

  while (is_name_char (*parser->at))
    parser->at++;
  return g_strndup (start, (gsize) (parser->at - start));
}

static MapNode *parse_sum (Parser *parser, GError **error);

static MapNode *
parse_call (Parser *parser, const char *name, GError **error)
{
  MapNode *arguments[MAP_MAX_ARGUMENTS] = { NULL };
  MapNode *call = NULL;
  gboolean is_right = TRUE;
  guint n = 0;

  while (is_right && !take (parser, ')')) {
    is_right = n < MAP_MAX_ARGUMENTS || fail (parser, error, "a function has at most 4 arguments");
    is_right =
        is_right && (n == 0 || take (parser, ',') || fail (parser, error, "expected ',' or ')'"));
    if (is_right)
      arguments[n] = parse_sum (parser, error);
    is_right = is_right && arguments[n++] != NULL;
  }
  if (is_right)
    call = map_function_new (name, arguments, n, error);
  else
    for (guint i = 0; i < MAP_MAX_ARGUMENTS; i++)
      map_node_free (arguments[i]);
  return call;
}

static MapNode *
parse_source (Parser *parser, GPtrArray *names, GError **error)
{
  g_autoptr (GError) why = NULL;
  guint n_used = 0;
  MapNode *node;

  while (*parser->at == '.') {
    parser->at++;
    g_ptr_array_add (names, parse_name (parser));
    if (names->len > MAX_NAMES || *(char *) g_ptr_array_index (names, names->len - 1) == '\0') {
      fail (parser, error, "expected a name");
      return NULL;
    }
  }
  g_ptr_array_add (names, NULL);
  node = parser->resolve (parser->data, (const char *const *) names->pdata, &n_used, &why);
  for (; node != NULL && names->pdata[n_used] != NULL; n_used++)
    node = map_member_new (node, names->pdata[n_used], &why);
  if (node == NULL)
    fail (parser, error, why->message);
  return node;
}

static MapNode *
parse_named (Parser *parser, GError **error)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  MapNode *node;

  g_ptr_array_add (names, parse_name (parser));
  if (!take (parser, '('))
    return parse_source (parser, names, error);
  node = parse_call (parser, names->pdata[0], error);
  while (node != NULL && *parser->at == '.') {
    g_autofree char *member = NULL;

    parser->at++;
    member = parse_name (parser);
    node = map_member_new (node, member, error);
  }
  return node;
}

static MapNode *
parse_text (Parser *parser, GError **error)
{
  const char *end = strchr (parser->at, '\'');
  g_autofree char *text = NULL;

  if (end == NULL) {
    fail (parser, error, "a text without its second '");
    return NULL;
  }
  text = g_strndup (parser->at, (gsize) (end - parser->at));
  parser->at = end + 1;
  return map_text_new (text);
}

static MapNode *
parse_parentheses (Parser *parser, GError **error)
{
  MapNode *node = parse_sum (parser, error);

  if (node == NULL || take (parser, ')'))
    return node;
  map_node_free (node);
  fail (parser, error, "expected ')'");
  return NULL;
}

static MapNode *
parse_primary (Parser *parser, GError **error)
{
  skip_spaces (parser);
  if (g_ascii_isdigit (*parser->at)) {
    char *end;
    double number = g_ascii_strtod (parser->at, &end);

    parser->at = end;
    return map_number_new (number);
  }
  if (is_name_char (*parser->at))
    return parse_named (parser, error);
  if (take (parser, '\''))
    return parse_text (parser, error);
  if (take (parser, '('))
    return parse_parentheses (parser, error);
  fail (parser, error, "expected a number, a name, a 'text' or '('");
  return NULL;
}

static MapNode *
parse_elements (Parser *parser, GError **error)
{
  MapNode *node = parse_primary (parser, error);

  while (node != NULL && *parser->at == '[') {
    char *end;
    guint64 index = g_ascii_strtoull (parser->at + 1, &end, 10);

    if (end == parser->at + 1 || *end != ']' || index > G_MAXINT32) {
      map_node_free (node);
      fail (parser, error, "expected an index and ']'");
      return NULL;
    }
    parser->at = end + 1;
    node = map_element_new (node, (guint) index, error);
  }
  return node;
}

static MapNode *
parse_unary (Parser *parser, GError **error)
{
  MapNode *node;

  if (!take (parser, '-'))
    return parse_elements (parser, error);
  if (parser->depth > MAX_DEPTH) {
    fail (parser, error, "too many signs");
    return NULL;
  }
  parser->depth++;
  node = parse_unary (parser, error);
  parser->depth--;
  return node != NULL ? map_function_new ("minus", &node, 1, error) : NULL;
}

/* Takes both operands over. */
static MapNode *
join (const Parser *parser, MapNode *a, MapNode *b, char operator, GError ** error)
{
  static const char operators[] = "+-*/";
  static const MapEval evals[] = { eval_sum, eval_difference, eval_product, eval_quotient };
  gboolean is_later = a->kind == MAP_TIME && (operator== '+' || operator== '-');
  MapNode *node;

  node = map_node_new (is_later ? MAP_TIME : MAP_NUMBER,
                       is_later ? eval_later : evals[strchr (operators, operator) - operators]);
  node->number = operator== '-' ? -1 : 1;
  node->arguments[0] = a;
  node->arguments[1] = b;
  node->n_arguments = 2;
  if ((a->kind == MAP_NUMBER || is_later) && b->kind == MAP_NUMBER)
    return node;
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "'%s': '%c' is for numbers, not for %s",
                    parser->text, operator,
                    map_kind_get_name (a->kind == MAP_NUMBER || is_later ? b->kind : a->kind));
  map_node_free (node);
  return NULL;
}

typedef MapNode *(*ParseFunc) (Parser *parser, GError **error);

static MapNode *
parse_row (Parser *parser, ParseFunc parse, const char *operators, GError **error)
{
  MapNode *node = parse (parser, error);

  for (;;) {
    MapNode *next;
    char operator;

    skip_spaces (parser);
    operator= * parser->at;
    if (node == NULL || operator== '\0' || strchr (operators, operator) == NULL)
      return node;
    parser->at++;
    next = parse (parser, error);
    if (next == NULL)
      g_clear_pointer (&node, map_node_free);
    else
      node = join (parser, node, next, operator, error);
  }
}

static MapNode *
parse_product (Parser *parser, GError **error)
{
  return parse_row (parser, parse_unary, "*/", error);
}

static MapNode *
parse_sum (Parser *parser, GError **error)
{
  MapNode *node = NULL;

  if (parser->depth++ < MAX_DEPTH)
    node = parse_row (parser, parse_product, "+-", error);
  else
    fail (parser, error, "too many parentheses");
  parser->depth--;
  return node;
}

static MapNode *
parse_alternative (const char *text, MapResolve resolve, gpointer data, GError **error)
{
  Parser parser = { text, text, resolve, data, 0 };
  MapNode *node = parse_sum (&parser, error);

  skip_spaces (&parser);
  if (node == NULL || *parser.at == '\0')
    return node;
  map_node_free (node);
  fail (&parser, error, "expected an operator or the end");
  return NULL;
}

/* Of `A or B` the first counts whose names there are. */
MapNode *
map_expression_parse (const char *text, MapResolve resolve, gpointer data, GError **error)
{
  g_auto (GStrv) alternatives = NULL;
  g_autoptr (GError) why = NULL;
  MapNode *node = NULL;

  if (strlen (text) > MAX_LENGTH) {
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "an expression has at most %d bytes", MAX_LENGTH);
    return NULL;
  }
  alternatives = g_strsplit (text, " or ", -1);
  for (guint i = 0; alternatives[i] != NULL && node == NULL; i++) {
    g_clear_error (&why);
    node = parse_alternative (alternatives[i], resolve, data, &why);
  }
  if (node == NULL && why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  else if (node == NULL)
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "an expression is empty");
  return node;
}
