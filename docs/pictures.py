# SPDX-License-Identifier: BSD-3-Clause
"""Makes docs/pictures: one of each class where there is something to see, drawn by our own renderer.

    orrery python docs/pictures.py [DIRECTORY [CLASSPATH...]]
"""

import colorsys
import os
import sys
from math import cos, pi, radians, sin

import numpy
from drawing import (BLUE, DARK, GREEN, HEIGHT, ORANGE, RED, WIDTH, Marks, box, camera, floor, from_above, halve, load,
                     part, picture, pose_of, room, sun, to_world, trail)
from gallery import save_png

DRAWN = {}


def draws(*names):
    """The function makes the pictures of these classes, called with the classpath."""
    def keep(function):
        for name in names:
            DRAWN["orrery." + name] = function
        return function
    return keep


# -- Robots ----------------------------------------------------------------------------------------------

# How far the eye is, how high, and the height of what it looks at; turned about z so that the front is to the right.
ROBOTS = {
    "atrv.ATRV": (2.4, 1.3, 0.35), "b21.B21": (2.6, 1.4, 0.5), "fakerobot.FakeRobot": (2.0, 1.1, 0.3),
    "human.Human": (3.6, 1.8, 0.85), "hummer.Hummer": (8.5, 4.0, 1.1, 1.3), "jido.Jido": (3.6, 2.0, 0.8),
    "morsy.Morsy": (3.6, 2.0, 0.8), "patrolbot.PatrolBot": (1.6, 0.9, 0.2), "pioneer3dx.Pioneer3DX": (1.4, 0.8, 0.15),
    "pr2.PR2": (3.2, 1.8, 0.6), "quadrotor.Quadrotor": (1.2, 0.7, 0.12),
    "quadrotor_dynamic.Quadrotor": (1.3, 0.7, 0.15, 0.17), "rmax.RMax": (4.2, 2.0, 0.45),
    "segwayrmp400.SegwayRMP400": (2.8, 1.4, 0.4), "submarine.Submarine": (7.5, 3.2, 1.2, 1.2), "victim.Victim": (3.8, 1.9, 0.9),
}


# Of the PR2: where its torso stands, and what the torso carries.
PR2_PARTS = (("Torso", (-0.05, 0, 0.790675)), ("Head", (-0.0171, 0, 0.3814)), ("LeftArm", (0, 0.188, 0)),
             ("RightArm", (0, -0.188, 0)))


@draws(*("robots." + name for name in ROBOTS))
def robot(classpath):
    away, up, middle, *lift = ROBOTS[classpath.split(".", 2)[2]]
    objects = [floor(40), part("robot", classpath, (0, 0, *lift) if lift else (0, 0, 0))]
    if not classpath.endswith("FakeRobot"):
        objects.append(sun())
    if classpath.endswith("PR2"):
        # As the builder makes it.
        parts = [part(name.lower(), "orrery.actuators.pr2.PR2" + name, place) for name, place in PR2_PARTS[1:]]
        objects[1]["objects"] = [part("torso", "orrery.actuators.pr2.PR2Torso", PR2_PARTS[0][1], objects=parts)]
    if classpath.endswith("FakeRobot"):
        # Nothing to see but its frame, and what it carries.
        axes = Marks()
        for end, color in (((0.5, 0, 0), RED), ((0, 0.5, 0), GREEN), ((0, 0, 0.5), BLUE)):
            axes.bar((0, 0, 0), end, color, 0.03)
        objects += axes.objects()
    return picture(objects, (away * cos(-0.7), away * sin(-0.7), up), (0, 0, middle))


# -- What rays meet --------------------------------------------------------------------------------------


PLACE, HEADING = (-2.4, -0.3), 0.25


def carrier(*parts):
    return part("robot", "orrery.robots.fakerobot.FakeRobot", (*PLACE, 0), (0, 0, HEADING), parts)


@draws("sensors.laserscanner.LaserScanner", "sensors.laserscanner.RSSILaserScanner", "sensors.sick.Sick",
       "sensors.hokuyo.Hokuyo", "sensors.infrared.Infrared")
def scan(classpath):
    """The rays of one scan from above; with remission, bright is what comes back."""
    near = classpath.endswith("Infrared")
    objects = room()
    objects[5]["properties"], objects[6]["properties"] = {"Remission": 1.0}, {"Remission": 0.1}
    place = (0.6, 1.4) if near else PLACE
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", (*place, 0), (0, 0, HEADING),
                [part("laser", classpath, (0, 0, 0.5))])
    marks = Marks()
    with load(objects + [base]) as sim:
        sim.step(30)
        data = sim["robot.laser"].data
        start = to_world(pose_of(sim, "robot.laser"), [(0, 0, 0)])[0]
        ranges = numpy.asarray(data.range_list)
        points = numpy.asarray(data.point_list)
        remission = numpy.asarray(data.remission_list) if "RSSI" in classpath else None
        met = points.any(axis=1)
        ends = to_world(pose_of(sim, "robot.laser"), points)
    every = max(1, len(ranges) // 90)
    for i in numpy.flatnonzero(met):
        if i % every == 0:
            marks.bar(start, ends[i], (0.95, 0.5, 0.42), 0.01)
        color = RED if remission is None else (min(1.0, float(remission[i]) * 1.3), 0.1, 1.0 - float(remission[i]))
        marks.dot(ends[i], color, 0.05 if remission is None else 0.11)
    if near:
        for i in numpy.flatnonzero(~met):
            angle = HEADING + radians(i - 10)
            marks.bar(start, start + 2 * numpy.array((cos(angle), sin(angle), 0)), (0.95, 0.7, 0.4), 0.01)
    marks.dot(start, DARK, 0.06 if near else 0.16)
    return from_above(objects + marks.objects(), *((4.0, (1.3, 1.4)) if near else (9.5,)))


def spread(marks, points, size=0.04, low=0.0, high=1.2):
    """Points in the colour of their height."""
    for point in points:
        share = min(max((point[2] - low) / (high - low), 0), 1)
        step = round(share * 8) / 8
        marks.dot(point, (step, 0.25 + 0.4 * (1 - abs(2 * step - 1)), 1 - step), size)


def cloud(objects, sensor, steps, read, size=0.04, thin=1):
    """All points of some steps, seen from aslant, in the room without its nearer walls."""
    marks = Marks()
    with load(objects + [carrier(sensor)]) as sim:
        found = []
        for _ in range(steps):
            # The sensor turns after its scan: its pose now is that of the next.
            pose = sim.poses.copy()
            sim.step(1)
            points = read(sim)
            if points is not None and len(points):
                found.append((pose, points))
        names = list(sim.objects)
    index = names.index("robot.sensor")
    for pose, points in found:
        spread(marks, to_world(pose[index], points)[::thin], size)
    start = to_world(found[0][0][index], [(0, 0, 0)])[0]
    marks.dot(start, DARK, 0.14)
    things = [entry for entry in objects if entry["name"] not in ("wall_s", "wall_w")]
    return picture(things + marks.objects(), (-4.6, -5.4, 4.6), (0.1, 0.1, 0.2), 28)


@draws("sensors.sickldmrs.SickLDMRS")
def layers(classpath):
    sensor = part("sensor", classpath, (0, 0, 0.7))
    return cloud(room(), sensor, 30, lambda sim: met(sim["robot.sensor"].data.point_list), 0.05)


@draws("sensors.laserscanner.LaserScannerRotationZ", "sensors.velodyneraycast.VelodyneRayCast")
def turning_fan(classpath):
    """The fan stands upright and turns with each scan: two turns of it."""
    sensor = part("sensor", classpath, (0, 0, 0.8))
    if not classpath.endswith("VelodyneRayCast"):
        sensor["properties"].update(scan_window=60.0, layers=12, layer_separation=3.0)
    sensor["properties"]["rotation"] = 0.035
    return cloud(room(), sensor, 180, lambda sim: met(sim["robot.sensor"].data.point_list), 0.05, 5 if classpath.endswith("Cast") else 40)


def met(points):
    points = numpy.asarray(points)
    return points[points.any(axis=1)]


def optical(points):
    """Camera axes, z ahead, in those of the component, x ahead."""
    points = numpy.frombuffer(bytes(points), numpy.float32).reshape(-1, 3).astype(float)
    points = points[points.any(axis=1)]
    return points[:, [2, 0, 1]] * (1, -1, -1)


@draws("sensors.depth_camera.DepthCamera", "sensors.vlp16.VLP16Eye")
def points(classpath):
    sensor = part("sensor", classpath, (0, 0, 0.8), cam_width=96, cam_height=72, cam_near=0.1)
    if "vlp16" in classpath:
        sensor["properties"] = {}
    return cloud(room(), sensor, 4, lambda sim: optical(sim["robot.sensor"].data.points) if sim.ticks == 4 else None, 0.035,
                 3 if "vlp16" in classpath else 1)


@draws("sensors.depth_camera.DepthCameraRotationZ", "sensors.velodyne.Velodyne")
def turning_camera(classpath):
    """A depth camera that turns after each picture: a full turn."""
    sensor = part("sensor", classpath, (0, 0, 0.8), cam_width=24, cam_height=48, cam_near=0.1)
    sensor["properties"]["rotation"] = 0.2
    seen = []

    def read(sim):
        stamp = sim["robot.sensor"].data.timestamp
        if stamp in seen:
            return None
        seen.append(stamp)
        return optical(sim["robot.sensor"].data.points)
    return cloud(room(), sensor, 96, read, 0.05, 9)


@draws("sensors.depth_camera_aggregator.DepthCameraAggregator", "sensors.vlp16.VLP16_180")
def merged(classpath):
    sensor = part("sensor", classpath, (0, 0, 0.8))
    if "vlp16" not in classpath:
        eyes = [part("cam%d" % i, "orrery.sensors.depth_camera.DepthCamera", (0, 0, 0), (0, 0, (i - 1) * 0.9),
                     cam_width=64, cam_height=48, cam_near=0.1) for i in range(3)]
        sensor = part("sensor", classpath, (0, 0, 0.8), objects=eyes, master_camera="robot.sensor.cam1")
    return cloud(room(), sensor, 12,
                 lambda sim: optical(sim["robot.sensor"].data.points) if sim.ticks == 12 else None, 0.035,
                 5 if "vlp16" in classpath else 1)


# -- What cameras see ------------------------------------------------------------------------------------


def street():
    """Robots and things before a camera."""
    def label(entry, kind):
        return dict(entry, properties={"Object": True, "Type": kind})
    return [floor(30), label(part("cat", "orrery.robots.atrv.ATRV", (4.2, 1.2, 0), (0, 0, 2.2)), "robot"),
            label(part("pioneer", "orrery.robots.pioneer3dx.Pioneer3DX", (2.6, -0.9, 0), (0, 0, 2.6)), "robot"),
            label(box("crate", (0.8, 0.8, 0.8), (5.2, -1.0, 0.4), (0.75, 0.55, 0.3)), "crate"),
            {"name": "ball", "position": [3.2, 0.1, 0.2], "body": {"type": "static"}, "properties": {"Object": True},
             "shapes": [{"kind": "sphere", "radius": 0.2, "color": [0.9, 0.6, 0.1]}]},
            box("wall", (0.1, 8, 1.6), (7, 0, 0.8), (0.75, 0.78, 0.8))]


def seen_by(camera_part, objects, ticks=4):
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", (0, 0, 0), objects=[camera_part])
    sim = load(list(objects) + [base, sun(direction=(0.6, 0.35, -0.8))])
    sim.step(ticks)
    return sim


EYE = (0, 0, 1.0)


def eye(name, classpath, width=WIDTH, height=HEIGHT, place=EYE, **more):
    return dict(camera(name, classpath, width, height, **more), position=list(place), rotation=[0, 0.12, 0])


@draws("sensors.video_camera.VideoCamera")
def colour(classpath):
    with seen_by(eye("camera", classpath, 2 * WIDTH, 2 * HEIGHT), street()) as sim:
        return halve(sim["robot.camera"].data.image)


@draws("sensors.depth_camera.DepthVideoCamera", "sensors.depth_camera.RawImage")
def depth(classpath):
    """Near is bright."""
    with seen_by(eye("camera", classpath, cam_near=0.5, cam_far=10.0), street()) as sim:
        image = numpy.array(sim["robot.camera"].data.image, float).reshape(HEIGHT, WIDTH)
    grey = 1 - (image - image.min()) / (image.max() - image.min())
    return numpy.repeat((255 * grey).astype(numpy.uint8)[:, :, None], 3, axis=2)


@draws("sensors.semantic_camera.SemanticCamera")
def semantic(classpath):
    """What it names is in colour; a ball behind the crate is hidden from it."""
    things = street()
    hidden = dict(things[4], name="hidden", position=[6.2, -1.2, 0.2])
    things.append(hidden)
    with seen_by(eye("camera", classpath, cam_focal=35.0), things) as sim:
        names = {entry["name"] for entry in sim["robot.camera"].data.visible_objects}
    colors = iter((RED, GREEN, BLUE, ORANGE, (0.6, 0.2, 0.7)))
    marks = Marks()
    shapes = {"cat": (1.2, 0.9, 0.8, 0.45), "pioneer": (0.5, 0.5, 0.3, 0.15), "crate": (0.85, 0.85, 0.85, 0.4),
              "ball": (0.45, 0.45, 0.45, 0.2), "hidden": (0.45, 0.45, 0.45, 0.2)}
    for entry in things:
        if entry["name"] in names:
            frame(marks, entry["position"], *shapes[entry["name"]], color=next(colors))
    with seen_by(eye("camera", "orrery.sensors.video_camera.VideoCamera", 2 * WIDTH, 2 * HEIGHT),
                 things + marks.objects()) as sim:
        return halve(sim["robot.camera"].data.image)


def what_it_sees(classpath):
    """The record of the camera, and what a colour camera in its place sees."""
    with seen_by(eye("camera", classpath), street()) as sim:
        data = sim["robot.camera"].data
    with seen_by(eye("camera", "orrery.sensors.video_camera.VideoCamera", 2 * WIDTH, 2 * HEIGHT), street()) as sim:
        return data, halve(sim["robot.camera"].data.image)


def label_color(number):
    """Far from that of the next number."""
    return [int(255 * part) for part in colorsys.hsv_to_rgb(number * 0.381966 % 1, 0.75, 1)]


@draws("sensors.segmentation_camera.SegmentationCamera")
def segmentation(classpath):
    """A colour for each id, over what is there."""
    data, image = what_it_sees(classpath)
    ids = numpy.array(data.instances)
    colors = numpy.array([label_color(i) for i in range(ids.max() + 1)])
    return numpy.where((ids > 0)[:, :, None], 0.3 * image + 0.7 * colors[ids], image).astype(numpy.uint8)


@draws("sensors.segmentation_camera.BoundingBoxCamera")
def boxes(classpath):
    """A colour for each class."""
    data, image = what_it_sees(classpath)
    for entry in data.objects:
        if entry["class"] == "unlabelled":
            continue
        x, y, right, bottom = (entry[key] for key in ("x_min", "y_min", "x_max", "y_max"))
        color = label_color(entry["class_id"])
        image[y:bottom, [x, right - 1]] = image[[y, bottom - 1], x:right] = color
    return image


@draws("sensors.normal_camera.NormalCamera")
def normals(classpath):
    """To the right red, up green, towards the camera blue; black where there is none."""
    with seen_by(eye("camera", classpath), street()) as sim:
        vectors = numpy.array(sim["robot.camera"].data.normals)
    seen = vectors.any(axis=2)[:, :, None]
    return numpy.where(seen, 127.5 * (1 + vectors * (1, -1, -1)), 0).astype(numpy.uint8)


def frame(marks, place, dx, dy, dz, middle, color):
    """The edges of a box about the place."""
    x, y = place[0], place[1]
    corners = [(x + i * dx / 2, y + j * dy / 2, middle + k * dz / 2) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    for a in range(8):
        for bit in (1, 2, 4):
            if not a & bit:
                marks.bar(corners[a], corners[a | bit], color, 0.03)


def beside(left, right):
    height = max(left.shape[0], right.shape[0])
    out = numpy.full((height, left.shape[1] + right.shape[1] + 8, 3), 255, numpy.uint8)
    out[:left.shape[0], :left.shape[1]] = left
    out[:right.shape[0], left.shape[1] + 8:] = right
    return out


@draws("sensors.kinect.Kinect")
def kinect(classpath):
    with seen_by(part("kinect", classpath, EYE, (0, 0.12, 0)), street(), 6) as sim:
        left = numpy.array(sim["robot.kinect.rgb"].data.image)[:, :, :3]
        right = numpy.array(sim["robot.kinect.depth"].data.image, float).reshape(128, 128)
    right = (255 * (1 - numpy.clip(right, 1, 10) / 10)).astype(numpy.uint8)
    return beside(left, numpy.repeat(right[:, :, None], 3, axis=2))


@draws("sensors.stereo_unit.StereoUnit")
def stereo(classpath):
    eyes = [camera("left", width=312, height=312, cam_focal=35.0), camera("right", width=312, height=312, cam_focal=35.0)]
    eyes[0]["position"], eyes[1]["position"] = [0, 0.15, 0], [0, -0.15, 0]
    with seen_by(part("unit", classpath, EYE, (0, 0.12, 0), eyes), street()) as sim:
        return beside(*(halve(sim["robot.unit." + name].data.image) for name in ("left", "right")))


# -- What other sensors tell -----------------------------------------------------------------------------


@draws("sensors.proximity.Proximity")
def proximity(classpath):
    """Robots within the range have a line to it."""
    places = {"a": (2.2, 1.4), "b": (-1.8, 1.9), "c": (3.7, -1.8), "d": (-3.4, -1.9), "e": (0.9, -2.0)}
    others = [part(name, "orrery.robots.b21.B21", (x, y, 0)) for name, (x, y) in places.items()]
    base = part("robot", "orrery.robots.atrv.ATRV", objects=[part("near", classpath, Range=3.0)])
    with load([floor(), base] + others) as sim:
        sim.step(12)
        found = dict(sim["robot.near"].data.near_robots)
    marks = Marks()
    marks.ring((0, 0, 0.02), 3.0, RED)
    for name in found:
        marks.bar((0, 0, 1.2), (*places[name], 1.2), GREEN, 0.06)
    return from_above([floor(), part("robot", "orrery.robots.atrv.ATRV")] + others + marks.objects())


@draws("sensors.search_and_rescue.SearchAndRescue")
def rescue(classpath):
    """Its cone, and a line to who is in it and hurt."""
    places = {"anna": (1.6, 0.8), "bert": (2.0, -1.0), "carl": (0.6, -2.2)}
    people = [part(name, "orrery.robots.victim.Victim", (x, y, 0), (0, 0, 2.6)) for name, (x, y) in places.items()]
    sensor = part("rescue", classpath, (0, 0, 0.9), Abilities="1,2", Distance=4.0, Angle=60.0)
    robot_part = part("robot", "orrery.robots.jido.Jido", (-1.6, 0, 0), objects=[sensor])
    with load([floor(), robot_part] + people) as sim:
        sim.step(12)
        found = dict(sim["robot.rescue"].data.victim_dict)
    marks = Marks()
    marks.cone((-1.6, 0, 0.9), 4.0, radians(60), RED, 0.02)
    for name in found:
        marks.bar((-1.6, 0, 0.9), (*places[name], 0.9), GREEN, 0.06)
    return picture([floor(), dict(robot_part, objects=[])] + people + marks.objects(), (-2.8, -6.4, 5.2), (0.3, -0.2, 0.4))


@draws("sensors.radar_altimeter.RadarAltimeter")
def altimeter(classpath):
    """What it measures along a flight over boxes."""
    things = [floor(20), box("low", (1.4, 1.2, 0.5), (-0.8, 0, 0.25), (0.75, 0.55, 0.3)),
              box("high", (1.2, 1.2, 1.2), (1.0, 0, 0.6), (0.4, 0.55, 0.7))]
    marks = Marks()
    for i in range(25):
        x = -2.4 + 0.2 * i
        base = part("robot", "orrery.robots.fakerobot.FakeRobot", (x, 0, 2), objects=[part("radar", classpath)])
        with load(things + [base]) as sim:
            sim.step(2)
            z = sim["robot.radar"].data.z
        marks.bar((x, 0, 2), (x, 0, 2 - z), RED, 0.03)
    last = part("robot", "orrery.robots.quadrotor.Quadrotor", (2.4, 0, 1.95))
    return picture(things + [last] + marks.objects(), (0.8, -5.2, 2.2), (0.1, 0, 1.0))


@draws("sensors.thermometer.Thermometer")
def thermometer(classpath):
    """What thermometers read around two fires."""
    fires = {"fire": (-1.5, 0.6), "ember": (1.9, -0.8)}
    sources = [{"name": name, "position": [x, y, 0], "properties": {"Fire": 200.0 if name == "fire" else 80.0}}
               for name, (x, y) in fires.items()]
    grid = [(x * 0.5 - 4.75, y * 0.5 - 3.75) for x in range(20) for y in range(16)]
    probes = [part("p%d" % i, "orrery.robots.fakerobot.FakeRobot", (x, y, 0), objects=[part("t", classpath, Alpha=0.8)])
              for i, (x, y) in enumerate(grid)]
    with load(sources + probes) as sim:
        sim.step(2)
        read = [sim["p%d.t" % i].data.temperature for i in range(len(grid))]
    marks = Marks()
    for (x, y), t in zip(grid, read):
        share = min(1.0, round((t - 15) / 120 * 24) / 24)
        marks.dot((x, y, -0.24), (min(1.0, 0.2 + 2 * share), 0.2 + 0.6 * share * (share > 0.4), 0.85 * (1 - share)), 0.5)
    for x, y in fires.values():
        marks.dot((x, y, 0.1), (1, 1, 0.8), 0.15)
    return from_above(marks.objects() + [sun(0)], 8.6)


@draws("sensors.battery.Battery")
def battery(classpath):
    """A robot drives through a charging zone: red is discharging, green charging."""
    zone = {"name": "zone", "position": [0.4, 0, 0], "properties": {"Zone_Tag": True, "Type": "Charging"},
            "shapes": [{"kind": "box", "size": [2.4, 2.4, 2], "solid": False, "color": [0.3, 0.8, 0.4], "alpha": 0.35}]}
    base = part("robot", "orrery.robots.atrv.ATRV", (-3.2, -1.2, 0), (0, 0, 0.35),
                [part("battery", classpath, DischargingRate=4.0), part("motion", "orrery.actuators.v_omega.MotionVW")])
    marks = Marks()

    def drive(sim):
        sim["robot.motion"].data.v = 1.0
    with load([floor(), zone, base]) as sim:
        drive(sim)
        for _ in range(42):
            sim.step(9)
            x, y, _ = (float(v) for v in pose_of(sim, "robot")[:3])
            data = sim["robot.battery"].data
            charging = str(data.status) != "Discharging"
            marks.bar((x, y, 0.02), (x, y, 0.02 + 0.015 * float(data.charge)), GREEN if charging else RED, 0.08)
    return picture([floor(), zone, base] + marks.objects(), (-1.2, -6.4, 5.0), (0.1, 0, 0.2), act=drive, ticks=378)


# -- Arms and what they hold -----------------------------------------------------------------------------


# -- Arms and what they hold -----------------------------------------------------------------------------


@draws("actuators.kuka_lwr.KukaLWR", "actuators.armature.Armature", "actuators.pa_10.PA10")
def arm(classpath):
    """Joints as they were told; of the Armature by inverse kinematics, its target in red."""
    kuka = not classpath.endswith("PA10")
    entry = part("arm", "orrery.actuators.kuka_lwr.KukaLWR" if kuka else classpath)
    marks, target = Marks(), (0.45, -0.3, 0.75)

    def act(sim):
        if classpath.endswith("KukaLWR"):
            sim.call("robot.arm", "set_rotations", [0.4, 0.7, 0.0, -1.2, 0.0, 0.7, 0.0])
        elif kuka:
            sim.call("robot.arm", "place_IK_target", "kuka_7", list(target), [-pi / 2, 0, 0], False)
        else:
            sim.call("robot.arm", "set_rotation_array", 0.5, -0.5, -1.0, 0.0, -0.8, 0.0)
    if classpath.endswith("Armature"):
        marks.dot(target, RED, 0.07)
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", (0, 0, 0.4), objects=[entry])
    bench = box("bench", (0.7, 0.7, 0.4), (0, 0, 0.2), (0.5, 0.42, 0.35))
    return picture([floor(), bench, base] + marks.objects(), (1.5, -1.5, 1.35), (0.1, 0, 0.75), act=act, ticks=300)


@draws("actuators.gripper.Gripper", "actuators.grasp.Grasp")
def gripper(classpath):
    """The cone in which it takes hold, and what it holds."""
    hand = part("hand", "orrery.actuators.gripper.Gripper", (0, 0, 0.463), Angle=60.0, Distance=0.5)
    ball = {"name": "ball", "position": [0.9, 0.08, 0.55], "body": {"type": "static"}, "properties": {"Graspable": True},
            "shapes": [{"kind": "sphere", "radius": 0.06, "color": list(ORANGE)}]}
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", (0.4, 0, 0.5), (0, pi / 2, 0), [dict(hand, position=[0, 0, 0])])
    marks = Marks()
    marks.cone((0.4, 0, 0.5), 0.5, radians(60), RED, 0.006)

    def act(sim):
        sim.step(2)
        if classpath.endswith("Grasp"):
            sim.call("robot.hand", "grab")
    return picture([floor(), ball, base] + marks.objects(), (1.3, -1.3, 1.0), (0.65, 0, 0.5), act=act, ticks=3)


@draws("actuators.ptu.PTU", "actuators.pan_tilt.PanTilt")
def pan_tilt(classpath):
    """It looks at the ball."""
    head = {"name": "head", "position": [0.03, 0, 0.02], "shapes": [
        {"kind": "box", "size": [0.1, 0.06, 0.05], "solid": False, "color": [0.2, 0.25, 0.5]}]}
    unit = part("ptu", "orrery.actuators.ptu.PTU", (0, 0, 0.6), objects=[head])
    ball = {"name": "ball", "position": [0.6, -0.35, 0.9], "shapes": [
        {"kind": "sphere", "radius": 0.06, "color": list(ORANGE), "solid": False}]}
    post = {"name": "post", "position": [0, 0, 0.3], "shapes": [
        {"kind": "cylinder", "radius": 0.04, "height": 0.6, "solid": False, "color": [0.5, 0.5, 0.5]}]}
    marks = Marks()
    marks.bar((0.02, 0, 0.65), (0.6, -0.35, 0.9), RED, 0.006)
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", objects=[unit])
    return picture([floor(), post, ball, base] + marks.objects(), (0.7, -1.4, 1.15), (0.25, -0.1, 0.72),
                   act=lambda sim: sim.call("robot.ptu", "look_at_object", "ball"), ticks=240)


@draws("actuators.arucomarker.Arucomarker")
def marker(classpath):
    """As a camera on the robot would have found it."""
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", (0, 0, 0.3), objects=[part("marker", classpath)])

    def act(sim):
        record = sim["robot.marker"].data
        record.z, record.yaw = 0.4, 0.3
    return picture([floor(), base], (0.1, 0.1, 0.42), (0.4, 0, 0.29), act=act, ticks=7)


@draws("actuators.human.HumanSkeleton")
def skeleton(classpath):
    """The joints of a person, as they stand."""
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", objects=[part("skeleton", classpath)])
    return picture([floor(), base], (2.6, -1.6, 1.7), (0, 0, 0.85), ticks=10)


@draws("actuators.pr2.PR2Head", "actuators.pr2.PR2LeftArm", "actuators.pr2.PR2RightArm", "actuators.pr2.PR2Torso")
def pr2(classpath):
    """A part of the PR2, by itself."""
    unit = part("part", classpath, (0, 0, 0.8))
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", objects=[unit])
    small = classpath.endswith("Head")
    return picture([floor(), base], *(((0.9, -0.7, 1.2), (0.05, 0, 0.82)) if small else ((1.5, -1.2, 1.3), (0.2, 0, 0.8))))


@draws("actuators.light.Light", "actuators.lamp.Lamp")
def light(classpath):
    """A spot in a dim room."""
    lamp = part("light", "orrery.actuators.light.Light", (0.5, 0, 0.7), (0, 0.25, 0), energy=2.0, size=0.9)
    base = part("robot", "orrery.robots.atrv.ATRV", (-2.6, -0.6, 0), (0, 0, 0.2), [lamp])
    things = [entry for entry in room() if entry["name"] not in ("wall_s", "wall_w")]
    return picture(things + [base, sun(0.12)], (-4.4, -5.0, 4.4), (0.1, 0.1, 0.2), 28)


# -- Where robots go -------------------------------------------------------------------------------------


def driven(robot, actuator, act, ticks, at=(0, 0, 0), yaw=0.0, height=7.0, others=(), view=None, **options):
    """A robot, what moves it, and the way that it went."""
    base = part("robot", robot, at, (0, 0, yaw), [actuator])
    things = [floor(20), base] + list(others)
    marks = trail(things, act, ticks, **options)
    things += marks.objects()
    environment = {key: value for key, value in options.items() if key in ("physics",)}
    if view:
        return picture(things, *view, act=act, ticks=ticks, **environment)
    return from_above(things, height, act=act, ticks=ticks, **environment)


def goals(*places, color=GREEN, size=0.14):
    marks = Marks()
    for place in places:
        marks.dot(place, color, size)
    return [dict(entry, name="goals") for entry in marks.objects()]


def tell(**fields):
    """A message to the actuator."""
    def act(sim):
        for name, value in fields.items():
            setattr(sim["robot.act"].data, name, value)
    return act


ATRV = "orrery.robots.atrv.ATRV"


@draws("actuators.v_omega.MotionVW")
def vw(classpath):
    return driven(ATRV, part("act", classpath), tell(v=1.0, w=0.6), 480, (-0.3, -1.7, 0))


@draws("actuators.v_omega_diff_drive.MotionVWDiff")
def vw_diff(classpath):
    return driven("orrery.robots.pioneer3dx.Pioneer3DX", part("act", classpath), tell(v=0.6, w=-0.6), 480, (0, 1.0, 0),
                  height=4.5)


@draws("actuators.xy_omega.MotionXYW")
def xyw(classpath):
    return driven(ATRV, part("act", classpath), tell(x=0.8, y=0.4), 240, (-1.6, -0.8, 0))


@draws("actuators.destination.Destination")
def destination(classpath):
    """Straight to the goal, without a turn."""
    return driven(ATRV, part("act", classpath, Speed=1.0), tell(x=2.0, y=1.2, z=0.1), 300, (-2, -1, 0),
                  others=goals((2.0, 1.2, 0.05)))


@draws("actuators.waypoint.Waypoint")
def waypoint(classpath):
    """To the goal, and round what its radars see."""
    crate = box("crate", (0.8, 0.8, 0.8), (0, 0.25, 0.4), (0.75, 0.55, 0.3))
    return driven(ATRV, part("act", classpath), tell(x=3.0, y=0.0, z=0.0, tolerance=0.3), 900, (-3, 0, 0), height=8,
                  others=[crate] + goals((3.0, 0.0, 0.05)))


@draws("actuators.steer_force.SteerForce")
def steer(classpath):
    """A car with its wheels turned."""
    return driven("orrery.robots.hummer.Hummer", part("act", classpath), tell(force=-8.0, steer=0.35), 420, (-4, -4, 1.2), 0,
                  physics="orrery.physics.bullet.Bullet", view=((-2, -14, 10), (-0.5, 0.5, 0)), lift=-0.7)


FLOWN = ((-1.5, -5.6, 3.2), (0.6, 0, 1.4))
DRONE = "orrery.robots.quadrotor_dynamic.Quadrotor"
BULLET = {"physics": "orrery.physics.bullet.Bullet"}


@draws("actuators.rotorcraft_waypoint.RotorcraftWaypoint")
def fly(classpath):
    """Up and to the goal."""
    return driven(DRONE, part("act", classpath), lambda sim: sim.call("robot.act", "goto", 2.4, 0.5, 2.2, 0.0), 720,
                  (-1.6, -0.5, 0.3), others=goals((2.4, 0.5, 2.2)), view=FLOWN, **BULLET)


@draws("actuators.rotorcraft_velocity.RotorcraftVelocity")
def fly_by_velocity(classpath):
    return driven(DRONE, part("act", classpath), tell(vx=0.8, vy=0.0, vz=0.45, vyaw=-0.4), 300, (-1.6, -0.5, 0.3), view=FLOWN,
                  **BULLET)


@draws("actuators.rotorcraft_attitude.RotorcraftAttitude")
def fly_by_attitude(classpath):
    return driven(DRONE, part("act", classpath), tell(pitch=-0.12, roll=0.0, thrust=0.52), 110, (-1.6, -0.5, 0.6), view=FLOWN,
                  **BULLET)


@draws("actuators.stabilized_quadrotor.StabilizedQuadrotor")
def fly_stable(classpath):
    return driven("orrery.robots.quadrotor.Quadrotor", part("act", classpath), tell(theta_c=0.06, h_c=1.8), 220,
                  (-1.8, -0.5, 0.3), view=FLOWN)


# -- What modifiers do to values --------------------------------------------------------------------------

FAULTS = {
    "Bias": {"bias": 0.35}, "Delay": {"delay": 0.4}, "DropOut": {"probability": 0.04, "duration": 0.25},
    "Gaussian": {"sigma": 0.12}, "Jitter": {"sigma": 0.06}, "Outliers": {"probability": 0.05, "sigma": 0.7},
    "Quantisation": {"step": 0.4}, "RandomWalk": {"sigma": 0.25}, "RateLimit": {"rate": 0.8},
    "StuckValue": {"start": 2.0, "duration": 1.2},
}


@draws(*("modifiers.noise." + name for name in FAULTS))
def fault(classpath):
    """A value that goes up and down over six seconds: the true one in grey, what comes out in red."""
    name = classpath.rsplit(".", 1)[1]
    sensor = part("pose", "orrery.sensors.pose.Pose")
    base = part("robot", "orrery.robots.fakerobot.FakeRobot", objects=[sensor])
    table = {"robot.pose": [[classpath, "OUT", dict(FAULTS[name], field="y")]]}
    if name in ("Delay", "DropOut", "Jitter"):
        table["robot.pose"][0][2].pop("field")
    marks, true = Marks(), []
    with load([base], component_modifier=table, seed=3) as sim:
        out = []
        sim["robot.pose"].subscribe(lambda record: out.append((sim.ticks, record.timestamp, record.y)))
        for i in range(360):
            y = sin(2 * pi * i / 180)
            true.append((i / 60 - 3, y, 0))
            sim.move("robot", (0, y, 0))
            sim.step(1)
    marks.path(true, (0.5, 0.5, 0.5), 0.04)
    for tick, stamp, y in out:
        when = stamp if name == "Jitter" else (tick + 1) / 60
        marks.dot((when - 3, y, 0.05), RED, 0.055)
    marks.bar((-3.1, -1.9, 0), (3.1, -1.9, 0), DARK, 0.02)
    marks.bar((-3.1, -1.9, 0), (-3.1, 1.9, 0), DARK, 0.02)
    ground = {"name": "sheet", "shapes": [{"kind": "box", "size": [20, 20, 0.02], "position": [0, 0, -0.3], "solid": False,
                                           "color": [1, 1, 1], "emission": 1}]}
    return from_above([ground] + marks.objects(), 7.0)


@draws("modifiers.pose_noise.PoseNoiseModifier", "modifiers.pose_noise.PositionNoiseModifier",
       "modifiers.pose_noise.OrientationNoiseModifier")
def pose_noise(classpath):
    """Where a robot that stands still is said to be, and which way it is said to look."""
    sensor = part("pose", "orrery.sensors.pose.Pose")
    base = part("robot", ATRV, objects=[sensor])
    options = {}
    if "Orientation" not in classpath:
        options["pos_std"] = 0.12
    if "Position" not in classpath:
        options["rot_std"] = 0.12
    marks = Marks()
    with load([base], component_modifier={"robot.pose": [[classpath, "OUT", options]]}, seed=3) as sim:
        for _ in range(80):
            sim.step(1)
            data = sim["robot.pose"].data
            x, y, yaw = data.x, data.y, data.yaw
            marks.dot((x, y, 1.0), RED, 0.04)
            marks.bar((x, y, 1.0), (x + 1.1 * cos(yaw), y + 1.1 * sin(yaw), 1.0), (1.0, 0.6, 0.5), 0.008)
    return from_above([floor(), part("robot", ATRV)] + marks.objects(), 4.2)


@draws("modifiers.odometry_noise.OdometryNoiseModifier")
def odometry_noise(classpath):
    """Twice round a circle: where the robot was, and where its odometry says that it was."""
    parts = [part("odometry", "orrery.sensors.odometry.Odometry", level="integrated"),
             part("motion", "orrery.actuators.v_omega.MotionVW")]
    base = part("robot", ATRV, (0, -1.5, 0), objects=parts)
    table = {"robot.odometry": [[classpath, "OUT", {"factor": 1.08, "gyro_drift": 0.0004, "factor_sigma": 0.02}]]}
    true, said, marks = [], [], Marks()

    def act(sim):
        sim["robot.motion"].data.v, sim["robot.motion"].data.w = 1.2, 0.8
    with load([floor(), base], component_modifier=table, seed=3) as sim:
        act(sim)
        for _ in range(158):
            sim.step(6)
            x, y = (float(v) for v in pose_of(sim, "robot")[:2])
            true.append((x, y, 0.02))
            said.append((sim["robot.odometry"].data.x, sim["robot.odometry"].data.y, 0.05))
    marks.path(true, DARK, 0.04)
    marks.path(said, RED, 0.05)
    return from_above([floor(), base] + marks.objects(), 6.5, act=act, ticks=948)


def main(directory=None, *names):
    directory = directory or os.path.join(os.path.dirname(os.path.abspath(__file__)), "pictures")
    os.makedirs(directory, exist_ok=True)
    for name in names or sorted(DRAWN):
        save_png(os.path.join(directory, name.removeprefix("orrery.") + ".png"), DRAWN[name](name))
        print(name, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
