# SPDX-License-Identifier: BSD-3-Clause
"""Materials that objects are given while a scene runs: what cameras see, and which files are refused."""

import json
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from native import BUILD, PythonCase, missing  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402
from png_file import make_png  # noqa: E402

if not missing():
    import numpy
    import orrery
    from gi.repository import GLib

HAS_RENDERER = os.path.exists(os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so"))
RED, GREEN, BLUE, WHITE, YELLOW = (255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255), (255, 255, 0)
# Of a picture in four colours, from the upper left corner.
QUARTERS = [[RED, GREEN], [BLUE, WHITE]]
CUBE = [[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]
SHAPES = {
    "box": {"kind": "box", "size": [2, 2, 2]},
    "sphere": {"kind": "sphere", "radius": 1.2},
    "cylinder": {"kind": "cylinder", "radius": 1, "height": 2},
    "lying cylinder": {"kind": "cylinder", "radius": 1, "height": 2, "rotation": [0, 0, 1.5707963267948966]},
    "capsule": {"kind": "capsule", "radius": 1, "height": 1},
    "hull": {"kind": "hull", "points": CUBE},
    "mesh": {"kind": "mesh", "points": CUBE, "triangles": FACES},
}


def has_pictures():
    """Whether this was built with GdkPixbuf."""
    with open(os.path.join(BUILD, "Makefile"), encoding="utf-8") as file:
        return "-DHAVE_PIXBUF" in file.read()


class Materials(PythonCase):
    def setUp(self):
        super().setUp()
        for name, pixels in (("quarters.png", QUARTERS), ("yellow.png", [[YELLOW]])):
            with open(self.path(name), "wb") as file:
                file.write(make_png(pixels, 16))

    def describe(self, shapes, materials=None, placement="host", **keys):
        """A camera at the origin looks along x; the thing is lit from the camera."""
        eye = {"name": "eye", "classpath": "orrery.sensors.video_camera.VideoCamera", "placement": placement,
               "properties": {"cam_width": 80, "cam_height": 80, "cam_fov": 60, "Vertical_Flip": True, "required": True}}
        if materials is None:
            materials = [{"name": "quarters", "texture": "quarters.png"}, {"name": "yellow", "texture": "yellow.png"},
                         {"name": "tinted", "texture": "quarters.png", "color": [1, 0, 0]}, {"name": "blue", "color": [0, 0, 1]}]
        scene = {"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic", "start": 0}, "materials": materials,
                 "objects": [{"name": "thing", "position": [4, 0, 0], "shapes": shapes},
                             {"name": "r", "classpath": "orrery.core.robot.Robot", "objects": [eye]}], **keys}
        self.write("scene.json", json.dumps(scene))

    def load(self):
        sim = orrery.load(self.path("scene.json"), pacing=orrery.Pacing.FAST, listen=False)
        self.addCleanup(sim.close)
        sim.step(2)
        return sim

    def look(self, sim):
        sim.step(5)
        return numpy.array(sim["r.eye"].data.image)[:, :, :3].astype(int)

    def find_color(self, pixel):
        """Which of the pure colours it is, whatever the light leaves of it; None: neither."""
        most = max(pixel)
        return tuple(255 if value > 0.6 * most else 0 for value in pixel) if most > 40 else None

    def read_quarters(self, image):
        """What is a little beside the middle."""
        return [[self.find_color(image[y, x]) for x in (34, 46)] for y in (34, 46)]


@unittest.skipUnless(HAS_RENDERER, "built without a renderer")
@unittest.skipUnless(has_pictures(), "built without GdkPixbuf")
@unittest.skipIf(sanitized.preloaded(), "the sanitizer in Python and the threads of OpenGL wait for each other")
class Seen(Materials):
    def test_on_shapes(self):
        """A picture is upright and not mirrored on each kind of shape, and gone again with the name."""
        for name, shape in SHAPES.items():
            with self.subTest(name):
                self.describe([dict(shape, color=[0.5, 0.5, 0.5])])
                sim = self.load()
                before = self.look(sim)
                sim.set("thing.material", "quarters")
                self.assertEqual(self.read_quarters(self.look(sim)), QUARTERS)
                self.assertEqual(sim.get("thing.material"), "quarters")
                sim.set("thing.material", "")
                numpy.testing.assert_array_equal(self.look(sim), before)

    def test_own_coordinates(self):
        """A mesh that has texture coordinates keeps them: a board that a picture was imported as."""
        self.describe([])
        with open(self.path("scene.json"), encoding="utf-8") as file:
            scene = json.load(file)
        # It faces x, and the camera is turned round.
        scene["objects"][0] = {"name": "thing", "position": [-2, 0, -0.5], "import": {"file": "yellow.png"}}
        scene["objects"][1]["rotation"] = [0, 0, 3.141592653589793]
        self.write("scene.json", json.dumps(scene))
        sim = self.load()
        self.assertEqual(self.read_quarters(self.look(sim)), [[YELLOW] * 2] * 2)
        sim.set("thing.material", "quarters")
        self.assertEqual(self.read_quarters(self.look(sim)), QUARTERS)

    def test_colors(self):
        """The colour of the material and that of the object multiply the picture, in any order of calls."""
        self.describe([SHAPES["box"]])
        sim = self.load()
        sim.set("thing.material", "tinted")
        image = self.look(sim)
        self.assertEqual(self.read_quarters(image), [[RED, None], [None, RED]])
        sim.set("thing.color", (0, 1, 0))
        self.assertEqual(self.read_quarters(self.look(sim)), [[None, GREEN], [None, GREEN]])
        sim.set("thing.material", "quarters")
        self.assertEqual(self.read_quarters(self.look(sim)), [[None, GREEN], [None, GREEN]])
        sim.reset()
        sim.step(2)
        sim.set("thing.material", "blue")
        self.assertEqual(self.read_quarters(self.look(sim)), [[BLUE] * 2] * 2)

    def test_kept(self):
        """A state has it, a reset brings back the scene's, and a camera in a worker sees the same."""
        pictures = {}
        for placement in ("host", "worker"):
            self.describe([SHAPES["sphere"]], placement=placement, workers={"r.eye": {"timeout": 60}} if placement == "worker" else {})
            sim = self.load()
            plain = self.look(sim)
            sim.set("thing.material", "quarters")
            pictures[placement] = self.look(sim)
            self.assertEqual(self.read_quarters(pictures[placement]), QUARTERS)
            state = sim.save()
            sim.set("thing.material", "yellow")
            self.assertEqual(self.read_quarters(self.look(sim)), [[YELLOW] * 2] * 2)
            sim.restore(state)
            numpy.testing.assert_array_equal(self.look(sim), pictures[placement])
            sim.reset()
            sim.step(2)
            numpy.testing.assert_array_equal(self.look(sim), plain)
        numpy.testing.assert_array_equal(pictures["host"], pictures["worker"])

    def change(self, **keys):
        """Of the thing, what the scene says."""
        with open(self.path("scene.json"), encoding="utf-8") as file:
            scene = json.load(file)
        scene["objects"][0].update(keys)
        self.write("scene.json", json.dumps(scene))

    def test_at_the_start(self):
        """The key `material` of an object is seen from the first picture on, in workers too, and again after a reset."""
        pictures = {}
        for placement in ("host", "worker"):
            self.describe([SHAPES["sphere"]], placement=placement, workers={"r.eye": {"timeout": 60}} if placement == "worker" else {})
            plain = self.look(self.load())
            self.change(material="quarters")
            sim = self.load()
            pictures[placement] = self.look(sim)
            self.assertEqual(self.read_quarters(pictures[placement]), QUARTERS)
            self.assertEqual(sim.get("thing.material"), "quarters")
            for name, wanted in ("", None), ("yellow", [[YELLOW] * 2] * 2):
                sim.set("thing.material", name)
                seen = self.look(sim)
                if wanted is None:
                    numpy.testing.assert_array_equal(seen, plain)
                else:
                    self.assertEqual(self.read_quarters(seen), wanted)
            sim.reset()
            sim.step(2)
            numpy.testing.assert_array_equal(self.look(sim), pictures[placement])
        numpy.testing.assert_array_equal(pictures["host"], pictures["worker"])

    def test_distances(self):
        """Depths do not depend on it, also where a mesh is drawn in place of a round shape."""
        self.describe([SHAPES["sphere"]])
        with open(self.path("scene.json"), encoding="utf-8") as file:
            scene = json.load(file)
        scene["objects"][1]["objects"][0]["classpath"] = "orrery.sensors.depth_camera.DepthVideoCamera"
        del scene["objects"][1]["objects"][0]["properties"]["required"]
        self.write("scene.json", json.dumps(scene))
        sim = self.load()
        sim.step(5)
        before = numpy.array(sim["r.eye"].data.image)
        sim.set("thing.material", "quarters")
        sim.step(5)
        numpy.testing.assert_array_equal(numpy.array(sim["r.eye"].data.image), before)

    def test_varies(self):
        """Each episode has what was drawn for it, which the report tells."""
        entry = {"path": "thing.material", "distribution": "choice([\"yellow\", \"blue\", \"quarters\"])"}
        self.describe([SHAPES["box"]], randomisation=[entry])
        wanted = {"yellow": [[YELLOW] * 2] * 2, "blue": [[BLUE] * 2] * 2, "quarters": QUARTERS}
        sim, names = self.load(), set()
        for _ in range(12):
            name = sim.report["randomisation"]["thing.material"]
            self.assertEqual(self.read_quarters(self.look(sim)), wanted[name])
            names.add(name)
            sim.reset()
        self.assertEqual(names, set(wanted))


class Told(Materials):
    def test_parts(self):
        """Those that a class brings have the material of the object, those that the scene adds have not, nor components."""
        box = [SHAPES["box"]]
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/rover.json", json.dumps({"summary": "A rover", "classes": {"Rover": {
            "base": "orrery.core.robot.Robot", "shapes": box, "objects": [
                {"name": "mast", "shapes": box, "objects": [{"name": "lens", "shapes": box}]},
                {"name": "flag", "shapes": box, "material": "red"},
                {"name": "bumper", "classpath": "orrery.sensors.collision.Collision"}]}}}))
        self.describe([], [{"name": "blue", "color": [0, 0, 1]}, {"name": "red", "color": [1, 0, 0]}])
        with open(self.path("scene.json"), encoding="utf-8") as file:
            scene = json.load(file)
        scene["environment"] = {"start": 0}
        scene["objects"] = [{"name": "rover", "classpath": "acme.rover.Rover", "material": "blue", "objects": [
            {"name": "box", "shapes": box}, {"name": "ball", "shapes": [SHAPES["sphere"]], "material": "red"}]}]
        self.write("scene.json", json.dumps(scene))
        with orrery.load(self.path("scene.json"), plugin_dirs=[self.path("plugins")], pacing=orrery.Pacing.FAST,
                         listen=False) as sim:
            wanted = {"rover": "blue", "rover.mast": "blue", "rover.mast.lens": "blue", "rover.flag": "red", "rover.bumper": "",
                      "rover.box": "", "rover.ball": "red"}
            self.assertEqual({name: sim.get(name + ".material") for name in wanted}, wanted)

    def refuse(self, materials, words, code=65):
        self.describe([SHAPES["box"]], materials)
        self.check(self.orrery("check", "scene.json"), code, words)

    def test_bad_files(self):
        """A picture that cannot be read is a mistake of the scene, with its place and the reason."""
        self.write("words.png", "no picture")
        self.write("words.txt", "no picture")
        self.write("empty.png", "")
        os.mkdir(self.path("folder.png"))
        for texture, words in (("missing.png", "no texture: there is no file 'missing.png', looked for from"),
                               ("/nonexistent/x.png", "looked for from /"), ("folder.png", "there is no file 'folder.png'"), ("", "there is no file ''")):
            with self.subTest(texture):
                self.refuse([{"name": "a", "texture": texture}], words)
        self.refuse([{"name": "a", "texture": "words.txt"}], "no importer for this format", 69)
        if has_pictures():
            for texture in "words.png", "empty.png":
                with self.subTest(texture):
                    self.refuse([{"name": "a", "texture": texture}], "no picture that can be read")

    def test_bad_keys(self):
        for entry, words in (({"name": ""}, "a material needs a name"), ({"texture": "yellow.png"}, "needs a 'name'"),
                             ({"name": "a", "texture": 1}, "'texture' is an integer"), ({"name": "a", "alpha": 2}, "'alpha' is 2"),
                             ({"name": "a", "textures": "yellow.png"}, "no key 'textures'; did you mean texture"),
                             ({"name": "a", "color": [1, 2, 3]}, "'color' is [1, 2, 3]")):
            with self.subTest(entry):
                self.refuse([entry], words)
        self.refuse([{"name": str(i)} for i in range(1001)], "at most 1000 materials")

    def test_calls(self):
        self.describe([SHAPES["box"]], [{"name": "blue", "color": [0, 0, 1]}])
        with open(self.path("scene.json"), encoding="utf-8") as file:
            scene = json.load(file)
        scene["objects"].pop()
        self.write("scene.json", json.dumps(scene))
        sim = self.load()
        for value, words in (("bleu", "no material 'bleu'; did you mean blue"), (1, "material is a name"), ((1, 0, 0), "material is a name"),
                             (True, "material is a name"), (b"blue", "")):
            with self.subTest(value), self.assertRaises((GLib.Error, TypeError, ValueError)) as caught:
                sim.set("thing.material", value)
            self.assertIn(words, str(caught.exception))
        sim.set("thing.material", "blue")
        sim.step()
        self.assertEqual(sim.get("thing.material"), "blue")


if __name__ == "__main__":
    tap.main()
