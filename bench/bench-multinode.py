#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Two nodes and their server on one machine: how a tick grows by what they tell each other: lines `name value unit`."""

import json
import os
import re
import subprocess
import sys
import tempfile

BUILD = os.path.abspath(os.environ.get("ORRERY_TEST_BUILDDIR", "."))
ORRERY = os.path.join(BUILD, "orrery")
ROBOTS = "a", "b"


def scene(port, robot):
    return json.dumps({
        "orrery": 1,
        "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "sandbox": {
            "classpath": "orrery.scripts.multinode.Multinode",
            "properties": {"Node": robot, "Robots": robot, "Port": port}}},
        "objects": [{"name": name, "classpath": "orrery.robots.atrv.ATRV"} for name in ROBOTS]})


def run(port, *options):
    """The reports of two nodes that run side by side."""
    nodes = []
    for robot in ROBOTS:
        with open(robot + ".json", "w", encoding="utf-8") as file:
            file.write(scene(port, robot))
        nodes.append(subprocess.Popen([ORRERY, "run", robot + ".json", "--quiet", "--result", robot + ".result", *options],
                                      stdout=subprocess.DEVNULL))
    reports = []
    for robot, node in zip(ROBOTS, nodes):
        if node.wait() != 0:
            sys.exit("bench-multinode: node %s ended with %d" % (robot, node.returncode))
        with open(robot + ".result", encoding="utf-8") as file:
            reports.append(json.load(file))
    return reports


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        server = subprocess.Popen([ORRERY, "python", "-m", "orrery.multinode", "--port", "0"],
                                  stderr=subprocess.PIPE, text=True)
        port = int(re.search(r":(\d+)$", server.stderr.readline().strip()).group(1))
        try:
            paced = run(port, "--ticks", "300")
            fast = run(port, "--ticks", "3000", "--fast")
        finally:
            server.terminate()
            server.wait()
        print("multinode.real-time-factor %.3f of real time" % min(report["real_time_factor"] for report in paced))
        for name, reports in ("paced", paced), ("fast", fast):
            cost = max(phase["seconds"] / report["ticks"] for report in reports for phase in report["phases"]
                       if phase["name"] == "scripts")
            print("multinode.exchange-%s %.3f ms/tick" % (name, cost * 1e3))
        os.chdir("/")


if __name__ == "__main__":
    main()
