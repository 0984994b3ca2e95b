/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

G_BEGIN_DECLS

/**
 * OrreryActuator:
 *
 * Turns a record, which messages and services write, into commands.
 */
#define ORRERY_TYPE_ACTUATOR (orrery_actuator_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryActuator, orrery_actuator, ORRERY, ACTUATOR, OrreryComponent)

/**
 * OrreryActuator:timeout:
 *
 * How long the actuator goes on without a command, s of simulated time: after that it halts once,
 * as the class says, until it is told something again. Messages, writes and calls are commands, and
 * a call that is pending is one all the time. 0 to 1e9; 0, the default: it never halts. May change
 * while the simulation runs.
 */

/**
 * OrreryActuatorClass:
 * @act: every step of an active, due actuator, with or without a new message: reads the record,
 * stages commands
 * @halt: nobody commands it any more, for the time of its property `timeout`: makes the record say
 * that it stands still, for the step that follows; %NULL: the record as the setup left it, for
 * actuators whose commands are at rest then, such as speeds of zero
 */
struct _OrreryActuatorClass {
  OrreryComponentClass parent_class;

  void (*act) (OrreryActuator *self, OrreryTick *tick, OrreryRecord *record, GError **error);
  void (*halt) (OrreryActuator *self, OrreryRecord *record);

  /*< private >*/
  gpointer _reserved[7];
};

G_END_DECLS
