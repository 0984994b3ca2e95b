#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""The ABI of the public headers as text, and whether plugins and programs built for one still work with another.

    release/abi.py describe [BUILD]           print the ABI of the headers of this tree
    release/abi.py write [BUILD]              keep it as that of the release, in release/orrery.abi
    release/abi.py compare [BUILD]            compare this tree with that file
    release/abi.py compare OLD NEW            compare two files

GCC reads <orrery.h>: its list of prototypes has the functions, its debugging information the layouts.
docs/release.md says which change needs which number. Exit code 1: a change needs another number; 77: there is
nothing to compare with.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KEPT = os.path.join(SOURCE, "release/orrery.abi")
OURS = "Orrery"

# A plugin tells the size of its own, so these may grow at their end.
MAY_GROW = {"OrreryPluginDesc", "OrreryClassDesc"}
# The host makes these, and plugins only read them.
MADE_BY_THE_HOST = {"OrreryObserved"}
RESERVED = re.compile(r"_?reserved")

NODE = re.compile(r" *<([0-9a-f]+)><([0-9a-f]+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
# Before the value, some versions of readelf name its form, and all say where a text of a table is.
ATTRIBUTE = re.compile(r" +<[0-9a-f]+> +DW_AT_(\w+) *: (?:\([a-z0-9_]+\) ?)?(?:\([^()]*offset: [^()]*\): )?(.*?)\s*$")
CONTAINERS = "structure_type", "union_type"
THROUGH = "typedef", "const_type", "volatile_type"


class Node:
    """An entry of the debugging information."""

    def __init__(self, tag):
        self.tag = tag
        self.children = []
        self.values = {}

    def number(self, key):
        return int(self.values.get(key, "0").split()[0], 0)

    @property
    def name(self):
        return self.values.get("name", "")


def compile_headers(flags, directory):
    """Prototypes, as text, and the debugging information, as nodes by their place."""
    unit = os.path.join(directory, "headers.c")
    with open(unit, "w", encoding="utf-8") as file:
        file.write("#include <orrery.h>\n")
    prototypes, unit_object = os.path.join(directory, "prototypes"), os.path.join(directory, "headers.o")
    subprocess.run(["gcc", "-std=gnu11", "-O0", "-gdwarf-5", "-fno-eliminate-unused-debug-types", "-aux-info", prototypes,
                    *flags, "-c", unit, "-o", unit_object], check=True)
    with open(prototypes, encoding="utf-8") as file:
        functions = file.read()
    dump = subprocess.run(["readelf", "--wide", "--debug-dump=info", unit_object], check=True, capture_output=True,
                          text=True, env=dict(os.environ, LC_ALL="C")).stdout
    return functions, read_nodes(dump)


def read_nodes(dump):
    nodes, open_nodes, node = {}, [], None
    for line in dump.splitlines():
        found = NODE.match(line)
        if found:
            depth = int(found[1], 16)
            node = nodes[found[2]] = Node(found[3])
            del open_nodes[depth:]
            if open_nodes:
                open_nodes[-1].children.append(node)
            open_nodes.append(node)
        elif node:
            found = ATTRIBUTE.match(line)
            if found:
                node.values[found[1]] = found[2]
    return nodes


class Layouts:
    """What the nodes say of the types whose names are ours."""

    def __init__(self, nodes):
        self.nodes = nodes

    def type_of(self, node):
        """None: void."""
        at = node.values.get("type")
        return self.nodes[re.match(r"<0x([0-9a-f]+)>", at)[1]] if at else None

    def resolve(self, node):
        while node and node.tag in THROUGH:
            node = self.type_of(node)
        return node

    def lengths(self, node):
        """Elements of each dimension of an array."""
        return [int(child.values["upper_bound"], 0) + 1 if "upper_bound" in child.values else child.number("count")
                for child in node.children if child.tag == "subrange_type"]

    def size(self, node):
        node = self.resolve(node)
        if node is None:
            return 0
        if node.tag == "array_type":
            size = self.size(self.type_of(node))
            for length in self.lengths(node):
                size *= length
            return size
        return node.number("byte_size")

    def words(self, node):
        """A type as C has it, by its name where it has one."""
        if node is None:
            return "void"
        inner = self.type_of(node)
        if node.tag == "pointer_type":
            return self.words(inner) + (" *" if inner is None or inner.tag != "pointer_type" else "*")
        if node.tag in ("const_type", "volatile_type"):
            return node.tag[:-len("_type")] + " " + self.words(inner)
        if node.tag == "array_type":
            return self.words(inner) + "".join("[%d]" % length for length in self.lengths(node))
        if node.tag == "subroutine_type":
            given = ", ".join("..." if child.tag == "unspecified_parameters" else self.words(self.type_of(child))
                              for child in node.children)
            return "%s (%s)" % (self.words(inner), given or "void")
        return node.name or node.tag

    def members(self, node, base=0):
        """Lines of members; those of a union without a name are members of what it is in."""
        for child in node.children:
            if child.tag != "member":
                continue
            at = base + child.number("data_member_location") + child.number("data_bit_offset") // 8
            inside = self.resolve(self.type_of(child))
            if inside and inside.tag in CONTAINERS and not child.name:
                yield from self.members(inside, at)
                continue
            bits = ", %d bits from bit %d" % (child.number("bit_size"), child.number("data_bit_offset") % 8) \
                if "bit_size" in child.values else ""
            yield "  %s at %d, %d bytes: %s%s" % (child.name, at, self.size(self.type_of(child)),
                                                  self.words(self.type_of(child)), bits)

    def names(self):
        """Types by their names: typedefs, and tags that none has; what has a name and no content is opaque."""
        found = {}
        for node in self.nodes.values():
            whole = self.resolve(node)
            # Those of g_autoptr are made of the others.
            if node.tag == "typedef" and node.name.startswith(OURS) and not node.name.endswith("autoptr") and whole and \
                    "declaration" not in whole.values:
                found[node.name] = whole
        tagged = {id(node) for node in found.values()}
        for node in self.nodes.values():
            if node.tag in CONTAINERS + ("enumeration_type",) and id(node) not in tagged and \
                    node.name.lstrip("_").startswith(OURS) and "declaration" not in node.values:
                found[node.name] = node
        return found

    def lines(self):
        for name, node in sorted(self.names().items()):
            if node.tag in CONTAINERS:
                yield "%s %s, %d bytes" % (node.tag[:-len("_type")], name, node.number("byte_size"))
                yield from self.members(node)
            elif node.tag == "enumeration_type":
                yield "enumeration %s, %d bytes" % (name, node.number("byte_size"))
                for child in node.children:
                    yield "  %s = %s" % (child.name, child.values["const_value"].split()[0])
            else:
                whole = node.name or self.words(node)
                yield "type %s, %d bytes: %s" % (name, self.size(node), whole)


def describe(flags, numbers):
    """The ABI of <orrery.h> as lines."""
    with tempfile.TemporaryDirectory(prefix="orrery-abi-") as directory:
        functions, nodes = compile_headers(flags, directory)
    lines = ["abi %d.%d" % numbers]
    for line in sorted(set(re.findall(r"^/\*[^*]*\*/ extern (.*\borrery_\w+ \(.*\));", functions, re.M))):
        lines.append("function %s: %s" % (re.search(r"\b(orrery_\w+) \(", line)[1], line))
    return sorted(lines) + list(Layouts(nodes).lines())


def read(lines):
    """The numbers, and {name of a thing: (its line, {member: its line})}."""
    things, members, numbers = {}, None, None
    for line in lines:
        line = line.rstrip("\n")
        if line.startswith("abi "):
            numbers = tuple(int(word) for word in line[4:].split("."))
        elif line.startswith("  "):
            members[line.split()[0]] = line.strip()
        elif line:
            name = re.split(r"[,:]", line, maxsplit=1)[0]
            members = {}
            things[name] = line, members
    if numbers is None:
        raise SystemExit("no line `abi MAJOR.MINOR`: this is no description of an ABI")
    return numbers, things


def bytes_of(line):
    return int(re.search(r", (\d+) bytes", line)[1])


def compare_things(name, old, new):
    """Lines of what breaks, and of what comes along."""
    broken, more = [], []
    kind, _, word = name.partition(" ")
    if old[0] != new[0]:
        may_grow = word in MAY_GROW | MADE_BY_THE_HOST and bytes_of(new[0]) > bytes_of(old[0])
        (more if may_grow else broken).append("changed: %s\n     now: %s" % (old[0], new[0]))
    for member, line in old[1].items():
        now = new[1].get(member)
        if now == line or RESERVED.match(member):
            continue
        broken.append("%s: %s: %s" % (word, "removed" if now is None else "changed", line) +
                      ("" if now is None else "\n     now: " + now))
    more += ["%s: new: %s" % (word, line) for member, line in new[1].items() if member not in old[1]]
    if kind == "union" and more:
        broken, more = broken + more, []
    return broken, more


def compare(old, new):
    """What is wrong with the numbers of the new one, the reasons, and what came along, as lines."""
    (was, before), (is_now, after) = read(old), read(new)
    broken = ["removed: " + before[name][0] for name in sorted(set(before) - set(after))]
    more = ["new: " + after[name][0] for name in sorted(set(after) - set(before))]
    for name in sorted(set(before) & set(after)):
        worse, further = compare_things(name, before[name], after[name])
        broken += worse
        more += further
    wrong = []
    if is_now < was:
        wrong.append("the ABI is %d.%d, after %d.%d" % (*is_now, *was))
    if broken and is_now[0] <= was[0]:
        wrong.append("plugins that were built for ABI %d.%d break: this needs ABI %d.0 (configure.ac)" % (*was, was[0] + 1))
    elif more and is_now <= was:
        wrong.append("plugins may need what ABI %d.%d does not have: this needs ABI %d.%d (configure.ac)" %
                     (*was, was[0], was[1] + 1))
    return wrong, broken, more


def numbers_of(root=SOURCE):
    with open(os.path.join(root, "configure.ac"), encoding="utf-8") as file:
        text = file.read()
    return tuple(int(re.search(r"orrery_abi_%s\], \[(\d+)\]" % part, text)[1]) for part in ("major", "minor"))


def describe_tree(build):
    glib = subprocess.run(["pkg-config", "--cflags", "gobject-2.0", "gio-2.0"], check=True, capture_output=True,
                          text=True).stdout
    return describe(["-I" + os.path.join(SOURCE, "host"), "-I" + os.path.join(build, "host"), *shlex.split(glib)],
                    numbers_of())


def main(arguments):
    verb, *rest = arguments or [""]
    build = rest[0] if rest else os.path.join(SOURCE, "build")
    if verb == "compare" and len(rest) == 2:
        lines = []
        for path in rest:
            with open(path, encoding="utf-8") as file:
                lines.append(file.readlines())
    elif verb == "compare" and len(rest) < 2:
        if not os.path.exists(KEPT):
            print("no release/orrery.abi: there is no release to compare with")
            return 77
        with open(KEPT, encoding="utf-8") as file:
            lines = [file.readlines(), describe_tree(build)]
    elif verb in ("describe", "write") and len(rest) < 2:
        text = "".join(line + "\n" for line in describe_tree(build))
        if verb == "describe":
            sys.stdout.write(text)
            return 0
        with open(KEPT, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    else:
        print(__doc__, file=sys.stderr)
        return 64
    wrong, broken, more = compare(*lines)
    for line in broken + more:
        print(line)
    for line in wrong or ["the numbers of the ABI fit what has changed: %d removed or changed, %d new" %
                          (len(broken), len(more))]:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
