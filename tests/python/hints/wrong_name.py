# SPDX-License-Identifier: BSD-3-Clause
import orrery

sim = orrery.load("scene.json")
print(sim.tiks)  # WRONG
pose = sim["robot.pose"].get_pose()
print(pose.position.w)  # WRONG
print(orrery.Pacing.QUICK)  # WRONG
