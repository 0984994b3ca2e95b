# SPDX-License-Identifier: BSD-3-Clause
# One name per line: modifiers/NAME.c builds orrery/modifiers/NAME.so.
modifier_plugins =
modifier_plugins += clock
modifier_plugins += feet
modifier_plugins += ned
modifier_plugins += pose_noise
modifier_plugins += utm

MODULES += $(modifier_plugins:%=$(PLUGINTREE)/orrery/modifiers/%.so)
EXTRA_DIST += $(modifier_plugins:%=%D%/%.c)
