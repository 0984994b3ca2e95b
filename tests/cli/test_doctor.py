# SPDX-License-Identifier: BSD-3-Clause
"""`orrery doctor`: what it says of a sound installation, and of what is broken, missing or taken."""

import fcntl
import json
import os
import resource
import shlex
import socket
import struct
import subprocess
import termios

from support import PROGRAM, ProgramCase

import tap

# A shared object that ends the process which loads it.
CRASH = "#include <stdlib.h>\n__attribute__ ((constructor)) static void crash (void) { abort (); }\n"


class Doctor(ProgramCase):
    def doctor(self, *arguments, preexec_fn=None, without=(), **variables):
        environment = {**self.environment(), **variables}
        for name in without:
            environment.pop(name, None)
        return subprocess.run([PROGRAM, "doctor", *arguments], capture_output=True, text=True, timeout=120,
                              cwd=self.directory, env=environment, stdin=subprocess.DEVNULL, preexec_fn=preexec_fn)

    def found(self, *arguments, code=0, **options):
        """(status, words, remedy) of each finding."""
        done = self.doctor("--json", *arguments, **options)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["exit"], code)
        return [(one["status"], one["words"], one.get("remedy", "")) for one in document["findings"]]

    def one(self, found, *words):
        fits = [finding for finding in found if all(word in finding[1] for word in words)]
        self.assertEqual(len(fits), 1, found)
        return fits[0]

    def compile(self, name, code, *flags):
        target = self.path(name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        compiler = shlex.split(os.environ.get("ORRERY_TEST_CC", "gcc"))
        subprocess.run(compiler + ["-shared", "-fPIC", "-o", target, self.write("code.c", code), *flags], check=True)
        os.chmod(target, 0o755)


class Sound(Doctor):
    def test_all_parts(self):
        done = self.doctor("--benchmark", "0.1")
        self.check(done, 0)
        parts = [line for line in done.stdout.splitlines() if line and line[0] != " "]
        self.assertEqual(parts, ["program", "plugins", "python", "graphics", "ports", "limits", "directories", "speed"])
        self.assertEqual({line.split()[0] for line in done.stdout.splitlines() if line[:3].strip() and line[0] == " "}
                         - {"ok", "note", "missing"}, set())

    def test_what_is_named(self):
        found = self.found("limits", "program")
        self.assertEqual(self.one(found, "orrery 0")[0], "ok")
        self.assertEqual(self.one(found, "processors: ")[0], "ok")
        self.assertNotIn("is free", str(found))

    def test_the_speed(self):
        status, words, _ = self.found("speed", "--benchmark", "0.2")[0]
        self.assertEqual(status, "ok")
        self.assertRegex(words, r"[1-9]\d+ ticks per second, \d+ times .* for 0.2 s")

    def test_the_command_line(self):
        self.check(self.doctor("port"), 64, "no part 'port'; did you mean ports")
        self.check(self.doctor("--benchmark", "x"), 64, "--benchmark: 'x' is no number of seconds")
        self.check(self.doctor("--benchmark", "1e6"), 64, "--benchmark: at most 600 s")
        self.check(self.doctor("--probe=x"), 64, "--probe: nothing is called 'x'")


class Broken(Doctor):
    def test_plugins(self):
        self.compile("plugins/lab/crash.so", CRASH)
        self.write("plugins/lab/text.so", "no shared object")
        self.compile("libgone.so.1", "int gone (void) { return 1; }\n", "-Wl,-soname,libgone.so.1")
        self.compile("plugins/lab/lost.so", "extern int gone (void); int use (void) { return gone (); }\n",
                     self.path("libgone.so.1"))
        os.remove(self.path("libgone.so.1"))
        found = self.found("plugins", "--plugin-dir", self.path("plugins"), code=69)
        self.assertEqual(self.one(found, "lab/crash.so", "SIGABRT")[0], "wrong")
        self.assertEqual(self.one(found, "lab/text.so")[0], "wrong")
        status, words, remedy = self.one(found, "lab/lost.so")
        self.assertEqual(status, "missing")
        self.assertIn("there is no libgone.so.1", words)
        self.assertIn("apt-file search libgone.so.1", remedy)

    def test_what_is_missing_matters_where_it_was_asked_for(self):
        self.compile("libmosquitto.so.1", "int gone (void) { return 1; }\n", "-Wl,-soname,libmosquitto.so.1.99")
        self.compile("plugins/lab/lost.so", "extern int gone (void); int use (void) { return gone (); }\n",
                     self.path("libmosquitto.so.1"))
        directory = ("--plugin-dir", self.path("plugins"))
        found = self.found("plugins", *directory, code=69)
        self.assertEqual(self.one(found, "lab/lost.so")[::2], ("missing", "apt install libmosquitto1"))
        self.assertEqual(self.doctor("--benchmark", "0.01", *directory).returncode, 0)

    def test_a_scene_that_does_not_run(self):
        os.makedirs(self.path("plugins/orrery/sensors"))
        self.write("plugins/orrery/sensors/pose.so", "no shared object")
        status, words, _ = self.found("speed", "--benchmark", "0.01", code=69, ORRERY_PLUGIN_PATH=self.path("plugins"))[0]
        self.assertEqual(status, "wrong")
        self.assertIn("sensors/pose.so", words)

    def test_a_directory_that_everybody_may_write(self):
        os.makedirs(self.path("data/orrery/plugins"))
        os.chmod(self.path("data/orrery/plugins"), 0o777)
        status, _, remedy = self.one(self.found("directories", code=69), "everybody may write")
        self.assertEqual((status, remedy), ("wrong", "chmod o-w " + self.path("data/orrery/plugins")))
        os.chmod(self.path("data/orrery/plugins"), 0o755)
        self.assertNotIn("wrong", str(self.found("directories")))

    def test_no_home(self):
        self.assertEqual(self.one(self.found("directories", without=["HOME"]), "HOME is not set")[0], "note")
        self.assertEqual(self.one(self.found("directories", HOME="here"), "HOME is not set")[0], "note")
        self.assertNotIn("HOME", str(self.found("directories", HOME=self.directory)))
        self.write("file", "")
        found = self.found("directories", XDG_DATA_HOME=self.path("file"), code=69)
        self.assertIn("is no directory", self.one(found, "your plugins")[1])

    def test_a_port_that_is_taken(self):
        self.assertEqual(self.one(self.found("ports"), "4000")[0], "ok")
        with socket.create_server(("127.0.0.1", 4000)):
            status, words, remedy = self.one(self.found("ports"), "4000")
            self.assertEqual(status, "note")
            self.assertIn("is taken", words)
            self.assertTrue(remedy)
        self.assertEqual(self.one(self.found("ports"), "4000")[0], "ok")

    def test_few_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (200, 200))

        self.assertEqual(self.one(self.found("limits", preexec_fn=limit), "open files: 200")[0], "note")

    def test_interpreters(self):
        status, words, _ = self.one(self.found("python", code=69, ORRERY_PYTHON="/nonexistent/python"), "/nonexistent/python")
        self.assertEqual(status, "wrong")
        self.assertIn("cannot be run", words)
        program = self.write("python", "#!/bin/sh\nexit 3\n")
        os.chmod(program, 0o755)
        self.assertIn("exited with status 3", self.one(self.found("python", code=69, ORRERY_PYTHON=program), program)[1])
        program = self.write("python", "#!/bin/sh\nprintf 'numpy\\t\\tno \\033[31mnumpy\\n'\n")
        found = self.found("python", code=69, ORRERY_PYTHON=program)
        self.assertEqual(self.one(found, "numpy")[0], "missing")
        self.assertIn("no \\x1b[31mnumpy", self.one(found, "numpy")[1])

    def test_no_opengl(self):
        os.mkdir(self.path("lib"))
        for name in "libEGL.so.1", "libOSMesa.so.8":
            self.write("lib/" + name, "no library")
        status, words, remedy = self.found("graphics", code=69, LD_LIBRARY_PATH=self.path("lib"))[0]
        self.assertEqual(status, "missing")
        self.assertIn("no libEGL.so.1, no libOSMesa.so.8", words)
        self.assertIn("libegl1", remedy)


class Terminals(Doctor):
    def shown(self, columns, **variables):
        ours, theirs = self.open_terminal()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        environment = dict(self.environment(), TERM="xterm")
        environment.pop("NO_COLOR", None)
        process = subprocess.Popen([PROGRAM, "doctor", "ports", "directories"], stdin=theirs, stdout=theirs, stderr=theirs,
                                   cwd=self.directory, env={**environment, **variables})
        os.close(theirs)
        said = b""
        try:
            while part := os.read(ours, 65536):
                said += part
        except OSError:  # nobody has the other end any more
            pass
        os.close(ours)
        self.assertEqual(process.wait(60), 0)
        return said.decode().replace("\r\n", "\n")

    def test_colours_only_where_they_are_wanted(self):
        plain = self.doctor("ports", "directories").stdout
        self.assertNotIn("\033", plain)
        self.assertEqual(self.shown(500, NO_COLOR="1"), plain)
        self.assertEqual(self.shown(500, TERM="dumb"), plain)
        self.assertIn("\033[32mok\033[0m", self.shown(500))
        self.assertIn("\033[32mok\033[0m", self.shown(500, NO_COLOR=""))

    def test_lines_end_where_the_terminal_does(self):
        wide, narrow = self.shown(500, NO_COLOR="1"), self.shown(60, NO_COLOR="1")
        self.assertEqual(wide.split(), narrow.split())
        self.assertGreater(len(narrow.splitlines()), len(wide.splitlines()))
        self.assertEqual([line for line in narrow.splitlines() if len(line) > 60 and " " in line.strip()[11:]], [])


if __name__ == "__main__":
    tap.main()
