/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees of links: made from the world, driven, and shown to the engine. */
#include "tree-set.h"

#include <math.h>
#include <string.h>

/* kg, kg m2: no less of what moves. */
#define MIN_MASS 1e-9
#define MIN_INERTIA 1e-12

/* Of one robot: what a substep costs grows with the cube of a chain. */
#define MAX_LINKS 1000
#define OTHER_ENGINE                                                                               \
  "; set the key physics of the environment to orrery.physics.mujoco.MuJoCo, which does"

typedef struct {
  Entry *entry;
  guint draft; /* while trees are made: which one it belongs to */
  Tree *tree;
  guint link;
} Member;

/* --- what is a link --- */

static gboolean
rolls_on_rays (OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++)
    if (orrery_object_get_wheel (children->pdata[i]) != NULL)
      return TRUE;
  return FALSE;
}

/* Of it, or of what hangs on it. */
static gboolean
has_mass (OrreryObject *object)
{
  const OrreryBody *body = orrery_object_get_body (object);
  GPtrArray *children = orrery_object_get_children (object);

  if (body->type == ORRERY_BODY_RIGID && body->mass > 0)
    return TRUE;
  for (guint i = 0; i < children->len; i++)
    if (has_mass (children->pdata[i]))
      return TRUE;
  return FALSE;
}

gboolean
tree_set_moves (OrreryObject *object)
{
  if (!orrery_object_has_moving_joint (object) ||
      orrery_object_get_body (object)->type != ORRERY_BODY_RIGID || !has_mass (object))
    return FALSE;
  for (object = orrery_object_get_parent (object); object != NULL;
       object = orrery_object_get_parent (object))
    if (rolls_on_rays (object))
      return FALSE;
  return TRUE;
}

gboolean
tree_set_has_links (OrreryObject *object)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++)
    if (tree_set_moves (children->pdata[i]) || tree_set_has_links (children->pdata[i]))
      return TRUE;
  return FALSE;
}

gboolean
tree_set_check (OrreryWorld *world, GError **error)
{
  for (guint i = 0; i < orrery_world_get_n_objects (world); i++) {
    OrreryObject *object = orrery_world_get_object (world, i);
    GArray *list = orrery_object_get_constraints (object);

    for (guint k = 0; list != NULL && k < list->len; k++) {
      OrreryConstraintKind kind = g_array_index (list, OrreryConstraint, k).kind;

      if (kind == ORRERY_CONSTRAINT_POINT || kind == ORRERY_CONSTRAINT_WELD)
        return body_fail (error, object,
                          "Bullet does not hold bodies together beside their joints (connect, "
                          "weld, closed loops)" OTHER_ENGINE);
    }
  }
  return TRUE;
}

/* --- mass --- */

/* Adds a mass with an inertia about its centre; all of it in the frame of the link. */
static void
add_mass (TreeLink *link, double mass, const OrreryVec3 *centre, const OrreryMat3 *inertia)
{
  double sum = link->mass + mass;
  OrreryVec3 between = orrery_vec3_subtract (centre, &link->centre);
  double reduced = sum > 0 ? link->mass * mass / sum : 0,
         d[3] = { between.x, between.y, between.z };
  double square = orrery_vec3_dot (&between, &between);

  for (guint i = 0; i < 9; i++)
    link->inertia.m[i] +=
        inertia->m[i] + reduced * ((i % 4 == 0 ? square : 0) - d[i / 3] * d[i % 3]);
  if (sum > 0)
    orrery_vec3_accumulate (&link->centre, &between, mass / sum);
  link->mass = sum;
}

/* @ratio: of the inertia to that of the file. */
static void
add_inertial (TreeLink *link, double mass, double ratio, const OrreryInertial *inertial,
              const OrreryTransform *at)
{
  const OrreryInertial *i = inertial;
  OrreryMat3 own = { { i->xx, i->xy, i->xz, i->xy, i->yy, i->yz, i->xz, i->yz, i->zz } };
  OrreryMat3 turned;
  OrreryVec3 centre;

  for (guint k = 0; k < 9; k++)
    own.m[k] *= ratio;
  orrery_transform_apply (at, &i->centre, &centre);
  tree_turn_inertia (&own, &at->rotation, &turned);
  add_mass (link, mass, &centre, &turned);
}

/* A box around the shapes with their margin; of the base about its origin, as of any free body. */
static void
add_box (TreeLink *link, const Entry *entry)
{
  double mass = entry->own.settings->mass, m = mass / 12;
  OrreryVec3 low = { 0 }, high = { 0 }, size, centre = { 0 };
  OrreryMat3 inertia = { { 0 } };

  if (mass > 0 && entry->own.pieces->len > 0)
    bullet_body_get_box (entry->body, &low, &high);
  size = orrery_vec3_subtract (&high, &low);
  if (entry->own.motion == MOTION_LINK)
    centre = (OrreryVec3){ (low.x + high.x) / 2, (low.y + high.y) / 2, (low.z + high.z) / 2 };
  inertia.m[0] = m * (size.y * size.y + size.z * size.z);
  inertia.m[4] = m * (size.x * size.x + size.z * size.z);
  inertia.m[8] = m * (size.x * size.x + size.y * size.y);
  add_mass (link, mass, &centre, &inertia);
}

/* What is fixed to it has a mass of its own. */
static void
add_fixed (TreeLink *link, OrreryObject *object, const OrreryTransform *at)
{
  GPtrArray *children = orrery_object_get_children (object);

  for (guint i = 0; i < children->len; i++) {
    OrreryObject *child = children->pdata[i];
    const OrreryBody *body = orrery_object_get_body (child);
    const OrreryInertial *inertial = orrery_object_get_inertial (child);
    OrreryTransform here;

    if (!orrery_physics_is_part (child))
      continue;
    orrery_transform_multiply (at, orrery_object_get_start (child), &here);
    if (body->type == ORRERY_BODY_RIGID && inertial != NULL)
      add_inertial (link, body->mass, 1, inertial, &here);
    add_fixed (link, child, &here);
  }
}

static void
weigh (TreeLink *link, const Entry *entry)
{
  const OrreryInertial *inertial = orrery_object_get_inertial (entry->own.object);
  OrreryTransform here;

  orrery_transform_identity (&here);
  if (inertial != NULL)
    add_inertial (link, entry->own.settings->mass,
                  entry->own.first_mass > 0 ? body_get_mass_ratio (&entry->own) : 1, inertial,
                  &here);
  else
    add_box (link, entry);
  add_fixed (link, entry->own.object, &here);
  /* Without shapes and mass it only passes on what moves the links below it. */
  link->is_hollow = link->mass == 0 && entry->own.pieces->len == 0;
  if (link->is_hollow)
    return;
  link->mass = fmax (link->mass, MIN_MASS);
  for (guint i = 0; i < 9; i += 4)
    link->inertia.m[i] = fmax (link->inertia.m[i], MIN_INERTIA);
}

/* --- making --- */

/* Pose of an object at its start in the frame of one above it, or of its parent. */
static void
get_start (OrreryObject *object, const OrreryObject *until, OrreryTransform *out)
{
  *out = *orrery_object_get_start (object);
  for (object = orrery_object_get_parent (object);
       until != NULL && object != NULL && object != until;
       object = orrery_object_get_parent (object))
    orrery_transform_multiply (orrery_object_get_start (object), out, out);
}

static Member *
find_member (const TreeSet *self, OrreryObject *object)
{
  guint index = orrery_object_get_index (object);
  guint i = index < self->n_objects ? self->member_of[index] : G_MAXUINT;

  return i != G_MAXUINT ? &g_array_index (self->members, Member, i) : NULL;
}

/* At its start, with a motor that was told nothing. */
static void
begin_link (TreeSet *self, TreeLink *link, Motor *motor, Body *body)
{
  OrrerySnapshot *snapshot = orrery_world_get_snapshot (self->set->world);

  link->rotation = (OrreryQuat){ 1, 0, 0, 0 };
  *motor = (Motor){ .body = body,
                    .joint = orrery_object_get_joint (body->object),
                    .rotation = link->rotation };
  motor->goal =
      motor_limit (motor->joint, orrery_snapshot_get_joint (snapshot, body->index)->position);
  link->joint = motor->joint;
  link->position = motor->goal;
}

static void
add_motor (TreeSet *self, TreeLink *link, Entry *entry)
{
  Motor motor;

  begin_link (self, link, &motor, &entry->own);
  g_array_append_val (self->motors, motor);
  orrery_world_take_joint (self->set->world, entry->own.object);
}

/* @drafts: of the trees that come behind those that there are */
static void
add_link (TreeSet *self, GPtrArray *drafts, Entry *entry)
{
  Body *carrier = entry->own.motion == MOTION_LINK ? entry->own.carrier : NULL;
  const Member *above = carrier != NULL ? find_member (self, carrier->object) : NULL;
  Member member = { entry, above != NULL ? above->draft : self->trees->len + drafts->len, NULL, 0 };
  TreeLink link = { .parent = above != NULL ? (int) above->link : -1,
                    .settings = entry->own.settings,
                    .rotation = { 1, 0, 0, 0 },
                    .pose = entry->own.pose };
  GArray *draft;

  if (above == NULL)
    g_ptr_array_add (drafts, g_array_new (FALSE, FALSE, sizeof (TreeLink)));
  draft = drafts->pdata[member.draft - self->trees->len];
  member.link = draft->len;
  weigh (&link, entry);
  if (entry->own.motion == MOTION_LINK) {
    add_motor (self, &link, entry);
    get_start (entry->own.object, above != NULL ? carrier->object : NULL, &link.start);
  }
  g_array_append_val (draft, link);
  self->member_of[entry->own.index] = self->members->len;
  g_array_append_val (self->members, member);
}

/* Wherever the motors lie now. */
static void
link_motors (TreeSet *self)
{
  guint motor = 0;

  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    TreeLink *link = &member->tree->links[member->link];

    if (link->joint != NULL)
      link->motor = &g_array_index (self->motors, Motor, motor++);
  }
}

/* Of members from @first on. */
static void
make_trees (TreeSet *self, GPtrArray *drafts, guint first)
{
  for (guint i = 0; i < drafts->len; i++) {
    GArray *draft = drafts->pdata[i];

    g_ptr_array_add (self->trees, tree_new ((const TreeLink *) (gpointer) draft->data, draft->len));
  }
  for (guint i = first; i < self->members->len; i++) {
    Member *member = &g_array_index (self->members, Member, i);

    member->tree = self->trees->pdata[member->draft];
    bullet_body_join (member->entry->body, member->tree, member->link);
  }
  link_motors (self);
}

static gboolean
add_coupling (TreeSet *self, const Member *member, GError **error)
{
  OrreryConstraint *c = orrery_object_get_coupling (member->entry->own.object);
  const Member *leader = c != NULL ? find_member (self, c->other) : NULL;
  TreeCoupling coupling = { .coupling = c, .tree = member->tree, .link = member->link };

  if (c == NULL)
    return TRUE;
  if (leader == NULL)
    return body_fail (error, member->entry->own.object,
                      "Bullet does not couple its joint to one that has no dynamics");
  coupling.leading = leader->tree;
  coupling.leader = leader->link;
  coupling.order = coupling_get_order (c, (int) self->couplings->len);
  c->taken = TRUE;
  g_array_append_val (self->couplings, coupling);
  return TRUE;
}

/* Nothing below a link without a mass: it would have no inertia. */
static gboolean
check_masses (TreeSet *self, guint first, GError **error)
{
  for (guint i = first; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    gboolean ends = member->tree->links[member->link].mass == 0;

    for (guint k = member->link + 1; ends && k < member->tree->n_links; k++)
      ends = member->tree->links[k].parent != (int) member->link;
    if (ends)
      return body_fail (error, member->entry->own.object,
                        "a link without a mass needs a child link");
  }
  return TRUE;
}

static gboolean
check_sizes (TreeSet *self, GPtrArray *drafts, guint first, GError **error)
{
  for (guint i = first; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);

    if (((GArray *) drafts->pdata[member->draft - self->trees->len])->len > MAX_LINKS)
      return body_fail (error, member->entry->own.object,
                        "Bullet does not move robots of more than 1000 links" OTHER_ENGINE);
  }
  return TRUE;
}

static void
want_loads (TreeSet *self)
{
  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);

    if (!orrery_world_is_measured (self->set->world, ORRERY_MEASURE_WRENCH,
                                   member->entry->own.object))
      continue;
    tree_want_loads (member->tree);
    self->measured = TRUE;
  }
}

static void place_from (TreeSet *self, guint first_member, guint first_tree);

/* What a set had before links were added to it. */
typedef struct {
  guint n_trees;
  guint n_members;
  guint n_motors;
  guint n_couplings;
  guint n_objects;
} Before;

static void
drop (TreeSet *self, const Before *before)
{
  g_ptr_array_set_size (self->trees, (int) before->n_trees);
  g_array_set_size (self->members, before->n_members);
  g_array_set_size (self->motors, before->n_motors);
  g_array_set_size (self->couplings, before->n_couplings);
  self->n_objects = before->n_objects;
  /* They moved when others were added, whether these became trees or not. */
  link_motors (self);
}

static void
know_objects (TreeSet *self, guint n)
{
  self->member_of = g_renew (guint, self->member_of, MAX (n, 1));
  for (guint i = self->n_objects; i < n; i++)
    self->member_of[i] = G_MAXUINT;
  self->n_objects = n;
}

static gboolean
add_links (TreeSet *self, const Before *before, GError **error)
{
  g_autoptr (GPtrArray) drafts = g_ptr_array_new_with_free_func ((GDestroyNotify) g_array_unref);
  guint first = before->n_members;
  gboolean fine;

  for (guint i = 0; i < self->set->bodies->len; i++) {
    Entry *entry = self->set->bodies->pdata[i];

    if (entry->articulated && entry->own.index >= before->n_objects)
      add_link (self, drafts, entry);
  }
  fine = check_sizes (self, drafts, first, error);
  if (fine)
    make_trees (self, drafts, first);
  fine = fine && check_masses (self, first, error);
  for (guint i = first; fine && i < self->members->len; i++)
    fine = add_coupling (self, &g_array_index (self->members, Member, i), error);
  return fine;
}

gboolean
tree_set_extend (TreeSet *self, guint n_objects, GError **error)
{
  const Before before = { self->trees->len, self->members->len, self->motors->len,
                          self->couplings->len, self->n_objects };

  know_objects (self, n_objects);
  if (!add_links (self, &before, error)) {
    drop (self, &before);
    return FALSE;
  }
  g_array_sort (self->couplings, coupling_compare);
  place_from (self, before.n_members, before.n_trees);
  return TRUE;
}

static gboolean
is_from (const TreeCoupling *coupling, const TreeSet *self, guint first)
{
  guint place;

  return g_ptr_array_find (self->trees, coupling->tree, &place) && place >= first;
}

void
tree_set_shrink (TreeSet *self, guint n_objects)
{
  Before before = { 0, 0, 0, self->couplings->len, MIN (n_objects, self->n_objects) };

  while (before.n_members < self->members->len &&
         g_array_index (self->members, Member, before.n_members).entry->own.index < n_objects) {
    const Member *member = &g_array_index (self->members, Member, before.n_members++);

    before.n_trees = MAX (before.n_trees, member->draft + 1);
    before.n_motors += member->tree->links[member->link].joint != NULL;
  }
  for (guint i = self->couplings->len; i > 0; i--)
    if (is_from (&g_array_index (self->couplings, TreeCoupling, i - 1), self, before.n_trees))
      g_array_remove_index (self->couplings, i - 1);
  before.n_couplings = self->couplings->len;
  drop (self, &before);
}

TreeSet *
tree_set_new (BodySet *set, GError **error)
{
  TreeSet *self = g_new0 (TreeSet, 1);

  self->set = set;
  self->trees = g_ptr_array_new_with_free_func ((GDestroyNotify) tree_free);
  self->members = g_array_new (FALSE, FALSE, sizeof (Member));
  self->motors = g_array_new (FALSE, FALSE, sizeof (Motor));
  self->couplings = g_array_new (FALSE, FALSE, sizeof (TreeCoupling));
  if (tree_set_extend (self, set->n_objects, error) && self->trees->len > 0) {
    want_loads (self);
    tree_set_place (self);
    return self;
  }
  tree_set_free (self);
  return NULL;
}

void
tree_set_free (TreeSet *self)
{
  g_ptr_array_unref (self->trees);
  g_array_unref (self->members);
  g_array_unref (self->motors);
  g_array_unref (self->couplings);
  g_free (self->member_of);
  g_free (self);
}

/* --- presence --- */

void
tree_set_present (TreeSet *self, Body *body, gboolean present)
{
  const Member *member = find_member (self, body->object);
  TreeLink *link = &member->tree->links[member->link];

  member->tree->away = !present;
  if (link->joint != NULL)
    begin_link (self, link, link->motor, body);
  link->pose = body->pose;
  link->friction = link->torsion = (OrreryVec3){ 0 };
  link->given = (OrreryWrench){ 0 };
  memset (member->tree->rates + link->dof, 0, link->n_dofs * sizeof (double));
}

/* --- quantities --- */

void
tree_set_weigh (TreeSet *self, OrreryObject *object)
{
  const Member *member = find_member (self, object);
  TreeLink *link = member != NULL ? &member->tree->links[member->link] : NULL;

  if (link == NULL)
    return;
  link->mass = 0;
  link->centre = (OrreryVec3){ 0 };
  link->inertia = (OrreryMat3){ { 0 } };
  weigh (link, member->entry);
}

/* --- motors --- */

void
tree_set_take (TreeSet *self, const OrreryCommand *command)
{
  const Member *member =
      find_member (self, orrery_world_get_object (self->set->world, command->object));
  TreeLink *link = member != NULL ? &member->tree->links[member->link] : NULL;

  if (link == NULL || link->joint == NULL || !motor_take (link->motor, command, link->position) ||
      link->joint->kind == ORRERY_JOINT_BALL)
    return;
  link->position = link->motor->goal = motor_limit (link->joint, command->linear.x);
  member->tree->rates[link->dof] = 0;
}

static double
get_slope (const TreeCoupling *c)
{
  double slope;

  orrery_constraint_follow (c->coupling, c->leading->links[c->leader].position, &slope);
  return slope;
}

/* A motor of a leading joint moves those that follow, too, as far as these have none. */
static void
couple_motors (TreeSet *self, gboolean gather)
{
  for (guint i = 0; i < self->couplings->len; i++) {
    guint k = gather ? self->couplings->len - 1 - i : i;
    const TreeCoupling *c = &g_array_index (self->couplings, TreeCoupling, k);
    guint dof = c->tree->links[c->link].dof, leader = c->leading->links[c->leader].dof;

    if (c->tree->away)
      continue;
    if (gather)
      c->leading->share[leader] += get_slope (c) * (c->tree->implied[dof] + c->tree->bias[dof] -
                                                    c->tree->passive[dof] + c->tree->share[dof]);
    else if (c->leading->driven[leader] && !c->tree->driven[dof])
      c->tree->wanted[dof] = get_slope (c) * c->leading->wanted[leader];
  }
}

/* --- a substep --- */

static void
take_base (TreeSet *self, const Member *member, TreeLink *link)
{
  const OrreryBody *s = link->settings;
  gboolean turns = s->type != ORRERY_BODY_DYNAMIC;
  const double factors[6] = { s->linear_factor.x,          s->linear_factor.y,
                              s->linear_factor.z,          turns * s->angular_factor.x,
                              turns * s->angular_factor.y, turns * s->angular_factor.z };
  Body *body = &member->entry->own;
  OrreryVec3 linear, angular;

  bullet_body_get_pose (self->set, body, &link->pose);
  bullet_body_get_velocity (self->set, body, &linear, &angular);
  memcpy (member->tree->rates, &linear, sizeof linear);
  memcpy (member->tree->rates + 3, &angular, sizeof angular);
  link->is_held = body->holder != NULL;
  for (guint k = 0; k < 6; k++)
    link->locked[k] = factors[k] == 0 || body_is_still (body);
}

/* @tree: the one whose links are shown; NULL: all. */
static void
show (TreeSet *self, const Tree *tree)
{
  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    OrreryVec3 linear, angular;

    if (member->tree->away || (tree != NULL && member->tree != tree))
      continue;
    tree_get_velocity (member->tree, member->link, &linear, &angular);
    bullet_body_show (member->entry->body, &member->tree->links[member->link].pose, &linear,
                      &angular);
  }
}

/* Where what carries a tree is now. */
static void
take_place (TreeSet *self, const Member *member)
{
  TreeLink *link = &member->tree->links[member->link];

  if (link->joint == NULL)
    take_base (self, member, link);
  else if (link->parent < 0)
    body_set_get_parent_pose (self->set, &member->entry->own, &link->base);
}

static void
place_from (TreeSet *self, guint first_member, guint first_tree)
{
  for (guint i = first_member; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);

    if (!member->tree->away)
      take_place (self, member);
  }
  for (guint i = first_tree; i < self->trees->len; i++)
    if (!((Tree *) self->trees->pdata[i])->away)
      tree_place (self->trees->pdata[i]);
}

void
tree_set_place (TreeSet *self)
{
  place_from (self, 0, 0);
  show (self, NULL);
}

void
tree_set_follow (TreeSet *self)
{
  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    const Body *body = &member->entry->own;
    gboolean told = body->carrier != NULL && !body_is_dynamic (body->carrier) &&
                    body->carrier->motion != MOTION_FIXED;

    if (member->tree->away || member->link > 0 || (body->holder == NULL && !told))
      continue;
    take_place (self, member);
    tree_place (member->tree);
    show (self, member->tree);
  }
}

static void
hold_locked (Tree *tree)
{
  const TreeLink *base = &tree->links[0];

  for (guint k = 0; base->joint == NULL && !base->is_held && k < 6; k++)
    if (base->locked[k])
      tree->rates[k] = 0;
}

static void
damp (Tree *tree, const OrreryVec3 *wind, double dt)
{
  const TreeLink *base = &tree->links[0];
  const double air[3] = { wind->x, wind->y, wind->z };
  double linear, angular;

  /* What is held goes as fast as its holder. */
  if (base->joint != NULL || base->is_held)
    return;
  linear = pow (1 - base->settings->linear_damping, dt);
  angular = pow (1 - base->settings->angular_damping, dt);
  for (guint k = 0; k < 3; k++) {
    /* Still air changes no sign of a zero. */
    tree->rates[k] =
        air[k] == 0 ? tree->rates[k] * linear : air[k] + (tree->rates[k] - air[k]) * linear;
    tree->rates[3 + k] *= angular;
  }
}

void
tree_set_accelerate (TreeSet *self, double dt)
{
  const OrreryVec3 *wind = orrery_world_get_wind (self->set->world);

  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    TreeLink *link = &member->tree->links[member->link];

    if (member->tree->away)
      continue;
    bullet_body_get_gravity (member->entry->body, &link->gravity);
    bullet_body_get_force (self->set, &member->entry->own, &link->force, &link->torque);
  }
  for (guint i = 0; i < self->trees->len; i++) {
    Tree *tree = self->trees->pdata[i];

    if (tree->away)
      continue;
    damp (tree, wind, dt);
    hold_locked (tree);
    tree_place (tree);
    if (tree->before != NULL)
      tree_begin_loads (tree);
    tree_measure (tree, dt);
    tree_drive (tree, dt);
  }
  couple_motors (self, FALSE);
  for (guint i = 0; i < self->trees->len; i++)
    if (!((Tree *) self->trees->pdata[i])->away)
      tree_imply (self->trees->pdata[i]);
  couple_motors (self, TRUE);
  for (guint i = 0; i < self->trees->len; i++)
    if (!((Tree *) self->trees->pdata[i])->away)
      tree_accelerate (self->trees->pdata[i], dt);
}

void
tree_set_take_back (TreeSet *self)
{
  for (guint i = 0; i < self->trees->len; i++)
    if (!((Tree *) self->trees->pdata[i])->away)
      tree_take_back (self->trees->pdata[i]);
  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    TreeLink *link = &member->tree->links[member->link];

    link->friction = link->torsion = (OrreryVec3){ 0 };
  }
}

void
tree_set_find_loads (TreeSet *self, double dt)
{
  for (guint i = 0; i < self->trees->len; i++) {
    Tree *tree = self->trees->pdata[i];

    if (tree->away)
      continue;
    hold_locked (tree);
    if (tree->before != NULL)
      tree_find_loads (tree, dt);
  }
}

void
tree_set_integrate (TreeSet *self, double dt)
{
  for (guint i = 0; i < self->trees->len; i++) {
    Tree *tree = self->trees->pdata[i];

    if (tree->away)
      continue;
    hold_locked (tree);
    tree_integrate (tree, dt);
    tree_place (tree);
  }
  show (self, NULL);
}

void
tree_set_read (TreeSet *self, OrrerySnapshot *snapshot)
{
  for (guint i = 0; i < self->members->len; i++) {
    const Member *member = &g_array_index (self->members, Member, i);
    const TreeLink *link = &member->tree->links[member->link];
    const double *rates = member->tree->rates + link->dof;
    OrreryJointState state = { .position = link->position,
                               .velocity = rates[0],
                               .rotation = link->rotation };

    if (link->joint == NULL || member->tree->away)
      continue;
    state.effort = link->motor->effort;
    if (link->joint->kind == ORRERY_JOINT_BALL) {
      const OrreryQuat *q = &link->rotation;

      state.turning = (OrreryVec3){ rates[0], rates[1], rates[2] };
      state.velocity = orrery_vec3_length (&state.turning);
      state.position =
          2 * atan2 (orrery_vec3_length (&(OrreryVec3){ q->x, q->y, q->z }), fabs (q->w));
    }
    orrery_snapshot_set_joint (snapshot, member->entry->own.index, &state);
    if (self->measured && orrery_world_is_measured (self->set->world, ORRERY_MEASURE_WRENCH,
                                                    member->entry->own.object))
      orrery_snapshot_set_wrench (snapshot, member->entry->own.index, &link->given);
  }
}
