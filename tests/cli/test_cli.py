# SPDX-License-Identifier: BSD-3-Clause
"""The program: help, usage, check, build, plugins, diff."""

import json
import os
import unittest

from support import BUILD, SCENE, SCRIPT, SOURCE, ProgramCase

import tap

COMMANDS = ("run", "build", "check", "order", "plugins", "new", "diff", "python", "echo", "call")


class Usage(ProgramCase):
    def test_help_names_every_command(self):
        self.check(self.orrery("--help"), 0, *COMMANDS)
        self.check(self.orrery("-h"), 0, "Usage: orrery COMMAND")

    def test_help_of_each_command(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                self.check(self.orrery(command, "--help"), 0, "orrery " + command)

    def test_version(self):
        self.check(self.orrery("--version"), 0, "orrery 0.")

    def test_nothing(self):
        self.check(self.orrery(), 64, "Usage: orrery COMMAND")

    def test_an_unknown_option_names_the_nearest(self):
        self.check(self.orrery("run", "--fst", "a.py"), 64, "--fst; did you mean --fast\n")
        self.check(self.orrery("plugins", "--jsno=3"), 64, "; did you mean --json\n")
        done = self.orrery("run", "--zzzzzzzz", "a.py")
        self.check(done, 64, "--zzzzzzzz")
        self.assertNotIn("did you mean", done.stderr)

    def test_an_option_before_the_command_is_told_its_place(self):
        self.check(self.orrery("--fast", "run", "a.py"), 64, "--fast; those of a command stand after it")

    def test_a_directory_that_was_not_built(self):
        """A site of MORSE is one: its script is named."""
        directory = self.path("site")
        os.mkdir(directory)
        done = self.orrery("check", directory)
        self.check(done, 66, "orrery: %s/scene.json: there is no such file, which `orrery build` writes\n" % directory)
        script = self.write("site/default.py", SCRIPT)
        self.check(self.orrery("run", directory), 66, "there is a script, %s" % script)
        self.check(self.orrery("check", script), 0)

    def test_files_and_directories_that_are_not_there(self):
        self.check(self.orrery("diff", "a", "b"), 66, "orrery: a: there is no such file\n")
        self.check(self.orrery("plugins", "--plugin-dir", "absent"), 66, "orrery: --plugin-dir absent: ")

    def test_an_unknown_command_names_the_nearest(self):
        self.check(self.orrery("chekc"), 64, "no command 'chekc'; did you mean check")

    def test_wrong_options(self):
        for arguments in (["--frobnicate"], ["run", "--frobnicate", "x"], ["run"], ["run", "a", "b"], ["diff", "a"],
                          ["build", "x.py"], ["run", "x", "--for", "soon"], ["run", "x", "--for", "-1"],
                          ["run", "x", "--ticks", "1.5"], ["run", "x", "--seed", "-1"], ["run", "x", "--threads", "two"],
                          ["run", "x", "--threads", "257"], ["run", "x", "--start", "nan"],
                          ["run", "x", "--wall", "1e300"], ["new", "sensor"], ["call", "robot"],
                          ["call", "--port", "69536", "simulation", "state"],
                          ["echo", "--port", "0", "robot.pose"]):
            with self.subTest(arguments=arguments):
                self.check(self.orrery(*arguments), 64, "--help")


    def test_the_option_that_is_wrong_is_named(self):
        for option in ("--for", "--wall", "--ticks"):
            done = self.orrery("run", "x", option, "0")
            self.check(done, 64, "%s: a number above 0, not 0" % option)
            others = {"--for", "--wall", "--ticks"} - {option}
            self.assertFalse([other for other in others if other in done.stderr], done.stderr)


class Python(ProgramCase):
    def test_options_of_the_interpreter(self):
        """-c, -m and the like, with what stands behind them."""
        code = "import orrery, sys; print(orrery.__name__, sys.argv[1:])"
        self.check(self.orrery("python", "-c", code, "--ticks", "-h"), 0, "orrery ['--ticks', '-h']")
        self.check(self.orrery("python", "-W", "error", "-c", "raise SystemExit(7)"), 7)
        self.write("own.py", "import sys; print(__name__, sys.argv[1:])")
        self.check(self.orrery("python", "-m", "own", "-x"), 0, "__main__ ['-x']")
        self.check(self.orrery("python", "own.py", "-x"), 0, "__main__ ['-x']")
        self.check(self.orrery("python", "--", "own.py", "-x"), 0, "__main__ ['-x']")

    def test_mistakes(self):
        self.check(self.orrery("python"), 64, "--help")
        self.check(self.orrery("python", "--help"), 0, "FILE", "-c CODE")
        self.check(self.orrery("python", "absent.py"), 66, "absent.py: there is no such file")
        self.check(self.orrery("python", "-c"), 2, "-c")


class Check(ProgramCase):
    def test_a_scene(self):
        scene = self.write("scene.json", SCENE)
        done = self.orrery("check", scene)
        self.check(done, 0, "scene.json: ok", "robot.pose", "60 ticks per second")
        self.assertEqual(os.listdir(self.directory), ["scene.json"])

    def test_a_script_and_a_directory(self):
        script = self.write("scene.py", SCRIPT)
        self.check(self.orrery("check", script), 0, "ok", "robot.pose")
        self.check(self.orrery("build", script, "-o", self.path("built")), 0)
        self.assertEqual(sorted(os.listdir(self.path("built"))), ["component_config.py", "scene.json"])
        self.check(self.orrery("check", self.path("built")), 0, "ok", "robot.pose")

    def test_a_script_without_a_suffix(self):
        self.check(self.orrery("check", self.write("script", SCRIPT)), 0, "robot.pose")

    @unittest.skipUnless(os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics/mujoco.so")),
                         "built without MuJoCo")
    def test_mistakes_of_all_kinds_are_told_at_once(self):
        """What the engine finds wrong in the world, too, though the config is wrong as well."""
        line = [[float(i), 0.0, 0.0] for i in range(4)]
        scene = {"orrery": 1, "environment": {"physics": "orrery.physics.mujoco.MuJoCo"}, "objects": [
            {"name": "thin", "body": {"type": "rigid", "mass": 1}, "shapes": [{"kind": "hull", "points": line}]},
            {"name": "robot", "classpath": "orrery.core.robot.Robot"}]}
        done = self.orrery("check", self.write("thin.json", json.dumps(scene)))
        self.check(done, 65)
        engine = done.stderr.splitlines()[-1].removeprefix("orrery: ")
        self.assertIn("'thin'", engine)
        scene["component_service"] = {"robt": "orrery.middleware.socket_request_manager.SocketRequestManager"}
        done = self.orrery("check", self.write("both.json", json.dumps(scene)))
        self.check(done, 65)
        config, other = done.stderr.splitlines()[-2:]
        self.assertIn("'robt'", config)
        self.assertEqual(other, engine)
        # An object that is not as its file says may be what the engine does not like.
        scene["objects"][0]["shapes"][0]["size"] = "large"
        done = self.orrery("check", self.write("shape.json", json.dumps(scene)))
        self.check(done, 65)
        self.assertNotIn(engine, done.stderr)

    def test_components_are_counted_by_their_roles(self):
        self.check(self.orrery("check", self.write("scene.json", SCENE)), 0,
                   " 1 robot, 1 sensor, 1 actuator, ", "components: robot, robot.pose, robot.motion\n")
        self.check(self.orrery("check", self.write("empty.json", '{"orrery": 1}')), 0, "0 objects, 60 ", "components: none\n")

    def test_of_many_components_ten_are_named(self):
        scene = json.loads(SCENE)
        robot = {"classpath": "morse.robots.atrv.ATRV"}
        scene["objects"] += [dict(robot, name="r%d" % i) for i in range(10000)]
        self.write("scene.json", json.dumps(scene))
        done = self.orrery("check", "scene.json")
        self.check(done, 0, "10001 robots, 1 sensor, 1 actuator, ",
                   "components: robot, robot.pose, robot.motion, r0, r1, r2, r3, r4, r5, r6 and 9993 more\n")
        self.assertLess(len(done.stdout), 300)
        self.assertIn(", r9999\n", self.orrery("check", "-v", "scene.json").stdout)

    def test_mistakes(self):
        self.check(self.orrery("check", self.path("absent.json")), 66, "absent.json")
        self.check(self.orrery("check", self.write("a.json", "{")), 65, "a.json:1:")
        poze = SCENE.replace("sensors.pose.Pose", "sensors.poze.Pose")
        self.check(self.orrery("check", self.write("b.json", poze)), 69, "poze", "did you mean")
        self.check(self.orrery("check", self.write("c.py", "robot = ATRW()\n")), 69, "c.py:1", "did you mean ATRV")
        self.check(self.orrery("check", self.write("d.py", "robot = ATRV(\n")), 65, "d.py:1")
        self.check(self.orrery("check", self.path("c.py"), "--plugin-dir", self.path("absent")), 66, "absent")


class Plugins(ProgramCase):
    def test_the_listing(self):
        done = self.orrery("plugins")
        self.check(done, 0, "orrery.sensors.pose.Pose", "orrery.robots.atrv.ATRV")
        listing = json.loads(self.orrery("plugins", "--json").stdout)
        classes = {entry["classpath"]: entry for module in listing["modules"] for entry in module["classes"]}
        self.assertEqual(classes["orrery.sensors.pose.Pose"]["role"], "sensor")
        middleware = "orrery.middleware.socket_datastream."
        self.assertEqual([classes[middleware + name].get("direction") for name in
                          ("SocketPublisher", "SocketReader", "SocketDatastreamManager")], ["OUT", "IN", None])

    def test_every_key_of_the_list_is_described(self):
        """Those of classes, modules and what is said of one class; not those that a class of JSON chooses."""
        with open(os.path.join(SOURCE, "docs/plugins.md"), encoding="utf-8") as file:
            section = file.read().split("## The list for programs")[1].split("\n## ")[0]

        def keys(value):
            if isinstance(value, list):
                return set().union(*map(keys, value))
            if not isinstance(value, dict):
                return set()
            inner = [each for key, each in value.items() if key != "body" and (key != "properties" or isinstance(each, list))]
            return set(value).union(*map(keys, inner))

        listed = json.loads(self.orrery("plugins", "--json").stdout)
        names = ("orrery.robots.atrv.ATRV", "orrery.actuators.waypoint.Waypoint", "orrery.modifiers.utm.CoordinatesToUTM")
        found = keys(listed) | keys(json.loads(self.orrery("plugins", "--json", *names).stdout))
        self.assertLessEqual({"position", "body", "words", "choices", "interruptible"}, found)
        self.assertEqual({key for key in found if "`%s`" % key not in section}, set())

    def test_the_messages_of_each_class(self):
        """Those of the class, not those of all classes of its file; the table is that of the class, or of its base."""
        ros = "orrery.middleware.ros."
        os.makedirs(self.path("plugins/lab"))
        self.write("plugins/lab/place.json", json.dumps({"summary": "Places", "classes": {
            "Flat": {"base": ros + "pose.TFPublisher", "properties": {"frame_id": "flat"}},
            "Odd": {"base": "orrery.middleware.message.Publisher", "properties": {"messages": [3, {"type": 4}, {"type": "a/B"}]}},
            "Wrong": {"base": "orrery.middleware.message.Publisher", "properties": {"messages": "none"}}}}))
        directory = ("--plugin-dir", self.path("plugins"))
        listing = json.loads(self.orrery("plugins", "--json", *directory).stdout)
        classes = {entry["classpath"]: entry.get("messages") for module in listing["modules"] for entry in module["classes"]}
        wanted = {ros + "pose.PosePublisher": ["geometry_msgs/Pose"], ros + "pose.TFPublisher": ["tf2_msgs/TFMessage"],
                  ros + "odometry.OdometryPublisher": ["nav_msgs/Odometry", "tf2_msgs/TFMessage"],
                  ros + "motion_vw.TwistReader": ["geometry_msgs/Twist"], "lab.place.Flat": ["tf2_msgs/TFMessage"],
                  "lab.place.Odd": ["a/B"], "lab.place.Wrong": None, "orrery.sensors.pose.Pose": None}
        self.assertEqual({name: classes[name] for name in wanted}, wanted)
        lines = self.orrery("plugins", "--role", "datastream", *directory).stdout.splitlines()
        lines = {line.split()[1]: line.split(None, 2)[2] for line in lines}
        self.assertEqual(lines[ros + "pose.PosePublisher"], "ROS messages; sends geometry_msgs/Pose")
        self.assertEqual(lines[ros + "motion_vw.TwistReader"], "ROS messages; takes geometry_msgs/Twist")
        self.assertEqual(lines["lab.place.Flat"], "Places; sends tf2_msgs/TFMessage")
        done = self.orrery("plugins", *directory, "lab.place.Flat", ros + "motion_vw.TwistReader",
                           ros + "video_camera.VideoCameraPublisher")
        for words in (r"tf2_msgs/TFMessage on /tf, when record.valid or 1\n +transforms\[0\].header.stamp +timestamp\n",
                      r"  messages\n    geometry_msgs/Twist\n      v  linear.x\n      w  angular.z\n",
                      r"R\|r +\[1, 0, 0, 0, 1, 0, 0, 0, 1\]\n"):
            self.assertRegex(done.stdout, words)

    def test_a_description(self):
        done = self.orrery("plugins", "morse.actuators.waypoint.Waypoint")
        self.check(done, 0, "goto", "x", "m/s")
        described = json.loads(self.orrery("plugins", "--json", "morse.actuators.waypoint.Waypoint").stdout)
        self.assertIn("goto", json.dumps(described))
        self.check(self.orrery("plugins", "morse.sensors.pose.Poze"), 69, "Poze")


class Diff(ProgramCase):
    def hashes(self, name, *lines):
        return self.write(name, "\n".join(lines) + "\n")

    def test_equal(self):
        a = self.hashes("a", "# one", "0 robot 11", "0 world 22", "1 robot 33", "1 world 44")
        b = self.hashes("b", "# two", "0 robot 11", "0 world 22", "1 robot 33", "1 world 44")
        self.check(self.orrery("diff", a, b), 0)

    def test_the_first_difference(self):
        a = self.hashes("a", "0 robot 11", "0 world 22", "1 robot 33", "1 world 44", "2 robot 1")
        b = self.hashes("b", "0 robot 11", "0 world 22", "1 robot 33", "1 world 45", "2 robot 2")
        done = self.orrery("diff", a, b)
        self.check(done, 1)
        self.assertEqual(done.stdout, "tick 1: world\n")

    def test_one_component_more(self):
        a = self.hashes("a", "0 robot 11", "0 world 22")
        b = self.hashes("b", "0 robot 11", "0 robot.pose 5", "0 world 22")
        self.check(self.orrery("diff", a, b), 1, "tick 0: robot.pose\n")

    def test_one_that_ends(self):
        a = self.hashes("a", "0 robot 11")
        b = self.hashes("b", "0 robot 11", "1 robot 12")
        self.check(self.orrery("diff", a, b), 1, "ends before tick 1")

    def test_what_is_no_hash(self):
        a = self.hashes("a", "0 robot 11")
        self.check(self.orrery("diff", a, self.hashes("b", "hello")), 65, "b:1: not a line of --hash=FILE")
        self.check(self.orrery("diff", a, self.path("absent")), 66, "absent")

    def test_runs(self):
        scene = self.write("scene.json", SCENE)
        for name, seed in (("a", "1"), ("b", "1"), ("c", "1")):
            edited = self.write("scene.json", SCENE.replace('"morse.sensors.pose.Pose"',
                                '"morse.sensors.pose.Pose", "position": [0, 0, 1]') if name == "c" else SCENE)
            done = self.orrery("run", edited, "--fast", "--ticks", "5", "--seed", seed, "--hash=" + self.path(name))
            self.check(done, 0, "hash ")
        self.check(self.orrery("diff", self.path("a"), self.path("b")), 0)
        self.check(self.orrery("diff", self.path("a"), self.path("c")), 1, "tick 0:", "robot.pose")
        self.assertTrue(os.path.exists(scene))


if __name__ == "__main__":
    tap.main()
