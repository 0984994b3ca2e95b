/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-callback-private.h"
#include "roles/orrery-script-private.h"
#include "run/orrery-pipeline-private.h"

/*
 * All scripts of a simulation, in the order in which they are called, and who is called when. A
 * pass calls one callback of each script that has it, by a packed list; scripts that begin or end
 * in a pass count from the next one on. Tick thread only.
 */

/* Sets of types. */
#define ORRERY_SCRIPTS_CHILDREN (1u << ORRERY_SCRIPT_CHILD)
#define ORRERY_SCRIPTS_OF_SCENE (ORRERY_SCRIPTS_CHILDREN | 1u << ORRERY_SCRIPT_CUSTOMIZATION)
#define ORRERY_SCRIPTS_OF_PROGRAM (1u << ORRERY_SCRIPT_ADD_ON | 1u << ORRERY_SCRIPT_SANDBOX)
#define ORRERY_SCRIPTS_LASTING (ORRERY_SCRIPTS_OF_PROGRAM | 1u << ORRERY_SCRIPT_CUSTOMIZATION)
#define ORRERY_SCRIPTS_ALL (ORRERY_SCRIPTS_OF_SCENE | ORRERY_SCRIPTS_OF_PROGRAM)

/* The place of one script; who fills it changes where the script is restarted. */
typedef struct {
  char *name;
  OrreryScriptType type;
  OrreryObject *object; /* borrowed; NULL: it belongs to the program */
  OrreryScript *script; /* owned; NULL: nobody is there until it begins */
  gboolean alive;       /* between init and cleanup */
  gboolean failed;      /* not called again */
  gboolean retired;     /* as it asked for: not called again */
  char *failure;        /* callback and cause */
  gpointer place;       /* the host's: what it is made from */
  GDestroyNotify free_place;
  guint64 since;   /* counted in ticks that the scripts have seen: when it began */
  guint64 n_ticks; /* of lives that are over */
  gint64 tick_ns;  /* of this tick, if it is timed */
  OrreryCost cost;
} OrreryScriptSlot;

/* Makes who is to fill a slot, set up; NULL: an error. */
typedef OrreryScript *(*OrreryScriptMakeFunc) (gpointer host, OrreryScriptSlot *slot,
                                               GError **error);
/* Says that who filled it is gone. */
typedef void (*OrreryScriptDropFunc) (gpointer host, OrreryScriptSlot *slot);

typedef struct {
  GPtrArray *slots; /* (element-type OrreryScriptSlot), owned, in calling order */
  GArray *passes[ORRERY_N_CALLBACKS];
  gboolean changed; /* the passes are not what they should be */
  guint n_wishes;
  guint64 n_ticks; /* that were run */
  gboolean timed;  /* every call is timed, for the costs */
  GArray *pairs;   /* (element-type Pair): that touch in this tick */
  GArray *before;  /* (element-type Pair): that touched in the last */
  OrreryScriptMakeFunc make;
  OrreryScriptDropFunc drop;
  gpointer host;
} OrreryScripts;

OrreryScripts *orrery_scripts_new (OrreryScriptMakeFunc make, OrreryScriptDropFunc drop,
                                   gpointer host);
/* No callback is called: orrery_scripts_end() comes first. */
void orrery_scripts_free (OrreryScripts *scripts);
OrreryScriptSlot *orrery_script_slot_new (const char *name, OrreryScriptType type,
                                          OrreryObject *object);
void orrery_script_slot_free (OrreryScriptSlot *slot);

/* Ticks while it was alive. */
guint64 orrery_script_slot_get_n_ticks (OrreryScripts *scripts, OrreryScriptSlot *slot);

/* Init of those of @types that have not begun, in order; who is not there is made. */
void orrery_scripts_begin (OrreryScripts *scripts, guint types, OrreryTick *tick);
/* Cleanup of those of @types that have begun, in order; the next to begin there are new ones. */
void orrery_scripts_end (OrreryScripts *scripts, guint types, OrreryTick *tick);
/* It is not called again, and why. Takes the error. */
void orrery_scripts_disable (OrreryScripts *scripts, OrreryScriptSlot *slot, const char *where,
                             GError *error);
/* What failed, or asked for its end, may begin again. */
void orrery_scripts_forgive (OrreryScripts *scripts, guint types);

/* One pass; of init, cleanup, contact and joint there are functions of their own. */
void orrery_scripts_call (OrreryScripts *scripts, OrreryCallback callback, OrreryTick *tick);
/* Whether somebody would be called. */
gboolean orrery_scripts_has (OrreryScripts *scripts, OrreryCallback callback);
/* Contact, for each pair of the tick's snapshot that did not touch in the tick before. */
void orrery_scripts_call_contacts (OrreryScripts *scripts, OrreryTick *tick);
void orrery_scripts_forget_contacts (OrreryScripts *scripts);
/* Pairs that touched in the last tick, `a(uu)`, floating; and back. */
GVariant *orrery_scripts_save_contacts (OrreryScripts *scripts);
void orrery_scripts_restore_contacts (OrreryScripts *scripts, GVariant *pairs);
/* A driven joint asks. Returns whether somebody answered. */
gboolean orrery_scripts_call_joint (OrreryScripts *scripts, OrreryObject *joint, OrreryTick *tick);
