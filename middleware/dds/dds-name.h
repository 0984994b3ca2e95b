/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <gio/gio.h>

/* Names of ROS 2, and what DDS calls them. */

/**
 * dds_name_make_valid:
 *
 * What ROS 2 allows: letters, digits, single `_`, and `/` between parts, none of which begins with
 * a digit. A number behind a dot is joined, `robot.001` becomes `robot001`; other dots become `/`,
 * all else `_`, and `n` comes before a digit.
 *
 * Returns: (transfer full): perhaps empty
 */
char *dds_name_make_valid (const char *name);
/* The same for the name of a node, which has one part. */
char *dds_name_make_valid_part (const char *name);
/**
 * dds_name_resolve:
 * @name_space: a global name, or "/"
 * @node: global name of the node
 * @name: `/global`, `relative` to the namespace, or `~/private` of the node
 *
 * Returns: (transfer full) (nullable): the global name, made valid; NULL: nothing is left of it, or
 * it is too long
 */
char *dds_name_resolve (const char *name_space, const char *node, const char *name, GError **error);
/**
 * dds_name_of_type:
 * @type: `std_msgs/msg/String` or `std_msgs/String`
 * @kind: `msg` or `srv`, unless @type has `action` there
 * @suffix: `_`, `_Request_` or `_Response_`
 *
 * Returns: (transfer full) (nullable): `std_msgs::msg::dds_::String_`
 */
char *dds_name_of_type (const char *type, const char *kind, const char *suffix, GError **error);
