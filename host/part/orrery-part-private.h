/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-calling-private.h"
#include "part/orrery-part.h"

/* What the host does with parts; plugins never see it. */

/* Sets the name and class of a part; called once, before options are set. */
void orrery_part_identify (OrreryPart *part, const char *name, const char *classpath, guint64 seed);
/* From here on its random stream is another one. */
void orrery_part_set_seed (OrreryPart *part, guint64 seed);
extern gint orrery_part_private_offset G_GNUC_INTERNAL;

/* What a fault in its code is told with; inline, since each step of a tick asks. */
static inline OrreryCallee *
orrery_part_get_callee (gpointer part)
{
  return G_STRUCT_MEMBER (OrreryCallee *, part, orrery_part_private_offset);
}

/* Calls a function of a part other than the one that ticks call, so that a fault is told with
 * it. */
#define ORRERY_PART_CALL(part, function, call)                                                     \
  G_STMT_START                                                                                     \
  {                                                                                                \
    OrreryCalling orrery_before_ = orrery_calling_begin (orrery_part_get_callee (part), function); \
                                                                                                   \
    call;                                                                                          \
    orrery_calling_end (orrery_before_);                                                           \
  }                                                                                                \
  G_STMT_END

/* g_object_unref(), for those who may hold the last reference: a fault in its end is told, too. */
void orrery_part_release (gpointer part);
/* Stores what its setup found: (element-type OrreryComponent): components whose records it reads,
 * and (element-type utf8): further names of its services. NULL where there are none. */
void orrery_part_set_found (OrreryPart *part, GPtrArray *sources, GPtrArray *published);
GPtrArray *orrery_part_get_sources (OrreryPart *part);
GPtrArray *orrery_part_get_published (OrreryPart *part);
/* The same of what it commands: (element-type OrreryDeclared). */
void orrery_part_set_commands (OrreryPart *part, GArray *commands);
GArray *orrery_part_get_commands (OrreryPart *part);
OrreryCall *orrery_part_get_busy (OrreryPart *part);
/* Of services that every component has and that tell it nothing: who only asks is not its driver.
 * Nobody outside sees this flag. */
#define ORRERY_SERVICE_ASKS ((OrreryServiceFlags) (1u << 16))
/* How many calls it got, but of those. */
guint64 orrery_part_get_n_calls (OrreryPart *part);
void orrery_part_count_call (OrreryPart *part);
void orrery_part_set_busy (OrreryPart *part, OrreryCall *call);

/* A class struct starts as a copy of its parent's: gives @list, a member of @klass, a copy of the
 * parent's list, unless it has one already. */
void orrery_part_class_own_list (OrreryPartClass *klass, GArray **list, guint element_size);

/* Properties of tables: sets the members to their defaults; frees what they own. */
void orrery_part_apply_defaults (OrreryPart *part, OrreryPartClass *klass);
void orrery_part_clear_properties (OrreryPart *part);

/* Whether parts of the class have a state, by tables or by a function. */
gboolean orrery_part_class_has_state (OrreryPartClass *klass);
/* Frees what the members of the tables own. */
void orrery_part_clear_state (OrreryPart *part);

/* Restarts the random stream at the next step, whatever its number. */
void orrery_part_restart_random (OrreryPart *part);

/* See orrery_part_class_allow_other_options(). */
gboolean orrery_part_allows_other_options (OrreryPart *part);

/* Marks the setup as over: properties that are read at the start are fixed from now on. */
void orrery_part_mark_started (OrreryPart *part);
/* Whether its setup has run; of a part whose properties were refused it has not. */
gboolean orrery_part_is_started (OrreryPart *part);
/* Saves the values of all options; restores those that have changed since. */
void orrery_part_keep_options (OrreryPart *part);
void orrery_part_restore_options (OrreryPart *part);

/* An option of a state; borrowed. */
typedef struct {
  const char *name;
  GVariant *value;
} OrreryOptionValue;
/* Sets those that have other values now: a setter may have side effects. @values: fastest in the
 * order of the class. */
gboolean orrery_part_take_options (OrreryPart *part, const OrreryOptionValue *values, guint n,
                                   GError **error);
/*
 * Functions that replace those of a part which runs in a worker. The part in this process has the
 * name, class, options and record, but none of its code runs here.
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
GVariant *orrery_param_to_variant (GParamSpec *pspec, const GValue *value);
const char *orrery_param_get_type_name (GParamSpec *pspec);
/* FALSE: the option is no integer of up to 64 bits with a sign. */
gboolean orrery_param_get_bounds (GParamSpec *pspec, gint64 *least, gint64 *most);
/* The range in words, as "0 to 10", or NULL. */
char *orrery_param_get_range (GParamSpec *pspec);
/* The name of the option as users write it. */
const char *orrery_param_get_name (GParamSpec *pspec);
/* What a table says about a property beyond its GParamSpec; all FALSE without a table. */
typedef struct {
  gboolean from_text;
  OrreryPropertyFlags flags;
  gboolean (*check) (OrreryPart *part, GVariant *value, GError **error);
} OrreryParamRule;
OrreryParamRule *orrery_param_get_rule (GParamSpec *pspec);
/* Whether orrery_param_get() would give an equal value. */
gboolean orrery_param_is (OrreryPart *part, GParamSpec *pspec, GVariant *value);
/* The same of a member that a table describes; FALSE: @pspec is of no table. */
gboolean orrery_property_compare (OrreryPart *part, GParamSpec *pspec, GVariant *value,
                                  gboolean *same);
/* @started: the setup is over. */
gboolean orrery_param_set (OrreryPart *part, GParamSpec *pspec, GVariant *value, gboolean started,
                           GError **error);

/* Returns: (transfer full): an integer of any size as one of 64 bits; anything else as it is */
GVariant *orrery_variant_widen (GVariant *value);
/* Converts a JSON-like value to one of the types b x d s v; numbers are converted only without
 * loss. */
GVariant *orrery_variant_convert (GVariant *value, const GVariantType *type, GError **error);
/* One member of a list. @name: of the list, for messages
 * Returns: (transfer full) (nullable): not boxed; NULL with ORRERY_ERROR_INVALID */
GVariant *orrery_variant_get_member (GVariant *value, guint index, const char *name,
                                     GError **error);
/* The same list with another member.
 * Returns: (transfer full) (nullable): NULL with ORRERY_ERROR_INVALID: it has no such member */
GVariant *orrery_variant_put_member (GVariant *value, guint index, GVariant *member,
                                     const char *name, GError **error);
