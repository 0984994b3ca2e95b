# SPDX-License-Identifier: BSD-3-Clause
# A fixture is %D%/fixtures/NAME.c and becomes %D%/plugins/NAME.so.
registry_fixtures =
registry_fixtures += all_roles
registry_fixtures += broken_crash
registry_fixtures += broken_empty
registry_fixtures += broken_exit
registry_fixtures += broken_far_type
registry_fixtures += broken_hang
registry_fixtures += broken_host_type
registry_fixtures += broken_level
registry_fixtures += broken_major
registry_fixtures += broken_minor
registry_fixtures += broken_no_role
registry_fixtures += broken_no_type
registry_fixtures += broken_none
registry_fixtures += broken_other_name
registry_fixtures += broken_size
registry_fixtures += broken_stolen
registry_fixtures += broken_symbol
registry_fixtures += broken_twice
registry_fixtures += broken_wrong_role
registry_fixtures += family
registry_fixtures += larger
registry_fixtures += odd
registry_fixtures += other_noise
registry_fixtures += sonar
registry_fixtures += thing
registry_fixtures += waiting

registry_modules = $(registry_fixtures:%=%D%/plugins/%.so)
$(registry_modules): %D%/plugins/%.so: %D%/fixtures/%.module.o | lib/liborrery-1.so
	$(link_module)

check_DATA += $(registry_modules)
CLEANFILES += $(registry_modules)
EXTRA_DIST += $(registry_fixtures:%=%D%/fixtures/%.c) %D%/fixtures/fixture.h

registry_tests =
registry_tests += %D%/test-classes
registry_tests += %D%/test-descriptor
registry_tests += %D%/test-json-classes
registry_tests += %D%/test-list
registry_tests += %D%/test-loader
registry_tests += %D%/test-plugins

check_PROGRAMS += $(registry_tests)
TESTS += $(registry_tests)
noinst_HEADERS += %D%/registry-test.h

# This reaches into the host.
%C%_test_descriptor_LDADD = $(inside_ldadd)
