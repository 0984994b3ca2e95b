#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Streams beside programs that publish the same bytes with a library of ROS or DDS and do nothing else: how long a
message takes from the tick to a subscriber in another process, and the processor time of the whole process: lines
`name value unit`."""

import os
import sys
import tempfile
import time

import peers
from peers import BUILD, MANAGERS, median, tell

ROUNDS = 15
MESSAGES = 100  # of a round
PERIOD = 5000  # microseconds between two of them
TICK = 16667  # the same of the whole process
WINDOW = 60  # ticks of a round of it
ODOMETRY = "nav_msgs::msg::dds_::Odometry_"
TRANSFORMS = "tf2_msgs::msg::dds_::TFMessage_"
MAPPINGS = {"summary": "Messages of a bench", "licence": "BSD-3-Clause", "classes": {
    "Odometry": {"base": "orrery.middleware.message.Publisher", "properties": {"messages": [
        {"type": "nav_msgs/Odometry", "fields": {"pose.pose.position": "vector (record.at, 0, 0)"}}]}},
    "Picture": {"base": "orrery.middleware.message.Publisher", "properties": {"messages": [
        {"type": "sensor_msgs/Image", "fields": {
            "height": "rows (record.image)", "width": "columns (record.image)", "encoding": "'rgb8'",
            "step": "3 * columns (record.image)", "data": "bytes (record.image)"}}]}}}}


def one_stream(manager):
    sensor = {"name": "s", "classpath": "bench.stamp.Stamp"}
    return peers.scene([peers.robot("robot", [sensor])],
                       {"robot.s": [[MANAGERS[manager], "bench.stamped.Odometry", "OUT", {"topic": "/ours"}]]})


def take(reader, n):
    """The times at which so many messages came, and their bytes."""
    times, size, end = [], 0, time.monotonic() + peers.LIMIT
    while len(times) < n and time.monotonic() < end:
        time.sleep(0.02)
        words = reader.ask("take", "taken")
        times += [int(each) for each in words[2:]]
        size += int(words[1])
    if len(times) != n:
        sys.exit("bench-peers: %d messages came, not %d" % (len(times), n))
    return times, size


def step_paced(sim, n, period=PERIOD, stamp=None):
    """The times that a sensor says, if there is one."""
    due, times = time.monotonic_ns(), []
    for _ in range(n):
        due += period * 1000
        time.sleep(max(0, due - time.monotonic_ns()) / 1e9)
        sim.step(1)
        if stamp is not None:
            times.append(stamp.data.at)
    return times


def measure_latency(manager, ours, bare, writer, kind):
    """`ours` and `bare` are readers of a topic each."""
    sim = peers.load(one_stream(manager))
    ours.open([("rt/ours" if manager == "ros2" else "/ours", kind, 0)])
    ours.ask("match", "matched")
    step_paced(sim, 20)
    _, size = take(ours, 20)
    topic = "rt/bare" if manager == "ros2" else "/bare"
    writer.open([(topic, kind, size // 20)])
    bare.open([(topic, kind, 0)])
    for each in bare, writer:
        each.ask("match", "matched")
    writer.ask("run 20 %d" % PERIOD, "times")
    take(bare, 20)
    rows = []
    for _ in range(ROUNDS):
        sent = step_paced(sim, MESSAGES, stamp=sim["robot.s"])
        got, own_size = take(ours, MESSAGES)
        bare_sent = [int(each) for each in writer.ask("run %d %d" % (MESSAGES, PERIOD), "times")]
        bare_got, bare_size = take(bare, MESSAGES)
        if own_size != bare_size:
            sys.exit("bench-peers: %d bytes, not %d" % (bare_size, own_size))
        rows.append((median(b - a for a, b in zip(sent, got)), median(b - a for a, b in zip(bare_sent, bare_got))))
    tell("latency.%s.p50" % manager, median(a for a, _ in rows) / 1e3, "us")
    tell("latency.%s.bare.p50" % manager, median(b for _, b in rows) / 1e3, "us")
    tell("latency.%s.above_bare" % manager, median(a - b for a, b in rows) / 1e3, "us")


def measure_ros_latency():
    master = peers.start_master()
    programs = [peers.Program(str(BUILD / "bench/bare-roscpp"), *words) for words in (["read"], ["read"], ["write"])]
    measure_latency("ros", *programs, "nav_msgs/Odometry")
    for each in programs + [master]:
        each.end()


def start_dds(*roles):
    return [peers.Program(str(BUILD / "bench/bare-dds"), role, "0") for role in roles]


def measure_ros2_latency():
    programs = start_dds("read", "read", "write")
    measure_latency("ros2", *programs, ODOMETRY)
    for each in programs:
        each.end()


# --- the whole process ---

def fleet(sensor, codec, n):
    """Robots with a stream each; transforms of all are one message."""
    names = ["r%d" % i for i in range(n)]
    streams = {name + ".s": [[MANAGERS["ros2"], codec, "OUT", {"topic": "/ours/" + name}]] for name in names}
    return peers.scene([peers.robot(name, [{"name": "s", "classpath": sensor, "frequency": 60}]) for name in names], streams)


def used_by(writer, ticks):
    """Seconds of the processor that the program uses for so many ticks."""
    before = peers.cpu_of(writer.process.pid)
    writer.ask("run %d %d" % (ticks, TICK), "times")
    return peers.cpu_of(writer.process.pid) - before


def used_by_us(sim, ticks):
    before = time.process_time()
    step_paced(sim, ticks, TICK)
    return time.process_time() - before


def wait_for_bytes(reader, n):
    """The bytes of so many messages."""
    messages = size = 0
    end = time.monotonic() + peers.LIMIT
    while messages < n and time.monotonic() < end:
        time.sleep(0.02)
        more = reader.ask("take", "taken")
        messages, size = messages + int(more[0]), size + int(more[1])
    if messages != n:
        sys.exit("bench-peers: %d messages came, not %d" % (messages, n))
    return size


def measure_process(name, sensor, codec, kind, n, has_transforms):
    """Each with a reader in a process of its own, in turns at 60 Hz."""
    robots, transforms, bare, bare_transforms, writer = start_dds("read", "read", "read", "read", "write")
    sim = peers.load(fleet(sensor, codec, n))
    robots.open([("rt/ours/r%d" % i, kind, 0) for i in range(n)])
    robots.ask("match", "matched")
    programs = [robots, bare, writer]
    if has_transforms:
        transforms.open([("rt/tf", TRANSFORMS, 0)])
        transforms.ask("match", "matched")
    step_paced(sim, 10, TICK)
    each = wait_for_bytes(robots, 10 * n) // (10 * n)
    writer.open([("rt/bare/r%d" % i, kind, each) for i in range(n)])
    bare.open([("rt/bare/r%d" % i, kind, 0) for i in range(n)])
    if has_transforms:
        size = wait_for_bytes(transforms, 10) // 10
        writer.open([("rt/bare/tf", TRANSFORMS, size)])
        bare_transforms.open([("rt/bare/tf", TRANSFORMS, 0)])
    for end in [bare, writer] + ([bare_transforms] if has_transforms else []):
        end.ask("match", "matched")
    used_by(writer, 10)
    wait_for_bytes(bare, 10 * n)
    rows = []
    for _ in range(ROUNDS):
        ours, theirs = used_by_us(sim, WINDOW), used_by(writer, WINDOW)
        if wait_for_bytes(robots, WINDOW * n) != wait_for_bytes(bare, WINDOW * n):
            sys.exit("bench-peers: others are the bytes of the bare writer")
        rows.append((ours, theirs))
    tell("process.%s.message" % name, each, "bytes")
    tell("process.%s" % name, median(a for a, _ in rows) / WINDOW * 1e3, "ms/tick")
    tell("process.%s.bare" % name, median(b for _, b in rows) / WINDOW * 1e3, "ms/tick")
    tell("process.%s.of_bare" % name, median(a / b for a, b in rows), "ratio")
    for end in programs + [transforms, bare_transforms]:
        end.end()


def measure_processes():
    measure_process("odometry-100", "orrery.sensors.odometry.IntegratedOdometry", peers.ODOMETRY, ODOMETRY, 100, True)
    measure_process("picture-1", "bench.stamp.Still", "bench.stamped.Picture", "sensor_msgs::msg::dds_::Image_", 1, False)


def main():
    wanted = sys.argv[1:] or ["ros", "ros2", "process"]
    has = {name: os.path.exists(BUILD / "bench" / name) for name in ("bare-dds", "bare-roscpp")}
    if "ros" in wanted:
        if has["bare-roscpp"] and peers.ROSMASTER:
            measure_ros_latency()
        else:
            peers.leave_out("latency.ros", "no rosmaster or roscpp")
    if not has["bare-dds"]:
        peers.leave_out("latency.ros2, process.ros2", "built without Fast DDS")
        return
    if "ros2" in wanted:
        measure_ros2_latency()
    if "process" in wanted:
        measure_processes()


if __name__ == "__main__":
    peers.run_in_orrery(__file__)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        os.makedirs("plugins/bench")
        peers.write(MAPPINGS, "plugins/bench/stamped.json")
        main()
        os.chdir("/")
