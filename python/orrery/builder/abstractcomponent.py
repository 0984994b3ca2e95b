# SPDX-License-Identifier: BSD-3-Clause
"""What robots, sensors, actuators and things have in common in a builder script."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple

from . import models, naming, session
from .body import SETTINGS, Bodied
from .bpyobject import BpyObject, GameSettings
from .called import Called
from .catalogue import ClassInfo, written
from .configuration import Configuration
from .errors import BuilderError, MissingError, hint
from .older import Older, delay_to_frequency
from .origins import Said, said
from .places import Angles, Place, warn_of_degrees
from .precision import kept_property, kept_vector
from .session import Origin, collects
from .values import number, one_of, plain, positive, vector

__all__ = ["AbstractComponent", "Configuration", "timer"]

AXES = ("x", "y", "z")
PRIORITIES = ("first", "normal", "last")
SCRIPT_TYPES = ("child", "customization")
SENSES_OR_ACTS = ("sensor", "actuator")
TRAVERSALS = ("reverse", "forward", "parent")

# A tuple; a checker that takes it for the type of what is set, too, lets lists pass.
Vector = Sequence[float]


class timer(float):
    """A number that MORSE counts up by itself; kept as the number."""


class AbstractComponent(Called, Older, Bodied):
    """A component under construction: place, properties, streams, services, modifiers, children.

    Lengths are metres, angles radians; a rotation is (roll, pitch, yaw) in the parent's frame.
    """

    def __init__(self, classpath: Optional[str] = None, name: Optional[str] = None) -> None:
        self._classpath = None
        self._parent: Optional[AbstractComponent] = None
        self._position = [0.0, 0.0, 0.0]
        self._rotation = [0.0, 0.0, 0.0]
        # What was assigned counts from the parent's origin, else from where the class puts it.
        self._absolute = {"position": False, "rotation": False}
        self._properties: Dict[str, Any] = {}
        self._game: Dict[str, Any] = {}
        self._import: Optional[Dict[str, Any]] = None
        self._level = None
        self._frequency: Optional[float] = None
        self._placement: Dict[str, Any] = {}
        self._worker_settings: Dict[str, Any] = {}
        self._order: Dict[str, Any] = {}
        self._paint: Optional[List[float]] = None
        self._worn: Optional[str] = None
        self._exportable = True
        self.children: List[AbstractComponent] = []
        self.basename: Optional[str] = None
        self.is_named = False  # by the script itself, not by one of its variables
        self.final_name: Optional[str] = None
        self.full_name: Optional[str] = None
        self.origin: Optional[Origin] = session.origin()
        self._origins: Dict[str, Optional[Origin]] = {}  # of what was said of it, by its key
        if classpath:
            self._set_classpath(classpath)
        if name is not None:
            self.name = name
        self._created = session.current().add(self)

    #: Of a subclass: what its class must be.
    role: Optional[str] = None
    #: Whether it may stand in the scene by itself.
    is_thing = False

    def __str__(self) -> str:
        return self.name

    # Name and place in the tree

    @property
    def name(self) -> str:
        """The full name once the scene has its names; before that, the component's own."""
        return self.full_name or self.own_name()

    @name.setter
    def name(self, value: str) -> None:
        if not isinstance(value, str) or not value:
            raise BuilderError("a component's name must be text, not %r" % (value,))
        if "." in value:
            raise BuilderError(
                "the name %r must not hold a dot: full names are made of the tree" % value
            )
        self.basename = plain(value, "name")
        self.is_named = True
        self.full_name = None

    def own_name(self) -> str:
        """The name without those of its parents: the script's, else that of its class."""
        if self.basename:
            return self.basename
        return self._classpath.rpartition(".")[2] if self._classpath else type(self).__name__

    @property
    def is_nameless_root(self) -> bool:
        """Whether it is part of nothing and has no name yet."""
        return self._parent is None and not self.basename

    @property
    def parent(self) -> Optional[AbstractComponent]:
        """That of which it is a part."""
        return self._parent

    def append(
        self, obj: AbstractComponent, child: Optional[str] = None, level: int = 1
    ) -> None:
        """Makes `obj` a part of this component, or of its part named `child`.

        An `obj` without a name takes that of the variable, or of the attribute of `self`, to which
        the caller, `level` calls above, has bound it.
        """
        if not isinstance(obj, AbstractComponent):
            made = "; %s() makes one" % obj.__name__ if isinstance(obj, type) else ""
            raise BuilderError("append: want a component, not %r%s" % (obj, made))
        target = self if child is None else self._require_child(child)
        obj._check_above(target)
        if not obj.basename:
            frame = naming.frame_above(level)
            name = naming.variable_of(frame, obj) if frame is not None else None
            if name is not None:
                obj.name = name
                obj.is_named = False
        obj._leave(target)
        obj._parent = target
        target.children.append(obj)

    def _leave(self, target: AbstractComponent) -> None:
        """As in Blender, what is appended to another is no longer part of the one before."""
        if self._parent is None:
            return
        self._parent.children.remove(self)
        if self._parent is target:
            words = "%s is appended to %s twice; once is enough" % (self.own_name(), target.own_name())
        else:
            words = "%s was part of %s already; it is part of %s now: the last append() counts" % (
                self.own_name(),
                self._parent.own_name(),
                target.own_name(),
            )
        session.current().warn(("append", id(self), id(target)), words)

    def _check_above(self, target: Optional[AbstractComponent]) -> None:
        while target is not None:
            if target is self:
                raise BuilderError("%s cannot be a part of itself" % self.own_name())
            target = target._parent

    def _require_child(self, name: str) -> AbstractComponent:
        found = self.get_child(name)
        if found is None:
            names = [component.own_name() for component in self.children]
            raise BuilderError("%s has no part %s%s" % (self.own_name(), name, hint(name, names)))
        return found

    def get_child(
        self,
        name: str,
        objects: Optional[Iterable[AbstractComponent]] = None,
        recursive: bool = True,
    ) -> Optional[AbstractComponent]:
        """The part of that name, else one whose name begins so, else one further down, else None."""
        parts = list(self.children if objects is None else objects)
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

    def parent_root(self) -> AbstractComponent:
        """The component at the top of the tree that this one is in; itself where it is no part."""
        top = self
        while top._parent is not None:
            top = top._parent
        return top

    @staticmethod
    def close_context(level: int = 1) -> None:
        """Names the roots among the caller's variables; a loop that reuses a variable needs it."""
        naming.name_roots(naming.frame_above(level))

    # Pose

    @property
    def location(self) -> Vector:
        """The place in the parent's frame, m, that of its class included; not that of a file."""
        place: Any = Place(self._sum("position", self._position), self._relocate)
        return place  # type: ignore[no-any-return]

    @location.setter
    def location(self, value: Sequence[float]) -> None:
        self._relocate(value)

    def _relocate(self, value: Sequence[float]) -> None:
        self._position = vector(value, self.own_name() + ".location")
        self._absolute["position"] = True

    @property
    def rotation_euler(self) -> Vector:
        """Roll, pitch and yaw, rad, those of its class included; not those of a file."""
        angles: Any = Angles(self._sum("rotation", self._rotation), self._turn)
        return angles  # type: ignore[no-any-return]

    @rotation_euler.setter
    def rotation_euler(self, value: Sequence[float]) -> None:
        self._turn(value)

    def _turn(self, value: Sequence[float]) -> None:
        self._rotation = vector(value, self.own_name() + ".rotation_euler")
        self._absolute["rotation"] = True

    def _sum(self, key: str, value: Sequence[float]) -> List[float]:
        start = [0.0, 0.0, 0.0] if self._absolute[key] else self._class_start(key)
        return kept_vector([a + b for a, b in zip(start, value)])

    def _class_start(self, key: str) -> Sequence[float]:
        """The `position` or `rotation` of its class, which the host adds to the scene's."""
        info = self.class_info
        return [0.0, 0.0, 0.0] if info is None else session.current().catalogue.start(info, key)

    def _describe_place(self, key: str, value: Sequence[float]) -> Optional[List[float]]:
        """What is to be added to the place of its class; None: nothing."""
        place = list(value)
        if self._absolute[key] or session.current().is_morse and any(value):
            place = [a - b for a, b in zip(self._sum(key, value), self._class_start(key))]
        return place if any(place) else None

    def _describe_import(self) -> Optional[Dict[str, Any]]:
        """The file; where a place was assigned, that of the file does not count."""
        if self._import is None or not self._import.get("keep_pose", True):
            return self._import
        kept = {"keep_" + key: False for key, absolute in self._absolute.items() if absolute}
        return {**self._import, **kept}

    @property
    def scale(self) -> Vector:
        """Of what has a size of its own; 1 for a component."""
        return (1.0, 1.0, 1.0)

    @scale.setter
    def scale(self, value: Sequence[float]) -> None:
        if vector(value, self.own_name() + ".scale") != [1.0, 1.0, 1.0]:
            session.current().warn(
                ("scale", self.own_name()),
                "%s.scale has no effect: a model has the size that its class or file gives it"
                % self.own_name(),
            )

    def translate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        """Adds to the position, in metres."""
        self._position = self._moved(self._position, (x, y, z), "translate")

    def rotate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        """Adds to the angles roll, pitch and yaw, in radians."""
        self._rotation = self._turned(self._rotation, (x, y, z))

    def _turned(self, start: Sequence[float], by: Sequence[float]) -> List[float]:
        turned = self._moved(start, by, "rotate")
        warn_of_degrees(self.own_name(), by)
        return turned

    def _moved(self, start: Sequence[float], by: Sequence[float], what: str) -> List[float]:
        sums = []
        for axis, old, more in zip(AXES, start, by):
            where = "%s.%s: %s" % (self.own_name(), what, axis)
            sums.append(number(old + number(more, where), where))
        return sums

    # Properties, level, frequency

    def properties(self, **kwargs: Any) -> None:
        """Sets properties of any type that JSON has."""
        where = session.origin()
        for name, value in kwargs.items():
            setter = _SPECIAL.get(name)
            if setter is not None:
                setter(self, value)
            else:
                self._origins["properties." + name] = where
                label = "%s.%s" % (self.own_name(), name)
                self._properties[name] = kept_property(plain(value, label), label)

    def property_value(self, name: str) -> Any:
        """The property's value, as set here or as the class comes with; None if neither says."""
        info = self.class_info
        special = {
            "classpath": self._classpath and written(self._classpath),
            "abstraction_level": self._level,
            "frequency": self._frequency or (info.frequency if info is not None else None),
        }
        if name in special:
            return special[name]
        if name in self._game:
            return self._game[name]
        if name in self._properties:
            return self._properties[name]
        setting = self.class_setting(name) if name in SETTINGS else None
        if setting is not None or info is None:
            return setting
        catalogue = session.current().catalogue
        return catalogue.default(info, self._level, name, is_asked=name not in SETTINGS)

    def class_body(self, key: str) -> Any:
        """What its class says under `key` of a body; None where it says nothing."""
        info = self.class_info
        return None if info is None else session.current().catalogue.body(info, key)

    def level(self, level: str) -> None:
        """Chooses one of the class's levels; `default` is the class's own choice."""
        self._set_level(level)

    def frequency(
        self, frequency: Optional[float] = None, delay: Optional[float] = None
    ) -> None:
        """How often the component runs, in Hz; None and 0 change nothing. `delay` is an old word."""
        if frequency is None and delay is not None:
            frequency = delay_to_frequency(delay)
        if frequency is None or frequency == 0:
            return
        self._frequency = positive(frequency, self.own_name() + ".frequency")
        self._origins["frequency"] = session.origin()
        Configuration.set_frequency(self, self._frequency)

    def _set_classpath(self, classpath: str) -> None:
        if not isinstance(classpath, str):
            raise BuilderError("a classpath must be text, not %r" % (classpath,))
        try:
            info = session.current().catalogue.require(classpath)
            self._check_role(info)
            self._classpath, self.is_lost = info.classpath, False
            if info.is_absent:
                _tell_of_absence(info.classpath)
        except MissingError as error:
            self.is_lost = True
            session.current().miss(error)

    def _check_role(self, info: ClassInfo) -> None:
        """As in MORSE the classpath decides whether a component is a sensor or an actuator."""
        if self.role in SENSES_OR_ACTS and info.role in SENSES_OR_ACTS:
            self.role = info.role
        elif self.role is not None:
            session.current().catalogue.check_role(info, self.role)

    @collects
    def _set_level(self, level: str) -> None:
        info = self.class_info
        names = info.level_names() if info is not None else []
        self._origins["level"] = session.origin()
        if level == "default":
            self._level = None
        elif level in names or (info is not None and info.is_absent):
            self._level = plain(level, self.own_name() + ".level")
        else:
            raise BuilderError(
                "%s: %s has no level %s%s"
                % (
                    self.own_name(),
                    written(self._classpath or type(self).__name__),
                    level,
                    hint(str(level), names),
                )
            )

    # Where and when it runs

    def placement(
        self,
        where: str = "worker",
        transport: Optional[str] = None,
        free_running: Optional[bool] = None,
        **settings: Any,
    ) -> None:
        """Has a sensor or actuator run in a process of its own, or in one that others share.

        `where` is `host`, `worker`, or the name of a shared worker. A component that runs free
        does not hold the tick. The settings are those of the worker: timeout, start_timeout,
        back_off (s), memory (MiB), on_failure (hold, zero, stop), restarts.
        """
        label = self.own_name() + ".placement"
        self._origins.update(dict.fromkeys(_PLACEMENT, session.origin()))
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
            raise BuilderError("%s: limits apply to workers, not to the host" % label)
        self._worker_settings = plain(settings, label)

    def transport(self, transport: str) -> None:
        """How the record of a component in a worker comes: `queue` or `latest`."""
        self._origins["transport"] = session.origin()
        self._placement["transport"] = one_of(
            transport, ("queue", "latest"), self.own_name() + ".transport"
        )

    def priority(self, priority: str = "normal") -> None:
        """Its place among its siblings in a tick: `first`, `normal` or `last`."""
        self._order["priority"] = one_of(priority, PRIORITIES, self.own_name() + ".priority")

    @collects
    def add_script(
        self,
        classpath: str,
        type: str = "child",
        priority: Optional[str] = None,
        traversal: Optional[str] = None,
        enabled: Optional[bool] = None,
        **properties: Any,
    ) -> None:
        """Puts a script on the object, at most one of each type.

        A `child` lives while the simulation runs, a `customization` as long as the scene. The
        priority is among scripts of its type, the traversal `reverse` (those below come first),
        `forward` or `parent`.
        """
        label = self.own_name() + ".add_script"
        kind = one_of(type, SCRIPT_TYPES, label + ": type")
        scripts = self._order.setdefault("scripts", [])
        where = session.origin()
        if kind in [script["type"] for script in scripts]:
            raise BuilderError("%s: the object has a script of the type %s already" % (label, kind))
        script = describe_script(
            label, classpath, properties, {"type": kind}, priority, traversal, enabled
        )
        scripts.append(said(script, where))

    def deactivate_scripts(self, inactive: bool = True) -> None:
        """Has no script at or below the object called."""
        self._order["scripts_inactive"] = bool(inactive) or None

    def describe_worker(self) -> Optional[Tuple[str, Dict[str, Any]]]:
        """Name and settings of the worker that the component runs in; None where nothing is set."""
        if not self._worker_settings:
            return None
        where = self._placement["placement"]
        return (self.name if where == "worker" else where, self._worker_settings)

    # Models

    @collects
    def append_meshes(
        self,
        objects: Optional[Sequence[str]] = None,
        component: Optional[str] = None,
        prefix: Optional[str] = None,
    ) -> List[AbstractComponent]:
        """Makes objects of a file parts of this one: those named, those of a prefix, or all.

        `component` is the file, found as models are; without one there is nothing to add.
        """
        if component is None:
            return []
        path = models.require("%s.append_meshes" % self.own_name(), self._category(), component)
        wanted: List[Tuple[Optional[str], Optional[str]]] = [(None, prefix)]
        if objects is not None:
            wanted = [(name, None) for name in objects]
        return [self._append_model(path, name, starts) for name, starts in wanted]

    def append_scenes(self, component: Optional[str] = None) -> List[AbstractComponent]:
        """Makes all that a file has parts of this one."""
        return self.append_meshes(None, component) or []

    def append_collada(self, component: Optional[str] = None) -> List[AbstractComponent]:
        """The same of a file of COLLADA."""
        return self.append_meshes(None, component) or []

    def import_components(self, wanted: bool = True) -> None:
        """Whether the motors and sensors in the file of a model become components."""
        if self._import is None:
            raise BuilderError("%s.import_components: it is from no file" % self.own_name())
        if wanted:
            self._import.pop("components", None)
        else:
            self._import["components"] = False

    def _append_model(
        self, path: str, name: Optional[str], prefix: Optional[str]
    ) -> AbstractComponent:
        part = Part(name or prefix or path.rpartition("/")[2].partition(".")[0])
        part._import = models.describe(path, name, prefix)
        self.append(part)
        return part

    def _category(self) -> str:
        """Below which folder MORSE has the models of such components."""
        return self.role + "s" if self.role else "props"

    # What needs Blender or a window

    @property
    def _bpy_object(self) -> BpyObject:
        return BpyObject(self)

    @property
    def game(self) -> GameSettings:
        """Physics and properties by Blender's names, as an object of Blender has them."""
        return GameSettings(self)

    def set_blender_object(self, obj: Any) -> None:
        """Nothing: a component has no other object in an editor."""
        session.current().warn(
            "set_blender_object", "set_blender_object() has no effect: there is no editor"
        )

    def select(self) -> None:
        """Nothing: there is no editor in which to select."""

    def is_morseable(self) -> bool:
        """True: every component takes part in the ticks."""
        return True

    def morseable(self, calling_module: Optional[str] = None) -> None:
        """Nothing: every component runs in the tick."""

    def profile(self) -> None:
        """Nothing: the host measures every component by itself."""
        session.current().warn(
            "profile", "profile() has no effect: the host measures every component"
        )

    def set_color(
        self, r: Any = 0.0, g: float = 0.0, b: float = 0.0
    ) -> None:
        """The colour of all that is drawn of it and of what is below it now; as in Blender 1 is the most.

        As MORSE's Morsy does, it takes the three in one sequence, too.
        """
        where = self.own_name() + ".set_color"
        parts = kept_vector(vector(r if isinstance(r, (tuple, list)) else (r, g, b), where))
        red, green, blue = (min(max(part, 0.0), 1.0) for part in parts)
        for part in self._below():
            part.paint(red, green, blue)

    def set_material(self, name: str) -> None:
        """The material of all that is drawn of it and of what is below it now, from the start on.

        It is one of those that `add_material` of the environment declares, before or after.
        """
        where = self.own_name() + ".set_material"
        if not isinstance(name, str) or not name:
            raise BuilderError("%s: want the name of a material, not %r" % (where, name))
        plain(name, where)
        for part in self._below():
            part._worn = name

    def paint(self, r: float, g: float, b: float) -> None:
        """Colours what is drawn of the component itself, whoever brings it."""
        self._paint = [r, g, b]

    def _below(self) -> List[AbstractComponent]:
        found = [self]
        for child in self.children:
            found += child._below()
        return found

    # The scene

    def describe_interfaces(self) -> List[Dict[str, Any]]:
        """Where components are offered that files bring below it; nowhere, unless it is a robot."""
        return []

    def brings_components(self) -> bool:
        """Whether a file at or below it may have components, which are known to the host alone."""
        imports = [part._import for part in self._below()]
        return any(each is not None and each.get("components", True) for each in imports)

    def describe_properties(self) -> Dict[str, Any]:
        """The properties that the script has set, by name."""
        properties = {key: self._properties[key] for key in sorted(self._properties)}
        places = {key: self._origins.get("properties." + key) for key in properties}
        return said(properties, self.origin, places)

    def describe_shapes(self) -> List[Dict[str, Any]]:
        """Geometry of its own; none where the class or a file brings it."""
        return []

    def describe(self) -> Said:
        """The component and its parts as an object of the scene file; defaults are left out.

        As in MORSE, a class whose level neither the script nor a stream has settled is itself.
        """
        info = self.class_info
        scene = said({"name": self.final_name}, self.origin, self._origins)
        optional = {
            "classpath": self._classpath and written(self._classpath),
            "created": self._created if self._classpath else None,
            "position": self._describe_place("position", self._position),
            "rotation": self._describe_place("rotation", self._rotation),
            "frequency": self._frequency,
            "level": self._level or (info.level_without_stream() if info else None),
            **self._placement,
            "properties": self.describe_properties(),
            "import": self._describe_import(),
            "interfaces": self.describe_interfaces(),
            "body": self.describe_body(),
            "shapes": self.describe_shapes(),
            "color": self._paint,
            "material": self._worn,
            **self._order,
            "objects": [child.describe() for child in self.children],
        }
        scene.update((key, value) for key, value in optional.items() if value not in (None, {}, []))
        return scene


class Part(AbstractComponent):
    """An object of a file, below the component that it was added to."""

    is_thing = True

    def __init__(self, name: str) -> None:
        super().__init__(None, name.replace(".", "_"))
        self._exportable = False

    def paint(self, r: float, g: float, b: float) -> None:
        """Nothing: it is painted with the component that brings it."""


def _tell_of_absence(classpath: str) -> None:
    session.current().warn(
        ("absent", classpath),
        "no plugin has %s: the scene is built all the same, and `orrery check` names it"
        % written(classpath),
    )


def describe_script(
    label: str,
    classpath: str,
    properties: Dict[str, Any],
    first: Dict[str, Any],
    priority: Optional[str] = None,
    traversal: Optional[str] = None,
    enabled: Optional[bool] = None,
) -> Dict[str, Any]:
    """A script of an object or of the program, as the scene has it."""
    found = session.current().catalogue.require(classpath, "script").classpath
    keys = {
        **first,
        "classpath": written(found),
        "priority": priority and one_of(priority, PRIORITIES, label + ": priority"),
        "traversal": traversal and one_of(traversal, TRAVERSALS, label + ": traversal"),
        "enabled": None if enabled is None else bool(enabled),
        "properties": plain(properties, label) or None,
    }
    return {key: value for key, value in keys.items() if value is not None}


_PLACEMENT = ("placement", "transport", "free_running")
_WORKER_SETTINGS = (
    "timeout",
    "start_timeout",
    "back_off",
    "memory",
    "on_failure",
    "restarts",
)

_SPECIAL: Dict[str, Callable[[AbstractComponent, Any], None]] = {
    "classpath": AbstractComponent._set_classpath,
    "abstraction_level": AbstractComponent._set_level,
    "frequency": AbstractComponent.frequency,
}

assert not set(_SPECIAL) & set(SETTINGS)
