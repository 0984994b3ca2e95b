/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "text/orrery-node.h"
#include "text/orrery-problems-private.h"

/*
 * Tables of keys: what a dictionary of a scene or of a JSON class may have. A table reads such a
 * dictionary into a struct, and scene.schema.json and scene.md are written from the same tables.
 */

/* What a value is, and the type of the member that it goes to. */
typedef enum {
  ORRERY_KEY_NUMBER,    /* double, from `low` to `high` */
  ORRERY_KEY_COUNT,     /* guint, from `low` to `high` */
  ORRERY_KEY_SEED,      /* guint64 */
  ORRERY_KEY_BOOL,      /* gboolean */
  ORRERY_KEY_WORD,      /* an enumeration: `low` for the first of `words`, then one more for each */
  ORRERY_KEY_VECTOR,    /* OrreryVec3 */
  ORRERY_KEY_COLOR,     /* OrreryVec3, each from 0 to 1 */
  ORRERY_KEY_PAIR,      /* two double side by side, each from `low` to `high` */
  ORRERY_KEY_LOCKS,     /* OrreryVec3: 0 where the list of three bools says true, else 1 */
  ORRERY_KEY_TEXT,      /* OrreryNode *, a text; all nodes are borrowed */
  ORRERY_KEY_NAME,      /* the same, without dots */
  ORRERY_KEY_CLASSPATH, /* the same */
  ORRERY_KEY_PLACEMENT, /* the same */
  ORRERY_KEY_ROWS,   /* OrreryNode *, a list of rows of three numbers; the items are not checked */
  ORRERY_KEY_DICT,   /* OrreryNode *, a dictionary of anything */
  ORRERY_KEY_OBJECT, /* OrreryNode *, a dictionary of the keys of `table` */
  ORRERY_KEY_LIST, /* OrreryNode *, a list of such dictionaries, at most `high` if that is not 0 */
  ORRERY_KEY_MAP,  /* OrreryNode *, a dictionary of names and such dictionaries */
  ORRERY_KEY_VERSION, /* no member: must be 1 */
} OrreryKeyType;

enum {
  ORRERY_KEY_REQUIRED = 1 << 0,
  ORRERY_KEY_OF_COMPONENT = 1 << 1, /* an error on an object without a class */
};

typedef struct _OrreryKeyTable OrreryKeyTable;

typedef struct {
  const char *name;
  const char *doc; /* (nullable) */
  OrreryKeyType type;
  guint flags;
  gsize member; /* its place in the struct */
  double low;
  double high;
  double value[3]; /* default of numbers, bools (0 or 1) and words; NAN: none */
  const char *const *words;
  const OrreryKeyTable *table;
  const char *schema; /* (nullable): members of its JSON schema, in place of what the type says */
} OrreryKey;

struct _OrreryKeyTable {
  const char *name; /* in the schema */
  const char *what; /* in messages: "a body" */
  const char *doc;  /* (nullable) */
  const OrreryKey *keys;
  guint n_keys;
};

/* Sets the members to their defaults: NAN, 0, -1 (a word), G_MAXUINT (a count) or NULL where a key
 * has none. */
void orrery_keys_init (const OrreryKeyTable *table, gpointer data);
/* Takes a problem for every key that is not in the table. */
void orrery_keys_check_known (OrreryProblems *problems, OrreryNode *node,
                              const OrreryKeyTable *table);
/* Sets the members whose keys are there and right, and takes a problem for each that is wrong.
 * FALSE: a required one is wrong */
gboolean orrery_keys_get (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table,
                          gpointer data);
/* Does all of the above. FALSE: a required key is missing or wrong */
gboolean orrery_keys_read (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table,
                           gpointer data);
/* What a key has now that is a list: numbers of a vector, or a node. They stand at @place.
 * Returns: (transfer full) (nullable): NULL: there is no such key, it is none, or it was not given
 */
OrreryNode *orrery_keys_get_list (const OrreryKeyTable *table, gconstpointer data, const char *name,
                                  OrreryNode *place);
/* Whether the key of that name has @flag. */
gboolean orrery_keys_has_flag (const OrreryKeyTable *table, const char *name, guint flag);
/* Takes a problem if @node is no dictionary. */
gboolean orrery_keys_expect_dict (OrreryProblems *problems, OrreryNode *node,
                                  const OrreryKeyTable *table);
/* The dictionaries of a list: the item at @i, or NULL, a problem, if that is something else. */
OrreryNode *orrery_keys_get_item (OrreryProblems *problems, OrreryNode *list, guint i,
                                  const OrreryKeyTable *table);
/* @node, named @key in messages, or NULL, a problem, if it is of another kind. */
OrreryNode *orrery_keys_expect (OrreryProblems *problems, OrreryNode *node, const char *key,
                                OrreryNodeKind kind);
/* @node: (nullable): a text. Returns: it, or @fallback */
const char *orrery_keys_text (OrreryNode *node, const char *fallback);
/* The index of a text among @words, or -1, a problem. */
int orrery_keys_find_word (OrreryProblems *problems, OrreryNode *node, const char *key,
                           const char *const *words);
/* Takes a problem at a node. Returns: FALSE */
gboolean orrery_keys_refuse (OrreryProblems *problems, OrreryNode *node, const char *format, ...)
    G_GNUC_PRINTF (3, 4);
/* Takes an error as a problem at a node. */
void orrery_keys_take_error (OrreryProblems *problems, OrreryNode *node, GError *error);
/* Returns: (transfer full): the value as it stands in a file, cut where it is long */
char *orrery_keys_show (OrreryNode *node);
