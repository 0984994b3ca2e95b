/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-callback-private.h"
#include "roles/orrery-script-private.h"
#include "tick/orrery-pipeline-private.h"

/*
 * All scripts of a simulation in calling order, and the passes that call them. A pass calls one
 * callback of each script that implements it, by a packed list; scripts that begin or end during a
 * pass take effect with the next one. Tick thread only.
 */

/* Sets of types. */
#define ORRERY_SCRIPTS_CHILDREN (1u << ORRERY_SCRIPT_CHILD)
#define ORRERY_SCRIPTS_OF_SCENE (ORRERY_SCRIPTS_CHILDREN | 1u << ORRERY_SCRIPT_CUSTOMIZATION)
#define ORRERY_SCRIPTS_OF_PROGRAM (1u << ORRERY_SCRIPT_ADD_ON | 1u << ORRERY_SCRIPT_SANDBOX)
#define ORRERY_SCRIPTS_LASTING (ORRERY_SCRIPTS_OF_PROGRAM | 1u << ORRERY_SCRIPT_CUSTOMIZATION)
#define ORRERY_SCRIPTS_ALL (ORRERY_SCRIPTS_OF_SCENE | ORRERY_SCRIPTS_OF_PROGRAM)

/* The place of one script in the order; a restart puts another script object there. */
typedef struct {
  char *name;
  OrreryScriptType type;
  OrreryObject *object;  /* borrowed; NULL: the script belongs to the program */
  OrreryScript *script;  /* owned; NULL: the script is created when it begins */
  gboolean alive;        /* between init and cleanup */
  gboolean failed;       /* not called again */
  gboolean retired;      /* as it asked for: not called again */
  char *failure;         /* the callback that failed, and the error */
  const char *failed_in; /* that callback, or "setup"; static */
  guint64 n_failures;
  gpointer place; /* of the host: what the script is created from */
  GDestroyNotify free_place;
  guint64 since;   /* counted in ticks that the scripts have seen: when it began */
  guint64 n_ticks; /* total of its earlier lives */
  gint64 tick_ns;  /* of this tick, if it is timed */
  OrreryCost cost;
} OrreryScriptSlot;

/* Creates and sets up the script of a slot; NULL: an error. */
typedef OrreryScript *(*OrreryScriptMakeFunc) (gpointer host, OrreryScriptSlot *slot,
                                               GError **error);
/* Called when the script of a slot is gone. */
typedef void (*OrreryScriptDropFunc) (gpointer host, OrreryScriptSlot *slot);

typedef struct _OrreryScripts OrreryScripts;

OrreryScripts *orrery_scripts_new (OrreryScriptMakeFunc make, OrreryScriptDropFunc drop,
                                   gpointer host);
/* Calls no callback: call orrery_scripts_end() before it. */
void orrery_scripts_free (OrreryScripts *scripts);
/* @place: what the host makes the script from, owned */
OrreryScriptSlot *orrery_script_slot_new (const char *name, OrreryScriptType type,
                                          OrreryObject *object, gpointer place,
                                          GDestroyNotify free_place);
/* Makes the script ahead of the slot's first begin; (transfer full) (nullable). */
void orrery_script_slot_set_script (OrreryScriptSlot *slot, OrreryScript *script);
void orrery_script_slot_free (OrreryScriptSlot *slot);

/* (element-type OrreryScriptSlot): in calling order. */
GPtrArray *orrery_scripts_get_slots (OrreryScripts *scripts);
/* Replaces the list, and takes these slots; the previous ones are not freed. */
void orrery_scripts_set_slots (OrreryScripts *scripts, GPtrArray *slots);
/* Adds the program's scripts of @from, which belong to both until one of them leaves them. */
void orrery_scripts_share (OrreryScripts *scripts, OrreryScripts *from);
/* Leaves the scripts that are also in @others to those. */
void orrery_scripts_leave (OrreryScripts *scripts, OrreryScripts *others);

/* The number of ticks during which it was alive. */
guint64 orrery_script_slot_get_n_ticks (OrreryScripts *scripts, OrreryScriptSlot *slot);

/* Calls init of the scripts of @types that have not begun, in order; creates those that do not
 * exist. */
void orrery_scripts_begin (OrreryScripts *scripts, guint types, OrreryTick *tick);
/* Calls cleanup of the scripts of @types that have begun, in order; their next begin creates new
 * ones. */
void orrery_scripts_end (OrreryScripts *scripts, guint types, OrreryTick *tick);
/* Disables a script, with the reason. @where: a static text. Takes the error. */
void orrery_scripts_disable (OrreryScripts *scripts, OrreryScriptSlot *slot, const char *where,
                             GError *error);
/* Has the faults of scripts told from now on; borrowed. */
void orrery_scripts_watch_faults (OrreryScripts *scripts, OrreryRunFaults *faults);
/* Tells of the scripts that are disabled. */
void orrery_scripts_tell_failed (OrreryScripts *scripts, OrreryRunFaults *faults);
/* Enables scripts again that failed or asked for their end. */
void orrery_scripts_clear_failures (OrreryScripts *scripts, guint types);

/* Counts a tick. @timed: every call in it is timed, for the costs. Returns: whether there are
 * scripts */
gboolean orrery_scripts_begin_tick (OrreryScripts *scripts, gboolean timed);
void orrery_scripts_end_tick (OrreryScripts *scripts);
/* Runs one pass; init, cleanup, contact and joint have functions of their own. */
void orrery_scripts_call (OrreryScripts *scripts, OrreryCallback callback, OrreryTick *tick);
/* Whether the pass would call any script. */
gboolean orrery_scripts_has (OrreryScripts *scripts, OrreryCallback callback);
/* Calls contact for each pair of the tick's snapshot that was not in contact in the tick before. */
void orrery_scripts_call_contacts (OrreryScripts *scripts, OrreryTick *tick);
void orrery_scripts_forget_contacts (OrreryScripts *scripts);
/* Saves and restores the pairs in contact in the last tick, `a(uu)`, floating. */
GVariant *orrery_scripts_save_contacts (OrreryScripts *scripts);
void orrery_scripts_restore_contacts (OrreryScripts *scripts, GVariant *pairs);
/* Calls joint for a driven joint. Returns: whether a script answered */
gboolean orrery_scripts_call_joint (OrreryScripts *scripts, OrreryObject *joint, OrreryTick *tick);
