/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/**
 * OrreryFault: (skip)
 * @signal: the signal that ends the program; 0: something called exit()
 * @status: the argument of exit(), if @signal is 0
 * @classpath: (nullable): the class whose function the host was calling; %NULL: none, so that the
 *   fault lies elsewhere
 * @name: (nullable): the part of that class; "" for a class that has not made one yet
 * @function: (nullable): the function
 * @tick: the number of the tick
 *
 * What the program was doing when it ended, or what it does now. The texts are never freed.
 */
typedef struct {
  int signal;
  int status;
  const char *classpath;
  const char *name;
  const char *function;
  guint64 tick;
} OrreryFault;

/**
 * OrreryFaultFunc: (skip)
 * @fault: what happened; valid during the call
 * @text: one line that says it, without a newline
 *
 * Is called before the program ends by a fault, in a signal handler: it may call nothing but what
 * is async-signal-safe.
 */
typedef void (*OrreryFaultFunc) (const OrreryFault *fault, const char *text);

/**
 * orrery_fault_catch: (skip)
 * @func: (nullable): is called before the program ends; %NULL: nothing is
 *
 * From now on a program that crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, a stack
 * that overflows on the calling thread) first writes to standard error which function of which
 * component the host was calling, in which tick, and a backtrace; then the signal ends it, as
 * without this. A plugin that calls exit() is named, too; @func may end the program with another
 * status.
 *
 * For programs, not for libraries: signals belong to the process. A handler that is there already,
 * such as that of a sanitizer or of Python's faulthandler, is kept. To be called once, on the
 * thread that runs the simulation.
 */
ORRERY_API void orrery_fault_catch (OrreryFaultFunc func);

/**
 * orrery_fault_look: (skip)
 * @fault: (out): what the thread that called orrery_fault_catch() does now
 *
 * For a thread that watches. The texts last as long as the parts of the simulation.
 *
 * Returns: whether the host is calling a function of a plugin
 */
ORRERY_API gboolean orrery_fault_look (OrreryFault *fault);

G_END_DECLS
