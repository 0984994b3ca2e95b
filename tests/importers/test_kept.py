# SPDX-License-Identifier: BSD-3-Clause
"""What the programs that read files have written is kept for further scenes, as long as the files are the same; all of
these files are known, so that a recording has copies of them."""

import os
import shutil
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))

from support import BUILD, ProgramCase  # noqa: E402

import tap  # noqa: E402

IMPORTERS = os.path.join(BUILD, "lib/orrery-1/plugins/orrery/importers")
SCENE = '{"orrery": 1, "environment": {"import": "robot.xml", "start": 0}}'
ROBOT = """<mujoco><compiler meshdir="meshes"/><asset><mesh name="wedge" file="wedge.stl"/></asset>
<include file="parts/box.xml"/>
<worldbody><body name="wedge" pos="5 0 0"><geom type="mesh" mesh="wedge"/></body></worldbody></mujoco>"""
BOX = '<mujoco><worldbody><body name="box" pos="0 0 1"><geom type="box" size="1 1 1"/></body></worldbody></mujoco>'
WEDGE = """solid wedge
facet normal 0 0 -1 outer loop vertex 0 0 0 vertex 0 1 0 vertex 1 0 0 endloop endfacet
facet normal 0 -1 0 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 0 1 endloop endfacet
facet normal -1 0 0 outer loop vertex 0 0 0 vertex 0 0 1 vertex 0 1 0 endloop endfacet
facet normal 1 1 1 outer loop vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop endfacet
endsolid wedge
"""
# Pages that child processes have touched tell whether there was one.
PROGRAM = """
import os
import resource
import orrery

def load():
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
    sim = orrery.load("scene.json")
    ran = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt > before
    places = dict(zip(sim.objects, sim.poses[:, 2].tolist()))
    sim.close()
    return ran, places.get("box")

def change(name, old, new):
    # neither the size nor the time of the file tells of it
    status = os.stat(name)
    with open(name) as file:
        text = file.read()
    assert text.count(old) == 1 and len(old) == len(new)
    with open(name, "w") as file:
        file.write(text.replace(old, new))
    os.utime(name, ns=(status.st_atime_ns, status.st_mtime_ns))
"""


class Kept(ProgramCase):
    def write_robot(self):
        for folder in "meshes", "parts":
            os.mkdir(self.path(folder))
        for name, text in (("scene.json", SCENE), ("robot.xml", ROBOT), ("parts/box.xml", BOX)):
            self.write(name, text)
        self.write_mesh("meshes/wedge.stl")

    def run_program(self, text):
        self.write("program.py", PROGRAM + text)
        done = self.orrery("python", "program.py")
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mjcf")), "built without MuJoCo")
    def test_robots(self):
        self.write_robot()
        self.run_program("""
assert load() == (True, 1.0)
assert load() == (False, 1.0)
change("parts/box.xml", 'pos="0 0 1"', 'pos="0 0 2"')
assert load() == (True, 2.0)
assert load() == (False, 2.0)
with open("meshes/wedge.stl", "r+b") as file:
    file.seek(84 + 12)
    file.write(bytes(3) + b"\\xbf")
assert load()[0]
assert not load()[0]
change("parts/box.xml", 'pos="0 0 2"', 'pos="0 0 1"')
os.remove("meshes/wedge.stl")
for _ in range(2):
    try:
        load()
        raise SystemExit("it does without its mesh")
    except Exception as error:
        assert "wedge.stl" in str(error), error
""")

    def write_mesh(self, name):
        """In binary, which MuJoCo reads."""
        corners = [[float(word) for word in line.split("loop vertex ")[1].replace(" vertex ", " ").split(" endloop")[0].split()]
                   for line in WEDGE.splitlines() if "facet normal" in line]
        with open(self.path(name), "wb") as file:
            file.write(bytes(80) + struct.pack("<I", len(corners)))
            for nine in corners:
                file.write(struct.pack("<12fH", 0, 0, 0, *nine, 0))

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mjcf")), "built without MuJoCo")
    def test_recordings_have_them(self):
        self.write_robot()
        done = self.orrery("run", "scene.json", "--fast", "--ticks", "20", "--hash", "--record", "run.mcap")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in "scene.json", "robot.xml":
            os.remove(self.path(name))
        for name in "meshes", "parts":
            shutil.rmtree(self.path(name))
        done = self.orrery("replay", "run.mcap")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the run goes as it went", done.stdout)

    @unittest.skipUnless(os.path.exists(os.path.join(IMPORTERS, "read-mesh")), "built without assimp")
    def test_meshes(self):
        self.write("scene.json", SCENE.replace("robot.xml", "robot.urdf"))
        self.write("wedge.stl", WEDGE)
        self.write("robot.urdf", '<robot name="r"><link name="box"><visual><geometry><mesh filename="wedge.stl"/></geometry>'
                                 '</visual></link></robot>')
        self.run_program("""
assert load()[0]
assert not load()[0]
change("wedge.stl", "vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 endloop", "vertex 2 0 0 vertex 0 1 0 vertex 0 0 1 endloop")
assert load()[0]
assert not load()[0]
""")


tap.main()
