# SPDX-License-Identifier: BSD-3-Clause
"""Messages as the generated classes of ROS 1 serialise them, and as Python's json and cbor2 have them."""

import base64
import importlib
import io
import json
import math
import os
import random
import re
import struct
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

try:
    import genpy
    for package in ("std_msgs", "geometry_msgs", "sensor_msgs", "nav_msgs"):
        importlib.import_module(package + ".msg")
except ImportError as error:
    genpy = None
    MISSING = "no %s; Debian has them as python3-genpy and python3-*-msgs" % error.name

try:
    import cbor2
except ImportError:
    cbor2 = None

HELPER = os.path.join(support.BUILD, "tests/message/message-helper")
PACKAGES = ("std_msgs", "geometry_msgs", "sensor_msgs", "nav_msgs", "tf2_msgs", "trajectory_msgs", "actionlib_msgs",
            "rosgraph_msgs")


def fill(message, chance):
    """Values of the kinds that the message has, with texts and sequences of several lengths."""
    for name, kind in zip(message.__slots__, message._slot_types):
        setattr(message, name, value(kind, chance))
    return message


def value(kind, chance):
    base, bracket, count = kind.partition("[")
    if bracket:
        n = int(count[:-1]) if count != "]" else chance.randrange(4)
        if base in ("uint8", "char"):
            return bytes(chance.randrange(256) for _ in range(n))
        return [value(base, chance) for _ in range(n)]
    if base == "string":
        return "".join(chance.choice("aé ∀\n") for _ in range(chance.randrange(6)))
    if base in ("time", "duration"):
        return (genpy.Time if base == "time" else genpy.Duration)(chance.randrange(1 << 31), chance.randrange(10 ** 9))
    if base == "bool":
        return chance.random() < 0.5
    if base.startswith("float"):
        return chance.choice((0.0, -1.5, 0.25, 1e10, float("inf")))
    if base in ("byte", "char"):
        return chance.randrange(100)
    if re.fullmatch(r"u?int\d+", base):
        bits = int(base.split("int")[1])
        return chance.randrange(1 << bits) if base[0] == "u" else chance.randrange(-(1 << (bits - 1)), 1 << (bits - 1))
    if base == "Header":
        base = "std_msgs/Header"
    return fill(genpy.message.get_message_class(base)(), chance)


# Typed arrays of RFC 8746, little endian.
TAGS = {69: "H", 70: "I", 71: "Q", 72: "b", 77: "h", 78: "i", 79: "q", 85: "f", 86: "d"}


def take_array(_decoder, tag):
    kind = TAGS[tag.tag]
    return list(struct.unpack("<%d%s" % (len(tag.value) // struct.calcsize(kind), kind), tag.value))


def plain(message, write_bytes):
    """A message as rosbridge shows it; bytes as `write_bytes` has them."""
    if isinstance(message, (genpy.Time, genpy.Duration)):
        return {"secs": message.secs, "nsecs": message.nsecs}
    return {name: plain_value(kind, getattr(message, name), write_bytes)
            for name, kind in zip(message.__slots__, message._slot_types)}


def plain_value(kind, found, write_bytes):
    base, bracket, _count = kind.partition("[")
    if bracket:
        if base in ("uint8", "char", "byte"):
            return write_bytes(base, found)
        return [plain_value(base, one, write_bytes) for one in found]
    return plain(found, write_bytes) if hasattr(found, "__slots__") else found


def without_infinity(found):
    if isinstance(found, dict):
        return {key: without_infinity(one) for key, one in found.items()}
    if isinstance(found, list):
        return [without_infinity(one) for one in found]
    return None if isinstance(found, float) and math.isinf(found) else found


@unittest.skipIf(genpy is None, genpy is None and MISSING)
class Peers(unittest.TestCase):
    def setUp(self):
        self.helper = subprocess.Popen([HELPER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                       env=dict(os.environ, ORRERY_TEST_SRCDIR=os.path.join(HERE, "../..")))
        self.addCleanup(self.helper.wait)
        self.addCleanup(self.helper.stdout.close)
        self.addCleanup(self.helper.stdin.close)

    def ask(self, *words):
        self.helper.stdin.write(" ".join(words) + "-\n")
        self.helper.stdin.flush()
        return self.helper.stdout.readline().strip()

    def classes(self):
        """All that both have."""
        for package in PACKAGES:
            folder = os.path.join(HERE, "../../data/messages", package, "msg")
            for file in sorted(os.listdir(folder)):
                kind = file.endswith(".msg") and genpy.message.get_message_class(package + "/" + file[:-4])
                if kind:
                    yield kind

    def test_bytes(self):
        """What ROS 1 wrote is read, and written again byte by byte, also by way of CDR."""
        chance = random.Random(7)
        n = 0
        for kind in self.classes():
            for _ in range(5):
                buffer = io.BytesIO()
                fill(kind(), chance).serialize(buffer)
                text = buffer.getvalue().hex()
                self.assertEqual(self.ask(kind._type, "ros1", "ros1", "ros1", text), text, kind._type)
                cdr = self.ask(kind._type, "ros1", "ros1", "cdr", text)
                self.assertTrue(cdr.startswith("00010000"), cdr)
                self.assertEqual(self.ask(kind._type, "ros1", "cdr", "ros1", cdr), text, kind._type)
            n += 1
        self.assertGreater(n, 60)

    def messages(self, chance):
        for kind in self.classes():
            message = fill(kind(), chance)
            buffer = io.BytesIO()
            message.serialize(buffer)
            yield kind._type, message, buffer.getvalue().hex()

    def test_json(self):
        """JSON has what Python's json reads, and what that writes is read, bytes as base64 and as lists."""
        for name, message, binary in self.messages(random.Random(8)):
            text = bytes.fromhex(self.ask(name, "ros1", "ros1", "json", binary)).decode("ascii")
            shown = plain(message, lambda _base, found: base64.b64encode(bytes(found)).decode("ascii"))
            self.assertEqual(json.loads(text), without_infinity(shown), name)
            for again in (shown, plain(message, lambda _base, found: list(found))):
                written = json.dumps(again, ensure_ascii=False).encode().hex()
                self.assertEqual(self.ask(name, "ros1", "json", "ros1", written), binary, name)

    def test_cbor(self):
        """The same of CBOR and cbor2, which writes lists, floats as short as they can be, and keys in its order."""
        support.need(self, cbor2 is None and "no cbor2; Debian has it as python3-cbor2")
        for name, message, binary in self.messages(random.Random(9)):
            written = bytes.fromhex(self.ask(name, "ros1", "ros1", "cbor", binary))
            shown = plain(message, lambda base, found: list(found) if base == "byte" else bytes(found))
            self.assertEqual(cbor2.loads(written, tag_hook=take_array), shown, name)
            lists = plain(message, lambda _base, found: list(found))
            for again in (cbor2.dumps(shown), cbor2.dumps(lists, canonical=True)):
                self.assertEqual(self.ask(name, "ros1", "cbor", "ros1", again.hex()), binary, name)

    def test_sums(self):
        """The md5 sums of all types that both have are equal."""
        for kind in self.classes():
            done = subprocess.run([support.PROGRAM, "messages", "--ros1", kind._type], capture_output=True, text=True,
                                  check=True)
            self.assertEqual(done.stdout.splitlines()[0].split(", ")[1], kind._md5sum, kind._type)


if __name__ == "__main__":
    tap.main()
