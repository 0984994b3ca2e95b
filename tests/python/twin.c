/* SPDX-License-Identifier: BSD-3-Clause */
/* acme.twin.Twin in C; test_twins.py has the same class in Python. */
#include <orrery.h>

typedef struct {
  double distance;
  gint64 n;
  OrreryVec3 where;
  OrreryText note;
  OrreryArray ranges;
  OrreryBool near;
} AcmeTwinData;

static const OrreryField fields[] = {
  ORRERY_FIELD (AcmeTwinData, distance, "m", "Distance"),
  ORRERY_FIELD (AcmeTwinData, n, "", "Number of the step"),
  ORRERY_FIELD (AcmeTwinData, where, "m", "Place"),
  ORRERY_FIELD (AcmeTwinData, note, "", "Words"),
  ORRERY_FIELD (AcmeTwinData, ranges, "m", "Ranges"),
  ORRERY_FIELD (AcmeTwinData, near, "", "Whether it is near"),
};

G_DECLARE_FINAL_TYPE (AcmeTwin, acme_twin, ACME, TWIN, OrrerySensor)
struct _AcmeTwin {
  OrrerySensor parent_instance;
  double reach;
  gint64 n;
};
G_DEFINE_FINAL_TYPE (AcmeTwin, acme_twin, ORRERY_TYPE_SENSOR)

static void
acme_twin_sense (OrrerySensor *sensor, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  AcmeTwin *self = (AcmeTwin *) sensor;
  AcmeTwinData *out = orrery_record_data (record);
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (sensor), tick);
  double *ranges = orrery_array_prepare (&out->ranges, 3);
  char note[32];

  self->n++;
  if (self->n % 5 == 0) {
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INTERNAL, "no echo");
    return;
  }
  out->distance = self->reach * (0.0 + (1.0 - 0.0) * orrery_random_uniform (random));
  out->n = self->n;
  out->where = orrery_component_get_pose (ORRERY_COMPONENT (sensor))->position;
  g_snprintf (note, sizeof note, "step %d", (int) self->n);
  orrery_text_set (&out->note, note);
  for (int i = 0; i < 3; i++)
    ranges[i] = i + 0.5 * self->n;
  out->near = out->distance < 0.5 * self->reach;
}

static void
acme_twin_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_double (value, ((AcmeTwin *) object)->reach);
}

static void
acme_twin_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ((AcmeTwin *) object)->reach = g_value_get_double (value);
}

static void
add (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_double (orrery_call_get_double (call, 0) +
                                                  orrery_call_get_double (call, 1)));
}

static const OrreryService services[] = {
  { "add", add, ORRERY_SERVICE_IMMEDIATE, "x:d y:d=2.0", "Adds two numbers" },
};

static void
acme_twin_class_init (AcmeTwinClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  ORRERY_SENSOR_CLASS (klass)->sense = acme_twin_sense;
  object_class->get_property = acme_twin_get_property;
  object_class->set_property = acme_twin_set_property;
  g_object_class_install_property (object_class, 1,
                                   g_param_spec_double ("reach", "Reach", "Reach (m)", 0, 100, 5,
                                                        G_PARAM_READWRITE | G_PARAM_CONSTRUCT));
  ORRERY_CLASS_SET_DATA (klass, AcmeTwinData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
acme_twin_init (AcmeTwin *self)
{
}

ORRERY_PLUGIN ("Twins", "BSD-3-Clause",
               ORRERY_CLASS (Twin, AcmeTwin, acme_twin, .frequency = 20,
                             .aliases = ORRERY_ALIASES ({ "Echo", "acme.twin.Twin" })))
