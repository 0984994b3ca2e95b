# SPDX-License-Identifier: BSD-3-Clause
"""One process of orrery.batch(): a setting, then seeds, as lines of JSON; an answer for each seed."""

import ctypes
import json
import math
import os
import signal
import sys

import numpy

import orrery

PR_SET_PDEATHSIG = 1


def find_recorded(simulation, names):
    if names is None:
        return [name for name in simulation if isinstance(simulation[name], orrery.Sensor)]
    for name in names:
        simulation[name]  # says which there are
    return names


class Recorder:
    """Keeps the records of one component: a sample for each that it has passed on, with its time."""

    def __init__(self, component):
        self.data = component.data
        self.clock = None if "timestamp" in self.data else component.get_robot().data
        self.name = component.name
        self.samples = {field: [] for field in self.data}
        if self.clock is not None:
            self.samples["timestamp"] = []
        self.newest = None
        self.subscription = component.subscribe(self.note)

    def note(self, _record):
        self.newest = {field: self.data[field] for field in self.data}
        if self.clock is not None:
            self.newest["timestamp"] = self.clock["time"]

    def take(self):
        if self.subscription.error is not None:
            raise self.subscription.error
        if self.newest is None:
            return
        for field, values in self.samples.items():
            values.append(self.newest[field])
        self.newest = None

    def arrays(self):
        for field, values in self.samples.items():
            yield "%s/%s" % (self.name, field), as_array(values)


def as_array(values):
    try:
        array = numpy.asarray(values)
        if array.dtype != object:
            return array
    except ValueError:  # lengths differ
        pass
    array = numpy.empty(len(values), dtype=object)
    array[:] = values
    return array


def run(setting, seed, path):
    options = {"seed": seed, "start": setting["start"], "hash": True, "offline": True,
               "pacing": orrery.Pacing.FAST, "settings": setting["settings"]}
    with orrery.load(setting["scene"], plugin_dirs=setting["plugin_dirs"], **options) as simulation:
        ticks = setting["ticks"] or math.ceil(setting["for"] * simulation.get_frequency() - 1e-9)
        recorders = [Recorder(simulation[name]) for name in find_recorded(simulation, setting["record"])]
        while simulation.ticks < ticks:
            simulation.step(min(setting["every"], ticks - simulation.ticks))
            if simulation.is_quitting():
                raise RuntimeError("the run ended by itself after %d ticks" % simulation.ticks)
            for recorder in recorders:
                recorder.take()
        numpy.savez(path, **{name: array for recorder in recorders for name, array in recorder.arrays()})
        return {"hash": "%016x" % simulation.get_hash()}


def main():
    os.environ.pop("PYTHONSAFEPATH", None)
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # Ctrl-C is for whoever asked for the batch, and ends this process, too.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a part prints is no answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    setting = json.loads(sys.stdin.readline())
    for line in sys.stdin:
        order = json.loads(line)
        try:
            answer = run(setting, order["seed"], order["path"])
        except Exception as error:
            answer = {"error": "%s" % (error.args[0] if isinstance(error, KeyError) and error.args else error)}
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
