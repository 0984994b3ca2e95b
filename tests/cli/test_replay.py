# SPDX-License-Identifier: BSD-3-Clause
"""`orrery replay`: recorded runs that clients, programs and crashes have shaped are run again."""

import json
import os
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import support
import tap

RECORDER = "orrery.observers.recorder.Recorder"

# A robot that streams and calls drive, with noise and with physics that remembers.
SCENE = json.loads(support.SCENE)
SCENE["environment"]["physics"] = "orrery.physics.bullet.Bullet"
SCENE["objects"][0]["objects"].append({"name": "goto", "classpath": "morse.actuators.waypoint.Waypoint"})
SCENE["objects"].append({"name": "box", "position": [2, 0.3, 1], "body": {"type": "dynamic", "mass": 2},
                         "shapes": [{"kind": "box", "size": [0.5, 0.5, 0.5]}]})
SCENE["objects"].append({"name": "floor", "position": [0, 0, -0.5], "shapes": [{"kind": "box", "size": [40, 40, 1]}]})
SCENE["component_modifier"] = {"robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.1}]]}
SCENE["component_service"] = {"robot.goto": ["morse.middleware.socket_request_manager.SocketRequestManager"],
                              "robot.motion": ["morse.middleware.socket_request_manager.SocketRequestManager"]}

# A sensor that the recorder cannot foresee: it counts how often this file was asked.
CLOCK = """
import time
import orrery

@orrery.plugin
class Clock(orrery.Sensor):
    wall = orrery.field(float)

    def sense(self, tick, record):
        record.wall = float(time.monotonic_ns() if tick.number >= 20 else 0)
"""

CRASH = """
import os
import orrery

@orrery.plugin
class Crash(orrery.Sensor):
    n = orrery.field(int)

    def sense(self, tick, record):
        record.n = tick.number
        if tick.number == 150:
            os.abort()
"""

# It has a memory, and cannot be saved while it carries out its service in a worker.
COUNTER = """
import orrery

@orrery.plugin
class Counter(orrery.Sensor):
    n = orrery.field(int)

    def setup(self, setup):
        self.count = 0

    def sense(self, tick, record):
        self.count += 1
        record.n = self.count

    def save(self):
        return self.count

    def restore(self, state):
        self.count = state

    @orrery.service(long=True)
    def hang(self, call):
        "It never answers"
"""

BUSY = """
import sys
import orrery

simulation = orrery.load(sys.argv[1])
simulation.record(sys.argv[2])
begin, end, last = (int(each) for each in sys.argv[3:])
simulation.step(begin)
call = simulation.call("robot.own", "hang")
simulation.step(end - begin)
call.cancel()
simulation.step(last - end)
simulation.close()
"""

PROGRAM = """
import sys
import orrery

simulation = orrery.load(sys.argv[1])
simulation.record(sys.argv[2])
motion = simulation["robot.motion"]
for i in range(20):
    motion.data.v = 0.1 * i
    simulation.step(7)
    motion.data.w = 0.05 * (i % 3)
    simulation.step(2)
    if i == 8:
        simulation.call("simulation", "set_object_position", "box", [1.0, 1.0, 2.0])
print("%.17g" % simulation["robot.pose"].data.x)
simulation.close()
"""


def forge(path, target, change):
    """A copy of a recording, up to its summary, in which `change(name, content)` makes other attachments."""
    with open(path, "rb") as file:
        data = file.read()
    out, at = bytearray(data[:8]), 8
    while at < len(data) - 8:
        opcode, size = struct.unpack_from("<BQ", data, at)
        body = data[at + 9 : at + 9 + size]
        at += 9 + size
        if opcode == 0x09:
            times, rest = body[:16], body[16:-4]
            n, = struct.unpack_from("<I", rest)
            name, rest = rest[4 : 4 + n].decode(), rest[4 + n:]
            m, = struct.unpack_from("<I", rest)
            media, content = rest[: 4 + m], rest[4 + m + 8:]
            name, content = change(name, content)
            body = times + struct.pack("<I", len(name.encode())) + name.encode() + media + struct.pack("<Q", len(content)) + content
            body += struct.pack("<I", zlib.crc32(body))
        if opcode in (0x0B, 0x0F):
            break
        out += struct.pack("<BQ", opcode, len(body)) + body
    with open(target, "wb") as file:
        file.write(out)


class ReplayCase(support.ProgramCase):
    def scene(self, **changes):
        return self.write("scene.json", json.dumps(dict(SCENE, **changes)))

    def recorded_hash(self, done):
        found = re.search(r"hash ([0-9a-f]{16})", done.stdout)
        self.assertTrue(found, done.stdout + done.stderr)
        return found.group(1)

    def replay(self, name, *options, code=0):
        done = self.orrery("replay", self.path(name), *options)
        self.check(done, code)
        return done

    def cat(self, name, topic):
        done = self.orrery("recording", "cat", self.path(name), "--topic", topic)
        self.check(done, 0)
        return [json.loads(line)["data"] for line in done.stdout.splitlines()]


class Clients(ReplayCase):
    def drive(self, *options):
        """A run that a client drives, by streams and by calls, in its own time; returns its hash."""
        process = self.start("run", self.scene(), "--hash", "--record", self.path("run.mcap"), *options)
        port = self.services_port(process)
        with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as client:
            lines = client.makefile("rw")

            def call(number, text):
                lines.write("c%d %s\n" % (number, text))
                lines.flush()

            def answer(number):
                for line in lines:
                    if line.startswith("c%d " % number):
                        return line
                self.fail("no answer to %d" % number)

            call(1, "simulation get_all_stream_ports []")
            ports = json.loads(answer(1).split(" ", 2)[2])
            with socket.create_connection(("127.0.0.1", ports["robot.motion"]), timeout=30) as motion:
                for i in range(30):
                    motion.sendall(b'{"v": %f, "w": %f}\n' % (1 + 0.01 * i, 0.3 - 0.02 * i))
                    call(10 + i, "robot.pose get_local_data []" if i % 2 else "time now []")
                    answer(10 + i)
                call(50, "robot.goto goto [5.0, 1.0, 0.0, 0.1, 1.0]")
                call(51, "simulation set_object_position [\"box\", [1.0, 0.2, 2.0]]")
                answer(51)
                call(52, "simulation pause []")
                answer(52)
                call(53, "simulation set_object_position [\"box\", [0.5, 0.2, 3.0]]")
                answer(53)
                call(54, "simulation resume []")
                answer(54)
                call(55, "time sleep [0.3]")
                answer(55)
            # The call of goto ends with its client.
        with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as client:
            lines = client.makefile("rw")
            lines.write("d1 time sleep [1.3]\n")
            lines.flush()
            self.assertTrue(lines.readline().startswith("d1 SUCCESS"))
            lines.write("d2 simulation quit []\n")
            lines.flush()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        return re.search(r"hash ([0-9a-f]{16})", out).group(1)

    def test_streams_and_calls(self):
        """What a client did to a run in real time happens again, to the last bit, without it."""
        value = self.drive()
        kinds = {(each["kind"], each["phase"]) for each in self.cat("run.mcap", "/orrery/inputs")}
        for kind in ("record", "act"), ("call", "services"), ("call", "before"), ("cancel", "before"):
            self.assertIn(kind, kinds)
        done = self.replay("run.mcap", "--hash")
        self.assertIn("goes as it went", done.stdout)
        self.assertEqual(self.recorded_hash(done), value)

        # Control: without its inputs it goes another way, and the first difference is named.
        done = self.orrery("recording", "filter", self.path("run.mcap"), "-o", self.path("less.mcap"), "--to", "0.2",
                           "--topic", "/orrery/inputs")
        self.check(done, 0)
        others = [word for topic in ("/robot/pose", "/orrery/hash", "/orrery/poses") for word in ("--topic", topic)]
        self.check(self.orrery("recording", "filter", self.path("run.mcap"), "-o", self.path("rest.mcap"), *others), 0)
        done = self.orrery("recording", "merge", self.path("less.mcap"), self.path("rest.mcap"), "-o", self.path("cut.mcap"))
        self.check(done, 0)
        done = self.replay("cut.mcap", code=1)
        self.assertRegex(done.stdout, r"the run goes another way: tick \d+ \([0-9.]+ s\): /robot/pose: \w+: \S+ was recorded, "
                                      r"now it is \S+")

    def test_from(self):
        """A replay that begins at a state ends where the run ended."""
        value = self.drive()
        self.replay("run.mcap", "--record", self.path("whole.mcap"), "--hash")
        done = self.replay("run.mcap", "--from", "1.2", "--hash", "--record", self.path("rest.mcap"))
        self.assertRegex(done.stderr, r"begins at tick [1-9]\d*, ")
        self.assertEqual(self.recorded_hash(done), value)
        self.assertIn("goes as it went", done.stdout)
        # What was recorded of a replay is a recording of a run, with the same inputs; also from its middle on.
        for name in "whole.mcap", "rest.mcap":
            done = self.replay(name, "--hash")
            self.assertEqual(self.recorded_hash(done), value, name)

    def test_from_the_middle_of_a_call(self):
        """A call that its client cancels begins before the state of tick 61 and ends behind it: that state knows no client."""
        process = self.start("run", self.scene(), "--hash", "--record", self.path("run.mcap"))
        port = int(self.services_port(process))

        def ask(lines, *calls):
            for number, text in enumerate(calls):
                lines.write("c%d %s\n" % (number, text))
            lines.flush()
            self.assertEqual(lines.readline().split()[:2], ["c%d" % (len(calls) - 1), "SUCCESS"])

        with socket.create_connection(("127.0.0.1", port), timeout=30) as client, client.makefile("rw") as lines:
            ask(lines, "time sleep [0.7]")
            ask(lines, "robot.goto goto [5.0, 1.0, 0.0, 0.1, 1.0]", "time sleep [0.6]")
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client, client.makefile("rw") as lines:
            ask(lines, "time sleep [1.5]")
            ask(lines, "simulation quit []")
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        value = re.search(r"hash ([0-9a-f]{16})", out).group(1)
        inputs = self.cat("run.mcap", "/orrery/inputs")
        call, = (each for each in inputs if each.get("service") == "goto")
        cancel, = (each for each in inputs if each["kind"] == "cancel")
        self.assertLess(call["tick"], 61)
        self.assertGreaterEqual(cancel["tick"], 61)
        done = self.replay("run.mcap", "--from", "1.1", "--hash")
        self.assertRegex(done.stderr, "begins at tick 1, .*: a call of a client, cancelled later, was in progress at it")
        self.assertEqual(self.recorded_hash(done), value)
        # Behind the call a state is a start again.
        done = self.replay("run.mcap", "--from", "%g" % ((cancel["tick"] + 62) / 60), "--hash")
        self.assertRegex(done.stderr, r"(?m)begins at tick (12|18|24)\d, [0-9.]+ s$")
        self.assertEqual(self.recorded_hash(done), value)

    def test_set(self):
        """With another property the run is another one, and nothing of the file is."""
        self.drive()
        done = self.replay("run.mcap", "--set", "robot.pose/PoseNoiseModifier#0.pos_std=0.5", "--record", self.path("other.mcap"))
        self.assertIn("not compared", done.stdout)
        first, second = (self.cat(name, "/robot/pose") for name in ("run.mcap", "other.mcap"))
        self.assertEqual(len(first), len(second))
        self.assertNotEqual([each["x"] for each in first], [each["x"] for each in second])
        # From a state on: what is random is keyed by tick, so that it is what it was in the run from the start.
        setting = "robot.pose/PoseNoiseModifier#0.pos_std=0.5"
        self.replay("run.mcap", "--from", "1.2", "--set", setting, "--record", self.path("later.mcap"))
        later = [each["x"] for each in self.cat("later.mcap", "/robot/pose")]
        self.assertEqual(later, [each["x"] for each in second][-len(later):])
        self.assertLess(len(later), len(second) - 50)
        for path, words in (("box.position=[1,2,3]", "box is another one"), ("robot.pose.frequency=3", "only properties of parts")):
            self.check(self.orrery("replay", self.path("run.mcap"), "--from", "1.2", "--set", path), 65, words)
        # The settings of a run are those of its replay.
        self.assertIn("goes as it went", self.replay("other.mcap").stdout)


class Programs(ReplayCase):
    def test_writes(self):
        """A program that writes to an actuator between ticks, and calls, is recorded and run again without it."""
        program = self.write("program.py", PROGRAM)
        done = self.orrery("python", program, self.scene(), self.path("run.mcap"))
        self.check(done, 0)
        records = [each for each in self.cat("run.mcap", "/orrery/inputs") if each["kind"] == "record"]
        self.assertEqual([each["tick"] for each in records], [9 * i + k for i in range(20) for k in (0, 7)])
        self.assertIn("180 ticks", self.replay("run.mcap").stdout)
        x = self.cat("run.mcap", "/robot/pose")[-1]["x"]
        self.assertEqual("%.17g" % x, done.stdout.strip())

    def test_reset(self):
        """Each epoch is a file, which is run again by itself."""
        program = self.write("program.py", PROGRAM.replace("print(", """simulation.reset()
motion.data.v = 0.7
simulation.step(33)
print("""))
        self.check(self.orrery("python", program, self.scene(), self.path("run.mcap")), 0)
        self.assertIn("180 ticks", self.replay("run.mcap").stdout)
        self.assertIn("33 ticks", self.replay("run-1.mcap").stdout)

    def test_swap(self):
        """A component of another class in the place of one; the scene is looked at as ever."""
        program = self.write("program.py", PROGRAM)
        self.check(self.orrery("python", program, self.scene(), self.path("run.mcap")), 0)
        self.replay("run.mcap", "--swap", "robot.pose=orrery.sensors.gps.GPS", "--record", self.path("other.mcap"))
        self.assertIn("yaw", self.cat("run.mcap", "/robot/pose")[0])
        self.assertNotIn("yaw", self.cat("other.mcap", "/robot/pose")[0])
        for words, said in (("robot.pse=orrery.sensors.gps.GPS", "robot.pse"), ("robot.pose=orrery.sensors.gsp.GPS", "gsp"),
                            ("robot.pose", "PART=CLASSPATH")):
            done = self.orrery("replay", self.path("run.mcap"), "--swap", words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(said, done.stderr)


class Python(ReplayCase):
    def record(self, classpath, code, *options):
        self.write("lab.py", code)
        scene = json.loads(json.dumps(SCENE))
        scene["objects"][0]["objects"].append({"name": "own", "classpath": classpath})
        os.makedirs(self.path("plugins/lab"), exist_ok=True)
        with open(self.path("plugins/lab/own.py"), "w", encoding="utf-8") as file:
            file.write(code)
        path = self.write("scene.json", json.dumps(scene))
        return self.orrery("run", path, "--plugin-dir", self.path("plugins"), "--for", "3", "--fast", "--record",
                           self.path("run.mcap"), *options)

    def test_a_clock(self):
        """What cannot be repeated is the first difference, with tick, component and field."""
        self.check(self.record("lab.own.Clock", CLOCK), 0)
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), code=1)
        self.assertRegex(done.stdout, r"tick 20 \(0\.35 s\): /robot/own: wall: \S+ was recorded, now it is \S+")

    def test_a_crash(self):
        """It is met again at its tick."""
        done = self.record("lab.own.Crash", CRASH)
        self.assertEqual(done.returncode, -signal.SIGABRT, done.stderr)
        self.assertRegex(done.stderr, "tick 150")
        done = self.orrery("replay", self.path("run.mcap"), "--plugin-dir", self.path("plugins"))
        self.assertEqual(done.returncode, -signal.SIGABRT, done.stderr)
        self.assertRegex(done.stderr, "tick 150")


class OpenLoop(ReplayCase):
    """What is exchanged is judged on the motion of the recorded run."""

    OTHER = "robot.motion=morse.actuators.xy_omega.MotionXYW"

    def record(self):
        program = self.write("program.py", PROGRAM)
        self.check(self.orrery("python", program, self.scene(), self.path("run.mcap")), 0)

    def differ(self, name, topic, *options):
        """Whether a topic of a recording is another one than in run.mcap."""
        done = self.orrery("diff", self.path("run.mcap"), self.path(name), "--topic", topic, *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.returncode == 1

    def test_an_actuator(self):
        """An actuator of another class moves nothing, so that all sensors see what they saw; in a closed loop it does."""
        self.record()
        self.replay("run.mcap", "--swap", self.OTHER, "--record", self.path("closed.mcap"))
        self.replay("run.mcap", "--swap", self.OTHER, "--open-loop", "--record", self.path("open.mcap"))
        self.assertEqual([self.differ("closed.mcap", topic) for topic in ("/orrery/poses", "/robot/pose", "/robot/motion")],
                         [True, True, True])
        self.assertEqual([self.differ("open.mcap", topic) for topic in ("/orrery/poses", "/robot/pose", "/robot/motion")],
                         [False, False, True])
        # Alone it would go another way: it has no inputs.
        self.check(self.orrery("replay", self.path("open.mcap")), 65, "it has no inputs", "--open-loop")

    def test_a_modifier(self):
        """Another noise on the same motion, and another seed; also from a state on, where both runs begin."""
        self.record()
        setting = "robot.pose/PoseNoiseModifier#0.pos_std=0.5"
        self.replay("run.mcap", "--set", setting, "--open-loop", "--record", self.path("open.mcap"))
        self.replay("run.mcap", "--set", "seed=99", "--open-loop", "--record", self.path("seed.mcap"))
        for name in "open.mcap", "seed.mcap":
            self.assertEqual([self.differ(name, topic) for topic in ("/orrery/poses", "/robot/motion", "/robot/pose")],
                             [False, False, True], name)
        done = self.replay("run.mcap", "--set", setting, "--open-loop", "--from", "1.2", "--record", self.path("late.mcap"))
        self.assertIn("begins at tick 61", done.stderr)
        whole, late = (self.cat(name, "/robot/pose") for name in ("open.mcap", "late.mcap"))
        self.assertEqual(len(late), 180 - 61)
        self.assertEqual(late, whole[61:])

    def test_a_place(self):
        """A sensor may be elsewhere on its robot. What moves otherwise is named, as is a scene with other objects."""
        self.record()
        self.replay("run.mcap", "--set", "robot.pose.position=[0.5,0,0]", "--open-loop", "--record", self.path("open.mcap"))
        whole, moved = ([each["transforms"] for each in self.cat(name, "/orrery/poses")] for name in ("run.mcap", "open.mcap"))
        self.assertEqual(len(whole), len(moved))
        for before, after in zip(whole, moved):
            for a, b in zip(before, after):
                self.assertEqual(a == b, a["child_frame_id"] != "robot.pose", a)
        for setting, words in (("box.position=[1,2,3]", "box: it moves another way"), ("box.body.mass=9", "box")):
            done = self.orrery("replay", self.path("run.mcap"), "--set", setting, "--open-loop")
            self.check(done, 65, words)
        self.check(self.orrery("replay", self.path("run.mcap"), "--open-loop"), 64, "--set or --swap")

    def test_another_run(self):
        """The recorded run is compared with the file: where it goes another way, nothing is fed from it."""
        self.record()
        topics = [word for topic in ("/robot/pose", "/orrery/hash", "/orrery/poses") for word in ("--topic", topic)]
        self.check(self.orrery("recording", "filter", self.path("run.mcap"), "-o", self.path("cut.mcap"), *topics), 0)
        setting = "--set", "robot.pose/PoseNoiseModifier#0.pos_std=0.5", "--open-loop"
        done = self.orrery("replay", self.path("cut.mcap"), *setting)
        self.check(done, 65, "the recorded run itself goes another way: tick", "was recorded, now it is")
        self.replay("cut.mcap", "--no-check", *setting)


class Afresh(ReplayCase):
    """--from with --swap: what is exchanged begins afresh at a state, all else goes on."""

    def test_swap(self):
        """A sensor without a memory says from there on what it says in a run from the start, in the same rhythm."""
        objects = json.loads(json.dumps(SCENE["objects"]))
        objects[0]["objects"][0]["frequency"] = 7
        program = self.write("program.py", PROGRAM)
        self.check(self.orrery("python", program, self.scene(objects=objects), self.path("run.mcap")), 0)
        swap = "--swap", "robot.pose=orrery.sensors.gps.GPS"
        self.replay("run.mcap", *swap, "--record", self.path("whole.mcap"))
        done = self.replay("run.mcap", *swap, "--from", "1.2", "--record", self.path("late.mcap"))
        self.assertIn("begins at tick 61", done.stderr)
        self.assertIn("robot.pose: begins afresh here", done.stderr)
        whole, late = (self.cat(name, "/robot/pose") for name in ("whole.mcap", "late.mcap"))
        self.assertTrue(5 < len(late) < len(whole) - 5)
        self.assertEqual(late, whole[-len(late):])
        self.assertIn("goes as it went", self.replay("late.mcap").stdout)
        # Both together: its own properties were set when it was made.
        self.replay("run.mcap", *swap, "--from", "1.2", "--open-loop", "--set", "robot.pose.frequency=3")

    def test_other_objects(self):
        """A robot with another body cannot take the place of one in a state, and it is said what differs."""
        program = self.write("program.py", PROGRAM)
        self.check(self.orrery("python", program, self.scene(), self.path("run.mcap")), 0)
        done = self.orrery("replay", self.path("run.mcap"), "--swap", "robot=orrery.robots.quadrotor.Quadrotor", "--from", "1.2")
        self.check(done, 65, "the state of tick 61: the state is of another scene", "robot")

    def record_busy(self, begin, end=180, last=180):
        """A run of so many ticks with a part that cannot be saved from one of them to another."""
        os.makedirs(self.path("plugins/lab"), exist_ok=True)
        with open(self.path("plugins/lab/own.py"), "w", encoding="utf-8") as file:
            file.write(COUNTER)
        scene = json.loads(json.dumps(SCENE))
        scene["objects"][0]["objects"].append({"name": "own", "classpath": "lab.own.Counter", "placement": "worker"})
        environment = dict(self.environment(), ORRERY_PLUGIN_PATH=self.path("plugins"))
        done = subprocess.run([support.PROGRAM, "python", self.write("busy.py", BUSY), self.write("scene.json", json.dumps(scene)),
                               self.path("run.mcap"), str(begin), str(end), str(last)], env=environment, capture_output=True, text=True, timeout=60)
        self.check(done, 0)

    def test_fewer_states(self):
        """Where a part could not be saved, the run begins at the last state before, or at its start, and names the part."""
        reason = r"robot\.own: worker robot\.own carries out its service hang"
        self.record_busy(90)
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), "--from", "2.5")
        self.assertRegex(done.stderr, r"begins at tick 61, 1.01666667 s, since the recording has no later state: " + reason)
        self.assertIn("180 ticks", done.stdout)
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), "--from", "1.2")
        self.assertNotIn("no later state", done.stderr)
        self.record_busy(0)
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), "--from", "2")
        self.assertRegex(done.stderr, r"begins at the start, since the recording has no state before: " + reason)

    def test_states_come_again(self):
        """A part that could not be saved for a while is saved again when it can be."""
        self.record_busy(90, 150, 420)
        lines = [line["message"] for line in self.cat("run.mcap", "/orrery/log")]
        self.assertEqual([line for line in lines if line == "states are recorded again"], ["states are recorded again"])
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), "--from", "6.9")
        self.assertRegex(done.stderr, r"begins at tick 3\d\d,")
        self.assertNotIn("no later state", done.stderr)
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), "--from", "3.5")
        self.assertIn("no later state", done.stderr)


URDF = """<robot name="cart"><link name="base">
  <inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><geometry><mesh filename="meshes/wedge.stl"/></geometry></visual>
  <collision><geometry><mesh filename="meshes/wedge.stl"/></geometry></collision></link></robot>
"""

STL = "solid wedge\n" + "".join(
    "facet normal 0 0 0\nouter loop\n%s\nendloop\nendfacet\n" % "\n".join("vertex %g %g %g" % corner for corner in face)
    for face in (((0, 0, 0), (0, 1, 0), (1, 0, 0)), ((0, 0, 0), (1, 0, 0), (0, 0, 1)), ((0, 0, 0), (0, 0, 1), (0, 1, 0)),
                 ((1, 0, 0), (0, 1, 0), (0, 0, 1)))) + "endsolid wedge\n"


class Files(ReplayCase):
    def test_models(self):
        """Models below the directory of the scene, and what they name, are in the recording."""
        os.makedirs(self.path("lab/robots/meshes"))
        self.write("lab/robots/cart.urdf", URDF)
        self.write("lab/robots/meshes/wedge.stl", STL)
        scene = self.write("lab/scene.json", json.dumps({
            "orrery": 1, "environment": {"physics": "orrery.physics.bullet.Bullet"}, "objects": [
                {"name": "cart", "classpath": "orrery.core.robot.Robot", "import": {"file": "robots/cart.urdf"}, "position": [0, 0, 2],
                 "objects": [{"name": "pose", "classpath": "orrery.sensors.pose.Pose"}]}]}))
        self.check(self.orrery("run", scene, "--for", "2", "--fast", "--record", self.path("run.mcap")), 0)
        shutil.rmtree(self.path("lab"))
        self.assertIn("goes as it went", self.replay("run.mcap").stdout)
        z = [each["z"] for each in self.cat("run.mcap", "/cart/pose")]
        self.assertLess(z[-1], z[0] - 1)

    def test_cut_before_its_first_message(self):
        """There is nothing by which the run could be judged, and so it is not."""
        self.check(self.orrery("run", self.scene(), "--for", "1", "--fast", "--record", self.path("run.mcap")), 0)
        with open(self.path("run.mcap"), "rb") as file:
            data = file.read()
        place = 8
        while data[place] != 6:  # a chunk
            place += 9 + int.from_bytes(data[place + 1:place + 9], "little")
        with open(self.path("cut.mcap"), "wb") as file:
            file.write(data[:place])
        done = self.replay("cut.mcap", "--for", "1", code=65)
        self.assertIn("cut off before its first message", done.stderr)
        self.assertNotIn("goes as it went", done.stdout)
        self.assertIn("60 ticks, not compared", self.replay("cut.mcap", "--no-check", "--for", "1").stdout)

    def test_killed(self):
        """A run that was killed is run again as far as its file goes, and a little further."""
        process = self.start("run", self.scene(), "--record", self.path("run.mcap"), "--fast")
        self.wait_for(process, "[SCENE INITIALIZED]")
        while not os.path.exists(self.path("run.mcap")) or os.path.getsize(self.path("run.mcap")) < 100000:
            self.assertIsNone(process.poll())
        process.kill()
        process.wait()
        done = self.replay("run.mcap")
        self.assertIn("cut off", done.stderr)
        self.assertIn("goes as it went", done.stdout)
        # What is to be compared with the file ends where that does.
        n = len(self.cat("run.mcap", "/robot/pose"))
        done = self.replay("run.mcap", "--set", "robot.pose/PoseNoiseModifier#0.pos_std=0.5")
        self.assertIn("the run ends where that does", done.stderr)
        ticks = int(re.search(r"(\d+) ticks", done.stdout).group(1))
        self.assertTrue(n <= ticks < n + 600, (n, ticks))

    def test_without_inputs(self):
        words = RECORDER + " " + json.dumps({"file": self.path("run.mcap"), "inputs": False, "wait": True})
        self.check(self.orrery("run", self.scene(), "--for", "1", "--fast", "--observer", words), 0)
        self.check(self.orrery("replay", self.path("run.mcap")), 65, "it has no inputs")

    def test_refused(self):
        """What is no recording of a run is refused, and nothing is written outside of a directory of its own."""
        self.check(self.orrery("replay", self.path("none.mcap")), 66)
        self.check(self.orrery("replay", self.write("text.mcap", "no recording")), 65, "text.mcap")
        self.check(self.orrery("replay", self.scene()), 65)
        self.check(self.orrery("replay"), 64)
        self.check(self.orrery("replay", "a.mcap", "--from", "-1"), 64, "--from")

    def test_metadata(self):
        """Which of the values that make a run is wrong, or not there, is said."""
        self.check(self.orrery("run", self.scene(), "--ticks", "2", "--fast", "--record", self.path("run.mcap")), 0)
        with open(self.path("run.mcap"), "rb") as file:
            data = file.read()
        for old, new, words in ((b"\x0a\0\0\0scene.json", b"\x0a\0\0\0scene/json", "a wrong 'scene': scene/json"),
                                (b"\4\0\0\0seed", b"\4\0\0\0sead", "no 'seed'"),
                                (b"\5\0\0\0ticks\1\0\0\0" b"0", b"\5\0\0\0ticks\1\0\0\0" b"x", "a wrong 'ticks': x")):
            self.assertIn(old, data)
            with open(self.path("wrong.mcap"), "wb") as file:
                file.write(data.replace(old, new))
            self.check(self.orrery("replay", self.path("wrong.mcap")), 65, "its metadata have " + words)

    def test_hostile(self):
        """Names that lead elsewhere are refused, and nothing is written there; wrong scenes and inputs are errors."""
        self.check(self.orrery("run", self.scene(), "--for", "1", "--fast", "--record", self.path("run.mcap")), 0)
        forge(self.path("run.mcap"), self.path("same.mcap"), lambda name, content: (name, content))
        self.assertIn("goes as it went", self.replay("same.mcap").stdout)
        for name in ("scene/../../escaped", "scene//tmp/escaped", "scene/a/./b", "scene/", "scene/" + "a/" * 40 + "b"):
            forge(self.path("run.mcap"), self.path("evil.mcap"), lambda old, content, name=name: (name, content))
            self.check(self.orrery("replay", self.path("evil.mcap")), 65, "no path below the scene")
        self.assertFalse(os.path.exists(os.path.join(tempfile.gettempdir(), "escaped")))
        for name, words in (("other/scene.json", "does not hold its scene"), ("scene/scene.json", "scene.json")):
            forge(self.path("run.mcap"), self.path("evil.mcap"), lambda old, content, name=name: (name, b"no scene"))
            self.check(self.orrery("replay", self.path("evil.mcap")), 65, words)

    def test_other_plugins(self):
        """A plugin with another checksum is refused, or named."""
        self.check(self.orrery("run", self.scene(), "--for", "1", "--fast", "--record", self.path("run.mcap")), 0)
        target = self.path("plugins/orrery/sensors/pose.so")
        os.makedirs(os.path.dirname(target))
        shutil.copy(os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/sensors/pose.so"), target)
        with open(target, "ab") as file:
            file.write(b"\0")
        done = self.orrery("replay", self.path("run.mcap"), "--plugin-dir", self.path("plugins"))
        self.check(done, 65, "orrery/sensors/pose.so", "--changed")
        done = self.replay("run.mcap", "--plugin-dir", self.path("plugins"), "--changed")
        self.assertIn("orrery/sensors/pose.so", done.stderr)
        self.assertIn("goes as it went", done.stdout)

    def test_temporary_files(self):
        """Nothing is left, neither of a replay that ends well nor of one that is killed."""
        self.check(self.orrery("run", self.scene(), "--for", "1", "--fast", "--record", self.path("run.mcap")), 0)
        os.makedirs(self.path("tmp"))
        environment = dict(self.environment(), TMPDIR=self.path("tmp"))
        done = subprocess.run([support.PROGRAM, "replay", self.path("run.mcap")], env=environment, capture_output=True,
                              timeout=60)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(os.listdir(self.path("tmp")), [])


if __name__ == "__main__":
    tap.main()
