# SPDX-License-Identifier: BSD-3-Clause
"""Pictures as arrays of rows, columns and red, green, blue: of cameras of a scene, and of a free one."""

import collections.abc

import numpy

from .._observers import draw

VIEW = {"size": (640, 360), "from_": None, "at": None, "follow": "", "fov": 45.0}


class Cameras:
    """Has cameras of the simulations of a vector draw, and takes what they have drawn.

    pictures: names of observations and their cameras. camera: (nullable): that of `render ()`. view: where a
    free camera stands, if there is no other.
    """

    def __init__(self, vector, num_envs, render_mode, camera, view, pictures):
        if render_mode not in (None, "rgb_array"):
            raise ValueError("render_mode: \"rgb_array\" or None, not %r" % (render_mode,))
        if render_mode is None and (camera is not None or view is not None):
            raise ValueError("camera and view are those of render_mode=\"rgb_array\"")
        if camera is not None and view is not None:
            raise ValueError("view is that of a free camera: without camera")
        if pictures is not None and not isinstance(pictures, collections.abc.Mapping):
            raise ValueError("pictures: a dictionary of cameras by the names of observations")
        unknown = [name for name in view or () if name not in VIEW]
        if unknown:
            raise ValueError("view: %s is none of %s" % (unknown[0], ", ".join(VIEW)))
        self.vector, self.num_envs, self.camera, self.view = vector, num_envs, camera, dict(VIEW, **(view or {}))
        self.pictures = dict(pictures or {})
        names = sorted({*self.pictures.values(), *([] if camera is None else [camera])})
        self.shapes = {name: self.measure(name) for name in names}
        self.watched = [(None, ())] * num_envs

    def measure(self, name):
        try:
            component = self.vector.get_simulation(0)[name]
        except KeyError as problem:
            raise ValueError(problem.args[0]) from None
        told = component.get_properties()["properties"] if "image" in dict(component.data) else {}
        if "cam_width" not in told:
            raise ValueError("%s has no image: it is no camera" % name)
        if told.get("retrieve_depth", [False])[0]:
            raise ValueError("%s: with retrieve_depth its images are distances" % name)
        return told["cam_height"][0], told["cam_width"][0], 3

    def watch(self, i):
        """A camera draws while somebody reads it. Simulations are loaded anew where they failed."""
        simulation = self.vector.get_simulation(i)
        if self.shapes and self.watched[i][0] is not simulation:
            self.watched[i] = simulation, [simulation[name].subscribe(lambda record: None) for name in self.shapes]

    def take(self, name, i):
        """A copy of the last picture; black before the first, and where nothing can draw."""
        image = self.vector.get_simulation(i)[name].data.image
        shape = self.shapes[name]
        if not isinstance(image, numpy.ndarray) or image.shape[:2] != shape[:2]:
            return numpy.zeros(shape, dtype=numpy.uint8)
        return image[:, :, :3].copy()

    def observe(self):
        return {key: numpy.stack([self.take(name, i) for i in range(self.num_envs)])
                for key, name in self.pictures.items()}

    def render(self, i):
        if self.camera is not None:
            return self.take(self.camera, i)
        # Netpbm's P6: three lines, then the pixels.
        _, size, _, pixels = draw(self.vector.get_simulation(i), "picture.ppm", **self.view).split(b"\n", 3)
        width, height = (int(word) for word in size.split())
        return numpy.frombuffer(pixels, dtype=numpy.uint8).reshape(height, width, 3).copy()

    def forget(self):
        for _, subscriptions in self.watched:
            for each in subscriptions:
                each.end()
        self.watched, self.vector = [], None
