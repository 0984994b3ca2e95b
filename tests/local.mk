# SPDX-License-Identifier: BSD-3-Clause
# One line adds a test program. TESTS is `make check`, LONG_TESTS is `make check-long`. Those of
# both that are TIMED_TESTS too measure time, or use all processors by themselves, and have the
# machine for themselves; a sanitizer would see nothing in those that are TREE_TESTS too.
# SLOW_TESTS take minutes with a sanitizer, most of it in Python or waiting: the code of ours that
# they reach is reached by others as well. The sanitized build runs them if ORRERY_TEST_ALL is set.

check_PROGRAMS += tests/isolate
tests_isolate_LDADD =

test_ldadd = lib/liborrery-1.so $(GLIB_LIBS) $(TEST_RPATH)

# Programs that reach into the host are linked with its objects, not with the library.
inside_ldadd = host/libhost.a $(GLIB_LIBS) -lstdc++

# What a program without an LDADD of its own is linked with: the tests.
LDADD = $(test_ldadd)

# These take longest: when several tests run at once, they begin first.
include tests/cli/local.mk
include tests/tools/local.mk
include tests/builder/local.mk

include tests/base/local.mk
include tests/text/local.mk
include tests/record/local.mk
include tests/message/local.mk
include tests/recording/local.mk
include tests/world/local.mk
include tests/part/local.mk
include tests/process/local.mk
include tests/channel/local.mk
include tests/loop/local.mk
include tests/worker/local.mk
include tests/tick/local.mk
include tests/registry/local.mk
include tests/scene/local.mk
include tests/assembly/local.mk
include tests/simulation/local.mk
include tests/vector/local.mk

include tests/actuators/local.mk
include tests/examples/local.mk
include tests/fuzz/local.mk
include tests/importers/local.mk
include tests/long/local.mk
include tests/middleware/local.mk
include tests/modifiers/local.mk
include tests/observers/local.mk
include tests/physics/local.mk
include tests/plugins/local.mk
include tests/python/local.mk
include tests/raycasters/local.mk
include tests/sensors/local.mk

EXTRA_DIST += tests/allocations.h tests/png_file.py tests/recordings.py tests/sanitized.py tests/tap.py tests/test_tap.py tests/words.h
TESTS += tests/test_tap.py

TREE_TESTS += tests/cli/test_install.py
TREE_TESTS += tests/tools/test_bootstrap.py
TREE_TESTS += tests/tools/test_dist.py
TREE_TESTS += tests/tools/test_house.py
TREE_TESTS += tests/tools/test_pages.py
TREE_TESTS += tests/tools/test_recipes.py

SLOW_TESTS += tests/builder/test_as_morse.py
SLOW_TESTS += tests/builder/test_builder.py
SLOW_TESTS += tests/builder/test_catalogue.py
SLOW_TESTS += tests/builder/test_components.py
SLOW_TESTS += tests/builder/test_errors.py
SLOW_TESTS += tests/builder/test_library.py
SLOW_TESTS += tests/builder/test_places.py
SLOW_TESTS += tests/builder/test_rows.py
SLOW_TESTS += tests/builder/test_running.py
SLOW_TESTS += tests/builder/test_schema.py
SLOW_TESTS += tests/builder/test_wrong_calls.py
SLOW_TESTS += tests/builder/test_wrong_properties.py
SLOW_TESTS += tests/cli/test_batch_processes.py
SLOW_TESTS += tests/cli/test_cli.py
SLOW_TESTS += tests/cli/test_completion.py
SLOW_TESTS += tests/cli/test_container.py
SLOW_TESTS += tests/cli/test_diff.py
SLOW_TESTS += tests/cli/test_doctor.py
SLOW_TESTS += tests/cli/test_elsewhere.py
SLOW_TESTS += tests/cli/test_engines.py
SLOW_TESTS += tests/cli/test_help.py
SLOW_TESTS += tests/cli/test_install.py
SLOW_TESTS += tests/cli/test_interpreters.py
SLOW_TESTS += tests/cli/test_limits.py
SLOW_TESTS += tests/cli/test_man_pages.py
SLOW_TESTS += tests/cli/test_model.py
SLOW_TESTS += tests/cli/test_morse.py
SLOW_TESTS += tests/cli/test_newcomer.py
SLOW_TESTS += tests/cli/test_order.py
SLOW_TESTS += tests/cli/test_outputs.py
SLOW_TESTS += tests/cli/test_own_modules.py
SLOW_TESTS += tests/cli/test_plugins.py
SLOW_TESTS += tests/cli/test_replay_outside.py
SLOW_TESTS += tests/cli/test_settings.py
SLOW_TESTS += tests/cli/test_strict.py
SLOW_TESTS += tests/cli/test_sweep.py
SLOW_TESTS += tests/cli/test_tables.py
SLOW_TESTS += tests/cli/test_trust.py
SLOW_TESTS += tests/examples/test_depot.py
SLOW_TESTS += tests/importers/test_robots.py
SLOW_TESTS += tests/message/test_rosidl.py
SLOW_TESTS += tests/middleware/test_mappings.py
SLOW_TESTS += tests/middleware/test_middleware_pages.py
SLOW_TESTS += tests/middleware/test_order.py
SLOW_TESTS += tests/middleware/test_ros_node.py
SLOW_TESTS += tests/middleware/test_ros_python.py
SLOW_TESTS += tests/middleware/test_ros_scripts.py
SLOW_TESTS += tests/middleware/test_ros_services.py
SLOW_TESTS += tests/middleware/test_rosbridge.py
SLOW_TESTS += tests/middleware/test_stalled.py
SLOW_TESTS += tests/middleware/test_steady_classes.py
SLOW_TESTS += tests/middleware/test_viewer_beside.py
SLOW_TESTS += tests/middleware/test_viewer_cameras.py
SLOW_TESTS += tests/middleware/test_viewer_drive.py
SLOW_TESTS += tests/middleware/test_viewer_file.py
SLOW_TESTS += tests/middleware/test_viewer_log.py
SLOW_TESTS += tests/middleware/test_viewer_many.py
SLOW_TESTS += tests/middleware/test_viewer_open.py
SLOW_TESTS += tests/middleware/test_viewer_page.py
SLOW_TESTS += tests/middleware/test_viewer_playback.py
SLOW_TESTS += tests/observers/test_film.py
SLOW_TESTS += tests/observers/test_recorder_last.py
SLOW_TESTS += tests/python/test_batch.py
SLOW_TESTS += tests/python/test_batch_tables.py
SLOW_TESTS += tests/python/test_every_part.py
SLOW_TESTS += tests/python/test_guide.py
SLOW_TESTS += tests/python/test_gym.py
SLOW_TESTS += tests/python/test_gym_learners.py
SLOW_TESTS += tests/python/test_gym_pictures.py
SLOW_TESTS += tests/python/test_gym_processes.py
SLOW_TESTS += tests/python/test_gym_starts.py
SLOW_TESTS += tests/python/test_hints.py
SLOW_TESTS += tests/python/test_hybrid.py
SLOW_TESTS += tests/python/test_import.py
SLOW_TESTS += tests/python/test_lab_components.py
SLOW_TESTS += tests/python/test_lerobot.py
SLOW_TESTS += tests/python/test_log.py
SLOW_TESTS += tests/python/test_morse.py
SLOW_TESTS += tests/python/test_morse_clients.py
SLOW_TESTS += tests/python/test_morse_names.py
SLOW_TESTS += tests/python/test_multinode.py
SLOW_TESTS += tests/python/test_new.py
SLOW_TESTS += tests/python/test_pip.py
SLOW_TESTS += tests/python/test_plugins.py
SLOW_TESTS += tests/python/test_recording.py
SLOW_TESTS += tests/python/test_roles.py
SLOW_TESTS += tests/python/test_runs.py
SLOW_TESTS += tests/python/test_saved_classes.py
SLOW_TESTS += tests/python/test_twins.py
SLOW_TESTS += tests/scene/test_files.py
SLOW_TESTS += tests/tick/test_first_scene.py
SLOW_TESTS += tests/tools/test_guides.py
SLOW_TESTS += tests/tools/test_options.py
SLOW_TESTS += tests/tools/test_readme.py
SLOW_TESTS += tests/tools/test_release.py

TIMED_TESTS += tests/builder/test_morse_scripts.py
TIMED_TESTS += tests/channel/channel-kills.sh
TIMED_TESTS += tests/fuzz/fuzz.sh
TIMED_TESTS += tests/long/races.sh
TIMED_TESTS += tests/long/sanitizers.sh
TIMED_TESTS += tests/long/valgrind.sh
TIMED_TESTS += tests/loop/hybrid-kills.sh
TIMED_TESTS += tests/loop/test-hybrid
TIMED_TESTS += tests/loop/test-hybrid-faults
TIMED_TESTS += tests/loop/test-scheduler
TIMED_TESTS += tests/loop/test-scheduler-wall
TIMED_TESTS += tests/middleware/test-line-server
TIMED_TESTS += tests/middleware/test_clients.py
TIMED_TESTS += tests/middleware/test_pymorse.py
TIMED_TESTS += tests/simulation/test-reset
TIMED_TESTS += tests/simulation/test_storm.py
TIMED_TESTS += tests/tick/test-budget
TIMED_TESTS += tests/tick/test-pool
TIMED_TESTS += tests/tick/test-script-failures
TIMED_TESTS += tests/tick/test_first_scene.py
TIMED_TESTS += tests/worker/test-worker-faults
TIMED_TESTS += tests/worker/test-worker-free
TIMED_TESTS += tests/worker/test-worker-limits
TIMED_TESTS += tests/worker/test_worker_hosts.py
TIMED_TESTS += tests/worker/worker-kills.sh
