# SPDX-License-Identifier: BSD-3-Clause
"""`--set PATH[I]=VALUE`: one member of a list, for runs, checks, batches, replays and from Python."""

import csv
import html
import json
import os
import re
import shlex
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import BUILD, ProgramCase  # noqa: E402

import tap  # noqa: E402

PLUGINS = os.path.join(BUILD, "tests/plugins/tree")
HAS_MUJOCO = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics/mujoco.so"))
NOISE = "robot.pose/PoseNoiseModifier#0"
BOX = {"kind": "box", "size": [1, 1, 1]}
RIGID = {"type": "rigid", "mass": 1}

# Prints, as a line for each request, what settings make of a value.
PROGRAM = """
import json
import sys
import orrery

def tell(simulation, name, what):
    if name == "simulation":
        return simulation.get(what)
    part = simulation.find_part(name)
    value = part.get_option(what) if part is not None else None
    if value is not None:
        return value.unpack()
    found = simulation.get_world().find_object(name)
    pose = found.get_start()
    if what == "position":
        return [pose.position.x, pose.position.y, pose.position.z]
    if what == "rotation":
        return list(pose.rotation.to_euler())
    if what == "size":
        size = found.get_shapes()[0].get_size()
        return [2 * size.x, 2 * size.y, 2 * size.z]
    value = found.get_value(what)
    return value.unpack() if value is not None else None

for line in open(sys.argv[1], encoding="utf-8"):
    scene, settings, name, what = json.loads(line)
    with orrery.load(scene, settings=settings, offline=True, start=0.0, plugin_dirs=sys.argv[2:]) as simulation:
        print(json.dumps(tell(simulation, name, what)))
"""


def make_scene(placement="host", **environment):
    taker = {"name": "taker", "classpath": "probe.sensors.Taker"}
    return {
        "orrery": 1,
        "environment": dict({"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 7}, **environment),
        "objects": [
            {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [4, 5, 6], "properties": {"Spots": [1, 2, 3]},
             "objects": [{"name": "pose", "classpath": "orrery.sensors.pose.Pose", "placement": placement}, taker,
                         dict(taker, name="own", properties={"weights": [7, 8]})]},
            {"name": "crate", "position": [3, 0, 0.5], "rotation": [0.1, 0.2, 0.3], "shapes": [BOX],
             "properties": {"Label": "box", "Corners": [[1, 2], [3, 4]]}}],
        "component_modifier": {"robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]},
    }


class MembersCase(ProgramCase):
    def setUp(self):
        super().setUp()
        os.makedirs(self.path("plugins/acme"))
        self.write("scene.json", json.dumps(make_scene()))

    def tell(self, *asked, scene="scene.json"):
        """What settings make of values: rows of settings, a name and one of its values."""
        self.write("tell.py", PROGRAM)
        self.write("asked", "".join(json.dumps([scene, *row]) + "\n" for row in asked))
        done = self.orrery("python", "tell.py", "asked", PLUGINS, self.path("plugins"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def assert_told(self, *rows, scene="scene.json"):
        told = self.tell(*(row[:3] for row in rows), scene=scene)
        self.assertEqual(len(told), len(rows))
        for (settings, name, what, expected), value in zip(rows, told):
            with self.subTest(settings):
                if what == "rotation":
                    self.assertEqual([round(each, 9) for each in value], expected)
                else:
                    self.assertEqual(value, expected, "%s.%s" % (name, what))

    def refused(self, code, settings, *words, scene="scene.json"):
        arguments = [word for each in settings for word in ("--set", each)]
        done = self.orrery("check", scene, "--plugin-dir", PLUGINS, *arguments)
        self.check(done, code, *words)
        self.assertEqual(done.stderr.count(words[0]), 1, done.stderr)

    def hash_of(self, *settings, scene="scene.json", seed="0"):
        arguments = [word for setting in settings for word in ("--set", setting)]
        done = self.orrery("run", scene, "--plugin-dir", PLUGINS, "--fast", "--offline", "--start", "0", "--ticks", "20", "--hash",
                           "--seed", seed, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split("hash ")[1].split()[0]


class Settings(MembersCase):
    def test_the_others_stay(self):
        """Lists of the scene, of the class of a part, of the engine and of objects."""
        self.assert_told(
            (["robot.taker.weights[1]=20"], "robot.taker", "weights", [1, 20, 3]),
            (["robot.taker.weights[0]=10", "robot.taker.weights[2]=30"], "robot.taker", "weights", [10, 2, 30]),
            (["robot.own.weights[1]=20"], "robot.own", "weights", [7, 20]),
            (['robot.taker.weights[0]={"a": [1]}'], "robot.taker", "weights", [{"a": [1]}, 2, 3]),
            (["crate.position[2]=9"], "crate", "position", [3, 0, 9]),
            (["crate.rotation[2]=1"], "crate", "rotation", [0.1, 0.2, 1]),
            (["crate.size[1]=4"], "crate", "size", [1, 4, 1]),
            (["crate.size[1]=4", "crate.size[0]=2"], "crate", "size", [2, 4, 1]),
            # That of a cube of 2 m.
            (["crate.scale[2]=1"], "crate", "size", [1, 1, 2]),
            (["crate.Corners[1]=[5]"], "crate", "Corners", [[1, 2], [5]]),
            (["robot.Spots[0]=-1"], "robot", "Spots", [-1, 2, 3]),
            # The class adds 0.1 m, as to the position of the scene.
            (["robot.position[0]=1"], "robot", "position", [1, 5, 6.1]),
            (["gravity[2]=-1"], "simulation", "gravity", [0, 0, -1]),
            (["simulation.gravity[0]=3", "gravity[1]=2"], "simulation", "gravity", [3, 2, -9.81]))
        self.write("scene.json", json.dumps(make_scene(gravity=[1, 2, 3])))
        self.assert_told((["gravity[2]=-1"], "simulation", "gravity", [1, 2, -1]))

    def test_order(self):
        """A list replaces what was set of its members, and a member changes the list that was set."""
        path = "robot.taker.weights"
        self.assert_told(
            ([path + "[0]=9", path + "=[4, 5]"], "robot.taker", "weights", [4, 5]),
            ([path + "=[4, 5]", path + "[0]=9"], "robot.taker", "weights", [9, 5]),
            ([path + "[1]=8", path + "=[4, 5]", path + "[0]=9"], "robot.taker", "weights", [9, 5]),
            ([path + "[0]=9", path + "[0]=6"], "robot.taker", "weights", [6, 2, 3]),
            ([path + "=[4, 5]", path + "[0]=9", path + "[00]=6"], "robot.taker", "weights", [6, 5]),
            (["gravity[0]=1", "simulation.gravity=[0, 0, 0]", "gravity[1]=2"], "simulation", "gravity", [0, 2, 0]),
            (["crate.position[0]=1", "crate.position=[7, 7, 7]", "crate.position[1]=2"], "crate", "position", [7, 2, 7]))

    def test_runs_are_those_of_whole_lists(self):
        for member, whole in (("robot.position[0]=1", "robot.position=[1, 5, 6]"), ("robot.rotation[2]=1", "robot.rotation=[0, 0, 1]")):
            with self.subTest(member):
                self.assertEqual(self.hash_of(member), self.hash_of(whole))
                self.assertNotEqual(self.hash_of(member), self.hash_of())
        self.write("worker.json", json.dumps(make_scene("worker")))
        self.assertEqual(self.hash_of("robot.position[0]=1"), self.hash_of("robot.position[0]=1", scene="worker.json"))

    @unittest.skipUnless(HAS_MUJOCO, "MuJoCo is not built")
    def test_engines(self):
        """A list that only the engine has; the default of MuJoCo is no wind."""
        self.write("mujoco.json", json.dumps(make_scene(physics="orrery.physics.mujoco.MuJoCo")))
        self.assert_told((["physics.wind[1]=2"], "physics", "wind", [0, 2, 0]), scene="mujoco.json")
        self.refused(65, ["physics.wind[3]=2"], "--set physics.wind[3]:1:1: physics: 'wind' has 3 members", scene="mujoco.json")
        self.refused(65, ['physics.wind[2]="x"'], "--set physics.wind[2]:1:1: physics: property 'wind'", scene="mujoco.json")

    def test_imported_gravity(self):
        """That of a file counts less than what is set, and its other members stay."""
        self.write("arm.xml", '<mujoco><option gravity="1 2 -3"/><worldbody><body name="arm"><freejoint/>'
                              '<geom type="sphere" size="0.1"/></body></worldbody></mujoco>')
        self.write("arm.json", json.dumps({"orrery": 1, "objects": [{"name": "arm", "import": {"file": "arm.xml"}}]}))
        self.assert_told(([], "simulation", "gravity", [1, 2, -3]), (["gravity[1]=5"], "simulation", "gravity", [1, 5, -3]),
                         (["gravity=[0, 0, -1]"], "simulation", "gravity", [0, 0, -1]),
                         (["gravity=[0, 0, -1]", "gravity[0]=4"], "simulation", "gravity", [4, 0, -1]), scene="arm.json")

    def test_modifiers(self):
        """Options of the config."""
        scene = make_scene()
        scene["component_modifier"]["robot.pose"][0][1]["pos_std"] = [0.1, 0.2]
        self.write("scene.json", json.dumps(scene))
        self.refused(65, [NOISE + ".pos_std[1]=3"], "--set %s.pos_std[1]:1:1: %s: " % (NOISE, NOISE), "pos_std")
        self.refused(65, [NOISE + ".pos_std[2]=3"], "'pos_std' has 2 members, [0] and so on: it has no [2]")

    def test_streams(self):
        """The default of a codec, and what the config says in place of it."""
        motors = "robot.motion/Motors#0.outputs"
        for options, expected in (({}, "[99, 1, 4, 2]"), ({"outputs": [4, 3, 2, 1]}, "[99, 3, 2, 1]")):
            with self.subTest(options):
                robot = {"name": "robot", "classpath": "orrery.robots.quadrotor_dynamic.Quadrotor", "objects": [
                    {"name": "motion", "classpath": "orrery.actuators.quadrotor_dynamic_control.QuadrotorDynamicControl"}]}
                self.write("scene.json", json.dumps({"orrery": 1, "objects": [robot], "component_datastream": {
                    "robot.motion": [["orrery.middleware.sitl.Px4", "orrery.middleware.sitl.Motors", options]]}}))
                self.check(self.orrery("check", "scene.json", "--set", motors + "[0]=9"), 0)
                self.refused(65, [motors + "[0]=99"], "outputs is a list of 4 integers from 1 to 32, not " + expected)
                self.refused(65, [motors + "[4]=1"], "'outputs' has 4 members", "--set robot.motion/Motors#0.outputs[4]:1:1")
        self.refused(65, ["robot.motion/Motors#0.outptus[0]=9"],
                     "a stream of orrery.middleware.sitl.Px4 with orrery.middleware.sitl.Motors has no option 'outptus'; did you mean outputs")

    def test_what_is_no_member(self):
        for setting, words in (
            ("robot.taker.weights[3]=1", "robot.taker: 'weights' has 3 members, [0] and so on: it has no [3]"),
            ("robot.own.weights[2]=1", "'weights' has 2 members, [0] and so on: it has no [2]"),
            ("robot.taker.first[0]=1", "robot.taker: 'first' is '', and no list: it has no [0]; leave the index out"),
            ("robot.taker.nothing[0]=1", "robot.taker has no 'nothing'"),
            ("robot.tker.weights[0]=1", "no part or object is named 'robot.tker'; did you mean robot.taker"),
            ("robot.pose.frequency[0]=1", "'frequency' is no list here: it has no [0]; leave the index out"),
            ("robot.pose.classpath[0]=1", "'classpath' is no list here: it has no [0]"),
            ("robot.nothing[0]=1", "robot has no 'nothing'"),
            ("robot.Spots[3]=1", "'Spots' has 3 members"),
            (NOISE + ".pos_std[0]=1", "'pos_std' is 0.05"),
            (NOISE + ".pos_stdd[0]=1", "did you mean pos_std"),
            ("crate.position[3]=1", "'position' has 3 members, [0] and so on: it has no [3]"),
            ("crate.size[3]=1", "'size' has 3 members"),
            ("crate.body[0]=1", "'body' is no list here"),
            ("crate.visible[0]=1", "'visible' is no list here"),
            ("crate.Label[0]=1", "'Label' is 'box', and no list"),
            ("crate.Corners[2]=1", "'Corners' has 2 members"),
            ("crate.Crners[0]=1", "crate has no 'Crners'; did you mean Corners"),
            ("gravity[3]=1", "'gravity' has 3 members, [0] and so on: it has no [3]"),
            ("simulation.frequency[0]=1", "'frequency' is no list here"),
            ("simulation.changes[0]=1", "'changes' is no list here"),
            ("simulation.frequncy[0]=1", "did you mean frequency"),
            ("seed[0]=1", "'seed' is no list here"),
            ("physics.nothing[0]=1", "has no property 'nothing'"),
        ):
            with self.subTest(setting):
                self.refused(65, [setting], words, "--set " + setting.split("=")[0])
        self.refused(65, ["robot.taker.weights=[1]", "robot.taker.weights[1]=2"], "--set robot.taker.weights[1]: 'weights' has 1 members")
        self.refused(65, ["robot.taker.weights=1", "robot.taker.weights[0]=2"], "--set robot.taker.weights[0]: 'weights' is 1, and no list")

    def test_members_of_the_wrong_type(self):
        for setting, words in (("crate.position[2]=true", "'position'"), ('gravity[0]="x"', "'gravity'"), ("crate.size[0]=0", "a size above 0"),
                               ("robot.position[1]=[1]", "'position'"), ("crate.rotation[0]=null", "'rotation'")):
            with self.subTest(setting):
                self.refused(65, [setting], words, "--set " + setting.split("=")[0])

    def test_what_is_no_index(self):
        for path in ("robot.taker.weights[", "robot.taker.weights[]", "robot.taker.weights[-1]", "robot.taker.weights[1", "crate.position[x]",
                     "robot.taker.weights[10000]", "robot.taker.weights[1][2]", "robot.taker.weights[ 1]", "robot.taker.weights[1]x",
                     "gravity[99999999999999999999]"):
            with self.subTest(path):
                self.refused(64, [path + "=1"], "--set: '%s': an index is a whole number from 0 to 9999, as in PART.PROPERTY[0]" % path)
        for path in ("[0]", "robot.[0]", "weights[0]", ".a[0]"):
            with self.subTest(path):
                self.refused(64, [path + "=1"], "--set: '%s' is no path; there are PART.PROPERTY, PART.PROPERTY[0] for a member" % path)


GAIN = """
import orrery

@orrery.plugin
class Gain(orrery.Sensor):
    gains = orrery.option(None)
    first = orrery.field(float)
    second = orrery.field(float)
    given = orrery.field(float)

    def setup(self, setup):
        self.told = setup.get_options().unpack().get("gains", [0, -1])[1]

    def sense(self, tick, record):
        record.first, record.second = list(self.gains)[:2]
        record.given = self.told

@orrery.plugin
class Script(orrery.Script):
    gains = orrery.option(None)

    def setup(self, setup):
        self.log(orrery.LogLevel.WARNING, "script %s %s" % (setup.get_options().unpack()["gains"], list(self.gains)))
"""
PRESET = {"summary": "A gain", "classes": {"Preset": {"base": "acme.gain.Gain", "properties": {"gains": [1, 2, 3]}}}}
# Prints what the sensor says after a tick.
STEPS = """
import json
import sys
import orrery

for line in open("asked", encoding="utf-8"):
    with orrery.load("scene.json", set=json.loads(line), offline=True, start=0.0, plugin_dirs=["plugins"]) as simulation:
        simulation.step(2)
        data = simulation["robot.gain"].data
        print(json.dumps([data.first, data.second, data.given]))
"""


class Parts(MembersCase):
    """Classes in Python, whose list a JSON class has: the scene says nothing of it."""

    def setUp(self):
        super().setUp()
        self.write("plugins/acme/gain.py", GAIN)
        self.write("plugins/acme/preset.json", json.dumps(PRESET))

    def scene(self, placement="host", scripts=(), **keys):
        robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "scripts": list(scripts), "objects": [
            dict(keys, name="gain", classpath="acme.preset.Preset", placement=placement)]}
        self.write("scene.json", json.dumps({"orrery": 1, "environment": {"seed": 1, "start": 0}, "objects": [robot]}))

    def sensed(self, *settings):
        self.write("steps.py", STEPS)
        self.write("asked", "".join(json.dumps(each) + "\n" for each in settings))
        done = self.orrery("python", "steps.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_in_the_host_and_in_a_worker(self):
        """The part has the member, and its setup is given the whole list, as if the scene had said it."""
        path = "robot.gain.gains"
        settings = [{}, {path + "[1]": 20}, {path + "[0]": 10, path + "[1]": 20}, {path: [4, 5]}, {path: [4, 5], path + "[1]": 9}]
        for placement in "host", "worker":
            with self.subTest(placement):
                self.scene(placement)
                self.assertEqual(self.sensed(*settings), [[1, 2, -1], [1, 20, 20], [10, 20, 20], [4, 5, 5], [4, 9, 9]])
                self.scene(placement, properties={"gains": [6, 7]})
                self.assertEqual(self.sensed(*settings[:2]), [[6, 7, 7], [6, 20, 20]])

    def test_errors_in_a_worker(self):
        self.scene("worker")
        for setting, words in (("robot.gain.gains[3]=1", "'gains' has 3 members"),
                               ("robot.gain.gain[0]=1", "robot.gain has no 'gain'; did you mean gains")):
            with self.subTest(setting):
                done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "2", "--set", setting)
                self.check(done, 65, words, "--set " + setting.split("=")[0])
                self.assertEqual(done.stderr.count(words), 1, done.stderr)

    def test_scripts(self):
        """Their options are those of the scene; the host and the worker say so."""
        for placement in "host", "worker":
            with self.subTest(placement):
                script = {"classpath": "acme.gain.Script", "type": "child", "placement": placement, "properties": {"gains": [1, 2]}}
                self.scene(scripts=[script])
                done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "2", "--set", "robot/child.gains[1]=5")
                self.check(done, 0)
                self.assertIn("script [1, 5] [1, 5]", done.stderr)

    def test_replays(self):
        """A replay has the settings of its run, and others from a state on."""
        self.scene()
        run = ["run", "scene.json", "--plugin-dir", "plugins", "--fast", "--for", "3", "--record", "run.mcap", "--set", "robot.gain.gains[1]=20"]
        self.check(self.orrery(*run), 0)
        self.check(self.orrery("replay", "run.mcap", "--plugin-dir", "plugins"), 0, "the run goes as it went")
        for more, first, second in ((["--set", "robot.gain.gains[0]=5"], 5, 20),
                                    (["--from", "2", "--set", "robot.gain.gains[0]=5", "--set", "robot.gain.gains[1]=6"], 5, 6)):
            done = self.orrery("replay", "run.mcap", "--plugin-dir", "plugins", *more, "--record", "other.mcap")
            self.assertEqual(done.returncode, 0, done.stderr)
            told = self.orrery("recording", "cat", "other.mcap", "--topic", "/robot/gain").stdout.splitlines()[-1]
            self.assertEqual([json.loads(told)["data"][name] for name in ("first", "second")], [first, second])
            os.remove(self.path("other.mcap"))
        self.check(self.orrery("replay", "run.mcap", "--plugin-dir", "plugins", "--from", "2", "--set", "robot.gain.gains[7]=1"), 65,
                   "--set robot.gain.gains[7]:1:1: 'gains' has 3 members")


class Batches(MembersCase):
    def batch(self, *arguments, out="out"):
        return self.orrery("batch", "scene.json", "--out", out, "--ticks", "20", "--plugin-dir", PLUGINS, *arguments)

    def rows(self, out="out"):
        with open(self.path(out + "/results.csv"), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def test_sweeps_draws_and_cases(self):
        """A column has the path as its name, and a run is that of --set."""
        self.write("cases.csv", "robot.taker.weights[2],seed\n5,3\n6,4\n")
        self.check(self.batch("--cases", "cases.csv", "--sweep", "robot.position[0]=[1,2]", "--draw", "gravity[2]=uniform(-9,-8)",
                              "--metric", "x=robot.pose.x"), 0, "4 runs, 0 failed")
        rows = self.rows()
        self.assertEqual(list(rows[0])[:5], ["run", "robot.taker.weights[2]", "robot.position[0]", "gravity[2]", "seed"])
        self.assertEqual([row["robot.position[0]"] for row in rows], ["1", "2", "1", "2"])
        self.assertEqual([row["robot.taker.weights[2]"] for row in rows], ["5", "5", "6", "6"])
        self.assertTrue(all(-9 <= float(row["gravity[2]"]) <= -8 for row in rows))
        self.assertEqual(len({row["gravity[2]"] for row in rows}), 4)
        for row in rows:
            self.assertAlmostEqual(float(row["x"]), float(row["robot.position[0]"]), delta=0.3)
            self.assertEqual(row["hash"], self.hash_of("robot.position[0]=" + row["robot.position[0]"], seed=row["seed"]))

    def test_a_list_and_its_members(self):
        """Where one varies, the other does not; --set may give the list."""
        member, whole = "crate.position[1]", "crate.position"
        for arguments, words in (
            (["--sweep", member + "=[1]", "--sweep", whole + "=[[1,2,3]]"],
             "--sweep: crate.position has values by --sweep already, as crate.position[1]; a list and its members do not vary together"),
            (["--sweep", whole + "=[[1,2,3]]", "--draw", member + "=uniform(0,1)"], "--draw: crate.position[1] has values by --sweep already"),
            (["--sweep", whole + "=[[1,2,3]]", "--set", member + "=4"], "--sweep: crate.position has values by --set already, as crate.position[1]"),
            (["--sweep", member + "=[1]", "--set", member + "=4"], "--sweep: crate.position[1] has values by --set already"),
            (["--sweep", member + "=[1]", "--draw", "crate.position[01]=uniform(0,1)"], "has values by --sweep already"),
            (["--sweep", "gravity[2]=[1]", "--sweep", "simulation.gravity=[[0,0,0]]"], "already, as gravity[2]"),
            (["--sweep", "crate.position[=[1]"], "--sweep: 'crate.position[': an index is a whole number"),
            (["--draw", "crate.position[x]=uniform(0,1)", "--runs", "2"], "--draw: 'crate.position[x]': an index is a whole number"),
        ):
            with self.subTest(arguments):
                self.check(self.batch(*arguments, out="none"), 64, words)
        self.check(self.batch("--sweep", "crate.position[7]=[1]", out="none"), 65, "'position' has 3 members", "no run was started")
        self.write("cases.csv", "crate.position[],seed\n1,2\n")
        self.check(self.batch("--cases", "cases.csv", out="none"), 64, "--cases: 'crate.position[]': an index is a whole number")
        self.check(self.batch("--set", "robot.position=[9, 9, 9]", "--sweep", "robot.position[0]=[1,2]", "--sweep", "robot.position[1]=[3]"), 0,
                   "2 runs, 0 failed")
        self.assertEqual([row["hash"] for row in self.rows()],
                         [self.hash_of("robot.position=[%d, 3, 9]" % (i + 1), seed=str(i)) for i in range(2)])

    def test_commands_that_repeat_runs(self):
        """That of the report, and those of a job."""
        scene = make_scene()
        scene["objects"][0]["objects"].append({"name": "bad", "classpath": "probe.faults.Faulty",
                                               "properties": {"how": "exit", "where": "sense", "at": 5}})
        self.write("scene.json", json.dumps(scene))
        self.check(self.batch("--sweep", "robot.position[0]=[1]"), 1)
        with open(self.path("out/report.html"), encoding="utf-8") as file:
            command = shlex.split(html.unescape(re.search(r"<code>(.*?)</code>", file.read()).group(1)))
        self.assertEqual(command[0], "orrery")
        self.assertIn("robot.position[0]=1", command)
        done = self.orrery(*command[1:])
        self.assertEqual(done.returncode, 70, done.stderr)
        self.check(self.batch("--slurm", "--sweep", "robot.position[0]=[1]", out="job"), 0)
        with open(self.path("job/job.sh"), encoding="utf-8") as file:
            self.assertIn("'robot.position[0]=[1]'", file.read())

    def test_from_python(self):
        """Dictionaries of orrery.load, orrery.batch and orrery.run_batch."""
        self.write("batch.py", """
import orrery
from gi.repository import GLib

batch = orrery.batch("scene.json", seeds=[1], ticks=5, workers=1, record=["robot.pose"], set={"robot.position[0]": 30}, plugin_dirs=[%r])
print(round(batch["robot.pose"].x[0][0]))
table = orrery.run_batch("scene.json", "out", ticks=5, sweep={"robot.position[0]": [1, 2]}, draw={"gravity[2]": "uniform(0,1)"},
                         set={"robot.position": [8, 9, 10]}, plugin_dirs=[%r], metrics={"y": "robot.pose.y"})
print(table["robot.position[0]"].tolist(), [round(y) for y in table["y"]], table["gravity[2]"].min() >= 0)
try:
    orrery.load("scene.json", set={"robot.position[3]": 1}, plugin_dirs=[%r])
except GLib.Error as error:
    print(error)
""" % (PLUGINS, PLUGINS, PLUGINS))
        done = self.orrery("python", "batch.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:2], ["30", "[1, 2] [9, 9] True"])
        self.assertIn("'position' has 3 members", lines[2])


if __name__ == "__main__":
    tap.main()
