# SPDX-License-Identifier: BSD-3-Clause
"""Signals at random moments: in every phase of a run, one or two of them, and some that nobody can hear.

ORRERY_TEST_ROUNDS says how many (the long tier asks for hundreds), ORRERY_TEST_SEED which.
"""

import contextlib
import json
import os
import random
import signal
import socket
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "../cli"), os.path.join(HERE, "../middleware")]

import support
import tap
from clients import IN, OUT, REQUESTS, SOCKET, Lines

ROUNDS = int(os.environ.get("ORRERY_TEST_ROUNDS", "36"))
SEED = os.environ.get("ORRERY_TEST_SEED", "storm")
# What ends by itself is done long before the program gives up on what hangs (5 s).
PATIENCE = 30
HANGS = "a thread or a child does not end"
LISTENING = "0A"

PLACES = ("script", "loading", "pacing", "slow", "fast", "held", "resetting", "unread", "end")


def scene(sync=None, scale=1):
    parts = [
        {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
        {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"},
        # Without rays: to look for leaks among the threads of Embree's library crashes at times.
        {"name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint",
         "properties": {"ObstacleAvoidance": False}},
    ]
    document = {
        "orrery": 1,
        "environment": {"import": "empty", "time_scale": scale},
        "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": parts}],
        "component_datastream": {"robot.pose": [OUT], "robot.motion": [IN]},
        "component_service": {"robot.waypoint": [REQUESTS]},
    }
    if sync:
        document["stream_manager"] = {SOCKET: {"time_sync": True, "sync_port": sync}}
    return json.dumps(document)


def listening_ports():
    """Of this network: the test's own, where it has one."""
    found = []
    for name in ("/proc/self/net/tcp", "/proc/self/net/tcp6"):
        with open(name, encoding="ascii") as file:
            found += [line.split()[1] for line in file if line.split()[3] == LISTENING]
    return found


class Resetter(threading.Thread):
    """A client that resets the simulation as often as it is answered."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port = port
        self.n = 0
        self.begun = threading.Event()

    def run(self):
        with contextlib.suppress(OSError, EOFError, RuntimeError), Lines(self.port) as client:
            while True:
                client.ask("simulation", "reset_objects")
                self.n += 1
                self.begun.set()


class StormCase(support.ProgramCase):
    alone = False

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))
        self.before = listening_ports()

    def environment(self):
        return dict(super().environment(), TMPDIR=self.path("tmp"))

    def left_processes(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError), open("/proc/%s/environ" % pid, "rb") as file:
                if self.path("tmp").encode() in file.read():
                    found.append(pid)
        return found

    def nothing_left(self, at_once=True):
        """No file, no process, no port; of a program that was killed, as soon as others have seen it."""
        until = time.monotonic() + (0 if at_once else PATIENCE)
        while True:
            left = (os.listdir(self.path("tmp")), self.left_processes(), [])
            if self.alone:
                left = left[:2] + ([port for port in listening_ports() if port not in self.before],)
            if not any(left) or time.monotonic() >= until:
                break
            time.sleep(0.005)
        self.assertEqual(left, ([], [], []))

    # --- where it is when the signal comes ---

    def begin(self, place, chance):
        """A run at the place; returns the process and what is to be closed when it has ended."""
        arguments = {"script": (), "end": ("--fast", "--ticks", str(chance.randint(1, 400))), "fast": ("--fast",),
                     "unread": ("--fast",), "resetting": ("--fast",)}.get(place, ())
        text = scene(sync=5000 if place == "held" else None, scale=1e-4 if place == "slow" else 1)
        path = self.write("scene.json", text)
        if place == "script":
            path = self.write("scene.py", support.SCRIPT + "import time\ntime.sleep(%f)\n" % chance.uniform(0, 0.05))
        self.waiting = None
        with contextlib.ExitStack() as closing:
            process = self.start("run", path, *arguments, start_new_session=True)
            closing.callback(self.end, process)
            if place not in ("script", "loading", "end"):
                self.meet(process, place, closing)
            time.sleep(chance.uniform(0, {"script": 0.7, "loading": 0.12, "end": 0.15}.get(place, 0.03)))
            return process, closing.pop_all()

    def meet(self, process, place, closing):
        port = int(self.services_port(process))
        self.waiting = closing.enter_context(Lines(port))
        self.waiting.send("late time sleep [1000000]\ngoing robot.waypoint goto [9, 9, 0]\nlast time now\n")
        # Between ticks that are minutes apart nobody is answered, but at the end.
        while place != "slow" and not self.waiting.line().startswith("last "):
            pass
        if place == "held":
            closing.enter_context(socket.create_connection(("127.0.0.1", 5000))).sendall(b"x")
        if place == "resetting":
            resetter = Resetter(port)
            resetter.start()
            self.assertTrue(resetter.begun.wait(PATIENCE))
        if place == "unread":
            idle = closing.enter_context(socket.socket())
            idle.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            idle.connect(("127.0.0.1", self.ask_port(port)))
            self.wait_for(process, "loses messages")

    def ask_port(self, port):
        with Lines(port) as client:
            return client.ask("simulation", "get_stream_port", "robot.pose")

    # --- what became of it ---

    def codes(self, place, numbers, said):
        """Which exit codes are right."""
        codes = {128 + number for number in numbers}
        if "PID: " not in said:
            codes |= {-number for number in numbers}  # it was not there yet
        if place == "end":
            codes.add(0)  # it had ended before
        return codes

    def check_answers(self, place, numbers):
        """Who waits for an answer gets one, unless it was cut short by the second signal."""
        if self.waiting is None:
            return
        cut_short = len(numbers) > 1
        try:
            answers = self.waiting.file.read()
        except ConnectionResetError:
            # What nobody has read resets the connection.
            self.assertTrue(cut_short or place == "slow")
            return
        # Where nobody is answered between ticks, the requests may not have arrived before the end.
        if cut_short or (place == "slow" and not answers):
            return
        self.assertRegex(answers, r"(?m)^late (FAILED|PREEMPTED)")
        self.assertTrue(answers.endswith("\n"))

    def one_round(self, place, chance):
        process, closing = self.begin(place, chance)
        numbers = [chance.choice((signal.SIGTERM, signal.SIGINT))]
        # A terminal sends to all that the program started, too.
        send = chance.choice((process.send_signal, lambda number: os.killpg(process.pid, number)))
        start = time.monotonic()
        send(numbers[0])
        if chance.random() < 0.25:
            time.sleep(chance.choice((0, chance.uniform(0, 0.005), chance.uniform(0, 0.1))))
            numbers.append(chance.choice((signal.SIGTERM, signal.SIGINT)))
            send(numbers[1])
        with closing:
            out, err = process.communicate(timeout=PATIENCE)
            took = time.monotonic() - start
            words = "%s %s\n%s" % (place, numbers, err)
            self.check_answers(place, numbers)
        self.assertIn(process.returncode, self.codes(place, numbers, err if self.waiting is None else "PID: "), words)
        for word in ("Traceback", "CRITICAL", "ERROR", HANGS):
            self.assertNotIn(word, err, words)
        if self.waiting and len(numbers) == 1:
            self.assertIn(" ticks, ", out, words)
        # A second signal ends the program at once: its builder is killed, and nobody waits for it.
        self.nothing_left(at_once=len(numbers) == 1 and place != "script")
        return took


class Storm(StormCase):
    def test_terminate_and_interrupt(self):
        chance = random.Random(SEED)
        took = []
        for number in range(ROUNDS):
            place = PLACES[number % len(PLACES)]
            with self.subTest(number=number, place=place, seed=SEED):
                took.append(self.one_round(place, chance))
        took = sorted(took) or [0]
        print("# %d rounds, %.3f s in the middle, %.3f s at most" % (len(took), took[len(took) // 2], took[-1]))

    def test_kill(self):
        chance = random.Random(SEED + "9")
        for number in range(ROUNDS // 2):
            place = PLACES[number % len(PLACES)]
            with self.subTest(number=number, place=place, seed=SEED):
                process, closing = self.begin(place, chance)
                process.kill()
                with closing:
                    process.communicate(timeout=PATIENCE)
                    self.nothing_left(at_once=False)


class Controls(StormCase):
    def test_what_is_left_is_seen(self):
        """A process, a file, a port."""
        self.write("tmp/file", "")
        with self.assertRaises(AssertionError):
            self.nothing_left()
        os.unlink(self.path("tmp/file"))
        self.nothing_left()
        process = self.start("run", self.write("scene.json", scene()))
        self.services_port(process)
        self.assertEqual(self.left_processes(), [str(process.pid)])
        self.assertNotEqual(listening_ports(), self.before)
        with self.assertRaises(AssertionError):
            self.nothing_left()
        self.end(process)
        self.nothing_left(at_once=False)

    def test_a_wrong_code_is_seen(self):
        self.assertEqual(self.codes("pacing", [signal.SIGTERM], "PID: 1"), {143})
        self.assertEqual(self.codes("end", [signal.SIGINT], "PID: 1"), {130, 0})
        self.assertEqual(self.codes("script", [signal.SIGINT], ""), {130, -2})


if __name__ == "__main__":
    StormCase.alone = listening_ports() == [] and os.geteuid() == 0
    tap.main()
