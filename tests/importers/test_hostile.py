# SPDX-License-Identifier: BSD-3-Clause
"""Wrong files for every importer: an error that names file and reason, in bounded memory, never a crash."""

import gzip
import os
import shutil
import struct
import sys
import unittest
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from blends import ARMATURE, MESH, TRIANGLE, Blend, boundaries, describe, fill  # noqa: E402
from hostile import IMPORTERS, MODELS, HostileCase, has_reader  # noqa: E402
from support import SOURCE  # noqa: E402

import sanitized  # noqa: E402
import tap  # noqa: E402

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
BIG = 2 ** 31 - 1


def stl(n, triangles=b""):
    return b"\0" * 80 + struct.pack("<I", n) + triangles


def triangle_stl(n):
    return stl(n, struct.pack("<12fH", 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0) * n)


def png(width, height):
    """A black picture, of any size, in few bytes."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packer, row = zlib.compressobj(9), b"\0" * (1 + 3 * width)
    data = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)) +
            chunk(b"IDAT", data) + chunk(b"IEND", b""))


def gltf(nodes='[{"mesh":0}]', n=3, size=36, uri="three.bin"):
    return ('{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":%s,"meshes":[{"primitives":'
            '[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":%d,'
            '"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":%d}],'
            '"buffers":[{"uri":"%s","byteLength":%d}]}' % (nodes, n, size, uri, size))


PLY = ("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
       "element face %d\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n")
DAE = ('<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">'
       '<asset><up_axis>Z_UP</up_axis></asset>%s</COLLADA>')
# A node that is one of its own children.
DAE_RING = DAE % ('<library_nodes><node id="n"><instance_node url="#n"/></node></library_nodes><library_visual_scenes>'
                  '<visual_scene id="s"><node id="m"><instance_node url="#n"/></node></visual_scene>'
                  '</library_visual_scenes><scene><instance_visual_scene url="#s"/></scene>')

# Files of meshes, and what is said of them.
MESHES = {
    "empty.stl": (b"", ""), "claims.stl": (stl(10 ** 7, b"\0" * 50), ""), "claims31.stl": (stl(BIG, b"\0" * 50), ""),
    "empty.obj": (b"", ""), "far.obj": ("v 0 0 0\nf 1 2 %d\n" % BIG, ""), "negative.obj": (OBJ + "f -9 -8 -7\n", ""),
    "empty.ply": (b"", ""), "claims.ply": (PLY % (BIG, BIG), ""), "far.ply": (PLY.replace("3 0 1 2", "3 0 1 9999") % (3, 1), ""),
    "empty.dae": (b"", ""), "ring.dae": (DAE_RING, ""), "nothing.dae": (DAE % "", ""),
    "bomb.dae": ('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "%s">%s]><COLLADA>&j;</COLLADA>' % ("a" * 100, "".join(
        '<!ENTITY %s "%s">' % (chr(98 + i), "&%s;" % chr(97 + i) * 50) for i in range(9))), ""),
    "empty.gltf": (b"", ""), "ring.gltf": (gltf('[{"children":[1]},{"children":[0]}]'), "recursive"),
    "own.gltf": (gltf('[{"children":[0],"mesh":0}]'), "recursive"), "claims.gltf": (gltf(n=BIG), ""),
    "long.gltf": (gltf(size=BIG), ""), "pipe.gltf": (gltf(uri="pipe.bin"), "pipe.bin"),
    "none.gltf": (gltf(uri="none.bin"), "none.bin"), "zero.gltf": (gltf(uri="/dev/zero", size=BIG), ""),
    "empty.glb": (b"", ""), "claims.glb": (b"glTF" + struct.pack("<III", 2, BIG, BIG) + b"JSON{}", ""),
}

LINK = '<link name="%s"/>'
JOINT = '<joint name="%s" type="fixed"><parent link="%s"/><child link="%s"/></joint>'


def ring(n):
    links = "".join(LINK % ("l%d" % i) for i in range(n))
    return "<robot name='r'>%s%s</robot>" % (links, "".join(JOINT % (i, "l%d" % i, "l%d" % ((i + 1) % n)) for i in range(n)))


def chain(n, name):
    links = "".join(LINK % (name + str(i)) for i in range(n))
    return "<robot name='r'>%s%s</robot>" % (links, "".join(
        JOINT % (i, name + str(i), name + str(i + 1)) for i in range(n - 1)))


# URDF and MJCF beside those of test_robots.py.
ROBOTS = {
    "ring.urdf": (ring(3), "a circle"), "self.urdf": (ring(1), ""),
    "loop.urdf": ("<robot>%s%s%s%s</robot>" % ("".join(LINK % name for name in "abc"), JOINT % ("j", "a", "b"),
                                               JOINT % ("k", "a", "c"), JOINT % ("l", "b", "c")), "is the child of two joints"),
    "chain.urdf": (chain(9999, "l" * 200), "64 MiB"), "name.urdf": ("<robot>%s</robot>" % LINK % ("x" * 300), "not a valid name"),
    "latin.urdf": (b'<robot><link name="\xff\xfe"/></robot>', "UTF-8"),
}
MJCF = "<mujoco>%s<worldbody>%s</worldbody></mujoco>"
FILES = {
    "empty.xml": (b"", ""), "empty.mjcf": (b"", ""),
    "one.xml": ('<mujoco><include file="two.xml"/></mujoco>', "already included"),
    "own.mjcf": ('<mujoco><include file="own.mjcf"/></mujoco>', "already included"),
    "pipe.mjcf": ('<mujoco><include file="missing.xml"/></mujoco>', "missing.xml"),
    "deep.mjcf": ("<mujoco><worldbody>" + "<body>" * 100000, ""),
    "sizes.mjcf": (MJCF % ('<size njmax="%d" nstack="%d"/>' % (BIG, BIG), '<geom size="1"/>'), ""),
    "latin.mjcf": (b'<mujoco><worldbody><body name="\xff\xfe"><geom size=".1"/></body></worldbody></mujoco>', "UTF-8"),
    "picture.mjcf": (MJCF % ('<asset><texture name="t" type="2d" file="none.png"/></asset>', ""), "Object name = t"),
}

# A reader that is not what it should be.
READERS = {
    "killed": ("kill -9 $$", "was killed by SIGKILL (Killed)"),
    "killed in its work": ("printf 'ORRMESH\\0\\3\\0\\0\\0\\1\\0\\0\\0'; kill -9 $$", "was killed by SIGKILL (Killed)"),
    "failing": ("printf 'no such luck'; exit 1", "no such luck"), "silent": ("exit 3", "status 3"),
    "empty": ("exit 0", "no mesh"), "talking": ("echo hello", "no mesh"),
    "claiming": ("printf 'ORRMESH\\0\\377\\377\\377\\177\\377\\377\\377\\177'", "no mesh"),
    "short": ("printf 'ORRMESH\\0\\3\\0\\0\\0\\1\\0\\0\\0abc'", "no mesh"),
    "far": ("printf 'ORRMESH\\0\\3\\0\\0\\0\\1\\0\\0\\0'; head -c 72 /dev/zero; printf '\\11\\0\\0\\0'; head -c 8 /dev/zero", "no mesh"),
}


def blends():
    """Name, file, words that refuse it; None: it is read all the same."""
    def mesh(*arguments, objects=1, modifiers=None, **values):
        blend = Blend()
        data = blend.mesh(*arguments, **values)
        more = {"modifiers": blend.list("MirrorModifierData", modifiers[0], modifiers[1])} if modifiers else {}
        for _ in range(objects):
            blend.object(b"mesh", MESH, data=data, **more)
        return blend.to_bytes()

    yield "plain", mesh(TRIANGLE, [[0, 1, 2]]), None
    blend, a, b = Blend(), 0x900000, 0x910000
    blend.object(b"a", address=a, parent=b)
    blend.object(b"b", address=b, parent=a)
    blend.object(b"c", parent=b)
    yield "parents", blend.to_bytes(), None
    blend = Blend()
    blend.object(b"own", address=0x900000, parent=0x900000, data=0x900010, modifiers={"first": 0x900001, "last": 5})
    yield "nowhere", blend.to_bytes(), None
    yield "counts", mesh(TRIANGLE, [[0, 1, 2]], totvert=BIG, totpoly=BIG, totloop=BIG), None
    yield "minus", mesh(TRIANGLE, [[0, 1, 2]], totvert=-1, totpoly=-BIG, totloop=-1), None
    yield "corners", mesh(TRIANGLE, [[0, 1, BIG], [7, 8, 9]]), None
    yield "numbers", mesh([(float("nan"), float("inf"), 1e38)] * 3, [[0, 1, 2]]), None
    turn = {"modifier": {"mode": 1}, "flag": 56}
    yield "mirrors", mesh(TRIANGLE * 1000, [], modifiers=([turn] * 40, False)), "more than 10000000 triangles"
    yield "ring of mirrors", mesh(TRIANGLE, [[0, 1, 2]], modifiers=([turn] * 2, True)), None
    blend = Blend()
    blend.mesh(TRIANGLE, [])
    polygons = blend.raw(fill("MPoly", {"totloop": 50000}) * 50000, type_name="MPoly", n=50000)
    corners = blend.raw(fill("MLoop", {"v": 1}) * 50000, type_name="MLoop", n=50000)
    blend.object(b"shared", MESH, data=blend.mesh(TRIANGLE, [], totpoly=50000, totloop=50000, mpoly=polygons, mloop=corners))
    yield "shared corners", blend.to_bytes(), None
    blend, chain_of = Blend(), 0
    for _ in range(3000):
        chain_of = blend.object(b"x" * 60, parent=chain_of)
    yield "chain", blend.to_bytes(), "64 MiB"
    blend = Blend()
    blend.object(b"\xff\xfe\x80")
    blend.object(b"a/../b")
    blend.object(b"")
    blend.object(b"dots.and..dots")
    yield "names", blend.to_bytes(), None
    blend, bone = Blend(), 0x900000
    blend.add("Bone", {"name": b"b", "next": bone, "childbase": {"first": bone}}, address=bone)
    blend.object(b"arm", ARMATURE, data=blend.add("bArmature", {"bonebase": {"first": bone}}, code=b"AR"))
    yield "bones", blend.to_bytes(), None
    blend = Blend()
    blend.object(b"arm", ARMATURE, data=blend.add(
        "bArmature", {"bonebase": blend.list("Bone", [{"name": b"b"}] * 12000)}, code=b"AR"))
    yield "many bones", blend.to_bytes(), None
    blend = Blend()
    blend.raw(b"\1" * 4000000, code=b"OB", type_name="Link", n=2 ** 32 - 1)
    yield "objects", blend.to_bytes(), "more than 100000 objects"
    blend = Blend()
    blend.raw(b"", says=2 ** 31)
    yield "length", blend.to_bytes(), "longer than the rest"
    yield "no structs", Blend().to_bytes(b"SDNANAME" + struct.pack("<I", 2 ** 31)), "(SDNA) is broken"
    yield "cut structs", Blend().to_bytes(describe()[:-9]), "(SDNA) is broken"
    yield "cut gzip", gzip.compress(mesh(TRIANGLE, [[0, 1, 2]]))[:-30], ""
    yield "gzip of gzip", gzip.compress(gzip.compress(b"BLENDER-v279")), "not a file of Blender"


def pictured(packed=None, path=b"//none.png"):
    """A triangle with a picture."""
    blend = Blend()
    data = {"packedfile": blend.add("PackedFile", {"size": len(packed), "data": blend.raw(packed)})} if packed else {}
    image = blend.add("Image", dict({"id": {"name": b"IMwall"}, "name": path}, **data), code=b"IM")
    texture = blend.add("Tex", {"type": 8, "ima": image}, code=b"TE")
    material = blend.add("Material", {"mtex": blend.add("MTex", {"tex": texture, "mapto": 1})}, code=b"MA")
    places = blend.add("MLoopUV", {}, {"uv": [1, 0]}, {"uv": [0, 1]})
    mesh = blend.mesh(TRIANGLE, [[0, 1, 2]], mloopuv=places, mat=blend.raw(struct.pack("<Q", material)))
    blend.object(b"wall", MESH, data=mesh)
    return blend.to_bytes()


@unittest.skipIf(sanitized.is_sanitized(), "what a library does with such files, in a child of its own, is reported there")
class Hostile(HostileCase):
    def table(self, files):
        for name, (data, words) in files.items():
            with self.subTest(name):
                self.refuse(self.put(name, data), words)

    def test_blend(self):
        for name, data, words in blends():
            with self.subTest(name):
                file = self.put(name.replace(" ", "-") + ".blend", data)
                if words is None:
                    self.accept(file)
                else:
                    self.refuse(file, words)

    def test_blend_cut(self):
        """A file of ours, and one of the package, cut at blocks, within their heads and their bytes."""
        files = {"own": pictured()}
        if os.path.exists(os.path.join(MODELS, "robots/morsy.blend")):
            with open(os.path.join(MODELS, "robots/morsy.blend"), "rb") as file:
                data = file.read()
            files["morsy"] = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        for name, data in files.items():
            cuts = [at for end in boundaries(data) for at in (end, end + 7, end - 1)]
            cuts = [at for at in cuts[::max(1, len(cuts) // 150)] if at < len(data) - 24]
            self.assertGreater(len(cuts), 20)
            self.refuse_all([self.put("%s%d.blend" % (name, at), data[:at]) for at in cuts])

    def test_pictures(self):
        """A picture that is not there is named, with the file; what else is in the file is read."""
        cases = {"none.png": pictured(), "../up.png": pictured(path=b"//../up.png"), "/etc/passwd": pictured(path=b"/etc/passwd"),
                 "torn.png": pictured(png(8, 8)[:40], b"//torn.png"), "wall": pictured(b"no picture", b""),
                 "pipe.bin": pictured(path=b"//pipe.bin")}
        os.mkfifo(self.path("pipe.bin"))
        for picture, data in cases.items():
            with self.subTest(picture):
                said = self.accept(self.put("wall.blend", data))
                # What is built without GdkPixbuf reads no picture at all.
                if os.path.exists(os.path.join(IMPORTERS, "png.so")):
                    self.assertIn("wall.blend: textures could not be read", said)
                    self.assertIn("'wall'" if picture == "wall" else picture, said)
        self.assertNotIn("could not be read", self.accept(self.put("right.blend", pictured(png(8, 8)))))

    @unittest.skipUnless(has_reader("read-mesh"), "built without assimp")
    def test_meshes(self):
        os.mkfifo(self.path("pipe.bin"))
        self.put("three.bin", struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))
        self.table(MESHES)
        right = {"a.obj": OBJ, "latin.obj": b"o \xff\xfe\n" + OBJ.encode(), "slash.obj": "o a/../b\nmtllib none.mtl\nusemtl x\n" + OBJ,
                 "a.ply": PLY % (3, 1), "a.gltf": gltf(), "a.stl": triangle_stl(9)}
        for name, data in right.items():
            with self.subTest(name):
                self.accept(self.put(name, data))

    @unittest.skipUnless(has_reader("read-mesh"), "built without assimp")
    def test_meshes_cut(self):
        """Cut off anywhere: an error, or less of it where the format knows no end; never a crash of ours."""
        # assimp searches the end of a cut PLY file until its time is over.
        whole = {"stl": triangle_stl(4), "obj": OBJ.encode(),
                 "dae": DAE_RING.encode(), "gltf": gltf().encode(), "glb": MESHES["claims.glb"][0]}
        for suffix, data in whole.items():
            for at in range(0, len(data), max(1, len(data) // 6)):
                with self.subTest("%s %d" % (suffix, at)):
                    file = self.put("cut.%s" % suffix, data[:at])
                    done = self.bounded("check", self.scene(file))
                    self.assertIn(done.returncode, (0, 65), done.stderr)
                    if done.returncode == 65:
                        self.assertIn("cut." + suffix, done.stderr)

    def test_robots(self):
        self.table(ROBOTS)
        self.accept(self.put("slash.urdf", '<robot name="r"><link name="a/b.c d"/></robot>'))
        self.accept(self.put("long.urdf", chain(900, "link")))

    @unittest.skipUnless(has_reader("read-mjcf"), "built without MuJoCo")
    def test_mjcf(self):
        self.put("two.xml", '<mujoco><include file="one.xml"/></mujoco>')
        self.table(FILES)
        self.accept(self.put("slash.mjcf", MJCF % ("", '<body name="a/b.c"><geom size=".1"/></body>')))

    def test_no_files(self):
        """Folders, pipes, what may not be read, what is not there: for every importer."""
        suffixes = ["blend", "urdf", "xml", "mjcf", "obj", "stl", "ply", "dae", "gltf", "glb"]
        for suffix in suffixes:
            with self.subTest(suffix):
                os.mkdir(self.path("folder." + suffix))
                os.mkfifo(self.path("pipe." + suffix))
                self.refuse(self.path("folder." + suffix), "is a folder, not a file")
                self.refuse(self.path("pipe." + suffix), "is a pipe or device, not a file")
        self.refuse("/dev/zero.obj", "there is no file")
        done = self.orrery("check", self.scene_of([self.path("folder.obj"), self.path("pipe.blend")]))
        self.check(done, 69, "folder.obj is a folder, not a file", "pipe.blend is a pipe or device, not a file")

    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can become another user")
    def test_unreadable(self):
        os.chmod(self.directory, 0o755)
        for suffix in ("blend", "urdf", "xml"):
            file = self.put("secret." + suffix, "x")
            os.chmod(file, 0)
            try:
                done = self.orrery("check", self.scene(file), user=65534, group=65534, extra_groups=[])
            except PermissionError as error:
                self.skipTest("the build is not to be run by others: %s" % error)
            if "secret" not in done.stderr:
                self.skipTest("the build is not to be read by others: " + done.stderr)
            self.assertIn("ermission denied", done.stderr)

    @unittest.skipUnless(has_reader("read-mesh"), "built without assimp")
    def test_readers(self):
        """The program that reads meshes is killed, fails, or says what is not so."""
        folder = self.path("plugins/orrery/importers")
        os.makedirs(folder)
        shutil.copy(os.path.join(IMPORTERS, "obj.so"), folder)
        file = self.put("thing.obj", OBJ)
        for name, (script, words) in READERS.items():
            with self.subTest(name):
                self.put("plugins/orrery/importers/read-mesh", "#!/bin/sh\n%s\n" % script)
                os.chmod(self.path("plugins/orrery/importers/read-mesh"), 0o755)
                done = self.bounded("check", "--plugin-dir", self.path("plugins"), self.scene(file))
                self.assertEqual(done.returncode, 65, done.stderr)
                self.assertIn("thing.obj: ", done.stderr)
                self.assertIn(words, done.stderr)
        self.put("plugins/orrery/importers/read-mesh", "#!/bin/sh\nwhile :; do :; done\n")
        done = self.bounded("check", "--plugin-dir", self.path("plugins"), "--read-limit", "1", self.scene(file))
        self.check(done, 65, "thing.obj: takes more than 1 s to read", "--read-limit")
        for limit in ("0", "-1", "86401", "1.5", "x", ""):
            done = self.orrery("check", "--read-limit=" + limit, self.scene(file))
            self.check(done, 64, "--read-limit: '%s' is no number of seconds from 1 to 86400" % limit)
        os.unlink(os.path.join(folder, "read-mesh"))
        done = self.orrery("check", "--plugin-dir", self.path("plugins"), self.scene(file))
        self.check(done, 69, "thing.obj: meshes are read by assimp")


if __name__ == "__main__":
    tap.main()
