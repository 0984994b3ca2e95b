# SPDX-License-Identifier: BSD-3-Clause
"""`--page FILE.html`: a page that plays a run without a server, opened as a file in a browser."""

import base64
import json
import os
import re
import struct
import sys
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, ProgramCase, need  # noqa: E402

import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from png_file import make_png  # noqa: E402

PAGE = os.path.join(BUILD, "share/orrery-1/viewer/page.js")

# A name that would end the element in which it stands, and do something of its own.
HOSTILE = "</script><script>window.pwned = 1</script><!--"

SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "seed": 7, "start": 100 },
  "objects": [
    { "name": "floor", "position": [0, 0, -0.5], "body": { "type": "static" },
      "shapes": [{ "kind": "box", "size": [20, 20, 0.5] }] },
    { "name": "ball", "position": [0, 0, 6], "body": { "type": "rigid", "mass": 1 },
      "shapes": [{ "kind": "sphere", "radius": 0.5 }],
      "properties": { "Type": "Goal", "Words": %s } },
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "position": [0, -3, 0.1], "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" } ] } ],
  "component_modifier": { "robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", { "pos_std": 0.1 }]] }
}
""" % json.dumps(HOSTILE)


COLOURED = """
import sys
import orrery

simulation = orrery.load(sys.argv[1])
simulation.add_observer("orrery.middleware.viewer.Page", {"file": sys.argv[2]})
simulation.step(60)
simulation.set("ball.color", (1, 0, 0))
simulation.step(60)
simulation.set("ball.color", (0, 0, 1))
simulation.step(60)
simulation.close()
"""


def read_page(path):
    """What the page holds, and its entries: number of the topic, time in s, bytes."""
    with open(path, encoding="utf-8") as file:
        run = json.loads(re.search(r'id="kept-run">\n(.*?)\n</script>', file.read(), re.S)[1])
    data = zlib.decompress(base64.b64decode(run["data"]))
    entries, at, poses = [], 0, None
    while at < len(data):
        topic, length, time = struct.unpack_from("<IIQ", data, at)
        body = data[at + 16:at + 16 + length]
        if topic == 0:
            poses = body = body if poses is None else bytes(a ^ b for a, b in zip(body, poses))
        entries.append((topic, time / 1e9, body))
        at += 16 + length
    return run, entries


class PageCase(ProgramCase):
    def setUp(self):
        super().setUp()
        need(self, None if os.path.exists(PAGE) else "no page: esbuild was missing")

    def make_coloured(self):
        """A ball that is red from one second on, and blue from two."""
        program = self.write("program.py", COLOURED)
        self.check(self.orrery("python", program, self.write("scene.json", SCENE), self.path("run.html")), 0)

    def make(self, name="run.html", *options, scene=SCENE, code=0, title="scene.json"):
        done = self.orrery("run", self.write(title, scene), "--for", "4", "--fast", "--offline", "--page", self.path(name), *options)
        self.check(done, code)
        return done


class Written(PageCase):
    def test_same_bytes(self):
        """Two runs of a scene make the same file, and so does the replay of a recording, but for its title."""
        self.make("a.html", "--record", self.path("run.mcap"))
        self.make("b.html")
        with open(self.path("a.html"), "rb") as one, open(self.path("b.html"), "rb") as other:
            text = one.read()
            self.assertEqual(text, other.read())
        self.check(self.orrery("replay", self.path("run.mcap"), "--page", self.path("c.html")), 0)
        with open(self.path("c.html"), "rb") as file:
            self.assertEqual(file.read().replace(b'"title":"run.mcap"', b'"title":"scene.json"'), text)

    def test_holds(self):
        """Thirty poses a second are in it, from the start to the end, and the records of the sensor."""
        self.make()
        run, entries = read_page(self.path("run.html"))
        poses = [(time, body) for topic, time, body in entries if run["topics"][topic] == "/poses"]
        records = [(time, body) for topic, time, body in entries if run["topics"][topic] == "/robot/pose"]
        self.assertEqual(len(poses), 121)
        self.assertEqual((poses[0][0], poses[-1][0]), (100, 104))
        self.assertTrue(all(abs(b - a - 1 / 30) < 1e-6 for (a, _), (b, _) in zip(poses, poses[1:])))
        names = [one["name"] for one in run["scene"]["objects"]]
        ball = 16 + 28 * names.index("ball")
        heights = [struct.unpack_from("<3f", body, ball)[2] for _, body in poses]
        self.assertEqual(heights[0], 6)
        # It falls freely for a second.
        self.assertAlmostEqual(heights[30], 6 - 9.81 / 2, delta=0.1)
        self.assertAlmostEqual(heights[-1], 0.5, delta=0.6)
        self.assertEqual(len(records), 121)
        self.assertIn(b'"yaw"', records[0][1])

    def test_looks(self):
        """Lamps and colours are in it from the start, and again wherever one of them changes."""
        self.make_coloured()
        run, entries = read_page(self.path("run.html"))
        looks = [(time, body) for topic, time, body in entries if run["topics"][topic] == "/looks"]
        ball = [one["name"] for one in run["scene"]["objects"]].index("ball")
        self.assertEqual([round(time, 6) for time, _ in looks], [100, 101.033333, 102.033333])
        self.assertEqual([body for _, body in looks], [b"", struct.pack("<II3f", ball, 2, 1, 0, 0), struct.pack("<II3f", ball, 2, 0, 0, 1)])

    def test_materials(self):
        """Those that objects may be given are in it with their pictures, and which one an object has."""
        with open(self.path("tiles.png"), "wb") as file:
            file.write(make_png([[(255, 0, 0), (0, 0, 255)]]))
        materials = [{"name": "plain", "color": [0, 0, 1]}, {"name": "tiles", "texture": "tiles.png"}]
        scene = SCENE.replace('"objects": [', '"materials": %s, "objects": [' % json.dumps(materials), 1)
        program = self.write("program.py", COLOURED.replace('"ball.color", (1, 0, 0)', '"ball.material", "tiles"'))
        self.check(self.orrery("python", program, self.write("scene.json", scene), self.path("run.html")), 0)
        run, entries = read_page(self.path("run.html"))
        names = run["scene"]["materials"]
        self.assertEqual(len(names), 2)
        self.assertEqual([b"image/png" in base64.b64decode(run["assets"][name]) for name in names], [False, True])
        looks = [body for topic, _, body in entries if run["topics"][topic] == "/looks"]
        ball = [one["name"] for one in run["scene"]["objects"]].index("ball")
        given = struct.pack("<II3f", ball, 3, 2, 0, 0)
        self.assertEqual(looks, [b"", given, struct.pack("<II3f", ball, 2, 0, 0, 1) + given])

    def test_limit(self):
        """What finds no room is said, as lost output is; what was before is there."""
        page = json.dumps({"file": self.path("run.html"), "max-size": 1, "rate": 1000})
        objects = ["{ \"name\": \"b%d\", \"position\": [%d, 9, 3], \"body\": { \"type\": \"rigid\", \"mass\": 1 }, "
                   "\"shapes\": [{ \"kind\": \"sphere\", \"radius\": 0.3 }] }" % (i, i) for i in range(400)]
        scene = self.write("scene.json", SCENE.replace('"objects": [', '"objects": [' + ", ".join(objects) + ",", 1))
        done = self.orrery("run", scene, "--for", "3", "--fast", "--offline", "--observer", "orrery.middleware.viewer.Page " + page)
        self.check(done, 74, "since max-size is 1 MB: a lower rate lasts longer")
        _, entries = read_page(self.path("run.html"))
        size = sum(16 + len(body) for _, _, body in entries)
        self.assertLessEqual(size, 1000000)
        self.assertGreater(size, 900000)

    def test_refused(self):
        """Another ending, a directory that is not there, and both ways to look at a replay."""
        scene = self.write("scene.json", SCENE)
        self.check(self.orrery("run", scene, "--page", "run.htm"), 64, "must end in .html")
        self.check(self.orrery("replay", "run.mcap", "--page", "run.htm"), 64, "must end in .html")
        self.check(self.orrery("replay", "run.mcap", "--page", "run.html", "--view"), 64, "give one of them")
        self.check(self.orrery("run", scene, "--page", "run.html", "--checkpoint", "state"), 64, "--checkpoint goes without --page")
        done = self.orrery("run", scene, "--offline", "--ticks", "1", "--page", self.path("none/run.html"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("none/run.html: No such file or directory", done.stderr)


class Played(PageCase):
    def setUp(self):
        super().setUp()
        need(self, None if find_chromium() else "no chromium")
        self.make(title=HOSTILE.replace("/", "\u2215") + ".json")

    def open(self):
        page = Browser("file://" + self.path("run.html"))
        self.addCleanup(page.close)
        # Nothing is asked for: neither a server nor the network is there.
        page.call("Network.enable")
        page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)
        return page

    def test_plays(self):
        """It plays by itself, holds, seeks, steps, shows records and ends; names in it are only words."""
        page = self.open()
        page.wait("orrery.ready && orrery.playback.state === 'playing' && orrery.playback.time > 100.3")
        page.press(" ")
        page.wait("orrery.playback.state === 'paused'")
        line = "document.querySelector('#playback input')"
        page.run("%s.value = 1; %s.dispatchEvent(new Event('input'))" % (line, line))
        page.wait("orrery.shown.ticks === 60 && document.querySelector('#playback output').textContent === '1.00 / 4.00 s'")
        ball = "orrery.shown.rows[7 * orrery.scene.objects.findIndex((one) => one.name === 'ball') + 2]"
        self.assertAlmostEqual(page.run(ball), 6 - 9.81 / 2, delta=0.1)
        page.run("orrery.choose(orrery.scene.objects.findIndex((one) => one.name === 'robot.pose'))")
        page.wait("document.querySelectorAll('#record tr').length === 6")
        page.run("%s.value = 3; %s.dispatchEvent(new Event('input'))" % (line, line))
        page.wait("orrery.shown.ticks === 180")
        # There are poses of each second tick.
        page.press(".")
        page.wait("orrery.shown.ticks === 182")
        page.press(".")
        page.wait("orrery.shown.ticks === 184")
        page.press(",")
        page.wait("orrery.shown.ticks === 182")
        page.run("const speed = document.querySelector('#playback select'); speed.value = '10'; "
                 "speed.dispatchEvent(new Event('change'))")
        page.press(" ")
        page.wait("orrery.playback.state === 'ended' && orrery.shown.ticks === 240")
        page.run("speed.value = '0.1'")
        page.press(" ")
        page.wait("orrery.playback.state === 'playing' && orrery.shown.ticks < 120")
        self.assertEqual(page.run("window.pwned"), None)
        self.assertIn("<script>window.pwned", page.run("document.getElementById('title').textContent"))
        self.assertEqual(page.console, [])

    def test_colours(self):
        """Who goes back sees what was before a change."""
        self.make_coloured()
        page = self.open()
        page.wait("orrery.ready && orrery.playback.time > 100")
        page.press(" ")
        page.wait("orrery.playback.state === 'paused'")
        page.run("const ball = orrery.world.nodes[orrery.scene.objects.findIndex((one) => one.name === 'ball')].children[0]")
        plain = page.run("ball.material.color.toArray()")
        line = "document.querySelector('#playback input')"
        for at, color in ((1.5, [1, 0, 0]), (2.5, [0, 0, 1]), (0.5, plain), (2.5, [0, 0, 1])):
            page.run("%s.value = %r; %s.dispatchEvent(new Event('input'))" % (line, at, line))
            page.wait("orrery.shown.ticks === %d && JSON.stringify(ball.material.color.toArray()) === '%s'"
                      % (60 * at, json.dumps(color).replace(" ", "")))
        self.assertEqual(page.console, [])


if __name__ == "__main__":
    tap.main()
