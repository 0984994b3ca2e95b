# SPDX-License-Identifier: BSD-3-Clause
"""One classpath, two makes: a class in C and the same in Python, and nothing tells them apart."""

import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from python_case import NUMPY, READY, PythonCase, cli, scene  # noqa: E402

import tap  # noqa: E402

TWIN = '''
    """Twins"""
    import orrery

    __licence__ = "BSD-3-Clause"

    @orrery.plugin(frequency=20, aliases=[("Echo", "acme.twin.Twin")])
    class Twin(orrery.Sensor):
        distance = orrery.field(float, "m", "Distance")
        n = orrery.field(int, "", "Number of the step")
        where = orrery.field("vec3", "m", "Place")
        note = orrery.field(str, "", "Words")
        ranges = orrery.field("array", "m", "Ranges")
        near = orrery.field(bool, "", "Whether it is near")
        reach = orrery.option(5.0, "m", "Reach", name="Reach", minimum=0.0, maximum=100.0)

        def __init__(self):
            super().__init__()
            self.count = 0

        def sense(self, tick, record):
            self.count += 1
            if self.count % 5 == 0:
                raise orrery.Failed("no echo")
            record.distance = self.reach * self.uniform(tick)
            record.n = self.count
            record.where = self.get_pose().position
            record.note = "step %d" % self.count
            record.ranges = [i + 0.5 * self.count for i in range(3)]
            record.near = record.distance < 0.5 * self.reach

        @orrery.service
        def add(self, x: float, y: float = 2.0):
            """Adds two numbers"""
            return x + y
'''

MANAGER = "morse.middleware.socket_datastream.SocketDatastreamManager"
SCENE = scene(("twin", "acme.twin.Twin", {"properties": {"Reach": 7.5}}), ("other", "acme.twin.Twin"),
              ("motion", "morse.actuators.v_omega.MotionVW"), tables={
                  "component_datastream": {"robot.twin": [
                      [MANAGER, "morse.middleware.socket_datastream.SocketPublisher", {}]]},
                  "component_service": {"robot.twin": [
                      "morse.middleware.socket_request_manager.SocketRequestManager"]}})
SCRIPT = """from morse.builder import *

robot = ATRV()
twin = Sensor('acme.twin.Twin')
twin.name = 'twin'
twin.frequency(10)
twin.properties(Reach=3.0)
twin.add_stream('socket')
robot.append(twin)
env = Environment('empty', fastmode=True)
"""


@unittest.skipUnless(READY, "no typelib or no PyGObject")
class Twins(PythonCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(cli.SOURCE, "tests/python/twin.c"), encoding="utf-8") as file:
            self.build_plugin("acme/twin.so", file.read())
        os.rename(self.path("plugins"), self.path("in_c"))
        self.module("acme/twin.py", TWIN, "in_python")
        self.write("scene.json", SCENE)

    def both(self, *arguments):
        """What the program says of each make."""
        results = []
        for directory in ("in_c", "in_python"):
            done = self.orrery(*arguments, "--plugin-dir", directory)
            self.assertEqual(done.returncode, 0, done.stderr)
            results.append(done)
        return results

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_numbers(self):
        """Every record of every tick has the same bits, those of steps that fail, too."""
        one, two = self.both("run", "scene.json", "--fast", "--ticks", "100", "--hash=hashes")
        self.assertEqual(one.stdout.splitlines()[-1], two.stdout.splitlines()[-1])
        self.assertIn("hash ", one.stdout)
        for done in (one, two):
            self.assertIn("robot.twin: no echo; its step is skipped", done.stderr)
        for directory in ("in_c", "in_python"):
            self.check(self.orrery("run", "scene.json", "--fast", "--ticks", "40", "--hash=" + directory + ".hash",
                                   "--plugin-dir", directory), 0)
        self.assertEqual(self.orrery("diff", "in_c.hash", "in_python.hash").returncode, 0)

    def test_description(self):
        one, two = (json.loads(done.stdout)["classes"][0] for done in self.both("plugins", "--json", "acme.twin.Twin"))
        for each in (one, two):
            self.assertTrue(each.pop("file").endswith(("twin.so", "twin.py")))
            self.assertIn(each.pop("type"), ("AcmeTwin", "acme+twin+Twin"))
        self.assertEqual(one, two)

    def test_builder(self):
        self.write("script.py", SCRIPT)
        files = []
        for directory in ("in_c", "in_python"):
            self.check(subprocess.run([cli.PROGRAM, "build", "script.py", "-o", directory + "_built"], cwd=self.directory,
                                      capture_output=True, text=True,
                                      env=dict(self.environment(), ORRERY_PLUGIN_PATH=self.path(directory))), 0)
            files.append([open(self.path(directory + "_built/" + name)).read()
                          for name in ("scene.json", "component_config.py")])
        self.assertEqual(*files)

    def test_clients(self):
        """What comes over the sockets."""
        said = []
        for directory in ("in_c", "in_python"):
            process = self.start("run", "scene.json", "--plugin-dir", directory, "--wall", "100")
            port = self.services_port(process)
            ports = json.loads(self.orrery("call", "--port", port, "simulation", "get_all_stream_ports").stdout)
            record = json.loads(self.orrery("echo", "--port", port, "robot.twin", "-n", "1").stdout.splitlines()[0])
            said.append((sorted(ports), list(record), [type(value) for value in record.values()],
                         self.orrery("call", "--port", port, "robot.twin", "add", "1", "4").stdout,
                         self.orrery("call", "--port", port, "robot.twin", "add", "x").stderr,
                         self.orrery("call", "--port", port, "robot.twin", "get_configurations").stdout))
            process.terminate()
            self.assertEqual(process.wait(60), 143)
        self.assertEqual(*said)

    def test_so_goes_first(self):
        shutil.copytree(self.path("in_c"), self.path("plugins"))
        shutil.copy(self.path("in_python/acme/twin.py"), self.path("plugins/acme/twin.py"))
        done = self.orrery("run", "scene.json", "--plugin-dir", "plugins", "--fast", "--ticks", "3")
        self.check(done, 0)
        self.assertIn("plugins/acme/twin.py: not used, since ", done.stderr)
        self.assertIn("plugins/acme/twin.so comes first", done.stderr)
        listed = json.loads(self.orrery("plugins", "--json", "--plugin-dir", "plugins").stdout)
        self.assertEqual([each["kind"] for each in listed["modules"] if each["module"] == "acme.twin"], ["so"])
        self.assertEqual([os.path.basename(each["file"]) for each in listed["shadowed"]], ["twin.py"])

    @unittest.skipUnless(NUMPY, "no NumPy")
    def test_worker(self):
        """In a worker, or several, the numbers are those of the host, and each has an interpreter of its own."""
        def run(directory, placement):
            text = json.loads(SCENE)
            for each in text["objects"][0]["objects"][:2]:
                each["placement"] = placement
            self.write("placed.json", json.dumps(text))
            done = self.orrery("run", "placed.json", "--plugin-dir", directory, "--fast", "--ticks", "60", "--hash")
            self.assertEqual(done.returncode, 0, done.stderr)
            return [line for line in done.stdout.splitlines() if line.startswith("hash ")]
        inside = run("in_c", "host")
        self.assertEqual(run("in_python", "host"), inside)
        self.assertEqual(run("in_python", "worker"), inside)
        self.assertEqual(run("in_python", "shared"), inside)


if __name__ == "__main__":
    tap.main()
