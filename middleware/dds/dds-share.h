/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "dds-node.h"

/* One context of ROS 2 for all managers of a world. Each manager's module has a copy of this code,
 * whose structs the other one uses. The functions are for the thread of the simulation. */

typedef struct _DdsShare DdsShare;

typedef struct {
  int domain;            /* -1: as the environment says */
  const char *distro;    /* (nullable): a release of ROS 2; NULL: that of the others, else jazzy */
  const char *discovery; /* (nullable): localhost, subnet or off; NULL: the environment */
  const char *interface; /* (nullable) */
  const char *peers;     /* (nullable) */
  const char *allowed_users; /* (nullable) */
  const char *name_space;    /* (nullable): of the nodes; NULL: that of the others, else none */
} DdsShareOptions;

/* @world: a GObject, to which the context belongs. Returns: (transfer full): dds_share_release() */
DdsShare *dds_share_get (gpointer world);
/* Lets go; the last one stops the context. The caller's ends were unadvertised before. */
void dds_share_release (DdsShare *share);
/* Starts the context, or checks that the one that runs has the same domain and release. */
gboolean dds_share_start (DdsShare *share, const DdsShareOptions *options, GError **error);
/* Returns: (nullable) (transfer none): %NULL: it was not started */
DdsContext *dds_share_get_context (DdsShare *share);
/* The node of a robot, or `orrery`, which is made by the first who asks. @robot: (nullable) */
DdsNode *dds_share_get_node (DdsShare *share, const char *robot, const char *name_space);
/* What is to be given there. Returns: (nullable): of the first manager that has one */
const char *dds_share_get_name_space (DdsShare *share);
/* Logs what was said since the last time, as @part in @domain; in the tick. */
void dds_share_report (DdsShare *share, gpointer part, const char *domain);
