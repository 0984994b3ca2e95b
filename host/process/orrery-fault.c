/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the part whose code was running when the program crashed or called exit(). */
#define _GNU_SOURCE
#include "process/orrery-fault-private.h"

#include "base/orrery-calling-private.h"

#include <execinfo.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_FRAMES 64
#define BACKTRACE_S 5
#define MAX_TEXT 1024
#define STACK_SIZE (64 << 10)

static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };

static OrreryFaultFunc told;
static OrreryCalling *watched; /* of the thread that catches faults */
static int is_ending;          /* atomic */
static pid_t owner;            /* children that a plugin forks are no part of the run */

/* --- text, by async-signal-safe functions only --- */

typedef struct {
  char *at;
  char *end; /* where the NUL goes at the latest */
} Text;

/* What could change a terminal or begin another line is replaced. */
static void
add (Text *text, const char *words)
{
  for (; *words != '\0' && text->at < text->end; words++)
    *text->at++ = (guchar) *words < ' ' || *words == 0x7f ? '?' : *words;
  *text->at = '\0';
}

static void
add_number (Text *text, guint64 number)
{
  char digits[24];
  char *at = digits + sizeof digits - 1;

  *at = '\0';
  do {
    *--at = (char) ('0' + number % 10);
    number /= 10;
  } while (number > 0);
  add (text, at);
}

static void
add_cause (Text *text, const OrreryFault *fault)
{
  if (fault->signal != 0) {
    add (text, "SIG");
    add (text, sigabbrev_np (fault->signal));
    add (text, " (");
    add (text, sigdescr_np (fault->signal));
    add (text, ")");
    return;
  }
  add (text, "exit (");
  if (fault->status < 0)
    add (text, "-");
  add_number (text, (guint64) ABS ((gint64) fault->status));
  add (text, ") was called");
}

static void
add_place (Text *text, const OrreryFault *fault)
{
  if (fault->classpath == NULL) {
    add (text, " outside of all plugins");
  } else {
    add (text, " in ");
    add (text, fault->function);
    add (text, " of ");
    if (*fault->name != '\0') {
      add (text, fault->name);
      add (text, " (");
    }
    add (text, fault->classpath);
    add (text, *fault->name != '\0' ? ")" : "");
  }
  add (text, ", tick ");
  add_number (text, fault->tick);
}

static void
print_fault (const OrreryFault *fault, char *text, gsize size)
{
  Text out = { text, text + size - 1 };

  *text = '\0';
  add_cause (&out, fault);
  add_place (&out, fault);
}

static void
say (const char *text)
{
  gssize written = write (STDERR_FILENO, text, strlen (text));

  (void) written;
}

/* --- what ends the program --- */

static void
read_calling (const OrreryCalling *calling, OrreryFault *fault)
{
  const OrreryCallee *callee = __atomic_load_n (&calling->callee, __ATOMIC_ACQUIRE);
  const char *function = __atomic_load_n (&calling->function, __ATOMIC_RELAXED);

  fault->tick = __atomic_load_n (&orrery_calling_tick, __ATOMIC_RELAXED);
  if (callee == NULL)
    return;
  fault->classpath = __atomic_load_n (&callee->classpath, __ATOMIC_RELAXED);
  fault->name = __atomic_load_n (&callee->name, __ATOMIC_RELAXED);
  if (function == NULL)
    function = __atomic_load_n (&callee->function, __ATOMIC_RELAXED);
  fault->function = function;
  if (fault->classpath == NULL)
    fault->classpath = "?";
  if (fault->name == NULL)
    fault->name = "";
  if (fault->function == NULL)
    fault->function = "?";
}

static void
tell (const OrreryFault *fault)
{
  char text[MAX_TEXT];

  print_fault (fault, text, sizeof text);
  say ("orrery: ");
  say (text);
  say ("\n");
  if (told != NULL)
    told (fault, text);
}

/* Last, since it may wait for a lock that the thread holds already. */
static void
print_backtrace (void)
{
  void *frames[MAX_FRAMES];

  signal (SIGALRM, SIG_DFL);
  alarm (BACKTRACE_S);
  backtrace_symbols_fd (frames, backtrace (frames, MAX_FRAMES), STDERR_FILENO);
}

/* Whoever sent the signal, it ends the program as if there were no handler. */
static void
on_fault (int number, siginfo_t *info, void *context)
{
  OrreryFault fault = { .signal = number };

  signal (number, SIG_DFL);
  /* A fault in the handler, or on another thread meanwhile: there is nothing to add. */
  if (getpid () == owner && __atomic_exchange_n (&is_ending, 1, __ATOMIC_ACQ_REL) == 0) {
    read_calling (&orrery_calling, &fault);
    tell (&fault);
    print_backtrace ();
  }
  raise (number);
}

static void
on_exit_called (int status, void *data)
{
  OrreryFault fault = { .status = status };

  read_calling (&orrery_calling, &fault);
  if (getpid () != owner || fault.classpath == NULL ||
      __atomic_exchange_n (&is_ending, 1, __ATOMIC_ACQ_REL) != 0)
    return;
  tell (&fault);
}

gboolean
orrery_fault_look (OrreryFault *fault)
{
  g_return_val_if_fail (fault != NULL, FALSE);

  *fault = (OrreryFault){ 0 };
  if (watched == NULL)
    return FALSE;
  read_calling (watched, fault);
  return fault->classpath != NULL;
}

/* A stack that has overflowed cannot hold the handler. */
static void
use_other_stack (void)
{
  static char room[STACK_SIZE];
  stack_t stack = { .ss_sp = room, .ss_size = sizeof room };
  stack_t before;

  if (sigaltstack (NULL, &before) == 0 && (before.ss_flags & SS_DISABLE))
    sigaltstack (&stack, NULL);
}

void
orrery_fault_catch_all (OrreryFaultFunc func, gboolean replace)
{
  struct sigaction action = { .sa_sigaction = on_fault,
                              .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
  void *frame;

  g_return_if_fail (watched == NULL);

  told = func;
  owner = getpid ();
  watched = &orrery_calling;
  /* The first call loads a library, which a signal handler may not. */
  backtrace (&frame, 1);
  use_other_stack ();
  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    struct sigaction before;

    sigemptyset (&action.sa_mask);
    if (sigaction (numbers[i], NULL, &before) == 0 && (replace || before.sa_handler == SIG_DFL))
      sigaction (numbers[i], &action, NULL);
  }
  on_exit (on_exit_called, NULL);
}

void
orrery_fault_catch (OrreryFaultFunc func)
{
  orrery_fault_catch_all (func, FALSE);
}
