# SPDX-License-Identifier: BSD-3-Clause
"""Plugins that somebody else could have written are refused, with the command that cures it."""

import compileall
import json
import os
import pwd
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap

STILL = "import orrery\nfrom . import parts\nfrom .deep import more\nimport helper\n\n\n@orrery.plugin\nclass Still(orrery.Robot):\n    pass\n"
FILES = {"lab/__init__.py": "", "lab/still.py": STILL, "lab/parts.py": "", "lab/deep/__init__.py": "", "lab/deep/more.py": "",
         "helper.py": ""}


class TrustCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.plugins = self.path("plugins")
        os.makedirs(self.path("plugins/lab/deep"))
        for name, text in FILES.items():
            self.write("plugins/" + name, text)
        compileall.compile_dir(self.plugins, quiet=1)
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [{"name": "r", "classpath": "lab.still.Still"}]}))

    def check_scene(self, **options):
        return self.orrery("check", "--plugin-dir", self.plugins, "scene.json", **options)

    def assert_refused(self, name, cure, words, **options):
        """By a run and by the list of plugins; once cured as the message says, it is taken."""
        path = os.path.join(self.plugins, name)
        mode = os.stat(path).st_mode
        done = self.check_scene(**options)
        self.check(done, 69, path, "refused", words, "chmod %s %s" % (cure, path))
        listed = self.orrery("plugins", "--plugin-dir", self.plugins, **options)
        self.check(listed, 0, "refused", "chmod %s %s" % (cure, path))
        subprocess.run(["chmod", cure, path], check=True)
        self.check(self.check_scene(**options), 0)
        os.chmod(path, mode & 0o7777 & ~0o022)


class Everybody(TrustCase):
    def test_files(self):
        """All that the module imports, and what stands for it when it was compiled."""
        self.check(self.check_scene(), 0)
        compiled = [os.path.relpath(os.path.join(folder, file), self.plugins)
                    for folder, _, files in os.walk(self.plugins) for file in files if file.endswith(".pyc")]
        self.assertIn("parts", " ".join(compiled))
        for name in list(FILES) + compiled:
            with self.subTest(name):
                os.chmod(os.path.join(self.plugins, name), 0o666)
                self.assert_refused(name, "o-w", "everybody")

    def test_folders(self):
        self.check(self.check_scene(), 0)
        for name in ("lab", "lab/deep", "lab/__pycache__", "lab/deep/__pycache__", "__pycache__"):
            with self.subTest(name):
                os.chmod(os.path.join(self.plugins, name), 0o777)
                self.assert_refused(name, "o-w", "everybody")

    def test_links(self):
        """What a link leads to counts, and rings of them end."""
        os.rename(self.path("plugins/lab/deep"), self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), self.path("plugins/lab/deep"))
        os.symlink(self.plugins, self.path("plugins/lab/ring"))
        self.check(self.check_scene(), 0)
        os.chmod(self.path("elsewhere/more.py"), 0o666)
        self.check(self.check_scene(), 69, "lab/deep/more.py", "everybody")

    def test_what_cannot_be_imported(self):
        self.write("plugins/notes.txt", "")
        os.makedirs(self.path("plugins/.git"))
        for name in ("notes.txt", ".git"):
            os.chmod(os.path.join(self.plugins, name), 0o777)
        self.check(self.check_scene(), 0)


class Unknown(TrustCase):
    """What cannot be looked at is not trusted."""

    def test_too_deep(self):
        path = self.path("plugins/lab")
        for _ in range(20):
            path = os.path.join(path, "deeper")
        os.makedirs(path)
        self.check(self.check_scene(), 69, "lab/deeper/", "deeper: refused: it is more than 16 directories deep, where what "
                   "Python would import is not looked at")
        listed = self.orrery("plugins", "--plugin-dir", self.plugins)
        self.check(listed, 0, "refused", "directories deep")
        # What no package can be called may be as deep as it likes.
        os.rename(self.path("plugins/lab/deeper"), self.path("plugins/lab/no-package"))
        self.check(self.check_scene(), 0)

    def test_unreadable(self):
        """Root could read it."""
        options = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            options = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            for folder, _, files in os.walk(self.directory):
                for path in [folder] + [os.path.join(folder, file) for file in files]:
                    os.chown(path, nobody.pw_uid, nobody.pw_gid)
            self.skip_unless_it_runs_as(nobody)
        self.check(self.check_scene(**options), 0)
        os.mkdir(self.path("plugins/lab/closed"))
        if os.geteuid() == 0:
            os.chown(self.path("plugins/lab/closed"), options["user"], options["group"])
        os.chmod(self.path("plugins/lab/closed"), 0o311)
        told = "lab/closed: refused: what is in it cannot be looked at: ; use chmod u+rx "
        self.check(self.check_scene(**options), 69, "Permission denied", *told.split("; "))
        os.chmod(self.path("plugins/lab/closed"), 0o755)
        self.check(self.check_scene(**options), 0)


class Groups(TrustCase):
    """As a user whose own group nobody else is in, if the system says so."""

    def setUp(self):
        super().setUp()
        if os.geteuid() != 0:
            self.skipTest("only root can give a file to a group")
        nobody = pwd.getpwnam("nobody")
        self.user = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        for folder, _, files in os.walk(self.directory):
            for path in [folder] + [os.path.join(folder, file) for file in files]:
                os.chown(path, nobody.pw_uid, nobody.pw_gid)
        self.skip_unless_it_runs_as(nobody)
        self.check(self.check_scene(**self.user), 0)

    def give(self, name, group):
        os.chown(os.path.join(self.plugins, name), -1, group)
        os.chmod(os.path.join(self.plugins, name), 0o775)

    def test_a_group_of_others(self):
        for name in ("lab/still.py", "lab/parts.py", "lab", "lab/deep", ""):
            with self.subTest(name):
                self.give(name, 0)
                if name:
                    self.assert_refused(name, "g-w", "group", **self.user)
                else:
                    self.check(self.check_scene(**self.user), 69, "%s: refused: it is writable by group 0, which may "
                               "have others in it; use chmod g-w %s" % (self.plugins, self.plugins))

    def test_a_directory_of_root(self):
        """Root chose the group then, as for /usr/local."""
        os.chown(self.path("plugins/lab"), 0, 0)
        self.give("lab/still.py", 50)
        os.chmod(self.path("plugins/lab"), 0o2775)
        self.check(self.check_scene(**self.user), 0)


class PrivateGroup(TrustCase):
    def test_ones_own(self):
        """That of root is its own, too."""
        if os.geteuid() != 0 or os.getegid() != 0:
            self.skipTest("the group of root is meant")
        os.chmod(self.path("plugins/lab/still.py"), 0o664)
        os.chmod(self.path("plugins/lab"), 0o775)
        self.check(self.check_scene(), 0)


if __name__ == "__main__":
    tap.main()
