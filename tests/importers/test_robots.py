# SPDX-License-Identifier: BSD-3-Clause
"""Files of robots and meshes that are wrong: an error that names file and reason, soon, whatever is in them."""

import json
import os
import struct
import sys
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

IMPORTERS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers")
ARM = os.path.join(SOURCE, "examples/robots/arm.urdf")
CART = os.path.join(SOURCE, "examples/robots/cart.xml")
BASE = '<link name="a"/><link name="b"/>'


def joint(name="j", parent="a", child="b", kind="fixed", inside=""):
    return '<joint name="%s" type="%s"><parent link="%s"/><child link="%s"/>%s</joint>' % (name, kind, parent, child, inside)


def visual(inside):
    return '<robot name="r"><link name="a"><visual><geometry>%s</geometry></visual></link></robot>' % inside


# What is in the file, and what is said of it.
WRONG_URDF = {
    "": "",
    "<robot": "",
    "no xml": "",
    "<sdf/>": "the root of a URDF file is <robot>",
    '<robot name="r"/>': "there is no link in it",
    '<robot><link/></robot>': "a link without a name",
    "<robot>%s</robot>" % (BASE + BASE): "two links are called 'a'",
    "<robot>%s</robot>" % BASE: "links 'a' and 'b' are not connected by joints",
    "<robot>%s%s</robot>" % (BASE, joint(child="c")): "there is no link 'c'",
    "<robot>%s%s</robot>" % (BASE, joint(kind="rubber")): "is of the type 'rubber'",
    "<robot>%s%s%s</robot>" % (BASE + '<link name="c"/>', joint(), joint(child="c")): "two joints are called 'j'",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside="<mimic/>")): "a <mimic> without a joint",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<mimic joint="k"/>')): "'k', which is no joint of it",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<mimic joint="j"/>')): "coupled to itself",
    "<robot>%s%s%s</robot>" % (BASE + '<link name="c"/>', joint(), joint("k", "b", "c", "revolute", '<mimic joint="j"/>')):
        "only hinges and slides are coupled",
    '<robot xmlns:xacro="http://x">\n<xacro:macro name="m"/></robot>': "wrong.urdf:2: <xacro:macro> is for xacro",
    '<robot><link name="$(arg prefix)a"/></robot>': "> robot.urdf",
    "<robot>%s%s%s</robot>" % (BASE, joint(), joint("k")): "is the child of two joints",
    "<robot>%s%s%s</robot>" % (BASE, joint(), joint("k", "b", "a")): "a circle",
    '<robot><link name="z"/>%s%s%s</robot>' % (BASE, joint(), joint("k", "b", "a")): "a circle",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<axis xyz="0 0 0"/>')): "no length",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<axis xyz="0 nan 1"/>')): "is not 3 numbers",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<origin xyz="1 2"/>')): "is not 3 numbers",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<origin xyz="1 2 1e300"/>')): "up to 1e9",
    "<robot>%s%s</robot>" % (BASE, joint(kind="revolute", inside='<limit lower="1" upper="0"/>')): "above the upper",
    visual('<box size="-1 1 1"/>'): "wrong.urdf:1: link 'a': a shape has a size above 0",
    visual("<blob/>"): "without a geometry that is known",
    visual("<mesh/>"): "a mesh without a filename",
    visual('<mesh filename="not_there.stl"/>'): "there is no file not_there.stl",
    visual('<mesh filename="package://../../etc/passwd"/>'): "is outside of its package",
    visual('<mesh filename="file:///dev/zero"/>'): "there is no file",
    "<robot>%s" % ("<x>" * 100000): "nested more than",
    "<robot>%s</robot>" % "".join('<link name="l%d"/>' % i for i in range(20000)): "more than 10000 links",
    '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><robot name="&b;"/>': "",
}

WRONG_MJCF = {
    "<mujoco": "",
    "<mujoco><worldbody><body><nothing/></body></worldbody></mujoco>": "",
    '<mujoco><worldbody><body><geom type="box" size="-1 1 1"/></body></worldbody></mujoco>': "",
    '<mujoco><worldbody><body><joint/></body></worldbody></mujoco>': "",
    '<mujoco><asset><mesh name="m" file="not_there.stl"/></asset></mujoco>': "not_there.stl",
    '<mujoco><include file="wrong.xml"/></mujoco>': "",
    '<mujoco><asset><hfield name="h" nrow="40000" ncol="40000" size="1 1 1 1"/></asset></mujoco>': "",
    '<robots/>': "not <mujoco> or <robot>",
}


SENSORS = """<mujoco><worldbody><body name="top" pos="0 0 1"><joint name="swing" axis="0 1 0"/>
<geom type="box" size=".1 .1 .1"/><site name="at" pos="0 0 .1"/></body></worldbody>
<actuator><motor name="push" joint="swing"/><position name="second" joint="swing"/></actuator>
<sensor><jointpos name="angle" joint="swing"/><gyro name="turning" site="at"/><accelerometer name="pull" site="at"/>
<framepos name="place" objtype="site" objname="at"/><rangefinder name="up" site="at"/>
<velocimeter name="way" site="at"/><touch name="felt" site="at"/><force name="weight" site="at"/></sensor>
<equality><joint joint1="swing"/></equality></mujoco>"""

DRIVEN = """<robot name="r"><link name="a"/><link name="b"/><link name="c"/>
<joint name="j" type="continuous"><parent link="a"/><child link="b"/><limit effort="9" velocity="1"/></joint>
<joint name="k" type="revolute"><parent link="b"/><child link="c"/><limit lower="0" upper="1" effort="9" velocity="1"/></joint>
%s</robot>"""

TRANSMISSION = """<transmission name="t"><joint name="k"><hardwareInterface>hardware_interface/EffortJointInterface
</hardwareInterface></joint><actuator name="m"/></transmission>"""


# What other programs make of a robot, and what simulators do not; lines count from 1.
ODD = """<robot name="r">
<link name="base"><inertial><mass value="8"/><inertia ixx=".1" iyy=".1" izz=".2" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size=".4 .3 .1"/></geometry><verbose value="x"/></collision>
  <self_collision_checking model="none"/></link>
<link name="arm"><visual><geometry><box size=".1 .1 .1"/></geometry><material name="m"><texture filename="a.png"/></material>
  </visual></link>
<link name="plate"><collision><geometry><box size=".1 .1 .1"/></geometry></collision></link>
<joint name="f" type="fixed"><parent link="arm"/><child link="plate"/></joint>
<joint name="j" type="revolute"><parent link="base"/><child link="arm"/><limit lower="0" upper="1" effort="1" velocity="1"/>
  <safety_controller k_velocity="1"/></joint>
<transmission name="t"><type>x</type><joint name="j"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction></actuator>
</transmission><gazebo reference="arm"><kp>1</kp><mu1>0.3</mu1>
<sensor name="scan" type="ray"><ray><range><min>0.1</min><max>9</max></range></ray></sensor></gazebo>
<sensor name="old"/>
</robot>"""


class Robots(ProgramCase):
    def test_urdf_unread(self):
        """What a URDF file has beside what is read is named with its line; a link that moves without a mass is a warning."""
        words = self.components(self.write("odd.urdf", ODD))[1]
        for said in ("warning: [importers.urdf] %s/odd.urdf:5: link 'arm' moves and has no mass: it has 1 kg here" % self.directory,
                     "odd.urdf:3: <verbose> is left out", "odd.urdf:4: <self_collision_checking> is left out",
                     "odd.urdf:5: <texture> is left out", "odd.urdf:10: <safety_controller> is left out",
                     "odd.urdf:11: <mechanicalReduction> is left out", "odd.urdf:12: <kp> is left out",
                     "odd.urdf:13: <sensor> 'ray/range/min' is left out", "odd.urdf:14: <sensor> is left out"):
            self.assertIn(said, words)
        self.assertEqual(words.count("no mass"), 1)
        for kind in ("mu1", "ray/range/max", "<limit>", "<type>"):
            self.assertNotIn(kind, words)

    def components(self, file, **keys):
        """Names of the components of a scene that says nothing but the name of a file."""
        scene = self.write("plain.json", json.dumps({"orrery": 1, "environment": {
            "physics": "orrery.physics.kinematic.Kinematic", "import": file, **keys}}))
        done = self.orrery("check", "-v", scene)
        self.check(done, 0)
        return done.stdout.split("components: ")[1].strip().split(", "), done.stderr

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mjcf")), "built without MuJoCo")
    def test_mjcf_components(self):
        """Motors and sensors of the file are there without a line of config; the rest is said."""
        file = self.write("sensors.xml", SENSORS)
        names, words = self.components(file)
        self.assertEqual(sorted(names), ["top"] + sorted("top." + name for name in (
            "joints", "push", "angle", "turning", "pull", "place", "up", "way", "felt")))
        self.assertIn("sensors.xml:3: actuator 'second' is left out: its joint has another motor before it", words)
        self.assertIn("sensors.xml:6: sensor 'weight' is left out: no component measures that", words)
        self.assertIn("sensors.xml:7: equality 0 is left out: a joint that is held is no joint", words)
        self.assertEqual(self.components(file, import_components=False)[0], ["none"])

    def test_urdf_components(self):
        names, _ = self.components(self.write("plain.urdf", DRIVEN % ""))
        self.assertEqual(names, ["a", "a.joints", "a.j", "a.k"])
        names, words = self.components(self.write("driven.urdf", DRIVEN % TRANSMISSION))
        self.assertEqual(names, ["a", "a.joints", "a.k"])

    def test_xacro(self):
        """Without macros a .xacro is URDF; with them it is refused with what to do."""
        self.check(self.orrery("check", self.scene(self.write("plain.xacro", DRIVEN % ""))), 0)
        done = self.orrery("check", self.scene(self.write("arm.xacro", '<robot><xacro:include filename="x"/></robot>')))
        self.check(done, 65)
        self.assertIn("xacro %s > robot.urdf" % self.path("arm.xacro"), done.stderr.replace("./", self.directory + "/"))

    def test_packages(self):
        """package:// is looked for where ROS 1, ROS 2 and Gazebo have packages, and beside the file."""
        wedge = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
        os.makedirs(self.path("ws/share/pack/meshes"))
        self.write("ws/share/pack/meshes/wedge.obj", wedge)
        robot = self.write("far.urdf", visual('<mesh filename="package://pack/meshes/wedge.obj"/>'))
        self.assertIn("AMENT_PREFIX_PATH", self.orrery("check", self.scene(robot)).stderr)
        if not os.path.exists(os.path.join(IMPORTERS, "read-mesh")):
            return
        for variable, value in (("AMENT_PREFIX_PATH", "/nowhere:" + self.path("ws")), ("ROS_PACKAGE_PATH", self.path("ws/share")),
                                ("GZ_SIM_RESOURCE_PATH", self.path("ws/share"))):
            with unittest.mock.patch.dict(os.environ, {variable: value}):
                self.check(self.orrery("check", self.scene(robot)), 0)
        # A copy of the package by another name.
        os.makedirs(self.path("copy/urdf"))
        os.rename(self.path("ws/share/pack/meshes"), self.path("copy/meshes"))
        self.check(self.orrery("check", self.scene(self.write("copy/urdf/far.urdf", visual(
            '<mesh filename="package://pack/meshes/wedge.obj"/>')))), 0)

    def test_own_part_instead(self):
        """A part that the scene has by the same name takes the place of the file's."""
        self.write("own.urdf", DRIVEN % "")
        scene = {"orrery": 1, "objects": [{
            "name": "r", "classpath": "orrery.core.robot.Robot", "import": {"file": "own.urdf"},
            "objects": [{"name": "j", "classpath": "orrery.actuators.joint.Effort", "properties": {"Joint": "j"}}]}]}
        done = self.orrery("check", self.write("own.json", json.dumps(scene)))
        self.check(done, 0)
        self.assertIn("components: r, r.joints, r.k, r.j\n", done.stdout)
        scene["objects"][0]["import"]["components"] = False
        done = self.orrery("check", self.write("own.json", json.dumps(scene)))
        self.assertIn("components: r, r.j\n", done.stdout)

    def test_served(self):
        """A client drives and reads them."""
        process = self.start("run", self.scene(self.write("driven.urdf", DRIVEN % "")), "--fast", "--paused")
        port = self.services_port(process)
        for words in (["a.k", "set_position", "0.4"], ["simulation", "step", "60"]):
            self.check(self.orrery("call", "--port", port, *words), 0)
        done = self.orrery("call", "--port", port, "a.k", "get_state")
        self.assertAlmostEqual(json.loads(done.stdout)["position"], 0.4, places=3)
        self.check(self.orrery("call", "--port", port, "simulation", "quit"), 0)
        self.assertEqual(process.wait(60), 0)

    def scene(self, file):
        return self.write("scene.json", json.dumps(
            {"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic", "import": file}}))

    def refuse(self, file, words):
        done = self.orrery("check", self.scene(file))
        self.assertIn(done.returncode, (65, 69), "%s\n%s" % (file, done.stderr))
        self.assertIn(os.path.basename(file), done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual([name for name in os.listdir(self.directory) if "LOG" in name], [])

    def test_urdf(self):
        for text, words in WRONG_URDF.items():
            with self.subTest(text[:80]):
                self.refuse(self.write("wrong.urdf", text), words)

    def test_truncated(self):
        with open(ARM, encoding="utf-8") as file:
            text = file.read()
        for length in range(0, text.index("</robot>"), 400):
            with self.subTest(length):
                self.refuse(self.write("cut.urdf", text[:length]), "")

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mjcf")), "built without MuJoCo")
    def test_mjcf(self):
        for text, words in WRONG_MJCF.items():
            with self.subTest(text[:80]):
                self.refuse(self.write("wrong.xml", text), words)
        with open(CART, encoding="utf-8") as file:
            text = file.read()
        for length in range(0, text.index("</mujoco>"), 500):
            with self.subTest(length):
                self.refuse(self.write("cut.mjcf", text[:length]), "")

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mesh")), "built without assimp")
    def test_meshes(self):
        wrong = {
            "cut.stl": b"\0" * 80 + struct.pack("<I", 0x7fffffff) + b"\0" * 50,
            "junk.dae": b"<COLLADA>" + b"<a>" * 1000,
            "empty.obj": b"",
            "far.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999\n",
            "nan.obj": b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
            "junk.glb": b"glTF\2\0\0\0\xff\xff\xff\xff" + b"\xff" * 64,
            "none.xyz": b"1 2 3",
        }
        for name, data in wrong.items():
            with self.subTest(name):
                with open(self.path(name), "wb") as file:
                    file.write(data)
                robot = self.write("mesh.urdf", visual('<mesh filename="%s"/>' % name))
                done = self.orrery("check", self.scene(robot))
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn(name, done.stderr)
                if not name.endswith(".xyz"):
                    self.refuse(self.path(name), "")

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mesh")), "built without assimp")
    def test_mesh(self):
        """One that is right is read, from beside the file and from its package."""
        os.makedirs(self.path("pack/meshes"))
        self.write("pack/meshes/wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n")
        for name in ("meshes/wedge.obj", "package://pack/meshes/wedge.obj"):
            self.check(self.orrery("check", self.scene(self.write("pack/wedge.urdf", visual('<mesh filename="%s"/>' % name)))), 0)

        # By itself, as environment and as what an object is made of.
        self.check(self.orrery("check", self.scene("pack/meshes/wedge.obj")), 0)
        scene = self.write("thing.json", json.dumps({"orrery": 1, "objects": [
            {"name": "thing", "import": {"file": "pack/meshes/wedge.obj"}, "body": {"type": "rigid", "mass": 2}}]}))
        self.check(self.orrery("run", scene, "--fast", "--offline", "--for", "0.5"), 0)

    def test_right(self):
        for file in (ARM, CART):
            if file == ARM or os.path.exists(os.path.join(IMPORTERS, "read-mjcf")):
                self.check(self.orrery("run", self.scene(file), "--fast", "--offline", "--for", "0.1"), 0)


if __name__ == "__main__":
    tap.main()
