# SPDX-License-Identifier: BSD-3-Clause
"""What a component of MORSE knows, kept for a reset and for a worker that is restarted: the attributes that are values.

Numbers, texts, lists, dictionaries, vectors, matrices, poses and arrays are kept; what else an attribute holds (a
socket, an object of the scene) stays what it is.
"""

import collections

from .. import _plugins
from .._values import from_variant, to_variant
from .mathutils import Euler, Matrix, Quaternion, Vector
from .transformation import Transformation3d

KIND = "orrery-morse"
# What the host sets, or what ends with a run.
NOT_KEPT = ("_host", "_has_ended", "on_completion", "bge_object", "robot_parent", "local_data", "component_instance",
            "overlaid_object")
MAX_DEPTH = 16


class NotKept(Exception):
    pass


def pack(value, depth=0):
    """As JSON can say it, with the kind of what JSON does not know."""
    if depth > MAX_DEPTH:
        raise NotKept
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) in (Vector, Euler, Quaternion):
        return {KIND: type(value).__name__, "of": list(value), "order": getattr(value, "order", "")}
    if type(value) is Matrix:
        return {KIND: "Matrix", "of": [list(row) for row in value]}
    if type(value) is Transformation3d:
        return {KIND: "Transformation3d", "of": [list(row) for row in value.matrix], "euler": list(value.euler)}
    if type(value) is list:
        return [pack(item, depth + 1) for item in value]
    if type(value) in (tuple, set, frozenset, collections.deque):
        return {KIND: type(value).__name__, "of": [pack(item, depth + 1) for item in value]}
    if type(value) in (dict, collections.OrderedDict):
        return {KIND: type(value).__name__,
                "of": [[pack(key, depth + 1), pack(item, depth + 1)] for key, item in value.items()]}
    if hasattr(value, "__array_interface__") and hasattr(value, "tobytes") and value.ndim:
        return {KIND: "array", "of": _plugins.keep(value)}
    raise NotKept


BUILT = {"tuple": tuple, "set": set, "frozenset": frozenset, "deque": collections.deque}


def unpack(value):
    if isinstance(value, list):
        return [unpack(item) for item in value]
    if not isinstance(value, dict):
        return value
    kind, inner = value[KIND], value["of"]
    if kind in BUILT:
        return BUILT[kind](unpack(item) for item in inner)
    if kind in ("dict", "OrderedDict"):
        pairs = [(unpack(key), unpack(item)) for key, item in inner]
        return dict(pairs) if kind == "dict" else collections.OrderedDict(pairs)
    if kind == "Transformation3d":
        pose = Transformation3d()
        pose.matrix, pose.euler = Matrix(inner), Euler(value["euler"])
        return pose
    if kind == "Euler":
        return Euler(inner, value["order"])
    if kind == "array":
        return _plugins.bring_back(inner)
    return {"Vector": Vector, "Quaternion": Quaternion, "Matrix": Matrix}[kind](inner)


def save(instance):
    kept = {}
    for name, value in vars(instance).items():
        if name in NOT_KEPT:
            continue
        try:
            kept[name] = pack(value)
        except NotKept:
            pass
    return to_variant(kept)


def restore(instance, saved):
    for name, value in from_variant(saved).items():
        setattr(instance, name, unpack(value))
    if hasattr(instance, "on_completion"):
        instance.on_completion = None
