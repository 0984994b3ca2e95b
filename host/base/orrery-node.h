/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryNodeKind:
 *
 * What a node of a configuration file is.
 */
typedef enum {
  ORRERY_NODE_NULL,
  ORRERY_NODE_BOOL,
  ORRERY_NODE_INT,
  ORRERY_NODE_DOUBLE,
  ORRERY_NODE_TEXT,
  ORRERY_NODE_LIST,
  ORRERY_NODE_DICT,
} OrreryNodeKind;

/* Beyond these a file is refused. */
#define ORRERY_NODE_MAX_DEPTH 200
#define ORRERY_NODE_MAX_BYTES (64 * 1024 * 1024)

/**
 * OrreryNode:
 *
 * A value read from a file, with the place where it stands: file, line, column, both from 1, the
 * column in characters. Immutable, counted. Python's tuples are lists; a dictionary keeps the order
 * of the file and has text keys only, none twice.
 */
#define ORRERY_TYPE_NODE (orrery_node_get_type ())
ORRERY_API GType orrery_node_get_type (void);

/**
 * orrery_node_parse_json:
 * @text: (array length=length) (element-type guint8): JSON (RFC 8259) in UTF-8; NaN, Infinity and
 * -Infinity are read as numbers
 * @length: bytes
 * @file: the name for messages
 * @error: return location
 *
 * Returns: (transfer full): the value, or %NULL with %ORRERY_ERROR_CONFIG, whose message starts
 * with `file:line:column: `
 */
ORRERY_API OrreryNode *orrery_node_parse_json (const char *text, gsize length, const char *file,
                                               GError **error);

/**
 * orrery_node_parse_python:
 * @text: (array length=length) (element-type guint8): Python source in UTF-8 that only assigns
 * literals to names
 * @length: bytes
 * @file: the name for messages
 * @error: return location
 *
 * Reads, never executes. `name = literal` at the top level, several targets, comments, empty lines,
 * line continuation, `pass` and doc strings; anything else is an error that says what stands there.
 *
 * Returns: (transfer full): a dictionary of the names, or %NULL with %ORRERY_ERROR_CONFIG
 */
ORRERY_API OrreryNode *orrery_node_parse_python (const char *text, gsize length, const char *file,
                                                 GError **error);
ORRERY_API OrreryNode *orrery_node_ref (OrreryNode *node);
ORRERY_API void orrery_node_unref (OrreryNode *node);
ORRERY_API OrreryNodeKind orrery_node_get_kind (OrreryNode *node);
/** orrery_node_get_kind_name: "null", "a bool", "an integer", "a number", "a text", "a list", "a
 * dictionary" */
ORRERY_API const char *orrery_node_get_kind_name (OrreryNode *node);
ORRERY_API gboolean orrery_node_get_bool (OrreryNode *node);
ORRERY_API gint64 orrery_node_get_int (OrreryNode *node);
/** orrery_node_get_double: also of an integer */
ORRERY_API double orrery_node_get_double (OrreryNode *node);
ORRERY_API const char *orrery_node_get_text (OrreryNode *node);
/** orrery_node_get_length: items of a list, pairs of a dictionary */
ORRERY_API guint orrery_node_get_length (OrreryNode *node);
/** orrery_node_get_item: (transfer none): item of a list, or value of a dictionary */
ORRERY_API OrreryNode *orrery_node_get_item (OrreryNode *node, guint index);
ORRERY_API const char *orrery_node_get_key (OrreryNode *node, guint index);
/** orrery_node_find: (transfer none) (nullable): the value of a key of a dictionary */
ORRERY_API OrreryNode *orrery_node_find (OrreryNode *node, const char *key);
ORRERY_API guint orrery_node_get_line (OrreryNode *node);
ORRERY_API guint orrery_node_get_column (OrreryNode *node);
/** orrery_node_get_key_line: the line of the key itself */
ORRERY_API guint orrery_node_get_key_line (OrreryNode *node, guint index);
ORRERY_API guint orrery_node_get_key_column (OrreryNode *node, guint index);
ORRERY_API const char *orrery_node_get_file (OrreryNode *node);

/**
 * orrery_node_to_variant:
 * @node: a node
 *
 * Returns: (transfer full): null `mv` nothing; b, x, d, s; a list `av`; a dictionary `a{sv}`
 */
ORRERY_API GVariant *orrery_node_to_variant (OrreryNode *node);

/**
 * orrery_node_error: (skip)
 * @node: where
 * @code: which error
 * @format: printf format of the message
 *
 * Returns: an error of ours whose message starts with `file:line:column: `
 */
ORRERY_API GError *orrery_node_error (OrreryNode *node, int code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/** orrery_node_key_error: (skip): the same at the place of a key */
ORRERY_API GError *orrery_node_key_error (OrreryNode *node, guint index, int code,
                                          const char *format, ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryNode, orrery_node_unref)

G_END_DECLS
