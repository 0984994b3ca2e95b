# SPDX-License-Identifier: BSD-3-Clause
"""What robots, sensors and actuators have in common in a builder script."""

from . import naming, session
from .bpyobject import BpyObject
from .catalogue import written
from .configuration import Configuration
from .errors import BuilderError, MissingError, hint
from .values import number, plain, positive, vector

__all__ = ["AbstractComponent", "Configuration", "timer"]

AXES = ("x", "y", "z")


class timer(float):
    """A number that MORSE counts up by itself; kept as the number."""


class AbstractComponent:
    """A component under construction: place, properties, streams, services, modifiers, children.

    Lengths are metres, angles radians; a rotation is (roll, pitch, yaw) in the parent's frame.
    """

    def __init__(self, classpath=None, name=None):
        self._classpath = None
        self._parent = None
        self._position = [0.0, 0.0, 0.0]
        self._rotation = [0.0, 0.0, 0.0]
        self._properties = {}
        self._level = None
        self._frequency = None
        self._placement = {}
        self._exportable = True
        self.children = []
        self.basename = None
        self.final_name = None
        self.full_name = None
        self.origin = session.origin()
        if classpath:
            self._set_classpath(classpath)
        if name is not None:
            self.name = name
        session.current().components.append(self)

    role = None  # of a subclass: what its class must be

    # Name and place in the tree

    @property
    def name(self):
        """The full name once the scene has its names; before that, the component's own."""
        return self.full_name or self.own_name()

    @name.setter
    def name(self, value):
        if not isinstance(value, str) or not value:
            raise BuilderError("a component's name must be text, not %r" % (value,))
        if "." in value:
            raise BuilderError(
                "the name %r must not hold a dot: full names are made of the tree" % value
            )
        self.basename = plain(value, "name")
        self.full_name = None

    def own_name(self):
        """The name without those of its parents: the script's, else that of its class."""
        if self.basename:
            return self.basename
        return self._classpath.rpartition(".")[2] if self._classpath else type(self).__name__

    @property
    def is_nameless_root(self):
        return self._parent is None and not self.basename

    @property
    def parent(self):
        return self._parent

    def append(self, obj, child=None, level=1):
        """Makes `obj` a part of this component, or of its part named `child`.

        An `obj` without a name takes that of the variable, or of the attribute of `self`, to which
        the caller, `level` calls above, has bound it.
        """
        if not isinstance(obj, AbstractComponent):
            raise BuilderError("append: want a component, not %r" % (obj,))
        target = self if child is None else self._require_child(child)
        obj._check_free(target)
        if not obj.basename:
            frame = naming.frame_above(level)
            name = naming.variable_of(frame, obj) if frame is not None else None
            if name is not None:
                obj.name = name
        obj._parent = target
        target.children.append(obj)

    def _check_free(self, target):
        if self._parent is not None:
            raise BuilderError(
                "%s is part of %s already" % (self.own_name(), self._parent.own_name())
            )
        while target is not None:
            if target is self:
                raise BuilderError("%s cannot be a part of itself" % self.own_name())
            target = target._parent

    def _require_child(self, name):
        found = self.get_child(name)
        if found is None:
            names = [component.own_name() for component in self.children]
            raise BuilderError("%s has no part %s%s" % (self.own_name(), name, hint(name, names)))
        return found

    def get_child(self, name, objects=None, recursive=True):
        """The part of that name, else one whose name begins so, else one further down, else None."""
        parts = self.children if objects is None else objects
        for part in parts:
            if part.own_name() == name:
                return part
        for part in parts:
            if part.own_name().startswith(name):
                return part
        for part in parts if recursive else []:
            found = part.get_child(name)
            if found is not None:
                return found
        return None

    @staticmethod
    def close_context(level=1):
        """Names the roots among the caller's variables; a loop that reuses a variable needs it."""
        naming.name_roots(naming.frame_above(level))

    # Pose

    @property
    def location(self):
        return tuple(self._position)

    @location.setter
    def location(self, value):
        self._position = vector(value, self.own_name() + ".location")

    @property
    def rotation_euler(self):
        return tuple(self._rotation)

    @rotation_euler.setter
    def rotation_euler(self, value):
        self._rotation = vector(value, self.own_name() + ".rotation_euler")

    @property
    def scale(self):
        return (1.0, 1.0, 1.0)

    @scale.setter
    def scale(self, value):
        if vector(value, self.own_name() + ".scale") != [1.0, 1.0, 1.0]:
            raise BuilderError("%s: a component cannot be scaled" % self.own_name())

    def translate(self, x=0.0, y=0.0, z=0.0):
        """Adds to the position, in metres."""
        self._position = self._moved(self._position, (x, y, z), "translate")

    def rotate(self, x=0.0, y=0.0, z=0.0):
        """Adds to the angles roll, pitch and yaw, in radians."""
        self._rotation = self._moved(self._rotation, (x, y, z), "rotate")

    def _moved(self, start, by, what):
        sums = []
        for axis, old, more in zip(AXES, start, by):
            where = "%s.%s: %s" % (self.own_name(), what, axis)
            sums.append(number(old + number(more, where), where))
        return sums

    # Properties, level, frequency

    def properties(self, **kwargs):
        """Sets properties of any type that JSON has."""
        for name, value in kwargs.items():
            setter = _SPECIAL.get(name)
            if setter is not None:
                setter(self, value)
            else:
                self._properties[name] = plain(value, "%s.%s" % (self.own_name(), name))

    def property_value(self, name):
        """The property's value, as set here or as the class comes with; None if neither says."""
        special = {
            "classpath": self._classpath and written(self._classpath),
            "abstraction_level": self._level,
            "frequency": self._frequency,
        }
        if name in special:
            return special[name]
        if name in self._properties:
            return self._properties[name]
        catalogue = session.current().catalogue
        for path in catalogue.lineage(self._classpath) if self._classpath else []:
            info = catalogue.find(path)
            if info is not None and name in info.properties:
                return info.properties[name]
        return None

    def level(self, level):
        """Chooses one of the class's levels; `default` is the class's own choice."""
        self._set_level(level)

    def frequency(self, frequency=None):
        """How often the component runs, in Hz; None and 0 change nothing."""
        if frequency is None or frequency == 0:
            return
        self._frequency = positive(frequency, self.own_name() + ".frequency")
        Configuration.set_frequency(self, self._frequency)

    def placement(self, where="worker", transport=None, free_running=None, **settings):
        """Has a sensor or actuator run in a process of its own, or in one that others share.

        `where` is `host`, `worker`, or the name of a shared worker. A component that runs free
        does not hold the tick. The settings are those of the worker: timeout, start_timeout,
        back_off (s), memory (MiB), on_failure (hold, zero, stop), restarts.
        """
        label = self.own_name() + ".placement"
        keys = {"placement": where, "transport": transport, "free_running": free_running}
        self._placement = {
            key: plain(value, "%s: %s" % (label, key))
            for key, value in keys.items()
            if value is not None
        }
        unknown = sorted(set(settings) - set(_WORKER_SETTINGS))
        if unknown:
            raise BuilderError(
                "%s: a worker has no setting %s%s"
                % (label, unknown[0], hint(unknown[0], _WORKER_SETTINGS))
            )
        if settings and where == "host":
            raise BuilderError("%s: settings are of workers, not of the host" % label)
        self._worker_settings = plain(settings, label)

    _worker_settings = {}

    def describe_worker(self):
        """Name and settings of the worker that the component runs in; None where nothing is set."""
        if not self._worker_settings:
            return None
        where = self._placement["placement"]
        return (self.name if where == "worker" else where, self._worker_settings)

    @property
    def class_info(self):
        """What the list of plugins says of the class; None for a component without one."""
        return session.current().catalogue.require(self._classpath) if self._classpath else None

    def _set_classpath(self, classpath):
        if not isinstance(classpath, str):
            raise BuilderError("a classpath must be text, not %r" % (classpath,))
        self._classpath = session.current().catalogue.require(classpath, self.role).classpath

    def _set_level(self, level):
        names = self.class_info.level_names() if self._classpath else []
        if level == "default":
            self._level = None
        elif level not in names:
            raise BuilderError(
                "%s: %s has no level %s%s"
                % (
                    self.own_name(),
                    written(self._classpath or type(self).__name__),
                    level,
                    hint(str(level), names),
                )
            )
        else:
            self._level = level

    # Streams, services, modifiers, overlays

    def is_exportable(self):
        return self._exportable

    def mark_unexportable(self):
        self._exportable = False

    def add_stream(
        self, datastream, method=None, path=None, classpath=None, direction=None, **kwargs
    ):
        """Puts the component's record on a stream, or fills it from there.

        `datastream` is the stream's name or its manager's classpath, `method` the codec where the
        fitting one is not wanted, `classpath` a class that the component shall be taken for; what
        remains are options of the stream.
        """
        if not self._exportable:
            raise BuilderError(
                "%s: %s has nothing to put on a stream" % (self.own_name(), type(self).__name__)
            )
        if path is not None:
            session.current().warn(
                "path", "add_stream: path has no effect: plugins are found by their classpath"
            )
        catalogue = session.current().catalogue
        manager = catalogue.manager(datastream)
        info = catalogue.require(classpath) if classpath else self._require_info("add_stream")
        direction = self._direction(direction, info)
        self._choose_default_level(info)
        if method is not None:
            codec = catalogue.require(method, "datastream").classpath
        else:
            codec = catalogue.codec(manager, info.classpath, self._level, direction)
        if codec is None:
            raise MissingError(
                "%s: the stream %s has nothing to %s %s"
                % (
                    self.own_name(),
                    datastream,
                    "write" if direction == "OUT" else "read",
                    written(info.classpath),
                )
            )
        Configuration.link_datastream(
            self, [written(manager.classpath), written(codec), direction, kwargs]
        )

    def _require_info(self, what):
        if self._classpath is None:
            raise BuilderError("%s: %s needs a classpath" % (self.own_name(), what))
        return self.class_info

    def _direction(self, direction, info):
        known = direction or {"sensor": "OUT", "actuator": "IN"}.get(info.role)
        if known not in ("IN", "OUT"):
            raise BuilderError(
                "%s: add_stream: the direction must be IN or OUT, not %r" % (self.own_name(), known)
            )
        return known

    def _choose_default_level(self, info):
        """As in MORSE, a stream settles the level: it is written down, not left to the class."""
        if self._level is None and info.levels and info.classpath == self._classpath:
            self._level = info.default_level()

    def add_service(self, interface, component=None, config=None):
        """Offers the component's services through a request manager, by its name or classpath."""
        catalogue = session.current().catalogue
        if config is not None:
            manager = catalogue.require(config, "request_manager")
        else:
            manager = catalogue.request_manager(interface)
        Configuration.link_service(component or self, written(manager.classpath))

    def add_interface(self, interface, **kwargs):
        """Both a service and, where the component has a record to show, a stream."""
        self.add_service(interface)
        if self._exportable and self.role != "robot":
            self.add_stream(interface, **kwargs)

    def alter(self, modifier_name=None, classpath=None, direction=None, **kwargs):
        """Adds a modifier, by an alias that fits the component's class or by classpath.

        `direction` is IN, OUT or the name of a method of the modifier; the rest are its options.
        """
        catalogue = session.current().catalogue
        info = self._require_info("alter")
        if classpath:
            modifier = catalogue.require(classpath, "modifier")
        elif modifier_name:
            modifier = catalogue.modifier(modifier_name, info.classpath, self._level)
        else:
            raise BuilderError("%s: alter: want an alias or a classpath" % self.own_name())
        way = direction or modifier.direction or ("IN" if info.role == "actuator" else "OUT")
        Configuration.link_modifier(
            self, [written(modifier.classpath), plain(way, "direction"), kwargs]
        )

    def add_overlay(self, datastream, overlay, config=None, **kwargs):
        """Lays an overlay over the component on a request manager; the last one counts."""
        catalogue = session.current().catalogue
        if config is not None:
            manager = catalogue.require(config, "request_manager")
        else:
            manager = catalogue.request_manager(datastream)
        info = catalogue.require(overlay, "overlay")
        Configuration.link_overlay(
            self, written(manager.classpath), written(info.classpath), kwargs
        )

    # What needs Blender or a window

    @property
    def _bpy_object(self):
        return BpyObject(self)

    def select(self):
        """Nothing: there is no editor in which to select."""

    def is_morseable(self):
        """True: every component takes part in the ticks."""
        return True

    def morseable(self, calling_module=None):
        """Nothing: every component runs in the tick."""

    def profile(self):
        session.current().warn(
            "profile", "profile() has no effect: the host measures every component"
        )

    def set_color(self, r=0.0, g=0.0, b=0.0):
        session.current().warn("set_color", "set_color() has no effect: nothing is drawn")

    def append_meshes(self, objects=None, component=None, prefix=None):
        self._refuse_model("append_meshes", component)

    def append_scenes(self, component=None):
        self._refuse_model("append_scenes", component)

    def append_collada(self, component=None):
        self._refuse_model("append_collada", component)

    def _refuse_model(self, what, component):
        raise MissingError(
            "%s: %s (%s): no importer for models is installed"
            % (self.own_name(), what, component or "no file")
        )

    # The scene

    #: Properties that are settings of the body, which the scene keeps apart.
    body_settings = ()

    def describe_body(self):
        """What the script says of the body; nothing for what has none."""
        return {}

    def describe(self):
        """The component and its parts as an object of the scene file; defaults are left out."""
        scene = {"name": self.final_name}
        optional = {
            "classpath": self._classpath and written(self._classpath),
            "position": self._position if any(self._position) else None,
            "rotation": self._rotation if any(self._rotation) else None,
            "frequency": self._frequency,
            "level": self._level,
            **self._placement,
            "properties": {
                key: self._properties[key]
                for key in sorted(self._properties)
                if key not in self.body_settings
            },
            "body": self.describe_body(),
            "objects": [child.describe() for child in self.children],
        }
        scene.update((key, value) for key, value in optional.items() if value not in (None, {}, []))
        return scene


_WORKER_SETTINGS = (
    "timeout",
    "start_timeout",
    "back_off",
    "memory",
    "on_failure",
    "restarts",
)

_SPECIAL = {
    "classpath": AbstractComponent._set_classpath,
    "abstraction_level": AbstractComponent._set_level,
    "frequency": AbstractComponent.frequency,
}
