# SPDX-License-Identifier: BSD-3-Clause
"""Managers, engines, importers and robots in Python, with the words that classes in C have, and what is said of their mistakes."""

import json
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import NUMPY, READY, PythonCase, scene  # noqa: E402

import tap  # noqa: E402

POSE = "orrery.sensors.pose.Pose"
CODEC = "orrery.middleware.socket_datastream.SocketPublisher"

MANAGER = """
    import orrery

    calls = []

    @orrery.plugin(stream="wire", publisher="%s")
    class Wire(orrery.DatastreamManager):
        def open(self, stream, options):
            self.shut = options.get("shut", 0)
            calls.append(("open", stream.get_name(), options))
            stream.set_listening(True)

        def start(self):
            calls.append("start")

        def send(self, stream, data):
            calls.append(("send", stream.get_name(), type(data).__name__, data[:1]))

        def flush(self):
            calls.append("flush")

        def gate(self):
            self.shut -= 1
            if self.shut >= 0:
                calls.append("shut")
                self.wake()
            return self.shut < 0

        def close(self):
            calls.append("close")
    """ % CODEC


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class RolesCase(PythonCase):
    def stream(self, manager, codec=CODEC, **options):
        return {"component_datastream": {"robot.pose": [[manager, codec, options]]}}

    def warnings(self, done):
        """Without those of a machine that is busy."""
        return [line for line in done.stderr.splitlines() if "takes" not in line]


class Managers(RolesCase):
    def test_words_of_a_manager(self):
        self.module("acme/wire.py", MANAGER)
        self.assertEqual(self.prints("""
            import acme.wire
            sim.run(1)
            sim.close()
            for call in acme.wire.calls:
                print(call)
            """, scene(("pose", POSE), tables=self.stream("acme.wire.Wire", shut=1, x=[1, "a"]))), [
                "('open', 'robot.pose', {'shut': 1, 'x': [1, 'a']})", "start", "shut", "('send', 'robot.pose', 'bytes', b'{')", "flush", "flush", "close"])

    def test_found_by_its_stream(self):
        self.module("acme/wire.py", MANAGER)
        self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\npose = Pose()\nrobot.append(pose)\n"
                   "pose.add_stream('wire')\nenv = Environment('empty')\n")
        done = self.orrery("run", "scene.py", "--plugin-dir", "plugins", "--fast", "--ticks", "2", "--offline")
        self.check(done, 0)

    def test_intake(self):
        self.module("acme/feed.py", """
            import orrery

            @orrery.plugin
            class Feed(orrery.DatastreamManager):
                def open(self, stream, options):
                    self.stream = stream

                def intake(self):
                    self.stream.put(0, b'{"v": 1.5, "w": 0}')
            """)
        self.assertEqual(self.prints("""
            sim.step(2)
            print(sim["robot.motion"].data.v)
            """, scene(("motion", "morse.actuators.v_omega.MotionVW"), tables={"component_datastream": {
                "robot.motion": [["acme.feed.Feed", "orrery.middleware.socket_datastream.SocketReader", {}]]}})), ["1.5"])

    def broken(self, **functions):
        """A manager whose functions are these lines; what a run of three ticks says of it."""
        functions = dict({"open(self, stream, options)": "stream.set_listening(True)", "send(self, stream, data)": "pass"}, **functions)
        body = "".join("    def %s:\n        %s\n" % item for item in functions.items() if item[1])
        self.module("acme/bad.py", "import orrery\n\n@orrery.plugin\nclass Bad(orrery.DatastreamManager):\n" + body)
        return self.run_scene(scene(("pose", POSE), tables=self.stream("acme.bad.Bad")), "--ticks", "3")

    def test_mistakes_have_the_name_and_the_line(self):
        """In functions that nobody takes an error of: the first, and how many."""
        for function in ("send(self, stream, data)", "flush(self)", "intake(self)", "gate(self)"):
            with self.subTest(function):
                done = self.broken(**{function: "None + 1"})
                self.assertEqual(done.returncode, 0, done.stderr)
                name = function.partition("(")[0]
                told = [line for line in self.warnings(done) if "acme.bad.Bad: %s" % name in line]
                self.assertEqual(len(told), 2, done.stderr)
                self.assertRegex(told[0], r"acme\.bad\.Bad: %s: .*acme/bad\.py:\d+: TypeError: unsupported operand" % name)
                self.assertRegex(told[1], r"acme\.bad\.Bad: %s failed [3-9] times" % name)
                self.assertNotIn("Traceback", done.stderr)
        # Control.
        self.assertNotIn("acme.bad.Bad", self.broken().stderr)

    def test_mistakes_under_the_names_of_pygobject(self):
        done = self.broken(**{"send(self, stream, data)": "", "do_send(self, stream, data, length)": "None + 1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"acme\.bad\.Bad: send: .*acme/bad\.py:\d+: TypeError: unsupported operand")
        self.assertNotIn("Traceback", done.stderr)
        self.module("acme/deaf.py", """
            import orrery

            @orrery.plugin
            class Deaf(orrery.Sensor):
                x = orrery.field(float)

                def do_sense(self, tick, record):
                    None + 1
            """)
        done = self.run_scene(scene(("deaf", "acme.deaf.Deaf")), "--ticks", "3")
        self.assertRegex(done.stderr, r"robot\.deaf: .*acme/deaf\.py:9: TypeError: unsupported operand")
        self.assertNotIn("Traceback", done.stderr)

    def test_mistakes_that_end_the_run(self):
        for function, words in (("open(self, stream, options)", r"robot\.pose: .*acme/bad\.py:6: TypeError: unsupported operand"),
                                ("start(self)", r"acme\.bad\.Bad: .*acme/bad\.py:\d+: TypeError: unsupported operand")):
            done = self.broken(**{function: "None + 1"})
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, words)

    def test_whoever_is_not_there_yet(self):
        """The run begins without a broker, and tells of it."""
        done = self.broken(**{"start(self)": "raise ConnectionRefusedError('broker.example:1883')"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("broker.example:1883", done.stderr)

    def test_what_is_missing(self):
        self.assertIn("the role datastream_manager needs send, send_messages or intake, class Bad has not",
                      self.broken(**{"send(self, stream, data)": ""}).stderr)
        self.assertIn("the role datastream_manager needs open, class Bad has not",
                      self.broken(**{"open(self, stream, options)": ""}).stderr)

    def test_roles_for_classes_in_c(self):
        for role in "Raycaster", "Renderer", "Observer":
            self.module("acme/ray.py", "import orrery\n\n@orrery.plugin\nclass Ray(orrery.%s):\n    pass\n" % role)
            done = self.orrery("plugins", "--plugin-dir", "plugins", "acme.ray.Ray")
            self.check(done, 69, "Ray: the role %s is for classes in C" % role.lower())


class Requests(RolesCase):
    MANAGER = """
        import orrery

        answers = []

        @orrery.plugin(stream="desk")
        class Desk(orrery.RequestManager):
            def start(self):
                self.calls = [("robot.pose", "get_properties"), ("robot.pose", "nothing"), ("robot.w", "goto", 1.0, 0.0, 0.0)]

            def intake(self):
                if self.calls:
                    self.submit(*self.calls.pop(0), done=self.answer)

            def answer(self, call):
                %s

            def flush(self):
                answers.append(len(answers))
        """

    def test_words_of_a_manager(self):
        self.module("acme/desk.py", self.MANAGER % "answers.append((call.get_service(), call.get_fault().value_nick))")
        self.assertEqual(self.prints("""
            import acme.desk
            sim.step(400)
            print(*[each for each in acme.desk.answers if type(each) is tuple], type(acme.desk.answers[0]).__name__)
            """, scene(("pose", POSE), ("w", "orrery.actuators.waypoint.Waypoint"), tables={
                "component_service": {"robot.pose": ["acme.desk.Desk"], "robot.w": ["acme.desk.Desk"]}})),
            ["('get_properties', 'ok') ('nothing', 'no_service') ('goto', 'ok') tuple"])

    def test_mistakes_have_the_name_and_the_line(self):
        self.module("acme/desk.py", self.MANAGER % "None + 1")
        done = self.run_scene(scene(("pose", POSE), ("w", "orrery.actuators.waypoint.Waypoint"), tables={
            "component_service": {"robot.pose": ["acme.desk.Desk"], "robot.w": ["acme.desk.Desk"]}}), "--ticks", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"acme\.desk\.Desk: intake: .*acme/desk\.py:\d+: TypeError: unsupported operand")
        self.assertNotIn("Traceback", done.stderr)


ENGINE = """
    import orrery

    seen = {}

    @orrery.plugin
    class Engine(orrery.Physics):
        def build(self, world):
            self.ball, self.floor = world.find_object("ball"), world.find_object("floor")
            body = self.ball.get_body()
            seen["body"] = body.type.value_nick, body.mass, body.friction
            body.inertia = orrery.Vec3(1, 2, 3)
            shapes = seen["shapes"] = []
            orrery.Physics.foreach_shape(self.ball, lambda shape, offset: shapes.append(
                (shape.get_kind().value_nick, offset.position.z)))
            seen["parts"] = [orrery.Physics.is_part(each) for each in self.ball.get_children()]
            self.pose = world.get_snapshot().get_pose(self.ball.get_index()).copy()

        def apply(self, commands):
            seen["commands"] = [(command.kind.value_nick, command.object == self.ball.get_index(), command.linear.x,
                                 command.angular.z) for command in commands.get()]

        def step(self, dt):
            %s

        def read(self, snapshot):
            snapshot.set_body(self.ball.get_index(), self.pose, orrery.Vec3(0, 0, -1), orrery.Vec3())
            contact = orrery.Contact()
            contact.a, contact.b = self.floor.get_index(), self.ball.get_index()
            contact.point, contact.normal, contact.impulse = orrery.Vec3(1, 2, 3), orrery.Vec3(0, 0, -1), 0.5
            snapshot.add_contact(contact)
    """
WORLD = json.dumps({"orrery": 1, "environment": {"frequency": 60, "physics": "acme.engine.Engine"}, "objects": [
    {"name": "floor", "body": {"type": "static"}, "shapes": [{"kind": "box", "size": [9, 9, 1]}]},
    {"name": "ball", "position": [0, 0, 5], "body": {"type": "rigid", "mass": 2, "friction": 0.25},
     "shapes": [{"kind": "sphere", "radius": 0.5}], "objects": [
         {"name": "hat", "position": [0, 0, 1], "shapes": [{"kind": "box", "size": [0.1, 0.1, 0.1]}]}]}]})


class Engines(RolesCase):
    def test_words_of_an_engine(self):
        self.module("acme/engine.py", ENGINE % "self.pose.position = orrery.Vec3(0, 0, self.pose.position.z - dt)")
        self.assertEqual(self.prints("""
            import gc
            import acme.engine
            ball = sim.world.find_object("ball")
            sim.world.get_commands().set_velocity(ball, orrery.Vec3(4), orrery.Vec3(z=0.5))
            sim.step(30)
            gc.collect()
            for name in "body", "shapes", "parts":
                print(acme.engine.seen[name])
            print(round(sim.world.get_snapshot().get_pose(ball.get_index()).position.z, 6), ball.get_inertia())
            sim.world.get_commands().set_velocity(ball, orrery.Vec3(4), orrery.Vec3(z=0.5))
            sim.step(1)
            print(acme.engine.seen["commands"])
            """, WORLD), ["('rigid', 2.0, 0.25)", "[('sphere', 0.0), ('box', 1.0)]", "[True]", "4.5 Vec3(x=1, y=2, z=3)",
                          "[('velocity', True, 4.0, 0.5)]"])

    def test_mistakes_have_the_line(self):
        self.module("acme/engine.py", ENGINE % "None + 1")
        done = self.run_scene(WORLD, "--ticks", "3")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"acme/engine\.py:\d+: TypeError: unsupported operand")
        self.assertNotIn("Traceback", done.stderr)

    def test_body_outlives_its_simulation(self):
        self.module("acme/engine.py", ENGINE % "pass")
        self.assertEqual(self.prints("""
            import gc
            body = sim.world.find_object("ball").get_body()
            sim.close()
            sim = None
            gc.collect()
            print(body.mass, body, "mass" in dir(body))
            try:
                body.weight = 3
            except AttributeError as error:
                print(error)
            """, WORLD), ["2.0 <body of ball> True", "a body has no weight"])


class Contacts(RolesCase):
    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_arrays(self):
        self.module("acme/engine.py", ENGINE % "pass")
        self.assertEqual(self.prints("""
            none = sim.contacts
            print(none, none.objects.shape, none.points.shape, none.normals.shape, none.impulses.shape)
            sim.step(1)
            one = sim.contacts
            print(one, [sim.objects[i] for i in one.objects[0]], one.points.tolist(), one.normals.tolist(), one.impulses.tolist())
            print(one.points.flags.writeable, one.objects.dtype)
            sim.close()
            print(one.points[0, 2])
            """, WORLD), ["<0 contacts> (0, 2) (0, 3) (0, 3) (0,)",
                          "<1 contact> ['floor', 'ball'] [[1.0, 2.0, 3.0]] [[0.0, 0.0, -1.0]] [0.5]", "False uint32", "3.0"])

    def test_frictions_where_they_are_measured(self):
        self.module("acme/engine.py", ENGINE % "pass")
        self.assertEqual(self.prints("""
            sim.step(1)
            print(sim.contacts.frictions)
            """, WORLD), ["None"])

    def test_lists_without_numpy(self):
        self.module("acme/engine.py", ENGINE % "pass")
        self.assertEqual(self.prints("""
            import sys
            sys.modules["numpy"] = None
            print(sim.contacts.points)
            sim.step(1)
            one = sim.contacts
            print(len(one), one.objects, one.points, one.normals, one.impulses)
            """, WORLD), ["[]", "1 [[0, 1]] [[1.0, 2.0, 3.0]] [[0.0, 0.0, -1.0]] [0.5]"])

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_in_a_script_of_real_bodies(self):
        """A ball on the ground: the impulse of a substep carries its weight."""
        self.module("acme/watch.py", """
            import orrery

            @orrery.plugin
            class Watch(orrery.Script):
                def setup(self, setup):
                    self.seen = None

                def sensing(self, tick):
                    self.seen = tick.snapshot.contacts

                @orrery.service
                def tell(self):
                    return [float(self.seen.impulses.sum()), abs(float(self.seen.normals[0, 2]))]
            """)
        world = json.dumps({"orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.bullet.Bullet"}, "objects": [
            {"name": "floor", "body": {"type": "static"}, "shapes": [{"kind": "box", "size": [9, 9, 1]}]},
            {"name": "ball", "position": [0, 0, 1.5], "body": {"type": "rigid", "mass": 3},
             "shapes": [{"kind": "sphere", "radius": 0.5}],
             "scripts": [{"type": "child", "classpath": "acme.watch.Watch"}]}]})
        impulse, up = json.loads(self.prints("""
            sim.step(300)
            print(sim.call("ball/child", "tell"))
            """, world)[0])
        self.assertAlmostEqual(up, 1.0, places=6)
        substeps = round(3 * 9.81 / 60 / impulse)
        self.assertIn(substeps, range(1, 17))
        self.assertAlmostEqual(impulse * substeps, 3 * 9.81 / 60, delta=0.05)


class Others(RolesCase):
    def test_robot(self):
        """What it replaces, and what it calls of it."""
        self.module("acme/slow.py", """
            import orrery

            @orrery.plugin
            class Slow(orrery.Robot):
                fails = orrery.option(False)

                def apply_speed(self, tick, control, linear, angular, period):
                    if self.fails:
                        None + 1
                    return super().apply_speed(tick, control, orrery.Vec3(linear.x / 2), angular, period)
            """)
        text = scene(("motion", "orrery.actuators.v_omega.MotionVW")).replace("morse.robots.atrv.ATRV", "acme.slow.Slow")
        program = """
            sim["robot.motion"].data.v = 2.0
            sim.step(61)
            print(round(sim["robot"].get_pose().position.x, 1))
            """
        self.assertEqual(self.prints(program, text), ["1.0"])
        done = self.python(program, text.replace('"objects": [{"name": "motion"',
                                                 '"properties": {"fails": true}, "objects": [{"name": "motion"'))
        self.assertEqual(done.stdout, "0.0\n", done.stderr)
        self.assertRegex(done.stderr, r"robot: apply_speed: .*acme/slow\.py:10: TypeError: unsupported operand")

    def test_importer(self):
        self.module("orrery/importers/lines.py", """
            import orrery

            @orrery.plugin
            class Importer(orrery.Importer):
                def load(self, path, scene):
                    with open(path) as file:
                        for line in file:
                            name, x = line.split()
                            thing = scene.add_object(name, None)
                            thing.set_start(place(float(x)))

            def place(x):
                pose = orrery.Transform()
                pose.position, pose.rotation = orrery.Vec3(x), orrery.Quat()
                return pose
            """)
        self.write("things.lines", "a 1\nb 2.5\n")
        text = json.dumps({"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
                           "objects": [{"name": "world", "import": {"file": "things.lines"}}]})
        done = self.python("print(sim.objects, sim.poses[:, 0].tolist())", text)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(re.search(r"^\('world', 'world\.b'\) \[1\.0, 2\.5\]", done.stdout), done.stdout)
        self.write("things.lines", "a one\n")
        done = self.run_scene(text, "--ticks", "1")
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, r"lines\.py:\d+: ValueError: could not convert string to float: 'one'")


if __name__ == "__main__":
    tap.main()
