# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/sensors/NAME.c builds orrery/sensors/NAME.so.
sensor_plugins =
sensor_plugins += clock
sensor_plugins += gyroscope
sensor_plugins += odometry
sensor_plugins += pose
sensor_plugins += velocity

MODULES += $(sensor_plugins:%=$(PLUGINTREE)/orrery/sensors/%.so)
EXTRA_DIST += $(sensor_plugins:%=%D%/%.c)
