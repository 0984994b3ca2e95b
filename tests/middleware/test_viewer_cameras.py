# SPDX-License-Identifier: BSD-3-Clause
"""The page of the viewer looks through the cameras of a scene."""

import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import tap  # noqa: E402
from test_viewer_page import BrowserCase, named  # noqa: E402

PITCH = 0.1745
WIDE = {"cam_width": 320, "cam_height": 240, "cam_fov": 80.0, "cam_near": 0.3, "cam_far": 30.0}
LONG = {"cam_width": 100, "cam_height": 400, "cam_focal": 64.0}


def camera(name, kind, place, properties, rotation=(0, 0, 0)):
    return {"name": name, "classpath": "orrery.sensors." + kind, "position": place, "rotation": rotation,
            "properties": properties}


SCENE = json.dumps({
    "orrery": 1, "environment": {"frequency": 60, "physics": "orrery.physics.kinematic.Kinematic"},
    "objects": [
        {"name": "mark", "position": [6, 1, 1.5], "shapes": [{"kind": "sphere", "radius": 0.2}]},
        {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
            {"name": "motion", "classpath": "morse.actuators.v_omega.MotionVW"},
            camera("wide", "video_camera.VideoCamera", [0.5, 0.1, 1.2], WIDE, [0, PITCH, 0]),
            camera("long", "depth_camera.DepthVideoCamera", [0, 0, 2], LONG)]}],
    "spawnables": [{"object": {"name": "bot", "classpath": "morse.robots.atrv.ATRV", "objects": [
        camera("eye", "video_camera.VideoCamera", [0, 0, 1], WIDE)]}}],
    "component_service": {"robot.motion": ["morse.middleware.socket_request_manager.SocketRequestManager"]}})

CHOICE = "document.getElementById('through')"
FRAME = "(({ left, top, width, height }) => [left, top, width, height])(document.getElementById('frame').getBoundingClientRect())"


class Cameras(BrowserCase):
    SCENE = SCENE

    def call(self, *words):
        self.check(self.orrery("call", "--port", self.services, *words), 0)

    def choose(self, page, name):
        """As who uses the list: a camera, or the free view."""
        page.run("(() => { %s.selectedIndex = [...%s.options].findIndex((one) => one.text === '%s');"
                 " %s.dispatchEvent(new Event('change')); orrery.world.draw(); orrery.showFrame(); })()"
                 % (CHOICE, CHOICE, name, CHOICE))

    def test_what_a_camera_sees(self):
        """A mark is in the frame where it is in the camera's own picture."""
        page = self.open(width=1000, height=500)
        self.assertEqual(page.run("[...%s.options].map((one) => one.text)" % CHOICE),
                         ["Free view", "robot.wide", "robot.long", "bot_1.eye"])
        free = page.run("orrery.world.getView()")
        self.choose(page, "robot.wide")
        x, y, z = page.run("orrery.world.nodes[%s].position.toArray()" % named("robot"))
        x, y, z = 6 - 0.5 - x, 1 - 0.1 - y, 1.5 - 1.2 - z
        ahead, up = math.cos(PITCH) * x - math.sin(PITCH) * z, math.sin(PITCH) * x + math.cos(PITCH) * z
        focal = 160 / math.tan(math.radians(40))
        pixel = 160 - focal * y / ahead, 120 - focal * up / ahead
        left, top, width, height = page.run(FRAME)
        self.assertAlmostEqual(width / height, 320 / 240, delta=0.02)
        at = page.run("orrery.world.project(%s)" % named("mark"))
        self.assertAlmostEqual(at[0], left + width * pixel[0] / 320, delta=1.5)
        self.assertAlmostEqual(at[1], top + height * pixel[1] / 240, delta=1.5)
        self.assertEqual(page.run("[orrery.world.lens.near, orrery.world.lens.far]"), [0.3, 30])
        # What is drawn there is picked there.
        page.click(*at)
        page.wait("document.querySelector('#details h2')?.textContent === 'mark'")
        # A high and narrow one is as high as the picture.
        self.choose(page, "robot.long")
        left, top, width, height = page.run(FRAME)
        self.assertAlmostEqual(width / height, 0.25, delta=0.02)
        stage = page.run("document.getElementById('stage').clientHeight")
        self.assertAlmostEqual(height, stage, delta=3)
        up = math.tan(math.radians(page.run("orrery.world.lens.fov") / 2))
        self.assertAlmostEqual(up, 400 / 100 * 16 / 64, 6)
        # The free view is as it was.
        self.choose(page, "Free view")
        self.assertEqual(page.run("orrery.world.getView()"), free)
        self.assertTrue(page.run("document.getElementById('frame').hidden && orrery.world.eye === orrery.world.camera"))
        self.assertEqual(page.console, [])

    def test_it_moves_with_the_camera(self):
        page = self.open()
        self.choose(page, "robot.wide")
        self.call("robot.motion", "set_speed", "0.5", "0.4")
        start = page.run("orrery.world.lens.position.toArray()")
        page.wait("Math.hypot(...orrery.world.lens.position.toArray().map((one, i) => one - [%s][i])) > 0.4"
                  % ", ".join(map(str, start)))
        apart, ahead = page.run("""(() => {
            const { world } = orrery, node = world.nodes[%s];
            world.draw();
            const way = world.lens.getWorldDirection(world.lens.position.clone());
            const x = way.clone().set(1, 0, 0).applyQuaternion(node.quaternion);
            return [world.lens.position.distanceTo(node.position), way.dot(x)];
          })()""" % named("robot.wide"))
        self.assertAlmostEqual(apart, 0, 6)
        self.assertAlmostEqual(ahead, 1, 6)

    def test_keys_and_tools(self):
        page = self.open()
        through = "orrery.parts.get(orrery.world.through?.index)?.name"
        page.run("document.getElementById('scene').focus()")
        for name in ("robot.wide", "robot.long"):
            page.press("v", code="KeyV")
            page.wait("%s === '%s' && %s.selectedOptions[0].text === '%s'" % (through, name, CHOICE, name))
        # Arrow keys do not turn what is fixed.
        before = page.run("orrery.world.getView()")
        page.press("ArrowLeft")
        page.press("Escape")
        page.wait("orrery.world.through === undefined && %s.selectedIndex === 0" % CHOICE)
        self.assertEqual(page.run("orrery.world.getView()"), before)
        # That of the chosen object comes first.
        page.run("orrery.choose(%s)" % named("robot.long"))
        page.press("v", code="KeyV")
        page.wait("%s === 'robot.long'" % through)
        for tool in ("all", "top", "follow"):
            self.choose(page, "robot.wide")
            page.wait("%s === 'robot.wide'" % through)
            page.run("document.querySelector('[data-tool=%s]').click()" % tool)
            page.wait("orrery.world.through === undefined")
        # Who follows an object and looks through a camera does one of both.
        self.choose(page, "robot.wide")
        self.assertFalse(page.run("orrery.follows"))

    def test_a_link_restores_it(self):
        page = self.open("#eye=4,5,6&at=1,1,0&through=robot.long&object=robot.wide")
        page.wait("orrery.world.through?.index === %s && !document.getElementById('frame').hidden" % named("robot.long"))
        page.wait("%s.selectedOptions[0].text === 'robot.long'" % CHOICE)
        self.assertEqual(page.run("orrery.scene.objects[orrery.chosen].name"), "robot.wide")
        page.press("Escape")
        page.wait("!location.hash.includes('through') && location.hash.includes('eye=4.00,5.00,6.00')")
        self.choose(page, "robot.wide")
        page.wait("location.hash.includes('through=robot.wide') && location.hash.includes('eye=4.00,5.00,6.00')")

    def test_one_that_is_not_there(self):
        page = self.open("#through=robot.nothing")
        self.assertTrue(page.run("orrery.world.through === undefined"))
        self.choose(page, "bot_1.eye")
        page.wait("document.getElementById('notice').textContent === 'bot_1.eye is not in the world.'")
        self.assertTrue(page.run("orrery.world.through === undefined && %s.selectedIndex === 0" % CHOICE))
        self.call("simulation", "spawn", "bot", "[3, 3, 0.2]")
        page.wait("orrery.world.there[%s]" % named("bot_1.eye"))
        self.choose(page, "bot_1.eye")
        page.wait("orrery.world.through?.index === %s" % named("bot_1.eye"))
        # It goes, and with it what was seen.
        self.call("simulation", "remove", "bot.1")
        page.wait("orrery.world.through === undefined && document.getElementById('frame').hidden")
        self.assertEqual(page.console, [])


if __name__ == "__main__":
    tap.main()
