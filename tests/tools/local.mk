# SPDX-License-Identifier: BSD-3-Clause
# The house rules, the ABI, the package, what the README promises.
tools_tests = %D%/test_bootstrap.py %D%/test_dist.py %D%/test_house.py %D%/test_options.py %D%/test_pictures.py %D%/test_readme.py

check_PROGRAMS += %D%/test-abi
TESTS += %D%/test-abi $(tools_tests)
LONG_TESTS += %D%/test_distcheck.py
EXTRA_DIST += $(tools_tests) %D%/dist.py %D%/house.py
