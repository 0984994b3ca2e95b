# SPDX-License-Identifier: BSD-3-Clause
"""Every class that is installed, by what it says of itself: values that its properties and services must refuse."""

import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

# One process asks `orrery plugins --json` what there is, and gives each class a scene of its own.
PROGRAM = r'''
import json
import math
import subprocess
import sys

listed = json.loads(subprocess.run([sys.argv[1], "plugins", "--json"], capture_output=True, check=True).stdout)
names = [each["classpath"] for module in listed["modules"] for each in module.get("classes", ())
         if each["role"] in ("sensor", "actuator", "robot") and each["classpath"].startswith("orrery.")]
classes = {}
for i in range(0, len(names), 20):
    out = subprocess.run([sys.argv[1], "plugins", "--json"] + names[i:i + 20], capture_output=True, check=True).stdout
    classes.update((each["classpath"], each) for each in json.loads(out)["classes"])

# What a class needs around it.
PARTS = [{"name": "PanBase", "objects": [{"name": "TiltBase"}]},
         {"name": "joint", "joint": {"kind": "hinge", "limits": [-1, 1]}}]
NEEDS = {"orrery.sensors.ptu_posture.PTUPosture": "orrery.actuators.ptu.PTU",
         "orrery.sensors.armature_pose.ArmaturePose": "orrery.actuators.kuka_lwr.KukaLWR"}
SET = {"orrery.sensors.compound.CompoundSensor": {"sensors": "robot.pose"}}
BODILESS = {"orrery.actuators.stabilized_quadrotor.StabilizedQuadrotor"}
ORIGIN = {"longitude": 1.43, "latitude": 43.6, "altitude": 135.0}


def scene(name, properties):
    part = {"name": "part", "classpath": name, "properties": dict(SET.get(name, {}), **properties)}
    robot = {"name": "robot", "classpath": "orrery.robots.hummer.Hummer", "position": [0, 0, 3], "objects": [
        {"name": "pose", "classpath": "orrery.sensors.pose.Pose"}, part]}
    full = "robot.part"
    if name in BODILESS:
        robot["classpath"] = "orrery.robots.fakerobot.FakeRobot"
    if classes[name]["role"] == "robot":
        robot, full = part, "part"
        if name.startswith("orrery.core.wheeled_robot"):
            part["body"] = {"type": "rigid", "mass": 5}
            part["properties"].update(WheelFLName="fl", WheelFRName="fr", WheelRLName="rl", WheelRRName="rr")
            part["objects"] = [{"name": n, "position": [x, y, 0], "shapes": [
                {"kind": "sphere", "radius": 0.1, "solid": False}]}
                for n, x, y in (("fl", 0.5, 0.5), ("fr", 0.5, -0.5), ("rl", -0.5, 0.5), ("rr", -0.5, -0.5))]
            part["properties"].update(properties)
    elif name in NEEDS:
        robot["objects"] = [{"name": "holder", "classpath": NEEDS[name], "objects": [part]}]
        full = "robot.holder.part"
    elif name == "orrery.actuators.segments.Segments":
        part["objects"] = [{"name": "j%d" % i, "joint": {"kind": "hinge"}} for i in range(6)]
    elif name in ("orrery.actuators.pan_tilt.PanTilt", "orrery.actuators.armature.Armature"):
        part["objects"] = PARTS
    elif name == "orrery.sensors.depth_camera_aggregator.DepthCameraAggregator":
        part["objects"] = [{"name": "eye", "classpath": "orrery.sensors.depth_camera.DepthCamera"}]
    return {"orrery": 1, "environment": {"start": 0, "physics": "orrery.physics.kinematic.Kinematic",
                                         "properties": ORIGIN}, "objects": [robot]}, full


def load(name, **properties):
    text, full = scene(name, properties)
    with open("every.json", "w") as file:
        json.dump(text, file)
    return orrery.load("every.json", listen=False, pacing=orrery.Pacing.FAST), full


def wrong_values(p):
    """Pairs of a value and words that the message must have."""
    kind = p["type"]
    if kind in ("float", "int"):
        yield "many", None
        yield [1], None
        if kind == "float":
            yield math.nan, None
        for key, sign in (("minimum", -1), ("maximum", 1)):
            limit = p.get(key)
            if limit is not None and math.isfinite(limit) and abs(limit) < 1e15:
                beyond = limit + sign * max(1, abs(limit))
                yield (beyond if kind == "float" else int(beyond)), "out of range"
    elif kind == "bool":
        yield "perhaps", None
        yield [True], None
    elif kind == "text":
        yield [1], None
    elif kind == "enum" or "values" in p:
        yield "no such word", None
        yield [1], None


def refused(what, func, words=None):
    global checks
    checks += 1
    try:
        func()
    except (GLib.Error, TypeError, ValueError, OverflowError) as error:
        if words is not None and words not in str(error):
            print("%s: %s is not in: %s" % (what, words, error))
        return
    print("%s: taken" % what)


def of_type(kind):
    return {"d": 0.0, "x": 0, "s": "x", "b": False, "v": 0.0}[kind]


def wrong_for(kind):
    return {"d": ["x", [1], math.nan, math.inf], "x": ["x", 1.5, [1]], "s": [1, [1]], "b": ["x", [1]], "v": []}[kind]


def try_services(name, description, sim, full):
    for service in description["services"]:
        arguments = service["arguments"]
        right = [of_type(a["type"]) for a in arguments]

        def call(*values):
            made = sim.call(full, service["name"], *values)
            if isinstance(made, orrery.Call):
                made.cancel()

        refused("%s.%s with too many" % (name, service["name"]), lambda: call(*(right + [1.0])))
        for i, argument in enumerate(arguments):
            for wrong in wrong_for(argument["type"]):
                values = right[:i] + [wrong] + right[i + 1:]
                refused("%s.%s (%s = %r)" % (name, service["name"], argument["name"], wrong), lambda: call(*values))
        needed = [a for a in arguments if "default" not in a]
        if needed:
            refused("%s.%s with none" % (name, service["name"]), lambda: call())


checks, tried = 0, 0
for name, description in sorted(classes.items()):
    if description.get("abstract"):
        continue
    try:
        sim, full = load(name)
    except GLib.Error as error:
        print("%s: not loaded: %s" % (name, error.message))
        continue
    tried += 1
    for p in description["properties"]:
        for value, words in wrong_values(p):
            what = "%s: %s = %r" % (name, p["name"], value)

            def change():
                sim.call(full, "set_property", p["name"], value)

            refused(what, change, words)
    for p in description["properties"][:1]:
        for value, words in list(wrong_values(p))[:1]:
            refused("%s: %s = %r in a scene" % (name, p["name"], value), lambda: load(name, **{p["name"]: value}))
    try_services(name, description, sim, full)
print("tried", tried, "classes", checks, "values")
'''


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class EveryClass(PythonCase):
    def test_wrong_values(self):
        """What is out of range, not a number, of another type, or one too many is refused, by every class."""
        self.write("every.py", "import orrery\nfrom gi.repository import GLib\n" + PROGRAM)
        done = self.orrery("python", "every.py", cli.PROGRAM, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertRegex(lines[-1], r"^tried \d+ classes \d+ values$")
        words = lines[-1].split()
        self.assertGreater(int(words[1]), 50)
        self.assertGreater(int(words[3]), 1000)
        print("# " + lines[-1])
        self.assertEqual("\n".join(lines[:-1]), "")


if __name__ == "__main__":
    tap.main()
