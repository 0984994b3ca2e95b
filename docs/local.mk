# SPDX-License-Identifier: BSD-3-Clause
dist_orrerydata_DATA = %D%/scene.schema.json
dist_doc_DATA = \
  %D%/batch.md \
  %D%/builder.md \
  %D%/cameras.md \
  %D%/channels.md \
  %D%/differences.md \
  %D%/gallery.md \
  %D%/hybrid.md \
  %D%/morse-components.md \
  %D%/multinode.md \
  %D%/noise.md \
  %D%/order.md \
  %D%/plugins.md \
  %D%/performance.md \
  %D%/physics.md \
  %D%/python.md \
  %D%/rays.md \
  %D%/robots.md \
  %D%/scheduler.md \
  %D%/scripts.md \
  %D%/tutorials.md \
  %D%/workers.md

# What every class says of itself, gathered from the plugins as they were built.
nodist_doc_DATA = %D%/components.md
%D%/components.md: %D%/components.py $(MODULES) $(MODULES_CXX) $(JSON_CLASSES) \
  orrery bin/orrery lib/orrery-1/orrery-inspect
	$(AM_V_GEN)$(MKDIR_P) $(@D) && XDG_DATA_HOME=/nonexistent ORRERY_PLUGIN_PATH= \
	  $(PYTHON) $(srcdir)/%D%/components.py ./orrery $@
CLEANFILES += %D%/components.md
EXTRA_DIST += %D%/components.py

# The pictures of gallery.md, and what makes them.
gallery = apartment empty human_tut-tutorial_scene indoors-1-boxes indoors-1-indoor-1 \
  laas-grande_salle land-1-buildings_1 land-1-buildings_2 land-1-rosace_1 land-1-trees outdoors \
  sandbox tum_kitchen-tum_kitchen water-1-deep_water water-1-water_scene
gallerydir = $(docdir)/gallery
dist_gallery_DATA = $(gallery:%=%D%/gallery/%.png)
EXTRA_DIST += %D%/gallery.py
