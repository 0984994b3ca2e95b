# SPDX-License-Identifier: BSD-3-Clause
"""Goes on from a state with every class that is installed, each beside a run that was not interrupted.

saved_classes.py PROGRAM ENGINE [--moving] [--cancel CLASSPATH]: each class stands in a scene on a robot of its own that
moves, and so does each long service, whose call is under way when the state is saved. Prints a line for each class that
goes on otherwise, then how many calls there were. --moving leaves out sensors and what is on them; --cancel ends a call
of one class after the restore: a control.
"""

import argparse
import json
import os
import subprocess
import sys

import orrery
from gi.repository import GLib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from surroundings import BELOW, EYE, FITS, FORCES, INSIDE, JOINT, NEEDS, ON, ORIGIN, WHEEL_NAMES, WHEELS, A, R, S  # noqa: E402

BEFORE, AFTER = 45, 45
#: Robots of a scene: a camera draws all of them.
PER_SCENE, PER_ROW, SPACING = 32, 6, 5.0
GROUND = {"name": "ground", "position": [0, 0, -0.5], "body": {"type": "static"},
          "shapes": [{"kind": "box", "size": [200, 200, 1]}]}
CAMERAS = {S + "stereo_unit.StereoUnit": [EYE, dict(EYE, name="other")]}
# Of modifiers of robots.
ROBOTS = {"orrery.core.robot.Robot": R + "atrv.ATRV"}
SET = {S + "search_and_rescue.SearchAndRescue":
       {"Abilities": "1,2", "Distance": 9.0, "Angle": 360.0, "Heal_range": 9.0}}
VICTIM = {"classpath": R + "victim.Victim"}
# Arguments of calls that take longer than from their start to the state.
CALLS = {"heal": [], "capture": [8], "set_pan_tilt": [1.1, 0.6], "look_at_point": [3.0, 90.0, 1.0],
         "look_at_object": ["far"]}
GOTO = {A + "joint.Position": [0.8, 0.6, 0.02], A + "waypoint.Waypoint": [0.9, 0.0, 0.0, 0.4, 1.0],
        A + "rotorcraft_waypoint.RotorcraftWaypoint": [0.5, 0.0, 0.0, 0.0, 0.3]}


def describe_classes(program):
    """Of each class: what the program tells of it."""
    def ask(*paths):
        out = subprocess.run([program, "plugins", "--json", *paths], capture_output=True, check=True).stdout
        return json.loads(out)
    names = [each["classpath"] for module in ask()["modules"] for each in module.get("classes", ())
             if each["role"] in ("sensor", "actuator", "robot", "modifier")
             and each["classpath"].startswith("orrery.") and each["classpath"] not in FORCES]
    told = [each for i in range(0, len(names), 20) for each in ask(*names[i:i + 20])["classes"]]
    return {each["classpath"]: each for each in told if not each.get("abstract")}


def list_entries(classes):
    """(classpath of the component, modifier, service), each of which gets a robot."""
    for classpath, entry in sorted(classes.items()):
        if entry["role"] == "modifier":
            fits = FITS.get(classpath, entry["aliases"][0]["component"])
            yield fits if fits.startswith(S) else ROBOTS.get(fits, S + "pose.Pose"), classpath, None
            continue
        yield classpath, None, None
        # Those of a class that is data are its base's.
        for service in entry["services"] if "base" not in entry else ():
            if service["kind"] == "long":
                yield classpath, None, service["name"]


def make_robot(index, entry):
    """A robot with the component, whose full name is the second."""
    classpath, role, name = entry["classpath"], entry["role"], "r%d" % index
    robot = {"name": name, "classpath": ON.get(classpath, R + "pioneer3dx.Pioneer3DX"),
             "position": [SPACING * (index % PER_ROW - PER_ROW // 2), SPACING * (index // PER_ROW - PER_ROW // 2), 0.0]}
    motion = {"name": "motion", "classpath": A + "v_omega.MotionVW"}
    if role == "robot":
        robot.update(classpath=classpath, objects=[motion])
        if classpath.startswith("orrery.core."):
            robot["shapes"] = [{"kind": "box", "size": [0.5, 0.5, 0.2]}]
        if classpath.startswith("orrery.core.wheeled_robot"):
            robot.update(body={"type": "rigid", "mass": 5}, objects=WHEELS + [motion], properties=WHEEL_NAMES)
        return robot, name
    part = {"name": "part", "classpath": classpath, "objects": dict(BELOW, **CAMERAS).get(classpath, []), "frequency": 20,
            "properties": dict(SET.get(classpath, {}))}
    known = {p["name"] for p in entry["properties"]}
    if "cam_width" in known and "keep_list" not in known:
        part["properties"].update(cam_width=16, cam_height=16)
    if classpath.endswith(".CompoundSensor"):
        part["properties"] = {"sensors": name + ".pose"}
    full = name + ".part"
    if classpath in INSIDE:
        part, full = {"name": "holder", "classpath": INSIDE[classpath], "objects": [part]}, name + ".holder.part"
    robot["objects"] = [{"name": "pose", "classpath": S + "pose.Pose"}, part]
    if classpath.startswith(A + "joint."):
        robot["objects"].append(JOINT)
    if role == "sensor":
        robot["objects"].append(motion)
    return robot, full


def write_scene(classes, entries, engine):
    """The scene's file; returns of each of its entries (full name, class, modifier, service)."""
    objects, modifiers, parts = [GROUND], {}, []
    for index, (classpath, modifier, service) in enumerate(entries):
        robot, full = make_robot(index, classes[classpath])
        objects.append(robot)
        x, y, _ = robot["position"]
        objects.append(dict(VICTIM, name="victim%d" % index, position=[x + 1.5, y, 0]))
        if modifier:
            modifiers[full] = [[modifier, "OUT", NEEDS.get(modifier, {})]]
        parts.append((full, classpath, modifier, service))
    objects.append({"name": "far", "position": [-3, 90, 1]})
    with open("saved_classes.json", "w") as file:
        json.dump({"orrery": 1, "objects": objects, "component_modifier": modifiers, "environment": {
            "frequency": 60, "start": 0, "auto_tune": False, "properties": ORIGIN, "physics": engine}}, file)
    return parts


def load():
    return orrery.load("saved_classes.json", seed=7, start=0, hash=True, listen=False, pacing=orrery.Pacing.FAST)


def drive(sim, full, entry):
    """An actuator is told something, what else there is moves with its robot."""
    if entry["role"] != "actuator":
        motion = sim[full.partition(".")[0] + ".motion"].data
        motion.v, motion.w = 0.4, 0.3
        return
    data = sim[full].data
    for field, value in dict(data).items():
        if isinstance(value, float):
            setattr(data, field, 0.3)


def pick(limits):
    """A goal for a joint, from 0, and a speed that gets there in 0.8 s."""
    goal = next(each for each in (limits[1], limits[0]) if each != 0)
    goal = max(-0.5, min(0.5, 0.8 * goal))
    return goal, abs(goal) / 0.8


def list_calls(sim, full, classpath, service):
    """Arguments to try, until with some the service has something to do for a while."""
    if service == "goto" and classpath == A + "joint.Position":
        return [GOTO[classpath]]
    if service == "goto":
        here = sim[full.partition(".")[0] + ".pose"].data
        x, y, z, *rest = GOTO[classpath]
        return [[here.x + x, here.y + y, here.z + z, *rest]]
    if service in CALLS:
        return [CALLS[service]]
    if service == "move_IK_target":
        return [[target, [0.03, 0.02, -0.03], None, True, 0.05, 0.1] for target in sim.call(full, "list_IK_targets")]
    goals = {joint: pick(sim.call(full, "get_IK_limits", joint)) for joint in sim.call(full, "get_joints")}
    if service == "trajectory":
        positions = [goal for goal, _ in goals.values()]
        return [[{"points": [{"positions": positions, "time_from_start": 0.4},
                             {"positions": [each / 2 for each in positions], "time_from_start": 0.8}]}]]
    if service in ("rotate_joints", "translate_joints"):
        return [[{joint: goal}, speed] for joint, (goal, speed) in goals.items()]
    return [[joint, goal, speed] for joint, (goal, speed) in goals.items()]


def start_call(sim, full, classpath, service):
    """False: the class has nothing that the service could move."""
    for arguments in list_calls(sim, full, classpath, service):
        try:
            sim.call(full, service, *arguments)
        except GLib.Error:
            continue
        if sim[full].get_call() is not None:
            return True
    return False


def list_busy(sim, parts):
    return {full for full, *_ in parts if sim[full].get_call() is not None}


def go_on(sim, parts):
    """What is to be seen tick by tick: the hash, who is busy; now and then all records."""
    seen = []
    for tick in range(AFTER):
        sim.step(1)
        records = {full: repr(dict(sim[full].data)) for full, *_ in parts} if tick % 12 == 0 else {}
        seen.append((sim.hash, list_busy(sim, parts), records))
    return seen


def compare(parts, one, other, how):
    """Tells of the first tick in which something is otherwise, and of what."""
    for tick, ((hash_a, busy_a, records_a), (hash_b, busy_b, records_b)) in enumerate(zip(one, other)):
        wrong = busy_a ^ busy_b | {full for full in records_a if records_a[full] != records_b[full]}
        if hash_a != hash_b or wrong:
            print("%s: %d ticks after the state, another %s" % (how, tick + 1, "hash" if hash_a != hash_b else "record"))
        for full, classpath, modifier, service in parts:
            if full in wrong:
                print("%s: %s %s" % (how, " ".join(filter(None, (classpath, modifier, service))),
                                     "is no longer busy" if full in busy_a - busy_b else "is otherwise"))
        if wrong:
            break


def go_through(classes, entries, options):
    """One scene, a state of it, and what comes after; how many calls were under way."""
    parts = write_scene(classes, entries, options.engine)
    sim = load()
    for full, classpath, _, _ in parts:
        drive(sim, full, classes[classpath])
    sim.step(BEFORE - 5)
    calls = {full: "%s.%s" % (classpath, service) for full, classpath, _, service in parts
             if service and start_call(sim, full, classpath, service)}
    sim.step(5)
    for full in calls.keys() - list_busy(sim, parts):
        print("done before the state:", calls[full])
    state = sim.save()
    one = go_on(sim, parts)
    other = load()
    other.restore(state)
    for full, classpath, _, service in parts:
        if service and classpath == options.cancel:
            other[full].get_call().cancel()
    compare(parts, one, go_on(other, parts), "elsewhere")
    sim.restore(state)
    compare(parts, one, go_on(sim, parts), "again")
    return len(calls)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("engine")
    parser.add_argument("--moving", action="store_true")
    parser.add_argument("--cancel")
    options = parser.parse_args()
    classes = describe_classes(options.program)
    entries = list(list_entries(classes))
    if options.moving:
        entries = [entry for entry in entries if classes[entry[0]]["role"] != "sensor"]
    if options.cancel:
        entries = [entry for entry in entries if entry[0] == options.cancel]
    calls = sum(go_through(classes, entries[i:i + PER_SCENE], options) for i in range(0, len(entries), PER_SCENE))
    print("calls", calls, "of", sum(1 for entry in entries if entry[2]))


main()
