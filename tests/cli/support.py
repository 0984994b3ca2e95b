# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program as users do, in directories of its own."""

import os
import pty
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(HERE, "../.."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))
PYTHON = os.environ.get("ORRERY_TEST_PYTHON", sys.executable)
PROGRAM = os.path.join(BUILD, "orrery")
# Where node finds what npm has installed: a tree that a test builds has no modules of its own.
NODE_PATH = os.pathsep.join([os.path.join(BUILD, "tests/peers/node_modules"), os.environ.get("NODE_PATH", "")])

sys.path.insert(0, os.path.join(HERE, ".."))

# The smallest scene with something to see: a robot that is told to drive.
SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 7 },
  "objects": [
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" },
      { "name": "motion", "classpath": "morse.actuators.v_omega.MotionVW" } ] } ],
  "component_datastream": {
    "robot.pose": [["morse.middleware.socket_datastream.SocketDatastreamManager",
                    "morse.middleware.socket_datastream.SocketPublisher", {}]],
    "robot.motion": [["morse.middleware.socket_datastream.SocketDatastreamManager",
                      "morse.middleware.socket_datastream.SocketReader", {}]] },
  "component_service": {
    "robot.motion": ["morse.middleware.socket_request_manager.SocketRequestManager"] }
}
"""

SCRIPT = """from morse.builder import *

robot = ATRV()
pose = Pose()
pose.add_stream('socket')
robot.append(pose)
env = Environment('empty', fastmode=True)
"""


def need(case, reason):
    """Skips the test if there is a reason to, unless this machine should have everything."""
    if reason and os.environ.get("CI") == "true":
        case.fail(reason)
    if reason:
        case.skipTest(reason)


def lacks_modules(*names):
    """Why the modules of npm of these names cannot be tested against, or None."""
    if shutil.which("node") is None:
        return "no node; Debian has it as nodejs"
    lines = "".join("require.resolve('%s');" % name for name in names)
    if subprocess.run(["node", "-e", lines], env=dict(os.environ, NODE_PATH=NODE_PATH), capture_output=True).returncode:
        return "no modules %s of npm; `./bootstrap check` installs them" % ", ".join(names)
    return None


def children_of(pid):
    """The processes that it has started, as texts."""
    found = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open("/proc/%s/stat" % entry, encoding="utf-8") as file:
                fields = file.read().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(fields[1]) == pid:
            found.append(entry)
    return found


def name_of(pid):
    """What a process calls itself; nothing if it has ended."""
    try:
        with open("/proc/%s/comm" % pid, encoding="utf-8") as file:
            return file.read().strip()
    except OSError:
        return ""


def servers_of(pid):
    """The process from which a batch forks its runs."""
    return [child for child in children_of(pid) if name_of(child) == "orrery-server"]


def forked_by(pid):
    """The runs that the server of a batch has forked."""
    return [run for server in servers_of(pid) for run in children_of(int(server)) if name_of(run).startswith("run-")]


class ProgramCase(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="orrery-test-")
        self.addCleanup(shutil.rmtree, self.directory, ignore_errors=True)

    def open_terminal(self):
        """Both ends of one; where there is no /dev/pts, the test is skipped."""
        try:
            return pty.openpty()
        except OSError as error:
            self.skipTest("no terminal here, as without /dev/pts: %s" % error)

    def path(self, name):
        return os.path.join(self.directory, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def build_plugin(self, name, code):
        """Compiles a plugin into a directory of this test, plugins/."""
        target = self.path(os.path.join("plugins", name))
        os.makedirs(os.path.dirname(target), exist_ok=True)
        flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gio-2.0"], check=True, capture_output=True, text=True)
        subprocess.run(shlex.split(os.environ.get("ORRERY_TEST_CC", "gcc")) +
                       ["-std=gnu11", "-fPIC", "-shared", "-fvisibility=hidden", "-I" + os.path.join(SOURCE, "host"),
                        "-I" + os.path.join(BUILD, "host"), "-o", target, self.write("plugin.c", code),
                        "-L" + os.path.join(BUILD, "lib"), "-lorrery-1"] + shlex.split(flags.stdout), check=True)

    def skip_unless_it_runs_as(self, user):
        """A user who may not enter the build tree, as below /root, cannot start the program."""
        try:
            done = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, timeout=60,
                                  env=self.environment(), user=user.pw_uid, group=user.pw_gid, extra_groups=[])
        except PermissionError:
            self.skipTest("%s cannot run the program where it lies" % user.pw_name)
        if "Permission denied" in done.stderr:
            self.skipTest("%s cannot run the program where it lies" % user.pw_name)

    def environment(self):
        """Nothing of the user's own plugins; what the tests of other things set stays out, too."""
        inherited = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
        return dict(inherited, XDG_DATA_HOME=self.path("data"), LC_ALL="C.UTF-8")

    def orrery(self, *arguments, timeout=120, **options):
        return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=timeout,
                              cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL, **options)

    def start(self, *arguments, **options):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   cwd=self.directory, env=self.environment(), stdin=subprocess.DEVNULL, **options)
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def wait_for(self, process, words):
        """Reads the log up to the line with these words; returns that line."""
        lines = []
        for line in process.stderr:
            lines.append(line)
            if words in line:
                return line
        self.fail("no line with %r in:\n%s" % (words, "".join(lines)))

    def services_port(self, process):
        """The port of a simulation that was started: its own, whoever else runs one."""
        line = self.wait_for(process, "Socket service manager now listening on port ")
        self.wait_for(process, "[SCENE INITIALIZED]")
        return line.rstrip(".\n").split()[-1]

    def check(self, done, code, *words):
        """The exit code, and words of what was said: of stdout if it went well, else of stderr."""
        said = done.stdout if code in (0, 1) else done.stderr
        self.assertEqual(done.returncode, code, "%s\n%s" % (done.stdout, done.stderr))
        for word in words:
            self.assertIn(word, said)
