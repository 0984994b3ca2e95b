# SPDX-License-Identifier: BSD-3-Clause
"""Two nodes and the server between them: robots of one are seen by the other, and what is lost stands still."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

SERVER = os.path.join(cli.SOURCE, "python/orrery/multinode.py")

PROGRAM = """
import orrery, sys

sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)
world = sim.get_world()

def place(name):
    position = world.get_snapshot().get_pose(world.find_object(name).get_index()).position
    return round(position.x, 6)

for line in sys.stdin:
    words = line.split()
    if words[0] == "where":
        print(place(words[1]), flush=True)
        continue
    if words[0] == "drive":
        sim.call("a.drive", "set_speed", float(words[1]), 0.0)
    sim.step(int(words[-1]) if words[0] == "step" else 1)
    print(place("a"), place("b"), flush=True)
"""


def scene(port, node, robots, wait=30.0):
    return json.dumps({
        "orrery": 1,
        "environment": {"frequency": 60, "start": 0, "physics": "orrery.physics.kinematic.Kinematic", "sandbox": {
            "classpath": "orrery.scripts.multinode.Multinode",
            "properties": {"Node": node, "Robots": robots, "Port": port, "Wait": wait}}},
        "objects": [{"name": name, "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "drive", "classpath": "orrery.actuators.v_omega.MotionVW"}]} for name in ("a", "b")] + [
                {"name": "crate", "position": [9, 0, 0], "body": {"type": "rigid", "mass": 1},
                 "shapes": [{"kind": "box", "size": [1, 1, 1]}]}]})


class Server(PythonCase):
    def start_server(self, port=0, *options):
        process = subprocess.Popen([sys.executable, SERVER, "--port", str(port), *options], stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end_server, process)
        found = re.search(r":(\d+)$", process.stderr.readline().strip())
        return process, int(found.group(1))

    def end_server(self, process):
        process.kill()
        process.wait()
        process.stderr.close()

    def end_node(self, node):
        node.kill()
        node.wait()
        node.stdout.close()

    def start_node(self):
        """A simulation, and what tells it to drive or step and answers where a and b are."""
        self.write("program.py", PROGRAM)
        with open(self.path("log"), "w", encoding="utf-8") as file:
            node = subprocess.Popen([cli.PROGRAM, "python", "program.py"], cwd=self.directory, env=self.environment(),
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, text=True)
        self.addCleanup(self.end_node, node)

        def tell(line):
            node.stdin.write(line + "\n")
            node.stdin.flush()
            return [float(x) for x in node.stdout.readline().split()]

        return node, tell

    def step_until(self, tell, reached, pause=0.0):
        for _ in range(6000):
            places = tell("step 1")
            if reached(*places):
                return places
            time.sleep(pause)
        self.fail("a and b are at %s" % places)

    @contextlib.contextmanager
    def stepping(self, tell):
        """Steps on another thread: a node is connected some time after its server has accepted it. Who closes the
        connection ends a step that waits for an answer."""
        enough = threading.Event()

        def step():
            while not enough.is_set():
                tell("step 1")

        stepper = threading.Thread(target=step)
        stepper.start()
        try:
            yield
        finally:
            enough.set()
            stepper.join(60)

    def log_of(self, node):
        """What it said, once it has ended."""
        node.stdin.close()
        self.assertEqual(node.wait(60), 0)
        with open(self.path("log"), encoding="utf-8") as file:
            return file.read()

    def drain(self, connection):
        try:
            while connection.recv(1 << 16):
                pass
        except OSError:
            pass

    def flood(self, connection):
        """Sends 64 MiB without an end; notes whether it was cut off."""
        self.cut_off = False
        try:
            for _ in range(64):
                connection.sendall(b"[" * (1 << 20))
        except OSError:
            self.cut_off = True

    def talk(self, connection, text):
        connection.sendall(text.encode() + b"\n")
        return json.loads(connection.makefile().readline())

    def test_protocol(self):
        """Each node is told of the robots of others; numbers that are none are not passed on; who goes is forgotten."""
        process, port = self.start_server()
        with socket.create_connection(("127.0.0.1", port), 60) as second:
            with socket.create_connection(("127.0.0.1", port), 60) as first:
                told = '["one", {"r": [[1, 2, 3], [0, 0, 0.5]], "bad": [[1, 2, NaN], [0, 0, 0]], "__time": [0, 1, 2]}]'
                self.assertEqual(self.talk(first, told), {})
                self.assertEqual(self.talk(second, '["two", {"s": [[0, 0, 0], [0, 0, 0]]}]'),
                                 {"r": [[1, 2, 3], [0, 0, 0.5]]})
                self.assertEqual(self.talk(first, '["one", {}]'),
                                 {"r": [[1, 2, 3], [0, 0, 0.5]], "s": [[0, 0, 0], [0, 0, 0]]})
            for line in process.stderr:
                if "node one is gone: r" in line:
                    break
            self.assertEqual(self.talk(second, '["two", {"s": [[0, 0, 0], [0, 0, 0]]}]'), {})

    @unittest.skipUnless(os.geteuid() == 0, "only root can start a process of another user")
    def test_another_user(self):
        """A process of another user is turned away, unless it is allowed, or has the token."""
        self.write("token", "0123456789abcdef\n")
        os.chmod(self.path("token"), 0o600)
        program = ("import os, socket, sys; os.setgid(65533); os.setuid(65533)\n"
                   "with socket.create_connection(('127.0.0.1', int(sys.argv[1])), 60) as s:\n"
                   "    s.sendall(sys.argv[2].encode()); print(s.makefile().readline(), end='')")
        for options, text, answer in (((), '["x", {}]\n', "FAILURE"), (("--allow-users", "65533"), '["x", {}]\n', "{}"),
                                      (("--allow-users", "any"), '["x", {}]\n', "{}"), (("--allow-users", "7"), '["x", {}]\n', "FAILURE"),
                                      (("--token-file", self.path("token")), '["x", {}]\n', "FAILURE"),
                                      (("--token-file", self.path("token")), 'TOKEN 0123456789abcdee\n["x", {}]\n', "FAILURE"),
                                      (("--token-file", self.path("token")), 'TOKEN 0123456789abcdef\n["x", {}]\n', "{}")):
            process, port = self.start_server(0, *options)
            done = subprocess.run([sys.executable, "-I", "-c", program, str(port), text], capture_output=True, text=True, timeout=60)
            self.assertTrue(done.stdout.startswith(answer), (options, text, done.stdout, done.stderr))

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_a_node_with_a_token(self):
        """It says the token first; a node that is turned away says why."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(60)
            self.write("token", "0123456789abcdef\n")
            text = json.loads(scene(listener.getsockname()[1], "here", "a"))
            text["environment"]["sandbox"]["properties"]["TokenFile"] = self.path("token")
            self.write("scene.json", json.dumps(text))
            node, tell = self.start_node()
            tell("step 1")
            with self.stepping(tell), listener.accept()[0] as connection:
                connection.settimeout(60)
                lines = connection.makefile("rb")
                self.assertEqual(lines.readline(), b"TOKEN 0123456789abcdef\n")
                self.assertEqual(json.loads(lines.readline())[0], "here")
                connection.sendall(b"FAILURE not today\n")
                connection.shutdown(socket.SHUT_WR)
                # Until the node has read it and goes.
                self.drain(connection)
        self.assertIn("refuses this node: not today", self.log_of(node))

    def test_beyond_loopback(self):
        """A server that others can reach is told whom to let in."""
        done = subprocess.run([sys.executable, SERVER, "--port", "0", "--address", "0.0.0.0"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 64)
        self.assertIn("--allow-users or --token-file", done.stderr)

    def test_rubbish(self):
        """Rubbish ends the connection, not the server."""
        process, port = self.start_server()
        for text in (b"{}\n", b"[1, 2]\n", b'["x", {"r"\n', b"\xff\n", b"[" * 100000 + b"\n"):
            with socket.create_connection(("127.0.0.1", port), 60) as connection:
                connection.sendall(text)
                self.assertEqual(connection.recv(100), b"", text[:20])
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            self.assertEqual(self.talk(connection, '["x", {}]'), {})

    def test_half_lines_and_endless_ones(self):
        """A node that dies within a line is forgotten; one that never ends its line is cut off; others are served."""
        process, port = self.start_server()
        with socket.create_connection(("127.0.0.1", port), 60) as good:
            with socket.create_connection(("127.0.0.1", port), 60) as half:
                self.talk(half, '["half", {"h": [[1, 2, 3], [0, 0, 0]]}]')
                half.sendall(b'["half", {"h": [[4, ')
                self.assertEqual(self.talk(good, '["good", {}]'), {"h": [[1, 2, 3], [0, 0, 0]]})
            self.assertIn("node half is gone: h", self.read_to(process, "is gone"))
            with socket.create_connection(("127.0.0.1", port), 60) as endless:
                try:
                    for _ in range(64):
                        endless.sendall(b"x" * (1 << 20))
                except OSError:
                    pass
                else:
                    self.fail("64 MiB without an end were taken")
            self.assertEqual(self.talk(good, '["good", {}]'), {})

    def test_other_protocols(self):
        """A request of another version of the protocol, or of the web, is refused with a word; the next is served."""
        process, port = self.start_server()
        for text in ('["one", {}, 2]', '{"version": 2, "node": "one"}', '[1, {}]', "GET / HTTP/1.1"):
            with socket.create_connection(("127.0.0.1", port), 60) as connection:
                connection.sendall(text.encode() + b"\n")
                self.assertEqual(connection.recv(100), b"", text)
            self.read_to(process, "refused a message")

    def test_a_node_that_starts_anew(self):
        """Its robots are those of the new connection: the end of the old one does not take them away."""
        process, port = self.start_server()
        told = '["one", {"r": [[%d, 0, 0], [0, 0, 0]]}]'
        with socket.create_connection(("127.0.0.1", port), 60) as other:
            old = socket.create_connection(("127.0.0.1", port), 60)
            self.talk(old, told % 1)
            with socket.create_connection(("127.0.0.1", port), 60) as new:
                self.talk(new, told % 2)
                old.close()
                self.read_to(process, "node one is gone")
                self.assertEqual(self.talk(other, '["two", {}]'), {"r": [[2, 0, 0], [0, 0, 0]]})

    def read_to(self, process, words):
        for line in process.stderr:
            if words in line:
                return line
        self.fail("the server ended without %r" % words)

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_nodes(self):
        """A simulation follows a robot of another node, and things that it names, and goes on without it."""
        process, port = self.start_server()
        self.write("scene.json", scene(port, "here", "a"))
        node, tell = self.start_node()
        with socket.create_connection(("127.0.0.1", port), 60) as other:
            self.talk(other, '["there", {"b": [[5, 1, 0], [0, 0, 0]]}]')
            for _ in range(3000):
                if tell("step 1")[1] == 5:
                    break
            self.assertEqual(tell("step 3")[1], 5)
            tell("drive 0.6")
            self.assertGreater(tell("step 10")[0], 0.05)
            self.assertEqual(tell("where crate"), [9])
            heard = self.talk(other, '["there", {"b": [[7, 1, 0], [0, 0, 0]], "crate": [[3, 4, 5], [0, 0, 1]]}]')
            self.assertGreater(heard["a"][0][0], 0.05)
            self.assertEqual(tell("step 3")[1], 7)
            self.assertEqual(tell("where crate"), [3])
        before = tell("step 1")
        for _ in range(3000):
            after = tell("step 1")
            if process.poll() is not None or after[0] > before[0] + 0.5:
                break
        self.assertEqual(after[1], 7)
        self.assertGreater(after[0], before[0])
        self.assertIn("b stands still: its node is lost", self.log_of(node))

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_server_that_comes_back(self):
        """The node runs on without the server, finds the next one at its port, and the robot of the other moves again."""
        process, port = self.start_server()
        self.write("scene.json", scene(port, "here", "a"))
        node, tell = self.start_node()
        with socket.create_connection(("127.0.0.1", port), 60) as other:
            self.talk(other, '["there", {"b": [[5, 1, 0], [0, 0, 0]]}]')
            self.step_until(tell, lambda a, b: b == 5)
        self.end_server(process)
        before = tell("drive 0.6")
        self.assertEqual(self.step_until(tell, lambda a, b: a > before[0] + 0.5)[1], 5)
        process, _ = self.start_server(port)
        with socket.create_connection(("127.0.0.1", port), 60) as other:
            self.talk(other, '["there", {"b": [[8, 1, 0], [0, 0, 0]]}]')
            self.step_until(tell, lambda a, b: b == 8, pause=0.01)
        log = self.log_of(node)
        self.assertIn("is lost: robots of other nodes stand still", log)
        # A program in Python is not told of the first time.
        self.assertEqual(log.count("connected to"), 1, log)
        self.assertLess(log.index("is lost"), log.index("connected to"))

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_a_line_is_one_packet(self):
        """A line comes with its end: neither side waits for an acknowledgement of the other before it sends the rest."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(60)
            self.write("scene.json", scene(listener.getsockname()[1], "here", "a"))
            node, tell = self.start_node()
            tell("step 1")
            with self.stepping(tell), listener.accept()[0] as connection:
                connection.settimeout(60)
                heard = []
                for _ in range(30):
                    heard.append(connection.recv(1 << 16))
                    while not heard[-1].endswith(b"\n"):
                        heard.append(connection.recv(1 << 16))
                    connection.sendall(b"{}\n")
        self.assertEqual([line for line in heard if not line.endswith(b"\n")], [])

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_hostile_servers(self):
        """Whatever a server says, the node goes on, and moves only robots that it has, by numbers."""
        answers = [b"rubbish\n", b"[]\n", b"\xff\xfe\x00\n", b"{\n", b'{"b": 5}\n', b'{"b": [[1, 2], [0, 0, 0]]}\n',
                   b'{"b": [[1, 2, "x"], [0, 0, 0]]}\n', b'{"b": [[1e999, 2, 3], [0, 0, 0]]}\n', b'{"b": [[NaN, 0, 0], [0, 0, 0]]}\n',
                   b'{"a": [[9, 9, 9], [0, 0, 0]], "ghost": [[9, 9, 9], [0, 0, 0]]}\n', b"[" * 100000 + b"\n",
                   b'{"b": [[3, 1, 0], [0, 0, 0]], "version": 2}\n']
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(60)
            self.write("scene.json", scene(listener.getsockname()[1], "here", "a"))
            node, tell = self.start_node()
            heard = []

            def serve():
                with listener.accept()[0] as connection:
                    connection.settimeout(60)
                    lines = connection.makefile("rb")
                    for answer in answers:
                        heard.append(json.loads(lines.readline()))
                        connection.sendall(answer)
                    while lines.readline():
                        connection.sendall(answers[-1])

            server = threading.Thread(target=serve, daemon=True)
            server.start()
            places = []
            self.step_until(tell, lambda a, b: places.append((a, b)) or b == 3)
            self.log_of(node)
            server.join(60)
        self.assertEqual(len(heard), len(answers))
        self.assertEqual([(name, sorted(told)) for name, told in heard], [("here", ["__time", "a"])] * len(answers))
        self.assertEqual(set(places), {(0.0, 0.0), (0.0, 3.0)})

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_a_server_that_never_ends_its_line(self):
        """And one that is silent, and late: the node waits no longer than it was told, and takes what comes then."""
        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(60)
            self.write("scene.json", scene(listener.getsockname()[1], "here", "a", wait=0.05))
            node, tell = self.start_node()
            tell("step 1")
            with listener.accept()[0] as connection:
                # A node that found it again at once would have nothing to tell.
                listener.close()
                tell("step 5")
                connection.sendall(b'{"b": [[4, 1, 0], ')
                self.assertEqual(tell("step 5")[1], 0)
                connection.sendall(b'[0, 0, 0]]}\n')
                self.step_until(tell, lambda a, b: b == 4)
                # It has asked again, and so it reads.
                tell("step 1")
                drain = threading.Thread(target=self.drain, args=(connection,))
                drain.start()
                flood = threading.Thread(target=self.flood, args=(connection,))
                flood.start()
                # It reads in its ticks, and gives up where a line is longer than any.
                while flood.is_alive():
                    self.assertEqual(tell("step 1")[1], 4)
                self.assertTrue(self.cut_off, "64 MiB without an end were taken")
            drain.join()
        self.assertIn("is lost", self.log_of(node))


if __name__ == "__main__":
    tap.main()
