/* SPDX-License-Identifier: BSD-3-Clause */
#include <orrery.h>

#include <stdlib.h>
#include <string.h>

/* Scripts of which tests know what they do. */

/* --- Probe: counts its callbacks, and does in one of them what its properties say --- */

#define PROBE_TYPE_SCRIPT (probe_script_get_type ())
G_DECLARE_FINAL_TYPE (ProbeScript, probe_script, PROBE, SCRIPT, OrreryScript)

struct _ProbeScript {
  OrreryScript parent_instance;

  char *in;    /* the callback in which it does something */
  char *does;  /* fail, cleanup, restart */
  gint64 at;   /* the how manyeth time */
  char *where; /* of setup: the object, or "-" */
  GHashTable *counts;
};

G_DEFINE_FINAL_TYPE (ProbeScript, probe_script, ORRERY_TYPE_SCRIPT)

enum { PROP_IN = 1, PROP_DOES, PROP_AT, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

/* What a test hangs on it, to be called in its callbacks. */
static void
run_hook (OrreryScript *script, const char *callback)
{
  gpointer data = g_object_get_data (G_OBJECT (script), "probe-hook");
  void (*hook) (const char *callback) = (void (*) (const char *)) (guintptr) data;

  if (hook != NULL)
    hook (callback);
}

static void
count (OrreryScript *script, const char *callback, GError **error)
{
  ProbeScript *self = PROBE_SCRIPT (script);
  gint64 n = GPOINTER_TO_INT (g_hash_table_lookup (self->counts, callback)) + 1;

  g_hash_table_insert (self->counts, (gpointer) callback, GINT_TO_POINTER (n));
  run_hook (script, callback);
  if (self->in == NULL || !g_str_equal (self->in, callback) || n != self->at)
    return;
  if (g_str_equal (self->does, "fail"))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_STATE, "as told");
  else if (g_str_equal (self->does, "cleanup"))
    orrery_script_request_cleanup (script);
  else if (g_str_equal (self->does, "restart"))
    orrery_script_request_restart (script);
}

#define COUNTED(name)                                                                              \
  static void probe_##name (OrreryScript *script, OrreryTick *tick, GError **error)                \
  {                                                                                                \
    count (script, #name, error);                                                                  \
  }
#define ASKED(name, answer)                                                                        \
  static gboolean probe_##name (OrreryScript *script, OrreryTick *tick, GError **error)            \
  {                                                                                                \
    count (script, #name, error);                                                                  \
    return answer;                                                                                 \
  }

COUNTED (init)
COUNTED (before_simulation)
COUNTED (after_simulation)
COUNTED (sensing)
COUNTED (actuation)
COUNTED (non_simulation)
COUNTED (suspend)
COUNTED (suspended)
COUNTED (resume)
COUNTED (dyn)
COUNTED (before_instance_switch)
COUNTED (after_instance_switch)
COUNTED (cleanup)
ASKED (contact, FALSE)
ASKED (joint, FALSE)

/* Over after its third step. */
static gboolean
probe_thread (OrreryScript *script, OrreryTick *tick, GError **error)
{
  count (script, "thread", error);
  return GPOINTER_TO_INT (g_hash_table_lookup (PROBE_SCRIPT (script)->counts, "thread")) < 3;
}

static void
probe_script_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ProbeScript *self = PROBE_SCRIPT (part);
  OrreryObject *object = orrery_setup_get_object (setup);

  g_free (self->where);
  self->where = g_strdup (object != NULL ? orrery_object_get_name (object) : "-");
  if (self->does != NULL && g_str_equal (self->does, "refuse"))
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_CONFIG, "it refuses to be set up");
}

static void
get_count (OrreryPart *part, OrreryCall *call, GError **error)
{
  gpointer n = g_hash_table_lookup (PROBE_SCRIPT (part)->counts, orrery_call_get_text (call, 0));

  orrery_call_return (call, g_variant_new_int64 (GPOINTER_TO_INT (n)));
}

static void
get_where (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_string (PROBE_SCRIPT (part)->where));
}

static const OrreryService probe_services[] = {
  { "count", get_count, ORRERY_SERVICE_IMMEDIATE, "callback:s", "How often it was called" },
  { "where", get_where, ORRERY_SERVICE_IMMEDIATE, "", "The object that setup told it of" },
};

static void
probe_script_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ProbeScript *self = PROBE_SCRIPT (object);

  if (id == PROP_AT)
    self->at = g_value_get_int64 (value);
  else if (id == PROP_IN) {
    g_free (self->in);
    self->in = g_value_dup_string (value);
  } else {
    g_free (self->does);
    self->does = g_value_dup_string (value);
  }
}

static void
probe_script_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ProbeScript *self = PROBE_SCRIPT (object);

  if (id == PROP_AT)
    g_value_set_int64 (value, self->at);
  else
    g_value_set_string (value, id == PROP_IN ? self->in : self->does);
}

static void
probe_script_finalize (GObject *object)
{
  ProbeScript *self = PROBE_SCRIPT (object);

  g_free (self->in);
  g_free (self->does);
  g_free (self->where);
  g_hash_table_unref (self->counts);
  G_OBJECT_CLASS (probe_script_parent_class)->finalize (object);
}

#define SET(name) script_class->name = probe_##name

static void
set_callbacks (OrreryScriptClass *script_class)
{
  SET (init);
  SET (before_simulation);
  SET (after_simulation);
  SET (sensing);
  SET (actuation);
  SET (non_simulation);
  SET (suspend);
  SET (suspended);
  SET (resume);
  SET (thread);
  SET (dyn);
  SET (contact);
  SET (joint);
  SET (before_instance_switch);
  SET (after_instance_switch);
  SET (cleanup);
}

static void
probe_script_class_init (ProbeScriptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = probe_script_set_property;
  object_class->get_property = probe_script_get_property;
  object_class->finalize = probe_script_finalize;
  ORRERY_PART_CLASS (klass)->setup = probe_script_setup;
  ORRERY_CLASS_SET_SERVICES (klass, probe_services);
  set_callbacks (ORRERY_SCRIPT_CLASS (klass));
  properties[PROP_IN] = g_param_spec_string ("in", NULL, "In which callback", NULL, flags);
  properties[PROP_DOES] =
      g_param_spec_string ("does", NULL, "fail, cleanup, restart, refuse", NULL, flags);
  properties[PROP_AT] =
      g_param_spec_int64 ("at", NULL, "The how manyeth time", 1, G_MAXINT64, 1, flags);
  g_object_class_install_properties (object_class, N_PROPERTIES, properties);
}

static void
probe_script_init (ProbeScript *self)
{
  self->at = 1;
  self->counts = g_hash_table_new (g_str_hash, g_str_equal);
}

/* --- Pusher: stages in one dyn of one tick --- */

#define PROBE_TYPE_PUSHER (probe_pusher_get_type ())
G_DECLARE_FINAL_TYPE (ProbePusher, probe_pusher, PROBE, PUSHER, OrreryScript)

struct _ProbePusher {
  OrreryScript parent_instance;

  OrreryObject *object;
  guint tick;
  guint substep;
  gboolean after;
  gboolean pushes; /* 60 N along x, else 5 m/s */
  gboolean sees_another_world;
  double x; /* of the object, when the tick began */
};

G_DEFINE_FINAL_TYPE (ProbePusher, probe_pusher, ORRERY_TYPE_SCRIPT)

enum { PUSHER_TICK = 1, PUSHER_SUBSTEP, PUSHER_AFTER, PUSHER_PUSHES, N_PUSHER };

static void
probe_pusher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  PROBE_PUSHER (part)->object = orrery_setup_get_object (setup);
}

static double
see (ProbePusher *self, OrreryTick *tick)
{
  return orrery_snapshot_get_pose (orrery_tick_get_snapshot (tick),
                                   orrery_object_get_index (self->object))
      ->position.x;
}

static void
probe_pusher_sensing (OrreryScript *script, OrreryTick *tick, GError **error)
{
  PROBE_PUSHER (script)->x = see (PROBE_PUSHER (script), tick);
}

static void
probe_pusher_dyn (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbePusher *self = PROBE_PUSHER (script);
  OrreryVec3 vector = { self->pushes ? 60 : 5, 0, 0 };
  OrreryVec3 zero = { 0, 0, 0 };

  self->sees_another_world |= see (self, tick) != self->x;
  if (orrery_tick_get_number (tick) != self->tick ||
      orrery_tick_get_substep (tick) != self->substep ||
      orrery_tick_is_after_substep (tick) != self->after)
    return;
  if (self->pushes)
    orrery_commands_add_force (orrery_tick_get_commands (tick), self->object, &vector, &zero);
  else
    orrery_commands_set_velocity (orrery_tick_get_commands (tick), self->object, &vector, &zero);
}

static void
sees_another_world (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_boolean (PROBE_PUSHER (part)->sees_another_world));
}

static const OrreryService pusher_services[] = {
  { "sees_another_world", sees_another_world, ORRERY_SERVICE_IMMEDIATE, "",
    "Whether dyn saw another world than sensing" },
};

static void
probe_pusher_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  ProbePusher *self = PROBE_PUSHER (object);

  if (id == PUSHER_TICK)
    self->tick = g_value_get_uint (value);
  else if (id == PUSHER_SUBSTEP)
    self->substep = g_value_get_uint (value);
  else if (id == PUSHER_AFTER)
    self->after = g_value_get_boolean (value);
  else
    self->pushes = g_value_get_boolean (value);
}

static void
probe_pusher_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  ProbePusher *self = PROBE_PUSHER (object);

  if (id == PUSHER_TICK || id == PUSHER_SUBSTEP)
    g_value_set_uint (value, id == PUSHER_TICK ? self->tick : self->substep);
  else
    g_value_set_boolean (value, id == PUSHER_AFTER ? self->after : self->pushes);
}

static void
probe_pusher_class_init (ProbePusherClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS;

  object_class->set_property = probe_pusher_set_property;
  object_class->get_property = probe_pusher_get_property;
  ORRERY_PART_CLASS (klass)->setup = probe_pusher_setup;
  ORRERY_CLASS_SET_SERVICES (klass, pusher_services);
  ORRERY_SCRIPT_CLASS (klass)->sensing = probe_pusher_sensing;
  ORRERY_SCRIPT_CLASS (klass)->dyn = probe_pusher_dyn;
  g_object_class_install_property (object_class, PUSHER_TICK,
                                   g_param_spec_uint ("tick", NULL, "", 0, 1000, 0, flags));
  g_object_class_install_property (object_class, PUSHER_SUBSTEP,
                                   g_param_spec_uint ("substep", NULL, "", 0, 1000, 0, flags));
  g_object_class_install_property (object_class, PUSHER_AFTER,
                                   g_param_spec_boolean ("after", NULL, "", FALSE, flags));
  g_object_class_install_property (object_class, PUSHER_PUSHES,
                                   g_param_spec_boolean ("pushes", NULL, "", TRUE, flags));
}

static void
probe_pusher_init (ProbePusher *self)
{
  self->pushes = TRUE;
}

/* --- Toucher: names each pair that it is asked about, and answers or not --- */

#define PROBE_TYPE_TOUCHER (probe_toucher_get_type ())
G_DECLARE_FINAL_TYPE (ProbeToucher, probe_toucher, PROBE, TOUCHER, OrreryScript)

struct _ProbeToucher {
  OrreryScript parent_instance;

  OrreryWorld *world;
  gboolean answers;
};

G_DEFINE_FINAL_TYPE (ProbeToucher, probe_toucher, ORRERY_TYPE_SCRIPT)

static void
probe_toucher_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  PROBE_TOUCHER (part)->world = orrery_setup_get_world (setup);
}

static gboolean
probe_toucher_contact (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeToucher *self = PROBE_TOUCHER (script);
  guint a;
  guint b;

  if (!orrery_tick_get_contact_pair (tick, &a, &b))
    g_error ("contact without a pair");
  g_message ("%s asked %s %s", orrery_part_get_name (ORRERY_PART (script)),
             orrery_object_get_name (orrery_world_get_object (self->world, a)),
             orrery_object_get_name (orrery_world_get_object (self->world, b)));
  return self->answers;
}

static void
probe_toucher_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PROBE_TOUCHER (object)->answers = g_value_get_boolean (value);
}

static void
probe_toucher_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_boolean (value, PROBE_TOUCHER (object)->answers);
}

static void
probe_toucher_class_init (ProbeToucherClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->set_property = probe_toucher_set_property;
  object_class->get_property = probe_toucher_get_property;
  ORRERY_PART_CLASS (klass)->setup = probe_toucher_setup;
  ORRERY_SCRIPT_CLASS (klass)->contact = probe_toucher_contact;
  g_object_class_install_property (object_class, 1,
                                   g_param_spec_boolean ("answers", NULL, "", FALSE,
                                                         G_PARAM_READWRITE |
                                                             G_PARAM_STATIC_STRINGS));
}

static void
probe_toucher_init (ProbeToucher *self)
{
}

/* --- Mover: drives its object by chance; its memory shows in the world --- */

#define PROBE_TYPE_MOVER (probe_mover_get_type ())
G_DECLARE_FINAL_TYPE (ProbeMover, probe_mover, PROBE, MOVER, OrreryScript)

struct _ProbeMover {
  OrreryScript parent_instance;

  OrreryObject *object;
  double v;
};

G_DEFINE_FINAL_TYPE (ProbeMover, probe_mover, ORRERY_TYPE_SCRIPT)

static void
probe_mover_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  PROBE_MOVER (part)->object = orrery_setup_get_object (setup);
}

static void
probe_mover_sensing (OrreryScript *script, OrreryTick *tick, GError **error)
{
  OrreryRandom *random = orrery_part_get_random (ORRERY_PART (script), tick);

  PROBE_MOVER (script)->v += 0.1 * orrery_random_gaussian (random);
}

static void
probe_mover_actuation (OrreryScript *script, OrreryTick *tick, GError **error)
{
  ProbeMover *self = PROBE_MOVER (script);
  OrreryVec3 linear = { self->v, 0, 0 };
  OrreryVec3 angular = { 0, 0, 0.1 };

  if (self->object != NULL)
    orrery_commands_set_velocity (orrery_tick_get_commands (tick), self->object, &linear, &angular);
}

static void
probe_mover_class_init (ProbeMoverClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_mover_setup;
  ORRERY_SCRIPT_CLASS (klass)->sensing = probe_mover_sensing;
  ORRERY_SCRIPT_CLASS (klass)->actuation = probe_mover_actuation;
}

static void
probe_mover_init (ProbeMover *self)
{
}

/* --- Burner: takes its time in every tick --- */

#define PROBE_TYPE_BURNING (probe_burning_get_type ())
G_DECLARE_FINAL_TYPE (ProbeBurning, probe_burning, PROBE, BURNING, OrreryScript)

struct _ProbeBurning {
  OrreryScript parent_instance;
};

G_DEFINE_FINAL_TYPE (ProbeBurning, probe_burning, ORRERY_TYPE_SCRIPT)

/* 15 ms in each of two callbacks: only together are they too much. */
static void
burn (OrreryScript *script, OrreryTick *tick, GError **error)
{
  gint64 end = g_get_monotonic_time () + 15000;

  while (g_get_monotonic_time () < end)
    ;
}

static void
probe_burning_class_init (ProbeBurningClass *klass)
{
  ORRERY_SCRIPT_CLASS (klass)->sensing = burn;
  ORRERY_SCRIPT_CLASS (klass)->actuation = burn;
}

static void
probe_burning_init (ProbeBurning *self)
{
}

/* --- Onlooker: finds a component whose record it does not read, and reads another one's --- */

#define PROBE_TYPE_ONLOOKER (probe_onlooker_get_type ())
G_DECLARE_FINAL_TYPE (ProbeOnlooker, probe_onlooker, PROBE, ONLOOKER, OrreryScript)
struct _ProbeOnlooker {
  OrreryScript parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbeOnlooker, probe_onlooker, ORRERY_TYPE_SCRIPT)

static void
probe_onlooker_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  orrery_setup_read_none (setup);
  orrery_setup_find_component (setup, "robot.found");
  orrery_setup_add_source (setup, orrery_setup_find_component (setup, "robot.read"));
}

static void
probe_onlooker_class_init (ProbeOnlookerClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_onlooker_setup;
}

static void
probe_onlooker_init (ProbeOnlooker *self)
{
}

ORRERY_PLUGIN ("Scripts for tests", "BSD-3-Clause", ORRERY_CLASS (Probe, ProbeScript, probe_script),
               ORRERY_CLASS (Pusher, ProbePusher, probe_pusher),
               ORRERY_CLASS (Toucher, ProbeToucher, probe_toucher),
               ORRERY_CLASS (Mover, ProbeMover, probe_mover),
               ORRERY_CLASS (Onlooker, ProbeOnlooker, probe_onlooker),
               ORRERY_CLASS (Burner, ProbeBurning, probe_burning))
