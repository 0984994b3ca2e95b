# SPDX-License-Identifier: BSD-3-Clause
"""`bootstrap` with tools that only write down how they were called: what it installs, skips, asks for."""

import os
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(HERE, "../.."))

NOTE = '#!/bin/sh\necho "$(basename "$0") $*" >>"$TRACE"\n'
TOOLS = {
    "dpkg-query": '#!/bin/sh\nfor last; do :; done\ngrep -qxF "$last" "$INSTALLED" && echo installed\n',
    "apt-get": NOTE + 'test "$2" != -y || for p; do echo "$p" >>"$INSTALLED"; done\n',
    "dpkg-buildpackage": NOTE + 'echo "a reason"\ntest -z "$BROKEN" || exit 2\n: >../thing_1_all.deb\n',
    "dpkg-checkbuilddeps": '#!/bin/sh\ngrep -qx build-dep "$INSTALLED"\n',
    "sudo": NOTE + 'exec "$@"\n',
    "autoreconf": NOTE + 'printf \'#!/bin/sh\\necho configure >>"$TRACE"\\ntouch config.status Makefile\\n'
                         'chmod +x config.status\\n\' >configure\nchmod +x configure\n',
    "make": NOTE,
    "npm": NOTE + 'test -z "$OFFLINE" && mkdir node_modules\n',
    "id": '#!/bin/sh\necho "$WHO"\n',
}


class Bootstrap(unittest.TestCase):
    def setUp(self):
        self.place = tempfile.mkdtemp(prefix="orrery-bootstrap-")
        self.addCleanup(shutil.rmtree, self.place)
        shutil.copy(os.path.join(SOURCE, "bootstrap"), self.place)
        os.makedirs(self.path("build"))
        os.makedirs(self.path("bin"))
        for name, text in TOOLS.items():
            self.program("bin/" + name, text)
        os.makedirs(self.path("tests/peers"))
        for name in ("package.json", "package-lock.json"):
            shutil.copy(os.path.join(SOURCE, "tests/peers", name), self.path("tests/peers"))
        self.program("build/orrery", NOTE)
        open(self.path("installed"), "w", encoding="utf-8").close()

    def path(self, name):
        return os.path.join(self.place, name)

    def program(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), 0o755)

    def bootstrap(self, *arguments, code=0, who="0"):
        """Runs it; returns what it called, a line each, and what it said."""
        open(self.path("trace"), "w", encoding="utf-8").close()
        environment = dict(os.environ, PATH=self.path("bin") + ":/usr/bin:/bin", TRACE=self.path("trace"),
                           INSTALLED=self.path("installed"), WHO=who)
        done = subprocess.run([self.path("bootstrap"), *arguments], env=environment, capture_output=True, text=True,
                              cwd=self.place)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        with open(self.path("trace"), encoding="utf-8") as file:
            return file.read().splitlines(), done.stdout + done.stderr

    def test_from_nothing_to_the_first_scene(self):
        called, _ = self.bootstrap("run")
        self.assertEqual([line.split()[0] for line in called],
                         ["apt-get", "apt-get", "autoreconf", "configure", "make", "orrery"])
        self.assertIn("--no-install-recommends", called[1])
        self.assertIn("libbullet-dev", called[1])
        self.assertTrue(called[-1].endswith("examples/first_scene.py --for 10 --demo"), called[-1])

    def test_run_downloads_no_more_than_it_needs(self):
        called, _ = self.bootstrap("run")
        for package in "valgrind", "clang-14", "python3-gi", "python3-morse-simulator":
            self.assertNotIn(package, called[1])
        called, _ = self.bootstrap("check")
        for package in "valgrind", "clang-14", "python3-gi", "python3-morse-simulator":
            self.assertIn(package, called[1])
        self.assertNotIn("libbullet-dev", called[1])

    def test_what_is_done_is_skipped(self):
        self.bootstrap("build")
        called, _ = self.bootstrap("build")
        self.assertEqual([line.split()[0] for line in called], ["make"])

    def test_more_packages_configure_again_and_fewer_do_not(self):
        self.bootstrap("build")
        self.program("build/config.status", NOTE)
        called, _ = self.bootstrap("check")
        self.assertIn("config.status --recheck", called)
        called, _ = self.bootstrap("build")
        self.assertEqual([line.split()[0] for line in called], ["make"])

    def test_check_makes_the_tests_and_runs_them(self):
        called, _ = self.bootstrap("check")
        self.assertEqual([line.split()[-1] for line in called[-3:]], ["all", "check-programs", "check"])
        self.assertTrue(called[-1].endswith("--no-print-directory check"), called)

    def test_modules_of_npm(self):
        """They are installed once, again when the list is another, and not having them is no failure."""
        self.assertIn("npm ci", " ".join(self.bootstrap("check")[0]))
        self.assertNotIn("npm ci", " ".join(self.bootstrap("check")[0]))
        with open(self.path("tests/peers/package-lock.json"), "a", encoding="utf-8") as file:
            file.write("\n")
        os.environ["OFFLINE"] = "1"
        self.addCleanup(os.environ.pop, "OFFLINE")
        called, said = self.bootstrap("check")
        self.assertIn("npm ci", " ".join(called))
        self.assertIn("tests that need them are skipped", said)
        self.assertEqual(called[-1].split()[-1], "check")

    def test_a_file_of_the_user(self):
        called, _ = self.bootstrap("run", "mine.py")
        self.assertEqual(called[-1], "orrery run mine.py --for 10")
        called, _ = self.bootstrap("run", "mine.py", "--fast", "--ticks", "3")
        self.assertEqual(called[-1], "orrery run mine.py --fast --ticks 3")

    def test_a_user_with_sudo(self):
        called, _ = self.bootstrap("build", who="1000")
        self.assertTrue(called[0].startswith("sudo env DEBIAN_FRONTEND=noninteractive apt-get"), called)

    def test_packages_of_debian(self):
        """They are made of a copy without what was built, and what they need is installed once."""
        called, said = self.bootstrap("deb")
        self.assertEqual([line.split()[0] for line in called], ["apt-get"] * 4 + ["dpkg-buildpackage"])
        self.assertTrue(called[3].endswith("--no-install-recommends build-dep " + self.place), called)
        self.assertIn(self.path("build/deb/thing_1_all.deb"), said)
        self.assertTrue({"bootstrap", "tests"} <= set(os.listdir(self.path("build/deb/source"))))
        self.assertNotIn("build", os.listdir(self.path("build/deb/source")))
        called, said = self.bootstrap("deb", self.path("other"))
        self.assertEqual([line.split()[0] for line in called], ["dpkg-buildpackage"])
        self.assertIn(self.path("other/thing_1_all.deb"), said)

    def test_a_tree_below_somebodys_clone(self):
        """Its files are packed, though that clone ignores them."""
        clone = tempfile.mkdtemp(prefix="orrery-clone-")
        self.addCleanup(shutil.rmtree, clone)
        subprocess.run(["git", "init", "-q", clone], check=True)
        self.place = shutil.copytree(self.place, os.path.join(clone, "tree"))
        with open(os.path.join(clone, ".gitignore"), "w", encoding="utf-8") as file:
            file.write("/tree\n")
        self.bootstrap("deb")
        self.assertIn("bootstrap", os.listdir(self.path("build/deb/source")))

    def test_packages_that_cannot_be_made(self):
        os.environ["BROKEN"] = "1"
        self.addCleanup(os.environ.pop, "BROKEN")
        _, said = self.bootstrap("deb", code=70)
        self.assertIn("a reason", said)
        self.assertIn("build/deb/log says why", said)

    def test_releases(self):
        """Their scripts are called with all arguments, and nothing is installed."""
        os.makedirs(self.path("release"))
        for name in "check", "tag":
            self.program("release/" + name, NOTE)
        self.assertEqual(self.bootstrap("release-check", "abi", "clang")[0], ["check abi clang"])
        self.assertEqual(self.bootstrap("release", "1.2.3", "--checked")[0], ["tag 1.2.3 --checked"])

    def test_wrong_use(self):
        for arguments in ([], ["rnu"], ["check", "x"], ["build", "x"], ["deb", "x", "y"]):
            called, said = self.bootstrap(*arguments, code=64)
            self.assertEqual(called, [])
            self.assertIn("Usage: ./bootstrap run", said)

    def test_what_fails_is_said(self):
        self.program("bin/apt-get", NOTE + "exit 1\n")
        _, said = self.bootstrap("build", code=69)
        self.assertIn("apt-get could not install", said)
        self.program("bin/apt-get", TOOLS["apt-get"])
        self.program("bin/make", "#!/bin/sh\nexit 2\n")
        self.assertIn("the build failed", self.bootstrap("build", code=70)[1])


if __name__ == "__main__":
    tap.main()
