/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread sanitizer sees no lock and no atomic of a GLib that was built without it. Preloaded,
 * this stands before those that we use across threads, and tells it what each of them orders. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <glib-object.h>

/* Of the sanitizer's runtime; not there in other programs, which inherit the preload. */
void AnnotateHappensBefore (const char *file, int line, const volatile void *at)
    __attribute__ ((weak));
void AnnotateHappensAfter (const char *file, int line, const volatile void *at)
    __attribute__ ((weak));

#define EXPORT __attribute__ ((visibility ("default")))
#define REAL(name)                                                                                 \
  static __typeof__ (name) *real;                                                                  \
  if (G_UNLIKELY (real == NULL))                                                                   \
  real = (__typeof__ (name) *) dlsym (RTLD_NEXT, #name)

static void
before (const volatile void *at)
{
  if (AnnotateHappensBefore != NULL)
    AnnotateHappensBefore (__FILE__, __LINE__, at);
}

static void
after (const volatile void *at)
{
  if (AnnotateHappensAfter != NULL)
    AnnotateHappensAfter (__FILE__, __LINE__, at);
}

/* --- locks --- */

EXPORT void (g_mutex_lock) (GMutex *mutex)
{
  REAL (g_mutex_lock);
  real (mutex);
  after (mutex);
}

EXPORT void (g_mutex_unlock) (GMutex *mutex)
{
  REAL (g_mutex_unlock);
  before (mutex);
  real (mutex);
}

EXPORT void (g_cond_wait) (GCond *cond, GMutex *mutex)
{
  REAL (g_cond_wait);
  before (mutex);
  real (cond, mutex);
  after (mutex);
}

EXPORT
gboolean (g_cond_wait_until) (GCond *cond, GMutex *mutex, gint64 end)
{
  REAL (g_cond_wait_until);
  before (mutex);
  gboolean signalled = real (cond, mutex, end);
  after (mutex);
  return signalled;
}

/* --- references: who drops the last one has seen what the others did --- */

EXPORT
gboolean (g_atomic_ref_count_dec) (gatomicrefcount *count)
{
  REAL (g_atomic_ref_count_dec);
  before (count);
  gboolean last = real (count);
  if (last)
    after (count);
  return last;
}

EXPORT void (g_object_unref) (gpointer object)
{
  REAL (g_object_unref);
  before (object);
  /* What ends the object runs inside. */
  after (object);
  real (object);
}

/* --- queues --- */

EXPORT void (g_async_queue_push) (GAsyncQueue *queue, gpointer data)
{
  REAL (g_async_queue_push);
  before (queue);
  real (queue, data);
}

EXPORT
gpointer (g_async_queue_pop) (GAsyncQueue *queue)
{
  REAL (g_async_queue_pop);
  gpointer data = real (queue);
  after (queue);
  return data;
}

EXPORT
gpointer (g_async_queue_try_pop) (GAsyncQueue *queue)
{
  REAL (g_async_queue_try_pop);
  gpointer data = real (queue);
  after (queue);
  return data;
}
