/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-role-private.h"

/*
 * The type of what stands in the host for components of the type @of that run in a worker: of the
 * role, with the record, the services and the properties of their class, but without its code.
 * Values of properties are kept and given back; whether they fit beyond type and range is checked
 * in the worker.
 */
GType orrery_stand_in_get_type (GType of, OrreryRole role);
