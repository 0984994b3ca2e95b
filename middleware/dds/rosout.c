/* SPDX-License-Identifier: BSD-3-Clause */
/* Publishes the log of a simulation as nodes of ROS 2 do. */
#include "rosout.h"

#include "../message/variant.h"

#include <string.h>

#define LOG "rcl_interfaces/msg/Log"
/* As other nodes have it: who comes later gets these. */
#define DEPTH 1000
/* Lines that wait for the tick; further ones are left out. */
#define MAX_WAITING 1000
#define MAX_TEXT 4096

typedef struct {
  char *robot; /* (nullable) */
  DdsPublisher *publisher;
} Node;

typedef struct {
  char *name, *text;
  OrreryLogLevel level;
} Line;

struct _Ros2Log {
  OrreryPart *manager; /* borrowed */
  const OrreryMessageType *type;
  OrreryWriter *writer;
  GArray *nodes;      /* (element-type Node) */
  GAsyncQueue *lines; /* (element-type Line) */
};

static void
line_free (gpointer data)
{
  Line *line = data;

  g_free (line->name);
  g_free (line->text);
  g_free (line);
}

/* On any thread. */
static void
note_line (OrreryPart *part, OrreryLogLevel level, const char *text, gpointer data)
{
  Ros2Log *self = data;
  const char *name = orrery_part_get_name (part);
  Line *line;

  if (g_async_queue_length (self->lines) >= MAX_WAITING)
    return;
  line = g_new0 (Line, 1);
  line->name = g_strdup (name != NULL && *name != '\0' ? name : "orrery");
  line->text = g_strndup (text, MAX_TEXT);
  line->level = level;
  g_async_queue_push (self->lines, line);
}

Ros2Log *
ros2_log_new (gpointer manager, OrreryMessageCatalogue *messages, GError **error)
{
  const OrreryMessageType *type =
      orrery_message_catalogue_find (messages, LOG, ORRERY_MESSAGE_ROS2, error);
  Ros2Log *self;

  if (type == NULL)
    return NULL;
  self = g_new0 (Ros2Log, 1);
  self->manager = manager;
  self->type = type;
  self->writer = orrery_writer_new ();
  self->nodes = g_array_new (FALSE, FALSE, sizeof (Node));
  self->lines = g_async_queue_new_full (line_free);
  orrery_part_watch_log (self->manager, note_line, self);
  return self;
}

void
ros2_log_free (Ros2Log *log)
{
  orrery_part_unwatch_log (log->manager);
  for (guint i = 0; i < log->nodes->len; i++) {
    Node *node = &g_array_index (log->nodes, Node, i);

    dds_publisher_unadvertise (node->publisher);
    g_free (node->robot);
  }
  g_array_unref (log->nodes);
  g_async_queue_unref (log->lines);
  orrery_writer_unref (log->writer);
  g_free (log);
}

gboolean
ros2_log_add_node (Ros2Log *log, const char *robot, DdsNode *node, GError **error)
{
  DdsTopic described = {
    "/rosout", LOG, orrery_message_type_get_hash (log->type), { FALSE, TRUE, DEPTH }
  };
  Node added = { NULL, dds_node_advertise (node, &described, DEPTH, NULL, NULL, error) };

  if (added.publisher == NULL)
    return FALSE;
  added.robot = g_strdup (robot);
  g_array_append_val (log->nodes, added);
  return TRUE;
}

/* Returns: (nullable): that of the robot, else that of what belongs to none */
static DdsPublisher *
find_publisher (Ros2Log *self, const char *name)
{
  DdsPublisher *other = NULL;

  for (guint i = 0; i < self->nodes->len; i++) {
    const Node *node = &g_array_index (self->nodes, Node, i);
    gsize length = node->robot != NULL ? strlen (node->robot) : 0;

    if (node->robot == NULL)
      other = node->publisher;
    else if (g_str_has_prefix (name, node->robot) && (name[length] == '.' || name[length] == '\0'))
      return node->publisher;
  }
  return other;
}

/* rcl_interfaces/msg/Log has its own numbers. */
static gint64
get_number (OrreryLogLevel level)
{
  if (level >= ORRERY_LOG_LEVEL_CRITICAL)
    return 50;
  if (level >= ORRERY_LOG_LEVEL_ERROR)
    return 40;
  if (level >= ORRERY_LOG_LEVEL_WARNING)
    return 30;
  return level >= ORRERY_LOG_LEVEL_INFO ? 20 : 10;
}

static void
send_line (Ros2Log *self, const Line *line, OrreryTime time)
{
  DdsPublisher *publisher = find_publisher (self, line->name);
  gpointer message = orrery_message_new (self->type);
  g_autofree char *text = g_utf8_make_valid (line->text, -1);
  g_autoptr (GVariant) value = NULL;
  GVariantDict dict;

  g_variant_dict_init (&dict, NULL);
  g_variant_dict_insert (&dict, "stamp", "t", (guint64) time);
  g_variant_dict_insert (&dict, "level", "x", get_number (line->level));
  g_variant_dict_insert (&dict, "name", "s", line->name);
  g_variant_dict_insert (&dict, "msg", "s", text);
  value = g_variant_ref_sink (g_variant_dict_end (&dict));
  orrery_writer_clear (self->writer);
  if (publisher != NULL && message_from_variant (self->type, message, value, NULL) &&
      orrery_message_write (self->type, message, ORRERY_MESSAGE_ENCODING_CDR, self->writer, NULL)) {
    gsize length;
    const char *data = orrery_writer_get_data (self->writer, &length);

    dds_publisher_send (publisher, data, length);
  }
  orrery_message_free (self->type, message);
}

void
ros2_log_send (Ros2Log *log, OrreryTime time)
{
  Line *line;

  while ((line = g_async_queue_try_pop (log->lines)) != NULL) {
    send_line (log, line, time);
    line_free (line);
  }
}
