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
} OrreryViewerControl;
ORRERY_DECLARE_CLASS (OrreryViewerControl, orrery_viewer_control, OrreryRequestManager)

/* --- for parameter.c --- */

/* An answer, with the next flush. */
void commands_answer (OrreryViewerControl *self, Hub *hub, HubAnswer kind, guint64 client,
                      OrreryWriter *text);
/* Tells a client what is wrong. */
void commands_tell (OrreryViewerControl *self, Hub *hub, guint64 client, const char *id,
                    const char *words);
/* @request: taken: for parameters */
void commands_ask_parameters (OrreryViewerControl *self, ControlRequest *request);
