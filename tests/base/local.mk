# SPDX-License-Identifier: BSD-3-Clause
base_tests =

check_PROGRAMS += $(base_tests)
TESTS += $(base_tests)
