# SPDX-License-Identifier: BSD-3-Clause
"""The site of the examples with a sensor that was written for MORSE: its commands do what they say."""

import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, PYTHON, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

SITE = os.path.join(SOURCE, "examples/depot")
VIEWER = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware/viewer.so")
READY = os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib"))


@unittest.skipUnless(READY, "no typelib")
class Depot(ProgramCase):
    def environment(self):
        return dict(super().environment(), PYTHONPATH=os.path.join(SITE, "src"))

    def call(self, *arguments):
        done = self.orrery("call", "--port", self.port, *arguments)
        self.check(done, 0)
        return json.loads(done.stdout or "null")

    def test_commands(self):
        with open(os.path.join(SITE, "default.py"), encoding="utf-8") as file:
            told = re.findall(r"^    orrery call (.*)$", file.read(), re.M)
        process = self.start("run", os.path.join(SITE, "default.py"), "--fast")
        self.port = self.services_port(process)
        before = self.call("robot.dock", "get_local_data")
        self.assertEqual(list(before), ["timestamp", "distance", "bearing", "position", "docked"])
        self.assertAlmostEqual(before["distance"], 1.5, places=3)
        self.assertAlmostEqual(before["position"][0], 1.5, places=3)
        self.assertFalse(before["docked"])
        self.assertAlmostEqual(self.call("robot.dock", "get_reach"), 0.4, places=6)
        # One after the other on one connection: it must not be there before somebody waits.
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=60) as client, client.makefile() as lines:
            for number, command in enumerate(told):
                part, service, *arguments = shlex.split(command.rstrip(" &"))
                client.sendall(("%d %s %s [%s]\n" % (number, part, service, ", ".join(arguments))).encode())
            answers = sorted(next(lines).split() for _ in told)
        self.assertEqual([answer[:2] for answer in answers], [["0", "SUCCESS"], ["1", "SUCCESS"]])
        self.assertTrue(0.3 < float(answers[0][2]) < 0.4, answers)


def read_walk():
    """The commands of the chapter of docs/recording.md, a text for each block."""
    with open(os.path.join(SOURCE, "docs/recording.md"), encoding="utf-8") as file:
        chapter = re.search(r"^## From a drive to a plot\n(.*?)^## ", file.read(), re.M | re.S).group(1)
    return re.findall(r"^```sh\n(.*?)^```$", chapter, re.M | re.S)


def has_modules(names):
    return subprocess.run([PYTHON, "-c", "import " + names], capture_output=True).returncode == 0


@unittest.skipUnless(READY, "no typelib")
class Walk(unittest.TestCase):
    """A reader records the depot, kills it, mends, replays, compares and plots it by the docs alone, in one shell."""

    def walk(self, place, commands):
        os.symlink(os.path.join(SOURCE, "examples"), os.path.join(place, "examples"))
        os.symlink(BUILD, os.path.join(place, "build"))
        environment = dict(os.environ, HOME=place, XDG_DATA_HOME=os.path.join(place, "data"), MPLBACKEND="Agg",
                           PYTHONDONTWRITEBYTECODE="1")
        script = "set -eu\n" + "".join("echo '## block'\n" + block for block in commands)
        with tempfile.TemporaryFile("w+") as out:
            shell = subprocess.Popen(["sh", "-c", script], cwd=place, env=environment, stdout=out,
                                     stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, start_new_session=True)
            err = []
            reader = threading.Thread(target=self.read_errors, args=(shell, err))
            reader.start()
            try:
                code = shell.wait(timeout=300)
            finally:
                # What is left in the background would hold the pipe open.
                try:
                    os.killpg(shell.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                reader.join()
                shell.stderr.close()
            out.seek(0)
            return code, out.read().split("## block\n")[1:], "".join(err)

    def read_errors(self, shell, lines):
        """A reader who has seen the page ends it with Ctrl-C."""
        url = None
        for line in shell.stderr:
            lines.append(line)
            found = re.search(r"viewer now at (\S+/)", line)
            url = found.group(1) if found else url
            if "until Ctrl-C" in line:
                with urllib.request.urlopen(url + "scene.json", timeout=60) as answer:
                    self.shown = json.load(answer)
                with open("/proc/%d/task/%d/children" % (shell.pid, shell.pid), encoding="ascii") as file:
                    os.kill(int(file.read().split()[-1]), signal.SIGINT)

    def test_walk(self):
        commands = read_walk()
        self.assertEqual(len(commands), 5)
        if not os.path.exists(VIEWER):
            commands[2] = commands[2].replace("--beside short.mcap --view --stay", "--for 2")
        draws = has_modules("matplotlib")
        if not draws:
            commands[3] = commands[3].replace("orrery python plot.py\n", "")
        # The other line is a server, which stays, and a browser.
        executes = draws and has_modules("ipykernel, nbclient")
        commands[4] = "".join(line for line in commands[4].splitlines(True) if executes and " execute " in line)
        self.assertEqual(commands[4].count("\n"), executes)
        place = tempfile.mkdtemp(prefix="orrery-walk-")
        self.addCleanup(shutil.rmtree, place, ignore_errors=True)
        code, said, err = self.walk(place, commands)
        self.assertEqual(code, 0, err)
        self.assertEqual(err.count("until Ctrl-C"), os.path.exists(VIEWER))
        self.assertEqual(err.count("Executing notebook"), executes)
        self.assertIn("the recording was cut here", err)
        self.assertIn("120 ticks", said[1])
        self.assertIn("the run goes as it went", said[1])
        # The pose has other noise, and nothing else is another thing.
        self.assertEqual(re.findall(r"^(/[\w/]+): (\d+) and (\d+) messages", said[1], re.M)[0][0], "/robot/pose")
        self.assertEqual(len(re.findall(r"^/", said[1], re.M)), 1, said[1])
        self.assertEqual(len(re.findall(r"^\d+ ticks", said[2], re.M)), 2)
        if os.path.exists(VIEWER):
            self.assertEqual((self.shown["title"], self.shown["beside"]), ("whole.mcap", "short.mcap"))
            self.assertIn("beside/robot", [one["name"] for one in self.shown["objects"]])
        for name in ("whole.npz", "noisy.npz") + (("poses.png",) if draws else ()):
            self.assertGreater(os.path.getsize(os.path.join(place, name)), 1000, name)


if __name__ == "__main__":
    tap.main()
