/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns the links and joints of a URDF file into a tree of objects with motors. */
#define G_LOG_DOMAIN "orrery.importers.urdf"

#include "urdf-private.h"

#include "inertia.h"

#include <math.h>

/* --- the tree --- */

static void
warn_of_limit (const Urdf *urdf, const Joint *joint)
{
  if (!joint->has_limit && joint->mimics == NULL &&
      (g_strcmp0 (joint->type, "revolute") == 0 || g_strcmp0 (joint->type, "prismatic") == 0))
    g_warning ("%s:%d: joint '%s' is %s and has no <limit>: it has no ends, and no effort to be "
               "driven with",
               urdf->path, joint->line, joint->name, joint->type);
}

static gboolean
bind (Urdf *urdf, int number, GError **error)
{
  Joint *joint = urdf->joints->pdata[number];
  Link *parent = joint->parent != NULL ? g_hash_table_lookup (urdf->by_name, joint->parent) : NULL;
  Link *child = joint->child != NULL ? g_hash_table_lookup (urdf->by_name, joint->child) : NULL;

  urdf->line = joint->line;
  if (parent == NULL || child == NULL)
    return urdf_fail (urdf, error, "joint '%s': there is no link '%.60s'", joint->name,
                      parent == NULL ? (joint->parent != NULL ? joint->parent : "")
                                     : (joint->child != NULL ? joint->child : ""));
  if (child->joint >= 0)
    return urdf_fail (urdf, error, "link '%s' is the child of two joints: '%s' and '%s'",
                      child->name, ((Joint *) urdf->joints->pdata[child->joint])->name,
                      joint->name);
  child->joint = number;
  g_array_append_val (parent->joints, number);
  warn_of_limit (urdf, joint);
  urdf->line = 0;
  return TRUE;
}

static Link *
find_root (Urdf *urdf, GError **error)
{
  Link *root = NULL;

  if (urdf->links->len == 0) {
    urdf_fail (urdf, error, "there is no link in it");
    return NULL;
  }
  for (guint i = 0; i < urdf->joints->len; i++)
    if (!bind (urdf, (int) i, error))
      return NULL;
  for (guint i = 0; i < urdf->links->len; i++) {
    Link *link = urdf->links->pdata[i];

    if (link->joint >= 0)
      continue;
    if (root != NULL) {
      urdf_fail (urdf, error, "links '%s' and '%s' are not connected by joints", root->name,
                 link->name);
      return NULL;
    }
    root = link;
  }
  if (root == NULL)
    urdf_fail (urdf, error, "its joints form a circle");
  return root;
}

static gboolean
choose_kind (Urdf *urdf, Joint *joint, GError **error)
{
  static const char *const types[] = { "fixed",      "revolute", "prismatic",
                                       "continuous", "planar",   NULL };
  static const OrreryJointKind kinds[] = { ORRERY_JOINT_FIXED, ORRERY_JOINT_HINGE,
                                           ORRERY_JOINT_SLIDE, ORRERY_JOINT_HINGE,
                                           ORRERY_JOINT_HINGE };

  for (guint i = 0; types[i] != NULL; i++) {
    if (!g_str_equal (joint->type, types[i]))
      continue;
    joint->joint.kind = kinds[i];
    joint->joint.limited = joint->has_limit && (i == 1 || i == 2);
    return TRUE;
  }
  return urdf_fail (urdf, error,
                    "joint '%s' is of the type '%.40s'; there is: fixed, revolute, "
                    "continuous, prismatic, planar, floating",
                    joint->name, joint->type);
}

/* The file has it in the frame of the inertial's origin. */
static void
set_inertial (const Link *link, OrreryObject *object)
{
  OrreryInertial inertial = { .centre = link->origin.position };

  inertia_turn (link->inertia, &link->origin.rotation, &inertial);
  orrery_object_set_inertial (object, &inertial);
}

/* The mass of a link. If the file gives none and it has no shapes, it is 0 within a chain. */
static double
choose_mass (const Link *link)
{
  if (link->has_inertial && link->mass > 0)
    return link->mass;
  if (link->shapes->len > 0)
    return 1;
  return link->joints->len == 1 ? 0 : 1e-3;
}

static void
set_body (const Urdf *urdf, const Link *link, gboolean moves)
{
  const double *friction = g_hash_table_lookup (urdf->frictions, link->name);
  OrreryBody *body = orrery_object_get_body (link->object);
  gboolean weighs = link->has_inertial && link->mass > 0;

  body->type = moves ? ORRERY_BODY_RIGID : ORRERY_BODY_STATIC;
  body->mass = moves ? choose_mass (link) : 1;
  /* Links have a friction of 1 and other objects .5, because robots are built to grip. */
  body->friction = friction != NULL ? *friction : 1;
  body->linear_damping = body->angular_damping = 0;
  if (weighs)
    set_inertial (link, link->object);
  for (guint i = 0; i < link->shapes->len; i++)
    orrery_object_add_shape (link->object, link->shapes->pdata[i]);
}

/* A planar joint: two slides across its axis, behind which it turns. Returns what carries the link.
 */
static OrreryObject *
add_slides (OrreryImport *import, const Joint *joint, const char *link, OrreryObject *parent,
            GError **error)
{
  static const char *const names[] = { "x", "y" };
  const OrreryVec3 *n = &joint->joint.axis;
  OrreryVec3 across[2] = { { 1, 0, 0 } };

  /* Of an axis z: x and y. */
  if (fabs (n->z) < 0.9)
    across[0] = (OrreryVec3){ -n->y, n->x, 0 };
  else
    across[0] = (OrreryVec3){ n->z, 0, -n->x };
  for (guint i = 0; i < 2; i++) {
    g_autofree char *name = g_strdup_printf ("%s_%s", link, names[i]);
    g_autofree char *joint_name = g_strdup_printf ("%s_%s", joint->name, names[i]);
    double length = orrery_vec3_length (&across[i]);
    OrreryObject *slide;
    OrreryJoint made;

    slide = orrery_import_add_object (import, name, parent, error);
    if (slide == NULL)
      return NULL;
    orrery_joint_init (&made, ORRERY_JOINT_SLIDE);
    made.axis = orrery_vec3_divide (&across[i], length);
    across[1] = orrery_vec3_cross (n, &made.axis);
    orrery_object_set_joint (slide, &made);
    orrery_object_set_value (slide, "joint", g_variant_new_string (joint_name));
    if (i == 0)
      orrery_object_set_start (slide, &joint->origin);
    orrery_object_get_body (slide)->type = ORRERY_BODY_RIGID;
    orrery_object_get_body (slide)->mass = 0;
    parent = slide;
  }
  return parent;
}

static gboolean
add_link (Urdf *urdf, OrreryImport *import, Link *link, GError **error)
{
  Joint *joint = link->joint >= 0 ? urdf->joints->pdata[link->joint] : NULL;
  Link *parent = joint != NULL ? g_hash_table_lookup (urdf->by_name, joint->parent) : NULL;
  gboolean floats = joint != NULL && g_str_equal (joint->type, "floating");
  gboolean planar = joint != NULL && g_str_equal (joint->type, "planar");
  OrreryObject *carrier = parent != NULL ? parent->object : NULL;
  gboolean moves = joint != NULL || (link->has_inertial && link->mass > 0);

  if (joint != NULL && !floats && !choose_kind (urdf, joint, error))
    return FALSE;
  if (planar) {
    carrier = add_slides (import, joint, link->name, carrier, error);
    if (carrier == NULL)
      return FALSE;
  }
  link->object = orrery_import_add_object (import, link->name, carrier, error);
  if (link->object == NULL)
    return FALSE;
  set_body (urdf, link, moves);
  if (joint == NULL)
    return TRUE;
  if (!planar)
    orrery_object_set_start (link->object, &joint->origin);
  if (floats)
    return TRUE;
  joint->joint.initial =
      joint->joint.limited ? CLAMP (0, joint->joint.lower, joint->joint.upper) : 0;
  orrery_object_set_joint (link->object, &joint->joint);
  orrery_object_set_value (link->object, "joint", g_variant_new_string (joint->name));
  return TRUE;
}

/* A link that its joint moves, which the engine reckons with a mass that nobody gave. */
static void
warn_of_mass (const Urdf *urdf, const Link *link)
{
  const OrreryBody *body = orrery_object_get_body (link->object);
  const OrreryJoint *joint = orrery_object_get_joint (link->object);

  if ((link->has_inertial && link->mass > 0) || body->type != ORRERY_BODY_RIGID ||
      (joint != NULL && joint->kind == ORRERY_JOINT_FIXED) || !(body->mass > 0))
    return;
  g_warning ("%s:%d: link '%s' moves and has no mass: it has %g kg here", urdf->path, link->line,
             link->name, body->mass);
}

/* No body has moments of which one is below 0, or above the sum of the others, in any axes; what
 * files round is let pass. */
static void
warn_of_inertia (const Urdf *urdf, const Link *link)
{
  const double *i = link->inertia;
  double sum = i[0] + i[1] + i[2];
  double least = MIN (i[0], MIN (i[1], i[2]));
  double greatest = MAX (i[0], MAX (i[1], i[2]));

  if (!link->has_inertial || !(link->mass > 0) ||
      (least >= 0 && greatest <= 1.05 * (sum - greatest)))
    return;
  g_warning ("%s:%d: link '%s': no body has the moments of inertia %g, %g and %g kg m2: each is 0 "
             "or more, and at most the sum of the others",
             urdf->path, link->line, link->name, i[0], i[1], i[2]);
}

/* Parents first, without a call for each level: chains may be long. */
static gboolean
add_links (Urdf *urdf, OrreryImport *import, Link *root, GError **error)
{
  g_autoptr (GPtrArray) waiting = g_ptr_array_new ();
  guint n = 0;

  g_ptr_array_add (waiting, root);
  while (waiting->len > 0) {
    Link *link = g_ptr_array_steal_index (waiting, waiting->len - 1);

    if (!add_link (urdf, import, link, error))
      return FALSE;
    warn_of_mass (urdf, link);
    warn_of_inertia (urdf, link);
    n++;
    for (guint i = link->joints->len; i > 0; i--) {
      Joint *joint = urdf->joints->pdata[g_array_index (link->joints, int, i - 1)];

      g_ptr_array_add (waiting, g_hash_table_lookup (urdf->by_name, joint->child));
    }
  }
  if (n == urdf->links->len)
    return TRUE;
  return urdf_fail (urdf, error, "%u of its links form a circle", urdf->links->len - n);
}

/* --- motors --- */

static const char *
find_motor (const Urdf *urdf, const Joint *joint)
{
  gboolean turns_on = g_str_equal (joint->type, "continuous");

  for (guint i = 0; i < urdf->drives->len; i++)
    if (g_str_equal (g_array_index (urdf->drives, Drive, i).joint, joint->name))
      return g_array_index (urdf->drives, Drive, i).motor;
  /* A file without transmissions: what has an effort to give is driven. */
  if (urdf->drives->len > 0 || joint->mimics != NULL || !(joint->joint.max_effort > 0))
    return NULL;
  return turns_on ? VELOCITY : POSITION;
}

/* Joints and motors by the names of the joints. */
static void
add_components (const Urdf *urdf, OrreryImport *import, const Link *root)
{
  gboolean moves = FALSE;

  for (guint i = 0; i < urdf->joints->len && !moves; i++) {
    const Joint *joint = urdf->joints->pdata[i];
    const Link *child = g_hash_table_lookup (urdf->by_name, joint->child);

    moves = orrery_object_has_moving_joint (child->object);
  }
  if (moves)
    orrery_import_add_component (import, root->object, "joints", NULL,
                                 "orrery.sensors.joint_state.JointState", 0, NULL);
  for (guint i = 0; i < urdf->joints->len; i++) {
    const Joint *joint = urdf->joints->pdata[i];
    const Link *child = g_hash_table_lookup (urdf->by_name, joint->child);
    const char *motor = find_motor (urdf, joint);
    GVariantDict values;

    if (motor == NULL || !orrery_object_has_moving_joint (child->object))
      continue;
    g_variant_dict_init (&values, NULL);
    g_variant_dict_insert (&values, "Joint", "s", joint->name);
    orrery_import_add_component (import, root->object, joint->name, NULL, motor, 0,
                                 g_variant_dict_end (&values));
  }
}

/* --- joints that follow others --- */

static const Joint *
find_joint (const Urdf *urdf, const char *name)
{
  for (guint i = 0; i < urdf->joints->len; i++)
    if (g_str_equal (((Joint *) urdf->joints->pdata[i])->name, name))
      return urdf->joints->pdata[i];
  return NULL;
}

static OrreryObject *
get_moved (const Urdf *urdf, const Joint *joint)
{
  return ((Link *) g_hash_table_lookup (urdf->by_name, joint->child))->object;
}

static gboolean
add_couplings (const Urdf *urdf, OrreryImport *import, GError **error)
{
  for (guint i = 0; i < urdf->joints->len; i++) {
    const Joint *joint = urdf->joints->pdata[i];
    const Joint *leader = joint->mimics != NULL ? find_joint (urdf, joint->mimics) : NULL;
    OrreryConstraint coupling = { ORRERY_CONSTRAINT_COUPLING };

    if (joint->mimics == NULL || !orrery_object_has_moving_joint (get_moved (urdf, joint)))
      continue;
    if (leader == NULL)
      return urdf_fail (urdf, error, "joint '%s' mimics '%.60s', which is no joint of it",
                        joint->name, joint->mimics);
    coupling.other = get_moved (urdf, leader);
    coupling.coefficients[0] = joint->offset;
    coupling.coefficients[1] = joint->multiplier;
    if (!orrery_import_add_constraint (import, get_moved (urdf, joint), &coupling, error)) {
      g_prefix_error (error, "%s: ", urdf->path);
      return FALSE;
    }
  }
  return TRUE;
}

gboolean
urdf_add_links (Urdf *urdf, OrreryImport *import, GError **error)
{
  Link *root = find_root (urdf, error);

  if (root != NULL)
    urdf_lump_root (urdf, root);
  if (root == NULL || !add_links (urdf, import, root, error) ||
      !add_couplings (urdf, import, error))
    return FALSE;
  add_components (urdf, import, root);
  return TRUE;
}
