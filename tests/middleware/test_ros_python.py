# SPDX-License-Identifier: BSD-3-Clause
"""Streams of ROS 1 by classes in Python, as MORSE's users wrote them, with rospy as their peer."""

import math
import os
import queue
import sys
import threading
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.path.insert(0, os.path.join(HERE, "../cli"))

import test_ros_streams as streams  # noqa: E402

import tap  # noqa: E402

LAB = """
from geometry_msgs.msg import PointStamped, Transform, Twist
from mathutils import Quaternion, Vector
from std_msgs.msg import Float32, String
from morse.middleware.ros import AbstractROS, ROSPublisher, ROSPublisherTF, ROSSubscriber

class Height(ROSPublisher):
    ros_class = Float32
    def default(self, ci='unused'):
        self.publish(Float32(self.data['z']))

class Named(ROSPublisher):
    ros_class = 'geometry_msgs/PointStamped'
    default_frame_id = '/sea'
    def initialize(self):
        ROSPublisher.initialize(self)
        self.factor = self.kwargs.get('factor', 1.0)
    def default(self, ci='unused'):
        message = PointStamped(header=self.get_ros_header())
        message.point.x = self.factor * self.data['x']
        self.publish(message)

class OnlyTF(ROSPublisherTF):
    def default(self, ci='unused'):
        self.sendTransform((self.data['x'], self.data['y'], self.data['z']), (0, 0, 0, 1),
                           self.get_time(), 'body', 'sea')

class Placed(ROSPublisherTF):
    ros_class = PointStamped
    def default(self, ci='unused'):
        self.publish_with_robot_transform(PointStamped(header=self.get_ros_header()))
        self.send_transform_robot(child='twin', parent='hull')

class Turned(ROSPublisherTF):
    def default(self, ci='unused'):
        message = Transform()
        message.translation.y, message.rotation.z, message.rotation.w = 2.0, 0.6, 0.8
        self.sendTransform(message.translation, message.rotation, self.get_time(), 'message', 'sea')
        self.sendTransform(Vector((0, 2, 0)), Quaternion((0.8, 0, 0, 0.6)), self.get_time(), 'vector', 'sea')

class Later(ROSPublisher):
    ros_class = Float32
    def default(self, ci='unused'):
        self.publish(self.data['z'] * self.kwargs.get('factor', 1.0))

class Drive(ROSSubscriber):
    ros_class = Twist
    def update(self, message):
        self.data['v'] = message.linear.x
        self.data['w'] = 1 / message.angular.z

class WrongType(ROSPublisher):
    ros_class = Float32
    def default(self, ci='unused'):
        self.publish(String('deep'))

class Raises(ROSPublisher):
    ros_class = Float32
    def default(self, ci='unused'):
        self.publish(Float32(1 / 0))

class Unserialisable(ROSPublisher):
    ros_class = Float32
    def default(self, ci='unused'):
        self.publish(Float32('deep'))

class NoClass(ROSPublisher):
    ros_class = int
    def default(self, ci='unused'):
        pass

class Unknown(ROSPublisher):
    ros_class = 'lab_msgs/Depth'
    def default(self, ci='unused'):
        pass
"""


def setUpModule():
    streams.setUpModule()


def tearDownModule():
    streams.tearDownModule()


class UsersClasses(streams.RosCase):
    def scene(self, code, part="Pose"):
        os.makedirs(self.path("plugins/lab"), exist_ok=True)
        self.write("plugins/lab/ros.py", LAB)
        self.write("scene.py", "from morse.builder import *\nrobot = FakeRobot('robot'); robot.translate(1, 2, 3)\n"
                   "part = %s('part'); part.translate(0.1, 0.2, 0.3); robot.append(part); part.add_stream('socket')\n%s\n"
                   "env = Environment('empty')\n" % (part, code))

    def run_lab(self, code, part="Pose"):
        """What the run says goes to `self.said`."""
        self.scene(code, part)
        process = self.start("run", "scene.py", "--plugin-dir", self.path("plugins"))
        self.port = self.services_port(process)
        self.said = queue.Queue()
        threading.Thread(target=lambda: [self.said.put(line) for line in process.stderr], daemon=True).start()

    def until(self, word):
        lines = []
        while not lines or word not in lines[-1]:
            lines.append(str(self.said.get(timeout=streams.LIMIT)))
        return lines[-1]

    def test_a_class_of_genpy(self):
        self.run_lab("part.add_stream('ros', 'lab.ros.Height')")
        self.assertAlmostEqual(streams.Topic(self, "/robot/part", "std_msgs/Float32").next().data, 3.3, 5)

    def test_a_name_with_options_and_header(self):
        self.run_lab("part.add_stream('ros', 'lab.ros.Named', factor=10.0, topic='/lab')")
        topic, records = streams.Topic(self, "/lab", "geometry_msgs/PointStamped"), self.records("robot.part")
        message, record = topic.at(records)
        self.assertAlmostEqual(message.point.x, 10 * record["x"], 9)
        self.assertEqual(message.header.frame_id, "/sea")
        self.assertEqual(topic.next().header.seq, message.header.seq + 1)

    def test_nothing_but_a_transform(self):
        self.run_lab("part.add_stream('ros', 'lab.ros.OnlyTF')")
        moved = streams.Topic(self, "/tf", "tf2_msgs/TFMessage").next().transforms[0]
        self.assertEqual((moved.header.frame_id, moved.child_frame_id), ("sea", "body"))
        self.assertClose(self.vector(moved.transform.translation), [1.1, 2.2, 3.3])

    def test_the_place_on_the_robot(self):
        self.run_lab("part.rotate(0, 0, 1)\npart.add_stream('ros', 'lab.ros.Placed', frame_id='eye')")
        topic = streams.Topic(self, "/tf", "tf2_msgs/TFMessage")
        found = {}
        while len(found) < 2:
            moved = topic.next().transforms[0]
            found[moved.child_frame_id] = moved
        self.assertEqual({child: moved.header.frame_id for child, moved in found.items()},
                         {"eye": "base_link", "twin": "hull"})
        for moved in found.values():
            self.assertClose(self.vector(moved.transform.translation), [0.1, 0.2, 0.3])
            self.assertClose([moved.transform.rotation.w, moved.transform.rotation.z], [math.cos(0.5), math.sin(0.5)])

    def test_rotations_with_names(self):
        """The order of mathutils is not that of messages."""
        self.run_lab("part.add_stream('ros', 'lab.ros.Turned')")
        topic = streams.Topic(self, "/tf", "tf2_msgs/TFMessage")
        found = {}
        while len(found) < 2:
            moved = topic.next().transforms[0]
            found[moved.child_frame_id] = moved.transform
        for moved in found.values():
            self.assertClose(self.vector(moved.translation), [0, 2, 0])
            self.assertClose([moved.rotation.z, moved.rotation.w], [0.6, 0.8])

    def test_options_that_nobody_reads(self):
        """Named with the nearest; one that a class reads in each step, or as a base does, is none of them."""
        for name, option, words in (
                ("Named", "facter=2.0", "reads no option facter; did you mean factor"),
                ("Named", "frame_idd='sea'", "reads no option frame_idd; did you mean frame_id"),
                ("Later", "factr=2.0", "reads no option factr; did you mean factor")):
            with self.subTest(option):
                self.scene("part.add_stream('ros', 'lab.ros.%s', %s)" % (name, option))
                done = self.orrery("check", "scene.py", "--plugin-dir", self.path("plugins"))
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("robot.part: lab.ros.%s %s" % (name, words), done.stderr)
        self.scene("part.add_stream('ros', 'lab.ros.Later', factor=2.0, queue=3, rate=10)\n"
                   "part.add_stream('ros', 'lab.ros.Named', factor=2.0, frame_id='sea', topic='/named')")
        done = self.orrery("check", "scene.py", "--plugin-dir", self.path("plugins"), "--strict")
        self.assertEqual((done.returncode, done.stderr), (0, done.stderr))
        self.assertNotIn("reads no option", done.stderr)

    def test_a_number_makes_a_message(self):
        self.run_lab("part.add_stream('ros', 'lab.ros.Later', factor=2.0)")
        self.assertAlmostEqual(streams.Topic(self, "/robot/part", "std_msgs/Float32").next().data, 6.6, 5)

    def test_a_reader_and_a_message_that_it_refuses(self):
        self.run_lab("part.add_stream('ros', 'lab.ros.Drive')\npose = Pose('pose'); robot.append(pose); "
                     "pose.add_stream('ros', topic='/pose')", "MotionVW")
        publisher = streams.rospy.Publisher("/robot/part", streams.message_class("geometry_msgs/Twist"), queue_size=1,
                                            latch=True)
        self.addCleanup(publisher.unregister)
        twist = streams.message_class("geometry_msgs/Twist")()
        twist.linear.x = 1.0
        publisher.publish(twist)
        self.assertIn("ZeroDivisionError", self.until("ZeroDivisionError"))
        twist.angular.z = 1e6
        publisher.publish(twist)
        poses = streams.Topic(self, "/pose", "geometry_msgs/PoseStamped")
        while poses.next().pose.position.x < 1.2:
            pass

    def refuse_messages(self, name, *words):
        """The error names the component and the line, and the run goes on."""
        self.run_lab("part.add_stream('ros', 'lab.ros.%s')\npart.add_stream('ros', 'lab.ros.Height', topic='/good')" % name)
        streams.Topic(self, "/robot/part", "std_msgs/Float32")
        said = self.until(words[0])
        for word in (*words, "robot.part", "lab/ros.py"):
            self.assertIn(word, said)
        good = streams.Topic(self, "/good", "std_msgs/Float32")
        self.assertAlmostEqual(good.next().data, 3.3, 5)

    def test_a_message_of_a_wrong_type(self):
        self.refuse_messages("WrongType", "publish: a message of std_msgs/Float32, not std_msgs/String")

    def test_an_exception(self):
        self.refuse_messages("Raises", "ZeroDivisionError")

    def test_a_message_that_does_not_serialise(self):
        self.refuse_messages("Unserialisable", "SerializationError")

    def test_classes_that_are_none(self):
        for name, word in (("NoClass", "NoClass.ros_class: a class of messages of ROS or the name of one, not"),
                           ("Unknown", "Unknown.ros_class: Python has no lab_msgs/Depth")):
            with self.subTest(name):
                self.scene("part.add_stream('ros', 'lab.ros.%s')" % name)
                done = self.orrery("check", "scene.py", "--plugin-dir", self.path("plugins"))
                self.assertNotEqual(done.returncode, 0)
                self.assertIn(word, done.stderr)


if __name__ == "__main__":
    tap.main()
