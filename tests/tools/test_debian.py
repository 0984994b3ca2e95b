# SPDX-License-Identifier: BSD-3-Clause
"""What `debian/` says fits the tree: each plugin has one package, and versions agree."""

import fnmatch
import glob
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))
import tap  # noqa: E402

SOURCE = os.environ.get("ORRERY_TEST_SRCDIR", os.path.join(HERE, "../.."))
BUILD = os.environ.get("ORRERY_TEST_BUILDDIR", os.path.join(SOURCE, "build"))


def read(path):
    with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
        return file.read()


def list_patterns():
    """What each package takes: {package: patterns of paths}."""
    found = {}
    for path in glob.glob(os.path.join(SOURCE, "debian/*.install")):
        found[os.path.basename(path)[:-len(".install")]] = read(path).split()
    return found


def takers(patterns, path):
    """The packages that take a file, by itself or with a directory above it. Here too `*` ends at a slash."""
    parents = [path]
    while "/" in parents[-1]:
        parents.append(os.path.dirname(parents[-1]))
    return sorted({package for package, each in patterns.items() for pattern in each for parent in parents
                   if parent.count("/") == pattern.count("/") and fnmatch.fnmatchcase(parent, pattern)})


class Debian(unittest.TestCase):
    def test_each_plugin_has_one_package(self):
        patterns = list_patterns()
        self.assertGreater(len(patterns), 9)
        top = os.path.join(BUILD, "lib")
        files = [os.path.relpath(os.path.join(where, name), top)
                 for where, _, names in os.walk(os.path.join(top, "orrery-1/plugins")) for name in names]
        self.assertGreater(len(files), 100)
        wrong = {path: takers(patterns, "usr/lib/ARCH/" + path) for path in files}
        self.assertEqual({path: found for path, found in wrong.items() if len(found) != 1}, {})

    def test_a_plugin_without_a_package_or_with_two(self):
        patterns = {"a": ["usr/lib/*/x", "usr/lib/*/y/ros_*"], "b": ["usr/lib/*/y/*.so"]}
        self.assertEqual(takers(patterns, "usr/lib/ARCH/x/deep/file.so"), ["a"])
        self.assertEqual(takers(patterns, "usr/lib/ARCH/z/file.so"), [])
        self.assertEqual(takers(patterns, "usr/lib/ARCH/y/ros_a.so"), ["a", "b"])

    def test_each_package_is_described(self):
        described = re.findall(r"^Package: (\S+)$", read("debian/control"), re.M)
        self.assertEqual(sorted(described), sorted(list_patterns()))

    def test_versions_agree(self):
        configured = re.search(r"^AC_INIT\(\[orrery\], \[([^]]+)\]", read("configure.ac"), re.M).group(1)
        found = {path: re.search(pattern, read(path), re.M).group(1) for path, pattern in (
            ("debian/changelog", r"\Aorrery \(([^)]+)\)"), ("NEWS", r"\A(.*)"), ("CITATION.cff", r"^version: (.*)"),
            ("pyproject.toml", r'^version = "(.*)"'), ("recipe/meta.yaml", r'^{% set version = "(.*)" %}'))}
        self.assertEqual(found, dict.fromkeys(found, configured))


if __name__ == "__main__":
    tap.main()
