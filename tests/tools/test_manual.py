# SPDX-License-Identifier: BSD-3-Clause
"""The manual is built without a warning, and read from its files: nothing comes from elsewhere."""

import filecmp
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
sys.path.insert(0, os.path.join(HERE, "../middleware"))
import tap  # noqa: E402
from browser import Browser, find_chromium  # noqa: E402

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(HERE, "../.."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))
PROGRAM = os.path.join(SOURCE, "docs/manual/build.py")
sys.path.insert(0, os.path.dirname(PROGRAM))
sys.dont_write_bytecode = True
import build as manual  # noqa: E402

# What a browser loads by itself: a link that somebody may follow is something else.
LOADED = re.compile(r"""<(?:script|img|iframe|source|video|audio)\b[^>]*?\bsrc="([^"]*)"|"""
                    r"""<link\b(?![^>]*rel="(?:canonical|license)")[^>]*?\bhref="([^"]*)"|"""
                    r"""@import\s+(?:url\()?["']?([^"')\s;]+)|\burl\(["']?([^"')]+)""")


def find_foreign(root):
    """What pages, style sheets and scripts of a site load from outside of it, or by a path that no file has."""
    faults = []
    for where, _, names in os.walk(root):
        for name in sorted(names):
            if not name.endswith((".html", ".css", ".js")):
                continue
            with open(os.path.join(where, name), encoding="utf-8") as file:
                text = file.read()
            # The examples on the pages are text.
            text = re.sub(r"<(pre|code)\b.*?</\1>", "", text, flags=re.S) if name.endswith(".html") else text
            for match in LOADED.finditer(text):
                target = next(one for one in match.groups() if one)
                path = os.path.normpath(os.path.join(where, re.split("[?#]", target)[0]))
                if not target.startswith(("data:", "#")) and (target.startswith("/") or not os.path.exists(path)):
                    faults.append("%s: %s" % (os.path.relpath(os.path.join(where, name), root), target))
    return faults


def build(source, output, build=BUILD):
    options = [] if build == BUILD and os.path.exists(os.path.join(BUILD, manual.GIR)) else ["--without-c"]
    return subprocess.run([sys.executable, PROGRAM, source, build, "1.2.3", output, *options], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)


class Manual(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        missing = manual.find_missing()
        if missing:
            raise unittest.SkipTest("no %s; `./bootstrap check` installs them" % ", ".join(missing))
        cls.place = tempfile.mkdtemp(prefix="orrery-manual-test-")
        cls.site = cls.place + "/site"
        cls.built = build(SOURCE, cls.site)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(getattr(cls, "place", ""), ignore_errors=True)

    def small(self, name, page, made="# Components\n"):
        """A tree with one page."""
        root = os.path.join(self.place, name)
        for folder in manual.FOLDERS + ("docs/manual",):
            os.makedirs(os.path.join(root, folder))
        shutil.copytree(os.path.join(SOURCE, "docs/manual"), os.path.join(root, "docs/manual"), dirs_exist_ok=True)
        beside = [page[:-len(".md")] for page in manual.PAGES]
        pages = {"docs/page.md": page, "docs/components.md": made, "docs/scene.md": "# Keys\n",
                 "docs/manual/index.md": "# Start\n\n```{toctree}\n%s\n```\n" % "\n".join(
                     ["docs/page", "docs/components", "docs/scene"] + beside)}
        pages.update((name + ".md", "# %s\n" % name) for name in beside)
        for path, text in pages.items():
            with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                file.write(text)
        return root

    def test_without_a_warning(self):
        self.assertEqual((self.built.returncode, self.built.stdout), (0, ""))
        for name in os.listdir(os.path.join(SOURCE, "docs")):
            if name.endswith(".md"):
                self.assertTrue(os.path.exists(os.path.join(self.site, "docs", name[:-3] + ".html")), name)

    def test_the_references(self):
        """What the build has made of the tables of the program is on the site; every class of the registry has a place."""
        self.assertEqual(self.built.returncode, 0, self.built.stdout)
        made = [name for name in os.listdir(os.path.join(BUILD, "docs")) if manual.manual_index.MADE.fullmatch(name)]
        self.assertGreater(len(made), 20)
        for name in made:
            self.assertTrue(os.path.exists(os.path.join(self.site, "docs", name[:-3] + ".html")), name)
        with open(os.path.join(self.site, "docs/components.html"), encoding="utf-8") as file:
            links = re.findall(r'href="(classes-[\w-]+\.html)#([\w-]+)"', file.read())
        self.assertGreater(len(links), 150)
        pages = {}
        for page, anchor in links:
            if page not in pages:
                with open(os.path.join(self.site, "docs", page), encoding="utf-8") as file:
                    pages[page] = set(re.findall(r'<section id="([^"]+)"', file.read()))
            self.assertIn(anchor, pages[page])

    def test_the_runs(self):
        """Its runs play in a browser, from their files."""
        if not manual.can_run(BUILD):
            self.skipTest("built without the page of the viewer")
        if not find_chromium():
            self.skipTest("no chromium")
        self.assertEqual(self.built.returncode, 0, self.built.stdout)
        with open(os.path.join(self.site, "index.html"), encoding="utf-8") as file:
            linked = set(re.findall(r'(?:src|href)="runs/(\w+)\.html', file.read()))
        self.assertEqual(linked, set(manual.RUNS))
        for name in sorted(linked):
            with Browser("file://%s/runs/%s.html" % (self.site, name)) as page:
                page.wait("orrery.ready && orrery.playback.state === 'playing' && orrery.playback.time > 0.3")
                self.assertEqual(page.console, [])

    def test_the_reference_of_c(self):
        if not os.path.exists(os.path.join(BUILD, manual.GIR)):
            self.skipTest("built without introspection")
        self.assertEqual(self.built.returncode, 0, self.built.stdout)
        with open(os.path.join(self.site, "index.html"), encoding="utf-8") as file:
            self.assertIn('href="c/index.html"', file.read())
        with open(os.path.join(self.site, "c/method.Object.get_parent.html"), encoding="utf-8") as file:
            self.assertIn("orrery_object_get_parent", file.read())

    def test_a_function_without_a_description(self):
        gir = os.path.join(self.place, "Orrery-1.gir")
        if not os.path.exists(os.path.join(BUILD, manual.GIR)):
            self.skipTest("built without introspection")
        with open(os.path.join(BUILD, manual.GIR), encoding="utf-8") as file:
            text = file.read()
        begin = text.index("<doc ", text.index('c:identifier="orrery_object_get_parent"'))
        with open(gir, "w", encoding="utf-8") as file:
            file.write(text[:begin] + text[text.index("</doc>", begin) + len("</doc>"):])
        with self.assertRaises(subprocess.CalledProcessError):
            manual.make_reference(SOURCE, gir, "1.2.3", self.place + "/none")
        self.assertFalse(os.path.exists(self.place + "/none"))

    def test_links_that_lead_nowhere(self):
        for name, link in (("page", "[it](gone.md)"), ("heading", "[it](scene.md#gone)"), ("picture", "![it](gone.png)")):
            root = self.small("no-" + name, "# Page\n\n%s\n" % link)
            done = build(root, root + "/site", root)
            self.assertNotEqual(done.returncode, 0, done.stdout)
            self.assertIn("gone", done.stdout)
            self.assertFalse(os.path.exists(root + "/site"))

    def test_a_page_that_nothing_leads_to(self):
        root = self.small("lost", "# Page\n")
        with open(root + "/docs/lost.md", "w", encoding="utf-8") as file:
            file.write("# Lost\n")
        done = build(root, root + "/site", root)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("lost.md", done.stdout)

    def test_the_same_bytes(self):
        root = self.small("twice", "# Page\n\n[keys](scene.md)\n")
        for name in "one", "two":
            self.assertEqual(build(root, os.path.join(root, name), root).returncode, 0)
        names = [os.path.relpath(os.path.join(where, name), root + "/one")
                 for where, _, files in os.walk(root + "/one") for name in files]
        self.assertIn("docs/page.html", names)
        self.assertEqual(filecmp.cmpfiles(root + "/one", root + "/two", names, shallow=False)[1:], ([], []))

    def test_nothing_from_elsewhere(self):
        self.assertEqual(find_foreign(self.site), [])

    def test_something_from_elsewhere(self):
        root = self.place + "/foreign"
        os.makedirs(root)
        for name, text in (("a.html", '<script src="https://x.org/a.js"></script><code>url(gone.png)</code>'),
                           ("b.css", "@import url(/b.css); p { background: url(data:,) }"),
                           ("c.html", '<link rel="stylesheet" href="gone.css"/><a href="https://x.org/">x</a>')):
            with open(os.path.join(root, name), "w", encoding="utf-8") as file:
                file.write(text)
        self.assertEqual(sorted(find_foreign(root)), ["a.html: https://x.org/a.js", "b.css: /b.css", "c.html: gone.css"])

    def need_pages(self):
        """For a browser to look at."""
        if not find_chromium():
            self.skipTest("no chromium; `./bootstrap check` installs it")
        self.assertEqual(self.built.returncode, 0, self.built.stdout)

    def test_in_a_browser(self):
        self.need_pages()
        with Browser("file://%s/index.html" % self.site, 1200, 800) as page:
            page.wait("document.readyState === 'complete' && document.title.includes('Orrery')")
            self.assertEqual(page.run("document.querySelector('h1').firstChild.textContent"), "Orrery")
            dark = [page.run("document.querySelector('.theme-toggle').click(); document.body.dataset.theme")
                    for _ in range(3)]
            self.assertEqual(set(dark), {"auto", "dark", "light"})
            page.open("file://%s/docs/physics.html" % self.site)
            page.wait("document.querySelector('.related-pages .next-page') !== null")
            page.open("file://%s/search.html?q=reset+seed" % self.site)
            page.wait("document.querySelectorAll('#search-hits li').length > 0")
            marks = page.run("[...document.querySelectorAll('#search-hits mark')].map((mark) => mark.textContent.toLowerCase())")
            self.assertEqual(set(marks), {"reset", "seed"})
            self.assertEqual(page.console, [])

    def test_the_search_of_the_program(self):
        """The site finds what `orrery help` finds, in the same order."""
        self.need_pages()
        with Browser("file://%s/search.html" % self.site) as page:
            page.wait("document.readyState === 'complete' && typeof manualSearch === 'object'")
            for words in ("gravity", "Reset seed", "ROS2 clock qos", "--sweep", "sleep", "quaternion <b>"):
                told = subprocess.run([os.path.join(BUILD, "orrery"), "help", "--search", "--", *words.split()],
                                      stdout=subprocess.PIPE, text=True, env=dict(os.environ, ORRERY_PLUGIN_PATH=""))
                places = re.findall(r"^  \S+/([\w-]+\.md(?:#\S*)?)$", told.stdout, re.M)
                found = page.run("manualSearch.find(%r).hits.map((hit) => hit.page + (hit.anchor && '#' + hit.anchor))"
                                 % words)
                self.assertTrue(places, (words, told.stdout))
                self.assertEqual(found[:len(places)], places, words)
                for address in page.run("manualSearch.find(%r).hits.map((hit) => hit.address)" % words):
                    path, _, anchor = address.partition("#")
                    with open(os.path.join(self.site, path), encoding="utf-8") as file:
                        self.assertIn('id="%s"' % anchor if anchor else "", file.read())

    def test_words_are_not_markup(self):
        self.need_pages()
        words = urllib.parse.quote('<img src=x onerror="window.hit = 1"> gravity')
        with Browser("file://%s/search.html?q=%s" % (self.site, words)) as page:
            page.wait("document.querySelectorAll('#search-hits li').length > 0")
            self.assertEqual(page.run("[document.querySelectorAll('article img').length, window.hit ?? 0]"), [0, 0])


if __name__ == "__main__":
    tap.main()
