#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How long it takes until the viewer's page shows the first picture of a scene, in a Chromium that runs already and draws by
the processor: medians, lines `name value unit`. Arguments: the width and height of the window, 640 and 360 without them."""

import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import threading

BUILD = os.path.abspath(os.environ.get("ORRERY_TEST_BUILDDIR", "."))
ROOT = pathlib.Path(__file__).resolve().parent.parent
ROUNDS = 15

sys.path.insert(0, str(ROOT / "tests/middleware"))
from browser import Browser, find_chromium  # noqa: E402

# Milliseconds since the navigation: when the page is made, when it begins to draw the first picture, and when that is drawn,
# which reading a pixel waits for.
NOTE = """
  const at = window.at = {};
  let page;
  Object.defineProperty(window, 'orrery', { get: () => page, set: (one) => {
    page = one;
    at.made = performance.now();
    const { world } = page;
    const draw = world.draw.bind(world);
    world.draw = () => {
      const before = performance.now();
      const drawn = draw();
      if (drawn && at.drawn === undefined) {
        const gl = world.renderer.getContext();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        Object.assign(at, { began: before, drawn: performance.now() });
      }
      return drawn;
    };
  } });
"""
FOUND = "({ ...at, script: performance.getEntriesByName(`${location.origin}/page.js`)[0].responseEnd })"


def start():
    """The depot example: the process, and the address of its page."""
    process = subprocess.Popen([os.path.join(BUILD, "orrery"), "run", str(ROOT / "examples/depot/default.py"), "--view",
                                "--view-port", "0"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               env=dict(os.environ, PYTHONPATH=str(ROOT / "examples/depot/src")))
    said = []
    for line in process.stderr:
        said.append(line)
        if found := re.search(r"viewer now at (http://\S+/)", line):
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, found.group(1)
    sys.exit("bench-page: the run ended: " + "".join(said))


def load(browser, address, number):
    browser.open("%s?n=%d" % (address, number))
    browser.wait("location.search === '?n=%d' && window.at?.drawn" % number)
    return browser.run(FOUND)


def main():
    if find_chromium() is None:
        print("# no chromium: nothing is measured")
        return
    width, height = (int(word) for word in sys.argv[1:3]) if len(sys.argv) > 2 else (640, 360)
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        process, address = start()
        try:
            with Browser(width=width, height=height) as browser:
                browser.call("Page.addScriptToEvaluateOnNewDocument", source="(() => {%s})();" % NOTE)
                # The first one starts the graphics, too.
                times = [load(browser, address, i) for i in range(ROUNDS + 1)][1:]
        finally:
            process.terminate()
            process.wait()
            os.chdir("/")
    for name, begin, end in (("browser", None, "script"), ("made", "script", "made"), ("scene", "made", "began"),
                             ("drawn", "began", "drawn"), ("first-picture", None, "drawn")):
        print("page.%s %.0f ms" % (name, statistics.median(one[end] - (one[begin] if begin else 0) for one in times)))


if __name__ == "__main__":
    main()
