# SPDX-License-Identifier: BSD-3-Clause
"""Every class of MORSE's ROS middleware, as Debian's package has them: ours has its messages, and a test its row."""

import ast
import glob
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../cli"))

import test_ros_streams as streams  # noqa: E402
from support import ProgramCase, need  # noqa: E402

import tap  # noqa: E402

PACKAGE = "/usr/lib/python3/dist-packages/morse/middleware/ros"
TF = "tf2_msgs/TFMessage"
PREFIX = "orrery.middleware.ros."
#: Bases, which users derive theirs from: test_ros_python.py.
BASES = {"abstract_ros." + name for name in ("AbstractROS", "ROSPublisher", "ROSPublisherTF", "ROSSubscriber")}
BASES |= {"video_camera.CameraPublisher", "abstract_ros.classproperty", "tfMessage.tfMessage"}
#: The class of the package publishes a header in a message that has none, and fails; that of later releases is ours.
TYPES = {"accelerometer.TwistPublisher": "geometry_msgs/TwistStamped"}
#: Which test has each class, and by which words: those of a class that is no default, else the component.
ROWS = {
    "StringPublisher": ("Publishers.test_plain_numbers_and_texts", "Gyroscope()"),
    "StringReader": ("Others.test_a_text", "StringReader"),
    "accelerometer.TwistPublisher": ("Publishers.test_accelerometer", "accelerometer.TwistPublisher"),
    "battery.Float32Publisher": ("Publishers.test_plain_numbers_and_texts", "Battery()"),
    "clock.ClockPublisher": ("Publishers.test_plain_numbers_and_texts", "Clock()"),
    "depth_camera.DepthCameraPublisher": ("Publishers.test_cameras", "DepthCamera()"),
    "destination.PointReader": ("Readers.test_each_class", '"Destination"'),
    "force_torque.WrenchReader": ("Readers.test_each_class", '"ForceTorque"'),
    "gps.NavSatFixPublisher": ("Publishers.test_gps", "GPS()"),
    "imu.ImuPublisher": ("Publishers.test_imu", "IMU()"),
    "infrared.RangePublisher": ("Publishers.test_infrared", "infrared.RangePublisher"),
    "jido_posture.JointStatePublisher": ("Others.test_posture_of_a_jido", "jido_posture.JointStatePublisher"),
    "jointstate.JointStatePublisher": ("Publishers.test_joints", "posture.add_stream('ros')"),
    "jointstate.JointStatePR2Publisher": ("Publishers.test_joints_of_a_pr2", "jointstate.JointStatePR2Publisher"),
    "jointtrajectorycontrollers.JointTrajectoryControllerStatePublisher":
        ("Publishers.test_arms", "jointtrajectorycontrollers.JointTrajectoryControllerStatePublisher"),
    "kuka_jointstate.JointStateReader": ("Publishers.test_arms", "kuka_jointstate.JointStateReader"),
    "kuka_jointstate_pub.JointStatePublisher": ("Publishers.test_arms", "kuka_jointstate_pub.JointStatePublisher"),
    "laserscanner.LaserScanPublisher": ("Publishers.test_laser_scan", "Sick()"),
    "laserscanner.PointCloud2Publisher": ("Publishers.test_laser_scan", "laserscanner.PointCloud2Publisher"),
    "light.BoolReader": ("Readers.test_each_class", '"Light"'),
    "motion_vw.TwistReader": ("Readers.test_each_class", '"MotionVW"'),
    "motion_xyw.TwistReader": ("Readers.test_each_class", '"MotionXYW"'),
    "odometry.OdometryPublisher": ("Publishers.test_odometry", "Odometry()"),
    "orientation.QuaternionReader": ("Readers.test_each_class", '"Orientation"'),
    "platine.Vector3Reader": ("Readers.test_each_class", '"PTU"'),
    "pose.PosePublisher": ("Publishers.test_pose_without_a_stamp_and_with_covariance", "pose.PosePublisher"),
    "pose.PoseStampedPublisher": ("Publishers.test_pose_stamped", "Pose()"),
    "pose.PoseWithCovarianceStampedPublisher":
        ("Publishers.test_pose_without_a_stamp_and_with_covariance", "pose.PoseWithCovarianceStampedPublisher"),
    "pose.TFPublisher": ("Publishers.test_transform_of_a_pose", "pose.TFPublisher"),
    "ptu_posture.JointStatePublisher": ("Publishers.test_joints", "ptu_posture.JointStatePublisher"),
    "read_asctec_ctrl_input.CtrlInputReader": ("Readers.test_each_class", "read_asctec_ctrl_input.CtrlInputReader"),
    "read_pose.PoseReader": ("Readers.test_each_class", '"Teleport"'),
    "read_pose.PoseStampedReader": ("Readers.test_each_class", "read_pose.PoseStampedReader"),
    "read_twist.TwistReader": ("Readers.test_each_class", '"RotorcraftVelocity"'),
    "semantic_camera.SemanticCameraPublisher": ("Publishers.test_semantic_camera", "SemanticCamera()"),
    "semantic_camera.SemanticCameraPublisherLisp":
        ("Publishers.test_semantic_camera", "semantic_camera.SemanticCameraPublisherLisp"),
    "static_tf.StaticTFPublisher": ("Publishers.test_static_transforms", "static_tf.StaticTFPublisher"),
    "velocity.TwistStampedPublisher": ("Publishers.test_velocity", "Velocity()"),
    "video_camera.VideoCameraPublisher": ("Publishers.test_cameras", "VideoCamera()"),
    "video_camera.DepthCameraPublisher": ("Publishers.test_cameras", "DepthVideoCamera()"),
    "waypoint2D.Pose2DReader": ("Readers.test_each_class", "waypoint2D.Pose2DReader"),
}


def setUpModule():
    streams.setUpModule()


def tearDownModule():
    streams.tearDownModule()


def read_classes(directory):
    """MODULE.CLASS: (bases, type of the message) of all modules, from their text: without rospy some cannot be imported."""
    found = {}
    for path in sorted(glob.glob(os.path.join(directory, "*.py"))):
        with open(path, encoding="utf-8") as file:
            tree = ast.parse(file.read())
        packages = {alias.asname or alias.name: node.module.split(".")[0] for node in ast.walk(tree)
                    if isinstance(node, ast.ImportFrom) and node.module for alias in node.names}
        for node in tree.body:
            if not isinstance(node, ast.ClassDef):
                continue
            given = [item.value.id for item in node.body if isinstance(item, ast.Assign) and
                     item.targets[0].id == "ros_class" and isinstance(item.value, ast.Name)]
            name = os.path.basename(path)[:-3] + "." + node.name
            found[name] = ([ast.unparse(base) for base in node.bases],
                           "%s/%s" % (packages.get(given[0], "?"), given[0]) if given else None)
    return found


class Classes(ProgramCase):
    def setUp(self):
        super().setUp()
        need(self, not os.path.isdir(PACKAGE) and "not installed: python3-morse-simulator")
        self.theirs = read_classes(PACKAGE)
        self.assertGreater(len(self.theirs), 40)

    def names(self):
        """Those of classes that scenes name; the package's own module for texts is imported into it."""
        return {name: name.replace("abstract_ros.", "") for name in self.theirs if name not in BASES}

    def kind(self, name):
        """The type of a class or of its base in the same file, and whether it sends transforms."""
        bases, kind = self.theirs[name]
        moves = "ROSPublisherTF" in bases
        inner = name.rpartition(".")[0] + "." + bases[0]
        if inner in self.theirs and inner != "abstract_ros." + bases[0]:
            base, more = self.kind(inner)
            kind, moves = kind or base, moves or more
        return TYPES.get(name, kind), moves

    def test_each_has_its_messages(self):
        listing = json.loads(self.orrery("plugins", "--json").stdout)
        ours = {entry["classpath"]: entry.get("messages") for module in listing["modules"] for entry in module["classes"]}
        for name, short in self.names().items():
            with self.subTest(name):
                messages = ours.get(PREFIX + short)
                self.assertTrue(messages, "there is none")
                kind, moves = self.kind(name)
                self.assertEqual(messages[0], kind or TF)
                self.assertTrue(TF in messages or not moves, messages)

    def test_each_has_a_row(self):
        self.assertEqual(set(self.names().values()), set(ROWS))
        for name, (test, words) in ROWS.items():
            with self.subTest(name):
                case, _, method = test.partition(".")
                path = __file__ if case == "Others" else streams.__file__
                with open(path, encoding="utf-8") as file:
                    found = re.search(r"^class %s\(.*?\n    def %s\(self\):\n(.*?)(?=^    (?:def |@)|^\w|\Z)" % (case, method),
                                      file.read(), re.M | re.S)
                self.assertTrue(found, test)
                self.assertIn(words, found.group(1))


JIDO = """
import morse.core.sensor
from morse.helpers.components import add_data

class Posture(morse.core.sensor.Sensor):
    for name in ("seg0", "seg1", "seg2", "seg3", "seg4", "seg5", "seg6", "pan", "tilt"):
        add_data(name, 0.0, "float")

    def default_action(self):
        for i, name in enumerate(("seg0", "seg1", "seg2", "seg3", "seg4", "seg5", "seg6", "pan", "tilt")):
            self.local_data[name] = i + 1.0
"""


class Others(streams.RosCase):
    """Classes that no component has by default, and no other test names."""

    def test_posture_of_a_jido(self):
        """No sensor of MORSE has the fields of this class; one of a user may."""
        os.makedirs(self.path("plugins/lab"))
        self.write("plugins/lab/jido.py", JIDO)
        self.run_scene("robot = FakeRobot('robot'); posture = Sensor('lab.jido.Posture'); posture.name = 'posture'\n"
                       "robot.append(posture); posture.add_stream('ros', '%sjido_posture.JointStatePublisher', topic='/jido')"
                       % streams.ROS, "--plugin-dir", self.path("plugins"))
        message = streams.Topic(self, "/jido", "sensor_msgs/JointState").next()
        self.assertEqual(message.name, ["kuka_arm_%d_joint" % i for i in range(7)] + ["head_pan_joint", "head_tilt_joint"])
        self.assertEqual(list(message.position), list(range(1, 10)))
        self.assertEqual(message.header.frame_id, "/jido")

    def test_a_text(self):
        self.write("scene.py", "from morse.builder import *\nrobot = FakeRobot('robot')\nmotion = MotionVW('motion')\n"
                   "robot.append(motion); motion.add_stream('ros', '%sStringReader', topic='/words')\n"
                   "env = Environment('empty')\n" % streams.ROS)
        self.check(self.orrery("build", "scene.py", "-o", "out"), 0)
        child = streams.Watched(self, ["robot.motion"])
        publisher = streams.rospy.Publisher("/words", streams.message_class("std_msgs/String"), queue_size=1, latch=True)
        self.addCleanup(publisher.unregister)
        publisher.publish("turn left")
        child.await_log("turn left")


if __name__ == "__main__":
    tap.main()
