/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

#include <orrery.h>

/* The program: what main() of bin/orrery calls, and, in Python, orrery.run. */
ORRERY_API int orrery_cli_main (int argc, char **argv);

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
int cli_morse_root (int argc, char **argv);
/* morse-root.c: the exit code as MORSE has it, where the command `morse` started the program. */
int cli_morse_exit_code (int status);
