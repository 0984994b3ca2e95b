# SPDX-License-Identifier: BSD-3-Clause
"""A program of ROS 2 that knows nothing but LaserScan, Odometry and TF drives a robot through a door."""

import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_ros2_streams import StreamCase  # noqa: E402

import cdr  # noqa: E402
import doors  # noqa: E402
import tap  # noqa: E402

LIMIT = 60  # seconds, for what should take ten
TOPICS = {"/scan": "sensor_msgs/LaserScan", "/odom": "nav_msgs/Odometry", "/tf": "tf2_msgs/TFMessage",
          "/truth": "geometry_msgs/PoseStamped"}


class Topics:
    """What a peer has received: the newest message of each topic."""

    def __init__(self, peer):
        self.peer = peer
        self.newest = {}
        self.positions = []

    def take(self):
        """Waits for a line, then reads all that there are."""
        lines = [self.peer.lines.get(timeout=LIMIT)]
        while not self.peer.lines.empty():
            lines.append(self.peer.lines.get())
        for line in lines:
            words = line.split()
            if words[0] != "message":
                continue
            topic = words[1][len("rt"):]
            self.newest[topic] = cdr.decode(TOPICS[topic], bytes.fromhex(words[4]))
            if topic == "/truth":
                self.positions.append(self.newest[topic].pose.position)


def wire(name):
    package, kind = name.split("/")
    return "%s::msg::dds_::%s_" % (package, kind)


class Navigation(StreamCase):
    def test_through_a_door(self):
        self.run_scene(doors.SCENE % {"stream": "ros2"})
        peer = self.listen(*("%s %s r" % (topic, wire(name)) for topic, name in TOPICS.items()))
        self.tell(peer, "writer rt/cmd_vel %s r" % wire("geometry_msgs/Twist"))
        topics = Topics(peer)
        end = time.monotonic() + LIMIT
        x = 0
        while x < 6 and time.monotonic() < end:
            topics.take()
            if len(topics.newest) < len(TOPICS):
                continue
            place, (here,) = topics.newest["/odom"].pose.pose, topics.newest["/tf"].transforms
            self.assertEqual((here.header.frame_id, here.child_frame_id), ("odom", "base"))
            x = here.transform.translation.x
            speed, turn = doors.steer(topics.newest["/scan"], place.position, place.orientation)
            twist = cdr.encode("geometry_msgs/Twist", {"linear": {"x": speed}, "angular": {"z": turn}})
            peer.process.stdin.write("write rt/cmd_vel %s\n" % twist.hex())
        self.assertGreaterEqual(x, 6)
        self.assertTrue(doors.went_through(topics.positions), topics.positions)


if __name__ == "__main__":
    tap.main()
