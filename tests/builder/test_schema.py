# SPDX-License-Identifier: BSD-3-Clause
"""What the builder writes is what scene.schema.json says; it refuses what is not."""

import copy
import json
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import tap
from support import PLUGINS, SOURCE, BuilderCase

try:
    import jsonschema
except ImportError:
    jsonschema = None

EVERYTHING = """
robot = ATRV(); robot.translate(1, 2, 3); robot.rotate(z=1.5); robot.set_mass(3); robot.set_color(1, 0, 0)
robot.set_material('rusty')
pose = Pose(); pose.frequency(0.5); pose.properties(any=[1, None, {'x': 'y'}]); robot.append(pose)
odo = Odometry(); odo.add_stream('socket'); robot.append(odo)
robot.alter('ClockOffset', offset=1)
odo.add_overlay('socket', 'acme.sonar.Loud', volume=1)
odo.add_interface('socket')
pose.placement('worker', transport='latest', free_running=True, timeout=1, memory=64, restarts=3)
odo.placement('shared', on_failure='zero', start_timeout=9, back_off=0.5)
env = Environment('empty')
env.simulator_frequency(50, 3, 4); env.set_time_strategy(TimeStrategies.FixedSimulationStep)
env.set_time_scale(slowdown_by=3); env.use_relative_time(True); env.set_gravity(1); env.set_physics_step_sub(7)
env.set_physics('orrery.physics.kinematic.Kinematic'); env.set_raycaster('orrery.raycasters.exact.Exact'); env.set_room(9)
thing = bpymorse.get_object('Ground'); thing.location = thing.rotation_euler = thing.scale = (1, 2, 3)
thing = bpymorse.get_object('Box'); thing.translate(1); thing.rotate(1); thing.hide_render = True
thing.game.mass = 2; thing.properties(Object=True)
env.set_seed(5); env.import_components(False); env.properties(longitude=1.5); env.set_renderer('acme.scripts.Draw')
env.configure_stream_manager('socket', sync_port=1); env.set_start(3.5)
env.set_script_order('level'); env.add_add_on('acme.scripts.Patrol', priority='first', enabled=False)
env.add_add_on('acme.scripts.Patrol', range=3); env.set_sandbox('acme.scripts.Patrol', enabled=True, x=1)
env.configure_multinode(distribution={'here': ['robot'], 'there': []}); env.create('here')
robot.priority('last'); robot.deactivate_scripts(); robot.add_script('acme.scripts.Patrol', priority='normal')
robot.add_script('acme.scripts.Patrol', 'customization', traversal='parent', enabled=False, x=1)
robot.set_friction(1); robot._bpy_object.game.damping = 0.1; robot._bpy_object.game.collision_margin = 0.01
robot._bpy_object.game.lock_location_x = robot._bpy_object.game.lock_rotation_z = True
robot._bpy_object.game.restitution = 0.5; robot.set_rigid_body(); pose.transport('queue')
open('x.blend', 'w').close()
thing = PassiveObject('x.blend', 'Box'); thing.import_components(False)
for shape in (Cube(), Sphere(), Cylinder(), Cone(), Torus(), Plane()):
    shape.color(1, 0, 0); shape.translate(1)
seat = robot.append_meshes(['Seat'], 'x.blend')[0]; seat.location = (1, 2, 3); seat.rotation_euler = (0, 0, 1)
robot.add_default_interface('socket')
lamp = Spot('lamp'); lamp.lamp(1, (1, 1, 1), 5, 0.5)
env.randomise('robot.position[0]', 'normal(0, 1)', 'add')
env.add_material('rusty', (1, 0, 0), 'rust.png', alpha=1, specular=0, shininess=0, emission=0)
env.randomise('robot.pose.any', 'choice([1, 2])', every=0.5)
env.randomise('robot.odo.level', 'uniform(0, 1)', every_ticks=3)
"""


BUILD = os.environ.get("ORRERY_TEST_BUILDDIR")


#: Keys that only worlds written by hand have, and those of classes.
BY_HAND = {
    "body": ("gravity",),
    "shape": ("position", "rotation", "alpha", "specular", "shininess", "emission", "visible"),
    "lamp": ("blend", "shadows", "on"),
    "object": ("joint", "visual"),
    "scene": ("spawnables",),
    "spawnable": ("object", "count"),
}


WORKING = {
    "name": "robot",
    "classpath": "orrery.core.robot.Robot",
    "objects": [{"name": "pose", "classpath": "orrery.sensors.pose.Pose", "placement": "w"}],
}


def beyond(description, defs):
    """A value that a schema of one key refuses; None: one that is hard to say."""
    while "$ref" in description:
        description = defs[description["$ref"].rsplit("/", 1)[1]]
    if "enum" in description:
        return "unheard-of"
    if "maximum" in description:
        return description["maximum"] * 2
    if "minimum" in description:
        return description["minimum"] - 1
    return {"boolean": 0, "object": [], "array": 5, "string": 5, "number": "1"}.get(description.get("type"))


@unittest.skipIf(jsonschema is None, "no python3-jsonschema")
@unittest.skipIf(BUILD is None, "no program, and no schema that it would have written")
class Schema(BuilderCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(BUILD, "docs", "scene.schema.json"), encoding="utf-8") as stream:
            schema = json.load(stream)
        jsonschema.Draft202012Validator.check_schema(schema)
        self.validator = jsonschema.Draft202012Validator(schema)

    def complaints(self, scene):
        return [
            "%s: %s" % (error.json_path, error.message)
            for error in self.validator.iter_errors(scene)
        ]

    def test_first_scene(self):
        built = self.run_builder(
            os.path.join(SOURCE, "examples", "first_scene.py"),
            "-o",
            "out",
            "--plugins-json",
            PLUGINS,
        )
        self.assertEqual(self.complaints(built.whole), [])

    def test_scene_with_everything(self):
        self.assertEqual(self.complaints(self.built(EVERYTHING).whole), [])

    def test_tables_in_the_scene(self):
        built = self.built(EVERYTHING)
        scene = dict(built.whole, **built.config)
        del scene["component_config"]
        self.assertEqual(self.complaints(scene), [])

    def test_every_key_that_the_builder_writes_is_described(self):
        scene = self.built(EVERYTHING).whole
        environment = self.validator.schema["$defs"]["environment"]["properties"]
        self.assertEqual(sorted(scene["environment"]), sorted(environment))

        changed = {key for change in scene["environment"]["changes"] for key in change}
        known = set(self.validator.schema["$defs"]["change"]["properties"])
        self.assertEqual(changed, known - {"size"})  # that is for worlds made by hand

    def test_every_key_that_is_described_can_be_written(self):
        """By the builder, but for the few that are for worlds made by hand."""
        scene = self.built(EVERYTHING).whole
        defs = self.validator.schema["$defs"]
        written = {name: set() for name in ("object", "body", "shape", "import", "lamp", "script", "interface")}

        def walk(thing):
            written["object"].update(thing)
            for name in ("body", "import", "lamp"):
                written[name].update(thing.get(name, {}))
            for name, key in (("shape", "shapes"), ("script", "scripts"), ("interface", "interfaces")):
                written[name].update(key for item in thing.get(key, []) for key in item)
            for child in thing.get("objects", []):
                walk(child)

        for thing in scene["objects"]:
            walk(thing)
        for name, keys in written.items():
            if name in defs:
                rest = set(defs[name]["properties"]) - keys - set(BY_HAND.get(name, ()))
                self.assertEqual(rest - {"placement"}, set(), name)

    def chunks(self):
        """Of each object of a scene, a few keys at a time, and how to make a scene of them."""
        defs = self.validator.schema["$defs"]
        places = {
            "environment": lambda keys: {"environment": keys},
            "object": lambda keys: {"objects": [dict({"name": "a"}, **keys)]},
            "shape": lambda keys: {"objects": [{"name": "a", "shapes": [dict({"kind": "box"}, **keys)]}]},
            "script": lambda keys: {"objects": [{"name": "a", "scripts": [dict({"type": "child"}, **keys)]}]},
            "interface": lambda keys: {"objects": [{"name": "a", "interfaces": [keys]}]},
            "change": lambda keys: {"environment": {"changes": [dict({"name": "a"}, **keys)]}},
            "add_on": lambda keys: {"environment": {"add_ons": [keys]}},
            "sandbox": lambda keys: {"environment": {"sandbox": keys}},
            "worker": lambda keys: {"workers": {"w": keys}, "objects": [WORKING]},
        }
        for name in ("body", "import", "lamp", "joint", "visual"):
            places[name] = lambda keys, name=name: {"objects": [{"name": "a", name: keys}]}
        for name, place in places.items():
            described = defs[name]["properties"]
            for first in range(0, len(described), 8):  # at most 20 complaints are told
                with self.subTest(name, first=first):
                    yield place, {key: described[key] for key in list(described)[first : first + 8]}

    def test_the_host_knows_every_key_that_is_described(self):
        """Each with a value of no use: the host complains of the value, not of the key."""
        for place, keys in self.chunks():
            scene = place(dict.fromkeys([*keys, "unheard_of"]))
            self.assertRegex(self.unknown_keys(scene), r"(?s)\A[^\n]*'unheard_of'[^\n]*\Z")

    def test_the_host_refuses_what_the_schema_refuses(self):
        """Of single values: ranges, words and kinds."""
        defs = self.validator.schema["$defs"]
        tried = 0
        for place, keys in self.chunks():
            wrong = {key: beyond(description, defs) for key, description in keys.items()}
            wrong = {key: value for key, value in wrong.items() if value is not None}
            told = self.complaints_of_host(place(wrong))
            for key in wrong:
                self.assertNotEqual(self.complaints(dict(place({key: wrong[key]}), orrery=1)), [], key)
                self.assertRegex(told, r"'%s' is |no %s is called" % (key, key))
            tried += len(wrong)
        self.assertGreater(tried, 100)

    def complaints_of_host(self, scene):
        self.write("scene.json", json.dumps(dict(scene, orrery=1)))
        program = os.path.join(BUILD, "orrery")
        done = subprocess.run([program, "check", self.path("scene.json")], capture_output=True, text=True, timeout=120)
        return done.stderr

    def unknown_keys(self, scene):
        """The lines of the host's complaints that are about keys."""
        lines = self.complaints_of_host(scene).splitlines()
        return "\n".join(line for line in lines if re.search("has no (key|setting)|unheard_of", line))

    def test_what_is_wrong_is_refused(self):
        good = self.built(EVERYTHING).whole

        def broken(change):
            scene = copy.deepcopy(good)
            change(scene)
            return scene

        robot = lambda scene: scene["objects"][0]
        changes = {
            "no version": lambda s: s.pop("orrery"),
            "another version": lambda s: s.update(orrery=2),
            "an unknown key": lambda s: s.update(objekts=[]),
            "an unknown key of an object": lambda s: robot(s).update(positon=[0, 0, 0]),
            "an unknown key of the environment": lambda s: s["environment"].update(fps=60),
            "a dot in a name": lambda s: robot(s).update(name="a.b"),
            "no name": lambda s: robot(s).pop("name"),
            "two coordinates": lambda s: robot(s).update(position=[0, 0]),
            "a coordinate in words": lambda s: robot(s).update(rotation=[0, 0, "1"]),
            "no frequency": lambda s: robot(s).update(frequency=0),
            "a classpath of one word": lambda s: robot(s).update(classpath="ATRV"),
            "half a substep": lambda s: s["environment"].update(physics_substeps=1.5),
            "an unknown strategy": lambda s: s["environment"].update(time_strategy="slow"),
            "an entry without a codec": lambda s: s.update(
                component_datastream={"robot": [["a.B", {}]]}
            ),
            "a direction unknown": lambda s: s.update(
                component_datastream={"robot": [["a.B", "a.C", "UP", {}]]}
            ),
            "a script without a type": lambda s: robot(s).update(scripts=[{"classpath": "a.B"}]),
            "a script of the program on an object": lambda s: robot(s).update(
                scripts=[{"classpath": "a.B", "type": "sandbox"}]
            ),
            "three scripts": lambda s: robot(s).update(scripts=[{"classpath": "a.B", "type": "child"}] * 3),
            "a priority in numbers": lambda s: robot(s).update(priority=1),
            "an add-on in the tree": lambda s: s["environment"].update(
                add_ons=[{"classpath": "a.B", "traversal": "forward"}]
            ),
            "two sandboxes": lambda s: s["environment"].update(sandbox=[{"classpath": "a.B"}]),
            "an import without a file": lambda s: robot(s).update({"import": {"prefix": "x"}}),
            "a component that was created before all": lambda s: robot(s).update(created=-1),
            "an order of components by name": lambda s: s["environment"].update(component_order="name"),
            "an order by name": lambda s: s["environment"].update(script_order="name"),
            "a modifier without options": lambda s: s.update(
                component_modifier={"robot": [["a.B"]]}
            ),
        }
        self.assertEqual(self.complaints(good), [])
        for what, change in changes.items():
            with self.subTest(what):
                self.assertNotEqual(self.complaints(broken(change)), [])


if __name__ == "__main__":
    tap.main()
