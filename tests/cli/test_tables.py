# SPDX-License-Identifier: BSD-3-Clause
"""`results.csv` and `runs.csv` of `orrery batch`; what is drawn, as the first of them tells it."""

import csv
import json
import os
import signal
import statistics
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import SCENE, ProgramCase, children_of  # noqa: E402

import tap  # noqa: E402

NOISE = "robot.pose/PoseNoiseModifier#0.pos_std"


class Tables(ProgramCase):
    def setUp(self):
        super().setUp()
        scene = json.loads(SCENE)
        scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.write("scene.json", json.dumps(scene))

    def batch(self, *arguments, out="out", ticks="5", code=0):
        done = self.orrery("batch", "scene.json", "--out", out, "--ticks", ticks, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def bytes(self, out="out", name="results.csv"):
        with open(self.path(os.path.join(out, name)), "rb") as file:
            return file.read()

    def rows(self, out="out", name="results.csv"):
        with open(self.path(os.path.join(out, name)), encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    # --- results.csv

    def test_a_row_for_each_run(self):
        self.batch("--sweep", NOISE + "=[0.50, 1e-1]", "--sweep", "robot.position=[[1,2,0],[3,4.50,0]]", "--seed", "6")
        self.assertEqual(self.bytes().split(b"\n")[0].decode(), "run,%s,robot.position,seed,exit,ticks,hash" % NOISE)
        self.assertEqual([(row["run"], row[NOISE], row["robot.position"], row["seed"], row["exit"], row["ticks"])
                          for row in self.rows()],
                         [("0", "0.5", "[1, 2, 0]", "6", "0", "5"), ("1", "0.5", "[3, 4.5, 0]", "7", "0", "5"),
                          ("2", "0.1", "[1, 2, 0]", "8", "0", "5"), ("3", "0.1", "[3, 4.5, 0]", "9", "0", "5")])
        for row in self.rows():
            with open(self.path("out/run-%05d/result.json" % int(row["run"])), encoding="utf-8") as file:
                self.assertEqual(json.load(file)["hash"], row["hash"])

    def test_any_order_gives_the_same_bytes(self):
        arguments = "--sweep", NOISE + "=range(0,3)", "--draw", "robot.pose.frequency=choice([60,30])", "--runs", "2"
        self.batch(*arguments, "-j", "1")
        self.batch(*arguments, "-j", "6", out="many")
        for run in 4, 2, 5, 0:
            self.batch(*arguments, "--only", str(run), out="tasks")
        self.assertFalse(os.path.exists(self.path("tasks/results.csv")))
        self.batch(*arguments, out="tasks")
        self.assertEqual(self.bytes(), self.bytes(out="many"))
        self.assertEqual(self.bytes(), self.bytes(out="tasks"))
        self.assertEqual(len(self.rows()), 6)
        self.batch(*arguments, "--seed", "1", out="other")
        self.assertNotEqual(self.bytes(), self.bytes(out="other"))

    def test_a_seed_that_varies_has_one_column(self):
        self.batch("--sweep", "seed=[9,3]")
        self.assertEqual([(row["run"], row["seed"]) for row in self.rows()], [("0", "9"), ("1", "3")])
        self.assertEqual(self.bytes().split(b"\n")[0], b"run,seed,exit,ticks,hash")

    def test_texts(self):
        """Words as they are, others as JSON, so that the table can be cases again."""
        self.batch("--sweep", 'robot.pose.classpath=["morse.sensors.pose.Pose","a, \\"b","morse.sensors.pose.Pose"]', code=1)
        self.assertEqual([row["robot.pose.classpath"] for row in self.rows()],
                         ["morse.sensors.pose.Pose", '"a, \\"b"', "morse.sensors.pose.Pose"])

    def test_failed_runs_have_no_hash(self):
        """A value between the first and the last, which the scene does not take."""
        self.batch("--sweep", NOISE + '=[0.1,"x, y",0.2]', code=1)
        rows = self.rows()
        self.assertEqual([row["exit"] for row in rows], ["0", "65", "0"])
        self.assertEqual((rows[1][NOISE], rows[1]["ticks"], rows[1]["hash"]), ('"x, y"', "", ""))
        self.assertEqual(self.rows(name="runs.csv")[1]["exit"], "65")

    def test_a_table_that_cannot_be_written(self):
        os.makedirs(self.path("out/results.csv"))
        self.assertIn("results.csv", self.batch("--runs", "1", code=74).stderr)

    # --- runs that are killed

    def kill_some(self, number, *arguments, ticks):
        """Kills the first runs; returns what the batch said at its end."""
        process = self.start("batch", "scene.json", "--out", "out", "--ticks", ticks, *arguments)
        killed = set()
        while process.poll() is None and len(killed) < number:
            for pid in children_of(process.pid):
                # The check before the first run is no run; one that has a log is.
                if pid not in killed and os.path.exists(self.path("out/run-00000/log.txt")):
                    os.kill(int(pid), signal.SIGKILL)
                    killed.add(pid)
        said = process.communicate(timeout=120)
        return process.returncode, said

    def test_tries_are_counted(self):
        for tries in "1", "2":
            code, said = self.kill_some(2, "--runs", "2", "-j", "2", ticks="4000000000")
            self.assertEqual(code, 1, said)
            self.assertIn("killed by signal 9", said[1])
            self.assertEqual([(row["run"], row["tries"], row["exit"], row["signal"])
                              for row in self.rows(name="runs.csv")],
                             [("0", tries, "", "9"), ("1", tries, "", "9")])
            self.assertEqual(self.bytes(), b"run,seed,exit,ticks,hash\n")

    def test_tries_that_nobody_noted(self):
        """A run whose command was killed before it could note the try has a row all the same, and its failure a cause."""
        arguments = "--sweep", NOISE + '=[0.1,"x",0.2]'
        self.batch(*arguments, code=1)
        before = self.rows(name="runs.csv")
        self.assertEqual([row["exit"] for row in before], ["0", "65", "0"])
        # What such a command leaves behind.
        for run in 0, 1:
            os.unlink(self.path("out/run-0000%d/tries.csv" % run))
        self.batch(*arguments, code=1)
        rows = self.rows(name="runs.csv")
        self.assertEqual(rows[2], before[2])
        for run, status in (0, "0"), (1, "65"):
            self.assertEqual(rows[run], {"run": str(run), "tries": "1", "exit": status, "signal": "", "cause": "", "wall": "",
                                         "cpu": "", "memory": "", "host": ""})
        with open(self.path("out/report.html"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r'<tr><td class="n">1</td><td>exit 65</td>')

    def test_kills_change_no_result(self):
        arguments = "--runs", "6", "-j", "2"
        code, said = self.kill_some(3, *arguments, ticks="20000")
        self.assertEqual(code, 1, said)
        self.assertIn("9", [row["signal"] for row in self.rows(name="runs.csv")])
        self.batch(*arguments, ticks="20000")
        self.batch(*arguments, ticks="20000", out="calm")
        self.assertEqual(self.bytes(), self.bytes(out="calm"))
        tries = [row["tries"] for row in self.rows(name="runs.csv")]
        self.assertEqual(len(tries), 6)
        self.assertIn("2", tries)
        self.assertEqual([row["tries"] for row in self.rows(out="calm", name="runs.csv")], ["1"] * 6)

    def test_an_end_of_the_batch_leaves_the_table_whole(self):
        self.batch("--runs", "2", ticks="4000")
        before = self.bytes()
        process = self.start("batch", "scene.json", "--out", "out", "--ticks", "4000", "--runs", "100000", "-j", "1")
        while not os.path.exists(self.path("out/run-00003/log.txt")):
            self.assertIsNone(process.poll())
        process.kill()
        process.communicate(timeout=60)
        self.assertEqual(self.bytes(), before)
        self.batch("--runs", "4", ticks="4000")
        self.assertEqual([row["run"] for row in self.rows()], ["0", "1", "2", "3"])

    def test_interrupted_batches_keep_all_rows(self):
        self.batch("--runs", "4", ticks="4000")
        os.unlink(self.path("out/run-00001/result.json"))
        process = self.start("batch", "scene.json", "--out", "out", "--ticks", "4000", "--runs", "100000", "-j", "1")
        while not os.path.exists(self.path("out/run-00004/log.txt")):
            self.assertIsNone(process.poll())
        process.terminate()
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75)
        self.assertEqual([row["run"] for row in self.rows()[:4]], ["0", "1", "2", "3"])

    # --- runs.csv

    def test_what_runs_cost(self):
        self.batch("--runs", "2")
        rows = self.rows(name="runs.csv")
        self.assertEqual(list(rows[0]), ["run", "tries", "exit", "signal", "cause", "wall", "cpu", "memory", "host"])
        for row in rows:
            self.assertEqual((row["tries"], row["exit"], row["signal"], row["host"]), ("1", "0", "", os.uname().nodename))
            self.assertGreater(float(row["cpu"]), 0)
            self.assertGreater(float(row["wall"]), 0)
            self.assertTrue(1e6 < int(row["memory"]) < 1e9, row)

    def test_tries_that_are_no_lines_of_ours(self):
        self.batch("--runs", "2")
        with open(self.path("out/run-00000/tries.csv"), "ab") as file:
            file.write(b"0,,,1.5,0.5,1000,no")  # cut in its last cell, it is still a line
            file.write(b"\n1,2\n\n,,,,,,,,\n")
        with open(self.path("out/run-00001/tries.csv"), "ab") as file:
            file.write(b"\xff\n")
        self.batch("--runs", "2")
        # Of the other one its result alone is left.
        self.assertEqual([(row["run"], row["tries"], row["host"]) for row in self.rows(name="runs.csv")],
                         [("0", "2", "no"), ("1", "1", "")])

    # --- draws

    def drawn(self, *arguments, path=NOISE, out="out"):
        self.batch(*arguments, out=out, ticks="1")
        return [float(row[path]) for row in self.rows(out=out)]

    def test_a_draw_changes_no_other(self):
        few = self.drawn("--draw", NOISE + "=uniform(2,3)", "--runs", "4")
        more = self.drawn("--draw", "robot.pose.frequency=choice([60,30,20])", "--draw", NOISE + "=uniform(2,3)",
                          "--runs", "12", out="more")
        self.assertEqual(few, more[:4])
        self.assertEqual(len(set(more)), 12)
        self.assertTrue(all(2 <= value < 3 for value in more))
        self.assertGreater(len({row["robot.pose.frequency"] for row in self.rows(out="more")}), 1)
        other = self.drawn("--draw", NOISE + "=uniform(2,3)", "--runs", "4", "--seed", "1", out="seed")
        self.assertNotEqual(few, other)
        # that of run 1 is not that of run 0 with the next seed
        self.assertNotEqual(few[1], other[0])

    def test_latin_hypercube(self):
        n = 20
        arguments = ("--runs", str(n), "--draw", NOISE + "=uniform(1,3)", "--draw",
                     "robot.pose/PoseNoiseModifier#0.rot_std=normal(20,2)", "--draw", "robot.pose.frequency=choice([60,30])")
        self.batch(*arguments, "--latin", ticks="1")
        rows = self.rows()
        uniform = [int((float(row[NOISE]) - 1) / 2 * n) for row in rows]
        normal = [int(statistics.NormalDist(20, 2).cdf(float(row["robot.pose/PoseNoiseModifier#0.rot_std"])) * n)
                  for row in rows]
        self.assertEqual(sorted(uniform), list(range(n)))
        self.assertEqual(sorted(normal), list(range(n)))
        self.assertNotEqual(uniform, normal)
        self.assertNotEqual(uniform, sorted(uniform))
        self.assertEqual([row["robot.pose.frequency"] for row in rows].count("60"), n // 2)
        # as random numbers by themselves never do
        self.batch(*arguments, out="free", ticks="1")
        free = [int((float(row[NOISE]) - 1) / 2 * n) for row in self.rows(out="free")]
        self.assertNotEqual(sorted(free), list(range(n)))


tap.main()
