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
        self.skipped = []
        self.wait("peer ready")

    def wait(self, words):
        """The next line with these words; it may have come before one that was awaited earlier."""
        for line in self.skipped:
            if words in line:
                self.skipped.remove(line)
                return line
        for line in self.process.stdout:
            if words in line:
                return line
            self.skipped.append(line)
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


def ask(peer, name, wired, kind, message):
    """Calls a service once; its answer."""
    peer.tell("client %s %s" % (name, wired))
    peer.wait("readers %s 1" % name)
    peer.tell("call %s %s" % (name, cdr.encode(kind + "_Request", message).hex()))
    return cdr.decode(kind + "_Response", bytes.fromhex(peer.wait("response %s " % name).split()[4]))


def call(peer, name, kind, text="{}"):
    print(json.dumps(ask(peer, name, wire(kind)[:-1], kind, yaml.safe_load(text))))


def send_goal(peer, name, kind, text):
    goal_id = {"uuid": list(os.urandom(16))}
    wired, derived = wire(kind)[:-1], kind.replace("/action/", "/")
    taken = ask(peer, name + "/_action/send_goal", wired + "_SendGoal", derived + "_SendGoal",
                {"goal_id": goal_id, "goal": yaml.safe_load(text)})
    print(json.dumps(taken))
    print(json.dumps(ask(peer, name + "/_action/get_result", wired + "_GetResult", derived + "_GetResult", {"goal_id": goal_id})))


def ask_parameters(peer, node, question, **message):
    kind = "rcl_interfaces/srv/%sParameters" % question.capitalize()
    return ask(peer, "%s/%s_parameters" % (node, question), wire(kind)[:-1], kind, message)


def list_parameters(peer, node):
    print("\n".join(ask_parameters(peer, node, "list").result.names))


def get_parameter(peer, node, name):
    print(json.dumps(ask_parameters(peer, node, "get", names=[name])["values"][0]))


def set_parameter(peer, node, name, text):
    value = yaml.safe_load(text)
    kind, field = {bool: (1, "bool_value"), int: (2, "integer_value"), float: (3, "double_value"), str: (4, "string_value")}[type(value)]
    parameter = {"name": name, "value": {"type": kind, field: value}}
    print(json.dumps(ask_parameters(peer, node, "set", parameters=[parameter])["results"][0]))


VERBS = {("topic", "list"): show, ("topic", "echo"): echo, ("topic", "pub"): publish, ("service", "call"): call,
         ("action", "send_goal"): send_goal, ("param", "list"): list_parameters, ("param", "get"): get_parameter,
         ("param", "set"): set_parameter}


def main(words):
    VERBS[tuple(words[:2])](Peer(), *(word for word in words[2:] if word != "--once"))


main(sys.argv[1:])
