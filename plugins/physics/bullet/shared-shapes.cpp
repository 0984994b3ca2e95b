/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Meshes and hulls of all worlds of the process. One is made when a body first needs it, shared by
 * all whose content is the same, and freed with the last. Nobody changes it, so worlds may use it
 * from several threads.
 */
#include "engine-private.h"

#include <cstring>

namespace {

/* By digest; weak. */
GMutex mutex;
GHashTable *all;

SharedShape *
take (const char *digest)
{
  auto shared =
      static_cast<SharedShape *> (all != nullptr ? g_hash_table_lookup (all, digest) : nullptr);

  if (shared != nullptr)
    shared->n_uses++;
  return shared;
}

} // namespace

ShapeDigest::ShapeDigest (const char *kind, double margin)
    : checksum (g_checksum_new (G_CHECKSUM_SHA256))
{
  g_checksum_update (checksum, reinterpret_cast<const guchar *> (kind), strlen (kind) + 1);
  add (&margin, 1);
}

ShapeDigest::~ShapeDigest ()
{
  g_checksum_free (checksum);
}

void
ShapeDigest::add (const double *numbers, gsize n)
{
  /* The length that GLib takes is signed. */
  g_checksum_update (checksum, reinterpret_cast<const guchar *> (numbers),
                     gssize (n * sizeof *numbers));
}

SharedShape::~SharedShape ()
{
  delete shape;
  delete mesh;
}

SharedShape *
shared_shape_find (ShapeDigest &digest)
{
  g_mutex_lock (&mutex);
  SharedShape *shared = take (digest.get ());
  g_mutex_unlock (&mutex);
  return shared;
}

SharedShape *
shared_shape_add (ShapeDigest &digest, btCollisionShape *shape, btTriangleMesh *mesh)
{
  auto made = new SharedShape ();

  made->shape = shape;
  made->mesh = mesh;
  made->digest = g_strdup (digest.get ());
  g_mutex_lock (&mutex);
  /* Another thread may have made it in the meantime. */
  SharedShape *shared = take (made->digest);
  if (shared == nullptr) {
    if (all == nullptr)
      all = g_hash_table_new (g_str_hash, g_str_equal);
    g_hash_table_insert (all, made->digest, made);
  }
  g_mutex_unlock (&mutex);
  if (shared == nullptr)
    return made;
  g_free (made->digest);
  delete made;
  return shared;
}

void
shared_shape_release (SharedShape *shared)
{
  g_mutex_lock (&mutex);
  bool is_last = --shared->n_uses == 0;
  if (is_last)
    g_hash_table_remove (all, shared->digest);
  if (all != nullptr && g_hash_table_size (all) == 0)
    g_clear_pointer (&all, g_hash_table_unref);
  g_mutex_unlock (&mutex);
  if (!is_last)
    return;
  g_free (shared->digest);
  delete shared;
}

guint
bullet_count_shared_shapes (void)
{
  g_mutex_lock (&mutex);
  guint n = all != nullptr ? g_hash_table_size (all) : 0;
  g_mutex_unlock (&mutex);
  return n;
}
