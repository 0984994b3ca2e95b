/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "process/orrery-fault.h"

/* orrery_fault_catch(); @replace: handlers that are there already do not stay. */
void orrery_fault_catch_all (OrreryFaultFunc func, gboolean replace);
