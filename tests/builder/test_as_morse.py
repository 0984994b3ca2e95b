# SPDX-License-Identifier: BSD-3-Clause
"""What the scene of a script that takes the builder by MORSE's name has, and that of others has not."""

import gzip
import json
import os
import struct
import subprocess
import sys
import textwrap
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, BuilderCase, environment, single

BUILD = os.environ.get("ORRERY_TEST_BUILDDIR")


class Order(BuilderCase):
    def created(self, script):
        """The components by their full names, in the order in which they were created."""
        found = {}

        def walk(things, prefix):
            for thing in things:
                if "created" in thing:
                    self.assertNotIn(thing["created"], found)
                    found[thing["created"]] = prefix + thing["name"]
                walk(thing.get("objects", []), prefix + thing["name"] + ".")

        walk(self.built(script).whole["objects"], "")
        return [found[number] for number in sorted(found)]

    def test_the_scene_says_in_which_order_components_were_constructed(self):
        self.assertEqual(
            self.created(
                """
                pose = Pose()
                box = Cube()
                gone = Odometry()
                robot = ATRV()
                eye = Kinect()
                robot.append(eye)
                bpymorse.delete(gone)
                robot.append(pose)
                env = Environment('empty')
                """
            ),
            ["robot.pose", "robot", "robot.Kinect", "robot.Kinect.rgb", "robot.Kinect.depth"],
        )

    def test_a_script_of_morse_asks_for_its_order(self):
        """However it takes the builder by MORSE's name, itself or by a module of its own; others do not."""
        lines = {
            "from morse.builder import *": "morse",
            "import morse.builder; Environment = morse.builder.Environment": "morse",
            "from morse.builder.environment import Environment": "morse",
            "from orrery.builder import *": None,
            "from orrery.builder.environment import Environment": None,
            "from helper_of_morse import *": "morse",
            "from helper_of_ours import *": None,
        }
        for own in ("morse", "ours"):
            name = "morse" if own == "morse" else "orrery"
            self.write("helper_of_%s.py" % own, "from %s.builder import *\n" % name)
        for line, order in lines.items():
            with self.subTest(line):
                self.write("scene.py", line + "\nenv = Environment('empty')\n")
                built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
                self.assertEqual(built.whole["environment"].get("component_order"), order, built.err)
                self.assertEqual(built.whole["environment"].get("not_finite"), order and "words")
        for package, order in (("morse", "morse"), ("orrery", None)):
            for module in ("morserobots", "human", "pr2"):
                self.write(
                    "scene.py",
                    "from %s.builder.robots.%s import ATRV\n"
                    "from orrery.builder import Environment\nenv = Environment('empty')\n" % (package, module),
                )
                built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
                self.assertEqual(built.whole["environment"].get("component_order"), order, built.err)


PRECISE = """
from %s.builder import *
robot = ATRV()
robot.translate(0.1, z=0.2)
robot.translate(0.1)
robot.rotate(z=1.57)
robot.set_mass(0.3)
robot.set_friction(0.7)
robot.set_color(0.9, 0.8, 0.7)
pose = Pose()
pose.location = (0.3, 0.0, 0.0)
pose.frequency(0.1)
pose.properties(number=43.6, text="43.6", flag=True, count=7, deep=[43.6])
assert pose.property_value('number') == %r, pose.property_value('number')
assert list(pose.location) == [%r, 0.0, 0.0]
pose.alter('Gaussian', pos_std=0.1)
robot.append(pose)
box = Cube()
box.scale = (0.1, 1.0, 1.0)
zone = Zone('Charging')
zone.size = (0.1, 1, 1)
env = Environment('empty')
env.properties(longitude=43.6)
env.simulator_frequency(60.1)
env.set_gravity(9.7)
thing = bpymorse.get_object('Ground')
thing.translate(0.1)
thing.game.mass = 0.3
"""


class Precision(BuilderCase):
    """MORSE keeps what objects have in 32 bits; what Blender does not keep stays as it is."""

    def numbers(self, package, number, place):
        self.write("scene.py", PRECISE % (package, number, place))
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
        self.assertEqual(built.code, 0, built.err)
        robot, box, zone = built.scene["objects"]
        (pose,) = robot["objects"]
        env = built.scene["environment"]
        (change,) = env["changes"]
        rounded = [
            robot["position"][0], robot["position"][2], robot["rotation"][2], robot["body"]["mass"],
            robot["body"]["friction"], *robot["color"], pose["position"][0], pose["properties"]["number"],
            box["shapes"][0]["size"][0], zone["shapes"][0]["size"][0], env["properties"]["longitude"],
            change["move"][0], change["body"]["mass"],
        ]
        exact = [
            pose["frequency"], pose["properties"]["text"], pose["properties"]["count"], pose["properties"]["deep"][0],
            built.config["component_modifier"]["robot.pose"][0][2]["pos_std"], env["frequency"], env["gravity"][2],
        ]
        return rounded, exact

    def test_what_is_rounded(self):
        plain = [0.2, 0.2, 1.57, 0.3, 0.7, 0.9, 0.8, 0.7, 0.3, 43.6, 0.2, 0.2, 43.6, 0.1, 0.3]
        exact = [0.1, "43.6", 7, 43.6, 0.1, 60.1, -9.7]
        self.assertEqual(self.numbers("orrery", 43.6, 0.3), (plain, exact))
        rounded, others = self.numbers("morse", single(43.6), single(0.3))
        self.assertEqual(others, exact)
        self.assertEqual(rounded, [single(value) for value in plain])
        self.assertEqual(single(43.6), 43.599998474121094)

    def test_integers_beyond_32_bits_are_warned_of(self):
        script = "robot = ATRV()\nrobot.properties(a=2**31 - 1, b=-(2**31), c=2**31)\nenv = Environment('empty')"
        built = self.built(script)
        self.assertEqual(built.scene["objects"][0]["properties"], {"a": 2**31 - 1, "b": -(2**31), "c": 2**31})
        self.assertEqual(len(built.err.splitlines()), 1, built.err)
        self.assertRegex(built.err, r"scene\.py:3: warning: .*\bc: 2147483648\b")

    def test_what_does_not_fit_stays(self):
        built = self.built("robot = ATRV()\nrobot.properties(a=1e300)\nenv = Environment('empty')")
        self.assertEqual(built.scene["objects"][0]["properties"], {"a": 1e300})


class Habits(BuilderCase):
    """What scripts of MORSE do, and what MORSE makes of it."""

    def test_the_last_append_counts(self):
        self.refused("a = ATRV('a'); b = ATRV('b'); a.append(b)\nb.append(a)", 65, "cannot be a part of itself")
        built = self.built(
            """
            a = ATRV('a')
            b = ATRV('b')
            clock = Clock()
            a.append(clock)
            b.append(clock)
            b.append(clock)
            clock.add_stream('socket')
            env = Environment('empty')
            """
        )
        self.assertEqual(self.names(built), ["a", "b", "b.clock"])
        self.assertEqual(list(built.config["component_datastream"]), ["b.clock"])
        self.assertRegex(built.err, r"(?m)^scene\.py:6: warning: clock .*\ba\b.*\bb\b")

    def test_an_append_twice_is_told(self):
        built = self.built("a = ATRV('a'); p = Pose('p')\na.append(p)\na.append(p)\nenv = Environment('empty')")
        self.assertEqual(self.names(built), ["a", "a.p"])
        self.assertRegex(built.err, r"(?m)^scene\.py:4: warning: p is appended to a twice")
        self.assertNotIn("already", built.err)

    def test_gravity_that_pulls_upwards_is_told(self):
        """MORSE's takes the amount downwards; a newcomer writes what other simulators take."""
        built = self.built("env = Environment('empty')\nenv.set_gravity(-9.81)")
        self.assertGreater(built.scene["environment"]["gravity"][2], 0)
        self.assertRegex(built.err, r"scene\.py:3: warning: set_gravity\(-9.81\) pulls upwards.*set_gravity\(9.81\)")
        self.assertNotIn("warning", self.built("env = Environment('empty')\nenv.set_gravity(0)").err)

    def test_the_older_word_for_the_frequency(self):
        """One of MORSE's own examples, scenarii/quadrotor_dynamic_example.py, has it."""
        self.refused("env = Environment('empty')\nenv.simulator_frequency(60, fps=50)", 65, "fps")
        built = self.built("env = Environment('empty')\nenv.simulator_frequency(fps=60, logic_step_max=5, physics_step_max=5)")
        env = built.scene["environment"]
        self.assertEqual((env["frequency"], env["logic_step_max"]), (60, 5))
        self.assertRegex(built.err, r"scene\.py:3: warning: simulator_frequency \(fps=\.\.\.\) .* simulator_frequency \(base_frequency=")

    def test_what_is_below_1_counts_as_1(self):
        self.refused("env = Environment('empty')\nenv.simulator_frequency(60, 1.5)", 65, "whole number")
        for call in (
            "bpymorse.set_speed(fps=200, logic_step_max=0, physics_step_max=0)",
            "env.simulator_frequency(200, 0, -3)",
        ):
            with self.subTest(call):
                built = self.built("env = Environment('empty')\n" + call)
                env = built.scene["environment"]
                self.assertEqual((env["logic_step_max"], env["physics_step_max"]), (1, 1))
                self.assertRegex(built.err, r"scene\.py:3: warning: .*logic_step_max.*counts as 1")
                self.assertRegex(built.err, r"scene\.py:3: warning: .*physics_step_max.*counts as 1")
        built = self.built("env = Environment('empty')\nenv.set_physics_step_sub(0)")
        self.assertEqual(built.scene["environment"]["physics_substeps"], 1)
        self.assertIn("counts as 1", built.err)

    def test_the_classpath_says_whether_it_is_a_sensor(self):
        self.refused("Robot('morse.sensors.pose.Pose')", 65, "is of the role sensor, not robot")
        self.refused("Pose().properties(classpath='acme.sonar.Loud')", 65, "is of the role overlay, not sensor")
        built = self.built(
            """
            robot = ATRV()
            human = Human()
            arm = Armature(armature_name='HumanSkeleton')
            arm.properties(classpath='morse.sensors.pose.Pose')
            arm.add_stream('socket')
            robot.append(arm)
            other = Sensor('morse.actuators.waypoint.Waypoint')
            other.add_stream('socket')
            robot.append(other)
            env = Environment('empty')
            """
        )
        arm, other = built.scene["objects"][0]["objects"]
        self.assertEqual(arm["classpath"], "morse.sensors.pose.Pose")
        self.assertNotIn("properties", arm)
        streams = built.config["component_datastream"]
        self.assertEqual([streams[name][0][2] for name in ("robot.arm", "robot.other")], ["OUT", "IN"])

    def test_the_box_of_a_collision_sensor(self):
        done = self.build("Collision().scale = (0, 1, 1)")
        self.assertEqual(done.code, 65, done.err)
        self.assertIn("above 0", done.err)
        built = self.built(
            """
            robot = ATRV()
            bumper = Collision(); bumper.scale = (0.5, 0.25, 0.125); robot.append(bumper)
            other = Collision(); robot.append(other)
            assert tuple(bumper.scale) == (0.5, 0.25, 0.125)
            assert tuple(other.scale) == (0.02, 0.02, 0.02)
            env = Environment('empty')
            """
        )
        bumper, other = built.scene["objects"][0]["objects"]
        self.assertEqual(bumper["shapes"], [{"kind": "box", "size": [1.0, 0.5, 0.25]}])
        self.assertNotIn("shapes", other)

    def test_a_scale_of_0_makes_a_thing_flat(self):
        self.refused("Cube().scale = (-1, 1, 1)", 65, "at least 0")
        built = self.built(
            """
            board = Cube(); board.scale = (2, 3, 0)
            disc = Sphere(); disc.scale = (1, 1, 0)
            floor = Plane(); floor.scale = (5, 5, 0); floor.set_physics_type('STATIC')
            line = Cube(); line.scale = (1, 0, 0)
            env = Environment('empty')
            """
        )
        board, disc, floor, line = built.scene["objects"]
        for thing in (board, disc, floor):
            (shape,) = thing["shapes"]
            self.assertEqual({point[2] for point in shape["points"]}, {0.0})
            for corners in shape["triangles"]:
                (ax, ay, _), (bx, by, _), (cx, cy, _) = (shape["points"][i] for i in corners)
                self.assertNotEqual((bx - ax) * (cy - ay), (by - ay) * (cx - ax))
        self.assertEqual(len(board["shapes"][0]["triangles"]), 4)
        self.assertEqual(len(floor["shapes"][0]["triangles"]), 2)
        self.assertNotIn("shapes", line)

    def test_a_model_of_morse_s_may_have_its_suffix(self):
        data = self.path("root/share/morse/data/props")
        os.makedirs(data)
        kitchen = self.write("root/share/morse/data/props/kitchen.blend", "")
        script = """
            a = PassiveObject('props/kitchen.blend', 'A')
            b = PassiveObject('props/kitchen', 'B')
            env = Environment('empty')
            """
        env = environment(MORSE_ROOT=self.path("root"))
        self.write("scene.py", "from morse.builder import *\n" + textwrap.dedent(script))
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS, env=env)
        self.assertEqual(built.code, 0, built.err)
        self.assertEqual([thing["import"]["file"] for thing in built.scene["objects"]], [kitchen, kitchen])
        near = self.write("props/kitchen.blend", "")  # a path counts first
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS, env=env)
        self.assertEqual([thing["import"]["file"] for thing in built.scene["objects"]], [near, kitchen])
        del near
        self.write("scene.py", "from morse.builder import *\na = PassiveObject('props/no.blend', 'A')\n")
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS, env=env)
        self.assertEqual(built.code, 69)
        self.assertIn(data, built.first_line)

    def test_materials_by_bpy(self):
        """The colour that a material has in the end, on all that have it."""
        built = self.built(
            """
            import bpy
            red = bpy.data.materials.new('red')
            red.diffuse_color = (0.25, 0, 0)
            box = Cube(); box._bpy_object.active_material = red
            ball = Sphere(); ball._bpy_object.data.materials.append(bpy.data.materials['red'])
            bare = Cube()
            robot = ATRV(); robot._bpy_object.active_material = bpymorse_free = bpy.data.materials.new('red')
            assert bpymorse_free.name == 'red.001', bpymorse_free.name
            assert sorted(bpy.data.materials.keys()) == ['red', 'red.001']
            assert box._bpy_object.active_material is red
            bpy.data.materials["red"].diffuse_color = (1, 0, 0)
            bpymorse_free.diffuse_color = (0, 2, 0, 1)
            env = Environment('empty')
            """
        )
        box, ball, bare, robot = built.scene["objects"]
        for thing in (box, ball):
            self.assertEqual(thing["shapes"][0]["color"], [1.0, 0.0, 0.0])
        self.assertNotIn("color", bare["shapes"][0])
        self.assertEqual(robot["color"], [0.0, 1.0, 0.0])
        self.assertEqual(built.err, "")

    def test_materials_by_bpymorse(self):
        """MORSE's helpers make and find the same materials."""
        built = self.built(
            """
            from morse.builder import bpymorse
            red = bpymorse.create_new_material()
            assert bpymorse.get_last_material() is red is bpymorse.get_material(red.name)
            assert bpymorse.get_materials().keys() == ['Material']
            red.diffuse_color = (1, 0, 0)
            box = Cube(); box._bpy_object.active_material = red
            env = Environment('empty')
            """
        )
        self.assertEqual(built.scene["objects"][0]["shapes"][0]["color"], [1.0, 0.0, 0.0])

    def test_materials_of_files(self):
        """The scene has the colour that each gets in the end, by its name in the file."""
        built = self.built(
            """
            import bpy
            bpy.data.materials['wall'].diffuse_color = (1, 0, 0)
            bpy.data.materials['floor'].diffuse_color = (0, 0.5, 0, 1)
            assert bpy.data.materials['wall'].diffuse_color == (1, 0, 0)
            bpy.data.materials['wall'].diffuse_color = (0, 0, 2)
            bpy.data.materials['only_read'].diffuse_color
            bpy.data.materials.new('made').diffuse_color = (1, 1, 1)
            env = Environment('empty')
            """
        )
        colors = [{"name": "wall", "color": [0.0, 0.0, 1.0]}, {"name": "floor", "color": [0.0, 0.5, 0.0]}]
        self.assertEqual(built.scene["materials"], colors)
        self.assertEqual(built.err, "")

    def test_what_a_material_cannot_do_is_a_warning(self):
        built = self.built(
            """
            import bpy
            bpy.data.materials['of_a_file'].alpha = 0.5
            mine = bpy.data.materials.new('mine')
            mine.specular_intensity = 0.5
            mine.use_shadeless = True
            env = Environment('empty')
            """
        )
        lines = built.err.splitlines()
        self.assertEqual(len(lines), 3, built.err)
        for line, number, word in zip(lines, (3, 5, 6), ("of_a_file.alpha", "specular_intensity", "use_shadeless")):
            self.assertRegex(line, r"^scene\.py:%d: warning: .*\b%s\b" % (number, word))

    def test_the_viewer_s_camera(self):
        built = self.built(
            """
            env = Environment('empty')
            env._bpy_object.data.clip_end = 400
            bpymorse.get_object('CameraFP').data.clip_start = 0.01
            camera = bpymorse.get_object('Camera')
            camera.data.clip_end = 400
            camera.location = (1, 2, 3)
            camera.data.clip_end = 500
            assert camera.location == (1, 2, 3)
            """
        )
        lines = built.err.splitlines()
        self.assertEqual(len(lines), 4, built.err)
        for line, number in zip(lines, (3, 4, 6, 7)):
            self.assertRegex(line, r"^scene\.py:%d: warning: .*(clip_end|clip_start|location) has no effect" % number)
        self.assertNotIn("changes", built.scene["environment"])

    def test_a_component_may_be_called_as_the_camera(self):
        built = self.built(
            "robot = ATRV('Camera')\nenv = Environment('empty')\nbpymorse.get_object('Camera').location = (1, 2, 3)"
        )
        self.assertEqual(built.scene["objects"][0]["position"], [1.0, 2.0, 3.0])
        self.assertEqual(built.err, "")

    def test_an_armature_that_is_not_there_is_a_key_error(self):
        self.write("rig.blend.txt", "")
        with open(self.path("rig.blend"), "wb") as stream:
            name = b"OBRig.L".ljust(66, b"\0")
            block = struct.pack("<4sIQII", b"OB\0\0", 32 + len(name), 1, 0, 1) + bytes(32) + name
            other = struct.pack("<4sIQII", b"ME\0\0", 8, 2, 0, 1) + bytes(8)
            stream.write(b"BLENDER-v270" + other + block + struct.pack("<4sIQII", b"ENDB", 0, 0, 0, 0))
        with open(self.path("rig.blend"), "rb") as stream, gzip.open(self.path("packed.blend"), "wb") as packed:
            packed.write(stream.read())
        for file in ("rig.blend", "packed.blend"):
            built = self.built(
                """
                robot = Robot('%s')
                arm = Armature('arm', 'Rig.L')
                robot.append(arm)
                try:
                    Armature('Armature', 'no_such_object')
                except KeyError as error:
                    print('caught', error)
                env = Environment('empty')
                """
                % file
            )
            self.assertIn("caught", built.out)
            self.assertIn("no_such_object", built.out)
            self.assertEqual(built.scene["objects"][0]["objects"][0]["properties"], {"armature": "Rig.L"})
        self.assertNotEqual(self.build("robot = ATRV()\nArmature('Armature', 'no_such_object')").code, 0)
        # Of a format that only the host reads, and of robots with joints, nothing is known here.
        self.write("arm.urdf", "")
        self.assertEqual(self.built("Robot('arm.urdf'); a = Robot(); a.append(Armature('x', 'y'))\n"
                                    "env = Environment('empty')").code, 0)

    @unittest.skipIf(BUILD is None, "no program, and no list of its classes")
    def test_what_a_pr2_asks_for_over_ros(self):
        program = os.path.join(BUILD, "orrery")
        done = subprocess.run([program, "plugins", "--json"], stdout=subprocess.PIPE, check=True, timeout=60)
        listing = json.loads(done.stdout)
        home = "orrery.middleware.ros."
        known = {entry["classpath"] for module in listing["modules"] for entry in module["classes"]}
        self.assertIn(home + "jointstate.JointStatePR2Publisher", known)
        classes = {
            home + "overlays.armatures.ArmatureController": {"role": "overlay"},
        }
        listing["modules"].append({"module": "ros", "classes": [dict(entry, classpath=path)
                                                               for path, entry in classes.items() if path not in known]})
        self.write("list.json", json.dumps(listing))
        self.write("scene.py", "from morse.builder import *\nr = NavPR2(); r.add_interface('ros')\n"
                               "h = Human(); h.add_interface('ros')\nenv = Environment('empty')\n")
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", "list.json")
        self.assertEqual(built.code, 0, built.err)
        home = "morse.middleware.ros."
        streams = {
            name: (entry[0][1][len(home) :].rpartition(".")[2], entry[0][3].get("topic"))
            for name, entry in built.config["component_datastream"].items()
        }
        state = "JointTrajectoryControllerStatePublisher"
        names = {"torso": "torso_lift", "torso.head": "head", "torso.l_arm": "l_arm", "torso.r_arm": "r_arm"}
        self.assertEqual(
            streams,
            {
                "r.joint_state": ("JointStatePR2Publisher", "/joint_states"),
                **{"r.%s.pose" % part: (state, "/%s_controller/state" % name) for part, name in names.items()},
                "r.motion": ("TwistReader", "/cmd_vel"),
                "r.odometry": ("OdometryPublisher", "/odom"),
                "r.base_scan": ("LaserScanPublisher", "/scan"),
                "h.skeleton.joint_states": ("JointStatePublisher", None),
            },
        )
        controller = home + "overlays.armatures.ArmatureController"
        overlays = {"r." + part: [controller, {"namespace": "/%s_controller" % name}] for part, name in names.items()}
        overlays["h.skeleton"] = [controller, {}]
        self.assertEqual(built.config["overlays"], {"morse.middleware.ros_request_manager.RosRequestManager": overlays})
        self.assertEqual(sorted(built.config["component_service"]), ["h.skeleton", "r.joint_state"])


if __name__ == "__main__":
    tap.main()
