# SPDX-License-Identifier: BSD-3-Clause
raycasters_tests =
raycasters_tests += %D%/test-casters
raycasters_tests += %D%/test-tree
%C%_test_tree_SOURCES = %D%/test-tree.c plugins/raycasters/shapes.c plugins/raycasters/tree.c

check_PROGRAMS += $(raycasters_tests)
TESTS += $(raycasters_tests)
