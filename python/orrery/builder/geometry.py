# SPDX-License-Identifier: BSD-3-Clause
"""Points and triangles of the primitives; triangles are counter-clockwise from outside."""

from __future__ import annotations

import math
from typing import Any, Dict, List, Sequence, Tuple

Points = List[List[float]]
Triangles = List[List[int]]

#: Corners of a circle, as Blender's primitives have them.
SEGMENTS = 32
RINGS = 16
TORUS_MINOR = 12


def _ring(radius: float, z: float) -> Points:
    steps = [2 * math.pi * i / SEGMENTS for i in range(SEGMENTS)]
    return [[radius * math.cos(step), radius * math.sin(step), z] for step in steps]


def _between(low: int, high: int) -> Triangles:
    """The band between two rings, `low` below `high`, by the indices of their first points."""
    triangles = []
    for i in range(SEGMENTS):
        j = (i + 1) % SEGMENTS
        triangles += [[low + i, low + j, high + j], [low + i, high + j, high + i]]
    return triangles


def _fan(tip: int, ring: int, upwards: bool) -> Triangles:
    corners = [(ring + i, ring + (i + 1) % SEGMENTS) for i in range(SEGMENTS)]
    return [[a, b, tip] if upwards else [b, a, tip] for a, b in corners]


def plane() -> Tuple[Points, Triangles]:
    """A square of 2 m in the plane of x and y."""
    return [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]], [
        [0, 1, 2],
        [0, 2, 3],
    ]


def cube() -> Tuple[Points, Triangles]:
    """A cube of 2 m."""
    points = [[x, y, z] for z in (-1.0, 1.0) for y in (-1.0, 1.0) for x in (-1.0, 1.0)]
    faces = ((0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5))
    return points, [corners for a, b, c, d in faces for corners in ([a, b, c], [a, c, d])]


def sphere() -> Tuple[Points, Triangles]:
    """A sphere of 1 m radius."""
    points: Points = [[0.0, 0.0, -1.0]]
    for i in range(1, RINGS):
        angle = math.pi * i / RINGS - math.pi / 2
        points += _ring(math.cos(angle), math.sin(angle))
    points.append([0.0, 0.0, 1.0])
    first = [1 + SEGMENTS * i for i in range(RINGS - 1)]
    triangles = _fan(0, first[0], False) + _fan(len(points) - 1, first[-1], True)
    for low, high in zip(first, first[1:]):
        triangles += _between(low, high)
    return points, triangles


def cylinder() -> Tuple[Points, Triangles]:
    """A cylinder of 1 m radius and 2 m height."""
    points = _ring(1.0, -1.0) + _ring(1.0, 1.0) + [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]
    sides = _between(0, SEGMENTS)
    return points, sides + _fan(2 * SEGMENTS, 0, False) + _fan(2 * SEGMENTS + 1, SEGMENTS, True)


def cone() -> Tuple[Points, Triangles]:
    """A cone of 1 m radius and 2 m height, its tip up."""
    points = _ring(1.0, -1.0) + [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0]]
    return points, _fan(SEGMENTS, 0, False) + _fan(SEGMENTS + 1, 0, True)


def torus(major: float = 1.0, minor: float = 0.25) -> Tuple[Points, Triangles]:
    """A torus about z."""
    points: Points = []
    for i in range(TORUS_MINOR):
        angle = 2 * math.pi * i / TORUS_MINOR
        points += _ring(major + minor * math.cos(angle), minor * math.sin(angle))
    triangles: Triangles = []
    for i in range(TORUS_MINOR):
        # The angle runs from the outside upwards: each band's next ring lies to its left.
        triangles += _between(SEGMENTS * i, SEGMENTS * ((i + 1) % TORUS_MINOR))
    return points, triangles


def scaled(
    mesh: Tuple[Points, Triangles], scale: Sequence[float]
) -> Tuple[Points, Triangles]:
    """The same, stretched along the axes; a factor may be 0: triangles without an area are left out."""
    points, triangles = mesh
    stretched = [[value * factor for value, factor in zip(point, scale)] for point in points]
    if 0 in scale:
        triangles = [each for each in triangles if _has_area(*(stretched[i] for i in each))]
    return stretched, triangles


def _has_area(a: Sequence[float], b: Sequence[float], c: Sequence[float]) -> bool:
    u, v = ([q - p for p, q in zip(a, other)] for other in (b, c))
    return any(u[i] * v[j] != u[j] * v[i] for i, j in ((0, 1), (1, 2), (2, 0)))


def as_mesh(mesh: Tuple[Points, Triangles]) -> Dict[str, Any]:
    """A shape that collides as it is, where it stands still."""
    points, triangles = mesh
    return {"kind": "mesh", "points": points, "triangles": triangles}


def as_hull(mesh: Tuple[Points, Triangles]) -> Dict[str, Any]:
    """A shape that collides as its hull."""
    return {"kind": "hull", "points": mesh[0]}
