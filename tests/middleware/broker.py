# SPDX-License-Identifier: BSD-3-Clause
"""Brokers and clients of MQTT: mosquitto, one that knows version 3.1.1 only, one that says nothing."""

import json
import queue
import shutil
import socket
import struct
import subprocess
import threading

from clients import free_port

try:
    import paho.mqtt.client as paho
    from paho.mqtt.packettypes import PacketTypes
    from paho.mqtt.properties import Properties
except ImportError:
    paho = None

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
LIMIT = 30  # seconds, for what should take one


class Mosquitto:
    """A broker on a port of its own, with what a test adds to its configuration."""

    def __init__(self, case, *lines, port=None):
        self.case = case
        self.port = port or free_port()
        self.lines = list(lines) or ["allow_anonymous true"]
        self.process = None
        self.start()
        case.addCleanup(self.kill)

    def start(self):
        config = self.case.write("mosquitto-%d.conf" % self.port, "\n".join(
            ["log_dest stderr", "persistence false", "max_queued_messages 0", "listener %d 127.0.0.1" % self.port] +
            self.lines) + "\n")
        self.process = subprocess.Popen([MOSQUITTO, "-c", config], stderr=subprocess.PIPE, text=True)
        said = []
        for line in self.process.stderr:
            said.append(line)
            if " running" in line:
                break
        else:
            raise RuntimeError("mosquitto does not run: " + "".join(said))
        self.log = []
        threading.Thread(target=self._read, args=(self.process.stderr,), daemon=True).start()

    def _read(self, file):
        for line in file:
            self.log.append(line)

    def kill(self):
        self.process.kill()
        self.process.wait()


class Client:
    """A client whose messages are kept as they come."""

    def __init__(self, case, port, *topics, version=5, qos=0, reads=True):
        self.messages = queue.Queue()
        self.subscribed = threading.Event()
        self.client = paho.Client(protocol=paho.MQTTv5 if version == 5 else paho.MQTTv311)
        self.client.on_message = lambda client, data, message: self.messages.put(message)
        self.client.on_subscribe = lambda *arguments: self.subscribed.set()
        self.client.connect("127.0.0.1", port)
        if reads:
            self.client.loop_start()
            case.addCleanup(self.client.loop_stop)
        if topics:
            self.client.subscribe([(topic, paho.SubscribeOptions(qos=qos)) if version == 5 else (topic, qos)
                                   for topic in topics])
            if reads and not self.subscribed.wait(LIMIT):
                raise RuntimeError("the broker did not answer a subscription")
        case.addCleanup(self.client.disconnect)

    def next(self, timeout=LIMIT):
        try:
            return self.messages.get(timeout=timeout)
        except queue.Empty:
            raise AssertionError("no message came") from None

    def await_payload(self, payload):
        while self.next().payload != payload:
            pass

    def await_record(self, accepts):
        """The first record of which this is true."""
        while True:
            record = json.loads(self.next().payload)
            if accepts(record):
                return record

    def publish(self, topic, payload, qos=1, retain=False, **properties):
        """Waits until the broker has it."""
        given = None
        if properties:
            given = Properties(PacketTypes.PUBLISH)
            for name, value in properties.items():
                setattr(given, name, value)
        self.client.publish(topic, payload if isinstance(payload, (str, bytes)) else json.dumps(payload), qos, retain,
                            given).wait_for_publish(LIMIT)


class OldBroker:
    """Knows MQTT 3.1.1 only, and one client: tells what it gets, and sends it what a test says."""

    def __init__(self, case, silent_refusal=False):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.silent_refusal = silent_refusal
        self.levels = []
        self.subscriptions = queue.Queue()
        self.messages = queue.Queue()
        self.client = None
        threading.Thread(target=self._accept, daemon=True).start()
        case.addCleanup(self.listener.close)

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                self._serve(connection)

    @staticmethod
    def _exactly(connection, n):
        data = b""
        while len(data) < n:
            got = connection.recv(n - len(data))
            if not got:
                raise ConnectionError
            data += got
        return data

    def _packet(self, connection):
        kind = self._exactly(connection, 1)[0]
        length = shift = 0
        while True:
            byte = self._exactly(connection, 1)[0]
            length |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return kind, self._exactly(connection, length)

    def _serve(self, connection):
        try:
            kind, body = self._packet(connection)
            while kind >> 4 != 14 and self._answer(connection, kind, body):
                kind, body = self._packet(connection)
        except ConnectionError:
            pass

    def _answer(self, connection, kind, body):
        if kind >> 4 == 1:  # CONNECT
            self.levels.append(body[6])
            known = body[6] == 4
            if known or not self.silent_refusal:
                connection.sendall(b"\x20\x02\x00\x00" if known else b"\x20\x02\x00\x01")
            self.client = connection
            return known
        if kind >> 4 == 8:  # SUBSCRIBE
            size = struct.unpack(">H", body[2:4])[0]
            self.subscriptions.put(body[4:4 + size].decode())
            connection.sendall(b"\x90\x03" + body[:2] + body[-1:])
        if kind >> 4 == 3:  # PUBLISH
            size = struct.unpack(">H", body[:2])[0]
            numbered = kind >> 1 & 3
            if numbered:
                connection.sendall(b"\x40\x02" + body[2 + size:4 + size])
            self.messages.put((body[2:2 + size].decode(), body[2 + size + (2 if numbered else 0):]))
        if kind >> 4 == 12:  # PINGREQ
            connection.sendall(b"\xd0\x00")
        return True

    def send(self, topic, payload):
        body = struct.pack(">H", len(topic)) + topic.encode() + payload
        self.client.sendall(bytes([0x30, len(body)]) + body)

    def await_message(self, topic):
        while True:
            name, payload = self.messages.get(timeout=LIMIT)
            if name == topic:
                return payload
