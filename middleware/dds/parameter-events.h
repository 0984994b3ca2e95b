/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-node.h"

/* The topic /parameter_events of a node: who sees parameters learns that one was set. All of it is
 * for the thread of the simulation. */

typedef struct _Ros2ParameterEvents Ros2ParameterEvents;

/* Returns: (nullable): NULL: no definition of the message, or the node has stopped */
Ros2ParameterEvents *ros2_parameter_events_new (DdsNode *node, OrreryMessageCatalogue *messages,
                                                GError **error);
void ros2_parameter_events_free (Ros2ParameterEvents *events);
/* Tells that @parameter, the name and the value of a rcl_interfaces/Parameter, was set. It leaves
 * with the next dds_context_flush(). */
gboolean ros2_parameter_events_send (Ros2ParameterEvents *events, OrreryTime time,
                                     GVariant *parameter, GError **error);
