# SPDX-License-Identifier: BSD-3-Clause
"""The node of ROS 1 among Debian's programs of ROS: topics, services, parameters, and masters that come and go."""

import glob
import os
import queue
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli"), HERE]
import ros_master  # noqa: E402
from support import need  # noqa: E402

import tap  # noqa: E402

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", "build")
PROGRAM = os.path.join(BUILD, "tests/middleware/ros-trial")
PROGRAMS = ("rosmaster", "rostopic", "rosservice", "rosnode", "rosparam")
MISSING = [name for name in PROGRAMS if not shutil.which(name)]
STRING = "std_msgs/String 992ce8a1687cec8c8bd883ec73ca41d1"
TRIGGER = "std_srvs/Trigger 937c9679a518e3a18d831e57125ea522"
LIMIT = 60  # seconds, for what should take one


def packed(text):
    """The bytes of a std_msgs/String, in hexadecimal."""
    return (struct.pack("<I", len(text)) + text.encode()).hex()


def header(**fields):
    parts = [("%s=%s" % item).encode() for item in fields.items()]
    body = b"".join(struct.pack("<I", len(part)) + part for part in parts)
    return struct.pack("<I", len(body)) + body


class Program:
    """A program whose lines are kept as they come."""

    def __init__(self, arguments, environment, **options):
        self.process = subprocess.Popen(arguments, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, bufsize=1, **options)
        self.lines = queue.Queue()
        self.seen = []
        self.skipped = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def await_line(self, *words):
        """The next line that has all words; it may have come before one that was awaited earlier."""
        return self._await(lambda line: all(word in line for word in words), words)

    def await_one(self, *beginnings):
        """The same of a line that begins with one of these."""
        return self._await(lambda line: line.startswith(beginnings), beginnings)

    def await_new(self, *words):
        return self._await_new(lambda line: all(word in line for word in words), words)

    def has_line(self, *words):
        """Whether a line with all words has come; it does not wait."""
        while not self.lines.empty():
            line = self.lines.get()
            if line is None:
                self.lines.put(line)
                break
            self.seen.append(line)
            self.skipped.append(line)
        return any(all(word in line for word in words) for line in self.seen)

    def _await(self, fits, words):
        for line in self.skipped:
            if fits(line):
                self.skipped.remove(line)
                return line
        return self._await_new(fits, words)

    def _await_new(self, fits, words):
        end = time.monotonic() + LIMIT
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise AssertionError("no line with %r; there were\n%s" % (words, "\n".join(self.seen)))
            self.seen.append(line)
            if fits(line):
                return line
            self.skipped.append(line)

    def ask(self, line):
        """Does what the line says; the line that reports it."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.await_new(line.split()[0] + " ")

    def end(self):
        if self.process.poll() is None and self.process.stdin and not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            return self.process.wait(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()


class RosCase(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("ROS_")}
        self.environment.update(ROS_MASTER_URI="http://127.0.0.1:%d" % self.port, ROS_IP="127.0.0.1",
                                ROS_HOME=self.home, ROS_LOG_DIR=self.home, HOME=self.home, PYTHONUNBUFFERED="1",
                                PYTHONWARNINGS="ignore", LC_ALL="C.UTF-8")
        self.master = None

    def start_master(self):
        need(self, MISSING and "not installed: " + " ".join(MISSING))
        self.master = ros_master.Master(self.port, self.environment)
        self.addCleanup(self.master.kill)

    def kill_master(self):
        self.master.kill()

    def ask_master(self, method, *arguments):
        return self.master.ask(method, *arguments)

    def start(self, *arguments):
        trial = Program([PROGRAM, *arguments], self.environment)
        self.addCleanup(trial.kill)
        words = trial.await_line("node ").split()
        trial.uri, trial.tcpros = words[2], int(words[3])
        return trial

    def node(self, *lines, name="trial"):
        """A node that has done what the lines say, and that the master knows."""
        trial = self.start(name)
        for line in lines:
            self.assertTrue(trial.ask(line).endswith("ok"), trial.seen)
        self.assertEqual(trial.ask("wait"), "wait 1")
        return trial

    def tool(self, *arguments):
        program = Program(arguments, self.environment)
        self.addCleanup(program.kill)
        return program

    def run_tool(self, *arguments):
        result = subprocess.run(arguments, env=self.environment, capture_output=True, text=True, timeout=LIMIT)
        return result.stdout + result.stderr

    def connect(self, port):
        peer = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        self.addCleanup(peer.close)
        return peer

    def read_header(self, peer):
        size, = struct.unpack("<I", self.read(peer, 4))
        body, fields = self.read(peer, size), {}
        while body:
            n, = struct.unpack("<I", body[:4])
            key, _, value = body[4:4 + n].decode().partition("=")
            fields[key], body = value, body[4 + n:]
        return fields

    def read(self, peer, size):
        data = b""
        while len(data) < size:
            more = peer.recv(min(1 << 20, size - len(data)))
            if not more:
                raise EOFError("%d of %d bytes" % (len(data), size))
            data += more
        return data


class Publishing(RosCase):
    def test_echo(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING)
        echo = self.tool("rostopic", "echo", "/chatter")
        trial.await_line("listening /chatter 1")
        trial.ask("publish /chatter " + packed("good day"))
        echo.await_line("good day")
        echo.kill()
        trial.await_line("listening /chatter 0")

    def test_hz_and_bw(self):
        self.start_master()
        for tool, words in ("hz", "average rate"), ("bw", "average:"):
            trial = self.node("advertise /%s %s 0 10" % (tool, STRING), name="trial_" + tool)
            meter = self.tool("rostopic", tool, "/" + tool)
            trial.await_line("listening /%s 1" % tool)
            with self.subTest(tool):
                self.feed(trial, tool, meter, words)
            trial.end()

    def feed(self, trial, topic, meter, words):
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            trial.ask("publish /%s %s" % (topic, packed("x" * 100)))
            try:
                line = meter.lines.get(timeout=0.02)
            except queue.Empty:
                continue
            if words in (line or ""):
                return
        self.fail("no line with " + words)

    def test_list_and_info(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING, "subscribe /said %s" % STRING)
        self.assertIn("/chatter", self.run_tool("rostopic", "list").split())
        text = self.run_tool("rostopic", "info", "/chatter")
        self.assertIn("Type: std_msgs/String", text)
        self.assertIn("* /trial (%s)" % trial.uri, text)
        self.assertIn("* /trial", self.run_tool("rostopic", "info", "/said").partition("Subscribers")[2])

    def test_latched(self):
        self.start_master()
        trial = self.node("advertise /latched %s 1 1" % STRING)
        for text in "first", "second":
            trial.ask("publish /latched " + packed(text))
        lines = self.run_tool("rostopic", "echo", "-n", "1", "/latched")
        self.assertIn("second", lines)

    def test_large_message(self):
        self.start_master()
        trial = self.node("advertise /large %s 0 2" % STRING)
        other = self.node("subscribe /large %s" % STRING, name="other")
        trial.await_line("listening /large 1")
        trial.ask("fill /large 1 100000000")
        line = other.await_line("message /large /trial 1 0")
        self.assertEqual(line.split()[5], "100000004")

    def test_wrong_md5(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING)
        peer = self.connect(trial.tcpros)
        peer.sendall(header(callerid="/x", topic="/chatter", type="std_msgs/String", md5sum="0" * 32))
        words = self.read_header(peer)["error"]
        self.assertIn("992ce8a1687cec8c8bd883ec73ca41d1", words)
        self.assertIn("0" * 32, words)
        trial.await_line("log warning", "/x asks for what there is not")

    def test_wrong_type_of_publisher(self):
        self.start_master()
        trial = self.node("subscribe /chatter std_msgs/Bool 8b94c1b53db61fb6aed406028ad6332a")
        self.tool("rostopic", "pub", "-r", "5", "/chatter", "std_msgs/String", "data: x")
        trial.await_line("log warning", "/chatter")
        self.assertEqual(trial.ask("publishers /chatter"), "publishers 0")

    def test_unadvertise(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING, "unadvertise /chatter",
                          "advertise /chatter %s 0 10" % STRING)
        self.assertIn("has the topic /chatter already", trial.ask("advertise /chatter %s 0 10" % STRING))
        trial.ask("unadvertise /chatter")
        trial.ask("wait")
        self.assertEqual(self.ask_master("getPublishedTopics", ""), [])

    def test_stop_unregisters(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING, "set /kept 'x'", "serve /s %s echo" % TRIGGER)
        self.assertEqual(trial.end(), 0)
        self.assertEqual(self.ask_master("getSystemState"), [[], [], []])
        self.assertFalse(self.ask_master("hasParam", "/kept"))


class Stalled(RosCase):
    def test_a_subscriber_that_stops_reading(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 4" % STRING)
        stalled = self.connect(trial.tcpros)
        stalled.sendall(header(callerid="/stalled", topic="/chatter", type="*", md5sum="*"))
        self.assertEqual(self.read_header(stalled)["callerid"], "/trial")
        other = self.node("subscribe /chatter %s" % STRING, name="other")
        trial.await_line("listening /chatter 2")
        for i in range(30):
            took = int(trial.ask("fill /chatter 1 1000000").split()[1])
            self.assertLess(took, 1000000)
            other.await_line("message /chatter /trial 1 %d " % i)
        self.assertGreater(int(trial.ask("dropped /chatter").split()[1]), 5)

    def test_half_a_header(self):
        trial = self.start()
        peer = self.connect(trial.tcpros)
        peer.sendall(header(callerid="/x", topic="/chatter")[:10])
        self.assertEqual(peer.recv(1), b"")

    def test_half_a_request_of_xmlrpc(self):
        trial = self.start()
        for text in b"", b"POST / HTTP/1.1\r\nContent-", b"POST / HTTP/1.1\r\nContent-Type: text/xml\r\nContent-Length: 99\r\n\r\n<meth":
            peer = self.connect(int(trial.uri.rstrip("/").rpartition(":")[2]))
            peer.sendall(text)
            self.assertEqual(peer.recv(1), b"")

    def test_hostile_headers(self):
        trial = self.start()
        for text in (b"\xff\xff\xff\xff", b"POST / HTTP/1.1\r\n", struct.pack("<II", 8, 1 << 30) + b"abcd",
                     struct.pack("<II", 8, 4) + b"abcd", header(callerid="/x"), header(service="/none", md5sum="*")):
            peer = self.connect(trial.tcpros)
            peer.sendall(text)
            self.assertIn("error", self.read_header(peer))
            self.assertEqual(peer.recv(1), b"")
        self.assertTrue(trial.ask("advertise /chatter %s 0 1" % STRING).endswith("ok"))

    def test_a_subscriber_that_comes_and_goes(self):
        trial = self.start()
        trial.ask("advertise /chatter %s 0 4" % STRING)
        text = header(callerid="/x", topic="/chatter", type="*", md5sum="*")
        for i in range(1000):
            with socket.create_connection(("127.0.0.1", trial.tcpros), timeout=LIMIT) as peer:
                peer.sendall(text)
                if i % 2:
                    self.read_header(peer)
                if i % 100 == 0:
                    trial.ask("fill /chatter 10 1000")
        self.assertLess(len(os.listdir("/proc/%d/fd" % trial.process.pid)), 300)
        self.assertEqual(trial.end(), 0)

    def test_many_connections(self):
        trial = self.start()
        peers = [self.connect(trial.tcpros) for _ in range(300)]
        closed = [peer for peer in peers[256:] if select.select([peer], [], [], LIMIT)[0] and not peer.recv(1)]
        self.assertEqual(len(closed), 44)


class Subscribing(RosCase):
    def test_pub(self):
        self.start_master()
        trial = self.node("subscribe /said %s" % STRING)
        self.tool("rostopic", "pub", "/said", "std_msgs/String", "data: hello")
        line = trial.await_line("message /said")
        self.assertEqual(line.split()[-1], packed("hello"))

    def test_too_long(self):
        self.start_master()
        other = self.node("advertise /large %s 1 2" % STRING, name="other")
        trial = self.start("trial", "1000")
        trial.ask("subscribe /large %s" % STRING)
        other.await_line("listening /large 1")
        other.ask("fill /large 1 2000")
        trial.await_line("log warning", "a message of 2004 bytes; the limit is 1000")

    def test_unsubscribe(self):
        self.start_master()
        other = self.node("advertise /said %s 0 2" % STRING, name="other")
        trial = self.node("subscribe /said %s" % STRING)
        other.await_line("listening /said 1")
        trial.ask("unsubscribe /said")
        other.await_line("listening /said 0")


class Services(RosCase):
    def test_call(self):
        self.start_master()
        trial = self.node("serve /go %s late" % TRIGGER)
        caller = self.tool("rosservice", "call", "/go")
        trial.await_line("request /rosservice")
        trial.ask("answer 01" + packed("done"))
        caller.await_line("success: True")
        caller.await_line("done")
        text = self.run_tool("rosservice", "info", "/go")
        self.assertIn("Node: /trial", text)
        self.assertIn("Type: std_srvs/Trigger", text)

    def test_wrong_md5_of_a_service(self):
        trial = self.start()
        self.assertTrue(trial.ask("serve /go %s echo" % TRIGGER).endswith("ok"))
        peer = self.connect(trial.tcpros)
        peer.sendall(header(callerid="/x", service="/go", type="std_srvs/Empty", md5sum="0" * 32))
        words = self.read_header(peer)["error"]
        self.assertIn(TRIGGER.split()[1], words)
        self.assertIn("0" * 32, words)
        self.assertEqual(peer.recv(1), b"")
        trial.await_line("log warning", "/x asks for what there is not")

    def test_failure(self):
        self.start_master()
        self.node("serve /go %s fail" % TRIGGER)
        self.assertIn("it went wrong", self.run_tool("rosservice", "call", "/go"))

    def test_a_caller_that_goes(self):
        self.start_master()
        trial = self.node("serve /go %s late" % TRIGGER)
        peer = self.connect(trial.tcpros)
        peer.sendall(header(callerid="/x", service="/go", md5sum="*") + struct.pack("<I", 0))
        trial.await_line("request /x")
        peer.close()
        self.assertEqual(trial.ask("answer 01"), "answer ok")
        self.assertEqual(trial.end(), 0)

    def test_persistent(self):
        self.start_master()
        trial = self.node("serve /go %s echo" % TRIGGER)
        peer = self.connect(trial.tcpros)
        peer.sendall(header(callerid="/x", service="/go", md5sum="*", persistent="1"))
        self.assertEqual(self.read_header(peer)["type"], "std_srvs/Trigger")
        message = struct.pack("<I", 3) + b"abc"
        peer.sendall(message * 3)
        self.assertEqual(self.read(peer, 24), (b"\1" + message) * 3)

    def test_client(self):
        self.start_master()
        self.node("serve /go %s echo" % TRIGGER, "serve /bad %s fail" % TRIGGER, "serve /slow %s late" % TRIGGER,
                  name="other")
        trial = self.node()
        for name, expected in (("/go", "response 010203"), ("/bad", "failed /bad: it went wrong"),
                               ("/slow", "failed /slow: no answer in time"), ("/none", "failed /none: ")):
            trial.ask("call %s %s 010203 500" % (name, TRIGGER.split()[1]))
            self.assertIn(expected, trial.await_line(expected.split()[0] + " "))

    def test_client_of_rospy(self):
        self.start_master()
        server = self.tool("/usr/bin/python3", "-c", (
            "import rospy, std_srvs.srv as s\nrospy.init_node('server')\n"
            "rospy.Service('/flag', s.SetBool, lambda r: s.SetBoolResponse(r.data, 'set'))\nprint('up')\nrospy.spin()"))
        server.await_line("up")
        trial = self.node()
        trial.ask("call /flag 09fb03525b03e7ea1fd3992bafd87e16 01 5000")
        self.assertEqual(trial.await_line("response"), "response 01" + packed("set"))


class Nodes(RosCase):
    def test_info_and_ping(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING, "serve /go %s echo" % TRIGGER)
        echo = self.tool("rostopic", "echo", "/chatter")
        trial.await_line("listening /chatter 1")
        text = self.run_tool("rosnode", "info", "/trial")
        self.assertIn("* /chatter [std_msgs/String]", text)
        self.assertIn("* /go", text)
        self.assertIn("Pid: %d" % trial.process.pid, text)
        self.assertIn("direction: outbound", text)
        self.assertIn("reply from", self.run_tool("rosnode", "ping", "-c", "1", "/trial"))
        echo.kill()

    def test_kill(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 10" % STRING)
        self.run_tool("rosnode", "kill", "/trial")
        trial.await_line("log warning", "told to shut down")
        self.assertTrue(trial.ask("publish /chatter " + packed("x")).endswith("ok"))

    def test_two_of_one_name(self):
        self.start_master()
        first = self.node("advertise /first %s 0 10" % STRING)
        second = self.node("advertise /second %s 0 10" % STRING)
        first.await_line("log warning", "told to shut down")
        self.assertEqual(self.ask_master("lookupNode", "/trial"), second.uri)

    def test_params(self):
        self.start_master()
        trial = self.node("set /arm/joints ['a','b']", "set ~own {'x':<1>,'y':<2.5>}")
        self.assertEqual(self.run_tool("rosparam", "get", "/arm/joints").split(), ["-", "a", "-", "b"])
        self.assertEqual(self.ask_master("getParam", "/trial/own"), {"x": 1, "y": 2.5})
        self.assertIn("[<'a'>, <'b'>]", self.get(trial, "/arm/joints"))
        self.assertIn("not set", self.get(trial, "/none"))
        trial.ask("delete /arm/joints")
        trial.ask("wait")
        self.assertFalse(self.ask_master("hasParam", "/arm/joints"))

    def get(self, trial, name):
        trial.process.stdin.write("get %s\n" % name)
        trial.process.stdin.flush()
        return trial.await_line("param ")

    def test_names(self):
        self.environment["ROS_NAMESPACE"] = "/field/"
        self.start_master()
        self.node("advertise scan %s 0 1" % STRING, "advertise ~own %s 0 1" % STRING,
                  "advertise /all %s 0 1" % STRING)
        self.assertEqual(sorted(name for name, _ in self.ask_master("getPublishedTopics", "")),
                         ["/all", "/field/scan", "/field/trial/own"])
        trial = self.start()
        for name in "/001", "a b", "a//b", "/a/", "x" * 300:
            self.assertNotIn("ok", trial.ask("advertise %s %s 0 1" % (name.replace(" ", "\t"), STRING)))

    def test_bad_settings(self):
        for variable, value, words in (("ROS_MASTER_URI", "nowhere", "is no address of a master"),
                                       ("ROS_IP", "0.0.0.0", "is no host that others could connect to"),
                                       ("ROS_IP", "192.0.2.1", "say who may connect"),
                                       ("ROS_NAMESPACE", "/a b", "is no name for ROS")):
            result = subprocess.run([PROGRAM], env=dict(self.environment, **{variable: value}), text=True,
                                    capture_output=True, stdin=subprocess.DEVNULL, timeout=LIMIT)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stdout)


class Masters(RosCase):
    def test_none_then_one_then_another(self):
        trial = self.start()
        trial.ask("advertise /chatter %s 1 10" % STRING)
        trial.ask("set /kept 'x'")
        trial.await_line("log warning no ROS master at")
        trial.ask("publish /chatter " + packed("still"))
        for _ in range(2):
            self.start_master()
            trial.await_line("log info the ROS master")
            self.assertEqual(trial.ask("wait"), "wait 1")
            self.assertIn("still", self.run_tool("rostopic", "echo", "-n", "1", "/chatter"))
            self.assertEqual(self.ask_master("getParam", "/kept"), "x")
            self.kill_master()
            trial.await_line("log warning no ROS master at")
        self.assertEqual(sum("no ROS master" in line for line in trial.seen), 3)

    def test_a_master_that_is_replaced_between_two_looks(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 1 10" % STRING, "advertise /other %s 1 10" % STRING)
        trial.process.send_signal(signal.SIGSTOP)
        self.kill_master()
        self.start_master()
        trial.process.send_signal(signal.SIGCONT)
        # A look that was under way has failed, and the master is one that has come.
        trial.await_new("log info", "ROS master")
        self.assertEqual(trial.ask("wait"), "wait 1")
        self.assertEqual(len(self.ask_master("getPublishedTopics", "")), 2)

    def test_messages_go_on_without_a_master(self):
        self.start_master()
        trial = self.node("advertise /chatter %s 0 1000" % STRING)
        other = self.node("subscribe /chatter %s" % STRING, name="other")
        trial.await_line("listening /chatter 1")
        self.kill_master()
        trial.ask("fill /chatter 1000 10")
        other.await_line("message /chatter /trial 1 999 ")

    def test_a_master_that_is_killed_amid_messages(self):
        """What is sent reaches the subscriber as a whole and in order while masters die and come."""
        self.start_master()
        trial = self.node("advertise /chatter %s 0 5000" % STRING)
        other = self.node("subscribe /chatter %s" % STRING, name="other")
        trial.await_line("listening /chatter 1")
        for i in range(3):
            trial.ask("fill /chatter 500 10")
            self.kill_master()
            trial.ask("fill /chatter 500 10")
            self.start_master()
        for i in range(3000):
            other.await_line("message /chatter /trial 1 %d " % i)
        self.assertEqual(trial.ask("dropped /chatter"), "dropped 0")

    def test_a_master_that_says_nothing(self):
        silent = socket.create_server(("127.0.0.1", self.port))
        self.addCleanup(silent.close)
        trial = self.start()
        trial.ask("advertise /chatter %s 0 10" % STRING)
        trial.await_line("log warning no ROS master at", "no answer in time")
        begin = time.monotonic()
        self.assertEqual(trial.end(), 0)
        self.assertLess(time.monotonic() - begin, 10)

    def test_a_master_that_talks_nonsense(self):
        listener = socket.create_server(("127.0.0.1", self.port))
        self.addCleanup(listener.close)
        trial = self.start()
        trial.ask("advertise /chatter %s 0 10" % STRING)
        for text in (b"SSH-2.0-x\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
                     b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<a>", b"HTTP/1.1 500 no\r\nContent-Length: 0\r\n\r\n"):
            peer, _ = listener.accept()
            with peer:
                peer.recv(4096)
                peer.sendall(text)
        trial.await_line("log warning no ROS master at")
        self.assertTrue(trial.ask("publish /chatter " + packed("x")).endswith("ok"))


class Access(RosCase):
    def post(self, trial, *fields, body=b"<methodCall><methodName>getPid</methodName></methodCall>"):
        peer = self.connect(int(trial.uri.rstrip("/").rpartition(":")[2]))
        head = "\r\n".join(("POST / HTTP/1.1",) + fields + ("Content-Length: %d" % len(body), "", ""))
        peer.sendall(head.encode() + body)
        return peer.recv(65536).decode()

    def test_pages_of_a_browser(self):
        trial = self.start()
        self.assertIn("<i4>%d</i4>" % trial.process.pid, self.post(trial, "Content-Type: text/xml"))
        self.assertTrue(self.post(trial, "Content-Type: text/xml", "Origin: http://x").startswith("HTTP/1.1 403"))
        self.assertTrue(self.post(trial, "Content-Type: text/plain").startswith("HTTP/1.1 415"))
        self.assertIn("fault", self.post(trial, "Content-Type: text/xml", body=b"<methodCall>" * 10))
        self.assertIn("no method", self.post(trial, "Content-Type: text/xml", body=(
            b"<methodCall><methodName>system.listMethods</methodName></methodCall>")))

    @unittest.skipUnless(os.geteuid() == 0, "only root can start a process of another user")
    def test_another_user(self):
        self.check_user("error=connections of user 65533 are not allowed here", "trial")
        self.check_user("callerid=/trial", "trial", "1000000", "65533")

    def check_user(self, words, *arguments):
        trial = self.start(*arguments)
        trial.ask("advertise /chatter %s 0 10" % STRING)
        code = ("import os, socket; os.setgroups([]); os.setgid(65533); os.setuid(65533)\n"
                "s = socket.create_connection(('127.0.0.1', %d), timeout=%d)\n"
                "s.sendall(%r); print(s.recv(4096))") % (
                    trial.tcpros, LIMIT, header(callerid="/x", topic="/chatter", type="*", md5sum="*"))
        result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT)
        self.assertIn(words, result.stdout + result.stderr)

    def test_listens_on_the_loopback_only(self):
        trial = self.start()
        ports = {trial.tcpros, int(trial.uri.rstrip("/").rpartition(":")[2])}
        found = set()
        for path in glob.glob("/proc/net/tcp"):
            with open(path, encoding="ascii") as file:
                for line in file.readlines()[1:]:
                    place, port = line.split()[1].split(":")
                    if int(port, 16) in ports and line.split()[3] == "0A":
                        found.add((place, int(port, 16)))
        self.assertEqual(found, {("0100007F", port) for port in ports})


if __name__ == "__main__":
    tap.main()
