# SPDX-License-Identifier: BSD-3-Clause
"""The bases of MORSE's datastreams of ROS 1: messages are genpy's, their bytes go over Orrery's own node, without rospy."""

import importlib
import io
import types

from .plugs import AbstractDatastream, classproperty
from .ros import is_message

TF = "tf2_msgs/TFMessage"
# Options that the bases here read, and those of managers that carry messages of ROS.
OPTIONS = ("topic", "topic_suffix", "frame_id", "child_frame_id", "parent_frame_id", "queue", "queue_length", "rate")


def find_class(given, owner):
    """genpy's class of a type that is given as such a class or by its name: `nav_msgs/Odometry`."""
    if isinstance(given, str):
        package, slash, name = given.partition("/")
        if not slash or not package.isidentifier() or not name.isidentifier():
            raise ValueError("%s.ros_class: a type of ROS is 'package/Name', not %r" % (owner, given))
        try:
            return getattr(importlib.import_module(package + ".msg"), name)
        except (ImportError, AttributeError) as error:
            raise ValueError("%s.ros_class: Python has no %s: %s (Debian: python3-%s)" % (
                owner, given, error, package.replace("_", "-"))) from None
    missing = [name for name in ("_type", "_md5sum", "_full_text", "serialize", "deserialize") if not hasattr(given, name)]
    if missing or not isinstance(given, type):
        raise TypeError("%s.ros_class: a class of messages of ROS or the name of one, not %r" % (owner, given))
    return given


class Options(dict):
    """Options of a stream, which knows those that somebody has asked for."""

    def __init__(self, given):
        super().__init__(given)
        self.asked = set()

    def _ask(self, name):
        self.asked.add(name)
        return name

    def __getitem__(self, name):
        return super().__getitem__(self._ask(name))

    def __contains__(self, name):
        return super().__contains__(self._ask(name))

    def get(self, name, default=None):
        return super().get(self._ask(name), default)

    def pop(self, name, *default):
        return super().pop(self._ask(name), *default)

    def setdefault(self, name, default=None):
        return super().setdefault(self._ask(name), default)

    def __iter__(self):
        self.asked.update(super().keys())
        return super().__iter__()

    def keys(self):
        self.asked.update(super().keys())
        return super().keys()

    def items(self):
        self.asked.update(super().keys())
        return super().items()

    def values(self):
        self.asked.update(super().keys())
        return super().values()


def texts_of(code):
    """All constant texts of a code object and of those inside."""
    found = set()
    for constant in code.co_consts:
        if isinstance(constant, str):
            found.add(constant)
        elif isinstance(constant, types.CodeType):
            found |= texts_of(constant)
    return found


class AbstractROS(AbstractDatastream):
    """A topic of ROS. `ros_class` is a class of genpy, or its name."""

    ros_class = None
    _options_type = Options

    def __init__(self, component_instance, kwargs):
        self.message_class = None if type(self).ros_class is None else find_class(
            type(self).ros_class, type(self).__name__)
        super().__init__(component_instance, kwargs)

    def initialize(self):
        self.topic_name = self.kwargs.get("topic") or self.get_topic_name()

    def get_topic_name(self):
        """`/robot/sensor`; a part that is a number belongs to the one before it: `/robot001/sensor`."""
        from .._values import Orrery
        return Orrery.make_topic_name(self.component_name)

    @classproperty
    def _type_name(cls):  # noqa: N805
        return cls.ros_class if isinstance(cls.ros_class, str) else getattr(cls.ros_class, "_type", None)

    @classmethod
    def find_unknown_options(cls, options):
        """Those that nobody has asked for and no method names, and all that there are: any method may read options
        later, so that a name in the code of the class counts."""
        named = set(OPTIONS) | options.asked
        for base in cls.__mro__:
            if issubclass(base, AbstractROS) and base.__module__ != __name__:
                for member in vars(base).values():
                    member = getattr(member, "__func__", getattr(member, "fget", member))
                    if isinstance(member, types.FunctionType):
                        named |= {text for text in texts_of(member.__code__) if text.isidentifier()}
        given = dict.keys(options)
        return [name for name in given if name not in named], sorted(named - set(given) | set(OPTIONS))

    def topics(self):
        """What the host declares: topic and class of messages."""
        return [] if self.message_class is None else [(self.topic_name, self.message_class, False)]


class ROSPublisher(AbstractROS):
    """Publishes what `default` gives to `publish`."""

    _direction = "OUT"
    default_frame_id = None

    def initialize(self):
        AbstractROS.initialize(self)
        by_default = None if self.default_frame_id == "USE_TOPIC_NAME" else self.default_frame_id
        self.frame_id = self.kwargs.get("frame_id") or by_default or self.topic_name
        self.topic_name += self.kwargs.get("topic_suffix", "")
        self.sequence = 0
        self._outgoing = []

    def get_time(self):
        """Time of the record, as genpy has times."""
        from genpy import Time
        return Time.from_sec(self.data["timestamp"])

    def get_ros_header(self):
        from std_msgs.msg import Header
        return Header(seq=self.sequence, stamp=self.get_time(), frame_id=self.frame_id)

    def publish(self, message):
        """A message, or what makes one, as the text of a std_msgs/String."""
        if self.message_class is not None and not is_message(message):
            message = self.message_class(message)
        self._put(0, self.message_class, message)
        self.sequence += 1

    def _put(self, topic, wanted, message):
        """Into bytes at once, since users change a message and publish it again."""
        # A class of the same sum has the same bytes.
        if wanted is None or not is_message(message) or message._md5sum != wanted._md5sum:
            raise TypeError("publish: a message of %s, not %s" % (
                "no type, since there is no ros_class" if wanted is None else wanted._type,
                getattr(message, "_type", type(message).__name__)))
        buffer = io.BytesIO()
        message.serialize(buffer)
        self._outgoing.append((topic, buffer.getvalue()))


def copy_numbers(source, message, names):
    """Quaternions of mathutils begin with w: what has names is not read in its order."""
    numbers = [getattr(source, name) for name in names] if hasattr(source, names[0]) else source
    for name, number in zip(names, numbers, strict=True):
        setattr(message, name, number)


class ROSPublisherTF(ROSPublisher):
    """One that also sends transforms."""

    def initialize(self):
        ROSPublisher.initialize(self)
        self.child_frame_id = self.kwargs.get("child_frame_id", self.frame_id)
        self.parent_frame_id = self.kwargs.get("parent_frame_id", "base_link")
        self._transforms = find_class(TF, type(self).__name__)

    def topics(self):
        return super().topics() + [("/tf", self._transforms, True)]

    def get_robot_transform(self):
        """Where the component is on its robot: a vector and a quaternion."""
        place = self.component_instance.sensor_to_robot_position_3d()
        return place.translation, place.rotation

    def publish_with_robot_transform(self, message):
        """The message, and the place of the component with its stamp and frame."""
        self.publish(message)
        self.send_transform_robot(message.header.stamp, message.header.frame_id)

    def send_transform_robot(self, time=None, child=None, parent=None):
        """Where the component is on its robot. What is not given is the time of the record and the frames of the options."""
        translation, rotation = self.get_robot_transform()
        self.sendTransform(translation, rotation, time or self.get_time(), child or self.frame_id,
                           parent or self.parent_frame_id)

    def sendTransform(self, translation, rotation, time, child, parent):  # noqa: N802
        """A translation and a rotation, each with x, y, z (and w) as attributes or in this order, and genpy's time."""
        from geometry_msgs.msg import TransformStamped
        moved = TransformStamped(child_frame_id=child)
        moved.header.frame_id, moved.header.stamp, moved.header.seq = parent, time, self.sequence
        copy_numbers(translation, moved.transform.translation, "xyz")
        copy_numbers(rotation, moved.transform.rotation, "xyzw")
        self.publish_tf(self._transforms([moved]))

    def publish_tf(self, message):
        self._put(len(super().topics()), self._transforms, message)


class ROSSubscriber(AbstractROS):
    """Gives each message that comes to `update`, which puts it into `data`."""

    _direction = "IN"

    def update(self, message):
        raise NotImplementedError("%s has no update()" % type(self).__name__)

    def default(self, ci="unused"):
        return False


class StringPublisher(ROSPublisher):
    """The record as a text."""

    ros_class = "std_msgs/String"

    def default(self, ci="unused"):
        self.publish(self.message_class(repr(self.data)))


class StringReader(ROSSubscriber):
    """Logs texts that come."""

    ros_class = "std_msgs/String"

    def update(self, message):
        from .plugs import logger
        logger.info("%s: %s", self.component_name, message.data)
