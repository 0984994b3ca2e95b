/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts of records, and times from seconds and to seconds. */
#include "base/orrery-types.h"

#include <math.h>
#include <string.h>

#define TEXT_MIN_ROOM 16

static void
text_grow (OrreryText *text, gsize needed)
{
  gsize room = TEXT_MIN_ROOM;

  while (room < needed)
    room *= 2;
  /* The old text is not wanted any more, so it need not be copied. */
  g_free (text->str);
  text->str = g_malloc (room);
  text->allocated = room;
}

void
orrery_text_set (OrreryText *text, const char *value)
{
  g_return_if_fail (text != NULL);

  if (value == NULL)
    value = "";

  gsize needed = strlen (value) + 1;
  /* A part of the text itself always fits, so growing never frees what it reads. */
  if (needed > text->allocated)
    text_grow (text, needed);
  memmove (text->str, value, needed);
}

const char *
orrery_text_get (const OrreryText *text)
{
  return text->str != NULL ? text->str : "";
}

OrreryTime
orrery_time_from_seconds (double seconds)
{
  g_return_val_if_fail (fabs (seconds) <= 9.2e9, 0);

  /* Whole and fraction apart: the product of a large time with 1e9 would lose digits. */
  double whole = trunc (seconds);
  return (OrreryTime) whole * ORRERY_SECOND + llround ((seconds - whole) * 1e9);
}

double
orrery_time_to_seconds (OrreryTime time)
{
  return (double) (time / ORRERY_SECOND) + (double) (time % ORRERY_SECOND) / 1e9;
}
