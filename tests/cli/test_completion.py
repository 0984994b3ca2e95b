# SPDX-License-Identifier: BSD-3-Clause
"""Completion: what `orrery complete` offers, and what bash and zsh make of it on a terminal."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import time

from support import PROGRAM, SCENE, SOURCE, ProgramCase, need

import tap

SCRIPTS = os.path.join(SOURCE, "data/completion")


class Candidates(ProgramCase):
    def complete(self, *words):
        done = self.orrery("complete", "--", *words)
        self.check(done, 0)
        self.assertEqual(done.stderr, "")
        return [line.partition("\t")[0] for line in done.stdout.splitlines()]

    def test_commands(self):
        listed = [line.split()[0] for line in self.orrery("--help").stdout.splitlines() if line.startswith("  ")]
        self.assertEqual(self.complete(""), listed)
        self.assertEqual(self.complete(), listed)
        self.assertEqual(self.complete("rec"), ["recording"])
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertEqual(self.complete("fly"), [])
        self.assertEqual(self.complete("fly", ""), [])
        self.assertNotIn("complete", listed)

    def test_options_are_those_of_the_table(self):
        self.assertEqual(self.complete("run", "--see"), ["--seed="])
        self.assertEqual(self.complete("build", "x.py", "--out"), ["--output="])
        self.assertEqual(self.complete("run", "--cont"), ["--control"])  # --continue is hidden
        self.assertEqual(self.complete("recording", "ca"), ["cat"])
        self.assertEqual(self.complete("recording", "cat", "--to"), ["--topic=", "--to="])
        self.assertEqual(self.complete("recording", "--h"), ["--help"])
        self.assertEqual(self.complete("recording", "fly", "-"), [])

    def test_files_are_the_shells(self):
        self.assertEqual(self.complete("run", ""), [":files"])
        self.assertEqual(self.complete("run", "scene.py", ""), [])
        self.assertEqual(self.complete("run", "scene.py", "--", "a", ""), [":files"])
        self.assertEqual(self.complete("run", "--record", ""), [":files .mcap"])
        self.assertEqual(self.complete("run", "--record="), [":files .mcap"])
        self.assertEqual(self.complete("run", "--output-dir", ""), [":directories"])
        self.assertEqual(self.complete("build", "x.py", "-o", ""), [":directories"])
        self.assertEqual(self.complete("python", "x.py", "-"), [":files"])
        self.assertEqual(self.complete("recording", "merge", "a", "b", ""), [":files"])
        self.assertEqual(self.complete("run", "--hash", ""), [":files"])

    def test_classpaths_and_roles(self):
        self.assertEqual(self.complete("plugins", "orrery.sensors.pose."), ["orrery.sensors.pose.Pose"])
        self.assertEqual(self.complete("plugins", "a", "morse.sensors.pose."), ["morse.sensors.pose.Pose"])
        self.assertEqual(self.complete("plugins", "--role=sens"), ["--role=sensor"])
        self.assertIn("orrery.observers.recorder.Recorder", self.complete("run", "--observer", ""))
        self.assertNotIn("orrery.sensors.pose.Pose", self.complete("run", "--observer", ""))
        self.assertEqual(self.complete("doctor", "ports", "p"), ["program", "plugins", "python", "ports"])
        self.assertEqual(self.complete("help", "rec"), ["recording"])
        self.assertEqual(self.complete("new", "s"), ["sensor", "script"])
        self.assertEqual(self.complete("new", "sensor", "orrery.sensors.pose."), [])
        self.assertEqual(self.complete("new", "--language", "p"), ["python"])
        self.assertIn("std_msgs/msg/String", self.complete("messages", "std_msgs/msg/S"))

    def test_parts_of_a_scene(self):
        scene = self.write("scene.json", SCENE)
        self.assertEqual(self.complete("run", scene, "--set", "ro"), ["robot.", "robot.pose.", "robot.motion."])
        self.assertEqual(self.complete("check", scene, "--set=s"), ["--set=seed=", "--set=simulation."])
        self.assertEqual(self.complete("batch", scene, "--sweep", "robot.motion.ControlT"),
                         ["robot.motion.ControlType="])
        self.assertEqual(self.complete("render", scene, "--follow", "robot.p"), ["robot.pose"])
        os.mkdir(self.path("built"))
        shutil.copy(scene, self.path("built/scene.json"))
        self.assertEqual(self.complete("run", "built", "--set", "robot.p"), ["robot.pose."])
        self.assertEqual(self.complete("run", "absent.json", "--set", "ro"), [])
        self.assertEqual(self.complete("run", self.write("bad.json", "[{"), "--set", "ro"), [])
        self.assertEqual(self.complete("run", self.write("odd.json", '{"objects": [1, {"name": 2}]}'), "--set", "ro"), [])

    def test_no_script_runs(self):
        script = self.write("scene.py", "open(%r, 'w')\n" % self.path("ran"))
        self.assertEqual(self.complete("run", script, "--set", "ro"), [])
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_names_that_a_shell_would_not_take_as_they_are(self):
        names = ["$(touch ran)", "a;b", "a b", "`x`", "-", "--output=x", "=ls", "%1", "\u202ex", "né", "a'b", "fine"]
        scene = {"objects": [{"name": name, "classpath": "orrery.robots.atrv.ATRV"} for name in names]}
        path = self.write("scene.json", json.dumps(scene))
        self.assertEqual(sorted(self.complete("render", path, "--follow", "")), ["fine", "né"])

    def test_a_running_simulation(self):
        process = self.start("run", self.write("scene.json", SCENE), "--quiet")
        self.wait_for_port(4000)
        self.assertEqual(sorted(self.complete("echo", "rob")), ["robot.motion", "robot.pose"])
        self.assertEqual(self.complete("call", "robot"), ["robot.motion"])
        self.assertEqual(self.complete("call", "robot.motion", "set_s"), ["set_speed"])
        self.assertEqual(self.complete("call", "--port", "4000", "simulation", "qui"), ["quit"])
        self.assertEqual(self.complete("call", "--port", "4001", "simulation", "qui"), [])
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        self.assertEqual(self.complete("echo", "rob"), [])

    def wait_for_port(self, port):
        end = time.monotonic() + 60
        while True:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            self.assertLess(time.monotonic(), end)
            select.select([], [], [], 0.05)

    def test_a_server_that_says_nothing(self):
        """Nobody waits at a prompt for ever."""
        with socket.create_server(("127.0.0.1", 0)) as server:
            begin = time.monotonic()
            self.assertEqual(self.complete("echo", "--port", str(server.getsockname()[1]), ""), [])
            self.assertLess(time.monotonic() - begin, 30)

    def test_it_is_called_rightly(self):
        self.check(self.orrery("complete", "run"), 64, "too many arguments")


class Shells(ProgramCase):
    """The line as a person types it, ended by tab and return; a function in place of the program says what it got."""

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/orrery"))
        self.write("run.mcap", "")
        self.write("run.txt", "")
        self.write("scene.json", SCENE)

    def open_shell(self, command, prepare):
        ours, theirs = self.open_terminal()
        environment = dict(self.environment(), PATH=self.path("bin") + ":" + os.environ["PATH"], TERM="dumb",
                           HOME=self.directory, ZDOTDIR=self.directory, PS1="> ")
        shell = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self.directory,
                                 env=environment, start_new_session=True)
        os.close(theirs)
        self.addCleanup(os.close, ours)
        self.addCleanup(shell.wait)
        self.addCleanup(shell.kill)
        os.write(ours, (prepare + "; orrery() { printf '<%s>' \"$@\"; echo; }; echo rea''dy\n").encode())
        self.read_until(ours, "\nready")
        return ours

    def type(self, terminal, typed):
        """What the words of the line were in the end."""
        os.write(terminal, typed.encode() + b"\n")
        said = self.read_until(terminal, ">\r\n")
        return said.rpartition("\r\n")[0].rpartition("\n")[2].rstrip("\r")

    def read_until(self, fd, words):
        text, end = "", time.monotonic() + 60
        while words not in text.replace("\r\n", "\n" if words[0] == "\n" else "\r\n"):
            self.assertTrue(select.select([fd], [], [], max(0, end - time.monotonic()))[0], text)
            text += os.read(fd, 65536).decode(errors="replace")
        return text

    def check_lines(self, shell, prepare):
        terminal = self.open_shell(shell, prepare)
        for typed, expected in (
                ("orrery recor\t", "<recording>"),
                ("orrery recording ex\tx", "<recording><export><x>"),
                ("orrery run --see\t7", "<run><--seed=7>"),
                ("orrery run --record ru\t", "<run><--record><run.mcap>"),
                ("orrery run --record=ru\t", "<run><--record=run.mcap>"),
                ("orrery run sce\t", "<run><scene.json>"),
                ("orrery run scene.json --set robot.mo\tControlT\t3", "<run><scene.json><--set><robot.motion.ControlType=3>"),
                ("orrery run scene.json --set=robot.mo\tx", "<run><scene.json><--set=robot.motion.x>"),
                ("orrery plugins orrery.sensors.pos\t", "<plugins><orrery.sensors.pose.Pose>")):
            with self.subTest(typed):
                self.assertEqual(self.type(terminal, typed), expected)
        # Whatever lies in the directory is not run before the line is: here it never is.
        program = self.write("orrery", "#!/bin/sh\ntouch '%s'\n" % self.path("ran"))
        os.chmod(program, 0o755)
        self.assertEqual(self.type(terminal, "./orrery recor\t\025orrery end"), "<end>")
        self.assertFalse(os.path.exists(self.path("ran")))

    def test_bash(self):
        need(self, None if shutil.which("bash") else "no bash")
        self.check_lines(["bash", "--norc", "--noprofile", "-i"], ". '%s/orrery.bash'" % SCRIPTS)

    def test_bash_without_it(self):
        """The control."""
        need(self, None if shutil.which("bash") else "no bash")
        terminal = self.open_shell(["bash", "--norc", "--noprofile", "-i"], ":")
        self.assertEqual(self.type(terminal, "orrery recor\t"), "<recor>")

    def test_zsh(self):
        need(self, None if shutil.which("zsh") else "no zsh; Debian has it as zsh")
        self.check_lines(["zsh", "-f", "-i"], "fpath=('%s' $fpath); autoload -Uz compinit; compinit -u -D" % SCRIPTS)


if __name__ == "__main__":
    tap.main()
