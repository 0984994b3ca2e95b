/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Names of ROS 1: `/global`, `relative` to the namespace, `~private` of the node. */

/**
 * ros_name_resolve:
 * @name_space: a global name, or "/"
 * @node: global name of the node
 *
 * Returns: (transfer full) (nullable): the global name
 */
char *ros_name_resolve (const char *name_space, const char *node, const char *name, GError **error);
/* http://HOST:PORT or rosrpc://HOST:PORT, with or without a path. @host: (out) (transfer full) */
gboolean ros_uri_parse (const char *uri, const char *scheme, char **host, guint16 *port);
