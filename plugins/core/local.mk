# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/core/NAME.c builds orrery/core/NAME.so.
core_plugins =
core_plugins += casualty
core_plugins += grasping_robot
core_plugins += lifted_robot
core_plugins += robot
core_plugins += wheeled_robot

MODULES += $(core_plugins:%=$(PLUGINTREE)/orrery/core/%.so)
EXTRA_DIST += $(core_plugins:%=%D%/%.c)

# What controls the speed of a robot.
$(PLUGINTREE)/orrery/core/wheeled_robot.so: %D%/pid.module.o
EXTRA_DIST += %D%/pid.c
noinst_HEADERS += %D%/pid.h

# What robots with a hand share is compiled into each of them.
hand_plugins = grasping_robot lifted_robot
$(hand_plugins:%=$(PLUGINTREE)/orrery/core/%.so): %D%/hand.module.o
EXTRA_DIST += %D%/hand.c
noinst_HEADERS += %D%/hand.h
