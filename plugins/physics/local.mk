# SPDX-License-Identifier: BSD-3-Clause
# What engines share: friction, wheels, rigid bodies.
noinst_LIBRARIES += %D%/libbodies.a
%C%_libbodies_a_SOURCES = \
  %D%/bodies.c \
  %D%/bodies.h \
  %D%/body-checks.c \
  %D%/body-presence.c \
  %D%/body-quantities.c \
  %D%/body-ticks.c \
  %D%/friction.c \
  %D%/friction.h \
  %D%/motors.c \
  %D%/motors.h \
  %D%/wheels.c \
  %D%/wheels.h

MODULES += $(PLUGINTREE)/orrery/physics/kinematic.so
$(PLUGINTREE)/orrery/physics/kinematic.so: MODULE_LIBS = %D%/libbodies.a
$(PLUGINTREE)/orrery/physics/kinematic.so: %D%/libbodies.a
EXTRA_DIST += %D%/kinematic.c

if HAVE_BULLET
noinst_LIBRARIES += %D%/libbullet.a
%C%_libbullet_a_SOURCES = \
  %D%/bullet/body.cpp \
  %D%/bullet/bullet-private.h \
  %D%/bullet/bullet.c \
  %D%/bullet/engine-private.h \
  %D%/bullet/engine.cpp \
  %D%/bullet/engine.h \
  %D%/bullet/hull-collision.cpp \
  %D%/bullet/meetings.cpp \
  %D%/bullet/loads.cpp \
  %D%/bullet/mesh-collision.cpp \
  %D%/bullet/numbers.cpp \
  %D%/bullet/ray.cpp \
  %D%/bullet/rub.cpp \
  %D%/bullet/saved.c \
  %D%/bullet/shapes.cpp \
  %D%/bullet/shared-shapes.cpp \
  %D%/bullet/store.cpp \
  %D%/bullet/tree.c \
  %D%/bullet/tree.h \
  %D%/bullet/tree-loads.c \
  %D%/bullet/tree-set.c \
  %D%/bullet/tree-set.h \
  %D%/bullet/tree-solver.cpp
# Bullet's headers warn where ours may not.
%C%_libbullet_a_CPPFLAGS = $(AM_CPPFLAGS) $(BULLET_CFLAGS:-I%=-isystem %)

MODULES += $(PLUGINTREE)/orrery/physics/bullet.so
$(PLUGINTREE)/orrery/physics/bullet.so: %D%/libbullet.a %D%/libbodies.a
	$(AM_V_CXXLD)$(MKDIR_P) $(@D) && $(CXX) $(AM_CXXFLAGS) $(CXXFLAGS) -o $@ \
	  -Wl,--whole-archive $< -Wl,--no-whole-archive %D%/libbodies.a -Wl,--as-needed $(BULLET_LIBS) $(MODULE_LINK)
endif

if HAVE_MUJOCO
noinst_LIBRARIES += %D%/libmujoco.a
%C%_libmujoco_a_SOURCES = \
  %D%/mujoco/compile.c \
  %D%/mujoco/compile.h \
  %D%/mujoco/constraints.c \
  %D%/mujoco/constraints.h \
  %D%/mujoco/engine.c \
  %D%/mujoco/engine-private.h \
  %D%/mujoco/engine.h \
  %D%/mujoco/flat.c %D%/mujoco/frames.c \
  %D%/mujoco/flat.h %D%/mujoco/frames.h \
  %D%/mujoco/guard.c \
  %D%/mujoco/guard.h \
  %D%/mujoco/loads.c \
  %D%/mujoco/loads.h \
  %D%/mujoco/model.c \
  %D%/mujoco/model.h \
  %D%/mujoco/mujoco.c \
  %D%/mujoco/presence.c \
  %D%/mujoco/quantities.c \
  %D%/mujoco/ray.c \
  %D%/mujoco/rub.c \
  %D%/mujoco/saved.c \
  %D%/mujoco/sizes.c \
  %D%/mujoco/trees.c \
  %D%/mujoco/trees.h

MODULES += $(PLUGINTREE)/orrery/physics/mujoco.so
$(PLUGINTREE)/orrery/physics/mujoco.so: %D%/libmujoco.a %D%/libbodies.a
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) -o $@ \
	  -Wl,--whole-archive $< -Wl,--no-whole-archive %D%/libbodies.a -Wl,--as-needed $(MUJOCO_LIBS) -lm $(MODULE_LINK)
endif
