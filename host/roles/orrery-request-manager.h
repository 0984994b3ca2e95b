/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-part.h"

G_BEGIN_DECLS

/**
 * OrreryRequestManager:
 *
 * Receives calls from clients and sends the answers. It does not access parts: it submits each
 * request and sends the answer that it gets. All functions are called on the tick thread and must
 * not block.
 */
#define ORRERY_TYPE_REQUEST_MANAGER (orrery_request_manager_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryRequestManager, orrery_request_manager, ORRERY, REQUEST_MANAGER,
                          OrreryPart)

/**
 * OrreryRequestManagerClass:
 * @start: begins to listen; called once, when everything else is set up
 * @intake: once per tick, and whenever orrery_request_manager_wake() was called while the
 * simulation is held, paused or pacing: submit what has come in
 * @flush: once after the phase of services: send what was answered
 * @close: sends what is due and ends in bounded time
 * @is_open: it cannot tell who calls, so that anybody may: see #ORRERY_SERVICE_RESTRICTED
 * @tick: (nullable): once per tick, at the end of the phase *intake*, with the tick that begins:
 * for managers that call services of others, whose answers pass orrery_part_take_input() here
 */
struct _OrreryRequestManagerClass {
  OrreryPartClass parent_class;

  void (*start) (OrreryRequestManager *self, GError **error);
  void (*intake) (OrreryRequestManager *self);
  void (*flush) (OrreryRequestManager *self);
  void (*close) (OrreryRequestManager *self);
  gboolean is_open;
  void (*tick) (OrreryRequestManager *self, OrreryTick *tick);

  /*< private >*/
  gpointer _reserved[6];
};

/**
 * orrery_request_manager_submit:
 * @manager: the manager
 * @part: published name of a part
 * @service: name of a service
 * @arguments: (nullable): the arguments by place, `av`; a floating one is sunk
 * @func: (scope notified): called when the call is done, in the order of the calls of one tick
 * @user_data: for @func
 * @destroy: (nullable): for @user_data
 *
 * Queues a call for the phase *services*. Errors in the request are reported as the fault of the
 * call when it is done. Tick thread.
 *
 * Returns: (transfer full): the call, for orrery_call_cancel()
 */
ORRERY_API OrreryCall *orrery_request_manager_submit (OrreryRequestManager *manager,
                                                      const char *part, const char *service,
                                                      GVariant *arguments, OrreryCallFunc func,
                                                      gpointer user_data, GDestroyNotify destroy);
/**
 * orrery_request_manager_list_services:
 * @manager: a manager that was started
 *
 * Lists its services, for transports that announce each one: `a(ssu)`, the published name
 * of a part, the name of a service and its #OrreryServiceFlags, by published name. The services
 * that every component has are among them. From `start` on; tick thread.
 *
 * Returns: (transfer full): the list
 */
ORRERY_API GVariant *orrery_request_manager_list_services (OrreryRequestManager *manager);
/**
 * orrery_request_manager_find_service: (skip)
 * @manager: a manager that was started
 * @part: published name of a part
 * @service: name of a service
 * @classpath: (out) (optional): that of the part
 * @type: (out) (optional) (nullable): see orrery_part_set_service_type()
 *
 * Looks up what orrery_request_manager_list_services() lists, for transports whose services have
 * types. From `start` on; tick thread.
 *
 * Returns: (transfer none) (nullable): the service, %NULL if there is none
 */
ORRERY_API const OrreryService *orrery_request_manager_find_service (OrreryRequestManager *manager,
                                                                     const char *part,
                                                                     const char *service,
                                                                     const char **classpath,
                                                                     const char **type);
/**
 * orrery_request_manager_get_time:
 * @manager: a manager that was started
 *
 * The simulated time of the present tick, between ticks of the last one: what a manager stamps its
 * answers with. Tick thread.
 *
 * Returns: the time, ns; 0 after `close`
 */
ORRERY_API OrreryTime orrery_request_manager_get_time (OrreryRequestManager *manager);
/**
 * orrery_request_manager_wake:
 * @manager: a manager with something to take in
 *
 * Makes a simulation that waits call `intake` and answer requests. Any thread.
 */
ORRERY_API void orrery_request_manager_wake (OrreryRequestManager *manager);

G_END_DECLS
