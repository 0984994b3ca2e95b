/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * Says once, at setup, that a modifier of coordinates finds nothing to change on its component:
 * MORSE warns, too, and the run goes on (its catalogue, 4.1). @needed: `field 'x'`.
 */
static inline void
lack (OrreryPart *modifier, const char *needed)
{
  orrery_part_warning (modifier,
                       "%s changes nothing: the record has no %s; put it on a component that has, "
                       "or take it away",
                       orrery_part_get_classpath (modifier), needed);
}
