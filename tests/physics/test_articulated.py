# SPDX-License-Identifier: BSD-3-Clause
"""Articulated robots under the default engine, Bullet, against MuJoCo: joints, paths, contacts, states."""

import json
import math
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../python"))

from native import BUILD, SOURCE, PythonCase, missing  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

if not missing():
    import orrery

ENGINES = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics")
BULLET, MUJOCO = "orrery.physics.bullet.Bullet", "orrery.physics.mujoco.MuJoCo"
HAS_BULLET, HAS_MUJOCO = (os.path.exists(os.path.join(ENGINES, name)) for name in ("bullet.so", "mujoco.so"))

# What the documentation promises: of joint angles over 1 s, and of the path of the base over 5 s.
ANGLES, PATH = 0.02, 0.05

# A base with two driven wheels on hinges, in front of a caster that slides.
WHEEL = """<link name="%(side)s"><inertial><mass value=".5"/><inertia ixx="1.3e-3" iyy="2.5e-3" izz="1.3e-3" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><origin rpy="1.5707963 0 0"/><geometry><cylinder radius=".1" length=".04"/></geometry></collision></link>
<joint name="%(side)s_wheel" type="continuous"><parent link="base"/><child link="%(side)s"/><origin xyz="0.1 %(y)s .1"/>
<axis xyz="0 1 0"/><limit effort="10" velocity="20"/></joint>"""
ROLLER = """<robot name="roller"><link name="base"><inertial><origin xyz="0 0 .1"/><mass value="10"/><inertia ixx=".2" iyy=".3"
izz=".4" ixy="0" ixz="0" iyz="0"/></inertial><collision><origin xyz="0 0 .14"/><geometry><box size=".5 .3 .1"/></geometry>
</collision><collision><origin xyz="-.2 0 .04"/><geometry><sphere radius=".04"/></geometry></collision></link>""" + \
    "".join(WHEEL % {"side": side, "y": y} for side, y in (("left", 0.2), ("right", -0.2))) + \
    "<gazebo reference=\"base\"><mu1>0.02</mu1></gazebo></robot>"

# Two fingers, of which one follows.
FINGER = """<link name="%(name)s"><inertial><mass value=".1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/>
</inertial></link><joint name="%(name)s_joint" type="prismatic"><parent link="palm"/><child link="%(name)s"/>
<axis xyz="0 %(y)s 0"/><limit lower="0" upper="1" effort="20" velocity="1"/>%(mimic)s</joint>"""
GRIPPER = """<robot name="gripper"><link name="palm"/>%s%s</robot>""" % (
    FINGER % {"name": "a", "y": 1, "mimic": ""},
    FINGER % {"name": "b", "y": -1, "mimic": '<mimic joint="a_joint" multiplier="2" offset="0.1"/>'})

# One link on a shoulder that stands on what carries it.
ARM = """<robot name="arm"><link name="shoulder"/><link name="link"><inertial><origin xyz="0 0 .2"/><mass value="1"/>
<inertia ixx=".01" iyy=".01" izz=".002" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="turn" type="revolute">
<parent link="shoulder"/><child link="link"/><axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="2"/></joint></robot>"""

# A pendulum on a ball joint, and one on a spring with a damper, friction and an inertia of its motor.
PENDULUM = """<mujoco><worldbody><body name="bob" pos="0 0 2"><joint name="ball" type="ball" damping=".01"/>
<geom type="capsule" size=".02" fromto="0 0 0 .3 .2 -.4" mass="1"/></body>
<body name="spring" pos="1 0 2"><joint name="hinge" axis="0 1 0" stiffness="2" damping=".1" armature=".05" frictionloss=".05"/>
<geom type="capsule" size=".02" fromto="0 0 0 .4 0 0" mass=".5"/></body></worldbody></mujoco>"""

FLAIL = """<mujoco><worldbody><body name="upper" pos="0 0 .8"><joint name="a" axis="0 1 0" damping=".2"/>
<geom type="capsule" size=".03" fromto=".05 0 0 .3 0 0" mass="1"/><body name="lower" pos=".35 0 0">
<joint name="b" axis="0 1 0" damping=".2"/><geom type="capsule" size=".03" fromto=".05 0 0 .2 0 0" mass=".5"/></body></body>
</worldbody></mujoco>"""

LOOP = """<mujoco><worldbody><body name="a"><joint axis="0 1 0"/><geom size=".1" mass="1"/></body>
<body name="b" pos="1 0 0"><joint axis="0 1 0"/><geom size=".1" mass="1"/></body></worldbody>
<equality><connect body1="a" body2="b" anchor=".5 0 0"/></equality></mujoco>"""

FLOOR = {"name": "floor", "position": [0, 0, -0.5], "body": {"type": "static", "friction": 1},
         "shapes": [{"kind": "box", "size": [40, 40, 1]}]}


@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
@unittest.skipUnless(HAS_BULLET and HAS_MUJOCO, "built without one of the engines")
class Articulated(PythonCase):
    def load(self, model, *objects, engine=BULLET, floor=FLOOR, **robot):
        """A robot of a file, @model: its name under examples/robots, or its text."""
        file = os.path.join(SOURCE, "examples/robots", model)
        if model.startswith("<"):
            file = self.write("model.xml" if model.startswith("<mujoco") else "model.urdf", model)
        whole = {"name": "robot", "classpath": "orrery.core.robot.Robot", "import": {"file": file}, **robot}
        scene = {"orrery": 1, "environment": {"physics": engine, "start": 0}, "objects": [floor, whole, *objects]}
        sim = orrery.load(self.write("scene.json", json.dumps(scene)), hash=True, listen=False, pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        return sim

    def both(self, *arguments, **keys):
        return [self.load(*arguments, engine=engine, **keys) for engine in (BULLET, MUJOCO)]

    def place(self, sim, name="robot"):
        world = sim.get_world()
        return world.get_snapshot().get_pose(world.find_object(name).get_index()).position

    def joints(self, sim):
        return list(sim["robot.joints"].data.position)

    def compare_joints(self, sims, ticks=60):
        """Each second tick: within 2 % of the farthest that the joint goes, or 0.005 of one that hardly moves."""
        seen = []
        for _ in range(ticks // 2):
            for sim in sims:
                sim.step(2)
            seen.append([self.joints(sim) for sim in sims])
        for k in range(len(seen[0][0])):
            most = max(abs(theirs[k]) for _, theirs in seen)
            for ours, theirs in seen:
                self.assertLessEqual(abs(ours[k] - theirs[k]), max(ANGLES * most, 0.005))
        return seen[-1][1]

    def compare_paths(self, sims, ticks=300, name="robot"):
        """Each tenth tick: within 5 % of the way that the base has come until the end."""
        way, last, seen = 0, self.place(sims[1], name), []
        for _ in range(ticks // 10):
            for sim in sims:
                sim.step(10)
            ours, theirs = (self.place(sim, name) for sim in sims)
            way += math.hypot(theirs.x - last.x, theirs.y - last.y)
            last = theirs
            seen.append(math.hypot(ours.x - theirs.x, ours.y - theirs.y))
            self.assertAlmostEqual(ours.z, theirs.z, delta=0.002)
        self.assertLessEqual(max(seen), PATH * way)
        return way

    # --- against MuJoCo ---

    def drive_cart(self, sim):
        sim["robot.left"].data.velocity, sim["robot.right"].data.velocity = 5.0, 4.0
        sim["robot.mast_y"].data.position = 0.3

    def test_cart_joints(self):
        sims = self.both("cart.xml")
        for sim in sims:
            sim.step(30)
            self.drive_cart(sim)
        wheels = self.compare_joints(sims)
        self.assertGreater(max(abs(angle) for angle in wheels), 3)

    def test_cart_path(self):
        sims = self.both("cart.xml")
        for sim in sims:
            sim.step(30)
            self.drive_cart(sim)
        self.assertGreater(self.compare_paths(sims), 1)

    def drive_roller(self, sim, left, right):
        sim["robot.left_wheel"].data.velocity, sim["robot.right_wheel"].data.velocity = left, right

    def test_two_wheels(self):
        sims = self.both(ROLLER)
        for sim in sims:
            self.drive_roller(sim, 6.0, 5.0)
        self.compare_joints(sims)
        self.assertGreater(self.compare_paths(sims), 2)

    def reach(self, sim):
        sim["robot.shoulder_lift"].set_position(0.8, 1.0)
        sim["robot.elbow"].set_position(9)
        sim["robot.finger"].set_position(0.03)
        sim["robot.shoulder_pan"].set_velocity(0.5)

    def test_arm(self):
        """Speeds, limits, damping and dry friction of joints, and the weight of the links."""
        sims = self.both("arm.urdf")
        for sim in sims:
            self.reach(sim)
        self.assertAlmostEqual(self.compare_joints(sims)[2], 2.4, delta=0.02)

    def test_lands(self):
        """Two links fall on a block and stay there."""
        block = {"name": "block", "position": [0.5, 0, 0.25], "body": {"type": "static", "friction": 1},
                 "shapes": [{"kind": "box", "size": [0.4, 0.6, 0.5]}]}
        sims = self.both(FLAIL, block)
        last = self.compare_joints(sims, 90)
        self.assertTrue(0.2 < last[0] < 1, last)

    def test_pendulum(self):
        sims = self.both(PENDULUM)
        world = [sim.get_world() for sim in sims]
        for _ in range(30):
            for sim in sims:
                sim.step(2)
            for name in ("robot", "robot.spring") if world[0].find_object("robot.spring") else ("robot",):
                turns = [w.get_snapshot().get_pose(w.find_object(name).get_index()).rotation for w in world]
                ours, theirs = ((q.w, q.x, q.y, q.z) for q in turns)
                self.assertGreater(abs(sum(a * b for a, b in zip(ours, theirs))), math.cos(0.01))

    def test_push(self):
        """A free box in front of the robot goes as far."""
        box = {"name": "box", "position": [0.6, 0, 0.1], "body": {"type": "rigid", "mass": 0.5, "friction": 0.5},
               "shapes": [{"kind": "box", "size": [0.2, 0.2, 0.2]}]}
        sims = self.both(ROLLER, box)
        for sim in sims:
            self.drive_roller(sim, 5.0, 5.0)
        self.assertGreater(self.compare_paths(sims, 240), 1)
        ours, theirs = (self.place(sim, "box") for sim in sims)
        self.assertGreater(theirs.x, 1)
        self.assertAlmostEqual(ours.x, theirs.x, delta=PATH * theirs.x)

    # --- alone ---

    def test_slope(self):
        """Wheels that are held do not creep: gravity leans, as on a slope of 6 degrees."""
        sim = self.load(ROLLER)
        self.drive_roller(sim, 0.0, 0.0)
        sim.step(30)
        commands, world = sim.get_world().get_commands(), sim.get_world()
        base = world.find_object("robot")
        before = self.place(sim)
        force, torque = orrery.Vec3.new(10, 0, 0), orrery.Vec3.new(0, 0, 0)
        for _ in range(300):
            commands.add_force(base, force, torque)
            sim.step(1)
        self.assertLess(abs(self.place(sim).x - before.x), 0.01)

    def test_gripper(self):
        sim = self.load(GRIPPER, position=[0, 0, 1])
        sim["robot.a_joint"].data.position = 0.2
        sim.step(120)
        a, b = self.joints(sim)
        self.assertAlmostEqual(a, 0.2, delta=0.004)
        self.assertAlmostEqual(b, 0.1 + 2 * a, delta=0.004)

    def test_carried(self):
        """A robot that is told its velocity carries an arm, and stands and drives as without it."""
        self.write("arm.urdf", ARM)
        arm = {"name": "arm", "position": [0, 0, 0.6], "import": {"file": "arm.urdf"}}
        parts = [arm, {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"},
                 {"name": "turn", "classpath": "orrery.actuators.joint.Position", "properties": {"Joint": "turn"}}]
        robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": parts}
        scene = {"orrery": 1, "environment": {"import": "empty", "start": 0}, "objects": [robot]}
        sim = orrery.load(self.write("scene.json", json.dumps(scene)), listen=False, pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        sim.step(60)
        sim["robot.motion"].data.v, sim["robot.turn"].data.position = 1.0, 1.0
        sim.step(120)
        at = self.place(sim)
        self.assertAlmostEqual(at.x, 2 * 0.969, delta=0.1)
        self.assertAlmostEqual(at.z, 0.1, delta=0.01)
        snapshot, link = sim.get_world().get_snapshot(), sim.get_world().find_object("robot.arm.link")
        self.assertAlmostEqual(snapshot.get_joint_position(link.get_index()), 1, delta=0.02)

    def hashes(self, sim, n=60):
        found = []
        for _ in range(n):
            sim.step(1)
            found.append(sim.hash)
        return found

    def test_twice(self):
        sims = [self.load("cart.xml") for _ in range(2)]
        for sim in sims:
            self.drive_cart(sim)
        self.assertEqual(*[self.hashes(sim, 120) for sim in sims])

    def test_goes_on(self):
        """A state goes on tick by tick as the run did, here and in another simulation."""
        box = {"name": "box", "position": [0.5, 0, 0.1], "body": {"type": "rigid", "mass": 0.5},
               "shapes": [{"kind": "box", "size": [0.2, 0.2, 0.2]}]}
        for model, drive, ticks in (("cart.xml", self.drive_cart, 45), ("arm.urdf", self.reach, 30),
                                    (PENDULUM, lambda sim: None, 20)):
            sim, other = self.load(model, box), self.load(model, box)
            drive(sim)
            sim.step(ticks)
            state = sim.save()
            goes_on = self.hashes(sim)
            other.restore(state)
            self.assertEqual(self.hashes(other), goes_on)
            sim.restore(state)
            self.assertEqual(self.hashes(sim), goes_on)
            self.assertEqual(len(set(goes_on)), len(goes_on))

    def test_refused(self):
        """What Bullet has no solver for is an error that names the key and the other engine."""
        self.write("loop.xml", LOOP)
        path = self.write("loop.json", json.dumps({"orrery": 1, "environment": {"import": "loop.xml"}}))
        for command in (["check"], ["run", "--offline", "--fast", "--ticks=2"]):
            done = self.orrery(*command, path)
            self.check(done, 65)
            for word in ("'a'", "connect", "physics", MUJOCO):
                self.assertIn(word, done.stderr)
        sane = self.write("loop.json", json.dumps({"orrery": 1, "environment": {"import": "loop.xml", "physics": MUJOCO}}))
        self.check(self.orrery("check", sane), 0)

    def test_a_chain_may_be_too_long(self):
        """What a step costs grows with the cube of its length."""
        for n, code in ((1100, 65), (30, 0)):
            links = "".join('<link name="l%d"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0"'
                            ' iyz="0"/></inertial></link>' % i for i in range(n))
            joints = "".join('<joint name="j%d" type="continuous"><parent link="l%d"/><child link="l%d"/></joint>'
                             % (i, i, i + 1) for i in range(n - 1))
            self.write("chain.urdf", '<robot name="chain">%s%s</robot>' % (links, joints))
            robot = {"name": "chain", "classpath": "orrery.core.robot.Robot", "import": {"file": "chain.urdf"}}
            done = self.orrery("check", self.write("chain.json", json.dumps({"orrery": 1, "objects": [robot]})))
            self.check(done, code)
            self.assertEqual("1000 links" in done.stderr, code != 0, done.stderr)


if __name__ == "__main__":
    tap.main()
