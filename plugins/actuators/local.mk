# SPDX-License-Identifier: BSD-3-Clause
# One name per line: plugins/actuators/NAME.c builds orrery/actuators/NAME.so.
actuator_plugins =
actuator_plugins += armature
actuator_plugins += destination
actuator_plugins += drag
actuator_plugins += external_force
actuator_plugins += force_torque
actuator_plugins += found_marker
actuator_plugins += grasp
actuator_plugins += joint
actuator_plugins += joystick
actuator_plugins += keyboard
actuator_plugins += lamp
actuator_plugins += orientation
actuator_plugins += pan_tilt
actuator_plugins += quadrotor_dynamic_control
actuator_plugins += rotorcraft_attitude
actuator_plugins += rotorcraft_velocity
actuator_plugins += rotorcraft_waypoint
actuator_plugins += segments
actuator_plugins += sound
actuator_plugins += stabilized_quadrotor
actuator_plugins += steer_force
actuator_plugins += teleport
actuator_plugins += v_omega
actuator_plugins += v_omega_diff_drive
actuator_plugins += waypoint
actuator_plugins += xy_omega

MODULES += $(actuator_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so)
EXTRA_DIST += $(actuator_plugins:%=%D%/%.c)

# What controllers of rotorcraft share is compiled into each of them.
rotorcraft_plugins = quadrotor_dynamic_control rotorcraft_attitude rotorcraft_velocity rotorcraft_waypoint
$(rotorcraft_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so): %D%/rotorcraft.module.o
EXTRA_DIST += %D%/rotorcraft.c
noinst_HEADERS += %D%/rotorcraft.h

# What shows where an actuator goes.
marker_plugins = rotorcraft_waypoint waypoint
$(marker_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so): %D%/marker.module.o
EXTRA_DIST += %D%/marker.c
noinst_HEADERS += %D%/marker.h

# The record and services of what drives by a speed and a turn rate.
speed_plugins = v_omega v_omega_diff_drive
$(speed_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so): %D%/speed.module.o
EXTRA_DIST += %D%/speed.c
noinst_HEADERS += %D%/speed.h

# What reads the hands of people.
manual_plugins = joystick keyboard
$(manual_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so): %D%/device.module.o %D%/manual.module.o
EXTRA_DIST += %D%/device.c %D%/manual.c
noinst_HEADERS += %D%/device.h %D%/manual.h

# One that has grown.
armature_sources = %D%/arm.c %D%/armature-base.c %D%/armature-services.c %D%/armature-state.c
$(PLUGINTREE)/orrery/actuators/armature.so: $(armature_sources:.c=.module.o)
EXTRA_DIST += $(armature_sources)
noinst_HEADERS += %D%/arm.h %D%/armature.h
$(PLUGINTREE)/orrery/actuators/segments.so: %D%/arm.module.o

# What turns or slides joints in full steps.
stepping_plugins = armature pan_tilt segments
$(stepping_plugins:%=$(PLUGINTREE)/orrery/actuators/%.so): %D%/full_step.module.o
EXTRA_DIST += %D%/full_step.c
noinst_HEADERS += %D%/full_step.h

# What sees obstacles.
$(PLUGINTREE)/orrery/actuators/waypoint.so: %D%/radar.module.o
EXTRA_DIST += %D%/radar.c
noinst_HEADERS += %D%/radar.h
