#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How large recordings get in a day, from some minutes of simulated time, and how long it takes to open one of 10 GB:
lines `name value unit`. An argument is the simulated time of each recording in seconds, 600 without one."""

import gc
import json
import os
import pathlib
import statistics
import struct
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ.get("ORRERY_TEST_BUILDDIR", ".")).resolve()
DAY = 86400

N_CHUNKS = 10000
CHUNK = 1024 * 1024
N_CHANNELS = 20
MAGIC = b"\x89MCAP0\r\n"
SECOND = 10**9


# --- a file of 10 GB, in which all messages are zeros that take no place on the disk ---

def record(op, body):
    return struct.pack("<BQ", op, len(body)) + body


def text(words):
    return struct.pack("<I", len(words)) + words.encode()


def write_chunk(file, number):
    """A chunk with a message of each channel. Returns: its entry in the summary."""
    size = CHUNK // N_CHANNELS
    begin, at = file.tell(), number * SECOND
    file.write(struct.pack("<BQQQQI", 6, 40 + CHUNK // N_CHANNELS * N_CHANNELS, at, at, size * N_CHANNELS, 0) + text("") +
               struct.pack("<Q", size * N_CHANNELS))
    first = file.tell()
    for channel in range(N_CHANNELS):
        file.seek(first + channel * size)
        file.write(struct.pack("<BQHIQQ", 5, size - 9, channel + 1, number, at, at))
    file.seek(first + size * N_CHANNELS)
    end, places = file.tell(), b""
    for channel in range(N_CHANNELS):
        places += struct.pack("<HQ", channel + 1, file.tell())
        file.write(record(7, struct.pack("<HIQQ", channel + 1, 16, at, channel * size)))
    return record(8, struct.pack("<QQQQI", at, at, begin, end - begin, len(places)) + places +
                  struct.pack("<Q", file.tell() - end) + text("") + struct.pack("<QQ", size * N_CHANNELS, size * N_CHANNELS))


def write_large(path):
    channels = b"".join(record(4, struct.pack("<HH", i + 1, 0) + text("/robot/s%d" % i) + text("json") + struct.pack("<I", 0))
                        for i in range(N_CHANNELS))
    with open(path, "wb") as file:
        file.write(MAGIC + record(1, text("") + text("bench")) + channels)
        indexes = b"".join(write_chunk(file, number) for number in range(N_CHUNKS))
        file.write(record(15, struct.pack("<I", 0)))
        start = file.tell()
        counts = b"".join(struct.pack("<HQ", i + 1, N_CHUNKS) for i in range(N_CHANNELS))
        file.write(channels + record(11, struct.pack("<QHIIIIQQI", N_CHUNKS * N_CHANNELS, 0, N_CHANNELS, 0, 0, N_CHUNKS, 0,
                                                     (N_CHUNKS - 1) * SECOND, len(counts)) + counts) + indexes)
        file.write(record(2, struct.pack("<QQI", start, 0, 0)) + MAGIC)


def measure_opening():
    import orrery
    write_large("large.mcap")
    opened, found = [], []
    for _ in range(9):
        before = time.perf_counter()
        recording = orrery.open_recording("large.mcap")
        opened.append(time.perf_counter() - before)
        assert recording.is_whole, recording.problems
        next(iter(recording.messages(["/robot/s7"], start=N_CHUNKS / 2, end=N_CHUNKS / 2 + 1)))
        found.append(time.perf_counter() - before)
        del recording
    print("recordings.size %.3g GB" % (os.path.getsize("large.mcap") / 1e9))
    print("recordings.open %.3g s" % statistics.median(opened))
    print("recordings.open_and_seek %.3g s" % statistics.median(found), flush=True)
    os.remove("large.mcap")


# --- a day ---

ENGINES = {"kinematic": "orrery.physics.kinematic.Kinematic", "bullet": "orrery.physics.bullet.Bullet"}
POSES = {"pose": ("orrery.sensors.pose.Pose", 60, {}), "odometry": ("orrery.sensors.odometry.Odometry", 60, {})}
SCAN = {"laser": ("orrery.sensors.laserscanner.LaserScanner", 10,
                  {"resolution": 0.25, "scan_window": 270.0, "laser_range": 30.0})}


def scene(parts, engine):
    motion = {"motion": ("orrery.actuators.v_omega.MotionVW", 60, {})}
    boxes = [{"name": "box%d" % i, "position": [7 * (i % 6) - 15, 7 * (i // 6) - 15, 0.5], "body": {"type": "static"},
              "shapes": [{"kind": "box", "size": [0.5, 0.5 + 0.1 * i, 1.0]}]} for i in range(36)]
    floor = {"name": "floor", "position": [0, 0, -0.5], "body": {"type": "static"},
             "shapes": [{"kind": "box", "size": [500, 500, 0.5]}]}
    robot = {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [3, 3, 0.1], "objects": [
        {"name": name, "classpath": classpath, "frequency": frequency, "properties": values}
        for name, (classpath, frequency, values) in (parts | motion).items()]}
    return {"orrery": 1, "environment": {"physics": ENGINES[engine], "frequency": 60, "seed": 1, "start": 0},
            "objects": [floor, robot] + (boxes if "laser" in parts else [])}


def measure_day(name, seconds, parts, engine, period=10, **properties):
    """A robot that drives arcs, which get other speeds after each period."""
    import orrery
    with open("scene.json", "w", encoding="utf-8") as file:
        json.dump(scene(parts, engine), file)
    sim = orrery.load("scene.json", pacing=orrery.Pacing.FAST)
    sim.record("day.mcap", **properties)
    motion = sim["robot.motion"]
    for i in range(round(seconds / period)):
        motion.data.v, motion.data.w = 0.5 + 0.1 * (i % 7), 0.05 * (i % 11 - 5)
        sim.step(round(60 * period))
    del sim, motion
    gc.collect()
    assert orrery.open_recording("day.mcap").is_whole
    print("recordings.day.%s %.3g GB" % (name, os.path.getsize("day.mcap") / seconds * DAY / 1e9), flush=True)
    os.remove("day.mcap")


def measure_days(seconds):
    for engine in ENGINES:
        words = dict(only="pose odometry")
        measure_day("pose-odometry." + engine, seconds, POSES, engine, poses=0.0, **words)
        measure_day("pose-odometry.%s.with-poses" % engine, seconds, POSES, engine, **words)
        measure_day("inputs." + engine, seconds, POSES, engine, 0.1, contents="inputs")
    measure_day("scan", seconds / 5, SCAN, "kinematic", only="laser", poses=0.0)
    measure_day("scan.full", seconds / 5, SCAN, "kinematic", only="laser", poses=0.0, precise=True, derived=True)
    measure_day("inputs.scan", seconds / 5, SCAN, "kinematic", 0.1, contents="inputs")


def main():
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        measure_opening()
        measure_days(float(sys.argv[1]) if len(sys.argv) > 1 else 600.0)
        os.chdir("/")


if __name__ == "__main__":
    # In the Python of the build tree, which finds the library.
    if "ORRERY_BENCH_INSIDE" not in os.environ:
        os.execve(str(BUILD / "orrery"), ["orrery", "python", os.path.abspath(__file__), *sys.argv[1:]],
                  dict(os.environ, ORRERY_BENCH_INSIDE="1"))
    main()
