/* SPDX-License-Identifier: BSD-3-Clause */
/* A snapshot: poses and velocities of all objects at one time, contacts and joints. */
#include "base/orrery-counted-private.h"
#include "base/orrery-random.h"
#include "world/orrery-world-private.h"

#include <math.h>
#include <string.h>

/* Moves per contact that insertion sort may make before heap sort takes over. */
#define MOVES_LIMIT 8

G_DEFINE_BOXED_TYPE (OrrerySnapshot, orrery_snapshot, orrery_snapshot_ref, orrery_snapshot_unref)

OrrerySnapshot *
orrery_snapshot_new (void)
{
  OrrerySnapshot *snapshot = g_new0 (OrrerySnapshot, 1);

  g_atomic_ref_count_init (&snapshot->refs);
  snapshot->contacts = g_array_new (FALSE, FALSE, sizeof (OrreryContact));
  snapshot->carried = g_array_new (FALSE, FALSE, sizeof (OrreryCarried));
  snapshot->owners = g_array_new (FALSE, FALSE, sizeof (guint));
  g_mutex_init (&snapshot->asking);
  return snapshot;
}

static void
snapshot_free (OrrerySnapshot *snapshot)
{
  g_free (snapshot->poses);
  g_free (snapshot->local);
  g_free (snapshot->linear);
  g_free (snapshot->angular);
  g_free (snapshot->parents);
  g_free (snapshot->bodies);
  g_free (snapshot->driven);
  g_free (snapshot->moved);
  g_free (snapshot->here);
  g_free (snapshot->kept);
  g_free (snapshot->joints);
  g_free (snapshot->slots);
  g_array_unref (snapshot->contacts);
  orrery_loads_clear (&snapshot->loads);
  g_array_unref (snapshot->carried);
  g_array_unref (snapshot->owners);
  g_mutex_clear (&snapshot->asking);
  g_free (snapshot);
}

ORRERY_DEFINE_COUNTED (OrrerySnapshot, orrery_snapshot, refs, snapshot_free)

static void
snapshot_reserve (OrrerySnapshot *snapshot, guint n)
{
  snapshot->n_allocated = n;
  snapshot->poses = g_renew (OrreryTransform, snapshot->poses, n);
  snapshot->local = g_renew (OrreryTransform, snapshot->local, n);
  snapshot->linear = g_renew (OrreryVec3, snapshot->linear, n);
  snapshot->angular = g_renew (OrreryVec3, snapshot->angular, n);
  snapshot->parents = g_renew (guint, snapshot->parents, n);
  snapshot->bodies = g_renew (guint, snapshot->bodies, n);
  snapshot->driven = g_renew (gboolean, snapshot->driven, n);
  snapshot->moved = g_renew (guint8, snapshot->moved, n);
  snapshot->here = g_renew (guint8, snapshot->here, n);
  snapshot->kept = g_renew (guint8, snapshot->kept, n);
  snapshot->slots = g_renew (guint, snapshot->slots, n);
}

void
orrery_snapshot_make_room (OrrerySnapshot *snapshot, guint room)
{
  snapshot->room = room;
  snapshot_reserve (snapshot, snapshot->n_objects + room);
}

static void
snapshot_grow (OrrerySnapshot *snapshot)
{
  if (snapshot->n_objects == snapshot->n_allocated)
    snapshot_reserve (snapshot, MAX (64, snapshot->n_allocated * 2));
}

void
orrery_snapshot_add_object (OrrerySnapshot *snapshot, OrreryObject *object)
{
  guint i = snapshot->n_objects;

  snapshot_grow (snapshot);
  snapshot->n_objects++;
  orrery_transform_identity (&snapshot->poses[i]);
  orrery_transform_identity (&snapshot->local[i]);
  snapshot->linear[i] = snapshot->angular[i] = (OrreryVec3){ 0 };
  snapshot->parents[i] = object->parent != NULL ? object->parent->index : G_MAXUINT;
  snapshot->bodies[i] = i;
  snapshot->driven[i] = FALSE;
  snapshot->moved[i] = snapshot->here[i] = TRUE;
  snapshot->kept[i] = object->parent == NULL;
  snapshot->slots[i] = G_MAXUINT;
  orrery_snapshot_forget_lists (snapshot);
}

#define COPY(field) memcpy (to->field, from->field, from->n_objects * sizeof *to->field)

void
orrery_snapshot_copy (OrrerySnapshot *to, OrrerySnapshot *from)
{
  orrery_snapshot_complete (from);
  if (to->n_allocated < from->n_allocated)
    snapshot_reserve (to, from->n_allocated);
  to->n_objects = from->n_objects;
  to->serial = from->serial;
  g_array_set_size (to->contacts, 0);
  if (from->contacts->len > 0)
    g_array_append_vals (to->contacts, from->contacts->data, from->contacts->len);
  orrery_loads_copy (&to->loads, &from->loads);
  if (to->n_joints_allocated < from->n_joints_allocated) {
    to->n_joints_allocated = from->n_joints_allocated;
    to->joints = g_renew (OrreryJointState, to->joints, to->n_joints_allocated);
  }
  to->n_joints = from->n_joints;
  if (from->n_joints > 0)
    memcpy (to->joints, from->joints, from->n_joints * sizeof *to->joints);
  if (from->n_objects == 0)
    return;
  COPY (poses);
  COPY (local);
  COPY (linear);
  COPY (angular);
  COPY (parents);
  COPY (bodies);
  COPY (driven);
  COPY (moved);
  COPY (here);
  COPY (slots);
  orrery_snapshot_keep_all (to);
}

void
orrery_snapshot_drop_objects (OrrerySnapshot *snapshot, GArray *drives, guint first)
{
  orrery_joints_drop (drives, snapshot, first);
  snapshot->n_objects = first;
  snapshot->serial++;
  orrery_snapshot_forget_lists (snapshot);
}

static void
place_objects (OrrerySnapshot *snapshot, OrreryWorld *world, guint first)
{
  for (guint i = first; i < snapshot->n_objects; i++) {
    OrreryObject *object = orrery_world_get_object (world, i);
    gboolean fixed = object->joint != NULL && object->joint->kind == ORRERY_JOINT_FIXED;
    gboolean own = object->parent == NULL || (object->body.type != ORRERY_BODY_NONE && !fixed);

    snapshot->local[i] = object->start;
    snapshot->linear[i] = snapshot->angular[i] = (OrreryVec3){ 0 };
    snapshot->driven[i] = FALSE;
    orrery_snapshot_note_local (snapshot, i);
    snapshot->bodies[i] = own ? i : snapshot->bodies[object->parent->index];
  }
  orrery_snapshot_forget_lists (snapshot);
}

void
orrery_snapshot_place (OrrerySnapshot *snapshot, OrreryWorld *world, GArray *drives)
{
  place_objects (snapshot, world, 0);
  orrery_joints_place (drives, snapshot, orrery_world_get_objects (world), 0);
  orrery_snapshot_begin (snapshot);
  orrery_snapshot_finish (snapshot);
}

void
orrery_snapshot_place_more (OrrerySnapshot *snapshot, OrreryWorld *world, GArray *drives,
                            guint first)
{
  place_objects (snapshot, world, first);
  orrery_joints_place (drives, snapshot, orrery_world_get_objects (world), first);
  snapshot->serial++;
  orrery_snapshot_carry (snapshot);
}

void
orrery_snapshot_rest (OrrerySnapshot *snapshot)
{
  /* A world without objects has no room for them. */
  if (snapshot->n_objects > 0)
    memset (snapshot->moved, FALSE, snapshot->n_objects);
}

void
orrery_snapshot_begin (OrrerySnapshot *snapshot)
{
  if (snapshot->contacts->len > 0)
    g_array_set_size (snapshot->contacts, 0);
  orrery_loads_forget (&snapshot->loads);
}

static int
compare_contacts (const OrreryContact *x, const OrreryContact *y)
{
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  if (x->b != y->b)
    return x->b < y->b ? -1 : 1;
  return memcmp (&x->point, &y->point, sizeof x->point);
}

/* Contacts, and where it is measured the friction of each, which goes along with it. */
typedef struct {
  OrreryContact *contacts;
  OrreryVec3 *frictions; /* or NULL */
} Touches;

static void
move (const Touches *touches, guint to, guint from)
{
  touches->contacts[to] = touches->contacts[from];
  if (touches->frictions != NULL)
    touches->frictions[to] = touches->frictions[from];
}

static void
swap (const Touches *touches, guint i, guint k)
{
  OrreryContact contact = touches->contacts[i];

  touches->contacts[i] = touches->contacts[k];
  touches->contacts[k] = contact;
  if (touches->frictions != NULL) {
    OrreryVec3 friction = touches->frictions[i];

    touches->frictions[i] = touches->frictions[k];
    touches->frictions[k] = friction;
  }
}

static void
sift_down (const Touches *touches, guint root, guint n)
{
  const OrreryContact *contacts = touches->contacts;

  for (guint child = 2 * root + 1; child < n; child = 2 * root + 1) {
    if (child + 1 < n && compare_contacts (&contacts[child], &contacts[child + 1]) < 0)
      child++;
    if (compare_contacts (&contacts[root], &contacts[child]) >= 0)
      return;
    swap (touches, root, child);
    root = child;
  }
}

static void
heap_sort (const Touches *touches, guint n)
{
  for (guint i = n / 2; i > 0; i--)
    sift_down (touches, i - 1, n);
  for (guint i = n; i > 1; i--) {
    swap (touches, 0, i - 1);
    sift_down (touches, 0, i - 1);
  }
}

static guint
insert (const Touches *touches, guint i)
{
  OrreryContact passed = touches->contacts[i];
  OrreryVec3 friction = touches->frictions != NULL ? touches->frictions[i] : (OrreryVec3){ 0 };
  guint place = i;

  for (; place > 0 && compare_contacts (&touches->contacts[place - 1], &passed) > 0; place--)
    move (touches, place, place - 1);
  touches->contacts[place] = passed;
  if (touches->frictions != NULL)
    touches->frictions[place] = friction;
  return i - place;
}

/*
 * Engines report pairs in order and only the points of a pair out of order, for which insertion
 * sort is fastest. Otherwise heap sort is used, because qsort() and g_array_sort() allocate, and
 * this runs in every tick.
 */
static void
sort_contacts (const Touches *touches, guint n)
{
  guint n_moved = 0;

  for (guint i = 1; i < n; i++) {
    if (n_moved > MOVES_LIMIT * n) {
      heap_sort (touches, n);
      return;
    }
    if (compare_contacts (&touches->contacts[i - 1], &touches->contacts[i]) > 0)
      n_moved += insert (touches, i);
  }
}

/* --- poses in the world --- */

/* Most sensors are placed at the origin of their robot. Compared bit by bit, because only then the
 * product is the pose of the parent itself. */
static gboolean
is_at_parent (const OrreryTransform *local)
{
  static const OrreryTransform here = { .rotation = { .w = 1 } };

  return memcmp (local, &here, sizeof here) == 0;
}

void
orrery_snapshot_note_local (OrrerySnapshot *snapshot, guint object)
{
  snapshot->moved[object] = TRUE;
  snapshot->here[object] = is_at_parent (&snapshot->local[object]);
}

void
orrery_snapshot_forget_lists (OrrerySnapshot *snapshot)
{
  __atomic_store_n (&snapshot->listed, FALSE, __ATOMIC_RELAXED);
  snapshot->whole = FALSE;
}

static inline void
place (OrrerySnapshot *snapshot, guint i, guint parent)
{
  if (parent == G_MAXUINT)
    snapshot->poses[i] = snapshot->local[i];
  else if (snapshot->here[i])
    snapshot->poses[i] = snapshot->poses[parent];
  else
    orrery_transform_multiply (&snapshot->poses[parent], &snapshot->local[i], &snapshot->poses[i]);
}

/* Keeps the pose of an object, and first that of its parent. */
static void
keep_with_parents (OrrerySnapshot *snapshot, guint i)
{
  if (snapshot->kept[i])
    return;
  if (snapshot->parents[i] != G_MAXUINT)
    keep_with_parents (snapshot, snapshot->parents[i]);
  if (!snapshot->driven[i])
    place (snapshot, i, snapshot->parents[i]);
  __atomic_store_n (&snapshot->kept[i], TRUE, __ATOMIC_RELEASE);
}

void
orrery_snapshot_keep (OrrerySnapshot *snapshot, guint object)
{
  g_mutex_lock (&snapshot->asking);
  keep_with_parents (snapshot, object);
  __atomic_store_n (&snapshot->listed, FALSE, __ATOMIC_RELAXED);
  g_mutex_unlock (&snapshot->asking);
}

void
orrery_snapshot_keep_all (OrrerySnapshot *snapshot)
{
  if (snapshot->n_objects > 0)
    memset (snapshot->kept, TRUE, snapshot->n_objects);
  orrery_snapshot_forget_lists (snapshot);
}

void
orrery_snapshot_complete (OrrerySnapshot *snapshot)
{
  if (snapshot->whole)
    return;
  g_mutex_lock (&snapshot->asking);
  for (guint i = 0; i < snapshot->n_objects; i++)
    if (!snapshot->kept[i])
      place (snapshot, i, snapshot->parents[i]);
  snapshot->whole = TRUE;
  g_mutex_unlock (&snapshot->asking);
}

static void
list_objects (OrrerySnapshot *snapshot)
{
  g_array_set_size (snapshot->carried, 0);
  g_array_set_size (snapshot->owners, 0);
  for (guint i = 0; i < snapshot->n_objects; i++) {
    OrreryCarried carried = { i, snapshot->parents[i] };

    if (snapshot->driven[i] || carried.parent == G_MAXUINT)
      g_array_append_val (snapshot->owners, i);
    if (snapshot->kept[i] && !snapshot->driven[i])
      g_array_append_val (snapshot->carried, carried);
  }
  snapshot->listed = TRUE;
}

/* Parents come before their children, so the state of a parent is known when its children are
 * visited. */
void
orrery_snapshot_carry (OrrerySnapshot *snapshot)
{
  const OrreryCarried *carried, *end;
  guint8 *moved = snapshot->moved;

  if (snapshot->n_objects == 0 || memchr (moved, TRUE, snapshot->n_objects) == NULL)
    return;
  if (G_UNLIKELY (!snapshot->listed))
    list_objects (snapshot);
  carried = (const OrreryCarried *) (gpointer) snapshot->carried->data;
  end = carried + snapshot->carried->len;
  for (; carried < end; carried++) {
    guint i = carried->object;

    if (carried->parent != G_MAXUINT)
      moved[i] |= moved[carried->parent];
    if (moved[i])
      place (snapshot, i, carried->parent);
  }
  snapshot->whole = FALSE;
  /* Called before and after the engine; no pose is computed twice. */
  memset (moved, FALSE, snapshot->n_objects);
}

void
orrery_snapshot_finish (OrrerySnapshot *snapshot)
{
  snapshot->serial++;
  orrery_snapshot_carry (snapshot);
  sort_contacts (&(Touches){ (OrreryContact *) (gpointer) snapshot->contacts->data,
                             orrery_loads_get_frictions (&snapshot->loads) },
                 snapshot->contacts->len);
}

gint64
orrery_snapshot_find_bad (OrrerySnapshot *snapshot)
{
  if (G_UNLIKELY (!snapshot->listed))
    list_objects (snapshot);
  for (guint k = 0; k < snapshot->owners->len; k++) {
    guint i = g_array_index (snapshot->owners, guint, k);
    const OrreryTransform *t = &snapshot->poses[i];
    const OrreryVec3 *v = &snapshot->linear[i];
    const OrreryVec3 *w = &snapshot->angular[i];
    double sum = t->position.x + t->position.y + t->position.z + t->rotation.w + t->rotation.x +
                 t->rotation.y + t->rotation.z + v->x + v->y + v->z + w->x + w->y + w->z;

    /* One sum is enough: it is not finite if any number is not, and a state whose sum overflows is
     * invalid. */
    if (!isfinite (sum))
      return i;
  }
  return -1;
}

guint64
orrery_snapshot_hash (OrrerySnapshot *snapshot, guint64 hash)
{
  gsize n = snapshot->n_objects;

  orrery_snapshot_complete (snapshot);
  hash = orrery_hash_bytes (hash, snapshot->poses, n * sizeof *snapshot->poses);
  hash = orrery_hash_bytes (hash, snapshot->linear, n * sizeof *snapshot->linear);
  hash = orrery_hash_bytes (hash, snapshot->angular, n * sizeof *snapshot->angular);
  if (snapshot->n_joints == 0)
    return hash;
  return orrery_hash_bytes (hash, snapshot->joints, snapshot->n_joints * sizeof *snapshot->joints);
}

ORRERY_DEFINE_GETTER (guint64, orrery_snapshot_get_serial, OrrerySnapshot, ORRERY_IS_STRUCT,
                      self->serial)
ORRERY_DEFINE_GETTER (guint, orrery_snapshot_get_n_objects, OrrerySnapshot, ORRERY_IS_STRUCT,
                      self->n_objects)

static G_GNUC_NO_INLINE const OrreryTransform *
keep_asked (OrrerySnapshot *snapshot, guint object)
{
  orrery_snapshot_keep (snapshot, object);
  return &snapshot->poses[object];
}

const OrreryTransform *
orrery_snapshot_get_pose (OrrerySnapshot *snapshot, guint object)
{
  g_return_val_if_fail (object < snapshot->n_objects, NULL);
  if (G_UNLIKELY (!__atomic_load_n (&snapshot->kept[object], __ATOMIC_ACQUIRE)))
    return keep_asked (snapshot, object);
  return &snapshot->poses[object];
}

/* No padding: states are hashed by their bytes. */
G_STATIC_ASSERT (sizeof (OrreryJointState) == 10 * sizeof (double));
G_STATIC_ASSERT (sizeof (OrreryTransform) == 7 * sizeof (double));

OrreryBuffer *
orrery_snapshot_dup_poses (OrrerySnapshot *snapshot)
{
  const gsize shape[] = { snapshot->n_objects, 7 };
  OrreryBuffer *poses = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, shape);

  orrery_snapshot_complete (snapshot);
  if (snapshot->n_objects > 0)
    memcpy (orrery_buffer_get_data (poses), snapshot->poses,
            snapshot->n_objects * sizeof *snapshot->poses);
  return poses;
}

const OrreryVec3 *
orrery_snapshot_get_linear_velocity (OrrerySnapshot *snapshot, guint object)
{
  g_return_val_if_fail (object < snapshot->n_objects, NULL);
  return &snapshot->linear[snapshot->bodies[object]];
}

const OrreryVec3 *
orrery_snapshot_get_angular_velocity (OrrerySnapshot *snapshot, guint object)
{
  g_return_val_if_fail (object < snapshot->n_objects, NULL);
  return &snapshot->angular[snapshot->bodies[object]];
}

const OrreryJointState *
orrery_snapshot_get_joint (OrrerySnapshot *snapshot, guint object)
{
  g_return_val_if_fail (object < snapshot->n_objects, NULL);
  if (snapshot->slots[object] == G_MAXUINT)
    return NULL;
  return &snapshot->joints[snapshot->slots[object]];
}

double
orrery_snapshot_get_joint_position (OrrerySnapshot *snapshot, guint object)
{
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, object);

  return state != NULL ? state->position : 0;
}

double
orrery_snapshot_get_joint_velocity (OrrerySnapshot *snapshot, guint object)
{
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, object);

  return state != NULL ? state->velocity : 0;
}

double
orrery_snapshot_get_joint_effort (OrrerySnapshot *snapshot, guint object)
{
  const OrreryJointState *state = orrery_snapshot_get_joint (snapshot, object);

  return state != NULL ? state->effort : 0;
}

void
orrery_snapshot_set_joint (OrrerySnapshot *snapshot, guint object, const OrreryJointState *state)
{
  g_return_if_fail (object < snapshot->n_objects);
  g_return_if_fail (snapshot->slots[object] != G_MAXUINT);
  snapshot->joints[snapshot->slots[object]] = *state;
}

const OrreryContact *
orrery_snapshot_get_contacts (OrrerySnapshot *snapshot, guint *n)
{
  *n = snapshot->contacts->len;
  return (const OrreryContact *) (gpointer) snapshot->contacts->data;
}

static void
write_contact (const OrreryContact *contact, guint32 *objects, double *numbers)
{
  objects[0] = contact->a;
  objects[1] = contact->b;
  memcpy (numbers, &contact->point, sizeof contact->point);
  memcpy (numbers + 3, &contact->normal, sizeof contact->normal);
  numbers[6] = contact->impulse;
}

OrreryBuffer *
orrery_snapshot_dup_contacts (OrrerySnapshot *snapshot, OrreryBuffer **objects)
{
  const gsize n = snapshot->contacts->len;
  OrreryBuffer *numbers = orrery_buffer_new (ORRERY_ELEMENT_DOUBLE, 2, (const gsize[]){ n, 7 });

  *objects = orrery_buffer_new (ORRERY_ELEMENT_UINT32, 2, (const gsize[]){ n, 2 });
  for (gsize i = 0; i < n; i++)
    write_contact (&g_array_index (snapshot->contacts, OrreryContact, i),
                   (guint32 *) orrery_buffer_get_data (*objects) + 2 * i,
                   (double *) orrery_buffer_get_data (numbers) + 7 * i);
  return numbers;
}

void
orrery_snapshot_set_body (OrrerySnapshot *snapshot, guint object, const OrreryTransform *pose,
                          const OrreryVec3 *linear, const OrreryVec3 *angular)
{
  g_return_if_fail (object < snapshot->n_objects);

  if (G_UNLIKELY (!snapshot->driven[object])) {
    orrery_snapshot_keep (snapshot, object);
    snapshot->driven[object] = TRUE;
    orrery_snapshot_forget_lists (snapshot);
  }
  if (memcmp (&snapshot->poses[object], pose, sizeof *pose) != 0)
    snapshot->moved[object] = TRUE;
  snapshot->poses[object] = *pose;
  snapshot->linear[object] = *linear;
  snapshot->angular[object] = *angular;
}

void
orrery_snapshot_add_contact (OrrerySnapshot *snapshot, const OrreryContact *contact)
{
  orrery_snapshot_add_contact_with_friction (snapshot, contact, &(OrreryVec3){ 0 });
}

void
orrery_snapshot_add_contact_with_friction (OrrerySnapshot *snapshot, const OrreryContact *contact,
                                           const OrreryVec3 *friction)
{
  OrreryContact c = *contact;
  OrreryVec3 f = *friction;

  g_return_if_fail (c.a < snapshot->n_objects && c.b < snapshot->n_objects);

  /* The order of a pair does not depend on the engine. */
  if (c.a > c.b) {
    c.a = contact->b;
    c.b = contact->a;
    c.normal = (OrreryVec3){ -c.normal.x, -c.normal.y, -c.normal.z };
    f = (OrreryVec3){ -f.x, -f.y, -f.z };
  }
  g_array_append_val (snapshot->contacts, c);
  if (snapshot->loads.frictions != NULL)
    g_array_append_val (snapshot->loads.frictions, f);
}
