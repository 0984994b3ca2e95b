# SPDX-License-Identifier: BSD-3-Clause
"""`orrery batch --sweep`, `--cases`, `--draw`: what varies from run to run."""

import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import SCENE, ProgramCase  # noqa: E402

import tap  # noqa: E402

NOISE = "robot.pose/PoseNoiseModifier#0.pos_std"


def make_scene():
    scene = json.loads(SCENE)
    scene["objects"].append({"name": "crate", "position": [3, 0, 0.5], "properties": {"Label": "box"},
                             "body": {"type": "static"}, "shapes": [{"kind": "box", "size": [1, 1, 1]}]})
    scene["component_modifier"] = {"robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
    return scene


class Sweep(ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", json.dumps(make_scene()))

    def batch(self, *arguments, out="out"):
        return self.orrery("batch", "scene.json", "--out", out, "--ticks", "5", *arguments)

    def job(self, *arguments, out="job"):
        """What is run for each number: cheap, since Slurm's script runs nothing."""
        self.check(self.batch("--slurm", *arguments, out=out), 0, "sbatch ")
        with open(self.path(out + "/job.sh"), encoding="utf-8") as file:
            return file.read()

    def n_runs(self, *arguments, out="job"):
        return int(self.job(*arguments, out=out).split("--array=0-")[1].split("\n")[0]) + 1

    def hash_of(self, run, out="out"):
        with open(self.path("%s/run-%05d/result.json" % (out, run)), encoding="utf-8") as file:
            return json.load(file)["hash"]

    def alone(self, seed, *settings):
        words = [word for setting in settings for word in ("--set", setting)]
        done = self.orrery("run", "scene.json", "--fast", "--offline", "--start", "0", "--ticks", "5", "--hash",
                           "--seed", str(seed), *words)
        return done.stdout.split("hash ")[1].split()[0]

    def refused(self, code, *arguments, words):
        done = self.batch(*arguments, out="none")
        self.check(done, code, *words)
        self.assertNotIn("0 failed", done.stdout)
        self.assertFalse(os.path.exists(self.path("none/run-00000")))

    # --- sweeps

    def test_the_last_sweep_varies_fastest(self):
        self.check(self.batch("--sweep", NOISE + "=[0,0.25]", "--sweep", "robot.pose.frequency=[60, 30, 20]",
                              "--seed", "4"), 0, "6 runs, 0 failed")
        self.assertEqual(self.hash_of(0), self.alone(4, NOISE + "=0", "robot.pose.frequency=60"))
        self.assertEqual(self.hash_of(1), self.alone(5, NOISE + "=0", "robot.pose.frequency=30"))
        self.assertEqual(self.hash_of(5), self.alone(9, NOISE + "=0.25", "robot.pose.frequency=20"))

    def test_runs_repeat_all_points(self):
        self.check(self.batch("--sweep", NOISE + "=[0.1,0.2]", "--runs", "2"), 0, "4 runs, 0 failed")
        self.assertEqual(self.hash_of(2), self.alone(2, NOISE + "=0.1"))
        self.assertEqual(self.hash_of(3), self.alone(3, NOISE + "=0.2"))
        self.check(self.batch("--sweep", NOISE + "=[0.1,0.2]", "--runs", "3"), 0, "6 runs, 0 failed, 4 were there")

    def test_seeds_are_a_path(self):
        self.check(self.batch("--sweep", NOISE + "=[0.1,0.2]", "--sweep", "seed=[7, 9]"), 0, "4 runs, 0 failed")
        self.assertEqual(self.hash_of(1), self.alone(9, NOISE + "=0.1"))
        self.assertEqual(self.hash_of(2), self.alone(7, NOISE + "=0.2"))

    def test_ranges(self):
        self.assertEqual(self.n_runs("--sweep", "seed=range(0,100)", out="a"), 100)
        self.assertEqual(self.n_runs("--sweep", NOISE + "=range(0, 1, 0.1)", out="b"), 10)
        self.assertEqual(self.n_runs("--sweep", NOISE + "=range(1,0,-0.25)", "--runs", "3", out="c"), 12)
        self.assertEqual(self.n_runs("--sweep", NOISE + "=range(0,0.95,0.1)", out="d"), 10)
        # 3 * 0.1 is not 0.3, which is what is meant
        self.check(self.batch("--sweep", NOISE + "=range(0,1,0.1)", "--only", "3"), 0, "1 runs, 0 failed")
        self.assertEqual(self.hash_of(3), self.alone(3, NOISE + "=0.3"))
        self.assertNotEqual(self.hash_of(3), self.alone(3, NOISE + "=0.30000000000000004"))

    def test_wrong_sweeps(self):
        for text, words in (
            ("robot.x", "write PATH=[1,2,3]"),
            (NOISE + "=", "--sweep " + NOISE),
            (NOISE + "=1", "'1' is no list of values and no range; write --sweep PATH=[1,2,3] or PATH=range(0,10)"),
            (NOISE + "=1,2", "'1,2' is no list of values"),
            (NOISE + "=rnage(1,2)", "'rnage(1,2)' is no list of values"),
            (NOISE + "=uniform(0,1)", "write --draw %s=uniform(0,1)" % NOISE),
            (NOISE + "=[]", "a list of 0 values"),
            (NOISE + "=[1,", ":1:"),
            (NOISE + "=[1,nix]", ":1:4"),
            (NOISE + "=range(1)", "is no range"),
            (NOISE + "=range(0,1,0)", "leads nowhere"),
            (NOISE + "=range(0,1,-1)", "a range of 0 values"),
            (NOISE + "=range(0,1e3)", "is no range"),
            (NOISE + "=range(0,1)x", "is no range"),
            (NOISE + "=range(0,1,2,3)", "is no range"),
            (NOISE + "=range(0,1234567890123456)", "at most 15 digits"),
            (NOISE + "=range(123456789012345,1,0.00000000000001)", "too many digits"),
            (NOISE + "=range(0,1000001)", "1 to 1000000 are possible"),
            (NOISE + "=[1,NaN]", "value 2 is not finite"),
            (NOISE + "=[[1,Infinity]]", "value 1 is not finite"),
            ("seed=[1,-1]", "a seed is a whole number from 0, not -1"),
            ("simulation.seed=[0.5]", "a seed is a whole number"),
            ("seed=range(-1,3)", "not -1"),
            ("foo=[1]", "--sweep: 'foo' is no path"),
        ):
            with self.subTest(text):
                self.refused(64, "--sweep", text, words=[words])

    def test_two_values_for_one_path(self):
        sweep = ["--sweep", NOISE + "=[1]"]
        self.refused(64, *sweep, *sweep, words=["has values by --sweep already"])
        self.refused(64, *sweep, "--set", NOISE + "=2", words=["has values by --set already"])
        self.refused(64, *sweep, "--draw", NOISE + "=uniform(0,1)", words=["--draw: ", "by --sweep already"])

    def test_too_many_runs(self):
        sweep = "--sweep", "seed=range(0,1000)", "--sweep", NOISE + "=range(0,1001)"
        self.refused(64, *sweep, words=["more than 1000000 runs"])
        self.refused(64, *sweep[:2], "--runs", "1001", words=["more than 1000000 runs"])
        self.refused(64, *sweep[:2], "--only", "1000", words=["is not from 0 to 999"])

    def test_paths_are_checked_before_the_first_run(self):
        self.refused(65, "--sweep", "robot.pose.frequenzy=[1,2]", words=["frequenzy", "frequency", "no run was started"])
        self.refused(65, "--sweep", "robot.poze.frequency=[1,2]", words=["robot.pose"])
        self.refused(65, "--sweep", NOISE + '=[1,"two"]', words=["values of run 1,"])

    # --- cases

    def cases(self, text, *arguments, **options):
        data = text if isinstance(text, bytes) else text.encode("utf-8")
        with open(self.path("cases.csv"), "wb") as file:
            file.write(data)
        return self.batch("--cases", "cases.csv", *arguments, **options)

    def test_each_row_is_a_run(self):
        self.check(self.cases('\ufeff%s,crate.position,seed\r\n0.5,"[1, 2, 3]",3\r\n\r\n0.25,"[4,5,6]", 2 \r\n' % NOISE),
                   0, "2 runs, 0 failed")
        self.assertEqual(self.hash_of(0), self.alone(3, NOISE + "=0.5", "crate.position=[1,2,3]"))
        self.assertEqual(self.hash_of(1), self.alone(2, NOISE + "=0.25", "crate.position=[4,5,6]"))

    def test_texts_need_no_quotes(self):
        """Those of a class; a text in quotes, doubled as CSV wants it, is the same."""
        self.check(self.cases('robot.pose.classpath\nmorse.sensors.gyroscope.Gyroscope\n'
                              '"""morse.sensors.gyroscope.Gyroscope"""\n'), 0, "2 runs, 0 failed")
        with open(self.path("out/run-00000/result.json"), encoding="utf-8") as file:
            self.assertIn("robot.pose", file.read())
        self.assertEqual(self.hash_of(0), self.alone(0, 'robot.pose.classpath="morse.sensors.gyroscope.Gyroscope"'))

    def test_cases_times_sweep(self):
        self.check(self.cases(NOISE + "\n0.1\n0.2\n", "--sweep", "robot.pose.frequency=[60,30]"), 0, "4 runs, 0 failed")
        self.assertEqual(self.hash_of(1), self.alone(1, NOISE + "=0.1", "robot.pose.frequency=30"))
        self.assertEqual(self.hash_of(2), self.alone(2, NOISE + "=0.2", "robot.pose.frequency=60"))

    def test_wrong_cases(self):
        for text, words in (
            ("", "cases.csv:1:1: '' is no path"),
            (NOISE + "\n", "a head without a row"),
            (NOISE + ",\n1,2\n", ":1:%d: '' is no path" % (len(NOISE) + 2)),
            (NOISE + ",seed\n1,2\n3\n", "cases.csv:3:2: the row ends after 1 of 2 cells"),
            (NOISE + ",seed\n1,2\n3,4,5\n", "cases.csv:3:4: a further cell; the head has 2"),
            (NOISE + ",seed\n1,2\n3,0.l\n", "cases.csv:3:3: seed: '0.l' is neither JSON nor a word"),
            (NOISE + ",seed\n1,2\n\n,4\n", "cases.csv:4:1: %s: the cell is empty" % NOISE),
            (NOISE + "\nNaN\n", "cases.csv:2:1: %s: 'NaN' is neither" % NOISE),
            (NOISE + "\nTrue\n", "'True' is neither"),
            ("robot.\u00e4,seed\n\"[1,\n2]\",2\n\"\u00e4b\",x\n", "cases.csv:4:1: robot.\u00e4: '\u00e4b' is neither"),
            ("robot.\u00e4,seed\n\"\"\"\u00e4\"\"\",\u00e4\n", "cases.csv:2:9: seed: '\u00e4' is neither"),
            (NOISE + '\n"1\n', "cases.csv:2:1: the quotes of this cell are never closed"),
            (NOISE + '\n"1"2\n', "cases.csv:2:1: after the closing quotes a comma"),
            (b"robot.x\n1\n\xff\n", "cases.csv:3: the line is not UTF-8"),
            (b"robot.x\n1\n\x00\n", "cases.csv:3: the line is not UTF-8"),
            (NOISE + "\n" + "1" * 65537 + "\n", "a cell of more than 65536 bytes"),
            (",".join("a.x%d" % i for i in range(257)) + "\n", "more than 256 columns"),
            (NOISE + "\n" + "1\n" * 1000001, "cases.csv:1000002:1: more than 1000000 cases"),
        ):
            with self.subTest(words):
                done = self.cases(text, out="none")
                self.check(done, 65, words)
                self.assertFalse(os.path.exists(self.path("none/run-00000")))

    def test_no_file_of_cases(self):
        self.refused(66, "--cases", "nothing.csv", words=["--cases: nothing.csv"])
        self.refused(65, "--cases", ".", words=["no file"])

    # --- draws

    def test_draws_are_those_of_seed_path_and_run(self):
        draw = ["--draw", NOISE + "=uniform(0.1,0.2)"]
        self.check(self.batch(*draw, "--runs", "3"), 0, "3 runs, 0 failed")
        self.check(self.batch(*draw, "--draw", "robot.pose.frequency=choice([60])", "--runs", "5", out="more"), 0)
        for run in range(3):
            self.assertEqual(self.hash_of(run), self.hash_of(run, out="more"))
        self.assertEqual(len({self.hash_of(run) for run in range(3)}), 3)

    def test_wrong_draws(self):
        for text, words in (
            ("robot.x", "write PATH=uniform(0,1)"),
            (NOISE + "=gauss(0,1)", "is no distribution; there are uniform("),
            (NOISE + "=uniform", "is no distribution"),
            (NOISE + "=uniform(0,1", "is no distribution"),
            (NOISE + "=uniform(0)", "two numbers are needed, not 1"),
            (NOISE + "=uniform(0,1,2)", "two numbers are needed, not 3"),
            (NOISE + '=uniform(0,"1")', "a number is needed"),
            (NOISE + "=uniform(0,x)", ":1:11"),
            (NOISE + "=uniform(1,1)", "has to be the smaller one"),
            (NOISE + "=uniform(-1e308,1e308)", "has to be the smaller one"),
            (NOISE + "=normal(0,0)", "above 0"),
            (NOISE + "=normal(0,-1)", "above 0"),
            (NOISE + "=choice([])", "a list of 0 values"),
            (NOISE + "=choice(1)", "a list is needed"),
            ("seed=uniform(0,9)", "a seed is a whole number from 0, not a fraction"),
        ):
            with self.subTest(text):
                self.refused(64, "--draw", text, "--runs", "2", words=[words])
        self.refused(64, "--draw", NOISE + "=uniform(0,1)", words=["--runs N is missing"])
        self.refused(64, "--runs", "2", "--latin", words=["--latin spreads"])

    # --- the directory

    def test_sweeps_do_not_mix(self):
        self.check(self.batch("--sweep", NOISE + "=[0.1]"), 0)
        self.check(self.batch("--sweep", NOISE + "=[0.2]"), 65,
                   "batch.txt has 'sweep %s=[0.1]' where this command has 'sweep %s=[0.2]'" % (NOISE, NOISE))
        self.check(self.batch("--runs", "1"), 65, "where this command has ''")
        self.check(self.batch("--sweep", NOISE + "=[0.1]"), 0, "1 were there already")

    def test_slurm_runs_the_same(self):
        text = self.job("--sweep", NOISE + "=[0.1, 0.2]", "--draw", "robot.pose.frequency=choice([60,30])", "--latin",
                        "--runs", "2")
        for words in ("--array=0-3", "--sweep '%s=[0.1, 0.2]'" % NOISE, "--draw", "--latin", "--runs '2'"):
            self.assertIn(words, text)


tap.main()
