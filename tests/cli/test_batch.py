# SPDX-License-Identifier: BSD-3-Clause
"""`orrery batch`: many runs, each with a result of its own; `orrery run --result`."""

import json
import os
import signal
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import PROGRAM, SCENE, ProgramCase, children_of

import tap

NOISY = SCENE.replace('"component_service"', '''"component_modifier": {
    "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {}]] },
  "component_service"''')
BROKEN = SCENE.replace("sensors.pose.Pose", "sensors.pose.Nose")


class Result(ProgramCase):
    def result(self, *arguments, code=0):
        done = self.orrery("run", *arguments, "--result", self.path("result.json"))
        self.assertEqual(done.returncode, code, done.stderr)
        with open(self.path("result.json"), encoding="utf-8") as file:
            return json.load(file)

    def test_of_a_run(self):
        scene = self.write("scene.json", SCENE)
        result = self.result(scene, "--fast", "--ticks", "30", "--seed", "5", "--start", "2", "--hash")
        self.assertEqual((result["exit"], result["ticks"], result["seed"], result["start"]), (0, 30, 5, 2.0))
        self.assertEqual(len(result["hash"]), 16)
        self.assertEqual([(c["name"], c["steps"]) for c in result["components"]],
                         [("robot", 30), ("robot.pose", 30), ("robot.motion", 30)])
        self.assertEqual(set(result["phases"][0]), {"name", "seconds"})
        self.assertNotIn("error", result)

    def test_of_workers(self):
        """Dictionaries of the report are dictionaries of the file."""
        scene = json.loads(SCENE)
        scene["objects"][0]["objects"][0]["placement"] = "worker"
        result = self.result(self.write("scene.json", json.dumps(scene)), "--fast", "--ticks", "3")
        self.assertEqual([(each["name"], each["restarts"]) for each in result["workers"]], [("robot.pose", 0)])

    def test_of_a_scene_that_is_wrong(self):
        result = self.result(self.write("scene.json", BROKEN), code=69)
        self.assertEqual(result["exit"], 69)
        self.assertIn("Nose", result["error"])
        self.assertNotIn("ticks", result)

    def test_that_cannot_be_written(self):
        scene = self.write("scene.json", SCENE)
        done = self.orrery("run", scene, "--fast", "--ticks", "1", "--result", "none/result.json")
        self.check(done, 74, "none/result.json")

    def test_offline(self):
        scene = self.write("scene.json", SCENE)
        done = self.orrery("run", scene, "--fast", "--ticks", "5", "--offline")
        self.check(done, 0, "5 ticks")
        self.assertNotIn("istening", done.stderr)
        done = self.orrery("run", scene, "--fast", "--ticks", "5")
        self.assertIn("istening", done.stderr)


class Batch(ProgramCase):
    def batch(self, *arguments, **options):
        return self.orrery("batch", self.scene, "--out", "out", "--ticks", "60", *arguments, **options)

    def setUp(self):
        super().setUp()
        self.scene = self.write("scene.json", NOISY)

    def results(self):
        out = {}
        for name in sorted(os.listdir(self.path("out"))):
            path = self.path(os.path.join("out", name, "result.json"))
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    out[name] = json.load(file)
        return out

    def test_each_run_is_that_of_its_seed(self):
        self.check(self.batch("--runs", "4", "-j", "2", "--seed", "10"), 0, "4 runs, 0 failed")
        results = self.results()
        self.assertEqual(list(results), ["run-00000", "run-00001", "run-00002", "run-00003"])
        self.assertEqual([r["seed"] for r in results.values()], [10, 11, 12, 13])
        self.assertEqual(len({r["hash"] for r in results.values()}), 4)
        alone = self.orrery("run", self.scene, "--fast", "--ticks", "60", "--seed", "12", "--start", "0", "--hash")
        self.assertIn(results["run-00002"]["hash"], alone.stdout)

    def test_missing_runs_are_done_others_left(self):
        self.check(self.batch("--runs", "3"), 0)
        before = self.results()
        victim = self.path("out/run-00001/result.json")
        kept = os.stat(self.path("out/run-00002/result.json")).st_mtime_ns
        os.unlink(victim)
        self.check(self.batch("--runs", "5"), 0, "5 runs, 0 failed, 2 were there already")
        after = self.results()
        self.assertEqual(os.stat(self.path("out/run-00002/result.json")).st_mtime_ns, kept)
        self.assertEqual(after["run-00001"]["hash"], before["run-00001"]["hash"])
        self.assertEqual(len(after), 5)

    def test_half_a_result_is_none(self):
        self.check(self.batch("--runs", "1"), 0)
        for text in ("", "{", "[]", '{"ticks": 1}', '{"exit": 143}'):
            self.write("out/run-00000/result.json", text)
            self.check(self.batch("--runs", "1"), 0, "0 were there already")

    def test_runs_of_two_scenes_do_not_mix(self):
        self.check(self.batch("--runs", "1"), 0)
        self.write("scene.json", SCENE)
        self.check(self.batch("--runs", "1"), 65, "another scene")
        self.write("scene.json", NOISY)
        self.check(self.batch("--runs", "1", "--seed", "3"), 65,
                   "another experiment: batch.txt has 'seed 0' where this command has 'seed 3'")
        self.check(self.batch("--runs", "1"), 0)

    def test_recordings(self):
        """Each run has its own; a directory holds runs with or runs without."""
        self.check(self.batch("--runs", "2", "--record"), 0)
        for index in 0, 1:
            path = self.path("out/run-0000%d/run.mcap" % index)
            done = self.orrery("recording", "info", path)
            self.check(done, 0)
            self.assertRegex(done.stdout, r"orrery +seed +%d" % index)
        self.check(self.batch("--runs", "2"), 65, "batch.txt has 'recorded' where this command has ''")
        self.check(self.batch("--runs", "2", "--record", "--record-only=inputs"), 65,
                   "batch.txt has 'recorded' where this command has 'recorded inputs'")

    def test_recordings_of_inputs(self):
        self.check(self.batch("--runs", "1", "--record-only=inputs"), 64, "--record-only says how --record records")
        self.check(self.batch("--runs", "1", "--record", "--record-only=inputs"), 0)
        done = self.orrery("recording", "info", self.path("out/run-00000/run.mcap"))
        self.check(done, 0, "holds only what a replay needs")
        self.check(self.orrery("replay", self.path("out/run-00000/run.mcap")), 0, "goes as it went")

    def test_failed_runs_are_counted_and_named(self):
        self.scene = self.write("scene.json", BROKEN)
        done = self.batch("--runs", "2")
        self.check(done, 1, "2 runs, 2 failed")
        self.assertIn("run-00001: exit code 69", done.stderr)
        with open(self.path("out/run-00001/log.txt"), encoding="utf-8") as file:
            self.assertIn("Nose", file.read())

    def test_settings_are_checked_before_the_first_run(self):
        done = self.batch("--runs", "2", "--set", "robot.poze.frequency=1")
        self.check(done, 65, "no part or object is named 'robot.poze'", "no run was started")
        self.assertFalse(os.path.exists(self.path("out/run-00000")))
        self.check(self.batch("--runs", "2", "--set", "robot.pose.frequency=1"), 0, "2 runs, 0 failed")

    def test_no_ports(self):
        """More runs at a time than there are ports for services."""
        self.check(self.batch("--runs", "14", "-j", "14"), 0, "14 runs, 0 failed")

    def test_script_is_built_once(self):
        self.scene = self.write("script.py", "from morse.builder import *\n"
                                "open('built', 'a').write('x')\nrobot = ATRV()\nenv = Environment('empty')\n")
        self.check(self.batch("--runs", "3"), 0)
        self.assertTrue(os.path.exists(self.path("out/scene/scene.json")))
        with open(self.path("built"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "x")

    def test_only(self):
        self.check(self.batch("--runs", "5", "--only", "3"), 0, "1 runs, 0 failed")
        self.assertEqual([r["seed"] for r in self.results().values()], [3])

    def test_slurm(self):
        self.check(self.batch("--runs", "7", "--seed", "2", "--slurm"), 0, "sbatch ")
        with open(self.path("out/job.sh"), encoding="utf-8") as file:
            self.assertIn("#SBATCH --array=0-6", file.read())
        environment = dict(self.environment(), SLURM_ARRAY_TASK_ID="4")
        done = subprocess.run([self.path("out/job.sh")], env=environment, capture_output=True, text=True, timeout=120)
        self.check(done, 0)
        self.assertEqual([r["seed"] for r in self.results().values()], [6])

    def interrupted(self, number, code):
        """A batch that is ended while its first runs go on, which would take for ever."""
        process = self.start("batch", self.scene, "--out", "out", "--runs", "4", "-j", "2", "--ticks", "4000000000")
        for name in ("run-00000", "run-00001"):
            log = self.path("out/%s/log.txt" % name)
            while not os.path.exists(log) or "[SCENE INITIALIZED]" not in open(log, encoding="utf-8").read():
                self.assertIsNone(process.poll())
        children = children_of(process.pid)
        self.assertEqual(len(children), 2)
        process.send_signal(number)
        self.assertEqual(process.wait(60), code)
        self.assertIn("interrupted", process.stderr.read())
        for child in children:
            self.assertFalse(os.path.exists("/proc/%s" % child))

    def test_sigterm_can_be_gone_on_from(self):
        self.interrupted(signal.SIGTERM, 75)

    def test_sigint(self):
        self.interrupted(signal.SIGINT, 130)

    def test_wrong_usage(self):
        for arguments, words in (
            (["--out", "o", "--ticks", "1"], "--runs N is missing"),
            (["--runs", "1", "--ticks", "1"], "--out DIR is missing"),
            (["--runs", "1", "--out", "o"], "a run has to end"),
            (["--runs", "0", "--out", "o", "--ticks", "1"], "is not from 1 to"),
            (["--runs", "x", "--out", "o", "--ticks", "1"], "--runs: 'x' is no whole number from 1 to 1000000"),
            (["--runs", "-1", "--out", "o", "--ticks", "1"], "--runs: '-1' is no whole number from 1 to 1000000"),
            (["--runs", "1", "--out", "o", "--for", "0"], "--for: a number above 0, not 0"),
            (["--runs", "1", "--out", "o", "--for", "nan"], "--for: 'nan' is no number of seconds"),
            (["--runs", "1", "--out", "o", "--ticks", "0"], "--ticks: 0 is not from 1 to"),
            (["--runs", "1", "--out", "o", "--ticks", "1", "--start", "x"], "--start: 'x' is no number of seconds"),
            (["--runs", "3", "--out", "o", "--ticks", "1", "--only", "3"], "is not from 0 to 2"),
        ):
            done = subprocess.run([PROGRAM, "batch", self.scene, *arguments], capture_output=True, text=True,
                                  cwd=self.directory, env=self.environment(), timeout=60)
            self.assertEqual(done.returncode, 64)
            self.assertIn(words, done.stderr)
        self.check(self.orrery("batch", "none.json", "--runs", "1", "--out", "o", "--ticks", "1"), 66)


tap.main()
