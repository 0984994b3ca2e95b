# SPDX-License-Identifier: BSD-3-Clause
"""The pictures of the components page: there, small, of classes that there are, and as the renderer draws them."""

import json
import os
import re
import struct
import subprocess
import sys
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, PYTHON, SOURCE, ProgramCase  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

PICTURES = os.path.join(SOURCE, "docs/pictures")
DRAWS = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))
try:
    import gi  # noqa: F401
    import numpy  # noqa: F401
except ImportError:
    DRAWS = False
# What there is something to see of in any case.
NAMED = ("sensors.sick.Sick", "sensors.hokuyo.Hokuyo", "sensors.laserscanner.LaserScanner", "sensors.video_camera.VideoCamera",
         "sensors.depth_camera.DepthVideoCamera", "sensors.semantic_camera.SemanticCamera", "sensors.kinect.Kinect",
         "actuators.kuka_lwr.KukaLWR", "actuators.gripper.Gripper", "actuators.waypoint.Waypoint")


def read_png(path):
    """Width, height and the bytes of its rows."""
    with open(path, "rb") as stream:
        data = stream.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("%s is no PNG" % path)
    width, height = struct.unpack(">II", data[16:24])
    at = data.index(b"IDAT")
    (length,) = struct.unpack(">I", data[at - 4:at])
    raw = zlib.decompress(data[at + 4:at + 4 + length])
    return width, height, b"".join(raw[i + 1:i + 1 + 3 * width] for i in range(0, len(raw), 1 + 3 * width))


def difference(one, other):
    """Of two pictures, mean by byte."""
    assert one[:2] == other[:2], "%s, %s" % (one[:2], other[:2])
    return sum(abs(a - b) for a, b in zip(one[2], other[2])) / len(one[2])


class Pictures(ProgramCase):
    def setUp(self):
        super().setUp()
        self.names = sorted(name.removesuffix(".png") for name in os.listdir(PICTURES))

    def test_files(self):
        """Each shows something, and is small."""
        for name in self.names:
            path = os.path.join(PICTURES, name + ".png")
            self.assertLessEqual(os.path.getsize(path), 60000, name)
            width, height, data = read_png(path)
            self.assertLessEqual((width, height), (320, 240), name)
            colors = {data[i:i + 3] for i in range(0, len(data), 3)}
            self.assertGreater(len(colors), 15, name)

    def test_classes(self):
        """Each is of a class; each robot has one, so has what sees, reaches or drives; all are installed."""
        done = self.orrery("plugins", "--json")
        self.check(done, 0)
        classes = {c["classpath"].removeprefix("orrery.") for m in json.loads(done.stdout)["modules"]
                   for c in m.get("classes", ()) if c["classpath"].startswith("orrery.")}
        self.assertEqual([name for name in self.names if name not in classes], [])
        robots = sorted(name for name in classes if name.startswith("robots."))
        self.assertGreaterEqual(len(robots), 16)
        self.assertEqual([name for name in [*robots, *NAMED] if name not in self.names], [])
        with open(os.path.join(SOURCE, "docs/local.mk"), encoding="utf-8") as file:
            self.assertEqual(sorted(re.findall(r"%D%/pictures/(\S+)\.png", file.read())), self.names)

    def test_page(self):
        """The page shows each one in the section of its class, where a reader of the build tree finds it."""
        pages = [os.path.join(BUILD, "docs", name) for name in os.listdir(os.path.join(BUILD, "docs"))
                 if name.startswith("classes-")]
        sections = []
        for page in pages:
            with open(page, encoding="utf-8") as file:
                sections += file.read().split("\n## ")[1:]
        shown = []
        for section in sections:
            links = re.findall(r"!\[[^]]*\]\(([^)]*)\)", section)
            for link in links:
                self.assertTrue(os.path.isfile(os.path.join(BUILD, "docs", link)), link)
                self.assertEqual(os.path.basename(link), section.split("\n")[0].removeprefix("orrery.") + ".png")
                shown.append(os.path.basename(link).removesuffix(".png"))
        self.assertEqual(sorted(shown), self.names)

    def draw(self, *names):
        done = subprocess.run([PYTHON, os.path.join(SOURCE, "docs/pictures.py"), self.directory, *names], capture_output=True,
                              text=True, timeout=300, env=dict(os.environ, PYTHONDONTWRITEBYTECODE="1",
                                                               PYTHONPATH=os.path.join(BUILD, "share/orrery-1/python")))
        self.assertEqual(done.returncode, 0, done.stderr)

    @unittest.skipUnless(DRAWS, "nothing that draws is there, or no PyGObject, or no NumPy")
    @unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
    def test_anew(self):
        """Drawn again they look as they do; two of different things do not."""
        names = ["robots.atrv.ATRV", "robots.b21.B21", "sensors.sick.Sick", "sensors.depth_camera.DepthVideoCamera"]
        self.draw(*("orrery." + name for name in names))
        for name in names:
            kept, drawn = read_png(os.path.join(PICTURES, name + ".png")), read_png(self.path(name + ".png"))
            self.assertLess(difference(kept, drawn), 3, name)
        one, other = (read_png(self.path(name + ".png")) for name in names[:2])
        self.assertGreater(difference(one, other), 6)


if __name__ == "__main__":
    tap.main()
