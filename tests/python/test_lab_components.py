# SPDX-License-Identifier: BSD-3-Clause
"""Components in Python as laboratories have them for MORSE (fixtures/ward): two dozen of different kinds, run, with numbers."""

import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import READY, PythonCase, cli, scene  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

FIXTURES = os.path.join(cli.SOURCE, "tests/python/fixtures")
DRIVER = ("driver", "morse.actuators.v_omega.MotionVW")
HEAD = """
import json, math
def plain(value):
    if hasattr(value, "keys"):
        return {key: plain(value[key]) for key in value.keys()}
    return value if isinstance(value, (str, int, float, bool, type(None))) else [plain(item) for item in value]
def tell(**values):
    print(json.dumps({name: plain(value) for name, value in values.items()}))
def data(name):
    return sim["robot." + name].data
"""


def ward(name, path, **more):
    return (name, "ward." + path, more)


@unittest.skipUnless(READY, "no typelib or no PyGObject")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Ward(PythonCase):
    def environment(self):
        return dict(super().environment(), ORRERY_PLUGIN_PATH=FIXTURES)

    def setUp(self):
        super().setUp()
        os.mkdir(self.path("plugins"))

    def run_ward(self, code, *components, others=(), robot=None, tables=None, **environment):
        """What the program tells of the scene, as one dictionary."""
        text = json.loads(scene(*components, tables=tables, **environment))
        text["objects"][0].update(robot or {})
        text["objects"].extend(others)
        lines = self.prints(HEAD + code, json.dumps(text))
        return {key: value for line in lines if line.startswith("{") for key, value in json.loads(line).items()}

    def near(self, found, expected, within=1e-6):
        for a, b in zip(found, expected, strict=True):
            self.assertAlmostEqual(a, b, delta=within)

    # Sensors

    def test_sonar(self):
        wall = {"name": "wall", "position": [4, 0, 0], "shapes": [{"kind": "box", "size": [1, 2, 2]}], "body": {"type": "static"}}
        told = self.run_ward("sim.step()\ntell(beams=data('sonar').beams, hit=data('sonar').hit, far=data('short').beams)",
                             ward("sonar", "sensors.Sonar", position=[0.5, 0, 0], properties={"Angle": 0.25}),
                             ward("short", "sensors.Sonar", properties={"Reach": 1.5}), others=[wall])
        # The front of the wall is at x = 3.5.
        self.near(told["beams"], [3 / math.cos(0.25), 3.0, 3 / math.cos(0.25)], 1e-5)
        self.assertEqual((told["hit"], told["far"]), ("wall", [1.5, 1.5, 1.5]))

    def test_compass_and_inclinometers(self):
        told = self.run_ward(
            "sim.step()\ntell(heading=data('compass').heading, north=data('compass').north, radians=data('tilt'), degrees=data('men'))",
            ward("compass", "sensors.Compass", properties={"Declination": 2.0}),
            ward("tilt", "sensors.Inclinometer", rotation=[0.1, -0.2, 0]),
            ward("men", "sensors.Inclinometer", rotation=[0.1, -0.2, 0], level="degrees"), robot={"rotation": [0, 0, 0.5]})
        self.assertAlmostEqual(told["heading"], (90 - math.degrees(0.5) + 2) % 360, 6)
        self.near(told["north"], [math.sin(0.5), math.cos(0.5), 0])
        self.near([told["radians"]["roll"], told["radians"]["pitch"]], [0.1, -0.2])
        self.near([told["degrees"]["roll"], told["degrees"]["pitch"]], [math.degrees(0.1), math.degrees(-0.2)])
        self.assertEqual((told["degrees"]["steep"], "steep" in told["radians"]), (True, False))

    def test_tacho(self):
        told = self.run_ward("""
data("driver").v = 1.2
call = sim["robot.tacho"].wait_for(0.5)
sim.step(61)
tell(way=data("tacho").way, mean=data("tacho").mean, answer=call.result())
sim["robot.tacho"].reset()
sim.step(10)
tell(again=data("tacho").way)
""", ward("tacho", "sensors.Tacho"), DRIVER)
        # The first step measures nothing, and none has moved before it.
        self.near([told["way"], told["mean"], told["again"]], [1.2, 1.2, 0.2], 1e-6)
        self.assertGreaterEqual(told["answer"], 0.5)
        self.assertLess(told["answer"], 0.5 + 1.2 / 60 + 1e-3)

    def test_tag_reader(self):
        others = [{"name": "cup", "position": [1, 2, 0.1], "properties": {"Tag": "a", "Object": True, "Graspable": True, "Label": "CUP"}},
                  {"name": "pot", "position": [0, 6, 0.1], "properties": {"Tag": "b", "Object": True, "Label": "POT"}},
                  {"name": "plant", "position": [1, 1, 0]}]
        told = self.run_ward("""
sim.step()
tell(first=data("reader").tags, places=data("reader").places, known=sim["robot.reader"].known())
sim["robot.reader"].set_range(10.0)
sim.step()
tell(second=data("reader").tags)
""", ward("reader", "sensors.TagReader", position=[1, 0, 0], rotation=[0, 0, math.pi / 2]), others=others)
        self.assertEqual((told["first"], told["known"]), ({"a": 2.0}, ["CUP"]))
        self.near(told["places"][0], [2, 0, 0])
        self.assertEqual(set(told["second"]), {"a", "b"})
        self.assertAlmostEqual(told["second"]["b"], math.sqrt(37), 5)

    def test_power_meter(self):
        """It reads a component in C, by the table of all components."""
        told = self.run_ward("data('driver').v = 2.0\nsim.step(120)\ntell(power=data('meter').power, energy=data('meter').energy)",
                             ward("meter", "sensors.PowerMeter"), DRIVER, robot={"body": {"type": "dynamic", "mass": 25.0}})
        self.assertAlmostEqual(told["power"], 25 * 9.81 * 0.01 * 2.0, 6)
        self.assertAlmostEqual(told["energy"], 2 * told["power"], 5)

    def test_sensors_on_top_of_those_in_c(self):
        """GPS, laser scanner, thermometer, camera: what the base measures, and what is made of it."""
        others = [{"name": "post", "position": [3, 3, 0], "shapes": [{"kind": "cylinder", "radius": 0.5, "height": 3}],
                   "body": {"type": "static"}}, {"name": "fire", "position": [0, 5, 0.1], "properties": {"Fire": 100.0}}]
        told = self.run_ward("""
sim.step(3)
tell(gps=data("gps"), nearest=data("guard").nearest, bearing=data("guard").bearing, ranges=len(data("guard").range_list),
     hot=data("gauge").temperature, plain=data("plain").temperature, light=data("light").image[0, 0].tolist(),
     picture=int(data("eye").image[:, :, :3].mean()), shape=list(data("light").image.shape))
""", ward("gps", "sensors.CoarseGPS", position=[1.3, -0.4, 0.2]),
            ward("guard", "sensors.Guard", properties={"scan_window": 180.0, "resolution": 5.0, "laser_range": 10.0}),
            ward("gauge", "sensors.Gauge"), ("plain", "morse.sensors.thermometer.Thermometer"),
            ward("light", "sensors.Light", properties={"cam_width": 16, "cam_height": 8}),
            ("eye", "morse.sensors.video_camera.VideoCamera", {"properties": {"cam_width": 16, "cam_height": 8}}), others=others)
        self.assertEqual([told["gps"][key] for key in ("x", "y", "z", "quality")], [1.5, -0.5, 0.5, 7])
        self.assertEqual(told["ranges"], 37)
        self.assertAlmostEqual(told["bearing"], math.pi / 4, 6)
        self.assertAlmostEqual(told["nearest"], math.hypot(3, 3) - 0.5, 4)
        self.assertAlmostEqual(told["hot"], told["plain"] * 9 / 5 + 32, 9)
        self.assertAlmostEqual(told["plain"], 15 + 100 * math.exp(-0.2 * 5), 6)
        self.assertEqual((told["light"][:3], told["shape"]), ([told["picture"]] * 3, [1, 1, 4]))

    # Actuators

    def test_steering(self):
        told = self.run_ward("""
sim["robot.steering"].data.heading, sim["robot.steering"].data.v = 1.0, 0.5
yaws = []
for tick in range(180):
    sim.step()
    yaws.append(data("pose").yaw)
tell(yaws=yaws, x=data("pose").x)
""", ward("steering", "actuators.Steering"), ("pose", "morse.sensors.pose.Pose"))
        # x' = 2 (1 - x), by steps of 1/60 s.
        self.near([told["yaws"][k] for k in (30, 60, 120)], [1 - (1 - 2 / 60) ** k for k in (30, 60, 120)], 1e-6)
        self.assertGreater(told["x"], 0.8)

    def test_lift(self):
        told = self.run_ward("""
sim["robot.lift"].data.height = 2.0
heights = []
for tick in range(240):
    sim.step()
    heights.append(data("pose").z)
tell(heights=heights, roll=data("pose").roll)
""", ward("lift", "actuators.Lift"), ("pose", "morse.sensors.pose.Pose"), robot={"position": [0, 0, 0.5], "rotation": [0.3, 0, 0]})
        # A filter of second order at its critical damping: 1 - (1 + wt) exp (-wt), wt = 5.
        self.assertAlmostEqual(told["heights"][60], 2 * (1 - 6 * math.exp(-5)), delta=0.05)
        self.assertAlmostEqual(told["heights"][-1], 2.0, 3)
        self.assertLess(abs(told["roll"]), 1e-9)

    def test_door(self):
        told = self.run_ward("""
call = sim["robot.door"].move(1.0)
sim.step(61)
tell(half=[data("door").open, call.done], y=sim.poses[sim.objects.index("door")][1])
sim.step(61)
tell(open=[data("door").open, call.result()], end=sim.poses[sim.objects.index("door")][1])
try:
    sim["robot.door"].move(1.5).result()
except GLib.Error as error:
    tell(refused=error.message)
""", ward("door", "actuators.Door"), others=[{"name": "door", "position": [2, 1, 0]}])
        self.assertAlmostEqual(told["half"][0], 61 * 0.5 / 60, 6)
        self.assertFalse(told["half"][1])
        self.assertAlmostEqual(told["y"], 1 + 2 * 61 * 0.5 / 60, delta=0.03)
        self.assertEqual(told["open"], [1.0, 1.0])
        self.assertAlmostEqual(told["end"], 3.0, 6)
        self.assertEqual(told["refused"], "door goes from 0 to 1")

    def test_thruster(self):
        """Under real physics: a = F / m along the robot's own axis."""
        told = self.run_ward("""
sim["robot.thruster"].data.thrust = (20.0, 0.0, 0.0)
sim.step(60)
tell(v=data("velocity").world_linear_velocity)
""", ward("thruster", "actuators.Thruster"), ("velocity", "morse.sensors.velocity.Velocity"),
            physics="orrery.physics.bullet.Bullet", gravity=[0, 0, 0],
            robot={"classpath": "morse.core.robot.Robot", "rotation": [0, 0, math.pi / 2],
                   "shapes": [{"kind": "box", "size": [1, 1, 1]}], "body": {"type": "dynamic", "mass": 10.0, "damping": [0, 0]}})
        self.near(told["v"], [0.0, 20.0 / 10.0 * 59 / 60, 0.0], 1e-3)

    def test_patrol(self):
        told = self.run_ward("""
seen = []
for tick in range(1200):
    sim.step()
    seen.append((data("pose").x, data("pose").y))
tell(rounds=sim["robot.patrol"].rounds(), status=sim["robot.patrol"].get_status(),
     misses=[min(math.hypot(x - a, y - b) for x, y in seen) for a, b in ((2, 0), (2, 2), (0, 2))])
""", ward("patrol", "actuators.Patrol"), ("pose", "morse.sensors.pose.Pose"))
        self.assertGreaterEqual(told["rounds"], 3)
        for miss in told["misses"]:
            self.assertLess(miss, 0.31)
        self.assertIn(told["status"], ("Transit", "Arrived"))

    # Robots, modifiers, streams, overlays, request managers

    def test_robot(self):
        told = self.run_ward("""
sim["robot.steering"].data.v = 1.0
sim.step(61)
tell(x=data("pose").x, paces=sim["robot"].paces(), ball=sim.poses[sim.objects.index("ball")].tolist()[:3])
sim["robot"].grasp(True)
sim.step(60)
tell(held=sim.poses[sim.objects.index("ball")].tolist()[:3])
""", others=[{"name": "ball", "position": [1.2, 0, 0], "properties": {"Graspable": True},
                     "shapes": [{"kind": "sphere", "radius": 0.1}], "body": {"type": "dynamic", "mass": 0.1}}],
            robot={"classpath": "ward.plugs.Nurse", "properties": {"Pace": 0.5, "Hand": "hand"},
                   "objects": [*json.loads(scene(ward("steering", "actuators.Steering"), ("pose", "morse.sensors.pose.Pose")))
                               ["objects"][0]["objects"], {"name": "hand", "position": [0.5, 0, 0.2]}]})
        self.assertAlmostEqual(told["x"], 0.5, 6)
        self.assertEqual((told["paces"], told["ball"]), ([61, 0.5], [1.2, 0, 0]))
        # In the hand the ball comes along.
        self.near(told["held"], [1.2 + 0.5 * 59 / 60, 0, 0], 0.01)

    def test_modifiers(self):
        tables = {"component_modifier": {"robot.drift": [["ward.plugs.Bias", "OUT", {}]],
                                         "robot.fast": [["ward.plugs.Bias", "OUT", {"rate": 3.0}]],
                                         "robot.depth": [["ward.plugs.Depth", "OUT", {"surface": 4.0}]]}}
        told = self.run_ward("sim.step(60)\ntell(drift=data('drift').x, fast=data('fast').x, depth=data('depth'))",
                             *((name, "morse.sensors.pose.Pose") for name in ("drift", "fast", "depth")), tables=tables,
                             properties={"DriftRate": 0.6}, robot={"position": [1, 2, 3]})
        self.near([told["drift"], told["fast"]], [1.6, 4.0])
        self.near([told["depth"][key] for key in "xyz"], [2, 1, 4 - 3.1])

    def test_streams_requests_and_overlay(self):
        """One program with a manager, a datastream, a request manager and an overlay of its own."""
        manager = "ward.plugs."
        tables = {"component_datastream": {"robot.pose": [[manager + "MailManager", manager + "Mail", "OUT", {"every": 10}]]},
                  "component_service": {"robot.door": [manager + "Desk"], "robot.tacho": [manager + "Desk"]},
                  "overlays": {manager + "Desk": {"robot.door": [manager + "Porter", {}]}}}
        told = self.run_ward("""
from ward.plugs import Box
sim.step()
Box.orders += [["a", "robot.tacho", "wait_for", [0.1]], ["b", "robot.door", "move", [3]], ["c", "porter", "percent", [50]],
               ["d", "robot.door", "nothing", []]]
data("driver").v = 1.0
sim.step(100)
tell(sent=Box.sent, answers=sorted(Box.answers), open=data("door").open)
""", ward("tacho", "sensors.Tacho"), ward("door", "actuators.Door"), ("pose", "morse.sensors.pose.Pose"), DRIVER, tables=tables,
            others=[{"name": "door"}])
        self.assertEqual([round(mail["timestamp"] * 60) for mail in told["sent"]], list(range(10, 101, 10)))
        self.assertAlmostEqual(told["sent"][-1]["x"] - told["sent"][-2]["x"], 1 / 6, 6)
        answers = {name: rest for name, *rest in told["answers"]}
        self.assertEqual(answers["a"][0], "SUCCESS")
        self.assertAlmostEqual(answers["a"][1], 0.1, delta=0.02)
        self.assertEqual(answers["b"][0], "FAILED")
        self.assertIn("door goes from 0 to 1", answers["b"][1])
        self.assertEqual(answers["c"], ["SUCCESS", 50.0])
        self.assertIn("nothing", answers["d"][1])
        self.assertAlmostEqual(told["open"], 0.5, 6)

    def test_codecs_on_sockets(self):
        """Their own lines, both ways, from a script of the laboratory."""
        self.write("script.py", """
from morse.builder import *
from morse.builder.creator import ActuatorCreator

robot = ATRV('robot')
pose = Pose('pose')
pose.add_stream('socket', 'ward.plugs.Nmea')
robot.append(pose)
driver = MotionVW('driver')
driver.add_stream('socket', 'ward.plugs.Command')
robot.append(driver)
tacho = Sensor('ward.sensors.Tacho', 'tacho')
tacho.add_service('socket')
robot.append(tacho)
env = Environment('empty', fastmode=True)
env.set_time_strategy(TimeStrategies.FixedSimulationStep)
env.set_physics('orrery.physics.kinematic.Kinematic')
""")
        done = self.orrery("build", "script.py", "-o", "built")
        self.assertEqual(done.returncode, 0, done.stderr)
        told = self.prints(HEAD + """
import socket
sim = orrery.load("built", pacing=orrery.Pacing.FAST)
def connect(name):
    client = socket.create_connection(("127.0.0.1", sim.call("simulation", "get_stream_port", name)), 60)
    sim.step()
    return client
pose, driver = connect("robot.pose"), connect("robot.driver")
pose.settimeout(60)
driver.sendall(b"v=0.9 w=0.0\\n")
while data("driver").v == 0.0:
    sim.step()
sim.step(60)
text = b""
while b"\\n" not in text or text.count(b"\\n") < 50:
    text += pose.recv(65536)
lines = text.decode().split("\\n")[:-1]
def right(line):
    words, _, check = line[1:].partition("*")
    total = 0
    for letter in words.encode():
        total ^= letter
    return line[0] == "$" and words.startswith("robot.pose,") and total == int(check, 16)
tell(lines=[right(line) for line in lines], v=data("driver").v, way=data("tacho").way)
""")
        found = json.loads(told[-1])
        self.assertEqual((set(found["lines"]), found["v"]), ({True}, 0.9))
        self.assertGreater(found["way"], 0.85)


if __name__ == "__main__":
    tap.main()
