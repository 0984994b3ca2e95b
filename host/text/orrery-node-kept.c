/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of texts that were parsed before, for further simulations of the same files. */
#include "text/orrery-node-private.h"

#include <string.h>

/* Of the texts of all trees, bytes; a tree takes up to thirty times as many. */
#define MAX_BYTES (1 << 20)
#define MAX_TREES 64

typedef struct {
  char *file;
  char *text;
  gsize length;
  OrreryNode *node;
} Tree;

static GMutex lock;
/* [lock] (element-type Tree): what was asked for last comes last. */
static GPtrArray *trees;
static gsize n_bytes; /* [lock] */

static void
tree_free (gpointer data)
{
  Tree *tree = data;

  n_bytes -= tree->length;
  orrery_node_unref (tree->node);
  g_free (tree->text);
  g_free (tree->file);
  g_free (tree);
}

/* [lock] Returns: its place, or -1 */
static int
find_file (const char *file)
{
  if (trees == NULL)
    trees = g_ptr_array_new_with_free_func (tree_free);
  for (int i = (int) trees->len - 1; i >= 0; i--)
    if (strcmp (((Tree *) trees->pdata[i])->file, file) == 0)
      return i;
  return -1;
}

/* Returns: (transfer full) (nullable) */
static OrreryNode *
find_tree (const char *text, gsize length, const char *file)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  int i = find_file (file);
  Tree *tree = i >= 0 ? trees->pdata[i] : NULL;

  if (tree == NULL || tree->length != length || memcmp (tree->text, text, length) != 0)
    return NULL;
  g_ptr_array_add (trees, g_ptr_array_steal_index (trees, (guint) i));
  return orrery_node_ref (tree->node);
}

static void
keep_tree (const char *text, gsize length, const char *file, OrreryNode *node)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&lock);
  int before = find_file (file);
  Tree *tree;

  if (before >= 0)
    g_ptr_array_remove_index (trees, (guint) before);
  if (length > MAX_BYTES)
    return;
  while (trees->len > 0 && (trees->len >= MAX_TREES || n_bytes + length > MAX_BYTES))
    g_ptr_array_remove_index (trees, 0);
  tree = g_new0 (Tree, 1);
  *tree = (Tree){ g_strdup (file), g_memdup2 (text, length), length, orrery_node_ref (node) };
  n_bytes += length;
  g_ptr_array_add (trees, tree);
}

OrreryNode *
orrery_node_parse_json_kept (const char *text, gsize length, const char *file,
                             GCancellable *cancellable, GError **error)
{
  OrreryNode *node = find_tree (text, length, file);

  if (node != NULL)
    return node;
  node = orrery_node_parse_json_until (text, length, file, cancellable, error);
  if (node != NULL)
    keep_tree (text, length, file, node);
  return node;
}
