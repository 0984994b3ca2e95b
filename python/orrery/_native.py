# SPDX-License-Identifier: BSD-3-Clause
"""What makes the classes of the typelib feel at home in Python.

Everything here only extends what the library does: mapping access, values instead of variants,
services as methods. Imported at the first use of a name of `orrery`, so that the builder, which
needs no typelib, starts without it.
"""

import collections.abc
import json
import math
import operator
import os

# The first one says what it is that lacks, if PyGObject does.
from ._values import GLib, Orrery, from_variant, look_at, to_variant
from . import _build, _channels, _describe, _follow, _hybrid, _interrupt, _observers, _plugins, _recording, _records, _show, _tasks
from ._describe import describe_values  # noqa: F401
from ._extension import access
from ._faults import raise_interrupt


class Fields(collections.abc.Mapping):
    """The fields of a record, as attributes and as a mapping."""

    __slots__ = ()

    @classmethod
    def of(cls, record):
        return Received(record)

    def _name(self):
        return "record"

    def _item(self, name):
        record = self._record()
        if name not in list(self):
            raise KeyError("%s: no field %s%s" % (self._name(), name, Orrery.nearest_names(name, list(self))))
        buffer = None if name == "timestamp" else record.get_buffer(name)
        view = None if buffer is None else look_at(buffer)
        return from_variant(record.get_value(name)) if view is None else view

    def _missing(self, name):
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self):
        record = self._record()
        if record.has_timestamp():
            yield "timestamp"
        yield from record.get_schema().get_names()

    def __len__(self):
        return len(list(iter(self)))

    def __dir__(self):
        return sorted(self)

    _ipython_key_completions_ = __dir__

    def __repr__(self):
        return "<%s %r>" % (self._name(), dict(self))


class Received(Fields):
    """The fields of a record of nobody's, as one that a channel brought."""

    __slots__ = ("_holder",)

    def __init__(self, record):
        object.__setattr__(self, "_holder", record)

    def _record(self):
        return self._holder

    __getitem__ = Fields._item
    __getattr__ = Fields._missing

    def __setattr__(self, name, value):
        raise AttributeError("%s: it was received and cannot be changed" % self._name())


class ComponentFields(Fields):
    """The same of a component's record, as it is now; setting one writes an actuator's input."""

    __slots__ = ()

    def _record(self):
        return self._holder.get_record()

    def _name(self):
        return self._holder.get_name()

    def _write(self, name, value):
        try:
            simulation_of(self._holder).write(self._holder, name, to_variant(value))
        except GLib.Error as error:
            if name in list(self):
                raise
            raise AttributeError(error.message) from None


if access is None:
    class Data(ComponentFields):
        __slots__ = ("_holder",)

        def __init__(self, component):
            object.__setattr__(self, "_holder", component)

        def __getattr__(self, name):
            view = _plugins.view(self._holder)
            return getattr(view, name) if name in view._plain else self._missing(name)

        __getitem__ = Fields._item
        __setattr__ = ComponentFields._write
else:
    class Data(access.Data, ComponentFields):
        # What lies in the record as a plain value is read and written by the extension module.
        __slots__ = ()


def make_data_attribute():
    plain = property(Data)
    return plain if access is None else access.Attribute(plain, Data)


def simulation_of(component):
    """The simulation that lent the component: the component does not keep it alive."""
    find_simulation = getattr(component, "_orrery_simulation", None)
    simulation = find_simulation() if find_simulation is not None else None
    if simulation is None:
        raise ReferenceError("%s: its simulation is gone" % component.get_name())
    return simulation


CALLERS_FAULTS = (Orrery.CallFault.NO_SERVICE, Orrery.CallFault.WRONG_COUNT, Orrery.CallFault.WRONG_TYPE)


# The services of each class of components, with their flags: they never change.
services = {}


def services_of(component):
    known = services.get(type(component))
    if known is None:
        known = {name: component.get_service_flags(name) for name in component.get_service_names()}
        services[type(component)] = known
    return known


def service_of(component, name):
    """A service as a method: an immediate one returns its value, a long-running one its call."""
    long_running = services_of(component).get(name, 0) & Orrery.ServiceFlags.LONG

    def service(*arguments):
        simulation = simulation_of(component)
        if not long_running:
            return result_of(answer_of(simulation, component.get_name(), name, arguments))
        call = start_call(simulation, component.get_name(), name, arguments)
        # One that was not understood has not begun.
        return call if call.get_fault() not in CALLERS_FAULTS else call.result()
    service.__name__ = name
    service.__qualname__ = "%s.%s" % (component.get_name(), name)
    service.__doc__ = "The service %s of %s: gives %s" % (name, component.get_name(), (
        "its call, with done, result () and cancel ()." if long_running else "its value."))
    return service


def check_open(simulation, what):
    """The library takes this for a mistake of the program's, says so, and goes on."""
    if getattr(simulation, "_orrery_closed", False):
        raise RuntimeError("%s: the simulation is closed; load the scene again" % what)


def start_call(simulation, part, service, arguments):
    return answer_of(simulation, part, service, arguments, True)


def answer_of(simulation, part, service, arguments, wants_call=False):
    """The value of a call that has succeeded by now, unless the call is wanted; otherwise the call."""
    if simulation._orrery_closed:
        check_open(simulation, "%s %s" % (part, service))
    answer = access_call(simulation, part, service, arguments, wants_call)
    if answer is NotImplemented:
        # Without the module, or with a value that it leaves to this.
        return simulation_call(simulation, part, service, GLib.Variant("av", [to_variant(a) for a in arguments]))
    return answer


def service_method(name):
    """In place of a method of GObject with the name of a service; GObject.Object has it still."""
    def method(component, *arguments):
        return service_of(component, name)(*arguments)
    method.__name__ = name
    method.__doc__ = "The service %s; that of GObject is GObject.Object.%s (component, ...)." % (name, name)
    return method


def component_getattr(component, name):
    """A service is a method, where nothing else has its name."""
    if not name.startswith("_") and name in services_of(component):
        return service_of(component, name)
    if name.startswith("_"):
        raise AttributeError(name)
    find_simulation = component.__dict__.get("_orrery_simulation")
    return _show.component_getattr(component, name, find_simulation() if find_simulation is not None else None)


def get_component(simulation, name):
    component = access_find_component(simulation, name)
    if component is NotImplemented:
        component = simulation.find_component(name)
    if component is None:
        raise KeyError("no component %s%s" % (name, Orrery.nearest_names(name, simulation.get_component_names())))
    known = component.__dict__.get("_orrery_simulation")
    if known is None or known() is not simulation:
        component._orrery_simulation = simulation.weak_ref()
    return component


def call_service(simulation, part, service, *arguments):
    """Calls a service of any part: its value, or the call if it is not done yet."""
    answer = answer_of(simulation, part, service, arguments)
    if isinstance(answer, Orrery.Call) and not answer.is_done():
        return answer
    return result_of(answer)


def call_remote(simulation, middleware, service, type, request=None, timeout=5.0):
    """Calls a service that another program offers, over a middleware of the scene: the call, which is done once a
    tick has taken the answer, a dictionary of the fields of the response."""
    return begun(start_call(simulation, middleware, "call_remote", remote_arguments(service, type, request, timeout)))


def remote_arguments(service, type, request, timeout):
    return str(service), str(type), {} if request is None else request, float(timeout)


def begun(call):
    """A call, unless it has failed at once, which is raised."""
    if call.is_done():
        call.get_result()
    return call


def result_of(answer):
    """The value of a call that is done, or what is one already; raises what the call failed with."""
    return answer.result() if isinstance(answer, Orrery.Call) else answer


def result_of_call(call):
    """The value of a call that is done; raises what it failed with."""
    if not call.is_done():
        raise RuntimeError("%s is not done yet" % call.get_service())
    return from_variant(call.get_result())


def whole(what, n):
    """2.5 ticks would be taken for 2."""
    try:
        return operator.index(n)
    except TypeError:
        raise TypeError("%s: a whole number of ticks, not %r" % (what, n)) from None


def close(simulation):
    """Ends it: its ports are free, its workers gone. Nothing can be asked of it any more."""
    simulation._orrery_closed = True
    simulation_close(simulation)


# Ticks that nobody waits for long enough to press Ctrl-C.
LONG_STEP = 100


def step(simulation, n=1):
    """Runs n ticks, as fast as they go."""
    check_open(simulation, "step")
    n = whole("step", n)
    if n < LONG_STEP:
        if access_step(simulation, n) is NotImplemented:
            simulation_step(simulation, n)
    else:
        with _interrupt.watched(simulation):
            simulation_step(simulation, n)
    raise_interrupt()


def run(simulation, n=0, wall=0.0):
    """Runs at the scene's pace: n ticks at most, and so many seconds of real time; 0 for no limit."""
    check_open(simulation, "run")
    with _interrupt.watched(simulation):
        simulation_run(simulation, whole("run", n), Orrery.time_from_seconds(wall))
    raise_interrupt()


def check_path(path):
    if isinstance(path, str) and path.endswith(".py") and os.path.isfile(path):
        raise GLib.Error.new_literal(
            Orrery.error_quark(), "%s: a builder script, and no scene: write one with orrery.build (%r, DIRECTORY), or call "
            "env.load () in the script itself" % (path, path), Orrery.Error.CONFIG)


def check_options(options):
    known = [each.name.replace("-", "_") for each in Orrery.Options.list_properties()]
    for name in options:
        if name.replace("-", "_") not in known:
            raise TypeError("load: no option %s%s" % (name, Orrery.nearest_names(name, known)))
    # GLib would cut a fraction, and take nothing in place of NaN.
    if "seed" in options:
        seed = options["seed"]
        if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= operator.index(seed) < 2 ** 64:
            raise ValueError("seed: %r is no whole number from 0 to 2**64 - 1" % (seed,))
        options["seed"] = operator.index(seed)
    if "start" in options:
        start = options["start"]
        if isinstance(start, (str, bytes)) or not hasattr(start, "__float__") or math.isnan(start):
            raise ValueError("start: %r is no number of seconds" % (start,))


def to_settings(values):
    """The texts that Orrery.Options takes, of a dictionary of paths and values."""
    if not isinstance(values, dict):
        raise TypeError("set is a dictionary of paths and values, as {'robot.gps.frequency': 5}, not %r" % (values,))
    return ["%s=%s" % (path, json.dumps(value)) for path, value in values.items()]


def load(path, plugin_dirs=(), **options):
    """A scene, set up and before its first tick. Options are the properties of Orrery.Options: seed, start, ...

    Sockets are those that the scene asks for; listen=True offers services where it asks for none, listen=False opens none. `set` is a dictionary of
    values in place of those of the scene, by their paths: {"robot.gps.frequency": 5, "simulation.frequency": 100}.
    """
    check_path(os.fspath(path))
    settings = to_settings(options.pop("set", {}))
    check_options(options)
    if settings:
        options["settings"] = list(options.get("settings") or ()) + settings
    if options.get("listen") is False:
        # What the scene asks for, too: who says so wants none at all.
        options.setdefault("offline", True)
    registry = Orrery.Registry.new()
    for directory in _build.to_directories(plugin_dirs):
        registry.add_directory(directory)
    return Orrery.Simulation.load_with_options(registry, os.fspath(path), Orrery.Options(**options))


def save(simulation, path=None):
    """Its state between two ticks, as bytes, or in a file."""
    state = simulation_save(simulation).get_data()
    if path is None:
        return state
    temporary = "%s.%d~" % (os.fspath(path), os.getpid())
    with open(temporary, "wb") as file:
        file.write(state)
    os.replace(temporary, path)
    return None


def restore(simulation, state):
    """Goes on from a state of save(): the bytes, or the path of the file."""
    if isinstance(state, (str, os.PathLike)):
        with open(state, "rb") as file:
            state = file.read()
    simulation_restore(simulation, GLib.Bytes.new(memoryview(state).tobytes()))


def build(script, directory, plugin_dirs=(), arguments=()):
    """Runs a builder script and writes its scene into a directory that load() takes."""
    _build.build(Orrery, script, directory, plugin_dirs, arguments)


def batch(*arguments, **options):
    # NumPy, which it needs, is not there for everybody.
    from ._batch import batch as run_batch
    return run_batch(*arguments, **options)


def read_batch(directory):
    """What `orrery batch` has written: a BatchTable, the columns of results.csv as arrays."""
    from ._batch_tables import read_batch as read
    return read(directory)


def run_batch(*arguments, **options):
    from ._batch_tables import run_batch as run
    return run(*arguments, **options)


def connect(host="localhost", port=4000):
    """A simulation in another process, for `async with`: its services and streams, over sockets."""
    from ._live import Remote
    return Remote(host, port)


def live(simulation, pace=1.0):
    """A simulation of this process, for `async with`: its ticks run in the event loop meanwhile."""
    from ._live import Local
    return Local(simulation, pace)


def extend():
    """Gives the classes of the typelib what Python expects of them."""
    simulation, component, call = Orrery.Simulation, Orrery.Component, Orrery.Call
    simulation.__getitem__ = get_component
    simulation.__iter__ = lambda self: iter(self.get_component_names())
    simulation.__len__ = lambda self: len(self.get_component_names())
    simulation.__contains__ = lambda self, name: self.find_component(name) is not None
    simulation.__enter__ = lambda self: self
    simulation.__exit__ = lambda self, *problem: self.close()
    simulation.step = step
    simulation.close = close
    simulation.run = run
    simulation.call = call_service
    simulation.call_remote = call_remote
    simulation.save = save
    simulation.restore = restore
    simulation.hash = property(lambda self: self.get_hash())
    simulation.frequency = property(lambda self: self.get_frequency())
    simulation.world = property(lambda self: self.get_world())
    simulation.time = property(lambda self: Orrery.time_to_seconds(self.get_time()))
    simulation.epoch = property(lambda self: self.get_epoch())
    simulation.ticks = property(lambda self: self.get_n_ticks())
    simulation.report = property(lambda self: from_variant(self.get_report()))
    component.__getattr__ = component_getattr
    component.data = make_data_attribute()
    component.name = property(lambda self: self.get_name())
    for name in "get_properties", "set_property":
        setattr(component, name, service_method(name))
    call.done = property(lambda self: self.is_done())
    call.result = result_of_call


simulation_close = Orrery.Simulation.close
simulation_step = Orrery.Simulation.step
simulation_run = Orrery.Simulation.run
simulation_call = Orrery.Simulation.call
simulation_save = Orrery.Simulation.save
simulation_restore = Orrery.Simulation.restore


def leave_it(*_):
    """In place of the extension module's functions."""
    return NotImplemented


access_call = leave_it if access is None else access.call
access_find_component = leave_it if access is None else access.find_component
access_step = leave_it if access is None else access.step
extend()
_follow.extend()
_plugins.extend()
_tasks.extend(Orrery)
_channels.extend(Orrery, Fields)
_hybrid.extend(Orrery)
_show.extend(Orrery)
_observers.extend()

# What the package offers beside the names of the typelib.
NAMES = {
    "Command": _tasks.Command,
    "Hybrid": _hybrid.Hybrid,
    "Output": _follow.Output,
    "PipeEmitter": _hybrid.PipeEmitter,
    "PipeReceiver": _hybrid.PipeReceiver,
    "RecordedMessage": _recording.RecordedMessage,
    "Recording": _recording.Recording,
    "RecordedTopic": _recording.RecordedTopic,
    "Sample": _follow.Sample,
    "Subscription": _follow.Subscription,
    "View": _records.RecordView,
    "batch": batch,
    "build": build,
    "load": load,
    **{name: getattr(_plugins, name) for name in _plugins.NAMES},
    "Period": _tasks.Period,
    "Picture": _observers.Picture,
    "Shared": _channels.Shared,
    "Sleep": _tasks.Sleep,
    "Until": _tasks.Until,
    "Yield": _tasks.Yield,
    "connect": connect,
    "live": live,
    "open_recording": _recording.open_recording,
    "read_batch": read_batch,
    "run_batch": run_batch,
    "until": _tasks.until,
}
_describe.extend(NAMES)
