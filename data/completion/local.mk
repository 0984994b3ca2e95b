# SPDX-License-Identifier: BSD-3-Clause
# Completion for shells. bash-completion finds the file by the name of the program, below each
# directory of XDG_DATA_DIRS.
bashcompletiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
nodist_bashcompletion_DATA = %D%/orrery
%D%/orrery: %D%/orrery.bash
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp $< $@
CLEANFILES += %D%/orrery
dist_zshcompletion_DATA = %D%/_orrery
EXTRA_DIST += %D%/orrery.bash
