# SPDX-License-Identifier: BSD-3-Clause
"""Calls and commands with values that make no sense, through real sockets: refused with a reason, and the run
goes on. Where a state is lost all the same, the run ends and says whose."""

import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

from clients import BUILD, IN, OUT, REQUESTS, ClientCase, Lines  # noqa: E402
import tap  # noqa: E402

CLASSES = {
    "motion": "orrery.actuators.v_omega.MotionVW",
    "sideways": "orrery.actuators.xy_omega.MotionXYW",
    "turn": "orrery.actuators.orientation.Orientation",
    "waypoint": "orrery.actuators.waypoint.Waypoint",
    "teleport": "orrery.actuators.teleport.Teleport",  # after those that set a pose, too: the last one wins
    "pose": "orrery.sensors.pose.Pose",
    "odometry": "orrery.sensors.odometry.Odometry",
}
ACTUATORS = ("motion", "sideways", "teleport", "turn", "waypoint")
ENGINES = ("orrery.physics.bullet.Bullet", "orrery.physics.kinematic.Kinematic")

# As they stand in a line of JSON. What is no number is no argument for one; what is one may be too much.
NO_NUMBERS = ("NaN", "Infinity", "-Infinity", "1e999", "null", '"1"', "[]", "{}", "[1]", '{"x": 1}', "true")
EXTREMES = ("1e308", "-1e308", "1.7976931348623157e308", "5e-324", "-0.0", "9223372036854775807",
            "-9223372036854775808", "1e19")


class WrongCase(ClientCase):
    engine = ENGINES[0]

    def setUp(self):
        super().setUp()
        robot = [{"name": name, "classpath": classpath} for name, classpath in CLASSES.items()]
        streams = {"robot." + name: [IN] if name in ACTUATORS else [OUT] for name in CLASSES}
        services = {"robot." + name: [REQUESTS] for name in CLASSES}
        self.start_run(self.scene(robot, {"physics": self.engine, "import": "empty", "time_scale": 10},
                                  component_datastream=streams, component_service=services))

    def start_run(self, scene):
        self.process, self.port = self.run_scene(scene)
        self.services = Lines(self.port)
        self.addCleanup(self.services.close)

    def raw(self, component, service, arguments):
        """Answer and words to a call whose arguments are written by hand."""
        self.services.send("q %s %s %s\n" % (component, service, arguments))
        number, status, *words = self.services.line().split(" ", 2)
        self.assertEqual(number, "q")
        return status, " ".join(words)

    def check_alive(self):
        """Ticks go on, and everything is somewhere."""
        then = self.services.ask("time", "now")
        while self.services.ask("time", "now") < then + 0.02:
            pass
        for name in ("pose", "odometry"):
            data = self.services.ask("robot." + name, "get_local_data")
            numbers = [value for value in data.values() if isinstance(value, float)]
            self.assertTrue(numbers and all(map(math.isfinite, numbers)), data)
        self.assertIsNone(self.process.poll())


class Calls(WrongCase):
    def described(self):
        """The services of each component, as the plugins themselves describe them."""
        done = self.orrery("plugins", "--json", *CLASSES.values())
        self.check(done, 0)
        found = {}
        def search(value):
            if isinstance(value, dict):
                if "classpath" in value and "services" in value:
                    found[value["classpath"]] = value["services"]
                for item in value.values():
                    search(item)
            elif isinstance(value, list):
                for item in value:
                    search(item)
        search(json.loads(done.stdout))
        for name, classpath in CLASSES.items():
            for service in found[classpath]:
                yield "robot." + name, service["name"], service["arguments"]

    def refused(self, component, service, arguments):
        status, words = self.raw(component, service, arguments)
        self.assertEqual(status, "FAILED", "%s %s %s" % (component, service, arguments))
        self.assertGreater(len(words), 10)
        return words

    def test_too_few_and_too_many(self):
        n = 0
        for component, service, arguments in self.described():
            with self.subTest(component=component, service=service):
                self.refused(component, service, json.dumps([0] * (len(arguments) + 1)))
                needed = [a for a in arguments if "default" not in a]
                if needed:
                    self.refused(component, service, json.dumps([0] * (len(needed) - 1)))
                    self.refused(component, service, "")
                n += 1
        self.assertGreater(n, 25)
        self.check_alive()

    def test_no_numbers(self):
        """Each argument of each service that takes a number, each kind of nonsense."""
        n = 0
        for component, service, arguments in self.described():
            for i, argument in enumerate(arguments):
                if argument["type"] not in ("d", "x", "float", "int"):
                    continue
                for value in NO_NUMBERS:
                    values = ["0"] * len(arguments)
                    values[i] = value
                    with self.subTest(component=component, service=service, value=value):
                        self.refused(component, service, "[%s]" % ", ".join(values))
                        n += 1
        self.assertGreater(n, 100)
        self.check_alive()

    def test_extremes(self):
        """A number is a number: it is taken or refused, and nothing is lost by it."""
        for component, service, arguments in self.described():
            kinds = [argument["type"] for argument in arguments]
            if not kinds or not set(kinds) <= {"d", "x", "float", "int"}:
                continue
            for value in EXTREMES:
                with self.subTest(component=component, service=service, value=value):
                    self.services.send("c %s %s [%s]\n" % (component, service, ", ".join([value] * len(kinds))))
                    self.services.send("c cancel\n")
                    answer = self.services.line()
                    while not answer.startswith("c "):
                        answer = self.services.line()
                    self.check_alive()

    def test_properties(self):
        for value in ("NaN", "1e999", "-1", '"fast"', "null", "[]"):
            with self.subTest(value):
                status, words = self.raw("robot.waypoint", "set_property", '["AngleTolerance", %s]' % value)
                self.assertEqual(status, "FAILED")
                self.assertIn("AngleTolerance", words)
        self.assertIn("Speeed", self.refused("robot.waypoint", "set_property", '["Speeed", 1]'))
        self.check_alive()

    def test_the_simulation_itself(self):
        for service, arguments in (
            ("set_object_position", '["robot", [NaN, 0, 0]]'), ("set_object_position", '["robot", [1, 2]]'),
            ("set_object_position", '["robot", "here"]'), ("set_object_position", '["nobody", [0, 0, 0]]'),
            ("set_object_position", '["robot", [0, 0, 0], [Infinity, 0, 0]]'), ("activate", '["robot.none"]'),
            ("deactivate", "[5]"), ("get_stream_port", '["robot.none"]'), ("set_object_dynamics", '["robot", 5]'),
            ("none", "[]"),
        ):
            with self.subTest(service=service, arguments=arguments):
                self.refused("simulation", service, arguments)
        for service, arguments in (("set_time_scale", "[0]"), ("set_time_scale", "[NaN]"), ("set_time_scale", "[1e9]"),
                                   ("sleep", "[-1]"), ("sleep", "[1e300]"), ("sleep", '["long"]')):
            with self.subTest(service=service, arguments=arguments):
                self.refused("time", service, arguments)
        self.refused("nobody", "nothing", "[]")
        self.check_alive()

    def test_an_object_put_far_away(self):
        self.raw("simulation", "set_object_position", '["robot", [1e308, -1e308, 1e308]]')
        self.check_alive()

    def test_lines_that_are_no_arguments(self):
        for arguments in ("[", "]", "1", '"a"', "{}", "[1,]", "[1] [2]", "'a'", "[" * 300, "\\x00", "nul", "[01]"):
            with self.subTest(arguments):
                self.refused("robot.waypoint", "goto", arguments)
        self.check_alive()


class Commands(WrongCase):
    fields = {"motion": ("v", "w"), "sideways": ("x", "y", "w"), "teleport": ("x", "y", "z", "yaw", "pitch", "roll"),
              "turn": ("yaw", "pitch", "roll"), "waypoint": ("x", "y", "z", "tolerance", "speed")}

    def stream(self, name):
        port = self.services.ask("simulation", "get_stream_port", "robot." + name)
        client = Lines(port)
        self.addCleanup(client.close)
        return client

    def each(self, values):
        """Each field of each actuator takes each value once."""
        for name, fields in self.fields.items():
            client = self.stream(name)
            for field in fields:
                for value in values:
                    client.send('{"%s": %s}\n' % (field, value))
                    self.check_alive()
        self.check_alive()

    def test_no_numbers(self):
        before = self.services.ask("robot.pose", "get_local_data")
        self.each(NO_NUMBERS)
        after = self.services.ask("robot.pose", "get_local_data")
        self.assertAlmostEqual(before["x"], after["x"], places=6)
        log = self.finish(self.process)
        for name in self.fields:
            self.assertEqual(log.count("robot.%s: a message is refused" % name), 1, log)

    def test_extremes(self):
        self.each(EXTREMES)
        self.finish(self.process)

    def test_a_good_one_still_works(self):
        """The control: what makes sense moves the robot."""
        client = self.stream("teleport")
        client.send('{"x": NaN}\n{"x": 3, "y": 4, "z": 1}\n')
        while abs(self.services.ask("robot.pose", "get_local_data")["x"] - 3) > 0.5:
            self.assertIsNone(self.process.poll())


class CommandsKinematic(Commands):
    engine = ENGINES[1]


class Lost(ClientCase):
    def test_a_state_that_is_not_finite(self):
        scene = self.scene([{"name": "pose", "classpath": CLASSES["pose"]}], {"physics": "trial.astray.Astray"})
        done = self.orrery("run", "--plugin-dir", os.path.join(BUILD, "tests/middleware/plugins"), "--fast", "--ticks",
                           "10", scene)
        self.check(done, 70, "robot.Wheel1: its pose or velocity is not finite after tick 4", "[EXITING SIMULATION]")
        self.assertIn("4 ticks", done.stdout)

    def test_before_that_all_is_well(self):
        scene = self.scene([{"name": "pose", "classpath": CLASSES["pose"]}], {"physics": "trial.astray.Astray"})
        done = self.orrery("run", "--plugin-dir", os.path.join(BUILD, "tests/middleware/plugins"), "--fast", "--ticks",
                           "4", scene)
        self.check(done, 0, "4 ticks")

    def run_failing(self, at):
        """The engine's word for it, and how the run ends; its second object is a wheel."""
        scene = self.scene([{"name": "pose", "classpath": CLASSES["pose"]}],
                           {"physics": "trial.failing.Failing"})
        os.environ["TRIAL_FAILS_AT"] = at
        self.addCleanup(os.environ.pop, "TRIAL_FAILS_AT", None)
        return self.orrery("run", "--plugin-dir", os.path.join(BUILD, "tests/middleware/plugins"), "--fast", "--ticks",
                           "10", scene)

    def test_an_engine_that_fails_in_a_tick(self):
        for at in ("apply", "step", "read"):
            with self.subTest(at):
                done = self.run_failing(at)
                self.check(done, 70, "trial.failing.Failing: in tick 3: object 'robot.Wheel1': lost in " + at,
                           "[EXITING SIMULATION]")
                self.assertIn("3 ticks", done.stdout)

    def test_an_engine_that_cannot_be_built(self):
        done = self.run_failing("build")
        self.check(done, 70, "trial.failing.Failing: object 'robot.Wheel1': lost in build")
        self.assertNotIn("SCENE INITIALIZED", done.stderr)

    def test_an_engine_that_does_not_fail(self):
        """The control."""
        self.check(self.run_failing("nowhere"), 0, "10 ticks")


if __name__ == "__main__":
    tap.main()
