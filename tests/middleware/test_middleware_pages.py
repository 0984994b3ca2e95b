# SPDX-License-Identifier: BSD-3-Clause
"""The pages about middleware, typed in: their programs run, their commands succeed, and the robot goes where it is sent."""

import json
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
from support import NODE_PATH, SOURCE, ProgramCase, lacks_modules, need  # noqa: E402
from test_dds_node import why_not  # noqa: E402
from test_ros_node import LIMIT, MISSING, Program  # noqa: E402

import tap  # noqa: E402

BUILD = os.path.realpath(os.environ.get("ORRERY_TEST_BUILDDIR", "build"))
PYTHON = os.environ.get("ORRERY_TEST_PYTHON", sys.executable)
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


def chapter(page, name=None):
    """The blocks of one chapter, or of a whole page: (KIND, TEXT)."""
    with open(os.path.join(SOURCE, "docs", page), encoding="utf-8") as file:
        text = file.read()
    if name:
        text = re.search(r"^## %s\n(.*?)^## " % name, text, re.M | re.S).group(1)
    return re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S)


def lacks(*names):
    missing = [name for name in names if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin")]
    return missing and "not installed: " + " ".join(missing)


class PageCase(ProgramCase):
    """Servers have terminals of their own; a scene whose first line is its name is saved as that."""

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
        os.symlink(PYTHON, self.path("bin/python3"))
        self.write("bin/ros2", "#!/bin/sh\nexec '%s' '%s/ros2_command.py' \"$@\"\n" % (PYTHON, HERE))
        os.chmod(self.path("bin/ros2"), 0o755)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("ROS_")}
        # The name of a machine need not lead anywhere.
        self.environment.update(ROS_IP="127.0.0.1", PATH="%s:%s:/usr/sbin" % (self.path("bin"), os.environ["PATH"]), HOME=self.directory,
                                ROS_LOG_DIR=self.directory, PYTHONUNBUFFERED="1", PYTHONWARNINGS="ignore", LC_ALL="C.UTF-8",
                                NODE_PATH=NODE_PATH)

    def serve(self, command, ready):
        server = Program(["sh", "-c", "exec " + command], self.environment, cwd=self.directory, start_new_session=True)
        self.addCleanup(self.end, server)
        server.await_line(ready)
        return server

    def end(self, server):
        if server.process.poll() is None:
            server.process.terminate()
            server.process.wait(timeout=LIMIT)

    def type_in(self, blocks):
        """Returns the last server and what the last block printed."""
        server = printed = None
        for kind, block in blocks:
            ready = next((ready for start, ready in SERVERS.items() if (block.strip() + " ").startswith(start + " ")), None)
            named = re.match(r"# (\w+\.py)\n", block)
            if ready:
                server = self.serve(block.strip(), ready)
            elif kind == "html":
                script = re.search(r"<script>\n(.*?)</script>", block, re.S).group(1)
                printed = self.shell("node", "-e", PAGE + script)
            elif kind == "sh":
                printed = self.shell("sh", "-euc", block)
            elif named:
                self.write(named.group(1), block)
        return server, printed

    def shell(self, *command):
        done = subprocess.run(command, cwd=self.directory, env=self.environment, capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def quit(self, server):
        self.shell("orrery", "call", "simulation", "quit")
        self.assertEqual(server.end(), 0)


NO_ROS = MISSING and "not installed: " + " ".join(MISSING) or lacks("roscore")
NO_BROKER = lacks("mosquitto", "mosquitto_sub", "mosquitto_pub", "mosquitto_rr")


class OneScene(PageCase):
    def test_ros_1(self):
        need(self, NO_ROS)
        server, printed = self.type_in(chapter("middleware.md", "With ROS 1"))
        self.assertIn("/robot/waypoint\n", printed)
        self.assertIn('message: "Transit"', printed)
        self.assertRegex(printed, r"(?m)^x: -?\d")
        self.assertEqual(server.end(), 0)

    def test_ros_2(self):
        need(self, why_not("dds-peer"))
        run, (_, block) = chapter("middleware.md", "With ROS 2")
        listed, echo, publish, rest = re.fullmatch(r"(.*\n)(.* echo .*\n)(.* pub .*\n)((?s:.*))", block).groups()
        server, printed = self.type_in([run, ("sh", listed + echo)])
        self.assertIn('"frame_id": "map"', printed)
        self.send_away(publish, echo)
        self.assertIn('"message": "Transit"', self.shell("sh", "-euc", rest))
        self.assertEqual(server.end(), 0)

    def send_away(self, publish, echo):
        """Publishes a goal until the robot is on its way: a reader that has not met the writer yet misses the first."""
        x = 0
        while x < 0.5:  # more than the noise of the pose
            self.assertIn("published", self.shell("sh", "-euc", publish))
            x = json.loads(self.shell("sh", "-euc", echo))["pose"]["position"]["x"]

    def test_web_page(self):
        need(self, lacks_modules("roslib"))
        _, printed = self.type_in(chapter("middleware.md", "With a web page"))
        self.assertRegex(printed, r'\["\d\.\d\d","It has stopped"\]')

    def test_broker(self):
        need(self, NO_BROKER)
        server, printed = self.type_in(chapter("middleware.md", "With a broker"))
        self.assertRegex(printed, r'"x": ?-?\d')
        self.assertIn("Transit", printed)
        self.assertEqual(server.end(), 0)

    def test_autopilot(self):
        server, _ = self.type_in(chapter("middleware.md", "With an autopilot"))
        peer = autopilots.Connection(int(server.await_line("PX4: listening on port").split(" port ")[1].split()[0]))
        self.addCleanup(peer.close)
        pilot = autopilots.Hover(1.0)
        while not pilot.heights or pilot.heights[-1] < 0.5:
            sensors = peer.sensors()
            peer.controls(pilot.outputs(sensors, peer.last["HIL_STATE_QUATERNION"], peer.last["HIL_GPS"]), sensors["time_usec"])


class Pages(PageCase):
    def extend(self, blocks, more):
        """The blocks, with parts of a scene put into the scene before them, above its environment."""
        (_, scene), rest = blocks[0], blocks[1:]
        return [("python", scene.replace("env = ", more + "env = "))] + rest

    def test_ros_1(self):
        need(self, NO_ROS)
        self.serve("roscore", SERVERS["roscore"])
        streams, services = chapter("ros.md", "Streams"), chapter("ros.md", "Services of a scene")
        parts = [block for kind, block in services if kind == "python"]
        own = chapter("ros.md", "Classes in Python")
        self.environment["PYTHONPATH"] = self.directory
        server, printed = self.type_in(own[:1] + self.extend(streams, "".join(parts) + own[1][1]))
        self.assertIn('frame_id: "/map"', printed)
        self.assertIn("/height\n", printed)
        self.assertIn("data: 0.1", self.shell("rostopic", "echo", "-n", "1", "/height"))
        _, printed = self.type_in([block for block in services if block[0] == "sh"])
        self.assertIn("success: True", printed)
        server.process.terminate()
        server.process.wait(timeout=LIMIT)

    def test_ros_2(self):
        need(self, why_not("dds-peer"))
        blocks = chapter("ros2.md")
        server, printed = self.type_in(blocks[:3])
        self.assertIn("published", printed)
        self.quit(server)
        # The waypoint drives where the first scene has an actuator of speeds.
        scene = re.sub(r"(?s)motion = .*?(?=env = )", blocks[4][1], blocks[0][1])
        server, _ = self.type_in([("python", scene), blocks[1]])
        _, printed = self.type_in([blocks[5]])
        self.assertEqual(printed.count('"success": true'), 2)
        _, printed = self.type_in([blocks[6]])
        self.assertIn('"status": 4', printed)
        _, printed = self.type_in([blocks[7]])
        self.assertIn("waypoint.FreeZ", printed)
        self.assertIn('"successful": true', printed)
        self.quit(server)

    def test_rosbridge(self):
        need(self, lacks_modules("roslib"))
        blocks = chapter("rosbridge.md")
        page = next(block for kind, block in blocks if kind == "html")
        server, _ = self.type_in(blocks[:2])
        client = self.start_client(blocks[2][1])
        client.await_line("'x'")
        client.kill()
        printed = self.type_in([("html", page.replace("console.log(answer.success)", "{ console.log(answer.success); ros.close(); }"))])[1]
        self.assertIn("true\n", printed)
        self.quit(server)

    def start_client(self, text):
        client = Program([PYTHON, "-c", text], self.environment, cwd=self.directory)
        self.addCleanup(client.kill)
        return client

    def test_mqtt(self):
        need(self, NO_BROKER)
        server, printed = self.type_in(chapter("mqtt.md", "First steps"))
        self.assertIn("orrery/robot/pose {", printed)
        self.assertIn('["robot"]', printed)
        self.quit(server)

    def test_message_types(self):
        _, printed = self.type_in(chapter("messages.md"))
        self.assertIn("float64 depth", printed)

    def test_mappings(self):
        """The classes of the page, as plugins of a user's."""
        (_, publisher), (_, reader) = chapter("mappings.md")[:2]
        for name, text in ("depth", publisher), ("drive", reader):
            os.makedirs(self.path("plugins/lab"), exist_ok=True)
            self.write("plugins/lab/%s.json" % name, text)
        self.write("lab.py", "from morse.builder import *\nrobot = ATRV('robot')\n"
                   "barometer = Barometer('barometer'); robot.append(barometer); barometer.add_stream('ros', 'lab.depth.DepthPublisher')\n"
                   "motion = MotionVW('motion'); robot.append(motion); motion.add_stream('ros', 'lab.drive.DriveReader')\n"
                   "env = Environment('empty')\n")
        self.assertIn("lab.py: ok", self.shell("orrery", "check", "lab.py", "--plugin-dir", self.path("plugins")))

    def test_autopilots(self):
        parts = "".join(block for kind, block in chapter("mavlink.md") if kind == "python")
        self.write("pilots.py", "from morse.builder import *\ndrone = Quadrotor('drone')\nrobot = ATRV('robot')\n" + parts +
                   "env = Environment('empty')\nenv.properties(longitude=1.4, latitude=43.6, altitude=100.0)\n")
        self.assertIn("pilots.py: ok", self.shell("orrery", "check", "pilots.py"))


class Shown(unittest.TestCase):
    def test_the_script_is_the_example(self):
        """The page shows the example, without its first comment."""
        with open(os.path.join(SOURCE, "docs/middleware.md"), encoding="utf-8") as page, \
                open(os.path.join(SOURCE, "examples/middleware.py"), encoding="utf-8") as example:
            self.assertIn("```python\n" + example.read().split("\n", 1)[1] + "```\n", page.read())


if __name__ == "__main__":
    tap.main()
