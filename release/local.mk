# SPDX-License-Identifier: BSD-3-Clause
# What releases are made and checked with; the ABI of the last one is there once there is one.
EXTRA_DIST += %D%/abi.py %D%/check %D%/container %D%/tag $(wildcard $(srcdir)/%D%/orrery.abi)

# The tests that are programs, for a build with another compiler.
print-c-tests:
	@echo $(filter $(check_PROGRAMS),$(TESTS))
.PHONY: print-c-tests
