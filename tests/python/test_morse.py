# SPDX-License-Identifier: BSD-3-Clause
"""Components written for MORSE: each kind of class, as its users wrote it, runs and does what it says."""

import json
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

LAB = os.path.join(cli.SOURCE, "tests/python/fixtures")
ODOMETER = ("odometer", "lab.sensors.odometer.Odometer", {"position": [0.5, 0, 0],
                                                          "properties": {"Factor": 2, "Any": [1, 2], "Loose": "yes"}})
DRIVER = ("driver", "morse.actuators.v_omega.MotionVW")


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Morse(PythonCase):
    def environment(self):
        return dict(super().environment(), ORRERY_PLUGIN_PATH=LAB + os.pathsep + self.path("plugins"))

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("plugins"))

    def values(self, code, scene_text):
        return [json.loads(line) for line in self.prints("import json\ntell = lambda *v: [print(json.dumps(x)) for x in v]\n"
                                                         + code, scene_text)]


class Sensors(Morse):
    def test_described(self):
        done = self.orrery("plugins", "--json", "lab.sensors.odometer.Odometer")
        self.check(done, 0)
        told = json.loads(done.stdout)["classes"][0]
        self.assertEqual([(f["name"], f["type"]) for f in told["fields"]],
                         [("timestamp", "time"), ("distance", "double"), ("position", "vec3"), ("note", "text"),
                          ("seen", "variant")])
        self.assertEqual([(level["name"], level["classpath"], level["default"]) for level in told["levels"]],
                         [("raw", "lab.sensors.odometer.Odometer", False),
                          ("full", "lab.sensors.odometer.FullOdometer", True)])
        services = {service["name"]: service for service in told["services"]}
        self.assertEqual((services["wait_for"]["kind"], services["wait_for"]["interruptible"],
                          [argument["name"] for argument in services["wait_for"]["arguments"]]),
                         ("long", True, ["distance", "factor"]))
        self.assertEqual(services["get_distance"]["words"], "The way so far.")
        self.assertEqual({option["name"]: option["default"] for option in told["properties"]},
                         {"Factor": 1.0, "Any": None})

    def test_zones(self):
        """A part and its robot, each where it is; by type, by name, by neither; not those that it is outside of."""
        self.module("where.py", '''
            import morse.core.sensor
            from morse.helpers.components import add_data

            class Where(morse.core.sensor.Sensor):
                add_data('part', '', 'str')
                add_data('robot', '', 'str')
                add_data('docks', '', 'str')
                add_data('named', '', 'str')

                def default_action(self):
                    names = lambda zones: ",".join(zone.name for zone in zones)
                    self.local_data['part'] = names(self.in_zones())
                    self.local_data['robot'] = names(self.robot_parent.in_zones())
                    self.local_data['docks'] = names(self.in_zones(type='Charging'))
                    self.local_data['named'] = names(self.in_zones(name='hall', type='Room'))
            ''')
        text = json.loads(scene(("where", "where.Where", {"position": [2, 0, 0]}), DRIVER))
        for name, kind, place in (("hall", "Room", 2), ("dock", "Charging", 4), ("far", "Room", 50)):
            text["objects"].append({"name": name, "position": [place, 0, 0], "properties": {"Zone_Tag": True, "Type": kind},
                                    "shapes": [{"kind": "box", "size": [3, 3, 3], "solid": False}]})
        near, on, gone = self.values("""
def look():
    return {name: sim["robot.where"].data[name] for name in ("part", "robot", "docks", "named")}
sim.step(2)
first = look()
sim["robot.driver"].data.v = 1.0
sim.step(60)
second = look()
sim["robot.driver"].data.v = 20.0
sim.step(60)
tell(first, second, look())
""", json.dumps(text))
        self.assertEqual(near, {"part": "hall", "robot": "", "docks": "", "named": "hall"})
        self.assertEqual(on, {"part": "hall,dock", "robot": "hall", "docks": "dock", "named": "hall"})
        self.assertEqual(gone, {"part": "", "robot": "", "docks": "", "named": ""})

    def test_added(self):
        """Robots and zones that come while the scene runs are known like others."""
        self.module("own/watch.py", """
            from morse.core import blenderapi
            from morse.core.sensor import Sensor
            from morse.helpers.components import add_data

            class Watch(Sensor):
                add_data('robots', [], 'list', '')
                add_data('zones', [], 'list', '')

                def default_action(self):
                    self.local_data['robots'] = [o.name for o in blenderapi.scene().objects if 'Robot_Tag' in o]
                    self.local_data['zones'] = [zone.name for zone in self.in_zones()]
            """)
        before, after = self.values("""
def look():
    return [sim["robot.watch"].data[name] for name in ("robots", "zones")]
sim.step(2)
first = look()
sim.call("simulation", "add_spawnable", {"name": "bot", "classpath": "orrery.robots.atrv.ATRV"})
sim.call("simulation", "add_spawnable", {"name": "box", "shapes": [{"kind": "box", "size": [1, 1, 1]}]})
sim.call("simulation", "add_spawnable", {"name": "hall", "properties": {"Zone_Tag": True, "Name": "hall"},
                                         "shapes": [{"kind": "box", "size": [9, 9, 9], "solid": False}]})
sim.call("simulation", "spawn", "hall", [0, 0, 0])
sim.step(2)
tell(first, look())
""", scene(("watch", "own.watch.Watch")))
        self.assertEqual(before, [["robot"], []])
        self.assertEqual(after, [["robot", "bot_1"], ["hall_1"]])

    def test_steps(self):
        """Fields of the level, in the order of their declaration; what it computes; what it is told."""
        raw = ("raw", "lab.sensors.odometer.Odometer", {"level": "raw"})
        first, second, about, words = self.values("""
sim["robot.driver"].data.v = 0.6
sim.step(60)
tell(dict(sim["robot.odometer"].data, position=list(sim["robot.odometer"].data.position)),
     list(sim["robot.raw"].data), sim["robot.odometer"].about(), [sim["robot.odometer"].where_from(), sim["robot.odometer"].get_distance()])
""", scene(ODOMETER, raw, DRIVER))
        self.assertEqual(list(first), ["timestamp", "distance", "position", "note", "seen"])
        self.assertAlmostEqual(first["distance"], 2 * 0.6 * 59 / 60, places=4)
        self.assertAlmostEqual(first["position"][0], 0.5 + 0.6 * 59 / 60, places=4)
        self.assertEqual((first["timestamp"], first["seen"]), (1.0, {"n": 60}))
        self.assertRegex(first["note"], r"^1\.1[78]\d m at 1\.000 s$")
        self.assertEqual(second, ["timestamp", "distance", "position", "seen"])
        self.assertEqual(about[:-1], ["robot.odometer", "full", 2.0, [1, 2], "yes", "robot", 60.0])
        self.assertEqual([round(each, 9) for each in about[-1]], [0.5, 0.0, 0.0])
        self.assertEqual([round(words[0], 9), words[1]], [0.5, first["distance"]])

    def test_services(self):
        lines = self.prints("""
odometer = sim["robot.odometer"]
print(odometer.add(1), odometer.add(1, 2, 3))
odometer.set_property("Factor", 4.0)
print(odometer.get_properties()["properties"]["Factor"][0], odometer.about()[2])
for name, arguments in (("paint", ()), ("add", ()), ("set_property", ("Nothing", 1))):
    try:
        sim.call("robot.odometer", name, *arguments)
    except GLib.Error as error:
        print(error.message)
""", scene(ODOMETER))
        self.assertEqual(lines[:2], ["1 6", "4.0 4.0"])
        self.assertRegex(lines[2], r"^\S+odometer\.py:\d+: BlenderOnly: robot\.odometer\.color \(materials\): only Blender has it$")
        self.assertIn("add takes 1 to 9 arguments, not 0", lines[3])
        self.assertTrue(lines[4].startswith("Property Nothing does not exist for object robot.odometer"), lines[4])

    def test_long_services(self):
        lines = self.prints("""
sim["robot.driver"].data.v = 1.0
odometer = sim["robot.odometer"]
first = odometer.wait_for(50.0)
sim.step(3)
second = odometer.wait_for(0.5, 2.0)
print(first.done, second.done)
try:
    first.result()
except GLib.Error as error:
    print(error.matches(orrery.error_quark(), orrery.Error.PREEMPTED))
while not second.done:
    sim.step()
print(1.0 <= second.result() < 1.1)
third = odometer.wait_for(99.0)
third.cancel()
print(third.done)
""", scene(ODOMETER, DRIVER))
        self.assertEqual(lines, ["True False", "True", "True", "True"])

    def test_reset(self):
        """What its attributes hold comes back, too."""
        before, after = self.values("""
def run():
    sim["robot.driver"].data.v = 1.0
    sim.step(30)
    data = dict(sim["robot.odometer"].data)
    del data["position"]
    return data
tell(run())
sim.reset()
tell(run())
""", scene(ODOMETER, DRIVER))
        self.assertEqual(before, after)
        self.assertGreater(before["distance"], 0.5)

    def test_state(self):
        """What is kept of attributes comes back as it was; what cannot be kept is left alone, and nothing is run."""
        self.assertEqual(self.prints("""
import collections
from orrery.morse import state
from orrery.morse.mathutils import Euler, Matrix, Quaternion, Vector
from orrery.morse.transformation import Transformation3d
class Thing:
    pass
one, other = Thing(), Thing()
pose = Transformation3d(None)
pose.translation = (1, 2, 3)
one.__dict__.update(a=Vector((1, 2, 3)), b=Euler((1, 2, 3), "ZYX"), c=Quaternion(), d=Matrix.Rotation(1.0, 3), e={1: (2, {"x": None})},
                    f=[1.5, "x", True], g=collections.OrderedDict([("z", 1), ("a", 2)]), h={3, 4}, i=pose, file=open("scene.json", "w"))
deep = inner = []
for _ in range(99):
    inner.append([])
    inner = inner[0]
one.deep = deep
other.file = "mine"
state.restore(other, state.save(one))
print(sorted(set(vars(one)) ^ set(vars(other))), other.file)
print([name for name in "abcdefgh" if getattr(one, name) != getattr(other, name) or type(getattr(one, name)) is not type(getattr(other, name))])
print(other.b.order, list(other.g), other.i.x, other.i.distance(pose))
"""), ["['deep'] mine", "[]", "ZYX ['z', 'a'] 1.0 0.0"])

    def test_end(self):
        """What was opened is closed, once, when the program ends."""
        self.module("own/book.py", """
            from morse.core.sensor import Sensor

            class Book(Sensor):
                def __init__(self, obj, parent=None):
                    Sensor.__init__(self, obj, parent)
                    self.file = open("book.txt", "w")
                def default_action(self):
                    self.file.write("step ")
                def finalize(self):
                    self.file.write("end")
                    self.file.close()
            """)
        self.check(self.run_scene(scene(("book", "own.book.Book")), "--for", "0.05"), 0)
        with open(self.path("book.txt"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "step step step end")

    def test_worker(self):
        """The same bits as in the host."""
        hashes = []
        for placement in ("host", "worker"):
            there = ("odometer", "lab.sensors.odometer.Odometer", dict(ODOMETER[2], placement=placement))
            done = self.run_scene(scene(there, ("pilot", "lab.actuators.pilot.Pilot", {"placement": placement})),
                                  "--for", "1", "--hash")
            self.check(done, 0)
            hashes.append([line for line in done.stdout.splitlines() if line.startswith("hash ")])
        self.assertEqual(hashes[0], hashes[1])
        self.assertEqual(len(hashes[0]), 1)

    def test_scene_object(self):
        """What a component reads of objects, keeps, and sets."""
        self.module("own/probe.py", """
            from morse.core import blenderapi
            from morse.core.sensor import Sensor
            from morse.helpers.components import add_data

            class Probe(Sensor):
                add_data('speed', 0.0, 'float', 'A')
                add_data('told', [], 'list', 'B')

                def __init__(self, obj, parent=None):
                    Sensor.__init__(self, obj, parent)
                    self.velocity = parent.bge_object.localLinearVelocity
                    self.turned = parent.bge_object.worldOrientation

                def default_action(self):
                    box = blenderapi.scene().objects['box']
                    self.local_data['speed'] = self.velocity.x
                    box.applyMovement([0, 0, 1])
                    box.worldPosition.y = 5.0
                    self.local_data['told'] = [
                        round(self.turned.to_euler().z, 3), list(box.worldPosition), box['Colour'], 'Weight' in box,
                        self.robot_parent.bge_object.children[self.name()].name, box.getDistanceTo([2, 5, 1]),
                        blenderapi.persistantstorage().componentDict[self.name()] is self, round(blenderapi.gravity().z, 2)]
                    box['Colour'] = 'blue'
                    hit = self.bge_object.rayCast([4, 4, -9], [4, 4, 5], 20)
                    self.local_data['told'] += [hit[0].name, round(hit[1].z, 6), round(hit[2].z, 6),
                                                self.bge_object.rayCast([0, 0, 9], [0, 0, 5], 20)[0],
                                                [o.name for o in blenderapi.scene().objects if 'Robot_Tag' in o]]
            """)
        text = json.loads(scene(("probe", "own.probe.Probe"), DRIVER))
        text["objects"].append({"name": "floor", "position": [0, 0, -1], "shapes": [{"kind": "box", "size": [9, 9, 0.5]}],
                                "body": {"type": "static"}})
        text["objects"].append({"name": "box", "position": [2, 0, 0], "properties": {"Colour": "red"}})
        text["objects"][0]["rotation"] = [0, 0, 0.5]
        first, third, poses = self.values("""
sim["robot.driver"].data.v = 0.8
sim.step()
tell(sim["robot.probe"].data.told)
sim.step(2)
tell([round(sim["robot.probe"].data.speed, 6), sim["robot.probe"].data.told], sim.poses[sim.objects.index("box")].tolist())
""", json.dumps(text))
        self.assertEqual(first, [0.5, [2, 5, 1], "red", False, "robot.probe", 0.0, True, -9.81, "floor", -0.75, 1.0, None, ["robot"]])
        self.assertEqual((third[0], third[1][1], third[1][2]), (0.8, [2, 5, 3], "blue"))
        self.assertEqual(poses[:3], [2, 5, 3])

    def test_objects_of_a_model_keep_their_names(self):
        """Components are called by their full names, what else a robot is made of as in its file."""
        self.module("own/eyes.py", """
            from morse.core import blenderapi
            from morse.core.sensor import Sensor
            from morse.helpers.components import add_data

            class Eyes(Sensor):
                add_data('told', [], 'list', 'A')

                def __init__(self, obj, parent=None):
                    Sensor.__init__(self, obj, parent)
                    self.eye = parent.bge_object.children['left_eye']

                def default_action(self):
                    children = self.robot_parent.bge_object.children
                    self.local_data['told'] = [
                        sorted(each.name for each in children if 'Wheel' not in each.name), self.eye.name, self.eye.children[0].name,
                        self.eye is children['robot.left_eye'], self.eye is blenderapi.scene().objects['left_eye'],
                        'right_eye' in children, self.name(), self.robot_parent.name()]
            """)
        text = json.loads(scene(("eyes", "own.eyes.Eyes")))
        text["objects"][0].setdefault("objects", []).append({"name": "left_eye", "objects": [{"name": "lid"}]})
        for placement in ("host", "worker"):
            text["objects"][0]["objects"][0]["placement"] = placement
            (told,) = self.values("""
sim.step()
tell(sim["robot.eyes"].data.told)
""", json.dumps(text))
            self.assertEqual(told, [["left_eye", "robot.eyes"], "left_eye", "lid", True, True, False, "robot.eyes", "robot"])

    def test_mistakes(self):
        """Each is told with file and line; a step that fails is a fault of that component alone."""
        self.module("bad/sensor.py", """
            from morse.core.sensor import Sensor
            from morse.helpers.components import add_data

            class Empty(Sensor):
                pass

            class Late(Sensor):
                add_data('a', 0.0, 'float', 'A')
                def default_action(self):
                    self.local_data['b'] = 1.0
                    self.local_data['a'] = 2.0

            class Wrong(Sensor):
                add_data('a', 0.0, 'float', 'A')
                def default_action(self):
                    self.local_data['a'] = 'text'

            class Raises(Sensor):
                def __init__(self, obj, parent=None):
                    Sensor.__init__(self, obj, parent)
                    obj.nonsense()
                def default_action(self):
                    pass
            """)
        done = self.run_scene(scene(("a", "bad.sensor.Empty")), "--for", "0.1")
        self.check(done, 65, "sensor.py: TypeError: Empty has no default_action()")
        done = self.run_scene(scene(("a", "bad.sensor.Raises")), "--for", "0.1")
        self.check(done, 65, "sensor.py:22: BlenderOnly: robot.a.nonsense: only Blender has it")
        done = self.run_scene(scene(("a", "bad.sensor.Late"), ("b", "bad.sensor.Wrong")), "--for", "0.1")
        self.check(done, 0)
        self.assertIn("robot.a: local_data['b'] has no place in the record", done.stderr)
        self.assertIn("local_data['a']", done.stderr)


class Actuators(Morse):
    def test_message_and_property(self):
        lines = self.prints("""
sim["robot.pilot"].data.x = 1.0
sim["robot.pilot"].data.speed = 1.0
sim.step(120)
print(round(sim["robot.pose"].data.x, 1), sim["robot.pilot"].data.state, sim["robot.pilot"].state())
""", scene(("pilot", "lab.actuators.pilot.Pilot", {"properties": {"Tolerance": 0.05, "ControlType": "Position"}}),
           ("pose", "morse.sensors.pose.Pose")))
        self.assertEqual(lines, ["1.0 Stop Stop"])

    def test_policies(self):
        lines = self.prints("""
pilot = sim["robot.pilot"]
def words(call):
    try:
        return str(call.result())
    except GLib.Error as error:
        return error.message
print(words(pilot.goto(1.0, 0.0, -1.0)))
rest = pilot.rest(30)
print(words(pilot.goto(1.0, 0.0)))
sim.step(30)
print(words(rest))
goal = pilot.goto(1.0, 1.0)
while not goal.done:
    sim.step()
print(words(goal), pilot.state())
pilot.drift()
print(words(pilot.goto(1.0, 0.0)))
""", scene(("pilot", "lab.actuators.pilot.Pilot")))
        self.assertEqual(lines, ["the speed is -1, not above 0", "A non-interruptible service (rest) is already running",
                                 "rested", "Arrived Arrived",
                                 "A service (drift) is already running. I do not know what to do."])

    def test_robot(self):
        """A robot of the user's own, whose methods its components call."""
        text = json.loads(scene(("pilot", "lab.actuators.pilot.Pilot"), ("pose", "morse.sensors.pose.Pose")))
        text["objects"][0].update(classpath="lab.robots.cart.Cart", properties={"Slow": 0.25, "Colour": "red"})
        lines = self.prints("""
sim["robot.pilot"].data.x = 9.0
sim["robot.pilot"].data.speed = 2.0
sim.step(61)
print(round(sim["robot.pose"].data.x, 3))
""", json.dumps(text))
        self.assertEqual(lines, ["0.5"])


class Plugs(Morse):
    def test_modifier(self):
        tables = {"component_modifier": {"robot.pose": [["lab.plugs.Mirror", "OUT", {"sign": -3.0}]],
                                         "robot.odometer": [["lab.plugs.Mirror", "OUT", {}]],
                                         "robot.place": [["lab.plugs.Mirror", "OUT", {}]]}}
        text = scene(("pose", "morse.sensors.pose.Pose", {"position": [2, 0, 0]}), ODOMETER,
                     ("place", "morse.sensors.pose.Pose", {"position": [2, 0, 0]}), tables=tables,
                     properties={"MirrorSign": 5.0})
        done = self.python("sim.step(2)\nprint(sim['robot.pose'].data.x, sim['robot.place'].data.x)\n", text)
        self.assertEqual((done.returncode, done.stdout), (0, "-6.0 10.0\n"), done.stderr)
        self.assertIn("robot.odometer: no data 'x' to modify", done.stderr)

    def test_own_transport(self):
        """A manager and datastreams that carry things themselves, out and in."""
        os.mkdir(self.path("out"))
        tables = {"component_datastream": {"robot.pose": [["lab.plugs.FileManager", "lab.plugs.FileOut", "OUT", {}]],
                                           "robot.pilot": [["lab.plugs.FileManager", "lab.plugs.FileIn", "IN", {}]]},
                  "stream_manager": {"lab.plugs.FileManager": {"directory": "out"}}}
        text = scene(("pose", "morse.sensors.pose.Pose"), ("pilot", "lab.actuators.pilot.Pilot"), tables=tables)
        lines = self.prints("sim.step(30)\nprint(sim['robot.pilot'].data.x)\nsim.close()\n", text)
        self.assertEqual(lines, ["4.0"])
        with open(self.path("out/robot.pose"), encoding="utf-8") as file:
            written = [float(line) for line in file]
        self.assertEqual((len(written), written[0]), (30, 0.0))
        self.assertAlmostEqual(written[-1], 25 / 60, places=2)

    def test_text(self):
        manager = "morse.middleware.text_datastream.TextDatastreamManager"
        tables = {"component_datastream": {"robot.pose": [[manager, "lab.plugs.Table", "OUT", {"file": "table.txt"}]]}}
        done = self.run_scene(scene(("pose", "morse.sensors.pose.Pose", {"position": [1, 0, 0]}), tables=tables),
                              "--for", "0.05")
        self.check(done, 0)
        files = [name for name in os.listdir(self.directory) if name.endswith(".txt")]
        with open(self.path(files[0]), encoding="utf-8") as file:
            self.assertEqual(file.read().split("\n\n")[1], "x of robot.pose\n1.000\n1.000\n1.000\n")


class Builder(Morse):
    def test_script(self):
        """Creators in a package of the user's own, which Python finds: as `morse add` writes them."""
        self.write("script.py", """
from morse.builder import *
from lab.builder import Odometer, Pilot

robot = ATRV()
odometer = Odometer()
odometer.properties(Factor=3.0, Loose="yes")
odometer.level("raw")
robot.append(odometer)
pilot = Pilot()
robot.append(pilot)
pose = Pose()
pose.alter('', 'lab.plugs.Mirror', sign=2.0)
pose.add_stream('socket', 'lab.plugs.Short')
robot.append(pose)
pilot.add_overlay('socket', 'lab.plugs.Captain', prefix='acme')
robot.add_default_interface('socket')
env = Environment('empty', fastmode=True)
""")
        environment = dict(cli.ProgramCase.environment(self), PYTHONPATH=LAB)
        for command in (["check", "script.py"], ["build", "script.py", "-o", "built"]):
            done = subprocess.run([cli.PROGRAM, *command], cwd=self.directory, env=environment, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("built/scene.json"), encoding="utf-8") as file:
            components = json.load(file)["objects"][0]["objects"]
        self.assertEqual(components[0], {"name": "odometer", "classpath": "lab.sensors.odometer.Odometer",
                                         "created": 1, "level": "raw", "properties": {"Factor": 3.0, "Loose": "yes"}})
        with open(self.path("built/component_config.py"), encoding="utf-8") as file:
            config = {}
            exec(file.read(), config)
        self.assertEqual(config["component_modifier"]["robot.pose"], [["lab.plugs.Mirror", "OUT", {"sign": 2.0}]])
        self.assertEqual(config["component_datastream"]["robot.pilot"][0][2], "IN")

    def test_robot(self):
        """A robot of the user's own, with its components, as a class of the script."""
        self.write("script.py", """
from morse.builder import *
from lab.builder import Odometer, Pilot

class Cart(GroundRobot):
    def __init__(self, name=None):
        GroundRobot.__init__(self, '', name)
        self.properties(classpath="lab.robots.cart.Cart", Slow=0.25)
        self.pilot = Pilot()
        self.append(self.pilot)

cart = Cart()
odometer = Odometer()
odometer.placement('worker')
cart.append(odometer)
env = Environment('empty', fastmode=True)
""")
        environment = dict(cli.ProgramCase.environment(self), PYTHONPATH=LAB)
        done = subprocess.run([cli.PROGRAM, "run", "script.py", "--fast", "--for", "0.2"], cwd=self.directory,
                              env=environment, capture_output=True, text=True)
        self.check(done, 0)
        self.assertRegex(done.stdout, r"cart\.pilot +\S+ +12 ")
        self.assertIn("lab.robots.cart.Cart", done.stdout)


class Requests(Morse):
    """Request managers of users."""

    def scene_of(self, name, *more):
        desk = "lab.desk." + name
        return scene(("pose", "morse.sensors.pose.Pose"), ("waypoint", "morse.actuators.waypoint.Waypoint"),
                     tables={"component_service": {"robot.waypoint": [desk], **dict(more)}})

    def test_calls(self):
        registered, answers, end = self.values("""
import lab.desk as desk
sim.step()
tell(desk.heard)
del desk.heard[:]
desk.inbox += [("a", "desk", "count", [10]), ("b", "robot.waypoint", "get_status", None),
               ("c", "robot.waypoint", "goto", [1.0, 0.0, 0.0, 0.2, 2.0]), ("d", "desk", "later", ["in time"]),
               ("e", "simulation", "list_robots", []), ("f", "robot.pose", "get_local_data", []),
               ("g", "robot.waypoint", "goto", ["far", 0, 0]), ("h", "desk", "count", [1, 2, 3]),
               ("i", "robot.waypoint", "get_status", [object()])]
sim.step(120)
desk.inbox.append(("j", "robot.waypoint", "goto", [9.0, 0.0, 0.0]))
sim.step(2)
desk.inbox.append((None, None, "cancel", "j"))
sim.step(2)
tell(desk.answers)
sim.close()
tell(desk.heard)
""", self.scene_of("Desk"))
        self.assertEqual(registered[:3], ["begin", ["desk", "count", False], ["desk", "later", True]])
        for service in (["robot.waypoint", "goto", True], ["robot.waypoint", "get_status", False],
                        ["robot.waypoint", "get_properties", False], ["simulation", "list_robots", False],
                        ["time", "sleep", True]):
            self.assertIn(service, registered)
        # The pose is not mapped to it.
        self.assertEqual([each for each in registered[1:] if each[0] == "robot.pose"], [])
        self.assertEqual(len(registered), len({tuple(each) for each in registered}))
        told = {name: rest for name, *rest in answers}
        self.assertEqual(told["a"], [2, "SUCCESS", 12])
        # What the host answers at once is there in the same tick.
        self.assertEqual(told["b"][:2], [2, "SUCCESS"])
        self.assertEqual(told["e"], [2, "SUCCESS", ["robot"]])
        self.assertEqual(told["d"][1:], ["SUCCESS", "in time"])
        self.assertEqual((told["c"][1], told["c"][0] > 5), ("SUCCESS", True), told["c"])
        self.assertEqual(told["f"][1:], ["FAILED", "The request get_local_data has not been registered in Desk"])
        self.assertEqual(told["g"][1], "FAILED")
        self.assertIn("service count", told["h"][2])
        self.assertEqual(told["i"][1], "FAILED")
        self.assertEqual(told["j"][1], "PREEMPTED")
        self.assertEqual(end, ["end"])

    def test_mistakes(self):
        for name, words in (("Lazy", "Lazy has no main(), which a request manager needs"),
                            ("Closed", "Closed: initialization() has not returned True")):
            done = self.run_scene(self.scene_of(name), "--ticks", "1")
            self.check(done, 65, words)
        done = self.run_scene(self.scene_of("Broken"), "--ticks", "5")
        self.check(done, 0, "5 ticks")
        self.assertEqual((done.stdout + done.stderr).count("no paper"), 1, done.stderr)
        self.assertIn("desk.py:", done.stdout + done.stderr)

    def test_a_check_opens_nothing(self):
        self.write("scene.json", self.scene_of("Closed"))
        self.check(self.orrery("check", "scene.json"), 0)

    def test_builder(self):
        self.write("scene.py", "from morse.builder import *\nrobot = ATRV()\npose = Pose()\nrobot.append(pose)\n"
                   "pose.add_service('desk', config='lab.desk.Desk')\nenv = Environment('empty')\n")
        self.check(self.orrery("run", "scene.py", "--fast", "--ticks", "3"), 0, "3 ticks")


if __name__ == "__main__":
    tap.main()
