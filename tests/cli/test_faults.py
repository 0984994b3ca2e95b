#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Plugins that crash, loop, call exit() or meddle with their thread: the run says which one, where and when."""

import json
import os
import signal
import unittest

from support import BUILD, ProgramCase

import tap
from sanitized import is_sanitized

PLUGINS = os.path.join(BUILD, "tests/plugins/tree")
CODES = {"segv": -signal.SIGSEGV, "abort": -signal.SIGABRT, "divide": -signal.SIGFPE, "overflow": -signal.SIGSEGV,
         "exit": 70, "success": 70}
NAMES = {"segv": "SIGSEGV", "abort": "SIGABRT", "divide": "SIGFPE", "overflow": "SIGSEGV",
         "exit": "exit (3)", "success": "exit (0)"}

PYTHON_CLASS = """'''Crashes.'''
import os
import orrery


@orrery.plugin
class Bad(orrery.Sensor):
    '''Crashes.'''
    x = orrery.field(float, "m", "nothing")

    def sense(self, tick, record):
        if tick.number == 5:
            os.abort()
"""


class Faults(ProgramCase):
    def scene(self, how, where, at=5, **keys):
        bad = {"name": "bad", "classpath": "probe.faults.Faulty",
               "properties": {"how": how, "where": where, "at": at}}
        pose = {"name": "pose", "classpath": "orrery.sensors.pose.Pose"}
        robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [pose, dict(bad, **keys)]}
        return self.write("scene.json", json.dumps({"orrery": 1, "objects": [robot]}))

    def script(self, how, where):
        script = {"classpath": "probe.faults.Errand", "type": "child", "properties": {"how": how, "where": where,
                                                                       "at": 0 if where == "init" else 5}}
        robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "scripts": [script], "objects": [
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}
        return self.write("scene.json", json.dumps({"orrery": 1, "objects": [robot]}))

    def arguments(self, scene, *more):
        return ["run", scene, "--plugin-dir", PLUGINS, "--quiet", "--offline", "--result", self.path("result.json"), *more]

    def run_it(self, scene, *more):
        return self.orrery(*self.arguments(scene, "--fast", "--ticks", "40", *more))

    def result(self):
        with open(self.path("result.json"), encoding="utf-8") as file:
            return json.load(file)

    def check_named(self, done, how, *words):
        self.assertEqual(done.returncode, CODES[how], done.stderr)
        said = [line for line in done.stderr.splitlines() if line.startswith("orrery: ")]
        self.assertEqual(len(said), 1, done.stderr)
        for word in (NAMES[how], *words):
            self.assertIn(word, said[0])
            self.assertIn(word, self.result()["error"])
        code = self.result()["exit"]
        self.assertEqual(code, 128 - done.returncode if done.returncode < 0 else done.returncode)


@unittest.skipIf(is_sanitized(), "the sanitizer has handlers of its own, which stay")
class Crashes(Faults):
    def test_in_a_step(self):
        for how in CODES:
            with self.subTest(how):
                done = self.run_it(self.scene(how, "sense"))
                self.check_named(done, how, " sense ", "robot.bad", "probe.faults.Faulty", "tick 5")
                if CODES[how] < 0:
                    self.assertIn("faults.so", done.stderr, "there is no backtrace")

    def test_in_setup(self):
        for how in ("segv", "success"):
            done = self.run_it(self.scene(how, "setup"))
            self.check_named(done, how, " setup ", "robot.bad", "probe.faults.Faulty")

    def test_at_the_end(self):
        for how in ("segv", "success"):
            done = self.run_it(self.scene(how, "finalize"))
            self.check_named(done, how, " finalize ", "robot.bad", "probe.faults.Faulty")

    def test_at_the_end_of_a_worker(self):
        """What stands for a part in the host has no code that could crash there."""
        for how in ("segv", "success", "overflow"):
            with self.subTest(how):
                done = self.run_it(self.scene(how, "finalize", placement="worker"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(self.result()["exit"], 0)
                self.assertFalse([line for line in done.stderr.splitlines() if line.startswith("orrery: ")], done.stderr)

    def test_when_the_state_is_saved(self):
        done = self.run_it(self.scene("segv", "save"), "--save", self.path("state"))
        self.check_named(done, "segv", " save ", "robot.bad")

    def test_what_is_no_result_is_kept(self):
        """Which files belong to the scene is not known any more after a fault."""
        scene = self.scene("segv", "sense")
        with open(scene, encoding="utf-8") as file:
            scene = self.write("printed.json", json.dumps(json.load(file), indent=2))
        for path, kept in ((scene, True), (self.write("notes", "mine\n"), True), (self.write("empty", ""), False)):
            with open(path, encoding="utf-8") as file:
                before = file.read()
            self.orrery("run", scene, "--plugin-dir", PLUGINS, "--fast", "--offline", "--ticks", "9", "--result", path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read() == before, kept, path)

    def test_in_a_script(self):
        for where in ("init", "sensing", "actuation"):
            with self.subTest(where):
                done = self.run_it(self.script("abort", where))
                self.check_named(done, "abort", " %s " % where, "probe.faults.Errand")

    def test_in_a_class_in_python(self):
        os.makedirs(self.path("plugins/lab"))
        self.write("plugins/lab/bad.py", PYTHON_CLASS)
        scene = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "bad", "classpath": "lab.bad.Bad"}]}
        scene = self.write("scene.json", json.dumps({"orrery": 1, "objects": [scene]}))
        done = self.run_it(scene, "--plugin-dir", self.path("plugins"))
        self.check_named(done, "abort", " sense ", "robot.bad", "lab.bad.Bad", "tick 5")

    def test_a_fault_elsewhere_blames_nobody(self):
        process = self.start("run", self.scene("none", "sense"), "--plugin-dir", PLUGINS, "--paused",
                             "--result", self.path("result.json"))
        self.services_port(process)
        process.send_signal(signal.SIGBUS)
        process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGBUS)
        self.assertIn("outside of all plugins", self.result()["error"])
        self.assertNotIn("Faulty", self.result()["error"])


class StandIns(Faults):
    """What stands in the host for a part in a worker is as good as the part for those who ask it."""

    def run_lamp(self, color, placement, command="run"):
        lamps = [{"name": name, "classpath": "orrery.actuators.lamp.Lamp", "placement": placement,
                  "properties": {"color": color}} for name in ("one", "two")]
        robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": lamps}
        scene = self.write("scene.json", json.dumps({"orrery": 1, "objects": [robot]}))
        return self.orrery(command, scene, *(["--offline", "--quiet", "--fast", "--ticks", "3"] if command == "run" else []))

    def test_what_a_class_checks(self):
        """The same words for a wrong value, wherever its class looks at it, and once."""
        for command in ("run", "check"):
            here = self.run_lamp("purple", "host", command)
            self.check(here, 65, "robot.one: property 'color'", "robot.two: property 'color'")
            said = here.stderr.replace('"host"', "")
            for placement in ("worker", "both"):
                done = self.run_lamp("purple", placement, command)
                self.assertEqual(done.returncode, 65)
                for name in ("one", "two"):
                    words = said[said.index("robot." + name):].splitlines()[0]
                    self.assertEqual(done.stderr.count(words), 1, done.stderr)
                self.assertEqual(len(done.stderr.splitlines()), len(said.splitlines()), done.stderr)
        self.check(self.run_lamp("(1, 0.5, 0)", "worker"), 0)

    def test_properties_and_services(self):
        """Also those that its instance sets up, as the axes of a camera."""
        answers = []
        for placement in ("host", "worker"):
            camera = {"name": "cam", "classpath": "orrery.sensors.video_camera.VideoCamera", "placement": placement,
                      "properties": {"cam_width": 64, "cam_height": 32}, "position": [1, 2, 3], "rotation": [0.1, 0.2, 0.3]}
            lamp = {"name": "lamp", "classpath": "orrery.actuators.lamp.Lamp", "placement": placement}
            robot = {"name": "robot", "classpath": "orrery.core.robot.Robot", "objects": [camera, lamp]}
            managers = ["orrery.middleware.socket_request_manager.SocketRequestManager"]
            process = self.start("run", self.write("scene.json", json.dumps({
                "orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"}, "objects": [robot],
                "component_service": {"robot.cam": managers, "robot.lamp": managers}})))
            port = self.services_port(process)
            self.addCleanup(self.end, process)

            def call(*words):
                done = self.orrery("call", "--port", port, *words)
                self.check(done, 0)
                return done.stdout

            told = [call("robot.cam", "get_configurations"), call("robot.lamp", "get_properties"),
                    call("robot.cam", "get_properties"), call("simulation", "get_scene_objects"), call("simulation", "details")]
            call("robot.lamp", "set_property", '"energy"', "5")
            told.append(call("robot.lamp", "get_properties"))
            answers.append(told)
            self.end(process)
        for here, there in zip(*answers):
            self.assertEqual(here, there)
        self.assertNotEqual(answers[0][1], answers[0][5])


class Loops(Faults):
    def start_loop(self, *more):
        return self.start(*self.arguments(self.scene("loop", "sense"), *more))

    def check_loop(self, process, code):
        _, said = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, said)
        for word in ("robot.bad", "probe.faults.Faulty", "sense", "tick 5"):
            self.assertIn(word, said)
            self.assertIn(word, self.result()["error"])
        self.assertEqual(self.result()["exit"], code)

    def test_wall_is_kept(self):
        self.check_loop(self.start_loop("--fast", "--ticks", "40", "--wall", "1"), 70)

    def test_terminate(self):
        process = self.start_loop("--fast")
        line = self.wait_for(process, "is still in")
        self.assertIn("for 10 s", line)
        process.send_signal(signal.SIGTERM)
        self.check_loop(process, 143)


class Control(Faults):
    def test_what_does_no_harm_is_not_named(self):
        done = self.run_it(self.scene("none", "sense"))
        self.check(done, 0)
        for word in ("orrery: ", "SIG", "for all parts", "failed"):
            self.assertNotIn(word, done.stderr)
        self.assertNotIn("error", self.result())


    @unittest.skipIf(is_sanitized(), "a forked child has no other threads: what they hold looks like leaks there")
    def test_a_child_of_a_plugin_may_end(self):
        done = self.run_it(self.scene("fork", "sense"))
        self.check(done, 0)
        self.assertNotIn("exit (0)", done.stderr)
        self.assertEqual(self.result()["ticks"], 40)


class Meddlers(Faults):
    def check_meddler(self, how, where, at, *words):
        done = self.run_it(self.scene(how, where, at))
        self.check(done, 0)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stderr.count("for all parts"), 1, done.stderr)

    def test_rounding(self):
        self.check_meddler("round", "setup", 5, "robot.bad", "setup", "rounded")
        self.check_meddler("round", "sense", 5, "robot.bad", "rounded")
        self.check_meddler("round", "sense", 35, "tick 35", "rounded")

    def test_signals(self):
        self.check_meddler("block", "setup", 5, "robot.bad", "setup", "signals")
        self.check_meddler("block", "sense", 5, "tick 5", "signals")

    def test_the_hash_is_that_of_a_run_without(self):
        hashes = {self.run_it(self.script(how, "setup"), "--hash", "--seed", "1", "--start", "0").stdout
                  for how in ("none", "round", "block")}
        self.assertEqual(len(hashes), 1, hashes)


class Workers(Faults):
    def test_the_log_names_the_function(self):
        done = self.run_it(self.scene("segv", "sense", placement="worker"))
        self.check(done, 0)
        for word in ("SIG", " in sense ", "robot.bad", "probe.faults.Faulty", "tick 5"):
            self.assertIn(word, done.stderr)


if __name__ == "__main__":
    tap.main()
