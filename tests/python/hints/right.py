# SPDX-License-Identifier: BSD-3-Clause
"""A plugin, a program, a hybrid world: as the guides write them, with hints."""

from __future__ import annotations

from collections.abc import Generator

import orrery
from orrery import Command, Hybrid, Period, Sleep, WallClock


@orrery.plugin(frequency=20)
class Beacon(orrery.Sensor):
    range = orrery.field(float, "m", "Distance to the beacon")
    noise = orrery.option(0.0, "m", "Standard deviation", minimum=0.0)

    def sense(self, tick: orrery.Tick, record: orrery.View) -> None:
        position = self.get_pose().position
        record.range = self.gauss(tick, position.length(), self.noise)

    @orrery.service
    def reset(self, to: float = 0.0) -> float:
        return self.range + to


def blink(emitter: orrery.PipeEmitter) -> Generator[Command, None, None]:
    while True:
        emitter.emit(1)
        yield Sleep(0.5)
        yield Period(1.0)


def main() -> None:
    with orrery.load("scene", plugin_dirs=["plugins"], seed=7, pacing=orrery.Pacing.FAST) as sim:
        sim.step(600)
        pose = sim["robot.pose"]
        print(sim.time, pose.data.x, dict(pose.data), pose.get_pose().rotation.to_euler().yaw)
        goal: orrery.Call = sim["robot.waypoint"].goto(2.0, 0.0, 0.0)
        while not goal.done:
            sim.step()
        state = sim.save()
        sim.restore(state)
        heights = sim.poses[:, 2]
        print(goal.result(), heights.max(), [name for name in sim if name in sim])
    world = Hybrid(WallClock.new(1.0), "local", report=print)
    emitter, receiver = world.pipe("blink")
    world.loop(blink, emitter)
    reading = receiver.read()
    print(reading.value if reading is not None else "nothing")


main()
