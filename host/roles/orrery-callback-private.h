/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-script.h"

/* The callbacks of scripts, in the order of OrreryScriptClass: what each is called, who has it. */
typedef enum {
  ORRERY_CALLBACK_INIT,
  ORRERY_CALLBACK_BEFORE_SIMULATION,
  ORRERY_CALLBACK_AFTER_SIMULATION,
  ORRERY_CALLBACK_SENSING,
  ORRERY_CALLBACK_ACTUATION,
  ORRERY_CALLBACK_NON_SIMULATION,
  ORRERY_CALLBACK_SUSPEND,
  ORRERY_CALLBACK_SUSPENDED,
  ORRERY_CALLBACK_RESUME,
  ORRERY_CALLBACK_THREAD,
  ORRERY_CALLBACK_DYN,
  ORRERY_CALLBACK_CONTACT,
  ORRERY_CALLBACK_JOINT,
  ORRERY_CALLBACK_BEFORE_INSTANCE_SWITCH,
  ORRERY_CALLBACK_AFTER_INSTANCE_SWITCH,
  ORRERY_CALLBACK_CLEANUP,
  ORRERY_N_CALLBACKS,
} OrreryCallback;

/* As the member of the class is called: `before_simulation`. */
const char *orrery_callback_get_name (OrreryCallback callback);
/* By that name, or as CoppeliaSim writes it: `beforeSimulation`, `sysCall_beforeSimulation`; -1:
 * there is none. */
int orrery_callback_find (const char *name);
/* Whether scripts of that type are ever called so. */
gboolean orrery_callback_is_of_type (OrreryCallback callback, OrreryScriptType type);
/* Whether the frozen list is gone through from its end. */
gboolean orrery_callback_is_reverse (OrreryCallback callback);
/* Whether a class has it: what it does not implement is not called. */
gboolean orrery_callback_is_in_class (OrreryCallback callback, const OrreryScriptClass *klass);
/* Its function there, to be cast to what the class says; NULL: it has none. */
GCallback orrery_callback_get_func (OrreryCallback callback, const OrreryScriptClass *klass);
