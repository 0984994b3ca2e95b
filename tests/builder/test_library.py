# SPDX-License-Identifier: BSD-3-Clause
"""Scripts name the sensors and modifiers of MORSE, and the host runs what they describe."""

import ast
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import ProgramCase  # noqa: E402

import tap  # noqa: E402

# Class, level or None, aliases that fit it in MORSE, and here.
SENSORS = [
    ("Accelerometer", None, []),
    ("Airspeed", None, []),
    ("Attitude", None, []),
    ("Barometer", None, []),
    ("Battery", None, []),
    ("Clock", None, []),
    ("Collision", None, []),
    ("GPS", None, ["NED", "ECEF", "feet", "geodetic", "geocentric", "UTM", "PoseNoise", "Noise"]),
    ("GPS", "raw", []),
    ("GPS", "extended", []),
    ("Gyroscope", None, ["NED", "PoseNoise", "Noise"]),
    ("IMU", None, ["IMUNoise", "Noise"]),
    ("Magnetometer", None, []),
    ("Odometry", None, ["PoseNoise", "Noise", "OdometryNoise"]),
    ("Odometry", "raw", ["OdometryNoise"]),
    ("Pose", None, ["NED", "ECEF", "feet", "geodetic", "geocentric", "UTM", "PoseNoise", "Noise"]),
    ("Thermometer", None, []),
    ("Velocity", None, []),
]
ACTUATORS = [
    ("Destination", ["NED", "ECEF", "feet", "geodetic", "geocentric", "UTM"]),
    ("Waypoint", ["NED", "ECEF", "feet", "geodetic", "geocentric", "UTM"]),
    ("Teleport", ["NED", "ECEF", "feet", "geodetic", "geocentric"]),
]
# What every sensor may suffer from, with the least that it must be told.
FAULTS = {
    "Gaussian": "sigma=0.1",
    "Bias": "bias=1",
    "RandomWalk": "sigma=0.1",
    "Quantisation": "step=0.5",
    "Outliers": "probability=0.1, sigma=5",
    "RateLimit": "rate=3",
    "SaltAndPepper": "probability=0.1, high=100",
    "ShotNoise": "gain=0.1",
    "StuckValue": "start=1",
    "DropOut": "probability=0.1",
    "Delay": "delay=0.1",
    "Jitter": "sigma=0.001",
}


def script(lines):
    return "\n".join(
        ["from morse.builder import *", "robot = ATRV()"]
        + lines
        + [
            "env = Environment('empty', fastmode=True)",
            "env.properties(longitude=1.4442, latitude=43.6043, altitude=150.0)",
            "",
        ]
    )


class Library(ProgramCase):
    def run_script(self, lines):
        """Builds and runs it; what came into component_config."""
        path = self.write("scene.py", script(lines))
        self.check(self.orrery("build", path, "-o", self.path("out")), 0)
        self.check(self.orrery("run", self.path("out"), "--ticks=5", "--fast", "--quiet"), 0)
        with open(self.path("out/component_config.py"), encoding="utf-8") as file:
            return {s.targets[0].id: ast.literal_eval(s.value) for s in ast.parse(file.read()).body}

    def test_every_alias(self):
        lines, count = [], 0
        for name, level, aliases in SENSORS:
            for alias in [None] + aliases:
                lines.append("part%d = %s()" % (count, name))
                lines += ["part%d.level(%r)" % (count, level)] if level else []
                lines += ["part%d.alter(%r)" % (count, alias)] if alias else []
                lines.append("part%d.add_stream('socket')" % count)
                lines.append("robot.append(part%d)" % count)
                count += 1
        for name, aliases in ACTUATORS:
            for alias in aliases:
                lines.append("part%d = %s()" % (count, name))
                lines.append("part%d.alter(%r)" % (count, alias))
                lines.append("robot.append(part%d)" % count)
                count += 1
        config = self.run_script(lines)
        expected = sum(len(aliases) for _, _, aliases in SENSORS) + sum(len(a) for _, a in ACTUATORS)
        self.assertEqual(len(config["component_modifier"]), expected)
        self.assertEqual(len(config["component_datastream"]), sum(1 + len(a) for _, _, a in SENSORS))

    def test_every_fault(self):
        lines = []
        for number, (name, options) in enumerate(FAULTS.items()):
            lines.append("part%02d = IMU()" % number)
            lines.append("part%02d.alter(%r, %s)" % (number, name, options))
            lines.append("robot.append(part%02d)" % number)
        modifiers = self.run_script(lines)["component_modifier"]
        self.assertEqual(
            [entry[0][0].rpartition(".")[2] for _, entry in sorted(modifiers.items())], list(FAULTS)
        )

    def test_faults_of_cameras_and_lasers(self):
        faults = [("VideoCamera", "Vignette", "field='image', strength=0.4"),
                  ("VideoCamera", "ShotNoise", "field='image', gain=0.5"),
                  ("VideoCamera", "SaltAndPepper", "field='image', probability=0.01"),
                  ("DepthVideoCamera", "Gaussian", "field='image', quadratic=0.002"),
                  ("Velodyne", "Gaussian", "field='points.range', sigma=0.02"),
                  ("Hokuyo", "DropOut", "field='range_list', probability=0.01")]
        lines = []
        for number, (sensor, name, options) in enumerate(faults):
            lines.append("part%d = %s()" % (number, sensor))
            lines.append("part%d.alter(%r, %s)" % (number, name, options))
            lines.append("robot.append(part%d)" % number)
        modifiers = self.run_script(lines)["component_modifier"]
        self.assertEqual(
            [entry[0][0].rpartition(".")[2] for _, entry in sorted(modifiers.items())],
            [name for _, name, _ in faults],
        )

    def test_battery_in_a_zone(self):
        """One that is within the zone and one that is not; files tell what they show."""
        self.run_script(
            [
                "inside = Battery(); inside.add_stream('text')",
                "outside = Battery(); outside.translate(x=1.1); outside.add_stream('text')",
                "robot.append(inside); robot.append(outside)",
                "dock = Zone('Charging')",
            ]
        )
        for name, status in (("inside", "Charged"), ("outside", "Discharging")):
            with open(self.path("robot.%s.txt" % name), encoding="utf-8") as file:
                self.assertIn("status = '%s'" % status, file.read())

    def test_passive_objects_are_told(self):
        """At the start, with their labels; not what only looks like one."""
        lines = ["cup = Cube('cup')", "cup.properties(Object=True, Label='CUP', Type='Cup', Graspable=True)",
                 "box = Cube('box')", "box.properties(Object=1)", "wall = Cube('wall')", "wall.properties(Object=False)"]
        path = self.write("scene.py", script(lines))
        done = self.orrery("run", path, "--ticks=1", "--fast")
        self.check(done, 0)
        told = [line.partition("Passive object ")[2] for line in done.stderr.splitlines() if "Passive object" in line]
        self.assertEqual(told, ["cup: label CUP, type Cup, graspable", "box: label box, type Object"])

    def test_an_alias_that_does_not_fit(self):
        path = self.write("scene.py", script(["part = Battery()", "part.alter('NED')"]))
        done = self.orrery("build", path, "-o", self.path("out"))
        self.check(done, 69, "no modifier NED for morse.sensors.battery.Battery", "Bias, Delay, DropOut")


if __name__ == "__main__":
    tap.main()
