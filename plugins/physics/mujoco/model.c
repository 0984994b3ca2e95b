/* SPDX-License-Identifier: BSD-3-Clause */
/* MuJoCo's model of a world, written as XML. */
#include "model.h"

#include "compile.h"
#include "constraints.h"
#include "flat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A mesh that is not convex is cut into a prism for each triangle: so many, and so thick (m). */
#define MAX_PRISMS 4000
#define PRISM_DEPTH 0.2
#define CONE_SIDES 24
/* m: what a flat shape gets to either side. */
#define SHEET_HALF 0.0005
/* kg: MuJoCo takes no less of what moves. */
#define MIN_MASS 1e-9

typedef struct {
  GString *assets;
  GString *bodies;
  GString *contact;
  GArray *geoms;        /* (element-type Geom), by their numbers in the text */
  double largest_fixed; /* m, margin */
  gboolean plain_boxes; /* nothing has a margin: boxes may meet as boxes */
  gboolean mixed;       /* something that moves rests on surfaces */
  gboolean bare;        /* the geoms that are written now are those surfaces */
  guint piece;          /* that geoms are written of now */
} Text;

/* --- numbers --- */

static void
add_numbers (GString *text, const char *name, guint n, const double *values)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];

  g_string_append_printf (text, " %s='", name);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (text, ' ');
    g_string_append (text, g_ascii_dtostr (number, sizeof number, values[i]));
  }
  g_string_append_c (text, '\'');
}

static void
add_number (GString *text, const char *name, double value)
{
  add_numbers (text, name, 1, &value);
}

static void
add_pose (GString *text, const OrreryTransform *pose)
{
  const OrreryQuat *q = &pose->rotation;

  add_numbers (text, "pos", 3, (double[]){ pose->position.x, pose->position.y, pose->position.z });
  add_numbers (text, "quat", 4, (double[]){ q->w, q->x, q->y, q->z });
}

static gboolean
fail (GError **error, const Thing *thing, const char *words)
{
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "object '%s': %s",
                           orrery_object_get_name (thing->own.object), words);
}

/* Pose of an object at its start in the frame of one above it; NULL: of the world. */
static void
get_start_in (OrreryObject *object, const OrreryObject *until, OrreryTransform *out)
{
  *out = *orrery_object_get_start (object);
  for (object = orrery_object_get_parent (object); object != NULL && object != until;
       object = orrery_object_get_parent (object))
    orrery_transform_multiply (orrery_object_get_start (object), out, out);
}

/* --- meshes --- */

static void
add_mesh (Text *text, const double *points, gsize n)
{
  /* Of the geom that was begun last. */
  g_string_append_printf (text->assets, "<mesh name='m%u'", text->geoms->len - 1);
  add_numbers (text->assets, "vertex", (guint) (3 * n), points);
  g_string_append (text->assets, "/>\n");
}

/* Points of any shape: MuJoCo refuses what has no volume. */
static void
add_points (Text *text, const double *xyz, gsize n)
{
  double normal[3];
  g_autofree double *sheet = flat_find_normal (xyz, n, normal)
                                 ? flat_thicken (xyz, n, normal, SHEET_HALF, SHEET_HALF)
                                 : NULL;

  add_mesh (text, sheet != NULL ? sheet : xyz, sheet != NULL ? 2 * n : n);
}

static void
add_cone (Text *text, const OrreryVec3 *size)
{
  double points[3 * (CONE_SIDES + 1)] = { 0, 0, size->z };

  for (guint i = 1; i <= CONE_SIDES; i++) {
    points[3 * i] = size->x * cos (2 * G_PI * i / CONE_SIDES);
    points[3 * i + 1] = size->x * sin (2 * G_PI * i / CONE_SIDES);
    points[3 * i + 2] = -size->z;
  }
  add_mesh (text, points, CONE_SIDES + 1);
}

/* --- geoms --- */

static gboolean
is_moved (const Thing *thing)
{
  return thing->own.motion == MOTION_FREE || thing->own.motion == MOTION_LINK;
}

double
model_get_margin (const Thing *thing)
{
  return fmax (thing->own.settings->margin, 0);
}

/* What stands still has one geom with its margin and one without: each is met by those for which it
 * counts. Which geoms meet: those that have a bit in common. */
static int
choose_bits (const Text *text, const Thing *thing)
{
  enum { EACH_OTHER = 1, WITH_MARGIN = 2, BARE = 4 };

  if (is_moved (thing))
    return EACH_OTHER | (thing->own.settings->margin == ORRERY_NO_MARGIN ? BARE : WITH_MARGIN);
  if (thing->own.motion != MOTION_FIXED)
    return EACH_OTHER | WITH_MARGIN | BARE;
  if (model_get_margin (thing) > 0)
    return text->bare ? BARE : WITH_MARGIN;
  return WITH_MARGIN | BARE;
}

static void
begin_geom (Text *text, Thing *thing, const OrreryTransform *offset, double margin)
{
  Geom geom = { thing, text->bare ? 0 : margin, text->piece };

  margin = geom.margin;
  g_string_append_printf (text->bodies, "<geom name='g%u'", text->geoms->len);
  if (text->mixed)
    g_string_append_printf (text->bodies, " contype='%d' conaffinity='%d'",
                            choose_bits (text, thing), choose_bits (text, thing));
  add_pose (text->bodies, offset);
  /* MuJoCo takes the larger of two margins; what counts is their sum, which is cut to later. */
  if (is_moved (thing) && margin > 0)
    margin += fmax (margin, text->largest_fixed);
  add_number (text->bodies, "margin", margin);
  g_array_append_val (text->geoms, geom);
}

static void
end_round (Text *text, const char *type, guint n, double radius, double half)
{
  g_string_append_printf (text->bodies, " type='%s'", type);
  add_numbers (text->bodies, "size", n, (double[]){ radius, half });
  g_string_append (text->bodies, "/>\n");
}

static void
end_mesh (Text *text)
{
  g_string_append_printf (text->bodies, " type='mesh' mesh='m%u'/>\n", text->geoms->len - 1);
}

static void
add_prism (Text *text, Thing *thing, const OrreryTransform *offset, const double p[3][3],
           const double n[3])
{
  double points[18];

  for (guint k = 0; k < 3; k++) {
    mju_copy3 (points + 3 * k, p[k]);
    mju_addScl3 (points + 9 + 3 * k, p[k], n, -PRISM_DEPTH);
  }
  begin_geom (text, thing, offset, model_get_margin (thing));
  end_mesh (text);
  add_mesh (text, points, 6);
}

/* A flat mesh without holes and bays is one piece, whatever the number of its triangles. */
static void
add_slab (Text *text, Thing *thing, const Piece *piece, const double normal[3])
{
  OrreryBuffer *points = orrery_shape_get_points (piece->shape);
  gsize n = orrery_buffer_get_length (points, 0);
  g_autofree double *slab =
      flat_thicken (orrery_buffer_get_data (points), n, normal, 0, PRISM_DEPTH);

  begin_geom (text, thing, &piece->offset, model_get_margin (thing));
  end_mesh (text);
  add_mesh (text, slab, 2 * n);
}

/* In the frame of a piece at the start. */
static OrreryVec3
get_up (const Thing *thing, const Piece *piece)
{
  OrreryVec3 up = { 0, 0, 1 };
  OrreryTransform at;

  get_start_in (thing->own.object, NULL, &at);
  orrery_transform_multiply (&at, &piece->offset, &at);
  orrery_quat_rotate_back (&at.rotation, &up, &up);
  return up;
}

static gboolean
add_triangles (Text *text, Thing *thing, const Piece *piece, GError **error)
{
  OrreryBuffer *points = orrery_shape_get_points (piece->shape);
  OrreryBuffer *triangles = orrery_shape_get_triangles (piece->shape);
  const double *xyz = orrery_buffer_get_data (points);
  const guint32 *corners = orrery_buffer_get_data (triangles);
  gsize n_points = orrery_buffer_get_length (points, 0);
  gsize n = orrery_buffer_get_length (triangles, 0);
  OrreryVec3 up = get_up (thing, piece);
  double side[3];
  gboolean flat = flat_find_side (xyz, n_points, corners, n, &up, side);

  if (thing->own.motion == MOTION_FIXED && flat &&
      flat_is_filled (xyz, n_points, corners, n, side)) {
    add_slab (text, thing, piece, side);
    return TRUE;
  }
  if (thing->own.motion != MOTION_FIXED ||
      (n_points <= MAX_PRISMS && n <= MAX_PRISMS && flat_is_convex (xyz, n_points, corners, n))) {
    begin_geom (text, thing, &piece->offset, model_get_margin (thing));
    end_mesh (text);
    add_points (text, xyz, n_points);
    return TRUE;
  }
  if (n > MAX_PRISMS)
    return fail (error, thing,
                 "MuJoCo knows no meshes that are not convex; one of at most 4000 triangles is cut "
                 "into prisms, this one has more: orrery.physics.bullet.Bullet takes it as it is");
  for (gsize t = 0; t < n; t++) {
    double p[3][3], normal[3];

    for (guint k = 0; k < 3; k++)
      flat_get_corner (xyz, corners[3 * t + k], p[k]);
    if (flat_get_normal (p, normal))
      add_prism (text, thing, &piece->offset, p, flat ? side : normal);
  }
  return TRUE;
}

static void
add_box (Text *text, Thing *thing, const Piece *piece)
{
  const OrreryVec3 *half = orrery_shape_get_size (piece->shape);
  gboolean fixed = thing->own.motion == MOTION_FIXED;
  double points[24];

  /* The margin of a box that moves lies inside. */
  begin_geom (text, thing, &piece->offset, fixed ? model_get_margin (thing) : 0);
  if (text->plain_boxes) {
    g_string_append (text->bodies, " type='box'");
    add_numbers (text->bodies, "size", 3, (double[]){ half->x, half->y, half->z });
    g_string_append (text->bodies, "/>\n");
    return;
  }
  end_mesh (text);
  model_box_points (half, points);
  add_mesh (text, points, 8);
}

static gboolean
add_geom (Text *text, Thing *thing, const Piece *piece, GError **error)
{
  const OrreryVec3 *size = orrery_shape_get_size (piece->shape);
  OrreryBuffer *points = orrery_shape_get_points (piece->shape);

  switch (orrery_shape_get_kind (piece->shape)) {
  case ORRERY_SHAPE_BOX:
    add_box (text, thing, piece);
    return TRUE;
  case ORRERY_SHAPE_SPHERE:
    begin_geom (text, thing, &piece->offset, 0);
    end_round (text, "sphere", 1, size->x, 0);
    return TRUE;
  case ORRERY_SHAPE_CYLINDER:
    begin_geom (text, thing, &piece->offset, 0);
    end_round (text, "cylinder", 2, size->x, size->z);
    return TRUE;
  case ORRERY_SHAPE_CAPSULE:
    begin_geom (text, thing, &piece->offset, 0);
    if (size->z > 0)
      end_round (text, "capsule", 2, size->x, size->z);
    else
      end_round (text, "sphere", 1, size->x, 0);
    return TRUE;
  case ORRERY_SHAPE_CONE:
    begin_geom (text, thing, &piece->offset, model_get_margin (thing));
    end_mesh (text);
    add_cone (text, size);
    return TRUE;
  case ORRERY_SHAPE_HULL:
    begin_geom (text, thing, &piece->offset, model_get_margin (thing));
    end_mesh (text);
    add_points (text, orrery_buffer_get_data (points), orrery_buffer_get_length (points, 0));
    return TRUE;
  case ORRERY_SHAPE_MESH:
    return add_triangles (text, thing, piece, error);
  }
  g_assert_not_reached ();
}

/* --- mass --- */

static void
add_inertial (GString *text, double mass, const OrreryInertial *inertial)
{
  const OrreryVec3 *c = &inertial->centre;

  g_string_append (text, "<inertial");
  add_numbers (text, "pos", 3, (double[]){ c->x, c->y, c->z });
  add_number (text, "mass", fmax (mass, MIN_MASS));
  add_numbers (text, "fullinertia", 6,
               (double[]){ fmax (inertial->xx, MODEL_MIN_INERTIA),
                           fmax (inertial->yy, MODEL_MIN_INERTIA),
                           fmax (inertial->zz, MODEL_MIN_INERTIA), inertial->xy, inertial->xz,
                           inertial->yz });
  g_string_append (text, "/>\n");
}

static void
add_mass (Text *text, Thing *thing)
{
  OrreryInertial reckoned = { { 0 } };

  model_reckon_inertia (thing, &reckoned.centre);
  thing->reckoned = thing->inertia;
  if (thing->inertial != NULL) {
    add_inertial (text->bodies, thing->own.settings->mass, thing->inertial);
    return;
  }
  reckoned.xx = thing->inertia.x;
  reckoned.yy = thing->inertia.y;
  reckoned.zz = thing->inertia.z;
  add_inertial (text->bodies, thing->own.settings->mass, &reckoned);
}

/* What is fixed to it has a mass of its own. */
static void
add_fixed_masses (Text *text, Thing *thing, OrreryObject *object, const OrreryTransform *at)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *child = children->pdata[i];
    const OrreryBody *body = orrery_object_get_body (child);
    OrreryTransform here;

    if (!orrery_physics_is_part (child))
      continue;
    orrery_transform_multiply (at, orrery_object_get_start (child), &here);
    if (body->type == ORRERY_BODY_RIGID && orrery_object_get_inertial (child) != NULL) {
      g_string_append (text->bodies, "<body");
      add_pose (text->bodies, &here);
      g_string_append (text->bodies, ">");
      add_inertial (text->bodies, body->mass, orrery_object_get_inertial (child));
      g_string_append (text->bodies, "</body>\n");
      thing->plain = FALSE;
    }
    add_fixed_masses (text, thing, child, &here);
  }
}

/* --- joints and bodies --- */

/* @behind: from the frame of the body that has the joint to that of the joint's own object. */
static void
add_joint (Text *text, const Thing *thing, const OrreryTransform *behind)
{
  static const char *const types[] = { NULL, "hinge", "slide", "ball" };
  const OrreryJoint *joint = orrery_object_get_joint (thing->own.object);
  OrreryVec3 axis = joint->axis, anchor = joint->anchor;
  GString *xml = text->bodies;

  orrery_quat_rotate (&behind->rotation, &axis, &axis);
  orrery_transform_apply (behind, &anchor, &anchor);
  g_string_append_printf (xml, "<joint name='j%u' type='%s'", thing->own.index, types[joint->kind]);
  add_numbers (xml, "pos", 3, (double[]){ anchor.x, anchor.y, anchor.z });
  if (joint->kind != ORRERY_JOINT_BALL) {
    add_numbers (xml, "axis", 3, (double[]){ axis.x, axis.y, axis.z });
    add_number (xml, "ref", joint->reference);
    add_number (xml, "springref", joint->rest);
  }
  if (joint->limited) {
    double low = joint->kind == ORRERY_JOINT_BALL ? 0 : joint->lower;

    g_string_append (xml, " limited='true'");
    /* MuJoCo wants some room between them. */
    add_numbers (xml, "range", 2, (double[]){ low, fmax (joint->upper, low + 1e-9) });
  }
  add_number (xml, "damping", joint->damping);
  add_number (xml, "frictionloss", joint->friction);
  add_number (xml, "armature", joint->armature);
  add_number (xml, "stiffness", joint->stiffness);
  g_string_append (xml, "/>\n");
}

/* Pose of a thing at its start in the frame of what carries it. */
static void
get_start (const Thing *thing, OrreryTransform *out)
{
  get_start_in (thing->own.object, thing->own.carrier != NULL ? thing->own.carrier->object : NULL,
                out);
}

static gboolean add_body (Text *text, Thing *thing, GPtrArray *waiting, const OrreryTransform *at,
                          GError **error);

/* A link, or the one behind it where it is hollow: that has the joints of both. */
static gboolean
add_link (Text *text, Thing *link, GError **error)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  OrreryTransform at;

  get_start (link, &at);
  while (link->own.hollow) {
    Thing *next = link->links->pdata[0];
    OrreryTransform further;

    g_ptr_array_add (waiting, link);
    get_start (next, &further);
    orrery_transform_multiply (&at, &further, &at);
    link = next;
  }
  return add_body (text, link, waiting, &at, error);
}

static gboolean
add_links (Text *text, Thing *thing, GError **error)
{
  for (guint i = 0; i < thing->links->len; i++)
    if (!add_link (text, thing->links->pdata[i], error))
      return FALSE;
  return TRUE;
}

/* From the frame of the body to that of a hollow link above it. */
static void
get_behind (Thing *hollow, Thing *thing, OrreryTransform *out)
{
  orrery_transform_identity (out);
  for (; thing != hollow; thing = (Thing *) thing->own.carrier) {
    OrreryTransform start;

    get_start (thing, &start);
    orrery_transform_multiply (&start, out, out);
  }
  orrery_transform_invert (out, out);
}

static void
add_joints (Text *text, Thing *thing, GPtrArray *waiting)
{
  OrreryTransform behind;

  for (guint i = 0; waiting != NULL && i < waiting->len; i++) {
    get_behind (waiting->pdata[i], thing, &behind);
    add_joint (text, waiting->pdata[i], &behind);
  }
  orrery_transform_identity (&behind);
  add_joint (text, thing, &behind);
}

static void
add_excludes (Text *text, const Thing *thing)
{
  /* A part of a thing does not collide with the thing; a link only not with the next. */
  for (const Body *other = thing->own.carrier; other != NULL; other = other->carrier) {
    if (other->hollow)
      continue;
    g_string_append_printf (text->contact, "<exclude body1='b%u' body2='b%u'/>\n", other->index,
                            thing->own.index);
    if (thing->own.motion == MOTION_LINK)
      return;
  }
}

static gboolean
add_pieces (Text *text, Thing *thing, GError **error)
{
  for (guint i = 0; i < thing->own.pieces->len; i++) {
    text->piece = i;
    if (!add_geom (text, thing, &g_array_index (thing->own.pieces, Piece, i), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_geoms (Text *text, Thing *thing, GError **error)
{
  gboolean fine = add_pieces (text, thing, error);

  text->bare = text->mixed && thing->own.motion == MOTION_FIXED && model_get_margin (thing) > 0;
  fine = fine && (!text->bare || add_pieces (text, thing, error));
  text->bare = FALSE;
  return fine;
}

static gboolean
add_body (Text *text, Thing *thing, GPtrArray *waiting, const OrreryTransform *at, GError **error)
{
  OrreryTransform here;

  g_string_append_printf (text->bodies, "<body name='b%u'", thing->own.index);
  add_pose (text->bodies, at);
  thing->plain =
      thing->own.motion == MOTION_FREE && thing->links->len == 0 && thing->inertial == NULL;
  switch (thing->own.motion) {
  case MOTION_FREE:
    g_string_append_printf (text->bodies, "><freejoint name='j%u'/>\n", thing->own.index);
    break;
  case MOTION_LINK:
    g_string_append (text->bodies, ">\n");
    add_joints (text, thing, waiting);
    break;
  default:
    g_string_append (text->bodies, " mocap='true'>\n");
  }
  if (is_moved (thing)) {
    add_mass (text, thing);
    orrery_transform_identity (&here);
    add_fixed_masses (text, thing, thing->own.object, &here);
  }
  if (!add_geoms (text, thing, error))
    return FALSE;
  add_excludes (text, thing);
  if (!add_links (text, thing, error))
    return FALSE;
  g_string_append (text->bodies, "</body>\n");
  return TRUE;
}

/* --- the whole --- */

static void
choose_margins (Text *text, GPtrArray *things)
{
  text->plain_boxes = TRUE;
  for (guint i = 0; i < things->len; i++) {
    const Thing *thing = things->pdata[i];

    if (thing->own.settings->margin > 0)
      text->plain_boxes = FALSE;
    text->mixed |= is_moved (thing) && thing->own.settings->margin == ORRERY_NO_MARGIN;
    if (thing->own.motion == MOTION_FIXED)
      text->largest_fixed = fmax (text->largest_fixed, thing->own.settings->margin);
  }
}

static char *
write_text (Text *text, GPtrArray *things, OrreryWorld *world, const ModelOptions *options,
            GError **error)
{
  const OrreryVec3 *gravity = orrery_world_get_gravity (world);
  g_autoptr (GString) xml =
      g_string_new ("<mujoco>\n<compiler angle='radian' balanceinertia='true' "
                    "inertiafromgeom='false'/>\n<option solver='Newton'");
  g_autoptr (GString) equality = g_string_new (NULL);

  choose_margins (text, things);
  for (guint i = 0; i < things->len; i++) {
    Thing *thing = things->pdata[i];
    OrreryTransform start;
    gboolean fine = TRUE;

    /* Not as it is now: MuJoCo reckons from there, and a state restored goes on bit by bit. */
    get_start_in (thing->own.object, NULL, &start);
    if (thing->own.motion != MOTION_LINK)
      fine = add_body (text, thing, NULL, &start, error);
    else if (thing->own.carrier == NULL)
      fine = add_link (text, thing, error);
    if (!fine)
      return NULL;
  }
  add_numbers (xml, "gravity", 3, (double[]){ gravity->x, gravity->y, gravity->z });
  add_numbers (xml, "wind", 3, options->wind);
  add_number (xml, "density", options->density);
  add_number (xml, "viscosity", options->viscosity);
  constraints_write (equality, text->contact, world, things);
  g_string_append (xml, "><flag multiccd='enable'/></option>\n");
  compile_add_sizes (xml, things, text->geoms->len);
  g_string_append_printf (xml,
                          "<asset>\n%s</asset>\n"
                          "<worldbody>\n%s</worldbody>\n<contact>\n%s</contact>\n<equality>\n%s"
                          "</equality>\n</mujoco>\n",
                          text->assets->str, text->bodies->str, text->contact->str, equality->str);
  return g_strdup (xml->str);
}

/* MuJoCo's words name elements of our text: g7 is a geom of some object. */
static Thing *
find_blamed (const Text *text, GPtrArray *things, const char *words)
{
  static const char before[] = "name = ";
  const char *name = strstr (words, before);
  char kind = '\0';
  guint number;

  if (name == NULL || sscanf (name + strlen (before), "%c%u", &kind, &number) != 2)
    return NULL;
  if ((kind == 'g' || kind == 'm') && number < text->geoms->len)
    return g_array_index (text->geoms, Geom, number).thing;
  for (guint i = 0; i < things->len; i++)
    if (((Thing *) things->pdata[i])->own.index == number)
      return things->pdata[i];
  return NULL;
}

static mjModel *
compile (const Text *text, GPtrArray *things, const char *xml, GError **error)
{
  char words[COMPILE_WORDS];
  mjModel *m = compile_xml (xml, words);
  Thing *blamed;

  if (m != NULL)
    return m;
  blamed = find_blamed (text, things, words);
  orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s%s%sMuJoCo refuses it: %s",
                    blamed != NULL ? "object '" : "",
                    blamed != NULL ? orrery_object_get_name (blamed->own.object) : "",
                    blamed != NULL ? "': " : "", words);
  return NULL;
}

/* Where things are in the model. */
static void
find_places (Model *model, const Text *text, GPtrArray *things)
{
  const mjModel *m = model->m;

  model->geoms = g_new0 (Geom, MAX (m->ngeom, 1));
  model->bodies = g_new0 (Thing *, m->nbody);
  for (int i = 0; i < m->ngeom; i++) {
    guint number = (guint) g_ascii_strtoull (mj_id2name (m, mjOBJ_GEOM, i) + 1, NULL, 10);

    model->geoms[i] = g_array_index (text->geoms, Geom, number);
    model->bodies[m->geom_bodyid[i]] = model->geoms[i].thing;
  }
  for (guint i = 0; i < things->len; i++) {
    Thing *thing = things->pdata[i];
    g_autofree char *body = g_strdup_printf ("b%u", thing->own.index);
    g_autofree char *joint = g_strdup_printf ("j%u", thing->own.index);
    int j = mj_name2id (m, mjOBJ_JOINT, joint);

    thing->body = mj_name2id (m, mjOBJ_BODY, body);
    thing->mocap = thing->body >= 0 ? m->body_mocapid[thing->body] : -1;
    thing->qpos = j >= 0 ? m->jnt_qposadr[j] : -1;
    thing->dof = j >= 0 ? m->jnt_dofadr[j] : -1;
    if (thing->body >= 0)
      model->bodies[thing->body] = thing;
  }
}

gboolean
model_make (Model *model, GPtrArray *things, OrreryWorld *world, const ModelOptions *options,
            GError **error)
{
  Text text = { .assets = g_string_new (NULL), .bodies = g_string_new (NULL) };
  g_autofree char *xml = NULL;

  text.contact = g_string_new (NULL);
  text.geoms = g_array_new (FALSE, FALSE, sizeof (Geom));
  xml = write_text (&text, things, world, options, error);
  model->m = xml != NULL ? compile (&text, things, xml, error) : NULL;
  if (model->m != NULL)
    find_places (model, &text, things);
  g_string_free (text.assets, TRUE);
  g_string_free (text.bodies, TRUE);
  g_string_free (text.contact, TRUE);
  g_array_unref (text.geoms);
  return model->m != NULL;
}

void
model_clear (Model *model)
{
  if (model->m != NULL)
    mj_deleteModel (model->m);
  model->m = NULL;
  g_clear_pointer (&model->geoms, g_free);
  g_clear_pointer (&model->bodies, g_free);
}

OrreryVec3
model_get_point (const Model *model, const mjContact *c)
{
  /* MuJoCo's own is halfway between the surfaces: margins need not be equal. */
  double shift = model->geoms[c->geom1].margin - c->includemargin / 2;

  return (OrreryVec3){ c->pos[0] + shift * c->frame[0], c->pos[1] + shift * c->frame[1],
                       c->pos[2] + shift * c->frame[2] };
}

gboolean
model_moves_joint (OrreryObject *object)
{
  return orrery_object_has_moving_joint (object) &&
         orrery_object_get_body (object)->type == ORRERY_BODY_RIGID;
}
