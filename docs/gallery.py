# SPDX-License-Identifier: BSD-3-Clause
"""Makes the pictures of docs/gallery: one of each environment of morse-simulator-data.

    python3 docs/gallery.py [DIRECTORY [NAME...]]
"""

import json
import os
import struct
import sys
import tempfile
import zlib

import numpy
import orrery

WIDTH, HEIGHT = 360, 240

#: Where the camera stands and what it looks at; the lens, mm; a sun where the file has too little light.
VIEWS = {
    "empty": ((-28, -28, 14), (0, 0, 0), 25),
    "sandbox": ((-12, -6, 9), (0, 0, 0), 25),
    "apartment": ((-6, -6, 9), (0, 0, 0), 25),
    "outdoors": ((-40, -40, 25), (0, 0, 0), 25),
    "human_tut/tutorial_scene": ((-6, -6, 5), (0, 0, 0.5), 25),
    "indoors-1/boxes": ((-14, -9, 5), (-6, 1, 0.5), 25),
    "indoors-1/indoor-1": ((2, -9, 6), (-3, 2, 0.5), 25),
    "laas/grande_salle": ((-12, -12, 10), (0, 0, 0), 25),
    "land-1/buildings_1": ((-60, -60, 45), (0, 0, 0), 25),
    "land-1/buildings_2": ((-60, -60, 45), (0, 0, 0), 25),
    "land-1/rosace_1": ((-60, -60, 45), (0, 0, 0), 25),
    "land-1/trees": ((-40, -40, 25), (0, 0, 0), 25),
    "tum_kitchen/tum_kitchen": ((-3, -4, 9), (2, 2, 0), 25),
    "water-1/deep_water": ((-60, -60, 25), (0, 0, 0), 25),
    "water-1/water_scene": ((-60, -60, 30), (0, 0, 0), 25),
}


def save_png(path, pixels):
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    with open(path, "wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n")
        stream.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)))
        stream.write(chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def scene_of(environment, view):
    """A scene with that environment and a camera; four pixels make one of the picture."""
    eye, target, focal = view
    dx, dy, dz = (t - e for t, e in zip(target, eye))
    rotation = [0, float(numpy.arctan2(-dz, numpy.hypot(dx, dy))), float(numpy.arctan2(dy, dx))]
    camera = {
        "name": "camera",
        "classpath": "orrery.sensors.video_camera.VideoCamera",
        "properties": {
            "cam_width": 2 * WIDTH, "cam_height": 2 * HEIGHT, "cam_focal": focal,
            "cam_far": 2000, "cam_near": 0.2, "required": True,
        },
    }
    return {
        "orrery": 1,
        "environment": {"import": environment, "physics": "orrery.physics.kinematic.Kinematic", "start": 0},
        "objects": [
            {"name": "gallery_eye", "classpath": "orrery.core.robot.Robot", "position": list(eye),
             "rotation": rotation, "objects": [camera]},
        ],
    }


def draw(environment, view):
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "scene.json")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(scene_of(environment, view), stream)
        sim = orrery.load(path)
        sim.step(3)
        pixels = numpy.asarray(sim["gallery_eye.camera"].data.image)[:, :, :3].astype(float)
    return pixels.reshape(HEIGHT, 2, WIDTH, 2, 3).mean(axis=(1, 3)).astype(numpy.uint8)


def main(directory=None, *names):
    directory = directory or os.path.join(os.path.dirname(os.path.abspath(__file__)), "gallery")
    os.makedirs(directory, exist_ok=True)
    for name in names or VIEWS:
        # The full path: an environment of our own may have the name, too.
        path = "/usr/share/morse/data/environments/%s.blend" % name
        try:
            save_png(os.path.join(directory, name.replace("/", "-") + ".png"), draw(path, VIEWS[name]))
            print(name)
        except Exception as error:  # one that fails is told, the others are made
            print("%s: %s" % (name, error), file=sys.stderr)


if __name__ == "__main__":
    main(*sys.argv[1:])
