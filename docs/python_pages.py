# SPDX-License-Identifier: BSD-3-Clause
"""Writes the pages of the Python reference: python_pages.py DIRECTORY SOURCES GIR STUB

What the package `orrery` has is in STUB, its type hints with their docstrings; which page a name of the C library is on
is told by the header that the GIR says it is from. What the other packages of the directory SOURCES have is in their
sources. Nothing is imported. Without GIR and STUB, of a build without introspection, there are only the latter."""

import ast
import inspect
import os
import re
import sys
import xml.etree.ElementTree as xml

WIDTH = 90
CORE = "{http://www.gtk.org/introspection/core/1.0}"
# Folders of host/ by page; what the package adds comes first, on a page of its own.
PAGES = {
    "simulation": ("A simulation", ("simulation", "assembly", "vector", "tick")),
    "plugins": ("Parts and plugins", ("part", "roles", "registry")),
    "world": ("The world", ("world", "scene", "base")),
    "records": ("Records, messages and recordings", ("record", "message", "recording", "text")),
    "loops": ("Tasks, channels and processes", ("loop", "channel", "process", "worker", "cli")),
}
PACKAGES = {
    "gym": ("Environments for learning", "learning.md", ("orrery.gym", "orrery.gym.tasks")),
    "builder": ("Builder scripts", "builder.md", ("orrery.builder",)),
}
SPECIAL = {"__getitem__": "%s[name]", "__contains__": "name in %s", "__len__": "len(%s)", "__iter__": "for each in %s",
           "__aiter__": "async for each in %s", "__call__": "%s(...)", "__enter__": "with %s", "__aenter__": "async with %s"}


# --- text ---

def escape(line):
    """Words of a docstring, as Markdown that shows them; what is in backquotes stays."""
    parts = re.split(r"(`[^`]*`)", line)
    return "".join(part if i % 2 else re.sub(r"([*<\[\]\\]|(?<!\w)_|_(?!\w))", r"\\\1", part) for i, part in enumerate(parts))


def prose(text):
    """A docstring as Markdown: paragraphs and lists, code where it is indented."""
    lines, is_code = [], False
    for line in text.splitlines():
        if line.startswith("    "):
            if not is_code:
                lines.append("```python")
            is_code = True
            lines.append(line[4:])
            continue
        if is_code and line.strip():
            while lines[-1] == "":
                lines.pop()
            lines += ["```", ""]
            is_code = False
        lines.append("" if not line.strip() else line if is_code else escape(line) if not line.startswith("- ")
                     else "- " + escape(line[2:]))
    return lines + ["```"] * is_code


# --- definitions ---

def is_public(name):
    return not name.startswith("_")


def decorators(node):
    return {getattr(each, "id", getattr(each, "attr", "")) for each in node.decorator_list}


def hint(node):
    return re.sub(r"\b_g\.", "", ast.unparse(node))


def list_parameters(arguments):
    """Each as it is written, but for what it is called on."""
    def say(each, default, stars=""):
        text = stars + each.arg + (": " + hint(each.annotation) if each.annotation else "")
        equals = " = " if each.annotation else "="
        return text + (equals + ast.unparse(default) if default is not None else "")
    plain = arguments.posonlyargs + arguments.args
    defaults = [None] * (len(plain) - len(arguments.defaults)) + arguments.defaults
    shown = [say(each, default) for each, default in zip(plain, defaults) if each.arg not in ("self", "cls")]
    if arguments.vararg:
        shown.append(say(arguments.vararg, None, "*"))
    elif arguments.kwonlyargs:
        shown.append("*")
    shown += [say(each, default) for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults)]
    return shown + ([say(arguments.kwarg, None, "**")] if arguments.kwarg else [])


def make_signature(node, name):
    result = "" if node.returns is None else " -> " + hint(node.returns)
    if decorators(node) & {"property", "cached_property"}:
        return "%s%s" % (name, result.replace(" -> ", ": "))
    before = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    parameters = list_parameters(node.args)
    line = "%s%s(%s)%s" % (before, name, ", ".join(parameters), result)
    return line if len(line) <= WIDTH else "%s%s(\n    %s,\n)%s" % (before, name, ",\n    ".join(parameters), result)


def owner_of(node):
    """What a method is called on, in examples: an instance by a short name."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", node.name).lower().rpartition("_")[2]


def write_function(node, title, level, called):
    return ["%s %s" % ("#" * level, title), "", "```python", make_signature(node, called), "```", "",
            *prose(ast.get_docstring(node) or ""), ""]


def write_special(node, name):
    shown = [SPECIAL[item.name] % name for item in node.body
             if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and item.name in SPECIAL]
    return ["In Python's own words: %s." % ", ".join("`%s`" % each for each in dict.fromkeys(shown)), ""] if shown else []


def methods_of(node):
    """Functions of a class by name; of several under one name the first one that says something."""
    found = {}
    for item in node.body:
        if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)) and not decorators(item) & {"setter", "deleter"}:
            if item.name not in found or not ast.get_docstring(found[item.name]):
                found[item.name] = item
    return found


def write_class(node, before=""):
    title = before + node.name
    bases = [hint(base) for base in node.bases if hint(base) not in ("object", "Boxed", "Object", "Enum", "Flags")]
    lines = ["## %s" % title, "", *prose(ast.get_docstring(node) or ""), ""]
    if bases:
        lines += ["Derives from %s." % ", ".join("`%s`" % base for base in bases), ""]
    methods = methods_of(node)
    if "__init__" in methods and ast.get_docstring(node) and not before.startswith("Orrery"):
        lines += ["```python", make_signature(methods["__init__"], title).replace(" -> None", ""), "```", ""]
    lines += write_special(node, owner_of(node))
    fields = [item for item in node.body if isinstance(item, ast.AnnAssign) and is_public(item.target.id)]
    if fields and not any(isinstance(base, ast.Attribute) and base.attr in ("Enum", "Flags") for base in node.bases):
        lines += ["Attributes: %s." % ", ".join("`%s: %s`" % (item.target.id, hint(item.annotation)) for item in fields), ""]
    virtual = [item for name, item in methods.items() if name.startswith("do_")]
    for name, item in methods.items():
        if is_public(name) and item not in virtual and name != "props":
            lines += write_function(item, "%s.%s" % (node.name, name), 3, "%s.%s" % (owner_of(node), name)
                                    if not decorators(item) & {"classmethod", "staticmethod"} else "%s.%s" % (title, name))
    if virtual:
        lines += ["### %s: what a class may have" % node.name, "", "Virtual functions, which a derived class implements; "
                  "[plugins in Python](python.md#your-own-sensor-modifier-controller-in-python) have them without `do_`.",
                  ""]
        for item in virtual:
            said = " ".join((ast.get_docstring(item) or "as in C").split())
            lines.append("- `%s`: %s" % (" ".join(make_signature(item, item.name).split()), escape(said)))
        lines.append("")
    return lines


# --- the package orrery ---

def find_rooms(gir):
    """The folder of host/ that each name of the typelib is from."""
    namespace = xml.parse(gir).getroot().find(CORE + "namespace")
    rooms = {}
    for node in namespace:
        position = node.find(CORE + "source-position")
        if position is None:
            position = node.find(CORE + "doc")
        match = re.search(r"host/(\w+)/", position.get("filename", "") if position is not None else "")
        if match and node.get("name"):
            rooms[node.get("name")] = match[1]
    return rooms


def write_items(items):
    """Functions, then classes, each in the order of names."""
    lines = []
    functions = [item for item in items if isinstance(item, ast.FunctionDef)]
    for item in sorted(functions, key=lambda item: item.name):
        lines += write_function(item, item.name, 2, "orrery." + item.name)
    for item in sorted((item for item in items if isinstance(item, ast.ClassDef)), key=lambda item: item.name):
        lines += write_class(item)
    return lines


def write_package(directory, gir, stub):
    rooms = find_rooms(gir)
    with open(stub, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    seen, by_page = set(), {name: [] for name in ("orrery", *PAGES)}
    pages = {room: page for page, (_, folders) in PAGES.items() for room in folders}
    for item in tree.body:
        if not isinstance(item, (ast.ClassDef, ast.FunctionDef)) or not is_public(item.name) or item.name in seen:
            continue
        if ast.get_docstring(item) or isinstance(item, ast.ClassDef):
            seen.add(item.name)
        room = rooms.get(item.name)
        by_page["orrery" if room is None else pages[room]].append(item)
    lines = ["# Python: the package orrery", "", "What `import orrery` offers beside the names of the C library, which "
             "have pages of their own: %s. [Python](python.md) is the tour. `help (orrery.load)` shows the same "
             "descriptions." % ", ".join("[%s](python-%s.md)" % (title, page) for page, (title, _) in PAGES.items()), ""]
    write(directory, "orrery", lines + write_items(by_page["orrery"]))
    for page, (title, folders) in PAGES.items():
        lines = ["# Python: %s" % (title[0].lower() + title[1:]), "", "Names of `orrery` that come from the C library. "
                 "Its errors are raised as `GLib.Error`, and what it gives back by pointers is returned. "
                 "[Python](python.md) is the tour.", ""]
        write(directory, page, lines + write_items(by_page[page]))


# --- packages beside it ---

class Module:
    """A source file: its definitions, and what it imports from files beside it."""

    known = {}

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.tree = ast.parse(file.read())
        self.places = {}
        for item in ast.walk(self.tree):
            if isinstance(item, ast.ImportFrom) and item.level == 1 and item.module:
                beside = os.path.join(os.path.dirname(path), *item.module.split(".")) + ".py"
                self.places.update({each.asname or each.name: (beside, each.name) for each in item.names})

    @classmethod
    def of(cls, path):
        if path not in cls.known:
            cls.known[path] = cls(path)
        return cls.known[path]

    def find(self, name):
        """(module, definition) of a name, here or where it is from; or None."""
        for item in self.tree.body:
            if isinstance(item, (ast.FunctionDef, ast.ClassDef)) and item.name == name:
                return self, item
        path, own = self.places.get(name, ("", ""))
        return Module.of(path).find(own) if os.path.exists(path) else None

    def find_base(self, base):
        """The same of the base of a class, as `Env` or `_api.BaseEnv`."""
        if isinstance(base, ast.Name):
            return self.find(base.id)
        if isinstance(base, ast.Attribute) and isinstance(base.value, ast.Name):
            path = os.path.join(os.path.dirname(self.path), base.value.id + ".py")
            return Module.of(path).find(base.attr) if os.path.exists(path) else None
        return None

    def inherit(self, node, public):
        """Documented methods of bases that are not public themselves."""
        found = {}
        for base in node.bases:
            place = self.find_base(base)
            if place is None or place[1].name in public or not isinstance(place[1], ast.ClassDef):
                continue
            found = {**place[0].inherit(place[1], public), **methods_of(place[1]), **found}
        return found


class Package:
    """The public names of a package, found in its sources."""

    def __init__(self, sources, name):
        self.name = name
        self.module = Module.of(os.path.join(sources, *name.split("."), "__init__.py"))

    def names(self):
        for item in self.module.tree.body:
            if isinstance(item, ast.Assign) and getattr(item.targets[0], "id", "") in ("__all__", "_OWN"):
                own = ast.literal_eval(item.value)
                shapes = [name for name, (path, _) in self.module.places.items() if path.endswith("/blenderobjects.py")]
                return sorted({*own, *(shapes if item.targets[0].id == "_OWN" else ())})
        return [item.name for item in self.module.tree.body
                if isinstance(item, (ast.FunctionDef, ast.ClassDef)) and is_public(item.name) and ast.get_docstring(item)]

    def definitions(self):
        """Those that are defined in Python, with what their bases bring."""
        names = self.names()
        for name in names:
            module, node = self.module.find(name) or (None, None)
            if isinstance(node, ast.ClassDef):
                own = methods_of(node)
                node.body = node.body + [item for each, item in module.inherit(node, names).items() if each not in own]
                # What has no description is for the package's own use.
                node.body = [item for item in node.body if isinstance(item, ast.Expr)
                             or isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef))
                             and (item.name.startswith("__") or ast.get_docstring(item))]
                node.bases = [base for base in node.bases if isinstance(base, ast.Name) and base.id in names]
            if node is not None:
                yield node

    def write(self):
        lines = prose(inspect.cleandoc(ast.get_docstring(self.module.tree) or "")) + [""]
        for node in self.definitions():
            if isinstance(node, ast.FunctionDef):
                lines += write_function(node, node.name, 2, "%s.%s" % (self.name, node.name))
            else:
                lines += write_class(node)
        return lines


def write_beside(directory, sources):
    for page, (title, guide, packages) in PACKAGES.items():
        lines = ["# Python: %s" % (title[0].lower() + title[1:]), "", "[%s](%s) explains how they are used." % (title, guide), ""]
        for name in packages:
            if len(packages) > 1:
                lines += ["`%s`:" % name, ""]
            lines += Package(sources, name).write()
        write(directory, page, lines)


def write(directory, page, lines):
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip("\n") + "\n"
    with open(os.path.join(directory, "python-%s.md" % page), "w", encoding="utf-8") as file:
        file.write(text)


def main(directory, sources, gir=None, stub=None):
    write_beside(directory, sources)
    if gir is not None:
        write_package(directory, gir, stub)


if __name__ == "__main__":
    main(*sys.argv[1:])
