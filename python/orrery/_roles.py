# SPDX-License-Identifier: BSD-3-Clause
"""What leads from the host to managers, engines, importers and robots in Python, and what is said of their mistakes."""

import functools

from . import _faults
from ._values import GLib, Orrery, from_variant, to_variant

# Functions whose caller expects no error: what is returned to it instead of one.
QUIET = {"cancel": None, "save": None, "send": None, "flush": None, "intake": None, "gate": True, "close": None,
         "drive": None, "apply_speed": False}
CODES = {"setup": Orrery.Error.CONFIG, "open": Orrery.Error.CONFIG, "load": Orrery.Error.CONFIG,
         "start": Orrery.Error.IO, "decode": Orrery.Error.INVALID, "call": Orrery.Error.INVALID}
IN_C = (Orrery.Raycaster, Orrery.Renderer, Orrery.Observer)


def check_role(cls):
    """Refuses the roles whose functions cannot be called in Python."""
    for role in IN_C:
        if issubclass(cls, role):
            raise TypeError("%s: the role %s is for classes in C: its functions take what Python "
                            "does not see" % (cls.__name__, role.__name__.lower()))


# --- what goes wrong ---

def fail(part, function, error):
    """Raises the error for the host; where nobody takes one, the log tells of the first, and the end how many there were."""
    from . import _plugins
    if function not in QUIET:
        told = _plugins.fault(part, error, code_of(function, error))
        if function == "start" and told.code != Orrery.Error.BUSY:
            # The host names who may come later, and nobody else.
            told.message = "%s: %s" % (part.get_name(), told.message)
        raise told from None
    told = part.__dict__.setdefault("_orrery_told", {})
    told[function] = told.get(function, 0) + 1
    if told[function] == 1:
        _plugins.warn(part, error, function)
    elif isinstance(error, (KeyboardInterrupt, SystemExit)):
        _plugins.fault(part, error)
    return QUIET[function]


def code_of(function, error):
    """A broker that is not there yet may come later: the host begins without it and tries again."""
    if function == "start" and isinstance(error, (ConnectionError, TimeoutError)):
        return Orrery.Error.BUSY
    return CODES.get(function, Orrery.Error.INTERNAL)


def tell_counts(part):
    for function, n in part.__dict__.pop("_orrery_told", {}).items():
        if n > 1:
            _faults.warn("%s: %s failed %d times" % (part.get_name(), function, n))


def guard(name, function):
    """A virtual function that a class has under the name of PyGObject, as `do_send`."""
    @functools.wraps(function)
    def do(self, *arguments):
        try:
            return function(self, *arguments)
        except BaseException as error:
            return fail(self, name, error)
    return do


def is_ours(function):
    return getattr(function, "__module__", "").partition(".")[0] == "orrery"


# --- from the host to Python ---

def lead(name, convert=None):
    """A virtual function that calls the function of that name, with the arguments that `convert` makes of its own."""
    def do(self, *arguments):
        try:
            return getattr(self, name)(*(arguments if convert is None else convert(*arguments)))
        except BaseException as error:
            return fail(self, name, error)
    return do


def do_gate(self):
    try:
        return bool(self.gate())
    except BaseException as error:
        return fail(self, "gate", error)


def do_close(self):
    try:
        if hasattr(self, "close"):
            self.close()
    except BaseException as error:
        fail(self, "close", error)
    tell_counts(self)


def do_apply_speed(self, *arguments):
    """What the class calls of that name by super () is what robots do that replace nothing."""
    if self.__dict__.get("_orrery_applies"):
        return Orrery.Robot.do_apply_speed(self, *arguments)
    self._orrery_applies = True
    try:
        return bool(self.apply_speed(*arguments))
    except BaseException as error:
        return fail(self, "apply_speed", error)
    finally:
        self._orrery_applies = False


def own(name):
    """If the class has the function itself, beside that of the typelib."""
    return lambda cls: (name,) if getattr(cls, name, None) is not getattr(Orrery.Robot, name, None) else ()


def named(*names):
    return lambda cls: names


def led(**functions):
    return {name: (named(name), lead(name, convert)) for name, convert in functions.items()}


# As those of `_plugins`.
FUNCTIONS = {
    Orrery.DatastreamManager: dict(
        led(open=lambda stream, options: (stream, from_variant(options) or {}), start=None,
            send=lambda stream, data, *length: (stream, bytes(data)), flush=None, intake=None),
        gate=(named("gate"), do_gate), close=(None, do_close)),
    Orrery.RequestManager: dict(led(start=None, intake=None, flush=None), close=(None, do_close)),
    Orrery.Physics: led(build=None, apply=None, step=None, read=None, push=None),
    Orrery.Importer: led(load=None),
    Orrery.Robot: dict(led(drive=None), apply_speed=(own("apply_speed"), do_apply_speed)),
}


# --- what they are given, extended ---

class Body:
    """What physics knows of an object, which it keeps alive: the fields of OrreryBody."""

    __slots__ = ("_object", "_body")

    def __init__(self, thing):
        object.__setattr__(self, "_object", thing)
        object.__setattr__(self, "_body", get_body(thing))

    def __getattr__(self, name):
        return getattr(self._body, name)

    def __setattr__(self, name, value):
        if not hasattr(self._body, name):
            raise AttributeError("a body has no %s" % name)
        setattr(self._body, name, value)

    def __dir__(self):
        return [name for name in dir(self._body) if not name.startswith("_")]

    def __repr__(self):
        return "<body of %s>" % self._object.get_name()


def body_of(thing):
    return Body(thing)


def foreach_shape(body, function):
    """Calls the function with each solid shape of a body and its pose in the frame of the body."""
    found = []
    physics_foreach_shape(body, lambda shape, offset, *_: found.append((shape, offset.copy())))
    for shape, offset in found:
        function(shape, offset)


def submit(manager, part, service, *arguments, done=None):
    """Queues a call of a service; `done` is called with the call when it is over."""
    def ended(call, *_):
        try:
            if done is not None:
                done(call)
        except BaseException as error:
            fail(manager, "intake", error)
    return manager_submit(manager, part, service, GLib.Variant("av", [to_variant(each) for each in arguments]), ended, None)


def extend():
    Orrery.Object.get_body = body_of
    Orrery.Physics.foreach_shape = staticmethod(foreach_shape)
    Orrery.RequestManager.submit = submit


get_body = Orrery.Object.get_body
physics_foreach_shape = Orrery.Physics.foreach_shape
manager_submit = Orrery.RequestManager.submit
