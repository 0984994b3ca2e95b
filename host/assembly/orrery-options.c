/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of one run that do not come from the scene: seed, start, pacing and the like. */
#include "assembly/orrery-options.h"

#include <math.h>

G_DEFINE_FINAL_TYPE (OrreryOptions, orrery_options, G_TYPE_OBJECT)

enum {
  PROP_SEED = 1,
  PROP_HAS_SEED,
  PROP_START,
  PROP_PACING,
  PROP_CHECK_ONLY,
  PROP_HASH,
  PROP_HASH_FILE,
  PROP_CONFIG_FILE,
  PROP_LISTEN,
  PROP_THREADS,
  PROP_OFFLINE,
  PROP_STRICT,
  PROP_STATE,
  N_PROPERTIES
};

static GParamSpec *properties[N_PROPERTIES];

GType
orrery_pacing_get_type (void)
{
  static const GEnumValue values[] = {
    { ORRERY_PACING_SCENE, "ORRERY_PACING_SCENE", "scene" },
    { ORRERY_PACING_BEST_EFFORT, "ORRERY_PACING_BEST_EFFORT", "best-effort" },
    { ORRERY_PACING_FIXED_STEP, "ORRERY_PACING_FIXED_STEP", "fixed-step" },
    { ORRERY_PACING_FAST, "ORRERY_PACING_FAST", "fast" },
    { 0, NULL, NULL },
  };
  static gsize type;

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("OrreryPacing", values));
  return type;
}

static void
orrery_options_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  OrreryOptions *self = ORRERY_OPTIONS (object);

  switch (id) {
  case PROP_SEED:
    self->seed = g_value_get_uint64 (value);
    self->has_seed = TRUE;
    break;
  case PROP_HAS_SEED:
    self->has_seed = g_value_get_boolean (value);
    break;
  case PROP_START:
    self->start = g_value_get_double (value);
    break;
  case PROP_PACING:
    self->pacing = g_value_get_enum (value);
    break;
  case PROP_CHECK_ONLY:
    self->check_only = g_value_get_boolean (value);
    break;
  case PROP_HASH:
    self->hash = g_value_get_boolean (value);
    break;
  case PROP_HASH_FILE:
    g_free (self->hash_file);
    self->hash_file = g_value_dup_string (value);
    break;
  case PROP_CONFIG_FILE:
    g_free (self->config_file);
    self->config_file = g_value_dup_string (value);
    break;
  case PROP_LISTEN:
    self->listen = g_value_get_boolean (value);
    break;
  case PROP_THREADS:
    self->threads = g_value_get_uint (value);
    break;
  case PROP_OFFLINE:
    self->offline = g_value_get_boolean (value);
    break;
  case PROP_STRICT:
    self->strict = g_value_get_boolean (value);
    break;
  case PROP_STATE:
    self->state = g_value_get_enum (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_options_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  OrreryOptions *self = ORRERY_OPTIONS (object);

  switch (id) {
  case PROP_SEED:
    g_value_set_uint64 (value, self->seed);
    break;
  case PROP_HAS_SEED:
    g_value_set_boolean (value, self->has_seed);
    break;
  case PROP_START:
    g_value_set_double (value, self->start);
    break;
  case PROP_PACING:
    g_value_set_enum (value, self->pacing);
    break;
  case PROP_CHECK_ONLY:
    g_value_set_boolean (value, self->check_only);
    break;
  case PROP_HASH:
    g_value_set_boolean (value, self->hash);
    break;
  case PROP_HASH_FILE:
    g_value_set_string (value, self->hash_file);
    break;
  case PROP_CONFIG_FILE:
    g_value_set_string (value, self->config_file);
    break;
  case PROP_LISTEN:
    g_value_set_boolean (value, self->listen);
    break;
  case PROP_THREADS:
    g_value_set_uint (value, self->threads);
    break;
  case PROP_OFFLINE:
    g_value_set_boolean (value, self->offline);
    break;
  case PROP_STRICT:
    g_value_set_boolean (value, self->strict);
    break;
  case PROP_STATE:
    g_value_set_enum (value, self->state);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
orrery_options_finalize (GObject *object)
{
  OrreryOptions *self = ORRERY_OPTIONS (object);

  g_clear_pointer (&self->hash_file, g_free);
  g_clear_pointer (&self->config_file, g_free);
  G_OBJECT_CLASS (orrery_options_parent_class)->finalize (object);
}

static void
orrery_options_class_init (OrreryOptionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = orrery_options_set_property;
  object_class->get_property = orrery_options_get_property;
  object_class->finalize = orrery_options_finalize;
  properties[PROP_SEED] =
      g_param_spec_uint64 ("seed", NULL,
                           "What random streams start from; the scene's where it is not set", 0,
                           G_MAXUINT64, 0, flags);
  properties[PROP_HAS_SEED] =
      g_param_spec_boolean ("has-seed", NULL, "Whether seed counts; setting seed sets it", FALSE,
                            flags);
  properties[PROP_START] =
      g_param_spec_double ("start", NULL,
                           "Simulation time before tick 0, s; infinity: as the scene says",
                           -G_MAXDOUBLE, INFINITY, INFINITY, flags);
  properties[PROP_PACING] = g_param_spec_enum ("pacing", NULL, "How ticks follow the wall clock",
                                               ORRERY_TYPE_PACING, ORRERY_PACING_SCENE, flags);
  properties[PROP_CHECK_ONLY] =
      g_param_spec_boolean ("check-only", NULL, "Sets up and opens nothing", FALSE, flags);
  properties[PROP_HASH] =
      g_param_spec_boolean ("hash", NULL, "Folds a hash in every tick", FALSE, flags);
  properties[PROP_HASH_FILE] =
      g_param_spec_string ("hash-file", NULL, "Where a line per tick and component goes", NULL,
                           flags);
  properties[PROP_CONFIG_FILE] =
      g_param_spec_string ("config-file", NULL, "A component_config in place of the scene's", NULL,
                           flags);
  properties[PROP_LISTEN] = g_param_spec_boolean (
      "listen", NULL, "Whether services are offered on a socket even where the scene asks for none",
      FALSE, flags);
  properties[PROP_OFFLINE] =
      g_param_spec_boolean ("offline", NULL, "Whether managers open no port and no connection",
                            FALSE, flags);
  properties[PROP_STRICT] =
      g_param_spec_boolean ("strict", NULL,
                            "Whether a middleware that cannot be had ends the run before it begins",
                            FALSE, flags);
  properties[PROP_STATE] =
      g_param_spec_enum ("state", NULL, "What it does when it is told to run for the first time",
                         ORRERY_TYPE_STATE, ORRERY_STATE_RUNNING, flags);
  properties[PROP_THREADS] =
      g_param_spec_uint ("threads", NULL, "How many threads sense; 0: as many as processors", 0,
                         ORRERY_MAX_THREADS, 1, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_options_init (OrreryOptions *self)
{
  self->start = INFINITY;
  self->state = ORRERY_STATE_RUNNING;
  self->threads = 1;
}

OrreryOptions *
orrery_options_new (void)
{
  return g_object_new (ORRERY_TYPE_OPTIONS, NULL);
}
