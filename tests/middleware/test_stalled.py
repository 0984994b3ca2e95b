# SPDX-License-Identifier: BSD-3-Clause
"""A peer that connects and then reads nothing, on every middleware: the ticks go on, what waits for it is bounded, and what
it loses is told once."""

import json
import os
import signal
import socket
import struct
import sys
import threading
import unittest

from clients import HERE, Lines, free_port

sys.path.insert(0, HERE)

import ros_master  # noqa: E402
import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402
from broker import Mosquitto  # noqa: E402
from support import BUILD, ProgramCase, need  # noqa: E402
from test_dds_node import DOMAINS, why_not  # noqa: E402
from test_mqtt import missing as lacks_mqtt  # noqa: E402
from test_ros_node import Program  # noqa: E402
from websocket_client import Socket  # noqa: E402

LIMIT = 60  # seconds, for what should take one
#: Bytes of a small buffer, which is full soon.
SMALL = 4096
#: What is made for the peer is several times this, in kB.
MAX_GROWTH = 32 * 1024

HAS_ROSBRIDGE = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware/rosbridge_datastream.so"))

SCENE = """
from morse.builder import *
robot = ATRV()
scan = Sick()
scan.properties(scan_window=180, resolution=1.0)
robot.append(scan)
attitude = Attitude()
robot.append(attitude)
%s
env = Environment('empty')
%s
"""


class StalledCase(ProgramCase):
    def alone(self, ticks):
        """The hash of the run without a peer, and the most memory that it took, in kB."""
        self.write("alone.py", SCENE % ("", ""))
        process = self.start("run", "alone.py", "--offline", "--fast", "--ticks", str(ticks), "--hash", "--result", self.path("alone"))
        memory = self.end_of(process)[1]
        with open(self.path("alone"), encoding="utf-8") as file:
            return json.load(file)["hash"], memory

    def end_of(self, process):
        """The log and the memory of a run that ends by itself."""
        log = []
        readers = [threading.Thread(target=lambda: log.extend(process.stderr)), threading.Thread(target=process.stdout.read)]
        for reader in readers:
            reader.start()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        for reader in readers:
            reader.join()
        self.assertEqual(process.returncode, 0, "".join(log))
        return "".join(log), usage.ru_maxrss

    def begin(self, streams, manager, ticks, *arguments):
        """A run that waits before its first tick, and the port of its services."""
        self.ticks = ticks
        self.write("scene.py", SCENE % (streams, manager))
        self.process = self.start("run", "scene.py", "--paused", "--fast", "--ticks", str(ticks), "--hash", "--result", self.path("result"),
                                  *arguments)
        self.services = int(self.services_port(self.process))

    def go_on(self, *words):
        """Lets the run go to its end: it is the run that it is without the peer, and these words are told once."""
        with Lines(self.services) as services:
            services.ask("simulation", "resume")
        log, memory = self.end_of(self.process)
        wanted, least = self.alone(self.ticks)
        with open(self.path("result"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(report["ticks"], self.ticks)
        self.assertEqual(report["hash"], wanted)
        # The sanitizer keeps what is freed.
        if not is_sanitized():
            self.assertLess(memory, least + MAX_GROWTH, "kB")
        for word in words:
            self.assertEqual(log.count(word), 1, log)
        return log

    def connect(self, port):
        peer = socket.socket()
        self.addCleanup(peer.close)
        peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        peer.connect(("127.0.0.1", port))
        return peer


class Stalled(StalledCase):
    def test_socket(self):
        self.begin("scan.add_stream('socket')", "", 30000)
        with Lines(self.services) as services:
            port = services.ask("simulation", "get_stream_port", "robot.scan")
        self.connect(port)
        self.go_on("socket stream of robot.scan: a client reads too slowly and loses messages (")

    def test_mavlink(self):
        port = free_port()
        self.begin("attitude.add_stream('mavlink', device='tcpin:127.0.0.1:%d')" % port, "", 200000)
        self.connect(port)
        self.go_on("the peer reads too slowly and loses messages")

    @unittest.skipUnless(HAS_ROSBRIDGE, "built without libsoup")
    def test_rosbridge(self):
        port = free_port()
        self.begin("scan.add_stream('rosbridge')", "env.configure_stream_manager('rosbridge', port=%d)" % port, 30000)
        peer = Socket(port, buffer=SMALL)
        self.addCleanup(peer.close)
        peer.text('{"op": "subscribe", "topic": "/robot/scan"}')
        peer.text('{"op": "call_service", "service": "/rosapi/nodes"}')
        while b"service_response" not in peer.read()[1]:
            pass
        self.go_on("rosbridge: a client reads too slowly and loses messages (")

    @unittest.skipUnless(HAS_ROSBRIDGE, "built without libsoup")
    def test_a_throttle_of_rosbridge(self):
        """A queue of a throttle that nothing leaves: its bytes have a limit, too."""
        port = free_port()
        self.begin("scan.add_stream('rosbridge', 'orrery.middleware.socket_datastream.SocketPublisher')",
                   "env.configure_stream_manager('rosbridge', port=%d)" % port, 100000)
        peer = Socket(port)
        self.addCleanup(peer.close)
        peer.text('{"op": "subscribe", "topic": "/robot/scan", "throttle_rate": 3600000, "queue_length": 100000}')
        peer.text('{"op": "call_service", "service": "/rosapi/nodes"}')
        while b"service_response" not in peer.read()[1]:
            pass
        self.go_on()

    def test_ros(self):
        need(self, ros_master.MISSING)
        port = free_port()
        master = ros_master.Master(port)
        self.addCleanup(master.kill)
        self.begin("scan.add_stream('ros')", "env.configure_stream_manager('ros', master_uri='http://127.0.0.1:%d')" % port, 30000)
        peer = self.connect(master.await_topic("/robot/scan"))
        fields = [b"callerid=/idle", b"topic=/robot/scan", b"type=*", b"md5sum=*"]
        body = b"".join(struct.pack("<I", len(field)) + field for field in fields)
        peer.sendall(struct.pack("<I", len(body)) + body)
        peer.settimeout(LIMIT)
        self.assertEqual(len(peer.recv(4)), 4)
        self.go_on("ROS: a subscriber of /robot/scan reads too slowly and loses the oldest messages (")

    @unittest.skipIf(lacks_mqtt(), lacks_mqtt())
    def test_mqtt(self):
        """The peer is the broker."""
        server = Mosquitto(self)
        self.begin("scan.add_stream('mqtt')", "env.configure_stream_manager('mqtt', port=%d)" % server.port, 30000)
        server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(server.process.send_signal, signal.SIGCONT)
        self.go_on("MQTT stream of robot.scan: the broker is away, or slower than the stream: the oldest messages are lost (")


class StalledDds(StalledCase):
    def test_ros2(self):
        """DDS keeps the last messages for a reader that has stopped."""
        need(self, why_not("dds-peer"))
        domain = str(next(DOMAINS))
        self.begin("scan.add_stream('ros2', queue=1)", "env.configure_stream_manager('ros2', domain=%s)" % domain, 30000)
        peer = Program([os.path.join(BUILD, "tests/middleware/dds-peer"), domain], self.environment())
        self.addCleanup(peer.kill)
        peer.await_line("peer ready")
        peer.ask("reader rt/robot/scan sensor_msgs::msg::dds_::LaserScan_ r")
        peer.await_line("writers rt/robot/scan 1")
        peer.process.send_signal(signal.SIGSTOP)
        self.go_on("ROS 2: messages of /robot/scan come faster than they can be written, and the oldest are lost (")


if __name__ == "__main__":
    tap.main()
