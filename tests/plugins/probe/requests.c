/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A request manager whose clients are the callers of its own services `desk`: what it is asked is
 * submitted as by any other manager, and answered when the answer comes.
 */
#include <orrery.h>

#define ANSWERS "probe-inner"

G_DECLARE_FINAL_TYPE (ProbeDesk, probe_desk, PROBE, DESK, OrreryRequestManager)
struct _ProbeDesk {
  OrreryRequestManager parent_instance;
};
G_DEFINE_FINAL_TYPE (ProbeDesk, probe_desk, ORRERY_TYPE_REQUEST_MANAGER)

static void
answer (OrreryCall *inner, gpointer data)
{
  OrreryCall *outer = data;
  GError *error = NULL;
  GVariant *value = orrery_call_get_result (inner, &error);

  if (error != NULL)
    orrery_call_fail (outer, error);
  else
    orrery_call_return (outer, value);
}

static void
desk_ask (OrreryPart *part, OrreryCall *call, GError **error)
{
  g_autoptr (GVariant) arguments = g_variant_get_variant (orrery_call_get_argument (call, 2));
  gboolean given = g_variant_is_of_type (arguments, G_VARIANT_TYPE ("av"));
  OrreryCall *inner =
      orrery_request_manager_submit (ORRERY_REQUEST_MANAGER (part), orrery_call_get_text (call, 0),
                                     orrery_call_get_text (call, 1), given ? arguments : NULL,
                                     answer, g_object_ref (call), g_object_unref);

  g_object_set_data_full (G_OBJECT (call), ANSWERS, inner, g_object_unref);
}

static const OrreryService services[] = {
  { "ask", desk_ask, ORRERY_SERVICE_CONCURRENT, "part:s service:s arguments:v=null",
    "Calls a service as a client would" },
};

static void
probe_desk_cancel (OrreryPart *part, OrreryCall *call)
{
  OrreryCall *inner = g_object_get_data (G_OBJECT (call), ANSWERS);

  if (inner != NULL)
    orrery_call_cancel (inner);
}

static void
probe_desk_setup (OrreryPart *part, OrrerySetup *setup, GError **error)
{
  orrery_setup_publish (setup, "desk");
}

static void
probe_desk_start (OrreryRequestManager *manager, GError **error)
{
  if (g_getenv ("PROBE_DESK") != NULL)
    g_set_error (error, ORRERY_ERROR, ORRERY_ERROR_IO, "as told: nobody is at the desk");
}

/* What is asked comes by its services: nothing waits outside. */
static void
probe_desk_intake (OrreryRequestManager *manager)
{
}

static void
probe_desk_class_init (ProbeDeskClass *klass)
{
  ORRERY_PART_CLASS (klass)->setup = probe_desk_setup;
  ORRERY_PART_CLASS (klass)->cancel = probe_desk_cancel;
  ORRERY_REQUEST_MANAGER_CLASS (klass)->start = probe_desk_start;
  ORRERY_REQUEST_MANAGER_CLASS (klass)->intake = probe_desk_intake;
  ORRERY_CLASS_SET_SERVICES (klass, services);
}

static void
probe_desk_init (ProbeDesk *self)
{
}

ORRERY_PLUGIN ("Requests that a test makes itself", "BSD-3-Clause",
               ORRERY_CLASS (Desk, ProbeDesk, probe_desk, .stream = "desk"))
