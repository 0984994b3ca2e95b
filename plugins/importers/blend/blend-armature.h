/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "blend-object.h"

/*
 * Adds the bones of an armature as objects below it, each below the bone that carries it. A bone
 * moves as MORSE's armatures do: along its first free axis if it stretches, else about it; one with
 * no free axis is fixed. Its y axis goes along it; its property `tip` is where it ends. FALSE: it
 * has too many.
 */
gboolean blend_armature_read (BlendObject *self, OrreryImport *import, GError **error);
/* Finds the bone that carries another object of the file, and its pose in the world; NULL: none
 * does. */
const BlendBone *blend_armature_find (const BlendObject *self, const char *name);
