# SPDX-License-Identifier: BSD-3-Clause
"""A client of WebSockets of the plainest kind, which can send what no client should."""

import base64
import os
import socket
import struct

LIMIT = 60  # seconds, for what should take one


def handshake(path, port, host=None, **headers):
    """The request; `host`, `origin`, `protocol`, `extensions` and others are headers."""
    names = {"protocol": "Sec-WebSocket-Protocol", "extensions": "Sec-WebSocket-Extensions"}
    lines = ["GET %s HTTP/1.1" % path, "Host: %s" % (host if host is not None else "127.0.0.1:%d" % port),
             "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
             "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
    lines += ["%s: %s" % (names.get(name, name.capitalize()), value) for name, value in headers.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Socket:
    def __init__(self, port, path="/", buffer=None, **headers):
        self.socket = socket.socket()
        self.socket.settimeout(LIMIT)
        # A small one makes a client that does not read a slow one soon.
        if buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.sendall(handshake(path, port, **headers))
        self.bytes = b""
        while b"\r\n\r\n" not in self.bytes:
            self._more()
        self.head, _, self.bytes = self.bytes.partition(b"\r\n\r\n")
        if not self.head.startswith(b"HTTP/1.1 101"):
            raise ConnectionError(self.head.decode())

    def _more(self):
        got = self.socket.recv(1 << 16)
        if not got:
            raise EOFError(self.bytes)
        self.bytes += got

    def _take(self, n):
        while len(self.bytes) < n:
            self._more()
        taken, self.bytes = self.bytes[:n], self.bytes[n:]
        return taken

    @staticmethod
    def encode(opcode, body, last=True):
        mask = os.urandom(4)
        length = len(body)
        head = bytes([opcode | (0x80 if last else 0)])
        if length < 126:
            head += bytes([0x80 | length])
        elif length < 1 << 16:
            head += b"\xfe" + struct.pack(">H", length)
        else:
            head += b"\xff" + struct.pack(">Q", length)
        key = int.from_bytes((mask * (length // 4 + 1))[:length], "big")
        return head + mask + (int.from_bytes(body, "big") ^ key).to_bytes(length, "big")

    def frame(self, opcode, body, last=True):
        self.socket.sendall(self.encode(opcode, body, last))

    def text(self, text):
        self.frame(1, text.encode())

    def read(self):
        """The next frame: its opcode and its body."""
        first, length = self._take(2)
        if first & 0xf0 != 0x80 or length & 0x80:
            raise ValueError("a server sends whole frames without a mask: %02x %02x" % (first, length))
        if length == 126:
            length, = struct.unpack(">H", self._take(2))
        elif length == 127:
            length, = struct.unpack(">Q", self._take(8))
        return first & 0x0f, self._take(length)

    def close(self):
        self.socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()
