# SPDX-License-Identifier: BSD-3-Clause
"""Mappings of users: classes in JSON, outside of the tree, and what is said of their mistakes."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import ProgramCase  # noqa: E402

import tap  # noqa: E402

PUBLISHER = "orrery.middleware.message.Publisher"
READER = "orrery.middleware.message.Reader"


def message(type_, fields, **more):
    return {"messages": [dict(more, type=type_, fields=fields)]}


#: What is wrong with the properties of a publisher on a Pose, and what is said.
WRONG = [
    ({}, "'messages' is a list of 1 to 16 dictionaries"),
    ({"messages": [7]}, "messages[0]: a message is a dictionary"),
    ({"messages": [{"type": "std_msgs/String"}]}, "messages[0]: a message needs a 'type', a text, and 'fields'"),
    (message("std_msgs/Strin", {}), "did you mean std_msgs/msg/String"),
    (message("std_msgs/Float64", {"dta": 1}), "did you mean data"),
    (message("std_msgs/Float64", {"data": 1}, latch=True), "a message has no key 'latch'; did you mean latched"),
    (message("std_msgs/Float64", {"data": "record.w"}), "the record has no field 'w'"),
    (message("std_msgs/Float64", {"data": "recrd.x"}), "there is record.FIELD"),
    (message("std_msgs/Float64", {"data": "record"}), "float64 cannot be a record"),
    (message("std_msgs/Float64", {"data": "record.x +"}), "'record.x +', at character 11: expected a number"),
    (message("std_msgs/Float64", {"data": "record.x record.y"}), "at character 10: expected an operator or the end"),
    (message("std_msgs/Float64", {"data": "(record.x"}), "at character 10: expected ')'"),
    (message("std_msgs/Float64", {"data": "'text"}), "a text without its second '"),
    (message("std_msgs/Float64", {"data": "sine (record.x)"}), "there is no function 'sine'"),
    (message("std_msgs/Float64", {"data": "radians (frame)"}), "the function radians does not take (a text)"),
    (message("std_msgs/Float64", {"data": "frame * 2"}), "'*' is for numbers, not for a text"),
    (message("std_msgs/Float64", {"data": "property.speed"}), "has no property 'speed' that is a number"),
    (message("std_msgs/Float64", {"data": "world.position.w"}), "a vector has no member 'w'"),
    (message("std_msgs/Float64", {"data": "record.x[0]"}), "a number has no elements"),
    (message("std_msgs/Float64", {"data": "zeros (5000)[0]"}), "zeros () makes 0 to 4096 numbers"),
    (message("std_msgs/Float64", {"data": "(" * 40 + "1" + ")" * 40}), "too many parentheses"),
    (message("std_msgs/Float64", {"data": "-" * 40 + "1"}), "too many signs"),
    (message("std_msgs/Float64", {"data": "1" + " + 1" * 400}), "an expression has at most 1024 bytes"),
    (message("std_msgs/Float64", {"data": ""}), "an expression is empty"),
    (message("std_msgs/Float64", {"data": "1"}, when="frame"), "'when' is a text, not a number"),
    (message("geometry_msgs/Point", {"x": [1]}), "x: float64 cannot be a list of 1 items"),
    (message("sensor_msgs/JointState", {"name": ["'a'", 7]}), "name: [1]: an element of string[] cannot be a number"),
    (message("tf2_msgs/TFMessage", {"transforms": 1}), "is a list, or a dictionary of 'each'"),
    (message("tf2_msgs/TFMessage", {"transforms": {"each": "record.x", "fields": {}}}), "'each' is a number"),
    (message("std_msgs/String", {"data": "item.text.name"}), "in 'each' there is item.text.KEY"),
    (message("std_msgs/String", {"data": "lisp (record)"}), "the function lisp does not take (a record)"),
    (message("tf2_msgs/TFMessage", {"transforms": [1]}), "is a dictionary of its fields"),
    (message("geometry_msgs/PoseWithCovariance", {"covariance": [0] * 35}), "cannot be a list of 35 items"),
]

#: The same of a reader on a MotionVW.
WRONG_READERS = [
    ({}, "a reader needs a 'type', and either 'fields', a dictionary, or a 'document'"),
    ({"type": "geometry_msgs/Twist", "fields": {"speed": "linear.x"}}, "the record has no field 'speed'"),
    ({"type": "geometry_msgs/Twist", "fields": {"v": "linear.q"}}, "linear.q"),
    ({"type": "geometry_msgs/Twist", "fields": {"v": "linear"}}, "v cannot be a vector"),
    ({"type": "geometry_msgs/Twist", "fields": {"v": 1}}, "v: expected an expression, a text"),
    ({"type": "geometry_msgs/Twist", "fields": {"speed": "linear.x"}, "optional": True}, "the record has none of the fields"),
    ({"type": "std_msgs/Float64", "document": "data"}, "'document' is a number, not a text"),
]


class Mappings(ProgramCase):
    def check_class(self, base, properties, part, *options):
        """Checks a scene whose part streams by a class of these properties."""
        os.makedirs(self.path("plugins/own"), exist_ok=True)
        self.write("plugins/own/mapped.json", json.dumps(
            {"classes": {"Mapped": {"base": base, "properties": properties}}}))
        self.write("scene.py", "from morse.builder import *\nrobot = ATRV('robot')\npart = %s('part'); robot.append(part)\n"
                   "part.add_stream('ros', 'own.mapped.Mapped'%s)\nenv = Environment('empty')\n" % (part, "".join(options)))
        return self.orrery("check", "--plugin-dir", "plugins", "scene.py")

    def test_publishers(self):
        for properties, words in WRONG:
            with self.subTest(words):
                self.check(self.check_class(PUBLISHER, properties, "Pose"), 65, words)

    def test_readers(self):
        for properties, words in WRONG_READERS:
            with self.subTest(words):
                self.check(self.check_class(READER, properties, "MotionVW"), 65, words)

    def test_what_is_right(self):
        """Each of these would be wrong with a little less."""
        for fields in ({"data": "-(record.x + 2) * 3 / 4 - 1"}, {"data": "max (1, min (2, abs (record.z)))"},
                       {"data": "record.nothing or record.x"}, {"data": "zeros (3)[2]"}, {"data": True},
                       {"data": "world.rotation.w"}, {"data": "euler (world.rotation).yaw"},
                       {"data": "seconds (timestamp)"}):
            with self.subTest(fields):
                self.check(self.check_class(PUBLISHER, message("std_msgs/Float64", fields), "Pose"), 0)

    def test_options(self):
        good = message("std_msgs/Float64", {"data": "record.x"})
        done = self.check_class(PUBLISHER, good, "Pose", ", topik='/x'")
        self.check(done, 65, "topik")
        done = self.check_class(PUBLISHER, good, "Pose", ", queue_length=-1")
        self.check(done, 65, "property 'queue_length': -1 is out of range: 0 to 1000000")
        self.check(self.check_class(PUBLISHER, good, "Pose", ", topic='/x', queue_length=3, frame_id='map'"), 0)

    def test_streams_of_other_kinds(self):
        """A codec of ROS on a socket, and a codec of sockets on ROS, are told what they are."""
        text = ("from morse.builder import *\nrobot = ATRV('robot')\npart = Pose('part'); robot.append(part)\n"
                "part.add_stream('%s', '%s')\nenv = Environment('empty')\n")
        self.write("scene.py", text % ("socket", "morse.middleware.ros.pose.PoseStampedPublisher"))
        self.check(self.orrery("check", "scene.py"), 65, "writes messages of ROS")
        self.write("scene.py", text % ("ros", "morse.middleware.socket_datastream.SocketPublisher"))
        self.check(self.orrery("check", "scene.py"), 65, "has no messages of ROS")


if __name__ == "__main__":
    tap.main()
