# SPDX-License-Identifier: BSD-3-Clause
"""What components in Python say in the log, and how much of it: in the host, in workers, as classes of MORSE."""

import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../middleware"))
from clients import Lines  # noqa: E402
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

TALK = '''
    """What talks."""
    import orrery

    __licence__ = "BSD-3-Clause"

    class Talker(orrery.Sensor):
        loud = orrery.field(bool, "", "Whether it debugs")

        def setup(self, setup):
            self.log(orrery.LogLevel.INFO, "is set up")

        def sense(self, tick, record):
            record.loud = self.is_logged(orrery.LogLevel.DEBUG)
            for level in (orrery.LogLevel.DEBUG, orrery.LogLevel.INFO, orrery.LogLevel.WARNING):
                if self.is_logged(level):
                    self.log(level, "%s in tick %d of 100%%" % (level.value_nick, tick.number))

    @orrery.plugin
    class Talk(Talker):
        """Says much."""

    @orrery.plugin
    class Chat(Talker):
        """Says as much."""
'''

MORSE = '''
    import logging
    import morse.core.sensor

    logger = logging.getLogger("morse." + __name__)

    class %s(morse.core.sensor.Sensor):
        def __init__(self, obj, parent=None):
            morse.core.sensor.Sensor.__init__(self, obj, parent)
            logger.info("%%s begins", obj.name)

        def default_action(self):
            for level in ("debug", "info", "warning", "error"):
                getattr(logger, level)("%%s says %%s", self.name(), level)
'''


def said(text, name):
    """Which levels of whose lines are there."""
    return sorted(set(re.findall(re.escape(name) + r"(?::| says) (debug|info|warning|error)", text)))


@unittest.skipUnless(READY, "no PyGObject, or no typelib")
class Log(PythonCase):
    def setUp(self):
        super().setUp()
        self.module("acme/talk.py", TALK)

    def log_of(self, scene_text, *arguments):
        done = self.run_scene(scene_text, "--ticks", "3", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def scene(self, placement="host", **levels):
        return scene(("talk", "acme.talk.Talk", {"placement": placement}), ("chat", "acme.talk.Chat"),
                     tables={"log_levels": levels} if levels else None)

    def test_not_set(self):
        log = self.log_of(self.scene())
        self.assertEqual(said(log, "robot.talk"), ["info", "warning"])
        self.assertIn("robot.talk: is set up", log)
        self.assertRegex(log, r"\[ *\d+\.\d{3}\] robot\.talk: info in tick 2 of 100%\n")
        self.assertRegex(log, r"\] warning: robot\.talk: warning in tick 0 of 100%\n")

    def test_quiet(self):
        log = self.log_of(self.scene(), "--quiet")
        self.assertEqual(said(log, "robot.talk"), ["warning"])
        self.assertNotIn("is set up", log)

    def test_each_level(self):
        """In the host and in a worker alike; those of the other component stay."""
        for level, lines in (("DEBUG", ["debug", "info", "warning"]), ("INFO", ["info", "warning"]),
                             ("SECTION", ["warning"]), ("WARNING", ["warning"]), ("ERROR", []), ("CRITICAL", [])):
            for placement in ("host", "worker"):
                with self.subTest(level, placement=placement):
                    log = self.log_of(self.scene(placement, Talk=level), "--quiet")
                    self.assertEqual(said(log, "robot.talk"), lines, log)
                    self.assertEqual(said(log, "robot.chat"), ["warning"])
                    self.assertEqual("robot.talk: is set up" in log, "info" in lines)
                    if placement == "worker" and lines:
                        self.assertIn("worker robot.talk: robot.talk: warning in tick 0", log)

    def test_while_it_runs(self):
        """A worker hears of it, and the one that takes its place, too."""
        self.prints("""
            import os, signal, time
            sim.step(2)
            assert not sim["robot.talk"].data.loud
            sim.call("simulation", "set_log_level", "acme.talk", "ERROR")
            sim.call("simulation", "set_log_level", "robot.talk", "debug")
            sim.step(2)
            assert sim["robot.talk"].data.loud
            os.kill(sim.get_report()["workers"][0]["pid"], signal.SIGKILL)
            deadline = time.monotonic() + 60
            while sim.get_report()["workers"][0]["restarts"] == 0 or sim.get_report()["workers"][0]["state"] != "up":
                assert time.monotonic() < deadline
                sim.step(1)
                time.sleep(0.01)
            sim.step(2)
            assert sim["robot.talk"].data.loud
            sim.set_log_level("robot.talk", "INFO")
            sim.step(2)
            assert not sim["robot.talk"].data.loud
            sim.set_log_level("robot.talk", "DEBUG")
            assert sim["robot.talk"].get_log_level() == orrery.LogLevel.DEBUG
            assert sim["robot.chat"].get_log_level() == orrery.LogLevel.ERROR
            """, self.scene("worker"))

    def test_client(self):
        """By a service, as clients of MORSE set it."""
        self.write("scene.json", scene(("talk", "acme.talk.Talk", {"frequency": 10}),
                                       ("chat", "acme.talk.Chat", {"frequency": 10})))
        process = self.start("run", "scene.json", "--plugin-dir", "plugins")
        with Lines(int(self.services_port(process))) as client:
            client.ask("simulation", "set_log_level", "robot.talk", "DEBUG")
            self.wait_for(process, "robot.talk: debug in tick")
            client.ask("simulation", "set_log_level", "robot.talk", "critical")
            with self.assertRaisesRegex(RuntimeError, "FAILED .*no log level 'loud'"):
                client.ask("simulation", "set_log_level", "robot.talk", "loud")
            client.ask("simulation", "set_log_level", "Chta", "DEBUG")
            self.assertIn("has the name 'Chta'; did you mean Chat", self.wait_for(process, "has the name"))
            client.ask("simulation", "set_log_level", "Chat", "DEBUG")
            lines = []
            while sum("robot.chat: debug" in line for line in lines) < 3:
                lines.append(process.stderr.readline())
                self.assertNotEqual(lines[-1], "")
            self.assertEqual(said("".join(lines), "robot.talk"), [])

    def test_components_of_morse(self):
        for name in ("One", "Two"):
            self.module("lab/%s.py" % name.lower(), MORSE % name)
        components = (("a", "lab.one.One"), ("b", "lab.one.One"), ("c", "lab.two.Two", {"placement": "worker"}))
        every = ["debug", "error", "info", "warning"]
        plain = ["error", "info", "warning"]
        for levels, expected in (({}, (plain, plain, plain)),
                                 ({"One": "DEBUG"}, (every, every, plain)),
                                 ({"lab.two": "DEBUG"}, (plain, plain, every)),
                                 ({"robot.b": "DEBUG"}, (plain, every, plain)),
                                 ({"lab": "ERROR", "robot.a": "WARNING"}, (["error", "warning"], ["error"], ["error"])),
                                 ({"morse": "CRITICAL"}, ([], [], []))):
            with self.subTest(levels):
                log = self.log_of(scene(*components, tables={"log_levels": levels}))
                self.assertEqual(tuple(said(log, "robot." + name) for name in "abc"), expected, log)
                self.assertEqual([("robot.%s begins" % name) in log for name in "abc"],
                                 ["info" in lines for lines in expected])
        log = self.log_of(scene(*components, tables={"log_levels": {"robot.b": "DEBUG"}}), "--quiet")
        self.assertEqual(said(log, "robot.b"), every)
        self.assertEqual(said(log, "robot.c"), ["error", "warning"])


if __name__ == "__main__":
    tap.main()
