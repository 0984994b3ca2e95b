# SPDX-License-Identifier: BSD-3-Clause
"""A signal in each phase of `orrery run`: it ends in bounded time, says so by its code, leaves nothing behind."""

import json
import os
import signal
import socket
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

MANAGER = "morse.middleware.socket_datastream.SocketDatastreamManager"
PUBLISHER = "morse.middleware.socket_datastream.SocketPublisher"

# What the program says when its own patience with what hangs is over.
GIVEN_UP = "the program exits without it"


class SignalCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("tmp"))
        os.makedirs(self.path("plugins/acme"))
        os.symlink(
            os.path.realpath(os.path.join(support.BUILD, "tests/registry/plugins/waiting.so")),
            self.path("plugins/acme/waiting.so"),
        )
        os.mkfifo(self.path("door"))

    def environment(self):
        return dict(super().environment(), TMPDIR=self.path("tmp"))

    def scene(self, sensor_at="", manager_at=None, streams=True, sync=None):
        """The usual robot; parts that wait at these points; the clock held by a port, or not."""
        options = {"door": self.path("door")}
        managers = {}
        if manager_at:
            managers["acme.waiting.Manager"] = dict(options, at=manager_at)
        if sync:
            managers[MANAGER] = {"time_sync": True, "sync_port": sync}
        robot = {
            "name": "robot",
            "classpath": "morse.robots.atrv.ATRV",
            "objects": [
                {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
                {"name": "w", "classpath": "acme.waiting.Sensor", "properties": dict(options, at=sensor_at)},
            ],
        }
        scene = {"orrery": 1, "objects": [robot], "stream_manager": managers}
        if streams:
            scene["component_datastream"] = {"robot.pose": [[MANAGER, PUBLISHER]]}
        return self.write("scene.json", json.dumps(scene))

    def run_until(self, words, path, *arguments):
        process = self.start("run", "--plugin-dir", self.path("plugins"), path, *arguments)
        self.wait_for(process, words)
        return process

    def open_door(self):
        """Lets whoever waits go on; it is there, or this waits for it."""
        with open(self.path("door"), "w"):
            pass

    def finish(self, process, code, gives_up=False):
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, err)
        self.assertEqual(GIVEN_UP in err, gives_up, err)
        self.assertEqual(os.listdir(self.path("tmp")), [])
        self.assertEqual(self.left_behind(), [])
        return out, err

    def left_behind(self):
        """Processes that were started in this test and are still there."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/environ" % pid, "rb") as file:
                    if self.path("tmp").encode() in file.read():
                        found.append(pid)
            except OSError:
                continue
        return found


class Phases(SignalCase):
    def both(self, test):
        for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
            with self.subTest(number):
                test(number, code)

    def test_the_builder_runs(self):
        def test(number, code):
            script = "open(%r)\n" % self.path("door")
            process = self.start("run", self.write("slow.py", "print('here', flush=True)\n" + script))
            self.assertEqual(process.stdout.readline(), "here\n")
            process.send_signal(number)
            self.finish(process, code)

        self.both(test)

    def test_a_builder_that_hears_nothing(self):
        script = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('here', flush=True)\n"
        process = self.start("run", self.write("deaf.py", script + "open(%r)\n" % self.path("door")))
        self.assertEqual(process.stdout.readline(), "here\n")
        process.send_signal(signal.SIGTERM)
        self.finish(process, 143)

    def test_loading(self):
        def test(number, code):
            process = self.run_until("waiting in setup", self.scene("setup"))
            process.send_signal(number)
            self.open_door()
            out, _ = self.finish(process, code)
            self.assertIn("0 ticks", out)

        self.both(test)

    def test_opening_ports(self):
        process = self.run_until("waiting in start", self.scene(manager_at="start"))
        process.send_signal(signal.SIGTERM)
        self.open_door()
        self.finish(process, 143)

    def test_pacing(self):
        def test(number, code):
            process = self.run_until("[SCENE INITIALIZED]", self.scene())
            process.send_signal(number)
            _, err = self.finish(process, code)
            self.assertIn("[EXITING SIMULATION]", err)

        self.both(test)

    def test_running_as_fast_as_it_goes(self):
        process = self.run_until("[SCENE INITIALIZED]", self.scene(), "--fast")
        process.send_signal(signal.SIGTERM)
        self.finish(process, 143)

    def test_held(self):
        def test(number, code):
            process = self.start("run", "--plugin-dir", self.path("plugins"), self.scene(sync=5000))
            self.wait_for(process, "[SCENE INITIALIZED]")
            with socket.create_connection(("127.0.0.1", 5000)) as client:
                client.sendall(b"x")
                process.send_signal(number)
                self.finish(process, code)

        self.both(test)

    def test_in_a_tick(self):
        process = self.run_until("waiting in sense", self.scene("sense"))
        process.send_signal(signal.SIGTERM)
        self.open_door()
        out, _ = self.finish(process, 143)
        self.assertIn("1 ticks", out)

    def test_closing(self):
        process = self.run_until("waiting in close", self.scene(manager_at="close"), "--ticks", "3")
        process.send_signal(signal.SIGINT)
        self.open_door()
        out, _ = self.finish(process, 130)
        self.assertIn("3 ticks", out)


class NothingEnds(SignalCase):
    """Something hangs: a second signal ends it at once; one alone after some seconds."""

    def test_twice(self):
        for at in ("setup", "sense"):
            with self.subTest(at):
                process = self.run_until("waiting in " + at, self.scene(at))
                process.send_signal(signal.SIGTERM)
                process.send_signal(signal.SIGINT)
                process.wait(timeout=60)
                self.assertIn(process.returncode, (130, 143))
                self.finish(process, process.returncode)

    def test_twice_while_the_builder_runs(self):
        script = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nprint('here', flush=True)\n"
        process = self.start("run", self.write("deaf.py", script + "open(%r)\n" % self.path("door")))
        self.assertEqual(process.stdout.readline(), "here\n")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)
        self.assertIn(process.returncode, (130, 143))
        self.finish(process, process.returncode)

    def test_once(self):
        process = self.run_until("waiting in close", self.scene(manager_at="close"), "--ticks", "1")
        process.send_signal(signal.SIGTERM)
        self.finish(process, 143, gives_up=True)

    def test_without_a_signal_it_goes_on(self):
        """The control: it is the signal that ends it."""
        process = self.run_until("waiting in sense", self.scene("sense"), "--ticks", "2")
        self.assertIsNone(process.poll())
        self.open_door()
        self.wait_for(process, "waiting in sense")
        self.open_door()
        out, _ = self.finish(process, 0)
        self.assertIn("2 ticks", out)


if __name__ == "__main__":
    tap.main()
