/* SPDX-License-Identifier: BSD-3-Clause */
/* The services of `simulation` by which MORSE's clients query and change the simulator as a
 * whole. */
#include "simulation/orrery-simulation-private.h"

#include "part/orrery-part-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-stream-private.h"

#include <math.h>

static OrrerySimulation *
get_simulation (OrreryPart *part)
{
  return orrery_system_part_get_simulation (part);
}

static OrreryInstance *
get_instance (OrreryPart *part)
{
  return orrery_system_part_get_instance (part);
}

static OrreryCommands *
get_commands (OrreryPart *part)
{
  return orrery_world_get_commands (get_instance (part)->world);
}

/* --- robots and components --- */

/* Whether another node moves the robot: then that node reports it. */
static gboolean
is_external (OrreryComponent *robot)
{
  return orrery_object_is_set (orrery_component_get_object (robot), "External_Robot_Tag");
}

static gboolean
is_present (OrreryComponent *component)
{
  return orrery_object_is_present (orrery_component_get_object (component));
}

static void
list_robots (OrreryPart *part, OrreryCall *call, GError **error)
{
  GPtrArray *robots =
      orrery_runner_get_pipelines (get_instance (part)->runner, ORRERY_STAGE_ROBOTS);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < robots->len; i++) {
    OrreryPipeline *robot = robots->pdata[i];

    if (!is_external (robot->component) && is_present (robot->component))
      g_variant_builder_add (&list, "s", robot->name);
  }
  orrery_call_return (call, g_variant_builder_end (&list));
}

static void
set_active (OrreryPart *part, OrreryCall *call, gboolean active, GError **error)
{
  const char *name = orrery_call_get_text (call, 0);
  OrreryComponent *component = orrery_simulation_find_component (get_simulation (part), name);

  if (component == NULL)
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "Component '%.60s' not found. Can't %s", name,
                      active ? "activate" : "deactivate");
  else if (!is_present (component))
    orrery_set_error (error, ORRERY_ERROR_STATE, "Component '%.60s' is not spawned. Can't %s", name,
                      active ? "activate" : "deactivate");
  else
    orrery_component_set_active (component, active);
}

static void
activate (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_active (part, call, TRUE, error);
}

static void
deactivate (OrreryPart *part, OrreryCall *call, GError **error)
{
  set_active (part, call, FALSE, error);
}

/* All of the fields or none: a record of the same schema tries them first. */
static gboolean
try_fields (OrreryComponent *component, GVariant *fields, GError **error)
{
  OrreryRecord *record = orrery_component_get_record (component);
  g_autoptr (OrreryRecord) trial = orrery_record_new (orrery_record_get_schema (record));

  return orrery_record_set_values (trial, fields, error);
}

static void
write_actuator (OrreryPart *part, OrreryCall *call, GError **error)
{
  const char *name = orrery_call_get_text (call, 0);
  OrreryComponent *component = orrery_simulation_find_component (get_simulation (part), name);
  g_autoptr (GVariant) fields = g_variant_get_variant (orrery_call_get_argument (call, 1));
  GVariantIter iter;
  const char *field;
  GVariant *value;

  if (component == NULL || !ORRERY_IS_ACTUATOR (component)) {
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "'%.60s' is no actuator", name);
    return;
  }
  if (!g_variant_is_of_type (fields, G_VARIANT_TYPE_VARDICT)) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "the fields of a record are a dictionary of their names and values");
    return;
  }
  if (!try_fields (component, fields, error))
    return;
  g_variant_iter_init (&iter, fields);
  while (g_variant_iter_next (&iter, "{&sv}", &field, &value)) {
    gboolean is_written =
        orrery_simulation_write (get_simulation (part), component, field, value, error);

    g_variant_unref (value);
    if (!is_written)
      return;
  }
}

/* --- the run --- */

static void
quit (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_simulation_quit (get_simulation (part));
}

static void
epoch (OrreryPart *part, OrreryCall *call, GError **error)
{
  guint64 n = orrery_simulation_get_epoch (get_simulation (part));

  orrery_call_return (call, g_variant_new_int64 ((gint64) n));
}

static void
suspend_dynamics (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_runner_suspend_physics (get_instance (part)->runner, TRUE);
  orrery_call_return (call, g_variant_new_string ("Physics is suspended"));
}

static void
restore_dynamics (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_runner_suspend_physics (get_instance (part)->runner, FALSE);
  orrery_call_return (call, g_variant_new_string ("Physics is resumed"));
}

static void
reset_objects (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryWorld *world = get_instance (part)->world;

  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_get_parent (object) == NULL)
      orrery_commands_set_pose (get_commands (part), object, orrery_object_get_start (object));
  }
  orrery_call_return (call, g_variant_new_string ("Objects restored to initial position"));
}

static void
set_log_level (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_simulation_set_log_level (get_simulation (part), orrery_call_get_text (call, 0),
                                   orrery_call_get_text (call, 1), error);
}

/* --- details --- */

/* MORSE's clients know our standard classes by MORSE's names. */
static char *
morse_name (const char *classpath)
{
  if (g_str_has_prefix (classpath, "orrery."))
    return g_strconcat ("morse.", classpath + strlen ("orrery."), NULL);
  return g_strdup (classpath);
}

static const char *
class_name (OrreryPart *part)
{
  const char *classpath = orrery_part_get_classpath (part);
  const char *dot = strrchr (classpath, '.');

  return dot != NULL ? dot + 1 : classpath;
}

static void
add_names (GVariantBuilder *names, OrreryPart *part)
{
  GPtrArray *services = orrery_part_class_get_services (ORRERY_PART_GET_CLASS (part));

  for (guint i = 0; services != NULL && i < services->len; i++)
    g_variant_builder_add (names, "s", ((const OrreryService *) services->pdata[i])->name);
}

/* Its own services and those of its modifiers, which every request manager reaches. */
static void
add_services (GVariantBuilder *map, OrrerySimulation *simulation, OrreryPart *part, const char *key)
{
  OrreryCalls *calls = simulation->instance->assembly.calls;
  GPtrArray *managers = orrery_runner_get_request_managers (simulation->instance->runner);
  GPtrArray *modifiers = orrery_calls_find (calls, NULL, orrery_part_get_name (part));
  GVariantBuilder interfaces;
  GVariantBuilder names;
  gboolean mapped = FALSE;
  guint n = 0;

  g_variant_builder_init (&interfaces, G_VARIANT_TYPE ("as"));
  for (guint i = 0; i < managers->len; i++) {
    g_autofree char *name = morse_name (orrery_part_get_classpath (managers->pdata[i]));
    gboolean reached =
        orrery_calls_find (calls, managers->pdata[i], orrery_part_get_name (part)) != NULL;

    mapped = mapped || reached;
    if (!reached && modifiers == NULL)
      continue;
    g_variant_builder_add (&interfaces, "s", name);
    n++;
  }
  if (n == 0) {
    g_variant_builder_clear (&interfaces);
    return;
  }
  g_variant_builder_init (&names, G_VARIANT_TYPE ("as"));
  if (mapped)
    add_names (&names, part);
  for (guint i = 0; modifiers != NULL && i < modifiers->len; i++)
    add_names (&names, modifiers->pdata[i]);
  g_variant_builder_add (map, "{sv}", "services", g_variant_builder_end (&names));
  g_variant_builder_add (map, "{sv}", key, g_variant_builder_end (&interfaces));
}

static void
add_stream (GVariantBuilder *list, OrreryPart *manager, const char *direction)
{
  g_autofree char *name = morse_name (orrery_part_get_classpath (manager));
  const char *pair[] = { name, direction };

  g_variant_builder_add_value (list, g_variant_new_strv (pair, 2));
}

static void
add_streams (GVariantBuilder *map, OrreryPipeline *pipeline)
{
  GVariantBuilder list;

  if (pipeline->outputs->len + pipeline->inputs->len == 0)
    return;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aas"));
  for (guint i = 0; i < pipeline->outputs->len; i++)
    add_stream (&list, ORRERY_PART (g_array_index (pipeline->outputs, OrreryOutput, i).manager),
                "OUT");
  for (guint i = 0; i < pipeline->inputs->len; i++)
    add_stream (&list, ORRERY_PART (g_array_index (pipeline->inputs, OrreryInput, i).manager),
                "IN");
  g_variant_builder_add (map, "{sv}", "stream_interfaces", g_variant_builder_end (&list));
}

static GVariant *
describe_component (OrrerySimulation *simulation, OrreryComponent *component)
{
  OrreryPipeline *pipeline =
      g_hash_table_lookup (simulation->instance->assembly.pipelines, component);
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&map, "{sv}", "type",
                         g_variant_new_string (class_name (ORRERY_PART (component))));
  add_services (&map, simulation, ORRERY_PART (component), "service_interfaces");
  add_streams (&map, pipeline);
  return g_variant_builder_end (&map);
}

static GVariant *
describe_robot (OrrerySimulation *simulation, OrreryComponent *robot)
{
  GPtrArray *components = simulation->instance->assembly.components;
  GVariantBuilder map;
  GVariantBuilder inner;

  g_variant_builder_init (&inner, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < components->len; i++) {
    OrreryComponent *component = components->pdata[i];

    if (component != robot && orrery_component_get_robot (component) == robot)
      g_variant_builder_add (&inner, "{sv}", orrery_part_get_name (ORRERY_PART (component)),
                             describe_component (simulation, component));
  }
  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&map, "{sv}", "name",
                         g_variant_new_string (orrery_part_get_name (ORRERY_PART (robot))));
  g_variant_builder_add (&map, "{sv}", "type",
                         g_variant_new_string (class_name (ORRERY_PART (robot))));
  g_variant_builder_add (&map, "{sv}", "components", g_variant_builder_end (&inner));
  add_services (&map, simulation, ORRERY_PART (robot), "services_interfaces");
  return g_variant_builder_end (&map);
}

static void
details (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrrerySimulation *simulation = get_simulation (part);
  GPtrArray *robots =
      orrery_runner_get_pipelines (simulation->instance->runner, ORRERY_STAGE_ROBOTS);
  const char *import = orrery_keys_text (simulation->instance->scene->environment.import, NULL);
  GVariantBuilder map;
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < robots->len; i++) {
    OrreryComponent *robot = ((OrreryPipeline *) robots->pdata[i])->component;

    if (!is_external (robot) && is_present (robot))
      g_variant_builder_add_value (&list, describe_robot (simulation, robot));
  }
  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&map, "{sv}", "robots", g_variant_builder_end (&list));
  g_variant_builder_add (&map, "{sv}", "environment",
                         g_variant_new_string (import != NULL ? import : ""));
  orrery_call_return (call, g_variant_builder_end (&map));
}

/* --- scene objects --- */

static OrreryObject *
find_object (OrreryPart *part, const char *name, GError **error)
{
  OrreryObject *object = orrery_world_find_object (get_instance (part)->world, name);

  if (object == NULL)
    orrery_set_error (error, ORRERY_ERROR_NOT_FOUND, "Object '%.60s' does not appear in the scene.",
                      name);
  return object;
}

/* Poses of the objects of components, in the axes that clients expect. */
static GHashTable *
collect_axes (OrrerySimulation *simulation)
{
  GPtrArray *components = simulation->instance->assembly.components;
  GHashTable *axes = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < components->len; i++)
    g_hash_table_insert (axes, orrery_component_get_object (components->pdata[i]),
                         (gpointer) orrery_component_get_axes (components->pdata[i]));
  return axes;
}

static GVariant *
describe_object (OrrerySnapshot *snapshot, GHashTable *axes, OrreryObject *object)
{
  const OrreryTransform *pose =
      orrery_snapshot_get_pose (snapshot, orrery_object_get_index (object));
  GPtrArray *children = orrery_object_get_children (object);
  const OrreryQuat *own = g_hash_table_lookup (axes, object);
  OrreryQuat shown = pose->rotation;
  GVariantBuilder inner;
  GVariantBuilder list;
  double q[4];

  if (own != NULL)
    orrery_quat_multiply (&pose->rotation, own, &shown);
  orrery_quat_choose_sign (&shown);
  q[0] = shown.x;
  q[1] = shown.y;
  q[2] = shown.z;
  q[3] = shown.w;
  g_variant_builder_init (&inner, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < children->len; i++)
    g_variant_builder_add (&inner, "{sv}", orrery_object_get_name (children->pdata[i]),
                           describe_object (snapshot, axes, children->pdata[i]));
  g_variant_builder_init (&list, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&list, "v", g_variant_builder_end (&inner));
  g_variant_builder_add (&list, "v",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, &pose->position, 3,
                                                    sizeof (double)));
  g_variant_builder_add (&list, "v",
                         g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE, q, 4, sizeof (double)));
  return g_variant_builder_end (&list);
}

static void
get_scene_objects (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryWorld *world = get_instance (part)->world;
  g_autoptr (GHashTable) axes = collect_axes (get_simulation (part));
  GVariantBuilder map;

  g_variant_builder_init (&map, G_VARIANT_TYPE_VARDICT);
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);

    if (orrery_object_get_parent (object) == NULL && orrery_object_is_present (object))
      g_variant_builder_add (&map, "{sv}", orrery_object_get_name (object),
                             describe_object (orrery_world_get_snapshot (world), axes, object));
  }
  orrery_call_return (call, g_variant_builder_end (&map));
}

static void
show (OrreryPart *part, OrreryObject *object, gboolean visible, gboolean children)
{
  GPtrArray *list = orrery_object_get_children (object);

  orrery_commands_set_visible (get_commands (part), object, visible);
  for (guint i = 0; children && i < list->len; i++)
    show (part, list->pdata[i], visible, TRUE);
}

static void
set_object_visibility (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryObject *object = find_object (part, orrery_call_get_text (call, 0), error);
  gboolean visible = orrery_call_get_bool (call, 1);

  if (object == NULL)
    return;
  show (part, object, visible, orrery_call_get_bool (call, 2));
  orrery_call_return (call, g_variant_new_boolean (visible));
}

static void
set_object_dynamics (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryObject *object = find_object (part, orrery_call_get_text (call, 0), error);
  gboolean on = orrery_call_get_bool (call, 1);

  if (object == NULL)
    return;
  orrery_commands_set_dynamics (get_commands (part), object, on);
  orrery_call_return (call, g_variant_new_boolean (on));
}

static gboolean
get_triple (GVariant *boxed, double *out)
{
  g_autoptr (GVariant) list = g_variant_get_variant (boxed);

  return orrery_system_part_read_numbers (list, 3, out);
}

static gboolean
is_null (GVariant *boxed)
{
  g_autoptr (GVariant) value = g_variant_get_variant (boxed);

  return g_variant_is_of_type (value, G_VARIANT_TYPE_MAYBE);
}

/* Moves it there; then it goes on as it did, or as it was told in this tick. */
static void
put_object (OrreryCommands *commands, OrreryWorld *world, OrreryObject *object,
            const OrreryTransform *pose)
{
  guint index = orrery_object_get_index (object);
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (world);
  OrreryVec3 linear = *orrery_snapshot_get_linear_velocity (snapshot, index);
  OrreryVec3 angular = *orrery_snapshot_get_angular_velocity (snapshot, index);
  const OrreryCommand *staged;
  guint n;

  staged = orrery_commands_get (commands, &n);
  for (guint i = 0; i < n; i++) {
    gboolean told = staged[i].kind == ORRERY_COMMAND_VELOCITY;

    if (staged[i].object != index || !(told || staged[i].kind == ORRERY_COMMAND_POSE))
      continue;
    linear = told ? staged[i].linear : staged[i].flag ? linear : (OrreryVec3){ 0 };
    angular = told ? staged[i].angular : staged[i].flag ? angular : (OrreryVec3){ 0 };
  }
  orrery_commands_set_pose (commands, object, pose);
  if (orrery_object_get_parent (object) == NULL &&
      orrery_object_get_body (object)->type != ORRERY_BODY_NONE)
    orrery_commands_set_velocity (commands, object, &linear, &angular);
}

static void
set_object_position (OrreryPart *part, OrreryCall *call, GError **error)
{
  OrreryObject *object = find_object (part, orrery_call_get_text (call, 0), error);
  gboolean keeps = is_null (orrery_call_get_argument (call, 2));
  OrreryTransform pose;
  double p[3];
  double r[3];

  if (object == NULL)
    return;
  if (!get_triple (orrery_call_get_argument (call, 1), p) ||
      (!keeps && !get_triple (orrery_call_get_argument (call, 2), r))) {
    orrery_set_error (error, ORRERY_ERROR_INVALID,
                      "a position is [x, y, z], an orientation [roll, pitch, yaw], all finite");
    return;
  }
  pose = *orrery_snapshot_get_pose (orrery_world_get_snapshot (get_instance (part)->world),
                                    orrery_object_get_index (object));
  pose.position = (OrreryVec3){ p[0], p[1], p[2] };
  if (!keeps) {
    g_autoptr (GHashTable) axes = collect_axes (get_simulation (part));
    const OrreryQuat *own = g_hash_table_lookup (axes, object);

    orrery_quat_from_euler (r[0], r[1], r[2], &pose.rotation);
    if (own != NULL) {
      OrreryQuat back = { own->w, -own->x, -own->y, -own->z };

      orrery_quat_multiply (&pose.rotation, &back, &pose.rotation);
    }
  }
  put_object (get_commands (part), get_instance (part)->world, object, &pose);
}

static const OrreryService services[] = {
  { "list_robots", list_robots, ORRERY_SERVICE_IMMEDIATE, "", "Names of the robots" },
  { "details", details, ORRERY_SERVICE_IMMEDIATE, "",
    "Robots, their components, services and streams" },
  { "activate", activate, ORRERY_SERVICE_IMMEDIATE, "component:s",
    "Lets a component take part again" },
  { "deactivate", deactivate, ORRERY_SERVICE_IMMEDIATE, "component:s",
    "Leaves a component out of the ticks" },
  { "write", write_actuator, ORRERY_SERVICE_IMMEDIATE, "component:s fields:v",
    "Sets fields of an actuator's record, as a message of its stream does: {name: value}" },
  { "quit", quit, ORRERY_SERVICE_RESTRICTED, "", "Ends the simulation" },
  { "terminate", quit, ORRERY_SERVICE_RESTRICTED, "", "Ends the simulation" },
  { "reset_objects", reset_objects, ORRERY_SERVICE_IMMEDIATE, "",
    "Puts the objects back where they started" },
  { "epoch", epoch, ORRERY_SERVICE_IMMEDIATE, "",
    "1 at first, one more whenever simulated time was set anew, as by a reset" },
  { "suspend_dynamics", suspend_dynamics, ORRERY_SERVICE_IMMEDIATE, "", "Stops physics" },
  { "restore_dynamics", restore_dynamics, ORRERY_SERVICE_IMMEDIATE, "", "Lets physics go on" },
  { "set_log_level", set_log_level, ORRERY_SERVICE_IMMEDIATE, "component:s level:s",
    "How much a component, a class or a package of classes logs" },
  { "get_scene_objects", get_scene_objects, ORRERY_SERVICE_IMMEDIATE, "",
    "The tree of objects: children, position, quaternion x y z w" },
  { "set_object_visibility", set_object_visibility, ORRERY_SERVICE_IMMEDIATE,
    "object_name:s visible:b do_children:b", "Shows or hides an object" },
  { "set_object_dynamics", set_object_dynamics, ORRERY_SERVICE_IMMEDIATE, "object_name:s state:b",
    "Lets physics move an object, or not" },
  { "set_object_position", set_object_position, ORRERY_SERVICE_IMMEDIATE,
    "object_name:s position:v orientation:v=null",
    "Puts an object at [x, y, z], turned by [roll, pitch, yaw]" },
};

ORRERY_DEFINE_SYSTEM_PART (OrrerySupervision, orrery_supervision)
