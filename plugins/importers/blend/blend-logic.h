/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-object.h"

/*
 * The logic bricks of an object that do something without a program: what is always in motion
 * gets a script that moves it; what a radar or a collision sensor looks for becomes properties of
 * the object, as components have them. Returns how many bricks are left out.
 */
guint blend_logic_read (const BlendObject *self, OrreryImport *import, double rate);
