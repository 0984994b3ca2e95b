# SPDX-License-Identifier: BSD-3-Clause
"""`pip install .` of a checkout into a virtual environment: the package finds the library, or says how to get it."""

import os
import shutil
import subprocess
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
from support import BUILD, PYTHON, SCENE, SOURCE, ProgramCase, need  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

DRIVE = """
import orrery, os
print(os.path.dirname(os.path.dirname(orrery.__file__)) == os.environ["EXPECTED"])
with orrery.load("scene.json", pacing=orrery.Pacing.FAST) as sim:
    sim.step(3)
    print(sim.ticks, sim["robot.pose"].data.x)
import orrery.gym
"""


def why_not():
    for module in "pip", "setuptools", "wheel", "venv":
        if subprocess.run([PYTHON, "-c", "import " + module], capture_output=True).returncode:
            return "no module %s; Debian has it in python3-%s" % (module, module)
    return None


def modules_of(place, top):
    """What a package has that is no cache, by its place below `top`."""
    return {os.path.relpath(os.path.join(where, name), top) for where, _, names in os.walk(place) for name in names
            if not where.endswith("__pycache__")}


class Pip(ProgramCase):
    def setUp(self):
        super().setUp()
        need(self, why_not())
        self.checkout, self.venv = self.path("checkout"), self.path("venv")
        os.mkdir(self.checkout)
        for name in "pyproject.toml", "README.md":
            shutil.copy(os.path.join(SOURCE, name), self.checkout)
        shutil.copytree(os.path.join(SOURCE, "python"), os.path.join(self.checkout, "python"),
                        ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))

    def run_in(self, *command, **more):
        # What tells a program of this tree where the tree is must not help.
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ORRERY_", "GI_", "PYTHON", "LD_", "PIP_"))}
        return subprocess.run(command, capture_output=True, text=True, cwd=self.directory, timeout=300,
                              env=dict(kept, **sanitized.preloaded(), **more))

    def pip(self, python, *arguments):
        done = self.run_in(PYTHON, "-m", "pip", "--python", python, "--isolated", "--disable-pip-version-check", *arguments)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_install(self):
        done = self.run_in(PYTHON, "-m", "venv", "--system-site-packages", "--without-pip", self.venv)
        self.assertEqual(done.returncode, 0, done.stderr)
        python = os.path.join(self.venv, "bin/python3")
        self.pip(python, "wheel", "--no-index", "--no-deps", "--no-build-isolation", "-w", self.path("wheels"), self.checkout)
        wheel, = os.listdir(self.path("wheels"))
        self.look_at_wheel(os.path.join(self.path("wheels"), wheel))
        self.pip(python, "install", "--no-index", "--no-deps", os.path.join(self.path("wheels"), wheel))
        places = self.run_in(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip()
        if self.run_in(python, "-c", "import gi").returncode:
            return
        self.without_the_library(python)
        if os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib")):
            self.with_the_library(python, places)
            self.with_another_version(python, places)

    def look_at_wheel(self, path):
        """It has every file of the package, nothing of MORSE's names, and no file of ours beside."""
        with zipfile.ZipFile(path) as wheel:
            packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
        self.assertEqual(packed, modules_of(os.path.join(SOURCE, "python/orrery"), os.path.join(SOURCE, "python")))
        self.assertTrue(os.path.basename(path).endswith("-py3-none-any.whl"), path)

    def without_the_library(self, python):
        code = "import orrery.builder\ntry:\n    import orrery; orrery.load\nexcept ImportError as error:\n    print(error)"
        if os.path.exists("/usr/lib/%s/girepository-1.0/Orrery-1.typelib" % sys.implementation._multiarch):
            return
        done = self.run_in(python, "-c", code, PATH="/usr/bin:/bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        for words in ("Orrery-1.typelib", "gir1.2-orrery-1", "make install", "PATH"):
            self.assertIn(words, done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1)

    def with_the_library(self, python, places):
        """By the program of the build tree in PATH, and with nothing else that says where it is."""
        self.write("scene.json", SCENE)
        self.write("drive.py", DRIVE)
        done = self.run_in(python, "drive.py", PATH=BUILD + ":/usr/bin:/bin", EXPECTED=places)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.split()[:2], ["True", "3"])

    def with_another_version(self, python, places):
        """The library is not used by a package of another version, and builder scripts need no library."""
        ours, = (name for name in os.listdir(places) if name.startswith("orrery-"))
        os.rename(os.path.join(places, ours), os.path.join(places, "orrery-0.0.9.dist-info"))
        code = "import orrery.builder\ntry:\n    import orrery; orrery.load\nexcept ImportError as error:\n    print(error)"
        done = self.run_in(python, "-c", code, PATH=BUILD + ":/usr/bin:/bin")
        self.assertEqual(done.returncode, 0, done.stderr)
        version = ours[len("orrery-"):-len(".dist-info")]
        for words in ("version 0.0.9, by pip in " + places, "found has the version %s:" % version, "pip uninstall"):
            self.assertIn(words, done.stdout)
        self.assertEqual(len(done.stdout.splitlines()), 1)


tap.main()
