# SPDX-License-Identifier: BSD-3-Clause
"""Streams and services over MQTT, with mosquitto as the broker, and with brokers that are away, old, silent or unwilling."""

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

from clients import HERE, MIDDLEWARE, PUBLISHER, READER, ClientCase, free_port

sys.path.insert(0, HERE)

import broker  # noqa: E402
from broker import LIMIT, Client, Mosquitto, OldBroker  # noqa: E402

import held  # noqa: E402
import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402
from support import BUILD  # noqa: E402

MANAGER = MIDDLEWARE + "mqtt_datastream.MqttDatastreamManager"
REQUESTS = MIDDLEWARE + "mqtt_request_manager.MqttRequestManager"
POSE = {"name": "pose", "classpath": "morse.sensors.pose.Pose"}
MOTION = {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"}
MODULE = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/middleware/mqtt_datastream.so")


def missing():
    if not os.path.exists(MODULE):
        return "built without libmosquitto"
    if broker.MOSQUITTO is None:
        return "mosquitto is not installed"
    if broker.paho is None:
        return "python3-paho-mqtt is not installed"
    return None


@unittest.skipIf(missing() is not None, missing())
class MqttCase(ClientCase):
    def mqtt_scene(self, port, stream=None, environment=None, services=True, objects=(POSE, MOTION), codec=PUBLISHER,
                   everything=False, **options):
        tables = {
            "component_datastream": {"robot.pose": [[MANAGER, codec, stream or {}]], "robot.motion": [[MANAGER, READER, {}]]},
            "stream_manager": {MANAGER: dict({"port": port}, **options)},
        }
        if services:
            tables["component_service"] = {"robot.motion": [REQUESTS]}
        if everything:
            tables["component_service"]["simulation"] = [REQUESTS]
        return self.scene(list(objects), environment, **tables)

    def run_mqtt(self, port, *arguments, **options):
        """Starts a scene; returns when the broker knows it."""
        process = self.start("run", self.mqtt_scene(port, **options), "--plugin-dir", self.plugins, *arguments)
        self.wait_for(process, "on the broker at 127.0.0.1:%d" % port)
        return process

    def refused(self, *words, port=None, **options):
        """A run that ends before its first tick, with these words."""
        done = self.orrery("run", self.mqtt_scene(port or free_port(), **options), "--for", "1", "--plugin-dir", self.plugins)
        self.assertNotIn(done.returncode, (0, 1), done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        return done

    def call(self, client, topic, arguments, **more):
        client.publish("orrery/" + topic, dict({"arguments": arguments}, **more))
        return json.loads(client.next().payload)


class Streams(MqttCase):
    def test_records_go_out_as_json(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/robot/pose")
        record = json.loads(client.next().payload)
        self.assertEqual(sorted(record), ["pitch", "roll", "timestamp", "x", "y", "yaw", "z"])
        self.finish(process)

    def test_a_command_moves_the_robot(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/robot/pose")
        client.publish("orrery/robot/motion/set", {"v": 2.0, "w": 0.0})
        client.await_record(lambda record: record["x"] > 0.1)
        self.finish(process)

    def test_topic_prefix_and_retain_are_options(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, prefix="field/7", services=False, stream={"topic": "elsewhere/it", "retain": True})
        first = Client(self, server.port, "elsewhere/it")
        first.next()
        self.finish(process)
        late = Client(self, server.port, "#")
        kept = {message.topic: message.payload for message in (late.next(), late.next(), late.next())}
        self.assertEqual(sorted(kept), ["elsewhere/it", "field/7/info", "field/7/status"])
        self.assertEqual(kept["field/7/status"], b"offline")

    def test_a_latched_topic_is_retained_and_others_are_not(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, codec="trial.latched.Publisher")
        Client(self, server.port, "orrery/every").next()
        late = Client(self, server.port, "orrery/frames/once", "orrery/every")
        seen = [late.next(), late.next()]
        self.assertEqual([message.payload for message in seen if message.retain], [b'"once"'])
        self.finish(process)

    def test_info_says_what_there_is(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/info")
        info = client.await_record(lambda info: "services" in info)
        self.assertIn({"name": "robot.motion", "topic": "orrery/robot/motion/set", "direction": "IN"}, info["streams"])
        self.assertIn("set_speed", info["services"]["robot.motion"])
        self.finish(process)

    def test_bad_payloads_change_nothing(self):
        """Each is refused; the robot drives as the next good one says."""
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/robot/pose")
        for payload in (b"", b"[", b"\xff\xfe", b'{"v": "fast", "w": 0}', b'{"v": NaN, "w": 0}', b"7", b"[" * 100000,
                        b'{"v": 1e999, "w": 0}', b'{"v": 1.0, "w": 0.0}' + b" " * (10 << 20)):
            client.publish("orrery/robot/motion/set", payload)
        self.assertEqual(json.loads(client.next().payload)["x"], 0)
        client.publish("orrery/robot/motion/set", {"v": 2.0, "w": 0.0})
        client.await_record(lambda record: record["x"] > 0.1)
        self.assertIn("of 10485780 bytes is refused: the most is 1 MiB", self.finish(process))

    def test_a_retained_command_is_none(self):
        server = Mosquitto(self)
        client = Client(self, server.port, "orrery/robot/pose", version=4)
        client.publish("orrery/robot/motion/set", {"v": 2.0, "w": 0.0}, retain=True)
        process = self.run_mqtt(server.port)
        for _ in range(20):
            self.assertEqual(json.loads(client.next().payload)["x"], 0)
        self.finish(process)

    def test_who_never_reads_stops_nobody(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, environment={"frequency": 1000})
        Client(self, server.port, "orrery/robot/pose", reads=False)
        client = Client(self, server.port, "orrery/robot/pose")
        first = json.loads(client.next().payload)["timestamp"]
        client.await_record(lambda record: record["timestamp"] > first + 2)
        self.finish(process)

    def test_a_run_that_is_checked_connects_to_nobody(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.check(self.orrery("check", self.mqtt_scene(listener.getsockname()[1])), 0)
            self.assertEqual(select.select([listener], [], [], 0)[0], [])


class Options(MqttCase):
    def test_topics_that_are_none_name_the_option(self):
        for topic, why in (("a/+/b", "stand for many"), ("#", "stand for many"), ("", "empty"), ("$SYS/x", "broker"),
                           ("a\nb", "control"), ("/a", "before or behind"), ("a//b", "before or behind"),
                           ("x" * 1025, "1024"), ("orrery/status", "kept for the simulation")):
            with self.subTest(topic=topic[:20]):
                self.refused("option 'topic'", why, stream={"topic": topic})
        self.refused("option 'prefix'", prefix="a/#")
        self.refused("option 'client_id'", client_id="a\tb")

    def test_other_options_are_judged(self):
        self.refused("did you mean", "queue", stream={"queu": 3})
        self.refused("property 'qos'", "0 to 2", stream={"qos": 3})
        self.refused("property 'queue'", stream={"queue": 0})
        self.refused("property 'retain'", stream={"retain": "yes"})
        self.refused("needs the option 'user'", password_file="x")
        self.refused("belong together", tls=True, cert_file="x")
        self.refused("needs the option 'tls'", ca_file="x")
        self.refused("keepalive", keepalive=1)

    def test_both_managers_have_one_connection(self):
        """What the services do not say is as the streams say; what they say otherwise is an error."""
        port = free_port()
        with open(self.mqtt_scene(port), encoding="utf-8") as file:
            scene = json.load(file)
        scene["stream_manager"][REQUESTS] = {"port": port, "prefix": "other"}
        done = self.orrery("run", self.write("two.json", json.dumps(scene)), "--for", "1", "--plugin-dir", self.plugins)
        self.assertNotIn(done.returncode, (0, 1))
        self.assertIn("option 'prefix' differs between the streams and the services", done.stderr)


class Calls(MqttCase):
    def test_version_5(self):
        """The answer goes where the message says, with what it brought along."""
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "my/answers")
        client.publish("orrery/simulation/call/list_robots", "[]", ResponseTopic="my/answers", CorrelationData=b"\x00\xff")
        message = client.next()
        self.assertEqual(json.loads(message.payload), {"status": "SUCCESS", "result": ["robot"]})
        self.assertEqual(message.properties.CorrelationData, b"\x00\xff")
        self.finish(process)

    def test_version_3(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/reply/me", version=4)
        self.assertEqual(self.call(client, "simulation/call/list_robots", [], reply="me", id="a"),
                         {"id": "a", "status": "SUCCESS", "result": ["robot"]})
        self.assertEqual(self.call(client, "robot/motion/call/set_speed", [1.0, 0.0], reply="me", id=7),
                         {"id": 7, "status": "SUCCESS", "result": None})
        self.finish(process)

    def test_calls_that_wait(self):
        """While no tick is made, 16 MiB of calls wait; the others are answered at once."""
        server, gate = Mosquitto(self), held.Gate(self)
        process = self.run_mqtt(server.port, objects=(POSE, MOTION, held.OBJECT))
        client = Client(self, server.port, "orrery/reply/me")
        self.assertEqual(self.call(client, "robot/motion/call/set_speed", [0.0, 0.0], reply="me")["status"], "SUCCESS")
        gate.hold(process.pid)
        for i in range(40):
            client.publish("orrery/robot/motion/call/set_speed",
                           json.dumps({"arguments": [0.5, 0.0], "reply": "me", "id": i}) + " " * 1000000)
        for i in range(16, 40):
            answer = json.loads(client.next().payload)
            self.assertEqual((answer["id"], answer["status"]), (i, "FAILED"))
            self.assertRegex(answer["result"], r"^robot.motion set_speed: the requests that wait for the simulation have "
                                               r"1600\d+ bytes, this one has 1000\d+, and the limit is 16777216$")
        if not is_sanitized():
            self.assertLess(gate.growth(), 32 << 20)
        gate.release()
        for i in range(16):
            answer = json.loads(client.next().payload)
            self.assertEqual((answer["id"], answer["status"]), (i, "SUCCESS"))
        self.assertIn("requests were refused, 24 so far, 0 of them without an answer", self.finish(process))

    def test_calls_of_many_small_values(self):
        """What counts until the answer is what they take here, which is more than their text."""
        server, gate = Mosquitto(self), held.Gate(self)
        process = self.run_mqtt(server.port, objects=(POSE, MOTION, held.OBJECT))
        client = Client(self, server.port, "orrery/reply/me")
        self.call(client, "robot/motion/call/set_speed", [0.0, 0.0], reply="me")
        gate.hold(process.pid)
        for i in range(2):
            client.publish("orrery/robot/motion/call/set_speed",
                           '{"id":%d,"reply":"me","arguments":[%s]}' % (i, ",".join(["0"] * 500000)))
        for i in range(2, 17):
            client.publish("orrery/robot/motion/call/set_speed", '{"id":%d,"reply":"me"}' % i + " " * 1000000)
        # That the last one is refused says that the others have come.
        self.assertEqual(json.loads(client.next().payload)["id"], 16)
        gate.release()
        words = {answer["id"]: answer["result"] for answer in (json.loads(client.next(120).payload) for _ in range(16))}
        self.assertIn("500000", words[0])
        self.assertRegex(words[1], r"calls that wait for an answer have 1\d{7} bytes, .* the limit is 16777216")
        self.finish(process)

    def test_what_is_wrong_is_answered(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/reply/me")
        for arguments in ([1], [1, "x"], [1, float("nan")], 3, "x", {}):
            answer = self.call(client, "robot/motion/call/set_speed", arguments, reply="me", id=1)
            self.assertEqual((answer["id"], answer["status"]), (1, "FAILED"), arguments)
        self.assertEqual(self.call(client, "robot/motion/call/fly", [], reply="me")["status"], "FAILED")
        answer = self.call(client, "simulation/call/list_robots", [], reply="me", argument=1)
        self.assertRegex(answer["result"], "a call has no 'argument'.*arguments")
        self.finish(process)

    def test_what_ends_or_replaces_the_run_is_asked_for_by_the_scene(self):
        """A broker does not tell who calls."""
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/reply/me")
        for service, arguments in ("quit", []), ("terminate", []), ("save", ["x"]), ("restore", ["x"]), ("load", ["a.py"]):
            answer = self.call(client, "simulation/call/" + service, arguments, reply="me")
            self.assertRegex(answer["result"], "'simulation %s' is not offered here.*component_service" % service)
        self.assertEqual(self.call(client, "simulation/call/list_robots", [], reply="me")["result"], ["robot"])
        self.finish(process)

    def test_what_ends_the_run_is_there_if_the_scene_says_so(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, everything=True)
        client = Client(self, server.port, "orrery/reply/me")
        self.assertEqual(self.call(client, "simulation/call/quit", [], reply="me")["status"], "SUCCESS")
        self.assertEqual(process.wait(LIMIT), 0)

    def test_bytes_that_are_no_call_are_answered_by_version_5(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "mine")
        for payload in (b"[", b"\xff", b"\x00", b"7", b'{"reply": "a/b"}', b'{"id": []}', b"[" * 1000):
            client.publish("orrery/simulation/call/list_robots", payload, ResponseTopic="mine")
            self.assertEqual(json.loads(client.next().payload)["status"], "FAILED", payload[:20])
        self.finish(process)

    def test_an_answer_is_no_command(self):
        """Below the prefix, answers go to the topics for replies only."""
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/robot/motion/set", "orrery/reply/me")
        client.publish("orrery/simulation/call/list_robots", "[]", ResponseTopic="orrery/robot/motion/set")
        client.publish("orrery/simulation/call/list_robots", "[]", ResponseTopic="orrery/reply/me")
        self.assertEqual(client.next().topic, "orrery/reply/me")
        self.finish(process)

    def test_a_call_is_cancelled(self):
        """By its address and its id."""
        server = Mosquitto(self)
        waypoint = {"name": "motion", "classpath": "morse.actuators.waypoint.Waypoint"}
        process = self.run_mqtt(server.port, objects=(POSE, waypoint))
        client = Client(self, server.port, "orrery/reply/me")
        client.publish("orrery/robot/motion/call/goto", {"arguments": [1000, 0, 0], "id": 1, "reply": "me"})
        client.publish("orrery/cancel", {"id": 2, "reply": "me"})
        client.publish("orrery/cancel", {"id": 1, "reply": "you"})
        self.assertEqual(self.call(client, "simulation/call/list_robots", [], reply="me", id=3)["id"], 3)
        client.publish("orrery/cancel", {"id": 1, "reply": "me"})
        self.assertEqual(json.loads(client.next().payload), {"id": 1, "status": "PREEMPTED", "result": None})
        self.finish(process)

    def test_the_end_answers_what_waits(self):
        server = Mosquitto(self)
        waypoint = {"name": "motion", "classpath": "morse.actuators.waypoint.Waypoint"}
        process = self.run_mqtt(server.port, objects=(POSE, waypoint))
        client = Client(self, server.port, "orrery/reply/me", "orrery/status")
        client.await_payload(b"online")
        client.publish("orrery/robot/motion/call/goto", {"arguments": [1000, 0, 0], "id": 1, "reply": "me"})
        self.call(client, "simulation/call/list_robots", [], reply="me")
        self.finish(process)
        self.assertEqual(json.loads(client.next().payload)["status"], "PREEMPTED")
        self.assertEqual(client.next().payload, b"offline")

    def test_calls_without_a_stream(self):
        """The options of the stream manager are those of the connection."""
        server = Mosquitto(self)
        scene = self.scene([MOTION], component_service={"simulation": [REQUESTS]},
                           stream_manager={MANAGER: {"port": server.port, "prefix": "p"}})
        process = self.start("run", scene)
        self.wait_for(process, "on the broker at 127.0.0.1:%d" % server.port)
        client = Client(self, server.port, "p/reply/me")
        client.publish("p/simulation/call/list_robots", {"reply": "me"})
        self.assertEqual(json.loads(client.next().payload)["result"], ["robot"])
        self.finish(process)


class Absence(MqttCase):
    def test_a_run_goes_on_without_a_broker(self):
        port = free_port()
        process = self.start("run", self.mqtt_scene(port), "--plugin-dir", self.plugins)
        self.wait_for(process, "no broker at 127.0.0.1:%d: Connection refused; not on a stream: robot.pose" % port)
        self.wait_for(process, "[SCENE INITIALIZED]")
        server = Mosquitto(self, port=port)
        client = Client(self, server.port, "orrery/robot/pose")
        client.publish("orrery/robot/motion/set", {"v": 2.0, "w": 0.0})
        client.next()
        client.publish("orrery/robot/motion/set", {"v": 2.0, "w": 0.0})
        client.await_record(lambda record: record["x"] > 0.1)
        log = self.finish(process)
        self.assertEqual(log.count("no broker"), 0)  # it was told once, above

    def test_the_will(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port)
        client = Client(self, server.port, "orrery/status")
        client.await_payload(b"online")
        process.kill()
        client.await_payload(b"offline")
        late = Client(self, server.port, "orrery/status").next()
        self.assertEqual((late.payload, late.retain), (b"offline", True))

    def restart(self, process, server):
        """Kills the broker and starts it again; the run hears of it when a client listens."""
        before = Client(self, server.port, "orrery/robot/pose", qos=1)
        killed_at = json.loads(before.next().payload)["timestamp"]
        server.kill()
        self.wait_for(process, "the broker at 127.0.0.1:%d is away" % server.port)
        time.sleep(0.5)  # what is sent meanwhile has to wait: half a second of messages
        process.send_signal(signal.SIGSTOP)
        server.start()
        client = Client(self, server.port, "orrery/robot/pose", "orrery/frames/once", qos=1)
        process.send_signal(signal.SIGCONT)
        return client, killed_at

    def test_a_short_queue_keeps_the_newest(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, environment={"frequency": 1000}, stream={"qos": 1, "queue": 10}, services=False)
        client, killed_at = self.restart(process, server)
        times = [json.loads(client.next().payload)["timestamp"] for _ in range(100)]
        late = [each for each in times if each > killed_at + 0.25]
        self.assertGreater(len(late), 60)
        self.assertIn("the oldest messages are lost", self.finish(process))

    def test_a_broker_that_has_forgotten_is_told_again(self):
        """What is retained, what is subscribed, and that the run is there."""
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, codec="trial.latched.Publisher")
        Client(self, server.port, "orrery/frames/once").next()
        server.kill()
        server.start()
        self.wait_for(process, "again on the broker")
        client = Client(self, server.port, "orrery/frames/once", "orrery/status", "orrery/info", "orrery/reply/me")
        kept = {message.topic: message.payload for message in (client.next(), client.next(), client.next())}
        self.assertEqual(kept["orrery/frames/once"], b'"once"')
        self.assertEqual(kept["orrery/status"], b"online")
        self.assertIn("orrery/info", kept)
        self.assertEqual(self.call(client, "simulation/call/list_robots", [], reply="me")["status"], "SUCCESS")
        self.finish(process)

    def test_a_broker_that_says_nothing_holds_nobody(self):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]
            process = self.start("run", self.mqtt_scene(port), "--plugin-dir", self.plugins, "--for", "2")
            self.wait_for(process, "no broker at 127.0.0.1:%d: it does not answer" % port)
            _, log = process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 0, log)

    def test_a_broker_that_answers_by_half_holds_nobody(self):
        """Half of what it says to a new client, and then nothing."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            port = listener.getsockname()[1]

            def answer():
                peer, _ = listener.accept()
                self.addCleanup(peer.close)
                peer.recv(4096)
                peer.sendall(b"\x20\x03\x00")
            threading.Thread(target=answer, daemon=True).start()
            process = self.start("run", self.mqtt_scene(port), "--plugin-dir", self.plugins, "--for", "2")
            self.wait_for(process, "no broker at 127.0.0.1:%d: it does not answer" % port)
            _, log = process.communicate(timeout=LIMIT)
            self.assertEqual(process.returncode, 0, log)

    def test_a_broker_that_stops_reading_holds_nobody(self):
        server = Mosquitto(self)
        process = self.run_mqtt(server.port, "--for", "4", environment={"frequency": 1000}, services=False)
        server.process.send_signal(signal.SIGSTOP)
        self.addCleanup(server.process.send_signal, signal.SIGCONT)
        began = time.monotonic()
        _, log = process.communicate(timeout=LIMIT)
        self.assertEqual(process.returncode, 0, log)
        self.assertLess(time.monotonic() - began, 10)

    def test_two_runs_with_one_client_id(self):
        """The broker gives each the place of the other, until one gives in and says why."""
        server = Mosquitto(self)
        first = self.run_mqtt(server.port, client_id="twin")
        second = self.run_mqtt(server.port, client_id="twin", prefix="second")
        self.wait_for(first, "perhaps another client has the client_id 'twin'")
        client = Client(self, server.port, "second/robot/pose")
        began = json.loads(client.next().payload)["timestamp"]
        client.await_record(lambda record: record["timestamp"] > began + 2)
        self.finish(second)
        self.finish(first)


class OtherBrokers(MqttCase):
    def drive_by_old_broker(self, server):
        process = self.start("run", self.mqtt_scene(server.port), "--plugin-dir", self.plugins)
        self.wait_for(process, "(MQTT 3.1.1)")
        self.assertEqual(server.levels[-1], 4)
        while server.subscriptions.get(timeout=LIMIT) != "orrery/simulation/call/+":
            pass
        self.assertEqual(server.await_message("orrery/status"), b"online")
        server.send("orrery/simulation/call/list_robots", b'{"reply":"me"}')
        self.assertEqual(json.loads(server.await_message("orrery/reply/me"))["result"], ["robot"])
        self.finish(process)
        self.assertEqual(server.await_message("orrery/status"), b"offline")

    def test_one_that_refuses_version_5(self):
        self.drive_by_old_broker(OldBroker(self))

    def test_one_that_closes_at_version_5(self):
        self.drive_by_old_broker(OldBroker(self, silent_refusal=True))


class Secrets(MqttCase):
    def password_file(self, text, mode=0o600):
        path = self.write("password", text)
        os.chmod(path, mode)
        return path

    def guarded(self):
        """A broker with one user, `robot`."""
        users = self.write("users", "")
        os.chmod(users, 0o644)
        os.chmod(self.directory, 0o755)
        subprocess.run(["mosquitto_passwd", "-b", users, "robot", "open sesame"], check=True, capture_output=True)
        os.chmod(users, 0o644)
        return Mosquitto(self, "allow_anonymous false", "password_file " + users)

    def test_a_password(self):
        server = self.guarded()
        process = self.run_mqtt(server.port, user="robot", password_file=self.password_file("open sesame\nand more\n"))
        self.finish(process)

    def test_a_wrong_password(self):
        server = self.guarded()
        self.refused("no connection to the broker at 127.0.0.1:%d" % server.port, "uthori", port=server.port, user="robot",
                     password_file=self.password_file("sesame\n"))
        self.refused("uthori", port=server.port, services=False)

    def test_a_file_that_others_can_read(self):
        self.refused("password_file", "chmod 600", user="robot", password_file=self.password_file("x\n", 0o644))
        self.refused("password_file", "No such file", user="robot", password_file=self.path("none"))
        self.refused("first line", user="robot", password_file=self.password_file("\nx\n"))

    def certificate(self):
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                        "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", self.path("key.pem"), "-out",
                        self.path("cert.pem")], check=True, capture_output=True)
        for name in ("key.pem", "cert.pem"):
            os.chmod(self.path(name), 0o644)
        os.chmod(self.directory, 0o755)
        return self.path("cert.pem")

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_tls(self):
        certificate = self.certificate()
        server = Mosquitto(self, "allow_anonymous true", "certfile " + certificate, "keyfile " + self.path("key.pem"))
        process = self.run_mqtt(server.port, tls=True, ca_file=certificate)
        client = subprocess.run(["mosquitto_sub", "--cafile", certificate, "-p", str(server.port), "-h", "127.0.0.1", "-t",
                                 "orrery/robot/pose", "-C", "1", "-W", str(LIMIT)], capture_output=True, text=True)
        self.assertIn("timestamp", client.stdout, client.stderr)
        self.finish(process)
        self.refused("certificate verify failed", port=server.port, tls=True)

    def test_a_file_of_tls_that_is_not_there(self):
        self.refused("option 'ca_file'", "No such file", tls=True, ca_file=self.path("none"))


if __name__ == "__main__":
    tap.main()
