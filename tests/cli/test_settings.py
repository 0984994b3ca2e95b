# SPDX-License-Identifier: BSD-3-Clause
"""`--set PATH=VALUE`: values in place of those of the scene, for runs, checks, batches and from Python."""

import csv
import io
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import SCENE, ProgramCase  # noqa: E402

import tap  # noqa: E402

NOISE = "robot.pose/PoseNoiseModifier#0"


def make_scene():
    scene = json.loads(SCENE)
    scene["objects"].append({"name": "crate", "position": [3, 0, 0.5], "properties": {"Label": "box"},
                             "body": {"type": "static"}, "shapes": [{"kind": "box", "size": [1, 1, 1]}]})
    scene["component_modifier"] = {"robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
    return scene


class Settings(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", json.dumps(make_scene()))

    def hash_of(self, *settings, scene="scene.json", more=()):
        arguments = [word for setting in settings for word in ("--set", setting)]
        done = self.orrery("run", scene, "--fast", "--offline", "--start", "0", "--ticks", "20", "--hash", *arguments, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line for line in done.stdout.splitlines() if line.startswith("hash ")][0]

    def hash_of_scene(self, change):
        """Of a scene whose file says the same."""
        scene = make_scene()
        change(scene)
        self.write("changed.json", json.dumps(scene))
        return self.hash_of(scene="changed.json")

    def assert_refused(self, setting, code, *words):
        done = self.orrery("check", "scene.json", "--set", setting)
        self.assertEqual(done.returncode, code, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_settings_are_what_the_scene_could_say(self):
        def seed(scene):
            scene["environment"]["seed"] = 9

        def frequency(scene):
            scene["environment"]["frequency"] = 50

        def rate(scene):
            scene["objects"][0]["objects"][0]["frequency"] = 10

        def place(scene):
            scene["objects"][0]["position"] = [1, 2, 0.5]

        def noise(scene):
            scene["component_modifier"]["robot.pose"][0][1]["pos_std"] = 0.5

        plain = self.hash_of()
        self.assertEqual(plain, self.hash_of("seed=7"))
        for setting, change in (("seed=9", seed), ("simulation.seed=9", seed), ("simulation.frequency=50", frequency),
                                ("robot.pose.frequency=10", rate), ("robot.position=[1, 2, 0.5]", place),
                                (NOISE + ".pos_std=0.5", noise)):
            with self.subTest(setting):
                changed = self.hash_of(setting)
                self.assertEqual(changed, self.hash_of_scene(change))
                self.assertNotEqual(changed, plain)

    def test_several_and_the_last_of_one(self):
        self.assertEqual(self.hash_of("seed=1", "robot.position=[1, 0, 0]", "seed=9"),
                         self.hash_of("robot.position=[1, 0, 0]", "seed=9"))
        self.assertEqual(self.hash_of("seed=9", more=["--seed", "3"]), self.hash_of("seed=3"))

    def test_a_scene_without_an_environment(self):
        scene = make_scene()
        del scene["environment"]
        self.write("bare.json", json.dumps(scene))
        self.assertNotEqual(self.hash_of("seed=5", scene="bare.json"), self.hash_of("seed=6", scene="bare.json"))

    def test_in_a_worker(self):
        scene = make_scene()
        scene["objects"][0]["objects"][0]["placement"] = "worker"
        self.write("worker.json", json.dumps(scene))
        self.assertEqual(self.hash_of("robot.position=[1, 2, 0]", scene="worker.json"),
                         self.hash_of("robot.position=[1, 2, 0]"))

    def test_unknown_paths_name_the_nearest(self):
        self.assert_refused("robot.pse.frequency=5", 65, "--set robot.pse.frequency",
                            "no part or object is named 'robot.pse'; did you mean robot.pose")
        self.assert_refused("robot.pose/Noise#0.pos_std=5", 65, "named 'robot.pose/Noise#0'; there is: " + NOISE)
        self.assert_refused("simulation.frequncy=5", 65, "did you mean frequency")
        self.assert_refused("crate.Lable=5", 65, "crate has no 'Lable'; did you mean Label")
        self.assert_refused("robot.nothing=5", 65, "robot has no 'nothing'")
        self.assert_refused("robot.pose.positon=5", 65, "did you mean position")
        self.assert_refused(NOISE + ".pos_stdd=1", 65, "did you mean pos_std")
        self.assert_refused("robot.pose/PoseNoiseModifier#1.pos_std=1", 65, "did you mean", NOISE)

    def test_wrong_values_are_refused_as_in_the_scene(self):
        self.assert_refused("seed=-1", 65, "'seed' is -1")
        self.assert_refused("simulation.gravity=[1, 2]", 65, "'gravity' is [1, 2], not a list of three finite numbers")
        self.assert_refused("simulation.frequency=1e99", 65, "out of range")
        self.assert_refused('robot.pose.frequency="x"', 65, "is a text, not a number")
        self.assert_refused('crate.body={"mass": -3}', 65, "'mass' is -3, out of range")
        self.assert_refused('crate.size=[0, 1, 1]', 65, "a size above 0")
        self.assert_refused(NOISE + '.pos_std="much"', 65, "pos_std")

    def test_what_is_no_setting_is_wrong_usage(self):
        for setting, words in (("seed", "has no value"), ("fast", "PATH=VALUE"), ("=3", "is no path"), ("a=3", "is no path"),
                               (".a=3", "is no path"), ("a.=3", "is no path"), ("crate.Label=", "a value is expected"),
                               ("crate.Label=[1", "the text ends"), ("crate.Label=1 2", "crate.Label:1:3"),
                               ("crate.Label=box", "a text has quotes: --set 'crate.Label=\"box\"'"),
                               ("crate.Label=" + "[" * 5000, "more than 200 lists")):
            with self.subTest(setting[:40]):
                self.assert_refused(setting, 64, words)
                self.assertEqual(self.orrery("run", "scene.json", "--ticks", "1", "--set", setting).returncode, 64)
                self.assertEqual(self.orrery("batch", "scene.json", "--runs", "1", "--ticks", "1", "--out", "runs",
                                             "--set", setting).returncode, 64)

    def test_batches(self):
        words = ["batch", "scene.json", "--runs", "2", "--ticks", "20", "--out", "runs", "--set"]
        done = self.orrery(*words, NOISE + ".pos_std=0.5")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("runs/run-00001/result.json"), encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual("hash " + result["hash"], self.hash_of(NOISE + ".pos_std=0.5", "seed=1"))
        done = self.orrery(*words, NOISE + ".pos_std=0.6")
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertIn("pos_std=0.5' where this command has 'set " + NOISE + ".pos_std=0.6'", done.stderr)

    def test_from_python(self):
        self.write("load.py", """
import orrery
from gi.repository import GLib

with orrery.load("scene.json", set={"robot.position": [1, 2, 0.5], "seed": 9}, start=0.0, offline=True, on_demand=True,
                 hash=True, pacing=orrery.Pacing.FAST) as simulation:
    simulation.step(20)
    print("hash %016x" % simulation.hash)
for bad in ([1], {"robot.psition": 1}, {"crate.Label": float("nan"), "x": 3}):
    try:
        orrery.load("scene.json", set=bad, offline=True)
        print("taken", bad)
    except (TypeError, GLib.Error) as error:
        print(error)
batch = orrery.batch("scene.json", seeds=[9], ticks=20, workers=1, set={"robot.position": [1, 2, 0.5]})
print(batch.errors, batch["robot.pose"].x[0][0] > 0.5)
""")
        done = self.orrery("python", "load.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0], self.hash_of("robot.position=[1, 2, 0.5]", "seed=9"))
        self.assertIn("a dictionary of paths", lines[1])
        self.assertIn("position", lines[2])
        self.assertIn("is no path", lines[3])
        self.assertEqual(lines[4], "{} True")


DRAWN = {
    "orrery": 1,
    "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [1, 2, 3], "objects": [
        {"name": "near", "classpath": "orrery.sensors.proximity.Proximity"},
        {"name": "pose", "classpath": "orrery.sensors.pose.Pose"}]}],
    "randomisation": [
        {"path": "robot.position", "operation": "scale", "distribution": "uniform(1, 2)"},
        {"path": "robot.near.Range", "operation": "scale", "distribution": "uniform(2, 3)", "every_ticks": 3}],
}


# What changes while the scene runs: drawn at the start of an episode, and at ticks.
BALL = {"name": "ball", "position": [0, 0, 50], "body": {"type": "rigid", "mass": 2, "damping": [0.2, 0]},
        "shapes": [{"kind": "sphere", "radius": 0.2}]}
RUNNING = {
    "orrery": 1,
    "environment": {"frequency": 60, "start": 0, "physics": "orrery.physics.bullet.Bullet"},
    "objects": DRAWN["objects"] + [BALL],
    "randomisation": [
        {"path": "ball.mass", "distribution": "uniform(1, 8)"},
        {"path": "robot.friction", "operation": "scale", "distribution": "uniform(0.5, 1)", "every_ticks": 7},
        {"path": "gravity[2]", "distribution": "uniform(-12, -6)", "every_ticks": 5},
        {"path": "wind", "distribution": "choice([[3, 0, 0], [0, 3, 0], [1, 1, 1]])", "every": 0.1}],
}
RECORDED = """
import sys
import orrery

with orrery.load("scene.json", pacing=orrery.Pacing.FAST, listen=False, hash=True) as simulation:
    simulation.record("0.mcap")
    simulation.set("ball.mass", 20)
    simulation.step(9)
    assert simulation.get("ball.mass") == 20, simulation.get("ball.mass")
    simulation.set("gravity", (1, 0, -3))
    simulation.step(1)
    assert simulation.get("gravity") == [1, 0, -3]
    # Just before it is drawn: what is said counts more.
    simulation.set("gravity", (2, 0, -2))
    simulation.step(1)
    assert simulation.get("gravity") == [2, 0, -2], simulation.get("gravity")
    simulation.step(60)
    assert simulation.get("gravity")[:2] == [2, 0] and -12 <= simulation.get("gravity")[2] <= -6
    print("hash %016x" % simulation.hash)
    drawn = [simulation.report["randomisation"]["ball.mass"]]
    # The next episode has a file of its own.
    simulation.reset()
    simulation.step(2)
    drawn.append(simulation.report["randomisation"]["ball.mass"])
print(*drawn)
"""


LOOKS = """
import json
import orrery

sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)
for _ in range(6):
    for ticks in 1, 20:
        sim.step(ticks)
        print(json.dumps({name: sim.get(name) for name in ("box.color", "lamp.light_color", "lamp.energy")}))
    sim.reset()
"""


class Randomisation(ProgramCase):
    def test_replay(self):
        """What is drawn while the scene runs is no input: a replay draws it again, once."""
        self.write("scene.json", json.dumps(RUNNING))
        self.write("program.py", RECORDED)
        done = self.orrery("python", "program.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        hash_line, drawn = done.stdout.splitlines()
        told = []
        for name in sorted((name for name in os.listdir(self.directory) if name.endswith(".mcap")), key=len):
            log = self.orrery("recording", "cat", name, "--topic", "/orrery/log").stdout
            told.extend(json.loads(line)["data"] for line in log.splitlines() if "Episode" in line)
        self.assertEqual([row["name"] for row in told], ["simulation"] * 2)
        for i, (row, mass) in enumerate(zip(told, drawn.split())):
            self.assertRegex(row["message"], "^Episode %d: ball.mass = %s[0-9]*, robot.friction = 0.*wind = " % (i, mass[:9]))
        done = self.orrery("recording", "cat", "0.mcap", "--topic", "/orrery/inputs")
        self.assertEqual(done.returncode, 0, done.stderr)
        inputs = [json.loads(line)["data"] for line in done.stdout.splitlines()]
        self.assertEqual({row["kind"] for row in inputs}, {"call"})
        self.assertEqual([row["arguments"][0] for row in inputs if row["service"] == "set"], ["ball.mass", "gravity", "gravity"])
        done = self.orrery("replay", "0.mcap", "--hash")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the run goes as it went", done.stdout)
        self.assertIn(hash_line, done.stdout)
        done = self.orrery("replay", "0.mcap", "--from", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the run goes as it went", done.stdout)

    def test_looks(self):
        """Colours and lamps vary with any engine, and a replay draws them again."""
        rows = [{"path": "box.color", "distribution": "choice([[1, 0, 0], [0, 1, 0], [0, 0, 1]])"},
                {"path": "lamp.light_color[2]", "distribution": "uniform(0, 1)"},
                {"path": "lamp.energy", "operation": "scale", "distribution": "uniform(0.5, 2)", "every": 0.25}]
        box = {"name": "box", "shapes": [{"kind": "box", "size": [1, 1, 1], "color": [0.2, 0.4, 0.6]}]}
        lamp = {"name": "lamp", "position": [0, 0, 5], "lamp": {"kind": "point", "energy": 3}}
        scene = {"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic", "seed": 3},
                 "randomisation": rows, "objects": [box, lamp]}
        self.write("scene.json", json.dumps(scene))
        self.write("program.py", LOOKS)
        done = self.orrery("python", "program.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(drawn), 12)
        self.assertEqual(done.stdout, self.orrery("python", "program.py").stdout)
        for first, later in zip(drawn[::2], drawn[1::2]):
            self.assertIn(first["box.color"], ([1, 0, 0], [0, 1, 0], [0, 0, 1]))
            self.assertEqual(first["lamp.light_color"][:2], [1, 1])
            for name in "box.color", "lamp.light_color":
                self.assertEqual(first[name], later[name])
            self.assertTrue(all(1.5 <= each["lamp.energy"] <= 6 for each in (first, later)))
            self.assertNotEqual(first["lamp.energy"], later["lamp.energy"])
        self.assertEqual(len({tuple(each["lamp.light_color"]) for each in drawn}), 6)
        self.assertGreater(len({tuple(each["box.color"]) for each in drawn}), 1)
        for command in (["run", "scene.json", "--for", "1", "--fast", "--hash", "--record", "run.mcap"], ["replay", "run.mcap", "--hash"]):
            done = self.orrery(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the run goes as it went", done.stdout)
        rows[2]["path"] = "box.energy"
        self.write("wrong.json", json.dumps(scene))
        self.check(self.orrery("check", "wrong.json"), 65, "'box.energy' cannot vary: 'box' has no lamp")

    def test_spawned(self):
        """Each that is spawned has a value of its own; a replay draws it again, from a state, too."""
        scene = dict(RUNNING, randomisation=[{"path": "stone.mass", "distribution": "uniform(1, 8)"}],
                     spawnables=[{"count": 3, "object": dict(BALL, name="stone")}])
        self.write("scene.json", json.dumps(scene))
        self.write("program.py", """
import orrery

with orrery.load("scene.json", pacing=orrery.Pacing.FAST, listen=False, hash=True) as simulation:
    simulation.record("run.mcap")
    for i in range(3):
        simulation.spawn("stone", (10 * i, 0, 50))
        simulation.step(70)
    print(*(simulation.get("stone.%d.mass" % i) for i in (1, 2, 3)))
    print("hash %016x" % simulation.hash)
""")
        done = self.orrery("python", "program.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        masses, hash_line = done.stdout.splitlines()
        masses = [float(mass) for mass in masses.split()]
        self.assertTrue(all(1 <= mass <= 8 for mass in masses), masses)
        self.assertEqual(len(set(masses)), 3)
        for more in ["--hash"], ["--from", "1.5", "--hash"]:
            done = self.orrery("replay", "run.mcap", *more)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("the run goes as it went", done.stdout)
            self.assertIn(hash_line, done.stdout)

    def test_running_world(self):
        """Masses and gravity are in the table of a batch, and any order of the runs draws the same."""
        self.write("scene.json", json.dumps(RUNNING))
        tables = []
        for directory, words in ("one", ["-j", "1"]), ("two", ["-j", "2", "--block", "3"]):
            done = self.orrery("batch", "scene.json", "--runs", "6", *words, "--ticks", "20", "--out", directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path(directory + "/results.csv"), encoding="utf-8", newline="") as file:
                tables.append(file.read())
        self.assertEqual(tables[0], tables[1])
        rows = list(csv.DictReader(io.StringIO(tables[0])))
        self.assertEqual(len({row["ball.mass"] for row in rows}), 6)
        self.assertTrue(all(1 <= float(row["ball.mass"]) <= 8 and -12 <= float(row["gravity[2]"]) <= -6 for row in rows))
        self.assertTrue(all(len(json.loads(row["wind"])) == 3 for row in rows))
        self.assertEqual(len({row["hash"] for row in rows}), 6)

    def test_workers(self):
        sensor = {"name": "near", "classpath": "orrery.sensors.proximity.Proximity"}
        scene = {"orrery": 1, "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [sensor]}],
                 "randomisation": [{"path": "robot.near.range", "distribution": "uniform(2, 3)"}]}
        for placement, code in ("host", 0), ("worker", 65):
            sensor["placement"] = placement
            self.write("scene.json", json.dumps(scene))
            done = self.orrery("run", "scene.json", "--fast", "--offline", "--ticks", "1")
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("robot.near runs in a worker: its properties cannot vary" in done.stderr, code != 0)


    def test_batches(self):
        """results.csv has what each run has drawn, and another order of the runs changes nothing."""
        self.write("scene.json", json.dumps(DRAWN))
        tables = []
        for directory, jobs in ("one", "1"), ("two", "3"):
            done = self.orrery("batch", "scene.json", "--runs", "9", "-j", jobs, "--ticks", "8", "--out", directory,
                               "--sweep", "robot.near.Range=[10, 20]")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(self.path(directory + "/results.csv"), encoding="utf-8", newline="") as file:
                tables.append(file.read())
        self.assertEqual(tables[0], tables[1])
        rows = list(csv.DictReader(io.StringIO(tables[0])))
        self.assertEqual(list(rows[0])[:5], ["run", "robot.near.Range", "robot.position", "robot.near.Range (drawn)", "seed"])
        for row in rows:
            with open(self.path("one/run-%05d/result.json" % int(row["run"])), encoding="utf-8") as file:
                drawn = json.load(file)["randomisation"]
            self.assertEqual(json.loads(row["robot.position"]), drawn["robot.position"])
            self.assertEqual(float(row["robot.near.Range (drawn)"]), drawn["robot.near.Range"])
            self.assertTrue(2 <= drawn["robot.near.Range"] / float(row["robot.near.Range"]) <= 3)
        self.assertEqual(len({row["robot.near.Range (drawn)"] for row in rows}), 18)

    def test_any_number_of_workers(self):
        self.write("scene.json", json.dumps(DRAWN))
        self.write("load.py", """
import numpy
import orrery

one, two = (orrery.batch("scene.json", seeds=[3, 4, 5, 6], ticks=20, workers=workers)["robot.pose"].x for workers in (1, 2))
print(numpy.array_equal(one, two), len(set(one[:, -1].tolist())) > 1)
""")
        done = self.orrery("python", "load.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.split(), ["True", "True"])

    def test_scripts(self):
        """What is wrong is told at the line of the script."""
        lines = ["from orrery.builder import *", "robot = ATRV()", "near = Proximity()", "robot.append(near)",
                 "env = Environment('empty')", "env.randomise('robot.near.Range', 'uniform(2, 3)', 'scale', every=0.5)",
                 "env.randomise('robot.mass', 'uniform(10, 20)'); env.randomise('gravity[2]', 'normal(-9.8, 0.1)', every=1)"]
        self.write("scene.py", "\n".join(lines) + "\n")
        done = self.orrery("check", "scene.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line, words in (("env.randomise('robot.near.Rang', 'uniform(2, 3)')", "did you mean Range"),
                            ("env.randomise('robot.near.Track[1]', 'uniform(2, 3)')", "and no list"),
                            ("env.randomise('robot.friction', 'uniform(-2, 3)')", "friction is from 0"),
                            ("env.randomise('robot.near.mass', 'uniform(2, 3)')", "no body"),
                            ("env.randomise('gravity', 'uniform(2, 3)')", "varies already, as 'gravity[2]'"),
                            ("env.randomise('robot.position', 'unifrm(2, 3)')", "is no distribution"),
                            ("env.randomise('robot.near.Range', 'uniform(2, 3)', 'scal')", "no 'scal'"),
                            ("env.randomise('robot.near.Range', 'uniform(2, 3)', every=0)", "above 0"),
                            ("env.randomise('robot.near.Range', 'uniform(2, 3)', every=float('nan'))", "every"),
                            ("env.randomise('robot.near.Range', 'uniform(2, 3)', every_ticks=1.5)", "a whole number"),
                            ("env.randomise('robot.near.Range', 'uniform(2, 3)', every=1, every_ticks=1)", "either"),
                            ("env.randomise('', 'uniform(2, 3)')", "want a text")):
            with self.subTest(line):
                self.write("scene.py", "\n".join(lines + ["", line]) + "\n")
                done = self.orrery("check", "scene.py")
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("scene.py:%d" % (len(lines) + 2), done.stderr)
                self.assertIn(words, done.stderr)


if __name__ == "__main__":
    tap.main()
