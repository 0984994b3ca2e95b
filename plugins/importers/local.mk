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
$(blend_sources:.c=.module.o): MODULE_CPPFLAGS += $(PIXBUF_CFLAGS)
$(PLUGINTREE)/orrery/importers/blend.so: MODULE_LIBS = $(PIXBUF_LIBS)
$(PLUGINTREE)/orrery/importers/blend.so: $(blend_sources:.c=.module.o)
	$(link_module)
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

# Pictures: data/orrery/importers has the other suffixes.
MODULES += $(PLUGINTREE)/orrery/importers/png.so
%D%/picture/picture-importer.module.o: MODULE_CPPFLAGS += $(PIXBUF_CFLAGS)
$(PLUGINTREE)/orrery/importers/png.so: MODULE_LIBS = $(PIXBUF_LIBS)
$(PLUGINTREE)/orrery/importers/png.so: %D%/picture/picture-importer.module.o %D%/picture/picture.module.o
	$(link_module)
EXTRA_DIST += %D%/picture/picture-importer.c

# Robots as others describe them. What may break on a file reads it in a program of its own, beside
# the importers.
urdf_sources = %D%/mesh/mesh-store.c %D%/robot/file-reader.c %D%/robot/inertia.c %D%/robot/urdf-files.c \
  %D%/robot/unread.c %D%/robot/urdf-gazebo.c %D%/robot/urdf-lump.c %D%/robot/urdf-tree.c %D%/robot/urdf.c
mjcf_sources = %D%/robot/file-reader.c %D%/robot/inertia.c %D%/robot/mjcf-lines.c %D%/robot/mjcf.c %D%/robot/unread.c
robot_modules = urdf mjcf xml
MODULES += $(robot_modules:%=$(PLUGINTREE)/orrery/importers/%.so)
$(PLUGINTREE)/orrery/importers/urdf.so: %D%/robot/urdf-importer.module.o $(urdf_sources:.c=.module.o)
	$(link_module)
$(PLUGINTREE)/orrery/importers/mjcf.so: %D%/robot/mjcf-importer.module.o $(mjcf_sources:.c=.module.o)
	$(link_module)
$(PLUGINTREE)/orrery/importers/xml.so: %D%/robot/xml-importer.module.o $(urdf_sources:.c=.module.o) %D%/robot/mjcf-lines.module.o \
  %D%/robot/mjcf.module.o
	$(link_module)
EXTRA_DIST += $(urdf_sources) %D%/robot/mjcf-lines.c %D%/robot/mjcf.c $(robot_modules:%=%D%/robot/%-importer.c)
noinst_HEADERS += %D%/robot/read-mjcf.h %D%/robot/unread.h
noinst_HEADERS += %D%/mesh/mesh-store.h %D%/robot/file-reader.h %D%/robot/inertia.h %D%/robot/mjcf-lines.h %D%/robot/mjcf.h %D%/robot/urdf-private.h %D%/robot/urdf.h

if HAVE_ASSIMP
MODULE_READERS += $(PLUGINTREE)/orrery/importers/read-mesh
$(PLUGINTREE)/orrery/importers/read-mesh: %D%/robot/read-mesh.module.o
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) $(SANITIZER_FLAGS) $(LDFLAGS) -o $@ $< $(ASSIMP_LIBS) -lm
endif
if HAVE_MUJOCO
MODULE_READERS += $(PLUGINTREE)/orrery/importers/read-mjcf
$(PLUGINTREE)/orrery/importers/read-mjcf: %D%/robot/read-mjcf.module.o %D%/robot/read-mjcf-shapes.module.o
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) $(SANITIZER_FLAGS) $(LDFLAGS) -o $@ $^ $(MUJOCO_LIBS) -lm
endif
EXTRA_DIST += %D%/robot/read-mesh.c %D%/robot/read-mjcf.c %D%/robot/read-mjcf-shapes.c

# Meshes, in every format that Assimp reads: data/orrery/importers has the other suffixes.
MODULES += $(PLUGINTREE)/orrery/importers/obj.so
$(PLUGINTREE)/orrery/importers/obj.so: %D%/mesh/mesh.module.o %D%/mesh/mesh-store.module.o \
  %D%/robot/file-reader.module.o
	$(link_module)
EXTRA_DIST += %D%/mesh/mesh.c
