# SPDX-License-Identifier: BSD-3-Clause
# What ray casters share is compiled into each.
ray_sources = %D%/geometry.c %D%/hull.c %D%/shapes.c

MODULES += $(PLUGINTREE)/orrery/raycasters/exact.so
$(PLUGINTREE)/orrery/raycasters/exact.so: $(ray_sources)

if HAVE_EMBREE
MODULES += $(PLUGINTREE)/orrery/raycasters/embree.so
$(PLUGINTREE)/orrery/raycasters/embree.so: $(ray_sources)
$(PLUGINTREE)/orrery/raycasters/embree.so: MODULE_LIBS = -lembree3
endif

EXTRA_DIST += %D%/embree.c %D%/exact.c $(ray_sources)
noinst_HEADERS += %D%/geometry.h %D%/hull.h %D%/shapes.h
