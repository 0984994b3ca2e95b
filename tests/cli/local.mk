# SPDX-License-Identifier: BSD-3-Clause
cli_tests =
cli_tests += %D%/test_absent.py
cli_tests += %D%/test_batch.py
cli_tests += %D%/test_chain.py
cli_tests += %D%/test_cli.py
cli_tests += %D%/test_faults.py
cli_tests += %D%/test_elsewhere.py
cli_tests += %D%/test_escapes.py
cli_tests += %D%/test_install.py
cli_tests += %D%/test_interpreters.py
cli_tests += %D%/test_model.py
cli_tests += %D%/test_limits.py
cli_tests += %D%/test_lost.py
cli_tests += %D%/test_hostile_scenes.py %D%/test_install.py
cli_tests += %D%/test_morse.py
cli_tests += %D%/test_order.py
cli_tests += %D%/test_origins.py
cli_tests += %D%/test_outputs.py
cli_tests += %D%/test_own_modules.py
cli_tests += %D%/test_remote_files.py
cli_tests += %D%/test_rivals.py
cli_tests += %D%/test_run.py
cli_tests += %D%/test_strict.py
cli_tests += %D%/test_trust.py

TESTS += $(cli_tests)
EXTRA_DIST += $(cli_tests) %D%/support.py %D%/surroundings.py
