# SPDX-License-Identifier: BSD-3-Clause
"""Every public name of every module of MORSE 1.4 can be imported, and is here what `morse_names.txt` says."""

import ast
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

TABLE = os.path.join(cli.SOURCE, "tests/python/morse_names.txt")
INSTALLED = "/usr/lib/python3/dist-packages/morse"
#: What MORSE's modules import of other programs, and of themselves under another name.
OTHERS = set("""
Bool CameraInfo CtrlInput Float32 Header Image Imu JointState JointTrajectoryAction JointTrajectoryControllerState LaserScan
NavSatFix PIPE Point PointCloud2 PointField PollThread Popen Pose2D PoseStamped PoseWithCovarianceStamped PythonLexer
QuaternionBase Range StreamJSON String Terminal256Formatter TransformStamped Twist TwistStamped Vector3 Wrench actionlib_msgs
component_config fom genpy geometry_msgs highlight imp main_close main_reset main_terminate mavlink mavlink_connection mathutils
multinode_config persistantstorage pymoos python3 rospy roslib rti std_msgs yarp
""".split())
#: Of each kind of class in C one to derive from, in more detail.
DERIVED = """
from morse.sensors.pose import Pose
from morse.sensors.proximity import Proximity
from morse.sensors.gps import RawGPS
from morse.sensors.laserscanner import *
from morse.sensors.video_camera import VideoCamera
from morse.actuators.waypoint import Waypoint
from morse.robots.grasping_robot import GraspingRobot
from morse.modifiers.ned import CoordinatesToNED
from morse.core.services import service
from morse.helpers.components import add_data, add_property


class Double(Pose):
    '''Where it is, and twice that.'''
    add_data('twice', 0.0, 'float', 'Twice x')
    add_property('_factor', 2.0, 'Factor', 'float', 'Of x')

    def __init__(self, obj, parent=None):
        Pose.__init__(self, obj, parent)
        self.steps = 0

    def default_action(self):
        Pose.default_action(self)
        self.steps += 1
        self.local_data['twice'] = self._factor * self.local_data['x']
        self.local_data['z'] += 100

    @service
    def count(self):
        return self.steps


class Rounded(Proximity):
    def default_action(self):
        super().default_action()
        near = self.local_data['near_objects']
        self.local_data['near_objects'] = {name: round(far, 1) for name, far in near.items()}
        if near:
            self._range = 1.0


class High(RawGPS):
    def default_action(self):
        super().default_action()
        self.local_data['altitude'] += 1000


class Nearest(LaserScanner):
    add_data('nearest', 0.0, 'float', 'The shortest of all')

    def default_action(self):
        LaserScanner.default_action(self)
        self.local_data['nearest'] = min(self.local_data['range_list'])


class Dark(VideoCamera):
    def default_action(self):
        VideoCamera.default_action(self)
        self.local_data['image'] = self.local_data['image'] // 256 + self.cam_width


class Fenced(Waypoint):
    def default_action(self):
        self.local_data['x'] = min(self.local_data['x'], 1.5)
        Waypoint.default_action(self)


class Porter(GraspingRobot):
    steps = 0

    def default_action(self):
        self.steps += 1

    @service
    def strolled(self):
        return [self.steps, self.is_dynamic]


class Deeper(CoordinatesToNED):
    def modify(self):
        CoordinatesToNED.modify(self)
        self.data['z'] += 0.5
"""


def read():
    """Module -> the four lists, of those for components; module -> names, of those for builder scripts."""
    components, builder = {}, {}
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if line.startswith("#"):
                continue
            name, *lists = line.rstrip("\n").split("|")
            lists = [part.split() for part in lists]
            if name.strip().startswith("builder"):
                builder[name.strip()] = lists[0]
            else:
                components[name.strip()] = lists + [[]] * (4 - len(lists))
    return components, builder


def names_in(tree):
    """Public names of a module, of its own and imported ones, and the modules of which it takes all."""
    names, stars = set(), set()

    def walk(body):
        for node in body:
            if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names.update(target.id for target in node.targets if isinstance(target, ast.Name))
            elif isinstance(node, (ast.Import, ast.ImportFrom)):
                for alias in node.names:
                    if alias.name == "*":
                        stars.add(node.module)
                    else:
                        names.add(alias.asname or alias.name.partition(".")[0])
            elif isinstance(node, (ast.If, ast.Try)):
                for part in [node.body, node.orelse, *(handler.body for handler in getattr(node, "handlers", ()))]:
                    walk(part)

    walk(tree.body)
    return {name for name in names if not name.startswith("_")}, stars


@unittest.skipUnless(READY, "no typelib or no PyGObject")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Names(PythonCase):
    def environment(self):
        return dict(super().environment(), ORRERY_PLUGIN_PATH=self.path("plugins"))

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("plugins"))

    @unittest.skipUnless(os.path.isdir(INSTALLED), "no MORSE to compare with: package python3-morse-simulator")
    def test_the_table_is_that_of_the_release(self):
        components, builder = read()
        table = {name: set().union(*lists) for name, lists in components.items()}
        table.update({name: set(names) for name, names in builder.items()})
        seen = set()
        for folder, _, files in os.walk(INSTALLED):
            for file in files:
                path = os.path.join(folder, file)
                name = os.path.relpath(path, INSTALLED)[:-3].replace("/", ".").replace(".__init__", "")
                if not file.endswith(".py") or name == "__init__":
                    continue
                seen.add(name)
                with open(path, encoding="utf-8") as stream:
                    names, _ = names_in(ast.parse(stream.read()))
                with self.subTest(name):
                    self.assertLessEqual(names - OTHERS, table[name])
        self.assertEqual(seen, set(table))

    def test_components_import_all(self):
        """In the process of components: every module, and of every name what the table says."""
        components, _ = read()
        self.write("table.json", json.dumps(components))
        found = json.loads(self.prints("""
import importlib, json
from orrery.morse import absent, errors, in_c
registry, told = orrery.Registry(), {}
def kind(value):
    if isinstance(value, absent.StandIn):
        try:
            value()
        except errors.BlenderOnly as error:
            return "absent" if value._path in str(error) else "no words"
        return "silent"
    if isinstance(value, type) and "_in_c" in vars(value):
        described = json.loads(registry.describe([value._in_c]))["classes"][0]
        return "c" if described["role"] else "nothing"
    return "absent" if isinstance(value, type) and "_absent" in vars(value) else "own"
for name, lists in json.load(open("table.json")).items():
    module = importlib.import_module("morse." + name)
    for expected, names in zip(("own", "c", "absent", None), lists):
        for each in names:
            try:
                known = kind(getattr(module, each))
            except AttributeError:
                known = "missing"
            if known == "missing" or expected not in (None, known):
                told["%s.%s" % (name, each)] = [expected, known]
    space = {}
    exec("from morse.%s import *" % name, space)
    lost = [each for each in lists[0] + lists[1] + lists[2] if each not in space]
    if lost:
        told[name + ".*"] = lost
print(json.dumps(told))
""")[-1])
        self.assertEqual(found, {})
        self.assertGreater(sum(len(lists[1]) for lists in components.values()), 90)

    def test_scripts_import_all(self):
        _, builder = read()
        lines = ["import importlib", "lost = []"]
        for name, names in builder.items():
            lines += ["space = {}", "exec('from morse.%s import *', space)" % name,
                      "lost += ['%s.' + each for each in %r if each not in space]" % (name, names),
                      "from morse.%s import %s" % (name, ", ".join(names))]
        lines += ["from morse.builder import *", "print('lost', lost)", "robot = ATRV()", "env = Environment('empty')"]
        self.write("script.py", "\n".join(lines) + "\n")
        done = self.orrery("build", "script.py", "-o", "built")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("lost []", done.stdout + done.stderr)
        self.assertGreater(sum(map(len, builder.values())), 700)

    def test_what_is_unused_ends_nothing(self):
        """Modules of Blender's and of MORSE's, as whole modules, by name and by star; a use says what is not there."""
        self.module("odd.py", """
            import GameLogic
            import Rasterizer, VideoTexture
            import aud
            import bge, bgl, blf, bpy, mathutils
            import morse.blender.main, morse.builder, morse.core, morse.middleware.socket_request_manager
            import morse.modifiers.ned, morse.sensors.camera
            from bge import constraints, events, logic, render, texture, types
            from bpy.types import Operator
            from morse.builder import bpymorse
            from morse.core.blenderapi import render, keyboard, UPARROWKEY
            from morse.middleware.ros.abstract_ros import ROSPublisherTF
            from morse.services.supervision_services import Supervision
            from morse.sensors.depth_camera import *
            import morse.core.sensor

            assert morse.core.robot.Robot and morse.core.blenderapi

            class Panel(Operator):
                pass

            class Poses(ROSPublisherTF):
                def default(self, ci='unused'):
                    self.publish(1)

            class Quiet(morse.core.sensor.Sensor):
                def default_action(self):
                    pass

            class Loud(morse.core.sensor.Sensor):
                def default_action(self):
                    if bge.logic.mouse.position[0] > 1:
                        pass

            class Drawn(morse.sensors.camera.Camera):
                def default_action(self):
                    self.grab()
            """)
        done = self.run_scene(scene(("quiet", "odd.Quiet"), ("loud", "odd.Loud"), ("drawn", "odd.Drawn")), "--ticks", "5")
        self.check(done, 0, "5 ticks")
        for words in ("robot.loud: ", "bge.logic.mouse.position: only Blender has it", "robot.drawn: ", "morse.sensors.camera.Camera.grab"):
            self.assertIn(words, done.stderr)
        self.assertNotIn("robot.quiet:", done.stderr)

    def test_colours_of_older_releases(self):
        """They colour nothing, and say so once."""
        self.module("loud.py", """
            import morse.core.sensor
            from morse.helpers.colors import *
            from morse.helpers import colors
            from morse.helpers.components import add_data

            class Loud(morse.core.sensor.Sensor):
                add_data('words', '', 'str', '')
                def default_action(self):
                    self.local_data['words'] = ok("good") + colors.fail("bad")
            """)
        done = self.python("sim.step(3)\nprint(sim['robot.loud'].data.words)\n", scene(("loud", "loud.Loud")))
        self.assertEqual((done.returncode, done.stdout), (0, "goodbad\n"), done.stderr)
        self.assertEqual(done.stderr.count("morse.helpers.colors is of older releases"), 1)

    def test_derived(self):
        """Classes of users on classes in C: the numbers of the base, and what they make of them."""
        self.module("lab.py", DERIVED)
        names = ("double", "rounded", "high", "nearest", "dark", "fenced")
        text = json.loads(scene(*((name, "lab." + name.title()) for name in names), ("pose", "morse.sensors.pose.Pose"),
                                ("deep", "morse.sensors.pose.Pose"),
                                tables={"component_modifier": {"robot.deep": [["lab.Deeper", "OUT", {}]]}},
                                properties={"longitude": 43.6, "latitude": 1.4, "altitude": 135.0}))
        text["objects"][0].update(classpath="lab.Porter", position=[1, 2, 3])
        for each in text["objects"][0]["objects"]:
            each["properties"] = {"dark": {"cam_width": 8, "cam_height": 4}, "double": {"Factor": 3.0},
                                  "rounded": {"Range": 50.0, "Track": "Tracked"}}.get(each["name"], {})
        text["objects"].append({"name": "wall", "position": [6, 2, 3], "properties": {"Tracked": True},
                                "shapes": [{"kind": "box", "size": [2, 9, 9]}], "body": {"type": "static"}})
        self.write("scene.json", json.dumps(text))
        told = json.loads(self.prints("""
import json
sim = orrery.load("scene.json", plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST)
robot = lambda name: sim["robot." + name].data
sim.step()
first = [robot("double").x, robot("double").twice, robot("double").z, dict(robot("rounded").near_objects),
         round(robot("high").altitude), round(robot("nearest").nearest, 3), robot("dark").image[0, 0].tolist(), list(robot("dark").image.shape),
         [robot("deep").x, robot("deep").y, robot("deep").z]]
goal = sim["robot.fenced"].goto(9.0, 2.0, 3.0, 0.1, 2.0)
saved = sim.save()
sim.step(120)
then = [round(robot("pose").x, 1), sim["robot.double"].count(), sim["robot"].strolled(), dict(robot("rounded").near_objects),
        sim["robot.rounded"].get_properties()["properties"]["Range"][0], goal.done]
sim.restore(saved)
print(json.dumps([first, then, sim["robot.double"].count()]))
""")[-1])
        self.assertEqual(told[0], [1, 3, 103, {"wall": 5.0}, 1138, 4.0, [8, 8, 8, 8], [4, 8, 4], [2, 1, -2.5]])
        self.assertEqual(told[1][1:5], [121, [121, False], {}, 1.0])
        self.assertEqual((told[1][0], told[1][5]), (1.4, True))
        self.assertEqual(told[2], 1)

    def test_derived_by_a_script(self):
        """The same from a builder script, in the host and in a worker."""
        self.module("lab.py", DERIVED)
        self.write("script.py", "from morse.builder import *\nrobot = Robot('lab.Porter', 'robot')\n"
                   "a = Sensor('lab.Double', 'a')\nb = Sensor('lab.Double', 'b')\nb.placement('worker')\n"
                   "robot.append(a)\nrobot.append(b)\nb.add_stream('socket')\nrobot.translate(x=2)\n"
                   "env = Environment('empty', fastmode=True)\n")
        done = self.orrery("build", "script.py", "-o", "built")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = self.prints("""
sim = orrery.load("built", plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST)
sim.step(10)
print([dict(sim["robot." + name].data)["twice"] for name in "ab"], sim["robot.a"].count())
""")
        self.assertEqual(lines[-1], "[4.0, 4.0] 10")


if __name__ == "__main__":
    tap.main()
