#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a recording leaves out or rounds so that it is smaller, and who says so; and one that holds inputs alone."""

import json
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import recordings
import support
import tap

LASER = "orrery.sensors.laserscanner."
SCENE = {
    "orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 3, "start": 0},
    "objects": [
        {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [1, 2, 0.1], "objects": [
            {"name": "scan", "classpath": LASER + "RSSILaserScanner", "frequency": 10,
             "properties": {"scan_window": 180, "resolution": 7, "laser_range": 20}},
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]},
        {"name": "wall", "position": [4, 0.3, 0], "body": {"type": "static"}, "rotation": [0, 0, 0.3],
         "shapes": [{"kind": "box", "size": [0.2, 7, 20]}]}]}

# A robot that turns while it drives, told by a program.
PROGRAM = """
import json, sys
import orrery

simulation = orrery.load("scene.json", seed=3, listen=False, hash=True)
simulation.record("run.mcap", **json.loads(sys.argv[1]))
for i in range(int(sys.argv[2])):
    simulation["robot.motion"].data.v, simulation["robot.motion"].data.w = 0.2 + 0.1 * (i % 3), 0.3
    simulation.step(10)
print("%016x" % simulation.hash)
simulation.close()
"""


def to_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def replace(path, target, old, new):
    """A copy of a recording up to its summary, in whose chunks other bytes of the same length are in the place of some."""
    with open(path, "rb") as file:
        data = file.read()
    out, at = [data[:8]], 8
    while data[at] != 0x0F:
        kind, size = struct.unpack_from("<BQ", data, at)
        body = data[at + 9:at + 9 + size]
        at += 9 + size
        if kind == 0x06:
            # Without a checksum, which is 0 then.
            body = body[:24] + bytes(4) + body[28:].replace(old, new)
        out.append(recordings.record(kind, body))
    with open(target, "wb") as file:
        file.write(b"".join(out))


class FormCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", json.dumps(SCENE))
        self.write("program.py", PROGRAM)

    def record(self, n=12, code=0, words="", **properties):
        """Returns the hash."""
        done = self.orrery("python", self.path("program.py"), json.dumps(properties), str(n))
        self.check(done, code, words)
        return done.stdout.strip()

    def run_with(self, *options, name="run.mcap"):
        self.check(self.orrery("run", "scene.json", "--for", "1", "--fast", "--offline", "--record", self.path(name), *options), 0)

    def cat(self, topic, name="run.mcap"):
        done = self.orrery("recording", "cat", self.path(name), "--topic", topic)
        self.check(done, 0)
        return [json.loads(line)["data"] for line in done.stdout.splitlines()]

    def ask(self, code):
        done = self.orrery("python", "-c", "import json, orrery\nrecording = orrery.open_recording('run.mcap')\n" + code)
        self.check(done, 0)
        return done.stdout.strip()

    def describe(self):
        """The metadata of the channel of the scan, and its schema."""
        code = ("reader = recording._reader\n"
                "one = next(c for c in map(reader.get_channel, range(reader.get_n_channels())) if c.topic == '/robot/scan')\n"
                "print(json.dumps([one.metadata.unpack(), json.loads(one.schema.get_data())]))")
        return json.loads(self.ask(code))


class Scan(FormCase):
    def test_default(self):
        """Ranges are those of the run, rounded to a float; points are left out, and the file says both."""
        self.run_with()
        self.run_with("--record-full", name="full.mcap")
        short, full = self.cat("/robot/scan"), self.cat("/robot/scan", "full.mcap")
        self.assertEqual(len(short), len(full))
        self.assertGreater(len(short), 8)
        self.assertEqual(list(short[0]), ["timestamp", "range_list", "remission_list"])
        self.assertEqual(list(full[0]), ["timestamp", "point_list", "range_list", "remission_list"])
        for one, other in zip(short, full):
            for name in "range_list", "remission_list":
                self.assertEqual([to_float(value) for value in one[name]], [to_float(value) for value in other[name]])
        numbers = [value for one in short for value in one["range_list"] if value < 20]
        self.assertGreater(len(numbers), 50)
        self.assertTrue(all(len(re.sub(r"[^0-9]", "", repr(value)).lstrip("0")) <= 9 for value in numbers), numbers)
        self.assertGreater(max(len(repr(value)) for one in full for value in one["range_list"]), 12)
        self.assertLess(os.path.getsize(self.path("run.mcap")), os.path.getsize(self.path("full.mcap")))
        metadata, schema = self.describe()
        self.assertEqual((metadata["left_out"], metadata["float32"]), ("point_list", "range_list remission_list"))
        self.assertNotIn("point_list", schema["properties"])
        self.assertRegex(schema["properties"]["range_list"]["description"], "^m: .*, as float32$")

    def test_each(self):
        """Both are chosen by properties of their own."""
        for properties, left_out, float32 in (({"precise": True}, "point_list", None),
                                              ({"derived": True}, None, "point_list range_list remission_list"),
                                              ({"precise": True, "derived": True}, None, None)):
            self.record(**properties)
            metadata, schema = self.describe()
            self.assertEqual((metadata.get("left_out"), metadata.get("float32")), (left_out, float32))
            self.assertEqual("point_list" in schema["properties"], left_out is None)
            scan = self.cat("/robot/scan")[-1]
            self.assertEqual("point_list" in scan, left_out is None)
            digits = max(len(repr(value)) for value in scan["range_list"])
            self.assertEqual(digits > 12, float32 is None, digits)
            if "point_list" in scan and float32:
                self.assertLess(max(len(repr(value)) for point in scan["point_list"] for value in point), 17)
            self.check(self.orrery("replay", self.path("run.mcap")), 0, "goes as it went")

    def test_replay(self):
        """All that was recorded is compared, and what was not is named."""
        self.record()
        done = self.orrery("replay", self.path("run.mcap"))
        self.check(done, 0, "goes as it went")
        self.assertIn("robot.scan: point_list was left out of the recording, and is compared by the hashes alone", done.stdout)
        self.record(hashes=0)
        done = self.orrery("replay", self.path("run.mcap"))
        self.assertIn("robot.scan: point_list was left out of the recording, and is not compared", done.stdout)
        self.record(derived=True)
        self.assertNotIn("left out", self.orrery("replay", self.path("run.mcap")).stdout)

    def test_differences(self):
        """A difference that a float shows is found in its field, a smaller one by the hash."""
        self.record(poses=0)
        forged = self.path("forged.mcap")
        for x, words in ((4.001, r"/robot/scan: range_list\.\d+: \d+\.\d+ was recorded"), (4 + 1e-9, "hash of all poses and records")):
            self.forge(self.path("run.mcap"), forged, x)
            done = self.orrery("replay", forged)
            self.check(done, 1)
            self.assertRegex(done.stdout, words)

    def forge(self, path, target, x):
        """The wall is elsewhere in the scene of the file."""
        from test_replay import forge
        scene = json.loads(json.dumps(SCENE))
        scene["objects"][1]["position"][0] = x
        forge(path, target, lambda name, content: (name, json.dumps(scene).encode() if name == "scene/scene.json" else content))

    def test_diff(self):
        """Two recordings of one run are equal, whatever their form; what only one of them has is said."""
        self.run_with()
        self.run_with("--record-full", name="full.mcap")
        done = self.orrery("diff", "run.mcap", "full.mcap")
        self.check(done, 0)
        self.assertEqual(done.stdout, "/robot/scan: point_list was not compared: run.mcap has left it out\n")
        done = self.orrery("diff", "full.mcap", "run.mcap", "--json")
        self.check(done, 0)
        scan = next(each for each in json.loads(done.stdout)["topics"] if each["topic"] == "/robot/scan")
        self.assertEqual((scan["different"], scan["not_compared"]), (0, ["point_list"]))
        self.assertEqual(self.orrery("diff", "run.mcap", "run.mcap").stdout, "")
        # Control: another run differs in its ranges.
        other = json.loads(json.dumps(SCENE))
        other["objects"][1]["position"][0] = 4.001
        self.write("scene.json", json.dumps(other))
        self.run_with("--record-full", name="full.mcap")
        done = self.orrery("diff", "run.mcap", "full.mcap")
        self.check(done, 1)
        self.assertRegex(done.stdout, r"range_list +0\.00\d+ m at most")

    def test_again(self):
        """A replay gives back what was left out, also with --open-loop."""
        self.run_with("--record-full", name="full.mcap")
        self.run_with()
        self.check(self.orrery("replay", self.path("run.mcap"), "--record", self.path("again.mcap"), "--record-full"), 0)
        self.assertEqual(self.cat("/robot/scan", "again.mcap"), self.cat("/robot/scan", "full.mcap"))
        options = ["--set", "robot.pose.frequency=10", "--open-loop", "--record", self.path("open.mcap"), "--record-full"]
        self.check(self.orrery("replay", self.path("run.mcap"), *options), 0)
        self.assertEqual(self.cat("/robot/scan", "open.mcap"), self.cat("/robot/scan", "full.mcap"))

    def test_readers(self):
        """Python reads the rest as ever, and says of the points what they would need."""
        self.record()
        self.assertEqual(self.ask("print(recording['robot.scan']['range_list'].shape[1])"), "26")
        self.assertIn("derived=True", self.ask("try:\n    recording['robot.scan']['point_list']\nexcept KeyError as error:\n"
                                               "    print(error)"))
        self.check(self.orrery("recording", "export", self.path("run.mcap"), "-o", self.path("tables")), 0)
        with open(self.path("tables/robot.scan.csv"), encoding="utf-8") as file:
            self.assertEqual(file.readline().strip(), "time,timestamp,range_list,remission_list")

    def test_forged_metadata(self):
        """Names of fields that the scene does not have are an error."""
        self.record(compression="none")
        for old, new, words in (("point_list", "pxint_list", "no field 'pxint_list'; did you mean point_list"),
                                ("robot.scan", "robot.pose", "no field 'range_list'; there is: ")):
            key = "left_out" if old == "point_list" else "component"
            replace(self.path("run.mcap"), self.path("bad.mcap"), recordings.text(key) + recordings.text(old),
                    recordings.text(key) + recordings.text(new))
            done = self.orrery("replay", self.path("bad.mcap"))
            self.check(done, 65, words)
            self.assertIn("/robot/scan: the form of its records: ", done.stderr)


class Inputs(FormCase):
    def test_replay(self):
        """It is run again to the hash that it had, also from its middle; it has nothing else."""
        value = self.record(n=30, contents="inputs", states=1)
        topics = json.loads(self.ask("print(json.dumps(sorted(set(m.topic for m in recording))))"))
        self.assertEqual([topic for topic in topics if topic != "/orrery/log"], ["/orrery/hash", "/orrery/inputs", "/orrery/states"])
        for options in (), ("--from", "2.5"):
            done = self.orrery("replay", self.path("run.mcap"), "--hash", *options)
            self.check(done, 0, "goes as it went")
            self.assertIn("hash " + value, done.stdout)
        self.check(self.orrery("replay", self.path("run.mcap"), "--record", self.path("whole.mcap")), 0)
        self.assertEqual(len(self.cat("/robot/scan", "whole.mcap")), 50)

    def test_option(self):
        """`orrery run --record-only=inputs`; info says what it is."""
        self.run_with("--record-only=inputs")
        self.assertEqual([each["ticks"] for each in self.cat("/orrery/states")], [1])
        done = self.orrery("recording", "info", self.path("run.mcap"))
        self.check(done, 0)
        self.assertIn("holds only what a replay needs: no records, no poses", done.stdout)
        self.assertRegex(done.stdout, r"orrery +contents +inputs")
        self.assertEqual(re.findall(r"^  (/\S+)", done.stdout, re.M),
                         ["/orrery/log", "/orrery/faults", "/orrery/inputs", "/orrery/hash", "/orrery/states"])
        self.check(self.orrery("replay", self.path("run.mcap")), 0, "goes as it went")
        self.run_with()
        self.assertNotIn("holds only", self.orrery("recording", "info", self.path("run.mcap")).stdout)

    def test_states(self):
        """One every ten seconds, if nothing is said of it, rather than each second."""
        self.record(n=125, contents="inputs")
        self.assertEqual([each["ticks"] for each in self.cat("/orrery/states")], [1, 601, 1201])
        self.record(n=13)
        self.assertEqual([each["ticks"] for each in self.cat("/orrery/states")], [1, 61, 121])

    def test_end(self):
        """States, inputs and hashes are there up to the last tick, where no record was for long, or none at all."""
        for properties in {"contents": "inputs"}, {"rate": 0.01, "poses": 0}:
            self.record(n=31, states=0.1, hashes=60, **properties)
            hashes = [each["ticks"] for each in self.cat("/orrery/hash")]
            self.assertEqual(hashes, list(range(1, 311)))
            self.assertEqual([each["tick"] for each in self.cat("/orrery/inputs")], [10 * i for i in range(31)])
            self.assertGreater(self.cat("/orrery/states")[-1]["ticks"], 303)

    def test_mistakes(self):
        """What cannot be recorded alone, and what goes with it."""
        for options, words in ((["--record-only=poses", "--record", "a.mcap"], "'poses' is nothing that can be recorded alone; there is inputs"),
                               (["--record-only=inputs"], "--record-only says how --record records, which is missing"),
                               (["--record-full"], "--record-full says how --record records, which is missing"),
                               (["--record-full", "--record-only=inputs", "--record", "a.mcap"], "of which --record-only=inputs has none")):
            self.check(self.orrery("run", "scene.json", "--for", "1", *options), 64, words)
            self.assertFalse(os.path.exists(self.path("a.mcap")))
        for properties, words in (({"contents": "poses"}, "contents: 'poses' is none of all, inputs"),
                                  ({"inputs": False}, "says that none are recorded"), ({"only": "pose"}, "nothing to choose from"),
                                  ({"foxglove": True}, "nothing to choose from"), ({"pictures": True}, "nothing to choose from")):
            done = self.orrery("python", self.path("program.py"), json.dumps(dict({"contents": "inputs"}, **properties)), "1")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(words, done.stderr)

    def test_files(self):
        """Files of a split run are each run again by themselves."""
        self.record(n=30, contents="inputs", split_time=2)
        for name in "run.mcap", "run-1.mcap", "run-2.mcap":
            self.check(self.orrery("replay", self.path(name)), 0, "goes as it went")


if __name__ == "__main__":
    tap.main()
