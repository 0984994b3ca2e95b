# SPDX-License-Identifier: BSD-3-Clause
# A fixture is %D%/fixtures/NAME.c and becomes %D%/plugins/NAME.so.
wiring_fixtures =
wiring_fixtures += all_roles
wiring_fixtures += broken_crash
wiring_fixtures += broken_empty
wiring_fixtures += broken_exit
wiring_fixtures += broken_far_type
wiring_fixtures += broken_hang
wiring_fixtures += broken_host_type
wiring_fixtures += broken_level
wiring_fixtures += broken_major
wiring_fixtures += broken_minor
wiring_fixtures += broken_no_role
wiring_fixtures += broken_no_type
wiring_fixtures += broken_none
wiring_fixtures += broken_other_name
wiring_fixtures += broken_size
wiring_fixtures += broken_stolen
wiring_fixtures += broken_symbol
wiring_fixtures += broken_twice
wiring_fixtures += broken_wrong_role
wiring_fixtures += family
wiring_fixtures += larger
wiring_fixtures += odd
wiring_fixtures += other_noise
wiring_fixtures += sonar
wiring_fixtures += thing
wiring_fixtures += waiting

wiring_modules = $(wiring_fixtures:%=%D%/plugins/%.so)
$(wiring_modules): $(top_srcdir)/host/orrery.h %D%/fixtures/fixture.h lib/liborrery-1.so
%D%/plugins/%.so: %D%/fixtures/%.c
	$(build_module)
-include $(wiring_modules:.so=.d)

check_DATA += $(wiring_modules)
CLEANFILES += $(wiring_modules) $(wiring_modules:.so=.d)
EXTRA_DIST += $(wiring_fixtures:%=%D%/fixtures/%.c) %D%/fixtures/fixture.h

wiring_tests =
wiring_tests += %D%/test-classes
wiring_tests += %D%/test-viewer
wiring_tests += %D%/test-descriptor
wiring_tests += %D%/test-json-classes
wiring_tests += %D%/test-list
wiring_tests += %D%/test-loader
wiring_tests += %D%/test-log-levels
wiring_tests += %D%/test-options
wiring_tests += %D%/test-plugins
wiring_tests += %D%/test-scene-scripts

check_PROGRAMS += $(wiring_tests)
TESTS += $(wiring_tests)
noinst_HEADERS += %D%/wiring-test.h

# These reach into the host, so they are linked with its objects.
%C%_test_descriptor_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++
%C%_test_scene_scripts_LDADD = host/libhost.a $(GLIB_LIBS) -lstdc++

wiring_scripts =
wiring_scripts += %D%/test_broken.py
wiring_scripts += %D%/test_files.py
wiring_scripts += %D%/test_signals.py
wiring_scripts += %D%/test_storm.py
TESTS += $(wiring_scripts)
EXTRA_DIST += $(wiring_scripts) %D%/messages.py %D%/broken

# These run scenes through the library, with plugins of tests/plugins.
wiring_stage =
wiring_stage += %D%/test-entries
wiring_stage += %D%/test-overlays
wiring_stage += %D%/test-services

check_PROGRAMS += $(wiring_stage)
TESTS += $(wiring_stage)
tests_wiring_test_entries_SOURCES = %D%/test-entries.c $(stage_sources)
tests_wiring_test_overlays_SOURCES = %D%/test-overlays.c $(stage_sources)
tests_wiring_test_services_SOURCES = %D%/test-services.c $(stage_sources)
