# SPDX-License-Identifier: BSD-3-Clause
importers_tests =
importers_tests += %D%/test-blend

check_PROGRAMS += $(importers_tests)
TESTS += $(importers_tests) %D%/test_described.py %D%/test_hostile.py %D%/test_kept.py \
  %D%/test_options.py %D%/test_robots.py %D%/test_visuals.py
LONG_TESTS += %D%/test_environments.py %D%/test_solids.py
EXTRA_DIST += %D%/blends.py %D%/hostile.py %D%/models.txt %D%/solids.py %D%/test_described.py \
  %D%/test_environments.py %D%/test_hostile.py %D%/test_kept.py %D%/test_options.py \
  %D%/test_robots.py %D%/test_solids.py %D%/test_visuals.py
