/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

G_BEGIN_DECLS

/**
 * OrreryComputation:
 * @ORRERY_COMPUTATION_AUTOMATIC: from velocities where the robot has physics, else from positions
 * @ORRERY_COMPUTATION_VELOCITY: from the velocities that physics has
 * @ORRERY_COMPUTATION_POSITION: from differences of poses
 *
 * How a motion sensor computes its values; the property `ComputationMode` of those that do.
 */
typedef enum {
  ORRERY_COMPUTATION_AUTOMATIC,
  ORRERY_COMPUTATION_VELOCITY,
  ORRERY_COMPUTATION_POSITION,
} OrreryComputation;

#define ORRERY_TYPE_COMPUTATION (orrery_computation_get_type ())
ORRERY_API GType orrery_computation_get_type (void);

/**
 * OrrerySensor:
 *
 * Fills a record from the state of the world. Besides the services of every component it has
 * get_local_data.
 */
#define ORRERY_TYPE_SENSOR (orrery_sensor_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrrerySensor, orrery_sensor, ORRERY, SENSOR, OrreryComponent)

/**
 * OrrerySensorClass:
 * @sense: every step of an active, due sensor: fills the record from the snapshot; its timestamp is
 * set already
 */
struct _OrrerySensorClass {
  OrreryComponentClass parent_class;

  void (*sense) (OrrerySensor *self, OrreryTick *tick, OrreryRecord *record, GError **error);

  /*< private >*/
  gpointer _reserved[8];
};

G_END_DECLS
