# SPDX-License-Identifier: BSD-3-Clause
"""The definitions that Orrery brings, as rosidl of ROS 2 parses them: fields, constants, and so type hashes."""

import hashlib
import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

try:
    from rosidl_adapter import parser
    MISSING = None
except ImportError:
    parser, MISSING = None, "no rosidl_adapter; Debian has it in python3-rosidl"

DATA = os.path.join(HERE, "../../data/messages")
# Of ROS 1 alone: it has a `Header` without a package, which ROS 2 dropped.
OLD = {"asctec_msgs"}
# FieldType of type_description_interfaces. rosidl 3 has no hashes yet.
IDS = {"int8": 2, "uint8": 3, "int16": 4, "uint16": 5, "int32": 6, "uint32": 7, "int64": 8, "uint64": 9, "float32": 10,
       "float64": 11, "char": 3, "bool": 15, "byte": 16, "string": 17, "wstring": 18}


def definitions():
    """Each type of each file of ROS 2: (NAME OF THE FILE'S TYPE, {NAME: what rosidl parsed})."""
    for package in sorted(set(os.listdir(DATA)) - OLD):
        for kind in "msg", "srv", "action":
            folder = os.path.join(DATA, package, kind)
            for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
                if file.count(".") == 1:
                    name = "%s/%s/%s" % (package, kind, file.split(".")[0])
                    yield name, parts(package, kind, os.path.join(folder, file))


def parts(package, kind, path):
    if kind == "msg":
        found = [parser.parse_message_file(package, path)]
    elif kind == "srv":
        service = parser.parse_service_file(package, path)
        found = [service.request, service.response]
    else:
        action = parser.parse_action_file(package, path)
        found = [action.goal, action.result, action.feedback]
    return {"%s/%s/%s" % (package, kind, one.msg_name): one for one in found}


def full(kind):
    return kind.pkg_name + "/msg/" + kind.type


def describe(name, message):
    fields = []
    for field in message.fields:
        kind = field.type
        number = 1 if kind.pkg_name else IDS[kind.type] + (4 if kind.string_upper_bound else 0)
        if kind.is_array:
            number += 144 if kind.array_size is None else 96 if kind.is_upper_bound else 48
        fields.append((field.name, number, kind.array_size or 0, kind.string_upper_bound or 0, full(kind) if kind.pkg_name else ""))
    fields = fields or [("structure_needs_at_least_one_member", 3, 0, 0, "")]
    keys = "type_id", "capacity", "string_capacity", "nested_type_name"
    return {"type_name": name, "fields": [{"name": field[0], "type": dict(zip(keys, field[1:]))} for field in fields]}


def names_inside(message, known, found):
    for field in message.fields:
        if field.type.pkg_name and full(field.type) not in found:
            found.add(full(field.type))
            names_inside(known[full(field.type)], known, found)
    return found


def reckon(name, known):
    inside = sorted(names_inside(known[name], known, set()))
    text = json.dumps({"type_description": describe(name, known[name]),
                       "referenced_type_descriptions": [describe(one, known[one]) for one in inside]})
    return "RIHS01_" + hashlib.sha256(text.encode()).hexdigest()


def content(message):
    """Without defaults, which a definition that is shown has not."""
    return ([(str(field.type), field.name) for field in message.fields],
            [(one.type, one.name, one.value) for one in message.constants])


class Definitions(unittest.TestCase):
    def setUp(self):
        support.need(self, MISSING)
        self.files = dict(definitions())
        self.known = {name: one for found in self.files.values() for name, one in found.items()}

    def shown(self, name):
        """What Orrery says about a file's types: (NAME, hash, definition)."""
        said = subprocess.run([support.PROGRAM, "messages", name], capture_output=True, text=True, check=True).stdout
        for part in said.split("\n---\n"):
            head, _, text = part.partition("\n")
            title, _, hash_ = head.rpartition(", ")
            yield title.split(" ")[-1], hash_, text.split("\n" + "=" * 80)[0]

    def test_all(self):
        self.assertGreater(len(self.known), 200)
        for name, wanted in self.files.items():
            found = {}
            for part, hash_, text in self.shown(name):
                found[part] = parser.parse_message_string(part.split("/")[0], part.split("/")[-1], text)
                self.assertEqual(hash_, reckon(part, self.known), part)
            self.assertEqual({key: content(one) for key, one in found.items()},
                             {key: content(one) for key, one in wanted.items()}, name)


if __name__ == "__main__":
    tap.main()
