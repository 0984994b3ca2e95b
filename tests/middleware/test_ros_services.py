# SPDX-License-Identifier: BSD-3-Clause
"""Services and actions of ROS 1, as rosservice, rospy and actionlib of Debian call them."""

import json
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

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

import held  # noqa: E402
import ros_master  # noqa: E402
from clients import free_port  # noqa: E402
from support import PROGRAM, ProgramCase  # noqa: E402

import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402

try:
    import actionlib
    import actionlib_msgs.msg
    import genpy.dynamic
    import geometry_msgs.msg
    import move_base_msgs.msg
    import rosgraph
    import rospy
    import rosservice  # noqa: F401
    import std_srvs.srv
except ImportError as error:
    rospy, WHY = None, str(error)

LIMIT = 60  # seconds, for what should take one
MASTER = {}


def start_master():
    MASTER["master"] = ros_master.Master(MASTER["port"])
    return MASTER["master"].ask("getPid")


def kill_master():
    MASTER["master"].kill()


def setUpModule():
    if rospy is None or not shutil.which("rosmaster"):
        if os.environ.get("CI") == "true":
            raise AssertionError("rospy, actionlib or rosmaster is not installed")
        raise unittest.SkipTest("rospy, actionlib or rosmaster is not installed")
    MASTER["port"] = free_port()
    MASTER["home"] = tempfile.mkdtemp()
    for name in [name for name in os.environ if name.startswith("ROS_") and name != "ROS_PACKAGE_PATH"]:
        del os.environ[name]
    os.environ.update(ROS_MASTER_URI="http://127.0.0.1:%d" % MASTER["port"], ROS_IP="127.0.0.1",
                      ROS_HOME=MASTER["home"], ROS_LOG_DIR=MASTER["home"], PYTHONWARNINGS="ignore")
    start_master()
    rospy.init_node("peer", disable_signals=True)


def tearDownModule():
    if "master" in MASTER:
        rospy.signal_shutdown("the tests are over")
        kill_master()
        shutil.rmtree(MASTER["home"], ignore_errors=True)


REQUESTS = "morse.middleware.ros_request_manager.RosRequestManager"
#: A robot that drives to places, with a light.
ROBOT = """
robot = ATRV('robot')
waypoint = Waypoint('waypoint')
waypoint.add_service('ros')
waypoint.add_service('socket')
waypoint.add_overlay('ros', 'morse.middleware.ros.overlays.waypoints.WayPoint')
light = Light('light')
light.add_service('ros')
robot.append(waypoint)
robot.append(light)
"""


class ServiceCase(ProgramCase):
    def run_scene(self, text=ROBOT, *arguments):
        self.write("scene.py", "from morse.builder import *\n" + text + "\nenv = Environment('empty')\n")
        process = self.start("run", "scene.py", *arguments)
        self.port = self.services_port(process)
        self.errors = []
        threading.Thread(target=self.collect, args=(process,), daemon=True).start()
        return process

    def collect(self, process):
        for line in process.stderr:
            self.errors.append(line)

    def await_service(self, name):
        rospy.wait_for_service(name, LIMIT)

    def run_tool(self, *arguments):
        done = subprocess.run(arguments, capture_output=True, text=True, timeout=LIMIT)
        return done.stdout + done.stderr

    def general(self, name):
        """The service as a function of its arguments, which answers with success and result."""
        proxy = rospy.ServiceProxy(name, self.call_class())
        self.await_service(name)

        def call(*arguments):
            answer = proxy(json.dumps(arguments))
            return answer.success, json.loads(answer.result) if answer.success else answer.result
        return call

    def call_class(self):
        return self.service_class("orrery_interfaces/Call")

    def describe(self, name):
        done = subprocess.run([PROGRAM, "messages", "--ros1", name], check=True, capture_output=True, text=True)
        lines = done.stdout.splitlines(True)
        return lines[0].strip().split(", ")[1], "".join(line for line in lines if not line.startswith("#"))

    def service_class(self, name):
        """A class as rospy wants it, of a type that Debian has not."""
        md5, text = self.describe(name.replace("/", "/srv/"))
        request, response = text.split("---\n")
        made = [genpy.dynamic.generate_dynamic(name + part, body)[name + part]
                for part, body in (("Request", request), ("Response", response))]
        return type(name.partition("/")[2], (), {"_type": name, "_md5sum": md5, "_request_class": made[0],
                                                 "_response_class": made[1]})

    def message_class(self, name):
        md5, text = self.describe(name)
        made = genpy.dynamic.generate_dynamic(name, text)[name]
        self.assertEqual(made._md5sum, md5)
        return made

    def await_connection(self, subscriber):
        """rospy tells nobody when a subscriber is connected: what adds connections is watched."""
        connected = threading.Event()
        add = subscriber.impl.add_connection

        def note(connection):
            added = add(connection)
            connected.set()
            return added

        subscriber.impl.add_connection = note
        if not subscriber.get_num_connections():
            self.assertTrue(connected.wait(LIMIT), "nothing publishes %s" % subscriber.name)

    def send(self, action, goal, result):
        """Publishes a goal, by its id; the first result."""
        results = queue.Queue()
        ends = rospy.Subscriber(action + "/result", self.message_class(result), results.put)
        self.addCleanup(ends.unregister)
        topic = rospy.Publisher(action + "/goal", type(goal), queue_size=1, latch=True)
        self.addCleanup(topic.unregister)
        self.await_connection(ends)
        goal.goal_id.id = "mine"
        topic.publish(goal)
        return results.get(timeout=LIMIT)


class Services(ServiceCase):
    def test_services_of_standard_types(self):
        self.run_scene()
        self.await_service("/robot/waypoint/stop")
        answer = rospy.ServiceProxy("/robot/waypoint/get_status", std_srvs.srv.Trigger)()
        self.assertEqual((answer.success, answer.message), (True, "Arrived"))
        self.assertIn("success: True", self.run_tool("rosservice", "call", "/robot/waypoint/stop"))
        text = self.run_tool("rosservice", "info", "/robot/waypoint/stop")
        self.assertIn("Type: std_srvs/Trigger", text)
        self.assertIn("Node: /morse", text)

    def refused(self, streams, services):
        """A scene whose managers of streams and of services ask for different nodes; what it says."""
        self.write("scene.py", "from morse.builder import *\n" + ROBOT + "\nenv = Environment('empty')\n"
                   "env.configure_stream_manager('ros', **%r)\n"
                   "env.configure_stream_manager('%s', **%r)\n" % (streams, REQUESTS, services))
        process = self.start("run", "scene.py", "--for", "1")
        _, text = process.communicate(timeout=LIMIT)
        self.assertNotEqual(process.returncode, 0, text)
        return text

    def test_streams_and_services_ask_for_different_nodes(self):
        for option, one, other in (("node", "here", "there"), ("namespace", "/here", "there"), ("host", "127.0.0.1", "127.0.0.2"),
                                   ("master_uri", "http://127.0.0.1:1", "http://127.0.0.1:2")):
            text = self.refused({option: one}, {option: other})
            name = "name" if option == "node" else option
            self.assertIn("streams and services share one node: its %s is '%s' and '%s'" % (name, one, other), text)

    def test_services_alone_have_options(self):
        self.write("scene.py", "from morse.builder import *\n" + ROBOT + "\nenv = Environment('empty')\n"
                   "env.configure_stream_manager('%s', node='lab', namespace='left/')\n" % REQUESTS)
        self.start("run", "scene.py")
        self.await_service("/left/robot/waypoint/stop")
        self.assertIn("Node: /left/lab", self.run_tool("rosservice", "info", "/left/robot/waypoint/stop"))

    def test_streams_and_services_agree_but_for_a_slash(self):
        self.write("scene.py", "from morse.builder import *\n" + ROBOT + "\nenv = Environment('empty')\n"
                   "env.configure_stream_manager('ros', namespace='/both')\n"
                   "env.configure_stream_manager('%s', namespace='both/')\n" % REQUESTS)
        self.start("run", "scene.py")
        self.await_service("/both/robot/waypoint/stop")

    def test_options_of_streams_are_those_of_services(self):
        """Also in a scene without streams."""
        self.write("scene.py", "from morse.builder import *\n" + ROBOT + "\nenv = Environment('empty')\n"
                   "env.configure_stream_manager('ros', node='shared', namespace='right')\n")
        self.start("run", "scene.py")
        self.await_service("/right/robot/waypoint/stop")
        self.assertIn("Node: /right/shared", self.run_tool("rosservice", "info", "/right/robot/waypoint/stop"))

    def test_services_of_any_arguments(self):
        self.run_scene()
        setdest = self.general("/robot/waypoint/setdest")
        self.assertEqual(setdest(10, 0, 0), (True, True))
        self.assertEqual(setdest(0, 0, 0, 3), (True, False))
        success, words = setdest("far")
        self.assertFalse(success)
        self.assertIn("setdest", words)
        self.assertFalse(setdest(1, 2, "north")[0])

    def test_requests_that_wait(self):
        """While no tick is made, 16 MiB of requests wait; the others are answered at once."""
        gate = held.Gate(self)
        process = self.run_scene(ROBOT + held.SCENE, *gate.arguments)
        self.assertEqual(self.general("/robot/waypoint/setdest")(10, 0, 0), (True, True))
        proxy = rospy.ServiceProxy("/robot/waypoint/setdest", self.call_class())
        answers = queue.Queue()

        def ask():
            try:
                answers.put(proxy("[10, 0, 0]" + " " * 1000000))
            except rospy.ServiceException as error:
                answers.put(str(error))

        gate.hold(process.pid)
        threads = [threading.Thread(target=ask, daemon=True) for _ in range(24)]
        for thread in threads:
            thread.start()
        for _ in range(8):
            self.assertRegex(answers.get(timeout=LIMIT), r"robot.waypoint setdest: the requests that wait for the simulation have "
                                                         r"1600\d+ bytes, this one has 1000\d+, and the limit is 16777216")
        self.assertRaises(queue.Empty, answers.get_nowait)
        if not is_sanitized():
            self.assertLess(gate.growth(), 48 << 20)
        gate.release()
        for _ in range(16):
            self.assertTrue(answers.get(timeout=LIMIT).success)
        self.assertEqual(self.general("/robot/waypoint/setdest")(10, 0, 0), (True, True))
        self.assertTrue(any("requests were refused, 8 so far, 0 of them without an answer" in line for line in self.errors), self.errors)

    def test_arguments_that_are_no_list(self):
        self.run_scene()
        self.await_service("/robot/waypoint/setdest")
        proxy = rospy.ServiceProxy("/robot/waypoint/setdest", self.call_class())
        for text, words in (("{}", "a list is expected"), ("[1", "arguments"), ('[1, "\\ud800"]', "arguments")):
            with self.assertRaises(rospy.ServiceException) as caught:
                proxy(text)
            self.assertIn(words, str(caught.exception))
        self.assertTrue(proxy("[1, 2, 0]").success)

    def test_bytes_that_are_no_request(self):
        self.run_scene()
        self.await_service("/robot/waypoint/setdest")
        uri = rosgraph.Master("/test").lookupService("/robot/waypoint/setdest")
        host, _, port = uri.rpartition("/")[2].rpartition(":")
        for request in (b"", b"\1", struct.pack("<I", 100), struct.pack("<I", 2) + b"[]too much",
                        struct.pack("<I", 0xffffffff), b"\0" * (1 << 20) + b"\0", b"\0" * (3 << 20)):
            with socket.create_connection((host, int(port)), timeout=LIMIT) as peer:
                fields = [b"callerid=/x", b"service=/robot/waypoint/setdest", b"md5sum=*"]
                head = b"".join(struct.pack("<I", len(field)) + field for field in fields)
                peer.sendall(struct.pack("<I", len(head)) + head + struct.pack("<I", len(request)) + request)
                file = peer.makefile("rb")
                file.read(struct.unpack("<I", file.read(4))[0])
                ok, length = struct.unpack("<BI", file.read(5))
                words = file.read(length)
                self.assertEqual(ok, 0, words)
                self.assertTrue(words)
        self.assertEqual(self.general("/robot/waypoint/setdest")(10, 0, 0), (True, True))

    def test_a_type_of_a_table(self):
        """A user's table says which fields are the arguments, and what the answer becomes."""
        folder = os.path.join(self.directory, "lab/lab_srvs/srv")
        os.makedirs(folder)
        with open(os.path.join(folder, "Drive.srv"), "w") as file:
            file.write("geometry_msgs/Point place\nfloat32 radius\n---\nbool is_far\n")
        table = {"services": {"orrery.actuators.waypoint.Waypoint": {"setdest": {
            "type": "lab_srvs/Drive", "arguments": ["place.x", "place.y", 0, "radius"], "result": {"is_far": ""}}}}}
        self.write("lab/services.json", json.dumps(table))
        os.environ["ORRERY_MESSAGE_PATH"] = os.path.join(self.directory, "lab")
        self.addCleanup(os.environ.pop, "ORRERY_MESSAGE_PATH")
        self.run_scene()
        self.await_service("/robot/waypoint/setdest")
        self.assertIn("Type: lab_srvs/Drive", self.run_tool("rosservice", "info", "/robot/waypoint/setdest"))
        proxy = rospy.ServiceProxy("/robot/waypoint/setdest", self.service_class("lab_srvs/Drive"))
        place = geometry_msgs.msg.Point(3, 0, 0)
        self.assertIs(proxy(place, 1).is_far, True)
        self.assertIs(proxy(place, 5).is_far, False)
        with self.assertRaises(rospy.ServiceException) as caught:
            proxy(place, float("inf"))
        self.assertIn("setdest", str(caught.exception))

    def test_a_wrong_table(self):
        self.write("services.json", '{"services": {"orrery.actuators.waypoint.Waypoint":\n'
                                    '{"setdest": {"type": "std_srvs/SetBool", "arguments": ["speed"]}}}}')
        os.environ["ORRERY_MESSAGE_PATH"] = self.directory
        self.addCleanup(os.environ.pop, "ORRERY_MESSAGE_PATH")
        self.write("scene.py", "from morse.builder import *\n" + ROBOT + "\nenv = Environment('empty')\n")
        done = self.orrery("run", "scene.py", "--for", "0.1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("services.json:2", done.stderr)
        self.assertIn("speed", done.stderr)

    def test_master_that_comes_and_goes(self):
        kill_master()
        self.run_scene()
        start_master()
        self.await_service("/robot/waypoint/stop")
        kill_master()
        start_master()
        self.await_service("/robot/waypoint/stop")
        self.assertTrue(rospy.ServiceProxy("/robot/waypoint/stop", std_srvs.srv.Trigger)().success)

    def test_two_simulations(self):
        """The younger one of a name takes it; the older one goes on."""
        self.run_scene()
        self.await_service("/robot/waypoint/stop")
        first = self.port
        self.run_scene()
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            done = self.orrery("call", "--port", str(first), "robot.waypoint", "get_status")
            self.check(done, 0)
            text = self.run_tool("rosnode", "info", "/morse")
            if "/robot/waypoint/stop" in text:
                break
        self.assertIn("/robot/waypoint/stop", text)


#: An overlay as users of MORSE write it.
OVERLAY = """
from morse.core.overlay import MorseOverlay
from morse.core.services import interruptible
from morse.middleware.ros_request_manager import ros_action, ros_service
from move_base_msgs.msg import MoveBaseAction, MoveBaseResult
from std_srvs.srv import SetBool, SetBoolResponse

class Driver(MorseOverlay):
    @ros_service(type=SetBool)
    def enable(self, data):
        return SetBoolResponse(not data, 'was %s' % data)

    @interruptible
    @ros_action(type=MoveBaseAction)
    def drive(self, goal):
        place = goal.target_pose.pose.position
        self.overlaid_object.goto(self.chain_callback(lambda answer: (answer[0], MoveBaseResult())),
                                  place.x, place.y, place.z)
"""


class Decorated(ServiceCase):
    def test_overlay(self):
        self.write("lab.py", OVERLAY)
        os.environ["PYTHONPATH"] = self.directory
        self.addCleanup(os.environ.pop, "PYTHONPATH")
        self.run_scene(ROBOT.replace("morse.middleware.ros.overlays.waypoints.WayPoint", "lab.Driver"))
        self.await_service("/robot/waypoint/enable")
        answer = rospy.ServiceProxy("/robot/waypoint/enable", std_srvs.srv.SetBool)(True)
        self.assertEqual((answer.success, answer.message), (False, "was True"))
        client = actionlib.SimpleActionClient("/robot/waypoint/drive", move_base_msgs.msg.MoveBaseAction)
        self.assertTrue(client.wait_for_server(rospy.Duration(LIMIT)))
        goal = move_base_msgs.msg.MoveBaseGoal()
        goal.target_pose.pose.position.x = 2
        client.send_goal(goal)
        self.assertTrue(client.wait_for_result(rospy.Duration(LIMIT)))
        self.assertEqual(client.get_state(), actionlib.GoalStatus.SUCCEEDED, client.get_goal_status_text())


class Actions(ServiceCase):
    def client(self, name="/robot/waypoint/move_base"):
        client = actionlib.SimpleActionClient(name, move_base_msgs.msg.MoveBaseAction)
        self.assertTrue(client.wait_for_server(rospy.Duration(LIMIT)))
        return client

    def goal(self, x, y=0):
        goal = move_base_msgs.msg.MoveBaseGoal()
        goal.target_pose.pose.position.x = x
        goal.target_pose.pose.position.y = y
        goal.target_pose.pose.orientation.w = 1
        return goal

    def outcome(self, client):
        self.assertTrue(client.wait_for_result(rospy.Duration(LIMIT)))
        return client.get_state()

    def send_active(self, client, goal):
        active = threading.Event()
        client.send_goal(goal, active_cb=active.set)
        self.assertTrue(active.wait(LIMIT))

    def test_goal(self):
        self.run_scene()
        client = self.client()
        self.send_active(client, self.goal(2))
        self.assertEqual(self.outcome(client), actionlib.GoalStatus.SUCCEEDED)
        self.assertIsInstance(client.get_result(), move_base_msgs.msg.MoveBaseResult)

    def test_cancel(self):
        self.run_scene()
        client = self.client()
        self.send_active(client, self.goal(1000))
        client.cancel_goal()
        self.assertEqual(self.outcome(client), actionlib.GoalStatus.PREEMPTED)

    def test_cancel_all(self):
        self.run_scene()
        client = self.client()
        self.send_active(client, self.goal(1000))
        client.cancel_all_goals()
        self.assertEqual(self.outcome(client), actionlib.GoalStatus.PREEMPTED)

    def test_cancel_by_time(self):
        self.run_scene()
        client = self.client()
        self.send_active(client, self.goal(1000))
        client.cancel_goals_at_and_before_time(rospy.Time.now() + rospy.Duration(10))
        self.assertEqual(self.outcome(client), actionlib.GoalStatus.PREEMPTED)

    def test_a_second_client(self):
        self.run_scene()
        first, second = self.client(), self.client()
        self.send_active(first, self.goal(1000))
        self.send_active(second, self.goal(2))
        self.assertEqual(self.outcome(first), actionlib.GoalStatus.PREEMPTED)
        self.assertEqual(self.outcome(second), actionlib.GoalStatus.SUCCEEDED)

    def test_a_goal_without_an_id(self):
        self.run_scene()
        self.client()
        seen, listed = threading.Event(), []

        def note(message):
            listed.extend(message.status_list)
            if message.status_list:
                seen.set()
        rospy.Subscriber("/robot/waypoint/move_base/status", actionlib_msgs.msg.GoalStatusArray, note)
        topic = rospy.Publisher("/robot/waypoint/move_base/goal", move_base_msgs.msg.MoveBaseActionGoal,
                                queue_size=1, latch=True)
        topic.publish(move_base_msgs.msg.MoveBaseActionGoal(goal=self.goal(1000)))
        self.assertTrue(seen.wait(LIMIT))
        self.assertTrue(listed[0].goal_id.id.startswith("/morse-1-"), listed[0])
        self.assertGreater(listed[0].goal_id.stamp.to_sec(), 0)
        topic.unregister()

    def test_a_goal_that_is_wrong(self):
        self.run_scene()
        client = self.client()
        client.send_goal(self.goal(float("nan")))
        self.assertEqual(self.outcome(client), actionlib.GoalStatus.REJECTED)
        self.assertTrue(client.get_goal_status_text())

    def test_status_is_kept_for_late_clients(self):
        """A simulation that is paused publishes nothing, and its servers are found all the same."""
        process = self.run_scene()
        self.await_service("/robot/waypoint/stop")
        self.check(self.orrery("call", "--port", str(self.port), "simulation", "pause"), 0)
        self.client()
        self.assertIsNone(process.poll())

    def test_general_action(self):
        """An action without a type of its own has arguments and results in JSON."""
        self.run_scene()
        self.client()
        topics = dict(rosgraph.Master("/test").getTopicTypes())
        self.assertEqual(topics["/robot/waypoint/goto/goal"], "orrery_interfaces/CallActionGoal")
        self.assertEqual(topics["/robot/waypoint/goto/status"], "actionlib_msgs/GoalStatusArray")
        goal = self.message_class("orrery_interfaces/CallActionGoal")()
        goal.goal.arguments = "[1, 0, 0]"
        result = self.send("/robot/waypoint/goto", goal, "orrery_interfaces/CallActionResult")
        self.assertEqual((result.status.status, result.status.goal_id.id), (3, "mine"))
        self.assertEqual((result.result.success, result.result.result), (True, '"Arrived"'))


class Trajectories(ServiceCase):
    def follow(self, names, positions):
        self.run_scene("robot = ATRV('robot')\narm = KukaLWR('arm')\narm.add_service('ros')\n"
                       "arm.add_service('socket')\n"
                       "arm.add_overlay('ros', 'morse.middleware.ros.overlays.armatures.ArmatureController', "
                       "namespace='/arm_controller')\nrobot.append(arm)")
        goal = self.message_class("control_msgs/JointTrajectoryActionGoal")()
        goal.goal.trajectory.joint_names = names
        made = self.message_class("trajectory_msgs/JointTrajectoryPoint")
        goal.goal.trajectory.points = [made(positions=positions, time_from_start=rospy.Duration(0.5))]
        return self.send("/arm_controller/joint_trajectory_action", goal, "control_msgs/JointTrajectoryActionResult")

    def test_order_of_joints(self):
        names = ["kuka_%d" % i for i in range(7, 0, -1)]
        result = self.follow(names, [0.07, 0.06, 0.05, 0.04, 0.03, 0.02, 0.01])
        self.assertEqual(result.status.status, 3, result.status.text)

    def test_unknown_joint(self):
        result = self.follow(["kuka_1", "elbow"], [0, 0])
        self.assertEqual(result.status.status, 4)
        self.assertIn("kuka_2", result.status.text)


if __name__ == "__main__":
    tap.main()
