/* SPDX-License-Identifier: BSD-3-Clause */
/* The loader that an interpreter sets so that classes in its language can be found. */
#include "registry/orrery-loader.h"

typedef struct {
  char **worker_command;
} OrreryLoaderPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryLoader, orrery_loader, G_TYPE_OBJECT)

#define PRIVATE(self) ((OrreryLoaderPrivate *) orrery_loader_get_instance_private (self))

/* The loader is global, because there is one interpreter per process. */
static OrreryLoader *current;

static void
orrery_loader_finalize (GObject *object)
{
  g_clear_pointer (&PRIVATE (ORRERY_LOADER (object))->worker_command, g_strfreev);
  G_OBJECT_CLASS (orrery_loader_parent_class)->finalize (object);
}

static void
orrery_loader_class_init (OrreryLoaderClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_loader_finalize;
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

void
orrery_loader_set_worker_command (OrreryLoader *loader, const char *const *words)
{
  OrreryLoaderPrivate *priv = NULL;

  g_return_if_fail (ORRERY_IS_LOADER (loader));

  priv = PRIVATE (loader);
  g_strfreev (priv->worker_command);
  priv->worker_command = g_strdupv ((char **) words);
}

const char *const *
orrery_loader_get_worker_command (OrreryLoader *loader)
{
  g_return_val_if_fail (ORRERY_IS_LOADER (loader), NULL);
  return (const char *const *) PRIVATE (loader)->worker_command;
}
