# SPDX-License-Identifier: BSD-3-Clause
"""The tests' own network: a port that is taken outside is free inside, and exit codes pass."""

import os
import signal
import socket
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

ISOLATE = os.path.join(os.environ.get("ORRERY_TEST_BUILDDIR", "."), "tests/isolate")
BIND = "import socket, sys; socket.socket().bind(('127.0.0.1', int(sys.argv[1])))"


class Isolate(unittest.TestCase):
    def bind(self, port, *prefix):
        done = subprocess.run([*prefix, sys.executable, "-c", BIND, str(port)], capture_output=True)
        return done.returncode

    def test_a_taken_port_is_free_inside(self):
        if subprocess.run([ISOLATE]).returncode != 0:
            self.skipTest("this user may make no network namespace")
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
            self.assertEqual(self.bind(port), 1)
            self.assertEqual(self.bind(port, ISOLATE), 0)

    def test_the_exit_code_is_that_of_the_command(self):
        for code in (0, 1, 77):
            self.assertEqual(subprocess.run([ISOLATE, "sh", "-c", "exit %d" % code]).returncode, code)
        self.assertEqual(subprocess.run([ISOLATE, "/nonexistent"], stderr=subprocess.DEVNULL).returncode, 127)

    def test_signals_that_a_shell_ignores_have_their_default_action(self):
        ignoring = [sys.executable, "-c", "import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_IGN); "
                    "os.execvp(sys.argv[1], sys.argv[1:])"]
        interrupted = ["sh", "-c", "kill -INT $$; exit 3"]
        self.assertEqual(subprocess.run([*ignoring, *interrupted]).returncode, 3)
        self.assertEqual(subprocess.run([*ignoring, ISOLATE, *interrupted]).returncode, -signal.SIGINT)


if __name__ == "__main__":
    tap.main()
