# SPDX-License-Identifier: BSD-3-Clause
"""In which order the messages of a tick leave, and in which tick a call is answered, by a client that counts ticks."""

import json
import select
import socket

from clients import OUT, REQUESTS, ClientCase, Lines

import tap

TICKS = 10000
NAMES = ["pose%d" % i for i in range(10)]


class Reader:
    """A socket that is read without waiting."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self.socket.setblocking(False)
        self.bytes = b""
        self.n_ticks = 0
        self.stamp = 0

    def take(self):
        """The next line that is there, or None."""
        try:
            self.bytes += self.socket.recv(65536)
        except BlockingIOError:
            pass
        line, end, rest = self.bytes.partition(b"\n")
        if not end:
            return None
        self.bytes = rest
        return line.decode()

    def read_to(self, stamp):
        """Reads what is there, up to the record of that time; whether it is there."""
        while self.stamp < stamp - 5e-7:
            line = self.take()
            if line is None:
                return False
            self.n_ticks += 1
            self.stamp = json.loads(line)["timestamp"]
        return True


class Order(ClientCase):
    def begin(self, frequency):
        poses = [{"name": name, "classpath": "morse.sensors.pose.Pose", "frequency": frequency} for name in NAMES]
        # Ports are given in the order of the config, which is not that of the components.
        streams = {"robot." + name: [OUT] for name in NAMES[::-1]}
        scene = self.scene(poses, {"frequency": frequency}, component_datastream=streams,
                           component_service={"robot.pose0": [REQUESTS]})
        self.process, port = self.run_scene(scene)
        with Lines(port) as services:
            ports = services.ask("simulation", "get_all_stream_ports")
        self.services = Reader(port)
        self.streams = [Reader(ports["robot." + name]) for name in NAMES]
        self.poll = select.poll()
        for reader in (*self.streams, self.services):
            self.poll.register(reader.socket, select.POLLIN)
            self.addCleanup(reader.socket.close)
        while not all(reader.stamp for reader in self.streams):
            self.assertTrue(self.poll.poll(20000))
            for reader in self.streams:
                reader.read_to(reader.stamp + 2e-6)

    def check(self, readers, stamp, what):
        """All of these have got the record of that time by now."""
        late = [NAMES[i] for i, reader in enumerate(readers) if not reader.read_to(stamp)]
        self.assertEqual(late, [], "%s is there before them" % what)

    def test_order(self):
        """A message of a later component is there only with those of all that come before it; an answer is the last."""
        self.begin(400)
        n_answers = 0
        self.services.socket.sendall(b"a time now\n")
        while self.streams[-1].n_ticks < TICKS:
            ready = {fd for fd, _ in self.poll.poll(20000)}
            self.assertTrue(ready)
            answer = self.services.take() if self.services.socket.fileno() in ready else None
            if answer is not None:
                n_answers += 1
                self.check(self.streams, float(answer.split()[2]), answer)
                self.services.socket.sendall(b"a time now\n")
            # From the last to the first: whatever left before one that is there is there, too.
            for i in range(len(NAMES) - 1, -1, -1):
                stream = self.streams[i]
                if stream.socket.fileno() in ready and stream.read_to(stream.stamp + 2e-6):
                    self.check(self.streams[:i], stream.stamp, NAMES[i])
        self.assertGreater(n_answers, 100)

    def count(self, seconds):
        """How many ticks after that of the call a sleep is answered."""
        self.services.socket.sendall(b"a time now\nb time sleep [%s]\n" % seconds)
        answers = []
        while len(answers) < 2:
            self.assertTrue(self.poll.poll(20000))
            for reader in self.streams:
                reader.read_to(reader.stamp + 2e-6)
            answer = self.services.take()
            if answer is not None:
                answers.append((float((answer.split() + ["0"])[2]), self.streams[0].stamp))
        self.check(self.streams, answers[0][0], "the first answer")
        return round((answers[1][1] - answers[0][0]) * 60)

    def test_sleep(self):
        """To the nearest tick, in integers; a client that is not scheduled in time may see it later, never earlier."""
        self.begin(60)
        for seconds, ticks in ((b"0.1", 6), (b"0.05", 3), (b"0.025", 2), (b"0.02", 1), (b"0.01", 1), (b"0", 1)):
            seen = []
            while ticks not in seen and len(seen) < 50:
                seen.append(self.count(seconds))
            self.assertEqual(min(seen), ticks, "%s s: %s" % (seconds, seen))


if __name__ == "__main__":
    tap.main()
