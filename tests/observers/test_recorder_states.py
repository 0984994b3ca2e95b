# SPDX-License-Identifier: BSD-3-Clause
"""The topic /orrery/states of recordings: states from which the run goes on to the same hash."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap


class States(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", support.SCENE)

    def run_for(self, ticks, *options):
        """Returns the hash."""
        done = self.orrery("run", "scene.json", "--ticks", str(ticks), "--fast", "--offline", "--start", "0", "--hash", *options)
        self.check(done, 0)
        return [line for line in done.stdout.splitlines() if line.startswith("hash ")][0]

    def record(self, **properties):
        words = "orrery.observers.recorder.Recorder " + json.dumps(dict(properties, file=self.path("run.mcap"), wait=True))
        return self.run_for(200, "--observer", words)

    def test_each_is_a_start(self):
        found = self.record()
        done = self.orrery("recording", "cat", self.path("run.mcap"), "--topic", "/orrery/states")
        self.check(done, 0)
        states = [json.loads(line)["data"] for line in done.stdout.splitlines()]
        self.assertGreaterEqual(len(states), 2)
        for state in states:
            with open(self.path("state"), "wb") as file:
                file.write(bytes.fromhex(state["state"]))
            self.assertEqual(self.run_for(200 - state["ticks"], "--restore", "state"), found)

    def test_how_often(self):
        self.record(states=0.1)
        done = self.orrery("recording", "cat", self.path("run.mcap"), "--topic", "/orrery/states")
        ticks = [json.loads(line)["data"]["ticks"] for line in done.stdout.splitlines()]
        self.assertGreater(len(ticks), 2)
        self.assertTrue(all(b - a >= 6 for a, b in zip(ticks, ticks[1:])), ticks)

    def test_hashes_without_records(self):
        """What came since the last record is written at the end, however long ago that was."""
        words = {"file": self.path("run.mcap"), "poses": 0, "rate": 1e-6, "wait": True, "hashes": 60}
        self.check(self.orrery("run", "scene.json", "--ticks", "20000", "--fast", "--offline", "--start", "0",
                               "--observer", "orrery.observers.recorder.Recorder " + json.dumps(words)), 0)
        done = self.orrery("recording", "cat", self.path("run.mcap"), "--topic", "/orrery/hash")
        self.assertEqual([json.loads(line)["data"]["ticks"] for line in done.stdout.splitlines()], list(range(1, 20001)))

    def test_none(self):
        found = self.record(states=0)
        done = self.orrery("recording", "info", self.path("run.mcap"))
        self.check(done, 0, "/orrery/poses")
        self.assertNotIn("/orrery/states", done.stdout)
        self.assertEqual(found, self.run_for(200))


if __name__ == "__main__":
    tap.main()
