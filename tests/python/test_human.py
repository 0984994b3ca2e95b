# SPDX-License-Identifier: BSD-3-Clause
"""The person as scripts build it: the skeleton of our own model and of MORSE's file, streams, services, a hand."""

import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase  # noqa: E402

import tap  # noqa: E402

FILE = "/usr/share/morse/data/robots/human_rig.blend"
TARGETS = ["wrist_L", "wrist_R", "head", "foot_L", "foot_R"]

SCENE = """
from morse.builder import *

human = Human()
human.translate(x=1)
human.add_service('socket')
human.add_interface('socket')
%s
env = Environment('empty')
"""

MODEL = """
model = Human(%r)
model.translate(y=5)
model.add_interface('socket')
""" % FILE

PROGRAM = """
import json, socket, sys, time
import orrery

sim = orrery.load("scene", pacing=orrery.Pacing.FAST)
sim.step(2)
world = sim.get_world()

def places(robot):
    snapshot = world.get_snapshot()
    base = None
    found = {}
    for i in range(world.get_n_objects()):
        object = world.get_object(i)
        name = object.get_name()
        if name == robot:
            base = snapshot.get_pose(i).position
        if name.startswith(robot + ".") and object.get_value("tip") is not None:
            place = snapshot.get_pose(i).position
            found[object.get_basename()] = [place.x - base.x, place.y - base.y, place.z - base.z]
    return found

seen = {}
for robot in sys.argv[1:]:
    skeleton = robot + ".skeleton"
    part = seen[robot] = {"joints": sim.call(skeleton, "get_joints"), "targets": sim.call(skeleton, "list_IK_targets")}
    part["states"] = sim.call(skeleton + ".joint_states", "get_joints")
    part["limits"] = [list(sim.call(skeleton, "get_IK_limits", j)) for j in part["joints"]]
    part["places"] = places(robot)
    sim.call(skeleton, "set_rotation", "lowerarm01_R", 1.2)
    sim.step(2)
    part["bent"] = sim.call(skeleton + ".joint_states", "get_joint", "lowerarm01_R")
    part["wrist"] = places(robot)["wrist_R"]
    port = sim.call("simulation", "get_stream_port", skeleton + ".joint_states")
    client = socket.create_connection(("127.0.0.1", port))
    client.settimeout(0.01)
    text, until = b"", time.monotonic() + 60
    while text.count(b"\\n") < 1 and time.monotonic() < until:
        sim.step(1)
        try:
            text += client.recv(65536)
        except TimeoutError:
            pass
    part["stream"] = json.loads(text.split(b"\\n")[0])
seen["services"] = sim.call("human", "grasp", True) is None
print(json.dumps(seen))
"""


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Human(PythonCase):
    def seen(self, more, *robots):
        return self.seen_by(PROGRAM, SCENE % more, *robots)

    def check_part(self, robot, part):
        self.assertEqual(part["targets"], ["ik_target.%s.skeleton.%s" % (robot, name) for name in TARGETS])
        self.assertEqual(part["states"], part["joints"])
        self.assertEqual(len(part["joints"]), 76)
        self.assertAlmostEqual(part["bent"], 1.2)
        self.assertEqual(list(part["stream"]), ["timestamp"] + part["joints"])
        self.assertAlmostEqual(part["stream"]["lowerarm01_R"], 1.2)
        moved = sum((a - b) ** 2 for a, b in zip(part["wrist"], part["places"]["wrist_R"])) ** 0.5
        # The forearm is 26 cm long, and was turned by more than a rad.
        self.assertGreater(moved, 0.2)

    def test_own(self):
        """Without the package: joints, targets, services and the stream are there."""
        seen = self.seen("", "human")
        self.check_part("human", seen["human"])
        self.assertTrue(seen["services"])
        # A head is above a chest, that above knees, those above feet.
        z = {name: place[2] for name, place in seen["human"]["places"].items()}
        self.assertGreater(z["head"], 1.3)
        self.assertTrue(z["head"] > z["spine01"] > z["upperleg02_L"] > z["lowerleg01_L"] > z["foot_L"] > 0, z)

    @unittest.skipUnless(os.path.isfile(FILE), "no model of MORSE's: package morse-simulator-data")
    def test_file(self):
        """The model's own bones, by the importer, are where ours are, and bend as far."""
        seen = self.seen(MODEL, "human", "model")
        own, file = seen["human"], seen["model"]
        self.check_part("model", file)
        self.assertEqual(file["joints"], own["joints"])
        for name, place in file["places"].items():
            for ours, theirs in zip(own["places"][name], place):
                self.assertAlmostEqual(ours, theirs, delta=0.004, msg=name)
        for ours, theirs in zip(own["limits"], file["limits"]):
            for a, b in zip(ours, theirs):
                self.assertAlmostEqual(a, b, delta=0.002)
        for ours, theirs in zip(own["wrist"], file["wrist"]):
            self.assertAlmostEqual(ours, theirs, delta=0.005)

    def test_refused(self):
        """Bones that there are none of, and files that there are none of."""
        for line, words in (("human.skeleton.create_ik_targets(['haed'])", "no joint haed; did you mean head"),
                            ("human.skeleton.create_ik_targets('head')", "want a list of names of bones"),
                            ("other = Human('no_such_rig')", "no model no_such_rig among the plugins")):
            self.write("scene.py", SCENE % line)
            done = self.orrery("check", "scene.py")
            self.assertIn(done.returncode, (65, 69), done.stderr)
            self.assertIn(words, done.stderr)

    def test_words_of_older_releases(self):
        """Methods for the window have no effect; the service `move` displaces the person, in its own axes."""
        self.write("scene.py", SCENE % "human.rotate(z=0.5)\nhuman.use_world_camera()\nhuman.disable_keyboard_control()")
        built = self.orrery("build", "scene.py", "-o", "scene")
        self.assertEqual(built.returncode, 0, built.stderr)
        for name in ("use_world_camera", "disable_keyboard_control"):
            self.assertIn("Human.%s() has no effect" % name, built.stderr)
        self.write("program.py", """
import orrery
sim = orrery.load("scene", pacing=orrery.Pacing.FAST)
sim.step(2)
begin = sim.poses[sim.objects.index("human")].tolist()
sim["human"].move(0.25, 0.3)
sim.step()
sim["human"].move(0.25, 0.0)
sim.step()
end = sim.poses[sim.objects.index("human")].tolist()
print(end[0] - begin[0], end[1] - begin[1])
""")
        done = self.orrery("python", "program.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        x, y = map(float, done.stdout.split())
        self.assertAlmostEqual(x, 0.25 * (math.cos(0.5) + math.cos(0.8)), 3)
        self.assertAlmostEqual(y, 0.25 * (math.sin(0.5) + math.sin(0.8)), 3)
        self.assertEqual(done.stderr.count("the service move is of older releases"), 1)


if __name__ == "__main__":
    tap.main()
