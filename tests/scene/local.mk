# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += %D%/test-scene-keys %D%/test-scene-scripts
TESTS += %D%/test-scene-keys %D%/test-scene-scripts
# These reach into the host.
%C%_test_scene_keys_LDADD = $(inside_ldadd)
%C%_test_scene_scripts_LDADD = $(inside_ldadd)

scene_scripts =
scene_scripts += %D%/test_broken.py
scene_scripts += %D%/test_files.py
TESTS += $(scene_scripts)
EXTRA_DIST += $(scene_scripts) %D%/messages.py %D%/broken
