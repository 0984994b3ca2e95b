# SPDX-License-Identifier: BSD-3-Clause
"""Every script and every error message of docs/builder.md is true."""

import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, SOURCE, BuilderCase


class Guide(BuilderCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "builder.md"), encoding="utf-8") as stream:
            self.text = stream.read()

    def run_script(self, text):
        self.write("scene.py", text)
        return self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)

    def test_scripts(self):
        scripts = re.findall(r"```python\n(.*?)```", self.text, re.DOTALL)
        self.assertEqual(len(scripts), 6)
        found = []
        for script in scripts:
            built = self.run_script(script)
            self.assertEqual(built.code, 0, built.err)
            lines = built.err.splitlines()
            self.assertEqual([line for line in lines if "run() has no effect here" not in line], [])
            found.append(self.names(built))
        self.assertEqual(
            found,
            [
                ["robot", "robot.pose", "robot.motion"],
                ["scout", "scout.sonar"],
                ["robot", "wall", "ball"],
                ["robot"],
                ["robot", "robot.pose"],
                ["robot", "robot.battery", "dock"],
            ],
        )

    def test_error(self):
        message = re.search(r"^    (scene\.py:\d+: .*)$", self.text, re.MULTILINE).group(1)
        line = int(message.split(":")[1])
        script = "from morse.builder import *\n" + "\n" * (line - 2) + "pose = Poze()\n"
        self.assertEqual(self.run_script(script).first_line, message)

    def test_names_of_methods(self):
        """What the guide calls in passing is there."""
        spans = re.findall(r"`([^`]*)`", re.sub(r"```.*?```", "", self.text, flags=re.DOTALL))
        methods = sorted(
            {span for span in spans if re.fullmatch(r"set_\w+|configure_\w+|use_\w+", span)}
        )
        self.assertIn("set_mass", methods)
        built = self.run_script(
            "from morse.builder import *\nrobot = ATRV()\nenv = Environment('empty')\nprint([n for n in %r "
            "if not hasattr(robot, n) and not hasattr(env, n)])\n" % methods
        )
        self.assertEqual((built.out, built.err), ("[]\n", ""))


if __name__ == "__main__":
    tap.main()
