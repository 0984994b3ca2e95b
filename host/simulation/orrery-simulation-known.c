/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States that this scene has made or taken. They need not be read and compared again, and those
 * that it has taken need no copy of the present state to go back to.
 */
#include "simulation/orrery-simulation-private.h"

#include <string.h>

/* Larger ones are read each time, so that memory stays small. */
#define MAX_SIZE (256 * 1024)

/* Of one state, so that memory stays small. */
#define MAX_NODES 16384u

/* Whether all its values have one size, so that they are read as one array. */
static gboolean
is_plain (const char *type)
{
  return strpbrk (type, "sogamv") == NULL;
}

/* Returns: floating */
static GVariant *
put_together (const GVariantType *type, GVariant *const *children, gsize n)
{
  if (g_variant_type_is_array (type))
    return g_variant_new_array (g_variant_type_element (type), children, n);
  if (g_variant_type_is_maybe (type))
    return g_variant_new_maybe (NULL, children[0]);
  if (g_variant_type_is_variant (type))
    return g_variant_new_variant (children[0]);
  if (g_variant_type_is_dict_entry (type))
    return g_variant_new_dict_entry (children[0], children[1]);
  return g_variant_new_tuple (children, n);
}

/*
 * The same value, with its children at hand. Each look at a child of serialised data makes a new
 * variant, which costs more than all else in a restore. @n: nodes that may still be made.
 * Returns: (transfer full): never floating
 */
static GVariant *
unfold (GVariant *value, guint *n)
{
  const GVariantType *type = g_variant_get_type (value);
  gsize n_children = g_variant_is_container (value) ? g_variant_n_children (value) : 0;
  g_autoptr (GPtrArray) children = NULL;

  if (n_children == 0 || n_children > *n ||
      (g_variant_type_is_array (type) && is_plain (g_variant_get_type_string (value) + 1)))
    return g_variant_ref (value);
  *n -= (guint) n_children;
  children = g_ptr_array_new_full ((guint) n_children, (GDestroyNotify) g_variant_unref);
  for (gsize i = 0; i < n_children; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

    g_ptr_array_add (children, unfold (child, n));
  }
  return g_variant_ref_sink (put_together (type, (GVariant *const *) children->pdata, n_children));
}

static void
clear (OrreryKnownState *known)
{
  g_clear_pointer (&known->bytes, g_bytes_unref);
  g_clear_pointer (&known->state, g_variant_unref);
}

static OrreryKnownState *
find (OrreryInstance *self, GBytes *bytes)
{
  for (guint i = 0; i < ORRERY_N_KNOWN_STATES; i++)
    if (self->known[i].bytes != NULL &&
        (self->known[i].bytes == bytes || g_bytes_equal (self->known[i].bytes, bytes)))
      return &self->known[i];
  return NULL;
}

GVariant *
orrery_instance_find_known (OrreryInstance *self, GBytes *bytes, guint64 scene, gboolean *is_proven)
{
  OrreryKnownState *known = find (self, bytes);

  if (known == NULL || known->scene != scene)
    return NULL;
  /* Another process may refuse what it took before. */
  *is_proven = known->is_proven && orrery_runner_get_workers (self->runner) == NULL;
  return g_variant_ref (known->state);
}

void
orrery_instance_know (OrreryInstance *self, GBytes *bytes, GVariant *state, guint64 scene,
                      gboolean is_proven)
{
  OrreryKnownState *known = find (self, bytes);
  OrreryKnownState old;
  guint n_nodes = MAX_NODES;

  if (g_bytes_get_size (bytes) > MAX_SIZE)
    return;
  if (known == NULL)
    known = &self->known[self->next_known++ % ORRERY_N_KNOWN_STATES];
  old = *known;
  *known = (OrreryKnownState){ g_bytes_ref (bytes),
                               is_proven ? unfold (state, &n_nodes) : g_variant_ref (state), scene,
                               is_proven };
  clear (&old);
}

void
orrery_instance_forget (OrreryInstance *self, GBytes *bytes)
{
  OrreryKnownState *known = find (self, bytes);

  if (known != NULL)
    clear (known);
}

void
orrery_instance_clear_known (OrreryInstance *self)
{
  for (guint i = 0; i < ORRERY_N_KNOWN_STATES; i++)
    clear (&self->known[i]);
}
