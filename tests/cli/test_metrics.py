# SPDX-License-Identifier: BSD-3-Clause
"""`--metric NAME=EXPRESSION` of run, check and batch."""

import csv
import json
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import SCENE, ProgramCase  # noqa: E402

import tap  # noqa: E402

NOISE = "robot.pose/PoseNoiseModifier#0.pos_std"


class Metrics(ProgramCase):
    def setUp(self):
        super().setUp()
        self.scene = json.loads(SCENE)
        self.scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.write("scene.json", json.dumps(self.scene))

    def run_scene(self, *metrics, more=()):
        words = [word for metric in metrics for word in ("--metric", metric)]
        done = self.orrery("run", "scene.json", "--fast", "--offline", "--start", "0", "--ticks", "30", "--quiet",
                           "--result", "result.json", *words, *more)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("result.json"), encoding="utf-8") as file:
            return done.stdout, json.load(file).get("metrics")

    def xs(self):
        """The positions that the run had, as its recording has them."""
        done = self.orrery("run", "scene.json", "--fast", "--offline", "--start", "0", "--ticks", "30", "--record",
                           "run.mcap")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = self.orrery("recording", "export", "run.mcap", "-o", "tables")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(self.path("tables/robot.pose.csv"), encoding="utf-8", newline="") as file:
            return [float(row["x"]) for row in csv.DictReader(file)]

    def test_they_are_those_of_the_records(self):
        said, metrics = self.run_scene("least=min_over(robot.pose.x)", "most=max_over(robot.pose.x)",
                                       "mean=mean_over(robot.pose.x)", "first=first(robot.pose.x)", "end=robot.pose.x",
                                       "seconds=time")
        xs = self.xs()
        self.assertEqual(len(xs), 30)
        self.assertEqual((metrics["least"], metrics["most"], metrics["first"], metrics["end"]),
                         (min(xs), max(xs), xs[0], xs[-1]))
        self.assertAlmostEqual(metrics["mean"], sum(xs) / 30, places=12)
        self.assertAlmostEqual(metrics["seconds"], 29 / 60, places=8)
        self.assertIn("metric most %r\n" % max(xs), said)

    def test_a_component_needs_no_stream(self):
        streamed = self.run_scene("most=max_over(robot.pose.x)")[1]
        del self.scene["component_datastream"]["robot.pose"]
        self.write("scene.json", json.dumps(self.scene))
        self.assertEqual(self.run_scene("most=max_over(robot.pose.x)")[1], streamed)
        self.assertGreater(streamed["most"], 0)

    def ends_after(self, *calls):
        """How long the run was, by a metric, that was paused at first and then called so."""
        process = self.start("run", "scene.json", "--paused", "--fast", "--start", "0", "--result", "result.json",
                             "--metric", "seconds=max_over(time)")
        port = self.services_port(process)
        for call in (*calls, ("quit",)):
            self.check(self.orrery("call", "--port", port, "simulation", *call), 0)
        process.communicate(timeout=60)
        with open(self.path("result.json"), encoding="utf-8") as file:
            return json.load(file)["metrics"]["seconds"]

    def test_a_reset_begins_anew(self):
        self.assertGreater(self.ends_after(("step", "6000")), 99)
        self.assertLess(self.ends_after(("step", "6000"), ("reset",), ("step", "3")), 99)

    def test_they_change_no_run(self):
        plain = self.run_scene(more=["--hash"])
        self.assertIsNone(plain[1])
        measured = self.run_scene("x=max_over(robot.pose.x)", more=["--hash"])
        self.assertEqual([line for line in plain[0].splitlines() if line.startswith("hash ")],
                         [line for line in measured[0].splitlines() if line.startswith("hash ")])

    def test_what_is_no_number_is_null(self):
        said, metrics = self.run_scene("n=0/0", "i=1/0")
        self.assertEqual(metrics, {"n": None, "i": None})
        self.assertIn("metric n NaN\n", said)
        self.assertIn("metric i Infinity\n", said)

    def test_mistakes(self):
        for command in ("check",), ("run", "--fast", "--ticks", "1"):
            for metric, code, words in (
                ("x", 64, "write NAME=EXPRESSION"),
                ("=1", 64, "write NAME=EXPRESSION"),
                ("a b=1", 64, "write NAME=EXPRESSION"),
                ("seed=1", 64, "another column of this name"),
                ("x" * 65 + "=1", 64, "write NAME=EXPRESSION"),
                ("x=", 65, "--metric x: column 1: here a value is missing"),
                ("x=1 + robot.pose.q", 65, "--metric x: column 5: robot.pose has no field 'q'"),
                ("x=robot.pose", 65, "column 1: robot.pose is a component, and no field of one; there is: x, y, z"),
                ("x=robot", 65, "column 1: robot is a component, and no field of one"),
                ("x=robbot.pose.x", 65, "there is no such component; a field is COMPONENT.FIELD; "
                                        "no component is named robbot.pose; did you mean robot.pose"),
                ("x=1 + robot.poze.x", 65, "no component is named robot.poze; did you mean robot.pose"),
            ):
                with self.subTest(metric):
                    self.check(self.orrery(command[0], "scene.json", *command[1:], "--metric", metric), code, words)
            self.check(self.orrery(command[0], "scene.json", *command[1:], "--metric", "x=1", "--metric", "x=2"), 64,
                       "two metrics of this name")
        many = [word for i in range(257) for word in ("--metric", "m%d=1" % i)]
        self.check(self.orrery("check", "scene.json", *many[:512]), 0, "ok")
        self.check(self.orrery("check", "scene.json", *many), 64, "at most 256")

    # --- batches

    def batch(self, *arguments, out="out", code=0):
        done = self.orrery("batch", "scene.json", "--out", out, "--ticks", "30", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_columns_of_the_table(self):
        metrics = "--metric", "most=max_over(robot.pose.x)", "--metric", "none=0/0"
        self.batch("--sweep", NOISE + "=[0.1,0.5]", *metrics, "-j", "2")
        with open(self.path("out/results.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0])[-3:], ["hash", "most", "none"])
        for row in rows:
            alone = self.run_scene(metrics[1], more=["--seed", row["seed"], "--set", "%s=%s" % (NOISE, row[NOISE])])[1]
            self.assertEqual(row["most"], repr(alone["most"]))
            self.assertEqual(row["none"], "")
        self.assertNotEqual(rows[0]["most"], rows[1]["most"])
        # the same from the results of the runs
        with open(self.path("out/results.csv"), "rb") as file:
            before = file.read()
        os.unlink(self.path("out/results.csv"))
        self.batch("--sweep", NOISE + "=[0.1,0.5]", *metrics)
        with open(self.path("out/results.csv"), "rb") as file:
            self.assertEqual(file.read(), before)
        # another metric is another experiment
        self.assertIn("another experiment", self.batch("--sweep", NOISE + "=[0.1,0.5]", code=65).stderr)

    def test_they_are_checked_before_the_first_run(self):
        done = self.batch("--runs", "2", "--metric", "x=robot.pose.q", code=65)
        self.assertIn("no run was started", done.stderr)
        self.assertFalse(os.path.exists(self.path("out/run-00000")))
        self.assertIn("two metrics", self.batch("--runs", "2", "--metric", "x=1", "--metric", "x=1", code=64).stderr)
        self.check(self.batch("--runs", "2", "--metric", "x=1"), 0, "2 runs, 0 failed")

    def test_slurm(self):
        self.batch("--runs", "2", "--metric", "x=robot.pose.x > 1", "--slurm")
        with open(self.path("out/job.sh"), encoding="utf-8") as file:
            self.assertIn("--metric 'x=robot.pose.x > 1'", file.read())


tap.main()
