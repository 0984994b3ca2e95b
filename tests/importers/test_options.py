# SPDX-License-Identifier: BSD-3-Clause
"""What an MJCF file says of the simulation arrives, or is named with its line."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../python"))

from native import BUILD, PythonCase, missing  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

if not missing():
    import orrery

HAS_MUJOCO = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers/read-mjcf"))
ENGINES = ("mujoco.MuJoCo", "bullet.Bullet")

MOON = """<mujoco>
  <option gravity="0 0 -1.62" %s/>
  <worldbody><body name="ball" pos="0 0 100"><freejoint/><geom size=".1" mass=".1"/></body></worldbody>
</mujoco>"""

# Two balls in each other, twice: only those of one pair may stay so.
PAIRS = """<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="a" pos="0 0 0"><freejoint/><geom size=".1" mass="1"/></body>
  <body name="b" pos=".1 0 0"><freejoint/><geom size=".1" mass="1"/></body>
  <body name="c" pos="0 5 0"><freejoint/><geom size=".1" mass="1"/></body>
  <body name="d" pos=".1 5 0"><freejoint/><inertial mass="1" pos="0 0 0" diaginertia=".01 .01 .01"/><body name="part"><geom size=".1" mass="1"/></body></body></worldbody>
  <contact><exclude body1="c" body2="part"/></contact></mujoco>"""

# The end of an arm lies in its base, with a link between them.
LINKS = """<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="base" pos="0 0 1"><geom type="box" size=".1 .1 .1" mass="1"/>
    <body name="arm" pos=".12 -.2 0"><joint axis="0 0 1"/><inertial mass="1" pos="0 .1 0" diaginertia=".1 .1 .1"/>
      <body name="end" pos="0 .2 0"><joint axis="0 0 1"/><geom size=".05" pos="0 .03 0" mass="1"/></body></body></body>
  </worldbody>%s</mujoco>"""

UNREAD = """<mujoco>
  <option integrator="implicit" cone="pyramidal"
    solver="CG"><flag warmstart="disable" gravity="disable"/></option>
  <visual><headlight ambient="1 1 1"/></visual>
  <asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/></asset>
  <include file="more.xml"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="ball"><freejoint/><geom name="g" size=".1" mass="1" condim="4"/><site name="s"/></body>
    <body name="other"><freejoint/><geom name="h" size=".1" mass="1" condim="4" contype="2" friction="1 .1 .1"/></body>
  </worldbody>
  <contact><pair geom1="g" geom2="h"/></contact>
  <sensor><clock/>
    <magnetometer site="s"/></sensor>
  <keyframe><key name="first"/>
    <key name="second"/></keyframe>
</mujoco>"""

MORE = """<mujocoinclude>
  <custom><numeric name="n" data="1"/></custom>
  <sensor><subtreemass body="ball"/></sensor>
</mujocoinclude>""".replace("subtreemass", "subtreecom")


@unittest.skipUnless(HAS_MUJOCO, "built without MuJoCo")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Options(PythonCase):
    def scene(self, environment, objects=()):
        return self.write("scene.json", json.dumps({"orrery": 1, "environment": environment, "objects": list(objects)}))

    def load(self, engine, name, text, **keys):
        self.write(name, text)
        sim = orrery.load(self.scene(dict({"physics": "orrery.physics." + engine, "import": name}, **keys)),
                          pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        return sim

    def place(self, sim, name):
        world = sim.get_world()
        place = world.get_snapshot().get_pose(world.find_object(name).get_index()).position
        return place.x, place.y, place.z

    def test_gravity(self):
        """Gravity of the file acts in every engine; that of the scene comes first."""
        for engine in ENGINES:
            for keys, pull in (({}, 1.62), ({"gravity": [0, 0, -5]}, 5)):
                sim = self.load(engine, "moon.xml", MOON % "", **keys)
                sim.step(60)
                self.assertAlmostEqual(self.place(sim, "ball")[2], 100 - pull / 2, delta=0.02 * pull)

    def test_said_once(self):
        """By the host, however many workers read the same file."""
        self.write("moon.xml", MOON % 'timestep="0.002"')
        cameras = [{"name": name, "classpath": "orrery.sensors.clock.Clock", "placement": "worker"} for name in ("one", "two")]
        robot = {"name": "robot", "classpath": "orrery.core.robot.Robot", "objects": cameras}
        scene = self.scene({"physics": "orrery.physics.mujoco.MuJoCo", "import": "moon.xml"}, [robot])
        done = self.orrery("run", "--offline", scene, "--fast", "--ticks", "5")
        self.check(done, 0)
        for words in ("gravity is 0, 0, -1.62 m/s2", "a time step of 0.002 s"):
            self.assertEqual(done.stderr.count(words), 1, done.stderr)

    def check_scene(self, *words, **environment):
        done = self.orrery("check", "-v", self.scene(environment))
        self.check(done, 0, *words)
        return done.stderr

    def test_time_step(self):
        """A time step of the file gives the physics steps of a tick; the key of the scene comes first."""
        self.write("moon.xml", MOON % 'timestep="0.002"')
        said = self.check_scene("60 ticks per second of 9 physics steps each", **{"import": "moon.xml"})
        self.assertIn("moon.xml:2: a time step of 0.002 s", said)
        said = self.check_scene("of 4 physics steps each", physics_substeps=4, **{"import": "moon.xml"})
        self.assertIn("moon.xml:2: its timestep is left out", said)
        self.check_scene("100 ticks per second of 5 physics steps each", frequency=100, **{"import": "moon.xml"})
        self.write("moon.xml", MOON % "")
        self.check_scene("of 2 physics steps each", **{"import": "moon.xml"})
        self.write("moon.xml", MOON % 'timestep="1e-6"')
        self.check(self.orrery("check", self.scene({"import": "moon.xml"})), 65, "moon.xml:2: a time step of 1e-06 s is "
                   "more than 10000 steps of physics per tick; the key 'physics_substeps' of the environment decides")

    def test_files_that_differ(self):
        """Two files with different gravity are an error that names both, unless the scene decides."""
        self.write("moon.xml", MOON % "")
        self.write("mars.xml", (MOON % "").replace("1.62", "3.7").replace('"ball"', '"rock"'))
        self.write("same.xml", (MOON % "").replace('"ball"', '"rock"'))
        for file, keys, status in (("mars.xml", {}, 65), ("same.xml", {}, 0), ("mars.xml", {"gravity": [0, 0, -1]}, 0)):
            scene = self.scene(dict({"import": "moon.xml"}, **keys), [{"name": "rock", "import": {"file": file}}])
            words = ["moon.xml", "mars.xml", "the key 'gravity' of the environment decides"] if status else []
            self.check(self.orrery("check", scene), status, *words)
        self.write("windy.xml", MOON % 'wind="1 0 0"')
        self.write("storm.xml", (MOON % 'wind="9 0 0"').replace('"ball"', '"rock"'))
        scene = self.scene({"import": "windy.xml"}, [{"name": "rock", "import": {"file": "storm.xml"}}])
        self.check(self.orrery("check", scene), 65, "windy.xml", "storm.xml", "wind", "a simulation has one")

    def test_wind(self):
        """Wind blows under MuJoCo; another engine says that it has none."""
        blows = 'density="1.2" viscosity="2e-5" wind="20 0 0"'
        sim = self.load("mujoco.MuJoCo", "moon.xml", MOON % blows)
        sim.step(60)
        self.assertGreater(self.place(sim, "ball")[0], 0.5)
        self.assertAlmostEqual(self.place(sim, "ball")[1], 0, delta=1e-6)
        said = self.check_scene(**{"import": "moon.xml"})
        self.assertIn("moon.xml:2: its wind is left out: orrery.physics.bullet.Bullet", said)
        self.assertIn("moon.xml:2: its density is left out", said)

    def test_exclude(self):
        """A pair that is excluded stays in each other, another one does not, in every engine."""
        for engine in ENGINES:
            sim = self.load(engine, "pairs.xml", PAIRS)
            sim.step(120)
            self.assertGreater(self.place(sim, "b")[0] - self.place(sim, "a")[0], 0.18)
            self.assertAlmostEqual(self.place(sim, "d")[0] - self.place(sim, "c")[0], 0.1, places=9)

    def test_exclude_links(self):
        """Links of one robot, too."""
        for engine in ENGINES:
            for words, moves in (("", True), ('<contact><exclude body1="end" body2="base"/></contact>', False)):
                sim = self.load(engine, "links.xml", LINKS % words)
                sim.step(30)
                angles = sim["base.joints"].data.position
                self.assertEqual(max(abs(angle) for angle in angles) > 0.05, moves, (engine, words))

    def test_rest(self):
        """What has no effect is named with its file and line, each kind once."""
        self.write("more.xml", MORE)
        self.write("unread.xml", UNREAD)
        said = self.check_scene(physics="orrery.physics.mujoco.MuJoCo", **{"import": "unread.xml"})
        for words in ("unread.xml:3: its integrator is left out", "unread.xml:3: its cone is left out",
                      "unread.xml:3: <option> 'solver' is left out", "unread.xml:3: <flag> 'warmstart' is left out",
                      "unread.xml:4: <headlight> is left out", "unread.xml:5: <texture> is left out",
                      "unread.xml:8: <light> is left out", "unread.xml:9: <geom> 'condim' is left out (2 times)",
                      "unread.xml:10: <geom> 'contype' is left out", "unread.xml:10: <geom> 'friction' is left out",
                      "unread.xml:12: <pair> is left out", "unread.xml:14: sensor 2 is left out",
                      "unread.xml:16: <key> is left out", "more.xml:2: <numeric> is left out",
                      "more.xml:3: sensor 0 is left out", "gravity is 0, 0, 0 m/s2"):
            self.assertIn(words, said)
        self.assertNotIn("<flag> 'gravity'", said)
        self.assertNotIn("<material> 'name'", said)

    def test_nothing_to_say(self):
        """A file without options says nothing, and changes nothing."""
        self.write("plain.xml", '<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody></mujoco>')
        self.assertNotIn("left out", self.check_scene("of 2 physics steps each", **{"import": "plain.xml"}))


if __name__ == "__main__":
    tap.main()
