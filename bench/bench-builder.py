#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A scene of 1,000 robots with 5 components each: built from its script, and loaded; beside it, what
Python alone takes to write a file of that size, and the program to read one as a value."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROBOTS = 1000
RUNS = 3
BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
ORRERY = str(BUILD / "orrery")
SCRIPT = """from morse.builder import *

for i in range(%d):
    robot = ATRV()
    robot.translate(x=3.0 * (i %% 40), y=3.0 * (i // 40))
    pose = Pose(); pose.frequency(30); robot.append(pose)
    odometry = Odometry(); odometry.level('raw'); robot.append(odometry)
    gyroscope = Gyroscope(); gyroscope.alter('Noise'); robot.append(gyroscope)
    clock = Clock(); clock.add_service('socket'); robot.append(clock)
    motion = MotionVW(); motion.properties(ControlType='Velocity'); robot.append(motion)
    AbstractComponent.close_context()
env = Environment('empty')
env.set_physics('orrery.physics.kinematic.Kinematic')
"""


def time_command(*command):
    before = time.monotonic()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit("bench-builder: %s\n%s" % (" ".join(command), done.stderr.decode(errors="replace")))
    return time.monotonic() - before


def shortest(measure):
    return min(measure() for _ in range(RUNS))


def time_writing(scene, path):
    """The same scene as a value, written by Python's own encoder."""
    before = time.monotonic()
    path.write_text(json.dumps(scene, indent=2))
    return time.monotonic() - before


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        script, empty = directory / "many.py", directory / "empty.py"
        script.write_text(SCRIPT % ROBOTS)
        empty.write_text(SCRIPT % 0)
        built, none = str(directory / "built"), str(directory / "none")
        rest = shortest(lambda: time_command(ORRERY, "build", str(empty), "-o", none))
        build = shortest(lambda: time_command(ORRERY, "build", str(script), "-o", built)) - rest
        check_rest = shortest(lambda: time_command(ORRERY, "check", none))
        load = shortest(lambda: time_command(ORRERY, "check", built)) - check_rest
        scene = json.loads((directory / "built" / "scene.json").read_text())
        write = shortest(lambda: time_writing(scene, directory / "again.json"))
        print("builder.start %.1f ms" % (1e3 * rest))
        print("builder.build_component %.1f us" % (1e6 * build / ROBOTS / 6))
        print("builder.load_component %.1f us" % (1e6 * load / ROBOTS / 6))
        print("builder.write_component %.2f us" % (1e6 * write / ROBOTS / 6))
        print("builder.build_to_write %.1f ratio" % (build / write))


if __name__ == "__main__":
    main()
