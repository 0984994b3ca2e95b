# SPDX-License-Identifier: BSD-3-Clause
"""What scripts say of components and tables, and what becomes of it."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, BuilderCase, tables

SOCKET = "morse.middleware.socket_datastream.SocketDatastreamManager"
PUBLISHER = "morse.middleware.socket_datastream.SocketPublisher"
READER = "morse.middleware.socket_datastream.SocketReader"
SERVICES = "morse.middleware.socket_request_manager.SocketRequestManager"
TEXT = "morse.middleware.text_datastream.TextDatastreamManager"
NOISE = "morse.modifiers.pose_noise.PoseNoiseModifier"


class Components(BuilderCase):
    def thing(self, lines):
        """The object of a robot on which the lines were run."""
        built = self.built("robot = ATRV()\n%s\nenv = Environment('empty')" % lines)
        return built.scene["objects"][0]

    def test_pose_adds_up_and_can_be_set(self):
        thing = self.thing(
            "robot.translate(1, y=2.5); robot.translate(x=0.125)\nrobot.rotate(z=0.125); robot.rotate(z=0.25)"
        )
        self.assertEqual(
            (thing["position"], thing["rotation"]), ([1.125, 2.5, 0.0], [0.0, 0.0, 0.375])
        )
        thing = self.thing(
            "robot.translate(9); robot.location = (1, 2, 3); robot.rotation_euler = [0, 0, 3.0]"
        )
        self.assertEqual((thing["position"], thing["rotation"]), ([1.0, 2.0, 3.0], [0.0, 0.0, 3.0]))

    def test_a_class_may_have_another_name_in_scripts(self):
        built = self.built(
            "craft = QUAD2012()\nother = Quadrotor()\nenv = Environment('empty')"
        )
        self.assertEqual(
            {thing["name"]: thing["classpath"] for thing in built.scene["objects"]},
            {
                "craft": "morse.robots.quadrotor.Quadrotor",
                "other": "morse.robots.quadrotor_dynamic.Quadrotor",
            },
        )

    def test_pose_at_the_origin_is_left_out(self):
        self.assertEqual(
            set(self.thing("robot.translate(1); robot.translate(-1)")), {"name", "classpath"}
        )

    def test_properties_of_every_type_of_json(self):
        thing = self.thing(
            "robot.properties(b=True, i=-2**63, f=1e308, t='\\u00e9', n=None, l=[1, (2, 3)], "
            "d={'x': {'y': 0.1}}); robot.properties(i=2**63 - 1)"
        )
        self.assertEqual(
            thing["properties"],
            {
                "b": True,
                "d": {"x": {"y": 0.1}},
                "f": 1e308,
                "i": 2**63 - 1,
                "l": [1, [2, 3]],
                "n": None,
                "t": "\u00e9",
            },
        )
        self.assertEqual(list(thing["properties"]), sorted(thing["properties"]))

    def test_property_values(self):
        built = self.built(
            """
            robot = Morsy(); robot.properties(cargo=3)
            pose = Pose(); pose.frequency(5)
            robot.append(pose)
            print(robot.property_value('cargo'), robot.property_value('mass'), robot.property_value('none'),
                  pose.property_value('frequency'), pose.property_value('classpath'))
            env = Environment('empty')
            """
        )
        self.assertEqual(built.out.strip(), "3 15.0 None 5 morse.sensors.pose.Pose")

    def test_one_damping_leaves_the_other(self):
        thing = self.thing("robot._bpy_object.game.rotation_damping = 0.5")
        self.assertEqual(thing["body"], {"damping": [0.04, 0.5]})

    def test_a_colour_may_be_one_sequence(self):
        thing = self.thing("c = Cube('c'); robot.append(c); robot.set_color((1, 0, 0.5))")
        self.assertEqual(thing["objects"][0]["shapes"][0]["color"], [1.0, 0.0, 0.5])

    def test_a_colour_is_that_of_all_that_is_there(self):
        """Of the robot and of what is on it when it is painted, whoever brings its shapes; 1 is the most."""
        built = self.built(
            """
            robot = Morsy()
            pose = Pose(); robot.append(pose)
            robot.set_color((0.25, 2, -1))
            later = Pose(); robot.append(later)
            part = robot.get_child('morsy_mesh')
            robot.set_color(0.5, 0, 1)
            other = Morsy()
            env = Environment('empty')
            """
        )
        robot, other = built.scene["objects"]
        self.assertEqual(robot["color"], [0.5, 0.0, 1.0])
        self.assertEqual([child.get("color") for child in robot["objects"]], [[0.5, 0.0, 1.0]] * 2)
        self.assertNotIn("color", other)
        self.assertEqual(self.thing("robot.set_color(255, 0.5, -1)")["color"], [1.0, 0.5, 0.0])

    def test_a_material_is_that_of_all_that_is_there(self):
        built = self.built(
            """
            robot = ATRV()
            pose = Pose(); robot.append(pose)
            crate = Cube('crate'); robot.append(crate)
            robot.set_material('wood')
            later = Pose(); robot.append(later)
            crate.set_material('steel')
            env = Environment('empty')
            env.add_material('wood', (1, 0.5, 0)); env.add_material('steel', specular=1)
            """
        )
        robot = built.scene["objects"][0]
        self.assertEqual(robot["material"], "wood")
        self.assertEqual({child["name"]: child.get("material") for child in robot["objects"]},
                         {"pose": "wood", "crate": "steel", "later": None})
        for value in "''", "3", "None", "['wood']":
            with self.subTest(value):
                refused = self.build("robot = ATRV()\nrobot.set_material(%s)\nenv = Environment('empty')" % value)
                self.assertEqual(refused.code, 65, refused.err)
                self.assertIn("ATRV.set_material: want the name of a material", refused.first_line)

    def test_a_component_is_shown_by_its_name(self):
        built = self.built(
            "robot = ATRV()\npose = Pose(); robot.append(pose)\nenv = Environment('empty')\nprint(pose, '%s' % robot)"
        )
        self.assertEqual(built.out.strip(), "robot.pose robot")

    def test_some_properties_are_the_scene_s_own(self):
        thing = self.thing(
            "odo = Odometry()\nodo.properties(frequency=10, abstraction_level='raw')\nrobot.append(odo)"
        )
        self.assertEqual(
            thing["objects"][0],
            {
                "name": "odo",
                "classpath": "morse.sensors.odometry.Odometry",
                "frequency": 10,
                "level": "raw",
            },
        )

    def test_placement(self):
        built = self.built(
            "a = Pose(); a.placement('worker', transport='latest', free_running=True, timeout=1)\n"
            "b = Pose(); b.placement('shared', memory=64); c = Pose(); c.placement('shared', memory=64)\n"
            "d = Pose(); d.placement('host')\n"
            "thing = ATRV(); thing.append(a); thing.append(b); thing.append(c); thing.append(d)\n"
            "env = Environment('empty')\n"
        )
        parts = built.scene["objects"][0]["objects"]
        self.assertEqual(
            [[part.get(key) for key in ("placement", "transport", "free_running")] for part in parts],
            [["worker", "latest", True], ["shared", None, None], ["shared", None, None]]
            + [["host", None, None]],
        )
        self.assertEqual(
            built.scene["workers"], {"shared": {"memory": 64}, "thing.a": {"timeout": 1}}
        )

    def test_placement_refused(self):
        for change, words in (
            ("a.placement('worker', timeot=1)", "no setting timeot; did you mean timeout"),
            ("a.placement('host', timeout=1)", "limits apply to workers"),
            ("a.placement('w', memory=1); b.placement('w', memory=2)", "two values for memory"),
        ):
            with self.subTest(change):
                self.refused(
                    "a = Pose(); b = Pose(); %s\n" % change
                    + "thing = ATRV(); thing.append(a); thing.append(b); env = Environment('empty')\n",
                    65,
                    words,
                )

    def test_frequency(self):
        thing = self.thing(
            "a = Pose(); a.frequency(0); b = Pose(); b.frequency(0.5); b.frequency()\n"
            "robot.append(a); robot.append(b)"
        )
        self.assertEqual([part.get("frequency") for part in thing["objects"]], [None, 0.5])

    def test_body(self):
        thing = self.thing(
            "robot.set_mass(12.5); robot.set_friction(0.25); robot.set_no_collision()"
        )
        self.assertEqual(
            thing["body"], {"type": "none", "mass": 12.5, "friction": 0.25}
        )
        thing = self.thing("robot.set_friction(); robot.set_no_collision(); robot.set_rigid_body()")
        self.assertEqual(thing["body"], {"type": "rigid", "margin": 0.0, "friction": 0.0})

    def test_settings_of_blender_s_objects(self):
        thing = self.thing(
            "game = robot._bpy_object.game\ngame.lock_location_z = True; game.mass = 3\n"
            "game.physics_type = 'STATIC'; game.use_actor = True\n"
            "assert game.mass == 3 and game.lock_rotation_x is None\n"
            "robot.translate(1)\nassert robot._bpy_object.location == (1.0, 0.0, 0.0)"
        )
        self.assertEqual(
            thing["body"], {"type": "static", "mass": 3, "lock_position": [False, False, True]}
        )

    def test_margin(self):
        """What moves stands on the ground's margin, as in Blender; a file's own margin stays as it is."""
        scene = self.built(
            "robot = Robot(); robot.set_physics_type('RIGID_BODY')\nenv = Environment('empty')\n"
            "from morse.builder import bpymorse\n"
            "bpymorse.get_object('Ground').game.physics_type = 'RIGID_BODY'\n"
        ).scene
        self.assertEqual(scene["objects"][0]["body"], {"type": "rigid", "margin": 0.0})
        self.assertIn({"name": "Ground", "body": {"type": "rigid"}}, scene["environment"]["changes"])

    def test_margin_of_primitives(self):
        """They are Blender's in scripts of MORSE alone; in others they rest on the surface that is seen."""
        script = "cube = Cube()\ncube.set_physics_type('RIGID_BODY')\n%senv = Environment('empty')\n"
        said = "cube._bpy_object.game.collision_margin = 0.25\n"
        for module, more, margin in (("morse", "", 0.0), ("orrery", "", None), ("orrery", said, 0.25)):
            with self.subTest(module=module, margin=margin):
                self.write("scene.py", "from %s.builder import *\n%s" % (module, script % more))
                built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
                self.assertEqual(built.code, 0, built.err)
                (cube,) = built.scene["objects"]
                self.assertEqual(cube["body"].get("margin"), margin)

    def test_parts_of_parts(self):
        thing = self.thing(
            "mast = Clock()\nrobot.append(mast)\neye = Pose()\nrobot.append(eye, 'mast')\n"
            "assert robot.get_child('ey') is eye and robot.get_child('ey', recursive=False) is None"
        )
        self.assertEqual(thing["objects"][0]["objects"][0]["name"], "eye")

    def test_levels(self):
        thing = self.thing(
            "sonar = Sonar()\nsonar.level('narrow')\nsonar.level('default')\nrobot.append(sonar)"
        )
        self.assertNotIn("level", thing["objects"][0])

    def test_classes_by_classpath(self):
        thing = self.thing(
            "a = Sensor('acme.sonar.Sonar'); b = Sensor('morse.sensors.pose.Pose')\n"
            "c = Actuator('orrery.actuators.v_omega.MotionVW', 'drive'); d = DeepSonar()\n"
            "for part in (a, b, c, d): robot.append(part)"
        )
        self.assertEqual(
            [part["classpath"] for part in thing["objects"]],
            [
                "acme.sonar.Sonar",
                "morse.sensors.pose.Pose",
                "morse.actuators.v_omega.MotionVW",
                "acme.presets.DeepSonar",
            ],
        )

    def test_robots_by_classpath_and_model(self):
        built = self.built(
            "a = Robot('morse.robots.atrv.ATRV'); b = Robot('morsy', 'given'); c = Robot(); "
            "d = GroundRobot('atrv', 'd'); e = WheeledRobot('atrv', 'e'); env = Environment('empty')"
        )
        self.assertEqual(
            [(thing["name"], thing["classpath"]) for thing in built.scene["objects"]],
            [
                ("a", "morse.robots.atrv.ATRV"),
                ("given", "morse.robots.morsy.Morsy"),
                ("c", "morse.core.robot.Robot"),
                ("d", "morse.robots.atrv.ATRV"),
                ("e", "morse.robots.atrv.ATRV"),
            ],
        )
        self.assertEqual(
            [thing.get("properties") for thing in built.scene["objects"]],
            [None, None, None, {"GroundRobot": True}, None],
        )

    def test_classes_of_the_script_s_own(self):
        thing = self.thing(
            """
class Ear(SensorCreator):
    _classpath = 'acme.sonar.Sonar'
    def __init__(self, name=None):
        SensorCreator.__init__(self, name)
        self.properties(depth=2)
class Eye(SensorCreator):
    def __init__(self):
        SensorCreator.__init__(self)
        self.properties(classpath='morse.sensors.pose.Pose')
ear = Ear(); eye = Eye()
robot.append(ear); robot.append(eye)"""
        )
        self.assertEqual(
            thing["objects"],
            [
                {"name": "ear", "classpath": "acme.sonar.Sonar", "properties": {"depth": 2}},
                {"name": "eye", "classpath": "morse.sensors.pose.Pose"},
            ],
        )


class Tables(BuilderCase):
    def config(self, lines):
        """The tables of a robot on which the lines were run."""
        return self.built("robot = ATRV()\n%s\nenv = Environment('empty')" % lines).config

    def test_streams(self):
        config = self.config(
            "pose = Pose(); pose.add_stream('socket', port=7000); pose.add_stream('text', file='p.txt')\n"
            "drive = MotionVW(); drive.add_stream('socket')\nrobot.append(pose); robot.append(drive)"
        )
        self.assertEqual(
            config["component_datastream"],
            {
                "robot.drive": [[SOCKET, READER, "IN", {}]],
                "robot.pose": [
                    [SOCKET, PUBLISHER, "OUT", {"port": 7000}],
                    [TEXT, "morse.middleware.text_datastream.Publisher", "OUT", {"file": "p.txt"}],
                ],
            },
        )

    def test_stream_by_classpath_codec_and_direction(self):
        config = self.config(
            "pose = Pose(); pose.add_stream('%s', '%s', direction='IN'); robot.append(pose)"
            % (SOCKET, "morse.middleware.socket_datastream.SocketPublisher")
        )
        self.assertEqual(
            config["component_datastream"], {"robot.pose": [[SOCKET, PUBLISHER, "IN", {}]]}
        )

    def test_a_stream_writes_the_default_level(self):
        built = self.built(
            "robot = ATRV()\nodo = Odometry(); odo.add_stream('socket'); robot.append(odo)\n"
            "env = Environment('empty')"
        )
        self.assertEqual(built.scene["objects"][0]["objects"][0]["level"], "integrated")

    def test_without_a_stream_the_class_itself_runs(self):
        """Also with services, with a codec by name, and where the script unsays a level."""
        service = "odo.add_service('socket')"
        codec = "odo.add_stream('socket', 'morse.middleware.socket_datastream.SocketPublisher')"
        unsaid = "odo.level('raw'); odo.level('default')"
        for line, level in (
            ("pass", "differential"),
            (service, "differential"),
            (codec, "differential"),
            (unsaid, "differential"),
            ("odo.add_interface('socket')", "integrated"),
            ("robot.add_default_interface('socket')", "integrated"),
            ("odo.level('raw')", "raw"),
        ):
            built = self.built(
                "robot = ATRV()\nodo = Odometry(); robot.append(odo)\n%s\n"
                "env = Environment('empty')" % line
            )
            thing = built.scene["objects"][0]["objects"][0]
            self.assertEqual(thing["level"], level, line)
        built = self.built(
            "robot = ATRV()\nsonar = Sonar(); robot.append(sonar)\nenv = Environment('empty')"
        )
        self.assertNotIn("level", built.scene["objects"][0]["objects"][0])

    def test_the_nearest_codec_wins(self):
        config = self.config(
            """
a = Sonar(); b = Sonar(); b.level('narrow'); c = DeepSonar(); d = Sensor('acme.sonar.NarrowSonar')
for part in (a, b, c, d):
    robot.append(part)
    part.add_stream('socket')"""
        )
        codecs = {name: entries[0][1] for name, entries in config["component_datastream"].items()}
        self.assertEqual(
            codecs,
            {
                "robot.a": "acme.sonar.SonarWriter",
                "robot.b": "acme.sonar.NarrowWriter",
                "robot.c": "acme.sonar.SonarWriter",
                "robot.d": "acme.sonar.SonarWriter",
            },
        )

    def test_a_level_counts_as_its_class_whatever_comes_first_in_the_list(self):
        preset = {"classpath": "p.Preset", "base": "q.Base"}
        classes = [
            preset,
            {"classpath": "q.Narrow", "role": "sensor"},
            {
                "classpath": "q.Base",
                "role": "sensor",
                "levels": [{"name": "narrow", "classpath": "q.Narrow"}],
            },
            {
                "classpath": "q.Blur",
                "role": "modifier",
                "aliases": [{"alias": "Blur", "component": "q.Base"}],
            },
        ]
        listing = json.dumps({"orrery": 1, "modules": [{"module": "q", "classes": classes}]})
        self.write(
            "scene.py",
            """
            from morse.builder import *
            robot = Component()
            for path in ('p.Preset', 'q.Narrow', 'q.Base'):
                part = Sensor(path); part.alter('Blur')
            preset = Sensor('p.Preset'); preset.level('narrow'); preset.alter('Blur')
            print(len(Configuration.tables()['component_modifier']))
            sys.exit(9)
            """,
        )
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", "-", stdin=listing)
        self.assertEqual((built.code, built.out), (9, "3\n"))

    def test_modifiers(self):
        config = self.config(
            """
pose = Pose(); pose.alter('Noise', pos_std=0.1, _2D=True); pose.alter('NED'); pose.alter('UTM')
goal = Waypoint(); goal.alter('NED'); goal.alter('feet')
gyro = Gyroscope(); gyro.alter('Noise')
sonar = DeepSonar(); sonar.alter('Echo')
odo = Odometry(); odo.level('raw'); odo.alter('Noise')
hand = Pose(); hand.alter(classpath='acme.sonar.Echo', direction='shout')
robot.alter('ClockOffset', offset=5)
for part in (pose, goal, gyro, sonar, odo, hand): robot.append(part)"""
        )
        ned = "morse.modifiers.ned."
        self.assertEqual(
            config["component_modifier"],
            {
                "robot": [["morse.modifiers.clock.ClockOffset", "OUT", {"offset": 5}]],
                "robot.goal": [
                    [ned + "CoordinatesFromNED", "IN", {}],
                    ["morse.modifiers.feet.FeetToMeter", "IN", {}],
                ],
                "robot.gyro": [["morse.modifiers.pose_noise.OrientationNoiseModifier", "OUT", {}]],
                "robot.hand": [["acme.sonar.Echo", "shout", {}]],
                "robot.odo": [[NOISE, "OUT", {}]],
                "robot.pose": [
                    [NOISE, "OUT", {"_2D": True, "pos_std": 0.1}],
                    [ned + "CoordinatesToNED", "OUT", {}],
                    ["morse.modifiers.utm.CoordinatesToUTM", "OUT", {}],
                ],
                "robot.sonar": [["acme.sonar.Echo", "OUT", {}]],
            },
        )

    def test_zones(self):
        built = self.built(
            """
            robot = ATRV()
            dock = Zone(type='Charging')
            dock.size = [1.5, 2, 0.25]
            dock.translate(x=4.0)
            wide = Zone('Parking'); wide.name = 'lot'; wide.scale = (10, 10, 1)
            small = Zone('Charging'); small.properties(note='x')
            dock.rotate(z=1.0)
            env = Environment('empty')
            print(dock.size, dock.name)
            """
        )
        self.assertEqual(built.out, "(1.5, 2.0, 0.25) dock\n")
        self.assertIn("warning: Zone.rotate() has no effect: zones do not turn", built.err)

        def box(x, y, z):
            return [{"kind": "box", "size": [x, y, z], "solid": False}]

        self.assertEqual(
            built.scene["objects"][1:],
            [
                {
                    "name": "dock",
                    "position": [4.0, 0.0, 0.0],
                    "properties": {"Type": "Charging", "Zone_Tag": True},
                    "shapes": box(3.0, 4.0, 0.5),
                },
                {
                    "name": "lot",
                    "properties": {"Type": "Parking", "Zone_Tag": True},
                    "shapes": box(20.0, 20.0, 2.0),
                },
                {
                    "name": "small",
                    "properties": {"Type": "Charging", "Zone_Tag": True, "note": "x"},
                    "shapes": box(2.0, 2.0, 2.0),
                },
            ],
        )

    def test_modifiers_that_fit_every_component(self):
        config = self.config(
            """
sonar = DeepSonar(); sonar.alter('Gaussian', field='range', sigma=0.1)
goal = Waypoint(); goal.alter('Gaussian', sigma=1)
robot.alter('Delay')
for part in (sonar, goal): robot.append(part)"""
        )
        noise = "morse.modifiers.noise."
        self.assertEqual(
            config["component_modifier"],
            {
                "robot": [[noise + "Delay", "OUT", {}]],
                "robot.goal": [[noise + "Gaussian", "IN", {"sigma": 1}]],
                "robot.sonar": [[noise + "Gaussian", "OUT", {"field": "range", "sigma": 0.1}]],
            },
        )

    def test_services_and_interfaces(self):
        built = self.built(
            """
            robot = ATRV()
            robot.add_service('socket'); robot.add_interface('socket')
            goal = Waypoint(); goal.add_interface('socket', port=6000); robot.append(goal)
            pose = Pose(); pose.add_service('x', config='%s'); robot.append(pose)
            env = Environment('empty')
            env.add_service('socket'); env.add_interface('socket')
            """
            % SERVICES
        )
        self.assertEqual(
            built.config["component_service"],
            {
                "robot": [SERVICES],
                "robot.goal": [SERVICES],
                "robot.pose": [SERVICES],
                "simulation": [SERVICES],
            },
        )
        self.assertEqual(
            built.config["component_datastream"],
            {"robot.goal": [[SOCKET, READER, "IN", {"port": 6000}]]},
        )

    def test_default_interface_reaches_all_parts_but_not_the_robot(self):
        config = self.config(
            "robot.add_default_interface('socket')\n"
            "pose = Pose(); pose.add_stream('socket', port=1); robot.append(pose)\n"
            "tip = Clock(); pose.append(tip); goal = Waypoint(); robot.append(goal)\n"
            "quiet = Pose(); quiet.mark_unexportable(); robot.append(quiet)"
        )
        self.assertEqual(
            config["component_datastream"],
            {
                "robot.pose": [[SOCKET, PUBLISHER, "OUT", {"port": 1}]],
                "robot.pose.tip": [[SOCKET, PUBLISHER, "OUT", {}]],
                "robot.goal": [[SOCKET, READER, "IN", {}]],
            },
        )
        self.assertEqual(
            config["component_service"],
            {
                name: [SERVICES]
                for name in ("robot.goal", "robot.pose", "robot.pose.tip", "robot.quiet")
            },
        )

    def test_default_interface_that_cannot_carry_a_part(self):
        built = self.built(
            "robot = ATRV()\nrobot.add_default_interface('text')\npose = Pose(); goal = Waypoint()\n"
            "robot.append(pose); robot.append(goal)\nenv = Environment('empty')"
        )
        self.assertEqual(list(built.config["component_datastream"]), ["robot.pose"])
        self.assertIn(
            "goal: the stream text has nothing to read morse.actuators.waypoint.Waypoint", built.err
        )

    def test_overlays(self):
        config = self.config(
            "goal = Waypoint(); robot.append(goal)\ngoal.add_overlay('socket', 'acme.sonar.Loud')\n"
            "goal.add_overlay('socket', 'acme.sonar.Loud', volume=11)"
        )
        self.assertEqual(
            config["overlays"], {SERVICES: {"robot.goal": ["acme.sonar.Loud", {"volume": 11}]}}
        )

    def test_managers_by_classpath(self):
        config = self.config(
            "pose = Pose(); robot.append(pose); pose.add_service('%s')\n"
            "pose.add_overlay('x', 'acme.sonar.Loud', config='%s')" % (SERVICES, SERVICES)
        )
        self.assertEqual(config["component_service"], {"robot.pose": [SERVICES]})
        self.assertEqual(config["overlays"], {SERVICES: {"robot.pose": ["acme.sonar.Loud", {}]}})

    def test_stream_managers_merge(self):
        built = self.built(
            "robot = ATRV()\nenv = Environment('empty')\n"
            "env.configure_stream_manager('socket', time_sync=True, sync_port=1)\n"
            "env.configure_stream_manager('%s', sync_port=2, hosts=('a', 'b'))" % SOCKET
        )
        self.assertEqual(
            built.config["stream_manager"],
            {SOCKET: {"hosts": ("a", "b"), "sync_port": 2, "time_sync": True}},
        )

    def test_managers_of_services_have_options(self):
        said = "env.configure_stream_manager('%s', port=4001)" % SERVICES
        built = self.built("robot = ATRV()\nenv = Environment('empty')\n" + said)
        self.assertEqual(built.config["stream_manager"], {SERVICES: {"port": 4001}})

    def test_options_are_kept_as_they_were(self):
        config = self.config(
            "options = [1]\npose = Pose(); robot.append(pose)\n"
            "pose.add_stream('socket', list=options); options.append(2)\n"
            "pose.add_stream('socket', text='a\"b\\'c\\n\\\\' * 40)"
        )
        self.assertEqual(
            [entry[3] for entry in config["component_datastream"]["robot.pose"]],
            [{"list": [1]}, {"text": "a\"b'c\n\\" * 40}],
        )

    def test_configuration_by_hand(self):
        built = self.built(
            """
            robot = ATRV()
            pose = Pose(); robot.append(pose)
            Configuration.link_datastream(pose, ['a.B', 'a.C', 'OUT', {}])
            Configuration.link_modifier(pose, ['m.N', 'IN', {'k': 1}])
            Configuration.link_service('simulation', 's.T')
            Configuration.link_service('old.name', 's.T')
            Configuration.link_overlay(pose, 's.T', 'o.P', {})
            Configuration.link_stream_manager_config('a.B', {'x': 1})
            Configuration.set_frequency(pose, 90)
            Configuration.update_name('old.name', 'robot.new')
            assert Configuration.has_datastream_configuration(pose, 'a.B')
            assert not Configuration.has_datastream_configuration(pose, 'a.X')
            assert Configuration.has_service_configuration('simulation', 's.T')
            assert not Configuration.has_service_configuration(pose, 's.T')
            assert Configuration.max_frequency() == 90
            other = ATRV(); more = Pose(); other.append(more); more.add_service('socket')
            env = Environment('empty')
            print(Configuration.write_config(['other']))
            """
        )
        self.assertEqual(
            built.config,
            {
                "component_datastream": {"robot.pose": [["a.B", "a.C", "OUT", {}]]},
                "component_modifier": {"robot.pose": [["m.N", "IN", {"k": 1}]]},
                "component_service": {
                    "simulation": ["s.T"],
                    "robot.new": ["s.T"],
                    "other.more": [SERVICES],
                },
                "overlays": {"s.T": {"robot.pose": ["o.P", {}]}},
                "stream_manager": {"a.B": {"x": 1}},
            },
        )
        self.assertEqual(tables(built.out)["component_service"], {"other.more": [SERVICES]})
        self.assertEqual(tables(built.out)["component_datastream"], {})


class Arcs(BuilderCase):
    def test_a_fan_that_was_made_stays(self):
        """Until it is made again; what is no matter of the fan counts whenever it is set."""
        built = self.built(
            """robot = FakeRobot()
a = Sick('a'); a.properties(resolution=2.0); a.create_laser_arc(); a.properties(resolution=3.0, laser_range=7.0)
a.properties(scan_window=20.0); robot.append(a)
b = Sick('b'); b.create_laser_arc(); b.properties(resolution=3.0); b.create_laser_arc(); robot.append(b)
c = SickLDMRS('c'); c.properties(layers=2); robot.append(c)
env = Environment('empty')
"""
        )
        found = [dict(part["properties"]) for part in built.scene["objects"][0]["objects"]]
        self.assertEqual((found[0]["resolution"], found[0]["scan_window"], found[0]["laser_range"]), (2.0, 180.0, 7.0))
        self.assertEqual((found[1]["resolution"], found[2]["layers"]), (3.0, 2))
        self.assertEqual(built.err.count("the fan was made before"), 2, built.err)


if __name__ == "__main__":
    tap.main()
