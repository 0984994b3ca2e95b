/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects of a world: names, places in the tree, properties, shapes and bodies. */
#include "world/orrery-world-private.h"

#include "base/orrery-hash-private.h"

#include <math.h>
#include <string.h>

G_DEFINE_FINAL_TYPE (OrreryObject, orrery_object, G_TYPE_OBJECT)

static void
orrery_object_finalize (GObject *gobject)
{
  OrreryObject *self = ORRERY_OBJECT (gobject);

  g_clear_pointer (&self->children, g_ptr_array_unref);
  g_clear_pointer (&self->shapes, g_ptr_array_unref);
  g_clear_pointer (&self->scene_shapes, g_ptr_array_unref);
  g_clear_pointer (&self->values, g_hash_table_unref);
  g_clear_pointer (&self->lamp, g_free);
  g_clear_pointer (&self->look, g_free);
  g_clear_pointer (&self->wheel, g_free);
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->alias, g_free);
  g_clear_pointer (&self->classpath, g_free);
  g_clear_pointer (&self->joint, g_free);
  g_clear_pointer (&self->constraints, g_array_unref);
  g_clear_pointer (&self->inertial, g_free);
  G_OBJECT_CLASS (orrery_object_parent_class)->finalize (gobject);
}

static void
orrery_object_class_init (OrreryObjectClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_object_finalize;
}

static void
orrery_object_init (OrreryObject *self)
{
  self->children = g_ptr_array_new ();
  self->shapes = g_ptr_array_new_with_free_func ((GDestroyNotify) orrery_shape_unref);
  self->values = g_hash_table_new_full (orrery_text_hash, g_str_equal, g_free,
                                        (GDestroyNotify) g_variant_unref);
  self->visible = self->starts_visible = TRUE;
  self->file_scale = (OrreryVec3){ 1, 1, 1 };
  orrery_transform_identity (&self->start);

  /* Defaults of MORSE for objects. */
  self->body.mass = 1.0;
  self->body.margin = ORRERY_NO_MARGIN;
  self->body.friction = 0.5;
  self->body.linear_damping = 0.04;
  self->body.angular_damping = 0.10;
  self->body.linear_factor = (OrreryVec3){ 1, 1, 1 };
  self->body.angular_factor = (OrreryVec3){ 1, 1, 1 };
  self->body.gravity = TRUE;
}

OrreryObject *
orrery_object_new (const char *name, OrreryObject *parent, guint index)
{
  OrreryObject *self = g_object_new (ORRERY_TYPE_OBJECT, NULL);

  self->name = parent != NULL ? g_strconcat (parent->name, ".", name, NULL) : g_strdup (name);
  self->basename = self->name + strlen (self->name) - strlen (name);
  self->parent = parent;
  self->index = index;
  if (parent != NULL)
    g_ptr_array_add (parent->children, self);
  return self;
}

void
orrery_object_leave (OrreryObject *object)
{
  object->parent = NULL;
  object->tagged = NULL;
  g_ptr_array_set_size (object->children, 0);
}

ORRERY_DEFINE_GETTER (const char *, orrery_object_get_name, OrreryObject, ORRERY_IS_OBJECT,
                      self->name)
ORRERY_DEFINE_GETTER (const char *, orrery_object_get_basename, OrreryObject, ORRERY_IS_OBJECT,
                      self->basename)
ORRERY_DEFINE_GETTER (OrreryObject *, orrery_object_get_parent, OrreryObject, ORRERY_IS_OBJECT,
                      self->parent)
ORRERY_DEFINE_GETTER (GPtrArray *, orrery_object_get_children, OrreryObject, ORRERY_IS_OBJECT,
                      self->children)

guint
orrery_object_get_index (OrreryObject *object)
{
  return object->index;
}

ORRERY_DEFINE_GETTER (const OrreryTransform *, orrery_object_get_start, OrreryObject,
                      ORRERY_IS_OBJECT, &self->start)

void
orrery_object_set_start (OrreryObject *object, const OrreryTransform *pose)
{
  g_return_if_fail (ORRERY_IS_OBJECT (object));
  g_return_if_fail (orrery_transform_is_finite (pose));
  object->start = *pose;
}

GVariant *
orrery_object_get_value (OrreryObject *object, const char *name)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);
  return g_hash_table_lookup (object->values, name);
}

void
orrery_object_set_value (OrreryObject *object, const char *name, GVariant *value)
{
  g_return_if_fail (ORRERY_IS_OBJECT (object));
  g_return_if_fail (name != NULL);

  if (object->tagged != NULL && !object->is_tagged && g_str_equal (name, ORRERY_ZONE_TAG)) {
    object->is_tagged = TRUE;
    g_ptr_array_add (object->tagged, object);
  }
  object->n_set++;
  if (value == NULL)
    g_hash_table_remove (object->values, name);
  else
    g_hash_table_replace (object->values, g_strdup (name), g_variant_ref_sink (value));
}

gboolean
orrery_object_is_set (OrreryObject *object, const char *name)
{
  GVariant *value = orrery_object_get_value (object, name);

  if (value == NULL)
    return FALSE;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return g_variant_get_boolean (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return g_variant_get_int64 (value) != 0;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE))
    return g_variant_get_double (value) != 0;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return *g_variant_get_string (value, NULL) != '\0';
  return TRUE;
}

const char *
orrery_object_get_text (OrreryObject *object, const char *name, const char *otherwise)
{
  GVariant *value = orrery_object_get_value (object, name);

  return value != NULL && g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)
             ? g_variant_get_string (value, NULL)
             : otherwise;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

const char **
orrery_object_get_value_names (OrreryObject *object)
{
  const char **names;
  guint n;

  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);

  names = (const char **) g_hash_table_get_keys_as_array (object->values, &n);
  qsort (names, n, sizeof *names, compare_names);
  return names;
}

ORRERY_DEFINE_GETTER (OrreryBody *, orrery_object_get_body, OrreryObject, ORRERY_IS_OBJECT,
                      &self->body)
ORRERY_DEFINE_GETTER (const OrreryInertial *, orrery_object_get_inertial, OrreryObject,
                      ORRERY_IS_OBJECT, self->inertial)

void
orrery_object_set_inertial (OrreryObject *object, const OrreryInertial *inertial)
{
  g_return_if_fail (ORRERY_IS_OBJECT (object));
  g_free (object->inertial);
  object->inertial = g_memdup2 (inertial, inertial != NULL ? sizeof *inertial : 0);
}

ORRERY_DEFINE_GETTER (OrreryJoint *, orrery_object_get_joint, OrreryObject, ORRERY_IS_OBJECT,
                      self->joint)

void
orrery_object_set_joint (OrreryObject *object, const OrreryJoint *joint)
{
  g_return_if_fail (ORRERY_IS_OBJECT (object));
  g_free (object->joint);
  object->joint = g_memdup2 (joint, joint != NULL ? sizeof *joint : 0);
}

const char *
orrery_object_get_joint_name (OrreryObject *object)
{
  GVariant *name;

  g_return_val_if_fail (ORRERY_IS_OBJECT (object), NULL);

  name = orrery_object_get_value (object, "joint");
  if (name != NULL && g_variant_is_of_type (name, G_VARIANT_TYPE_STRING))
    return g_variant_get_string (name, NULL);
  return orrery_object_get_basename (object);
}

gboolean
orrery_object_has_moving_joint (OrreryObject *object)
{
  g_return_val_if_fail (ORRERY_IS_OBJECT (object), FALSE);
  return object->joint != NULL && object->joint->kind != ORRERY_JOINT_FIXED;
}

void
orrery_object_collect_joints (OrreryObject *object, GPtrArray *joints)
{
  GPtrArray *children;

  g_return_if_fail (ORRERY_IS_OBJECT (object));
  g_return_if_fail (joints != NULL);

  children = orrery_object_get_children (object);
  if (orrery_object_has_moving_joint (object))
    g_ptr_array_add (joints, object);
  for (guint i = 0; i < children->len; i++)
    orrery_object_collect_joints (children->pdata[i], joints);
}

double
orrery_object_get_mass (OrreryObject *object)
{
  const OrreryBody *body = NULL;

  g_return_val_if_fail (ORRERY_IS_OBJECT (object), 0);

  body = &object->body;
  return body->type == ORRERY_BODY_RIGID || body->type == ORRERY_BODY_DYNAMIC ? body->mass : 0;
}

ORRERY_DEFINE_GETTER (const OrreryVec3 *, orrery_object_get_inertia, OrreryObject, ORRERY_IS_OBJECT,
                      &self->body.inertia)
ORRERY_DEFINE_GETTER (GPtrArray *, orrery_object_get_shapes, OrreryObject, ORRERY_IS_OBJECT,
                      self->shapes)

double
orrery_object_get_inner_radius (OrreryObject *object)
{
  double radius = 0;

  g_return_val_if_fail (ORRERY_IS_OBJECT (object), 0);
  for (guint i = 0; i < object->shapes->len; i++) {
    OrreryShape *shape = object->shapes->pdata[i];
    const OrreryVec3 *size = orrery_shape_get_size (shape);

    switch (orrery_shape_get_kind (shape)) {
    case ORRERY_SHAPE_BOX:
      radius = fmax (radius, fmin (size->x, fmin (size->y, size->z)));
      break;
    case ORRERY_SHAPE_SPHERE:
    case ORRERY_SHAPE_CAPSULE:
      radius = fmax (radius, size->x);
      break;
    case ORRERY_SHAPE_CYLINDER:
      radius = fmax (radius, fmin (size->x, size->z));
      break;
    case ORRERY_SHAPE_CONE:
      /* The distance from the middle of the axis to the side. */
      radius = fmax (radius, size->x * size->z / hypot (size->x, 2 * size->z));
      break;
    default:
      break;
    }
  }
  return radius;
}

void
orrery_object_add_shape (OrreryObject *object, OrreryShape *shape)
{
  g_return_if_fail (ORRERY_IS_OBJECT (object));
  g_ptr_array_add (object->shapes, orrery_shape_ref (shape));
}

ORRERY_DEFINE_GETTER (gboolean, orrery_object_is_component, OrreryObject, ORRERY_IS_OBJECT,
                      self->classpath != NULL)

ORRERY_DEFINE_GETTER (gboolean, orrery_object_is_robot, OrreryObject, ORRERY_IS_OBJECT,
                      self->is_robot)

ORRERY_DEFINE_GETTER (const char *, orrery_object_get_classpath, OrreryObject, ORRERY_IS_OBJECT,
                      self->classpath)

ORRERY_DEFINE_GETTER (gboolean, orrery_object_is_present, OrreryObject, ORRERY_IS_OBJECT,
                      !self->parked)

ORRERY_DEFINE_GETTER (const char *, orrery_object_get_instance_name, OrreryObject, ORRERY_IS_OBJECT,
                      self->pooled ? self->alias : self->name)

ORRERY_DEFINE_GETTER (gboolean, orrery_object_starts_visible, OrreryObject, ORRERY_IS_OBJECT,
                      self->starts_visible)

ORRERY_DEFINE_GETTER (gboolean, orrery_object_is_visible, OrreryObject, ORRERY_IS_OBJECT,
                      self->visible && !self->parked)

void
orrery_object_set_visible (OrreryObject *object, gboolean visible)
{
  g_return_if_fail (ORRERY_IS_OBJECT (object));
  object->visible = object->starts_visible = visible;
}
