# SPDX-License-Identifier: BSD-3-Clause
"""A simulation beside the loops of a program: its ticks are one task of the program's scheduler. The same as embed.c.

    orrery python examples/embed.py
"""

from __future__ import annotations

import pathlib
from collections.abc import Generator
from typing import Any

import orrery
from orrery import Command, Period, Sleep

SCENE = pathlib.Path(__file__).with_name("rounds.json")


def inspect(sim: orrery.Simulation) -> Generator[Command, Any, None]:
    """Every second of simulated time, at the same ticks in each run; then it ends the run."""
    for _ in range(3):
        print("%.2f s: tick %d" % (sim.time, sim.get_n_ticks()))
        yield Period(1.0)
    print("%.2f s: tick %d" % (sim.time, sim.get_n_ticks()))
    sim.quit()


def watch(sim: orrery.Simulation) -> Generator[Command, Any, None]:
    """A loop of the program's own, between two ticks whenever it is due; it ends with the simulation."""
    while not sim.is_quitting():
        yield Sleep(0.01)
    print("the loop saw the end")


def main() -> None:
    with orrery.load(SCENE, pacing=orrery.Pacing.FAST, offline=True) as sim:
        scheduler = orrery.Scheduler()
        sim.tasks.add(inspect, sim)
        scheduler.add(watch, sim)
        sim.attach(scheduler)
        scheduler.run()


if __name__ == "__main__":
    main()
