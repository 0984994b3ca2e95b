# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/README.md
EXTRA_DIST += %D%/depot/default.py
EXTRA_DIST += %D%/depot/src/depot/__init__.py
EXTRA_DIST += %D%/depot/src/depot/builder/__init__.py
EXTRA_DIST += %D%/depot/src/depot/sensors/__init__.py
EXTRA_DIST += %D%/depot/src/depot/sensors/dock.py
EXTRA_DIST += %D%/cameras.json
EXTRA_DIST += %D%/cameras.py
EXTRA_DIST += %D%/arm.json
EXTRA_DIST += %D%/drive.py
EXTRA_DIST += %D%/faulty_sensors.py
EXTRA_DIST += %D%/first_scene.py
EXTRA_DIST += %D%/hybrid_loop.py
EXTRA_DIST += %D%/lasers.py
EXTRA_DIST += %D%/quadrotor.py
EXTRA_DIST += %D%/notebook.ipynb
EXTRA_DIST += %D%/rounds.py
EXTRA_DIST += %D%/team.json
EXTRA_DIST += %D%/patrol.json %D%/rounds.json
EXTRA_DIST += %D%/urdf_arm.json
EXTRA_DIST += %D%/mjcf_cart.json
EXTRA_DIST += %D%/robots/arm.urdf
EXTRA_DIST += %D%/robots/cart.xml

# Programs in C; `make check` runs them.
example_programs = %D%/hybrid_loop
check_PROGRAMS += $(example_programs)

# Plugins of the examples: %D%/NAME.c is examples.NAME.
EXTRA_DIST += %D%/camera.json
example_modules = lens patrol
example_module_files = $(example_modules:%=%D%/plugins/examples/%.so)
$(example_module_files): $(top_srcdir)/host/orrery.h lib/liborrery-1.so
%D%/plugins/examples/%.so: %D%/%.c
	$(build_module)
-include $(example_module_files:.so=.d)
noinst_DATA += $(example_module_files)
CLEANFILES += $(example_module_files) $(example_module_files:.so=.d)
EXTRA_DIST += $(example_modules:%=%D%/%.c)
