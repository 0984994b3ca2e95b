#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What streams of ROS 1, ROS 2, rosbridge and MQTT cost the thread that ticks, beside the same scene without them: a
message of odometry, a picture beside one memcpy, streams that nobody listens to, and the option `rate`: lines
`name value unit`. Times are the processor's, of the thread that ticks."""

import contextlib
import ctypes
import os
import pathlib
import sys
import tempfile
import time

import peers
from peers import BUILD, MANAGERS, ODOMETRY, median, tell

N = 50
ROUNDS = 25
PAIRS = 5
PLUGINS = BUILD / "lib/orrery-1/plugins/orrery"
BURSTS = 10
TICKS = 4
SENSOR = "orrery.sensors.odometry.IntegratedOdometry"
PICTURE = {"summary": "Pictures", "licence": "BSD-3-Clause", "classes": {"Picture": {
    "base": "orrery.middleware.message.Publisher", "properties": {"messages": [{"type": "sensor_msgs/Image", "fields": {
        "height": "rows (record.image)", "width": "columns (record.image)", "encoding": "'rgb8'",
        "step": "3 * columns (record.image)", "data": "bytes (record.image)"}}]}}}}
READER = '''
import sys
sys.path.insert(0, %r)
from websocket_client import Socket
s = Socket(9090)
for topic in sys.argv[1:]:
    s.text('{"op": "subscribe", "topic": "%%s"}' %% topic)
print("ready", flush=True)
s.socket.settimeout(None)
while s.socket.recv(1 << 20): pass
'''


def topic_of(i):
    return "/robot/s%d" % i


def make_scene(manager, codec, sensor=SENSOR, n=N, options=None):
    streams = {}
    if manager is not None:
        for i in range(n):
            topic = {} if codec.endswith("SocketPublisher") else {"topic": topic_of(i)}
            streams["robot.s%d" % i] = [[MANAGERS[manager], codec, "OUT", dict(topic, **(options or {}))]]
    return peers.scene([peers.robot("robot", [{"name": "s%d" % i, "classpath": sensor} for i in range(n)])], streams)


def turn(sim, bursts=BURSTS, ticks=TICKS, pause=0.002):
    """Nanoseconds of the thread for a tick; between bursts the threads that send have their time."""
    total = 0
    for _ in range(bursts):
        before = time.thread_time_ns()
        sim.step(ticks)
        total += time.thread_time_ns() - before
        time.sleep(pause)
    return total / bursts / ticks


def compare(sims, rounds=ROUNDS, **how):
    """The times of each in each round."""
    for sim in sims:
        turn(sim, **how)
    return [[turn(sim, **how) for sim in sims] for _ in range(rounds)]


def share(times, n):
    return median((with_it - without) / n for without, with_it in times)


def ratio(times):
    return median(with_it / without for without, with_it in times)


# --- who listens ---

def kind_of(codec):
    return "Image" if codec.endswith("Picture") else "Odometry"


@contextlib.contextmanager
def read_ros(n, codec):
    reader = peers.Program(str(BUILD / "bench/bare-roscpp"), "read")
    try:
        reader.open((topic_of(i), kind_of(codec), 0) for i in range(n))
        reader.ask("match", "matched")
        yield
    finally:
        reader.end()


@contextlib.contextmanager
def read_ros2(n, codec):
    kind = "sensor_msgs::msg::dds_::Image_" if kind_of(codec) == "Image" else "nav_msgs::msg::dds_::Odometry_"
    reader = peers.Program(str(BUILD / "bench/bare-dds"), "read", "0")
    try:
        reader.open(("rt" + topic_of(i), kind, 0) for i in range(n))
        reader.ask("match", "matched")
        yield
    finally:
        reader.end()


@contextlib.contextmanager
def read_rosbridge(n, codec):
    reader = peers.Program(sys.executable, "-c", READER % str(peers.HERE.parent / "tests/middleware"),
                           *[topic_of(i) for i in range(n)])
    try:
        time.sleep(0.2)
        yield
    finally:
        reader.end()


@contextlib.contextmanager
def read_mqtt(n, codec):
    yield


READERS = {"ros": read_ros, "ros2": read_ros2, "rosbridge": read_rosbridge, "mqtt": read_mqtt}


# --- measurements ---

def measure_share(manager, codec, name):
    none, some = peers.load(make_scene(None, codec)), peers.load(make_scene(manager, codec))
    with READERS[manager](N, codec):
        tell("streams.%s.%s" % (manager, name), share(compare((none, some)), N) / 1e3, "us")


def measure_picture(manager):
    none = peers.load(make_scene(None, "", "bench.stamp.Still", 1))
    some = peers.load(make_scene(manager, "bench.picture.Picture", "bench.stamp.Still", 1, {"queue": 1}))
    size = 1920 * 1080 * 3
    source, target = ctypes.create_string_buffer(size), ctypes.create_string_buffer(size)

    def copy():
        """As far from the caches as what a tick copies."""
        total = 0
        for _ in range(5):
            time.sleep(0.016)
            before = time.thread_time_ns()
            ctypes.memmove(target, source, size)
            total += time.thread_time_ns() - before
        return total / 5

    with READERS[manager](1, "bench.picture.Picture"):
        rows = []
        for _ in range(ROUNDS):
            rows.append((turn(none, 5, 1, 0.016), turn(some, 5, 1, 0.016), copy()))
    tell("streams.%s.picture" % manager, median(b - a for a, b, _ in rows) / 1e3, "us")
    tell("streams.%s.picture.of_memcpy" % manager, median((b - a) / c for a, b, c in rows), "ratio")


def measure_silent(manager, name, n=N, physics=None):
    """Several pairs of scenes, whose memory lies differently."""
    rows = []
    for _ in range(PAIRS):
        scenes = [make_scene(each, ODOMETRY, n=n) for each in (None, manager)]
        for scene in scenes:
            scene["environment"].update({"physics": physics} if physics else {})
        rows += compare([peers.load(scene) for scene in scenes], ROUNDS, bursts=2, ticks=500)
    tell("streams.%s.%s" % (manager, name), median(b - a for a, b in rows), "ns/tick")
    tell("streams.%s.%s.ratio" % (manager, name), ratio(rows), "of_none")


def measure_all_silent(manager, name):
    """In a scene where next to nothing else happens, and with one robot that drives with physics."""
    measure_silent(manager, name)
    if (PLUGINS / "physics/bullet.so").exists():
        measure_silent(manager, name + ".driven", 2, "orrery.physics.bullet.Bullet")


def measure_rate():
    """Streams that are read, in every tick, at half of the rate, and so seldom that none is sent."""
    none, whole, half, seldom = (peers.load(make_scene(*each)) for each in (
        (None, ODOMETRY), ("mqtt", ODOMETRY, SENSOR, N, {}), ("mqtt", ODOMETRY, SENSOR, N, {"rate": 30}),
        ("mqtt", ODOMETRY, SENSOR, N, {"rate": 0.000001})))
    rows = compare((none, whole, half, seldom))
    tell("streams.rate.whole", median(b - a for a, b, _, _ in rows) / N, "ns")
    tell("streams.rate.half", median(c - a for a, _, c, _ in rows) / N, "ns")
    tell("streams.rate.not_due", median(d - a for a, _, _, d in rows) / N, "ns")


def measure(manager):
    if manager in ("ros", "mqtt"):
        measure_all_silent(manager, "alone")
    server = start_server(manager)
    if manager != "mqtt":
        measure_all_silent(manager, "silent")
    measure_share(manager, ODOMETRY, "odometry")
    if manager in ("ros", "ros2"):
        measure_picture(manager)
    if manager == "mqtt":
        measure_share(manager, "orrery.middleware.socket_datastream.SocketPublisher", "record")
        measure_rate()
    if server is not None:
        server.end()


def start_server(manager):
    if manager == "ros":
        return peers.start_master()
    return peers.start_broker() if manager == "mqtt" else None


def why_not(manager):
    """Nothing, or what is missing."""
    if not (PLUGINS / "middleware" / (manager + "_datastream.so")).exists():
        return "built without this plugin"
    if manager == "ros" and not (peers.ROSMASTER and (BUILD / "bench/bare-roscpp").exists()):
        return "no rosmaster or roscpp"
    return "no mosquitto" if manager == "mqtt" and not peers.MOSQUITTO else None


def main():
    pathlib.Path("plugins/bench").mkdir(parents=True)
    peers.write(PICTURE, "plugins/bench/picture.json")
    for manager in sys.argv[1:] or MANAGERS:
        if why_not(manager) is None:
            measure(manager)
        else:
            peers.leave_out("streams." + manager, why_not(manager))


if __name__ == "__main__":
    peers.run_in_orrery(__file__)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        main()
        os.chdir("/")
