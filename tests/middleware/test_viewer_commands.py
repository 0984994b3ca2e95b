# SPDX-License-Identifier: BSD-3-Clause
"""Commands of clients of the viewer: who may, what they do, and what wrong ones get."""

import json
import os
import re
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import NODE_PATH, lacks_modules, need  # noqa: E402

import tap  # noqa: E402
from test_viewer import FOXGLOVE, OWN, Client, ViewerCase, decode_poses  # noqa: E402
from websocket_client import LIMIT, Socket  # noqa: E402

# It stays where it is until it is told to move; a way point is a call that is answered late.
SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 7 },
  "objects": [
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" },
      { "name": "motion", "classpath": "morse.actuators.v_omega.MotionVW" } ] },
    { "name": "other", "classpath": "morse.robots.atrv.ATRV", "position": [0, 5, 0], "objects": [
      { "name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint" } ] } ]
}
"""


class Commander(Client):
    """A client with the token."""

    def __init__(self, port, token, protocol=FOXGLOVE, **options):
        self.last = 0
        super().__init__(port, protocol, path="/?token=" + token, **options)

    def submit(self, service, arguments=None, encoding=b"json", data=None):
        """Service: a name, or a number that need not exist. Returns the number of the call."""
        number = service if isinstance(service, int) else self.services[service]["id"]
        data = json.dumps(arguments).encode() if data is None else data
        self.last += 1
        self.frame(2, struct.pack("<BIII", 2, number, self.last, len(encoding)) + encoding + data)
        return self.last

    def answer(self, call):
        """The result of a call, or the words of its failure as a KeyError."""
        while True:
            message = self.next()
            if isinstance(message, dict) and message.get("callId") == call:
                raise KeyError(message["message"])
            if isinstance(message, tuple) and message[:2] == (3, call):
                return json.loads(message[3])["result"]

    def call(self, service, arguments=None):
        return self.answer(self.submit(service, {} if arguments is None else arguments))

    def status(self):
        while True:
            message = self.next()
            if isinstance(message, dict) and message["op"] == "status":
                return message

    def values(self):
        while True:
            message = self.next()
            if isinstance(message, dict) and message["op"] == "parameterValues":
                return {one["name"]: one["value"] for one in message["parameters"]}

    def publish(self, channel, fields):
        data = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
        self.frame(2, struct.pack("<BI", 1, channel) + data)


class CommandCase(ViewerCase):
    options = ()

    def setUp(self):
        super().setUp()
        self.view("--control", *self.options, scene=SCENE)

    def client(self, **options):
        client = Commander(self.port, self.token, **options)
        self.addCleanup(client.close)
        return client

    def place(self, client, name="robot"):
        """Where an object is, by a service that changes nothing."""
        return client.call("/simulation/get_scene_objects")[name][1]


class Access(CommandCase):
    def refused(self, path, **headers):
        with self.assertRaisesRegex(ConnectionError, "403"):
            Socket(self.port, path=path, protocol=FOXGLOVE, **headers)

    def test_the_token_opens(self):
        self.assertRegex(self.token, "^[0-9a-f]{32}$")
        for path in ("/", "/?token=", "/?token=abc", "/?token=" + "0" * 32, "/?token=" + self.token[:-1],
                     "/?token=%s0" % self.token, "/?tokens=" + self.token):
            self.refused(path)
        self.refused("/", authorization="Bearer " + "0" * 32)
        for protocol in (FOXGLOVE, OWN):
            self.assertIn("services", self.client(protocol=protocol).info["capabilities"])
        Client(self.port, FOXGLOVE, authorization="Bearer " + self.token).close()

    def test_it_does_not_make_up_for_a_foreign_page_or_name(self):
        self.refused("/?token=" + self.token, origin="https://evil.example")
        self.refused("/?token=" + self.token, host="evil.example:%d" % self.port)
        self.client(origin="https://app.foxglove.dev")

    def test_each_run_has_another(self):
        token = self.token
        self.stop()
        self.view("--control", scene=SCENE)
        self.assertNotEqual(self.token, token)
        self.refused("/?token=" + token)

    def test_it_is_in_no_recording(self):
        """The log of the process has it, but not the log that recordings and streams carry on."""
        self.stop()
        path = self.path("run.mcap")
        self.view("--control", "--observer", "orrery.observers.recorder.Recorder " +
                  json.dumps({"file": path, "compression": "none", "states": 0.1}), scene=SCENE)
        with Commander(self.port, self.token) as client:
            client.call("/robot/motion/set_property", ["timeout", 2])
            client.call("/simulation/reset")
            client.call("/simulation/state")
        self.stop()
        for name in "run.mcap", "run-1.mcap":
            with open(self.path(name), "rb") as file:
                content = file.read()
            self.assertIn(b"set_property" if name == "run.mcap" else b"/orrery/log", content)
            self.assertFalse(self.token.encode() in content, name)

    def test_a_page_learns_why(self):
        for token, opens in ((self.token, True), ("0" * 32, False), ("", False)):
            status, _, body = self.get("/access.json?token=" + token)
            self.assertEqual((status, json.loads(body)), (200, {"opens": opens}))
        self.assertEqual(json.loads(self.get("/access.json")[2]), {"opens": False})
        # The page itself holds nothing secret.
        for path in ("/", "/scene.json"):
            self.assertNotIn(self.token.encode(), self.get(path)[2])

    def test_a_token_file_opens_too(self):
        self.stop()
        path = self.write("token", "a-token-of-a-file-0123456789\n")
        os.chmod(path, 0o600)
        self.view("--control", "--token-file", path, scene=SCENE)
        Commander(self.port, "a-token-of-a-file-0123456789", origin="https://lab.example").close()
        self.client()
        self.refused("/?token=" + self.token, origin="https://lab.example")


class LookOn(ViewerCase):
    def test_nothing_is_offered(self):
        self.view(scene=SCENE)
        self.assertIsNone(self.token)
        with Client(self.port, FOXGLOVE) as client:
            self.assertEqual(client.info["capabilities"], ["time", "assets", "connectionGraph"])
            for op, fields in (("advertise", {"channels": [{"id": 1, "topic": "/robot/motion", "encoding": "json"}]}),
                               ("getParameters", {"parameterNames": []}),
                               ("setParameters", {"parameters": [{"name": "robot.motion.timeout", "value": 1}]}),
                               ("subscribeParameterUpdates", {"parameterNames": []})):
                client.send(op, **fields)
                self.assertIn("only shows the run", client.text_message("status")["message"])
            for frame in (struct.pack("<BI", 1, 1) + b'{"v": 1}', struct.pack("<BIII", 2, 1, 1, 4) + b"json{}"):
                client.frame(2, frame)
                self.assertIn("takes no binary messages", client.text_message("status")["message"])

    def test_an_observer_alone_cannot(self):
        done = self.orrery("run", self.write("scene.json", SCENE), "--ticks", "1", "--observer",
                           'orrery.middleware.viewer.Viewer {"port": 0, "control": true}')
        self.check(done, 65, "commands need the request manager orrery.middleware.viewer.Control")

    def test_it_opens_a_port(self):
        self.check(self.orrery("run", self.write("scene.json", SCENE), "--control", "--offline"), 64, "--control opens a port")


    def test_the_address_has_to_be_seen(self):
        scene = self.write("scene.json", SCENE)
        self.check(self.orrery("run", scene, "--control", "--quiet"), 64, "--quiet hides the address")
        path = self.write("token", "a-token-of-a-file-0123456789\n")
        os.chmod(path, 0o600)
        self.check(self.orrery("run", scene, "--control", "--quiet", "--token-file", path, "--view-port", "0",
                               "--ticks", "1"), 0)

    def test_a_run_without_commands_is_the_same(self):
        scene = self.write("scene.json", SCENE)
        options = ("--ticks", "300", "--fast", "--hash", "--start", "0")
        found = [re.findall("hash.*", self.orrery("run", scene, *options, *more).stdout)
                 for more in ((), ("--control", "--view-port", "0"))]
        self.assertTrue(found[0])
        self.assertEqual(*found)


class Calls(CommandCase):
    def test_services(self):
        client = self.client()
        self.assertEqual(client.call("/simulation/list_robots"), ["robot", "other"])
        service = client.services["/robot/motion/set_speed"]
        schema = json.loads(service["request"]["schema"])
        self.assertEqual({name: one["type"] for name, one in schema["properties"].items()}, {"v": "number", "w": "number"})
        self.assertEqual(schema["required"], ["v", "w"])
        self.assertEqual(json.loads(client.services["/simulation/step"]["request"]["schema"])["properties"]["n"],
                         {"type": "integer", "default": 1})
        client.call("/robot/motion/set_speed", {"w": 0, "v": 1})
        while self.place(client)[0] < 0.1:
            pass
        client.call("/robot/motion/set_speed", [0, 0])

    def test_control_of_the_run(self):
        client = self.client()
        self.assertEqual(client.call("/simulation/pause"), "paused")
        ticks = client.call("/simulation/step", {"n": 3})
        self.assertEqual(client.call("/simulation/step"), ticks + 1)
        now = client.call("/time/now")
        self.assertEqual(client.call("/time/now"), now)
        client.call("/simulation/reset")
        self.assertEqual(client.call("/simulation/epoch"), 2)
        self.assertTrue(client.call("/time/set_time_scale", {"value": 2}))
        self.assertEqual(client.call("/simulation/resume"), "running")
        client.call("/simulation/quit")
        self.assertEqual(self.process.wait(LIMIT), 0)

    def test_wrong_calls(self):
        client = self.client()
        set_speed = "/robot/motion/set_speed"
        for service, options, words in (
                (99999, {"arguments": {}}, "no such service"), (0, {"arguments": {}}, "no such service"),
                (4294967295, {"arguments": {}}, "no such service"),
                (set_speed, {"arguments": {}, "encoding": b"cdr"}, "is json"),
                (set_speed, {"data": b"{"}, "request:1"), (set_speed, {"data": b"\xff\xfe"}, "request:1"),
                (set_speed, {"data": b"[" * 5000}, "request:1"),
                (set_speed, {"data": b"7"}, "by name, or a list"),
                (set_speed, {"arguments": {"v": 1, "q": 1}}, "no argument 'q'"),
                (set_speed, {"arguments": {"w": 1}}, "'v' is missing"),
                (set_speed, {"arguments": {"v": 1}}, "2 arguments"),
                (set_speed, {"arguments": {"v": "fast", "w": 0}}, "'v' of set_speed"),
                (set_speed, {"data": b""}, "2 arguments"),
                ("/simulation/step", {"arguments": {"n": 0}}, "from 1 to"),
                ("/simulation/load", {"arguments": {"scene": "../../etc/passwd"}}, "..")):
            with self.subTest(service=service, options=options):
                with self.assertRaises(KeyError) as caught:
                    client.answer(client.submit(service, **options))
                self.assertIn(words, caught.exception.args[0])
        for frame in (b"\2", b"\2\0\0\0", struct.pack("<BIII", 2, 1, 1, 4000000000) + b"json", b"\7abc", b""):
            client.frame(2, frame)
            self.assertEqual(client.status()["level"], 2)
        self.assertEqual(client.call("/simulation/list_robots"), ["robot", "other"])

    def test_a_huge_message_ends_the_connection(self):
        client = self.client()
        client.frame(2, struct.pack("<BIII", 2, 1, 1, 4) + b"json" + b" " * (300 * 1024))
        with self.assertRaises((EOFError, ConnectionError)):
            while True:
                client.next()
        self.client().call("/simulation/state")

    def test_ten_thousand_calls(self):
        """All of them are answered: done, or refused since too many wait."""
        client = self.client()
        number = client.services["/time/now"]["id"]
        client.socket.sendall(b"".join(Client.encode(2, struct.pack("<BIII", 2, number, call, 4) + b"json{}")
                                       for call in range(10000)))
        done, refused = set(), set()
        while len(done) + len(refused) < 10000:
            message = client.next()
            # What the channels of a client that is busy lose is told, too.
            if isinstance(message, dict) and message["op"] == "status" and message.get("id") == "slow":
                continue
            if isinstance(message, dict):
                self.assertIn("1000 calls of this client", message["message"])
                refused.add(message["callId"])
            elif message[0] == 3:
                done.add(message[1])
        self.assertFalse(done & refused)
        self.assertGreaterEqual(len(done), 1000)
        self.assertEqual(client.call("/simulation/state"), "running")

    def test_calls_end_with_their_client(self):
        """Only one way point is driven to at a time: the place is free when the client has gone."""
        client = self.client()
        client.submit("/other/waypoint/goto", [1000, 0, 0])
        other = self.client()
        self.assertEqual(other.call("/other/waypoint/get_status"), "Transit")
        client.close()
        while other.call("/other/waypoint/get_status") == "Transit":
            pass

    def test_one_call_is_cancelled(self):
        client, other = self.client(), self.client(protocol=OWN)
        sleeps = client.submit("/time/sleep", {"seconds": 0.5})
        drives = client.submit("/other/waypoint/goto", [1000, 0, 0])
        # The other client knows a call by the same number.
        others = [other.submit("/time/sleep", {"seconds": 0.5}) for _ in range(drives)]
        self.assertEqual(others[-1], drives)
        self.assertEqual(client.call("/other/waypoint/get_status"), "Transit")
        client.send("cancelServiceCall", callId=drives)
        with self.assertRaisesRegex(KeyError, "preempted|cancelled"):
            client.answer(drives)
        self.assertNotEqual(client.call("/other/waypoint/get_status"), "Transit")
        # All others are answered as ever.
        for number in others:
            other.answer(number)
        self.assertEqual([sleeps, drives], [1, 2])
        # What is done, and what never was, is not cancelled, and nothing is said of it.
        for number in (drives, others[0], 4294967295):
            client.send("cancelServiceCall", callId=number)
        self.assertEqual(client.call("/simulation/state"), "running")
        for wrong in ({}, {"callId": -1}, {"callId": "1"}, {"callId": 4294967296}, {"callId": [1]}):
            client.send("cancelServiceCall", **wrong)
            status = client.status()
            self.assertEqual(status["level"], 2)
            self.assertIn("'callId'", status["message"])

    def test_a_reset_and_another_scene(self):
        client = self.client()
        with open(os.path.join(self.directory, "next.json"), "w", encoding="utf-8") as file:
            file.write(SCENE.replace('"other"', '"another"'))
        client.call("/simulation/load", {"scene": "next.json"})
        # The scene has gone, and its clients are asked to come again.
        with self.assertRaises(EOFError):
            while True:
                client.next()
        self.assertEqual(self.client().call("/simulation/list_robots"), ["robot", "another"])

    def test_the_client_of_foxglove(self):
        need(self, lacks_modules("@foxglove/ws-protocol", "ws"))
        done = subprocess.run(["node", os.path.join(HERE, "viewer_commands_peer.js"), str(self.port), self.token],
                              capture_output=True, text=True, timeout=LIMIT, env=dict(os.environ, NODE_PATH=NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertEqual(seen["status"], [])
        self.assertEqual(seen["answers"]["/simulation/list_robots"], {"result": ["robot", "other"]})
        self.assertIn("nonesuch", seen["failures"]["/simulation/set_log_level"])
        self.assertEqual(seen["service"]["request"]["encoding"], "json")
        self.assertEqual(seen["parameters"], {
            "one": [{"name": "robot.motion.timeout", "value": 0, "type": "float64"}],
            "two": [{"name": "robot.motion.timeout", "value": 3.5, "type": "float64"}]})
        self.assertEqual(seen["heard"], seen["parameters"]["two"])


class Large(ViewerCase):
    def test_more_services_than_a_client_is_told_of(self):
        """Those that control the run are among them, and what is left out is said."""
        robots = [{"name": "a%d" % i, "classpath": "morse.robots.atrv.ATRV", "objects": [
            {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"}]} for i in range(2000)]
        self.view("--control", "--paused", scene=json.dumps({"orrery": 1, "objects": robots, "environment": {
            "physics": "orrery.physics.kinematic.Kinematic"}}))
        with Commander(self.port, self.token) as client:
            status = client.status()
            self.assertEqual((status["level"], status["id"]), (1, "services"))
            left = int(re.search(r"the last (\d+) services", status["message"]).group(1))
            self.assertGreater(left, 1000)
            self.assertNotIn("/a999/motion/stop", client.services)
            self.assertEqual(client.call("/simulation/state"), "paused")
            # They are there all the same, up to the last one.
            last = len(client.services) + left
            client.answer(client.submit(last, {}))
            with self.assertRaisesRegex(KeyError, "no such service"):
                client.answer(client.submit(last + 1, {}))


class Messages(CommandCase):
    options = ("--paused",)

    def advertise(self, client, **channel):
        client.send("advertise", channels=[dict({"id": 1, "topic": "/robot/motion", "encoding": "json"}, **channel)])

    def test_the_newest_wins(self):
        """Of many messages that come before a tick the last one counts."""
        client = self.client()
        self.advertise(client)
        for v in range(500):
            client.publish(1, {"v": v, "w": 0})
        client.publish(1, {"v": 6})
        client.call("/simulation/step", {"n": 11})
        # It drives from the tick on that follows the one in which it was told.
        x = self.place(client)[0]
        self.assertLess(x, 6 * 11 / 60 + 0.01)
        self.assertGreater(x, 6 * 9 / 60 - 0.01)

    def test_wrong_messages(self):
        client = self.client()
        for channel, words in (({"topic": "/robot/pose"}, "the topic of no actuator"),
                               ({"topic": "/nonesuch"}, "the topic of no actuator"), ({"topic": 7}, "an id, a topic"),
                               ({"id": -1}, "an id, a topic"), ({"id": "a"}, "an id, a topic"),
                               ({"encoding": "cdr"}, "are json"), ({"encoding": None}, "an id, a topic")):
            self.advertise(client, **channel)
            self.assertIn(words, client.status()["message"])
        client.send("advertise", channels=[7])
        self.assertIn("an id, a topic", client.status()["message"])
        client.publish(1, {"v": 1})
        self.assertIn("no channel 1", client.status()["message"])
        self.advertise(client)
        self.advertise(client)
        self.assertIn("advertised already", client.status()["message"])
        for data, words in ((b"{", "message:1"), (b"[1]", "an object of fields"), (b"", "message"),
                            (b'{"q": 1}', "no field q"), (b'{"v": "fast"}', "v"), (b'{"v": 1e999}', "")):
            client.publish(1, data)
            status = client.status()
            self.assertEqual(status["level"], 2)
            self.assertIn(words, status["message"])
        client.send("unadvertise", channelIds=[1, 1])
        self.assertIn("no channel 1", client.status()["message"])
        client.call("/simulation/step", {"n": 5})
        self.assertEqual(self.place(client)[0], 0)


class Parameters(CommandCase):
    def test_all_of_them(self):
        client = self.client()
        client.send("getParameters", parameterNames=[])
        found = client.values()
        self.assertEqual(found["robot.motion.timeout"], 0)
        self.assertEqual(found["other.waypoint.ObstacleAvoidance"], True)
        self.assertEqual(found["robot.motion.ControlType"], "Velocity")

    def test_setting(self):
        client, other = self.client(), self.client(protocol=OWN)
        other.send("subscribeParameterUpdates", parameterNames=[])
        # An answer shows that the subscription was read.
        other.call("/simulation/state")
        client.send("setParameters", parameters=[{"name": "other.waypoint.AngleTolerance", "value": 2},
                                                 {"name": "other.waypoint.FreeZ", "value": True}], id="x")
        self.assertEqual(client.values(), {"other.waypoint.AngleTolerance": 2, "other.waypoint.FreeZ": True})
        heard = {}
        while len(heard) < 2:
            heard.update(other.values())
        self.assertEqual(heard, {"other.waypoint.AngleTolerance": 2, "other.waypoint.FreeZ": True})

    def heard(self, client, *names):
        """What a client is told of parameters, until it knows them all."""
        found = {}
        while not all(name in found for name in names):
            found.update(client.values())
        return found

    def test_whoever_sets_them(self):
        """A call of a service, another server, a reset: all of them are told, and only to those who asked."""
        self.stop()
        services = {"robot.motion": "orrery.middleware.socket_request_manager.SocketRequestManager"}
        self.view("--control", scene=json.dumps(dict(json.loads(SCENE), component_service=services)))
        client, other = self.client(), self.client()
        client.send("subscribeParameterUpdates", parameterNames=["robot.motion.timeout", "other.waypoint.FreeZ"])
        client.call("/simulation/state")
        other.call("/other/waypoint/set_property", ["FreeZ", True])
        self.assertEqual(self.heard(client, "other.waypoint.FreeZ"), {"other.waypoint.FreeZ": True})
        other.call("/other/waypoint/set_property", ["AngleTolerance", 3])
        self.call("robot.motion", "set_property", '"timeout"', "2.5")
        self.assertEqual(self.heard(client, "robot.motion.timeout"), {"robot.motion.timeout": 2.5})
        # While the run is held, too.
        other.call("/simulation/pause")
        self.call("robot.motion", "set_property", '"timeout"', "3.5")
        self.assertEqual(self.heard(client, "robot.motion.timeout"), {"robot.motion.timeout": 3.5})
        other.call("/simulation/resume")
        other.call("/simulation/reset")
        self.assertEqual(self.heard(client, "robot.motion.timeout")["robot.motion.timeout"], 0)
        # Nobody hears of what he no longer wants to hear of.
        client.send("unsubscribeParameterUpdates", parameterNames=["robot.motion.timeout"])
        client.call("/simulation/state")
        self.call("robot.motion", "set_property", '"timeout"', "4.5")
        other.call("/other/waypoint/set_property", ["FreeZ", False])
        self.assertEqual(self.heard(client, "other.waypoint.FreeZ"), {"other.waypoint.FreeZ": False})
        client.send("unsubscribeParameterUpdates", parameterNames=[])
        client.call("/simulation/state")
        other.call("/other/waypoint/set_property", ["FreeZ", True])
        client.send("getParameters", parameterNames=["robot.motion.timeout"])
        self.assertEqual(client.values(), {"robot.motion.timeout": 4.5})

    def test_another_viewer(self):
        self.stop()
        self.process = self.start("run", self.write("scene.json", SCENE), "--control", "--view-port", "0", "--observer",
                                  'orrery.middleware.viewer.Viewer {"port": 0, "control": true}')
        places = [re.search(r"127\.0\.0\.1:(\d+)/#token=(\w+)", self.wait_for(self.process, "viewer now at ")).groups()
                  for _ in range(2)]
        clients = [Commander(int(port), token) for port, token in places]
        for client in clients:
            self.addCleanup(client.close)
            client.send("subscribeParameterUpdates", parameterNames=[])
            client.call("/simulation/state")
        clients[0].send("setParameters", parameters=[{"name": "robot.motion.timeout", "value": 1.5}])
        for client in clients:
            self.assertEqual(self.heard(client, "robot.motion.timeout"), {"robot.motion.timeout": 1.5})

    def test_wrong_ones(self):
        client = self.client()
        for parameters, words in (([{"name": "other.waypoint.Speed", "value": "fast"}], "Speed"),
                                  ([{"name": "other.waypoint.Speed"}], "cannot be unset"),
                                  ([{"name": "other.waypoint.nonesuch", "value": 1}], "nonesuch"),
                                  ([{"name": "nonesuch.Speed", "value": 1}], "nonesuch"),
                                  ([{"name": "Speed", "value": 1}], "PART.PROPERTY"),
                                  ([{"name": "other.waypoint.Target", "value": "x"}], "read when the simulation starts"),
                                  ([{"value": 1}], "has a name"), ([7], "has a name"), (7, "a list 'parameters'")):
            with self.subTest(parameters=parameters):
                client.send("setParameters", parameters=parameters)
                status = client.status()
                self.assertEqual(status["level"], 2)
                self.assertIn(words, status["message"])
        client.send("getParameters", parameterNames=["x"] * 10001)
        self.assertIn("at most 10000", client.status()["message"])
        client.send("getParameters", parameterNames=["other.waypoint.Speed"])
        self.assertEqual(client.values(), {"other.waypoint.Speed": 1})


class Ends(ViewerCase):
    def test_a_run_that_ended_is_held(self):
        self.view("--control", "--stay", "--ticks", "30", "--fast", "--paused", scene=SCENE)
        with Commander(self.port, self.token, OWN) as client:
            numbers = {"%s %s" % (one["part"], one["service"]): one["id"] for one in client.services.values()}
            client.submit(numbers["simulation resume"], {})
            self.wait_for(self.process, "its page may let it go on, until Ctrl-C")
            self.assertEqual(client.answer(client.submit(numbers["simulation state"], {})), "paused")
            self.assertEqual(client.answer(client.submit(numbers["simulation step"], {})), 31)
            client.subscribe_to(1, "/poses")
            while decode_poses(client.data(1)[1])[1] < 31:
                pass
        self.assertEqual(self.stop(), 0)

    def test_what_waits_is_told_that_the_run_has_ended(self):
        self.view("--control", scene=SCENE)
        with Commander(self.port, self.token) as client:
            call = client.submit("/time/sleep", {"seconds": 1e6})
            client.call("/simulation/quit")
            with self.assertRaisesRegex(KeyError, "ends|cancel|preempt|ended"):
                client.answer(call)
        self.process.communicate(timeout=LIMIT)


if __name__ == "__main__":
    tap.main()
