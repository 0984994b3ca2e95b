/* SPDX-License-Identifier: BSD-3-Clause */
/* Converts one Blender object: its pose, body, shapes, camera and properties. */
#include "blend-object.h"

#include <math.h>
#include <string.h>

/* Object.gameflag. Only these tell what the game engine makes of an object: Object.body_type is
 * written by Blender when its panel is shown, and 0 in most files. */
#define FLAG_DYNAMIC (1 << 0)
#define FLAG_COMPOUND (1 << 1)
#define FLAG_GHOST (1 << 9)
#define FLAG_RIGID (1 << 10)
#define FLAG_BOUNDS (1 << 11)
#define FLAG_COLLISION (1 << 16)
#define FLAG_SOFT (1 << 17)
#define FLAG_SENSOR (1 << 19)
#define FLAG_CHARACTER (1 << 22)
/* Object.gameflag2: locked axes, positions and then rotations */
#define FLAG_LOCK_X (1 << 2)

/* Object.collision_boundtype */
typedef enum {
  BOUND_BOX,
  BOUND_SPHERE,
  BOUND_CYLINDER,
  BOUND_CONE,
  BOUND_MESH,
  BOUND_HULL,
  BOUND_UNUSED,
  BOUND_CAPSULE,
} BlendBound;

/* bProperty.type */
typedef enum { PROPERTY_BOOL, PROPERTY_INT, PROPERTY_FLOAT, PROPERTY_TEXT } BlendProperty;

/* --- where it is --- */

static double
dot (const double *a, const double *b)
{
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static gboolean
normalise (double *v)
{
  double length = sqrt (dot (v, v));

  if (!isfinite (length) || length < 1e-12)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    v[i] /= length;
  return TRUE;
}

/* Axes of a right-handed frame along the columns of a matrix; columns that lie flat give none. */
static gboolean
find_axes (const double columns[3][3], double axes[3][3])
{
  double along;

  memcpy (axes, columns, sizeof (double[3][3]));
  if (!normalise (axes[0]))
    return FALSE;
  along = dot (axes[0], axes[1]);
  for (guint i = 0; i < 3; i++)
    axes[1][i] -= along * axes[0][i];
  if (!normalise (axes[1]))
    return FALSE;
  axes[2][0] = axes[0][1] * axes[1][2] - axes[0][2] * axes[1][1];
  axes[2][1] = axes[0][2] * axes[1][0] - axes[0][0] * axes[1][2];
  axes[2][2] = axes[0][0] * axes[1][1] - axes[0][1] * axes[1][0];
  return TRUE;
}

gboolean
blend_matrix_split (const double columns[3][3], OrreryQuat *rotation, OrreryMat3 *scale)
{
  double axes[3][3];
  OrreryMat3 turned;
  gboolean stands = find_axes (columns, axes);

  if (!stands)
    memcpy (axes, (double[3][3]){ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, sizeof axes);
  for (guint row = 0; row < 3; row++)
    for (guint column = 0; column < 3; column++) {
      double value = dot (axes[row], columns[column]);

      turned.m[3 * row + column] = axes[column][row];
      scale->m[3 * row + column] = isfinite (value) ? value : 0;
    }
  orrery_quat_from_matrix (&turned, rotation);
  return stands;
}

/* obmat is the world matrix as it was when the file was saved, column by column. */
static void
read_matrix (BlendObject *self)
{
  double columns[3][3];
  OrreryVec3 *p = &self->pose.position;

  orrery_transform_identity (&self->pose);
  for (guint i = 0; i < 9; i++)
    columns[i / 3][i % 3] = blend_struct_get_number (&self->object, "obmat", i / 3 * 4 + i % 3);
  *p = (OrreryVec3){ blend_struct_get_number (&self->object, "obmat", 12),
                     blend_struct_get_number (&self->object, "obmat", 13),
                     blend_struct_get_number (&self->object, "obmat", 14) };
  if (!orrery_vec3_is_finite (p))
    *p = (OrreryVec3){ 0 };
  blend_matrix_split (columns, &self->pose.rotation, &self->scale);
}

/* Blender's cameras look along -z, with y up; ours along x, with z up. */
static void
turn_camera (BlendObject *self)
{
  const OrreryQuat turn = { 0.5, -0.5, 0.5, 0.5 };

  orrery_quat_multiply (&self->pose.rotation, &turn, &self->pose.rotation);
}

/* A compound that nothing can hit has no shapes to share. */
static gboolean
is_compound (const BlendStruct *object)
{
  const gint64 both = FLAG_COMPOUND | FLAG_COLLISION;

  return (blend_struct_get_int (object, "gameflag") & both) == both;
}

void
blend_object_init (BlendObject *self, const BlendStruct *object)
{
  BlendStruct id;

  *self = (BlendObject){ .object = *object, .parent = -1 };
  self->kind = (int) blend_struct_get_int (object, "type");
  self->is_compound = is_compound (object);
  if (blend_struct_get_struct (object, "id", &id)) {
    g_autofree char *text = blend_struct_get_text (&id, "name");

    /* "OB" and the name. */
    self->name = g_strdup (strlen (text) > 2 ? text + 2 : "");
  } else {
    self->name = g_strdup ("");
  }
  read_matrix (self);
  if (self->kind == BLEND_CAMERA)
    turn_camera (self);
}

void
blend_object_clear (BlendObject *self)
{
  g_clear_pointer (&self->name, g_free);
  g_clear_pointer (&self->bones, g_array_unref);
}

/* --- properties --- */

static GVariant *
read_value (const BlendStruct *property)
{
  gint32 data = (gint32) blend_struct_get_int (property, "data");
  float number;

  switch (blend_struct_get_int (property, "type")) {
  case PROPERTY_BOOL:
    return g_variant_new_boolean (data != 0);
  case PROPERTY_INT:
    return g_variant_new_int64 (data);
  case PROPERTY_FLOAT:
    /* Blender keeps the bits of the float in the int. */
    memcpy (&number, &data, sizeof number);
    return g_variant_new_double (isfinite (number) ? (double) number : 0);
  case PROPERTY_TEXT: {
    g_autofree char *text = blend_struct_follow_text (property, "poin");

    return g_variant_new_string (text);
  }
  default:
    return g_variant_new_double (0);
  }
}

void
blend_object_read_values (const BlendObject *self)
{
  g_autoptr (GArray) list = blend_struct_get_list (&self->object, "prop");

  for (guint i = 0; i < list->len; i++) {
    const BlendStruct *property = &g_array_index (list, BlendStruct, i);
    g_autofree char *name = blend_struct_get_text (property, "name");
    g_autoptr (GVariant) value = g_variant_ref_sink (read_value (property));

    if (*name != '\0')
      orrery_object_set_value (self->out, name, value);
  }
}

/* --- body --- */

static OrreryBodyType
find_body_type (const BlendObject *self)
{
  gint64 flags = blend_struct_get_int (&self->object, "gameflag");

  if ((flags & FLAG_COLLISION) == 0 || (self->kind != BLEND_MESH && !self->is_compound))
    return ORRERY_BODY_NONE;
  if ((flags & FLAG_CHARACTER) != 0)
    return ORRERY_BODY_DYNAMIC;
  if ((flags & FLAG_SENSOR) != 0)
    return ORRERY_BODY_GHOST;
  if ((flags & FLAG_DYNAMIC) == 0)
    return (flags & FLAG_GHOST) != 0 ? ORRERY_BODY_GHOST : ORRERY_BODY_STATIC;
  return (flags & (FLAG_RIGID | FLAG_SOFT)) != 0 ? ORRERY_BODY_RIGID : ORRERY_BODY_DYNAMIC;
}

static double
read_within (const BlendStruct *s, const char *field, double low, double high, double otherwise)
{
  double value = blend_struct_get_number (s, field, 0);

  return value >= low && value <= high ? value : otherwise;
}

static void
read_surface (const BlendObject *self, const BlendStruct *data, OrreryBody *body)
{
  BlendStruct material;

  body->friction = 0.5;
  body->restitution = 0;
  if (!blend_struct_follow_list (data, "mat", 0, &material))
    return;
  body->friction = read_within (&material, "friction", 0, 100, 0.5);
  body->restitution = read_within (&material, "reflect", 0, 1, 0);
}

static void
read_locks (const BlendObject *self, OrreryBody *body)
{
  gint64 flags = blend_struct_get_int (&self->object, "gameflag2");
  double *factors[] = { &body->linear_factor.x,  &body->linear_factor.y,  &body->linear_factor.z,
                        &body->angular_factor.x, &body->angular_factor.y, &body->angular_factor.z };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    if ((flags & (FLAG_LOCK_X << i)) != 0)
      *factors[i] = 0;
}

static void
read_settings (const BlendObject *self, OrreryBodyType type, OrreryBody *body)
{
  const BlendStruct *s = &self->object;

  body->type = type;
  body->mass = read_within (s, "mass", 1e-9, 1e9, 1);
  body->margin = read_within (s, "margin", 0, 100, 0);
  body->linear_damping = read_within (s, "damping", 0, 1, 0.04);
  body->angular_damping = read_within (s, "rdamping", 0, 1, 0.1);
  read_locks (self, body);
}

/* --- shapes --- */

static BlendBound
find_bound (const BlendObject *self, gboolean moves)
{
  const BlendStruct *s = &self->object;
  const char *field =
      blend_struct_has (s, "collision_boundtype") ? "collision_boundtype" : "boundtype";

  if ((blend_struct_get_int (s, "gameflag") & FLAG_BOUNDS) == 0)
    return moves ? BOUND_SPHERE : BOUND_MESH;
  return (BlendBound) blend_struct_get_int (s, field);
}

static OrreryShape *
make_round (OrreryShapeKind kind, const OrreryVec3 *half, const OrreryTransform *pose)
{
  double radius = fmax (half->x, half->y);
  OrreryVec3 size = { radius, radius, half->z };

  if (kind == ORRERY_SHAPE_CAPSULE)
    size.z = fmax (0, half->z - radius);
  return orrery_shape_new (kind, &size, pose);
}

/* Makes its collision shape, fitted to the bounding box of its points. */
static OrreryShape *
make_bound (const BlendObject *self, const BlendMesh *mesh, BlendBound bound)
{
  OrreryVec3 low, high, half;
  OrreryTransform pose;

  if (!blend_mesh_get_box (mesh, &low, &high))
    return NULL;
  half = (OrreryVec3){ (high.x - low.x) / 2, (high.y - low.y) / 2, (high.z - low.z) / 2 };
  orrery_transform_identity (&pose);
  pose.position = orrery_vec3_add (&low, &half);
  switch (bound) {
  case BOUND_BOX:
    return orrery_shape_new (ORRERY_SHAPE_BOX, &half, &pose);
  case BOUND_SPHERE:
    /* Its own radius, about its origin. */
    half.x = half.y = half.z = read_within (&self->object, "inertia", 1e-6, 1e6, 1);
    return orrery_shape_new (ORRERY_SHAPE_SPHERE, &half, NULL);
  case BOUND_CYLINDER:
    return make_round (ORRERY_SHAPE_CYLINDER, &half, &pose);
  case BOUND_CONE:
    return make_round (ORRERY_SHAPE_CONE, &half, &pose);
  case BOUND_CAPSULE:
    return make_round (ORRERY_SHAPE_CAPSULE, &half, &pose);
  case BOUND_HULL:
    return blend_mesh_get_shape (mesh, ORRERY_SHAPE_HULL);
  default:
    return blend_mesh_get_shape (mesh, ORRERY_SHAPE_MESH);
  }
}

static void
add_shape (const BlendObject *self, OrreryShape *shape, gboolean solid, gboolean visible)
{
  if (shape == NULL)
    return;
  orrery_shape_set_solid (shape, solid);
  orrery_shape_set_visible (shape, visible);
  orrery_object_add_shape (self->out, shape);
  orrery_shape_unref (shape);
}

static gboolean
is_mesh (BlendBound bound)
{
  return bound > BOUND_CAPSULE || bound == BOUND_MESH || bound == BOUND_UNUSED;
}

/* Adds the collision shape and, if that is not the mesh itself, the mesh that is seen. */
static void
add_shapes (const BlendObject *self, const BlendMesh *mesh, gboolean solid, gboolean moves,
            BlendLook *look, const BlendStruct *data)
{
  BlendBound bound = solid ? find_bound (self, moves) : BOUND_MESH;
  OrreryShape *seen = blend_mesh_get_shape (mesh, ORRERY_SHAPE_MESH);

  /* A mesh that moves collides as its hull, because engines do not support moving meshes. */
  if (solid && moves && bound != BOUND_SPHERE && (bound > BOUND_CAPSULE || bound == BOUND_MESH))
    bound = BOUND_HULL;
  if (seen != NULL)
    blend_look_paint (look, seen, mesh, &self->object, data);
  if (!solid || is_mesh (bound)) {
    add_shape (self, seen, solid, TRUE);
    return;
  }
  add_shape (self, make_bound (self, mesh, bound), TRUE, FALSE);
  add_shape (self, seen, FALSE, TRUE);
}

gboolean
blend_object_read_body (const BlendObject *self, const BlendObject *parent, BlendLook *look)
{
  OrreryBodyType type = find_body_type (self);
  gboolean shared = parent != NULL && parent->is_compound && self->is_compound;
  gboolean solid = type != ORRERY_BODY_NONE;
  gboolean fits;
  OrreryBody *body = orrery_object_get_body (self->out);
  BlendMesh mesh = { NULL };
  BlendStruct data;

  /* For whatever the scene makes of it, the margin of the ground counts, as in the game engine. */
  body->margin = 0;
  if (solid && !shared)
    read_settings (self, type, body);
  if (self->kind != BLEND_MESH || !blend_struct_follow (&self->object, "data", &data))
    return TRUE;
  if (solid && !shared)
    read_surface (self, &data, body);
  fits = blend_mesh_read (&mesh, &self->object, &data, &self->scale,
                          BLEND_MAX_TRIANGLES - look->n_triangles);
  if (fits) {
    /* Points without triangles cost memory, too. */
    look->n_triangles += MAX (mesh.triangles->len / 3, mesh.points->len / 2);
    add_shapes (self, &mesh, solid,
                shared || type == ORRERY_BODY_RIGID || type == ORRERY_BODY_DYNAMIC, look, &data);
  }
  blend_mesh_clear (&mesh);
  return fits;
}

/* mm: a lens is told for a sensor of this width. */
#define SENSOR_WIDTH 32.0

void
blend_object_read_camera (const BlendObject *self)
{
  BlendStruct data;
  double lens, width, near, far;

  if (self->kind != BLEND_CAMERA || !blend_struct_follow (&self->object, "data", &data))
    return;
  width = read_within (&data, "sensor_x", 1e-3, 1e4, SENSOR_WIDTH);
  lens = read_within (&data, "lens", 1e-3, 1e4, 35) * SENSOR_WIDTH / width;
  near = read_within (&data, "clipsta", 1e-4, 1e6, 0.1);
  far = read_within (&data, "clipend", 1e-3, 1e6, 100);
  orrery_object_set_value (self->out, "cam_focal", g_variant_new_double (lens));
  orrery_object_set_value (self->out, "cam_near", g_variant_new_double (near));
  orrery_object_set_value (self->out, "cam_far", g_variant_new_double (fmax (far, near + 1e-3)));
}

/* Object.restrictflag */
#define RESTRICT_RENDER (1 << 2)

void
blend_object_read_look (const BlendObject *self)
{
  GPtrArray *shapes = orrery_object_get_shapes (self->out);
  BlendStruct data;

  if (self->kind == BLEND_LAMP && blend_struct_follow (&self->object, "data", &data))
    blend_look_add_lamp (self->out, &data);
  if ((blend_struct_get_int (&self->object, "restrictflag") & RESTRICT_RENDER) == 0)
    return;
  for (guint i = 0; i < shapes->len; i++)
    orrery_shape_set_visible (shapes->pdata[i], FALSE);
}
