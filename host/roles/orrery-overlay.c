/* SPDX-License-Identifier: BSD-3-Clause */
/* The base class of overlays, which publish a component's services in another form. */
#include "roles/orrery-overlay-private.h"

#include "part/orrery-call-private.h"
#include "part/orrery-part-private.h"

typedef struct {
  OrreryComponent *component; /* weak: it outlives its overlays, but where somebody keeps one */
  char *name;
  GHashTable *inner; /* (element-type OrreryCall OrreryCall): of each call that is in progress */
} OrreryOverlayPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (OrreryOverlay, orrery_overlay, ORRERY_TYPE_PART)

#define PRIVATE(self) ((OrreryOverlayPrivate *) orrery_overlay_get_instance_private (self))

/* A call of an overlay, and the call of the component that answers it. */
typedef struct {
  OrreryOverlay *overlay;
  OrreryCall *outer;
  OrreryOverlayMapFunc map;
  gpointer user_data;
  GDestroyNotify destroy;
} Chain;

static void
chain_free (gpointer data)
{
  Chain *chain = data;

  if (chain->destroy != NULL)
    chain->destroy (chain->user_data);
  g_object_unref (chain->outer);
  g_object_unref (chain->overlay);
  g_free (chain);
}

/* The component may be gone where a binding keeps the overlay longer than its simulation. */
static void
refuse_chain (Chain *chain, GVariant *arguments)
{
  if (arguments != NULL)
    g_variant_unref (g_variant_ref_sink (arguments));
  orrery_call_fail (chain->outer,
                    g_error_new (ORRERY_ERROR, ORRERY_ERROR_STATE, "%s: its component is gone",
                                 orrery_part_get_name (ORRERY_PART (chain->overlay))));
  chain_free (chain);
}

static void
chain_done (OrreryCall *inner, gpointer data)
{
  Chain *chain = data;
  GError *error = NULL;
  GVariant *value = orrery_call_get_result (inner, &error);
  g_autoptr (GVariant) mapped = NULL;

  g_hash_table_remove (PRIVATE (chain->overlay)->inner, chain->outer);
  if (error != NULL)
    orrery_call_refuse (chain->outer, orrery_call_get_fault (inner), error);
  else if (chain->map == NULL)
    orrery_call_return (chain->outer, value);
  else {
    mapped = chain->map (chain->overlay, value, chain->user_data);
    /* Ours, be it floating or not. */
    if (mapped != NULL)
      g_variant_take_ref (mapped);
    orrery_call_return (chain->outer, mapped);
  }
}

static const char *
orrery_overlay_real_get_published_name (OrreryOverlay *self)
{
  OrreryOverlayPrivate *priv = PRIVATE (self);

  if (priv->name != NULL || priv->component == NULL)
    return priv->name;
  return orrery_part_get_name (ORRERY_PART (priv->component));
}

static void
orrery_overlay_cancel (OrreryPart *part, OrreryCall *call)
{
  OrreryCall *inner = g_hash_table_lookup (PRIVATE (ORRERY_OVERLAY (part))->inner, call);

  if (inner != NULL)
    orrery_call_cancel (inner);
}

static void
orrery_overlay_finalize (GObject *object)
{
  OrreryOverlayPrivate *priv = PRIVATE (ORRERY_OVERLAY (object));

  g_clear_weak_pointer (&priv->component);
  g_clear_pointer (&priv->name, g_free);
  g_hash_table_unref (priv->inner);
  G_OBJECT_CLASS (orrery_overlay_parent_class)->finalize (object);
}

static void
orrery_overlay_class_init (OrreryOverlayClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = orrery_overlay_finalize;
  ORRERY_PART_CLASS (klass)->cancel = orrery_overlay_cancel;
  klass->get_published_name = orrery_overlay_real_get_published_name;
}

static void
orrery_overlay_init (OrreryOverlay *self)
{
  PRIVATE (self)->inner = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
}

void
orrery_overlay_set_component (OrreryOverlay *overlay, OrreryComponent *component)
{
  g_set_weak_pointer (&PRIVATE (overlay)->component, component);
}

OrreryComponent *
orrery_overlay_get_component (OrreryOverlay *overlay)
{
  g_return_val_if_fail (ORRERY_IS_OVERLAY (overlay), NULL);
  return PRIVATE (overlay)->component;
}

void
orrery_overlay_set_published_name (OrreryOverlay *overlay, const char *name)
{
  OrreryOverlayPrivate *priv = NULL;

  g_return_if_fail (ORRERY_IS_OVERLAY (overlay));

  priv = PRIVATE (overlay);
  g_free (priv->name);
  priv->name = g_strdup (name);
}

void
orrery_overlay_chain (OrreryOverlay *overlay, OrreryCall *call, const char *service,
                      GVariant *arguments, OrreryOverlayMapFunc map, gpointer user_data,
                      GDestroyNotify destroy)
{
  g_autoptr (OrreryCall) inner = NULL;
  Chain *chain;

  g_return_if_fail (ORRERY_IS_OVERLAY (overlay));
  g_return_if_fail (ORRERY_IS_CALL (call));
  g_return_if_fail (service != NULL);

  chain = g_new0 (Chain, 1);
  chain->overlay = g_object_ref (overlay);
  chain->outer = g_object_ref (call);
  chain->map = map;
  chain->user_data = user_data;
  chain->destroy = destroy;

  if (PRIVATE (overlay)->component == NULL) {
    refuse_chain (chain, arguments);
    return;
  }
  inner = orrery_call_new (service, arguments);
  g_hash_table_insert (PRIVATE (overlay)->inner, call, g_object_ref (inner));
  orrery_call_start (inner, ORRERY_PART (PRIVATE (overlay)->component));
  orrery_call_set_done_func (inner, chain_done, chain, chain_free);
}

OrreryCall *
orrery_overlay_start (OrreryOverlay *overlay, const char *service, GVariant *arguments)
{
  OrreryComponent *component = NULL;
  OrreryCall *call = NULL;

  g_return_val_if_fail (ORRERY_IS_OVERLAY (overlay), NULL);
  g_return_val_if_fail (service != NULL, NULL);

  component = PRIVATE (overlay)->component;
  call = orrery_call_new (service, arguments);
  if (component != NULL)
    orrery_call_start (call, ORRERY_PART (component));
  else
    orrery_call_refuse (call, ORRERY_CALL_FAILED,
                        g_error_new (ORRERY_ERROR, ORRERY_ERROR_STATE, "%s: its component is gone",
                                     orrery_part_get_name (ORRERY_PART (overlay))));
  return call;
}
