# SPDX-License-Identifier: BSD-3-Clause
"""Scripts of MORSE with streams, services and overlays of ROS, as they are: without a master, and with one."""

import os
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)

from support import PROGRAM, ProgramCase  # noqa: E402
from test_ros_node import LIMIT, RosCase  # noqa: E402

import tap  # noqa: E402

EXAMPLES = "/usr/share/morse/examples"
#: The examples that come with MORSE, and what they publish, subscribe and serve, in part.
KNOWN = {
    "tutorials/kinect/kinect.py": (["/robot/Kinect/depth/image", "/robot/Kinect/rgb/camera_info", "/robot/odometry", "/tf"], [], []),
    "tutorials/tutorial-1-ros.py": (["/atrv/pose"], ["/atrv/motion"], ["/atrv/motion/set_speed", "/atrv/pose/get_local_data"]),
    "tutorials/ros_navigation/default.py": (
        ["/base_scan", "/odom", "/joint_states", "/tf", "/l_arm_controller/state", "/l_arm_controller/joint_trajectory_action/status"],
        ["/cmd_vel", "/torso_lift_controller/joint_trajectory_action/goal"], ["/james/motion/get_properties"]),
    "scenarii/ros_depth.py": (["/atrv/camera", "/atrv/odometry"], ["/atrv/motion"], []),
    "scenarii/ros_example_multi.py": (["/atrv1/gyroscope", "/atrv3/gyroscope"], ["/atrv1/motion", "/atrv2/motion"], []),
}
#: One with all three kinds, written as MORSE's manual has them.
OWN = """
from morse.builder import *

robot = ATRV('mike')
waypoint = Waypoint()
waypoint.add_stream('ros')
waypoint.add_service('ros')
waypoint.add_overlay('ros', 'morse.middleware.ros.overlays.waypoints.WayPoint')
robot.append(waypoint)
arm = KukaLWR()
arm.add_service('ros')
arm.add_overlay('ros', 'morse.middleware.ros.overlays.armatures.ArmatureController')
robot.append(arm)
pose = Pose()
pose.add_stream('ros', 'morse.middleware.ros.pose.TFPublisher')
robot.append(pose)
env = Environment('empty')
"""
OWN_GRAPH = (["/tf", "/mike/waypoint/move_base/status"], ["/mike/waypoint", "/mike/waypoint/move_base/goal"],
             ["/mike/waypoint/get_status", "/mike/arm/get_dofs"])
NAMES = "own.py", *KNOWN


class Scripts(RosCase, ProgramCase):
    def setUp(self):
        ProgramCase.setUp(self)
        RosCase.setUp(self)
        self.write("own.py", OWN)

    def find(self, name):
        path = self.path(name) if name == "own.py" else os.path.join(EXAMPLES, name)
        if not os.path.exists(path):
            self.skipTest("no examples of MORSE: package morse-simulator-doc")
        return path

    def test_without_a_master(self):
        """They run, and say once that there is none."""
        for name in NAMES:
            with self.subTest(name):
                done = subprocess.run([PROGRAM, "run", self.find(name), "--for", "1"], env=self.environment, cwd=self.directory,
                                      capture_output=True, text=True, timeout=LIMIT)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count("no ROS master at"), 1, done.stderr)
                self.assertIn(" ticks, 1.0", done.stdout)

    def await_graph(self, name, wanted):
        """Until the master knows all of it; each look is a call of the master."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            state = self.ask_master("getSystemState")
            lacking = [[entry for entry in part if entry not in {known for known, _ in there}]
                       for part, there in zip(wanted, state)]
            if not any(lacking):
                return state
        self.fail("%s: the master does not know %s" % (name, lacking))

    def test_with_a_master(self):
        self.start_master()
        for name in NAMES:
            with self.subTest(name):
                process = subprocess.Popen([PROGRAM, "run", self.find(name)], env=self.environment, cwd=self.directory,
                                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                self.addCleanup(process.kill)
                state = self.await_graph(name, OWN_GRAPH if name == "own.py" else KNOWN[name])
                self.assertEqual({node for part in state for _, nodes in part for node in nodes}, {"/morse"})
                process.terminate()
                process.wait(timeout=LIMIT)
                # Nothing of it is left for the next one.
                self.assertEqual(self.ask_master("getSystemState"), [[], [], []])


class Known(unittest.TestCase):
    def test_all_examples_with_ros(self):
        """All but one, which MORSE cannot build either."""
        if not os.path.isdir(EXAMPLES):
            self.skipTest("no examples of MORSE: package morse-simulator-doc")
        found = subprocess.run(["grep", "-rlE", "_(stream|interface) ?\\('ros'|import_atrv\\('ros'", EXAMPLES], capture_output=True, text=True)
        names = {os.path.relpath(path, EXAMPLES) for path in found.stdout.split()}
        self.assertEqual(names - {"scenarii/quadrotor_dynamic_example.py"}, set(KNOWN))


if __name__ == "__main__":
    tap.main()
