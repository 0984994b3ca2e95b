#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Our messages of Foxglove's kinds, against the schemas that Foxglove publishes: of recordings and of the viewer."""

import base64
import json
import os
import re
import struct
import subprocess
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli"), HERE]

import support
import tap
from test_recorder_foxglove import Recorded
from test_recorder_log import TALKER

MODULES = ("@foxglove/schemas", "@mcap/core", "@foxglove/rosmsg", "@foxglove/rosmsg2-serialization")
RENDERER = os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so")
VIEWER = os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/middleware/viewer.so")
SIZE = {"cam_width": 8, "cam_height": 6}


def node(name, words):
    done = subprocess.run(["node", os.path.join(HERE, name)], input=json.dumps(words), capture_output=True, text=True,
                          env=dict(os.environ, NODE_PATH=support.NODE_PATH))
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout)


class Schemas(Recorded):
    def setUp(self):
        super().setUp()
        support.need(self, support.lacks_modules(*MODULES))

    def check_file(self, **properties):
        self.record(compression="none", **properties)
        return node("foxglove-schemas.js", {"path": self.path("run.mcap")})

    def with_cameras(self):
        support.need(self, None if os.path.exists(RENDERER) else "this build has no renderer")
        self.write_scene({"name": "camera", "classpath": "orrery.sensors.video_camera.VideoCamera", "properties": SIZE},
                         {"name": "depth", "classpath": "orrery.sensors.depth_camera.DepthCamera", "properties": SIZE})

    def test_recording(self):
        seen = self.check_file()
        self.assertEqual(seen["complaints"], [])
        self.assertLessEqual({"foxglove.FrameTransforms", "foxglove.LaserScan", "foxglove.LocationFix",
                              "foxglove.PointCloud", "foxglove.PoseInFrame"}, set(seen["kinds"]))

    def test_log(self):
        """Lines of the log have a field of their own beside Foxglove's."""
        self.build_plugin("acme/talker.so", TALKER)
        self.write_scene({"name": "talker", "classpath": "acme.talker.Talker"})
        words = "orrery.observers.recorder.Recorder " + json.dumps({"file": self.path("run.mcap"), "compression": "none"})
        self.check(self.orrery("run", "scene.json", "--for", "1", "--fast", "--offline", "--start", "0", "--quiet",
                               "--plugin-dir", self.path("plugins"), "--observer", words), 0)
        seen = node("foxglove-schemas.js", {"path": self.path("run.mcap")})
        self.assertIn("foxglove.Log", seen["kinds"])
        self.assertEqual(set(seen["complaints"]), {"foxglove.Log.tick: they have no such field"})

    def test_pictures(self):
        self.with_cameras()
        seen = self.check_file(pictures=True)
        self.assertEqual(seen["complaints"], [])
        self.assertLessEqual({"foxglove.RawImage", "foxglove.CameraCalibration"}, set(seen["kinds"]))
        lens = self.first("/orrery/foxglove/robot/camera/calibration")
        wanted = self.first("/robot/camera")["intrinsic_matrix"]
        flat = [number for row in wanted for number in row] if isinstance(wanted[0], list) else wanted
        self.assertEqual(lens["K"], flat)
        self.assertEqual([lens["P"][i] for i in (0, 1, 2, 4, 5, 6, 8, 9, 10)], flat)
        self.assertEqual((lens["width"], lens["height"]), (8, 6))

    def test_packed(self):
        """In CDR: what others read is what the record says."""
        seen = self.check_file(foxglove_encoding="cdr", precise=True, derived=True)
        self.assertEqual(seen["complaints"], [])
        self.assertEqual({"foxglove_msgs/msg/LaserScan", "foxglove_msgs/msg/PointCloud"},
                         {kind for kind in seen["kinds"] if kind.startswith("foxglove_msgs")})
        scan, record = seen["packed"]["/orrery/foxglove/robot/scan"][0], self.first("/robot/scan")
        self.assertEqual(scan["ranges"], record["range_list"])
        self.assertEqual(scan["intensities"], [])
        self.assertEqual(scan["frame_id"], "robot.scan")
        self.assertAlmostEqual(scan["timestamp"]["sec"] + scan["timestamp"]["nsec"] * 1e-9, record["timestamp"], places=6)
        cloud, record = seen["packed"]["/orrery/foxglove/robot/layers"][0], self.first("/robot/layers")
        self.assertEqual([(each["name"], each["offset"], each["type"]) for each in cloud["fields"]],
                         [("x", 0, 7), ("y", 4, 7), ("z", 8, 7)])
        points = list(struct.iter_unpack("<3f", base64.b64decode(cloud["data"])))
        self.assertEqual(len(points), len(record["point_list"]))
        for point, wanted in zip(points, record["point_list"]):
            for a, b in zip(point, wanted):
                self.assertAlmostEqual(a, b, places=4)

    def test_packed_pictures(self):
        self.with_cameras()
        seen = self.check_file(pictures=True, foxglove_encoding="cdr")
        self.assertEqual(seen["complaints"], [])
        picture, record = seen["packed"]["/orrery/foxglove/robot/camera"][0], self.first("/robot/camera")
        self.assertEqual([picture[key] for key in ("width", "height", "encoding", "step")], [8, 6, "rgba8", 32])
        self.assertEqual(picture["data"], record["image"])
        self.assertIn("foxglove.CameraCalibration", seen["kinds"])

    def test_compressed(self):
        """A picture as PNG says each pixel; one as JPEG is smaller than none."""
        self.with_cameras()
        for encoding in "json", "cdr":
            seen = self.check_file(pictures=True, foxglove_pictures="png", foxglove_encoding=encoding)
            self.assertEqual(seen["complaints"], [])
            self.assertTrue([kind for kind in seen["kinds"] if kind.endswith("CompressedImage")])
            self.assertFalse([kind for kind in seen["kinds"] if kind.endswith("RawImage")])
        picture = seen["packed"]["/orrery/foxglove/robot/camera/compressed"][0]
        self.assertEqual(picture["format"], "png")
        self.assertEqual(self.unpack(base64.b64decode(picture["data"])), base64.b64decode(self.first("/robot/camera")["image"]))
        seen = self.check_file(pictures=True, foxglove_pictures="jpeg", foxglove_encoding="cdr")
        picture = seen["packed"]["/orrery/foxglove/robot/camera/compressed"][0]
        self.assertEqual(base64.b64decode(picture["data"])[:3], b"\xff\xd8\xff")

    def unpack(self, png):
        """Pixels of a PNG of 8 by 6 in four channels, by the filters of its rows (RFC 2083, 6)."""
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        at, packed = 8, b""
        while at < len(png):
            n, = struct.unpack(">I", png[at:at + 4])
            if png[at + 4:at + 8] == b"IHDR":
                self.assertEqual(struct.unpack(">IIBB", png[at + 8:at + 18]), (8, 6, 8, 6))
            if png[at + 4:at + 8] == b"IDAT":
                packed += png[at + 8:at + 8 + n]
            at += 12 + n
        raw, rows, before = zlib.decompress(packed), [], bytes(32)
        for y in range(6):
            kind, line, row = raw[33 * y], raw[33 * y + 1:33 * y + 33], bytearray()
            for x, byte in enumerate(line):
                left, up, corner = (row[x - 4], before[x], before[x - 4]) if x >= 4 else (0, before[x], 0)
                near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))[2]
                row.append((byte + (0, left, up, (left + up) // 2, near)[kind]) % 256)
            rows.append(bytes(row))
            before = rows[-1]
        return b"".join(rows)

    def test_viewer(self):
        """What the viewer sends on /scene and /tf."""
        support.need(self, support.lacks_modules("@foxglove/ws-protocol", "ws"))
        support.need(self, None if os.path.exists(VIEWER) else "built without libsoup")
        process = self.start("run", "scene.json", "--view", "--view-port", "0")
        port = re.search(r"http://127\.0\.0\.1:(\d+)/", self.wait_for(process, "viewer now at ")).group(1)
        done = subprocess.run(["node", os.path.join(HERE, "../middleware/viewer_peer.js"), port], capture_output=True, text=True,
                              timeout=60, env=dict(os.environ, NODE_PATH=support.NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        channels = [dict(channel, messages=[told["messages"][channel["topic"]]["value"]]) for channel in told["channels"]
                    if channel["topic"] in ("/scene", "/tf")]
        for channel in channels:
            del channel["encoding"]
        self.assertEqual({channel["schemaName"] for channel in channels},
                         {"foxglove.FrameTransforms", "foxglove.SceneUpdate"})
        self.assertEqual(node("foxglove-schemas.js", {"channels": channels})["complaints"], [])

    def test_wrong_encoding(self):
        words = "orrery.observers.recorder.Recorder " + json.dumps({"file": self.path("x.mcap"), "foxglove_encoding": "xml"})
        done = self.orrery("run", "scene.json", "--for", "1", "--fast", "--offline", "--observer", words)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("foxglove_encoding: 'xml' is none of json, cdr", done.stderr)
        done = self.orrery("run", "scene.json", "--for", "1", "--fast", "--offline", "--observer",
                           words.replace("foxglove_encoding", "foxglove_pictures"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("foxglove_pictures: 'xml' is none of raw, png, jpeg", done.stderr)

    def test_what_is_wrong_is_seen(self):
        """The check itself: an odd schema, and odd messages."""
        schema = {"type": "object", "properties": {"frame_id": {"type": "number"}, "odd": {"type": "string"}}}
        fix = {"timestamp": {"sec": 1, "nsec": 2}, "frame_id": "x", "latitude": 1, "altitude": "three",
               "position_covariance": [0] * 8, "position_covariance_type": 0}
        seen = node("foxglove-schemas.js", {"channels": [
            {"schemaName": "foxglove.LocationFix", "schema": json.dumps(schema), "messages": [fix]},
            {"schemaName": "foxglove.Nothing", "schema": "{}", "messages": []}]})
        told = "\n".join(seen["complaints"])
        for words in ("frame_id: number is not string", "odd: they have no such field", 'altitude: "three" is no number',
                      "position_covariance: 8 items", "longitude: is missing", "foxglove.Nothing: they have no such schema"):
            self.assertIn(words, told)


if __name__ == "__main__":
    tap.main()
