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
/* Of one dictionary. */
#define ORRERY_NODE_MAX_KEYS 1000000

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
/**
 * orrery_node_get_kind:
 *
 * Returns: what it is
 */
ORRERY_API OrreryNodeKind orrery_node_get_kind (OrreryNode *node);
/**
 * orrery_node_get_kind_name:
 *
 * Returns: for messages: "null", "a bool", "an integer", "a number", "a text", "a list", "a
 *   dictionary"
 */
ORRERY_API const char *orrery_node_get_kind_name (OrreryNode *node);
/**
 * orrery_node_get_bool:
 * @node: a bool
 *
 * Returns: its value
 */
ORRERY_API gboolean orrery_node_get_bool (OrreryNode *node);
/**
 * orrery_node_get_int:
 * @node: an integer
 *
 * Returns: its value
 */
ORRERY_API gint64 orrery_node_get_int (OrreryNode *node);
/**
 * orrery_node_get_double:
 * @node: a number or an integer
 *
 * Returns: its value
 */
ORRERY_API double orrery_node_get_double (OrreryNode *node);
/**
 * orrery_node_get_text:
 * @node: a text
 *
 * Returns: its value, UTF-8 without NUL
 */
ORRERY_API const char *orrery_node_get_text (OrreryNode *node);
/**
 * orrery_node_get_length:
 * @node: a list or a dictionary
 *
 * Returns: how many items or pairs it has
 */
ORRERY_API guint orrery_node_get_length (OrreryNode *node);
/**
 * orrery_node_get_item:
 * @node: a list or a dictionary
 * @index: below orrery_node_get_length()
 *
 * Returns: (transfer none): the item, or the value of the pair
 */
ORRERY_API OrreryNode *orrery_node_get_item (OrreryNode *node, guint index);
/**
 * orrery_node_get_key:
 * @node: a dictionary
 * @index: below orrery_node_get_length()
 *
 * Returns: the key of the pair
 */
ORRERY_API const char *orrery_node_get_key (OrreryNode *node, guint index);
/**
 * orrery_node_find:
 * @node: a dictionary
 * @key: a key
 *
 * Returns: (transfer none) (nullable): the value of @key
 */
ORRERY_API OrreryNode *orrery_node_find (OrreryNode *node, const char *key);
/**
 * orrery_node_get_line:
 *
 * Returns: the line that it begins in, from 1
 */
ORRERY_API guint orrery_node_get_line (OrreryNode *node);
/**
 * orrery_node_get_column:
 *
 * Returns: the character of the line that it begins with, from 1
 */
ORRERY_API guint orrery_node_get_column (OrreryNode *node);
/**
 * orrery_node_get_key_line:
 * @node: a dictionary
 * @index: below orrery_node_get_length()
 *
 * Returns: the line of the key itself
 */
ORRERY_API guint orrery_node_get_key_line (OrreryNode *node, guint index);
/**
 * orrery_node_get_key_column:
 * @node: a dictionary
 * @index: below orrery_node_get_length()
 *
 * Returns: the column of the key itself
 */
ORRERY_API guint orrery_node_get_key_column (OrreryNode *node, guint index);
/**
 * orrery_node_get_file:
 *
 * Returns: the name of the file, for messages
 */
ORRERY_API const char *orrery_node_get_file (OrreryNode *node);

/**
 * orrery_node_to_variant:
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
/**
 * orrery_node_key_error: (skip)
 * @node: a dictionary
 * @index: which pair
 * @code: which error
 * @format: printf format of the message
 *
 * orrery_node_error() at the place of a key.
 *
 * Returns: an error of ours
 */
ORRERY_API GError *orrery_node_key_error (OrreryNode *node, guint index, int code,
                                          const char *format, ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryNode, orrery_node_unref)

G_END_DECLS
