/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * Messages of one of Foxglove's kinds as ROS 2 has them, in CDR with a schema of the encoding
 * ros2msg. They are made of the same JSON as others, but for the field with much in it, which goes
 * as it is.
 */
typedef struct _RecorderPack RecorderPack;

/* @name: "foxglove.RawImage". NULL with an error: there is no definition of it */
RecorderPack *recorder_pack_new (const char *name, GError **error);
void recorder_pack_free (RecorderPack *pack);
/* "foxglove_msgs/msg/RawImage", and its definition */
const char *recorder_pack_get_name (const RecorderPack *pack);
const char *recorder_pack_get_schema (const RecorderPack *pack);
/* @json: a message without @field. @data: its @n elements. Returns: the message, until the next
 * one, or NULL with an error */
const char *recorder_pack_make (RecorderPack *pack, OrreryWriter *json, const char *field,
                                gconstpointer data, gsize n, gsize *length, GError **error);
