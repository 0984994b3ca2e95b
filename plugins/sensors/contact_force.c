/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a robot is touched, and with what force. */
#include <orrery.h>

#include <string.h>

/* More points than that no sensor tells. */
#define MOST_POINTS 10000

typedef struct {
  gint64 n_contacts;
  gint64 n_cut;
  OrreryText links;
  OrreryText others;
  OrreryPoints points;
  OrreryPoints normals;
  OrreryPoints forces;
  OrreryVec3 force;
} ContactForceData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ContactForceData, n_contacts, "", "How many points are told"),
  ORRERY_FIELD (ContactForceData, n_cut, "", "How many more there are, beyond MaxContacts"),
  ORRERY_FIELD (ContactForceData, links, "",
                "Which link is touched at each point: names of objects, with commas between"),
  ORRERY_FIELD (ContactForceData, others, "", "What touches it there, likewise"),
  ORRERY_FIELD (ContactForceData, points, "m", "The points, in the world"),
  ORRERY_FIELD (ContactForceData, normals, "", "Unit vectors in the world, towards the link"),
  ORRERY_FIELD (ContactForceData, forces, "N",
                "Forces on the link at the points, in the world: normal and friction"),
  ORRERY_FIELD (ContactForceData, force, "N",
                "Sum of the forces on all links, in the world, points that are cut included"),
};

/*
 * Contact points of one link, of some or of all links of a robot, with the force at each in the
 * last substep of physics. Points come in the order of the objects of the scene, of a pair by their
 * coordinates: the same in each run, and with each number of threads. Links of the robot may touch
 * each other: such a point is told once for each that is looked at. A point without force, as there
 * is in the margin of a body, is none.
 */
typedef struct {
  OrrerySensor parent_instance;
  char *links;
  double least;  /* N */
  guint most;    /* points */
  gboolean *own; /* by index: whether it is looked at */
  guint n_objects;
  OrreryWorld *world;
  GString *names[2];
  guint *seen;     /* 2 most: link and other of each point */
  double *numbers; /* 9 most: point, normal, force */
} OrreryContactForce;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryContactForce, orrery_contact_force, OrrerySensor,
                               orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (
      OrreryContactForce, links, "Links", "",
      "\"\": the body that the sensor is part of; \"*\": all of its robot; else "
      "names of objects of the robot, with commas between",
      .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_UINT (OrreryContactForce, most, "MaxContacts", 1, MOST_POINTS, 64,
                        "No more points are told; those beyond are counted",
                        .flags = ORRERY_PROPERTY_AT_START),
  ORRERY_PROPERTY_DOUBLE (OrreryContactForce, least, "MinForce", 0, 1e9, 0,
                          "N; a point counts if its normal force is larger than this"),
};

/* --- which links --- */

static gboolean
has_body (OrreryObject *object)
{
  return orrery_object_get_body (object)->type != ORRERY_BODY_NONE;
}

static gboolean
is_part_of (OrreryObject *object, OrreryObject *whole)
{
  while (object != NULL && object != whole)
    object = orrery_object_get_parent (object);
  return object != NULL;
}

/* The body that an object is a part of, as what is fixed to a link is: NULL: none. */
static OrreryObject *
find_whole (OrreryObject *object)
{
  while (object != NULL && (!has_body (object) || orrery_physics_is_part (object)))
    object = orrery_object_get_parent (object);
  return object;
}

/* By its full name, or by that within the robot. */
static OrreryObject *
find_link (OrreryContactForce *self, OrreryObject *root, const char *name)
{
  for (guint i = 0; i < self->n_objects; i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);
    const char *full = orrery_object_get_name (object);
    const char *last = strrchr (full, '.');

    if (has_body (object) && (root == NULL || is_part_of (object, root)) &&
        (g_str_equal (full, name) || (last != NULL && g_str_equal (last + 1, name))))
      return object;
  }
  return NULL;
}

static gboolean
choose_named (OrreryContactForce *self, OrreryObject *root, GError **error)
{
  g_auto (GStrv) names = g_strsplit_set (self->links, " ,", -1);

  for (char **name = names; *name != NULL; name++) {
    OrreryObject *link = **name != '\0' ? find_link (self, root, *name) : NULL;

    /* What belongs to an environment is nobody's. */
    if (link == NULL && **name != '\0')
      link = find_link (self, NULL, *name);

    if (**name == '\0')
      continue;
    if (link == NULL) {
      g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                   "Links: no object '%.60s' with a body, neither below the robot nor in the scene",
                   *name);
      return FALSE;
    }
    link = find_whole (link);
    if (link != NULL)
      self->own[orrery_object_get_index (link)] = TRUE;
  }
  return TRUE;
}

/* What a robot has, and with a world that has more, what it has since. */
static void
choose_all (OrreryContactForce *self, OrreryObject *root, guint first)
{
  for (guint i = first; i < self->n_objects; i++) {
    OrreryObject *object = orrery_world_get_object (self->world, i);

    self->own[i] = has_body (object) && root != NULL && is_part_of (object, root);
  }
}

static gboolean
takes_all (const OrreryContactForce *self)
{
  return g_str_equal (self->links, "*");
}

static OrreryObject *
get_root (OrreryContactForce *self)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));

  return robot != NULL
             ? orrery_component_get_object (robot)
             : orrery_object_get_parent (orrery_component_get_object (ORRERY_COMPONENT (self)));
}

static gboolean
choose (OrreryContactForce *self, OrreryObject *own, GError **error)
{
  if (*self->links == '\0') {
    own = find_whole (own);
    if (own != NULL)
      self->own[orrery_object_get_index (own)] = TRUE;
    return TRUE;
  }
  if (!takes_all (self))
    return choose_named (self, get_root (self), error);
  choose_all (self, get_root (self), 0);
  return TRUE;
}

/* The robot itself may have been added last. */
static void
look_again (OrreryContactForce *self)
{
  guint before = self->n_objects;

  self->n_objects = orrery_world_get_n_objects (self->world);
  self->own = g_renew (gboolean, self->own, self->n_objects);
  memset (self->own + before, 0, (self->n_objects - before) * sizeof *self->own);
  if (takes_all (self))
    choose_all (self, get_root (self), before);
}

static OrreryObject *
find_first (const OrreryContactForce *self)
{
  for (guint i = 0; i < self->n_objects; i++)
    if (self->own[i])
      return orrery_world_get_object (self->world, i);
  return NULL;
}

static void
orrery_contact_force_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryContactForce *self = (OrreryContactForce *) part;
  OrreryObject *first;

  g_set_object (&self->world, orrery_setup_get_world (setup));
  self->n_objects = orrery_world_get_n_objects (self->world);
  g_free (self->own);
  g_free (self->seen);
  g_free (self->numbers);
  self->own = g_new0 (gboolean, self->n_objects);
  self->seen = g_new0 (guint, 2 * self->most);
  self->numbers = g_new0 (double, 9 * self->most);
  if (!choose (self, orrery_setup_get_object (setup), error))
    return;
  first = find_first (self);
  if (first == NULL)
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
        "neither the sensor nor what it is part of has a body, so it has no contacts; give "
        "one of them a 'body', or name objects by Links");
  else
    orrery_setup_measure (setup, ORRERY_MEASURE_CONTACTS, first, error);
}

/* --- a step --- */

static void
put (double *to, const OrreryVec3 *v, double factor)
{
  to[0] = factor * v->x;
  to[1] = factor * v->y;
  to[2] = factor * v->z;
}

/* @sign: 1: the link is the first object of the contact. */
static void
add_point (OrreryContactForce *self, ContactForceData *out, const OrreryContact *c,
           const OrreryVec3 *friction, double sign, double dt)
{
  OrreryVec3 force = orrery_vec3_scale (&c->normal, c->impulse);
  double *numbers = self->numbers + 9 * out->n_contacts;

  orrery_vec3_accumulate (&force, friction, 1);
  orrery_vec3_accumulate (&out->force, &force, sign / dt);
  if (out->n_contacts == self->most) {
    out->n_cut++;
    return;
  }
  put (numbers, &c->point, 1);
  put (numbers + 3, &c->normal, sign);
  put (numbers + 6, &force, sign / dt);
  self->seen[2 * out->n_contacts] = sign > 0 ? c->a : c->b;
  self->seen[2 * out->n_contacts + 1] = sign > 0 ? c->b : c->a;
  out->n_contacts++;
}

static void
find_points (OrreryContactForce *self, OrrerySnapshot *snapshot, ContactForceData *out)
{
  const OrreryVec3 *frictions = orrery_snapshot_get_frictions (snapshot);
  double dt = orrery_snapshot_get_substep (snapshot);
  guint n;
  const OrreryContact *contacts = orrery_snapshot_get_contacts (snapshot, &n);

  out->n_contacts = out->n_cut = 0;
  out->force = (OrreryVec3){ 0 };
  for (guint i = 0; dt > 0 && i < n; i++) {
    const OrreryContact *c = &contacts[i];

    if (!(c->impulse > self->least * dt))
      continue;
    if (self->own[c->a])
      add_point (self, out, c, &frictions[i], 1, dt);
    if (self->own[c->b])
      add_point (self, out, c, &frictions[i], -1, dt);
  }
}

static void
put_names (OrreryContactForce *self, OrreryText *text, guint which, guint n)
{
  GString *names = self->names[which];

  g_string_truncate (names, 0);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (names, ',');
    g_string_append (names, orrery_object_get_name (
                                orrery_world_get_object (self->world, self->seen[2 * i + which])));
  }
  if (strcmp (orrery_text_get (text), names->str) != 0)
    orrery_text_set (text, names->str);
}

static void
put_numbers (const OrreryContactForce *self, OrreryPoints *points, guint which, guint n)
{
  double *to = orrery_points_prepare (points, n);

  for (guint i = 0; to != NULL && i < n; i++)
    memcpy (to + 3 * i, self->numbers + 9 * i + 3 * which, 3 * sizeof *to);
}

static void
orrery_contact_force_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                            GError **error)
{
  OrreryContactForce *self = (OrreryContactForce *) sensor;
  ContactForceData *out = orrery_record_data (record);
  guint n;

  if (self->n_objects != orrery_world_get_n_objects (self->world))
    look_again (self);
  find_points (self, orrery_tick_get_snapshot (tick), out);
  n = (guint) out->n_contacts;
  put_names (self, &out->links, 0, n);
  put_names (self, &out->others, 1, n);
  put_numbers (self, &out->points, 0, n);
  put_numbers (self, &out->normals, 1, n);
  put_numbers (self, &out->forces, 2, n);
}

static void
orrery_contact_force_finalize (GObject *object)
{
  OrreryContactForce *self = (OrreryContactForce *) object;

  g_clear_pointer (&self->own, g_free);
  g_clear_pointer (&self->seen, g_free);
  g_clear_pointer (&self->numbers, g_free);
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    g_string_free (self->names[i], TRUE);
  g_clear_object (&self->world);
  G_OBJECT_CLASS (orrery_contact_force_parent_class)->finalize (object);
}

static void
orrery_contact_force_class_init (OrreryContactForceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_contact_force_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_contact_force_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_contact_force_sense;
  ORRERY_CLASS_SET_DATA (klass, ContactForceData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

static void
orrery_contact_force_init (OrreryContactForce *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->names); i++)
    self->names[i] = g_string_new (NULL);
}

ORRERY_PLUGIN ("Where a robot is touched, and with what force", "BSD-3-Clause",
               ORRERY_CLASS (ContactForce, OrreryContactForce, orrery_contact_force,
                             .thread_safe = TRUE))
