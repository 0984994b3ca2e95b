# SPDX-License-Identifier: BSD-3-Clause
"""Each file of a recorder that begins another now and then begins with a state, and is run again by itself."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

# It is told where to go while it runs, so that a replay needs the inputs.
DRIVE = """
import json
import sys

import orrery

sim = orrery.load(sys.argv[1], hash=True, pacing=orrery.Pacing.FAST, offline=True, start=100.0)
sim.record("run.mcap", **json.loads(sys.argv[2]))
for number in range(int(sys.argv[3])):
    sim["robot.motion"].data.v = 0.1 * (number % 7)
    sim["robot.motion"].data.w = 0.2 - 0.1 * (number % 3)
    sim.step(7)
print("hash %016x" % sim.hash)
sim.close()
"""

SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "physics": "orrery.physics.bullet.Bullet" },
  "objects": [
    { "name": "ground", "shapes": [ { "kind": "box", "size": [20, 20, 0.1] } ], "position": [0, 0, -0.1] },
    { "name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [0, 0, 0.2], "objects": [
      { "name": "pose", "classpath": "orrery.sensors.pose.Pose" },
      { "name": "slow", "classpath": "orrery.sensors.pose.Pose", "frequency": 0.1 },
      { "name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW" } ] } ]
}
"""


class FileCase(support.ProgramCase):
    def record(self, n=60, **properties):
        """Returns the hash of the run."""
        self.write("drive.py", DRIVE)
        done = self.orrery("python", "drive.py", self.write("scene.json", SCENE), json.dumps(properties), str(n))
        self.check(done, 0)
        return self.hash_of(done)

    def hash_of(self, done):
        return [line for line in done.stdout.splitlines() if line.startswith("hash ")][0]

    def files(self):
        """In their order."""
        names = [name for name in os.listdir(self.directory) if name.endswith(".mcap")]
        return sorted(names, key=lambda name: int("0" + name[4:-5]))

    def cat(self, name, topic=None):
        done = self.orrery("recording", "cat", name, *(("--topic", topic) if topic else ()))
        self.check(done, 0)
        return [json.loads(line) for line in done.stdout.splitlines()]


class Files(FileCase):
    def check_each(self, names, value):
        """Each goes as it went; returns the numbers of ticks after which they begin."""
        starts = []
        for name in names:
            lines = self.cat(name)
            first = [line for line in lines if line["topic"] == "/orrery/states"]
            if starts or name != "run.mcap":
                self.assertEqual(first[0]["time"], lines[0]["time"], name)
            done = self.orrery("replay", name, "--hash")
            self.check(done, 0, "goes as it went")
            self.assertNotIn("cut off", done.stderr)
            if name == names[-1]:
                self.assertEqual(self.hash_of(done), value)
            starts.append(first[0]["data"]["ticks"])
        return starts

    def test_by_time(self):
        """Files that begin at times at which no state would be due otherwise; the newest ones are left."""
        value = self.record(split_time=1.3, keep=3)
        names = self.files()
        self.assertEqual(names, ["run-3.mcap", "run-4.mcap", "run-5.mcap"])
        starts = self.check_each(names, value)
        self.assertEqual(starts, [1 + 78 * number for number in (3, 4, 5)])

    def test_from_a_time(self):
        """--from counts from the start of the run, in each file."""
        value = self.record(split_time=1.3)
        done = self.orrery("replay", "run-3.mcap", "--from", "4.5", "--hash")
        self.check(done, 0, "goes as it went")
        self.assertIn("begins at tick 235,", done.stderr)
        done = self.orrery("replay", "run-5.mcap", "--from", "1", "--hash")
        self.check(done, 0, "goes as it went")
        self.assertEqual(self.hash_of(done), value)

    def test_by_size(self):
        value = self.record(n=300, split=1, compression="none")
        names = self.files()
        self.assertGreater(len(names), 1)
        self.check_each(names, value)

    def test_without_states(self):
        """Such files are there to be read; a replay says what is missing."""
        self.record(split_time=1.3, states=0)
        done = self.orrery("replay", "run-1.mcap")
        self.check(done, 65, "it begins at tick 79 and has no state")
        done = self.orrery("replay", "run.mcap")
        self.check(done, 0, "goes as it went")


class Few(FileCase):
    def states(self):
        return [line["data"]["ticks"] for line in self.cat("run.mcap", "/orrery/states")]

    def test_hardly_a_record(self):
        """A run as fast as it goes has a state for each second, also where next to nothing is written beside."""
        for number, properties in enumerate(({"only": "slow", "poses": 0}, {"only": "slow", "poses": 0, "log": False, "hashes": 0})):
            with self.subTest(properties=properties):
                self.record(n=600, **properties)
                self.assertEqual(self.states(), list(range(1, 4201, 60)))
                self.check(self.orrery("replay", "run.mcap"), 0)
                os.rename(self.path("run.mcap"), self.path("old%d" % number))


if __name__ == "__main__":
    tap.main()
