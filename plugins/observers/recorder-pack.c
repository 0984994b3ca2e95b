/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of Foxglove's kinds in CDR. */
#include "recorder-pack.h"

#include <string.h>

struct _RecorderPack {
  OrreryMessageCatalogue *catalogue;
  const OrreryMessageType *type; /* of the catalogue */
  gpointer message;
  OrreryWriter *out;
};

RecorderPack *
recorder_pack_new (const char *name, GError **error)
{
  g_auto (GStrv) directories = orrery_list_message_directories ();
  RecorderPack *pack = g_new0 (RecorderPack, 1);
  g_autofree char *full = g_strconcat ("foxglove_msgs/msg/", name + strlen ("foxglove."), NULL);

  pack->catalogue = orrery_message_catalogue_new ((const char *const *) directories, NULL);
  pack->type = orrery_message_catalogue_find (pack->catalogue, full, ORRERY_MESSAGE_ROS2, error);
  if (pack->type == NULL) {
    recorder_pack_free (pack);
    return NULL;
  }
  pack->message = orrery_message_new (pack->type);
  pack->out = orrery_writer_new ();
  return pack;
}

void
recorder_pack_free (RecorderPack *pack)
{
  if (pack->message != NULL)
    orrery_message_free (pack->type, pack->message);
  g_clear_pointer (&pack->out, orrery_writer_unref);
  orrery_message_catalogue_unref (pack->catalogue);
  g_free (pack);
}

const char *
recorder_pack_get_name (const RecorderPack *pack)
{
  return orrery_message_type_get_name (pack->type);
}

const char *
recorder_pack_get_schema (const RecorderPack *pack)
{
  return orrery_message_type_get_definition (pack->type);
}

const char *
recorder_pack_make (RecorderPack *pack, OrreryWriter *json, const char *field, gconstpointer data,
                    gsize n, gsize *length, GError **error)
{
  OrreryMessageArray *array, own;
  gboolean made;
  gsize size, offset;
  const char *text = orrery_writer_get_data (json, &size);

  if (orrery_message_type_find (pack->type, field, &offset, error) == NULL ||
      !orrery_message_read (pack->type, pack->message, ORRERY_MESSAGE_ENCODING_JSON,
                            (const guint8 *) text, size, error))
    return NULL;
  /* Borrowed while the message is written: nothing is copied but into the bytes. */
  array = (OrreryMessageArray *) (gpointer) ((char *) pack->message + offset);
  own = *array;
  *array = (OrreryMessageArray){ .data = (gpointer) data, .length = n };
  orrery_writer_clear (pack->out);
  made = orrery_message_write (pack->type, pack->message, ORRERY_MESSAGE_ENCODING_CDR, pack->out,
                               error);
  *array = own;
  return made ? orrery_writer_get_data (pack->out, length) : NULL;
}
