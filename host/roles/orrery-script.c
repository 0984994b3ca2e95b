/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of scripts. */
#include "roles/orrery-script-private.h"

typedef struct {
  OrreryScriptType type;
  OrreryObject *object; /* weak: the world outlives its scripts, but where somebody keeps one */
  OrreryScriptRequest request;
  gboolean thread_over;
  guint *n_requests;
} OrreryScriptPrivate;

ORRERY_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryScript, orrery_script, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryScriptPrivate *) orrery_script_get_instance_private (self))

static void
orrery_script_finalize (GObject *object)
{
  g_clear_weak_pointer (&PRIVATE (ORRERY_SCRIPT (object))->object);
  G_OBJECT_CLASS (orrery_script_parent_class)->finalize (object);
}

static void
orrery_script_class_init (OrreryScriptClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_script_finalize;
}

const char *
orrery_script_type_get_name (OrreryScriptType type)
{
  static const char *const names[] = {
    [ORRERY_SCRIPT_CHILD] = "child",
    [ORRERY_SCRIPT_CUSTOMIZATION] = "customization",
    [ORRERY_SCRIPT_ADD_ON] = "add-on",
    [ORRERY_SCRIPT_SANDBOX] = "sandbox",
  };

  return (guint) type < G_N_ELEMENTS (names) ? names[type] : "unknown";
}

void
orrery_script_place (OrreryScript *script, OrreryScriptType type, OrreryObject *object)
{
  PRIVATE (script)->type = type;
  g_set_weak_pointer (&PRIVATE (script)->object, object);
}

void
orrery_script_watch (OrreryScript *script, guint *n_requests)
{
  PRIVATE (script)->n_requests = n_requests;
}

OrreryScriptRequest
orrery_script_take_request (OrreryScript *script)
{
  OrreryScriptPrivate *priv = PRIVATE (script);
  OrreryScriptRequest request = priv->request;

  priv->request = ORRERY_SCRIPT_REQUEST_NONE;
  return request;
}

static void
be_seen (OrreryScriptPrivate *priv)
{
  if (priv->n_requests != NULL)
    ++*priv->n_requests;
}

void
orrery_script_run_thread (OrreryScript *script, OrreryTick *tick, GError **error)
{
  if (!ORRERY_SCRIPT_GET_CLASS (script)->thread (script, tick, error))
    orrery_script_end_thread (script);
}

void
orrery_script_end_thread (OrreryScript *script)
{
  OrreryScriptPrivate *priv = PRIVATE (script);

  priv->thread_over = TRUE;
  be_seen (priv);
}

gboolean
orrery_script_is_thread_over (OrreryScript *script)
{
  return PRIVATE (script)->thread_over;
}

OrreryScriptType
orrery_script_get_script_type (OrreryScript *script)
{
  g_return_val_if_fail (ORRERY_IS_SCRIPT (script), ORRERY_SCRIPT_CHILD);
  return PRIVATE (script)->type;
}

OrreryObject *
orrery_script_get_object (OrreryScript *script)
{
  g_return_val_if_fail (ORRERY_IS_SCRIPT (script), NULL);
  return PRIVATE (script)->object;
}

static void
request (OrreryScript *script, OrreryScriptRequest what)
{
  OrreryScriptPrivate *priv = PRIVATE (script);

  priv->request = what;
  be_seen (priv);
}

void
orrery_script_request_cleanup (OrreryScript *script)
{
  g_return_if_fail (ORRERY_IS_SCRIPT (script));
  request (script, ORRERY_SCRIPT_REQUEST_CLEANUP);
}

void
orrery_script_request_restart (OrreryScript *script)
{
  g_return_if_fail (ORRERY_IS_SCRIPT (script));
  request (script, ORRERY_SCRIPT_REQUEST_RESTART);
}
