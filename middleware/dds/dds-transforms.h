/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-node.h"

/* The transforms that several streams write, as one tf2_msgs/TFMessage. For one thread. */

typedef struct _DdsTransforms DdsTransforms;

/* @keeps: also those that were sent: a later one with the same child takes the place of the former,
 * as on /tf_static */
DdsTransforms *dds_transforms_new (const OrreryMessageType *type, gboolean keeps);
void dds_transforms_free (DdsTransforms *transforms);
/* Adds those of a message in CDR. */
gboolean dds_transforms_add (DdsTransforms *transforms, const char *data, gsize length,
                             GError **error);
/* Sends what was added since the last time, if anything was. */
void dds_transforms_send (DdsTransforms *transforms, DdsPublisher *publisher);
