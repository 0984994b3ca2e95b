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
 * OrreryFieldLimits: (skip)
 * @low: no value of the field is below it; -infinity: there is no limit
 * @high: none is above it; infinity: there is no limit
 * @nothing: the value that says that nothing was measured, and has no error; NaN: there is none
 * @follows: whether the field is computed from other fields of the record: what changes the whole
 *   record leaves it to orrery_sensor_follow_field()
 *
 * What a modifier has to know of the numbers of a field, in the unit of the field.
 */
typedef struct {
  double low;
  double high;
  double nothing;
  gboolean follows;
} OrreryFieldLimits;

/**
 * OrrerySensorClass:
 * @sense: every step of an active, due sensor: fills the record from the snapshot; its timestamp is
 * set already
 * @limit: (skip): (nullable): changes what is not so in @limits, which come as of a field
 *   without limits; orrery_sensor_get_limits()
 * @follow: (skip): (nullable): computes again what hangs on @field, in the sensor's record;
 *   orrery_sensor_follow_field(). Like @limit it is also called for a sensor that runs in a worker,
 *   of which this process knows the properties and the record, but has not run the setup
 */
struct _OrrerySensorClass {
  OrreryComponentClass parent_class;

  void (*sense) (OrrerySensor *self, OrreryTick *tick, OrreryRecord *record, GError **error);
#ifndef __GI_SCANNER__
  void (*limit) (OrrerySensor *self, const OrreryField *field, OrreryFieldLimits *limits);
  void (*follow) (OrrerySensor *self, OrreryRecord *record, const OrreryField *field);
#else
  gpointer limit;
  gpointer follow;
#endif

  /*< private >*/
  gpointer _reserved[6];
};

/**
 * orrery_sensor_get_limits: (skip)
 * @field: a field of its record
 * @limits: (out): what is known of its values
 *
 * Modifiers keep what they change within the limits. Properties may change them between two ticks.
 * Tick thread, or that of setup.
 */
ORRERY_API void orrery_sensor_get_limits (OrrerySensor *sensor, const OrreryField *field,
                                          OrreryFieldLimits *limits);

/**
 * orrery_sensor_follow_field: (skip)
 * @field: the field of its record that was changed
 *
 * Makes the other fields of the record fit to one that a modifier has changed: points to distances,
 * the number of points to the points. Tick thread, in `modify`.
 */
ORRERY_API void orrery_sensor_follow_field (OrrerySensor *sensor, const OrreryField *field);

G_END_DECLS
