/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"
#include "record/orrery-expression.h"

G_BEGIN_DECLS

#define ORRERY_EXPRESSION_MAX_BYTES 4096
/* Parentheses, calls and signs within each other */
#define ORRERY_EXPRESSION_MAX_DEPTH 64
#define ORRERY_EXPRESSION_MAX_STEPS 1024

typedef enum {
  ORRERY_OP_NUMBER,
  ORRERY_OP_FIELD,
  ORRERY_OP_TIMESTAMP,
  ORRERY_OP_ELEMENT,
  ORRERY_OP_ARRAY_MIN,
  ORRERY_OP_ARRAY_MAX,
  ORRERY_OP_ARRAY_SUM,
  ORRERY_OP_ARRAY_MEAN,
  ORRERY_OP_ARRAY_COUNT,
  ORRERY_OP_TIME,
  ORRERY_OP_NEGATE,
  ORRERY_OP_NOT,
  ORRERY_OP_ADD,
  ORRERY_OP_SUBTRACT,
  ORRERY_OP_MULTIPLY,
  ORRERY_OP_DIVIDE,
  ORRERY_OP_LESS,
  ORRERY_OP_LESS_EQUAL,
  ORRERY_OP_GREATER,
  ORRERY_OP_GREATER_EQUAL,
  ORRERY_OP_EQUAL,
  ORRERY_OP_NOT_EQUAL,
  ORRERY_OP_AND,
  ORRERY_OP_OR,
  ORRERY_OP_ABS,
  ORRERY_OP_SQRT,
  ORRERY_OP_SIN,
  ORRERY_OP_COS,
  ORRERY_OP_HYPOT,
  ORRERY_OP_CLIP,
  ORRERY_OP_MIN,
  ORRERY_OP_MAX,
  ORRERY_OP_NORM,
  ORRERY_OP_SUM,
  ORRERY_OP_MEAN,
  ORRERY_OP_COUNT,
  ORRERY_OP_FIRST,
  ORRERY_OP_LAST,
  ORRERY_OP_MIN_OVER,
  ORRERY_OP_MAX_OVER,
  ORRERY_OP_MEAN_OVER,
} OrreryOp;

/* One step of a program for a stack: takes @n numbers off it and puts one on it. */
typedef struct {
  OrreryOp op;
  guint n;
  double number;       /* of NUMBER; of those over time the state */
  gconstpointer place; /* of FIELD, ELEMENT and ARRAY; of TIMESTAMP the record */
  double (*to_double) (gconstpointer place);
  guint n_indexes; /* of ELEMENT */
  gint64 indexes[ORRERY_BUFFER_MAX_DIMENSIONS];
} OrreryExpressionStep;

struct _OrreryExpression {
  GPtrArray *records; /* (element-type OrreryRecord) */
  GArray *steps;      /* (element-type OrreryExpressionStep) */
  double *stack;
  guint max_stack;
  guint64 n_ticks;
  double value;
};

/* Of a step of ELEMENT or ARRAY: an element that is not there, and the least, greatest and mean of
 * none, are not numbers. */
double orrery_expression_read_array (const OrreryExpressionStep *step);

/* Fills the steps, the records and the size of the stack. */
gboolean orrery_expression_parse (OrreryExpression *expression, const char *text,
                                  OrreryFindRecordFunc find, gpointer user_data, GError **error);

G_END_DECLS
