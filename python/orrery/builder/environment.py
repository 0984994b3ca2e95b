# SPDX-License-Identifier: BSD-3-Clause
"""The environment of a scene: what holds for the whole simulation, and the scene's completion."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Sequence

from . import materials, multinode, naming, older, session
from .abstractcomponent import AbstractComponent, describe_script
from .called import Called
from .catalogue import written
from .changes import EnvironmentObject
from .configuration import Configuration
from .errors import BuilderError
from .morsebuilder import Robot
from .origins import said
from .precision import kept_property
from .session import collects
from .values import at_least_one, number, one_of, plain, positive, vector
from .window import Window

if TYPE_CHECKING:
    from orrery import Simulation

__all__ = ["Environment", "TimeStrategies"]

DEFAULT_FREQUENCY = 60
DEFAULT_STEPS_MAX = 20
DEFAULT_SUBSTEPS = 2
DEFAULT_GRAVITY = 9.81
#: What the scene of a script of MORSE has, which expects as much.
AS_MORSE = {"component_order": "morse", "not_finite": "words", "unknown_properties": "warn"}
OPERATIONS = ("set", "add", "scale")
LOG_LEVELS = ("DEBUG", "INFO", "SECTION", "ENDSECTION", "WARNING", "ERROR", "CRITICAL")


class TimeStrategies:
    """How simulated time follows the wall clock."""

    BestEffort = 0
    FixedSimulationStep = 1

    names = {BestEffort: "best_effort", FixedSimulationStep: "fixed_step"}


class Environment(Called, Window):
    """The environment; constructed after the components, whose names it settles."""

    def __init__(
        self,
        filename: str,
        main_scene: Optional[str] = None,
        fastmode: bool = False,
        component_renaming: bool = True,
        auto_tune_time: bool = True,
    ) -> None:
        state = session.current()
        if state.environment is not None:
            raise BuilderError(
                "a scene has one Environment; the first was made at %s:%d"
                % state.environment.origin
            )
        if not isinstance(filename, str) or not filename:
            raise BuilderError("Environment: want a name or a file, not %r" % (filename,))
        self._import: Optional[str] = None
        self._import_components = True
        self._find(filename)
        self.origin: session.Origin = session.origin() or ("?", 0)
        self.fastmode = fastmode
        self.auto_tune_time = auto_tune_time
        self._frequency: Optional[float] = None
        self._steps = {"logic_step_max": DEFAULT_STEPS_MAX, "physics_step_max": DEFAULT_STEPS_MAX}
        self._strategy = TimeStrategies.BestEffort
        self._time_scale = 1.0
        self._relative_time = False
        self._gravity = DEFAULT_GRAVITY
        self._substeps = DEFAULT_SUBSTEPS
        self._room: Optional[int] = None
        self._seed: Optional[int] = None
        self._start: Optional[float] = None
        self._physics: Optional[str] = None
        self._renderer: Optional[str] = None
        self._raycaster: Optional[str] = None
        self._multinode: Dict[str, Any] = {}
        self._scripts: Dict[str, Any] = {}
        self.changes: Dict[str, EnvironmentObject] = {}  # of objects of its file
        self._properties: Dict[str, Any] = {}
        self._materials: List[Dict[str, Any]] = []
        self._variations: List[Dict[str, Any]] = []
        self._log_levels: Dict[str, str] = {}
        self._origins: Dict[str, Optional[session.Origin]] = {}
        self._created = False
        #: Whether somebody loaded, wrote or looked at the scene.
        self.is_used = False
        if state.speed:
            self.simulator_frequency(**state.speed)
        state.environment = self
        self._expect_use()
        self._name_roots(component_renaming)

    def _expect_use(self) -> None:
        from . import inside

        inside.expect_use(self)

    @collects
    def _find(self, filename: str) -> None:
        self._import = session.current().catalogue.environment(filename)

    def _name_roots(self, component_renaming: bool) -> None:
        if component_renaming:
            context = naming.environment_context(naming.frame_above(1))
            naming.name_roots(context)
            _hint_at_loops()
        self._apply_default_interfaces()
        naming.settle(roots())

    def _apply_default_interfaces(self) -> None:
        for component in session.current().components:
            if isinstance(component, Robot):
                component.apply_default_interfaces()

    def create(self, name: Optional[str] = None) -> None:
        """Finishes the scene; without this call the script's end does. `name` is that of a node."""
        if self._created:
            return
        self._created = True
        naming.settle(roots())
        if self._multinode:
            self._meet_nodes(name)
        for component in list(session.current().components):
            hook = getattr(component, "after_renaming", None)
            if hook is not None:
                hook()

    @collects
    def _meet_nodes(self, name: Optional[str]) -> None:
        script = multinode.describe(self._multinode, name)
        self._scripts.setdefault("add_ons", []).append(script)

    def finish(self) -> None:
        """The scene as the script left it at its end, checked as a whole."""
        self.create()
        self._apply_default_interfaces()
        naming.settle(roots())
        for root in roots():
            if not root.is_thing and not root.is_lost:
                raise BuilderError(
                    "%s belongs to no robot: append it to one" % root.name, root.origin
                )
        self._tune()

    def _tune(self) -> None:
        """Raises the base frequency to the fastest component; the host warns of what is too fast."""
        fastest = max(
            [_frequency(component) for component in session.current().components], default=0
        )
        if self.auto_tune_time and self._frequency is None and fastest > DEFAULT_FREQUENCY:
            self._frequency = fastest

    # Time

    @older.renamed(fps="base_frequency")
    def simulator_frequency(
        self,
        base_frequency: float = DEFAULT_FREQUENCY,
        logic_step_max: int = DEFAULT_STEPS_MAX,
        physics_step_max: int = DEFAULT_STEPS_MAX,
    ) -> None:
        """Ticks per simulated second, and how many in a row may catch up with the wall clock."""
        self._frequency = positive(base_frequency, "simulator_frequency: base_frequency")
        for name, value in (("logic_step_max", logic_step_max), ("physics_step_max", physics_step_max)):
            self._steps[name] = _at_least_one(value, "simulator_frequency: " + name)
        self.auto_tune_time = False

    def set_time_strategy(self, strategy: int) -> None:
        """One of TimeStrategies; a fixed step turns auto-tuning off."""
        if isinstance(strategy, bool) or strategy not in TimeStrategies.names:
            raise ValueError(
                "no time strategy %r; there is TimeStrategies.BestEffort and "
                "TimeStrategies.FixedSimulationStep" % (strategy,)
            )
        self._strategy = strategy
        if strategy == TimeStrategies.FixedSimulationStep:
            self.auto_tune_time = False

    def set_time_scale(
        self, slowdown_by: Optional[float] = None, accelerate_by: Optional[float] = None
    ) -> None:
        """Runs slower or faster than the wall clock by that factor; exactly one of the two."""
        if (slowdown_by is None) == (accelerate_by is None):
            raise ValueError("set_time_scale: want either slowdown_by or accelerate_by")
        if slowdown_by is not None:
            self._time_scale = 1.0 / positive(slowdown_by, "set_time_scale: slowdown_by")
        else:
            self._time_scale = float(positive(accelerate_by, "set_time_scale: accelerate_by"))

    def use_relative_time(self, value: bool = True) -> None:
        """Lets time begin at 0 instead of the wall clock's."""
        self._relative_time = bool(value)

    def use_internal_syncer(self) -> None:
        """Nothing but that the frequency stays as it is: the host keeps its pace by itself."""
        self.auto_tune_time = False
        session.current().warn(
            "use_internal_syncer",
            "use_internal_syncer() has no effect: the host keeps its pace by itself",
        )

    def set_log_level(self, component: str, level: str) -> None:
        """How much a component, a class (`GPS`) or a package (`morse.sensors`) logs."""
        if not isinstance(component, str) or not component:
            raise BuilderError("set_log_level: component: want a name, not %r" % (component,))
        self._log_levels.pop(component, None)
        self._log_levels[plain(component, "set_log_level: component")] = one_of(
            str(level).upper(), LOG_LEVELS, "set_log_level: level"
        )

    @property
    def log_levels(self) -> Dict[str, str]:
        """What was set, the last one last."""
        return dict(self._log_levels)

    # Physics

    def set_gravity(self, gravity: float = DEFAULT_GRAVITY) -> None:
        """The pull downwards, in m/s2."""
        self._gravity = number(gravity, "set_gravity")
        if self._gravity < 0:
            session.current().warn(
                ("gravity", id(self)),
                "set_gravity(%g) pulls upwards, as in MORSE: what falls has a number above 0, "
                "set_gravity(%g)" % (self._gravity, -self._gravity),
            )

    def set_physics_step_sub(self, step_sub: int = DEFAULT_SUBSTEPS) -> None:
        """Substeps of physics per tick."""
        self._substeps = _at_least_one(step_sub, "set_physics_step_sub")

    @collects
    def set_physics(self, classpath: str) -> None:
        """The physics engine, where it shall not be the host's own choice."""
        self._physics = session.current().catalogue.require(classpath, "physics").classpath

    @collects
    def set_renderer(self, classpath: str) -> None:
        """What draws for cameras, where it shall not be the host's own choice."""
        self._renderer = session.current().catalogue.require(classpath, "renderer").classpath

    @collects
    def set_raycaster(self, classpath: str) -> None:
        """What casts rays for lasers and the like, where it shall not be the host's own choice."""
        self._raycaster = session.current().catalogue.require(classpath, "raycaster").classpath

    def set_room(self, objects: int) -> None:
        """How many objects can be added while the simulation runs, each part of a robot counted."""
        if isinstance(objects, bool) or not isinstance(objects, int) or objects < 0:
            raise BuilderError("set_room: want a whole number of at least 0, not %r" % (objects,))
        self._room = plain(objects, "set_room")

    def import_components(self, wanted: bool = True) -> None:
        """Whether the motors and sensors in the environment's file become components."""
        self._import_components = bool(wanted)

    def set_start(self, seconds: float) -> None:
        """The time at which the simulation begins, in seconds."""
        self._start = number(seconds, "set_start")

    def set_seed(self, seed: int) -> None:
        """The seed of all noise."""
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise BuilderError("set_seed: want a whole number of at least 0, not %r" % (seed,))
        self._seed = plain(seed, "set_seed")

    def randomise(
        self,
        path: str,
        distribution: str,
        operation: Optional[str] = None,
        every: Optional[float] = None,
        every_ticks: Optional[int] = None,
    ) -> None:
        """Draws a value for each episode, and again after so many seconds, or ticks, of it.

        `path` is one of `--set`, such as `robot.position[0]`, or a quantity, such as `robot.mass` and
        `gravity[2]`; `distribution` is one of `uniform(0, 1)`, `normal(0, 1)` and `choice([1, 2])`. By
        `operation` what is drawn replaces the value of the scene (`set`), is added to it (`add`) or
        multiplies it (`scale`).
        """
        entry: Dict[str, Any] = {}
        for name, text in (("path", path), ("distribution", distribution)):
            if not isinstance(text, str) or not text:
                raise BuilderError("randomise: %s: want a text, not %r" % (name, text))
            entry[name] = plain(text, "randomise: " + name)
        if operation is not None:
            entry["operation"] = one_of(operation, OPERATIONS, "randomise: operation")
        if every is not None and every_ticks is not None:
            raise BuilderError("randomise: want either every or every_ticks")
        if every is not None:
            entry["every"] = positive(every, "randomise: every")
        if every_ticks is not None:
            if isinstance(every_ticks, bool) or not isinstance(every_ticks, int) or every_ticks < 1:
                raise BuilderError(
                    "randomise: every_ticks: want a whole number of at least 1, not %r"
                    % (every_ticks,)
                )
            entry["every_ticks"] = every_ticks
        self._variations.append(said(entry, session.origin()))

    def add_material(
        self,
        name: str,
        color: Optional[Sequence[float]] = None,
        texture: Optional[str] = None,
        alpha: Optional[float] = None,
        specular: Optional[float] = None,
        shininess: Optional[float] = None,
        emission: Optional[float] = None,
    ) -> None:
        """Declares a material that objects may be given while the scene runs, by `OBJECT.material`.

        `texture` is a picture, PNG or JPEG, which `color` is multiplied with; the other numbers are
        from 0 to 1.
        """
        entry: Dict[str, Any] = {}
        for key, text in (("name", name), ("texture", texture)):
            if text is None and key == "texture":
                continue
            if not isinstance(text, str) or not text:
                raise BuilderError("add_material: %s: want a text, not %r" % (key, text))
            entry[key] = plain(text, "add_material: " + key)
        if texture is not None and os.path.isfile(texture):
            entry["texture"] = os.path.abspath(texture)
        if color is not None:
            entry["color"] = vector(color, "add_material: color")
        shares = {"alpha": alpha, "specular": specular, "shininess": shininess, "emission": emission}
        for key, share in shares.items():
            if share is not None:
                entry[key] = number(share, "add_material: " + key)
        self._materials.append(said(entry, session.origin()))

    @property
    def materials(self) -> List[Dict[str, Any]]:
        """What objects may be given, in its order."""
        return list(self._materials)

    @property
    def variations(self) -> List[Dict[str, Any]]:
        """What was randomised, in its order."""
        return list(self._variations)

    # Scripts

    def set_script_order(self, order: str) -> None:
        """How scripts of a tree are ordered: `tree`, by branches, or `level`, by depth."""
        self._scripts["script_order"] = one_of(order, ("tree", "level"), "set_script_order")

    @collects
    def add_add_on(
        self,
        classpath: str,
        priority: Optional[str] = None,
        enabled: Optional[bool] = None,
        **properties: Any,
    ) -> None:
        """A script of the program, called behind those of the objects."""
        script = describe_script("add_add_on", classpath, properties, {}, priority, None, enabled)
        self._scripts.setdefault("add_ons", []).append(script)

    @collects
    def set_sandbox(
        self, classpath: str, enabled: Optional[bool] = None, **properties: Any
    ) -> None:
        """The program's last script."""
        self._scripts["sandbox"] = describe_script(
            "set_sandbox", classpath, properties, {}, enabled=enabled
        )

    # Streams, services, properties

    @collects
    def configure_stream_manager(self, stream_manager: str, **kwargs: Any) -> None:
        """Merges options of a manager of streams or services, by its name or its classpath."""
        manager = session.current().catalogue.any_manager(stream_manager)
        Configuration.link_stream_manager_config(written(manager.classpath), kwargs)

    @collects
    def add_service(self, datastream: str) -> None:
        """Offers the services of the simulation itself through a request manager."""
        manager = session.current().catalogue.request_manager(datastream)
        Configuration.link_service("simulation", written(manager.classpath))

    def configure_service(self, datastream: str) -> None:
        """The old name of `add_service`."""
        older.warn("Environment.configure_service()", "add_service()")
        self.add_service(datastream)

    def add_interface(self, interface: str) -> None:
        """What `add_service` does: the simulation itself has no stream."""
        self.add_service(interface)

    def properties(self, **kwargs: Any) -> None:
        """Properties of the environment, such as longitude, latitude and altitude."""
        for name, value in kwargs.items():
            self._origins[name] = session.origin()
            label = "Environment." + name
            self._properties[name] = kept_property(plain(value, label), label)

    def property_value(self, name: str) -> Any:
        """The property's value, or None."""
        return self._properties.get(name)

    @collects
    def configure_multinode(
        self,
        protocol: str = "socket",
        server_address: str = "localhost",
        server_port: Any = "65000",
        distribution: Optional[Dict[str, List[str]]] = None,
    ) -> None:
        """Shares the scene among nodes: `distribution` has the names of each node's robots."""
        self._multinode = multinode.read(protocol, server_address, server_port, distribution)

    # Without a file

    def load(self, **options: Any) -> Simulation:
        """The scene as it stands, as a simulation in this process; options as of orrery.load()."""
        from . import inside

        return inside.load(self, **options)

    def run(
        self, for_: Optional[float] = None, ticks: Optional[int] = None, **options: Any
    ) -> Optional[Simulation]:
        """Loads the scene and lets it run for seconds of simulated time, or a number of ticks.

        In a script that `orrery run` starts it does nothing: the program runs the scene.
        """
        from . import inside

        return inside.run(self, for_, ticks, **options)

    # The scene

    def describe(self) -> Dict[str, Any]:
        """The environment of the scene file; what the host does by itself is left out."""
        self.is_used = True
        scene = {
            "frequency": self._frequency,
            "time_strategy": None if self._strategy == 0 else TimeStrategies.names[self._strategy],
            "logic_step_max": _unless(self._steps["logic_step_max"], DEFAULT_STEPS_MAX),
            "physics_step_max": _unless(self._steps["physics_step_max"], DEFAULT_STEPS_MAX),
            "time_scale": _unless(self._time_scale, 1.0),
            "use_relative_time": True if self._relative_time else None,
            "auto_tune": None if self.auto_tune_time else False,
            "seed": self._seed,
            "start": self._start,
            "gravity": None if self._gravity == DEFAULT_GRAVITY else [0.0, 0.0, -self._gravity],
            "physics": self._physics,
            "renderer": self._renderer,
            "raycaster": self._raycaster,
            "physics_substeps": _unless(self._substeps, DEFAULT_SUBSTEPS),
            "room": self._room,
            "import": self._import,
            "import_components": None if self._import_components else False,
            "properties": self._describe_properties() or None,
            "changes": [change.describe() for change in self.changes.values()] or None,
            **(AS_MORSE if session.current().is_morse else {}),
            **self._scripts,
        }
        scene = {key: value for key, value in scene.items() if value is not None}
        return said(scene, self.origin)

    def _describe_properties(self) -> Dict[str, Any]:
        properties = {key: self._properties[key] for key in sorted(self._properties)}
        return said(properties, self.origin, self._origins)


def roots() -> List[AbstractComponent]:
    """What is part of nothing else, in the order of construction."""
    return [component for component in session.current().components if component.parent is None]


def _hint_at_loops() -> None:
    """Of what a loop makes, its variable names the last alone; the user is told of the others."""
    named = {root.origin: root.basename for root in roots() if root.basename}
    for root in roots():
        if root.is_thing and root.is_nameless_root and root.origin in named:
            session.current().warn(
                ("loop", root.origin),
                "a loop makes this several times, and only the last is called %s; give each a name, "
                "or end the loop's body with %s.close_context()"
                % (named[root.origin], named[root.origin]),
                root.origin,
            )


def describe_scene() -> Dict[str, Any]:
    """The whole scene file as a dictionary, its keys in their fixed order."""
    environment = session.current().environment
    assert environment is not None
    scene: Dict[str, Any] = {
        "orrery": 1,
        "environment": environment.describe(),
        "objects": [root.describe() for root in roots()],
        "component_config": "component_config.py",
    }
    workers = _describe_workers(roots())
    if workers:
        scene["workers"] = {name: workers[name] for name in sorted(workers)}
    if environment.log_levels:
        scene["log_levels"] = environment.log_levels
    painted = environment.materials + materials.describe()
    if painted:
        scene["materials"] = painted
    if environment.variations:
        scene["randomisation"] = environment.variations
    return scene


def _describe_workers(components: List[AbstractComponent]) -> Dict[str, Dict[str, Any]]:
    """The settings of each worker, whichever of its components gives them."""
    workers: Dict[str, Dict[str, Any]] = {}
    for component in components:
        found = component.describe_worker()
        if found is not None:
            name, settings = found
            _merge_settings(workers.setdefault(name, {}), name, settings)
        for name, settings in _describe_workers(component.children).items():
            _merge_settings(workers.setdefault(name, {}), name, settings)
    return workers


def _merge_settings(known: Dict[str, Any], name: str, settings: Dict[str, Any]) -> None:
    for key, value in settings.items():
        if known.setdefault(key, value) != value:
            raise BuilderError(
                "the worker %s has two values for %s: %r and %r" % (name, key, known[key], value)
            )


def _at_least_one(value: Any, where: str) -> int:
    return at_least_one(value, where, lambda words: session.current().warn(where, words))


def _unless(value: Any, default: Any) -> Any:
    return None if value == default else value


def _frequency(component: AbstractComponent) -> float:
    """What the component runs at in Hz, as asked or as its class says; 0: every tick."""
    return component.property_value("frequency") or 0
