# SPDX-License-Identifier: BSD-3-Clause
# The house rules, the program, what the README promises.
tools_tests = %D%/test_house.py %D%/test_readme.py

TESTS += $(tools_tests)
EXTRA_DIST += $(tools_tests) %D%/house.py
