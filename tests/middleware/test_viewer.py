# SPDX-License-Identifier: BSD-3-Clause
"""The server of the viewer: what it serves, to whom, and what wrong and slow clients get."""

import contextlib
import gzip
import hashlib
import http.client
import json
import math
import os
import re
import signal
import socket
import struct
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, NODE_PATH, SOURCE, ProgramCase, lacks_modules, need  # noqa: E402

import tap  # noqa: E402
from png_file import make_png  # noqa: E402
from sanitized import is_sanitized  # noqa: E402
from websocket_client import LIMIT, Socket  # noqa: E402

PLUGIN = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware/viewer.so")
PAGE = os.path.join(BUILD, "share/orrery-1/viewer")
OWN, FOXGLOVE, OLD = "orrery.view.v1", "foxglove.sdk.v1", "foxglove.websocket.v1"
POSES, FRAMES, SCENE_UPDATE = 1, 2, 3

# A robot that turns on the spot, with sensors whose records are numbers, and arrays of them.
SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 7 },
  "objects": [
    { "name": "wall", "position": [4, 0, 1], "shapes": [{ "kind": "box", "size": [0.1, 3, 1] }],
      "body": { "type": "static" } },
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" },
      { "name": "laser", "classpath": "morse.sensors.laserscanner.LaserScanner", "position": [0, 0, 0.9],
        "properties": { "resolution": 1.0, "scan_window": 90.0, "laser_range": 10.0 } },
      { "name": "motion", "classpath": "morse.actuators.v_omega.MotionVW" } ] } ]
}
"""


class Client(Socket):
    """Speaks the protocol."""

    def __init__(self, port, protocol=OWN, **options):
        super().__init__(port, protocol=protocol, **options)
        self.kept = []
        self.info = self.text_message("serverInfo")
        self.channels = {one["topic"]: one for one in self.text_message("advertise")["channels"]}
        self.services = {}
        if "services" in self.info["capabilities"]:
            self.services = {one["name"]: one for one in self.text_message("advertiseServices")["services"]}

    def send(self, op, **fields):
        self.text(json.dumps(dict({"op": op}, **fields)))

    def next(self):
        """The next message: a dictionary, or opcode, number, time and payload."""
        opcode, body = self.read()
        if opcode == 8:
            raise EOFError(body)
        if opcode == 1:
            return json.loads(body)
        if body[0] == 2:
            return (2, None, struct.unpack_from("<Q", body, 1)[0], b"")
        if body[0] == 3:
            _, call, length = struct.unpack_from("<III", body, 1)
            return (3, call, None, body[13 + length:])
        number, stamp = struct.unpack_from("<IQ", body, 1)
        return (body[0], number, stamp, body[13:])

    def text_message(self, op):
        while True:
            message = self.next()
            if isinstance(message, dict):
                assert message["op"] == op, message
                return message

    def data(self, number):
        while True:
            message = self.next()
            if not isinstance(message, dict) and message[:2] == (1, number):
                return message[2], message[3]

    def subscribe(self, number, channel):
        self.send("subscribe", subscriptions=[{"id": number, "channelId": channel}])

    def subscribe_to(self, number, topic):
        self.subscribe(number, self.channels[topic]["id"])


def decode_poses(payload):
    stamp, count, ticks = struct.unpack_from("<dII", payload)
    rows = struct.unpack_from("<%df" % (7 * count), payload, 16)
    return stamp, ticks, [rows[7 * i:7 * i + 7] for i in range(count)]


def decode_looks(payload):
    """What lamps and shapes are in place of what the scene says: a value for object and kind."""
    assert len(payload) % 20 == 0, payload
    rows = [struct.unpack_from("<II3f", payload, at) for at in range(0, len(payload), 20)]
    return {(row[0], ("energy", "light", "color", "material", "scale")[row[1]]): row[2:] for row in rows}


def decode_record(payload):
    length, = struct.unpack_from("<I", payload)
    return json.loads(payload[4:4 + length]), payload[4 + length:]


def split_glb(data):
    """The JSON and the bytes of a glTF file, with every length of its frame checked."""
    magic, version, length, json_length, kind = struct.unpack_from("<4sIIII", data)
    assert (magic, version, length, kind) == (b"glTF", 2, len(data), 0x4e4f534a), data[:20]
    size, kind = struct.unpack_from("<I4s", data, 20 + json_length)
    assert kind == b"BIN\0" and json_length % 4 == 0 and 28 + json_length + size == len(data)
    return json.loads(data[20:20 + json_length]), data[28 + json_length:]


@unittest.skipUnless(os.path.exists(PLUGIN), "built without libsoup")
class ViewerCase(ProgramCase):
    def view(self, *options, scene=SCENE, name="scene.json"):
        """A run with a viewer at any port; returns the process."""
        self.process = self.start("run", self.write(name, scene), "--view", "--view-port", "0", *options)
        line = self.wait_for(self.process, "Socket service manager now listening on port ")
        self.services = line.rstrip(".\n").split()[-1]
        line = self.wait_for(self.process, "viewer now at ")
        port, token = re.search(r"viewer now at http://127\.0\.0\.1:(\d+)/(?:#token=(\w+))?", line).groups()
        self.port, self.token = int(port), token
        return self.process

    def call(self, *words):
        self.check(self.orrery("call", "--port", self.services, *words), 0)

    def get(self, path, **headers):
        """Status, headers and body; the path goes out as it is."""
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=LIMIT)) as connection:
            connection.putrequest("GET", path, skip_host="Host" in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def scene(self):
        return json.loads(self.get("/scene.json")[2])

    def stop(self, number=signal.SIGINT):
        self.process.send_signal(number)
        self.process.communicate(timeout=LIMIT)
        return self.process.returncode


class Pages(ViewerCase):
    def setUp(self):
        super().setUp()
        self.view()

    def test_the_page(self):
        if not os.path.exists(os.path.join(PAGE, "page.js")):
            self.skipTest("built without esbuild")
        size = 0
        for path, kind in (("/", "text/html"), ("/page.js", "text/javascript"), ("/page.css", "text/css"),
                           ("/icon.svg", "image/svg+xml")):
            status, headers, body = self.get(path)
            self.assertEqual((status, headers["Content-Type"].split(";")[0]), (200, kind), path)
            self.assertTrue(headers["Content-Security-Policy"].startswith("default-src 'self';"))
            self.assertNotIn("unsafe", headers["Content-Security-Policy"])
            size += len(gzip.compress(body))
        self.assertLess(size, 300000)

    def test_nothing_from_outside(self):
        page = self.get("/")[2].decode()
        self.assertNotRegex(page, r"<script>|<script [^>]*>[^<]|style=|\bon\w+=")
        self.assertNotRegex(page, r"(src|href)=\"(https?:)?//")
        self.assertNotRegex(self.get("/page.css")[2].decode(), r"url\(\s*['\"]?(https?:)?//")

    def test_the_scene(self):
        scene = self.scene()
        names = [one["name"] for one in scene["objects"]]
        wall = scene["objects"][names.index("wall")]
        self.assertEqual(scene["title"], "scene.json")
        self.assertEqual(wall["pose"], [4, 0, 1, 0, 0, 0, 1])
        self.assertEqual((wall["shapes"][0]["kind"], wall["parent"]), ("box", -1))
        self.assertEqual(scene["objects"][names.index("robot.pose")]["parent"], names.index("robot"))
        parts = {one["name"]: one for one in scene["parts"]}
        self.assertEqual({name: one["role"] for name, one in parts.items()},
                         {"robot": "robot", "robot.pose": "sensor", "robot.laser": "sensor", "robot.motion": "actuator"})
        self.assertEqual(names[parts["robot.laser"]["object"]], "robot.laser")
        self.assertEqual([field["name"] for field in parts["robot.motion"]["fields"]], ["v", "w"])
        self.assertEqual(parts["robot.motion"]["fixed"], [])
        self.assertIn("resolution", parts["robot.laser"]["fixed"])

    def test_assets_are_named_by_their_content(self):
        assets = {shape["asset"] for one in self.scene()["objects"] for shape in one.get("shapes", []) if "asset" in shape}
        self.assertTrue(assets)
        for name in assets:
            status, headers, body = self.get("/assets/%s.glb" % name)
            self.assertEqual((status, headers["Content-Type"]), (200, "model/gltf-binary"))
            self.assertEqual(hashlib.sha256(body).hexdigest(), name)
            split_glb(body)

    def test_no_file_of_the_system(self):
        name = next(shape["asset"] for one in self.scene()["objects"] for shape in one.get("shapes", []) if "asset" in shape)
        for path in ("/assets/..%2f..%2fetc/passwd", "/assets//etc/passwd", "/etc/passwd",
                     "/../../../../../../etc/passwd", "/assets/" + "0" * 64 + ".glb", "/assets/%s" % name,
                     "/assets/%s.glb/.." % name, "/assets/%s.glb%%00" % name,
                     "/assets", "/assets/", "/scene.json/x"):
            status, _, body = self.get(path)
            self.assertNotIn(b"root:", body, path)
            self.assertIn(status, (400, 404), path)

    def test_foreign_names_and_pages(self):
        self.assertEqual(self.get("/scene.json", Host="evil.example")[0], 403)
        self.assertEqual(self.get("/scene.json", Origin="https://evil.example")[0], 403)
        self.assertEqual(self.get("/scene.json", Origin="http://127.0.0.1:%d" % self.port)[0], 200)
        for headers in ({"origin": "https://evil.example"}, {"host": "evil.example:%d" % self.port}):
            with self.assertRaisesRegex(ConnectionError, "403"):
                Socket(self.port, protocol=FOXGLOVE, **headers)
        for origin in ("http://localhost:%d" % self.port, "https://app.foxglove.dev"):
            Client(self.port, FOXGLOVE, origin=origin).close()

    def test_another_origin_may_be_named(self):
        self.stop()
        self.view("--view-origin", "https://lab.example")
        for origin in ("https://lab.example", "https://app.foxglove.dev"):
            Client(self.port, FOXGLOVE, origin=origin).close()


class OwnPage(ViewerCase):
    def setUp(self):
        super().setUp()
        self.view()
        self.client = Client(self.port)
        self.addCleanup(self.client.close)

    def test_poses(self):
        self.client.subscribe_to(5, "/poses")
        scene = self.scene()
        before = -1
        for _ in range(20):
            stamp, payload = self.client.data(5)
            seconds, ticks, rows = decode_poses(payload)
            self.assertEqual(len(rows), len(scene["objects"]))
            self.assertAlmostEqual(seconds, stamp / 1e9, 6)
            self.assertGreaterEqual(ticks, before)
            before = ticks
        self.assertGreater(before, 5)
        index = [one["name"] for one in scene["objects"]].index("wall")
        self.assertEqual(rows[index], (4, 0, 1, 0, 0, 0, 1))

    def test_a_record_comes_while_it_is_subscribed_to(self):
        self.client.subscribe_to(1, "/robot/pose")
        stamp, payload = self.client.data(1)
        record, rest = decode_record(payload)
        self.assertEqual(sorted(record), sorted(["timestamp", "x", "y", "z", "yaw", "pitch", "roll"]))
        self.assertAlmostEqual(record["timestamp"], stamp / 1e9, 6)
        self.assertEqual(rest, b"")
        self.client.send("unsubscribe", subscriptionIds=[1])
        # What was on its way may still come; then others do, but not this one.
        self.client.subscribe_to(2, "/poses")
        numbers = [self.client.next()[1] for _ in range(40)]
        self.assertNotIn(1, numbers[10:])
        self.assertIn(2, numbers)

    def test_arrays_are_bytes(self):
        self.client.subscribe_to(1, "/robot/laser")
        record, rest = decode_record(self.client.data(1)[1])
        ranges, points = record["range_list"], record["point_list"]
        self.assertEqual((ranges["$"], points["$"]), ("float64", "float64"))
        n, = ranges["shape"]
        self.assertEqual(points["shape"], [n, 3])
        values = struct.unpack_from("<%dd" % n, rest, ranges["at"])
        places = struct.unpack_from("<%dd" % (3 * n), rest, points["at"])
        self.assertTrue(any(value < 10 for value in values))
        for i, value in enumerate(values):
            if value < 10:
                self.assertAlmostEqual(sum(one * one for one in places[3 * i:3 * i + 3]) ** 0.5, value, 6)

    def test_it_is_told_of_no_channel_of_others(self):
        self.assertEqual({one["encoding"] for topic, one in self.client.channels.items() if not topic.startswith("/orrery/")},
                         {"orrery-poses", "orrery-record", "orrery-contacts", "orrery-looks"})
        self.client.subscribe(1, FRAMES)
        self.assertIn("no channel 2", self.client.text_message("status")["message"])

    def test_a_paused_run_shows_its_poses(self):
        self.stop()
        self.view("--paused")
        with Client(self.port) as client:
            client.subscribe_to(1, "/poses")
            self.assertEqual(decode_poses(client.data(1)[1])[1], 0)


class Wrong(ViewerCase):
    def setUp(self):
        super().setUp()
        self.view()
        self.client = Client(self.port)
        self.addCleanup(self.client.close)

    def refused(self, text, words):
        self.client.text(text)
        status = self.client.text_message("status")
        self.assertEqual(status["level"], 2)
        self.assertIn(words, status["message"])

    def test_rubbish(self):
        for text, words in (("rubbish", "message:1:1"), ("[]", "an object with a text 'op'"), ("{}", "'op'"), ("7", "'op'"),
                            ('{"op": 1}', "'op'"), ('{"op": "subscribe"}', "a list 'subscriptions'"),
                            ('{"op": "subscribe", "subscriptions": [1]}', "an object, not an integer"),
                            ('{"op": "subscribe", "subscriptions": [{}]}', "no channel -1"),
                            ('{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 99999}]}', "no channel 99999"),
                            ('{"op": "subscribe", "subscriptions": [{"id": -1, "channelId": 1}]}', "no channel 1"),
                            ('{"op": "subscribe", "subscriptions": [{"id": 4294967295, "channelId": 1}]}', "no channel"),
                            ('{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1e3}]}', "no channel -1"),
                            ('{"op": "unsubscribe", "subscriptionIds": [3]}', "no subscription 3"),
                            ('{"op": "unsubscribe", "subscriptionIds": ["a"]}', "no subscription -1"),
                            ('{"op": "advertise", "channels": []}', "only shows the run: there is no operation 'advertise'"),
                            ('{"op": "setParameters", "parameters": []}', "no operation 'setParameters'"),
                            ("[" * 5000, "message:1")):
            with self.subTest(text=text[:60]):
                self.refused(text, words)

    def test_binary_messages(self):
        self.client.frame(2, b"\1\0\0\0\0")
        self.assertIn("takes no binary messages", self.client.text_message("status")["message"])

    def test_a_second_subscription(self):
        self.client.subscribe(1, POSES)
        self.client.data(1)
        for number, channel in ((2, POSES), (1, self.client.channels["/robot/pose"]["id"])):
            self.client.subscribe(number, channel)
            while not isinstance(message := self.client.next(), dict):
                pass
            self.assertIn("subscribed to already", message["message"])

    def test_a_message_that_is_too_long(self):
        with contextlib.suppress(ConnectionError):
            self.client.text(" " * 300000)
        with self.assertRaises((EOFError, ConnectionError)):
            while True:
                self.client.next()
        Client(self.port).close()

    def test_other_protocols(self):
        with self.assertRaisesRegex(ConnectionError, "400"):
            Socket(self.port, protocol="chat.example")

    def test_clients_that_go_without_a_word(self):
        for i in range(30):
            client = Client(self.port)
            client.subscribe_to(1, "/robot/laser")
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
        self.client.subscribe_to(1, "/robot/laser")
        self.client.data(1)

    def test_two_hundred_clients(self):
        """As many as may be there are served, the others are turned away, and there is room again once those have gone."""
        self.client.subscribe_to(1, "/poses")
        served, refused = [], 0
        for _ in range(200):
            try:
                client = Client(self.port)
            except ConnectionError as error:
                self.assertIn("503 Service Unavailable", str(error))
                refused += 1
            else:
                self.addCleanup(client.close)
                client.subscribe_to(1, "/poses")
                served.append(client)
        self.assertEqual((len(served), refused), (127, 73))
        for client in served:
            self.assertEqual(len(decode_poses(client.data(1)[1])[2]), len(decode_poses(self.client.data(1)[1])[2]))
        for client in served:
            client.frame(8, b"\3\xe8")
            client.close()
        # The server reads that they go when it comes to it.
        limit, room = time.monotonic() + LIMIT, False
        while not room and time.monotonic() < limit:
            with contextlib.suppress(ConnectionError), Client(self.port):
                room = True
        self.assertTrue(room)

    @unittest.skipIf(is_sanitized(), "this build keeps what is freed")
    def test_a_client_that_does_not_read_costs_no_memory(self):
        def resident():
            with open("/proc/%d/statm" % self.process.pid, encoding="ascii") as file:
                return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
        slow = Client(self.port, buffer=2048)
        self.addCleanup(slow.close)
        for number, topic in enumerate(slow.channels):
            slow.subscribe_to(number, topic)
        self.client.subscribe_to(1, "/poses")
        ticks = 0
        while ticks < 60:
            ticks = decode_poses(self.client.data(1)[1])[1]
        before = resident()
        while ticks < 300:
            ticks = decode_poses(self.client.data(1)[1])[1]
        self.assertLess(resident() - before, 4 << 20)


class Foxglove(ViewerCase):
    def setUp(self):
        super().setUp()
        self.view()

    def test_both_names(self):
        for protocol in (FOXGLOVE, OLD):
            with Client(self.port, protocol) as client:
                self.assertIn(protocol.encode(), client.head)
                self.assertEqual(client.info["capabilities"], ["time", "assets", "connectionGraph"])
                self.assertEqual({one["encoding"] for one in client.channels.values()}, {"json"})

    def test_records(self):
        with Client(self.port, FOXGLOVE) as client:
            channel = client.channels["/robot/pose"]
            schema = json.loads(channel["schema"])
            client.subscribe(3, channel["id"])
            record = json.loads(client.data(3)[1])
            self.assertEqual(channel["schemaEncoding"], "jsonschema")
            self.assertEqual(set(record), set(schema["properties"]))

    def test_schemas_fit(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no python3-jsonschema")
        with Client(self.port, FOXGLOVE) as client:
            topics = [topic for topic in client.channels if topic.startswith("/robot")]
            for number, topic in enumerate(topics):
                client.subscribe_to(number, topic)
            for number, topic in enumerate(topics):
                schema = json.loads(client.channels[topic]["schema"])
                jsonschema.Draft7Validator.check_schema(schema)
            seen = {}
            while len(seen) < len(topics):
                message = client.next()
                if not isinstance(message, dict) and message[0] == 1:
                    seen[message[1]] = json.loads(message[3])
            for number, topic in enumerate(topics):
                jsonschema.validate(seen[number], json.loads(client.channels[topic]["schema"]))

    def test_time_goes_on(self):
        with Client(self.port, FOXGLOVE) as client:
            times = []
            while len(times) < 10:
                message = client.next()
                if not isinstance(message, dict) and message[0] == 2:
                    times.append(message[2])
            self.assertEqual(times, sorted(times))
            self.assertGreater(times[-1], times[0])

    def test_frames_and_the_scene(self):
        with Client(self.port, FOXGLOVE) as client:
            client.subscribe(1, SCENE_UPDATE)
            entities = {one["id"]: one for one in json.loads(client.data(1)[1])["entities"]}
            client.subscribe(2, FRAMES)
            frames = {one["child_frame_id"]: one for one in json.loads(client.data(2)[1])["transforms"]}
        self.assertEqual(set(frames), {one["name"] for one in self.scene()["objects"]})
        self.assertEqual(frames["wall"]["translation"], {"x": 4, "y": 0, "z": 1})
        self.assertEqual(entities["wall"]["frame_id"], "wall")
        self.assertEqual(len(entities["wall"]["cubes"]), 1)
        self.assertTrue(entities["robot"]["models"] or entities["robot"]["cubes"])

    def test_the_client_of_foxglove(self):
        need(self, lacks_modules("@foxglove/ws-protocol", "ws"))
        done = subprocess.run(["node", os.path.join(HERE, "viewer_peer.js"), str(self.port)], capture_output=True,
                              text=True, timeout=LIMIT, env=dict(os.environ, NODE_PATH=NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["status"], [])
        self.assertEqual(seen["info"]["op"], "serverInfo")
        self.assertIn("robot.pose", [one.get("metadata", {}).get("component") for one in seen["channels"]])
        self.assertAlmostEqual(seen["messages"]["/robot/pose"]["value"]["timestamp"],
                               seen["messages"]["/robot/pose"]["time"] / 1e9, 3)
        self.assertGreater(seen["time"], 0)


class Runs(ViewerCase):
    def test_a_run_ends_as_ever(self):
        self.view("--ticks", "30")
        self.assertEqual(self.process.wait(LIMIT), 0)

    def test_stay(self):
        """Who comes when the run has ended sees its last tick, and so does who was there."""
        self.view("--ticks", "3000", "--fast", "--stay", "--paused")
        with Client(self.port) as early:
            early.subscribe_to(1, "/poses")
            early.data(1)
            self.call("simulation", "resume")
            self.wait_for(self.process, "The run has ended; its page stays until Ctrl-C.")
            with Client(self.port) as late:
                late.subscribe_to(1, "/poses")
                self.assertEqual(decode_poses(late.data(1)[1])[1], 3000)
            ticks = 0
            while ticks < 3000:
                ticks = decode_poses(early.data(1)[1])[1]
        self.assertEqual(self.stop(), 0)

    def test_a_port_that_is_taken(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            process = self.start("run", self.write("scene.json", SCENE), "--view", "--view-port", str(port))
            line = self.wait_for(process, "viewer now at ")
        found = int(re.search(r":(\d+)/", line).group(1))
        self.assertTrue(port < found < port + 10, (port, found))

    def test_options_that_do_not_fit(self):
        scene = self.write("scene.json", SCENE)
        for options, words in ((["--view-port", "0"], "--view-port is about the page of --view"),
                               (["--stay"], "--stay is about the page of --view"),
                               (["--view-origin", "https://a.example"], "--view-origin is about"),
                               (["--view", "--offline"], "which --offline forbids"),
                               (["--view", "--view-port", "70000"], "to 65535, not 70000"),
                               (["--view", "--view-port", "x"], "--view-port: 'x' is no whole number")):
            self.check(self.orrery("run", scene, *options), 64, words)

    def test_the_run_is_the_same(self):
        """Who watches changes nothing."""
        scene = self.write("scene.json", SCENE)
        alone = self.orrery("run", scene, "--ticks", "600", "--fast", "--hash", "--start", "0").stdout
        process = self.start("run", scene, "--ticks", "600", "--hash", "--start", "0", "--view", "--view-port", "0")
        port = int(re.search(r":(\d+)/", self.wait_for(process, "viewer now at ")).group(1))
        with Client(port) as client:
            for number, topic in enumerate(client.channels):
                client.subscribe_to(number, topic)
            with contextlib.suppress(EOFError):
                while True:
                    client.next()
        found = [re.findall(r"[0-9a-f]{16}", text) for text in (alone, process.communicate(timeout=LIMIT)[0])]
        self.assertTrue(found[0])
        self.assertEqual(*found)

    def test_what_is_spawned_and_removed(self):
        """Poses of what is not there are no numbers; Foxglove is told of entities that come and go."""
        kind = {"count": 2, "object": {"name": "crate", "shapes": [{"kind": "box", "size": [0.5, 0.5, 0.5]}]}}
        self.view(scene=json.dumps(dict(json.loads(SCENE), spawnables=[kind])))
        objects = self.scene()["objects"]
        crate = [one["name"] for one in objects].index("crate_1")
        self.assertEqual([one.get("spawnable", False) for one in objects[crate - 1:crate + 2]], [False, True, True])
        with Client(self.port) as page, Client(self.port, protocol=FOXGLOVE) as tool:
            page.subscribe_to(1, "/poses")
            tool.subscribe_to(1, "/scene")
            tool.subscribe_to(2, "/tf")

            def update():
                """Deleted and new entities of the next one."""
                found = json.loads(tool.data(1)[1])
                return [one["id"] for one in found["deletions"]], [one["id"] for one in found["entities"]]

            def frames():
                return [one["child_frame_id"] for one in json.loads(tool.data(2)[1])["transforms"]]

            def row():
                return decode_poses(page.data(1)[1])[2][crate]

            deleted, entities = update()
            self.assertEqual(deleted, [])
            self.assertIn("wall", entities)
            self.assertFalse({"crate_1", "crate_2"} & set(entities))
            self.assertTrue(all(math.isnan(one) for one in row()))
            self.assertNotIn("crate_1", frames())
            self.call("simulation", "spawn", "crate", "[1, 2, 3]")
            while row()[0] != 1:
                pass
            self.assertEqual(update(), (["crate_2"], ["crate_1"]))
            while "crate_1" not in frames():
                pass
            with Client(self.port, protocol=FOXGLOVE) as late:
                late.subscribe_to(1, "/scene")
                entities = {one["id"] for one in json.loads(late.data(1)[1])["entities"]}
                self.assertTrue({"wall", "crate_1"} <= entities and "crate_2" not in entities, entities)
            self.call("simulation", "remove", "crate.1")
            self.assertEqual(update(), (["crate_1", "crate_2"], []))
            while not math.isnan(row()[0]):
                pass
            while "crate_1" in frames():
                pass

    def test_colours_and_lamps_that_change(self):
        """The page and Foxglove are told, at once and when they come later, and again after a reset."""
        scene = json.loads(SCENE)
        scene["objects"].append({"name": "lamp", "lamp": {"kind": "point", "energy": 2}})
        scene["objects"].append({"name": "roof", "shapes": [{"kind": "mesh", "points": [[0, 0, 3], [1, 0, 3], [0, 1, 3]],
                                                             "triangles": [[0, 1, 2]], "color": [0, 1, 0], "alpha": 0.5}]})
        self.view(scene=json.dumps(scene))
        names = [one["name"] for one in self.scene()["objects"]]
        wall, lamp, roof = (names.index(name) for name in ("wall", "lamp", "roof"))

        def update(tool, number=1):
            """The entities of the next one, by name."""
            return {one["id"]: one for one in json.loads(tool.data(number)[1])["entities"]}

        def color(shape):
            return [shape["color"][channel] for channel in "rgba"]

        with Client(self.port) as page, Client(self.port, protocol=FOXGLOVE) as tool:
            page.subscribe_to(1, "/looks")
            self.assertEqual(decode_looks(page.data(1)[1]), {})
            tool.subscribe_to(1, "/scene")
            plain = color(update(tool)["wall"]["cubes"][0])
            self.call("simulation", "set", "wall.color", "[1, 0, 0.25]")
            # What nothing has changed of may be told twice.
            changed = {}
            while not changed:
                changed = decode_looks(page.data(1)[1])
            self.assertEqual(changed, {(wall, "color"): (1, 0, 0.25)})
            found = update(tool)
            self.assertEqual(list(found), ["wall"])
            self.assertEqual(color(found["wall"]["cubes"][0]), [1, 0, 0.25, 1])
            # A lamp is no entity.
            self.call("simulation", "set", "lamp.energy", "0.5")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "color"): (1, 0, 0.25), (lamp, "energy"): (0.5, 0, 0)})
            self.call("simulation", "set", "lamp.light_color", "[0, 0, 1]")
            self.assertEqual(decode_looks(page.data(1)[1])[lamp, "light"], (0, 0, 1))
            self.call("simulation", "set", "roof.color", "[0, 0, 1]")
            found = update(tool)
            self.assertEqual(sorted(found), ["roof", "wall"])
            model = found["roof"]["models"][0]
            self.assertEqual((model["override_color"], color(model)), (True, [0, 0, 1, 0.5]))
            with Client(self.port) as late, Client(self.port, protocol=FOXGLOVE) as late_tool:
                late.subscribe_to(4, "/looks")
                self.assertEqual(sorted(decode_looks(late.data(4)[1])),
                                 sorted([(wall, "color"), (lamp, "energy"), (lamp, "light"), (roof, "color")]))
                late_tool.subscribe_to(4, "/scene")
                found = update(late_tool, 4)
                self.assertEqual(color(found["wall"]["cubes"][0]), [1, 0, 0.25, 1])
                self.assertIn("robot", found)
            self.call("simulation", "reset")
            while decode_looks(page.data(1)[1]) != {}:
                pass
            found = update(tool)
            self.assertEqual(color(found["wall"]["cubes"][0]), plain)
            self.assertFalse(found["roof"]["models"][0]["override_color"])

    def test_sizes_that_change(self):
        """The page gets the factors, Foxglove the shapes in their new size, and both the scene's after a reset."""
        scene = json.loads(SCENE)
        scene["objects"].append({"name": "roof", "shapes": [{"kind": "mesh", "points": [[0, 0, 3], [1, 0, 3], [0, 1, 3]],
                                                             "triangles": [[0, 1, 2]]}]})
        self.view(scene=json.dumps(scene))
        names = [one["name"] for one in self.scene()["objects"]]
        wall, roof = (names.index(name) for name in ("wall", "roof"))

        def update(tool):
            return {one["id"]: one for one in json.loads(tool.data(1)[1])["entities"]}

        with Client(self.port) as page, Client(self.port, protocol=FOXGLOVE) as tool:
            page.subscribe_to(1, "/looks")
            self.assertEqual(decode_looks(page.data(1)[1]), {})
            tool.subscribe_to(1, "/scene")
            found = update(tool)
            size, model = found["wall"]["cubes"][0]["size"], found["roof"]["models"][0]["data"]
            self.call("simulation", "set", "wall.scale", "[1, 0.5, 2]")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "scale"): (1, 0.5, 2)})
            cube = update(tool)["wall"]["cubes"][0]["size"]
            self.assertEqual(cube, {"x": size["x"], "y": size["y"] / 2, "z": size["z"] * 2})
            self.call("simulation", "set", "roof.scale", "[2, 1, 1]")
            self.assertEqual(decode_looks(page.data(1)[1])[roof, "scale"], (2, 1, 1))
            found = update(tool)
            self.assertEqual(sorted(found), ["roof", "wall"])
            self.assertNotEqual(found["roof"]["models"][0]["data"], model)
            self.call("simulation", "reset")
            while decode_looks(page.data(1)[1]) != {}:
                pass
            found = update(tool)
            self.assertEqual((found["wall"]["cubes"][0]["size"], found["roof"]["models"][0]["data"]), (size, model))

    def test_materials_that_change(self):
        """The page is told which one it is; Foxglove has its mean colour, and that of the object if there is one."""
        scene = json.loads(SCENE)
        with open(self.path("half.png"), "wb") as file:
            file.write(make_png([[(255, 0, 0), (0, 0, 255)]], 8))
        scene["materials"] = [{"name": "rusty", "color": [1, 0.5, 0]}, {"name": "half", "texture": "half.png", "color": [1, 1, 0.5]}]
        self.view(scene=json.dumps(scene))
        described = self.scene()
        self.assertEqual(len(described["materials"]), 2)
        for name in described["materials"]:
            self.assertEqual(self.get("/assets/%s.glb" % name)[0], 200)
        wall = [one["name"] for one in described["objects"]].index("wall")

        def see(tool):
            update = json.loads(tool.data(1)[1])
            return [update["entities"][0]["cubes"][0]["color"][channel] for channel in "rgb"]

        with Client(self.port) as page, Client(self.port, protocol=FOXGLOVE) as tool:
            page.subscribe_to(1, "/looks")
            self.assertEqual(decode_looks(page.data(1)[1]), {})
            tool.subscribe_to(1, "/scene")
            tool.data(1)
            self.call("simulation", "set", "wall.material", "half")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "material"): (2, 0, 0)})
            self.assertEqual(see(tool), [0.5, 0, 0.25])
            self.call("simulation", "set", "wall.color", "[0, 1, 0]")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "color"): (0, 1, 0), (wall, "material"): (2, 0, 0)})
            self.assertEqual(see(tool), [0, 1, 0])

    def test_materials_at_the_start(self):
        """What an object has by its key is shown, although nothing has changed."""
        scene = json.loads(SCENE)
        scene["materials"] = [{"name": "blue", "color": [0, 0, 1]}, {"name": "rusty", "color": [1, 0.5, 0]}]
        next(one for one in scene["objects"] if one["name"] == "wall")["material"] = "rusty"
        self.view(scene=json.dumps(scene))
        wall = [one["name"] for one in self.scene()["objects"]].index("wall")
        with Client(self.port) as page, Client(self.port, protocol=FOXGLOVE) as tool:
            page.subscribe_to(1, "/looks")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "material"): (2, 0, 0)})
            tool.subscribe_to(1, "/scene")
            entities = {entity["id"]: entity for entity in json.loads(tool.data(1)[1])["entities"]}
            self.assertEqual([entities["wall"]["cubes"][0]["color"][channel] for channel in "rgb"], [1, 0.5, 0])
            self.call("simulation", "set", "wall.material", "")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "material"): (0, 0, 0)})

    def test_colours_that_changed_before_anybody_looked(self):
        self.view()
        self.call("simulation", "set", "wall.color", "[0, 0, 1]")
        self.call("simulation", "pause")
        wall = [one["name"] for one in self.scene()["objects"]].index("wall")
        with Client(self.port) as page, Client(self.port, protocol=FOXGLOVE) as tool:
            page.subscribe_to(1, "/looks")
            self.assertEqual(decode_looks(page.data(1)[1]), {(wall, "color"): (0, 0, 1)})
            tool.subscribe_to(1, "/scene")
            entities = {one["id"]: one for one in json.loads(tool.data(1)[1])["entities"]}
            self.assertEqual(entities["wall"]["cubes"][0]["color"], {"r": 0, "g": 0, "b": 1, "a": 1})

    def test_colours_that_change_all_the_time(self):
        """Foxglove is told of some of them, and of the last one in any case."""
        n = 40
        self.view()
        with Client(self.port, protocol=FOXGLOVE) as tool, \
                socket.create_connection(("127.0.0.1", int(self.services)), timeout=LIMIT) as caller:
            tool.subscribe_to(1, "/scene")
            tool.data(1)
            lines = caller.makefile("rw")
            for number in range(1, n + 1):
                lines.write("c simulation set [\"wall.color\", [%r, 0, 0]]\n" % (number / n))
                lines.flush()
                self.assertEqual(lines.readline().split()[1], "SUCCESS")
            found = []
            while not found or found[-1] < 1:
                wall, = [one for one in json.loads(tool.data(1)[1])["entities"] if one["id"] == "wall"]
                found.append(wall["cubes"][0]["color"]["r"])
            self.assertEqual(found, sorted(found))
            self.assertLess(len(found), n / 2)

    def test_a_reset_leaves_clients_where_they_are(self):
        self.view("--ticks", "3600")
        with Client(self.port) as client:
            client.subscribe_to(1, "/poses")
            client.subscribe_to(2, "/robot/pose")
            while decode_poses(client.data(1)[1])[1] < 20:
                pass
            self.call("simulation", "reset")
            while decode_poses(client.data(1)[1])[1] >= 20:
                pass
            client.data(2)


class Vendor(unittest.TestCase):
    def test_files_of_others_are_as_they_were(self):
        folder = os.path.join(SOURCE, "viewer/vendor")
        with open(os.path.join(folder, "SHA256SUMS"), encoding="ascii") as file:
            known = dict(reversed(line.split()) for line in file)
        found = {}
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.relpath(os.path.join(place, name), folder)
                with open(os.path.join(folder, path), "rb") as file:
                    found[path] = hashlib.sha256(file.read()).hexdigest()
        self.assertEqual({path: known.get(path) for path in found if path not in ("README.md", "SHA256SUMS")},
                         {path: sum_ for path, sum_ in found.items() if path not in ("README.md", "SHA256SUMS")})
        self.assertEqual(set(known) - set(found), set())


if __name__ == "__main__":
    tap.main()
