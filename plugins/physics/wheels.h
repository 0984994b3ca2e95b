/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

G_BEGIN_DECLS

/*
 * Wheels on rays, for any engine: springs that carry the body, and tyres whose forces along and
 * across stay in a circle of friction. All that wheels do to a body in a substep is solved
 * together, against what else pulls at it, so a robot stands still on a slope. The ground does not
 * feel it. A car on rays (OrreryWheel.ray) has the tyres of Bullet's vehicle instead, and creeps.
 */
typedef struct _WheelSet WheelSet;

/* A body that rolls, in world axes. */
typedef struct {
  OrreryTransform pose;
  OrreryVec3 linear;   /* m/s */
  OrreryVec3 angular;  /* rad/s */
  OrreryVec3 force;    /* N, what else acts on it in this substep, its weight included */
  OrreryVec3 torque;   /* N m */
  double mass;         /* kg */
  OrreryVec3 inertia;  /* kg m2, about its own axes */
  gboolean on_margins; /* margins of other bodies count for it */
} WheelBody;

/* What the engine does for them. */
typedef struct {
  /* FALSE: the body takes no part in this substep. */
  gboolean (*get) (gpointer engine, OrreryObject *body, WheelBody *out);
  void (*set) (gpointer engine, OrreryObject *body, const OrreryVec3 *linear,
               const OrreryVec3 *angular);
  /* The nearest solid thing, other than @body, on the way from one point to the other: at which
   * share of it, below 0 in a margin, and its unit normal; FALSE: none. @margins: things reach as
   * far as their margins. */
  gboolean (*cast) (gpointer engine, OrreryObject *body, const OrreryVec3 *from,
                    const OrreryVec3 *to, gboolean margins, double *fraction, OrreryVec3 *normal);
} WheelEngine;

/* Those of all bodies; NULL where there are none. */
WheelSet *wheel_set_new (OrreryWorld *world);
void wheel_set_free (WheelSet *set);
/* A command of kind ORRERY_COMMAND_WHEEL; whatever is no wheel is left alone. */
void wheel_set_take (WheelSet *set, const OrreryCommand *command);
/* Before a substep of the engine, when the forces on the bodies are known. */
void wheel_set_step (WheelSet *set, const WheelEngine *engine, gpointer data, double dt);
/* After the bodies are in the snapshot: where the wheels are. */
void wheel_set_read (WheelSet *set, OrrerySnapshot *snapshot);

/*
 * Without forces: how the driven wheels of @body move it when nothing slips, in its own axes: FALSE
 * where none is driven. Of wheels that do not agree, the least squares.
 */
gboolean wheel_set_get_twist (WheelSet *set, OrreryObject *body, OrreryVec3 *linear,
                              OrreryVec3 *angular);
/* Turns the wheels of @body by what wheel_set_get_twist() says, for dt s. */
void wheel_set_roll (WheelSet *set, OrreryObject *body, double dt);

/* What wheels are told, and how they turn, `ad`, floating; of none: empty. FALSE: of other wheels.
 */
GVariant *wheel_set_save (WheelSet *set);
gboolean wheel_set_restore (WheelSet *set, GVariant *state);

G_END_DECLS
