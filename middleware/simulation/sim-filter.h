/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "sim-answer.h"

/* Which entities a request means: simulation_interfaces/msg/EntityFilters and TagsFilter. */

typedef struct {
  GRegex *name;            /* (nullable): any */
  guint categories;        /* bits; 0: any */
  GStrv tags;              /* none: any */
  gboolean wants_all;      /* of the tags */
  gboolean has_box;        /* lower and upper count */
  OrreryVec3 lower, upper; /* m, world */
} SimFilter;

/* FALSE: @answer says why it cannot be */
gboolean sim_filter_read (SimFilter *filter, GVariant *message, SimAnswer *answer);
/* The tags alone. */
gboolean sim_filter_read_tags (SimFilter *filter, GVariant *message, SimAnswer *answer);
void sim_filter_clear (SimFilter *filter);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SimFilter, sim_filter_clear)

/* -1: the name took too long to be compared */
int sim_filter_has_name (const SimFilter *filter, const char *name);
gboolean sim_filter_has_category (const SimFilter *filter, guint category);
gboolean sim_filter_has_tags (const SimFilter *filter, const char *const *tags);
gboolean sim_filter_has_box (const SimFilter *filter, const OrreryVec3 *lower,
                             const OrreryVec3 *upper);

/* Values of a list of texts. Returns: (transfer full) */
GStrv sim_get_texts (GVariant *message, const char *field);
