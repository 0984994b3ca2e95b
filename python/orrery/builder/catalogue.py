# SPDX-License-Identifier: BSD-3-Clause
"""What there is to build with, as one `orrery plugins --json` tells it.

The builder knows no component by heart: names, roles, levels, streams and fitting modifiers all
come from that list. Inside, classpaths begin with `orrery.`; what is written for the host begins
with `morse.` for the standard classes, as in MORSE's own files.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from typing import IO, Any, Dict, Iterable, Iterator, List, NamedTuple, Optional, Tuple

from . import models, morse_classes, session
from .errors import EXIT_MISSING, BuilderError, InternalError, MissingError, hint, nearest
from .packages import package_words

OWN = "orrery."
#: `geometry_msgs/Twist`, `geometry_msgs/msg/Twist`.
MESSAGE_TYPE = re.compile(r"[a-z]\w*/(msg/)?[A-Z]\w*", re.ASCII)
MORSE = "morse."
#: Behind the name of an environment: our own, where its file is not installed.
PLAIN = "-plain"
#: What an alias names that fits every component.
SPEAKER = "orrery: "  # before what the program says
ANY_COMPONENT = "orrery.core.component.Component"
ZERO = (0.0, 0.0, 0.0)
#: What files of plugins end in, in the order in which they are looked for.
FILES = (".so", ".py", os.sep + "__init__.py", ".json")
#: Of many files that cannot be read so many are told of.
SHOWN = 3
COMPONENT_ROLES = ("sensor", "actuator", "robot")


def canonical(classpath: str) -> str:
    """The classpath as the list of plugins spells it."""
    return OWN + classpath[len(MORSE) :] if classpath.startswith(MORSE) else classpath


def written(classpath: str) -> str:
    """The classpath as component_config and the scene spell it."""
    return MORSE + classpath[len(OWN) :] if classpath.startswith(OWN) else classpath


class Level(NamedTuple):
    """One realisation of a class; `classpath` is None where the class does it itself."""

    name: str
    classpath: Optional[str]
    default: bool


class Alias(NamedTuple):
    """A short name that a modifier or a codec has for one component, at one level or at all."""

    name: str
    component: str
    level: Optional[str]


class ClassInfo:
    """One class of the list."""

    def __init__(self, entry: Dict[str, Any], module: str) -> None:
        self.classpath = canonical(entry["classpath"])
        self.module = module
        self.name = entry.get("name") or self.classpath.rpartition(".")[2]
        self.base = canonical(entry["base"]) if entry.get("base") else None
        self.role = entry.get("role")
        self.frequency = entry.get("frequency")
        self.properties = dict(entry.get("properties") or {})
        self.place = {key: list(entry.get(key) or ZERO) for key in ("position", "rotation")}
        self.body: Dict[str, Any] = dict(entry.get("body") or {})
        self.levels = [_level(level) for level in entry.get("levels") or []]
        self.aliases = [_alias(alias) for alias in entry.get("aliases") or []]
        self.direction = (entry.get("direction") or "").upper() or None
        self.stream: Optional[str] = entry.get("stream")
        #: How a manager lays typed messages out.
        self.encoding: Optional[str] = entry.get("encoding")
        self.publisher: Optional[str] = entry.get("publisher")
        self.reader: Optional[str] = entry.get("reader")
        self.summary: str = entry.get("summary") or ""
        #: One of MORSE's for which there is no plugin: the host will name it.
        self.is_absent = False

    def level_names(self) -> List[str]:
        """The names of its levels."""
        return [level.name for level in self.levels]

    def default_level(self) -> Optional[str]:
        """The name of the level that counts where none is asked for; None without levels."""
        return next((level.name for level in self.levels if level.default), None)

    def level_without_stream(self) -> Optional[str]:
        """The level that the class itself is, which runs where no stream settles one.

        None where that is the default level, or the class has none of its own.
        """
        own = [level for level in self.levels if level.classpath is None]
        return own[0].name if own and not any(level.default for level in own) else None

    def level_classpath(self, name: Optional[str]) -> Optional[str]:
        """The class of that level; None where this class does it itself."""
        return next((level.classpath for level in self.levels if level.name == name), None)


def _level(entry: Dict[str, Any]) -> Level:
    path = entry.get("classpath")
    return Level(entry["name"], canonical(path) if path else None, bool(entry.get("default")))


def _alias(entry: Dict[str, Any]) -> Alias:
    return Alias(entry["alias"], canonical(entry["component"]), entry.get("level"))


class Catalogue:
    """All classes of one list, with the questions that the builder asks of them."""

    def __init__(self, document: Any) -> None:
        if not isinstance(document, dict) or document.get("orrery") != 1:
            raise InternalError(
                "the list of plugins is of no version that this builder reads (want 1)"
            )
        self.directories = document.get("directories") or []
        self.errors = document.get("errors") or []
        self.classes: Dict[str, ClassInfo] = {}
        self.absent: Dict[str, ClassInfo] = {}
        self._asked: Dict[str, Dict[str, Any]] = {}
        #: Classes in Python that lack what would make them plugins: their files by classpath.
        self.undeclared: Dict[str, str] = {}
        for module in document.get("modules") or []:
            for name in module.get("undeclared") or []:
                self.undeclared["%s.%s" % (module["module"], name)] = module.get("file", "?")
            for entry in module.get("classes") or []:
                info = ClassInfo(entry, module.get("module", ""))
                self.classes.setdefault(info.classpath, info)
        self._level_owners = {
            level.classpath: info
            for info in reversed(list(self.classes.values()))
            for level in info.levels
            if level.classpath
        }
        for info in self.classes.values():
            self._complete(info)

    def _complete(self, info: ClassInfo) -> None:
        """A JSON class has of its base what it does not say itself."""
        for base in self._bases(info):
            info.role = info.role or base.role
            info.frequency = info.frequency if info.frequency is not None else base.frequency
            info.levels = info.levels or base.levels

    def _bases(self, info: ClassInfo) -> Iterator[ClassInfo]:
        seen = {info.classpath}
        while info.base and info.base not in seen and info.base in self.classes:
            info = self.classes[info.base]
            seen.add(info.classpath)
            yield info

    # Classes

    def start(self, info: ClassInfo, key: str) -> List[float]:
        """The `position` or `rotation` that objects of the class begin with: the sum of its bases'."""
        places = [known.place[key] for known in (info, *self._bases(info))]
        return [float(sum(numbers)) for numbers in zip(*places)]

    def default(
        self, info: ClassInfo, level: Optional[str], name: str, is_asked: bool = True
    ) -> Any:
        """The value that a property of the class begins with; None where there is no such property.

        The code of the class is asked, too, if `is_asked`.
        """
        for path in self.lineage(info.classpath, level):
            known = self.classes.get(path)
            if known is not None and name in known.properties:
                return known.properties[name]
        chosen = info.level_classpath(level or info.default_level())
        for asked in (chosen, info.classpath) if is_asked else ():
            if asked is not None and name in self._defaults(asked):
                return self._defaults(asked)[name]
        return None

    def _defaults(self, classpath: str) -> Dict[str, Any]:
        """What the code of a class begins with, by name; the program is asked once."""
        if classpath not in self._asked:
            entries, _ = ask_about(classpath)
            found = [item for entry in entries for item in entry.get("properties") or []]
            self._asked[classpath] = {item["name"]: item.get("default") for item in found}
        return self._asked[classpath]

    def body(self, info: ClassInfo, key: str) -> Any:
        """What the class, or its nearest base, says of a body; None where none does."""
        for known in (info, *self._bases(info)):
            if key in known.body:
                return known.body[key]
        return None

    def of_role(self, role: str) -> List[ClassInfo]:
        """All classes of a role."""
        return [info for info in self.classes.values() if info.role == role]

    def find(self, classpath: str) -> Optional[ClassInfo]:
        """The class of that path, if the list has it."""
        return self.classes.get(canonical(classpath))

    def require(self, classpath: str, role: Optional[str] = None) -> ClassInfo:
        """The class of that path; an error names the nearest ones where there is none."""
        info = self.find(classpath)
        if info is None:
            self._check_broken(classpath)
            info = self._find_in_python(classpath)
        if info is None:
            info = self._find_in_morse(classpath)
        if info is None:
            raise MissingError(self._no_class(classpath, role))
        if role is not None:
            self.check_role(info, role)
        return info

    @staticmethod
    def check_role(info: ClassInfo, role: str) -> None:
        """Raises an error if the class is of another role."""
        if info.role != role:
            raise BuilderError(
                "%s is of the role %s, not %s"
                % (written(info.classpath), _words(info.role), _words(role))
            )

    def _check_broken(self, classpath: str) -> None:
        """Raises what is wrong with the file that the class would be in, if there is something."""
        path = canonical(classpath)
        if path in self.undeclared:
            raise MissingError(
                "%s: class %s of %s lacks @orrery.plugin, which makes it one for scenes"
                % (classpath, path.rpartition(".")[2], self.undeclared[path])
            )
        parts = path.split(".")[:-1]
        stems = [os.path.join(*parts[:n]) for n in range(len(parts), 0, -1)]
        endings = [os.sep + stem + tail for stem in stems for tail in FILES]
        for ending in endings:
            for error in self.errors:
                if error.get("file", "").endswith(ending):
                    raise MissingError("%s: %s" % (classpath, _fault(error)))

    def _find_in_python(self, classpath: str) -> Optional[ClassInfo]:
        """A class that no directory of plugins has, and Python does: the program is asked about it alone."""
        path = canonical(classpath)
        if path.startswith(OWN) or not is_on_path(path):
            return None
        entries, reason = ask_about(path)
        if reason:
            raise MissingError(reason)
        for entry in entries:
            # Here a list of all there are; in the list of plugins, what a JSON class sets.
            entry.pop("properties", None)
            info = ClassInfo(entry, entry.get("module", ""))
            self.classes.setdefault(info.classpath, info)
        return self.classes.get(path)

    def _find_in_morse(self, classpath: str) -> Optional[ClassInfo]:
        """A class of MORSE's that no plugin has, or not yet."""
        path = canonical(classpath)
        if path not in morse_classes.ROLES:
            return None
        if path not in self.absent:
            self.absent[path] = ClassInfo(
                {"classpath": path, "role": morse_classes.ROLES[path]}, path.rpartition(".")[0]
            )
            self.absent[path].is_absent = True
        return self.absent[path]

    def _no_class(self, classpath: str, role: Optional[str]) -> str:
        known = [
            written(info.classpath)
            for info in self.classes.values()
            if info.role == role or (role is None and info.role in COMPONENT_ROLES)
        ]
        own = canonical(classpath).startswith(OWN)
        if MESSAGE_TYPE.fullmatch(classpath):
            return (
                "no class %s: that is a type of message; without it the stream takes what fits the "
                "component, and other messages are made by mappings (docs/mappings.md)" % classpath
            )
        forgotten = [] if own else classes_of_module(classpath)
        if forgotten:
            there = hint("", [classpath + "." + name for name in forgotten])
            return "no class %s: that is a module of Python, and a class of it is wanted%s" % (classpath, there)
        asked = written(classpath) if own else classpath
        close = nearest(asked, known)
        if not close:
            short = {path.rpartition(".")[2]: path for path in reversed(known)}
            close = [short[name] for name in nearest(asked.rpartition(".")[2], short)]
        text = "no class %s%s" % (classpath, self._place())
        if not own:
            paths = ":".join(own_paths()) or "PYTHONPATH is not set"
            text += ", nor on Python's path (%s)" % paths
        package = package_words(canonical(classpath).rpartition(".")[0])
        return text + (package or ("; did you mean " + " or ".join(close) if close else ""))

    def _place(self) -> str:
        place = " in " + ":".join(self.directories) if self.directories else " among the plugins"
        if self.errors:
            place += " (%d could not be read: %s)" % (
                len(self.errors),
                "; ".join(map(_fault, self.errors[:SHOWN])) + ("; ..." if self.errors[SHOWN:] else ""),
            )
        return place

    def components(self) -> Dict[str, ClassInfo]:
        """The classes that scripts name by their last name, the standard ones first."""
        ordered = [info for info in self.classes.values() if info.role in COMPONENT_ROLES]
        # Of two of one name, that which MORSE's scripts mean, then ours.
        ordered.sort(
            key=lambda info: (
                morse_classes.NAMES.get(info.name) != info.classpath,
                not info.classpath.startswith(OWN),
            )
        )
        names: Dict[str, ClassInfo] = {}
        for info in ordered:
            names.setdefault(info.name, info)
        return names

    def lineage(self, classpath: str, level: Optional[str] = None) -> List[str]:
        """What the class counts as, nearest first: its level, itself, bases, whose level it is.

        Last comes what every component is.
        """
        path = canonical(classpath)
        info = self.classes.get(path)
        chain: List[Optional[str]] = [path]
        if info is not None:
            chain.insert(0, info.level_classpath(level))
            chain.extend(base.classpath for base in self._bases(info))
        for known in list(chain):
            owner = self._level_owners.get(known or "")
            if owner is not None:
                chain.append(owner.classpath)
                chain.extend(base.classpath for base in self._bases(owner))
        chain.append(ANY_COMPONENT)
        return [known for known in dict.fromkeys(chain) if known]

    # Streams, services, modifiers

    def manager(self, stream: str) -> ClassInfo:
        """The datastream manager of that stream name or classpath."""
        managers = self.of_role("datastream_manager")
        for info in managers:
            if info.stream == stream:
                return info
        if "." in stream:
            return self.require(stream, "datastream_manager")
        names = [info.stream for info in managers if info.stream]
        more = package_words("orrery.middleware.%s_datastream" % stream) or hint(stream, names)
        raise MissingError("no stream %s%s%s" % (stream, self._place(), more))

    def any_manager(self, name: str) -> ClassInfo:
        """The manager of that stream or classpath; of services, if no stream bears the name."""
        if "." in name:
            info = self.require(name)
            return info if info.role == "request_manager" else self.manager(name)
        if not self.has_stream(name) and self.has_services(name):
            return self.request_manager(name)
        return self.manager(name)

    def request_manager(self, interface: str) -> ClassInfo:
        """The request manager of that interface name or classpath."""
        managers = self.of_role("request_manager")
        for info in managers:
            if interface == _interface(info):
                return info
        if "." in interface:
            return self.require(interface, "request_manager")
        names = [_interface(info) for info in managers]
        more = package_words("orrery.middleware.%s_request_manager" % interface) or hint(interface, names)
        raise MissingError("no services over %s%s%s" % (interface, self._place(), more))

    def interfaces(self) -> List[str]:
        """The names of all request managers."""
        return [_interface(info) for info in self.of_role("request_manager")]

    def has_stream(self, stream: str) -> bool:
        """Whether there is a manager of that name."""
        return any(
            stream in (info.stream, info.classpath) for info in self.of_role("datastream_manager")
        )

    def has_services(self, interface: str) -> bool:
        """Whether there is a request manager of that name."""
        return any(interface == _interface(info) for info in self.of_role("request_manager"))

    def codec(
        self, manager: ClassInfo, classpath: str, level: Optional[str], direction: str
    ) -> Optional[str]:
        """The classpath of the codec nearest to the component, else of the stream's own, if any.

        Typed messages are the same whatever carries them: codecs of `ros` suit every manager of
        such.
        """
        streams = [manager.stream] + (["ros"] if manager.encoding else [])
        for stream in streams:
            for path in self.lineage(classpath, level):
                for wanted in (level, None):
                    found = self._special_codec(stream, path, wanted, direction)
                    if found is not None:
                        return found
        return manager.publisher if direction == "OUT" else manager.reader

    def _special_codec(
        self, stream: Optional[str], path: str, level: Optional[str], direction: str
    ) -> Optional[str]:
        wanted = Alias(stream or "", path, level)
        for info in self.of_role("datastream"):
            if info.direction in (None, direction) and wanted in info.aliases:
                return info.classpath
        return None

    def modifier(self, alias: str, classpath: str, level: Optional[str] = None) -> ClassInfo:
        """The modifier that bears this alias for that component."""
        fitting: Dict[str, ClassInfo] = {}
        for path in self.lineage(classpath, level):
            for info in self.of_role("modifier"):
                for entry in info.aliases:
                    if entry.component == path:
                        fitting.setdefault(entry.name, info)
        if alias in fitting:
            return fitting[alias]
        raise MissingError(
            "no modifier %s for %s%s%s"
            % (alias, written(classpath), self._place(), hint(alias, list(fitting)))
        )

    # Environments

    def environment(self, name: str) -> str:
        """The name, if there is such an environment: a class, or a file on the search path.

        Of a file of some format, its absolute path.
        """
        known = self._environments()
        if name not in known:
            has_suffix = os.path.splitext(name)[1] != ""
            path = models.find("environments", name)
            if path is not None:
                return path
            if has_suffix:
                return models.require("Environment", "environments", name)
        # The host takes our plain one where MORSE's file is not installed.
        if name not in known and name + PLAIN not in known:
            known |= models.names("environments")
            raise MissingError("no environment %s%s%s" % (name, self._place(), hint(name, known)))
        return name

    def _environments(self) -> set[str]:
        known = {"empty"}
        for info in self.of_role("environment"):
            known.update((written(info.classpath), info.classpath, _environment(info)))
        for directory in self.directories:
            top = os.path.join(directory, "orrery", "environments")
            for folder, _, files in os.walk(top):
                names = (os.path.relpath(os.path.join(folder, file), top) for file in files)
                known.update(os.path.splitext(name)[0] for name in names if name.endswith(".json"))
        return known


def _fault(error: Dict[str, Any]) -> str:
    """What is wrong with a file: its name once."""
    file, message = str(error.get("file", "?")), str(error.get("message", "?"))
    return message if message.startswith(file) else "%s: %s" % (file, message)


def _words(role: Optional[str]) -> str:
    return (role or "unknown").replace("_", " ")


def _environment(info: ClassInfo) -> str:
    prefix = OWN + "environments."
    if not info.module.startswith(prefix):
        return info.classpath
    return info.module[len(prefix) :].replace(".", "/")


def _interface(info: ClassInfo) -> str:
    """The name of a request manager in scripts: what it says, else that of its file."""
    if info.stream:
        return info.stream
    last = info.module.rpartition(".")[2] or info.classpath.split(".")[-2]
    suffix = "_request_manager"
    return last[: -len(suffix)] if last.endswith(suffix) else last


def read(stream: IO[str], name: str) -> Catalogue:
    """The catalogue in an open file."""
    try:
        return Catalogue(json.load(stream))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InternalError("%s: not a list of plugins: %s" % (name, error)) from None


def is_on_path(classpath: str) -> bool:
    """Whether a module of that classpath lies where Python looks."""
    parts = classpath.split(".")[:-1]
    stems = [os.path.join(place, *parts[:n]) for place in sys.path if os.path.isabs(place)
             for n in range(1, len(parts) + 1)]
    return any(os.path.isfile(stem + ".py") or os.path.isfile(os.path.join(stem, "__init__.py")) for stem in stems)


def classes_of_module(path: str) -> List[str]:
    """The classes in the text of the module that Python would find by this name; none: there is no such module."""
    names: List[str] = []
    for place in sys.path:
        stem = os.path.join(place, *path.split("."))
        try:
            with open(stem + ".py", encoding="utf-8") as stream:
                tree = ast.parse(stream.read())
        except (OSError, ValueError, SyntaxError, RecursionError):
            continue
        names += [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
    return names


def find_program() -> str:
    """The program of the prefix that this package lies in, or the one on the path."""
    prefix = os.path.abspath(__file__)
    for _ in range(6):
        prefix = os.path.dirname(prefix)
    own = os.path.join(prefix, "bin", "orrery")
    return os.environ.get("ORRERY_PROGRAM") or (own if os.path.exists(own) else "orrery")


def own_paths() -> List[str]:
    """Where Python looks beyond its own: what the script has added, then PYTHONPATH."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    given = [place for place in os.environ.get("PYTHONPATH", "").split(os.pathsep) if place]
    return [place for place in session.added_paths() + given if os.path.realpath(place) != os.path.realpath(package)]


def ask_about(classpath: str) -> Tuple[List[Dict[str, Any]], str]:
    """What the program says of one class, a list of one; else why it cannot be had."""
    import subprocess

    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(own_paths()))
    try:
        done = subprocess.run([find_program(), "plugins", "--json", classpath], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, env=environment)
        if done.returncode == 0:
            return list(json.loads(done.stdout.decode("utf-8"))["classes"]), ""
        said = done.stderr.decode("utf-8", "replace").splitlines()
        reason = next((line[len(SPEAKER) :] for line in said if line.startswith(SPEAKER)), "")
        return [], "" if ": no module " in reason else reason
    except (OSError, ValueError, KeyError):
        return [], ""


def ask() -> Catalogue:
    """The catalogue of the installed host."""
    import subprocess  # slow to import, and the host that starts us has asked already

    program = find_program()
    try:
        done = subprocess.run(
            [program, "plugins", "--json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            check=False,
        )
    except OSError as error:
        raise MissingError(
            "%s: %s; set ORRERY_PROGRAM to the program" % (program, error.strerror)
        ) from None
    try:
        return Catalogue(json.loads(done.stdout.decode("utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError):
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[0] if said else "it printed no list"
        problem = MissingError if done.returncode == EXIT_MISSING else InternalError
        raise problem(
            "%s plugins --json: exit code %d: %s" % (program, done.returncode, reason)
        ) from None


def load(path: Optional[str], stdin: IO[str]) -> Catalogue:
    """The catalogue in the file, on `stdin` for `-`, or of the installed host for None."""
    if path is None:
        return ask()
    if path == "-":
        return read(stdin, "standard input")
    with open(path, encoding="utf-8") as stream:
        return read(stream, path)
