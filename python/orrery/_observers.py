# SPDX-License-Identifier: BSD-3-Clause
"""The observers that a program adds: its recordings, and pictures from a free camera."""

import os
import tempfile

from ._values import GLib, Orrery, to_variant

FILM = "orrery.observers.film.Film"


class Picture:
    """A picture as the bytes of a PNG file; a notebook shows it."""

    __slots__ = ("png",)

    def __init__(self, png):
        self.png = png

    def save(self, path):
        """Writes the file."""
        with open(path, "wb") as file:
            file.write(self.png)

    def _repr_png_(self):
        return self.png

    def __repr__(self):
        width, height = (int.from_bytes(self.png[at:at + 4], "big") for at in (16, 20))
        return "<picture of %d x %d pixels>" % (width, height)


def add_observer(simulation, classpath, properties=None):
    """Has a part of this class watch the run; its properties are a dictionary."""
    if properties is not None and not isinstance(properties, GLib.Variant):
        properties = to_variant(dict(properties))
    return simulation_add_observer(simulation, classpath, properties)


def record(simulation, path, **properties):
    """Records the run from now on, as `orrery run --record` does; docs/recording.md has the properties.

    Nothing is dropped: ticks wait where the file is slower, unless wait=False. It ends with the simulation, or when
    what this returns is given to remove_observer ().
    """
    words = {name.replace("_", "-"): value for name, value in properties.items()}
    return simulation_record(simulation, os.fspath(path), to_variant(words) if words else None)


def place(values):
    return [float(value) for value in values]


def render(simulation, path=None, *, size=(640, 360), from_=None, at=None, follow="", fov=45.0):
    """What a camera sees now: from_ is where it stands, at what it looks at, m; follow names the object that both are
    measured from. Without them it looks at the robots. With a path the picture is written there, too.
    """
    picture = Picture(draw(simulation, "picture.png", size, from_, at, follow, fov))
    if path is not None:
        picture.save(path)
    return picture


def draw(simulation, name, size, from_, at, follow, fov):
    """The bytes of a picture; the end of its name says of which kind."""
    with tempfile.TemporaryDirectory(prefix="orrery-render-") as directory:
        file = os.path.join(directory, name)
        words = {"file": file, "width": int(size[0]), "height": int(size[1]), "follow": follow, "fov": float(fov),
                 "quiet": True}
        if from_ is not None:
            words["from"] = place(from_)
        if at is not None:
            words["at"] = place(at)
        observer = add_observer(simulation, FILM, words)
        lost = [line for line in simulation.report["lost"] if file in line]
        simulation.remove_observer(observer)
        if not os.path.exists(file):
            raise GLib.Error.new_literal(Orrery.error_quark(), "render: %s" % (lost[0] if lost else "nothing was drawn"),
                                         Orrery.Error.IO)
        with open(file, "rb") as stream:
            return stream.read()


def show(simulation):
    """What a notebook shows of a simulation: nothing, where it cannot be drawn."""
    try:
        return render(simulation).png
    except GLib.Error:
        return None


simulation_add_observer = Orrery.Simulation.add_observer
simulation_record = Orrery.Simulation.record


def extend():
    Orrery.Simulation.add_observer = add_observer
    Orrery.Simulation.record = record
    Orrery.Simulation.render = render
    Orrery.Simulation._repr_png_ = show
