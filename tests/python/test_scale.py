# SPDX-License-Identifier: BSD-3-Clause
"""Sizes that change while a scene runs, as programs and cameras know them."""

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
POINTS = [[-0.5, -0.5, -0.5], [0.5, -0.5, -0.5], [-0.5, 0.5, -0.5], [0.5, 0.5, -0.5],
          [-0.2, -0.2, 0.5], [0.2, -0.2, 0.5], [-0.2, 0.2, 0.5], [0.2, 0.2, 0.5]]
SCALES = {"box": (1, 1, 2), "can": (0.5, 0.5, 2), "ball": (1.5, 1.5, 1.5), "rock": (1, 2, 0.5)}


def turned(points, turn, factors):
    """Points of a shape that is turned about z, stretched along the axes of its object."""
    rotation = numpy.array([[numpy.cos(turn), -numpy.sin(turn), 0], [numpy.sin(turn), numpy.cos(turn), 0], [0, 0, 1]])
    return ((numpy.array(points) @ rotation.T) * factors).tolist()


def things(sizes=False):
    """What is seen, at once in the other sizes if asked."""
    box, can, ball, rock = ((SCALES if sizes else dict.fromkeys(SCALES, (1, 1, 1)))[name] for name in ("box", "can", "ball", "rock"))
    shapes = {
        "box": {"kind": "box", "size": [1, 1, box[2]], "color": [0.8, 0.2, 0.2]},
        "can": {"kind": "cylinder", "radius": 0.4 * can[0], "height": can[2], "color": [0.2, 0.8, 0.2]},
        "ball": {"kind": "sphere", "radius": 0.4 * ball[0], "color": [0.2, 0.2, 0.8]},
        "rock": {"kind": "hull", "points": turned(POINTS, 0.5, rock), "color": [0.8, 0.8, 0.2]}}
    if not sizes:
        shapes["rock"].update(rotation=[0, 0, 0.5], points=POINTS)
    return [{"name": name, "position": [5, 2 - 1.5 * i, 0.5], "rotation": [0, 0, 0.3 if name == "rock" else 0],
             "body": {"type": "static"}, "shapes": [shape]} for i, (name, shape) in enumerate(shapes.items())]


class Scale(PythonCase):
    def load(self, objects, environment=None, **more):
        scene = {"orrery": 1, "environment": {"import": "empty", "start": 0, "frequency": 60, **(environment or {})}, "objects": objects, **more}
        sim = orrery.load(self.write("scene.json", json.dumps(scene)), pacing=orrery.Pacing.FAST)
        self.addCleanup(sim.close)
        return sim

    def look(self, objects, scales, **eye):
        """A picture after the objects were scaled."""
        eye = {"name": "eye", "classpath": "orrery.sensors.video_camera.VideoCamera", "rotation": [0, 0.25, 0], **eye,
               "properties": {"cam_width": 320, "cam_height": 240, "cam_fov": 70, "Vertical_Flip": True, "required": True}}
        sun = {"name": "sun", "position": [0, 0, 10], "rotation": [0.5, 0.4, 0], "lamp": {"kind": "sun", "energy": 0.8}}
        sim = self.load([*objects, sun, {"name": "r", "classpath": "orrery.core.robot.Robot", "position": [0, 0, 2],
                                         "body": {"type": "none"}, "objects": [eye]}])
        sim.step(6)
        for name, factors in scales.items():
            sim.set(name + ".scale", factors)
        sim.step(6)
        return numpy.array(sim["r.eye"].data.image)[:, :, :3].astype(float)

    @unittest.skipUnless(HAS_RENDERER, "built without a renderer")
    @unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
    def test_pictures(self):
        """A camera sees sizes that changed as if the scene had them, in the host and in a worker."""
        before = self.look(things(), {})
        after = self.look(things(), SCALES)
        scene = self.look(things(sizes=True), {})
        self.assertGreater((abs(before - after).max(axis=2) > 20).sum(), 3000)
        # Edges of what is stretched are rounded otherwise.
        self.assertLess((abs(scene - after).max(axis=2) > 20).sum(), 60)
        self.assertTrue((self.look(things(), SCALES, placement="cameras") == after).all())

    def fall(self, engine, margin, sizes):
        """Where a plate slides down a turned part of a tower, and what a ray meets of that part before."""
        factors = (1, 2, 0.5)
        body = {"mass": 1, "damping": [0, 0], **({} if margin is None else {"margin": margin})}
        rock = {"kind": "hull", "points": turned(POINTS, 0.3, factors)} if sizes else {"kind": "hull", "points": POINTS, "rotation": [0, 0, 0.3]}
        top = {"name": "top", "position": [0.1, 0, 1], "rotation": [0.2, 0, 0.4], "shapes": [rock]}
        eye = {"name": "eye", "classpath": "orrery.sensors.radar_altimeter.RadarAltimeter"}
        sim = self.load([
            {"name": "tower", "position": [0, 0, 0.5], "rotation": [0, 0, 0.2], "body": {"type": "static", **body},
             "shapes": [{"kind": "box", "size": [1, 1, 1]}], "objects": [top]},
            {"name": "plate", "position": [0.1, 0.05, 3], "body": {"type": "rigid", **body},
             "shapes": [{"kind": "box", "size": [0.8, 0.8, 0.2 if sizes else 0.1]}]},
            {"name": "r", "classpath": "orrery.core.robot.Robot", "position": [0.1, 0, 2.6], "body": {"type": "none"}, "objects": [eye]}],
            {"physics": engine})
        if not sizes:
            sim.set("tower.top.scale", factors)
            sim.set("plate.scale", (1, 1, 2))
        sim.step(3)
        way = [[sim["r.eye"].data.z] * 3]
        for _ in range(5):
            sim.step(12)
            way.append([float(number) for number in sim.poses[sim.objects.index("plate")][:3]])
        return numpy.array(way)

    def test_like_scene(self):
        """A part that is turned and stretched is met by bodies and rays as if the scene had made it so."""
        engines = ["bullet.Bullet"]
        if os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/physics/mujoco.so")):
            engines.append("mujoco.MuJoCo")
        for engine in engines:
            for margin in (None, 0.04):
                with self.subTest(engine=engine, margin=margin):
                    scaled, scene = (self.fall("orrery.physics." + engine, margin, sizes) for sizes in (False, True))
                    self.assertLess(abs(scaled - scene).max(), 1e-3)
                    self.assertGreater(scaled[2, 2], 1.7)

    def test_semantic_camera(self):
        """What lies beside the view of a semantic camera is in it once it is large enough."""
        eye = {"name": "eye", "classpath": "orrery.sensors.semantic_camera.SemanticCamera", "frequency": 60,
               "properties": {"noocclusion": True, "required": True}}
        box = {"name": "box", "position": [5, 8, 1], "properties": {"Object": True}, "shapes": [{"kind": "box", "size": [1, 1, 1]}]}
        sim = self.load([box, {"name": "r", "classpath": "orrery.core.robot.Robot", "position": [0, 0, 1], "objects": [eye]}])
        seen = []
        for factors in ((1, 1, 1), (1, 15, 1), (1, 1, 1)):
            sim.set("box.scale", factors)
            sim.step(3)
            seen.append(len(sim["r.eye"].data.visible_objects))
        self.assertEqual(seen, [0, 1, 0])

    def test_values(self):
        """Programs set and read three factors; a reset brings back the sizes of the scene."""
        sim = self.load(things())
        sim.set("box.scale", (1, 2, 3))
        sim.step(1)
        self.assertEqual(sim.get("box.scale"), [1, 2, 3])
        low, high = sim.world.find_object("box").get_shapes()[0].get_bounds(None)
        self.assertEqual((high.x - low.x, high.y - low.y, high.z - low.z), (1, 2, 3))
        for value in (2, (1, 2), (0, 1, 1), "large", (1, 1, float("nan")), (1, 1, 2e3), None):
            with self.assertRaises(Exception, msg=repr(value)):
                sim.set("box.scale", value)
        with self.assertRaisesRegex(Exception, "three equal numbers"):
            sim.set("ball.scale", (1, 1, 2))
        sim.reset()
        self.assertEqual(sim.get("box.scale"), [1, 1, 1])

    def test_randomisation(self):
        """Each episode has sizes of its own, the same for the same seed."""
        table = {"name": "table", "position": [0, 0, 0.5], "body": {"type": "static"}, "shapes": [{"kind": "box", "size": [2, 2, 1]}]}
        cube = {"name": "cube", "position": [0, 0, 2.2], "body": {"type": "rigid", "mass": 1}, "shapes": [{"kind": "box", "size": [0.2] * 3}]}
        rows = [{"path": "table.scale[2]", "distribution": "uniform(0.5, 1.5)"},
                {"path": "cube.scale", "operation": "scale", "distribution": "uniform(0.5, 2)"}]
        sim = self.load([table, cube], {"physics": "orrery.physics.bullet.Bullet"}, randomisation=rows)

        def episode():
            sim.step(150)
            table, cube = sim.get("table.scale"), sim.get("cube.scale")
            self.assertEqual(table[:2], [1, 1])
            self.assertEqual(cube[0], cube[1])
            self.assertAlmostEqual(sim.poses[sim.objects.index("cube")][2], 0.5 + table[2] / 2 + 0.1 * cube[2], delta=0.01)
            return table[2], cube[0], sim.get_hash()

        first = episode()
        sim.reset()
        second = episode()
        self.assertNotEqual(first[:2], second[:2])
        again = self.load([table, cube], {"physics": "orrery.physics.bullet.Bullet"}, randomisation=rows)
        again.step(150)
        self.assertEqual(again.get_hash(), first[2])
        again.reset()
        again.step(150)
        self.assertEqual(again.get_hash(), second[2])

    def test_randomisation_refused(self):
        """A ball cannot be stretched along one axis, and the scene that says so is refused."""
        for row in ({"path": "ball.scale[2]", "distribution": "uniform(1.1, 2)"},
                    {"path": "box.scale[2]", "distribution": "uniform(-2, -1)"}):
            with self.assertRaisesRegex(Exception, "three equal numbers|each number of scale"):
                self.load(things(), randomisation=[row])


if __name__ == "__main__":
    tap.main()
