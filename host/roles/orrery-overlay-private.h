/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-overlay.h"

void orrery_overlay_set_component (OrreryOverlay *overlay, OrreryComponent *component);
