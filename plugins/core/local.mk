# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/core/NAME.c builds orrery/core/NAME.so.
core_plugins =
core_plugins += casualty
core_plugins += lifted_robot
core_plugins += robot
core_plugins += wheeled_robot

MODULES += $(core_plugins:%=$(PLUGINTREE)/orrery/core/%.so)
EXTRA_DIST += $(core_plugins:%=%D%/%.c)
