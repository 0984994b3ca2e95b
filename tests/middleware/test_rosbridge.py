# SPDX-License-Identifier: BSD-3-Clause
"""Streams and services for clients of rosbridge: each operation, wrong ones of every kind, and the end amid all."""

import asyncio
import json
import os
import re
import socket
import struct
import subprocess
import sys
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, NODE_PATH, ProgramCase, lacks_modules, need  # noqa: E402

import tap  # noqa: E402
from websocket_client import Socket, handshake  # noqa: E402

try:
    import websockets
except ImportError:
    websockets = None

PLUGIN = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware/rosbridge_datastream.so")
STREAMS = "orrery.middleware.rosbridge_datastream.RosbridgeDatastreamManager"
SERVICES = "orrery.middleware.rosbridge_request_manager.RosbridgeRequestManager"
LIMIT = 60  # seconds, for what should take one

# A robot that says where it is, drives as it is told, and goes where it is sent.
SCENE = """
from morse.builder import *
from orrery.builder import Configuration
RECORDS = 'orrery.middleware.socket_datastream.Socket'
robot = ATRV()
pose = Pose()
pose.add_stream('rosbridge', RECORDS + 'Publisher')
robot.append(pose)
motion = MotionVW()
motion.add_stream('rosbridge', RECORDS + 'Reader')
motion.add_service('rosbridge')
robot.append(motion)

other = ATRV()
other.translate(x=5)
goal = Waypoint()
goal.add_stream('rosbridge', RECORDS + 'Reader')
goal.add_service('rosbridge')
other.append(goal)

env = Environment('empty')
env.configure_stream_manager('%s', port=0%%s)
""" % STREAMS


class Client(Socket):
    """Speaks JSON."""

    def __init__(self, port, **options):
        super().__init__(port, **options)
        self.kept = []
        self.parts = {}

    def send(self, op, **fields):
        self.text(json.dumps(dict({"op": op}, **fields)))

    def message(self):
        """The next one, put together if it comes in fragments."""
        opcode, body = self.read()
        if opcode == 8:
            raise EOFError(body)
        message = json.loads(body) if opcode == 1 else decode_cbor(body)
        if message["op"] != "fragment":
            return message
        parts = self.parts.setdefault(message["id"], {})
        parts[message["num"]] = message["data"]
        if len(parts) < message["total"]:
            return self.message()
        del self.parts[message["id"]]
        return json.loads("".join(parts[i] for i in range(message["total"])))

    def next(self, op, **fields):
        """The next message that is of this kind."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            message = self.message()
            if message["op"] == op and all(message.get(key) == value for key, value in fields.items()):
                return message
        raise AssertionError("no %s came" % op)

    def status(self):
        return self.next("status")["msg"]

    def call(self, service, args=None, **fields):
        self.send("call_service", id="call", service=service, **({} if args is None else {"args": args}), **fields)
        return self.next("service_response", id="call")

    def ask(self, name, **args):
        """A service of rosapi."""
        answer = self.call("/rosapi/" + name, args)
        assert answer["result"] is True, answer
        return answer["values"]


def decode_cbor(data):
    value, rest = _decode(data)
    assert rest == b"", rest
    return value


def _decode(data):
    major, number, data = data[0] >> 5, data[0] & 31, data[1:]
    if major == 7:
        if number == 27:
            return struct.unpack(">d", data[:8])[0], data[8:]
        if number == 26:
            return struct.unpack(">f", data[:4])[0], data[4:]
        return {20: False, 21: True, 22: None}[number], data
    if number >= 24:
        n = 1 << (number - 24)
        number, data = int.from_bytes(data[:n], "big"), data[n:]
    if major == 0:
        return number, data
    if major == 1:
        return -1 - number, data
    if major == 6:
        # Arrays of numbers, little-endian.
        code = {69: "H", 70: "I", 71: "Q", 72: "b", 77: "h", 78: "i", 79: "q", 85: "f", 86: "d"}[number]
        value, data = _decode(data)
        return [item for item, in struct.iter_unpack("<" + code, value)], data
    if major in (2, 3):
        text = data[:number]
        return (text.decode() if major == 3 else text), data[number:]
    items = []
    for _ in range(number * (2 if major == 5 else 1)):
        item, data = _decode(data)
        items.append(item)
    return (dict(zip(items[::2], items[1::2])) if major == 5 else items), data


class BridgeCase(ProgramCase):
    def setUp(self):
        super().setUp()
        if not os.path.exists(PLUGIN):
            self.skipTest("built without libsoup")

    def open(self, scene=SCENE % "", *options):
        self.write("scene.py", scene)
        self.process = self.start("run", "scene.py", *options)
        self.port = int(re.search(r"port (\d+)\.", self.wait_for(self.process, "rosbridge now listening on port ")).group(1))
        self.log = []
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    def client(self, **options):
        client = Client(self.port, **options)
        self.addCleanup(client.close)
        return client


class Topics(BridgeCase):
    def test_pose_and_motion(self):
        """A client drives the robot, another sees it move."""
        self.open()
        driver, viewer = self.client(), self.client()
        viewer.send("subscribe", topic="/robot/pose")
        start = viewer.next("publish", topic="/robot/pose")["msg"]
        driver.send("advertise", topic="/robot/motion", type="geometry_msgs/Twist")
        driver.send("publish", topic="/robot/motion", msg={"v": 1.0, "w": 0.0})
        while (now := viewer.next("publish")["msg"])["x"] < start["x"] + 0.5:
            self.assertGreater(now["timestamp"], 0)
        driver.send("publish", topic="robot/motion", msg={"v": 0.0, "w": 1.0})
        while viewer.next("publish")["msg"]["yaw"] < 0.2:
            pass

    def test_unsubscribing(self):
        self.open()
        client = self.client()
        for key in ("one", "two"):
            client.send("subscribe", topic="/robot/pose", id=key)
        client.next("publish")
        client.send("unsubscribe", topic="/robot/pose", id="one")
        client.call("/rosapi/nodes")
        client.next("publish")
        client.send("unsubscribe", topic="/robot/pose", id="two")
        client.call("/rosapi/nodes")
        # Nothing comes between two answers any more.
        for _ in range(20):
            client.send("call_service", service="/rosapi/nodes")
            self.assertEqual(client.message()["op"], "service_response")
        client.send("subscribe", topic="/robot/pose")
        client.send("subscribe", topic="/robot/pose", id="more")
        client.next("publish")
        client.send("unsubscribe", topic="/robot/pose")
        client.call("/rosapi/nodes")
        client.send("call_service", service="/rosapi/nodes")
        self.assertEqual(client.message()["op"], "service_response")

    def test_nobody_listens_then_nothing_is_encoded(self):
        """The rate comes back when a second client subscribes after the first has gone."""
        self.open()
        for _ in range(3):
            client = self.client()
            client.send("subscribe", topic="/robot/pose")
            client.next("publish")
            client.close()

    def test_throttle(self):
        """One message in so many milliseconds at most, by the clock on the wall."""
        self.open(SCENE % "", "--fast")
        client = self.client()
        client.send("subscribe", topic="/robot/pose", throttle_rate=100)
        client.next("publish")
        begin = time.monotonic()
        for _ in range(5):
            client.next("publish")
        self.assertGreater(time.monotonic() - begin, 0.4)

    def test_throttle_with_a_queue(self):
        """What comes too early waits, the newest of it."""
        self.open()
        client = self.client()
        client.send("subscribe", topic="/robot/pose", throttle_rate=100, queue_length=3)
        times = [client.next("publish")["msg"]["timestamp"] for _ in range(8)]
        self.assertEqual(times, sorted(set(times)))
        # Some six ticks go by between two messages, fewer on a machine that is busy; only with a queue
        # without end would each be told.
        steps = [round((b - a) * 60) for a, b in zip(times[1:], times[2:])]
        self.assertGreater(sum(steps), len(steps) * 1.5)

    def test_the_quickest_of_two_subscriptions_counts(self):
        self.open()
        client = self.client()
        client.send("subscribe", topic="/robot/pose", id="slow", throttle_rate=3600000)
        client.next("publish")
        client.send("subscribe", topic="/robot/pose", id="quick")
        for _ in range(3):
            client.next("publish")

    def test_fragments_to_clients(self):
        self.open()
        client = self.client()
        client.send("subscribe", topic="/robot/pose", fragment_size=100)
        opcode, body = client.read()
        part = json.loads(body)
        self.assertEqual((opcode, part["op"], part["num"]), (1, "fragment", 0))
        self.assertLessEqual(len(part["data"]), 100)
        self.assertGreater(part["total"], 1)
        client.parts[part["id"]] = {0: part["data"]}
        self.assertEqual(client.next("publish")["topic"], "/robot/pose")
        client.send("unsubscribe", topic="/robot/pose")
        values = client.call("/simulation/list_robots", [], fragment_size=100)["values"]
        self.assertEqual(values["result"], ["robot", "other"])

    def test_fragments_of_clients(self):
        """In any order, several messages at a time."""
        self.open()
        client = self.client()
        texts = [json.dumps({"op": "call_service", "id": "n%d" % i, "service": "/rosapi/nodes", "args": {}}) for i in range(3)]
        for num in (2, 0, 1):
            for i, text in enumerate(texts):
                size = -(-len(text) // 3)
                client.send("fragment", id=str(i), num=num, total=3, data=text[num * size:(num + 1) * size])
        for i in range(3):
            self.assertEqual(client.next("service_response")["id"], "n%d" % i)

    def test_wrong_fragments(self):
        self.open()
        client = self.client()
        client.send("fragment", id="x", num=0, total=2, data="a")
        for fields in (dict(num=0, total=2, data="a"), dict(id="x", num=0, total=2, data="a"), dict(id="x", num=2, total=2, data="a"),
                       dict(id="x", num=1, total=3, data="a"), dict(id="x", num=-1, total=2, data="a"), dict(id="x", num=0, total=0, data="a"),
                       dict(id="x", num=0, total=10**9, data="a"), dict(id="x", num="0", total=2, data="a"), dict(id="x", num=0, total=2),
                       dict(id="x", num=0, total=2, data={}), dict(id="x" * 2000, num=0, total=2, data="a")):
            client.send("fragment", **fields)
            self.assertIn("fragment", client.status())
        nested = json.dumps({"op": "fragment", "id": "y", "num": 0, "total": 1, "data": "{}"})
        client.send("fragment", id="y", num=0, total=1, data=nested)
        self.assertIn("fragment", client.status())
        for i in range(40):
            client.send("fragment", id="z%d" % i, num=0, total=2, data="a")
        self.assertIn("16 messages", client.status())
        big = "x" * 600000
        client.send("fragment", id="big", num=0, total=3, data=big)
        client.send("fragment", id="big", num=1, total=3, data=big)
        while "bytes wait" not in client.status():
            pass
        self.assertEqual(client.ask("nodes"), {"nodes": ["/orrery"]})

    def test_a_message_that_is_too_long(self):
        self.open()
        client = self.client()
        client.send("publish", topic="/robot/motion", msg={"v": [0] * 500000})
        self.assertEqual(client.read(), (8, struct.pack(">H", 1009) + b"message too long"))
        self.assertEqual(self.client().ask("nodes"), {"nodes": ["/orrery"]})

    def test_cbor(self):
        self.open()
        plain, packed = self.client(), self.client()
        packed.send("subscribe", topic="/robot/pose", compression="cbor")
        opcode, body = packed.read()
        self.assertEqual(opcode, 2)
        message = decode_cbor(body)
        self.assertEqual((message["op"], message["topic"]), ("publish", "/robot/pose"))
        plain.send("subscribe", topic="/robot/pose")
        seen = {}
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            for message in (plain.next("publish")["msg"], packed.next("publish")["msg"]):
                if message == seen.setdefault(message["timestamp"], message) and message is not seen[message["timestamp"]]:
                    return
        self.fail("no message is the same in JSON and in CBOR")

    def test_wrong_subscriptions(self):
        self.open()
        client = self.client()
        for fields, words in ((dict(), "'topic' is a text, not left out"), (dict(topic=3), "'topic' is a text"), (dict(topic=""), "'topic'"),
                              (dict(topic="/nowhere"), "nothing publishes a topic '/nowhere'"),
                              (dict(topic="/robot/motion"), "nothing publishes"),
                              (dict(topic="/robot/pose", throttle_rate=-1), "'throttle_rate' is a number from 0"),
                              (dict(topic="/robot/pose", throttle_rate="1"), "'throttle_rate'"),
                              (dict(topic="/robot/pose", throttle_rate=1e300), "'throttle_rate'"),
                              (dict(topic="/robot/pose", queue_length=[]), "'queue_length'"),
                              (dict(topic="/robot/pose", fragment_size=-5), "'fragment_size'"),
                              (dict(topic="/robot/pose", compression="png"), "no compression 'png'"),
                              (dict(topic="/robot/pose", compression="x" * 100000), "no compression"),
                              (dict(topic="/robot/pose", compression="cbor-raw"), "have no type")):
            client.send("subscribe", id="wrong", **fields)
            status = client.next("status")
            self.assertIn(words, status["msg"])
            self.assertEqual((status["id"], status["level"]), ("wrong", "error"))
            self.assertLess(len(status["msg"]), 400)
        client.send("subscribe", topic="/robot/pose", id="x" * 2000)
        self.assertIn("an 'id' has at most 1024 bytes", client.status())
        self.assertEqual(client.ask("nodes"), {"nodes": ["/orrery"]})

    def test_wrong_messages(self):
        self.open()
        client = self.client()
        for op, fields, words in (("publish", dict(topic="/nowhere", msg={}), "nothing reads a topic '/nowhere'"),
                                  ("publish", dict(topic="/robot/pose", msg={}), "nothing reads"),
                                  ("publish", dict(topic="/robot/motion"), "'msg' is an object, not left out"),
                                  ("publish", dict(topic="/robot/motion", msg=[]), "'msg' is an object"),
                                  ("publish", dict(topic="/robot/motion", msg="{}"), "'msg' is an object"),
                                  ("advertise", dict(topic="/robot/motion"), "'type'"),
                                  ("advertise", dict(topic="/nowhere", type="a/B"), "nothing reads"),
                                  ("set_level", dict(level="loud"), "no 'loud'"),
                                  ("advertise_service", dict(service="/mine", type="a/B"), "calls none of its clients"),
                                  ("service_response", dict(service="/mine", result=True), "calls none of its clients"),
                                  ("advertise_action", dict(action="/mine", type="a/B"), "calls none of its clients"),
                                  ("dance", {}, "no operation 'dance'")):
            client.send(op, **fields)
            self.assertIn(words, client.status())
        client.send("set_level", level="info")
        client.send("unadvertise", topic="/robot/motion")
        self.assertIn("not advertised", client.status())
        client.send("unsubscribe", topic="/robot/pose")
        self.assertIn("no such subscription", client.status())
        client.send("set_level", level="none")
        client.send("dance")
        self.assertEqual(client.ask("nodes"), {"nodes": ["/orrery"]})

    def test_bad_json(self):
        self.open()
        client = self.client()
        for text in ("", "{", "}", "[]", "3", "null", '"op"', "{}", '{"op": 3}', '{"op": null}', '{"op": {"op": "publish"}}', "[" * 100000,
                     '{"op": "publish", "op": "subscribe"}', '{"op": "publish"} {}', '{"op": "pub\\ud800lish"}', '{"op": "\\u0000"}',
                     '{"op": "call_service", "service": "/rosapi/nodes", "args": [1e999]', "{" * 1000, '{"op":"' + "x" * 100000 + '"}',
                     '{"op": "dance", "id": {"a": []}}', '{"op": "dance", "id": 17}', "\ufeff{}"):
            client.text(text)
            self.assertTrue(client.status())
        client.frame(2, b"\xa0")
        self.assertIn("JSON in frames of text", client.status())
        self.assertEqual(client.ask("nodes"), {"nodes": ["/orrery"]})

    def test_a_message_that_no_actuator_takes(self):
        """It is refused as from every other client, and the next one is taken."""
        self.open()
        client, viewer = self.client(), self.client()
        viewer.send("subscribe", topic="/robot/pose")
        start = viewer.next("publish")["msg"]
        for message in ({}, {"v": "fast"}, {"v": None, "w": None}, {"v": [1], "w": {}}):
            client.send("publish", topic="/robot/motion", msg=message)
        client.send("publish", topic="/robot/motion", msg={"v": 1.0, "w": 0.0})
        while viewer.next("publish")["msg"]["x"] < start["x"] + 0.1:
            pass


# What each stream says, as messages of ROS.
TYPED = """
from morse.builder import *

robot = ATRV()
pose = Pose()
pose.add_stream('rosbridge', 'morse.middleware.ros.pose.PoseStampedPublisher')
robot.append(pose)
for i in range(5):
    tf = Pose('tf%d' % i)
    tf.add_stream('rosbridge', 'morse.middleware.ros.pose.TFPublisher', child_frame_id='/child%d' % i)
    robot.append(tf)
scan = Hokuyo()
scan.properties(scan_window=20.0, resolution=1.0)
scan.add_stream('rosbridge', 'morse.middleware.ros.laserscanner.LaserScanPublisher')
robot.append(scan)
motion = MotionVW()
motion.add_stream('rosbridge', 'morse.middleware.ros.motion_vw.TwistReader')
robot.append(motion)

env = Environment('empty')
env.configure_stream_manager('rosbridge', port=0)
"""


class Typed(BridgeCase):
    def test_twist_and_pose(self):
        """A client drives an ATRV by geometry_msgs/Twist, another reads geometry_msgs/PoseStamped."""
        self.open(TYPED)
        driver, viewer = self.client(), self.client()
        viewer.send("subscribe", topic="/robot/pose", type="geometry_msgs/PoseStamped")
        start = viewer.next("publish")["msg"]
        self.assertEqual(start["header"]["frame_id"], "map")
        driver.send("advertise", topic="/robot/motion", type="geometry_msgs/msg/Twist")
        driver.send("publish", topic="/robot/motion", msg={"linear": {"x": 1.0, "y": 0, "z": 0}, "angular": {"z": 0.0}})
        while (now := viewer.next("publish")["msg"])["pose"]["position"]["x"] < start["pose"]["position"]["x"] + 0.5:
            pass
        stamps = [message["header"]["stamp"]["sec"] + message["header"]["stamp"]["nanosec"] / 1e9 for message in (start, now)]
        self.assertGreater(stamps[1], stamps[0] + 0.4)

    def test_types_are_told_and_checked(self):
        self.open(TYPED)
        client = self.client()
        topics = client.ask("topics")
        types = dict(zip(topics["topics"], topics["types"]))
        self.assertEqual(types["/robot/pose"], "geometry_msgs/msg/PoseStamped")
        self.assertEqual(types["/robot/scan"], "sensor_msgs/msg/LaserScan")
        self.assertEqual(types["/robot/motion"], "geometry_msgs/msg/Twist")
        self.assertEqual(client.ask("topics_for_type", type="sensor_msgs/LaserScan"), {"topics": ["/robot/scan"]})
        for op, topic in (("subscribe", "/robot/pose"), ("advertise", "/robot/motion")):
            client.send(op, topic=topic, type="std_msgs/String")
            self.assertIn("not std_msgs/String", client.status())

    def test_cbor_by_types(self):
        """Arrays of numbers are tagged bytes; what is a float32 in the message is one in CBOR."""
        self.open(TYPED)
        plain, packed = self.client(), self.client()
        plain.send("subscribe", topic="/robot/scan")
        packed.send("subscribe", topic="/robot/scan", compression="cbor")
        seen = {}
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            for way, client in (("json", plain), ("cbor", packed)):
                message = client.next("publish")["msg"]
                seen.setdefault(json.dumps(message["header"]["stamp"], sort_keys=True), {})[way] = message
            both = next((pair for pair in seen.values() if len(pair) == 2), None)
            if both:
                break
        self.assertEqual(len(both["cbor"]["ranges"]), len(both["json"]["ranges"]))
        for key in ("angle_min", "angle_max", "range_max"):
            self.assertAlmostEqual(both["cbor"][key], both["json"][key], 5)
        for one, other in zip(both["cbor"]["ranges"], both["json"]["ranges"]):
            self.assertAlmostEqual(one, other, 4)

    def test_raw_bytes(self):
        """The message as ROS 2 has it over DDS."""
        self.open(TYPED)
        client = self.client()
        client.send("subscribe", topic="/robot/pose", compression="cbor-raw")
        message = client.next("publish")["msg"]
        self.assertEqual(sorted(message), ["bytes", "nsecs", "secs"])
        body = message["bytes"]
        self.assertEqual(body[:4], b"\x00\x01\x00\x00")
        sec, nanosec, length = struct.unpack_from("<iII", body, 4)
        self.assertEqual(body[16:16 + length], b"map\x00")
        self.assertLess(nanosec, 10**9)
        # Aligned to 8, from behind the first four bytes.
        start = 4 + -(-(12 + length) // 8) * 8
        self.assertEqual(len(body), start + 7 * 8)
        self.assertAlmostEqual(sum(value * value for value in struct.unpack_from("<4d", body, start + 24)), 1.0, 6)

    def test_wrong_messages_of_a_type(self):
        """None is taken, the client is told what no message of the type can be, and the robot still drives."""
        self.open(TYPED)
        client, viewer = self.client(), self.client()
        viewer.send("subscribe", topic="/robot/pose")
        start = viewer.next("publish")["msg"]["pose"]["position"]["x"]
        for message in ({"linear": 3}, {"linear": {"x": "fast"}}, {"linear": [1, 2, 3]}, {"linear": {"x": {}}}, {"angular": None}):
            client.send("publish", topic="/robot/motion", msg=message)
            self.assertRegex(client.status(), "publish: a message of '/robot/motion' is wrong: .*(linear|angular)")
        client.send("publish", topic="/robot/motion", msg={"linear": {"x": None}})
        for number in "1e999", "NaN", "Infinity":
            client.text('{"op": "publish", "topic": "/robot/motion", "msg": {"linear": {"x": %s}}}' % number)
        client.send("publish", topic="/robot/motion", msg={"linear": {"x": 1.0}})
        while viewer.next("publish")["msg"]["pose"]["position"]["x"] < start + 0.1:
            pass

    def test_a_topic_of_many_writers(self):
        """A client that reads gets the messages of all, also those of one tick."""
        self.open(TYPED)
        client = self.client()
        client.send("subscribe", topic="/tf", type="tf2_msgs/TFMessage", queue_length=0)
        names = [client.next("publish")["msg"]["transforms"][0]["child_frame_id"] for _ in range(50)]
        self.assertEqual(sorted(set(names)), ["child%d" % i for i in range(5)])
        for name in set(names):
            self.assertEqual(names.count(name), 10)


class Services(BridgeCase):
    def test_by_place(self):
        self.open()
        client = self.client()
        answer = client.call("/simulation/list_robots", [])
        self.assertEqual((answer["result"], answer["values"]["result"]), (True, ["robot", "other"]))
        answer = client.call("/robot/motion/set_speed", [0.5, 0.0])
        self.assertEqual((answer["result"], answer["values"]["success"]), (True, True))
        for service, args, words in (("/robot/motion/set_speed", [0.5], "argument"), ("/robot/motion/set_speed", ["fast", 0], "number"),
                                     ("/robot/motion/fly", [], "no service '/robot/motion/fly'"), ("/nowhere", [], "no service '/nowhere'"),
                                     ("/simulation/list_robots", "x", "a list or an object"),
                                     ("/robot/motion/set_speed", {"v": 1, "w": 0}, "by place")):
            answer = client.call(service, args)
            self.assertEqual(answer["result"], False, answer)
            self.assertIn(words, answer["values"])

    def test_as_messages_of_ros(self):
        """orrery_interfaces/srv/Call, std_srvs/srv/Trigger, std_srvs/srv/SetBool."""
        self.open()
        client = self.client()
        answer = client.call("/simulation/list_robots", {"arguments": "[]"})
        self.assertEqual((answer["result"], answer["values"]), (True, {"success": True, "result": '["robot", "other"]'}))
        answer = client.call("/robot/motion/set_speed", {"arguments": "[0.5, 0.25]"})
        self.assertEqual(answer["values"], {"success": True, "result": ""})
        answer = client.call("/robot/motion/stop", {})
        self.assertEqual((answer["values"]["success"], answer["values"]["message"]), (True, ""))
        self.assertEqual(client.call("/robot/motion/stop")["values"]["success"], True)
        for text in ("{}", "[", "3"):
            answer = client.call("/robot/motion/set_speed", {"arguments": text})
            self.assertEqual(answer["result"], False)
        answer = client.call("/simulation/deactivate", {"data": "robot.pose"})
        self.assertEqual((answer["result"], answer["values"]["success"]), (True, True), answer)
        answer = client.call("/simulation/deactivate", {"data": "nobody"})
        self.assertEqual((answer["result"], answer["values"]["success"]), (True, False), answer)
        self.assertIn("nobody", answer["values"]["message"])

    def test_two_clients_have_the_same_ids(self):
        self.open()
        one, two = self.client(), self.client()
        for client, service in ((one, "/simulation/list_robots"), (two, "/simulation/state")):
            client.send("call_service", id="same", service=service, args=[])
        self.assertEqual(one.next("service_response")["service"], "/simulation/list_robots")
        self.assertEqual(two.next("service_response")["service"], "/simulation/state")

    def test_ids_come_back_as_they_were(self):
        self.open()
        client = self.client()
        for name in ("text", 17, -1, "\u00fc\"\\\u2028", "x" * 10000):
            client.send("call_service", id=name, service="/simulation/state", args=[])
            self.assertEqual(client.next("service_response")["id"], name)
        client.send("call_service", service="/simulation/state", args=[])
        self.assertNotIn("id", client.next("service_response"))

    def test_a_call_that_takes_time(self):
        """Others are answered meanwhile."""
        self.open()
        client = self.client()
        client.send("call_service", id="long", service="/other/goal/goto", args=[7.0, 0.0, 0.0, 0.5, 2.0])
        self.assertEqual(client.call("/simulation/state", [])["values"]["result"], "running")
        self.assertEqual(client.next("service_response", id="long")["values"]["success"], True)

    def test_calls_of_one_that_has_gone_are_cancelled(self):
        self.open()
        gone, client = self.client(), self.client()
        gone.send("send_action_goal", id="g", action="/other/goal/goto", args=[500.0, 0.0, 0.0, 0.5, 1.0])
        gone.call("/simulation/state", [])
        self.assertEqual(client.call("/other/goal/get_status", [])["values"]["result"], "Transit")
        gone.close()
        end = time.monotonic() + LIMIT
        while client.call("/other/goal/get_status", [])["values"]["result"] != "Arrived":
            self.assertLess(time.monotonic(), end)

    def test_more_calls_than_may_wait(self):
        self.open()
        client = self.client()
        for i in range(1100):
            client.send("call_service", id=str(i), service="/simulation/step", args=[1])
        answers = [client.next("service_response") for _ in range(1100)]
        self.assertEqual({answer["id"] for answer in answers}, {str(i) for i in range(1100)})
        self.assertEqual(client.call("/simulation/state", [])["result"], True)


class Actions(BridgeCase):
    def goal(self, client, key, x, **fields):
        client.send("send_action_goal", id=key, action="/other/goal/goto", action_type="orrery_interfaces/action/Call",
                    args=[x, 0.0, 0.0, 0.5, 2.0], **fields)

    def test_a_goal_that_is_reached(self):
        self.open()
        client = self.client()
        self.goal(client, "near", 7.0, feedback=True)
        result = client.next("action_result")
        self.assertEqual((result["id"], result["action"], result["status"], result["result"]), ("near", "/other/goal/goto", 4, True))

    def test_a_goal_that_is_cancelled(self):
        self.open()
        client, stranger = self.client(), self.client()
        self.goal(client, "far", 500.0)
        client.call("/simulation/state", [])
        stranger.send("cancel_action_goal", id="far", action="/other/goal/goto")
        stranger.call("/simulation/state", [])
        self.assertEqual(client.call("/other/goal/get_status", [])["values"]["result"], "Transit")
        client.send("cancel_action_goal", id="near", action="/other/goal/goto")
        client.send("cancel_action_goal", id="far", action="/other/goal/goto")
        result = client.next("action_result")
        self.assertEqual((result["id"], result["status"], result["result"]), ("far", 5, False))

    def test_a_goal_that_gives_way(self):
        self.open()
        client = self.client()
        self.goal(client, "first", 500.0)
        self.goal(client, "second", 7.0)
        self.assertEqual(client.next("action_result", id="first")["status"], 5)
        self.assertEqual(client.next("action_result", id="second")["status"], 4)

    def test_wrong_goals(self):
        self.open()
        client = self.client()
        for action, args in (("/nowhere", []), ("/other/goal/goto", ["x"]), ("/other/goal/goto", 3)):
            client.send("send_action_goal", id="wrong", action=action, args=args)
            result = client.next("action_result")
            self.assertEqual((result["id"], result["status"], result["result"]), ("wrong", 6, False))
            self.assertIsInstance(result["values"], str)


class Rosapi(BridgeCase):
    def test_what_there_is(self):
        self.open()
        client = self.client()
        topics = client.ask("topics")
        self.assertEqual(sorted(topics["topics"]), ["/other/goal", "/robot/motion", "/robot/pose"])
        self.assertEqual(len(topics["types"]), 3)
        self.assertEqual(client.ask("publishers", topic="/robot/pose"), {"publishers": ["/orrery"]})
        self.assertEqual(client.ask("publishers", topic="/robot/motion"), {"publishers": []})
        self.assertEqual(client.ask("subscribers", topic="/robot/motion"), {"subscribers": ["/orrery"]})
        self.assertEqual(client.ask("topic_type", topic="/nowhere"), {"type": ""})
        services = client.ask("services")["services"]
        self.assertIn("/other/goal/goto", services)
        self.assertIn("/simulation/list_robots", services)
        self.assertEqual(client.ask("service_type", service="/other/goal/goto"), {"type": "orrery_interfaces/srv/Call"})
        self.assertEqual(client.ask("service_type", service="/nowhere"), {"type": ""})
        self.assertEqual(client.ask("services_for_type", type="orrery_interfaces/Call")["services"], services)
        self.assertEqual(client.ask("get_param_names"), {"names": []})
        now = client.ask("get_time")["time"]
        while (later := client.ask("get_time")["time"]) == now:
            pass
        self.assertGreater(later["sec"] * 10**9 + later["nanosec"], now["sec"] * 10**9 + now["nanosec"])
        self.assertEqual(client.call("/rosapi/set_param", {})["result"], False)

    def test_types(self):
        self.open()
        client = self.client()
        twist, vector = client.ask("message_details", type="geometry_msgs/Twist")["typedefs"]
        self.assertEqual((twist["type"], twist["fieldnames"], twist["fieldtypes"], twist["fieldarraylen"]),
                         ("geometry_msgs/msg/Twist", ["linear", "angular"], ["geometry_msgs/msg/Vector3"] * 2, [-1, -1]))
        self.assertEqual((vector["fieldnames"], vector["fieldtypes"]), (["x", "y", "z"], ["float64"] * 3))
        self.assertEqual(client.ask("message_details", type="no/Such"), {"typedefs": []})


class Ends(BridgeCase):
    def test_amid_everything(self):
        """Half handshakes, clients that do not read, calls that wait: the run ends in bounded time."""
        self.open(SCENE % "", "--fast")
        half = socket.create_connection(("127.0.0.1", self.port))
        self.addCleanup(half.close)
        half.sendall(handshake("/", self.port)[:50])
        idle = self.client(buffer=4096)
        for key in range(20):
            idle.send("subscribe", topic="/robot/pose", id=str(key), queue_length=10)
        busy = self.client()
        busy.send("subscribe", topic="/robot/pose")
        busy.send("send_action_goal", id="g", action="/other/goal/goto", args=[1e9, 0.0, 0.0, 0.5, 1.0])
        busy.next("publish")
        begin = time.monotonic()
        self.process.terminate()
        result = busy.next("action_result")
        self.assertEqual((result["id"], result["result"]), ("g", False))
        with self.assertRaises((EOFError, ConnectionError)):
            while True:
                busy.message()
        self.assertEqual(self.process.wait(LIMIT), 143)
        self.assertLess(time.monotonic() - begin, 10)

    def test_a_reset(self):
        """Clients stay, and get what comes after it."""
        self.open()
        client = self.client()
        client.send("subscribe", topic="/robot/pose")
        client.next("publish")
        self.assertEqual(client.call("/simulation/reset", [])["result"], True)
        client.next("publish")

    def services_options(self, **options):
        return "Configuration.link_stream_manager_config('%s', %r)\n" % (SERVICES, options)

    def test_one_server_for_both(self):
        scene = SCENE % ", address='127.0.0.1'" + self.services_options(port=1)
        self.write("scene.py", scene)
        done = self.orrery("run", "scene.py", "--ticks", "1")
        self.assertNotEqual(done.returncode, 0, done.stderr)
        self.assertIn("given twice: 0 and 1", done.stderr)

    def test_only_services(self):
        scene = (SCENE % "").replace(".add_stream('rosbridge'", ".add_stream('socket'")
        scene = scene[:scene.index("env.configure")] + self.services_options(port=0)
        self.open(scene)
        self.assertEqual(self.client().call("/simulation/state", [])["values"]["result"], "running")

    def test_only_streams(self):
        self.open((SCENE % "").replace(".add_service('rosbridge')", ".add_service('socket')"))
        client = self.client()
        answer = client.call("/simulation/state", [])
        self.assertEqual(answer["result"], False)
        self.assertIn("no services on rosbridge", answer["values"])
        client.send("subscribe", topic="/robot/pose")
        client.next("publish")

    def test_beyond_loopback_somebody_says_who(self):
        self.write("scene.py", SCENE % ", address='*'")
        done = self.orrery("run", "scene.py", "--ticks", "1")
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("--allow-users or --token-file", done.stderr)

    def test_a_run_without_ports(self):
        self.write("scene.py", SCENE % "")
        for command in (("run", "scene.py", "--ticks", "5", "--offline"), ("check", "scene.py")):
            done = self.orrery(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("listening", done.stderr)

    def test_pages(self):
        """Of this machine, and those that were named."""
        self.open(SCENE % ", origins='https://lab.example'")
        for origin in ("http://localhost:8000", "https://lab.example"):
            self.client(origin=origin).call("/rosapi/nodes")
        for origin in ("https://evil.example", "null"):
            with self.assertRaisesRegex(ConnectionError, "403"):
                self.client(origin=origin)

    def test_nothing_changes_for_the_simulation(self):
        """The hash of a run is the same with clients and without."""
        self.write("scene.py", SCENE % "")
        alone = self.orrery("run", "scene.py", "--ticks", "200", "--fast", "--hash=" + self.path("alone"))
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.open(SCENE % "", "--ticks", "200", "--hash=" + self.path("watched"))
        client = self.client()
        client.send("subscribe", topic="/robot/pose")
        client.next("publish")
        self.assertEqual(self.process.wait(LIMIT), 0)
        with open(self.path("alone"), encoding="utf-8") as one, open(self.path("watched"), encoding="utf-8") as other:
            self.assertEqual(one.read(), other.read())


@unittest.skipUnless(websockets, "not installed: python3-websockets")
class Others(BridgeCase):
    async def drive(self):
        async with websockets.connect("ws://127.0.0.1:%d" % self.port) as client:
            await client.send(json.dumps({"op": "subscribe", "topic": "/robot/pose"}))
            await client.send(json.dumps({"op": "publish", "topic": "/robot/motion", "msg": {"v": 1.0, "w": 0.0}}))
            while json.loads(await client.recv())["msg"]["x"] < 0.1:
                pass

    def test_the_client_of_debian(self):
        self.open()
        asyncio.run(asyncio.wait_for(self.drive(), LIMIT))


class Roslib(BridgeCase):
    def test_the_client_of_web_pages(self):
        """roslib in node: topics in JSON and CBOR, services, what there is."""
        need(self, lacks_modules("roslib"))
        self.open()
        done = subprocess.run(["node", os.path.join(HERE, "rosbridge_peer.js"), str(self.port)],
                              env=dict(os.environ, NODE_PATH=NODE_PATH), capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertGreater(seen.pop("moved"), 0.3)
        self.assertIn("no service", seen.pop("refused"))
        self.assertEqual(seen, {"packed": "number", "stopped": True, "robots": '["robot", "other"]', "services": True,
                                "topics": ["/other/goal", "/robot/motion", "/robot/pose"], "nodes": ["/orrery"]})


if __name__ == "__main__":
    tap.main()
