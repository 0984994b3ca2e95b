# SPDX-License-Identifier: BSD-3-Clause
"""MORSE's own client library takes pictures and points."""

import base64
import os
import struct
import threading
import unittest

from clients import BUILD, MIDDLEWARE, REQUESTS, SOCKET, ClientCase

import tap

try:
    import pymorse
except ImportError:
    pymorse = None

WIDTH, HEIGHT = 64, 48
SIZE = {"cam_width": WIDTH, "cam_height": HEIGHT, "cam_focal": 35.0}
DRAWS = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))
PLACE = {"position": [2, 0, 1], "frequency": 60}
CAMERAS = [
    dict(PLACE, name="video", classpath="morse.sensors.video_camera.VideoCamera", properties=dict(SIZE)),
    dict(PLACE, name="grey", classpath="morse.sensors.video_camera.VideoCamera", properties=dict(SIZE)),
    dict(PLACE, name="depth", classpath="morse.sensors.depth_camera.DepthCamera", properties=dict(SIZE)),
]


def wall(name, y, color):
    """Half of what the cameras see, 4 m in front of them."""
    shape = {"kind": "box", "size": [1, 20, 40], "color": color, "emission": 1}
    return {"name": name, "position": [6.5, y, 1], "shapes": [shape]}


def publisher(name):
    return [[SOCKET, MIDDLEWARE + "sockets." + name, {}]]


@unittest.skipIf(pymorse is None, "no pymorse; Debian has it as python3-morse-simulator")
class PymorseCameras(ClientCase):
    def setUp(self):
        super().setUp()
        streams = {
            "robot.video": publisher("video_camera.VideoCameraPublisher"),
            "robot.grey": publisher("video_camera.Video8uPublisher"),
            "robot.depth": publisher("depth_camera.DepthCameraPublisher"),
        }
        services = {"robot.video": [REQUESTS], "robot.depth": [REQUESTS]}
        scene = self.scene(
            CAMERAS,
            others=[wall("left", 10, [1, 0, 0]), wall("right", -10, [0, 0, 1])],
            component_datastream=streams,
            component_service=services,
        )
        self.process, port = self.run_scene(scene)
        self.morse = pymorse.Morse("127.0.0.1", port)
        self.addCleanup(self.leave)

    def leave(self):
        # As in test_pymorse.py: waiting for publishers fails with Python 3.11.
        self.morse.close(True, wait_publishers=False)

    @unittest.skipUnless(DRAWS, "nothing that draws is built")
    def test_picture(self):
        picture = self.morse.robot.video.get(30)
        self.assertEqual(list(picture), ["timestamp", "height", "width", "image", "intrinsic_matrix"])
        self.assertEqual((picture["width"], picture["height"]), (WIDTH, HEIGHT))
        pixels = base64.b64decode(picture["image"], validate=True)
        self.assertEqual(len(pixels), 4 * WIDTH * HEIGHT)
        for row in range(HEIGHT):
            for column in range(WIDTH):
                red, green, blue, alpha = pixels[4 * (row * WIDTH + column) :][:4]
                self.assertEqual(alpha, 255)
                self.assertLess(green, 60)
                if column == WIDTH // 2 - 1 or column == WIDTH // 2:
                    continue
                # Left is the red one.
                self.assertEqual(red > 100 and blue < 60, column < WIDTH // 2, (row, column))
                self.assertEqual(blue > 100 and red < 60, column >= WIDTH // 2, (row, column))
        focal = WIDTH * 35 / 32
        self.assertEqual(picture["intrinsic_matrix"], [[focal, 0, WIDTH / 2], [0, focal, HEIGHT / 2], [0, 0, 1]])

    @unittest.skipUnless(DRAWS, "nothing that draws is built")
    def test_grey(self):
        """A byte for each pixel: the luma of what the other camera sees at the same place."""
        picture = self.morse.robot.video.get(30)
        grey = self.morse.robot.grey.get(30)
        self.assertEqual(list(grey), list(picture))
        self.assertEqual(grey["intrinsic_matrix"], picture["intrinsic_matrix"])
        colours = base64.b64decode(picture["image"], validate=True)
        lumas = base64.b64decode(grey["image"], validate=True)
        self.assertEqual(len(lumas), WIDTH * HEIGHT)
        for i, luma in enumerate(lumas):
            red, green, blue = colours[4 * i : 4 * i + 3]
            self.assertEqual(luma, int(0.2126 * red + 0.7152 * green + 0.0722 * blue))
        self.assertGreater(len(set(lumas)), 1)

    def test_points(self):
        cloud = self.morse.robot.depth.get(30)
        data = base64.b64decode(cloud["points"], validate=True)
        self.assertEqual(len(data), 12 * WIDTH * HEIGHT)
        points = list(struct.iter_unpack("<3f", data))
        for _, _, z in points:
            self.assertAlmostEqual(z, 4, delta=1e-3)
        reach = 4 / (2 * 35 / 32)
        self.assertAlmostEqual(min(x for x, _, _ in points), -reach, delta=0.1)
        self.assertAlmostEqual(max(y for _, y, _ in points), reach * HEIGHT / WIDTH, delta=0.1)

    def test_capture(self):
        camera = self.morse.robot.depth
        times = []
        new = threading.Condition()

        def note(cloud):
            with new:
                times.append(cloud["timestamp"])
                new.notify()

        camera.subscribe(note)
        self.assertIsNone(camera.capture(2).result(30))
        done = self.morse.time()
        while self.morse.time() < done + 0.2:
            self.morse.sleep(0.05)
        again = self.morse.time()
        self.assertIsNone(camera.capture(1).result(30))
        with new:
            self.assertTrue(new.wait_for(lambda: times and times[-1] >= again, 30))
            self.assertEqual([time for time in times if done < time < again], [])
            self.assertEqual(len([time for time in times if time >= again]), 1)


if __name__ == "__main__":
    tap.main()
