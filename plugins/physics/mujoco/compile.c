/* SPDX-License-Identifier: BSD-3-Clause */
/* Has MuJoCo compile a model from XML that lies in memory. */
#include "compile.h"

#include "guard.h"

#include <math.h>
#include <string.h>
#include <sys/mman.h>

#define FILE_NAME "world.xml"
/* Of the step with which MuJoCo tries a model; doubles. */
#define N_CONTACTS 20
#define N_ROWS 80
#define MAX_STACK 250e6

/* MuJoCo tries each model that it compiles. The sizes that it chooses itself are 10 MB, for
 * hundreds of contacts, and it clears them all. Nothing of the trial is in the model, and the
 * engine has sizes of its own. */
void
compile_add_sizes (GString *xml, GPtrArray *things, guint n_geoms)
{
  double n_rows = N_ROWS, n = things->len;

  for (guint i = 0; i < things->len; i++) {
    Motion motion = ((const Thing *) things->pdata[i])->own.motion;

    n_rows += motion == MOTION_FREE ? 6 : motion == MOTION_LINK ? 3 : 0;
  }
  /* Rows by rows, pairs of bodies, and some for each body and geom. */
  g_string_append_printf (xml, "<size nconmax='%d' njmax='%d' nstack='%.0f'/>\n", N_CONTACTS,
                          N_ROWS,
                          fmin (5 * n_rows * n_rows + n * n + 20 * (16 * n + n_geoms) + 1e5,
                                MAX_STACK));
}

/* MuJoCo has 2 MB for the names of two thousand files. What the kernel gives is clear, and takes
 * memory only where it is written to; mj_defaultVFS () and mj_deleteVFS () clear all of it again.
 */
static mjVFS *
open_files (const char *xml)
{
  mjVFS *vfs = mmap (NULL, sizeof *vfs, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  gsize n = strlen (xml);

  if (vfs == MAP_FAILED)
    return NULL;
  mj_makeEmptyFileVFS (vfs, FILE_NAME, (int) n);
  memcpy (vfs->filedata[mj_findFileVFS (vfs, FILE_NAME)], xml, n);
  return vfs;
}

static void
close_files (mjVFS *vfs)
{
  mj_deleteFileVFS (vfs, FILE_NAME);
  munmap (vfs, sizeof *vfs);
}

mjModel *
compile_xml (const char *xml, char words[COMPILE_WORDS])
{
  mjVFS *vfs = open_files (xml);
  mjModel *volatile m = NULL;
  const char *said;

  *words = '\0';
  if (vfs == NULL) {
    g_strlcpy (words, "no memory", COMPILE_WORDS);
    return NULL;
  }
  guard_enter ();
  if (setjmp (guard_here ()) == 0)
    m = mj_loadXML (FILE_NAME, vfs, words, COMPILE_WORDS);
  said = guard_leave (NULL);
  close_files (vfs);
  if (*words == '\0' && said != NULL)
    g_strlcpy (words, said, COMPILE_WORDS);
  g_strdelimit (words, "\n", ' ');
  return m;
}
