# SPDX-License-Identifier: BSD-3-Clause
"""What docs/pictures.py draws with: things of scenes, marks, a camera."""

import json
import os
import tempfile
from math import atan2, cos, hypot, pi, sin

import numpy
import orrery

WIDTH, HEIGHT = 320, 240
KINEMATIC = "orrery.physics.kinematic.Kinematic"
RED, GREEN, BLUE, GREY, DARK = (0.9, 0.2, 0.15), (0.15, 0.7, 0.25), (0.15, 0.35, 0.9), (0.7, 0.7, 0.7), (0.25, 0.25, 0.28)
ORANGE = (1, 0.55, 0.05)


# -- Things of scenes ------------------------------------------------------------------------------------


def part(name, classpath, position=(0, 0, 0), rotation=(0, 0, 0), objects=(), level=None, **properties):
    entry = {"name": name, "classpath": classpath, "position": list(position), "rotation": list(rotation),
             "properties": properties, "objects": list(objects)}
    return dict(entry, level=level) if level else entry


def box(name, size, position, color=GREY, body="static", **more):
    return {"name": name, "position": list(position), "body": {"type": body},
            "shapes": [dict({"kind": "box", "size": list(size), "color": list(color)}, **more)]}


def floor(metres=12):
    """Tiles of one metre."""
    half = metres // 2
    return {"name": "floor", "body": {"type": "static"}, "shapes": [
        {"kind": "box", "size": [1.002, 1.002, 0.05], "position": [x + 0.5, y + 0.5, -0.027],
         "color": [0.84 if (x + y) % 2 else 0.93] * 3}
        for x in range(-half, half) for y in range(-half, half)]}


def sun(energy=0.8, direction=(-0.4, 0.5, -0.9), shadows=False):
    return {"name": "sun", "position": [0, 0, 20],
            "lamp": {"kind": "sun", "direction": list(direction), "energy": energy, "shadows": shadows}}


def room():
    """A room of eight by six metres with some things in it."""
    return [floor(), box("wall_n", (8.2, 0.1, 1.2), (0, 3.05, 0.6)), box("wall_s", (8.2, 0.1, 1.2), (0, -3.05, 0.6)),
            box("wall_e", (0.1, 6, 1.2), (4.05, 0, 0.6)), box("wall_w", (0.1, 6, 1.2), (-4.05, 0, 0.6)),
            box("crate", (1, 1, 1), (1.5, 1.6, 0.5), (0.75, 0.55, 0.3)),
            box("shelf", (0.4, 1.8, 1.1), (3, -1.2, 0.55), (0.4, 0.55, 0.7)),
            {"name": "column", "position": [0.2, -1.2, 0.5], "body": {"type": "static"},
             "shapes": [{"kind": "cylinder", "radius": 0.35, "height": 1, "color": [0.5, 0.65, 0.4]}]}]


# -- Marks: what a picture says besides what is there -----------------------------------------------------


class Marks:
    """Bars and dots in the world, as one mesh for each colour that shines by itself."""

    BOX = ((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
           (1, 5, 7), (1, 7, 3))

    def __init__(self):
        self.meshes = {}

    def add(self, color, corners):
        points, triangles = self.meshes.setdefault(tuple(color), ([], []))
        triangles += [[i + len(points) for i in triangle] for triangle in self.BOX]
        points += [[float(value) for value in corner] for corner in corners]

    def dot(self, place, color=RED, size=0.05):
        h = size / 2
        self.add(color, [(place[0] + i, place[1] + j, place[2] + k) for i in (-h, h) for j in (-h, h) for k in (-h, h)])

    def bar(self, start, end, color=RED, width=0.015):
        start, end = numpy.asarray(start, float), numpy.asarray(end, float)
        along = end - start
        if not along.any():
            return
        along /= numpy.linalg.norm(along)
        side = numpy.cross(along, (0, 0, 1) if abs(along[2]) < 0.9 else (1, 0, 0))
        side *= width / 2 / numpy.linalg.norm(side)
        up = numpy.cross(along, side)
        # Corners go with the box's: first along, then to the side, then up.
        self.add(color, [p + i * side + k * up for p in (start, end) for i in (-1, 1) for k in (1, -1)])

    def path(self, places, color=RED, width=0.04):
        for start, end in zip(places, places[1:]):
            self.bar(start, end, color, width)

    def ring(self, center, radius, color=RED, width=0.04):
        turns = [2 * pi * i / 72 for i in range(73)]
        self.path([(center[0] + radius * cos(a), center[1] + radius * sin(a), center[2]) for a in turns], color, width)

    def cone(self, tip, length, aperture, color=RED, width=0.01, yaw=0.0):
        """A cone along x, turned by the yaw, of the full angle."""
        rim = []
        for i in range(25):
            a, r = 2 * pi * i / 24, length * numpy.tan(aperture / 2)
            x, y, z = length, r * cos(a), r * sin(a)
            rim.append((tip[0] + x * cos(yaw) - y * sin(yaw), tip[1] + x * sin(yaw) + y * cos(yaw), tip[2] + z))
        self.path(rim, color, width)
        for place in rim[:-1:3]:
            self.bar(tip, place, color, width)

    def objects(self):
        return [{"name": "marks", "shapes": [
            {"kind": "mesh", "points": points, "triangles": triangles, "solid": False, "color": list(color), "emission": 0.7}
            for color, (points, triangles) in self.meshes.items()]}]


# -- Running and drawing ---------------------------------------------------------------------------------


def load(objects, physics=KINEMATIC, component_modifier=None, **environment):
    environment = dict({"physics": physics, "start": 0, "frequency": 60}, **environment)
    scene = {"orrery": 1, "environment": environment, "objects": list(objects),
             "component_modifier": component_modifier or {}}
    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "scene.json")
        with open(path, "w", encoding="utf-8") as stream:
            json.dump(scene, stream)
        return orrery.load(path)


def camera(name="camera", classpath="orrery.sensors.video_camera.VideoCamera", width=2 * WIDTH, height=2 * HEIGHT, **more):
    properties = {"cam_width": width, "cam_height": height, "cam_focal": 35.0, "cam_near": 0.05, "cam_far": 200.0,
                  "Vertical_Flip": True}
    if classpath.endswith("VideoCamera") and "depth" not in classpath:
        properties["required"] = True
    return part(name, classpath, **dict(properties, **more))


def halve(pixels):
    """Four pixels make one."""
    pixels = numpy.asarray(pixels)[:, :, :3].astype(float)
    height, width = pixels.shape[:2]
    return pixels.reshape(height // 2, 2, width // 2, 2, 3).mean(axis=(1, 3)).astype(numpy.uint8)


def to_world(pose, points):
    """Points of the frame of a pose, x y z and w x y z of its rotation."""
    w, x, y, z = (float(v) for v in pose[3:7])
    turn = numpy.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
    return numpy.asarray(points, float).reshape(-1, 3) @ turn.T + numpy.asarray(pose[:3], float)


def pose_of(sim, name):
    return numpy.array(sim.poses[list(sim.objects).index(name)])


def picture(objects, eye, target, focal=35.0, act=None, ticks=3, **environment):
    """What a camera at the eye sees that looks at the target, so many ticks after the act."""
    dx, dy, dz = (t - e for t, e in zip(target, eye))
    rotation = [0, atan2(-dz, hypot(dx, dy)), atan2(dy, dx)]
    look = part("eye", "orrery.core.robot.Robot", eye, rotation, [camera(cam_focal=focal)])
    scene = list(objects) + [look]
    if not any(entry["name"] == "sun" for entry in scene):
        scene.append(sun())
    with load(scene, **environment) as sim:
        if act is not None:
            act(sim)
        sim.step(ticks)
        return halve(sim["eye.camera"].data.image)


def from_above(objects, height=9.5, middle=(0, 0), **more):
    """North is up."""
    x, y = middle
    return picture(objects, (x, y - 0.01, height), (x, y, 0), **more)


def trail(objects, act, ticks, color=RED, mover="robot", lift=0.02, every=6, **environment):
    """Where something goes after the act, as marks."""
    marks, places = Marks(), []
    with load(objects, **environment) as sim:
        act(sim)
        for _ in range(0, ticks, every):
            x, y, z = (float(v) for v in pose_of(sim, mover)[:3])
            places.append((x, y, z + lift))
            sim.step(every)
    marks.path(places, color)
    return marks
