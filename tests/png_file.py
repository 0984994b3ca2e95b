# SPDX-License-Identifier: BSD-3-Clause
"""Pictures for tests, as PNG."""

import struct
import zlib


def make_png(pixels, cell=1):
    """Of rows of colours, red, green and blue from 0 to 255, each of which is drawn as `cell` by `cell` pixels."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join((b"\0" + b"".join(bytes(color) * cell for color in row)) * cell for row in pixels)
    size = struct.pack(">IIBBBBB", cell * len(pixels[0]), cell * len(pixels), 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
