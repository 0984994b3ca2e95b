# SPDX-License-Identifier: BSD-3-Clause
"""A simulation saved and restored: here and in another process, equal to the run that went on; and what is refused."""

import json
import os
import subprocess
import struct
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import BUILD, PROGRAM, PythonCase, missing  # noqa: E402

import tap  # noqa: E402

if not missing():
    import orrery
    from gi.repository import GLib

KINEMATIC, BULLET = "orrery.physics.kinematic.Kinematic", "orrery.physics.bullet.Bullet"
HAS_BULLET = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics/bullet.so"))

# Integrators, a slow one, random numbers, a modifier that remembers, a goal under way, a property that was changed.
COMPONENTS = [
    {"name": "pose", "classpath": "morse.sensors.pose.Pose"},
    {"name": "gps", "classpath": "morse.sensors.gps.GPS", "frequency": 7},
    {"name": "odometry", "classpath": "morse.sensors.odometry.Odometry"},
    {"name": "imu", "classpath": "morse.sensors.imu.IMU"},
    {"name": "battery", "classpath": "morse.sensors.battery.Battery"},
    {"name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint", "frequency": 11},
]
MODIFIERS = {"robot.pose": [["orrery.modifiers.noise.Delay", {"delay": 0.2}]],
             "robot.imu": [["orrery.modifiers.noise.RandomWalk", {"field": "angular_velocity", "sigma": 0.01}]]}


def describe(physics=KINEMATIC, **environment):
    return {"orrery": 1, "environment": dict({"frequency": 60, "physics": physics, "import": "empty",
                                           "properties": {"longitude": 43.6, "latitude": 1.43, "altitude": 135.0}},
                                          **environment),
            "objects": [{"name": "robot", "classpath": "morse.robots.atrv.ATRV", "position": [0, 0, 0.4],
                         "objects": COMPONENTS}],
            "component_modifier": MODIFIERS}


GO_ON = """
    import sys
    import orrery
    sim = orrery.load(sys.argv[1], seed=7, start=0, hash=True, pacing=orrery.Pacing.FAST)
    sim.restore(sys.argv[2])
    sim.step(int(sys.argv[3]))
    print(sim.hash, sim.ticks)
"""


class State(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", json.dumps(describe()))

    def load(self, description=None, **options):
        if description is not None:
            self.write("other.json", json.dumps(description))
        path = self.path("scene.json" if description is None else "other.json")
        sim = orrery.load(path, **dict({"seed": 7, "start": 0, "hash": True, "pacing": orrery.Pacing.FAST}, **options))
        self.addCleanup(sim.close)
        return sim

    def drive(self, sim):
        sim.call("robot.battery", "set_property", "DischargingRate", 3.0)
        sim["robot.waypoint"].goto(4.0, 1.0, 0.0, 0.3, 1.0)
        sim.step(100)

    def check_goes_on(self, physics):
        description = describe(physics)
        sim = self.load(description)
        self.drive(sim)
        for n in 1, 60, 250:
            state, ticks = sim.save(), sim.ticks
            other = self.load(description)
            other.restore(state)
            self.assertEqual((other.ticks, other.time, other.hash), (ticks, sim.time, sim.hash))
            self.assertEqual(dict(other["robot.odometry"].data), dict(sim["robot.odometry"].data))
            self.assertEqual(other.call("robot.battery", "get_properties"), sim.call("robot.battery", "get_properties"))
            sim.step(n)
            other.step(n)
            self.assertEqual(other.hash, sim.hash, "%d ticks after %d" % (n, ticks))
        self.assertEqual(sim["robot.waypoint"].get_status(), "Arrived")
        # A control: without the state it is another run.
        other = self.load(description)
        other.step(sim.ticks)
        self.assertNotEqual(other.hash, sim.hash)

    def test_kinematic(self):
        self.check_goes_on(KINEMATIC)

    @unittest.skipUnless(HAS_BULLET, "no Bullet")
    def test_bullet(self):
        """Contacts are part of it: wheels stand on the ground."""
        self.check_goes_on(BULLET)

    def test_wheels(self):
        """What they are told, how they turn, how far they are pressed."""
        for physics in (KINEMATIC, BULLET) if HAS_BULLET else (KINEMATIC,):
            description = describe(physics)
            robot = description["objects"][0]
            robot["classpath"] = "morse.robots.segwayrmp400.SegwayRMP400"
            robot["objects"] = [*COMPONENTS[:5], {"name": "drive",
                                                  "classpath": "morse.actuators.v_omega_diff_drive.MotionVWDiff"}]
            sim = self.load(description)
            sim["robot.drive"].data.v = 0.7
            sim["robot.drive"].data.w = 0.2
            sim.step(90)
            state = sim.save()
            other = self.load(description)
            other.restore(state)
            for run in sim, other:
                run.step(60)
                run["robot.drive"].data.v = 0.1
                run.step(60)
            self.assertEqual(other.hash, sim.hash, physics)
            self.assertGreater(sim["robot.pose"].data.x, 0.3)

    def test_joints(self):
        """Where they are, and what their motors are told."""
        for physics in (KINEMATIC, BULLET) if HAS_BULLET else (KINEMATIC,):
            description = describe(physics)
            description["objects"].append({"name": "base", "objects": [
                {"name": "arm", "joint": {"kind": "hinge", "axis": [0, 0, 1], "max_speed": 0.5}}]})
            sim = self.load(description)
            arm = sim.world.find_object("base.arm")
            sim.world.get_commands().set_joint_position(arm, 1.0, 0.2)
            sim.step(60)
            state = sim.save()
            other = self.load(description)
            other.restore(state)
            for run in sim, other:
                run.step(60)
            found = [run.world.get_snapshot().get_joint_position(arm.get_index()) for run in (sim, other)]
            self.assertEqual(found[0], found[1])
            self.assertAlmostEqual(found[0], 0.4, 2)
            self.assertEqual(other.hash, sim.hash, physics)

    def test_what_is_held(self):
        """By whom, and where; and it is let go as it would have been."""
        for physics in (KINEMATIC, BULLET) if HAS_BULLET else (KINEMATIC,):
            description = describe(physics)
            description["objects"].append({"name": "ball", "position": [5, 0, 2], "body": {"type": "rigid", "mass": 1},
                                           "shapes": [{"kind": "sphere", "radius": 0.1}]})
            sim = self.load(description)
            robot, ball = (sim.world.find_object(name) for name in ("robot", "ball"))
            sim["robot.waypoint"].goto(4.0, 0.0, 0.0)
            place = orrery.Transform.new(orrery.Vec3.new(0.0, 0.0, 2.0), None)
            self.assertTrue(sim.world.get_commands().attach(ball, robot, place))
            sim.step(60)
            other = self.load(description)
            other.restore(sim.save())
            for run in sim, other:
                run.step(30)
            self.assertEqual(other.hash, sim.hash, physics)
            rows = [sim.objects.index(name) for name in ("robot", "ball")]
            self.assertAlmostEqual(*sim.poses[rows, 0], 2)
            for run in sim, other:
                run.world.get_commands().attach(run.world.find_object("ball"), None, None)
                run.step(40)
            self.assertEqual(other.hash, sim.hash, physics)

    def test_back_and_again(self):
        """As often as one likes; a call that waits is preempted, and what it started goes on."""
        sim = self.load()
        self.drive(sim)
        state = sim.save()
        goal = sim["robot.waypoint"].get_call()
        sim.step(50)
        once = sim.hash
        sim.restore(state)
        self.assertTrue(goal.done)
        self.assertRaises(GLib.Error, goal.result)
        self.assertIsNotNone(sim["robot.waypoint"].get_call())
        sim.step(50)
        self.assertEqual(sim.hash, once)
        sim.reset()
        self.assertEqual(sim.ticks, 0)
        self.assertNotEqual(sim.report["run"], 0)

    def test_objects(self):
        """What scripts set of objects, and lamps, are as they were; a reset afterwards goes to the start."""
        scene = describe()
        scene["objects"][0]["properties"] = {"Colour": "red", "Size": 1}
        scene["objects"][0]["objects"] = [{"name": "lamp", "classpath": "morse.actuators.light.Light"}]
        scene["component_modifier"] = {}
        sim = self.load(scene)
        robot, lamp = sim.world.find_object("robot"), sim.world.find_object("robot.lamp")

        def look():
            return robot.get_value("Size") is not None, robot.get_value("Colour").unpack(), lamp.is_lit()

        begin = look()
        self.assertEqual(begin, (True, "red", True))
        sim.world.get_commands().set_value(robot, "Colour", GLib.Variant("s", "blue"))
        sim.world.get_commands().set_value(robot, "Size", None)
        sim.call("robot.lamp", "toggle")
        sim.step(2)
        state, changed = sim.save(), look()
        self.assertEqual(changed, (False, "blue", False))
        for n in range(2):
            sim.reset()
            self.assertEqual(look(), begin)
            sim.restore(state)
            self.assertEqual(look(), changed)
            sim.step(3)
            self.assertEqual(look(), changed)

    def test_wall_clock(self):
        """Statistics of time begin anew with the run, and know nothing of pauses."""
        sim = self.load(describe(time_strategy="fixed_step"))
        sim.step(300)
        ahead = sim.call("time", "statistics")["diff_real_time"]
        self.assertGreater(ahead, 0)
        self.assertLess(ahead, 5.0)
        sim.reset()
        sim.step(1)
        # One tick, and no time between two.
        self.assertEqual(sim.call("time", "statistics")["diff_real_time"], 0)
        sim.step(60)
        self.assertGreater(sim.call("time", "statistics")["diff_real_time"], 0)
        state = sim.save()
        sim.step(200)
        sim.restore(state)
        sim.step(1)
        self.assertEqual(sim.call("time", "statistics")["diff_real_time"], 0)

    def test_in_another_process(self):
        sim = self.load()
        self.drive(sim)
        sim.save(self.path("state"))
        sim.step(40)
        self.write("program.py", "\n".join(line[4:] for line in GO_ON.splitlines()))
        done = subprocess.run([PROGRAM, "python", self.path("program.py"), self.path("scene.json"), self.path("state"),
                               "40"], capture_output=True, text=True, env=self.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), [str(sim.hash), str(sim.ticks)])

    def test_program(self):
        """`orrery run --save`, and --restore: two halves are one whole."""
        def run(*arguments):
            done = self.orrery("run", self.path("scene.json"), "--fast", "--offline", "--seed", "7", "--start", "0",
                               "--hash", *arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [line for line in done.stdout.splitlines() if "hash" in line]
        whole = run("--ticks", "100")
        run("--ticks", "60", "--save", self.path("state"))
        self.assertEqual(run("--ticks", "40", "--restore", self.path("state")), whole)
        self.assertTrue(whole)
        for content, code in ((b"rubbish", 65), (None, 66)):
            path = self.path("rubbish" if content else "nothing")
            if content:
                with open(path, "wb") as file:
                    file.write(content)
            done = self.orrery("run", self.path("scene.json"), "--fast", "--offline", "--ticks", "1", "--restore", path)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertIn("--restore", done.stderr)

    def test_services(self):
        sim = self.load()
        sim.step(10)
        self.assertEqual(sim.call("simulation", "save", "here"), "running")
        before = sim.hash
        sim.step(5)
        sim.call("simulation", "restore", "here")
        self.assertEqual((sim.ticks, sim.hash), (10, before))
        with self.assertRaisesRegex(GLib.Error, "no state was saved as 'her'; did you mean here|there is: here"):
            sim.call("simulation", "restore", "her")
        for i in range(15):
            sim.call("simulation", "save", str(i))
        with self.assertRaisesRegex(GLib.Error, "16 states are already kept"):
            sim.call("simulation", "save", "one more")

    def test_stopped_before_the_first_tick(self):
        sim = self.load()
        state = sim.save()
        sim.step(30)
        once = sim.hash
        sim.restore(state)
        self.assertEqual((sim.ticks, sim.get_state()), (0, orrery.State.STOPPED))
        sim.step(30)
        self.assertEqual(sim.hash, once)

    def test_within_a_tick(self):
        sim = self.load()
        said = []

        def act(_):
            try:
                sim.save()
            except GLib.Error as error:
                said.append(error.message)
        sim["robot.pose"].subscribe(act)
        sim.step(30)
        self.assertIn("between two ticks", said[0])
        # Between them it may.
        states = []
        sim.on_tick(lambda: states.append(sim.save()))
        sim.step(2)
        self.assertEqual(len(states), 2)

    def refusal(self, state, description=None):
        sim = self.load(description)
        sim.step(3)
        before = sim.hash
        with self.assertRaises(GLib.Error) as caught:
            sim.restore(state)
        self.assertEqual((sim.hash, sim.ticks), (before, 3))
        sim.step(1)
        return caught.exception.message

    def test_of_another_scene(self):
        sim = self.load()
        sim.step(5)
        state = sim.save()
        other = describe()
        other["objects"][0]["objects"] = COMPONENTS[:-1]
        self.assertEqual(self.refusal(state, other), "the state is of another scene: it has a part robot.waypoint where "
                         "this one has robot.pose/Delay#0")
        other = describe(frequency=30)
        self.assertIn("it runs at 60 Hz with 2 substeps, this one at 30 Hz", self.refusal(state, other))
        other = describe()
        other["objects"][0]["position"] = [1, 0, 0.4]
        self.assertIn("its object robot is another one", self.refusal(state, other))
        if HAS_BULLET:
            self.assertIn("its physics is 'orrery.physics.kinematic.Kinematic', not", self.refusal(state, describe(BULLET)))

    def test_damaged(self):
        sim = self.load()
        sim.step(5)
        state = sim.save()
        for bad in (b"", b"x" * 100, state[:-1], state[:40], state + b"x", state[:200] + b"?" + state[201:]):
            self.assertRegex(self.refusal(bad), "not a state of a simulation|cut off or damaged")

    def test_another_format(self):
        """The number of the format is behind the 12 bytes that all states begin with."""
        sim = self.load()
        sim.step(5)
        state = sim.save()
        format, = struct.unpack("I", state[12:16])
        self.assertIn("the state has format %d, and Orrery" % (format + 1),
                      self.refusal(state[:12] + struct.pack("I", format + 1) + state[16:]))

    def test_another_seed(self):
        """Goes on from the same state with other random numbers."""
        sim = self.load()
        sim.step(5)
        state = sim.save()
        runs = []
        for seed in 7, 8:
            other = self.load(seed=seed)
            other.restore(state)
            other.step(30)
            runs.append(other.hash)
        self.assertNotEqual(*runs)


if __name__ == "__main__":
    tap.main()
