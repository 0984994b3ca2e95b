/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "message/orrery-message-catalogue.h"

G_BEGIN_DECLS

/**
 * orrery_list_message_directories:
 *
 * Where definitions of messages lie: the directories of `ORRERY_MESSAGE_PATH`, those of this
 * installation, the packages of ROS 1 in `ROS_PACKAGE_PATH`, and those of ROS 2 below
 * `AMENT_PREFIX_PATH`. Directories that are not there are among them. Any thread.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): directories, for
 *   orrery_message_catalogue_new()
 */
ORRERY_API char **orrery_list_message_directories (void);

G_END_DECLS
