# SPDX-License-Identifier: BSD-3-Clause
"""`orrery replay` of runs whose parts have an outside of their own: devices, other nodes, workers that run freely."""

import base64
import json
import os
import random
import re
import socket
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import support
import tap
from test_replay import ReplayCase

PARTS = '''
import os
import random
import time

import orrery


@orrery.plugin
class Meter(orrery.Sensor):
    """Reads a device of its own."""
    value = orrery.field(float)
    path = orrery.option("")
    state = ("last",)

    def setup(self, setup):
        self.last = 0.0
        self.file = None if setup.is_offline() else os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)

    def sense(self, tick, record):
        data = b""
        if self.file is not None:
            try:
                data = os.read(self.file, 100)
            except BlockingIOError:
                pass
        taken = self.take_input(tick, data)
        if taken:
            self.last = float(taken.split()[-1])
        record.value = self.last


@orrery.plugin
class Late(orrery.Sensor):
    """Takes as long as it happens to, and says what nobody can foresee."""
    n = orrery.field(int)
    x = orrery.field(float)
    gain = orrery.option(1.0)
    state = ("count",)

    def setup(self, setup):
        self.count = 0

    def sense(self, tick, record):
        time.sleep(random.random() * 0.005)
        self.count += 1
        record.n = self.count
        record.x = self.gain * random.random()

    @orrery.service
    def draw(self) -> float:
        """A number that nobody can foresee"""
        return random.random()


@orrery.plugin
class Follow(orrery.Script):
    """Drives by what the other one says, and by when."""
    state = ("speed",)

    def setup(self, setup):
        self.robot = setup.find_component("robot")
        self.late = setup.find_component("robot.late")

    def init(self, tick):
        self.speed = 0.0

    def actuation(self, tick):
        seen = orrery.view(self.late)
        self.speed = 0.9 * self.speed + seen.x * (0.1 if self.late.is_stale() else 0.3)
        linear, angular = orrery.Vec3(), orrery.Vec3()
        linear.x, angular.z = self.speed + 0.001 * (seen.timestamp % 1), 0.01 * seen.n
        self.robot.apply_speed(tick, orrery.Control.VELOCITY, linear, angular, tick.dt)
'''

READER = '''

@orrery.plugin
class Reader(orrery.Script):
    """Drives by the pages of a book, of which each callback reads one."""
    path = orrery.option("")
    state = ("speed", "turn")

    def setup(self, setup):
        self.robot = setup.find_component("robot")
        self.file = None if setup.is_offline() else open(self.path, "rb", 0)

    def init(self, tick):
        self.speed = self.turn = 0.0

    def read(self, tick):
        data = self.file.read(4) if self.file is not None and tick.get_number() % 3 == 0 else b""
        return self.take_input(tick, data)

    def sensing(self, tick):
        page = self.read(tick)
        if page:
            self.speed = float(page)

    def actuation(self, tick):
        page = self.read(tick)
        if page:
            self.turn = float(page)
        linear, angular = orrery.Vec3(), orrery.Vec3()
        linear.x, angular.z = self.speed, self.turn
        self.robot.apply_speed(tick, orrery.Control.VELOCITY, linear, angular, tick.dt)
'''

BOOK = """
import random
import sys

import orrery

with open(sys.argv[3], "w") as book:
    book.write("".join("%.2f" % random.random() for _ in range(200)))
sim = orrery.load(sys.argv[1], hash=True, pacing=orrery.Pacing.FAST)
sim.record(sys.argv[2], compression="none")
sim.step(200)
print("hash %016x" % sim.hash)
sim.close()
"""

HANDS = """
import os
import struct
import sys

import orrery

sim = orrery.load(sys.argv[1], hash=True, pacing=orrery.Pacing.FAST)
sim.record(sys.argv[2], compression="none")
stick, meter = (os.open(path, os.O_RDWR) for path in sys.argv[3:])
pose = sim["robot.pose"]

def push(axis, value):
    os.write(stick, struct.pack("<IhBB", 0, value, 2, axis))

def step_until(done):
    for i in range(200000):
        sim.step(1)
        if done():
            return
    sys.exit("nothing came")

sim.step(20)
os.write(meter, b"1.5 2.5")
step_until(lambda: sim["robot.meter"].data.value == 2.5)
push(1, -32767)
step_until(lambda: pose.data.x > 0.8)
push(0, -12345)
step_until(lambda: pose.data.yaw > 0.3)
os.write(meter, b"7.25")
sim.step(70)
step_until(lambda: sim["robot.meter"].data.value == 7.25)
push(1, 0)
push(0, 0)
before = [0, 0]
def stands():
    before[:] = before[1], (pose.data.x, pose.data.y)
    return before[0] == before[1]
step_until(stands)
sim.step(40)
print("hash %016x" % sim.hash)
sim.close()
"""

LATE = """
import os
import signal
import sys

import orrery

sim = orrery.load(sys.argv[1], hash=True, pacing=orrery.Pacing.FAST)
sim.record(sys.argv[2], compression="none")
late = sim["robot.late"]

def step_until(done):
    for i in range(1000000):
        sim.step(1)
        if done():
            return
    sys.exit("nothing came")

step_until(lambda: late.data.n > 10)
answer = sim.call("robot.late", "draw")
other = sim.call("robot.late", "set_property", "gain", 3.0)
step_until(lambda: answer.done and other.done)
step_until(lambda: late.data.n > 20)
pid = sim.report["workers"][0]["pid"]
os.kill(pid, signal.SIGSTOP)
lost = sim.call("robot.late", "draw")
sim.step(3)
os.kill(pid, signal.SIGKILL)
step_until(lambda: late.data.x == 0.0)
n = late.data.n
step_until(lambda: late.data.n > 0 and late.data.x > 0)
step_until(lambda: sim.ticks > 200 and not late.is_stale())
sim.step(30)
print("hash %016x" % sim.hash)
sim.close()
"""

NODE = """
import sys

import orrery

sim = orrery.load(sys.argv[1], hash=True, pacing=orrery.Pacing.FAST)
world = sim.get_world()

def place(name):
    position = world.get_snapshot().get_pose(world.find_object(name).get_index()).position
    return position.x, position.y

def step_until(done):
    for i in range(100000):
        sim.step(1)
        if done():
            return
    sys.exit("nothing came")

if len(sys.argv) < 3:
    sim.call("b.drive", "set_speed", 0.9, 0.3)
    while True:
        sim.step(1)
sim.record(sys.argv[2])
sim.call("a.drive", "set_speed", 0.5, 0.0)
step_until(lambda: place("b")[1] > 1)
print("seen", flush=True)
sys.stdin.readline()
before = [0, 0]
def stands():
    before[:] = before[1], place("b")
    return before[0] == before[1]
step_until(stands)
sim.step(150)
print("hash %016x" % sim.hash)
sim.close()
"""


class OutsideCase(ReplayCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("plugins/lab"))
        self.write("plugins/lab/parts.py", PARTS + READER)

    def environment(self):
        return dict(super().environment(), ORRERY_PLUGIN_PATH=self.path("plugins"))

    def robot(self, *parts, **more):
        return self.write("scene.json", json.dumps({
            "orrery": 1, "environment": {"frequency": 60, "start": 100, "physics": "orrery.physics.kinematic.Kinematic"},
            "objects": [dict({"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": list(parts)}, **more.pop("of_robot", {}))],
            **more}))

    def run_program(self, text, *arguments):
        """Runs it, and returns the hash that it says."""
        done = self.orrery("python", self.write("program.py", text), *arguments)
        self.check(done, 0)
        return self.recorded_hash(done)

    def taken(self, name="run.mcap"):
        return [each for each in self.cat(name, "/orrery/inputs") if each["kind"] == "taken"]

    def check_replays(self, value, start):
        """From its start, from a state, and once more what a replay has recorded."""
        done = self.replay("run.mcap", "--hash", "--record", self.path("again.mcap"))
        self.assertIn("goes as it went", done.stdout)
        self.assertEqual(self.recorded_hash(done), value)
        done = self.replay("run.mcap", "--from", start, "--hash", "--record", self.path("rest.mcap"))
        self.assertRegex(done.stderr, r"begins at tick \d\d")
        self.assertEqual(self.recorded_hash(done), value)
        for name in "again.mcap", "rest.mcap":
            self.assertEqual(self.recorded_hash(self.replay(name, "--hash")), value, name)

    def check_without(self):
        """Control: without what came from outside, it goes another way."""
        topics = [word for topic in ("/orrery/hash", "/orrery/poses") for word in ("--topic", topic)]
        self.check(self.orrery("recording", "filter", self.path("run.mcap"), "-o", self.path("cut.mcap"), *topics), 0)
        self.assertIn("goes another way", self.replay("cut.mcap", code=1).stdout)

    def patch(self, change):
        """A copy of the recording in which `change` makes other texts of the same length of each chunk."""
        with open(self.path("run.mcap"), "rb") as file:
            data = bytearray(file.read())
        at = 8
        while at < len(data) - 8:
            opcode, size = struct.unpack_from("<BQ", data, at)
            if opcode == 0x06:
                body = bytes(data[at + 9 : at + 9 + size])
                changed = change(body[32:])
                self.assertEqual(len(changed), size - 32)
                # Without its checksum, which is that of the messages as they were.
                data[at + 9 : at + 9 + size] = body[:24] + bytes(4) + body[28:32] + changed
            at += 9 + size
        with open(self.path("patched.mcap"), "wb") as file:
            file.write(data)


class Devices(OutsideCase):
    def record(self, **more):
        for name in "stick", "meter":
            os.mkfifo(self.path(name))
        value = self.run_program(HANDS, self.robot(
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "hands", "classpath": "orrery.actuators.joystick.Joystick", "properties": {"Device": self.path("stick")}, **more},
            {"name": "meter", "classpath": "lab.parts.Meter", "properties": {"path": self.path("meter")}, **more}),
            self.path("run.mcap"), self.path("stick"), self.path("meter"))
        for name in "stick", "meter":
            os.unlink(self.path(name))
        return value

    def test_joystick_and_device_of_a_plugin(self):
        """What a joystick and a device that a plugin reads have said is in the recording; neither need be there any more."""
        value = self.record()
        taken = self.taken()
        self.assertEqual({each["part"] for each in taken}, {"robot.hands", "robot.meter"})
        # What does not change is not told again.
        self.assertLess(len(taken), 10)
        self.assertIn(b"1.5 2.5", [base64.b64decode(each["data"]) for each in taken])
        self.check_replays(value, "1.2")
        self.check_without()

    def test_in_workers(self):
        """The same of parts in worker processes that the ticks wait for."""
        value = self.record(placement="worker")
        taken = self.taken()
        self.assertEqual({(each["part"], each["number"]) for each in taken}, {("robot.hands", 0), ("robot.meter", 0)})
        self.assertLess(len(taken), 10)
        self.assertIn(b"1.5 2.5", [base64.b64decode(each["data"]) for each in taken])
        self.check_replays(value, "1.2")
        self.check_without()

    def test_a_script_in_a_worker(self):
        """Each callback of a tick gets what came in it, and not what came in another."""
        value = self.run_program(BOOK, self.robot(
            of_robot={"scripts": [{"type": "child", "classpath": "lab.parts.Reader", "placement": "worker",
                                   "properties": {"path": self.path("book")}}]}), self.path("run.mcap"), self.path("book"))
        os.unlink(self.path("book"))
        # Several of one tick, in their order.
        ticks = [each["tick"] for each in self.taken()]
        self.assertEqual(ticks, sorted(list(range(0, 200, 3)) * 2))
        self.check_replays(value, "1.2")
        self.check_without()

    def test_hostile(self):
        """Texts that are no base64, parts that are not there and axes of another length are refused or left out."""
        self.record()

        def write(old, new):
            self.patch(lambda chunk: chunk.replace(old, new))
            return self.orrery("replay", self.path("patched.mcap"))

        self.check(write(b'"part":"robot.hands"', b'"part":"robot.honds"'), 69, "no part is named 'robot.honds'")
        self.check(write(b'"data":"MS41IDIuNQ=="', b'"data":"MS41IDIuNQ=!"'), 65, "not base64")
        self.check(write(b'"data":"MS41IDIuNQ=="', b'"data":"MS41IDIuNQ"  '), 65, "not base64")
        self.check(write(b'"data":"MS41IDIuNQ=="', b'"data":12345678901234'), 65, "not base64")
        self.check(write(b'"part":"robot.meter"', b'"port":"robot.meter"'), 65, "no part has taken")
        # Of another length than a joystick's: the part leaves it out.
        done = write(b'"kind":"taken","part":"robot.meter"', b'"kind":"taken","part":"robot.hands"')
        self.assertIn(done.returncode, (0, 1), done.stderr)
        # What is too long to be kept has no data, and is named once.
        done = write(b'"data":"MS41IDIuNQ=="', b'"late":"MS41IDIuNQ=="')
        self.check(done, 1)
        self.assertIn("what robot.meter got from outside was too long to be recorded", done.stderr)


class Workers(OutsideCase):
    def record(self):
        return self.run_program(LATE, self.robot(
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "late", "classpath": "lab.parts.Late", "placement": "worker", "free_running": True, "frequency": 30},
            of_robot={"scripts": [{"type": "child", "classpath": "lab.parts.Follow"}]},
            workers={"robot.late": {"on_failure": "zero", "back_off": 0.01}}), self.path("run.mcap"))

    def test_late_at_random(self):
        """Results and answers of a worker that runs freely, and its end, come in the ticks in which they came."""
        value = self.record()
        numbers = {each["number"] for each in self.taken()}
        # Steps, a worker that is down, calls that end with it, and answers to calls, in one phase or the other.
        self.assertTrue({1, 2, 5} <= numbers and numbers & {3, 4}, numbers)
        self.check_replays(value, "1.2")
        self.check_without()

    def test_hostile(self):
        """Whatever the bytes of results are, the replay ends with an exit code of its own."""
        self.record()
        rng = random.Random(4)

        def spoil(match):
            data = bytearray(base64.b64decode(match.group(2)))
            for _ in range(rng.choice((1, 3, 20))):
                # Half of the time in the header, where lengths and numbers are.
                data[rng.randrange(min(len(data), rng.choice((64, len(data)))))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
            return match.group(1) + base64.b64encode(data)

        for _ in range(4):
            self.patch(lambda chunk: re.sub(rb'("kind":"taken",[^{}]*"data":")([A-Za-z0-9+/=]+)', spoil, chunk))
            done = self.orrery("replay", self.path("patched.mcap"))
            self.assertIn(done.returncode, (0, 1, 65), done.stderr)


class Nodes(OutsideCase):
    def scene_of(self, node, robots, port):
        return self.write(node + ".json", json.dumps({
            "orrery": 1,
            "environment": {"frequency": 60, "start": 0, "physics": "orrery.physics.kinematic.Kinematic", "sandbox": {
                "classpath": "orrery.scripts.multinode.Multinode",
                "properties": {"Node": node, "Robots": robots, "Port": port, "Wait": 0.02}}},
            "objects": [{"name": name, "classpath": "orrery.robots.atrv.ATRV", "objects": [
                {"name": "drive", "classpath": "orrery.actuators.v_omega.MotionVW"}]} for name in ("a", "b")]}))

    def start_python(self, *command):
        process = subprocess.Popen(command, env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def test_two_nodes(self):
        """Poses that another node has sent are in the recording: it is run again without that node and its server."""
        server = self.start_python(sys.executable, os.path.join(support.SOURCE, "python/orrery/multinode.py"), "--port", "0")
        port = int(re.search(r":(\d+)$", server.stderr.readline().strip()).group(1))
        program = self.write("node.py", NODE)
        two = self.start_python(support.PROGRAM, "python", program, self.scene_of("two", "b", port))
        one = self.start_python(support.PROGRAM, "python", program, self.scene_of("one", "a", port), self.path("run.mcap"))
        self.assertEqual(one.stdout.readline(), "seen\n")
        two.kill()
        two.wait()
        out, err = one.communicate("\n", timeout=60)
        self.assertEqual(one.returncode, 0, err)
        value = re.search(r"hash ([0-9a-f]{16})", out).group(1)
        server.kill()
        server.wait()
        with socket.create_server(("127.0.0.1", port)) as listener:
            self.check_replays(value, "1.2")
            listener.setblocking(False)
            self.assertRaises(BlockingIOError, listener.accept)
        self.check_without()


if __name__ == "__main__":
    tap.main()
