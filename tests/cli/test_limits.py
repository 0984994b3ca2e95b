# SPDX-License-Identifier: BSD-3-Clause
"""The end of a terminal, and a system that gives no files or threads: an exit code and a line, never an abort."""

import json
import os
import pwd
import resource
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

import support
import tap


class HangUp(support.ProgramCase):
    def begin(self, *arguments, **options):
        self.write("scene.json", support.SCENE)
        process = self.start("run", "scene.json", "--result=result", *arguments, **options)
        self.services_port(process)
        return process

    def result(self):
        with open(self.path("result"), encoding="utf-8") as file:
            return json.load(file)

    def test_run(self):
        """As by SIGTERM: the simulation is closed, and the result is there."""
        process = self.begin()
        process.send_signal(signal.SIGHUP)
        _, log = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 129, log)
        self.assertIn("[EXITING SIMULATION]", log)
        self.assertEqual(self.result()["exit"], 129)

    def test_python(self):
        """Also where the program went on in Python."""
        os.makedirs(self.path("plugins/lab"))
        self.write("plugins/lab/still.py", "import orrery\n\n\n@orrery.plugin\nclass Still(orrery.Robot):\n    pass\n")
        self.write("scene.json", json.dumps({"orrery": 1, "objects": [{"name": "r", "classpath": "lab.still.Still"}]}))
        process = self.start("run", "--plugin-dir", "plugins", "scene.json", "--result=result")
        self.services_port(process)
        process.send_signal(signal.SIGHUP)
        _, log = process.communicate(timeout=60)
        self.assertEqual((process.returncode, self.result()["exit"]), (129, 129), log)

    def test_nohup(self):
        """What was ignored from the start stays so."""
        process = self.begin("--stopped", preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        process.send_signal(signal.SIGHUP)
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=60)
        self.assertEqual((process.returncode, self.result()["exit"]), (143, 143), log)


class Closed(support.ProgramCase):
    def test_standard_files(self):
        """Where they were closed, no socket and no file of the run takes their numbers."""
        self.write("scene.json", support.SCENE)
        script = "exec \"$@\" %s"
        for closed in ("<&- >&- 2>&-", ">&-", "<&-"):
            with self.subTest(closed):
                process = subprocess.Popen(["sh", "-c", script % closed, "sh", support.PROGRAM, "run", "scene.json", "--hash=hash",
                                            "--result=result", "--stopped"], cwd=self.directory, env=self.environment(),
                                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(self.end, process)
                self.wait_for_hash_file(process.pid)
                for fd in range(3):
                    self.assertEqual(os.readlink("/proc/%d/fd/%d" % (process.pid, fd)), "/dev/null")
                process.terminate()
                self.assertEqual(process.wait(timeout=60), 143)

    def wait_for_hash_file(self, pid):
        """It is open once the scene is read."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            for fd in os.listdir("/proc/%d/fd" % pid):
                try:
                    if os.readlink("/proc/%d/fd/%s" % (pid, fd)) == self.path("hash"):
                        return
                except OSError:
                    pass
            time.sleep(0.01)
        self.fail("the run does not begin")


class Limits(support.ProgramCase):
    COMMANDS = (("run", "--offline", "scene.json", "--ticks", "1"), ("check", "scene.json"), ("order", "scene.json"),
                ("check", "world.py"))

    def limited(self, limit, *arguments):
        self.write("scene.json", support.SCENE)
        self.write("world.py", support.SCRIPT)
        return subprocess.run(["sh", "-c", "%s; exec \"$@\"" % limit, "sh", support.PROGRAM, *arguments],
                              capture_output=True, text=True, cwd=self.directory, env=self.environment(), timeout=120)

    def assert_told(self, done, *words):
        self.assertEqual(done.returncode, 71, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_files(self):
        for arguments in self.COMMANDS + (("plugins",), ("--version",)):
            with self.subTest(arguments):
                self.assert_told(self.limited("ulimit -n 7", *arguments), "ulimit -n")

    def test_a_few_more_files(self):
        """Above the least there is an error with a code, or there is none."""
        for n in (36, 38, 40, 44, 48, 56, 64):
            for arguments in self.COMMANDS:
                with self.subTest((n, arguments)):
                    done = self.limited("ulimit -n %d" % n, *arguments)
                    self.assertIn(done.returncode, (0, 65, 69, 70, 71, 74), done.stderr)

    def test_threads(self):
        """Stacks that no address space holds: the first thread cannot be made."""
        for arguments in self.COMMANDS:
            with self.subTest(arguments):
                done = self.limited("ulimit -Ss 35184372088832", *arguments)
                if "ulimit" in done.stderr:
                    self.skipTest("the limit of the stack cannot be raised here")
                self.assert_told(done, "thread")

    def test_threads_later(self):
        """As a user who may have so many threads: each of those that the run makes is missed once."""
        if os.geteuid() != 0:
            self.skipTest("only root can become a user who runs nothing else")
        nobody = pwd.getpwnam("nobody")
        self.skip_unless_it_runs_as(nobody)
        hokuyo = {"name": "laser", "classpath": "orrery.sensors.hokuyo.Hokuyo"}
        pose = {"name": "pose", "classpath": "morse.sensors.pose.Pose"}
        scene = {"orrery": 1, "component_datastream": json.loads(support.SCENE)["component_datastream"], "objects": [
            {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [hokuyo, pose]}]}
        del scene["component_datastream"]["robot.motion"]
        os.chmod(self.directory, 0o755)
        self.write("scene.json", json.dumps(scene))
        codes = []
        for n in range(1, 9):
            done = subprocess.run([support.PROGRAM, "run", "scene.json", "--fast", "--ticks", "3", "--threads", "2"],
                                  preexec_fn=lambda: self.become(nobody, n), capture_output=True, text=True,
                                  cwd=self.directory, env=self.environment(), timeout=120)
            self.assertIn(done.returncode, (0, 71, 74), done.stderr)
            if done.returncode != 0:
                words = [line for line in done.stderr.splitlines() if line.startswith("orrery: ")][0]
                self.assertTrue("thread" in words or "Resource temporarily unavailable" in words, words)
            codes.append(done.returncode)
        self.assertEqual(codes[0], 71)
        self.assertEqual(codes[-1], 0)

    @staticmethod
    def become(user, n):
        resource.setrlimit(resource.RLIMIT_NPROC, (n, n))
        os.setgroups([])
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)


if __name__ == "__main__":
    tap.main()
