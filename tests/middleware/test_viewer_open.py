# SPDX-License-Identifier: BSD-3-Clause
"""`--open` shows the page of the viewer in the user's browser."""

import os
import signal
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import tap  # noqa: E402
from test_viewer import SCENE, ViewerCase  # noqa: E402
from websocket_client import LIMIT  # noqa: E402

# Tells what it is told to open and who it is, and then does as it is told.
OPENER = """#!/bin/sh
printf '%%s\\n' "$#" "$1" "$$" > '%s.part'
/bin/mv '%s.part' '%s'
%s
"""


class Open(ViewerCase):
    variables = {"BROWSER": "some-browser"}

    def environment(self):
        kept = {name: value for name, value in super().environment().items()
                if name not in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")}
        return dict(kept, PATH=self.path("bin"), **self.variables)

    def opener(self, then="exit 0"):
        """A program that takes the place of the desktop's."""
        os.makedirs(self.path("bin"), exist_ok=True)
        told = self.path("told")
        name = self.write("bin/xdg-open", OPENER % (told, told, told, then))
        os.chmod(name, 0o755)

    def told(self):
        """Number of arguments, the first one, and the process."""
        end = time.monotonic() + LIMIT
        while not os.path.exists(self.path("told")):
            self.assertLess(time.monotonic(), end, "nothing was opened")
            time.sleep(0.02)
        with open(self.path("told"), encoding="utf-8") as file:
            number, url, pid = file.read().split()
        return int(number), url, int(pid)

    def test_the_address(self):
        self.opener()
        self.view("--open")
        self.assertEqual(self.told()[:2], (1, "http://127.0.0.1:%d/" % self.port))
        self.assertEqual(self.get("/scene.json")[0], 200)
        self.assertEqual(self.stop(), 130)  # of Ctrl-C

    def test_with_a_token(self):
        self.opener()
        self.view("--control", "--open")
        self.assertEqual(self.told()[:2], (1, "http://127.0.0.1:%d/#token=%s" % (self.port, self.token)))

    def test_not_without_it(self):
        self.opener()
        self.view("--for", "0.2")
        self.process.communicate(timeout=LIMIT)
        self.assertFalse(os.path.exists(self.path("told")))

    def test_a_browser_that_stays(self):
        """It is no part of the run: the run does not wait for it, and does not take it along."""
        self.opener("exec /bin/sleep 600")
        self.view("--open")
        pid = self.told()[2]
        self.addCleanup(os.kill, pid, signal.SIGKILL)
        self.assertNotEqual(os.getsid(pid), os.getsid(self.process.pid))
        self.assertEqual(self.stop(), 130)  # of Ctrl-C
        os.kill(pid, 0)

    def test_one_that_fails(self):
        self.opener("exit 3")
        self.view("--open")
        self.wait_for(self.process, "warning: --open: xdg-open found no browser that shows the page (it ended with 3)")
        self.assertEqual(self.get("/scene.json")[0], 200)
        self.assertEqual(self.stop(), 130)  # of Ctrl-C

    def test_none(self):
        self.view("--open")
        self.wait_for(self.process, "--open: there is no program xdg-open; install the package xdg-utils")
        self.assertEqual(self.get("/scene.json")[0], 200)
        self.assertEqual(self.stop(), 130)  # of Ctrl-C

    def test_no_display(self):
        self.opener()
        self.variables = {}
        self.view("--open")
        self.wait_for(self.process, "--open: there is no display here")
        self.assertEqual(self.stop(), 130)  # of Ctrl-C
        self.assertFalse(os.path.exists(self.path("told")))
        self.variables = {"DISPLAY": ":0"}
        self.view("--open")
        self.told()

    def test_wrong_use(self):
        self.opener()
        scene = self.write("scene.json", SCENE)
        self.check(self.orrery("run", scene, "--open"), 64, "--open is about the page of --view")
        self.check(self.orrery("run", scene, "--control", "--open", "--allow-users", "any"), 64, "--open puts the address")
        self.check(self.orrery("replay", "run.mcap", "--open"), 64, "--open is about the page of --view")
        self.assertFalse(os.path.exists(self.path("told")))


if __name__ == "__main__":
    tap.main()
