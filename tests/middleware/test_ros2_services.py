# SPDX-License-Identifier: BSD-3-Clause
"""Services and actions of ROS 2, called by programs that do what rclcpp does over its two libraries of DDS."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)
from support import PROGRAM, need  # noqa: E402
from test_dds_node import why_not  # noqa: E402
from test_ros2_streams import StreamCase  # noqa: E402
from test_ros_node import Program  # noqa: E402

import cdr  # noqa: E402
import held  # noqa: E402
import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402

EXECUTING, CANCELING, SUCCEEDED, CANCELED, ABORTED = range(2, 7)
CALL = "orrery_interfaces/action/Call"
SCENE = """
motion = MotionVW('motion'); robot.append(motion); motion.add_service('ros2')
mover = ATRV('mover'); mover.translate(0, 5, 0); goal = Waypoint('goal'); mover.append(goal); goal.add_service('ros2')
"""


def id_of(number):
    return [number] * 16


class Client:
    """A client of services; the number of a request is what its answer is known by."""

    def __init__(self, case, peer):
        self.case, self.peer, self.numbers, self.kinds = case, peer, {}, {}

    def add(self, name, kind, request, response):
        self.case.tell(self.peer, "client %s %s" % (name, kind))
        self.peer.await_line("readers %s 1" % name)
        self.peer.await_line("writers %s 1" % name)
        self.kinds[name] = request, response
        self.numbers[name] = 0

    def add_service(self, name, kind):
        package, own = kind.split("/")
        self.add(name, "%s::srv::dds_::%s" % (package, own), "%s/srv/%s_Request" % (package, own), "%s/srv/%s_Response" % (package, own))

    def send(self, name, data):
        self.case.tell(self.peer, "call %s %s" % (name, data.hex()))
        self.numbers[name] += 1
        return self.numbers[name]

    def ask(self, name, **fields):
        return self.send(name, cdr.encode(self.kinds[name][0], fields))

    def take(self, name, number):
        line = self.peer.await_line("response %s %d " % (name, number))
        return cdr.decode(self.kinds[name][1], bytes.fromhex(line.split()[4]))

    def call(self, name, **fields):
        return self.take(name, self.ask(name, **fields))


class ServiceCase(StreamCase):
    def serve(self, text=SCENE, end="", arguments=()):
        self.write("scene.py", "from morse.builder import *\nrobot = ATRV('robot')\n%s\nenv = Environment('empty')\n%s\n" % (text, end))
        running = Program([PROGRAM, "run", self.path("scene.py"), *arguments], dict(self.environment, ROS_DOMAIN_ID=self.domain))
        self.addCleanup(running.kill)
        running.await_line("ROS 2: services and actions")
        self.addCleanup(self.interrupt, running)
        return running, Client(self, self.peer())


class Services(ServiceCase):
    def test_typed_and_general(self):
        _, client = self.serve()
        client.add_service("/mover/goal/get_status", "std_srvs/Trigger")
        self.assertEqual(client.call("/mover/goal/get_status"), {"success": True, "message": "Arrived"})
        client.add_service("/robot/motion/set_speed", "orrery_interfaces/Call")
        self.assertEqual(client.call("/robot/motion/set_speed", arguments="[1.0, 0.0]"), {"success": True, "result": "null"})
        client.add_service("/robot/motion/get_properties", "std_srvs/Trigger")
        self.assertIn("ControlType", client.call("/robot/motion/get_properties")["message"])
        for arguments in "", "[1.0]", "[1.0, \"x\"]", "{}", "[", "[1.0, NaN]", "[1.0, 1e999]":
            answer = client.call("/robot/motion/set_speed", arguments=arguments)
            self.assertFalse(answer["success"], arguments)
            self.assertTrue(answer["result"], arguments)

    def test_the_node_of_the_robot_has_them(self):
        need(self, why_not("cyclone-peer"))
        self.serve()
        peer = self.cyclone()
        self.tell(peer, "graph")
        self.assertRegex(peer.await_line("graph 010f / robot"), r"readers [1-9]\d* writers [1-9]")

    def test_bytes_that_are_no_request(self):
        running, client = self.serve()
        name = "/robot/motion/set_speed"
        client.add_service(name, "orrery_interfaces/Call")
        for data in b"\0\1\0\0", b"\0\1\0\0\xff\xff\xff\xffa", b"\0\1\0\0\2\0\0\0\xff\0", b"\7\7\7\7" + bytes(20):
            answer = client.take(name, client.send(name, data))
            self.assertFalse(answer["success"], data)
        self.assertTrue(client.call(name, arguments="[0.0, 0.0]")["success"])
        answer = client.take(name, client.send(name, b"\0\1\0\0" + (2 << 20).to_bytes(4, "little") + b"a" * (2 << 20)))
        self.assertEqual((answer["success"], answer["result"]),
                         (False, "robot.motion set_speed: the request has 2097160 bytes, and the limit is 1048576"))
        running.await_line("requests were refused, 1 so far, 0 of them without an answer")
        self.assertTrue(client.call(name, arguments="[0.0, 0.0]")["success"])

    def test_requests_that_wait(self):
        """While no tick is made, 16 MiB of requests wait; the others are answered at once."""
        gate = held.Gate(self)
        running, client = self.serve(held.SCENE + SCENE, arguments=gate.arguments)
        name = "/robot/motion/set_speed"
        client.add_service(name, "orrery_interfaces/Call")
        self.assertTrue(client.call(name, arguments="[0.0, 0.0]")["success"])
        gate.hold(running.process.pid)
        words = "[0.5, 0.0]" + " " * 1000000
        numbers = [client.ask(name, arguments=words) for _ in range(24)]
        for number in numbers[16:]:
            answer = client.take(name, number)
            self.assertFalse(answer["success"])
            self.assertRegex(answer["result"], r"^robot.motion set_speed: the requests that wait for the simulation have "
                                               r"16000\d\d\d bytes, this one has 10000\d\d, and the limit is 16777216$")
        if not is_sanitized():
            self.assertLess(gate.growth(), 28 << 20)
        self.assertNotIn("response %s %d " % (name, numbers[0]), "\n".join(client.peer.seen))
        gate.release()
        for number in numbers[:16]:
            self.assertTrue(client.take(name, number)["success"])
        running.await_line("requests were refused, 8 so far, 0 of them without an answer")
        self.assertTrue(client.call(name, arguments="[0.0, 0.0]")["success"])

    def test_what_ends_the_run(self):
        """DDS does not tell who calls; the scene may allow it."""
        self.serve()
        peer = self.peer()
        client = Client(self, peer)
        self.tell(peer, "client /simulation/quit std_srvs::srv::dds_::Trigger")
        client.add_service("/simulation/list_robots", "std_srvs/Trigger")
        self.assertEqual(json.loads(client.call("/simulation/list_robots")["message"]), ["robot", "mover"])
        self.assertNotIn("readers /simulation/quit 1", peer.seen)

    def test_a_scene_that_lets_anybody_end_it(self):
        running, client = self.serve(end="env.add_service('ros2')")
        client.add_service("/simulation/quit", "std_srvs/Trigger")
        self.assertTrue(client.call("/simulation/quit")["success"])
        self.assertEqual(running.end(), 0)

    def test_beside_streams_in_a_namespace(self):
        _, client = self.serve("pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')\n" + SCENE,
                               end="env.configure_stream_manager('ros2', namespace='lab', distro='humble')")
        client.add_service("/lab/mover/goal/stop", "std_srvs/Trigger")
        self.assertTrue(client.call("/lab/mover/goal/stop")["success"])

    def test_a_client_that_goes(self):
        _, client = self.serve()
        client.add_service("/robot/motion/set_speed", "orrery_interfaces/Call")
        for _ in range(50):
            client.ask("/robot/motion/set_speed", arguments="[0.0, 0.0]")
        client.peer.kill()
        other = Client(self, self.peer())
        other.add_service("/robot/motion/set_speed", "orrery_interfaces/Call")
        self.assertTrue(other.call("/robot/motion/set_speed", arguments="[0.0, 0.0]")["success"])


class Parameters(ServiceCase):
    def open(self):
        running, client = self.serve(
            "motion = MotionVW('motion'); robot.append(motion); motion.add_service('ros2')\n"
            "goal = Waypoint('goal'); robot.append(goal); goal.add_service('ros2')")
        for name in "List", "Describe", "Get", "Set":
            client.add_service("/robot/%s_parameters" % name.lower(), "rcl_interfaces/%sParameters" % name)
        self.client = client
        return running

    def get(self, *names):
        values = self.client.call("/robot/get_parameters", names=names)["values"]
        fields = [None, "bool_value", "integer_value", "double_value", "string_value"]
        return [value[fields[value.type]] if value.type else None for value in values]

    def set(self, name, service="/robot/set_parameters", **value):
        answer = self.client.call(service, parameters=[{"name": name, "value": value}])
        result = answer["result"] if "result" in answer else answer["results"][0]
        return result.successful, result.reason

    def list(self, *prefixes, depth=0):
        found = self.client.call("/robot/list_parameters", prefixes=prefixes, depth=depth).result
        self.assertEqual(found.names, sorted(found.names))
        return found

    def test_list(self):
        self.open()
        everything = self.list()
        self.assertIn("goal.RemainAtDestination", everything.names)
        self.assertIn("motion.ControlType", everything.names)
        self.assertEqual(everything.prefixes, ["goal", "motion"])
        self.assertEqual(self.list("motion").names, [name for name in everything.names if name.startswith("motion.")])
        self.assertEqual(self.list("goal.FreeZ").names, ["goal.FreeZ"])
        self.assertEqual(self.list("goa", "none").names, [])
        self.assertEqual(self.list(depth=1).names, [])
        self.assertEqual(self.list(depth=2).names, everything.names)
        self.assertEqual(self.list("goal", depth=1).names, self.list("goal").names)

    def test_get_and_describe(self):
        self.open()
        self.assertEqual(self.get("goal.Speed", "goal.FreeZ", "goal.ControlType", "goal.none", ""),
                         [1.0, False, "Velocity", None, None])
        described = self.client.call("/robot/describe_parameters", names=["goal.FreeZ", "x"])["descriptors"]
        self.assertEqual([(one.name, one.type) for one in described], [("goal.FreeZ", 1), ("x", 0)])
        self.assertIn("height", described[0].description)
        self.client.add_service("/robot/get_parameter_types", "rcl_interfaces/GetParameterTypes")
        self.assertEqual(self.client.call("/robot/get_parameter_types", names=["goal.FreeZ", "goal.Speed", "x"])["types"], [1, 3, 0])

    def test_set(self):
        self.open()
        self.assertEqual(self.set("goal.FreeZ", type=1, bool_value=True), (True, ""))
        self.assertEqual(self.set("goal.AngleTolerance", type=3, double_value=0.5), (True, ""))
        self.assertEqual(self.get("goal.FreeZ", "goal.AngleTolerance"), [True, 0.5])
        for name, words, value in (("goal.FreeZ", "FreeZ", {"type": 4, "string_value": "x"}), ("goal.Speed", "starts", {"type": 3, "double_value": 2}),
                                   ("goal.none", "none", {"type": 3}), ("none", "no parameter none", {"type": 3}),
                                   ("goal.FreeZ", "deleted", {"type": 0}), ("goal.FreeZ", "deleted", {"type": 77}),
                                   ("goal.AngleTolerance", "AngleTolerance", {"type": 3, "double_value": float("nan")})):
            done, reason = self.set(name, **value)
            self.assertFalse(done, name)
            self.assertIn(words, reason)
        self.assertEqual(self.get("goal.FreeZ", "goal.AngleTolerance"), [True, 0.5])
        answer = self.client.call("/robot/set_parameters", parameters=[
            {"name": "goal.FreeZ", "value": {"type": 1}}, {"name": "no"}, {"name": "goal.RemainAtDestination", "value": {"type": 1, "bool_value": True}}])
        self.assertEqual([one.successful for one in answer["results"]], [True, False, True])
        self.assertEqual(self.get("goal.FreeZ", "goal.RemainAtDestination"), [False, True])

    def test_set_together(self):
        self.open()
        name = "/robot/set_parameters_atomically"
        self.client.add_service(name, "rcl_interfaces/SetParametersAtomically")
        self.assertEqual(self.set("goal.FreeZ", name, type=1, bool_value=True), (True, ""))
        answer = self.client.call(name, parameters=[{"name": "goal.FreeZ", "value": {"type": 1}}] * 2)["result"]
        self.assertEqual((answer.successful, "one by one" in answer.reason), (False, True))
        self.assertEqual(self.get("goal.FreeZ"), [True])

    def test_events(self):
        """One for each parameter that was set, with the time of the simulation, and none for those that were refused."""
        self.open()
        self.tell(self.client.peer, "reader rt/parameter_events rcl_interfaces::msg::dds_::ParameterEvent_ r")
        self.client.peer.await_line("writers rt/parameter_events 1")
        self.assertTrue(self.set("goal.FreeZ", type=1, bool_value=True)[0])
        self.assertFalse(self.set("goal.none", type=1, bool_value=True)[0])
        self.assertTrue(self.set("goal.AngleTolerance", type=3, double_value=0.5)[0])
        stamps = []
        for name, field, value in ("goal.FreeZ", "bool_value", True), ("goal.AngleTolerance", "double_value", 0.5):
            line = self.client.peer.await_line("message rt/parameter_events")
            event = cdr.decode("rcl_interfaces/msg/ParameterEvent", bytes.fromhex(line.split()[4]))
            self.assertEqual((event["node"], event["new_parameters"], event["deleted_parameters"]), ("/robot", [], []))
            self.assertEqual([one.name for one in event["changed_parameters"]], [name])
            self.assertEqual(event["changed_parameters"][0].value[field], value)
            stamps.append(event["stamp"])
        self.assertTrue(stamps[0].sec > 0, stamps)

    def test_bad_requests(self):
        running = self.open()
        for data in b"\0\1\0\0", b"\0\1\0\0\xff\xff\xff\xff", b"\0\1\0\0\1\0\0\0\5\0\0\0ab":
            self.client.send("/robot/get_parameters", data)
        running.await_line("parameters of robot: a request from ROS 2 is not answered")
        self.client.ask("/robot/get_parameters", names=["x"] * 1001)
        self.assertEqual(self.get("goal.FreeZ"), [False])


class Actions(ServiceCase):
    NAME = "/mover/goal/goto"

    def open(self, name=NAME, kind=CALL, **scene):
        """A client of an action: three services and two topics."""
        running, client = self.serve(**scene)
        package, own = kind.split("/action/")
        wire, place = "%s::action::dds_::%s" % (package, own), name + "/_action/"
        derived = "%s/%s" % (package, own)
        client.add(place + "send_goal", wire + "_SendGoal", derived + "_SendGoal_Request", derived + "_SendGoal_Response")
        client.add(place + "get_result", wire + "_GetResult", derived + "_GetResult_Request", derived + "_GetResult_Response")
        client.add(place + "cancel_goal", "action_msgs::srv::dds_::CancelGoal", "action_msgs/srv/CancelGoal_Request",
                   "action_msgs/srv/CancelGoal_Response")
        self.tell(client.peer, "reader rt%sstatus action_msgs::msg::dds_::GoalStatusArray_ rl" % place)
        client.peer.await_line("message rt%sstatus" % place)
        self.client, self.place = client, place
        return running

    def send(self, number, arguments):
        return self.client.call(self.place + "send_goal", goal_id={"uuid": id_of(number)}, goal={"arguments": json.dumps(arguments)})

    def ask_result(self, number):
        return self.client.ask(self.place + "get_result", goal_id={"uuid": id_of(number)})

    def result(self, number, asked=None):
        return self.client.take(self.place + "get_result", asked or self.ask_result(number))

    def cancel(self, number=0, **stamp):
        answer = self.client.call(self.place + "cancel_goal", goal_info={"goal_id": {"uuid": id_of(number)}, "stamp": stamp})
        return answer.return_code, [info.goal_id.uuid[0] for info in answer.goals_canceling]

    def await_status(self, **wanted):
        """Until the status of the goals is this, by their numbers: g1=SUCCEEDED."""
        while True:
            line = self.client.peer.await_line("message rt%sstatus" % self.place)
            listed = cdr.decode("action_msgs/GoalStatusArray", bytes.fromhex(line.split()[4])).status_list
            found = {"g%d" % one.goal_info.goal_id.uuid[0]: one.status for one in listed}
            if found == wanted:
                return listed

    def test_a_goal(self):
        self.open()
        answer = self.send(1, [2, 5, 0, 0.5, 2])
        self.assertTrue(answer.accepted)
        self.assertGreater(answer.stamp.sec, 10**9)
        asked = self.ask_result(1)
        listed = self.await_status(g1=EXECUTING)
        self.assertEqual(listed[0].goal_info.stamp, answer.stamp)
        answer = self.result(1, asked)
        self.assertEqual((answer.status, answer.result.success), (SUCCEEDED, True))
        self.assertEqual(json.loads(answer.result.result), "Arrived")
        self.await_status(g1=SUCCEEDED)
        self.assertEqual(self.result(1), answer)

    def test_cancel(self):
        self.open()
        self.assertTrue(self.send(1, [500, 0, 0]).accepted)
        asked = self.ask_result(1)
        self.assertEqual(self.cancel(1), (0, [1]))
        self.assertEqual(self.result(1, asked).status, CANCELED)
        self.await_status(g1=CANCELED)
        self.assertEqual(self.cancel(1), (3, []))
        self.assertEqual(self.cancel(7), (2, []))
        self.assertEqual(self.cancel(), (0, []))
        self.assertTrue(self.send(2, [500, 0, 0]).accepted)
        self.assertEqual(self.cancel(), (0, [2]))
        self.assertEqual(self.result(2).status, CANCELED)

    def test_cancel_by_time(self):
        self.open()
        stamp = self.send(1, [500, 0, 0]).stamp
        self.assertEqual(self.cancel(sec=stamp.sec - 1, nanosec=0), (0, []))
        self.assertEqual(self.cancel(sec=stamp.sec, nanosec=stamp.nanosec), (0, [1]))

    def test_a_goal_that_gives_way(self):
        self.open()
        self.assertTrue(self.send(1, [500, 0, 0]).accepted)
        first = self.ask_result(1)
        self.assertTrue(self.send(2, [2, 5, 0, 0.5, 2]).accepted)
        self.assertEqual(self.result(1, first).status, ABORTED)
        self.assertEqual(self.result(2).status, SUCCEEDED)

    def test_goals_that_are_not_taken(self):
        running = self.open()
        self.assertTrue(self.send(1, [500, 0, 0]).accepted)
        self.assertFalse(self.send(1, [500, 0, 0]).accepted)
        answer = self.client.call(self.place + "send_goal", goal_id={"uuid": id_of(3)}, goal={"arguments": "{"})
        self.assertFalse(answer.accepted)
        running.await_line("mover.goal goto", "a goal is not taken")
        self.assertTrue(self.send(4, ["x"]).accepted)
        answer = self.result(4)
        self.assertEqual((answer.status, answer.result.success), (ABORTED, False))
        self.assertTrue(answer.result.result)
        self.assertEqual(self.result(9).status, 0)

    def test_goals_that_wait(self):
        """While no tick is made, 16 MiB of requests wait; further goals are not accepted, and nothing is cancelled."""
        gate = held.Gate(self)
        running = self.open(text=held.SCENE + SCENE, arguments=gate.arguments)
        gate.hold(running.process.pid)
        goal, cancel = self.place + "send_goal", self.place + "cancel_goal"
        asked = [self.client.ask(goal, goal_id={"uuid": id_of(i + 1)}, goal={"arguments": "[500, 0, 0]" + " " * 1048000})
                 for i in range(24)]
        for number in asked[16:]:
            self.assertFalse(self.client.take(goal, number).accepted)
        # There is room for some bytes more.
        self.client.send(cancel, b"\0\1\0\0" + bytes(20000))
        self.assertEqual(self.client.take(cancel, 1).return_code, 1)
        gate.release()
        for number in asked[:16]:
            self.assertTrue(self.client.take(goal, number).accepted)
        running.await_line("requests were refused, 9 so far, 0 of them without an answer")
        self.assertEqual(self.cancel(16), (0, [16]))

    def test_bytes_that_are_no_goal(self):
        running = self.open()
        for data in b"\0\1\0\0", b"\0\1\0\0" + bytes(10), b"\0\1\0\0" + bytes(16) + b"\xff\xff\xff\xff":
            self.client.send(self.place + "send_goal", data)
        running.await_line("a request was dropped")
        self.assertTrue(self.send(1, [500, 0, 0]).accepted)

    def test_the_end_answers(self):
        running = self.open()
        self.assertTrue(self.send(1, [500, 0, 0]).accepted)
        asked = self.ask_result(1)
        self.await_status(g1=EXECUTING)
        running.process.terminate()
        answer = self.result(1, asked)
        self.assertEqual(answer.status, ABORTED)
        self.assertIn("ends", answer.result.result)


if __name__ == "__main__":
    tap.main()
