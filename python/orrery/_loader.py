# SPDX-License-Identifier: BSD-3-Clause
"""Modules in Python for classpaths: imported from directories of plugins and from Python's own path, and described."""

import importlib
import importlib.util
import os
import sys
import types

from . import _faults, _plugins
from ._values import GLib, Orrery
from .morse import log, names

SUMMARY = "Classes in Python"


def import_file(name, file, directory):
    """The module of that classpath from its file in a directory of plugins; one that is imported already stays."""
    known = sys.modules.get(name)
    if known is not None and is_file_of(known, file):
        return known
    if directory not in sys.path:
        # Last: it is to offer its modules to each other, not to stand in the way of anything.
        sys.path.append(directory)
    for parent in parents(name):
        import_package(parent, directory)
    unique = name
    while unique in sys.modules:
        unique += "_"
    folder = [os.path.dirname(file)] if os.path.basename(file) == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(unique, file, submodule_search_locations=folder)
    return execute(spec)


def is_file_of(module, file):
    own = getattr(module, "__file__", None)
    return own is not None and os.path.realpath(own) == os.path.realpath(file)


def execute(spec):
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[spec.name]
        raise
    parent, _, last = spec.name.rpartition(".")
    if parent in sys.modules:
        setattr(sys.modules[parent], last, module)
    return module


def parents(name):
    parts = name.split(".")[:-1]
    return [".".join(parts[:n + 1]) for n in range(len(parts))]


def import_package(name, directory):
    """The package of that name, whoever has it, looks into the directory, too."""
    folder = os.path.join(directory, *name.split("."))
    package = sys.modules.get(name)
    if package is None:
        file = os.path.join(folder, "__init__.py")
        if os.path.isfile(file):
            execute(importlib.util.spec_from_file_location(name, file, submodule_search_locations=[folder]))
            return
        package = types.ModuleType(name)
        package.__path__ = []
        sys.modules[name] = package
        parent, _, last = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], last, package)
    path = getattr(package, "__path__", None)
    if path is not None and folder not in path:
        package.__path__ = list(path) + [folder]


def locate(name):
    """The file where Python would find the module of that name, without importing anything, or None."""
    top, *rest = name.split(".")
    try:
        spec = importlib.util.find_spec(top)
    except ValueError:
        return None
    if spec is None or rest and spec.submodule_search_locations is None:
        return None
    # Below, by the files: packages without one can only be asked when those above them are imported.
    places, file = list(spec.submodule_search_locations or ()), spec.origin
    for part in rest:
        file, places = look_into(places, part)
    return file


def look_into(places, part):
    """The file of a module or package in these directories, and where what is below it lies."""
    folders = [os.path.join(place, part) for place in places]
    for folder in folders:
        for file, below in ((os.path.join(folder, "__init__.py"), [folder]), (folder + ".py", [])):
            if os.path.isfile(file):
                return file, below
    return None, [folder for folder in folders if os.path.isdir(folder)]


def is_ours(file):
    """Whether the module may have classes of Orrery, or of MORSE: a scene is no way to import anything else."""
    if not file or not file.endswith(".py"):
        return False
    with open(file, "rb") as stream:
        text = stream.read()
    return b"orrery" in text or b"morse" in text


def find(name):
    """The module of that name where Python looks, or None."""
    if name in sys.modules:
        return sys.modules[name]
    return importlib.import_module(name) if is_ours(locate(name)) else None


def describe(module):
    """What the module says of itself, as C reads it."""
    classes = [cls._orrery_plugin for cls in vars(module).values()
               if isinstance(cls, type) and "_orrery_plugin" in vars(cls) and cls.__module__ == module.__name__]
    classes += [adapter._orrery_plugin for adapter in adapt_classes_of_morse(module)]
    licence = getattr(module, "__licence__", getattr(module, "__license__", ""))
    return GLib.Variant("a{sv}", {
        "file": GLib.Variant("s", real_file(module) or module.__name__),
        "summary": GLib.Variant("s", _plugins.first_line(module.__doc__) or SUMMARY),
        "licence": GLib.Variant("s", licence if isinstance(licence, str) else ""),
        "classes": GLib.Variant("aa{sv}", classes),
        "undeclared": GLib.Variant("as", find_undeclared(module))})


def find_undeclared(module):
    """Its classes of a role that lack `@orrery.plugin`, for whoever asks for one of them."""
    return [name for name, cls in vars(module).items()
            if isinstance(cls, type) and issubclass(cls, Orrery.Part) and cls.__module__ == module.__name__
            and "_orrery_plugin" not in vars(cls) and not name.startswith("_")]


def adapt_classes_of_morse(module):
    """Adapters of what was written for MORSE; nothing of that is there before a module has imported it."""
    if "orrery.morse.plugs" not in sys.modules and "orrery.morse.components" not in sys.modules:
        return []
    from .morse import adapters, plug_adapters, requests, ros_adapters  # noqa: F401
    return adapters.adapters_in(module)


def real_file(module):
    file = getattr(module, "__file__", None)
    return os.path.realpath(file) if file else None


def directory_of(name, file):
    """What is left of the path of a file without that of its module."""
    up = len(name.split(".")) + (os.path.basename(file) == "__init__.py")
    for _ in range(up):
        file = os.path.dirname(file)
    return file


class Loader(Orrery.Loader):
    """What the host asks for modules in Python."""

    def do_load(self, name, file):
        try:
            module = find(name) if file is None else import_file(name, file, directory_of(name, file))
            return None if module is None else describe(module)
        except BaseException as error:
            raise _faults.to_error(error, Orrery.Error.PLUGIN, _plugins.DOMAIN, file, keep=False) from None

    def do_set_log_level(self, name, level):
        log.set_level(name, level)


def install():
    names.install()
    loader = Loader()
    if sys.executable:
        loader.set_worker_command([sys.executable, os.path.join(os.path.dirname(os.path.abspath(__file__)), "worker.py")])
    loader.set_default()
