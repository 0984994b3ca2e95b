/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-modifier.h"

/* What runs for a method that the config names; NULL: its class has no function for it. */
OrreryModifierFunc orrery_modifier_choose_method (OrreryModifier *modifier,
                                                  const OrreryMethod *method);
