# SPDX-License-Identifier: BSD-3-Clause
# An importer is named by the suffix of its files: orrery/importers/SUFFIX.so.
MODULES += $(PLUGINTREE)/orrery/importers/blend.so
blend_sources = \
  %D%/blend/blend-armature.c \
  %D%/blend/blend-dna.c \
  %D%/blend/blend-file.c \
  %D%/blend/blend-image.c \
  %D%/blend/blend-logic.c \
  %D%/blend/blend-look.c \
  %D%/blend/blend-mesh.c \
  %D%/blend/blend-object.c \
  %D%/blend/blend.c \
  %D%/picture/picture.c
$(PLUGINTREE)/orrery/importers/blend.so: MODULE_CPPFLAGS += $(PIXBUF_CFLAGS)
$(PLUGINTREE)/orrery/importers/blend.so: MODULE_LIBS = $(PIXBUF_LIBS)
$(PLUGINTREE)/orrery/importers/blend.so: $(blend_sources)
	$(build_module)
EXTRA_DIST += $(blend_sources)
noinst_HEADERS += \
  %D%/blend/blend-armature.h \
  %D%/blend/blend-dna.h \
  %D%/blend/blend-file.h \
  %D%/blend/blend-image.h \
  %D%/blend/blend-logic.h \
  %D%/blend/blend-look.h \
  %D%/blend/blend-mesh.h \
  %D%/blend/blend-object.h \
  %D%/picture/picture.h

# Robots as others describe them. What may break on a file reads it in a program of its own, beside
# the importers.
urdf_sources = %D%/robot/child.c %D%/robot/inertia.c %D%/robot/urdf-files.c %D%/robot/urdf-gazebo.c %D%/robot/urdf-lump.c \
  %D%/robot/urdf-tree.c %D%/robot/urdf.c
mjcf_sources = %D%/robot/child.c %D%/robot/inertia.c %D%/robot/mjcf.c
robot_modules = urdf mjcf xml
robot_modules += xacro
MODULES += $(robot_modules:%=$(PLUGINTREE)/orrery/importers/%.so)
$(PLUGINTREE)/orrery/importers/urdf.so: %D%/robot/urdf-importer.c $(urdf_sources)
	$(build_module)
# One that has no macros left in it is URDF; the reader says what to do with others.
$(PLUGINTREE)/orrery/importers/xacro.so: %D%/robot/xacro-importer.c $(urdf_sources)
	$(build_module)
$(PLUGINTREE)/orrery/importers/mjcf.so: %D%/robot/mjcf-importer.c $(mjcf_sources)
	$(build_module)
$(PLUGINTREE)/orrery/importers/xml.so: %D%/robot/xml-importer.c $(urdf_sources) %D%/robot/mjcf.c
	$(build_module)
EXTRA_DIST += $(urdf_sources) %D%/robot/mjcf.c $(robot_modules:%=%D%/robot/%-importer.c)
noinst_HEADERS += %D%/robot/read-mjcf.h
noinst_HEADERS += %D%/robot/child.h %D%/robot/inertia.h %D%/robot/mjcf.h %D%/robot/urdf-private.h %D%/robot/urdf.h

if HAVE_ASSIMP
MODULE_READERS += $(PLUGINTREE)/orrery/importers/read-mesh
$(PLUGINTREE)/orrery/importers/read-mesh: %D%/robot/read-mesh.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) $(SANITIZER_FLAGS) $(LDFLAGS) -o $@ $< $(ASSIMP_LIBS) -lm
endif
if HAVE_MUJOCO
MODULE_READERS += $(PLUGINTREE)/orrery/importers/read-mjcf
$(PLUGINTREE)/orrery/importers/read-mjcf: %D%/robot/read-mjcf.c %D%/robot/read-mjcf-shapes.c
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) $(SANITIZER_FLAGS) $(LDFLAGS) -o $@ $^ $(MUJOCO_LIBS) -lm
endif
EXTRA_DIST += %D%/robot/read-mesh.c %D%/robot/read-mjcf.c %D%/robot/read-mjcf-shapes.c

# Meshes: a module for each suffix.
mesh_modules = dae glb gltf obj ply stl
MODULES += $(mesh_modules:%=$(PLUGINTREE)/orrery/importers/%.so)
$(mesh_modules:%=$(PLUGINTREE)/orrery/importers/%.so): $(PLUGINTREE)/orrery/importers/%.so: \
  %D%/mesh/%.c %D%/mesh/mesh-importer.c %D%/robot/child.c
	$(build_module)
EXTRA_DIST += %D%/mesh/mesh-importer.c $(mesh_modules:%=%D%/mesh/%.c)
noinst_HEADERS += %D%/mesh/mesh-importer.h
