# SPDX-License-Identifier: BSD-3-Clause
"""examples/cameras.py: what three cameras see, with OpenGL and without."""

import json
import os
import re
import signal
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import support
import sanitized
import tap

try:
    import gi  # noqa: F401
    import numpy
except ImportError:
    numpy = None

DRAWS = os.path.exists(os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))


def read_png(path):
    """The pixels of a file that examples/cameras.py wrote."""
    with open(path, "rb") as stream:
        data = stream.read()
    width, height, _, color = struct.unpack(">IIBB", data[16:26])
    at = data.index(b"IDAT")
    (n,) = struct.unpack(">I", data[at - 4 : at])
    channels = 3 if color == 2 else 1
    rows = numpy.frombuffer(zlib.decompress(data[at + 4 : at + 4 + n]), numpy.uint8)
    return rows.reshape(height, 1 + width * channels)[:, 1:].reshape(height, width, channels).astype(int)


@unittest.skipIf(numpy is None, "no PyGObject or no NumPy")
class Cameras(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="orrery-cameras-")
        self.addCleanup(holder.cleanup)
        self.directory = holder.name

    def run_example(self, libraries=None):
        environment = dict(os.environ, PYTHONPATH=os.path.join(support.BUILD, "share/orrery-1/python"))
        environment.update(sanitized.preloaded())
        if libraries is not None:
            environment["LD_LIBRARY_PATH"] = libraries
        script = os.path.join(support.SOURCE, "examples", "cameras.py")
        return subprocess.run(
            [support.PYTHON, script, self.directory],
            capture_output=True, text=True, timeout=300, env=environment,
        )

    def path(self, name):
        return os.path.join(self.directory, name)

    def check_others(self, done):
        """The red box is 4 m in front of the robot, and what stands behind the camera is not seen."""
        self.assertEqual(done.returncode, 0, done.stderr)
        depth = read_png(self.path("depth.png"))
        self.assertGreater(depth.max() - depth.min(), 100)
        with open(self.path("semantic.json"), encoding="utf-8") as stream:
            seen = {entry["name"]: entry for entry in json.load(stream)}
        self.assertIn("RedBox", seen)
        self.assertAlmostEqual(seen["RedBox"]["position"][0], -7.5, places=6)

    @unittest.skipUnless(DRAWS, "nothing that draws is built")
    @unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
    def test_with_opengl(self):
        done = self.run_example()
        self.check_others(done)
        pixels = read_png(self.path("rgb.png"))
        red = (pixels[:, :, 0] > 90) & (pixels[:, :, 1] < 60) & (pixels[:, :, 2] < 60)
        self.assertGreater(red.sum(), 300)
        self.assertNotIn("no pictures", done.stderr)

    def test_without_opengl(self):
        libraries = self.path("none")
        os.mkdir(libraries)
        for name in ("libEGL.so.1", "libGL.so.1", "libOSMesa.so.8"):
            with open(os.path.join(libraries, name), "wb") as stream:
                stream.write(b"this is no library")
        done = self.run_example(libraries)
        self.check_others(done)
        self.assertFalse(os.path.exists(self.path("rgb.png")))
        self.assertIn("robot.rgb: no pictures", done.stderr)

    def hash_of(self, color, **more):
        """Of a run in which nothing but pictures tells of the colour of a thing."""
        with open(os.path.join(support.SOURCE, "examples", "cameras.json"), encoding="utf-8") as stream:
            scene = json.load(stream)
        ball = {"kind": "sphere", "radius": 0.5, "solid": False, "color": color}
        scene["objects"][1]["objects"][0].update(more)
        # Its first picture may take seconds where all is slow, and no failure is wanted here.
        scene["workers"] = {"robot.rgb": {"timeout": 60}} if more else {}
        scene["objects"].append({"name": "ball", "position": [-9, -3, 1], "shapes": [ball]})
        with open(self.path("scene.json"), "w", encoding="utf-8") as stream:
            json.dump(scene, stream)
        done = subprocess.run(
            [support.PROGRAM, "run", "--fast", "--hash", "--for", "0.2", self.path("scene.json")],
            capture_output=True, text=True, timeout=300,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return re.search(r"hash[^0-9a-f]*([0-9a-f]{16})", done.stdout).group(1)

    @unittest.skipUnless(DRAWS, "nothing that draws is built")
    def test_the_hash_covers_pictures(self):
        red = self.hash_of([1, 0, 0])
        self.assertEqual(red, self.hash_of([1, 0, 0]))
        self.assertNotEqual(red, self.hash_of([0, 1, 0]))
        self.assertEqual(red, self.hash_of([1, 0, 0], placement="worker"))
        self.assertEqual(red, self.hash_of([1, 0, 0], placement="worker", transport="latest"))

    @unittest.skipUnless(DRAWS, "nothing that draws is built")
    def test_killed_while_it_draws(self):
        with open(os.path.join(support.SOURCE, "examples", "cameras.json"), encoding="utf-8") as stream:
            scene = json.load(stream)
        rgb = scene["objects"][1]["objects"][0]
        rgb.update(placement="worker", frequency=60)
        # It draws nearly all of the time.
        rgb["properties"].update(cam_width=2048, cam_height=2048)
        with open(self.path("scene.json"), "w", encoding="utf-8") as stream:
            json.dump(scene, stream)
        process = subprocess.Popen(
            [support.PROGRAM, "run", "--fast", self.path("scene.json")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)

        def read_until(pattern):
            said = []
            for line in process.stderr:
                said.append(line)
                found = re.search(pattern, line)
                if found:
                    return found
            self.fail("never said %s:\n%s" % (pattern, "".join(said)))

        pid = int(read_until(r"worker robot\.rgb runs \(PID (\d+)\)").group(1))
        read_until(r"SCENE INITIALIZED")
        os.kill(pid, signal.SIGKILL)
        read_until(r"robot\.rgb is stale: worker robot\.rgb \(PID %d\) was killed by SIGKILL" % pid)
        again = int(read_until(r"robot\.rgb is fresh again: worker .* \(PID (\d+)\)").group(1))
        self.assertNotEqual(again, pid)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(120), 130)


if __name__ == "__main__":
    tap.main()
