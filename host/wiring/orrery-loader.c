/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-loader.h"

G_DEFINE_ABSTRACT_TYPE (OrreryLoader, orrery_loader, G_TYPE_OBJECT)

/* An interpreter is of the process, and so is what imports into it. */
static OrreryLoader *current;

static void
orrery_loader_class_init (OrreryLoaderClass *klass)
{
}

static void
orrery_loader_init (OrreryLoader *self)
{
}

void
orrery_loader_set_default (OrreryLoader *loader)
{
  g_return_if_fail (loader == NULL || ORRERY_IS_LOADER (loader));
  g_return_if_fail (loader == NULL || ORRERY_LOADER_GET_CLASS (loader)->load != NULL);

  g_set_object (&current, loader);
}

OrreryLoader *
orrery_loader_get_default (void)
{
  return current;
}
