#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a recorder writes for Foxglove: messages of its own kinds, which say what the records say."""

import base64
import json
import math
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import tap

SENSORS = [
    {"name": "pose", "classpath": "orrery.sensors.pose.Pose", "position": [0.5, 0, 1], "rotation": [0, 0, 0.5]},
    {"name": "odometry", "classpath": "orrery.sensors.odometry.IntegratedOdometry"},
    {"name": "scan", "classpath": "orrery.sensors.laserscanner.LaserScanner",
     "properties": {"scan_window": 90, "resolution": 45, "laser_range": 20, "arc_yaw": 30}},
    {"name": "layers", "classpath": "orrery.sensors.laserscanner.LaserScanner",
     "properties": {"scan_window": 90, "resolution": 45, "layers": 2}},
    {"name": "gps", "classpath": "orrery.sensors.gps.GPS", "level": "raw"},
    {"name": "motion", "classpath": "orrery.actuators.teleport.Teleport"},
]


class Recorded(support.ProgramCase):
    def setUp(self):
        super().setUp()
        self.write_scene()

    def write_scene(self, *more):
        wall = {"name": "wall", "position": [3, 0, 0], "body": {"type": "static"}, "shapes": [{"kind": "box", "size": [0.2, 20, 20]}]}
        robot = {"name": "robot", "classpath": "orrery.core.robot.Robot", "position": [1, 2, 0],
                 "objects": SENSORS + list(more)}
        self.write("scene.json", json.dumps({
            "orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.bullet.Bullet", "gravity": [0, 0, 0],
                                         "properties": {"latitude": 48.0, "longitude": 11.0, "altitude": 500.0}},
            "objects": [robot, wall]}))

    def record(self, name="run.mcap", **properties):
        words = "orrery.observers.recorder.Recorder " + json.dumps(dict({"foxglove": True, "wait": True}, **properties,
                                                                    file=self.path(name)))
        self.check(self.orrery("run", "scene.json", "--for", "1", "--fast", "--offline", "--start", "0", "--observer", words), 0)

    def topics(self, name="run.mcap"):
        """Topic to schema."""
        done = self.orrery("python", self.write("topics.py", (
            "import json, orrery\n"
            "recording = orrery.open_recording(%r)\n"
            "print(json.dumps({m.topic: m.topic for m in recording}))\n") % self.path(name)))
        self.check(done, 0)
        return json.loads(done.stdout)

    def first(self, topic, name="run.mcap"):
        done = self.orrery("recording", "cat", self.path(name), "--topic", topic)
        self.check(done, 0)
        return json.loads(done.stdout.splitlines()[0])["data"]

    def drawn(self, part):
        return self.first("/orrery/foxglove/robot/" + part)


class Drawn(Recorded):
    def test_which(self):
        """Sensors alone, and only what can be drawn."""
        self.record()
        topics = {topic for topic in self.topics() if topic.startswith("/orrery/foxglove/")}
        self.assertEqual(topics, {"/orrery/foxglove/robot/" + name for name in ("pose", "scan", "layers", "gps")})
        info = self.orrery("recording", "info", self.path("run.mcap")).stdout
        for name in "PoseInFrame", "LaserScan", "PointCloud", "LocationFix":
            self.assertIn("foxglove." + name, info)

    def test_not_asked(self):
        self.record(foxglove=False)
        self.assertFalse([topic for topic in self.topics() if topic.startswith("/orrery/foxglove/")])

    def test_pose(self):
        self.record()
        pose, record = self.drawn("pose"), self.first("/robot/pose")
        self.assertEqual(pose["frame_id"], "world")
        self.assertEqual(pose["pose"]["position"], {key: record[key] for key in "xyz"})
        turn = pose["pose"]["orientation"]
        self.assertAlmostEqual(2 * math.atan2(turn["z"], turn["w"]), record["yaw"], places=9)
        self.assertAlmostEqual(pose["timestamp"]["sec"] + pose["timestamp"]["nsec"] * 1e-9, record["timestamp"], places=6)

    def test_scan(self):
        """Three rays over a quarter of a circle, turned to the left by 30 degrees."""
        self.record(derived=True)
        scan, record = self.drawn("scan"), self.first("/robot/scan")
        self.assertEqual(scan["frame_id"], "robot.scan")
        self.assertEqual(scan["ranges"], record["range_list"])
        self.assertEqual(len(scan["ranges"]), 3)
        self.assertAlmostEqual(scan["start_angle"], -math.pi / 4, places=6)
        self.assertAlmostEqual(scan["end_angle"], math.pi / 4, places=6)
        self.assertAlmostEqual(2 * math.atan2(scan["pose"]["orientation"]["z"], scan["pose"]["orientation"]["w"]),
                               math.pi / 6, places=6)
        # A ray at its angle, turned as the pose says, ends where the point of the record is.
        for i, (distance, point) in enumerate(zip(scan["ranges"], record["point_list"])):
            angle = scan["start_angle"] + i * math.pi / 4 + math.pi / 6
            if point != [0.0, 0.0, 0.0]:
                self.assertAlmostEqual(distance * math.cos(angle), point[0], places=4)
                self.assertAlmostEqual(distance * math.sin(angle), point[1], places=4)
        self.assertGreater(sum(point != [0.0, 0.0, 0.0] for point in record["point_list"]), 1)

    def test_cloud(self):
        """Several layers are no scan; points are drawn, whether the record has them or not."""
        self.record()
        drawn = self.drawn("layers")
        self.assertNotIn("point_list", self.first("/robot/layers"))
        self.record(derived=True)
        self.assertEqual(self.drawn("layers"), drawn)
        cloud, record = self.drawn("layers"), self.first("/robot/layers")
        data = base64.b64decode(cloud["data"], validate=True)
        self.assertEqual([(each["name"], each["offset"], each["type"]) for each in cloud["fields"]],
                         [("x", 0, 7), ("y", 4, 7), ("z", 8, 7)])
        self.assertEqual(len(data), cloud["point_stride"] * len(record["point_list"]))
        for point, wanted in zip(struct.iter_unpack("<3f", data), record["point_list"]):
            for a, b in zip(point, wanted):
                self.assertAlmostEqual(a, b, places=4)

    def test_place(self):
        self.record()
        place, record = self.drawn("gps"), self.first("/robot/gps")
        for key in "latitude", "longitude", "altitude":
            self.assertEqual(place[key], record[key])

    def test_picture(self):
        """Pictures, and what a depth camera sees, in axes of the camera: x ahead."""
        renderer = os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so")
        support.need(self, None if os.path.exists(renderer) else "this build has no renderer")
        size = {"cam_width": 8, "cam_height": 6}
        self.write_scene({"name": "camera", "classpath": "orrery.sensors.video_camera.VideoCamera", "properties": size},
                         {"name": "depth", "classpath": "orrery.sensors.depth_camera.DepthCamera", "properties": size})
        self.record(pictures=True)
        picture, record = self.drawn("camera"), self.first("/robot/camera")
        self.assertEqual([picture[key] for key in ("width", "height", "encoding", "step")], [8, 6, "rgba8", 32])
        self.assertEqual(picture["data"], record["image"])
        cloud = self.drawn("depth")
        points = list(struct.iter_unpack("<3f", base64.b64decode(cloud["data"], validate=True)))
        self.assertGreater(len(points), 0)
        # The camera's axis goes through the wall's near side, 1.9 m ahead of it.
        self.assertAlmostEqual(min(point[2] for point in points), 1.9, places=2)
        turn = [cloud["pose"]["orientation"][key] for key in "xyzw"]
        self.assertEqual(turn, [-0.5, 0.5, -0.5, 0.5])

    def test_replay(self):
        """A replay compares what was recorded, with these topics or without."""
        self.record()
        self.check(self.orrery("replay", self.path("run.mcap")), 0, "goes as it went")

    def test_diff(self):
        """What is said once more differs once."""
        self.record()
        self.record("plain.mcap", foxglove=False)
        self.check(self.orrery("diff", self.path("run.mcap"), self.path("plain.mcap")), 0)


if __name__ == "__main__":
    tap.main()
