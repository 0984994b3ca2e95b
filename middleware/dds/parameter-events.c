/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells programs of ROS 2 which parameters of a node were set. */
#include "parameter-events.h"

#include "../message/variant.h"

#define EVENT "rcl_interfaces/msg/ParameterEvent"
/* As other nodes have it. */
#define DEPTH 1000

struct _Ros2ParameterEvents {
  DdsPublisher *publisher;
  const OrreryMessageType *type;
  OrreryWriter *writer;
  char *node;
};

Ros2ParameterEvents *
ros2_parameter_events_new (DdsNode *node, OrreryMessageCatalogue *messages, GError **error)
{
  DdsTopic described = { "/parameter_events", EVENT, NULL, { FALSE, FALSE, DEPTH } };
  const OrreryMessageType *type =
      orrery_message_catalogue_find (messages, EVENT, ORRERY_MESSAGE_ROS2, error);
  Ros2ParameterEvents *self;
  DdsPublisher *publisher;

  if (type == NULL)
    return NULL;
  described.hash = orrery_message_type_get_hash (type);
  publisher = dds_node_advertise (node, &described, DEPTH, NULL, NULL, error);
  if (publisher == NULL)
    return NULL;
  self = g_new0 (Ros2ParameterEvents, 1);
  *self = (Ros2ParameterEvents){ publisher, type, orrery_writer_new (),
                                 g_strdup (dds_node_get_name (node)) };
  return self;
}

void
ros2_parameter_events_free (Ros2ParameterEvents *events)
{
  dds_publisher_unadvertise (events->publisher);
  orrery_writer_unref (events->writer);
  g_free (events->node);
  g_free (events);
}

gboolean
ros2_parameter_events_send (Ros2ParameterEvents *events, OrreryTime time, GVariant *parameter,
                            GError **error)
{
  gpointer message = orrery_message_new (events->type);
  GVariant *changed = g_variant_new_variant (parameter);
  g_autoptr (GVariant) value = NULL;
  GVariantDict dict;
  gboolean fits;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "stamp", "t", (guint64) time);
  g_variant_dict_insert (&dict, "node", "s", events->node);
  g_variant_dict_insert_value (&dict, "changed_parameters",
                               g_variant_new_array (G_VARIANT_TYPE_VARIANT, &changed, 1));
  value = g_variant_ref_sink (g_variant_dict_end (&dict));
  orrery_writer_clear (events->writer);
  fits = message_from_variant (events->type, message, value, error) &&
         orrery_message_write (events->type, message, ORRERY_MESSAGE_ENCODING_CDR, events->writer,
                               error);
  if (fits) {
    gsize length;
    const char *data = orrery_writer_get_data (events->writer, &length);

    dds_publisher_send (events->publisher, data, length);
  }
  orrery_message_free (events->type, message);
  return fits;
}
