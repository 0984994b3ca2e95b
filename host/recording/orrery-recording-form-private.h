/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "recording/orrery-recording-writer.h"

G_BEGIN_DECLS

/* How a field is written. */
typedef enum {
  ORRERY_RECORDING_WHOLE,
  ORRERY_RECORDING_FLOAT32,
  ORRERY_RECORDING_LEFT_OUT,
} OrreryRecordingWay;

/* @form: (nullable); @index: of the field in the schema */
OrreryRecordingWay orrery_recording_form_get_way (const OrreryRecordingForm *form, guint index);

G_END_DECLS
