/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in the host for a component that runs in a worker: its class is asked here only what
 * modifiers of a sensor need. */
#include "roles/orrery-stand-in-private.h"

#include "base/orrery-error-private.h"
#include "part/orrery-part-private.h"
#include "roles/orrery-component-private.h"
#include "roles/orrery-sensor.h"

/* What modifiers ask of a sensor is asked of one of its class, which has its properties and its
 * place. It is made when somebody asks first, and never set up. */
typedef struct {
  OrrerySensor parent_instance;
  OrrerySensor *asked;
} SensorStandIn;

/* Values of properties, by their names: those of the class are written by its code. */
static G_DEFINE_QUARK (orrery - stand - in - values, values)

    static void value_free (gpointer data)
{
  g_value_unset (data);
  g_free (data);
}

static GHashTable *
get_values (GObject *object)
{
  GHashTable *values = g_object_get_qdata (object, values_quark ());

  if (values != NULL)
    return values;
  values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, value_free);
  g_object_set_qdata_full (object, values_quark (), values, (GDestroyNotify) g_hash_table_unref);
  return values;
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GValue *kept = g_new0 (GValue, 1);

  g_value_init (kept, G_PARAM_SPEC_VALUE_TYPE (pspec));
  g_value_copy (value, kept);
  /* As for the members of a class, a text whose default is one is never NULL. */
  if (G_IS_PARAM_SPEC_STRING (pspec) && g_value_get_string (kept) == NULL &&
      G_PARAM_SPEC_STRING (pspec)->default_value != NULL)
    g_value_set_static_string (kept, "");
  g_hash_table_replace (get_values (object), (gpointer) pspec->name, kept);
  if (ORRERY_IS_SENSOR (object) && ((SensorStandIn *) object)->asked != NULL)
    g_object_set_property (G_OBJECT (((SensorStandIn *) object)->asked), pspec->name, value);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  const GValue *kept = g_hash_table_lookup (get_values (object), pspec->name);

  if (kept != NULL)
    g_value_copy (kept, value);
  else
    g_param_value_set_default (pspec, value);
}

/* --- what modifiers ask of sensors --- */

static OrrerySensor *
need_asked (OrrerySensor *sensor)
{
  SensorStandIn *self = (SensorStandIn *) sensor;
  OrreryPartClass *real = ORRERY_PART_GET_CLASS (sensor)->stands_for;
  GHashTableIter iter;
  gpointer name, value;

  if (self->asked != NULL)
    return self->asked;
  self->asked = g_object_new (G_TYPE_FROM_CLASS (real), NULL);
  g_hash_table_iter_init (&iter, get_values (G_OBJECT (sensor)));
  while (g_hash_table_iter_next (&iter, &name, &value))
    g_object_set_property (G_OBJECT (self->asked), name, value);
  orrery_component_place_as (ORRERY_COMPONENT (self->asked), ORRERY_COMPONENT (sensor));
  return self->asked;
}

static void
limit (OrrerySensor *sensor, const OrreryField *field, OrreryFieldLimits *limits)
{
  OrrerySensor *asked = need_asked (sensor);

  ORRERY_SENSOR_GET_CLASS (asked)->limit (asked, field, limits);
}

static void
follow (OrrerySensor *sensor, OrreryRecord *record, const OrreryField *field)
{
  OrrerySensor *asked = need_asked (sensor);

  ORRERY_SENSOR_GET_CLASS (asked)->follow (asked, record, field);
}

static void
finalize_sensor (GObject *object)
{
  g_clear_object (&((SensorStandIn *) object)->asked);
  G_OBJECT_CLASS (g_type_class_peek (ORRERY_TYPE_SENSOR))->finalize (object);
}

static void
sensor_class_init (OrrerySensorClass *klass, OrrerySensorClass *real)
{
  G_OBJECT_CLASS (klass)->finalize = finalize_sensor;
  klass->limit = real->limit != NULL ? limit : NULL;
  klass->follow = real->follow != NULL ? follow : NULL;
}

/* --- the class --- */

/* Of its services those run here that every component of the role has. */
static void
call (OrreryPart *part, const char *name, OrreryCall *call, GError **error)
{
  const OrreryService *service =
      orrery_part_class_find_service (g_type_class_peek_parent (ORRERY_PART_GET_CLASS (part)),
                                      name);

  if (service != NULL && service->func != NULL)
    service->func (part, call, error);
  else
    orrery_set_error (error, ORRERY_ERROR_BUSY, "%s: the service %s runs in a worker",
                      orrery_part_get_name (part), name);
}

static GVariant *
save_nothing (OrreryPart *part)
{
  return NULL;
}

static void
install_properties (GObjectClass *object_class, GObjectClass *of)
{
  GType base = G_TYPE_FROM_CLASS (g_type_class_peek_parent (object_class));
  g_autofree GParamSpec **specs = NULL;
  guint n, id = 0;

  specs = g_object_class_list_properties (of, &n);
  object_class->set_property = set_property;
  object_class->get_property = get_property;
  for (guint i = 0; i < n; i++)
    if (!g_type_is_a (base, specs[i]->owner_type))
      g_object_class_install_property (object_class, ++id,
                                       g_param_spec_override (specs[i]->name, specs[i]));
}

/* @of: the GType of the class */
static void
class_init (gpointer klass, gpointer of)
{
  OrreryPartClass *part_class = klass;
  OrreryComponentClass *component_class = klass;
  /* Kept for ever, as types are. */
  OrreryPartClass *real = g_type_class_ref (GPOINTER_TO_SIZE (of));

  install_properties (klass, G_OBJECT_CLASS (real));
  part_class->stands_for = real;
  part_class->services = real->services;
  part_class->other_options = real->other_options;
  part_class->call = call;
  if (orrery_part_class_has_state (real))
    part_class->save = save_nothing;
  component_class->schema = ORRERY_COMPONENT_CLASS (real)->schema;
  component_class->morse_order = ORRERY_COMPONENT_CLASS (real)->morse_order;
  if (ORRERY_IS_SENSOR_CLASS (klass))
    sensor_class_init (klass, ORRERY_SENSOR_CLASS (real));
}

GType
orrery_stand_in_get_type (GType of, OrreryRole role)
{
  g_autofree char *name = g_strconcat ("OrreryStandIn-", g_type_name (of), NULL);
  GType made = g_type_from_name (name);
  GTypeInfo info = { .class_init = class_init, .class_data = GSIZE_TO_POINTER (of) };
  GTypeQuery base;

  if (made != G_TYPE_INVALID)
    return made;
  g_type_query (orrery_role_get_type (role), &base);
  info.class_size = (guint16) base.class_size;
  info.instance_size =
      (guint16) (role == ORRERY_ROLE_SENSOR ? sizeof (SensorStandIn) : base.instance_size);
  return g_type_register_static (base.type, name, &info, 0);
}
