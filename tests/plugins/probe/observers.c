/* SPDX-License-Identifier: BSD-3-Clause */
/* An observer that keeps what it was told, until its service `said` is asked for it. */
#include <orrery.h>

typedef struct {
  OrreryObserver parent_instance;
  GString *said;
  char *watch;     /* which component; NULL: none */
  gboolean refuse; /* fails to open */
  gboolean once;   /* opens one time only */
  gint64 n_opened;
  OrreryComponent *component; /* the one that is watched; borrowed while it is open */
} ProbeObserver;
ORRERY_DEFINE_CLASS (ProbeObserver, probe_observer, OrreryObserver, orrery_observer)

static gboolean
probe_observer_open (OrreryObserver *observer, const OrreryObserved *observed, GError **error)
{
  ProbeObserver *self = (ProbeObserver *) observer;
  g_autofree char *base = g_path_get_basename (observed->scene);

  if (self->refuse || (self->once && self->n_opened > 0))
    return orrery_set_error (error, ORRERY_ERROR_IO, "told to refuse");
  self->n_opened++;
  if (self->said == NULL)
    self->said = g_string_new ("");
  g_string_append_printf (self->said, "open %s %u %g %u", base, observed->n_components,
                          observed->frequency, (guint) observed->epoch);
  if (observed->n_ticks > 0)
    g_string_append_printf (self->said, " at %u", (guint) observed->n_ticks);
  g_string_append_c (self->said, ';');
  self->component = NULL;
  for (guint i = 0; i < observed->n_components; i++)
    if (g_strcmp0 (orrery_part_get_name (ORRERY_PART (observed->components[i])), self->watch) == 0)
      self->component = observed->components[i];
  if (self->component != NULL)
    orrery_observer_watch (observer, self->component, TRUE);
  g_assert_true (g_hash_table_contains (observed->texts, observed->scene));
  return TRUE;
}

static void
probe_observer_record (OrreryObserver *observer, OrreryComponent *component)
{
  ProbeObserver *self = (ProbeObserver *) observer;

  g_assert_true (component == self->component);
  g_string_append_printf (self->said, "record %.2f;",
                          orrery_time_to_seconds (orrery_record_get_timestamp (
                              orrery_component_get_record (component))));
}

static void
probe_observer_tick (OrreryObserver *observer, OrreryTick *tick)
{
  ProbeObserver *self = (ProbeObserver *) observer;

  g_string_append_printf (self->said, "tick %u;", (guint) orrery_tick_get_number (tick));
}

static void
probe_observer_input (OrreryObserver *observer, const OrreryRunInput *input)
{
  static const char *const kinds[] = { "record", "call", "cancel", "commands", "taken" };
  ProbeObserver *self = (ProbeObserver *) observer;

  g_string_append_printf (self->said, "input %s %u%s %s%s%s;", kinds[input->kind],
                          (guint) input->tick, input->in_services ? " services" : "",
                          input->part != NULL ? input->part : "", input->service != NULL ? " " : "",
                          input->service != NULL ? input->service : "");
}

static void
probe_observer_fault (OrreryObserver *observer, const OrreryRunFault *fault)
{
  static const char *const kinds[] = { "step", "message", "script", "worker" };
  ProbeObserver *self = (ProbeObserver *) observer;

  g_string_append_printf (self->said, "%s %u %s %s %s: %s (%u);", kinds[fault->kind],
                          (guint) fault->tick, fault->part, fault->classpath, fault->where,
                          fault->message, (guint) fault->count);
}

static void
probe_observer_close (OrreryObserver *observer)
{
  g_string_append (((ProbeObserver *) observer)->said, "close;");
}

/* What was told since the last call. */
static void
said (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbeObserver *self = (ProbeObserver *) part;

  orrery_call_return (call, g_variant_new_string (self->said->str));
  g_string_truncate (self->said, 0);
}

static void
watch (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbeObserver *self = (ProbeObserver *) part;

  orrery_observer_watch (ORRERY_OBSERVER (part), self->component, orrery_call_get_bool (call, 0));
}

static const OrreryService services[] = {
  { "said", said, ORRERY_SERVICE_IMMEDIATE, "", "What it was told since the last call" },
  { "watch", watch, ORRERY_SERVICE_IMMEDIATE, "watched:b", "Watches its component, or no more" },
};

static const OrreryProperty properties[] = {
  ORRERY_PROPERTY_STRING (ProbeObserver, watch, "watch", NULL, "Full name of a component"),
  ORRERY_PROPERTY_BOOLEAN (ProbeObserver, refuse, "refuse", FALSE, "Cannot be opened"),
  ORRERY_PROPERTY_BOOLEAN (ProbeObserver, once, "once", FALSE, "Cannot be opened twice"),
};

static void
free_text (gpointer text)
{
  g_string_free (text, TRUE);
}

static void
probe_observer_class_init (ProbeObserverClass *klass)
{
  OrreryObserverClass *observer = ORRERY_OBSERVER_CLASS (klass);

  observer->open = probe_observer_open;
  observer->record = probe_observer_record;
  observer->tick = probe_observer_tick;
  observer->input = probe_observer_input;
  observer->close = probe_observer_close;
  observer->fault = probe_observer_fault;
  ORRERY_CLASS_OWNS (klass, ProbeObserver, said, free_text);
  ORRERY_CLASS_SET_SERVICES (klass, services);
  ORRERY_CLASS_SET_PROPERTIES (klass, properties);
}

ORRERY_PLUGIN ("An observer that keeps what it was told", "BSD-3-Clause",
               ORRERY_CLASS (Observer, ProbeObserver, probe_observer))
