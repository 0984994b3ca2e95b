#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the type hints of the package orrery: generate.py Orrery-1.gir overrides.pyi >__init__.pyi

What the typelib has is read from the GIR, as PyGObject shows it: errors are exceptions, what C gives back by pointers
is returned, lengths and user data are gone. What the package puts over it is said in the other file: a class with a base
is added to that of the GIR, and its members take the place of those of the same name; everything else goes as it is.
"""

import ast
import keyword
import sys
import xml.etree.ElementTree as xml

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"

NAMES = {"gboolean": "bool", "gdouble": "float", "gfloat": "float", "utf8": "str", "filename": "str", "none": "None",
         "gpointer": "object", "GType": "type[_g.Object]",
         **dict.fromkeys(("gint", "guint", "gint8", "guint8", "gint16", "guint16", "gint32", "guint32", "gint64",
                          "guint64", "gchar", "glong", "gulong", "gsize", "gssize", "OrreryTime", "Time", "GLib.Quark", "gunichar"),
                         "int")}
OUTSIDE = {"GLib.Variant": "Variant", "GLib.VariantType": "VariantType", "GLib.Bytes": "Bytes", "GLib.Error": "Error",
           "GLib.MainContext": "MainContext", "GLib.Source": "Source", "GLib.DestroyNotify": "DestroyNotify",
           "Gio.Cancellable": "Cancellable", "GObject.Object": "Object", "GObject.Value": "Value",
           "GObject.ParamSpec": "ParamSpec", "GObject.InitiallyUnowned": "Object"}


def find(node, name):
    return node.find(CORE + name)


def is_shown(node):
    return node.get("introspectable") != "0" and node.get("shadowed-by") is None


def python_name(name):
    return name + "_" if keyword.iskeyword(name) else name


class Types:
    """Types of the GIR as hints; what is not known is a mistake."""

    def __init__(self, namespace):
        self.aliases = {node.get("name"): find(node, "type").get("name") for node in namespace.iter(CORE + "alias")}
        self.callbacks = {node.get("name"): node for node in namespace.iter(CORE + "callback")}
        self.results = {}
        self.own = {node.get("name") for kind in ("class", "record", "enumeration", "bitfield", "interface")
                    for node in namespace.findall(CORE + kind)}

    def name(self, name, given):
        if name in NAMES:
            return NAMES[name]
        if name in OUTSIDE:
            return "_g." + OUTSIDE[name]
        if name in self.aliases:
            return self.name(self.aliases[name], given)
        if name in self.callbacks:
            return self.callback(self.callbacks[name])
        if name in self.own:
            return name
        raise SystemExit("%s: no hint for this type" % name)

    def element(self, node, given):
        inner = node.findall(CORE + "type") + node.findall(CORE + "array")
        return self.of(inner[0], given) if inner else "object"

    def of(self, node, given):
        """The hint of a <type> or <array>; what is given may be any sequence."""
        if node.tag == CORE + "array" or node.get("name") in ("GLib.PtrArray", "GLib.Array", "GLib.List", "GLib.SList"):
            element = self.element(node, given)
            if element == "int" and node.get(C + "type", "").replace("const ", "").startswith("guint8"):
                return "bytes"
            return "%s[%s]" % ("Sequence" if given else "list", element)
        if node.get("name") == "GLib.HashTable":
            return "dict[str, object]"
        return self.name(node.get("name"), given)

    def value(self, node, given):
        for child in node:
            if child.tag in (CORE + "type", CORE + "array"):
                hint = self.of(child, given)
                return "%s | None" % hint if node.get("nullable") == "1" and hint not in ("None", "object") else hint
        return "object"

    def callback(self, node):
        parameters, result = self.signature(node)
        return "Callable[[%s], %s]" % (", ".join(hint for _, hint, _ in parameters), result)

    def signature(self, node, skip_self=True):
        """The parameters that are given, as (name, hint, whether it may be left out), and what is returned."""
        listed = find(node, "parameters")
        parameters = [] if listed is None else listed.findall(CORE + "parameter")
        gone = set()
        returned = find(node, "return-value")
        for holder in [*parameters, returned]:
            array = find(holder, "array")
            # PyGObject gives a virtual function the length beside the array.
            if array is not None and array.get("length") is not None and node.tag != CORE + "virtual-method":
                gone.add(int(array.get("length")))
        for parameter in parameters:
            gone.update(int(parameter.get(name)) for name in ("closure", "destroy") if parameter.get(name) is not None)
        given, out = [], []
        for i, parameter in enumerate(parameters):
            if i in gone:
                continue
            if parameter.get("direction") in ("out", "inout"):
                out.append((python_name(parameter.get("name")), self.value(parameter, False)))
            if parameter.get("direction", "in") in ("in", "inout"):
                given.append((python_name(parameter.get("name")), self.value(parameter, True),
                              parameter.get("nullable") == "1"))
        hint = self.value(returned, False)
        # A gboolean beside an error is the error.
        alone = hint == "None" or returned.get("skip") == "1"
        results = ([] if alone else [hint]) + [each for _, each in out]
        result = "None" if not results else results[0] if len(results) == 1 else "tuple[%s]" % ", ".join(results)
        if alone and len(out) > 1:
            # What comes back by pointers has names.
            result = "_" + "".join(name.title().replace("_", "") for name, _ in out)
            self.results[result] = out
        # Only what nothing that is needed comes after may be left out.
        for i in range(len(given) - 1, -1, -1):
            name, hint, optional = given[i]
            optional = optional and all(later[2] for later in given[i + 1:])
            given[i] = (name, hint, optional)
        return given, result


class Writer:
    def __init__(self, gir, overrides):
        self.namespace = find(xml.parse(gir).getroot(), "namespace")
        self.types = Types(self.namespace)
        with open(overrides, encoding="utf-8") as file:
            self.overrides = ast.parse(file.read())
        self.classes = {node.name: node for node in self.overrides.body if isinstance(node, ast.ClassDef)}
        self.lines = []

    def say(self, text, depth=0):
        self.lines.append("    " * depth + text if text else "")

    def function(self, node, depth, kind):
        given, result = self.types.signature(node)
        parameters = ["%s: %s%s" % (name, hint, " = ..." if optional else "") for name, hint, optional in given]
        if node.tag == CORE + "constructor":
            result = self.class_name
        if kind == "method" or kind == "virtual":
            parameters.insert(0, "self")
        elif kind == "class":
            parameters.insert(0, "cls")
        name = node.get("shadows") or node.get("name")
        if kind == "virtual":
            name = "do_" + name
        if kind == "class":
            self.say("@classmethod", depth)
        elif kind == "static" and depth:
            self.say("@staticmethod", depth)
        self.say("def %s(%s) -> %s: ..." % (python_name(name), ", ".join(parameters), result), depth)

    def members(self, node):
        """(name, how to write it) of what a class of the GIR has."""
        for child in node:
            if not is_shown(child):
                continue
            kind = {CORE + "method": "method", CORE + "function": "static", CORE + "constructor": "class",
                    CORE + "virtual-method": "virtual"}.get(child.tag)
            if kind is None:
                continue
            name = python_name(child.get("shadows") or child.get("name"))
            yield ("do_" + name if kind == "virtual" else name), child, kind
        # What is a method of the class struct is one of the class, to Python.
        struct = node.get(GLIB + "type-struct")
        for record in self.namespace.findall(CORE + "record"):
            if struct is not None and record.get("name") == struct:
                for child in record.findall(CORE + "method"):
                    if is_shown(child):
                        yield python_name(child.get("name")), child, "class"

    def properties(self, node):
        for child in node.findall(CORE + "property"):
            if child.get("introspectable") == "0":
                continue
            name = child.get("name").replace("-", "_")
            yield name, self.types.value(child, False)

    def klass(self, node):
        name = self.class_name = node.get("name")
        override = self.classes.get(name)
        if override is not None and not override.bases:
            # The package has a class of its own under that name.
            return
        self.classes.pop(name, None)
        own = {item.name for item in override.body if isinstance(item, ast.FunctionDef)} if override else set()
        own |= {item.target.id for item in override.body if isinstance(item, ast.AnnAssign)} if override else set()
        parent = node.get("parent")
        bases = [self.types.name(parent, False)] if parent else ["_g.Object"] if node.tag == CORE + "class" else \
            ["_g.Boxed"]
        bases = [ast.unparse(base) for base in override.bases] if override and override.bases else bases
        self.say("")
        self.say("class %s(%s):" % (name, ", ".join(bases)))
        before = len(self.lines)
        if override and override.body:
            for item in override.body:
                for line in ast.unparse(item).splitlines():
                    self.say(line, 1)
        for hint in self.fields(node):
            self.say(hint, 1)
        properties = [(each, hint) for each, hint in self.properties(node) if each not in own]
        if properties and "__init__" not in own:
            self.say("def __init__(self, *, %s) -> None: ..."
                     % ", ".join("%s: %s = ..." % each for each in properties), 1)
        if properties:
            self.say("class _Props:", 1)
            for each in properties:
                self.say("%s: %s" % each, 2)
            self.say("@property", 1)
            self.say("def props(self) -> _Props: ...", 1)
        seen = set(own)
        for each, child, kind in self.members(node):
            if each not in seen:
                seen.add(each)
                self.function(child, 1, kind)
        if len(self.lines) == before:
            self.say("...", 1)

    def fields(self, node):
        if node.tag != CORE + "record" or node.get("disguised") == "1":
            return
        for field in node.findall(CORE + "field"):
            if field.get("private") != "1" and is_shown(field) and find(field, "callback") is None:
                yield "%s: %s" % (python_name(field.get("name")), self.types.value(field, False))

    def enumeration(self, node):
        self.say("")
        self.say("class %s(%s):" % (node.get("name"), "_g.Flags" if node.tag == CORE + "bitfield" else "_g.Enum"))
        for member in node.findall(CORE + "member"):
            self.say("%s: %s" % (python_name(member.get("name").upper()), node.get("name")), 1)

    def write(self):
        self.say("# Written by python/stubs/generate.py from Orrery-1.gir and overrides.pyi.")
        for item in self.overrides.body:
            if isinstance(item, (ast.Import, ast.ImportFrom)):
                self.say(ast.unparse(item))
        structs = {node.get(GLIB + "type-struct") for node in self.namespace.findall(CORE + "class")}
        for kind in "enumeration", "bitfield":
            for node in self.namespace.findall(CORE + kind):
                self.enumeration(node)
        for kind in "record", "class":
            for node in self.namespace.findall(CORE + kind):
                if is_shown(node) and node.get("name") not in structs and node.get(GLIB + "is-gtype-struct-for") is None:
                    self.klass(node)
        for item in self.overrides.body:
            if isinstance(item, ast.ClassDef) and item.name not in self.classes:
                continue
            if not isinstance(item, (ast.Import, ast.ImportFrom, ast.Expr)):
                self.say("")
                self.lines.extend(ast.unparse(item).splitlines())
        own = {item.name for item in self.overrides.body if isinstance(item, ast.FunctionDef)}
        for node in self.namespace.findall(CORE + "function"):
            if is_shown(node) and node.get("name") not in own:
                self.function(node, 0, "static")
        for name, out in self.types.results.items():
            self.say("")
            self.say("class %s(NamedTuple):" % name)
            for field, hint in out:
                self.say("%s: %s" % (field, hint), 1)
        for node in self.namespace.findall(CORE + "constant"):
            self.say("%s: %s" % (node.get("name"), self.types.value(node, False)))


def main():
    writer = Writer(*sys.argv[1:3])
    writer.write()
    print("\n".join(writer.lines))


if __name__ == "__main__":
    main()
