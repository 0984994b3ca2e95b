# SPDX-License-Identifier: BSD-3-Clause
"""Gives wrong and right values to every property of every class that is no component, at setup and while it runs.

every_part.py PROGRAM [ROLE]: each class, but those of ROLE, has a scene of its own; fixtures/controls.py is acme/parts.py
below plugins/. Prints a line for each value that is taken and should not be, or has no effect, and for each message that
does not say what it should; then how many classes and values were tried.
"""

import json
import math
import re
import subprocess
import sys

import orrery
from gi.repository import GLib

CONTROLS = ["acme.parts.Cover", "acme.parts.Codec", "acme.parts.Ground", "acme.parts.Loose", "acme.parts.Deaf"]
COMPONENTS = ("sensor", "actuator", "robot")
# What users of a scene have no business with.
INSIDE = re.compile(r"\bg(char|u?int|double|boolean|variant)|GVariant|GValue|GParam|gobject|NULL|a\{s|<'|@a|\bint64\b")


def ask(*names):
    return json.loads(subprocess.run([sys.argv[1], "plugins", "--json", *names], capture_output=True, check=True).stdout)


# Codecs of messages differ in what the class says; their properties are those of this one.
MESSAGES = "orrery.middleware.ros.pose.PoseStampedPublisher"
MAPPED = ("orrery.middleware.ros.", "orrery.middleware.message.", "orrery.middleware.record.")

names = [each["classpath"] for module in ask()["modules"] for each in module.get("classes", ())
         if each["role"] not in COMPONENTS and each["classpath"].startswith("orrery.")
         # The component that carries each is a sensor.
         and each.get("direction") != "IN"
         and (each["classpath"] == MESSAGES or not each["classpath"].startswith(MAPPED)
              or each["role"] != "datastream")] + CONTROLS
classes = {}
for i in range(0, len(names), 40):
    classes.update((each["classpath"], each) for each in ask("--plugin-dir", "plugins", *names[i:i + 40])["classes"])

CARRIERS = ["pose.Pose", "imu.IMU", "odometry.Odometry", "gyroscope.Gyroscope", "depth_camera.DepthVideoCamera",
            "video_camera.VideoCamera", "depth_camera.DepthCamera"]
#: Its pictures need no OpenGL.
RAYS = {"depth_camera.DepthVideoCamera": {"cam_width": 16, "cam_height": 16, "with_rays": True}}
SOCKET = "orrery.middleware.socket_datastream.SocketDatastreamManager"
DESK = "orrery.middleware.socket_request_manager.SocketRequestManager"


def scene(name, role, carrier, properties):
    """A scene with a part of that class, and the name by which it is found there."""
    robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
        {"name": "part", "classpath": "orrery.sensors." + carrier, "properties": RAYS.get(carrier, {})}]}
    text = {"orrery": 1, "objects": [robot], "environment": {
        "start": 0, "physics": "orrery.physics.kinematic.Kinematic",
        "properties": {"longitude": 1.43, "latitude": 43.6, "altitude": 135.0}}}
    last = name.rsplit(".", 1)[1]
    if role == "modifier":
        method = classes[name].get("methods") or [{}]
        more = [] if not classes[name].get("methods") else [method[0]["name"]]
        on = "robot" if ".clock." in name else "robot.part"
        text["component_modifier"] = {on: [[name, *more, properties]]}
        return text, "%s/%s#0" % (on, last)
    if role == "datastream":
        manager = SOCKET if name != MESSAGES else "orrery.middleware.ros_datastream.ROSDatastreamManager"
        text["component_datastream"] = {"robot.part": [[manager, name, properties]]}
        return text, "robot.part/%s#0" % last
    if role == "overlay":
        text["overlays"] = {DESK: {"robot.part": [name, properties]}}
        return text, "robot.part/%s#0" % last
    if role in ("datastream_manager", "request_manager"):
        text["stream_manager"] = {name: properties}
        if role == "datastream_manager":
            codec = MESSAGES if ".ros" in name else classes[name].get("publisher")
            # A manager that takes certain records only is there without a stream, too.
            text["component_datastream"] = {"robot.part": [[name, codec, {}]] if codec else []}
        else:
            text["component_service"] = {"robot.part": [name]}
        return text, name
    if role == "script":
        robot["scripts"] = [{"type": "child", "classpath": name, "properties": properties}]
        if "Multinode" in name:
            properties.setdefault("Node", "here")
        return text, "robot/child"
    if role == "observer":
        return text, name
    # An engine has the properties of a class in JSON.
    with open("plugins/acme/made.json", "w") as file:
        json.dump({"classes": {"Made": {"base": name, "properties": properties}}}, file)
    text["environment"][role] = "acme.made.Made"
    if role == "raycaster":
        robot["objects"] = [{"name": "part", "classpath": "orrery.sensors.laserscanner.LaserScanner"}]
    if role == "renderer":
        robot["objects"] = [{"name": "part", "classpath": "orrery.sensors.video_camera.VideoCamera"}]
    return text, "acme.made.Made" if role == "raycaster" else role


def load(name, role, carrier=CARRIERS[0], /, **properties):
    text, full = scene(name, role, carrier, properties)
    with open("part.json", "w") as file:
        json.dump(text, file)
    sim = orrery.load("part.json", plugin_dirs=["plugins"], listen=False, pacing=orrery.Pacing.FAST)
    if role == "observer":
        sim.add_observer(name, orrery._native.to_variant({key: value for key, value in properties.items()}))
    return sim, sim.find_part(full)


def carry(name, role):
    """On the first component that it fits."""
    for carrier in CARRIERS if role in ("modifier", "datastream") else CARRIERS[:1]:
        try:
            return load(name, role, carrier) + (carrier,)
        except GLib.Error as error:
            last = error
    raise last


def wrong_values(p):
    """Pairs of a value and a pattern that the message must have."""
    kind = p["type"]
    if kind in ("float", "int"):
        yield from (("many", "'many' is not a"), ([1.0], "is not a"), ({"x": 1}, "is not a"), (None, "is not a"),
                    ("", "'' is not a"))
        if kind == "float":
            yield math.nan, "NaN"
            for value in math.inf, -math.inf:
                if abs(p.get("maximum" if value > 0 else "minimum", 0)) < 1e309:
                    yield value, "out of range"
        else:
            yield from ((1.5, "is not an integer"), (math.nan, "is not an integer"), (math.inf, "is not an integer"))
        for key, sign in (("minimum", -1), ("maximum", 1)):
            limit = p.get(key)
            if limit is not None and abs(limit) < 1e15:
                beyond = limit + sign * max(1, abs(limit))
                yield (beyond if kind == "float" else int(beyond)), "out of range: "
    elif kind == "bool":
        yield from (("perhaps", "is not a bool"), ([True], "is not a bool"), (2, "is not a bool"), (None, "is not a bool"),
                    (math.nan, "is not a bool"), ("", "is not a bool"))
    elif p.get("choices") or p.get("values"):
        yield from (("no such word", "is not one of"), ("", "is not one of"), ([1], "not a text: one of"),
                    (None, "not a text: one of"), (5, "not a text: one of"))
    elif kind == "string":
        yield from (([1], "is not a text"), (5, "is not a text"), (None, "is not a text"), (math.nan, "is not a text"),
                    ("x" * 70000, "too long"), (["x", "y"], "is not a text"))
    else:
        yield from ((math.nan, ""), ("many", ""), ([1.0], ""), ({"nonesuch": 1}, ""), ("x" * 2000000, "too long"))


def right_values(p):
    kind, default = p["type"], p.get("default")
    if kind in ("float", "int"):
        low, high = p.get("minimum", -1e9), p.get("maximum", 1e9)
        yield from (type(low)(each) for each in (max(low, -1e9), min(high, 1e9), default + 1)
                    if low <= each <= high and each != default)
    elif kind == "bool":
        yield not default
    elif p.get("choices") or p.get("values"):
        yield from [each for each in p.get("choices") or p["values"] if each != default][:1]
    elif kind == "string":
        yield "x"
    else:
        yield 0.25


def look(part, name):
    return part.get_option(name).print_(True)


def refused(what, part, name, value, pattern):
    global checks
    checks += 1
    before = look(part, name)
    try:
        part.set_option(name, orrery._native.to_variant(value))
    except (GLib.Error, TypeError, ValueError, OverflowError) as error:
        words = getattr(error, "message", str(error))
        if re.search(pattern, words) is None or name not in words:
            print("%s: %s and %r are not in: %.200s" % (what, name, pattern, words))
        if INSIDE.search(words):
            print("%s: says what nobody asked: %.200s" % (what, words))
        if len(words) > 1000:
            print("%s: %d characters of a message" % (what, len(words)))
    else:
        print("%s: taken" % what)
    if look(part, name) != before:
        print("%s: changed from %s to %s" % (what, before, look(part, name)))


def obeyed(what, sim, part, p, value):
    """It has the value then, and keeps it, or says why not."""
    global checks
    checks += 1
    name, before = p["name"], look(part, p["name"])
    if p["read"] != "always":
        return refused(what, part, name, value, "read when the simulation starts" if p["read"] == "start" else "no effect")
    try:
        part.set_option(name, orrery._native.to_variant(value))
    except GLib.Error as error:
        if p["type"] not in ("string", "any", "bool"):
            print("%s: refused, and is right: %s" % (what, error.message))
        return
    sim.step(1)
    now = orrery._values.from_variant(part.get_option(name))
    if now != value:
        print("%s: is %r" % (what, now))
    part.set_option(name, part_defaults[name])


def refused_at_setup(what, name, role, carrier, key, value, pattern):
    global checks
    checks += 1
    try:
        load(name, role, carrier, **{key: value})
    except (GLib.Error, ValueError) as error:
        words = getattr(error, "message", str(error))
        if re.search(pattern, words) is None or key not in words or INSIDE.search(words):
            print("%s in a scene: %.300s" % (what, words))
        return
    print("%s in a scene: taken" % what)


checks, tried = 0, 0
for name, description in sorted(classes.items()):
    role = description["role"]
    if role in ("importer", *sys.argv[2:]) or description.get("abstract") or not description["properties"]:
        continue
    try:
        sim, part, carrier = carry(name, role)
    except GLib.Error as error:
        print("%s: not loaded: %s" % (name, error.message))
        continue
    if part is None and role == "renderer":
        continue
    if part is None:
        print("%s: not found" % name)
        continue
    tried += 1
    sim.step(1)
    listed = [p["name"] for p in description["properties"]]
    if listed != part.get_option_names():
        print("%s: has %s, and says %s" % (name, part.get_option_names(), listed))
    part_defaults = {key: part.get_option(key) for key in listed}
    for p in description["properties"]:
        for value, pattern in wrong_values(p):
            refused("%s: %s = %.40r" % (name, p["name"], value), part, p["name"], value, pattern)
        for value in right_values(p):
            obeyed("%s: %s = %r" % (name, p["name"], value), sim, part, p, value)
    try:
        part.set_option("nonesuch", GLib.Variant("d", 1))
        print("%s: nonesuch taken" % name)
    except GLib.Error as error:
        if "has no property 'nonesuch'" not in error.message or (listed and listed[0] not in error.message):
            print("%s: %s" % (name, error.message))
    # The run goes on.
    sim.step(2)
    sim.close()
    for p in description["properties"][:3]:
        for value, pattern in list(wrong_values(p))[:5]:
            refused_at_setup("%s: %s = %.40r" % (name, p["name"], value), name, role, carrier, p["name"], value, pattern)
    if role != "datastream":
        # What a codec does not know is an option of the manager.
        refused_at_setup("%s: nonesuch" % name, name, role, carrier, "nonesuch", 1, "has no property 'nonesuch'")
print("tried", tried, "classes", checks, "values")
