/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>
#include <string.h>

/*
 * Fails unless @message begins with the first word of @words and has the others after it, in their
 * order: the place, what was found, what was expected. The words between them may change.
 */
static inline void
assert_words (const char *message, const char *words)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);
  const char *rest = message;

  for (guint i = 0; rest != NULL && list[i] != NULL; i++) {
    rest = i == 0 ? (g_str_has_prefix (rest, list[i]) ? rest : NULL) : strstr (rest, list[i]);
    if (rest != NULL)
      rest += strlen (list[i]);
  }
  if (rest == NULL)
    g_test_message ("'%s' has not the words '%s'", message != NULL ? message : "(none)", words);
  g_assert_nonnull (rest);
}
