/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of observers. */
#include "roles/orrery-observer-private.h"

#include "base/orrery-error-private.h"

typedef struct {
  GMutex lock;
  OrreryObserverWatchFunc func; /* guarded by lock, as host */
  gpointer host;
  OrreryRendererFunc get_renderer;
  gpointer renderer_host;
  OrreryObserverSaveFunc save; /* the tick's, as hash and tick_host */
  OrreryObserverHashFunc hash;
  gpointer tick_host;
  GPtrArray
      *lost; /* (element-type utf8) (nullable): which outputs are not whole; guarded by lock */
} OrreryObserverPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryObserver, orrery_observer, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryObserverPrivate *) orrery_observer_get_instance_private (self))

static void
orrery_observer_finalize (GObject *object)
{
  OrreryObserverPrivate *priv = PRIVATE (ORRERY_OBSERVER (object));

  g_clear_pointer (&priv->lost, g_ptr_array_unref);
  g_mutex_clear (&priv->lock);
  G_OBJECT_CLASS (orrery_observer_parent_class)->finalize (object);
}

static void
orrery_observer_class_init (OrreryObserverClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_observer_finalize;
}

static void
orrery_observer_init (OrreryObserver *self)
{
  g_mutex_init (&PRIVATE (self)->lock);
}

void
orrery_observer_set_watch_func (OrreryObserver *self, OrreryObserverWatchFunc func, gpointer host)
{
  OrreryObserverPrivate *priv = PRIVATE (self);

  g_mutex_lock (&priv->lock);
  priv->func = func;
  priv->host = host;
  g_mutex_unlock (&priv->lock);
}

void
orrery_observer_watch (OrreryObserver *self, OrreryComponent *component, gboolean watched)
{
  OrreryObserverPrivate *priv = NULL;

  g_return_if_fail (ORRERY_IS_OBSERVER (self));
  g_return_if_fail (ORRERY_IS_COMPONENT (component));

  priv = PRIVATE (self);
  g_mutex_lock (&priv->lock);
  if (priv->func != NULL)
    priv->func (priv->host, self, component, watched);
  g_mutex_unlock (&priv->lock);
}

void
orrery_observer_set_renderer_func (OrreryObserver *self, OrreryRendererFunc func, gpointer host)
{
  PRIVATE (self)->get_renderer = func;
  PRIVATE (self)->renderer_host = host;
}

OrreryRenderer *
orrery_observer_get_renderer (OrreryObserver *self, GError **error)
{
  OrreryObserverPrivate *priv = NULL;

  g_return_val_if_fail (ORRERY_IS_OBSERVER (self), NULL);

  priv = PRIVATE (self);
  if (priv->get_renderer != NULL)
    return priv->get_renderer (priv->renderer_host, error);
  orrery_set_error (error, ORRERY_ERROR_STATE, "an observer has a renderer while it is open");
  return NULL;
}

void
orrery_observer_note_loss (OrreryObserver *self, const char *output)
{
  OrreryObserverPrivate *priv = NULL;

  g_return_if_fail (ORRERY_IS_OBSERVER (self));
  g_return_if_fail (output != NULL);

  priv = PRIVATE (self);
  g_mutex_lock (&priv->lock);
  if (priv->lost == NULL)
    priv->lost = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_add (priv->lost, g_strdup (output));
  g_mutex_unlock (&priv->lock);
}

void
orrery_observer_list_lost (OrreryObserver *self, GVariantBuilder *list)
{
  OrreryObserverPrivate *priv = PRIVATE (self);

  g_mutex_lock (&priv->lock);
  for (guint i = 0; priv->lost != NULL && i < priv->lost->len; i++)
    g_variant_builder_add (list, "s", priv->lost->pdata[i]);
  g_mutex_unlock (&priv->lock);
}

void
orrery_observer_set_tick_funcs (OrreryObserver *self, OrreryObserverSaveFunc save,
                                OrreryObserverHashFunc hash, gpointer host)
{
  OrreryObserverPrivate *priv = PRIVATE (self);

  priv->save = save;
  priv->hash = hash;
  priv->tick_host = host;
}

GBytes *
orrery_observer_save_state (OrreryObserver *self, GError **error)
{
  OrreryObserverPrivate *priv = NULL;

  g_return_val_if_fail (ORRERY_IS_OBSERVER (self), NULL);

  priv = PRIVATE (self);
  if (priv->save != NULL)
    return priv->save (priv->tick_host, error);
  return orrery_set_error_null (error, ORRERY_ERROR_STATE,
                                "an observer saves states within its function tick");
}

guint64
orrery_observer_get_hash (OrreryObserver *self)
{
  OrreryObserverPrivate *priv = NULL;

  g_return_val_if_fail (ORRERY_IS_OBSERVER (self), 0);

  priv = PRIVATE (self);
  return priv->hash != NULL ? priv->hash (priv->tick_host) : 0;
}

void
orrery_run_faults_tell (OrreryRunFaults *faults, OrreryRunFault fault)
{
  if (faults == NULL || faults->func == NULL)
    return;
  fault.tick = *faults->n_ticks;
  faults->func (faults->data, &fault);
}
