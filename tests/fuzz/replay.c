/* SPDX-License-Identifier: BSD-3-Clause */
#include <gio/gio.h>
#include <string.h>

#include "fuzz.h"

/* Gives each file of corpus/NAME to the harness that this program is linked with: the whole, and
 * cut at every byte, since most mistakes hide where a text ends too early. */

#define MAX_CUTS 2000

static void
replay (gconstpointer path)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  g_file_get_contents (path, &text, &length, &error);
  g_assert_no_error (error);
  LLVMFuzzerTestOneInput ((const uint8_t *) text, length);
  for (gsize cut = 0; cut < MIN (length, MAX_CUTS); cut++) {
    /* A block of just this size: a byte read behind the end is seen by valgrind and ASan. */
    g_autofree char *head = g_memdup2 (text, cut);

    LLVMFuzzerTestOneInput ((const uint8_t *) head, cut);
  }
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
list_files (const char *folder)
{
  GPtrArray *files = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (files, g_strdup (name));
  g_ptr_array_sort (files, compare_names);
  return files;
}

int
main (int argc, char **argv)
{
  g_autofree char *program = g_path_get_basename (argv[0]);
  const char *name = strrchr (program, '-') + 1;
  g_autofree char *folder =
      g_build_filename (g_getenv ("ORRERY_TEST_SRCDIR"), "tests/fuzz/corpus", name, NULL);
  g_autoptr (GPtrArray) files = list_files (folder);

  g_test_init (&argc, &argv, NULL);
  g_assert_cmpuint (files->len, >, 0);
  for (guint i = 0; i < files->len; i++) {
    const char *file = g_ptr_array_index (files, i);
    g_autofree char *test = g_strdup_printf ("/replay/%s/%s", name, file);

    g_test_add_data_func_full (test, g_build_filename (folder, file, NULL),
                               (GTestDataFunc) (void (*) (void)) replay, g_free);
  }
  return g_test_run ();
}
