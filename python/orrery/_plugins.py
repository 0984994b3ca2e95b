# SPDX-License-Identifier: BSD-3-Clause
"""Plugins in Python: a class that derives from a role of the typelib, with its fields, properties and services.

    @orrery.plugin(frequency=20)
    class Sonar(orrery.Sensor):
        \"\"\"Distance ahead.\"\"\"

        distance = orrery.field(float, "m", "Distance to the nearest obstacle")
        reach = orrery.option(5.0, "m", "Nothing beyond is seen", name="Reach", minimum=0.0)

        def sense(self, tick, record):
            record.distance = self.reach

What is declared becomes what a class in C has: a schema, GObject properties, a table of services. The functions of a
role (`sense`, `act` ...) are called by the host, which gets every exception as an error with the line of the file.
"""

import functools
import inspect
import sys

from gi.repository import GObject

from . import _faults, _records, _roles, _show, _tasks
from ._faults import Failed
from ._values import GLib, Orrery, from_variant, to_variant

NAMES = ("Failed", "field", "method", "option", "plugin", "service", "view")

DOMAIN = Orrery.error_quark()
FIELD_TYPES = {float: "double", int: "int64", bool: "bool", str: "text"}
ARGUMENT_TYPES = {float: "d", int: "x", bool: "b", str: "s", inspect.Parameter.empty: "v", object: "v"}
# What is in a view of the record is none of a field's.
NO_FIELDS = ("timestamp", "hold", "keys")


def first_line(text):
    return (inspect.cleandoc(text).splitlines() or [""])[0] if text else ""


# --- declarations ---

class Field:
    """A field of the record; on a part, its present value."""

    def __init__(self, kind, unit, words):
        self.kind = FIELD_TYPES.get(kind, kind)
        if self.kind not in _records.PLACES:
            others = [name for name in _records.PLACES if name not in FIELD_TYPES.values()]
            raise TypeError("the type of a field is float, int, bool, str, or one of %s, not %r"
                            % (", ".join(others), kind))
        self.unit, self.words, self.name = unit, words, None

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, part, owner=None):
        return self if part is None else getattr(view(part), self.name)

    def __set__(self, part, value):
        raise AttributeError("%s: a field of the record: write record.%s where the record is given, or data.%s "
                             "from outside" % (self.name, self.name, self.name))


def field(kind, unit="", words=""):
    """A field of a component: float, int, bool, str, or the name of another type (`vec3`, `array`, `buffer` ...)."""
    return Field(kind, unit, words)


class Option:
    """A property; becomes a GObject.Property when its class is made."""

    def __init__(self, default, unit, words, name, minimum, maximum, at_start):
        self.default, self.name, self.at_start = default, name, at_start
        self.words = "%s (%s)" % (words, unit) if unit else words
        self.minimum, self.maximum = minimum, maximum

    def make(self, attribute):
        kinds = {bool: GObject.TYPE_BOOLEAN, int: GObject.TYPE_INT64, float: GObject.TYPE_DOUBLE,
                 str: GObject.TYPE_STRING, type(None): GObject.TYPE_VARIANT}
        kind = type(self.default)
        if kind not in kinds:
            raise TypeError("%s: the default of a property is a bool, int, float, str or None, not %s"
                            % (attribute, kind.__name__))
        limits = {}
        if kind in (int, float):
            widest = (GLib.MININT64, GLib.MAXINT64) if kind is int else (-GLib.MAXDOUBLE, GLib.MAXDOUBLE)
            limits = {"minimum": widest[0] if self.minimum is None else kind(self.minimum),
                      "maximum": widest[1] if self.maximum is None else kind(self.maximum)}
        elif self.minimum is not None or self.maximum is not None:
            raise TypeError("%s: only numbers have a minimum and a maximum" % attribute)
        return GObject.Property(type=kinds[kind], default=self.default, nick=self.name or attribute,
                                blurb=self.words, **limits)


def option(default, unit="", words="", name=None, minimum=None, maximum=None, at_start=False):
    """A property of that default, which says its type: bool, int, float, str; None for any JSON value. One that is read
    `at_start`, in the setup, takes no other value later."""
    return Option(default, unit, words, name, minimum, maximum, at_start)


class Service:
    """What a function of the class offers to callers; on a part it stays that function, if it answers at once."""

    def __init__(self, function, name, flags, signature):
        self.function, self.name, self.flags = function, name or function.__name__, flags
        self.signature = derive_signature(function, self.is_long) if signature is None else signature
        self.__doc__ = function.__doc__

    @property
    def is_long(self):
        return bool(self.flags & Orrery.ServiceFlags.LONG)

    def __get__(self, part, owner=None):
        if part is None:
            return self
        if not self.is_long:
            return self.function.__get__(part)
        from ._native import service_of
        return service_of(part, self.name)


def derive_signature(function, is_long):
    """`x:d y:d=0.5` from the parameters, their types and defaults."""
    parameters = list(inspect.signature(function).parameters.values())[2 if is_long else 1:]
    words = []
    for each in parameters:
        kind = ARGUMENT_TYPES.get(each.annotation)
        if kind is None or each.kind not in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            raise TypeError("%s: parameter %s: float, int, bool, str or nothing says its type"
                            % (function.__qualname__, each.name))
        text = "%s:%s" % (each.name, kind)
        if each.default is not each.empty:
            text += "=" + (to_literal(each.default, kind))
        words.append(text)
    return " ".join(words)


def to_literal(value, kind):
    if kind == "v" and value is None:
        return "null"
    return GLib.Variant(kind if kind != "v" else "v", value if kind != "v" else to_variant(value)).print_(False)


def service(function=None, *, name=None, signature=None, long=False, interruptible=False, concurrent=False):
    """Makes a function of the class a service. What it returns or raises is the answer; one that takes `long` gets the
    call as its first argument and answers it later: call.answer (value), call.refuse (words)."""
    flags = Orrery.ServiceFlags.IMMEDIATE
    for wanted, flag in ((long or interruptible or concurrent, Orrery.ServiceFlags.LONG),
                         (interruptible, Orrery.ServiceFlags.INTERRUPTIBLE),
                         (concurrent, Orrery.ServiceFlags.CONCURRENT)):
        flags = flags | flag if wanted else flags
    if function is None:
        return lambda wrapped: Service(wrapped, name, flags, signature)
    return Service(function, name, flags, signature)


class Method:
    """A further way to modify, which a config entry can name."""

    def __init__(self, function):
        self.function = function

    def __get__(self, part, owner=None):
        return self if part is None else self.function.__get__(part)


def method(function):
    """Makes a function of a modifier's class one that a config may name, in place of `modify`."""
    return Method(function)


def plugin(cls=None, *, frequency=0.0, levels=(), aliases=(), direction="", stream="", publisher="", reader=""):
    """Says that a class is one of the module's, and what `ORRERY_CLASS` says of one in C: default frequency (Hz), levels
    as (name, class or None[, by default]), aliases as (name, classpath[, level]), of a datastream IN or OUT, of a manager
    the name by which it is asked for, and the codecs that send and read any record (classes, or classpaths)."""
    if cls is None:
        return lambda wrapped: plugin(wrapped, frequency=frequency, levels=levels, aliases=aliases, direction=direction,
                                      stream=stream, publisher=publisher, reader=reader)
    if not (isinstance(cls, type) and issubclass(cls, Orrery.Part)):
        raise TypeError("%r: a plugin is a class that derives from a role: orrery.Sensor, Actuator, Modifier ..." % cls)
    _roles.check_role(cls)
    check_callbacks(cls)
    set_fields(cls)
    set_services(cls)
    set_methods(cls)
    for name in getattr(cls, "_orrery_at_start", ()):
        cls.read_at_start(name)
    cls._orrery_plugin = {
        "name": GLib.Variant("s", cls.__name__), "type": GLib.Variant("s", cls.__gtype__.name),
        "frequency": GLib.Variant("d", frequency), "direction": GLib.Variant("s", direction),
        "stream": GLib.Variant("s", stream), "publisher": GLib.Variant("s", to_classpath(publisher)),
        "reader": GLib.Variant("s", to_classpath(reader)),
        "levels": GLib.Variant("a(ssb)", [to_level(*as_tuple(each)) for each in levels]),
        "aliases": GLib.Variant("a(sss)", [to_alias(*as_tuple(each)) for each in aliases])}
    return cls


def check_callbacks(cls):
    """A script without any callback is never called: one that is named nearly like one was meant to be one."""
    known = [name for each in (*CALLBACKS, "thread") for name in names_of(each)]
    if not issubclass(cls, Orrery.Script) or any(callable(getattr(cls, name, None)) for name in known):
        return
    import difflib
    for name in [name for base in cls.__mro__ if base.__module__ == cls.__module__ for name in vars(base)]:
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        if close:
            raise TypeError("%s has no callback: %s is none; did you mean %s" % (cls.__name__, name, close[0]))


def as_tuple(entry):
    return (entry,) if isinstance(entry, str) else tuple(entry)


def to_level(name, cls=None, default=False):
    return name, cls.__name__ if isinstance(cls, type) else cls or "", bool(default)


def to_alias(name, component, level=""):
    return name, component, level or ""


def to_classpath(cls):
    return "%s.%s" % (cls.__module__, cls.__qualname__) if isinstance(cls, type) else cls or ""


# --- a class of a role is made ---

def collect(cls, kind):
    """Declarations of that kind: those of the bases first, in order."""
    found = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, kind):
                found[name] = value
            elif name in found and base is not cls and not isinstance(value, GObject.Property):
                del found[name]
    return found


def set_fields(cls):
    fields = collect(cls, Field)
    if not fields:
        return
    if issubclass(cls, Orrery.Robot) or not issubclass(cls, Orrery.Component):
        raise TypeError("%s: sensors and actuators have fields, robots and others have none" % cls.__name__)
    for name in fields:
        if name in NO_FIELDS or name.startswith("_"):
            raise TypeError("%s: no field may be called %s" % (cls.__name__, name))
    described = GLib.Variant("a(ssss)", [(name, each.kind, each.unit, each.words) for name, each in fields.items()])
    cls.set_schema(Orrery.Schema.new_from_variant(described))


def set_services(cls):
    own = {each.name: each for each in collect(cls, Service).values()}
    cls._orrery_services = own
    if own:
        cls.declare_services(GLib.Variant("a(ssus)", [
            (each.name, each.signature, int(each.flags), first_line(each.__doc__)) for each in own.values()]))


def set_methods(cls):
    if not issubclass(cls, Orrery.Modifier):
        return
    methods = collect(cls, Method)
    if methods:
        cls.declare_methods(GLib.Variant("a(ss)", [(name, first_line(each.function.__doc__))
                                                   for name, each in methods.items()]))


def make_options(cls):
    for name, value in list(vars(cls).items()):
        if isinstance(value, Option):
            cls._orrery_at_start = getattr(cls, "_orrery_at_start", ()) + ((value.name or name,) if value.at_start else ())
            setattr(cls, name, value.make(name))


def lead_calls(cls):
    """Gives the class the virtual functions that lead from the host to what it has in Python."""
    for role, functions in [*FUNCTIONS.items(), *_roles.FUNCTIONS.items()]:
        if not issubclass(cls, role):
            continue
        for name, (needed, lead) in functions.items():
            has = needed is None or any(callable(getattr(cls, each, None)) for each in needed(cls))
            given = vars(cls).get("do_" + name)
            if has and given is None:
                setattr(cls, "do_" + name, lead)
            elif inspect.isfunction(given) and not _roles.is_ours(given):
                setattr(cls, "do_" + name, _roles.guard(name, given))
    if "__init__" in vars(cls):
        cls.__init__ = guard_init(cls.__init__)


def guard_init(function):
    """The host makes the object and has nobody to tell: what goes wrong is said when it is set up."""
    def __init__(self, *arguments, **values):
        try:
            function(self, *arguments, **values)
        except BaseException as error:
            self.__dict__["_orrery_fault"] = error
    return __init__


# The module of classes that PyGObject makes of types which no typelib has.
NATIVE = "__gi__"


def begin_class(cls, **values):
    """Before the type is registered: properties and virtual functions. The decorator does the rest, after it is."""
    super(Orrery.Part, cls).__init_subclass__(**values)
    # PyGObject makes a class for one in C, too, when it first meets an object of it: that one's functions are its own.
    if "__gtype__" in cls.__dict__:
        if cls.__module__ == NATIVE:
            cls.__setattr__ = _show.part_setattr
        return
    if cls.__setattr__ is _show.part_setattr:
        cls.__setattr__ = _show.plain_setattr
    make_options(cls)
    lead_calls(cls)


# --- from the host to Python ---

def view(part):
    """The record of a part as attributes: a component's own, or of the component that it belongs to."""
    record = part.get_record()
    known = part.__dict__.get("_orrery_view")
    # Setup may give a component another record.
    if known is None or known._record != record:
        known = part._orrery_view = _records.view_of(record)
    return known


def fault(part, error, code=Orrery.Error.INTERNAL):
    module = sys.modules.get(type(part).__module__)
    return _faults.to_error(error, code, DOMAIN, getattr(module, "__file__", None))


def warn(part, error, function=""):
    words = function + ": " if function else ""
    _faults.warn("%s: %s%s" % (part.get_name(), words, fault(part, error).message))


def do_setup(self, setup):
    try:
        if "_orrery_fault" in self.__dict__:
            raise self.__dict__.pop("_orrery_fault")
        if not isinstance(self, (Orrery.Component, Orrery.Overlay)):
            self.component = setup.get_component()
        if hasattr(self, "setup"):
            self.setup(setup)
        record = setup.get_record()
        if record is not None:
            self._orrery_view = _records.view_of(record)
    except BaseException as error:
        raise fault(self, error, Orrery.Error.CONFIG) from None


def do_sense(self, tick, record):
    try:
        self.sense(tick, self._orrery_view)
    except BaseException as error:
        raise fault(self, error) from None


def do_act(self, tick, record):
    try:
        self.act(tick, self._orrery_view)
    except BaseException as error:
        raise fault(self, error) from None


def do_modify(self, tick):
    try:
        try:
            function = self._orrery_method
        except AttributeError:
            function = self._orrery_method = getattr(self, self.get_method() or "modify")
        function(tick, self._orrery_view)
    except BaseException as error:
        raise fault(self, error) from None


def do_encode(self, record, writer):
    try:
        message = self.encode(self._orrery_view)
        if message is None:
            return
        if not isinstance(message, (str, bytes, bytearray, memoryview)):
            raise TypeError("encode: bytes, str or None, not %s" % type(message).__name__)
        writer.append(message.encode() if isinstance(message, str) else bytes(message))
    except BaseException as error:
        raise fault(self, error) from None


def do_decode(self, reader, record):
    """Into a copy, so that a message that is refused in the middle leaves the record as it was."""
    try:
        staged = self.__dict__.get("_orrery_staged")
        if staged is None:
            staged = self._orrery_staged = _records.view_of(Orrery.Record.new(record.get_schema()))
        Orrery.Record.copy(staged._record, record)
        self.decode(reader.dup_bytes().get_data() or b"", staged)
        Orrery.Record.copy(record, staged._record)
    except BaseException as error:
        raise fault(self, error, Orrery.Error.INVALID) from None


def do_call(self, name, call):
    own = type(self)._orrery_services.get(name)
    if own is None:
        return Orrery.Part.do_call(self, name, call)
    try:
        arguments = [call.get_argument(i).unpack() for i in range(call.get_n_arguments())]
        if own.is_long:
            own.function(self, call, *arguments)
        else:
            call.answer(own.function(self, *arguments))
    except BaseException as error:
        raise fault(self, error, Orrery.Error.INVALID) from None


def do_cancel(self, call):
    try:
        self.cancel(call)
    except BaseException as error:
        warn(self, error)


def keep(value):
    """An array of NumPy comes back as one; the rest is what JSON can say."""
    if hasattr(value, "__array_interface__") and hasattr(value, "tobytes") and value.ndim:
        if value.dtype.hasobject:
            raise TypeError("a state holds arrays of numbers, not of objects")
        return {ARRAY: value.dtype.str, "shape": list(value.shape), "bytes": GLib.Variant("ay", value.tobytes())}
    return value


def bring_back(value):
    if not isinstance(value, dict) or ARRAY not in value:
        return value
    import numpy
    return numpy.frombuffer(bytes(value["bytes"]), value[ARRAY]).reshape(value["shape"]).copy()


def do_save(self):
    try:
        if hasattr(self, "save"):
            return to_variant(self.save())
        return to_variant({name: keep(getattr(self, name)) for name in self.state})
    except BaseException as error:
        warn(self, error)
        return None


def do_restore(self, state):
    try:
        if hasattr(self, "restore"):
            return self.restore(from_variant(state))
        for name, value in from_variant(state).items():
            setattr(self, name, bring_back(value))
    except BaseException as error:
        raise fault(self, error) from None


def names_of(name):
    """What a class may call a callback: our name, or as CoppeliaSim writes it, `sysCall_beforeSimulation`."""
    first, *rest = name.split("_")
    camel = first + "".join(word.capitalize() for word in rest)
    return (name, "sysCall_" + camel) + (("sysCall_%sCallback" % camel,) if name in ("dyn", "contact", "joint") else ())


@functools.lru_cache(maxsize=None)
def own_name(cls, name):
    """The one of these names that the class has."""
    return next((each for each in names_of(name) if callable(getattr(cls, each, None))), name)


def lead_callback(name):
    """A callback of a script; what `contact` and `joint` return says whether they have handled it."""
    def do(self, tick):
        try:
            if name == "init":
                self._orrery_thread = None
            handled = getattr(self, own_name(type(self), name))(tick)
            return bool(handled) if name in HANDLERS else None
        except BaseException as error:
            raise fault(self, error) from None
    return do


def do_thread(self, tick):
    """A generator is resumed once per tick, and gets that tick as the value of its `yield`; where it yields `until (...)`
    it is resumed when that has come about, and gets what came. A plain function is called."""
    try:
        work = self.__dict__.get("_orrery_thread")
        if work is None:
            work = getattr(self, own_name(type(self), "thread"))(tick)
            if not inspect.isgenerator(work):
                if work is None:
                    self.log(Orrery.LogLevel.WARNING, WITHOUT_YIELD)
                return bool(work)
            self._orrery_thread = work
            self._orrery_wait = next(work)
        else:
            resume(self, work, tick)
        return True
    except StopIteration:
        return False
    except BaseException as error:
        raise fault(self, error) from None


WITHOUT_YIELD = "thread() has no yield and returned nothing: it was called once, as a whole; each yield ends a step"


def resume(self, work, tick):
    wait = self._orrery_wait
    if not isinstance(wait, _tasks.Wait):
        self._orrery_wait = work.send(tick)
        return
    try:
        ready, value = wait.poll()
    except Exception as error:
        self._orrery_wait = work.throw(error)
        return
    if ready:
        self._orrery_wait = work.send(value)


ARRAY = "orrery-array"
HANDLERS = ("contact", "joint")
CALLBACKS = ("init", "before_simulation", "after_simulation", "sensing", "actuation", "non_simulation", "suspend",
             "suspended", "resume", "dyn", "contact", "joint", "before_instance_switch", "after_instance_switch", "cleanup")


def named(*names):
    return lambda cls: names


# Of each role: its virtual functions, which names of the class make it have one, and what leads to them.
FUNCTIONS = {
    Orrery.Part: {
        "setup": (None, do_setup),
        "call": (lambda cls: collect(cls, Service) and ("__class__",), do_call),
        "cancel": (named("cancel"), do_cancel),
        "save": (lambda cls: ("save", "__class__") if hasattr(cls, "state") else ("save",), do_save),
        "restore": (lambda cls: ("restore", "__class__") if hasattr(cls, "state") else ("restore",), do_restore),
    },
    Orrery.Sensor: {"sense": (named("sense"), do_sense)},
    Orrery.Actuator: {"act": (named("act"), do_act)},
    Orrery.Robot: {"act": (named("act"), do_act)},
    Orrery.Modifier: {"modify": (lambda cls: collect(cls, Method) and ("__class__",) or ("modify",), do_modify)},
    Orrery.Datastream: {"encode": (named("encode"), do_encode), "decode": (named("decode"), do_decode)},
    Orrery.Script: dict({name: (named(*names_of(name)), lead_callback(name)) for name in CALLBACKS},
                        thread=(named(*names_of("thread")), do_thread)),
}


# --- what parts are given, extended ---

def answer(call, value=None):
    """The service succeeds, now or later."""
    getattr(call, "return_" if hasattr(call, "return_") else "return")(None if value is None else to_variant(value))


def refuse(call, words):
    """The service fails, with these words."""
    call.fail(GLib.Error.new_literal(DOMAIN, str(words), Orrery.Error.INVALID))


def uniform(part, tick, low=0.0, high=1.0):
    """A random number of the part's own stream, which depends on seed, full name and tick only."""
    return low + (high - low) * part.draw_uniform(tick)


def gauss(part, tick, mean=0.0, deviation=1.0):
    """A normal deviate of that stream."""
    return mean + deviation * part.draw_gaussian(tick)


def take_input(part, tick, data=None):
    """What has come to the part from outside, as bytes: `data`, or in a replay what was recorded; `None`: nothing."""
    # bytes(N) is N zeros, however many these are.
    if not isinstance(data, (bytes, bytearray, memoryview, type(None))):
        raise TypeError("take_input: bytes or None, not %s" % type(data).__name__)
    return bytes(part_take_input(part, tick, bytes(data or b""))) or None


def call_by_name(part, tick, name, service, *arguments):
    """Calls a service of any part of the scene, by the name of that part: the call, which may be done already."""
    return part_call_by_name(part, tick, name, service, GLib.Variant("av", [to_variant(each) for each in arguments]))


def call_remote(part, tick, middleware, service, type, request=None, timeout=5.0):
    """Calls a service that another program offers, over a middleware of the scene; for `yield until (...)`."""
    from ._native import begun, remote_arguments
    return begun(call_by_name(part, tick, middleware, "call_remote", *remote_arguments(service, type, request, timeout)))


def chain(overlay, call, service, *arguments, map=None):
    """Answers a call with what the component's service of that name answers, changed by `map`."""
    def convert(_overlay, value, *_data):
        try:
            return to_variant(map(from_variant(value)))
        except BaseException as error:
            warn(overlay, error)
            return None
    overlay_chain(overlay, call, service, GLib.Variant("av", [to_variant(each) for each in arguments]),
                  convert if map is not None else None, None)


def extend():
    from . import _bulk, _loader
    _bulk.extend()
    _loader.install()
    _roles.extend()
    Orrery.Part.__init_subclass__ = classmethod(begin_class)
    tick = Orrery.Tick
    tick.time = property(lambda self: Orrery.time_to_seconds(self.get_time()))
    tick.dt = property(lambda self: self.get_dt())
    tick.number = property(lambda self: self.get_number())
    tick.commands = property(lambda self: self.get_commands())
    tick.snapshot = property(lambda self: self.get_snapshot())
    Orrery.Call.answer = answer
    Orrery.Call.refuse = refuse
    Orrery.Overlay.chain = chain
    Orrery.Part.uniform = uniform
    Orrery.Part.gauss = gauss
    Orrery.Part.take_input = take_input
    Orrery.Part.call_by_name = call_by_name
    Orrery.Part.call_remote = call_remote


overlay_chain = Orrery.Overlay.chain
part_take_input = Orrery.Part.take_input
part_call_by_name = Orrery.Part.call_by_name
