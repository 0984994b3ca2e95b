/* SPDX-License-Identifier: BSD-3-Clause */
/* Modifiers of the field x. */
#include <orrery.h>

#include <math.h>

/* What all of them are: they find x, and count how often they ran. */
typedef struct {
  OrreryModifier parent_instance;
  OrreryRecord *record; /* borrowed */
  double *x;            /* borrowed from the record */
  gint64 n_runs;
  gint64 at;
} ProbeModifier;
typedef struct {
  OrreryModifierClass parent_class;
} ProbeModifierClass;

static GType probe_modifier_get_type (void);
G_DEFINE_ABSTRACT_TYPE (ProbeModifier, probe_modifier, ORRERY_TYPE_MODIFIER)

#define SELF(modifier) ((ProbeModifier *) (modifier))

enum { PROP_AT = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void
modifier_runs (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_int64 (SELF (part)->n_runs));
}

static const OrreryService services[] = {
  { "runs", modifier_runs, ORRERY_SERVICE_IMMEDIATE, "", "How often it ran" },
};

static void
probe_modifier_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  SELF (part)->record = orrery_setup_get_record (setup);
  SELF (part)->x = orrery_record_find_double (SELF (part)->record, "x");
  if (SELF (part)->x == NULL)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "the record has no field 'x'");
}

static void
probe_modifier_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  SELF (object)->at = g_value_get_int64 (value);
}

static void
probe_modifier_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_int64 (value, SELF (object)->at);
}

static void
probe_modifier_class_init (ProbeModifierClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_modifier_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_modifier_get_property;
  properties[PROP_AT] = g_param_spec_int64 ("at", "at", "A tick", -1, G_MAXINT64, -1,
                                            G_PARAM_READWRITE | G_PARAM_CONSTRUCT);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  ORRERY_PART_CLASS (klass)->setup = probe_modifier_setup;
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
probe_modifier_init (ProbeModifier *self)
{
}

#define PROBE_DEFINE(Type, prefix)                                                                 \
  typedef ProbeModifier Type;                                                                      \
  typedef ProbeModifierClass Type##Class;                                                          \
  static GType prefix##_get_type (void);                                                           \
  G_DEFINE_TYPE (Type, prefix, probe_modifier_get_type ())                                         \
  static void prefix##_init (Type *self)                                                           \
  {                                                                                                \
  }

/* --- two that do not commute --- */

PROBE_DEFINE (ProbeTwice, probe_twice)

static void
probe_twice_modify (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  SELF (self)->n_runs++;
  *SELF (self)->x *= 2;
}

static void
probe_twice_class_init (ProbeTwiceClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_twice_modify;
}

PROBE_DEFINE (ProbePlusOne, probe_plus_one)

static void
probe_plus_one_modify (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  SELF (self)->n_runs++;
  *SELF (self)->x += 1;
}

static void
probe_plus_one_class_init (ProbePlusOneClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_plus_one_modify;
}

/* --- one with further methods --- */

PROBE_DEFINE (ProbeNamed, probe_named)

static void
probe_named_modify (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  *SELF (self)->x += 1000;
}

static void
probe_named_negate (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  *SELF (self)->x = -*SELF (self)->x;
}

static void
probe_named_halve (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  *SELF (self)->x /= 2;
}

static void
probe_named_root (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  *SELF (self)->x = sqrt (*SELF (self)->x);
}

static const OrreryMethod methods[] = {
  { "negate", probe_named_negate, "Minus x" },
  { "halve", probe_named_halve, "Half of x" },
  { "root", probe_named_root, "Square root of x" },
};

static void
probe_named_class_init (ProbeNamedClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_named_modify;
  ORRERY_CLASS_SET_METHODS (klass, methods);
}

/* --- Ulp: the next double, in one tick; without `at` it does nothing --- */

PROBE_DEFINE (ProbeUlp, probe_ulp)

static void
probe_ulp_modify (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  if ((gint64) orrery_tick_get_number (tick) == SELF (self)->at)
    *SELF (self)->x = nextafter (*SELF (self)->x, INFINITY);
}

static void
probe_ulp_class_init (ProbeUlpClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_ulp_modify;
}

/* --- Dropper: holds back what is negative, fails on what is above a million --- */

PROBE_DEFINE (ProbeDropper, probe_dropper)

static void
probe_dropper_modify (OrreryModifier *self, OrreryTick *tick, GError **error)
{
  SELF (self)->n_runs++;
  if (*SELF (self)->x > 1e6)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "too much");
  else if (*SELF (self)->x < 0)
    orrery_record_hold (SELF (self)->record);
}

static void
probe_dropper_class_init (ProbeDropperClass *klass)
{
  ORRERY_MODIFIER_CLASS (klass)->modify = probe_dropper_modify;
}

#define MODIFIER .role = ORRERY_ROLE_MODIFIER

ORRERY_PLUGIN ("Modifiers of the field x", "BSD-3-Clause",
               ORRERY_CLASS (Twice, ProbeTwice, probe_twice, MODIFIER),
               ORRERY_CLASS (PlusOne, ProbePlusOne, probe_plus_one, MODIFIER),
               ORRERY_CLASS (Named, ProbeNamed, probe_named, MODIFIER),
               ORRERY_CLASS (Ulp, ProbeUlp, probe_ulp, MODIFIER),
               ORRERY_CLASS (Dropper, ProbeDropper, probe_dropper, MODIFIER))
