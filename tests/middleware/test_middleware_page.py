# SPDX-License-Identifier: BSD-3-Clause
"""docs/middleware.md, typed in: each chapter's programs run, its commands succeed, and the robot goes where it is sent."""

import os
import re
import shutil
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../cli"))

import autopilots  # noqa: E402
from support import SOURCE, ProgramCase  # noqa: E402
from test_dds_node import why_not  # noqa: E402
from test_ros_node import LIMIT, MISSING, Program  # noqa: E402

import tap  # noqa: E402

BUILD = os.path.realpath(os.environ.get("ORRERY_TEST_BUILDDIR", "build"))
PYTHON = os.environ.get("ORRERY_TEST_PYTHON", sys.executable)
PEERS = [os.path.join(top, "tests/peers/node_modules") for top in (BUILD, SOURCE)] + [os.environ.get("NODE_PATH", "")]
PLUGINS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware")
#: What goes on until it is stopped, and the line by which it says that it is ready.
SERVERS = {"roscore": "started core service", "mosquitto": "running", "orrery run": "[SCENE INITIALIZED]"}

#: The page's script in node: a document that keeps what it is told, and ends when the page has closed its connection.
PAGE = """
const ROSLIB = require("roslib");
const place = {};
const document = { getElementById: (name) => name === "place" ? place : null };
process.on("exit", () => console.log(JSON.stringify([place.textContent, document.title])));
"""


def chapter(name):
    with open(os.path.join(SOURCE, "docs/middleware.md"), encoding="utf-8") as file:
        text = re.search(r"^## %s\n(.*?)^## " % name, file.read(), re.M | re.S).group(1)
    return re.findall(r"^```(sh|html)\n(.*?)^```$", text, re.M | re.S)


def need(case, reason):
    """Skips the test if there is a reason to, unless this machine should have everything."""
    if reason and os.environ.get("CI") == "true":
        case.fail(reason)
    if reason:
        case.skipTest(reason)


def lacks(*names):
    missing = [name for name in names if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]
    return missing and "not installed: " + " ".join(missing)


class Page(ProgramCase):
    def setUp(self):
        super().setUp()
        for plugin in "ros2_datastream", "rosbridge_datastream", "mqtt_datastream":
            if not os.path.exists(os.path.join(PLUGINS, plugin + ".so")):
                self.skipTest("built without " + plugin)
        reason = why_not()
        if reason:
            self.skipTest(reason)
        os.symlink(os.path.join(SOURCE, "examples"), self.path("examples"))
        os.mkdir(self.path("bin"))
        os.symlink(os.path.join(BUILD, "orrery"), self.path("bin/orrery"))
        self.write("bin/ros2", "#!/bin/sh\nexec '%s' '%s/ros2_command.py' \"$@\"\n" % (PYTHON, HERE))
        os.chmod(self.path("bin/ros2"), 0o755)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ROS_")}
        self.environment.update(PATH="%s:%s:/usr/sbin" % (self.path("bin"), os.environ["PATH"]), HOME=self.directory,
                                ROS_LOG_DIR=self.directory, PYTHONUNBUFFERED="1", PYTHONWARNINGS="ignore", LC_ALL="C.UTF-8",
                                NODE_PATH=os.pathsep.join(PEERS))

    def serve(self, command, ready):
        server = Program(["sh", "-c", "exec " + command], self.environment, cwd=self.directory, start_new_session=True)
        self.addCleanup(self.end, server)
        server.await_line(ready)
        return server

    def end(self, server):
        if server.process.poll() is None:
            server.process.terminate()
            server.process.wait(timeout=LIMIT)

    def type_in(self, name):
        """Runs a chapter; returns the last server and what the last block printed."""
        printed = None
        for kind, block in chapter(name):
            ready = next((ready for start, ready in SERVERS.items() if (block.strip() + " ").startswith(start + " ")), None)
            if ready:
                server = self.serve(block.strip(), ready)
            elif kind == "html":
                printed = self.shell("node", "-e", PAGE + re.search(r"<script>\n(.*?)</script>", block, re.S).group(1))
            else:
                printed = self.shell("sh", "-euc", block)
        return server, printed

    def shell(self, *command):
        done = subprocess.run(command, cwd=self.directory, env=self.environment, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_ros_1(self):
        need(self, MISSING and "not installed: " + " ".join(MISSING) or lacks("roscore"))
        server, printed = self.type_in("With ROS 1")
        self.assertIn("/robot/waypoint\n", printed)
        self.assertIn('message: "Transit"', printed)
        self.assertRegex(printed, r"(?m)^x: -?\d")
        self.assertEqual(server.end(), 0)

    def test_ros_2(self):
        need(self, why_not("dds-peer"))
        server, printed = self.type_in("With ROS 2")
        self.assertIn('"frame_id": "map"', printed)
        self.assertIn("published", printed)
        self.assertEqual(server.end(), 0)

    def test_web_page(self):
        need(self, lacks("node") or subprocess.run(["node", "-e", "require('roslib')"], env=self.environment,
                                                   capture_output=True).returncode and "not installed: roslib")
        _, printed = self.type_in("With a web page")
        self.assertRegex(printed, r'\["1\.\d\d","It has stopped"\]')

    def test_broker(self):
        need(self, lacks("mosquitto", "mosquitto_sub", "mosquitto_pub", "mosquitto_rr"))
        server, printed = self.type_in("With a broker")
        self.assertRegex(printed, r'"x": ?-?\d')
        self.assertIn("Transit", printed)
        self.assertEqual(server.end(), 0)

    def test_autopilot(self):
        server, _ = self.type_in("With an autopilot")
        peer = autopilots.Connection(int(server.await_line("PX4: listening on port").split(" port ")[1].split()[0]))
        self.addCleanup(peer.close)
        pilot = autopilots.Hover(1.0)
        while not pilot.heights or pilot.heights[-1] < 0.5:
            sensors = peer.sensors()
            peer.controls(pilot.outputs(sensors, peer.last["HIL_STATE_QUATERNION"], peer.last["HIL_GPS"]), sensors["time_usec"])


class Shown(unittest.TestCase):
    def test_the_script_is_the_example(self):
        """The page shows the example, without its first comment."""
        with open(os.path.join(SOURCE, "docs/middleware.md"), encoding="utf-8") as page, \
                open(os.path.join(SOURCE, "examples/middleware.py"), encoding="utf-8") as example:
            self.assertIn("```python\n" + example.read().split("\n", 1)[1] + "```\n", page.read())


if __name__ == "__main__":
    tap.main()
