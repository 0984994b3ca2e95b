# SPDX-License-Identifier: BSD-3-Clause
"""simulation_interfaces over ROS 2, as a program that does what rclcpp does calls them: each service with good and bad input."""

import json
import os
import re
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
sys.path.insert(0, HERE)
from support import PROGRAM, need  # noqa: E402
from test_middleware_pages import PageCase, chapter  # noqa: E402
from test_ros2_services import ABORTED, CANCELED, SUCCEEDED, Client, id_of  # noqa: E402
from test_dds_node import why_not  # noqa: E402
from test_ros2_streams import StreamCase  # noqa: E402
from test_ros_node import Program  # noqa: E402

import cdr  # noqa: E402
import held  # noqa: E402
import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402

UNSUPPORTED, OK, NOT_FOUND, INCORRECT_STATE, FAILED = range(5)
STOPPED, PLAYING, PAUSED, QUITTING = range(4)
NAN, INFINITE = float("nan"), float("inf")
ASKED = "env.configure_stream_manager('ros2_simulation')"
MAPPED = "env.add_service('ros2_simulation')"
SCENE = """
robot = ATRV('robot'); robot.translate(1, 2, 0.3)
robot.properties(description='A rover', tags='outdoor, heavy')
person = Human(); person.name = 'person'; person.translate(-5, 0, 0)
box = Cube('box'); box.translate(10, 0, 0.5); box.scale = (1, 2, 1); box.properties(tags='heavy')
dock = Cube('dock'); dock.translate(3, -4, 1)
dock.properties(named_pose=True, description='Where to charge', tags='goal')
"""
ALL = ["Ground", "robot", "person", "box"]
LINK = """<link name="%s"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><box size=".2 .2 .2"/></geometry></collision></link>"""
POLE = "<robot name='pole'>" + LINK % "base" + LINK % "tip" + """<joint name="hinge" type="revolute"><parent link="base"/>
<child link="tip"/><origin xyz="0 0 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="5"/></joint>
</robot>"""


def pose(x=0, y=0, z=0, **turn):
    return {"position": {"x": x, "y": y, "z": z}, "orientation": turn or {"w": 1}}


def point(x, y, z):
    return {"x": x, "y": y, "z": z}


class SimulationCase(StreamCase):
    def serve(self, text=SCENE, end=ASKED, *arguments, spawnables=()):
        scene = self.path("scene.py")
        self.write("scene.py", "from morse.builder import *\n%s\nenv = Environment('empty')\nenv.set_start(0)\n%s\n" % (text, end))
        if spawnables:
            subprocess.run([PROGRAM, "build", scene, "-o", self.path("built")], check=True, capture_output=True)
            scene = self.path("built/scene.json")
            with open(scene) as file:
                built = json.load(file)
            with open(scene, "w") as file:
                json.dump(dict(built, spawnables=spawnables), file)
        running = Program([PROGRAM, "run", scene, *arguments], dict(self.environment, ROS_DOMAIN_ID=self.domain))
        self.addCleanup(running.kill)
        running.await_line("ROS 2: simulation_interfaces")
        self.addCleanup(self.interrupt, running)
        self.client = Client(self, self.peer())
        return running

    def call(self, kind, **fields):
        name = "/orrery/" + re.sub(r"(?<!^)([A-Z])", r"_\1", kind).lower()
        if name not in self.client.numbers:
            self.client.add_service(name, "simulation_interfaces/" + kind)
        data = cdr.encode(self.client.kinds[name][0], fields)
        return self.client.take(name, self.client.send(name, data))

    def refused(self, code, words, kind, **fields):
        answer = self.call(kind, **fields)
        self.assertEqual(answer.result.result, code, answer)
        self.assertRegex(answer.result.error_message, words)
        return answer

    def good(self, kind, **fields):
        answer = self.call(kind, **fields)
        self.assertEqual((answer.result.result, answer.result.error_message), (OK, ""), (kind, fields))
        return answer

    def set_state(self, state):
        return self.good("SetSimulationState", state={"state": state})

    def state(self):
        return self.good("GetSimulationState").state.state

    def pose_of(self, entity):
        return self.good("GetEntityState", entity=entity).state.pose

    def clock(self, entity="robot"):
        stamp = self.good("GetEntityState", entity=entity).state.header.stamp
        return stamp.sec + stamp.nanosec * 1e-9


class Run(SimulationCase):
    def test_features(self):
        self.serve()
        features = self.call("GetSimulatorFeatures").features
        self.assertEqual(features.features, [2, 3, 4, 5, 6, 8, 10, 11, 12, 13, 20, 24, 25, 26, 31, 32, 33, 44])
        self.assertEqual(features.spawn_formats, [])
        self.assertRegex(features.custom_info, r"Orrery \d")

    def test_states(self):
        self.serve()
        self.assertEqual(self.state(), PLAYING)
        for state in PAUSED, PLAYING, STOPPED, PAUSED, STOPPED, PLAYING:
            self.set_state(state)
            self.assertEqual(self.state(), state)
            self.refused(101, "already", "SetSimulationState", state={"state": state})
        for state in 4, 5, 6, 255:
            self.refused(103, "cannot be set", "SetSimulationState", state={"state": state})
        self.refused(UNSUPPORTED, "add_service", "SetSimulationState", state={"state": QUITTING})
        self.assertEqual(self.state(), PLAYING)

    def test_a_scene_that_may_be_ended(self):
        running = self.serve(end=MAPPED)
        self.assertIn(40, self.call("GetSimulatorFeatures").features.features)
        self.refused(101, "already", "SetSimulationState", state={"state": PLAYING})
        # The node may be gone before its answer is read.
        name = "/orrery/set_simulation_state"
        self.client.send(name, cdr.encode(self.client.kinds[name][0], {"state": {"state": QUITTING}}))
        self.assertEqual(running.end(), 0)

    def test_steps(self):
        self.serve()
        self.refused(INCORRECT_STATE, "playing.*paused", "StepSimulation", steps=1)
        self.set_state(PAUSED)
        before = self.clock()
        self.good("StepSimulation", steps=6)
        self.assertAlmostEqual(self.clock() - before, 0.1, places=6)
        for steps in 0, 10**9 + 1, 2**53, 2**63, 2**64 - 1:
            self.refused(FAILED, "from 1 to", "StepSimulation", steps=steps)
        self.assertAlmostEqual(self.clock() - before, 0.1, places=6)
        self.set_state(STOPPED)
        self.refused(INCORRECT_STATE, "stopped.*paused", "StepSimulation", steps=1)

    def test_a_step_from_the_start(self):
        self.serve()
        self.set_state(STOPPED)
        self.set_state(PAUSED)
        self.assertEqual(self.clock(), 0)

    def test_resets(self):
        self.serve()
        self.set_state(PAUSED)
        for scope in 0, 3, 7, 255:
            self.good("StepSimulation", steps=5)
            self.assertGreater(self.clock(), 0)
            self.good("ResetSimulation", scope=scope)
            self.assertEqual(self.state(), PAUSED)
            self.assertEqual(self.clock(), 0)
        self.good("StepSimulation", steps=5)
        for scope in 1, 2, 5, 8, 254:
            self.refused(UNSUPPORTED, "together", "ResetSimulation", scope=scope)
        self.refused(UNSUPPORTED, "no table 'spawnables'", "ResetSimulation", scope=4)
        self.assertGreater(self.clock(), 0)

    def test_two_clients_at_once(self):
        self.serve()
        self.set_state(PAUSED)
        other = Client(self, self.peer())
        other.add_service("/orrery/step_simulation", "simulation_interfaces/StepSimulation")
        before = self.clock()
        numbers = [other.ask("/orrery/step_simulation", steps=3) for _ in range(20)]
        self.good("StepSimulation", steps=60)
        for number in numbers:
            self.assertEqual(other.take("/orrery/step_simulation", number).result.result, OK)
        self.assertAlmostEqual(self.clock() - before, 2, places=6)


class Entities(SimulationCase):
    def names(self, **filters):
        return self.good("GetEntities", filters=filters).entities

    def test_lists(self):
        self.serve()
        self.assertEqual(sorted(self.names()), sorted(ALL))
        self.assertEqual(self.names(filter="^ro"), ["robot"])
        self.assertEqual(sorted(self.names(filter="o[bx]")), ["box", "robot"])
        self.assertEqual(self.names(categories=[{"category": 2}]), ["person"])
        self.assertEqual(sorted(self.names(categories=[{"category": 1}, {"category": 2}])), ["person", "robot"])
        self.assertEqual(sorted(self.names(tags={"tags": ["heavy", "no"]})), ["box", "robot"])
        self.assertEqual(self.names(tags={"tags": ["heavy", "outdoor"], "filter_mode": 1}), ["robot"])
        self.assertEqual(self.names(bounds={"type": 1, "points": [point(12, 1, 9), point(10.9, 0.9, 0.9)]}), ["box"])
        self.assertEqual(self.names(bounds={"type": 1, "points": [point(12, 1, 9), point(11.1, 0.9, 0.9)]}), [])
        self.assertEqual(self.names(filter="robot", categories=[{"category": 2}]), [])

    def test_filters_that_cannot_be(self):
        self.serve()
        for words, filters in (("no regular expression", {"filter": "(["}), ("257 bytes", {"filter": "a" * 257}),
                               ("no category 6", {"categories": [{"category": 6}]}), ("filter_mode", {"tags": {"filter_mode": 2}}),
                               ("2 points, not 1", {"bounds": {"type": 1, "points": [point(1, 1, 1)]}}),
                               ("not finite", {"bounds": {"type": 1, "points": [point(NAN, 1, 1), point(1, 1, 1)]}}),
                               ("not finite", {"bounds": {"type": 1, "points": [point(0, 1, 1), point(1, INFINITE, 1)]}}),
                               ("cannot be read.*text|cannot be read.*filter", {"filter": "a" * 5000}),
                               ("cannot be read", {"tags": {"tags": ["a"] * 1001}})):
            for kind in "GetEntities", "GetEntitiesStates":
                self.assertEqual(self.refused(FAILED, words, kind, filters=filters).entities, [])
        for kind in 2, 3, 200:
            self.refused(UNSUPPORTED, "only a box", "GetEntities", filters={"bounds": {"type": kind}})

    def test_an_expression_that_takes_too_long(self):
        name = "a" * 60 + "b"
        self.serve("thing = Cube('%s')" % name)
        self.refused(FAILED, "too long", "GetEntities", filters={"filter": "^(a+)+$"})
        self.assertEqual(self.names(filter="^a+b$"), [name])

    def test_bytes_that_are_no_request(self):
        self.serve()
        name = "/orrery/get_entities"
        self.names()
        for data in b"\0\1\0\0", b"\0\1\0\0\xff\xff\xff\xffa", b"\0\1\0\0\2\0\0\0\xff\0", b"\7\7\7\7" + bytes(20):
            answer = self.client.take(name, self.client.send(name, data))
            self.assertEqual((answer.result.result, answer.entities), (FAILED, []))
            self.assertIn("cannot be read", answer.result.error_message)
        answer = self.client.take(name, self.client.send(name, b"\0\1\0\0" + b"\1" * 70000))
        self.assertEqual((answer.result.result, answer.entities), (FAILED, []))
        self.assertEqual(answer.result.error_message, "get_entities is not done: the request has 70004 bytes, and the limit is 65536")
        self.assertIn("robot", self.names())

    def test_requests_that_wait(self):
        """While no tick is made, what is too long and what is beyond 16 MiB is answered at once."""
        gate = held.Gate(self)
        running = self.serve(SCENE + held.SCENE, ASKED, *gate.arguments)
        name, asked = "/orrery/get_entities", []
        self.names()
        gate.hold(running.process.pid)
        for _ in range(6):
            asked += [self.client.send(name, b"\0\1\0\0" + b"\1" * 65000) for _ in range(50)]
            # Its answer says that those before it have come.
            answer = self.client.take(name, self.client.send(name, b"\0\1\0\0" + b"\1" * 70000))
            self.assertIn("the limit is 65536", answer.result.error_message)
        for number in asked[258:]:
            answer = self.client.take(name, number)
            self.assertEqual(answer.result.result, FAILED)
            self.assertRegex(answer.result.error_message, "^get_entities is not done: the requests that wait for the simulation have "
                                                          "16771032 bytes, this one has 65004, and the limit is 16777216$")
        if not is_sanitized():
            self.assertLess(gate.growth(), 32 << 20)
        gate.release()
        self.assertIn("cannot be read", self.client.take(name, asked[257]).result.error_message)
        running.await_line("requests were refused, 48 so far, 0 of them without an answer")
        self.assertIn("robot", self.names())

    def test_states(self):
        self.serve()
        answer = self.good("GetEntitiesStates", filters={"filter": "robot|box"})
        found = dict(zip(answer.entities, answer.states))
        self.assertEqual(sorted(found), ["box", "robot"])
        self.assertEqual(found["box"].pose.position, point(10, 0, 0.5))
        self.assertEqual(found["box"].header.frame_id, "world")
        self.assertAlmostEqual(found["robot"].pose.position.x, 1, places=2)
        self.assertEqual(self.pose_of("box").orientation, {"w": 1, "x": 0, "y": 0, "z": 0})
        for name in "nobody", "", "dock", "robot.", "a" * 4000:
            self.refused(NOT_FOUND, "get_entities", "GetEntityState", entity=name)
        self.refused(FAILED, "cannot be read", "GetEntityState", entity="a" * 5000)

    def set_entity(self, entity, **fields):
        return self.good("SetEntityState", entity=entity, **fields)

    def test_setting_a_state(self):
        self.serve()
        self.set_state(PAUSED)
        self.set_entity("robot", state={"pose": {"position": point(7, 8, 5), "orientation": {"z": 2}}}, set_pose=True)
        self.good("StepSimulation", steps=1)
        found = self.pose_of("robot")
        self.assertEqual((found.position, found.orientation.z), (point(7, 8, 5), 1))
        self.set_entity("robot", state={"pose": pose(1, 1, 1), "header": {"frame_id": "world"}})
        self.good("StepSimulation", steps=1)
        self.assertAlmostEqual(self.pose_of("robot").position.x, 7, places=3)
        self.set_entity("robot", state={"twist": {"linear": point(0, 3, 20)}}, set_twist=True)
        self.good("StepSimulation", steps=30)
        self.assertGreater(self.pose_of("robot").position.y, 9)
        velocity = self.good("GetEntityState", entity="robot").state.twist.linear
        self.assertGreater(velocity.z, 10)
        before = self.pose_of("robot").position.z
        self.set_entity("robot", state={"pose": pose(0, 0, before)}, set_pose=True)
        self.good("StepSimulation", steps=2)
        self.assertGreater(self.pose_of("robot").position.z, before + 0.1)
        self.set_entity("box", state={"pose": pose(20, 0, 0)}, set_pose=True)
        self.good("StepSimulation", steps=1)
        self.assertEqual(self.pose_of("box").position, point(20, 0, 0))

    def test_states_that_cannot_be_set(self):
        self.serve()
        self.set_state(PAUSED)
        before = self.pose_of("robot")

        def refuse(code, words, entity="robot", **fields):
            self.refused(code, words, "SetEntityState", entity=entity, **fields)

        for wrong in (pose(NAN), pose(0, INFINITE), pose(0, 0, -INFINITE), pose(w=0), pose(w=NAN), pose(w=1e308, x=1e308)):
            refuse(101, "state.pose", state={"pose": wrong}, set_pose=True)
        refuse(101, "beyond", state={"pose": pose(1e9)}, set_pose=True)
        for wrong in {"linear": point(NAN, 0, 0)}, {"angular": point(0, INFINITE, 0)}:
            refuse(FAILED, "state.twist", state={"twist": wrong}, set_twist=True)
        refuse(FAILED, "no body that moves", "box", state={"twist": {}}, set_twist=True)
        refuse(UNSUPPORTED, "accelerations", state={"pose": pose(9)}, set_pose=True, set_acceleration=True)
        refuse(FAILED, "frame_id is 'map'", state={"header": {"frame_id": "map"}, "pose": pose(9)}, set_pose=True)
        refuse(NOT_FOUND, "no entity 'nobody'", "nobody", state={"pose": pose()}, set_pose=True)
        self.good("StepSimulation", steps=1)
        self.assertAlmostEqual(self.pose_of("robot").position.x, before.position.x, places=3)
        self.set_state(STOPPED)
        refuse(INCORRECT_STATE, "stopped", state={"pose": pose(9)}, set_pose=True)

    def test_information(self):
        self.serve()
        info = self.good("GetEntityInfo", entity="robot").info
        self.assertEqual(info, {"category": {"category": 1}, "description": "A rover", "tags": ["outdoor", "heavy"]})
        self.assertEqual(self.good("GetEntityInfo", entity="person").info.category.category, 2)
        info = dict(info, description="A better rover", tags=["new"])
        self.good("SetEntityInfo", entity="robot", info=info)
        self.set_state(PAUSED)
        self.assertEqual(self.good("GetEntityInfo", entity="robot").info, info)
        self.assertEqual(self.good("GetEntities", filters={"tags": {"tags": ["new"]}}).entities, ["robot"])
        self.refused(UNSUPPORTED, "category of 'robot' is 1", "SetEntityInfo", entity="robot", info={"category": {"category": 4}})
        self.refused(NOT_FOUND, "no entity", "SetEntityInfo", entity="nobody", info=info)
        self.refused(NOT_FOUND, "no entity", "GetEntityInfo", entity="nobody")
        self.refused(FAILED, "cannot be read", "SetEntityInfo", entity="robot", info={"description": "a" * 5000})

    def test_bounds(self):
        self.serve()
        bounds = self.good("GetEntityBounds", entity="box").bounds
        self.assertEqual(bounds, {"type": 1, "points": [point(1, 2, 1), point(-1, -2, -1)]})
        self.assertEqual(self.good("GetEntityBounds", entity="robot").bounds.type, 1)
        self.refused(NOT_FOUND, "no entity", "GetEntityBounds", entity="dock")

    def test_bounds_of_what_has_none(self):
        self.serve("robot = FakeRobot('robot')")
        self.assertEqual(self.good("GetEntityBounds", entity="robot").bounds, {"type": 0, "points": []})
        self.assertIn("robot", self.names(bounds={"type": 1, "points": [point(-1, -1, -1), point(1, 1, 1)]}))

    def test_named_poses(self):
        self.serve()
        found = self.good("GetNamedPoses").poses
        self.assertEqual([(one.name, one.description, one.tags, one.pose.position) for one in found],
                         [("dock", "Where to charge", ["goal"], point(3, -4, 1))])
        self.assertEqual(self.good("GetNamedPoses", tags={"tags": ["goal"]}).poses, found)
        self.assertEqual(self.good("GetNamedPoses", tags={"tags": ["no"]}).poses, [])
        self.refused(FAILED, "filter_mode", "GetNamedPoses", tags={"filter_mode": 7})
        self.assertEqual(self.good("GetNamedPoseBounds", name="dock").bounds.type, 1)
        self.refused(NOT_FOUND, "get_named_poses", "GetNamedPoseBounds", name="robot")


class Spawning(SimulationCase):
    KINDS = [
        {"count": 2, "object": {"name": "bot", "classpath": "orrery.robots.atrv.ATRV"}},
        {"count": 3, "object": {"name": "crate", "body": {"type": "rigid", "mass": 3}, "properties": {"description": "A crate"},
                                "shapes": [{"kind": "box", "size": [0.4, 0.6, 0.8]}]}}]

    def open(self):
        self.serve(spawnables=self.KINDS)
        self.set_state(PAUSED)

    def spawn(self, kind="crate", where=None, **fields):
        fields = dict({"name": "", "allow_renaming": True}, **fields)
        return dict(fields, entity_resource={"uri": kind}, initial_pose={"pose": where or pose(4, 5, 6)})

    def names(self):
        return sorted(self.good("GetEntities").entities)

    def step(self):
        self.good("StepSimulation", steps=1)

    def test_features(self):
        self.open()
        features = self.call("GetSimulatorFeatures").features.features
        self.assertLessEqual({0, 1, 14, 23, 50}, set(features))
        self.assertFalse({9, 21, 22} & set(features))

    def test_spawnables(self):
        self.open()
        bot, crate = self.good("GetSpawnables").spawnables
        self.assertEqual([bot.entity_resource.uri, crate.entity_resource.uri], ["bot", "crate"])
        self.assertEqual(crate.description, "A crate")
        upper, lower = crate.spawn_bounds.points
        for axis, half in ("x", 0.2), ("y", 0.3), ("z", 0.4):
            self.assertAlmostEqual(upper[axis], half)
            self.assertAlmostEqual(lower[axis], -half)
        self.assertEqual(self.refused(UNSUPPORTED, "sources", "GetSpawnables", sources=["x"]).spawnables, [])

    def spawned(self, *arguments, **fields):
        return self.good("SpawnEntity", **self.spawn(*arguments, **fields)).entity_name

    def test_come_and_go(self):
        self.open()
        self.assertEqual(self.names(), sorted(ALL))
        # A name that is taken is replaced by one that is not given again.
        self.assertEqual(self.spawned(name="box"), "crate.1")
        self.assertEqual(self.spawned("bot", {"position": point(-4, 5, 0.3), "orientation": {"z": 1, "w": 1}}, name="mine"), "mine")
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["mine", "crate.1"]))
        self.assertEqual(self.pose_of("crate.1").position.x, 4)
        self.assertAlmostEqual(self.pose_of("mine").orientation.z, 0.5 ** 0.5, places=4)
        self.assertEqual(self.pose_of("crate.1"), self.pose_of("crate_1"))
        self.assertEqual([self.good("GetEntityInfo", entity=name).info.category.category for name in ("mine", "crate.1")], [1, 4])
        self.good("DeleteEntity", entity="crate.1")
        # It is not there from now on, although the world is as it was until the next step.
        self.assertEqual(self.names(), sorted(ALL + ["mine"]))
        for name in "crate.1", "crate_1":
            self.refused(NOT_FOUND, "no entity", "DeleteEntity", entity=name)
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["mine"]))
        self.refused(NOT_FOUND, "no entity", "GetEntityState", entity="crate_1")
        self.good("DeleteEntity", entity="bot_1")
        self.assertEqual(self.spawned(), "crate.2")
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["crate.2"]))
        self.good("ResetSimulation", scope=255)
        self.assertEqual(self.names(), sorted(ALL))

    def test_files_and_classes(self):
        """What the scene does not have is added, and what is free of it is taken again."""
        self.write("pole.urdf", POLE)
        self.serve(end=ASKED + "\n" + MAPPED)
        self.assertEqual(self.call("GetSimulatorFeatures").features.spawn_formats, ["urdf"])
        self.assertEqual(self.good("GetSpawnables").spawnables, [])
        self.set_state(PAUSED)
        atrv = "orrery.robots.atrv.ATRV"
        self.assertEqual(self.spawned("pole.urdf"), "pole.1")
        self.assertEqual(self.spawned("pole.urdf", name="mast", allow_renaming=False), "mast")
        self.assertEqual(self.spawned(atrv, pose(1, 1, 0.4)), "ATRV.1")
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["pole.1", "mast", "ATRV.1"]))
        self.assertEqual(self.pose_of("ATRV.1").position["x"], 1)
        self.good("DeleteEntity", entity="pole.1")
        self.step()
        # Its place is free.
        self.assertEqual(self.spawned("pole.urdf"), "pole.2")
        self.assertEqual(self.spawned("file://pole.urdf"), "pole-3.1")
        requests = [self.spawn("pole.urdf", name="p%d" % n) for n in range(3)]
        self.assertEqual([one.entity_name for one in self.good("SpawnEntities", spawn_requests=requests).results], ["p0", "p1", "p2"])
        self.refused(106, "below the directory of the scene", "SpawnEntity", **self.spawn("/etc/pole.urdf"))
        self.refused(106, "below the directory of the scene", "SpawnEntity", **self.spawn("file:///etc/pole.urdf"))
        self.refused(NOT_FOUND, "no file nothing.urdf", "SpawnEntity", **self.spawn("nothing.urdf"))
        self.refused(NOT_FOUND, "did you mean", "SpawnEntity", **self.spawn("orrery.robots.atrv.ATRF"))
        self.refused(NOT_FOUND, "no spawnable", "SpawnEntity", **self.spawn("nothing"))
        self.write("bad.urdf", "<robot")
        self.write("robot.urdf", POLE)
        self.refused(106, "bad.urdf", "SpawnEntity", **self.spawn("bad.urdf"))
        self.assertEqual(self.spawned("robot.urdf"), "robot-2.1")
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["pole.2", "mast", "ATRV.1", "pole-3.1", "p0", "p1", "p2", "robot-2.1"]))

    def test_what_is_added_while_it_runs(self):
        running = self.serve()
        self.set_state(PAUSED)
        self.assertEqual(self.names(), sorted(ALL))
        port = running.await_line("Socket service manager now listening on port").rstrip(".").split()[-1]
        berth = {"object": {"name": "berth", "properties": {"named_pose": True}, "shapes": [{"kind": "box", "size": [1, 1, 1]}]}}
        for kind in self.KINDS + [berth]:
            subprocess.run([PROGRAM, "call", "--port", port, "simulation", "add_spawnable", json.dumps(kind["object"]),
                            str(kind.get("count", 1))], check=True, capture_output=True)
        self.assertEqual([each.entity_resource.uri for each in self.good("GetSpawnables").spawnables], ["bot", "crate", "berth"])
        self.assertEqual([each.name for each in self.good("GetNamedPoses").poses], ["dock"])
        self.assertEqual([self.spawned("bot"), self.spawned(), self.spawned("berth")], ["bot.1", "crate.1", "berth.1"])
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["bot.1", "crate.1"]))
        self.assertEqual([self.good("GetEntityInfo", entity=name).info.category.category for name in ("bot.1", "crate.1")], [1, 4])
        self.assertEqual([each.name for each in self.good("GetNamedPoses").poses], ["dock", "berth.1"])
        self.assertEqual(self.good("GetNamedPoseBounds", name="berth.1").bounds.type, 1)
        self.assertEqual(self.pose_of("crate.1").position.x, 4)

    def test_names_that_are_asked_for(self):
        self.open()
        for name in "crate A", "C-1_x", "\u00e9t\u00e9":
            self.assertEqual(self.spawned(name=name, allow_renaming=name == "C-1_x"), name)
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["crate A", "C-1_x", "\u00e9t\u00e9"]))
        self.assertEqual(self.good("GetEntities", filters={"filter": "^crate"}).entities, ["crate A"])
        self.good("SetEntityState", entity="crate A", state={"pose": pose(7, 8, 9)}, set_pose=True)
        self.step()
        self.assertEqual(self.pose_of("crate A").position, point(7, 8, self.pose_of("crate A").position.z))
        # The tag says under which name the scene has it; it comes with the tags that others set.
        info = self.good("GetEntityInfo", entity="crate A").info
        self.assertEqual((info.description, info.tags), ("A crate", ["place:crate_1"]))
        self.good("SetEntityInfo", entity="crate A", info=dict(info, tags=["place:crate_1", "red"]))
        self.step()
        self.assertEqual(self.good("GetEntityInfo", entity="crate A").info.tags, ["red", "place:crate_1"])
        self.assertEqual(self.good("GetEntities", filters={"tags": {"tags": ["place:crate_2"]}}).entities, ["C-1_x"])
        self.assertEqual(self.good("GetEntityBounds", entity="C-1_x").bounds.type, 1)
        self.good("DeleteEntity", entity="crate A")
        self.refused(NOT_FOUND, "no entity 'crate A'", "DeleteEntity", entity="crate A")
        # Whoever asks for the name of something that is gone gets it; nothing else is as it was.
        self.assertEqual(self.spawned(name="crate A", allow_renaming=False), "crate A")
        self.step()
        self.assertEqual(self.good("GetEntityInfo", entity="crate A").info.tags, ["place:crate_1"])
        self.good("ResetSimulation", scope=4)
        self.step()
        self.assertEqual(self.names(), sorted(ALL))
        self.assertGreater(self.clock(), 0)

    def test_what_cannot_be(self):
        self.open()

        def refuse(code, words, **fields):
            self.assertEqual(self.refused(code, words, "SpawnEntity", **dict(self.spawn(), **fields)).entity_name, "")

        for taken in "box", "robot", "crate_2", "dock", "simulation", "time":
            refuse(101, "something named '%s' already" % taken, name=taken, allow_renaming=False)
        refuse(102, "empty", allow_renaming=False)
        for renaming in False, True:
            for name in "a.b", "crate.1", "a/b", "/":
                refuse(102, "a dot or a slash", name=name, allow_renaming=renaming)
            for name in "a\nb", "\x1b[31m", "a" * 256, "\u20ac" * 1000:
                refuse(102, "not a valid name", name=name, allow_renaming=renaming)
        refuse(103, "resource_string", entity_resource={"resource_string": "<robot/>"})
        refuse(104, "uri is empty", entity_resource={})
        for uri in "file:///x", "crat", "\u20ac" * 100:
            refuse(NOT_FOUND, "no spawnable", entity_resource={"uri": uri})
        refuse(105, "entity_namespace", entity_namespace="ns")
        refuse(109, "frame_id", initial_pose={"header": {"frame_id": "map"}, "pose": pose()})
        for bad in pose(NAN), pose(0, INFINITE), pose(w=NAN), pose(w=0), pose(1.1e8), pose(0, 0, -1e300):
            refuse(109, "not finite|beyond", initial_pose={"pose": bad})
        for size, words in (5000, "cannot be read"), (2 ** 20, "the limit is 65536"):
            refuse(FAILED, words, name="a" * size)
        for n in range(3):
            self.assertEqual(self.spawned(), "crate.%d" % (n + 1))
        refuse(FAILED, "all 3 of 'crate' are spawned")
        refuse(FAILED, "all 3 of 'crate' are spawned", name="fourth", allow_renaming=False)
        self.refused(FAILED, "was not spawned", "DeleteEntity", entity="robot")
        for name in "nobody", "", "bot_1", "crate.4", "\u20ac" * 100:
            self.refused(NOT_FOUND, "no entity", "DeleteEntity", entity=name)
        self.set_state(STOPPED)
        refuse(INCORRECT_STATE, "stopped")

    def test_several_at_once(self):
        self.open()
        requests = [self.spawn(name="a"), self.spawn(name="a", allow_renaming=False), self.spawn("nothing"), self.spawn(name="a"),
                    self.spawn("bot", name="b"), self.spawn(entity_namespace="ns")]
        answer = self.refused(150, "3 of 6 entities were not spawned", "SpawnEntities", spawn_requests=requests)
        self.assertEqual([(one.result.result, one.entity_name) for one in answer.results],
                         [(OK, "a"), (101, ""), (NOT_FOUND, ""), (OK, "crate.2"), (OK, "b"), (105, "")])
        self.assertRegex(answer.results[1].result.error_message, "already")
        self.step()
        self.assertEqual(self.names(), sorted(ALL + ["a", "b", "crate.2"]))
        self.assertEqual(self.good("SpawnEntities", spawn_requests=[]).results, [])
        self.assertEqual([one.entity_name for one in self.good("SpawnEntities", spawn_requests=[self.spawn(name="c")]).results], ["c"])
        self.good("ResetSimulation", scope=4)
        # Many more than there is room for.
        for _ in range(8):
            answer = self.refused(150, "(247|250) of 250", "SpawnEntities", spawn_requests=[self.spawn()] * 250)
            self.assertEqual(len(answer.results), 250)
            self.assertRegex(answer.results[-1].result.error_message, "all 3 of 'crate' are spawned")
        self.set_state(STOPPED)
        self.assertEqual(self.refused(INCORRECT_STATE, "stopped", "SpawnEntities", spawn_requests=[self.spawn()]).results, [])

    @unittest.skipIf(is_sanitized(), "this build keeps what is freed")
    def test_a_thousand(self):
        """After 1,000 spawns and removals names and room are as before, and so is the memory."""
        running = self.serve(spawnables=[dict(self.KINDS[1], count=100)])
        self.set_state(PAUSED)
        self.refused(NOT_FOUND, "no entity", "DeleteEntity", entity="thing-0")
        name, sizes = "/orrery/delete_entity", []
        for start in range(0, 1000, 100):
            things = ["thing-%d" % n for n in range(start, start + 100)]
            results = self.good("SpawnEntities", spawn_requests=[self.spawn(name=one, allow_renaming=False) for one in things]).results
            self.assertEqual([one.entity_name for one in results], things)
            self.step()
            for number in [self.client.ask(name, entity=one) for one in things]:
                self.assertEqual(self.client.take(name, number).result.result, OK)
            self.step()
            with open("/proc/%d/statm" % running.process.pid) as file:
                sizes.append(int(file.read().split()[1]) * 4096)
        self.assertEqual(self.names(), sorted(ALL))
        for name in "thing-0", "thing-999", "crate.1", "crate_1":
            self.refused(NOT_FOUND, "no entity", "GetEntityState", entity=name)
        self.assertEqual([self.spawned(name="thing-%d" % n, allow_renaming=False) for n in range(3)], ["thing-0", "thing-1", "thing-2"])
        self.assertLess(max(sizes[5:]) - sizes[4], 2 ** 20, sizes)

    def test_replay(self):
        """What a peer spawned and deleted comes and goes again, under the same names."""
        running = self.serve("\n".join(line for line in SCENE.splitlines() if "Human" not in line), ASKED,
                             "--record", self.path("run.mcap"), "--hash", spawnables=self.KINDS)
        self.assertEqual(self.spawned("bot", name="mine"), "mine")
        self.assertEqual(len(self.good("SpawnEntities", spawn_requests=[self.spawn(name="a"), self.spawn(name="b")]).results), 2)
        self.set_state(PAUSED)
        self.good("StepSimulation", steps=100)
        self.good("DeleteEntity", entity="a")
        self.good("StepSimulation", steps=5)
        self.assertEqual(self.spawned(where=pose(1, 1, 1), name="a"), "a")
        self.good("StepSimulation", steps=100)
        self.good("ResetSimulation", scope=4)
        self.good("StepSimulation", steps=5)
        self.assertEqual(self.spawned(name="last"), "last")
        self.good("StepSimulation", steps=1)
        self.good("SetEntityState", entity="last", state={"pose": pose(2, 3, 6)}, set_pose=True)
        self.good("SetEntityInfo", entity="last", info={"category": {"category": 4}, "tags": ["red"]})
        self.good("StepSimulation", steps=20)
        end = self.pose_of("last")
        self.assertAlmostEqual(end.position.y, 3, places=6)
        self.assertLess(end.position.z, 6)
        self.interrupt(running)
        value = re.search(r"hash ([0-9a-f]{16})", running.await_line("hash ")).group(1)
        for more in (), ("--from", "2"):
            done = subprocess.run([PROGRAM, "replay", self.path("run.mcap"), "--hash", *more], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done)
            self.assertIn("goes as it went", done.stdout)
            self.assertIn(value, done.stdout)


class Worlds(SimulationCase):
    def test_what_the_host_cannot_do(self):
        self.serve()
        for kind, fields in (("UnloadWorld", {}), ("GetAvailableWorlds", {}), ("GetSpawnables", {"sources": ["x"]}),
                             ("SpawnEntity", {"name": "x", "initial_pose": {"pose": pose(NAN)}}), ("DeleteEntity", {"entity": "robot"}),
                             ("SpawnEntities", {"spawn_requests": [{"name": "x"}]})):
            self.refused(UNSUPPORTED, "not supported: ", kind, **fields)

    def test_the_world(self):
        self.serve()
        world = self.good("GetCurrentWorld").world
        self.assertEqual((world.name, world.world_resource.uri), ("empty", "empty"))

    def test_a_scene_that_lets_nobody_load(self):
        self.serve()
        self.refused(UNSUPPORTED, "add_service", "LoadWorld", world_resource={"uri": "other"})

    def test_load(self):
        self.write("other.py", "from morse.builder import *\nrobot = ATRV('other')\nenv = Environment('empty')\n")
        subprocess.run([PROGRAM, "build", self.path("other.py"), "-o", self.path("other")], check=True, capture_output=True)
        running = self.serve(end=MAPPED)
        for code, words, resource in ((NOT_FOUND, "uri is empty", {}), (UNSUPPORTED, "resource_string", {"resource_string": "<a/>"}),
                                      (FAILED, ".", {"uri": "../x"}), (FAILED, ".", {"uri": "none.json"})):
            self.refused(code, words, "LoadWorld", world_resource=resource)
        self.assertEqual(self.state(), PLAYING)
        world = self.good("LoadWorld", world_resource={"uri": "other"}).world
        self.assertEqual(world.world_resource.uri, "other")
        # The other scene does not ask for these services.
        self.client.peer.await_line("readers /orrery/load_world 0")
        self.assertIsNone(running.process.poll())


class Options(SimulationCase):
    def test_beside_streams_in_a_namespace(self):
        self.serve(SCENE + "pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')",
                   "env.configure_stream_manager('ros2', namespace='lab', distro='humble')\n" + ASKED)
        self.client.add_service("/lab/orrery/get_entities", "simulation_interfaces/GetEntities")
        self.assertIn("robot", self.client.call("/lab/orrery/get_entities").entities)

    def test_options_of_its_own(self):
        self.serve(end="env.configure_stream_manager('ros2_simulation', namespace='own')")
        self.client.add_service("/own/orrery/get_entities", "simulation_interfaces/GetEntities")
        self.assertIn("robot", self.client.call("/own/orrery/get_entities").entities)

    def test_a_scene_that_does_not_ask(self):
        self.run_scene("pose = Pose('pose'); robot.append(pose); pose.add_stream('ros2')")
        peer = self.peer()
        peer.await_line("found rt/robot/pose")
        peer.await_line("found rt/clock")
        self.assertNotIn("get_entities", "".join(peer.seen))


class Steps(SimulationCase):
    NAME = "/orrery/simulate_steps"
    KIND = "simulation_interfaces/SimulateSteps"

    def open(self):
        self.serve()
        place = self.NAME + "/_action/"
        wire = "simulation_interfaces::action::dds_::SimulateSteps"
        for name, kind in ("send_goal", "_SendGoal"), ("get_result", "_GetResult"):
            self.client.add(place + name, wire + kind, self.KIND + kind + "_Request", self.KIND + kind + "_Response")
        self.client.add(place + "cancel_goal", "action_msgs::srv::dds_::CancelGoal", "action_msgs/srv/CancelGoal_Request",
                        "action_msgs/srv/CancelGoal_Response")
        self.tell(self.client.peer, "reader rt%sfeedback %s_FeedbackMessage_ r" % (place, wire))
        self.client.peer.await_line("writers rt%sfeedback 1" % place)
        self.place = place

    def send(self, number, steps):
        answer = self.client.call(self.place + "send_goal", goal_id={"uuid": id_of(number)}, goal={"steps": steps})
        self.assertTrue(answer.accepted)

    def result(self, number):
        answer = self.client.call(self.place + "get_result", goal_id={"uuid": id_of(number)})
        return answer.status, answer.result.result.result, answer.result.result.error_message

    def feedback(self):
        line = self.client.peer.await_line("message rt%sfeedback" % self.place)
        found = cdr.decode(self.KIND + "_FeedbackMessage", bytes.fromhex(line.split()[4])).feedback
        return found.completed_steps, found.remaining_steps

    def test_steps_with_feedback(self):
        self.open()
        self.set_state(PAUSED)
        before = self.clock()
        self.send(1, 6)
        self.assertEqual([self.feedback() for _ in range(6)], [(n, 6 - n) for n in range(1, 7)])
        self.assertEqual(self.result(1), (SUCCEEDED, OK, ""))
        self.assertAlmostEqual(self.clock() - before, 0.1, places=6)

    def test_cancel(self):
        self.open()
        self.set_state(PAUSED)
        self.send(1, 10**9)
        self.feedback()
        answer = self.client.call(self.place + "cancel_goal", goal_info={"goal_id": {"uuid": id_of(1)}})
        self.assertEqual((answer.return_code, len(answer.goals_canceling)), (0, 1))
        status, code, words = self.result(1)
        self.assertEqual((status, code), (CANCELED, FAILED))
        self.assertRegex(words, r"canceled after \d+ of 1000000000 steps")
        self.assertEqual(self.state(), PAUSED)

    def test_goals_that_cannot_be(self):
        self.open()
        self.send(1, 5)
        self.assertEqual(self.result(1)[:2], (ABORTED, INCORRECT_STATE))
        self.set_state(PAUSED)
        for number, steps in enumerate((0, 10**9 + 1, 2**63, 2**64 - 1), 2):
            self.send(number, steps)
            status, code, words = self.result(number)
            self.assertEqual((status, code), (ABORTED, FAILED))
            self.assertIn("from 1 to", words)

    def test_a_run_that_goes_on_in_between(self):
        self.open()
        self.set_state(PAUSED)
        self.send(1, 10**9)
        self.feedback()
        self.set_state(PLAYING)
        self.assertEqual(self.result(1)[:2], (ABORTED, INCORRECT_STATE))


class Page(PageCase):
    def test_the_page(self):
        need(self, why_not("dds-peer"))
        server, printed = self.type_in(chapter("simulation-interfaces.md")[:3])
        answers = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
        self.assertIn(33, answers[0]["features"]["features"])
        self.assertEqual(answers[1]["entities"], ["Ground", "robot"])
        self.assertEqual([answer["result"]["result"] for answer in answers[1:6]], [1] * 5)
        self.assertEqual(answers[5]["state"]["pose"]["position"]["x"], 2)
        self.assertEqual((answers[-1]["status"], answers[-1]["result"]["result"]["result"]), (SUCCEEDED, 1))
        self.assertEqual(server.end(), 0)


if __name__ == "__main__":
    tap.main()
