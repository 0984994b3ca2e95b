# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += %D%/drive.py
EXTRA_DIST += %D%/faulty_sensors.py
EXTRA_DIST += %D%/first_scene.py
EXTRA_DIST += %D%/hybrid_loop.py
EXTRA_DIST += %D%/quadrotor.py

# Programs in C; `make check` runs them.
example_programs = %D%/hybrid_loop
check_PROGRAMS += $(example_programs)
