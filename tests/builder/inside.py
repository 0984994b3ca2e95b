# SPDX-License-Identifier: BSD-3-Clause
"""Runs builder scripts within the test's own process: for tables of many short ones."""

import contextlib
import io
import json
import os
import sys
import tempfile
import textwrap

from support import PLUGINS, SOURCE, tables

sys.path.insert(0, os.path.join(SOURCE, "python"))

from orrery.builder import catalogue, morse_names, runner, session, writer  # noqa: E402

morse_names.install()


class Result:
    """What a script left behind."""

    def __init__(self):
        self.code = 0
        self.scene = {}
        self.config = {}
        self.out = ""
        self.err = ""

    def object(self, name):
        """The object of that full name."""
        things, found = self.scene["objects"], None
        for part in name.split("."):
            found = next(thing for thing in things if thing["name"] == part)
            things = found.get("objects", [])
        return found

    @property
    def environment(self):
        return self.scene["environment"]


class Scripts:
    """A directory to run scripts in, on one list of plugins."""

    def __init__(self, plugins=PLUGINS, more=()):
        self.top = tempfile.TemporaryDirectory(prefix="orrery-scripts-")
        with open(plugins, encoding="utf-8") as stream:
            document = json.load(stream)
        document["modules"].extend(more)
        self.catalogue = catalogue.Catalogue(document)

    def close(self):
        self.top.cleanup()

    def run(self, text, *arguments):
        """The script's result; line 1 is the import of MORSE's names."""
        path = os.path.join(self.top.name, "scene.py")
        with open(path, "w", encoding="utf-8") as stream:
            stream.write("from morse.builder import *\n" + textwrap.dedent(text).lstrip("\n"))
        result, out, err = Result(), io.StringIO(), io.StringIO()
        kept = (sys.modules["__main__"], list(sys.path), sys.argv, os.getcwd())
        os.chdir(self.top.name)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                result.code = self._build(path, arguments, result)
        finally:
            sys.modules["__main__"], sys.path[:], sys.argv = kept[:3]
            os.chdir(kept[3])
        result.out, result.err = out.getvalue(), err.getvalue()
        return result

    def _build(self, path, arguments, result):
        session.begin(self.catalogue, collecting=True)
        for name in [name for name in sys.modules if name.startswith("morse.builder")]:
            del sys.modules[name]  # each script is the first to import it
        try:
            runner.run(os.path.basename(path), list(arguments))
        except (Exception, KeyboardInterrupt) as error:
            return runner.report(error)
        texts = writer.render()
        result.scene = json.loads(texts["scene.json"])
        result.config = tables(texts["component_config.py"])
        return 0
