# SPDX-License-Identifier: BSD-3-Clause
"""The first scene through the program: what its hash depends on, and what it does not."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, PYTHON, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

FIRST_SCENE = os.path.join(SOURCE, "examples/first_scene.py")
PROBES = os.path.join(BUILD, "tests/plugins/tree")

# As the builder of MORSE printed it for the same script.
PRINTED = """component_datastream = {'robot.odometry':
    [['morse.middleware.socket_datastream.SocketDatastreamManager',
        'morse.middleware.socket_datastream.SocketPublisher',
        {}]],
'robot.pose':
            [['morse.middleware.socket_datastream.SocketDatastreamManager',
             'morse.middleware.socket_datastream.SocketPublisher',
            {}]],
'robot.waypoint':
            [['morse.middleware.socket_datastream.SocketDatastreamManager',
            'morse.middleware.socket_datastream.SocketReader',
            {}]]}
component_modifier = {'robot.pose': [['morse.modifiers.pose_noise.PoseNoiseModifier', {}]]}
component_service = {'robot.waypoint': ['morse.middleware.socket_request_manager.SocketRequestManager']}
overlays = {}
stream_manager = {'morse.middleware.socket_datastream.SocketDatastreamManager': {'sync_port': 5000,
                                                                                 'time_sync': True}}
"""


class FirstScene(ProgramCase):
    def setUp(self):
        super().setUp()
        self.scene = self.path("built")
        self.check(self.orrery("build", FIRST_SCENE, "-o", self.scene), 0)

    def hash(self, *arguments):
        done = self.orrery("run", self.scene, "--hash", "--quiet", *arguments)
        self.check(done, 0)
        return re.search("^hash ([0-9a-f]{16})$", done.stdout, re.M).group(1)

    def edit(self, **environment):
        path = os.path.join(self.scene, "scene.json")
        with open(path, encoding="utf-8") as file:
            scene = json.load(file)
        scene["environment"].update(environment)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(scene, file)

    def configure(self, text):
        with open(os.path.join(self.scene, "component_config.py"), "w", encoding="utf-8") as file:
            file.write(text)

    def with_ulp(self, tick):
        modifiers = "[['morse.modifiers.pose_noise.PoseNoiseModifier', {}], ['probe.modifiers.Ulp', {'at': %d}]]"
        return PRINTED.replace("[['morse.modifiers.pose_noise.PoseNoiseModifier', {}]]", modifiers % tick)


class Config(FirstScene):
    def test_the_printed_config_gives_the_same_hash(self):
        ours = self.hash("--fast", "--for", "10")
        self.configure(PRINTED)
        self.assertEqual(self.hash("--fast", "--for", "10"), ours)
        # A negative control: a modifier that does a hair more makes it another run.
        self.configure(PRINTED.replace("PoseNoiseModifier', {}", "PoseNoiseModifier', {'pos_std': 0.050000001}"))
        self.assertNotEqual(self.hash("--fast", "--for", "10"), ours)

    def test_longer_entries_and_one_classpath(self):
        self.configure(PRINTED)
        short = self.hash("--fast", "--for", "10")
        longer = PRINTED.replace("SocketPublisher',", "SocketPublisher', 'OUT',")
        longer = longer.replace("SocketReader',", "SocketReader', 'IN',")
        longer = longer.replace("PoseNoiseModifier', {}", "PoseNoiseModifier', 'OUT', {}")
        longer = re.sub(r"\['(morse\S+SocketRequestManager)'\]", r"'\1'", longer)
        self.assertNotEqual(longer, PRINTED)
        self.configure(longer)
        self.assertEqual(self.hash("--fast", "--for", "10"), short)


class Hash(FirstScene):
    def test_pacing_and_load(self):
        """Best effort and fixed step, today and at another time, alone and beside a busy loop on both cores."""
        expected = self.hash("--fast", "--ticks", "60")
        self.assertEqual(self.hash("--ticks", "60", "--start", "1e9"), expected)
        self.edit(time_strategy="best_effort")
        self.assertEqual(self.hash("--ticks", "60"), expected)
        busy = [subprocess.Popen([PYTHON, "-c", "while True: pass"]) for _ in range(2)]
        try:
            self.assertEqual(self.hash("--ticks", "60"), expected)
            self.edit(time_strategy="fixed_step")
            self.assertEqual(self.hash("--ticks", "60"), expected)
        finally:
            for process in busy:
                process.kill()
                process.wait()

    def test_seed(self):
        expected = self.hash("--fast", "--ticks", "60")
        self.assertEqual(self.hash("--fast", "--ticks", "60", "--seed", "0"), expected)
        self.assertNotEqual(self.hash("--fast", "--ticks", "60", "--seed", "1"), expected)

    def test_diff_names_tick_and_component(self):
        for name, tick in (("a", 1000), ("b", 1000), ("c", 37)):
            self.configure(self.with_ulp(tick))
            self.check(self.orrery("run", self.scene, "--fast", "--ticks", "60", "--plugin-dir", PROBES,
                                   "--hash=" + self.path(name)), 0)
        self.check(self.orrery("diff", self.path("a"), self.path("b")), 0)
        done = self.orrery("diff", self.path("a"), self.path("c"))
        self.check(done, 1)
        self.assertEqual(done.stdout, "tick 37: robot.pose\n")


class Sync(FirstScene):
    def test_wall_ends_a_held_run(self):
        self.edit(time_strategy="fixed_step")
        process = self.start("run", self.scene, "--wall", "1.5")
        self.wait_for(process, "[SCENE INITIALIZED]")
        begin = time.monotonic()
        with socket.create_connection(("127.0.0.1", 5000), timeout=20):
            output = process.communicate(timeout=20)[0]
        self.assertEqual(process.returncode, 0)
        self.assertLess(time.monotonic() - begin, 10)
        # It was held: without the client a hundred ticks would have run.
        self.assertLess(int(re.search(r"(\d+) ticks,", output).group(1)), 60)


class End(FirstScene):
    def end_with(self, how):
        """Ends a run with calls pending, as `how` does; returns what the client was told."""
        process = self.start("run", self.scene)
        port = int(self.services_port(process))
        with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
            client.sendall(b"goal robot.waypoint goto [9, 9, 0]\nnap time sleep [1000]\nnow time mode\n")
            file = client.makefile("r", encoding="utf-8")
            self.assertEqual(file.readline(), 'now SUCCESS "Best Effort"\n')
            how(process, client)
            told = file.read().splitlines()
        process.communicate(timeout=20)
        return told

    def test_terminated(self):
        told = self.end_with(lambda process, client: process.terminate())
        self.assertEqual(sorted(told), ["goal PREEMPTED", "nap PREEMPTED"])

    def test_quit(self):
        told = self.end_with(lambda process, client: client.sendall(b"bye simulation quit\n"))
        self.assertEqual(told[0], "bye SUCCESS")
        self.assertEqual(sorted(told[1:]), ["goal PREEMPTED", "nap PREEMPTED"])


class Burning(ProgramCase):
    """A tick that takes ten seconds."""

    def burn(self):
        scene = self.write("scene.json", json.dumps({
            "orrery": 1,
            "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
            "objects": [{"name": "robot", "classpath": "orrery.core.robot.Robot", "objects": [
                {"name": "burner", "classpath": "probe.sensors.Burner", "properties": {"milliseconds": 10000}}]}],
        }))
        process = self.start("run", scene, "--fast", "--plugin-dir", PROBES)
        self.wait_for(process, "[SCENE INITIALIZED]")
        return process

    def test_a_second_signal_ends_it_at_once(self):
        process = self.burn()
        begin = time.monotonic()
        process.terminate()
        # The first may still be on its way: another is the second, sooner or later.
        while process.returncode is None:
            try:
                process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGINT)
        self.assertLess(time.monotonic() - begin, 20)
        self.assertIn(process.wait(timeout=20), (130, 143))


class Budget(ProgramCase):
    def test_the_report_names_who_takes_too_long(self):
        scene = self.write("scene.json", json.dumps({
            "orrery": 1,
            "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
            "objects": [{"name": "robot", "classpath": "orrery.core.robot.Robot", "objects": [
                {"name": "steps", "classpath": "probe.sensors.Steps"},
                {"name": "burner", "classpath": "probe.sensors.Burner", "properties": {"milliseconds": 30}}]}],
        }))
        done = self.orrery("run", scene, "--ticks", "40", "--plugin-dir", PROBES)
        self.check(done, 0)
        self.assertEqual(len(re.findall("robot.burner takes ", done.stderr)), 1, done.stderr)
        wall = float(re.search(r"simulated in ([\d.]+) s", done.stdout).group(1))
        share = float(re.search(r"robot\.burner .* ([\d.]+) %", done.stdout).group(1))
        # Of a tick of 1/60 s, forty times: all but the whole of the run.
        self.assertLess(abs(share - 100 * wall / (40 / 60)), 0.1 * share)


tap.main()
