# SPDX-License-Identifier: BSD-3-Clause
"""Scenes with streams, and the programs at their other ends, in a network of their own."""

import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import socket
import statistics
import struct
import subprocess
import sys
import time

BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
ORRERY = str(BUILD / "orrery")
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests/middleware"))
LIMIT = 30  # seconds, for what takes one
ROSMASTER, MOSQUITTO = (shutil.which(name, path="/usr/bin:/usr/sbin:/usr/local/bin:/usr/local/sbin")
                        for name in ("rosmaster", "mosquitto"))
ODOMETRY = "orrery.middleware.ros.odometry.OdometryPublisher"
MANAGERS = {name: "orrery.middleware.%s_datastream.%sDatastreamManager" % (name, camel) for name, camel in
            (("ros", "ROS"), ("ros2", "Ros2"), ("rosbridge", "Rosbridge"), ("mqtt", "Mqtt"))}


def tell(name, value, unit):
    print("%s %.4g %s" % (name, value, unit), flush=True)


def leave_out(name, why):
    print("%s: left out: %s" % (name, why), file=sys.stderr, flush=True)


def take_own_network():
    """What is measured talks to itself alone, and its ports are free. Before there is a thread."""
    libc = ctypes.CDLL(None, use_errno=True)
    user, network, up = 0x10000000, 0x40000000, 1
    if libc.unshare(network) != 0:
        ids = os.getuid(), os.getgid()
        if libc.unshare(user | network) != 0:
            sys.exit("bench: no network of its own: " + os.strerror(ctypes.get_errno()))
        for name, text in (("setgroups", "deny"), ("uid_map", "%d %d 1" % (ids[0], ids[0])),
                           ("gid_map", "%d %d 1" % (ids[1], ids[1]))):
            pathlib.Path("/proc/self", name).write_text(text, encoding="ascii")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, 0x8914, struct.pack("16sh14x", b"lo", up))  # SIOCSIFFLAGS


def wait_for_port(port):
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    sys.exit("bench: nobody listens on port %d" % port)


class Program:
    """One that is asked with lines."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.get("ready")

    def get(self, word):
        line = self.process.stdout.readline().split()
        if not line or line[0] != word:
            sys.exit("bench: %s says %r, not %s" % (self.process.args, line[:4], word))
        return line[1:]

    def ask(self, line, word):
        self.process.stdin.write(line + "\n")
        return self.get(word)

    def open(self, topics):
        for name, kind, length in topics:
            self.ask("topic %s %s %d" % (name, kind, length), "ok")

    def end(self):
        self.process.kill()
        self.process.wait()


class Server:
    """One that listens on a port."""

    def __init__(self, port, *command):
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_for_port(port)

    def end(self):
        self.process.kill()
        self.process.wait()


def start_master():
    os.environ["ROS_MASTER_URI"] = "http://127.0.0.1:11311"
    os.environ["ROS_IP"] = "127.0.0.1"
    return Server(11311, ROSMASTER, "--core", "-p", "11311")


def start_broker():
    path = pathlib.Path("mosquitto.conf").absolute()
    path.write_text("persistence false\nallow_anonymous true\nlistener 1883 127.0.0.1\n", encoding="ascii")
    return Server(1883, MOSQUITTO, "-c", str(path))


def scene(objects, streams, managers=None):
    return {"orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic",
                                         "import": "empty", "start": 0, "time_strategy": "fixed_step"},
            "objects": objects, "component_datastream": streams, "stream_manager": managers or {}}


def robot(name, sensors):
    """One that drives a curve, so that its numbers change."""
    motion = {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}
    return {"name": name, "classpath": "orrery.robots.atrv.ATRV", "objects": [motion] + sensors}


def write(description, path="scene.json"):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(description, file)
    return path


def load(description):
    import orrery
    sim = orrery.load(write(description), plugin_dirs=["plugins", str(BUILD / "bench/plugins")], pacing=orrery.Pacing.FAST)
    for each in description["objects"]:
        sim.call(each["name"] + ".motion", "set_speed", 0.5, 0.1)
    sim.step(20)
    return sim


def run_in_orrery(file):
    """In the Python that has `orrery`, unless this is it."""
    if os.environ.get("ORRERY_BENCH") != "1":
        os.environ["ORRERY_BENCH"] = "1"
        os.execv(ORRERY, [ORRERY, "python", file] + sys.argv[1:])
    take_own_network()


def cpu_of(pid):
    """Seconds of the processor that a process has used."""
    return time.clock_gettime((~pid << 3) | 2)


median = statistics.median
