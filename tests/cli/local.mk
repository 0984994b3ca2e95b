# SPDX-License-Identifier: BSD-3-Clause
cli_tests = %D%/test_cli.py %D%/test_install.py %D%/test_order.py %D%/test_run.py

TESTS += $(cli_tests)
EXTRA_DIST += $(cli_tests) %D%/support.py
