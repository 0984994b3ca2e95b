# SPDX-License-Identifier: BSD-3-Clause
"""The page of the viewer stays small: all that it is told in eight hours at 60 Hz, by a clock that is fast."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, ".."), os.path.join(HERE, "../cli"), os.path.join(HERE, "../middleware")]

import tap  # noqa: E402
from browser import Browser  # noqa: E402
from test_viewer_page import BrowserCase, named  # noqa: E402

HOUR = 3600 * 60  # ticks
MIB = 1 << 20
GROWTH = 8 * MIB  # of 1.7 million poses and records; a number of each alone would be 14 MB

# Messages as the server sends them, to where the socket hands them over: poses, a record of the pose sensor in each tick,
# of the laser, contacts, a line of the log and a fault once a second. Every ten minutes the page draws.
FEED = """window.feed = async (first, last) => {
  const { connection, scene } = orrery;
  const n = scene.objects.length, robot = %s;
  const encoder = new TextEncoder();
  const frame = (topic, size) => {
    const view = new DataView(new ArrayBuffer(13 + size));
    view.setUint8(0, 1);
    view.setUint32(1, connection.wanted.get(topic), true);
    return view;
  };
  const tell = (topic, value, head) => {
    const text = encoder.encode(JSON.stringify(value));
    const view = frame(topic, head + text.length);
    if (head > 0)
      view.setUint32(13, text.length, true);
    new Uint8Array(view.buffer).set(text, 13 + head);
    connection.take(view.buffer);
  };
  for (let tick = first; tick < last; tick++) {
    const time = tick / 60, [x, y] = [5 * Math.cos(time / 3), 5 * Math.sin(time / 3)];
    const view = frame('/poses', 16 + 28 * n);
    view.setFloat64(13, time, true);
    view.setUint32(21, n, true);
    view.setUint32(25, tick, true);
    for (let i = 0; i < n; i++)
      [x, y, i, 0, 0, 0, 1].forEach((one, k) => view.setFloat32(29 + 28 * i + 4 * k, one, true));
    connection.take(view.buffer);
    orrery.layers.setPoses(orrery.poses.rows);
    tell('/robot/pose', { timestamp: time, x, y, z: 0, yaw: time %% 6, pitch: 0, roll: 0 }, 4);
    if (tick %% 60 === 0) {
      const points = Array.from({ length: 91 }, (_, i) => [Math.sin(i + time), i / 10, 0]);
      tell('/robot/laser', { timestamp: time, point_list: points, range_list: points.map((one) => one[1]) }, 4);
      const contacts = frame('/contacts', 4 * 28);
      contacts.setFloat32(13, x, true);
      connection.take(contacts.buffer);
      tell('/orrery/log', { level: 2 + time %% 3, name: 'robot.pose', message: `at ${time} s there is ${x}`, tick }, 0);
      tell('/orrery/faults', { kind: 'step', part: `robot.${time %% 3000}`, where: '', message: 'no', count: 1, tick }, 0);
    }
    if (tick %% 36000 === 0)
      await new Promise(requestAnimationFrame);
  }
  await new Promise(requestAnimationFrame);
}"""

# What the page holds that grows with what it is told, unless it is limited.
HELD = """({
  plot: orrery.details.plots.get('x').times.length, path: orrery.layers.paths[0].path.n,
  log: orrery.log.entries.length, rows: document.querySelectorAll('#log .line').length, faults: orrery.log.faults.size,
  fresh: orrery.log.fresh.length, geometries: orrery.world.renderer.info.memory.geometries,
  textures: orrery.world.renderer.info.memory.textures, programs: orrery.world.renderer.info.programs.length })"""
LIMITS = {"plot": 4800, "path": 4000, "log": 1000, "rows": 1000, "faults": 1000, "fresh": 1000,
          "geometries": 100, "textures": 20, "programs": 40}


class EightHours(BrowserCase):
    def begin(self, port):
        # It has ended, and says nothing more.
        self.process = self.start("run", self.write("scene.json", self.SCENE), "--for", "0.1", "--fast", "--view",
                                  "--view-port", port, "--stay")
        self.url = re.search(r"http://\S+/", self.wait_for(self.process, "viewer now at ")).group(0)
        self.wait_for(self.process, "its page stays")

    def open(self):
        page = Browser(self.url + "#object=robot.pose&show=sensors,paths,contacts,frames&plot=x,yaw")
        self.addCleanup(page.close)
        page.wait("orrery.ready && orrery.details.plots.size === 2 && orrery.connection.wanted.has('/contacts')")
        page.run(FEED % named("robot"))
        page.press("l")
        page.wait("!orrery.log.panel.hidden")
        return page

    def memory(self, page):
        """Bytes of what is reachable, in the heap and in arrays, and the nodes of the document."""
        page.call("HeapProfiler.collectGarbage")
        usage = page.call("Runtime.getHeapUsage")
        nodes = page.call("Memory.getDOMCounters")["nodes"]
        return usage["usedSize"] + usage.get("backingStorageSize", 0), nodes

    def feed(self, page, first, last):
        """In parts, since an answer is waited for."""
        for tick in range(first, last, HOUR // 4):
            page.run("feed(%d, %d)" % (tick, min(tick + HOUR // 4, last)))

    def test_memory(self):
        page = self.open()
        self.feed(page, 0, HOUR // 2)
        bytes_, nodes = self.memory(page)
        self.feed(page, HOUR // 2, 8 * HOUR)
        more, more_nodes = self.memory(page)
        held = page.run(HELD)
        self.assertEqual({name: n for name, n in held.items() if n > LIMITS[name]}, {})
        # They were full, so that their limits were met.
        self.assertGreater(min(held["plot"] / 2400, held["path"] / 2000, held["log"] / 1000, held["rows"] / 1000), 0.99, held)
        self.assertEqual(page.run("[orrery.shown.ticks, orrery.details.plots.get('x').times.at(-1)]"),
                         [8 * HOUR - 1, (8 * HOUR - 1) / 60])
        self.assertLess(more - bytes_, GROWTH, held)
        self.assertLess(bytes_, 64 * MIB)
        self.assertLess(more_nodes - nodes, 1000)
        self.assertEqual(page.console, [])
        print("# %.1f MiB at the start, %.1f MiB after 8 h, %d and %d nodes, %s" %
              (bytes_ / MIB, more / MIB, nodes, more_nodes, held))

    def test_one_that_keeps_all_is_found(self):
        page = self.open()
        self.feed(page, 0, HOUR // 12)
        bytes_, _ = self.memory(page)
        page.run("window.kept = [], orrery.connection.addEventListener('record', (one) => kept.push(one.detail)), 0")
        self.feed(page, HOUR // 12, HOUR)
        self.assertGreater(self.memory(page)[0] - bytes_, GROWTH)


if __name__ == "__main__":
    tap.main()
