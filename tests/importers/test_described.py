# SPDX-License-Identifier: BSD-3-Clause
"""What files of robots describe beside bodies: sensors with noise, joints that follow others, loops."""

import json
import math
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../python"))

from native import BUILD, SOURCE, PythonCase, missing  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

if not missing():
    import orrery

IMPORTERS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers")
MORSE_ROBOTS = "/usr/share/morse/data/robots"
HAS_MUJOCO = os.path.exists(os.path.join(IMPORTERS, "read-mjcf"))

# A base that stands on nothing, with what the simulators of ROS put on one.
BASE_WITH_SENSORS = """<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">
<link name="base_footprint"/><link name="base"><inertial><mass value="8"/><inertia ixx=".1" iyy=".1" izz=".2" ixy="0"
ixz="0" iyz="0"/></inertial><collision><geometry><box size=".4 .3 .1"/></geometry></collision></link><link name="mast"/>
<joint name="f" type="fixed"><parent link="base_footprint"/><child link="base"/><origin xyz="0 0 .1"/></joint>
<joint name="m" type="fixed"><parent link="base"/><child link="mast"/><origin xyz=".1 0 .2"/></joint>
<gazebo reference="mast">
<sensor name="scan" type="gpu_ray"><pose>0 0 .05 0 0 0</pose><update_rate>10</update_rate><ray><scan><horizontal>
<samples>181</samples><min_angle>-1.570796327</min_angle><max_angle>1.570796327</max_angle></horizontal></scan>
<range><max>12</max></range><noise><type>gaussian</type><stddev>0.01</stddev></noise></ray></sensor>
<sensor name="camera" type="camera"><update_rate>15</update_rate><camera><horizontal_fov>1.5707963</horizontal_fov><image>
<width>64</width><height>48</height></image><clip><near>.02</near><far>50</far></clip></camera></sensor>
<sensor name="depth" type="depth"><camera><image><width>32</width><height>24</height></image></camera></sensor>
</gazebo><gazebo reference="base">
<sensor name="imu" type="imu"><update_rate>50</update_rate><imu><angular_velocity><x><noise><stddev>2e-4</stddev></noise></x>
</angular_velocity><linear_acceleration><z><noise><mean>.1</mean></noise></z></linear_acceleration></imu></sensor>
<sensor name="gps" type="gps"><update_rate>1</update_rate></sensor><sensor name="bump" type="contact"/>
<sensor name="echo" type="sonar"/></gazebo><gazebo><plugin name="p" filename="libx.so"/></gazebo></robot>"""

# Two fingers, one of which follows; a third joint follows that.
HAND = """<robot name="hand"><link name="world"/><link name="l"/><link name="r"/><link name="t"/>
<joint name="left" type="prismatic"><parent link="world"/><child link="l"/><axis xyz="0 1 0"/><limit lower="0" upper=".04"
effort="9" velocity="1"/></joint><joint name="right" type="prismatic"><parent link="world"/><child link="r"/><axis xyz="0 -1 0"/>
<limit lower="0" upper="1" effort="9" velocity="1"/><mimic joint="left" multiplier="2" offset="0.1"/></joint>
<joint name="third" type="continuous"><parent link="r"/><child link="t"/><mimic joint="right" multiplier="-1"/></joint></robot>"""

# A base on two light wheels with motors, and a caster at either end.
WHEEL = """<link name="%(side)s"><inertial><mass value=".5"/><inertia ixx="5e-4" iyy="1e-3" izz="5e-4" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><origin rpy="1.5708 0 0"/><geometry><cylinder radius=".1" length=".04"/></geometry></collision></link>
<joint name="%(side)s_wheel" type="continuous"><parent link="base"/><child link="%(side)s"/><origin xyz="0 %(y)s .1"/>
<axis xyz="0 1 0"/><limit effort="10" velocity="20"/></joint>"""
CASTER = """<link name="caster%(x)s"><inertial><mass value=".1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><geometry><sphere radius=".04"/></geometry></collision></link><joint name="caster%(x)s_joint" type="fixed">
<parent link="base"/><child link="caster%(x)s"/><origin xyz="%(x)s 0 .04"/></joint>"""
ROLLING = """<robot name="rolling"><link name="base"><inertial><origin xyz="0 0 .1"/><mass value="10"/><inertia ixx=".2" iyy=".3"
izz=".4" ixy="0" ixz="0" iyz="0"/></inertial><collision><origin xyz="0 0 .12"/><geometry><box size=".5 .3 .1"/></geometry>
</collision></link>""" + "".join([CASTER % {"x": x} for x in (-0.2, 0.2)] +
                                 [WHEEL % {"side": side, "y": y} for side, y in (("left", 0.2), ("right", -0.2))]) + "</robot>"

# A plate that slides and turns on a table, driven as ros2_control has it.
PLATE = """<robot name="p"><link name="world"/><link name="plate"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"
ixy="0" ixz="0" iyz="0"/></inertial></link><link name="knob"/>
<joint name="slide" type="planar"><parent link="world"/><child link="plate"/><origin xyz="0 0 1"/><axis xyz="0 0 1"/></joint>
<joint name="knob" type="continuous"><parent link="plate"/><child link="knob"/></joint>
<ros2_control name="c" type="system"><joint name="knob"><command_interface name="velocity"/><state_interface name="position"/>
</joint><joint name="slide"><state_interface name="position"/></joint></ros2_control></robot>"""


# A gripper whose motor pulls a tendon of both fingers, a loop of two bars, a load that hangs on a hook in the air.
LOOPS = """<mujoco>
  <compiler angle="radian" autolimits="true"/>
  <visual><global offwidth="128" offheight="64"/></visual>
  <default><default class="finger"><joint type="slide" axis="0 1 0" range="0 0.04" damping="5"/><geom type="box" size="0.02 0.005 0.01"/></default></default>
  <worldbody>
    <camera name="overview" pos="1 0 1" xyaxes="0 1 0 -0.7 0 0.7"/>
    <body name="palm" pos="0 0 0.5"><geom type="box" size=".03 .05 .02" mass=".5"/><site name="tip" pos="0.05 0 0"/>
      <camera name="eye" pos="0.03 0 0" fovy="60" xyaxes="0 -1 0 0 0 1"/>
      <camera name="follows" mode="trackcom" pos="0 0 1"/>
      <body name="left" pos="0.06 0.01 0" childclass="finger"><joint name="finger1"/><geom mass=".1"/><site name="pad" type="box" size=".02 .005 .01"/></body>
      <body name="right" pos="0.06 -0.01 0" euler="0 0 3.14159265" childclass="finger"><joint name="finger2"/><geom mass=".1"/></body>
    </body>
    <body name="bar_a" pos="0 1 1"><joint name="a" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 .5 0 0" mass="1"/></body>
    <body name="bar_b" pos="1 1 1"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 -.45 0 0" mass="1"/></body>
    <body name="load" pos="0 -1 1"><freejoint/><geom size=".05" mass="1"/></body>
    <body name="hook" pos="0 -1 1.2"><freejoint/><geom size=".05" mass="1"/></body>
  </worldbody>
  <tendon><fixed name="split"><joint joint="finger1" coef="0.5"/><joint joint="finger2" coef="0.5"/></fixed>
     <spatial name="rope"><site site="tip"/><site site="pad"/></spatial></tendon>
  <equality><joint name="fingers" joint1="finger2" joint2="finger1"/>
    <weld name="hung" body1="load" body2="hook"/><weld name="fixed" body1="hook"/>
    <connect name="pin" body1="bar_a" body2="bar_b" anchor=".52 0 0"/></equality>
  <actuator><position name="grip" tendon="split" kp="200" ctrlrange="0 .04" forcerange="-50 50"/><general name="odd" site="pad" gear="0 0 1 0 0 0"/></actuator>
  <sensor><touch name="felt" site="pad"/><force name="force" site="pad"/><clock name="time"/><accelerometer name="pull" site="tip"/><gyro name="turn" site="tip"/><magnetometer name="north" site="tip"/>
     <tendonpos name="gap" tendon="split"/><actuatorpos name="grip_at" actuator="grip"/><framezaxis name="up" objtype="body" objname="palm"/></sensor>
</mujoco>"""


# A plain of more triangles than MuJoCo's engine cuts into prisms.
PLAIN = """<mujoco><asset><hfield name="h" nrow="60" ncol="60" size="5 5 1 .1"/></asset>
<worldbody><geom type="hfield" hfield="h"/>
<body name="ball" pos="1 1 1"><freejoint/><geom size=".1" mass="1"/></body></worldbody></mujoco>"""

# A floor in the form of an L, and a leaf that falls on it; both have no thickness.
BAY = {"body": {"type": "static", "margin": 0}, "name": "bay", "shapes": [{"kind": "mesh", "points": [
    [0, 0, 0], [4, 0, 0], [4, 2, 0], [2, 2, 0], [2, 4, 0], [0, 4, 0], [2, 0, 0]], "triangles": [
        [0, 6, 3], [6, 1, 2], [6, 2, 3], [0, 3, 4], [0, 4, 5]]}]}
LEAF = {"name": "leaf", "position": [1, 3, 0.5], "body": {"type": "rigid", "mass": 1, "margin": 0}, "shapes": [
    {"kind": "hull", "points": [[-0.2, -0.2, 0], [0.2, -0.2, 0], [0.2, 0.2, 0], [-0.2, 0.2, 0]]}]}


def ball(name, x, y):
    return {"name": name, "position": [x, y, 0.5], "body": {"type": "rigid", "mass": 1, "margin": 0},
            "shapes": [{"kind": "sphere", "radius": 0.1}]}


@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Described(PythonCase):
    def load(self, name, text, engine="kinematic.Kinematic", **keys):
        self.write(name, text)
        sim = orrery.load(self.write("scene.json", json.dumps({"orrery": 1, "environment": {
            "physics": "orrery.physics." + engine, "import": name}, **keys})), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        return sim

    def words(self, name):
        """Names of the components of the last scene, and what is said of its file."""
        done = self.orrery("check", "-v", self.path("scene.json"))
        self.check(done, 0)
        return done.stdout.split("components: ")[1].split("\n")[0].split(", "), done.stderr

    def test_urdf_sensors(self):
        """What Gazebo measures, ours does: rates, places, noise; what it does not is said."""
        walls = [{"name": "ahead", "position": [10, 0, 1], "body": {"type": "static"},
                  "shapes": [{"kind": "box", "size": [0.2, 8, 2]}]}]
        sim = self.load("base.urdf", BASE_WITH_SENSORS, objects=walls)
        sim.step(60)
        scan, camera, imu, gps = (sim["base_footprint.base." + name] for name in ("mast.scan", "mast.camera", "imu", "gps"))
        ranges = list(scan.data.range_list)
        self.assertEqual([part.get_frequency() for part in (scan, camera, imu, gps)], [10, 15, 50, 1])
        self.assertEqual(len(ranges), 181)
        # Ten metres less half of the wall and where the mast is; what meets nothing has no noise.
        self.assertTrue(0 < max(ranges[85:96]) - min(ranges[85:96]) < 0.2, ranges[85:96])
        self.assertTrue(all(9 < distance < 10.3 for distance in ranges[85:96]), ranges[85:96])
        self.assertEqual({ranges[0], ranges[30]}, {12})
        self.assertTrue(0 < abs(imu.data.angular_velocity[0]) < 2e-3)
        self.assertAlmostEqual(imu.data.linear_acceleration[2], 9.81 + 0.1, delta=0.02)
        self.assertAlmostEqual(gps.data.z, 0.1, places=6)
        self.assertAlmostEqual(camera.props.cam_fov, 90, places=4)
        self.assertEqual((camera.props.cam_width, camera.props.cam_height), (64, 48))
        names, words = self.words("base.urdf")
        self.assertEqual(names, ["base_footprint"] + ["base_footprint.base." + name for name in (
            "mast.scan", "mast.camera", "mast.depth", "imu", "gps", "bump")])
        self.assertIn("base.urdf:17: sensor 'echo' of the type 'sonar' is left out: no component measures that", words)
        self.assertIn("1 plugins of Gazebo are left out", words)

    def check_mimic(self, engine, places):
        sim = self.load("hand.urdf", HAND, engine)
        joints = sim["world.joints"]
        sim["world.left"].set_position(0.03)
        sim.step(120)
        self.assertEqual(joints.data.names, "left right third")
        for got, wanted in zip(joints.data.position, (0.03, 0.16, -0.16)):
            self.assertAlmostEqual(got, wanted, places=places)
        self.assertEqual(self.words("hand.urdf")[0], ["world", "world.joints", "world.left"])

    def test_urdf_mimic(self):
        """A joint goes with the one that it mimics, and with that one's in turn."""
        self.check_mimic("kinematic.Kinematic", 12)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_urdf_mimic_mujoco(self):
        self.check_mimic("mujoco.MuJoCo", 4)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_guide(self):
        """The robot of docs/robots.md, step by step: its files, commands and program do what it says."""
        with open(os.path.join(SOURCE, "docs/robots.md"), encoding="utf-8") as file:
            text = re.search(r"^## Step by step\n(.*?)^## ", file.read(), re.M | re.S).group(1)
        blocks = dict(re.findall(r"^```(\w+)\n(.*?)^```$", text, re.M | re.S))
        for name, language in (("lift.urdf", "xml"), ("scene.json", "json"), ("drive.py", "python")):
            self.write(name, blocks[language])
        for command in blocks["sh"].splitlines():
            self.check(self.orrery(*command.split()[1:]), 0)
        for name in ("joints", "lift", "grip", "carriage.scan"):
            self.assertIn("world." + name, self.words("scene.json")[0])
        done = self.orrery("python", "drive.py")
        self.assertEqual((done.returncode, done.stdout), (0, blocks["text"]), done.stderr)

    def place(self, sim, name):
        world = sim.get_world()
        return world.get_snapshot().get_pose(world.find_object(name).get_index()).position

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_flat_field(self):
        """A height field without heights holds up what falls on it, under both engines."""
        for engine in ("mujoco.MuJoCo", "bullet.Bullet"):
            sim = self.load("plain.xml", PLAIN, engine)
            sim.step(120)
            self.assertAlmostEqual(self.place(sim, "ball").z, 0.1, delta=0.01)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_flat_shapes(self):
        """Flat meshes and hulls are solid as far as they reach: what is beside them falls."""
        sim = orrery.load(self.write("flat.json", json.dumps({"orrery": 1, "environment": {
            "physics": "orrery.physics.mujoco.MuJoCo"}, "objects": [
                BAY, LEAF, ball("on", 3, 1), ball("beside", 3, 3)]})), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        sim.step(90)
        self.assertAlmostEqual(self.place(sim, "on").z, 0.1, delta=0.01)
        self.assertAlmostEqual(self.place(sim, "leaf").z, 0, delta=0.01)
        self.assertLess(self.place(sim, "beside").z, -5)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_mjcf_loops(self):
        """Equalities hold under MuJoCo: fingers that go together, a loop of bars, what hangs on something."""
        sim = self.load("hand.xml", LOOPS, "mujoco.MuJoCo")
        sim["palm.grip"].set_position(0.02)
        sim.step(120)
        for finger in sim["palm.joints"].data.position:
            self.assertAlmostEqual(finger, 0.02, places=4)
        a, b = (sim["bar_%s.joints" % name].data.position[0] for name in "ab")
        # The pin is 0.52 m along a and -0.48 m along b, which stand 1 m apart: both ends are at one place.
        self.assertAlmostEqual(0.52 * math.cos(a), 1 - 0.48 * math.cos(b), delta=2e-3)
        self.assertAlmostEqual(-0.52 * math.sin(a), 0.48 * math.sin(b), delta=2e-3)
        self.assertLess(abs(a), 0.1)
        self.assertAlmostEqual(self.place(sim, "load").z, 1, delta=2e-3)
        self.assertAlmostEqual(self.place(sim, "hook").z, 1.2, delta=2e-3)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_mjcf_loops_open(self):
        """Without the equalities the same parts fall."""
        sim = self.load("hand.xml", LOOPS[:LOOPS.index("  <equality>")] + "</mujoco>", "mujoco.MuJoCo")
        sim.step(120)
        self.assertGreater(sim["bar_a.joints"].data.position[0], 0.5)
        self.assertLess(self.place(sim, "load").z, -5)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_mjcf_elsewhere(self):
        """An engine that holds no bodies says so; what is not read is named with its line."""
        self.load("hand.xml", LOOPS)
        names, words = self.words("hand.xml")
        self.assertIn("orrery.physics.kinematic.Kinematic holds no bodies to each other: 3 such constraints are left open, "
                      "the first of them of 'bar_a'", words)
        for line, what in ((23, "actuator 'odd'"), (24, "sensor 'force'"), (24, "sensor 'north'"), (25, "sensor 'gap'"),
                           (19, "tendon 'rope'"), (9, "camera 'follows'")):
            self.assertIn("hand.xml:%d: %s is left out: " % (line, what), words)
        for name in ("palm.grip", "palm.eye", "palm.left.felt", "palm.time", "palm.pull", "palm.turn", "palm.grip_at", "palm.up",
                     "_world.overview"):
            self.assertIn(name, names)

    def import_alone(self, path):
        """What `check -v` says of a file."""
        self.write("alone.json", json.dumps({
            "orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
            "objects": [{"name": "thing", "import": {"file": path}}]}))
        done = self.orrery("check", "-v", "alone.json")
        self.check(done, 0)
        return done.stdout + done.stderr

    def test_renamed(self):
        """An object that has the name of another gets a number, and is named; without such a name nothing is said."""
        links = "".join('<link name="%s"/>' % name for name in ("a", "b.c", "b_c", "d"))
        joints = "".join('<joint name="j%s" type="fixed"><parent link="a"/><child link="%s"/></joint>' % (name, name)
                         for name in ("b.c", "b_c", "d"))
        for text, is_told in ((links, True), (links.replace('"b_c"', '"e"'), False)):
            self.write("twins.urdf", '<robot name="r">%s%s</robot>' % (
                text, joints if is_told else joints.replace("b_c", "e")))
            words = self.import_alone("twins.urdf")
            self.assertEqual("twins.urdf: objects that have the name of another: 'b_c' is 'b_c_2'" in words, is_told, words)
            self.assertEqual("the name of another" in words, is_told, words)

    @unittest.skipUnless(os.path.isdir(MORSE_ROBOTS), "without Debian's morse-simulator-data")
    def test_left_of_blend(self):
        """What of a file of Blender is left out is named."""
        self.assertIn("jido.blend: 8 logic bricks are not read: 'Jido'", self.import_alone(MORSE_ROBOTS + "/jido.blend"))
        words = self.import_alone(MORSE_ROBOTS + "/human_rig.blend")
        self.assertIn("6 meshes do not bend with their bones: 'MakeHuman skeleton_man1-classic_shoes_lres', ", words)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_mjcf_cameras_without_names(self):
        """MuJoCo counts those of a body before those of the bodies in it, wherever the file has them."""
        self.write("hand.xml", "\n".join((
            "<mujoco>", '<default><camera fovy="50"/></default>', "<worldbody>",
            '<body><geom size=".1"/>', '<body><geom size=".1"/><camera mode="trackcom"/></body>',
            '<camera/>', '<camera mode="targetbody" target="there"/>', "</body>",
            '<body name="there"><geom size=".1"/>', "<include file='more.xml'/>", "</body>",
            "</worldbody>", '<worldbody>', '<camera mode="track"/>', "</worldbody>", "</mujoco>")))
        self.write("more.xml", "<mujocoinclude>\n\n<camera mode='trackcom'/>\n</mujocoinclude>")
        with open(self.path("hand.xml"), encoding="utf-8") as file:
            self.load("hand.xml", file.read())
        _, words = self.words("hand.xml")
        for place in ("hand.xml:5", "hand.xml:7", "more.xml:3", "hand.xml:14"):
            self.assertRegex(words, r"%s: camera \d is left out: " % place)
        self.assertNotRegex(words, r"xml:[26]: camera|xml: camera")

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_mjcf_sensors(self):
        sim = self.load("hand.xml", LOOPS)
        sim.step(60)
        self.assertAlmostEqual(sim["palm.pull"].data.linear_acceleration[2], 9.81, places=6)
        self.assertEqual(sim["palm.grip_at"].data.names, "finger1")
        eye = sim["palm.eye"]
        self.assertEqual((eye.props.cam_width, eye.props.cam_height), (128, 64))
        # 60 degrees of height are tan (30) at both sides; the width is twice as much.
        self.assertAlmostEqual(eye.props.cam_fov, 2 * math.degrees(math.atan(2 * math.tan(math.radians(30)))), places=6)
        # It looks along the palm's x axis, as the file has it.
        at, world = self.place(sim, "palm.eye"), sim.get_world()
        turned = world.get_snapshot().get_pose(world.find_object("palm.eye").get_index()).rotation
        self.assertAlmostEqual(at.x, 0.03, places=9)
        self.assertAlmostEqual(abs(turned.w), 1, places=9)

    @unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
    def test_urdf_base_drives(self):
        """Motors of light wheels take a heavy base along, straight on and around."""
        self.write("rolling.urdf", ROLLING)
        base = {"name": "base", "classpath": "orrery.core.robot.Robot", "import": {"file": "rolling.urdf"}}
        scene = {"orrery": 1, "environment": {"physics": "orrery.physics.mujoco.MuJoCo", "import": "empty", "start": 0},
                 "objects": [base]}
        with orrery.load(self.write("scene.json", json.dumps(scene)), listen=False, pacing=orrery.Pacing.FAST) as sim:
            left, right = sim["base.left_wheel"], sim["base.right_wheel"]
            sim.step(60)
            left.data.velocity = right.data.velocity = 5.0
            sim.step(120)
            before = self.place(sim, "base").x
            sim.step(240)
            self.assertAlmostEqual(self.place(sim, "base").x - before, 4 * 5 * 0.1, delta=0.1)
            self.assertAlmostEqual(self.place(sim, "base").y, 0, delta=0.1)
            # Its wheels roll on the ground that is seen, not on the margin that MORSE's robots have.
            self.assertAlmostEqual(self.place(sim, "base").z, 0, delta=0.002)
            left.data.velocity, right.data.velocity = -2.0, 2.0
            sim.step(120)
            rate = sim.world.get_snapshot().get_angular_velocity(sim.world.find_object("base").get_index()).z
            self.assertAlmostEqual(rate, 2 * 0.1 / 0.2, delta=0.3)

    def test_urdf_planar(self):
        sim = self.load("plate.urdf", PLATE)
        sim.step(1)
        self.assertEqual(sim["world.joints"].data.names, "slide_x slide_y slide knob")
        self.assertEqual(self.words("plate.urdf")[0], ["world", "world.joints", "world.knob"])


if __name__ == "__main__":
    tap.main()
