# SPDX-License-Identifier: BSD-3-Clause
"""What scripts say of a body: Blender's words on one side, the scene's key `body` on the other."""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from . import session
from .errors import BuilderError, hint
from .precision import kept
from .values import number

#: Blender's physics types, and the scene's words for them.
BODY_TYPES = {
    "NO_COLLISION": "none",
    "STATIC": "static",
    "DYNAMIC": "dynamic",
    "RIGID_BODY": "rigid",
    "SENSOR": "ghost",
}
LOCKS = tuple("lock_%s_%s" % (kind, axis) for kind in ("location", "rotation") for axis in "xyz")
#: Settings with an effect; a script reaches each as `_bpy_object.game.NAME`.
SETTINGS = LOCKS + (
    "mass",
    "physics_type",
    "friction",
    "restitution",
    "damping",
    "rotation_damping",
    "collision_margin",
    "use_ghost",
)


def checked(name: str, value: Any, where: str) -> Any:
    """The setting's value, if it can be one."""
    if name in LOCKS or name == "use_ghost":
        return bool(value)
    if name == "physics_type":
        if value not in BODY_TYPES:
            raise BuilderError(
                "%s: no physics type %s%s" % (where, value, hint(str(value), BODY_TYPES))
            )
        return value
    if number(value, where) < 0:
        raise BuilderError("%s: want a number of at least 0, not %r" % (where, value))
    if name in ("damping", "rotation_damping", "restitution") and value > 1:
        raise BuilderError("%s: want a number from 0 to 1, not %r" % (where, value))
    return kept(value) if isinstance(value, float) else value


#: Blender's damping where nothing else is said: of moving and of turning.
DAMPING = (0.04, 0.1)
#: Where the scene's `body` has what Blender calls otherwise.
WORDS = {"collision_margin": "margin", "mass": "mass", "friction": "friction", "restitution": "restitution"}


class Bodied:
    """Any object: what Blender keeps in `game`."""

    _game: Dict[str, Any]
    _origins: Dict[str, Optional[session.Origin]]
    #: Whether it is in a file, with a body that the script does not see.
    is_imported = False

    def class_body(self, key: str) -> Any:
        """What its class says under `key` of a body; None where it says nothing."""
        return None

    def has_margins(self) -> bool:
        """Whether the margin of what it stands on counts for it, as in Blender."""
        return True

    def class_setting(self, name: str) -> Any:
        """The setting with which its class begins, by Blender's name; None where it does not say."""
        if name in ("damping", "rotation_damping"):
            damping = self.class_body("damping")
            return damping and damping[name == "rotation_damping"]
        if name == "physics_type":
            kind = self.class_body("type")
            return next((theirs for theirs, ours in BODY_TYPES.items() if ours == kind), None)
        return self.class_body(WORDS[name]) if name in WORDS else None

    def own_name(self) -> str:
        """The name without those of its parents."""
        raise NotImplementedError

    def change_body(self, **settings: Any) -> None:
        """Sets settings of the body by Blender's names."""
        self._origins["body"] = session.origin()
        for name, value in settings.items():
            self._game[name] = checked(name, value, "%s.%s" % (self.own_name(), name))

    def describe_body(self) -> Dict[str, Any]:
        """The settings in the words of the scene; nothing that was not said."""
        game = self._game
        kind = BODY_TYPES.get(game.get("physics_type", ""))
        if game.get("use_ghost") and kind != "none":
            kind = "ghost"
        body = {
            "type": kind,
            "mass": game.get("mass"),
            "margin": game.get("collision_margin", self._find_margin(kind)),
            "friction": game.get("friction"),
            "restitution": game.get("restitution"),
            "damping": self._describe_damping(),
            "lock_position": self._describe_locks("location"),
            "lock_rotation": self._describe_locks("rotation"),
        }
        return {key: value for key, value in body.items() if value is not None}

    def _find_margin(self, kind: Optional[str]) -> Optional[float]:
        """Of what moves and says none. In Blender the margin of the ground counts for it; in a scene it would not."""
        is_said = self.is_imported or self.class_body("margin") is not None or not self.has_margins()
        return 0.0 if kind in ("rigid", "dynamic") and not is_said else None

    def _describe_damping(self) -> Optional[List[float]]:
        """Both or none: what is not said is the class's, else Blender's."""
        game = self._game
        if "damping" not in game and "rotation_damping" not in game:
            return None
        usual = self.class_body("damping") or DAMPING
        names = ("damping", "rotation_damping")
        return [float(game.get(name, other)) for name, other in zip(names, usual)]

    def _describe_locks(self, kind: str) -> Optional[List[bool]]:
        locks = [bool(self._game.get("lock_%s_%s" % (kind, axis))) for axis in "xyz"]
        return locks if any(locks) else None


class Physical(Bodied):
    """What stands in the world by itself, with MORSE's methods for its body."""

    def set_mass(self, mass: float) -> None:
        """The mass in kilograms."""
        self.change_body(mass=mass)

    def set_friction(self, friction: float = 0.0) -> None:
        """The friction of the surface; that of a contact is the product of both."""
        self.change_body(friction=friction)

    def set_physics_type(self, physics_type: str = "STATIC") -> None:
        """NO_COLLISION, STATIC, DYNAMIC (is not turned by contacts), RIGID_BODY or SENSOR."""
        self.change_body(physics_type=physics_type)

    def set_rigid_body(self) -> None:
        """Moved and turned by forces and contacts."""
        self.set_physics_type("RIGID_BODY")

    def set_dynamic(self) -> None:
        """Moved by forces and contacts, but not turned by them."""
        self.set_physics_type("DYNAMIC")

    def set_no_collision(self) -> None:
        """Collides with nothing."""
        self.set_physics_type("NO_COLLISION")

    def set_collision_bounds(self) -> None:
        """Nothing: what moves collides as its hull, and that is what this asks for."""
        session.current().warn(
            "set_collision_bounds",
            "set_collision_bounds() has no effect: what moves collides as its hull already",
        )
