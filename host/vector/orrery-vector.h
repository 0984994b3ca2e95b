/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "simulation/orrery-simulation.h"

G_BEGIN_DECLS

/**
 * ORRERY_VECTOR_MAX_SIMULATIONS:
 *
 * A vector has at most as many simulations.
 */
#define ORRERY_VECTOR_MAX_SIMULATIONS 65536

/**
 * OrreryVector:
 *
 * Simulations of one scene that are stepped together, as learning wants them: arrays with a row for
 * each simulation, whose columns are what actuators are told, what is observed, and values of
 * expressions. What is named is looked up once. The simulations run one after the other, each for
 * itself: the result of a row depends on its seed and its actions, and on no other row. Thread of
 * the simulations.
 */
#define ORRERY_TYPE_VECTOR (orrery_vector_get_type ())
ORRERY_API
G_DECLARE_FINAL_TYPE (OrreryVector, orrery_vector, ORRERY, VECTOR, GObject)

/**
 * orrery_vector_new: (constructor)
 * @registry: where classes come from
 * @path: a scene file, or a directory with scene.json
 * @options: (nullable): what is said about the runs
 * @n: how many simulations, 1 to %ORRERY_VECTOR_MAX_SIMULATIONS
 * @observations: (array zero-terminated=1) (nullable): fields of components by full names, as
 *   `robot.pose.x`: numbers, vectors (a column for each member), arrays and points (of as many
 *   columns as they have values in the first second)
 * @actions: (array zero-terminated=1) (nullable): fields of actuators: numbers, true or false, and
 *   vectors
 * @values: (array zero-terminated=1) (nullable): expressions, as #OrreryExpression has them, which
 *   are evaluated after each step
 * @error: return location
 *
 * Loads the simulations. Each has to be rewound and to begin before it steps.
 *
 * Returns: (transfer full): the vector, or %NULL with an error of
 *   orrery_simulation_load_with_options(), %ORRERY_ERROR_NOT_FOUND: no such component or field, or
 *   %ORRERY_ERROR_INVALID: another kind of field, an expression that is wrong, too many numbers
 */
ORRERY_API OrreryVector *orrery_vector_new (OrreryRegistry *registry, const char *path,
                                            OrreryOptions *options, guint n,
                                            const char *const *observations,
                                            const char *const *actions, const char *const *values,
                                            GError **error);
/**
 * orrery_vector_get_simulation:
 * @vector: a vector
 * @index: of a simulation, from 0
 *
 * For what arrays do not tell: its world, its components, its hash. Ticks that it runs by itself
 * are not in the arrays.
 *
 * Returns: (transfer none) (nullable): the simulation; another one in its place after it has failed
 *   and was rewound; %NULL if that failed, too
 */
ORRERY_API OrrerySimulation *orrery_vector_get_simulation (OrreryVector *vector, guint index);
/**
 * orrery_vector_get_observation_width:
 * @vector: a vector
 * @index: of an observation, from 0, in the order in which they were given
 *
 * Fixed when the vector is made. Its columns follow those of the observations before it.
 *
 * Returns: of how many columns it is; 0 if there is none of that index
 */
ORRERY_API guint orrery_vector_get_observation_width (OrreryVector *vector, guint index);
/**
 * orrery_vector_get_action_width:
 * @vector: a vector
 * @index: of an action, from 0, in the order in which they were given
 *
 * Fixed when the vector is made. Its columns follow those of the actions before it. A vector has
 * three or four columns, numbers and truth values have one.
 *
 * Returns: of how many columns it is; 0 if there is none of that index
 */
ORRERY_API guint orrery_vector_get_action_width (OrreryVector *vector, guint index);
/**
 * orrery_vector_dup_observations:
 * @vector: a vector
 *
 * Unlike those of other buffers these bytes change, with each step and start.
 *
 * Returns: (transfer full): doubles, simulations times columns; of an array that has become shorter
 *   NaN at its end, and nothing beyond its columns of one that has become longer
 */
ORRERY_API OrreryBuffer *orrery_vector_dup_observations (OrreryVector *vector);
/**
 * orrery_vector_dup_actions:
 * @vector: a vector
 *
 * The array of the vector itself, not a copy. orrery_vector_step() reads the rows of simulations
 * that are not held; a truth value is true if it is not 0.
 *
 * Returns: (transfer full): doubles, simulations times columns, at first 0: the caller writes them
 *   between two steps
 */
ORRERY_API OrreryBuffer *orrery_vector_dup_actions (OrreryVector *vector);
/**
 * orrery_vector_dup_values:
 * @vector: a vector
 *
 * The array of the vector itself, not a copy: the bytes change with each step and start. The time
 * that an expression sees, `time`, is that since the row has begun.
 *
 * Returns: (transfer full): doubles, simulations times expressions; NaN in the row of a simulation
 *   that has failed
 */
ORRERY_API OrreryBuffer *orrery_vector_dup_values (OrreryVector *vector);
/**
 * orrery_vector_dup_held:
 * @vector: a vector
 *
 * The array of the vector itself, not a copy. orrery_vector_begin() sets a byte to 0, and
 * orrery_vector_rewind() and a failure set it to 1; the caller may write it between two steps. One
 * that has failed, or has not begun since it was rewound, does not step, whatever its byte is.
 *
 * Returns: (transfer full): a byte for each simulation, at first 1: it does not step
 */
ORRERY_API OrreryBuffer *orrery_vector_dup_held (OrreryVector *vector);
/**
 * orrery_vector_step:
 * @vector: a vector
 * @n_ticks: ticks of each simulation, 1 or more
 * @error: return location
 *
 * Tells the actuators of each row that is not held what its actions say, runs its ticks, and writes
 * its observations and values. A simulation that fails is held from then on, its observations and
 * values are NaN, and the others go on.
 *
 * Returns: how many simulations have failed in it; -1 with %ORRERY_ERROR_INVALID, before any
 *   simulation has stepped, for an action that its field cannot have: not finite, or of an integer
 *   no whole number
 */
ORRERY_API int orrery_vector_step (OrreryVector *vector, guint64 n_ticks, GError **error);
/**
 * orrery_vector_rewind:
 * @vector: a vector
 * @index: of a simulation, from 0
 * @seed: where its random numbers start
 * @error: return location
 *
 * Sets one simulation back to its start, and holds it, so that the caller can change the start: by
 * orrery_simulation_restore(), properties at once, poses by commands, which the first tick carries
 * out. Then comes orrery_vector_begin(). A simulation that has failed is loaded anew.
 *
 * Returns: %TRUE, or %FALSE with the error: it stays failed
 */
ORRERY_API gboolean orrery_vector_rewind (OrreryVector *vector, guint index, guint64 seed,
                                          GError **error);
/**
 * orrery_vector_begin:
 * @vector: a vector
 * @index: of a simulation, from 0, that was rewound
 * @n_ticks: 1, in which its sensors see the start; 2 where objects were moved since, because
 *   sensors see what a tick begins with
 * @error: return location
 *
 * Runs the first ticks, with the actuators as they are at the start, writes observations and
 * values, and holds it no longer.
 *
 * Returns: %TRUE, or %FALSE with the error: it has failed; with %ORRERY_ERROR_STATE, nothing done:
 *   it has begun since it was rewound, or had failed before
 */
ORRERY_API gboolean orrery_vector_begin (OrreryVector *vector, guint index, guint64 n_ticks,
                                         GError **error);
/**
 * orrery_vector_get_failure:
 * @vector: a vector
 * @index: of a simulation, from 0
 *
 * A message for people, of several lines where a load has found several things wrong.
 *
 * Returns: (nullable): why it has failed; %NULL: it has not. Valid until it is rewound
 */
ORRERY_API const char *orrery_vector_get_failure (OrreryVector *vector, guint index);

G_END_DECLS
