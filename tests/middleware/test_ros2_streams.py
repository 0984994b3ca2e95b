# SPDX-License-Identifier: BSD-3-Clause
"""Streams of ROS 2: what programs that imitate its libraries receive and send, in a network namespace of their own."""

import json
import math
import os
import re
import signal
import struct
import subprocess
import sys
import unittest
import urllib.request
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)

from support import NODE_PATH, PROGRAM, ProgramCase, lacks_modules, need  # noqa: E402
from test_dds_node import DOMAINS, DdsCase, why_not  # noqa: E402
from test_ros_node import Program  # noqa: E402

import cdr  # noqa: E402
import tap  # noqa: E402

ROS = "morse.middleware.ros."
TWIST = "geometry_msgs::msg::dds_::Twist_"
POSE = "geometry_msgs::msg::dds_::PoseStamped_"
TF = "tf2_msgs::msg::dds_::TFMessage_"
CLOCK = "rosgraph_msgs::msg::dds_::Clock_"


class Cdr:
    """Takes fields out of a message, one after the other."""

    def __init__(self, line):
        self.data, self.at = bytes.fromhex(line.split()[4])[4:], 0

    def take(self, code):
        size = struct.calcsize(code)
        self.at += -self.at % size + size
        return struct.unpack_from("<" + code, self.data, self.at - size)[0]

    def text(self):
        length = self.take("I")
        self.at += length
        return self.data[self.at - length:self.at - 1].decode()

    def doubles(self, n):
        return [self.take("d") for _ in range(n)]

    def stamp(self):
        return self.take("i") * 10**9 + self.take("I")

    def transforms(self):
        found = []
        for _ in range(self.take("I")):
            stamp, frame, child = self.stamp(), self.text(), self.text()
            found.append((stamp, frame, child, self.doubles(7)))
        return found


class StreamCase(DdsCase, ProgramCase):
    def setUp(self):
        ProgramCase.setUp(self)
        need(self, why_not("dds-peer"))
        self.domain = str(next(DOMAINS))
        self.environment = {key: value for key, value in os.environ.items() if not key.startswith("ROS_")}
        self.environment["XDG_CACHE_HOME"] = self.path("cache")

    def run_scene(self, text, *options, **manager):
        """Runs a scene with these properties of the manager until the test ends."""
        self.write("scene.py", "from morse.builder import *\nrobot = FakeRobot('robot'); robot.translate(1, 2, 3)\n" +
                   text + "\nenv = Environment('empty')\nenv.configure_stream_manager('ros2', **%r)\n" % manager)
        running = Program([PROGRAM, "run", self.path("scene.py"), *options], dict(self.environment, ROS_DOMAIN_ID=self.domain))
        self.addCleanup(running.kill)
        running.await_line("ROS 2: nodes of domain")
        self.addCleanup(self.interrupt, running)
        return running

    def interrupt(self, running):
        running.process.terminate()
        running.process.stdin.close()
        self.assertIn(running.process.wait(timeout=60), (0, 128 + signal.SIGTERM))

    def listen(self, *topics, peer=None):
        """A peer with readers: TOPIC TYPE QUALITY."""
        peer = peer or self.peer()
        for topic in topics:
            self.tell(peer, "reader rt" + topic)
        return peer

    def provoke(self, running, peer, topic, write, *words):
        """Writes until the run says these words: our reader may know the writer later than the writer knows our reader. `peer`
        listens to `topic`, which gives the pace."""
        while not running.has_line(*words):
            peer.await_line("message rt" + topic)
            self.tell(peer, "write rt" + write)


class Out(StreamCase):
    def test_a_pose_with_the_time_of_the_clock(self):
        self.run_scene("pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')")
        peer = self.listen("/robot/pose %s b" % POSE, "/clock %s b" % CLOCK)
        peer.await_line("message rt/clock")
        message = Cdr(peer.await_line("message rt/robot/pose"))
        stamp = message.stamp()
        self.assertEqual(message.text(), "map")
        self.assertEqual(message.doubles(2), [1, 2])
        while Cdr(peer.await_line("message rt/clock")).stamp() < stamp:
            pass
        while Cdr(peer.await_line("message rt/robot/pose")).stamp() <= stamp:
            pass

    def test_transforms_of_a_tick_are_one_message(self):
        scene = ("pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2', '%spose.TFPublisher')\n"
                 "odometry = Odometry('odometry'); robot.append(odometry); odometry.add_stream('ros2')\n" % ROS)
        for tf, together in ("tick", True), ("each", False):
            with self.subTest(tf):
                self.run_scene(scene, tf=tf)
                peer = self.listen("/tf %s r" % TF)
                lines = [Cdr(peer.await_line("message rt/tf ")).transforms() for _ in range(4)]
                children = [[child for _, _, child, _ in line] for line in lines]
                stamps = [len({stamp for stamp, _, _, _ in line}) for line in lines]
                both = sorted(children[-1]) == ["base_footprint", "base_link"]
                self.assertEqual(both, together, children)
                self.assertEqual(set(stamps), {1})
                self.doCleanups()
                self.setUp()

    def test_static_transforms_are_kept_and_merged(self):
        self.run_scene("for name in 'mast', 'lamp':\n"
                       "    part = Attitude(name); part.translate(0, 0, len(name)); robot.append(part)\n"
                       "    part.add_stream('ros2', '%sstatic_tf.StaticTF2Publisher')\n" % ROS)
        early = self.listen("/tf_static %s rl" % TF)
        while len(Cdr(early.await_line("message rt/tf_static")).transforms()) < 2:
            pass
        late = self.listen("/tf_static %s rl" % TF)
        kept = Cdr(late.await_line("message rt/tf_static")).transforms()
        self.assertEqual(sorted((frame, child) for _, frame, child, _ in kept),
                         [("base_link", "robot/lamp"), ("base_link", "robot/mast")])

    def test_a_record_without_a_message_of_its_own(self):
        self.run_scene("part = RadarAltimeter('part'); robot.append(part)\n"
                       "part.add_stream('ros2', 'orrery.middleware.record.RecordPublisher')")
        peer = self.listen("/robot/part orrery_interfaces::msg::dds_::Record_ r")
        message = Cdr(peer.await_line("message rt/robot/part"))
        message.stamp()
        message.text()
        self.assertIn('"z"', message.text())

    def test_a_stream_may_publish_the_clock(self):
        self.listen("/clock %s r" % CLOCK)
        peer = self.peer()
        self.run_scene("clock = Clock('clock'); robot.append(clock); clock.add_stream('ros2', topic='/clock')\n"
                       "pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')")
        peer.await_line("found rt/robot/pose")
        peer.await_line("found rt/clock")
        self.listen("/clock %s r" % CLOCK, peer=peer)
        peer.await_line("writers rt/clock 1")
        for _ in range(5):
            peer.await_line("message rt/clock")
        self.assertNotIn("writers rt/clock 2", peer.seen)

    def make_warn(self, running):
        """Sends what the reader of the motion refuses."""
        peer = self.listen("/clock %s b" % CLOCK)
        self.tell(peer, "writer rt/robot/motion orrery_interfaces::msg::dds_::Record_ r")
        peer.await_line("readers rt/robot/motion 1")
        self.provoke(running, peer, "/clock", "/robot/motion 0001000007", "orrery_interfaces/msg/Record")

    def test_the_log(self):
        """What parts log is on /rosout, also for who comes later, of the node of their robot."""
        running = self.run_scene("motion = MotionVW('motion'); robot.append(motion)\n"
                                 "motion.add_stream('ros2', 'orrery.middleware.record.RecordReader')")
        self.make_warn(running)
        late = self.listen("/rosout rcl_interfaces::msg::dds_::Log_ rl")
        found = {}
        while len(found) < 2:
            line = cdr.decode("rcl_interfaces/msg/Log", bytes.fromhex(late.await_line("message rt/rosout").split()[4]))
            for words in "ROS 2: nodes of domain", "orrery_interfaces/msg/Record":
                if words in line["msg"]:
                    found[words] = line
        start, refused = found["ROS 2: nodes of domain"], found["orrery_interfaces/msg/Record"]
        self.assertEqual((start["level"], refused["level"], refused["name"]), (20, 30, "robot.motion"))
        self.assertGreater(refused["stamp"].sec, 0)

    def test_the_log_has_no_token(self):
        """What opens the commands of a run is for its user alone, and this topic is for all."""
        running = self.run_scene("motion = MotionVW('motion'); robot.append(motion)\n"
                                 "motion.add_stream('ros2', 'orrery.middleware.record.RecordReader')",
                                 "--control", "--view-port", "0")
        token = re.search("#token=([0-9a-f]{32})", running.await_line("viewer now at ")).group(1)
        self.make_warn(running)
        # What comes late gets them in their order: the line of the viewer would be between these.
        late = self.listen("/rosout rcl_interfaces::msg::dds_::Log_ rl")
        lines = []
        for words in "ROS 2: nodes of domain", "orrery_interfaces/msg/Record":
            while not any(words in line for line in lines):
                message = bytes.fromhex(late.await_line("message rt/rosout").split()[4])
                lines.append(cdr.decode("rcl_interfaces/msg/Log", message)["msg"])
        self.assertNotIn(token, "".join(lines))

    def test_options(self):
        self.run_scene("pose = Pose('pose'); robot.append(pose)\n"
                       "pose.add_stream('ros2', topic='/bold', reliability='best_effort', depth=3, queue=2)\n"
                       "pose.add_stream('ros2', topic='/kept', durability='transient_local')")
        peer = self.listen("/bold %s b" % POSE, "/kept %s rl" % POSE)
        peer.await_line("message rt/bold")
        peer.await_line("message rt/kept")

    def test_a_quality_that_does_not_fit_is_told(self):
        running = self.run_scene("pose = Pose('pose'); robot.append(pose)\n"
                                 "pose.add_stream('ros2', topic='/bold', reliability='best_effort')")
        self.listen("/bold %s r" % POSE)
        self.assertIn("reliability", running.await_line("a subscriber of /bold is not connected"))

    #: A robot of a file, with joints of all kinds.
    URDF = """<robot name="crane">
  <link name="tower"><inertial><mass value="50"/><inertia ixx="1" iyy="2" izz="3" ixy="0.1" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size="1 2 3"/></geometry></collision></link>
  <link name="boom"><visual><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/><geometry><cylinder radius="0.1" length="4"/></geometry></visual></link>
  <link name="trolley"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><sphere radius="0.5"/></geometry></collision></link>
  <joint name="slew" type="revolute"><parent link="tower"/><child link="boom"/><origin xyz="0 0 3" rpy="0 0.5 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="30" velocity="4"/></joint>
  <joint name="ride" type="prismatic"><parent link="boom"/><child link="trolley"/><origin xyz="1 0 0"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="5" effort="10" velocity="1"/></joint>
</robot>"""

    def assertNear(self, text, *wanted):
        found = [float(one) for one in text.split()]
        self.assertEqual(len(found), len(wanted))
        for a, b in zip(found, wanted):
            self.assertAlmostEqual(a, b, 6)

    def describe(self, *scene, **manager):
        self.run_scene(*scene, **manager)
        peer = self.listen("/crane/robot_description std_msgs::msg::dds_::String_ rl")
        message = Cdr(peer.await_line("message rt/crane/robot_description"))
        return xml.etree.ElementTree.fromstring(message.text())

    def test_the_description_of_a_robot(self):
        """What was read from a URDF is told as one, and reads again as the same."""
        self.write("crane.urdf", self.URDF)
        scene = ("crane = Robot(%r, 'crane'); pose = Pose('eye'); pose.translate(0.1, 0.2, 0.3); crane.append(pose)\n"
                 "pose.add_stream('ros2')" % self.path("crane.urdf"))
        told = self.describe(scene)
        self.assertEqual(told.get("name"), "crane")
        links, joints = ({one.get("name"): one for one in told.iter(kind)} for kind in ("link", "joint"))
        self.assertIn("base_link", links)
        self.assertIn("crane/eye", links)
        slew, ride = joints["slew"], joints["ride"]
        self.assertEqual((slew.get("type"), ride.get("type"), joints["crane/eye"].get("type")), ("revolute", "prismatic", "fixed"))
        self.assertEqual(slew.find("limit").attrib, {"lower": "-1", "upper": "2", "effort": "30", "velocity": "4"})
        self.assertEqual(slew.find("axis").get("xyz"), "0 0 1")
        self.assertNear(joints["crane/eye"].find("origin").get("xyz"), 0.1, 0.2, 0.3)
        boom = links[slew.find("child").get("link")]
        self.assertEqual(boom.find("visual/geometry/cylinder").attrib, {"radius": "0.1", "length": "4"})
        self.assertNear(boom.find("visual/origin").get("rpy"), 0.1, 0.2, 0.3)
        self.assertEqual(links[ride.find("child").get("link")].find("inertial/mass").get("value"), "2")
        self.assertEqual(len(joints), len(links) - 1)
        self.write("crane.urdf", xml.etree.ElementTree.tostring(told, encoding="unicode"))
        done = subprocess.run([PROGRAM, "check", self.path("scene.py")], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    TETRAHEDRON = "o t\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    BUOY = """<robot name="crane"><link name="hull"><visual><origin xyz="0 0 2"/>
      <geometry><mesh filename="buoy.obj" scale="2 2 2"/></geometry>
      <material name="red"><color rgba="1 0 0 1"/></material></visual></link></robot>"""

    def describe_buoy(self, **manager):
        self.write("buoy.obj", self.TETRAHEDRON)
        self.write("crane.urdf", self.BUOY)
        return self.describe("crane = Robot(%r, 'crane'); pose = Pose('eye'); crane.append(pose); pose.add_stream('ros2')"
                             % self.path("crane.urdf"), **manager)

    def test_meshes_are_files(self):
        """What the description names can be read, and holds the triangles; the same mesh is one file."""
        visual = next(self.describe_buoy().iter("visual"))
        self.assertNear(visual.find("origin").get("xyz"), 0, 0, 2)
        self.assertEqual(visual.find("material/color").get("rgba"), "1 0 0 1")
        uri = visual.find("geometry/mesh").get("filename")
        self.assertTrue(uri.startswith("file://" + self.path("cache") + "/orrery/meshes/"), uri)
        with urllib.request.urlopen(uri) as file:
            data = file.read()
        self.assertEqual(struct.unpack_from("<I", data, 80), (4,))
        self.assertEqual(len(data), 84 + 4 * 50)
        faces = [struct.unpack_from("<12f", data, 84 + 50 * i) for i in range(4)]
        corners = {face[3 * k:3 * k + 3] for face in faces for k in (1, 2, 3)}
        self.assertEqual(corners, {(0, 0, 0), (2, 0, 0), (0, 2, 0), (0, 0, 2)})
        normals = sorted(tuple(round(x, 4) for x in face[:3]) for face in faces)
        self.assertEqual(normals, [(-1, 0, 0), (0, -1, 0), (0, 0, -1), (0.5774, 0.5774, 0.5774)])

    def test_meshes_elsewhere_or_nowhere(self):
        uri = next(self.describe_buoy(meshes=self.path("my meshes")).iter("mesh")).get("filename")
        self.assertEqual(len(os.listdir(self.path("my meshes"))), 1)
        self.assertIn("my%20meshes/", uri)
        self.doCleanups()
        self.setUp()
        self.assertEqual(list(self.describe_buoy(meshes="none").iter("mesh")), [])

    def test_a_directory_that_cannot_be(self):
        self.write("full", "no directory")
        self.write("buoy.obj", self.TETRAHEDRON)
        self.write("crane.urdf", self.BUOY)
        self.write("scene.py", "from morse.builder import *\ncrane = Robot(%r, 'crane'); pose = Pose('eye'); crane.append(pose)\n"
                   "pose.add_stream('ros2')\nenv = Environment('empty')\nenv.configure_stream_manager('ros2', meshes=%r)\n"
                   % (self.path("crane.urdf"), self.path("full")))
        running = Program([PROGRAM, "run", self.path("scene.py")], dict(self.environment, ROS_DOMAIN_ID=self.domain))
        self.addCleanup(running.kill)
        self.assertIn(self.path("full"), running.await_line("robot_description of crane lacks meshes"))
        running.await_line("ROS 2: nodes of domain")
        self.interrupt(running)

    def test_no_description(self):
        self.run_scene("pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')", description=False)
        peer = self.listen("/robot/pose %s b" % POSE)
        peer.await_line("message rt/robot/pose")
        self.assertNotIn("found rt/robot/robot_description", "".join(peer.seen))

    def test_each_robot_has_a_node(self):
        need(self, why_not("cyclone-peer"))
        self.run_scene("other = FakeRobot('second'); pose = Pose('pose'); other.append(pose)\n"
                       "pose.add_stream('ros2')", namespace="lab")
        peer = self.cyclone()
        self.tell(peer, "graph")
        peer.await_line("graph 010f /lab second readers 0 writers 3")
        peer.await_line("graph 010f /lab orrery readers 0 writers 2")


class JavaScript(StreamCase):
    def test_a_node_of_foxglove(self):
        """Its RTPS is written in JavaScript; its only kind of reader is reliable and wants what was kept."""
        need(self, lacks_modules("@foxglove/ros2", "@foxglove/rosmsg-msgs-common"))
        self.run_scene("pose = Pose('pose'); robot.append(pose)\n"
                       "pose.add_stream('ros2', topic='/kept', durability='transient_local')\npose.add_stream('ros2', topic='/plain')")
        peer = self.run_program("node", os.path.join(HERE, "ros2_peer.js"), self.domain, "/kept", "geometry_msgs/msg/PoseStamped",
                                NODE_PATH=NODE_PATH)
        peer.await_line("ready")
        topics = json.loads(peer.await_line("topics ").split(" ", 1)[1])
        self.assertIn(["/kept", "geometry_msgs/msg/PoseStamped"], topics)
        self.assertIn(["/plain", "geometry_msgs/msg/PoseStamped"], topics)
        first, second = (json.loads(peer.await_line("message ").split(" ", 1)[1]) for _ in range(2))
        self.assertEqual(first["header"]["frame_id"], "map")
        self.assertEqual(first["pose"]["position"], {"x": 1, "y": 2, "z": 3})
        self.assertNotEqual(first["header"]["stamp"], second["header"]["stamp"])
        self.assertEqual(peer.end(), 0)


class In(StreamCase):
    DRIVEN = ("motion = MotionVW('motion'); robot.append(motion); motion.add_stream('ros2', topic='/cmd_vel')\n"
              "pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')")

    def drive(self, peer, running):
        """Sends commands until the robot is elsewhere."""
        text = (b"\0\1\0\0" + struct.pack("<6d", 2, 0, 0, 0, 0, 0)).hex()
        while True:
            self.tell(peer, "write rt/cmd_vel " + text)
            message = Cdr(peer.await_line("message rt/robot/pose"))
            message.stamp()
            message.text()
            if message.doubles(1)[0] > 1.01:
                return

    def test_commands_of_both_qualities(self):
        for quality in "rb":
            with self.subTest(quality):
                running, peer = self.run_scene(self.DRIVEN), self.listen("/robot/pose %s b" % POSE)
                self.tell(peer, "writer rt/cmd_vel %s %s" % (TWIST, quality))
                self.drive(peer, running)
                self.doCleanups()
                self.setUp()

    def test_what_cannot_be_read_is_told_and_ignored(self):
        running, peer = self.run_scene(self.DRIVEN), self.listen("/robot/pose %s b" % POSE)
        self.tell(peer, "writer rt/cmd_vel %s r" % TWIST)
        peer.await_line("readers rt/cmd_vel 1")
        self.provoke(running, peer, "/robot/pose", "/cmd_vel 00010000", "warning: robot.motion")
        for text in "0001000000000000", "ff" * 40:
            self.tell(peer, "write rt/cmd_vel " + text)
        self.drive(peer, running)

    def test_a_command_that_is_not_finite_is_told_and_ignored(self):
        running, peer = self.run_scene(self.DRIVEN), self.listen("/robot/pose %s b" % POSE)
        self.tell(peer, "writer rt/cmd_vel %s r" % TWIST)
        peer.await_line("readers rt/cmd_vel 1")
        self.provoke(running, peer, "/robot/pose", "/cmd_vel " + (b"\0\1\0\0" + struct.pack("<6d", math.nan, 0, 0, 0, 0, 0)).hex(),
                     "robot.motion", "not finite")
        self.drive(peer, running)

    def test_a_writer_of_another_type_is_not_connected(self):
        running, other, peer = self.run_scene(self.DRIVEN), self.peer(), self.listen("/robot/pose %s b" % POSE)
        self.tell(other, "writer rt/cmd_vel std_msgs::msg::dds_::String_ r")
        self.tell(peer, "writer rt/cmd_vel %s r" % TWIST)
        peer.await_line("readers rt/cmd_vel 1")
        self.drive(peer, running)
        self.tell(other, "write rt/cmd_vel 00010000020000004100")
        self.assertNotIn("readers rt/cmd_vel 1", other.seen)


class Wrong(StreamCase):
    def refuse(self, text, *words, **manager):
        self.write("scene.py", "from morse.builder import *\nrobot = FakeRobot('robot')\npose = Pose('pose')\n"
                               "robot.append(pose)\n" + text + "\nenv = Environment('empty')\n"
                               "env.configure_stream_manager('ros2', **%r)\n" % manager)
        done = subprocess.run([PROGRAM, "run", self.path("scene.py"), "--ticks", "1"], capture_output=True, text=True,
                              env=dict(self.environment, ROS_DOMAIN_ID=self.domain), timeout=60,
                              cwd=self.directory)
        self.assertNotEqual(done.returncode, 0, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_options(self):
        for options, words in (("depth=-1", ["'depth'", "0 to 1000"]), ("reliability='sure'", ["best_effort", "'sure'"]),
                               ("durability=3", ["'durability'", "volatile", "transient_local"]), ("quue=3", ["'quue'", "did you mean queue"])):
            self.refuse("pose.add_stream('ros2', %s)" % options, *words)

    def test_a_codec_of_sockets(self):
        self.refuse("pose.add_stream('ros2', 'orrery.middleware.socket_datastream.SocketPublisher')",
                    "has no messages of ROS")

    def test_properties(self):
        for name, value, words in (("discovery", "moon", "'moon'"), ("discovery", "subnet", "--allow-users=any"),
                                   ("tf", "never", "'never'"), ("peers", "192.0.2.1", "--allow-users=any")):
            self.refuse("pose.add_stream('ros2')", words, **{name: value})


if __name__ == "__main__":
    tap.main()
