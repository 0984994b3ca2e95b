# SPDX-License-Identifier: BSD-3-Clause
"""How objects look, of another file: cameras see it, and nothing else knows of it."""

import json
import os
import struct
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "python"), os.path.join(HERE, "..", "cli")]

from native import PythonCase, missing  # noqa: E402

from blends import MESH, Blend  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402
from png_file import make_png  # noqa: E402

if not missing():
    import numpy
    import orrery

MODELS = "/usr/share/morse/data/robots/atrv.blend"


def make_cube(half, z, first):
    """Of faces with four corners, as most programs write them."""
    corners = [(x, y, z + up) for up in (-half, half) for y in (-half, half) for x in (-half, half)]
    faces = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]
    return "o cube%d\n%s%s" % (
        first, "".join("v %g %g %g\n" % corner for corner in corners),
        "".join("f %s\n" % " ".join(str(first - 1 + i) for i in face) for face in faces))


SIGHT = {"classpath": "orrery.core.robot.Robot", "name": "eye", "position": [-6, 0, 1], "objects": [
    {"name": "camera", "classpath": "morse.sensors.video_camera.VideoCamera",
     "properties": {"cam_width": 64, "cam_height": 64}},
    {"name": "laser", "classpath": "morse.sensors.laserscanner.LaserScanner",
     "properties": {"resolution": 1.0, "scan_window": 10.0, "laser_range": 20.0}}]}


def describe(thing, **environment):
    return {"orrery": 1, "environment": dict({"physics": "orrery.physics.kinematic.Kinematic", "start": 0}, **environment),
            "objects": [thing, SIGHT, {"name": "sun", "position": [0, 0, 20],
                                       "lamp": {"kind": "sun", "direction": [1, 0.2, -1], "energy": 1.0}}]}


@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Visuals(PythonCase):
    def look(self, scene):
        """Points of the picture that are no sky, and those of them that are red; the distance ahead."""
        self.write("scene.json", json.dumps(scene))
        with orrery.load(self.path("scene.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            sim.step(3)
            image = numpy.array(sim["eye.camera"].data.image)[..., :3].astype(int)
            # The sky is blue, and so are edges before it.
            thing = image[..., 2] < image[..., 0] + 8
            red = thing & (image[..., 0] > image[..., 1] + 20)
            return int(thing.sum()), int(red.sum()), min(sim["eye.laser"].data.range_list)

    def setUp(self):
        super().setUp()
        self.write("cubes.obj", make_cube(1, 1, 1) + make_cube(0.5, 2.5, 9))

    def thing(self, **visual):
        box = {"kind": "box", "size": [1, 1, 1], "position": [0, 0, 0.5], "color": [1, 0, 0]}
        return dict({"name": "thing", "body": {"type": "static"}, "shapes": [box]},
                    **({"visual": visual} if visual else {}))

    def test_seen_and_nothing_else(self):
        seen, red, ahead = self.look(describe(self.thing()))
        self.assertEqual(seen, red)
        self.assertGreater(red, 20)
        larger, no_red, same = self.look(describe(self.thing(file="cubes.obj", object="cubes")))
        self.assertEqual(no_red, 0)
        self.assertGreater(larger, 3 * seen)
        self.assertEqual(same, ahead)

    def test_a_file_that_is_missing(self):
        plain = self.look(describe(self.thing()))
        self.assertEqual(self.look(describe(self.thing(file="elsewhere.obj", object="cubes"))), plain)

    def test_what_is_wrong(self):
        for visual, words in (({"file": "cubes.obj"}, "a visual needs an 'object'"),
                              ({"file": "cubes.obj", "object": "cubes", "mesh": 1}, "mesh")):
            self.write("scene.json", json.dumps(describe(self.thing(**visual))))
            self.check(self.orrery("check", "scene.json"), 65, words)
        self.write("scene.json", json.dumps(describe(self.thing(file="cubes.obj", object="cube"))))
        done = self.orrery("run", "scene.json", "--fast", "--ticks", "2", "--offline")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("thing: there is no object cube in ", done.stderr)

    @unittest.skipUnless(os.path.exists(MODELS), "no morse-simulator-data")
    def test_robots_of_the_package(self):
        """Cameras see the model of the file; the report names it; states do not depend on it."""
        robot = {"name": "robot", "classpath": "morse.robots.atrv.ATRV"}
        self.write("scene.json", json.dumps(describe(robot)))
        with orrery.load(self.path("scene.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            shapes = sim.world.find_object("robot").get_shapes()
            self.assertGreater(len(shapes), 1)
            self.assertEqual([shape.is_solid() for shape in shapes], [True] + (len(shapes) - 1) * [False])
            self.assertFalse(shapes[0].is_visible())
            self.assertIn(MODELS, json.dumps(sim.report, default=str))
        scene = describe(robot)
        scene["objects"][1] = dict(SIGHT, objects=SIGHT["objects"][1:])
        self.write("blind.json", json.dumps(scene))
        with orrery.load(self.path("blind.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            self.assertEqual(len(sim.world.find_object("robot").get_shapes()), 1)

    def picture(self, scene):
        self.write("scene.json", json.dumps(scene))
        with orrery.load(self.path("scene.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            sim.step(3)
            return numpy.array(sim["eye.camera"].data.image)[..., :3].astype(int)

    def share_of_blue(self, scene):
        """Of the light that comes from things, not from the sky."""
        sky = self.picture(dict(scene, objects=[thing for thing in scene["objects"] if thing["name"] == "eye"]))
        image = self.picture(scene)
        things = image[(image != sky).any(axis=2)]
        self.assertGreater(len(things), 20)
        return things[:, 2].sum() / things.sum()

    def test_colours_of_scripts(self):
        """All that the class brings is painted, its file's materials too; components and other robots are not."""
        ball = {"kind": "sphere", "radius": 0.5, "position": [0, 0, 1.8], "color": [1, 0, 0]}
        part = {"name": "part", "classpath": "orrery.core.robot.Robot", "shapes": [dict(ball, position=[0, 0, 3])]}
        green = {"name": "thing", "shapes": [dict(ball, color=[0, 1, 0], radius=1)]}
        atrv = {"name": "robot", "classpath": "morse.robots.atrv.ATRV"}
        for robot in (atrv, {"name": "robot", "classpath": "morse.robots.morsy.Morsy"}, green):
            with self.subTest(robot):
                self.assertLess(self.share_of_blue(describe(robot)), 0.6)
                self.assertGreater(self.share_of_blue(describe(dict(robot, color=[0, 0, 1]))), 0.75)
        beside = describe(dict(green, color=[0, 0, 1], objects=[part]))
        self.assertLess(self.share_of_blue(beside), 0.95)
        beside["objects"].append({"name": "other", "classpath": "morse.robots.atrv.ATRV", "position": [0, 1.5, 0]})
        beside["objects"][0] = dict(atrv, color=[0, 0, 1], position=[0, -1.5, 0])
        self.assertLess(self.share_of_blue(beside), 0.8)
        self.write("scene.json", json.dumps(describe(dict(green, color=[2, 0, 0]))))
        self.check(self.orrery("check", "scene.json"), 65, "'color' is [2, 0, 0], not red, green and blue")

    def test_materials_of_files(self):
        """A colour for a name reaches the materials of that name in files, and no others; unknown names are told."""
        blend = Blend()
        corners = [(0, y, z) for y, z in ((-1, 0), (1, 0), (1, 2), (-1, 2))]
        grey = blend.add("Material", {"id": {"name": b"MApaint.001"}, "r": 0.5, "g": 0.5, "b": 0.5}, code=b"MA")
        wall = blend.mesh(corners, [[0, 3, 2, 1]], mat=blend.raw(struct.pack("<Q", grey)))
        blend.object(b"wall", MESH, data=wall)
        with open(self.path("wall.blend"), "wb") as stream:
            stream.write(blend.to_bytes())
        self.write("box.urdf", """<robot name="box"><material name="paint.001"><color rgba=".5 .5 .5 1"/></material>
            <link name="base"><visual><origin xyz="0 0 1"/><geometry><box size="1 2 2"/></geometry>
            <material name="paint.001"/></visual></link></robot>""")
        for name in ("wall.blend", "box.urdf"):
            with self.subTest(name):
                scene = describe({"name": "thing", "import": {"file": name}})
                self.assertLess(self.share_of_blue(scene), 0.5)
                blue = {"name": "paint.001", "color": [0, 0, 1]}
                self.assertLess(self.share_of_blue(dict(scene, materials=[dict(blue, name="paint")])), 0.5)
                self.assertGreater(self.share_of_blue(dict(scene, materials=[dict(blue, color=[1, 0, 0]), blue])), 0.75)
                over = dict(scene, objects=[dict(scene["objects"][0], color=[1, 0, 0])] + scene["objects"][1:])
                self.assertLess(self.share_of_blue(dict(over, materials=[blue])), 0.3)
                self.write("scene.json", json.dumps(dict(scene, materials=[blue, dict(blue, name="paint.01")])))
                done = self.orrery("run", "scene.json", "--fast", "--ticks", "2", "--offline")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stderr.count("no file has brought a material"), 1, done.stderr)
                self.assertIn("'paint.01'; did you mean paint.001", done.stderr)
        for wrong, words in (({"color": [0, 0, 1]}, "needs a 'name'"),
                             ({"name": "paint", "color": [0, 0, 7]}, "'color' is [0, 0, 7]"), (1, "an integer")):
            self.write("scene.json", json.dumps(dict(scene, materials=[wrong])))
            self.check(self.orrery("check", "scene.json"), 65, words)

    def test_a_picture_stays(self):
        """It stands in place of the colour of its material, in the file and when a scene sets that colour."""
        png = make_png([[(255, 255, 0)]], 2)
        blend = Blend()
        packed = blend.add("PackedFile", {"size": len(png), "data": blend.raw(png)})
        image = blend.add("Image", {"id": {"name": b"IMyellow"}, "name": b"//y.png", "packedfile": packed}, code=b"IM")
        slot = blend.add("MTex", {"tex": blend.add("Tex", {"type": 8, "ima": image}, code=b"TE"), "mapto": 1})
        paint = blend.add("Material", {"id": {"name": b"MApaint"}, "mtex": slot}, code=b"MA")
        places = blend.add("MLoopUV", *({"uv": [x, y]} for x, y in ((0, 0), (0, 1), (1, 1), (1, 0))))
        wall = blend.mesh([(0, y, z) for y, z in ((-1, 0), (1, 0), (1, 2), (-1, 2))], [[0, 3, 2, 1]],
                          mloopuv=places, mat=blend.raw(struct.pack("<Q", paint)))
        blend.object(b"wall", MESH, data=wall)
        with open(self.path("wall.blend"), "wb") as stream:
            stream.write(blend.to_bytes())
        scene = describe({"name": "thing", "import": {"file": "wall.blend"}})
        self.write("scene.json", json.dumps(scene))
        with orrery.load(self.path("scene.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            if sim.world.find_object("thing").get_shapes()[0].get_material(0).get_texture() is None:
                self.skipTest("built without GdkPixbuf")
        painted = dict(scene, materials=[{"name": "paint", "color": [0, 0, 1]}])
        self.assertLess(self.share_of_blue(scene), 0.2)
        self.assertLess(self.share_of_blue(painted), 0.2)

    def read_marker(self, **look):
        """The middles of the cells of a marker of 7 by 7 that is straight ahead."""
        cells, ahead, focal = 7, 0.2, 160 * 35.0 / 32  # px
        robot = {"name": "robot", "classpath": "orrery.core.robot.Robot", "objects": [
            dict({"name": "marker", "classpath": "morse.actuators.arucomarker.Arucomarker"}, **look),
            {"name": "camera", "classpath": "morse.sensors.video_camera.VideoCamera",
             "properties": {"cam_width": 160, "cam_height": 160, "cam_focal": 35.0}}]}
        self.write("scene.json", json.dumps({"orrery": 1, "environment": {"start": 0}, "objects": [robot]}))
        with orrery.load(self.path("scene.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            sim["robot.marker"].data.z = ahead
            sim.step(7)
            image = numpy.array(sim["robot.camera"].data.image)[..., 0]
        places = [round(80 + (i + 0.5 - cells / 2) * 0.08 / cells * focal / ahead) for i in range(cells)]
        return [[int(image[y, x] > 100) for x in places] for y in places]

    def test_marker(self):
        """By its boxes and by the package's picture: number 42 of the first ArUco dictionary, framed in black."""
        rows = {0: [1, 0, 0, 0, 0], 2: [0, 1, 0, 0, 1]}
        bits = [42 >> shift & 3 for shift in (8, 6, 4, 2, 0)]
        framed = [[0] * 7] + [[0] + rows[pair] + [0] for pair in bits] + [[0] * 7]
        self.assertEqual(self.read_marker(visual={"file": "elsewhere.blend", "object": "none"}), framed)
        self.assertEqual(self.read_marker(), framed)

    @unittest.skipUnless(os.path.exists(MODELS), "no morse-simulator-data")
    def test_meshes_on_bones_of_their_names(self):
        """Each moves with its joint, and is where the file has it on the bone."""
        scene = describe({"name": "robot", "classpath": "orrery.core.robot.Robot", "objects": [
            {"name": "arm", "classpath": "morse.actuators.kuka_lwr.KukaLWR"}]})
        self.write("scene.json", json.dumps(scene))
        with orrery.load(self.path("scene.json"), listen=False, pacing=orrery.Pacing.FAST) as sim:
            arm = sim.world.find_object("robot.arm")
            parts = list(arm.get_children())
            for part in parts:
                parts += part.get_children()
            seen = [[shape for shape in part.get_shapes() if shape.is_visible()] for part in parts]
            self.assertEqual([len(shapes) for shapes in seen], [1] * 8)
            # The base, then bones, most of which have their meshes at one of their ends.
            for (shape,), away in zip(seen, (0, 0.3105, 0, 0.2, 0, 0.19, 0, 0.078)):
                self.assertAlmostEqual(shape.get_pose().position.length(), away, delta=0.002)


if __name__ == "__main__":
    tap.main()
