# SPDX-License-Identifier: BSD-3-Clause
"""`orrery replay --beside`: two recorded runs at one time, and what differs."""

import json
import os
import sys
import unittest
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import need  # noqa: E402

import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from test_viewer import PLUGIN  # noqa: E402
from test_viewer_playback import PAGE, SCENE, PAUSED, Player, PlaybackCase  # noqa: E402


class BesideCase(PlaybackCase):
    def record_both(self, *options):
        """A run, and another one whose ball falls from elsewhere."""
        self.record()
        done = self.orrery("run", self.write("other.json", SCENE.replace("[0, 0, 6]", "[0, 0.5, 7]")), "--fast",
                           "--start", "0", "--for", "2", "--record", self.path("other.mcap"), *options)
        self.check(done, 0)


@unittest.skipUnless(os.path.exists(PLUGIN), "built without libsoup")
class Beside(BesideCase):
    def test_both_are_at_the_same_time(self):
        self.record_both()
        self.replay("--stay", "--beside", self.path("other.mcap"))
        client = Player(self.port)
        self.addCleanup(client.close)
        with urllib.request.urlopen("http://127.0.0.1:%d/scene.json" % self.port, timeout=60) as answer:
            scene = json.load(answer)
        self.assertEqual(scene["beside"], "other.mcap")
        names = [one["name"] for one in scene["objects"]]
        self.assertEqual([name for name in names if name.startswith("beside/")],
                         ["beside/" + name for name in names if not name.startswith("beside/")])
        parents = {one["name"]: one["parent"] for one in scene["objects"]}
        self.assertEqual(names[parents["beside/robot.pose"]], "beside/robot")
        client.subscribe(1, 1)
        ball, other = names.index("ball"), names.index("beside/ball")
        ours, theirs = self.recorded_heights(), self.recorded_heights("other.mcap")
        known = sorted(set(ours) & set(theirs))
        self.assertGreater(len(known), 5)
        for ticks in (known[-1], known[1], known[0], known[3]):
            client.newest.clear()
            self.assertEqual(client.ask(False, to=ticks / 60)[0], PAUSED)
            _, rows = client.poses_of(ticks)
            self.assertEqual(len(rows), len(names))
            self.assertAlmostEqual(rows[ball][2], ours[ticks], 5)
            self.assertAlmostEqual(rows[other][2], theirs[ticks], 5)
        # No tick comes before the first one.
        client.newest.clear()
        client.ask(False, to=0)
        _, rows = client.poses_of(0)
        self.assertEqual((rows[ball][2], rows[other][2]), (6, 7))
        # Behind its end the shorter one stands still.
        heights = []
        for ticks in (121, 200):
            client.newest.clear()
            client.ask(False, to=ticks / 60)
            heights.append(client.poses_of(ticks)[1][other][2])
        self.assertEqual(heights[0], heights[1])

    def refused(self, *options, code, words):
        done = self.orrery("replay", self.path("run.mcap"), *options)
        self.check(done, code)
        self.assertIn(words, done.stderr)

    def test_refusals(self):
        self.record_both()
        other = self.path("other.mcap")
        self.refused("--beside", other, code=64, words="is about the page of --view")
        self.refused("--beside", other, "--view", "--record", self.path("new.mcap"), code=64, words="not with --record")
        self.refused("--beside", self.path("nothing.mcap"), "--view", "--view-port", "0", code=66, words="nothing.mcap")
        with open(other, "r+b") as file:
            file.truncate(100)
        self.refused("--beside", other, "--view", "--view-port", "0", code=65, words="--beside: ")
        self.write("fast.json", SCENE.replace('"frequency": 60', '"frequency": 50'))
        done = self.orrery("run", self.path("fast.json"), "--fast", "--for", "1", "--record", self.path("fast.mcap"))
        self.check(done, 0)
        self.refused("--beside", self.path("fast.mcap"), "--view", "--view-port", "0", code=65,
                     words="it has 50 ticks a second, and the other run has 60")


class Page(BesideCase):
    def test_ghosts(self):
        if not os.path.exists(PAGE):
            self.skipTest("built without esbuild or libsoup")
        need(self, None if find_chromium() else "no chromium; `./bootstrap check` installs it")
        self.record_both()
        self.replay("--stay", "--beside", self.path("other.mcap"))
        page = Browser("http://127.0.0.1:%d/" % self.port)
        self.addCleanup(page.close)
        page.wait("orrery.ready && orrery.shown !== undefined")
        page.wait("['playing', 'paused', 'ended'].includes(orrery.playback.state)")
        page.run("orrery.playback.seek(orrery.playback.start + 0.5, false)")
        page.wait("orrery.shown.ticks === 30")
        words = page.run("document.querySelector('#beside output').textContent")
        self.assertRegex(words, r"^other\.mcap: 1 of \d+ objects differ, most of all ball, by [01]\.\d+ m$")
        node = "orrery.world.nodes[orrery.scene.objects.findIndex((one) => one.name === 'beside/%s')]"
        self.assertTrue(page.run(node % "ball" + ".visible"))
        self.assertFalse(page.run(node % "floor" + ".visible"))
        # Whole, at the side; then not at all.
        page.run("document.querySelector('#beside button').click()")
        self.assertTrue(page.run(node % "floor" + ".visible"))
        page.wait("document.querySelector('#beside output').textContent.startsWith('other.mcap, on the right: ')")
        page.run("orrery.world.lookAtAll(), orrery.world.draw(), orrery.world.camera.updateMatrixWorld()")
        index = "orrery.scene.objects.findIndex((one) => one.name === '%s')"
        places = [page.run("orrery.world.project(%s)" % (index % name)) for name in ("ball", "beside/ball")]
        middle = page.run("(({ left, width }) => left + width / 2)(document.getElementById('scene').getBoundingClientRect())")
        self.assertTrue(places[0][0] < middle < places[1][0], places)
        for place in places:
            page.run("orrery.choose(-1)")
            page.click(*place)
            page.wait("orrery.chosen === %s" % (index % "ball"))
        page.run("document.querySelector('#beside button').click()")
        self.assertFalse(page.run(node % "ball" + ".visible || orrery.world.split"))
        # The tree has the objects of the run alone, and a ghost is not picked.
        self.assertEqual(page.run("document.querySelectorAll('#tree [role=treeitem]').length"),
                         page.run("orrery.scene.objects.filter((one) => !one.beside).length"))
        self.assertEqual(page.console, [])


if __name__ == "__main__":
    tap.main()
