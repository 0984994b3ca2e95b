# SPDX-License-Identifier: BSD-3-Clause
"""Nodes of ROS 2 among programs that do what its two libraries of DDS do: topics, services, the graph, and peers that
come, go and misbehave."""

import itertools
import os
import signal
import socket
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import tap  # noqa: E402
from support import need  # noqa: E402

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from test_ros_node import Program  # noqa: E402

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", "build")
STRING = "std_msgs/msg/String"
HASH = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
WIRE_STRING = "std_msgs::msg::dds_::String_"
BOOL = "std_srvs/srv/SetBool"
WIRE_BOOL = "std_srvs::srv::dds_::SetBool"
YES = "0001000001000000"
FINE = "00010000" + "01000000" + "03000000" + "66690000"  # {true, "fi"}
DOMAINS = itertools.count(1)


def packed(text):
    """The bytes of a std_msgs/String, in hexadecimal."""
    return (b"\0\1\0\0" + struct.pack("<I", len(text) + 1) + text.encode() + b"\0").hex()


def program(name):
    return os.path.join(BUILD, "tests/middleware", name)


def why_not(*names):
    """DDS announces itself on every interface: it has a network of its own, or does not run."""
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        return "this network is shared with others, and DDS would talk to them"
    missing = [name for name in names if not os.path.exists(program(name))]
    return missing and "built without: " + ", ".join(missing)


class Graph:
    """A ParticipantEntitiesInfo, taken apart by hand."""

    def __init__(self, data, gid):
        self.data, self.at, self.gid = data, 4, gid
        self.own = self.take_gid()
        self.nodes = {}
        for _ in range(self.number()):
            space, name = self.text(), self.text()
            self.nodes[space, name] = [self.gids(), self.gids()]

    def take_gid(self):
        self.at += self.gid
        return self.data[self.at - self.gid:self.at]

    def number(self):
        self.at += -self.at % 4 + 4
        return struct.unpack("<I", self.data[self.at - 4:self.at])[0]

    def text(self):
        length = self.number()
        self.at += length
        return self.data[self.at - length:self.at - 1].decode()

    def gids(self):
        return [self.take_gid() for _ in range(self.number())]


class DdsCase(unittest.TestCase):
    def setUp(self):
        need(self, why_not("dds-trial", "dds-peer"))
        self.domain = str(next(DOMAINS))
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("ROS_")}

    def run_program(self, *arguments, **variables):
        started = Program(arguments, dict(self.environment, **variables))
        self.addCleanup(started.kill)
        return started

    def node(self, *options):
        trial = self.run_program(program("dds-trial"), "domain=" + self.domain, *options)
        trial.await_line("node ")
        return trial

    def peer(self, *options, domain=None):
        peer = self.run_program(program("dds-peer"), domain or self.domain, *options)
        peer.await_line("peer ready")
        return peer

    def cyclone(self):
        need(self, why_not("cyclone-peer"))
        peer = self.run_program(program("cyclone-peer"), self.domain)
        peer.await_line("peer ready")
        return peer

    def tell(self, other, *lines):
        for line in lines:
            self.assertTrue(other.ask(line).endswith(" ok"), other.seen)

    def advertise(self, trial, topic="/chatter", quality="r", depth=0, queue=10):
        self.tell(trial, "advertise %s %s %s %s %d %d" % (topic, STRING, HASH, quality, depth, queue))

    def reader(self, quality="r", topic="rt/chatter", **options):
        peer = self.peer(**options)
        self.tell(peer, "reader %s %s %s" % (topic, WIRE_STRING, quality))
        return peer


class Topics(DdsCase):
    def test_to_fast_dds(self):
        trial, peer = self.node(), self.reader()
        self.advertise(trial)
        trial.await_line("listening /chatter 1")
        peer.await_line("writers rt/chatter 1")
        self.tell(trial, "publish /chatter " + packed("good day"))
        self.assertIn(packed("good day"), peer.await_line("message rt/chatter"))
        self.tell(peer, "drop rt/chatter")
        trial.await_line("listening /chatter 0")

    def test_to_cyclone_dds(self):
        trial, peer = self.node(), self.cyclone()
        self.advertise(trial)
        self.tell(peer, "reader rt/chatter r")
        peer.await_line("writers 1")
        trial.await_line("listening /chatter 1")
        self.tell(trial, "publish /chatter " + packed("goodday"))
        peer.await_line("message goodday")

    def test_from_fast_dds_reliable_and_not(self):
        trial = self.node()
        self.tell(trial, "subscribe /chatter %s - b 1" % STRING)
        for quality in "rb":
            peer = self.peer()
            self.tell(peer, "writer rt/chatter %s %s" % (WIRE_STRING, quality))
            peer.await_line("readers rt/chatter 1")
            self.hear(trial, peer, packed("a" * 10), "010f", "has 10")
            peer.end()

    def hear(self, trial, peer, text, *words):
        """A best-effort reader may know its writer later than the writer knows it."""
        while True:
            self.tell(peer, "write rt/chatter " + text)
            if trial.ask("publishers /chatter") == "publishers 1":
                break
        self.tell(peer, "write rt/chatter " + text)
        trial.await_line("message /chatter", *words)

    def test_from_cyclone_dds(self):
        trial, peer = self.node(), self.cyclone()
        self.tell(trial, "subscribe /chatter %s - r 5" % STRING, )
        self.tell(peer, "writer rt/chatter l")
        self.tell(peer, "write four")
        self.tell(peer, "write five5")
        while trial.ask("publishers /chatter") != "publishers 1":
            self.tell(peer, "write four")
        self.tell(peer, "write sixsix")
        trial.await_line("message /chatter 0110", "has 6")

    def test_two_readers_of_two_qualities(self):
        trial, eager, careful = self.node(), self.reader("b"), self.reader("r")
        self.advertise(trial)
        for peer in eager, careful:
            peer.await_line("writers rt/chatter 1")
        trial.await_line("listening /chatter 2")
        self.tell(trial, "publish /chatter " + packed("to both"))
        for peer in eager, careful:
            peer.await_line("message rt/chatter", packed("to both"))

    def test_latched_for_who_comes_later(self):
        trial = self.node()
        self.advertise(trial, quality="rl")
        for text in "first", "second":
            self.tell(trial, "publish /chatter " + packed(text))
        peer = self.reader("rl")
        self.assertIn(packed("second"), peer.await_line("message rt/chatter"))
        self.assertNotIn(packed("first"), "".join(peer.seen))
        other = self.cyclone()
        self.tell(other, "reader rt/chatter l")
        other.await_line("message second")

    def test_what_others_are_told(self):
        peer, trial = self.peer(), self.node()
        self.advertise(trial)
        line = peer.await_line("found rt/chatter")
        self.assertEqual(line.split()[2:], [WIRE_STRING, "typehash=%s;" % HASH])

    def test_durability_that_does_not_fit(self):
        trial, peer = self.node(), self.reader("rl")
        self.advertise(trial, quality="r")
        self.assertIn("durability", trial.await_line("log warning", "a subscriber of /chatter"))

    def test_reliability_that_does_not_fit(self):
        trial, peer = self.node(), self.peer()
        self.tell(peer, "writer rt/chatter %s b" % WIRE_STRING)
        self.tell(trial, "subscribe /chatter %s - r 1" % STRING)
        self.assertIn("reliability", trial.await_line("log warning", "a publisher of /chatter"))

    def test_large_message(self):
        trial, other = self.node(), self.node()
        self.advertise(trial)
        self.tell(other, "subscribe /chatter %s - r 1" % STRING)
        trial.await_line("listening /chatter 1")
        trial.ask("fill /chatter 1 20000000")
        other.await_line("message /chatter", "has 19999999")
        self.assertIn(" 20000008 ", other.seen[-1])

    def test_a_message_beyond_the_limit(self):
        trial, other = self.node(), self.node("max=1000")
        self.advertise(trial)
        self.tell(other, "subscribe /chatter %s - r 1" % STRING)
        trial.await_line("listening /chatter 1")
        trial.ask("fill /chatter 1 10000")
        other.await_line("log warning", "more than 1000 bytes")
        self.tell(trial, "publish /chatter " + packed("short"))
        other.await_line("message /chatter", "has 5")

    def test_the_oldest_is_dropped(self):
        trial, peer = self.node(), self.reader()
        self.advertise(trial, queue=1)
        trial.await_line("listening /chatter 1")
        trial.ask("fill /chatter 1000 1000000")
        self.assertGreater(int(trial.ask("dropped /chatter").split()[1]), 100)

    def test_nobody_listens(self):
        trial = self.node()
        self.advertise(trial, queue=1)
        trial.ask("fill /chatter 1000 1000000")
        self.assertEqual(trial.ask("dropped /chatter"), "dropped 0")

    def test_names(self):
        trial, peer = self.node(), self.peer()
        self.tell(trial, "advertise robot.001/2nd-pose %s - r 1 1" % STRING)
        peer.await_line("found rt/robot001/n2nd_pose ")
        self.assertIn("is no type of ROS 2", trial.ask("advertise /x String - r 1 1"))
        self.assertIn("too long", trial.ask("advertise /%s %s - r 1 1" % ("x" * 300, STRING)))
        self.advertise(trial, topic="/y")
        self.assertIn("has the type", trial.ask("advertise /y std_msgs/msg/Bool - r 1 1"))

    def test_unadvertise_and_again(self):
        trial, peer = self.node(), self.reader()
        for _ in range(3):
            self.advertise(trial)
            peer.await_line("writers rt/chatter 1")
            self.tell(trial, "unadvertise /chatter")
            peer.await_line("writers rt/chatter 0")


class Services(DdsCase):
    def test_a_client_of_fast_dds(self):
        trial, peer = self.node(), self.peer()
        self.tell(trial, "serve /flip %s hold" % BOOL)
        self.tell(peer, "client /flip " + WIRE_BOOL)
        peer.await_line("readers /flip 1")
        for number in 1, 2:
            self.tell(peer, "call /flip " + YES)
            self.assertEqual(trial.await_line("request"), "request " + YES)
            self.tell(trial, "answer " + FINE)
            self.assertEqual(peer.await_line("response").split()[2:], [str(number), "16", FINE])

    def test_a_client_of_cyclone_dds(self):
        trial, peer = self.node(), self.cyclone()
        self.tell(trial, "serve /flip %s hold" % BOOL)
        self.tell(peer, "client /flip")
        for number in 5, 77:
            self.tell(peer, "call %d" % number)
            self.assertEqual(trial.await_line("request")[16:18], "01")
            self.tell(trial, "answer " + FINE)
            peer.await_line("response %d 1 fi" % number)

    def test_both_at_once(self):
        trial, fast, cyclone = self.node(), self.peer(), self.cyclone()
        self.tell(trial, "serve /flip %s echo" % BOOL, "serve /flop %s hold" % BOOL)
        self.tell(fast, "client /flop " + WIRE_BOOL)
        self.tell(cyclone, "client /flop")
        fast.await_line("readers /flop 1")
        self.tell(fast, "call /flop " + YES)
        trial.await_line("request")
        self.tell(cyclone, "call 3")
        trial.await_line("request")
        self.tell(trial, "answer " + FINE, "answer " + FINE)
        fast.await_line("response /flop 1 16 " + FINE)
        cyclone.await_line("response 3 1 fi")

    def test_an_answer_waits_for_its_reader(self):
        trial, peer = self.node(), self.peer()
        self.tell(trial, "serve /flip %s hold" % BOOL)
        self.tell(peer, "writer rq/flipRequest %s_Request_ r" % WIRE_BOOL)
        peer.await_line("readers rq/flipRequest 1")
        self.tell(peer, "write rq/flipRequest " + YES)
        trial.await_line("request")
        self.tell(trial, "answer " + FINE)
        self.tell(peer, "reader rr/flipReply %s_Response_ r" % WIRE_BOOL)
        peer.await_line("message rr/flipReply", FINE)

    def test_calls_services_of_both(self):
        for name, peer in ("fast", self.peer()), ("cyclone", self.cyclone()):
            with self.subTest(name):
                trial = self.node()
                self.tell(peer, "serve /%s %s" % (name, WIRE_BOOL))
                self.tell(trial, "client /%s %s" % (name, BOOL))
                for _ in range(3):
                    answer = self.call_until_answered(trial, name)
                    self.assertIn(YES if name == "fast" else b"from cyclone".hex(), answer)

    def call_until_answered(self, trial, name):
        """Cyclone DDS loses a request that comes before it knows its writer, which takes long on a busy machine."""
        while True:
            self.tell(trial, "call /%s %s 2000" % (name, YES))
            # It may have come before the line that says that the call was made.
            line = trial.await_one("response", "failed")
            if not line.startswith("failed"):
                return line

    def test_nobody_answers(self):
        trial = self.node()
        self.tell(trial, "client /none " + BOOL, "call /none %s 50" % YES)
        trial.await_line("failed", "no such service was found in time")
        peer = self.node()
        self.tell(peer, "serve /mute %s drop" % BOOL)
        self.tell(trial, "client /mute " + BOOL, "call /mute %s 2000" % YES)
        peer.await_line("request")
        trial.await_line("failed", "no answer came in time")

    def test_calls_that_wait_are_ended_by_a_stop(self):
        trial = self.node()
        self.tell(trial, "client /none " + BOOL, "call /none %s 100000" % YES)
        trial.ask("stop")
        trial.await_line("failed", "the node has stopped")
        self.tell(trial, "call /none %s 100000" % YES)
        trial.await_line("failed", "the node has stopped")

    def test_too_many_calls(self):
        trial, peer = self.node("calls=1"), self.peer()
        self.tell(trial, "serve /flip %s hold" % BOOL)
        self.tell(peer, "client /flip " + WIRE_BOOL)
        peer.await_line("readers /flip 1")
        self.tell(peer, "call /flip " + YES, "call /flip " + YES)
        trial.await_line("log warning", "1 calls wait")
        self.tell(trial, "answer " + FINE)
        peer.await_line("response /flip 1 ")
        self.tell(peer, "call /flip " + YES)
        self.tell(trial, "answer " + FINE)
        peer.await_line("response /flip 3 ")

    def test_calls_of_too_many_bytes(self):
        trial, peer = self.node("bytes=5"), self.peer()
        self.tell(trial, "serve /flip %s hold" % BOOL)
        self.tell(peer, "client /flip " + WIRE_BOOL)
        peer.await_line("readers /flip 1")
        self.tell(peer, "call /flip " + YES, "call /flip " + YES)
        trial.await_line("log warning", "1 calls wait for an answer, of 8 bytes")
        self.tell(trial, "answer " + FINE)
        peer.await_line("response /flip 1 ")
        self.tell(peer, "call /flip " + YES)
        self.tell(trial, "answer " + FINE)
        peer.await_line("response /flip 3 ")

    def test_a_service_that_is_withdrawn(self):
        trial, peer = self.node(), self.peer()
        self.tell(trial, "serve /flip %s echo" % BOOL)
        self.tell(peer, "client /flip " + WIRE_BOOL)
        peer.await_line("readers /flip 1")
        self.tell(trial, "withdraw /flip")
        peer.await_line("readers /flip 0")


class Hostile(DdsCase):
    def test_bad_bytes_to_a_topic(self):
        trial, peer = self.node(), self.peer()
        self.tell(trial, "subscribe /chatter %s - r 100" % STRING)
        self.tell(peer, "writer rt/chatter %s r" % WIRE_STRING)
        peer.await_line("readers rt/chatter 1")
        for text in "00", "00010000", "0001000005", "00010000ffffffff41", "00010000" + "ff" * 4000, "ffff0000" + "00" * 8:
            self.tell(peer, "write rt/chatter " + text)
            trial.await_line("message /chatter", "bad ")
        self.tell(peer, "write rt/chatter " + packed("well"))
        trial.await_line("message /chatter", "has 4")

    def test_bad_bytes_to_a_service(self):
        trial = self.node()
        self.tell(trial, "serve /flip %s echo" % BOOL)
        for poses in (), ("poses",):
            peer = self.peer(*poses)
            self.tell(peer, "client /flip " + WIRE_BOOL)
            peer.await_line("readers /flip 1")
            self.tell(peer, "call /flip 0001")
            self.tell(peer, "call /flip 00010000" + "ff" * 16 + "01000000")
            trial.await_line("request 00010000" + ("01" if poses else "ff"))
        trial.await_line("log warning", "a call of /flip is ignored", "too short")

    def test_a_thousand_readers_come_and_go(self):
        trial, peer = self.node(), self.peer()
        self.advertise(trial)
        before = self.count(trial)
        self.tell(peer, "churn rt/chatter %s 1000" % WIRE_STRING)
        self.assertEqual(sum(line == "writers brief 1" for line in peer.seen), 1000)
        self.tell(peer, "reader rt/chatter %s r" % WIRE_STRING)
        peer.await_line("writers rt/chatter 1")
        while True:
            self.tell(trial, "publish /chatter " + packed("still here"))
            if any(packed("still here") in line for line in self.drain(peer)):
                break
        self.assertLess(self.count(trial), before + 10)
        self.assertEqual(trial.end(), 0)

    def drain(self, peer):
        lines = []
        while not peer.lines.empty():
            lines.append(peer.lines.get())
        return lines

    def count(self, trial):
        return sum(len(os.listdir("/proc/%d/%s" % (trial.process.pid, kind))) for kind in ("fd", "task"))

    def test_a_reader_that_stops(self):
        trial, stalled, other = self.node(), self.reader(), self.reader()
        self.advertise(trial, depth=5)
        for peer in stalled, other:
            peer.await_line("writers rt/chatter 1")
        trial.await_line("listening /chatter 2")
        stalled.process.send_signal(signal.SIGSTOP)
        for i in range(100):
            text = packed("%03d" % i + "x" * 1000)
            self.tell(trial, "publish /chatter " + text)
            other.await_line("message rt/chatter", text[:80])
        stalled.process.send_signal(signal.SIGCONT)
        stalled.await_line("message rt/chatter", packed("099" + "x" * 1000)[:80])

    def test_stop_with_a_reader_that_stopped(self):
        trial, stalled = self.node(), self.reader()
        self.advertise(trial, depth=100, queue=100)
        stalled.await_line("writers rt/chatter 1")
        trial.await_line("listening /chatter 1")
        stalled.process.send_signal(signal.SIGSTOP)
        trial.ask("fill /chatter 100 1000000")
        self.assertLess(int(trial.ask("stop").split()[1]), 5000000)
        self.assertEqual(trial.end(), 0)

    def test_a_reader_that_is_killed(self):
        trial, victim = self.node(), self.reader()
        self.advertise(trial)
        trial.await_line("listening /chatter 1")
        victim.kill()
        other = self.reader()
        trial.await_line("listening /chatter 2")
        trial.await_line("listening /chatter 1")  # the time for which the dead one was good has passed
        self.tell(trial, "publish /chatter " + packed("to the living"))
        other.await_line("message rt/chatter", packed("to the living"))

    def test_a_node_that_is_killed(self):
        peer = self.reader("rl")
        for text in "one", "two":
            trial = self.node()
            self.advertise(trial, quality="rl")
            self.tell(trial, "publish /chatter " + packed(text))
            peer.await_line("message rt/chatter", packed(text))
            trial.kill()


class Membership(DdsCase):
    def test_the_graph(self):
        trial, peer = self.node(), self.cyclone()
        self.tell(peer, "graph")
        peer.await_line("graph 010f / orrery readers 0 writers 0")
        self.advertise(trial)
        peer.await_line("graph 010f / orrery readers 0 writers 1")
        self.tell(trial, "serve /flip %s echo" % BOOL)
        peer.await_line("graph 010f / orrery readers 1 writers 2")
        self.assertEqual(trial.ask("node robot.001 field"), "node /field/robot001")
        self.tell(trial, "subscribe scan %s - b 1" % STRING)
        peer.await_line("graph 010f /field robot001 readers 1 writers 0")
        self.tell(trial, "unadvertise /chatter")
        peer.await_line("graph 010f / orrery readers 1 writers 1")

    def test_two_nodes_of_one_name(self):
        """ROS 2 allows it: each has its own ends, and goes alone."""
        first, second, peer = self.node(), self.node(), self.reader()
        for trial in first, second:
            self.advertise(trial)
        peer.await_line("writers rt/chatter 2")
        for trial, text in (first, "one"), (second, "two"):
            trial.await_line("listening /chatter 1")
            self.tell(trial, "publish /chatter " + packed(text))
            peer.await_line("message rt/chatter", packed(text))
        self.assertEqual(first.end(), 0)
        peer.await_line("writers rt/chatter 1")
        self.tell(second, "publish /chatter " + packed("alone"))
        peer.await_line("message rt/chatter", packed("alone"))

    def test_the_names_of_ends(self):
        for distro, gid in ("humble", 24), ("jazzy", 16):
            with self.subTest(distro):
                peer = self.peer()
                self.tell(peer, "reader ros_discovery_info rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_ rl")
                trial = self.node("distro=" + distro)
                graph = self.await_graph(peer, gid, 0)
                self.advertise(trial)
                graph = self.await_graph(peer, gid, 1)
                writer, = graph.nodes["/", "orrery"][1]
                self.assertEqual(graph.own[:2].hex(), "010f")
                self.assertEqual(writer[:12], graph.own[:12])
                self.assertEqual(writer[16:], bytes(gid - 16))
                trial.end()
                peer.end()

    def await_graph(self, peer, gid, writers):
        while True:
            line = peer.await_new("message ros_discovery_info")
            graph = Graph(bytes.fromhex(line.split()[4]), gid)
            if graph.nodes and len(graph.nodes["/", "orrery"][1]) == writers:
                return graph

    def test_domains_are_apart(self):
        other = str(next(DOMAINS))
        near, far = self.reader(), self.reader(domain=other)
        trial, stranger = self.node(), self.node("domain=" + other)
        for node in trial, stranger:
            self.advertise(node)
            node.await_line("listening /chatter 1")
        for peer in near, far:
            peer.await_line("writers rt/chatter 1")
        self.tell(trial, "publish /chatter " + packed("near"))
        near.await_line("message rt/chatter", packed("near"))
        self.tell(stranger, "publish /chatter " + packed("far"))
        far.await_line("message rt/chatter", packed("far"))
        self.assertNotIn(packed("near"), "".join(far.seen))

    def test_the_environment(self):
        trial = self.run_program(program("dds-trial"), ROS_DOMAIN_ID="77")
        trial.await_line("node /orrery 77")
        for variables, words in (({"ROS_DOMAIN_ID": "many"}, "'many'"), ({"ROS_DOMAIN_ID": "233"}, "0 to 232"),
                                 ({"ROS_AUTOMATIC_DISCOVERY_RANGE": "MOON"}, "'MOON'"),
                                 ({"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}, "--allow-users=any"),
                                 ({"ROS_STATIC_PEERS": "192.0.2.1"}, "--allow-users=any"),
                                 ({"ROS_STATIC_PEERS": "no host"}, "'no host'")):
            trial = self.run_program(program("dds-trial"), **variables)
            self.assertIn(words, trial.await_line("error "))

    def test_beyond_loopback_if_that_was_said(self):
        for variables in ({"ROS_AUTOMATIC_DISCOVERY_RANGE": "SUBNET"}, {"ROS_STATIC_PEERS": "192.0.2.1;localhost"}):
            trial = self.run_program(program("dds-trial"), "open=1", "domain=" + self.domain, **variables)
            trial.await_line("node ")
            self.advertise(trial)
            peer = self.reader()
            trial.await_line("listening /chatter 1")
            self.assertEqual(trial.end(), 0)
            peer.end()

    def test_nobody_finds_one_that_is_off(self):
        hidden = self.run_program(program("dds-trial"), "domain=" + self.domain, ROS_AUTOMATIC_DISCOVERY_RANGE="OFF")
        hidden.await_line("node ")
        self.advertise(hidden)
        peer, trial = self.reader(), self.node()
        self.advertise(trial)
        trial.await_line("listening /chatter 1")
        self.tell(peer, "drop rt/chatter")
        trial.await_line("listening /chatter 0")
        self.assertEqual([line for line in hidden.seen if "listening" in line], [])
        self.assertTrue(hidden.ask("unadvertise /chatter").endswith("ok"))
        self.assertEqual([line for line in hidden.seen if "listening" in line], [])

    def test_sockets_are_of_loopback(self):
        trial = self.node()
        inodes = set()
        for name in os.listdir("/proc/%d/fd" % trial.process.pid):
            link = os.readlink("/proc/%d/fd/%s" % (trial.process.pid, name))
            if link.startswith("socket:["):
                inodes.add(link[8:-1])
        with open("/proc/net/udp") as table:
            rows = [line.split() for line in table.readlines()[1:]]
        places = [row[1] for row in rows if row[9] in inodes]
        self.assertGreater(len(places), 1)
        self.assertEqual([place for place in places if not place.startswith("0100007F")], [])


if __name__ == "__main__":
    tap.main()
