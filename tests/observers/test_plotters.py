# SPDX-License-Identifier: BSD-3-Clause
"""Messages in JSON, of recordings and of the viewer, are such as plotters like PlotJuggler take apart into series."""

import json
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, name) for name in ("..", "../cli", "../middleware")]

import support
import tap
from test_viewer import FOXGLOVE, Client, ViewerCase

PARTS = '''
import orrery


@orrery.plugin
class Odd(orrery.Sensor):
    """Says what is no number, now and then."""
    value = orrery.field(float)
    count = orrery.field(int)

    def sense(self, tick, record):
        record.value = (float("nan"), float("inf"), -float("inf"), 0.5)[tick.get_number() % 4]
        record.count = 2 ** 53 - tick.get_number() % 4
'''

SCENE = {
    "orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
    "objects": [
        {"name": "wall", "position": [4, 0, 1], "shapes": [{"kind": "box", "size": [0.2, 5, 2]}]},
        {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "odd", "classpath": "lab.parts.Odd"},
            {"name": "laser", "classpath": "morse.sensors.laserscanner.LaserScanner", "position": [0, 0, 0.9],
             "properties": {"resolution": 1.0, "scan_window": 90.0, "laser_range": 10.0}},
            {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}]}


class Broken(ValueError):
    pass


def refuse(word):
    raise Broken("%s is not JSON" % word)


def take_pairs(pairs):
    if len({key for key, _ in pairs}) < len(pairs):
        raise Broken("a key twice")
    return dict(pairs)


class Series:
    """Takes messages of topics apart, and refuses what a plotter would lose or mistake."""

    def __init__(self):
        self.kinds = {}
        self.times = {}

    def add(self, topic, time, data):
        if time <= 0 or time < self.times.get(topic, 0):
            raise Broken("%s: time %d behind %d" % (topic, time, self.times.get(topic, 0)))
        self.times[topic] = time
        # UTF-8 alone, and the words that Python takes for numbers are none.
        value = json.loads(data.decode(), parse_constant=refuse, object_pairs_hook=take_pairs)
        if not isinstance(value, dict):
            raise Broken("%s: no object" % topic)
        self.flatten(topic, value)

    def flatten(self, path, value):
        """A path is a number, a text, a truth value or a container, in all messages; null is a gap."""
        if value is None:
            return
        if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
            raise Broken("%s: %d is no number that a double can hold" % (path, value))
        kind = "number" if isinstance(value, (int, float)) and not isinstance(value, bool) else type(value).__name__
        if self.kinds.setdefault(path, kind) != kind:
            raise Broken("%s: %s, and before %s" % (path, kind, self.kinds[path]))
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in items:
            self.flatten("%s/%s" % (path, key) if isinstance(value, dict) else "%s[%d]" % (path, key), item)


def read_messages(path):
    """Topic, time and bytes of each message in JSON of a recording without compression."""
    with open(path, "rb") as file:
        data = file.read()
    topics = {}

    def text(body, at):
        length, = struct.unpack_from("<I", body, at)
        return body[at + 4:at + 4 + length].decode(), at + 4 + length

    def walk(body, at, end):
        while at + 9 <= end:
            opcode, length = struct.unpack_from("<BQ", body, at)
            at += 9
            if opcode == 0x04:
                topic, next_at = text(body, at + 4)
                topics[struct.unpack_from("<H", body, at)[0]] = topic, text(body, next_at)[0]
            elif opcode == 0x05:
                topic, encoding = topics[struct.unpack_from("<H", body, at)[0]]
                if encoding == "json":
                    yield topic, struct.unpack_from("<Q", body, at + 6)[0], body[at + 22:at + length]
            elif opcode == 0x06:
                _, next_at = text(body, at + 28)
                size, = struct.unpack_from("<Q", body, next_at)
                yield from walk(body, next_at + 8, next_at + 8 + size)
            at += length

    return walk(data, 8, len(data) - 8)


class Plotters(ViewerCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("plugins/lab"))
        self.write("plugins/lab/parts.py", PARTS)

    def environment(self):
        return dict(super().environment(), ORRERY_PLUGIN_PATH=self.path("plugins"))

    def test_a_recording(self):
        scene = self.write("scene.json", json.dumps(SCENE))
        done = self.orrery("run", scene, "--ticks", "150", "--fast", "--offline", "--start", "100", "--observer",
                           "orrery.observers.recorder.Recorder " + json.dumps(
                               {"file": self.path("run.mcap"), "compression": "none", "wait": True, "foxglove": True}))
        self.check(done, 0)
        series = Series()
        odd = []
        for topic, time, data in read_messages(self.path("run.mcap")):
            series.add(topic, time, data)
            if topic == "/robot/odd":
                odd.append(json.loads(data))
        self.assertEqual([one["value"] for one in odd[:8]], [None, None, None, 0.5] * 2)
        self.assertEqual([one["count"] for one in odd[:4]], [2**53 - n for n in range(4)])
        for path in "/robot/pose/x", "/robot/odd/value", "/robot/laser/range_list[0]", "/orrery/poses/transforms[0]/translation/x":
            self.assertEqual(series.kinds[path], "number", path)
        self.assertLessEqual({"/orrery/hash", "/orrery/states", "/orrery/foxglove/robot/pose"}, set(series.times))

    def test_the_viewer(self):
        self.view("--plugin-dir", self.path("plugins"), scene=json.dumps(SCENE))
        series = Series()
        with Client(self.port, FOXGLOVE) as client:
            topics = dict(enumerate(client.channels, 1))
            for number, topic in topics.items():
                client.subscribe_to(number, topic)
            seen = {}
            # Whatever changes has several messages; the scene has one, and faults may be none.
            needed = set(topics.values()) - {"/orrery/log", "/orrery/faults"}
            while not needed <= seen.keys() or seen["/robot/odd"] < 8:
                message = client.next()
                if isinstance(message, tuple) and message[0] == 1:
                    topic = topics[message[1]]
                    series.add(topic, message[2], message[3])
                    seen[topic] = seen.get(topic, 0) + 1
        for path in "/robot/pose/x", "/robot/odd/value", "/tf/transforms[0]/translation/x":
            self.assertEqual(series.kinds[path], "number", path)

    def test_the_rules_refuse(self):
        """Control: what a plotter would stumble over is found."""
        good = b'{"a": {"x": 1, "list": [1.5, null]}, "text": "\\u00e4", "on": true}'
        for wrong in (b'{"a": NaN}', b'{"a": [-Infinity]}', b'{"a": 1, "a": 2}', b"[1]", b"7", b'{"a": "\xff"}', b'{"a": 1',
                      b'{"a": {"x": "1"}}', b'{"a": {"x": true}}', b'{"a": 5}', b'{"b": 9007199254740993}'):
            series = Series()
            series.add("/t", 5, good)
            with self.assertRaises(ValueError, msg=wrong):
                series.add("/t", 6, wrong)
        with self.assertRaises(Broken):
            series.add("/t", 4, good)


if __name__ == "__main__":
    tap.main()
