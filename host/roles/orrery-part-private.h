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

/* The setup has read what is read at the start. */
void orrery_part_mark_started (OrreryPart *part);
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
/* What a table says of a property beside what GObject knows; all FALSE where there is none. */
typedef struct {
  gboolean from_text;
  OrreryPropertyFlags flags;
  gboolean (*check) (OrreryPart *part, GVariant *value, GError **error);
} OrreryParamRule;
OrreryParamRule *orrery_param_get_rule (GParamSpec *pspec);
/* @started: the setup is over. */
gboolean orrery_param_set (OrreryPart *part, GParamSpec *pspec, GVariant *value, gboolean started,
                           GError **error);

/* Returns: (transfer full): an integer of any size as one of 64 bits; anything else as it is */
GVariant *orrery_variant_widen (GVariant *value);
/* A JSON-like value as one of the types b x d s v: numbers where nothing is lost. */
GVariant *orrery_variant_convert (GVariant *value, const GVariantType *type, GError **error);
