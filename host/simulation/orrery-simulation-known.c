/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * States that this scene has made or taken. They need not be read and compared again, and those
 * that it has taken need no copy of the present state to go back to.
 */
#include "simulation/orrery-simulation-private.h"

/* Larger ones are read each time, so that memory stays small. */
#define MAX_SIZE (256 * 1024)

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
    if (self->known[i].bytes != NULL && g_bytes_equal (self->known[i].bytes, bytes))
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

  if (g_bytes_get_size (bytes) > MAX_SIZE)
    return;
  if (known == NULL)
    known = &self->known[self->next_known++ % ORRERY_N_KNOWN_STATES];
  old = *known;
  *known = (OrreryKnownState){ g_bytes_ref (bytes), g_variant_ref (state), scene, is_proven };
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
