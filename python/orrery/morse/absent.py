# SPDX-License-Identifier: BSD-3-Clause
"""What stands for names that are not in Python here: importing one is nothing; its use says what is missing."""

from .errors import BlenderOnly, MorseOnly


class StandIn:
    """A name of another program. It can be handed on and asked for names of its own; all else is a use of it."""

    error = BlenderOnly

    def __init__(self, path):
        self.__dict__["_path"] = path

    def _refuse(self, *_given, **_named):
        raise self.error(self._path)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return type(self)("%s.%s" % (self._path, name))

    def __repr__(self):
        return "<%s, which is not here>" % self._path

    def __mro_entries__(self, _bases):
        """A class may derive from it; there are no objects of such a class."""
        return (make_class(self._path, None, []),)

    __call__ = __setattr__ = __delattr__ = __getitem__ = __setitem__ = __delitem__ = __iter__ = __len__ = _refuse
    __contains__ = __bool__ = __enter__ = __float__ = __int__ = __index__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __or__ = __and__ = _refuse


class MorseName(StandIn):
    """A name of MORSE's."""

    error = MorseOnly


class Absent:
    """A class of MORSE's that is not here: what it inherits works, what it has of its own complains."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        raise MorseOnly("%s.%s" % (self._absent, name))


class Nowhere(Absent):
    """One without a base that is here."""

    def __new__(cls, *_given, **_named):
        raise MorseOnly(cls._absent)


def make_class(path, classpath, bases):
    """A class by its path: one in C, or one that stands for it."""
    module, _, name = path.rpartition(".")
    bases = [base for base in bases if isinstance(base, type)]
    if classpath is not None:
        from . import in_c
        kind, body = in_c.kind_for(bases), {"_in_c": classpath, "__doc__": "%s, which is in C here." % name}
    else:
        kind, body = Absent if bases else Nowhere, {"_absent": path, "__doc__": "%s, which is not here." % name}
    if not any(issubclass(base, kind) for base in bases):
        bases.insert(0, kind)
    return type(name, tuple(bases), dict(body, __module__=module, __qualname__=name))
