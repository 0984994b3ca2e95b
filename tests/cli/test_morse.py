# SPDX-License-Identifier: BSD-3-Clause
"""The command `morse` of `orrery morse-root`: what each subcommand does, and MORSE's exit codes."""

import os
import signal
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import PYTHON, SCRIPT, ProgramCase  # noqa: E402

import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402

#: A test as users of MORSE write them; it reads the pose that it asks for, by MORSE's own client.
USERS_TEST = '''
from morse.testing.testing import MorseTestCase, main
try:
    from morse.builder import *
except ImportError:
    pass
import pymorse


class Drive(MorseTestCase):
    def setUpEnv(self):
        robot = ATRV('mule')
        pose = Pose()
        pose.add_stream('socket')
        motion = MotionVW()
        motion.add_service('socket')
        robot.append(pose)
        robot.append(motion)
        robot.translate(x=3)
        env = Environment('empty', fastmode=True)

    def test_drive(self):
        morse = pymorse.Morse()
        # What it waits for otherwise fails with Python 3.11 (dir() of a component).
        self.addCleanup(morse.close, wait_publishers=False)
        self.assertEqual(morse.robots, ['mule'])
        x = morse.mule.pose.get()['x']
        self.assertAlmostEqual(x, 3.0, delta=0.1)
        morse.mule.motion.set_speed(1.0, 0.0)
        while x < %s:
            x = morse.mule.pose.get()['x']
            self.assertLess(x, 5)


if __name__ == '__main__':
    main(Drive)
'''


def has_testing():
    probe = [PYTHON, "-c", "import pymorse, morse.testing.testing"]
    return subprocess.run(probe, capture_output=True).returncode == 0


def knows_localhost():
    """MorseTestCase asks for it by name; a bare chroot has no such file, and nobody else to ask here."""
    try:
        with open("/etc/hosts", encoding="utf-8", errors="replace") as file:
            return "localhost" in file.read().split()
    except OSError:
        return False


class Morse(ProgramCase):
    def setUp(self):
        super().setUp()
        done = self.orrery("morse-root", "root")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))
        os.makedirs(self.path("home"))

    def environment(self):
        return dict(super().environment(), HOME=self.path("home"))

    def morse(self, *arguments, program="morse", stdin="", **options):
        return subprocess.run([self.path("root/bin/" + program), *arguments], capture_output=True, text=True, input=stdin,
                              timeout=240, cwd=self.directory, env=self.environment(), **options)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def end_of(self, text, **more):
        """The exit code of `morse run` on a script."""
        self.write("scene", text)
        return self.morse("run", "scene", **more)

    # Running

    def test_a_file_without_a_suffix_runs_until_it_is_told_to_quit(self):
        self.write("scene", SCRIPT)
        process = subprocess.Popen([self.path("root/bin/morse"), "run", "scene"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.directory, env=self.environment())
        self.addCleanup(self.end, process)
        pid = int(self.wait_for(process, "PID").split()[-1])
        self.assertEqual(pid, process.pid)
        port = self.services_port(process)
        with socket.create_connection(("127.0.0.1", int(port)), timeout=120) as client:
            client.sendall(b"id1 simulation quit\n")
            self.assertEqual(process.wait(timeout=120), 0)

    def test_a_signal_reaches_the_simulation(self):
        self.write("scene", SCRIPT)
        process = subprocess.Popen([self.path("root/bin/morseexec"), "scene"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, cwd=self.directory, env=self.environment())
        self.addCleanup(self.end, process)
        self.wait_for(process, "[SCENE INITIALIZED]")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=120), 130)

    def test_exit_codes(self):
        done = self.end_of("from morse.builder import *\nx = 1 / 0\n")
        self.assertEqual(done.returncode, 255, done.stderr)
        self.assertIn("[ERROR][MORSE]", done.stderr)
        done = self.end_of("from morse.builder import *\nr = Robott()\nenv = Environment('empty')\n")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.end_of("import sys\nsys.exit(7)\n").returncode, 7)
        done = self.morse("run", "nowhere")
        self.assertEqual((done.returncode, done.stdout), (1, "morse run: nowhere: neither a site nor a scene\n"))
        for arguments in (("run",), (), ("-v",), ("check",)):
            self.assertEqual(self.morse(*arguments).returncode, 0, arguments)
        self.assertEqual(self.morse(program="morseexec").returncode, 0)
        self.assertEqual(self.morse("run", "--nonsense").returncode, 2)
        self.assertEqual(self.morse("run", "-g", "wide", "scene").returncode, 2)
        self.assertRegex(self.morse("-v").stdout, r"^morse \d")
        # The same program, asked by its own name, has its own codes.
        self.assertEqual(self.orrery("run", "nowhere").returncode, 66)

    def test_arguments_and_the_name_of_the_node_reach_the_script(self):
        done = self.end_of("import os, sys\nprint(sys.argv, os.environ['MORSE_NODE'])\nsys.exit(3)\n")
        self.assertNotEqual(done.returncode, 3)
        done = self.morse("-c", "run", "--name", "here", "-g", "100x100", "scene", "fast", "-x", "1")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stdout, "['scene', 'fast', '-x', '1', 'with-colors'] here\n")

    # Sites

    def test_a_site_from_its_creation_to_its_end(self):
        done = self.morse("create", "field")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("default.py", "scripts/field_client.py", "src/field/__init__.py", "src/field/builder/__init__.py"):
            self.assertTrue(os.path.isfile(self.path("field/" + name)), name)
        self.assertRegex(self.read("home/.morse/config"), r"(?m)^field = /.*/field$")
        self.check(self.orrery("check", "field/default.py"), 0, "robot.pose")
        compile(self.read("field/scripts/field_client.py"), "client", "exec")

        self.assertIn("already", self.morse("create", "field").stdout)
        self.write("field/mark", "")
        self.assertEqual(self.morse("create", "-f", "field").returncode, 0)
        self.assertFalse(os.path.exists(self.path("field/mark")))

        done = self.morse("rm", "field", stdin="n\n")
        self.assertEqual((done.returncode, os.path.isdir(self.path("field"))), (0, True))
        done = self.morse("rm", "field", stdin="y\n")
        self.assertEqual((done.returncode, os.path.isdir(self.path("field"))), (0, False))
        self.assertNotIn("field", self.read("home/.morse/config"))
        self.assertIn("no site", self.morse("rm", "field").stdout)

    @unittest.skipUnless(has_testing(), "no pymorse; Debian has it as python3-morse-simulator")
    @unittest.skipUnless(knows_localhost(), "nobody knows localhost here")
    def test_the_client_of_a_new_site(self):
        self.morse("create", "field")
        simulation = self.program("morse", "run", "field")
        self.wait_for(simulation, "[SCENE INITIALIZED]")
        done = subprocess.run([PYTHON, "field/scripts/field_client.py"], capture_output=True, text=True, timeout=240,
                              cwd=self.directory, env=self.environment())
        self.assertEqual((done.returncode, done.stdout[:20]), (0, "the robot is at {'ti"), done.stderr)

    def test_scenes_of_a_site(self):
        os.makedirs(self.path("place/src/tools"))
        os.makedirs(self.path("place/data"))
        self.write("place/src/tools/__init__.py", "word = 'found'\n")
        show = "import sys, os, tools\nprint(__file__, tools.word, os.environ['MORSE_RESOURCE_PATH'], sys.argv[1:])\nsys.exit(4)\n"
        for name in ("b.py", "c.py"):
            self.write("place/" + name, show)
        self.assertEqual(self.morse("import", "place", "there").returncode, 0)
        self.assertIn("already", self.morse("import", "place", "there").stdout)
        data = self.path("place/data")
        for arguments, scene, rest in (
            (["there"], "place/b.py", []),
            (["THERE", "c.py"], "place/c.py", []),
            (["there", "word"], "place/b.py", ["word"]),
        ):
            done = self.morse("run", *arguments)
            self.assertEqual((done.returncode, done.stdout), (4, "%s found %s %r\n" % (self.path(scene), data, rest)))

    def test_components_of_a_site(self):
        self.morse("create", "field")
        done = self.morse("add", "sensor", "my sonar", "field", stdin='Hears "far" things\n')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("class Mysonar(SensorCreator)", self.read("field/src/field/builder/sensors/mysonar.py"))
        self.assertIn("Hears 'far' things", self.read("field/src/field/sensors/mysonar.py"))
        self.assertIn('classpath="field.sensors.mysonar.Mysonar"', self.read("field/src/field/builder/sensors/mysonar.py"))
        self.morse("add", "robot", "mule", "field")
        for name in ("sensors/mysonar", "builder/sensors/mysonar", "robots/mule", "builder/robots/mule"):
            compile(self.read("field/src/field/%s.py" % name), name, "exec")
        self.write("field/src/field/robots/mule.py", "mine = 1\n")
        self.assertIn("already", self.morse("add", "robot", "mule", "field").stdout)
        # What MORSE's users import; a second one is added to the first.
        self.morse("add", "robot", "hinny", "field")
        self.assertEqual(self.read("field/src/field/builder/robots/__init__.py"),
                         "from .mule import Mule\nfrom .hinny import Hinny\n")
        self.assertEqual(self.read("field/src/field/robots/mule.py"), "mine = 1\n")
        for arguments, words in ((("add", "robot", "x", "nowhere"), "no site"), (("add", "robot", "7!", "field"), "no name")):
            done = self.morse(*arguments)
            self.assertEqual((done.returncode, words in done.stdout), (0, True), done.stdout)
        self.assertEqual(self.morse("add", "wheel", "x", "field").returncode, 2)

    def test_a_site_without_a_scene_lets_a_file_of_its_name_run(self):
        os.makedirs(self.path("bare"))
        self.morse("import", "bare", "plan")
        self.write("plan", "import sys\nsys.exit(6)\n")
        self.assertEqual(self.morse("run", "plan").returncode, 6)

    # The other programs

    def program(self, *command):
        process = subprocess.Popen([self.path("root/bin/" + command[0]), *command[1:]], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=self.directory,
                                   env=self.environment())
        self.addCleanup(self.end, process)
        return process

    def test_the_server_of_nodes(self):
        process = self.program("multinode_server", "-d", "--port", "0")
        self.assertRegex(process.stderr.readline(), r"listens on 127\.0\.0\.1:\d+")

    def synchronised(self):
        """A simulation that does a tick for each message, its ports, and a client of its services."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        self.write("scene", SCRIPT + "env.configure_stream_manager('socket', time_sync=True, sync_port=%d)\n" % port)
        process = self.program("morse", "run", "scene")
        client = socket.create_connection(("127.0.0.1", int(self.services_port(process))), timeout=120)
        self.addCleanup(client.close)
        return process, port, client, client.makefile("rw")

    def test_the_program_that_keeps_time(self):
        simulation, port, _, services = self.synchronised()
        program = self.program("morse_sync", "-P", str(port), "-p", "0.001", "-H", "127.0.0.1", "-d")
        self.assertRegex(program.stderr.readline(), r"morse_sync: \d+\.\d+ s late")
        program.stdin.write("set_period 0.002\nset_period x\n")
        program.stdin.flush()
        self.assertIn("set_period SECONDS or quit, not set_period x",
                      next(line for line in program.stderr if "late" not in line))
        services.write("a time sleep [0.5]\n")
        services.flush()
        self.assertEqual(services.readline(), "a SUCCESS\n")
        program.stdin.write("quit\n")
        program.stdin.flush()
        program.stderr.read()
        self.assertEqual(program.wait(timeout=120), 0)
        # One that the simulation leaves ends, too.
        program = self.program("morse_sync", "-P", str(port), "-H", "127.0.0.1", "-d")
        program.stderr.readline()
        simulation.send_signal(signal.SIGTERM)
        program.stderr.read()
        self.assertEqual(program.wait(timeout=120), 0)
        self.assertEqual(self.program("morse_sync", "-P", str(port), "-t", "0", "-H", "127.0.0.1").wait(timeout=120), 74)
        self.assertEqual(self.program("morse_sync", "-p", "0").wait(timeout=120), 2)

    def test_what_there_is_no_program_for(self):
        done = self.morse(program="morse_inspector")
        self.assertEqual((done.returncode, "get_scene_objects" in done.stdout), (0, True), done.stdout)
        for name in ("morse", "create", "morse_sync", "multinode_server", "morseexec"):
            self.check(self.orrery(name), 64, "no command '%s': `orrery morse-root DIR` makes" % name)

    # Tests that were written for MORSE

    @unittest.skipUnless(has_testing(), "no MorseTestCase; Debian has it as python3-morse-simulator")
    @unittest.skipUnless(knows_localhost(), "nobody knows localhost here")
    @unittest.skipIf(is_sanitized(), "MorseTestCase gives a simulator 15 s to start")
    def test_a_test_case_of_morse_s(self):
        for least, passes in (("4", True), ("6", False)):
            self.write("drive.py", USERS_TEST % least)
            done = subprocess.run([PYTHON, "drive.py"], capture_output=True, text=True, timeout=240, cwd=self.directory,
                                  env=dict(self.environment(), MORSE_ROOT=self.path("root")))
            said = done.stdout + done.stderr
            self.assertEqual("\nOK\n" in said, passes, said)
            self.assertEqual("FAILED (failures=" in said, not passes, said)

    # The directory itself

    def test_a_directory_that_cannot_be_made(self):
        self.write("file", "")
        done = self.orrery("morse-root", "file/below")
        self.check(done, 74, "file/below/bin")
        self.check(self.orrery("morse-root"), 64, "an argument is missing")


if __name__ == "__main__":
    tap.main()
