/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-random.h"
#include "text/orrery-node.h"

/*
 * What a value is drawn from: `uniform(LEAST, GREATEST)`, `normal(MEAN, DEVIATION)` or
 * `choice([V, ...])`, as `--draw` of `orrery batch` has them.
 */
typedef struct _OrreryDistribution OrreryDistribution;

/* @place: where the text stands, for messages. NULL: with ORRERY_ERROR_INVALID. */
OrreryDistribution *orrery_distribution_parse (const char *text, const char *place, GError **error);
void orrery_distribution_free (OrreryDistribution *self);
/* Draws from the stream. Returns: (transfer full) */
GVariant *orrery_distribution_draw (const OrreryDistribution *self, OrreryRandom *random);
/* What is to be tried before a run: the ends of a range and a fraction between them, the mean, or
 * each value of a choice. */
guint orrery_distribution_get_n_samples (const OrreryDistribution *self);
/* Returns: (transfer full) */
GVariant *orrery_distribution_get_sample (const OrreryDistribution *self, guint i);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryDistribution, orrery_distribution_free)
