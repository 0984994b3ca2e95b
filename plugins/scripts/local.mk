# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/scripts/NAME.c builds orrery/scripts/NAME.so.
scripts_plugins =
scripts_plugins += motion
scripts_plugins += multinode
scripts_plugins += trace

MODULES += $(scripts_plugins:%=$(PLUGINTREE)/orrery/scripts/%.so)
EXTRA_DIST += $(scripts_plugins:%=%D%/%.c)

$(PLUGINTREE)/orrery/scripts/multinode.so: %D%/node-link.module.o
EXTRA_DIST += %D%/node-link.c
noinst_HEADERS += %D%/node-link.h
