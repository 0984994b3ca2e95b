# SPDX-License-Identifier: BSD-3-Clause
"""The helpers of MORSE's `bpymorse` that scripts use; what is for Blender alone says so once."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Iterator, List, NoReturn, Union

from . import changes, session
from .abstractcomponent import AbstractComponent
from .changes import EnvironmentObject
from .environment import DEFAULT_FREQUENCY, DEFAULT_STEPS_MAX
from .errors import BuilderError, hint
from .materials import Material, Materials
from .window import CAMERAS, Viewer


def set_speed(
    fps: float = DEFAULT_FREQUENCY,
    logic_step_max: int = DEFAULT_STEPS_MAX,
    physics_step_max: int = DEFAULT_STEPS_MAX,
) -> None:
    """What Environment.simulator_frequency does; deprecated in MORSE."""
    state = session.current()
    state.speed = {
        "base_frequency": fps,
        "logic_step_max": logic_step_max,
        "physics_step_max": physics_step_max,
    }
    if state.environment is not None:
        state.environment.simulator_frequency(**state.speed)


class Named(List[Any]):
    """Things in their order, which can be asked for by name, too, as Blender's collections can."""

    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        found = self.get(key)
        if found is None:
            raise KeyError("no %s%s" % (key, hint(key, self.keys())))
        return found

    def __contains__(self, key: object) -> bool:
        return self.get(key) is not None if isinstance(key, str) else super().__contains__(key)

    def get(self, key: str, default: Any = None) -> Any:
        """The one of that name, or `default`."""
        return next((each for each in self if key in _names_of(each)), default)

    def keys(self) -> List[str]:
        """Their names."""
        return [_names_of(each)[0] for each in self]

    def values(self) -> List[Any]:
        """The things themselves."""
        return list(self)

    def items(self) -> Iterator[Any]:
        """Names and things."""
        return zip(self.keys(), self)


def _names_of(thing: Any) -> List[str]:
    own = [thing.own_name()] if isinstance(thing, AbstractComponent) else []
    return [thing.name, *own]


def get_objects() -> Named:
    """All components, in the order of construction."""
    return Named(session.current().components)


def get_object(name: str) -> Union[AbstractComponent, EnvironmentObject, Viewer]:
    """The component of that name, or of that full name; else an object of the environment's file.

    `Camera` is the viewer's.
    """
    for component in session.current().components:
        if name in (component.name, component.own_name()):
            return component
    if name in CAMERAS:
        return Viewer(name)
    if session.current().environment is not None and isinstance(name, str) and name:
        return changes.get(name)
    names = [component.own_name() for component in get_objects()]
    raise BuilderError("no object %s in the scene%s" % (name, hint(name, names) if names else ""))


def properties(obj: Union[AbstractComponent, EnvironmentObject], **kwargs: Any) -> None:
    """Sets properties of an object."""
    obj.properties(**kwargs)


def delete(obj: Any) -> None:
    """Takes components out of the scene, with all that is below them."""
    state = session.current()
    for thing in obj if isinstance(obj, (list, tuple)) else [obj]:
        found = get_object(thing) if isinstance(thing, str) else thing
        if isinstance(found, EnvironmentObject):
            raise BuilderError(
                "delete: %s is no component; an object of the environment's file stays, and can be moved, "
                "hidden (hide_render) or set to NO_COLLISION" % found.name
            )
        if found.parent is not None:
            found.parent.children.remove(found)
        _forget(state, found)


def _forget(state: session.Session, component: AbstractComponent) -> None:
    for child in component.children:
        _forget(state, child)
    state.components.remove(component)
    for table in (state.datastream, state.modifier, state.service, *state.overlay.values()):
        table.pop(component, None)


def get_properties(obj: Union[AbstractComponent, EnvironmentObject]) -> dict[str, Any]:
    """The properties that a script has set of an object."""
    return dict(obj.describe_properties())


def get_fps() -> float:
    """Ticks per simulated second."""
    environment = session.current().environment
    known = environment.describe() if environment is not None else session.current().speed
    return known.get("frequency") or known.get("base_frequency") or DEFAULT_FREQUENCY


def version() -> tuple[int, int, int]:
    """That of the Blender whose scripts are understood."""
    return (2, 77, 0)


class Text:
    """A text of Blender's: notes of a script, of which the scene has nothing."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._words = ""

    def write(self, words: str) -> None:
        """Adds to it."""
        self._words += words

    def clear(self) -> None:
        """Empties it."""
        self._words = ""

    def as_string(self) -> str:
        """What was written."""
        return self._words

    @property
    def lines(self) -> List[str]:
        """What was written, by lines."""
        return self._words.split("\n")


def get_texts() -> Named:
    """The texts that the script has made."""
    return Named(session.current().texts)


def get_text(name: str) -> Any:
    """The text of that name."""
    return get_texts()[name]


def get_last_text() -> Any:
    """The text that was made last."""
    return get_texts()[-1]


def new_text() -> Text:
    """Makes a text, named as Blender names it."""
    texts = session.current().texts
    texts.append(Text("Text.%03d" % len(texts) if texts else "Text"))
    return texts[-1]  # type: ignore[no-any-return]


def select_only(obj: Any) -> None:
    """Nothing: there is no editor in which to select."""


def deselect_all() -> None:
    """Nothing: there is no editor in which to select."""


def save(filepath: Any = None, check_existing: bool = False, compress: bool = True) -> None:
    """Nothing: `orrery build` keeps the scene."""
    _no_effect("save", "`orrery build` keeps the scene")


def fullscreen(fullscreen: bool = True) -> None:
    """Nothing: there is no window."""
    _no_effect("fullscreen", "there is no window")


def set_viewport(viewport_shade: str = "WIREFRAME", clip_end: float = 1000) -> None:
    """Nothing: there is no window."""
    _no_effect("set_viewport", "there is no window")


def set_viewport_perspective(perspective: str = "CAMERA") -> None:
    """Nothing: there is no window."""
    _no_effect("set_viewport_perspective", "there is no window")


def _no_effect(what: str, why: str) -> None:
    session.current().warn(what, "%s() has no effect: %s" % (what, why))


def get_materials() -> Materials:
    """The materials that the script has made."""
    return Materials()


def get_material(name: str) -> Material:
    """The material of that name."""
    return Materials()[name]


def get_last_material() -> Material:
    """The material that was made last."""
    return Materials()[-1]


def new_material() -> Material:
    """Makes a material, named as Blender names it."""
    return Materials().new()


create_new_material = new_material


#: What shows or sorts things in Blender's windows, or has been done already.
_SEEN = (
    "apply_transform",
    "empty_method",
    "make_links_scene",
    "select_all",
    "set_active_scene",
    "set_debug",
)
#: Collections of what a script does not make here.
_NOTHING = ("get_scenes", "get_sounds", "get_selected_objects")
#: What makes things of Blender's, and what to say instead.
_MAKERS = {
    "add_mesh_plane": "Plane (name)",
    "add_mesh_cube": "Cube (name)",
    "add_mesh_uv_sphere": "Sphere (name)",
    "add_mesh_ico_sphere": "IcoSphere (name)",
    "add_mesh_cylinder": "Cylinder (name)",
    "add_mesh_cone": "Cone (name)",
    "add_mesh_torus": "Torus (name)",
    "add_mesh_monkey": "Cube (name)",
    "add_lamp": "Spot (name)",
    "add_camera": "VideoCamera ()",
    "add_object": "Cube (name), or another of the shapes",
    "add_empty": "Empty (name)",
    "add_morse_empty": "Empty (name)",
    "new_mesh": "Cube (name), or another of the shapes",
    "new_object": "Cube (name), or another of the shapes",
    "append": "PassiveObject (file, prefix)",
    "link": "PassiveObject (file, prefix)",
    "link_append": "PassiveObject (file, prefix)",
    "collada_import": "PassiveObject (file)",
    "new_game_property": "component.properties (name=value)",
    "add_sensor": "the class of a component",
    "add_controller": "the class of a component",
    "add_actuator": "the class of a component",
    "open_sound": "Sound ().open (path)",
    "new_scene": "one Environment",
    "del_scene": "one Environment",
    "armatures": "Armature (name)",
    "get_first_selected_object": "the variable of what was made",
    "get_lamps": "Spot (name)",
    "get_lamp": "Spot (name)",
    "get_last_lamp": "Spot (name)",
    "get_sound": "Sound ()",
    "get_last_sound": "Sound ()",
    "get_scene": "one Environment",
    "get_last_scene": "one Environment",
    "get_context_object": "the variable of what was made",
    "get_context_scene": "one Environment",
    "get_context_window": "one Environment",
    "get_objects_in_blend": "PassiveObject (file, prefix)",
    "get_scenes_in_blend": "PassiveObject (file, prefix)",
}


def _refuser(name: str) -> Callable[..., NoReturn]:
    def refuse(*args: Any, **kwargs: Any) -> NoReturn:
        raise BuilderError(
            "bpymorse.%s(): Blender is not here; a script says it by %s" % (name, _MAKERS[name])
        )

    return refuse


def _unseen(name: str) -> Callable[..., None]:
    return lambda *args, **kwargs: _no_effect(name, "there is no window")


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return [each for each in [*globals(), *_SEEN, *_NOTHING, *_MAKERS, "bpy"] if each[0] != "_"]
    if name == "bpy":
        # By name: it has what checkers of scripts need not follow.
        return importlib.import_module("orrery.builder.bpy_standin").get()
    if name in _MAKERS:
        return _refuser(name)
    if name in _SEEN:
        return _unseen(name)
    if name in _NOTHING:
        return Named
    raise AttributeError("module %r has no attribute %r" % (__name__, name))
