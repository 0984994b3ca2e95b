/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery-test.h>

/* A scene that names Bullet, with another engine. */
static inline char *
name_engine (const char *scene, const char *engine)
{
  g_auto (GStrv) parts = g_strsplit (scene, "bullet.Bullet", -1);

  return g_strjoinv (engine, parts);
}
