# SPDX-License-Identifier: BSD-3-Clause
"""What the pages for developers name is there, and nothing refers to a page that a clone lacks."""

import os
import re
import shutil
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs"))
import house  # noqa: E402
import manual_index  # noqa: E402
import tap  # noqa: E402

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
PAGES = "docs/architecture.md", "CONTRIBUTING.md"
SUFFIXES = (".c", ".h", ".cpp", ".py", ".sh", ".mk", ".am", ".md", ".json", ".in")
# What tests write themselves; pages that are built are no part of a clone, either.
BUILT = "build/"


def named(text):
    """What a page names: each file, and each function with the file before it in the same paragraph or item, or None."""
    for block in re.split(r"\n\s*\n|\n(?=\d+\. |- |\| )", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)):
        file = None
        for name in re.findall(r"`([^`]+)`", block):
            name = " ".join(name.split())
            if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", name) and (name.endswith(SUFFIXES) or name.endswith("/")):
                file = name
                yield name, None
            elif re.fullmatch(r"\w+ \(\)", name):
                yield file, name[:-3]


def find(root, name):
    """A file as it is named in a page: from the root, or as headers are included."""
    for place in "", "host":
        path = os.path.join(root, place, name)
        if os.path.exists(path):
            return path
    return None


def defines(path, function):
    with open(path, encoding="utf-8") as file:
        return re.search(r"^(%s \(|DEFINE_\w+ \(.*\b%s\b|\s*def %s\()" % ((re.escape(function),) * 3), file.read(), re.M)


def check_page(tree, page):
    faults = []
    functions = "".join(tree.text(path) for path in tree.files((".h",), "host"))
    for file, function in named(tree.text(page)):
        path = find(tree.root, file) if file else None
        if file and ("NAME" in file or file.startswith(BUILT)):
            continue
        if file and not path and "/" in file:
            faults.append("%s: no %s" % (page, file))
        elif function and path and file.endswith((".c", ".cpp", ".py")) and not defines(path, function):
            faults.append("%s: %s has no %s ()" % (page, file, function))
        elif function and not (path and file.endswith((".c", ".cpp", ".py"))) and \
                not re.search(r"\b%s \(" % re.escape(function), functions):
            faults.append("%s: no %s ()" % (page, function))
    return faults


def check_references(tree):
    """Markdown pages that any file names, as a link or by their path."""
    pages = set(tree.files((".md",)))
    faults = []
    for path in tree.files(house.TEXT_SUFFIXES):
        if path.startswith("tests/tools/"):
            continue
        for number, line in enumerate(tree.lines(path), 1):
            for name in re.findall(r"(?<![\w$%%*{])((?:\.\./|[\w-]+/)*[\w-]+\.md)\b", line):
                beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
                if not manual_index.MADE.fullmatch(os.path.basename(name)) and not {beside, name, os.path.join("docs", name)} & pages:
                    faults.append("%s:%d: refers to %s, which is not there" % (path, number, name))
            if re.search(r"architecture's chapter|design/", line):
                faults.append("%s:%d: refers to a document outside of the tree: %s" % (path, number, line.strip()))
    return faults


class Pages(unittest.TestCase):
    def setUp(self):
        self.tree = house.Tree(SOURCE)

    def fixture(self, **files):
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        for path, text in files.items():
            path = os.path.join(root, path.replace("__", "/").replace("_dot_", "."))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return house.Tree(root)

    def test_what_pages_name(self):
        for page in PAGES:
            if os.path.exists(os.path.join(SOURCE, page)):
                self.assertEqual(check_page(self.tree, page), [])
        self.assertGreater(len(list(named(self.tree.text(PAGES[0])))), 100)

    def test_a_page_that_is_out_of_date(self):
        for words, fault in (("`host/base/gone.c`", "p.md: no host/base/gone.c"),
                             ("`host/x.c`, `orrery_b ()`", "p.md: host/x.c has no orrery_b ()"),
                             ("`orrery_c ()`", "p.md: no orrery_c ()")):
            tree = self.fixture(p_dot_md=words + "\n\n`host/x.c`, `orrery_a ()`\n", host__x_dot_c="void\norrery_a (void)\n")
            self.assertEqual(check_page(tree, "p.md"), [fault])
        tree = self.fixture(p_dot_md="`build/orrery.json`, `build/`, `host/gone/`\n")
        self.assertEqual(check_page(tree, "p.md"), ["p.md: no host/gone/"])

    def test_references(self):
        self.assertEqual(check_references(self.tree), [])

    def test_a_reference_to_nothing(self):
        tree = self.fixture(docs__a_dot_md="[b](b.md), [c](../c.md)\n", c_dot_md="docs/a.md\n")
        self.assertEqual(check_references(tree), ["docs/a.md:1: refers to b.md, which is not there"])
        tree = self.fixture(host__x_dot_c="/* as docs/x.md says */\n")
        self.assertEqual(check_references(tree), ["host/x.c:1: refers to docs/x.md, which is not there"])


if __name__ == "__main__":
    tap.main()
