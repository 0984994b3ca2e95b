/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-quantity-place-private.h"
#include "scene/orrery-property-path-private.h"
#include "scene/orrery-scene-keys-private.h"
#include "text/orrery-distribution-private.h"
#include "world/orrery-world.h"

/* One entry of the key `randomisation`. */
typedef struct {
  const char *text;  /* the path, of the scene */
  OrreryNode *place; /* the same, in its file */
  OrreryPropertyPath path;
  OrreryDistribution *distribution;
  OrreryOperation operation;
  guint64 every_ticks; /* 0: by time, or at the start of an episode alone */
  OrreryTime every;    /* 0: the same */
  OrreryWorld *world;
  OrreryPart *part;            /* whose property varies, or NULL: */
  OrreryObject *object;        /* whose pose at the start varies */
  gboolean turns;              /* its rotation, not its position */
  OrreryQuantityPlace changes; /* what varies of the running world; its quantity is NULL: nothing */
  GVariant *own;               /* the value of the scene, of the whole property */
  const char *kind;   /* (nullable): of a spawnable: it is drawn for each that is spawned */
  GPtrArray *objects; /* (element-type OrreryObject): of its places; else NULL */
  GPtrArray *owns;    /* (element-type GVariant): the values of the scene, of these */
} OrreryVariation;

/* Whether the path is that of an object's pose; notes which part of it. */
gboolean orrery_variation_names_pose (OrreryVariation *self);
/* Notes the value of the scene. FALSE: it does not have the member */
gboolean orrery_variation_begin (OrreryVariation *self, GError **error);
/* Of a spawnable: notes the value of the scene of each of its places. */
void orrery_variation_begin_places (OrreryVariation *self);
/* The variation of one place of a spawnable; it is borrowed from that of the kind. */
OrreryVariation orrery_variation_get_place (const OrreryVariation *self, guint place);
/* Tries what may be drawn, without effect. */
gboolean orrery_variation_try (const OrreryVariation *self, GError **error);
/* Whether it is drawn again at the start of a tick, see OrreryDrawFunc. @number: for which time */
gboolean orrery_variation_is_due (const OrreryVariation *self, guint64 tick, OrreryTime elapsed,
                                  OrreryTime before, guint64 *number);
/* What an episode draws: at its start (@number 0), or for the @number th time after that.
 * Returns: (transfer full) */
GVariant *orrery_variation_draw (const OrreryVariation *self, guint64 seed, guint64 episode,
                                 guint64 number);
/* Returns: (transfer full) (nullable): what becomes of the value of the scene */
GVariant *orrery_variation_make (const OrreryVariation *self, GVariant *drawn, GError **error);
/* Sets what was made; of a quantity it looks only whether that can be set. */
gboolean orrery_variation_apply (const OrreryVariation *self, GVariant *made, GError **error);
/* What a quantity becomes that is @now: of a member, the others stay. */
gboolean orrery_variation_reckon (const OrreryVariation *self, GVariant *made,
                                  const OrreryVec3 *now, OrreryVec3 *value, GError **error);
void orrery_variation_clear (gpointer variation);
