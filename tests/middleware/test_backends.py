# SPDX-License-Identifier: BSD-3-Clause
"""What draws a picture does not show in it: EGL and OSMesa."""

import base64
import ctypes
import json
import os
import unittest

from clients import BUILD, MIDDLEWARE, REQUESTS, SOCKET, ClientCase, Lines

import tap

WIDTH, HEIGHT = 160, 120
DRAWS = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))
CAMERA = {
    "name": "video",
    "classpath": "orrery.sensors.video_camera.VideoCamera",
    "position": [2, 0, 1.5],
    "rotation": [0, 0.2, 0],
    "frequency": 60,
    "properties": {"cam_width": WIDTH, "cam_height": HEIGHT},
}
ROOM = [
    {"name": "floor", "shapes": [{"kind": "box", "size": [40, 40, 0.2], "color": [0.5, 0.5, 0.4]}]},
    {"name": "ball", "position": [5, 1, 1], "shapes": [{"kind": "sphere", "radius": 0.8, "color": [1, 0.2, 0]}]},
    {"name": "crate", "position": [7, -1, 0.6], "rotation": [0, 0, 0.4],
     "shapes": [{"kind": "box", "size": [1, 1, 1], "color": [0, 0.3, 1]}]},
    {"name": "sun", "position": [0, 0, 9], "lamp": {"kind": "sun", "direction": [0.5, 0.3, -0.8]}},
]


def has_library(name):
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


@unittest.skipUnless(DRAWS, "nothing that draws is built")
@unittest.skipUnless(has_library("libEGL.so.1") and has_library("libGL.so.1"), "no EGL")
@unittest.skipUnless(has_library("libOSMesa.so.8"), "no OSMesa")
class Backends(ClientCase):
    def draw(self, backend):
        classes = {"Drawer": {"base": "orrery.renderers.mujoco.MuJoCo", "properties": {"backend": backend}}}
        module = self.write(backend + ".json", json.dumps({"classes": classes}))
        streams = {"robot.video": [[SOCKET, MIDDLEWARE + "sockets.video_camera.VideoCameraPublisher", {}]]}
        scene = self.scene(
            [CAMERA], environment={"renderer": backend + ".Drawer"}, others=ROOM,
            component_datastream=streams, component_service={"robot.video": [REQUESTS]},
        )
        process, port = self.run_scene("--plugin-dir", os.path.dirname(module), scene)
        with Lines(port) as calls:
            stream = calls.ask("simulation", "get_stream_port", "robot.video")
            with Lines(stream) as pictures:
                picture = json.loads(pictures.line())
        self.finish(process)
        pixels = base64.b64decode(picture["image"], validate=True)
        self.assertEqual(len(pixels), 4 * WIDTH * HEIGHT)
        return pixels

    def test_same_picture(self):
        """Nine of ten numbers are within 2 of 255, and 99 of 100 within 16: edges may fall to either side."""
        egl, osmesa = self.draw("egl"), self.draw("osmesa")
        self.assertGreater(len(set(egl)), 20)
        away = sorted(abs(a - b) for a, b in zip(egl, osmesa))
        self.assertLessEqual(away[len(away) * 9 // 10], 2)
        self.assertLessEqual(away[len(away) * 99 // 100], 16)


if __name__ == "__main__":
    tap.main()
