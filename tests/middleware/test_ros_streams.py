# SPDX-License-Identifier: BSD-3-Clause
"""Streams of ROS 1, as rospy and rostopic of Debian receive and send them: each class of MORSE."""

import json
import math
import os
import queue
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from collections import OrderedDict

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)

import doors  # noqa: E402
from support import BUILD, NODE_PATH, PROGRAM, ProgramCase, lacks_modules, need  # noqa: E402
from test_ros_node import PROGRAM as TRIAL, Program  # noqa: E402

import tap  # noqa: E402

try:
    import genpy.dynamic
    import roslib.message
    import rospy
except ImportError as error:
    rospy, WHY = None, str(error)

ARM = os.path.join(os.path.dirname(os.path.dirname(HERE)), "examples/robots/arm.urdf")
LIMIT = 60  # seconds, for what should take one
ROS = "morse.middleware.ros."
HAS_CAMERAS = os.path.isfile(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))
ROSCPP = os.path.join(BUILD, "tests/middleware/roscpp-peer")
NEEDED = "libroscpp-dev, libnav-msgs-dev, libsensor-msgs-dev and libstd-srvs-dev"
MASTER = {}


def setUpModule():
    if rospy is None or not shutil.which("rosmaster"):
        if os.environ.get("CI") == "true":
            raise AssertionError("rospy or rosmaster is not installed")
        raise unittest.SkipTest("rospy or rosmaster is not installed")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    MASTER["home"] = tempfile.mkdtemp()
    for name in [name for name in os.environ if name.startswith("ROS_") and name != "ROS_PACKAGE_PATH"]:
        del os.environ[name]
    os.environ.update(ROS_MASTER_URI="http://127.0.0.1:%d" % port, ROS_IP="127.0.0.1", ROS_HOME=MASTER["home"],
                      ROS_LOG_DIR=MASTER["home"])
    MASTER["process"] = subprocess.Popen(["rosmaster", "--core", "-p", str(port)], stdout=subprocess.DEVNULL,
                                         stderr=subprocess.DEVNULL)
    rospy.init_node("peer", disable_signals=True)


def tearDownModule():
    if "process" in MASTER:
        rospy.signal_shutdown("the tests are over")
        MASTER["process"].kill()
        MASTER["process"].wait()
        shutil.rmtree(MASTER["home"], ignore_errors=True)


def message_class(name):
    """genpy's own class of a type; of one that Debian has not, made from our definition."""
    found = roslib.message.get_message_class(name)
    if found is not None:
        return found
    text = subprocess.run([PROGRAM, "messages", "--ros1", name], check=True, capture_output=True, text=True).stdout
    definition = "".join(line for line in text.splitlines(True) if not line.startswith("#"))
    return genpy.dynamic.generate_dynamic(name, definition)[name]


class Topic:
    """What comes on a topic, by its time."""

    def __init__(self, case, name, kind):
        self.messages = queue.Queue()
        self.subscriber = rospy.Subscriber(name, message_class(kind), self.messages.put)
        case.addCleanup(self.subscriber.unregister)

    def next(self):
        return self.messages.get(timeout=LIMIT)

    def at(self, times, get=lambda message: message.header.stamp):
        """A message and the record of the same time; the two may have begun at different ones."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            message = self.next()
            record = times.find(stamp(get(message)))
            if record is not None:
                return message, record
        raise AssertionError("no message has the time of a record")


def stamp(moment):
    return moment.secs * 10**9 + moment.nsecs


class Records:
    """The records of a component, from its socket."""

    def __init__(self, case, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=LIMIT)
        case.addCleanup(self.socket.close)
        self.records = []
        self.changed = threading.Condition()
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        with self.socket.makefile("rb") as lines:
            for line in lines:
                with self.changed:
                    self.records.append(json.loads(line))
                    self.changed.notify_all()

    def find(self, moment):
        """The record of that time; None: there is none, or it is gone."""
        def known():
            return self.records and round(self.records[-1]["timestamp"] * 1e6) >= moment // 1000 - 1
        with self.changed:
            self.changed.wait_for(known, LIMIT)
            for record in self.records:
                if abs(record["timestamp"] - moment / 1e9) < 1e-6:
                    return record
        return None


class RosCase(ProgramCase):
    def run_scene(self, text, *arguments):
        """Runs a scene of MORSE's builder until the test ends."""
        self.write("scene.py", "from morse.builder import *\n" + text +
                   "\nenv = Environment('empty')\nenv.properties(longitude=1.4, latitude=43.6, altitude=100.0)\n")
        process = self.start("run", "scene.py", *arguments)
        self.port = self.services_port(process)
        threading.Thread(target=process.stderr.read, daemon=True).start()
        return process

    def call(self, *words):
        done = self.orrery("call", "--port", self.port, *words)
        self.check(done, 0)
        return done.stdout.strip()

    def records(self, component):
        return Records(self, int(self.call("simulation", "get_stream_port", component)))

    def vector(self, value):
        return [value.x, value.y, value.z]

    def assertClose(self, first, second, places=5):
        self.assertEqual(len(first), len(second))
        for a, b in zip(first, second):
            self.assertAlmostEqual(a, b, places)

    def assertRotation(self, q, roll, pitch, yaw):
        """A quaternion against Euler angles that turn about x first, then y, then z."""
        halves = [(math.cos(angle / 2), math.sin(angle / 2)) for angle in (roll, pitch, yaw)]
        (cr, sr), (cp, sp), (cy, sy) = halves
        wanted = [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy,
                  cr * cp * cy + sr * sp * sy]
        found = [q.x, q.y, q.z, q.w]
        sign = 1 if sum(a * b for a, b in zip(wanted, found)) > 0 else -1
        self.assertClose(found, [sign * value for value in wanted])


#: A robot that stands askew, with what it measures on sockets and ROS.
ASKEW = """
robot = FakeRobot('robot'); robot.translate(1, 2, 3); robot.rotate(0.1, -0.2, 0.5)
def add(part, name, *methods, **options):
    part.name = name
    part.translate(0.1, 0.2, 0.3)
    part.rotate(0, 0, 0.3)
    robot.append(part)
    part.add_stream('socket')
    for method in methods or [None]:
        part.add_stream('ros', *([method] if method else []), **options)
    return part
"""


class Publishers(RosCase):
    def publish(self, code, *arguments):
        return self.run_scene(ASKEW + code, *arguments)

    def test_pose_stamped(self):
        self.publish("add(Pose(), 'pose')")
        topic, records = Topic(self, "/robot/pose", "geometry_msgs/PoseStamped"), self.records("robot.pose")
        message, record = topic.at(records)
        self.assertEqual(message.header.frame_id, "/map")
        self.assertClose(self.vector(message.pose.position), [record[key] for key in "xyz"], 9)
        self.assertRotation(message.pose.orientation, record["roll"], record["pitch"], record["yaw"])
        self.assertNotEqual(record["yaw"], 0)
        self.assertEqual(topic.next().header.seq, message.header.seq + 1)

    def test_pose_without_a_stamp_and_with_covariance(self):
        self.publish("part = add(Pose(), 'pose', '%spose.PosePublisher', topic='/plain')\n"
                     "part.add_stream('ros', '%spose.PoseWithCovarianceStampedPublisher', topic='/sure', "
                     "frame_id='world')" % (ROS, ROS))
        plain = Topic(self, "/plain", "geometry_msgs/Pose").next()
        sure = Topic(self, "/sure", "geometry_msgs/PoseWithCovarianceStamped").next()
        self.assertEqual(plain.position, sure.pose.pose.position)
        self.assertEqual(plain.orientation, sure.pose.pose.orientation)
        self.assertEqual(sure.header.frame_id, "world")
        self.assertEqual(list(sure.pose.covariance), [0] * 36)

    def test_transform_of_a_pose(self):
        self.publish("add(Pose(), 'pose', '%spose.TFPublisher', frame_id='/odom', child_frame_id='/body')" % ROS)
        moved = Topic(self, "/tf", "tf2_msgs/TFMessage").next().transforms
        self.assertEqual(len(moved), 1)
        self.assertEqual((moved[0].header.frame_id, moved[0].child_frame_id), ("/odom", "/body"))
        _, record = Topic(self, "/tf", "tf2_msgs/TFMessage").at(
            self.records("robot.pose"), lambda message: message.transforms[0].header.stamp)
        self.assertClose(self.vector(moved[0].transform.translation), [record[key] for key in "xyz"], 9)
        self.assertRotation(moved[0].transform.rotation, record["roll"], record["pitch"], record["yaw"])

    def test_static_transforms(self):
        self.publish("part = add(Pose(), 'pose', '%sstatic_tf.StaticTF2Publisher', child_frame_id='mast')\n"
                     "part.add_stream('ros', '%sstatic_tf.StaticTFPublisher', parent_frame_id='/base')" % (ROS, ROS))
        kept = Topic(self, "/tf_static", "tf2_msgs/TFMessage").next().transforms[0]
        self.assertEqual((kept.header.frame_id, kept.child_frame_id, stamp(kept.header.stamp)), ("base_link", "mast", 0))
        self.assertClose(self.vector(kept.transform.translation), [0.1, 0.2, 0.3])
        self.assertRotation(kept.transform.rotation, 0, 0, 0.3)
        late = Topic(self, "/tf_static", "tf2_msgs/TFMessage").next().transforms[0]
        self.assertEqual(late, kept)
        moving = Topic(self, "/tf", "tf2_msgs/TFMessage")
        first, second = moving.next().transforms[0], moving.next().transforms[0]
        self.assertEqual((first.header.frame_id, first.child_frame_id), ("/base", "/robot/pose"))
        self.assertEqual(first.transform, kept.transform)
        gap = stamp(second.header.stamp) - stamp(first.header.stamp)
        self.assertGreaterEqual(gap, 10**9)
        self.assertLess(gap, 1.2 * 10**9)

    def test_odometry(self):
        self.publish("add(Odometry(), 'odometry', frame_id='odom')")
        topic, records = Topic(self, "/robot/odometry", "nav_msgs/Odometry"), self.records("robot.odometry")
        message, record = topic.at(records)
        self.assertEqual((message.header.frame_id, message.child_frame_id), ("odom", "/base_footprint"))
        self.assertClose(self.vector(message.pose.pose.position), [record[key] for key in "xyz"], 9)
        self.assertRotation(message.pose.pose.orientation, record["roll"], record["pitch"], record["yaw"])
        self.assertClose(self.vector(message.twist.twist.linear), [record[key] for key in ("vx", "vy", "vz")], 9)
        self.assertClose(self.vector(message.twist.twist.angular), [record[key] for key in ("wx", "wy", "wz")], 9)
        moved = Topic(self, "/tf", "tf2_msgs/TFMessage").next().transforms[0]
        self.assertEqual((moved.header.frame_id, moved.child_frame_id), ("odom", "/base_footprint"))

    def test_accelerometer(self):
        self.publish("part = add(Accelerometer(), 'accelerometer')\n"
                     "part.add_stream('ros', '%saccelerometer.TwistPublisher', topic='/speed')" % ROS)
        topic = Topic(self, "/robot/accelerometer", "geometry_msgs/AccelWithCovarianceStamped")
        message, record = topic.at(self.records("robot.accelerometer"))
        self.assertEqual(message.header.frame_id, "/robot/accelerometer")
        self.assertClose(self.vector(message.accel.accel.linear), record["acceleration"], 9)
        self.assertClose(self.vector(message.accel.accel.angular), record["angular_acceleration"], 9)
        message, record = Topic(self, "/speed", "geometry_msgs/TwistStamped").at(self.records("robot.accelerometer"))
        self.assertClose(self.vector(message.twist.linear), record["velocity"], 9)

    def test_imu(self):
        self.publish("add(IMU(), 'imu')\nadd(Pose(), 'pose')")
        message, record = Topic(self, "/robot/imu", "sensor_msgs/Imu").at(self.records("robot.imu"))
        _, pose = Topic(self, "/robot/pose", "geometry_msgs/PoseStamped").at(self.records("robot.pose"))
        self.assertEqual(message.header.frame_id, "/imu")
        self.assertClose(self.vector(message.angular_velocity), record["angular_velocity"], 9)
        self.assertClose(self.vector(message.linear_acceleration), record["linear_acceleration"], 9)
        self.assertRotation(message.orientation, pose["roll"], pose["pitch"], pose["yaw"])

    def test_wrench(self):
        self.run_scene("arm = Robot(%r, name='arm')\nload = Sensor('orrery.sensors.joint_wrench.JointWrench')\n"
                       "load.name = 'load'\nload.properties(Joint='shoulder_lift')\narm.append(load)\n"
                       "load.add_stream('socket')\nload.add_stream('ros')" % ARM)
        message, record = Topic(self, "/arm/load", "geometry_msgs/WrenchStamped").at(self.records("arm.load"))
        self.assertClose(self.vector(message.wrench.force), record["force"], 9)
        self.assertClose(self.vector(message.wrench.torque), record["torque"], 9)
        self.assertGreater(math.hypot(*record["force"]), 5)

    def test_velocity(self):
        self.publish("add(Velocity(), 'velocity')")
        message, record = Topic(self, "/robot/velocity", "geometry_msgs/TwistStamped").at(self.records("robot.velocity"))
        self.assertEqual(message.header.frame_id, "/base_link")
        self.assertClose(self.vector(message.twist.linear), record["linear_velocity"], 9)
        self.assertClose(self.vector(message.twist.angular), record["angular_velocity"], 9)

    def test_gps(self):
        self.publish("add(GPS(), 'gps')\nraw = GPS(); raw.level('raw'); add(raw, 'raw')")
        message, record = Topic(self, "/robot/gps", "sensor_msgs/NavSatFix").at(self.records("robot.gps"))
        self.assertClose([message.latitude, message.longitude, message.altitude], [record[key] for key in "xyz"], 9)
        message, record = Topic(self, "/robot/raw", "sensor_msgs/NavSatFix").at(self.records("robot.raw"))
        self.assertClose([message.latitude, message.longitude, message.altitude],
                         [record[key] for key in ("latitude", "longitude", "altitude")], 9)
        self.assertAlmostEqual(message.latitude, 43.6, 2)

    def test_laser_scan(self):
        self.publish("part = add(Sick(), 'sick', topic='/scan')\n"
                     "part.add_stream('ros', '%slaserscanner.PointCloud2Publisher', topic='/cloud')" % ROS)
        message, record = Topic(self, "/scan", "sensor_msgs/LaserScan").at(self.records("robot.sick"))
        self.assertEqual(message.header.frame_id, "/base_laser_link")
        self.assertClose(message.ranges, record["range_list"], 4)
        self.assertEqual(len(message.ranges), 181)
        self.assertClose([message.angle_min, message.angle_max, message.angle_increment, message.time_increment,
                          message.scan_time, message.range_min, message.range_max],
                         [-math.pi / 2, math.pi / 2, math.radians(1), 1 / 40 / 180, 1, 0.3, 30])
        cloud, record = Topic(self, "/cloud", "sensor_msgs/PointCloud2").at(self.records("robot.sick"))
        self.assertEqual((cloud.height, cloud.width, cloud.point_step, cloud.row_step, cloud.is_dense),
                         (1, 181, 12, 12 * 181, False))
        self.assertEqual([(field.name, field.offset, field.datatype, field.count) for field in cloud.fields],
                         [("x", 0, 7, 1), ("y", 4, 7, 1), ("z", 8, 7, 1)])
        floats = struct.unpack("<%df" % (3 * 181), cloud.data)
        self.assertClose(floats, [value for point in record["point_list"] for value in point], 4)
        moved = Topic(self, "/tf", "tf2_msgs/TFMessage").next().transforms[0]
        self.assertEqual((moved.header.frame_id, moved.child_frame_id), ("base_link", "/cloud"))
        self.assertClose(self.vector(moved.transform.translation), [0.1, 0.2, 0.3])

    def test_infrared(self):
        self.publish("add(Infrared(), 'infrared', '%sinfrared.RangePublisher')" % ROS)
        message, record = Topic(self, "/robot/infrared", "sensor_msgs/Range").at(self.records("robot.infrared"))
        self.assertEqual((message.radiation_type, message.field_of_view, message.min_range), (1, 20, 0))
        self.assertAlmostEqual(message.range, min(record["range_list"] + [message.max_range]), 5)

    def test_plain_numbers_and_texts(self):
        self.publish("add(Battery(), 'battery')\nadd(Clock(), 'clock', topic='/clock')\nadd(Gyroscope(), 'gyro')\n"
                     "add(Proximity(), 'near')")
        self.assertAlmostEqual(Topic(self, "/robot/battery", "std_msgs/Float32").next().data, 100, 0)
        records = self.records("robot.clock")
        Topic(self, "/clock", "rosgraph_msgs/Clock").at(records, lambda message: message.clock)
        text = Topic(self, "/robot/gyro", "std_msgs/String").next().data
        record = eval(text, {"OrderedDict": OrderedDict})
        self.assertEqual(list(record), ["timestamp", "yaw", "pitch", "roll"])
        self.assertAlmostEqual(record["yaw"], 0.8, 1)
        text = Topic(self, "/robot/near", "std_msgs/String").next().data
        self.assertIn("'near_objects'", text)

    def test_joints(self):
        self.publish("unit = PTU(); robot.append(unit)\nposture = PTUPosture('posture'); unit.append(posture)\n"
                     "posture.add_stream('ros')\nposture.add_stream('ros', '%sptu_posture.JointStatePublisher', "
                     "topic='/head')\nunit.name = 'unit'; unit.add_stream('ros')" % ROS)
        topic = Topic(self, "/robot/unit/posture", "sensor_msgs/JointState")
        self.assertEqual(topic.next().name, ["pan", "tilt"])
        head = Topic(self, "/head", "sensor_msgs/JointState")
        self.assertEqual(head.next().name, ["head_pan_joint", "head_tilt_joint"])
        order = rospy.Publisher("/robot/unit", message_class("geometry_msgs/Vector3"), queue_size=1, latch=True)
        self.addCleanup(order.unregister)
        order.publish(0, 0.5, -0.25)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            found = topic.next()
            if abs(found.position[0] - 0.5) < 0.02 and abs(found.position[1] + 0.25) < 0.02:
                return
        self.fail("the unit has not turned: %r" % (found,))

    @unittest.skipUnless(HAS_CAMERAS, "built without a renderer")
    def test_cameras(self):
        self.publish("eye = VideoCamera(); eye.properties(cam_width=16, cam_height=8); add(eye, 'eye'); eye.add_service('socket')\n"
                     "deep = DepthVideoCamera(); deep.properties(cam_width=16, cam_height=8); add(deep, 'deep'); deep.add_service('socket')\n"
                     "ball = Sphere('ball'); ball.translate(3.8, 4.9, 3.5); ball.scale = (2, 2, 2)\n"
                     "cloud = DepthCamera(); cloud.properties(cam_width=16, cam_height=8); add(cloud, 'cloud'); cloud.add_service('socket')")
        images = {name: Topic(self, "/robot/%s/image" % name, "sensor_msgs/Image") for name in ("eye", "deep")}
        infos = {name: Topic(self, "/robot/%s/camera_info" % name, "sensor_msgs/CameraInfo") for name in images}
        cloud = Topic(self, "/robot/cloud", "sensor_msgs/PointCloud2")
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=LIMIT) as services:
            for name in (*images, "cloud"):
                services.sendall(b"id robot.%s capture [-1]\n" % name.encode())
            self.check_cameras(images, infos, cloud)

    def check_cameras(self, images, infos, cloud):
        for name, encoding in (("eye", "rgba8"), ("deep", "32FC1")):
            image, info = images[name].next(), infos[name].next()
            self.assertEqual((image.encoding, image.width, image.height, image.step, len(image.data)),
                             (encoding, 16, 8, 64, 512))
            self.assertEqual(image.header.frame_id, "/robot/" + name)
            self.assertEqual((info.width, info.height, info.distortion_model, list(info.D)), (16, 8, "plumb_bob", [0]))
            self.assertEqual(list(info.R), [1, 0, 0, 0, 1, 0, 0, 0, 1])
            self.assertGreater(info.K[0], 1)
            self.assertEqual([info.P[0], info.P[2], info.P[3], info.P[5]], [info.K[0], info.K[2], 0, info.K[4]])
        found = cloud.next()
        self.assertEqual((found.height, found.point_step, len(found.data)), (1, 12, found.row_step))
        self.assertEqual(found.row_step, 12 * found.width)
        self.assertGreater(found.width, 50)

    def test_arms(self):
        self.publish("arm = KukaLWR('arm'); robot.append(arm)\n"
                     "arm.add_stream('ros', '%skuka_jointstate.JointStateReader')\n"
                     "posture = ArmaturePose('posture'); arm.append(posture); posture.add_stream('socket')\n"
                     "posture.add_stream('ros', '%skuka_jointstate_pub.JointStatePublisher', topic='/kuka')\n"
                     "posture.add_stream('ros', '%sjointtrajectorycontrollers.JointTrajectoryControllerStatePublisher', "
                     "topic='/state')" % (ROS, ROS, ROS))
        order = rospy.Publisher("/robot/arm", message_class("sensor_msgs/JointState"), queue_size=1, latch=True)
        self.addCleanup(order.unregister)
        order.publish(position=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7])
        kuka = Topic(self, "/kuka", "sensor_msgs/JointState")
        end = time.monotonic() + LIMIT
        found = kuka.next()
        wanted = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
        # An arm stops when it is nearer than one tick would move it.
        while max(abs(a - b) for a, b in zip(found.position, wanted)) > 0.01 and time.monotonic() < end:
            found = kuka.next()
        self.assertLess(max(abs(a - b) for a, b in zip(found.position, wanted)), 0.01)
        self.assertEqual((found.header.frame_id, stamp(found.header.stamp)), ("", 0))
        self.assertEqual(found.name, ["arm_%d_joint" % i for i in range(7)])
        self.assertEqual((list(found.velocity), list(found.effort)), ([0] * 7, [0] * 7))
        state, record = Topic(self, "/state", "control_msgs/JointTrajectoryControllerState").at(
            self.records("robot.arm.posture"))
        self.assertEqual(state.joint_names, [name for name in record if name != "timestamp"])
        self.assertClose(state.actual.positions, [record[name] for name in state.joint_names], 6)
        self.assertEqual((list(state.actual.velocities), list(state.desired.positions)), ([0] * 7, []))

    def test_joints_of_a_pr2(self):
        self.run_scene("robot = BasePR2('robot'); robot.head.add_service('socket')\n"
                       "robot.joint_state.add_stream('ros', '%sjointstate.JointStatePR2Publisher', topic='/joint_states')" % ROS)
        self.call("robot.torso.head", "set_rotation", "head_tilt_joint", "0.25")
        topic = Topic(self, "/joint_states", "sensor_msgs/JointState")
        end = time.monotonic() + LIMIT
        joints = {"head_tilt_joint": 0}
        while abs(joints["head_tilt_joint"] - 0.25) > 1e-3 and time.monotonic() < end:
            message = topic.next()
            joints = dict(zip(message.name, message.position))
        self.assertEqual(len(joints), 45)
        self.assertEqual(joints["fl_caster_rotation_joint"], 0)
        self.assertAlmostEqual(joints["head_tilt_joint"], 0.25, 3)

    def test_semantic_camera(self):
        self.publish("robot.rotate(-0.1, 0.2, -0.5)\nfor name, x in (('RED', 4), ('BLUE', 5)):\n"
                     "    box = Cube(name); box.translate(x, 2 + x / 10, 3); box.scale = (0.3, 0.3, 0.3)\n"
                     "    box.properties(Object=True, Label=name, Description='a ' + name if x > 4 else '')\n"
                     "eye = SemanticCamera(); eye.properties(noocclusion=True); eye.name = 'eye'; robot.append(eye)\n"
                     "eye.add_stream('socket'); eye.add_stream('ros')\n"
                     "eye.add_stream('ros', '%ssemantic_camera.SemanticCameraPublisherLisp', topic='/lisp')" % ROS)
        topic = Topic(self, "/robot/eye", "std_msgs/String")
        seen = {entry["name"]: entry for entry in json.loads(topic.next().data)}
        self.assertEqual(sorted(seen), ["BLUE", "RED"])
        moved = {each.child_frame_id: each for each in Topic(self, "/tf", "tf2_msgs/TFMessage").next().transforms}
        self.assertEqual(sorted(moved), ["BLUE", "RED"])
        for name, entry in seen.items():
            self.assertEqual(moved[name].header.frame_id, "/map")
            self.assertClose(self.vector(moved[name].transform.translation), entry["position"])
            turn = moved[name].transform.rotation
            self.assertClose([turn.x, turn.y, turn.z, turn.w], [entry["orientation"][key] for key in "xyzw"])
        lisp = Topic(self, "/lisp", "std_msgs/String").next().data
        self.assertRegex(lisp, r"^\((\([^()]+\)){2}\)$")
        self.assertIn("(BLUE a BLUE %r" % seen["BLUE"]["position"][0], lisp)
        self.assertIn("(RED - ", lisp)

    def test_what_morse_has_no_class_for(self):
        self.publish("add(Attitude(), 'attitude')\nadd(Barometer(), 'barometer')\nadd(Thermometer(), 'heat')\n"
                     "add(Magnetometer(), 'compass')\nadd(RadarAltimeter(), 'radar')")
        message, record = Topic(self, "/robot/attitude", "sensor_msgs/Imu").at(self.records("robot.attitude"))
        self.assertClose(self.vector(message.angular_velocity), record["angular_velocity"])
        message, record = Topic(self, "/robot/barometer", "sensor_msgs/FluidPressure").at(self.records("robot.barometer"))
        self.assertAlmostEqual(message.fluid_pressure, record["pressure"], 6)
        message, record = Topic(self, "/robot/heat", "sensor_msgs/Temperature").at(self.records("robot.heat"))
        self.assertAlmostEqual(message.temperature, record["temperature"], 6)
        message, record = Topic(self, "/robot/compass", "sensor_msgs/MagneticField").at(self.records("robot.compass"))
        self.assertClose([value * 1e9 for value in self.vector(message.magnetic_field)], [record[key] for key in "xyz"], 3)
        message, record = Topic(self, "/robot/radar", "sensor_msgs/Range").at(self.records("robot.radar"))
        self.assertAlmostEqual(message.range, record["z"], 4)


#: Prints the records of actuators, each that differs from the one before.
WATCH = """
import json, sys
import orrery
last = {}
with orrery.load("out") as sim:
    def show(name, record):
        text = json.dumps([name, {key: list(value) if hasattr(value, "__len__") and not isinstance(value, str) else value
                                  for key, value in dict(record).items()}])
        if last.get(name) != text:
            print(text, flush=True)
        last[name] = text
    for name in sys.argv[1:]:
        sim[name].subscribe(lambda record, name=name: show(name, record))
    sim.run()
"""


class Watched:
    """A simulation in a program of Python, whose records and log are read as they come."""

    def __init__(self, case, names):
        case.write("watch.py", WATCH)
        self.process = subprocess.Popen([PROGRAM, "python", "watch.py", *names], cwd=case.directory,
                                        env=case.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        case.addCleanup(self.end)
        self.lines = queue.Queue()
        self.seen = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def end(self):
        self.process.kill()
        self.process.communicate()

    def await_line(self, fits):
        end = time.monotonic() + LIMIT
        while True:
            try:
                line = self.lines.get(timeout=max(0, end - time.monotonic()))
            except queue.Empty:
                line = None
            if line is None:
                raise AssertionError("not seen; there was\n" + "".join(self.seen))
            self.seen.append(line)
            if fits(line):
                return

    def await_log(self, words):
        self.await_line(lambda line: words in line)

    def await_record(self, name, wanted):
        def fits(line):
            if not line.startswith('["%s", ' % name):
                return False
            record = json.loads(line)[1]
            return all(near(record[key], value) for key, value in wanted.items())
        self.await_line(fits)


class Readers(RosCase):
    def order(self, topic, kind, *values, **fields):
        publisher = rospy.Publisher(topic, message_class(kind), queue_size=1, latch=True)
        self.addCleanup(publisher.unregister)
        publisher.publish(*values, **fields)
        return publisher

    def test_each_class(self):
        """Each with its message, the fields that come of it, and the actuator that they are for."""
        euler = {"roll": 0, "pitch": 0, "yaw": math.pi / 2}
        half = math.sqrt(0.5)
        rows = [
            ("Destination", "geometry_msgs/Point", {"x": 1, "y": 2, "z": 3}, {"x": 1, "y": 2, "z": 3}),
            ("ForceTorque", "geometry_msgs/Wrench", {"force": {"x": 1, "y": 2, "z": 3}, "torque": {"x": 4, "y": 5, "z": 6}},
             {"force": [1, 2, 3], "torque": [4, 5, 6]}),
            ("ExternalForce", "geometry_msgs/Wrench", {"force": {"x": 1}}, {"force": [1, 0, 0], "torque": [0, 0, 0]}),
            ("Light", "std_msgs/Bool", {"data": False}, {"emit": False}),
            ("MotionVW", "geometry_msgs/Twist", {"linear": {"x": 0.5}, "angular": {"z": 0.25}}, {"v": 0.5, "w": 0.25}),
            ("MotionXYW", "geometry_msgs/Twist", {"linear": {"x": 0.5, "y": 0.1}, "angular": {"z": 0.25}},
             {"x": 0.5, "y": 0.1, "w": 0.25}),
            ("Orientation", "geometry_msgs/Quaternion", {"z": half, "w": half}, euler),
            ("PTU", "geometry_msgs/Vector3", {"x": 9, "y": 0.5, "z": 0.25}, {"pan": 0.5, "tilt": 0.25}),
            ("QuadrotorDynamicControl", "std_msgs/Float32MultiArray", {"data": [1, 2, 3, 4]}, {"engines": [1, 2, 3, 4]}),
            ("Teleport", "geometry_msgs/Pose", {"position": {"x": 1, "y": 2, "z": 3}, "orientation": {"z": half, "w": half}},
             dict(euler, x=1, y=2, z=3)),
            ("RotorcraftWaypoint", "geometry_msgs/Pose", {"position": {"x": 1, "y": 2, "z": 3},
                                                          "orientation": {"z": half, "w": half}},
             {"x": 1, "y": 2, "z": 3, "yaw": math.pi / 2}),
            ("RotorcraftAttitude", "std_msgs/Float32MultiArray", {"data": [0.1, 0.2, 0.3, 0.4]},
             {"roll": 0.1, "pitch": 0.2, "yaw": 0.3, "thrust": 0.4}),
            ("RotorcraftVelocity", "geometry_msgs/Twist", {"linear": {"x": 1, "y": 2, "z": 3}, "angular": {"z": 0.5}},
             {"vx": 1, "vy": 2, "vz": 3, "vyaw": 0.5}),
            ("Waypoint", "geometry_msgs/PoseStamped", {"pose": {"position": {"x": 1, "y": 2, "z": 3}}}, {"x": 1, "y": 2, "z": 3}),
            ("MotionXYW:waypoint2D.Pose2DReader", "geometry_msgs/Pose2D", {"x": 1, "y": 2, "theta": 3}, None),
            ("Teleport:read_pose.PoseStampedReader", "geometry_msgs/PoseStamped",
             {"pose": {"position": {"x": 4, "y": 5, "z": 6}, "orientation": {"z": half, "w": half}}},
             dict(euler, x=4, y=5, z=6)),
            ("Destination:waypoint2D.Pose2DReader", "geometry_msgs/Pose2D", {"x": 1, "y": 2, "theta": 3},
             {"x": 1, "y": 2, "z": 3}),
            ("RotorcraftAttitude:read_asctec_ctrl_input.CtrlInputReader", "asctec_msgs/CtrlInput",
             {"roll": 2047, "pitch": -2047, "yaw": 1005, "thrust": 4095},
             {"roll": math.radians(30), "pitch": -math.radians(30), "yaw": 1000 / 2047 * math.radians(90), "thrust": 1}),
        ]
        rows = [row for row in rows if row[3] is not None]
        lines = ["from morse.builder import *"]
        for i, (name, _, _, _) in enumerate(rows):
            kind, _, method = name.partition(":")
            lines.append("r%d = Quadrotor('r%d'); a%d = %s('a'); r%d.append(a%d); a%d.add_stream('ros'%s)"
                         % (i, i, i, kind, i, i, i, ", '%s%s'" % (ROS, method) if method else ""))
        lines.append("env = Environment('empty')")
        self.write("scene.py", "\n".join(lines) + "\n")
        self.check(self.orrery("build", "scene.py", "-o", "out"), 0)
        child = Watched(self, ["r%d.a" % i for i in range(len(rows))])
        for i, (name, kind, fields, wanted) in enumerate(rows):
            with self.subTest(name):
                message = message_class(kind)()
                genpy.message.fill_message_args(message, [fields])
                self.order("/r%d/a" % i, kind, message)
                child.await_record("r%d.a" % i, wanted)

    def test_what_is_wrong(self):
        """The record stays as it was, the log says why, and the next message is taken."""
        self.write("scene.py", "from morse.builder import *\nrobot = Quadrotor('robot')\nmotion = MotionVW('motion')\n"
                   "robot.append(motion); motion.add_stream('ros', topic='/cmd_vel')\n"
                   "thrust = RotorcraftAttitude('thrust'); robot.append(thrust); thrust.add_stream('ros')\n"
                   "env = Environment('empty')\n")
        self.check(self.orrery("build", "scene.py", "-o", "out"), 0)
        child = Watched(self, ["robot.motion", "robot.thrust"])
        twist = message_class("geometry_msgs/Twist")()
        twist.linear.x = float("nan")
        publisher = self.order("/cmd_vel", "geometry_msgs/Twist", twist)
        child.await_log("v is not finite")
        twist.linear.x = 0.5
        publisher.publish(twist)
        child.await_record("robot.motion", {"v": 0.5, "w": 0})
        few = self.order("/robot/thrust", "std_msgs/Float32MultiArray", data=[1, 2])
        child.await_log("element 2 is missing: there are 2")
        few.publish(data=[0, 0, 0, 1])
        child.await_record("robot.thrust", {"thrust": 1})

    def test_twists_drive(self):
        self.run_scene("robot = ATRV('robot')\nmotion = MotionVW('motion'); robot.append(motion)\n"
                       "motion.add_stream('ros', topic='/cmd_vel')\npose = Pose('pose'); robot.append(pose)\n"
                       "pose.add_stream('ros')")
        twist = message_class("geometry_msgs/Twist")()
        twist.linear.x, twist.angular.z = 1.0, 0.2
        topic = Topic(self, "/robot/pose", "geometry_msgs/PoseStamped")
        self.order("/cmd_vel", "geometry_msgs/Twist", twist)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            pose = topic.next().pose
            if pose.position.x > 0.5 and pose.position.y > 0.02:
                return
        self.fail("the robot has not driven: %r" % (pose,))


class Navigation(RosCase):
    """A peer that knows nothing but LaserScan, Odometry and TF drives a robot through a door."""

    def test_through_a_door(self):
        self.run_scene(doors.SCENE % {"stream": "ros"})
        scans, odometry = Topic(self, "/scan", "sensor_msgs/LaserScan"), Topic(self, "/odom", "nav_msgs/Odometry")
        transforms = Topic(self, "/tf", "tf2_msgs/TFMessage")
        truth = Topic(self, "/truth", "geometry_msgs/PoseStamped")
        drive = rospy.Publisher("/cmd_vel", message_class("geometry_msgs/Twist"), queue_size=1)
        self.addCleanup(drive.unregister)
        twist = message_class("geometry_msgs/Twist")()
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            place = latest(odometry).pose.pose
            twist.linear.x, twist.angular.z = doors.steer(latest(scans), place.position, place.orientation)
            drive.publish(twist)
            here = latest(transforms).transforms[0]
            self.assertEqual((here.header.frame_id, here.child_frame_id), ("odom", "base"))
            if here.transform.translation.x > 6:
                break
        self.assertGreater(here.transform.translation.x, 6)
        positions = []
        while not truth.messages.empty():
            positions.append(truth.next().pose.position)
        self.assertTrue(doors.went_through(positions), positions)


class Others(RosCase):
    """Nodes of roscpp and of Foxglove's package for JavaScript, which has a ROS 1 of its own."""

    SCENE = ("robot = FakeRobot('robot'); robot.translate(0, 0, 0.5)\n"
             "wall = Cube('wall'); wall.translate(5, 0, 0.5); wall.scale = (0.2, 3, 1)\n"
             "wall.set_physics_type('STATIC')\n"
             "odometry = Odometry('odometry'); robot.append(odometry); odometry.add_stream('ros', topic='/odom')\n"
             "scan = Sick('scan'); robot.append(scan); scan.add_stream('ros', topic='/scan', frame_id='laser')\n"
             "motion = MotionVW('motion'); robot.append(motion); motion.add_stream('ros', topic='/cmd_vel')\n"
             "motion.add_service('ros')")

    def start_program(self, *arguments):
        program = Program(arguments, dict(os.environ, NODE_PATH=NODE_PATH))
        self.addCleanup(program.kill)
        return program

    def tell(self, peer, line):
        self.assertEqual(peer.ask(line), line.split()[0] + " ok")

    def test_roscpp(self):
        """It sees a robot and a wall, drives, calls a service, and its own service is called."""
        need(self, None if os.path.exists(ROSCPP) else "built without roscpp; Debian has it and its messages as %s" % NEEDED)
        self.run_scene(self.SCENE)
        peer = self.start_program(ROSCPP)
        self.tell(peer, "scan /scan")
        frame, ranges, least, greatest = peer.await_line("seen /scan").split()[2:]
        self.assertEqual((frame, int(ranges), float(greatest)), ("laser", 181, 30))
        self.assertAlmostEqual(float(least), 4.8, 3)
        self.tell(peer, "odometry /odom")
        frame, child, x, y, speed = peer.await_line("at /odom").split()[2:]
        self.assertEqual((frame, child, float(x), float(speed)), ("/odom", "/base_footprint", 0, 0))
        self.tell(peer, "twist /cmd_vel 1 0")
        while float(x) < 0.3:
            x, y, speed = peer.await_new("at /odom").split()[4:]
        self.assertAlmostEqual(float(speed), 1, 5)
        self.tell(peer, "trigger /robot/motion/stop")
        self.assertTrue(peer.await_line("answer /robot/motion/stop").startswith("answer /robot/motion/stop 1"))
        while float(speed) != 0:
            speed = peer.await_new("at /odom").split()[-1]
        self.tell(peer, "serve /lamp")
        trial = self.start_program(TRIAL)
        for value, words in ("01", b"on"), ("00", b"off"):
            trial.ask("call /lamp 09fb03525b03e7ea1fd3992bafd87e16 %s 30000" % value)
            self.assertEqual(trial.await_line("response "), "response 01" + (struct.pack("<I", len(words)) + words).hex())

    def test_javascript(self):
        need(self, lacks_modules("@foxglove/ros1", "@foxglove/xmlrpc"))
        self.run_scene(self.SCENE)
        done = subprocess.run(["node", os.path.join(HERE, "ros1_peer.js")], env=dict(os.environ, NODE_PATH=NODE_PATH),
                              capture_output=True, text=True, timeout=LIMIT)
        self.assertEqual(done.returncode, 0, done.stderr)
        seen = json.loads(done.stdout)
        self.assertGreater(seen["moved"], 0.3)
        self.assertEqual(seen["frames"], ["/odom", "/base_footprint", "laser"])
        self.assertEqual(len(seen["ranges"]), 181)
        self.assertAlmostEqual(min(seen["ranges"]), 4.8, 3)
        self.assertEqual(seen["types"], [["/odom", "nav_msgs/Odometry"], ["/scan", "sensor_msgs/LaserScan"]])


def latest(topic):
    """The newest message; waits for one."""
    message = topic.next()
    while not topic.messages.empty():
        message = topic.next()
    return message


def near(found, value):
    if isinstance(value, list):
        return len(found) == len(value) and all(near(a, b) for a, b in zip(found, value))
    return abs(found - value) < 1e-5


if __name__ == "__main__":
    tap.main()
