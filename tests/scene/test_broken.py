# SPDX-License-Identifier: BSD-3-Clause
"""Configs that break one rule each: what `orrery check` says, where, and how it ends.

A file of broken/ begins with the rule that it breaks and the exit code, then tells the lines that are
expected, then holds the files of a config (`--- NAME`, of which component_config.py gets the usual scene).
`plugin NAME` puts a fixture under acme; @DIR@ is
their directory, @PATH@ the search path, ... any text. `NAME escaped` holds Python's escapes.
"""

import glob
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, ".."), os.path.join(HERE, "../cli")]

import messages
import support
import tap

CASES = sorted(glob.glob(os.path.join(HERE, "broken", "*.txt")))

USUAL_SCENE = """{
  "orrery": 1,
  "objects": [
    { "name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
      { "name": "pose", "classpath": "morse.sensors.pose.Pose" },
      { "name": "waypoint", "classpath": "morse.actuators.waypoint.Waypoint" }
    ] }
  ],
  "component_config": "component_config.py"
}
"""


class Case:
    def __init__(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            head, *parts = re.split(r"^--- ", file.read(), flags=re.M)
        self.name = os.path.basename(path)[: -len(".txt")]
        first = re.fullmatch(r"rule: (.+); exit (\d+)", head.splitlines()[0])
        self.rule, self.code = first[1], int(first[2])
        self.told = [line[len("told: ") :] for line in head.splitlines()[1:] if line.startswith("told: ")]
        self.plugins = re.findall(r"^plugin (\w+)$", head, re.M)
        self.files = {}
        for part in parts:
            title, text = part.split("\n", 1)
            name, _, escaped = title.partition(" ")
            data = text.rstrip("\n").encode() if escaped else text.encode()
            self.files[name] = data.decode("unicode_escape").encode("latin-1") if escaped else data
        if "component_config.py" in self.files:
            self.files.setdefault("scene.json", USUAL_SCENE.encode())
        if "\nwithout scene.json\n" in head:
            del self.files["scene.json"]


def as_pattern(told):
    return re.compile(".*".join(re.escape(piece) for piece in told.split("...")))


class CaseRunner(support.ProgramCase):
    def run_case(self, case, code=None):
        for name, data in case.files.items():
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "wb") as file:
                file.write(data)
        for plugin in case.plugins:
            os.makedirs(self.path("plugins/acme"))
            os.symlink(
                os.path.realpath(os.path.join(support.BUILD, "tests/registry/plugins", plugin + ".so")),
                self.path("plugins/acme/%s.so" % plugin),
            )
        plugins = ["--plugin-dir", self.path("plugins")] if os.path.isdir(self.path("plugins")) else []
        done = self.orrery("check", *plugins, self.directory, timeout=60)
        self.assertEqual(done.returncode, case.code if code is None else code, done.stderr)
        said = done.stderr.replace(self.directory, "@DIR@")
        return [
            re.sub(r" in (@DIR@/plugins:)?@DIR@/data/orrery/plugins:[^;\n ]*", " in @PATH@", line)
            for line in re.sub("^orrery: ", "", said).splitlines()
        ]


class BrokenConfigs(CaseRunner):
    def check_case(self, path):
        case = Case(path)
        said = self.run_case(case)
        self.assertEqual(len(said), len(case.told), "\n".join(said))
        for line, told in zip(said, case.told):
            self.assertRegex(line, re.compile(r"\A%s\Z" % as_pattern(told).pattern))


def add_cases():
    for path in CASES:
        name = "test_" + os.path.basename(path)[: -len(".txt")].replace("-", "_")
        setattr(BrokenConfigs, name, lambda self, path=path: self.check_case(path))


class Messages(unittest.TestCase):
    maxDiff = None
    root = os.path.join(HERE, "../..")

    def test_sixty_rules(self):
        rules = [Case(path).rule for path in CASES if Case(path).code != 0]
        self.assertGreaterEqual(len(set(rules)), 60)
        self.assertEqual(len(set(rules)), len(rules), sorted(rules))

    def test_a_remedy_and_a_place(self):
        """Each says where: a file, or a place in one; and has words enough to say what."""
        for path in CASES:
            for told in Case(path).told:
                with self.subTest(told):
                    self.assertRegex(told, r"^(@DIR@/[\w./]+(:\d+:\d+)?: .{12,}|\.\.\. and \d+ more)$")

    def test_every_message_is_expected_somewhere(self):
        told = [line for path in CASES for line in Case(path).told]
        told += messages.expected_in_sources(self.root)
        words = messages.expected_as_words(self.root)
        never = [
            "%s: %s" % (file, message)
            for file, message in messages.of_loaders(self.root)
            if not any(messages.pattern(message).search(line) for line in told)
            and not any(messages.has_words(message, text) for text in words)
        ]
        self.assertEqual(never, [])

    def test_a_message_that_nobody_expects_is_found(self):
        """The negative control."""
        source = 'static void f (void) { g_set_error (e, D, C, "%s is bla" /* x */ "ck, not %" G_GINT64_FORMAT, a, b); }'
        found = messages.of_source(source)
        self.assertEqual(found, ["%s is black, not %d"])
        self.assertTrue(messages.pattern(found[0]).search("the cat is black, not 9"))
        self.assertFalse(messages.pattern(found[0]).search("the cat is white"))
        self.assertTrue(messages.has_words(found[0], "the cat black 9"))
        self.assertFalse(messages.has_words(found[0], "the cat white 9"))
        self.assertGreater(len(list(messages.of_loaders(self.root))), 200)


class Controls(CaseRunner):
    def test_a_wrong_expectation_fails(self):
        case = Case(os.path.join(HERE, "broken", "object-position.txt"))
        said = self.run_case(case)
        self.assertIsNone(re.fullmatch(as_pattern(case.told[0].replace(":4:", ":5:")), said[0]))


if __name__ == "__main__":
    add_cases()
    tap.main()
