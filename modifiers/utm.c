/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates of the world frame to those of a UTM zone and back. */
#include "lack.h"

#include <math.h>

enum { X, Y, Z, N_AXES };

/*
 * Adds constants to the coordinates x, y, z that the record has (or takes them away), as from a
 * local frame to a zone of UTM. Each offset is the option, else the environment's property
 * UTMXOffset, UTMYOffset, UTMZOffset, else that of the option's own name, else 0; a number, or a
 * text that is one.
 */
typedef struct {
  OrreryModifier parent_instance;
  GVariant *options[N_AXES]; /* as given, or NULL */
  double *values[N_AXES];    /* the fields, or NULL */
  double standard[N_AXES];   /* the environment's, or 0 */
  double offsets[N_AXES];
} OrreryUTMBase;
ORRERY_DEFINE_BASE_CLASS (OrreryUTMBase, orrery_utm_base, OrreryModifier, orrery_modifier)

static const char *const fields[N_AXES] = { "x", "y", "z" };
static const char *const environment_names[N_AXES] = { "UTMXOffset", "UTMYOffset", "UTMZOffset" };

static gboolean
read_number (GVariant *value, double *number)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)) {
    *number = g_variant_get_double (value);
  } else if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64)) {
    *number = (double) g_variant_get_int64 (value);
  } else if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)) {
    g_autofree char *text = g_strstrip (g_strdup (g_variant_get_string (value, NULL)));
    char *end;

    *number = g_ascii_strtod (text, &end);
    if (end == text || *end != '\0')
      return FALSE;
  } else {
    return FALSE;
  }
  return isfinite (*number);
}

static gboolean
check_number (OrreryPart *part, GVariant *value, GError **error)
{
  g_autofree char *text = NULL;
  double number;

  if (read_number (value, &number))
    return TRUE;
  text = orrery_variant_show (value);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s is not a finite number", text);
}

static void
take_options (OrreryPart *part)
{
  OrreryUTMBase *self = (OrreryUTMBase *) part;

  for (guint axis = X; axis < N_AXES; axis++) {
    self->offsets[axis] = self->standard[axis];
    if (self->options[axis] != NULL)
      read_number (self->options[axis], &self->offsets[axis]);
  }
}

static const OrreryProperty properties[N_AXES] = {
  ORRERY_PROPERTY_VARIANT (OrreryUTMBase, options[X], "x_offset", NULL,
                           "Easting of the origin, m; UTMXOffset or 0", .check = check_number,
                           .changed = take_options),
  ORRERY_PROPERTY_VARIANT (OrreryUTMBase, options[Y], "y_offset", NULL,
                           "Northing of the origin, m; UTMYOffset or 0", .check = check_number,
                           .changed = take_options),
  ORRERY_PROPERTY_VARIANT (OrreryUTMBase, options[Z], "z_offset", NULL,
                           "Altitude of the origin, m; UTMZOffset or 0", .check = check_number,
                           .changed = take_options),
};

/* Where the config says nothing. */
static gboolean
read_standard (OrreryUTMBase *self, OrreryWorld *world, guint axis, GError **error)
{
  const char *name = environment_names[axis];
  GVariant *value = orrery_world_get_value (world, name);
  g_autofree char *text = NULL;

  if (value == NULL)
    value = orrery_world_get_value (world, name = properties[axis].nick);
  self->standard[axis] = 0;
  if (value == NULL || self->options[axis] != NULL || read_number (value, &self->standard[axis]))
    return TRUE;

  text = orrery_variant_show (value);
  return orrery_set_error (error, ORRERY_ERROR_CONFIG, "%s is %s, not a finite number", name, text);
}

static void
orrery_utm_base_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryUTMBase *self = (OrreryUTMBase *) part;
  OrreryWorld *world = orrery_setup_get_world (setup);
  gboolean any = FALSE;

  for (guint axis = X; axis < N_AXES; axis++) {
    self->values[axis] = orrery_record_find_double (orrery_setup_get_record (setup), fields[axis]);
    any |= self->values[axis] != NULL;
    if (!read_standard (self, world, axis, error))
      return;
  }
  take_options (part);
  if (!any)
    lack (part, "field 'x', 'y' or 'z'");
}

static void
shift (OrreryModifier *modifier, double sign)
{
  OrreryUTMBase *self = (OrreryUTMBase *) modifier;

  for (guint axis = X; axis < N_AXES; axis++)
    if (self->values[axis] != NULL)
      *self->values[axis] += sign * self->offsets[axis];
}

static void
orrery_utm_base_class_init (OrreryUTMBaseClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_utm_base_setup;
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

/* Configs of MORSE's first releases name the method: on the way out, or in. */
static const OrreryMethod former_methods[] = {
  { "blender_to_utm", NULL, "What it does, by a name that MORSE's class had for it" },
  { "utm_to_blender", NULL, "What it does, by a name that MORSE's class had for it" },
};

typedef struct {
  OrreryUTMBase parent_instance;
} OrreryCoordinatesToUTM;
ORRERY_DEFINE_CLASS (OrreryCoordinatesToUTM, orrery_coordinates_to_utm, OrreryUTMBase,
                     orrery_utm_base)

static void
orrery_coordinates_to_utm_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  shift (modifier, 1);
}

static void
orrery_coordinates_to_utm_class_init (OrreryCoordinatesToUTMClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_coordinates_to_utm_modify;
  orrery_modifier_class_set_methods (ORRERY_MODIFIER_CLASS (klass), &former_methods[0], 1);
}

typedef struct {
  OrreryUTMBase parent_instance;
} OrreryCoordinatesFromUTM;
ORRERY_DEFINE_CLASS (OrreryCoordinatesFromUTM, orrery_coordinates_from_utm, OrreryUTMBase,
                     orrery_utm_base)

static void
orrery_coordinates_from_utm_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  shift (modifier, -1);
}

static void
orrery_coordinates_from_utm_class_init (OrreryCoordinatesFromUTMClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_coordinates_from_utm_modify;
  orrery_modifier_class_set_methods (ORRERY_MODIFIER_CLASS (klass), &former_methods[1], 1);
}

ORRERY_PLUGIN (
    "Coordinates of a UTM zone", "BSD-3-Clause",
    ORRERY_CLASS (CoordinatesToUTM, OrreryCoordinatesToUTM, orrery_coordinates_to_utm,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "UTM", "orrery.sensors.pose.Pose" },
                                             { "UTM", "orrery.sensors.gps.GPS" })),
    ORRERY_CLASS (CoordinatesFromUTM, OrreryCoordinatesFromUTM, orrery_coordinates_from_utm,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "UTM", "orrery.actuators.destination.Destination" },
                                             { "UTM", "orrery.actuators.waypoint.Waypoint" })))
