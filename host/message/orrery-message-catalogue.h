/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-type.h"

G_BEGIN_DECLS

/**
 * OrreryMessageCatalogue:
 *
 * Message, service and action types by name. Definitions are texts, `PACKAGE/msg/NAME.msg`,
 * `PACKAGE/srv/NAME.srv` or `PACKAGE/action/NAME.action`, below one of its directories; each is
 * read when it is first asked for, with those that it needs. Opaque and counted; any thread.
 */
#define ORRERY_TYPE_MESSAGE_CATALOGUE (orrery_message_catalogue_get_type ())
ORRERY_API GType orrery_message_catalogue_get_type (void);
typedef struct _OrreryMessageCatalogue OrreryMessageCatalogue;

/**
 * OrreryMessageService: (skip)
 * @name: its full name, `std_srvs/srv/SetBool`
 * @request: what is asked
 * @response: what is answered
 * @md5: the sum of both, for ROS 1
 *
 * A service type in one dialect. It belongs to its catalogue, never changes, and may be read on any
 * thread.
 */
typedef struct {
  const char *name;
  const OrreryMessageType *request;
  const OrreryMessageType *response;
  const char *md5;
} OrreryMessageService;

/**
 * OrreryMessageAction: (skip)
 * @name: its full name, `move_base_msgs/action/MoveBase`
 * @goal: what is to be done
 * @result: what came out
 * @feedback: how far it is
 *
 * An action type in one dialect. It belongs to its catalogue, never changes, and may be read on any
 * thread. The messages that ROS wraps around these three are found by
 * orrery_message_catalogue_find().
 */
typedef struct {
  const char *name;
  const OrreryMessageType *goal;
  const OrreryMessageType *result;
  const OrreryMessageType *feedback;
} OrreryMessageAction;

/**
 * orrery_message_catalogue_new: (constructor)
 * @directories: (array zero-terminated=1): where to look, the first that has a definition counts
 * @distro: (nullable): a distribution of ROS 2 whose definitions differ, `humble`; %NULL: the
 * newest
 *
 * Beside `NAME.msg`, `NAME.ros1.msg` is the definition in ROS 1, and `NAME.DISTRO.msg` that of
 * @distro, where they differ.
 *
 * Returns: (transfer full): a catalogue; no file is read yet
 */
ORRERY_API OrreryMessageCatalogue *orrery_message_catalogue_new (const char *const *directories,
                                                                 const char *distro);
/**
 * orrery_message_catalogue_ref:
 * @catalogue: a catalogue
 *
 * Takes a reference, which keeps all types that were found in it, too. Any thread.
 *
 * Returns: (transfer full): @catalogue
 */
ORRERY_API OrreryMessageCatalogue *orrery_message_catalogue_ref (OrreryMessageCatalogue *catalogue);
/**
 * orrery_message_catalogue_unref:
 * @catalogue: (transfer full): freed with its last reference, and all its types
 *
 * Drops a reference. Any thread.
 */
ORRERY_API void orrery_message_catalogue_unref (OrreryMessageCatalogue *catalogue);
/**
 * orrery_message_catalogue_find: (skip)
 * @name: `sensor_msgs/LaserScan` or `sensor_msgs/msg/LaserScan`
 * @dialect: whose definition
 *
 * Looks a message type up. Reads files the first time; not for ticks. The messages that ROS
 * derives from an action, as `move_base_msgs/MoveBaseActionGoal` of ROS 1 and
 * `move_base_msgs/MoveBase_FeedbackMessage` of ROS 2, are there without a file.
 *
 * Returns: (transfer none) (nullable): the type, as long as @catalogue; or %NULL with
 *   %ORRERY_ERROR_NOT_FOUND, which names where was looked and the nearest, or %ORRERY_ERROR_CONFIG
 *   with file and line of what is wrong in a definition
 */
ORRERY_API const OrreryMessageType *
orrery_message_catalogue_find (OrreryMessageCatalogue *catalogue, const char *name,
                               OrreryMessageDialect dialect, GError **error);
/**
 * orrery_message_catalogue_find_service: (skip)
 * @name: `std_srvs/SetBool` or `std_srvs/srv/SetBool`
 * @dialect: whose definition
 *
 * The same for a service type.
 *
 * Returns: (transfer none) (nullable): the type, or %NULL with an error
 */
ORRERY_API const OrreryMessageService *
orrery_message_catalogue_find_service (OrreryMessageCatalogue *catalogue, const char *name,
                                       OrreryMessageDialect dialect, GError **error);
/**
 * orrery_message_catalogue_find_action: (skip)
 * @name: `move_base_msgs/MoveBase` or `move_base_msgs/action/MoveBase`
 * @dialect: whose definition
 *
 * The same for an action type.
 *
 * Returns: (transfer none) (nullable): the type, or %NULL with an error
 */
ORRERY_API const OrreryMessageAction *
orrery_message_catalogue_find_action (OrreryMessageCatalogue *catalogue, const char *name,
                                      OrreryMessageDialect dialect, GError **error);
/**
 * orrery_message_catalogue_get_directories:
 *
 * The directories that orrery_message_catalogue_new() was given, whether they exist or not.
 *
 * Returns: (transfer none) (array zero-terminated=1): where it looks, in this order; as long as the
 *   catalogue
 */
ORRERY_API const char *const *
orrery_message_catalogue_get_directories (OrreryMessageCatalogue *catalogue);
/**
 * orrery_message_catalogue_list:
 *
 * Lists what its directories have, without reading it.
 *
 * Returns: (transfer full) (array zero-terminated=1): full names, sorted
 */
ORRERY_API char **orrery_message_catalogue_list (OrreryMessageCatalogue *catalogue);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryMessageCatalogue, orrery_message_catalogue_unref)

G_END_DECLS
