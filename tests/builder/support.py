# SPDX-License-Identifier: BSD-3-Clause
"""Runs builder scripts as `orrery build` does: in a process of their own, on a list of plugins."""

import ast
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
PLUGINS = os.path.join(HERE, "plugins.json")


def environment(**more):
    env = dict(
        os.environ,
        PYTHONPATH=os.path.join(SOURCE, "python"),
        PYTHONDONTWRITEBYTECODE="1",
        LC_ALL="C.UTF-8",
    )
    env.pop("ORRERY_PROGRAM", None)
    env.update(more)
    return env


def single(value):
    """The nearest number of 32 bits, as a script of MORSE keeps it."""
    return struct.unpack("f", struct.pack("f", value))[0]


def tables(text):
    """The assignments of a component_config.py, in order; each value must be a literal."""
    found = {}
    for statement in ast.parse(text).body:
        found[statement.targets[0].id] = ast.literal_eval(statement.value)
    return found


#: What every script of MORSE has in its scene.
USUAL = ("component_order", "created", "not_finite", "unknown_properties")


def without_usual(value):
    """A copy of a scene, or of a part of it, without these keys."""
    if isinstance(value, dict):
        return {key: without_usual(item) for key, item in value.items() if key not in USUAL}
    return [without_usual(item) for item in value] if isinstance(value, list) else value


class Built:
    """What one run left behind: `whole` is the scene as written, `scene` that without what all have."""

    def __init__(self, done, directory):
        self.code = done.returncode
        self.out = done.stdout
        self.err = done.stderr
        self.files = sorted(os.listdir(directory)) if os.path.isdir(directory) else []
        self.texts = {}
        for name in self.files:
            with open(os.path.join(directory, name), encoding="utf-8") as stream:
                self.texts[name] = stream.read()
        if "scene.json" in self.texts:
            self.whole = json.loads(self.texts["scene.json"])
            self.scene = without_usual(self.whole)
            self.config = tables(self.texts["component_config.py"])

    @property
    def first_line(self):
        return self.err.splitlines()[0] if self.err else ""


class BuilderCase(unittest.TestCase):
    """Builds scripts in a directory that goes away with the case."""

    maxDiff = None

    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="orrery-builder-")
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.directory = os.path.join(self.top, "out")

    def path(self, name):
        return os.path.join(self.top, name)

    def write(self, name, text):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as stream:
            stream.write(textwrap.dedent(text).lstrip("\n"))
        return path

    def run_builder(self, *arguments, env=None, stdin=None):
        done = subprocess.run(
            [sys.executable, "-m", "orrery.builder", *arguments],
            input=stdin,
            cwd=self.top,
            env=env or environment(),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
        return Built(done, self.directory)

    def build(self, script, *arguments):
        """Runs the text as a script that imports MORSE's names; line 1 is that import."""
        self.write(
            "scene.py", "from morse.builder import *\n" + textwrap.dedent(script).lstrip("\n")
        )
        extra = ("--", *arguments) if arguments else ()
        return self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS, *extra)

    def built(self, script, *arguments):
        """As `build`, and it must succeed."""
        built = self.build(script, *arguments)
        self.assertEqual(
            (built.code, built.files), (0, ["component_config.py", "scene.json"]), built.err
        )
        return built

    def refused(self, script, code, *expected):
        """As `build`, and it must fail with that code and say in its first line what is expected."""
        built = self.build(script)
        self.assertEqual(built.code, code, built.err)
        self.assertEqual(built.files, [])
        for text in expected:
            self.assertIn(text, built.first_line)
        return built

    def names(self, built):
        """All full names of the scene, in its order."""
        return list(full_names(built.scene["objects"]))


def full_names(objects, prefix=""):
    for thing in objects:
        yield prefix + thing["name"]
        yield from full_names(thing.get("objects", []), prefix + thing["name"] + ".")
