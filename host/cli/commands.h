/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>
#include <stdio.h>

/* The program: what main() of bin/orrery calls, and, in Python, orrery.run. */
ORRERY_API int orrery_cli_main (int argc, char **argv);

/* --- main.c: the table of subcommands --- */

typedef struct {
  const char *name;
  const char *words; /* NULL of those that are not for people */
  int (*run) (int argc, char **argv);
} CliCommand;

/* Returns: those for people, ended by one without a name, in the order of `orrery --help` */
const CliCommand *cli_get_commands (void);
/* Returns: (nullable): one of them */
const CliCommand *cli_find_command (const char *name);
/* What `orrery --help` prints. */
void cli_print_help (FILE *stream);
/* Those of `orrery recording`, in the same form; without words. */
const CliCommand *cli_recording_get_verbs (void);

/* --- subcommands: each takes its own argv and returns the exit code --- */

int cli_run (int argc, char **argv);
int cli_build (int argc, char **argv);
int cli_check (int argc, char **argv);
int cli_order (int argc, char **argv);
int cli_plugins (int argc, char **argv);
int cli_messages (int argc, char **argv);
int cli_new (int argc, char **argv);
int cli_batch (int argc, char **argv);
int cli_diff (int argc, char **argv);
int cli_recording (int argc, char **argv);
int cli_render (int argc, char **argv);
int cli_replay (int argc, char **argv);
int cli_python (int argc, char **argv);
int cli_echo (int argc, char **argv);
int cli_call (int argc, char **argv);
int cli_doctor (int argc, char **argv);
int cli_help (int argc, char **argv);
int cli_morse_root (int argc, char **argv);
/* Hidden: candidates for the completion of shells; the manual page of a subcommand. */
int cli_complete (int argc, char **argv);
int cli_man_page (int argc, char **argv);
/* doctor.c: the parts that it looks at, ended by NULL. */
const char *const *cli_doctor_get_parts (void);
/* new.c: which it writes, ended by NULL. */
const char *const *cli_new_get_roles (void);
/* morse-root.c: the exit code as MORSE has it, where the command `morse` started the program. */
int cli_morse_exit_code (int status);
