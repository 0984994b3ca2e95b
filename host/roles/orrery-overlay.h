/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-component.h"

G_BEGIN_DECLS

/**
 * OrreryOverlay:
 *
 * A stand-in for one component on one request manager: services of its own, under the component's
 * name or another. The component is given in `setup`.
 */
#define ORRERY_TYPE_OVERLAY (orrery_overlay_get_type ())
ORRERY_API
G_DECLARE_DERIVABLE_TYPE (OrreryOverlay, orrery_overlay, ORRERY, OVERLAY, OrreryPart)

/**
 * OrreryOverlayClass:
 * @get_published_name: (transfer none): the name that it answers to; by default the component's
 */
struct _OrreryOverlayClass {
  OrreryPartClass parent_class;

  const char *(*get_published_name) (OrreryOverlay *self);

  /*< private >*/
  gpointer _reserved[8];
};

/**
 * OrreryOverlayMapFunc:
 * @overlay: the overlay
 * @value: (nullable): what the component's service returned
 * @user_data: as given
 *
 * Changes the value of a call of orrery_overlay_chain() on its way back. It is not called for a
 * call that failed, whose error is passed on as it is. Tick thread.
 *
 * Returns: (transfer full) (nullable): what the caller is told instead
 */
typedef GVariant *(*OrreryOverlayMapFunc) (OrreryOverlay *overlay, GVariant *value,
                                           gpointer user_data);

/**
 * orrery_overlay_get_component:
 *
 * The component whose services the overlay stands in for. It is there as long as the simulation; a
 * program that keeps the overlay longer gets %NULL.
 *
 * Returns: (transfer none) (nullable): the component that it stands in for
 */
ORRERY_API OrreryComponent *orrery_overlay_get_component (OrreryOverlay *overlay);
/**
 * orrery_overlay_set_published_name:
 * @overlay: an overlay, in its setup
 * @name: (nullable): the name that it answers to; %NULL for the component's
 *
 * For classes that do not override get_published_name.
 */
ORRERY_API void orrery_overlay_set_published_name (OrreryOverlay *overlay, const char *name);
/**
 * orrery_overlay_chain:
 * @call: the call to answer
 * @service: a service of the component
 * @arguments: (nullable): its arguments by place, `av`; a floating one is sunk
 * @map: (nullable) (scope notified): changes the value on its way back
 * @user_data: for @map
 * @destroy: (nullable): for @user_data
 *
 * Answers @call with what the component's service answers, now or later. Cancelling @call cancels
 * the component's.
 */
ORRERY_API void orrery_overlay_chain (OrreryOverlay *overlay, OrreryCall *call, const char *service,
                                      GVariant *arguments, OrreryOverlayMapFunc map,
                                      gpointer user_data, GDestroyNotify destroy);
/**
 * orrery_overlay_start:
 * @service: a service of the component
 * @arguments: (nullable): its arguments by place, `av`; a floating one is sunk
 *
 * Calls the component for the overlay itself, for overlays that need more of the answer than
 * orrery_overlay_chain() passes on. A wrong name or argument fails the call.
 *
 * Returns: (transfer full): the call, done or pending
 */
ORRERY_API OrreryCall *orrery_overlay_start (OrreryOverlay *overlay, const char *service,
                                             GVariant *arguments);

G_END_DECLS
