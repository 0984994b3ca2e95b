/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects everything that is wrong with a scene, so that one error reports it all. */
#include "text/orrery-problems-private.h"

#include "base/orrery-escape.h"

#define MAX_TOLD 20
/* From here on nobody shows them. */
#define MANY 1000

void
orrery_problems_init (OrreryProblems *problems)
{
  *problems = (OrreryProblems){ .lines = g_ptr_array_new_with_free_func (g_free), .code = -1 };
}

void
orrery_problems_clear (OrreryProblems *problems)
{
  g_clear_pointer (&problems->lines, g_ptr_array_unref);
}

static void
keep_line (OrreryProblems *problems, const char *message)
{
  /* A name that was cut may end in the middle of a character. */
  g_autofree char *valid = g_utf8_make_valid (message, -1);
  g_autofree char *line = orrery_escape_text (valid, TRUE);

  if (g_ptr_array_find_with_equal_func (problems->lines, line, g_str_equal, NULL))
    return;
  if (problems->lines->len < MAX_TOLD)
    g_ptr_array_add (problems->lines, g_steal_pointer (&line));
  problems->n_lines++;
}

void
orrery_problems_take (OrreryProblems *problems, GError *error)
{
  int code = error->domain == ORRERY_ERROR ? error->code : (int) ORRERY_ERROR_IO;

  /* An invalid value is an error of the file that gives it. */
  if (code == ORRERY_ERROR_INVALID)
    code = ORRERY_ERROR_CONFIG;
  /* An error in a file takes precedence over names that are not found. */
  if (problems->code < 0 || code == ORRERY_ERROR_CONFIG)
    problems->code = code;
  keep_line (problems, error->message);
  problems->n++;
  g_error_free (error);
}

gboolean
orrery_problems_are_many (const OrreryProblems *problems)
{
  return problems->n_lines >= MANY;
}

void
orrery_problems_count (OrreryProblems *problems)
{
  problems->code = ORRERY_ERROR_CONFIG;
  problems->n_lines++;
  problems->n++;
}

gboolean
orrery_problems_report (OrreryProblems *problems, GError **error)
{
  g_autofree char *text = NULL;

  if (problems->n == 0)
    return TRUE;
  if (problems->n_lines > MAX_TOLD)
    g_ptr_array_add (problems->lines,
                     g_strdup_printf ("... and %u more", problems->n_lines - MAX_TOLD));
  g_ptr_array_add (problems->lines, NULL);
  text = g_strjoinv ("\n", (char **) problems->lines->pdata);
  g_set_error_literal (error, ORRERY_ERROR, problems->code, text);
  return FALSE;
}
