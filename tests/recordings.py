# SPDX-License-Identifier: BSD-3-Clause
"""Writes small recordings for tests, as https://mcap.dev/spec has them: without chunks and indexes."""

import json
import struct

MAGIC = b"\x89MCAP0\r\n"


def text(value):
    return struct.pack("<I", len(value.encode())) + value.encode()


def record(kind, body):
    return bytes([kind]) + struct.pack("<Q", len(body)) + body


def message(channel, time, data):
    return record(5, struct.pack("<HIQQ", channel, 0, time, time) + data)


def begin(topics, schemas=None, encodings=None):
    """The head of a file with these topics, whose channels are 1, 2 and so on."""
    parts = [MAGIC, record(1, text("") + text(""))]
    for i, topic in enumerate(topics, 1):
        schema = json.dumps((schemas or {}).get(topic, {}))
        parts.append(record(3, struct.pack("<H", i) + text("x") + text("jsonschema") + text(schema)))
        encoding = (encodings or {}).get(topic, "json")
        parts.append(record(4, struct.pack("<HH", i, i) + text(topic) + text(encoding) + struct.pack("<I", 0)))
    return b"".join(parts)


def end():
    return record(15, bytes(4)) + record(2, bytes(20)) + MAGIC


def recording(messages, schemas=None, encodings=None):
    """A file with these messages, each a topic, a time in ns, and bytes or what becomes JSON."""
    topics = list(dict.fromkeys(topic for topic, _, _ in messages))
    parts = [begin(topics, schemas, encodings)]
    for topic, time, data in messages:
        parts.append(message(topics.index(topic) + 1, time, data if isinstance(data, bytes) else json.dumps(data).encode()))
    return b"".join(parts + [end()])
