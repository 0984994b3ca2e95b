# SPDX-License-Identifier: BSD-3-Clause
"""What is said of the names of the package: the comments of the C headers, which the GIR has, in the words of Python,
and the docstrings of the package's own sources, which are read and not imported."""

import ast
import glob
import inspect
import os
import re
import textwrap

CORE = "{http://www.gtk.org/introspection/core/1.0}"
C = "{http://www.gtk.org/introspection/c/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"

VALUES = {"NULL": "None", "TRUE": "True", "FALSE": "False"}
OUTSIDE = {"GVariant": "GLib.Variant", "GVariantType": "GLib.VariantType", "GError": "GLib.Error", "GBytes": "GLib.Bytes",
           "GMainContext": "GLib.MainContext", "GSource": "GLib.Source", "GObject": "GObject.Object", "GType": "GType",
           "GCancellable": "Gio.Cancellable", "GParamSpec": "GObject.ParamSpec", "GDestroyNotify": "a function",
           "gboolean": "bool", "gdouble": "float", "double": "float", "gint64": "int", "guint64": "int", "guint": "int",
           "gint": "int", "gsize": "int", "guint32": "int", "guint8": "int", "OrreryTime": "int"}
WIDTH = 100


def text_of(node):
    doc = node.find(CORE + "doc")
    return "" if doc is None or doc.text is None else doc.text


class Words:
    """Text of C headers in the words of Python: names, values, parameters."""

    def __init__(self, namespace):
        self.functions, self.constants, self.types = {}, {}, dict(OUTSIDE)
        structs = {node.get("name"): node.get(GLIB + "is-gtype-struct-for") for node in namespace.findall(CORE + "record")}
        for kind in "class", "record", "enumeration", "bitfield", "interface":
            for node in namespace.findall(CORE + kind):
                name = structs.get(node.get("name")) or node.get("name")
                self.types.setdefault(node.get(C + "type") or "Orrery" + name, name)
                self.learn(node, name + ".")
                for member in node.findall(CORE + "member"):
                    self.constants[member.get(C + "identifier")] = "%s.%s" % (name, member.get("name").upper())
        self.learn(namespace, "")
        for node in namespace.findall(CORE + "constant"):
            self.constants[node.get(C + "type")] = node.get("name")
        for node in namespace.findall(CORE + "callback"):
            self.types.setdefault(node.get(C + "type"), "a function")

    def learn(self, node, before):
        for kind in "method", "function", "constructor":
            for each in node.findall(CORE + kind):
                self.functions[each.get(C + "identifier")] = before + (each.get("shadows") or each.get("name"))

    def translate(self, text):
        """The text, with names of Python in backquotes; what is in such already stays."""
        self.last = None
        parts = re.split(r"(`[^`\n]*`)", text)
        return "".join(part if i % 2 else self.translate_plain(part) for i, part in enumerate(parts))

    def translate_plain(self, text):
        text = re.sub(r"\b(orrery_\w+|(?<!\w)_\w+) ?\(\)", self.function, text)
        text = re.sub(r"[%#]?\bORRERY_[A-Z0-9_]+\b", self.constant, text)
        text = re.sub(r"#([A-Za-z]\w+)(?:(\.|::?)([a-z][\w-]*)(?:\(\))?)?", self.type, text)
        text = re.sub(r"(?<![#`\w])Orrery[A-Z]\w+\b", self.type_alone, text)
        text = re.sub(r"%(NULL|TRUE|FALSE)\b", lambda match: VALUES[match[1]], text)
        text = re.sub(r"%(-?\w+)", r"\1", text)
        return re.sub(r"(?<![\w@])@(\w+)", r"`\1`", text)

    def function(self, match):
        name = self.functions.get(match[1])
        if name is None and match[1].startswith("_") and self.last is not None:
            near = self.last.rpartition(".")[0]
            known = "%s.%s" % (near, match[1][1:])
            name = known if known in self.functions.values() else None
        if name is None:
            return match[0]
        self.last = name
        return "`%s ()`" % name

    def constant(self, match):
        name = self.constants.get(match[0].lstrip("%#"))
        return "`%s`" % name if name else match[0].lstrip("%#")

    def type(self, match):
        name = self.types.get(match[1], match[1])
        if match[2] is None:
            return "`%s`" % name
        # A signal keeps its name, a property is an attribute.
        return "`%s::%s`" % (name, match[3]) if match[2] == "::" else "`%s.%s`" % (name, match[3].replace("-", "_"))

    def type_alone(self, match):
        return self.types[match[0]] if match[0] in self.types else match[0]


def fold(text, before="", after=""):
    """A paragraph in lines, the first with `before`, the others with `after` in front."""
    return textwrap.fill(" ".join(text.split()), WIDTH, initial_indent=before, subsequent_indent=after,
                         break_long_words=False, break_on_hyphens=False)


def paragraphs(text):
    return [part for part in re.split(r"\n\s*\n", inspect.cleandoc(text)) if part.strip()]


def flow(text):
    """Paragraphs, wrapped; lists and code stay as they are."""
    return "\n\n".join(part if re.match(r"\s*[-*|] |\s{2,}|```", part) else fold(part) for part in paragraphs(text))


def capital(text):
    return text[:1].upper() + text[1:]


# `TRUE, or FALSE with an error` says no more in Python than that there is one; beside a value it is raised, too.
FAILS = re.compile(r"%TRUE(?: after that)?[,;:] (?:or )?%FALSE\b[,:]?\s*(?:with |if |and |where |when )?")
ALSO_FAILS = re.compile(r"(?:^|[,;] )(?:or |else |and )?%(?:NULL|FALSE) with ")
ERROR = re.compile(r"@error set(?:: )?")
OR_NONE = re.compile(r"[,;] or %NULL$")
# What is the caller's to free in C is nobody's affair in Python.
MEMORY = re.compile(r"(?:^|(?<=[.;:] ))[^.;:]*\b(?:g_free|g_strfreev|g_object_unref|orrery_\w+_(?:unref|free))\(\)[^.;]*(?:\.|;|$)")


def read_structs(namespace, root):
    """What the headers say of the functions of class structs, by class and name: the GIR leaves that out."""
    found = {}
    for record in namespace.findall(CORE + "record"):
        owner, position = record.get(GLIB + "is-gtype-struct-for"), record.find(CORE + "source-position")
        if owner is None or position is None:
            continue
        with open(os.path.join(root, position.get("filename")), encoding="utf-8") as file:
            block = re.search(r"/\*\*\n \* %s:\n(.*?)\*/" % record.get(C + "type"), file.read(), re.S)
        lines = re.sub(r"^ \* ?", "", block[1], flags=re.M) if block else ""
        for name, text in re.findall(r"^@(\w+):(.*?)(?=^@|^\s*$|\Z)", lines, re.M | re.S):
            found[owner, name] = re.sub(r"^(?:\s*\([\w -]+\):?)+:?", "", " ".join(text.split())).strip()
    return found


class Gir:
    """Descriptions by name, as `Simulation.step`, of what the GIR has; `root` is where the headers that it names are."""

    def __init__(self, namespace, root):
        self.namespace = namespace
        self.words = Words(namespace)
        self.structs = read_structs(namespace, root)

    def say(self, text):
        return flow(self.words.translate(MEMORY.sub("", " ".join(text.split()) if not re.search(r"\n\s*\n|\n\s*[-*|`]| {4}", text)
                                                    else text)))

    def main(self, node):
        """What is said of something, without parameters and result."""
        return self.say(text_of(node))

    def result(self, node):
        """(what is returned, what is raised) in the text of the header: a truth value beside an error says no more
        than that there is one."""
        returned = node.find(CORE + "return-value")
        text = "" if returned is None else " ".join(text_of(returned).split())
        if node.get("throws") != "1":
            return text, None
        match = FAILS.match(text)
        if match:
            return "", ERROR.sub("", text[match.end():])
        match = ALSO_FAILS.search(text)
        return (text[:match.start()], text[match.end():]) if match else (OR_NONE.sub("", text), "")

    def virtual(self, node, owner):
        """Of a virtual function: what the class struct says of it."""
        return fold(capital(self.words.translate(self.structs.get((owner, node.get("name")), ""))))

    def function(self, node, given):
        """Of a function, with the parameters of these names, as Python has them."""
        parts = [self.main(node)]
        listed = node.find(CORE + "parameters")
        parameters = [] if listed is None else listed.findall(CORE + "parameter")
        says, out = [], []
        for parameter in parameters:
            name, text = parameter.get("name"), self.words.translate(text_of(parameter))
            if parameter.get("direction") in ("out", "inout") and text:
                out.append("`%s`: %s" % (name, text))
            elif text and (name in given or name + "_" in given):
                says.append(fold("%s: %s" % (name, text), "- ", "  "))
        if says:
            parts.append("Parameters:\n\n" + "\n".join(says))
        returned, raised = self.result(node)
        returned = "; ".join([self.words.translate(returned)] * bool(returned) + out)
        if returned:
            parts.append(fold("Returns: " + returned))
        if raised is not None and (raised or any(parts) or returned):
            parts.append(fold("Raises `GLib.Error`%s%s" % (": " * bool(raised), self.words.translate(raised))))
        return "\n\n".join(part for part in parts if part)

    def value(self, node):
        """Of the function behind a property: what it returns is the value."""
        main, value = self.main(node), self.words.translate(text_of(node.find(CORE + "return-value")))
        return "%s\n\n%s" % (main, fold("Value: " + value)) if main else fold(capital(value) + ".")

    def members(self, node, kind, title, rename=str, namespace=CORE):
        """A list of what a class has, with what is said of each."""
        says = [fold("%s: %s" % (rename(each.get("name")), self.words.translate(text_of(each))), "- ", "  ")
                for each in node.findall(namespace + kind) if text_of(each) and each.get("introspectable") != "0"
                and each.get("private") != "1"]
        return "%s:\n\n%s" % (title, "\n".join(says)) if says else ""

    def type(self, node):
        parts = [self.main(node), self.members(node, "member", "Members", str.upper)]
        if node.tag == CORE + "record":
            parts.append(self.members(node, "field", "Fields"))
        parts.append(self.members(node, "property", "Properties", lambda name: name.replace("-", "_")))
        parts.append(self.members(node, "signal", "Signals", namespace=GLIB))
        return "\n\n".join(part for part in parts if part)


# --- the package's sources ---

class Sources:
    """Docstrings of the modules of the package, by the names under which the package shows what has them."""

    def __init__(self, directory):
        self.modules = {}
        for path in sorted(glob.glob(os.path.join(directory, "*.py"))):
            with open(path, encoding="utf-8") as file:
                self.modules[os.path.basename(path)[:-3]] = ast.parse(file.read())
        self.nodes = {}  # `load`, `Simulation.step`, `Recording.messages`
        self.elsewhere = set()  # functions of the package whose docstring is that of another, which they call
        self.getters = {}  # of a property that calls a function of the typelib, as `Simulation.ticks`, its name
        for module, tree in self.modules.items():
            for item in tree.body:
                if isinstance(item, ast.FunctionDef) and item.name == "extend":
                    self.read_extension(module, item)
        self.read_names()

    def find(self, module, name):
        """The class or function of that name at the top of a module, or in what it imports from another."""
        for item in self.modules[module].body:
            if isinstance(item, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)) and item.name == name:
                return item
            if isinstance(item, ast.If):
                for inner in item.body + item.orelse:
                    if isinstance(inner, ast.ClassDef) and inner.name == name:
                        return inner
        return None

    def resolve(self, module, value):
        """The definition that an expression names: a name, `_tasks.Sleep`, property (name)."""
        if isinstance(value, ast.Name):
            return self.find(module, value.id)
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.value.id in self.modules:
            return self.find(value.value.id, value.attr)
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.args and \
                value.func.id in ("property", "staticmethod", "classmethod"):
            return self.resolve(module, value.args[0])
        return None

    def read_extension(self, module, function):
        """`Orrery.Simulation.step = step`, and the same by a short name for the class."""
        short = {}
        for item in ast.walk(function):
            if not isinstance(item, ast.Assign) or len(item.targets) != 1:
                continue
            targets, values = item.targets, [item.value]
            if isinstance(item.targets[0], ast.Tuple) and isinstance(item.value, ast.Tuple):
                targets, values = item.targets[0].elts, item.value.elts
            for target, value in zip(targets, values):
                if isinstance(target, ast.Name) and isinstance(value, ast.Attribute):
                    short[target.id] = value.attr
                if not isinstance(target, ast.Attribute):
                    continue
                owner = target.value
                name = owner.attr if isinstance(owner, ast.Attribute) else short.get(getattr(owner, "id", ""))
                if not name:
                    continue
                self.note("%s.%s" % (name, target.attr), self.resolve(module, value))
                if isinstance(value, ast.Call) and value.args and isinstance(value.args[0], ast.Lambda):
                    self.read_lambda(module, "%s.%s" % (name, target.attr), value.args[0])

    def read_lambda(self, module, name, function):
        """A property may call a function of the module, or one of the typelib on what it is a property of."""
        called = function.body
        if isinstance(called, ast.Call) and isinstance(called.func, ast.Name):
            self.nodes[name] = self.find(module, called.func.id)
            self.elsewhere.add(name)
        if self.nodes.get(name) is None:
            for item in ast.walk(called):
                if isinstance(item, ast.Attribute) and getattr(item.value, "id", "") == "self":
                    self.getters[name] = item.attr

    def note(self, name, node):
        self.nodes[name] = node
        if isinstance(node, ast.ClassDef):
            for item in node.body:
                if isinstance(item, (ast.FunctionDef, ast.AsyncFunctionDef)):
                    self.nodes["%s.%s" % (name, item.name)] = item
                elif isinstance(item, ast.Assign) and isinstance(item.value, ast.Name):
                    self.nodes["%s.%s" % (name, item.targets[0].id)] = self.nodes.get("%s.%s" % (name, item.value.id))
            for base in node.bases:
                parent = self.resolve_base(node, base)
                for item in parent.body if parent is not None else ():
                    if isinstance(item, ast.FunctionDef):
                        self.nodes.setdefault("%s.%s" % (name, item.name), item)

    def resolve_base(self, node, base):
        for module, tree in self.modules.items():
            if node in tree.body:
                return self.resolve(module, base)
        return None

    def read_names(self):
        """NAMES of _native, and of _plugins within."""
        for item in self.modules["_native"].body:
            if not (isinstance(item, ast.Assign) and getattr(item.targets[0], "id", "") == "NAMES"):
                continue
            for key, value in zip(item.value.keys, item.value.values):
                if key is not None:
                    self.note(key.value, self.resolve("_native", value))
        for item in self.modules["_plugins"].body:
            if isinstance(item, ast.Assign) and getattr(item.targets[0], "id", "") == "NAMES":
                for name in ast.literal_eval(item.value):
                    node = self.find("_plugins", name) or self.find("_faults", name)
                    self.note(name, node)
        # What `async with` gives, and what reading a receiver gives, have no name in the package; others are imported
        # where they are called.
        for name, (module, own) in UNNAMED.items():
            if isinstance(self.nodes.get(name), ast.FunctionDef):
                self.elsewhere.add(name)
            self.note(name, self.find(module, own))

    def get(self, name):
        node = self.nodes.get(name)
        return inspect.cleandoc(ast.get_docstring(node) or "") if node is not None else ""


UNNAMED = {"batch": ("_batch", "batch"), "run_batch": ("_batch_tables", "run_batch"), "Names": ("_live", "Node"),
           "Client": ("_live", "Client"), "Batch": ("_batch", "Batch"), "Records": ("_batch", "Records"),
           "BatchTable": ("_batch_tables", "BatchTable"), "PipeReading": ("_channels", "Reading"),
           "RecordedTick": ("_recording", "RecordedTick"),
           "StopEvent": ("_hybrid", "StopEvent"), "Contacts": ("_bulk", "Contacts")}
