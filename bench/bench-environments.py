#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Environments of MORSE's models: how long each takes to load, from the start of the program to its end, and how
much memory; ticks per second of indoor-1 and sandbox with 10 robots of 5 sensors each."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

RUNS = 3
BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
ORRERY = str(BUILD / "orrery")
ENVIRONMENTS = pathlib.Path("/usr/share/morse/data/environments")
SENSORS = {"pose": "pose.Pose", "odometry": "odometry.Odometry", "velocity": "velocity.Velocity",
           "gyroscope": "gyroscope.Gyroscope", "laser": "sick.Sick"}


def run(*arguments):
    """Seconds, MiB at the most, and what it said."""
    before = time.monotonic()
    process = subprocess.Popen([ORRERY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit("bench-environments: %s: %s" % (arguments, said))
    return time.monotonic() - before, usage.ru_maxrss / 1024, said


def make_scene(directory, environment, n_robots):
    robots = [{"name": "robot%d" % i, "classpath": "orrery.robots.atrv.ATRV",
               "position": [-6 + 2.5 * (i % 5), -2 + 4 * (i // 5), 0.5],
               "objects": [{"name": name, "classpath": "orrery.sensors." + classpath, "position": [0, 0, 0.9]}
                           for name, classpath in SENSORS.items()]}
              for i in range(n_robots)]
    scene = pathlib.Path(directory) / "scene.json"
    scene.write_text(json.dumps({"orrery": 1, "environment": {"import": str(environment)}, "objects": robots}))
    return str(scene)


def main():
    if not ENVIRONMENTS.is_dir():
        print("# without Debian's morse-simulator-data")
        return
    with tempfile.TemporaryDirectory() as directory:
        for path in sorted(ENVIRONMENTS.rglob("*.blend")):
            name = str(path.relative_to(ENVIRONMENTS).with_suffix("")).replace("/", "-")
            runs = [run("check", make_scene(directory, path, 0)) for _ in range(RUNS)]
            print("load-%s %.3f s" % (name, min(each[0] for each in runs)))
            print("memory-%s %.1f MiB" % (name, min(each[1] for each in runs)))
        for name in ("indoors-1/indoor-1", "sandbox"):
            scene = make_scene(directory, ENVIRONMENTS / (name + ".blend"), 10)
            _, memory, said = run("run", scene, "--fast", "--offline", "--for", "20")
            ticks, seconds = re.search(r"(\d+) ticks, .* simulated in ([\d.]+) s", said).groups()
            print("ticks-%s-10-robots %.0f ticks/s" % (name.replace("/", "-"), int(ticks) / float(seconds)))
            print("memory-%s-10-robots %.1f MiB" % (name.replace("/", "-"), memory))


if __name__ == "__main__":
    main()
