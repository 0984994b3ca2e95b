# SPDX-License-Identifier: BSD-3-Clause
"""Programs in Python with modules of plugins beside them, as `orrery python` and `orrery run` run them."""

import json
import os
import subprocess
import sys
import textwrap

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import support as cli  # noqa: E402

TYPELIB = os.path.exists(os.path.join(cli.BUILD, "lib/girepository-1.0/Orrery-1.typelib"))
PYGOBJECT = subprocess.run([cli.PYTHON, "-c", "import gi"], capture_output=True).returncode == 0
NUMPY = subprocess.run([cli.PYTHON, "-c", "import numpy"], capture_output=True).returncode == 0
READY = TYPELIB and PYGOBJECT

ENVIRONMENT = {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 7, "start": 0}


def scene(*components, tables=None, **environment):
    """A robot with components, each (name, classpath) or with a dictionary of further keys."""
    objects = [dict({"name": each[0], "classpath": each[1]}, **(each[2] if len(each) > 2 else {}))
               for each in components]
    return json.dumps(dict({"orrery": 1, "environment": dict(ENVIRONMENT, **environment), "objects": [
        {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": objects}]}, **(tables or {})))


class PythonCase(cli.ProgramCase):
    def module(self, name, text, directory="plugins"):
        """A file of a directory of plugins."""
        path = self.path(os.path.join(directory, name))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def python(self, code, scene_text=None):
        """Runs a program that has loaded the scene as `sim`, with plugins/ on the search path."""
        begin = "import orrery\nfrom gi.repository import GLib\n"
        if scene_text is not None:
            self.write("scene.json", scene_text)
            begin += "sim = orrery.load('scene.json', plugin_dirs=['plugins'], pacing=orrery.Pacing.FAST)\n"
        self.write("program.py", begin + textwrap.dedent(code))
        return self.orrery("python", "program.py")

    def prints(self, code, scene_text=None):
        done = self.python(code, scene_text)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def seen_by(self, program, script, *arguments):
        """What a program prints, as JSON, in the directory of a scene that was built of a script."""
        self.write("scene.py", script)
        built = self.orrery("build", "scene.py", "-o", "scene")
        self.assertEqual(built.returncode, 0, built.stderr)
        self.write("program.py", program)
        done = self.orrery("python", "program.py", *arguments, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def run_scene(self, scene_text, *arguments):
        self.write("scene.json", scene_text)
        return self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", *arguments)
