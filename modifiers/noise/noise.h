/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "selection.h"

/*
 * What the modifiers of this module share: an option `field`, a table of numeric options, and a
 * state of doubles that is saved and restored: some for each value and array, then some more.
 */
#define NOISE_MAX_OPTIONS 4

typedef struct {
  OrreryModifier parent_instance;
  char *field;
  double options[NOISE_MAX_OPTIONS];
  OrreryRecord *record; /* borrowed */
  Selection selection;
  double *state;
  guint n_state;
  OrreryBool started; /* whether there was a step */
  gint64 tick;        /* of the last step */
} OrreryNoise;

typedef struct {
  OrreryModifierClass parent_class;
  gboolean takes_arrays;
  gboolean takes_record; /* without `field`: the record as a whole, nothing is selected */
  guint n_each;          /* doubles of state for each value and array */
  guint n_more;          /* and for all of them together */
  void (*setup) (OrreryPart *part, OrrerySetup *setup, GError **error); /* or NULL */
} OrreryNoiseClass;

GType orrery_noise_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (OrreryNoise, g_object_unref)
#define ORRERY_NOISE(object) ((OrreryNoise *) (object))
#define ORRERY_NOISE_GET_CLASS(self) G_TYPE_INSTANCE_GET_CLASS (self, 0, OrreryNoiseClass)

/* In class_init, once the members of the class are set: the property `field`, then those of the
 * table, which are among the options. */
void orrery_noise_class_install (OrreryNoiseClass *klass, const OrreryProperty *properties,
                                 guint n_properties);
/* An entry of such a table. */
#define NOISE_OPTION(index, nick, low, high, fallback, ...)                                        \
  ORRERY_PROPERTY_DOUBLE (OrreryNoise, options[index], nick, low, high, fallback, __VA_ARGS__)
/* For those that do more at setup. */
gboolean orrery_noise_setup (OrreryNoise *self, OrrerySetup *setup, GError **error);
/* s since the last step, counted in ticks; 0 in the first. Begins a step. */
double orrery_noise_begin (OrreryNoise *self, OrreryTick *tick);
/* s since the start of the run. */
double orrery_noise_get_elapsed (OrreryTick *tick);
/* The part of the state that is all values'. */
double *orrery_noise_get_more (OrreryNoise *self);

/* A class with nothing of its own beside its table and its function. */
#define NOISE_DEFINE(Type, prefix, table, ...)                                                     \
  typedef OrreryNoise Type;                                                                        \
  typedef OrreryNoiseClass Type##Class;                                                            \
  GType prefix##_get_type (void);                                                                  \
  ORRERY_DEFINE_TYPE (Type, prefix, orrery_noise_get_type ())                                      \
  static void prefix##_class_init (Type##Class *klass)                                             \
  {                                                                                                \
    const OrreryNoiseClass own = { __VA_ARGS__ };                                                  \
                                                                                                   \
    klass->takes_arrays = own.takes_arrays;                                                        \
    klass->takes_record = own.takes_record;                                                        \
    klass->n_each = own.n_each;                                                                    \
    klass->n_more = own.n_more;                                                                    \
    if (own.setup != NULL)                                                                         \
      ORRERY_PART_CLASS (klass)->setup = own.setup;                                                \
    ORRERY_MODIFIER_CLASS (klass)->modify = prefix##_modify;                                       \
    orrery_noise_class_install (klass, table, G_N_ELEMENTS (table));                               \
  }

GType orrery_bias_get_type (void);
GType orrery_delay_get_type (void);
GType orrery_drop_out_get_type (void);
GType orrery_gaussian_get_type (void);
GType orrery_jitter_get_type (void);
GType orrery_outliers_get_type (void);
GType orrery_quantisation_get_type (void);
GType orrery_random_walk_get_type (void);
GType orrery_rate_limit_get_type (void);
GType orrery_stuck_value_get_type (void);
