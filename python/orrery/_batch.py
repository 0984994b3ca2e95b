# SPDX-License-Identifier: BSD-3-Clause
"""Many runs of one scene in processes of their own, and their records as arrays."""

import collections
import json
import operator
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time

import numpy

import orrery

from ._build import is_script, to_directories
from ._native import to_settings

PACKAGES = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Batch:
    """What many runs gave, in the order of their seeds.

    `seeds` and `hashes` have an entry per run; `errors` says by seed why a run failed, and its part
    of the arrays is empty. `batch["robot.pose"].x` is an array of runs times records; a vector adds
    an axis, an image several. `batch["robot.pose"].timestamp` has their times. A field whose length
    changes is an array of objects, and so is one of which the runs have different numbers of records.
    """

    def __init__(self, seeds, results):
        self.seeds = numpy.array(seeds, dtype=numpy.uint64)
        self.errors = {seed: result.error for seed, result in zip(seeds, results) if result.error}
        self.hashes = [result.hash for result in results]
        self.records = join([result.records for result in results])

    def __getitem__(self, component):
        if component not in self.records:
            why = "; %d of %d runs failed, the first with: %s" % (len(self.errors), len(self), next(iter(self.errors.values()))) \
                if self.errors else ""
            raise KeyError("no records of %s; there are %s%s" % (component, ", ".join(self.records) or "none", why))
        return self.records[component]

    def __len__(self):
        return len(self.seeds)

    def __repr__(self):
        return "<Batch of %d runs, %d failed: %s>" % (len(self), len(self.errors), ", ".join(self.records))


class Records(collections.UserDict):
    """The fields of one component by name, also as attributes."""

    def __getattr__(self, name):
        try:
            return self.__dict__["data"][name]
        except KeyError:
            raise AttributeError("no field %s; there are %s" % (name, ", ".join(self.data))) from None


class Result:
    def __init__(self, records=None, hash=None, error=None):
        self.records = records or {}
        self.hash = hash
        self.error = error


def stack(runs, empty):
    """Arrays of single runs as one; a run that failed is filled up with nothing."""
    parts = [run for run in runs if run is not None]
    first = parts[0]
    if any(part.shape != first.shape or part.dtype != first.dtype for part in parts):
        out = numpy.empty(len(runs), dtype=object)
        out[:] = runs
        return out
    if len(parts) == len(runs):
        return numpy.stack(runs)
    filler = numpy.full(first.shape, empty if first.dtype.kind == "f" else None,
                        dtype=first.dtype if first.dtype.kind == "f" else object)
    return numpy.stack([filler if run is None else run for run in runs])


def join(all_records):
    names = {}
    for records in all_records:
        for name in records:
            names.setdefault(name)
    joined = {}
    for name in names:
        component, _, field = name.rpartition("/")
        joined.setdefault(component, Records())[field] = stack(
            [records.get(name) for records in all_records], numpy.nan)
    return joined


class Worker:
    """A process that runs one seed after the other; started anew where one of them ended it."""

    def __init__(self, setting, directory):
        self.setting = setting
        self.directory = directory
        self.process = None

    def start(self):
        environment = dict(os.environ)
        paths = [PACKAGES] + [path for path in environment.get("PYTHONPATH", "").split(os.pathsep) if path]
        environment["PYTHONPATH"] = os.pathsep.join(paths)
        environment["PYTHONSAFEPATH"] = "1"  # no modules of the current directory
        self.log = tempfile.TemporaryFile(dir=self.directory)
        self.process = subprocess.Popen([sys.executable, "-m", "orrery._batch_worker"], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log)
        self.say(self.setting)

    def say(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def run(self, seed):
        path = os.path.join(self.directory, "%d.npz" % seed)
        try:
            if self.process is None:
                self.start()
            self.say({"seed": seed, "path": path})
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            return Result(error=self.explain())
        answer = json.loads(line)
        if "error" in answer:
            return Result(error=answer["error"])
        with numpy.load(path, allow_pickle=True) as file:
            records = {name: file[name] for name in file.files}
        os.unlink(path)
        return Result(records, answer["hash"])

    def explain(self):
        code = self.process.wait()
        self.log.seek(0)
        last = self.log.read().decode(errors="replace").strip().splitlines()[-1:]
        self.end()
        if code < 0:
            return "killed by signal %d" % -code
        return ": ".join(["its process ended with exit code %d" % code] + last)

    def end(self):
        if self.process is None:
            return
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.log.close()
        self.process = None


class Progress:
    """One line on a terminal that is written again and again."""

    WIDTH = 30

    def __init__(self, n, wanted):
        self.n = n
        self.begin = time.monotonic()
        self.wanted = sys.stderr.isatty() if wanted is None else wanted

    def show(self, done, failed):
        if not self.wanted:
            return
        bar = "#" * (self.WIDTH * done // self.n)
        rate = done / max(1e-9, time.monotonic() - self.begin)
        sys.stderr.write("\r[%-*s] %d of %d runs, %d failed, %.1f/s%s"
                         % (self.WIDTH, bar, done, self.n, failed, rate, "\n" if done == self.n else ""))
        sys.stderr.flush()


def work(worker, waiting, results, finished):
    try:
        while True:
            index, seed = waiting.get_nowait()
            try:
                results[index] = worker.run(seed)
            except Exception as error:
                results[index] = Result(error=str(error))
            finished.put(index)
    except queue.Empty:
        pass
    finally:
        worker.end()


def run_all(seeds, n_workers, setting, directory, progress):
    waiting, finished, results = queue.SimpleQueue(), queue.SimpleQueue(), [None] * len(seeds)
    for item in enumerate(seeds):
        waiting.put(item)
    workers = [Worker(setting, directory) for _ in range(min(n_workers, len(seeds)))]
    threads = [threading.Thread(target=work, args=(worker, waiting, results, finished), daemon=True)
               for worker in workers]
    for thread in threads:
        thread.start()
    try:
        for done in range(1, len(seeds) + 1):
            finished.get()
            progress.show(done, sum(1 for result in results if result is not None and result.error))
    except BaseException:
        # Nobody takes a further seed, and whoever runs one is ended.
        while not waiting.empty():
            waiting.get()
        for worker in workers:
            if worker.process is not None:
                worker.process.kill()
        raise
    finally:
        for thread in threads:
            thread.join()
    return results


def check_count(name, value):
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ValueError("%s is %r; a whole number above 0 is expected" % (name, value))


def to_seeds(given):
    """A list of whole numbers, also those of NumPy."""
    try:
        seeds = [operator.index(seed) for seed in given]
    except TypeError:
        raise TypeError("seeds: whole numbers, as range(100), not %.80r" % (given,)) from None
    if any(not 0 <= seed < 2**64 for seed in seeds) or len({*seeds}) != len(seeds):
        raise ValueError("seeds are whole numbers from 0 to 2^64 - 1, each once")
    return seeds


def batch(scene, seeds=range(100), *, ticks=None, for_=None, workers=None, record=None, every=1, start=0.0,
          plugin_dirs=(), progress=None, set=None):
    """Runs a scene once per seed, in `workers` processes (as many as there are processors), unpaced.

    `scene` is a builder script, a scene file or a directory that `orrery build` wrote. Each run lasts `ticks` ticks or
    `for_` simulated seconds; the records of the components named by `record` (all sensors) are
    kept: each, or with `every` the newest of so many ticks. `progress` shows a bar: on a terminal, unless it says otherwise.
    `set` has values in place of those of the scene, as that of orrery.load().
    Returns a Batch; a run that fails or crashes is in its `errors`, and the others go on.
    """
    seeds = to_seeds(seeds)
    if (ticks is None) == (for_ is None):
        raise ValueError("either ticks or for_ says how long a run lasts")
    if ticks is not None:
        check_count("ticks", ticks)
    elif not 0 < float(for_) < 9e9:
        raise ValueError("for_ is %r; a number of seconds above 0 is expected" % (for_,))
    check_count("every", every)
    workers = len(os.sched_getaffinity(0)) if workers is None else workers
    check_count("workers", workers)
    if isinstance(record, str):
        raise TypeError("record is a list of components, not a text: [%r]" % record)
    setting = {"scene": os.path.abspath(os.fspath(scene)), "ticks": ticks, "for": for_, "every": every,
               "start": float(start), "settings": to_settings(set or {}), "record": None if record is None else list(record),
               "plugin_dirs": [os.path.abspath(path) for path in to_directories(plugin_dirs)]}
    if not seeds:
        return Batch([], [])
    with tempfile.TemporaryDirectory(prefix="orrery-batch-") as directory:
        if is_script(scene):
            setting["scene"] = os.path.join(directory, "scene")
            orrery.build(scene, setting["scene"], setting["plugin_dirs"])
        return Batch(seeds, run_all(seeds, workers, setting, directory, Progress(len(seeds), progress)))
