/* SPDX-License-Identifier: BSD-3-Clause */
/* Actuators that show what the host does with them. */
#include <orrery.h>

/* --- Sink: remembers what it was given --- */

typedef struct {
  double x;
  double y;
} SinkData;

static const OrreryField sink_fields[] = {
  ORRERY_FIELD (SinkData, x, "", "A number"),
  ORRERY_FIELD (SinkData, y, "", "Another; 0.5 at first"),
};

G_DECLARE_FINAL_TYPE (ProbeSink, probe_sink, PROBE, SINK, OrreryActuator)
struct _ProbeSink {
  OrreryActuator parent_instance;
  gint64 n_acts;
  gint64 n_commanded;
  double x; /* as act saw it last */
};
G_DEFINE_FINAL_TYPE (ProbeSink, probe_sink, ORRERY_TYPE_ACTUATOR)

static void
sink_seen (OrreryPart *part, OrreryCall *call, GError **error)
{
  ProbeSink *self = PROBE_SINK (part);

  orrery_call_return (call, g_variant_new ("(xxd)", self->n_acts, self->n_commanded, self->x));
}

static const OrreryService sink_services[] = {
  { "seen", sink_seen, ORRERY_SERVICE_IMMEDIATE, "", "Steps, steps with a message, x of the last" },
};

static void
probe_sink_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  ((SinkData *) orrery_record_data (orrery_setup_get_record (setup)))->y = 0.5;
}

static void
probe_sink_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  ProbeSink *self = PROBE_SINK (actuator);

  self->n_acts++;
  self->n_commanded += orrery_component_was_commanded (ORRERY_COMPONENT (actuator)) ? 1 : 0;
  self->x = ((SinkData *) orrery_record_data (record))->x;
}

static void
probe_sink_class_init (ProbeSinkClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_sink_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = probe_sink_act;
  ORRERY_CLASS_SET_DATA (klass, SinkData, sink_fields);
  ORRERY_CLASS_SET_SERVICES (klass, sink_services);
}

static void
probe_sink_init (ProbeSink *self)
{
}

/* --- Worker: services of every kind --- */

G_DECLARE_FINAL_TYPE (ProbeWorker, probe_worker, PROBE, WORKER, OrreryActuator)
struct _ProbeWorker {
  OrreryActuator parent_instance;
  double gain;
  gint64 left; /* steps until the long-running call is answered */
  gint64 n_cancelled;
};
G_DEFINE_FINAL_TYPE (ProbeWorker, probe_worker, ORRERY_TYPE_ACTUATOR)

enum { PROP_GAIN = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static void
worker_add (OrreryPart *part, OrreryCall *call, GError **error)
{
  double sum = orrery_call_get_double (call, 0) + orrery_call_get_double (call, 1);

  orrery_call_return (call, g_variant_new_double (PROBE_WORKER (part)->gain * sum));
}

static void
worker_refuse (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_INVALID, "not today");
}

static void
worker_work (OrreryPart *part, OrreryCall *call, GError **error)
{
  PROBE_WORKER (part)->left = orrery_call_get_int (call, 0);
}

static void
worker_cancelled (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_call_return (call, g_variant_new_int64 (PROBE_WORKER (part)->n_cancelled));
}

/* Answered by nobody: what a run that ends does with it is to be seen. */
static void
worker_wait (OrreryPart *part, OrreryCall *call, GError **error)
{
}

static const OrreryService worker_services[] = {
  { "add", worker_add, ORRERY_SERVICE_IMMEDIATE, "a:d b:d=2.0", "Their sum" },
  { "refuse", worker_refuse, ORRERY_SERVICE_IMMEDIATE, "", "Says no" },
  { "work", worker_work, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "steps:x=5",
    "Returns what is left of the steps: 0" },
  { "drill", worker_work, ORRERY_SERVICE_LONG, "steps:x=5", "As work; nothing interrupts it" },
  { "cancelled", worker_cancelled, ORRERY_SERVICE_IMMEDIATE, "", "How often it was told to stop" },
  { "wait", worker_wait, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "", "Never returns" },
};

static void
probe_worker_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
  ProbeWorker *self = PROBE_WORKER (actuator);
  OrreryCall *call = orrery_component_get_call (ORRERY_COMPONENT (actuator));

  if (call == NULL || g_str_equal (orrery_call_get_service (call), "wait"))
    return;
  if (--self->left <= 0)
    orrery_call_return (call, g_variant_new_string ("done"));
}

static void
probe_worker_cancel (OrreryPart *part, OrreryCall *call)
{
  PROBE_WORKER (part)->n_cancelled++;
}

static void
probe_worker_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  PROBE_WORKER (object)->gain = g_value_get_double (value);
}

static void
probe_worker_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_double (value, PROBE_WORKER (object)->gain);
}

static void
probe_worker_class_init (ProbeWorkerClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_worker_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_worker_get_property;
  properties[PROP_GAIN] = g_param_spec_double ("gain", "Gain", "What a sum is multiplied by", -10,
                                               10, 1, G_PARAM_READWRITE | G_PARAM_CONSTRUCT);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  ORRERY_PART_CLASS (klass)->cancel = probe_worker_cancel;
  ORRERY_ACTUATOR_CLASS (klass)->act = probe_worker_act;
  ORRERY_CLASS_SET_SERVICES (klass, worker_services);
}

static void
probe_worker_init (ProbeWorker *self)
{
}

/* --- Stray: says that it commands what is not in its world --- */

G_DECLARE_FINAL_TYPE (ProbeStray, probe_stray, PROBE, STRAY, OrreryActuator)
struct _ProbeStray {
  OrreryActuator parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbeStray, probe_stray, ORRERY_TYPE_ACTUATOR)

static void
probe_stray_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  g_autoptr (OrreryWorld) other = orrery_world_new ();
  OrreryObject *last = NULL;

  for (guint i = 0; i < 100; i++) {
    g_autofree char *name = g_strdup_printf ("other%u", i);

    last = orrery_world_add_object (other, name, NULL, error);
  }
  orrery_setup_add_command (setup, last, ORRERY_COMMAND_POSE);
  orrery_setup_add_command (setup, last, (OrreryCommandKind) 1000);
  /* What is declared beyond the limit is ignored, or two of them would be rivals. */
  for (guint i = 0; i < 5000; i++)
    orrery_setup_add_command (setup, last, ORRERY_COMMAND_POSE);
  orrery_setup_add_command (setup,
                            orrery_component_get_object (
                                orrery_component_get_robot (ORRERY_COMPONENT (part))),
                            ORRERY_COMMAND_POSE);
}

static void
probe_stray_act (OrreryActuator *actuator, OrreryTick *tick, OrreryRecord *record, GError **error)
{
}

static void
probe_stray_class_init (ProbeStrayClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_stray_setup;
  ORRERY_ACTUATOR_CLASS (klass)->act = probe_stray_act;
  ORRERY_CLASS_SET_DATA (klass, SinkData, sink_fields);
}

static void
probe_stray_init (ProbeStray *self)
{
}

ORRERY_PLUGIN ("Actuators that show what the host does", "BSD-3-Clause",
               ORRERY_CLASS (Sink, ProbeSink, probe_sink),
               ORRERY_CLASS (Stray, ProbeStray, probe_stray),
               ORRERY_CLASS (Worker, ProbeWorker, probe_worker))
