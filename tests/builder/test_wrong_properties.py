# SPDX-License-Identifier: BSD-3-Clause
"""Every property of every sensor and modifier refuses what is out of range or of a wrong type.

The classes and what their properties may be are what the program itself says of them.
"""

import json
import os
import re
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import ProgramCase  # noqa: E402
from surroundings import FORCES  # noqa: E402

import tap  # noqa: E402

NAN = float("nan")
WORLD = {"longitude": 1.0, "latitude": 43.0, "altitude": 150.0}
SERVICES = "morse.middleware.socket_request_manager.SocketRequestManager"
# So many mistakes are told at once.
TOLD = 20
# A sensor that has the fields of each modifier.
CARRIER = {
    "orrery.modifiers.imu_noise": "imu.IMU",
    "orrery.modifiers.odometry_noise": "odometry.Odometry",
}


def wrong_values(option):
    """Values that the property must not take."""
    kind = option["type"]
    if kind == "float":
        wrong = [NAN, "much", [1.0], {"x": 1}, None, True]
        low, high = option.get("minimum"), option.get("maximum")
        wrong += [low - abs(low) / 1e3 - 1] if low is not None and low > -1e300 else []
        wrong += [high + abs(high) / 1e3 + 1] if high is not None and high < 1e300 else []
        return wrong
    if kind == "int":
        return ["much", 1.5, [1], None, True]
    if kind == "bool":
        return ["maybe", [True], 2.5, None]
    if kind == "string":
        return [["a"], 5, None, {"a": "b"}] + (["Nonesuch"] if option.get("choices") else [])
    return []


#: What is made of others, and refuses to be without.
GROUPS = (
    "orrery.sensors.compound.CompoundSensor",
    "orrery.sensors.depth_camera_aggregator.DepthCameraAggregator",
    *FORCES,
)


#: Roles with few classes.
SCARCE = ("datastream_manager", "request_manager", "script")


class Scenes(ProgramCase):
    """Scenes with what the classes say of themselves."""

    maxDiff = None

    def classes(self, role):
        """Classes of that role with their properties, of the standard ones."""
        homes = tuple("orrery.%s." % home for home in (role + "s", "core", "middleware"))
        done = self.orrery("plugins", "--json")
        self.check(done, 0)
        paths = [
            entry["classpath"]
            for module in json.loads(done.stdout)["modules"]
            for entry in module["classes"]
            if entry.get("role") == role and entry["classpath"].startswith(homes)
        ]
        done = self.orrery("plugins", "--json", *paths)
        self.check(done, 0)
        found = [
            entry
            for entry in json.loads(done.stdout)["classes"]
            if entry["properties"] and entry["classpath"] not in GROUPS
        ]
        self.assertGreater(len(found), 0 if role in SCARCE else 5)
        return found

    def scene(self, sensors, modifiers=None):
        """Sensors on a robot, a list of modifiers for each."""
        return {
            "orrery": 1,
            "environment": {
                "frequency": 60,
                "physics": "orrery.physics.kinematic.Kinematic",
                "properties": WORLD,
            },
            "objects": [
                {
                    "name": "robot",
                    "classpath": "morse.robots.atrv.ATRV",
                    "objects": [
                        dict({"name": "s%d" % i, "classpath": path}, properties=properties)
                        for i, (path, properties) in enumerate(sensors)
                    ],
                }
            ],
            "component_modifier": {
                "robot.s%d" % i: entries for i, entries in enumerate(modifiers or [])
            },
        }

    def assert_each_is_refused(self, cases):
        """Each case: class, property, value, sensor, its options, its modifiers."""
        missed = []
        for first in range(0, len(cases), TOLD):
            some = cases[first : first + TOLD]
            scene = self.scene([case[3:5] for case in some], [case[5] for case in some])
            done = self.orrery("check", self.write("scene.json", json.dumps(scene)))
            self.assertEqual(done.returncode, 65, done.stderr)
            for i, (path, name, value, *_) in enumerate(some):
                place = re.compile(r"robot\.s%d[:/].*%s" % (i, name))
                if not any(place.search(line) for line in done.stderr.splitlines()):
                    missed.append("%s %s: %r" % (path, name, value))
        self.assertEqual(missed, [])


class WrongProperties(Scenes):
    def test_sensors_in_a_scene(self):
        cases = [
            (entry["classpath"], option["name"], value)
            + (entry["classpath"], {option["name"]: value}, [])
            for entry in self.classes("sensor")
            for option in entry["properties"]
            for value in wrong_values(option)
        ]
        self.assertGreater(len(cases), 60)
        self.assert_each_is_refused(cases)

    def test_robots_in_a_scene(self):
        """Those of robots are told like those of components."""
        cases = [
            (entry["classpath"], option["name"], value)
            for entry in self.classes("robot")
            for option in entry["properties"]
            for value in wrong_values(option)
        ]
        missed = []
        for first in range(0, len(cases), TOLD):
            some = cases[first : first + TOLD]
            scene = self.scene([])
            scene["objects"] = [
                {"name": "s%d" % i, "classpath": path, "properties": {name: value}}
                for i, (path, name, value) in enumerate(some)
            ]
            done = self.orrery("check", self.write("scene.json", json.dumps(scene)))
            self.assertEqual(done.returncode, 65, done.stderr)
            missed += [
                case
                for i, case in enumerate(some)
                if not re.search(r"\bs%d[:/].*%s" % (i, case[1]), done.stderr)
            ]
        self.assertGreater(len(cases), 100)
        self.assertEqual(missed, [])

    def test_modifiers_in_a_scene(self):
        cases = []
        for entry in self.classes("modifier"):
            path = entry["classpath"]
            carrier = "orrery.sensors." + CARRIER.get(path.rpartition(".")[0], "pose.Pose")
            cases += [
                (path, option["name"], value, carrier, {}, [[path, {option["name"]: value}]])
                for option in entry["properties"]
                for value in wrong_values(option)
            ]
        self.assertGreater(len(cases), 60)
        self.assert_each_is_refused(cases)

    def test_right_values_pass(self):
        """The control: with the defaults of all properties the same scene is fine."""
        sensors = [
            (entry["classpath"], {o["name"]: o["default"] for o in entry["properties"]})
            for entry in self.classes("sensor")
        ]
        path = self.write("scene.json", json.dumps(self.scene(sensors)))
        self.check(self.orrery("check", path), 0)

    def test_at_run_time(self):
        entries = self.classes("sensor")
        scene = self.scene([(entry["classpath"], {}) for entry in entries])
        scene["component_service"] = {"robot.s%d" % i: [SERVICES] for i in range(len(entries))}
        process = self.start("run", self.write("scene.json", json.dumps(scene)), "--fast")
        place = ("127.0.0.1", int(self.services_port(process)))
        missed = []
        with socket.create_connection(place, timeout=60) as stream, stream.makefile("rw") as lines:
            for i, entry in enumerate(entries):
                for option in entry["properties"]:
                    for value in wrong_values(option):
                        arguments = json.dumps([option["name"], value])
                        lines.write("1 robot.s%d set_property %s\n" % (i, arguments))
                        lines.flush()
                        answer = next(lines)
                        if not (answer.startswith("1 FAILED") and option["name"] in answer):
                            missed.append((entry["classpath"], option["name"], value, answer))
            lines.write("2 simulation quit\n")
        self.assertEqual(missed, [])
        self.assertEqual(process.wait(60), 0)


if __name__ == "__main__":
    tap.main()
