# SPDX-License-Identifier: BSD-3-Clause
"""Scenes that call services of other nodes of ROS 1: what rospy's servers are asked, and what comes of their answers."""

import os
import signal
import socket
import struct
import subprocess
import sys
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)
from support import PROGRAM  # noqa: E402
from test_ros_node import PROGRAM as TRIAL  # noqa: E402
from test_ros_node import Program, RosCase  # noqa: E402

import tap  # noqa: E402

SET_BOOL = "09fb03525b03e7ea1fd3992bafd87e16"

SCENE = """
from morse.builder import *
robot = ATRV('robot')
pose = Pose('pose'); robot.append(pose); pose.add_service('ros')
robot.add_script('asker.Asker')
env = Environment('empty')
env.set_physics('orrery.physics.kinematic.Kinematic')
"""

# Each answer moves the robot, so that it shows in the hash.
SCRIPT = '''
import orrery
from gi.repository import GLib
from orrery import until

FLAG = "std_srvs/SetBool"
CALLS = [("flag", FLAG, {"data": True}, 60), ("/flag", FLAG, None, 60), ("/nothing", "std_srvs/Empty", {}, 60),
         ("/broken", FLAG, {}, 60), ("/large", FLAG, {"data": True}, 60), ("/large", FLAG, {}, 60), ("/bad", FLAG, {}, 60),
         ("/flag", "std_srvs/Trigger", {}, 60), ("/absent", FLAG, {}, 0.5)]


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
        for name, type, request in ("/flag", "std_srvs/None", {}), ("/flag", FLAG, {"flag": True}), ("a flag", FLAG, {}):
            try:
                self.call_remote(tick, "ros", name, type, request)
                self.say("not refused")
            except GLib.Error as error:
                self.say(error.message)
        for name, type, request, timeout in CALLS:
            try:
                answer = yield until(self.call_remote(tick, "ros", name, type, request, timeout=timeout))
                self.say("%s answers %s" % (name, str(answer)[:100]))
            except GLib.Error as error:
                self.say(error.message)
        for name in "/stopped", "/killed":
            yield until(self.call_remote(tick, "ros", name, FLAG, timeout=60))
            self.say(name + " answers")
            try:
                while True:
                    yield until(self.call_remote(tick, "ros", name, FLAG, timeout=1))
            except GLib.Error as error:
                self.say(error.message)
        given_up = self.call_remote(tick, "ros", "/absent", FLAG, timeout=60)
        call = self.call_remote(tick, "ros", "/late", FLAG, {"data": True}, timeout=600)
        self.say("waits for /late")
        answer = yield until(call)
        given_up.cancel()
        self.say("/late answers %s" % answer)
        while tick.number < 100000:
            tick = yield
'''

WORDS = """/flag: no type std_srvs/srv/None
has no field 'flag'
'a flag' is no name of a service
flag answers {'success': True, 'message': 'set'}
/flag answers {'success': False, 'message': 'unset'}
/nothing answers {}
/broken: error processing request: it is broken
/large: the answer has 2000005 bytes, and at most 1000000 are taken
/large answers {'success': False, 'message': 'small'}
/bad: what was answered is no std_srvs/srv/SetBool_Response
/flag: request from [/morse]: md5sums do not match
/absent: no service of that name was found within 0.5 s
/stopped answers
/stopped: the service has not answered within 1 s
/killed answers
/killed: 
waits for /late
/late answers {'success': True, 'message': 'set'}""".splitlines()

PROGRAM_TEXT = """
import sys

import orrery
from gi.repository import GLib

with orrery.load(sys.argv[1]) as sim:
    for name in sys.argv[2:]:
        call = sim.call_remote("ros", name, "std_srvs/SetBool", {"data": True}, 1e6)
        while not call.done:
            sim.step()
        try:
            print("%s answers %s" % (name, call.result()), flush=True)
        except GLib.Error as error:
            print("failed " + error.message, flush=True)
    calls = [sim.call_remote("ros", "/absent", "std_srvs/SetBool", timeout=0.5) for _ in range(256)]
    try:
        sim.call_remote("ros", "/absent", "std_srvs/SetBool")
    except GLib.Error as error:
        print("full", error.message, flush=True)
    sim.step(40)
    print("over", sum(each.done for each in calls), flush=True)
    last = sim.call_remote("ros", "/absent", "std_srvs/SetBool", timeout=60)
try:
    last.result()
except GLib.Error as error:
    print("end", error.message, flush=True)
"""


def header(**fields):
    parts = [("%s=%s" % item).encode() for item in fields.items()]
    body = b"".join(struct.pack("<I", len(part)) + part for part in parts)
    return struct.pack("<I", len(body)) + body


GOOD = header(callerid="/liar", md5sum=SET_BOOL, type="std_srvs/SetBool")
ANSWER = struct.pack("<?I", True, 5) + b"\1" + struct.pack("<I", 0)
# What servers send, the header and what follows a request; and what becomes of it.
LIES = {"/long_header": (b"\xff\xff\xff\xff", b"", "header"), "/no_header": (b"\5\0\0\0\xff\0\0\0x", b"", "header"),
        "/refuses": (header(error="we are closed"), b"", "we are closed"), "/gone": (b"", None, "closed without an answer"),
        "/long": (GOOD, b"\1\xff\xff\xff\xff", "the answer has 4294967295 bytes, and at most 1000000 are taken"),
        "/short": (GOOD, b"\1\4\0\0\0\1\0\0\0", "what was answered is no std_srvs/srv/SetBool_Response"),
        "/text": (GOOD, b"\1\x09\0\0\0\1\xff\xff\xff\x7fabcd", "what was answered is no std_srvs/srv/SetBool_Response"),
        "/half": (GOOD, None, "closed without an answer"), "/fails": (GOOD, b"\0\3\0\0\0no\xff", "no"),
        "/good": (GOOD, ANSWER, "answers {'success': True, 'message': ''}")}

SERVER = """
import sys, rospy, std_srvs.srv as s
rospy.init_node(sys.argv[1])
def broken(request):
    raise ValueError("it is broken")
def large(request):
    return s.SetBoolResponse(request.data, "x" * 2000000 if request.data else "small")
def flag(request):
    return s.SetBoolResponse(request.data, "set" if request.data else "unset")
for name in sys.argv[2:]:
    rospy.Service("/" + name, s.SetBool, {"broken": broken, "large": large}.get(name, flag))
if sys.argv[1] == "all":
    rospy.Service("/nothing", s.Empty, lambda request: s.EmptyResponse())
print("up", flush=True)
rospy.spin()
"""


class Calls(RosCase):
    def setUp(self):
        super().setUp()
        self.start_master()

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w") as file:
            file.write(text)

    def serve(self, name, *services):
        server = Program(["/usr/bin/python3", "-c", SERVER, name, *services], self.environment)
        self.addCleanup(server.kill)
        server.await_line("up")
        return server

    def run_scene(self):
        self.write("scene.py", SCENE)
        self.write("asker.py", SCRIPT)
        running = Program([PROGRAM, "run", os.path.join(self.home, "scene.py"), "--plugin-dir", self.home,
                           "--record", os.path.join(self.home, "run.mcap")], self.environment)
        self.addCleanup(running.kill)
        return running

    def test_a_script_calls_and_a_replay_repeats_it(self):
        self.serve("all", "flag", "broken", "large")
        stopped, killed = self.serve("first", "stopped"), self.serve("second", "killed")
        bad = Program([TRIAL, "bad"], self.environment)
        self.addCleanup(bad.kill)
        bad.ask("serve /bad std_srvs/SetBool %s echo" % SET_BOOL)
        self.addCleanup(stopped.process.send_signal, signal.SIGCONT)
        running = self.run_scene()
        running.await_line("/stopped answers")
        stopped.process.send_signal(signal.SIGSTOP)
        running.await_line("/killed answers")
        killed.kill()
        running.await_line("waits for /late")
        self.serve("third", "late")
        running.await_line("/late answers")
        lines = [next(line for line in running.seen if "said %d: " % (i + 1) in line) for i in range(len(WORDS))]
        for line, words in zip(lines, WORDS):
            self.assertIn(words, line)
        # Whether it was killed amid a call or between two.
        self.assertRegex(lines[WORDS.index("/killed: ")], "Connection refused|Connection reset by peer|closed without an answer")
        services = subprocess.run(["rosservice", "list"], env=self.environment, capture_output=True, text=True).stdout
        self.assertNotIn("call_remote", services)
        running.process.send_signal(signal.SIGTERM)
        self.assertEqual(running.process.wait(timeout=60), 128 + signal.SIGTERM)
        self.kill_master()
        again = subprocess.run([PROGRAM, "replay", os.path.join(self.home, "run.mcap"), "--plugin-dir", self.home],
                               env=self.environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
        self.assertIn("the run goes as it went", again.stdout + again.stderr)
        for line in lines:
            self.assertIn(line[line.index("said "):], again.stdout + again.stderr)

    def lie(self, name, begin, answer):
        """A server that sends what it should not; None: it ends instead, and reads on, since what it
        left unread would reset the connection."""
        listener = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(listener.close)

        def run():
            peer, _ = listener.accept()
            with peer:
                peer.recv(65536)
                peer.sendall(begin)
                if answer is None:
                    peer.shutdown(socket.SHUT_WR)
                    while peer.recv(65536):
                        pass
                    return
                if begin == GOOD:
                    peer.recv(65536)
                    peer.sendall(answer)
                peer.recv(65536)

        threading.Thread(target=run, daemon=True).start()
        self.ask_master("registerService", name, "rosrpc://127.0.0.1:%d" % listener.getsockname()[1], "http://127.0.0.1:1/")

    def test_servers_that_lie(self):
        """Each call ends with words, and the run goes on."""
        self.write("program.py", PROGRAM_TEXT)
        self.write("scene.py", "\n".join(line for line in SCENE.splitlines() if "script" not in line))
        scene = os.path.join(self.home, "scene")
        subprocess.run([PROGRAM, "build", scene + ".py", "-o", scene], env=self.environment, check=True)
        for name, (begin, answer, _) in LIES.items():
            self.lie(name, begin, answer)
        running = Program([PROGRAM, "python", os.path.join(self.home, "program.py"), scene, *LIES], self.environment)
        self.addCleanup(running.kill)
        for name, (_, _, words) in LIES.items():
            self.assertIn(words, running.await_line(name + " answers" if name == "/good" else "failed %s: " % name))
        self.assertIn("256 calls wait for an answer", running.await_line("full"))
        self.assertIn("over 256", running.await_line("over"))
        self.assertIn("the simulation ends", running.await_line("end "))
        self.assertEqual(running.end(), 0)

    def test_a_master_that_comes_later(self):
        """Also one that was there and has gone."""
        self.kill_master()
        running = self.run_scene()
        running.await_line("'a flag' is no name")
        self.start_master()
        self.serve("all", "flag", "broken", "large")
        self.assertIn("'set'", running.await_line("flag answers"))
        self.kill_master()


if __name__ == "__main__":
    tap.main()
