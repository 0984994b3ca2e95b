/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "drawing.h"

/* The lights of a scene that is laid about the camera: the lamps that are on, nearest first. */
void light_place (const Drawing *drawing, OrreryWorld *world, OrrerySnapshot *snapshot,
                  const OrreryView *view, mjvScene *scene);
