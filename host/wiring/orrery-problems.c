/* SPDX-License-Identifier: BSD-3-Clause */
#include "wiring/orrery-problems-private.h"

#define MAX_TOLD 20

void
orrery_problems_init (OrreryProblems *problems)
{
  *problems = (OrreryProblems){ .text = g_string_new (NULL), .code = -1 };
}

void
orrery_problems_clear (OrreryProblems *problems)
{
  g_string_free (problems->text, TRUE);
  problems->text = NULL;
}

void
orrery_problems_take (OrreryProblems *problems, GError *error)
{
  int code = error->domain == ORRERY_ERROR ? error->code : (int) ORRERY_ERROR_IO;

  /* A value that a file gives is that file's mistake. */
  if (code == ORRERY_ERROR_INVALID)
    code = ORRERY_ERROR_CONFIG;
  /* One mistake in a file outweighs names that are not found. */
  if (problems->code < 0 || code == ORRERY_ERROR_CONFIG)
    problems->code = code;
  if (problems->n < MAX_TOLD)
    g_string_append_printf (problems->text, "%s%s", problems->n > 0 ? "\n" : "", error->message);
  problems->n++;
  g_error_free (error);
}

gboolean
orrery_problems_report (OrreryProblems *problems, GError **error)
{
  if (problems->n == 0)
    return TRUE;
  if (problems->n > MAX_TOLD)
    g_string_append_printf (problems->text, "\n... and %u more", problems->n - MAX_TOLD);
  g_set_error_literal (error, ORRERY_ERROR, problems->code, problems->text->str);
  return FALSE;
}
