# SPDX-License-Identifier: BSD-3-Clause
# The house rules, the ABI, the package, what the README promises.
tools_tests =
tools_tests += %D%/test_bootstrap.py
tools_tests += %D%/test_course.py
tools_tests += %D%/test_debian.py
tools_tests += %D%/test_dist.py
tools_tests += %D%/test_guides.py
tools_tests += %D%/test_house.py
tools_tests += %D%/test_isolate.py
tools_tests += %D%/test_options.py
tools_tests += %D%/test_pages.py
tools_tests += %D%/test_pictures.py
tools_tests += %D%/test_readme.py
tools_tests += %D%/test_recipes.py
tools_tests += %D%/test_release.py

check_PROGRAMS += %D%/test-abi
TESTS += %D%/test-abi $(tools_tests)
LONG_TESTS += %D%/test_manual.py
RELEASE_TESTS += %D%/test_distcheck.py
EXTRA_DIST += $(tools_tests) %D%/dist.py %D%/house.py
