# SPDX-License-Identifier: BSD-3-Clause
"""What Blender's game engine would hold solid in a .blend file: a reader that shares nothing with the importer."""

import gzip
import re
import struct

import numpy

DYNAMIC, GHOST, BOUNDS, COLLISION, SENSOR = 1 << 0, 1 << 9, 1 << 11, 1 << 16, 1 << 19
MESH, TRIANGLES = 1, 4  # Object.type; Object.collision_boundtype


class Solid:
    """One object: corners of its triangles in the world (n, 3, 3), whether it moves, and whether it is hit as a box,
    hull or the like, which has an inside."""

    def __init__(self, name, triangles, moves, is_full, flags_at):
        self.name, self.triangles, self.moves, self.is_full = name, triangles, moves, is_full
        self.flags_at = flags_at  # where its flags are, in the unpacked bytes


class Blend:
    def __init__(self, data):
        self.data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        self.order = "<" if self.data[8:9] == b"v" else ">"
        self.width, self.pointer = (8, "Q") if self.data[7:8] == b"-" else (4, "I")
        self.blocks, self.places = [], {}
        at = 12
        while at < len(self.data):
            code = self.data[at:at + 4].rstrip(b"\0")
            size, old, kind, n = struct.unpack_from(self.order + "I" + self.pointer + "II", self.data, at + 4)
            at += 16 + self.width
            if code == b"DNA1":
                self.read_dna(at)
            self.blocks.append((code, at))
            if old != 0:
                self.places[old] = at
            at += size

    def read_dna(self, start):
        data, at = self.data, start + 4

        def number(form, n=1):
            nonlocal at
            values = struct.unpack_from("%s%d%s" % (self.order, n, form), data, at)
            at += struct.calcsize("%d%s" % (n, form))
            return values

        def align():
            nonlocal at
            at += (start - at) % 4 + 4

        def texts():
            nonlocal at
            n, = number("I")
            end, out = at, []
            for _ in range(n):
                at, end = end, data.index(b"\0", end) + 1
                out.append(data[at:end - 1].decode())
            at = end
            return out

        at += 4
        names = texts()
        align()
        types = texts()
        align()
        lengths = number("H", len(types))
        align()
        self.fields, self.sizes = {}, {}
        for _ in range(number("I")[0]):
            kind, n = number("H", 2)
            offset, fields = 0, {}
            for _ in range(n):
                of, name = number("H", 2)
                name = names[name]
                count = int(numpy.prod([int(each) for each in re.findall(r"\[(\d+)\]", name)] or [1]))
                is_pointer = name.startswith(("*", "("))
                fields[re.sub(r"[*\[].*", "", name.lstrip("*("))] = (offset, "*" if is_pointer else types[of], count)
                offset += count * (self.width if is_pointer else lengths[of])
            self.fields[types[kind]], self.sizes[types[kind]] = fields, offset

    def get(self, struct_name, at, field):
        """A number, a list of them, a text, the place behind a pointer, or the place of a struct inside."""
        offset, kind, n = self.fields[struct_name][field]
        at += offset
        if kind == "*":
            return self.places.get(struct.unpack_from(self.order + self.pointer, self.data, at)[0])
        if kind == "char" and n > 8:
            return self.data[at:at + n].split(b"\0")[0].decode(errors="replace")
        form = {"int": "i", "short": "h", "char": "b", "float": "f"}.get(kind)
        if form is None:
            return at
        values = struct.unpack_from("%s%d%s" % (self.order, n, form), self.data, at)
        return values[0] if n == 1 else values

    def column(self, struct_name, at, n, field, form):
        """A field of n structs that follow each other."""
        offset, _, count = self.fields[struct_name][field]
        return numpy.ndarray((n, count), self.order + form, self.data, at + offset, (self.sizes[struct_name], 4))

    def read_triangles(self, mesh):
        """Corners in the mesh's own frame: polygons of Blender 2.63 on, faces of those before."""
        points = self.column("MVert", self.get("Mesh", mesh, "mvert"), self.get("Mesh", mesh, "totvert"), "co", "f4")
        polygons = self.get("Mesh", mesh, "mpoly") if "mpoly" in self.fields["Mesh"] else None
        corners = []
        if polygons is not None:
            n = self.get("Mesh", mesh, "totpoly")
            loops = self.column("MLoop", self.get("Mesh", mesh, "mloop"), self.get("Mesh", mesh, "totloop"), "v", "i4")
            starts = self.column("MPoly", polygons, n, "loopstart", "i4")[:, 0]
            counts = self.column("MPoly", polygons, n, "totloop", "i4")[:, 0]
            for start, count in zip(starts, counts):
                ring = loops[start:start + count, 0]
                corners += [(ring[0], ring[i], ring[i + 1]) for i in range(1, count - 1)]
        else:
            n = self.get("Mesh", mesh, "totface")
            faces = [self.column("MFace", self.get("Mesh", mesh, "mface"), n, name, "i4")[:, 0]
                     for name in ("v1", "v2", "v3", "v4")] if n else [[]] * 4
            for a, b, c, d in zip(*faces):
                corners += [(a, b, c), (a, c, d)] if d else [(a, b, c)]
        return points[numpy.array(corners, int).reshape(-1, 3)].astype(float)

    def list_solids(self):
        for code, at in self.blocks:
            if code != b"OB" or self.get("Object", at, "type") != MESH:
                continue
            flags = self.get("Object", at, "gameflag")
            mesh = self.get("Object", at, "data")
            if not flags & COLLISION or flags & SENSOR or flags & GHOST or self.get("Mesh", mesh, "totvert") == 0:
                continue
            matrix = numpy.array(self.get("Object", at, "obmat")).reshape(4, 4)
            triangles = self.read_triangles(mesh) @ matrix[:3, :3] + matrix[3, :3]
            if len(triangles) > 0:
                bound = "collision_boundtype" if "collision_boundtype" in self.fields["Object"] else "boundtype"
                yield Solid(self.get("ID", self.get("Object", at, "id"), "name")[2:], triangles, bool(flags & DYNAMIC),
                            bool(flags & BOUNDS) and self.get("Object", at, bound) != TRIANGLES,
                            at + self.fields["Object"]["gameflag"][0])


def read(path):
    with open(path, "rb") as file:
        return Blend(file.read())


def cast(triangles, start, way):
    """Distances, in lengths of `way`, at which a ray meets the triangles, sorted, and which they are."""
    a = triangles[:, 1] - triangles[:, 0]
    b = triangles[:, 2] - triangles[:, 0]
    p = numpy.cross(way, b)
    det = numpy.einsum("ij,ij->i", a, p)
    with numpy.errstate(divide="ignore", invalid="ignore"):
        arm = start - triangles[:, 0]
        u = numpy.einsum("ij,ij->i", arm, p) / det
        q = numpy.cross(arm, a)
        v = q @ way / det
        t = numpy.einsum("ij,ij->i", b, q) / det
        hit = numpy.nonzero((abs(det) > 1e-12) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t > 0))[0]
    hit = hit[numpy.argsort(t[hit])]
    return t[hit], hit
