/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlays of probe.actuators.Worker. */
#include <orrery.h>

/* --- Renamed: another name for the component and for its service --- */

G_DECLARE_FINAL_TYPE (ProbeRenamed, probe_renamed, PROBE, RENAMED, OrreryOverlay)
struct _ProbeRenamed {
  OrreryOverlay parent_instance;
  char *name;
};
G_DEFINE_FINAL_TYPE (ProbeRenamed, probe_renamed, ORRERY_TYPE_OVERLAY)

enum { PROP_NAME = 1, N_PROPERTIES };
static GParamSpec *properties[N_PROPERTIES];

static GVariant *
negate (OrreryOverlay *overlay, GVariant *value, gpointer user_data)
{
  return g_variant_ref_sink (g_variant_new_double (-g_variant_get_double (value)));
}

static void
renamed_subtract (OrreryPart *part, OrreryCall *call, GError **error)
{
  GVariant *arguments = g_variant_new_parsed ("[<%d>, <%d>]", orrery_call_get_double (call, 0),
                                              orrery_call_get_double (call, 1));

  orrery_overlay_chain (ORRERY_OVERLAY (part), call, "add", arguments, negate, NULL, NULL);
}

static void
renamed_missing (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_overlay_chain (ORRERY_OVERLAY (part), call, "fly", NULL, NULL, NULL, NULL);
}

static void
renamed_refuse (OrreryPart *part, OrreryCall *call, GError **error)
{
  orrery_overlay_chain (ORRERY_OVERLAY (part), call, "refuse", NULL, negate, NULL, NULL);
}

static const OrreryService renamed_services[] = {
  { "minus_sum", renamed_subtract, ORRERY_SERVICE_LONG, "a:d b:d", "Minus the component's add" },
  { "missing", renamed_missing, ORRERY_SERVICE_LONG, "", "Asks for a service that is not there" },
  { "refuse", renamed_refuse, ORRERY_SERVICE_LONG, "", "The component's refusal" },
};

static const char *
probe_renamed_get_published_name (OrreryOverlay *overlay)
{
  return PROBE_RENAMED (overlay)->name;
}

static void
probe_renamed_set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  g_free (PROBE_RENAMED (object)->name);
  PROBE_RENAMED (object)->name = g_value_dup_string (value);
}

static void
probe_renamed_get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  g_value_set_string (value, PROBE_RENAMED (object)->name);
}

static void
probe_renamed_finalize (GObject *object)
{
  g_free (PROBE_RENAMED (object)->name);
  G_OBJECT_CLASS (probe_renamed_parent_class)->finalize (object);
}

static void
probe_renamed_class_init (ProbeRenamedClass *klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_renamed_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_renamed_get_property;
  G_OBJECT_CLASS (klass)->finalize = probe_renamed_finalize;
  properties[PROP_NAME] = g_param_spec_string ("name", "name", "What it answers to", "arithmetic",
                                               G_PARAM_READWRITE | G_PARAM_CONSTRUCT);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPERTIES, properties);
  ORRERY_OVERLAY_CLASS (klass)->get_published_name = probe_renamed_get_published_name;
  ORRERY_CLASS_SET_SERVICES (klass, renamed_services);
}

static void
probe_renamed_init (ProbeRenamed *self)
{
}

/* --- Patient: under the component's own name, a chain that takes its time --- */

G_DECLARE_FINAL_TYPE (ProbePatient, probe_patient, PROBE, PATIENT, OrreryOverlay)
struct _ProbePatient {
  OrreryOverlay parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbePatient, probe_patient, ORRERY_TYPE_OVERLAY)

static GVariant *
say (OrreryOverlay *overlay, GVariant *value, gpointer user_data)
{
  return g_variant_new_printf ("%s: %s", (const char *) user_data,
                               g_variant_get_string (value, NULL));
}

static void
patient_labour (OrreryPart *part, OrreryCall *call, GError **error)
{
  GVariant *arguments = g_variant_new_parsed ("[<%x>]", orrery_call_get_int (call, 0));

  orrery_overlay_chain (ORRERY_OVERLAY (part), call, "work", arguments, say, g_strdup ("labour"),
                        g_free);
}

static const OrreryService patient_services[] = {
  { "labour", patient_labour, ORRERY_SERVICE_LONG | ORRERY_SERVICE_INTERRUPTIBLE, "steps:x=5",
    "The component's work" },
};

static void
probe_patient_class_init (ProbePatientClass *klass)
{
  ORRERY_CLASS_SET_SERVICES (klass, patient_services);
}

static void
probe_patient_init (ProbePatient *self)
{
}

ORRERY_PLUGIN ("Overlays of a worker", "BSD-3-Clause",
               ORRERY_CLASS (Renamed, ProbeRenamed, probe_renamed),
               ORRERY_CLASS (Patient, ProbePatient, probe_patient))
