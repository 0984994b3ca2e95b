/* SPDX-License-Identifier: BSD-3-Clause */
/* What a part gets from outside by a way of its own: kept in a run, given back in a replay. */
#include "part/orrery-part-private.h"

#include "world/orrery-world-private.h"

const guint8 *
orrery_part_take_input (OrreryPart *self, OrreryTick *tick, const guint8 *data, gsize size,
                        gsize *taken)
{
  g_return_val_if_fail (ORRERY_IS_PART (self), NULL);
  g_return_val_if_fail (tick != NULL, NULL);
  g_return_val_if_fail (data != NULL || size == 0, NULL);
  g_return_val_if_fail (taken != NULL, NULL);

  if (G_UNLIKELY (tick->take != NULL))
    return tick->take (tick->take_host, orrery_part_get_name (self), 0, data, size, taken);
  *taken = size;
  return size > 0 ? data : NULL;
}
