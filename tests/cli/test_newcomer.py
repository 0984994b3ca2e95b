# SPDX-License-Identifier: BSD-3-Clause
"""Mistakes of the first days: each is answered by what is wrong, where, and what to do instead."""

import json
import os
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from support import PROGRAM, SCENE, SCRIPT, ProgramCase  # noqa: E402
import tap  # noqa: E402


class Commands(ProgramCase):
    def test_help(self):
        self.assertEqual(self.orrery("help").stdout, self.orrery("--help").stdout)

    def test_scene_without_run(self):
        self.write("scene.py", SCRIPT)
        self.check(self.orrery("scene.py"), 64, "a scene is run by `orrery run scene.py`")
        self.assertNotIn("is run by", self.orrery("other.py").stderr)


class Unused(ProgramCase):
    """A builder script as a program, that does nothing with its scene."""

    def test_told(self):
        path = self.write("scene.py", SCRIPT)
        done = self.orrery("python", path)
        self.check(done, 0)
        self.assertEqual(done.stderr, "%s:7: the scene was built and not run: `orrery run %s` runs it, as does "
                                      "env.run(for_=10)\n" % (path, path))

    def test_not_told(self):
        for more in "env.run(ticks=2)", "env.describe()", "1 / 0":
            with self.subTest(more):
                path = self.write("used.py", SCRIPT + more + "\n")
                self.assertNotIn("was built and not run", self.orrery("python", path).stderr)
        self.assertNotIn("was built and not run", self.orrery("run", self.write("scene.py", SCRIPT), "--ticks=1",
                                                              "--fast", "--quiet").stderr)


class Outputs(ProgramCase):
    """A script is never written over, whatever option names it."""

    def test_script(self):
        script = self.write("scene.py", SCRIPT)
        for option in "--hash=", "--record=", "--video=", "--result=", "--save=":
            with self.subTest(option):
                done = self.orrery("run", "scene.py", "--ticks=1", "--offline", "--quiet", option + "./scene.py")
                self.check(done, 65, "the scene itself is read from this file")
                with open(script, encoding="utf-8") as file:
                    self.assertEqual(file.read(), SCRIPT)

    def test_recording_that_cannot_be_written(self):
        """The reason is the last line, and no table of zeros follows."""
        self.write("scene.json", SCENE)
        done = self.orrery("run", "scene.json", "--ticks=1", "--offline", "--record=nowhere/run.mcap")
        self.check(done, 74, "nowhere/run.mcap: cannot be written: No such file or directory")
        self.assertNotIn("of its budget", done.stdout + done.stderr)
        self.assertIn("of its budget", self.orrery("run", "scene.json", "--ticks=1", "--offline").stdout)

    def test_other_file(self):
        self.write("scene.json", SCENE)
        self.write("other", "")
        done = self.orrery("run", "scene.json", "--ticks=1", "--offline", "--quiet", "--hash=other", "--record=r.mcap")
        self.check(done, 0)
        self.assertGreater(os.path.getsize(self.path("other")), 0)


class Files(ProgramCase):
    def test_misspelled(self):
        self.write("scene.py", SCRIPT)
        self.check(self.orrery("run", "sceen.py"), 66, "sceen.py: there is no such file; did you mean scene.py")
        self.assertNotIn("did you mean", self.orrery("run", "another.py").stderr)
        self.check(self.orrery("build", "sceen.py", "-o", "scene"), 66, "sceen.py: there is no such file")


class Angles(ProgramCase):
    def test_degrees(self):
        scene = json.loads(SCENE)
        for yaw, warned in (90, True), (6.28, False):
            scene["objects"][0]["rotation"] = [0, 0, yaw]
            self.write("scene.json", json.dumps(scene))
            done = self.orrery("check", "scene.json")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("scene.json:1:" in done.stderr, warned, done.stderr)
            self.assertEqual("a rotation of 90 rad is more than a whole turn: rotations are in radians, not degrees"
                             in done.stderr, warned)


class Streams(ProgramCase):
    def test_echo_of_an_actuator(self):
        self.write("scene.json", SCENE)
        process = self.start("run", "scene.json", "--wall=60")
        port = self.services_port(process)
        self.check(self.orrery("echo", "robot.motion", "--port", port), 69, "robot.motion sends nothing")
        self.check(self.orrery("echo", "robot.pose", "-n", "1", "--port", port), 0, '"yaw"')


SONAR = """#include <orrery.h>
typedef struct { double distance; double height; } Data;
static const OrreryField fields[] = {
  ORRERY_FIELD (Data, distance, "m", "How far"), ORRERY_FIELD (Data, %s, "m", "How high") };
typedef struct { OrrerySensor parent_instance; } AcmeSonar;
ORRERY_DEFINE_CLASS (AcmeSonar, acme_sonar, OrrerySensor, orrery_sensor)
static void sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error) { }
static void acme_sonar_class_init (AcmeSonarClass *klass)
{
  ORRERY_SENSOR_CLASS (klass)->sense = sense;
  ORRERY_CLASS_SET_DATA (klass, Data, fields);
}
ORRERY_PLUGIN ("A sonar", "BSD-3-Clause", ORRERY_CLASS (Sonar, AcmeSonar, acme_sonar))
"""
FORGETFUL = SONAR.replace("  ORRERY_CLASS_SET_DATA (klass, Data, fields);\n", "").replace(
    "GError **error) { }", "GError **error)\n{\n  ((Data *) orrery_record_data (record))->distance = fields[0].offset;\n}")
PATROL = """import orrery


@orrery.plugin
class Patrol(orrery.Script):
    def %s(self, tick):
        for leg in range(3):
            %s
"""
MORSE = """import morse.core.sensor
from morse.helpers.components import add_data


class Sonar(morse.core.sensor.Sensor):
    add_data('distance', 0.0, 'float', 'how far')

    def __init__(self, obj, parent=None):
        %s

    def default_action(self):
        self.local_data['distance'] = 1.0
"""


class Plugins(ProgramCase):
    def environment(self):
        """What the host says of a plugin's mistakes ends the process in our tests otherwise."""
        return dict(super().environment(), G_DEBUG="")

    def run_with(self, **part):
        robot = dict({"name": "robot", "classpath": "morse.robots.atrv.ATRV"}, **part)
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [robot]}))
        return self.orrery("run", "scene.json", "--plugin-dir=plugins", "--ticks=5", "--fast", "--offline", "--quiet")

    def write_module(self, name, text):
        os.makedirs(self.path("plugins/acme"), exist_ok=True)
        self.write("plugins/acme/" + name, text)

    def test_fields_of_one_name(self):
        sonar = {"objects": [{"name": "sonar", "classpath": "acme.sonar.Sonar"}]}
        self.build_plugin("acme/sonar.so", SONAR % "distance")
        self.check(self.run_with(**sonar), 69, "field distance: there are two of that name",
                   "sonar.so: refused: the role sensor needs fields that are declared well")
        self.build_plugin("acme/sonar.so", SONAR % "height")
        self.check(self.run_with(**sonar), 0)

    def test_forgotten_fields(self):
        """The step ends the run where it writes, not the memory of others."""
        sonar = {"objects": [{"name": "sonar", "classpath": "acme.sonar.Sonar"}]}
        self.build_plugin("acme/sonar.so", FORGETFUL % "height")
        done = self.run_with(**sonar)
        self.assertEqual(done.returncode, -signal.SIGSEGV, done.stderr)
        self.assertRegex(done.stderr, r"SIGSEGV \(Segmentation fault\) in sense of robot.sonar \(acme.sonar.Sonar\), tick 0")

    def test_forgotten_yield(self):
        patrol = {"scripts": [{"type": "child", "classpath": "acme.patrol.Patrol"}]}
        self.write_module("patrol.py", PATROL % ("thread", "pass"))
        done = self.run_with(**patrol)
        self.assertEqual((done.returncode, done.stderr.count("robot/child: thread() has no yield")), (0, 1), done.stderr)
        self.write_module("patrol.py", PATROL % ("thread", "yield"))
        self.assertEqual(self.run_with(**patrol).stderr, "")

    def test_misspelled_callback(self):
        patrol = {"scripts": [{"type": "child", "classpath": "acme.patrol.Patrol"}]}
        self.write_module("patrol.py", PATROL % ("thraed", "yield"))
        self.check(self.run_with(**patrol), 69, "Patrol has no callback: thraed is none; did you mean thread")
        self.write_module("patrol.py", PATROL % ("walk", "yield"))
        self.check(self.run_with(**patrol), 0)

    def test_base_that_is_not_called(self):
        sonar = {"objects": [{"name": "sonar", "classpath": "acme.sonar.Sonar"}]}
        self.write_module("sonar.py", MORSE % "pass")
        done = self.run_with(**sonar)
        self.check(done, 65, "Sonar.__init__() does not call that of its base: super().__init__(obj, parent)")
        self.assertNotIn("finalize", done.stderr)
        self.write_module("sonar.py", MORSE % "super().__init__(obj, parent)")
        self.check(self.run_with(**sonar), 0)


URDF = """<robot name="lift">
  <link name="base"><inertial><mass value="10"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="lift" type="prismatic"><parent link="base"/><child link="arm"/>
    <limit lower="0" upper="1" effort="10" velocity="1"/></joint>
</robot>
"""


class Models(ProgramCase):
    def check_model(self, old, new, code, *words):
        self.write("lift.urdf", URDF.replace(old, new, 1))
        done = self.orrery("check", "lift.urdf")
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        return done

    def test_sound(self):
        self.assertNotIn("warning", self.check_model("", "", 0).stderr)

    def test_inertia(self):
        self.check_model('ixx="1"', 'ixx="-1"', 0, "lift.urdf:2: link 'base': no body has the moments of inertia -1, 1")
        self.check_model('ixx="1"', 'ixx="2.5"', 0, "link 'base': no body has the moments of inertia 2.5")
        self.assertNotIn("no body", self.check_model('ixx="1"', 'ixx="2"', 0).stderr)

    def test_limit(self):
        self.check_model('<limit lower="0" upper="1" effort="10" velocity="1"/>', "", 0,
                         "lift.urdf:6: joint 'lift' is prismatic and has no <limit>")
        self.assertNotIn("<limit>", self.check_model("prismatic", "continuous", 0).stderr)

    def test_places(self):
        self.check_model('parent link="base"', 'parent link="bse"', 65, "lift.urdf:6: joint 'lift': there is no link 'bse'")
        self.check_model('value="10"', 'value="ten"', 65, "lift.urdf:2: value='ten' is not 1 number ")


class Scripts(ProgramCase):
    def run_script(self, text, name="scene.py", **options):
        self.write(name, text)
        return self.orrery("run", name, "--ticks=1", "--offline", "--quiet", **options)

    def test_no_python(self):
        done = self.run_script("objects:\n  - name: robot\n", name="scene.yaml")
        self.check(done, 65, "scene.yaml:1: syntax error", "taken for a builder script in Python")
        self.assertNotIn("taken for", self.run_script("x = = 1\n").stderr)

    def test_exit(self):
        done = self.run_script("import sys\nsys.exit(3)\n")
        self.assertEqual((done.returncode, done.stderr),
                         (3, "scene.py:2: the script ended itself with exit code 3\n"))
        self.check(self.run_script("exit()\n"), 65, "scene.py:1: the script ends itself here")
        self.check(self.run_script(SCRIPT + "exit()\n"), 0)

    def test_exit_by_argparse(self):
        """It has said why."""
        done = self.run_script("import argparse\nargparse.ArgumentParser ().error ('no such thing')\n")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no such thing", done.stderr)
        self.assertNotIn("ended itself", done.stderr)

    def test_interrupt(self):
        self.check(self.run_script("raise KeyboardInterrupt\n"), 130, "scene.py:1: interrupted")

    def test_endless_loop(self):
        """Told with its line; the limit of ten seconds is set to nothing here."""
        quick = self.write("quick.py", "from orrery.builder import patience, runner\npatience.FIRST = 0.05\n"
                                       "try:\n    runner.run ('scene.py', [])\nexcept SystemExit:\n    pass\n")
        self.write("scene.py", "def f():\n    while True:\n        pass\nf()\n")
        process = subprocess.Popen([PROGRAM, "python", quick], cwd=self.directory, env=self.environment(),
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, process)
        self.assertRegex(self.wait_for(process, "still"),
                         r"^scene\.py:[23]: the script is still here after 0 s; Ctrl-C ends it$")

    def test_patience(self):
        """What ends in time is not told, and the signal is the user's again."""
        done = self.run_script("import signal\n" + SCRIPT + "assert signal.getitimer(signal.ITIMER_REAL)[0] > 0\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    tap.main()
