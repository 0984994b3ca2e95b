# SPDX-License-Identifier: BSD-3-Clause
"""The page of the viewer in a browser: it shows the scene as it moves, and does what its users ask."""

import os
import re
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, ProgramCase, need  # noqa: E402

import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from png_file import make_png  # noqa: E402
from websocket_client import LIMIT  # noqa: E402

PAGE = os.path.join(BUILD, "share/orrery-1/viewer/page.js")

# A ball that falls slowly, a robot with sensors.
SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "seed": 7 },
  "objects": [
    { "name": "floor", "position": [0, 0, -0.5], "body": { "type": "static" },
      "shapes": [{ "kind": "box", "size": [20, 20, 0.5] }] },
    { "name": "box", "position": [3, 1, 0.5], "body": { "type": "static" },
      "shapes": [{ "kind": "box", "size": [0.5, 0.5, 0.5] }] },
    { "name": "dock", "position": [-4, 0, 0.5], "properties": { "Zone_Tag": true, "Type": "Charging" },
      "shapes": [{ "kind": "box", "size": [1, 2, 0.5], "solid": false, "visible": false }] },
    { "name": "ball", "position": [0, 0, 60], "body": { "type": "rigid", "mass": 1, "damping": [0.999999, 0.1] },
      "shapes": [{ "kind": "sphere", "radius": 0.5 }] },
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "position": [0, -3, 0.1], "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" },
      { "name": "laser", "classpath": "morse.sensors.laserscanner.LaserScanner", "position": [0, 0, 0.9],
        "properties": { "resolution": 2.0, "scan_window": 180.0, "laser_range": 10.0 } } ] } ]
}
"""


def named(name):
    return "orrery.scene.objects.findIndex((one) => one.name === '%s')" % name


# The same with what is not there at the start.
SPAWNABLES = SCENE.rstrip()[:-1] + """, "spawnables": [
  { "count": 2, "object": { "name": "crate", "body": { "type": "rigid", "mass": 1 }, "shapes": [
    { "kind": "box", "size": [0.6, 0.6, 0.6] } ] } },
  { "object": { "name": "bot", "classpath": "morse.robots.atrv.ATRV", "objects": [
    { "name": "pose", "classpath": "morse.sensors.pose.Pose" } ] } } ] }
"""


class BrowserCase(ProgramCase):
    SCENE = SCENE

    def setUp(self):
        super().setUp()
        if not os.path.exists(PAGE):
            self.skipTest("built without esbuild or libsoup")
        need(self, None if find_chromium() else "no chromium; `./bootstrap check` installs it")
        self.begin("0")

    def begin(self, port):
        self.process = self.start("run", self.write("scene.json", self.SCENE), "--view", "--view-port", port)
        self.services = self.wait_for(self.process, "Socket service manager now listening").rstrip(".\n").split()[-1]
        line = self.wait_for(self.process, "viewer now at ")
        self.port = re.search(r"127\.0\.0\.1:(\d+)/", line).group(1)
        self.url = "http://127.0.0.1:%s/" % self.port

    def open(self, hash_="", **size):
        browser = Browser(self.url + hash_, **size)
        self.addCleanup(browser.close)
        browser.wait("orrery.ready && orrery.counts.poses > 1")
        return browser


class PageCase(BrowserCase):
    def test_it_is_seen_picked_and_followed(self):
        page = self.open()
        # It moves.
        ball = "orrery.world.nodes[%s].position.z" % named("ball")
        height = page.run(ball)
        page.wait("%s < %r - 0.5" % (ball, height))
        page.wait("document.getElementById('state').textContent === 'live'")
        page.wait("parseFloat(document.getElementById('time').textContent) > 0")
        # A click on the box picks it.
        page.run("orrery.world.lookAtAll(), orrery.world.draw(), orrery.world.camera.updateMatrixWorld()")
        page.click(*page.run("orrery.world.project(%s)" % named("box")))
        page.wait("document.querySelector('#details h2')?.textContent === 'box'")
        page.wait("document.querySelector('[aria-selected=true]')?.textContent.includes('box')")
        # One in the tree picks, too, and the record of its component comes.
        page.run("[...document.querySelectorAll('#tree [role=treeitem]')].find((one) => "
                 "one.querySelector('.row').textContent.startsWith('pose')).querySelector('.row').click()")
        page.wait("document.querySelectorAll('#record tr').length === 6")
        self.assertEqual(page.run("document.querySelector('#details .class').textContent"), "orrery.sensors.pose.Pose")
        # What is followed stays where it is in the picture.
        page.run("orrery.choose(%s)" % named("ball"))
        page.run("document.querySelector('[data-tool=follow]').click()")
        page.wait("document.querySelector('[data-tool=follow]').ariaPressed === 'true'")
        eye = "orrery.world.camera.position.z - %s" % ball
        above, height = page.run(eye), page.run(ball)
        page.wait("%s < %r - 0.3" % (ball, height))
        self.assertAlmostEqual(page.run(eye), above, 3)
        self.assertEqual(page.console, [])

    def test_programs_are_made_before_the_scene(self):
        """The first picture needs no others of the graphics card than those that the page has made meanwhile."""
        page = self.open()
        programs = page.run("orrery.world.renderer.info.programs.map((one) => [one.type, one.usedTimes])")
        self.assertEqual(sorted(kind for kind, _ in programs), ["MeshDepthMaterial"] + 2 * ["MeshStandardMaterial"] + 2 * ["ShaderMaterial"])
        self.assertEqual([one for one in programs if one[0].startswith("Mesh") and one[1] < 2], [])
        page.wait("orrery.world.renderer.debug.checkShaderErrors")
        self.assertEqual(page.console, [])

    def test_layers(self):
        page = self.open()
        page.press("s")
        page.wait("orrery.layers.rays.size === 1 && orrery.connection.wanted.has('/robot/laser')")
        page.wait("[...orrery.layers.rays.values()][0].points.geometry.getAttribute('position').count > 3")
        page.press("x")
        page.wait("orrery.layers.frames.length === orrery.world.nodes.length")
        page.press("p")
        page.wait("orrery.layers.paths[0].path.n > 0 && orrery.layers.paths[0].path.line.visible")
        # The robot stands on the floor.
        page.press("c")
        page.wait("orrery.layers.contacts.n > 0 && orrery.layers.contacts.group.visible")
        page.press("c")
        page.wait("!orrery.layers.contacts.group.visible && !orrery.connection.wanted.has('/contacts')")
        page.press("z")
        page.wait("orrery.layers.zones.visible && orrery.layers.zones.children.length === 1")
        self.assertEqual(page.run("orrery.layers.zones.children[0].position.toArray()"), [-4, 0, 0.5])
        page.press("s")
        page.wait("orrery.layers.rays.size === 0 && !orrery.connection.wanted.has('/robot/laser')")
        self.assertEqual(page.console, [])

    def test_a_plot(self):
        page = self.open()
        page.run("orrery.choose(%s)" % named("robot.pose"))
        page.wait("document.querySelector('[aria-label=\"Plot x\"]') !== null")
        page.run("document.querySelector('[aria-label=\"Plot x\"]').click()")
        page.wait("orrery.details.plots.get('x').times.length > 5")
        self.assertEqual(page.run("document.querySelectorAll('.uplot').length"), 1)

    def test_a_link_restores_the_view(self):
        page = self.open("#eye=4,5,6&at=1,1,0&object=robot.pose&show=frames,paths&plot=z")
        page.wait("orrery.details.plots.get('z')?.times.length > 1")
        self.assertEqual(page.run("orrery.world.camera.position.toArray().map((one) => +one.toFixed(3))"), [4, 5, 6])
        self.assertEqual(page.run("orrery.scene.objects[orrery.chosen].name"), "robot.pose")
        self.assertTrue(page.run("orrery.layers.showsFrames && orrery.layers.showsPaths"))
        page.run("orrery.choose(%s)" % named("box"))
        page.wait("location.hash.includes('object=box') && location.hash.includes('eye=4.00,5.00,6.00')")

    def test_keys(self):
        page = self.open(width=800)
        page.run("document.querySelector('#tree [tabindex=\"0\"]').focus()")
        for _ in range(4):
            page.press("ArrowDown")
        page.press("Enter")
        page.wait("orrery.chosen === %s" % named("robot"))
        page.press("ArrowLeft")
        page.wait("document.activeElement.getAttribute('aria-expanded') === 'false'")
        page.run("document.getElementById('scene').focus()")
        before = page.run("orrery.world.camera.position.x")
        page.press("ArrowRight")
        page.wait("Math.abs(orrery.world.camera.position.x - %r) > 0.01" % before)
        page.press("Escape")
        page.wait("orrery.chosen === -1")
        # Whatever can be clicked on is reached by the key Tab, and has a name.
        self.assertEqual(page.run("[...document.querySelectorAll('button')].filter((one) => one.tabIndex < 0 || "
                                  "!(one.ariaLabel || one.textContent.trim())).length"), 0)

    def test_contrast(self):
        page = self.open()
        for theme in ("light", "dark"):
            page.run("orrery.setTheme('%s')" % theme)
            # The lines of WCAG 2: 4.5 for text.
            ratios = page.run("""(() => {
                const light = (color) => {
                  const [r, g, b] = color.match(/[\\d.]+/g).map((one) => one / 255)
                    .map((one) => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
                  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const found = {};
                const probe = document.createElement('span');
                document.body.append(probe);
                for (const text of ['text', 'dim', 'warn', 'bad'])
                  for (const back of ['panel', 'back', 'hover', 'chosen']) {
                    probe.style.color = `var(--${text})`;
                    probe.style.backgroundColor = `var(--${back})`;
                    const style = getComputedStyle(probe);
                    const [a, b] = [light(style.color), light(style.backgroundColor)];
                    found[text + ' on ' + back] = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                  }
                probe.remove();
                return found;
              })()""")
            self.assertEqual({name: ratio for name, ratio in ratios.items() if ratio < 4.5}, {}, theme)

    def test_a_telephone(self):
        page = self.open(width=380, height=640)
        self.assertFalse(page.run("document.documentElement.scrollWidth > innerWidth"))
        shown = "getComputedStyle(document.getElementById('%s')).display !== 'none'"
        self.assertEqual([page.run(shown % one) for one in ("objects", "details")], [False, False])
        page.run("document.querySelector('[data-panel=objects]').click()")
        self.assertEqual([page.run(shown % one) for one in ("objects", "details")], [True, False])
        page.run("document.querySelector('[data-panel=details]').click()")
        self.assertEqual([page.run(shown % one) for one in ("objects", "details")], [False, True])

    def test_it_connects_again(self):
        page = self.open()
        page.run("orrery.choose(%s), orrery.setFollow(true)" % named("robot"))
        session = page.run("orrery.scene.session")
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=LIMIT)
        page.wait("document.getElementById('state').dataset.state === 'lost'")
        self.begin(self.port)
        page.wait("orrery.scene.session !== '%s' && orrery.connection.channels.size > 0" % session)
        page.wait("document.getElementById('state').textContent === 'live'")
        page.wait("orrery.chosen === %s && orrery.follows" % named("robot"))


class Spawning(BrowserCase):
    SCENE = SPAWNABLES

    def test_what_comes_and_goes(self):
        """What is spawned is drawn, listed and picked; what is removed is none of it any more."""
        page = self.open()
        rows = "[...document.querySelectorAll('#tree [role=treeitem] .row')].map((one) => one.children[1].textContent)"
        crate, bot = named("crate_1"), named("bot_1")
        drawn = "orrery.world.nodes[%s].visible"

        def call(service, *arguments):
            self.check(self.orrery("call", "--port", self.services, "simulation", service, *arguments), 0)

        self.assertFalse({"crate_1", "bot_1"} & set(page.run(rows)))
        self.assertEqual([page.run(drawn % one) for one in (crate, bot)], [False, False])
        page.run("orrery.world.setView({ eye: [4, -6, 4], target: [0, 0, 0.5] })")
        call("spawn", "crate", "[-1, 0, 0.6]", "null", "mine")
        call("spawn", "bot", "[1.5, 0, 0.2]")
        page.wait("%s && %s" % (drawn % crate, drawn % bot))
        page.wait("%s.includes('crate_1') && %s.includes('bot_1')" % (rows, rows))
        self.assertEqual(page.run("%s.includes('crate_2')" % rows), False)
        page.run("orrery.world.draw(), orrery.world.camera.updateMatrixWorld()")
        page.click(*page.run("orrery.world.project(%s)" % crate))
        page.wait("document.querySelector('#details h2')?.textContent === 'crate_1'")
        page.run("orrery.choose(%s), orrery.setFollow(true)" % named("bot_1.pose"))
        page.wait("document.querySelectorAll('#record tr').length === 6")
        if "ORRERY_TEST_PICTURES" in os.environ:
            page.picture(os.path.join(os.environ["ORRERY_TEST_PICTURES"], "there.png"))
        call("remove", "bot.1")
        page.wait("orrery.chosen === -1 && !orrery.follows && !(%s)" % (drawn % bot))
        page.wait("!%s.includes('bot_1')" % rows)
        call("remove", "mine")
        page.wait("!(%s) && !%s.includes('crate_1')" % (drawn % crate, rows))
        if "ORRERY_TEST_PICTURES" in os.environ:
            page.picture(os.path.join(os.environ["ORRERY_TEST_PICTURES"], "gone.png"))
        call("spawn", "crate", "[0, 0, 2]")
        page.wait(drawn % crate)
        call("reset")
        page.wait("!(%s)" % (drawn % crate))
        self.assertTrue(all(page.run("orrery.world.camera.position.toArray().map(Number.isFinite)")))
        self.assertEqual(page.console, [])


# Two objects that share a mesh, and so its material; a lamp.
MESH = """"shapes": [{ "kind": "mesh", "points": [[0, 0, 0], [2, 0, 0], [0, 2, 0]], "triangles": [[0, 1, 2]],
    "color": [0, 1, 0], "emission": 0.5, "solid": false }]"""
COLOURED = SCENE.replace('"objects": [', """"objects": [
    { "name": "one", "position": [0, 4, 1], %s }, { "name": "other", "position": [3, 4, 1], %s },
    { "name": "lamp", "position": [0, 0, 5], "lamp": { "kind": "spot", "energy": 2, "distance": 5 } },
""" % (MESH, MESH), 1)


class Colours(BrowserCase):
    SCENE = COLOURED

    def test_what_changes(self):
        """Shapes and lamps are drawn as they are now; what shares a material with them stays as it is."""
        page = self.open()
        mesh = "orrery.world.nodes[%s].children.find((one) => one.isMesh)"
        one, other, box = (mesh % named(name) for name in ("one", "other", "box"))
        light = "orrery.world.nodes[%s].userData.light" % named("lamp")

        def call(service, *arguments):
            self.check(self.orrery("call", "--port", self.services, "simulation", service, *arguments), 0)

        def color(part, member="material.color"):
            return page.run("%s.%s.toArray().map((one) => +one.toFixed(3))" % (part, member))

        self.assertEqual((color(one), color(other)), ([0, 1, 0], [0, 1, 0]))
        self.assertEqual(page.run("%s.material === %s.material" % (one, other)), True)
        self.assertEqual(page.run(light + ".intensity"), 30)
        plain = color(box)
        call("set", "one.color", "[1, 0, 0]")
        call("set", "box.color", "[0, 0, 1]")
        page.wait("%s.material.color.b === 1 && %s.material.color.r === 1" % (box, one))
        self.assertEqual((color(one), color(one, "material.emissive")), ([1, 0, 0], [0.5, 0, 0]))
        self.assertEqual((color(other), color(box)), ([0, 1, 0], [0, 0, 1]))
        call("set", "lamp.energy", "0.5")
        call("set", "lamp.light_color", "[1, 0, 0]")
        page.wait("%s.intensity === 7.5 && %s.color.g === 0" % (light, light))
        call("set", "box.scale", "[1, 2, 3]")
        height = "(%s.updateWorldMatrix(true, false), %s.matrixWorld.elements[10])" % (box, box)
        page.wait(height + " === 3")
        # One that is opened now shows the same.
        late = self.open()
        late.wait("%s.material.color.r === 1 && %s.intensity === 7.5 && %s === 3" % (one, light, height))
        call("reset")
        page.wait(height + " === 1")
        page.wait("%s.intensity === 30 && %s.material.color.g === 1" % (light, one))
        self.assertEqual((color(one), color(box)), ([0, 1, 0], plain))
        self.assertEqual(page.run("%s.material === %s.material" % (one, other)), True)
        self.assertEqual((page.console, late.console), ([], []))


# A ball, a mesh without texture coordinates, and one that shares it.
GIVEN = COLOURED.replace('"objects": [', """"materials": [
    { "name": "plain", "color": [0, 0, 1], "alpha": 0.5 }, { "name": "tiles", "texture": "tiles.png" } ],
  "objects": [""", 1)


class Materials(BrowserCase):
    SCENE = GIVEN

    def begin(self, port):
        with open(self.path("tiles.png"), "wb") as file:
            file.write(make_png([[(255, 0, 0), (0, 255, 0)], [(0, 0, 255), (255, 255, 255)]], 16))
        super().begin(port)

    def test_what_is_given(self):
        """Objects have the material that they were given, with its picture, and their own after a reset."""
        page = self.open()
        mesh = "orrery.world.nodes[%s].children.find((one) => one.isMesh)"
        one, other, box = (mesh % named(name) for name in ("one", "other", "box"))

        def call(service, *arguments):
            self.check(self.orrery("call", "--port", self.services, "simulation", service, *arguments), 0)

        page.run("const before = %s.material" % box)
        call("set", "box.material", "tiles")
        page.wait("%s.material.map?.image?.width === 32" % box)
        call("set", "one.material", "tiles")
        page.wait("%s.material === %s.material" % (one, box))
        self.assertEqual(page.run("%s.material.map" % other), None)
        # Each side of a box shows all of the picture; a flat mesh that faces up has its top at y.
        self.assertEqual(page.run("[...new Set(%s.geometry.getAttribute('uv').array)].sort()" % box), [0, 1])
        self.assertEqual(page.run("[...%s.geometry.getAttribute('uv').array]" % one), [0, 1, 1, 1, 0, 0])
        call("set", "box.color", "[1, 0, 0]")
        page.wait("%s.material.color.r === 1 && %s.material.color.g === 0 && %s.material.map?.image?.width === 32" % ((box,) * 3))
        self.assertEqual(page.run("%s.material.color.g" % one), 1)
        call("set", "box.material", "plain")
        page.wait("%s.material.opacity === 0.5 && %s.material.color.r === 1 && !%s.material.map" % ((box,) * 3))
        late = self.open()
        late.wait("%s.material.opacity === 0.5 && %s.material.map?.image?.width === 32" % (box, one))
        if "ORRERY_TEST_PICTURES" in os.environ:
            call("set", "ball.material", "tiles")
            call("set", "floor.material", "tiles")
            page.wait("%s.material.map" % (mesh % named("floor")))
            page.picture(os.path.join(os.environ["ORRERY_TEST_PICTURES"], "materials.png"))
        call("reset")
        page.wait("%s.material === before && !%s.material.map" % (box, one))
        self.assertEqual((page.console, late.console), ([], []))


if __name__ == "__main__":
    tap.main()
