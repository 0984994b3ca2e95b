/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.scripts.multinode.Multinode: one of several simulations that share robots over MORSE's
 * multinode protocol. Robots of this node are told to the others in each tick; those of others are
 * put where their nodes have them. What is added to the scene while it runs is moved as any other
 * thing: where another node names it. An add-on or sandbox script; `orrery python -m
 * orrery.multinode` is the server.
 */
#define G_LOG_DOMAIN "orrery.scripts.multinode"

#include "node-link.h"

#include <math.h>
#include <string.h>

typedef struct {
  OrreryComponent *component;
  OrreryObject *object;
  gboolean local;
  gboolean seen; /* another node has told of it */
  gboolean lost; /* and tells no more */
} Robot;

typedef struct {
  OrreryScript parent_instance;
  char *node;
  char *own; /* names of robots */
  char *address;
  guint port;
  double wait; /* s */
  char *token_file;
  char *greeting; /* the line with the token */

  OrreryWorld *world;
  GArray *robots;    /* (element-type Robot) */
  GPtrArray *others; /* (element-type OrreryComponent), borrowed: on robots of other nodes */
  gboolean offline;
  NodeLink *link;
  gboolean connected;
  gboolean lost; /* once, and that was told */
  gboolean refused;
  OrreryText answer; /* the newest one of the server */
} OrreryMultinode;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryMultinode, orrery_multinode, OrreryScript, orrery_script)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryMultinode, node, "Node", "", "Name of this node",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMultinode, own, "Robots", "",
                          "Robots that this node moves, commas between",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_STRING (OrreryMultinode, address, "Address", "localhost", "Host of the server",
                          .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryMultinode, port, "Port", 1, 65535, 65000, "Port of the server",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryMultinode, wait, "Wait", 0, 60, 0.1,
                          "How long a tick waits for the server's answer, s"),
  ORRERY_PROPERTY_STRING (OrreryMultinode, token_file, "TokenFile", "",
                          "A file whose first line is the token that the server wants",
                          .flags = ORRERY_PROPERTY_AT_START),
};

static const OrreryField states[] = { ORRERY_STATE (OrreryMultinode, answer) };

/* --- who is whose --- */

static gboolean
check_names (OrreryMultinode *self, char **wanted, GError **error)
{
  for (char **name = wanted; *name != NULL; name++) {
    gboolean found = **name == '\0';

    for (guint i = 0; i < self->robots->len && !found; i++)
      found = g_str_equal (orrery_object_get_name (g_array_index (self->robots, Robot, i).object),
                           *name);
    if (found)
      continue;
    return orrery_set_error (error, ORRERY_ERROR_CONFIG, "Robots: the scene has no robot '%.60s'",
                             *name);
  }
  return TRUE;
}

static gboolean
is_local (OrreryMultinode *self, OrreryComponent *robot)
{
  for (guint i = 0; i < self->robots->len; i++)
    if (g_array_index (self->robots, Robot, i).component == robot)
      return g_array_index (self->robots, Robot, i).local;
  return TRUE;
}

static void
find_others (OrreryMultinode *self, OrrerySetup *setup)
{
  g_ptr_array_set_size (self->others, 0);
  for (guint i = 0; i < orrery_world_get_n_objects (self->world); i++) {
    const char *name = orrery_object_get_name (orrery_world_get_object (self->world, i));
    OrreryComponent *component = orrery_setup_find_component (setup, name);

    if (component != NULL && !ORRERY_IS_ROBOT (component) &&
        !is_local (self, orrery_component_get_robot (component)))
      g_ptr_array_add (self->others, component);
  }
}

/* As a line of the log that tells of phases. */
static void
log_phase (const char *words, const char *which)
{
  g_log_structured (G_LOG_DOMAIN, G_LOG_LEVEL_INFO, "ORRERY_PHASE", which, "MESSAGE", "%s", words);
}

static gboolean
read_token (OrreryMultinode *self, GError **error)
{
  g_autofree char *text = NULL;

  g_clear_pointer (&self->greeting, g_free);
  if (*self->token_file == '\0')
    return TRUE;
  if (!g_file_get_contents (self->token_file, &text, NULL, error)) {
    g_prefix_error (error, "TokenFile: ");
    return FALSE;
  }
  text[strcspn (text, "\r\n")] = '\0';
  self->greeting = g_strconcat ("TOKEN ", text, NULL);
  return TRUE;
}

static void
orrery_multinode_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryMultinode *self = (OrreryMultinode *) part;
  g_auto (GStrv) wanted = g_strsplit_set (self->own, ", ", -1);

  if (!read_token (self, error))
    return;
  log_phase ("MULTINODE INITIALIZATION", "begin");
  /* It moves robots, and reads no records. */
  orrery_setup_read_none (setup);
  g_set_object (&self->world, orrery_setup_get_world (setup));
  orrery_text_set (&self->answer, NULL);
  self->offline = orrery_setup_is_offline (setup);
  g_array_set_size (self->robots, 0);
  for (guint i = 0; i < orrery_world_get_n_objects (self->world); i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);
    OrreryComponent *component =
        orrery_setup_find_component (setup, orrery_object_get_name (object));
    Robot robot = { .component = component, .object = object };

    if (component == NULL || !ORRERY_IS_ROBOT (component))
      continue;
    robot.local = g_strv_contains ((const char *const *) wanted, orrery_object_get_name (object));
    g_array_append_val (self->robots, robot);
  }
  find_others (self, setup);
  if (*self->node == '\0')
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "Node: this node needs a name");
  else
    check_names (self, wanted, error);
}

/* --- what is said --- */

static void
add_triple (GString *text, double x, double y, double z)
{
  char buffers[3][G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, "[%s, %s, %s]", g_ascii_dtostr (buffers[0], sizeof buffers[0], x),
                          g_ascii_dtostr (buffers[1], sizeof buffers[1], y),
                          g_ascii_dtostr (buffers[2], sizeof buffers[2], z));
}

static void
add_text (GString *text, const char *value)
{
  g_autoptr (OrreryWriter) writer = orrery_writer_new ();
  const char *data;
  gsize length;

  orrery_writer_append_json_text (writer, value);
  data = orrery_writer_get_data (writer, &length);
  g_string_append_len (text, data, (gssize) length);
}

static char *
write_message (OrreryMultinode *self, OrreryTick *tick)
{
  GString *text = g_string_new ("[");

  add_text (text, self->node);
  g_string_append (text, ", {");
  for (guint i = 0; i < self->robots->len; i++) {
    const Robot *robot = &g_array_index (self->robots, Robot, i);
    const OrreryTransform *pose = orrery_component_get_pose (robot->component);
    double roll, pitch, yaw;

    if (!robot->local)
      continue;
    orrery_quat_to_euler (&pose->rotation, &roll, &pitch, &yaw);
    add_text (text, orrery_object_get_name (robot->object));
    g_string_append (text, ": [");
    add_triple (text, pose->position.x, pose->position.y, pose->position.z);
    g_string_append (text, ", ");
    add_triple (text, roll, pitch, yaw);
    g_string_append (text, "], ");
  }
  g_string_append (text, "\"__time\": ");
  add_triple (text, orrery_time_to_seconds (orrery_tick_get_time (tick)), orrery_tick_get_dt (tick),
              (double) g_get_real_time () / G_USEC_PER_SEC);
  g_string_append (text, "}]");
  return g_string_free (text, FALSE);
}

/* --- what other nodes send --- */

static gboolean
read_triple (OrreryNode *list, double out[3])
{
  if (orrery_node_get_kind (list) != ORRERY_NODE_LIST || orrery_node_get_length (list) != 3)
    return FALSE;
  for (guint i = 0; i < 3; i++) {
    OrreryNode *item = orrery_node_get_item (list, i);
    OrreryNodeKind kind = orrery_node_get_kind (item);

    if (kind != ORRERY_NODE_INT && kind != ORRERY_NODE_DOUBLE)
      return FALSE;
    out[i] = orrery_node_get_double (item);
    if (!isfinite (out[i]))
      return FALSE;
  }
  return TRUE;
}

static gboolean
read_pose (OrreryNode *node, OrreryTransform *pose)
{
  double p[3], r[3];

  if (node == NULL || orrery_node_get_kind (node) != ORRERY_NODE_LIST ||
      orrery_node_get_length (node) != 2 || !read_triple (orrery_node_get_item (node, 0), p) ||
      !read_triple (orrery_node_get_item (node, 1), r))
    return FALSE;
  pose->position = (OrreryVec3){ p[0], p[1], p[2] };
  orrery_quat_from_euler (r[0], r[1], r[2], &pose->rotation);
  return TRUE;
}

static gboolean
is_robot (OrreryMultinode *self, OrreryObject *object)
{
  for (guint i = 0; i < self->robots->len; i++)
    if (g_array_index (self->robots, Robot, i).object == object)
      return TRUE;
  return FALSE;
}

/* As in MORSE, whatever of the scene is named is moved, and not robots alone. */
static void
take_things (OrreryMultinode *self, OrreryTick *tick, OrreryNode *map)
{
  for (guint i = 0; i < orrery_node_get_length (map); i++) {
    OrreryObject *object = orrery_world_find_object (self->world, orrery_node_get_key (map, i));
    OrreryObject *parent = object != NULL ? orrery_object_get_parent (object) : NULL;
    OrreryTransform pose;

    if (object == NULL || is_robot (self, object) ||
        !read_pose (orrery_node_get_item (map, i), &pose))
      continue;
    if (parent != NULL)
      orrery_transform_relative (orrery_snapshot_get_pose (orrery_tick_get_snapshot (tick),
                                                           orrery_object_get_index (parent)),
                                 &pose, &pose);
    orrery_commands_set_pose (orrery_tick_get_commands (tick), object, &pose);
  }
}

static void
take_answer (OrreryMultinode *self, OrreryTick *tick, const char *answer)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryNode) map = orrery_node_parse_json (answer, strlen (answer), "server", &error);

  if (map == NULL || orrery_node_get_kind (map) != ORRERY_NODE_DICT)
    return;
  for (guint i = 0; i < self->robots->len; i++) {
    Robot *robot = &g_array_index (self->robots, Robot, i);
    const char *name = orrery_object_get_name (robot->object);
    OrreryTransform pose;
    gboolean told;

    if (robot->local)
      continue;
    told = read_pose (orrery_node_find (map, name), &pose);
    if (told)
      orrery_commands_set_pose (orrery_tick_get_commands (tick), robot->object, &pose);
    if (told && robot->lost)
      orrery_part_log_plain (self, G_LOG_LEVEL_MESSAGE, "%s moves again: its node is back", name);
    if (!told && robot->seen && !robot->lost)
      orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s stands still: its node is lost", name);
    robot->lost = !told && robot->seen;
    robot->seen = robot->seen || told;
  }
  take_things (self, tick, map);
}

/* --- the script --- */

/* What drives the robots of others is their nodes'. */
static void
orrery_multinode_init_script (OrreryScript *script, OrreryTick *tick, GError **error)
{
  OrreryMultinode *self = (OrreryMultinode *) script;

  for (guint i = 0; i < self->robots->len; i++) {
    const Robot *robot = &g_array_index (self->robots, Robot, i);

    if (!robot->local)
      orrery_commands_set_dynamics (orrery_tick_get_commands (tick), robot->object, FALSE);
  }
  for (guint i = 0; i < self->others->len; i++)
    orrery_component_set_active (self->others->pdata[i], FALSE);
  if (!self->offline && self->link == NULL)
    self->link = node_link_new (self->address, (guint16) self->port, self->greeting, error);
}

/* Returns: (transfer full) (nullable): the newest answer of the server; NULL: none ever */
static char *
exchange (OrreryMultinode *self, OrreryTick *tick)
{
  g_autofree char *message = NULL;
  g_autofree char *refusal = NULL;
  gboolean fresh, connected;
  char *answer;

  message = write_message (self, tick);
  answer = node_link_exchange (self->link, message, (gint64) (self->wait * G_USEC_PER_SEC), &fresh,
                               &connected);
  if (connected != self->connected) {
    /* Whoever was told of the loss is told of its end. */
    if (connected)
      orrery_part_log_plain (self, self->lost ? G_LOG_LEVEL_MESSAGE : G_LOG_LEVEL_INFO,
                             "connected to %s:%u", self->address, self->port);
    else
      orrery_part_log_plain (self, G_LOG_LEVEL_WARNING,
                             "%s:%u is lost: robots of other nodes stand still", self->address,
                             self->port);
    self->lost = self->lost || !connected;
    self->connected = connected;
  }
  refusal = node_link_take_refusal (self->link);
  if (refusal != NULL && !self->refused)
    orrery_part_log_plain (self, G_LOG_LEVEL_WARNING, "%s:%u refuses this node: %s", self->address,
                           self->port, refusal);
  self->refused |= refusal != NULL;
  return answer;
}

static void
orrery_multinode_actuation (OrreryScript *script, OrreryTick *tick, GError **error)
{
  OrreryMultinode *self = (OrreryMultinode *) script;
  g_autofree char *answer = self->link != NULL ? exchange (self, tick) : NULL;
  gboolean changed = answer != NULL && strcmp (answer, orrery_text_get (&self->answer)) != 0;
  const guint8 *taken;
  gsize size;

  taken = orrery_part_take_input (ORRERY_PART (script), tick, (const guint8 *) answer,
                                  changed ? strlen (answer) : 0, &size);
  if (taken != NULL) {
    g_autofree char *text = g_utf8_make_valid ((const char *) taken, (gssize) size);

    orrery_text_set (&self->answer, text);
  }
  if (*orrery_text_get (&self->answer) != '\0')
    take_answer (self, tick, orrery_text_get (&self->answer));
}

static void
orrery_multinode_cleanup (OrreryScript *script, OrreryTick *tick, GError **error)
{
  log_phase ("CLOSING MULTINODE...", "end");
  g_clear_pointer (&((OrreryMultinode *) script)->link, node_link_free);
}

static void
orrery_multinode_class_init (OrreryMultinodeClass *klass)
{
  OrreryScriptClass *script_class = ORRERY_SCRIPT_CLASS (klass);

  ORRERY_PART_CLASS (klass)->setup = orrery_multinode_setup;
  script_class->init = orrery_multinode_init_script;
  script_class->actuation = orrery_multinode_actuation;
  script_class->cleanup = orrery_multinode_cleanup;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryMultinode, states);
  ORRERY_CLASS_OWNS (klass, OrreryMultinode, link, node_link_free);
  ORRERY_CLASS_OWNS (klass, OrreryMultinode, greeting, g_free);
  ORRERY_CLASS_OWNS (klass, OrreryMultinode, world, g_object_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMultinode, robots, g_array_unref);
  ORRERY_CLASS_OWNS (klass, OrreryMultinode, others, g_ptr_array_unref);
}

static void
orrery_multinode_init (OrreryMultinode *self)
{
  self->robots = g_array_new (FALSE, FALSE, sizeof (Robot));
  self->others = g_ptr_array_new ();
}

ORRERY_PLUGIN ("Simulations that share robots", "BSD-3-Clause",
               ORRERY_CLASS (Multinode, OrreryMultinode, orrery_multinode))
