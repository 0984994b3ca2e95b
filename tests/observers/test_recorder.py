# SPDX-License-Identifier: BSD-3-Clause
"""`orrery run --record` and `orrery recording`: files that others read, runs that are killed, full disks."""

import base64
import csv
import json
import os
import random
import re
import shlex
import signal
import subprocess
import sys
import time
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap
from sanitized import is_sanitized

COMPRESSIONS = ("none", "lz4", "zstd")

# A disk for recordings that takes 200 kB/s.
SLOW_DISK = """
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t
write (int fd, const void *data, size_t n)
{
  char link[64], path[4096];
  ssize_t length;

  snprintf (link, sizeof link, "/proc/self/fd/%d", fd);
  length = readlink (link, path, sizeof path);
  if (length > 5 && memcmp (path + length - 5, ".mcap", 5) == 0)
    usleep ((useconds_t) (5 * n));
  return syscall (SYS_write, fd, data, n);
}
"""


class RecorderCase(support.ProgramCase):
    def record(self, name, *options, seconds=3):
        """A run of the scene, recorded; returns the path of the recording."""
        scene = self.write("scene.json", support.SCENE)
        done = self.orrery("run", scene, "--for", str(seconds), "--fast", "--record", self.path(name), *options)
        self.check(done, 0)
        return self.path(name)

    def observe(self, name, *, seconds=3, **properties):
        scene = self.write("scene.json", support.SCENE)
        words = "orrery.observers.recorder.Recorder " + json.dumps(dict(properties, file=self.path(name), wait=True))
        self.check(self.orrery("run", scene, "--for", str(seconds), "--fast", "--observer", words), 0)
        return self.path(name)

    def cat(self, path, *options):
        done = self.orrery("recording", "cat", path, *options)
        self.check(done, 0)
        return [json.loads(line) for line in done.stdout.splitlines()]


class Peer(RecorderCase):
    def setUp(self):
        super().setUp()
        support.need(self, support.lacks_modules("@mcap/core"))
        for program in "zstd", "lz4":
            if subprocess.run(["which", program], capture_output=True).returncode:
                support.need(self, "no program %s" % program)

    def read(self, path, **times):
        done = subprocess.run(["node", os.path.join(HERE, "read-recording.js")], input=json.dumps(dict(times, path=path)),
                              capture_output=True, text=True, env=dict(os.environ, NODE_PATH=support.NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_compressions(self):
        """What @mcap/core reads, by the index and as a stream, is what `orrery recording cat` prints."""
        for compression in COMPRESSIONS:
            path = self.observe("run-%s.mcap" % compression, compression=compression)
            seen = self.read(path)
            ours = self.cat(path)
            self.assertNotIn("refused", seen)
            self.assertTrue(seen["stream"]["done"])
            for way in "index", "stream":
                self.assertEqual(seen[way]["messages"], len(ours))
                theirs = [line.split(" ", 2) for line in seen[way]["data"]]
                self.assertEqual([(topic, json.loads(data)) for topic, _, data in theirs],
                                 [(line["topic"], line["data"]) for line in ours])
            self.assertEqual(seen["index"]["statistics"], len(ours))
            self.assertEqual(seen["index"]["topics"]["/robot/pose"], 180)
            scene = base64.b64decode(seen["index"]["attachments"]["scene/scene.json"]).decode()
            self.assertEqual(scene, support.SCENE)
            self.assertEqual(seen["index"]["metadata"]["orrery"]["seed"], "7")
            self.assertRegex(seen["index"]["metadata"]["plugins"]["orrery/sensors/pose.so"], "^[0-9a-f]{64}$")

    def test_schemas(self):
        """The schema names each key of the records; poses are what viewers know."""
        seen = self.read(self.record("run.mcap"))["index"]
        schemas = {name: json.loads(text) for name, encoding, text in seen["schemas"] if encoding == "jsonschema"}
        pose = next(json.loads(line.split(" ", 2)[2]) for line in seen["data"] if line.startswith("/robot/pose "))
        self.assertEqual(list(schemas["orrery.sensors.pose.Pose"]["properties"]), list(pose))
        self.assertIn("foxglove.FrameTransforms", schemas)
        channels = {topic: metadata for topic, encoding, metadata in seen["channels"]}
        self.assertEqual(channels["/robot/pose"]["classpath"], "orrery.sensors.pose.Pose")

    def test_seek(self):
        """A part of the time is found by the index."""
        path = self.record("run.mcap")
        start = int(self.read(path)["index"]["data"][0].split()[1])
        seen = self.read(path, start=str(start + 1000000000), end=str(start + 2000000000))["index"]
        self.assertEqual(seen["messages"], len(self.cat(path, "--from", "1", "--to", "2")))
        self.assertGreater(seen["messages"], 100)

    def test_recovered(self):
        """A file that was cut at random bytes, and recovered, is whole for others."""
        path = self.record("run.mcap")
        with open(path, "rb") as file:
            whole = file.read()
        source = random.Random(5)
        for _ in range(5):
            cut = self.path("cut.mcap")
            with open(cut, "wb") as file:
                file.write(whole[:source.randrange(len(whole) // 3, len(whole) - 40)])
            self.assertIn("refused", self.read(cut))
            self.check(self.orrery("recording", "recover", cut, "-o", self.path("new.mcap")), 0)
            seen = self.read(self.path("new.mcap"))
            self.assertNotIn("refused", seen)
            self.assertGreater(seen["index"]["messages"], 0)


class Recorder(RecorderCase):
    def test_hash(self):
        """A recording changes no hash."""
        scene = self.write("scene.json", support.SCENE)
        plain = self.orrery("run", scene, "--for", "3", "--fast", "--hash=" + self.path("plain"))
        recorded = self.orrery("run", scene, "--for", "3", "--fast", "--hash=" + self.path("recorded"),
                               "--record", self.path("run.mcap"))
        self.check(plain, 0)
        self.check(recorded, 0)
        self.check(self.orrery("diff", self.path("plain"), self.path("recorded")), 0)

    def test_numbers(self):
        """Numbers are the same to the last bit, and log times are those of simulated time."""
        path = self.record("run.mcap")
        lines = self.cat(path, "--topic", "/robot/pose")
        self.assertEqual(len(lines), 180)
        for number, line in enumerate(lines):
            self.assertLess(abs(line["time"] - line["data"]["timestamp"]), 1.5 / 60, number)

    def test_killed(self):
        """A run that is killed leaves a file that is readable up to the last second."""
        scene = self.write("scene.json", support.SCENE)
        process = self.start("run", scene, "--record", self.path("run.mcap"))
        limit = time.monotonic() + 60
        # Two writes: the header and the scene, and the first flush.
        while not self.has_messages(self.path("run.mcap")):
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
        process.wait()
        info = self.orrery("recording", "info", self.path("run.mcap"))
        self.check(info, 1, "not whole", "/robot/pose")
        self.assertIn("`orrery recording recover FILE -o FILE`", info.stderr)
        done = self.orrery("recording", "recover", self.path("run.mcap"), "-o", self.path("new.mcap"))
        self.check(done, 0, "messages")
        self.assertIn("was cut here", done.stderr)
        info = self.orrery("recording", "info", self.path("new.mcap"))
        self.check(info, 0, "whole", "/robot/pose", "scene/scene.json")
        self.assertEqual(info.stderr, "")
        self.assertEqual(self.cat(self.path("run.mcap")), self.cat(self.path("new.mcap")))

    def has_messages(self, path):
        if not os.path.exists(path):
            return False
        return "/robot/pose" in self.orrery("recording", "info", path).stdout

    def test_full_disk(self):
        """On a full disk the run goes on, the loss is said, and the file is readable up to there."""
        disk = self.path("disk")
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", disk], capture_output=True).returncode:
            self.skipTest("this user cannot mount a tmpfs")
        self.addCleanup(subprocess.run, ["umount", disk])
        scene = self.write("scene.json", support.SCENE)
        path = os.path.join(disk, "run.mcap")
        words = {"file": path, "compression": "none", "wait": True}
        done = self.orrery("run", scene, "--for", "60", "--fast", "--observer",
                           "orrery.observers.recorder.Recorder " + json.dumps(words))
        self.check(done, 74)
        self.assertIn("nothing more is recorded", done.stderr)
        self.assertIn("No space left", done.stderr)
        self.check(self.orrery("recording", "info", path), 1, "not whole")
        self.assertGreater(len(self.cat(path, "--topic", "/robot/pose")), 60)

    @unittest.skipIf(is_sanitized(), "the sanitizer has to be loaded first")
    def test_slow_disk(self):
        """A disk that is slower than the run holds up nothing; what was dropped is counted and said, or waited for."""
        library = self.path("slow.so")
        subprocess.run(shlex.split(os.environ.get("ORRERY_TEST_CC", "gcc")) + ["-shared", "-fPIC", "-o", library, self.write("slow.c", SLOW_DISK)],
                       check=True)
        scene = self.write("scene.json", support.SCENE)

        def record(wait):
            """What the log says, and the topics of the records of components, one for each message."""
            words = {"file": self.path("run.mcap"), "compression": "none", "wait": wait, "states": 0, "poses": 0}
            done = subprocess.run([support.PROGRAM, "run", scene, "--ticks", "3000", "--fast", "--observer",
                                   "orrery.observers.recorder.Recorder " + json.dumps(words)], capture_output=True, text=True,
                                  timeout=120, env=dict(self.environment(), LD_PRELOAD=library))
            self.check(done, 0)
            self.check(self.orrery("recording", "info", self.path("run.mcap")), 0, "whole")
            topics = [each["topic"] for each in self.cat(self.path("run.mcap"))]
            self.assertIn("%d messages were recorded" % len(topics), done.stderr)
            return done.stderr, [topic for topic in topics if not topic.startswith("/orrery/")]

        said, all_records = record(True)
        self.assertEqual(all_records.count("/robot/pose"), 3000)
        self.assertNotIn("are dropped", said)
        said, records = record(False)
        self.assertIn("records come faster than they are written, and some are dropped", said)
        dropped = int(re.search(r"messages were recorded, (\d+) dropped", said)[1])
        self.assertGreater(dropped, 0)
        self.assertEqual(len(records) + dropped, len(all_records))

    def test_merge(self):
        """All messages of both in order of time; what is of one topic and schema is one channel."""
        parts = [self.record("part-%s.mcap" % start, "--start", start, seconds=1) for start in ("5.0", "5.25")]
        merged = self.path("merged.mcap")
        self.check(self.orrery("recording", "merge", *parts, "-o", merged), 0)
        self.check(self.orrery("recording", "info", merged), 0, "whole: ")
        lines = self.cat(merged)
        self.assertEqual([line["time"] for line in lines], sorted(line["time"] for line in lines))
        both = [line for part in parts for line in self.cat(part)]
        self.assertEqual(sorted(map(json.dumps, lines)), sorted(map(json.dumps, both)))
        info = self.orrery("recording", "info", merged).stdout
        self.assertEqual(info.count("/robot/pose "), 1)
        self.assertEqual(info.count("scene/scene.json"), 1)

    def test_mistakes_of_a_merge(self):
        part = self.record("part.mcap", seconds=1)
        with open(part, "rb") as file:
            data = file.read()
        self.check(self.orrery("recording", "merge", part, part, "-o", part), 65, "a recording is read from this file")
        with open(part, "rb") as file:
            self.assertEqual(file.read(), data)
        with open(self.path("cut.mcap"), "wb") as file:
            file.write(data[:len(data) // 2])
        done = self.orrery("recording", "merge", part, self.path("cut.mcap"), "-o", self.path("merged.mcap"))
        self.check(done, 0)
        self.assertIn("warning", done.stderr)
        self.assertGreaterEqual(len(self.cat(self.path("merged.mcap"))), len(self.cat(part)))
        self.check(self.orrery("recording", "merge", part, self.path("none.mcap"), "-o", self.path("x.mcap")), 66)
        self.check(self.orrery("recording", "merge", part), 64)
        self.assertFalse(os.path.exists(self.path("x.mcap")))

    def test_files_of_the_scene(self):
        """The scene's own file is not overwritten."""
        scene = self.write("scene.json", support.SCENE)
        done = self.orrery("run", scene, "--for", "1", "--fast", "--record", scene)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the scene itself is read from this file", done.stderr)
        with open(scene, encoding="utf-8") as file:
            self.assertEqual(file.read(), support.SCENE)

    def test_private(self):
        """Nothing of the environment, the machine and the user's directories is in the file."""
        path = self.observe("run.mcap", compression="none")
        with open(path, "rb") as file:
            whole = file.read()
        for word in os.uname().nodename, self.directory, os.path.expanduser("~"):
            if len(word) > 4:
                self.assertNotIn(word.encode(), whole)

    def test_choice(self):
        """Components are chosen by name, and a name that is none is refused."""
        path = self.observe("run.mcap", only="pose", poses=0, states=0, hashes=0)
        self.assertEqual({line["topic"] for line in self.cat(path)}, {"/robot/pose"})
        scene = self.write("scene.json", support.SCENE)
        done = self.orrery("run", scene, "--for", "1", "--fast", "--observer",
                           "orrery.observers.recorder.Recorder " + json.dumps({"only": "poze"}))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("no component 'poze'", done.stderr)

    def test_rate(self):
        """A limit of the rate is kept."""
        path = self.observe("run.mcap", rate=10, poses=5)
        self.assertAlmostEqual(len(self.cat(path, "--topic", "/robot/pose")), 30, delta=2)

    def test_split(self):
        """A file that is large enough is followed by another, and each is whole."""
        self.observe("run.mcap", split=1, compression="none", seconds=120)
        for name in "run.mcap", "run-1.mcap":
            self.check(self.orrery("recording", "info", self.path(name)), 0, "whole", "scene/scene.json")

    def files(self):
        return sorted(name for name in os.listdir(self.directory) if name.endswith(".mcap"))

    def test_split_time(self):
        """Files follow each other after so much time, without a message lost or twice."""
        self.observe("run.mcap", split_time=1)
        names = ["run.mcap", "run-1.mcap", "run-2.mcap"]
        self.assertEqual(self.files(), sorted(names))
        parts = [self.cat(self.path(name)) for name in names]
        start = parts[0][0]["time"]
        for number, lines in enumerate(parts):
            self.check(self.orrery("recording", "info", self.path(names[number])), 0, "whole", "scene/scene.json")
            self.assertEqual({int(line["time"] - start + 1e-6) for line in lines}, {number})
            # Who has this file alone has all poses, and a state to go on from.
            first = {line["topic"] for line in lines if line["time"] == lines[0]["time"]}
            self.assertLessEqual({"/robot/pose", "/orrery/poses", "/orrery/states"}, first)
        times = [line["time"] for part in parts for line in part if line["topic"] == "/robot/pose"]
        self.assertEqual(len(times), 180)
        for before, after in zip(times, times[1:]):
            self.assertAlmostEqual(after - before, 1 / 60, places=5)

    def test_keep(self):
        """The newest files are left, and of others nothing is touched."""
        self.write("run-9.mcap", "of somebody else")
        self.observe("run.mcap", split_time=0.5, keep=2)
        self.assertEqual(self.files(), ["run-4.mcap", "run-5.mcap", "run-9.mcap"])
        for name in "run-4.mcap", "run-5.mcap":
            self.check(self.orrery("recording", "info", self.path(name)), 0, "whole")

    def test_keep_links(self):
        """A link that the user put there is no file of the recorder."""
        os.symlink(self.path("target"), self.path("run.mcap"))
        self.observe("run.mcap", split_time=1, keep=1)
        self.assertEqual(self.files(), ["run-2.mcap", "run.mcap"])
        self.assertTrue(os.path.islink(self.path("run.mcap")))
        self.check(self.orrery("recording", "info", self.path("target")), 0, "whole")

    def test_limits_of_files(self):
        """Values that mean nothing are refused."""
        scene = self.write("scene.json", support.SCENE)
        for name, value in ("split_time", -1), ("split_time", "long"), ("keep", -1), ("keep", 2000000):
            done = self.orrery("run", scene, "--for", "1", "--fast", "--observer",
                               "orrery.observers.recorder.Recorder " +
                               json.dumps({"file": self.path("run.mcap"), name: value}))
            self.assertNotEqual(done.returncode, 0, (name, value))
            self.assertIn(name, done.stderr)
        self.assertEqual(self.files(), [])


class Recording(RecorderCase):
    def test_export(self):
        """A table has a column for each number, and the same values."""
        path = self.record("run.mcap")
        self.check(self.orrery("recording", "export", path, "-o", self.path("tables")), 0)
        with open(self.path("tables/robot.pose.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        lines = self.cat(path, "--topic", "/robot/pose")
        self.assertEqual(len(rows), len(lines))
        self.assertEqual(list(rows[0])[:2], ["time", "timestamp"])
        for row, line in zip(rows, lines):
            for name in "x", "y", "z", "yaw", "timestamp":
                self.assertEqual(float(row[name]), line["data"][name])

    def test_filter(self):
        """A part of a recording is a recording."""
        path = self.record("run.mcap")
        done = self.orrery("recording", "filter", path, "--topic", "/robot/pose", "--from", "1", "--to", "2",
                           "--compression", "none", "-o", self.path("part.mcap"))
        self.check(done, 0)
        lines = self.cat(self.path("part.mcap"))
        self.assertEqual(lines, self.cat(path, "--topic", "/robot/pose", "--from", "1", "--to", "2"))
        self.assertEqual(len(lines), 61)
        self.check(self.orrery("recording", "info", self.path("part.mcap")), 0, "scene/scene.json", "compression none")

    def test_mistakes(self):
        """What is wrong is named, and no file is overwritten by itself."""
        path = self.record("run.mcap", seconds=1)
        self.check(self.orrery("recording", "cat", path, "--topic", "/robot/poze"), 69, "did you mean /robot/pose")
        self.check(self.orrery("recording", "info", self.path("none.mcap")), 66)
        self.check(self.orrery("recording", "info", self.write("text", "text")), 65, "no recording")
        self.check(self.orrery("recording", "recover", path), 64, "-o FILE")
        self.check(self.orrery("recording", "recover", path, "-o", path), 65, "the recording is read from this file")
        self.check(self.orrery("recording", "filter", path, "-o", path), 65, "the recording is read from this file")
        self.check(self.orrery("recording", "look", path), 64, "none of info, cat")


if __name__ == "__main__":
    tap.main()
