# SPDX-License-Identifier: BSD-3-Clause
"""The page of the viewer with 1,000 objects that move."""

import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import tap  # noqa: E402
from test_viewer_page import BrowserCase, named  # noqa: E402

N = 1000

# They fall slowly, each beside the others, for as long as a test may take.
BOXES = [{"name": "box%d" % i, "position": [i % 40, i // 40, 500 + i % 7],
          "body": {"type": "rigid", "mass": 1, "damping": [0.999999, 0.1]},
          "shapes": [{"kind": "box", "size": [0.2, 0.2, 0.2]}]} for i in range(N)]


class Many(BrowserCase):
    SCENE = json.dumps({"orrery": 1, "environment": {"frequency": 60, "seed": 7}, "objects": BOXES})

    def test_it_is_usable(self):
        page = self.open(width=800)
        self.assertEqual(page.run("orrery.world.nodes.length"), N)
        # All of them move, and are drawn.
        heights = "orrery.world.nodes.map((one) => one.position.z)"
        page.run("window.before = %s, window.drawn = orrery.counts.drawn" % heights)
        page.wait("%s.every((one, i) => one < before[i] - 1e-3) && orrery.counts.drawn > drawn + 5" % heights)
        page.wait("document.getElementById('state').textContent === 'live'")
        # One is picked, and followed.
        one = named("box777")
        page.run("orrery.world.lookAtBox(orrery.world.boxOf(orrery.world.nodes[%s])), orrery.world.draw(), "
                 "orrery.world.camera.updateMatrixWorld()" % one)
        page.click(*page.run("orrery.world.project(%s)" % one))
        page.wait("document.querySelector('#details h2')?.textContent === 'box777'")
        page.press("f", code="KeyF")
        page.wait("orrery.follows && orrery.world.followed === %s" % one)
        height = page.run("orrery.world.camera.position.z")
        page.wait("orrery.world.camera.position.z < %r - 1e-3" % height)
        # The tree has all, finds some, and chooses one of those.
        rows = "[...document.querySelectorAll('#tree [role=treeitem]')]"
        find = "document.getElementById('filter')"
        self.assertEqual(page.run(rows + ".length"), N)
        page.run("%s.value = 'BOX99', %s.dispatchEvent(new Event('input'))" % (find, find))
        page.wait("%s.length === 11" % rows)
        page.run(rows + "[3].querySelector('.row').click()")
        page.wait("document.querySelector('#details h2').textContent === 'box992'")
        page.run(rows + "[3].focus()")
        page.press("ArrowDown")
        page.wait("document.activeElement === %s[4]" % rows)
        page.press("Enter")
        page.wait("document.querySelector('#details h2').textContent === 'box993'")
        page.run("%s.value = '', %s.dispatchEvent(new Event('input'))" % (find, find))
        page.wait("%s.length === %d" % (rows, N))
        # The view is turned while all of that moves.
        page.run("document.getElementById('scene').focus()")
        before = page.run("orrery.world.camera.position.x")
        page.press("ArrowRight")
        page.wait("Math.abs(orrery.world.camera.position.x - %r) > 1e-3" % before)
        self.assertEqual(page.console, [])


if __name__ == "__main__":
    tap.main()
