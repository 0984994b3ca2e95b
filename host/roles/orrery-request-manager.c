/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of plugins that take service calls from clients. */
#include "roles/orrery-request-manager-private.h"

#include "part/orrery-call-private.h"

typedef struct {
  OrreryWaker *waker;
  OrrerySubmitFunc submit;
  OrreryRequestHost functions;
  gpointer host;
  int woken; /* atomic */
} OrreryRequestManagerPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryRequestManager, orrery_request_manager,
                                          ORRERY_TYPE_PART)

#define PRIVATE(self)                                                                              \
  ((OrreryRequestManagerPrivate *) orrery_request_manager_get_instance_private (self))

static void
orrery_request_manager_finalize (GObject *object)
{
  g_clear_pointer (&PRIVATE (ORRERY_REQUEST_MANAGER (object))->waker, orrery_waker_unref);
  G_OBJECT_CLASS (orrery_request_manager_parent_class)->finalize (object);
}

static void
orrery_request_manager_class_init (OrreryRequestManagerClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_request_manager_finalize;
}

void
orrery_request_manager_attach (OrreryRequestManager *manager, OrrerySubmitFunc submit,
                               gpointer host, OrreryWaker *waker)
{
  OrreryRequestManagerPrivate *priv = PRIVATE (manager);

  priv->submit = submit;
  priv->host = host;
  priv->waker = orrery_waker_ref (waker);
}

void
orrery_request_manager_detach (OrreryRequestManager *manager)
{
  OrreryRequestManagerPrivate *priv = PRIVATE (manager);

  priv->submit = NULL;
  priv->functions = (OrreryRequestHost){ NULL };
  priv->host = NULL;
}

void
orrery_request_manager_set_host (OrreryRequestManager *manager, const OrreryRequestHost *functions)
{
  PRIVATE (manager)->functions = *functions;
}

OrreryTime
orrery_request_manager_get_time (OrreryRequestManager *manager)
{
  OrreryRequestManagerPrivate *priv;

  g_return_val_if_fail (ORRERY_IS_REQUEST_MANAGER (manager), 0);

  priv = PRIVATE (manager);
  return priv->functions.get_time != NULL ? priv->functions.get_time (priv->host) : 0;
}

const OrreryService *
orrery_request_manager_find_service (OrreryRequestManager *manager, const char *part,
                                     const char *service, const char **classpath, const char **type)
{
  OrreryRequestManagerPrivate *priv;
  OrreryPart *found;

  g_return_val_if_fail (ORRERY_IS_REQUEST_MANAGER (manager), NULL);

  priv = PRIVATE (manager);
  found = priv->functions.find != NULL ? priv->functions.find (priv->host, manager, part, service)
                                       : NULL;
  if (found == NULL)
    return NULL;
  if (classpath != NULL)
    *classpath = orrery_part_get_classpath (found);
  if (type != NULL)
    *type = orrery_part_get_service_type (found, service);
  return orrery_part_class_find_service (ORRERY_PART_GET_CLASS (found), service);
}

GVariant *
orrery_request_manager_list_services (OrreryRequestManager *manager)
{
  OrreryRequestManagerPrivate *priv;
  GVariant *services;

  g_return_val_if_fail (ORRERY_IS_REQUEST_MANAGER (manager), NULL);

  priv = PRIVATE (manager);
  services = priv->functions.list != NULL ? priv->functions.list (priv->host, manager)
                                          : g_variant_new_array (G_VARIANT_TYPE ("(ssu)"), NULL, 0);
  return g_variant_ref_sink (services);
}

gboolean
orrery_request_manager_take_wake (OrreryRequestManager *manager)
{
  return __atomic_exchange_n (&PRIVATE (manager)->woken, 0, __ATOMIC_ACQ_REL);
}

OrreryCall *
orrery_request_manager_submit (OrreryRequestManager *manager, const char *part, const char *service,
                               GVariant *arguments, OrreryCallFunc func, gpointer user_data,
                               GDestroyNotify destroy)
{
  OrreryRequestManagerPrivate *priv = PRIVATE (manager);
  OrreryCall *call;

  g_return_val_if_fail (priv->submit != NULL, NULL);

  call = orrery_call_new (service, arguments);
  orrery_call_set_done_func (call, func, user_data, destroy);
  priv->submit (priv->host, manager, part, call);
  return call;
}

void
orrery_request_manager_wake (OrreryRequestManager *manager)
{
  OrreryRequestManagerPrivate *priv = PRIVATE (manager);

  __atomic_store_n (&priv->woken, 1, __ATOMIC_RELEASE);
  if (priv->waker != NULL)
    orrery_waker_wake (priv->waker);
}
