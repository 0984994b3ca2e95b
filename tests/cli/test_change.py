# SPDX-License-Identifier: BSD-3-Clause
"""Clients, programs and scripts change quantities of a running world and attach objects; a recorded run does so again."""

import json
import os
import re
import socket
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import support
import tap

SCENE = {
    "orrery": 1,
    "environment": {"frequency": 60, "import": "empty", "use_relative_time": True, "physics": "orrery.physics.bullet.Bullet"},
    "objects": [
        {"name": "robot", "classpath": "orrery.robots.atrv.ATRV", "position": [-5, 0, 0.3]},
        {"name": "ball", "position": [0, 0, 50], "body": {"type": "rigid", "mass": 2, "damping": [0, 0]},
         "shapes": [{"kind": "sphere", "radius": 0.2}]},
        {"name": "crate", "position": [4, 0, 50], "body": {"type": "rigid", "mass": 1},
         "shapes": [{"kind": "box", "size": [0.3, 0.3, 0.3]}]},
        {"name": "lamp", "lamp": {"kind": "point", "energy": 2}}],
}

PROGRAM = """
import math
import sys
import orrery

simulation = orrery.load(sys.argv[1])
simulation.record(sys.argv[2])
simulation.step(5)
simulation.set("gravity", (0, 0, -2))
simulation.set("wind", [3, 0, 0])
simulation.set("ball.mass", 8)
simulation.set("ball.color", (1, 0.5, 0))
simulation.set("lamp.energy", 3)
simulation.set("crate.scale", (1, 2, 0.5))
simulation.set("robot.scale", (1.1, 1.1, 1.1))
simulation.attach_object("crate", "ball", (0, 0, 0.5), (0.3, 0, 0))
simulation.step(60)
assert simulation.get("gravity") == [0, 0, -2], simulation.get("gravity")
assert simulation.get("ball.mass") == 8
assert simulation.get("ball.color") == [1, 0.5, 0]
assert simulation.get("lamp.energy") == 3
assert simulation.get("crate.scale") == [1, 2, 0.5]
place = {name: pose for name, pose in zip(simulation.objects, simulation.poses)}
assert abs(place["crate"][2] - place["ball"][2] - 0.5) < 1e-6
simulation.detach_object("crate")
simulation.set("robot.friction", 0.01)
simulation.set("gravity[0]", 0.5)
simulation.set("gravity[2]", -1)
assert simulation.get("gravity") == [0, 0, -2], simulation.get("gravity")
simulation.step(1)
simulation.set("gravity[1]", 0.25)
simulation.step(59)
assert simulation.get("gravity") == [0.5, 0.25, -1], simulation.get("gravity")
assert simulation.get("gravity[2]") == -1, simulation.get("gravity[2]")
for path, value in (("ball.mass", math.nan), ("ball.mass", -1), ("ball.mass", "heavy"), ("ball.mass", (1, 2, 3)),
                    ("ball.mess", 1), ("bell.mass", 1), ("ball.color", (0, 0, 2)), ("ball.energy", 1), ("gravity", 3),
                    ("gravity", (0, 0, math.inf)), ("wind", None), ("gravity[3]", 1), ("gravity[0]", (1, 2, 3)),
                    ("gravity[x]", 1), ("ball.scale", 2), ("ball.scale", (1, 1, 2)), ("crate.scale", (0, 1, 1)),
                    ("lamp.scale", (1, 1, 1))):
    try:
        simulation.set(path, value)
    except Exception as error:
        print(type(error).__name__, error)
    else:
        raise SystemExit("%s took %r" % (path, value))
try:
    simulation.attach_object("ball", "ball")
except Exception as error:
    print(error)
simulation.step(30)
simulation.close()
"""

SCRIPTED = """
import orrery

sim = orrery.load("scene.json", plugin_dirs=["plugins"])
ball, crate = sim.objects.index("ball"), sim.objects.index("crate")
sim.step(20)
assert sim.get("gravity") == [0, 0, -9.81], sim.get("gravity")
apart = sim.poses[crate][0] - sim.poses[ball][0]
sim.step(1)
assert sim.get("gravity") == [0, 0, -1], sim.get("gravity")
speed = sim.get_world().get_snapshot().get_linear_velocity(ball).z
sim.step(30)
now = sim.get_world().get_snapshot().get_linear_velocity(ball).z
assert abs(now - speed + 0.5) < 1e-6, (speed, now)
assert abs(sim.poses[crate][0] - sim.poses[ball][0] - apart) < 1e-6
sim.detach_object("crate")
"""

SETTING = """
import sys
import orrery

sim = orrery.load(sys.argv[1], settings=["gravity=[0, 0, -2]"])
assert sim.get("gravity") == [0, 0, -2], sim.get("gravity")
sim.set("gravity", (0, 0, 0))
sim.step(1)
sim.reset()
assert sim.get("gravity") == [0, 0, -2], sim.get("gravity")
"""

SCRIPT = """
import orrery


@orrery.plugin
class Moon(orrery.Script):
    def sensing(self, tick):
        if tick.number == 20:
            self.call_by_name(tick, "simulation", "set", "gravity", [0.0, 0.0, -1.0])
            self.call_by_name(tick, "simulation", "attach", "crate", "ball")
"""


class Change(support.ProgramCase):
    def scene(self, **more):
        return self.write("scene.json", json.dumps(dict(SCENE, **more)))

    def test_program(self):
        """What a program changed is changed in the replay, to the last bit."""
        program = self.write("program.py", PROGRAM)
        done = self.orrery("python", program, self.scene(), self.path("run.mcap"))
        self.check(done, 0)
        for words in ("did you mean mass", "did you mean ball", "mass is from", "mass is one number", "gravity is three numbers",
                      "each number of color is from 0 to 1", "'ball' has no lamp", "cannot be attached to itself",
                      "'gravity' has 3 members", "an index is a whole number", "three equal numbers",
                      "each number of scale is from 0.001 to 1000", "'lamp' has no shape"):
            self.assertIn(words, done.stdout)
        done = self.orrery("replay", self.path("run.mcap"), "--hash")
        self.check(done, 0, "goes as it went", "155 ticks")
        # From its middle on, where values have changed.
        self.check(self.orrery("replay", self.path("run.mcap"), "--from", "1.5"), 0, "goes as it went")

    def test_script(self):
        """A script changes the world in the tick in which it says so."""
        os.makedirs(self.path("plugins/acme"))
        self.write("plugins/acme/moon.py", SCRIPT)
        self.write("scene.json", json.dumps(dict(SCENE, objects=[
            dict(SCENE["objects"][0], scripts=[{"type": "child", "classpath": "acme.moon.Moon"}])] + SCENE["objects"][1:])))
        program = self.write("program.py", SCRIPTED)
        self.check(self.orrery("python", program), 0)

    def test_setting(self):
        """The same paths say what the scene begins with."""
        program = self.write("program.py", SETTING)
        self.check(self.orrery("python", program, self.scene()), 0)

    def test_client(self):
        """A client changes the world over a socket, and its run is run again."""
        process = self.start("run", self.scene(), "--hash", "--record", self.path("run.mcap"))
        port = self.services_port(process)
        with socket.create_connection(("127.0.0.1", int(port)), timeout=30) as client:
            lines = client.makefile("rw")

            def call(text):
                lines.write("c %s\n" % text)
                lines.flush()
                words = lines.readline().rstrip("\n").split(" ", 2)
                return words[1], words[2] if len(words) > 2 else ""

            rows = {row["name"]: row for row in json.loads(call("simulation get_quantities []")[1])}
            self.assertEqual(rows["mass"]["unit"], "kg")
            self.assertEqual(rows["gravity"]["shape"], "vec3")
            self.assertTrue(all(row["supported"] for row in rows.values()))
            self.assertEqual(call('simulation set ["gravity", [0, 0, 1]]')[0], "SUCCESS")
            self.assertEqual(call('simulation set ["ball.mass", 4]')[0], "SUCCESS")
            self.assertEqual(call('simulation set ["ball.color", [1, 0, 0]]')[0], "SUCCESS")
            self.assertEqual(call('simulation set ["lamp.light_color", [1, 0, 0]]')[0], "SUCCESS")
            self.assertEqual(call('simulation attach ["crate", "ball", [0, 0, 1]]')[0], "SUCCESS")
            call("time sleep [0.1]")
            self.assertEqual(json.loads(call('simulation get ["gravity"]')[1]), [0, 0, 1])
            self.assertEqual(json.loads(call('simulation get ["ball.mass"]')[1]), 4)
            status, words = call('simulation set ["ball.mass", -4]')
            self.assertEqual(status, "FAILED")
            self.assertIn("mass is from", words)
            self.assertEqual(call('simulation set ["ball.mass", NaN]')[0], "FAILED")
            self.assertEqual(call('simulation set ["ball.mass"]')[0], "FAILED")
            self.assertEqual(call('simulation detach ["crate"]')[0], "SUCCESS")
            self.assertIn("not attached", call('simulation detach ["crate"]')[1])
            call("time sleep [0.1]")
            lines.write("q simulation quit []\n")
            lines.flush()
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        value = re.search(r"hash ([0-9a-f]{16})", out).group(1)
        done = self.orrery("replay", self.path("run.mcap"), "--hash")
        self.check(done, 0, "goes as it went", value)


if __name__ == "__main__":
    tap.main()
