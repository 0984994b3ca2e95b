# SPDX-License-Identifier: BSD-3-Clause
"""Streams over MAVLink with MORSE's four codecs: bytes, devices, wrong frames, peers that come and go."""

import json
import math
import os
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)

import autopilots  # noqa: E402
from clients import ClientCase, Lines, REQUESTS, free_port  # noqa: E402
from support import NODE_PATH, lacks_modules, need  # noqa: E402
from test_ros_node import Program  # noqa: E402

import tap  # noqa: E402

MANAGER = "morse.middleware.mavlink_datastream.MavlinkDatastreamManager"
CODECS = "morse.middleware.mavlink."

SCRIPT = """from morse.builder import *

robot = ATRV()
robot.rotate(z=0.5)

attitude = Attitude()
attitude.add_stream("mavlink", device=%(device)r)
robot.append(attitude)

odometry = Odometry()
odometry.level("integrated")
odometry.add_stream("mavlink", device=%(device)r)
robot.append(odometry)

motion = MotionVW()
motion.add_service("socket")
robot.append(motion)

env = Environment("empty", fastmode=True)
%(more)s
"""


class Udp:
    """A station: where it is bound it hears whoever sends."""

    def __init__(self, port=0):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(60)
        self.socket.bind(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        self.sender = None

    def frame(self):
        data, self.sender = self.socket.recvfrom(65536)
        found, rest = autopilots.parse(data)
        assert rest == b"", data
        return found

    def await_frame(self, name):
        while True:
            found = self.frame()
            if found[0] == name:
                return found

    def close(self):
        self.socket.close()


class Streams(ClientCase):
    def start_script(self, device, more="", *arguments):
        self.process = self.start("run", self.write("scene.py", SCRIPT % {"device": device, "more": more}), "--for", "1000", *arguments)
        return int(self.services_port(self.process))

    def station(self):
        station = Udp()
        self.addCleanup(station.close)
        return station

    def test_out(self):
        """ATTITUDE and LOCAL_POSITION_NED as MORSE has them: y and z the other way round."""
        station = self.station()
        services = self.start_script("udpout:127.0.0.1:%d" % station.port)
        _, attitude, _, version = station.await_frame("ATTITUDE")
        self.assertEqual(version, 1)
        self.assertAlmostEqual(attitude["yaw"], -0.5, delta=1e-5)
        self.assertAlmostEqual(attitude["roll"], 0, delta=1e-5)
        with Lines(services) as client:
            client.ask("robot.motion", "set_speed", 1.0, 0.5)
        while True:
            _, odometry, _, _ = station.await_frame("LOCAL_POSITION_NED")
            if odometry["y"] < -0.2:
                break
        self.assertGreater(odometry["x"], 0.2)
        self.assertLess(odometry["vy"], 0)
        self.assertAlmostEqual(math.hypot(odometry["vx"], odometry["vy"]), 1, delta=0.1)
        _, attitude, _, _ = station.await_frame("ATTITUDE")
        self.assertAlmostEqual(attitude["yawspeed"], -0.5, delta=0.02)
        self.assertLess(attitude["yaw"], -0.6)
        self.assertGreater(attitude["time_boot_ms"], 100)

    def test_heartbeat(self):
        """One in each tick on each connection; sequences count all that a connection sends."""
        station = self.station()
        self.start_script("udpout:127.0.0.1:%d" % station.port)
        self.assertEqual(station.await_frame("HEARTBEAT")[1], {
            "custom_mode": 0, "type": 0, "autopilot": 0, "base_mode": 194, "system_status": 4, "mavlink_version": 3})
        frames = [station.frame() for _ in range(31)]
        self.assertEqual({name for name, _, _, _ in frames}, {"HEARTBEAT", "ATTITUDE", "LOCAL_POSITION_NED"})
        beats = sum(name == "HEARTBEAT" for name, _, _, _ in frames)
        self.assertIn(beats, (10, 11))
        for (_, _, before, _), (_, _, after, _) in zip(frames, frames[1:]):
            self.assertEqual(after, (before + 1) % 256)

    def test_version_2(self):
        station = self.station()
        more = 'env.configure_stream_manager("mavlink", version=2, system=7, component=3)'
        self.start_script("udpout:127.0.0.1:%d" % station.port, more)
        data, _ = station.socket.recvfrom(65536)
        self.assertEqual((data[0], data[5], data[6]), (0xFD, 7, 3))
        self.assertEqual(station.await_frame("ATTITUDE")[3], 2)

    def test_udpin(self):
        """It is bound, and answers whoever sends first; where that one has gone, the next."""
        self.start_script("udp:127.0.0.1:0")
        port = self.own_port()
        for _ in range(2):
            station = self.station()
            station.socket.sendto(autopilots.frame("HEARTBEAT", version=1), ("127.0.0.1", port))
            station.socket.settimeout(0.2)
            while True:
                try:
                    station.await_frame("ATTITUDE")
                    break
                except TimeoutError:
                    station.socket.sendto(autopilots.frame("HEARTBEAT", version=1), ("127.0.0.1", port))
            station.close()

    def own_port(self):
        """What the process has bound, as the system tells it."""
        done = set()
        for entry in os.listdir("/proc/%d/fd" % self.process.pid):
            try:
                done.add(os.readlink("/proc/%d/fd/%s" % (self.process.pid, entry)))
            except OSError:
                pass
        with open("/proc/net/udp", encoding="ascii") as table:
            for line in table.read().splitlines()[1:]:
                parts = line.split()
                if "socket:[%s]" % parts[9] in done:
                    return int(parts[1].split(":")[1], 16)
        self.fail("no socket")

    def test_tcp(self):
        """A server of TCP takes one peer at a time; a client tries until there is a server."""
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            self.start_script("tcp:127.0.0.1:%d" % server.getsockname()[1])
            server.listen(1)
            server.settimeout(60)
            peer, _ = server.accept()
        peer.close()

    def test_tcpin(self):
        port = free_port()
        self.start_script("tcpin:127.0.0.1:%d" % port)
        for _ in range(2):
            peer = autopilots.Connection(port)
            while "LOCAL_POSITION_NED" not in peer.last:
                self.assertIsNotNone(peer.message())
            peer.close()

    def test_devices(self):
        """What is wrong with a device is said before the run."""
        for device, words in (("/dev/ttyS0", "serial lines are not supported"), ("udp:127.0.0.1", "no ADDRESS:PORT"),
                              ("udpout:127.0.0.1:0", "no ADDRESS:PORT"), ("tcp:127.0.0.1:65536", "no ADDRESS:PORT"),
                              (5, "needs the option 'device'")):
            done = self.orrery("check", self.write("scene.py", SCRIPT % {"device": device, "more": ""}))
            self.check(done, 65, words)
        for device in ("udpout:nobody:14550", "udp:192.0.2.1:14550"):
            done = self.orrery("run", self.write("scene.py", SCRIPT % {"device": device, "more": ""}), "--for", "1")
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, "no IPv4 address|not of this machine alone")

    def test_offline(self):
        done = self.orrery("run", self.write("scene.py", SCRIPT % {"device": "udp:127.0.0.1:14550", "more": ""}),
                           "--for", "1", "--fast", "--offline")
        self.check(done, 0)


class Readers(ClientCase):
    def start_craft(self, actuator, codec):
        """A quadrotor with this actuator; returns the port for its station and that of services."""
        self.port = free_port()
        scene = {"name": "craft", "classpath": "morse.robots.quadrotor_dynamic.Quadrotor", "position": [0, 0, 5], "objects": [
            {"name": "act", "classpath": actuator}, {"name": "pose", "classpath": "morse.sensors.pose.Pose"}]}
        path = self.scene([], {"physics": "orrery.physics.bullet.Bullet"}, others=[scene], component_datastream={
            "craft.act": [[MANAGER, CODECS + codec, {"device": "tcpin:127.0.0.1:%d" % self.port}]]},
            component_service={"craft.pose": [REQUESTS]})
        self.process, services = self.run_scene(path, "--fast", "--for", "100000")
        client = Lines(services)
        self.addCleanup(client.close)
        peer = autopilots.Connection(self.port)
        self.addCleanup(peer.close)
        return peer, client

    def await_pose(self, client, holds):
        for _ in range(20000):
            pose = client.ask("craft.pose", "get_local_data")
            if holds(pose):
                return pose
        self.fail(pose)

    def test_waypoint(self):
        """SET_POSITION_TARGET_LOCAL_NED: y and z the other way round; both versions of frames are read."""
        peer, client = self.start_craft("morse.actuators.rotorcraft_waypoint.RotorcraftWaypoint",
                                        "local_position_ned_to_waypoint.WaypointActuator")
        for version, goal in (1, (3, -2, 6)), (2, (-1, 1, 4)):
            x, y, z = goal
            peer.socket.sendall(b"\xfe\x00rubbish" + autopilots.frame(
                "SET_POSITION_TARGET_LOCAL_NED", version=version, x=x, y=-y, z=-z, yaw=1.0))
            self.await_pose(client, lambda pose: math.dist((pose["x"], pose["y"], pose["z"]), goal) < 0.3)

    def test_the_library_of_node(self):
        """node-mavlink reads what we send, and what it writes moves the robot; both over one connection."""
        need(self, lacks_modules("node-mavlink"))
        port = free_port()
        device = {"device": "tcpin:127.0.0.1:%d" % port}
        scene = {"name": "craft", "classpath": "morse.robots.quadrotor_dynamic.Quadrotor", "position": [0, 0, 5],
                 "objects": [{"name": "act", "classpath": "morse.actuators.rotorcraft_waypoint.RotorcraftWaypoint"},
                             {"name": "turn", "classpath": "morse.sensors.attitude.Attitude"},
                             {"name": "pose", "classpath": "morse.sensors.pose.Pose"}]}
        path = self.scene([], {"physics": "orrery.physics.bullet.Bullet"}, others=[scene], component_datastream={
            "craft.act": [[MANAGER, CODECS + "local_position_ned_to_waypoint.WaypointActuator", device]],
            "craft.turn": [[MANAGER, CODECS + "attitude.AttitudeSensor", device]]},
            component_service={"craft.pose": [REQUESTS]})
        self.process, services = self.run_scene(path, "--for", "100000")
        client = Lines(services)
        self.addCleanup(client.close)
        peer = Program(["node", os.path.join(HERE, "mavlink_peer.js"), str(port)], dict(os.environ, NODE_PATH=NODE_PATH))
        self.addCleanup(peer.kill)
        beat = json.loads(peer.await_line('"name":"HEARTBEAT"'))
        self.assertEqual((beat["systemStatus"], beat["mavlinkVersion"], beat["baseMode"]), (4, 3, 194))
        turn = json.loads(peer.await_line('"name":"ATTITUDE"'))
        self.assertLess(abs(turn["yaw"]), 0.1)
        self.assertGreaterEqual(turn["timeBootMs"], 0)
        self.await_pose(client, lambda pose: math.dist((pose["x"], pose["y"], pose["z"]), (3, 2, 1)) < 0.3)

    def test_not_finite(self):
        """A goal that is no number is refused, and the one before stays."""
        peer, client = self.start_craft("morse.actuators.rotorcraft_waypoint.RotorcraftWaypoint",
                                        "local_position_ned_to_waypoint.WaypointActuator")
        peer.send("SET_POSITION_TARGET_LOCAL_NED", x=2.0, y=0.0, z=-5.0)
        self.await_pose(client, lambda pose: pose["x"] > 1.5)
        peer.send("SET_POSITION_TARGET_LOCAL_NED", x=-9.0, y=math.nan, z=-5.0)
        self.wait_for(self.process, "has a number that is not finite")
        self.await_pose(client, lambda pose: abs(pose["x"] - 2) < 0.3)

    def test_attitude(self):
        """SET_ATTITUDE_TARGET: without a change of signs; nose up is positive on both sides."""
        peer, client = self.start_craft("morse.actuators.rotorcraft_attitude.RotorcraftAttitude",
                                        "read_attitude_target.AttitudeTarget")
        half = 0.1
        peer.send("SET_ATTITUDE_TARGET", q1=math.cos(half), q3=math.sin(half), thrust=0.6)
        # Of the pose, nose up is negative, and it pushes backwards.
        self.await_pose(client, lambda pose: abs(pose["pitch"] + 0.2) < 0.03)
        peer.send("SET_ATTITUDE_TARGET", thrust=0.1)
        self.wait_for(self.process, "quaternion that is 0")


if __name__ == "__main__":
    tap.main()
