# SPDX-License-Identifier: BSD-3-Clause
# One name per line: modifiers/NAME.c builds orrery/modifiers/NAME.so.
modifier_plugins =
modifier_plugins += clock
modifier_plugins += ecef
modifier_plugins += feet
modifier_plugins += geocentric
modifier_plugins += geodetic
modifier_plugins += imu_noise
modifier_plugins += ned
modifier_plugins += odometry_noise
modifier_plugins += pose_noise
modifier_plugins += utm

MODULES += $(modifier_plugins:%=$(PLUGINTREE)/orrery/modifiers/%.so)
EXTRA_DIST += $(modifier_plugins:%=%D%/%.c)

# A family that is a folder.
noise_sources = %D%/noise/delay.c %D%/noise/messages.c %D%/noise/noise.c %D%/noise/pictures.c \
	%D%/noise/selection.c %D%/noise/table.c %D%/noise/target.c %D%/noise/values.c
MODULES += $(PLUGINTREE)/orrery/modifiers/noise.so
$(PLUGINTREE)/orrery/modifiers/noise.so: $(noise_sources:.c=.module.o)
	$(link_module)
EXTRA_DIST += $(noise_sources)
noinst_HEADERS += %D%/noise/noise.h %D%/noise/selection.h %D%/noise/table.h %D%/noise/target.h

# What several of them share is compiled into each.
with_coordinates = ecef geocentric geodetic
with_deviation = imu_noise odometry_noise pose_noise

$(with_coordinates:%=$(PLUGINTREE)/orrery/modifiers/%.so): %D%/coordinates.module.o
$(with_deviation:%=$(PLUGINTREE)/orrery/modifiers/%.so): %D%/deviation.module.o
EXTRA_DIST += %D%/coordinates.c %D%/deviation.c
noinst_HEADERS += %D%/coordinates.h %D%/deviation.h %D%/lack.h
