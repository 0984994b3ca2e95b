/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * What a joint moves in one step, as MORSE's do: nothing within @tolerance of its goal, else a full
 * step of @reach in the sense of @error, so that it ends at most @tolerance off. A step that is
 * larger than twice the tolerance could swing about the goal for ever: there the last one ends at
 * the goal.
 */
double full_step (double error, double reach, double tolerance);
