# SPDX-License-Identifier: BSD-3-Clause
"""Recordings as arrays."""

import json
import os
import subprocess
import sys
import zipfile

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
    from gi.repository import GLib

COMPONENTS = [("pose", "morse.sensors.pose.Pose"), ("odometry", "morse.sensors.odometry.Odometry"),
              ("scan", "orrery.sensors.laserscanner.LaserScanner")]


def small_recording(topic, data):
    return recordings.recording([(topic, 5, data)])


class Recording(PythonCase):
    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS))
        subprocess.run([support.PROGRAM, "run", self.path("scene.json"), "--for", "2", "--fast", "--quiet", "--record",
                        self.path("run.mcap")], check=True, cwd=self.directory)
        self.recording = orrery.open_recording(self.path("run.mcap"))

    def test_arrays(self):
        pose = self.recording["robot.pose"]
        n = len([each for each in self.recording if each.topic == "/robot/pose"])
        self.assertGreater(n, 100)
        self.assertEqual((pose["x"].shape, pose["x"].dtype), ((n,), numpy.dtype("float64")))
        self.assertEqual(pose.time.shape, (n,))
        self.assertTrue(numpy.all(numpy.diff(pose.time) > 0))
        self.assertEqual(list(pose["timestamp"]),
                         [each.data["timestamp"] for each in self.recording.messages(["robot.pose"])])
        self.assertIn("yaw", pose)

    def test_lists(self):
        ranges = self.recording["robot.scan"]["range_list"]
        self.assertEqual(ranges.ndim, 2)
        self.assertEqual(ranges.shape[0], len(self.recording["robot.scan"].time))

    def test_order(self):
        times = [each.time for each in self.recording]
        self.assertEqual(times, sorted(times))
        part = [each.time for each in self.recording.messages(start=0.5, end=1.0)]
        self.assertEqual(part, [time for time in times if 0.5 <= time <= 1.0])

    def test_rest(self):
        self.assertTrue(self.recording.is_whole)
        self.assertEqual(self.recording.problems, [])
        self.assertIn("seed", self.recording.metadata["orrery"])
        self.assertRegex(repr(self.recording), r"^<orrery.Recording run.mcap: \d{3,} messages of 10 topics, from ")
        with open(self.path("scene.json"), "rb") as file:
            self.assertEqual(self.recording.attachments["scene/scene.json"], file.read())

    def test_mistakes(self):
        with self.assertRaisesRegex(KeyError, "did you mean"):
            self.recording["robot.poze"]
        with self.assertRaisesRegex(KeyError, "no field"):
            self.recording["robot.pose"]["xx"]
        with self.assertRaisesRegex(GLib.Error, "no recording"):
            orrery.open_recording(self.path("scene.json"))


class Ticks(PythonCase):
    """Tick by tick, with pictures as arrays."""

    CAMERA = ("camera", "morse.sensors.video_camera.VideoCamera", {"properties": {"cam_width": 64, "cam_height": 48}})

    def record(self, before=0, **properties):
        self.write("scene.json", scene(*COMPONENTS, self.CAMERA))
        with orrery.load(self.path("scene.json"), seed=3, listen=False) as simulation:
            simulation.step(before)
            simulation.record(self.path("run.mcap"), **properties)
            simulation.step(30)
            last = simulation.ticks
        return orrery.open_recording(self.path("run.mcap")), last

    def test_numbers(self):
        """Each tick has its number in the run, also where the recording begins later."""
        for before in 0, 45:
            recording, last = self.record(before, states=0.1)
            ticks = list(recording.ticks())
            self.assertEqual([tick.number for tick in ticks], list(range(before + 1, last + 1)))
            self.assertEqual([tick.time for tick in ticks], list(recording["robot.pose"].time))
            self.assertEqual([tick.records["robot.pose"]["x"] for tick in ticks], list(recording["robot.pose"]["x"]))
            self.assertNotIn("/orrery/states", ticks[-1].records)
            self.assertIn("transforms", ticks[0].records["/orrery/poses"])
            part = list(recording.ticks(["robot.scan"], start=ticks[10].time, end=ticks[20].time))
            self.assertTrue(part)
            self.assertEqual({name for tick in part for name in tick.records}, {"robot.scan"})
            self.assertTrue(all(before + 11 <= tick.number <= before + 21 for tick in part))

    def test_pictures(self):
        """Their shape is in the schema; where the recorder was there before the first of them, it is found."""
        for before in 0, 10:
            recording, _ = self.record(before, pictures=True)
            self.assertEqual(self.find_shape(recording), [48, 64, 4] if before else None)
            images = recording["robot.camera"]["image"]
            self.assertEqual((images.shape[1:], images.dtype), ((48, 64, 4), numpy.dtype("uint8")))
            self.assertTrue((images[..., 3] == 255).all())
            shown = [tick.records["robot.camera"]["image"] for tick in recording.ticks(["robot.camera"])]
            numpy.testing.assert_array_equal(numpy.array(shown), images)

    def find_shape(self, recording):
        reader = recording._reader
        channel = next(each for each in map(reader.get_channel, range(reader.get_n_channels())) if each.topic == "/robot/camera")
        return json.loads(channel.schema.get_data())["properties"]["image"].get("shape")

    def test_foreign(self):
        """Files of others: without frequency and schemas ticks are counted; what does not fit stays as it is."""
        picture = {"contentEncoding": "base64", "shape": [1, 3]}
        for shape, value, expected in ([1, 3], "AAEC", (1, 3)), ([2, 2], "AAEC", (3,)), ("x", "AAEC", (3,)), ([1, 3], "?", None):
            schema = {"properties": {"image": dict(picture, shape=shape), "b": 5}}
            with open(self.path("odd.mcap"), "wb") as file:
                file.write(recordings.recording([("/x", 5, {"image": value}), ("/y", 5, b"{"), ("/x", 7, {})],
                                                schemas={"/x": schema}))
            ticks = list(orrery.open_recording(self.path("odd.mcap")).ticks())
            self.assertEqual([(tick.number, tick.time) for tick in ticks], [(1, 5e-9), (2, 7e-9)])
            image = ticks[0].records["/x"]["image"]
            self.assertEqual(image if expected is None else image.shape, "?" if expected is None else expected)
            self.assertEqual(ticks[0].records["/y"], b"{")

    def test_mistakes(self):
        recording, _ = self.record()
        with self.assertRaisesRegex(KeyError, "did you mean"):
            next(recording.ticks(["robot.poze"]))


class Export(PythonCase):
    """Files of arrays have what the recording gives."""

    def setUp(self):
        super().setUp()
        self.write("scene.json", scene(*COMPONENTS))
        with orrery.load(self.path("scene.json"), seed=3, listen=False) as simulation:
            simulation.record(self.path("run.mcap"), poses=5.0)
            simulation.step(60)
        self.recording = orrery.open_recording(self.path("run.mcap"))

    def export(self, *arguments, code=0):
        done = subprocess.run([support.PROGRAM, "recording", "export", *arguments], capture_output=True, text=True,
                              cwd=self.directory, env=dict(os.environ, LC_ALL="C.UTF-8"))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr

    def test_npz(self):
        self.export("run.mcap", "-o", "run.npz")
        arrays = numpy.load(self.path("run.npz"), allow_pickle=False)
        self.compare(lambda topic, name: arrays[topic[1:].replace("/", ".") + "/" + name])
        transforms = arrays["orrery.poses/transforms"]
        self.assertEqual(json.loads(transforms[0])[0]["parent_frame_id"], "world")

    def test_hdf5(self):
        self.need_h5py()
        self.export("run.mcap", "-o", "run.h5")
        with h5py.File(self.path("run.h5")) as file:
            self.compare(lambda topic, name: file[topic + "/" + name][()])
            transforms = file["/orrery/poses/transforms"].asstr()[0]
            self.assertEqual(json.loads(transforms)[0]["parent_frame_id"], "world")

    def need_h5py(self):
        support.need(self, "no h5py; Debian has it as python3-h5py" if h5py is None else None)

    def compare(self, get):
        for topic in "/robot/pose", "/robot/odometry", "/robot/scan":
            recorded = self.recording[topic]
            self.assertEqual(len(recorded.time), len(get(topic, "time")))
            numpy.testing.assert_array_equal(recorded.time, get(topic, "time"))
            for name in recorded:
                if recorded[name].dtype != object:
                    numpy.testing.assert_array_equal(recorded[name], get(topic, name), topic + name)
        self.assertGreaterEqual(len(get("/robot/pose", "x")), 59)

    def test_a_part(self):
        self.export("run.mcap", "-o", "a.npz", "--topic", "/robot/pose", "--from", "0.3", "--to", "0.6")
        arrays = numpy.load(self.path("a.npz"))
        self.assertEqual({name.split("/")[0] for name in arrays}, {"robot.pose"})
        first = next(iter(self.recording)).time
        times = arrays["robot.pose/time"] - first
        self.assertTrue(0.3 - 1e-9 <= times.min() < times.max() <= 0.6 + 1e-9, times)
        self.assertGreater(len(times), 15)

    def test_hostile_names(self):
        """Names of topics and fields never are more than names."""
        data = b'{"../a": 1, "b\\u0001": "text", "time": 3, "": null, "c": {"d": [1, [2]]}}'
        self.write_bytes("odd.mcap", small_recording("/../../etc/./x", data))
        recording = orrery.open_recording(self.path("odd.mcap"))
        recording.export(self.path("odd.npz"))
        names = zipfile.ZipFile(self.path("odd.npz")).namelist()
        self.assertIn("_._.etc._.x/time.npy", names)
        self.assertTrue(all(".." not in name and not name.startswith("/") for name in names), names)
        self.need_h5py()
        recording.export(self.path("odd.h5"))
        with h5py.File(self.path("odd.h5")) as file:
            self.assertEqual(list(file["/_/_/etc/_/x/time"]), [5e-9])

    def test_what_is_no_json(self):
        """Such messages are left out; numbers beyond all types and halves of characters become texts."""
        for name, data in (("broken", b"{"), ("deep", b"[" * 100000), ("large", b'{"a": 1%s, "b": null}' % (b"0" * 400)),
                           ("half", b'{"a": "\\ud800"}'), ("list", b'{"a": [1%s]}' % (b"0" * 400))):
            with self.subTest(name):
                self.write_bytes(name + ".mcap", small_recording("/x", data))
                self.export(name + ".mcap", "-o", name + ".npz")
                numpy.load(self.path(name + ".npz"), allow_pickle=False)["x/time"]
                self.need_h5py()
                self.export(name + ".mcap", "-o", name + ".h5")

    def test_a_full_disk(self):
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("this user cannot mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", disk])
        for name in ["a.npz"] + (["a.h5"] if h5py is not None else []):
            self.assertIn(name, self.export("run.mcap", "-o", os.path.join(disk, name), code=74))
            self.assertEqual(os.listdir(disk), [])

    def test_mistakes(self):
        self.assertIn("no topic '/robot/pos'", self.export("run.mcap", "-o", "a.npz", "--topic", "/robot/pos", code=69))
        self.assertIn("No such file", self.export("run.mcap", "-o", "none/a.npz", code=74))
        self.assertIn("none.mcap", self.export("none.mcap", "-o", "a.npz", code=66))
        self.assertEqual(os.listdir(self.directory).count("a.npz"), 0)
        os.symlink("run.mcap", self.path("link.npz"))
        self.assertIn("the recording itself", self.export("run.mcap", "-o", "link.npz", code=65))
        with self.assertRaisesRegex(GLib.Error, "npz, .h5 or .hdf5"):
            self.recording.export(self.path("a.txt"))
        with self.assertRaisesRegex(KeyError, "robot/pose"):
            self.recording.export(self.path("a.npz"), topics=["robot.pos"])

    def test_a_cut_recording(self):
        """What is readable is exported, and that it is not whole is said."""
        with open(self.path("run.mcap"), "rb") as file:
            data = file.read()
        self.write_bytes("cut.mcap", data[:len(data) * 2 // 3])
        words = self.export("cut.mcap", "-o", "cut.npz")
        self.assertIn("warning", words)
        numpy.load(self.path("cut.npz"))

    def write_bytes(self, name, data):
        with open(self.path(name), "wb") as file:
            file.write(data)

    def test_a_recorder_that_ends(self):
        """Its file is whole when it is removed, and has only what came before."""
        with orrery.load(self.path("scene.json"), listen=False) as simulation:
            recorder = simulation.record(self.path("part.mcap"), only="pose")
            simulation.step(10)
            self.assertTrue(simulation.remove_observer(recorder))
            part = orrery.open_recording(self.path("part.mcap"))
            self.assertTrue(part.is_whole)
            self.assertEqual(len(part["robot.pose"].time), 10)
            simulation.step(10)
        self.assertEqual(len(orrery.open_recording(self.path("part.mcap"))["robot.pose"].time), 10)

    def test_the_same_without(self):
        """A program that is recorded has the hash that it has otherwise."""
        hashes = set()
        for path in None, self.path("again.mcap"):
            with orrery.load(self.path("scene.json"), seed=3, listen=False, hash=True) as simulation:
                if path is not None:
                    simulation.record(path)
                simulation.step(60)
                hashes.add(simulation.hash)
        self.assertEqual(len(hashes), 1)


if __name__ == "__main__":
    tap.main()
