# SPDX-License-Identifier: BSD-3-Clause
"""report.html of `orrery batch`: what it tells, that it needs nothing from elsewhere, that nothing in it is markup of others."""

import html.parser
import json
import os
import re
import shlex
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from support import BUILD, PROGRAM, SCENE, ProgramCase  # noqa: E402

import tap  # noqa: E402

PLUGINS = os.path.join(BUILD, "tests/plugins/tree")
VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    """Its elements, its texts, and whether each element is closed where it has to be."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.open, self.attributes = [], [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        if self.open.pop() != tag:
            raise ValueError("</%s> closes another element" % tag)

    def handle_data(self, data):
        self.texts.append(data)

    @property
    def text(self):
        return " ".join(self.texts)


class Report(ProgramCase):
    def batch(self, *arguments, code=0, scene=SCENE, ticks="10"):
        self.write("scene.json", scene)
        done = self.orrery("batch", "scene.json", "--out", "out", "--ticks", ticks, *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        with open(self.path("out/report.html"), encoding="utf-8") as file:
            self.source = file.read()
        page = Page(self.source)
        self.assertEqual(page.open, [])
        self.assertNotIn("script", page.tags)
        self.assertEqual([value for name, value in page.attributes if name in ("src", "href", "onload", "onclick")], [])
        self.assertNotRegex(self.source, r"https?:|url\(|@import")
        return page

    def test_metrics(self):
        """A histogram, and a plot over each number that varies."""
        page = self.batch("--sweep", "robot.position=[[1,0,0],[2,0,0]]", "--sweep", "robot.pose.frequency=range(10,60,10)",
                          "--metric", "x=robot.pose.x", "--metric", "none=0 / 0", "--runs", "2")
        self.assertEqual(page.tags.count("svg"), 2)
        self.assertEqual(page.tags.count("circle"), 20)
        labels = [value for name, value in page.attributes if name == "aria-label"]
        self.assertEqual(labels, ["Histogram of x", "Points of x over robot.pose.frequency"])
        row = re.search(r"<tr><td>x</td>(.*?)</tr>", self.source).group(1)
        self.assertEqual(re.findall(r">([^<]+)</td>", row), ["20", "1.5", "0.51299", "1", "1.5", "2", "2"])
        self.assertIn("None.", page.text)
        self.assertIn("[2, 0, 0]", page.text)

    def test_values_that_are_alike_or_far_apart(self):
        page = self.batch("--sweep", "robot.pose.frequency=[1e-6,1e6]", "--metric", "same=7", "--metric", "big=1e308 * time",
                          "--metric", "both=(robot.pose.x - 1) * 1e308", "--runs", "3")
        numbers = [float(value) for name, value in page.attributes if name in ("cx", "cy", "x", "y", "width", "height", "y1")]
        self.assertTrue(all(-1 <= number <= 1321 for number in numbers))
        self.assertEqual(len(numbers), len([n for n in numbers if n == n]))
        self.assertLess(page.tags.count("line"), 200)

    def test_failures_by_cause(self):
        scene = json.dumps({"orrery": 1, "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "pose", "classpath": "orrery.sensors.pose.Pose"},
            {"name": "bad", "classpath": "probe.faults.Faulty", "properties": {"how": "", "where": "sense", "at": 5}}]}]})
        page = self.batch("--sweep", 'robot.bad.how=["exit","nothing","abort"]', "--sweep", "robot.bad.at=[3,4,5]",
                          "--draw", "robot.pose.frequency=choice([60,30])", "--plugin-dir", PLUGINS, code=1, scene=scene)
        rows = re.findall(r'<tr><td class="n">3</td>(.*?)</tr>\s*<tr class="command">(.*?)</tr>', self.source, re.S)
        self.assertEqual([re.findall(r"<td>([^<]*)</td>", cells)[:4] for cells, _ in rows],
                         [["exit 70", "probe.faults.Faulty", "robot.bad", "sense"],
                          ["signal 6", "probe.faults.Faulty", "robot.bad", "sense"]])
        self.assertEqual(re.findall(r"<td>([^<]*)</td>", rows[1][0])[-1], "6, 7, 8")
        # the command fails as the run did
        command = shlex.split(html.unescape(re.search(r"<code>(.*?)</code>", rows[0][1]).group(1)))
        self.assertEqual(command[0], "orrery")
        done = subprocess.run([PROGRAM, *command[1:]], cwd=self.directory, capture_output=True, text=True,
                              env=self.environment(), timeout=60)
        self.assertEqual(done.returncode, 70, done.stderr)
        self.assertIn("tick 3", done.stderr)
        self.assertNotIn("None.", page.text)

    def strict_groups(self, reasons, more=(), name="bad"):
        """Of runs with --strict whose steps fail with these words: how many runs, and the cells of each group."""
        scene = json.dumps({"orrery": 1, "objects": [{"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "objects": [
            {"name": "bad1", "classpath": "probe.faults.Faulty", "properties": {"how": "", "at": 3}},
            {"name": "bad2", "classpath": "probe.faults.Faulty", "properties": {"how": "", "at": 5}}]}]})
        self.batch("--sweep", "robot.%s.how=%s" % (name, json.dumps(["error: " + reason for reason in reasons])), *more,
                   "--strict", "--plugin-dir", PLUGINS, code=1, scene=scene)
        rows = re.findall(r'<tr><td class="n">(\d+)</td><td>exit 70</td>(.*?)</tr>', self.source, re.S)
        return [(int(n), re.findall(r"<td>([^<]*)</td>", cells)) for n, cells in rows]

    def test_failures_of_strict_by_component_and_message(self):
        """Two failures of one component are two causes; the same with other numbers is one."""
        groups = self.strict_groups(["beam 1 is dark", "beam 23 is dark", "out by -1.5e-3 m", "out by 20 m", "at 0x7f",
                                     "at 0xc3a"], name="bad1")
        self.assertEqual([(n, cells[:3]) for n, cells in groups], 3 * [(2, ["probe.faults.Faulty", "robot.bad1", "sense"])])
        self.assertEqual([re.search("tick 3: (.*); failed steps in all: 7", cells[3]).group(1) for _, cells in groups],
                         ["beam 1 is dark", "out by -1.5e-3 m", "at 0x7f"])
        self.assertEqual([cells[4] for _, cells in groups], ["0, 1", "2, 3", "4, 5"])

    def test_failures_of_strict_from_other_ticks_on(self):
        """One cause, however many steps have failed; a number in the name of a component is none of a message."""
        groups = self.strict_groups(["dark"], ("--sweep", "robot.bad1.at=[2,8,9]"), name="bad1")
        self.assertEqual([(n, cells[1], cells[4]) for n, cells in groups], [(3, "robot.bad1", "0, 1, 2")])
        other = os.path.join(self.directory, "out")
        os.rename(other, other + "-before")
        groups = self.strict_groups(["dark"], ("--sweep", 'robot.bad2.how=["","error: dark"]', "--sweep",
                                               "robot.bad1.at=[2,8]"), name="bad1")
        # The one of bad2 is the first to fail where bad1 fails from tick 8 on.
        self.assertEqual([(n, cells[1], cells[4]) for n, cells in groups],
                         [(3, "robot.bad1", "0, 1, 2"), (1, "robot.bad2", "3")])

    def test_a_long_message_is_cut(self):
        """Between two characters; what is behind the cut counts."""
        groups = self.strict_groups([200 * "\u00e4" + end for end in ("", "1", "22", "x")], name="bad1")
        self.assertEqual([n for n, _ in groups], [2, 1, 1])
        for _, cells in groups:
            self.assertRegex(cells[3], "tick 3: \u00e4+$")
            self.assertTrue(295 < len(cells[3].encode()) <= 300)

    def test_limits_are_causes(self):
        self.batch("--runs", "2", "--time-limit", "0.2", code=1, ticks="4000000000")
        self.assertIn("<td>time limit</td>", self.source)

    def test_markup_of_others_is_text(self):
        evil = '</td><script>alert(1)</script><img src=x onerror=alert(2)>&amp;"\''
        page = self.batch("--sweep", "robot.pose.classpath=%s" % json.dumps(["morse.sensors.pose.Pose", evil,
                                                                            "morse.sensors.pose.Pose"]), code=1)
        self.assertNotIn("img", page.tags)
        self.assertIn("alert(1)", page.text)
        self.assertNotIn("<script", self.source)

    def test_it_depends_on_the_results_alone(self):
        self.batch("--runs", "12", "-j", "1", "--metric", "x=robot.pose.x")
        before = self.source
        self.batch("--runs", "12", "--metric", "x=robot.pose.x")
        self.assertEqual(self.source, before)


tap.main()
