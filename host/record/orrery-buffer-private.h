/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-buffer.h"

G_BEGIN_DECLS

/* The header of a buffer, also as bytes between processes; without dimensions there is none. */
typedef struct {
  gsize element; /* an OrreryElement */
  gsize n_dimensions;
  gsize shape[ORRERY_BUFFER_MAX_DIMENSIONS];
} OrreryBufferForm;

/* @buffer: (nullable) */
OrreryBufferForm orrery_buffer_get_form (OrreryBuffer *buffer);
/* Returns: @present (nullable) where it has that form and nobody else has it; otherwise a new
 * buffer, or NULL for want of memory. */
OrreryBuffer *orrery_buffer_find_room (OrreryBuffer *present, const OrreryBufferForm *form);
/* Takes the room that was found for *@place. */
void orrery_buffer_swap (OrreryBuffer **place, OrreryBuffer *room);

G_END_DECLS
