# SPDX-License-Identifier: BSD-3-Clause
# What ray casters share is compiled into each.
ray_sources = %D%/geometry.c %D%/hull.c %D%/shapes.c

MODULES += $(PLUGINTREE)/orrery/raycasters/exact.so
$(PLUGINTREE)/orrery/raycasters/exact.so: %D%/tree.module.o $(ray_sources:.c=.module.o)

embree_sources = %D%/embree/embree.c %D%/embree/rays.c %D%/embree/sets.c

if HAVE_EMBREE
MODULES += $(PLUGINTREE)/orrery/raycasters/embree.so
$(PLUGINTREE)/orrery/raycasters/embree.so: MODULE_LIBS = $(EMBREE_LIBS)
$(embree_sources:.c=.module.o): MODULE_CPPFLAGS += $(EMBREE_CPPFLAGS)
$(PLUGINTREE)/orrery/raycasters/embree.so: $(embree_sources:.c=.module.o) $(ray_sources:.c=.module.o)
	$(link_module)
endif

EXTRA_DIST += %D%/exact.c %D%/tree.c $(embree_sources) $(ray_sources)
noinst_HEADERS += %D%/embree/embree.h %D%/geometry.h %D%/hull.h %D%/shapes.h %D%/tree.h
