# SPDX-License-Identifier: BSD-3-Clause
"""A robot with three cameras: saves what they see after two seconds.

    python3 examples/cameras.py DIRECTORY

writes rgb.png, depth.png (near is bright) and semantic.json. Where no OpenGL is to be had, the
colour camera gives no picture; the others see by rays.
"""

import json
import os
import struct
import sys
import zlib

import numpy
import orrery
from numpy.typing import NDArray


def save_png(path: str, pixels: NDArray[numpy.uint8]) -> None:
    """Rows of grey, or of red, green and blue, 8 bits each, as a PNG file."""
    height, width = pixels.shape[:2]
    color = 2 if pixels.ndim == 3 else 0
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    with open(path, "wb") as stream:
        stream.write(b"\x89PNG\r\n\x1a\n")
        stream.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)))
        stream.write(chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def main(directory: str) -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sim = orrery.load(os.path.join(here, "cameras.json"))
    sim["robot.motion"].data.v = 1.0
    sim.step(120)

    image = sim["robot.rgb"].data.image
    if hasattr(image, "shape"):
        save_png(os.path.join(directory, "rgb.png"), numpy.asarray(image)[:, :, :3])
    depth = numpy.asarray(sim["robot.depth"].data.image)
    save_png(os.path.join(directory, "depth.png"), (255 * (1 - depth / 20)).astype(numpy.uint8))
    seen = sim["robot.semantic"].data.visible_objects
    with open(os.path.join(directory, "semantic.json"), "w", encoding="utf-8") as stream:
        json.dump(seen, stream, indent=1)
    print("seen:", ", ".join(entry["name"] for entry in seen))


if __name__ == "__main__":
    main(sys.argv[1])
