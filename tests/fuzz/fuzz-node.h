/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <stdio.h>

#include "base/orrery-error.h"
#include "base/orrery-message.h"
#include "text/orrery-node.h"

static inline void
fuzz_write_node (OrreryNode *node, OrreryWriter *writer)
{
  g_autoptr (GVariant) value = orrery_node_to_variant (node);

  orrery_writer_append_json_variant (writer, value);
}

/* A node that is written and read again gives the same text. */
static inline void
fuzz_check_round_trip (OrreryNode *node)
{
  g_autoptr (OrreryWriter) first = orrery_writer_new ();
  g_autoptr (OrreryWriter) second = orrery_writer_new ();
  g_autoptr (OrreryNode) again = NULL;
  gsize first_length, second_length;

  fuzz_write_node (node, first);
  orrery_writer_get_data (first, &first_length);
  again = orrery_node_parse_json (orrery_writer_get_data (first, NULL), first_length, "g", NULL);
  g_assert_nonnull (again);
  fuzz_write_node (again, second);
  orrery_writer_get_data (second, &second_length);
  g_assert_cmpmem (orrery_writer_get_data (first, NULL), first_length,
                   orrery_writer_get_data (second, NULL), second_length);
}

/* Of a file named f: a value or an error, never both; an error says where. */
static inline void
fuzz_check_node (OrreryNode *node, const GError *error)
{
  guint line, column;

  g_assert_true ((node == NULL) != (error == NULL));
  if (node != NULL) {
    fuzz_check_round_trip (node);
    return;
  }
  g_assert_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG);
  g_assert_cmpint (sscanf (error->message, "f:%u:%u: ", &line, &column), ==, 2);
  g_assert_true (line >= 1 && column >= 1);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}
