# SPDX-License-Identifier: BSD-3-Clause
import orrery

sim = orrery.load("scene.json", seed="seven")  # WRONG
sim.step("ten")  # WRONG
