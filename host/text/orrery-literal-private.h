/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text/orrery-node-private.h"

G_BEGIN_DECLS

#define ORRERY_LITERAL_NOT_EXECUTED "; only literals are read here, nothing is executed"

/* What the parts of the reader of Python's literals share. Each take_ function returns NULL, or
 * FALSE, after it has set the error. */
typedef struct {
  const char *text;
  const char *at; /* what is read next */
  const char *end;
  OrreryPlace place; /* of the node made last */
  char *file;        /* a reference string */
  guint depth;       /* open brackets: within them a new line is a blank */
  GError **error;
} OrreryLiteral;

/* orrery-literal-scan.c: places, blanks, names, and what to say of what is no literal */

/* A mistake of the file at @at, which need not be behind the last place. Returns: FALSE */
gboolean orrery_literal_fail (OrreryLiteral *literal, const char *at, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* The place of @at, remembered as the last. */
const OrreryPlace *orrery_literal_locate (OrreryLiteral *literal, const char *at);
gboolean orrery_literal_is_newline (const OrreryLiteral *literal);
void orrery_literal_skip_newline (OrreryLiteral *literal);
gboolean orrery_literal_is_blank (const OrreryLiteral *literal);
void orrery_literal_skip_comment (OrreryLiteral *literal);
/* Blanks and joined lines; within brackets comments and new lines too. */
void orrery_literal_skip_blanks (OrreryLiteral *literal);
gboolean orrery_literal_at (const OrreryLiteral *literal, char c);
gboolean orrery_literal_at_pair (const OrreryLiteral *literal, const char *pair);
gboolean orrery_literal_is_statement_end (const OrreryLiteral *literal);
gboolean orrery_literal_is_name (const OrreryLiteral *literal);
/* Returns: (transfer full) (nullable): the name that begins here, without moving on */
char *orrery_literal_peek_name (const OrreryLiteral *literal, const char **behind);
/* Returns: (nullable): what a word of Python's grammar begins; NULL for a name */
const char *orrery_literal_describe_keyword (const char *word);
gboolean orrery_literal_is_constant (const char *word);
/* A name in a value: says what is done with it. */
void orrery_literal_fail_at_name (OrreryLiteral *literal);
/* Returns: whether an operator of Python stood here, which is then the error */
gboolean orrery_literal_fail_at_operator (OrreryLiteral *literal);
void orrery_literal_fail_at_other (OrreryLiteral *literal, const char *expected);
void orrery_literal_fail_at_value (OrreryLiteral *literal);
/* Behind a value: code goes on in ways of its own. */
void orrery_literal_fail_behind_value (OrreryLiteral *literal, const char *expected);

/* orrery-literal-text.c, -number.c, -value.c */

gboolean orrery_literal_is_text (const OrreryLiteral *literal);
/* One text, or several beside each other. Returns: (transfer full) */
char *orrery_literal_take_text (OrreryLiteral *literal);

gboolean orrery_literal_is_number (const OrreryLiteral *literal);
/* @start: where the number began, at its sign */
OrreryNode *orrery_literal_take_number (OrreryLiteral *literal, const char *start,
                                        gboolean negative);

OrreryNode *orrery_literal_take_value (OrreryLiteral *literal);

G_END_DECLS
