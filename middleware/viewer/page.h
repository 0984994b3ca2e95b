/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "kept-run.h"
#include "view.h"

/* Writes a file with the page of the viewer, which plays the run without a server. */
typedef struct {
  OrreryObserver parent_instance;

  char *path, *title;
  double rate;
  guint max_size;

  View *view;
  OrreryWorld *world; /* while it is open: the scene's */
  GByteArray *poses;
  OrreryWriter *writer;
  KeptRun kept;
  OrreryTime start, end; /* of what is kept, ns */
  guint64 n_poses;
  guint64 looks;      /* the serial number of those that were kept last */
  guint64 *n_records; /* of each part: what was kept */
  guint n_files;      /* of all epochs */
} OrreryViewerPage;
ORRERY_DECLARE_CLASS (OrreryViewerPage, orrery_viewer_page, OrreryObserver)
