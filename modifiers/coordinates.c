/* SPDX-License-Identifier: BSD-3-Clause */
/* What modifiers of coordinates of the Earth share. */
#include "coordinates.h"

#include "lack.h"

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
    lack (part, self->x == NULL ? "field 'x'" : self->y == NULL ? "field 'y'" : "field 'z'");
}

void
coordinates_clear (Coordinates *self)
{
  g_clear_pointer (&self->geodesy, orrery_geodesy_unref);
}

void
coordinates_convert (Coordinates *self, CoordinatesFunc convert)
{
  OrreryVec3 from, to;

  if (self->geodesy == NULL)
    return;
  from = (OrreryVec3){ *self->x, *self->y, *self->z };
  convert (self->geodesy, &from, &to);
  *self->x = to.x;
  *self->y = to.y;
  *self->z = to.z;
}
