/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of roles. */
#include "roles/orrery-plugin.h"

static const char *const role_names[] = {
  [ORRERY_ROLE_NONE] = "none",
  [ORRERY_ROLE_SENSOR] = "sensor",
  [ORRERY_ROLE_ACTUATOR] = "actuator",
  [ORRERY_ROLE_ROBOT] = "robot",
  [ORRERY_ROLE_MODIFIER] = "modifier",
  [ORRERY_ROLE_DATASTREAM] = "datastream",
  [ORRERY_ROLE_DATASTREAM_MANAGER] = "datastream_manager",
  [ORRERY_ROLE_REQUEST_MANAGER] = "request_manager",
  [ORRERY_ROLE_OVERLAY] = "overlay",
  [ORRERY_ROLE_PHYSICS] = "physics",
  [ORRERY_ROLE_SCRIPT] = "script",
  [ORRERY_ROLE_IMPORTER] = "importer",
  [ORRERY_ROLE_RAYCASTER] = "raycaster",
  [ORRERY_ROLE_RENDERER] = "renderer",
  [ORRERY_ROLE_OBSERVER] = "observer",
};

const char *
orrery_role_get_name (OrreryRole role)
{
  return (guint) role < G_N_ELEMENTS (role_names) ? role_names[role] : "unknown";
}
