/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of plugins that take service calls from clients. */
#include "roles/orrery-request-manager-private.h"

#include "part/orrery-call-private.h"

typedef struct {
  OrreryWaker *waker;
  OrrerySubmitFunc submit;
  OrreryListServicesFunc list;
  OrreryFindServiceFunc find;
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
  priv->list = NULL;
  priv->find = NULL;
  priv->host = NULL;
}

void
orrery_request_manager_set_list_func (OrreryRequestManager *manager, OrreryListServicesFunc list,
                                      OrreryFindServiceFunc find)
{
  PRIVATE (manager)->list = list;
  PRIVATE (manager)->find = find;
}

const OrreryService *
orrery_request_manager_find_service (OrreryRequestManager *manager, const char *part,
                                     const char *service, const char **classpath)
{
  OrreryRequestManagerPrivate *priv;
  OrreryPart *found;

  g_return_val_if_fail (ORRERY_IS_REQUEST_MANAGER (manager), NULL);

  priv = PRIVATE (manager);
  found = priv->find != NULL ? priv->find (priv->host, manager, part, service) : NULL;
  if (found == NULL)
    return NULL;
  if (classpath != NULL)
    *classpath = orrery_part_get_classpath (found);
  return orrery_part_class_find_service (ORRERY_PART_GET_CLASS (found), service);
}

GVariant *
orrery_request_manager_list_services (OrreryRequestManager *manager)
{
  OrreryRequestManagerPrivate *priv;
  GVariant *services;

  g_return_val_if_fail (ORRERY_IS_REQUEST_MANAGER (manager), NULL);

  priv = PRIVATE (manager);
  services = priv->list != NULL ? priv->list (priv->host, manager)
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
