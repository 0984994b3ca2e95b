/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * A scanner of JSON (RFC 8259, and NaN, Infinity, -Infinity as Python's json) that allocates
 * nothing: tokens are pulled one by one from bytes that outlive it. It checks all that can be
 * checked without memory: the grammar, UTF-8, escapes, surrogate pairs, the depth. Duplicate keys
 * are the caller's.
 */

#define ORRERY_JSON_MAX_DEPTH 256

typedef enum {
  ORRERY_JSON_ERROR,
  ORRERY_JSON_END,
  ORRERY_JSON_OBJECT,
  ORRERY_JSON_OBJECT_END,
  ORRERY_JSON_LIST,
  ORRERY_JSON_LIST_END,
  ORRERY_JSON_KEY,
  ORRERY_JSON_TEXT,
  ORRERY_JSON_INT,
  ORRERY_JSON_DOUBLE,
  ORRERY_JSON_BOOL,
  ORRERY_JSON_NULL,
} OrreryJsonToken;

typedef struct {
  const char *at;    /* what is read next */
  const char *end;   /* behind the last byte */
  const char *start; /* of the present token */
  const char *text;  /* of a key or a text: what stands between the quotes */
  gsize length;      /* of text, bytes */
  gboolean escaped;  /* whether text holds escapes */
  gboolean boolean;
  gint64 integer;
  double number; /* of an integer too */
  guint depth;
  guint max_depth;
  guint expect;
  guint64 objects[ORRERY_JSON_MAX_DEPTH / 64]; /* a bit per level: object, not list */
  const char *wrong;                           /* the place of an error */
  gboolean truncated;                          /* the error is that the text ends */
  char what[112];                              /* the error and its remedy, one line */
} OrreryJson;

/* @max_depth: levels of lists and objects, at most ORRERY_JSON_MAX_DEPTH */
void orrery_json_init (OrreryJson *json, const char *text, gsize length, guint max_depth);
/* An error is final: every later call returns it again. */
OrreryJsonToken orrery_json_next (OrreryJson *json);
/* Reads to the end of the value whose first token was read last. Returns: FALSE on an error */
gboolean orrery_json_skip (OrreryJson *json, OrreryJsonToken token);
/* Writes the present key or text without its escapes, at most @length bytes; no NUL.
 * Returns: bytes written */
gsize orrery_json_unescape (const OrreryJson *json, char *out);
/* Returns: (transfer full): the present key or text without its escapes */
char *orrery_json_dup_text (const OrreryJson *json);
/* What a token is, for messages: "a list" */
const char *orrery_json_token_get_name (OrreryJsonToken token);

G_END_DECLS
