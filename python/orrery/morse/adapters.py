# SPDX-License-Identifier: BSD-3-Clause
"""From classes of MORSE to classes of the typelib: for each an adapter, whose parts hold an instance of it."""

import importlib
import inspect
import math
import re
import sys

from gi.repository import GObject

from .. import _faults, _plugins
from .._faults import Failed
from .._values import GLib, Orrery, from_variant, to_variant
from . import components, in_c, log, state, values
from . import stage as stages
from .declarations import collect
from .errors import MorseServiceError
from .services import FAILED, PREEMPTED, SUCCESS, services_of
from .values import plain

made = {}  # class of MORSE -> its adapter
# Enough for services that take any number of arguments.
MAX_ARGUMENTS = 8
NOT_GIVEN = "null"


# --- services ---

def signature_of(function, skip):
    """As the host reads it: arguments of any type, defaults where the method has some."""
    words = []
    for each in list(inspect.signature(function).parameters.values())[skip:]:
        if each.kind == each.VAR_POSITIONAL:
            words += ["%s%d:v=%s" % (each.name, i, NOT_GIVEN) for i in range(MAX_ARGUMENTS)]
        elif each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD):
            words.append("%s:v" % each.name + ("" if each.default is each.empty else "=" + NOT_GIVEN))
    return " ".join(words)


def given(arguments, n_needed):
    """What a caller left out at the end takes the method's own default."""
    arguments = list(arguments)
    while len(arguments) > n_needed and arguments[-1] is None:
        arguments.pop()
    return arguments


def count_needed(function, skip):
    parameters = list(inspect.signature(function).parameters.values())[skip:]
    return sum(each.default is each.empty and each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
               for each in parameters)


def immediate(name, attribute, function):
    needed = count_needed(function, 1)

    def lead(self, *arguments):
        with_context(self)
        try:
            return plain(getattr(self._morse, attribute)(*given(arguments, needed)))
        except MorseServiceError as error:
            raise Failed(str(error)) from None
        finally:
            settle(self)
    lead.__doc__ = function.__doc__
    return _plugins.Service(lead, name, Orrery.ServiceFlags.IMMEDIATE, signature_of(function, 1))


def long_running(name, attribute, function):
    inner = inspect.unwrap(function)
    needed = count_needed(inner, 1)
    flags = Orrery.ServiceFlags.LONG
    policy = getattr(function, "_morse_service_interruptible", None)
    if policy is not None:
        flags |= Orrery.ServiceFlags.INTERRUPTIBLE if policy else Orrery.ServiceFlags.NONINTERRUPTIBLE

    def lead(self, call, *arguments):
        with_context(self)
        try:
            getattr(self._morse, attribute)(answerer(call), *given(arguments, needed))
        except MorseServiceError as error:
            raise Failed(str(error)) from None
        finally:
            settle(self)
    lead.__doc__ = function.__doc__
    return _plugins.Service(lead, name, flags, signature_of(inner, 1))


def answerer(call):
    """Called at the end of a service; answers its caller."""
    def answer(result):
        status, value = result
        if status == SUCCESS:
            call.answer(plain(value))
        elif status == PREEMPTED:
            call.fail(GLib.Error.new_literal(_plugins.DOMAIN, "preempted", Orrery.Error.PREEMPTED))
        elif status == FAILED:
            call.refuse("failed" if value is None else value)
        else:
            call.refuse("%r is no status: SUCCESS, FAILED or PREEMPTED" % (status,))
    return answer


def make_services(cls):
    made_of = {}
    for name, (attribute, function) in services_of(cls).items():
        make = long_running if function._morse_service_is_async else immediate
        made_of["morse_service_" + attribute] = make(name, attribute, function)
    return made_of


def mirror_of(part):
    """Where it keeps the record and local_data the same; an overlay touches those of its component."""
    owner = part.get_component() if isinstance(part, Orrery.Overlay) else part
    return owner.__dict__.get("_mirror") if owner is not None else None


def with_context(part):
    stages.enter(part._stage, part=part)
    mirror = mirror_of(part)
    if mirror is not None:
        mirror.pull()


def settle(part):
    """A service may have written to local_data: the record shows it."""
    mirror = mirror_of(part)
    if mirror is not None:
        mirror.push()


def cancel(self, call):
    with_context(self)
    if call.get_service() not in self._orrery_services and in_c.chain(self, "do_cancel", call):
        return
    try:
        self._morse.interrupt()
        # One that has forgotten to say so is preempted all the same.
        self._morse.on_completion = None
        settle(self)
    except BaseException as error:
        _plugins.warn(self, error)


# --- properties ---

KINDS = {bool: GObject.TYPE_BOOLEAN, float: GObject.TYPE_DOUBLE, str: GObject.TYPE_STRING}


def make_option(index, name, entry):
    default, words, doc, attribute = entry
    kind = type(default)
    typed = kind in KINDS and (kind is not str or str(words).startswith("str")) and (
        kind is not float or math.isfinite(default))
    limits = {"minimum": -GLib.MAXDOUBLE, "maximum": GLib.MAXDOUBLE} if kind is float and typed else {}

    def read(self):
        instance = self.__dict__.get("_morse")
        value = getattr(instance, attribute, default) if instance is not None else self._given().get(name, default)
        return value if typed else to_variant(plain(value))

    def write(self, value):
        value = value if typed or value is None else from_variant(value)
        self._given()[name] = value
        instance = self.__dict__.get("_morse")
        if instance is not None:
            setattr(instance, attribute, value)

    return GObject.Property(read, write, type=KINDS[kind] if typed else GObject.TYPE_VARIANT, nick=name,
                            default=default if typed else None, blurb=" ".join(str(doc).split()), **limits)


def make_options(cls):
    """Those of robots that the host has itself are the host's; so are those of a class in C."""
    own = {"NoGravity", "GroundRobot"} if issubclass(cls, components.Robot) else set()
    own.update(in_c.option_names(cls))
    return {"morse_%d_%s" % (i, re.sub(r"\W", "_", name)): make_option(i, name, entry)
            for i, (name, entry) in enumerate(collect(cls, "_properties").items()) if name not in own}


def given_options(self):
    """By the names of the scene."""
    return self.__dict__.setdefault("_options", {})


# --- setup ---

def begin_setup(self, setup):
    world = setup.get_world()
    self._stage = stages.stage_of(world)
    self._stage.setup = setup
    stages.enter(self._stage, part=self)
    log.follow(self)
    for name, (_, function) in services_of(type(self)._morse_class).items():
        if getattr(function, "_morse_ros_type", None) is not None:
            self.set_service_type(name, function._morse_ros_type)


def do_setup_component(self, setup):
    try:
        begin_setup(self, setup)
        in_c.chain(self, "do_setup", setup)
        cls = type(self)._morse_class
        if self._stage.rays is None and mentions(cls, "rayCast", "rayCastTo"):
            self._stage.rays = setup.get_rays()
        try:
            self._morse = make_instance(self)
            if not hasattr(self._morse, "del_functions"):
                raise TypeError("%s.__init__() does not call that of its base: super().__init__(obj, parent)"
                                % type(self._morse).__name__)
            if mentions(cls, "componentDict"):
                meet_others(self._stage, self._morse)
        finally:
            self._stage.setup = None
        self._stage.parts[self.get_name()] = self._morse
        stages.ends.add(self._morse)
        if not isinstance(self, Orrery.Robot):
            robot = self._morse.robot_parent
            self._stand_in = robot if isinstance(robot, components.StandInRobot) else None
            show_data(self, setup)
    except BaseException as error:
        raise _plugins.fault(self, error, Orrery.Error.CONFIG) from None


def functions_of(cls):
    """Those that users have written."""
    functions = [inspect.unwrap(value) for base in cls.__mro__ for value in vars(base).values() if inspect.isfunction(value)]
    return [function for function in functions if not is_own(function)]


def mentions(cls, *names):
    """Whether its code has one of the names: rays are asked for at setup, and cost whoever does not need them."""
    return any(name in each.__code__.co_names for each in functions_of(cls) for name in names)


def meet_others(stage, instance):
    """Components in C are found at setup only: those that the code, or an attribute, names are looked up now."""
    words = {value for value in vars(instance).values() if isinstance(value, str)}
    for function in functions_of(type(instance)):
        words.update(value for value in function.__code__.co_consts if isinstance(value, str))
    robot = getattr(instance.robot_parent, "name", instance.name)()
    for word in sorted(words):
        for name in (word, robot + "." + word, robot + word):
            if name != instance.name() and re.fullmatch(r"[^\s.]+(\.[^\s.]+)+", name):
                stage.find_part(name)


def is_own(function):
    return function.__module__.startswith("orrery.")


def make_instance(self):
    cls = type(self)._morse_class
    if not callable(getattr(cls, "default_action", None)) or (
            cls.default_action is components.Object.default_action and cls.action is components.Object.action):
        raise TypeError("%s has no default_action()" % cls.__name__)
    obj = self._stage.object_of(self.get_object())
    obj._host = self
    obj.own.update(given_options(self))
    obj.own.setdefault("Component_Tag" if not isinstance(self, Orrery.Robot) else "Robot_Tag", True)
    obj.own.setdefault("frequency", self.get_frequency())
    level = self.get_level()
    if level is not None:
        obj.own["abstraction_level"] = level
    robot = None if isinstance(self, Orrery.Robot) else self._stage.part_of(self.get_robot())
    return cls(obj, robot)


def show_data(self, setup):
    data = self._morse.local_data
    level = self.get_level() or "default"
    if type(self)._in_c is None:
        fields = values.fields_of(data, values.declared_at(type(self)._morse_class, level))
        setup.set_schema(values.schema_of(fields))
    self._mirror = values.Mirror(self.get_record(), data)
    self._mirror.push()


# --- steps ---

def step(self, tick):
    stages.enter(self._stage, tick, self)
    mirror = self._mirror
    instance = self._morse
    if instance.local_data is not mirror.data:
        replace_data(mirror, instance)
    mirror.pull()
    if self._stand_in is not None:
        self._stand_in.refresh(tick.get_number())
    instance.action()
    if instance.local_data is not mirror.data:
        replace_data(mirror, instance)
    mirror.push()
    if len(mirror.data) > len(mirror.names):
        tell_strays(self, mirror)


def replace_data(mirror, instance):
    """A component has put another dictionary there: its values count, the fields stay."""
    for name, value in mirror.data.items():
        instance.local_data.setdefault(name, value)
    mirror.data = instance.local_data


def tell_strays(self, mirror):
    for name in mirror.find_strays():
        _faults.warn("%s: local_data['%s'] has no place in the record: declare it by add_data (), or set it in the "
                     "constructor" % (self.get_name(), name))


def do_sense(self, tick, record):
    try:
        mirror = self._mirror
        mirror.data["timestamp"] = stamp = mirror.view.timestamp
        step(self, tick)
        if mirror.data["timestamp"] != stamp:
            mirror.view.timestamp = mirror.data["timestamp"]
    except BaseException as error:
        raise _plugins.fault(self, error) from None


def do_act(self, tick, record):
    try:
        step(self, tick)
    except BaseException as error:
        raise _plugins.fault(self, error) from None


def do_act_robot(self, tick, record):
    try:
        stages.enter(self._stage, tick, self)
        self._morse.action()
    except BaseException as error:
        raise _plugins.fault(self, error) from None


# --- state ---

def do_save(self):
    """A class in C that saves something of its own saves that alone."""
    try:
        has, saved = in_c.ask(self, "do_save")
        return saved if has else state.save(self._morse)
    except BaseException as error:
        _plugins.warn(self, error)
        return None


def do_restore(self, saved):
    try:
        with_context(self)
        if not in_c.chain(self, "do_restore", saved):
            state.restore(self._morse, saved)
        mirror = self.__dict__.get("_mirror")
        if mirror is not None:
            mirror.last = None
            mirror.said.clear()
            mirror.pull()
    except BaseException as error:
        raise _plugins.fault(self, error) from None


# --- classes ---

COMPONENT = {"do_setup": do_setup_component, "do_cancel": cancel, "do_save": do_save, "do_restore": do_restore,
             "_given": given_options}
ROLES = [(components.Sensor, Orrery.Sensor, dict(COMPONENT, do_sense=do_sense)),
         (components.Actuator, Orrery.Actuator, dict(COMPONENT, do_act=do_act)),
         (components.Robot, Orrery.Robot, dict(COMPONENT, do_act=do_act_robot))]


def role_of(cls):
    return next((entry for entry in ROLES if issubclass(cls, entry[0])), None)


def is_of_users(cls):
    """A class that scenes may name, and none of the bases that we offer."""
    return isinstance(cls, type) and not cls.__module__.startswith("orrery.") and role_of(cls) is not None


def adapt(cls):
    """The class of the typelib for a class of MORSE."""
    if cls in made:
        return made[cls]
    base, role, functions = role_of(cls)
    inner = in_c.type_of(cls)
    body = dict(functions, __module__=cls.__module__, __doc__=cls.__doc__ or getattr(cls, "_short_desc", None),
                _morse_class=cls, _in_c=inner, **make_options(cls), **make_services(cls))
    adapter = made[cls] = type(role)(cls.__name__, (inner or role,), body)
    if role in (Orrery.Sensor, Orrery.Actuator):
        data = {name: entry[0] for name, entry in collect(cls, "_data_fields").items()}
        fields = values.fields_of(data, collect(cls, "_data_fields"))
        schema = values.schema_of(fields) if inner is None else in_c.schema_for(cls, fields)
        if schema is not None:
            adapter.set_schema(schema)
    adapter.allow_other_options()
    _plugins.plugin(adapter, direction=getattr(base, "_direction", ""),
                    levels=[(name, level_class(cls, path), default) for name, (path, _, default) in levels_of(cls)])
    return adapter


def levels_of(cls):
    """Those that a scene may ask of the class: one that does a level of its base has none itself."""
    levels = list(collect(cls, "_levels").items())
    own = "_levels" in vars(cls)
    return levels if own or not any(path is not None and class_at(path, cls) is cls for _, (path, _, _) in levels) else []


def level_class(cls, path):
    if path is None:
        return None
    other = class_at(path, cls)
    return None if other is cls else other.__name__


def class_at(path, cls):
    """The class of a level: by its path, which may name the module as MORSE knew it."""
    module, _, name = path.rpartition(".")
    own = sys.modules[cls.__module__]
    if not module or module == cls.__module__ or module.rpartition(".")[2] == cls.__module__.rpartition(".")[2]:
        if hasattr(own, name):
            return getattr(own, name)
    return getattr(importlib.import_module(module), name)


def adapters_in(module):
    """Adapters of the classes that a module has, and of those that do their levels."""
    found = [adapt(cls) for cls in list(vars(module).values())
             if is_of_users(cls) and cls.__module__ == module.__name__]
    for adapter in list(found):
        cls = adapter._morse_class
        for _, (path, _, _) in levels_of(cls):
            other = adapt(class_at(path, cls)) if path is not None else adapter
            if other not in found:
                found.append(other)
    return found


