# SPDX-License-Identifier: BSD-3-Clause
"""`make install` into a place that configure did not know; skeletons of `orrery new`, built there, dropped in."""

import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import BUILD, PYTHON, SCENE, SOURCE, ProgramCase

import tap
from sanitized import preloaded

PLACE = None

KINEMATIC = {"physics": "orrery.physics.kinematic.Kinematic"}
TEXT = ["orrery.middleware.text_datastream.TextDatastreamManager", "orrery.middleware.text_datastream.Publisher", {}]
SOCKET_CALLS = "orrery.middleware.socket_request_manager.SocketRequestManager"


def setUpModule():
    global PLACE
    PLACE = tempfile.mkdtemp(prefix="orrery-install-")
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    subprocess.run(["make", "-s", "-C", BUILD, "install", "DESTDIR=" + PLACE], check=True, env=environment,
                   stdout=subprocess.DEVNULL)


def tearDownModule():
    shutil.rmtree(PLACE)


def find(pattern):
    """The one installed file that fits, wherever the prefix is."""
    found = glob.glob(os.path.join(PLACE, "**", pattern), recursive=True)
    assert len(found) == 1, (pattern, found)
    return found[0]


class Installed(ProgramCase):
    def program(self):
        return find("bin/orrery")

    def tool(self, *command, **more):
        """Runs a command with the installed tree in reach of pkg-config."""
        environment = dict(self.environment(), PKG_CONFIG_PATH=os.path.dirname(find("pkgconfig/orrery-1.pc")), **more)
        for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
            environment.pop(name, None)
        return subprocess.run(command, cwd=self.directory, env=environment, capture_output=True, text=True, timeout=900,
                              stdin=subprocess.DEVNULL)

    def orrery(self, *arguments, **options):
        return self.tool(self.program(), *arguments)


class Tree(Installed):
    def test_what_is_there(self):
        library = os.path.dirname(find("liborrery-1.so.0"))
        self.assertEqual(os.readlink(os.path.join(library, "liborrery-1.so")), "liborrery-1.so.0")
        for pattern in ("orrery-1/orrery.h", "orrery-1/base/orrery-version.h", "orrery-1/roles/orrery-sensor.h",
                        "plugins/orrery/sensors/pose.so", "plugins/orrery/robots/atrv.json",
                        "templates/sensor.c.in", "python/orrery/builder/__init__.py"):
            find(pattern)
        self.assertEqual(glob.glob(os.path.join(PLACE, "**/*-private.h"), recursive=True), [])

    def test_a_moved_tree_runs(self):
        scene = self.write("scene.json", SCENE)
        self.check(self.orrery("run", scene, "--fast", "--ticks", "3"), 0, "3 ticks", PLACE)
        script = self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nenv = Environment('empty')\n")
        self.check(self.orrery("run", script, "--fast", "--ticks", "3"), 0, "3 ticks")

    def test_guides_lie_beside_their_examples(self):
        """What the tutorials name is where their readers look for it, and is right there."""
        page = find("doc/**/tutorials.md")
        with open(page, encoding="utf-8") as file:
            named = sorted(set(re.findall(r"orrery run (examples/\S+)", file.read())))
        self.assertGreaterEqual(len(named), 5)
        for name in named:
            self.check(self.orrery("check", os.path.join(os.path.dirname(page), name)), 0, "ok")

    def test_the_package_of_a_module_is_named(self):
        """Where packages were made, their table says which to install, or to repair."""
        scene = self.write("scene.json", SCENE.replace("morse.sensors.pose.Pose", "morse.sensors.absent.Pose"))
        self.assertNotIn("package", self.orrery("check", scene).stderr)
        table = os.path.join(os.path.dirname(find("orrery-1/scene.schema.json")), "packages")
        with open(table, "w", encoding="utf-8") as file:
            file.write("orrery.sensors.abs other\n\n \norrery.sensors.absent orrery-absent\norrery.sensors.absent.Pose no\n"
                       "acme.absent acme-absent\norrery.middleware.absent_datastream acme-absent\n"
                       "orrery.middleware.absent_request_manager acme-absent\n")
        self.addCleanup(os.remove, table)
        self.check(self.orrery("check", scene), 69, "no module orrery/sensors/absent.so", "; it is in the package orrery-absent\n")
        for line, words in (("robot.append(Sensor('acme.absent.Sensor'))", "no class acme.absent.Sensor"),
                            ("robot.add_stream('absent')", "no stream absent"), ("robot.add_service('absent')", "no services over absent")):
            script = self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\n%s\nenv = Environment('empty')\n" % line)
            self.check(self.orrery("check", script), 69, "scene.py:3: " + words, "; it is in the package acme-absent\n")
        broken = os.path.join(os.path.dirname(find("plugins/orrery/sensors/pose.so")), "absent.so")
        with open(broken, "w", encoding="utf-8") as file:
            file.write("no module\n")
        self.addCleanup(os.remove, broken)
        self.check(self.orrery("check", scene), 69, "cannot be loaded", "; it is in the package orrery-absent\n")

    def test_the_doctor_names_packages(self):
        """What another package would bring is installed from it; what no package has is built."""
        plugins = os.path.dirname(os.path.dirname(find("plugins/orrery/sensors/pose.so")))
        for name in "middleware/mqtt_datastream.so", "importers/read-mesh":
            path = os.path.join(plugins, name)
            if os.path.exists(path):
                os.rename(path, path + ".away")
                self.addCleanup(os.rename, path + ".away", path)
        built = self.ask_doctor()
        self.assertEqual(built["orrery.middleware.mqtt_datastream (MQTT) is not part of this build"],
                         "build Orrery where libmosquitto-dev is installed")
        self.assertEqual(built["read-mesh (meshes of robots and worlds) is not part of this build"], None)
        table = os.path.join(os.path.dirname(find("orrery-1/scene.schema.json")), "packages")
        with open(table, "w", encoding="utf-8") as file:
            file.write("orrery.importers.stl orrery-meshes\norrery.middleware.mqtt_datastream orrery-absent\n")
        self.addCleanup(os.remove, table)
        packaged = self.ask_doctor()
        self.assertEqual(packaged["orrery.middleware.mqtt_datastream (MQTT) is not installed"], "apt install orrery-absent")
        self.assertEqual(packaged["read-mesh (meshes of robots and worlds) is not installed"], "apt install orrery-meshes")

    def ask_doctor(self):
        done = self.orrery("doctor", "plugins", "--json")
        return {finding["words"]: finding.get("remedy") for finding in json.loads(done.stdout)["findings"]}

    def test_import_without_a_variable(self):
        packages = os.path.dirname(next(path for path in glob.glob(os.path.join(PLACE, "**/orrery"), recursive=True)
                                        if os.path.islink(path)))
        if not glob.glob(os.path.join(PLACE, "**/Orrery-1.typelib"), recursive=True):
            self.skipTest("no typelib")
        code = ("import site\nsite.addsitedir(%r)\nimport orrery\nsim = orrery.load(%r)\nsim.step(2)\n"
                "print(sim.ticks, orrery.__file__)\n" % (packages, self.write("scene.json", SCENE)))
        done = self.tool(PYTHON, "-c", code, **preloaded())
        self.check(done, 0, "2 " + PLACE)

    def test_import_below_the_home(self):
        """`make install prefix=~/.local`, by which Python finds packages of a user."""
        if not glob.glob(os.path.join(PLACE, "**/Orrery-1.typelib"), recursive=True):
            self.skipTest("no typelib")
        home = self.path("home")
        done = self.tool("make", "-s", "-C", BUILD, "install", "prefix=" + os.path.join(home, ".local"), HOME=home)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        code = "import orrery\nsim = orrery.load(%r)\nsim.step(2)\nprint(sim.ticks, orrery.__file__)\n"
        done = self.tool(PYTHON, "-c", code % self.write("scene.json", SCENE), HOME=home, **preloaded())
        self.check(done, 0, "2 " + home)
        # Control: nobody else finds it.
        self.assertNotEqual(self.tool(PYTHON, "-c", "import orrery", HOME=self.directory, **preloaded()).returncode, 0)
        done = self.tool("make", "-s", "-C", BUILD, "uninstall", "prefix=" + os.path.join(home, ".local"), HOME=home)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        self.assertEqual([path for path in glob.glob(os.path.join(home, "**/orrery"), recursive=True) if os.path.islink(path)], [])

    def test_directories_of_packages(self):
        """Where Python looks below a prefix; else where it would put packages."""
        script = os.path.join(SOURCE, "python/site_directory.py")
        version = "python%d.%d" % sys.version_info[:2]
        home = self.path("home")
        for prefix, expected in ((os.path.join(home, ".local"), os.path.join(home, ".local/lib", version, "site-packages")),
                                 ("/opt/orrery", "/opt/orrery/lib/%s/site-packages" % version)):
            done = self.tool(PYTHON, script, prefix, HOME=home)
            self.assertEqual(done.stdout.strip(), expected)
        for prefix in "/usr/local", "/usr":
            done = self.tool(PYTHON, script, prefix)
            self.assertTrue(done.stdout.startswith(prefix + "/lib/python"), done.stdout)
            known = self.tool(PYTHON, "-c", "import sys; print(*sys.path, sep='\\n')").stdout.splitlines()
            if PYTHON.startswith(("/usr/bin/", prefix)):
                self.assertIn(done.stdout.strip(), known)

    @unittest.skipUnless(shutil.which("mypy"), "no mypy")
    def test_hints_are_found(self):
        """By a checker that knows where Python finds packages, and nothing else."""
        packages = os.path.dirname(next(path for path in glob.glob(os.path.join(PLACE, "**/orrery"), recursive=True)
                                        if os.path.islink(path)))
        if not os.path.exists(os.path.join(packages, "orrery-stubs")):
            self.skipTest("no typelib")
        site = self.tool(PYTHON, "-c", "import site\nprint(site.getusersitepackages())",
                         PYTHONUSERBASE=self.path("base")).stdout.strip()
        os.makedirs(site)
        with open(os.path.join(site, "installed.pth"), "w", encoding="utf-8") as file:
            file.write(packages + "\n")
        self.write("right.py", "from morse.builder import *\nimport orrery\nrobot = ATRV()\nenv = Environment('empty')\n"
                   "sim = orrery.load('scene.json')\nprint(sim.ticks + 1)\n")
        self.write("wrong.py", "from morse.builder import *\nimport orrery\nrobot = ATRV()\nrobot.apend(Pose())\n"
                   "orrery.load(1)\n")
        done = self.tool("mypy", "--strict", "--no-incremental", "--cache-dir", os.devnull, "--python-executable", PYTHON,
                         "right.py", "wrong.py", PYTHONUSERBASE=self.path("base"))
        self.assertEqual(re.findall(r"^(\w+\.py:\d+): error", done.stdout, re.M), ["wrong.py:4", "wrong.py:5"],
                         done.stdout + done.stderr)


class DropIn(Installed):
    """A skeleton for each role: built, tried, dropped into the search path, named by hand, taken away."""

    def make(self, role):
        self.check(self.orrery("new", role, "acme.sonar.RawSonar", "-o", self.path("sonar")), 0, "Makefile")
        done = self.tool("make", "-C", self.path("sonar"), "check")
        self.check(done, 0)
        self.assertIn("ok 1 /sonar/works", done.stdout)
        self.check(self.tool("make", "-C", self.path("sonar"), "install"), 0)

    def scene(self, parts=(), robot="orrery.robots.atrv.ATRV", environment=KINEMATIC, **tables):
        document = {"orrery": 1, "environment": environment,
                    "objects": [{"name": "robot", "classpath": robot,
                                 "objects": [{"name": name, "classpath": classpath} for name, classpath in parts]}]}
        document.update(tables)
        return self.write("scene.json", json.dumps(document, indent=1))

    def run_scene(self, scene, ticks=60):
        self.check(self.orrery("run", scene, "--fast", "--ticks", str(ticks)), 0, "%d ticks" % ticks)

    def last_value(self, stream, field):
        """What the text manager wrote last of a field."""
        with open(self.path(stream + ".txt"), encoding="utf-8") as file:
            lines = [line.split("=")[1] for line in file if line.startswith("\t%s = " % field)]
        return float(lines[-1])

    def gone(self, scene, classpath="acme.sonar.RawSonar"):
        """Without the file, check names the class, the line and the directories."""
        os.remove(glob.glob(self.path("data/orrery/plugins/acme/sonar.*"))[0])
        line = next(number for number, text in enumerate(open(scene, encoding="utf-8"), 1) if classpath in text)
        done = self.orrery("check", scene)
        self.check(done, 69, "scene.json:%d:" % line, classpath, self.path("data/orrery/plugins"), PLACE)

    def test_sensor(self):
        self.make("sensor")
        scene = self.scene([("mine", "acme.sonar.RawSonar")], component_datastream={"robot.mine": [TEXT]})
        self.run_scene(scene)
        self.assertEqual(self.last_value("robot.mine", "distance"), 0.0)
        self.gone(scene)

    def test_a_field_that_is_missing(self):
        self.check(self.orrery("new", "sensor", "acme.sonar.RawSonar", "-o", self.path("sonar")), 0)
        source = self.path("sonar/sonar.c")
        with open(source, encoding="utf-8") as file:
            text = file.read()
        with open(source, "w", encoding="utf-8") as file:
            file.write(text.replace("distance", "range"))
        done = self.tool("make", "-C", self.path("sonar"), "check")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("robot.mine: no field distance; there are: range", done.stdout)
        self.assertNotIn("nan", done.stdout)

    def test_actuator(self):
        self.make("actuator")
        scene = self.scene([("mine", "acme.sonar.RawSonar")], component_service={"robot.mine": [SOCKET_CALLS]})
        self.check(self.served(scene, "robot.mine", "stop"), 0)
        self.gone(scene)

    def test_modifier(self):
        self.make("modifier")
        scene = self.scene([("pose", "orrery.sensors.pose.Pose")], component_datastream={"robot.pose": [TEXT]},
                           component_modifier={"robot.pose": [["acme.sonar.RawSonar", {"offset": 5.0}]]})
        self.run_scene(scene)
        self.assertEqual(self.last_value("robot.pose", "x"), 5.0)
        self.gone(scene)

    def test_datastream(self):
        self.make("datastream")
        stream = ["acme.sonar.RawSonarManager", "acme.sonar.RawSonar", {"file": self.path("pose.lines")}]
        scene = self.scene([("pose", "orrery.sensors.pose.Pose")], component_datastream={"robot.pose": [stream]})
        self.run_scene(scene)
        with open(self.path("pose.lines"), encoding="utf-8") as file:
            self.assertEqual([json.loads(line)["x"] for line in file], [0.0] * 60)
        self.gone(scene)

    def test_request_manager(self):
        self.make("request_manager")
        scene = self.scene([("waypoint", "orrery.actuators.waypoint.Waypoint")],
                           component_service={"robot.waypoint": ["acme.sonar.RawSonar"]})
        os.mkfifo(self.path("sonar.pipe"))
        pipe = os.open(self.path("sonar.pipe"), os.O_RDWR)
        os.write(pipe, b"robot.waypoint get_status\n")
        self.run_scene(scene)
        os.close(pipe)
        with open(self.path("sonar.answers"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 1)
        self.gone(scene)

    def test_overlay(self):
        self.make("overlay")
        scene = self.scene([("waypoint", "orrery.actuators.waypoint.Waypoint")],
                           component_service={"robot.waypoint": [SOCKET_CALLS]},
                           overlays={SOCKET_CALLS: {"robot.waypoint": "acme.sonar.RawSonar"}})
        done = self.served(scene, "robot.waypoint.sonar", "count_properties")
        self.check(done, 0)
        self.assertGreater(int(done.stdout), 3)
        self.gone(scene)

    def test_script(self):
        self.make("script")
        scene = self.write("scene.json", json.dumps(
            {"orrery": 1, "environment": KINEMATIC,
             "objects": [{"name": "wheel", "scripts": [{"type": "child", "classpath": "acme.sonar.RawSonar"}]}]},
            indent=1))
        self.run_scene(scene)
        self.check(self.served(scene, "sonar", "ticks"), 0)
        self.gone(scene)

    def test_robot(self):
        self.make("robot")
        scene = self.scene([("pose", "orrery.sensors.pose.Pose")], robot="acme.sonar.RawSonar",
                           component_datastream={"robot.pose": [TEXT]})
        self.run_scene(scene)
        self.assertEqual(self.last_value("robot.pose", "z"), 0.3)
        self.gone(scene)

    def test_physics(self):
        self.make("physics")
        scene = self.scene([("pose", "orrery.sensors.pose.Pose")], environment={"physics": "acme.sonar.RawSonar"},
                           component_datastream={"robot.pose": [TEXT]})
        self.run_scene(scene)
        self.assertLess(self.last_value("robot.pose", "z"), -0.3)
        self.gone(scene)

    def served(self, scene, *call):
        """Calls a service of a simulation that runs meanwhile."""
        process = subprocess.Popen([self.program(), "run", scene], stderr=subprocess.PIPE, stdout=subprocess.PIPE,
                                   text=True, cwd=self.directory, env=self.environment())
        self.addCleanup(self.end, process)
        return self.orrery("call", "--port", self.services_port(process), *call)


class New(Installed):
    def test_what_is_no_name(self):
        for classpath in "Sonar", "acme.Sonar", "acme.sonar.sonar", "acme..Sonar", "acme.so-nar.Sonar", "1a.b.C":
            self.check(self.orrery("new", "sensor", classpath), 64, "is no classpath")
        self.check(self.orrery("new", "sensro", "acme.sonar.Sonar"), 64, "did you mean sensor")
        self.assertEqual(os.listdir(self.directory), [])

    def test_nothing_is_overwritten(self):
        self.check(self.orrery("new", "sensor", "acme.sonar.Sonar"), 0, "sonar/sonar.c", "sonar/Makefile")
        self.check(self.orrery("new", "sensor", "acme.sonar.Sonar"), 74, "sonar.c", "exists already")


if __name__ == "__main__":
    tap.main()
