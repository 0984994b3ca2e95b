# SPDX-License-Identifier: BSD-3-Clause
"""The host reads from the builder's files exactly what the builder was given."""

import ctypes
import json
import os
import random
import struct
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import sanitized
import tap
from support import BuilderCase

KINDS = ("null", "bool", "int", "double", "text", "list", "dict")
CHARACTERS = "ab '\"\\\n\r\t\x01\x7f\x85\u00e9\u2028\ufeff\U0001f916{}[](),:#%"
NUMBERS = (
    0.0,
    -0.0,
    0.1,
    1e308,
    -1e-308,
    5e-324,
    1.7976931348623157e308,
    1e16,
    123456789.123,
    2.0**53 + 2,
)
INTEGERS = (0, -1, 10000, 2**31, 2**53 + 1, 2**63 - 1, -(2**63))


class GError(ctypes.Structure):
    _fields_ = [("domain", ctypes.c_uint32), ("code", ctypes.c_int), ("message", ctypes.c_char_p)]


class Host:
    """The parsers of the library."""

    def __init__(self, directory):
        self.library = ctypes.CDLL(os.path.join(directory, "lib", "liborrery-1.so"))
        results = {
            "parse_json": ctypes.c_void_p,
            "parse_python": ctypes.c_void_p,
            "get_bool": ctypes.c_int,
            "get_int": ctypes.c_int64,
            "get_double": ctypes.c_double,
            "get_text": ctypes.c_char_p,
            "get_kind": ctypes.c_int,
            "get_length": ctypes.c_uint,
            "get_item": ctypes.c_void_p,
            "get_key": ctypes.c_char_p,
            "unref": None,
        }
        for name, result in results.items():
            function = getattr(self.library, "orrery_node_" + name)
            function.restype = result
            setattr(self, name, function)

    def read(self, parse, text):
        """The text as values of Python, or the message that refuses it."""
        error = ctypes.POINTER(GError)()
        data = text.encode("utf-8")
        node = parse(
            ctypes.c_char_p(data),
            ctypes.c_size_t(len(data)),
            ctypes.c_char_p(b"text"),
            ctypes.byref(error),
        )
        if not node:
            return error.contents.message.decode("utf-8")
        value = self.value(ctypes.c_void_p(node))
        self.unref(ctypes.c_void_p(node))
        return value

    def value(self, node):
        kind = KINDS[self.get_kind(node)]
        if kind == "list":
            return [self.item(node, i) for i in range(self.get_length(node))]
        if kind == "dict":
            return {
                self.get_key(node, ctypes.c_uint(i)).decode("utf-8"): self.item(node, i)
                for i in range(self.get_length(node))
            }
        if kind == "null":
            return None
        found = getattr(self, "get_" + kind)(node)
        return bool(found) if kind == "bool" else found.decode("utf-8") if kind == "text" else found

    def item(self, node, i):
        return self.value(ctypes.c_void_p(self.get_item(node, ctypes.c_uint(i))))


class Random:
    """Values of all kinds, the same in every run."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self):
        return "".join(self.random.choice(CHARACTERS) for _ in range(self.random.randrange(120)))

    def number(self):
        if self.random.random() < 0.5:
            return self.random.choice(NUMBERS)
        while True:
            value = struct.unpack("d", self.random.getrandbits(64).to_bytes(8, "little"))[0]
            if value - value == 0:  # neither infinite nor NaN
                return value

    def value(self, depth=0):
        leaves = [
            lambda: None,
            lambda: True,
            lambda: False,
            lambda: self.random.choice(INTEGERS),
            self.number,
            self.text,
        ]
        if depth < 4 and self.random.random() < 0.4:
            leaves = [
                lambda: [self.value(depth + 1) for _ in range(self.random.randrange(4))],
                lambda: self.options(depth + 1),
            ]
        return self.random.choice(leaves)()

    def options(self, depth=0):
        return {self.text(): self.value(depth) for _ in range(self.random.randrange(5))}


def exact(value):
    """The value in a form in which 1, 1.0 and True differ, and -0.0 and 0.0."""
    if isinstance(value, dict):
        return {key: exact(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [exact(item) for item in value]
    return (type(value).__name__, repr(value))


class ReadBack(BuilderCase):
    def setUp(self):
        super().setUp()
        self.host = Host(os.environ["ORRERY_TEST_BUILDDIR"])

    def test_random_options_and_properties(self):
        source = Random(1)
        wanted = [source.options() for _ in range(200)]
        self.write("options.json", json.dumps(wanted))
        built = self.built(
            """
            import json
            wanted = json.load(open('options.json'))
            robot = ATRV()
            for options in wanted:
                pose = Pose()
                robot.append(pose)
                Configuration.link_modifier(pose, ['a.B', 'OUT', options])
                pose.properties(all=options)
            env = Environment('empty')
            """
        )
        config = self.host.read(self.host.parse_python, built.texts["component_config.py"])
        scene = self.host.read(self.host.parse_json, built.texts["scene.json"])
        parts = scene["objects"][0]["objects"]
        self.assertEqual(len(parts), len(wanted))
        for part, options in zip(parts, wanted):
            self.assertEqual(exact(part["properties"]["all"]), exact(options))
            self.assertEqual(
                exact(config["component_modifier"]["robot." + part["name"]][0][2]), exact(options)
            )

    def test_the_comparison_can_fail(self):
        read = self.host.read(self.host.parse_python, "a = {'x': 1, 'y': [0.0, True]}\n")
        self.assertEqual(exact(read), exact({"a": {"x": 1, "y": [0.0, True]}}))
        for other in (
            {"x": 1.0, "y": [0.0, True]},
            {"x": 1, "y": [-0.0, True]},
            {"x": 1, "y": [0.0, 1]},
        ):
            self.assertNotEqual(exact(read), exact({"a": other}))
        self.assertIn("text:1:5", self.host.read(self.host.parse_python, "a = b()\n"))


if __name__ == "__main__":
    if "ORRERY_TEST_BUILDDIR" not in os.environ:
        raise SystemExit("ORRERY_TEST_BUILDDIR: want the directory of the build")
    sanitized.preload([sys.executable, *sys.argv])
    tap.main()
