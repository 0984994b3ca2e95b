/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells others which nodes a participant has, and which ends belong to which node. */
#include "dds-node-private.h"

#include <string.h>

#define GRAPH_TYPE "rmw_dds_common/msg/ParticipantEntitiesInfo"

static const OrreryMessageField *
find (const OrreryMessageType *type, const char *name, gpointer message, gpointer *place)
{
  g_autoptr (GError) error = NULL;
  gsize offset = 0;
  const OrreryMessageField *field = orrery_message_type_find (type, name, &offset, &error);

  g_assert (field != NULL);
  *place = (char *) message + offset;
  return field;
}

/* @gid: 16 bytes, or more, which stay 0 */
static void
set_gid (const OrreryMessageType *type, gpointer gid, const DdsGuid *guid)
{
  gpointer bytes;

  find (type, "data", gid, &bytes);
  memcpy (bytes, guid->bytes, sizeof guid->bytes);
}

static void
add_gid (const OrreryMessageType *type, gpointer info, const char *name, const DdsGuid *guid)
{
  gpointer place;
  const OrreryMessageField *field = find (type, name, info, &place);
  OrreryMessageArray *array = place;
  gsize size = orrery_message_type_get_size (field->type);

  orrery_message_array_resize (array, field, array->length + 1);
  set_gid (field->type, (char *) array->data + size * (array->length - 1), guid);
}

static void
set_text (const OrreryMessageType *type, gpointer info, const char *name, const char *text)
{
  gpointer place;
  const OrreryMessageField *field = find (type, name, info, &place);

  orrery_message_text_set (place, text, (gssize) MIN (strlen (text), field->text_bound));
}

/* [lock] */
static void
fill_node (DdsNode *node, const OrreryMessageType *type, gpointer info)
{
  GPtrArray *ends = node->context->ends;

  set_text (type, info, "node_namespace", node->name_space);
  set_text (type, info, "node_name", node->name);
  for (guint i = 0; i < ends->len; i++) {
    DdsEnd *end = g_ptr_array_index (ends, i);

    if (end->node != node)
      continue;
    if (end->reader != NULL)
      add_gid (type, info, "reader_gid_seq", &end->reader_guid);
    if (end->writer != NULL)
      add_gid (type, info, "writer_gid_seq", &end->writer_guid);
  }
}

static gpointer
make_message (DdsContext *context)
{
  gpointer message = orrery_message_new (context->graph_type), place;
  const OrreryMessageField *field = find (context->graph_type, "gid", message, &place);
  OrreryMessageArray *infos;
  gsize size;

  set_gid (field->type, place, &context->guid);
  field = find (context->graph_type, "node_entities_info_seq", message, &place);
  infos = place;
  size = orrery_message_type_get_size (field->type);
  g_mutex_lock (&context->lock);
  orrery_message_array_resize (infos, field, context->nodes->len);
  for (guint i = 0; i < context->nodes->len; i++)
    fill_node (g_ptr_array_index (context->nodes, i), field->type, (char *) infos->data + size * i);
  g_mutex_unlock (&context->lock);
  return message;
}

static void
on_matched (gpointer data, const DdsGuid *other, int change, guint n)
{
}

static void
on_refused (gpointer data, const char *policy)
{
}

static const DdsEvents events = { on_matched, NULL, on_refused };

gboolean
dds_graph_open (DdsContext *context, GError **error)
{
  DdsEndOptions options = { .topic = "ros_discovery_info",
                            .type = "rmw_dds_common::msg::dds_::ParticipantEntitiesInfo_",
                            .qos = { .reliable = TRUE, .transient_local = TRUE, .depth = 1 },
                            .events = &events,
                            .data = context };

  context->graph_type = orrery_message_catalogue_find (context->options.catalogue, GRAPH_TYPE,
                                                       ORRERY_MESSAGE_ROS2, error);
  if (context->graph_type == NULL)
    return FALSE;
  context->bytes = orrery_writer_new ();
  context->graph = dds_writer_new (context->participant, &options, error);
  return context->graph != NULL;
}

void
dds_graph_write (DdsContext *context)
{
  gpointer message = make_message (context);
  DdsPart part;

  orrery_writer_clear (context->bytes);
  if (orrery_message_write (context->graph_type, message, ORRERY_MESSAGE_ENCODING_CDR,
                            context->bytes, NULL)) {
    part.data = orrery_writer_get_data (context->bytes, &part.length);
    dds_writer_write (context->graph, &part, 1, NULL, NULL);
  }
  orrery_message_free (context->graph_type, message);
}

void
dds_graph_close (DdsContext *context)
{
  g_clear_pointer (&context->graph, dds_writer_free);
  g_clear_pointer (&context->bytes, orrery_writer_unref);
}
