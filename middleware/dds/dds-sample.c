/* SPDX-License-Identifier: BSD-3-Clause */
/* What both sides of a service share: two topics, and how an answer names its request. */
#include "dds-node-private.h"

#include <string.h>

/* Requests that DDS keeps until the thread takes them. */
#define SERVICE_DEPTH 256

gboolean
dds_guid_is_cyclone (const DdsGuid *guid)
{
  return guid->bytes[0] == 0x01 && guid->bytes[1] == 0x10;
}

GBytes *
dds_sample_split (GBytes *sample, guint8 header[DDS_HEADER_LENGTH])
{
  gsize length, rest = DDS_ENCAPSULATION + DDS_HEADER_LENGTH;
  const guint8 *data = g_bytes_get_data (sample, &length);
  guint8 *whole;

  if (length < rest)
    return NULL;
  memcpy (header, data + DDS_ENCAPSULATION, DDS_HEADER_LENGTH);
  whole = g_malloc (length - DDS_HEADER_LENGTH);
  memcpy (whole, data, DDS_ENCAPSULATION);
  memcpy (whole + DDS_ENCAPSULATION, data + rest, length - rest);
  return g_bytes_new_take (whole, length - DDS_HEADER_LENGTH);
}

gboolean
dds_sample_write (DdsWriter *writer, GBytes *sample, const guint8 *header,
                  const DdsIdentity *related, gint64 *number)
{
  gsize length;
  const guint8 *data = g_bytes_get_data (sample, &length);
  DdsPart parts[3] = { { data, MIN (length, DDS_ENCAPSULATION) }, { header, DDS_HEADER_LENGTH } };

  if (header == NULL)
    return dds_writer_write (writer, &(DdsPart){ data, length }, 1, related, number);
  parts[2] = (DdsPart){ data + parts[0].length, length - parts[0].length };
  return dds_writer_write (writer, parts, 3, NULL, number);
}

/* Bytes with dots between, as Cyclone's layer of ROS writes them; others ignore it. */
char *
dds_context_make_id (DdsContext *context, const char *key)
{
  GString *text = g_string_new (key);
  guint number = context->n_made++;

  for (guint i = 0; i < DDS_GUID_PREFIX + 4; i++)
    g_string_append_printf (text, i > 0 ? ".%x" : "=%x",
                            i < DDS_GUID_PREFIX ? context->guid.bytes[i]
                                                : number >> 8 * (i - DDS_GUID_PREFIX) & 0xff);
  g_string_append_c (text, ';');
  return g_string_free (text, FALSE);
}

gboolean
dds_end_open_service (DdsEnd *end, const char *type, gboolean is_client,
                      const DdsEvents *writer_events, const DdsEvents *reader_events,
                      GError **error)
{
  DdsContext *context = end->node->context;
  g_autofree char *id = dds_context_make_id (context, is_client ? "clientid" : "serviceid");
  g_autofree char *request = g_strconcat ("rq", end->name, "Request", NULL);
  g_autofree char *reply = g_strconcat ("rr", end->name, "Reply", NULL);
  g_autofree char *request_type = dds_name_of_type (type, "srv", "_Request_", error);
  g_autofree char *reply_type =
      request_type != NULL ? dds_name_of_type (type, "srv", "_Response_", error) : NULL;
  DdsEndOptions options = { .user_data = id,
                            .qos = { .reliable = TRUE, .depth = SERVICE_DEPTH },
                            .data = end };

  if (reply_type == NULL)
    return FALSE;
  options.topic = is_client ? reply : request;
  options.type = is_client ? reply_type : request_type;
  options.events = reader_events;
  end->reader = dds_reader_new (context->participant, &options, error);
  if (end->reader == NULL)
    return FALSE;
  options.topic = is_client ? request : reply;
  options.type = is_client ? request_type : reply_type;
  options.events = writer_events;
  end->writer = dds_writer_new (context->participant, &options, error);
  if (end->writer == NULL)
    return FALSE;
  dds_reader_get_guid (end->reader, &end->reader_guid);
  dds_writer_get_guid (end->writer, &end->writer_guid);
  return TRUE;
}
