# SPDX-License-Identifier: BSD-3-Clause
"""The server through which nodes of a simulation share robots, over MORSE's protocol.

    orrery python -m orrery.multinode [--address 127.0.0.1] [--port 65000] [--allow-users any|UID,...] [--token-file FILE] [-d]

A line of a node is a JSON list of its name and a map of its robots to [[x, y, z], [roll, pitch, yaw]]; `__time` is kept
apart. The answer is a map of the robots of all other nodes. A node that goes is named, and its robots are no longer told.
"""

import argparse
import asyncio
import hmac
import ipaddress
import json
import math
import os
import socket
import stat
import struct
import sys

MAX_LINE = 16 * 1024 * 1024
MAX_ROBOTS = 100000
MAX_TOKEN_LINE = 1024
TOKEN_SECONDS = 10
NETLINK_SOCK_DIAG = 4
SOCK_DIAG_BY_FAMILY = 20
ESTABLISHED, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT = 1, 4, 5, 8
TOKEN_MIN, TOKEN_MAX = 16, 256


# Who may connect: the same rules as those of the socket plugins.


def find_peer_uid(connection):
    """The user whose process has the other end of a TCP connection; None: nobody can tell."""
    local, peer = connection.getsockname(), connection.getpeername()
    family = connection.family
    key = struct.pack(">HH", peer[1], local[1])
    key += b"".join(socket.inet_pton(family, address[0].partition("%")[0]).ljust(16, b"\0") for address in (peer, local))
    key += struct.pack("=III", peer[3] if family == socket.AF_INET6 else 0, 0xffffffff, 0xffffffff)
    request = struct.pack("=BBBBI", family, socket.IPPROTO_TCP, 0, 0, 0xffffffff) + key
    try:
        with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_CLOEXEC, NETLINK_SOCK_DIAG) as diag:
            diag.send(struct.pack("=IHHII", 16 + len(request), SOCK_DIAG_BY_FAMILY, 1, 1, 0) + request)
            answer = diag.recv(8192)
    except OSError:
        return None
    if len(answer) < 16 + 72 or struct.unpack_from("=H", answer, 4)[0] != SOCK_DIAG_BY_FAMILY:
        return None
    state, (uid, inode) = answer[17], struct.unpack_from("=II", answer, 16 + 64)
    # A socket that its process has closed is nobody's: the system then says 0 for the user.
    if state not in (ESTABLISHED, FIN_WAIT1, FIN_WAIT2, CLOSE_WAIT) or inode == 0:
        return None
    # What was found is the other end only if this one was connected all the while.
    own_state = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]
    return uid if own_state in (ESTABLISHED, CLOSE_WAIT) else None


def read_token(path):
    """The first line of a file that nobody else can read."""
    with open(path, encoding="ascii", errors="strict") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode) or status.st_uid not in (0, os.geteuid()) or status.st_mode & 0o077:
            raise ValueError("%s: a token is kept in a file of one's own that nobody else can read (chmod 600)" % path)
        token = file.readline(TOKEN_MAX + 2).strip()
    if not TOKEN_MIN <= len(token) <= TOKEN_MAX or not token.isprintable() or " " in token:
        raise ValueError("%s: a token has %d to %d printable characters of ASCII, no blanks" % (path, TOKEN_MIN, TOKEN_MAX))
    return token


class Access:
    """What --allow-users and --token-file say."""

    def __init__(self, users=None, token_file=None):
        self.any = users == "any"
        self.uids = {0, os.geteuid()}
        if users is not None and not self.any:
            for text in users.split(","):
                if not text.isascii() or not text.isdigit() or int(text) >= 0xffffffff:
                    raise ValueError("--allow-users: '%s' is no number of a user; 'any', or numbers with commas between" % text)
                self.uids.add(int(text))
        self.token = read_token(token_file) if token_file is not None else None
        self.is_open = users is not None or token_file is not None

    def check_address(self, address):
        """Raises ValueError where a port would be open to others and nothing says to whom."""
        if self.is_open or address == "localhost":
            return
        try:
            loopback = ipaddress.ip_address(address).is_loopback
        except ValueError:
            loopback = False
        if not loopback:
            raise ValueError("the address %s is not of this machine alone: say by --allow-users or --token-file who may connect"
                             % (address or "*"))

    def refusal(self, connection):
        """None: the peer is let in; else why not."""
        if self.any:
            return None
        uid = find_peer_uid(connection)
        if uid in self.uids:
            return None
        return "connections of %s are not allowed here" % ("an unknown user" if uid is None else "user %d" % uid)


# The protocol.


def is_pose(value):
    return (isinstance(value, list) and len(value) == 2 and all(
        isinstance(triple, list) and len(triple) == 3 and all(
            isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x) for x in triple)
        for triple in value))


class Server:
    def __init__(self, access, debug=False, out=sys.stderr):
        self.access = access
        self.robots = {}  # name: (pose, connection)
        self.times = {}
        self.debug = debug
        self.out = out

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

    async def run(self, address, port):
        loop = asyncio.get_running_loop()
        server = await loop.create_server(lambda: Connection(self), address, port)
        self.say("multinode server listens on %s:%d" % server.sockets[0].getsockname()[:2])
        async with server:
            await server.serve_forever()


class Connection(asyncio.Protocol):
    """A node. asyncio sets TCP_NODELAY; each answer is one write."""

    def __init__(self, server):
        self.server = server
        self.node = None
        self.waiting = bytearray()
        self.looked = 0
        self.needs_token = False

    def connection_made(self, transport):
        access = self.server.access
        self.transport = transport
        self.reason = access.refusal(transport.get_extra_info("socket"))
        if self.reason is None:
            return
        self.needs_token = access.token is not None
        if not self.needs_token:
            self.refuse()
        else:
            self.timer = asyncio.get_running_loop().call_later(TOKEN_SECONDS, self.refuse)

    def refuse(self):
        self.server.say("refused a connection: " + self.reason)
        self.transport.write(b"FAILURE %s\n" % self.reason.encode())
        self.transport.close()

    def data_received(self, data):
        self.waiting += data
        while not self.transport.is_closing():
            end = self.waiting.find(b"\n", self.looked)
            self.looked = len(self.waiting) if end < 0 else 0
            if (end if end >= 0 else len(self.waiting)) > (MAX_TOKEN_LINE if self.needs_token else MAX_LINE):
                self.transport.abort()
            if end < 0 or self.transport.is_closing():
                return
            line = bytes(self.waiting[:end])
            del self.waiting[:end + 1]
            self.take(line)

    def take(self, line):
        token = line[6:] if line.startswith(b"TOKEN ") and self.node is None else None
        if self.needs_token:
            self.timer.cancel()
            if token is None or not hmac.compare_digest(token.strip(), self.server.access.token.encode()):
                self.refuse()
            self.needs_token = False
        elif token is None:
            self.answer(line)

    def answer(self, line):
        answer = self.server.take(line, self)
        if answer is None:
            self.transport.close()
            return
        if self.node is None:
            self.server.say("node %s is here" % answer[0])
        self.node = answer[0]
        # Whoever does not read is not kept in memory for ever.
        if self.transport.get_write_buffer_size() > MAX_LINE:
            self.transport.abort()
            return
        self.transport.write(json.dumps(answer[1]).encode() + b"\n")

    def connection_lost(self, error):
        if self.needs_token:
            self.timer.cancel()
        if self.node is not None:
            self.server.forget(self, self.node)


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="orrery.multinode", description="Lets nodes of a simulation share robots.")
    parser.add_argument("--address", default="127.0.0.1", help="where to listen (127.0.0.1)")
    parser.add_argument("--port", type=int, default=65000, help="TCP port (65000); 0: any")
    parser.add_argument("-d", "--debug", action="store_true", help="say what comes")
    parser.add_argument("--allow-users", metavar="any|UID,...", help="whose processes may connect, beside those of one's own user")
    parser.add_argument("--token-file", metavar="FILE", help="let in who sends the token of this file")
    options = parser.parse_args(arguments)
    try:
        access = Access(options.allow_users, options.token_file)
        access.check_address(options.address)
        asyncio.run(Server(access, options.debug).run(options.address, options.port))
    except KeyboardInterrupt:
        return 130
    except ValueError as error:
        print("orrery.multinode: %s" % error, file=sys.stderr)
        return 64
    except OSError as error:
        print("orrery.multinode: %s" % error, file=sys.stderr)
        return 74
    return 0


if __name__ == "__main__":
    sys.exit(main())
