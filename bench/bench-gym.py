#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A VectorEnv in Python beside the vector in C that it stands on: the share of its rate, by the process's time."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap

BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()

SCENE = {"orrery": 1, "environment": {"physics": "orrery.physics.bullet.Bullet", "import": "empty", "start": 0},
         "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
             {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
             {"name": "laser", "classpath": "orrery.sensors.hokuyo.Hokuyo"},
             {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]}]}

PROGRAM = """
    import statistics
    import sys
    import time
    import numpy
    import orrery.gym

    POSE = ["robot.pose.x", "robot.pose.y", "robot.pose.yaw"]
    for kind, n, observe in (("pose", 64, POSE), ("scan", 64, POSE + ["robot.laser.range_list"]), ("pose", 1024, POSE)):
        env = orrery.gym.VectorEnv(sys.argv[1], n, ticks=6, observe=observe, max_episode_steps=10 ** 6,
                                   act={"robot.motion.v": (-1, 1), "robot.motion.w": (-1, 1)},
                                   reward="-hypot(robot.pose.x - 5, robot.pose.y)")
        env.reset(seed=1)
        actions = env.action_space.sample()
        steps = max(4000 // n, 2)
        ratios = []
        for _ in range(9):
            begin = time.process_time()
            for _ in range(steps):
                env.step(actions)
            middle = time.process_time()
            for _ in range(steps):
                env.vector.step(6)
            ratios.append((time.process_time() - middle) / (middle - begin))
        print("gym.%s-%d.of_vector" % (kind, n), "%.3f" % statistics.median(ratios), "of_its_rate")
        env.close()
    """


def main():
    with tempfile.TemporaryDirectory() as directory:
        scene, program = os.path.join(directory, "scene.json"), os.path.join(directory, "program.py")
        with open(scene, "w", encoding="utf-8") as file:
            json.dump(SCENE, file)
        with open(program, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(PROGRAM))
        return subprocess.run([str(BUILD / "orrery"), "python", program, scene]).returncode


if __name__ == "__main__":
    sys.exit(main())
