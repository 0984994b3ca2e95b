/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "control.h"

/* The request manager of clients that command a run. */
typedef struct {
  OrreryRequestManager parent_instance;

  Control *control;
  OrreryWriter *writer;
  GQueue pending;  /* (element-type Command): calls that are not answered yet */
  GPtrArray *hubs; /* (element-type Hub): have answers that were not flushed */

  GPtrArray
      *followers; /* (element-type ControlRequest): of clients that want to know what is set */
  GMutex lock;
  GHashTable *changed; /* [lock]: those of the next, to be found */
  GPtrArray *changes;  /* [lock]: properties that were set and are not told yet */
} OrreryViewerControl;
ORRERY_DECLARE_CLASS (OrreryViewerControl, orrery_viewer_control, OrreryRequestManager)

/* --- for parameter.c and updates.c --- */

/* An answer, with the next flush. */
void commands_answer (OrreryViewerControl *self, Hub *hub, HubAnswer kind, guint64 client,
                      OrreryWriter *text);
/* Tells a client what is wrong. */
void commands_tell (OrreryViewerControl *self, Hub *hub, guint64 client, const char *id,
                    const char *words);
/* @request: taken: for parameters */
void commands_ask_parameters (OrreryViewerControl *self, ControlRequest *request);
/* One parameter, as JSON. */
void commands_write_parameter (OrreryWriter *out, const char *name, GVariant *value);

/* --- updates.c --- */

void updates_init (OrreryViewerControl *self);
void updates_clear (OrreryViewerControl *self);
/* @request: taken: its client wants to know what is set */
void updates_follow (OrreryViewerControl *self, ControlRequest *request);
/* @gone: (nullable): its client no longer does; NULL: nobody does */
void updates_unfollow (OrreryViewerControl *self, const ControlRequest *gone);
/* Tells what was set. */
void updates_flush (OrreryViewerControl *self);
