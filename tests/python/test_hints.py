# SPDX-License-Identifier: BSD-3-Clause
"""The type hints: complete, right, and of use: mypy finds what is wrong in programs, and nothing in those that are right."""

import ast
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import BUILD, SOURCE, PythonCase, missing  # noqa: E402

import tap  # noqa: E402

if not missing():
    import orrery
    from gi.repository import GLib

STUBS = os.path.join(BUILD, "share/orrery-1/stubs")
HERE = os.path.join(SOURCE, "tests/python/hints")
# The one that is left is of MORSE's own client, which has no hints.
EXAMPLES = [os.path.join(SOURCE, "examples", name) for name in (
    "rounds.py", "hybrid_loop.py", "first_scene.py", "faulty_sensors.py", "lasers.py", "quadrotor.py", "cameras.py")]
# As installed: the stubs, and the package that has the rest; and the site of an example.
PLACES = [STUBS, os.path.join(SOURCE, "python")]


def runs(program):
    found = shutil.which(program)
    return found is not None and subprocess.run([found, "--version"], capture_output=True).returncode == 0


class Hints(PythonCase):
    @classmethod
    def setUpClass(cls):
        with open(os.path.join(STUBS, "orrery/__init__.pyi"), encoding="utf-8") as file:
            cls.tree = ast.parse(file.read())
        cls.classes = {node.name: node for node in cls.tree.body if isinstance(node, ast.ClassDef)}

    def test_what_there_is_has_hints(self):
        """Each class and function of the typelib and of the package, and each method that can be called."""
        names = set(self.classes) | {node.name for node in self.tree.body if isinstance(node, ast.FunctionDef)} | \
            {node.target.id for node in self.tree.body if isinstance(node, ast.AnnAssign)}
        gone = {name for name in dir(orrery) if not name.startswith("_")} - names
        # The structs of classes are for those who subclass in C.
        self.assertEqual({name for name in gone if not name.endswith(("Class", "Interface"))}, set())
        for name in ("Simulation", "Component", "Call", "Record", "World", "Scheduler", "Registry", "Buffer"):
            hinted = {node.name for node in self.classes[name].body if isinstance(node, ast.FunctionDef)}
            there = {each for each, value in vars(getattr(orrery, name)).items()
                     if callable(value) and not each.startswith(("_", "do_"))}
            self.assertEqual(there - hinted, set(), name)

    def functions(self):
        """(name, definition) of all that is public, but for virtual functions of the typelib."""
        for node in self.tree.body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
                yield node.name, node
            for item in node.body if isinstance(node, ast.ClassDef) else ():
                if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.name != "props" and \
                        not item.name.startswith("_"):
                    yield "%s.%s" % (node.name, item.name), item

    def test_what_there_is_has_a_description(self):
        """In the hints, for editors, and in the words of Python; of several functions of one name one has it."""
        said = {}
        for name, node in self.functions():
            said[name] = said.get(name) or ast.get_docstring(node)
        self.assertGreater(len(said), 500)
        self.assertEqual([name for name, text in said.items() if not text], [])
        for name, text in said.items():
            self.assertIsNone(re.search(r"\borrery_\w+ ?\(|%(NULL|TRUE|FALSE)|#(Orrery|G)[A-Z]|\bORRERY_ERROR_|g_free", text or ""),
                              name)

    def test_help(self):
        """The same descriptions where `help ()` and notebooks look for them."""
        lost = []
        for name, node in self.functions():
            owner, _, member = name.partition(".")
            shown = getattr(orrery, owner, None)
            if member and shown is not None:
                shown = vars(shown).get(member)
            if shown is None or isinstance(shown, type(orrery.Component.data)) or not ast.get_docstring(node):
                continue
            shown = getattr(shown, "__func__", shown)
            text = " ".join((shown.__doc__ or "").split())
            if " ".join(ast.get_docstring(node).split()) not in text:
                lost.append(name)
        self.assertEqual(lost, [])
        self.assertIn("stays paused", orrery.Simulation.step.__doc__)
        self.assertTrue(orrery.Simulation.change_scene.__doc__.startswith("change_scene(path: str) -> bool\n\n"))
        # What is not ours is described as before.
        self.assertEqual(GLib.MainLoop.quit.__doc__, "quit(self)")

    def test_any_is_a_variant(self):
        """The one name for what is known only when it is there."""
        uses = [node.lineno for node in ast.walk(self.tree) if isinstance(node, ast.Name) and node.id == "Any"]
        self.assertEqual(len(uses), 1)
        for name, node in self.classes.items():
            for function in node.body:
                if isinstance(function, ast.FunctionDef):
                    self.assertIsNotNone(function.returns, "%s.%s" % (name, function.name))

    @unittest.skipUnless(runs("mypy"), "no mypy")
    def test_mypy(self):
        """One run over all: it is slow to begin."""
        wrong = [os.path.join(HERE, name) for name in sorted(os.listdir(HERE)) if name.startswith("wrong_")]
        right = [*EXAMPLES, os.path.join(HERE, "right.py"), os.path.join(STUBS, "orrery/__init__.pyi")]
        done = subprocess.run([shutil.which("mypy"), "--strict", "--no-incremental", "--cache-dir", os.devnull, *right, *wrong],
                              capture_output=True, text=True, cwd=self.directory, env=dict(os.environ, MYPYPATH=os.pathsep.join(PLACES)))
        told = set(re.findall(r"([^/\n]*):(\d+): error", done.stdout))
        expected = set()
        for path in wrong:
            with open(path, encoding="utf-8") as file:
                expected |= {(os.path.basename(path), str(i)) for i, line in enumerate(file, 1) if "# WRONG" in line}
        self.assertEqual(told, expected, done.stdout + done.stderr)
        self.assertGreater(len(expected), 20)


if __name__ == "__main__":
    tap.main()
