#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the viewer costs a run of 100 objects, without clients and with some: lines `name value unit`."""

import json
import os
import re
import subprocess
import sys
import tempfile
import threading

BUILD = os.path.abspath(os.environ.get("ORRERY_TEST_BUILDDIR", "."))
HERE = os.path.dirname(os.path.abspath(__file__))
ORRERY = os.path.join(BUILD, "orrery")
VIEW = "--view", "--view-port", "0"
ROUNDS = 12
TICKS = 20000, 420000
SECONDS = 6

sys.path.insert(0, os.path.join(HERE, "../tests/middleware"))
from websocket_client import Socket  # noqa: E402


def scene():
    boxes = [{"name": "box%d" % i, "position": [i % 10, i // 10, 0.5],
              "shapes": [{"kind": "box", "size": [0.3, 0.3, 0.3]}]} for i in range(96)]
    robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
        {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
        {"name": "odometry", "classpath": "orrery.sensors.odometry.Odometry"},
        {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}
    return json.dumps({"orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
                       "objects": boxes + [robot]})


def start(*options):
    return subprocess.Popen([ORRERY, "run", "scene.json", *options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            text=True)


def end(process):
    """Seconds of processor time that a run took."""
    process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("bench-viewer: a run ended with %d" % process.returncode)
    return usage.ru_utime + usage.ru_stime


def tick_cost(*options):
    """Of a tick, without what begins and ends a run."""
    few, many = (end(start("--fast", "--ticks", str(n), *options)) for n in TICKS)
    return (many - few) / (TICKS[1] - TICKS[0])


def read(port, count):
    client = Socket(port, protocol="orrery.view.v1")
    client.text('{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 1}]}')
    try:
        while True:
            opcode, body = client.read()
            if opcode == 2:
                count.append(len(body))
    except (EOFError, ConnectionError):
        client.close()


def paced_cost(clients):
    """Seconds of processor time in a second of real time, and messages a second and client."""
    process = start("--for", str(SECONDS), *VIEW)
    for line in process.stderr:
        found = re.search(r"viewer now at http://127\.0\.0\.1:(\d+)/", line)
        if found:
            break
    counts = [[] for _ in range(clients)]
    readers = [threading.Thread(target=read, args=(int(found.group(1)), count)) for count in counts]
    for reader in readers:
        reader.start()
    cost = end(process) / SECONDS
    for reader in readers:
        reader.join()
    return cost, min(len(count) / SECONDS for count in counts) if counts else 0


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        with open("scene.json", "w", encoding="utf-8") as file:
            file.write(scene())
        # In turns, and the least of each: other load only adds.
        costs = [(tick_cost(*VIEW), tick_cost()) for _ in range(ROUNDS)]
        watched, alone = (min(cost) for cost in zip(*costs))
        print("viewer.no-client.ratio %.3f of a tick without it" % (watched / alone))
        print("viewer.no-client %.0f ns more in each tick" % ((watched - alone) * 1e9))
        none, _ = paced_cost(0)
        for clients in 1, 50:
            cost, rate = paced_cost(clients)
            print("viewer.clients-%d %.2f %% of a core, %.0f poses/s and client" % (clients, (cost - none) * 100, rate))
        os.chdir("/")


if __name__ == "__main__":
    main()
