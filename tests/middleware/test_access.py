# SPDX-License-Identifier: BSD-3-Clause
"""Who may connect, and what a client that means no good gets: another user, a page in a browser, one that vanishes."""

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest

from clients import IN, OUT, REQUESTS, SOCKET, ClientCase, Lines, free_port

import tap

TEN = {"name": "ten", "classpath": "trial.arithmetic.Ten"}
SINK = {"name": "sink", "classpath": "trial.arithmetic.Sink"}
OTHER = 65533  # a user who owns nothing here
AS_ROOT = unittest.skipUnless(os.geteuid() == 0, "only root can start a process of another user")
CLONE_NEWNET = 0x40000000

# A process of another user: connects, says its lines, tells what it hears until the end.
STRANGER = """
import os, socket, sys
os.setgroups([]); os.setgid({uid}); os.setuid({uid})
with socket.create_connection(("{host}", {port}), timeout=30) as s:
    try:
        s.sendall({text!r})
        heard = b""
        while not heard.endswith({until!r}) and len(heard) < 1 << 20:
            got = s.recv(4096)
            if not got:
                break
            heard += got
    except ConnectionError:
        pass
sys.stdout.write(heard.decode())
"""

# Many calls that nobody will answer.
FLOOD = """
import socket, sys, time
clients = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(12)]
for client in clients:
    client.sendall(b"".join(b"%d simulation step [1000000000]\\n" % i for i in range(1000)))
print("sent", flush=True)
time.sleep(600)
"""

# Connections that are closed at once.
HASTE = """
import os, socket, sys
os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
for text in (b"x simulation pause\\n", b"x simulation quit\\ny simulation pause\\n", b"x simulation quit") * 70:
    with socket.create_connection(("127.0.0.1", int(sys.argv[1]))) as s:
        s.sendall(text)
"""

# Two connections at once, which then both send the token; how many of them are closed. Nothing tells
# a client that it waits at the door, so both are given time to get there.
TWO = """
import os, select, socket, sys
os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
both = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(2)]
for each in both:
    each.sendall(b"TOK")
select.select(both, [], [], 0.5)
for each in both:
    each.sendall(("EN " + sys.argv[3]).encode())
ready, _, _ = select.select(both, [], [], 20)
print(sum(each.recv(100) == b"" for each in ready))
"""


# Connections that say nothing, until their standard input ends.
SILENT = """
import os, socket, sys
os.setgid(int(sys.argv[2])); os.setuid(int(sys.argv[2]))
silent = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(int(sys.argv[3]))]
print("there", flush=True)
sys.stdin.read()
"""


def be_another(port, text, uid=OTHER, host="127.0.0.1", until="\0"):
    done = subprocess.run([sys.executable, "-I", "-c", STRANGER.format(
        uid=uid, host=host, port=port, text=text.encode(), until=until.encode())], capture_output=True, text=True, timeout=60)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return done.stdout


class AccessCase(ClientCase):
    def open(self, *options, **manager):
        """A run with all kinds of ports: services, a stream out, a stream in, sync_port."""
        self.sync_port = free_port()
        scene = self.scene([TEN, SINK], component_datastream={"robot.ten": [OUT], "robot.sink": [IN]},
                           component_service={"robot.sink": [REQUESTS]},
                           stream_manager={SOCKET: dict({"time_sync": True, "sync_port": self.sync_port}, **manager)})
        self.process, self.port = self.run_scene(scene, "--fast", *options)
        with Lines(self.port) as services:
            self.ports = [self.port, self.sync_port, services.ask("simulation", "get_stream_port", "robot.ten"),
                          services.ask("simulation", "get_stream_port", "robot.sink")]

    def token_file(self, text="0123456789abcdef-token", mode=0o600):
        path = self.write("token-%o-%d" % (mode, len(text)), text + "\n")
        os.chmod(path, mode)
        return path


class Users(AccessCase):
    @AS_ROOT
    def test_another_user_gets_one_line_and_is_closed(self):
        """On every port; nothing that it sent is done."""
        self.open()
        for port in self.ports:
            heard = be_another(port, "x simulation quit\n")
            self.assertRegex(heard, r"^FAILURE [^\n]*user %d[^\n]*\n$" % OTHER)
        with Lines(self.port) as services:
            self.assertEqual(services.ask("simulation", "list_robots"), ["robot"])
        self.assertIn("of another user", self.finish(self.process))

    @AS_ROOT
    def test_who_has_gone_is_not_taken_for_root(self):
        """A socket without a process shows 0 for its user."""
        self.open()
        subprocess.run([sys.executable, "-I", "-c", HASTE, str(self.port), str(OTHER)], check=True, timeout=60)
        with Lines(self.port) as services:
            self.assertEqual(services.ask("simulation", "state"), "running")

    def test_who_has_gone_may_have_asked_for_the_end(self):
        """Test cases written for MORSE say this, close, and wait for the simulation to be over."""
        self.open()
        with socket.create_connection(("127.0.0.1", int(self.port))) as client:
            client.sendall(b"id1 simulation quit\n")
        self.assertEqual(self.process.wait(timeout=60), 0)

    @AS_ROOT
    def test_allowed_users(self):
        self.open("--allow-users", "12345,%d" % OTHER)
        self.assertEqual(be_another(self.port, "x simulation list_robots\n", until="\n"), 'x SUCCESS ["robot"]\n')
        self.assertIn("FAILURE", be_another(self.port, "x simulation list_robots\n", uid=OTHER - 1))

    @AS_ROOT
    def test_any_user(self):
        self.open("--allow-users=any")
        self.assertEqual(be_another(self.port, "x simulation list_robots\n", until="\n"), 'x SUCCESS ["robot"]\n')

    @AS_ROOT
    def test_a_token(self):
        self.open("--token-file", self.token_file())
        good = "TOKEN 0123456789abcdef-token\n"
        self.assertEqual(be_another(self.port, good + "x simulation list_robots\n", until="\n"), 'x SUCCESS ["robot"]\n')
        self.assertIn('"x": 10', be_another(self.ports[2], good, until="\n"))
        for bad in ("x simulation list_robots\n", "TOKEN 0123456789abcdef-tokem\nx simulation list_robots\n", "TOKEN \n",
                    "TOKEN " + "0" * 1000 + "\n", "TOKEN 0123456789abcdef-token2\n", "\n", good[1:]):
            self.assertIn("FAILURE", be_another(self.port, bad), bad)
        # Who is let in anyway may send it, too.
        with Lines(self.port) as services:
            services.send(good)
            self.assertEqual(services.ask("simulation", "list_robots"), ["robot"])

    @AS_ROOT
    def test_a_token_makes_no_place(self):
        """Who was let in at the door waits for the token while others may come: sync_port takes one client."""
        path = self.token_file()
        self.open("--token-file", path)
        with open(path, encoding="utf-8") as file:
            token = file.read()
        done = subprocess.run([sys.executable, "-I", "-c", TWO, str(self.sync_port), str(OTHER), token],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.stdout, "1\n", done.stderr)
        self.finish(self.process)

    @AS_ROOT
    def test_who_is_silent_keeps_nobody_out(self):
        """Strangers who wait without the token make way for whoever has it."""
        self.open("--token-file", self.token_file())
        silent = subprocess.Popen([sys.executable, "-I", "-c", SILENT, str(self.port), str(OTHER), "100"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end, silent)
        self.assertEqual(silent.stdout.readline(), "there\n")
        good = "TOKEN 0123456789abcdef-token\nx simulation list_robots\n"
        for _ in range(3):
            self.assertEqual(be_another(self.port, good, uid=OTHER - 1, until="\n"), 'x SUCCESS ["robot"]\n')
        silent.communicate()

    def test_a_token_releases_no_tick(self):
        """What a client of sync_port sends releases ticks, but not the token, however it is cut."""
        self.open("--token-file", self.token_file())
        token = b"TOKEN 0123456789abcdef-token\n"

        def ticks(services):
            # What the tick's thread was woken for is done by then.
            for _ in range(5):
                now = services.ask("time", "now")
            return now

        for cut in (1, 4, 8, 100):
            with Lines(self.port) as services, Lines(self.sync_port) as sync:
                # It holds the ticks from the moment when its connection is taken.
                before = None
                while before is None or ticks(services) != before:
                    before = ticks(services)
                sync.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for at in range(0, len(token), cut):
                    sync.send(token[at:at + cut])
                self.assertEqual(ticks(services), before)
                sync.send(b"x")
                while ticks(services) == before:
                    pass

    def test_a_tick_may_begin_as_a_token_does(self):
        """A tick by a byte that a token's line begins with waits for the rest, but not for ever."""
        self.open("--token-file", self.token_file())
        for tick in (b"T", b"TOK"):
            with Lines(self.port) as services, Lines(self.sync_port) as sync:
                before = None
                while before is None or services.ask("time", "now") != before:
                    before = services.ask("time", "now")
                sync.send(tick)
                deadline = time.monotonic() + 20
                while services.ask("time", "now") == before:
                    self.assertLess(time.monotonic(), deadline)

    def test_what_is_said_wrongly_is_an_error(self):
        scene = self.scene([TEN], component_datastream={"robot.ten": [OUT]})
        for options, words in ((("--allow-users", "me"), "'me'"), (("--allow-users", "1,,2"), "''"), (("--allow-users", "-1"), "'-1'"),
                               (("--token-file", self.path("none")), "No such file"),
                               (("--token-file", self.token_file(mode=0o644)), "nobody else can read"),
                               (("--token-file", self.token_file("short")), "16 to 256"),
                               (("--token-file", self.token_file("two words of a token")), "no blanks"),
                               (("--token-file", self.directory), "nobody else can read")):
            done = self.orrery("run", scene, "--ticks", "1", "--plugin-dir", self.plugins, *options)
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn(words, done.stderr)

    def test_beyond_loopback_somebody_says_who(self):
        for address in ("*", "0.0.0.0", "::", "192.0.2.1"):
            scene = self.scene([TEN], component_datastream={"robot.ten": [OUT]}, stream_manager={SOCKET: {"address": address}})
            done = self.orrery("run", scene, "--ticks", "1", "--plugin-dir", self.plugins)
            self.assertEqual(done.returncode, 65, done.stderr)
            self.assertIn("--allow-users or --token-file", done.stderr)

    @AS_ROOT
    def test_from_another_network_nobody_is_known(self):
        """In a namespace of its own, over an address that is not loopback: unknown, unless it has the token."""
        libc = ctypes.CDLL(None, use_errno=True)
        if shutil.which("ip") is None:
            self.skipTest("no ip; Debian has it as iproute2")

        def leave():
            if libc.unshare(CLONE_NEWNET) != 0:
                os._exit(77)
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)

        probe = subprocess.run(["ip", "-V"], capture_output=True, preexec_fn=leave)
        if probe.returncode != 0:
            self.skipTest("no network namespaces here")
        holder = subprocess.Popen(["sleep", "120"], preexec_fn=leave)
        self.addCleanup(self.end, holder)
        pid = str(holder.pid)
        for command in (["ip", "link", "add", "orr%s" % pid, "type", "veth", "peer", "name", "inner", "netns", pid],
                        ["ip", "addr", "add", "10.213.7.1/24", "dev", "orr%s" % pid], ["ip", "link", "set", "orr%s" % pid, "up"]):
            subprocess.run(command, check=True)
        self.addCleanup(subprocess.run, ["ip", "link", "del", "orr%s" % pid], capture_output=True)
        inside = ["nsenter", "-n", "-t", pid]
        subprocess.run([*inside, "ip", "addr", "add", "10.213.7.2/24", "dev", "inner"], check=True)
        subprocess.run([*inside, "ip", "link", "set", "inner", "up"], check=True)
        self.open("--token-file", self.token_file(), address="10.213.7.1")
        text = STRANGER.replace("os.setgroups([]); os.setgid({uid}); os.setuid({uid})", "")

        def talk(words, until):
            done = subprocess.run([*inside, sys.executable, "-I", "-c", text.format(
                host="10.213.7.1", port=self.ports[2], text=words.encode(), until=until.encode())],
                capture_output=True, text=True, timeout=60)
            return done.stdout

        self.assertRegex(talk("hello\n", "\0"), r"^FAILURE .*unknown user")
        self.assertIn('"x": 10', talk("TOKEN 0123456789abcdef-token\n", "\n"))


class Browsers(AccessCase):
    def test_a_post_is_answered_and_not_done(self):
        """The body of a page is not read as requests, however the bytes are cut."""
        self.open()
        body = b"x simulation pause\nx simulation pause\n"
        head = b"POST /%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
        made_up = b"FETCH" + head[4:]  # a page may choose any method
        for head, path, cut in ((head, b"", 1), (head, b"", 4), (head, b"", 7), (head, b"", 4096),
                                (head, b"a" * (2 << 20), 1 << 16), (made_up, b"", 1), (made_up, b"", 4096),
                                (made_up, b"a" * (2 << 20), 1 << 16)):
            text = head % (path, len(body)) + body
            # Bytes that release ticks are not lines, whatever they say.
            ports = self.ports if head is not made_up else [self.ports[0], self.ports[3]]
            for port in ports:
                with socket.create_connection(("127.0.0.1", port), timeout=30) as page:
                    page.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    heard = b""
                    try:
                        for at in range(0, len(text), cut):
                            page.sendall(text[at:at + cut])
                        while got := page.recv(4096):
                            heard += got
                    except ConnectionError:
                        pass
                    if cut == 4096 and port != self.ports[2]:
                        self.assertTrue(heard.startswith(b"HTTP/1.1 400 "), heard)
        with Lines(self.port) as services:
            self.assertEqual(services.ask("simulation", "state"), "running")
        self.assertIn("HTTP", self.finish(self.process))

    def test_words_that_are_methods_are_names_for_calls(self):
        self.open()
        with Lines(self.port) as services:
            services.send("GET simulation list_robots\n")
            self.assertEqual(services.line(), 'GET SUCCESS ["robot"]')


class Vanished(AccessCase):
    CALL = "%d simulation step [1000000000]\n"

    def waiting(self, client, n, first=0):
        client.send("".join(self.CALL % i for i in range(first, first + n)))

    def has_room(self, n):
        """Whether a new client may have so many calls that wait."""
        with Lines(self.port) as client:
            self.waiting(client, n)
            client.send("a simulation list_robots\n")
            return client.line() == 'a SUCCESS ["robot"]'

    def test_calls_of_a_client_that_was_killed_are_cancelled(self):
        """Ten thousand calls of one that has gone, and of many: everybody else is served."""
        self.open()
        with Lines(self.sync_port) as sync:
            vanished = subprocess.Popen([sys.executable, "-I", "-c", FLOOD, str(self.port)], stdout=subprocess.PIPE, text=True)
            self.assertEqual(vanished.stdout.readline(), "sent\n")
            with Lines(self.port) as services:
                # While they wait: supervision gets through.
                self.assertEqual(services.ask("simulation", "list_robots"), ["robot"])
                vanished.kill()
                vanished.wait()
                vanished.stdout.close()
                deadline = time.monotonic() + 60
                while not self.has_room(100):
                    self.assertLess(time.monotonic(), deadline, "calls of a client that has gone keep others out")
                services.send("b simulation quit\n")
                self.assertEqual(services.line(), "b SUCCESS")
            sync.close()
        self.assertEqual(self.process.wait(60), 0)

    def test_the_limit_is_each_clients_own(self):
        self.open()
        with Lines(self.sync_port), Lines(self.port) as greedy, Lines(self.port) as other:
            self.waiting(greedy, 1001)
            line = greedy.line()
            self.assertRegex(line, r'^1000 FAILED ".*1000 calls')
            # Its own supervision, too.
            greedy.send("q simulation list_robots\n")
            self.assertEqual(greedy.line(), 'q SUCCESS ["robot"]')
            self.waiting(other, 10)
            other.send("q simulation list_robots\n")
            self.assertEqual(other.line(), 'q SUCCESS ["robot"]')

    def test_what_was_asked_last_is_done(self):
        """A client that goes at once after its line was let in: what it asked is done."""
        self.open()
        client = Lines(self.port)
        client.ask("simulation", "list_robots")
        client.send("x simulation quit\n")
        client.close()
        self.assertEqual(self.process.wait(60), 0)


class Second(ClientCase):
    def test_a_second_simulation_says_so_or_refuses(self):
        """Clients look for it at the port where another one answers."""
        scene = self.scene([SINK], component_service={"robot.sink": [REQUESTS]})
        process, port = self.run_scene(scene)
        done = self.orrery("run", scene, "--quiet", "--ticks", "1", "--plugin-dir", self.plugins)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"port 4000 is in use.* port 40\d\d")
        done = self.orrery("run", scene, "--strict", "--ticks", "1", "--plugin-dir", self.plugins)
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("port 4000 is in use", done.stderr)
        self.finish(process)


if __name__ == "__main__":
    tap.main()
