# SPDX-License-Identifier: BSD-3-Clause
import orrery


def watch(first: orrery.View, second: orrery.View) -> None:
    print(first, second)


sim = orrery.load("scene.json")
sim["robot.pose"].subscribe(watch)  # WRONG
ticks: str = sim.ticks  # WRONG
sim.find_component("robot").get_name()  # WRONG
