# SPDX-License-Identifier: BSD-3-Clause
"""A wall with a door, and a driver that knows nothing but a laser scanner and odometry: for peers of every middleware."""

import math

#: The door is 2 m wide, and not in front of the robot.
SCENE = """
robot = ATRV('robot'); robot.translate(0, 1.5, 0.2)
scan = Sick('scan'); scan.translate(0, 0, 0.3); robot.append(scan); scan.add_stream('%(stream)s', topic='/scan', frame_id='laser')
odometry = Odometry('odometry'); robot.append(odometry)
odometry.add_stream('%(stream)s', topic='/odom', frame_id='odom', child_frame_id='base')
truth = Pose('truth'); robot.append(truth); truth.add_stream('%(stream)s', topic='/truth')
motion = MotionVW('motion'); robot.append(motion); motion.add_stream('%(stream)s', topic='/cmd_vel')
for name, y in (('left', 4), ('right', -6)):
    wall = Cube(name); wall.translate(4, y, 0.5); wall.scale = (0.2, 3 if y > 0 else 5, 1)
"""

#: Odometry begins where the robot starts; this is behind the door.
GOAL = 7, -1.5


def steer(scan, position, orientation):
    """Speed and turn towards the goal, by the nearest direction that is free for a robot's width."""
    yaw = 2 * math.atan2(orientation.z, orientation.w)
    wanted = math.atan2(GOAL[1] - position.y, GOAL[0] - position.x) - yaw
    best = None
    for i in range(len(scan.ranges)):
        bearing = scan.angle_min + i * scan.angle_increment
        near_by = scan.ranges[max(0, i - 12):i + 13]
        if min(near_by) > 2.5 and (best is None or abs(bearing - wanted) < abs(best - wanted)):
            best = bearing
    return 0 if best is None else max(0.2, 1 - abs(best)), max(-1, min(1, 2 * (best if best is not None else 1)))


def went_through(positions):
    """Whether the robot was between the posts while it crossed the wall, by where it truly was."""
    crossed = [position.y for position in positions if 3.8 < position.x < 4.2]
    return bool(crossed) and all(-1 < y < 1 for y in crossed)
