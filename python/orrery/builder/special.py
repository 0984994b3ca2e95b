# SPDX-License-Identifier: BSD-3-Clause
"""What MORSE's builder offers of single classes beside what all components have.

Found by the name of the class in scripts; where the class comes from does not matter.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Dict, List, Optional, Sequence, Set, Tuple, Type

from . import human, models, morse_classes, pr2, session
from .abstractcomponent import AbstractComponent
from .blenderobjects import Spot
from .creator import SensorCreator
from .errors import BuilderError, hint
from .places import Angles
from .precision import kept
from .session import collects
from .values import count, positive, vector

#: The properties and the frequency of the sensors that are others of one class with settings.
PRESETS: Dict[str, Tuple[float, Dict[str, Any]]] = {
    "Sick": (10, {"laser_range": 30.0, "scan_window": 180.0, "resolution": 1.0}),
    "Hokuyo": (10, {"laser_range": 30.0, "scan_window": 270.0, "resolution": 0.25}),
    "SickLDMRS": (
        4,
        {
            "laser_range": 30.0,
            "scan_window": 100.0,
            "resolution": 0.25,
            "layers": 4,
            "layer_separation": 0.8,
            "layer_offset": 0.125,
        },
    ),
    "Infrared": (10, {"laser_range": 2.0, "scan_window": 20.0, "resolution": 1.0}),
    "VelodyneRayCast": (60, {"laser_range": 50.0, "scan_window": 31.5, "resolution": 0.5}),
}


#: What MORSE's builder sets of a class, where that is not what the class begins with.
SETTINGS: Dict[str, Dict[str, Any]] = {
    "SearchAndRescue": {"Heal_range": 2.0, "Abilities": "1,2"},
    "PTU": {"Tolerance": 0.01},
    "Proximity": {"Range": 30.0},
    "VideoCamera": {"cam_focal": 35.0},
    "SemanticCamera": {
        "cam_width": 512,
        "cam_height": 512,
        "cam_focal": 35.0,
        "Vertical_Flip": False,
    },
    "DepthCamera": {"cam_focal": 35.0},
    "Velodyne": {"cam_focal": 35.0},
    # It turns by what it sees at once: the horizontal angle of such a lens, in Blender's single precision.
    "VelodyneZB": {"cam_focal": 35.0, "rotation": 0.8575560580562634},
}


#: Half of the box of a Collision, along each axis, m.
COLLISION_HALF = (0.02, 0.02, 0.02)


class LaserSensorWithArc(SensorCreator):
    """A scanner; in MORSE its rays are those of a mesh, the arc. Scripts derive theirs from it."""

    #: What the arc is made of. The length of rays counts whenever it is set.
    _FAN = ("resolution", "scan_window", "layers", "layer_separation", "layer_offset")
    _arc: Optional[Dict[str, Any]] = None

    def create_laser_arc(self) -> None:
        """Makes the fan of rays of the properties as they are now.

        What is set of its window, resolution and layers later has no effect until the next call.
        Without a call the fan is made when the script ends, of all that was set.
        """
        self._arc = {name: self.property_value(name) for name in self._FAN}

    def properties(self, **kwargs: Any) -> None:
        """Sets properties; those of a fan that was made count from create_laser_arc() on."""
        super().properties(**kwargs)
        late = [name for name in self._FAN if name in kwargs]
        if self._arc is not None and late:
            session.current().warn(
                ("arc", id(self)),
                "%s: %s: the fan was made before: call create_laser_arc() again"
                % (self.own_name(), ", ".join(late)),
            )

    def after_renaming(self) -> None:
        """Gives the scene the fan that was made."""
        made = self._arc or {}
        changed = {n: v for n, v in made.items() if v != self.property_value(n)}
        super().properties(**changed)


#: MORSE's cameras look along their z, x to the right: so they are turned where they look along x.
CAMERA_EULER = (math.pi / 2, math.pi, math.pi / 2)


def angles_of_camera(x: float, y: float, z: float) -> List[float]:
    """Roll, pitch and yaw of a camera that MORSE's builder has told to `rotate (x, y, z)`.

    MORSE adds y, z and x to the angles with which its camera looks ahead. The rotation from our
    frame, which looks along x with z up, is then Rz(x) Rx(-z) Ry(-y).
    """
    if z == 0.0 or y == 0.0:
        return [-z or 0.0, -y or 0.0, x]
    sin_z, cos_z, sin_y, cos_y = math.sin(-z), math.cos(z), math.sin(-y), math.cos(y)
    level = math.hypot(cos_y, sin_z * sin_y)
    return [
        math.atan2(sin_z, cos_z * cos_y),
        math.atan2(cos_z * sin_y, level),
        x + math.atan2(sin_z * sin_y, cos_y),
    ]


class VideoCamera(SensorCreator):
    """A camera that looks along x of what it stands on.

    In scripts of `morse.builder` its angles are those of MORSE: x of `rotate` turns it to the left,
    y up, and z rolls it. In others it turns as all components do.
    """

    _turns: Sequence[float] = (0.0, 0.0, 0.0)

    def rotate(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> None:
        """Adds to its angles, in radians.

        In scripts of `morse.builder` x turns it to the left, y up, and z rolls it to the left; in
        others they are roll, pitch and yaw.
        """
        if session.current().is_morse:
            self._face(self._turned(self._turns, (x, y, z)))
        else:
            super().rotate(x, y, z)

    def aim_left(self, angle: float) -> None:
        """Turns it to the left, in radians, whatever its axes are called."""
        if session.current().is_morse:
            self.rotate(x=angle)
        else:
            self.rotate(z=angle)

    def _face(self, turns: Sequence[float]) -> None:
        self._turns = turns
        self._rotation = angles_of_camera(*turns)

    @property
    def rotation_euler(self) -> Sequence[float]:
        """Roll, pitch and yaw, or the angles as MORSE has them: (pi/2, pi, pi/2) looks along x."""
        if not session.current().is_morse:
            return super().rotation_euler
        x, y, z = self._turns
        angles: Any = Angles([a + b for a, b in zip(CAMERA_EULER, (y, z, x))], self._turn)
        return angles  # type: ignore[no-any-return]

    @rotation_euler.setter
    def rotation_euler(self, value: Sequence[float]) -> None:
        self._turn(value)

    def _turn(self, value: Sequence[float]) -> None:
        if not session.current().is_morse:
            super()._turn(value)
            return
        angles = vector(value, self.own_name() + ".rotation_euler")
        y, z, x = (a - b for a, b in zip(angles, CAMERA_EULER))
        self._absolute["rotation"] = True
        self._face([x, y, z])

    def hide_mesh(self, hide: bool = True) -> None:
        """Nothing: a camera has no body to be seen."""
        session.current().warn(
            "hide_mesh", "hide_mesh() has no effect: a camera has no body to be seen"
        )


class DepthCameraAggregator(AbstractComponent):
    """Several depth cameras as one, in the frame of its master."""

    _master: Optional[int] = None

    @property
    def cameras(self) -> List[AbstractComponent]:
        """The cameras below it."""
        return [child for child in self.children if child.role == "sensor"]

    def set_master(self, index: int) -> None:
        """Which of its cameras gives the frame, counted from 0."""
        if isinstance(index, bool) or not isinstance(index, int) or index < 0:
            raise BuilderError(
                "%s.set_master: want a whole number of at least 0, not %r"
                % (self.own_name(), index)
            )
        self._master = index

    def after_renaming(self) -> None:
        """Writes the master's name down."""
        if self._master is None:
            return
        if self._master >= len(self.cameras):
            raise BuilderError(
                "%s.set_master: there is no camera %d of %d"
                % (self.own_name(), self._master, len(self.cameras)),
                self.origin,
            )
        self.properties(master_camera=self.cameras[self._master].name)


class CompoundSensor(AbstractComponent):
    """Several sensors as one: its record has those of all."""

    def __init__(
        self, sensors: Sequence[AbstractComponent] = (), name: Optional[str] = None
    ) -> None:
        super().__init__(name)
        self.sensors = list(sensors)
        for sensor in self.sensors:
            if not isinstance(sensor, AbstractComponent):
                raise BuilderError("CompoundSensor: want sensors, not %r" % (sensor,))

    def after_renaming(self) -> None:
        """Writes the names of its sensors down."""
        self.properties(sensors=",".join(sensor.name for sensor in self.sensors))


class Collision(AbstractComponent):
    """A sensor that tells what it touches: a box, of 4 cm at first."""

    _half: Optional[List[float]] = None

    @property
    def scale(self) -> Sequence[float]:
        """Half of the box along each axis, m."""
        return tuple(self._half or COLLISION_HALF)

    @scale.setter
    def scale(self, value: Sequence[float]) -> None:
        where = self.own_name() + ".scale"
        self._half = [kept(positive(half, where)) for half in vector(value, where)]

    def describe_shapes(self) -> List[Dict[str, Any]]:
        """The box, where the script has sized it."""
        if self._half is None:
            return []
        return [{"kind": "box", "size": [2 * half for half in self._half]}]

    def properties(self, **kwargs: Any) -> None:
        """Sets properties; `collision_property` is an old name that scripts of MORSE still use."""
        if "collision_property" in kwargs:
            kwargs.setdefault("only_objects_with_property", kwargs.pop("collision_property"))
        super().properties(**kwargs)


class Unexportable(AbstractComponent):
    """What has no record that a stream could carry."""

    def __init__(self, name: Optional[str] = None) -> None:
        super().__init__(name)
        self.mark_unexportable()


class Joystick(Unexportable):
    """A joystick of the machine."""

    def __init__(self, name: Optional[str] = None, index: int = 0) -> None:
        super().__init__(name)
        if index:
            self.properties(Index=count(index, "Joystick: index"))


class Light(AbstractComponent):
    """A lamp that can be switched."""

    def __init__(self, name: Optional[str] = None) -> None:
        super().__init__(name)
        self.light = Spot("LightSpot")
        self.append(self.light)

    def properties(self, **kwargs: Any) -> None:
        """Sets properties; those of the light become the lamp's."""
        super().properties(**kwargs)
        wanted = {"distance": "distance", "energy": "energy", "size": "angle"}
        settings = {wanted[key]: value for key, value in kwargs.items() if key in wanted}
        if settings:
            self.light.lamp(**settings)


class Sound(AbstractComponent):
    """A source of sound."""

    def open(self, path: str) -> None:
        """Nothing: nobody listens; the run goes on without."""
        session.current().warn("Sound.open", "Sound.open() has no effect: there is no loudspeaker")


class Waypoint(AbstractComponent):
    """An actuator that drives to a point."""

    def add_lr_radars(self) -> None:
        """Nothing: the actuator brings what it looks ahead with."""
        session.current().warn(
            "add_lr_radars", "add_lr_radars() has no effect: the class looks ahead by itself"
        )


class Armature(AbstractComponent):
    """Joints in a row: those of a model, or of what it is appended to."""

    def __init__(
        self,
        name: Optional[str] = None,
        armature_name: Optional[str] = None,
        model_name: Optional[str] = None,
    ) -> None:
        if type(self)._needs_model and armature_name is None and model_name is None:
            raise BuilderError("Armature: want armature_name or model_name")
        if armature_name is not None and model_name is None:
            _require_object(armature_name)
        super().__init__(name)
        if armature_name is not None and model_name is None:
            self.properties(armature=armature_name)
        if model_name is not None:
            self._load(model_name, armature_name)

    def describe_properties(self) -> Dict[str, Any]:
        """The properties; one that is made a sensor by its classpath has no joints to be named."""
        found = super().describe_properties()
        for name in ("armature", "IKTargets") if self.role == "sensor" else ():
            found.pop(name, None)
        return found

    #: Whether the class comes without joints of its own.
    _needs_model = True
    #: What can be reached for before the script says more.
    _first_target = ""

    @collects
    def _load(self, model_name: str, armature_name: Optional[str]) -> None:
        path = models.require(type(self).__name__, "actuators", model_name)
        self._import = models.describe(path, armature_name)

    def create_ik_targets(self, bones: Sequence[str]) -> None:
        """Has the ends of these joints, too, be what can be reached for, named as in MORSE."""
        if isinstance(bones, str) or not all(isinstance(bone, str) for bone in bones):
            raise BuilderError(
                "%s.create_ik_targets: want a list of names of bones, not %r"
                % (self.own_name(), bones)
            )
        said = self.property_value("IKTargets") or self._first_target
        known = [name for name in said.split(",") if name]
        self.properties(IKTargets=",".join(dict.fromkeys(known + list(bones))))


#: Robots of MORSE whose model has armatures.
JOINTED = ("orrery.robots.human.Human", "orrery.robots.pr2.PR2")
#: What robots of files are.
BARE = ("orrery.core.robot.Robot", "orrery.core.wheeled_robot.WheeledRobot")


def _may_be_jointed(classpath: str) -> bool:
    """Whether a robot may bring armatures, which the host knows; most of MORSE's do not."""
    return classpath in JOINTED or (classpath not in morse_classes.ROLES and classpath not in BARE)


def _require_object(name: str) -> None:
    """As in MORSE a KeyError, if no component has that name, nor any object of a file."""
    state = session.current()
    if not state.is_morse:
        return
    known: Set[str] = set()
    for component in state.components:
        info = component.class_info
        if info is not None and component.role == "robot" and _may_be_jointed(info.classpath):
            return
        known.add(component.own_name())
        if component._import is not None:
            names = models.object_names(component._import["file"])
            if names is None:
                return  # of a format of which the host knows
            known.update(names)
    if name not in known and name.replace(".", "_") not in known:
        raise KeyError("Armature: no object %s in the scene%s" % (name, hint(name, known)))


class KukaLWR(Armature):
    """An arm of seven joints."""

    _needs_model = False
    _first_target = "kuka_7"


class HumanSkeleton(Armature):
    """The joints of a person."""

    _needs_model = False


#: Bases of the classes by their names in scripts.
BASES: Dict[str, Type[AbstractComponent]] = {
    "Armature": Armature,
    "Collision": Collision,
    "CompoundSensor": CompoundSensor,
    "DepthCameraAggregator": DepthCameraAggregator,
    "Drag": Unexportable,
    "HumanSkeleton": HumanSkeleton,
    "Joystick": Joystick,
    "Keyboard": Unexportable,
    "KukaLWR": KukaLWR,
    "Light": Light,
    "Sound": Sound,
    "Waypoint": Waypoint,
    **{name: LaserSensorWithArc for name in PRESETS},
    **{
        name: VideoCamera
        for name in (
            "VideoCamera",
            "SemanticCamera",
            "DepthCamera",
            "DepthVideoCamera",
            "RawImage",
            "Velodyne",
            "VelodyneZB",
        )
    },
}


#: Bases that scripts name, too.
NAMED_BASES: Dict[str, Type[AbstractComponent]] = {"LaserSensorWithArc": LaserSensorWithArc}
#: Classes that MORSE derives from another of the list, by their names in scripts.
DERIVED = {"DepthCamera": "VideoCamera", "SemanticCamera": "VideoCamera", "Velodyne": "DepthCamera"}


# Made of others

Getter = Callable[[str], Type[Any]]


def make_kinect(get: Getter) -> Type[AbstractComponent]:
    """Two cameras in one case."""
    base = get("CompoundSensor")

    class Kinect(base):  # type: ignore[misc, valid-type]
        """A camera and a depth camera, both of 128 by 128 pixels."""

        video_camera: AbstractComponent
        depth_camera: AbstractComponent

        def __init__(self, name: str = "Kinect") -> None:
            super().__init__([], name)
            self.video_camera = get("VideoCamera")("rgb")
            self.depth_camera = get("DepthVideoCamera")("depth")
            for camera, y in ((self.video_camera, 0.08), (self.depth_camera, -0.08)):
                camera.properties(cam_width=128, cam_height=128)
                camera.translate(0.06, y, 0.04)
            self.depth_camera.properties(Vertical_Flip=True, cam_focal=35.0)
            self.sensors = [self.video_camera, self.depth_camera]
            self.append(self.video_camera)
            self.append(self.depth_camera)

        def add_stream(self, *args: Any, **kwargs: Any) -> None:
            """Puts each camera on a stream of its own."""
            self.video_camera.add_stream(*args, **kwargs)
            self.depth_camera.add_stream(*args, **kwargs)

        def frequency(
            self, frequency: Optional[float] = None, delay: Optional[float] = None
        ) -> None:
            """How often the cameras take a picture, in Hz."""
            self.video_camera.frequency(frequency, delay)
            self.depth_camera.frequency(frequency, delay)

        def profile(self) -> None:
            """Of both cameras."""
            self.video_camera.profile()
            self.depth_camera.profile()

    return Kinect


def make_vlp16(get: Getter) -> Type[AbstractComponent]:
    """Three depth cameras side by side."""
    base = get("DepthCameraAggregator")

    class VLP16_180(base):  # type: ignore[misc, valid-type]
        """Half a turn of a laser with 16 lines."""

        def __init__(self, name: Optional[str] = None) -> None:
            super().__init__(name)
            for i in range(3):
                camera = get("DepthCamera")("cam%d" % i)
                camera.aim_left(math.radians(60 * (i - 1)))
                camera.frequency(10)
                camera.properties(
                    cam_width=512,
                    cam_height=256,
                    cam_focal=27.7,
                    keep_resolution=True,
                    keep_list="1,17,34,51,68,85,102,120,137,154,171,188,205,222,239,255",
                )
                self.append(camera)
            self.set_master(1)

    return VLP16_180


#: Classes that are made of others, by their names in scripts.
COMPOSITES: Dict[str, Tuple[str, Callable[[Getter], Type[AbstractComponent]]]] = {
    "Kinect": ("sensor", make_kinect),
    "VLP16_180": ("sensor", make_vlp16),
    "Human": ("robot", human.make_human),
    "BasePR2": ("robot", pr2.make_base),
    "LocalizedPR2": ("robot", pr2.make_localized),
    "NavPR2": ("robot", pr2.make_nav),
}
