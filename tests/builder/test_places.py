# SPDX-License-Identifier: BSD-3-Clause
"""Where things of a script stand and look in the simulation that runs, by MORSE's words."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import ProgramCase  # noqa: E402

import tap  # noqa: E402

DATA = "/usr/share/morse/data"
HAS_DATA = os.path.isfile(DATA + "/props/objects.blend")

POSES = """
env = Environment('empty')
env.set_physics('orrery.physics.kinematic.Kinematic')
env.set_gravity(0)
sim = env.run(ticks=1)
import json
print(json.dumps({name: [round(value, 6) for value in [*position, *wxyz]]
                  for name, position, wxyz in zip(sim.objects, sim.poses[:, :3].tolist(), sim.poses[:, 3:].tolist())}))
"""

ARM = """<?xml version="1.0"?>
<robot name="arm"><link name="base"/></robot>
"""

#: Three small targets; what is seen in the middle of the picture, and where.
LOOK = """
craft = FakeRobot()
for name, place in (('ahead', (4, 0, 5)), ('up', (4, 0, 7)), ('left', (3, 3, 5)), ('low', (5, 0, 3))):
    target = Cube(name); target.scale = (0.3, 0.3, 0.3); target.translate(*place)
    target._bpy_object.game.physics_type = 'STATIC'
cam = %s(); cam.properties(cam_width=65, cam_height=65, with_rays=True, cam_near=0.5); cam.frequency(60)
craft.translate(z=5); craft.append(cam)
%s
env = Environment('empty')
sim = env.run(ticks=3)
import json
print(json.dumps([[round(float(value), 3) for value in point] for point in sim['craft.cam'].data.points]))
"""


class Places(ProgramCase):
    def run_lines(self, script):
        """What the last line of its output says."""
        path = self.write("scene.py", "from orrery.builder import *\nfrom math import pi\n" + script)
        done = self.orrery("python", path, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_what_is_assigned_is_absolute(self):
        poses = self.run_lines(
            """
a = ATRV(); assert a.location == (0, 0, 0.1); a.location = (1, 2, 3); assert a.location == (1, 2, 3)
b = ATRV(); b.translate(1, 2, 3); assert b.location == (1, 2, 3.1)
c = ATRV(); c.location = (1, 2, 3); c.translate(z=1)
d = ATRV(); d._bpy_object.location.z = 2; d.location[0] = 7; assert d.location == (7, 0, 2)
e = ATRV(); e.location.x += 1; assert e._bpy_object.location.z == 0.1
h = Hummer(); assert h.rotation_euler.z < -1.57; h.rotation_euler = (0, 0, 0)
i = Hummer(); i._bpy_object.rotation_euler.z += pi / 2
j = Hummer()
g = Gripper(); a.append(g); g.location = (0, 0, 0)
k = Gripper(); a.append(k)
""" + POSES
        )
        for name, place in (
            ("a", [1, 2, 3]), ("b", [1, 2, 3.1]), ("c", [1, 2, 4]), ("d", [7, 0, 2]), ("e", [1, 0, 0.1]),
            ("a.g", [1, 2, 3]), ("a.k", [1, 2, 3.037]),
        ):
            self.assertEqual(poses[name][:3], place, name)
        for name, turn in (("h", [1, 0, 0, 0]), ("i", [1, 0, 0, 0]), ("j", [0.707107, 0, 0, -0.707107])):
            self.assertEqual(poses[name][3:], turn, name)

    @unittest.skipUnless(HAS_DATA, "no morse-simulator-data")
    def test_so_is_it_of_files(self):
        poses = self.run_lines(
            """
m = PassiveObject('props/objects', 'SmallTable', keep_pose=True)
n = PassiveObject('props/objects', 'SmallTable', keep_pose=True); n.location = (9, 8, 7)
o = PassiveObject('props/objects', 'SmallTable', keep_pose=True); o.rotation_euler = (0, 0, 0)
p = PassiveObject('props/objects', 'SmallTable', keep_pose=True); p.translate(1)
""" + POSES
        )
        self.assertEqual(poses["n"], [9, 8, 7] + poses["m"][3:])
        self.assertEqual(poses["o"], poses["m"][:3] + [1, 0, 0, 0])
        self.assertEqual(poses["p"], [round(poses["m"][0] + 1, 6)] + poses["m"][1:])
        self.assertNotEqual(poses["m"][:3], [0, 0, 0])

    def look(self, lines, camera="DepthCamera", morse=True):
        """The middle of what the camera sees of the targets: to the right, down, ahead; and how many points.

        Of a script of `morse.builder`, which there is only in the builder's own process, or of one of ours.
        """
        whose = "from orrery.builder import session; session.current().is_morse = %r\n" % morse
        points = self.run_lines(whose + LOOK % (camera, lines))
        near = [point for point in points if point[2] < 8]
        middle = [sum(numbers) / len(near) for numbers in zip(*near)] if near else None
        return near, middle

    def assert_middle(self, lines, ahead, camera="DepthCamera", morse=True):
        near, _ = self.look(lines, camera, morse)
        self.assertTrue(near, lines)
        best = min(near, key=lambda point: abs(point[0]) + abs(point[1]))
        self.assertLess(abs(best[0]) + abs(best[1]), 0.1, lines)
        self.assertAlmostEqual(best[2], ahead, delta=0.45, msg=lines)

    def test_cameras_turn_as_in_morse(self):
        up, left = 4.47, 4.24
        self.assert_middle("", 3.7)
        self.assert_middle("cam.rotate(y=math.atan2(2, 4))", up)
        self.assert_middle("cam.rotate(x=pi / 4)", left)
        self.assert_middle("cam.properties(rotation=0.0); cam.rotate(x=pi / 8); cam.rotate(x=pi / 8)", left, "Velodyne")
        self.assert_middle("cam.rotation_euler = (pi / 2, pi, pi / 2 + pi / 4)", left)
        self.assert_middle("assert cam.rotation_euler == (pi / 2, pi, pi / 2); cam.rotation_euler.x += 0.4636", up)

    def test_cameras_turn_as_all_others(self):
        """In scripts of orrery.builder, about the axes about which lasers and robots turn."""
        up, left = 4.47, 4.24
        self.assert_middle("cam.rotate(y=-math.atan2(2, 4))", up, morse=False)
        self.assert_middle("cam.rotate(z=pi / 4)", left, morse=False)
        self.assert_middle("assert cam.rotation_euler == (0, 0, 0); cam.rotation_euler = (0, 0, pi / 4)", left, morse=False)
        self.assert_middle("cam.rotate(x=1)", 3.7, morse=False)

    def test_a_camera_rolls_about_its_axis(self):
        """Rolled by a quarter to the left, what is below the robot is left in the picture."""
        low = "for thing in ('ahead', 'up', 'left'):\n    bpymorse.delete(thing)\n"
        _, middle = self.look(low)
        self.assertGreater(middle[1], 1.0)
        self.assertLess(abs(middle[0]), 0.3)
        _, middle = self.look(low + "cam.rotate(z=pi / 2)")
        self.assertLess(middle[0], -1.0)
        self.assertLess(abs(middle[1]), 0.3)
        # Rolled with it, up is to the left: MORSE has the angles of one triple.
        self.assert_middle("cam.rotate(y=pi / 4, z=pi / 2)", 4.24)


if __name__ == "__main__":
    tap.main()
