/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* Where the elements of an MJCF file, and of those that it includes, are. */
typedef struct _MjcfLines MjcfLines;

/* Never fails: of a file that is no plain XML nothing is known. */
MjcfLines *mjcf_lines_read (const char *path);
void mjcf_lines_free (MjcfLines *lines);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (MjcfLines, mjcf_lines_free)

/* Returns: (transfer full) (element-type utf8): the files that are there: of elements, meshes,
 * height fields, textures and skins; the first one first. @is_all: there may be no others. */
GPtrArray *mjcf_lines_list_files (const MjcfLines *lines, gboolean *is_all);
/* FILE:LINE of the element of that name in a section as `sensor`, or, without a name, of the one at
 * @number there; without a line where it is not found. */
char *mjcf_lines_find (const MjcfLines *lines, const char *section, const char *name, guint number);
/* The same of the camera at @number, as MuJoCo counts them: those of a body before those of the
 * bodies in it. */
char *mjcf_lines_find_camera (const MjcfLines *lines, const char *name, guint number);
/* FILE:LINE of an attribute of <option>, or of its <flag>; NULL: the file does not give it. */
const char *mjcf_lines_find_option (const MjcfLines *lines, const char *name);
/* Logs a line for each kind of thing that has no effect, with the first place of it. */
void mjcf_lines_tell_unread (const MjcfLines *lines);
