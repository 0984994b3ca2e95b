# SPDX-License-Identifier: BSD-3-Clause
"""What the builder writes is what docs/scene.schema.json says; it refuses what is not."""

import copy
import json
import os
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
robot = ATRV(); robot.translate(1, 2, 3); robot.rotate(z=1.5); robot.set_mass(3)
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
env.set_physics('orrery.physics.kinematic.Kinematic'); env.set_raycaster('orrery.raycasters.exact.Exact'); env.set_seed(5); env.properties(longitude=1.5)
env.configure_stream_manager('socket', sync_port=1)
"""


# Keys that are written by hand, not by the builder.
BY_HAND = {
    "environment": {
        "renderer": "a.B",
        "script_order": "level",
        "add_ons": [{"classpath": "a.B", "priority": "first", "enabled": False, "properties": {}}, {"classpath": "a.C"}],
        "sandbox": {"classpath": "a.D", "enabled": True, "properties": {"x": 1}},
    },
    "object": {
        "priority": "last",
        "scripts_inactive": True,
        "lamp": {"kind": "spot", "color": [1, 1, 1], "energy": 1, "direction": [1, 0, 0], "shadows": False},
        "shapes": [{"kind": "sphere", "radius": 1, "alpha": 0.5, "emission": 1, "visible": False}],
        "scripts": [
            {"type": "child", "classpath": "a.B", "priority": "normal", "traversal": "parent", "enabled": False},
            {"type": "customization", "classpath": "a.B", "properties": {}},
        ],
    },
}


@unittest.skipIf(jsonschema is None, "no python3-jsonschema")
class Schema(BuilderCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "scene.schema.json"), encoding="utf-8") as stream:
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
        self.assertEqual(self.complaints(built.scene), [])

    def test_scene_with_everything(self):
        self.assertEqual(self.complaints(self.built(EVERYTHING).scene), [])

    def test_tables_in_the_scene(self):
        built = self.built(EVERYTHING)
        scene = dict(built.scene, **built.config)
        del scene["component_config"]
        self.assertEqual(self.complaints(scene), [])

    def test_every_key_that_the_builder_writes_is_described(self):
        scene = self.built(EVERYTHING).scene
        environment = self.validator.schema["$defs"]["environment"]["properties"]
        written = [key for key in environment if key not in BY_HAND["environment"]]
        self.assertEqual(list(scene["environment"]), written)

    def test_keys_written_by_hand(self):
        scene = self.built(EVERYTHING).scene
        scene["environment"].update(BY_HAND["environment"])
        scene["objects"][0].update(BY_HAND["object"])
        self.assertEqual(self.complaints(scene), [])

    def test_what_is_wrong_is_refused(self):
        good = self.built(EVERYTHING).scene

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
