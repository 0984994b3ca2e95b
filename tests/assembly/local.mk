# SPDX-License-Identifier: BSD-3-Clause
# These run scenes through the library, with plugins of tests/plugins.
assembly_tests =
assembly_tests += %D%/test-entries
assembly_tests += %D%/test-overlays

check_PROGRAMS += $(assembly_tests)
TESTS += $(assembly_tests)
%C%_test_entries_SOURCES = %D%/test-entries.c $(stage_sources)
%C%_test_overlays_SOURCES = %D%/test-overlays.c $(stage_sources)
