# SPDX-License-Identifier: BSD-3-Clause
"""Scenes for clients, and clients of the plainest kind."""

import json
import os
import re
import socket
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, ProgramCase  # noqa: E402

MIDDLEWARE = "orrery.middleware."
SOCKET = MIDDLEWARE + "socket_datastream.SocketDatastreamManager"
PUBLISHER = MIDDLEWARE + "socket_datastream.SocketPublisher"
READER = MIDDLEWARE + "socket_datastream.SocketReader"
TEXT = MIDDLEWARE + "text_datastream.TextDatastreamManager"
TEXT_PUBLISHER = MIDDLEWARE + "text_datastream.Publisher"
REQUESTS = MIDDLEWARE + "socket_request_manager.SocketRequestManager"

OUT = [SOCKET, PUBLISHER, {}]
IN = [SOCKET, READER, {}]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Lines:
    """A client of lines."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.file = self.socket.makefile("r", encoding="utf-8", newline="\n")

    def send(self, text):
        self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def line(self):
        line = self.file.readline()
        if not line.endswith("\n"):
            raise EOFError(line)
        return line[:-1]

    def ask(self, component, service, *arguments):
        """The result of a call; None if it has none."""
        self.send("id %s %s %s\n" % (component, service, json.dumps(arguments)))
        status, _, value = self.line().partition(" ")[2].partition(" ")
        if status != "SUCCESS":
            raise RuntimeError(status + " " + value)
        return json.loads(value) if value else None

    def close(self):
        self.file.close()
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()


class ClientCase(ProgramCase):
    plugins = os.path.join(BUILD, "tests/middleware/plugins")

    def scene(self, objects, environment=None, others=(), **tables):
        """Writes a scene of one robot that stands in the way of nobody."""
        scene = {
            "orrery": 1,
            "environment": dict({"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic",
                                 "time_strategy": "fixed_step"}, **(environment or {})),
            "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": objects},
                        *others],
        }
        scene.update(tables)
        return self.write("scene.json", json.dumps(scene, indent=1))

    def run_scene(self, *arguments):
        """Starts a scene; returns the process when its ports are open, with the port of services."""
        process = self.start("run", *arguments, "--plugin-dir", self.plugins)
        line = self.wait_for(process, "Socket service manager now listening on port ")
        self.wait_for(process, "[SCENE INITIALIZED]")
        return process, int(re.search(r"port (\d+)\.", line).group(1))

    def finish(self, process):
        """Ends it as a user does; returns what was logged since it started."""
        process.terminate()
        self.report, log = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 143, log)
        return log
