/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a dictionary of a file as a table of keys describes it. */
#include "text/orrery-keys-private.h"

#include "base/orrery-message.h"
#include "base/orrery-transform.h"
#include "text/orrery-node-private.h"

#include <math.h>
#include <string.h>

#define MAX_SHOWN 48

/* --- messages --- */

gboolean
orrery_keys_refuse (OrreryProblems *problems, OrreryNode *node, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  orrery_problems_take (problems, orrery_node_error (node, ORRERY_ERROR_CONFIG, "%s", words));
  return FALSE;
}

void
orrery_keys_take_error (OrreryProblems *problems, OrreryNode *node, GError *error)
{
  orrery_problems_take (problems, orrery_node_error (node, error->code, "%s", error->message));
  g_error_free (error);
}

char *
orrery_keys_show (OrreryNode *node)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GVariant) value = orrery_node_to_variant (node);
  g_autofree char *text = NULL;
  const char *data;
  gsize length;

  orrery_writer_set_names_not_finite (writer, TRUE);
  orrery_writer_append_json_variant (writer, value);
  data = orrery_writer_get_data (writer, &length);
  text = g_strndup (data, MIN (length, MAX_SHOWN));
  return g_strconcat (text, length > MAX_SHOWN ? "..." : "", NULL);
}

/* --- the keys --- */

static const OrreryKey *
find_key (const OrreryKeyTable *table, const char *name)
{
  for (guint i = 0; i < table->n_keys; i++)
    if (g_str_equal (table->keys[i].name, name))
      return &table->keys[i];
  return NULL;
}

gboolean
orrery_keys_has_flag (const OrreryKeyTable *table, const char *name, guint flag)
{
  const OrreryKey *key = find_key (table, name);

  return key != NULL && (key->flags & flag) != 0;
}

static void
refuse_key (OrreryProblems *problems, OrreryNode *node, guint i, const OrreryKeyTable *table)
{
  g_autofree const char **names = g_new0 (const char *, table->n_keys + 1);
  g_autofree char *nearest = NULL;

  for (guint j = 0; j < table->n_keys; j++)
    names[j] = table->keys[j].name;
  nearest = orrery_nearest_names (orrery_node_get_key (node, i), names);
  orrery_problems_take (problems, orrery_node_key_error (node, i, ORRERY_ERROR_CONFIG,
                                                         "%s has no key '%.60s'%s", table->what,
                                                         orrery_node_get_key (node, i), nearest));
}

static void
refuse_without (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table,
                const OrreryKey *key)
{
  g_autofree char *words =
      key->words != NULL ? orrery_nearest_names ("", key->words) : g_strdup ("");

  orrery_keys_refuse (problems, node, "%s needs %s '%s'%s", table->what,
                      strchr ("aeiou", key->name[0]) != NULL ? "an" : "a", key->name, words);
}

void
orrery_keys_check_known (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table)
{
  for (guint i = 0; i < orrery_node_get_length (node); i++) {
    if (find_key (table, orrery_node_get_key (node, i)) != NULL)
      continue;
    if (orrery_problems_are_many (problems))
      orrery_problems_count (problems);
    else
      refuse_key (problems, node, i, table);
  }
}

static gboolean
check_required (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table)
{
  gboolean complete = TRUE;

  for (guint i = 0; i < table->n_keys; i++) {
    const OrreryKey *key = &table->keys[i];

    if (!(key->flags & ORRERY_KEY_REQUIRED) || orrery_node_find (node, key->name) != NULL)
      continue;
    refuse_without (problems, node, table, key);
    complete = FALSE;
  }
  return complete;
}

/* --- values --- */

OrreryNode *
orrery_keys_expect (OrreryProblems *problems, OrreryNode *node, const char *key,
                    OrreryNodeKind kind)
{
  OrreryNodeKind found = orrery_node_get_kind (node);

  if (found == kind || (kind == ORRERY_NODE_DOUBLE && found == ORRERY_NODE_INT))
    return node;
  orrery_keys_refuse (problems, node, "'%s' is %s, not %s", key, orrery_node_get_kind_name (node),
                      orrery_node_name_kind (kind));
  return NULL;
}

gboolean
orrery_keys_expect_dict (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table)
{
  if (orrery_node_get_kind (node) == ORRERY_NODE_DICT)
    return TRUE;
  return orrery_keys_refuse (problems, node, "%s is a dictionary, not %s", table->what,
                             orrery_node_get_kind_name (node));
}

OrreryNode *
orrery_keys_get_item (OrreryProblems *problems, OrreryNode *list, guint i,
                      const OrreryKeyTable *table)
{
  OrreryNode *item = orrery_node_get_item (list, i);

  return orrery_keys_expect_dict (problems, item, table) ? item : NULL;
}

const char *
orrery_keys_text (OrreryNode *node, const char *fallback)
{
  return node != NULL ? orrery_node_get_text (node) : fallback;
}

int
orrery_keys_find_word (OrreryProblems *problems, OrreryNode *node, const char *key,
                       const char *const *words)
{
  const char *text = orrery_node_get_text (node);
  g_autofree char *nearest = NULL;

  for (int i = 0; words[i] != NULL; i++)
    if (g_str_equal (words[i], text))
      return i;
  nearest = orrery_nearest_names (text, words);
  orrery_keys_refuse (problems, node, "no %s is called '%.40s'%s", key, text, nearest);
  return -1;
}

static gboolean
get_number (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  double d = orrery_node_get_double (node);
  g_autofree char *shown = NULL;

  if (isfinite (d) && d >= key->low && d <= key->high) {
    *(double *) member = d;
    return TRUE;
  }
  shown = orrery_keys_show (node);
  return orrery_keys_refuse (problems, node, "'%s' is %s, out of range: %g to %g", key->name, shown,
                             key->low, key->high);
}

static gboolean
get_count (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  gint64 n = orrery_node_get_int (node);

  if ((double) n >= key->low && (double) n <= key->high) {
    *(guint *) member = (guint) n;
    return TRUE;
  }
  return orrery_keys_refuse (problems, node,
                             "'%s' is %" G_GINT64_FORMAT ", out of range: %g to %.0f", key->name, n,
                             key->low, key->high);
}

static gboolean
get_seed (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  gint64 n = orrery_node_get_int (node);

  if (n < 0)
    return orrery_keys_refuse (problems, node, "'%s' is %" G_GINT64_FORMAT ", below 0", key->name,
                               n);
  *(guint64 *) member = (guint64) n;
  return TRUE;
}

static gboolean
get_word (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  int word = orrery_keys_find_word (problems, node, key->name, key->words);

  if (word >= 0)
    *(int *) member = word + (int) key->low;
  return word >= 0;
}

/* Exactly @n finite numbers. */
static gboolean
get_numbers (OrreryNode *list, guint n, double *numbers)
{
  if (orrery_node_get_length (list) != n)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind != ORRERY_NODE_INT && kind != ORRERY_NODE_DOUBLE)
      return FALSE;
    numbers[i] = orrery_node_get_double (item);
    if (!isfinite (numbers[i]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
refuse_value (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, const char *wanted)
{
  g_autofree char *shown = orrery_keys_show (node);

  return orrery_keys_refuse (problems, node, "'%s' is %s, not %s", key->name, shown, wanted);
}

static gboolean
get_vector (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  double d[3];

  if (!get_numbers (node, 3, d))
    return refuse_value (problems, node, key, "a list of three finite numbers");
  for (guint i = 0; i < 3 && key->type == ORRERY_KEY_COLOR; i++)
    if (d[i] < 0 || d[i] > 1)
      return refuse_value (problems, node, key, "red, green and blue, each from 0 to 1");
  *(OrreryVec3 *) member = (OrreryVec3){ d[0], d[1], d[2] };
  return TRUE;
}

static gboolean
get_pair (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  g_autofree char *wanted = NULL;
  double d[2];

  if (get_numbers (node, 2, d) && MIN (d[0], d[1]) >= key->low && MAX (d[0], d[1]) <= key->high) {
    memcpy (member, d, sizeof d);
    return TRUE;
  }
  if (isfinite (key->low) && isfinite (key->high))
    wanted = g_strdup_printf ("two numbers from %g to %g", key->low, key->high);
  else if (isfinite (key->low))
    wanted = g_strdup_printf ("two numbers of at least %g", key->low);
  return refuse_value (problems, node, key, wanted != NULL ? wanted : "two numbers");
}

static gboolean
get_locks (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  gboolean right = orrery_node_get_length (node) == 3;
  double free[3];

  for (guint i = 0; right && i < 3; i++) {
    OrreryNode *item = orrery_node_get_item (node, i);

    right = orrery_node_get_kind (item) == ORRERY_NODE_BOOL;
    free[i] = right && orrery_node_get_bool (item) ? 0.0 : 1.0;
  }
  if (!right)
    return refuse_value (problems, node, key, "three bools");
  *(OrreryVec3 *) member = (OrreryVec3){ free[0], free[1], free[2] };
  return TRUE;
}

static gboolean
get_bool (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  *(gboolean *) member = orrery_node_get_bool (node);
  return TRUE;
}

static gboolean
get_version (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  if (orrery_node_get_int (node) == 1)
    return TRUE;
  return orrery_keys_refuse (problems, node,
                             "'%s' is %" G_GINT64_FORMAT "; this host reads version 1", key->name,
                             orrery_node_get_int (node));
}

static gboolean
get_node (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key, gpointer member)
{
  *(OrreryNode **) member = node;
  return TRUE;
}

/* --- types --- */

#define NODE_OF(KIND) ORRERY_NODE_##KIND, sizeof (OrreryNode *), 0, get_node

static const struct {
  OrreryNodeKind kind;
  gsize size;      /* of the member */
  guint n_doubles; /* that it is made of */
  gboolean (*get) (OrreryProblems *problems, OrreryNode *node, const OrreryKey *key,
                   gpointer member);
} types[] = {
  [ORRERY_KEY_NUMBER] = { ORRERY_NODE_DOUBLE, sizeof (double), 1, get_number },
  [ORRERY_KEY_COUNT] = { ORRERY_NODE_INT, sizeof (guint), 0, get_count },
  [ORRERY_KEY_SEED] = { ORRERY_NODE_INT, sizeof (guint64), 0, get_seed },
  [ORRERY_KEY_BOOL] = { ORRERY_NODE_BOOL, sizeof (gboolean), 0, get_bool },
  [ORRERY_KEY_WORD] = { ORRERY_NODE_TEXT, sizeof (int), 0, get_word },
  [ORRERY_KEY_VECTOR] = { ORRERY_NODE_LIST, sizeof (OrreryVec3), 3, get_vector },
  [ORRERY_KEY_COLOR] = { ORRERY_NODE_LIST, sizeof (OrreryVec3), 3, get_vector },
  [ORRERY_KEY_PAIR] = { ORRERY_NODE_LIST, 2 * sizeof (double), 2, get_pair },
  [ORRERY_KEY_LOCKS] = { ORRERY_NODE_LIST, sizeof (OrreryVec3), 3, get_locks },
  [ORRERY_KEY_TEXT] = { NODE_OF (TEXT) },
  [ORRERY_KEY_NAME] = { NODE_OF (TEXT) },
  [ORRERY_KEY_CLASSPATH] = { NODE_OF (TEXT) },
  [ORRERY_KEY_PLACEMENT] = { NODE_OF (TEXT) },
  [ORRERY_KEY_ROWS] = { NODE_OF (LIST) },
  [ORRERY_KEY_DICT] = { NODE_OF (DICT) },
  [ORRERY_KEY_OBJECT] = { NODE_OF (DICT) },
  [ORRERY_KEY_LIST] = { NODE_OF (LIST) },
  [ORRERY_KEY_MAP] = { NODE_OF (DICT) },
  [ORRERY_KEY_VERSION] = { ORRERY_NODE_INT, 0, 0, get_version },
};

gboolean
orrery_keys_get (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table,
                 gpointer data)
{
  gboolean right = TRUE;

  for (guint i = 0; i < table->n_keys; i++) {
    const OrreryKey *key = &table->keys[i];
    OrreryNode *value = orrery_node_find (node, key->name);

    if (value != NULL &&
        (orrery_keys_expect (problems, value, key->name, types[key->type].kind) == NULL ||
         !types[key->type].get (problems, value, key, (char *) data + key->member)))
      right = right && !(key->flags & ORRERY_KEY_REQUIRED);
  }
  return right;
}

/* --- defaults --- */

static void
init_member (const OrreryKey *key, gpointer member)
{
  double value = key->value[0];
  int integer = key->type == ORRERY_KEY_WORD || key->type == ORRERY_KEY_COUNT ? -1 : 0;

  memset (member, 0, types[key->type].size);
  if (types[key->type].n_doubles > 0) {
    memcpy (member, key->value, types[key->type].n_doubles * sizeof (double));
  } else if (types[key->type].size == sizeof integer) {
    integer = isnan (value) ? integer : (int) value;
    memcpy (member, &integer, sizeof integer);
  }
}

void
orrery_keys_init (const OrreryKeyTable *table, gpointer data)
{
  for (guint i = 0; i < table->n_keys; i++)
    init_member (&table->keys[i], (char *) data + table->keys[i].member);
}

gboolean
orrery_keys_read (OrreryProblems *problems, OrreryNode *node, const OrreryKeyTable *table,
                  gpointer data)
{
  gboolean complete;

  orrery_keys_check_known (problems, node, table);
  complete = check_required (problems, node, table);
  orrery_keys_init (table, data);
  return orrery_keys_get (problems, node, table, data) && complete;
}

/* --- values --- */

static OrreryNode *
list_numbers (const double *numbers, guint n, OrreryNode *place)
{
  OrreryNode *list = orrery_node_new_at (ORRERY_NODE_LIST, place);

  for (guint i = 0; i < n; i++) {
    OrreryNode *item = orrery_node_new_at (ORRERY_NODE_DOUBLE, place);

    orrery_node_set_double (item, numbers[i]);
    orrery_node_append (list, item);
  }
  return list;
}

OrreryNode *
orrery_keys_get_list (const OrreryKeyTable *table, gconstpointer data, const char *name,
                      OrreryNode *place)
{
  const OrreryKey *key = find_key (table, name);
  gconstpointer member = key != NULL ? (const char *) data + key->member : NULL;
  OrreryNode *node;

  if (key == NULL || types[key->type].kind != ORRERY_NODE_LIST || key->type == ORRERY_KEY_LOCKS)
    return NULL;
  if (types[key->type].n_doubles > 0)
    return !isnan (*(const double *) member)
               ? list_numbers (member, types[key->type].n_doubles, place)
               : NULL;
  node = *(OrreryNode *const *) member;
  return node != NULL ? orrery_node_ref (node) : NULL;
}
