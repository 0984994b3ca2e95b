# SPDX-License-Identifier: BSD-3-Clause
"""A user at the prompt of Python: what is shown, completed, raised and interrupted there."""

import os
import re
import select
import signal
import subprocess
import sys
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

PROMPT = ">>> "
DEADLINE = 120

SCENE = scene(("pose", "morse.sensors.pose.Pose"), ("waypoint", "morse.actuators.waypoint.Waypoint"))
LOAD = 'sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)'

# A line, and a pattern of what the prompt answers; "" for nothing at all.
LINES = [
    ("import orrery", ""),
    (LOAD, ""),
    ("sim", r"<simulation of 3 components, stopped at 0 s \(0 ticks\)>"),
    ("sim.step(3)", ""),
    ("sim", r"<simulation of 3 components, running at 0.05 s \(3 ticks\)>"),
    ('sim["robot"]', r"<robot: orrery.robots.atrv.ATRV>"),
    ('pose = sim["robot.pose"]', ""),
    ("pose", r"<robot.pose: orrery.sensors.pose.Pose>"),
    ("pose.data", r"<robot.pose \{'timestamp': 0.0\d+, 'x': .*'roll': .*\}>"),
    ("pose.get_pose()", r"Transform\(x=0, y=0, z=\S+, roll=0, pitch=\S+, yaw=0\)"),
    ("pose.get_record().get_schema()", r"<schema: double x \(m\), .*>"),
    ("pose.get_object()", r"<object robot.pose>"),
    ("sim.world.get_snapshot()", r"<snapshot of \d+ objects>"),
    ("orrery.Vec3(1, 2, z=3)", r"Vec3\(x=1, y=2, z=3\)"),
    ("orrery.Quat()", r"Quat\(w=1, x=0, y=0, z=0\)"),
    ('goal = sim["robot.waypoint"].goto(2.0, 0.0, 0.0)', ""),
    ("goal", r"<robot.waypoint.goto: not done yet>"),
    ("while not goal.done: sim.step()\n", r"(\.\.\. )*"),
    ("goal", r"<robot.waypoint.goto: done, 'Arrived'>"),
    ('sim["robot.waypoint"].goto("far")', r"Traceback (?s:.*)goto takes 3 to 5 arguments, not 1.*"),
    ('sim["robot.waypont"]', r"Traceback (?s:.*)KeyError: 'no component robot.waypont; did you mean robot.waypoint or robot'"),
    ("heard = pose.subscribe(lambda record: None); heard", r"<subscription to robot.pose>"),
    ("heard.end(); heard", r"<subscription to robot.pose, ended>"),
    ('import rlcompleter; complete = rlcompleter.Completer(globals()).complete', ""),
    ('complete("pose.data.ya", 0)', r"'pose.data.yaw'"),
    ('goer = sim["robot.waypoint"]; complete("goer.got", 0)', r"'goer.goto\('"),
    ('complete("orrery.loa", 0)', r"'orrery.load\('"),
    ('complete("sim.step", 0)', r"'sim.step\('"),
    ("sim._ipython_key_completions_()", r"\['robot', 'robot.pose', 'robot.waypoint'\]"),
]


class Prompt:
    """An interpreter at a terminal of its own."""

    def __init__(self, case, *command):
        self.master, slave = case.open_terminal()
        # What is typed is not shown again.
        modes = termios.tcgetattr(slave)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        environment = dict(case.environment(), TERM="dumb", PYTHONPATH=os.path.join(cli.BUILD, "share/orrery-1/python"),
                           **sanitized.preloaded())
        environment.pop("PYTHONSTARTUP", None)
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=case.directory, env=environment,
                                        start_new_session=True, preexec_fn=take_terminal)
        os.close(slave)
        self.end = time.monotonic() + DEADLINE

    def read(self, *ends):
        """All until the text ends with one of these; until the end of the program, if there is none."""
        text = b""
        while not ends or not text.endswith(tuple(end.encode() for end in ends)):
            ready = select.select([self.master], [], [], max(0.0, self.end - time.monotonic()))[0]
            if not ready:
                raise AssertionError("no prompt after: %s" % text.decode(errors="replace"))
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            text += data
        text = re.sub(r"\x1b\[[?0-9;]*[a-z]", "", text.decode(errors="replace").replace("\r\n", "\n"))
        # What the log says is on the same terminal.
        return re.sub(r"(?m)^orrery-\w*Message\w*: .*\n", "", text)

    def write(self, text):
        os.write(self.master, text.encode())

    def say(self, line):
        self.write(line + "\n")
        text = self.read(PROMPT)
        return text[:-len(PROMPT)].strip("\n")

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.master)


def take_terminal():
    import fcntl
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class AtThePrompt(PythonCase):
    def begin(self):
        self.write("scene.json", SCENE)
        # Without a line editor, which would write what is typed in its own way.
        prompt = Prompt(self, cli.PYTHON, "-i", "-q", "-c", "import sys; sys.modules['readline'] = None")
        self.addCleanup(prompt.close)
        prompt.read(PROMPT)
        return prompt

    def test_lines(self):
        prompt = self.begin()
        for line, pattern in LINES:
            with self.subTest(line):
                self.assertRegex(prompt.say(line), r"\A%s\Z" % pattern)
        prompt.write("\x04")
        prompt.read()
        self.assertEqual(prompt.process.wait(DEADLINE), 0)

    def test_interrupt(self):
        """Ctrl-C in a run comes back to the prompt, and the simulation goes on from there."""
        prompt = self.begin()
        prompt.say("import orrery")
        prompt.say(LOAD)
        prompt.write('sim["robot.pose"].subscribe(lambda record: sim.ticks == 3 and print("RUNS")) and sim.run()\n')
        prompt.read("RUNS\n", "RUNS\r\n")
        prompt.write("\x03")
        self.assertIn("KeyboardInterrupt", prompt.read(PROMPT))
        self.assertEqual(prompt.say("n = sim.ticks; sim.step(2); sim.ticks - n"), "2")
        prompt.say("sim.close()")
        self.assertEqual(prompt.say("sim"), "<simulation of 3 components, closed>")
        prompt.write("exit(3)\n")
        prompt.read()
        self.assertEqual(prompt.process.wait(DEADLINE), 3)


if __name__ == "__main__":
    tap.main()
