/* SPDX-License-Identifier: BSD-3-Clause */
/* Coordinates and angles from east, north, up to north, east, down, and back. */
#include "lack.h"

/* Configs of MORSE's first releases name the method: of both, the first, or the second. */
static const OrreryMethod former_methods[] = {
  { "blender_to_ned", NULL, "What it does, by a name that MORSE's class had for it" },
  { "ned_to_blender", NULL, "What it does, by a name that MORSE's class had for it" },
};

/* --- coordinates: East, North, Up to North, East, Down, and back, which is the same --- */

/* Exchanges x and y, turns z round. A record may lack z; without x or y nothing changes. */
typedef struct {
  OrreryModifier parent_instance;
  double *x, *y, *z; /* z or NULL; all NULL if x or y is missing */
} OrreryNEDCoordinates;
ORRERY_DEFINE_CLASS (OrreryNEDCoordinates, orrery_ned_coordinates, OrreryModifier, orrery_modifier)

static void
orrery_ned_coordinates_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNEDCoordinates *self = (OrreryNEDCoordinates *) part;
  OrreryRecord *record = orrery_setup_get_record (setup);

  self->x = orrery_record_find_double (record, "x");
  self->y = orrery_record_find_double (record, "y");
  self->z = orrery_record_find_double (record, "z");
  if (self->x != NULL && self->y != NULL)
    return;
  lack (part, self->x == NULL ? "field 'x'" : "field 'y'");
  self->x = self->y = self->z = NULL;
}

static void
orrery_ned_coordinates_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNEDCoordinates *self = (OrreryNEDCoordinates *) modifier;

  if (self->x != NULL) {
    double x = *self->x;

    *self->x = *self->y;
    *self->y = x;
  }
  if (self->z != NULL)
    *self->z = -*self->z;
}

static void
orrery_ned_coordinates_class_init (OrreryNEDCoordinatesClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_ned_coordinates_setup;
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_ned_coordinates_modify;
  ORRERY_CLASS_SET_METHODS (klass, former_methods);
}

/* --- angles --- */

/* As MORSE does it, the exchange of roll and yaw included: numbers that people have stay. */
typedef struct {
  OrreryModifier parent_instance;
  double *yaw, *roll; /* both, or NULL: nothing changes */
  double *pitch;      /* or NULL */
} OrreryNEDAngles;
ORRERY_DEFINE_BASE_CLASS (OrreryNEDAngles, orrery_ned_angles, OrreryModifier, orrery_modifier)

static void
orrery_ned_angles_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryNEDAngles *self = (OrreryNEDAngles *) part;
  OrreryRecord *record = orrery_setup_get_record (setup);

  self->yaw = orrery_record_find_double (record, "yaw");
  self->roll = orrery_record_find_double (record, "roll");
  self->pitch = orrery_record_find_double (record, "pitch");
  if (self->yaw != NULL && self->roll != NULL)
    return;
  lack (part, self->yaw == NULL ? "field 'yaw'" : "field 'roll'");
  self->yaw = self->roll = NULL;
}

static void
orrery_ned_angles_class_init (OrreryNEDAnglesClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = orrery_ned_angles_setup;
}

/* roll = pi/2 - yaw; yaw = the old roll; pitch turns round. */
typedef struct {
  OrreryNEDAngles parent_instance;
} OrreryAnglesToNED;
ORRERY_DEFINE_CLASS (OrreryAnglesToNED, orrery_angles_to_ned, OrreryNEDAngles, orrery_ned_angles)

static void
orrery_angles_to_ned_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNEDAngles *self = (OrreryNEDAngles *) modifier;
  double roll;

  if (self->roll == NULL)
    return;
  roll = *self->roll;
  *self->roll = G_PI / 2 - *self->yaw;
  *self->yaw = roll;
  if (self->pitch != NULL)
    *self->pitch = -*self->pitch;
}

static void
orrery_angles_to_ned_class_init (OrreryAnglesToNEDClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_angles_to_ned_modify;
  orrery_modifier_class_set_methods (ORRERY_MODIFIER_CLASS (klass), &former_methods[0], 1);
}

/* yaw = pi/2 - roll; roll = the old yaw; pitch turns round. */
typedef struct {
  OrreryNEDAngles parent_instance;
} OrreryAnglesFromNED;
ORRERY_DEFINE_CLASS (OrreryAnglesFromNED, orrery_angles_from_ned, OrreryNEDAngles,
                     orrery_ned_angles)

static void
orrery_angles_from_ned_modify (OrreryModifier *modifier, OrreryTick *tick, GError **error)
{
  OrreryNEDAngles *self = (OrreryNEDAngles *) modifier;
  double yaw;

  if (self->yaw == NULL)
    return;
  yaw = *self->yaw;
  *self->yaw = G_PI / 2 - *self->roll;
  *self->roll = yaw;
  if (self->pitch != NULL)
    *self->pitch = -*self->pitch;
}

static void
orrery_angles_from_ned_class_init (OrreryAnglesFromNEDClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = orrery_angles_from_ned_modify;
  orrery_modifier_class_set_methods (ORRERY_MODIFIER_CLASS (klass), &former_methods[1], 1);
}

ORRERY_PLUGIN (
    "North, East, Down", "BSD-3-Clause",
    ORRERY_CLASS (CoordinatesToNED, OrreryNEDCoordinates, orrery_ned_coordinates,
                  .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "NED", "orrery.sensors.pose.Pose" },
                                             { "NED", "orrery.sensors.gps.GPS" })),
    ORRERY_CLASS (CoordinatesFromNED, OrreryNEDCoordinates, orrery_ned_coordinates,
                  .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "NED", "orrery.actuators.destination.Destination" },
                                             { "NED", "orrery.actuators.waypoint.Waypoint" },
                                             { "NED", "orrery.actuators.teleport.Teleport" })),
    ORRERY_CLASS (AnglesToNED, OrreryAnglesToNED, orrery_angles_to_ned,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "NED", "orrery.sensors.gyroscope.Gyroscope" })),
    ORRERY_CLASS (AnglesFromNED, OrreryAnglesFromNED, orrery_angles_from_ned,
                  .role = ORRERY_ROLE_MODIFIER, .thread_safe = TRUE,
                  .aliases = ORRERY_ALIASES ({ "NED",
                                               "orrery.actuators.orientation.Orientation" })))
