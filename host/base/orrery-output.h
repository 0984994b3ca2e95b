/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryOutputRules: (skip)
 * @directory: (nullable): the directory below which the file has to be, and where a relative path
 *   starts, for a path that comes from a scene; no link is followed then. %NULL: the user of a
 *   command line named the path, which may be anywhere
 * @kept: (nullable) (array zero-terminated=1): files that are never written, as those of the scene
 * @read: (nullable): what is read from these, for the error; %NULL: the scene itself
 * @mark: (nullable): how a file that exists has to begin, unless it is empty, so that nothing but
 * an older output is replaced
 * @mode: permissions of a new file, which the umask narrows; 0: 0666
 *
 * Where a run may write. In each case a symbolic link of another user (root excepted), another
 * user's file that has several names, and the files of /proc and /sys are refused. Devices and
 * pipes are written to, never replaced.
 */
typedef struct {
  const char *directory;
  const char *const *kept;
  const char *read;
  const char *mark;
  guint mode;
} OrreryOutputRules;

/**
 * orrery_output_open: (skip)
 * @path: where to write; `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` are what this process has
 * open
 * @rules: (nullable): where it may write; %NULL: what the user of a command line may
 * @own: (out) (optional): whether it is a regular file that was made or emptied now. Only such a
 * file may be cut later: of what this process had open before, others wrote the rest
 * @error: return location: %ORRERY_ERROR_CONFIG if the rules forbid it, else %ORRERY_ERROR_IO
 *
 * Opens a file for writing. A regular file is made if need be, or emptied. Never waits: a pipe that
 * nobody reads is an error. Any thread.
 *
 * Returns: a descriptor that exec() closes; -1: none
 */
ORRERY_API int orrery_output_open (const char *path, const OrreryOutputRules *rules, gboolean *own,
                                   GError **error);

/**
 * orrery_output_check: (skip)
 * @path: where a scene wants to write
 * @directory: the directory below which it may
 * @error: return location: %ORRERY_ERROR_CONFIG
 *
 * Judges the text of a path, for those who do not open it yet: what orrery_output_open() would
 * refuse whatever lies there. Any thread.
 *
 * Returns: whether @path leads below @directory
 */
ORRERY_API gboolean orrery_output_check (const char *path, const char *directory, GError **error);

/**
 * orrery_output_write: (skip)
 * @fd: a descriptor, blocking or not
 * @data: what to write
 * @length: bytes of @data
 * @limit: how long to wait for a reader of a pipe or a terminal that takes nothing, ms
 *
 * Writes all of it. Any thread.
 *
 * Returns: bytes written; fewer than @length if errno says why the rest could not be
 */
ORRERY_API gsize orrery_output_write (int fd, gconstpointer data, gsize length, guint limit);

/**
 * orrery_output_replace: (skip)
 * @path: where to write, as in orrery_output_open()
 * @data: (array length=length): what to write
 * @length: bytes of @data; -1: up to its NUL
 * @rules: (nullable): where it may write; %NULL: what the user of a command line may
 * @error: return location: %ORRERY_ERROR_CONFIG if the rules forbid it, else %ORRERY_ERROR_IO
 *
 * Writes a whole file. A regular file keeps what it held until all of the new content is on the
 * disk; pipes and devices are written to. Any thread.
 *
 * Returns: whether all was written
 */
ORRERY_API gboolean orrery_output_replace (const char *path, const char *data, gssize length,
                                           const OrreryOutputRules *rules, GError **error);

G_END_DECLS
