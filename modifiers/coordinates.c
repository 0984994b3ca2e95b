/* SPDX-License-Identifier: BSD-3-Clause */
#include "coordinates.h"

void
coordinates_setup (Coordinates *self, OrreryPart *part, OrrerySetup *setup, GError **error)
{
  OrreryRecord *record = orrery_setup_get_record (setup);

  self->x = orrery_record_find_double (record, "x");
  self->y = orrery_record_find_double (record, "y");
  self->z = orrery_record_find_double (record, "z");
  g_clear_pointer (&self->geodesy, orrery_geodesy_unref);
  if (self->x != NULL && self->y != NULL && self->z != NULL)
    self->geodesy = orrery_geodesy_new_from_world (orrery_setup_get_world (setup), error);
  else
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG,
                 "%s needs the fields 'x', 'y' and 'z'; the record has no '%s'",
                 orrery_part_get_classpath (part),
                 self->x == NULL   ? "x"
                 : self->y == NULL ? "y"
                                   : "z");
}

void
coordinates_clear (Coordinates *self)
{
  g_clear_pointer (&self->geodesy, orrery_geodesy_unref);
}

void
coordinates_convert (Coordinates *self, CoordinatesFunc convert)
{
  OrreryVec3 from = { *self->x, *self->y, *self->z };
  OrreryVec3 to;

  convert (self->geodesy, &from, &to);
  *self->x = to.x;
  *self->y = to.y;
  *self->z = to.z;
}
