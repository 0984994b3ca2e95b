/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-message.h"

G_BEGIN_DECLS

/* Room of at least @size bytes that lives with the reader, for a decoder that works before it
 * commits; a second call may move it. Its content is undefined. */
gpointer orrery_reader_get_scratch (OrreryReader *reader, gsize size);

G_END_DECLS
