# SPDX-License-Identifier: BSD-3-Clause
# The long tier: what takes minutes, or a build of its own.
long_scripts =
long_scripts += %D%/races.sh
long_scripts += %D%/sanitizers.sh
long_scripts += %D%/storm.sh
long_scripts += %D%/test_faults.py
long_scripts += %D%/test_packages.py
long_scripts += %D%/test_replays.py
long_scripts += %D%/test_viewer_hours.py
long_scripts += %D%/valgrind.sh

LONG_TESTS += $(long_scripts)
EXTRA_DIST += %D%/glib.tsan %D%/libraries.supp %D%/reports.py %D%/seen-by-tsan.c %D%/suite.sh

# Its bare Debian is made of packages, which come over the network.
%D%/test_packages.log: PY_LOG_COMPILER = $(PYTHON)

# What these build; it stays, so that the next run builds only what is new.
clean-local: clean-long
clean-long:
	rm -rf %D%/packages %D%/raced %D%/sanitized
.PHONY: clean-long
