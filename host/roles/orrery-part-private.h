/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-part.h"

/* What run/ and wiring/ do with parts; plugins never see it. */

/* Who a part is: called once, before options are set. */
void orrery_part_identify (OrreryPart *part, const char *name, const char *classpath, guint64 seed);
OrreryCall *orrery_part_get_busy (OrreryPart *part);
void orrery_part_set_busy (OrreryPart *part, OrreryCall *call);

/* Properties of tables: the members get their defaults; what they own is freed. */
void orrery_part_apply_defaults (OrreryPart *part, OrreryPartClass *klass);
void orrery_part_clear_properties (OrreryPart *part);

/* The next step begins its random stream, whatever its number. */
void orrery_part_restart_random (OrreryPart *part);

/* Remembers the values of all options; gives them back to those that have others now. */
void orrery_part_keep_options (OrreryPart *part);
void orrery_part_restore_options (OrreryPart *part);
/*
 * Who stands in for the functions of a part that lives elsewhere: in a worker. The part here has
 * its name, class, options and record, and nothing of it runs.
 */
typedef struct {
  /* Returns whether the call is answered later, whatever its kind. */
  gboolean (*call) (gpointer proxy, OrreryCall *call, GError **error);
  void (*cancel) (gpointer proxy, OrreryCall *call);
} OrreryProxyFuncs;

/* Both NULL: none. @proxy is borrowed. */
void orrery_part_set_proxy (OrreryPart *part, const OrreryProxyFuncs *funcs, gpointer proxy);
const OrreryProxyFuncs *orrery_part_get_proxy (OrreryPart *part, gpointer *proxy);

/* One option as a variant, and its type in words, for get_properties and messages. */
/* Returns: (transfer full) */
GVariant *orrery_param_get (GObject *object, GParamSpec *pspec);
const char *orrery_param_get_type_name (GParamSpec *pspec);
/* The range in words, as "0 to 10", or NULL. */
char *orrery_param_get_range (GParamSpec *pspec);
/* What users call it. */
const char *orrery_param_get_name (GParamSpec *pspec);
/* A text that is a number is taken for a value of this one, too. */
void orrery_param_allow_text (GParamSpec *pspec);
gboolean orrery_param_set (GObject *object, GParamSpec *pspec, GVariant *value, GError **error);

/* A JSON-like value as one of the types b x d s v: numbers where nothing is lost. */
GVariant *orrery_variant_convert (GVariant *value, const GVariantType *type, GError **error);
