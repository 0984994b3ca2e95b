# SPDX-License-Identifier: BSD-3-Clause
"""The course, typed in: every file and command of its lessons, and what they print and draw, is as the pages say."""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../cli"))
from support import BUILD, PYTHON, SOURCE, need  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(SOURCE, "docs"))
import course  # noqa: E402

sys.path.insert(0, os.path.join(HERE, "../middleware"))
from test_dds_node import why_not  # noqa: E402

ISOLATE = os.path.join(BUILD, "tests/isolate")
NEEDS = "import gi, matplotlib, numpy"
DRAWS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/renderers/mujoco.so")
#: The room that a lesson of 500 to 900 words has, files and commands aside.
WORDS = range(300, 1000)
LIMIT = 100000  # bytes of a picture
# Mean of the differences of all colours, of 255: fonts and drivers differ, what is drawn does not.
ALIKE = 4


def missing():
    """Why the lessons cannot be typed in here, or None."""
    if subprocess.run([PYTHON, "-c", NEEDS], capture_output=True).returncode != 0:
        return "no PyGObject, NumPy or Matplotlib"
    if not os.path.exists(DRAWS) or not os.path.exists(os.path.join(BUILD, "lib/girepository-1.0/Orrery-1.typelib")):
        return "built without MuJoCo, or no typelib"
    return why_not("dds-peer")


def read_picture(path):
    import matplotlib.image
    return matplotlib.image.imread(path)[:, :, :3] * 255


def links(text):
    return re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]*))?\)", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))


def anchors(text):
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)$", text, re.M)}


class Typed(unittest.TestCase):
    """All lessons at once, two at a time, each on a network of its own; then a test for each."""

    @classmethod
    def setUpClass(cls):
        reason = missing()
        if reason and os.environ.get("CI") != "true" or sanitized.preloaded():
            raise unittest.SkipTest(reason or "sanitizers make programs of others slow and loud")
        if reason:
            raise AssertionError(reason)
        cls.place = tempfile.mkdtemp(prefix="orrery-course-")
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        isolates = os.path.exists(ISOLATE) and subprocess.run([ISOLATE]).returncode == 0
        with concurrent.futures.ThreadPoolExecutor(2 if isolates else 1) as pool:
            names = course.list_lessons()
            cls.results = dict(zip(names, pool.map(lambda name: cls.type_in(name, [ISOLATE] if isolates else []), names)))

    @classmethod
    def type_in(cls, name, prefix):
        order = course.list_lessons()
        place = os.path.join(cls.place, name)
        environment = course.prepare(place, BUILD, [course.load(other) for other in order[:order.index(name)]])
        programs = os.path.join(environment["HOME"], "programs")
        os.mkdir(programs)
        with open(os.path.join(programs, "ros2"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nORRERY_TEST_BUILDDIR='%s' exec '%s' '%s/ros2_command.py' \"$@\"\n" %
                       (BUILD, PYTHON, os.path.join(HERE, "../middleware")))
        os.chmod(os.path.join(programs, "ros2"), 0o755)
        return course.type_in(course.load(name), place, environment, prefix)

    def look(self, name):
        self.assertEqual("\n".join(course.check(self.results[name])), "")
        for picture in course.load(name).pictures:
            drawn = read_picture(os.path.join(self.place, name, picture))
            kept = read_picture(os.path.join(SOURCE, "docs/course", picture))
            self.assertEqual(drawn.shape, kept.shape, picture)
            self.assertLess(abs(drawn - kept).mean(), ALIKE, picture)


def add_tests():
    for name in course.list_lessons():
        setattr(Typed, "test_" + name.replace("-", "_"), lambda self, name=name: self.look(name))


add_tests()


class Pages(unittest.TestCase):
    def test_the_start_page(self):
        """It leads to all lessons, and each to the next one."""
        order = course.list_lessons()
        files = sorted(name[:-3] for name in os.listdir(os.path.join(SOURCE, "docs"))
                       if name.startswith("course-") and name.endswith(".md"))
        self.assertEqual(sorted(order), files)
        for name, following in zip(order, order[1:]):
            head = course.read(name + ".md").split("\n## ")[0]
            self.assertRegex(head, r"next:\s\[")
            self.assertIn("(%s.md)" % following, head)
            self.assertIn("(%s.md)" % name, course.read(following + ".md").split("\n## ")[0])

    def test_lessons(self):
        """Each says what it brings, warns of a mistake, shows something and goes on."""
        for name in course.list_lessons():
            text = course.read(name + ".md")
            prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
            self.assertIn("At the end of this lesson", prose, name)
            self.assertIn("\n## Try next\n\n1. ", prose, name)
            self.assertRegex(text, r"\$ echo \$\?\n|\.GError: ", name)
            self.assertIn(len(prose.split()), WORDS, name)

    def test_pictures(self):
        """Each lesson's own, drawn by it, small, and no other in the folder."""
        shown = [picture for name in course.list_lessons() for picture in course.load(name).pictures]
        self.assertEqual(sorted(shown), sorted(os.listdir(os.path.join(SOURCE, "docs/course"))))
        for picture in shown:
            self.assertLess(os.path.getsize(os.path.join(SOURCE, "docs/course", picture)), LIMIT, picture)

    def test_links(self):
        """They lead to pages, and to headings, that are there."""
        for name in [course.START[:-3]] + course.list_lessons():
            for target, anchor in links(course.read(name + ".md")):
                paths = [os.path.join(tree, "docs", target) for tree in (SOURCE, BUILD)]
                path = next(filter(os.path.exists, paths), None)
                self.assertTrue(path, "%s.md: no %s" % (name, target))
                if anchor:
                    with open(path, encoding="utf-8") as file:
                        self.assertIn(anchor, anchors(file.read()), "%s.md: %s" % (name, target))


class Typing(unittest.TestCase):
    """What types it in finds what is wrong."""

    def type_in(self, text):
        with tempfile.TemporaryDirectory() as place:
            return course.check(course.type_in(course.Lesson("page", text), place, course.prepare(place, BUILD)))

    def test_what_is_as_it_says(self):
        self.assertEqual(self.type_in("```python\n# a/b.py\nprint(3)\n```\n\n```console\n$ cat a/b.py\n# a/b.py\nprint(3)\n"
                                      "$ false\n$ echo $?\n1\n$ echo one \\\n> two\none two\n```\n"), [])
        self.assertEqual(self.type_in("```console\n$ seq 9\n1\n...\n9\n$ echo 3.14 s\n3... s\n$ seq 0\n```\n"), [])

    def test_what_is_not(self):
        for block, words in (("$ echo 1\n2", "where the page has"), ("$ echo 1", "where the page has"),
                             ("$ seq 9\n1\n...\n8", "where the page has"), ("$ true\n...x", "where the page has"),
                             ("$ false", "fails with 1"), ("$ exit 3\n$ true", "does not end"),
                             ("$ echo 1 >&2", "prints\n1"), ("$ echo a.b\na...c", "where the page has")):
            faults = self.type_in("```console\n%s\n```\n" % block)
            self.assertEqual(len(faults), 1, block)
            self.assertIn(words, faults[0])

    def test_what_nothing_types_in(self):
        for text in ("```sh\ntrue\n```\n", "```python\nprint()\n```\n", "```\nhello\n```\n", "```console\nhello\n$ true\n```\n"):
            with self.assertRaises(ValueError):
                course.Lesson("page", text)


if __name__ == "__main__":
    tap.main()
