# SPDX-License-Identifier: BSD-3-Clause
"""The environment of a scene: what holds for the whole simulation, and the scene's completion."""

from . import naming, session
from .catalogue import written
from .configuration import Configuration
from .errors import BuilderError, MissingError
from .values import count, number, plain, positive

__all__ = ["Environment", "TimeStrategies"]

DEFAULT_FREQUENCY = 60
DEFAULT_STEPS_MAX = 20
DEFAULT_SUBSTEPS = 2
DEFAULT_GRAVITY = 9.81


class TimeStrategies:
    """How simulated time follows the wall clock."""

    BestEffort = 0
    FixedSimulationStep = 1

    names = {BestEffort: "best_effort", FixedSimulationStep: "fixed_step"}


class Environment:
    """The environment; constructed after the components, whose names it settles."""

    def __init__(
        self,
        filename,
        main_scene=None,
        fastmode=False,
        component_renaming=True,
        auto_tune_time=True,
    ):
        state = session.current()
        if state.environment is not None:
            raise BuilderError(
                "a scene has one Environment; the first was made at %s:%d"
                % state.environment.origin
            )
        if filename.endswith(".blend"):
            raise MissingError("Environment (%s): no importer for models is installed" % filename)
        self._import = state.catalogue.environment(filename)
        self.origin = session.origin() or ("?", 0)
        self.fastmode = fastmode
        self.auto_tune_time = auto_tune_time
        self._frequency = None
        self._steps = {"logic_step_max": DEFAULT_STEPS_MAX, "physics_step_max": DEFAULT_STEPS_MAX}
        self._strategy = TimeStrategies.BestEffort
        self._time_scale = 1.0
        self._relative_time = False
        self._gravity = DEFAULT_GRAVITY
        self._substeps = DEFAULT_SUBSTEPS
        self._seed = None
        self._physics = None
        self._raycaster = None
        self._properties = {}
        self._created = False
        if state.speed:
            self.simulator_frequency(**state.speed)
        state.environment = self
        self._name_roots(component_renaming)

    def _name_roots(self, component_renaming):
        if component_renaming:
            context = naming.environment_context(naming.frame_above(1))
            naming.name_roots(context)
        self._apply_default_interfaces()
        naming.settle(roots())

    def _apply_default_interfaces(self):
        for component in session.current().components:
            if component.role == "robot":
                component.apply_default_interfaces()

    def create(self, name=None):
        """Finishes the scene; without this call the script's end does. `name` is that of a node."""
        if self._created:
            return
        self._created = True
        naming.settle(roots())
        for component in list(session.current().components):
            hook = getattr(component, "after_renaming", None)
            if hook is not None:
                hook()

    def finish(self):
        """The scene as the script left it at its end, checked as a whole."""
        self.create()
        self._apply_default_interfaces()
        naming.settle(roots())
        for root in roots():
            if root.role not in ("robot", "zone"):
                raise BuilderError(
                    "%s belongs to no robot: append it to one" % root.name, root.origin
                )
        self._tune()

    def _tune(self):
        """Raises the base frequency to the fastest component, or warns of what is too fast."""
        fastest = max(
            [_frequency(component) for component in session.current().components], default=0
        )
        if self.auto_tune_time and self._frequency is None and fastest > DEFAULT_FREQUENCY:
            self._frequency = fastest
        base = self._frequency or DEFAULT_FREQUENCY
        for component in session.current().components:
            if _frequency(component) > base:
                session.current().warn(
                    ("fast", component),
                    "%s wants %g Hz, but the simulation runs at %g: it will run every tick"
                    % (component.name, _frequency(component), base),
                )

    # Time

    def simulator_frequency(
        self,
        base_frequency=DEFAULT_FREQUENCY,
        logic_step_max=DEFAULT_STEPS_MAX,
        physics_step_max=DEFAULT_STEPS_MAX,
    ):
        """Ticks per simulated second, and how many in a row may catch up with the wall clock."""
        self._frequency = positive(base_frequency, "simulator_frequency: base_frequency")
        self._steps["logic_step_max"] = count(logic_step_max, "simulator_frequency: logic_step_max")
        self._steps["physics_step_max"] = count(
            physics_step_max, "simulator_frequency: physics_step_max"
        )
        self.auto_tune_time = False

    def set_time_strategy(self, strategy):
        """One of TimeStrategies; a fixed step turns auto-tuning off."""
        if isinstance(strategy, bool) or strategy not in TimeStrategies.names:
            raise ValueError(
                "no time strategy %r; there is TimeStrategies.BestEffort and "
                "TimeStrategies.FixedSimulationStep" % (strategy,)
            )
        self._strategy = strategy
        if strategy == TimeStrategies.FixedSimulationStep:
            self.auto_tune_time = False

    def set_time_scale(self, slowdown_by=None, accelerate_by=None):
        """Runs slower or faster than the wall clock by that factor; exactly one of the two."""
        if (slowdown_by is None) == (accelerate_by is None):
            raise ValueError("set_time_scale: want either slowdown_by or accelerate_by")
        if slowdown_by is not None:
            self._time_scale = 1.0 / positive(slowdown_by, "set_time_scale: slowdown_by")
        else:
            self._time_scale = float(positive(accelerate_by, "set_time_scale: accelerate_by"))

    def use_relative_time(self, value=True):
        """Lets time begin at 0 instead of the wall clock's."""
        self._relative_time = bool(value)

    def use_vsync(self, vsync):
        if vsync not in ("ON", "OFF", "ADAPTIVE"):
            raise ValueError("use_vsync: want 'ON', 'OFF' or 'ADAPTIVE', not %r" % (vsync,))
        self._no_effect("use_vsync")

    def use_internal_syncer(self):
        session.current().warn(
            "use_internal_syncer",
            "use_internal_syncer() has no effect: the host keeps its pace by itself",
        )

    # Physics

    def set_gravity(self, gravity=DEFAULT_GRAVITY):
        """The pull downwards, in m/s2."""
        self._gravity = number(gravity, "set_gravity")

    def set_physics_step_sub(self, step_sub):
        """Substeps of physics per tick."""
        self._substeps = count(step_sub, "set_physics_step_sub")

    def set_physics(self, classpath):
        """The physics engine, where it shall not be the host's own choice."""
        self._physics = session.current().catalogue.require(classpath, "physics").classpath

    def set_raycaster(self, classpath):
        """What casts rays for lasers, where it shall not be the host's own choice."""
        self._raycaster = session.current().catalogue.require(classpath, "raycaster").classpath

    def set_seed(self, seed):
        """The seed of all noise."""
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise BuilderError("set_seed: want a whole number of at least 0, not %r" % (seed,))
        self._seed = plain(seed, "set_seed")

    # Streams, services, properties

    def configure_stream_manager(self, stream_manager, **kwargs):
        """Merges options of a stream, by its name or its manager's classpath."""
        manager = session.current().catalogue.manager(stream_manager)
        Configuration.link_stream_manager_config(written(manager.classpath), kwargs)

    def add_service(self, datastream):
        """Offers the services of the simulation itself through a request manager."""
        manager = session.current().catalogue.request_manager(datastream)
        Configuration.link_service("simulation", written(manager.classpath))

    configure_service = add_service

    def add_interface(self, interface):
        self.add_service(interface)

    def properties(self, **kwargs):
        """Properties of the environment, such as longitude, latitude and altitude."""
        for name, value in kwargs.items():
            self._properties[name] = plain(value, "Environment." + name)

    def property_value(self, name):
        return self._properties.get(name)

    def configure_multinode(
        self, protocol="socket", server_address="localhost", server_port="65000", distribution=None
    ):
        raise BuilderError("configure_multinode: this version runs a scene on one node")

    # What needs MORSE's logger or a window

    def set_log_level(self, component, level):
        session.current().warn(
            "set_log_level",
            "Environment.set_log_level has no effect: the host decides what it logs",
        )

    def _no_effect(self, what):
        session.current().warn(what, "Environment.%s has no effect: there is no window" % what)

    def __getattr__(self, name):
        if name not in WINDOW:
            raise AttributeError("Environment has no %s" % name)
        return lambda *args, **kwargs: self._no_effect(name)

    # The scene

    def describe(self):
        """The environment of the scene file; what the host does by itself is left out."""
        scene = {
            "frequency": self._frequency,
            "time_strategy": None if self._strategy == 0 else TimeStrategies.names[self._strategy],
            "logic_step_max": _unless(self._steps["logic_step_max"], DEFAULT_STEPS_MAX),
            "physics_step_max": _unless(self._steps["physics_step_max"], DEFAULT_STEPS_MAX),
            "time_scale": _unless(self._time_scale, 1.0),
            "use_relative_time": True if self._relative_time else None,
            "auto_tune": None if self.auto_tune_time else False,
            "seed": self._seed,
            "gravity": None if self._gravity == DEFAULT_GRAVITY else [0.0, 0.0, -self._gravity],
            "physics": self._physics,
            "physics_substeps": _unless(self._substeps, DEFAULT_SUBSTEPS),
            "raycaster": self._raycaster,
            "import": self._import,
            "properties": {key: self._properties[key] for key in sorted(self._properties)} or None,
        }
        return {key: value for key, value in scene.items() if value is not None}


# What MORSE offers for its window and its editor.
WINDOW = frozenset(
    (
        "aim_camera",
        "enable_mist",
        "fullscreen",
        "place_camera",
        "save",
        "select_display_camera",
        "set_ambient_color",
        "set_animation_record",
        "set_auto_start",
        "set_background_scene",
        "set_camera_clip",
        "set_camera_focal_length",
        "set_camera_location",
        "set_camera_rotation",
        "set_camera_speed",
        "set_debug",
        "set_horizon_color",
        "set_material_mode",
        "set_mist_settings",
        "set_stereo",
        "set_viewport",
        "show_debug_properties",
        "show_framerate",
        "show_physics",
    )
)


def roots():
    """What is part of nothing else, in the order of construction."""
    return [component for component in session.current().components if component.parent is None]


def describe_scene():
    """The whole scene file as a dictionary, its keys in their fixed order."""
    scene = {
        "orrery": 1,
        "environment": session.current().environment.describe(),
        "objects": [root.describe() for root in roots()],
        "component_config": "component_config.py",
    }
    workers = _describe_workers(roots())
    if workers:
        scene["workers"] = {name: workers[name] for name in sorted(workers)}
    return scene


def _describe_workers(components):
    """The settings of each worker, whichever of its components gives them."""
    workers = {}
    for component in components:
        found = component.describe_worker()
        if found is not None:
            name, settings = found
            _merge_settings(workers.setdefault(name, {}), name, settings)
        for name, settings in _describe_workers(component.children).items():
            _merge_settings(workers.setdefault(name, {}), name, settings)
    return workers


def _merge_settings(known, name, settings):
    for key, value in settings.items():
        if known.setdefault(key, value) != value:
            raise BuilderError(
                "the worker %s has two values for %s: %r and %r" % (name, key, known[key], value)
            )


def _unless(value, default):
    return None if value == default else value


def _frequency(component):
    """What the component runs at in Hz, as asked or as its class says; 0: every tick."""
    asked = component.property_value("frequency")
    if asked is not None or component.class_info is None:
        return asked or 0
    return component.class_info.frequency or 0
