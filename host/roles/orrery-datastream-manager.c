/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles/orrery-stream-private.h"

typedef struct {
  GMainContext *context;
} OrreryDatastreamManagerPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryDatastreamManager, orrery_datastream_manager,
                                     ORRERY_TYPE_PART)

#define PRIVATE(self)                                                                              \
  ((OrreryDatastreamManagerPrivate *) orrery_datastream_manager_get_instance_private (self))

static void
orrery_datastream_manager_finalize (GObject *object)
{
  g_clear_pointer (&PRIVATE (ORRERY_DATASTREAM_MANAGER (object))->context, g_main_context_unref);
  G_OBJECT_CLASS (orrery_datastream_manager_parent_class)->finalize (object);
}

static void
orrery_datastream_manager_class_init (OrreryDatastreamManagerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_datastream_manager_finalize;
}

static void
orrery_datastream_manager_init (OrreryDatastreamManager *self)
{
}

void
orrery_datastream_manager_attach (OrreryDatastreamManager *manager, GMainContext *context)
{
  PRIVATE (manager)->context = g_main_context_ref (context);
}

void
orrery_datastream_manager_wake (OrreryDatastreamManager *manager)
{
  OrreryDatastreamManagerPrivate *priv = PRIVATE (manager);

  if (priv->context != NULL)
    g_main_context_wakeup (priv->context);
}
