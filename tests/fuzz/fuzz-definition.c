/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include "base/orrery-error.h"
#include "message/orrery-message-type-private.h"

static const OrreryMessageType *
find_none (gpointer data, const char *name, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_NOT_FOUND, "no type %s", name);
  return NULL;
}

/* Whatever the text: as many parts as asked for, whose types can be laid out, or an error with its
 * place. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = size > 0 ? g_strndup ((const char *) data, size) : g_strdup ("");
  guint n_parts = size > 0 ? 1 + data[0] % 3 : 1;
  OrreryMessageDialect dialect =
      size > 1 && (data[1] & 1) ? ORRERY_MESSAGE_ROS1 : ORRERY_MESSAGE_ROS2;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) parts =
      orrery_message_definition_parse (text, "f", "acme", dialect, n_parts, &error);

  g_assert_true ((parts == NULL) == (error != NULL));
  if (parts == NULL)
    return 0;
  g_assert_cmpuint (parts->len, ==, n_parts);
  while (parts->len > 0) {
    g_autoptr (GError) refused = NULL;
    OrreryMessageType *type =
        orrery_message_type_new ("acme/msg/A", dialect, g_ptr_array_steal_index (parts, 0), "f",
                                 find_none, NULL, &refused);

    g_assert_true ((type == NULL) == (refused != NULL));
    if (type != NULL)
      g_assert_cmpuint (strlen (orrery_message_type_get_md5 (type)), ==, 32);
    orrery_message_type_free (type);
  }
  return 0;
}
