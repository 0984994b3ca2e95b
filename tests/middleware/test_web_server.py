# SPDX-License-Identifier: BSD-3-Clause
"""The server of pages and WebSockets: who is let in, what is cut off, and what a slow client gets."""

import asyncio
import os
import queue
import re
import resource
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest

try:
    import websockets
except ImportError:
    websockets = None

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import tap  # noqa: E402
from websocket_client import Socket, handshake  # noqa: E402

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", "build")
PROGRAM = os.path.join(BUILD, "tests/middleware/web-trial")
LIMIT = 60  # seconds, for what should take one
OTHER = 65533  # a user who owns nothing here
AS_ROOT = unittest.skipUnless(os.geteuid() == 0, "only root can start a process of another user")
TOKEN = "0123456789abcdef-token"

# Sends bytes as another user, and tells what it hears.
STRANGER = """
import os, socket, sys
os.setgroups([]); os.setgid({uid}); os.setuid({uid})
with socket.create_connection(("127.0.0.1", {port}), timeout=30) as s:
    s.sendall({text!r})
    heard = b""
    while b"\\r\\n\\r\\n" not in heard:
        got = s.recv(4096)
        if not got:
            break
        heard += got
sys.stdout.write(heard.decode("latin-1"))
"""


class WebCase(unittest.TestCase):
    def start(self, *options, descriptors=None):
        limit = descriptors and (lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors)))
        self.process = subprocess.Popen([PROGRAM, *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                                        preexec_fn=limit)
        self.addCleanup(self.kill)
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, daemon=True).start()
        self.port = int(self.await_line("port ").split()[1])

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def await_line(self, start):
        end = time.monotonic() + LIMIT
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                self.fail("no line %r; there were\n%s" % (start, "\n".join(self.seen)))
            self.seen.append(line)
            if line.startswith(start):
                return line

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def counts(self):
        self.say("counts")
        return {name: int(n) for name, n in re.findall(r"(\S+)=(\d+)", self.await_line("counts "))}

    def await_count(self, name, least):
        end = time.monotonic() + LIMIT
        while (counts := self.counts())[name] < least:
            self.assertLess(time.monotonic(), end, counts)
            time.sleep(0.01)
        return counts

    def stop(self):
        """Ends the server; how long it took."""
        begin = time.monotonic()
        self.process.stdin.close()
        self.await_line("stopped")
        self.assertEqual(self.process.wait(LIMIT), 0)
        return time.monotonic() - begin

    def connect(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT)

    def request(self, text, until_end=False):
        """The head of the answer, or all of it."""
        with self.connect() as client:
            try:
                client.sendall(text)
                heard = b""
                while until_end or b"\r\n\r\n" not in heard:
                    got = client.recv(65536)
                    if not got:
                        break
                    heard += got
            except ConnectionError:
                pass
            return heard.decode("latin-1")

    def get(self, path="/", host=None, **headers):
        host = host or "127.0.0.1:%d" % self.port
        lines = ["GET %s HTTP/1.1" % path, "Host: " + host, "Connection: close"]
        lines += ["%s: %s" % (name.replace("_", "-"), value) for name, value in headers.items()]
        return self.request(("\r\n".join(lines) + "\r\n\r\n").encode(), until_end=True)

    def shake(self, path="/echo", **headers):
        return self.request(handshake(path, self.port, **headers))

    def socket(self, path="/echo", **options):
        client = Socket(self.port, path, **options)
        self.addCleanup(client.close)
        return client


class Pages(WebCase):
    def test_assets_handlers_and_nothing(self):
        self.start()
        page = self.get()
        self.assertRegex(page, r"^HTTP/1\.1 200 ")
        self.assertIn("Content-Type: text/html; charset=utf-8", page)
        self.assertIn("nosniff", page)
        self.assertTrue(page.endswith("<title>page</title>"))
        self.assertIn("GET /ask/this hello 0", self.get("/ask/this?word=hello"))
        self.assertRegex(self.get("/asked"), r"^HTTP/1\.1 404 ")
        self.assertRegex(self.get("/../../etc/passwd"), r"^HTTP/1\.1 4")
        body = b"POST /ask?word=w HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 5\r\n\r\nabcde"
        self.assertTrue(self.request(body, until_end=True).endswith("POST /ask w 5"))
        self.assertRegex(self.request(body.replace(b"POST", b"PUT")), r"^HTTP/1\.1 405 ")
        self.assertRegex(self.get("/echo"), r"^HTTP/1\.1 426 ")

    def test_a_request_that_is_too_long(self):
        self.start("body=1000")
        for head, body in ((b"Content-Length: 1001", b"x" * 1001),
                           (b"Transfer-Encoding: chunked", b"200\r\n" + b"x" * 0x200 + b"\r\n" + b"200\r\n" + b"x" * 0x200 + b"\r\n0\r\n\r\n")):
            heard = self.request(b"POST /ask HTTP/1.1\r\nHost: localhost\r\n" + head + b"\r\n\r\n" + body, until_end=True)
            self.assertRegex(heard, r"^HTTP/1\.1 413 ")

    def test_heads_without_end_take_no_memory(self):
        self.start("door-ms=3000")
        before = self.memory()
        for start in (b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"GET /"):
            with self.connect() as client:
                try:
                    client.sendall(start)
                    for _ in range(640):
                        client.sendall(b"X-Long: " + b"x" * (100 << 10) + b"\r\n" if start.endswith(b"\n") else b"x" * (100 << 10))
                except (ConnectionError, TimeoutError):
                    pass
        self.assertLess(self.memory() - before, 16 << 20)
        self.assertRegex(self.get(), r"^HTTP/1\.1 200 ")

    def memory(self):
        """What the server has had at most, bytes."""
        with open("/proc/%d/status" % self.process.pid, encoding="ascii") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read()).group(1)) * 1024

    def test_what_is_no_http(self):
        self.start("door-ms=1000")
        for text in (b"\0" * 1000, b"id simulation quit\n", b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                     b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n"):
            self.assertNotRegex(self.request(text, until_end=True), r"^HTTP/1\.1 [123]")
        self.assertRegex(self.get(), r"^HTTP/1\.1 200 ")


class Doors(WebCase):
    def test_names_of_this_machine(self):
        self.start()
        for host in ("127.0.0.1:%d", "localhost:%d", "LOCALHOST:%d", "[::1]:%d", "localhost"):
            host = host % self.port if "%d" in host else host
            self.assertRegex(self.get(host=host), r"^HTTP/1\.1 200 ", host)
            self.assertRegex(self.shake(host=host), r"^HTTP/1\.1 101 ", host)
        for host in ("evil.example:%d" % self.port, "127.0.0.1.evil.example", "localhost.evil.example", "evil.example", "192.0.2.1",
                     "[::1", "localhost@evil.example", "user@localhost", "localhost, evil.example"):
            self.assertRegex(self.get(host=host), r"^HTTP/1\.1 40[03] ", host)
            self.assertNotRegex(self.shake(host=host), r"^HTTP/1\.1 [123]", host)
        self.assertNotRegex(self.request(b"GET / HTTP/1.1\r\n\r\n"), r"^HTTP/1\.1 [123]")
        self.assertNotRegex(self.request(b"GET / HTTP/1.0\r\n\r\n"), r"^HTTP/1\.[01] [123]")
        self.assertNotRegex(self.request(b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"), r"^HTTP/1\.1 [123]")

    def test_further_names(self):
        self.start("hosts=robot.lab")
        self.assertRegex(self.get(host="robot.lab:1"), r"^HTTP/1\.1 200 ")
        self.assertRegex(self.get(host="robot.lab.evil"), r"^HTTP/1\.1 403 ")

    def test_pages_of_others(self):
        self.start()
        for origin in ("http://127.0.0.1:%d" % self.port, "http://localhost:8000", "https://localhost", "http://[::1]:1"):
            self.assertRegex(self.shake(origin=origin), r"^HTTP/1\.1 101 ", origin)
        for origin in ("http://evil.example", "https://evil.example:%d" % self.port, "null", "file://", "http://localhost.evil.example",
                       "http://evil.example/localhost", "http://localhost@evil.example", "http://localhost:1@evil.example", "", "localhost",
                       "http://localhost, http://evil.example"):
            self.assertRegex(self.shake(origin=origin), r"^HTTP/1\.1 403 ", origin)
            if origin:
                self.assertRegex(self.get(Origin=origin), r"^HTTP/1\.1 403 ", origin)
        self.assertGreater(self.counts()["denied"], 20)
        self.assertEqual(self.counts()["opened"], 4)

    def test_pages_that_were_named(self):
        self.start("origins=https://lab.example,null")
        for origin in ("https://lab.example", "null"):
            self.assertRegex(self.shake(origin=origin), r"^HTTP/1\.1 101 ", origin)
        for origin in ("http://lab.example", "https://lab.example.evil"):
            self.assertRegex(self.shake(origin=origin), r"^HTTP/1\.1 403 ", origin)

    def token_file(self):
        file = tempfile.NamedTemporaryFile("w")
        self.addCleanup(file.close)
        file.write(TOKEN + "\n")
        file.flush()
        return file.name

    def test_a_token_opens_all(self):
        self.start("token=" + self.token_file())
        evil = {"host": "evil.example", "origin": "http://evil.example"}
        self.assertRegex(self.shake("/echo?token=" + TOKEN, **evil), r"^HTTP/1\.1 101 ")
        self.assertRegex(self.shake(authorization="Bearer " + TOKEN, **evil), r"^HTTP/1\.1 101 ")
        for path in ("/echo?token=" + TOKEN[:-1], "/echo?token=" + TOKEN + "x", "/echo?token=", "/echo?nekot=" + TOKEN, "/echo?" + TOKEN):
            self.assertRegex(self.shake(path, **evil), r"^HTTP/1\.1 403 ", path)
        for word in ("Bearer", "Bearer ", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN + "2"):
            self.assertRegex(self.shake(authorization=word, **evil), r"^HTTP/1\.1 403 ", word)

    def be_another(self, text, uid=OTHER):
        done = subprocess.run([sys.executable, "-I", "-c", STRANGER.format(uid=uid, port=self.port, text=text)],
                              capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    @AS_ROOT
    def test_another_user(self):
        self.start()
        for text in (handshake("/echo", self.port), b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"):
            heard = self.be_another(text)
            self.assertRegex(heard, r"^HTTP/1\.1 403 ")
        self.assertEqual(self.counts()["opened"], 0)

    @AS_ROOT
    def test_another_user_who_may(self):
        self.start("users=%d" % OTHER)
        self.assertRegex(self.be_another(handshake("/echo", self.port)), r"^HTTP/1\.1 101 ")
        self.assertRegex(self.be_another(handshake("/echo", self.port), OTHER - 1), r"^HTTP/1\.1 403 ")

    @AS_ROOT
    def test_another_user_with_the_token(self):
        self.start("token=" + self.token_file())
        self.assertRegex(self.be_another(handshake("/echo?token=" + TOKEN, self.port)), r"^HTTP/1\.1 101 ")
        self.assertRegex(self.be_another(handshake("/echo", self.port)), r"^HTTP/1\.1 403 ")

    def test_a_port_that_is_taken(self):
        self.start()
        done = subprocess.run([PROGRAM, "port=%d" % self.port], capture_output=True, text=True, timeout=LIMIT)
        self.assertRegex(done.stdout, r"^error no port from %d to %d on 127\.0\.0\.1: .*in use" % (self.port, self.port))
        first = self.port
        self.start("port=%d" % first, "tries=10")
        self.assertIn(self.port, range(first + 1, first + 10))

    def test_an_address_that_is_none(self):
        done = subprocess.run([PROGRAM, "address=nowhere"], capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.stdout, "error 'nowhere' is no IP address\n")


class Half(WebCase):
    def test_half_handshakes_end(self):
        """However far they got, and whether they drip."""
        self.start("door-ms=500")
        whole = handshake("/echo", self.port)
        clients = []
        for part in (b"", b"GET", whole[:40], whole[:-2]):
            client = self.connect()
            self.addCleanup(client.close)
            client.sendall(part)
            clients.append(client)
        for client in clients:
            try:
                self.assertEqual(client.recv(100), b"")
            except ConnectionError:
                pass
        self.assertGreaterEqual(self.counts()["late"], 4)

    def test_who_drips_ends_too(self):
        self.start("door-ms=500")
        begin = time.monotonic()
        with self.connect() as client:
            client.settimeout(0.02)
            while time.monotonic() - begin < LIMIT:
                try:
                    client.sendall(b"X")
                    if client.recv(1) == b"":
                        break
                except TimeoutError:
                    continue
                except ConnectionError:
                    break
        self.assertLess(time.monotonic() - begin, 10)

    def test_silent_connections_keep_nobody_out(self):
        self.start("doors=8")
        silent = [self.connect() for _ in range(50)]
        for client in silent:
            self.addCleanup(client.close)
        for _ in range(3):
            self.assertRegex(self.shake(), r"^HTTP/1\.1 101 ")
        self.assertGreaterEqual(self.counts()["crowded"], 42)

    def test_bad_handshakes(self):
        self.start()
        good = handshake("/echo", self.port)
        key = re.search(rb"Sec-WebSocket-Key: [^\r]+\r\n", good).group(0)
        for bad in (good.replace(key, b""), good.replace(key, b"Sec-WebSocket-Key: x\r\n"), good.replace(b"Version: 13", b"Version: 8"),
                    good.replace(b"Upgrade: websocket", b"Upgrade: h2c"), good.replace(b"GET", b"POST"),
                    good.replace(b"Connection: Upgrade", b"Connection: close")):
            self.assertNotRegex(self.request(bad), r"^HTTP/1\.1 [123]", bad)
        self.assertRegex(self.shake("/nowhere"), r"^HTTP/1\.1 404 ")

    def test_a_client_too_many(self):
        self.start("clients=3")
        clients = [self.socket() for _ in range(3)]
        self.assertRegex(self.shake(), r"^HTTP/1\.1 503 ")
        clients[0].close()
        self.await_count("closed", 1)
        self.socket()

    def test_a_thousand_connections(self):
        """One after the other, and then more at once than there may be."""
        self.start("clients=100", "doors=50")
        for i in range(1000):
            client = Socket(self.port, "/echo")
            if i % 100 == 0:
                client.text("ping %d" % i)
                self.assertEqual(client.read(), (1, b"ping %d" % i))
            client.close()
        counts = self.await_count("closed", 1000)
        self.assertEqual((counts["opened"], counts["clients"]), (1000, 0))
        crowd = [self.connect() for _ in range(300)]
        for client in crowd:
            self.addCleanup(client.close)
            try:
                client.sendall(handshake("/echo", self.port))
            except ConnectionError:
                pass
        self.await_count("opened", 1050)
        self.assertLessEqual(self.counts()["clients"], 100)
        for client in crowd:
            client.close()
        self.await_count("closed", self.counts()["opened"])
        self.assertRegex(self.shake(), r"^HTTP/1\.1 101 ")

    def test_without_descriptors(self):
        """It takes connections again when it can."""
        self.start(descriptors=32)
        clients = [self.connect() for _ in range(40)]
        for client in clients:
            self.addCleanup(client.close)
            client.sendall(handshake("/echo", self.port))
        self.await_count("accept-failed", 1)
        opened = self.counts()["opened"]
        for client in clients[:20]:
            client.close()
        self.await_count("opened", opened + 1)
        self.assertTrue(clients[-1].recv(12).startswith(b"HTTP/1.1 101"))


class Frames(WebCase):
    def test_messages_come_back(self):
        """Of every length of header, whole and in parts, with control frames between."""
        self.start()
        client = self.socket()
        for length in (0, 1, 125, 126, 127, 65535, 65536, 1 << 20):
            body = os.urandom(length)
            client.frame(2, body)
            self.assertEqual(client.read(), (2, body))
        client.frame(1, b"Stra", last=False)
        client.frame(9, b"are you there")
        client.frame(0, "ß".encode()[:1], last=False)
        client.frame(0, "ß".encode()[1:] + b"e")
        self.assertEqual(client.read(), (10, b"are you there"))
        self.assertEqual(client.read(), (1, "Straße".encode()))

    def test_bytes_one_by_one(self):
        self.start()
        client = self.socket()
        for byte in client.encode(1, b"slowly"):
            client.socket.sendall(bytes([byte]))
        self.assertEqual(client.read(), (1, b"slowly"))

    def test_frames_right_behind_the_handshake(self):
        self.start()
        with self.connect() as client:
            client.sendall(handshake("/echo", self.port) + Socket.encode(1, b"early"))
            heard = b""
            while not heard.endswith(b"\x81\x05early"):
                got = client.recv(4096)
                self.assertTrue(got, heard)
                heard += got

    def expect_close(self, client, code):
        opcode, body = client.read()
        self.assertEqual((opcode, struct.unpack(">H", body[:2])[0]), (8, code))
        self.assertEqual(client.socket.recv(10), b"")

    def test_what_is_no_frame(self):
        self.start("message=1000")
        mask = b"\x80\x00\x00\x00\x00"
        for bad, code in ((b"\x81\x01x", 1002),  # not masked
                          (b"\xc1" + mask, 1002), (b"\xa1" + mask, 1002), (b"\x91" + mask, 1002),  # reserved bits
                          (b"\x83" + mask, 1002), (b"\x8b" + mask, 1002),  # reserved opcodes
                          (b"\x80" + mask, 1002),  # continues nothing
                          (b"\x01" + mask + b"\x81" + mask, 1002),  # begins within another
                          (b"\x09" + mask, 1002),  # control in parts
                          (b"\x89\xfe\x00\x7e\0\0\0\0" + b"x" * 126, 1002),  # control too long
                          (b"\x82\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0\0\0", 1009),
                          (b"\x82\xff\x00\x00\x00\x10\x00\x00\x00\x00\0\0\0\0" + b"x" * 100000, 1009),
                          (b"\x81\x82\0\0\0\0\xc3\x28", 1007), (b"\x81\x81\0\0\0\0\x00", 1007),
                          (b"\x88\x81\0\0\0\0x", 1002), (b"\x88\x82\0\0\0\0\x03\xed", 1002)):
            client = self.socket()
            client.socket.sendall(bad)
            self.expect_close(client, code)
        self.assertEqual(self.await_count("closed", 16)["clients"], 0)

    def test_many_parts_are_one_message(self):
        """A message is not longer for being cut up."""
        self.start("message=1000")
        client = self.socket()
        client.frame(2, b"x" * 600, last=False)
        client.frame(0, b"x" * 400)
        self.assertEqual(client.read(), (2, b"x" * 1000))
        client.frame(2, b"x" * 600, last=False)
        client.frame(0, b"x" * 401)
        self.expect_close(client, 1009)

    def test_goodbye(self):
        self.start()
        client = self.socket()
        client.frame(8, struct.pack(">H", 1000) + b"enough")
        self.expect_close(client, 1000)
        other = self.socket("/")
        self.say("bye 4000")
        opcode, body = other.read()
        self.assertEqual((opcode, body), (8, struct.pack(">H", 4000) + b"so long"))
        other.frame(8, body)
        self.assertEqual(other.socket.recv(10), b"")

    def test_protocols(self):
        self.start()
        for offered, chosen in (("trial.v1", "trial.v1"), ("trial.v1, trial.v2", "trial.v2"), ("other, trial.v1", "trial.v1")):
            answer = self.shake("/chosen", protocol=offered)
            self.assertIn("Sec-WebSocket-Protocol: %s\r\n" % chosen, answer)
        self.assertRegex(self.shake("/chosen", protocol="other"), r"^HTTP/1\.1 400 ")
        self.assertNotIn("Sec-WebSocket-Protocol", self.shake("/chosen"))

    def test_nothing_is_compressed(self):
        self.start()
        self.assertNotIn("Sec-WebSocket-Extensions", self.shake(extensions="permessage-deflate; client_max_window_bits"))


class Slow(WebCase):
    def test_newest_wins(self):
        """Who does not read gets the newest of a channel when it reads again, and all that is no data."""
        self.start("send-buffer=65536")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("publish 1 1 2000 10000")
        self.await_line("done ")
        self.say("send 20 100")
        self.await_line("done ")
        self.say("publish 1 1 1 10")
        self.await_line("done ")
        numbers, answers = [], []
        while len(answers) < 20 or numbers[-1] != 0:
            _, body = client.read()
            (numbers if len(body) >= 1000 or len(answers) == 20 else answers).append(int(body.split()[0]))
        self.assertEqual(answers, list(range(20)))
        self.assertEqual(numbers[:-1], sorted(numbers[:-1]))
        self.assertLess(len(numbers), 200)
        self.assertGreater(self.counts()["dropped"], 1800)

    def test_a_queue_of_a_channel(self):
        """The newest twenty are kept, in their order."""
        self.start("send-buffer=65536")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("publish 7 20 1000 10000")
        self.await_line("done ")
        numbers = []
        while not numbers or numbers[-1] != 999:
            numbers.append(int(client.read()[1].split()[0]))
        self.assertEqual(numbers, sorted(numbers))
        self.assertEqual(numbers[-20:], list(range(980, 1000)))
        self.assertEqual(len(numbers) + self.counts()["dropped"], 1000)

    def test_channels_do_not_hurt_each_other(self):
        self.start("send-buffer=65536")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("publish 1 1 500 10000")
        self.await_line("done ")
        self.say("publish 2 1 1 5")
        self.await_line("done ")
        self.say("publish 1 1 500 10000")
        self.await_line("done ")
        lengths = []
        while not lengths or lengths[-1] != (10000, 499) or lengths.count((10000, 499)) < 2 and (5, 0) not in lengths:
            _, body = client.read()
            lengths.append((len(body), int(body.split()[0])))
        self.assertIn((5, 0), lengths)

    def test_all_channels_together(self):
        """What waits for one client has a limit in bytes."""
        self.start("send-buffer=65536", "data=200000")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("publish 7 100000 2000 10000")
        self.await_line("done ")
        numbers = []
        while not numbers or numbers[-1] != 1999:
            numbers.append(int(client.read()[1].split()[0]))
        self.assertEqual(numbers[-15:], list(range(1985, 2000)))
        self.assertGreater(self.counts()["dropped"], 1800)

    def test_who_reads_nothing_is_closed(self):
        """And another client gets all meanwhile."""
        self.start("stall-ms=500", "send-buffer=65536")
        slow = self.socket("/", buffer=65536)
        quick = self.socket("/")
        self.await_line("open 2")
        self.say("publish 1 1000 500 10000")
        self.await_line("done ")
        while quick.read()[1].split()[0] != b"499":
            pass
        self.await_line("close 1 ")
        counts = self.counts()
        self.assertEqual((counts["stalled"], counts["clients"]), (1, 1))
        slow.close()

    def test_who_asks_more_than_he_reads_is_not_read(self):
        """A client that never reads its answers: they do not pile up."""
        self.start("stall-ms=500", "send-buffer=65536", "control=4000000")
        client = self.socket("/echo", buffer=65536)
        client.socket.settimeout(0.2)
        message = client.encode(2, b"x" * 100000)
        sent = 0
        with self.assertRaises((TimeoutError, ConnectionError)):
            while sent < 200 << 20:
                client.socket.sendall(message)
                sent += len(message)
        self.assertLess(sent, 100 << 20)
        self.await_line("close 1 ")
        self.assertEqual(self.counts()["stalled"], 1)

    def test_what_is_never_dropped_has_a_limit(self):
        self.start("send-buffer=65536", "control=1000000")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("send 1000 10000")
        self.await_line("close 1 ")
        self.assertEqual(self.counts()["stalled"], 1)
        client.close()

    def test_pings_without_end(self):
        """Only the last needs an answer."""
        self.start("send-buffer=65536")
        client = self.socket("/echo", buffer=65536)
        client.socket.sendall(b"".join(client.encode(9, b"%125d" % i) for i in range(20000)))
        last = 0
        while last < 19999:
            opcode, body = client.read()
            self.assertEqual(opcode, 10)
            self.assertGreater(int(body) + 1, last)
            last = int(body)


    def test_a_pong_takes_no_place_of_a_channel(self):
        """Whatever number the channel has: a slow client gets both, as often as it asks."""
        self.start("send-buffer=65536")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("publish 1 1000 300 10000")
        self.await_line("done ")
        for channel in (0, (1 << 64) - 1):
            self.say("publish %d 1 1 7" % channel)
            self.await_line("done ")
        for word in b"first", b"last":
            client.frame(9, word)
        client.text("heard")
        self.await_line("message text 5 heard")
        self.say("publish %d 1 1 9" % (1 << 32))
        self.await_line("done ")
        got = []
        while not got or len(got[-1][1]) != 9:
            got.append(client.read())
        self.assertEqual([(opcode, len(body)) for opcode, body in got if len(body) != 10000], [(1, 7), (1, 7), (10, 4), (1, 9)])
        self.assertEqual(self.counts()["dropped"], 0)

    def test_the_newest_is_kept_behind_one_that_has_begun(self):
        """Both alone are more than may wait."""
        self.start("send-buffer=65536", "data=1000")
        client = self.socket("/", buffer=65536)
        self.await_line("open ")
        for channel, length in (1, 30 << 20), (2, 2000), (3, 3000):
            self.say("publish %d 1 1 %d" % (channel, length))
            self.await_line("done ")
        self.assertEqual([len(client.read()[1]) for _ in range(2)], [30 << 20, 3000])
        self.assertEqual(self.counts()["dropped"], 1)


class Ends(WebCase):
    def test_clients_are_told(self):
        self.start()
        client = self.socket("/")
        self.await_line("open ")
        self.say("send 3 10")
        self.process.stdin.close()
        self.assertEqual([client.read()[0] for _ in range(3)], [1, 1, 1])
        opcode, body = client.read()
        self.assertEqual((opcode, body[:2]), (8, struct.pack(">H", 1001)))
        client.frame(8, body[:2])
        self.assertEqual(client.socket.recv(10), b"")
        self.await_line("stopped")

    def test_in_bounded_time(self):
        """Amid half handshakes, clients that do not read, and messages that are on the way."""
        self.start("send-buffer=65536")
        others = [self.connect() for _ in range(5)]
        for client in others:
            self.addCleanup(client.close)
            client.sendall(b"GET / HTT")
        self.socket("/", buffer=65536)
        self.await_line("open ")
        self.say("publish 1 1 5000 10000")
        self.say("send 100 10000")
        self.assertLess(self.stop(), 10)


@unittest.skipUnless(websockets, "not installed: python3-websockets")
class Others(WebCase):
    async def talk(self):
        async with websockets.connect("ws://127.0.0.1:%d/chosen" % self.port, subprotocols=["trial.v1"]) as client:
            self.assertEqual(client.subprotocol, "trial.v1")
        async with websockets.connect("ws://localhost:%d/echo" % self.port, max_size=None) as client:
            for message in ("text", b"bytes", "\u00fc" * 100000, b"x" * (5 << 20)):
                await client.send(message)
                self.assertEqual(await client.recv(), message)
            await client.send(["in ", "parts"])
            self.assertEqual(await client.recv(), "in parts")
            await (await client.ping())

    def test_the_client_of_debian(self):
        self.start()
        asyncio.run(asyncio.wait_for(self.talk(), LIMIT))


if __name__ == "__main__":
    if not os.path.exists(PROGRAM):
        print("1..0 # SKIP built without libsoup")
        sys.exit(0)
    tap.main()
