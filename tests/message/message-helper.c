/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads lines `TYPE DIALECT FROM TO HEX-` and answers each with the message in the encoding TO, as
 * hexadecimal digits, or with `error: ` and why there is none.
 */
#include <stdio.h>
#include <string.h>

#include "message-fixture.h"
#include "message/orrery-message-encoding.h"

static GByteArray *
read_hex (const char *text)
{
  GByteArray *bytes = g_byte_array_new ();

  for (gsize i = 0; text[i] != '\0' && text[i + 1] != '\0'; i += 2) {
    guint8 byte =
        (guint8) (g_ascii_xdigit_value (text[i]) << 4 | g_ascii_xdigit_value (text[i + 1]));

    g_byte_array_append (bytes, &byte, 1);
  }
  return bytes;
}

static gboolean
answer (OrreryMessageCatalogue *catalogue, char **words, GError **error)
{
  OrreryMessageDialect dialect =
      g_str_equal (words[1], "ros1") ? ORRERY_MESSAGE_ROS1 : ORRERY_MESSAGE_ROS2;
  const OrreryMessageType *type =
      orrery_message_catalogue_find (catalogue, words[0], dialect, error);
  g_autoptr (GByteArray) bytes = read_hex (words[4]);
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  OrreryMessageEncoding from, to;
  const char *data;
  gpointer message;
  gboolean is_right;
  gsize length;

  if (type == NULL)
    return FALSE;
  g_assert_true (orrery_message_encoding_from_name (words[2], &from));
  g_assert_true (orrery_message_encoding_from_name (words[3], &to));
  message = orrery_message_new (type);
  is_right = orrery_message_read (type, message, from, bytes->data, bytes->len, error) &&
             orrery_message_write (type, message, to, writer, error);
  orrery_message_free (type, message);
  data = orrery_writer_get_data (writer, &length);
  for (gsize i = 0; is_right && i < length; i++)
    printf ("%02x", (guint8) data[i]);
  return is_right;
}

int
main (void)
{
  g_autoptr (OrreryMessageCatalogue) catalogue = definitions_open (NULL, NULL);
  char *line = NULL;
  gsize size = 0;

  while (getline (&line, &size, stdin) > 0) {
    g_auto (GStrv) words = g_strsplit (g_strchomp (line), " ", 5);
    g_autoptr (GError) error = NULL;

    if (g_strv_length (words) == 5 && !answer (catalogue, words, &error))
      printf ("error: %s", error->message);
    printf ("\n");
    fflush (stdout);
  }
  free (line);
  return 0;
}
