# SPDX-License-Identifier: BSD-3-Clause
"""Writes files of Blender: as little of them as a test needs, and as wrong as it wants them."""

import struct

SIZES = {"char": 1, "short": 2, "int": 4, "float": 4, "void": 0}

# What the importer asks for; the layout is this file's own, and said in it.
STRUCTS = {
    "ListBase": [("void", "*first"), ("void", "*last")],
    "ID": [("char", "name[66]"), ("char", "pad[6]")],
    "Link": [("Link", "*next"), ("Link", "*prev")],
    "ModifierData": [("ModifierData", "*next"), ("ModifierData", "*prev"), ("int", "type"), ("int", "mode")],
    "MirrorModifierData": [("ModifierData", "modifier"), ("int", "flag"), ("int", "pad")],
    "Object": [("ID", "id"), ("int", "type"), ("int", "partype"), ("Object", "*parent"), ("void", "*data"),
               ("float", "obmat[4][4]"), ("float", "size[3]"), ("int", "gameflag"), ("int", "body_type"),
               ("int", "pad"), ("bPose", "*pose"), ("Material", "**mat"), ("ListBase", "modifiers"),
               ("ListBase", "prop"), ("ListBase", "sensors"), ("ListBase", "controllers"), ("ListBase", "actuators")],
    "MVert": [("float", "co[3]")],
    "MPoly": [("int", "loopstart"), ("int", "totloop")],
    "MLoop": [("int", "v")],
    "MLoopUV": [("float", "uv[2]")],
    "Mesh": [("ID", "id"), ("int", "totvert"), ("int", "totpoly"), ("int", "totloop"), ("int", "pad"),
             ("MVert", "*mvert"), ("MPoly", "*mpoly"), ("MLoop", "*mloop"), ("MLoopUV", "*mloopuv"),
             ("Material", "**mat")],
    "Material": [("ID", "id"), ("float", "r"), ("float", "g"), ("float", "b"), ("int", "pad"), ("MTex", "*mtex[2]")],
    "MTex": [("Tex", "*tex"), ("int", "mapto"), ("int", "pad")],
    "Tex": [("ID", "id"), ("int", "type"), ("int", "pad"), ("Image", "*ima")],
    "Image": [("ID", "id"), ("char", "name[240]"), ("PackedFile", "*packedfile")],
    "PackedFile": [("int", "size"), ("int", "pad"), ("void", "*data")],
    "bProperty": [("bProperty", "*next"), ("bProperty", "*prev"), ("char", "name[32]"), ("int", "type"),
                  ("int", "data"), ("void", "*poin")],
    "bSensor": [("bSensor", "*next"), ("bSensor", "*prev"), ("int", "type"), ("int", "totlinks"),
                ("bController", "**links"), ("void", "*data")],
    "bController": [("bController", "*next"), ("bController", "*prev"), ("int", "type"), ("int", "totlinks"),
                    ("bActuator", "**links")],
    "bActuator": [("bActuator", "*next"), ("bActuator", "*prev"), ("int", "type"), ("int", "pad"), ("void", "*data")],
    "bObjectActuator": [("int", "flag"), ("float", "dloc[3]"), ("float", "drot[3]"), ("int", "pad")],
    "bCollisionSensor": [("char", "name[64]")],
    "bPose": [("ListBase", "chanbase")],
    "bArmature": [("ID", "id"), ("ListBase", "bonebase")],
    "Bone": [("Bone", "*next"), ("Bone", "*prev"), ("char", "name[64]"), ("float", "arm_mat[4][4]"),
             ("ListBase", "childbase"), ("float", "length"), ("int", "pad")],
    "Camera": [("ID", "id"), ("float", "lens"), ("float", "clipsta"), ("float", "clipend"), ("float", "sensor_x")],
}
IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
# Object.type
EMPTY, MESH, CAMERA, ARMATURE = 0, 1, 11, 25


def count(name):
    n = 1
    for part in name.split("[")[1:]:
        n *= int(part.rstrip("]"))
    return n


def length(type_name):
    if type_name in SIZES:
        return SIZES[type_name]
    return sum(8 * count(name) if name.startswith("*") else length(kind) * count(name)
               for kind, name in STRUCTS[type_name])


def fill(type_name, values):
    """The bytes of one struct; what is not given is zero. Values of structs inside: dictionaries."""
    out = b""
    for kind, name in STRUCTS[type_name]:
        plain = name.lstrip("*").split("[")[0]
        given = values.get(plain)
        if name.startswith("*"):
            numbers = given if isinstance(given, list) else [given or 0]
            out += struct.pack("<%dQ" % count(name), *(numbers + [0] * count(name))[:count(name)])
        elif kind == "char":
            out += (given or b"").ljust(count(name), b"\0")[:count(name)]
        elif kind in SIZES:
            numbers = given if isinstance(given, list) else [given or 0]
            out += struct.pack("<%d%s" % (count(name), {"short": "h", "int": "i", "float": "f"}[kind]),
                               *(numbers + [0] * count(name))[:count(name)])
        else:
            out += fill(kind, given or {})
    return out


def describe():
    """The description of structs, SDNA."""
    types = list(SIZES) + list(STRUCTS)
    names = sorted({name for fields in STRUCTS.values() for _, name in fields})

    def table(code, texts):
        data = code + struct.pack("<I", len(texts)) + b"".join(text.encode() + b"\0" for text in texts)
        return data + b"\0" * (-len(data) % 4)

    out = b"SDNA" + table(b"NAME", names)
    out += b"\0" * (-len(out) % 4) + table(b"TYPE", types)
    lengths = b"TLEN" + struct.pack("<%dH" % len(types), *(length(name) for name in types))
    out += lengths + b"\0" * (-len(lengths) % 4)
    out += b"STRC" + struct.pack("<I", len(STRUCTS))
    for name, fields in STRUCTS.items():
        out += struct.pack("<HH", types.index(name), len(fields))
        for kind, field in fields:
            out += struct.pack("<HH", types.index(kind), names.index(field))
    return out


class Blend:
    """Blocks in their order; the address of a block is what add() returns."""

    def __init__(self):
        self.blocks = []
        self.next = 0x10000

    def take(self, size):
        address = self.next
        self.next += (size + 15) // 16 * 16 + 16
        return address

    def raw(self, data, code=b"DATA", type_name=None, n=1, address=None, says=None):
        """A block of any bytes; says: the length that it claims."""
        address = self.take(len(data)) if address is None else address
        number = list(STRUCTS).index(type_name) if type_name else 0
        self.blocks.append(code.ljust(4, b"\0") +
                           struct.pack("<IQII", len(data) if says is None else says, address, number, n) + data)
        return address

    def add(self, type_name, *values, code=b"DATA", address=None):
        data = b"".join(fill(type_name, each) for each in values)
        return self.raw(data, code, type_name, len(values), address)

    def object(self, name, kind=EMPTY, address=None, **values):
        values = dict({"id": {"name": b"OB" + name}, "type": kind, "obmat": IDENTITY, "size": [1, 1, 1]}, **values)
        return self.add("Object", values, code=b"OB", address=address)

    def mesh(self, points, polygons, **values):
        """polygons: lists of indices of points."""
        corners = [{"v": index} for polygon in polygons for index in polygon]
        starts, at = [], 0
        for polygon in polygons:
            starts.append({"loopstart": at, "totloop": len(polygon)})
            at += len(polygon)
        values = dict({
            "id": {"name": b"MEmesh"}, "totvert": len(points), "totpoly": len(polygons), "totloop": len(corners),
            "mvert": self.add("MVert", *({"co": list(point)} for point in points)) if points else 0,
            "mpoly": self.add("MPoly", *starts) if polygons else 0,
            "mloop": self.add("MLoop", *corners) if corners else 0}, **values)
        return self.add("Mesh", values, code=b"ME")

    def list(self, type_name, values, loop=False):
        """A ListBase of structs that lead to the next; loop: the last to the first."""
        places = [self.take(length(type_name)) for _ in values]
        for i, each in enumerate(values):
            following = places[i + 1] if i + 1 < len(values) else places[0] if loop else 0
            if type_name == "MirrorModifierData":
                each = dict(each, modifier=dict(each.get("modifier", {}), next=following))
            else:
                each = dict(each, next=following)
            self.add(type_name, each, address=places[i])
        return {"first": places[0], "last": places[-1]} if places else {}

    def to_bytes(self, described=None):
        dna = describe() if described is None else described
        blocks = self.blocks + [b"DNA1" + struct.pack("<IQII", len(dna), 1, 0, 1) + dna]
        return b"BLENDER-v279" + b"".join(blocks) + b"ENDB" + struct.pack("<IQII", 0, 0, 0, 0)


TRIANGLE = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]


def boundaries(data):
    """Where the blocks of a file end."""
    width = 8 if data[7:8] == b"-" else 4
    order = "<" if data[8:9] == b"v" else ">"
    at, out = 12, []
    while at < len(data):
        size, = struct.unpack_from(order + "I", data, at + 4)
        at += 16 + width + size
        out.append(at)
    return out[:-1]
