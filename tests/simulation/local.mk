# SPDX-License-Identifier: BSD-3-Clause
# These run scenes through the library, with plugins of tests/plugins.
simulation_stage =
simulation_stage += %D%/test-again
simulation_stage += %D%/test-change
simulation_stage += %D%/test-drawn
simulation_stage += %D%/test-epoch
simulation_stage += %D%/test-extension
simulation_stage += %D%/test-extension-refused
simulation_stage += %D%/test-follow
simulation_stage += %D%/test-inputs
simulation_stage += %D%/test-looks
simulation_stage += %D%/test-materials
simulation_stage += %D%/test-observers
simulation_stage += %D%/test-randomisation
simulation_stage += %D%/test-reset
simulation_stage += %D%/test-saved
simulation_stage += %D%/test-scale
simulation_stage += %D%/test-services
simulation_stage += %D%/test-spawn
simulation_stage += %D%/test-spawn-joints
simulation_stage += %D%/test-transitions

simulation_tests =
simulation_tests += %D%/test-log-levels
simulation_tests += %D%/test-options
simulation_tests += %D%/test-playback
simulation_tests += %D%/test-viewer

check_PROGRAMS += $(simulation_stage) $(simulation_tests)
TESTS += $(simulation_stage) $(simulation_tests)
%C%_test_again_SOURCES = %D%/test-again.c $(stage_sources)
%C%_test_change_SOURCES = %D%/test-change.c $(stage_sources)
%C%_test_drawn_SOURCES = %D%/test-drawn.c $(stage_sources)
%C%_test_epoch_SOURCES = %D%/test-epoch.c $(stage_sources)
%C%_test_extension_SOURCES = %D%/test-extension.c $(stage_sources)
%C%_test_extension_refused_SOURCES = %D%/test-extension-refused.c $(stage_sources)
%C%_test_follow_SOURCES = %D%/test-follow.c $(stage_sources)
%C%_test_inputs_SOURCES = %D%/test-inputs.c $(stage_sources)
%C%_test_looks_SOURCES = %D%/test-looks.c $(stage_sources)
%C%_test_materials_SOURCES = %D%/test-materials.c $(stage_sources)
%C%_test_observers_SOURCES = %D%/test-observers.c $(stage_sources)
%C%_test_randomisation_SOURCES = %D%/test-randomisation.c $(stage_sources)
%C%_test_reset_SOURCES = %D%/test-reset.c $(stage_sources)
%C%_test_saved_SOURCES = %D%/test-saved.c $(stage_sources)
%C%_test_scale_SOURCES = %D%/test-scale.c $(stage_sources)
%C%_test_services_SOURCES = %D%/test-services.c $(stage_sources)
%C%_test_spawn_SOURCES = %D%/test-spawn.c $(stage_sources)
%C%_test_spawn_joints_SOURCES = %D%/test-spawn-joints.c $(stage_sources)
%C%_test_transitions_SOURCES = %D%/test-transitions.c $(stage_sources)

simulation_scripts =
simulation_scripts += %D%/test_signals.py
simulation_scripts += %D%/test_storm.py
TESTS += $(simulation_scripts)
EXTRA_DIST += $(simulation_scripts)
EXTRA_DIST += %D%/extension.h
