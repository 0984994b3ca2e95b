# SPDX-License-Identifier: BSD-3-Clause
# What engines share (friction, twist, wheels) is compiled into each module that needs it.

MODULES += $(PLUGINTREE)/orrery/physics/kinematic.so
$(PLUGINTREE)/orrery/physics/kinematic.so: %D%/twist.c %D%/wheels.c
EXTRA_DIST += %D%/kinematic.c
EXTRA_DIST += %D%/wheels.c
noinst_HEADERS += %D%/bodies.h %D%/friction.h %D%/twist.h %D%/wheels.h

# What engines of rigid bodies share.
body_sources = %D%/bodies.c %D%/body-checks.c %D%/body-ticks.c
EXTRA_DIST += $(body_sources)

if HAVE_BULLET
noinst_LIBRARIES += %D%/libbullet.a
%C%_libbullet_a_SOURCES = \
  %D%/bullet/bullet-private.h \
  %D%/bullet/bullet.c \
  %D%/bullet/engine-private.h \
  %D%/bullet/engine.cpp \
  %D%/bullet/engine.h \
  %D%/bullet/mesh-collision.cpp \
  %D%/bullet/numbers.cpp \
  %D%/bullet/saved.c \
  %D%/bullet/shapes.cpp \
  $(body_sources) \
  %D%/friction.c \
  %D%/twist.c \
  %D%/wheels.c
# Bullet's headers warn where ours may not.
%C%_libbullet_a_CPPFLAGS = $(AM_CPPFLAGS) $(BULLET_CFLAGS:-I%=-isystem %)

MODULES_CXX += $(PLUGINTREE)/orrery/physics/bullet.so
$(PLUGINTREE)/orrery/physics/bullet.so: %D%/libbullet.a
	$(AM_V_CXXLD)$(MKDIR_P) $(@D) && $(CXX) $(AM_CXXFLAGS) $(CXXFLAGS) -o $@ \
	  -Wl,--whole-archive $(filter %.a,$^) -Wl,--no-whole-archive -Wl,--as-needed $(BULLET_LIBS) $(MODULE_LINK)
endif

if HAVE_MUJOCO
noinst_LIBRARIES += %D%/libmujoco.a
%C%_libmujoco_a_SOURCES = \
  %D%/mujoco/constraints.c \
  %D%/mujoco/constraints.h \
  %D%/mujoco/engine.c \
  %D%/mujoco/engine.h \
  %D%/mujoco/frames.c \
  %D%/mujoco/frames.h \
  %D%/mujoco/guard.c \
  %D%/mujoco/guard.h \
  %D%/mujoco/model.c \
  %D%/mujoco/model.h \
  %D%/mujoco/mujoco.c \
  %D%/mujoco/ray.c \
  %D%/mujoco/rub.c \
  %D%/mujoco/saved.c \
  %D%/mujoco/trees.c \
  %D%/mujoco/trees.h \
  $(body_sources) \
  %D%/friction.c \
  %D%/twist.c \
  %D%/wheels.c

MODULES_CXX += $(PLUGINTREE)/orrery/physics/mujoco.so
$(PLUGINTREE)/orrery/physics/mujoco.so: %D%/libmujoco.a
	$(AM_V_CCLD)$(MKDIR_P) $(@D) && $(CC) $(AM_CFLAGS) $(CFLAGS) -o $@ \
	  -Wl,--whole-archive $(filter %.a,$^) -Wl,--no-whole-archive -Wl,--as-needed $(MUJOCO_LIBS) -lm $(MODULE_LINK)
endif
