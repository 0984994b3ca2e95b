# SPDX-License-Identifier: BSD-3-Clause
"""Stands in for the command `ros2`, which Debian does not have: the same words, over the peer that imitates rmw_fastrtps."""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import cdr  # noqa: E402
import yaml  # noqa: E402

BUILD = os.environ["ORRERY_TEST_BUILDDIR"]


class Peer:
    def __init__(self):
        self.process = subprocess.Popen([os.path.join(BUILD, "tests/middleware/dds-peer"), os.environ.get("ROS_DOMAIN_ID", "0")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.wait("peer ready")

    def wait(self, *words):
        for line in self.process.stdout:
            if all(word in line for word in words):
                return line
        raise SystemExit("the peer has ended")

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.wait(line.split()[0] + " ok")


def wire(name):
    package, place, kind = name.split("/")
    return "%s::%s::dds_::%s_" % (package, place, kind)


def echo(peer, topic, name):
    peer.tell("reader rt%s %s b" % (topic, wire(name)))
    print(json.dumps(cdr.decode(name, bytes.fromhex(peer.wait("message rt%s " % topic).split()[4]))))


def publish(peer, topic, name, text):
    peer.tell("writer rt%s %s r" % (topic, wire(name)))
    peer.wait("readers rt%s 1" % topic)
    peer.tell("write rt%s %s" % (topic, cdr.encode(name, yaml.safe_load(text)).hex()))
    print("published")


def show(peer):
    """Until a topic of the simulation is among them."""
    while True:
        line = peer.wait("found rt/")
        print(line.split()[1][len("rt"):])
        if "/robot/" in line:
            return


VERBS = {("topic", "list"): show, ("topic", "echo"): echo, ("topic", "pub"): publish}


def main(words):
    VERBS[tuple(words[:2])](Peer(), *(word for word in words[2:] if word != "--once"))


main(sys.argv[1:])
