/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <glib.h>

/* What a file has that is not read: each kind once, with its first place. */
typedef struct _Unread Unread;

Unread *unread_new (void);
void unread_free (Unread *unread);
/* @element: as the file has it; @attribute: of it, or NULL: all of it; @file: as long as the list;
 * @why: static */
void unread_note (Unread *unread, const char *element, const char *attribute, const char *file,
                  int line, const char *why);
/* Logs a line for each. */
void unread_tell (const Unread *unread, const char *domain);
