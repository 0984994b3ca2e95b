/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of one run that do not come from the scene: seed, start, pacing and the like. */
#include "assembly/orrery-options.h"

#include "roles/orrery-importer-private.h"
#include "scene/orrery-settings-private.h"

#include <math.h>

/* What an importer may take that was told nothing. */
G_STATIC_ASSERT (ORRERY_READ_LIMIT == ORRERY_IMPORT_READ_LIMIT);

G_DEFINE_FINAL_TYPE (OrreryOptions, orrery_options, G_TYPE_OBJECT)

enum {
  PROP_SEED = 1,
  PROP_HAS_SEED,
  PROP_START,
  PROP_START_TIME,
  PROP_PACING,
  PROP_CHECK_ONLY,
  PROP_HASH,
  PROP_HASH_FILE,
  PROP_CONFIG_FILE,
  PROP_OUTPUT_DIR,
  PROP_ROOT,
  PROP_LISTEN,
  PROP_THREADS,
  PROP_OFFLINE,
  PROP_FED,
  PROP_ON_DEMAND,
  PROP_ALLOW_USERS,
  PROP_TOKEN_FILE,
  PROP_STATE,
  PROP_READ_LIMIT,
  PROP_SETTINGS,
  PROP_REQUEST_MANAGERS,
  N_PROPERTIES
};

#define MEMBER(member) G_STRUCT_OFFSET (OrreryOptions, member)

static const long members[N_PROPERTIES] = {
  [PROP_SEED] = MEMBER (seed),
  [PROP_HAS_SEED] = MEMBER (has_seed),
  [PROP_START] = MEMBER (start),
  [PROP_START_TIME] = MEMBER (start_time),
  [PROP_PACING] = MEMBER (pacing),
  [PROP_CHECK_ONLY] = MEMBER (check_only),
  [PROP_HASH] = MEMBER (hash),
  [PROP_HASH_FILE] = MEMBER (hash_file),
  [PROP_CONFIG_FILE] = MEMBER (config_file),
  [PROP_OUTPUT_DIR] = MEMBER (output_dir),
  [PROP_ROOT] = MEMBER (root),
  [PROP_LISTEN] = MEMBER (listen),
  [PROP_THREADS] = MEMBER (threads),
  [PROP_OFFLINE] = MEMBER (offline),
  [PROP_FED] = MEMBER (fed),
  [PROP_ON_DEMAND] = MEMBER (on_demand),
  [PROP_ALLOW_USERS] = MEMBER (allow_users),
  [PROP_TOKEN_FILE] = MEMBER (token_file),
  [PROP_STATE] = MEMBER (state),
  [PROP_READ_LIMIT] = MEMBER (read_limit),
  [PROP_SETTINGS] = MEMBER (settings),
  [PROP_REQUEST_MANAGERS] = MEMBER (request_managers),
};

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
  gpointer member = G_STRUCT_MEMBER_P (object, members[id]);

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type)) {
  case G_TYPE_BOOLEAN:
    *(gboolean *) member = g_value_get_boolean (value);
    break;
  case G_TYPE_UINT:
    *(guint *) member = g_value_get_uint (value);
    break;
  case G_TYPE_UINT64:
    *(guint64 *) member = g_value_get_uint64 (value);
    break;
  case G_TYPE_INT64:
    *(gint64 *) member = g_value_get_int64 (value);
    break;
  case G_TYPE_DOUBLE:
    *(double *) member = g_value_get_double (value);
    break;
  case G_TYPE_ENUM:
    *(int *) member = g_value_get_enum (value);
    break;
  case G_TYPE_BOXED:
    g_strfreev (*(char ***) member);
    *(char ***) member = g_value_dup_boxed (value);
    break;
  default:
    g_free (*(char **) member);
    *(char **) member = g_value_dup_string (value);
  }
  if (id == PROP_SEED)
    ORRERY_OPTIONS (object)->has_seed = TRUE;
}

static void
orrery_options_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  gconstpointer member = G_STRUCT_MEMBER_P (object, members[id]);

  switch (G_TYPE_FUNDAMENTAL (pspec->value_type)) {
  case G_TYPE_BOOLEAN:
    g_value_set_boolean (value, *(const gboolean *) member);
    break;
  case G_TYPE_UINT:
    g_value_set_uint (value, *(const guint *) member);
    break;
  case G_TYPE_UINT64:
    g_value_set_uint64 (value, *(const guint64 *) member);
    break;
  case G_TYPE_INT64:
    g_value_set_int64 (value, *(const gint64 *) member);
    break;
  case G_TYPE_DOUBLE:
    g_value_set_double (value, *(const double *) member);
    break;
  case G_TYPE_ENUM:
    g_value_set_enum (value, *(const int *) member);
    break;
  case G_TYPE_BOXED:
    g_value_set_boxed (value, *(char **const *) member);
    break;
  default:
    g_value_set_string (value, *(char *const *) member);
  }
}

static void
orrery_options_finalize (GObject *object)
{
  OrreryOptions *self = ORRERY_OPTIONS (object);

  g_clear_pointer (&self->hash_file, g_free);
  g_clear_pointer (&self->config_file, g_free);
  g_clear_pointer (&self->output_dir, g_free);
  g_clear_pointer (&self->allow_users, g_free);
  g_clear_pointer (&self->token_file, g_free);
  g_clear_pointer (&self->settings, g_strfreev);
  g_clear_pointer (&self->request_managers, g_strfreev);
  g_clear_pointer (&self->root, g_free);
  G_OBJECT_CLASS (orrery_options_parent_class)->finalize (object);
}

static void
add_lists (GParamSpec **properties, GParamFlags flags)
{
  properties[PROP_SETTINGS] =
      g_param_spec_boxed ("settings", NULL, "PATH=VALUE texts, in place of what the scene says",
                          G_TYPE_STRV, flags);
  properties[PROP_REQUEST_MANAGERS] =
      g_param_spec_boxed ("request-managers", NULL,
                          "Classpaths of request managers beside those of the scene, which reach "
                          "every part",
                          G_TYPE_STRV, flags);
}

static void
orrery_options_class_init (OrreryOptionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;
  GParamSpec *properties[N_PROPERTIES] = { NULL };

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
  properties[PROP_START_TIME] =
      g_param_spec_int64 ("start-time", NULL,
                          "Simulation time before tick 0, ns; the least integer: not given",
                          G_MININT64, G_MAXINT64, G_MININT64, flags);
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
  properties[PROP_OUTPUT_DIR] =
      g_param_spec_string ("output-dir", NULL,
                           "Below which streams write their files; NULL: the current directory",
                           NULL, flags);
  properties[PROP_ROOT] =
      g_param_spec_string ("root", NULL,
                           "Below which clients load scenes; NULL: the directory of the scene",
                           NULL, flags);
  properties[PROP_LISTEN] = g_param_spec_boolean (
      "listen", NULL, "Whether services are offered on a socket even where the scene asks for none",
      FALSE, flags);
  properties[PROP_OFFLINE] =
      g_param_spec_boolean ("offline", NULL, "Whether managers open no port and no connection",
                            FALSE, flags);
  properties[PROP_FED] =
      g_param_spec_boolean ("fed", NULL, "Whether parts take from outside only what is fed", FALSE,
                            flags);
  properties[PROP_ON_DEMAND] =
      g_param_spec_boolean ("on-demand", NULL,
                            "Whether sensors save what neither a stream nor a subscriber reads",
                            FALSE, flags);
  properties[PROP_ALLOW_USERS] =
      g_param_spec_string ("allow-users", NULL,
                           "Whose processes may connect beside those of one's own user and root: "
                           "'any', or numbers of users with commas between",
                           NULL, flags);
  properties[PROP_TOKEN_FILE] =
      g_param_spec_string ("token-file", NULL, "Whoever sends what this file holds may connect",
                           NULL, flags);
  properties[PROP_STATE] =
      g_param_spec_enum ("state", NULL, "What it does when it is told to run for the first time",
                         ORRERY_TYPE_STATE, ORRERY_STATE_RUNNING, flags);
  properties[PROP_READ_LIMIT] = g_param_spec_uint (
      "read-limit", NULL,
      "How long reading one file of another format may take, s of processor time", 1, 86400,
      ORRERY_READ_LIMIT, flags);
  add_lists (properties, flags);
  properties[PROP_THREADS] =
      g_param_spec_uint ("threads", NULL, "How many threads sense; 0: as many as processors", 0,
                         ORRERY_MAX_THREADS, 1, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
orrery_options_init (OrreryOptions *self)
{
  self->start = INFINITY;
  self->start_time = G_MININT64;
  self->state = ORRERY_STATE_RUNNING;
  self->threads = 1;
  self->read_limit = ORRERY_READ_LIMIT;
}

OrreryOptions *
orrery_options_new (void)
{
  return g_object_new (ORRERY_TYPE_OPTIONS, NULL);
}

void
orrery_options_set_ready_func (OrreryOptions *options, OrreryReadyFunc func, gpointer user_data)
{
  g_return_if_fail (ORRERY_IS_OPTIONS (options));
  options->ready = func;
  options->ready_data = user_data;
}

gboolean
orrery_options_add_setting (OrreryOptions *options, const char *setting, GError **error)
{
  guint n = options->settings != NULL ? g_strv_length (options->settings) : 0;
  OrrerySetting parsed;

  g_return_val_if_fail (ORRERY_IS_OPTIONS (options), FALSE);
  g_return_val_if_fail (setting != NULL, FALSE);
  if (!orrery_setting_parse (&parsed, setting, error))
    return FALSE;
  orrery_setting_clear (&parsed);
  options->settings = g_renew (char *, options->settings, n + 2);
  options->settings[n] = g_strdup (setting);
  options->settings[n + 1] = NULL;
  return TRUE;
}
