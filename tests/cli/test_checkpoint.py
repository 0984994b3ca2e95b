# SPDX-License-Identifier: BSD-3-Clause
"""`--checkpoint` of `orrery run` and `--checkpoint-every` of `orrery batch`: runs that go on after a kill."""

import json
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..")]

from sanitized import is_sanitized  # noqa: E402
from support import PROGRAM, SCENE, ProgramCase, children_of  # noqa: E402

import tap  # noqa: E402

# Long enough to be ended on the way; a tick takes ten times as long with a sanitizer.
TICKS = "60000" if is_sanitized() else "600000"
METRICS = ("mean=mean_over(robot.pose.x)", "span=max_over(time) - first(robot.pose.x)", "end=robot.pose.timestamp")


class CheckpointCase(ProgramCase):
    def setUp(self):
        super().setUp()
        scene = json.loads(SCENE)
        scene["component_modifier"] = {
            "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", {"pos_std": 0.05}]]}
        self.write("scene.json", json.dumps(scene))


class Runs(CheckpointCase):
    def arguments(self, *more, ticks=TICKS, every="50", seed="5"):
        words = [word for metric in METRICS for word in ("--metric", metric)]
        return ["run", "scene.json", "--fast", "--offline", "--start", "0", "--seed", seed, "--hash", "--ticks", ticks,
                "--result", "result.json", *words, "--checkpoint", "state", "--checkpoint-every", every, *more]

    def run_it(self, *more, code=0, **options):
        done = self.orrery(*self.arguments(*more, **options))
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def result(self):
        with open(self.path("result.json"), encoding="utf-8") as file:
            result = json.load(file)
        return {key: result[key] for key in ("exit", "ticks", "seed", "hash", "metrics")}

    def end_one(self, number):
        """Ends a run that has written a state."""
        process = self.start(*self.arguments())
        while not os.path.exists(self.path("state")):
            self.assertIsNone(process.poll())
        process.send_signal(number)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)

    def test_it_goes_on(self):
        self.run_it()
        whole = self.result()
        self.assertFalse(os.path.exists(self.path("state")))
        for number in signal.SIGKILL, signal.SIGTERM:
            self.end_one(number)
            self.assertRegex(self.run_it().stderr, "going on after [1-9][0-9]* ticks, from state")
            self.assertEqual(self.result(), whole)
            self.assertFalse(os.path.exists(self.path("state")))

    def test_states_change_nothing(self):
        results = []
        for every in "0.001", "0.7", "1e9":
            self.run_it(ticks="500", every=every)
            results.append(self.result())
        self.assertEqual(results[0], results[1])
        self.assertEqual(results[0], results[2])

    def test_states_that_are_none_of_it(self):
        """The run begins at its start, and says why."""
        self.run_it(ticks="500")
        whole = self.result()
        self.end_one(signal.SIGKILL)
        with open(self.path("state"), "rb") as file:
            good = file.read()
        for content, words in ((b"", "none of this version|damaged"), (b"x" * 5000, "damaged|none of"),
                               (good[:-100], "damaged|none of"), (good[:100] + b"\xff" * 900 + good[1000:], "begins at its start"),
                               (bytes(len(good)), "damaged|none of")):
            with open(self.path("state"), "wb") as file:
                file.write(content)
            self.assertRegex(self.run_it(ticks="500").stderr, words)
            self.assertEqual(self.result(), whole)
        with open(self.path("state"), "wb") as file:
            file.write(good)
        self.assertIn("of another seed", self.run_it(ticks="500", seed="6").stderr)

    def test_a_place_that_cannot_be_written(self):
        """The run itself goes on."""
        os.makedirs(self.path("state"))
        self.assertIn("--checkpoint", self.run_it(ticks="10", code=74).stderr)
        os.rmdir(self.path("state"))
        done = self.orrery("run", "scene.json", "--fast", "--offline", "--ticks", "500", "--checkpoint", "none/state",
                           "--checkpoint-every", "1")
        self.check(done, 0, "500 ticks")
        self.assertEqual(done.stderr.count("no checkpoint: "), 1)

    def test_wrong_usage(self):
        for more, words in ((["--record", "a.mcap"], "goes without --record"), (["--wall", "3"], "goes without --wall"),
                            (["--restore", "x"], "goes without --restore"),
                            (["--checkpoint-every", "0"], "a number above 0"), (["--checkpoint-every", "x"], "no number")):
            self.assertIn(words, self.run_it(*more, code=64).stderr)
        done = self.orrery("run", "scene.json", "--ticks", "1", "--checkpoint-every", "1")
        self.check(done, 64)
        self.assertIn("--checkpoint FILE", done.stderr)


class Batches(CheckpointCase):
    def batch(self, *arguments, out="out", code=0, ticks=TICKS):
        done = self.orrery("batch", "scene.json", "--out", out, "--ticks", ticks, "--runs", "3", "-j", "2",
                           *[word for metric in METRICS for word in ("--metric", metric)], *arguments, timeout=300)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_killed_runs_go_on(self):
        process = self.start("batch", "scene.json", "--out", "out", "--ticks", TICKS, "--runs", "3", "-j", "2", "--retries", "3",
                             "--checkpoint-every", "20", *[word for metric in METRICS for word in ("--metric", metric)])
        while not os.path.exists(self.path("out/run-00000/checkpoint.bin")):
            self.assertIsNone(process.poll())
        for child in children_of(process.pid):
            os.kill(int(child), signal.SIGKILL)
        said = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, said)
        with open(self.path("out/run-00000/log.txt"), encoding="utf-8") as file:
            self.assertIn("going on after", file.read())
        self.assertFalse(os.path.exists(self.path("out/run-00000/checkpoint.bin")))
        self.batch(out="calm")
        tables = []
        for out in "out", "calm":
            with open(self.path(out + "/results.csv"), "rb") as file:
                tables.append(file.read())
        self.assertEqual(tables[0], tables[1])

    def test_wrong_usage(self):
        for more, words in ((["--checkpoint-every", "0"], "a number above 0"),
                            (["--checkpoint-every", "5", "--record"], "goes without --record")):
            done = subprocess.run([PROGRAM, "batch", "scene.json", "--out", "out", "--ticks", "5", "--runs", "1", *more],
                                  cwd=self.directory, capture_output=True, text=True, env=self.environment())
            self.assertEqual(done.returncode, 64)
            self.assertIn(words, done.stderr)


tap.main()
