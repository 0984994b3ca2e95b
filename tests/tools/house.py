# SPDX-License-Identifier: BSD-3-Clause
"""The house rules, each a function that takes a tree and returns what breaks it, as `file:line: words`."""

import ast
import os
import re
import statistics
import subprocess

C_SUFFIXES = (".c", ".h", ".cpp")
CODE_SUFFIXES = C_SUFFIXES + (".py", ".sh")
SOURCE_SUFFIXES = CODE_SUFFIXES + (".mk", ".am", ".ac")
TEXT_SUFFIXES = SOURCE_SUFFIXES + (".md", ".json", ".in", ".txt")

MAX_FILE = 800
MAX_FUNCTION = 80
MAX_NESTING = 3
MAX_SUBJECT = 72
MAX_SOURCES = 25
MAX_COLUMNS = 100

# What a build leaves in a source tree.
GENERATED_DIRECTORIES = {".git", "autom4te.cache", "build-aux", "__pycache__"}
GENERATED_FILES = {"configure", "configure~", "aclocal.m4", "Makefile.in", "config.h.in", "config.h.in~"}

# A layer of host/ sees itself and those before it.
LAYERS = ("base", "text", "record", "message", "recording", "world", "part", "roles", "process", "channel",
          "loop", "worker", "tick", "registry", "scene", "assembly", "simulation")
# These build as a library of their own, which knows nothing of a simulation.
LOOP_LAYERS = ("base", "text", "record", "process", "channel", "loop")
PLUGIN_ROOMS = ("plugins", "modifiers", "middleware")
# The third-party headers that a plugin with a library of its own may include, beside GLib's and libc's.
PLUGIN_LIBRARIES = ("assimp/", "bullet/", "Bullet", "Linear", "btBullet", "EGL/", "embree3/", "embree4/", "fastdds/", "fastrtps/",
                    "gdk-pixbuf/", "libsoup/", "mujoco/")

# Folders whose sources all say in one sentence what they are for.
WITH_HEADS = ("host/base", "host/text", "host/record", "host/message", "host/recording", "host/world", "host/part", "host/roles", "host/process",
              "host/channel", "host/loop", "host/worker", "host/tick", "host/registry", "host/scene", "host/assembly",
              "host/simulation", "host/cli", "host/cli/batch", "host/cli/recording", "host/cli/replay", "host/cli/support", "middleware", "middleware/dds", "middleware/mavlink",
              "middleware/message", "middleware/mqtt", "middleware/ros", "middleware/ros/overlays", "middleware/rosbridge", "middleware/sitl", "middleware/sockets",
              "middleware/viewer", "middleware/web", "modifiers", "modifiers/noise", "plugins/sensors", "plugins/actuators", "plugins/core",
              "plugins/observers", "plugins/scripts", "plugins/physics", "plugins/physics/bullet", "plugins/physics/mujoco", "plugins/raycasters",
              "plugins/raycasters/embree", "plugins/renderers/mujoco", "plugins/importers/blend",
              "plugins/importers/mesh", "plugins/importers/picture", "plugins/importers/robot", "python/access")

# Words that hide what they mean, and the folders in which they no longer occur.
INVENTED_WORDS = (r"births?|nurser(?:y|ies)|voices?|voiced|hear|hears|heard|hearing|greet|greets|greeted|culprits?|"
                  r"prospects?|obey\w*|wish|wishes|wished|wishing|grants?|granted|granting|forgiv\w*|forgave|lenders?|"
                  r"harden\w*|dress|dressed|dresses|dressing|stash\w*|berths?")
WITHOUT_INVENTED_WORDS = ("host/base", "host/text", "host/record", "host/message", "host/recording", "host/world", "host/part", "host/roles",
                          "host/process", "host/channel", "host/loop", "host/worker", "host/tick", "host/registry",
                          "host/scene", "host/assembly", "host/simulation", "host/cli", "host/cli/batch", "host/cli/recording", "host/cli/replay", "host/cli/support",
                          "middleware", "middleware/dds", "middleware/mavlink", "middleware/message", "middleware/mqtt", "middleware/ros",
                          "middleware/ros/overlays", "middleware/rosbridge", "middleware/sitl", "middleware/sockets", "middleware/viewer", "middleware/web", "modifiers",
                          "modifiers/noise", "plugins/sensors",
                          "plugins/actuators", "plugins/core", "plugins/observers", "plugins/scripts", "plugins/physics",
                          "plugins/physics/bullet", "plugins/physics/mujoco", "plugins/raycasters",
                          "plugins/raycasters/embree", "plugins/renderers/mujoco", "plugins/importers/blend",
                          "plugins/importers/mesh", "plugins/importers/picture", "plugins/importers/robot",
                          "python/access", "python/orrery", "python/orrery/builder", "python/orrery/morse", "docs",
                          "examples")


class Tree:
    """A source tree: its files, read once."""

    def __init__(self, root):
        self.root = root
        self._texts = {}

    def files(self, suffixes, under=""):
        found = []
        for place, directories, names in os.walk(os.path.join(self.root, under)):
            directories[:] = sorted(d for d in directories if d not in GENERATED_DIRECTORIES and
                                    not (os.path.samefile(place, self.root) and d.startswith("build")))
            for name in sorted(names):
                if name.endswith(suffixes) and name not in GENERATED_FILES:
                    found.append(os.path.relpath(os.path.join(place, name), self.root))
        return found

    def text(self, path):
        if path not in self._texts:
            with open(os.path.join(self.root, path), encoding="utf-8") as file:
                self._texts[path] = file.read()
        return self._texts[path]

    def lines(self, path):
        return self.text(path).splitlines()


def is_public(path):
    return path.endswith(".h") and not path.endswith(("-private.h", "-internal.h"))


def without_comments(text):
    """C with comments and the insides of strings blanked; lines stay where they are."""
    def blank(match):
        token = match.group(0)
        if token.startswith("/"):
            return re.sub(r"[^\n]", " ", token)
        return token[0] + " " * (len(token) - 2) + token[-1]
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text, flags=re.S)


# --- who includes whom ---

def includes(tree, path):
    for number, line in enumerate(tree.lines(path), 1):
        match = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def host_include_fault(path, name):
    """Why a file of a layer may not include a header of ours, or None."""
    layer = path.split("/")[1]
    target = name.split("/")[0]
    if name == "config.h" or target not in LAYERS:
        return None
    if LAYERS.index(target) > LAYERS.index(layer):
        return "%s sees no %s" % (layer, target)
    if name.endswith("-private.h") and is_public(path):
        return "a public header includes a private one"
    return None


def internal_include_fault(path, name):
    """A header that ends in -internal.h is for its own folder of host/ and for the tests of that."""
    room = os.path.dirname(name)
    if name.endswith("-internal.h") and (is_public(path) or os.path.dirname(path) not in ("host/" + room, "tests/" + room)):
        return "only sources of host/%s may include it" % room
    return None


def outsider_include_fault(tree, path, quote, name):
    """The same for plugins and for the program, which have <orrery.h>, other people's headers and their own files."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
    kind = "/".join(path.split("/")[:2 if path.startswith(("plugins/", "host/")) else 1]) + "/"
    if quote == "<" and name == "orrery.h":
        return None
    # Private sources may be shared by plugins of one kind; no plugin is a source of another.
    if quote == '"' and beside.startswith(kind) and name.endswith(".h") and \
            os.path.exists(os.path.join(tree.root, beside)):
        return None
    if quote == "<" and (name.startswith(("glib", "gio/", "gobject/", "sys/", "netinet/", "arpa/", "linux/"))
                         or re.fullmatch(r"[a-z0-9_]+(\.h)?", name) or name.startswith(PLUGIN_LIBRARIES)):
        return None
    return "only <orrery.h>, GLib, libc, its own library and files beside it may be included"


def check_includes(tree):
    faults = []
    for path in tree.files(C_SUFFIXES):
        parts = path.split("/")
        for number, quote, name in includes(tree, path):
            fault = internal_include_fault(path, name)
            if fault is None and parts[0] == "host" and parts[1] in LAYERS:
                fault = host_include_fault(path, name)
            elif fault is None and (parts[0] in PLUGIN_ROOMS or parts[:2] == ["host", "cli"]):
                fault = outsider_include_fault(tree, path, quote, name)
            if fault:
                faults.append("%s:%d: includes %s: %s" % (path, number, name, fault))
    return faults


# --- rooms ---

def check_room_sizes(tree):
    """A folder of host/ holds at most MAX_SOURCES sources."""
    sizes = {}
    for path in tree.files((".c", ".cpp"), "host"):
        sizes[os.path.dirname(path)] = sizes.get(os.path.dirname(path), 0) + 1
    return ["%s: %d sources, at most %d" % (folder, size, MAX_SOURCES)
            for folder, size in sorted(sizes.items()) if size > MAX_SOURCES]


def check_room_sentences(tree, page="docs/architecture.md"):
    """Each folder of host/ has a row in the page: | `host/base` | what it is for. |"""
    said = {}
    for line in tree.lines(page) if os.path.exists(os.path.join(tree.root, page)) else ():
        match = re.match(r"\| `(host/[^`]+)` \| (.*) \|$", line)
        if match:
            said[match.group(1)] = match.group(2)
    folders = {os.path.dirname(path) for path in tree.files((".c", ".cpp"), "host")}
    return ["%s: no sentence in %s" % (folder, page) for folder in sorted(folders - set(said))] + \
        ["%s: %s has a sentence for a folder that is not there" % (folder, page) for folder in sorted(set(said) - folders)]


def object_symbols(path):
    """The symbols of ours that an object defines, and those that it needs."""
    out = subprocess.run(["nm", path], check=True, capture_output=True, text=True).stdout
    defined, needed = set(), set()
    for words in (line.split() for line in out.splitlines() if line):
        if words[-2] in "TDRBCVWu":
            defined.add(words[-1])
        elif words[-2] == "U" and words[-1].startswith("orrery_"):
            needed.add(words[-1])
    return defined, needed


def check_calls_upwards(tree, build, rooms=LAYERS):
    """No object of host/ needs a symbol of a room above its own, or of a room that is not among @rooms."""
    objects = []
    for room in rooms:
        for path in tree.files((".c", ".cpp"), os.path.join("host", room)):
            name = "libhost_a-%s.o" % os.path.splitext(os.path.basename(path))[0]
            objects.append((room, name) + object_symbols(os.path.join(build, "host", room, name)))
    homes = {symbol: room for room, _, defined, _ in objects for symbol in defined}
    faults = []
    for room, name, _, needed in objects:
        for symbol in sorted(needed):
            home = homes.get(symbol)
            if home is None:
                faults.append("host/%s/%s: needs %s, which none of %s has" % (room, name, symbol, ", ".join(rooms)))
            elif rooms.index(home) > rooms.index(room):
                faults.append("host/%s/%s: calls up: %s of %s" % (room, name, symbol, home))
    return faults


# --- sizes ---

def check_file_lengths(tree):
    return ["%s: %d lines, at most %d" % (path, len(tree.lines(path)), MAX_FILE)
            for path in tree.files(CODE_SUFFIXES) if len(tree.lines(path)) > MAX_FILE]


def c_functions(text):
    """(first line, number of lines, body) of each function: formatted, its braces stand alone in column 0."""
    lines = without_comments(text).splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{":
            start = number
        elif line == "}" and start is not None:
            yield start, number - start + 1, lines[start - 1:number]
            start = None


def python_functions(text):
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno - node.lineno + 1, None


def functions(tree, path):
    return python_functions(tree.text(path)) if path.endswith(".py") else c_functions(tree.text(path))


def check_function_lengths(tree):
    return ["%s:%d: a function of %d lines, at most %d" % (path, line, length, MAX_FUNCTION)
            for path in tree.files((".c", ".cpp", ".py")) for line, length, _ in functions(tree, path)
            if length > MAX_FUNCTION]


def function_statistics(tree, suffixes=(".c", ".cpp")):
    """Number, median and 90th percentile of the lengths of functions outside of tests."""
    lengths = sorted(length for path in tree.files(suffixes) if not path.startswith("tests/")
                     for _, length, _ in functions(tree, path))
    if not lengths:
        return 0, 0, 0
    return len(lengths), statistics.median(lengths), lengths[int(0.9 * (len(lengths) - 1))]


def check_nesting(tree):
    """Formatted, a statement stands two columns right of the one that holds it."""
    faults = []
    for path in tree.files((".c", ".cpp")):
        for start, _, body in c_functions(tree.text(path)):
            for offset, line in enumerate(body):
                match = re.match(r"( *)(?:if|for|while|do|switch)\b", line)
                if match and len(match.group(1)) > 2 * MAX_NESTING:
                    faults.append("%s:%d: nested deeper than %d" % (path, start + offset, MAX_NESTING))
    return faults


# --- words ---

def check_licences(tree):
    faults = []
    for path in tree.files(SOURCE_SUFFIXES) + ["bootstrap"] * os.path.exists(os.path.join(tree.root, "bootstrap")):
        first = tree.lines(path)[:2]
        if first and first[0].startswith("#!"):
            first = first[1:]
        # Scripts of users, as they wrote them.
        if path.startswith("examples/") and path.endswith(".py"):
            continue
        if not first or "SPDX-License-Identifier: BSD-3-Clause" not in first[0]:
            faults.append("%s:1: no SPDX line first" % path)
    return faults


def check_words(tree):
    """Marks of work not done, and paths of somebody's machine."""
    marks = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" * 3, "HA" + "CK")) + r")\b")
    machine = re.compile(r"(?<![\w.$}{])/(home|root|work|Users)/\w")
    faults = []
    for path in tree.files(TEXT_SUFFIXES):
        for number, line in enumerate(tree.lines(path), 1):
            if marks.search(line):
                faults.append("%s:%d: work not done: %s" % (path, number, line.strip()))
            if machine.search(line):
                faults.append("%s:%d: path of one machine: %s" % (path, number, line.strip()))
    return faults


def check_heads(tree, folders=WITH_HEADS):
    """After the SPDX line a source says in one sentence what it is for."""
    faults = []
    for path in tree.files((".c", ".cpp")):
        if os.path.dirname(path) in folders and \
                not re.match(r"[^\n]*\n\s*/\*[\s*]+[\w`](?:(?!\*/)[\s\S])*\.\s*\*/\n", tree.text(path)):
            faults.append("%s:2: no sentence that says what it is for" % path)
    return faults


def words_of(line):
    """A line with its identifiers taken apart."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", line)


def check_invented_words(tree, folders=WITHOUT_INVENTED_WORDS):
    invented = re.compile(r"\b(?:%s)\b" % INVENTED_WORDS, re.I)
    faults = []
    for path in tree.files(CODE_SUFFIXES + (".md",)):
        if os.path.dirname(path) in folders:
            for number, line in enumerate(tree.lines(path), 1):
                match = invented.search(words_of(line))
                if match:
                    faults.append("%s:%d: %s: %s" % (path, number, match.group(0), line.strip()))
    return faults


def check_markdown_width(tree):
    """Prose is wrapped; tables, code and what has no space to break at are not."""
    faults = []
    for path in tree.files((".md",)):
        code = False
        for number, line in enumerate(tree.lines(path), 1):
            code ^= line.lstrip().startswith("```")
            breakable = re.search(r"\S\s+\S", re.sub(r"^\s*([-*>]|\d+\.)\s+", "", line))
            if not code and len(line) > MAX_COLUMNS and not line.startswith("|") and breakable:
                faults.append("%s:%d: %d columns, at most %d" % (path, number, len(line), MAX_COLUMNS))
    return faults


def check_calls(tree):
    """No goto anywhere; libraries neither print nor exit."""
    printing = re.compile(r"(?<![\w.>])(v?printf|puts|putchar|perror|g_print|g_printerr|exit|abort|g_error|g_abort|"
                          r"g_on_error_\w+|v?fprintf(?=\s*\(std)|f?put[cs](?=\s*\([^;]*, std))\s*\(")
    faults = []
    for path in tree.files((".c", ".cpp", ".h")):
        library = path.startswith(("host/",) + tuple(room + "/" for room in PLUGIN_ROOMS)) and \
            not path.startswith(("host/cli/", "plugins/importers/robot/read-"))
        for number, line in enumerate(without_comments(tree.text(path)).splitlines(), 1):
            if re.search(r"\bgoto\b", line):
                faults.append("%s:%d: goto" % (path, number))
            match = printing.search(line) if library else None
            if match:
                faults.append("%s:%d: a library calls %s" % (path, number, match.group(1)))
    return faults


# --- interfaces ---

def documented_names(text):
    return set(re.findall(r"/\*\*\s*\*?\s*(\w+):", text))


def public_functions(text):
    code = without_comments(text)
    for match in re.finditer(r"^ORRERY_API\s+[^;{]*?\b(orrery_\w+)\s*\([^;{]*\)[^;{]*;", code, flags=re.M):
        yield code.count("\n", 0, match.start(1)) + 1, match.group(1)


def check_documentation(tree):
    """Only what is the same for every type goes without words."""
    faults = []
    for path in tree.files((".h",), "host"):
        if not is_public(path) or path.startswith("host/cli/"):
            continue
        known = documented_names(tree.text(path))
        for number, name in public_functions(tree.text(path)):
            if name not in known and not re.search(r"_(ref|unref|free|get_type)$", name):
                faults.append("%s:%d: %s has no doc comment" % (path, number, name))
    return faults


def check_class_structs(tree):
    """A class that others derive from has room to grow."""
    faults = []
    for path in tree.files((".h",), "host"):
        code = without_comments(tree.text(path))
        derivable = set(re.findall(r"G_DECLARE_DERIVABLE_TYPE\s*\(\s*(\w+)", code))
        for name in sorted(derivable):
            match = re.search(r"struct _%sClass\s*\{(.*?)\n\};" % name, code, flags=re.S)
            if not match or not re.search(r"gpointer _reserved\[[1-8]\];\s*$", match.group(1)):
                faults.append("%s: %sClass does not end in gpointer _reserved[8], or what is left of it" % (path, name))
    return faults


def list_symbols(option, binaries):
    """(binary, [kind, symbol]) of each dynamic symbol that nm lists with that option."""
    if not binaries:
        return []
    out = subprocess.run(["nm", "-D", "-A", option, *binaries], check=True, capture_output=True, text=True).stdout
    parts = [line.split(":", 1) for line in out.splitlines()]
    return [(binary, rest.split()[-2:]) for binary, rest in parts]


def exported_by(binaries):
    """Binary -> what it exports, sorted."""
    found = {binary: set() for binary in binaries}
    for binary, (kind, symbol) in list_symbols("--defined-only", binaries):
        if kind not in "vVwW":
            found[binary].add(symbol)
    return {binary: sorted(symbols) for binary, symbols in found.items()}


def exported_symbols(binary):
    return exported_by([binary])[binary]


def needed_symbols(binaries):
    return {symbol.split("@")[0] for _, (_, symbol) in list_symbols("--undefined-only", binaries)}


def introspected_names(gir):
    """What bindings call a function, by its name in C."""
    with open(gir, encoding="utf-8") as file:
        found = re.findall(r'<(?:method|function|constructor)\s+name="(\w+)"\s+c:identifier="(\w+)"', file.read())
    return {symbol: name for name, symbol in found}


def embedders_api(text):
    """What docs/architecture.md gives to programs that embed a simulation: headers, and functions one by one."""
    match = re.search(r"^## The API for embedders\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    names = set(re.findall(r"`([\w/-]+\.h|orrery_\w+)(?: \(\))?`", match.group(1))) if match else set()
    return {name for name in names if name.endswith(".h")}, {name for name in names if not name.endswith(".h")}


def check_unused_exports(tree, library, users, gir_names, page):
    """Exports that no plugin, no program, no Python of ours and no embedder has a use for."""
    used = needed_symbols(users)
    python = "".join(tree.text(path) for path in tree.files((".py",)) if not path.startswith("tests/"))
    written = set(re.findall(r"\borrery_\w+", "".join(
        tree.text(path) for path in tree.files((".c", ".h", ".in")) if path.startswith(("examples/", "host/cli/templates")))))
    attributes = set(re.findall(r"\.(\w+)\b", python))
    headers, functions_said = embedders_api(page)
    public = {path[len("host/"):]: tree.text(path) for path in tree.files((".h",), "host") if is_public(path)}
    for header in headers & set(public):
        functions_said |= set(re.findall(r"\b(orrery_\w+) \(", public[header]))
    faults = ["docs/architecture.md: names %s, which is no public header" % header for header in sorted(headers - set(public))]
    exported = exported_symbols(library)
    faults += ["docs/architecture.md: names %s (), which is not exported" % name
               for name in sorted(embedders_api(page)[1] - set(exported))]
    for symbol in exported:
        common = re.search(r"_(ref|unref|free|copy|get_type|quark)$", symbol)
        if not (common or symbol in used or symbol in written or symbol in functions_said or
                gir_names.get(symbol, "") in attributes):
            faults.append("%s: %s: nothing uses it" % (os.path.basename(library), symbol))
    return faults


def check_exports_documented(tree, library):
    """Every exported symbol has a doc comment in a public header; what is the same for every type goes without."""
    known = set().union(*(documented_names(tree.text(path)) for path in tree.files((".h",), "host") if is_public(path)))
    return ["%s: %s has no doc comment" % (os.path.basename(library), symbol) for symbol in exported_symbols(library)
            if symbol not in known and not re.search(r"_(ref|unref|free|get_type)$", symbol)]


def check_module_exports(binaries):
    return ["%s: exports %s, not orrery_plugin_desc alone" % (binary, ", ".join(symbols) or "nothing")
            for binary, symbols in exported_by(binaries).items() if symbols != ["orrery_plugin_desc"]]


def check_library_exports(binary):
    return ["%s: exports %s" % (binary, symbol) for symbol in exported_symbols(binary)
            if not symbol.startswith("orrery_")]


def check_headers_alone(headers, language, flags, compiler):
    """Whether a translation unit of nothing but these headers compiles, without a warning."""
    unit = "".join('#include "%s"\n' % header for header in headers)
    result = subprocess.run(compiler + ["-x", language, "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                                        "-Wno-unused-parameter", "-Wno-missing-field-initializers"] + flags + ["-"],
                            input=unit, capture_output=True, text=True)
    return [] if result.returncode == 0 else ["%s: not alone in %s: %s" % (", ".join(headers), language, result.stderr.strip())]


# --- commits ---

def check_subjects(subjects):
    shape = re.compile(r"[a-z][a-z0-9_./-]*(, [a-z][a-z0-9_./-]*)*: [A-Z].*[^.]")
    return ["%s: not `scope: Sentence` within %d characters" % (subject, MAX_SUBJECT) for subject in subjects
            if len(subject) > MAX_SUBJECT or not shape.fullmatch(subject)]


def check_format(tree):
    """What clang-format would change, by file."""
    faults = {}
    paths = list(tree.files(C_SUFFIXES))
    for i in range(0, len(paths), 50):
        result = subprocess.run(["clang-format", "--dry-run", "-Werror", *paths[i:i + 50]], cwd=tree.root,
                                capture_output=True, text=True)
        for line in result.stderr.splitlines():
            path = line.split(":", 1)[0]
            if ": error: " in line:
                faults.setdefault(path, "%s: %s" % (path, line))
        if result.returncode != 0 and not faults:
            faults[""] = "clang-format: %s" % result.stderr.strip()
    return list(faults.values())
