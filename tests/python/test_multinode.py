# SPDX-License-Identifier: BSD-3-Clause
"""Two nodes and the server between them: robots of one are seen by the other, and what is lost stands still."""

import json
import os
import re
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

SERVER = os.path.join(cli.SOURCE, "python/orrery/multinode.py")

def scene(port, node, robots):
    return json.dumps({
        "orrery": 1,
        "environment": {"frequency": 60, "start": 0, "physics": "orrery.physics.kinematic.Kinematic", "sandbox": {
            "classpath": "orrery.scripts.multinode.Multinode",
            "properties": {"Node": node, "Robots": robots, "Port": port, "Wait": 30.0}}},
        "objects": [{"name": name, "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "drive", "classpath": "orrery.actuators.v_omega.MotionVW"}]} for name in ("a", "b")]})


class Server(PythonCase):
    def start_server(self):
        process = subprocess.Popen([sys.executable, SERVER, "--port", "0"], stderr=subprocess.PIPE, text=True)
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

    def test_rubbish(self):
        """Rubbish ends the connection, not the server."""
        process, port = self.start_server()
        for text in (b"{}\n", b"[1, 2]\n", b'["x", {"r"\n', b"\xff\n", b"[" * 100000 + b"\n"):
            with socket.create_connection(("127.0.0.1", port), 60) as connection:
                connection.sendall(text)
                self.assertEqual(connection.recv(100), b"", text[:20])
        with socket.create_connection(("127.0.0.1", port), 60) as connection:
            self.assertEqual(self.talk(connection, '["x", {}]'), {})

    @unittest.skipUnless(READY, "no typelib or no PyGObject")
    def test_nodes(self):
        """A simulation follows a robot of another node, and goes on without it."""
        process, port = self.start_server()
        self.write("scene.json", scene(port, "here", "a"))
        self.write("program.py", """
import orrery, sys

sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)
world = sim.get_world()

def place(name):
    position = world.get_snapshot().get_pose(world.find_object(name).get_index()).position
    return round(position.x, 6)

for line in sys.stdin:
    words = line.split()
    if words[0] == "drive":
        sim.call("a.drive", "set_speed", float(words[1]), 0.0)
    sim.step(int(words[-1]) if words[0] == "step" else 1)
    print(place("a"), place("b"), flush=True)
""")
        with open(self.path("log"), "w", encoding="utf-8") as file:
            node = subprocess.Popen([cli.PROGRAM, "python", "program.py"], cwd=self.directory, env=self.environment(),
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=file, text=True)
        self.addCleanup(self.end_node, node)

        def tell(line):
            node.stdin.write(line + "\n")
            node.stdin.flush()
            return [float(x) for x in node.stdout.readline().split()]

        with socket.create_connection(("127.0.0.1", port), 60) as other:
            self.talk(other, '["there", {"b": [[5, 1, 0], [0, 0, 0]]}]')
            for _ in range(3000):
                if tell("step 1")[1] == 5:
                    break
            self.assertEqual(tell("step 3")[1], 5)
            tell("drive 0.6")
            self.assertGreater(tell("step 10")[0], 0.05)
            heard = self.talk(other, '["there", {"b": [[7, 1, 0], [0, 0, 0]]}]')
            self.assertGreater(heard["a"][0][0], 0.05)
            self.assertEqual(tell("step 3")[1], 7)
        before = tell("step 1")
        for _ in range(3000):
            after = tell("step 1")
            if process.poll() is not None or after[0] > before[0] + 0.5:
                break
        self.assertEqual(after[1], 7)
        self.assertGreater(after[0], before[0])
        node.stdin.close()
        node.wait(60)
        with open(self.path("log"), encoding="utf-8") as file:
            self.assertIn("b stands still: its node is lost", file.read())


if __name__ == "__main__":
    tap.main()
