# SPDX-License-Identifier: BSD-3-Clause
"""What scripts get wrong: exit code, first line with place and reason, nothing written."""

import json
import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, BuilderCase, environment

MISSING = 69
SCRIPT = 65
TAIL = "\nenv = Environment('empty')"


class Missing(BuilderCase):
    """Names that resolve to nothing: 69, with the nearest ones."""

    def test_class(self):
        built = self.refused(
            "robot = ATRV()\npose = Poze()" + TAIL,
            MISSING,
            "scene.py:3: no class Poze among the plugins; did you mean Pose",
        )
        self.assertEqual(len(built.err.splitlines()), 1, built.err)

    def test_class_in_an_import(self):
        self.refused(
            "from morse.builder.sensors import Pose, Odometri",
            MISSING,
            "scene.py:2: no class Odometri among the plugins; did you mean Odometry",
        )

    def test_class_as_an_attribute(self):
        self.refused(
            "import morse.builder.robots as r\nr.Morsi()",
            MISSING,
            "scene.py:3: no class Morsi",
            "did you mean Morsy",
        )

    def test_class_of_another_role_is_not_offered(self):
        self.refused("from morse.builder.actuators import Pose", MISSING, "no class Pose")

    def test_classpath(self):
        self.refused(
            "Sensor('morse.sensors.poze.Pose')",
            MISSING,
            "scene.py:2: no class morse.sensors.poze.Pose in "
            "/opt/acme:/prefix/lib/orrery-1/plugins; did you mean morse.sensors.pose.Pose",
        )
        self.refused("Sensor('Sonar')", MISSING, "no class Sonar", "did you mean acme.sonar.Sonar")
        self.refused("ATRV().properties(classpath='x.y.Z')", MISSING, "scene.py:2: no class x.y.Z")

    def test_robot(self):
        self.refused("Robot('atrw')", MISSING, "no model atrw among the plugins; did you mean atrv")
        self.refused("Robot('acme.robots.mule.Mule')", MISSING, "no class acme.robots.mule.Mule")
        self.refused(
            "Robot('models/mule.blend')", MISSING, "Robot: there is no file models/mule.blend"
        )

    def test_models(self):
        for call, what in (
            ("ATRV().append_meshes(['a'], 'b.blend')", "ATRV.append_meshes: there is no file b.blend"),
            ("ATRV().append_scenes('b.blend')", "there is no file b.blend"),
            ("ATRV().append_collada('b.dae')", "there is no file b.dae"),
            (
                "SensorCreator('a', SensorCreator.USE_BLEND)",
                "SensorCreator: there is no file a, looked for as /usr/local/share/morse/data/sensors/a.blend",
            ),
            ("Component('x', 'y.blend')", "Component: there is no file y.blend"),
            ("PassiveObject('props/nothing')", "PassiveObject: there is no file props/nothing"),
        ):
            with self.subTest(call):
                self.refused(call, MISSING, what)

    def test_environment(self):
        self.refused(
            "Environment('emty')", MISSING, "scene.py:2: no environment emty", "did you mean empty"
        )
        self.refused("Environment('indoors-1/boxs')", MISSING, "did you mean indoors-1/boxes")
        if os.path.exists("/usr/share/morse/data/environments/sandbox.blend"):
            self.refused("Environment('sandboxx')", MISSING, "no environment sandboxx", "did you mean sandbox")
        self.refused("Environment('hall.blend')", MISSING, "Environment: there is no file hall.blend")

    def test_stream(self):
        for call in (
            "Pose().add_stream('sockets')",
            "ATRV().add_default_interface('sockets')",
            "env = Environment('empty'); env.configure_stream_manager('sockets')",
        ):
            self.refused(call, MISSING, "scene.py:2: no stream sockets", "did you mean socket")
        self.refused("Pose().add_stream('acme.x.Y')", MISSING, "no class acme.x.Y")

    def test_stream_without_a_codec(self):
        self.refused(
            "Waypoint().add_stream('text')",
            MISSING,
            "Waypoint: the stream text has nothing to read morse.actuators.waypoint.Waypoint",
        )

    def test_codec(self):
        self.refused(
            "Pose().add_stream('socket', 'morse.middleware.socket_datastream.SocketPublishr')",
            MISSING,
            "did you mean morse.middleware.socket_datastream.SocketPublisher",
        )

    def test_services(self):
        for call in (
            "Pose().add_service('text')",
            "Pose().add_interface('text')",
            "Pose().add_overlay('text', 'acme.sonar.Loud')",
            "env = Environment('empty'); env.add_service('text')",
        ):
            self.refused(call, MISSING, "scene.py:2: no services over text", "; there is socket")
        self.refused("Pose().add_service('', config='a.B')", MISSING, "no class a.B")

    def test_overlay(self):
        self.refused(
            "Pose().add_overlay('socket', 'acme.sonar.Lout')",
            MISSING,
            "did you mean acme.sonar.Loud",
        )

    def test_zone(self):
        self.refused("Zone(3)", SCRIPT, "Zone: the type must be text, not 3")
        self.refused("Zone('Charging').size = [1, 0, 1]", SCRIPT, "want a number above 0, not 0")
        self.refused("Zone('Charging').size = 2", SCRIPT, "size")
        self.refused("Zone('Charging').add_stream('socket')", SCRIPT, "nothing to put on a stream")

    def test_modifier(self):
        self.refused(
            "Pose().alter('Nois')",
            MISSING,
            "no modifier Nois for morse.sensors.pose.Pose",
            "; did you mean Noise",
        )
        self.refused(
            "Waypoint().alter('Noise')",
            MISSING,
            "no modifier Noise for morse.actuators.waypoint.Waypoint",
            "; there is Delay, Gaussian, NED, UTM, feet",
        )
        self.refused("Clock().alter('Noise')", MISSING, "; there is Delay, Gaussian")
        self.refused(
            "Pose().alter(classpath='morse.modifiers.ned.CoordinateToNED')",
            MISSING,
            "did you mean morse.modifiers.ned.CoordinatesToNED",
        )

    def test_physics(self):
        self.refused(
            "Environment('empty').set_physics('morse.physics.kinematic.Kinematik')",
            MISSING,
            "did you mean morse.physics.kinematic.Kinematic",
        )

    def test_a_broken_plugin_is_mentioned(self):
        listing = self.write(
            "list.json",
            json.dumps(
                {
                    "orrery": 1,
                    "directories": ["/p"],
                    "modules": [],
                    "errors": [{"file": "/p/acme/sonar.so", "message": "no descriptor"}],
                }
            ),
        )
        self.write("scene.py", "from morse.builder import *\nSensor('acme.sonar.Sonar')\n")
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", listing)
        self.assertEqual(built.code, MISSING)
        self.assertIn("scene.py:2: acme.sonar.Sonar: /p/acme/sonar.so: no descriptor", built.first_line)


class Mistakes(BuilderCase):
    """What a script does wrong with things that exist: 65."""

    def test_names(self):
        self.refused("ATRV('a.b')", SCRIPT, "scene.py:2: the name 'a.b' must not hold a dot")
        self.refused("ATRV().name = 3", SCRIPT, "must be text")
        self.refused("ATRV().name = ''", SCRIPT, "must be text")

    def test_tree(self):
        self.refused(
            "a = ATRV()\na.append('x')", SCRIPT, "scene.py:3: append: want a component, not 'x'"
        )
        self.refused("a = ATRV()\na.append(a)", SCRIPT, "ATRV cannot be a part of itself")
        self.refused(
            "a = ATRV('a'); b = ATRV('b'); a.append(b)\nb.append(a)",
            SCRIPT,
            "a cannot be a part of itself",
        )
        self.refused(
            "a = ATRV('a'); a.append(Pose(), 'mast')", SCRIPT, "a has no part mast; there is none"
        )

    def test_component_without_a_robot(self):
        self.refused(
            "robot = ATRV()\n\npose = Pose()" + TAIL,
            SCRIPT,
            "scene.py:4: pose belongs to no robot: append it to one",
        )

    def test_roles(self):
        self.refused("Robot('morse.sensors.pose.Pose')", SCRIPT, "is of the role sensor, not robot")
        self.refused(
            "Pose().alter(classpath='acme.sonar.Loud')",
            SCRIPT,
            "is of the role overlay, not modifier",
        )
        self.refused("Sensor(3)", SCRIPT, "a classpath must be text, not 3")

    def test_levels(self):
        self.refused(
            "o = Odometry()\no.level('differntial')",
            SCRIPT,
            "scene.py:3: Odometry: morse.sensors.odometry.Odometry has no level differntial; "
            "did you mean differential",
        )
        self.refused("Pose().level('raw')", SCRIPT, "has no level raw; there is none")

    def test_numbers(self):
        self.refused(
            "ATRV().translate(float('nan'))",
            SCRIPT,
            "ATRV.translate: x: nan is not a finite number",
        )
        self.refused(
            "ATRV().rotate(z='1')", SCRIPT, "ATRV.rotate: z: want a number, not the str '1'"
        )
        self.refused(
            "r = ATRV(); r.translate(1e308); r.translate(1e308)",
            SCRIPT,
            "inf is not a finite number",
        )
        self.refused("ATRV().location = (1, 2)", SCRIPT, "want three numbers, not 2")
        self.refused("ATRV().location = 7", SCRIPT, "want three numbers, not 7")
        self.refused("ATRV().scale = (2, 2)", SCRIPT, "want three numbers, not 2")
        self.refused("Pose().frequency(-1)", SCRIPT, "want a number above 0, not -1")
        self.refused("Pose().frequency(True)", SCRIPT, "want a number, not the bool True")
        self.refused("ATRV().set_mass(-1)", SCRIPT, "want a number of at least 0")
        self.refused(
            "ATRV().set_physics_type('RIGID')",
            SCRIPT,
            "no physics type RIGID; did you mean RIGID_BODY",
        )

    def test_methods_are_called(self):
        for line, words in (
            ("Pose().frequency = 10", "Pose.frequency is called: frequency(10)"),
            ("Odometry().level = 'raw'", "Odometry.level is called: level('raw')"),
            ("ATRV().properties = {'a': 1}", "ATRV.properties is called: properties(a=1)"),
            ("ATRV().translate = (1, 2, 3)", "ATRV.translate is called: translate(1, 2, 3)"),
            ("Environment('empty').set_gravity = 3", "Environment.set_gravity is called: set_gravity(3)"),
        ):
            self.refused(line, SCRIPT, "scene.py:2:", words)
        # What is no method is the script's own.
        self.assertEqual(
            self.build("r = ATRV(); r.crew = 3; r.on_done = print; r.frequency = print\nenv = Environment('empty')").code, 0
        )

    def test_arguments_that_a_class_does_not_take(self):
        self.refused("ATRV(x=1)", SCRIPT, "ATRV() got an unexpected keyword argument 'x'")

    def test_values(self):
        for value, reason in (
            ("set()", "a set cannot be kept"),
            ("float('inf')", "inf is not a finite number"),
            ("2**63", "9223372036854775808 does not fit into 64 bits"),
            ("b'x'", "a bytes cannot"),
            ("[{'a': {1: 2}}]", "the key 1 is not text"),
            ("'\\ud800'", "is not valid Unicode"),
            ("'a\\0b'", "holds a NUL"),
            ("10**400", "does not fit into 64 bits"),
        ):
            with self.subTest(value):
                self.refused(
                    "ATRV().properties(p=%s)" % value, SCRIPT, "scene.py:2: ATRV.p", reason
                )
                self.refused(
                    "Pose().add_stream('socket', p=%s)" % value, SCRIPT, "scene.py:2: ", reason
                )
        self.refused("p = []\np.append(p)\nATRV().properties(p=p)", SCRIPT, "nested deeper than 32")

    def test_streams(self):
        self.refused(
            "p = Pose(); p.mark_unexportable()\np.add_stream('socket')",
            SCRIPT,
            "scene.py:3: Pose: Pose has nothing to put on a stream",
        )
        self.refused(
            "ATRV().add_stream('socket')", SCRIPT, "the direction must be IN or OUT, not None"
        )
        self.refused(
            "Pose().add_stream('socket', direction='UP')", SCRIPT, "must be IN or OUT, not 'UP'"
        )
        self.refused("Pose().alter()", SCRIPT, "Pose: alter: want an alias or a classpath")
        self.refused(
            "SensorCreator('bare').add_stream('socket')",
            SCRIPT,
            "bare: add_stream needs a classpath",
        )

    def test_environment(self):
        self.refused("robot = ATRV()", SCRIPT, "scene.py: the script makes no Environment")
        self.refused(
            "a = Environment('empty')\nb = Environment('empty')",
            SCRIPT,
            "scene.py:3: a scene has one Environment; the first was made at scene.py:2",
        )
        for call, reason in (
            ("simulator_frequency(0)", "base_frequency: want a number above 0"),
            ("simulator_frequency(60, 0.5)", "logic_step_max: want a whole number of at least 1"),
            ("simulator_frequency(60, 1, 2.5)", "physics_step_max: want a whole number"),
            (
                "set_time_strategy(2)",
                "ValueError: no time strategy 2; there is TimeStrategies.BestEff",
            ),
            ("set_time_strategy(True)", "no time strategy True"),
            ("set_time_scale()", "want either slowdown_by or accelerate_by"),
            ("set_time_scale(1, 2)", "want either slowdown_by or accelerate_by"),
            ("set_time_scale(accelerate_by=0)", "accelerate_by: want a number above 0"),
            ("use_vsync('on')", "want 'ON', 'OFF' or 'ADAPTIVE', not 'on'"),
            ("set_gravity([0, 0, 1])", "set_gravity: want a number"),
            ("set_physics_step_sub(0.5)", "want a whole number of at least 1"),
            ("set_seed(1.5)", "want a whole number"),
            ("set_seed(-1)", "at least 0"),
            ("set_room(-1)", "at least 0"),
            ("set_room(True)", "want a whole number"),
            ("set_seed(2**64)", "does not fit into 64 bits"),
            ("configure_multinode('smoke')", "protocol: no 'smoke'; did you mean socket"),
            ("configure_multinode(server_port='x')", "no port 'x'"),
            ("configure_multinode(distribution=['a'])", "want the names of robots by node"),
            ("properties(x=set())", "Environment.x: a set cannot be kept"),
            ("bad_name()", "AttributeError: 'Environment' object has no attribute 'bad_name'"),
        ):
            with self.subTest(call):
                self.refused(
                    "env = Environment('empty')\nenv." + call, SCRIPT, "scene.py:3: ", reason
                )

    def test_what_is_not_offered(self):
        self.refused("ATRV().make_grasper('x')", SCRIPT, "ATRV has no part x; there is none")
        self.refused(
            "ATRV()._bpy_object.game.lock_location_w = True",
            SCRIPT,
            "no setting game.lock_location_w; did you mean lock_location_",
        )
        self.refused("ATRV()._bpy_object.game.massy", SCRIPT, "no setting game.massy; did you mean mass")
        self.refused("bpymorse.get_object('x')\nenv = Environment('empty')", SCRIPT, "no object x in the scene")


class Failures(BuilderCase):
    """Errors of Python's own, and what the script was given."""

    def test_who_called_the_place(self):
        self.write("parts.py", "def fit(robot):\n    robot.append(None)\n")
        built = self.refused(
            "import parts\nrobot = ATRV()\nparts.fit(robot)",
            SCRIPT,
            "append: want a component, not None",
        )
        self.assertTrue(
            built.first_line.endswith("parts.py:2: append: want a component, not None"),
            built.first_line,
        )
        self.assertEqual(built.err.splitlines()[1:], ["    called at scene.py:4, in <module>"])

    def test_exception_of_python(self):
        built = self.refused("x = 1 / 0", SCRIPT, "scene.py:2: ZeroDivisionError: division by zero")
        self.assertEqual(len(built.err.splitlines()), 1, built.err)

    def test_exception_in_an_exception(self):
        built = self.refused(
            "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('bad') from e",
            SCRIPT,
            "scene.py:5: ValueError: bad",
        )
        self.assertEqual(
            built.err.splitlines()[1:],
            ["    because of scene.py:3: ZeroDivisionError: division by zero"],
        )

    def test_the_traceback_of_our_own_files_is_for_those_who_ask(self):
        script = self.write("scene.py", "from orrery.builder import *\nATRV().append(None)\n")
        for more, shown in (((), False), (("--debug",), True)):
            built = self.run_builder(script, "-o", "out", "--plugins-json", PLUGINS, *more)
            self.assertEqual(built.code, SCRIPT, built.err)
            self.assertEqual("Traceback" in built.err, shown, built.err)
            self.assertEqual("abstractcomponent.py" in built.err, shown, built.err)
            self.assertIn("scene.py:2: append: want a component, not None", built.err)

    def test_name_that_is_no_class(self):
        self.refused("robot = atrv", SCRIPT, "scene.py:2: NameError: name 'atrv' is not defined")

    def test_type_of_message_that_is_no_class(self):
        for name in ("geometry_msgs/Twist", "std_msgs/msg/String"):
            self.refused(
                "a = Pose(); a.add_stream('socket', %r)" % name,
                MISSING,
                "scene.py:2: no class %s: that is a type of message" % name,
                "docs/mappings.md",
            )
        self.refused("a = Pose(); a.add_stream('socket', 'a/b')", MISSING, "no class a/b in")

    def test_import_of_something_else(self):
        self.refused(
            "from os import Pose",
            SCRIPT,
            "scene.py:2: ImportError: cannot import name 'Pose' from 'os'",
        )
        self.refused(
            "import nowhere; nowhere.go()", MISSING, "scene.py:2: no module nowhere: modules are looked for beside"
        )
        self.refused(
            "import morse.builder.nowhere", SCRIPT, "No module named 'morse.builder.nowhere'"
        )

    def test_modules_that_are_not_there_are_told_with_the_rest(self):
        """Of a script and of the modules that it has beside it, each with the line of its import or of its use."""
        self.write("kit/parts.py", "import yarpgraph\nname = yarpgraph.Master('x').name\n")
        self.write("kit/__init__.py", "")
        built = self.refused(
            """
            import yarp, math
            from yarp_msgs.msg import String as Text, Header
            from lab.builder.sensors import Sonar, make
            from kit.parts import name
            yarp.init_node('scene')
            robot = ATRV()
            sonar = Sonar('sonar')
            sonar.add_stream('socket')
            robot.append(sonar)
            for each in make(3): robot.append(each)
            pose = Poze()
            thing = PassiveObject('props/nothing', 'X')
            env = Environment('emty')
            """,
            MISSING,
            "no module yarpgraph: ",
        )
        for words in (
            "scene.py:2: no module yarp: ",
            "scene.py:8: no module lab.builder.sensors: ",
            "scene.py:12: no class Poze",
            "scene.py:13: PassiveObject: there is no file props/nothing",
            "scene.py:14: no environment emty",
            "scene.py:3: no module yarp_msgs.msg; nothing uses it",
        ):
            self.assertIn(words, built.err)
        self.assertNotIn("no module math", built.err)

    def test_a_module_that_nothing_uses_ends_no_script(self):
        built = self.built("import yarp\nfrom pymoos import *\nimport lab.a.b as c\nrobot = ATRV()\nenv = Environment('empty')")
        for line, name in ((2, "yarp"), (3, "pymoos"), (4, "lab.a.b")):
            self.assertIn("scene.py:%d: warning: no module %s; nothing uses it" % (line, name), built.err)

    def test_imports_that_a_script_guards_fail_as_ever(self):
        built = self.built(
            """
            import importlib, importlib.util
            found = []
            try:
                import yarp
            except ImportError:
                found.append(1)
            try:
                from yarp import Node
            except (OSError, ModuleNotFoundError):
                found.append(2)
            try:
                importlib.import_module('yarp')
            except ImportError:
                found.append(3)
            assert found == [1, 2, 3] and importlib.util.find_spec('yarp') is None
            robot = ATRV()
            env = Environment('empty')
            """
        )
        self.assertEqual(built.err, "")

    def test_modules_that_others_find_are_no_stand_ins(self):
        """A package that adds a finder of its own when it is imported."""
        self.write("late.py", """
            import importlib.machinery, importlib.util, sys
            class Finder:
                def find_spec(self, name, path=None, target=None):
                    if name == 'later':
                        return importlib.machinery.ModuleSpec(name, self)
                def create_module(self, spec):
                    return None
                def exec_module(self, module):
                    module.value = 7
            sys.meta_path.append(Finder())
            """)
        built = self.built("import late\nimport later\nassert later.value == 7\nrobot = ATRV()\nenv = Environment('empty')")
        self.assertEqual(built.err, "")

    def test_another_mistake_comes_first(self):
        built = self.refused(
            "import yarp\nrobot = ATRV()\nrobot.nonsense()", SCRIPT, "scene.py:4: AttributeError: 'ATRV' object"
        )
        self.assertIn("scene.py:2: no module yarp: ", built.err)

    def test_syntax(self):
        built = self.refused("x = = 1", SCRIPT, "scene.py:2: syntax error: invalid syntax")
        self.assertEqual(len(built.err.splitlines()), 1)
        self.refused("x = '\\0'\n\0", SCRIPT, "scene.py", "syntax error: ", "null byte")
        with open(self.path("latin.py"), "wb") as stream:
            stream.write(b"x = 1\ny = '\xe9'\n")
        built = self.run_builder("latin.py", "-o", "out", "--plugins-json", PLUGINS)
        self.assertEqual((built.code, built.files), (SCRIPT, []))
        self.assertRegex(built.first_line, r"^latin\.py:.*syntax error: .*utf-8")

    def test_syntax_of_an_imported_module(self):
        self.write("parts.py", "x = 1\ny = = 2\n")
        built = self.refused("import parts", SCRIPT, "parts.py:2: syntax error: invalid syntax")
        self.assertIn("    called at scene.py:2, in <module>\n", built.err)

    def test_place_is_the_script_s_not_the_library_s(self):
        built = self.refused(
            "import json\njson.loads('{')", SCRIPT, "scene.py:3: JSONDecodeError: "
        )
        self.assertNotIn("decoder.py", built.err)

    def test_hook_that_fails(self):
        self.refused(
            "class R(ATRV):\n    def after_renaming(self):\n        raise KeyError('k')\nr = R()"
            + TAIL,
            SCRIPT,
            "scene.py:4: KeyError: 'k'",
        )

    def test_exit_codes_of_the_script(self):
        self.assertEqual(self.build("sys.exit(3)").code, 3)
        built = self.build("sys.exit('no map')")
        self.assertEqual((built.code, built.err, built.files), (SCRIPT, "no map\n", []))

    def test_interrupt(self):
        self.assertEqual(self.build("raise KeyboardInterrupt").code, 130)

    def test_no_script(self):
        built = self.run_builder("nowhere.py", "-o", "out", "--plugins-json", PLUGINS)
        self.assertEqual((built.code, built.err), (66, "nowhere.py: there is no such file\n"))
        built = self.run_builder(self.top, "-o", "out", "--plugins-json", PLUGINS)
        self.assertEqual(built.code, 66)

    def test_usage(self):
        for arguments in (
            (),
            ("scene.py",),
            ("scene.py", "-o"),
            ("scene.py", "-o", "out", "--what"),
        ):
            built = self.run_builder(*arguments)
            self.assertEqual((built.code, built.first_line.split(":")[0]), (64, "usage"), arguments)

    def test_directory_that_cannot_be_written(self):
        self.write("out", "a file")
        self.write("scene.py", "from morse.builder import *\nenv = Environment('empty')\n")
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", PLUGINS)
        self.assertEqual((built.code, built.err), (74, "out: File exists\n"))
        built = self.run_builder("scene.py", "-o", "out/below", "--plugins-json", PLUGINS)
        self.assertEqual((built.code, built.err), (74, "out/below: Not a directory\n"))

    def test_disk_that_is_full(self):
        self.write("scene.py", "from morse.builder import *\nenv = Environment('empty')\n")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))
        done = subprocess.run(
            [sys.executable, "-m", "orrery.builder", "scene.py", "-o", "out"]
            + ["--plugins-json", PLUGINS],
            cwd=self.top,
            env=environment(),
            preexec_fn=limit,
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual((done.returncode, done.stderr), (74, "out: File too large\n"))
        self.assertEqual(os.listdir(self.directory), [])

    def test_file_that_cannot_be_replaced(self):
        os.makedirs(os.path.join(self.directory, "scene.json"))
        self.write("scene.py", "from morse.builder import *\nenv = Environment('empty')\n")
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "orrery.builder",
                "scene.py",
                "-o",
                "out",
                "--plugins-json",
                PLUGINS,
            ],
            cwd=self.top,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
        )
        self.assertEqual((done.returncode, done.stderr), (74, "out/scene.json: Is a directory\n"))
        self.assertEqual(os.listdir(self.directory), ["scene.json"])


class Package(BuilderCase):
    """The package in a process that is not the builder's."""

    def python(self, text, **more):
        return subprocess.run(
            [sys.executable, "-c", text],
            cwd=self.top,
            env=environment(**more),
            capture_output=True,
            text=True,
            timeout=60,
        )

    def test_import_needs_neither_program_nor_typelib_nor_morse(self):
        done = self.python(
            "import sys, orrery.builder, orrery.builder.sensors\n"
            "assert not {'gi', 'morse', 'morse.builder'} & set(sys.modules)",
            ORRERY_PROGRAM="/nowhere/orrery",
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_classes_come_from_the_program(self):
        program = self.write("program", "#!/bin/sh\ncat '%s'\n" % PLUGINS)
        os.chmod(program, 0o755)
        done = self.python(
            "from orrery.builder import *\nimport orrery.builder.sensors as s\n"
            "print(Pose is s.Pose, 'ATRV' in dir(s), 'Pose' in dir(s), 'Sensor' in dir(s))",
            ORRERY_PROGRAM=program,
        )
        self.assertEqual((done.stdout, done.stderr), ("True False True True\n", ""))


class Lists(BuilderCase):
    """The list of plugins itself."""

    def setUp(self):
        super().setUp()
        self.write("scene.py", "from morse.builder import *\nenv = Environment('empty')\n")

    def listed(self, text):
        return self.run_builder("scene.py", "-o", "out", "--plugins-json", "-", stdin=text)

    def test_not_there(self):
        built = self.run_builder("scene.py", "-o", "out", "--plugins-json", "none.json")
        self.assertEqual((built.code, built.err), (66, "none.json: No such file or directory\n"))

    def test_not_a_list(self):
        for text in (
            "",
            "{",
            "[]",
            '"x"',
            '{"orrery": 1, "modules": [{"classes": [{"role": "sensor"}]}]}',
            '{"orrery": 1, "modules": [{"classes": [{"classpath": "a.B", "aliases": [{}]}]}]}',
            '{"orrery": 1, "modules": [{"classes": [{"classpath": "a.B", "levels": [{}]}]}]}',
            '{"orrery": 1, "modules": 7}',
            '{"orrery": 1, "modules": [7]}',
        ):
            with self.subTest(text):
                built = self.listed(text)
                self.assertEqual((built.code, built.files), (70, []))
                self.assertIn("list of plugins", built.first_line)

    def test_of_another_version(self):
        built = self.listed('{"orrery": 2, "modules": []}')
        self.assertEqual(
            (built.code, built.first_line),
            (70, "the list of plugins is of no version that this builder reads (want 1)"),
        )

    def test_empty(self):
        built = self.listed('{"orrery": 1}')
        self.assertEqual((built.code, built.scene["objects"]), (0, []))

    def test_bases_in_a_ring(self):
        built = self.listed(
            json.dumps(
                {
                    "orrery": 1,
                    "modules": [
                        {
                            "module": "a",
                            "classes": [
                                {"classpath": "a.X", "base": "a.Y"},
                                {"classpath": "a.Y", "base": "a.X"},
                            ],
                        }
                    ],
                }
            )
        )
        self.assertEqual(built.code, 0, built.err)

    def test_program_that_is_not_there(self):
        built = self.run_builder(
            "scene.py", "-o", "out", env=environment(ORRERY_PROGRAM="/nowhere/orrery")
        )
        self.assertEqual(
            (built.code, built.first_line),
            (69, "/nowhere/orrery: No such file or directory; set ORRERY_PROGRAM to the program"),
        )

    def test_program_that_fails(self):
        program = self.write("program", "#!/bin/sh\necho 'cannot: too warm' >&2\nexit 74\n")
        os.chmod(program, 0o755)
        built = self.run_builder("scene.py", "-o", "out", env=environment(ORRERY_PROGRAM=program))
        self.assertEqual(
            (built.code, built.first_line),
            (70, program + " plugins --json: exit code 74: cannot: too warm"),
        )


if __name__ == "__main__":
    tap.main()
