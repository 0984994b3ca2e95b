/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: middleware/ros/tcpros-header.c middleware/ros/ros-name.c */
#include "fuzz.h"

#include "../../middleware/ros/ros-name.h"
#include "../../middleware/ros/tcpros-header.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (TcprosHeader) header = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strndup (size > 0 ? (const char *) data : "", size);
  g_autofree char *host = NULL;
  g_autofree char *name = NULL;
  guint16 port;
  gsize taken;

  header = tcpros_header_parse (data, size, &taken, &error);
  g_assert_cmpuint (taken, <=, size);
  g_assert_true ((header != NULL) == (taken > 0));
  if (header != NULL) {
    const char *topic = tcpros_header_get (header, "topic");

    g_assert_true (topic == NULL || g_utf8_validate (topic, -1, NULL));
  }
  if (ros_uri_parse (text, "http://", &host, &port))
    g_assert_cmpuint (port, >, 0);
  name = ros_name_resolve ("/field", "/field/node", text, NULL);
  g_assert_true (name == NULL || *name == '/');
  return 0;
}
