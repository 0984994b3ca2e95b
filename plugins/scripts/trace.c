/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * orrery.scripts.trace.Trace: says when which of its callbacks is called, a line each:
 * `robot/child sensing tick 3 time 0.066667`. To learn what is called when, and for tests.
 */
#define G_LOG_DOMAIN "orrery.scripts.trace"

#include <orrery.h>

#include <inttypes.h>
#include <string.h>

typedef struct {
  OrreryScript parent_instance;

  char *only;
  GHashTable *names; /* (element-type utf8): of only; NULL: all */
} OrreryTrace;
ORRERY_DEFINE_CLASS (OrreryTrace, orrery_trace, OrreryScript, orrery_script)

static void
trace (OrreryScript *script, OrreryTick *tick, const char *callback, const char *more)
{
  OrreryTrace *self = (OrreryTrace *) script;

  if (self->names != NULL && !g_hash_table_contains (self->names, callback))
    return;
  orrery_part_log_plain (script, G_LOG_LEVEL_MESSAGE, "%s %s tick %" PRIu64 " time %.6f%s",
                         orrery_part_get_name (ORRERY_PART (script)), callback,
                         orrery_tick_get_number (tick),
                         orrery_time_to_seconds (orrery_tick_get_time (tick)), more);
}

#define TRACED(name)                                                                               \
  static void name (OrreryScript *script, OrreryTick *tick, GError **error)                        \
  {                                                                                                \
    trace (script, tick, #name, "");                                                               \
  }

TRACED (init)
TRACED (before_simulation)
TRACED (after_simulation)
TRACED (sensing)
TRACED (actuation)
TRACED (non_simulation)
TRACED (suspend)
TRACED (suspended)
TRACED (resume)
TRACED (before_instance_switch)
TRACED (after_instance_switch)
TRACED (cleanup)

static gboolean
thread (OrreryScript *script, OrreryTick *tick, GError **error)
{
  trace (script, tick, "thread", "");
  return TRUE;
}

static void
dyn (OrreryScript *script, OrreryTick *tick, GError **error)
{
  char more[64];

  g_snprintf (more, sizeof more, " %s substep %u",
              orrery_tick_is_after_substep (tick) ? "after" : "before",
              orrery_tick_get_substep (tick));
  trace (script, tick, "dyn", more);
}

static gboolean
contact (OrreryScript *script, OrreryTick *tick, GError **error)
{
  char more[64];
  guint a;
  guint b;

  orrery_tick_get_contact_pair (tick, &a, &b);
  g_snprintf (more, sizeof more, " objects %u %u", a, b);
  trace (script, tick, "contact", more);
  return FALSE;
}

static gboolean
joint (OrreryScript *script, OrreryTick *tick, GError **error)
{
  trace (script, tick, "joint", "");
  return FALSE;
}

/* As the callback is called here: `sysCall_beforeSimulation` is `before_simulation`. */
static char *
read_name (const char *given)
{
  const char *end = given + strlen (given);
  GString *name = g_string_new (NULL);

  if (g_str_has_prefix (given, "sysCall_")) {
    given += strlen ("sysCall_");
    if (g_str_has_suffix (given, "Callback"))
      end -= strlen ("Callback");
  }
  for (; given < end; given++) {
    if (g_ascii_isupper (*given))
      g_string_append_c (name, '_');
    g_string_append_c (name, g_ascii_tolower (*given));
  }
  return g_string_free (name, FALSE);
}

/* Splits what was set. */
static void
read_only (OrreryPart *part)
{
  OrreryTrace *self = (OrreryTrace *) part;
  g_auto (GStrv) names = g_strsplit_set (self->only, " ,", -1);

  g_clear_pointer (&self->names, g_hash_table_unref);
  for (char **name = names; *name != NULL; name++) {
    if (**name == '\0')
      continue;
    if (self->names == NULL)
      self->names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
    g_hash_table_add (self->names, read_name (*name));
  }
}

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (
      OrreryTrace, only, "Only", "",
      "Callbacks that it tells of, separated by blanks, by our names or CoppeliaSim's; "
      "empty: of all",
      .changed = read_only),
};

static void
set_callbacks (OrreryScriptClass *klass)
{
  klass->init = init;
  klass->before_simulation = before_simulation;
  klass->after_simulation = after_simulation;
  klass->sensing = sensing;
  klass->actuation = actuation;
  klass->non_simulation = non_simulation;
  klass->suspend = suspend;
  klass->suspended = suspended;
  klass->resume = resume;
  klass->thread = thread;
  klass->dyn = dyn;
  klass->contact = contact;
  klass->joint = joint;
  klass->before_instance_switch = before_instance_switch;
  klass->after_instance_switch = after_instance_switch;
  klass->cleanup = cleanup;
}

static void
orrery_trace_class_init (OrreryTraceClass *klass)
{
  set_callbacks (ORRERY_SCRIPT_CLASS (klass));
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
  ORRERY_CLASS_OWNS (klass, OrreryTrace, names, g_hash_table_unref);
}

ORRERY_PLUGIN ("Says when which callback of a script is called", "BSD-3-Clause",
               ORRERY_CLASS (Trace, OrreryTrace, orrery_trace))
