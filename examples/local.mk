# SPDX-License-Identifier: BSD-3-Clause
# Installed beside the guides that tell of them, in the same tree.
nobase_dist_doc_DATA = \
  %D%/README.md \
  %D%/ardupilot_rover.py \
  %D%/arm.json \
  %D%/batch/Containerfile \
  %D%/batch/kubernetes.yaml \
  %D%/camera.json \
  %D%/cameras.json \
  %D%/cameras.py \
  %D%/depot/default.py \
  %D%/depot/src/depot/__init__.py \
  %D%/depot/src/depot/builder/__init__.py \
  %D%/depot/src/depot/sensors/__init__.py \
  %D%/depot/src/depot/sensors/dock.py \
  %D%/drive.py \
  %D%/embed.py \
  %D%/faulty_sensors.py \
  %D%/first_scene.py \
  %D%/hybrid_loop.py \
  %D%/lasers.py \
  %D%/learning.ipynb \
  %D%/learning/balance_pole.py \
  %D%/learning/drive_to_goal.py \
  %D%/learning/evolution.py \
  %D%/learning/reach.py \
  %D%/middleware.py \
  %D%/mjcf_cart.json \
  %D%/notebook.ipynb \
  %D%/patrol.json \
  %D%/px4_quadrotor.py \
  %D%/quadrotor.py \
  %D%/recording.ipynb \
  %D%/robots/arm.urdf \
  %D%/robots/cart.xml \
  %D%/rounds.json \
  %D%/rounds.py \
  %D%/sweep.ipynb \
  %D%/team.json \
  %D%/tower.json \
  %D%/urdf_arm.json
nobase_dist_doc_DATA += $(example_modules:%=%D%/%.c) %D%/embed.c %D%/hybrid_loop.c

# Programs in C; `make check` runs them.
example_programs = %D%/embed %D%/hybrid_loop
check_PROGRAMS += $(example_programs)

# Plugins of the examples: %D%/NAME.c is examples.NAME.
example_modules = lens patrol
example_module_files = $(example_modules:%=%D%/plugins/examples/%.so)
$(example_module_files): %D%/plugins/examples/%.so: %D%/%.module.o | lib/liborrery-1.so
	$(link_module)
noinst_DATA += $(example_module_files)
CLEANFILES += $(example_module_files)
