# SPDX-License-Identifier: BSD-3-Clause
"""No sensor, actuator or modifier that is installed allocates in its step, but those that say why."""

import json
import os
import re
import unittest

from clients import BUILD, ClientCase
from surroundings import BELOW, FITS, FORCES, INSIDE, NEEDS, ON, ORIGIN, SMALL

import tap
from sanitized import is_sanitized

COUNTER = os.path.join(BUILD, "tests/middleware/plugins/count-allocations.so")
FEW, MANY = 200, 500
#: Fewer in 300 ticks than of any class that allocates in its step, at 4 Hz.
NOISE = 12

MAP = "its record is a map of names, made anew in each step"
PICTURE = "OpenGL draws it, which allocates as it likes: 260 times for a picture of depths, line by line"
EXCEPTIONS = {"orrery.sensors." + name: why for why, names in (
    (MAP, ("proximity.Proximity", "search_and_rescue.SearchAndRescue", "semantic_camera.SemanticCamera")),
    (PICTURE, ("depth_camera.DepthCamera", "depth_camera.DepthCameraRotationZ", "depth_camera.DepthVideoCamera",
               "depth_camera.RawImage", "depth_camera_aggregator.DepthCameraAggregator", "kinect.Kinect", "normal_camera.NormalCamera",
               "segmentation_camera.SegmentationCamera", "segmentation_camera.BoundingBoxCamera",
               "velodyne.Velodyne", "video_camera.VideoCamera", "vlp16.VLP16Eye", "vlp16.VLP16_180"))) for name in names}
POSE = "orrery.sensors.pose.Pose"


def robot_with(index, classpath):
    """A robot with the component, and the component's full name."""
    part = {"name": "part", "classpath": classpath, "objects": BELOW.get(classpath, [])}
    name = "r%d.part" % index
    if classpath.endswith(".CompoundSensor"):
        part["properties"] = {"sensors": "r%d.pose" % index}
    if classpath in INSIDE:
        part, name = {"name": "holder", "classpath": INSIDE[classpath], "objects": [part]}, "r%d.holder.part" % index
    return {"name": "r%d" % index, "classpath": ON.get(classpath, "orrery.robots.pioneer3dx.Pioneer3DX"),
            "position": [3 * (index % 10), 3 * (index // 10), 0],
            "objects": [{"name": "pose", "classpath": POSE}, part]}, name


@unittest.skipIf(is_sanitized(), "allocations cannot be counted in this build")
class SteadyClasses(ClientCase):
    def environment(self):
        return dict(super().environment(), LD_PRELOAD=COUNTER)

    def listed(self):
        done = self.orrery("plugins", "--json")
        self.check(done, 0)
        return [each for module in json.loads(done.stdout)["modules"] for each in module.get("classes", ())
                if each["classpath"].startswith("orrery.")]

    def count(self, entries, ticks):
        """Allocations of the ticking thread in a run with these: pairs of component and modifier or None."""
        objects, modifiers = [], {}
        for index, (classpath, modifier) in enumerate(entries):
            entry, name = robot_with(index, classpath)
            objects.append(entry)
            if classpath == "orrery.core.robot.Robot":
                entry["objects"], name = [], entry["name"]
            if modifier is not None:
                modifiers[name] = [[modifier, "OUT", NEEDS.get(modifier, {})]]
                if modifier in FITS:
                    entry["objects"][1]["properties"] = SMALL
        path = self.write("steady.json", json.dumps({
            "orrery": 1, "objects": objects, "component_modifier": modifiers,
            "environment": {"frequency": 60, "start": 0, "auto_tune": False, "properties": ORIGIN,
                            "physics": "orrery.physics.kinematic.Kinematic"}}))
        done = self.orrery("run", path, "--fast", "--offline", "--ticks", str(ticks), timeout=300)
        self.check(done, 0)
        return int(re.search(r"^(\d+) allocations$", done.stderr, re.M).group(1))

    def more(self, entries):
        """How many allocations more ticks make. Warnings of a busy machine come by chance: the least counts."""
        few, many = self.count(entries, FEW), self.count(entries, MANY)
        for _ in range(6):
            if abs(many - few) <= NOISE:
                break
            few, many = min(few, self.count(entries, FEW)), min(many, self.count(entries, MANY))
        return many - few

    def blame(self, entries):
        """Those of the entries that allocate."""
        if not entries or self.more(entries) <= NOISE:
            return []
        if len(entries) == 1:
            return [entries[0][1] or entries[0][0]]
        half = len(entries) // 2
        return self.blame(entries[:half]) + self.blame(entries[half:])

    def test_components(self):
        names = [each["classpath"] for each in self.listed() if each["role"] in ("sensor", "actuator") and
                 each["classpath"] not in FORCES]
        self.assertGreater(len(names), 75)
        self.assertEqual([name for name in EXCEPTIONS if name not in names], [])
        self.assertEqual(self.blame([(name, None) for name in names if name not in EXCEPTIONS]), [])

    def test_one_that_allocates_is_seen(self):
        name = "orrery.sensors.proximity.Proximity"
        self.assertEqual(self.blame([(POSE, None), (name, None), (name, None), (POSE, None)]), [name, name])

    def test_modifiers(self):
        """Each on a sensor that it fits, those of actuators on one with the same fields."""
        entries = []
        for each in self.listed():
            if each["role"] == "modifier":
                fits = FITS.get(each["classpath"], each["aliases"][0]["component"])
                of_sensor = fits.startswith(("orrery.sensors.", "orrery.core.robot."))
                entries.append((fits if of_sensor else POSE, each["classpath"]))
        self.assertGreater(len(entries), 30)
        self.assertEqual(self.blame(entries), [])


tap.main()
