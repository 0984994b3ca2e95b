# SPDX-License-Identifier: BSD-3-Clause
"""Pictures as arrays of rows, columns and red, green, blue: of cameras of a scene, and of a free one.

A learner that steps its simulations itself has `Cameras`. With processes each of these has one for
its own simulations, and the learner has `SharedCameras`, which read what the processes have drawn.
"""

import collections.abc

import numpy

from ._observers import draw

VIEW = {"size": (640, 360), "from_": None, "at": None, "follow": "", "fov": 45.0}
MIN_LENGTH, MAX_LENGTH = 16, 4096  # px, of a free camera


class CameraError(ValueError):
    """A camera that cannot be used for what is asked of it."""


def check_size(size):
    try:
        width, height = (int(length) for length in size)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("view: size: width and height, as (640, 360)") from None
    if not all(MIN_LENGTH <= length <= MAX_LENGTH for length in (width, height)):
        raise ValueError("view: size: width and height are %d to %d px, not %d and %d" %
                         (MIN_LENGTH, MAX_LENGTH, width, height))


class Asked:
    """Which pictures are asked for: cameras by names of observations, and what `render ()` shows."""

    def __init__(self, render_mode, camera, view, pictures):
        if render_mode not in (None, "rgb_array"):
            raise ValueError("render_mode: \"rgb_array\" or None, not %r" % (render_mode,))
        if render_mode is None and (camera is not None or view is not None):
            raise ValueError("camera and view are for render_mode=\"rgb_array\", which is not given")
        if camera is not None and view is not None:
            raise ValueError("view is that of a free camera: without camera")
        if pictures is not None and not isinstance(pictures, collections.abc.Mapping):
            raise ValueError("pictures: a dictionary of cameras by the names of observations")
        if view is not None and not isinstance(view, collections.abc.Mapping):
            raise ValueError("view: a dictionary, as {'follow': 'robot'}, not %r" % (view,))
        unknown = [name for name in view or () if name not in VIEW]
        if unknown:
            raise ValueError("view: %s is none of %s" % (unknown[0], ", ".join(VIEW)))
        self.camera, self.view, self.pictures = camera, dict(VIEW, **(view or {})), dict(pictures or {})
        check_size(self.view["size"])
        self.renders = render_mode is not None
        self.observed = sorted(set(self.pictures.values()))
        self.cameras = sorted({*self.observed, *([] if camera is None else [camera])})

    def get_render_shape(self, shapes):
        """shapes: of the pictures of each camera. Returns: that of what `render ()` gives; None if it gives nothing"""
        if not self.renders:
            return None
        if self.camera is not None:
            return shapes[self.camera]
        width, height = (int(length) for length in self.view["size"])
        return height, width, 3


class Cameras:
    """Has cameras of the simulations of a vector draw, and takes what they have drawn."""

    def __init__(self, vector, num_envs, asked):
        self.vector, self.num_envs, self.asked = vector, num_envs, asked
        self.shapes = {name: self.measure(name) for name in asked.cameras}
        self.watched = [(None, ())] * num_envs

    def measure(self, name):
        try:
            component = self.vector.get_simulation(0)[name]
        except KeyError as problem:
            raise CameraError(problem.args[0]) from None
        told = component.get_properties()["properties"] if "image" in dict(component.data) else {}
        if "cam_width" not in told:
            raise CameraError("%s has no image: it is no camera" % name)
        if told.get("retrieve_depth", [False])[0]:
            raise CameraError("%s: with retrieve_depth its images are distances" % name)
        return told["cam_height"][0], told["cam_width"][0], 3

    def watch(self, i):
        """A camera draws while somebody reads it. Simulations are loaded anew where they failed."""
        simulation = self.vector.get_simulation(i)
        if self.shapes and self.watched[i][0] is not simulation:
            self.watched[i] = simulation, [simulation[name].subscribe(lambda record: None) for name in self.shapes]

    def take(self, name, i):
        """The last picture; black before the first, and where nothing can draw."""
        image = self.vector.get_simulation(i)[name].data.image
        shape = self.shapes[name]
        if not isinstance(image, numpy.ndarray) or image.shape[:2] != shape[:2]:
            return numpy.zeros(shape, dtype=numpy.uint8)
        return image[:, :, :3]

    def observe(self):
        return {key: numpy.stack([self.take(name, i) for i in range(self.num_envs)])
                for key, name in self.asked.pictures.items()}

    def render_one(self, i):
        if self.asked.camera is not None:
            return self.take(self.asked.camera, i).copy()
        # Netpbm's P6: three lines, then the pixels.
        _, size, _, pixels = draw(self.vector.get_simulation(i), "picture.ppm", **self.asked.view).split(b"\n", 3)
        width, height = (int(word) for word in size.split())
        return numpy.frombuffer(pixels, dtype=numpy.uint8).reshape(height, width, 3).copy()

    def render(self):
        return tuple(self.render_one(i) for i in range(self.num_envs))

    def forget(self):
        for _, subscriptions in self.watched:
            for each in subscriptions:
                each.end()
        self.watched, self.vector = [], None


class SharedCameras:
    """The pictures of simulations in other processes, which draw them into the memory of all."""

    def __init__(self, vector, asked):
        self.vector, self.asked = vector, asked
        self.shapes = {name: tuple(shape) for name, shape in vector.measures["cameras"].items()}

    def observe(self):
        return {key: self.vector.shared.pictures[name].copy() for key, name in self.asked.pictures.items()}

    def render(self):
        self.vector.render()
        return tuple(self.vector.shared.rendered.copy())

    def forget(self):
        self.vector = None
