# SPDX-License-Identifier: BSD-3-Clause
"""Every property of a table is read while the simulation runs, or says that it is not: by its sources."""

import glob
import os
import re
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "../..")
sys.path.insert(0, os.path.join(HERE, ".."))

import tap  # noqa: E402

ENTRY = re.compile(r"\bORRERY_PROPERTY_(?:DOUBLE|INT|UINT|INT64|BOOLEAN|ENUM|STRING|VARIANT) *\(")
FUNCTION = re.compile(r"^([a-z]\w+) \([^;{}]*\)\n\{\n.*?^\}", re.M | re.S)
MACRO = re.compile(r"^#define (\w+)\(([\w, .]*)\) (.*ORRERY_PROPERTY_.*)$", re.M)
# What runs once, before the first tick; `init` of a class has no properties yet.
AT_START = re.compile(r"->(?:setup|start|build|init_script) = (\w+);")
NO_ROOT = re.compile(r"_class_init$|_init$|_finalize$|_dispose$|^set_up_class$")


def close(text, at):
    """The index of the parenthesis that closes the one at `at`."""
    depth, quoted = 0, False
    for i in range(at, len(text)):
        if text[i] == '"' and text[i - 1] != "\\":
            quoted = not quoted
        elif not quoted and text[i] in "()":
            depth += 1 if text[i] == "(" else -1
            if depth == 0:
                return i
    raise ValueError("never closed: " + text[at : at + 60])


def split(text):
    """The arguments between parentheses."""
    parts, depth, quoted, begin = [], 0, False, 0
    for i, c in enumerate(text):
        if c == '"' and text[i - 1] != "\\":
            quoted = not quoted
        elif not quoted and c in "([{":
            depth += 1
        elif not quoted and c in ")]}":
            depth -= 1
        elif not quoted and depth == 0 and c == ",":
            parts.append(text[begin:i].strip())
            begin = i + 1
    return parts + [text[begin:].strip()]


def plain(text):
    """Without comments, and with macros on one line."""
    return re.sub(r"\\\n\s*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def calls(text, name):
    for found in re.finditer(r"\b%s *\(" % name, text):
        if text[text.rfind("\n", 0, found.start()) + 1] != "#":
            yield split(text[found.end() : close(text, found.end() - 1)])


def expand(text, macros):
    """The text behind which the entries stand that its macros of properties make."""
    more = []
    for name, parameters, body in macros:
        names = [p.strip() for p in parameters.split(",")]
        for given in calls(text, name):
            values = dict(zip(names, given))
            if names[-1] == "...":
                values["__VA_ARGS__"] = ", ".join(given[len(names) - 1 :])
            more.append(re.sub(r"\b\w+\b", lambda word: values.get(word[0], word[0]), body))
    return MACRO.sub("", text) + "\n" + "\n".join(more)


def entries(text):
    """Struct, member, nick and the whole of each entry."""
    for found in ENTRY.finditer(text):
        whole = text[found.start() : close(text, found.end() - 1)]
        yield split(whole[whole.index("(") + 1 :])[:3] + [whole]


class Sources:
    """The functions of some files, and who calls whom."""

    def __init__(self, files):
        self.bodies = {}
        for path, text in files.items():
            for found in FUNCTION.finditer(text):
                self.bodies[path, found[1]] = found[0]
        by_name = {}
        for key in self.bodies:
            by_name.setdefault(key[1], []).append(key)
        self.calls = {key: set() for key in self.bodies}
        for key, body in self.bodies.items():
            for word in set(re.findall(r"\w+", body)) & by_name.keys():
                if not NO_ROOT.search(key[1]):
                    same = [other for other in by_name[word] if other[0] == key[0]]
                    self.calls[key] |= set(same or by_name[word]) - {key}
        starts = {name for text in files.values() for name in AT_START.findall(text)}
        called = set().union(*self.calls.values())
        # Nobody calls them by name: tables of functions and services have them.
        roots = [k for k in self.bodies if k not in called and k[1] not in starts and not NO_ROOT.search(k[1])]
        self.running = self.reach(roots)

    def reach(self, todo):
        seen = set()
        while todo:
            key = todo.pop()
            if key not in seen:
                seen.add(key)
                todo += self.calls[key]
        return seen

    def reads(self, struct, member):
        """Whether a function that runs in ticks or services reads it."""
        name = re.match(r"\w+", member)[0]
        use = re.compile(r"(\w+|\)|\])(?:->|\.)%s\b(?!\s*=[^=])" % name)
        for key in self.running:
            for found in use.finditer(self.bodies[key]) if name in self.bodies[key] else ():
                # Of another struct, as far as a declaration tells.
                kind = found[1].isidentifier() and re.search(
                    r"\b(\w+) \*?\b%s(?: =|;|,|\))" % found[1], self.bodies[key]
                )
                if not kind or kind[1] == "return" or kind[1].startswith(struct):
                    return True
        return False


def silent(files):
    """Properties that change nothing while the simulation runs, and do not say so."""
    macros = [found.groups() for text in files.values() for found in MACRO.finditer(text)]
    texts = {path: expand(text, macros) for path, text in files.items()}
    found, n, known = [], 0, {}
    for path, text in sorted(texts.items()):
        for struct, member, nick, whole in entries(text):
            n += 1
            if ".flags" in whole or ".changed" in whole:
                continue
            near = {p: t for p, t in texts.items() if p == path or re.search(r"\b%s\b" % struct, t)}
            if tuple(near) not in known:
                known[tuple(near)] = Sources(near)
            if not known[tuple(near)].reads(struct, member):
                found.append("%s: %s" % (path, nick))
    return found, n


def read_tree():
    files = {}
    for folder in "plugins", "modifiers", "middleware", "examples", "host/roles":
        for path in glob.glob(os.path.join(ROOT, folder, "**/*.[ch]"), recursive=True):
            name = os.path.relpath(path, ROOT)
            if name != "host/part/orrery-property.h":
                with open(path, encoding="utf-8") as file:
                    files[name] = plain(file.read())
    return files


EYE = """
struct _Eye {
  double reach;
};
#define NUMBER(member, nick, ...) ORRERY_PROPERTY_DOUBLE (Eye, member, nick, 0, 1, 1, __VA_ARGS__)
static const OrreryProperty properties[] = {
  NUMBER (reach, "Reach", "m"%s),
};
static void
look (Eye *self)
{
  %s
}
static void
eye_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  %s
}
static void
eye_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  %s
}
static void
eye_class_init (EyeClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = eye_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = eye_sense;
}
"""
USE = "use (self->reach);"


class Options(unittest.TestCase):
    maxDiff = None

    def test_of_the_tree(self):
        found, n = silent(read_tree())
        self.assertEqual(found, [])
        self.assertGreater(n, 150)

    def check(self, expected, flags, look, setup, sense):
        found, n = silent({"eye.c": plain(EYE % (flags, look, setup, sense))})
        self.assertEqual((found, n), (['eye.c: "Reach"'] * expected, 1))

    def test_what_is_read(self):
        self.check(0, "", "", "", USE)
        self.check(0, "", USE, "look (self);", "look (self);")

    def test_what_is_not(self):
        """The control."""
        self.check(1, "", "", USE, "")
        self.check(1, "", "", "", "")
        self.check(1, "", USE, "look (self);", "")
        self.check(1, "", "", USE, "self->reach = 1;")
        self.check(1, "", "", USE, "Other *other = 0; use (other->reach);")

    def test_what_says_so(self):
        self.check(0, ", .flags = ORRERY_PROPERTY_AT_START", "", USE, "")
        self.check(0, ", .changed = look", "", "", "")


if __name__ == "__main__":
    tap.main()
