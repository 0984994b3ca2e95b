/* SPDX-License-Identifier: BSD-3-Clause */
/* Which package of Debian brings a shared library that plugins load. */
#include "doctor.h"

static const struct {
  const char *library; /* the beginning of its name */
  const char *package;
} packages[] = {
  { "libmujoco.so.2.2.2", "libmujoco2.2.2" },
  { "libBulletCollision-float64.so.3.24", "libbullet3.24" },
  { "libBulletDynamics-float64.so.3.24", "libbullet3.24" },
  { "libLinearMath-float64.so.3.24", "libbullet3.24" },
  { "libembree3.so.3", "libembree3-3" },
  { "libembree4.so.4", "libembree4-4" },
  { "libfastrtps.so.2.9", "libfastrtps2.9" },
  { "libfastcdr.so.1", "libfastcdr1" },
  { "libmosquitto.so.1", "libmosquitto1" },
  { "libsoup-3.0.so.0", "libsoup-3.0-0" },
  { "libgdk_pixbuf-2.0.so.0", "libgdk-pixbuf-2.0-0" },
  { "libassimp.so.5", "libassimp5" },
  { "libdeflate.so.0", "libdeflate0" },
  { "liblz4.so.1", "liblz4-1" },
  { "libzstd.so.1", "libzstd1" },
  { "libEGL.so.1", "libegl1" },
  { "libGL.so.1", "libgl1" },
  { "libOSMesa.so.8", "libosmesa6" },
  { "libgirepository-1.0.so.1", "libgirepository-1.0-1" },
};

const char *
doctor_find_package (const char *library)
{
  for (guint i = 0; i < G_N_ELEMENTS (packages); i++)
    if (g_str_has_prefix (library, packages[i].library))
      return packages[i].package;
  return NULL;
}

char *
doctor_make_remedy (const char *library)
{
  const char *package = doctor_find_package (library);

  if (package != NULL)
    return g_strdup_printf ("apt install %s", package);
  return g_strdup_printf ("`apt-file search %s` finds its package, if Debian has one", library);
}
