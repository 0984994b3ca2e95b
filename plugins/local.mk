# SPDX-License-Identifier: BSD-3-Clause
include plugins/core/local.mk
include plugins/sensors/local.mk
include plugins/actuators/local.mk
include plugins/physics/local.mk
include plugins/observers/local.mk
include plugins/scripts/local.mk
include plugins/renderers/local.mk
include plugins/importers/local.mk
include plugins/raycasters/local.mk
