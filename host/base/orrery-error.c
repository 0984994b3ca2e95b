/* SPDX-License-Identifier: BSD-3-Clause */
/* The error domain, and names that are near to one that was not found. */
#include "base/orrery-error.h"
#include "base/orrery-error-private.h"
#include "base/orrery-escape.h"

#include <gio/gio.h>
#include <string.h>

#define MAX_NEAR 3
#define MAX_LISTED 8
/* A name that is longer than this comes from no catalogue; comparing it would cost its square. */
#define MAX_COMPARED 255
/* Shorter texts are part of too many names to mean anything. */
#define MIN_CONTAINED 3

GQuark
orrery_error_quark (void)
{
  return g_quark_from_static_string ("orrery-error");
}

gboolean
orrery_prefix_error (GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list args;

  va_start (args, format);
  words = g_strdup_vprintf (format, args);
  va_end (args);
  g_prefix_error (error, "%s", words);
  return FALSE;
}

static int
own_exit_code (int code)
{
  switch (code) {
  case ORRERY_ERROR_CONFIG:
  case ORRERY_ERROR_INVALID:
    return 65;
  case ORRERY_ERROR_NO_FILE:
    return 66;
  case ORRERY_ERROR_NOT_FOUND:
  case ORRERY_ERROR_PLUGIN:
    return 69;
  case ORRERY_ERROR_IO:
    return 74;
  default:
    return 70;
  }
}

gboolean
orrery_set_error (GError **error, OrreryError code, const char *format, ...)
{
  g_autofree char *message = NULL;
  g_autofree char *escaped = NULL;
  va_list arguments;

  va_start (arguments, format);
  message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  escaped = orrery_escape_text (message, TRUE);
  g_set_error_literal (error, ORRERY_ERROR, (int) code, escaped);
  return FALSE;
}

int
orrery_error_get_exit_code (const GError *error)
{
  g_return_val_if_fail (error != NULL, 70);

  if (error->domain == ORRERY_ERROR)
    return own_exit_code (error->code);
  if (error->domain == G_THREAD_ERROR)
    return 71;
  if (error->domain == G_FILE_ERROR)
    return error->code == G_FILE_ERROR_NOENT ? 66 : 74;
  if (error->domain == G_IO_ERROR)
    return error->code == G_IO_ERROR_NOT_FOUND ? 66 : 74;
  return 70;
}

static guint
replacement_cost (char a, char b)
{
  return g_ascii_tolower (a) == g_ascii_tolower (b) ? 0 : 1;
}

/* Damerau and Levenshtein, restricted to one change per place ("optimal string alignment"):
 * Boytsov, Indexing methods for approximate dictionary searching, JEA 16 (2011). */
static guint
distance (const char *a, gsize a_length, const char *b, gsize b_length)
{
  guint rows[3][MAX_COMPARED + 1];
  guint *before = rows[0], *last = rows[1], *row = rows[2];

  for (gsize j = 0; j <= b_length; j++)
    last[j] = j;
  for (gsize i = 1; i <= a_length; i++) {
    guint *free_row = before;

    row[0] = i;
    for (gsize j = 1; j <= b_length; j++) {
      row[j] =
          MIN (MIN (last[j], row[j - 1]) + 1, last[j - 1] + replacement_cost (a[i - 1], b[j - 1]));
      if (i > 1 && j > 1 && replacement_cost (a[i - 1], b[j - 2]) == 0 &&
          replacement_cost (a[i - 2], b[j - 1]) == 0)
        row[j] = MIN (row[j], before[j - 2] + 1);
    }
    before = last;
    last = row;
    row = free_row;
  }
  return last[b_length];
}

static gboolean
is_last_element (const char *whole, const char *part)
{
  const char *dot = strrchr (whole, '.');

  return dot != NULL && g_ascii_strcasecmp (dot + 1, part) == 0;
}

static gboolean
contains (const char *whole, const char *part)
{
  gsize length = strlen (part);

  if (length < MIN_CONTAINED)
    return FALSE;
  for (; strlen (whole) >= length; whole++)
    if (g_ascii_strncasecmp (whole, part, length) == 0)
      return TRUE;
  return FALSE;
}

/* The lower the nearer; G_MAXUINT for what does not resemble. */
static guint
rank (const char *name, const char *other)
{
  gsize length = strlen (name), other_length = strlen (other);
  guint limit = MAX (1, length / 3);

  if (length > MAX_COMPARED || other_length > MAX_COMPARED)
    return G_MAXUINT;
  /* Two names of which every letter differs are not near, however short. */
  guint between = distance (name, length, other, other_length);
  if (between <= limit && between < MAX (length, other_length))
    return between;
  if (is_last_element (name, other) || is_last_element (other, name))
    return 1;
  if (contains (name, other) || contains (other, name))
    return limit + 1;
  return G_MAXUINT;
}

/* Puts @other behind all that are as near or nearer. */
static void
insert_near (const char **near_names, guint *ranks, const char *other, guint its_rank)
{
  guint place = MAX_NEAR;

  for (guint i = 0; i < MAX_NEAR; i++)
    if (near_names[i] != NULL && strcmp (near_names[i], other) == 0)
      return;
  while (place > 0 && (near_names[place - 1] == NULL || ranks[place - 1] > its_rank))
    place--;
  if (place == MAX_NEAR)
    return;
  for (guint i = MAX_NEAR - 1; i > place; i--) {
    near_names[i] = near_names[i - 1];
    ranks[i] = ranks[i - 1];
  }
  near_names[place] = other;
  ranks[place] = its_rank;
}

static char *
did_you_mean (const char *const *near_names)
{
  if (near_names[1] == NULL)
    return g_strdup_printf ("; did you mean %s", near_names[0]);
  if (near_names[2] == NULL)
    return g_strdup_printf ("; did you mean %s or %s", near_names[0], near_names[1]);
  return g_strdup_printf ("; did you mean %s, %s or %s", near_names[0], near_names[1],
                          near_names[2]);
}

static char *
there_is (const char *const *names)
{
  GString *words = g_string_new ("; there is: ");

  for (guint i = 0; names[i] != NULL && i <= MAX_LISTED; i++) {
    if (i > 0)
      g_string_append (words, ", ");
    g_string_append (words, i < MAX_LISTED ? names[i] : "...");
  }
  return g_string_free (words, FALSE);
}

/* Fills @near_names, which is empty, with those that resemble @name. */
static void
collect_near (const char *name, const char *const *names, const char **near_names)
{
  guint ranks[MAX_NEAR] = { 0 };

  for (guint i = 0; names[i] != NULL; i++) {
    guint its_rank = rank (name, names[i]);

    if (its_rank != G_MAXUINT)
      insert_near (near_names, ranks, names[i], its_rank);
  }
}

char **
orrery_find_near_names (const char *name, const char *const *names)
{
  const char *near_names[MAX_NEAR + 1] = { NULL };

  g_return_val_if_fail (name != NULL && names != NULL, NULL);

  collect_near (name, names, near_names);
  return g_strdupv ((char **) near_names);
}

char *
orrery_nearest_names (const char *name, const char *const *names)
{
  const char *near_names[MAX_NEAR] = { NULL };

  g_return_val_if_fail (name != NULL, NULL);

  if (names == NULL || names[0] == NULL)
    return g_strdup ("");
  collect_near (name, names, near_names);
  return near_names[0] != NULL ? did_you_mean (near_names) : there_is (names);
}
