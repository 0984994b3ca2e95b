/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* What the program says of itself: the tables, and those who print or search them. */

#include "../commands.h"
#include "../support/cli.h"

/* --- topics.c: tables --- */

typedef struct {
  const char *name;
  const char *words;
} CliTopic;

/* Each ended by one without a name. */
extern const CliTopic cli_exit_codes[];
extern const CliTopic cli_environment[];
extern const CliTopic cli_files[];

/* Returns: (nullable): the pages of the manual that explain a command, as
 * `run.md, time.md` */
const char *cli_topic_find_pages (const char *command);
/* Returns: (transfer full): a text broken at blanks into lines of at most @width columns, each
 * after
 * @indent blanks and ended by a line break; what is not to be broken is longer */
char *cli_wrap (const char *text, guint indent, guint width);
