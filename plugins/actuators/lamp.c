/* SPDX-License-Identifier: BSD-3-Clause */
/* A lamp that is switched on and off. */
#include <orrery.h>

#include <math.h>

typedef struct {
  OrreryBool emit;
} LampData;

static const OrreryField fields[] = {
  ORRERY_FIELD (LampData, emit, "", "Whether the lamp shines"),
};

/*
 * Switches a lamp on and off: that of its object, or of one right below it; where there is none, it
 * has a spot that shines along x. What the properties say of the lamp holds from the start. The
 * base of orrery.actuators.light.Light.
 */
typedef struct {
  OrreryActuator parent_instance;
  gboolean emit;
  double distance;
  char *color;
  double size;
  double energy;
  OrreryBool lit; /* as it was told last */
} OrreryLampActuator;
ORRERY_DEFINE_CLASS (OrreryLampActuator, orrery_lamp_actuator, OrreryActuator, orrery_actuator)

/* "(1, 0.5, 0)"; FALSE: it is no colour. Black is what MORSE has where none is given. */
static gboolean
read_color (const char *text, OrreryVec3 *color)
{
  double *parts[] = { &color->x, &color->y, &color->z };

  for (guint i = 0; i < 3; i++) {
    char *end;

    while (*text != '\0' && strchr ("([, ", *text) != NULL)
      text++;
    *parts[i] = g_ascii_strtod (text, &end);
    if (end == text || !(*parts[i] >= 0))
      return FALSE;
    /* Scripts of MORSE have up to 255 for all that there is. */
    *parts[i] = fmin (*parts[i], 1);
    text = end;
  }
  return text[strspn (text, ")] ")] == '\0';
}

static OrreryObject *
find_lamp (OrreryLampActuator *self)
{
  OrreryObject *object = orrery_component_get_object (ORRERY_COMPONENT (self));
  GPtrArray *children = object != NULL ? orrery_object_get_children (object) : NULL;
  OrreryLamp *lamp;

  if (object == NULL || orrery_object_get_lamp (object) != NULL)
    return object;
  for (guint i = 0; i < children->len; i++)
    if (orrery_object_get_lamp (children->pdata[i]) != NULL)
      return children->pdata[i];
  lamp = orrery_object_add_lamp (object);
  lamp->kind = ORRERY_LAMP_SPOT;
  lamp->direction = (OrreryVec3){ 1, 0, 0 };
  return object;
}

/* Every process that has the scene sets its lamp: cameras in workers see it, too. */
static void
set_lamp (OrreryPart *part)
{
  OrreryLampActuator *self = (OrreryLampActuator *) part;
  OrreryObject *object = find_lamp (self);
  OrreryLamp *lamp = object != NULL ? orrery_object_get_lamp (object) : NULL;
  OrreryVec3 color;

  if (lamp == NULL)
    return;
  lamp->on = self->emit;
  lamp->distance = self->distance;
  lamp->angle = self->size;
  lamp->energy = self->energy;
  if (read_color (self->color, &color) && (color.x > 0 || color.y > 0 || color.z > 0))
    lamp->color = color;
}

static gboolean
check_color (OrreryPart *part, GVariant *value, GError **error)
{
  const char *text = g_variant_get_string (value, NULL);
  OrreryVec3 color;

  if (read_color (text, &color))
    return TRUE;
  return orrery_set_error (error, ORRERY_ERROR_CONFIG,
                           "'%.60s' is not red, green and blue, each from 0 to 1, as (1, 0.5, 0)",
                           text);
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_BOOLEAN (OrreryLampActuator, emit, "emit", TRUE, "Whether it shines at the start",
                           .changed = set_lamp),
  ORRERY_PROPERTY_DOUBLE (OrreryLampActuator, distance, "distance", 1e-3, 1e6, 10,
                          "D, m: at d m the share D / (D + d2) of its light is left",
                          .changed = set_lamp),
  ORRERY_PROPERTY_STRING (OrreryLampActuator, color, "color", "(0,0,0)",
                          "Red, green, blue, 0 to 1, as (1, 0.5, 0); (0,0,0): white",
                          .check = check_color, .changed = set_lamp),
  ORRERY_PROPERTY_DOUBLE (OrreryLampActuator, size, "size", 1e-3, G_PI, G_PI_2,
                          "Full angle of its cone, rad", .changed = set_lamp),
  ORRERY_PROPERTY_DOUBLE (OrreryLampActuator, energy, "energy", 0, 1000, 1, "How bright it is",
                          .changed = set_lamp),
};

static void
orrery_lamp_actuator_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryLampActuator *self = (OrreryLampActuator *) part;
  LampData *data = orrery_record_data (orrery_setup_get_record (setup));

  set_lamp (part);
  self->lit = data->emit = self->emit;
}

static void
orrery_lamp_actuator_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record,
                          GError **error)
{
  OrreryLampActuator *self = (OrreryLampActuator *) actuator;
  const LampData *in = orrery_record_data (record);

  if (in->emit == self->lit)
    return;
  self->lit = in->emit;
  orrery_commands_set_lamp (orrery_tick_get_commands (tick), find_lamp (self), self->lit);
}

/* Null: the other way. */
static void
toggle (OrreryPart *part, OrreryCall *call, GError **error)
{
  GVariant *given = orrery_call_get_argument (call, 0);
  g_autoptr (GVariant) inner =
      g_variant_is_of_type (given, G_VARIANT_TYPE_VARIANT) ? g_variant_get_variant (given) : NULL;
  LampData *data = orrery_component_get_data (part);

  given = inner != NULL ? inner : given;
  if (g_variant_is_of_type (given, G_VARIANT_TYPE_BOOLEAN))
    data->emit = g_variant_get_boolean (given);
  else
    data->emit = !data->emit;
  orrery_call_return (call, g_variant_new_boolean (TRUE));
}

static const OrreryService services[] = {
  { "toggle", toggle, ORRERY_SERVICE_IMMEDIATE, "emit:v=null",
    "Switches the lamp on or off as emit says, without it the other way; returns true" },
};

static const OrreryField states[] = {
  ORRERY_STATE (OrreryLampActuator, lit),
};

static void
orrery_lamp_actuator_class_init (OrreryLampActuatorClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_lamp_actuator_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = orrery_lamp_actuator_act;
  ORRERY_CLASS_SET_DATA (klass, LampData, fields);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_SET_STATE (klass, OrreryLampActuator, states);
}

ORRERY_PLUGIN ("A lamp that is switched", "BSD-3-Clause",
               ORRERY_CLASS (Lamp, OrreryLampActuator, orrery_lamp_actuator))
