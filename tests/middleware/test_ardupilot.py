# SPDX-License-Identifier: BSD-3-Clause
"""ArduPilot's side is played by a small autopilot: a step for each frame, frames again, wrong datagrams, peers that go."""

import math
import os
import re
import socket
import struct
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import autopilots  # noqa: E402
from clients import REQUESTS, ClientCase, Lines  # noqa: E402
from support import SOURCE  # noqa: E402

import tap  # noqa: E402

SITL = "orrery.middleware.sitl."
OUT = [SITL + "ArduPilot", SITL + "Sensor", {}]
REST = [1500] * 4


class ArduPilotCase(ClientCase):
    def begin(self, drive=None, **manager):
        """A rover with sensors that faces North, at 100 Hz; a client, and the port for the autopilot."""
        objects = [{"name": "imu", "classpath": "morse.sensors.imu.IMU", "properties": {"Compass": False}, "frequency": 100},
                   {"name": "pose", "classpath": "morse.sensors.pose.Pose", "frequency": 100},
                   {"name": "velocity", "classpath": "morse.sensors.velocity.Velocity", "frequency": 100},
                   {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW", "frequency": 100}]
        scene = self.scene(objects, {"frequency": 100}, component_datastream=dict(
            {"robot." + name: [OUT] for name in ("imu", "pose", "velocity")},
            **{"robot.motion": [[SITL + "ArduPilot", SITL + "Drive", drive or {}]]}),
            component_service={"robot.pose": [REQUESTS]}, stream_manager={SITL + "ArduPilot": dict({"port": 0}, **manager)})
        with open(scene, encoding="utf-8") as file:
            text = file.read()
        self.write("scene.json", text.replace('"name": "robot",', '"name": "robot", "rotation": [0, 0, %r],' % (math.pi / 2)))
        self.process = self.start("run", scene, "--fast", "--for=1000")
        port = int(self.wait_for(self.process, "ArduPilot: listening on port ").split(" port ")[1].split()[0])
        services = int(re.search(r"port (\d+)\.", self.wait_for(self.process, "Socket service manager now listening")).group(1))
        self.wait_for(self.process, "held until an autopilot")
        client = Lines(services)
        self.addCleanup(client.close)
        return client, port

    def connect(self, port, first=1):
        peer = autopilots.ArduPilot(port, first)
        self.addCleanup(peer.close)
        return peer

    def hold(self, client, now):
        for _ in range(10):
            self.assertEqual(client.ask("time", "now"), now)


class Steps(ArduPilotCase):
    def test_a_step_for_a_frame(self):
        client, port = self.begin()
        before = client.ask("time", "now")
        self.hold(client, before)
        peer = self.connect(port)
        for i in range(20):
            state = peer.step(REST)
            self.assertAlmostEqual(state["timestamp"], i / 100, delta=1e-9)
        now = client.ask("time", "now")
        self.assertAlmostEqual(now - before, 0.2, delta=1e-6)
        self.hold(client, now)

    def test_a_frame_again(self):
        """The same number has the same answer and no step."""
        client, port = self.begin()
        peer = self.connect(port)
        peer.step(REST)
        state = peer.step([1500, 1500, 2000])
        now = client.ask("time", "now")
        for _ in range(5):
            peer.send(REST, frame=peer.frame - 1)
            self.assertEqual(peer.receive(), state)
        self.hold(client, now)
        # Its pulses do not count either.
        for _ in range(50):
            state = peer.step([1500, 1500, 2000])
        self.assertAlmostEqual(state["position"][0], 2.0 * 50 / 100, delta=0.03)

    def test_a_frame_again_at_once(self):
        """Two datagrams of one number before the tick: one step."""
        client, port = self.begin()
        peer = self.connect(port)
        before = client.ask("time", "now")
        peer.send(REST, frame=7)
        peer.send(REST, frame=7)
        first = peer.receive()
        self.assertEqual(peer.receive(), first)
        self.assertAlmostEqual(client.ask("time", "now") - before, 0.01, delta=1e-6)

    def test_many_frames(self):
        """Frames that wait are stepped one by one, each with its own answer."""
        _, port = self.begin()
        peer = self.connect(port)
        for frame in range(1, 21):
            peer.send(REST, frame=frame)
        self.assertEqual([round(peer.receive()["timestamp"] * 100) for _ in range(20)], list(range(20)))

    def test_32_outputs(self):
        _, port = self.begin(drive={"throttle": 20, "steering": 32})
        peer = self.connect(port)
        for _ in range(51):
            state = peer.step([1500] * 19 + [1750] + [1500] * 12)
        self.assertAlmostEqual(state["position"][0], 1.0 * 50 / 100, delta=0.02)


class Values(ArduPilotCase):
    def test_values(self):
        """By hand: a rover that faces North drives ahead, then turns right where it is."""
        _, port = self.begin(drive={"max_speed": 4.0, "max_turn": 0.5})
        peer = self.connect(port)
        for _ in range(101):
            state = peer.step([1500, 1500, 1750])
        self.assertEqual(set(state), {"timestamp", "imu", "position", "quaternion", "velocity"})
        for value, expected in zip(state["position"], (2.0, 0)):
            self.assertAlmostEqual(value, expected, delta=0.03)
        for value, expected in zip(state["velocity"], (2.0, 0, 0)):
            self.assertAlmostEqual(value, expected, delta=1e-5)
        for value, expected in zip(state["quaternion"], (1, 0, 0, 0)):
            self.assertAlmostEqual(value, expected, delta=1e-5)
        for value, expected in zip(state["imu"]["accel_body"], (0, 0, -9.81)):
            self.assertAlmostEqual(value, expected, delta=1e-5)
        for _ in range(101):
            state = peer.step([2000, 1500, 1500])
        self.assertAlmostEqual(autopilots.yaw_of(state), 0.5, delta=0.01)
        self.assertAlmostEqual(state["imu"]["gyro"][2], 0.5, delta=1e-4)

    def test_pulses(self):
        """No pulse is rest; a width beyond the range is that of its end."""
        _, port = self.begin(drive={"max_speed": 1.0})
        peer = self.connect(port)
        for pulse, speed in (0, 0), (1500, 0), (1000, -1), (65535, 1), (1, -1), (1600, 0.2):
            for _ in range(5):
                state = peer.step([1500, 1500, pulse])
            self.assertAlmostEqual(state["velocity"][0], speed, delta=1e-6)


class Wrong(ArduPilotCase):
    def test_wrong_datagrams(self):
        client, port = self.begin()
        peer = self.connect(port)
        peer.step(REST)
        now = client.ask("time", "now")
        good = struct.pack("<HHI16H", 18458, 100, 9, *REST * 4)
        for wrong in (b"", b"\x1a", good[:-1], good + b"\0", b"\0" + good[1:], struct.pack("<HHI16H", 29569, 100, 9, *REST * 4),
                      b"{}" * 200):
            peer.socket.send(wrong)
            self.hold(client, now)
        peer.step(REST)
        self.assertEqual(self.finish(self.process).count("belong to no frame"), 1)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_other_user(self):
        """Datagrams of another user begin no tick, and he does not become the autopilot."""
        client, port = self.begin()
        before = client.ask("time", "now")
        frame = struct.pack("<HHI16H", 18458, 100, 1, *REST * 4)
        code = ("import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.connect(('127.0.0.1', %d)); "
                "s.send(%r); s.settimeout(0.5); print(s.recv(1))" % (port, frame))
        done = subprocess.run(["/usr/bin/python3", "-c", code], user=65534, cwd="/", capture_output=True, text=True, timeout=60)
        self.assertIn("timed out", done.stderr)
        self.wait_for(self.process, "a peer of another user was turned away")
        self.hold(client, before)
        self.connect(port).step(REST)

    def test_second(self):
        """While there is an autopilot, datagrams of others are not read."""
        client, port = self.begin()
        peer = self.connect(port)
        peer.step(REST)
        now = client.ask("time", "now")
        other = self.connect(port)
        for _ in range(3):
            try:
                other.send([2000] * 16)
            except ConnectionRefusedError:
                pass
        self.hold(client, now)
        peer.step(REST)

    def test_killed_and_back(self):
        """After `timeout` of silence its place is free; the next one goes on, with numbers of its own."""
        client, port = self.begin(timeout=0.1)
        peer = self.connect(port)
        for _ in range(10):
            peer.step(REST)
        peer.close()
        self.wait_for(self.process, "no word of the autopilot of robot for 0.1 s: the simulation is held")
        now = client.ask("time", "now")
        self.hold(client, now)
        again = self.connect(port)
        self.assertAlmostEqual(again.step(REST)["timestamp"], 0.1, delta=1e-9)
        self.assertAlmostEqual(again.step(REST)["timestamp"], 0.11, delta=1e-9)

    def test_stop(self):
        """With on_lost=stop it is at rest then, and ticks go on; with the next frame they wait again."""
        client, port = self.begin(timeout=0.1, on_lost="stop")
        peer = self.connect(port)
        for _ in range(20):
            peer.step([1500, 1500, 2000])
        self.wait_for(self.process, "its actuators are at rest, and the simulation goes on")
        while client.ask("time", "now") == client.ask("time", "now"):
            pass
        place = client.ask("robot.pose", "get_local_data")["y"]
        self.assertGreater(place, 0.3)
        self.assertEqual(client.ask("robot.pose", "get_local_data")["y"], place)
        again = self.connect(port)
        again.step(REST)
        now = client.ask("time", "now")
        self.hold(client, now)

    def test_port_in_use(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            other.bind(("127.0.0.1", 0))
            port = other.getsockname()[1]
            scene = self.scene([{"name": "pose", "classpath": "morse.sensors.pose.Pose"}], component_datastream={"robot.pose": [OUT]},
                               stream_manager={SITL + "ArduPilot": {"port": port}})
            done = self.orrery("run", scene, "--for", "1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("ArduPilot: no port %d on 127.0.0.1 for robot" % port, done.stderr)


class Drives(ArduPilotCase):
    def drive(self):
        """The last distance, how many frames it took to come near, and the hashes of the run."""
        with open(os.path.join(SOURCE, "examples/ardupilot_rover.py"), encoding="utf-8") as file:
            text = file.read() + '\nenv.configure_stream_manager("ardupilot", port=0)\n'
        process = self.start("run", self.write("rover.py", text), "--for", "15", "--fast", "--hash=" + self.path("hash"))
        port = int(self.wait_for(process, "ArduPilot: listening on port ").split(" port ")[1].split()[0])
        peer = self.connect(port)
        pilot = autopilots.DriveTo(5.0, -4.0)
        pulses = REST
        distances = []
        for _ in range(1500):
            pulses = pilot.pulses(peer.step(pulses))
            distances.append(pilot.distance)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        with open(self.path("hash"), encoding="utf-8") as file:
            return distances, file.read()

    def test_drives(self):
        """The example is driven 5 m to the North and 4 m to the West, within 10 cm; twice gives the same run."""
        distances, first = self.drive()
        self.assertGreater(distances[0], 6)
        for distance in distances[-300:]:
            self.assertLess(distance, 0.1)
        self.assertEqual(self.drive(), (distances, first))
        self.assertGreater(len(first), 100)


if __name__ == "__main__":
    tap.main()
