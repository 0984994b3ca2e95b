# SPDX-License-Identifier: BSD-3-Clause
"""Objects of every class as a running simulation has them, with arguments that make no sense: no signal ends the process."""

import json
import os
import shutil
import subprocess
import sys
import unittest
import xml.etree.ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import python_case  # noqa: E402
from python_case import ENVIRONMENT, READY, PythonCase, cli  # noqa: E402

import tap  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
GIR = os.path.join(cli.BUILD, "share/gir-1.0/Orrery-1.gir")
CORE = "{http://www.gtk.org/introspection/core/1.0}"
GLIB = "{http://www.gtk.org/introspection/glib/1.0}"

PROGRAM = r'''
import gc
import os
import sys

import odd
import orrery
from gi.repository import GLib, GObject, Orrery

simulation_call = orrery._native.simulation_call
options = dict(plugin_dirs=["plugins"], pacing=orrery.Pacing.FAST)


class Number(GObject.Object, Orrery.Value):
    """A type of a user's own that crosses channels."""

    def do_get_size(self):
        return 8

    def do_get_parameters(self):
        return None


RECORDER = "orrery.observers.recorder.Recorder"


def record():
    """A recording of a few ticks."""
    sim = load()
    sim.add_observer(RECORDER, GLib.Variant("a{sv}", {"file": GLib.Variant("s", "odd.mcap")}))
    sim.step(3)
    sim.close()


def connected():
    """A channel, and both of its ends."""
    latest = Orrery.Channel.new_latest("latest", 64, True)
    emitter, receiver = Orrery.Emitter.new(latest), Orrery.Receiver.new(latest)
    emitter.emit(bytes(64), 1)
    receiver.read()
    return latest, emitter, receiver


def furnished():
    """A world with something in it."""
    world = orrery.World.new()
    shape = orrery.Shape.new(orrery.ShapeKind.BOX, orrery.Vec3.new(1, 1, 1), None)
    material = orrery.Material.new(1, 0, 0, 1)
    shape.add_material(material)
    world.add_object("thing", None).add_shape(shape)
    return world, shape, material


def looped(clock):
    """A loop, and what runs it."""
    hybrid = Orrery.Hybrid.new(clock, "local")
    return hybrid, hybrid.add_loop("loop", lambda *more: None, None)


def beside():
    """What needs no simulation: functions that make one each, with nobody else who has anything of it."""
    text = b'{"a": [1, "b"]}'
    clock = lambda: orrery.ManualClock.new(0, True)
    made = [lambda at=at: connected()[at] for at in range(3)] + [lambda at=at: furnished()[at] for at in range(3)]
    made += [lambda at=at: looped(clock())[at] for at in range(2)]
    return made + [
        clock, lambda: Orrery.Channel.new_local("values", 5), lambda: connected()[2].hold_buffer(),
        lambda: orrery.Scheduler.new(clock(), None),
        lambda: orrery.Scheduler.new(clock(), None).add(lambda: iter(()), name="task", period=1.0),
        lambda: orrery.Node.parse_json(text, "FILE"), lambda: orrery.WallClock.new(1.0), orrery.Registry.new, orrery.Options,
        orrery.Writer.new, orrery.Reader.new, orrery.Loader.get_default, lambda: orrery.Geodesy.new(0.1, 0.7, 100.0, 0.0),
        lambda: orrery.MessageCatalogue.new(["."], None), lambda: orrery.Transform.new(None, None),
        lambda: orrery.Vec3.new(1, 2, 3), lambda: orrery.Quat.new(1, 0, 0, 0), lambda: Orrery.Playback.new(0, 1000),
        lambda: Orrery.Vector.new(orrery.Registry.new(), "many.json", None, 1, ["robot.pose.x"], ["robot.motion.v"], ["time"]),
        lambda: orrery.Euler.new(0, 0, 1), Number, lambda: Orrery.RecordingReader.open("odd.mcap")]


def of(sim):
    """Live ones, all that the parts have kept, and what these lead to."""
    parts = sys.modules["acme.parts"]
    things = [sim, Orrery.Table.new(sim, ["robot.eye"], ["x"])]
    for name in "leg", "robot.eye/Bend#0", "robot/child", "wire", "desk":
        part = sim.find_part(name)
        things += [part] if part is not None else []
    for lent in parts.kept.values():
        things += lent
    things += [simulation_call(sim, "simulation", "list_robots", GLib.Variant("av", [])).get_part()]
    things += [sim.add_observer(RECORDER, GLib.Variant("a{sv}", {"file": GLib.Variant("s", "live.mcap")}))]
    things += [sim["robot.eye"].get_object(), sim["robot.eye"].get_record().get_schema()]
    return things


def unlike(things):
    """Not two of one sort that are the same to whoever calls them."""
    found = {}
    for thing in things:
        if isinstance(thing, (GObject.Object, GObject.GBoxed)):
            found.setdefault(id(thing), thing)
    return list(found.values())


def load():
    sim = orrery.load("scene.json", **options)
    call = sim.call("robot.eye", "look", 1.0)
    sim.step(3)
    if isinstance(call, orrery.Call):
        call.cancel()
    return sim


def pick(sort):
    """One thing of that sort from a simulation that is gone, and nobody else has anything of it."""
    sim = load()
    thing = next((each for each in unlike(of(sim)) if type(each).__name__ == sort), None)
    dropped = sim.weak_ref()
    sim.close()
    sys.modules["acme.parts"].kept.clear()
    del sim
    gc.collect()
    if dropped() is not None and sort != "Simulation":
        print("# kept alive by", sort, file=sys.stderr)
    return thing


def try_lent(function):
    """In a process of its own: calls what that function is lent, while it is."""
    parts = sys.modules["acme.parts"]
    parts.kept.clear()
    parts.at_once.add(function)
    try:
        load()
    except Exception:
        # What was done to it may well be an error of the scene.
        pass
    print("refused", parts.refused, flush=True)
    os._exit(0 if parts.refused > 0 else 3)


mode = sys.argv[1]
record()
sys.modules["acme.parts"].kept.clear()
sim = load()
if mode == "lent":
    sim.close()
    for function in list(sys.modules["acme.parts"].kept):
        print("in", function, flush=True)
        child = os.fork()
        if child == 0:
            try_lent(function)
        status = os.waitpid(child, 0)[1]
        if status != 0:
            sys.exit("%s: %d" % (function, status))
    os._exit(0)
lent, alone = of(sim), [make() for make in beside()]
things = unlike(lent + alone)
if mode == "classes":
    for name in sys.argv[2:]:
        if not any(isinstance(thing, getattr(Orrery, name, ())) for thing in things):
            print(name, flush=True)
    os._exit(0)
if mode == "live":
    # What it is told first may end it.
    things = things[1:] + things[:1]
elif mode in ("closed", "gone", "alone"):
    sim.close()
if mode in ("gone", "alone"):
    things = things[1:]
    sorts = sorted({type(thing).__name__ for thing in unlike(lent)})
    del sim, lent, alone
    gc.collect()
if mode == "alone":
    sys.modules["acme.parts"].kept.clear()
    things = []
    gc.collect()
    refused = 0
    for sort in sorts:
        print("alone", sort, flush=True)
        refused += odd.abuse([pick(sort)], beside=[])
    for make in beside():
        refused += odd.abuse([make()], beside=[])
    print("refused", refused, flush=True)
else:
    print("refused", odd.abuse(things, odd.virtual if mode == "virtual" else odd.methods), flush=True)
# What is left may be in any state; its end is no part of this.
os._exit(0)
'''

IMPORTER = """
    import acme.parts
    import orrery

    @orrery.plugin
    class Importer(orrery.Importer):
        def do_load(self, path, data):
            acme.parts.keep("Importer.load", self, data)
            data.add_object("imported", None)
    """
OURS = {"physics": "acme.parts.Ground"}
OTHERS = {"physics": "orrery.physics.bullet.Bullet"}


def scene(engines):
    robot = {"name": "robot", "classpath": "acme.parts.Body", "scripts": [{"type": "child", "classpath": "acme.parts.Plan"}],
             "objects": [{"name": "eye", "classpath": "acme.parts.Eye"}, {"name": "leg", "classpath": "acme.parts.Leg"}]}
    stream = [["acme.parts.Wire", "acme.parts.Words", {}]]
    return json.dumps({
        "orrery": 1, "environment": dict(ENVIRONMENT, **engines),
        "objects": [robot, {"name": "thing", "import": {"file": "thing.odd"}}],
        "component_modifier": {"robot.eye": [["acme.parts.Bend", {}]]},
        "component_datastream": {"robot.eye": stream, "robot.leg": stream},
        "component_service": {"robot.eye": ["acme.parts.Desk"]},
        "overlays": {"acme.parts.Desk": {"robot.eye": ["acme.parts.Cover", {}]}}})


def classes_of_the_gir():
    """Names of all that has methods in a binding, or is one of what has."""
    names = []
    for node in xml.etree.ElementTree.parse(GIR).getroot().find(CORE + "namespace"):
        if node.tag in (CORE + "class", CORE + "record", CORE + "interface") and node.get(GLIB + "get-type"):
            names.append(node.get("name"))
    return names


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class OddLive(PythonCase):
    def run_program(self, *arguments, engines=OURS):
        self.module("acme/__init__.py", "")
        self.module("orrery/importers/odd.py", IMPORTER)
        shutil.copy(os.path.join(HERE, "fixtures/odd_parts.py"), self.path("plugins/acme/parts.py"))
        self.write("thing.odd", "")
        self.write("many.json", python_case.scene(("pose", "orrery.sensors.pose.Pose"),
                                                  ("motion", "orrery.actuators.v_omega.MotionVW")))
        self.write("scene.json", scene(engines))
        self.write("program.py", PROGRAM)
        environment = {name: value for name, value in self.environment().items() if name != "G_DEBUG"}
        # What is freed reads as nonsense, so that whoever reads it is found.
        environment.update(PYTHONPATH=HERE, MALLOC_PERTURB_="165")
        done = subprocess.run([cli.PROGRAM, "python", "program.py", *arguments], capture_output=True, text=True,
                              cwd=self.directory, env=environment, timeout=600)
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, "%s: %s" % (lines[-3:], done.stderr[-2000:]))
        return lines

    def check_no_signal(self, mode, least, **options):
        lines = self.run_program(mode, **options)
        self.assertGreater(len(lines), least)
        self.assertGreater(int(lines[-1].split()[1]), 50 * least)

    def test_every_class_is_there(self):
        """What the typelib has and no program below has an object of, by name."""
        names = classes_of_the_gir()
        self.assertGreater(len(names), 50)
        self.assertEqual(self.run_program("classes", *names), [])
        self.assertEqual(self.run_program("classes", "Cube"), ["Cube"])

    def test_live(self):
        self.check_no_signal("live", 500)

    def test_closed(self):
        self.check_no_signal("closed", 500)

    def test_gone(self):
        self.check_no_signal("gone", 500)

    def test_alone(self):
        """What somebody keeps, when its simulation and all that was around it is gone."""
        self.check_no_signal("alone", 400)

    def test_of_other_engines(self):
        for mode in "live", "alone":
            with self.subTest(mode):
                self.check_no_signal(mode, 300, engines=OTHERS)

    def test_while_it_is_lent(self):
        """Inside the functions that get it."""
        lines = self.run_program("lent")
        self.assertGreater(len([line for line in lines if line.startswith("in ")]), 25)

    def test_virtual_functions(self):
        """As `super ().do_sense (...)` calls them."""
        self.check_no_signal("virtual", 50)


if __name__ == "__main__":
    tap.main()
