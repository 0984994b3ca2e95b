# SPDX-License-Identifier: BSD-3-Clause
"""Gives wrong values to every property of every component that is installed, and to the arguments of its services.

every_class.py PROGRAM: asks the program what there is, and gives each class a scene of its own. Prints a line for each
value that is taken and should not be, then how many classes and values were tried.
"""

import json
import math
import os
import subprocess
import sys

import orrery
from gi.repository import GLib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from surroundings import BELOW, FORCES, INSIDE, ON, ORIGIN, WHEEL_NAMES, WHEELS  # noqa: E402

listed = json.loads(subprocess.run([sys.argv[1], "plugins", "--json"], capture_output=True, check=True).stdout)
names = [each["classpath"] for module in listed["modules"] for each in module.get("classes", ())
         if each["role"] in ("sensor", "actuator", "robot") and each["classpath"].startswith("orrery.")]
classes = {}
for i in range(0, len(names), 20):
    out = subprocess.run([sys.argv[1], "plugins", "--json"] + names[i:i + 20], capture_output=True, check=True).stdout
    classes.update((each["classpath"], each) for each in json.loads(out)["classes"] if each["classpath"] not in FORCES)

SET = {"orrery.sensors.compound.CompoundSensor": {"sensors": "robot.pose"}}


def scene(name, properties):
    part = {"name": "part", "classpath": name, "properties": dict(SET.get(name, {}), **properties)}
    robot = {"name": "robot", "classpath": "orrery.robots.hummer.Hummer", "position": [0, 0, 3], "objects": [
        {"name": "pose", "classpath": "orrery.sensors.pose.Pose"}, part]}
    full = "robot.part"
    robot["classpath"] = ON.get(name, robot["classpath"])
    if classes[name]["role"] == "robot":
        robot, full = part, "part"
        if name.startswith("orrery.core.wheeled_robot"):
            part["body"] = {"type": "rigid", "mass": 5}
            part["objects"] = WHEELS
            part["properties"] = dict(WHEEL_NAMES, **part["properties"])
    elif name in INSIDE:
        robot["objects"] = [{"name": "holder", "classpath": INSIDE[name], "objects": [part]}]
        full = "robot.holder.part"
    else:
        part["objects"] = BELOW.get(name, [])
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
