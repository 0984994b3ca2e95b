# SPDX-License-Identifier: BSD-3-Clause
"""A wall with a door, and a driver that knows nothing but a laser scanner and odometry: for peers of every middleware."""

import math

#: The door is 2 m wide, and not on the straight way to the goal.
SCENE = """
robot = ATRV('robot'); robot.translate(0, 1.5, 0.2)
scan = Sick('scan'); scan.translate(0, 0, 0.3); robot.append(scan); scan.add_stream('%(stream)s', topic='/scan', frame_id='laser')
odometry = Odometry('odometry'); robot.append(odometry)
odometry.add_stream('%(stream)s', topic='/odom', frame_id='odom', child_frame_id='base')
truth = Pose('truth'); robot.append(truth); truth.add_stream('%(stream)s', topic='/truth')
motion = MotionVW('motion'); robot.append(motion); motion.add_stream('%(stream)s', topic='/cmd_vel')
for name, y in (('left', 2), ('right', -8)):
    wall = Cube(name); wall.translate(4, y, 0.5); wall.scale = (0.2, 3 if y > 0 else 5, 1)
    wall.set_physics_type('STATIC')
"""

#: Odometry begins where the robot starts; this is behind the door.
GOAL = 7, -3.5


def is_free(points, bearing):
    """Whether the robot would meet none of these points on its next two metres."""
    c, s = math.cos(bearing), math.sin(bearing)
    return not any(0 < x * c + y * s < 2 and abs(y * c - x * s) < 0.7 for x, y in points)


def steer(scan, position, orientation):
    """Speed and turn towards the goal, by the nearest direction that is free for a robot's width."""
    yaw = 2 * math.atan2(orientation.z, orientation.w)
    wanted = math.atan2(GOAL[1] - position.y, GOAL[0] - position.x) - yaw
    bearings = [scan.angle_min + i * scan.angle_increment for i in range(len(scan.ranges))]
    points = [(r * math.cos(b), r * math.sin(b)) for r, b in zip(scan.ranges, bearings) if r < 3]
    free = [bearing for bearing in bearings[::3] if is_free(points, bearing)]
    if not free:
        return 0, 1
    best = min(free, key=lambda bearing: abs(bearing - wanted))
    return max(0.2, 1 - abs(best)), max(-1, min(1, 2 * best))


def went_through(positions):
    """Whether the robot was between the posts while it crossed the wall, by where it truly was."""
    crossed = [position.y for position in positions if 3.8 < position.x < 4.2]
    return bool(crossed) and all(-3 < y < -1 for y in crossed)
