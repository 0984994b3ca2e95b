/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/*
 * A file that somebody's hands write to: a terminal, a joystick. A thread of its own reads it, so
 * the tick never waits; it ends with the device or with device_close().
 */
typedef struct _Device Device;

/* Called in the thread of the device with what came. */
typedef void (*DeviceFunc) (const guint8 *bytes, gsize n, gpointer user_data);

/* @raw: of a terminal, single keys instead of lines. NULL with ORRERY_ERROR_IO. */
Device *device_open (const char *path, gboolean raw, DeviceFunc func, gpointer user_data,
                     GError **error);
void device_close (Device *device);
