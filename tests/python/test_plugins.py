# SPDX-License-Identifier: BSD-3-Clause
"""Classes in Python as plugins: each role, what it declares, and that it does what it says."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import NUMPY, READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402
from sanitized import is_sanitized  # noqa: E402

SONAR = '''
    """Sonars of Acme."""
    import orrery

    __licence__ = "MIT"

    @orrery.plugin(frequency=20, levels=[("raw", "RawSonar"), ("fine", None, True)],
                   aliases=[("Echo", "orrery.sensors.pose.Pose")])
    class Sonar(orrery.Sensor):
        """Distance ahead."""

        distance = orrery.field(float, "m", "Distance to the nearest obstacle")
        n = orrery.field(int, "", "Number of the step")
        reach = orrery.option(5.0, "m", "Nothing beyond is seen", name="Reach", minimum=0.0, maximum=10.0)
        label = orrery.option("a", words="What it is called")
        on = orrery.option(True)
        size = orrery.option(3)
        free = orrery.option(None)
        state = ("count",)

        def setup(self, setup):
            self.count = 0

        def sense(self, tick, record):
            self.count += 1
            record.n = self.count
            record.distance = self.reach + tick.time

        @orrery.service
        def add(self, x: float, y: int = 2, words: str = "it's"):
            """Adds.

            More of it."""
            return [x + y, words]

        @orrery.service(long=True, interruptible=True, name="wait_for")
        def wait(self, call, n: int):
            """Waits for a step."""
            self.goal = (call, n)

        @orrery.service(signature="any:v=null")
        def echo(self, any):
            return any

        @orrery.service
        def refuse(self):
            raise orrery.Failed("not today")

    @orrery.plugin
    class RawSonar(Sonar):
        raw = orrery.field("vec3", "m", "Raw")

        def sense(self, tick, record):
            super().sense(tick, record)
            record.raw = (1, 2, 3)
'''


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Declarations(PythonCase):
    def describe(self, *classpaths):
        done = self.orrery("plugins", "--json", "--plugin-dir", "plugins", *classpaths)
        self.check(done, 0)
        return json.loads(done.stdout)

    def test_list(self):
        path = self.module("acme/sonar.py", SONAR)
        listed = self.describe()
        self.assertEqual(listed["errors"], [])
        module = next(each for each in listed["modules"] if each["module"] == "acme.sonar")
        self.assertEqual((module["file"], module["kind"], module["summary"], module["licence"], "abi" in module),
                         (os.path.join("plugins", "acme/sonar.py") if not os.path.isabs(module["file"]) else path,
                          "py", "Sonars of Acme.", "MIT", False))
        sonar, raw = module["classes"]
        self.assertEqual(sonar, {
            "classpath": "acme.sonar.Sonar", "role": "sensor", "type": "acme+sonar+Sonar", "frequency": 20.0,
            "thread_safe": False, "levels": [
                {"name": "raw", "classpath": "acme.sonar.RawSonar", "default": False},
                {"name": "fine", "classpath": "acme.sonar.Sonar", "default": True}],
            "aliases": [{"alias": "Echo", "component": "orrery.sensors.pose.Pose"}]})
        self.assertEqual(raw["frequency"], 60.0)

    def test_description(self):
        self.module("acme/sonar.py", SONAR)
        sonar, raw = self.describe("acme.sonar.Sonar", "acme.sonar.RawSonar")["classes"]
        self.assertEqual([(f["name"], f["type"], f["unit"]) for f in raw["fields"]],
                         [("timestamp", "time", "s"), ("distance", "double", "m"), ("n", "int64", ""),
                          ("raw", "vec3", "m")])
        options = {option.pop("name"): option for option in sonar["properties"]}
        self.assertEqual(options["Reach"], {"property": "reach", "type": "float", "minimum": 0.0, "maximum": 10.0,
                                            "read": "always", "default": 5.0, "words": "Nothing beyond is seen (m)"})
        self.assertEqual(sorted((name, option["type"], option["default"]) for name, option in options.items()),
                         [("Reach", "float", 5.0), ("free", "any", None), ("label", "string", "a"), ("on", "bool", True),
                          ("size", "int", 3)])
        services = {service["name"]: service for service in sonar["services"]}
        self.assertEqual(services["add"], {
            "name": "add", "kind": "immediate", "interruptible": False, "words": "Adds.", "arguments": [
                {"name": "x", "type": "d"}, {"name": "y", "type": "x", "default": 2},
                {"name": "words", "type": "s", "default": "it's"}]})
        self.assertEqual((services["wait_for"]["kind"], services["wait_for"]["interruptible"]), ("long", True))

    def test_modules_that_break(self):
        """A crash or a hang is a line of the report, and everything else is listed."""
        self.module("acme/sonar.py", SONAR)
        self.module("bad/crash.py", "import os\nos.kill(os.getpid(), 11)\n")
        self.module("bad/gone.py", "import os\nos._exit(3)\n")
        self.module("bad/hang.py", "import time\nwhile True:\n    time.sleep(1)\n")
        self.module("bad/leave.py", "import sys\nsys.exit(3)\n")
        self.module("bad/lack.py", "import nowhere_to_be_found\n")
        self.module("bad/syntax.py", "import os\ndef f(:\n")
        self.module("bad/talk.py", "print('rubbish')\nimport orrery\n")
        self.module("bad/twice.py", """
            import orrery
            @orrery.plugin(levels=[("raw", "Nobody")])
            class Sonar(orrery.Sensor):
                def sense(self, tick, record):
                    pass
            """)
        listed = self.describe()
        self.assertIn("acme.sonar", [module["module"] for module in listed["modules"]])
        self.assertIn("bad.talk", [module["module"] for module in listed["modules"]])
        errors = {os.path.basename(error["file"]): error["message"] for error in listed["errors"]}
        self.assertEqual(set(errors), {"crash.py", "gone.py", "hang.py", "leave.py", "lack.py", "syntax.py", "twice.py"})
        # A sanitizer has a handler of its own.
        words = "is loaded exited with status" if is_sanitized() else "is loaded was killed by SIGSEGV (Segmentation fault)"
        self.assertIn(words, errors["crash.py"])
        self.assertIn("with status 3", errors["gone.py"])
        self.assertIn("is loaded gave no answer within 5 s", errors["hang.py"])
        self.assertRegex(errors["leave.py"], r"leave.py:2: SystemExit: 3")
        self.assertRegex(errors["lack.py"], r"lack.py:1: ModuleNotFoundError: No module named 'nowhere_to_be_found'")
        self.assertRegex(errors["syntax.py"], r"syntax.py:2: SyntaxError: ")
        self.assertIn("level raw: there is no class Nobody in this file", errors["twice.py"])

    def test_declarations_that_are_wrong(self):
        for text, words in (
                ("x = orrery.field(list)", "TypeError: the type of a field is float, int, bool, str, or one of time, vec3, "),
                ("timestamp = orrery.field(float)", "TypeError: A: no field may be called timestamp"),
                ("x = orrery.option([1])", "TypeError: x: the default of a property is a bool, int, float, str or None"),
                ("x = orrery.option('a', minimum=1)", "TypeError: x: only numbers have a minimum"),
                ("@orrery.service\n    def f(self, x: list): pass", "TypeError: A.f: parameter x: float, int, bool"),
                ("@orrery.service(signature='x')\n    def f(self, x): pass", "service f: 'x' in a signature is not"),
        ):
            self.module("acme/a.py", "import orrery\n\n@orrery.plugin\nclass A(orrery.Sensor):\n    %s\n"
                                     "    def sense(self, tick, record): pass\n" % text)
            done = self.orrery("plugins", "--json", "--plugin-dir", "plugins", "acme.a.A")
            self.assertEqual(done.returncode, 69, done.stderr)
            self.assertIn(words, done.stderr)
            self.assertRegex(done.stderr, r"acme/a.py:\d+: ")

    def test_no_plugin(self):
        self.module("acme/a.py", "import orrery\n@orrery.plugin\nclass A: pass\n")
        done = self.orrery("plugins", "--plugin-dir", "plugins", "acme.a.A")
        self.assertEqual(done.returncode, 69)
        self.assertIn("a plugin is a class that derives from a role", done.stderr)
        self.module("acme/a.py", "import orrery\nclass A(orrery.Sensor): pass\n")
        done = self.orrery("plugins", "--plugin-dir", "plugins", "acme.a.A")
        self.assertEqual(done.returncode, 69)
        self.assertRegex(done.stderr, r"acme\.a\.A: class A of \S*acme/a\.py lacks @orrery.plugin, which makes it one for scenes")
        # Control: others are not there at all.
        done = self.orrery("plugins", "--plugin-dir", "plugins", "acme.a.B")
        self.assertIn("acme/a.py has no class B", done.stderr)

    def test_what_is_asked_for_comes_first(self):
        """However many files beside it are broken."""
        for name in "aaa", "bbb", "zzz":
            self.module("%s/broken.py" % name, "import nowhere_of_%s\n" % name)
        self.module("mmm/sonar.py", "import orrery\nimport nowhere_of_mine\n")
        self.module("mmm/bare.py", "import orrery\n\n\nclass Bare(orrery.Sensor):\n    pass\n")
        self.module("mmm/inner/__init__.py", "import nowhere_of_inner\n")
        for classpath, words in (("mmm.sonar.Sonar", r"sonar\.py:2: ModuleNotFoundError: No module named 'nowhere_of_mine'"),
                                 ("mmm.bare.Bare", r"class Bare of \S*mmm/bare\.py lacks @orrery\.plugin"),
                                 ("mmm.inner.Sonar", r"__init__\.py:1: ModuleNotFoundError: No module named 'nowhere_of_inner'"),
                                 ("mmm.none.Sonar", r"no class mmm\.none\.Sonar in .*nowhere_of_aaa.*nowhere_of_bbb")):
            with self.subTest(classpath):
                self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\nrobot.append(Sensor('%s'))\n"
                           "env = Environment('empty')\n" % classpath)
                done = self.orrery("check", "scene.py", "--plugin-dir", "plugins")
                self.assertEqual(done.returncode, 69, done.stderr)
                told = next(line for line in done.stderr.splitlines() if "scene.py:3" in line)
                self.assertRegex(told, words)
                if "none" not in classpath:
                    self.assertNotIn("broken.py", told)

    def test_listed_without_a_declaration(self):
        self.module("mmm/bare.py", "import orrery\n\n\nclass Bare(orrery.Sensor):\n    pass\n")
        module = next(each for each in self.describe()["modules"] if each["module"] == "mmm.bare")
        self.assertEqual((module["classes"], module["undeclared"]), ([], ["Bare"]))


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Roles(PythonCase):
    def test_sensor(self):
        self.module("acme/sonar.py", SONAR)
        self.assertEqual(self.prints("""
            sonar = sim["robot.sonar"]
            sim.step(4)
            print(sonar.data.n, round(sonar.data.distance, 3), list(sonar.data), sonar.distance == sonar.data.distance)
            print(sonar.add(1.5), sonar.add(1, 3, "b"), sim.call("robot.sonar", "add", 2))
            print(sim.call("robot.sonar", "echo", {"a": [1, True, None]}), sim.call("robot.sonar", "get_local_data")["n"])
            goal = sonar.wait_for(3)
            print(goal.done, sonar.get_call() == goal)
            sonar.goal[0].answer({"at": 3})
            print(goal.done, goal.result())
            again = sonar.wait_for(4)
            again.cancel()
            print(again.done)
            """, scene(("sonar", "acme.sonar.Sonar", {"properties": {"Reach": 7}}))), [
                "2 7.067 ['timestamp', 'distance', 'n'] True",
                "[3.5, \"it's\"] [4, 'b'] [4.0, \"it's\"]",
                "{'a': [1, True, None]} 2", "False True", "True {'at': 3}", "True"])

    def test_levels(self):
        self.module("acme/sonar.py", SONAR)
        self.assertEqual(self.prints("""
            sim.step(1)
            print(type(sim["robot.a"]).__name__, type(sim["robot.b"]).__name__, tuple(sim["robot.b"].data.raw))
            """, scene(("a", "acme.sonar.Sonar"), ("b", "acme.sonar.Sonar", {"level": "raw"}))),
            ["Sonar RawSonar (1.0, 2.0, 3.0)"])

    def test_json_class(self):
        self.module("acme/sonar.py", SONAR)
        self.module("acme/presets.json", json.dumps({"classes": {"Short": {
            "base": "acme.sonar.Sonar", "frequency": 60, "properties": {"Reach": 2.5}}}}))
        self.assertEqual(self.prints("""
            sim.step(3)
            print(sim["robot.a"].data.n, sim["robot.a"].props.reach)
            """, scene(("a", "acme.presets.Short"))), ["3 2.5"])

    def test_reset(self):
        self.module("acme/sonar.py", SONAR)
        self.assertEqual(self.prints("""
            sim.step(8)
            print(sim["robot.a"].count)
            sim.reset()
            print(sim["robot.a"].count, sim["robot.a"].data.n)
            sim.step(1)
            print(sim["robot.a"].data.n)
            """, scene(("a", "acme.sonar.Sonar"))), ["3", "0 0", "1"])

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_arrays_in_a_state(self):
        self.module("acme/mean.py", """
            import numpy
            import orrery

            @orrery.plugin
            class Mean(orrery.Sensor):
                n = orrery.field(float)
                state = ("sums", "names")

                def setup(self, setup):
                    self.sums, self.names = numpy.ones((2, 2)), ["a"]

                def sense(self, tick, record):
                    self.sums += 1
                    self.names.append("b")
                    record.n = self.sums.sum() + len(self.names)
            """)
        self.assertEqual(self.prints("""
            sim.step(3)
            print(sim["robot.a"].data.n)
            sim.reset()
            print(sim["robot.a"].sums.tolist(), sim["robot.a"].names)
            sim.step(1)
            print(sim["robot.a"].data.n)
            """, scene(("a", "acme.mean.Mean"))), ["20.0", "[[1.0, 1.0], [1.0, 1.0]] ['a']", "10.0"])

    def test_save_and_restore(self):
        self.module("acme/keep.py", """
            import orrery

            @orrery.plugin
            class Keep(orrery.Sensor):
                n = orrery.field(int)
                def setup(self, setup): self.memory = {"list": [1]}
                def sense(self, tick, record): self.memory["list"].append(2); record.n = len(self.memory["list"])
                def save(self): return self.memory
                def restore(self, state): self.memory = state
            """)
        self.assertEqual(self.prints("""
            sim.step(8)
            sim.reset()
            sim.step(1)
            print(sim["robot.a"].data.n)
            """, scene(("a", "acme.keep.Keep"))), ["2"])

    def test_actuator(self):
        self.module("acme/drive.py", """
            import orrery

            @orrery.plugin
            class Drive(orrery.Actuator):
                v = orrery.field(float, "m/s", "Speed")

                def act(self, tick, record):
                    robot = self.get_robot()
                    if self.was_commanded() and record.v < 0:
                        raise ValueError("backwards")
                    speed = orrery.Vec3()
                    speed.x = record.v
                    robot.apply_speed(tick, orrery.Control.POSITION, speed, orrery.Vec3(), tick.dt)

                @orrery.service
                def set_speed(self, v: float):
                    self.data.v = v
            """)
        self.assertEqual(self.prints("""
            sim["robot.drive"].data.v = 2.0
            sim.step(61)
            print(round(sim["robot.pose"].data.x, 6))
            sim["robot.drive"].set_speed(-1.0)
            sim.step(3)
            print([fault for fault in sim.report["faults"]])
            """, scene(("drive", "acme.drive.Drive"), ("pose", "morse.sensors.pose.Pose")))[0], "2.0")

    def test_modifier(self):
        self.module("acme/shift.py", """
            import orrery

            @orrery.plugin(aliases=[("Shift", "orrery.sensors.pose.Pose")])
            class Shift(orrery.Modifier):
                by = orrery.option(1.0, "m", "How far", name="by")

                def setup(self, setup):
                    self.names = self.component.get_name(), setup.has_option("by")

                def modify(self, tick, record):
                    record.x += self.by

                @orrery.method
                def back(self, tick, record):
                    "Shifts back."
                    record.x -= self.by

                @orrery.service
                def tell(self):
                    return self.names

            @orrery.plugin
            class Only(orrery.Modifier):
                @orrery.method
                def hold(self, tick, record):
                    record.hold()
            """)
        table = {"component_modifier": {
            "robot.a": [["acme.shift.Shift", {"by": 3.0}], ["acme.shift.Shift", "back", {}]],
            "robot.b": [["acme.shift.Only", "hold", {}], ["acme.shift.Shift", {}]]}}
        self.assertEqual(self.prints("""
            sim.step(2)
            print(sim["robot.a"].data.x, sim["robot.b"].data.x, sim.call("robot.a/Shift#0", "tell"))
            """, scene(("a", "morse.sensors.pose.Pose"), ("b", "morse.sensors.pose.Pose"), tables=table)),
            ["2.0 0.0 ['robot.a', True]"])
        listed = json.loads(self.orrery("plugins", "--json", "--plugin-dir", "plugins", "acme.shift.Shift").stdout)
        self.assertEqual(listed["classes"][0]["methods"], [{"name": "back", "words": "Shifts back."}])

    def test_overlay(self):
        self.module("acme/cover.py", """
            import orrery

            @orrery.plugin
            class Cover(orrery.Overlay):
                def setup(self, setup):
                    self.set_published_name("cover")

                @orrery.service
                def name(self):
                    return self.get_component().get_name()

                @orrery.service(long=True)
                def data(self, call):
                    self.chain(call, "get_local_data", map=lambda value: round(value["x"] + 1, 3))

                @orrery.service(long=True)
                def bad(self, call):
                    self.chain(call, "nothing")
            """)
        manager = "morse.middleware.socket_request_manager.SocketRequestManager"
        self.write("scene.json", scene(("pose", "morse.sensors.pose.Pose"), tables={
            "component_service": {"robot.pose": [manager]},
            "overlays": {manager: {"robot.pose": ["acme.cover.Cover", {}]}}}))
        process = self.start("run", "scene.json", "--plugin-dir", "plugins", "--wall", "100")
        port = self.services_port(process)
        for service, words in (("name", '"robot.pose"'), ("data", "1.0")):
            done = self.orrery("call", "--port", port, "cover", service)
            self.assertEqual((done.returncode, done.stdout.strip()), (0, words), done.stderr)
        done = self.orrery("call", "--port", port, "cover", "bad")
        self.assertNotEqual(done.returncode, 0)
        process.terminate()
        self.assertEqual(process.wait(60), 143)

    def test_datastream(self):
        self.module("acme/codec.py", """
            import orrery

            @orrery.plugin(aliases=[("socket", "orrery.sensors.pose.Pose")])
            class Comma(orrery.Datastream):
                sign = orrery.option(",")

                def encode(self, record):
                    return "%.3f%s%.3f" % (record.x, self.sign, record.y)

            @orrery.plugin
            class Words(orrery.Datastream):
                def decode(self, message, record):
                    record.v = 99.0
                    v, w = message.split()
                    record.v, record.w = float(v), float(w)
            """)
        manager = "morse.middleware.socket_datastream.SocketDatastreamManager"
        self.write("scene.json", scene(("pose", "morse.sensors.pose.Pose"), ("motion", "morse.actuators.v_omega.MotionVW"),
                                       tables={"component_datastream": {
                                           "robot.pose": [[manager, "acme.codec.Comma", {"sign": ";"}]],
                                           "robot.motion": [[manager, "acme.codec.Words", {}]]}}))
        process = self.start("run", "scene.json", "--plugin-dir", "plugins", "--wall", "100")
        port = self.services_port(process)
        ports = json.loads(self.orrery("call", "--port", port, "simulation", "get_all_stream_ports").stdout)
        import socket
        with socket.create_connection(("127.0.0.1", ports["robot.pose"]), 30) as pose, \
                socket.create_connection(("127.0.0.1", ports["robot.motion"]), 30) as motion:
            lines = pose.makefile()
            self.assertEqual(lines.readline(), "0.000;0.000\n")
            motion.sendall(b"rubbish\n")
            self.assertRegex(self.wait_for(process, "a message is refused"),
                             r"codec.py:\d+: ValueError: not enough values")
            motion.sendall(b"1.0 0.0\n")
            while not float(lines.readline().split(";")[0]) > 0.05:
                pass

    def test_names_that_are_nearly_right(self):
        """Of a module, a package, a class: the nearest, with the place in the scene."""
        self.module("acme/__init__.py", "")
        self.module("acme/sonar.py", """
            import orrery

            @orrery.plugin
            class Sonar(orrery.Sensor):
                x = orrery.field(float)

                def sense(self, tick, record):
                    pass
            """)
        for wrong, words in (("acme.snar.Sonar", "no module acme/snar.so"), ("amce.sonar.Sonar", "no module amce/sonar.so"),
                             ("acme.sonar.Sonnar", "sonar.py has no class Sonnar")):
            with self.subTest(wrong):
                done = self.run_scene(scene(("s", wrong)))
                self.assertEqual(done.returncode, 69, done.stderr)
                self.assertRegex(done.stderr, r"scene\.json:1:\d+: %s: .*%s.*; did you mean \S*Sonar" % (wrong, words))

    def test_datastream_manager(self):
        """What a codec in C has written arrives as bytes, also where no text could be."""
        self.module("acme/wire.py", """
            import orrery

            sent = []

            @orrery.plugin
            class Wire(orrery.DatastreamManager):
                def do_open(self, stream, options):
                    stream.set_listening(True)

                def do_send(self, stream, message, length):
                    sent.append((stream.get_name(), message))
            """)
        self.module("acme/raw.py", """
            import orrery

            @orrery.plugin
            class Raw(orrery.Datastream):
                def encode(self, record):
                    return b"\\xff\\0" * 2
            """)
        json_of_c = "morse.middleware.socket_datastream.SocketPublisher"
        self.assertEqual(self.prints("""
            sim.step(1)
            import acme.wire
            (first, text), (second, raw) = acme.wire.sent
            print(first, text[:2], text[-2:], second, raw)
            """, scene(("a", "morse.sensors.pose.Pose"), ("b", "morse.sensors.pose.Pose"), tables={"component_datastream": {
                "robot.a": [["acme.wire.Wire", json_of_c, {}]], "robot.b": [["acme.wire.Wire", "acme.raw.Raw", {}]]}})),
            ["robot.a b'{\"' b'0}' robot.b b'\\xff\\x00\\xff\\x00'"])

    def test_robot(self):
        self.module("acme/rover.py", """
            import orrery

            @orrery.plugin
            class Rover(orrery.Robot):
                def act(self, tick, record):
                    speed = orrery.Vec3()
                    speed.x = 1.0
                    self.apply_speed(tick, orrery.Control.POSITION, speed, orrery.Vec3(), tick.dt)
            """)
        text = scene(("pose", "morse.sensors.pose.Pose")).replace("morse.robots.atrv.ATRV", "acme.rover.Rover")
        self.assertEqual(self.prints("sim.step(61)\nprint(round(sim['robot.pose'].data.x, 6), sim['robot'].data.time)\n", text)[0],
                         "1.0 1.016666666")

    def test_script(self):
        """Callbacks, a generator as thread, and what goes wrong ends the script, not the run."""
        self.module("acme/watch.py", """
            import orrery

            @orrery.plugin
            class Watch(orrery.Script):
                step = orrery.option(1)

                def init(self, tick):
                    print("init", self.get_object().get_name())

                def sensing(self, tick):
                    if tick.number == 3:
                        raise ValueError("enough")
                    print("sensing", tick.number)

                def thread(self, tick):
                    for i in range(0, 2 * self.step, self.step):
                        print("thread", i, tick.number)
                        tick = yield

                def cleanup(self, tick):
                    print("cleanup")
            """)
        text = json.loads(scene())
        text["objects"][0]["scripts"] = [{"type": "child", "classpath": "acme.watch.Watch", "properties": {"step": 2}}]
        done = self.run_scene(json.dumps(text), "--ticks", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([line for line in done.stdout.splitlines() if line.split(" ")[0] in
                          ("init", "sensing", "thread", "cleanup")],
                         ["init robot", "sensing 0", "thread 0 0", "sensing 1", "thread 2 1", "sensing 2"])
        self.assertRegex(done.stderr, r"watch.py:\d+: ValueError: enough")
        order = self.orrery("order", "scene.json", "--plugin-dir", "plugins").stdout
        self.assertIn("thread\trobot\tchild\tacme.watch.Watch", order)
        self.assertNotIn("actuation", order)

    def test_callbacks_by_their_names_in_coppeliasim(self):
        self.module("acme/watch.py", """
            import orrery

            @orrery.plugin
            class Watch(orrery.Script):
                def sysCall_init(self, tick):
                    print("init")

                def sysCall_beforeSimulation(self, tick):
                    print("begin")

                def sysCall_thread(self, tick):
                    for i in range(2):
                        print("thread", i)
                        yield

                def sysCall_dynCallback(self, tick):
                    print("dyn")

                def sysCall_nonsense(self, tick):
                    print("nonsense")
            """)
        text = json.loads(scene())
        text["objects"][0]["scripts"] = [{"type": "customization", "classpath": "acme.watch.Watch"}]
        done = self.run_scene(json.dumps(text), "--ticks", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        words = [line for line in done.stdout.splitlines() if line.split(" ")[0] in
                 ("init", "begin", "thread", "dyn", "nonsense")]
        self.assertEqual(words, ["init", "begin", "thread 0"] + ["dyn"] * 4)
        for phase in ("sysCall_thread", "thread"):
            order = self.orrery("order", "scene.json", "--plugin-dir", "plugins", "--phase", phase)
            self.assertEqual(order.stdout, "robot\tcustomization\tacme.watch.Watch\n", order.stderr)
        order = self.orrery("order", "scene.json", "--plugin-dir", "plugins", "--phase", "sysCall_nonsense")
        self.assertEqual(order.returncode, 64, order.stdout)

    def test_sources_and_schema_of_setup(self):
        self.module("acme/late.py", """
            import orrery

            @orrery.plugin
            class Late(orrery.Sensor):
                def setup(self, setup):
                    self.kept = setup
                    self.pose = setup.find_component("robot.pose")
                    setup.add_source(self.pose)
                    setup.set_schema(orrery.Schema.new_from_variant(
                        orrery.variant("a(ssss)", [("x2", "double", "m", "twice")])))

                def sense(self, tick, record):
                    record.x2 = 2 * self.pose.data.x + 1
            """.replace("orrery.variant(", "__import__('gi').repository.GLib.Variant("))
        self.assertEqual(self.prints("""
            sim.step(2)
            print(sim["robot.late"].data.x2, sim["robot.late"].kept.find_component("robot.pose"))
            """, scene(("late", "acme.late.Late"), ("pose", "morse.sensors.pose.Pose"))), ["1.0 None"])


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Places(PythonCase):
    CLASS = """
        import orrery

        @orrery.plugin
        class Thing(orrery.Sensor):
            n = orrery.field(int)

            def sense(self, tick, record):
                record.n = %s
        """

    def test_packages(self):
        """A module imports from its package, and packages of several directories are one."""
        self.module("acme/thing.py", self.CLASS % "helper.NUMBER + other.NUMBER + pack.NUMBER"
                    .replace("helper", "__import__('acme.helper').helper").replace("other", "__import__('other')")
                    .replace("pack", "__import__('acme.pack').pack"))
        self.module("acme/helper.py", "NUMBER = 1\n")
        self.module("other.py", "NUMBER = 10\n")
        self.module("acme/pack/__init__.py", "NUMBER = 100\nfrom .inner import Thing\n" + "\n")
        self.module("acme/pack/inner.py", self.CLASS % "7")
        self.assertEqual(self.prints("""
            sim.step(1)
            print(sim["robot.a"].data.n, sim["robot.b"].data.n)
            """, scene(("a", "acme.thing.Thing"), ("b", "acme.pack.inner.Thing"))), ["111 7"])

    def test_path_of_python(self):
        self.module("elsewhere/thing.py", self.CLASS % "5", "path")
        self.write("scene.json", scene(("a", "elsewhere.thing.Thing")))
        for arguments in (("run", "scene.json", "--ticks", "3", "--fast", "--quiet"), ("check", "scene.json"),
                          ("plugins", "elsewhere.thing.Thing")):
            done = subprocess.run([cli.PROGRAM, *arguments], capture_output=True, text=True, cwd=self.directory,
                                  env=dict(self.environment(), PYTHONPATH=self.path("path")))
            self.assertEqual(done.returncode, 0, done.stderr)
        done = self.orrery("check", "scene.json")
        self.assertEqual(done.returncode, 69)
        self.assertIn("elsewhere.thing.Thing: no module elsewhere/thing.so (nor .py, .json) in ", done.stderr)
        self.assertIn("; nor is elsewhere.thing on Python's search path (PYTHONPATH)", done.stderr)
        self.write("scene.json", scene(("a", "orrery.sensors.nothing.Thing")))
        done = self.orrery("check", "scene.json")
        self.assertEqual(done.returncode, 69)
        self.assertNotIn("PYTHONPATH", done.stderr)

    def test_builder_of_a_class_on_the_path_of_python(self):
        self.module("elsewhere/thing.py", self.CLASS % "5", "path")
        self.write("script.py", "from morse.builder import *\nrobot = ATRV()\nthing = Sensor('elsewhere.thing.Thing')\n"
                                "robot.append(thing)\nenv = Environment('empty', fastmode=True)\n")
        for path, code in (("path", 0), ("nothing", 69)):
            done = subprocess.run([cli.PROGRAM, "run", "script.py", "--fast", "--ticks", "3"], capture_output=True,
                                  text=True, cwd=self.directory, env=dict(self.environment(), PYTHONPATH=self.path(path)))
            self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("no class elsewhere.thing.Thing", done.stderr)

    def test_a_scene_imports_nothing_else(self):
        """Only modules that have to do with Orrery: this one would speak."""
        self.module("loud.py", "print('loud')\n", "path")
        self.module("quiet/__init__.py", "print('loud')\n", "path")
        self.module("quiet/inner.py", "print('loud')\n", "path")
        for classpath in ("loud.Thing", "quiet.inner.Thing", "this.Zen"):
            self.write("scene.json", scene(("a", classpath)))
            done = subprocess.run([cli.PROGRAM, "check", "scene.json"], capture_output=True, text=True, cwd=self.directory,
                                  env=dict(self.environment(), PYTHONPATH=self.path("path")))
            self.assertEqual((done.returncode, done.stdout), (69, ""), done.stderr)
            self.assertIn("%s: no module " % classpath, done.stderr)

    def test_the_directory_of_the_run_is_no_place(self):
        self.module("elsewhere/thing.py", self.CLASS % "5", ".")
        self.write("scene.json", scene(("a", "elsewhere.thing.Thing")))
        self.assertEqual(self.orrery("check", "scene.json").returncode, 69)

    def test_class_of_the_program(self):
        """A class of a notebook or script has a classpath, too."""
        self.write("scene.json", scene(("a", "__main__.Thing")))
        self.assertEqual(self.prints("""
            @orrery.plugin
            class Thing(orrery.Sensor):
                n = orrery.field(int)
                def sense(self, tick, record):
                    record.n = 9
            sim = orrery.load("scene.json")
            sim.step(1)
            print(sim["robot.a"].data.n)
            """), ["9"])

    def test_untrusted(self):
        path = self.module("acme/thing.py", self.CLASS % "5")
        os.chmod(path, 0o666)
        self.write("scene.json", scene(("a", "acme.thing.Thing")))
        done = self.orrery("check", "scene.json", "--plugin-dir", "plugins")
        self.assertEqual(done.returncode, 69)
        self.assertIn("writable by everybody", done.stderr)


if __name__ == "__main__":
    tap.main()
