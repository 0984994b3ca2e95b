#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A recorder that keeps the last seconds in memory, and writes them to a file when it is asked."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

RECORDER = "orrery.observers.recorder.Recorder"

# A robot that turns; `ask` has the last seconds saved, `finish` waits for the file.
PROGRAM = """
import orrery
from gi.repository import GLib

simulation = orrery.load("scene.json", offline=True, start_time=0)
recorder = simulation.record({path!r}, **{properties!r})

def ask():
    return simulation.call({recorder!r}, "save_last")

def drive(ticks):
    for i in range(ticks):
        if i % 30 == 0:
            simulation["robot.motion"].data.v = 0.1 * (i % 7)
            simulation["robot.motion"].data.w = 0.2
        simulation.step()

def finish():
    simulation.remove_observer(recorder)
    simulation.close()

{body}
"""


class Last(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", support.SCENE)

    def run_program(self, body, path="run.mcap", **properties):
        properties = {"keep_last": 2.0, **properties}
        program = self.write("drive.py", PROGRAM.format(properties=properties, recorder=RECORDER, path=path, body=body))
        done = self.orrery("python", program)
        self.check(done, 0)
        return done

    def info(self, name="run.mcap"):
        done = self.orrery("recording", "info", self.path(name))
        self.check(done, 0)
        return done.stdout

    def cat(self, topic, name="run.mcap"):
        done = self.orrery("recording", "cat", self.path(name), "--topic", topic)
        self.check(done, 0)
        return [json.loads(line)["data"] for line in done.stdout.splitlines()]

    def ticks(self, name="run.mcap"):
        """Of the records of the pose, by their times."""
        return [round((each["timestamp"] if "timestamp" in each else 0) * 60) for each in self.cat("/robot/pose", name)]

    def test_window(self):
        """The last two seconds, and what is before them back to a state; nothing of later ticks."""
        self.run_program("drive(400)\nprint(ask())\ndrive(100)\nfinish()")
        states = [each["ticks"] for each in self.cat("/orrery/states")]
        hashes = [each["ticks"] for each in self.cat("/orrery/hash")]
        self.assertLessEqual(states[0], 400 - 120)
        self.assertGreater(states[0], 400 - 120 - 61)
        self.assertLessEqual(hashes[-1], 400)
        self.assertGreater(hashes[-1], 400 - 7)
        self.assertGreaterEqual(hashes[0], states[0])
        poses = self.cat("/robot/pose")
        self.assertEqual(len(poses), 400 - states[0] + 1)
        self.assertFalse(os.path.exists(self.path("run-1.mcap")))

    def test_whole(self):
        """It is a recording as any other, with scene, poses of all objects, and where it began and ended."""
        done = self.run_program("drive(400)\nprint(ask())\nfinish()")
        self.assertEqual(done.stdout.split(), ["run.mcap"])
        info = self.info()
        for words in ("scene/scene.json", "/orrery/inputs", "/orrery/log", "/orrery/faults", "/robot/motion"):
            self.assertIn(words, info)
        first = self.cat("/orrery/poses")[0]["transforms"]
        self.assertIn("robot.pose", {each["child_frame_id"] for each in first} | {"robot.pose"})
        self.assertGreaterEqual(len(first), 1)

    def test_read_by_others(self):
        """@mcap/core reads it by its index and as a stream, with all checksums."""
        support.need(self, support.lacks_modules("@mcap/core"))
        self.run_program("drive(400)\nask()\nfinish()", compression="none")
        done = subprocess.run(["node", os.path.join(HERE, "read-recording.js")], text=True, capture_output=True,
                              input=json.dumps({"path": self.path("run.mcap")}),
                              env=dict(os.environ, NODE_PATH=support.NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        read = json.loads(done.stdout)
        self.assertEqual(sorted(read["index"]["data"]), sorted(read["stream"]["data"]))
        self.assertEqual(read["index"]["topics"]["/robot/pose"], len(self.cat("/robot/pose")))
        self.assertIn("scene/scene.json", read["index"]["attachments"])

    def test_replayed(self):
        """It runs again from its state, with the inputs behind it, and goes as it went."""
        self.run_program("drive(400)\nask()\ndrive(50)\nfinish()")
        done = self.orrery("replay", self.path("run.mcap"))
        self.check(done, 0, "400 ticks", "goes as it went")
        compared = int(done.stdout.split("ticks, ")[1].split()[0])
        self.assertGreater(compared, 2 * 120)

    def test_early(self):
        """Before so much time has passed, all is there, from the first tick on."""
        self.run_program("drive(60)\nask()\nfinish()", keep_last=30.0)
        self.assertEqual(len(self.cat("/robot/pose")), 60)
        self.check(self.orrery("replay", self.path("run.mcap")), 0, "60 ticks", "goes as it went")

    def test_not_asked(self):
        """Without a call there is no file; an open recorder has not touched what was there."""
        self.write("run.mcap", "mine")
        self.run_program("drive(100)\nfinish()")
        with open(self.path("run.mcap"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine")

    def test_several(self):
        """Each call makes a file of its own; one at a time, which the second is told."""
        self.run_program(
            "drive(200)\n"
            "names = [ask()]\n"
            "while simulation.call(%r, 'is_saving'):\n"
            "    drive(1)\n"
            "drive(100)\n"
            "names.append(ask())\n"
            "try:\n"
            "    ask()\n"
            "    raise SystemExit('was not refused')\n"
            "except GLib.Error as error:\n"
            "    assert 'already' in str(error), error\n"
            "finish()\n"
            "assert names == ['run.mcap', 'run-1.mcap'], names\n" % RECORDER)
        ends = [self.cat("/orrery/hash", name)[-1]["ticks"] for name in ("run.mcap", "run-1.mcap")]
        self.assertGreaterEqual(ends[1] - ends[0], 100 - 6)
        for name in "run.mcap", "run-1.mcap":
            self.check(self.orrery("replay", self.path(name)), 0, "goes as it went")

    def test_bounded(self):
        """Where memory is too small the oldest go first, which is counted, and what is left begins with a state."""
        self.run_program("drive(3000)\nask()\nfinish()", keep_last=40.0, keep_size=1)
        info = self.info()
        states = [each["ticks"] for each in self.cat("/orrery/states")]
        self.assertGreater(states[0], 3000 - 40 * 60)
        hashes = [each["ticks"] for each in self.cat("/orrery/hash")]
        self.assertGreaterEqual(hashes[0], states[0])
        self.assertGreater(int(info.split("dropped")[1].split()[0].strip('",:=')), 100)
        self.check(self.orrery("replay", self.path("run.mcap")), 0, "3000 ticks", "goes as it went")

    def test_without_states(self):
        """The seconds are exact then, and a replay says that there is nothing to begin from."""
        self.run_program("drive(400)\nask()\nfinish()", states=0.0)
        self.assertIn(len(self.cat("/robot/pose")), (120, 121))
        done = self.orrery("replay", self.path("run.mcap"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("has no state", done.stderr)

    def test_reset(self):
        """A new epoch forgets what was before it."""
        self.run_program("drive(200)\nsimulation.reset()\ndrive(30)\nask()\nfinish()")
        self.assertEqual(len(self.cat("/robot/pose")), 30)

    def test_mistakes(self):
        self.write("scene.json", support.SCENE)
        for properties, words in (({"keep_last": 1, "split": 1}, "keep_last has no file"), ({"keep_last": -1}, "keep"),
                                  ({"keep_last": 1, "keep_size": 0}, "keep")):
            done = self.orrery("run", "scene.json", "--for", "1", "--fast", "--offline", "--observer",
                               RECORDER + " " + json.dumps(properties))
            self.assertNotEqual(done.returncode, 0, properties)
            self.assertIn(words, done.stderr)

    def test_all_goes_to_files(self):
        """Who has no keep_last is told so."""
        self.run_program("drive(10)\ntry:\n    ask()\n    raise SystemExit('was not refused')\n"
                         "except GLib.Error as error:\n    assert 'keep_last' in str(error), error\nfinish()", keep_last=0.0)

    def test_client(self):
        """A client calls it while the run goes on, or is paused; that is no input of the run."""
        process = self.start("run", "scene.json", "--start", "0", "--observer",
                             RECORDER + " " + json.dumps({"file": self.path("run.mcap"), "keep_last": 600}))
        port = self.services_port(process)
        self.check(self.orrery("call", "--port", port, "robot.motion", "set_speed", "0.5", "0.1"), 0)
        self.check(self.orrery("call", "--port", port, "simulation", "pause"), 0)
        self.check(self.orrery("call", "--port", port, RECORDER, "save_last"), 0, "run.mcap")
        self.check(self.orrery("call", "--port", port, "simulation", "quit"), 0)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        called = [each.get("service") for each in self.cat("/orrery/inputs")]
        self.assertIn("set_speed", called)
        self.assertNotIn("save_last", called)
        self.check(self.orrery("replay", self.path("run.mcap")), 0, "goes as it went")

    def test_lost(self):
        """A file that cannot be written is told, and the run goes on."""
        self.run_program(
            "drive(100)\nask()\n"
            "while simulation.call(%r, 'is_saving'):\n    drive(1)\n"
            "assert any('none/run.mcap' in line for line in simulation.report['lost']), simulation.report['lost']\n"
            "drive(10)\nfinish()" % RECORDER, path="none/run.mcap")


if __name__ == "__main__":
    tap.main()
