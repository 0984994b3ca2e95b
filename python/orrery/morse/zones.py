# SPDX-License-Identifier: BSD-3-Clause
"""Zones and passive objects: objects of the scene that mean something by their properties."""

import collections.abc

from .components import Object

NEAR = 1e-12


class Zone:
    """A box along the axes of the world."""

    def __init__(self, obj):
        self.bge_object, self.name, self.type = obj, obj.name, obj.get("Type")
        position, _ = obj.pose_numbers()
        half = half_extents(obj)
        self._low = [p - h for p, h in zip(position, half)]
        self._high = [p + h for p, h in zip(position, half)]

    def contains(self, pos):
        return all(low - NEAR <= p <= high + NEAR for low, p, high in zip(self._low, pos, self._high))


def half_extents(obj):
    """Of the largest box among its shapes."""
    found = [0.0, 0.0, 0.0]
    for shape in obj._inner.get_shapes():
        size = shape.get_size()
        found = [max(a, b) for a, b in zip(found, (size.x, size.y, size.z))]
    return found


class ZoneManager:
    """The zones of a scene, by name and by type."""

    def __init__(self, stage):
        self._stage, self._zones, self._n_objects = stage, [], 0

    def zones(self):
        """Objects may be added while the scene runs."""
        if self._n_objects != self._stage.world.get_n_objects():
            objects = self._stage.all_objects()
            self._zones += [Zone(each) for each in objects[self._n_objects:] if each.get("Zone_Tag")]
            self._n_objects = len(objects)
        return self._zones

    def contains(self, obj_or_pos, name=None, type=None):
        """The zones that hold a component or a position; by name and type, if given."""
        pos = obj_or_pos.bge_object.pose_numbers()[0] if isinstance(obj_or_pos, Object) else obj_or_pos
        return [zone for zone in self.zones() if name in (None, zone.name) and type in (None, zone.type)
                and zone.contains(pos)]

    def is_in(self, obj_or_pos, name=None, type=None):
        return bool(self.contains(obj_or_pos, name, type))


class PassiveObjects(collections.abc.Mapping):
    """The objects with the property `Object`, and what is said of them."""

    def __init__(self, stage):
        self._stage = stage

    def _entries(self):
        return {each: details(each) for each in self._stage.all_objects() if each.get("Object")}

    def __getitem__(self, key):
        return self._entries()[key]

    def __iter__(self):
        return iter(self._entries())

    def __len__(self):
        return len(self._entries())


def details(obj):
    """Label, description, type and whether it can be grasped; None of an object that is none."""
    if not obj.get("Object"):
        return None
    return {"label": obj.get("Label") or obj.name, "description": obj.get("Description", ""),
            "type": obj.get("Type", "Object"), "graspable": bool(obj.get("Graspable", False))}
