/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Has MuJoCo compile a model, in no more memory than that takes. */

#include "model.h"

#define COMPILE_WORDS 1000

/* Writes the element that says how much room MuJoCo has to try the model. */
void compile_add_sizes (GString *xml, GPtrArray *things, guint n_geoms);

/* Returns: (transfer full): the model, or NULL with what MuJoCo has against it in @words, one line
 */
mjModel *compile_xml (const char *xml, char words[COMPILE_WORDS]);
