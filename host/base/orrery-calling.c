/* SPDX-License-Identifier: BSD-3-Clause */
/* Holds, for each thread, which function of which plugin the host is calling. */
#include "base/orrery-calling-private.h"

#include "base/orrery-hash-private.h"

/* So many at a time are taken from the system, which never gets them back. */
#define BLOCK 64

__thread OrreryCalling orrery_calling;
guint64 orrery_calling_tick;

static GMutex lock;
static GPtrArray *unused; /* guarded by lock; (element-type OrreryCallee) */
static GHashTable *texts; /* guarded by lock; (element-type utf8) */

/* Not g_intern_string(), whose table is copied, and the old one left behind, each time it grows:
 * it is made for the few names of a program, and a scene has any number. */
static const char *
keep (const char *text)
{
  const char *kept;

  if (text == NULL)
    return NULL;
  g_mutex_lock (&lock);
  if (texts == NULL)
    texts = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free, NULL);
  if (!g_hash_table_lookup_extended (texts, text, (gpointer *) &kept, NULL)) {
    kept = g_strdup (text);
    g_hash_table_add (texts, (gpointer) kept);
  }
  g_mutex_unlock (&lock);
  return kept;
}

OrreryCallee *
orrery_callee_new (const char *classpath, const char *name, const char *function)
{
  OrreryCallee *callee;

  g_mutex_lock (&lock);
  if (unused == NULL)
    unused = g_ptr_array_new ();
  if (unused->len == 0) {
    OrreryCallee *block = g_new0 (OrreryCallee, BLOCK);

    for (guint i = 0; i < BLOCK; i++)
      g_ptr_array_add (unused, &block[i]);
  }
  callee = g_ptr_array_steal_index_fast (unused, unused->len - 1);
  g_mutex_unlock (&lock);
  orrery_callee_set (callee, classpath, name, function);
  return callee;
}

void
orrery_callee_set (OrreryCallee *callee, const char *classpath, const char *name,
                   const char *function)
{
  __atomic_store_n (&callee->classpath, keep (classpath), __ATOMIC_RELAXED);
  __atomic_store_n (&callee->name, keep (name), __ATOMIC_RELAXED);
  __atomic_store_n (&callee->function, function, __ATOMIC_RELAXED);
}

void
orrery_callee_free (OrreryCallee *callee)
{
  g_mutex_lock (&lock);
  g_ptr_array_add (unused, callee);
  g_mutex_unlock (&lock);
}
