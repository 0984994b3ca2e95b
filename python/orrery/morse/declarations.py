# SPDX-License-Identifier: BSD-3-Clause
"""What the body of a component's class declares: `add_data`, `add_property`, `add_level`."""

import collections
import sys

NO_DOC = "(no documentation available yet)"


def enter(kind, name, value):
    """Into the ordered table of the class whose body calls."""
    names = sys._getframe(2).f_locals
    if "__module__" not in names:
        raise SyntaxError("add_data, add_property and add_level belong in the body of a class")
    names.setdefault(kind, collections.OrderedDict())[name] = value


def add_data(name, default_value, type="", doc=NO_DOC, level="all"):
    """A field of the record, with its value at the start; at the levels named, one or a list, or at all."""
    enter("_data_fields", name, (default_value, type, doc, level))


def add_property(python_name, default_value, name, type="", doc=NO_DOC):
    """A property: the attribute, its default, and the name that builder scripts and services use."""
    enter("_properties", name, (default_value, type, doc, python_name))


def add_level(name, classname, doc=NO_DOC, default=False):
    """A level of abstraction: done by the class of that classpath, or by this one for None."""
    if name in ("all", "default"):
        raise NameError("no level may be called %s" % name)
    enter("_levels", name, (classname, doc, default))


def collect(cls, kind):
    """A table of the class, those of its bases first: what is declared again keeps its place."""
    found = collections.OrderedDict()
    for base in reversed(cls.__mro__):
        found.update(vars(base).get(kind, ()))
    return found


def is_at(level, levels):
    """Whether what is declared for these levels is there at that one."""
    return levels == "all" or level == levels or not isinstance(levels, str) and level in levels
