# SPDX-License-Identifier: BSD-3-Clause
"""The page of the viewer commands a run: it pauses, steps, drives, calls; else it says why not."""

import os
import re
import signal
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))

from support import BUILD, ProgramCase, need  # noqa: E402

import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402
from websocket_client import LIMIT  # noqa: E402

PAGE = os.path.join(BUILD, "share/orrery-1/viewer/page.js")

SCENE = """{
  "orrery": 1,
  "environment": { "frequency": 60, "physics": "orrery.physics.kinematic.Kinematic", "seed": 7 },
  "objects": [
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" },
      { "name": "motion", "classpath": "morse.actuators.v_omega.MotionVW" } ] },
    { "name": "lame", "classpath": "morse.robots.atrv.ATRV", "position": [0, 5, 0], "objects": [
      { "name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint" } ] } ]
}
"""

TICKS = "Number(document.getElementById('ticks').textContent)"
BUTTON = "document.querySelector('[data-run=%s]')"


def named(name):
    return "orrery.scene.objects.findIndex((one) => one.name === '%s')" % name


class DriveCase(ProgramCase):
    options = ("--control",)

    def setUp(self):
        super().setUp()
        if not os.path.exists(PAGE):
            self.skipTest("built without esbuild or libsoup")
        need(self, None if find_chromium() else "no chromium; `./bootstrap check` installs it")
        self.begin("0")

    def begin(self, port):
        self.process = self.start("run", self.write("scene.json", SCENE), "--view", "--view-port", port, *self.options)
        line = self.wait_for(self.process, "viewer now at ")
        self.url, self.token = re.search(r"(http://127\.0\.0\.1:\d+/)(?:#token=(\w+))?", line).groups()

    def open(self, hash_=None, **size):
        browser = Browser(self.url + (("#token=" + self.token if self.token else "") if hash_ is None else hash_), **size)
        self.addCleanup(browser.close)
        return browser

    def ready(self, **size):
        page = self.open(**size)
        page.wait("orrery.ready && orrery.counts.poses > 1 && orrery.run.can")
        return page

    def hold(self, page, key, down):
        page.call("Input.dispatchKeyEvent", type="keyDown" if down else "keyUp", key=key, code=key)


class Commands(DriveCase):
    def test_pause_step_and_reset(self):
        page = self.ready(width=900, height=500)
        page.wait(TICKS + " > 5")
        page.run((BUTTON % "play") + ".click()")
        page.wait((BUTTON % "play") + ".textContent === 'Play'")
        ticks = page.run("orrery.connection.call('simulation', 'step')")
        page.wait("orrery.shown.ticks === %d" % ticks)
        page.run((BUTTON % "step") + ".click()")
        page.wait("orrery.shown.ticks === %d" % (ticks + 1))
        page.run((BUTTON % "reset") + ".click()")
        page.wait("orrery.shown.ticks < 5")
        page.run((BUTTON % "play") + ".click()")
        page.wait((BUTTON % "play") + ".textContent === 'Pause' && orrery.shown.ticks > 10")
        page.run("document.querySelector('#run select').value = '5', "
                 "document.querySelector('#run select').dispatchEvent(new Event('change'))")
        page.wait("parseFloat(document.getElementById('pace').textContent) > 2")
        self.assertEqual(page.console, [])

    def test_keys_drive_the_chosen_robot(self):
        page = self.ready()
        x = "orrery.world.nodes[%s].position.x" % named("robot")
        page.run("orrery.choose(%s)" % named("robot"))
        page.run((BUTTON % "drive") + ".click()")
        page.wait("orrery.drive.on && !document.getElementById('pad').hidden")
        self.hold(page, "w", True)
        page.wait(x + " > 0.1")
        self.hold(page, "w", False)
        # It stands when the key is let go of.
        page.wait("orrery.drive.held.size === 0")
        page.run("orrery.connection.call('simulation', 'state')")
        page.run("orrery.connection.call('simulation', 'pause')")
        place = page.run("orrery.connection.call('simulation', 'get_scene_objects')")["robot"][1]
        page.run("orrery.connection.call('simulation', 'step', [20])")
        self.assertEqual(page.run("orrery.connection.call('simulation', 'get_scene_objects')")["robot"][1], place)
        page.run("orrery.connection.call('simulation', 'resume')")
        # Arrow keys, and what is held when the window is left.
        page.run("document.getElementById('scene').focus()")
        self.hold(page, "ArrowDown", True)
        page.wait(x + " < %r - 0.05" % place[0])
        page.run("dispatchEvent(new Event('blur'))")
        self.assertEqual(page.run("orrery.drive.speeds"), [0, 0])
        self.hold(page, "ArrowDown", False)
        # Without Drive the keys do what they did.
        page.run((BUTTON % "drive") + ".click()")
        page.press("s")
        page.wait("orrery.showsSensors")
        self.assertEqual(page.console, [])

    def test_a_finger_drives(self):
        page = self.ready(width=380, height=640)
        self.assertFalse(page.run("document.documentElement.scrollWidth > innerWidth"))
        page.run("orrery.setDrive(true)")
        place = page.run("(() => { const box = document.querySelector('[data-way=left]').getBoundingClientRect(); "
                         "return [box.x + box.width / 2, box.y + box.height / 2]; })()")
        turn = "Math.abs(orrery.world.nodes[%s].quaternion.z)" % named("robot")
        page.call("Input.dispatchMouseEvent", type="mousePressed", x=place[0], y=place[1], button="left", clickCount=1)
        page.wait(turn + " > 0.05")
        page.call("Input.dispatchMouseEvent", type="mouseReleased", x=place[0], y=place[1], button="left", clickCount=1)
        page.wait("orrery.drive.held.size === 0")

    def test_a_robot_that_cannot_be_driven(self):
        page = self.ready()
        page.run("orrery.choose(%s), orrery.setDrive(true)" % named("lame"))
        self.assertFalse(page.run("orrery.drive.on"))
        self.assertIn("no actuator that takes speeds", page.run("document.getElementById('notice').textContent"))

    def test_a_form_calls_a_service(self):
        page = self.ready(width=900, height=600)
        page.run("orrery.choose(%s)" % named("robot.motion"))
        form = "document.querySelector('[data-service=set_speed] form')"
        self.assertEqual(page.run("[...%s.querySelectorAll('label')].map((one) => one.textContent)" % form), ["v", "w"])
        page.run("%s.parentElement.open = true, %s.querySelectorAll('input')[0].value = '1', "
                 "%s.querySelectorAll('input')[1].value = '0', %s.requestSubmit()" % (form, form, form, form))
        page.wait("%s.querySelector('output').textContent === 'done'" % form)
        page.wait("orrery.world.nodes[%s].position.x > 0.1" % named("robot"))
        # Those of the run are shown where nothing is chosen.
        page.run("orrery.choose(-1)")
        page.run("document.querySelector('[data-service=list_robots] form').requestSubmit()")
        page.wait("document.querySelector('[data-service=list_robots] output').textContent.includes('lame')")
        page.run("orrery.choose(%s)" % named("robot.motion"))
        # What is not filled in is not sent, by the browser's own check.
        page.run("%s.querySelectorAll('input')[0].value = ''" % form)
        self.assertFalse(page.run("%s.checkValidity()" % form))
        # The answer of a service that has one, and of one that fails.
        page.run("orrery.choose(%s)" % named("robot.pose"))
        form = "document.querySelector('[data-service=get_local_data] form')"
        page.run("%s.requestSubmit()" % form)
        page.wait("%s.querySelector('output').textContent.includes('\"x\"')" % form)
        self.assertEqual(page.console, [])

    def test_a_call_is_cancelled(self):
        page = self.ready(width=900, height=600)
        page.run("orrery.choose(%s)" % named("lame.waypoint"))
        form = "document.querySelector('[data-service=goto] form')"
        stop = form + ".querySelector('[type=button]')"
        self.assertTrue(page.run(stop + ".hidden"))
        page.run("%s.parentElement.open = true, %s.querySelectorAll('input')[0].value = '1000', "
                 "%s.querySelectorAll('input')[1].value = '0', %s.querySelectorAll('input')[2].value = '0', "
                 "%s.requestSubmit()" % (form, form, form, form, form))
        status = "orrery.connection.call('lame.waypoint', 'get_status')"
        self.assertEqual(page.run(status), "Transit")
        self.assertEqual(page.run("(({ bottom, top }) => bottom > top)(%s.getBoundingClientRect())" % stop), True)
        page.run(stop + ".click()")
        page.wait("%s.querySelector('output').className === 'bad' && %s.hidden" % (form, stop))
        self.assertNotEqual(page.run(status), "Transit")
        self.assertEqual(page.console, [])

    def test_properties_that_others_set(self):
        page = self.ready(width=900, height=600)
        page.run("orrery.choose(%s)" % named("lame.waypoint"))
        page.wait("document.querySelector('[data-property=FreeZ]') !== null && orrery.connection.known.length > 3")
        page.run("orrery.connection.call('lame.waypoint', 'set_property', ['FreeZ', true])")
        page.wait("document.querySelector('[data-property=FreeZ]').checked")
        page.run("orrery.connection.call('lame.waypoint', 'set_property', ['AngleTolerance', 2.5])")
        page.wait("document.querySelector('[data-property=AngleTolerance]').value === '2.5'")
        # What is being written stays, and what belongs to another object is not asked for.
        page.run("document.querySelector('[data-property=AngleTolerance]').value = '7'")
        page.run("orrery.connection.call('lame.waypoint', 'set_property', ['AngleTolerance', 1.5])")
        page.run("orrery.connection.call('lame.waypoint', 'set_property', ['FreeZ', false])")
        page.wait("!document.querySelector('[data-property=FreeZ]').checked")
        self.assertEqual(page.run("document.querySelector('[data-property=AngleTolerance]').value"), "7")
        page.run("orrery.choose(-1)")
        self.assertEqual(page.run("orrery.connection.known.length"), 0)
        self.assertEqual(page.console, [])

    def test_properties(self):
        page = self.ready(width=900, height=600)
        page.run("orrery.choose(%s)" % named("robot.motion"))
        page.wait("document.querySelector('[data-property=timeout]') !== null")
        page.run("(() => { const input = document.querySelector('[data-property=timeout]'); input.value = '2.5'; "
                 "input.dispatchEvent(new Event('change')); })()")
        page.wait("document.querySelector('[data-property=timeout]').nextSibling.textContent === 'set'")
        value = "(await orrery.connection.call('robot.motion', 'get_properties')).properties.timeout[0]"
        self.assertEqual(page.run("(async () => %s)()" % value), 2.5)
        page.run("(() => { const input = document.querySelector('[data-property=timeout]'); input.value = '-1'; "
                 "input.dispatchEvent(new Event('change')); })()")
        page.wait("document.querySelector('[data-property=timeout]').nextSibling.className === 'bad'")
        self.assertEqual(page.run("document.querySelector('[data-property=timeout]').value"), "2.5")
        # What is read at the start only is shown.
        page.run("orrery.choose(%s)" % named("lame.waypoint"))
        page.wait("document.querySelector('[data-property=Speed]')?.disabled")
        self.assertIn("at the start only", page.run("document.querySelector('[data-property=Speed]').title"))
        # Each field has a label.
        self.assertEqual(page.run("[...document.querySelectorAll('.commands input')].filter((one) => "
                                  "one.labels.length !== 1).length"), 0)

    def test_the_token_stays_out_of_the_address(self):
        page = self.ready()
        self.assertNotIn("token", page.run("location.href"))
        page.run("orrery.choose(%s)" % named("robot"))
        page.wait("location.hash.includes('object=robot')")
        self.assertNotIn("token", page.run("location.href"))
        # The tab keeps it.
        page.run("location.reload()")
        page.wait("orrery.ready && orrery.run.can")

    def test_the_next_run_has_another_token(self):
        page = self.ready()
        token = self.token
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=LIMIT)
        page.wait("document.getElementById('state').dataset.state === 'lost'")
        self.begin(re.search(r":(\d+)/", self.url).group(1))
        self.assertNotEqual(self.token, token)
        page.wait("document.getElementById('state').textContent.includes('token missing or wrong')")
        # The address of the log, put into the same tab.
        page.run("location.hash = 'token=%s'" % self.token)
        page.wait("orrery.run.can && document.getElementById('state').dataset.state === 'live'")
        self.assertNotIn("token", page.run("location.href"))

    def test_without_the_token(self):
        for hash_ in ("", "#token=" + "0" * 32):
            page = self.open(hash_)
            page.wait("document.getElementById('state').textContent.includes('token missing or wrong')")
            self.assertEqual(page.run("[...document.querySelectorAll('#run button, #run select')].filter((one) => "
                                      "!one.disabled).length"), 0)
            page.close()


class LookOn(DriveCase):
    options = ()

    def test_it_says_why_not(self):
        page = self.open()
        page.wait("orrery.ready && orrery.counts.poses > 1")
        controls = "[...document.querySelectorAll('#run button, #run select')]"
        self.assertEqual(page.run(controls + ".filter((one) => one.disabled && one.title.includes('--control')).length"), 5)
        self.assertEqual(page.run("document.querySelector('#run .reason').textContent"), "read-only; start it with --control")
        page.run("orrery.choose(%s)" % named("robot.motion"))
        self.assertIn("--control", page.run("document.querySelector('#details .why').textContent"))
        self.assertEqual(page.run("document.querySelectorAll('#details .commands input').length"), 0)
        self.assertEqual(page.console, [])


if __name__ == "__main__":
    tap.main()
