/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/**
 * ros2_describe_robot:
 * @robot: the root of a robot's tree
 * @meshes: (nullable): the directory where its meshes are written; NULL: they are left out
 *
 * A URDF of its links, joints, shapes and masses. A link is named as the frame of its component's
 * messages, `robot/arm/camera`, and the robot itself `base_link`; a joint as joint states name it.
 *
 * Returns: (transfer full): XML. @error: why meshes are left out, if some are
 */
char *ros2_describe_robot (OrreryObject *robot, const char *meshes, GError **error);
