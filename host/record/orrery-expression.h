/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "record/orrery-record.h"

G_BEGIN_DECLS

/**
 * OrreryExpression: (skip)
 *
 * A formula over fields of records, as a metric of a run: compiled once, evaluated once per tick
 * without allocation or lookup. One thread at a time. The language is that of docs/batch.md:
 * numbers, `time`, `pi`, fields by the full name of a component (`robot.pose.x`, `robot.imu.
 * angular_velocity.z`), arithmetic, comparisons, `and`, `or`, `not`, the functions abs, min, max,
 * sqrt, sin, cos, hypot, norm and clip, and over all ticks first, last, min_over, max_over and
 * mean_over. All values are doubles; true is 1, and every number but 0 and NaN counts as true.
 */
typedef struct _OrreryExpression OrreryExpression;

/**
 * OrreryFindRecordFunc: (skip)
 * @name: what may be the full name of a component
 * @user_data: as given
 *
 * Called while an expression is compiled.
 *
 * Returns: (transfer none) (nullable): its record, of which the expression keeps a reference
 */
typedef OrreryRecord *(*OrreryFindRecordFunc) (const char *name, gpointer user_data);

/**
 * orrery_expression_new: (skip)
 * @text: the formula, at most 4096 bytes
 * @find: finds the records of its fields
 * @user_data: for @find
 * @error: return location
 *
 * Compiles a formula and finds the records of its fields, of which it keeps references. A name that
 * is no field is an error.
 *
 * Returns: (transfer full) (nullable): the expression, before its first tick; %NULL with
 *   %ORRERY_ERROR_INVALID, whose message begins with the column, from 1, in characters
 */
ORRERY_API OrreryExpression *orrery_expression_new (const char *text, OrreryFindRecordFunc find,
                                                    gpointer user_data, GError **error);
/**
 * orrery_expression_free: (skip)
 * @expression: (transfer full): freed, with its references of records
 *
 * Records that others refer to live on.
 */
ORRERY_API void orrery_expression_free (OrreryExpression *expression);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryExpression, orrery_expression_free)
/**
 * orrery_expression_step: (skip)
 * @expression: an expression
 * @time: what `time` means, s
 *
 * Evaluates it with the records as they are; what it says over time goes on by one tick.
 *
 * Returns: its value; NaN where a part of it is, as of 0 / 0
 */
ORRERY_API double orrery_expression_step (OrreryExpression *expression, double time);
/**
 * orrery_expression_get_value: (skip)
 * @expression: an expression
 *
 * Nothing is evaluated.
 *
 * Returns: the value of its last step; NaN before the first
 */
ORRERY_API double orrery_expression_get_value (OrreryExpression *expression);
/**
 * orrery_expression_reset: (skip)
 * @expression: an expression
 *
 * Forgets all ticks.
 */
ORRERY_API void orrery_expression_reset (OrreryExpression *expression);

/**
 * orrery_expression_save: (skip)
 * @expression: an expression
 *
 * What it knows of the ticks so far, for orrery_expression_restore().
 *
 * Returns: (transfer floating): its state
 */
ORRERY_API GVariant *orrery_expression_save (OrreryExpression *expression);

/**
 * orrery_expression_restore: (skip)
 * @expression: an expression of the same text
 * @state: what orrery_expression_save() gave, here or in another process
 *
 * Goes on from there, as if it had seen these ticks itself.
 *
 * Returns: whether it is the state of such an expression; if not, nothing has changed
 */
ORRERY_API gboolean orrery_expression_restore (OrreryExpression *expression, GVariant *state);

G_END_DECLS
