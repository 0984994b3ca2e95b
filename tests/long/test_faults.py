# SPDX-License-Identifier: BSD-3-Clause
"""Masters and brokers that are killed amid a thousand messages a second, and peers that come and go a thousand times."""

import json
import os
import queue
import re
import shutil
import socket
import struct
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli"), os.path.join(HERE, "../middleware")]

import ros_master  # noqa: E402
import tap  # noqa: E402
from broker import Client, Mosquitto  # noqa: E402
from clients import Lines, free_port  # noqa: E402
from support import BUILD, ProgramCase, need  # noqa: E402
from test_dds_node import DOMAINS, why_not  # noqa: E402
from test_mqtt import missing as lacks_mqtt  # noqa: E402
from test_ros_node import Program, header  # noqa: E402
from websocket_client import Socket  # noqa: E402

try:
    import rospy
    import std_srvs.srv
    from geometry_msgs.msg import PoseStamped
    from tf2_msgs.msg import TFMessage
except ImportError:
    rospy = None

LIMIT = 60  # seconds, for what should take one
#: Seconds that a tick may take here, of which a thousand should fit into one: the machine may be busy, but what waits for a
#: master or a broker waits for seconds.
LONGEST = 1.0
TIMES = 1000

SCENE = """
from morse.builder import *
robot = ATRV()
pose = Pose()
pose.frequency(1000)
pose.add_stream('socket')
robot.append(pose)
waypoint = Waypoint()
waypoint.add_service('socket')
robot.append(waypoint)
%s
env = Environment('empty')
env.simulator_frequency(base_frequency=1000)
%s
"""


class Ticks:
    """Reads the record of each tick: how many there were, and how long the longest took."""

    def __init__(self, case, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        case.addCleanup(self.socket.close)
        self.times = []
        self.longest = 0.0
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        with self.socket.makefile("rb") as lines:
            last = None
            for line in lines:
                now = time.monotonic()
                self.longest = max(self.longest, now - last if last else 0.0)
                self.times.append(json.loads(line)["timestamp"])
                last = now


class FaultCase(ProgramCase):
    plugins = os.path.join(BUILD, "tests/middleware/plugins")

    def begin(self, streams, manager="", *arguments):
        self.write("scene.py", SCENE % (streams, manager))
        self.process = self.start("run", "scene.py", "--plugin-dir", self.plugins, *arguments)
        self.log = []
        self.services = int(self.services_port(self.process))
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()
        with Lines(self.services) as services:
            self.pose_port = services.ask("simulation", "get_stream_port", "robot.pose")

    def begin_counted(self, ticks, streams, manager):
        self.n_ticks = ticks
        self.begin(streams, manager, "--ticks", str(ticks), "--hash", "--result", self.path("result"))
        self.ticks = Ticks(self, self.pose_port)

    def read_result(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)

    def end_counted(self):
        """No tick is missing, none took long, and the run is what it is without anybody. Returns the log."""
        self.assertEqual(self.process.wait(LIMIT), 0, "".join(self.log))
        self.ticks.thread.join(LIMIT)
        times = self.ticks.times
        self.assertEqual(len(times), round((times[-1] - times[0]) * 1000) + 1)
        self.assertLess(self.ticks.longest, LONGEST)
        done = self.orrery("run", "scene.py", "--plugin-dir", self.plugins, "--offline", "--fast", "--ticks", str(self.n_ticks),
                           "--hash", "--result", self.path("alone"))
        self.check(done, 0)
        found, alone = self.read_result("result"), self.read_result("alone")
        self.assertEqual(found["ticks"], self.n_ticks)
        self.assertEqual(found["hash"], alone["hash"])
        return "".join(self.log)


class Counted:
    """What has come of something, and a wait for more."""

    def __init__(self):
        self.items = []
        self.changed = threading.Condition()

    def __call__(self, item):
        with self.changed:
            self.items.append(item)
            self.changed.notify_all()

    def await_more(self, n):
        with self.changed:
            wanted = len(self.items) + n
            if not self.changed.wait_for(lambda: len(self.items) >= wanted, LIMIT):
                raise AssertionError("nothing comes")


class Master(FaultCase):
    """A master of ROS 1; the peers are rospy's."""

    def look(self):
        """What is promised is there: services, and what is latched."""
        rospy.wait_for_service("/robot/waypoint/get_status", LIMIT)
        self.assertTrue(rospy.ServiceProxy("/robot/waypoint/get_status", std_srvs.srv.Trigger)().success)
        kept = queue.Queue()
        subscriber = rospy.Subscriber("/tf_static", TFMessage, kept.put)
        self.assertEqual(kept.get(timeout=LIMIT).transforms[0].child_frame_id, "mast")
        subscriber.unregister()

    def test_killed(self):
        need(self, ros_master.MISSING if rospy else "rospy is not installed")
        port, home = free_port(), tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, home, ignore_errors=True)
        os.environ.update(ROS_MASTER_URI="http://127.0.0.1:%d" % port, ROS_IP="127.0.0.1", ROS_HOME=home, ROS_LOG_DIR=home)
        master = ros_master.Master(port)
        self.addCleanup(lambda: master.kill())
        rospy.init_node("peer", disable_signals=True)
        self.addCleanup(rospy.signal_shutdown, "the test is over")
        self.begin_counted(30000, "pose.add_stream('ros')\n"
                           "pose.add_stream('ros', 'morse.middleware.ros.static_tf.StaticTF2Publisher', child_frame_id='mast')\n"
                           "waypoint.add_service('ros')", "env.configure_stream_manager('ros', master_uri='%s')" % master.uri)
        received = Counted()
        rospy.Subscriber("/robot/pose", PoseStamped, lambda message: received(message.header.seq))
        self.look()
        for _ in range(3):
            received.await_more(500)
            master.kill()
            received.await_more(1500)
            master = ros_master.Master(port)
            self.look()
        received.await_more(500)
        log = self.end_counted()
        numbers = received.items
        self.assertEqual(numbers, sorted(set(numbers)))
        # What a peer that is slow has lost is told; a master that is killed costs nothing.
        lost = numbers[-1] - numbers[0] + 1 - len(numbers)
        self.assertEqual(log.count("loses the oldest messages"), int(lost > 0), log)
        self.assertEqual(log.count("no ROS master at"), 3, log)


class Broker(FaultCase):
    """A broker of MQTT: mosquitto; the peers are paho's."""

    def look(self, server):
        """What is promised is there: services, and what is retained. The records are those of now."""
        with Lines(self.services) as services:
            now = services.ask("time", "now")
        present = Client(self, server.port, "orrery/status")
        present.await_payload(b"online")
        present.client.disconnect()
        client = Client(self, server.port, "orrery/every", "orrery/frames/once", "orrery/reply/me", qos=1)
        client.publish("orrery/robot/waypoint/call/get_status", {"reply": "me"})
        seen = set()
        while len(seen) < 3:
            message = client.next()
            if message.topic != "orrery/every" or json.loads(message.payload)["timestamp"] > now:
                seen.add(message.topic)
        client.client.disconnect()

    def test_killed(self):
        need(self, lacks_mqtt())
        server = Mosquitto(self)
        self.begin_counted(25000, "pose.add_stream('mqtt', 'trial.latched.Publisher')\nwaypoint.add_service('mqtt')",
                           "env.configure_stream_manager('mqtt', port=%d)" % server.port)
        self.look(server)
        # Three connections in a row that do not last are taken for those of somebody with the same name.
        for _ in range(2):
            with Lines(self.services) as services:
                began = services.ask("time", "now")
                server.kill()
                while services.ask("time", "now") < began + 1.5:
                    pass
            server.start()
            self.look(server)
        log = self.end_counted()
        self.assertEqual(log.count("is away: it closed the connection"), 2, log)
        lost = re.findall(r"MQTT stream of robot.pose: .* the oldest messages are lost \((\d+) so far\)", log)
        self.assertEqual(len(lost), 1, log)
        self.assertGreater(int(lost[0]), 0)


class Churn(FaultCase):
    """A peer that comes and goes: no descriptor, no thread and no memory stays behind, and the run goes on."""

    def look(self):
        """Descriptors, threads, and memory in kB."""
        place = "/proc/%d/" % self.process.pid
        with open(place + "status", encoding="ascii") as file:
            memory = int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1))
        return len(os.listdir(place + "fd")), len(os.listdir(place + "task")), memory

    def settle(self, wanted):
        """What has gone is noticed by the thread that serves it, not at once."""
        end = time.monotonic() + LIMIT
        while self.look()[:2] != wanted[:2] and time.monotonic() < end:
            with Lines(self.services) as services:
                services.ask("time", "now")
        return self.look()

    def churn(self, visit, times=TIMES, slack=1024):
        """@slack: kB that may be taken; a kB for each visit is a leak."""
        for _ in range(times // 4):
            visit()
        with Lines(self.services) as services:
            before = services.ask("time", "now")
        first = self.look()
        for _ in range(times):
            visit()
        last = self.settle(first)
        self.assertLessEqual(last[0], first[0] + 1)
        self.assertLessEqual(last[1], first[1])
        self.assertLess(last[2], first[2] + slack)
        with Lines(self.services) as services:
            self.assertGreater(services.ask("time", "now"), before)
        self.assertIsNone(self.process.poll())

    def test_socket(self):
        self.begin("")

        def visit():
            with Lines(self.pose_port) as peer:
                peer.line()
        self.churn(visit)

    def test_ros(self):
        need(self, ros_master.MISSING)
        port = free_port()
        master = ros_master.Master(port)
        self.addCleanup(master.kill)
        self.begin("pose.add_stream('ros')", "env.configure_stream_manager('ros', master_uri='%s')" % master.uri)
        tcpros = master.await_topic("/robot/pose")
        hello = header(callerid="/x", topic="/robot/pose", type="*", md5sum="*")

        def visit():
            with socket.create_connection(("127.0.0.1", tcpros), timeout=LIMIT) as peer, peer.makefile("rb") as file:
                peer.sendall(hello)
                for _ in range(2):  # the header, and a message
                    file.read(struct.unpack("<I", file.read(4))[0])
        self.churn(visit)

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware/rosbridge_datastream.so")),
                         "built without libsoup")
    def test_rosbridge(self):
        port = free_port()
        self.begin("pose.add_stream('rosbridge')", "env.configure_stream_manager('rosbridge', port=%d)" % port)

        def visit():
            with Socket(port) as peer:
                peer.text('{"op": "subscribe", "topic": "/robot/pose"}')
                peer.read()
        self.churn(visit)

    def test_mqtt(self):
        """The broker does not say who comes and goes: each calls a service."""
        need(self, lacks_mqtt())
        server = Mosquitto(self)
        self.begin("pose.add_stream('mqtt')\nwaypoint.add_service('mqtt')", "env.configure_stream_manager('mqtt', port=%d)" % server.port)
        names = iter(range(10 * TIMES))

        def text(words):
            return struct.pack(">H", len(words)) + words.encode()

        def packet(kind, body):
            return bytes([kind, len(body)]) + body

        def visit():
            name = "c%d" % next(names)
            with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT) as peer:
                peer.sendall(packet(0x10, text("MQTT") + b"\4\2\0\x3c" + text(name)) +
                             packet(0x82, b"\0\1" + text("orrery/reply/" + name) + b"\0") +
                             packet(0x30, text("orrery/robot/waypoint/call/get_status") + b'{"reply": "%s"}' % name.encode()))
                answer = b""
                while b"SUCCESS" not in answer:
                    more = peer.recv(4096)
                    self.assertTrue(more, answer)
                    answer += more
        self.churn(visit)

    def test_ros2(self):
        """The peer is rmw_fastrtps's library; each reader is found by discovery, and found to be gone."""
        need(self, why_not("dds-peer"))
        domain = str(next(DOMAINS))
        self.begin("pose.add_stream('ros2')", "env.configure_stream_manager('ros2', domain=%s)" % domain)
        peer = Program([os.path.join(BUILD, "tests/middleware/dds-peer"), domain], self.environment())
        self.addCleanup(peer.kill)
        peer.await_line("peer ready")

        def visit():
            peer.ask("churn rt/robot/pose geometry_msgs::msg::dds_::PoseStamped_ 100")
            peer.skipped.clear()
        # Fast DDS keeps what it knows of a reader until a packet says that it has gone.
        self.churn(visit, TIMES // 100, 4096)


if __name__ == "__main__":
    tap.main()
