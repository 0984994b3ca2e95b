/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-types.h"

G_BEGIN_DECLS

/* What users may name. */
typedef enum {
  ORRERY_NAME_OBJECT,
  ORRERY_NAME_STATE,
  ORRERY_NAME_OF_LOG_LEVEL,
  ORRERY_N_NAMES,
} OrreryNameKind;

/* Whether it is a name: neither too long, nor with characters that could forge a line of the log or
 * a sequence of a terminal. FALSE with CONFIG for what files name, INVALID for what clients do. */
gboolean orrery_name_check (OrreryNameKind kind, const char *name, GError **error);

G_END_DECLS
