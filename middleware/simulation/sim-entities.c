/* SPDX-License-Identifier: BSD-3-Clause */
/* The entities of a scene for simulation_interfaces. */
#include "sim-entities.h"

#include "../message/variant.h"
#include "sim-filter.h"

#include <string.h>

#define WORLD_FRAME "world"
#define HUMANS "orrery.robots.human."

/* Values of an object by which a scene says what it is. */
#define NAMED_POSE "named_pose"
#define DESCRIPTION "description"
#define TAGS "tags"
/* Begins the tag of what was spawned; behind it is the name of the object of the scene. */
#define PLACE "place:"

typedef enum {
  CATEGORY_OBJECT = 0,
  CATEGORY_ROBOT = 1,
  CATEGORY_HUMAN = 2,
  CATEGORY_DYNAMIC_OBJECT = 4,
  CATEGORY_STATIC_OBJECT = 5,
} Category;

typedef struct {
  OrreryObject *object; /* borrowed from the world */
  Category category;
} Entity;

struct _SimEntities {
  OrreryWorld *world;
  GArray *entities; /* (element-type Entity) in the order of the scene */
  GPtrArray *poses; /* (element-type OrreryObject) */
  guint n_objects;  /* of which those are all */
};

/* --- which there are --- */

static Category
classify (OrreryObject *object)
{
  OrreryBodyType body = orrery_object_get_body (object)->type;

  if (orrery_object_is_robot (object))
    return g_str_has_prefix (orrery_object_get_classpath (object), HUMANS) ? CATEGORY_HUMAN
                                                                           : CATEGORY_ROBOT;
  if (body == ORRERY_BODY_DYNAMIC || body == ORRERY_BODY_RIGID)
    return CATEGORY_DYNAMIC_OBJECT;
  return body == ORRERY_BODY_STATIC ? CATEGORY_STATIC_OBJECT : CATEGORY_OBJECT;
}

/* Among the objects that are new since the last look, too. Entities move in memory then. */
static void
know_all (SimEntities *self)
{
  guint n = orrery_world_get_n_objects (self->world);

  for (guint i = self->n_objects; i < n; i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);
    Entity entity = { object, classify (object) };

    if (orrery_object_is_set (object, NAMED_POSE))
      g_ptr_array_add (self->poses, object);
    else if (orrery_object_get_parent (object) == NULL || orrery_object_is_robot (object))
      g_array_append_val (self->entities, entity);
  }
  self->n_objects = n;
}

SimEntities *
sim_entities_new (OrrerySetup *setup)
{
  SimEntities *self = g_new0 (SimEntities, 1);

  self->world = g_object_ref (orrery_setup_get_world (setup));
  self->entities = g_array_new (FALSE, FALSE, sizeof (Entity));
  self->poses = g_ptr_array_new ();
  know_all (self);
  return self;
}

void
sim_entities_free (SimEntities *entities)
{
  g_array_unref (entities->entities);
  g_ptr_array_unref (entities->poses);
  g_object_unref (entities->world);
  g_free (entities);
}

/* From the first tick after it was spawned to the request that deletes it. */
static gboolean
is_there (OrreryObject *object)
{
  return orrery_object_is_present (object) && orrery_object_get_instance_name (object) != NULL;
}

/* The name as an instance, or that of the object of the scene. */
static const Entity *
find_by_name (SimEntities *self, const char *name)
{
  OrreryObject *object = orrery_world_find_object (self->world, name);

  know_all (self);
  for (guint i = 0; i < self->entities->len; i++) {
    const Entity *entity = &g_array_index (self->entities, Entity, i);

    if (entity->object == object && is_there (object))
      return entity;
  }
  return NULL;
}

gboolean
sim_entities_has (SimEntities *entities, const char *name)
{
  return find_by_name (entities, name) != NULL;
}

static const Entity *
find (const SimQuestion *question)
{
  g_autofree char *name = sim_get_text (question->request, "entity");
  const Entity *entity = find_by_name (question->entities, name);

  if (entity != NULL)
    return entity;
  sim_answer_set (question->answer, SIM_NOT_FOUND,
                  "there is no entity '%.120s'; get_entities lists what there is", name);
  return NULL;
}

/* --- what the scene says of them --- */

static void
add_tags (GStrvBuilder *tags, GVariant *value)
{
  g_auto (GStrv) parts = NULL;

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)) {
    parts = g_strsplit (g_variant_get_string (value, NULL), ",", -1);
    for (guint i = 0; parts[i] != NULL; i++)
      if (*g_strstrip (parts[i]) != '\0')
        g_strv_builder_add (tags, parts[i]);
    return;
  }
  if (!g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY))
    return;
  for (gsize i = 0; i < g_variant_n_children (value); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (value, i);
    g_autoptr (GVariant) text = message_variant_unbox (child);

    if (g_variant_is_of_type (text, G_VARIANT_TYPE_STRING))
      g_strv_builder_add (tags, g_variant_get_string (text, NULL));
  }
}

/* Returns: (transfer full) (nullable): the tag from which clients know the topics of what was
 * spawned */
static char *
make_place (OrreryObject *object)
{
  const char *name = orrery_object_get_name (object);

  return g_strcmp0 (orrery_object_get_instance_name (object), name) != 0
             ? g_strconcat (PLACE, name, NULL)
             : NULL;
}

/* A text with commas, or a list of texts. */
static GStrv
get_tags (OrreryObject *object)
{
  g_autoptr (GStrvBuilder) tags = g_strv_builder_new ();
  g_autofree char *place = make_place (object);
  GVariant *value = orrery_object_get_value (object, TAGS);

  if (value != NULL)
    add_tags (tags, value);
  if (place != NULL)
    g_strv_builder_add (tags, place);
  return g_strv_builder_end (tags);
}

static GVariant *
list_texts (const char *const *texts)
{
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  for (guint i = 0; texts[i] != NULL; i++)
    g_variant_builder_add (&list, "v", g_variant_new_string (texts[i]));
  return g_variant_builder_end (&list);
}

static void
add_description (GVariantBuilder *message, OrreryObject *object)
{
  g_auto (GStrv) tags = get_tags (object);

  g_variant_builder_add (message, "{sv}", "description",
                         g_variant_new_string (orrery_object_get_text (object, DESCRIPTION, "")));
  g_variant_builder_add (message, "{sv}", "tags", list_texts ((const char *const *) tags));
}

/* --- how large they are --- */

typedef struct {
  gboolean is_there;
  OrreryVec3 lower, upper;
} Box;

static void
merge (Box *box, const OrreryVec3 *lower, const OrreryVec3 *upper)
{
  if (!box->is_there)
    *box = (Box){ TRUE, *lower, *upper };
  box->lower = (OrreryVec3){ fmin (box->lower.x, lower->x), fmin (box->lower.y, lower->y),
                             fmin (box->lower.z, lower->z) };
  box->upper = (OrreryVec3){ fmax (box->upper.x, upper->x), fmax (box->upper.y, upper->y),
                             fmax (box->upper.z, upper->z) };
}

/* @frame: world pose of the axes along which the box lies */
static void
measure (SimEntities *self, OrreryObject *object, const OrreryTransform *frame, Box *box)
{
  GPtrArray *shapes = orrery_object_get_shapes (object);
  GPtrArray *children = orrery_object_get_children (object);
  OrreryTransform pose;

  orrery_transform_relative (frame,
                             orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world),
                                                       orrery_object_get_index (object)),
                             &pose);
  for (guint i = 0; i < shapes->len; i++) {
    OrreryVec3 lower, upper;

    orrery_shape_get_bounds (shapes->pdata[i], &pose, &lower, &upper);
    merge (box, &lower, &upper);
  }
  for (guint i = 0; i < children->len; i++)
    measure (self, children->pdata[i], frame, box);
}

static const OrreryTransform *
get_pose (SimEntities *self, OrreryObject *object)
{
  return orrery_snapshot_get_pose (orrery_world_get_snapshot (self->world),
                                   orrery_object_get_index (object));
}

/* In its own frame: the upper corner, then the lower one. */
static GVariant *
describe_bounds (SimEntities *self, OrreryObject *object)
{
  GVariantBuilder bounds = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder points = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));
  Box box = { 0 };

  measure (self, object, get_pose (self, object), &box);
  if (box.is_there) {
    g_variant_builder_add (&points, "v", sim_vector (&box.upper));
    g_variant_builder_add (&points, "v", sim_vector (&box.lower));
  }
  g_variant_builder_add (&bounds, "{sv}", "type", g_variant_new_int64 (box.is_there));
  g_variant_builder_add (&bounds, "{sv}", "points", g_variant_builder_end (&points));
  return g_variant_builder_end (&bounds);
}

static void
answer_bounds (const SimQuestion *question, OrreryObject *object)
{
  sim_answer_add (question->answer, "bounds", describe_bounds (question->entities, object));
}

GVariant *
sim_entities_describe_spawnable (SimEntities *entities, const char *name, const char *place)
{
  OrreryObject *object = orrery_world_find_object (entities->world, place);
  GVariantBuilder spawnable = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder resource = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&resource, "{sv}", "uri", g_variant_new_string (name));
  g_variant_builder_add (&spawnable, "{sv}", "entity_resource", g_variant_builder_end (&resource));
  g_variant_builder_add (&spawnable, "{sv}", "description",
                         g_variant_new_string (orrery_object_get_text (object, DESCRIPTION, "")));
  g_variant_builder_add (&spawnable, "{sv}", "spawn_bounds", describe_bounds (entities, object));
  return g_variant_builder_end (&spawnable);
}

void
sim_get_entity_bounds (const SimQuestion *question)
{
  const Entity *entity = find (question);

  if (entity != NULL)
    answer_bounds (question, entity->object);
}

/* --- lists --- */

static gboolean
is_in_box (SimEntities *self, const SimFilter *filter, OrreryObject *object)
{
  const OrreryTransform *pose = get_pose (self, object);
  OrreryTransform world;
  Box box = { 0 };

  if (!filter->has_box)
    return TRUE;
  orrery_transform_identity (&world);
  measure (self, object, &world, &box);
  if (!box.is_there)
    box.lower = box.upper = pose->position;
  return sim_filter_has_box (filter, &box.lower, &box.upper);
}

static gboolean
is_meant (const SimQuestion *question, const SimFilter *filter, const Entity *entity)
{
  g_auto (GStrv) tags = get_tags (entity->object);
  const char *name = orrery_object_get_instance_name (entity->object);
  int named = name != NULL && is_there (entity->object) ? sim_filter_has_name (filter, name) : 0;

  if (named < 0)
    return sim_answer_set (question->answer, SIM_FAILED,
                           "filters.filter takes too long to be compared with a name");
  return named && sim_filter_has_category (filter, entity->category) &&
         sim_filter_has_tags (filter, (const char *const *) tags) &&
         is_in_box (question->entities, filter, entity->object);
}

/* Returns: (element-type Entity): those that the request means; %NULL: @answer says why not */
static GPtrArray *
choose (const SimQuestion *question)
{
  g_auto (SimFilter) filter = { 0 };
  g_autoptr (GPtrArray) chosen = g_ptr_array_new ();
  GArray *all = question->entities->entities;

  know_all (question->entities);
  if (!sim_filter_read (&filter, question->request, question->answer))
    return NULL;
  for (guint i = 0; i < all->len && question->answer->code == SIM_OK; i++)
    if (is_meant (question, &filter, &g_array_index (all, Entity, i)))
      g_ptr_array_add (chosen, &g_array_index (all, Entity, i));
  return question->answer->code == SIM_OK ? g_steal_pointer (&chosen) : NULL;
}

static void
answer_names (const SimQuestion *question, GPtrArray *chosen)
{
  GVariantBuilder names = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  for (guint i = 0; i < chosen->len; i++) {
    const Entity *entity = chosen->pdata[i];

    g_variant_builder_add (&names, "v",
                           g_variant_new_string (orrery_object_get_instance_name (entity->object)));
  }
  sim_answer_add (question->answer, "entities", g_variant_builder_end (&names));
}

void
sim_get_entities (const SimQuestion *question)
{
  g_autoptr (GPtrArray) chosen = choose (question);

  if (chosen != NULL)
    answer_names (question, chosen);
}

/* --- states --- */

static GVariant *
describe_header (OrreryTime time)
{
  GVariantBuilder header = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&header, "{sv}", "stamp", g_variant_new_uint64 ((guint64) time));
  g_variant_builder_add (&header, "{sv}", "frame_id", g_variant_new_string (WORLD_FRAME));
  return g_variant_builder_end (&header);
}

/* Accelerations are not known: they are 0. */
static GVariant *
describe_state (const SimQuestion *question, const Entity *entity)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (question->entities->world);
  guint index = orrery_object_get_index (entity->object);
  GVariantBuilder state = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder twist = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&twist, "{sv}", "linear",
                         sim_vector (orrery_snapshot_get_linear_velocity (snapshot, index)));
  g_variant_builder_add (&twist, "{sv}", "angular",
                         sim_vector (orrery_snapshot_get_angular_velocity (snapshot, index)));
  g_variant_builder_add (&state, "{sv}", "header", describe_header (question->time));
  g_variant_builder_add (&state, "{sv}", "pose",
                         sim_pose (orrery_snapshot_get_pose (snapshot, index)));
  g_variant_builder_add (&state, "{sv}", "twist", g_variant_builder_end (&twist));
  return g_variant_builder_end (&state);
}

void
sim_get_entities_states (const SimQuestion *question)
{
  g_autoptr (GPtrArray) chosen = choose (question);
  GVariantBuilder states = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  if (chosen == NULL) {
    g_variant_builder_clear (&states);
    return;
  }
  answer_names (question, chosen);
  for (guint i = 0; i < chosen->len; i++)
    g_variant_builder_add (&states, "v", describe_state (question, chosen->pdata[i]));
  sim_answer_add (question->answer, "states", g_variant_builder_end (&states));
}

void
sim_get_entity_state (const SimQuestion *question)
{
  const Entity *entity = find (question);

  if (entity != NULL)
    sim_answer_add (question->answer, "state", describe_state (question, entity));
}

/* --- setting a state --- */

typedef struct {
  gboolean has_pose, has_twist;
  OrreryTransform pose;       /* world */
  OrreryVec3 linear, angular; /* world axes */
} Change;

gboolean
sim_is_world_frame (GVariant *header)
{
  g_autofree char *frame = sim_get_text (header, "frame_id");

  return *frame == '\0' || g_str_equal (frame, WORLD_FRAME);
}

static gboolean
check_frame (const SimQuestion *question, GVariant *state)
{
  g_autoptr (GVariant) header = message_variant_find (state, "header");
  g_autofree char *frame = sim_get_text (header, "frame_id");

  return sim_is_world_frame (header) ||
         sim_answer_set (question->answer, SIM_FAILED,
                         "state.header.frame_id is '%.60s'; poses are told in '" WORLD_FRAME
                         "', or in no frame, which means the same",
                         frame);
}

static gboolean
read_twist (const SimQuestion *question, const Entity *entity, GVariant *state, Change *change)
{
  g_autoptr (GVariant) twist = message_variant_find (state, "twist");

  change->linear = sim_get_vector (twist, "linear");
  change->angular = sim_get_vector (twist, "angular");
  if (!orrery_vec3_is_finite (&change->linear) || !orrery_vec3_is_finite (&change->angular))
    return sim_answer_set (question->answer, SIM_FAILED,
                           "state.twist has a number that is not finite");
  return orrery_object_get_mass (entity->object) > 0 ||
         sim_answer_set (question->answer, SIM_FAILED,
                         "'%.60s' has no body that moves, so that it has no twist",
                         orrery_object_get_instance_name (entity->object));
}

static gboolean
read_change (const SimQuestion *question, const Entity *entity, Change *change)
{
  GVariant *request = question->request;
  g_autoptr (GVariant) state = message_variant_find (request, "state");

  *change = (Change){ .has_pose = sim_get_integer (request, "set_pose") != 0,
                      .has_twist = sim_get_integer (request, "set_twist") != 0 };
  if (sim_get_integer (request, "set_acceleration") != 0)
    return sim_answer_set (question->answer, SIM_UNSUPPORTED,
                           "accelerations follow from forces and cannot be set; nothing was "
                           "changed");
  if (!check_frame (question, state))
    return FALSE;
  if (change->has_pose && !sim_get_pose (state, "pose", &change->pose))
    return sim_answer_set (question->answer, SIM_INVALID_POSE,
                           "state.pose has a number that is not finite, or an orientation of "
                           "length 0");
  return !change->has_twist || read_twist (question, entity, state, change);
}

static OrreryTransform
make_local (SimEntities *self, OrreryObject *object, const OrreryTransform *pose)
{
  OrreryObject *parent = orrery_object_get_parent (object);
  OrreryTransform local = *pose;

  if (parent != NULL)
    orrery_transform_relative (get_pose (self, parent), pose, &local);
  return local;
}

/* A body that is moved goes on as fast as it was, unless its twist is set too. */
static gboolean
apply_change (SimEntities *self, OrreryObject *object, const Change *change)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->world);
  OrreryCommands *commands = orrery_world_get_commands (self->world);
  guint index = orrery_object_get_index (object);
  OrreryVec3 linear = *orrery_snapshot_get_linear_velocity (snapshot, index);
  OrreryVec3 angular = *orrery_snapshot_get_angular_velocity (snapshot, index);
  OrreryTransform local;

  if (change->has_twist) {
    linear = change->linear;
    angular = change->angular;
  }
  if (change->has_pose) {
    local = make_local (self, object, &change->pose);
    if (!orrery_commands_set_pose (commands, object, &local))
      return FALSE;
  }
  return orrery_object_get_mass (object) <= 0 ||
         orrery_commands_set_velocity (commands, object, &linear, &angular);
}

void
sim_set_entity_state (const SimQuestion *question)
{
  const Entity *entity = find (question);
  Change change;

  if (entity == NULL || !read_change (question, entity, &change))
    return;
  if (question->is_stopped)
    sim_answer_set (question->answer, SIM_INCORRECT_STATE,
                    "the simulation is stopped, and begins with everything at its start; set its "
                    "state to 1 (playing) or 2 (paused) first");
  else if ((change.has_pose || change.has_twist) &&
           !apply_change (question->entities, entity->object, &change))
    sim_answer_set (question->answer, SIM_INVALID_POSE,
                    "the state of '%.60s' is beyond 1e8 m, m/s or rad/s",
                    orrery_object_get_instance_name (entity->object));
}

/* --- information --- */

void
sim_get_entity_info (const SimQuestion *question)
{
  const Entity *entity = find (question);
  GVariantBuilder info = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
  GVariantBuilder category = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  if (entity != NULL) {
    g_variant_builder_add (&category, "{sv}", "category", g_variant_new_int64 (entity->category));
    g_variant_builder_add (&info, "{sv}", "category", g_variant_builder_end (&category));
    add_description (&info, entity->object);
    sim_answer_add (question->answer, "info", g_variant_builder_end (&info));
    return;
  }
  g_variant_builder_clear (&category);
  g_variant_builder_clear (&info);
}

/* Without the tag that is added to them where they are told. */
static GVariant *
pack_tags (OrreryObject *object, GStrv tags)
{
  g_autofree char *place = make_place (object);
  GVariantBuilder list = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_STRING_ARRAY);

  for (guint i = 0; tags[i] != NULL; i++)
    if (g_strcmp0 (tags[i], place) != 0)
      g_variant_builder_add (&list, "s", tags[i]);
  return g_variant_builder_end (&list);
}

void
sim_set_entity_info (const SimQuestion *question)
{
  const Entity *entity = find (question);
  g_autoptr (GVariant) info = message_variant_find (question->request, "info");
  g_autoptr (GVariant) category = message_variant_find (info, "category");
  OrreryCommands *commands = orrery_world_get_commands (question->entities->world);
  g_auto (GStrv) tags = sim_get_texts (info, "tags");
  g_autofree char *description = sim_get_text (info, "description");

  if (entity == NULL)
    return;
  if (sim_get_integer (category, "category") != entity->category) {
    sim_answer_set (question->answer, SIM_UNSUPPORTED,
                    "the category of '%.60s' is %d and cannot be changed; nothing was changed",
                    orrery_object_get_instance_name (entity->object), entity->category);
    return;
  }
  orrery_commands_set_value (commands, entity->object, DESCRIPTION,
                             g_variant_new_string (description));
  orrery_commands_set_value (commands, entity->object, TAGS, pack_tags (entity->object, tags));
}

/* --- named poses --- */

static GVariant *
describe_named_pose (SimEntities *self, OrreryObject *object)
{
  GVariantBuilder pose = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  g_variant_builder_add (&pose, "{sv}", "name",
                         g_variant_new_string (orrery_object_get_instance_name (object)));
  add_description (&pose, object);
  g_variant_builder_add (&pose, "{sv}", "pose", sim_pose (get_pose (self, object)));
  return g_variant_builder_end (&pose);
}

void
sim_get_named_poses (const SimQuestion *question)
{
  SimEntities *self = question->entities;
  g_auto (SimFilter) filter = { 0 };
  GVariantBuilder poses = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE ("av"));

  know_all (self);
  if (sim_filter_read_tags (&filter, question->request, question->answer))
    for (guint i = 0; i < self->poses->len; i++) {
      g_auto (GStrv) tags = get_tags (self->poses->pdata[i]);

      if (is_there (self->poses->pdata[i]) &&
          sim_filter_has_tags (&filter, (const char *const *) tags))
        g_variant_builder_add (&poses, "v", describe_named_pose (self, self->poses->pdata[i]));
    }
  sim_answer_add (question->answer, "poses", g_variant_builder_end (&poses));
}

void
sim_get_named_pose_bounds (const SimQuestion *question)
{
  g_autofree char *name = sim_get_text (question->request, "name");
  SimEntities *self = question->entities;

  know_all (self);
  for (guint i = 0; i < self->poses->len; i++)
    if (orrery_world_find_object (self->world, name) == self->poses->pdata[i] &&
        is_there (self->poses->pdata[i])) {
      answer_bounds (question, self->poses->pdata[i]);
      return;
    }
  sim_answer_set (question->answer, SIM_NOT_FOUND,
                  "there is no named pose '%.120s'; get_named_poses lists what there is", name);
}
