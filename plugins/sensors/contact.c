/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects that touch a body. */
#include <orrery.h>

#include <string.h>

typedef struct {
  OrreryBool collision;
  OrreryText objects;
} ContactData;

static const OrreryField fields[] = {
  ORRERY_FIELD (ContactData, collision, "", "Whether something touches"),
  ORRERY_FIELD (ContactData, objects, "", "Names of what touches, with commas between"),
};

/*
 * What touches the nearest body that the sensor is part of: one of its own, as that of a bumper, or
 * the robot's. The robot itself, its other parts, and bodies that feel no contact are not counted.
 * There is something to pass on while something touches, and only then. The base of
 * orrery.sensors.collision.Collision.
 */
typedef struct {
  OrrerySensor parent_instance;
  char *wanted;  /* property that things must have, or "" */
  guint body;    /* index of the object with the body */
  gboolean *own; /* by index: whether it is part of the robot */
  guint n_objects;
  GString *names;
  guint *found; /* indices of what touches */
  OrreryWorld *world;
} OrreryContactSensor;
ORRERY_DEFINE_CLASS_WITH_INIT (OrreryContactSensor, orrery_contact_sensor, OrrerySensor,
                               orrery_sensor)

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (OrreryContactSensor, wanted, "only_objects_with_property", "",
                          "Only things that have this property are looked at; empty: all"),
};

static OrreryObject *
find_body (OrreryObject *object)
{
  while (object != NULL && orrery_object_get_body (object)->type == ORRERY_BODY_NONE)
    object = orrery_object_get_parent (object);
  return object;
}

static gboolean
is_part_of (OrreryObject *object, OrreryObject *whole)
{
  while (object != NULL && object != whole)
    object = orrery_object_get_parent (object);
  return object != NULL;
}

/* Of the objects that are new since the last look, too. */
static void
look_again (OrreryContactSensor *self)
{
  OrreryComponent *robot = orrery_component_get_robot (ORRERY_COMPONENT (self));
  guint n = orrery_world_get_n_objects (self->world);

  self->own = g_renew (gboolean, self->own, n);
  self->found = g_renew (guint, self->found, n);
  for (guint i = self->n_objects; i < n; i++)
    self->own[i] = robot != NULL && is_part_of (orrery_world_get_object (self->world, i),
                                                orrery_component_get_object (robot));
  self->n_objects = n;
}

static void
orrery_contact_sensor_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryContactSensor *self = (OrreryContactSensor *) part;
  OrreryObject *body = find_body (orrery_setup_get_object (setup));

  if (body == NULL) {
    g_set_error (
        error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
        "neither the sensor nor its parent object has a body, so it has no contacts; give one "
        "of them a 'body'");
    return;
  }
  g_set_object (&self->world, orrery_setup_get_world (setup));
  self->body = orrery_object_get_index (body);
  self->n_objects = 0;
  look_again (self);
}

static gboolean
is_wanted (OrreryContactSensor *self, guint index)
{
  OrreryObject *object = orrery_world_get_object (self->world, index);

  if (self->own[index] || orrery_object_get_body (object)->type == ORRERY_BODY_GHOST)
    return FALSE;
  return *self->wanted == '\0' || orrery_object_get_value (object, self->wanted) != NULL;
}

/* Contacts are sorted by the one, then by the other: so what touches comes in scene order, and the
 * points of one pair together. */
static guint
find_touching (OrreryContactSensor *self, OrreryTick *tick)
{
  guint n_contacts, n = 0;
  const OrreryContact *contacts =
      orrery_snapshot_get_contacts (orrery_tick_get_snapshot (tick), &n_contacts);

  for (guint i = 0; i < n_contacts; i++) {
    const OrreryContact *c = &contacts[i];
    guint other = c->a == self->body ? c->b : c->a;

    if (c->a != self->body && c->b != self->body)
      continue;
    if ((n == 0 || self->found[n - 1] != other) && is_wanted (self, other))
      self->found[n++] = other;
  }
  return n;
}

static void
orrery_contact_sensor_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record,
                             GError **error)
{
  OrreryContactSensor *self = (OrreryContactSensor *) sensor;
  ContactData *out = orrery_record_data (record);
  guint n;

  if (self->n_objects != orrery_world_get_n_objects (self->world))
    look_again (self);
  n = find_touching (self, tick);
  g_string_truncate (self->names, 0);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (self->names, ',');
    g_string_append (self->names, orrery_object_get_name (
                                      orrery_world_get_object (self->world, self->found[i])));
  }
  out->collision = n > 0;
  if (strcmp (orrery_text_get (&out->objects), self->names->str) != 0)
    orrery_text_set (&out->objects, self->names->str);
  if (n == 0)
    orrery_record_hold (record);
}

static void
orrery_contact_sensor_finalize (GObject *object)
{
  OrreryContactSensor *self = (OrreryContactSensor *) object;

  g_clear_pointer (&self->own, g_free);
  g_clear_pointer (&self->found, g_free);
  g_string_free (self->names, TRUE);
  g_clear_object (&self->world);
  G_OBJECT_CLASS (orrery_contact_sensor_parent_class)->finalize (object);
}

static void
orrery_contact_sensor_class_init (OrreryContactSensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_contact_sensor_finalize;
  ORRERY_PART_CLASS (klass)->setup = orrery_contact_sensor_setup;
  ORRERY_SENSOR_CLASS (klass)->sense = orrery_contact_sensor_sense;
  orrery_component_class_set_morse_order (ORRERY_COMPONENT_CLASS (klass), ORRERY_MORSE_ORDER_TOUCH);
  ORRERY_CLASS_SET_DATA (klass, ContactData, fields);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

static void
orrery_contact_sensor_init (OrreryContactSensor *self)
{
  self->names = g_string_new (NULL);
}

ORRERY_PLUGIN ("What touches a body", "BSD-3-Clause",
               ORRERY_CLASS (Contact, OrreryContactSensor, orrery_contact_sensor,
                             .thread_safe = TRUE))
