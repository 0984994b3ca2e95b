# SPDX-License-Identifier: BSD-3-Clause
"""`orrery diff` of two recordings."""

import json
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import recordings
import support
import tap

S = 1000000000
NOISY = json.loads(support.SCENE)
NOISY["component_modifier"] = {"robot.pose": [["morse.modifiers.pose_noise.PoseNoiseModifier", "noisify",
                                               {"pos_std": 0.1}]]}


def pose(name, x=0.0, z=0.0, w=1.0, parent="world"):
    return {"parent_frame_id": parent, "child_frame_id": name, "translation": {"x": x, "y": 0, "z": 0},
            "rotation": {"x": 0, "y": 0, "z": z, "w": w}}


def poses(time, *transforms):
    return "/orrery/poses", time, {"transforms": list(transforms)}


class DiffCase(support.ProgramCase):
    def file(self, name, messages, **options):
        with open(self.path(name), "wb") as file:
            file.write(recordings.recording(messages, **options))
        return self.path(name)

    def pair(self, a, b, **options):
        return self.file("a.mcap", a, **options), self.file("b.mcap", b, **options)

    def json(self, *arguments, code=1):
        done = self.orrery("diff", "--json", *arguments)
        self.check(done, code)
        result = json.loads(done.stdout)
        self.assertEqual(result["equal"], code == 0)
        return {topic["topic"]: topic for topic in result["topics"]}

    def equal(self, *arguments):
        done = self.orrery("diff", *arguments)
        self.check(done, 0)
        self.assertEqual(done.stdout + done.stderr, "")


class Runs(DiffCase):
    """Recordings of runs."""

    def record(self, name, *options, scene=NOISY, seconds=2):
        path = self.write("scene.json", json.dumps(scene))
        self.check(self.orrery("run", path, "--for", str(seconds), "--fast", "--record", self.path(name), *options), 0)
        return self.path(name)

    def test_the_same_run(self):
        """Two runs of one seed are equal, also if their time begins at the present date, as here."""
        a, b = self.record("a.mcap"), self.record("b.mcap")
        self.equal(a, b)
        topics = self.json(a, b, code=0)
        self.assertGreater(topics["/robot/pose"]["compared"], 100)
        self.assertGreater(topics["/orrery/poses"]["compared"], 0)
        self.assertEqual(topics["/robot/pose"]["compared"], topics["/robot/pose"]["messages_a"])

    def test_dates(self):
        """Where time begins at the present date, numbers that differ as the beginnings do are dates; others are not."""
        a = self.file("a.mcap", [("/x", S, {"t": 1.5, "u": 1.5}), ("/x", 2 * S, {"t": 2.5, "u": 2.5})])
        b = self.file("b.mcap", [("/x", S * 19 // 4, {"t": 5.25, "u": 1.5}), ("/x", S * 23 // 4, {"t": 6.25, "u": 2.25})])
        found = self.json(a, b)["/x"]
        self.assertEqual((found["compared"], found["different"], found["first"]["field"]), (2, 1, "u"))

    def test_another_seed(self):
        """How much fields differ is what a program that reads both finds."""
        scene = dict(NOISY, environment=dict(NOISY["environment"], start=0))
        a, b = self.record("a.mcap", scene=scene), self.record("b.mcap", "--seed", "8", scene=scene)
        found = self.json(a, b)["/robot/pose"]
        messages = [[json.loads(line) for line in self.orrery("recording", "cat", path, "--topic", "/robot/pose").stdout
                     .splitlines()] for path in (a, b)]
        differences = [x["data"]["x"] - y["data"]["x"] for x, y in zip(*messages)]
        field = next(each for each in found["fields"] if each["field"] == "x")
        self.assertEqual(field["largest"], max(map(abs, differences)))
        self.assertAlmostEqual(field["rms"], math.sqrt(sum(d * d for d in differences) / len(differences)), places=12)
        self.assertEqual(field["unit"], "m")
        worst = max(range(len(differences)), key=lambda i: abs(differences[i]))
        self.assertEqual(field["time"], messages[0][worst]["time"])
        self.assertEqual(found["first"], {"field": "x", "time": messages[0][0]["time"],
                                          "a": messages[0][0]["data"]["x"], "b": messages[1][0]["data"]["x"]})
        self.assertNotIn("timestamp", [each["field"] for each in found["fields"]])
        self.check(self.orrery("diff", a, b), 1, "/robot/pose: 120 and 120 messages, 120 of equal time, 120 of these differ",
                   "x  ", "m root mean square", "s after the first message: x: ")
        self.equal(a, b, "--topic", "/orrery/poses")
        self.equal(a, b, "--tolerance", "2")

    def test_a_shorter_run(self):
        scene = dict(NOISY, environment=dict(NOISY["environment"], start=0))
        a, b = self.record("a.mcap", scene=scene), self.record("b.mcap", scene=scene, seconds=1)
        found = self.json(a, b)["/robot/pose"]
        self.assertEqual([found[key] for key in ("compared", "different", "only_a", "only_b")], [60, 0, 60, 0])
        self.assertNotIn("b", found["first"])
        self.equal(a, b, "--to", "0.9")
        self.equal(b, a, "--from", "0.5", "--to", "0.9")

    def test_another_frequency(self):
        """Ticks of other lengths: what has one time is compared, each fifth tick of one with each sixth of the other."""
        runs = [dict(NOISY, environment=dict(NOISY["environment"], start=0, frequency=frequency)) for frequency in (50, 60)]
        a, b = self.record("a.mcap", scene=runs[0]), self.record("b.mcap", scene=runs[1])
        found = self.json(a, b)
        self.assertEqual([found["/robot"][key] for key in ("compared", "only_a", "only_b", "different")], [20, 80, 100, 0])

    def test_a_filter(self):
        """A recording that begins later has the same times."""
        scene = dict(NOISY, environment=dict(NOISY["environment"], start=0))
        a = self.record("a.mcap", scene=scene)
        self.check(self.orrery("recording", "filter", a, "--from", "1", "-o", self.path("b.mcap")), 0)
        self.assertEqual(self.json(a, self.path("b.mcap"))["/robot/pose"]["different"], 0)
        self.equal(a, self.path("b.mcap"), "--from", "1", "--topic", "/robot/pose")


class Fields(DiffCase):
    """What a message has."""

    def first(self, a, b, *options, **schemas):
        found = self.json(*self.pair([("/x", S, a)], [("/x", S, b)], **schemas), *options)["/x"]
        return found["first"]["field"], found["first"].get("a"), found["first"].get("b"), found["fields"]

    def test_kinds(self):
        for a, b, field, values in (
                ({"a": {"b": [1, 2.5]}}, {"a": {"b": [1, 2.25]}}, "a.b.1", (2.5, 2.25)),
                ({"a": 1, "b": "x"}, {"a": 1, "b": "y"}, "b", ("x", "y")),
                ({"a": True}, {"a": False}, "a", (True, False)), ({"a": None}, {"a": 1}, "a", (None, 1)),
                ({"a": 1}, {}, "a", (1, None)), ({}, {"a": 1}, "a", (None, 1)),
                ({"a": [1]}, {"a": [1, 2]}, "a", ([1], [1, 2])),
                ({"a": 2**53}, {"a": 2**53 + 1}, "a", (2**53, 2**53 + 1)),
                ({"a": {"a": 1, "b": 2}}, {"a": {"b": 3, "a": 1}}, "a.b", (2, 3))):
            with self.subTest(a=a, b=b):
                found = self.first(a, b)
                self.assertEqual(found[:3], (field,) + values)

    def test_equal(self):
        """Written otherwise, the same."""
        self.equal(*self.pair([("/x", S, b'{"a": 1, "b": [0.5, null]}')], [("/x", S, b'{"b":[5e-1,null],"a":1.0}')]))

    def test_a_long_list(self):
        """It is one field; the first difference names the item."""
        a, b = {"r": [0.0] * 100}, {"r": [0.0] * 99 + [3.0]}
        field, before, after, fields = self.first(a, b)
        self.assertEqual((field, before, after), ("r.99", 0.0, 3.0))
        self.assertEqual([each["field"] for each in fields], ["r"])
        self.assertEqual((fields[0]["largest"], round(fields[0]["rms"], 12)), (3.0, 0.3))

    def test_bytes(self):
        """Pictures are compared byte by byte."""
        schemas = {"/x": {"properties": {"image": {"type": "string", "contentEncoding": "base64"}}}}
        found = self.first({"image": "AAAA"}, {"image": "AAoA"}, schemas=schemas)
        self.assertEqual(found[:3], ("image.1", 0, 10))
        self.assertEqual(found[3][0]["largest"], 10)
        self.assertEqual(self.first({"image": "AAAA"}, {"image": "AAAAAAAA"}, schemas=schemas)[:1], ("image",))
        # Without the schema they are texts.
        self.assertEqual(self.first({"image": "AAAA"}, {"image": "AAoA"})[:3], ("image", "AAAA", "AAoA"))

    def test_tolerance(self):
        a, b = self.pair([("/x", S, {"a": 1.0, "b": "t"})], [("/x", S, {"a": 1.25, "b": "t"})])
        self.equal(a, b, "--tolerance", "0.25")
        self.check(self.orrery("diff", a, b, "--tolerance", "0.2"), 1, "a: 1.0 and 1.25")

    def test_angles(self):
        """From one end of a turn to the other it is not far, for angles alone."""
        for unit, a, b, difference in (
                ("rad", 3.125, -3.125, 2 * math.pi - 6.25), ("rad", 0.125, 6.25, 2 * math.pi - 6.125),
                ("rad", [0.0, -3.0], [0.0, 3.0], 2 * math.pi - 6), ("rad", 3.1415927410125732, -3.0, math.pi - 3),
                ("deg", 359.5, 0.25, 0.75), ("deg", -179.0, 179.0, 2), ("rad", 0.5, 1.0, 0.5), ("deg", 10.0, 100.0, 90),
                # These count on over a turn, or are none.
                ("rad", 7.0, 0.5, 6.5), ("rad", 2.0, 2.0 + 2 * math.pi, 2 * math.pi), ("rad", -3.5, 3.0, 6.5),
                ("rad", -1.0, 5.0, 6), ("deg", 400.0, 30.0, 370),
                ("m", 3.125, -3.125, 6.25), ("rad/s", 3.125, -3.125, 6.25), ("", 3.125, -3.125, 6.25)):
            with self.subTest(unit=unit, a=a, b=b):
                words = "%s: where it looks" % unit if unit else "where it looks"
                schemas = {"/x": {"properties": {"yaw": {"type": "number", "description": words}}}}
                field = self.first({"yaw": a}, {"yaw": b}, schemas=schemas)[3][0]
                self.assertAlmostEqual(field["largest"], difference, 6)
        schemas = {"/x": {"properties": {"yaw": {"type": "number", "description": "rad: where it looks"}}}}
        self.equal(*self.pair([("/x", S, {"yaw": math.pi})], [("/x", S, {"yaw": -math.pi})], schemas=schemas))
        a, b = self.pair([("/x", S, {"yaw": 3.125})], [("/x", S, {"yaw": -3.125})], schemas=schemas)
        self.equal(a, b, "--tolerance", "0.04")
        self.check(self.orrery("diff", a, b, "--tolerance", "0.03"), 1, "yaw: 3.125 and -3.125")

    def test_rms(self):
        """Messages that are the same count as zeros."""
        a = [("/x", i * S, {"a": 0.0}) for i in range(4)]
        b = a[:3] + [("/x", 3 * S, {"a": 4.0})]
        field = self.json(*self.pair(a, b))["/x"]["fields"][0]
        self.assertEqual((field["largest"], field["rms"], field["time"]), (4.0, 2.0, 3.0))

    def test_several_at_one_time(self):
        """The first is compared with the first."""
        a = [("/x", S, {"a": 1}), ("/x", S, {"a": 2}), ("/y", S, {"a": 3})]
        b = [("/y", S, {"a": 3}), ("/x", S, {"a": 1}), ("/x", S, {"a": 5}), ("/x", S, {"a": 6})]
        found = self.json(*self.pair(a, b))
        self.assertEqual((found["/x"]["compared"], found["/x"]["different"], found["/x"]["only_b"]), (2, 1, 1))
        self.assertEqual((found["/x"]["first"]["a"], found["/x"]["first"]["b"]), (2, 5))
        self.assertEqual(found["/y"]["different"], 0)

    def test_topics(self):
        a = [("/x", S, {"a": 1}), ("/y", S, {"a": 1})]
        b = [("/x", S, {"a": 1}), ("/z", S, {"a": 1})]
        done = self.orrery("diff", *self.pair(a, b))
        self.check(done, 1, "/y: only in", "a.mcap, 1 messages", "/z: only in")
        self.assertNotIn("/x", done.stdout)
        self.equal(self.path("a.mcap"), self.path("b.mcap"), "--topic", "/x")
        self.check(self.orrery("diff", self.path("a.mcap"), self.path("b.mcap"), "--topic", "/zz"), 69, "no topic '/zz'")


    def test_left_out(self):
        """What parts log, and states, are compared if they are named."""
        for topic in "/orrery/log", "/orrery/states":
            a, b = self.pair([(topic, S, {"a": 1}), ("/x", S, {})], [(topic, S, {"a": 2}), ("/x", S, {})])
            self.equal(a, b)
            self.assertEqual(self.json(a, b, "--topic", topic)[topic]["different"], 1)


class Poses(DiffCase):
    def object(self, a, b, *options):
        found = self.json(*self.pair(a, b), *options)["/orrery/poses"]
        return {each["object"]: each for each in found["objects"]}, found["first"]

    def test_how_much(self):
        half = math.sqrt(0.5)
        a = [poses(S, pose("box"), pose("wall")), poses(2 * S, pose("box", 1.0)), poses(3 * S, pose("box", 1.0))]
        b = [poses(S, pose("box"), pose("wall")), poses(2 * S, pose("box", 1.5)), poses(3 * S, pose("box", 1.0, half, half))]
        objects, first = self.object(a, b)
        self.assertEqual(list(objects), ["box"])
        self.assertEqual((objects["box"]["distance"], objects["box"]["time_of_distance"]), (0.5, 2.0))
        self.assertAlmostEqual(objects["box"]["angle"], math.pi / 2, places=12)
        self.assertEqual(objects["box"]["time_of_angle"], 3.0)
        self.assertEqual(first, {"field": "box.translation.x", "time": 2.0, "a": 1.0, "b": 1.5})
        self.check(self.orrery("diff", self.path("a.mcap"), self.path("b.mcap")), 1,
                   "box  0.5 m at most  at 1 s  1.5708 rad at most  at 2 s")

    def test_small_angles(self):
        """No digits are lost where the angle is small; and a quaternion and its negative are one rotation."""
        objects, _ = self.object([poses(S, pose("box"))], [poses(S, pose("box", 0.0, 1e-9))])
        self.assertAlmostEqual(objects["box"]["angle"], 2e-9, delta=1e-15)
        self.equal(*self.pair([poses(S, pose("box"))], [poses(S, pose("box", w=-1.0))]))

    def test_who_stands_still(self):
        """Objects that do not move are not written: they are where they were."""
        a = [poses(S, pose("box"), pose("cup")), poses(2 * S, pose("box", 1.0)), poses(3 * S, pose("box", 2.0))]
        b = [poses(S, pose("box"), pose("cup")), poses(3 * S, pose("cup"))]
        objects, first = self.object(a, b)
        self.assertEqual(list(objects), ["box"])
        self.assertEqual((objects["box"]["distance"], first["time"]), (2.0, 2.0))
        objects, first = self.object(a, b, "--from", "1.5")
        self.assertEqual((list(objects), first["time"], first["b"]), (["box"], 3.0, 0.0))

    def test_one_object_more(self):
        a, b = [poses(S, pose("box"))], [poses(S, pose("box"), pose("ball"))]
        objects, first = self.object(a, b)
        self.assertEqual((list(objects), first["field"], "a" in first), (["ball"], "ball", False))
        self.check(self.orrery("diff", self.path("a.mcap"), self.path("b.mcap")), 1, "ball  only in  ")

    def test_none(self):
        """Where one recording has no poses, none are compared."""
        a = [poses(S, pose("box")), ("/x", S, {}), ("/x", 2 * S, {})]
        found = self.json(*self.pair(a, a[1:]))["/orrery/poses"]
        self.assertEqual([found[key] for key in ("compared", "only_a", "messages_b")], [0, 1, 0])

    def test_frames(self):
        _, first = self.object([poses(S, pose("box"))], [poses(S, pose("box", parent="map"))])
        self.assertEqual((first["field"], first["b"]), ("box.parent_frame_id", "map"))

    def test_other_forms(self):
        """What looks like poses and is not is compared like anything else."""
        a, b = self.pair([poses(S, {"child_frame_id": "x"})], [poses(S, {"child_frame_id": "y"})])
        self.assertEqual(self.json(a, b)["/orrery/poses"]["first"]["field"], "transforms.0.child_frame_id")


class Hostile(DiffCase):
    """Recordings may come from anywhere."""

    def test_no_json(self):
        for name, data in (("broken", b"{"), ("deep", b"[" * 100000), ("empty", b""), ("zero", b"\0")):
            with self.subTest(name):
                a, b = self.pair([("/x", S, data)], [("/x", S, {"a": 1})])
                self.check(self.orrery("diff", a, b), 1, "%d bytes" % len(data))
                self.equal(a, self.file("c.mcap", [("/x", S, data)]))

    def test_encodings(self):
        a = self.file("a.mcap", [("/x", S, b"{}")])
        b = self.file("b.mcap", [("/x", S, b"{}")], encodings={"/x": "cdr"})
        self.check(self.orrery("diff", a, b), 1, "2 bytes")

    def test_names(self):
        """Nothing that a terminal obeys."""
        a = [("/x\x1b[31m\n/y", S, {"a\x1b[0m\n": "\x1b]0;t\x07"})]
        done = self.orrery("diff", *self.pair(a, [(a[0][0], S, {"a\x1b[0m\n": 1})]))
        self.check(done, 1)
        self.assertNotIn("\x1b", done.stdout)
        self.assertEqual(len(self.json(self.path("a.mcap"), self.path("b.mcap"))), 1)

    def test_many_fields(self):
        """Only so many are summed up; a difference in others is found."""
        a = {"f%d" % i: 0 for i in range(6000)}
        found = self.json(*self.pair([("/x", S, a)], [("/x", S, dict(a, f5999=1))]))["/x"]
        self.assertEqual((found["first"]["field"], found["fields"]), ("f5999", []))

    def test_many_objects(self):
        many = [pose(str(i)) for i in range(66000)]
        a, b = self.pair([poses(S, *many)], [poses(S, *many[:-1], pose(many[-1]["child_frame_id"], 1.0))])
        found = self.json(a, b)["/orrery/poses"]
        self.assertEqual(found["first"]["field"], "transforms.65999.translation.x")

    def test_one_time(self):
        """Messages of one time are in memory: there is a limit, and the error names it."""
        size = 60000000
        with open(self.path("a.mcap"), "wb") as file:
            file.write(recordings.begin(["/x"]))
            for _ in range(5):
                empty = recordings.message(1, S, b"")
                file.write(empty[:1] + (len(empty) - 9 + size).to_bytes(8, "little") + empty[9:])
                file.seek(size, os.SEEK_CUR)
            file.write(recordings.end())
        b = self.file("b.mcap", [("/x", S, {})])
        self.check(self.orrery("diff", self.path("a.mcap"), b), 65, "a.mcap: has more than 256 MiB of messages at one time")

    def test_damage(self):
        a = self.file("a.mcap", [("/x", S, {"a": 1}), ("/x", 2 * S, {"a": 1})])
        with open(a, "rb") as file:
            data = file.read()
        with open(self.path("cut.mcap"), "wb") as file:
            file.write(data[:data.rindex(b'{"a"')])
        done = self.orrery("diff", a, self.path("cut.mcap"))
        self.check(done, 1, "/x: 2 and 1 messages, 1 of equal time, 0 of these differ")
        self.assertIn("warning", done.stderr)
        self.check(self.orrery("diff", a, self.write("head.mcap", "")), 65, "a.mcap is a recording, ", "head.mcap is none")

    def test_nothing(self):
        """Recordings that have nothing in common are not silently equal."""
        empty = self.file("a.mcap", [])
        done = self.orrery("diff", empty, empty)
        self.check(done, 0)
        self.assertIn("nothing was compared", done.stderr)

    def test_mistakes(self):
        a = self.file("a.mcap", [("/x", S, {})])
        hashes = self.write("hashes", "0 robot 11\n")
        self.check(self.orrery("diff", a, hashes), 65, "hashes is none")
        self.check(self.orrery("diff", a, self.path("none")), 66, "none")
        self.check(self.orrery("diff", hashes, hashes, "--topic", "/x"), 64, "are for recordings")
        self.check(self.orrery("diff", a, a, "--tolerance", "-1"), 64, "--tolerance")
        self.check(self.orrery("diff", a, a, "--tolerance", "nan"), 64, "--tolerance")


if __name__ == "__main__":
    tap.main()
