/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "roles/orrery-observer.h"
#include "roles/orrery-setup-private.h"

/* Has @func called for orrery_observer_watch(), on any thread; NULL: nobody. */
typedef void (*OrreryObserverWatchFunc) (gpointer host, OrreryObserver *observer,
                                         OrreryComponent *component, gboolean watched);
void orrery_observer_set_watch_func (OrreryObserver *self, OrreryObserverWatchFunc func,
                                     gpointer host);

/* Appends what it has lost to a list of strings. */
void orrery_observer_list_lost (OrreryObserver *self, GVariantBuilder *list);

/* Has @func called for orrery_observer_get_renderer(), on the tick's thread; NULL: nobody. */
void orrery_observer_set_renderer_func (OrreryObserver *self, OrreryRendererFunc func,
                                        gpointer host);

/* Has functions called for orrery_observer_save_state() and orrery_observer_get_hash(); NULL: these
 * fail. The tick's thread. */
typedef GBytes *(*OrreryObserverSaveFunc) (gpointer host, GError **error);
typedef guint64 (*OrreryObserverHashFunc) (gpointer host);
void orrery_observer_set_tick_funcs (OrreryObserver *self, OrreryObserverSaveFunc save,
                                     OrreryObserverHashFunc hash, gpointer host);

/* Who is told of the faults of a run; it belongs to the runner. The tick's thread. */
typedef void (*OrreryRunFaultFunc) (gpointer data, const OrreryRunFault *fault);
typedef struct {
  OrreryRunFaultFunc func; /* NULL: nobody */
  gpointer data;
  const guint64 *n_ticks; /* borrowed: the number of the next tick, or of the present one */
} OrreryRunFaults;

/* Tells of it; the tick is filled in. @faults: (nullable) */
void orrery_run_faults_tell (OrreryRunFaults *faults, OrreryRunFault fault);
