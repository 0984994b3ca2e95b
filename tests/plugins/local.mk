# SPDX-License-Identifier: BSD-3-Clause
# One name per line: %D%/probe/NAME.c builds %D%/tree/probe/NAME.so, classes probe.NAME.*.
probe_plugins =
probe_plugins += actuators
probe_plugins += faults
probe_plugins += loop
probe_plugins += modifiers
probe_plugins += observers
probe_plugins += overlays
probe_plugins += requests
probe_plugins += scripts
probe_plugins += sensors
probe_plugins += threads
probe_plugins += topics

probe_modules = $(probe_plugins:%=%D%/tree/probe/%.so)
$(probe_modules): %D%/tree/probe/%.so: %D%/probe/%.module.o | lib/liborrery-1.so
	$(link_module)

check_DATA += $(probe_modules)
CLEANFILES += $(probe_modules)
EXTRA_DIST += $(probe_plugins:%=%D%/probe/%.c)

# What tests that load scenes share.
stage_sources = %D%/stage.c %D%/stage.h
