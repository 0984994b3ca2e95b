# SPDX-License-Identifier: BSD-3-Clause
"""What the scene of a script that takes the builder by MORSE's name has, and that of others has not."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, BuilderCase


class Order(BuilderCase):
    def created(self, script):
        """The components by their full names, in the order in which they were created."""
        found = {}

        def walk(things, prefix):
            for thing in things:
                if "created" in thing:
                    self.assertNotIn(thing["created"], found)
                    found[thing["created"]] = prefix + thing["name"]
                walk(thing.get("objects", []), prefix + thing["name"] + ".")

        walk(self.built(script).whole["objects"], "")
        return [found[number] for number in sorted(found)]

    def test_the_scene_says_in_which_order_components_were_constructed(self):
        self.assertEqual(
            self.created(
                """
                pose = Pose()
                box = Cube()
                gone = Odometry()
                robot = ATRV()
                eye = Kinect()
                robot.append(eye)
                bpymorse.delete(gone)
                robot.append(pose)
                env = Environment('empty')
                """
            ),
            ["robot.pose", "robot", "robot.Kinect.rgb", "robot.Kinect.depth", "robot.Kinect"],
        )

    def test_a_script_of_morse_asks_for_its_order(self):
        """However it takes the builder by MORSE's name, itself or by a module of its own; others do not."""
        lines = {
            "from morse.builder import *": "morse",
            "import morse.builder; Environment = morse.builder.Environment": "morse",
            "from morse.builder.environment import Environment": "morse",
            "from orrery.builder import *": None,
            "from orrery.builder.environment import Environment": None,
            "from helper_of_morse import *": "morse",
            "from helper_of_ours import *": None,
        }
        for own in ("morse", "ours"):
            name = "morse" if own == "morse" else "orrery"
            self.write("helper_of_%s.py" % own, "from %s.builder import *\n" % name)
        for line, order in lines.items():
            with self.subTest(line):
                self.write("scene.py", line + "\nenv = Environment('empty')\n")
                built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
                self.assertEqual(built.whole["environment"].get("component_order"), order, built.err)
        for package, order in (("morse", "morse"), ("orrery", None)):
            for module in ("morserobots", "human", "pr2"):
                self.write(
                    "scene.py",
                    "from %s.builder.robots.%s import ATRV\n"
                    "from orrery.builder import Environment\nenv = Environment('empty')\n" % (package, module),
                )
                built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
                self.assertEqual(built.whole["environment"].get("component_order"), order, built.err)


if __name__ == "__main__":
    tap.main()
