/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * OrreryChild: (skip)
 *
 * A child process that runs a program, from its start to the named cause of its end. It does not
 * outlive this process, whatever ends that. One thread at a time.
 */
typedef struct _OrreryChild OrreryChild;

/**
 * OrreryChildFlags: (skip)
 * @ORRERY_CHILD_INPUT: its standard input is a pipe, see orrery_child_write(); else it is /dev/null
 * @ORRERY_CHILD_OUTPUT: its standard output is a pipe, see orrery_child_collect(), and its standard
 *   error is /dev/null; else both are those of this process
 * @ORRERY_CHILD_OWN_GROUP: it is in a process group of its own, which is killed when it ends: what
 *   it starts does not outlive it, and signals of the terminal do not reach it. Without it the
 *   child is in the group of this process and ignores SIGINT
 * @ORRERY_CHILD_NO_CORE: it leaves no core file
 *
 * How a child process is connected and confined.
 */
typedef enum {
  ORRERY_CHILD_INPUT = 1 << 0,
  ORRERY_CHILD_OUTPUT = 1 << 1,
  ORRERY_CHILD_OWN_GROUP = 1 << 2,
  ORRERY_CHILD_NO_CORE = 1 << 3,
} OrreryChildFlags;

/**
 * OrreryChildSpec: (skip)
 * @argv: the program and its arguments, with %NULL at the end. The first is a path, or a name that
 *   is looked up in `PATH`
 * @path: (nullable): the file to run in place of the first of @argv
 * @environment: (nullable): its variables, with %NULL at the end; %NULL: those of this process
 * @flags: #OrreryChildFlags
 * @max_memory: bytes of address space; 0: no limit. A build with the address or thread
 *   sanitizer has none
 * @max_cpu: seconds of CPU time; 0: no limit
 *
 * Describes a child process.
 */
typedef struct {
  const char *const *argv;
  const char *path;
  const char *const *environment;
  guint flags;
  guint64 max_memory;
  guint max_cpu;
} OrreryChildSpec;

/**
 * orrery_child_new: (skip)
 * @spec: copied
 *
 * Creates its pipes; nothing runs before orrery_child_start().
 *
 * Returns: (transfer full): for orrery_child_free(), or %NULL with %ORRERY_ERROR_IO: there are no
 *   descriptors left
 */
ORRERY_API OrreryChild *orrery_child_new (const OrreryChildSpec *spec, GError **error);

/**
 * orrery_child_free: (skip)
 * @child: (transfer full): if it still runs, it is killed
 *
 * Kills its group, too, if it has one of its own, and waits for its end, but not longer than 2 s.
 */
ORRERY_API void orrery_child_free (OrreryChild *child);

/**
 * orrery_child_start: (skip)
 * @child: one that has not started
 *
 * Waits until it runs its program, not until that ends.
 *
 * Returns: %TRUE, or %FALSE with %ORRERY_ERROR_IO: there are no processes, memory or descriptors
 *   left, or with %ORRERY_ERROR_NOT_FOUND: the program cannot be run
 */
ORRERY_API gboolean orrery_child_start (OrreryChild *child, GError **error);

/**
 * orrery_child_get_pid: (skip)
 *
 * Valid until the child has ended and was waited for, as by orrery_child_collect(); then the system
 * may give its id to another process.
 *
 * Returns: its id; 0: it does not run
 */
ORRERY_API int orrery_child_get_pid (OrreryChild *child);

/**
 * orrery_child_write: (skip)
 * @child: one with %ORRERY_CHILD_INPUT
 * @bytes: (array length=size): the whole of its standard input
 * @size: bytes
 *
 * Waits until it is written. The process that calls this ignores SIGPIPE.
 *
 * Returns: %FALSE: the child has closed its input
 */
ORRERY_API gboolean orrery_child_write (OrreryChild *child, gconstpointer bytes, gsize size);

/**
 * orrery_child_feed: (skip)
 * @child: one with %ORRERY_CHILD_INPUT, which was started
 * @bytes: (array length=size): the next part of its standard input, which
 *   orrery_child_collect() ends
 * @size: bytes
 * @limit: ns that the child may take to read it; 0: no limit
 *
 * Waits until it is written. The process that calls this ignores SIGPIPE.
 *
 * Returns: %FALSE: the child has closed its input or was too slow, and gets no more
 */
ORRERY_API gboolean orrery_child_feed (OrreryChild *child, gconstpointer bytes, gsize size,
                                       OrreryTime limit);

/**
 * orrery_child_collect: (skip)
 * @child: one that was started
 * @limit: ns that it may take from now on; 0: no limit
 * @max_size: bytes that it may write
 * @cancellable: (nullable): kills it
 *
 * Waits for its end. A child that takes too long or writes too much is killed.
 *
 * Returns: (transfer full): what it has written, whatever its end was
 */
ORRERY_API GBytes *orrery_child_collect (OrreryChild *child, OrreryTime limit, gsize max_size,
                                         GCancellable *cancellable);

/**
 * orrery_child_get_status: (skip)
 * @child: one that has ended
 *
 * A status of 0 to 255 says that it ended by itself, within its limits.
 *
 * Returns: its exit status; -1: it was killed, broke a limit, or its end is not known
 */
ORRERY_API int orrery_child_get_status (OrreryChild *child);

/**
 * orrery_child_describe_end: (skip)
 * @child: one that has ended
 *
 * For messages, in English.
 *
 * Returns: (transfer full): the cause, to follow a name: "exited with status 3", "was killed by
 *   SIGSEGV (Segmentation fault)", "gave no answer within 5 s"
 */
ORRERY_API char *orrery_child_describe_end (OrreryChild *child);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryChild, orrery_child_free)

G_END_DECLS
