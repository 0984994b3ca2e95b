# SPDX-License-Identifier: BSD-3-Clause
"""One stream on several middlewares at once: each has a rate and a queue of its own, and none changes what others get."""

import json
import os
import queue
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../cli"))

import test_ros_streams as streams  # noqa: E402
from broker import LIMIT, MOSQUITTO, Client, Mosquitto, paho  # noqa: E402
from clients import free_port  # noqa: E402
from support import need  # noqa: E402
from test_dds_node import DOMAINS, DdsCase, why_not  # noqa: E402
from test_ros2_streams import POSE, Cdr  # noqa: E402
from test_ros_node import Program  # noqa: E402
from test_rosbridge import PLUGIN as ROSBRIDGE  # noqa: E402
from test_rosbridge import Client as Page  # noqa: E402

import tap  # noqa: E402

TICKS = 120  # two seconds
SCENE = """
robot = FakeRobot('robot'); robot.translate(1, 2, 3)
pose = Pose('pose'); robot.append(pose)
pose.add_stream('socket')
pose.add_stream('ros', rate=20, queue=200)
pose.add_stream('ros', rate=5, topic='/slow')
pose.add_stream('ros2', rate=30, queue=200, depth=200)
pose.add_stream('rosbridge', rate=10, queue=200)
pose.add_stream('mqtt', rate=2)
simulated = Environment('empty')
simulated.configure_stream_manager('ros2', domain=%s)
simulated.configure_stream_manager('rosbridge', port=%d)
simulated.configure_stream_manager('mqtt', port=%d)
"""
#: How many each gets in two seconds.
WANTED = {"socket": 120, "ros": 40, "slow": 10, "ros2": 60, "rosbridge": 20, "mqtt": 4}


def setUpModule():
    streams.setUpModule()


def tearDownModule():
    streams.tearDownModule()


class Several(streams.RosCase):
    peer, tell = DdsCase.peer, DdsCase.tell

    def setUp(self):
        super().setUp()
        need(self, why_not("dds-peer") or (not MOSQUITTO or paho is None) and "not installed: mosquitto or paho" or
             not os.path.exists(ROSBRIDGE) and "built without libsoup")
        self.domain = str(next(DOMAINS))
        self.peers = {key: value for key, value in os.environ.items() if not key.startswith("ROS_")}
        self.times = {name: queue.Queue() for name in WANTED}

    def run_program(self, *arguments):
        started = Program(arguments, self.peers)
        self.addCleanup(started.kill)
        return started

    def follow(self, name, read):
        """Keeps the times, in ns, that a function returns one after the other."""
        def run():
            while True:
                try:
                    self.times[name].put(read())
                except (OSError, EOFError, ValueError, AssertionError, queue.Empty):
                    return
        threading.Thread(target=run, daemon=True).start()

    def listen(self, broker, bridge):
        lines = streams.socket.create_connection(
            ("127.0.0.1", int(self.call("simulation", "get_stream_port", "robot.pose"))), timeout=LIMIT)
        self.addCleanup(lines.close)
        file = lines.makefile("rb")
        self.follow("socket", lambda: round(json.loads(file.readline())["timestamp"] * 1e9))
        for name, topic in ("ros", "/robot/pose"), ("slow", "/slow"):
            heard = streams.Topic(self, topic, "geometry_msgs/PoseStamped")
            self.follow(name, lambda heard=heard: streams.stamp(heard.next().header.stamp))
        peer = self.peer()
        self.tell(peer, "reader rt/robot/pose %s r" % POSE)
        self.follow("ros2", lambda: Cdr(peer.await_line("message rt/robot/pose")).stamp())
        client = Client(self, broker, "orrery/robot/pose")
        self.follow("mqtt", lambda: round(json.loads(client.next().payload)["timestamp"] * 1e9))
        page = Page(bridge)
        self.addCleanup(page.close)
        page.send("subscribe", topic="/robot/pose")

        def read():
            stamp = page.message()["msg"]["header"]["stamp"]
            return stamp.get("sec", stamp.get("secs")) * 10**9 + stamp.get("nanosec", stamp.get("nsecs"))
        self.follow("rosbridge", read)

    def take(self, name, limit=LIMIT):
        return self.times[name].get(timeout=limit)

    def test_each_has_its_rate(self):
        broker, bridge = Mosquitto(self).port, free_port()
        self.write("scene.py", "from morse.builder import *\n" + SCENE % (self.domain, bridge, broker))
        process = self.start("run", "scene.py", "--paused")
        self.port = self.services_port(process)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        self.listen(broker, bridge)
        # Whoever connects is known some turns later: ticks until each has heard something.
        for name in WANTED:
            while self.times[name].empty():
                self.call("simulation", "step", "30")
                try:
                    self.times[name].put(self.take(name, 1))
                except queue.Empty:
                    pass
        begin = self.now()
        self.call("simulation", "step", str(TICKS))
        end = self.now()
        self.assertAlmostEqual((end - begin) / 1e9, 2, 5)
        self.call("simulation", "step", "60")
        for name, wanted in WANTED.items():
            found, last = [], 0
            while last <= end + 100000:
                last = self.take(name)
                found.append(last)
            heard = [one for one in found if begin + 100000 < one <= end + 100000]
            self.assertEqual(len(heard), wanted, name)

    def now(self):
        """Simulated time, ns."""
        return round(float(self.call("time", "now")) * 1e9)


if __name__ == "__main__":
    tap.main()
