# SPDX-License-Identifier: BSD-3-Clause
# These run scenes with components in worker processes, with plugins of tests/plugins.
worker_tests =
worker_tests += %D%/test-worker-faults
worker_tests += %D%/test-worker-free
worker_tests += %D%/test-worker-limits
worker_tests += %D%/test-worker-scripts
worker_tests += %D%/test-workers

trial_sources = %D%/worker-trial.c %D%/worker-trial.h $(stage_sources)

check_PROGRAMS += $(worker_tests)
TESTS += $(worker_tests)
%C%_test_worker_faults_SOURCES = %D%/test-worker-faults.c $(trial_sources)
%C%_test_worker_free_SOURCES = %D%/test-worker-free.c $(stage_sources)
%C%_test_worker_limits_SOURCES = %D%/test-worker-limits.c $(stage_sources)
%C%_test_worker_scripts_SOURCES = %D%/test-worker-scripts.c $(trial_sources)
%C%_test_workers_SOURCES = %D%/test-workers.c $(stage_sources)

# Workers that are killed: of the tests' own program beside a copy of the library, and with their
# hosts.
check_PROGRAMS += %D%/worker-kills %D%/worker-points
%C%_worker_kills_SOURCES = %D%/worker-kills.c $(trial_sources)
worker_scripts = %D%/test_worker_hosts.py %D%/test_worker_program.sh
TESTS += $(worker_scripts)
EXTRA_DIST += $(worker_scripts)
LONG_TESTS += %D%/worker-kills.sh
