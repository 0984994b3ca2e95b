# SPDX-License-Identifier: BSD-3-Clause
"""The person of MORSE's builder: a robot with its skeleton, and what tells how that is bent."""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Type

from . import session
from .abstractcomponent import AbstractComponent
from .morsebuilder import GroundRobot
from .pr2 import ROS_CONTROLLER

Getter = Callable[[str], Type[Any]]

#: What the model of MORSE is called: ours stands for it.
MODEL = "human_rig"
#: The object with the bones in files of persons.
SKELETON = "HumanSkeleton"
#: Bones whose ends are reached for.
IK_TARGETS = ["head", "wrist_L", "wrist_R", "foot_L", "foot_R"]
#: The one of them that grasps.
HAND = "wrist_R"
#: What a person is made of where the body is that of a file.
BODILESS = "orrery.core.grasping_robot.Person"


def _no_window(what: str) -> None:
    session.current().warn(
        "Human." + what, "Human.%s() has no effect: there is no window, and no key moves a person" % what
    )


def make_human(get: Getter) -> Type[AbstractComponent]:
    """With a skeleton that can be bent, and the sensor of it."""

    class Human(GroundRobot):
        """A person; `skeleton` is its armature, `skeleton.joint_states` tells of that.

        `filename` is a model as MORSE's `human_rig`, with an armature HumanSkeleton.
        """

        _classpath = "orrery.robots.human.Human"
        #: Bones whose ends are reached for.
        IK_TARGETS: List[str] = IK_TARGETS

        def __init__(self, filename: str = MODEL, name: Optional[str] = None) -> None:
            own = filename == MODEL
            super().__init__("" if own else filename, name)
            if own:
                self.skeleton = get("HumanSkeleton")("skeleton")
                self.skeleton.translate(z=0.059)
            else:
                self._set_classpath(BODILESS)
                self.properties(Animations=True, Hand=HAND)
                self.skeleton = get("Armature")("skeleton", armature_name=SKELETON)
                self.skeleton.create_ik_targets(IK_TARGETS)
            self.append(self.skeleton)
            self.joint_states = get("ArmaturePose")("joint_states")
            self.skeleton.joint_states = self.joint_states
            self.skeleton.append(self.joint_states)

        def use_world_camera(self) -> None:
            """Nothing: there is no window."""
            _no_window("use_world_camera")

        def disable_keyboard_control(self) -> None:
            """Nothing: no key moves a person."""
            _no_window("disable_keyboard_control")

        def add_interface(self, interface: str, **kwargs: Any) -> None:
            """The joints on a stream, and the services of skeleton and sensor; over ROS a controller."""
            self.joint_states.add_stream(interface, **kwargs)
            self.skeleton.add_service(interface)
            if interface == "ros":
                self.skeleton.add_overlay("ros", ROS_CONTROLLER)
            else:
                self.joint_states.add_service(interface)

    return Human
