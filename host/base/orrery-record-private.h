/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include "base/orrery-record.h"

/* Open to the tick, which stamps and releases every record of every step. */
struct _OrreryRecord {
  gpointer data;
  OrreryTime timestamp;
  gboolean has_timestamp;
  gboolean held;
  OrrerySchema *schema;
  gpointer defaults; /* (nullable): as data; NULL is all zero */
  gatomicrefcount ref_count;
};
