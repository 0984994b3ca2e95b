/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-node.h"

/* The properties of a robot's components as parameters of its node of ROS 2, `COMPONENT.PROPERTY`:
 * what rcl_interfaces asks. All of it is for the thread of the simulation. */

typedef struct _Ros2Parameters Ros2Parameters;

typedef enum {
  ROS2_LIST_PARAMETERS,
  ROS2_DESCRIBE_PARAMETERS,
  ROS2_GET_PARAMETER_TYPES,
  ROS2_GET_PARAMETERS,
  ROS2_SET_PARAMETERS,
  ROS2_SET_PARAMETERS_ATOMICALLY,
  ROS2_N_QUESTIONS
} Ros2Question;

/* @robot: whose components they are. Returns: (nullable): NULL: no definitions of rcl_interfaces */
Ros2Parameters *ros2_parameters_new (OrreryRequestManager *manager,
                                     OrreryMessageCatalogue *messages, const char *robot,
                                     GError **error);
void ros2_parameters_free (Ros2Parameters *parameters);
/* @part: one whose services `get_properties` and `set_property` may be called */
void ros2_parameters_add (Ros2Parameters *parameters, const char *part);
const char *ros2_parameters_get_robot (Ros2Parameters *parameters);
/* The last part of a service's name, as `list_parameters`, and its type. */
const char *ros2_parameters_get_service (Ros2Question question, const char **type);
/* Answers @call, now or when the calls of services that it takes are done. */
void ros2_parameters_take (Ros2Parameters *parameters, Ros2Question question, DdsServiceCall *call,
                           GBytes *request);
/* Begins to tell on /parameter_events of what is set. */
gboolean ros2_parameters_open (Ros2Parameters *parameters, DdsNode *node,
                               OrreryMessageCatalogue *messages, GError **error);
/* Drops what is not answered yet, and tells of nothing any more. */
void ros2_parameters_close (Ros2Parameters *parameters);
