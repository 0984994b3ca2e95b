/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-log.h"

G_BEGIN_DECLS

/*
 * Log levels of the parts of a simulation, set by name. A name is that of a part or of a class;
 * either may be cut at a dot and then applies to everything below. Any thread.
 */
typedef struct _OrreryLogLevels OrreryLogLevels;

/* Called for every level that is set, on the thread that sets it. */
typedef void (*OrreryLogLevelFunc) (const char *name, int level);

OrreryLogLevels *orrery_log_levels_new (OrreryLogLevelFunc func);
OrreryLogLevels *orrery_log_levels_ref (OrreryLogLevels *levels);
void orrery_log_levels_unref (OrreryLogLevels *levels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryLogLevels, orrery_log_levels_unref)

/* Returns Python's number of a level that is written as DEBUG or debug, or 0 with
 * ORRERY_ERROR_INVALID if there is none. */
int orrery_log_level_parse (const char *word, GError **error);
/* Replaces the level that was set for the same name. ORRERY_ERROR_INVALID: too many names, or a
 * name that is too long. */
gboolean orrery_log_levels_set (OrreryLogLevels *levels, const char *name, int level,
                                GError **error);
/* Returns whether the name is that of any part; otherwise @nearest (transfer full) lists the
 * nearest names for a message. */
gboolean orrery_log_levels_has (OrreryLogLevels *levels, const char *name, char **nearest);

/* A number that increases with each change; 0: nothing was ever set. */
guint orrery_log_levels_get_serial (OrreryLogLevels *levels);
/* Returns all levels as `a(si)`, in the order in which they were set; floating. */
GVariant *orrery_log_levels_save (OrreryLogLevels *levels);
/* Sets levels that orrery_log_levels_save() returned, in another process. */
void orrery_log_levels_restore (OrreryLogLevels *levels, GVariant *saved);

/* Applies the levels to the part from now on. @bases: (nullable): further classes that it belongs
 * to, the nearest first. The name and class of the part must be known. */
void orrery_part_set_log_levels (OrreryPart *part, OrreryLogLevels *levels,
                                 const char *const *bases);

/* Tells those who watch of a line of the part. */
void orrery_part_tell_log (OrreryPart *part, OrreryLogLevel level, const char *text);
/* Tells @watcher alone, if it watches, of a line that was shown before it did. */
void orrery_part_tell_watcher (OrreryPart *watcher, OrreryPart *part, OrreryLogLevel level,
                               const char *text);

/* The log levels as a part keeps them. */
typedef struct {
  OrreryLogLevels *levels; /* NULL: none apply */
  char **bases;
  guint serial; /* atomic: serial of the levels that `level` was looked up in */
  int level;    /* atomic: 0: none is set for it */
} OrreryPartLog;

/* orrery-part.c */
OrreryPartLog *orrery_part_get_log (OrreryPart *part);
void orrery_part_log_clear (OrreryPart *part, OrreryPartLog *log);

G_END_DECLS
