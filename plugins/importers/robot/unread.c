/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists what a file has that is not read. */
#include "unread.h"

/* A file with more kinds of things is none that somebody wrote. */
#define MAX_KINDS 200u

typedef struct {
  char *what;
  const char *file;
  int line;
  const char *why;
  guint n;
} Kind;

struct _Unread {
  GPtrArray *kinds;    /* (element-type Kind), in the order of the file */
  GHashTable *by_what; /* (element-type utf8 Kind) */
  guint n_more;
};

static void
kind_free (gpointer data)
{
  g_free (((Kind *) data)->what);
  g_free (data);
}

Unread *
unread_new (void)
{
  Unread *unread = g_new0 (Unread, 1);

  unread->kinds = g_ptr_array_new_with_free_func (kind_free);
  unread->by_what = g_hash_table_new (g_str_hash, g_str_equal);
  return unread;
}

void
unread_free (Unread *unread)
{
  g_hash_table_unref (unread->by_what);
  g_ptr_array_unref (unread->kinds);
  g_free (unread);
}

void
unread_note (Unread *unread, const char *element, const char *attribute, const char *file, int line,
             const char *why)
{
  g_autofree char *what = attribute != NULL
                              ? g_strdup_printf ("<%.60s> '%.60s'", element, attribute)
                              : g_strdup_printf ("<%.60s>", element);
  Kind *kind = g_hash_table_lookup (unread->by_what, what);

  if (kind != NULL) {
    kind->n++;
    return;
  }
  if (unread->kinds->len >= MAX_KINDS) {
    unread->n_more++;
    return;
  }
  kind = g_new (Kind, 1);
  *kind = (Kind){ g_steal_pointer (&what), file, line, why, 1 };
  g_ptr_array_add (unread->kinds, kind);
  g_hash_table_insert (unread->by_what, kind->what, kind);
}

void
unread_tell (const Unread *unread, const char *domain)
{
  for (guint i = 0; i < unread->kinds->len; i++) {
    const Kind *kind = unread->kinds->pdata[i];
    g_autofree char *times = kind->n > 1 ? g_strdup_printf (" (%u times)", kind->n) : g_strdup ("");

    g_log (domain, G_LOG_LEVEL_MESSAGE, "%s:%d: %s is left out%s: %s", kind->file, kind->line,
           kind->what, times, kind->why);
  }
  if (unread->n_more > 0)
    g_log (domain, G_LOG_LEVEL_MESSAGE, "%u more things are left out", unread->n_more);
}
