/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists the plugins that the process has loaded, with checksums of their files. */
#define _GNU_SOURCE
#include "registry/orrery-registry.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define MAX_MODULE_BYTES (256 * 1024 * 1024)

/* What a plugin is called by, wherever it is installed */
static const char *
cut_path (const char *path)
{
  const char *plugins = g_strrstr (path, "/plugins/");
  const char *slash = strrchr (path, '/');

  if (plugins != NULL)
    return plugins + strlen ("/plugins/");
  return slash != NULL ? slash + 1 : path;
}

static int
add_module (struct dl_phdr_info *info, size_t size, gpointer data)
{
  const char *path = info->dlpi_name;
  gpointer handle = path != NULL && *path != '\0' ? dlopen (path, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  gboolean is_plugin = handle != NULL && dlsym (handle, "orrery_plugin_desc") != NULL;
  g_autofree char *content = NULL;
  gsize length;

  if (handle != NULL)
    dlclose (handle);
  if (is_plugin && g_file_get_contents (path, &content, &length, NULL) &&
      length <= MAX_MODULE_BYTES) {
    g_autofree char *sum =
        g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *) content, length);

    g_variant_builder_add (data, "{ss}", cut_path (path), sum);
  }
  return 0;
}

GVariant *
orrery_registry_list_loaded (void)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("a{ss}"));
  dl_iterate_phdr (add_module, &builder);
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}
