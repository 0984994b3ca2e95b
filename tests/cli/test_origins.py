# SPDX-License-Identifier: BSD-3-Clause
"""What the host finds wrong in a built scene is told with the line of the script that said it."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import PROGRAM, ProgramCase  # noqa: E402

import tap  # noqa: E402

WRONG = """from orrery.builder import *
robot = ATRV()
sick = Sick()
sick.properties(laser_range=20)
sick.properties(laser_rnge=10)
robot.append(sick)
pose = Pose('\u00e9t\u00e9')
pose.add_stream('text')
pose.alter('Noise', pos_std=0.1)
pose.alter('Noise', pos_sdt=0.1)
pose.add_stream('socket',
                prot=1234)
pose.add_stream('socket', 'morse.middleware.socket_datastream.SocketReader')
robot.append(pose)
for i in range(3):
    gps = GPS()
    gps.properties(speeed=1)
    robot.append(gps)
env = Environment('empty')
"""

TOLD = [
    (5, "robot.sick: ", "no property 'laser_rnge'; did you mean laser_range", ""),
    (10, "robot.\u00e9t\u00e9/PoseNoiseModifier#1: ", "no property 'pos_sdt'", ""),
    (11, "robot.\u00e9t\u00e9: ", "no option 'prot'", ""),
    (13, "robot.\u00e9t\u00e9: ", "SocketReader does not write messages", ""),
    (17, "robot.gps: ", "no property 'speeed'", " (and 2 more from this line)"),
]


class Origins(ProgramCase):
    def check_script(self, text, *arguments):
        """Runs `orrery check` on it; its stderr by lines."""
        script = self.write("wrong.py", text)
        done = subprocess.run([PROGRAM, "check", *arguments, script], cwd=self.directory, capture_output=True, text=True,
                              env=dict(self.environment(), LC_ALL="C.UTF-8"), timeout=300)
        return done.returncode, script, done.stderr.splitlines()

    def test_each_line(self):
        code, script, told = self.check_script(WRONG)
        self.assertEqual(code, 65, told)
        for line, name, words, end in TOLD:
            with self.subTest(line):
                found = [text for text in told if text.startswith("%s:%d: %s" % (script, line, name)) and words in text]
                self.assertEqual(len(found), 1, told)
                self.assertTrue(found[0].endswith(end), found)
        self.assertEqual(len(told), len(TOLD), told)

    def test_a_frequency_is_told_of_once(self):
        code, script, told = self.check_script("from morse.builder import *\nrobot = ATRV()\npose = Pose()\n"
                                               "pose.frequency(100)\nrobot.append(pose)\n"
                                               "env = Environment('empty', auto_tune_time=False)\n")
        told = [line for line in told if "100 Hz" in line]
        self.assertEqual((code, len(told)), (0, 1), told)
        self.assertIn("%s:4: robot.pose: 100 Hz is more than the simulation's 60" % script, told[0])

    def test_a_scene_file_keeps_its_places(self):
        built = self.path("out")
        script = self.write("wrong.py", "from orrery.builder import *\nrobot = ATRV()\nrobot.properties(colour=1)\n"
                                        "sick = Sick()\nsick.properties(laser_rnge=1)\nrobot.append(sick)\nEnvironment('empty')\n")
        self.check(self.orrery("build", script, "-o", built), 0)
        self.assertEqual(sorted(os.listdir(built)), ["component_config.py", "scene.json"])
        with open(os.path.join(built, "scene.json"), encoding="utf-8") as file:
            self.assertIn("laser_rnge", json.dumps(json.load(file)))
        self.check(self.orrery("check", built), 65, "orrery: %s/scene.json:" % built, "no property 'laser_rnge'")


if __name__ == "__main__":
    tap.main()
