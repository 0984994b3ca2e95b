#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Processor time of a run of `orrery batch` that lasts one tick: all that is not the simulation.
Beside it a run as a program of its own, and blocks of 100 runs in one process; with the kinematic
engine, and with MuJoCo and Bullet where they are built."""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

RUNS = 1000
BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
ORRERY = str(BUILD / "orrery")
ENGINES = {"kinematic": "orrery.physics.kinematic.Kinematic", "bullet": "orrery.physics.bullet.Bullet",
           "mujoco": "orrery.physics.mujoco.MuJoCo"}


def write_scene(directory, engine):
    path = directory / (engine + ".json")
    path.write_text(json.dumps({
        "orrery": 1, "environment": {"frequency": 60, "physics": ENGINES[engine]},
        "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "position": [0, 0, 0.5], "objects": [
            {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
            {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"}]}]}))
    return str(path)


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(name, runs, *command):
    before = cpu()
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("bench-batch: %s\n%s" % (" ".join(command), done.stderr))
    print("%s %.2f ms" % (name, 1e3 * (cpu() - before) / runs), flush=True)


def main():
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        for engine in ENGINES:
            if not (BUILD / "lib/orrery-1/plugins" / (ENGINES[engine].rpartition(".")[0].replace(".", "/") + ".so")).exists():
                continue
            scene = write_scene(directory, engine)
            measure("batch.%s-program" % engine, 1, ORRERY, "run", scene, "--fast", "--offline", "--ticks", "1", "--start", "0",
                    "--hash", "--result", str(directory / "result.json"))
            for words, block in ("run", "1"), ("block", "100"):
                measure("batch.%s-%s" % (engine, words), RUNS, ORRERY, "batch", scene, "--runs", str(RUNS), "--ticks", "1",
                        "-j", "2", "--block", block, "--out", str(directory / (engine + words)))


main()
