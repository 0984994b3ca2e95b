/* SPDX-License-Identifier: BSD-3-Clause */
/* sources: host/base host/text host/record host/message */
#include "fuzz.h"

#include "base/orrery-error.h"
#include "message/orrery-message-encoding.h"
#include "message/orrery-message-type-private.h"

#define TEXT                                                                                       \
  "uint8 flag\nfloat64 x\nstring name\nint16[3] small\nfloat32[] list\nstring[<=2] words\n"        \
  "bool[] bits\nB[] inside\nB one\nstring<=4 bound\n"

static OrreryMessageType *inner, *outer;

static const OrreryMessageType *
find_inner (gpointer data, const char *name, GError **error)
{
  return inner;
}

static OrreryMessageType *
make (const char *name, const char *text)
{
  g_autoptr (GPtrArray) parts =
      orrery_message_definition_parse (text, "f", "acme", ORRERY_MESSAGE_ROS2, 1, NULL);

  return orrery_message_type_new (name, ORRERY_MESSAGE_ROS2, g_ptr_array_steal_index (parts, 0),
                                  "f", find_inner, NULL, NULL);
}

/* Whatever the bytes: a message whose own bytes are read as the same message, or an error. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  OrreryMessageEncoding encoding =
      size > 0 && (data[0] & 1) ? ORRERY_MESSAGE_ENCODING_ROS1 : ORRERY_MESSAGE_ENCODING_CDR;
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (GError) error = NULL;
  gpointer message, again;
  const char *written;
  gboolean is_read;
  gsize length;

  if (outer == NULL) {
    inner = make ("acme/msg/B", "float64[2] pair\nstring text\nuint8[] bytes\n");
    outer = make ("acme/msg/A", TEXT);
  }
  message = orrery_message_new (outer);
  again = orrery_message_new (outer);
  is_read = size > 0 && orrery_message_read (outer, message, encoding, data + 1, size - 1, &error);
  g_assert_true (size == 0 || is_read == (error == NULL));
  if (is_read) {
    g_assert_true (orrery_message_write (outer, message, encoding, writer, NULL));
    written = orrery_writer_get_data (writer, &length);
    g_assert_true (
        orrery_message_read (outer, again, encoding, (const guint8 *) written, length, NULL));
    g_assert_true (orrery_message_equal (outer, message, again));
  }
  orrery_message_free (outer, message);
  orrery_message_free (outer, again);
  return 0;
}
