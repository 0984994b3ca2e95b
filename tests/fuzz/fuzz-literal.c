/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include "fuzz-node.h"
#include "text/orrery-node.h"

/* Whatever the file: a dictionary, or an error with its place; what is read survives as JSON. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) node = orrery_node_parse_python ((const char *) data, size, "f", &error);

  fuzz_check_node (node, error);
  if (node != NULL)
    g_assert_cmpint (orrery_node_get_kind (node), ==, ORRERY_NODE_DICT);
  return 0;
}
