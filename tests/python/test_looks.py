# SPDX-License-Identifier: BSD-3-Clause
"""How pictures look, in numbers: sky, ground, edges, shadows."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from native import BUILD, PythonCase, missing  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

if not missing():
    import numpy
    import orrery

HAS_RENDERER = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))
SUN = {"name": "sun", "position": [0, 0, 10], "rotation": [0.5, 0.4, 0], "lamp": {"kind": "sun", "shadows": True, "energy": 0.8}}
ROBOTS = [{"name": "atrv", "classpath": "orrery.robots.atrv.ATRV", "position": [4, 0, 0]},
          {"name": "b21", "classpath": "orrery.robots.b21.B21", "position": [5, 2, 0]}]
# Turned a little, so that its edges cross the pixels.
SLATE = {"name": "slate", "position": [4, 0, 2.4], "rotation": [0.3, 0, 0], "shapes": [
    {"kind": "box", "size": [0.1, 1, 1], "color": [0.9, 0.1, 0.1]}]}


@unittest.skipUnless(HAS_RENDERER, "built without a renderer")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Looks(PythonCase):
    def picture(self, objects=(), place=(0, 0, 2), **keys):
        """Of a camera that looks ahead and a little down, as 240 rows of 320 pixels of floats, from the top."""
        eye = {"name": "eye", "classpath": "orrery.sensors.video_camera.VideoCamera", "rotation": [0, 0.3, 0],
               "properties": {"cam_width": 320, "cam_height": 240, "cam_fov": 70, "Vertical_Flip": True, "required": True}}
        scene = {"orrery": 1, "environment": {"import": "empty", "physics": "orrery.physics.kinematic.Kinematic", **keys},
                 "objects": [*objects, {"name": "r", "classpath": "orrery.core.robot.Robot", "position": list(place),
                                        "objects": [eye]}]}
        sim = orrery.load(self.write("scene.json", json.dumps(scene)), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        sim.step(2)
        return numpy.array(sim["r.eye"].data.image)[:, :, :3].astype(float)

    def test_sky(self):
        """The sky is blue above, bright at the horizon, and far from the grey of the ground."""
        picture = self.picture()
        above, horizon, ground = picture[:10].mean(axis=(0, 1)), picture[60:66].mean(axis=(0, 1)), picture[150:].mean(axis=(0, 1))
        self.assertGreater(above[2] - above[0], 40)
        self.assertGreater(horizon.mean(), above.mean())
        self.assertLess(abs(ground[2] - ground[0]), 5)
        self.assertGreater(horizon.mean() - ground.mean(), 40)

    def test_ground(self):
        """The ground has light and dark cells between lines, and half a step forward changes it."""
        picture = self.picture()[150:]
        grey = picture.mean(axis=2)
        counts, _ = numpy.histogram(grey, bins=16, range=(0, 255))
        self.assertGreaterEqual((counts > 0.1 * grey.size).sum(), 2)
        self.assertGreater(grey.std(), 8)
        moved = self.picture(place=(0.5, 0, 2))[150:]
        self.assertGreater(abs(moved - picture).mean(), 5)
        again = self.picture(place=(2, 0, 2))[150:]
        self.assertLess(abs(again - picture).mean(), 2)

    def test_edges(self):
        """An edge has shades between the colours at either side of it."""
        blue = self.picture([SLATE])[:60, :, 2] - self.picture()[:60, :, 2]
        most = -blue.min()
        self.assertGreater(most, 100)
        self.assertGreater((-blue > 0.9 * most).sum(), 500)
        self.assertGreater(((-blue > 0.1 * most) & (-blue < 0.75 * most)).sum(), 30)

    def test_shadows(self):
        """A sun throws shadows, and no surface shades itself in stripes."""
        lit = self.picture([dict(SUN, lamp=dict(SUN["lamp"], shadows=False)), *ROBOTS]).mean(axis=2)
        shaded = self.picture([SUN, *ROBOTS]).mean(axis=2)
        dark = lit[90:] - shaded[90:] > 30
        self.assertTrue(0.01 < dark.mean() < 0.2, dark.mean())
        # Rows beside each other differ by the lines of the ground and the outlines alone.
        plain, striped = (abs(numpy.diff(picture[90:], axis=0)).mean() for picture in (lit, shaded))
        self.assertLess(striped, plain + 1)

    def test_spot(self):
        """A spot of 90 degrees lights a wall 1.3 m ahead: by the cosine to its axis, and by D / (D + d^2)."""
        wall = {"name": "wall", "position": [1.8, 0, 0], "shapes": [{"kind": "box", "size": [1, 1, 1.8], "color": [1, 1, 1]}]}
        parts = [{"name": "eye", "classpath": "orrery.sensors.video_camera.VideoCamera",
                  "properties": {"cam_width": 128, "cam_height": 128, "cam_fov": 90, "required": True}},
                 {"name": "light", "classpath": "orrery.actuators.light.Light", "properties": {"distance": 1}}]
        scene = {"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"},
                 "objects": [wall, {"name": "r", "classpath": "orrery.core.robot.Robot", "objects": parts}]}
        sim = orrery.load(self.write("scene.json", json.dumps(scene)), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        sim.step(2)
        picture = numpy.array(sim["r.eye"].data.image)
        for row, column in ((64, 64), (64, 40), (24, 44)):
            y, z = 1.3 * (64 - column) / 64, 1.3 * (64 - row) / 64
            square = 1.3 ** 2 + y ** 2 + z ** 2
            cosine = 1.3 / square ** 0.5
            # Ambient light, and of a lamp of energy 1 what its cone, its distance and the slope leave.
            level = 0.3 + cosine * cosine / (1 + square)
            self.assertAlmostEqual(picture[row, column, 0] / 255, level, delta=0.025)


if __name__ == "__main__":
    tap.main()
