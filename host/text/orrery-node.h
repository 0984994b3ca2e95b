/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryNodeKind:
 * @ORRERY_NODE_NULL: nothing: null of JSON, None of Python
 * @ORRERY_NODE_BOOL: a truth value
 * @ORRERY_NODE_INT: an integer of 64 bits
 * @ORRERY_NODE_DOUBLE: a number that is written with a point or an exponent, NaN or infinite; an
 *   integer of JSON beyond 64 bits, too
 * @ORRERY_NODE_TEXT: a text in UTF-8
 * @ORRERY_NODE_LIST: a list, or a tuple of Python
 * @ORRERY_NODE_DICT: a dictionary, with texts as keys
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

/**
 * ORRERY_NODE_MAX_DEPTH:
 *
 * Lists and dictionaries in each other beyond this are refused.
 */
#define ORRERY_NODE_MAX_DEPTH 200

/**
 * ORRERY_NODE_MAX_BYTES:
 *
 * A file of more bytes is refused.
 */
#define ORRERY_NODE_MAX_BYTES (64 * 1024 * 1024)

/**
 * ORRERY_NODE_MAX_KEYS:
 *
 * A dictionary of more keys is refused.
 */
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
 * Reads one value, before and behind which there is nothing but white space. A byte order mark is
 * passed over; a key twice in one object is an error, as is a file beyond %ORRERY_NODE_MAX_BYTES,
 * %ORRERY_NODE_MAX_DEPTH or %ORRERY_NODE_MAX_KEYS. Any thread.
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
/**
 * orrery_node_ref:
 * @node: a node
 *
 * Takes a reference. Any thread.
 *
 * Returns: (transfer full): @node
 */
ORRERY_API OrreryNode *orrery_node_ref (OrreryNode *node);
/**
 * orrery_node_unref:
 * @node: a node
 *
 * Drops a reference; the last one frees the node, and the items that nobody else refers to. Any
 * thread.
 */
ORRERY_API void orrery_node_unref (OrreryNode *node);
/**
 * orrery_node_get_kind:
 *
 * Says which of the functions below may be called: each names the kinds that it takes, and calling
 * it for another is a mistake of the caller, which is logged.
 *
 * Returns: its kind
 */
ORRERY_API OrreryNodeKind orrery_node_get_kind (OrreryNode *node);
/**
 * orrery_node_get_kind_name:
 *
 * The kind for messages, with its article.
 *
 * Returns: "null", "a bool", "an integer", "a number", "a text", "a list", "a dictionary"
 */
ORRERY_API const char *orrery_node_get_kind_name (OrreryNode *node);
/**
 * orrery_node_get_bool:
 * @node: a bool
 *
 * %FALSE for a node of another kind, which is logged.
 *
 * Returns: its value
 */
ORRERY_API gboolean orrery_node_get_bool (OrreryNode *node);
/**
 * orrery_node_get_int:
 * @node: an integer
 *
 * 0 for a node of another kind, which is logged: 1.0 is a double.
 *
 * Returns: its value
 */
ORRERY_API gint64 orrery_node_get_int (OrreryNode *node);
/**
 * orrery_node_get_double:
 * @node: a number or an integer
 *
 * An integer is rounded to the nearest double. A number of a file may be NaN or infinite.
 *
 * Returns: its value
 */
ORRERY_API double orrery_node_get_double (OrreryNode *node);
/**
 * orrery_node_get_text:
 * @node: a text
 *
 * The text is valid as long as the node. %NULL for a node of another kind, which is logged.
 *
 * Returns: its value, UTF-8 without NUL
 */
ORRERY_API const char *orrery_node_get_text (OrreryNode *node);
/**
 * orrery_node_get_length:
 * @node: a list or a dictionary
 *
 * A dictionary is counted by its keys, none of which is there twice.
 *
 * Returns: how many items or pairs it has
 */
ORRERY_API guint orrery_node_get_length (OrreryNode *node);
/**
 * orrery_node_get_item:
 * @node: a list or a dictionary
 * @index: below orrery_node_get_length()
 *
 * The order is that of the file. The item is valid as long as @node.
 *
 * Returns: (transfer none): the item, or the value of the pair
 */
ORRERY_API OrreryNode *orrery_node_get_item (OrreryNode *node, guint index);
/**
 * orrery_node_get_key:
 * @node: a dictionary
 * @index: below orrery_node_get_length()
 *
 * The order is that of the file, the same as of orrery_node_get_item(). Valid as long as @node.
 *
 * Returns: the key of the pair
 */
ORRERY_API const char *orrery_node_get_key (OrreryNode *node, guint index);
/**
 * orrery_node_find:
 * @node: a dictionary
 * @key: a key
 *
 * Compares bytes. The value is valid as long as @node; a key whose value is null is found, and has
 * a node of kind %ORRERY_NODE_NULL.
 *
 * Returns: (transfer none) (nullable): the value of @key
 */
ORRERY_API OrreryNode *orrery_node_find (OrreryNode *node, const char *key);
/**
 * orrery_node_get_line:
 *
 * Of a list or a dictionary that is where it opens. A line ends at LF, CR, or both.
 *
 * Returns: the line that it begins in, from 1
 */
ORRERY_API guint orrery_node_get_line (OrreryNode *node);
/**
 * orrery_node_get_column:
 *
 * Characters of UTF-8 are counted, not bytes; a tab is one.
 *
 * Returns: the character of the line that it begins with, from 1
 */
ORRERY_API guint orrery_node_get_column (OrreryNode *node);
/**
 * orrery_node_get_key_line:
 * @node: a dictionary
 * @index: below orrery_node_get_length()
 *
 * For messages about a key: orrery_node_get_line() of the item is where its value stands.
 *
 * Returns: the line of the key itself
 */
ORRERY_API guint orrery_node_get_key_line (OrreryNode *node, guint index);
/**
 * orrery_node_get_key_column:
 * @node: a dictionary
 * @index: below orrery_node_get_length()
 *
 * For messages about a key; counted as for orrery_node_get_column().
 *
 * Returns: the column of the key itself
 */
ORRERY_API guint orrery_node_get_key_column (OrreryNode *node, guint index);
/**
 * orrery_node_get_file:
 *
 * As the parser was given it. Valid as long as the node.
 *
 * Returns: the name of the file, for messages
 */
ORRERY_API const char *orrery_node_get_file (OrreryNode *node);

/**
 * orrery_node_to_variant:
 *
 * Copies the whole tree. A value becomes: null an empty `mv`, a bool `b`, an integer `x`, a number
 * `d`, a text `s`, a list `av`, a dictionary `a{sv}`, both in the order of the file. Places are
 * lost.
 *
 * Returns: (transfer full): a variant, not floating
 */
ORRERY_API GVariant *orrery_node_to_variant (OrreryNode *node);

/**
 * orrery_node_error: (skip)
 * @node: where
 * @code: which error
 * @format: printf format of the message
 * @...: arguments of @format
 *
 * Makes an error of the domain %ORRERY_ERROR that tells the place of a node, made safe to print by
 * orrery_escape_text().
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
 * @...: arguments of @format
 *
 * orrery_node_error() at the place of a key.
 *
 * Returns: an error of ours
 */
ORRERY_API GError *orrery_node_key_error (OrreryNode *node, guint index, int code,
                                          const char *format, ...) G_GNUC_PRINTF (4, 5);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryNode, orrery_node_unref)

G_END_DECLS
