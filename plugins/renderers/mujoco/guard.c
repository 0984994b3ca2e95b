/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs functions of MuJoCo so that its errors do not end the program. */
#include "guard.h"

#include <orrery.h>

#include <mujoco/mujoco.h>
#include <setjmp.h>

typedef struct {
  jmp_buf place;
  char words[256];
} Guard;

static _Thread_local Guard *guard;
static GMutex lock;
static void (*before) (const char *);

/* An error handler must not return. */
static void
on_error (const char *words)
{
  /* An error on another thread: pass it to the handler that was installed before. */
  if (guard == NULL && before != NULL)
    before (words);
  g_assert (guard != NULL);
  g_strlcpy (guard->words, words, sizeof guard->words);
  longjmp (guard->place, 1);
}

static void
on_warning (const char *words)
{
  g_warning ("MuJoCo: %s", words);
}

gboolean
guard_run (GuardFunc func, gpointer data, GError **error)
{
  void (*kept_warning) (const char *);
  Guard here = { .words = "" };
  gboolean fine;

  g_mutex_lock (&lock);
  before = mju_user_error;
  kept_warning = mju_user_warning;
  mju_user_error = on_error;
  mju_user_warning = on_warning;
  guard = &here;
  if (setjmp (here.place) == 0)
    func (data);
  fine = here.words[0] == '\0';
  guard = NULL;
  mju_user_error = before;
  mju_user_warning = kept_warning;
  g_mutex_unlock (&lock);
  if (!fine)
    orrery_set_error (error, ORRERY_ERROR_IO, "MuJoCo: %s", here.words);
  return fine;
}
