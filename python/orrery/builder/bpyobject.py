# SPDX-License-Identifier: BSD-3-Clause
"""The settings of Blender's objects that scripts reach for through `_bpy_object`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional, Sequence, Union

from . import session
from .body import SETTINGS
from .errors import hint
from .materials import Material, Worn

if TYPE_CHECKING:
    from .abstractcomponent import AbstractComponent
    from .changes import EnvironmentObject

    Thing = Union[AbstractComponent, EnvironmentObject]

#: Blender's other settings of the game engine: for its own collisions, its animations, its view.
WITHOUT_EFFECT = (
    "collision_bounds_type",
    "collision_group",
    "collision_mask",
    "fall_speed",
    "form_factor",
    "friction_coefficients",
    "jump_speed",
    "obstacle_radius",
    "radius",
    "show_actuators",
    "show_controllers",
    "show_debug_state",
    "show_sensors",
    "show_state_panel",
    "soft_body",
    "states_initial",
    "states_visible",
    "step_height",
    "use_activity_culling",
    "use_actor",
    "use_all_states",
    "use_anisotropic_friction",
    "use_collision_bounds",
    "use_collision_compound",
    "use_material_physics_fh",
    "use_obstacle_create",
    "use_record_animation",
    "use_rotate_from_normal",
    "use_sleep",
    "velocity_max",
    "velocity_min",
)


class GameProperty:
    """One game property, as Blender has them: `game.properties['name'].value`."""

    def __init__(self, component: Thing, name: str) -> None:
        self._component = component
        self.name = name

    @property
    def value(self) -> Any:
        """Its value."""
        return self._component.property_value(self.name)

    @value.setter
    def value(self, value: Any) -> None:
        self._component.properties(**{self.name: value})


class GameProperties:
    """The game properties of one component, by name."""

    def __init__(self, component: Thing) -> None:
        self._component = component

    def _names(self) -> list[str]:
        return list(self._component.describe_properties())

    def __contains__(self, name: object) -> bool:
        return name in self._names()

    def __iter__(self) -> Iterator[GameProperty]:
        return (GameProperty(self._component, name) for name in self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __getitem__(self, name: str) -> GameProperty:
        if name not in self:
            raise KeyError("no property %s%s" % (name, hint(name, self._names())))
        return GameProperty(self._component, name)

    def get(self, name: str, default: Any = None) -> Any:
        """The property of that name, or `default`."""
        return self[name] if name in self else default

    def keys(self) -> list[str]:
        """Their names."""
        return self._names()


class GameSettings:
    """Physics of one component, by Blender's names."""

    _component: Thing

    def __init__(self, component: Thing) -> None:
        object.__setattr__(self, "_component", component)

    @property
    def properties(self) -> GameProperties:
        """The game properties."""
        return GameProperties(self._component)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in WITHOUT_EFFECT:
            session.current().warn(
                "game." + name, "game.%s has no effect: the host's engines do without" % name
            )
        elif name in SETTINGS:
            self._component.change_body(**{name: value})
        else:
            raise AttributeError("no setting game.%s%s" % (name, hint(name, SETTINGS)))

    def __getattr__(self, name: str) -> Any:
        if name in WITHOUT_EFFECT:
            return None
        if name not in SETTINGS:
            raise AttributeError("no setting game.%s%s" % (name, hint(name, SETTINGS)))
        return self._component.property_value(name)


class ObjectData:
    """The data of one object: its materials; all else is for Blender's own pictures."""

    def __init__(self, component: AbstractComponent) -> None:
        object.__setattr__(self, "materials", Worn(component))
        object.__setattr__(self, "_component", component)

    def __setattr__(self, name: str, value: Any) -> None:
        label = "%s.data.%s" % (self._component.own_name(), name)
        session.current().warn(("data", label), "%s has no effect: there is no window" % label)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return None


class BpyObject:
    """What stands for Blender's object: its name, its place, its physics."""

    def __init__(self, component: AbstractComponent) -> None:
        self._component = component
        self.game = GameSettings(component)

    @property
    def name(self) -> str:
        """The component's."""
        return self._component.name

    @name.setter
    def name(self, value: str) -> None:
        self._component.name = value

    @property
    def location(self) -> Sequence[float]:
        """Its place in its parent's frame, m."""
        return self._component.location

    @location.setter
    def location(self, value: Any) -> None:
        self._component.location = value

    @property
    def rotation_euler(self) -> Sequence[float]:
        """Roll, pitch and yaw, rad."""
        return self._component.rotation_euler

    @rotation_euler.setter
    def rotation_euler(self, value: Any) -> None:
        self._component.rotation_euler = value

    @property
    def scale(self) -> Sequence[float]:
        """Of what has a size of its own."""
        return self._component.scale

    @scale.setter
    def scale(self, value: Any) -> None:
        self._component.scale = value

    @property
    def data(self) -> ObjectData:
        """What Blender keeps of the mesh or camera that an object is."""
        return ObjectData(self._component)

    @property
    def active_material(self) -> Optional[Material]:
        """The material that the script has put on it; None without."""
        return Worn(self._component).active

    @active_material.setter
    def active_material(self, value: Optional[Material]) -> None:
        Worn(self._component).append(value)

    @property
    def parent(self) -> Optional[BpyObject]:
        """That of which it is a part."""
        return BpyObject(self._component.parent) if self._component.parent is not None else None

    @property
    def children(self) -> list[BpyObject]:
        """Its parts."""
        return [BpyObject(child) for child in self._component.children]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BpyObject) and other._component is self._component

    def __hash__(self) -> int:
        return id(self._component)
