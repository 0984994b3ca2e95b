# SPDX-License-Identifier: BSD-3-Clause
"""Scenes that call services of other nodes of ROS 2: what a server of Fast DDS is asked, and what comes of its answers."""

import json
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)
from support import PROGRAM, need  # noqa: E402
from test_dds_node import why_not  # noqa: E402
from test_ros2_streams import StreamCase  # noqa: E402
from test_ros_node import Program  # noqa: E402

import tap  # noqa: E402

# What a user adds to the message types of the program. The servers send back what they are asked.
POINT = "geometry_msgs/Point "
TYPES = {"LoadMap": "string map_url\n" + POINT + "origin\nuint8 mode\n---\nstring loaded\n" + POINT + "at\nuint8 result\n",
         "Bad": "uint32 n\n---\nstring text\n"}

SCENE = """
from morse.builder import *
robot = ATRV('robot')
pose = Pose('pose'); robot.append(pose)
robot.add_service('ros2')
env = Environment('empty')
env.set_physics('orrery.physics.kinematic.Kinematic')
"""

# Each answer moves the robot, so that it shows in the hash.
SCRIPT = '''
import orrery
from gi.repository import GLib
from orrery import until

TYPE = "lab_msgs/srv/LoadMap"
REFUSED = [("/map", "lab_msgs/srv/None", {}, 1), ("/map", TYPE, {"map": "x"}, 1), ("/map", TYPE, {"origin": {"w": 1}}, 1),
           ("/map", TYPE, {"map_url": 3}, 1), ("/map", TYPE, {"origin": 3}, 1), ("/map", TYPE, "x", 1),
           ("map server", TYPE, {}, 1), ("/", TYPE, {}, 1), ("", TYPE, {}, 1), ("/a/", TYPE, {}, 1), ("/map", TYPE, {}, 0),
           ("/map", TYPE, {}, float("inf")), ("/map", TYPE, {"map_url": "x" * 1100000}, 1)]


@orrery.plugin
class Asker(orrery.Script):
    """Asks one service after the other."""

    def setup(self, setup):
        self.robot = setup.find_component("robot")
        self.count = 0

    def init(self, tick):
        self.speed = 0.0

    def say(self, words):
        self.count += 1
        self.log(orrery.LogLevel.INFO, "said %d: %s" % (self.count, words))
        self.speed = 0.1 + 0.01 * (sum(map(ord, words)) % 97)

    def actuation(self, tick):
        linear, angular = orrery.Vec3(), orrery.Vec3()
        linear.x, angular.z = self.speed, 0.1
        self.robot.apply_speed(tick, orrery.Control.VELOCITY, linear, angular, tick.dt)

    def thread(self, tick):
        for name, type, request, timeout in REFUSED:
            try:
                self.call_remote(tick, "ros2", name, type, request, timeout)
                self.say("not refused")
            except GLib.Error as error:
                self.say(error.message)
        for name, kind, request, timeout in (
                ("map", "LoadMap", {"map_url": "yard.yaml", "origin": {"x": 1.5}}, 60), ("/map", "LoadMap", {"mode": 7}, 60),
                ("/absent", "LoadMap", {}, 0.3), ("/bad", "Bad", {"n": 100}, 60),
                ("/map", "LoadMap", {"map_url": "x" * 1020000}, 60)):
            try:
                answer = yield until(self.call_remote(tick, "ros2", name, "lab_msgs/srv/" + kind, request, timeout=timeout))
                self.say("%s answers %s" % (name, answer))
            except GLib.Error as error:
                self.say(error.message)
        for name in "/stopped", "/killed":
            yield until(self.call_remote(tick, "ros2", name, TYPE, timeout=60))
            self.say(name + " answers")
            try:
                while True:
                    yield until(self.call_remote(tick, "ros2", name, TYPE, timeout=1))
            except GLib.Error as error:
                self.say(error.message)
        calls = [self.call_remote(tick, "ros2", name, TYPE, timeout=60) for name in ("/absent", "/map", "/map")]
        yield until(calls[2])
        calls[0].cancel()
        self.say("in turn %s" % [call.done for call in calls])
        while tick.number < 10000:
            tick = yield
'''

WORDS = """lab_msgs/srv/None
lab_msgs/srv/LoadMap_Request has no field 'map'; did you mean map_url
geometry_msgs/msg/Point has no field 'w'
map_url
origin
no dictionary
'map server' is no name of a service
'/' is no name of a service
'' is no name of a service
'/a/' is no name of a service
a timeout is above 0
a number that is not finite
at most 1048576 may be sent
map answers {'loaded': 'yard.yaml', 'at': {'x': 1.5, 'y': 0.0, 'z': 0.0}, 'result': 0}
/map answers {'loaded': '', 'at': {'x': 0.0, 'y': 0.0, 'z': 0.0}, 'result': 7}
/absent: no service of that name was found within 0.3 s
/bad: what was answered is no lab_msgs/srv/Bad_Response:
/map: the answer has 10200
/stopped answers
/stopped: the service has not answered within 1 s
/killed answers
/killed: the service has not answered within 1 s
in turn [True, True, True]""".splitlines()

PROGRAM_TEXT = '''
import asyncio
import sys

import orrery
from gi.repository import GLib
from orrery import until

TYPE = "lab_msgs/srv/LoadMap"
with orrery.load(sys.argv[1]) as sim:
    call = sim.call_remote("ros2", "/beacon", TYPE, {"map_url": "lit"}, timeout=1e5)
    while not call.done:
        sim.step()
    print("called", call.result())

    def ask():
        print("task", (yield until(sim.call_remote("ros2", "/beacon", TYPE, {"map_url": "lit"}, 1e5))))
        left.clear()
    left = [1]
    sim.tasks.add(ask)
    while left:
        sim.step()

    async def live():
        async with orrery.live(sim, pace=0) as scene:
            print("live", await scene.ros2.call_remote("/beacon", TYPE, {"map_url": "lit"}, 1e5))
    asyncio.run(live())

    calls = [sim.call_remote("ros2", "/nobody", TYPE, timeout=0.5) for _ in range(256)]
    try:
        sim.call_remote("ros2", "/beacon", TYPE)
    except GLib.Error as error:
        print("full", error.message)
    sim.step(40)
    print("over", sum(each.done for each in calls))
    call = sim.call_remote("ros2", "/nobody", TYPE)
    sim.stop()
    sim.step()
    try:
        print("stopped", call.result())
    except Exception as error:
        print("stopped", error)
    try:
        sim.call_remote("ros", "/beacon", TYPE)
    except GLib.Error as error:
        print("missing", error.message)
    last = sim.call_remote("ros2", "/nobody", TYPE)
try:
    last.result()
except GLib.Error as error:
    print("end", error.message)
'''


class Calls(StreamCase):
    def setUp(self):
        super().setUp()
        need(self, why_not("dds-peer"))
        os.makedirs(self.path("types/lab_msgs/srv"))
        for name, text in TYPES.items():
            self.write("types/lab_msgs/srv/%s.srv" % name, text)
        self.environment.update(ROS_DOMAIN_ID=self.domain, ORRERY_MESSAGE_PATH=self.path("types"))

    def serve(self, **types):
        peer = self.peer()
        for name, kind in types.items():
            self.tell(peer, "serve /%s lab_msgs::srv::dds_::%s" % (name, kind))
        return peer

    def write_scene(self, scripts=()):
        self.write("scene.py", SCENE)
        self.write("asker.py", SCRIPT)
        self.write("program.py", PROGRAM_TEXT)
        built = subprocess.run([PROGRAM, "build", self.path("scene.py"), "-o", self.path("scene")], env=self.environment,
                               capture_output=True, text=True)
        self.assertEqual(built.returncode, 0, built.stderr)
        with open(self.path("scene/scene.json")) as file:
            scene = json.load(file)
        next(each for each in scene["objects"] if each["name"] == "robot")["scripts"] = list(scripts)
        self.write("scene/scene.json", json.dumps(scene))

    def test_a_script_calls_and_a_replay_repeats_it(self):
        self.write_scene([{"type": "child", "classpath": "asker.Asker"}])
        peers = [self.serve(map="LoadMap", bad="Bad"), self.serve(stopped="LoadMap"), self.serve(killed="LoadMap")]
        command = [PROGRAM, "run", self.path("scene"), "--plugin-dir", self.path("."), "--record", self.path("run.mcap")]
        running = Program(command, self.environment)
        self.addCleanup(running.kill)
        self.addCleanup(peers[1].process.send_signal, signal.SIGCONT)
        running.await_line("/stopped answers")
        peers[1].process.send_signal(signal.SIGSTOP)
        running.await_line("/killed answers")
        peers[2].process.kill()
        running.await_line("in turn")
        lines = [next(line for line in running.seen if "said %d: " % (i + 1) in line) for i in range(len(WORDS))]
        for line, words in zip(lines, WORDS):
            self.assertIn(words, line)
        running.process.send_signal(signal.SIGTERM)
        running.process.wait(timeout=60)
        peers[0].process.kill()
        again = subprocess.run([PROGRAM, "replay", self.path("run.mcap"), "--plugin-dir", self.path(".")], env=self.environment,
                               capture_output=True, text=True, timeout=120)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("the run goes as it went", again.stdout + again.stderr)
        for line in lines:
            self.assertIn(line[line.index("said "):], again.stdout + again.stderr)

    def test_programs_and_tasks(self):
        self.write_scene()
        self.serve(beacon="LoadMap")
        running = Program([PROGRAM, "python", self.path("program.py"), self.path("scene")], self.environment)
        self.addCleanup(running.kill)
        for words in "called", "task", "live":
            self.assertIn("{'loaded': 'lit', 'at':", running.await_line(words))
        self.assertIn("256 calls wait for an answer", running.await_line("full"))
        self.assertIn("over 256", running.await_line("over"))
        self.assertIn("began anew", running.await_line("stopped"))
        self.assertIn("no request manager of 'ros' that calls out", running.await_line("missing"))
        self.assertIn("the simulation ends", running.await_line("end"))


if __name__ == "__main__":
    tap.main()
