/* SPDX-License-Identifier: BSD-3-Clause */
/* A marker that shows the goal of an actuator. */
#include "marker.h"

void
marker_place (OrreryObject *marker, OrreryTick *tick, const OrreryVec3 *goal)
{
  OrrerySnapshot *snapshot = orrery_tick_get_snapshot (tick);
  OrreryObject *parent = orrery_object_get_parent (marker);
  OrreryTransform pose = *orrery_snapshot_get_pose (snapshot, orrery_object_get_index (marker));

  if (pose.position.x == goal->x && pose.position.y == goal->y && pose.position.z == goal->z)
    return;
  pose.position = *goal;
  if (parent != NULL)
    orrery_transform_relative (orrery_snapshot_get_pose (snapshot,
                                                         orrery_object_get_index (parent)),
                               &pose, &pose);
  orrery_commands_set_pose (orrery_tick_get_commands (tick), marker, &pose);
}
