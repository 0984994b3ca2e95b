# SPDX-License-Identifier: BSD-3-Clause
"""What builder scripts become: the scene, the tables, the names."""

import json
import os
import stat
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, SOURCE, BuilderCase, environment, tables


# What MORSE's documentation prints for examples/first_scene.py.
SEED = """
component_datastream = {'robot.odometry':
    [['morse.middleware.socket_datastream.SocketDatastreamManager',
        'morse.middleware.socket_datastream.SocketPublisher',
        {}]],
'robot.pose':
            [['morse.middleware.socket_datastream.SocketDatastreamManager',
             'morse.middleware.socket_datastream.SocketPublisher',
            {}]],
'robot.waypoint':
            [['morse.middleware.socket_datastream.SocketDatastreamManager',
            'morse.middleware.socket_datastream.SocketReader',
            {}]]}
component_modifier = {'robot.pose': [['morse.modifiers.pose_noise.PoseNoiseModifier', {}]]}
component_service = {'robot.waypoint': ['morse.middleware.socket_request_manager.SocketRequestManager']}
overlays = {}
stream_manager = {'morse.middleware.socket_datastream.SocketDatastreamManager': {'sync_port': 5000,
                                                                                 'time_sync': True}}
"""


def without_direction(config):
    """The tables as the seed prints them: entries without IN and OUT."""
    stripped = dict(config)
    for table in ("component_datastream", "component_modifier"):
        stripped[table] = {
            name: [[item for item in entry if item not in ("IN", "OUT")] for entry in entries]
            for name, entries in config[table].items()
        }
    return stripped


class FirstScene(BuilderCase):
    def build_example(self):
        script = os.path.join(SOURCE, "examples", "first_scene.py")
        return self.run_builder(script, "-o", "out", "--plugins-json", PLUGINS)

    def test_tables_are_those_of_the_seed(self):
        built = self.build_example()
        self.assertEqual(built.code, 0, built.err)
        self.assertEqual(without_direction(built.config), tables(SEED))
        self.assertEqual(list(built.config), list(tables(SEED)))

    def test_another_script_differs_from_the_seed(self):
        built = self.built(
            "robot = ATRV()\npose = Pose()\npose.add_stream('text')\nrobot.append(pose)\n"
            "env = Environment('empty')"
        )
        self.assertNotEqual(without_direction(built.config), tables(SEED))

    def test_scene(self):
        built = self.build_example()
        self.assertEqual(
            built.scene,
            {
                "orrery": 1,
                "environment": {"import": "empty"},
                "objects": [
                    {
                        "name": "robot",
                        "classpath": "morse.robots.atrv.ATRV",
                        "objects": [
                            {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
                            {
                                "name": "odometry",
                                "classpath": "morse.sensors.odometry.Odometry",
                                "level": "differential",
                            },
                            {"name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint"},
                        ],
                    }
                ],
                "component_config": "component_config.py",
            },
        )
        self.assertTrue(built.texts["scene.json"].endswith("}\n"))
        self.assertEqual(built.err, "")

    def test_twice_the_same_bytes(self):
        self.assertEqual(self.build_example().texts, self.build_example().texts)


class Files(BuilderCase):
    SCRIPT = "from morse.builder import *\nrobot = ATRV()\nenv = Environment('empty')\n"

    def test_list_on_standard_input(self):
        self.write("scene.py", self.SCRIPT)
        with open(PLUGINS, encoding="utf-8") as stream:
            built = self.run_builder(
                "scene.py", "-o", "out", "--plugins-json", "-", stdin=stream.read()
            )
        self.assertEqual(self.names(built), ["robot"])

    def test_list_from_the_program(self):
        self.write("scene.py", self.SCRIPT)
        program = self.write(
            "program",
            """
            #!/bin/sh
            test "$*" = "plugins --json" && cat '%s'
            """
            % PLUGINS,
        )
        os.chmod(program, 0o755)
        built = self.run_builder("scene.py", "-o", "out", env=environment(ORRERY_PROGRAM=program))
        self.assertEqual(self.names(built), ["robot"], built.err)

    def test_replaces_and_leaves_nothing_else(self):
        self.built("robot = ATRV()\nenv = Environment('empty')")
        built = self.built("other = Morsy()\nenv = Environment('empty')")
        self.assertEqual(self.names(built), ["other"])

    def test_failure_keeps_the_old_files(self):
        old = self.built("robot = ATRV()\nenv = Environment('empty')")
        new = self.build("robot = Morsy()\nenv = Environment('empty')\nraise ValueError('late')")
        self.assertEqual((new.code, new.texts), (65, old.texts))

    def test_mode_follows_the_umask(self):
        mask = os.umask(0o022)
        self.addCleanup(os.umask, mask)
        self.built("robot = ATRV()\nenv = Environment('empty')")
        mode = os.stat(os.path.join(self.directory, "scene.json")).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o644)


class Script(BuilderCase):
    """What the script itself can see."""

    def test_runs_as_main_with_its_arguments_and_directory(self):
        self.write("helper.py", "word = 'found'\n")
        built = self.built(
            """
            import json, helper
            robot = ATRV()
            env = Environment('empty')
            print(json.dumps([__name__, sys.argv, sys.argv[sys.argv.index('--') + 1:], helper.word,
                              sys.path[0] == os.path.dirname(os.path.realpath(__file__)),
                              sys.modules['__main__'].robot is robot]))
            """,
            "fast",
            "--depth",
            "3",
        )
        self.assertEqual(
            json.loads(built.out),
            [
                "__main__",
                ["scene.py", "fast", "--depth", "3"],
                ["fast", "--depth", "3"],
                "found",
                True,
                True,
            ],
        )

    def test_options_as_python_gives_them(self):
        """To argparse, and to what MORSE's scripts do."""
        script = """
            import argparse, json
            parser = argparse.ArgumentParser()
            parser.add_argument("--depth", type=int, default=7)
            parser.add_argument("words", nargs="*")
            options = parser.parse_args()
            robot = ATRV()
            env = Environment('empty')
            # As in MORSE, whose scripts find Blender's command line.
            own = sys.argv[sys.argv.index('--') + 1:] if '--' in sys.argv else None
            print(json.dumps([options.depth, options.words, own, len(sys.argv), sys.argv.count('--')]))
            """
        for given, expected in (
            ([], [7, [], [], 1, 0]),
            (["--depth", "3"], [3, [], ["--depth", "3"], 3, 0]),
            (["fast", "far", "--depth=2"], [2, ["fast", "far"], ["fast", "far", "--depth=2"], 4, 0]),
            # Their own, which they see as it is.
            (["fast", "--", "--depth"], [7, ["fast", "--depth"], ["--depth"], 4, 1]),
        ):
            with self.subTest(given):
                self.assertEqual(json.loads(self.built(script, *given).out), expected)

    def test_main_guard(self):
        built = self.built(
            "if __name__ == '__main__':\n    robot = ATRV()\n    env = Environment('empty')"
        )
        self.assertEqual(self.names(built), ["robot"])

    def test_exit_without_a_code_is_an_end(self):
        built = self.built("robot = ATRV()\nenv = Environment('empty')\nsys.exit()")
        self.assertEqual(self.names(built), ["robot"])

    def test_modules_have_both_names(self):
        built = self.built(
            """
            import morse.builder, orrery.builder
            import morse.builder.sensors, morse.builder.bpymorse
            from morse.builder.sensors import Pose as P, SensorCreator
            from morse.builder.actuators import *
            from morse.builder.robots import Morsy as M
            from morse.builder.environment import Environment as E
            from morse.builder.abstractcomponent import AbstractComponent, Configuration as C, timer
            from morse.builder.creator import ComponentCreator
            assert morse.builder is orrery.builder and P is Pose and M is Morsy and C is Configuration
            assert isinstance(Waypoint(), ActuatorCreator) and issubclass(P, SensorCreator)
            m = M()
            m.append(Pose())
            for component in list(bpymorse.get_objects()):
                if component.parent is None and component is not m:
                    m.append(component)
            env = E('empty')
            """
        )
        self.assertEqual(built.scene["objects"][0]["name"], "m")

    def test_star_offers_every_component_once(self):
        built = self.built(
            """
            from morse.builder import *
            print(sorted(n for n in ('ATRV', 'Pose', 'Sonar', 'DeepSonar', 'MotionVW', 'RawOdometry') if n in globals()))
            print(Pose()._classpath)
            for component in bpymorse.get_objects(): ATRV().append(component)
            env = Environment('empty')
            """
        )
        self.assertEqual(
            built.out.splitlines(),
            [
                "['ATRV', 'DeepSonar', 'MotionVW', 'Pose', 'RawOdometry', 'Sonar']",
                "orrery.sensors.pose.Pose",
            ],
        )


class Naming(BuilderCase):
    def test_variables_name_roots_and_parts(self):
        built = self.built(
            """
            robot = ATRV()
            arm = Clock()
            inner = Pose()
            arm.append(inner)
            robot.append(arm)
            env = Environment('empty')
            """
        )
        self.assertEqual(self.names(built), ["robot", "robot.arm", "robot.arm.inner"])

    def test_names_that_were_given_win(self):
        built = self.built(
            """
            a = ATRV('first')
            b = ATRV()
            b.name = 'second'
            pose = Pose('here')
            a.append(pose)
            env = Environment('empty')
            """
        )
        self.assertEqual(self.names(built), ["first", "first.here", "second"])

    def test_loop_variables_get_numbers(self):
        built = self.built(
            """
            for i in range(3):
                m = Morsy()
                m.append(Pose())
                AbstractComponent.close_context()
            env = Environment('empty')
            """
        )
        self.assertEqual(
            self.names(built), ["m", "m.Pose", "m_001", "m_001.Pose", "m_002", "m_002.Pose"]
        )

    def test_without_close_context_only_the_last_has_a_name(self):
        built = self.built("for i in range(3):\n    m = Morsy()\nenv = Environment('empty')")
        self.assertEqual(self.names(built), ["Morsy", "Morsy_001", "m"])

    def test_siblings_collide_cousins_do_not(self):
        built = self.built(
            """
            a = ATRV(); b = ATRV()
            for robot in (a, b):
                for i in range(2):
                    pose = Pose()
                    robot.append(pose)
            env = Environment('empty')
            """
        )
        self.assertEqual(
            self.names(built), ["a", "a.pose", "a.pose_001", "b", "b.pose", "b.pose_001"]
        )

    def test_a_name_given_twice_is_told(self):
        """Of names that the script gives; numbers behind variables and classes are what loops count on."""
        script = "a = ATRV('m')\nb = ATRV('m')\nb.append(Pose())\nb.append(Pose())\nenv = Environment('empty')"
        built = self.built(script)
        self.assertEqual(self.names(built)[-3:], ["m_001", "m_001.Pose", "m_001.Pose_001"])
        self.assertEqual(built.err.count("warning"), 1)
        self.assertRegex(built.err, r"scene.py:\d+: warning: the name m is taken; this one is m_001")
        built = self.built("m = ATRV()\nb = ATRV('m')\nenv = Environment('empty')")
        self.assertRegex(built.err, r"scene.py:3: warning: the name m is taken; this one is m_001")
        built = self.built("for i in range(2):\n    m = ATRV()\n    AbstractComponent.close_context()\nenv = Environment('empty')")
        self.assertNotIn("warning", built.err)

    def test_degrees_are_told(self):
        """An angle beyond a whole turn was meant in degrees."""
        built = self.built("a = ATRV()\na.rotate(z=90)\na.rotate(x=-6.28)\nenv = Environment('empty')")
        self.assertEqual(built.err.count("warning"), 1)
        self.assertRegex(built.err, r"scene.py:\d+: warning: a?(ATRV)?.rotate: z=90 .*radians\(90\)")
        built = self.built("env = Environment('empty')\nbpymorse.get_object('Ground').rotate(z=180)")
        self.assertRegex(built.err, r"warning: Ground.rotate: z=180 ")

    def test_cameras_turn_as_the_package_says(self):
        """Of morse.builder as MORSE's, of orrery.builder as all components."""
        script = "from %s.builder import *\na = ATRV()\neye = VideoCamera()\na.append(eye)\neye.rotate(x=0.5, y=0.25)\n" \
                 "env = Environment('empty')\n"
        for package, angles in (("morse", [0.0, -0.25, 0.5]), ("orrery", [0.5, 0.25, 0.0])):
            self.write("scene.py", script % package)
            built = self.run_builder("scene.py", "-o", "out-" + package, "--plugins-json", PLUGINS)
            self.assertEqual(built.code, 0, built.err)
            with open(self.path("out-%s/scene.json" % package), encoding="utf-8") as stream:
                eye = json.load(stream)["objects"][0]["objects"][0]
            self.assertEqual(eye["rotation"], angles)

    def test_suffix_steps_over_a_name_that_is_taken(self):
        built = self.built(
            "a = ATRV('m_001'); b = ATRV('m'); c = ATRV('m'); env = Environment('empty')"
        )
        self.assertEqual(self.names(built), ["m_001", "m", "m_002"])

    def test_attributes_of_self_name_parts(self):
        built = self.built(
            """
            class Scout(Morsy):
                def __init__(self):
                    Morsy.__init__(self)
                    self.eye = Pose()
                    self.append(self.eye)
                    drive = MotionVW()
                    self.append(drive)
            scout = Scout()
            env = Environment('empty')
            """
        )
        self.assertEqual(self.names(built), ["scout", "scout.eye", "scout.drive"])

    def test_level_reaches_the_caller_of_the_caller(self):
        built = self.built(
            """
            def mount(robot, part):
                robot.append(part, level=2)
            def fit():
                eye = Pose()
                mount(robot, eye)
            robot = ATRV()
            fit()
            env = Environment('empty')
            """
        )
        self.assertEqual(self.names(built), ["robot", "robot.eye"])

    def test_locals_of_the_function_that_makes_the_environment(self):
        built = self.built(
            """
            def setup():
                inside = ATRV()
                env = Environment('empty')
            outside = ATRV()
            setup()
            """
        )
        self.assertEqual(self.names(built), ["ATRV", "inside"])

    def test_constructors_of_a_derived_environment_are_skipped(self):
        built = self.built(
            """
            class Hall(Environment):
                def __init__(self):
                    robot = ATRV()
                    Environment.__init__(self, 'empty')
            class Great(Hall):
                def __init__(self):
                    Hall.__init__(self)
            seen = ATRV()
            env = Great()
            """
        )
        self.assertEqual(self.names(built), ["seen", "ATRV"])

    def test_made_after_the_environment_is_not_renamed(self):
        built = self.built(
            "a = ATRV()\nenv = Environment('empty')\nb = ATRV()\np = Pose()\nb.append(p)\nenv.create()"
        )
        self.assertEqual(self.names(built), ["a", "ATRV", "ATRV.p"])

    def test_renaming_off(self):
        built = self.built(
            "a = ATRV()\nb = ATRV('given')\nenv = Environment('empty', component_renaming=False)"
        )
        self.assertEqual(self.names(built), ["ATRV", "given"])

    def test_full_names_can_be_read_after_the_environment(self):
        built = self.built(
            "robot = ATRV()\npose = Pose()\nrobot.append(pose)\nprint(pose.name)\n"
            "env = Environment('empty')\nprint(pose.name, pose.basename)"
        )
        self.assertEqual(built.out.splitlines(), ["pose", "robot.pose pose"])

    def test_hook_after_renaming(self):
        built = self.built(
            """
            class Scout(Morsy):
                def after_renaming(self):
                    self.properties(known_as=self.name)
            one = Scout(); two = Scout()
            env = Environment('empty')
            """
        )
        self.assertEqual(
            [thing["properties"]["known_as"] for thing in built.scene["objects"]], ["one", "two"]
        )

    def test_tables_follow_names(self):
        built = self.built(
            """
            robot = ATRV()
            pose = Pose()
            pose.add_stream('socket')
            robot.append(pose)
            pose.alter('NED')
            pose.name = 'late'
            env = Environment('empty')
            robot.name = 'last'
            """
        )
        self.assertEqual(
            (list(built.config["component_datastream"]), list(built.config["component_modifier"])),
            (["last.late"], ["last.late"]),
        )


if __name__ == "__main__":
    tap.main()
