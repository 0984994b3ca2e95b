# SPDX-License-Identifier: BSD-3-Clause
"""Names of `morse.core.wheeled_robot`."""

from orrery.morse.components import WheeledRobot as MorsePhysicsRobot  # noqa: F401
from orrery.morse.components import WheeledRobot as PhysicsWheelRobot  # noqa: F401
