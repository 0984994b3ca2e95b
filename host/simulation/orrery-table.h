/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "simulation/orrery-simulation.h"

G_BEGIN_DECLS

/**
 * OrreryTable:
 *
 * Numbers of many components at once: a row for each component, a column for each field. The fields
 * are looked up once. Thread of the simulation.
 */
#define ORRERY_TYPE_TABLE (orrery_table_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryTable, orrery_table, ORRERY, TABLE, GObject)

/**
 * orrery_table_new: (constructor)
 * @simulation: a simulation
 * @components: (array zero-terminated=1): full names
 * @fields: (array zero-terminated=1): fields that all of them have: numbers, true or false, times;
 *   `timestamp`; of a vec3, euler or quat one part, as `position.x`
 * @error: return location
 *
 * Looks up each field of each component once, so that reading is cheap. The table holds the
 * records: it may be read after the simulation has opened another scene, and then does not change
 * any more.
 *
 * Returns: (transfer full): the table, or %NULL with %ORRERY_ERROR_NOT_FOUND: no such component or
 *   field, %ORRERY_ERROR_INVALID: a field that is no number
 */
ORRERY_API OrreryTable *orrery_table_new (OrrerySimulation *simulation,
                                          const char *const *components, const char *const *fields,
                                          GError **error);
/**
 * orrery_table_read:
 * @table: a table
 *
 * A new buffer in each call: the next tick does not change it. Rows are in the order of the
 * components and columns in that of the fields that the table was made with.
 *
 * Returns: (transfer full): the records as they are now: doubles, components times fields; true is
 *   1, times are seconds
 */
ORRERY_API OrreryBuffer *orrery_table_read (OrreryTable *table);

G_END_DECLS
