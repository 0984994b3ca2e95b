/* SPDX-License-Identifier: BSD-3-Clause */
/* The names in expressions of outgoing messages: fields of the record, properties, poses. */
#include "expression.h"

#include <string.h>

/* --- fields --- */

static gboolean
eval_bool (const MapNode *node, MapValue *value, GError **error)
{
  value->number = *(const OrreryBool *) node->place;
  return TRUE;
}

static gboolean
eval_int64 (const MapNode *node, MapValue *value, GError **error)
{
  value->number = (double) *(const gint64 *) node->place;
  return TRUE;
}

static gboolean
eval_double (const MapNode *node, MapValue *value, GError **error)
{
  value->number = *(const double *) node->place;
  return TRUE;
}

const double *
map_source_get_number (const MapNode *node)
{
  return node->eval == eval_double ? node->place : NULL;
}

static gboolean
eval_time (const MapNode *node, MapValue *value, GError **error)
{
  value->time = ((const OrreryStamp *) node->place)->ns;
  return TRUE;
}

static gboolean
eval_text (const MapNode *node, MapValue *value, GError **error)
{
  value->text.data = orrery_text_get (node->place);
  value->text.length = strlen (value->text.data);
  return TRUE;
}

/* A vector; Euler angles lie in memory as such a one. */
static gboolean
eval_vec3 (const MapNode *node, MapValue *value, GError **error)
{
  memcpy (value->v, node->place, sizeof (OrreryVec3));
  return TRUE;
}

static void
set_quaternion (MapValue *value, const OrreryQuat *q)
{
  value->v[0] = q->x;
  value->v[1] = q->y;
  value->v[2] = q->z;
  value->v[3] = q->w;
}

static gboolean
eval_quat (const MapNode *node, MapValue *value, GError **error)
{
  set_quaternion (value, node->place);
  return TRUE;
}

static gboolean
eval_matrix (const MapNode *node, MapValue *value, GError **error)
{
  value->numbers.data = node->place;
  value->numbers.n = (gsize) node->type;
  value->numbers.element = ORRERY_ELEMENT_DOUBLE;
  return TRUE;
}

static gboolean
eval_array (const MapNode *node, MapValue *value, GError **error)
{
  value->buffer = ((const OrreryArray *) node->place)->buffer;
  return TRUE;
}

static gboolean
eval_buffer (const MapNode *node, MapValue *value, GError **error)
{
  value->buffer = *(OrreryBuffer *const *) node->place;
  return TRUE;
}

static gboolean
eval_variant (const MapNode *node, MapValue *value, GError **error)
{
  value->variant = *(GVariant *const *) node->place;
  return TRUE;
}

static const struct {
  OrreryFieldType type;
  MapKind kind;
  MapEval eval;
  int n;
} field_kinds[] = {
  { ORRERY_FIELD_BOOL, MAP_NUMBER, eval_bool, 0 },
  { ORRERY_FIELD_INT64, MAP_NUMBER, eval_int64, 0 },
  { ORRERY_FIELD_DOUBLE, MAP_NUMBER, eval_double, 0 },
  { ORRERY_FIELD_TIME, MAP_TIME, eval_time, 0 },
  { ORRERY_FIELD_TEXT, MAP_TEXT, eval_text, 0 },
  { ORRERY_FIELD_VEC3, MAP_VECTOR, eval_vec3, 0 },
  { ORRERY_FIELD_EULER, MAP_EULER, eval_vec3, 0 },
  { ORRERY_FIELD_QUAT, MAP_QUATERNION, eval_quat, 0 },
  { ORRERY_FIELD_MAT3, MAP_NUMBERS, eval_matrix, 9 },
  { ORRERY_FIELD_MAT4, MAP_NUMBERS, eval_matrix, 16 },
  { ORRERY_FIELD_ARRAY, MAP_BUFFER, eval_array, 0 },
  { ORRERY_FIELD_POINTS, MAP_BUFFER, eval_array, 0 },
  { ORRERY_FIELD_BUFFER, MAP_BUFFER, eval_buffer, 0 },
  { ORRERY_FIELD_VARIANT, MAP_VARIANT, eval_variant, 0 },
};

static const OrreryField *
find_field (OrreryRecord *record, const char *name, GError **error)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  guint n = orrery_schema_get_n_fields (schema);
  g_autofree const char **names = g_new0 (const char *, n + 1);
  g_autofree char *nearest = NULL;

  for (guint i = 0; i < n; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);

    names[i] = field->name;
    if (g_str_equal (field->name, name))
      return field;
  }
  nearest = orrery_nearest_names (name, names);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "the record has no field '%s'%s", name, nearest);
  return NULL;
}

static MapNode *
resolve_field (OrreryRecord *record, const char *const *names, guint *n_used, GError **error)
{
  const OrreryField *field = find_field (record, names[0], error);
  const char *data = orrery_record_data (record);

  if (field == NULL)
    return NULL;
  ++*n_used;
  if (field->type == ORRERY_FIELD_RECORD && names[1] != NULL) {
    OrreryRecord *inner = *(OrreryRecord *const *) (gconstpointer) (data + field->offset);

    if (inner != NULL)
      return resolve_field (inner, names + 1, n_used, error);
  }
  for (guint i = 0; i < G_N_ELEMENTS (field_kinds); i++)
    if (field_kinds[i].type == field->type) {
      MapNode *node = map_node_new (field_kinds[i].kind, field_kinds[i].eval);

      node->place = data + field->offset;
      node->type = field_kinds[i].n;
      return node;
    }
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "the field '%s' is a record, not a value",
                    field->name);
  return NULL;
}

/* --- records as a whole --- */

static gboolean
eval_record (const MapNode *node, MapValue *value, GError **error)
{
  value->record = (OrreryRecord *) node->place;
  return TRUE;
}

static gboolean
eval_timestamp (const MapNode *node, MapValue *value, GError **error)
{
  value->time = orrery_record_get_timestamp ((OrreryRecord *) node->place);
  return TRUE;
}

static gboolean
is_plain_number (const OrreryField *field)
{
  return field->type == ORRERY_FIELD_DOUBLE || field->type == ORRERY_FIELD_INT64 ||
         field->type == ORRERY_FIELD_BOOL;
}

static gboolean
eval_names (const MapNode *node, MapValue *value, GError **error)
{
  value->texts = (const char *const *) node->scratch;
  return TRUE;
}

static MapNode *
resolve_names (OrreryRecord *record)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  MapNode *node = map_node_new (MAP_TEXTS, eval_names);
  GPtrArray *names = g_ptr_array_new ();

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++)
    if (is_plain_number (orrery_schema_get_field (schema, i)))
      g_ptr_array_add (names, g_strdup (orrery_schema_get_field (schema, i)->name));
  g_ptr_array_add (names, NULL);
  node->scratch = g_ptr_array_free (names, FALSE);
  node->free_scratch = (GDestroyNotify) g_strfreev;
  return node;
}

static gboolean
eval_values (const MapNode *node, MapValue *value, GError **error)
{
  double *to = node->scratch;
  guint n = 0;
  OrreryRecord *record = (OrreryRecord *) node->place;
  OrrerySchema *schema = orrery_record_get_schema (record);
  const char *data = orrery_record_data (record);

  for (guint i = 0; i < orrery_schema_get_n_fields (schema); i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);
    gconstpointer place = data + field->offset;

    if (field->type == ORRERY_FIELD_DOUBLE)
      to[n++] = *(const double *) place;
    else if (field->type == ORRERY_FIELD_INT64)
      to[n++] = (double) *(const gint64 *) place;
    else if (field->type == ORRERY_FIELD_BOOL)
      to[n++] = *(const OrreryBool *) place;
  }
  value->numbers.data = to;
  value->numbers.n = n;
  value->numbers.element = ORRERY_ELEMENT_DOUBLE;
  return TRUE;
}

static MapNode *
resolve_values (OrreryRecord *record)
{
  MapNode *node = map_node_new (MAP_NUMBERS, eval_values);

  node->place = record;
  node->scratch =
      g_new0 (double, orrery_schema_get_n_fields (orrery_record_get_schema (record)) + 1);
  node->free_scratch = g_free;
  return node;
}

/* --- properties --- */

/* A copy of a property that is a number, renewed when it is set. */
typedef struct {
  OrreryComponent *component; /* borrowed: it lives longer than its codecs */
  gulong handler;
  char *name;
  double value;
} Watched;

static gboolean
read_property (Watched *watched)
{
  g_autoptr (GVariant) value =
      orrery_part_get_option (ORRERY_PART (watched->component), watched->name);

  if (value == NULL)
    return FALSE;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    watched->value = g_variant_get_boolean (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    watched->value = (double) g_variant_get_int64 (value);
  else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    watched->value = g_variant_get_double (value);
  else
    return FALSE;
  return TRUE;
}

static void
on_property (GObject *object, GParamSpec *spec, gpointer data)
{
  read_property (data);
}

static void
watched_free (gpointer data)
{
  Watched *watched = data;

  if (watched->handler != 0)
    g_signal_handler_disconnect (watched->component, watched->handler);
  g_object_unref (watched->component);
  g_free (watched->name);
  g_free (watched);
}

static gboolean
eval_property (const MapNode *node, MapValue *value, GError **error)
{
  value->number = ((const Watched *) node->scratch)->value;
  return TRUE;
}

static MapNode *
resolve_property (OrreryComponent *component, const char *name, GError **error)
{
  MapNode *node = map_node_new (MAP_NUMBER, eval_property);
  Watched *watched = g_new0 (Watched, 1);

  node->scratch = watched;
  node->free_scratch = watched_free;
  watched->component = g_object_ref (component);
  watched->name = g_strdup (name);
  if (!read_property (watched)) {
    g_auto (GStrv) names = orrery_part_get_option_names (ORRERY_PART (component));
    g_autofree char *nearest = orrery_nearest_names (name, (const char *const *) names);

    map_node_free (node);
    orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s has no property '%s' that is a number%s",
                      orrery_part_get_name (ORRERY_PART (component)), name, nearest);
    return NULL;
  }
  watched->handler = g_signal_connect (component, "notify", G_CALLBACK (on_property), watched);
  return node;
}

/* --- poses --- */

static gboolean
eval_world_position (const MapNode *node, MapValue *value, GError **error)
{
  memcpy (value->v, &orrery_component_get_pose ((OrreryComponent *) node->place)->position,
          sizeof (OrreryVec3));
  return TRUE;
}

static gboolean
eval_world_rotation (const MapNode *node, MapValue *value, GError **error)
{
  set_quaternion (value, &orrery_component_get_pose ((OrreryComponent *) node->place)->rotation);
  return TRUE;
}

static void
get_pose_in_robot (const MapNode *node, OrreryTransform *pose)
{
  OrreryComponent *component = (OrreryComponent *) node->place;
  OrreryComponent *robot = orrery_component_get_robot (component);
  const OrreryTransform *world = orrery_component_get_pose (component);

  OrreryTransform back;

  *pose = *world;
  if (robot == NULL)
    return;
  orrery_transform_invert (orrery_component_get_pose (robot), &back);
  orrery_transform_multiply (&back, world, pose);
}

static gboolean
eval_robot_position (const MapNode *node, MapValue *value, GError **error)
{
  OrreryTransform pose;

  get_pose_in_robot (node, &pose);
  memcpy (value->v, &pose.position, sizeof pose.position);
  return TRUE;
}

static gboolean
eval_robot_rotation (const MapNode *node, MapValue *value, GError **error)
{
  OrreryTransform pose;

  get_pose_in_robot (node, &pose);
  set_quaternion (value, &pose.rotation);
  return TRUE;
}

/* --- joints --- */

/* A number of the record or of a record in it; NULL where none has that name. */
static MapNode *
find_joint (OrreryRecord *record, const char *name)
{
  OrrerySchema *schema = orrery_record_get_schema (record);
  const char *data = orrery_record_data (record);
  MapNode *node = NULL;

  for (guint i = 0; i < orrery_schema_get_n_fields (schema) && node == NULL; i++) {
    const OrreryField *field = orrery_schema_get_field (schema, i);
    gconstpointer place = data + field->offset;

    if (field->type == ORRERY_FIELD_RECORD && *(OrreryRecord *const *) place != NULL) {
      node = find_joint (*(OrreryRecord *const *) place, name);
    } else if (field->type == ORRERY_FIELD_DOUBLE && g_str_equal (field->name, name)) {
      node = map_node_new (MAP_NUMBER, eval_double);
      node->place = place;
    }
  }
  return node;
}

/* --- elements of lists that a record has in free form --- */

/* Numbers by their names, or in their order. */
static gboolean
read_numbers (GVariant *value, const char *const *names, double *v)
{
  gboolean is_dict = g_variant_is_of_type (value, G_VARIANT_TYPE ("a{sd}"));
  gsize n = g_strv_length ((char **) names);

  if (!is_dict && (!g_variant_is_container (value) || g_variant_n_children (value) != n))
    return FALSE;
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) number =
        is_dict ? g_variant_lookup_value (value, names[i], G_VARIANT_TYPE_DOUBLE)
                : g_variant_get_child_value (value, i);

    if (number == NULL || !g_variant_is_of_type (number, G_VARIANT_TYPE_DOUBLE))
      return FALSE;
    v[i] = g_variant_get_double (number);
  }
  return TRUE;
}

static gboolean
eval_item (const MapNode *node, MapValue *value, GError **error)
{
  static const char *const names[] = { "x", "y", "z", "w", NULL };
  static const char *const first[] = { "x", "y", "z", NULL };
  GVariant *item = *(GVariant *const *) node->place;
  GVariant **kept = node->scratch;
  gboolean fits = FALSE;

  g_clear_pointer (kept, g_variant_unref);
  if (g_variant_is_of_type (item, G_VARIANT_TYPE_VARDICT))
    *kept = g_variant_lookup_value (item, node->text, NULL);
  if (*kept != NULL && node->kind == MAP_TEXT) {
    fits = g_variant_is_of_type (*kept, G_VARIANT_TYPE_STRING);
    if (fits)
      value->text.data = g_variant_get_string (*kept, &value->text.length);
  } else if (*kept != NULL) {
    fits = read_numbers (*kept, node->kind == MAP_VECTOR ? first : names, value->v);
  }
  return fits || orrery_set_error (error, ORRERY_ERROR_INVALID, "an element has no '%s' that is %s",
                                   node->text, map_kind_get_name (node->kind));
}

static void
free_kept (gpointer data)
{
  GVariant **kept = data;

  g_clear_pointer (kept, g_variant_unref);
  g_free (kept);
}

static MapNode *
resolve_item (GVariant **item, const char *const *names, guint *n_used, GError **error)
{
  static const struct {
    const char *name;
    MapKind kind;
  } kinds[] = { { "text", MAP_TEXT }, { "vector", MAP_VECTOR }, { "quaternion", MAP_QUATERNION } };

  for (guint i = 0; i < G_N_ELEMENTS (kinds) && item != NULL && names[2] != NULL; i++)
    if (g_str_equal (kinds[i].name, names[1])) {
      MapNode *node = map_node_new (kinds[i].kind, eval_item);

      node->place = item;
      node->text = g_strdup (names[2]);
      node->scratch = g_new0 (GVariant *, 1);
      node->free_scratch = free_kept;
      node->is_brief = TRUE;
      *n_used = 3;
      return node;
    }
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "in 'each' there is item.text.KEY, item.vector.KEY, item.quaternion.KEY");
  return NULL;
}

/* --- all names --- */

static const struct {
  const char *first, *second;
  MapKind kind;
  MapEval eval;
} poses[] = {
  { "world", "position", MAP_VECTOR, eval_world_position },
  { "world", "rotation", MAP_QUATERNION, eval_world_rotation },
  { "robot", "position", MAP_VECTOR, eval_robot_position },
  { "robot", "rotation", MAP_QUATERNION, eval_robot_rotation },
};

static MapNode *
resolve_pair (MapSources *sources, const char *const *names, guint *n_used, GError **error)
{
  for (guint i = 0; i < G_N_ELEMENTS (poses); i++)
    if (g_str_equal (poses[i].first, names[0]) && g_str_equal (poses[i].second, names[1])) {
      MapNode *node = map_node_new (poses[i].kind, poses[i].eval);

      node->place = sources->component;
      *n_used = 2;
      return node;
    }
  if (g_str_equal (names[0], "property")) {
    *n_used = 2;
    return resolve_property (sources->component, names[1], error);
  }
  if (g_str_equal (names[0], "item"))
    return resolve_item (sources->item, names, n_used, error);
  if (g_str_equal (names[0], "joint")) {
    MapNode *joint = find_joint (sources->record, names[1]);

    *n_used = 2;
    return joint != NULL ? joint : map_number_new (0);
  }
  if (g_str_equal (names[0], "record")) {
    *n_used = 1;
    return resolve_field (sources->record, names + 1, n_used, error);
  }
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "'%s.%s': there is record.FIELD, joint.NAME, property.NAME, world.position, "
                    "world.rotation, robot.position, robot.rotation",
                    names[0], names[1]);
  return NULL;
}

static MapNode *
resolve_single (MapSources *sources, const char *name, GError **error)
{
  MapNode *node;

  if (g_str_equal (name, "frame"))
    return map_text_new (sources->frame);
  if (g_str_equal (name, "parent_frame"))
    return map_text_new (sources->parent_frame);
  if (g_str_equal (name, "child_frame"))
    return map_text_new (sources->child_frame);
  if (g_str_equal (name, "pub_tf"))
    return map_number_new (sources->pub_tf);
  if (g_str_equal (name, "names"))
    return resolve_names (sources->record);
  if (g_str_equal (name, "values"))
    return resolve_values (sources->record);
  if (g_str_equal (name, "timestamp") || g_str_equal (name, "record")) {
    gboolean is_time = *name == 't';

    node = map_node_new (is_time ? MAP_TIME : MAP_RECORD, is_time ? eval_timestamp : eval_record);
    node->place = sources->record;
    return node;
  }
  orrery_set_error (error, ORRERY_ERROR_CONFIG,
                    "'%s': there is timestamp, record, names, values, frame, parent_frame, "
                    "child_frame, pub_tf",
                    name);
  return NULL;
}

MapNode *
map_sources_resolve (gpointer data, const char *const *names, guint *n_used, GError **error)
{
  *n_used = 1;
  if (names[1] == NULL)
    return resolve_single (data, names[0], error);
  return resolve_pair (data, names, n_used, error);
}
