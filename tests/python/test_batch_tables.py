# SPDX-License-Identifier: BSD-3-Clause
"""`orrery batch --table`, orrery.read_batch() and orrery.run_batch(): the results of many runs as arrays."""

import hashlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from native import PythonCase, missing  # noqa: E402

import support  # noqa: E402
import tap  # noqa: E402

if not missing():
    import numpy
    import orrery
    from orrery import _parquet

SCENE = {"orrery": 1, "environment": {"physics": "orrery.physics.kinematic.Kinematic"}, "objects": [
    {"name": "robot", "classpath": "morse.robots.atrv.ATRV", "objects": [
        {"name": "pose", "classpath": "morse.sensors.pose.Pose"}]}]}


class TableCase(PythonCase):
    def setUp(self):
        super().setUp()
        self.scene = self.path("scene.json")
        with open(self.scene, "w", encoding="utf-8") as file:
            json.dump(SCENE, file)
        os.environ["ORRERY_PROGRAM"] = support.PROGRAM
        self.addCleanup(os.environ.pop, "ORRERY_PROGRAM")

    def run_some(self, out="out", **options):
        options = {"sweep": {"robot.position": [[1, 2, 0], [3, 4, 0]], "robot.pose.frequency": [60, "x", 30]}, "ticks": 5,
                   "metrics": {"x": "robot.pose.x", "none": "0 / 0"}, **options}
        return orrery.run_batch(self.scene, self.path(out), **options)

    def digest(self, name):
        with open(self.path(name), "rb") as file:
            return hashlib.sha256(file.read()).hexdigest()

    def read_parquet(self, path):
        support.need(self, support.lacks_modules("hyparquet"))
        done = subprocess.run(["node", os.path.join(os.path.dirname(os.path.abspath(__file__)), "read-parquet.js"), path],
                              capture_output=True, text=True, env=dict(os.environ, NODE_PATH=support.NODE_PATH))
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)


class Tables(TableCase):
    def test_columns(self):
        table = self.run_some()
        self.assertEqual(list(table), ["run", "robot.position", "robot.pose.frequency", "seed", "exit", "ticks", "hash", "x",
                                       "none"])
        self.assertEqual((table.n_runs, table.failed.tolist()), (6, [1, 4]))
        self.assertEqual([table[name].dtype.kind for name in table], list("iUUiifUff"))
        numpy.testing.assert_array_equal(table["ticks"], [5, numpy.nan, 5, 5, numpy.nan, 5])
        numpy.testing.assert_array_equal(table["x"], [1, numpy.nan, 1, 3, numpy.nan, 3])
        self.assertTrue(numpy.isnan(table["none"]).all())
        self.assertEqual([len(text) for text in table["hash"]], [16, 0, 16, 16, 0, 16])
        few = table.select(exit=0, **{"robot.pose.frequency": "30"})
        self.assertEqual(few["run"].tolist(), [2, 5])
        self.assertTrue(os.path.exists(few.get_path(5, "result.json")))
        self.assertIn("6 runs, 2 failed", repr(table))
        with self.assertRaisesRegex(KeyError, "no column y; there are run, "):
            table["y"]

    def test_numbers_and_truth_values(self):
        table = self.run_some(sweep={"robot.pose.frequency": range(10, 40, 10), "robot.position": [[0, 0, 0]]})
        self.assertEqual((table["robot.pose.frequency"].dtype.name, table["robot.pose.frequency"].tolist()),
                         ("int64", [10, 20, 30]))
        with open(self.path("out/results.csv"), "w", encoding="utf-8") as file:
            file.write("run,b,c,hash,big,seed\n0,true,,1234567890123456,18446744073709551615,1\n1,false,true,1e5,1,2\n")
        table = orrery.read_batch(self.path("out"))
        self.assertEqual(table["b"].tolist(), [True, False])
        self.assertEqual(table["c"].tolist(), [None, True])
        self.assertEqual(table["hash"].tolist(), ["1234567890123456", "1e5"])
        self.assertEqual(table["big"].dtype.kind, "f")

    def test_files(self):
        """The same columns in NPZ and Parquet, and the same bytes from another directory at another time."""
        table = self.run_some(tables=["npz", "csv", "parquet"])
        with numpy.load(self.path("out/results.npz")) as arrays:
            self.assertEqual(list(arrays), list(table))
            for name in table:
                numpy.testing.assert_array_equal(arrays[name], table[name])
        rows = self.read_parquet(self.path("out/results.parquet"))["rows"]
        self.assertEqual([row["run"] for row in rows], list(range(6)))
        self.assertEqual([row["ticks"] for row in rows], [5, None, 5, 5, None, 5])
        self.assertEqual([row["hash"] for row in rows], [text or None for text in table["hash"]])
        self.assertEqual([row["none"] for row in rows], [None] * 6)
        self.run_some(tables=["npz", "parquet"], out="again", jobs=1)
        for name in "results.npz", "results.parquet", "results.csv":
            self.assertEqual(self.digest("out/" + name), self.digest("again/" + name))

    def test_no_rows(self):
        self.run_some(sweep={}, runs=2, ticks=4000000000, time_limit=0.3, tables=["npz", "parquet"])
        self.assertEqual(self.read_parquet(self.path("out/results.parquet"))["rows"], [])
        self.assertEqual(orrery.read_batch(self.path("out")).n_runs, 0)

    def test_parquet_texts_and_what_is_missing(self):
        numbers = numpy.ma.array(numpy.arange(9), mask=[1, 0, 0, 1, 1, 0, 0, 0, 1])
        truths = numpy.arange(9) % 3 == 0
        texts = numpy.ma.array(numpy.array(["", "a", "\u00e9\u00df", "x" * 300, "e", "f", "g", "h", "i"]),
                               mask=[0, 0, 0, 0, 1, 0, 0, 0, 0])
        _parquet.write(self.path("a.parquet"), [("n", numbers), ("b", truths), ("t", texts)])
        rows = self.read_parquet(self.path("a.parquet"))["rows"]
        self.assertEqual([row["n"] for row in rows], numbers.tolist())
        self.assertEqual([row["b"] for row in rows], truths.tolist())
        self.assertEqual([row["t"] for row in rows], texts.tolist())


class Mistakes(TableCase):
    def test_of_the_command(self):
        for options, words in (({"runs": 0}, "is not from 1 to"), ({"tables": ["xml"]}, "none of csv, npz, parquet"),
                               ({"sweep": {"robot.pose.x": [1]}}, "robot.pose"), ({"ticks": None}, "a run has to end")):
            with self.subTest(options=options), self.assertRaisesRegex(RuntimeError, words):
                self.run_some(out="wrong", **options)
        with self.assertRaisesRegex(TypeError, "sweep is a dictionary"):
            self.run_some(sweep=["a=1"])

    def test_of_files(self):
        with self.assertRaises(FileNotFoundError):
            orrery.read_batch(self.path("nowhere"))
        os.makedirs(self.path("odd"))
        for text in "", "a,b\n1,2\n", "run,b\n1\n":
            with open(self.path("odd/results.csv"), "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaisesRegex(ValueError, "no table of `orrery batch`"):
                orrery.read_batch(self.path("odd"))

    def test_a_file_that_cannot_be_written(self):
        os.makedirs(self.path("out/results.npz"))
        with self.assertRaisesRegex(RuntimeError, "(?s)exit code 74: .*results.npz"):
            self.run_some(tables=["npz"])


tap.main()
