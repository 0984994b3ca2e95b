# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program on one wrong file after the other, and measures what that costs."""

import json
import os
import resource
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, PROGRAM, ProgramCase  # noqa: E402

import sanitized  # noqa: E402

IMPORTERS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers")
MODELS = "/usr/share/morse/data"
KINEMATIC = "orrery.physics.kinematic.Kinematic"


def has_reader(name):
    return os.path.exists(os.path.join(IMPORTERS, name))


class HostileCase(ProgramCase):
    def put(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        return self.path(name)

    def scene(self, file, **keys):
        return self.write("scene.json", json.dumps(
            {"orrery": 1, "environment": dict({"physics": KINEMATIC, "import": file}, **keys)}))

    def scene_of(self, files):
        """One object for each of many files."""
        objects = [{"name": "o%d" % i, "import": {"file": file}} for i, file in enumerate(files)]
        return self.write("scene.json", json.dumps(
            {"orrery": 1, "environment": {"physics": KINEMATIC}, "objects": objects}))

    def bounded(self, *arguments, memory=1024):
        """Runs it to its end, in memory of so many MiB: it and what it starts."""
        def limit():
            # Sanitizers take address space as they like.
            if not sanitized.is_sanitized():
                resource.setrlimit(resource.RLIMIT_AS, ((memory + 1024) << 20,) * 2)

        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        done = self.orrery(*arguments, timeout=300, preexec_fn=limit)
        most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
        # The most of all so far: it tells something where it grew.
        if most > before and not sanitized.is_sanitized():
            self.assertLess(most // 1024, memory, done.stderr)
        return done

    def refuse(self, file, words="", **keys):
        """An error that names the file and says these words; no crash, in bounded memory."""
        done = self.bounded("check", self.scene(file), **keys)
        self.assertIn(done.returncode, (65, 69, 66), "%s: %d\n%s" % (file, done.returncode, done.stderr))
        self.assertIn(os.path.basename(file), done.stderr)
        self.assertIn(words, done.stderr)
        return done.stderr

    def refuse_all(self, files):
        """Each of them."""
        done = self.bounded("check", self.scene_of(files))
        self.assertEqual(done.returncode, 65, done.stderr[-2000:])
        lines = [line for line in done.stderr.splitlines() if line]
        told = len([line for line in lines if any(os.path.basename(file) in line for file in files)])
        more = [int(line.split("and ")[1].split()[0]) for line in lines if "... and " in line]
        self.assertEqual(told + sum(more), len(files), done.stderr)

    def accept(self, file, **keys):
        done = self.bounded("check", "-v", self.scene(file), **keys)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr
