# SPDX-License-Identifier: BSD-3-Clause
"""`orrery render` and the observer that draws: what is in the pictures, films, and what goes wrong."""

import json
import os
import shutil
import stat
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import sanitized
import support
import tap

try:
    from PIL import Image
except ImportError:
    Image = None

FILM = "orrery.observers.film.Film"
SIZE = (160, 120)
# The drawing library tells libgcc of its frames while the sanitizer unwinds the stack of an allocation.
HANGS = "a Python that draws hangs in the address sanitizer"


def box(name, place, color, **more):
    shape = {"kind": "box", "size": [1, 1, 1], "color": color}
    return dict({"name": name, "position": place, "shapes": [shape]}, **more)


# A red box stands, a green robot drives along y, 1 m/s.
SCENE = {
    "orrery": 1,
    "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
    "objects": [
        box("red", [0, 0, 0.5], [1, 0, 0]),
        box("green", [6, 0, 0.5], [0, 1, 0], classpath="orrery.robots.fakerobot.FakeRobot", objects=[
            {"name": "motion", "classpath": "orrery.actuators.xy_omega.MotionXYW"}]),
        {"name": "sun", "lamp": {"kind": "sun", "energy": 1}, "position": [0, 0, 20]}],
}


class FilmCase(support.ProgramCase):
    def setUp(self):
        super().setUp()
        support.need(self, "no Pillow" if Image is None else None)
        support.need(self, self.lacks_renderer())
        self.scene = self.write("scene.json", json.dumps(SCENE))

    def lacks_renderer(self):
        tree = os.path.join(support.BUILD, "lib/orrery-1/plugins/orrery")
        for plugin in "renderers/mujoco.so", "observers/film.so":
            if not os.path.exists(os.path.join(tree, plugin)):
                return "this build has no %s" % plugin
        return None

    def render(self, name, *options, scene=None, code=0):
        done = self.orrery("render", scene or self.scene, "-o", self.path(name), "--size", "%dx%d" % SIZE, *options)
        self.check(done, code)
        return done.stderr if code else Image.open(self.path(name)).convert("RGB")

    def observe(self, *, seconds=1, code=0, options=(), **properties):
        words = FILM + " " + json.dumps(dict({"width": SIZE[0], "height": SIZE[1]}, **properties))
        done = self.orrery("run", self.scene, "--for", str(seconds), "--fast", "--observer", words, *options)
        self.check(done, code)
        return done

    def count(self, image, channel):
        """The pixels in which one colour is much stronger than the others, and their middle."""
        found = [(x, y) for y in range(image.height) for x in range(image.width)
                 if is_mostly(image.getpixel((x, y)), channel)]
        middle = [sum(values) / len(found) for values in zip(*found)] if found else None
        return len(found), middle


def is_mostly(pixel, channel):
    others = [value for index, value in enumerate(pixel) if index != channel]
    return pixel[channel] > 60 and pixel[channel] > 2 * max(others)


class Pictures(FilmCase):
    def test_from_and_at(self):
        """The size of a box of 1 m at 4.5 m, by the pinhole model; its middle is that of the picture."""
        image = self.render("a.png", "--from", "-5,0,0.5", "--at", "0,0,0.5", "--fov", "60")
        self.assertEqual(image.size, SIZE)
        n, middle = self.count(image, 0)
        side = SIZE[1] / 2 / 0.57735 / 4.5
        self.assertAlmostEqual(n, side * side, delta=2.5 * side)
        self.assertAlmostEqual(middle[0], SIZE[0] / 2 - 0.5, delta=1)
        self.assertAlmostEqual(middle[1], SIZE[1] / 2 - 0.5, delta=1)

    def test_the_same_as_ppm(self):
        places = "--from", "-5,0,0.5", "--at", "0,0,0.5"
        png, ppm = self.render("a.png", *places), self.render("a.PPM", *places)
        self.assertEqual((ppm.size, ppm.tobytes()), (SIZE, png.tobytes()))
        with open(self.path("a.PPM"), "rb") as file:
            written = file.read()
        self.assertEqual(written, b"P6\n160 120\n255\n" + png.tobytes())

    def test_from_above(self):
        """Straight down x is to the right: the robot is at the right of the box."""
        image = self.render("a.png", "--from", "3,0,12", "--at", "3,0,0")
        red, green = self.count(image, 0), self.count(image, 1)
        self.assertGreater(red[0], 20)
        self.assertGreater(green[1][0], red[1][0] + 20)
        self.assertAlmostEqual(green[1][1], red[1][1], delta=1)

    def test_by_itself(self):
        """Without a place the robot is in the middle, whole and not small."""
        n, middle = self.count(self.render("a.png"), 1)
        self.assertGreater(n, 150)
        self.assertLess(n, SIZE[0] * SIZE[1] / 3)
        self.assertAlmostEqual(middle[0], SIZE[0] / 2, delta=SIZE[0] / 10)
        self.assertAlmostEqual(middle[1], SIZE[1] / 2, delta=SIZE[1] / 10)

    @unittest.skipIf(sanitized.is_sanitized(), HANGS)
    def test_time_and_follow(self):
        """A camera that follows keeps the robot in its place; one that stands loses it."""
        program = self.write("drive.py", (
            "import json, orrery\n"
            "simulation = orrery.load(%r)\n"
            "for name, follow in ('stands.png', ''), ('follows.png', 'green'):\n"
            "    words = {'file': name, 'time': 2.0, 'width': %d, 'height': %d, 'follow': follow,\n"
            "             'from': [-4.0, 0.0, 2.0] if follow else [2.0, 0.0, 2.5],\n"
            "             'at': [0.0, 0.0, 0.0] if follow else [6.0, 0.0, 0.5]}\n"
            "    simulation.add_observer(%r, words)\n"
            "simulation['green.motion'].data.y = 1.0\n"
            "simulation.run(150)\n"
            "simulation.close()\n") % (self.scene, *SIZE, FILM))
        self.check(self.orrery("python", program), 0)
        start = self.count(self.render("start.png", "--from", "2,0,2.5", "--at", "6,0,0.5"), 1)
        stands = self.count(Image.open(self.path("stands.png")).convert("RGB"), 1)
        follows = self.count(Image.open(self.path("follows.png")).convert("RGB"), 1)
        self.assertGreater(abs(stands[1][0] - start[1][0]), 30)
        self.assertAlmostEqual(follows[1][0], start[1][0], delta=1)
        self.assertAlmostEqual(follows[0], start[0], delta=40)

    def test_nothing_changes(self):
        """Records and hash of a run are the same with a film, also where it makes others see visuals."""
        support_scene = dict(SCENE, objects=[
            {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [0, 0, 0.3], "objects": [
                {"name": "laser", "classpath": "orrery.sensors.sick.Sick"},
                {"name": "motion", "classpath": "orrery.actuators.v_omega.MotionVW"}]},
            {"name": "other", "classpath": "orrery.robots.atrv.ATRV", "position": [3, 0.5, 0.3]}])
        self.scene = self.write("lasers.json", json.dumps(support_scene))
        plain = self.orrery("run", self.scene, "--for", "1", "--fast", "--hash")
        self.check(plain, 0)
        drawn = self.observe(file=self.path("a.png"), time=0.5, options=["--hash"])
        hashes = [[line for line in done.stdout.splitlines() if "hash" in line] for done in (plain, drawn)]
        self.assertEqual(len(hashes[0]), 1, plain.stdout)
        self.assertEqual(*hashes)

    @unittest.skipIf(sanitized.is_sanitized(), HANGS)
    def test_after_a_reset(self):
        """A new epoch has a picture of its own."""
        program = self.write("twice.py", (
            "import orrery\n"
            "simulation = orrery.load(%r)\n"
            "simulation.add_observer(%r, {'file': 'a.png', 'width': 64, 'height': 48})\n"
            "simulation.run(2)\n"
            "simulation.reset()\n"
            "simulation.run(2)\n"
            "simulation.close()\n") % (self.scene, FILM))
        self.check(self.orrery("python", program), 0)
        self.assertEqual(Image.open(self.path("a.png")).size, (64, 48))
        self.assertEqual(Image.open(self.path("a-1.png")).size, (64, 48))


    def run_python(self, *lines):
        program = self.write("program.py", "\n".join(("import orrery", "simulation = orrery.load(%r)" % self.scene) + lines))
        done = self.orrery("python", program)
        self.check(done, 0)
        self.told = done.stderr
        return done.stdout

    @unittest.skipIf(sanitized.is_sanitized(), HANGS)
    def test_from_python(self):
        """A picture of now, as often as it is asked for; it is what `orrery render` draws, and a notebook shows it."""
        self.run_python(
            "place = dict(size=%r, from_=(2, 0, 2.5), at=(6, 0, 0.5))" % (SIZE,),
            "simulation['green.motion'].data.y = 1.0",
            "simulation.render('first.png', **place)",
            "simulation.run(120)",
            "picture = simulation.render('second.png', **place)",
            "assert picture._repr_png_() == open('second.png', 'rb').read()",
            "assert repr(picture) == '<picture of 160 x 120 pixels>', repr(picture)",
            "assert simulation._repr_png_()[:4] == b'\\x89PNG'",
            "assert not simulation.report['lost']")
        self.assertNotIn("picture of", self.told)
        first, second = [Image.open(self.path(name)).convert("RGB") for name in ("first.png", "second.png")]
        self.assertEqual(first.tobytes(), self.render("a.png", "--from", "2,0,2.5", "--at", "6,0,0.5").tobytes())
        self.assertGreater(abs(self.count(second, 1)[1][0] - self.count(first, 1)[1][0]), 30)

    @unittest.skipIf(sanitized.is_sanitized(), HANGS)
    def test_mistakes_in_python(self):
        words = self.run_python(
            "for place in dict(follow='gren'), dict(size=(5, 5)), dict(from_=(1, 2)), dict(from_=(1, 1, 1), at=(1, 1, 1)):",
            "    try:",
            "        simulation.render(**place)",
            "    except Exception as error:",
            "        print(error.message)",
            "simulation.run(2)",
            "observer = simulation.add_observer('%s', {'file': 'a.png'})" % FILM,
            "assert simulation.remove_observer(observer)",
            "assert not simulation.remove_observer(observer)")
        self.assertEqual(len(words.splitlines()), 4, words)
        self.assertIn("green", words.splitlines()[0])


class Films(FilmCase):
    def setUp(self):
        super().setUp()
        support.need(self, None if shutil.which("ffmpeg") else "no ffmpeg")

    def probe(self, name):
        done = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries",
                               "stream=width,height,nb_read_frames,r_frame_rate", "-of", "json", self.path(name)],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["streams"][0]

    def test_render(self):
        for name in "a.mp4", "a.webm", "a.gif":
            done = self.orrery("render", self.scene, "-o", self.path(name), "--size", "%dx%d" % SIZE, "--for", "0.8",
                               "--rate", "25")
            self.check(done, 0)
            self.assertEqual(self.probe(name), {"width": SIZE[0], "height": SIZE[1], "r_frame_rate": "25/1",
                                                "nb_read_frames": "20"})

    def test_of_a_run(self):
        """Faster than the ticks, a film shows some of them twice; what it shows is what happens."""
        self.observe(file=self.path("a.mkv"), rate=120, seconds=0.5)
        self.assertEqual(self.probe("a.mkv")["nb_read_frames"], "61")

    def test_names(self):
        """A name is a name, never an option or an address of ffmpeg's."""
        for name in "-y.mkv", "http:a.mkv", "a%03d.mkv":
            words = FILM + " " + json.dumps({"file": name, "width": 64, "height": 48})
            self.check(self.orrery("run", self.scene, "--for", "0.1", "--fast", "--observer", words), 0)
            self.assertTrue(os.path.exists(self.path(name)), os.listdir(self.directory))

    def replace_ffmpeg(self, script):
        os.mkdir(self.path("bin"))
        path = self.write("bin/ffmpeg", "#!/bin/sh\n" + script)
        os.chmod(path, stat.S_IRWXU)

    def environment(self):
        inherited = super().environment()
        if os.path.isdir(self.path("bin")):
            inherited["PATH"] = self.path("bin") + os.pathsep + inherited["PATH"]
        return inherited

    def test_an_encoder_that_fails(self):
        """What it said and how it ended is told; the run goes on to its end, and its exit code says it."""
        self.replace_ffmpeg("echo 'no such codec' >&2; exit 3\n")
        done = self.observe(file=self.path("a.mp4"), code=74)
        self.assertIn("ffmpeg exited with status 3: no such codec", done.stderr)
        self.assertIn("output was lost", done.stderr)
        self.assertIn("60 ticks", done.stdout + done.stderr)

    def test_an_encoder_that_is_killed(self):
        self.replace_ffmpeg("head -c 100000 >/dev/null; kill -9 $$\n")
        done = self.observe(file=self.path("a.mp4"), code=74)
        self.assertIn("ffmpeg was killed by SIGKILL", done.stderr)

    def test_no_encoder(self):
        os.mkdir(self.path("empty"))
        words = FILM + " " + json.dumps({"file": "a.mp4"})
        done = subprocess.run([support.PROGRAM, "run", self.scene, "--for", "1", "--observer", words],
                              env=dict(self.environment(), PATH=self.path("empty")), capture_output=True, text=True)
        self.assertEqual(done.returncode, 69, done.stderr)
        self.assertIn("the package ffmpeg", done.stderr)


class Mistakes(FilmCase):
    def refuse(self, code, *words, **properties):
        done = self.observe(code=code, **properties)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_properties(self):
        self.refuse(65, "as .png or .ppm, films as .mp4", file="a.jpg")
        self.refuse(65, "a film of 161 x 120 pixels", file="a.mp4", width=161)
        self.refuse(65, "no object 'gren'", "green", file="a.png", follow="gren")
        self.refuse(65, "the same point", **{"file": "a.png", "from": [1, 2, 3], "at": [1, 2, 3]})
        for value in [1, 2], [1, 2, "x"], 5, [1, 2, 1e300]:
            done = self.observe(code=65, **{"file": "a.png", "from": value})
            self.assertIn("three numbers", done.stderr)

    def test_where_it_cannot_be_written(self):
        done = self.observe(file=self.path("none/a.png"), code=74)
        self.assertIn("none/a.png", done.stderr)
        self.assertIn("output was lost", done.stderr)

    def test_a_run_that_is_too_short(self):
        done = self.observe(file=self.path("a.png"), time=5, code=74)
        self.assertIn("the run ended before 5 s", done.stderr)

    def test_usage(self):
        for options, words in [
                (["--size", "10"], "two numbers of pixels"), (["--size", "0x10"], "two numbers of pixels"),
                (["--from", "1,2"], "three numbers"), (["--at", "1,2,nan"], "three numbers"),
                (["--fov", "wide"], "--fov: a number"), (["--time", "-1"], "a number from 0"),
                (["--for", "3"], "--for is the length of a film")]:
            done = self.orrery("render", self.scene, *options)
            self.check(done, 64)
            self.assertIn(words, done.stderr)
        self.check(self.orrery("render", self.scene, "-o", self.path("a.mp4"), "--for", "0"), 64)
        self.assertIn("16", self.render("a.png", "--size", "8x8", code=65))
        self.check(self.orrery("render", self.path("none.py")), 66)

    def test_no_renderer(self):
        broken = dict(SCENE, environment=dict(SCENE["environment"], renderer="orrery.renderers.none.None"))
        words = self.render("a.png", scene=self.write("broken.json", json.dumps(broken)), code=69)
        self.assertIn("orrery.renderers.none", words)


if __name__ == "__main__":
    tap.main()
