/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs programs with a limit of time, so that what crashes or hangs is a finding. */
#include "doctor.h"

/* More than any of them has to say, bytes. */
#define MAX_OUTPUT (1 << 20)

char *
doctor_run (const char *const *argv, guint seconds, char **end)
{
  const OrreryChildSpec spec = {
    .argv = argv,
    .flags = ORRERY_CHILD_OUTPUT | ORRERY_CHILD_OWN_GROUP | ORRERY_CHILD_NO_CORE,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (OrreryChild) child = orrery_child_new (&spec, &error);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *text = NULL;

  *end = NULL;
  if (child == NULL || !orrery_child_start (child, &error)) {
    *end = g_strdup_printf ("cannot be run: %s", error->message);
    return g_strdup ("");
  }
  bytes = orrery_child_collect (child, seconds * ORRERY_SECOND, MAX_OUTPUT, NULL);
  if (orrery_child_get_status (child) != 0)
    *end = orrery_child_describe_end (child);
  text = g_strndup (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  return g_utf8_make_valid (text, -1);
}

char *
doctor_probe (const char *what, guint seconds, char **end)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *installed = orrery_get_prefix_path ("bin/orrery");
  g_autofree char *option = g_strconcat ("--probe=", what, NULL);
  /* In Python this process is the interpreter. */
  gboolean is_program = self != NULL && g_str_has_suffix (self, "/orrery");
  const char *const argv[] = { is_program ? self : installed, "doctor", option, NULL };

  return doctor_run (argv, seconds, end);
}
