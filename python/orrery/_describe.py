# SPDX-License-Identifier: BSD-3-Clause
"""What `help ()` says of the names of the typelib: the comments of the C headers in the words of Python, which the build
has put into a file. Of that, only what the package's own functions need is read at the start."""

import json
import os

from gi import docstring

from ._values import Orrery

FILE = "docstrings.json"
FUNCTIONS = type(lambda: None), property, staticmethod

texts = None


def find():
    """Beside the directory of this package, or of what it is a link to; a build without the GIR has none."""
    for path in (os.path.abspath(__file__), os.path.realpath(__file__)):
        file = os.path.normpath(os.path.join(os.path.dirname(path), "..", "..", FILE))
        if os.path.exists(file):
            return file
    return None


def read(line):
    """The texts of a line: 0, those of the package's own functions; 1, all others."""
    path = find()
    if path is None:
        return {}
    with open(path, encoding="utf-8") as file:
        if line:
            file.readline()
        return json.loads(file.readline())


def look_up(name):
    global texts
    if texts is None:
        texts = read(1)
    return texts.get(name)


def name_of(info):
    holder = info.get_container()
    if holder is None:
        return info.__name__
    name = ("do_%s" if isinstance(info, docstring.VFuncInfo) else "%s") % info.__name__
    # A function of a class struct is one of the class.
    return "%s.%s" % (holder.get_name().removesuffix("Class"), name)


def describe_class(name, text):
    """`help ()` takes functions of the typelib for data: the text of a class has a line of each."""
    before = name + "."
    lines = [each.partition("\n\n") for own, each in sorted(texts.items()) if own.startswith(before)]
    lines = ["%s\n    %s" % (head, said.partition("\n\n")[0].replace("\n", "\n    ")) for head, _, said in lines]
    return "\n\n".join([text, "From the C library:", *lines] if lines else [text])


def generate(info):
    name = name_of(info)
    text = look_up(name) if info.get_namespace() == "Orrery" else None
    if text is None:
        return generate_signature(info)
    return text if isinstance(info, docstring.CallableInfo) else describe_class(name, text)


def describe_values(thing):
    """A class of values has its text when somebody asks for the class."""
    if thing.__doc__ is None and hasattr(thing, "__info__"):
        thing.__doc__ = look_up(thing.__info__.get_name())
    return thing


def describe(thing, text):
    if isinstance(thing, staticmethod):
        thing = thing.__func__
    if isinstance(thing, FUNCTIONS):
        thing.__doc__ = text


def extend(names):
    """`names` is what the package offers beside the typelib."""
    for name, text in read(0).items():
        owner, _, member = name.partition(".")
        holder = names.get(owner) or getattr(Orrery, owner, None)
        describe(vars(holder).get(member) if member and holder is not None else holder, text)
    docstring.set_doc_string_generator(generate)


generate_signature = docstring.get_doc_string_generator()
