/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * In which form the records of a component are written. A sensor that says of what it measures when
 * it is nothing, as a distance along a ray, has these numbers as float32; points that it computes
 * from them are left out. A replay computes both again with all digits.
 */
typedef struct {
  OrreryRecordingForm *form;
  char *float32, *left_out; /* names of fields, with blanks between them */
} RecorderForm;

/* @precise: all digits are written; @derived: nothing is left out */
void recorder_form_init (RecorderForm *form, OrreryComponent *component, gboolean precise,
                         gboolean derived);
void recorder_form_clear (RecorderForm *form);
/* Adds what a channel says of it. */
void recorder_form_describe (const RecorderForm *form, GVariantBuilder *metadata);
