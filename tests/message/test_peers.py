# SPDX-License-Identifier: BSD-3-Clause
"""Messages as the packages of Foxglove (npm) write them: bytes of ROS 1 and CDR, and md5 sums, are the same."""

import json
import os
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

HELPER = os.path.join(support.BUILD, "tests/message/message-helper")
MODULES = ("@foxglove/rosmsg", "@foxglove/rosmsg-msgs-common", "@foxglove/rosmsg-serialization",
           "@foxglove/rosmsg2-serialization")
ENCODINGS = {"ros1": "ros1", "ros2": "cdr"}
# Those with a byte or a char, which Foxglove takes for int8 and uint8 in the text that is summed.
OTHER_SUMS = {"diagnostic_msgs/DiagnosticArray", "diagnostic_msgs/DiagnosticStatus", "rcl_interfaces/Log",
              "rosgraph_msgs/Log", "std_msgs/Byte", "std_msgs/ByteMultiArray", "std_msgs/Char"}


class Peers(unittest.TestCase):
    def setUp(self):
        support.need(self, support.lacks_modules(*MODULES))
        self.helper = self.start([HELPER])
        self.node = self.start(["node", os.path.join(HERE, "../peers/messages.js")])

    def start(self, words):
        process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                   env=dict(os.environ, ORRERY_TEST_SRCDIR=os.path.join(HERE, "../.."),
                                            NODE_PATH=support.NODE_PATH))
        self.addCleanup(process.wait)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stdin.close)
        return process

    def ask(self, process, line):
        process.stdin.write(line + "\n")
        process.stdin.flush()
        return process.stdout.readline().strip()

    def peer(self, **words):
        said = json.loads(self.ask(self.node, json.dumps(words)))
        self.assertNotIn("error", said, words)
        return said["is"]

    def own(self, name, dialect, start, end, data):
        return self.ask(self.helper, " ".join((name, dialect, start, end, data)) + "-")

    def names(self, dialect):
        """All types that both know."""
        for name in self.peer(list=dialect):
            package, last = name.split("/")[0], name.split("/")[-1]
            folder = os.path.join(HERE, "../../data/messages", package, "msg")
            if os.path.exists(os.path.join(folder, last + ".msg")):
                yield name

    def test_bytes(self):
        """What one writes the other reads and writes again, byte by byte."""
        for dialect, encoding in ENCODINGS.items():
            n = 0
            for name in self.names(dialect):
                for seed in range(1, 6):
                    theirs = self.peer(type=name, dialect=dialect, seed=seed)
                    ours = self.own(name, dialect, encoding, encoding, theirs)
                    self.assertEqual(ours, theirs, name)
                    self.assertEqual(self.peer(type=name, dialect=dialect, bytes=ours), ours, name)
                n += 1
            self.assertGreater(n, 60, dialect)

    def test_sums(self):
        """The md5 sums of ROS 1 are equal."""
        for name in set(self.names("ros1")) - OTHER_SUMS:
            done = subprocess.run([support.PROGRAM, "messages", "--ros1", name], capture_output=True, text=True,
                                  check=True)
            self.assertEqual(done.stdout.splitlines()[0].split(", ")[1], self.peer(sum=name), name)


if __name__ == "__main__":
    tap.main()
