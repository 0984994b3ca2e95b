# SPDX-License-Identifier: BSD-3-Clause
"""A site of MORSE with a sensor of its own, as `morse create` and `morse add` lay it out, run as it is.

    export PYTHONPATH=examples/depot/src
    orrery run examples/depot/default.py &
    orrery call robot.dock wait_docked &
    orrery call robot.motion set_speed 0.5 0.0

docs/morse-components.md says what such a component may use; docs/recording.md records a drive,
replays it with another noise and plots both.
"""

from morse.builder import *
from depot.builder import Dock

robot = ATRV()

motion = MotionVW()
robot.append(motion)

dock = Dock()
dock.translate(x=0.5, z=0.3)
dock.properties(X=2.0, Reach=0.4)
dock.frequency(20)
robot.append(dock)

pose = Pose()
pose.alter('Noise', pos_std=0.05)
robot.append(pose)

robot.add_default_interface('socket')

env = Environment('empty', fastmode=True)
