# SPDX-License-Identifier: BSD-3-Clause
"""Many values of a simulation at once."""

import ctypes

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


def dress():
    Orrery.Simulation.objects = property(get_objects)
    Orrery.Simulation.poses = property(get_poses)
