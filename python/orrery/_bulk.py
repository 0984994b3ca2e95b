# SPDX-License-Identifier: BSD-3-Clause
"""Many values of a simulation at once."""

import collections.abc
import ctypes
import json

from ._values import Orrery, look_at


def get_objects(simulation):
    """Names of the objects of the world, in the order of `poses`."""
    return tuple(simulation.get_world().get_names())


def get_poses(simulation):
    """World poses of all objects: an array of rows x y z and w x y z of the rotation; lists without NumPy."""
    poses = simulation.get_world().get_snapshot().dup_poses()
    view = look_at(poses)
    if view is not None:
        return view
    n = poses.get_length(0)
    flat = list((ctypes.c_double * (7 * n)).from_address(poses.get_address()))
    return [flat[7 * i:7 * i + 7] for i in range(n)]


class Contacts:
    """Where bodies touch: arrays with an entry for each contact that cannot be written; lists without NumPy."""

    __slots__ = ("objects", "points", "normals", "impulses", "frictions")

    def __init__(self, objects, numbers, frictions):
        self.objects, self.frictions = objects, frictions
        if isinstance(numbers, list):
            self.points, self.normals = [row[:3] for row in numbers], [row[3:6] for row in numbers]
            self.impulses = [row[6] for row in numbers]
        else:
            self.points, self.normals, self.impulses = numbers[:, :3], numbers[:, 3:6], numbers[:, 6]

    def __len__(self):
        return len(self.objects)

    def __repr__(self):
        return "<%d contact%s>" % (len(self), "" if len(self) == 1 else "s")


def get_contacts(snapshot):
    """The contacts of the last step of physics, sorted by the indices of their objects."""
    numbers, objects = snapshot.dup_contacts()
    frictions = snapshot.dup_frictions()
    return Contacts(look_at_rows(objects, ctypes.c_uint32), look_at_rows(numbers, ctypes.c_double),
                    None if frictions is None else look_at_rows(frictions, ctypes.c_double))


def look_at_rows(buffer, kind):
    """An array of two dimensions, also of an empty buffer; lists without NumPy."""
    view = look_at(buffer)
    if view is not None:
        return view
    rows, columns = buffer.get_length(0), buffer.get_length(1)
    try:
        import numpy
        return numpy.empty((0, columns), kind)
    except ImportError:
        flat = list((kind * (rows * columns)).from_address(buffer.get_address())) if rows else []
        return [flat[columns * i:columns * (i + 1)] for i in range(rows)]


def move(simulation, name, position, rotation=None):
    """Puts an object somewhere with the next tick: a root in the world, another in its parent's frame; at rest.

    The rotation is yaw, pitch and roll, or w, x, y and z; without one it keeps that it has.
    """
    world = simulation.get_world()
    thing = world.find_object(name)
    if thing is None:
        raise KeyError("no object %s%s" % (name, Orrery.nearest_names(name, world.get_names())))
    pose = Orrery.Transform()
    pose.position = make(Orrery.Vec3, ("x", "y", "z"), "position", position)
    pose.rotation = find_rotation(world, thing, rotation)
    if not world.get_commands().set_pose(thing, pose):
        raise ValueError("%s: a pose that is not finite, or too large" % name)


def spawn(simulation, name, position=None, rotation=None, called=""):
    """Puts one of the scene's spawnables into the world with the next tick; the name of the new object.

    The rotation is yaw, pitch and roll, or w, x, y and z; without them it is where the scene has it.
    Its name is what it shall be called, or NAME.N for the N-th of the run.
    """
    return simulation.call("simulation", "spawn", name, *to_place(position, rotation), called)


def add_spawnable(simulation, what, count=1, config=None):
    """Adds an object to what spawn () can put into the world: a dictionary as in the `objects` of a scene, or its JSON.

    So many of it can be there at once. The tables of `config` give streams, modifiers and services to its components,
    such as NAME_1.pose. That takes milliseconds, between two ticks.
    """
    texts = [text if text is None or isinstance(text, str) else json.dumps(text) for text in (what, config)]
    native_add(simulation, texts[0], count, texts[1])


def remove(simulation, name):
    """Takes what spawn () named out of the world with the next tick."""
    simulation.call("simulation", "remove", name)


def set_quantity(simulation, path, value):
    """Changes a quantity of the running world with the next tick: set ("gravity", (0, 0, -1.6)), set ("box.mass", 3).

    A name is one of a list: set ("box.material", "wood").
    """
    simulation.call("simulation", "set", path, to_value(value))


def get_quantity(simulation, path):
    """The value of a quantity as physics reckons with it now: a number, a list of three, or a name."""
    value = simulation.call("simulation", "get", path)
    return value if isinstance(value, (float, str)) else list(value)


def to_value(value):
    """A number, also one of NumPy's, or a list of numbers; what is neither is refused by name later."""
    if isinstance(value, (bool, str, bytes)):
        return value
    try:
        return [float(each) for each in value]
    except TypeError:
        return float(value) if hasattr(value, "__float__") else value


def attach_object(simulation, name, holder, position=None, rotation=None):
    """Has an object move with another one from the next tick on, where it is now or at a place in the frame of that.

    The rotation is yaw, pitch and roll, or w, x, y and z.
    """
    simulation.call("simulation", "attach", name, holder, *to_place(position, rotation))


def detach_object(simulation, name):
    """Lets go with the next tick what attach_object () attached."""
    simulation.call("simulation", "detach", name)


def to_place(position, rotation):
    """Both as services take them."""
    placed = turned = None
    if position is not None:
        made = make(Orrery.Vec3, ("x", "y", "z"), "position", position)
        placed = [made.x, made.y, made.z]
    if rotation is not None:
        made = to_quaternion(rotation)
        turned = [made.x, made.y, made.z, made.w]
    return placed, turned


def make(kind, names, what, numbers):
    from ._records import to_numbers
    made = kind()
    for name, number in zip(names, to_numbers(what, numbers, names)):
        setattr(made, name, number)
    return made


def find_rotation(world, thing, rotation):
    if rotation is not None:
        return to_quaternion(rotation)
    snapshot, parent = world.get_snapshot(), thing.get_parent()
    now = snapshot.get_pose(thing.get_index())
    if parent is None:
        return now.rotation
    return snapshot.get_pose(parent.get_index()).relative(now).rotation


def to_quaternion(rotation):
    numbers = None if isinstance(rotation, (str, bytes)) or not isinstance(rotation, collections.abc.Iterable) else \
        list(rotation)
    if numbers is None or len(numbers) not in (3, 4):
        raise ValueError("rotation: 3 numbers (yaw, pitch, roll) or 4 (w, x, y, z), not %r" % (rotation,))
    if len(numbers) == 3:
        euler = make(Orrery.Euler, ("yaw", "pitch", "roll"), "rotation", numbers)
        return Orrery.Quat.from_euler(euler.roll, euler.pitch, euler.yaw)
    made = make(Orrery.Quat, ("w", "x", "y", "z"), "rotation", numbers)
    if (made.w, made.x, made.y, made.z) == (0, 0, 0, 0):
        raise ValueError("rotation: (0, 0, 0, 0) is no quaternion of a rotation; (1, 0, 0, 0) turns nothing")
    made.normalise()
    return made


def table(simulation, components, fields):
    """Numbers of many components: `read ()` gives an array, a row for each component, a column for each field."""
    return Orrery.Table.new(simulation, list(components), list(fields))


def read_table(wanted):
    """The records as they are now."""
    numbers = table_read(wanted)
    view = look_at(numbers)
    if view is not None:
        return view
    rows, columns = numbers.get_length(0), numbers.get_length(1)
    if numbers.get_size() == 0:
        return [[] for _ in range(rows)]
    flat = list((ctypes.c_double * (rows * columns)).from_address(numbers.get_address()))
    return [flat[columns * i:columns * (i + 1)] for i in range(rows)]


def extend():
    global table_read, native_add
    table_read = Orrery.Table.read
    native_add = Orrery.Simulation.add_spawnable
    Orrery.Table.read = read_table
    Orrery.Simulation.move = move
    Orrery.Simulation.spawn = spawn
    Orrery.Simulation.add_spawnable = add_spawnable
    Orrery.Simulation.remove = remove
    Orrery.Simulation.set = set_quantity
    Orrery.Simulation.get = get_quantity
    Orrery.Simulation.attach_object = attach_object
    Orrery.Simulation.detach_object = detach_object
    Orrery.Simulation.table = table
    Orrery.Simulation.objects = property(get_objects)
    Orrery.Simulation.poses = property(get_poses)
    Orrery.Simulation.contacts = property(lambda self: get_contacts(self.get_world().get_snapshot()))
    Orrery.Snapshot.contacts = property(get_contacts)
