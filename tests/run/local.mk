# SPDX-License-Identifier: BSD-3-Clause
# These look inside: they are linked with the host's objects, not with the library.
run_inside = %D%/test-order %D%/test-pacer %D%/test-pool %D%/test-runner
run_inside += %D%/test-script-joint

check_PROGRAMS += $(run_inside)
TESTS += $(run_inside)
inside_ldadd = host/libhost.a $(GLIB_LIBS) -lstdc++
tests_run_test_order_SOURCES = %D%/test-order.c %D%/order-fixture.h
tests_run_test_order_LDADD = $(inside_ldadd)
tests_run_test_pool_LDADD = $(inside_ldadd)
tests_run_test_pacer_LDADD = $(inside_ldadd)
tests_run_test_runner_LDADD = $(inside_ldadd)
tests_run_test_script_joint_LDADD = $(inside_ldadd)

# These run scenes through the library, with plugins of tests/plugins.
run_stage =
run_stage += %D%/test-budget
run_stage += %D%/test-clocks
run_stage += %D%/test-context
run_stage += %D%/test-frequencies
run_stage += %D%/test-hash
run_stage += %D%/test-pipeline
run_stage += %D%/test-priority
run_stage += %D%/test-reset
run_stage += %D%/test-saved
run_stage += %D%/test-worker-faults
run_stage += %D%/test-worker-free
run_stage += %D%/test-worker-limits
run_stage += %D%/test-worker-scripts
run_stage += %D%/test-workers
run_stage += %D%/test-script-failures
run_stage += %D%/test-script-life
run_stage += %D%/test-script-order
run_stage += %D%/test-threads
run_stage += %D%/test-threads-steady
run_stage += %D%/test-script-physics
run_stage += %D%/test-script-steady

trial_sources = %D%/worker-trial.c %D%/worker-trial.h $(stage_sources)

check_PROGRAMS += $(run_stage)
TESTS += $(run_stage)
tests_run_test_budget_SOURCES = %D%/test-budget.c $(stage_sources)
tests_run_test_clocks_SOURCES = %D%/test-clocks.c $(stage_sources)
tests_run_test_context_SOURCES = %D%/test-context.c $(stage_sources)
tests_run_test_frequencies_SOURCES = %D%/test-frequencies.c $(stage_sources)
tests_run_test_hash_SOURCES = %D%/test-hash.c $(stage_sources)
tests_run_test_pipeline_SOURCES = %D%/test-pipeline.c $(stage_sources)
tests_run_test_priority_SOURCES = %D%/test-priority.c $(stage_sources)
tests_run_test_script_failures_SOURCES = %D%/test-script-failures.c $(stage_sources)
tests_run_test_script_life_SOURCES = %D%/test-script-life.c $(stage_sources)
tests_run_test_script_physics_SOURCES = %D%/test-script-physics.c $(stage_sources)
tests_run_test_script_steady_SOURCES = %D%/test-script-steady.c $(stage_sources)
tests_run_test_script_order_SOURCES = %D%/test-script-order.c %D%/order-fixture.h $(stage_sources)
tests_run_test_threads_SOURCES = %D%/test-threads.c $(stage_sources)
tests_run_test_threads_steady_SOURCES = %D%/test-threads-steady.c $(stage_sources)
tests_run_test_reset_SOURCES = %D%/test-reset.c $(stage_sources)
tests_run_test_saved_SOURCES = %D%/test-saved.c $(stage_sources)

tests_run_test_worker_faults_SOURCES = %D%/test-worker-faults.c $(trial_sources)
tests_run_test_worker_free_SOURCES = %D%/test-worker-free.c $(stage_sources)
tests_run_test_worker_limits_SOURCES = %D%/test-worker-limits.c $(stage_sources)
tests_run_test_worker_scripts_SOURCES = %D%/test-worker-scripts.c $(trial_sources)
tests_run_test_workers_SOURCES = %D%/test-workers.c $(stage_sources)

# Scenes, run from outside, with plugins of their own.
run_fixture = %D%/plugins/run/wasteful.so
$(run_fixture): $(top_srcdir)/host/orrery.h %D%/fixtures/wasteful.c lib/liborrery-1.so
%D%/plugins/run/%.so: %D%/fixtures/%.c
	$(build_module)
-include $(run_fixture:.so=.d)
check_DATA += $(run_fixture)
CLEANFILES += $(run_fixture) $(run_fixture:.so=.d)
EXTRA_DIST += $(run_fixture:%D%/plugins/run/%.so=%D%/fixtures/%.c)

check_PROGRAMS += %D%/test-steady
TESTS += %D%/test-steady

run_scripts = %D%/test_first_scene.py
TESTS += $(run_scripts)
EXTRA_DIST += $(run_scripts)

scheduler_tests = %D%/test-scheduler %D%/test-scheduler-steady %D%/test-scheduler-wall
check_PROGRAMS += $(scheduler_tests)
TESTS += $(scheduler_tests)
%C%_test_scheduler_SOURCES = %D%/test-scheduler.c %D%/scheduler-support.h
%C%_test_scheduler_LDADD = $(inside_ldadd)

# Channels, with real processes at their other ends: the tests run themselves again.
channel_sources = %D%/channel-trial.c %D%/channel-trial.h
run_channel =
run_channel += %D%/test-channel
run_channel += %D%/test-channel-process
run_channel += %D%/test-channel-rubbish
run_channel += %D%/test-channel-values

check_PROGRAMS += $(run_channel)
TESTS += $(run_channel)
tests_run_test_channel_SOURCES = %D%/test-channel.c $(channel_sources)
tests_run_test_channel_process_SOURCES = %D%/test-channel-process.c $(channel_sources)
tests_run_test_channel_process_LDADD = $(inside_ldadd)
tests_run_test_channel_rubbish_SOURCES = %D%/test-channel-rubbish.c $(channel_sources)
tests_run_test_channel_rubbish_LDADD = $(inside_ldadd)
tests_run_test_channel_values_SOURCES = %D%/test-channel-values.c $(channel_sources)
LONG_TESTS += %D%/channel-kills.sh
EXTRA_DIST += %D%/channel-kills.sh

# Hybrid worlds: the tests run themselves again as their background processes.
hybrid_sources = %D%/hybrid-trial.c %D%/hybrid-trial.h
run_hybrid = %D%/test-hybrid %D%/test-hybrid-faults
check_PROGRAMS += $(run_hybrid)
TESTS += $(run_hybrid)
%C%_test_hybrid_SOURCES = %D%/test-hybrid.c $(hybrid_sources)
%C%_test_hybrid_faults_SOURCES = %D%/test-hybrid-faults.c $(hybrid_sources)
LONG_TESTS += %D%/hybrid-kills.sh
EXTRA_DIST += %D%/hybrid-kills.sh

# Workers that are killed: of the tests' own program beside a copy of the library, and with their
# hosts.
check_PROGRAMS += %D%/worker-kills %D%/worker-points
tests_run_worker_kills_SOURCES = %D%/worker-kills.c $(trial_sources)
worker_tests = %D%/test_worker_hosts.py %D%/test_worker_program.sh
TESTS += $(worker_tests)
EXTRA_DIST += $(worker_tests)
LONG_TESTS += %D%/worker-kills.sh
