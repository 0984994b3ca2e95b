# SPDX-License-Identifier: BSD-3-Clause
# A manual page for the program and one for each command, made by the program from the tables that
# parse its options. No tarball has them: a build runs the program anyway, as for components.md.
man_commands = batch build call check diff doctor echo help messages morse-root new order plugins python \
  recording render replay run
man_pages = %D%/orrery.1 $(man_commands:%=%D%/orrery-%.1)
if !CROSS_COMPILED
nodist_man1_MANS = $(man_pages)
endif
%D%/orrery.1: bin/orrery
	$(AM_V_GEN)$(MKDIR_P) $(@D) && bin/orrery man-page > $@.tmp && mv $@.tmp $@
%D%/orrery-%.1: bin/orrery
	$(AM_V_GEN)$(MKDIR_P) $(@D) && bin/orrery man-page $* > $@.tmp && mv $@.tmp $@
CLEANFILES += $(man_pages)
