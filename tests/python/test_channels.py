# SPDX-License-Identifier: BSD-3-Clause
"""Values of Python through channels of each transport."""

import gc
import math
import socket
import subprocess
import sys
import unittest

from native import HERE, PythonCase, missing
import tap

if not missing():
    import numpy
    import orrery
    from gi.repository import GLib

TRANSPORTS = ("local", "queue", "latest")
FIELDS = ("bool", "int64", "double", "time", "text", "vec3", "euler", "quat", "mat3", "mat4", "array", "points",
          "buffer", "record", "variant")


def channel_of(transport, name="trial"):
    if transport == "latest":
        return orrery.Channel.new_latest(name, 0, False)
    return getattr(orrery.Channel, "new_" + transport)(name, 0)


def ends(transport):
    channel = channel_of(transport)
    return orrery.Emitter.new(channel), orrery.Receiver.new(channel)


if not missing():
    class Blob(orrery.Shared):
        """A user's own type: a text and bytes."""

        def __init__(self, label, content):
            self.label, self.content = label, content

        def get_size(self):
            return len(self.content)

        def write(self, memory):
            memory[:] = self.content

        def read(self, memory, parameters):
            self.label, self.content = parameters["label"], memory

        def get_parameters(self):
            return {"label": self.label}


@unittest.skipIf(missing(), missing())
class Values(unittest.TestCase):
    def through(self, value):
        """What comes out of each transport."""
        for transport in TRANSPORTS:
            emitter, receiver = ends(transport)
            with self.subTest(transport=transport):
                self.assertIsNone(receiver.read())
                self.assertIs(emitter.emit(value, 1234), True)
                fresh, stale = receiver.read(), receiver.read()
                self.assertEqual((fresh.time, fresh.fresh, stale.time, stale.fresh), (1234, True, 1234, False))
                self.assertIs(fresh.value, stale.value)
                yield fresh.value

    def test_plain_values(self):
        values = (0, -(1 << 63), (1 << 63) - 1, 2.5, math.inf, True, False, None, "", "Grüße", "x" * 1000000, b"", b"a\0b",
                  [], (), {}, [1, (2.0, "x", None), {"k": [b"y", True]}], {"": {"": ()}}, [[[[]]]])
        for value in values:
            for out in self.through(value):
                self.assertEqual(out, value)
                self.assertIs(type(out), type(value))

    def test_numbers_of_numpy(self):
        for out in self.through(numpy.float32(1.5)):
            self.assertEqual(out, 1.5)

    def test_what_does_not_cross(self):
        class Own:
            pass
        for transport in TRANSPORTS:
            emitter, receiver = ends(transport)
            for value, kind, words in ((Own(), TypeError, "of type Own cannot be sent"), ({1}, TypeError, "of type set"),
                                       ({1: 2}, TypeError, "of type dict"), ([Own()], TypeError, "of type Own"),
                                       (1 << 63, OverflowError, "64 bits"), ("a\0b", ValueError, "NUL"),
                                       (numpy.array([Own()]), TypeError, "array of Python objects")):
                with self.assertRaisesRegex(kind, words):
                    emitter.emit(value)
            self.assertIsNone(receiver.read())
            self.assertTrue(emitter.emit(1))
            self.assertEqual(receiver.read().value, 1)

    def test_what_is_pickled_is_never_unpickled_from_outside(self):
        """Only the ends of a hybrid, whose processes are one program, take it; those that anybody may have do not."""
        class Bomb:
            def __reduce__(self):
                return exec, ("import sys\nsys.orrery_ran = True",)
        self.addCleanup(vars(sys).pop, "orrery_ran", None)
        for transport in TRANSPORTS:
            emitter, receiver = ends(transport)
            emitter._orrery_own = True
            self.assertTrue(emitter.emit(Bomb()))
            with self.assertRaisesRegex(TypeError, "trial: a pickled value, which may be any code"):
                receiver.read()
            self.assertFalse(hasattr(sys, "orrery_ran"))
            # Control: it would have run.
            receiver = orrery.Receiver.new(receiver.get_channel())
            receiver._orrery_own = True
            receiver.read()
            self.assertTrue(vars(sys).pop("orrery_ran"))

    def test_arrays_of_any_type_and_shape(self):
        record = numpy.dtype([("a", "<f4"), ("b", ">i2", (3,)), ("when", "M8[ns]"), ("name", "U5")])
        arrays = [numpy.arange(24).reshape(2, 3, 4).astype(kind) for kind in
                  ("u1 i1 u2 i2 u4 i4 u8 i8 f2 f4 f8 g c8 c16 G ? S3 U4 >f8 >u2 M8[s] m8[ms]").split()]
        arrays += [numpy.zeros(5, record), numpy.zeros((2, 0, 3)), numpy.array(5.5), numpy.empty(0, ">i4"),
                   numpy.arange(720).reshape((1, 2, 3, 4, 5, 6)), numpy.arange(20)[::-3],
                   numpy.asfortranarray(numpy.arange(6.0).reshape(2, 3)), numpy.arange(8).reshape(2, 2, 2).T,
                   numpy.broadcast_to(numpy.float32(3), (4, 5)), numpy.zeros(3, numpy.dtype("u1,f8", align=True))]
        for array in arrays:
            for out in self.through(array):
                self.assertEqual((out.dtype, out.shape), (array.dtype, array.shape))
                self.assertTrue((out == array).all())
                self.assertFalse(out.flags.writeable)

    def test_an_array_that_is_changed_afterwards(self):
        for transport in TRANSPORTS:
            emitter, receiver = ends(transport)
            array = numpy.ones(1000)
            emitter.emit(array)
            array[:] = 2
            self.assertEqual(receiver.read().value.sum(), 1000.0)

    def test_c_reads_arrays_as_buffers(self):
        emitter, receiver = ends("queue")
        emitter.emit(numpy.ones((2, 3), "f4"))
        receiver.read()
        buffer = receiver.hold_buffer()
        self.assertEqual(buffer.get_element(), orrery.Element.FLOAT)
        self.assertEqual([buffer.get_length(i) for i in range(buffer.get_n_dimensions())], [2, 3])

    def test_buffers(self):
        buffer = orrery.Buffer.new(orrery.Element.INT16, [2, 3])
        for out in self.through(buffer):
            self.assertEqual((out.dtype, out.shape), (numpy.dtype("i2"), (2, 3)))

    def test_a_users_own_type(self):
        for out in self.through(Blob("left", b"12345")):
            self.assertIsInstance(out, Blob)
            self.assertEqual((out.label, bytes(out.content)), ("left", b"12345"))
            self.assertTrue(out.content.readonly)
        for out in self.through(Blob("nothing", b"")):
            self.assertEqual((out.label, bytes(out.content)), ("nothing", b""))

    def test_a_type_that_is_not_here(self):
        emitter, receiver = ends("local")
        room = emitter.begin_address(1, GLib.Variant("(sv)", ("os.system", GLib.Variant("s", "true"))))
        self.assertNotEqual(room, 0)
        emitter.commit(0)
        with self.assertRaisesRegex(TypeError, "os.system, which this program does not define"):
            receiver.read()

    def test_an_array_of_another_size_than_it_says(self):
        emitter, receiver = ends("local")
        for shape in ([1000000], [-1, -24], [], [1 << 62, 8]):
            emitter.emit_with(b"24 bytes are not enough.", GLib.Variant("(sax)", ("float64", shape)), 0)
            with self.assertRaisesRegex(ValueError, "24 bytes are no array of float64"):
                receiver.read()

    def test_rubbish_instead_of_a_type(self):
        emitter, receiver = ends("local")
        for name in ("__import__('os').system('true')", "[", "object", "'O'", ""):
            emitter.emit_with(b"12345678", GLib.Variant("(sax)", (name, [1])), 0)
            with self.assertRaises((ValueError, TypeError, SyntaxError)):
                receiver.read()


@unittest.skipIf(missing(), missing())
class Records(unittest.TestCase):
    VALUES = {"bool": GLib.Variant("b", True), "int64": GLib.Variant("x", -5), "double": GLib.Variant("d", 2.5),
              "time": GLib.Variant("d", 1.5), "text": GLib.Variant("s", "Grüße"), "vec3": GLib.Variant("ad", [1, 2, 3]),
              "array": GLib.Variant("ad", [4, 5]), "points": GLib.Variant("aad", [[1, 2, 3]]),
              "mat3": GLib.Variant("aad", [[1, 2, 3], [4, 5, 6], [7, 8, 9]]),
              "variant": GLib.Variant("a{sv}", {"k": GLib.Variant("x", 1)}),
              "buffer": GLib.Variant("(saxay)", ("uint8", [2, 2], [1, 2, 3, 4]))} if not missing() else {}

    def test_fields_of_every_type(self):
        schema = orrery.Schema.new_from_variant(GLib.Variant("a(ssss)", [(name, name, "", "") for name in FIELDS]))
        record = orrery.Record.new(schema)
        record.set_values(GLib.Variant("a{sv}", self.VALUES))
        record.set_timestamp(77)
        for transport in TRANSPORTS:
            emitter, receiver = ends(transport)
            self.assertTrue(emitter.emit(record))
            reading = receiver.read()
            out = reading.value
            self.assertEqual(reading.time, 77)
            self.assertEqual(set(out), set(FIELDS) | {"timestamp"})
            self.assertEqual((out.bool, out.int64, out.double, out.time, out.text), (True, -5, 2.5, 1.5, "Grüße"))
            self.assertEqual(out["vec3"], (1.0, 2.0, 3.0))
            self.assertEqual(list(out.array), [4.0, 5.0])
            self.assertEqual(out.points.tolist(), [[1.0, 2.0, 3.0]])
            self.assertEqual(out.buffer.tolist(), [[1, 2], [3, 4]])
            self.assertEqual(out.mat3[1], [4.0, 5.0, 6.0])
            self.assertEqual(out.variant, {"k": 1})
            with self.assertRaises(AttributeError):
                out.double = 3.0
            with self.assertRaises(AttributeError):
                out.nothing

    def test_another_value_where_a_record_is_said_to_be(self):
        emitter, receiver = ends("local")
        for description in (([("a", "double", "", "")], []), ([("a", "rubbish", "", "")], []),
                            ([("a", "double", "", "")], [("a", GLib.Variant("x", 1))]),
                            ([("a", "record", "", "")], [("a", GLib.Variant("x", 1))])):
            emitter.emit_with(b"rubbish", GLib.Variant("(a(ssss)a(sv))", description), 0)
            with self.assertRaises(GLib.Error):
                receiver.read()


@unittest.skipIf(missing(), missing())
class Ends(unittest.TestCase):
    def test_rings_keep_the_order_and_drop_the_oldest(self):
        for transport in ("local", "queue"):
            emitter, receiver = ends(transport)
            for i in range(8):
                emitter.emit(i)
            self.assertEqual([receiver.read()[::2] for _ in range(6)],
                             [(3, True), (4, True), (5, True), (6, True), (7, True), (7, False)])
            self.assertEqual(receiver.get_n_dropped(), 3)

    def test_latest_is_the_newest(self):
        emitter, receiver = ends("latest")
        late = orrery.Receiver.new(receiver.get_channel())
        for i in range(8):
            emitter.emit(i)
        self.assertEqual((receiver.read()[::2], receiver.read()[::2]), ((7, True), (7, False)))
        self.assertEqual(late.read()[::2], (7, True))

    def test_a_view_lies_in_shared_memory_and_stays_as_it_is(self):
        emitter, receiver = ends("latest")
        emitter.emit(numpy.full(1000, 7))
        reading = receiver.read()
        view = reading.value
        address = view.__array_interface__["data"][0]
        with open("/proc/self/maps", encoding="ascii") as maps:
            place = [line for line in maps if int(line.split("-")[0], 16) <= address < int(line.split("-")[1].split()[0], 16)]
        self.assertIn("memfd:orrery-channel", place[0])
        del reading
        for i in range(1000):
            emitter.emit(numpy.full(1000, i))
            receiver.read()
        self.assertTrue((view == 7).all())

    def test_views_outlive_their_channel(self):
        emitter, receiver = ends("latest")
        emitter.emit(numpy.full(1000, 7))
        view = receiver.read().value
        del emitter, receiver
        gc.collect()
        self.assertTrue((view == 7).all())

    def test_false_where_all_room_is_held(self):
        emitter, receiver = ends("latest")
        held = []
        results = []
        for i in range(40):
            results.append(emitter.emit(numpy.full(10, i)))
            held.append(receiver.read())
        self.assertEqual(results, [True] * 32 + [False] * 8)
        held.clear()
        self.assertTrue(emitter.emit(numpy.full(10, 99)))
        self.assertEqual(receiver.read().value[0], 99)

    def test_a_fixed_size_is_an_error_that_names_both(self):
        emitter = orrery.Emitter.new(orrery.Channel.new_latest("camera", 80, True))
        with self.assertRaisesRegex(GLib.Error, "camera: a value of 88 bytes, but the size is fixed at 80"):
            emitter.emit(numpy.zeros(11))

    def test_time_is_now_if_nothing_is_said(self):
        emitter, receiver = ends("local")
        emitter.emit(1)
        clock = orrery.WallClock.new(1.0)
        self.assertLess(abs(clock.get_time() - receiver.read().time), 60 * 10 ** 9)

    def test_seconds(self):
        emitter, receiver = ends("local")
        emitter.emit(1, 1500000000)
        self.assertEqual(receiver.read().timestamp, 1.5)

    def test_reading_grows_nothing(self):
        def work(n):
            for i in range(n):
                emitter.emit(array)
                receiver.read()
            gc.collect()
            return len(gc.get_objects())
        emitter, receiver = ends("latest")
        array = numpy.zeros(100)
        before = work(100)
        self.assertLess(work(2000) - before, 50)


class Processes(PythonCase):
    OTHER = """
        import os, sys
        import orrery
        import numpy
        channel = orrery.Channel.receive(int(sys.argv[1]))
        emitter = orrery.Emitter.new(channel)
        for i in range(int(sys.argv[2])):
            emitter.emit(numpy.full((320, 200, 3), i, numpy.uint8), i)
        """

    def test_frames_of_another_process(self):
        for transport, count in (("latest", 1), ("queue", 5)):
            ours, theirs = socket.socketpair()
            channel = channel_of(transport)
            process = self.begin(self.program(self.OTHER), str(theirs.fileno()), str(count), pass_fds=[theirs.fileno()])
            theirs.close()
            channel.send(ours.fileno())
            receiver = orrery.Receiver.new(channel)
            for i in range(count):
                self.assertTrue(receiver.wait(60 * 10 ** 9))
                reading = receiver.read()
                self.assertEqual((reading.time, reading.fresh, reading.value.shape), (i, True, (320, 200, 3)))
                self.assertTrue((reading.value == i).all())
            self.assertEqual(process.communicate(timeout=60), ("", ""))
            self.assertEqual(process.returncode, 0)
            ours.close()


if __name__ == "__main__":
    tap.main()
