# SPDX-License-Identifier: BSD-3-Clause
# The house rules, the ABI, what the README promises.
tools_tests = %D%/test_house.py %D%/test_readme.py

check_PROGRAMS += %D%/test-abi
TESTS += %D%/test-abi $(tools_tests)
EXTRA_DIST += $(tools_tests) %D%/house.py
