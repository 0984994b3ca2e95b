# SPDX-License-Identifier: BSD-3-Clause
"""CDR as ROS 2 writes it, for peers in Python: messages are dictionaries, their definitions what `orrery messages` shows."""

import functools
import os
import re
import struct
import subprocess

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", "build")
CODES = {"bool": "?", "byte": "B", "char": "B", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i",
         "uint32": "I", "int64": "q", "uint64": "Q", "float32": "f", "float64": "d"}
HEAD = b"\0\1\0\0"
FIELD = re.compile(r"([\w/]+)(?:<=\d+)?(?:\[(<=)?(\d*)\])?\s+(\w+)(?:\s+[^=].*)?$")


def full(name):
    """PACKAGE/NAME and PACKAGE/msg/NAME are the same."""
    return re.sub(r"^(\w+)/(\w+)$", r"\1/msg/\2", name)


def show(name):
    """The definition of a type; PACKAGE/srv/NAME_Request and PACKAGE/srv/NAME_Response are halves of a service."""
    halves = re.match(r"(\w+/srv/\w+)_(Request|Response)$", name)
    shown = subprocess.run([os.path.join(BUILD, "orrery"), "messages", halves.group(1) if halves else name],
                           capture_output=True, text=True, check=True).stdout
    return shown.split("---\n# response", 1)[halves.group(2) == "Response"] if halves else shown


@functools.lru_cache(None)
def types(name):
    """The fields of a type and of those it has inside: {TYPE: [(FIELD, TYPE, LENGTH)]}; length None: one, -1: any number."""
    shown = show(name)
    found = {}
    for i, block in enumerate(re.split(r"^=+\n", shown, flags=re.M)):
        lines = block.splitlines()
        of = full(name) if i == 0 else full(lines.pop(0).split()[1])
        found[of] = []
        for line in lines:
            match = FIELD.match(line.split("#")[0].strip())
            if match:
                kind, bound, length, field = match.groups()
                length = -1 if bound or length == "" else None if length is None else int(length)
                found[of].append((field, kind if kind in CODES or kind == "string" else full(kind), length))
    return found


class Message(dict):
    """A message that was read; its fields are attributes, too."""

    __getattr__ = dict.__getitem__


class Writer:
    def __init__(self, known):
        self.known, self.data = known, bytearray()

    def number(self, code, value):
        self.data += bytes(-len(self.data) % struct.calcsize(code)) + struct.pack("<" + code, value)

    def one(self, kind, value):
        if kind in CODES:
            self.number(CODES[kind], value if value is not None else 0)
        elif kind == "string":
            text = (value or "").encode() + b"\0"
            self.number("I", len(text))
            self.data += text
        else:
            self.message(kind, value or {})

    def message(self, kind, value):
        unknown = set(value) - {field for field, _, _ in self.known[kind]}
        if unknown:
            raise KeyError("%s has no %s" % (kind, ", ".join(sorted(unknown))))
        for field, inner, length in self.known[kind]:
            if length is None:
                self.one(inner, value.get(field))
                continue
            elements = value.get(field) or [None] * max(0, length)
            if length == -1:
                self.number("I", len(elements))
            for element in elements:
                self.one(inner, element)
        if not self.known[kind]:
            self.number("B", 0)


class Reader:
    def __init__(self, known, data):
        self.known, self.data, self.at = known, data, 0

    def number(self, code):
        size = struct.calcsize(code)
        self.at += -self.at % size + size
        return struct.unpack_from("<" + code, self.data, self.at - size)[0]

    def one(self, kind):
        if kind in CODES:
            return self.number(CODES[kind])
        if kind != "string":
            return self.message(kind)
        length = self.number("I")
        self.at += length
        return self.data[self.at - length:self.at - 1].decode()

    def message(self, kind):
        value = Message()
        for field, inner, length in self.known[kind]:
            if length is None:
                value[field] = self.one(inner)
            else:
                value[field] = [self.one(inner) for _ in range(self.number("I") if length == -1 else length)]
        if not self.known[kind]:
            self.number("B")
        return value


def encode(name, value):
    """The bytes; what the dictionary lacks is zero or empty."""
    writer = Writer(types(name))
    writer.message(full(name), value)
    return HEAD + bytes(writer.data)


def decode(name, data):
    if data[:4] != HEAD:
        raise ValueError("not little-endian CDR: %r" % data[:4])
    return Reader(types(name), data[4:]).message(full(name))
