# SPDX-License-Identifier: BSD-3-Clause
"""What MORSE's environments hold solid: balls and boxes stay on it, beams of a laser meet it, twice the same."""

import json
import os
import struct
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "python"), os.path.join(HERE, "..", "cli"), HERE]

from native import PythonCase, missing  # noqa: E402

import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    import solids

ENVIRONMENTS = "/usr/share/morse/data/environments"
GRID = 9  # columns in each direction, over all that is solid
HALF = 0.1  # m, of a ball and of a box
ROOM = 0.5  # m, above a floor for a thing to be dropped there
EYE = 0.37  # m, of a laser above a floor
NOTHING = "water-1/deep_water.blend"  # with nothing solid in it
SECONDS = 20
BEAMS = 72
REACH = 30.0  # m


def list_environments():
    return sorted(os.path.relpath(os.path.join(folder, file), ENVIRONMENTS)
                  for folder, _, files in os.walk(ENVIRONMENTS) for file in files if file.endswith(".blend"))


def find_face(triangles):
    """The middle of the largest triangle, and its normal."""
    normals = numpy.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    sizes = numpy.linalg.norm(normals, axis=1)
    largest = sizes.argmax()
    return triangles[largest].mean(axis=0), normals[largest] / sizes[largest]


class Solids:
    """The triangles of a file that do not move, and all; boxes around what has an inside."""

    def __init__(self, blend):
        found = list(blend.list_solids())
        none = numpy.zeros((0, 3, 3))
        self.still = numpy.concatenate([none] + [solid.triangles for solid in found if not solid.moves])
        self.all = numpy.concatenate([none] + [solid.triangles for solid in found])
        self.moving = {solid.name.replace(".", "_") for solid in found if solid.moves}
        self.faces = [find_face(solid.triangles) for solid in found if not solid.moves and not solid.is_full]
        self.full = [(solid.triangles.min(axis=(0, 1)), solid.triangles.max(axis=(0, 1)))
                     for solid in found if solid.is_full]

    def find_heights(self, x, y, triangles):
        """z of all that is solid above and below a point, from below."""
        low = triangles[..., 2].min() - 1
        ways, _ = solids.cast(triangles, numpy.array([x, y, low]), numpy.array([0, 0, 1.0]))
        return low + ways

    def is_inside(self, point):
        return any((point > low).all() and (point < high).all() for low, high in self.full)

    def find_floors(self):
        """Places with room above, on something that does not move."""
        if len(self.still) == 0:
            return
        low, high = self.still[..., :2].min(axis=(0, 1)), self.still[..., :2].max(axis=(0, 1))
        for i in range(GRID * GRID):
            # Not on the edges, nor on the lines of regular meshes.
            x, y = low + (high - low) * (numpy.array(divmod(i, GRID)) + 0.4713) / GRID
            levels = self.find_heights(x, y, self.all)
            for z in self.find_heights(x, y, self.still):
                above = levels[levels > z + 1e-6]
                if (len(above) == 0 or above[0] - z > ROOM) and not self.is_inside(numpy.array([x, y, z + HALF])):
                    yield x, y, z


def describe(path, floors):
    """A ball or a box over each floor, which neither roll nor topple."""
    things = [{"name": "thing%d" % i, "position": [x, y, z + HALF + 0.15],
               "body": {"type": "rigid", "friction": 100, "lock_rotation": [True, True, True]},
               "shapes": [{"kind": "box", "size": 3 * [2 * HALF]} if i % 2 else {"kind": "sphere", "radius": HALF}]}
              for i, (x, y, z) in enumerate(floors)]
    return {"orrery": 1, "environment": {"import": path, "time_strategy": "fixed_step"}, "objects": things}


def describe_lasers(path, eyes, beams):
    """@eyes: position, then the direction of the middle beam."""
    laser = {"name": "laser", "classpath": "morse.sensors.laserscanner.LaserScanner",
             "properties": {"resolution": 360 / beams, "scan_window": 360.0, "laser_range": REACH}}
    objects = []
    for i, (eye, (x, y, z)) in enumerate(eyes):
        turn = [0, -numpy.arctan2(z, numpy.hypot(x, y)), numpy.arctan2(y, x)]
        objects.append({"name": "eye%d" % i, "classpath": "orrery.core.robot.Robot", "objects": [laser],
                        "position": list(map(float, eye)), "rotation": list(map(float, turn))})
    return {"orrery": 1, "environment": {"import": path, "physics": "orrery.physics.kinematic.Kinematic"},
            "objects": objects}


@unittest.skipUnless(os.path.isdir(ENVIRONMENTS), "without Debian's morse-simulator-data")
class Environments(PythonCase):
    def load(self, scene):
        return orrery.load(self.write("scene.json", json.dumps(scene)), listen=False, seed=7, start=0, hash=True,
                           pacing=orrery.Pacing.FAST)

    def drop(self, path, floors):
        """Where everything is in the end, by name, and the bytes of all poses."""
        with self.load(describe(path, floors)) as sim:
            sim.step(60 * SECONDS)
            poses = numpy.array(sim.poses)
            return dict(zip(sim.objects, poses[:, :3])), (sim.hash, poses.tobytes())

    def list_fallen(self, solid, floors, ends):
        """Things that are below the floor on which they were dropped, or below all that is solid where they are; bodies
        of the file that fall for ever."""
        fallen = []
        for name, (x, y, z) in ends.items():
            if name.startswith("thing"):
                floor = floors[int(name[5:])]
                below = solid.find_heights(x, y, solid.still)
                is_still_there = numpy.hypot(x - floor[0], y - floor[1]) < HALF
                if (is_still_there and z < floor[2] + HALF - 0.02) or (len(below) > 0 and z < below[0]):
                    fallen.append(name)
            elif name.split(".")[-1] in solid.moving and z < solid.still[..., 2].min() - 5:
                fallen.append(name)
        return fallen

    def scan(self, path, eyes, beams):
        """Rows of ranges; the beam in the middle looks as the eye does."""
        with self.load(describe_lasers(path, eyes, beams)) as sim:
            sim.step(1)
            return [list(sim["eye%d.laser" % i].data.range_list) for i in range(len(eyes))]

    def list_passed(self, path, solid, floors):
        """Beams that go on behind the first solid thing on their way; how many have one on it."""
        eyes = [numpy.array(floor) + (0, 0, EYE) for floor in floors[::max(1, len(floors) // 12)]]
        eyes = [eye for eye in eyes if not solid.is_inside(eye)]
        passed, met = [], 0
        for eye, ranges in zip(eyes, self.scan(path, [(eye, (1, 0, 0)) for eye in eyes], BEAMS)):
            for i, reach in enumerate(ranges):
                angle = -numpy.pi + 2 * numpy.pi * i / BEAMS
                ways, _ = solids.cast(solid.all, eye, numpy.array([numpy.cos(angle), numpy.sin(angle), 0]))
                if len(ways) > 0 and ways[0] < REACH:
                    met += 1
                    passed += [(eye, i, reach, ways[0])] if reach > ways[0] + 0.01 else []
        return passed, met

    def count_lost(self, path, solid):
        """Objects that a laser 5 cm ahead of their largest face does not see."""
        eyes = [(middle + 0.05 * normal, -normal) for middle, normal in solid.faces]
        return sum(ranges[len(ranges) // 2] > 0.06 for ranges in self.scan(path, eyes, 4))

    def test_holds(self):
        names = list_environments()
        self.assertGreaterEqual(len(names), 15)
        beams = faces = 0
        for name in names:
            with self.subTest(name):
                path = os.path.join(ENVIRONMENTS, name)
                solid = Solids(solids.read(path))
                floors = list(solid.find_floors())
                self.assertTrue(name == NOTHING or len(floors) > 10, len(floors))
                ends, result = self.drop(path, floors)
                self.assertEqual(self.list_fallen(solid, floors, ends), [])
                self.assertEqual(self.drop(path, floors)[1], result)
                passed, met = self.list_passed(path, solid, floors)
                self.assertEqual(passed, [])
                self.assertEqual(self.count_lost(path, solid), 0)
                beams += met
                faces += len(solid.faces)
        self.assertGreater(beams, 3000)
        self.assertGreater(faces, 150)

    def test_control(self):
        """The checks see that a floor, or a wall, is not solid any more."""
        path = os.path.join(ENVIRONMENTS, "apartment.blend")
        blend = solids.read(path)
        solid = Solids(blend)
        floors = list(solid.find_floors())
        self.write("open.blend", "")
        for lost, is_floor in ("Plane", True), ("C6_plein_ext_P", False):
            data = bytearray(blend.data)
            at, = (each.flags_at for each in blend.list_solids() if each.name == lost)
            flags, = struct.unpack_from(blend.order + "i", data, at)
            struct.pack_into(blend.order + "i", data, at, flags & ~solids.COLLISION)
            with open(self.path("open.blend"), "wb") as file:
                file.write(data)
            if is_floor:
                self.assertGreater(len(self.list_fallen(solid, floors, self.drop(self.path("open.blend"), floors)[0])), 20)
            else:
                self.assertGreater(len(self.list_passed(self.path("open.blend"), solid, floors)[0]), 20)
            self.assertEqual(self.count_lost(self.path("open.blend"), solid), 1)


if __name__ == "__main__":
    tap.main()
