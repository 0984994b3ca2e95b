# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's own components, those in Python that Debian ships, beside ours in C: the same numbers from both.

They are copied from where they are installed, into a package of another name in a directory of this test, and run as any
component of a user's. What MORSE 1.4 does otherwise than ours on purpose is left out: see docs/differences.md.
"""

import importlib.util
import json
import math
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase  # noqa: E402

import tap  # noqa: E402

KINDS = ("sensors", "actuators", "robots", "modifiers", "middleware")
PLACES = ["/usr/lib/python3/dist-packages/morse"]
WITHIN = 1e-9

# Class, and what differs from a plain comparison of all its fields.
SENSORS = [
    ("pose.Pose", {}), ("gyroscope.Gyroscope", {}), ("clock.Clock", {}), ("velocity.Velocity", {}),
    ("velocity.Velocity", {"properties": {"ComputationMode": "Position"}}),
    # The level integrated of 1.4 has other formulas.
    ("odometry.Odometry", {"level": "raw"}), ("odometry.Odometry", {"level": "differential"}),
    # 1.4 has no angular_acceleration, and nothing for a place beside the robot's middle.
    ("accelerometer.Accelerometer", {"fields": ["velocity", "acceleration"], "from": 2, "position": [0, 0, 0]}),
    ("gps.GPS", {"level": "simple"}), ("gps.GPS", {"level": "raw"}),
    # 1.4 takes the heading from the yaw of the sensor, ours from where it goes.
    ("gps.GPS", {"level": "extended", "fields": ["longitude", "latitude", "altitude", "velocity", "date", "time"]}),
    ("barometer.Barometer", {}), ("battery.Battery", {"within": 1e-5}), ("airspeed.Airspeed", {}), ("attitude.Attitude", {}),
    ("attitude.Attitude", {"properties": {"UseAngleAgainstNorth": True}}),
    ("attitude.Attitude", {"properties": {"ComputationMode": "Position"}}), ("thermometer.Thermometer", {}),
    ("radar_altimeter.RadarAltimeter", {"properties": {"MaxRange": 10.0}, "still": True}),
    # By a frequency that does not divide the simulation's; on a robot that turns about no axis of the world.
    ("gps.GPS", {"level": "raw", "frequency": 25}),
    ("attitude.Attitude", {"properties": {"ComputationMode": "Position"}, "frequency": 25, "tilt": True}),
    ("velocity.Velocity", {"properties": {"ComputationMode": "Position"}, "frequency": 25, "tilt": True}),
    ("proximity.Proximity", {"properties": {"Track": "Catch_Me"}, "frequency": 60}),
]
DYNAMIC = "morse.robots.quadrotor_dynamic.Quadrotor"
ACTUATORS = [
    ("v_omega.MotionVW", {"v": 1.0, "w": 0.5}, {}), ("v_omega.MotionVW", {"v": 1.0, "w": 0.5}, {"ControlType": "Position"}),
    ("xy_omega.MotionXYW", {"x": 1.0, "y": 0.3, "w": 0.5}, {}),
    ("waypoint.Waypoint", {"x": 3.0, "y": 1.0, "z": 0.0, "speed": 1.5}, {}),
    ("waypoint.Waypoint", {"x": -3.0, "y": 1.0, "z": 0.0, "speed": 1.5}, {"ControlType": "Position"}),
    ("orientation.Orientation", {"yaw": 1.0, "pitch": 0.1, "roll": 0.2}, {}),
    ("teleport.Teleport", {"x": 1.0, "y": 2.0, "z": 3.0, "yaw": 1.0}, {}),
    ("destination.Destination", {"x": 1.0, "y": 2.0, "z": 0.1}, {}),
    ("external_force.ExternalForce", {"force": [50, 20, 0]}, {}),
    ("force_torque.ForceTorque", {"force": [50, 20, 0], "torque": [0, 0, 5]}, {}), ("drag.Drag", {}, {}),
    ("quadrotor_dynamic_control.QuadrotorDynamicControl", {"engines": [500, 500, 500, 500]}, {}),
    # 1.4 begins with a yaw of 0, ours with the robot's own: a robot that stands so.
    ("stabilized_quadrotor.StabilizedQuadrotor", {"theta_c": 0.05, "phi_c": -0.03, "psi_c": 0.2, "h_c": 2.0}, {}),
    ("rotorcraft_attitude.RotorcraftAttitude", {"roll": 0.05, "pitch": -0.03, "yaw": 0.2, "thrust": 0.6}, {}),
]
# 1.4 has other formulas, or takes the robot's place for its first goal.
CRAFT = [("rotorcraft_velocity.RotorcraftVelocity", {"vx": 0.5, "vy": -0.3, "vz": 0.2}),
         ("rotorcraft_waypoint.RotorcraftWaypoint", {"x": 3.0, "y": 1.0, "z": 2.0, "yaw": 0.5})]
FLYING = ("quadrotor_dynamic", "rotorcraft_")
LEVEL = ("stabilized", "rotorcraft_")
HOVERING = "morse.robots.quadrotor.Quadrotor"
MODIFIERS = [("pose.Pose", "ned.CoordinatesToNED"), ("gyroscope.Gyroscope", "ned.AnglesToNED"),
             ("pose.Pose", "feet.MeterToFeet"), ("pose.Pose", "utm.CoordinatesToUTM"), ("gps.GPS", "ecef.CoordinatesToECEF"),
             ("pose.Pose", "geodetic.CoordinatesToGeodetic"), ("pose.Pose", "geocentric.CoordinatesToGeocentric")]
# Those that need what only Blender, or another part of MORSE, has: what the error says.
REFUSED = [("sensors.imu.IMU", "_magnetometer"), ("sensors.magnetometer.Magnetometer", "_magnetometer"),
           ("sensors.laserscanner.LaserScanner", ""), ("sensors.video_camera.VideoCamera", "only Blender has it"),
           ("actuators.armature.Armature", "only Blender has it")]


def find_morse():
    for place in PLACES:
        if os.path.isfile(os.path.join(place, "sensors/pose.py")):
            return place
    return None


def take(source, target):
    """The modules, which import each other under the new name and the bases under MORSE's."""
    for kind in KINDS:
        folder = os.path.join(target, "debian", kind)
        os.makedirs(folder)
        for name in sorted(os.listdir(os.path.join(source, kind))):
            # Of the middleware the one that needs nothing that is not here.
            if name.endswith(".py") and name != "abstract_modifier.py" and (
                    kind != "middleware" or name == "socket_request_manager.py"):
                with open(os.path.join(source, kind, name), encoding="utf-8") as file:
                    text = file.read()
                text = re.sub(r"\bmorse\.(sensors|actuators|robots)\b", r"debian.\1", text)
                text = text.replace("from .abstract_modifier", "from morse.modifiers.abstract_modifier")
                with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                    file.write(text)


def difference(a, b):
    """The largest, relative to the numbers where they are large; infinite if it is no matter of numbers."""
    if isinstance(a, dict):
        return max([difference(a[key], b[key]) for key in a], default=0.0) if list(a) == list(b) else math.inf
    if isinstance(a, list):
        return max([difference(*pair) for pair in zip(a, b)], default=0.0) if len(a) == len(b) else math.inf
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return 0.0 if a == b else abs(a - b) / max(1.0, abs(a))
    return 0.0 if a == b else math.inf


HEAD = '''
import json
def plain(value):
    if hasattr(value, "keys"):
        return {key: plain(value[key]) for key in value.keys()}
    return value if isinstance(value, (str, int, float, bool, type(None))) else [plain(item) for item in value]
def load(name):
    return orrery.load(name, plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST)
'''


@unittest.skipUnless(READY, "no typelib or no PyGObject")
@unittest.skipIf(find_morse() is None, "no components of MORSE; Debian has them as python3-morse-simulator")
@unittest.skipIf(importlib.util.find_spec("numpy") is None, "no NumPy, which MORSE wants")
class Debian(PythonCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("plugins"))
        take(find_morse(), self.path("plugins"))

    def scene(self, name, components, robot="morse.robots.atrv.ATRV", tables=None, tilt=False, yaw=0.4, **environment):
        rotation = [0.3, -0.5, 0.4] if tilt else [0, 0, yaw]
        self.write(name, json.dumps(dict({
            "orrery": 1, "environment": dict({"frequency": 60, "seed": 7, "start": 0, "import": "empty", "properties": {
                "longitude": 43.6, "latitude": 1.4333, "altitude": 135.0, "UTMXOffset": 12.5}}, **environment),
            "objects": [{"name": "robot", "classpath": robot, "position": [1, 2, 0.3], "rotation": rotation,
                         "objects": components},
                        {"name": "fire", "position": [4, 2, 1], "properties": {"Fire": 150.0, "Catch_Me": 1}}]}, **(tables or {}))))

    def component(self, name, classpath, entry):
        return dict({"name": name, "classpath": classpath, "position": [0.3, 0.1, 0.5], "rotation": [0.1, -0.2, 0.3]},
                    **{key: entry[key] for key in ("frequency", "level", "position", "properties") if key in entry})

    def run_all(self, names, code):
        """The answers of one program for all scenes: it is the interpreter that takes long to start."""
        done = self.python("%s\nfor name in %r:\n    try:\n%s\n    except Exception as error:\n        print(json.dumps(str(error)))\n"
                           % (HEAD, names, code))
        self.assertEqual(done.returncode, 0, done.stderr)
        return dict(zip(names, [json.loads(line) for line in done.stdout.splitlines()]))

    def test_sensors(self):
        names = []
        for number, (path, entry) in enumerate(SENSORS):
            names.append("sensor%02d.json" % number)
            self.scene(names[-1], [self.component("ours", "morse.sensors." + path, entry),
                                   self.component("theirs", "debian.sensors." + path, entry),
                                   {"name": "drive", "classpath": "morse.actuators.v_omega.MotionVW"}],
                       tilt="tilt" in entry, physics="orrery.physics.kinematic.Kinematic")
        answers = self.run_all(names, '''
        sim = load(name)
        found = []
        for tick in range(120):
            sim["robot.drive"].data.v, sim["robot.drive"].data.w = (1.0, 0.3) if tick < 60 else (0.4, -0.2)
            sim.step()
            found.append([plain(sim["robot." + each].data) for each in ("ours", "theirs")])
        print(json.dumps(found))''')
        for (path, entry), name in zip(SENSORS, names):
            with self.subTest(path, **entry):
                self.assertIsInstance(answers[name], list, answers[name])
                moved = set()
                for ours, theirs in answers[name][entry.get("from", 0):]:
                    if "fields" in entry:
                        ours, theirs = ({key: each[key] for key in entry["fields"]} for each in (ours, theirs))
                    self.assertLess(difference(ours, theirs), entry.get("within", WITHIN), (ours, theirs))
                    moved.add(json.dumps(ours))
                self.assertGreater(len(moved), 0 if "still" in entry else 1, "nothing was measured")

    def test_actuators(self):
        names = []
        for number, (path, _, options) in enumerate(ACTUATORS):
            for make in ("morse", "debian"):
                names.append("actuator%02d%s.json" % (number, make))
                self.scene(names[-1], [{"name": "act", "classpath": "%s.actuators.%s" % (make, path), "properties": options},
                                       {"name": "pose", "classpath": "morse.sensors.pose.Pose"}],
                           HOVERING if "stabilized" in path else DYNAMIC if path.startswith(FLYING) else "morse.robots.atrv.ATRV",
                           yaw=0.0 if path.startswith(LEVEL) else 0.4)
        self.write("inputs.json", json.dumps([given for _, given, _ in ACTUATORS]))
        answers = self.run_all(names, '''
        sim = load(name)
        for key, value in json.load(open("inputs.json"))[int(name[8:10])].items():
            setattr(sim["robot.act"].data, key, value)
        found = []
        for tick in range(180):
            sim.step()
            found.append(plain(sim["robot.pose"].data))
        print(json.dumps([found, plain(sim["robot.act"].data)]))''')
        for number, (path, given, options) in enumerate(ACTUATORS):
            with self.subTest(path, **options):
                ours, theirs = (answers["actuator%02d%s.json" % (number, make)] for make in ("morse", "debian"))
                self.assertLess(difference(ours, theirs), WITHIN, (ours[1:], theirs[1:]))
                if given:
                    first, last = ours[0][0], ours[0][-1]
                    self.assertGreater(max(abs(first[key] - last[key]) for key in ("x", "y", "z", "yaw")), 0.05)

    def test_craft_that_ask_for_their_inertia(self):
        names = []
        for number, (path, _) in enumerate(CRAFT):
            names.append("craft%02d.json" % number)
            self.scene(names[-1], [{"name": "act", "classpath": "debian.actuators." + path},
                                   {"name": "pose", "classpath": "morse.sensors.pose.Pose"}], DYNAMIC, yaw=0.0)
        self.write("inputs.json", json.dumps([given for _, given in CRAFT]))
        answers = self.run_all(names, '''
        sim = load(name)
        sim.step()
        for key, value in json.load(open("inputs.json"))[int(name[5:7])].items():
            setattr(sim["robot.act"].data, key, value)
        sim.step(240)
        print(json.dumps(plain(sim["robot.pose"].data)))''')
        for name in names:
            with self.subTest(name):
                self.assertIsInstance(answers[name], dict, answers[name])
                self.assertGreater(answers[name]["z"], 0.5)
                self.assertGreater(answers[name]["x"], 1.2)

    def test_modifiers(self):
        names = []
        for number, (sensor, path) in enumerate(MODIFIERS):
            names.append("modifier%02d.json" % number)
            self.scene(names[-1], [self.component(each, "morse.sensors." + sensor, {}) for each in ("ours", "theirs")],
                       tables={"component_modifier": {"robot.ours": [["morse.modifiers." + path, "OUT", {}]],
                                                      "robot.theirs": [["debian.modifiers." + path, "OUT", {}]]}})
        answers = self.run_all(names, '''
        sim = load(name)
        sim.step(3)
        print(json.dumps([plain(sim["robot." + each].data) for each in ("ours", "theirs")]))''')
        for (sensor, path), name in zip(MODIFIERS, names):
            with self.subTest(path):
                self.assertIsInstance(answers[name], list, answers[name])
                self.assertLess(difference(*answers[name]), WITHIN, answers[name])

    def test_noise(self):
        """Random numbers of Python: the field is another one in each step, and not by much."""
        noise = "debian.modifiers.pose_noise.PoseNoiseModifier"
        self.scene("noise.json", [self.component("theirs", "morse.sensors.pose.Pose", {})],
                   tables={"component_modifier": {"robot.theirs": [[noise, "OUT", {}]]}})
        found = self.run_all(["noise.json"], '''
        sim = load(name)
        found = set()
        for tick in range(50):
            sim.step()
            found.add(sim["robot.theirs"].data.x)
        print(json.dumps(sorted(found)))''')["noise.json"]
        self.assertEqual(len(found), 50)
        self.assertLess(max(found) - min(found), 1.0)

    def test_request_manager(self):
        """Its own server, asked over a socket."""
        manager = "debian.middleware.socket_request_manager"
        self.scene("requests.json", [{"name": "go", "classpath": "morse.actuators.waypoint.Waypoint"}],
                   tables={"component_service": {"robot.go": [manager + ".SocketRequestManager"]}})
        found = self.run_all(["requests.json"], """
        import socket, sys
        sim = load(name)
        sim.step()
        client = socket.create_connection(("127.0.0.1", sys.modules["%s"].SERVER_PORT), 60)
        client.setblocking(False)
        def ask(line):
            client.sendall((line + "\\n").encode())
            answer = ""
            while not answer.endswith("\\n"):
                sim.step()
                try:
                    answer += client.recv(4096).decode()
                except BlockingIOError:
                    pass
            return answer
        print(json.dumps([ask("a robot.go get_status"), ask('b robot.go goto [1.5, 2.0, 0.3, 0.2, 2.0]'),
                          ask("c robot.go nothing"), ask("d simulation list_robots")]))""" % manager)["requests.json"]
        self.assertIsInstance(found, list, found)
        self.assertEqual([line.split(None, 2)[:2] for line in found],
                         [["a", "SUCCESS"], ["b", "SUCCESS"], ["c", "FAILED"], ["d", "SUCCESS"]])
        self.assertEqual(found[3], 'd SUCCESS ["robot"]\n')

    def test_those_that_cannot(self):
        names = []
        for number, (path, _) in enumerate(REFUSED):
            names.append("refused%02d.json" % number)
            self.scene(names[-1], [self.component("it", "debian." + path, {})])
        answers = self.run_all(names, '''
        sim = load(name)
        sim.step()
        print(json.dumps(None))''')
        for (path, words), name in zip(REFUSED, names):
            with self.subTest(path):
                self.assertIn(words, str(answers[name]))


if __name__ == "__main__":
    tap.main()
