# SPDX-License-Identifier: BSD-3-Clause
if HAVE_RENDERER
mujoco_renderer_sources = \
  %D%/mujoco/drawing.c \
  %D%/mujoco/frame.c \
  %D%/mujoco/gl.c \
  %D%/mujoco/guard.c \
  %D%/mujoco/hull.c \
  %D%/mujoco/light.c \
  %D%/mujoco/mesh.c \
  %D%/mujoco/mujoco.c \
  %D%/mujoco/refine.c \
  %D%/mujoco/sky.c
MODULES += $(PLUGINTREE)/orrery/renderers/mujoco.so
$(PLUGINTREE)/orrery/renderers/mujoco.so: MODULE_LIBS = -lmujoco
$(PLUGINTREE)/orrery/renderers/mujoco.so: $(mujoco_renderer_sources:.c=.module.o)
	$(link_module)
endif
EXTRA_DIST += \
  %D%/mujoco/drawing.c \
  %D%/mujoco/frame.c \
  %D%/mujoco/gl.c \
  %D%/mujoco/guard.c \
  %D%/mujoco/hull.c \
  %D%/mujoco/light.c \
  %D%/mujoco/mesh.c \
  %D%/mujoco/mujoco.c \
  %D%/mujoco/refine.c \
  %D%/mujoco/sky.c
noinst_HEADERS += \
  %D%/mujoco/drawing.h \
  %D%/mujoco/frame.h \
  %D%/mujoco/gl.h \
  %D%/mujoco/guard.h \
  %D%/mujoco/hull.h \
  %D%/mujoco/light.h \
  %D%/mujoco/mesh.h \
  %D%/mujoco/refine.h \
  %D%/mujoco/sky.h
