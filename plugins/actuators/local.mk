# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/actuators/NAME.c builds orrery/actuators/NAME.so.
actuator_plugins =
actuator_plugins += orientation
actuator_plugins += teleport
actuator_plugins += v_omega
actuator_plugins += waypoint
actuator_plugins += xy_omega

MODULES += $(actuator_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so)
EXTRA_DIST += $(actuator_plugins:%=%D%/%.c)
