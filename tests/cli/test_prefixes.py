# SPDX-License-Identifier: BSD-3-Clause
"""A library directory outside of the prefix: the build tree, configured and linked again, installed below DESTDIR.

`tests/long/test_packages.py` has that of Debian, lib/x86_64-linux-gnu.
"""

import os
import shlex
import shutil
import subprocess
import tempfile

from support import BUILD, SCRIPT, SOURCE, ProgramCase

import tap


class Prefixes(ProgramCase):
    # What the places of configure are compiled into.
    STALE = "host/registry/libhost_a-orrery-prefix.o", "host/libhost.a", "bin/orrery"
    NOT_COPIED = "tests", "bench", "deb", "test-suite.log", "config.status", "Makefile"

    @classmethod
    def setUpClass(cls):
        # What configure finds out is the same for each prefix.
        cls.found = tempfile.mkdtemp(prefix="orrery-found-")
        cls.addClassCleanup(shutil.rmtree, cls.found)

    def shell(self, *command, cwd=None):
        environment = {name: value for name, value in self.environment().items()
                       if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
        done = subprocess.run(command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=900)
        self.assertEqual(done.returncode, 0, "%s\n%s" % (done.stdout[-3000:], done.stderr[-3000:]))
        return done.stdout

    def install(self, *options):
        """Returns the place below which all of it lies."""
        build = self.path("build")
        shutil.copytree(BUILD, build, symlinks=True, ignore=lambda directory, names: [
            name for name in names if name == ".deps" or name.endswith(".d") or
            directory == os.path.join(BUILD, "python") and name != "access" or
            directory == BUILD and name in self.NOT_COPIED])
        for name in self.STALE:
            os.remove(os.path.join(build, name))
        # The options of the tree itself first: the last of two counts.
        own = shlex.split(self.shell(os.path.join(BUILD, "config.status"), "--config"))
        self.shell(os.path.join(os.path.abspath(SOURCE), "configure"), "-q", "--cache-file=" + os.path.join(self.found, "cache"),
                   *own, *options, cwd=build)
        # Of what is newer now only the library and the program are other than they were.
        self.shell("make", "-s", "-o", "host/base/orrery-version.h", "lib/liborrery-1.so", "bin/orrery", cwd=build)
        self.shell("make", "-s", "-t", "all", cwd=build)
        self.shell("make", "-s", "install", "DESTDIR=" + self.path("place"), cwd=build)
        shutil.rmtree(build)
        return self.path("place")

    def check_tree(self, prefix, library):
        """That what is installed finds its library, plugins, data and package, by paths of this place."""
        program = os.path.join(prefix, "bin/orrery")
        self.assertTrue(os.path.exists(os.path.join(library, "liborrery-1.so.0")))
        script = self.write("scene.py", SCRIPT)
        self.assertIn("3 ticks", self.shell(program, "run", script, "--fast", "--ticks", "3"))
        self.assertIn(os.path.join(library, "orrery-1/plugins"), self.shell(program, "plugins").splitlines()[-1])
        package = "PKG_CONFIG_PATH=" + os.path.join(library, "pkgconfig")
        for variable, expected in ("prefix", prefix), ("libdir", library):
            told = self.shell("env", package, "pkg-config", "--variable=" + variable, "orrery-1").strip()
            self.assertEqual(os.path.normpath(told), expected)
        if os.path.exists(os.path.join(library, "girepository-1.0")):
            told = self.shell(program, "python", self.write("program.py", "import orrery\nprint(orrery.Simulation)\n"))
            self.assertIn("Simulation", told)

    def test_outside_of_the_prefix(self):
        place = self.install("--prefix=/opt/orrery", "--libdir=/srv/arch/lib")
        self.check_tree(place + "/opt/orrery", place + "/srv/arch/lib")


if __name__ == "__main__":
    tap.main()
