# SPDX-License-Identifier: BSD-3-Clause
"""The table of `orrery batch` as arrays, frames and files of others; batches that a script runs.

    python3 -m orrery._batch_tables DIRECTORY FORMAT...

is what `orrery batch --table` starts; FORMAT is npz or parquet. Without a directory it says whether it could.
"""

import collections.abc
import csv
import json
import os
import subprocess
import sys
import zipfile

import numpy

from . import _parquet
from ._build import to_directories
from .builder.catalogue import find_program

# A file of a zip archive has a time; that of all of ours is its first one.
EPOCH = (1980, 1, 1, 0, 0, 0)
LARGEST = 2**63
TEXTS = ("hash",)
# The exit codes of a batch of which some runs failed, and of one that was interrupted and may go on.
FAILED = 1


class BatchTable(collections.abc.Mapping):
    """The rows of `results.csv`, in the order of the runs: `table["seed"]` is an array, and so are parameters and metrics.

    Whole numbers are int64, others float64 (NaN where a run has none), truth values bool, all else texts as the file has
    them. `directory` is where it comes from.
    """

    def __init__(self, directory, columns):
        self.directory = directory
        self._columns = columns

    def __getitem__(self, name):
        if name not in self._columns:
            raise KeyError("no column %s; there are %s" % (name, ", ".join(self._columns)))
        return _without_mask(self._columns[name])

    def __iter__(self):
        return iter(self._columns)

    def __len__(self):
        return len(self._columns)

    def __repr__(self):
        return "<BatchTable of %d runs, %d failed: %s>" % (self.n_runs, len(self.failed), ", ".join(self._columns))

    @property
    def n_runs(self):
        """How many have a result."""
        return len(self._columns["run"])

    @property
    def failed(self):
        """The numbers of those that did not end well."""
        return self["run"][self["exit"] != 0]

    def select(self, **values):
        """The rows with these values, as a table; names with dots in a dictionary: `select(**{"robot.gps.frequency": 5})`."""
        wanted = numpy.ones(self.n_runs, dtype=bool)
        for name, value in values.items():
            wanted &= self[name] == value
        return BatchTable(self.directory, {name: array[wanted] for name, array in self._columns.items()})

    def to_frame(self):
        """The same as a DataFrame of pandas, by the number of the run."""
        import pandas
        return pandas.DataFrame({name: self[name] for name in self}).set_index("run")

    def get_path(self, run, name=""):
        """The directory of a run, or a file in it."""
        return os.path.join(self.directory, "run-%05d" % run, name)


def _without_mask(array):
    if not isinstance(array, numpy.ma.MaskedArray):
        return array
    if not numpy.ma.getmaskarray(array).any():
        return numpy.asarray(array.data)
    if array.dtype.kind in "if":
        return array.astype(float).filled(numpy.nan)
    if array.dtype.kind == "U":
        return array.filled("")
    out = array.data.astype(object)
    out[numpy.ma.getmaskarray(array)] = None
    return out


def _parse(cell):
    """A number or a truth value; None: a text."""
    try:
        value = json.loads(cell)
    except ValueError:
        return None
    return value if isinstance(value, (bool, int, float)) else None


def _make_column(name, cells):
    there = [cell != "" for cell in cells]
    values = [] if name in TEXTS else [_parse(cell) for cell in cells if cell != ""]
    if name in TEXTS or None in values:
        array = numpy.array(cells, dtype="U") if cells else numpy.zeros(0, dtype="U1")
        return numpy.ma.array(array, mask=numpy.logical_not(there)) if not all(there) else array
    if values and all(isinstance(value, bool) for value in values):
        kind, nothing = bool, False
    elif all(isinstance(value, int) and not isinstance(value, bool) and abs(value) < LARGEST for value in values) and values:
        kind, nothing = "int64", 0
    else:
        kind, nothing = "float64", numpy.nan
    each = iter(values)
    array = numpy.array([next(each) if has else nothing for has in there], dtype=kind)
    return array if all(there) else numpy.ma.array(array, mask=numpy.logical_not(there))


def read_batch(directory):
    path = os.path.join(os.fspath(directory), "results.csv")
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    if not rows or rows[0][:1] != ["run"] or any(len(row) != len(rows[0]) for row in rows):
        raise ValueError("%s: no table of `orrery batch`" % path)
    return BatchTable(os.fspath(directory), {name: _make_column(name, [row[i] for row in rows[1:]])
                                             for i, name in enumerate(rows[0])})


# --- files ---

def _write_npz(path, table):
    """As numpy.savez(), but of the same bytes at any time."""
    with zipfile.ZipFile(path, "w") as archive:
        for name in table:
            info = zipfile.ZipInfo(name + ".npy", EPOCH)
            array = table[name]
            # truth values, of which some are missing
            if array.dtype == object:
                array = numpy.array([numpy.nan if value is None else float(value) for value in array])
            with archive.open(info, "w", force_zip64=True) as file:
                numpy.lib.format.write_array(file, array, allow_pickle=False)


def _write_parquet(path, table):
    _parquet.write(path, list(table._columns.items()))


WRITERS = {"npz": _write_npz, "parquet": _write_parquet}


def write(table, path, kind):
    temporary = "%s.%d~" % (path, os.getpid())
    try:
        WRITERS[kind](temporary, table)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.unlink(temporary)


def main(arguments):
    if not arguments:
        return 0
    table = read_batch(arguments[0])
    for kind in arguments[1:]:
        path = os.path.join(arguments[0], "results." + kind)
        try:
            write(table, path, kind)
        except OSError as error:
            print("orrery: %s: %s" % (path, error.strerror), file=sys.stderr)
            return 74
    return 0


# --- batches of a script ---

def _options(name, values, form):
    if not isinstance(values, collections.abc.Mapping):
        raise TypeError("%s is a dictionary, not %r" % (name, values))
    return ["--%s=%s=%s" % (name, key, form(value)) for key, value in values.items()]


def _as_json(value):
    if isinstance(value, numpy.ndarray) or isinstance(value, numpy.generic):
        value = value.tolist()
    return value if isinstance(value, str) and value.startswith(("range(", "uniform(", "normal(", "choice(")) else json.dumps(
        list(value) if isinstance(value, (range, tuple)) else value)


def run_batch(scene, out, *, runs=None, ticks=None, for_=None, seed=None, jobs=None, block=None, retries=None, sweep=None,
              draw=None, cases=None, latin=False, metrics=None, set=None, strict=False, record=False, record_only=None,
              record_full=False, time_limit=None, memory_limit=None, checkpoint_every=None, tables=("csv",), plugin_dirs=(),
              arguments=()):
    """Runs `orrery batch` and returns its BatchTable; what is there already is not done again.

    `scene` is a builder script, a scene file or a directory that `orrery build` wrote, `out` the directory of the batch.
    `sweep` and `draw` are dictionaries: {"robot.gps.frequency": [1, 5, 10]}, {"robot.mass": "uniform(1,2)"}; `metrics`
    {"drift": "max_over(abs(robot.pose.x))"}; `set` has values in place of those of the scene. All others are those of
    the command. Runs that fail have their exit code in the table; where the command itself fails, RuntimeError has its
    words.
    """
    command = [find_program(), "batch", os.fspath(scene), "--out", os.fspath(out), "--table", ",".join(tables)]
    plain = {"runs": runs, "ticks": ticks, "for": for_, "seed": seed, "jobs": jobs, "block": block, "retries": retries,
             "cases": cases, "record-only": record_only, "time-limit": time_limit, "memory-limit": memory_limit,
             "checkpoint-every": checkpoint_every}
    command += ["--%s=%s" % (name, value) for name, value in plain.items() if value is not None]
    flags = {"latin": latin, "strict": strict, "record": record, "record-full": record_full}
    command += ["--" + name for name, wanted in flags.items() if wanted]
    command += _options("sweep", sweep or {}, _as_json) + _options("draw", draw or {}, _as_json)
    command += _options("metric", metrics or {}, str) + _options("set", set or {}, json.dumps)
    command += ["--plugin-dir=" + path for path in to_directories(plugin_dirs)]
    command += ["--", *map(str, arguments)] if arguments else []
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode not in (0, FAILED):
        raise RuntimeError("orrery batch: exit code %d: %s" % (done.returncode, done.stderr.strip()))
    return read_batch(out)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
