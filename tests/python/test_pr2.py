# SPDX-License-Identifier: BSD-3-Clause
"""PR2 as scripts build it: its armatures carry each other, its joints are where the model says, and are told."""

import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase  # noqa: E402

import tap  # noqa: E402

SCENE = """
from morse.builder import *

pr2 = LocalizedPR2(with_keyboard=False)
pr2.add_service('socket')
pr2.add_interface('socket')
palm = Pose()
pr2.l_arm.append(palm)
palm.translate(x=0.9467)
bare = BarePR2()
bare.translate(y=5)
env = Environment('empty')
"""

VARIANTS = """
from morse.builder import *
base, loc, still, nav = BasePR2(), LocalizedPR2(), LocalizedPR2(None, False), NavPR2('nav', True, True)
env = Environment('empty')
"""

PROGRAM = """
import json, socket, time
import orrery
from gi.repository import GLib

sim = orrery.load("scene", pacing=orrery.Pacing.FAST)

def refused(part, name, *values):
    try:
        sim.call(part, name, *values)
    except GLib.Error as error:
        return error.message
    return "taken"

# m, from the robot's origin: it may sink into the ground a little.
def palm():
    there, here = (sim.call(name, "get_local_data") for name in ("pr2.torso.l_arm.palm", "pr2.pose"))
    return [there[key] - here[key] for key in "xyz"]

seen = {"armatures": sim.call("pr2", "get_armatures"), "minmax": list(sim.call("pr2", "get_torso_minmax"))}
seen["refused"] = [refused("pr2", "set_torso", h) for h in (0.5, -0.1)] + [refused("bare", "get_torso")]
sim.step(2)
seen["rest"] = palm()
sim.call("pr2", "set_torso", 0.2)
sim.call("pr2.torso.l_arm", "set_rotation", "l_shoulder_lift_joint", 0.5)
sim.call("pr2.torso.l_arm", "set_rotation", "l_elbow_flex_joint", 0.7)
sim.call("pr2.torso.l_arm", "set_rotation", "l_shoulder_pan_joint", 0.3)
sim.step(400)
seen["lifted"] = sim.call("pr2", "get_torso")
seen["bent"] = palm()

# The stream, as a client reads it.
client = socket.create_connection(("127.0.0.1", sim.call("simulation", "get_stream_port", "pr2.joint_state")))
client.settimeout(0.01)
text, until = b"", time.monotonic() + 60
while text.count(b"\\n") < 1 and time.monotonic() < until:
    sim.step(1)
    try:
        text += client.recv(65536)
    except TimeoutError:
        pass
seen["stream"] = json.loads(text.split(b"\\n")[0])
seen["joints"] = sim.call("pr2.torso.l_arm.pose", "get_joints")
seen["torso"] = sim.call("pr2.torso.pose", "get_joints")
print(json.dumps(seen))
"""

# Places of the model, m: shoulder, and how long upper arm and the rest are.
SHOULDER = (-0.05, 0.188, 0.790675)
PAN, UPPER, REST = 0.1, 0.4, 0.4467


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class PR2(PythonCase):
    def seen(self):
        return self.seen_by(PROGRAM, SCENE)

    def test_joints(self):
        """The palm is where two links in a plane put it, and goes up with the torso."""
        from math import cos, sin
        seen = self.seen()
        self.assertEqual(seen["armatures"], ["pr2.torso"] + ["pr2.torso." + n for n in ("head", "l_arm", "r_arm")])
        self.assertEqual(seen["minmax"], [0.0, 0.31])
        self.assertEqual([words in said for words, said in zip(
            ("out of range: 0 to 0.31", "out of range", "bare has no torso"), seen["refused"])], [True] * 3)
        straight = (SHOULDER[0] + PAN + UPPER + REST, SHOULDER[1], SHOULDER[2])
        for got, want in zip(seen["rest"], straight):
            self.assertAlmostEqual(got, want, places=4)
        # By full steps, until it is within DistanceTolerance.
        self.assertAlmostEqual(seen["lifted"], 0.195, delta=0.0009)
        # Lift and flex turn about y: down, in the plane that pan turned.
        reach = PAN + UPPER * cos(0.5) + REST * cos(0.5 + 0.7)
        drop = UPPER * sin(0.5) + REST * sin(0.5 + 0.7)
        bent = (SHOULDER[0] + reach * cos(0.3), SHOULDER[1] + reach * sin(0.3), SHOULDER[2] + seen["lifted"] - drop)
        for got, want in zip(seen["bent"], bent):
            self.assertAlmostEqual(got, want, places=4)
        names = ["shoulder_pan", "shoulder_lift", "upper_arm_roll", "elbow_flex", "forearm_roll", "wrist_flex", "wrist_roll"]
        self.assertEqual(seen["joints"], ["l_%s_joint" % name for name in names])
        self.assertEqual(seen["torso"], ["torso_lift_joint"])
        self.check_stream(seen["stream"], seen["lifted"])

    def test_variants(self):
        """What the builder puts on each of them, where, and with which settings."""
        self.write("variants.py", VARIANTS)
        self.check(self.orrery("build", "variants.py", "-o", "out"), 0)
        with open(self.path("out/scene.json"), encoding="utf-8") as file:
            robots = {thing["name"]: thing for thing in json.load(file)["objects"]}
        for name, more in (("base", []), ("loc", ["motion", "keyboard", "pose"]), ("still", ["motion", "pose"]),
                           ("nav", ["motion", "keyboard", "odometry", "base_scan"])):
            parts = {part["name"]: part for part in robots[name]["objects"]}
            self.assertEqual(list(parts), ["torso", "joint_state"] + more)
            self.assertEqual(robots[name]["classpath"], "morse.robots.pr2.PR2")
            torso = parts["torso"]
            self.assertAlmostEqual(torso["position"][2], 0.790675, places=6)
            self.assertEqual([part["name"] for part in torso["objects"]], ["pose", "head", "l_arm", "r_arm"])
            self.assertEqual([[part["name"] for part in arm["objects"]] for arm in torso["objects"][1:]], [["pose"]] * 3)
            self.assertEqual(parts["joint_state"]["properties"]["sensors"], ",".join(
                name + ".torso" + arm + ".pose" for arm in ("", ".head", ".l_arm", ".r_arm")))
            if "motion" in parts:
                self.assertEqual(parts["motion"]["classpath"], "morse.actuators.xy_omega.MotionXYW")
                self.assertEqual(parts["motion"]["properties"], {"ControlType": "Position"})
        scan = parts["base_scan"]
        self.assertEqual(scan["classpath"], "morse.sensors.hokuyo.Hokuyo")
        self.assertEqual([round(number, 6) for number in scan["position"]], [0.275, 0.0, 0.252])
        self.assertEqual(scan["properties"], {"Visible_arc": True, "laser_range": 30.0, "scan_window": 180.0, "resolution": 1.0})

    def test_interfaces(self):
        """Over sockets only the joints are told; the robot itself has no stream, which is no error."""
        for name, line in (("a", "p = NavPR2()"), ("b", "p = LocalizedPR2()")):
            self.write(name + ".py", "from morse.builder import *\n%s\np.add_stream('socket')\np.add_interface('socket')\n"
                                     "p.head_pose.add_stream('text')\nenv = Environment('empty')\n" % line)
            built = self.orrery("build", name + ".py", "-o", name)
            self.check(built, 0)
            self.assertIn("PR2.add_stream has no effect: the robot has no record", built.stderr)
            config = {}
            with open(self.path(name + "/component_config.py"), encoding="utf-8") as file:
                exec(file.read(), config)  # pylint: disable=exec-used
            self.assertEqual(sorted(config["component_datastream"]), ["p.joint_state", "p.torso.head.pose"])
            self.assertEqual(sorted(config["component_service"]),
                             ["p.torso", "p.torso.head", "p.torso.l_arm", "p.torso.r_arm"])

    def check_stream(self, stream, lifted):
        """All 45 joints of a PR2, those that no sensor knows at 0."""
        self.assertEqual(list(stream)[0], "timestamp")
        self.assertEqual(len(stream), 46)
        known = {"torso_lift_joint": lifted, "l_shoulder_pan_joint": 0.3, "l_shoulder_lift_joint": 0.5, "l_elbow_flex_joint": 0.7}
        for name, value in stream.items():
            if name != "timestamp":
                self.assertAlmostEqual(value, known.get(name, 0.0))


if __name__ == "__main__":
    tap.main()
