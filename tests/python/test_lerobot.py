# SPDX-License-Identifier: BSD-3-Clause
"""`orrery recording export --format lerobot`: data sets for training, and the Parquet files that they are made of."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PythonCase, missing  # noqa: E402
from python_case import scene  # noqa: E402

import recordings  # noqa: E402
import support  # noqa: E402
import tap  # noqa: E402

try:
    import h5py
except ImportError:
    h5py = None

if not missing():
    import numpy
    import orrery
    from orrery import _parquet

S = 1000000000
COMPONENTS = [("pose", "morse.sensors.pose.Pose"), ("scan", "orrery.sensors.laserscanner.LaserScanner"),
              ("motion", "morse.actuators.v_omega.MotionVW")]
CAMERA = ("camera", "morse.sensors.video_camera.VideoCamera", {"properties": {"cam_width": 63, "cam_height": 48}})


class Peer(PythonCase):
    """A reader of others."""

    def read(self, path):
        support.need(self, support.lacks_modules("hyparquet"))
        done = subprocess.run(["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "read-parquet.js"), path],
                              capture_output=True, text=True, env=dict(os.environ, NODE_PATH=support.NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Parquet(Peer):
    def test_types(self):
        """What hyparquet reads is what was written, to the last bit; NaN, too."""
        columns = [("a", numpy.array([-1, 0, 2**52], dtype="int64")), ("b.c", numpy.array([0.1, numpy.nan, -1e300])),
                   ("f", numpy.array([0.5, 1e-3, 3], dtype="float32")),
                   ("list", numpy.arange(6, dtype="float32").reshape(3, 2)), ("one", numpy.ones((3, 1))),
                   ("many", numpy.arange(3 * 300).reshape(3, 300))]
        _parquet.write(self.path("a.parquet"), columns, {"k\u00e9y": "v"})
        found = self.read(self.path("a.parquet"))
        for name, array in columns:
            expected = [["NaN" if x != x else x for x in row] if isinstance(row, list) else "NaN" if row != row else row
                        for row in array.tolist()]
            self.assertEqual([row[name] for row in found["rows"]], expected, name)
        self.assertEqual(found["words"], [{"key": "k\u00e9y", "value": "v"}])
        self.assertEqual([found["types"][name] for name in ("a", "b.c", "f")], ["INT64", "DOUBLE", "FLOAT"])

    def test_pages(self):
        """A column that is longer than a page."""
        self.addCleanup(setattr, _parquet, "PAGE_BYTES", _parquet.PAGE_BYTES)
        _parquet.PAGE_BYTES = 8000
        array = numpy.random.default_rng(1).random((107, 200), dtype="float32")
        _parquet.write(self.path("a.parquet"), [("x", array), ("i", numpy.arange(len(array)))])
        rows = self.read(self.path("a.parquet"))["rows"]
        self.assertGreater(os.path.getsize(self.path("a.parquet")), 10 * _parquet.PAGE_BYTES)
        self.assertEqual([row["i"] for row in rows], list(range(len(array))))
        numpy.testing.assert_array_equal(numpy.array([row["x"] for row in rows], dtype="float32"), array)

    def test_no_rows(self):
        _parquet.write(self.path("a.parquet"), [("a", numpy.zeros(0)), ("b", numpy.zeros((0, 3)))])
        self.assertEqual(self.read(self.path("a.parquet"))["rows"], [])

    def test_mistakes(self):
        for columns in ([("a", numpy.zeros(2)), ("b", numpy.zeros(3))], [("a", numpy.zeros(2, dtype="complex"))],
                        [("a", numpy.zeros((2, 2, 2)))], [("a", numpy.zeros((2, 0)))]):
            with self.assertRaisesRegex(ValueError, "no column of"):
                _parquet.write(self.path("a.parquet"), columns)
        self.assertFalse(os.path.exists(self.path("a.parquet")))


class LeRobotCase(Peer):
    def export(self, *arguments, code=0):
        done = subprocess.run([support.PROGRAM, "recording", "export", "--format", "lerobot", *arguments], text=True,
                              capture_output=True, cwd=self.directory, env=dict(os.environ, LC_ALL="C.UTF-8"))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def info(self, name="set"):
        with open(self.path(name + "/meta/info.json"), encoding="utf-8") as file:
            return json.load(file)

    def lines(self, which, name="set"):
        with open(self.path("%s/meta/%s.jsonl" % (name, which)), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def rows(self, number, name="set"):
        return self.read(self.path("%s/data/chunk-000/episode_%06d.parquet" % (name, number)))["rows"]

    def file(self, name, messages, **options):
        with open(self.path(name), "wb") as file:
            file.write(recordings.recording(messages, **options))
        return name


class Runs(LeRobotCase):
    """Data sets of runs."""

    def record(self, name, components=COMPONENTS, ticks=180, **properties):
        self.write("arena.json", scene(*components))
        with orrery.load(self.path("arena.json"), seed=3, listen=False) as simulation:
            simulation.record(self.path(name), **properties)
            for tick in range(ticks):
                simulation["robot.motion"].set_speed(0.5 + tick // 60, 0.0)
                simulation.step()

    def test_episodes(self):
        """Each recording is an episode; each frame has what was newest at its time."""
        self.record("a.mcap")
        self.record("b.mcap", ticks=120)
        self.assertEqual(self.export("a.mcap", "b.mcap", "-o", "set", "--fps", "30", "--task", "drive"), "")
        info = self.info()
        self.assertEqual([info[key] for key in ("codebase_version", "total_episodes", "total_frames", "fps", "robot_type")],
                         ["v2.1", 2, 90 + 60, 30, "arena"])
        self.assertEqual(info["splits"], {"train": "0:2"})
        state, action = info["features"]["observation.state"], info["features"]["action"]
        self.assertEqual((state["dtype"], state["shape"]), ("float32", [len(state["names"])]))
        self.assertEqual(action["names"], ["robot.motion.v", "robot.motion.w"])
        self.assertEqual(self.lines("episodes"), [{"episode_index": 0, "tasks": ["drive"], "length": 90},
                                                  {"episode_index": 1, "tasks": ["drive"], "length": 60}])
        self.assertEqual(self.lines("tasks"), [{"task_index": 0, "task": "drive"}])
        rows = self.rows(0)
        # 60 Hz: every second record.
        x = orrery.open_recording(self.path("a.mcap"))["robot.pose"]["x"][::2].astype("float32")
        at = state["names"].index("robot.pose.x")
        self.assertEqual([row["observation.state"][at] for row in rows], x.tolist())
        self.assertEqual([row["action"][0] for row in rows], [0.5] * 30 + [1.5] * 30 + [2.5] * 30)
        self.assertEqual([len(row["observation.robot.scan.range_list"]) for row in rows],
                         info["features"]["observation.robot.scan.range_list"]["shape"] * 90)
        self.assertEqual([row["frame_index"] for row in rows], list(range(90)))
        numpy.testing.assert_array_equal(numpy.array([row["timestamp"] for row in rows], dtype="float32"),
                                         (numpy.arange(90) / 30).astype("float32"))
        later = self.rows(1)
        self.assertEqual([row["index"] for row in later], list(range(90, 150)))
        self.assertEqual({(row["episode_index"], row["task_index"]) for row in later}, {(1, 0)})
        self.assertEqual({name for name in rows[0]}, set(info["features"]))

    def test_stats(self):
        self.record("a.mcap")
        self.export("a.mcap", "-o", "set")
        stats = self.lines("episodes_stats")[0]["stats"]
        states = numpy.array([row["observation.state"] for row in self.rows(0)])
        for name in "min", "max", "mean", "std":
            numpy.testing.assert_allclose(stats["observation.state"][name], getattr(states, name)(axis=0), rtol=1e-12, atol=1e-12)
        self.assertEqual(stats["observation.state"]["count"], [len(states)])
        self.assertEqual(set(stats), set(self.info()["features"]))

    def test_choice(self):
        self.record("a.mcap")
        self.export("a.mcap", "-o", "set", "--topic", "/robot/pose", "--action", "/robot/scan", "--from", "1", "--to", "2")
        features = self.info()["features"]
        self.assertTrue(all(name.startswith("robot.pose.") for name in features["observation.state"]["names"]))
        self.assertIn("action.robot.scan.range_list", features)
        self.assertNotIn("action", features)
        self.assertEqual(self.info()["total_frames"], 11)

    def test_pictures(self):
        """Pictures are films with a frame for each row."""
        for program in "ffmpeg", "ffprobe":
            support.need(self, None if shutil.which(program) else "no " + program)
        self.record("a.mcap", components=COMPONENTS + [CAMERA], pictures=True)
        self.assertEqual(self.export("a.mcap", "-o", "set"), "")
        info = self.info()
        key = "observation.images.robot.camera"
        self.assertEqual((info["features"][key]["dtype"], info["features"][key]["shape"]), ("video", [48, 64, 3]))
        self.assertEqual(info["total_videos"], 1)
        path = info["video_path"].format(episode_chunk=0, episode_index=0, video_key=key)
        done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                               "stream=codec_name,width,height,nb_read_frames,r_frame_rate", "-of", "json",
                               self.path("set/" + path)], capture_output=True, text=True)
        stream = json.loads(done.stdout)["streams"][0]
        self.assertEqual((stream["codec_name"], stream["width"], stream["height"], stream["r_frame_rate"]), ("h264", 64, 48, "10/1"))
        self.assertEqual(int(stream["nb_read_frames"]), info["total_frames"])
        # The film shows the picture that was recorded.
        raw = subprocess.run(["ffmpeg", "-v", "error", "-i", self.path("set/" + path), "-frames:v", "1", "-f", "rawvideo",
                              "-pix_fmt", "rgb24", "-"], capture_output=True).stdout
        shown = numpy.frombuffer(raw, dtype="uint8").reshape(48, 64, 3)[:, :63].astype(float)
        recorded = orrery.open_recording(self.path("a.mcap"))["robot.camera"]["image"][0, :, :, :3].astype(float)
        self.assertGreater(recorded.std(), 5)
        self.assertLess(numpy.abs(shown - recorded).mean(), 8)
        stats = self.lines("episodes_stats")[0]["stats"][key]
        self.assertEqual(numpy.array(stats["mean"]).shape, (3, 1, 1))
        self.assertAlmostEqual(stats["mean"][0][0][0], recorded[:, :, 0].mean() / 255, delta=0.1)

    def test_without_ffmpeg(self):
        """Pictures are left out, and that is said."""
        self.record("a.mcap", components=COMPONENTS + [CAMERA], pictures=True)
        os.mkdir(self.path("bin"))
        for name in "sh", "python3":
            os.symlink(shutil.which(name), self.path("bin/" + name))
        done = subprocess.run([support.PROGRAM, "recording", "export", "--format", "lerobot", "a.mcap", "-o", "set"], text=True,
                              capture_output=True, cwd=self.directory,
                              env=dict(os.environ, LC_ALL="C.UTF-8", PATH=self.path("bin"), ORRERY_PYTHON=sys.executable))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("pictures of /robot/camera are left out: there is no ffmpeg", done.stderr)
        self.assertNotIn("observation.images.robot.camera", self.info()["features"])


class Hostile(LeRobotCase):
    """Recordings that come from anywhere, and mistakes."""

    def test_what_is_missing(self):
        """Null, numbers beyond all types and truth values are numbers; statistics do without what is missing."""
        self.file("a.mcap", [("/x", 0, {"a": 1, "b": None, "c": True, "d": "text"}),
                             ("/x", S, {"a": 10**400, "b": None, "c": False, "d": "y"})])
        self.export("a.mcap", "-o", "set", "--fps", "1")
        self.assertEqual([row["observation.state"] for row in self.rows(0)], [[1, "NaN", 1], ["NaN", "NaN", 0]])
        self.assertEqual(self.lines("episodes_stats")[0]["stats"]["observation.state"]["mean"], [1.0, 0.0, 0.5])

    def test_fields_that_change(self):
        for name, later, words in (("more", {"a": 1, "b": 2}, "x.b is new"),
                                   ("fewer", {}, "x.a is missing"),
                                   ("longer", {"a": [0] * 18}, "x.a is new")):
            with self.subTest(name):
                self.file("a.mcap", [("/x", 0, {"a": 1}), ("/x", S, later)])
                self.assertIn(words, self.export("a.mcap", "-o", "set", "--fps", "1", code=65))
                self.assertFalse(os.path.exists(self.path("set")))
        self.file("a.mcap", [("/x", 0, {"a": [0] * 17}), ("/x", S, {"a": [0] * 18})])
        self.assertIn("x.a has 18 items, and had 17", self.export("a.mcap", "-o", "set", "--fps", "1", code=65))
        self.assertEqual(os.listdir(self.directory), ["a.mcap"])

    def test_episodes_that_differ(self):
        self.file("a.mcap", [("/x", 0, {"a": 1})])
        self.file("b.mcap", [("/x", 0, {"b": 1})])
        self.file("c.mcap", [("/y", 0, {"a": 1})])
        self.assertIn("b.mcap: x.a is missing", self.export("a.mcap", "b.mcap", "-o", "set", code=65))
        self.assertIn("no topic '/x'", self.export("a.mcap", "c.mcap", "-o", "set", code=69))

    def test_a_long_time(self):
        """Two messages that are centuries apart are no reason to fill the disk."""
        self.file("a.mcap", [("/x", 0, {"a": 1}), ("/x", 2**62, {"a": 1})])
        self.assertIn("more than 1000000 frames", self.export("a.mcap", "-o", "set", "--fps", "10000", code=65))

    def test_no_numbers(self):
        self.file("a.mcap", [("/x", 0, {"a": "b"})])
        self.assertIn("no numbers", self.export("a.mcap", "-o", "set", code=65))
        self.file("a.mcap", [("/x", 0, b"[1]")])
        self.assertIn("/x has no messages", self.export("a.mcap", "-o", "set", code=65))

    def test_pictures(self):
        """A size that is not that of the picture, or none."""
        for name, shape, words in (("other", [2, 2, 4], "has 3 bytes, not 16"), ("none", None, "their size is not known"),
                                   ("odd", [1, 2**40, 3], "not known"), ("channels", [1, 1, 7], "not known")):
            with self.subTest(name):
                field = dict({"contentEncoding": "base64"}, **({"shape": shape} if shape else {}))
                self.file("a.mcap", [("/x", 0, {"image": "AAAA", "a": 1})], schemas={"/x": {"properties": {"image": field}}})
                self.assertIn(words, self.export("a.mcap", "-o", name, code=65 if name == "other" else 0))

    def test_a_full_disk(self):
        """Nothing of the data set is left."""
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("this user cannot mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", disk])
        self.file("a.mcap", [("/x", time * S, {"a": list(range(1000))}) for time in range(100)])
        self.assertIn("No space left", self.export("a.mcap", "-o", os.path.join(disk, "set"), code=74))
        self.assertEqual(os.listdir(disk), [])

    def test_mistakes(self):
        self.file("a.mcap", [("/x", 0, {"a": 1})])
        os.mkdir(self.path("full"))
        self.write("full/file", "")
        self.assertIn("no empty directory", self.export("a.mcap", "-o", "full", code=74))
        self.assertIn("none.mcap", self.export("none.mcap", "-o", "set", code=66))
        self.assertIn("no topic '/z'", self.export("a.mcap", "-o", "set", "--topic", "/z", code=69))
        self.assertIn("no topic '/z'", self.export("a.mcap", "-o", "set", "--action", "/z", code=69))
        self.assertIn("no topic of a sensor", self.export("a.mcap", "-o", "set", "--action", "/x", code=65))
        self.assertIn("--fps", self.export("a.mcap", "-o", "set", "--fps", "-1", code=64))
        self.assertIn("no action", self.export("a.mcap", "-o", "set"))
        os.mkdir(self.path("empty"))
        self.export("a.mcap", "-o", "empty")
        self.assertEqual(len(os.listdir(self.path("empty"))), 2)

    def test_formats(self):
        """--format names what the file does not say."""
        self.file("a.mcap", [("/x", 0, {"a": 1})])
        for form, check in (("npz", lambda path: numpy.load(path)["x/a"]), ("csv", os.listdir),
                            ("hdf5", lambda path: h5py.File(path)["x/a"])):
            if form == "hdf5" and h5py is None:
                continue
            subprocess.run([support.PROGRAM, "recording", "export", "a.mcap", "-o", form, "--format", form], check=True,
                           cwd=self.directory)
            self.assertEqual(len(check(self.path(form))), 1)
        for arguments, words in ((["--format", "xls"], "none of csv"), (["--format", "csv", "--fps", "3"], "are for --format lerobot"),
                                 (["--format", "csv", "b.mcap"], "several")):
            done = subprocess.run([support.PROGRAM, "recording", "export", "a.mcap", "-o", "x", *arguments], capture_output=True,
                                  text=True, cwd=self.directory)
            self.assertEqual(done.returncode, 64)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    tap.main()
