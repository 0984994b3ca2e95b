/* SPDX-License-Identifier: BSD-3-Clause */
/* What a saved state says of the scene that it belongs to. */
#include "simulation/orrery-simulation-private.h"

#include "base/orrery-hash-private.h"
#include "world/orrery-quantity-private.h"

#include <string.h>

static guint64
fold_shape (guint64 hash, OrreryShape *shape)
{
  OrreryBuffer *points = orrery_shape_get_points (shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (shape);

  hash = orrery_hash_word (hash, orrery_shape_get_kind (shape));
  hash = orrery_hash_word (hash, orrery_shape_is_solid (shape));
  hash = orrery_hash_bytes (hash, orrery_shape_get_pose (shape), sizeof (OrreryTransform));
  hash = orrery_hash_bytes (hash, orrery_shape_get_size (shape), sizeof (OrreryVec3));
  if (points != NULL)
    hash =
        orrery_hash_bytes (hash, orrery_buffer_get_data (points), orrery_buffer_get_size (points));
  if (triangles != NULL)
    hash = orrery_hash_bytes (hash, orrery_buffer_get_data (triangles),
                              orrery_buffer_get_size (triangles));
  return hash;
}

static guint64
fold_joint (guint64 hash, const OrreryJoint *joint)
{
  const double numbers[] = { joint->lower,     joint->upper,         joint->reference,
                             joint->max_speed, joint->max_effort,    joint->damping,
                             joint->friction,  joint->armature,      joint->stiffness,
                             joint->rest,      joint->position_gain, joint->velocity_gain };

  hash = orrery_hash_word (hash, joint->kind);
  hash = orrery_hash_word (hash, joint->limited != FALSE);
  hash = orrery_hash_bytes (hash, &joint->axis, sizeof joint->axis);
  hash = orrery_hash_bytes (hash, &joint->anchor, sizeof joint->anchor);
  return orrery_hash_bytes (hash, numbers, sizeof numbers);
}

static guint64
fold_numbers (guint64 hash, const OrreryBody *body)
{
  const double numbers[] = { body->mass,
                             body->margin,
                             body->friction,
                             body->restitution,
                             body->linear_damping,
                             body->angular_damping,
                             body->linear_factor.x,
                             body->linear_factor.y,
                             body->linear_factor.z,
                             body->angular_factor.x,
                             body->angular_factor.y,
                             body->angular_factor.z };

  return orrery_hash_bytes (hash, numbers, sizeof numbers);
}

/* Shape and mass of an object; its pose is part of the state. */
static guint64
fold_object (OrreryWorld *world, OrreryObject *object)
{
  GPtrArray *shapes = orrery_object_get_scene_shapes (object);
  guint64 hash;
  OrreryBody body;

  /* What changes while the scene runs is part of the state, too. */
  orrery_world_get_first_body (world, object, &body);
  hash = orrery_hash_word (0, body.type);
  hash = orrery_hash_word (hash, body.gravity != FALSE);
  hash = fold_numbers (hash, &body);
  hash = orrery_hash_bytes (hash, orrery_object_get_start (object), sizeof (OrreryTransform));
  if (orrery_object_get_joint (object) != NULL)
    hash = fold_joint (hash, orrery_object_get_joint (object));
  for (guint i = 0; i < shapes->len; i++)
    hash = fold_shape (hash, shapes->pdata[i]);
  return hash;
}

static void
list_parts (GVariantBuilder *list, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    OrreryPart *part = parts->pdata[i];

    if (ORRERY_IS_COMPONENT (part) || ORRERY_IS_MODIFIER (part))
      g_variant_builder_add (list, "(ss)", orrery_part_get_name (part),
                             orrery_part_get_classpath (part));
  }
}

/* States have the places of materials in the list of the scene. */
static const char *
get_material_name (OrrerySimulation *self, guint index)
{
  return orrery_material_get_name (orrery_world_get_material (self->instance->world, index));
}

static GVariant *
describe_scene (OrrerySimulation *self)
{
  OrreryPhysics *physics = self->instance->assembly.physics;
  const OrreryRunnerSettings *settings = orrery_runner_get_settings (self->instance->runner);
  GVariantBuilder parts;
  GVariantBuilder objects;
  GVariantBuilder materials;

  g_variant_builder_init (&parts, G_VARIANT_TYPE ("a(ss)"));
  list_parts (&parts, self->instance->assembly.components);
  list_parts (&parts, self->instance->assembly.parts);
  g_variant_builder_init (&objects, G_VARIANT_TYPE ("a(st)"));
  for (guint i = 0; i < orrery_world_get_n_objects (self->instance->world); i++) {
    OrreryObject *object = orrery_world_get_object (self->instance->world, i);

    g_variant_builder_add (&objects, "(st)", orrery_object_get_name (object),
                           fold_object (self->instance->world, object));
  }
  g_variant_builder_init (&materials, G_VARIANT_TYPE ("a(s)"));
  for (guint i = 0; i < orrery_world_get_n_materials (self->instance->world); i++)
    g_variant_builder_add (&materials, "(s)", get_material_name (self, i));
  return g_variant_new (ORRERY_SAVED_SCENE_TYPE, settings->frequency, settings->substeps,
                        physics != NULL ? orrery_part_get_classpath (ORRERY_PART (physics)) : "",
                        &parts, &objects, &materials);
}

static guint64
fold_text (guint64 hash, const char *text)
{
  return orrery_hash_bytes (hash, text, strlen (text) + 1);
}

static guint64
fold_parts (guint64 hash, GPtrArray *parts)
{
  for (guint i = 0; i < parts->len; i++) {
    hash = fold_text (hash, orrery_part_get_name (parts->pdata[i]));
    hash = fold_text (hash, orrery_part_get_classpath (parts->pdata[i]));
  }
  return hash;
}

/* Of all that describe_scene() describes. */
static guint64
fold_scene (OrrerySimulation *self)
{
  OrreryInstance *instance = self->instance;
  OrreryPhysics *physics = instance->assembly.physics;
  const OrreryRunnerSettings *settings = orrery_runner_get_settings (instance->runner);
  guint64 hash = orrery_hash_double (settings->substeps, settings->frequency);

  if (physics != NULL)
    hash = fold_text (hash, orrery_part_get_classpath (ORRERY_PART (physics)));
  hash = fold_parts (hash, instance->assembly.components);
  hash = fold_parts (hash, instance->assembly.parts);
  for (guint i = 0; i < orrery_world_get_n_objects (instance->world); i++) {
    OrreryObject *object = orrery_world_get_object (instance->world, i);

    hash = fold_text (hash, orrery_object_get_name (object));
    hash = orrery_hash_word (hash, fold_object (instance->world, object));
  }
  for (guint i = 0; i < orrery_world_get_n_materials (instance->world); i++)
    hash = fold_text (hash, get_material_name (self, i));
  return hash;
}

void
orrery_instance_forget_scene (OrreryInstance *self)
{
  g_clear_pointer (&self->description, g_variant_unref);
  self->folded = 0;
}

/* Who builds the world may change it until its first tick. */
static OrreryInstance *
get_settled (OrrerySimulation *self)
{
  if (orrery_simulation_get_n_ticks (self) == 0)
    orrery_instance_forget_scene (self->instance);
  return self->instance;
}

GVariant *
orrery_saved_scene_describe (OrrerySimulation *self)
{
  OrreryInstance *instance = get_settled (self);

  if (instance->description == NULL) {
    instance->description = g_variant_ref_sink (describe_scene (self));
    g_variant_get_data (instance->description);
  }
  return instance->description;
}

guint64
orrery_saved_scene_fold (OrrerySimulation *self)
{
  OrreryInstance *instance = get_settled (self);

  if (instance->folded == 0)
    instance->folded = fold_scene (self);
  return instance->folded;
}

static gboolean refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse (GError **error, const char *format, ...)
{
  g_autofree char *words = NULL;
  va_list arguments;

  va_start (arguments, format);
  words = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return orrery_set_error (error, ORRERY_ERROR_INVALID, "the state is of another scene: %s", words);
}

gboolean
orrery_saved_scene_is_fresh (const char *name, const char *const *fresh)
{
  for (const char *const *each = fresh; each != NULL && *each != NULL; each++) {
    gsize length = strlen (*each);

    if (strncmp (name, *each, length) == 0 && (name[length] == '\0' || name[length] == '/'))
      return TRUE;
  }
  return FALSE;
}

/* @parts: of type a(ss). Returns: (transfer full): those that do not begin afresh */
static GVariant *
leave_out (GVariant *parts, const char *const *fresh)
{
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(ss)"));
  for (gsize i = 0; i < g_variant_n_children (parts); i++) {
    const char *name, *classpath;

    g_variant_get_child (parts, i, "(&s&s)", &name, &classpath);
    if (!orrery_saved_scene_is_fresh (name, fresh))
      g_variant_builder_add (&list, "(ss)", name, classpath);
  }
  return g_variant_ref_sink (g_variant_builder_end (&list));
}

/* Both are lists of (name, description), in the order of the scene. */
static gboolean
compare_lists (GVariant *theirs, GVariant *ours, const char *kind, GError **error)
{
  gsize n = g_variant_n_children (theirs);
  gsize m = g_variant_n_children (ours);

  for (gsize i = 0; i < MAX (n, m); i++) {
    g_autoptr (GVariant) a = i < n ? g_variant_get_child_value (theirs, i) : NULL;
    g_autoptr (GVariant) b = i < m ? g_variant_get_child_value (ours, i) : NULL;
    const char *x = NULL, *y = NULL;

    if (a != NULL)
      g_variant_get_child (a, 0, "&s", &x);
    if (b != NULL)
      g_variant_get_child (b, 0, "&s", &y);
    if (x == NULL)
      return refuse (error, "it has no %s %s", kind, y);
    if (y == NULL)
      return refuse (error, "it has a %s %.60s, this one has none", kind, x);
    if (strcmp (x, y) != 0)
      return refuse (error, "it has a %s %.60s where this one has %s", kind, x, y);
    if (!g_variant_equal (a, b))
      return refuse (error, "its %s %s is another one", kind, y);
  }
  return TRUE;
}

static gboolean
compare_parts (GVariant *theirs, GVariant *ours, const char *const *fresh, GError **error)
{
  g_autoptr (GVariant) a = leave_out (theirs, fresh);
  g_autoptr (GVariant) b = leave_out (ours, fresh);

  return compare_lists (a, b, "part", error);
}

/* What a description says. */
typedef struct {
  double frequency;
  guint substeps;
  const char *physics; /* borrowed */
  GVariant *parts;
  GVariant *objects;
  GVariant *materials;
} Description;

static void
read_description (Description *it, GVariant *scene)
{
  g_variant_get (scene, "(du&s@a(ss)@a(st)@a(s))", &it->frequency, &it->substeps, &it->physics,
                 &it->parts, &it->objects, &it->materials);
}

static void
clear_description (Description *it)
{
  g_clear_pointer (&it->parts, g_variant_unref);
  g_clear_pointer (&it->objects, g_variant_unref);
  g_clear_pointer (&it->materials, g_variant_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Description, clear_description)

static gboolean
compare_runs (const Description *theirs, const Description *ours, GError **error)
{
  if (!(theirs->frequency == ours->frequency) || theirs->substeps != ours->substeps)
    return refuse (error, "it runs at %g Hz with %u substeps, this one at %g Hz with %u",
                   theirs->frequency, theirs->substeps, ours->frequency, ours->substeps);
  if (strcmp (theirs->physics, ours->physics) != 0)
    return refuse (error, "its physics is '%.60s', not '%s'", theirs->physics, ours->physics);
  return compare_lists (theirs->materials, ours->materials, "material", error);
}

gboolean
orrery_saved_scene_check (OrrerySimulation *self, GVariant *theirs, const char *const *fresh,
                          GError **error)
{
  GVariant *ours = orrery_saved_scene_describe (self);
  g_auto (Description) their = { 0 }, own = { 0 };

  if (g_variant_equal (theirs, ours))
    return TRUE;
  read_description (&their, theirs);
  read_description (&own, ours);
  return compare_runs (&their, &own, error) &&
         compare_parts (their.parts, own.parts, fresh, error) &&
         compare_lists (their.objects, own.objects, "object", error);
}

gboolean
orrery_saved_scene_begins (OrrerySimulation *self, GVariant *theirs, guint n_objects,
                           GError **error)
{
  g_auto (Description) their = { 0 }, own = { 0 };
  g_autoptr (GVariant) first = NULL;
  GVariantBuilder list;

  read_description (&their, theirs);
  read_description (&own, orrery_saved_scene_describe (self));
  g_variant_builder_init (&list, G_VARIANT_TYPE ("a(st)"));
  for (gsize i = 0; i < MIN (n_objects, g_variant_n_children (their.objects)); i++) {
    g_autoptr (GVariant) object = g_variant_get_child_value (their.objects, i);

    g_variant_builder_add_value (&list, object);
  }
  first = g_variant_ref_sink (g_variant_builder_end (&list));
  return compare_runs (&their, &own, error) && compare_lists (first, own.objects, "object", error);
}
