# SPDX-License-Identifier: BSD-3-Clause
"""A robot makes its rounds: a task drives it, a function is called for each pose, and one moment has several futures.

    orrery python examples/rounds.py
"""

from __future__ import annotations

import asyncio
import pathlib
from collections.abc import Generator
from typing import Any

import orrery
from orrery import Command, Sleep, until

SCENE = pathlib.Path(__file__).with_name("rounds.json")
CORNERS = [(2.0, 0.0), (2.0, 2.0), (0.0, 0.0)]


def rounds(sim: orrery.Simulation) -> Generator[Command, Any, None]:
    """Between two ticks, in simulated time."""
    for x, y in CORNERS:
        result = yield until(sim["guard.waypoint"].goto(x, y, 0.0))
        seen = yield until(sim["guard.pose"])
        print("%5.2f s: %s at (%.1f, %.1f)" % (sim.time, result.lower(), seen.x, seen.y))
        yield Sleep(0.5)


def drive(sim: orrery.Simulation) -> int:
    """How often the pose was measured on the way."""
    times: list[float] = []
    with sim["guard.pose"].subscribe(lambda record: times.append(record.timestamp)):
        sim.tasks.add(rounds, sim)
        while sim.tasks.get_n_tasks() > 0:
            sim.step()
    return len(times)


def futures(state: bytes, seeds: range) -> list[float]:
    """What the noise of each seed would have shown a second later."""
    found: list[float] = []
    for seed in seeds:
        with orrery.load(SCENE, seed=seed, pacing=orrery.Pacing.FAST) as sim:
            sim.restore(state)
            sim.step(60)
            found.append(sim["guard.pose"].data.x)
    return found


async def meet(sim: orrery.Simulation) -> str:
    """The same by `await`: its ticks run in the event loop meanwhile."""
    async with orrery.live(sim, pace=0) as names:
        result: str = await names.guard.waypoint.goto(1.0, 1.0, 0.0)
        async for record in names.guard.odometry:
            assert record.timestamp > 0
            break
    return result


def main() -> None:
    with orrery.load(SCENE, pacing=orrery.Pacing.FAST) as sim:
        print("measured %d times" % drive(sim))
        shown = futures(sim.save(), range(1, 6))
        print("x in five futures: " + ", ".join("%.2f" % x for x in shown))
        print("by await: %s" % asyncio.run(meet(sim)))
        numbers = sim.table(["guard.pose", "guard.odometry"], ["x", "y", "yaw"]).read()
        print("a table of %d times %d numbers" % numbers.shape)


if __name__ == "__main__":
    main()
