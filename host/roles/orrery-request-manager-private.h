/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-waker-private.h"
#include "roles/orrery-request-manager.h"

typedef void (*OrrerySubmitFunc) (gpointer host, OrreryRequestManager *manager, const char *part,
                                  OrreryCall *call);
typedef GVariant *(*OrreryListServicesFunc) (gpointer host, OrreryRequestManager *manager);
typedef OrreryPart *(*OrreryFindServiceFunc) (gpointer host, OrreryRequestManager *manager,
                                              const char *part, const char *service);
typedef OrreryTime (*OrreryGetTimeFunc) (gpointer host);

/* The host's side: where calls go, and what the manager's wake-up wakes. */
void orrery_request_manager_attach (OrreryRequestManager *manager, OrrerySubmitFunc submit,
                                    gpointer host, OrreryWaker *waker);
/* The host is gone: a binding may keep the manager longer. */
void orrery_request_manager_detach (OrreryRequestManager *manager);
/* Who knows what it reaches and what time it is, with the host of above. */
typedef struct {
  OrreryListServicesFunc list;
  OrreryFindServiceFunc find;
  OrreryGetTimeFunc get_time;
} OrreryRequestHost;
void orrery_request_manager_set_host (OrreryRequestManager *manager,
                                      const OrreryRequestHost *functions);
/* Whether it was woken since the last question. */
gboolean orrery_request_manager_take_wake (OrreryRequestManager *manager);
