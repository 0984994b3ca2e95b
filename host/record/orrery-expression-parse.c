/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles expressions: a parser by recursive descent that writes the program for a stack. */
#include "record/orrery-expression-private.h"

#include "base/orrery-error-private.h"
#include "record/orrery-field-private.h"

#include <math.h>
#include <string.h>

#define MAX_ARGUMENTS 16

typedef struct {
  OrreryExpression *expression;
  const char *text;
  const char *at;
  guint depth;
  guint stack;       /* numbers on it after the steps so far */
  OrreryOp of_array; /* of the function directly around a field; NUMBER: it takes no array */
  OrreryFindRecordFunc find;
  gpointer user_data;
  GError **error;
} Parser;

static const struct {
  const char *name;
  OrreryOp op;
  guint least; /* arguments */
  guint most;
  OrreryOp of_array; /* NUMBER: it takes none */
} functions[] = {
  { "abs", ORRERY_OP_ABS, 1, 1 },
  { "clip", ORRERY_OP_CLIP, 3, 3 },
  { "cos", ORRERY_OP_COS, 1, 1 },
  { "count", ORRERY_OP_COUNT, 1, MAX_ARGUMENTS, ORRERY_OP_ARRAY_COUNT },
  { "first", ORRERY_OP_FIRST, 1, 1 },
  { "hypot", ORRERY_OP_HYPOT, 2, 2 },
  { "last", ORRERY_OP_LAST, 1, 1 },
  { "max", ORRERY_OP_MAX, 1, MAX_ARGUMENTS, ORRERY_OP_ARRAY_MAX },
  { "max_over", ORRERY_OP_MAX_OVER, 1, 1 },
  { "mean", ORRERY_OP_MEAN, 1, MAX_ARGUMENTS, ORRERY_OP_ARRAY_MEAN },
  { "mean_over", ORRERY_OP_MEAN_OVER, 1, 1 },
  { "min", ORRERY_OP_MIN, 1, MAX_ARGUMENTS, ORRERY_OP_ARRAY_MIN },
  { "min_over", ORRERY_OP_MIN_OVER, 1, 1 },
  { "norm", ORRERY_OP_NORM, 1, MAX_ARGUMENTS },
  { "sin", ORRERY_OP_SIN, 1, 1 },
  { "sqrt", ORRERY_OP_SQRT, 1, 1 },
  { "sum", ORRERY_OP_SUM, 1, MAX_ARGUMENTS, ORRERY_OP_ARRAY_SUM },
};

static gboolean parse_or (Parser *parser);

static gboolean fail (Parser *parser, const char *at, const char *format, ...) G_GNUC_PRINTF (3, 4);

static gboolean
fail (Parser *parser, const char *at, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  return orrery_set_error (parser->error, ORRERY_ERROR_INVALID, "column %ld: %s",
                           g_utf8_strlen (parser->text, at - parser->text) + 1, words);
}

/* --- steps --- */

static gboolean
emit (Parser *parser, const OrreryExpressionStep *step)
{
  OrreryExpression *expression = parser->expression;

  if (expression->steps->len >= ORRERY_EXPRESSION_MAX_STEPS)
    return fail (parser, parser->at, "more than %d numbers and operations",
                 ORRERY_EXPRESSION_MAX_STEPS);
  g_array_append_val (expression->steps, *step);
  parser->stack = parser->stack - step->n + 1;
  expression->max_stack = MAX (expression->max_stack, parser->stack);
  return TRUE;
}

static gboolean
emit_op (Parser *parser, OrreryOp op, guint n)
{
  return emit (parser, &(OrreryExpressionStep){ .op = op, .n = n });
}

static gboolean
emit_number (Parser *parser, double number)
{
  return emit (parser, &(OrreryExpressionStep){ .op = ORRERY_OP_NUMBER, .number = number });
}

/* --- words --- */

static void
skip_space (Parser *parser)
{
  parser->at += strspn (parser->at, " \t\r\n");
}

static gboolean
take (Parser *parser, const char *symbol)
{
  gsize length = strlen (symbol);

  skip_space (parser);
  if (strncmp (parser->at, symbol, length) != 0)
    return FALSE;
  parser->at += length;
  return TRUE;
}

static gboolean
is_in_name (char c)
{
  return g_ascii_isalnum (c) || c == '_' || c == '.';
}

/* A word by itself: `or`, not the start of `order.x`. */
static gboolean
take_word (Parser *parser, const char *word)
{
  const char *before = parser->at;

  if (take (parser, word) && !is_in_name (*parser->at))
    return TRUE;
  parser->at = before;
  return FALSE;
}

/* --- fields --- */

/* --- arrays --- */

/* [I] or [I, J ...]: whole numbers, those below 0 from the end */
static gboolean
take_indexes (Parser *parser, OrreryExpressionStep *step)
{
  step->n_indexes = 0;
  do {
    char *end = NULL;
    gint64 index;

    skip_space (parser);
    index = g_ascii_strtoll (parser->at, &end, 10);
    if (end == parser->at || index == G_MAXINT64 || index == G_MININT64)
      return fail (parser, parser->at, "here an index has to stand: a whole number");
    if (step->n_indexes == ORRERY_BUFFER_MAX_DIMENSIONS)
      return fail (parser, parser->at, "more than %d indexes", ORRERY_BUFFER_MAX_DIMENSIONS);
    step->indexes[step->n_indexes++] = index;
    parser->at = end;
  } while (take (parser, ","));
  return take (parser, "]") || fail (parser, parser->at, "here the bracket has to be closed");
}

static gboolean
emit_array (Parser *parser, const char *at, const OrreryField *field, const OrreryFieldClass *klass,
            gconstpointer place)
{
  OrreryExpressionStep step = { .op = ORRERY_OP_ELEMENT, .place = place };

  if (!take (parser, "[")) {
    step.op = parser->of_array;
    return step.op != ORRERY_OP_NUMBER
               ? emit (parser, &step)
               : fail (parser, at,
                       "%.80s has many numbers; write %.80s[0] or one of min(), max(), mean(), "
                       "sum(), count() around it",
                       field->name, field->name);
  }
  if (!take_indexes (parser, &step))
    return FALSE;
  if (klass->n_dimensions != 0 && klass->n_dimensions != step.n_indexes)
    return fail (parser, at, "%.80s has %u index%s, not %u", field->name, klass->n_dimensions,
                 klass->n_dimensions == 1 ? "" : "es", step.n_indexes);
  return emit (parser, &step);
}

/* A vector counts as its numbers within norm(). @n_parts: (nullable): else it must be one number */
static gboolean
emit_field (Parser *parser, const char *at, OrreryRecord *record, const OrreryField *field,
            const char *part, guint *n_parts)
{
  const OrreryFieldClass *klass = orrery_field_class_get (field->type);
  const char *place = (const char *) orrery_record_data (record) + field->offset;
  OrreryExpressionStep step = { .op = ORRERY_OP_FIELD, .place = place };
  guint n = 0;

  if (klass->holds_buffer && *part == '\0')
    return emit_array (parser, at, field, klass, place);
  step.to_double = klass->to_double;
  if (klass->to_double != NULL && *part == '\0')
    return emit (parser, &step);
  step.to_double = orrery_double_field_class.to_double;
  for (guint i = 0; i < klass->n_members; i++) {
    gboolean is_meant =
        *part == '\0' ? n_parts != NULL : g_str_equal (klass->members[i].name, part);

    step.place = place + klass->members[i].offset;
    if (!is_meant)
      continue;
    if (!emit (parser, &step))
      return FALSE;
    n++;
  }
  if (n == 0)
    return fail (parser, at, "%.80s%s%.80s is not a number%s", field->name,
                 *part != '\0' ? "." : "", part,
                 klass->n_members > 0 ? "; name a part of it, such as .x or .yaw" : "");
  if (n_parts != NULL)
    *n_parts = n;
  return TRUE;
}

/* @name: of a component, where a field of one is wanted */
static gboolean
refuse_component (Parser *parser, const char *at, OrreryRecord *record, const char *name)
{
  g_autofree const char **names = orrery_schema_get_names (orrery_record_get_schema (record));
  g_autofree char *nearest = orrery_nearest_names ("", names);

  return fail (parser, at, "%.80s is a component, and no field of one%s", name, nearest);
}

/* @component: its name; @rest: the name behind that */
static gboolean
emit_path (Parser *parser, const char *at, OrreryRecord *record, const char *component,
           const char *rest, guint *n_parts)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  const char *dot = strchr (rest, '.');
  g_autofree char *first = g_strndup (rest, dot != NULL ? (gsize) (dot - rest) : strlen (rest));
  const OrreryField *field = orrery_schema_find_field (schema, first);
  g_autofree const char **names = NULL;
  g_autofree char *nearest = NULL, *path = NULL;
  OrreryRecord *whole;

  g_ptr_array_add (parser->expression->records, orrery_record_ref (record));
  if (dot != NULL && dot[1] == '\0')
    return fail (parser, at, "'%.80s' ends in a point", rest);
  if (field != NULL)
    return emit_field (parser, at, record, field, dot != NULL ? dot + 1 : "", n_parts);
  if (g_str_equal (rest, "timestamp") && orrery_record_has_timestamp (record))
    return emit (parser, &(OrreryExpressionStep){ .op = ORRERY_OP_TIMESTAMP, .place = record });
  path = g_strconcat (component, ".", rest, NULL);
  whole = parser->find (path, parser->user_data);
  if (whole != NULL)
    return refuse_component (parser, at, whole, path);
  names = orrery_schema_get_names (schema);
  nearest = orrery_nearest_names (first, names);
  return fail (parser, at, "%.80s has no field '%.80s'%s", component, first, nearest);
}

/* The longest part in front of a dot that names a component. */
static gboolean
parse_path (Parser *parser, const char *at, const char *path, guint *n_parts)
{
  g_autofree char *name = g_strdup (path);
  OrreryRecord *whole;
  char *dot;

  while ((dot = strrchr (name, '.')) != NULL) {
    OrreryRecord *record;

    *dot = '\0';
    record = parser->find (name, parser->user_data);
    if (record != NULL)
      return emit_path (parser, at, record, name, path + (dot - name) + 1, n_parts);
  }
  whole = parser->find (path, parser->user_data);
  if (whole != NULL)
    return refuse_component (parser, at, whole, path);
  return fail (parser, at, "'%.200s': there is no such component; a field is COMPONENT.FIELD",
               path);
}

/* --- values --- */

static gboolean
parse_number (Parser *parser)
{
  const char *at = parser->at;
  const char *end = at + strspn (at, "0123456789");
  g_autofree char *word = NULL;
  double number;

  if (*end == '.')
    end += 1 + strspn (end + 1, "0123456789");
  if ((*end == 'e' || *end == 'E') &&
      g_ascii_isdigit (end[1 + (end[1] == '-' || end[1] == '+' ? 1 : 0)])) {
    end += end[1] == '-' || end[1] == '+' ? 2 : 1;
    end += strspn (end, "0123456789");
  }
  if (end - at == 1 && *at == '.')
    return fail (parser, at, "a point alone is no number");
  if (is_in_name (*end))
    return fail (parser, at, "a number that goes on with '%c'", *end);
  word = g_strndup (at, (gsize) (end - at));
  number = g_ascii_strtod (word, NULL);
  if (!isfinite (number))
    return fail (parser, at, "a number that is too large");
  parser->at = end;
  return emit_number (parser, number);
}

/* A field directly within norm() may be a vector, and within min() and its like an array. */
static gboolean
parse_argument (Parser *parser, guint index, guint *n, gboolean *is_array)
{
  OrreryOp op = functions[index].op;
  OrreryOp around = parser->of_array;
  GArray *steps;
  const char *at;
  gsize length;
  guint n_parts = 1;

  skip_space (parser);
  at = parser->at;
  length = 0;
  while ((op == ORRERY_OP_NORM || functions[index].of_array != ORRERY_OP_NUMBER) &&
         g_ascii_isalpha (*at) && is_in_name (at[length]))
    length++;
  if (length > 0 && memchr (at, '.', length) != NULL &&
      strchr (",)", at[length + strspn (at + length, " ")]) != NULL) {
    g_autofree char *path = g_strndup (at, length);

    parser->at += length;
    parser->of_array = functions[index].of_array;
    if (!parse_path (parser, at, path, op == ORRERY_OP_NORM ? &n_parts : NULL))
      return FALSE;
    steps = parser->expression->steps;
    *is_array =
        g_array_index (steps, OrreryExpressionStep, steps->len - 1).op == functions[index].of_array;
  } else {
    parser->of_array = ORRERY_OP_NUMBER;
    if (!parse_or (parser))
      return FALSE;
  }
  parser->of_array = around;
  *n += n_parts;
  return TRUE;
}

static gboolean
parse_arguments (Parser *parser, const char *at, guint index)
{
  OrreryOp op = functions[index].op;
  gboolean has_array = FALSE;
  guint n = 0;

  do {
    gboolean is_array = FALSE;

    if (!parse_argument (parser, index, &n, &is_array))
      return FALSE;
    if (n > MAX_ARGUMENTS)
      return fail (parser, at, "%s() takes at most %d numbers", functions[index].name,
                   MAX_ARGUMENTS);
    has_array = has_array || is_array;
  } while (take (parser, ","));
  if (!take (parser, ")"))
    return fail (parser, parser->at, "here the parenthesis of %s() has to be closed",
                 functions[index].name);
  if (n < functions[index].least || n > functions[index].most)
    return fail (parser, at, "%s() takes %u argument%s, not %u", functions[index].name,
                 functions[index].most, functions[index].most == 1 ? "" : "s", n);
  if (has_array && n > 1 && (op == ORRERY_OP_MEAN || op == ORRERY_OP_COUNT))
    return fail (parser, at, "%s() takes one array alone, or numbers", functions[index].name);
  /* The number of an array alone is that of the function. */
  return (has_array && n == 1) || emit_op (parser, op, n);
}

static gboolean
parse_call (Parser *parser, const char *at, const char *name)
{
  const char *names[G_N_ELEMENTS (functions) + 1] = { NULL };
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (functions); i++) {
    if (g_str_equal (functions[i].name, name))
      return parse_arguments (parser, at, i);
    names[i] = functions[i].name;
  }
  nearest = orrery_nearest_names (name, names);
  return fail (parser, at, "there is no function '%.80s'%s", name, nearest);
}

static gboolean
parse_name (Parser *parser)
{
  const char *at = parser->at;
  g_autofree char *name = NULL;

  while (is_in_name (*parser->at))
    parser->at++;
  name = g_strndup (at, (gsize) (parser->at - at));
  if (take (parser, "("))
    return parse_call (parser, at, name);
  if (g_str_equal (name, "time"))
    return emit_op (parser, ORRERY_OP_TIME, 0);
  if (g_str_equal (name, "pi"))
    return emit_number (parser, G_PI);
  return parse_path (parser, at, name, NULL);
}

/* 'robot-1.pose.x', for names that are not made of letters, digits and _ */
static gboolean
parse_quoted (Parser *parser)
{
  const char *at = parser->at;
  const char *end = strchr (at + 1, '\'');
  g_autofree char *path = NULL;

  if (end == NULL)
    return fail (parser, at, "the quote is never closed");
  path = g_strndup (at + 1, (gsize) (end - at - 1));
  parser->at = end + 1;
  return parse_path (parser, at, path, NULL);
}

static gboolean
parse_value (Parser *parser)
{
  skip_space (parser);
  if (g_ascii_isdigit (*parser->at) || *parser->at == '.')
    return parse_number (parser);
  if (g_ascii_isalpha (*parser->at) || *parser->at == '_')
    return parse_name (parser);
  if (*parser->at == '\'')
    return parse_quoted (parser);
  if (!take (parser, "("))
    return *parser->at == '\0' ? fail (parser, parser->at, "here a value is missing")
                               : fail (parser, parser->at, "here a value has to stand");
  if (!parse_or (parser))
    return FALSE;
  return take (parser, ")") || fail (parser, parser->at, "here a parenthesis has to be closed");
}

/* --- operators, those that bind most first --- */

static gboolean
enter (Parser *parser)
{
  return ++parser->depth <= ORRERY_EXPRESSION_MAX_DEPTH ||
         fail (parser, parser->at, "nested more than %d deep", ORRERY_EXPRESSION_MAX_DEPTH);
}

static gboolean
parse_sign (Parser *parser)
{
  gboolean good;

  if (!enter (parser))
    return FALSE;
  if (take (parser, "-"))
    good = parse_sign (parser) && emit_op (parser, ORRERY_OP_NEGATE, 1);
  else if (take (parser, "+"))
    good = parse_sign (parser);
  else
    good = parse_value (parser);
  parser->depth--;
  return good;
}

static gboolean
parse_product (Parser *parser)
{
  gboolean good = parse_sign (parser);

  while (good) {
    if (take (parser, "*"))
      good = parse_sign (parser) && emit_op (parser, ORRERY_OP_MULTIPLY, 2);
    else if (take (parser, "/"))
      good = parse_sign (parser) && emit_op (parser, ORRERY_OP_DIVIDE, 2);
    else
      break;
  }
  return good;
}

static gboolean
parse_sum (Parser *parser)
{
  gboolean good = parse_product (parser);

  while (good) {
    if (take (parser, "+"))
      good = parse_product (parser) && emit_op (parser, ORRERY_OP_ADD, 2);
    else if (take (parser, "-"))
      good = parse_product (parser) && emit_op (parser, ORRERY_OP_SUBTRACT, 2);
    else
      break;
  }
  return good;
}

/* Returns: NUMBER: there is none */
static OrreryOp
take_comparison (Parser *parser)
{
  static const struct {
    const char *symbol;
    OrreryOp op;
  } comparisons[] = {
    { "<=", ORRERY_OP_LESS_EQUAL }, { ">=", ORRERY_OP_GREATER_EQUAL }, { "==", ORRERY_OP_EQUAL },
    { "!=", ORRERY_OP_NOT_EQUAL },  { "<", ORRERY_OP_LESS },           { ">", ORRERY_OP_GREATER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (comparisons); i++)
    if (take (parser, comparisons[i].symbol))
      return comparisons[i].op;
  return ORRERY_OP_NUMBER;
}

static gboolean
parse_comparison (Parser *parser)
{
  const char *second;
  OrreryOp op;

  if (!parse_sum (parser))
    return FALSE;
  op = take_comparison (parser);
  if (op == ORRERY_OP_NUMBER)
    return TRUE;
  if (!parse_sum (parser) || !emit_op (parser, op, 2))
    return FALSE;
  skip_space (parser);
  second = parser->at;
  /* Languages differ in what it means. */
  return take_comparison (parser) == ORRERY_OP_NUMBER ||
         fail (parser, second, "one comparison after another; write a < b and b < c");
}

static gboolean
parse_not (Parser *parser)
{
  if (!take_word (parser, "not"))
    return parse_comparison (parser);
  if (!enter (parser) || !parse_not (parser) || !emit_op (parser, ORRERY_OP_NOT, 1))
    return FALSE;
  parser->depth--;
  return TRUE;
}

/* Both sides are evaluated in each tick: what they say over time goes on. */
static gboolean
parse_and (Parser *parser)
{
  gboolean good = parse_not (parser);

  while (good && take_word (parser, "and"))
    good = parse_not (parser) && emit_op (parser, ORRERY_OP_AND, 2);
  return good;
}

static gboolean
parse_or (Parser *parser)
{
  gboolean good = parse_and (parser);

  while (good && take_word (parser, "or"))
    good = parse_and (parser) && emit_op (parser, ORRERY_OP_OR, 2);
  return good;
}

gboolean
orrery_expression_parse (OrreryExpression *expression, const char *text, OrreryFindRecordFunc find,
                         gpointer user_data, GError **error)
{
  Parser parser = { .expression = expression,
                    .text = text,
                    .at = text,
                    .find = find,
                    .user_data = user_data,
                    .error = error };

  if (strlen (text) > ORRERY_EXPRESSION_MAX_BYTES)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "column 1: an expression of more than %d bytes",
                             ORRERY_EXPRESSION_MAX_BYTES);
  if (!g_utf8_validate (text, -1, NULL))
    return orrery_set_error (error, ORRERY_ERROR_INVALID, "column 1: it is not UTF-8");
  if (!parse_or (&parser))
    return FALSE;
  skip_space (&parser);
  return *parser.at == '\0' ||
         fail (&parser, parser.at, "here an operator has to stand, or the end");
}
