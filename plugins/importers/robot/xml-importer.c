/* SPDX-License-Identifier: BSD-3-Clause */
/* The importer of .xml files, which tells MJCF from URDF by the first element. */
#include "mjcf.h"
#include "urdf.h"

#include <string.h>

#define MAX_BYTES (64 * 1024 * 1024)
/* Where the first element of a file has to be. */
#define HEAD 65536

/* MJCF or URDF: the first element tells. */
typedef struct {
  OrreryImporter parent_instance;
} OrreryXmlImporter;
ORRERY_DEFINE_CLASS (OrreryXmlImporter, orrery_xml_importer, OrreryImporter, orrery_importer)

/* The name of the first element, behind declarations and comments. */
static char *
find_root (const char *text, gsize length)
{
  g_autofree char *head = g_strndup (text, MIN (length, HEAD));

  for (const char *at = head; (at = strchr (at, '<')) != NULL; at++) {
    if (g_str_has_prefix (at, "<!--")) {
      at = strstr (at, "-->");
      if (at == NULL)
        return NULL;
    } else if (at[1] != '?' && at[1] != '!') {
      return g_strndup (at + 1, strcspn (at + 1, " \t\r\n/>"));
    }
  }
  return NULL;
}

static void
orrery_xml_importer_load (OrreryImporter *importer, const char *path, OrreryImport *import,
                          GError **error)
{
  g_autoptr (GMappedFile) file = g_mapped_file_new (path, FALSE, error);
  g_autofree char *root = NULL;
  const char *text;
  gsize length;

  if (file == NULL)
    return;
  length = g_mapped_file_get_length (file);
  text = length > 0 ? g_mapped_file_get_contents (file) : "";
  root = find_root (text, length);
  if (length <= MAX_BYTES && g_strcmp0 (root, "mujoco") == 0)
    mjcf_read (path, import, error);
  else if (length <= MAX_BYTES && g_strcmp0 (root, "robot") == 0)
    urdf_read (text, length, path, import, error);
  else
    orrery_set_error (
        error, ORRERY_ERROR_CONFIG,
        "%s: its first element is '%.40s', not <mujoco> or <robot>, or it has more than "
        "%d MiB",
        path, root != NULL ? root : "", MAX_BYTES >> 20);
}

static void
orrery_xml_importer_class_init (OrreryXmlImporterClass *klass)
{
  ORRERY_IMPORTER_CLASS (klass)->load = orrery_xml_importer_load;
}

ORRERY_PLUGIN ("Reads robots and environments in MJCF or URDF", "BSD-3-Clause",
               ORRERY_CLASS (Importer, OrreryXmlImporter, orrery_xml_importer))
