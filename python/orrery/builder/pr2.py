# SPDX-License-Identifier: BSD-3-Clause
"""The PR2s of MORSE's builder: a robot with its armatures, and what is usual on it."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Type

from .abstractcomponent import AbstractComponent

Getter = Callable[[str], Type[Any]]

#: What sends the joints as one map.
JOINT_STATES = "morse.middleware.sockets.jointstate.PR2JointStatePublisher"
#: Of each armature: its class, and where it is on what carries it, m.
ARMATURES: Dict[str, Tuple[str, Tuple[float, float, float]]] = {
    "torso": ("PR2Torso", (-0.05, 0.0, 0.790675)),
    "head": ("PR2Head", (-0.0171, 0.0, 0.3814)),
    "l_arm": ("PR2LeftArm", (0.0, 0.188, 0.0)),
    "r_arm": ("PR2RightArm", (0.0, -0.188, 0.0)),
}


def make_base(get: Getter) -> Type[AbstractComponent]:
    """With armatures and what tells where they are."""
    base = get("BarePR2")

    class BasePR2(base):  # type: ignore[misc, valid-type]
        """A PR2 with torso, head and two arms, each with its `pose`, and `joint_state` of them all."""

        def __init__(self, name: Optional[str] = None) -> None:
            super().__init__(name)
            self.armatures = [self._add(each) for each in ARMATURES]
            self.torso, self.head, self.l_arm, self.r_arm = self.armatures
            for armature in self.armatures:
                (self if armature is self.torso else self.torso).append(armature)
            poses = [armature.children[0] for armature in self.armatures]
            self.joint_state = get("CompoundSensor")(poses, "joint_state")
            self.append(self.joint_state)

        @staticmethod
        def _add(name: str) -> Any:
            classname, place = ARMATURES[name]
            armature = get(classname)(name)
            armature.translate(*place)
            armature.append(get("ArmaturePose")("pose"))
            return armature

        def add_interface(self, interface: str, **kwargs: Any) -> None:
            """The joints as one stream, and the services of the armatures."""
            method = JOINT_STATES if interface == "socket" else None
            self.joint_state.add_stream(interface, method, **kwargs)
            for armature in self.armatures:
                armature.add_service(interface)

    return BasePR2


def _add_motion(robot: Any, get: Getter, with_keyboard: bool) -> None:
    robot.motion = get("MotionXYW")("motion")
    robot.motion.properties(ControlType="Position")
    robot.append(robot.motion)
    if with_keyboard:
        robot.keyboard = get("Keyboard")("keyboard")
        robot.keyboard.properties(ControlType="Position")
        robot.append(robot.keyboard)


def make_localized(get: Getter) -> Type[AbstractComponent]:
    """One that knows where it is."""
    base = get("BasePR2")

    class LocalizedPR2(base):  # type: ignore[misc, valid-type]
        """A PR2 that is driven, with a sensor of its pose."""

        def __init__(
            self, name: Optional[str] = None, with_keyboard: bool = True, show_laser: bool = False
        ) -> None:
            super().__init__(name)
            _add_motion(self, get, with_keyboard)
            self.pose = get("Pose")("pose")
            self.append(self.pose)

        def add_interface(self, interface: str, **kwargs: Any) -> None:
            """Those of the base, and streams of motion and pose."""
            super().add_interface(interface, **kwargs)
            self.motion.add_stream(interface)
            self.pose.add_stream(interface)

    return LocalizedPR2


def make_nav(get: Getter) -> Type[AbstractComponent]:
    """One that finds its way."""
    base = get("BasePR2")

    class NavPR2(base):  # type: ignore[misc, valid-type]
        """A PR2 that is driven, with odometry and the laser of its base."""

        def __init__(
            self, name: Optional[str] = None, with_keyboard: bool = True, show_laser: bool = False
        ) -> None:
            super().__init__(name)
            _add_motion(self, get, with_keyboard)
            self.odometry = get("Odometry")("odometry")
            self.append(self.odometry)
            self.base_scan = get("Hokuyo")("base_scan")
            self.base_scan.translate(x=0.275, z=0.252)
            self.base_scan.properties(
                Visible_arc=show_laser, laser_range=30.0, scan_window=180.0, resolution=1.0
            )
            self.append(self.base_scan)

        def add_interface(self, interface: str, **kwargs: Any) -> None:
            """Those of the base, and streams of motion, odometry and laser."""
            super().add_interface(interface, **kwargs)
            for part in (self.motion, self.odometry, self.base_scan):
                part.add_stream(interface)

    return NavPR2
