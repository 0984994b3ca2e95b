# SPDX-License-Identifier: BSD-3-Clause
python_tests = %D%/test_batch.py
python_tests += %D%/test_channels.py
python_tests += %D%/test_follow.py
python_tests += %D%/test_guide.py
python_tests += %D%/test_hybrid.py
python_tests += %D%/test_import.py
python_tests += %D%/test_live.py
python_tests += %D%/test_new.py
python_tests += %D%/test_odd_arguments.py
python_tests += %D%/test_plugins.py
python_tests += %D%/test_runs.py
python_tests += %D%/test_state.py
python_tests += %D%/test_tasks.py
python_tests += %D%/test_twins.py

TESTS += $(python_tests)
EXTRA_DIST += $(python_tests) %D%/native.py %D%/python_case.py %D%/twin.c
LONG_TESTS += %D%/interrupts.sh
EXTRA_DIST += %D%/interrupts.sh %D%/fixtures/seed_intervals.py
