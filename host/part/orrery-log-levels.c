/* SPDX-License-Identifier: BSD-3-Clause */
/* The log levels that users set by names of parts and classes, and their look-up for a part. */
#include "part/orrery-log-levels-private.h"

#include "base/orrery-counted-private.h"
#include "base/orrery-error-private.h"
#include "base/orrery-name-private.h"

#include <string.h>

static const struct {
  const char *word;
  int level;
} known[] = {
  { "DEBUG", ORRERY_LOG_LEVEL_DEBUG },      { "INFO", ORRERY_LOG_LEVEL_INFO },
  { "SECTION", ORRERY_LOG_LEVEL_SECTION },  { "ENDSECTION", ORRERY_LOG_LEVEL_ENDSECTION },
  { "WARNING", ORRERY_LOG_LEVEL_WARNING },  { "ERROR", ORRERY_LOG_LEVEL_ERROR },
  { "CRITICAL", ORRERY_LOG_LEVEL_CRITICAL }
};

typedef struct {
  char *name;
  int level;
} Entry;

typedef struct {
  OrreryPart *part; /* borrowed */
  OrreryLogFunc func;
  gpointer data;
} Watch;

struct _OrreryLogLevels {
  gatomicrefcount n_refs;
  OrreryLogLevelFunc func;
  guint serial; /* atomic */
  GMutex lock;
  GArray *entries;   /* (element-type Entry), in the order in which they were set */
  GHashTable *parts; /* (element-type OrreryPart): set of the parts that they apply to; borrowed */
  GMutex watch_lock; /* held while a function is called, so that it may be taken away */
  GArray *watches;   /* (element-type Watch) */
};

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->name);
}

OrreryLogLevels *
orrery_log_levels_new (OrreryLogLevelFunc func)
{
  OrreryLogLevels *levels = g_new0 (OrreryLogLevels, 1);

  g_atomic_ref_count_init (&levels->n_refs);
  levels->func = func;
  g_mutex_init (&levels->lock);
  levels->entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (levels->entries, clear_entry);
  levels->parts = g_hash_table_new (NULL, NULL);
  g_mutex_init (&levels->watch_lock);
  levels->watches = g_array_new (FALSE, FALSE, sizeof (Watch));
  return levels;
}

static void
log_levels_free (OrreryLogLevels *levels)
{
  g_array_unref (levels->entries);
  g_hash_table_unref (levels->parts);
  g_mutex_clear (&levels->lock);
  g_array_unref (levels->watches);
  g_mutex_clear (&levels->watch_lock);
  g_free (levels);
}

ORRERY_DEFINE_COUNTED (OrreryLogLevels, orrery_log_levels, n_refs, log_levels_free)

int
orrery_log_level_parse (const char *word, GError **error)
{
  const char *words[G_N_ELEMENTS (known) + 1] = { NULL };
  g_autofree char *nearest = NULL;
  g_autofree char *upper = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (known); i++) {
    words[i] = known[i].word;
    if (g_ascii_strcasecmp (word, known[i].word) == 0)
      return known[i].level;
  }
  upper = g_ascii_strup (word, -1);
  nearest = orrery_nearest_names (upper, words);
  orrery_set_error (error, ORRERY_ERROR_INVALID, "no log level '%.30s'%s", word, nearest);
  return 0;
}

/* --- names --- */

/* How closely a name fits: the name of a part before that of a class, a class before its module or
 * package. */
#define OF_PART 2000000
#define OF_CLASS 1000000
#define OF_ALL 1
#define NOT_AT_ALL 0

/* Names of MORSE's modules and of ours differ only in the first word. */
static const char *
skip_root (const char *path)
{
  static const char *const roots[] = { "morse", "orrery" };

  for (guint i = 0; i < G_N_ELEMENTS (roots); i++) {
    gsize n = strlen (roots[i]);

    if (g_str_has_prefix (path, roots[i]) && (path[n] == '.' || path[n] == '\0'))
      return path + n + (path[n] == '.');
  }
  return path;
}

static gboolean
is_above (const char *name, const char *below, const char *cuts)
{
  gsize n = strlen (name);

  return g_str_has_prefix (below, name) && below[n] != '\0' && strchr (cuts, below[n]) != NULL;
}

static int
fit_class (const char *name, const char *classpath, int distance)
{
  const char *path = skip_root (classpath);
  const char *last = strrchr (path, '.');

  if (*name == '\0')
    return OF_ALL;
  if (g_str_equal (name, path) || (last != NULL && g_str_equal (name, last + 1)))
    return OF_CLASS - distance;
  return is_above (name, path, ".") ? OF_ALL + (int) MIN (strlen (name), OF_CLASS / 2) : NOT_AT_ALL;
}

static int
fit (const char *name, OrreryPart *part)
{
  const char *own = orrery_part_get_name (part);
  char **bases = orrery_part_get_log (part)->bases;
  const char *plain = skip_root (name);
  int best;

  if (*name == '\0')
    return NOT_AT_ALL;
  if (g_str_equal (name, own) || is_above (name, own, "./"))
    return OF_PART + (int) MIN (strlen (name), OF_CLASS / 2);
  best = fit_class (plain, orrery_part_get_classpath (part), 0);
  for (guint i = 0; bases != NULL && bases[i] != NULL; i++)
    best = MAX (best, fit_class (plain, bases[i], (int) i + 1));
  return best;
}

/* If two names fit equally well, the one set later applies. */
static int
find_level (OrreryLogLevels *levels, OrreryPart *part)
{
  int best = NOT_AT_ALL;
  int level = 0;

  for (guint i = 0; i < levels->entries->len; i++) {
    const Entry *entry = &g_array_index (levels->entries, Entry, i);
    int closeness = fit (entry->name, part);

    if (closeness == NOT_AT_ALL || closeness < best)
      continue;
    best = closeness;
    level = entry->level;
  }
  return level;
}

/* --- what is set --- */

/* Clients set levels, too, so their number is limited. */
#define MAX_LEVELS 1000

static gboolean
check_room (OrreryLogLevels *levels, const char *name, GError **error)
{
  if (!orrery_name_check (ORRERY_NAME_OF_LOG_LEVEL, name, error))
    return FALSE;
  if (levels->entries->len >= MAX_LEVELS)
    return orrery_set_error (error, ORRERY_ERROR_INVALID,
                             "log levels are already set for %d names; only these can be changed",
                             MAX_LEVELS);
  return TRUE;
}

static gboolean
set (OrreryLogLevels *levels, const char *name, int level, GError **error)
{
  Entry entry = { (char *) name, level };

  for (guint i = levels->entries->len; i-- > 0;)
    if (g_str_equal (g_array_index (levels->entries, Entry, i).name, name))
      g_array_remove_index (levels->entries, i);
  if (!check_room (levels, name, error))
    return FALSE;
  entry.name = g_strdup (name);
  g_array_append_val (levels->entries, entry);
  return TRUE;
}

gboolean
orrery_log_levels_set (OrreryLogLevels *levels, const char *name, int level, GError **error)
{
  gboolean fits;

  g_mutex_lock (&levels->lock);
  fits = set (levels, name, level, error);
  g_atomic_int_inc (&levels->serial);
  g_mutex_unlock (&levels->lock);
  if (fits && levels->func != NULL)
    levels->func (name, level);
  return fits;
}

guint
orrery_log_levels_get_serial (OrreryLogLevels *levels)
{
  return (guint) g_atomic_int_get (&levels->serial);
}

GVariant *
orrery_log_levels_save (OrreryLogLevels *levels)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(si)"));
  g_mutex_lock (&levels->lock);
  for (guint i = 0; i < levels->entries->len; i++) {
    const Entry *entry = &g_array_index (levels->entries, Entry, i);

    g_variant_builder_add (&list, "(si)", entry->name, entry->level);
  }
  g_mutex_unlock (&levels->lock);
  return g_variant_builder_end (&list);
}

void
orrery_log_levels_restore (OrreryLogLevels *levels, GVariant *saved)
{
  GVariantIter iter;
  const char *name;
  int level;

  if (!g_variant_is_of_type (saved, G_VARIANT_TYPE ("a(si)")))
    return;
  g_variant_iter_init (&iter, saved);
  while (g_variant_iter_next (&iter, "(&si)", &name, &level))
    orrery_log_levels_set (levels, name, level, NULL);
}

/* --- parts --- */

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

/* The names of parts and classes that are nearest to a name that was not found, in order. */
static char *
name_nearest (OrreryLogLevels *levels, const char *name)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  GHashTableIter iter;
  gpointer part;

  g_hash_table_iter_init (&iter, levels->parts);
  while (g_hash_table_iter_next (&iter, &part, NULL)) {
    const char *path = orrery_part_get_classpath (part);
    const char *last = strrchr (path, '.');

    g_ptr_array_add (names, (gpointer) orrery_part_get_name (part));
    if (strchr (name, '.') != NULL)
      g_ptr_array_add (names,
                       (gpointer) (g_str_has_prefix (name, "orrery.") ? path : skip_root (path)));
    else if (last != NULL)
      g_ptr_array_add (names, (gpointer) (last + 1));
  }
  g_ptr_array_sort (names, compare_names);
  for (guint i = names->len; i-- > 1;)
    if (g_str_equal (names->pdata[i], names->pdata[i - 1]))
      g_ptr_array_remove_index (names, i);
  g_ptr_array_add (names, NULL);
  return orrery_nearest_names (g_str_has_prefix (name, "morse.") ? skip_root (name) : name,
                               (const char *const *) names->pdata);
}

gboolean
orrery_log_levels_has (OrreryLogLevels *levels, const char *name, char **nearest)
{
  gboolean found = FALSE;
  GHashTableIter iter;
  gpointer part;

  *nearest = NULL;
  g_mutex_lock (&levels->lock);
  g_hash_table_iter_init (&iter, levels->parts);
  while (!found && g_hash_table_iter_next (&iter, &part, NULL))
    found = fit (name, part) != NOT_AT_ALL;
  if (!found)
    *nearest = name_nearest (levels, name);
  g_mutex_unlock (&levels->lock);
  return found;
}

void
orrery_part_set_log_levels (OrreryPart *part, OrreryLogLevels *levels, const char *const *bases)
{
  OrreryPartLog *log = orrery_part_get_log (part);

  orrery_part_log_clear (part, log);
  log->levels = orrery_log_levels_ref (levels);
  log->bases = g_strdupv ((char **) bases);
  g_mutex_lock (&levels->lock);
  g_hash_table_add (levels->parts, part);
  g_mutex_unlock (&levels->lock);
}

void
orrery_part_log_clear (OrreryPart *part, OrreryPartLog *log)
{
  if (log->levels != NULL) {
    orrery_part_unwatch_log (part);
    g_mutex_lock (&log->levels->lock);
    g_hash_table_remove (log->levels->parts, part);
    g_mutex_unlock (&log->levels->lock);
  }
  g_clear_pointer (&log->levels, orrery_log_levels_unref);
  g_clear_pointer (&log->bases, g_strfreev);
  log->serial = 0;
  log->level = 0;
}

/* The level is looked up again only if one was set since the last time. */
OrreryLogLevel
orrery_part_get_log_level (OrreryPart *part)
{
  OrreryPartLog *log;

  g_return_val_if_fail (ORRERY_IS_PART (part), ORRERY_LOG_LEVEL_UNSET);

  log = orrery_part_get_log (part);
  if (log->levels == NULL)
    return ORRERY_LOG_LEVEL_UNSET;
  if ((guint) g_atomic_int_get (&log->serial) != orrery_log_levels_get_serial (log->levels)) {
    g_mutex_lock (&log->levels->lock);
    g_atomic_int_set (&log->level, find_level (log->levels, part));
    g_atomic_int_set (&log->serial, orrery_log_levels_get_serial (log->levels));
    g_mutex_unlock (&log->levels->lock);
  }
  return (OrreryLogLevel) g_atomic_int_get (&log->level);
}

/* --- who watches --- */

void
orrery_part_watch_log (OrreryPart *part, OrreryLogFunc func, gpointer user_data)
{
  OrreryLogLevels *levels;
  const Watch watch = { part, func, user_data };

  g_return_if_fail (ORRERY_IS_PART (part) && func != NULL);

  levels = orrery_part_get_log (part)->levels;
  if (levels == NULL)
    return;
  orrery_part_unwatch_log (part);
  g_mutex_lock (&levels->watch_lock);
  g_array_append_val (levels->watches, watch);
  g_mutex_unlock (&levels->watch_lock);
}

void
orrery_part_unwatch_log (OrreryPart *part)
{
  OrreryLogLevels *levels;

  g_return_if_fail (ORRERY_IS_PART (part));

  levels = orrery_part_get_log (part)->levels;
  if (levels == NULL)
    return;
  g_mutex_lock (&levels->watch_lock);
  for (guint i = 0; i < levels->watches->len; i++)
    if (g_array_index (levels->watches, Watch, i).part == part) {
      g_array_remove_index (levels->watches, i);
      break;
    }
  g_mutex_unlock (&levels->watch_lock);
}

/* @watcher: NULL: all */
static void
tell (OrreryPart *watcher, OrreryPart *part, OrreryLogLevel level, const char *text)
{
  OrreryLogLevels *levels = orrery_part_get_log (part)->levels;

  if (levels == NULL)
    return;
  g_mutex_lock (&levels->watch_lock);
  for (guint i = 0; i < levels->watches->len; i++) {
    const Watch *watch = &g_array_index (levels->watches, Watch, i);

    if (watcher == NULL || watch->part == watcher)
      watch->func (part, level, text, watch->data);
  }
  g_mutex_unlock (&levels->watch_lock);
}

void
orrery_part_tell_log (OrreryPart *part, OrreryLogLevel level, const char *text)
{
  tell (NULL, part, level, text);
}

void
orrery_part_tell_watcher (OrreryPart *watcher, OrreryPart *part, OrreryLogLevel level,
                          const char *text)
{
  tell (watcher, part, level, text);
}
