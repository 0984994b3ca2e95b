/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the bones of a Blender armature into objects with joints. */
#include "blend-armature.h"

#include <math.h>

#define MAX_BONES 10000
#define MAX_DEPTH 500

/* bPoseChannel.ikflag, for x; y and z follow */
#define IK_LOCKED (1 << 0)
#define IK_LIMITED (1 << 3)

typedef struct {
  BlendStruct bone;
  int parent; /* place in the list, or -1 */
  guint depth;
} Waiting;

typedef struct {
  BlendObject *armature;
  GHashTable *channels; /* (element-type utf8 BlendStruct): the pose, by the names of bones */
  GArray *waiting;      /* (element-type Waiting) */
  GHashTable *seen;     /* (element-type gpointer) */
} Reader;

static void
bone_clear (gpointer data)
{
  g_free (((BlendBone *) data)->name);
}

/* A matrix of four by four, in the frame of the armature, with the scale of that. */
static gboolean
read_pose (const Reader *reader, const BlendStruct *s, const char *field, OrreryTransform *out)
{
  const double *m = reader->armature->scale.m;
  double columns[3][3];
  double at[3];
  OrreryMat3 unused;

  if (!blend_struct_has (s, field))
    return FALSE;
  for (guint i = 0; i < 9; i++)
    columns[i / 3][i % 3] = blend_struct_get_number (s, field, i / 3 * 4 + i % 3);
  for (guint i = 0; i < 3; i++)
    at[i] = blend_struct_get_number (s, field, 12 + i);
  if (!blend_matrix_split (columns, &out->rotation, &unused))
    return FALSE;
  out->position = (OrreryVec3){ m[0] * at[0] + m[1] * at[1] + m[2] * at[2],
                                m[3] * at[0] + m[4] * at[1] + m[5] * at[2],
                                m[6] * at[0] + m[7] * at[1] + m[8] * at[2] };
  return orrery_transform_is_finite (out);
}

static void
read_channels (Reader *reader)
{
  BlendStruct pose;
  g_autoptr (GArray) list = NULL;

  if (!blend_struct_follow (&reader->armature->object, "pose", &pose))
    return;
  list = blend_struct_get_list (&pose, "chanbase");
  for (guint i = 0; i < list->len && i < MAX_BONES; i++) {
    const BlendStruct *channel = &g_array_index (list, BlendStruct, i);

    g_hash_table_insert (reader->channels, blend_struct_get_text (channel, "name"),
                         g_memdup2 (channel, sizeof *channel));
  }
}

/* --- one bone --- */

/* The angle by which @turned rotates about @axis, rad. */
static double
find_twist (const OrreryQuat *turned, const OrreryVec3 *axis)
{
  double along = turned->x * axis->x + turned->y * axis->y + turned->z * axis->z;

  return orrery_normalise_angle (2 * atan2 (along, turned->w));
}

static void
set_limits (const BlendStruct *channel, guint axis, double stretch, OrreryJoint *joint)
{
  gint64 flags = blend_struct_get_int (channel, "ikflag");

  joint->limited = stretch > 0 || (flags & (IK_LIMITED << axis)) != 0;
  joint->lower = stretch > 0 ? 0 : blend_struct_get_number (channel, "limitmin", axis);
  joint->upper = stretch > 0 ? stretch : blend_struct_get_number (channel, "limitmax", axis);
  /* A joint cannot have such limits, so it gets none. */
  if (!(fabs (joint->lower) <= 1e6 && fabs (joint->upper) <= 1e6 && joint->lower <= joint->upper))
    joint->limited = FALSE;
}

/* @moved: from the rest pose to the pose in which the file was saved */
static void
set_joint (OrreryObject *out, const BlendStruct *channel, const OrreryTransform *moved)
{
  double stretch = blend_struct_get_number (channel, "ikstretch", 0);
  gint64 flags = blend_struct_get_int (channel, "ikflag");
  guint axis = 0;
  OrreryJoint joint;

  while (axis < 3 && (flags & (IK_LOCKED << axis)) != 0)
    axis++;
  if (axis == 3)
    return;
  stretch = stretch > 0 && stretch <= 1e6 ? stretch : 0;
  orrery_joint_init (&joint, stretch > 0 ? ORRERY_JOINT_SLIDE : ORRERY_JOINT_HINGE);
  joint.axis = (OrreryVec3){ axis == 0, axis == 1, axis == 2 };
  set_limits (channel, axis, stretch, &joint);
  joint.reference = stretch > 0 ? orrery_vec3_dot (&moved->position, &joint.axis)
                                : find_twist (&moved->rotation, &joint.axis);
  joint.initial = joint.reference;
  orrery_object_set_joint (out, &joint);
}

static void
set_tip (const BlendStruct *bone, OrreryObject *out)
{
  double length = blend_struct_get_number (bone, "length", 0);

  if (length > 0 && length <= 1e6)
    orrery_object_set_value (out, "tip",
                             g_variant_new_fixed_array (G_VARIANT_TYPE_DOUBLE,
                                                        (double[]){ 0, length, 0 }, 3,
                                                        sizeof (double)));
}

static gboolean
add_bone (Reader *reader, const Waiting *waiting, OrreryImport *import, GError **error)
{
  GArray *bones = reader->armature->bones;
  const BlendBone *parent =
      waiting->parent >= 0 ? &g_array_index (bones, BlendBone, waiting->parent) : NULL;
  BlendBone bone = { .name = blend_struct_get_text (&waiting->bone, "name") };
  const BlendStruct *channel = g_hash_table_lookup (reader->channels, bone.name);
  OrreryTransform rest, start, moved;

  if (!read_pose (reader, &waiting->bone, "arm_mat", &bone.rest))
    orrery_transform_identity (&bone.rest);
  if (channel == NULL || !read_pose (reader, channel, "pose_mat", &bone.posed))
    bone.posed = bone.rest;
  rest = bone.rest;
  start = bone.posed;
  if (parent != NULL) {
    orrery_transform_relative (&parent->rest, &bone.rest, &rest);
    orrery_transform_relative (&parent->posed, &bone.posed, &start);
  }
  orrery_transform_relative (&rest, &start, &moved);
  bone.out = orrery_import_add_object (import, bone.name,
                                       parent != NULL ? parent->out : reader->armature->out, error);
  if (bone.out == NULL) {
    bone_clear (&bone);
    return FALSE;
  }
  orrery_object_set_start (bone.out, &start);
  orrery_object_set_value (bone.out, "joint", g_variant_new_string (bone.name));
  set_tip (&waiting->bone, bone.out);
  if (channel != NULL)
    set_joint (bone.out, channel, &moved);
  g_array_append_val (bones, bone);
  return TRUE;
}

/* --- all of them --- */

/* Pushed in reverse order, since the entry that waits longest is taken next. A list that returns to
 * a bone that was seen ends. */
static void
wait_for (Reader *reader, const BlendStruct *s, const char *field, int parent, guint depth)
{
  g_autoptr (GArray) list = blend_struct_get_list (s, field);

  for (guint i = list->len; i > 0 && depth < MAX_DEPTH; i--) {
    Waiting waiting = { g_array_index (list, BlendStruct, i - 1), parent, depth };

    if (g_hash_table_add (reader->seen, (gpointer) blend_struct_get_key (&waiting.bone)))
      g_array_append_val (reader->waiting, waiting);
  }
}

static gboolean
read_bones (Reader *reader, OrreryImport *import, GError **error)
{
  GArray *bones = reader->armature->bones;

  while (reader->waiting->len > 0) {
    Waiting waiting = g_array_index (reader->waiting, Waiting, reader->waiting->len - 1);

    g_array_set_size (reader->waiting, reader->waiting->len - 1);
    if (bones->len >= MAX_BONES)
      return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s: more than %d bones",
                               reader->armature->name, MAX_BONES);
    if (!add_bone (reader, &waiting, import, error))
      return FALSE;
    wait_for (reader, &waiting.bone, "childbase", (int) bones->len - 1, waiting.depth + 1);
  }
  return TRUE;
}

gboolean
blend_armature_read (BlendObject *self, OrreryImport *import, GError **error)
{
  Reader reader = { .armature = self };
  BlendStruct data;
  gboolean fine;

  if (!blend_struct_follow (&self->object, "data", &data) ||
      !g_str_equal (blend_struct_get_type (&data), "bArmature"))
    return TRUE;
  self->bones = g_array_new (FALSE, FALSE, sizeof (BlendBone));
  g_array_set_clear_func (self->bones, bone_clear);
  reader.channels = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  reader.waiting = g_array_new (FALSE, FALSE, sizeof (Waiting));
  reader.seen = g_hash_table_new (NULL, NULL);
  read_channels (&reader);
  wait_for (&reader, &data, "bonebase", -1, 0);
  fine = read_bones (&reader, import, error);
  g_hash_table_unref (reader.channels);
  g_array_unref (reader.waiting);
  g_hash_table_unref (reader.seen);
  return fine;
}

const BlendBone *
blend_armature_find (const BlendObject *self, const char *name)
{
  for (guint i = 0; self->bones != NULL && i < self->bones->len; i++) {
    const BlendBone *bone = &g_array_index (self->bones, BlendBone, i);

    if (g_str_equal (bone->name, name))
      return bone;
  }
  return NULL;
}
