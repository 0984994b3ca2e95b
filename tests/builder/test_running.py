# SPDX-License-Identifier: BSD-3-Clause
"""What scripts say of things without a record, seen in the simulation that runs."""

import base64
import json
import os
import socket
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, ProgramCase  # noqa: E402

import tap  # noqa: E402

DATA = "/usr/share/morse/data"
HAS_DATA = os.path.isfile(DATA + "/props/objects.blend")

#: Builds the scene in the same process, runs it and prints where everything is.
TAIL = """
def poses(objects):
    for name, (children, position, rotation) in objects.items():
        yield name, [round(value, 3) for value in position]
        yield from poses(children)
sim = env.run(for_=%s)
import json
world = sim.get_world()
found = [world.get_object(i) for i in range(world.get_n_objects())]
print(json.dumps([dict(poses(sim.call('simulation', 'get_scene_objects'))),
                  {o.get_name(): {n: o.get_value(n).unpack() for n in o.get_value_names()} for o in found},
                  {o.get_name(): [[s.get_kind().value_nick, s.is_solid()] for s in o.get_shapes()] for o in found}]))
"""


ARM = """<?xml version="1.0"?>
<robot name="arm">
  <link name="base"/>
  <link name="rod">
    <inertial><mass value="1"/><origin xyz="0 0 0.5"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 0.5"/><geometry><box size="0.1 0.1 1"/></geometry></collision>
  </link>
  <joint name="lift" type="revolute">
    <parent link="base"/><child link="rod"/><axis xyz="0 1 0"/><origin xyz="0 0 0.5"/>
    <limit lower="-1" upper="1" effort="100" velocity="2"/>
  </joint>
</robot>
"""

#: What the simulator of ROS measures on it; the classes are known to who reads the file alone.
MEASURED = """<robot name="r"><link name="base"/><link name="mast"/>
<joint name="m" type="fixed"><parent link="base"/><child link="mast"/><origin xyz=".1 0 .2"/></joint>
<gazebo reference="mast"><sensor name="imu" type="imu"><update_rate>50</update_rate></sensor>
<sensor name="scan" type="gpu_ray"><update_rate>10</update_rate></sensor></gazebo></robot>
"""
SEEN = """<mujoco><worldbody><body name="head" pos="0 0 .5"><geom type="box" size=".1 .1 .1" mass="1"/>
<camera name="eye" pos=".2 0 0" fovy="60" xyaxes="0 -1 0 0 0 1"/></body></worldbody></mujoco>
"""
PLUGINS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery")
HAS_MUJOCO = os.path.exists(os.path.join(PLUGINS, "importers/read-mjcf"))
DRAWS = os.path.exists(os.path.join(PLUGINS, "renderers/mujoco.so"))


class Running(ProgramCase):
    def run_scene(self, script, seconds=1.5, environment="env = Environment('empty')\n"):
        """Positions, properties and shapes by name."""
        path = self.write("scene.py", "from orrery.builder import *\n" + script + "\n" + environment + TAIL % seconds)
        done = self.orrery("python", path, timeout=240)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_primitives_are_bodies(self):
        poses, _, shapes = self.run_scene(
            """
wall = Cube('wall'); wall.scale = (1, 1, 0.25); wall.translate(0, 0, 0.25)
wall._bpy_object.game.physics_type = 'STATIC'
ball = Sphere('ball'); ball.scale = (0.2, 0.2, 0.2); ball.translate(0, 0, 1); ball.set_rigid_body()
tin = Cylinder('tin'); tin.scale = (0.2, 0.2, 0.3); tin.translate(4, 0, 1); tin.set_rigid_body()
tin.set_mass(2)
egg = Sphere('egg'); egg.scale = (0.2, 0.2, 0.3); egg.translate(6, 0, 1); egg.set_dynamic()
ring = Torus('ring'); ring.scale = (0.4, 0.4, 0.4); ring.translate(8, 0, 1); ring.set_rigid_body()
air = Cube('air'); air.translate(10, 0, 3)
locked = Cube('locked'); locked.translate(14, 0, 3); locked.set_rigid_body()
locked._bpy_object.game.lock_location_z = True
spot = Empty('spot'); spot.translate(z=7)
"""
        )
        for name, height in (
            ("wall", 0.25),
            ("ball", 0.7),  # on the wall
            ("tin", 0.3),
            ("egg", 0.3),
            ("ring", 0.1),
            ("air", 3.0),
            ("locked", 3.0),
            ("spot", 7.0),
        ):
            self.assertAlmostEqual(poses[name][2], height, delta=0.1, msg=name)
        self.assertEqual(shapes["wall"], [["box", True]])
        self.assertEqual(shapes["air"], [["box", False]])
        self.assertEqual(shapes["ring"], [["hull", True], ["mesh", False]])

    def test_objects_of_the_environment_are_changed(self):
        poses, values, shapes = self.run_scene("robot = ATRV('robot'); robot.translate(x=8)\n", environment="""
env = Environment('indoors-1/boxes')
red = bpymorse.get_object('RedBox')
red.location = [2, 3, 2.5]; red.translate(x=1)
red.rotation_euler = (0, 0, 1.0)
red.game.physics_type = 'STATIC'
red.properties(Object='', Label='crate')
assert red.location == [3, 3, 2.5] and red.property_value('Label') == 'crate' and red.game.physics_type == 'STATIC'
green = bpymorse.get_object('GreenBox')
green.scale = (1, 1, 0.25)
green.translate(z=1)
blue = bpymorse.get_object('BlueBox')
blue._bpy_object.game.physics_type = 'NO_COLLISION'
blue._bpy_object.game.mass = 3
bpymorse.properties(blue, Weight=3)
bpymorse.get_object('Ground').game.friction = 0.7
for known in ('location', 'rotation_euler', 'scale', 'hide_render'):
    try:
        print(getattr(blue, known))
    except Exception as error:
        assert 'BlueBox.%s: what the file' % known in str(error), error
    else:
        raise SystemExit('the file was not read')
""")
        self.assertEqual(poses["RedBox"], [3, 3, 2.5])
        self.assertEqual((values["RedBox"]["Object"], values["RedBox"]["Label"]), ("", "crate"))
        self.assertAlmostEqual(poses["GreenBox"][2], 0.25, delta=0.1)
        self.assertEqual(poses["BlueBox"], [-3.5, -3, 0.97])
        self.assertEqual(values["BlueBox"]["Weight"], 3)
        self.assertEqual({solid for _, solid in shapes["BlueBox"]}, {False})

    def test_meshes_of_the_environment_are_scaled(self):
        """With a body and without; a plane has no thickness, so its scale along z may be anything, 0 too."""
        square = {"kind": "mesh", "points": [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]],
                  "triangles": [[0, 1, 2], [0, 2, 3]]}
        self.write("pool.json", json.dumps({"environment": {"objects": [
            {"name": "Floor", "shapes": [square], "body": {"type": "static"}, "objects": [
                {"name": "Post", "position": [0.5, 0, 0]}]},
            {"name": "Water", "position": [0, 0, 1], "shapes": [dict(square, solid=False)]},
            {"name": "Dome", "shapes": [{"kind": "sphere", "radius": 1, "solid": False}]},
        ]}}))
        fall = "ball = Sphere('ball'); ball.scale = (0.2, 0.2, 0.2); ball.translate(4, 4, 1); ball.set_rigid_body()\n" \
               "robot = Robot(name='robot')\n"
        scaled = """env = Environment('%s')
bpymorse.get_object('Floor').scale = (10, 10, 0)
bpymorse.get_object('Water').scale = (10, 5, 1)
bpymorse.get_object('Dome').scale = (3, 3, 3)
import ctypes
env._extents = lambda world, name: [max(axis) for axis in zip(*points(world.find_object(name).get_shapes()[0]))]
def points(shape):
    buffer = shape.get_points()
    flat = (ctypes.c_double * (3 * buffer.get_length(0))).from_address(buffer.get_address())
    return list(zip(flat[0::3], flat[1::3], flat[2::3]))
""" % self.path("pool.json")
        plain = "env = Environment('%s')\n" % self.path("pool.json")
        self.assertLess(self.run_scene(fall, 1.0, plain)[0]["ball"][2], -1)  # the control
        poses, *_ = self.run_scene(fall, 1.0, scaled)
        self.assertAlmostEqual(poses["ball"][2], 0.2, delta=0.07)
        self.assertEqual(poses["Floor"], [0, 0, 0])
        done = self.orrery("python", self.write("extents.py", "from orrery.builder import *\n" + fall + scaled + """
world = env.load().get_world()
print([env._extents(world, name) for name in ('Floor', 'Water')])
size = world.find_object('Dome').get_shapes()[0].get_size()
print(size.x, world.find_object('Floor.Post').get_start().position.x)
"""))
        self.assertEqual(done.stdout.splitlines(), ["[[10.0, 10.0, 0.0], [10.0, 5.0, 0.0]]", "3.0 5.0"], done.stderr)
        uneven = scaled.replace("(3, 3, 3)", "(3, 3, 1)").replace("orrery.builder", "morse.builder")
        script = self.write("uneven.py", "from morse.builder import *\n" + fall + uneven)
        self.check(self.orrery("check", script), 65, "uneven.py:7: Dome")

    @unittest.skipUnless(HAS_DATA, "no morse-simulator-data")
    def test_a_scale_takes_the_place_of_that_of_the_file(self):
        """The scale that the file gives is not applied twice: that of the file changes nothing."""
        file = "%s/environments/indoors-1/indoor-1.blend" % DATA
        found = []
        for line in ("", "thing.scale = (0.1, 0.1, 0.1)\n", "thing.scale = (0.2, 0.2, 0.2)\n"):
            done = self.orrery("python", self.write("sizes.py", """
from orrery.builder import *
robot = Robot(name='robot')
env = Environment('%s')
thing = bpymorse.get_object('RedBox')
%sworld = env.load().get_world()
import ctypes
buffer = next(filter(None, (shape.get_points() for shape in world.find_object('RedBox').get_shapes())))
print(max((ctypes.c_double * (3 * buffer.get_length(0))).from_address(buffer.get_address())))
""" % (file, line)))
            self.assertEqual(done.returncode, 0, done.stderr)
            found.append(float(done.stdout.splitlines()[-1]))
        plain, single, double = found
        self.assertAlmostEqual(double / single, 2, delta=1e-6)
        self.assertGreater(plain, 0)

    def test_an_object_that_the_environment_lacks(self):
        script = self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nenv = Environment('empty')\n"
                            "bpymorse.get_object('Grund').location = [0, 0, 1]\n")
        self.check(self.orrery("check", script), 65, "scene.py:4: no object Grund in the environment; did you mean Ground")
        script = self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nenv = Environment('empty')\n"
                            "bpymorse.delete('Ground')\n")
        self.check(self.orrery("check", script), 65, "scene.py:4: delete: Ground is no component; an object of the env")

    @unittest.skipUnless(HAS_DATA, "no morse-simulator-data")
    def test_a_mesh_of_a_file_that_begins_to_move(self):
        poses, _, shapes = self.run_scene("robot = ATRV('robot'); robot.translate(x=8)\n", environment="""
env = Environment('%s/environments/indoors-1/indoor-1.blend')
bpymorse.get_object('RedBox').game.physics_type = 'STATIC'
bpymorse.get_object('RedBox').location = [0, 0, 3]
""" % DATA)
        self.assertEqual(poses["RedBox"], [0, 0, 3])

    def test_modules_that_scripts_of_morse_import(self):
        self.write("scene.py", """
from morse.builder import *
from morse.builder.robots.human import Human as Walker
from morse.builder.robots.pr2 import BasePR2, NavPR2, LocalizedPR2
from morse.builder.robots.morserobots import *
import morse.builder.robots.morserobots as robots
from morse.builder.data import MORSE_DATASTREAM_MODULE, MORSE_SERVICE_DICT
import morse.builder.data as data
assert Walker is Human and robots.ATRV is ATRV and issubclass(BasePR2, Robot), (Walker, robots.ATRV)
assert MORSE_DATASTREAM_MODULE['socket'] == 'morse.middleware.socket_datastream.SocketDatastreamManager'
assert MORSE_SERVICE_DICT['socket'] == 'morse.middleware.socket_request_manager.SocketRequestManager'
MORSE_SERVICE_DICT['socket'] = 'mine'
assert MORSE_SERVICE_DICT['socket'] == 'morse.middleware.socket_request_manager.SocketRequestManager'
print(data.MORSE_DATASTREAM_DICT['morse.sensors.video_camera.VideoCamera']['default']['socket'])
try:
    data.MORSE_DICT
except AttributeError as error:
    print(error)
robot = ATRV()
arm = KukaLWR()
robot.append(arm)
arm.create_ik_targets(['kuka_3'])
arm.create_ik_targets(['kuka_5', 'kuka_3'])
print(arm.property_value('IKTargets'))
env = Environment('empty')
""")
        done = self.orrery("build", "scene.py", "-o", "built")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.splitlines(), [
            "morse.middleware.sockets.video_camera.VideoCameraPublisher",
            "module 'orrery.builder.data' has no attribute 'MORSE_DICT'", "kuka_7,kuka_3,kuka_5"])
        self.assertIn("MORSE_SERVICE_DICT['socket'] = ... has no effect", done.stderr)

    @unittest.skipUnless(HAS_DATA, "no morse-simulator-data")
    def test_things_of_files(self):
        poses, values, shapes = self.run_scene(
            """
table = PassiveObject('props/objects', 'SmallTable'); table.translate(2, 1, 1); table.setgraspable()
tape = PassiveObject('props/objects', 'BlackVideotape', keep_pose=True)
robot = Robot(DATA + '/robots/victim.blend', 'found', 'Victim'); robot.translate(5, 1, 0)
bare = FakeRobot(); bare.append_meshes(['BoxStand_bb'], DATA + '/props/objects.blend')
""".replace("DATA", repr(DATA))
        )
        self.assertEqual(values["table"], {"Object": True, "Graspable": True, "Label": "SmallTable"})
        # The mesh falls on the ground by its own body, half of its 0.65 m above it.
        self.assertAlmostEqual(poses["table.SmallTable_mesh"][2], 0.435, delta=0.15)
        self.assertEqual(poses["table"][:2], [2.0, 1.0])
        self.assertNotEqual(poses["tape"], [0.0, 0.0, 0.0])
        self.assertAlmostEqual(poses["found"][0], 5.0, delta=0.3)
        self.assertEqual(shapes["found"], [["hull", True], ["mesh", False]])
        self.assertIn("bare.BoxStand_bb", poses)
        self.assertNotIn("table.Desk", poses)

    @unittest.skipUnless(HAS_DATA, "no morse-simulator-data")
    def test_parts_keep_their_places(self):
        """A part of a part of a file, alone or with all others, stands where the file has it."""
        self.write(
            "whole.json",
            json.dumps({"orrery": 1, "environment": {"import": DATA + "/props/objects.blend"}}),
        )
        done = self.orrery(
            "python",
            self.write(
                "whole.py",
                "import orrery\n"
                "found = orrery.load('whole.json').call('simulation', 'get_scene_objects')\n"
                "print(*found['SmallTable'][0]['SmallTable.SmallTable_mesh'][1])\n",
            ),
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        wanted = [float(word) for word in done.stdout.split()]
        poses, _, _ = self.run_scene(
            "m = PassiveObject('props/objects', 'SmallTable_mesh', keep_pose=True)\n"
            "m.set_no_collision()\n"
            "away = PassiveObject('props/objects', 'SmallTable_mesh')\n"
            "away.set_no_collision()",
            0.1,
        )
        for seen, place in zip(poses["m"], wanted):
            self.assertAlmostEqual(seen, place, places=2)
        self.assertEqual(poses["away"], [0.0, 0.0, 0.0])
        self.assertNotEqual(wanted, [0.0, 0.0, 0.0])

    def test_a_robot_of_a_urdf_file(self):
        self.write("arm.urdf", ARM)
        self.write(
            "scene.py",
            "from morse.builder import *\narm = Robot('arm.urdf', 'arm'); arm.translate(x=2)\n"
            "joints = Sensor('orrery.sensors.joint_state.JointState', 'joints'); arm.append(joints)\n"
            "lift = Actuator('orrery.actuators.joint.Position', 'lift'); lift.properties(Joint='lift'); arm.append(lift)\n"
            "lift.add_interface('socket')\nenv = Environment('empty')\n",
        )
        done = self.orrery("check", "scene.py")
        self.check(done, 0, "arm.joints", "arm.lift")
        self.write("scene.py", "from morse.builder import *\narm = Robot('arn.urdf', 'arm')\nenv = Environment('empty')\n")
        self.check(self.orrery("check", "scene.py"), 69, "there is no file arn.urdf")

    def test_what_is_not_in_the_file(self):
        self.write("notes.xyzzy", "")
        self.write("scene.py", "from morse.builder import *\nr = Robot('notes.xyzzy', 'r')\nenv = Environment('empty')\n")
        self.check(self.orrery("check", "scene.py"), 69, "no importer for this format", "orrery.importers.xyzzy")

    @unittest.skipUnless(HAS_DATA, "no morse-simulator-data")
    def test_an_object_that_the_file_has_not(self):
        self.write(
            "scene.py",
            "from morse.builder import *\nt = PassiveObject('props/objects', 'SmalTable')\nenv = Environment('empty')\n",
        )
        self.check(
            self.orrery("check", "scene.py"), 69, "no object has a name that begins with 'SmalTable'", "SmallTable"
        )

    def test_tags_of_components(self):
        """What is looked for on any object may be said of sensors and actuators, too."""
        _, values, _ = self.run_scene("""
robot = ATRV('r')
sick = Sick('s'); sick.properties(Object=True, Label='laser', Type='Sensor'); robot.append(sick)
unit = PTU('p'); unit.properties(Graspable=True, Robot_Tag=True); robot.append(unit)
""", 0.1)
        self.assertEqual([values["r.s"][name] for name in ("Object", "Label", "Type")], [True, "laser", "Sensor"])
        self.assertEqual([values["r.p"][name] for name in ("Graspable", "Robot_Tag")], [True, True])
        path = self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nsick = Sick()\n"
                          "sick.properties(Objct=True)\nrobot.append(sick)\nenv = Environment('empty')\n")
        self.check(self.orrery("check", "--strict", path), 65, "Objct")

    def test_colours_of_lamps(self):
        script = "from morse.builder import *\nrobot = ATRV()\nlight = Light()\nlight.properties(color=%r)\n" \
                 "robot.append(light)\nenv = Environment('empty')\n"
        for colour in "(1, 0.5, 0)", "(0,0,0)", "(255,0,0)", "[0.2,0.2,0.2]":
            self.check(self.orrery("check", self.write("scene.py", script % colour)), 0)
        for colour in "red", "(1,0)", "(1,0,0,1)", "(nan,0,0)", "(-1,0,0)":
            self.check(self.orrery("check", self.write("scene.py", script % colour)), 65, "is not red, green and blue")

    def test_a_target_that_is_not_there(self):
        """MORSE goes on without what it was to move."""
        path = self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nmotion = Waypoint()\n"
                          "motion.properties(Target='rboot')\nrobot.append(motion)\nenv = Environment('empty')\n"
                          "env.set_physics('orrery.physics.kinematic.Kinematic')\n")
        done = self.orrery("run", path, "--fast", "--ticks", "3", "--offline")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Target: no object 'rboot' in the scene; did you mean robot", done.stderr)

    def test_classes_that_are_not_there_are_named(self):
        self.write(
            "scene.py",
            "from morse.builder import *\nr = ATRV()\nm = MocapControl(); r.append(m)\nenv = Environment('empty')\n",
        )
        self.check(self.orrery("check", "scene.py"), 69, "orrery.actuators.mocap_control")

    def test_several_nodes(self):
        self.write(
            "scene.py",
            "from morse.builder import *\na = ATRV(); b = ATRV()\nenv = Environment('empty')\n"
            "env.configure_multinode(distribution={'here': ['a'], 'there': ['b']})\nenv.create('here')\n",
        )
        self.check(self.orrery("check", "scene.py"), 0, "ok")
        self.assertIn("orrery.scripts.multinode.Multinode", self.orrery("order", "scene.py").stdout)

    def test_robots_of_other_nodes_are_not_told_of(self):
        """Clients hear of those that this node moves; the others are objects of its scene."""
        self.write(
            "scene.py",
            "from morse.builder import *\na = ATRV(); b = ATRV(); c = ATRV('c'); c.make_external()\n"
            "for robot in (a, b, c):\n    pose = Pose(); robot.append(pose); robot.add_default_interface('socket')\n"
            "env = Environment('empty')\n"
            "env.configure_multinode(distribution={'here': ['a'], 'there': ['b', 'c']})\nenv.create('here')\n",
        )
        process = self.start("run", "scene.py", "--fast")
        port = self.services_port(process)

        def ask(service):
            done = self.orrery("call", "--port", port, "simulation", service)
            self.check(done, 0)
            return json.loads(done.stdout)

        self.assertEqual(ask("list_robots"), ["a"])
        self.assertEqual([robot["name"] for robot in ask("details")["robots"]], ["a"])
        self.assertEqual(ask("list_streams"), ["a.pose"])
        self.assertLessEqual({"a", "b", "c"}, set(ask("get_scene_objects")))

    def offered(self, script):
        """The streams of a scene that runs; each carries records."""
        self.write("scene.py", "from morse.builder import *\nfrom morse.builder.abstractcomponent import Configuration\n"
                   + script + "env = Environment('empty')\n")
        port = self.services_port(self.start("run", "scene.py", "--fast"))

        def ask(service, *arguments):
            done = self.orrery("call", "--port", port, "simulation", service, *arguments)
            self.check(done, 0)
            return json.loads(done.stdout)

        streams = ask("list_streams")
        for name in streams:
            with socket.create_connection(("127.0.0.1", ask("get_stream_port", name)), timeout=60) as stream:
                self.assertIn(b"timestamp", stream.makefile("rb").readline())
        return sorted(streams)

    def test_default_interface_reaches_what_a_file_brings(self):
        self.write("base.urdf", MEASURED)
        streams = self.offered(
            "seen = Robot('base.urdf'); seen.add_default_interface('socket')\n"
            "pose = Pose(); seen.append(pose); pose.add_stream('socket')\n"
            "manager = 'morse.middleware.socket_datastream.Socket'\n"
            "own = [manager + 'DatastreamManager', manager + 'Publisher', 'OUT', {}]\n"
            "Configuration.link_datastream('seen.mast.scan', own)\n"
            "quiet = Robot('base.urdf'); clock = Clock(); clock.add_stream('socket'); quiet.append(clock)\n"
            "none = Robot('base.urdf'); none.import_components(False); none.add_default_interface('socket')\n")
        self.assertEqual(streams, ["quiet.clock", "seen.mast.imu", "seen.mast.scan", "seen.pose"])

    @unittest.skipUnless(HAS_MUJOCO and DRAWS, "built without MuJoCo or its renderer")
    def test_default_interface_reaches_cameras_of_a_file(self):
        """By the codec that a camera has of its own."""
        self.write("head.xml", SEEN)
        script = ("head = Robot('head.xml', 'head'); head.add_default_interface('socket')\n"
                  "env = Environment('empty')\n")
        self.write("scene.py", "from morse.builder import *\n" + script)
        port = self.services_port(self.start("run", "scene.py", "--fast"))
        done = self.orrery("call", "--port", port, "simulation", "get_stream_port", "head.eye")
        self.check(done, 0)
        with socket.create_connection(("127.0.0.1", int(done.stdout)), timeout=120) as stream:
            # Pictures without end: the first may be taken before the client is known.
            with socket.create_connection(("127.0.0.1", int(port)), timeout=120) as services:
                services.sendall(b"id head.eye capture [-1]\n")
                picture = json.loads(stream.makefile("rb").readline())
        self.assertEqual(len(base64.b64decode(picture["image"])), 4 * picture["width"] * picture["height"])

    def test_priorities_and_scripts_count(self):
        self.write(
            "scene.py",
            "from morse.builder import *\na = ATRV(); b = ATRV()\n"
            "for robot in (a, b):\n    pose = Pose(); robot.append(pose)\n"
            "b.priority('first')\na.add_script('orrery.scripts.trace.Trace', 'child')\n"
            "env = Environment('empty')\nenv.set_sandbox('orrery.scripts.trace.Trace')\n",
        )
        done = self.orrery("order", "scene.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        text = done.stdout
        self.assertLess(text.index("b.pose"), text.index("a.pose"))
        self.assertIn("init\ta\tchild\torrery.scripts.trace.Trace", text)
        self.assertIn("init\t-\tsandbox", text)
        done = self.orrery("run", "--fast", "--ticks", "3", "--offline", "scene.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("a/child", done.stderr + done.stdout)

    def test_a_script_within_the_program_runs_nothing_itself(self):
        self.write(
            "scene.py",
            "from morse.builder import *\nr = ATRV()\nenv = Environment('empty')\nenv.run(for_=10)\n",
        )
        done = self.orrery("check", "scene.py")
        self.check(done, 0, "ok")
        self.assertIn("Environment.run() has no effect here", done.stderr)

    def test_scenes_one_after_the_other(self):
        path = self.write(
            "two.py",
            "from orrery.builder import *\nfor gravity in (9.81, 1.0):\n"
            "    ball = Sphere('ball'); ball.translate(z=20); ball.set_rigid_body()\n"
            "    env = Environment('empty'); env.set_gravity(gravity)\n"
            "    sim = env.run(ticks=60)\n"
            "    print(round(sim.call('simulation', 'get_scene_objects')['ball'][1][2]))\n"
            "    new_scene()\n",
        )
        done = self.orrery("python", path, timeout=240)
        self.assertEqual(done.stdout.split(), ["15", "20"], done.stderr)


if __name__ == "__main__":
    tap.main()
