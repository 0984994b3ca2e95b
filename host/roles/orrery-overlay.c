/* SPDX-License-Identifier: BSD-3-Clause */
#include "roles/orrery-overlay-private.h"

#include "roles/orrery-call-private.h"
#include "roles/orrery-part-private.h"

typedef struct {
  OrreryComponent *component; /* borrowed: it outlives its overlays */
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

static void
chain_done (OrreryCall *inner, gpointer data)
{
  Chain *chain = data;
  GError *error = NULL;
  GVariant *value = orrery_call_get_result (inner, &error);

  g_object_set_data (G_OBJECT (chain->outer), "orrery-inner", NULL);
  if (error != NULL)
    orrery_call_refuse (chain->outer, orrery_call_get_fault (inner), error);
  else if (chain->map != NULL)
    orrery_call_return (chain->outer, chain->map (chain->overlay, value, chain->user_data));
  else
    orrery_call_return (chain->outer, value);
}

static const char *
orrery_overlay_real_get_published_name (OrreryOverlay *self)
{
  return orrery_part_get_name (ORRERY_PART (PRIVATE (self)->component));
}

static void
orrery_overlay_cancel (OrreryPart *part, OrreryCall *call)
{
  OrreryCall *inner = g_object_get_data (G_OBJECT (call), "orrery-inner");

  if (inner != NULL)
    orrery_call_cancel (inner);
}

static void
orrery_overlay_class_init (OrreryOverlayClass *klass)
{
  ORRERY_PART_CLASS (klass)->cancel = orrery_overlay_cancel;
  klass->get_published_name = orrery_overlay_real_get_published_name;
}

static void
orrery_overlay_init (OrreryOverlay *self)
{
}

void
orrery_overlay_set_component (OrreryOverlay *overlay, OrreryComponent *component)
{
  PRIVATE (overlay)->component = component;
}

OrreryComponent *
orrery_overlay_get_component (OrreryOverlay *overlay)
{
  g_return_val_if_fail (ORRERY_IS_OVERLAY (overlay), NULL);
  return PRIVATE (overlay)->component;
}

void
orrery_overlay_chain (OrreryOverlay *overlay, OrreryCall *call, const char *service,
                      GVariant *arguments, OrreryOverlayMapFunc map, gpointer user_data,
                      GDestroyNotify destroy)
{
  g_autoptr (OrreryCall) inner = NULL;
  Chain *chain = g_new0 (Chain, 1);

  g_return_if_fail (ORRERY_IS_OVERLAY (overlay));

  chain->overlay = g_object_ref (overlay);
  chain->outer = g_object_ref (call);
  chain->map = map;
  chain->user_data = user_data;
  chain->destroy = destroy;

  inner = orrery_call_new (service, arguments);
  g_object_set_data_full (G_OBJECT (call), "orrery-inner", g_object_ref (inner), g_object_unref);
  orrery_call_start (inner, ORRERY_PART (PRIVATE (overlay)->component));
  orrery_call_set_done_func (inner, chain_done, chain, chain_free);
}
