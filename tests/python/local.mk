# SPDX-License-Identifier: BSD-3-Clause
python_tests = %D%/test_import.py

TESTS += $(python_tests)
EXTRA_DIST += $(python_tests)
