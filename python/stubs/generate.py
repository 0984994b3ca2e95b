#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the type hints of the package orrery: generate.py Orrery-1.gir overrides.pyi SOURCES DOCSTRINGS >__init__.pyi

What the typelib has is read from the GIR, as PyGObject shows it: errors are exceptions, what C gives back by pointers
is returned, lengths and user data are gone. What the package puts over it is said in the other file: a class with a base
is added to that of the GIR, and its members take the place of those of the same name; everything else goes as it is.

Docstrings are the comments of the C headers in the words of Python; the package's own functions have those of SOURCES,
its directory, and behind them what the C function of the same name says. DOCSTRINGS is written, too: the same texts for
the package, which `help ()` shows. It has two lines of JSON: the first has the texts of what the package puts over the
typelib, which it needs at its start, the second the signatures and texts of all else.
"""

import ast
import json
import keyword
import os
import sys
import xml.etree.ElementTree as xml

from descriptions import C, CORE, GLIB, Gir, Sources

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


def is_property(item):
    return any(getattr(each, "id", "") == "property" for each in item.decorator_list)


class Writer:
    def __init__(self, gir, overrides, sources):
        self.namespace = find(xml.parse(gir).getroot(), "namespace")
        self.types = Types(self.namespace)
        self.gir = Gir(self.namespace, os.path.join(sources, "..", ".."))
        self.sources = Sources(sources)
        self.own, self.all = {}, {}  # the texts of DOCSTRINGS, by name
        with open(overrides, encoding="utf-8") as file:
            self.overrides = ast.parse(file.read())
        self.classes = {node.name: node for node in self.overrides.body if isinstance(node, ast.ClassDef)}
        self.lines = []
        self.class_name = None

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
        text = self.gir.virtual(node, self.class_name) if kind == "virtual" else ""
        text = text or self.gir.function(node, {each for each, _, _ in given})
        key = "%s.%s" % (self.class_name, python_name(name)) if depth else python_name(name)
        if key in self.sources.nodes:
            # The package has one of its own in its place.
            said, main = self.sources.get(key), self.gir.main(node)
            text = self.own[key] = said + "\n\n" + main if said and main else said or text
        self.say("def %s(%s) -> %s:%s" % (python_name(name), ", ".join(parameters), result, "" if text else " ..."), depth)
        self.document(text, depth + 1)
        shown = [each for each in parameters if each not in ("self", "cls")]
        self.all[key] = ("%s(%s) -> %s\n\n%s" % (name, ", ".join(shown), result, text)).replace("_g.", "")

    def document(self, text, depth):
        """A docstring."""
        lines = text.replace("\\", "\\\\").replace('"' * 3, "'" * 3).splitlines()
        if len(lines) == 1 and not text.endswith('"'):
            self.say('"""%s"""' % lines[0], depth)
        elif lines:
            self.say('"""' + lines[0], depth)
            for line in lines[1:]:
                self.say(line, depth)
            self.say('"""', depth)

    def override(self, item, depth, owner=None):
        """A function of the other file, with what its source and the function of C that it stands for say."""
        text = self.find_text(item, owner)
        item.body = [ast.Expr(ast.Constant(...))]
        lines = ast.unparse(item).splitlines()
        lines[-2:] = [lines[-2] + ("" if text else " ...")]
        for line in lines:
            self.say(line, depth)
        self.document(text, depth + 1)

    def find_text(self, item, owner):
        name = item.name if owner is None else "%s.%s" % (owner.get("name") if hasattr(owner, "get") else owner, item.name)
        own, said = ast.get_docstring(item), self.sources.get(name)
        node, is_value = self.find_behind(item, owner)
        if own:
            text = own
        elif node is None:
            text = said
        elif not said:
            text = self.gir.value(node) if is_value else self.gir.function(node, {each.arg for each in item.args.args})
        else:
            main = self.gir.main(node)
            text = said if said in main or not main else said + "\n\n" + main
        if text and (text != said or name in self.sources.elsewhere) and not item.name.startswith("__"):
            self.own[name] = text
        return text

    def find_behind(self, item, owner):
        """The function of C for which one of the package stands, and whether that is a property with its value."""
        if not hasattr(owner, "findall"):
            return None, False
        getter = self.sources.getters.get("%s.%s" % (owner.get("name"), item.name))
        names = [getter or "get_" + item.name, "is_" + item.name] if is_property(item) else [item.name]
        for kind in "method", "function", "constructor":
            for node in owner.findall(CORE + kind):
                if node.get("name") in names:
                    return node, is_property(item)
        return None, False

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
        if override is not None and not any(each.startswith("_g.") or each in self.types.own
                                            for each in map(ast.unparse, override.bases)):
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
        self.all[name] = self.gir.type(node)
        self.document(self.all[name], 1)
        for item in override.body if override else ():
            self.member(item, node)
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

    def member(self, item, owner):
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.override(item, 1, owner)
        elif not isinstance(item, ast.Expr):
            for line in ast.unparse(item).splitlines():
                self.say(line, 1)

    def own_class(self, item):
        """A class that is the package's alone."""
        text = ast.get_docstring(item) or self.sources.get(item.name)
        head = ast.unparse(ast.ClassDef(item.name, item.bases, item.keywords, [ast.Expr(ast.Constant(...))],
                                        item.decorator_list))
        self.say(head.splitlines()[0])
        before = len(self.lines)
        self.document(text, 1)
        for each in item.body:
            self.member(each, item.name)
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
        self.all[node.get("name")] = self.gir.type(node)
        self.document(self.all[node.get("name")], 1)
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
            if isinstance(item, (ast.Import, ast.ImportFrom, ast.Expr)):
                continue
            self.say("")
            if isinstance(item, ast.ClassDef):
                self.own_class(item)
            elif isinstance(item, ast.FunctionDef):
                self.override(item, 0)
            else:
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
    writer = Writer(*sys.argv[1:4])
    writer.write()
    with open(sys.argv[4], "w", encoding="utf-8") as file:
        for texts in writer.own, writer.all:
            file.write(json.dumps(texts, ensure_ascii=False, separators=(",", ":")) + "\n")
    print("\n".join(writer.lines))


if __name__ == "__main__":
    main()
