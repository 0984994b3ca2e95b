/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-schema.h"

/* Bytes of fields that lie side by side and own nothing */
typedef struct {
  gsize offset;
  gsize size;
} OrrerySpan;

/* What a struct consists of, so that most records are copied at once, and not field by field. */
typedef struct {
  OrrerySpan *spans;
  guint n_spans;
  const OrreryField **owners; /* fields that own something */
  guint n_owners;
} OrreryLayout;

const OrreryLayout *orrery_schema_get_layout (OrrerySchema *schema);
