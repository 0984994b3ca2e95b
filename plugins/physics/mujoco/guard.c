/* SPDX-License-Identifier: BSD-3-Clause */
/* MuJoCo's errors as errors of ours, instead of the end of the program. */
#include "guard.h"

#include <mujoco/mujoco.h>

typedef struct {
  gboolean active;
  gboolean failed;
  jmp_buf place;
  char words[512];
} Guard;

static _Thread_local Guard guard;
static GMutex lock;
/* The handlers of other code in this process, for threads without a guard. */
static void (*other_error) (const char *);
static void (*other_warning) (const char *);

static void
keep (const char *words)
{
  g_strlcpy (guard.words, words, sizeof guard.words);
  g_strdelimit (guard.words, "\n\r\t", ' ');
}

static void
take_error (const char *words)
{
  if (!guard.active && other_error != NULL) {
    other_error (words);
    return;
  }
  /* MuJoCo cannot continue after an error, so there is nothing else to do. */
  g_assert (guard.active);
  keep (words);
  guard.failed = TRUE;
  longjmp (guard.place, 1);
}

static void
take_warning (const char *words)
{
  if (guard.active)
    keep (words);
  else if (other_warning != NULL)
    other_warning (words);
}

static void
install (void)
{
  g_mutex_lock (&lock);
  if (mju_user_error != take_error) {
    other_error = mju_user_error;
    mju_user_error = take_error;
  }
  if (mju_user_warning != take_warning) {
    other_warning = mju_user_warning;
    mju_user_warning = take_warning;
  }
  g_mutex_unlock (&lock);
}

void
guard_enter (void)
{
  /* Other code may have installed its own handler in the meantime. */
  if (mju_user_error != take_error || mju_user_warning != take_warning)
    install ();
  guard.active = TRUE;
  guard.failed = FALSE;
  *guard.words = '\0';
}

jmp_buf *
guard_buffer (void)
{
  return &guard.place;
}

const char *
guard_leave (gboolean *failed)
{
  guard.active = FALSE;
  if (failed != NULL)
    *failed = guard.failed;
  return *guard.words != '\0' ? guard.words : NULL;
}
