# SPDX-License-Identifier: BSD-3-Clause
# These look inside: they are linked with the host's objects, not with the library.
tick_inside = %D%/test-order %D%/test-pacer %D%/test-pool %D%/test-runner
tick_inside += %D%/test-script-joint

check_PROGRAMS += $(tick_inside)
TESTS += $(tick_inside)
%C%_test_order_SOURCES = %D%/test-order.c %D%/order-fixture.h
%C%_test_order_LDADD = $(inside_ldadd)
%C%_test_pool_LDADD = $(inside_ldadd)
%C%_test_pacer_LDADD = $(inside_ldadd)
%C%_test_runner_LDADD = $(inside_ldadd)
%C%_test_script_joint_LDADD = $(inside_ldadd)

# These run scenes through the library, with plugins of tests/plugins.
tick_stage =
tick_stage += %D%/test-budget
tick_stage += %D%/test-clocks
tick_stage += %D%/test-context
tick_stage += %D%/test-demand
tick_stage += %D%/test-frequencies
tick_stage += %D%/test-hash
tick_stage += %D%/test-pipeline
tick_stage += %D%/test-priority
tick_stage += %D%/test-script-failures
tick_stage += %D%/test-script-life
tick_stage += %D%/test-script-order
tick_stage += %D%/test-script-physics
tick_stage += %D%/test-script-steady
tick_stage += %D%/test-threads
tick_stage += %D%/test-threads-steady
tick_stage += %D%/test-timeout
tick_stage += %D%/test-topics

check_PROGRAMS += $(tick_stage)
TESTS += $(tick_stage)
%C%_test_budget_SOURCES = %D%/test-budget.c $(stage_sources)
%C%_test_clocks_SOURCES = %D%/test-clocks.c $(stage_sources)
%C%_test_context_SOURCES = %D%/test-context.c $(stage_sources)
%C%_test_demand_SOURCES = %D%/test-demand.c $(stage_sources)
%C%_test_frequencies_SOURCES = %D%/test-frequencies.c $(stage_sources)
%C%_test_hash_SOURCES = %D%/test-hash.c $(stage_sources)
%C%_test_pipeline_SOURCES = %D%/test-pipeline.c $(stage_sources)
%C%_test_priority_SOURCES = %D%/test-priority.c $(stage_sources)
%C%_test_script_failures_SOURCES = %D%/test-script-failures.c $(stage_sources)
%C%_test_script_life_SOURCES = %D%/test-script-life.c $(stage_sources)
%C%_test_script_order_SOURCES = %D%/test-script-order.c %D%/order-fixture.h $(stage_sources)
%C%_test_script_physics_SOURCES = %D%/test-script-physics.c $(stage_sources)
%C%_test_script_steady_SOURCES = %D%/test-script-steady.c $(stage_sources)
%C%_test_threads_SOURCES = %D%/test-threads.c $(stage_sources)
%C%_test_threads_steady_SOURCES = %D%/test-threads-steady.c $(stage_sources)
%C%_test_timeout_SOURCES = %D%/test-timeout.c $(stage_sources)
%C%_test_topics_SOURCES = %D%/test-topics.c $(stage_sources)

# Scenes, run from outside, with plugins of their own.
tick_fixture = %D%/plugins/tick/wasteful.so
$(tick_fixture): %D%/plugins/tick/%.so: %D%/fixtures/%.module.o | lib/liborrery-1.so
	$(link_module)
check_DATA += $(tick_fixture)
CLEANFILES += $(tick_fixture)
EXTRA_DIST += $(tick_fixture:%D%/plugins/tick/%.so=%D%/fixtures/%.c)

check_PROGRAMS += %D%/test-steady
TESTS += %D%/test-steady

tick_scripts = %D%/test_first_scene.py
TESTS += $(tick_scripts)
EXTRA_DIST += $(tick_scripts)
