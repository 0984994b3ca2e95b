/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "selection.h"
#include "table.h"

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
  OrrerySensor *sensor; /* borrowed; NULL: its fields have no limits, and nothing hangs on them */
  Selection selection;
  double *before; /* the single values as they were; NULL without a sensor */
  Table *table;   /* of what becomes of the numbers of pictures; NULL: not needed yet */
  double *state;
  guint n_state;
  OrreryBool started; /* whether there was a step */
  gint64 tick;        /* of the last step */
} OrreryNoise;

/* Changes @n numbers. @index: of the single value, or after these of the target that they are of.
 */
typedef void (*NoiseChange) (OrreryNoise *self, OrreryRandom *random, guint index, double *values,
                             gsize n);

/* What the numbers of a pixel or point become that is hit. */
typedef double (*NoisePick) (OrreryNoise *self, OrreryRandom *random,
                             const OrreryFieldLimits *limits, double most);

typedef struct {
  OrreryModifierClass parent_class;
  SelectionKinds kinds;
  gboolean takes_record; /* without `field`: the record as a whole, nothing is selected */
  guint n_each;          /* doubles of state for each value and array */
  guint n_more;          /* and for all of them together */
  gboolean finds;        /* changes also a value that says that nothing was measured */
  gboolean sure;         /* a number becomes the same wherever it is: nothing is drawn for it */
  gboolean marks;        /* writes what its options say, whatever the limits are */
  NoisePick pick;        /* pixels and points are changed as a whole, with options[0]; or NULL */
  TableWeigh weigh;      /* the same change as a distribution, for bytes; or NULL */
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

/* Before and after a step that changes single values by itself: keeps them within their limits, and
 * what hangs on them follows. */
void orrery_noise_open (OrreryNoise *self);
void orrery_noise_close (OrreryNoise *self);
/* Changes all numbers, first single values, then targets, and closes. */
void orrery_noise_change (OrreryNoise *self, OrreryTick *tick, NoiseChange change);
/* After the numbers of a target were changed by hand. */
void orrery_noise_follow (OrreryNoise *self, const OrreryField *field);
/* What is known of the values of a field. */
void orrery_noise_get_limits (OrreryNoise *self, const OrreryField *field,
                              OrreryFieldLimits *limits);
/* The field of a single value, or of a target. */
const OrreryField *orrery_noise_get_field (OrreryNoise *self, guint index);

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
    klass->kinds = own.kinds;                                                                      \
    klass->takes_record = own.takes_record;                                                        \
    klass->n_each = own.n_each;                                                                    \
    klass->n_more = own.n_more;                                                                    \
    klass->sure = own.sure;                                                                        \
    klass->finds = own.finds;                                                                      \
    klass->weigh = own.weigh;                                                                      \
    klass->marks = own.marks;                                                                      \
    klass->pick = own.pick;                                                                        \
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
GType orrery_salt_and_pepper_get_type (void);
GType orrery_shot_noise_get_type (void);
GType orrery_vignette_get_type (void);
GType orrery_random_walk_get_type (void);
GType orrery_rate_limit_get_type (void);
GType orrery_stuck_value_get_type (void);
