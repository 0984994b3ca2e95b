# SPDX-License-Identifier: BSD-3-Clause
"""Scripts as users have them: what they import, find and rely on, and all that they lack at once."""

import importlib
import inspect
import os
import pkgutil
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, HERE)

import tap
from inside import Scripts
from support import PLUGINS, BuilderCase, environment

TAIL = "\nenv = Environment('empty')\n"


class Found(BuilderCase):
    """In a process of their own, as users run them."""

    def test_packages_beside_the_script_and_on_the_resource_path(self):
        self.write("fleet/__init__.py", "")
        self.write(
            "fleet/robots.py",
            "from morse.builder import *\n\nclass Scout(ATRV):\n    def __init__(self, name=None):\n"
            "        ATRV.__init__(self, name)\n        self.eye = Pose()\n        self.append(self.eye)\n",
        )
        self.write("kit/parts/__init__.py", "from morse.builder import Clock\n\ndef fit(robot):\n    robot.append(Clock('c'))\n")
        self.write(
            "scene",
            "import sys, parts\nfrom fleet.robots import *\nscout = Scout()\nparts.fit(scout)\n"
            "print(sys.argv)\nenv = Environment('empty')\n",
        )
        done = self.run_builder(
            "scene", "-o", "out", "--plugins-json", PLUGINS, "--", "x",
            env=environment(MORSE_RESOURCE_PATH=self.path("kit")),
        )
        self.assertEqual((done.code, done.out), (0, "['scene', 'x']\n"), done.err)
        self.assertEqual(self.names(done), ["scout", "scout.eye", "scout.c"])

    def test_models_on_the_resource_path_and_below_the_root(self):
        for name in ("kit/boxes/big.blend", "root/share/morse/data/props/things.blend"):
            self.write(name, "")
        self.write(
            "scene.py",
            "from morse.builder import *\na = PassiveObject('boxes/big.blend')\nb = PassiveObject('props/things')\n"
            "env = Environment('empty')\n",
        )
        done = self.run_builder(
            "scene.py", "-o", "out", "--plugins-json", PLUGINS,
            env=environment(MORSE_RESOURCE_PATH="/nowhere:" + self.path("kit"), MORSE_ROOT=self.path("root")),
        )
        self.assertEqual(done.code, 0, done.err)
        self.assertEqual(
            [thing["import"]["file"] for thing in done.scene["objects"]],
            [self.path("kit/boxes/big.blend"), self.path("root/share/morse/data/props/things.blend")],
        )


class ScriptCase(unittest.TestCase):
    """In the test's own process."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.scripts = Scripts()

    @classmethod
    def tearDownClass(cls):
        cls.scripts.close()

    def run_script(self, text, code=0):
        result = self.scripts.run(text)
        self.assertEqual(result.code, code, result.err)
        return result


class Inside(ScriptCase):
    def test_names_that_come_with_the_star(self):
        result = self.run_script("print(math.pi > 3, os.sep, sys.argv[0], callable(bpymorse.get_object))" + TAIL)
        self.assertEqual(result.out, "True / scene.py True\n")

    @unittest.skipUnless(importlib.util.find_spec("orrery.morse"), "no mathutils")
    def test_mathutils(self):
        result = self.run_script(
            "import mathutils as own\nprint(mathutils.Vector((3, 0, 4)).length, own.Vector((1, 2, 3))[2])" + TAIL
        )
        self.assertEqual(result.out, "5.0 3.0\n")

    def test_bpy_can_be_imported_and_says_what_is_missing(self):
        result = self.run_script("import bpy\nfrom bpy import context" + TAIL)
        self.assertEqual(result.err, "")
        for use in ("bpy.ops.object.select_all()", "bpy.data.objects['x']", "bpy.data.texts.x = 1"):
            result = self.run_script("import bpy\n" + use + TAIL, 65)
            self.assertIn("scene.py:3: " + use.partition("(")[0].partition("[")[0].partition(" ")[0].rpartition(".")[0], result.err)
            self.assertIn("Blender is not here", result.err)

    def test_settings_of_the_window_have_no_effect(self):
        result = self.run_script("from morse.builder.bpymorse import *\nbpy.context.scene.render.resolution_x = 640\n"
                                 "bpymorse.select_all(); import bpy as own\nassert own is bpy" + TAIL)
        self.assertIn("scene.py:3: warning: bpy.context.scene.render.resolution_x has no effect: there is no window", result.err)
        self.assertIn("select_all() has no effect", result.err)

    def test_words_of_older_releases(self):
        """They do what today's do, and name them; those that changed the window have no effect."""
        result = self.run_script("""
from morse.builder.creator import SensorCreator, ActuatorCreator
class Ear(SensorCreator):
    def __init__(self, name=None):
        SensorCreator.__init__(self, name, 'morse.sensors.pose.Pose', 'pose')
class Leg(ActuatorCreator):
    def __init__(self, name=None):
        ActuatorCreator.__init__(self, name, 'morse.actuators.v_omega.MotionVW', 'v_omega')
robot = ATRV()
ear = Ear(); robot.append(ear)
leg = Leg(); robot.append(leg)
motion = Actuator('v_omega'); robot.append(motion)
pose = Sensor('pose'); robot.append(pose)
pose.configure_mw('socket')
ear.configure_mw('socket', ['morse.middleware.socket_mw.MorseSocketClass', 'post_message'])
leg.configure_service('socket')
pose.configure_modifier('NED')
pose.frequency(delay=5)
env = Environment('empty')
env.configure_service('socket')
""")
        self.assertEqual([result.object("robot." + name)["classpath"].rpartition(".")[2] for name in ("ear", "leg", "motion", "pose")],
                         ["Pose", "MotionVW", "MotionVW", "Pose"])
        self.assertEqual(result.object("robot.pose")["frequency"], 10)
        self.assertEqual(sorted(result.config["component_datastream"]), ["robot.ear", "robot.pose"])
        self.assertEqual(result.config["component_modifier"]["robot.pose"][0][0], "morse.modifiers.ned.CoordinatesToNED")
        self.assertEqual(sorted(result.config["component_service"]), ["robot.leg", "simulation"])
        for words in ("today it is add_stream()", "today it is add_service()", "today it is alter()", "today it is frequency (HZ)",
                      "Actuator ('v_omega')", "Ear (name, classpath, blendname)", "Environment.configure_service()"):
            self.assertIn(words, result.err)

    def test_collections_of_bpymorse(self):
        result = self.run_script(
            "robot = ATRV('scout')\nassert bpymorse.get_objects()['scout'] is robot and bpymorse.get_objects() == [robot]\n"
            "assert 'scout' in bpymorse.get_objects() and bpymorse.get_objects().get('x') is None\n"
            "try:\n    bpymorse.get_objects()['scot']\nexcept KeyError as error:\n    print(error)\n"
            "assert bpymorse.get_texts() == []\nnote = bpymorse.new_text()\nbpymorse.new_text()\nnote.write('a\\nb')\n"
            "print([text.name for text in bpymorse.get_texts()], bpymorse.get_text('Text').lines, bpymorse.get_fps())\n"
            "from morse.builder.data import *\nprint(MORSE_MODIFIER_DICT['NED']['morse.sensors.pose.Pose'])\n"
            "MORSE_DATASTREAM_DICT['lab.X'] = {}" + TAIL)
        self.assertEqual(result.out.splitlines(), [
            "'no scot; did you mean scout'", "['Text', 'Text.001'] ['a', 'b'] 60", "morse.modifiers.ned.CoordinatesToNED"])
        self.assertIn("MORSE_DATASTREAM_DICT['lab.X'] = ... has no effect", result.err)
        result = self.run_script("bpymorse.add_mesh_cube()" + TAIL, 65)
        self.assertIn("scene.py:2: bpymorse.add_mesh_cube(): Blender is not here; a script says it by Cube (name)", result.err)

    def test_functions_classes_and_loops(self):
        result = self.run_script(
            """
            class Scout(Morsy):
                def __init__(self, name=None):
                    Morsy.__init__(self, name)
                    self.eye = Pose()
                    self.append(self.eye)
            def fleet(n):
                for i in range(n):
                    s = Scout()
                    s.translate(i)
                    AbstractComponent.close_context()
            fleet(2)
            env = Environment('empty')
            """
        )
        self.assertEqual([thing["name"] for thing in result.scene["objects"]], ["s", "s_001"])

    def test_blender_s_names_of_components(self):
        result = self.run_script(
            """
            robot = ATRV()
            thing = bpymorse.get_object('ATRV') if False else bpymorse.get_objects()[0]
            game = thing._bpy_object.game
            robot.properties(speed=1)
            game.properties['speed'].value += 1
            assert 'speed' in game.properties and [p.name for p in game.properties] == ['speed']
            game.use_sleep = True; game.radius = 2; game.use_ghost = True; game.physics_type = 'RIGID_BODY'
            assert game.radius is None
            thing._bpy_object.location = (1, 2, 3)
            try:
                game.properties['sped']
            except KeyError as error:
                print(error)
            env = Environment('empty')
            """
        )
        robot = result.object("robot")
        self.assertEqual((robot["properties"], robot["body"]), ({"speed": 2}, {"type": "ghost"}))
        self.assertEqual(robot["position"], [1.0, 2.0, 3.0])
        self.assertEqual(result.err.count("has no effect"), 2)
        self.assertIn("did you mean speed", result.out)

    def test_external_robots_of_a_distribution(self):
        result = self.run_script(
            """
            a = ATRV(); b = ATRV()
            for robot in (a, b):
                pose = Pose(); robot.append(pose)
                robot.add_default_interface('socket')
            env = Environment('empty')
            env.configure_multinode(distribution={'one': 'a', 'two': ['b']})
            env.create('one')
            """
        )
        self.assertEqual(list(result.config["component_datastream"]), ["a.pose"])
        self.assertEqual(list(result.config["component_service"]), ["a.pose"])
        self.assertEqual(
            result.environment["add_ons"],
            [
                {
                    "classpath": "morse.scripts.multinode.Multinode",
                    "properties": {"Node": "one", "Robots": "a", "Address": "localhost", "Port": 65000},
                }
            ],
        )
        result = self.run_script("a = ATRV()\nenv = Environment('empty')\nenv.configure_multinode('hla')", 69)
        self.assertIn("no class connects nodes over hla", result.err)
        result = self.run_script(
            "a = ATRV()\nenv = Environment('empty')\nenv.configure_multinode(distribution={'x': ['c']})\nenv.create('x')", 65
        )
        self.assertIn("no robot c in the scene; there is a", result.err)

    def test_a_node_that_runs_nothing(self):
        result = self.run_script(
            "a = ATRV()\nenv = Environment('empty')\nenv.configure_multinode(distribution={'x': ['a']})\nenv.create('y')"
        )
        self.assertIn("the node y runs no robot", result.err)


class Lacking(ScriptCase):
    """What is missing is told of together; what is wrong besides makes it the script's mistake."""

    SCRIPT = """
        robot = ATRV()
        a = Poze(); robot.append(a); a.add_stream('socket'); a.frequency(5)
        class Mine(Robott):
            pass
        b = Sensor('acme.sonar.Sonnar'); robot.append(b); b.alter('Noise'); b.level('deep')
        c = Pose(); robot.append(c)
        c.add_stream('sockets'); c.add_stream('sockets'); c.add_service('text'); c.alter('Nois')
        d = PassiveObject('props/nothing'); d.setgraspable()
        env = Environment('emty')
        env.set_physics('acme.Physics')
        """

    def test_all_at_once(self):
        result = self.run_script(self.SCRIPT, 69)
        lines = [line for line in result.err.splitlines() if line.startswith("scene.py:")]
        self.assertEqual(
            [(line.split(":")[1], words) for line, words in zip(lines, self.EXPECTED) if words in line],
            list(zip(("3", "4", "6", "8", "8", "8", "9", "10", "11"), self.EXPECTED)),
            result.err,
        )
        self.assertEqual(len(lines), len(self.EXPECTED))
        self.assertNotIn("[ERROR][MORSE]", result.err)  # that is what `orrery run` adds
        self.assertEqual(result.scene, {})

    EXPECTED = (
        "no class Poze among the plugins; did you mean Pose",
        "no class Robott among the plugins; did you mean Robot",
        "no class acme.sonar.Sonnar",
        "no stream sockets",
        "no services over text",
        "no modifier Nois",
        "there is no file props/nothing",
        "no environment emty",
        "no class acme.Physics",
    )

    def test_a_mistake_besides(self):
        result = self.run_script("a = Poze()\nATRV().set_mass(-1)\n", 65)
        self.assertIn("scene.py:3: ATRV.mass: want a number of at least 0", result.err.splitlines()[0])
        self.assertIn("scene.py:2: no class Poze", result.err)

    def test_names_of_several_imports(self):
        result = self.run_script("from morse.builder.sensors import Pose, Odometri\nfrom morse.builder import Zoone" + TAIL, 69)
        for words in ("scene.py:2: no class Odometri", "scene.py:3: no class Zoone", "did you mean Zone"):
            self.assertIn(words, result.err)

    def test_a_name_of_the_script_s_own_is_no_class(self):
        result = self.run_script("def late():\n    return Own\nclass Own:\n    pass\nassert late() is Own" + TAIL)
        self.assertEqual(result.err, "")

    def test_remedies(self):
        for text, words in (
            ("import nowhere", "modules are looked for beside the script, in MORSE_RESOURCE_PATH"),
            ("ATRV().tranlate(1)", "did you mean translate"),
            ("open('nowhere.txt')", "paths are relative to the directory in which orrery was started"),
        ):
            self.assertIn(words, self.run_script(text, 65).err.splitlines()[0])

    def test_a_class_of_morse_without_a_plugin_is_built(self):
        result = self.run_script("robot = ATRV()\neye = SemanticCamera(); eye.add_stream('socket'); robot.append(eye)" + TAIL)
        self.assertEqual(result.object("robot.eye")["classpath"], "morse.sensors.semantic_camera.SemanticCamera")
        self.assertEqual(list(result.config["component_datastream"]), ["robot.eye"])
        self.assertIn("no plugin has morse.sensors.semantic_camera.SemanticCamera", result.err)


class Documented(unittest.TestCase):
    """Every public function, class and method of the builder has words and types."""

    def members(self):
        import orrery.builder

        for module in pkgutil.iter_modules(orrery.builder.__path__):
            found = importlib.import_module("orrery.builder." + module.name) if module.name != "__main__" else None
            for name, thing in vars(found).items() if found else ():
                if getattr(thing, "__module__", None) != found.__name__ or name.startswith("_"):
                    continue
                yield found.__name__ + "." + name, thing
                for own, member in vars(thing).items() if inspect.isclass(thing) else ():
                    member = getattr(member, "__func__", getattr(member, "fget", member))
                    if not own.startswith("_") and inspect.isfunction(member):
                        yield "%s.%s.%s" % (found.__name__, name, own), member

    def test_words(self):
        bare = [name for name, thing in self.members() if (inspect.isfunction(thing) or inspect.isclass(thing)) and not thing.__doc__]
        self.assertEqual(bare, [])

    def test_types(self):
        bare = []
        for name, thing in self.members():
            if not inspect.isfunction(thing):
                continue
            signature = inspect.signature(thing)
            untyped = [p.name for p in signature.parameters.values() if p.annotation is p.empty and p.name != "self"]
            if untyped or signature.return_annotation is signature.empty:
                bare.append((name, untyped))
        self.assertEqual(bare, [])

    def test_there_are_many(self):
        self.assertGreater(len(list(self.members())), 200)


if __name__ == "__main__":
    tap.main()
