/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* A GHashFunc for texts that come from outside: keyed by a secret of this process, so that nobody
 * can write texts that collide. The order of a table differs from run to run: no result may depend
 * on it. */
guint orrery_text_hash (gconstpointer text);

G_END_DECLS
