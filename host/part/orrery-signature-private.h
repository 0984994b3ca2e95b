/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "part/orrery-service.h"

/* One argument of a service: `name:type[=default]`. */
typedef struct {
  char *name;
  GVariantType *type;
  GVariant *fallback; /* NULL: must be given */
} OrreryArgument;

/* Returns: (element-type OrreryArgument): the arguments, or NULL where the signature is none. */
GPtrArray *orrery_signature_parse (const char *signature, GError **error);
/* The same for calls, which ask again and again: it is parsed once in this process. Not to be
 * changed. Any thread. */
GPtrArray *orrery_signature_find (const char *signature, GError **error);
