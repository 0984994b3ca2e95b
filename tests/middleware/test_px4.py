# SPDX-License-Identifier: BSD-3-Clause
"""PX4's side is played by a small autopilot: lock step, wrong bytes, peers that go and come back."""

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
OUT = [SITL + "Px4", SITL + "Sensor", {}]
DRIVE = [SITL + "Px4", SITL + "Drive", {}]
REST = [0.0] * 16


class Px4Case(ClientCase):
    def autopilot_scene(self, environment=None, drive=None, **manager):
        """A rover with sensors on a flat ground, at 60 Hz."""
        objects = [{"name": "imu", "classpath": "morse.sensors.imu.IMU", "properties": {"Compass": False}},
                   {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
                   {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"}]
        return self.scene(objects, environment, component_datastream={
            "robot.imu": [OUT], "robot.pose": [OUT], "robot.motion": [DRIVE[:2] + [drive or {}]]},
            component_service={"robot.pose": [REQUESTS]},
            stream_manager={SITL + "Px4": dict({"port": 0, "freewheel": False}, **manager)})

    def run_autopilot_scene(self, scene, *arguments):
        """Returns the process, the port of services and that for the autopilot."""
        self.process = self.start("run", scene, "--fast", "--for=1000", *arguments)
        port = int(self.wait_for(self.process, "PX4: listening on port ").split(" port ")[1].split()[0])
        services = int(re.search(r"port (\d+)\.", self.wait_for(self.process, "Socket service manager now listening")).group(1))
        self.wait_for(self.process, "held until an autopilot")
        return services, port

    def begin(self, *arguments, **manager):
        services, port = self.run_autopilot_scene(self.autopilot_scene(**manager), *arguments)
        client = Lines(services)
        self.addCleanup(client.close)
        return client, port

    def connect(self, port):
        peer = autopilots.Connection(port)
        self.addCleanup(peer.close)
        return peer

    def step(self, peer, n, values=REST):
        """So many ticks, each with an answer; the sensors of the last."""
        for _ in range(n):
            sensors = peer.sensors()
            self.assertIsNotNone(sensors)
            peer.controls(values, sensors["time_usec"])
        return sensors


class LockStep(Px4Case):
    def test_held(self):
        """Before an autopilot is there no tick begins, calls are answered, and that is said once."""
        client, port = self.begin()
        before = client.ask("time", "now")
        for _ in range(20):
            self.assertEqual(client.ask("time", "now"), before)
        peer = self.connect(port)
        self.assertEqual(peer.sensors()["time_usec"], 16666)
        # Not a tick more without an answer.
        for _ in range(20):
            now = client.ask("time", "now")
        self.assertAlmostEqual(now - before, 1 / 60, delta=1e-6)
        peer.controls(REST)
        self.assertEqual(peer.sensors()["time_usec"], 33333)
        self.assertAlmostEqual(client.ask("time", "now") - before, 2 / 60, delta=1e-6)
        log = self.finish(self.process)
        self.assertEqual(log.count("held until"), 0)

    def test_drives(self):
        """Outputs reach the actuator in the tick that they open; steering to the right turns clockwise."""
        client, port = self.begin(drive={"max_speed": 3.0, "max_turn": 0.5})
        peer = self.connect(port)
        self.step(peer, 61, [0, 0, 0.5])
        peer.sensors()
        self.assertAlmostEqual(client.ask("robot.pose", "get_local_data")["x"], 1.5 * 60 / 60, delta=0.03)
        peer.controls([1.0, 0, 0])
        self.step(peer, 60, [1.0, 0, 0])
        peer.sensors()
        self.assertAlmostEqual(client.ask("robot.pose", "get_local_data")["yaw"], -0.5, delta=0.02)

    def test_car(self):
        """Throttle drives a car forwards; steering to the right turns its wheels to the right."""
        car = {"name": "car", "classpath": "morse.robots.hummer.Hummer", "position": [8, 0, 1], "objects": [
            {"name": "imu", "classpath": "morse.sensors.imu.IMU", "properties": {"Compass": False}},
            {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
            {"name": "drive", "classpath": "morse.actuators.steer_force.SteerForce"}]}
        scene = self.scene([], {"import": "empty", "physics": "orrery.physics.bullet.Bullet"}, others=[car], component_datastream={
            "car.imu": [OUT], "car.pose": [OUT], "car.drive": [DRIVE[:2] + [{"max_force": 5.0, "max_steer": 0.3}]]},
            component_service={"car.pose": [REQUESTS]}, stream_manager={SITL + "Px4": {"port": 0, "freewheel": False}})
        services, port = self.run_autopilot_scene(scene)
        peer = self.connect(port)
        with Lines(services) as client:
            self.step(peer, 120)
            peer.sensors()
            start = client.ask("car.pose", "get_local_data")
            peer.controls([0.5, 0, 1.0])
            self.step(peer, 240, [0.5, 0, 1.0])
            peer.sensors()
            end = client.ask("car.pose", "get_local_data")
        # A Hummer's nose is along the y axis of its body, which is the x axis of the world here.
        self.assertGreater(end["x"] - start["x"], 2)
        self.assertLess(end["y"] - start["y"], -0.2)
        self.assertLess(math.remainder(end["yaw"] - start["yaw"], 2 * math.pi), -0.02)

    def test_freewheel(self):
        """While an autopilot starts, ticks go on without answers; from its first one on they wait."""
        client, port = self.begin(freewheel=True)
        peer = self.connect(port)
        times = [peer.sensors()["time_usec"] for _ in range(100)]
        self.assertEqual(times, sorted(set(times)))
        peer.controls(REST)
        self.assertTrue(self.drained(peer, client))

    def drained(self, peer, client):
        """Reads until nothing comes any more: two calls at one time, and no sensors."""
        for _ in range(100000):
            before = client.ask("time", "now")
            peer.socket.settimeout(0.5)
            try:
                peer.sensors()
            except TimeoutError:
                return client.ask("time", "now") == before
            finally:
                peer.socket.settimeout(60)
        return False

    def test_reset(self):
        """The time of PX4 goes on through a reset, which sets that of the simulation back."""
        client, port = self.begin()
        peer = self.connect(port)
        before = self.step(peer, 30)["time_usec"]
        started = client.ask("time", "now")
        client.ask("simulation", "reset")
        self.assertLess(client.ask("time", "now"), started)
        for i in range(1, 10):
            self.assertAlmostEqual(self.step(peer, 1)["time_usec"], before + i * 1e6 / 60, delta=2)

    def test_offline(self):
        done = self.orrery("run", self.autopilot_scene(), "--fast", "--for", "1", "--offline")
        self.check(done, 0)
        self.assertIn("60 ticks", done.stdout + done.stderr)

    def test_command(self):
        """PX4's request for the rate of the true state is granted, what is not known is not supported."""
        _, port = self.begin()
        peer = self.connect(port)
        peer.sensors()
        for command, param, result in (511, 115, 0), (511, 105, 3), (400, 1, 3):
            peer.send("COMMAND_LONG", command=command, param1=param, target_system=1, target_component=200)
            while peer.last.pop("COMMAND_ACK", None) is None:
                found = peer.message()
            self.assertEqual(found[1], {"command": command, "result": result})


class Values(Px4Case):
    def test_at_rest(self):
        """A robot at rest that faces North-West, by hand: its own axes, and those of the Earth."""
        scene = self.scene(
            [{"name": "imu", "classpath": "morse.sensors.imu.IMU", "properties": {"WorldAxes": True}},
             {"name": "barometer", "classpath": "morse.sensors.barometer.Barometer"},
             {"name": "airspeed", "classpath": "morse.sensors.airspeed.Airspeed"},
             {"name": "gps", "classpath": "morse.sensors.gps.GPS", "level": "raw"},
             {"name": "pose", "classpath": "morse.sensors.pose.Pose"}],
            {"properties": {"longitude": -71.25, "latitude": 45.5, "altitude": 100.0}},
            component_datastream={"robot." + name: [OUT] for name in ("imu", "barometer", "airspeed", "gps", "pose")},
            stream_manager={SITL + "Px4": {"port": 0, "freewheel": False}})
        with open(scene, encoding="utf-8") as file:
            text = file.read()
        self.write("scene.json", text.replace('"name": "robot",', '"name": "robot", "rotation": [0, 0, %r],' % (3 * math.pi / 4)))
        _, port = self.run_autopilot_scene(scene)
        peer = self.connect(port)
        self.step(peer, 5)
        sensors = peer.sensors()
        state, gps = peer.last["HIL_STATE_QUATERNION"], peer.last["HIL_GPS"]
        self.assertEqual(sensors["fields_updated"], 0x1FFF)
        for axis, force in zip("xyz", (0, 0, -9.81)):
            self.assertAlmostEqual(sensors[axis + "acc"], force, delta=1e-5)
            self.assertAlmostEqual(sensors[axis + "gyro"], 0, delta=1e-9)
        # North is ahead to the right by 45 degrees; the declination there is some 14 degrees to the West, and the field
        # dips, so down is positive.
        heading = math.degrees(math.atan2(-sensors["ymag"], sensors["xmag"]))
        self.assertAlmostEqual(heading, -45 + 14, delta=2)
        self.assertGreater(sensors["zmag"], 0.4)
        self.assertAlmostEqual(math.sqrt(sum(sensors[a + "mag"] ** 2 for a in "xyz")), 0.53, delta=0.03)
        self.assertAlmostEqual(sensors["abs_pressure"], 1013.25, delta=1e-3)
        self.assertAlmostEqual(sensors["pressure_alt"], 0, delta=1e-3)
        self.assertEqual(sensors["diff_pressure"], 0)
        half = math.radians(-45) / 2
        for i, element in enumerate((math.cos(half), 0, 0, math.sin(half))):
            self.assertAlmostEqual(state["q%d" % (i + 1)], element, delta=1e-6)
        self.assertEqual((gps["lat"], gps["lon"], gps["fix_type"], gps["cog"]), (455000000, -712500000, 3, 65535))
        self.assertEqual((gps["vn"], gps["ve"], gps["vd"], gps["vel"]), (0, 0, 0, 0))
        self.assertEqual((state["lat"], state["lon"], state["alt"]), (gps["lat"], gps["lon"], gps["alt"]))

    def test_on_the_way(self):
        """A robot that drives to the East at 2 m/s and turns to the left."""
        scene = self.scene(
            [{"name": "imu", "classpath": "morse.sensors.imu.IMU", "properties": {"Compass": False}},
             {"name": "gps", "classpath": "morse.sensors.gps.GPS", "level": "raw"},
             {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"}],
            {"properties": {"longitude": 10.0, "latitude": 50.0, "altitude": 0.0}},
            component_datastream={"robot.imu": [OUT], "robot.gps": [OUT], "robot.motion": [DRIVE]},
            stream_manager={SITL + "Px4": {"port": 0, "freewheel": False}})
        _, port = self.run_autopilot_scene(scene)
        peer = self.connect(port)
        self.step(peer, 30, [0, 0, 1.0])
        gps = peer.last["HIL_GPS"]
        self.assertEqual((gps["vn"], gps["ve"], gps["vd"], gps["vel"], gps["cog"]), (0, 200, 0, 200, 9000))
        self.step(peer, 3, [-0.5, 0, 0])
        sensors = peer.sensors()
        self.assertAlmostEqual(sensors["zgyro"], -0.5, delta=1e-4)
        self.assertEqual(sensors["fields_updated"], 0x3F)


class Wrong(Px4Case):
    def test_wrong_bytes(self):
        """Garbage, frames that are cut, changed or signed are no answers, and hold up none."""
        client, port = self.begin()
        peer = self.connect(port)
        peer.sensors()
        good = autopilots.frame("HIL_ACTUATOR_CONTROLS", mode=129)
        signed = bytearray(good)
        signed[2] = 1
        signed[-2:] = struct.pack("<H", autopilots.crc(bytes(signed[1:-2]) + b"\x2f"))
        changed = good[:20] + bytes([good[20] ^ 1]) + good[21:]
        before = client.ask("time", "now")
        for wrong in (bytes(signed) + bytes(13), b"GET / HTTP/1.1\r\n\r\n", b"\xfd\xff\xfe\xff" * 5, good[:-3], changed):
            peer.socket.sendall(wrong)
            for _ in range(10):
                self.assertEqual(client.ask("time", "now"), before)
        peer.controls(REST)
        self.assertIsNotNone(peer.sensors())
        self.assertGreater(client.ask("time", "now"), before)
        log = self.finish(self.process)
        self.assertEqual(log.count("belong to no frame"), 1)
        self.assertEqual(log.count("signed frame was refused"), 1)

    def test_halves(self):
        """An answer counts when its last byte has come."""
        client, port = self.begin()
        peer = self.connect(port)
        peer.sensors()
        before = client.ask("time", "now")
        answer = autopilots.frame("HIL_ACTUATOR_CONTROLS", mode=129)
        for i in range(len(answer)):
            self.assertEqual(client.ask("time", "now"), before)
            peer.socket.sendall(answer[i:i + 1])
        self.assertIsNotNone(peer.sensors())

    def test_not_finite(self):
        """An output that is no number is an answer, but no command; those beyond the range are cut."""
        client, port = self.begin(drive={"max_speed": 2.0})
        peer = self.connect(port)
        self.step(peer, 10, [0, 0, 50.0])
        for value in math.nan, math.inf, -math.inf:
            self.step(peer, 1, [value if math.isnan(value) else 0, 0, 1.0])
        self.step(peer, 10, [math.nan, 0, -1.0])
        peer.sensors()
        self.assertAlmostEqual(client.ask("robot.pose", "get_local_data")["x"], 2.0 * 22 / 60, delta=0.08)
        self.assertIn("output 1 of the autopilot is no finite number", self.finish(self.process))

    def test_config(self):
        for table, words in (
                ({"robot.clock": [OUT]}, "no fields that an autopilot takes"),
                ({"robot.pose": [OUT[:2] + [{"role": "gps"}]]}, "no fields that an autopilot takes"),
                ({"robot.pose": [OUT[:2] + [{"speed": 1}]]}, "has no option 'speed'"),
                ({"robot.pose": [[SITL + "Px4", "morse.middleware.socket_datastream.SocketPublisher", {}]]}, "no codec for an autopilot"),
                ({"robot.light": [DRIVE]}, "no speed and no force"),
                ({"robot.motors": [[SITL + "Px4", SITL + "Motors", {"outputs": [1, 2, 3]}]]}, "outputs is a list of 4"),
                ({"robot.motors": [[SITL + "Px4", SITL + "Motors", {"outputs": [1, 2, 3, 33]}]]}, "outputs is a list of 4"),
                ({"robot.light": [[SITL + "Px4", SITL + "Motors", {}]]}, "has no engines")):
            scene = self.scene([
                {"name": "clock", "classpath": "morse.sensors.clock.Clock"},
                {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
                {"name": "light", "classpath": "morse.actuators.light.Light"},
                {"name": "motors", "classpath": "morse.actuators.quadrotor_dynamic_control.QuadrotorDynamicControl"}],
                component_datastream=table)
            self.check(self.orrery("check", scene), 65, words)

    def test_compass(self):
        """A compass whose axes are not those of the world is named."""
        scene = self.scene([{"name": "imu", "classpath": "morse.sensors.imu.IMU"}],
                           {"properties": {"longitude": 1.0, "latitude": 2.0, "altitude": 3.0}}, component_datastream={"robot.imu": [OUT]})
        done = self.orrery("run", scene, "--for", "0.1", "--fast", "--offline")
        self.assertIn("WorldAxes=True", done.stderr)


class Peers(Px4Case):
    def test_killed_and_back(self):
        """While nobody is there it is held; the next autopilot goes on where the last one left."""
        client, port = self.begin()
        peer = self.connect(port)
        self.step(peer, 30, [0, 0, 1.0])
        peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        peer.close()
        self.wait_for(self.process, "the autopilot of robot has gone")
        before = client.ask("time", "now")
        for _ in range(20):
            self.assertEqual(client.ask("time", "now"), before)
        again = self.connect(port)
        sensors = again.sensors()
        self.assertGreaterEqual(sensors["time_usec"], 30 * 1000000 // 60)
        again.controls(REST)
        self.step(again, 30)
        self.assertGreater(client.ask("time", "now"), before)

    def test_second(self):
        """There is one autopilot at a time; the second one is turned away at once."""
        _, port = self.begin()
        peer = self.connect(port)
        self.step(peer, 3)
        other = self.connect(port)
        self.step(peer, 3)
        self.assertIsNone(other.message())
        self.step(peer, 3)
        self.assertIn("a second autopilot was turned away", self.finish(self.process))

    def test_silent_and_held(self):
        """An autopilot that says nothing holds the tick, for as long as it wants; calls are answered."""
        client, port = self.begin(timeout=0.1)
        peer = self.connect(port)
        self.step(peer, 3)
        peer.sensors()
        before = client.ask("time", "now")
        self.wait_for(self.process, "no word of the autopilot of robot for 0.1 s: the simulation is held")
        self.assertEqual(client.ask("time", "now"), before)
        peer.controls(REST)
        self.step(peer, 3)
        self.assertGreater(client.ask("time", "now"), before)

    def test_silent_and_stopped(self):
        """With on_lost=stop the actuators are at rest after the timeout, and ticks go on."""
        client, port = self.begin(timeout=0.1, on_lost="stop")
        peer = self.connect(port)
        self.step(peer, 30, [0, 0, 1.0])
        self.wait_for(self.process, "its actuators are at rest, and the simulation goes on")
        for _ in range(10):
            peer.sensors()
        first = client.ask("robot.pose", "get_local_data")["x"]
        for _ in range(100):
            peer.sensors()
        self.assertGreater(first, 0.8)
        self.assertEqual(client.ask("robot.pose", "get_local_data")["x"], first)

    def test_does_not_read(self):
        """A peer that reads nothing costs its own messages, not the calls of others."""
        client, port = self.begin(freewheel=True)
        peer = self.connect(port)
        peer.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        peer.sensors()
        for _ in range(200):
            client.ask("time", "now")

    @unittest.skipUnless(os.geteuid() == 0, "only root can be somebody else")
    def test_other_user(self):
        """Who is of another user is turned away, before a byte of him is read."""
        client, port = self.begin()
        before = client.ask("time", "now")
        code = "import socket; s = socket.create_connection(('127.0.0.1', %d)); print(s.recv(1))" % port
        done = subprocess.run(["/usr/bin/python3", "-c", code], user=65534, cwd="/", capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "b''\n", done.stderr)
        self.wait_for(self.process, "a peer of another user was turned away")
        self.assertEqual(client.ask("time", "now"), before)
        self.step(self.connect(port), 3)

    def test_two_vehicles(self):
        """Each robot has an autopilot of its own, and a tick begins when both have answered."""
        sensors = [{"name": "pose", "classpath": "morse.sensors.pose.Pose"},
                   {"name": "imu", "classpath": "morse.sensors.imu.IMU", "properties": {"Compass": False}}]
        other = {"name": "other", "classpath": "morse.robots.atrv.ATRV", "position": [5, 0, 0], "objects": sensors}
        scene = self.scene(sensors, others=[other], component_datastream={
            robot + part: [OUT] for robot in ("robot", "other") for part in (".pose", ".imu")},
            component_service={"robot.pose": [REQUESTS]}, stream_manager={SITL + "Px4": {"port": 0, "freewheel": False}})
        process = self.start("run", scene, "--fast", "--for=1000")
        ports = dict(reversed(re.search(r"port (\d+) for (\w+)", self.wait_for(process, "PX4: listening")).groups())
                     for _ in range(2))
        services = int(self.services_port(process))
        first, second = self.connect(int(ports["robot"])), self.connect(int(ports["other"]))
        for _ in range(10):
            self.assertEqual(first.sensors()["time_usec"], second.sensors()["time_usec"])
            second.controls(REST)
            first.controls(REST)
        first.sensors()
        second.sensors()
        first.controls(REST)
        with Lines(services) as client:
            before = client.ask("time", "now")
            for _ in range(10):
                self.assertEqual(client.ask("time", "now"), before)
        second.controls(REST)
        self.assertIsNotNone(first.sensors())

    def test_port_in_use(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen(1)
            port = other.getsockname()[1]
            done = self.orrery("run", self.autopilot_scene(port=port), "--for", "1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("PX4: no port %d on 127.0.0.1 for robot" % port, done.stderr)


class Hovers(Px4Case):
    def fly(self):
        """The heights of each tick, and the hashes of the run."""
        with open(os.path.join(SOURCE, "examples/px4_quadrotor.py"), encoding="utf-8") as file:
            text = file.read() + '\nenv.configure_stream_manager("px4", port=0, freewheel=False)\n'
        process = self.start("run", self.write("hover.py", text), "--for", "12", "--fast", "--hash=" + self.path("hash"))
        port = int(self.wait_for(process, "PX4: listening on port ").split(" port ")[1].split()[0])
        peer = self.connect(port)
        pilot = autopilots.Hover(3.0)
        while (sensors := peer.sensors()) is not None:
            try:
                peer.controls(pilot.outputs(sensors, peer.last["HIL_STATE_QUATERNION"], peer.last["HIL_GPS"]), sensors["time_usec"])
            except OSError:
                break
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        with open(self.path("hash"), encoding="utf-8") as file:
            return pilot.heights, file.read()

    def test_hovers(self):
        """The example is flown to 3 m and held there within 5 cm; twice gives the same run, bit by bit."""
        heights, first = self.fly()
        self.assertEqual(len(heights), 3000)
        self.assertLess(max(heights), 3.05)
        for height in heights[-1000:]:
            self.assertAlmostEqual(height, 3.0, delta=0.05)
        self.assertEqual(self.fly(), (heights, first))
        self.assertGreater(len(first), 100)


if __name__ == "__main__":
    tap.main()
