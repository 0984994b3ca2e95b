/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text/orrery-node.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* A place in a text, moved forward as it is read: line and column from 1, the column in characters.
 */
typedef struct {
  const char *at;
  const char *end;
  guint line;
  guint column;
} OrreryPlace;

void orrery_place_init (OrreryPlace *place, const char *text, gsize length);
/* @at: not before the place */
void orrery_place_move (OrreryPlace *place, const char *at);

/* Refuses what no dialect reads: a file too large, a NUL, bytes that are no UTF-8; skips a mark of
 * byte order. */
gboolean orrery_node_check_text (const char **text, gsize *length, const char *file,
                                 GError **error);
/* Returns: `file:line:column: what` */
GError *orrery_place_error (const OrreryPlace *place, const char *file, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/* As orrery_node_parse_json(). @cancellable: (nullable): ends it */
OrreryNode *orrery_node_parse_json_until (const char *text, gsize length, const char *file,
                                          GCancellable *cancellable, GError **error);

/* The same for a file that is likely to be loaded again in this process. If it was parsed before
 * under this name, with the same bytes, the same tree is returned: nodes are immutable. */
OrreryNode *orrery_node_parse_json_kept (const char *text, gsize length, const char *file,
                                         GCancellable *cancellable, GError **error);

/* As orrery_node_get_kind_name(). */
const char *orrery_node_name_kind (OrreryNodeKind kind);

/* What parsers build with; a node is immutable once it is given away. @file: a reference string */
OrreryNode *orrery_node_new (OrreryNodeKind kind, char *file, const OrreryPlace *place);
void orrery_node_set_bool (OrreryNode *node, gboolean value);
void orrery_node_set_int (OrreryNode *node, gint64 value);
void orrery_node_set_double (OrreryNode *node, double value);
/* @text: transfer full */
void orrery_node_set_text (OrreryNode *node, char *text);
/* @item: transfer full */
void orrery_node_append (OrreryNode *list, OrreryNode *item);
/* @key, @item: transfer full; the key must be new */
void orrery_node_add (OrreryNode *dict, char *key, const OrreryPlace *place, OrreryNode *item);

/* Nodes that no text has: in messages they stand at @place. */
OrreryNode *orrery_node_new_at (OrreryNodeKind kind, OrreryNode *place);
OrreryNode *orrery_node_new_text_at (const char *text, OrreryNode *place);
/* @item: transfer full; the key, which must be new, stands where @dict does. */
void orrery_node_add_here (OrreryNode *dict, const char *key, OrreryNode *item);
/* The same with the key of a pair of another dictionary of the same file, at its place. */
void orrery_node_add_pair (OrreryNode *dict, OrreryNode *from, guint index, OrreryNode *item);
/* Returns: the index of a key, or -1 */
int orrery_node_index (OrreryNode *dict, const char *key);

G_END_DECLS
