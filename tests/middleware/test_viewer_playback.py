# SPDX-License-Identifier: BSD-3-Clause
"""`orrery replay --view`: who looks at a recorded run moves it in time, over the protocol and in the page."""

import json
import os
import re
import signal
import struct
import sys
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, ProgramCase, need  # noqa: E402

import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from test_viewer import Client, PLUGIN, decode_looks, decode_poses, decode_record  # noqa: E402

PAGE = os.path.join(BUILD, "share/orrery-1/viewer/page.js")
PLAYING, PAUSED, SEEKING, ENDED = range(4)
LENGTH = 4  # s

# A ball that falls and jumps, and a sensor with noise.
SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "seed": 7 },
  "objects": [
    { "name": "floor", "position": [0, 0, -0.5], "body": { "type": "static" },
      "shapes": [{ "kind": "box", "size": [20, 20, 0.5] }] },
    { "name": "ball", "position": [0, 0, 6], "body": { "type": "rigid", "mass": 1 },
      "shapes": [{ "kind": "sphere", "radius": 0.5 }] },
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "position": [0, -3, 0.1], "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" } ] } ],
  "component_modifier": { "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", { "pos_std": 0.1 }]] }
}
"""


COLOURED = """
import sys
import orrery

simulation = orrery.load(sys.argv[1], start=0)
simulation.record(sys.argv[2])
simulation.step(60)
simulation.set("ball.color", (1, 0, 0))
simulation.step(60)
simulation.set("ball.color", (0, 0, 1))
simulation.step(60)
simulation.close()
"""


class Player(Client):
    def __init__(self, port, **options):
        super().__init__(port, **options)
        self.states = []
        self.newest = {}
        self.asked = 0

    def read(self):
        opcode, body = super().read()
        if opcode == 2 and body[0] == 5:
            status, nanoseconds, speed, sought, n = struct.unpack_from("<BQfBI", body, 1)
            assert len(body) == 19 + n, body
            self.states.append((status, nanoseconds / 1e9, speed, bool(sought), body[19:].decode()))
        return opcode, body

    def next(self):
        opcode, body = self.read()
        if opcode == 8:
            raise EOFError(body)
        if opcode == 1:
            return json.loads(body)
        if body[0] == 1:
            number, stamp = struct.unpack_from("<IQ", body, 1)
            self.newest[number] = (stamp, body[13:])
        return (body[0], None, None, b"")

    def wait_state(self, holds):
        while True:
            while self.states:
                state = self.states.pop(0)
                if holds(state):
                    return state
            self.next()

    def send_request(self, plays, speed, to):
        """Returns: its name, which no other client has."""
        self.asked += 1
        name = "request %d of %d" % (self.asked, self.socket.getsockname()[1])
        self.frame(2, b"\3" + struct.pack("<BfBQI", 0 if plays else 1, speed, to is not None, round((to or 0) * 1e9),
                                          len(name)) + name.encode())
        return name

    def ask(self, plays, speed=1.0, to=None):
        """Returns: the state that answers it."""
        name = self.send_request(plays, speed, to)
        return self.wait_state(lambda state: state[4] == name and (to is None or state[3]))

    def insist(self, to):
        """Asks until it is met: a request of somebody else may take the place of this one."""
        while True:
            name = self.send_request(False, 1.0, to)
            if self.wait_state(lambda state: state[3])[4] == name:
                return

    def poses_of(self, ticks):
        """The poses of all objects, when those of this number of ticks come."""
        while True:
            if 1 in self.newest:
                stamp, count, rows = decode_poses(self.newest[1][1])
                if count == ticks:
                    return stamp, rows
            self.next()

    def record_of(self, number, ticks):
        """The same for a record."""
        while number not in self.newest or round(self.newest[number][0] * 60e-9) != ticks:
            self.next()
        return decode_record(self.newest[number][1])[0]


class PlaybackCase(ProgramCase):
    def record(self):
        done = self.orrery("run", self.write("scene.json", SCENE), "--fast", "--start", "0", "--for", str(LENGTH),
                           "--record", self.path("run.mcap"))
        self.check(done, 0)

    def replay(self, *options):
        self.process = self.start("replay", self.path("run.mcap"), "--view", "--view-port", "0", *options)
        line = self.wait_for(self.process, "viewer now at ")
        self.port = int(re.search(r"127\.0\.0\.1:(\d+)/", line).group(1))

    def recorded(self, topic, name="run.mcap"):
        """The messages of a topic, by tick."""
        done = self.orrery("recording", "cat", self.path(name), "--topic", topic)
        self.check(done, 0)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        return {round(line["time"] * 60): line["data"] for line in lines}

    def recorded_heights(self, name="run.mcap"):
        """Where the ball was; it is told of only as long as it moves."""
        return {ticks: one["translation"]["z"] for ticks, message in self.recorded("/orrery/poses", name).items()
                for one in message["transforms"] if one["child_frame_id"] == "ball"}


@unittest.skipUnless(os.path.exists(PLUGIN), "built without libsoup")
class Playback(PlaybackCase):
    def connect(self, **options):
        client = Player(self.port, **options)
        self.addCleanup(client.close)
        return client

    def test_it_is_moved_in_time(self):
        self.record()
        self.replay("--stay")
        client = self.connect()
        self.assertIn("playbackControl", client.info["capabilities"])
        self.assertEqual(client.info["dataStartTime"], {"sec": 0, "nsec": 0})
        self.assertEqual(client.info["dataEndTime"], {"sec": LENGTH, "nsec": 0})
        client.wait_state(lambda state: state[0] == PLAYING)
        client.subscribe(1, 1)
        ball = [one["name"] for one in self.scene()["objects"]].index("ball")
        heights = self.recorded_heights()
        # Forwards, backwards, a tick back, to the start and to the end.
        known = sorted(heights)
        self.assertGreater(len(known), 10)
        for ticks in (known[-1], known[5], known[4], known[-2], 1, 0, known[-3]):
            state = client.ask(False, to=ticks / 60)
            self.assertEqual(state[0], PAUSED)
            self.assertAlmostEqual(state[1], ticks / 60, 6)
            stamp, rows = client.poses_of(ticks)
            self.assertAlmostEqual(stamp, ticks / 60, 6)
            if ticks in heights:
                self.assertAlmostEqual(rows[ball][2], heights[ticks], 5)
        # To the end, faster than the clock; from there on only back.
        client.ask(True, 100.0)
        client.wait_state(lambda state: state[0] == ENDED)
        self.wait_for(self.process, "The page can still move the run in time")
        state = client.ask(False, to=1.0)
        self.assertEqual((state[0], state[1]), (PAUSED, 1.0))
        client.poses_of(60)
        # Beyond the ends is at the ends.
        self.assertEqual(client.ask(False, to=1000.0)[:2], (ENDED, LENGTH))
        self.process.send_signal(signal.SIGINT)
        self.assertEqual(self.process.wait(60), 0)
        self.assertIn("the run goes as it went", self.process.stdout.read())

    def scene(self):
        with urllib.request.urlopen("http://127.0.0.1:%d/scene.json" % self.port, timeout=60) as answer:
            return json.load(answer)

    def test_colours_go_back_with_it(self):
        """Objects look as they did then, and not as they did last."""
        program = self.write("program.py", COLOURED)
        self.check(self.orrery("python", program, self.write("scene.json", SCENE), self.path("run.mcap")), 0)
        self.replay("--stay")
        client = self.connect()
        client.subscribe_to(3, "/looks")
        ball = [one["name"] for one in self.scene()["objects"]].index("ball")
        for seconds, looks in ((1.5, (1, 0, 0)), (2.5, (0, 0, 1)), (0.5, None), (2.75, (0, 0, 1)), (1.25, (1, 0, 0))):
            client.ask(False, to=seconds)
            wanted = {} if looks is None else {(ball, "color"): looks}
            while 3 not in client.newest or decode_looks(client.newest[3][1]) != wanted:
                client.next()

    def test_without_a_stay_the_end_is_the_end(self):
        self.record()
        self.replay()
        client = self.connect()
        client.ask(False, to=2.0)
        client.ask(True, 100.0)
        self.assertEqual(self.process.wait(60), 0)
        self.assertIn("240 ticks, ", self.process.stdout.read())

    def test_a_changed_run_goes_back_on_its_own_way(self):
        self.record()
        recorded = self.recorded("/robot/pose")
        self.replay("--stay", "--set", "seed=8")
        client = self.connect()
        client.subscribe_to(2, "/robot/pose")

        def see(ticks):
            client.newest.clear()
            client.ask(False, to=ticks / 60)
            return client.record_of(2, ticks)["x"]

        first = see(100)
        see(200)
        self.assertEqual(see(100), first)
        self.assertNotEqual(recorded[100]["x"], first)

    def test_an_open_loop_is_moved_in_time(self):
        """The recorded run, which leads, is moved with it. What is set counts where it goes back, also what is read at the start."""
        self.record()
        self.replay("--stay", "--open-loop", "--set", "seed=8", "--set", "robot.pose.position=[0.5,0,0]")
        client = self.connect()
        client.subscribe_to(2, "/robot/pose")

        def see(ticks):
            client.newest.clear()
            client.ask(False, to=ticks / 60)
            return client.record_of(2, ticks)["x"]

        places = {ticks: see(ticks) for ticks in (100, 200, 30)}
        self.assertEqual({ticks: see(ticks) for ticks in (200, 30, 100)}, places)
        self.assertEqual(len(set(places.values())), 3)

    def test_wrong_requests(self):
        self.record()
        self.replay("--stay")
        client = self.connect()
        client.ask(False, to=1.0)
        nan = struct.pack("<f", float("nan"))
        head = struct.pack("<BfBQI", 0, 1.0, 0, 0, 0)
        for body, words in ((b"\3", "cut short"), (b"\3" + head[:-1], "cut short"),
                            (b"\3" + head[:-4] + b"\xff\xff\xff\xff", "cut short"),
                            (b"\3" + head + b"more", "cut short"),
                            (b"\3\7" + head[1:], "to play (0) or to pause (1)"),
                            (b"\3\0" + nan + head[5:], "the speed is nan"),
                            (b"\3\0" + struct.pack("<f", 0) + head[5:], "the speed is 0"),
                            (b"\3\0" + struct.pack("<f", -1) + head[5:], "the speed is -1"),
                            (b"\3\0" + struct.pack("<f", 1e9) + head[5:], "the speed is 1e+09"),
                            (b"\3" + head[:-4] + struct.pack("<I", 300) + b"x" * 300, "at most 256 bytes"),
                            (b"\3" + head[:-4] + struct.pack("<I", 2) + b"\xff\xfe", "is a text"),
                            (b"\1\0\0\0\0", "takes no binary messages")):
            client.frame(2, body)
            while True:
                message = client.next()
                if isinstance(message, dict) and message["op"] == "status":
                    break
            self.assertIn(words, message["message"])
            self.assertEqual(message["level"], 2)
        # Nothing of that moved it; a time from outside of everything is an end.
        client.frame(2, b"\3" + struct.pack("<BfBQI", 1, 1.0, 1, 2 ** 64 - 1, 1) + b"x")
        self.assertEqual(client.wait_state(lambda state: state[4] == "x" and state[3])[1], LENGTH)

    def test_nobody_moves_a_run_that_is_recorded(self):
        self.record()
        self.replay("--stay", "--record", self.path("other.mcap"))
        client = self.connect()
        self.assertNotIn("playbackControl", client.info["capabilities"])
        client.frame(2, b"\3" + struct.pack("<BfBQI", 1, 1.0, 0, 0, 0))
        while True:
            message = client.next()
            if isinstance(message, dict):
                break
        self.assertIn("takes no binary messages", message["message"])

    def test_many_who_pull(self):
        """Requests of several clients, faster than they can be met: the last one counts."""
        self.record()
        self.replay("--stay")
        clients = [self.connect() for _ in range(4)]
        for i in range(200):
            clients[i % 4].frame(2, b"\3" + struct.pack("<BfBQI", 1, 1.0, 1, (i * 37 % 240) * 10 ** 9 // 60, 0))
        # Behind the answer to a request none of this client's comes any more.
        for client in clients:
            client.insist(0.5)
        state = clients[0].ask(False, to=1.5)
        self.assertEqual(state[:2], (PAUSED, 1.5))
        clients[0].subscribe(1, 1)
        clients[0].poses_of(90)


class Page(PlaybackCase):
    def open(self, **size):
        if not os.path.exists(PAGE):
            self.skipTest("built without esbuild or libsoup")
        need(self, None if find_chromium() else "no chromium; `./bootstrap check` installs it")
        self.record()
        self.replay("--stay")
        page = Browser("http://127.0.0.1:%d/" % self.port, **size)
        self.addCleanup(page.close)
        page.wait("orrery.ready && orrery.shown !== undefined")
        return page

    def test_the_time_line(self):
        page = self.open()
        self.assertFalse(page.run("document.getElementById('playback').hidden"))
        self.assertTrue(page.run("document.getElementById('run').hidden"))
        # It may have come late.
        page.press("Home")
        page.wait("['playing', 'paused'].includes(orrery.playback.state) && orrery.playback.waits === undefined")
        page.run("orrery.playback.state === 'paused' && document.querySelector('[data-play=play]').click()")
        page.wait("orrery.playback.state === 'playing' && orrery.playback.time > 0.1")
        page.run("document.querySelector('[data-play=play]').click()")
        page.wait("orrery.playback.state === 'paused'")
        line = "document.querySelector('#playback input')"
        # A pull, which sends more than can be met.
        page.run("for (let i = 0; i <= 20; i++) { %s.value = i / 10; %s.dispatchEvent(new Event('input')); }" % (line, line))
        page.wait("orrery.shown.ticks === 120 && document.getElementById('ticks').textContent === '120'")
        page.wait("document.querySelector('#playback output').textContent === '2.00 / 4.00 s'")
        self.assertEqual(page.run("orrery.playback.state"), "paused")
        # What is chosen while it is held shows its record, too.
        page.run("orrery.choose(orrery.scene.objects.findIndex((one) => one.name === 'robot.pose'))")
        page.wait("document.querySelectorAll('#record tr').length === 6")
        page.wait("orrery.playback.state === 'paused' && orrery.shown.ticks === 120")
        # Keys: a tick back, two forward, and to the start.
        page.press(",")
        page.wait("orrery.shown.ticks === 119")
        page.press(".")
        page.wait("orrery.shown.ticks === 120")
        page.press(".")
        page.wait("orrery.shown.ticks === 121")
        page.press("Home")
        page.wait("orrery.shown.ticks === 0")
        self.assertEqual(page.run("orrery.layers.paths[0].path.n") <= 1, True)
        # Fast to the end; play begins anew there.
        page.run("const speed = document.querySelector('#playback select'); speed.value = '100'; "
                 "speed.dispatchEvent(new Event('change'))")
        page.press(" ")
        page.wait("orrery.playback.state === 'ended' && orrery.shown.ticks === 240")
        page.run("document.querySelector('#playback select').value = '0.1'")
        page.run("document.querySelector('[data-play=play]').click()")
        page.wait("orrery.playback.state === 'playing' && orrery.shown.ticks < 100")
        self.assertEqual(page.console, [])

    def test_on_a_telephone(self):
        page = self.open(width=390, height=700)
        for one in ("#playback", "#playback button", "#playback input", "#playback select"):
            box = page.run("(({ left, right }) => [left, right])(document.querySelector('%s').getBoundingClientRect())" % one)
            self.assertGreaterEqual(box[0], 0)
            self.assertLessEqual(box[1], 390)
        self.assertGreaterEqual(page.run("document.querySelector('#playback input').clientWidth"), 60)


if __name__ == "__main__":
    tap.main()
