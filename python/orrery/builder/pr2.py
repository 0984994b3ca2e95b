# SPDX-License-Identifier: BSD-3-Clause
"""The PR2s of MORSE's builder: a robot with its armatures, and what is usual on it."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, Type

from . import session
from .abstractcomponent import AbstractComponent

Getter = Callable[[str], Type[Any]]

#: What sends the joints as one map.
JOINT_STATES = "morse.middleware.sockets.jointstate.PR2JointStatePublisher"
#: The same over ROS, the state of one armature, and what takes a trajectory for one.
ROS_JOINT_STATES = "morse.middleware.ros.jointstate.JointStatePR2Publisher"
ROS_STATE = (
    "morse.middleware.ros.jointtrajectorycontrollers.JointTrajectoryControllerStatePublisher"
)
ROS_CONTROLLER = "morse.middleware.ros.overlays.armatures.ArmatureController"
ROS_POSE = "morse.middleware.ros.pose.TFPublisher"
#: What ROS calls the controllers of the armatures.
CONTROLLERS = ("/torso_lift_controller", "/head_controller", "/l_arm_controller", "/r_arm_controller")
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
            self.torso_pose, self.head_pose, self.l_arm_pose, self.r_arm_pose = poses
            self.joint_state = get("CompoundSensor")(poses, "joint_state")
            self.append(self.joint_state)

        @staticmethod
        def _add(name: str) -> Any:
            classname, place = ARMATURES[name]
            armature = get(classname)(name)
            armature.translate(*place)
            armature.append(get("ArmaturePose")("pose"))
            return armature

        def add_stream(
            self,
            datastream: str,
            method: Optional[str] = None,
            path: Optional[str] = None,
            classpath: Optional[str] = None,
            direction: Optional[str] = None,
            **kwargs: Any,
        ) -> None:
            """Nothing: the robot has no record of its own. Scripts of MORSE call it all the same."""
            if direction is not None:
                super().add_stream(datastream, method, path, classpath, direction, **kwargs)
                return
            session.current().warn(
                (type(self).__name__, "add_stream"),
                "%s.add_stream has no effect: the robot has no record; use add_interface, or "
                "joint_state.add_stream" % type(self).__name__,
            )

        def add_interface(self, interface: str, **kwargs: Any) -> None:
            """The joints as one stream, and the services of the armatures; over ROS controllers of them."""
            if interface == "ros":
                self._add_controllers()
                return
            method = JOINT_STATES if interface == "socket" else None
            self.joint_state.add_stream(interface, method, **kwargs)
            for armature in self.armatures:
                armature.add_service(interface)

        def _add_controllers(self) -> None:
            self.joint_state.add_stream("ros", ROS_JOINT_STATES, topic="/joint_states")
            self.joint_state.add_service("ros")
            for armature, name in zip(self.armatures, CONTROLLERS):
                armature.children[0].add_stream("ros", ROS_STATE, topic=name + "/state")
                armature.add_overlay("ros", ROS_CONTROLLER, namespace=name)

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
            """Those of the base; over ROS streams of motion and pose, too."""
            super().add_interface(interface, **kwargs)
            if interface == "ros":
                self.motion.add_stream("ros", topic="/cmd_vel")
                self.pose.add_stream("ros", ROS_POSE)

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
            """Those of the base; over ROS streams of motion, odometry and laser, too."""
            super().add_interface(interface, **kwargs)
            if interface == "ros":
                self.base_scan.add_stream("ros", topic="/scan")
                self.odometry.add_stream("ros", topic="/odom")
                self.motion.add_stream("ros", topic="/cmd_vel")

    return NavPR2
