# SPDX-License-Identifier: BSD-3-Clause
"""The server through which nodes of a simulation share robots, over MORSE's protocol.

    orrery python -m orrery.multinode [--address 127.0.0.1] [--port 65000] [-d]

A line of a node is a JSON list of its name and a map of its robots to [[x, y, z], [roll, pitch, yaw]]; `__time` is kept
apart. The answer is a map of the robots of all other nodes. A node that goes is named, and its robots are no longer told.
"""

import argparse
import asyncio
import json
import math
import sys

MAX_LINE = 16 * 1024 * 1024
MAX_ROBOTS = 100000


def is_pose(value):
    return (isinstance(value, list) and len(value) == 2 and all(
        isinstance(triple, list) and len(triple) == 3 and all(
            isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in triple)
        for triple in value))


class Server:
    def __init__(self, debug=False, out=sys.stderr):
        self.robots = {}  # name: (pose, connection)
        self.times = {}
        self.debug = debug
        self.out = out
        self.connections = set()

    def say(self, text):
        print(text, file=self.out, flush=True)

    def take(self, line, connection):
        """The answer to a line; None: it is none, and why was said."""
        try:
            node, told = json.loads(line)
            if not isinstance(node, str) or not isinstance(told, dict):
                raise ValueError("not a name and a map")
        except (ValueError, TypeError, RecursionError) as error:
            self.say("refused a message: %s" % error)
            return None
        for name, pose in told.items():
            if name == "__time":
                self.times[node] = pose
            elif is_pose(pose) and (name in self.robots or len(self.robots) < MAX_ROBOTS):
                self.robots[name] = (pose, connection)
        if self.debug:
            self.say("%s: %s" % (node, ", ".join(sorted(told))))
        return node, {name: pose for name, (pose, _) in self.robots.items() if name not in told}

    def forget(self, connection, node):
        lost = sorted(name for name, (_, owner) in self.robots.items() if owner is connection)
        for name in lost:
            del self.robots[name]
        self.times.pop(node, None)
        self.say("node %s is gone%s" % (node, ": " + ", ".join(lost) if lost else ""))

    async def serve(self, reader, writer):
        connection, node = object(), None
        self.connections.add(writer)
        try:
            while True:
                line = await reader.readline()
                if not line.endswith(b"\n"):
                    break
                answer = self.take(line, connection)
                if answer is None:
                    break
                if node is None:
                    self.say("node %s is here" % answer[0])
                node = answer[0]
                writer.write(json.dumps(answer[1]).encode() + b"\n")
                await writer.drain()
        except (ConnectionError, ValueError, asyncio.LimitOverrunError):
            pass
        finally:
            self.connections.discard(writer)
            if node is not None:
                self.forget(connection, node)
            writer.close()

    async def run(self, address, port):
        server = await asyncio.start_server(self.serve, address, port, limit=MAX_LINE)
        self.say("multinode server listens on %s:%d" % server.sockets[0].getsockname()[:2])
        async with server:
            await server.serve_forever()


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="orrery.multinode", description="Lets nodes of a simulation share robots.")
    parser.add_argument("--address", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, default=65000, help="TCP port (65000); 0: any")
    parser.add_argument("-d", "--debug", action="store_true", help="say what comes")
    options = parser.parse_args(arguments)
    try:
        asyncio.run(Server(options.debug).run(options.address, options.port))
    except KeyboardInterrupt:
        return 130
    except OSError as error:
        print("orrery.multinode: %s" % error, file=sys.stderr)
        return 74
    return 0


if __name__ == "__main__":
    sys.exit(main())
