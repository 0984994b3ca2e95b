/* SPDX-License-Identifier: BSD-3-Clause */
/* The names of the states of a simulation. */
#include "tick/orrery-state.h"

static const GEnumValue values[] = {
  { ORRERY_STATE_STOPPED, "ORRERY_STATE_STOPPED", "stopped" },
  { ORRERY_STATE_RUNNING, "ORRERY_STATE_RUNNING", "running" },
  { ORRERY_STATE_PAUSED, "ORRERY_STATE_PAUSED", "paused" },
  { ORRERY_STATE_STOPPING, "ORRERY_STATE_STOPPING", "stopping" },
  { 0, NULL, NULL },
};

GType
orrery_state_get_type (void)
{
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("OrreryState", values));
  return type;
}

const char *
orrery_state_get_name (OrreryState state)
{
  return (guint) state < G_N_ELEMENTS (values) - 1 ? values[state].value_nick : "unknown";
}
