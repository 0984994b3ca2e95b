/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of plugins that move the messages of streams. */
#include "roles/orrery-stream-private.h"

typedef struct {
  OrreryWaker *waker;
  GPtrArray *streams; /* (element-type utf8) */
  char *output_dir;   /* NULL: the current directory */
  GPtrArray *lost;    /* (element-type utf8) (nullable): which outputs are not whole */
} OrreryDatastreamManagerPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryDatastreamManager, orrery_datastream_manager,
                                          ORRERY_TYPE_PART)

#define PRIVATE(self)                                                                              \
  ((OrreryDatastreamManagerPrivate *) orrery_datastream_manager_get_instance_private (self))

static void
orrery_datastream_manager_finalize (GObject *object)
{
  OrreryDatastreamManagerPrivate *priv = PRIVATE (ORRERY_DATASTREAM_MANAGER (object));

  g_clear_pointer (&priv->waker, orrery_waker_unref);
  g_clear_pointer (&priv->streams, g_ptr_array_unref);
  g_clear_pointer (&priv->output_dir, g_free);
  g_clear_pointer (&priv->lost, g_ptr_array_unref);
  G_OBJECT_CLASS (orrery_datastream_manager_parent_class)->finalize (object);
}

static void
orrery_datastream_manager_class_init (OrreryDatastreamManagerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_datastream_manager_finalize;
}

void
orrery_datastream_manager_class_set_stream_options (OrreryDatastreamManagerClass *klass, GType type)
{
  g_return_if_fail (ORRERY_IS_DATASTREAM_MANAGER_CLASS (klass));
  g_return_if_fail (g_type_is_a (type, ORRERY_TYPE_STREAM_OPTIONS));
  klass->stream_options = type;
}

void
orrery_datastream_manager_attach (OrreryDatastreamManager *manager, OrreryWaker *waker)
{
  OrreryDatastreamManagerPrivate *priv = PRIVATE (manager);

  priv->waker = orrery_waker_ref (waker);
  priv->streams = g_ptr_array_new ();
}

GPtrArray *
orrery_datastream_manager_get_streams (OrreryDatastreamManager *manager)
{
  return PRIVATE (manager)->streams;
}

void
orrery_datastream_manager_set_output_directory (OrreryDatastreamManager *manager,
                                                const char *directory)
{
  OrreryDatastreamManagerPrivate *priv = PRIVATE (manager);

  g_free (priv->output_dir);
  priv->output_dir = g_strdup (directory);
}

const char *
orrery_datastream_manager_get_output_directory (OrreryDatastreamManager *manager)
{
  g_return_val_if_fail (ORRERY_IS_DATASTREAM_MANAGER (manager), ".");
  return PRIVATE (manager)->output_dir != NULL ? PRIVATE (manager)->output_dir : ".";
}

void
orrery_datastream_manager_note_loss (OrreryDatastreamManager *manager, const char *output)
{
  OrreryDatastreamManagerPrivate *priv;

  g_return_if_fail (ORRERY_IS_DATASTREAM_MANAGER (manager));
  g_return_if_fail (output != NULL);

  priv = PRIVATE (manager);
  if (priv->lost == NULL)
    priv->lost = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (priv->lost, g_strdup (output));
}

GPtrArray *
orrery_datastream_manager_get_lost (OrreryDatastreamManager *manager)
{
  return PRIVATE (manager)->lost;
}

void
orrery_datastream_manager_wake (OrreryDatastreamManager *manager)
{
  OrreryDatastreamManagerPrivate *priv = PRIVATE (manager);

  if (priv->waker != NULL)
    orrery_waker_wake (priv->waker);
}
