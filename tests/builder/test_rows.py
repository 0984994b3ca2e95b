# SPDX-License-Identifier: BSD-3-Clause
"""Row by row: what MORSE's classes have, Orrery's have, or docs/differences.md says why not.

rows.txt is the table of facts. Only the flaws of MORSE in docs/differences.md, each with one of MARKS, may
make a class another one; what is refused, what is there besides and how the host is built are counted, with
the classes that they name, so that none comes unseen.
"""

import os
import re
import struct
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "../cli"))

import json  # noqa: E402

from support import SOURCE, ProgramCase  # noqa: E402

import tap  # noqa: E402

#: Why MORSE may be left: it is wrong there, it ends, it needs a window, a device, or a model that is gone.
MARKS = {"bug", "exits", "window", "hardware", "obsolete"}
#: The other parts of the page: how many lines they have, and the classes that these are about.
OURS = {
    "What is refused, or limited": (24, {"Armature"}),
    "Additions": (16, {"Accelerometer", "Armature", "IMU", "Magnetometer", "VelodyneRayCast"}),
    "How the host is built": (13, {"Gripper", "Waypoint"}),
}
#: Flaws that the facts about MORSE do not call so.
READ = 15
TYPES = {"double": "number", "int64": "integer", "bool": "flag", "text": "text", "vec3": "vector",
         "euler": "angles", "variant": "any", "buffer": "bytes", "mat3": "matrix", "points": "points",
         "array": "array"}
COMMON = {"get_properties", "set_property", "get_configurations", "get_local_data"}
#: Levels: a script gets them by the class that has them.
BY_LEVEL = ("RawGPS", "ExtendedGPS", "RSSILaserScanner", "RawOdometry", "IntegratedOdometry")
#: Classes without a name in scripts.
NAMELESS = BY_LEVEL + ("DepthVideoCamera", "LaserScannerRotationZ", "DepthCameraRotationZ")
KINDS = ("field", "property", "script", "own", "service", "level", "test", "flaw")


def value(text):
    """A number, true, false or null where the text is one, else the text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def read_rows():
    """Classes in the order of the file, each with its rows by kind."""
    classes = {}
    rows = None
    with open(os.path.join(HERE, "rows.txt"), encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split() if not line.startswith("  ") else line.split()
            if not words:
                continue
            if words[0] == "class":
                rows = {kind: [] for kind in KINDS}
                rows["hz"] = value(words[2]) if len(words) > 2 and words[2] != "=" else None
                rows["name"] = words[-1] if "=" in words else words[1].rpartition(".")[2]
                classes["orrery." + words[1]] = rows
            elif words[0] == "fields":
                rows["field"] += [(words[1] + str(i), words[4]) for i in range(int(words[2]), int(words[3]) + 1)]
            elif words[0] == "service":
                rows["service"].append((words[1].lstrip("!~"), words[1][0] if words[1][0] in "!~" else "", words[2:]))
            elif words[0] in ("property", "script", "own"):
                rows[words[0]].append((words[1], value(" ".join(words[2:]))))
            else:
                rows[words[0]].append(tuple(words[1:]))
    return classes


def read_differences():
    """Lines of the tables of docs/differences.md, by its parts: (classes, MORSE, Orrery, ...)."""
    parts = {}
    with open(os.path.join(SOURCE, "docs/differences.md"), encoding="utf-8") as file:
        for line in file:
            cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
            if line.startswith("## "):
                part = parts.setdefault(line[3:].strip(), [])
            elif line.startswith("| ") and cells[1] != "MORSE":
                part.append(cells)
    return parts


def has_test(text, file, name):
    """Whether a test is there: a path of GLib's, a function, or a text that Python tests name."""
    return '"%s"' % name in text or (file.endswith(".py") and "def %s(" % name in text)


def same(ours, theirs):
    """Whether a default is the one of the table; text, numbers and flags as themselves."""
    if theirs == "*":
        return True
    if isinstance(theirs, (int, float)) and not isinstance(theirs, bool):
        return isinstance(ours, (int, float)) and abs(ours - theirs) <= 1e-12 * max(1, abs(theirs))
    return (ours or "") == theirs if isinstance(theirs, str) else ours == theirs


def kept(ours, theirs):
    """The same of what a script of MORSE has set, which is kept in 32 bits."""
    if same(ours, theirs) or not isinstance(theirs, float):
        return same(ours, theirs)
    return ours == struct.unpack("f", struct.pack("f", theirs))[0]


def signature(service):
    return [a["name"] + ("" if "default" not in a else "=" + json.dumps(a["default"])) for a in service["arguments"]]


def same_arguments(ours, theirs):
    def parts(words):
        return [(word.partition("=")[0], value(word.partition("=")[2]) if "=" in word else None, "=" in word)
                for word in words]
    return parts(ours) == parts(theirs)


def deviations(rows, entry):
    """Names of the rows in which a class, as programs are told of it, is another than the table's."""
    fields = [(f["name"], TYPES.get(f["type"], f["type"])) for f in entry.get("fields", ())
              if f["name"] not in ("timestamp",) and f["type"] != "time"]
    if fields != rows["field"]:
        yield from sorted({name for name, _ in set(fields) ^ set(rows["field"])} or {"order of fields"})
    known = {p["name"]: p.get("default") for p in entry.get("properties", ())}
    for name, default in rows["property"]:
        if name not in known or not same(known[name], default):
            yield name
    services = {s["name"]: s for s in entry.get("services", ()) if s["name"] not in COMMON}
    for name, mark, arguments in rows["service"]:
        service = services.get(name)
        kind = "" if service is None or service["kind"] == "immediate" else "!" if service["interruptible"] else "~"
        if service is None or kind != mark or not same_arguments(signature(service), arguments):
            yield name
    levels = [(level["name"], level["classpath"].partition(".")[2]) + (("default",) if level["default"] else ())
              for level in entry.get("levels", ())]
    if rows["level"] and levels != rows["level"]:
        yield "levels"


def explained(differences, classpath, word, marks=MARKS):
    """Whether a line of a mark names the class, and the word."""
    name = classpath.rpartition(".")[2]
    for cells in differences:
        words = set(re.findall(r"[A-Za-z0-9_]+", cells[0]))
        if name in words and cells[3] in marks and word in cells[1] + " " + cells[2]:
            return True
    return False


class Rows(ProgramCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.rows = read_rows()
        cls.parts = read_differences()
        cls.differences = cls.parts["Flaws of MORSE"]

    def described(self):
        paths = list(self.rows)
        done = self.orrery("plugins", "--json", *paths)
        self.check(done, 0)
        return {c["classpath"]: c for c in json.loads(done.stdout)["classes"]}

    def test_every_class(self):
        """Fields in order with their types, properties and defaults, services with arguments, levels."""
        wrong = []
        for classpath, entry in self.described().items():
            for word in deviations(self.rows[classpath], entry):
                if not explained(self.differences, classpath, word):
                    wrong.append("%s: %s" % (classpath, word))
        self.assertEqual(wrong, [])

    def test_a_wrong_row_is_seen(self):
        """The comparison itself: each kind of row, turned wrong, is told by its name."""
        path = "orrery.actuators.waypoint.Waypoint"
        done = self.orrery("plugins", "--json", path)
        entry = json.loads(done.stdout)["classes"][0]
        for kind, change, name in (
            ("field", ("speed", "text"), "speed"),
            ("property", ("Speed", 2.0), "Speed"),
            ("property", ("Fast", 2.0), "Fast"),
            ("service", ("goto", "", ["x"]), "goto"),
            ("service", ("fly", "", []), "fly"),
            ("level", ("raw", path), "levels"),
        ):
            rows = {key: list(value) if isinstance(value, list) else value for key, value in self.rows[path].items()}
            self.assertEqual(list(deviations(rows, entry)), [])
            rows[kind].append(change)
            self.assertIn(name, list(deviations(rows, entry)), kind)
        self.assertFalse(explained(self.differences, path, "Fast"))
        self.assertTrue(explained([["Waypoint", "no Fast", "", "bug", ""]], path, "Fast"))
        self.assertFalse(explained([["Waypoint", "no Fast", "", "same", ""]], path, "Fast"))

    def build_all(self, described):
        """A scene with each class that scripts can name; objects by classpath."""
        lines, names = ["from morse.builder import *", "holder = FakeRobot()"], {}
        for classpath, rows in self.rows.items():
            role = described[classpath]["role"]
            if classpath.endswith(NAMELESS) or not (rows["hz"] or rows["script"] or rows["own"]):
                continue
            name = names[classpath] = "part%d" % len(names)
            arguments = "armature_name='FakeRobot'" if rows["name"] == "Armature" else ""
            lines.append("%s = %s(%s)" % (name, rows["name"], arguments))
            lines += [] if role == "robot" else ["holder.append(%s)" % name]
        path = self.write("scene.py", "\n".join(lines + ["env = Environment('empty')", ""]))
        self.check(self.orrery("build", path, "-o", self.path("out")), 0)
        with open(self.path("out/scene.json"), encoding="utf-8") as file:
            top = json.load(file)["objects"]
        objects = {o["name"]: o for o in top + [child for o in top for child in o.get("objects", ())]}
        return {classpath: objects[name] for classpath, name in names.items()}

    def test_what_scripts_get(self):
        """Rates and settings of the builder, in a scene that the builder made."""
        described = self.described()
        made = self.build_all(described)
        self.assertGreater(len(made), 50)
        wrong = []
        for classpath, thing in made.items():
            rows, entry = self.rows[classpath], described[classpath]
            if rows["hz"] and thing.get("frequency", entry.get("frequency")) != rows["hz"]:
                wrong.append((classpath, "Hz"))
            known = {p["name"]: p.get("default") for p in entry["properties"]}
            known.update(thing.get("properties", {}))
            wrong += [(classpath, key) for key, default in rows["script"] if not kept(known.get(key), default)]
        self.assertEqual([w for w in wrong if not explained(self.differences, *w)], [])

    def test_what_objects_have(self):
        """Properties that no class declares are in the models of their robots."""
        for classpath, rows in self.rows.items():
            if rows["own"]:
                path = "data/%s.json" % classpath.rpartition(".")[0].replace(".", "/")
                with open(os.path.join(SOURCE, path), encoding="utf-8") as file:
                    thing = json.load(file)["classes"][classpath.rpartition(".")[2]]
                for name, default in rows["own"]:
                    self.assertEqual(thing["properties"].get(name), default, "%s: %s" % (classpath, name))

    def test_every_class_has_tests(self):
        """The programs are there, and have those paths."""
        self.assertEqual([classpath for classpath, rows in self.rows.items() if not rows["test"]], [])
        for classpath, rows in self.rows.items():
            for file, path in rows["test"]:
                with open(os.path.join(SOURCE, "tests", file), encoding="utf-8") as stream:
                    self.assertTrue(has_test(stream.read(), file, path), "%s: no %s in %s" % (classpath, path, file))

    def test_flaws_have_their_lines(self):
        """Each flaw of MORSE's that the table knows has a line, with its mark."""
        missing = ["%s: %s %s" % (classpath, mark, word) for classpath, rows in self.rows.items()
                   for mark, word, *_ in rows["flaw"] if not explained(self.differences, classpath, word, {mark})]
        self.assertEqual(missing, [])

    def test_lines_have_their_flaws(self):
        """Each line about a class is one that the table knows: none can be added unseen."""
        flaws = {}
        for classpath, rows in self.rows.items():
            flaws.setdefault(classpath.rpartition(".")[2], []).extend((mark, word) for mark, word, *_ in rows["flaw"])
        unknown = ["%s: %s" % (name, cells[1]) for cells in self.differences
                   for name in sorted(set(re.findall(r"[A-Za-z0-9_]+", cells[0])) & set(flaws))
                   if not any(mark == cells[3] and word in cells[1] + " " + cells[2] for mark, word in flaws[name])]
        self.assertEqual(unknown, [])

    def test_flaws_have_their_sections(self):
        """Each says where the facts about MORSE are; those found by reading are counted, and listed."""
        with open(os.path.join(SOURCE, "docs/differences.md"), encoding="utf-8") as file:
            _, _, listed = file.read().partition("### Flaws found by reading")
        ours = set()
        for classpath, rows in self.rows.items():
            for mark, word, section, *more in rows["flaw"]:
                self.assertRegex(section, r"^[1-5]\.\d+(\.\d+)?$", classpath)
                self.assertIn(more, ([], ["read"]), classpath)
                if more:
                    ours.add((classpath.rpartition(".")[2], word))
                    self.assertRegex(listed, r"(?m)^- ([\w, ]*, )?%s\b" % classpath.rpartition(".")[2])
        self.assertEqual(len(ours), READ)

    def test_other_streams_are_named(self):
        """As those of HLA are; a stream over sockets stands beside it, so that nothing else is wrong."""
        for name in ("yarp", "yarp_json", "moos", "pprzlink", "pocolibs"):
            text = ("from morse.builder import *\nrobot = ATRV()\npose = Pose()\nrobot.append(pose)\n"
                    "pose.add_stream('socket')\npose.add_%s('%s')\nenv = Environment('empty')\n")
            for kind, words in (("stream", "no stream"), ("service", "no services over")):
                done = self.orrery("build", self.write("scene.py", text % (kind, name)), "-o", self.path("out"))
                self.check(done, 69, "%s %s in" % (words, name), "there is ")

    def test_hla_is_named(self):
        """What cannot be had is an error that names it and what there is; nothing is skipped."""
        for line, words in (("pose.add_stream('hla')", "no stream hla in"),
                            ("env.configure_multinode(protocol='hla', distribution={})", "nodes over hla; there is socket")):
            text = "from morse.builder import *\nrobot = ATRV()\npose = Pose()\nrobot.append(pose)\n%s\n"
            before, _, after = line.partition("env.")
            text = text % before + "env = Environment('empty')\n" + ("env." + after if after else "") + "\n"
            done = self.orrery("build", self.write("scene.py", text), "-o", self.path("out"))
            self.check(done, 69, words, "there is ")

    def test_lines_have_their_marks(self):
        """No flaw without a mark; elsewhere as many lines as are known, about these classes alone."""
        for cells in self.differences:
            self.assertEqual(len(cells), 5, cells)
            self.assertIn(cells[3], MARKS, cells)
        names = {classpath.rpartition(".")[2] for classpath in self.rows}
        ours = {}
        for part in OURS:
            words = set()
            for cells in self.parts[part]:
                self.assertIn(len(cells), (3, 4), cells)
                words.update(re.findall(r"\w+", cells[0]))
            ours[part] = (len(self.parts[part]), words & names)
        self.assertEqual(ours, OURS)
        self.assertEqual(set(self.parts), {"Flaws of MORSE", *OURS})

    def test_all_of_the_page_is_read(self):
        """Each line of each table is one of a part."""
        with open(os.path.join(SOURCE, "docs/differences.md"), encoding="utf-8") as file:
            lines = [line for line in file if line.startswith("| ") and " | MORSE | " not in line]
        self.assertEqual(sum(map(len, self.parts.values())), len(lines))


if __name__ == "__main__":
    tap.main()
