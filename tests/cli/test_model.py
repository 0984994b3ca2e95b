# SPDX-License-Identifier: BSD-3-Clause
"""A model alone is a scene: on an empty floor, or in the world that its file has."""

import json
import os
import sys
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from support import BUILD, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

HAS_MUJOCO = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers/read-mjcf"))
ARM = os.path.join(SOURCE, "examples/robots/arm.urdf")
CART = os.path.join(SOURCE, "examples/robots/cart.xml")

# A box whose origin is its middle, with a sensor that tells where it is.
BOX = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0"
iyz="0"/></inertial><collision><geometry><box size=".4 .4 .4"/></geometry></collision></link>
<gazebo reference="base"><sensor name="gps" type="gps"/></gazebo></robot>"""

BALL = '<mujoco><worldbody><body name="ball"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


class Model(ProgramCase):
    def components(self, *arguments):
        done = self.orrery("check", *arguments)
        self.check(done, 0)
        return done.stdout.split("components: ")[1].strip().split(", "), done.stderr

    def test_robot(self):
        """A robot is checked, listed and run by the name of its file alone."""
        names, words = self.components("-v", ARM)
        self.assertEqual(names[:3], ["arm", "arm.joints", "arm.shoulder_pan"])
        self.assertIn("arm.urdf: a model alone, on an empty floor", words)
        self.check(self.orrery("order", ARM), 0, "arm.joints")
        done = self.orrery("run", ARM, "--fast", "--offline", "--ticks=30", "--hash", "--quiet", "--seed=1")
        self.check(done, 0, "hash ")
        again = self.orrery("run", ARM, "--fast", "--offline", "--ticks=30", "--hash", "--quiet", "--seed=1")
        self.assertEqual(again.stdout.split("hash ")[1], done.stdout.split("hash ")[1])

    def test_it_stands_on_the_floor(self):
        """A robot whose origin is its middle begins above the floor and stays there."""
        path = self.write("my robot-1.urdf", BOX)
        self.assertEqual(self.components(path)[0], ["my_robot_1", "my_robot_1.gps"])
        port = self.services_port(self.start("run", path))
        self.check(self.orrery("call", "--port", port, "time", "sleep", "[1]"), 0)
        done = self.orrery("call", "--port", port, "my_robot_1.gps", "get_local_data")
        self.check(done, 0)
        # On the surface, or on the margin of the ground.
        self.assertTrue(0.19 < json.loads(done.stdout)["z"] < 0.28, done.stdout)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_world(self):
        """A file with a floor of its own is a world; one without is put on ours."""
        self.assertIn("cart.xml: a model alone, with a floor of its own", self.components("-v", CART)[1])
        self.assertIn("ball.xml: a model alone, on an empty floor", self.components("-v", self.write("ball.xml", BALL))[1])

    def test_mesh(self):
        """A mesh stands still on the floor."""
        path = self.write("rock.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
        if os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers/read-mesh")):
            self.check(self.orrery("check", path), 0, "2 objects")

    def test_wrong(self):
        """What is wrong with a model is said once, with its name; what is missing, too."""
        done = self.orrery("check", self.write("wrong.urdf", "<robot/>"))
        self.check(done, 65, "wrong.urdf", "there is no link in it")
        self.assertEqual(done.stderr.count("there is no link in it"), 1)
        self.assertNotIn("scene.json", done.stderr)
        path = self.write("size.urdf", '<robot name="r">\n<link name="a"><visual><geometry>\n'
                          '<box size="-1 1 1"/></geometry></visual></link></robot>')
        done = self.orrery("check", path)
        self.assertEqual(done.stderr, "orrery: %s:3: link 'a': a shape has a size above 0\n" % path)
        self.check(self.orrery("run", self.path("missing.urdf")), 66, "missing.urdf")
        done = self.orrery("run", self.write("script.py", "import sys; sys.exit('a script')"))
        self.assertIn("a script", done.stderr)

    def test_nothing_is_left(self):
        """The scene that is made of a model goes away with the program."""
        with unittest.mock.patch.dict(os.environ, TMPDIR=self.directory):
            self.components(ARM)
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("orrery-")], [])


if __name__ == "__main__":
    tap.main()
