/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "expression.h"

/* Assignments of what a message says to the fields of a record. */
typedef struct _MapCommands MapCommands;

/*
 * @fields: a{sv}: an expression for each field of @record
 * @optional: whether fields that @record lacks are passed over; one it must have
 *
 * Returns: (nullable): NULL: ORRERY_ERROR_CONFIG, which names the field
 */
MapCommands *map_commands_new (OrreryRecord *record, GVariant *fields, gboolean optional,
                               MapMessage *message, GError **error);
void map_commands_free (MapCommands *commands);
/* FALSE: ORRERY_ERROR_INVALID, and the record as it was. */
gboolean map_commands_apply (const MapCommands *commands, GError **error);
