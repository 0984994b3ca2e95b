/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "expression.h"

/* Assignments of values to the fields of a message. */
typedef struct _MapFields MapFields;

/*
 * @type: of the message that is filled
 * @fields: a{sv}: a value for each path: a number, a truth value, an expression (a text), a list
 *   of values, a dictionary of fields
 *
 * Returns: (nullable): NULL: ORRERY_ERROR_CONFIG, which names the path
 */
MapFields *map_fields_new (const OrreryMessageType *type, GVariant *fields, MapSources *sources,
                           GError **error);
void map_fields_free (MapFields *fields);
/* Writes all fields; texts and numbers may be borrowed from what they were read from. */
gboolean map_fields_fill (const MapFields *fields, gpointer message, GError **error);
/* Whether a field of this path, or of a path below it, is assigned. */
gboolean map_fields_have (const MapFields *fields, const char *path);

/* geometry_msgs/Vector3, Point and the like; Quaternion; builtin_interfaces/Time and Duration. */
gboolean map_type_is_vector (const OrreryMessageType *type);
gboolean map_type_is_quaternion (const OrreryMessageType *type);
gboolean map_type_is_time (const OrreryMessageType *type);
