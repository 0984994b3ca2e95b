# SPDX-License-Identifier: BSD-3-Clause
"""Classes of MORSE's that are in C here, to derive from: `default_action` or `modify` of such a base is what the class in C
does, on the same record; its services are those of the derived class, its properties attributes.
"""

import json

from gi.repository import GObject

from .._values import GLib, Orrery, from_variant, to_variant
from . import components, plugs, values
from .calls import call_now
from .declarations import collect
from .values import plain

registry = Orrery.Registry()
types = {}  # classpath -> Known


class Known:
    """What the program says of a class in C."""

    def __init__(self, classpath):
        self.told = json.loads(registry.describe([classpath]))["classes"][0]
        # PyGObject makes a class for the type when it meets an object of it.
        part = GObject.new(GObject.type_from_name(self.told["type"]))
        self.type = type(part)
        self.schema = part.get_record().get_schema() if isinstance(part, Orrery.Component) else None


def known(classpath):
    if classpath not in types:
        types[classpath] = Known(classpath)
    return types[classpath]


def path_of(cls):
    """The classpath of the nearest base in C, or None."""
    return next((vars(base)["_in_c"] for base in cls.__mro__ if "_in_c" in vars(base)), None)


def type_of(cls):
    """The class of the typelib for the nearest base in C, or None."""
    path = path_of(cls)
    return None if path is None else known(path).type


def option_names(cls):
    """The properties that a class has in C, by the names of scenes."""
    path = path_of(cls)
    return [] if path is None else [each["name"] for each in known(path).told.get("properties", ())]


lacking = set()  # (type, function) of which the class in C has none


def ask(part, name, *arguments):
    """Whether the class in C has a function, and what it answers."""
    inner = part._in_c
    if inner is None or (inner, name) in lacking:
        return False, None
    try:
        return True, getattr(inner, name)(part, *arguments)
    except GLib.Error as error:
        if error.domain != "g-invoke-error-quark":
            raise
        lacking.add((inner, name))
        return False, None


def chain(part, name, *arguments):
    """Calls a function of the class in C; whether it has one."""
    return ask(part, name, *arguments)[0]


def spell(name):
    """A property's name as attributes have it, and the other way round: `_cam_far`, `cam_far`; `_range`, `Range`."""
    return name.replace("_", "").replace("-", "").casefold()


class InC:
    """Properties and services of the class in C, as attributes."""

    def _options(self):
        options = self.__dict__.get("_option_names")
        if options is None:
            host = self.__dict__["_host"]
            own = collect(type(self), "_properties")
            options = {spell(name): name for name in host.get_option_names() if name not in own}
            self.__dict__["_option_names"] = options
        return options

    def __getattr__(self, name):
        host = self.__dict__.get("_host")
        if host is None or name.startswith("__"):
            raise AttributeError(name)
        if spell(name) in self._options():
            return from_variant(host.get_option(self._options()[spell(name)]))
        if name in host.get_service_names():
            return lambda *arguments: call_now(host, name, arguments)
        raise AttributeError("%s has no attribute %s" % (host.get_name(), name))

    def __setattr__(self, name, value):
        host = self.__dict__.get("_host")
        if host is not None and not hasattr(type(self), name) and spell(name) in self._options():
            host.set_option(self._options()[spell(name)], to_variant(plain(value)))
        else:
            super().__setattr__(name, value)


class ComponentInC(InC):
    """A sensor or an actuator."""

    def initialize_local_data(self):
        data = values.copy_of(self._host.get_record())
        self.local_data.update(data)
        super().initialize_local_data()

    def default_action(self):
        """What the class in C does in a step."""
        host, mirror = self._host, self._host._mirror
        mirror.push()
        chain(host, "do_sense" if isinstance(host, Orrery.Sensor) else "do_act", host._stage.tick, host.get_record())
        mirror.pull()


class RobotInC(InC):
    """A robot."""

    def default_action(self):
        chain(self._host, "do_act", self._host._stage.tick, self._host.get_record())

    def apply_vw_wheels(self, vx, vw):
        """Turns the wheels so that it drives at vx (m/s) and vw (rad/s)."""
        if not self._host.has_wheels():
            raise ValueError("%s has no wheels to drive" % self.name())
        self._host.drive_wheels(components.need_tick(), vx, vw)


class ModifierInC(InC):
    """A modifier."""

    def modify(self):
        data, host = self.component_instance.local_data, self._host
        mirror = host._component.__dict__.get("_mirror")
        if mirror is not None:
            mirror.push()
        else:
            data.flush()
        chain(host, "do_modify", host._stage.tick)
        if mirror is not None:
            mirror.pull()
        else:
            data.forget()


def kind_for(bases):
    """Which of these a class with such bases is."""
    for base, kind in ((components.Robot, RobotInC), (components.Object, ComponentInC),
                       (plugs.AbstractModifier, ModifierInC)):
        if any(issubclass(each, base) for each in bases):
            return kind
    return Other


class Other:
    """What carries data: it does so for the host alone."""

    def __new__(cls, *_given, **_named):
        from .errors import MorseOnly
        raise MorseOnly("%s.%s" % (cls.__module__, cls.__qualname__), "a config names it by its classpath")


def schema_for(cls, declared):
    """The fields of the class in C and those declared in Python behind them; None: no others."""
    inner = known(path_of(cls)).schema
    own = {field: kind for field, kind, _, _ in inner.to_variant().unpack()}
    fresh = [entry for entry in declared if entry[0] not in own]
    if not fresh:
        return None
    outer = Orrery.Schema.new_from_variant(GLib.Variant("a(ssss)", list(inner.to_variant().unpack()) + fresh))
    alone = Orrery.Schema.new_from_variant(inner.to_variant())
    if inner.get_size() > alone.get_size() or any(inner.get_offset(field) != outer.get_offset(field) for field in own):
        raise TypeError("%s: a record of %s takes no more fields: publish them by a sensor of your own"
                        % (cls.__name__, path_of(cls)))
    return outer
