/* SPDX-License-Identifier: BSD-3-Clause */
#include "fuzz.h"

#include <string.h>

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

/* In JSON, numbers that are not finite become null, and then NaN: only the text stays the same. */
static void
check_again (gpointer message, gpointer again, OrreryMessageEncoding encoding)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  g_autoptr (OrreryWriter) other = orrery_writer_new ();
  gsize length, same;
  const char *written;

  g_assert_true (orrery_message_write (outer, message, encoding, writer, NULL));
  written = orrery_writer_get_data (writer, &length);
  g_assert_true (
      orrery_message_read (outer, again, encoding, (const guint8 *) written, length, NULL));
  if (encoding != ORRERY_MESSAGE_ENCODING_JSON) {
    g_assert_true (orrery_message_equal (outer, message, again));
    return;
  }
  g_assert_true (orrery_message_write (outer, again, encoding, other, NULL));
  g_assert_true (memcmp (written, orrery_writer_get_data (other, &same), length) == 0);
  g_assert_true (length == same);
}

/* Whatever the bytes, of which the first chooses the encoding: a message whose own bytes are read
 * as the same message, or an error. It is read twice, over itself and over what a part left. */
int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static const OrreryMessageEncoding encodings[] = {
    ORRERY_MESSAGE_ENCODING_CDR,
    ORRERY_MESSAGE_ENCODING_ROS1,
    ORRERY_MESSAGE_ENCODING_JSON,
    ORRERY_MESSAGE_ENCODING_CBOR,
  };
  OrreryMessageEncoding encoding = encodings[size > 0 ? data[0] & 3 : 0];
  g_autoptr (GError) error = NULL;
  gpointer message, again;
  gboolean is_read;

  if (outer == NULL) {
    inner = make ("acme/msg/B", "float64[2] pair\nstring text\nuint8[] bytes\n");
    outer = make ("acme/msg/A", TEXT);
  }
  message = orrery_message_new (outer);
  again = orrery_message_new (outer);
  for (guint i = 0; size > 0 && i < 2; i++) {
    g_clear_error (&error);
    is_read = orrery_message_read (outer, message, encoding, data + 1, size - 1, &error);
    g_assert_true (is_read == (error == NULL));
    if (is_read)
      check_again (message, again, encoding);
    orrery_message_read (outer, message, encoding, data + 1, (size - 1) / 2, NULL);
  }
  orrery_message_free (outer, message);
  orrery_message_free (outer, again);
  return 0;
}
