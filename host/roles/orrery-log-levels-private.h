/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-log.h"

G_BEGIN_DECLS

/*
 * How much the parts of a simulation log: levels that were set by names. A name is that of a part
 * or of a class; both may be cut at a dot, and then stand for all below. Any thread.
 */
typedef struct _OrreryLogLevels OrreryLogLevels;

/* What hears of every level that is set, on the thread that sets it. */
typedef void (*OrreryLogLevelFunc) (const char *name, int level);

OrreryLogLevels *orrery_log_levels_new (OrreryLogLevelFunc func);
OrreryLogLevels *orrery_log_levels_ref (OrreryLogLevels *levels);
void orrery_log_levels_unref (OrreryLogLevels *levels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryLogLevels, orrery_log_levels_unref)

/* Python's number of a level, as DEBUG or debug; 0 with ORRERY_ERROR_INVALID: there is none. */
int orrery_log_level_parse (const char *word, GError **error);
/* What was set last for the same name is replaced. ORRERY_ERROR_INVALID: too many names, or one
 * that is too long. */
gboolean orrery_log_levels_set (OrreryLogLevels *levels, const char *name, int level,
                                GError **error);
/* Whether any part listens to that name; else @nearest (transfer full) are words for messages. */
gboolean orrery_log_levels_has (OrreryLogLevels *levels, const char *name, char **nearest);

/* Grows with each change; 0: nothing was ever set. */
guint orrery_log_levels_get_serial (OrreryLogLevels *levels);
/* All that stand, `a(si)` in the order in which they were set; floating. */
GVariant *orrery_log_levels_save (OrreryLogLevels *levels);
/* The same back, in another process. */
void orrery_log_levels_restore (OrreryLogLevels *levels, GVariant *saved);

/* The part obeys them from now on; @bases: (nullable): further classes that it is one of, the
 * nearest first. Its name and class are known. */
void orrery_part_obey (OrreryPart *part, OrreryLogLevels *levels, const char *const *bases);

/* What a part has of this. */
typedef struct {
  OrreryLogLevels *levels; /* NULL: it obeys none */
  char **bases;
  guint serial; /* atomic: of the levels that these are */
  int level;    /* atomic: 0: none is set for it */
} OrreryPartLog;

/* orrery-part.c */
OrreryPartLog *orrery_part_get_log (OrreryPart *part);
void orrery_part_log_clear (OrreryPart *part, OrreryPartLog *log);

G_END_DECLS
