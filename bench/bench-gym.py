#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A VectorEnv in Python beside the vector in C that it stands on: the share of its rate, by the process's time.

With two processes it is beside two copies of the loop in C at the same time, by the time of all processes.
"""

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

# Four legs of hip, thigh and shin on a trunk, with twelve motors.
LEG = """<body name="hip{0}" pos="{1} {2} 0"><joint name="a{0}" axis="1 0 0"/><geom type="sphere" size="0.03" mass="0.4"/>
<body name="thigh{0}"><joint name="b{0}" axis="0 1 0"/><geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.2" mass="0.5"/>
<body name="shin{0}" pos="0 0 -0.2"><joint name="c{0}" axis="0 1 0"/>
<geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.2" mass="0.2"/></body></body></body>"""
QUADRUPED = """<mujoco><default><joint damping="0.5" armature="0.01"/></default><worldbody>
<geom type="box" size="100 100 0.5" pos="0 0 -0.5"/>
<body name="dog" pos="0 0 0.43"><freejoint/><geom type="box" size="0.25 0.12 0.05" mass="6"/>%s</body></worldbody>
<actuator>%s</actuator></mujoco>""" % (
    "".join(LEG.format(i, (0.2, -0.2)[i % 2], (0.15, -0.15)[i // 2]) for i in range(4)),
    "".join('<position name="m{0}{1}" joint="{0}{1}" kp="60"/>'.format(j, i) for i in range(4) for j in "abc"))
DOG = {"orrery": 1, "environment": {"physics": "orrery.physics.mujoco.MuJoCo", "import": "dog.xml", "start": 0}}

PROGRAM = """
    import statistics
    import sys
    import time
    import numpy
    import orrery.gym

    POSE = ["robot.pose.x", "robot.pose.y", "robot.pose.yaw"]
    DRIVE = {"observe": POSE, "act": {"robot.motion.v": (-1, 1), "robot.motion.w": (-1, 1)},
             "reward": "-hypot(robot.pose.x - 5, robot.pose.y)"}
    SCAN = {**DRIVE, "observe": POSE + ["robot.laser.range_list"]}
    WALK = {"observe": ["dog.joints.position", "dog.joints.velocity"], "reward": "-abs(dog.joints.velocity[0])",
            "act": {"dog.m%s%d.position" % (joint, leg): (-0.2, 0.2) for joint in "abc" for leg in range(4)}}

    def measure(scene, kind, n, task):
        env = orrery.gym.VectorEnv(scene, n, ticks=6, max_episode_steps=10 ** 6, **task)
        env.reset(seed=1)
        env.action_space.seed(1)
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
        print("gym.%s-%d.of_vector" % (kind, n), "%.3f" % statistics.median(ratios), "of_its_rate", flush=True)
        env.close()

    for n in 64, 1024:
        measure(sys.argv[1], "pose", n, DRIVE)
        measure(sys.argv[1], "scan", n, SCAN)
        if len(sys.argv) > 2:
            measure(sys.argv[2], "quadruped", n, WALK)
    """

# A copy of the loop in C: for each line so many steps, and the time that they took.
LOOP = """
    import sys
    import time
    import numpy
    import orrery.gym

    env = orrery.gym.VectorEnv(sys.argv[1], int(sys.argv[2]), ticks=6, observe=sys.argv[3].split(), max_episode_steps=10 ** 6,
                               act={"robot.motion.v": (-1, 1), "robot.motion.w": (-1, 1)},
                               reward="-hypot(robot.pose.x - 5, robot.pose.y)")
    env.reset(seed=1)
    env.step(numpy.full((env.num_envs, 2), 0.5))
    print("ready", flush=True)
    for line in sys.stdin:
        begin = time.process_time()
        for _ in range(int(line)):
            env.vector.step(6)
        print(time.process_time() - begin, flush=True)
    """

PROCESSES = """
    import statistics
    import subprocess
    import sys
    import time
    import numpy
    import orrery.gym

    POSE = ["robot.pose.x", "robot.pose.y", "robot.pose.yaw"]

    def clock_of(pid):
        # As clock_getcpuclockid (3) has it.
        return time.clock_gettime(~pid << 3 | 2)

    def measure(kind, n, observe):
        env = orrery.gym.VectorEnv(sys.argv[1], n, ticks=6, observe=observe, max_episode_steps=10 ** 6, processes=2,
                                   act={"robot.motion.v": (-1, 1), "robot.motion.w": (-1, 1)},
                                   reward="-hypot(robot.pose.x - 5, robot.pose.y)")
        pids = [worker.process.pid for worker in env.vector.crew.workers]
        loops = [subprocess.Popen([sys.executable, sys.argv[2], sys.argv[1], str(n // 2), " ".join(observe)], text=True,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in pids]
        env.reset(seed=1)
        actions = numpy.full((n, 2), 0.5)
        env.step(actions)
        for loop in loops:
            loop.stdout.readline()
        steps = max(1600 // n, 2)
        ratios = []
        for _ in range(15):
            begin = time.process_time() + sum(map(clock_of, pids))
            for _ in range(steps):
                env.step(actions)
            taken = time.process_time() + sum(map(clock_of, pids)) - begin
            for loop in loops:
                loop.stdin.write("%d\\n" % steps)
                loop.stdin.flush()
            ratios.append(sum(float(loop.stdout.readline()) for loop in loops) / taken)
        print("gym.%s-%d.two_processes" % (kind, n), "%.3f" % statistics.median(ratios), "of_two_loops_in_c")
        for loop in loops:
            loop.communicate()
        env.close()

    measure("pose", 64, POSE)
    measure("scan", 64, POSE + ["robot.laser.range_list"])
    """


def main():
    with tempfile.TemporaryDirectory() as directory:
        files = {"scene.json": json.dumps(SCENE), "one.py": PROGRAM, "loop.py": LOOP, "two.py": PROCESSES,
                 "dog.json": json.dumps(DOG), "dog.xml": QUADRUPED}
        for name, text in files.items():
            files[name] = os.path.join(directory, name)
            with open(files[name], "w", encoding="utf-8") as file:
                file.write(textwrap.dedent(text))
        python = [str(BUILD / "orrery"), "python"]
        dog = [files["dog.json"]] if (BUILD / "lib/orrery-1/plugins/orrery/physics/mujoco.so").exists() else []
        code = subprocess.run([*python, files["one.py"], files["scene.json"], *dog]).returncode
        return code or subprocess.run([*python, files["two.py"], files["scene.json"], files["loop.py"]]).returncode


if __name__ == "__main__":
    sys.exit(main())
