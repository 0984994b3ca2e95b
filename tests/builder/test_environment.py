# SPDX-License-Identifier: BSD-3-Clause
"""What scripts say of the environment, and what becomes of it."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import BuilderCase


class EnvironmentFile(BuilderCase):
    def environment(self, lines, robot="robot = ATRV()", arguments=""):
        built = self.built("%s\nenv = Environment('empty'%s)\n%s" % (robot, arguments, lines))
        self.err = built.err
        return built.scene["environment"]

    def test_nothing_said_nothing_written(self):
        self.assertEqual(self.environment("env.create()"), {"import": "empty"})

    def test_defaults_said_nothing_written(self):
        self.assertEqual(
            self.environment(
                "env.set_time_strategy(TimeStrategies.BestEffort); env.set_gravity(9.81); env.set_physics_step_sub(2)\n"
                "env.set_time_scale(accelerate_by=1); env.use_relative_time(False)"
            ),
            {"import": "empty"},
        )

    def test_everything(self):
        environment = self.environment(
            "env.simulator_frequency(100, 5, 4); env.set_time_strategy(TimeStrategies.FixedSimulationStep)\n"
            "env.set_time_scale(slowdown_by=4); env.use_relative_time(True); env.set_gravity(1.62)\n"
            "env.set_physics_step_sub(5); env.set_physics('orrery.physics.kinematic.Kinematic'); env.set_seed(7)\n"
            "env.properties(longitude=43.5, UTMXOffset='123456.7'); env.properties(latitude=1.5)"
        )
        self.assertEqual(
            list(environment.items()),
            [
                ("frequency", 100),
                ("time_strategy", "fixed_step"),
                ("logic_step_max", 5),
                ("physics_step_max", 4),
                ("time_scale", 0.25),
                ("use_relative_time", True),
                ("auto_tune", False),
                ("seed", 7),
                ("gravity", [0.0, 0.0, -1.62]),
                ("physics", "orrery.physics.kinematic.Kinematic"),
                ("physics_substeps", 5),
                ("import", "empty"),
                ("properties", {"UTMXOffset": "123456.7", "latitude": 1.5, "longitude": 43.5}),
            ],
        )

    def test_auto_tuning_raises_to_the_fastest(self):
        robot = "robot = ATRV()\npose = Pose(); pose.frequency(100); robot.append(pose)"
        self.assertEqual(self.environment("", robot), {"frequency": 100, "import": "empty"})

    def test_auto_tuning_never_lowers(self):
        robot = "robot = ATRV()\npose = Pose(); pose.frequency(20); robot.append(pose)"
        self.assertEqual(self.environment("", robot), {"import": "empty"})

    def test_without_auto_tuning_no_raise(self):
        robot = "robot = ATRV()\npose = Pose(); pose.frequency(100); robot.append(pose)"
        for lines, arguments in (
            ("", ", auto_tune_time=False"),
            ("env.simulator_frequency()", ""),
            ("env.set_time_strategy(TimeStrategies.FixedSimulationStep)", ""),
        ):
            with self.subTest(lines + arguments):
                environment = self.environment(lines, robot, arguments)
                self.assertIs(environment["auto_tune"], False)
                self.assertNotEqual(environment.get("frequency"), 100)
                self.assertEqual(self.err, "")  # it is the host that warns, with the line

    def test_no_warning_at_the_base_frequency(self):
        self.environment(
            "env.simulator_frequency(100)",
            "robot = ATRV()\np = Pose(); p.frequency(100); robot.append(p)",
        )
        self.assertEqual(self.err, "")

    def test_without_a_window_a_warning_once(self):
        self.environment(
            """
for i in range(3):
    env.set_camera_location([1, 2, 3]); env.aim_camera([0, 0, 0])
env.place_camera(); env.show_framerate(); env.use_vsync('OFF')
env.select_display_camera(robot); env.use_internal_syncer(); robot.make_ghost()"""
        )
        lines = self.err.splitlines()
        self.assertEqual(len(lines), 8, self.err)
        self.assertTrue(
            lines[0].startswith(
                "scene.py:6: warning: Environment.set_camera_location has no effect"
            ),
            lines,
        )

    def test_of_components_too(self):
        self.environment(
            """
pose = Pose(); robot.append(pose); pose.add_stream('socket', path='/a/b'); pose.profile(); pose.select()
robot.set_collision_bounds(); robot.set_use_record_animation(); robot.unparent_wheels()
bpymorse.fullscreen(); bpymorse.set_viewport(); pose.morseable(); assert pose.is_morseable()""",
            robot="robot = WheeledRobot('atrv')",
        )
        for word in (
            "path",
            "profile()",
            "set_collision_bounds()",
            "animation()",
            "fullscreen()",
            "set_viewport()",
        ):
            self.assertEqual(self.err.count(word + " has no effect"), 1, word)

    def test_bpymorse_speed(self):
        environment = self.environment("", "bpymorse.set_speed(120, 3, 2)\nrobot = ATRV()")
        self.assertEqual(
            environment,
            {
                "frequency": 120,
                "logic_step_max": 3,
                "physics_step_max": 2,
                "auto_tune": False,
                "import": "empty",
            },
        )
        self.assertEqual(self.environment("bpymorse.set_speed(fps=50)")["frequency"], 50)

    def test_bpymorse_objects(self):
        built = self.built(
            "robot = ATRV()\npose = Pose(); robot.append(pose)\nenv = Environment('empty')\n"
            "assert bpymorse.get_object('robot.pose') is pose and bpymorse.get_objects() == [robot, pose]\n"
            "bpymorse.properties(pose, deep=1)"
        )
        self.assertEqual(built.scene["objects"][0]["objects"][0]["properties"], {"deep": 1})

    def test_environments_of_the_list_and_of_the_search_path(self):
        built = self.built("env = Environment('indoors-1/boxes')")
        self.assertEqual(
            (built.scene["environment"], built.scene["objects"]),
            ({"import": "indoors-1/boxes"}, []),
        )
        self.write("plugins/orrery/environments/caves/deep.json", "{}")
        listing = self.write(
            "list.json",
            json.dumps(
                {"orrery": 1, "directories": [self.path("plugins")], "modules": [], "errors": []}
            ),
        )
        self.write("scene.py", "from morse.builder import *\nenv = Environment('caves/deep')\n")
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", listing)
        self.assertEqual(built.scene["environment"], {"import": "caves/deep"}, built.err)
        self.write("plugins/orrery/environments/caves/dim-plain.json", "{}")
        self.write("scene.py", "from morse.builder import *\nenv = Environment('caves/dim')\n")
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", listing)
        self.assertEqual(built.scene["environment"], {"import": "caves/dim"}, built.err)


if __name__ == "__main__":
    tap.main()
